// SPDX-License-Identifier: MIT
//
// One handle for a WebAssembly host that feeds a recording as it comes.
#include "io.h"

static bool write_trace(void *ctx, const uint8_t *bytes, size_t len) {
    struct tkw_instance *instance = ctx;
    return tkw_put(&instance->output, bytes, len);
}

static bool rewrite_head(void *ctx, const uint8_t *bytes, size_t len) {
    struct tkw_instance *instance = ctx;
    instance->head.len = 0;
    return tkw_put(&instance->head, bytes, len);
}

int32_t tkw_new(struct tkw_instance *instance);
int32_t tkw_set_option(struct tkw_instance *instance, uint32_t key_len, uint32_t value_len);
int32_t tkw_add_input(struct tkw_instance *instance, uint32_t name_len, uint32_t role, int32_t core, double from);
int32_t tkw_feed(struct tkw_instance *instance, uint32_t input, uint32_t begin_at, uint32_t end_at);
int32_t tkw_end_input(struct tkw_instance *instance, uint32_t input);
int32_t tkw_finish(struct tkw_instance *instance);
int32_t tkw_report(struct tkw_instance *instance, uint32_t what);
int32_t tkw_snapshot(struct tkw_instance *instance);

// Begins a handle and ends the one before.
int32_t tkw_new(struct tkw_instance *instance) {
    tkw_begin(instance);
    tk_free(instance->handle);
    instance->handle = NULL;
    tkw_bytes_clear(&instance->head);
    tk_status status = tk_new(&instance->memory.allocator, &instance->handle);
    const struct tk_sink sink = { instance, write_trace, rewrite_head };
    if (status == TK_OK) status = tk_set_sink(instance->handle, &sink);
    return tkw_end_counted(instance, status);
}

// The input block holds key, zero, value, zero; the lengths count without the zeros.
int32_t tkw_set_option(struct tkw_instance *instance, uint32_t key_len, uint32_t value_len) {
    tkw_begin(instance);
    const char *key, *value;
    if (!instance->handle || !tkw_take_pair(instance, key_len, value_len, &key, &value))
        return tkw_end_counted(instance, TK_MISUSE);
    return tkw_end_counted(instance, tk_set_option(instance->handle, key, value));
}

// The input block holds the name; from: of its probe, -1: none. Inputs are numbered from 0 in the order of these calls.
int32_t tkw_add_input(struct tkw_instance *instance, uint32_t name_len, uint32_t role, int32_t core, double from) {
    tkw_begin(instance);
    if (!instance->handle || name_len >= TKW_INPUT_LEN) return tkw_end_counted(instance, TK_MISUSE);
    instance->input[name_len] = 0;
    const struct tk_input_info info = { (const char *)instance->input, (tk_role)role, core };
    uint32_t number;
    tk_status status = tk_add_input(instance->handle, &info, &number);
    if (status == TK_OK && from >= 0) status = tk_begin_input_at(instance->handle, number, (uint64_t)from);
    return tkw_end_counted(instance, status);
}

// Feeds a part of the input block; io.consumed says how much was taken. The rest stays there for another call.
int32_t tkw_feed(struct tkw_instance *instance, uint32_t input, uint32_t begin_at, uint32_t end_at) {
    tkw_begin(instance);
    instance->io.consumed = 0;
    if (!instance->handle || end_at > TKW_INPUT_LEN || begin_at > end_at) return tkw_end_counted(instance, TK_MISUSE);
    size_t consumed = 0;
    tk_status status = tk_feed(instance->handle, input, instance->input + begin_at, end_at - begin_at, &consumed);
    instance->io.consumed = (uint32_t)consumed;
    return tkw_end_counted(instance, status);
}

int32_t tkw_end_input(struct tkw_instance *instance, uint32_t input) {
    tkw_begin(instance);
    return tkw_end_counted(instance, instance->handle ? tk_end_input(instance->handle, input) : TK_MISUSE);
}

int32_t tkw_finish(struct tkw_instance *instance) {
    tkw_begin(instance);
    return tkw_end_counted(instance, instance->handle ? tk_finish(instance->handle) : TK_MISUSE);
}

static bool write_text(void *ctx, const char *text, size_t len) { return tkw_put(ctx, text, len); }

// Of the open handle; the error of a conversion is about its settings.
int32_t tkw_report(struct tkw_instance *instance, uint32_t what) {
    tkw_begin(instance);
    const tk *handle = tkw_handle(instance);
    tk_status result = TK_OK;
    if (what == TKW_REPORT_JSON) result = handle ? tk_report_json(handle, write_text, &instance->output) : TK_MISUSE;
    else if (instance->conversion) tkw_put_text(&instance->output, tk_conversion_error(instance->conversion));
    else if (handle) tkw_put_text(&instance->output, tk_error_text(handle));
    return tkw_end_counted(instance, result);
}

// The output makes a trace of what was written so far, and the head replaces the first bytes of it.
int32_t tkw_snapshot(struct tkw_instance *instance) {
    tkw_begin(instance);
    tkw_bytes_clear(&instance->head);
    const struct tk_sink sink = { instance, write_trace, rewrite_head };
    return tkw_end_counted(instance, instance->handle ? tk_snapshot(instance->handle, &sink) : TK_MISUSE);
}
