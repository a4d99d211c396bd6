// SPDX-License-Identifier: MIT
//
// Converting for a WebAssembly host.
#include "instance.h"

static void begin(struct instance *instance) { tkw_begin(&instance->at); }

static void tell(struct tkw_io *io, const struct tk_progress *progress) {
    io->bytes_in = (double)progress->bytes_in;
    io->events = (double)progress->events;
    io->bytes_out = (double)progress->bytes_out;
    io->skipped_until_ticks = (double)progress->skipped_until_ticks;
    io->is_complete = progress->is_complete;
    io->states = (double)progress->left_out.states;
    io->slices = (double)progress->left_out.slices;
    io->instants = (double)progress->left_out.instants;
    io->values = (double)progress->left_out.values;
    io->arguments = (double)progress->left_out.arguments;
}

static int32_t end(struct instance *instance, tk_status status) {
    struct tkw_io *io = &instance->at.io;
    if (instance->handle) {
        struct tk_progress progress;
        tk_get_progress(instance->handle, &progress);
        tell(io, &progress);
        io->wanted = tk_wanted_input(instance->handle);
    }
    return tkw_end(&instance->at, status);
}

static bool write_trace(void *ctx, const uint8_t *bytes, size_t len) {
    struct instance *instance = ctx;
    return tkw_put(&instance->at.output, bytes, len);
}

static bool rewrite_head(void *ctx, const uint8_t *bytes, size_t len) {
    struct instance *instance = ctx;
    instance->at.head.len = 0;
    return tkw_put(&instance->at.head, bytes, len);
}

int32_t tkw_new(struct instance *instance, uint32_t has_trace);
int32_t tkw_set_option(struct instance *instance, uint32_t key_len, uint32_t value_len);
int32_t tkw_add_input(struct instance *instance, uint32_t name_len, uint32_t role, int32_t core, double from);
int32_t tkw_feed(struct instance *instance, uint32_t input, uint32_t begin_at, uint32_t end_at);
int32_t tkw_wanted_range(struct instance *instance, uint32_t input, double size);
int32_t tkw_feed_range(struct instance *instance, uint32_t input, uint32_t len);
int32_t tkw_end_input(struct instance *instance, uint32_t input);
int32_t tkw_finish(struct instance *instance);
int32_t tkw_report(struct instance *instance, uint32_t what);
int32_t tkw_snapshot(struct instance *instance);

// Begins a conversion and ends the one before. has_trace: its output is the trace; else what tkw_dump says.
int32_t tkw_new(struct instance *instance, uint32_t has_trace) {
    begin(instance);
    tk_free(instance->handle);
    instance->handle = NULL;
    instance->free_handle = tk_free;
    tkw_bytes_clear(&instance->at.head);
    tk_status status = tk_new(&tkw_heap, &instance->handle);
    const struct tk_sink sink = { instance, write_trace, rewrite_head };
    if (status == TK_OK && has_trace) status = tk_set_sink(instance->handle, &sink);
    return end(instance, status);
}

// The input block holds key, zero, value, zero; the lengths count without the zeros.
int32_t tkw_set_option(struct instance *instance, uint32_t key_len, uint32_t value_len) {
    begin(instance);
    if (!instance->handle || key_len > TKW_INPUT_LEN / 4 || value_len > TKW_INPUT_LEN / 4)
        return end(instance, TK_MISUSE);
    instance->at.input[key_len] = 0;
    instance->at.input[key_len + 1 + value_len] = 0;
    return end(instance, tk_set_option(instance->handle, (const char *)instance->at.input,
                                       (const char *)instance->at.input + key_len + 1));
}

// The input block holds the name; from: of its probe, -1: none. Inputs are numbered from 0 in the order of these calls.
int32_t tkw_add_input(struct instance *instance, uint32_t name_len, uint32_t role, int32_t core, double from) {
    begin(instance);
    if (!instance->handle || name_len >= TKW_INPUT_LEN) return end(instance, TK_MISUSE);
    instance->at.input[name_len] = 0;
    const struct tk_input_info info = { (const char *)instance->at.input, (tk_role)role, core };
    uint32_t number;
    tk_status status = tk_add_input(instance->handle, &info, &number);
    if (status == TK_OK && from >= 0) status = tk_begin_input_at(instance->handle, number, (uint64_t)from);
    return end(instance, status);
}

// Feeds a part of the input block; io.consumed says how much was taken. The rest stays there for another call.
int32_t tkw_feed(struct instance *instance, uint32_t input, uint32_t begin_at, uint32_t end_at) {
    begin(instance);
    instance->at.io.consumed = 0;
    if (!instance->handle || end_at > TKW_INPUT_LEN || begin_at > end_at) return end(instance, TK_MISUSE);
    size_t consumed = 0;
    tk_status status = tk_feed(instance->handle, input, instance->at.input + begin_at, end_at - begin_at, &consumed);
    instance->at.io.consumed = (uint32_t)consumed;
    return end(instance, status);
}

// The range of a file of symbols that is needed next: {"offset":0,"length":64}; nothing: no more.
int32_t tkw_wanted_range(struct instance *instance, uint32_t input, double size) {
    begin(instance);
    uint64_t offset;
    size_t len;
    if (!instance->handle) return end(instance, TK_MISUSE);
    if (tk_wanted_range(instance->handle, input, (uint64_t)size, &offset, &len)) {
        tkw_put_key_number(&instance->at.output, "{\"offset\":", offset);
        tkw_put_key_number(&instance->at.output, ",\"length\":", len);
        tkw_put_text(&instance->at.output, "}");
    }
    return end(instance, TK_OK);
}

// The input block holds it.
int32_t tkw_feed_range(struct instance *instance, uint32_t input, uint32_t len) {
    begin(instance);
    return end(instance, instance->handle && len <= TKW_INPUT_LEN
                             ? tk_feed_range(instance->handle, input, instance->at.input, len)
                             : TK_MISUSE);
}

int32_t tkw_end_input(struct instance *instance, uint32_t input) {
    begin(instance);
    return end(instance, instance->handle ? tk_end_input(instance->handle, input) : TK_MISUSE);
}

int32_t tkw_finish(struct instance *instance) {
    begin(instance);
    return end(instance, instance->handle ? tk_finish(instance->handle) : TK_MISUSE);
}

static bool write_text(void *ctx, const char *text, size_t len) { return tkw_put(ctx, text, len); }

int32_t tkw_report(struct instance *instance, uint32_t what) {
    begin(instance);
    tk_status result = TK_OK;
    if (!instance->handle) result = TK_MISUSE;
    else if (what == TKW_REPORT_JSON) result = tk_report_json(instance->handle, write_text, &instance->at.output);
    else tkw_put_text(&instance->at.output, tk_error_text(instance->handle));
    return end(instance, result);
}

// The output makes a trace of what was written so far, and the head replaces the first bytes of it.
int32_t tkw_snapshot(struct instance *instance) {
    begin(instance);
    tkw_bytes_clear(&instance->at.head);
    const struct tk_sink sink = { instance, write_trace, rewrite_head };
    return end(instance, instance->handle ? tk_snapshot(instance->handle, &sink) : TK_MISUSE);
}
