// SPDX-License-Identifier: MIT
#include "lines.h"

static bool run_extends(struct tk_line_run *run, uint32_t block, uint64_t offset, uint64_t line) {
    if (run->block != block || run->count == UINT32_MAX) return false;
    if (line != run->line + run->count) return false;
    if (run->count == 1) run->step = offset - run->offset;
    if (!run->step || offset != run->offset + run->step * run->count) return false;
    run->count++;
    return true;
}

static bool is_last_line(const struct tk_line_run *run, uint32_t block, uint64_t line) {
    return run->block == block && line == run->line + run->count - 1;
}

// Removes the last line if it contained no byte, so that the next one replaces it.
static void drop_empty_line(struct tk_lines *lines, uint32_t block, uint64_t offset) {
    struct tk_line_run *run = &lines->runs[lines->count - 1];
    if (run->block != block || run->offset + run->step * (run->count - 1) != offset) return;
    if (run->count == 1) lines->count--;
    else run->count--;
}

static void drop_old_times(struct tk_lines *lines) {
    for (uint32_t i = 2; i < lines->count; i += 2) lines->runs[i / 2] = lines->runs[i];
    lines->count = (lines->count + 1) / 2;
}

void tk_lines_add(struct tk_lines *lines, struct tk_alloc *alloc, uint32_t block, uint64_t offset, uint64_t line) {
    if (lines->count && is_last_line(&lines->runs[lines->count - 1], block, line)) return;
    if (lines->count) drop_empty_line(lines, block, offset);
    if (lines->count && run_extends(&lines->runs[lines->count - 1], block, offset, line)) return;
    if (lines->count == TK_MAX_LINE_RUNS) drop_old_times(lines);
    if (!tk_alloc_grow(alloc, (void **)&lines->runs, &lines->capacity, lines->count + 1, sizeof *lines->runs)) return;
    lines->runs[lines->count++] = (struct tk_line_run){ .offset = offset, .line = line, .block = block, .count = 1 };
}

static bool run_begins_after(const struct tk_line_run *run, uint32_t block, uint64_t offset) {
    return run->block > block || (run->block == block && run->offset > offset);
}

uint64_t tk_lines_find(const struct tk_lines *lines, uint32_t block, uint64_t offset) {
    uint32_t low = 0, high = lines->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (run_begins_after(&lines->runs[middle], block, offset)) high = middle;
        else low = middle + 1;
    }
    if (!low || lines->runs[low - 1].block != block) return 0;
    const struct tk_line_run *run = &lines->runs[low - 1];
    uint64_t below = run->step ? (offset - run->offset) / run->step : 0;
    return run->line + (below < run->count ? below : run->count - 1);
}

void tk_lines_deinit(struct tk_lines *lines, struct tk_alloc *alloc) {
    tk_alloc_free(alloc, lines->runs, lines->capacity * sizeof *lines->runs);
    *lines = (struct tk_lines){ 0 };
}
