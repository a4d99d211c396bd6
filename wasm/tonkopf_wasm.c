// SPDX-License-Identifier: MIT
//
// The library for a WebAssembly host. All data crosses at one desk: the host copies bytes into the input block, calls,
// reads the fields of the desk and takes the output block away before the next call. The host takes its views of the
// memory anew after every call, since the memory may have grown and moved. Texts that go out are JSON unless said
// otherwise; shapes in wasm/types.ts.
#include "../core/tonkopf.h"

#include <stdlib.h>
#include <string.h>

enum { INPUT_LEN = 512 * 1024 }; // fits the head and the tail of a probe, or one slice of a file

// What the host reads; the offsets are repeated in tonkopf.ts.
struct tkw_desk {
    uint32_t input, input_len;   // address and size of the input block
    uint32_t output, output_len; // what the last call wrote
    uint32_t head, head_len;     // after tkw_finish: replaces the first bytes of the trace; 0: nothing to replace
    uint32_t consumed;           // by tkw_feed
    int32_t wanted;              // tk_wanted_input
    double bytes_in, events, bytes_out;
};

struct bytes {
    uint8_t *data;
    size_t len, cap;
    bool failed;
};

struct room {
    struct tkw_desk desk; // first: the host's address of the desk is that of the room
    uint8_t input[INPUT_LEN];
    struct bytes output, head, probes;
    tk *handle;
    size_t record; // where the open record of the armor output begins
    bool record_open;
    uint32_t record_block;
};

static void *reallocate(void *ctx, void *ptr, size_t old_size, size_t new_size) {
    (void)ctx;
    (void)old_size;
    if (new_size > 0) return realloc(ptr, new_size);
    free(ptr);
    return NULL;
}

static const struct tk_allocator heap = {reallocate, NULL};

// ---- A growing byte buffer, and JSON written into it -----------------------------------------------------------

static bool put(struct bytes *to, const void *data, size_t len) {
    if (to->failed) return false;
    if (len > to->cap - to->len) {
        size_t cap = to->cap ? to->cap : 64 * 1024;
        while (cap - to->len < len) cap *= 2;
        uint8_t *grown = realloc(to->data, cap);
        if (!grown) {
            to->failed = true;
            return false;
        }
        to->data = grown;
        to->cap = cap;
    }
    if (len > 0) memcpy(to->data + to->len, data, len);
    to->len += len;
    return true;
}

static void put_text(struct bytes *to, const char *text) {
    put(to, text, strlen(text));
}

static void put_number(struct bytes *to, int64_t value) {
    char digits[24];
    size_t at = sizeof digits;
    uint64_t rest = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
    do digits[--at] = (char)('0' + rest % 10); while (rest /= 10);
    if (value < 0) digits[--at] = '-';
    put(to, digits + at, sizeof digits - at);
}

static void put_string(struct bytes *to, const char *text) {
    static const char hex[] = "0123456789abcdef";
    put_text(to, "\"");
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        char escaped[6] = {'\\', 'u', '0', '0', hex[c >> 4], hex[c & 15]};
        if (c < 0x20) put(to, escaped, 6);
        else if (c == '"' || c == '\\') put(to, (char[]){'\\', (char)c}, 2);
        else put(to, text, 1);
    }
    put_text(to, "\"");
}

// `key` with its quotes and the comma or brace before it: {"key":
static void put_key_string(struct bytes *to, const char *key, const char *value) {
    put_text(to, key);
    if (value) put_string(to, value);
    else put_text(to, "null");
}

static void put_key_number(struct bytes *to, const char *key, uint64_t value) {
    put_text(to, key);
    put_number(to, (int64_t)value);
}

static void put_key_bool(struct bytes *to, const char *key, bool value) {
    put_text(to, key);
    put_text(to, value ? "true" : "false");
}

// ---- The desk ----------------------------------------------------------------------------------------------------

static void begin(struct room *room) {
    room->output.len = 0;
    room->output.failed = false;
    room->record_open = false;
}

// Lays what a call made on the desk. A full memory in this glue shows up as a refusing sink inside.
static int32_t end(struct room *room, tk_status status) {
    struct tkw_desk *desk = &room->desk;
    desk->output = (uint32_t)(uintptr_t)room->output.data;
    desk->output_len = (uint32_t)room->output.len;
    desk->head = (uint32_t)(uintptr_t)room->head.data;
    desk->head_len = (uint32_t)room->head.len;
    if (room->handle) {
        struct tk_progress progress;
        tk_get_progress(room->handle, &progress);
        desk->bytes_in = (double)progress.bytes_in;
        desk->events = (double)progress.events;
        desk->bytes_out = (double)progress.bytes_out;
        desk->wanted = tk_wanted_input(room->handle);
    }
    return room->output.failed || room->head.failed ? TK_NO_MEMORY : (int32_t)status;
}

struct room *tkw_open(void);
void tkw_close(struct room *room);

// NULL: no memory.
struct room *tkw_open(void) {
    struct room *room = calloc(1, sizeof *room);
    if (!room) return NULL;
    room->desk.input = (uint32_t)(uintptr_t)room->input;
    room->desk.input_len = INPUT_LEN;
    return room;
}

void tkw_close(struct room *room) {
    if (!room) return;
    tk_free(room->handle);
    free(room->output.data);
    free(room->head.data);
    free(room->probes.data);
    free(room);
}

// ---- Formats, report, errors ---------------------------------------------------------------------------------------

static void put_options(struct bytes *to, const struct tk_option_info *options, size_t count) {
    put_text(to, "[");
    for (size_t i = 0; i < count; i++) {
        put_key_string(to, i ? ",{\"key\":" : "{\"key\":", options[i].key);
        put_key_string(to, ",\"label\":", options[i].label);
        put_key_string(to, ",\"help\":", options[i].help);
        put_key_string(to, ",\"choices\":", options[i].choices); // "a|b|c": split by the host
        put_key_string(to, ",\"fallback\":", options[i].fallback);
        put_text(to, "}");
    }
    put_text(to, "]");
}

static void put_formats(struct bytes *to) {
    size_t common_count;
    const struct tk_option_info *common = tk_common_options(&common_count);
    put_text(to, "{\"common\":");
    put_options(to, common, common_count);
    put_text(to, ",\"formats\":[");
    for (size_t i = 0; i < tk_format_count(); i++) {
        const struct tk_format_info *format = tk_format_at(i);
        put_key_string(to, i ? ",{\"name\":" : "{\"name\":", format->name);
        put_key_string(to, ",\"title\":", format->title);
        put_text(to, ",\"options\":");
        put_options(to, format->options, format->option_count);
        put_text(to, "}");
    }
    put_text(to, "]}");
}

static bool write_text(void *ctx, const char *text, size_t len) {
    return put(ctx, text, len);
}

enum { TEXT_VERSION, TEXT_FORMATS, TEXT_REPORT_JSON, TEXT_REPORT, TEXT_ERROR, TEXT_STATUS };
int32_t tkw_text(struct room *room, uint32_t what, uint32_t status);

// TEXT_REPORT, TEXT_ERROR and TEXT_VERSION are plain text; TEXT_STATUS is the sentence for `status`.
int32_t tkw_text(struct room *room, uint32_t what, uint32_t status) {
    begin(room);
    tk_status result = TK_OK;
    if (what == TEXT_VERSION) put_text(&room->output, TK_VERSION);
    else if (what == TEXT_FORMATS) put_formats(&room->output);
    else if (what == TEXT_STATUS) put_text(&room->output, tk_status_text((tk_status)status));
    else if (!room->handle) result = TK_MISUSE;
    else if (what == TEXT_REPORT_JSON) result = tk_report_json(room->handle, write_text, &room->output);
    else if (what == TEXT_REPORT) result = tk_report_text(room->handle, write_text, &room->output);
    else put_text(&room->output, tk_error_text(room->handle));
    return end(room, result);
}

// ---- Recognising -----------------------------------------------------------------------------------------------------

static const char *title_of(const char *name) {
    for (size_t i = 0; name && i < tk_format_count(); i++) {
        if (strcmp(tk_format_at(i)->name, name) == 0) return tk_format_at(i)->title;
    }
    return "";
}

static void put_probe(struct bytes *to, const struct tk_probe *probe) {
    put_key_string(to, "{\"format\":", probe->format);
    put_key_string(to, ",\"title\":", title_of(probe->format));
    put_key_number(to, ",\"confidence\":", probe->confidence);
    put_key_string(to, ",\"mode\":", probe->mode);
    put_key_string(to, ",\"reason\":", probe->reason);
    put_key_number(to, ",\"frames\":", probe->frames);
    put_key_number(to, ",\"valid\":", probe->valid);
    put_key_number(to, ",\"textBytes\":", probe->text_bytes);
    put_key_bool(to, ",\"namesTick\":", probe->names_tick);
    put_key_number(to, ",\"tickNs\":\"", probe->tick_ns);
    put_key_bool(to, "\",\"hasEvents\":", probe->has_events);
    put_text(to, ",\"cores\":[");
    const char *comma = "";
    for (uint32_t core = 0; core < 32; core++) {
        if (!(probe->cores_mask >> core & 1)) continue;
        put_key_number(to, comma, core);
        comma = ",";
    }
    put_text(to, "]}");
}

int32_t tkw_probe(struct room *room, uint32_t head_len, uint32_t tail_len, uint32_t first);
int32_t tkw_group(struct room *room, uint32_t len);

// The input block holds the head and then the tail. first: forget the probes kept for tkw_group.
int32_t tkw_probe(struct room *room, uint32_t head_len, uint32_t tail_len, uint32_t first) {
    begin(room);
    if (head_len > INPUT_LEN || tail_len > INPUT_LEN - head_len) return end(room, TK_MISUSE);
    if (first) room->probes.len = 0;
    struct tk_probe probe;
    tk_probe(room->input, head_len, tail_len ? room->input + head_len : NULL, tail_len, &probe);
    put_probe(&room->output, &probe);
    bool kept = put(&room->probes, &probe, sizeof probe);
    return end(room, kept ? TK_OK : TK_NO_MEMORY);
}

// Names (each ended by a zero) and cores as the host sent them: one per probe, in their order.
static bool read_group(struct room *room, uint32_t len, struct tk_group_file *files, size_t count) {
    const struct tk_probe *probes = (const struct tk_probe *)(const void *)room->probes.data;
    const uint8_t *at = room->input, *stop = room->input + len;
    for (size_t i = 0; i < count; i++) {
        const uint8_t *zero = stop > at + 4 ? memchr(at + 4, 0, (size_t)(stop - at - 4)) : NULL;
        if (!zero) return false;
        memcpy(&files[i].core, at, 4);
        files[i].name = (const char *)at + 4;
        files[i].probe = &probes[i];
        at = zero + 1;
    }
    return at == stop;
}

static void put_groups(struct bytes *to, const struct tk_group_file *files, size_t count) {
    put_text(to, "[");
    for (size_t i = 0; i < count; i++) {
        put_key_number(to, i ? ",{\"group\":" : "{\"group\":", files[i].out_group);
        put_text(to, ",\"core\":");
        put_number(to, files[i].out_core);
        put_key_string(to, ",\"reason\":", files[i].out_reason ? files[i].out_reason : "");
        put_text(to, "}");
    }
    put_text(to, "]");
}

// The input block holds, for each probe since the first: its core as 4 bytes, its name, a zero.
int32_t tkw_group(struct room *room, uint32_t len) {
    begin(room);
    size_t count = room->probes.len / sizeof(struct tk_probe);
    struct tk_group_file *files = calloc(count ? count : 1, sizeof *files);
    if (!files) return end(room, TK_NO_MEMORY);
    bool well_formed = len <= INPUT_LEN && read_group(room, len, files, count);
    if (well_formed) {
        tk_group(files, count);
        put_groups(&room->output, files, count);
    }
    free(files);
    return end(room, well_formed ? TK_OK : TK_MISUSE);
}

// ---- Text armor ------------------------------------------------------------------------------------------------------
// Output of tkw_armor_feed: records of {u32 kind, u32 block, u32 len} and len bytes. Kind 0: a block begins, the bytes
// are its core (4 bytes) and title; kind 1: decoded bytes; kind 2, last: the result as JSON.

enum { RECORD_BEGIN, RECORD_DATA, RECORD_RESULT, RECORD_HEAD_LEN = 12 };

static const char *const armor_kinds[] = {"binary", "hex", "base64", "json"};

static bool put_record(struct room *room, uint32_t kind, uint32_t block, const void *bytes, size_t len) {
    uint32_t head[3] = {kind, block, (uint32_t)len};
    room->record = room->output.len;
    room->record_open = kind == RECORD_DATA;
    room->record_block = block;
    return put(&room->output, head, sizeof head) && put(&room->output, bytes, len);
}

static bool armor_begin(void *ctx, uint32_t block, int32_t core, const char *title, size_t title_len) {
    struct room *room = ctx;
    if (!put_record(room, RECORD_BEGIN, block, &core, sizeof core) || !put(&room->output, title, title_len)) return false;
    uint32_t len = (uint32_t)(sizeof core + title_len);
    memcpy(room->output.data + room->record + 8, &len, sizeof len);
    return true;
}

static bool armor_data(void *ctx, uint32_t block, const uint8_t *bytes, size_t len) {
    struct room *room = ctx;
    if (!room->record_open || room->record_block != block) return put_record(room, RECORD_DATA, block, bytes, len);
    if (!put(&room->output, bytes, len)) return false;
    uint32_t total = (uint32_t)(room->output.len - room->record - RECORD_HEAD_LEN);
    memcpy(room->output.data + room->record + 8, &total, sizeof total);
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
    if (len > INPUT_LEN) return end(room, TK_MISUSE);
    struct tk_armor_probe probe;
    tk_armor_probe(room->input, len, &probe);
    put_key_string(&room->output, "{\"kind\":", armor_kinds[probe.kind]);
    put_key_string(&room->output, ",\"reason\":", probe.reason);
    put_text(&room->output, "}");
    return end(room, TK_OK);
}

// kind: index of armor_kinds. NULL: no memory or not a kind. The armor may not outlive the room.
tk_armor *tkw_armor_new(struct room *room, uint32_t kind) {
    tk_armor *armor = NULL;
    const struct tk_armor_sink sink = {room, armor_begin, armor_data};
    if (kind > TK_ARMOR_JSON || tk_armor_new(&heap, (tk_armor_kind)kind, &sink, &armor) != TK_OK) return NULL;
    return armor;
}

int32_t tkw_armor_feed(struct room *room, tk_armor *armor, uint32_t len) {
    begin(room);
    if (len > INPUT_LEN) return end(room, TK_MISUSE);
    return end(room, tk_armor_feed(armor, room->input, len));
}

int32_t tkw_armor_finish(struct room *room, tk_armor *armor) {
    begin(room);
    struct tk_armor_result result = {0};
    tk_status status = tk_armor_finish(armor, &result);
    struct bytes *to = &room->output;
    put_record(room, RECORD_RESULT, 0, "", 0);
    put_key_number(to, "{\"blocks\":", result.blocks);
    put_key_number(to, ",\"bytes\":", result.bytes);
    put_key_number(to, ",\"ignored\":", result.ignored);
    put_key_number(to, ",\"bad\":", result.bad);
    put_key_number(to, ",\"badLine\":", result.bad_line);
    put_key_number(to, ",\"badColumn\":", result.bad_column);
    put_key_string(to, ",\"badText\":", result.bad_text);
    put_key_string(to, ",\"mode\":", result.mode);
    put_text(to, "}");
    if (!to->failed) {
        uint32_t len = (uint32_t)(to->len - room->record - RECORD_HEAD_LEN);
        memcpy(to->data + room->record + 8, &len, sizeof len);
    }
    return end(room, status);
}

double tkw_armor_line(const tk_armor *armor, uint32_t block, double offset) {
    return (double)tk_armor_line(armor, block, (uint64_t)offset);
}

void tkw_armor_free(tk_armor *armor) {
    tk_armor_free(armor);
}

// ---- Conversion ------------------------------------------------------------------------------------------------------

static bool write_trace(void *ctx, const uint8_t *bytes, size_t len) {
    struct room *room = ctx;
    return put(&room->output, bytes, len);
}

static bool rewrite_head(void *ctx, const uint8_t *bytes, size_t len) {
    struct room *room = ctx;
    room->head.len = 0;
    return put(&room->head, bytes, len);
}

static bool write_line(void *ctx, const char *line, size_t len) {
    struct room *room = ctx;
    return put(&room->output, line, len) && put(&room->output, "\n", 1);
}

int32_t tkw_new(struct room *room, int32_t dump, uint32_t json);
int32_t tkw_set_option(struct room *room, uint32_t key_len, uint32_t value_len);
int32_t tkw_add_input(struct room *room, uint32_t name_len, uint32_t role, int32_t core);
int32_t tkw_feed(struct room *room, uint32_t input, uint32_t begin_at, uint32_t end_at);
int32_t tkw_end_input(struct room *room, uint32_t input);
int32_t tkw_finish(struct room *room);

// Begins a conversion and ends the one before. dump: a tk_dump_stage, its lines are the output; -1: the trace is.
int32_t tkw_new(struct room *room, int32_t dump, uint32_t json) {
    begin(room);
    tk_free(room->handle);
    room->handle = NULL;
    room->head.len = 0;
    tk_status status = tk_new(&heap, &room->handle);
    if (status != TK_OK) return end(room, status);
    const struct tk_sink sink = {room, write_trace, rewrite_head};
    if (dump < 0) status = tk_set_sink(room->handle, &sink);
    else status = tk_set_dump(room->handle, (tk_dump_stage)dump, json != 0, write_line, room);
    return end(room, status);
}

// The input block holds key, zero, value, zero; the lengths count without the zeros.
int32_t tkw_set_option(struct room *room, uint32_t key_len, uint32_t value_len) {
    begin(room);
    if (!room->handle || key_len > INPUT_LEN / 4 || value_len > INPUT_LEN / 4) return end(room, TK_MISUSE);
    room->input[key_len] = 0;
    room->input[key_len + 1 + value_len] = 0;
    return end(room, tk_set_option(room->handle, (const char *)room->input, (const char *)room->input + key_len + 1));
}

// The input block holds the name. Inputs are numbered from 0 in the order of these calls.
int32_t tkw_add_input(struct room *room, uint32_t name_len, uint32_t role, int32_t core) {
    begin(room);
    if (!room->handle || name_len >= INPUT_LEN) return end(room, TK_MISUSE);
    room->input[name_len] = 0;
    const struct tk_input_info info = {(const char *)room->input, role ? TK_SIDE : TK_RECORDING, core};
    uint32_t number;
    return end(room, tk_add_input(room->handle, &info, &number));
}

// Feeds a part of the input block; desk.consumed says how much was taken. The rest stays there for another call.
int32_t tkw_feed(struct room *room, uint32_t input, uint32_t begin_at, uint32_t end_at) {
    begin(room);
    room->desk.consumed = 0;
    if (!room->handle || end_at > INPUT_LEN || begin_at > end_at) return end(room, TK_MISUSE);
    size_t consumed = 0;
    tk_status status = tk_feed(room->handle, input, room->input + begin_at, end_at - begin_at, &consumed);
    room->desk.consumed = (uint32_t)consumed;
    return end(room, status);
}

int32_t tkw_end_input(struct room *room, uint32_t input) {
    begin(room);
    return end(room, room->handle ? tk_end_input(room->handle, input) : TK_MISUSE);
}

int32_t tkw_finish(struct room *room) {
    begin(room);
    return end(room, room->handle ? tk_finish(room->handle) : TK_MISUSE);
}
