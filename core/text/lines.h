// SPDX-License-Identifier: MIT
//
// Maps decoded bytes to lines of the text. Consecutive lines with the same number of bytes share one entry, so a
// regular dump needs one. When the table is full, every second entry is dropped; a look-up then returns the nearest
// earlier line in the table.
#ifndef TK_TEXT_LINES_H
#define TK_TEXT_LINES_H

#include "base/alloc.h"

enum { TK_MAX_LINE_RUNS = 32768 };

struct tk_line_run {
    uint64_t offset; // offset of the first byte in the first line
    uint64_t line;
    uint32_t block;
    uint32_t count; // number of lines
    uint64_t step;  // bytes per line, if count > 1
};

struct tk_lines {
    struct tk_line_run *runs;
    uint32_t count, capacity;
};

// Assigns the byte at `offset` of `block` and all later bytes to `line`, until the next call. Blocks, offsets in a
// block and lines must not descend.
void tk_lines_add(struct tk_lines *lines, struct tk_alloc *alloc, uint32_t block, uint64_t offset, uint64_t line);
uint64_t tk_lines_find(const struct tk_lines *lines, uint32_t block, uint64_t offset); // returns 0 if unknown
void tk_lines_deinit(struct tk_lines *lines, struct tk_alloc *alloc);

#endif
