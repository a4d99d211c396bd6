// SPDX-License-Identifier: MIT
//
// A WebAssembly host calls the functions of tonkopf.h directly: pointers are numbers, and it reads and writes structs
// in the memory of the module (module.ts, structs.ts). This file adds what a host cannot provide: memory for arguments,
// an allocator, callbacks that collect the output, and the state that can be saved. A module has one host.
#include "module.h"

#include "build_id.h"
#include "handle/handle.h"

#include <string.h>

// Room for the arguments of a call: 512 KiB of a recording, or a struct with its texts.
enum { ARGUMENTS_LEN = 520 * 1024 };

static uint8_t arguments[ARGUMENTS_LEN];
static struct tkw_output trace, head, text, rows;
static struct tkw_module module;

static bool grow(struct tkw_output *to, size_t len) {
    if (len > SIZE_MAX / 2 - to->len) return false;
    size_t cap = to->cap ? to->cap : 64 * 1024;
    while (cap - to->len < len) cap *= 2;
    uint8_t *grown = tkw_resize(NULL, to->data, to->cap, cap);
    if (!grown) return false;
    to->data = grown;
    to->cap = cap;
    return true;
}

static bool append(struct tkw_output *to, const void *bytes, size_t len) {
    if (len > to->cap - to->len && !grow(to, len)) return false;
    if (len) memcpy(to->data + to->len, bytes, len);
    to->len += len;
    return true;
}

static bool write_text(void *ctx, const char *bytes, size_t len) { return append(ctx, bytes, len); }

static bool write_trace(void *ctx, const uint8_t *bytes, size_t len) {
    (void)ctx;
    return append(&trace, bytes, len);
}

static bool write_rows(void *ctx, const uint8_t *bytes, size_t len) {
    (void)ctx;
    return append(&rows, bytes, len);
}

static bool rewrite_head(void *ctx, const uint8_t *bytes, size_t len) {
    (void)ctx;
    head.len = 0;
    return append(&head, bytes, len);
}

static void release(struct tkw_output *from) {
    tkw_resize(NULL, from->data, from->cap, 0);
    *from = (struct tkw_output){ 0 };
}

const struct tkw_module *tkw_open(void) {
    static const struct tk_allocator allocator = { tkw_resize, NULL };
    static const struct tk_sink sink = { NULL, write_trace, rewrite_head };
    static const struct tk_sink rows_sink = { NULL, write_rows, NULL };
    const uint64_t id = TK_BUILD_ID;
    tkw_heap_open();
    module = (struct tkw_module){ .arguments = arguments,
                                  .arguments_len = sizeof arguments,
                                  .allocator = &allocator,
                                  .write_text = write_text,
                                  .sink = &sink,
                                  .trace = &trace,
                                  .head = &head,
                                  .text = &text,
                                  .rows_sink = &rows_sink,
                                  .rows = &rows,
                                  .heap = &tkw_heap,
                                  .program = (uint32_t)(id ^ id >> 32) ^ (uint32_t)tkw_heap.first };
    return &module;
}

tk_status tkw_prepare_save(const tk *handle) {
    release(&trace);
    release(&head);
    release(&text);
    release(&rows);
    return handle ? tk_check_state((tk *)handle) : TK_MISUSE;
}
