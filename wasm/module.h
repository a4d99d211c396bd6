// SPDX-License-Identifier: MIT
//
// What the module offers to module.ts besides tonkopf.h. structs.ts lists the same fields of these structs.
#ifndef TKW_MODULE_H
#define TKW_MODULE_H

#include "heap.h"
#include "tonkopf.h"

struct tkw_output {
    uint8_t *data;
    size_t len, cap;
};

struct tkw_module {
    uint8_t *arguments;
    size_t arguments_len;
    const struct tk_allocator *allocator;
    tk_write_fn write_text;     // its ctx: `text`
    const struct tk_sink *sink; // collects a trace in `trace`, and the bytes that replace its beginning in `head`
    struct tkw_output *trace, *head, *text; // the host sets `len` to 0 after it has copied the bytes
    const struct tk_sink *rows_sink;        // collects blocks of the timeline in `rows`
    struct tkw_output *rows;
    struct tkw_heap *heap;
    uint32_t program; // differs between builds whose memory may have another layout
};

const struct tkw_module *tkw_open(void);
// Frees the output buffers. Returns TK_OK if the state of a handle, or of the conversion that it belongs to, can be
// saved.
// The state is the heap: its blocks are restored to their old addresses, so that every pointer stays valid.
tk_status tkw_prepare_save(const tk *handle);

#endif
