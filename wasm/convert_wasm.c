// SPDX-License-Identifier: MIT
//
// Converting for a WebAssembly host.
#include "io.h"

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

static int32_t end(struct tkw_instance *instance, tk_status status) {
    struct tkw_io *io = &instance->io;
    if (instance->handle) {
        struct tk_progress progress;
        tk_get_progress(instance->handle, &progress);
        tell(io, &progress);
        io->wanted = tk_wanted_input(instance->handle);
    }
    return tkw_end(instance, status);
}

static bool write_trace(void *ctx, const uint8_t *bytes, size_t len) {
    struct tkw_instance *instance = ctx;
    return tkw_put(&instance->output, bytes, len);
}

static bool rewrite_head(void *ctx, const uint8_t *bytes, size_t len) {
    struct tkw_instance *instance = ctx;
    instance->head.len = 0;
    return tkw_put(&instance->head, bytes, len);
}

int32_t tkw_new(struct tkw_instance *instance, uint32_t has_trace);
int32_t tkw_set_option(struct tkw_instance *instance, uint32_t key_len, uint32_t value_len);
int32_t tkw_add_input(struct tkw_instance *instance, uint32_t name_len, uint32_t role, int32_t core, double from);
int32_t tkw_feed(struct tkw_instance *instance, uint32_t input, uint32_t begin_at, uint32_t end_at);
int32_t tkw_wanted_range(struct tkw_instance *instance, uint32_t input, double size);
int32_t tkw_feed_range(struct tkw_instance *instance, uint32_t input, uint32_t len);
int32_t tkw_end_input(struct tkw_instance *instance, uint32_t input);
int32_t tkw_finish(struct tkw_instance *instance);
int32_t tkw_report(struct tkw_instance *instance, uint32_t what);
int32_t tkw_snapshot(struct tkw_instance *instance);
int32_t tkw_dump(struct tkw_instance *instance, uint32_t stage, uint32_t json);
int32_t tkw_dump_only(struct tkw_instance *instance, uint32_t key_len, uint32_t value_len);
int32_t tkw_samples(struct tkw_instance *instance, uint32_t path_len);
int32_t tkw_end_samples(struct tkw_instance *instance);

// Begins a conversion and ends the one before. has_trace: its output is the trace; else that of tkw_dump or
// tkw_samples.
int32_t tkw_new(struct tkw_instance *instance, uint32_t has_trace) {
    tkw_begin(instance);
    tk_free(instance->handle);
    instance->handle = NULL;
    tkw_bytes_clear(&instance->head);
    tk_status status = tk_new(&tkw_heap, &instance->handle);
    const struct tk_sink sink = { instance, write_trace, rewrite_head };
    if (status == TK_OK && has_trace) status = tk_set_sink(instance->handle, &sink);
    return end(instance, status);
}

typedef tk_status (*pair_call)(tk *handle, const char *key, const char *value);

// The input block holds key, zero, value, zero; the lengths count without the zeros.
static int32_t pass_pair(struct tkw_instance *instance, uint32_t key_len, uint32_t value_len, pair_call call) {
    tkw_begin(instance);
    if (!instance->handle || key_len > TKW_INPUT_LEN / 4 || value_len > TKW_INPUT_LEN / 4)
        return end(instance, TK_MISUSE);
    instance->input[key_len] = 0;
    instance->input[key_len + 1 + value_len] = 0;
    const char *key = (const char *)instance->input;
    return end(instance, call(instance->handle, key, key + key_len + 1));
}

int32_t tkw_set_option(struct tkw_instance *instance, uint32_t key_len, uint32_t value_len) {
    return pass_pair(instance, key_len, value_len, tk_set_option);
}

// The input block holds the name; from: of its probe, -1: none. Inputs are numbered from 0 in the order of these calls.
int32_t tkw_add_input(struct tkw_instance *instance, uint32_t name_len, uint32_t role, int32_t core, double from) {
    tkw_begin(instance);
    if (!instance->handle || name_len >= TKW_INPUT_LEN) return end(instance, TK_MISUSE);
    instance->input[name_len] = 0;
    const struct tk_input_info info = { (const char *)instance->input, (tk_role)role, core };
    uint32_t number;
    tk_status status = tk_add_input(instance->handle, &info, &number);
    if (status == TK_OK && from >= 0) status = tk_begin_input_at(instance->handle, number, (uint64_t)from);
    return end(instance, status);
}

// Feeds a part of the input block; io.consumed says how much was taken. The rest stays there for another call.
int32_t tkw_feed(struct tkw_instance *instance, uint32_t input, uint32_t begin_at, uint32_t end_at) {
    tkw_begin(instance);
    instance->io.consumed = 0;
    if (!instance->handle || end_at > TKW_INPUT_LEN || begin_at > end_at) return end(instance, TK_MISUSE);
    size_t consumed = 0;
    tk_status status = tk_feed(instance->handle, input, instance->input + begin_at, end_at - begin_at, &consumed);
    instance->io.consumed = (uint32_t)consumed;
    return end(instance, status);
}

// The range of a file of symbols that is needed next: {"offset":0,"length":64}; nothing: no more.
int32_t tkw_wanted_range(struct tkw_instance *instance, uint32_t input, double size) {
    tkw_begin(instance);
    uint64_t offset;
    size_t len;
    if (!instance->handle) return end(instance, TK_MISUSE);
    if (tk_wanted_range(instance->handle, input, (uint64_t)size, &offset, &len)) {
        tkw_put_key_number(&instance->output, "{\"offset\":", offset);
        tkw_put_key_number(&instance->output, ",\"length\":", len);
        tkw_put_text(&instance->output, "}");
    }
    return end(instance, TK_OK);
}

// The input block holds it.
int32_t tkw_feed_range(struct tkw_instance *instance, uint32_t input, uint32_t len) {
    tkw_begin(instance);
    return end(instance, instance->handle && len <= TKW_INPUT_LEN
                             ? tk_feed_range(instance->handle, input, instance->input, len)
                             : TK_MISUSE);
}

int32_t tkw_end_input(struct tkw_instance *instance, uint32_t input) {
    tkw_begin(instance);
    return end(instance, instance->handle ? tk_end_input(instance->handle, input) : TK_MISUSE);
}

int32_t tkw_finish(struct tkw_instance *instance) {
    tkw_begin(instance);
    return end(instance, instance->handle ? tk_finish(instance->handle) : TK_MISUSE);
}

static bool write_text(void *ctx, const char *text, size_t len) { return tkw_put(ctx, text, len); }

int32_t tkw_report(struct tkw_instance *instance, uint32_t what) {
    tkw_begin(instance);
    tk_status result = TK_OK;
    if (!instance->handle) result = TK_MISUSE;
    else if (what == TKW_REPORT_JSON) result = tk_report_json(instance->handle, write_text, &instance->output);
    else tkw_put_text(&instance->output, tk_error_text(instance->handle));
    return end(instance, result);
}

// The output makes a trace of what was written so far, and the head replaces the first bytes of it.
int32_t tkw_snapshot(struct tkw_instance *instance) {
    tkw_begin(instance);
    tkw_bytes_clear(&instance->head);
    const struct tk_sink sink = { instance, write_trace, rewrite_head };
    return end(instance, instance->handle ? tk_snapshot(instance->handle, &sink) : TK_MISUSE);
}

// ---- What is written instead of a trace

static bool write_line(void *ctx, const char *line, size_t len) {
    return write_text(ctx, line, len) && write_text(ctx, "\n", 1);
}

// After tkw_new without a trace: the lines of a tk_dump_stage are the output.
int32_t tkw_dump(struct tkw_instance *instance, uint32_t stage, uint32_t json) {
    tkw_begin(instance);
    if (!instance->handle) return end(instance, TK_MISUSE);
    return end(instance, tk_set_dump(instance->handle, (tk_dump_stage)stage, json != 0, write_line, &instance->output));
}

// The input block holds key and value as for tkw_set_option.
int32_t tkw_dump_only(struct tkw_instance *instance, uint32_t key_len, uint32_t value_len) {
    return pass_pair(instance, key_len, value_len, tk_dump_only);
}

// After tkw_new without a trace: the input block holds the path of the signal whose samples are the output.
int32_t tkw_samples(struct tkw_instance *instance, uint32_t path_len) {
    tkw_begin(instance);
    if (!instance->handle || path_len > TKW_INPUT_LEN / 4) return end(instance, TK_MISUSE);
    instance->input[path_len] = 0;
    return end(instance,
               tk_set_samples(instance->handle, (const char *)instance->input, write_text, &instance->output));
}

// After tkw_finish: the last of them. TK_MISUSE: tkw_report tells why there are none.
int32_t tkw_end_samples(struct tkw_instance *instance) {
    tkw_begin(instance);
    return end(instance, instance->handle ? tk_end_samples(instance->handle) : TK_MISUSE);
}
