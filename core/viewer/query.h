// SPDX-License-Identifier: MIT
//
// Questions about the rows of a store: items at a place, their neighbours, the longest one, figures of an interval,
// search by name. An item is a point with what it begins: up to the next point of the row. Points with the value 0 are
// no items, except numbers. Functions that return bool return false if there is no such item.
#ifndef TK_VIEWER_QUERY_H
#define TK_VIEWER_QUERY_H

#include "store.h"

struct tk_item {
    uint64_t begin, end; // in ticks; instants end where they begin
    uint64_t value;      // as in block.h; numbers: the whole number or the bits of the double
    uint64_t place;      // of its point in the row
    bool is_double;
    bool is_open;  // no point follows: it ends with the recording
    uint8_t woken; // TK_ROW_TASK: what made the task ready, TK_WOKEN_*
};

// A value of 0 in the following functions stands for any item.

bool tk_query_item(const struct tk_timeline_store *store, uint32_t row, uint64_t place, struct tk_item *out_item);
// Finds the item that covers most of the time from `from` to `to`; the first of several instants. Looks at the first
// TK_QUERY_POINTS points there.
enum { TK_QUERY_POINTS = 4096 };
bool tk_query_at(const struct tk_timeline_store *store, uint32_t row, uint64_t from, uint64_t to,
                 struct tk_item *out_item);
// Find the nearest item after or before a place.
bool tk_query_next(const struct tk_timeline_store *store, uint32_t row, uint64_t place, uint64_t value,
                   struct tk_item *out_item);
bool tk_query_previous(const struct tk_timeline_store *store, uint32_t row, uint64_t place, uint64_t value,
                       struct tk_item *out_item);
// Finds the first item that begins at or after `ticks`.
bool tk_query_from(const struct tk_timeline_store *store, uint32_t row, uint64_t ticks, uint64_t value,
                   struct tk_item *out_item);
// Finds the first of the longest items.
bool tk_query_longest(const struct tk_timeline_store *store, uint32_t row, uint64_t value, struct tk_item *out_item);

// Figures of the items of rows in an interval, as the tables of a report of this time range count them. Both limits
// belong to the interval.
struct tk_figures {
    uint64_t count; // of slices, those that begin or end in the interval; of states, those that cover a part of it
    uint64_t total; // their time in the interval
    uint64_t whole; // number of items with a known length: they begin and end in the interval, without a loss
    uint64_t whole_total;             // their time
    uint64_t min, p50, p95, p99, max; // of their lengths
    uint64_t unmeasured; // time of the interval for which a row has no points, or for which a core or the state of a
                         // task is unknown
};
// value: 0: of all items. from <= to. Returns false when out of memory.
bool tk_query_figures(const struct tk_timeline_store *store, const uint32_t *rows, uint32_t row_count, uint64_t value,
                      uint64_t from, uint64_t to, struct tk_figures *out_figures);
// Lists the different values of a row in an interval, in the order of their first items. Returns their number, at most
// `most`.
uint32_t tk_query_values(const struct tk_timeline_store *store, uint32_t row, uint64_t from, uint64_t to,
                         uint64_t *out_values, uint32_t most);

// Returns the name of the task or track of a row; NULL: it has none (rows of cores).
const struct tk_store_text *tk_query_row_name(const struct tk_timeline_store *store, const struct tk_store_row *row);

// A row whose name contains the text (value 0), or the first item of a row whose text does.
struct tk_hit {
    uint32_t row;
    uint64_t value, begin, place;
};
// Finds the items at the other ends of the flows that start or end where an item begins. Returns the number of hits, at
// most `most`.
uint32_t tk_query_flows(const struct tk_timeline_store *store, uint32_t row, uint64_t place, struct tk_hit *out_hits,
                        uint32_t most);
// Searches names, and the texts of the first TK_QUERY_POINTS items of each row; upper and lower case of ASCII letters
// are equal. Returns the number of hits, at most `most`.
uint32_t tk_query_find(const struct tk_timeline_store *store, const char *text, size_t len, struct tk_hit *out_hits,
                       uint32_t most);

#endif
