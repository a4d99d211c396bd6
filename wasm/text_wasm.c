// SPDX-License-Identifier: MIT
//
// Text and archives for a WebAssembly host.
#include "io.h"

#include <string.h>

static void begin(struct tkw_instance *instance) {
    tkw_begin(instance);
    instance->record_open = false;
}

// Output of tkw_encoding_feed: records of {u32 kind, u32 block, u32 len} and len bytes. Kind 0: a block begins, the
// bytes are its core (4 bytes) and title; kind 1: decoded bytes; kind 2, last: the result as JSON.

enum { RECORD_BEGIN, RECORD_DATA, RECORD_RESULT, RECORD_HEAD_LEN = 12 };

static const char *const encoding_kinds[] = { "binary", "hex", "base64", "json" };

static bool put_record(struct tkw_instance *instance, uint32_t kind, uint32_t block, const void *bytes, size_t len) {
    uint32_t head[3] = { kind, block, (uint32_t)len };
    instance->record = instance->output.len;
    instance->record_open = kind == RECORD_DATA;
    instance->record_block = block;
    return tkw_put(&instance->output, head, sizeof head) && tkw_put(&instance->output, bytes, len);
}

static bool encoding_begin(void *ctx, uint32_t block, int32_t core, const char *title, size_t title_len) {
    struct tkw_instance *instance = ctx;
    if (!put_record(instance, RECORD_BEGIN, block, &core, sizeof core) || !tkw_put(&instance->output, title, title_len))
        return false;
    uint32_t len = (uint32_t)(sizeof core + title_len);
    memcpy(instance->output.data + instance->record + 8, &len, sizeof len);
    return true;
}

static bool encoding_data(void *ctx, uint32_t block, const uint8_t *bytes, size_t len) {
    struct tkw_instance *instance = ctx;
    if (!instance->record_open || instance->record_block != block)
        return put_record(instance, RECORD_DATA, block, bytes, len);
    if (!tkw_put(&instance->output, bytes, len)) return false;
    uint32_t total = (uint32_t)(instance->output.len - instance->record - RECORD_HEAD_LEN);
    memcpy(instance->output.data + instance->record + 8, &total, sizeof total);
    return true;
}

int32_t tkw_encoding_probe(struct tkw_instance *instance, uint32_t len);
tk_encoding *tkw_encoding_new(struct tkw_instance *instance, uint32_t kind);
int32_t tkw_encoding_feed(struct tkw_instance *instance, tk_encoding *decoder, uint32_t len);
int32_t tkw_encoding_finish(struct tkw_instance *instance, tk_encoding *decoder);
double tkw_encoding_line(const tk_encoding *decoder, uint32_t block, double offset);
void tkw_encoding_free(tk_encoding *decoder);

int32_t tkw_encoding_probe(struct tkw_instance *instance, uint32_t len) {
    begin(instance);
    if (len > TKW_INPUT_LEN) return tkw_end(instance, TK_MISUSE);
    struct tk_encoding_probe probe = { .kind = TK_ENCODING_BINARY, .reason = "text that is read as it is" };
    if (!tk_format_reads_text(instance->input, len)) tk_encoding_probe(instance->input, len, &probe);
    tkw_put_key_string(&instance->output, "{\"kind\":", encoding_kinds[probe.kind]);
    tkw_put_key_string(&instance->output, ",\"reason\":", probe.reason);
    tkw_put_text(&instance->output, "}");
    return tkw_end(instance, TK_OK);
}

// kind: index of encoding_kinds. NULL: no memory or not a kind. The decoder may not outlive the instance.
tk_encoding *tkw_encoding_new(struct tkw_instance *instance, uint32_t kind) {
    tk_encoding *decoder = NULL;
    const struct tk_encoding_sink sink = { instance, encoding_begin, encoding_data };
    if (kind > TK_ENCODING_JSON || tk_encoding_new(&tkw_heap, (tk_encoding_kind)kind, &sink, &decoder) != TK_OK)
        return NULL;
    return decoder;
}

int32_t tkw_encoding_feed(struct tkw_instance *instance, tk_encoding *decoder, uint32_t len) {
    begin(instance);
    if (len > TKW_INPUT_LEN) return tkw_end(instance, TK_MISUSE);
    return tkw_end(instance, tk_encoding_feed(decoder, instance->input, len));
}

int32_t tkw_encoding_finish(struct tkw_instance *instance, tk_encoding *decoder) {
    begin(instance);
    struct tk_encoding_result result = { 0 };
    tk_status status = tk_encoding_finish(decoder, &result);
    struct tkw_bytes *to = &instance->output;
    put_record(instance, RECORD_RESULT, 0, "", 0);
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
        uint32_t len = (uint32_t)(to->len - instance->record - RECORD_HEAD_LEN);
        memcpy(to->data + instance->record + 8, &len, sizeof len);
    }
    return tkw_end(instance, status);
}

double tkw_encoding_line(const tk_encoding *decoder, uint32_t block, double offset) {
    return (double)tk_encoding_line(decoder, block, (uint64_t)offset);
}

void tkw_encoding_free(tk_encoding *decoder) { tk_encoding_free(decoder); }

// ---- Archives

int32_t tkw_archive_probe(struct tkw_instance *instance, uint32_t len);
tk_archive *tkw_archive_new(struct tkw_instance *instance, uint32_t kind, double size);
int32_t tkw_archive_wanted(struct tkw_instance *instance, const tk_archive *archive);
int32_t tkw_archive_feed(struct tkw_instance *instance, tk_archive *archive, uint32_t len);
int32_t tkw_archive_list(struct tkw_instance *instance, const tk_archive *archive);
void tkw_archive_free(tk_archive *archive);

// A tk_archive_kind.
int32_t tkw_archive_probe(struct tkw_instance *instance, uint32_t len) {
    return len > TKW_INPUT_LEN ? TK_ARCHIVE_NONE : (int32_t)tk_archive_probe(instance->input, len);
}

// size below 0: unknown. NULL: no memory or not a kind.
tk_archive *tkw_archive_new(struct tkw_instance *instance, uint32_t kind, double size) {
    tk_archive *archive = NULL;
    (void)instance;
    if (tk_archive_new(&tkw_heap, (tk_archive_kind)kind, size < 0 ? UINT64_MAX : (uint64_t)size, &archive) != TK_OK)
        return NULL;
    return archive;
}

// {"offset":0,"length":512}, or nothing: all members are known.
int32_t tkw_archive_wanted(struct tkw_instance *instance, const tk_archive *archive) {
    uint64_t offset;
    size_t len;
    begin(instance);
    if (tk_archive_wanted(archive, &offset, &len)) {
        tkw_put_key_number(&instance->output, "{\"offset\":", offset);
        tkw_put_key_number(&instance->output, ",\"length\":", len);
        tkw_put_text(&instance->output, "}");
    }
    return tkw_end(instance, TK_OK);
}

int32_t tkw_archive_feed(struct tkw_instance *instance, tk_archive *archive, uint32_t len) {
    begin(instance);
    if (len > TKW_INPUT_LEN) return tkw_end(instance, TK_MISUSE);
    return tkw_end(instance, tk_archive_feed(archive, instance->input, len));
}

static void put_member(struct tkw_bytes *to, const struct tk_member *member, bool first) {
    tkw_put_key_string(to, first ? "{\"path\":" : ",{\"path\":", member->path);
    tkw_put_key_number(to, ",\"offset\":", member->offset);
    tkw_put_key_number(to, ",\"packed\":", member->packed);
    tkw_put_key_bool(to, ",\"deflated\":", member->state == TK_MEMBER_DEFLATED);
    tkw_put_key_string(to, ",\"reason\":", tk_member_reason(member->state));
    tkw_put_text(to, "}");
}

int32_t tkw_archive_list(struct tkw_instance *instance, const tk_archive *archive) {
    struct tk_member member;
    begin(instance);
    tkw_put_text(&instance->output, "{\"members\":[");
    for (uint32_t i = 0; tk_archive_member(archive, i, &member); i++) put_member(&instance->output, &member, i == 0);
    tkw_put_key_string(&instance->output, "],\"problem\":", tk_archive_problem(archive));
    tkw_put_text(&instance->output, "}");
    return tkw_end(instance, TK_OK);
}

void tkw_archive_free(tk_archive *archive) { tk_archive_free(archive); }
