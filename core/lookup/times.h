// SPDX-License-Identifier: MIT
//
// Receive times of the bytes of a recording: from the host while it feeds, or from a file with one line per moment:
//
//   # cortexm-times 1
//   0 0
//   10 22453                the byte at offset 10, 22453 ns after the first one
//
// Times between two moments are interpolated. Above TK_TIMES_MAX moments every second one is dropped.
#ifndef TK_LOOKUP_TIMES_H
#define TK_LOOKUP_TIMES_H

#include "../base/alloc.h"

enum { TK_TIMES_MAX = 1 << 18, TK_TIMES_LINE = 64 };

struct tk_reception_time {
    uint64_t offset, ns;
};

// Zero-initialised: no times.
struct tk_times {
    struct tk_reception_time *entries; // offsets ascend
    uint32_t count, capacity;
    uint32_t at;              // index of the last moment at or before the last look-up
    uint64_t refused;         // number of moments that do not continue the one before, and of invalid lines
    char line[TK_TIMES_LINE]; // current line of a file
    uint32_t line_len;
    bool line_too_long;
};

// Returns true for a text of moments.
bool tk_times_is_text(const uint8_t *head, size_t len);
// tk_times_read takes the next piece of such a text, cut anywhere; tk_times_end ends it.
void tk_times_read(struct tk_times *times, struct tk_alloc *alloc, const uint8_t *bytes, size_t len);
void tk_times_end(struct tk_times *times, struct tk_alloc *alloc);
// Adds a moment: the byte at `offset` was received at `ns`. Counts and drops a moment that does not ascend.
void tk_times_add(struct tk_times *times, struct tk_alloc *alloc, uint64_t offset, uint64_t ns);
// Returns the receive time of a byte in ns. Offsets must not descend from call to call. Requires at least one moment.
uint64_t tk_times_of(struct tk_times *times, uint64_t offset);

#endif
