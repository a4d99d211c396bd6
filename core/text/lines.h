// SPDX-License-Identifier: MIT
//
// Which line of the text holds a decoded byte. Neighbouring lines with the same number of bytes share one entry,
// so a regular dump needs one; when the table is full every second entry is dropped and the answer becomes the
// nearest line above that is still known.
#ifndef TK_TEXT_LINES_H
#define TK_TEXT_LINES_H

#include "base/alloc.h"

enum { TK_MAX_LINE_RUNS = 32768 };

struct tk_line_run {
    uint64_t offset; // of the first byte that the first line holds
    uint64_t line;
    uint32_t block;
    uint32_t count; // lines
    uint64_t step;  // bytes per line, when count > 1
};

struct tk_lines {
    struct tk_line_run *runs;
    uint32_t count, capacity;
};

// The byte at `offset` of `block`, if there will be one, comes from `line`, and so do those after it until the next
// call. Blocks, offsets in a block and lines must not descend.
void tk_lines_add(struct tk_lines *lines, struct tk_alloc *alloc, uint32_t block, uint64_t offset, uint64_t line);
uint64_t tk_lines_find(const struct tk_lines *lines, uint32_t block, uint64_t offset); // 0: unknown
void tk_lines_deinit(struct tk_lines *lines, struct tk_alloc *alloc);

#endif
