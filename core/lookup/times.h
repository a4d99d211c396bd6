// SPDX-License-Identifier: MIT
//
// When which byte of a recording was received: told by the host while it feeds, or by a file beside the recording, a
// line per moment:
//
//   # cortexm-times 1
//   0 0
//   10 22453                the byte at offset 10, 22453 ns after the first one
//
// Between two moments the time rises evenly with the offset. Beyond TK_TIMES_MAX moments every second one is given up.
#ifndef TK_LOOKUP_TIMES_H
#define TK_LOOKUP_TIMES_H

#include "../base/alloc.h"

enum { TK_TIMES_MAX = 1 << 18, TK_TIMES_LINE = 64 };

struct tk_reception_time {
    uint64_t offset, ns;
};

// Zero-initialised: none.
struct tk_times {
    struct tk_reception_time *entries; // offsets rise
    uint32_t count, capacity;
    uint32_t at;              // the last one at or before what was asked for
    uint64_t refused;         // moments that did not go on from the one before, lines that were none
    char line[TK_TIMES_LINE]; // of a file, so far
    uint32_t line_len;
    bool line_too_long;
};

// A text of moments?
bool tk_times_is_text(const uint8_t *head, size_t len);
// The next piece of such a text, cut anywhere; its end.
void tk_times_read(struct tk_times *times, struct tk_alloc *alloc, const uint8_t *bytes, size_t len);
void tk_times_end(struct tk_times *times, struct tk_alloc *alloc);
// The byte at `offset` came at `ns`. What does not rise from the moment before is counted and left out.
void tk_times_add(struct tk_times *times, struct tk_alloc *alloc, uint64_t offset, uint64_t ns);
// Time of a byte; offsets that are asked for never fall. There is at least one moment.
uint64_t tk_times_of(struct tk_times *times, uint64_t offset);

#endif
