// SPDX-License-Identifier: MIT
//
// The module for WebAssembly hosts: its instance, and how data crosses. All of it crosses in one io block: the host
// copies bytes into the input block, calls, reads its fields and takes the output block away before the next call. The
// host takes its views of the memory anew after every call, since the memory may have grown and moved. Texts that go
// out are JSON unless said otherwise; shapes in wasm/types.ts.
#ifndef TKW_IO_H
#define TKW_IO_H

#include "../core/tonkopf.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TKW_INPUT_LEN = 512 * 1024 }; // fits the head and the tail of a probe, or one slice of a file

// What the host reads; the offsets are repeated in tonkopf.ts.
struct tkw_io {
    uint32_t input, input_len;   // address and size of the input block
    uint32_t output, output_len; // what the last call wrote
    uint32_t head, head_len;     // after tkw_finish: replaces the first bytes of the trace; 0: nothing to replace
    uint32_t consumed;           // by tkw_feed
    int32_t wanted;              // tk_wanted_input
    double bytes_in, events, bytes_out;
    // Of a trace that holds a part of the time, as in tk_progress:
    double skipped_until_ticks, is_complete;
    double states, slices, instants, values, arguments; // left out
    // Of tkw_conversion_next, as in struct tk_request; its bytes or text are the output:
    double offset;
    uint32_t request, source, len, severity, is_look;
};

struct tkw_bytes {
    uint8_t *data;
    size_t len, cap;
    bool failed;
};

// All blocks of it are known, so that the state of what uses it can be saved (image.c).
struct tkw_memory {
    struct tk_allocator allocator;
    struct tkw_block *blocks;
};

// The host's address of the io block is that of the instance.
struct tkw_instance {
    struct tkw_io io;
    uint8_t input[TKW_INPUT_LEN];
    struct tkw_bytes output, head;
    struct tkw_memory memory;  // of the two below
    tk *handle;                // of tkw_new; NULL: none was begun
    tk_conversion *conversion; // of tkw_conversion_new; NULL: none was begun
    struct tkw_bytes json;     // of the next report, as far as it was fed
};

// Of tkw_format_info and tkw_report. ERROR and VERSION are plain text.
enum tkw_format_info { TKW_VERSION, TKW_FORMATS };
enum tkw_report { TKW_REPORT_JSON, TKW_ERROR };

extern const struct tk_allocator tkw_heap;

// Key, zero, value and zero of the input block. False: they are too long.
bool tkw_take_pair(struct tkw_instance *instance, uint32_t key_len, uint32_t value_len, const char **out_key,
                   const char **out_value);
void tkw_memory_open(struct tkw_memory *memory);
// The open handle, of a conversion or by itself; NULL: none.
const tk *tkw_handle(const struct tkw_instance *instance);

void tkw_begin(struct tkw_instance *instance);
// Writes what a call made to the io block and gives the host its status.
int32_t tkw_end(struct tkw_instance *instance, tk_status status);
// As tkw_end, with the counts of the open handle.
int32_t tkw_end_counted(struct tkw_instance *instance, tk_status status);

// ---- A growing byte buffer, and JSON written into it

void tkw_bytes_free(struct tkw_bytes *bytes);
void tkw_bytes_clear(struct tkw_bytes *bytes);                    // empty, and able to take bytes again
bool tkw_put(struct tkw_bytes *to, const void *data, size_t len); // false: no memory, now or before
void tkw_put_text(struct tkw_bytes *to, const char *text);
void tkw_put_number(struct tkw_bytes *to, int64_t value);
// `key` with its quotes and the comma or brace before it: {"key":
void tkw_put_key_string(struct tkw_bytes *to, const char *key, const char *value);
void tkw_put_key_number(struct tkw_bytes *to, const char *key, uint64_t value);
void tkw_put_key_bool(struct tkw_bytes *to, const char *key, bool value);

#endif
