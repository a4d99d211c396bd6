// SPDX-License-Identifier: MIT
//
// The module for WebAssembly hosts: its instance, and how data crosses. All of it crosses in one io block: the host
// copies bytes into the input block, calls, reads its fields and takes the output block away before the next call. The
// host takes its views of the memory anew after every call, since the memory may have grown and moved. Texts that go
// out are JSON unless said otherwise; shapes in wasm/types.ts.
#ifndef TKW_IO_H
#define TKW_IO_H

#include "../core/base/alloc.h"
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
};

struct tkw_bytes {
    uint8_t *data;
    size_t len, cap;
    bool failed;
};

// The host's address of the io block is that of the instance.
struct tkw_instance {
    struct tkw_io io;
    uint8_t input[TKW_INPUT_LEN];
    struct tkw_bytes output, head;
    struct tkw_bytes probes;   // struct tk_probe each, since the first input
    tk *handle;                // the conversion; NULL: none was begun
    struct tk_alloc unpacking; // memory of the inflaters
    struct tkw_bytes json;     // of the next report, as far as it was fed
    size_t record;             // text: where the open record of the output begins
    bool record_open;
    uint32_t record_block;
};

// Of tkw_format_info and tkw_report. ERROR and VERSION are plain text.
enum tkw_format_info { TKW_VERSION, TKW_FORMATS };
enum tkw_report { TKW_REPORT_JSON, TKW_ERROR };

extern const struct tk_allocator tkw_heap;

void tkw_begin(struct tkw_instance *instance);
// Writes what a call made to the io block and gives the host its status.
int32_t tkw_end(struct tkw_instance *instance, tk_status status);

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
