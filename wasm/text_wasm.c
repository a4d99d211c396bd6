// SPDX-License-Identifier: MIT
//
// Text and archives as a module of its own: most recordings are neither, and whoever has one need not load this.
#include "desk.h"

#include <string.h>

struct room {
    struct tkw_room at;
    size_t record; // where the open record of the output begins
    bool record_open;
    uint32_t record_block;
};

static void begin(struct room *room) {
    tkw_begin(&room->at);
    room->record_open = false;
}

struct room *tkw_open(void);
void tkw_close(struct room *room);

struct room *tkw_open(void) {
    return tkw_room_new(sizeof(struct room));
}

void tkw_close(struct room *room) {
    tkw_room_free(&room->at, sizeof *room);
}

// Output of tkw_armor_feed: records of {u32 kind, u32 block, u32 len} and len bytes. Kind 0: a block begins, the bytes
// are its core (4 bytes) and title; kind 1: decoded bytes; kind 2, last: the result as JSON.

enum { RECORD_BEGIN, RECORD_DATA, RECORD_RESULT, RECORD_HEAD_LEN = 12 };

static const char *const armor_kinds[] = {"binary", "hex", "base64", "json"};

static bool put_record(struct room *room, uint32_t kind, uint32_t block, const void *bytes, size_t len) {
    uint32_t head[3] = {kind, block, (uint32_t)len};
    room->record = room->at.output.len;
    room->record_open = kind == RECORD_DATA;
    room->record_block = block;
    return tkw_put(&room->at.output, head, sizeof head) && tkw_put(&room->at.output, bytes, len);
}

static bool armor_begin(void *ctx, uint32_t block, int32_t core, const char *title, size_t title_len) {
    struct room *room = ctx;
    if (!put_record(room, RECORD_BEGIN, block, &core, sizeof core) || !tkw_put(&room->at.output, title, title_len)) return false;
    uint32_t len = (uint32_t)(sizeof core + title_len);
    memcpy(room->at.output.data + room->record + 8, &len, sizeof len);
    return true;
}

static bool armor_data(void *ctx, uint32_t block, const uint8_t *bytes, size_t len) {
    struct room *room = ctx;
    if (!room->record_open || room->record_block != block) return put_record(room, RECORD_DATA, block, bytes, len);
    if (!tkw_put(&room->at.output, bytes, len)) return false;
    uint32_t total = (uint32_t)(room->at.output.len - room->record - RECORD_HEAD_LEN);
    memcpy(room->at.output.data + room->record + 8, &total, sizeof total);
    return true;
}

int32_t tkw_armor_probe(struct room *room, uint32_t len);
tk_armor *tkw_armor_new(struct room *room, uint32_t kind);
int32_t tkw_armor_feed(struct room *room, tk_armor *armor, uint32_t len);
int32_t tkw_armor_finish(struct room *room, tk_armor *armor);
double tkw_armor_line(const tk_armor *armor, uint32_t block, double offset);
void tkw_armor_free(tk_armor *armor);

int32_t tkw_armor_probe(struct room *room, uint32_t len) {
    begin(room);
    if (len > TKW_INPUT_LEN) return tkw_end(&room->at, TK_MISUSE);
    struct tk_armor_probe probe;
    tk_armor_probe(room->at.input, len, &probe);
    tkw_put_key_string(&room->at.output, "{\"kind\":", armor_kinds[probe.kind]);
    tkw_put_key_string(&room->at.output, ",\"reason\":", probe.reason);
    tkw_put_text(&room->at.output, "}");
    return tkw_end(&room->at, TK_OK);
}

// kind: index of armor_kinds. NULL: no memory or not a kind. The armor may not outlive the room.
tk_armor *tkw_armor_new(struct room *room, uint32_t kind) {
    tk_armor *armor = NULL;
    const struct tk_armor_sink sink = {room, armor_begin, armor_data};
    if (kind > TK_ARMOR_JSON || tk_armor_new(&tkw_heap, (tk_armor_kind)kind, &sink, &armor) != TK_OK) return NULL;
    return armor;
}

int32_t tkw_armor_feed(struct room *room, tk_armor *armor, uint32_t len) {
    begin(room);
    if (len > TKW_INPUT_LEN) return tkw_end(&room->at, TK_MISUSE);
    return tkw_end(&room->at, tk_armor_feed(armor, room->at.input, len));
}

int32_t tkw_armor_finish(struct room *room, tk_armor *armor) {
    begin(room);
    struct tk_armor_result result = {0};
    tk_status status = tk_armor_finish(armor, &result);
    struct tkw_bytes *to = &room->at.output;
    put_record(room, RECORD_RESULT, 0, "", 0);
    tkw_put_key_number(to, "{\"blocks\":", result.blocks);
    tkw_put_key_number(to, ",\"bytes\":", result.bytes);
    tkw_put_key_number(to, ",\"ignored\":", result.ignored);
    tkw_put_key_number(to, ",\"bad\":", result.bad);
    tkw_put_key_number(to, ",\"badLine\":", result.bad_line);
    tkw_put_key_number(to, ",\"badColumn\":", result.bad_column);
    tkw_put_key_string(to, ",\"badText\":", result.bad_text);
    tkw_put_key_string(to, ",\"mode\":", result.mode);
    tkw_put_text(to, "}");
    if (!to->failed) {
        uint32_t len = (uint32_t)(to->len - room->record - RECORD_HEAD_LEN);
        memcpy(to->data + room->record + 8, &len, sizeof len);
    }
    return tkw_end(&room->at, status);
}

double tkw_armor_line(const tk_armor *armor, uint32_t block, double offset) {
    return (double)tk_armor_line(armor, block, (uint64_t)offset);
}

void tkw_armor_free(tk_armor *armor) {
    tk_armor_free(armor);
}

// ---- Archives

int32_t tkw_archive_probe(struct room *room, uint32_t len);
tk_archive *tkw_archive_new(struct room *room, uint32_t kind, double size);
int32_t tkw_archive_wanted(struct room *room, const tk_archive *archive);
int32_t tkw_archive_feed(struct room *room, tk_archive *archive, uint32_t len);
int32_t tkw_archive_list(struct room *room, const tk_archive *archive);
void tkw_archive_free(tk_archive *archive);

// A tk_archive_kind.
int32_t tkw_archive_probe(struct room *room, uint32_t len) {
    return len > TKW_INPUT_LEN ? TK_ARCHIVE_NONE : (int32_t)tk_archive_probe(room->at.input, len);
}

// size below 0: unknown. NULL: no memory or not a kind.
tk_archive *tkw_archive_new(struct room *room, uint32_t kind, double size) {
    tk_archive *archive = NULL;
    (void)room;
    if (tk_archive_new(&tkw_heap, (tk_archive_kind)kind, size < 0 ? UINT64_MAX : (uint64_t)size, &archive) != TK_OK) return NULL;
    return archive;
}

// {"offset":0,"length":512}, or nothing: all members are known.
int32_t tkw_archive_wanted(struct room *room, const tk_archive *archive) {
    uint64_t offset;
    size_t len;
    begin(room);
    if (tk_archive_wanted(archive, &offset, &len)) {
        tkw_put_key_number(&room->at.output, "{\"offset\":", offset);
        tkw_put_key_number(&room->at.output, ",\"length\":", len);
        tkw_put_text(&room->at.output, "}");
    }
    return tkw_end(&room->at, TK_OK);
}

int32_t tkw_archive_feed(struct room *room, tk_archive *archive, uint32_t len) {
    begin(room);
    if (len > TKW_INPUT_LEN) return tkw_end(&room->at, TK_MISUSE);
    return tkw_end(&room->at, tk_archive_feed(archive, room->at.input, len));
}

static void put_member(struct tkw_bytes *to, const struct tk_member *member, bool first) {
    tkw_put_key_string(to, first ? "{\"path\":" : ",{\"path\":", member->path);
    tkw_put_key_number(to, ",\"offset\":", member->offset);
    tkw_put_key_number(to, ",\"packed\":", member->packed);
    tkw_put_key_bool(to, ",\"deflated\":", member->state == TK_MEMBER_DEFLATED);
    tkw_put_key_string(to, ",\"reason\":", tk_member_reason(member->state));
    tkw_put_text(to, "}");
}

int32_t tkw_archive_list(struct room *room, const tk_archive *archive) {
    struct tk_member member;
    begin(room);
    tkw_put_text(&room->at.output, "{\"members\":[");
    for (uint32_t i = 0; tk_archive_member(archive, i, &member); i++) put_member(&room->at.output, &member, i == 0);
    tkw_put_key_string(&room->at.output, "],\"problem\":", tk_archive_problem(archive));
    tkw_put_text(&room->at.output, "}");
    return tkw_end(&room->at, TK_OK);
}

void tkw_archive_free(tk_archive *archive) {
    tk_archive_free(archive);
}
