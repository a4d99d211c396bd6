// SPDX-License-Identifier: MIT
//
// Functions of timeline.wasm, the store and the painter of the page's timeline (core/viewer).
// web/src/timeline/engine.ts calls them. Results that are not a number are in `results`, as 64-bit words.
#ifndef TKT_TIMELINE_H
#define TKT_TIMELINE_H

#include <stdbool.h>
#include <stdint.h>

enum { TKT_RESULTS = 6 * 512 };

// limit: bytes for points and sums. Returns the address of the results.
uint64_t *tkt_open(uint32_t limit);
// Returns room for `len` bytes, the argument of tkt_add, tkt_find and tkt_figures; NULL when out of memory.
uint8_t *tkt_room(uint32_t len);
bool tkt_add(uint32_t len);
// Writes: first and last ticks, tick in ns, lost events, points, rows, version, damaged blocks, dropped (1: the oldest
// points were dropped), bytes of memory, final (1).
void tkt_facts(void);
// Returns the numbers of rows, tracks and tasks, and of each row: kind, owner, depth, is it constant, has it points; of
// each track: track, parent, kind, pid, rank, is it ordered, purpose, core + 1, name, unit; of each task: pid, is it
// idle, name. A text is its address and length. NULL when out of memory.
uint32_t *tkt_rows(void);
// Returns address and length of the text of a value.
uint32_t *tkt_name(uint64_t value);

void tkt_window(uint64_t from, double offset, double ticks_per_pixel, uint32_t width);
// Returns an empty picture, as wide as the window; NULL when out of memory.
uint32_t *tkt_picture(uint32_t height, uint32_t scale, bool is_dark);
// Returns false if points that were dropped would show more.
bool tkt_strip(uint32_t row, uint32_t y, uint32_t height);
// Writes x, width (doubles), begin, end, value and place of each label. Returns their number.
uint32_t tkt_labels(uint32_t row, double least);
uint32_t tkt_colour(uint32_t row, uint64_t value, bool is_dark);
// which: enum tk_legend.
uint32_t tkt_legend(uint32_t which, bool is_dark);

// Write begin, end, value, place, is_double, is_open and woken of an item.
bool tkt_item(uint32_t row, uint64_t place);
bool tkt_at(uint32_t row, uint64_t from, uint64_t to);
bool tkt_next(uint32_t row, uint64_t place, uint64_t value);
bool tkt_previous(uint32_t row, uint64_t place, uint64_t value);
bool tkt_from(uint32_t row, uint64_t ticks, uint64_t value);
bool tkt_longest(uint32_t row, uint64_t value);
// Writes count, total, whole, whole_total, min, p50, p95, p99, max, unmeasured of the rows whose numbers (uint32_t) are
// in the room.
bool tkt_figures(uint32_t row_count, uint64_t value, uint64_t from, uint64_t to);
// Writes the different values of a row in an interval. Returns their number.
uint32_t tkt_values(uint32_t row, uint64_t from, uint64_t to);
// Write row, value, begin and place of each hit, and return their number: the other ends of the flows of an item; the
// places of the text in the room.
uint32_t tkt_flows(uint32_t row, uint64_t place);
uint32_t tkt_find(uint32_t len);

#endif
