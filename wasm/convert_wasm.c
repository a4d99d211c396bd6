// SPDX-License-Identifier: MIT
//
// Converting for a WebAssembly host.
#include "room.h"

static void begin(struct room *room) {
    tkw_begin(&room->at);
}

static int32_t end(struct room *room, tk_status status) {
    struct tkw_desk *desk = &room->at.desk;
    if (room->handle) {
        struct tk_progress progress;
        tk_get_progress(room->handle, &progress);
        desk->bytes_in = (double)progress.bytes_in;
        desk->events = (double)progress.events;
        desk->bytes_out = (double)progress.bytes_out;
        desk->wanted = tk_wanted_input(room->handle);
    }
    return tkw_end(&room->at, status);
}

static bool write_trace(void *ctx, const uint8_t *bytes, size_t len) {
    struct room *room = ctx;
    return tkw_put(&room->at.output, bytes, len);
}

static bool rewrite_head(void *ctx, const uint8_t *bytes, size_t len) {
    struct room *room = ctx;
    room->at.head.len = 0;
    return tkw_put(&room->at.head, bytes, len);
}

int32_t tkw_new(struct room *room, uint32_t has_trace);
int32_t tkw_set_option(struct room *room, uint32_t key_len, uint32_t value_len);
int32_t tkw_add_input(struct room *room, uint32_t name_len, uint32_t role, int32_t core, double from);
int32_t tkw_feed(struct room *room, uint32_t input, uint32_t begin_at, uint32_t end_at);
int32_t tkw_wanted_range(struct room *room, uint32_t input, double size);
int32_t tkw_feed_range(struct room *room, uint32_t input, uint32_t len);
int32_t tkw_end_input(struct room *room, uint32_t input);
int32_t tkw_finish(struct room *room);
int32_t tkw_report(struct room *room, uint32_t what);

// Begins a conversion and ends the one before. has_trace: its output is the trace; else what tkw_dump says.
int32_t tkw_new(struct room *room, uint32_t has_trace) {
    begin(room);
    tk_free(room->handle);
    room->handle = NULL;
    room->free_handle = tk_free;
    tkw_bytes_clear(&room->at.head);
    tk_status status = tk_new(&tkw_heap, &room->handle);
    const struct tk_sink sink = {room, write_trace, rewrite_head};
    if (status == TK_OK && has_trace) status = tk_set_sink(room->handle, &sink);
    return end(room, status);
}

// The input block holds key, zero, value, zero; the lengths count without the zeros.
int32_t tkw_set_option(struct room *room, uint32_t key_len, uint32_t value_len) {
    begin(room);
    if (!room->handle || key_len > TKW_INPUT_LEN / 4 || value_len > TKW_INPUT_LEN / 4) return end(room, TK_MISUSE);
    room->at.input[key_len] = 0;
    room->at.input[key_len + 1 + value_len] = 0;
    return end(room, tk_set_option(room->handle, (const char *)room->at.input, (const char *)room->at.input + key_len + 1));
}

// The input block holds the name; from: of its probe, -1: none. Inputs are numbered from 0 in the order of these calls.
int32_t tkw_add_input(struct room *room, uint32_t name_len, uint32_t role, int32_t core, double from) {
    begin(room);
    if (!room->handle || name_len >= TKW_INPUT_LEN) return end(room, TK_MISUSE);
    room->at.input[name_len] = 0;
    const struct tk_input_info info = {(const char *)room->at.input, (tk_role)role, core};
    uint32_t number;
    tk_status status = tk_add_input(room->handle, &info, &number);
    if (status == TK_OK && from >= 0) status = tk_begin_input_at(room->handle, number, (uint64_t)from);
    return end(room, status);
}

// Feeds a part of the input block; desk.consumed says how much was taken. The rest stays there for another call.
int32_t tkw_feed(struct room *room, uint32_t input, uint32_t begin_at, uint32_t end_at) {
    begin(room);
    room->at.desk.consumed = 0;
    if (!room->handle || end_at > TKW_INPUT_LEN || begin_at > end_at) return end(room, TK_MISUSE);
    size_t consumed = 0;
    tk_status status = tk_feed(room->handle, input, room->at.input + begin_at, end_at - begin_at, &consumed);
    room->at.desk.consumed = (uint32_t)consumed;
    return end(room, status);
}

// The range of a file of symbols that is needed next: {"offset":0,"length":64}; nothing: no more.
int32_t tkw_wanted_range(struct room *room, uint32_t input, double size) {
    begin(room);
    uint64_t offset;
    size_t len;
    if (!room->handle) return end(room, TK_MISUSE);
    if (tk_wanted_range(room->handle, input, (uint64_t)size, &offset, &len)) {
        tkw_put_key_number(&room->at.output, "{\"offset\":", offset);
        tkw_put_key_number(&room->at.output, ",\"length\":", len);
        tkw_put_text(&room->at.output, "}");
    }
    return end(room, TK_OK);
}

// The input block holds it.
int32_t tkw_feed_range(struct room *room, uint32_t input, uint32_t len) {
    begin(room);
    return end(room, room->handle && len <= TKW_INPUT_LEN ? tk_feed_range(room->handle, input, room->at.input, len) : TK_MISUSE);
}

int32_t tkw_end_input(struct room *room, uint32_t input) {
    begin(room);
    return end(room, room->handle ? tk_end_input(room->handle, input) : TK_MISUSE);
}

int32_t tkw_finish(struct room *room) {
    begin(room);
    return end(room, room->handle ? tk_finish(room->handle) : TK_MISUSE);
}

static bool write_text(void *ctx, const char *text, size_t len) {
    return tkw_put(ctx, text, len);
}

int32_t tkw_report(struct room *room, uint32_t what) {
    begin(room);
    tk_status result = TK_OK;
    if (!room->handle) result = TK_MISUSE;
    else if (what == TKW_REPORT_JSON) result = tk_report_json(room->handle, write_text, &room->at.output);
    else tkw_put_text(&room->at.output, tk_error_text(room->handle));
    return end(room, result);
}
