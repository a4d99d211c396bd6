// SPDX-License-Identifier: MIT
//
// Stores the blocks of an encoder (block.h) for a viewer: the points of each row in pages (points.h), above them a tree
// with sums, so that a picture of any time range costs as much as it has pixels. Above the limit of memory the oldest
// points are dropped, and of each level of the tree the oldest sums; the picture becomes coarser there. Sums get at
// most half of the memory while there are points to drop. Hostile blocks are rejected and counted.
#ifndef TK_VIEWER_STORE_H
#define TK_VIEWER_STORE_H

#include "../base/alloc.h"
#include "../base/arena.h"
#include "../base/idmap.h"
#include "points.h"

enum {
    TK_STORE_FANOUT = 8,
    TK_STORE_LEVELS = 12,         // more than 2^32 groups need
    TK_STORE_CHUNK = 16,          // nodes that are allocated at once
    TK_STORE_PAGE = 65536 - 64,   // bytes; with its head, a page is a block of 64 KiB
    TK_STORE_ROWS = 1 << 18,      // most rows
    TK_STORE_NAMES = 1 << 20,     // most names of one kind
    TK_STORE_NAME_BYTES = 1 << 26 // of all names
};

// Sums of a group or of TK_STORE_FANOUT nodes. It covers the time up to the next node.
struct tk_node {
    uint64_t first;  // time of the first point
    uint32_t points; // number of points, saturated
    uint32_t data;   // of a group: position of its points (store.c)
    union {
        struct {
            uint64_t busy;      // time with a value other than 0
            uint32_t values[3]; // the values with most time (instants: that are most frequent), except 0
            uint8_t shares[3];  // their shares of the covered time (instants: of the points), 255: all of it
            bool has_others;    // there are more values than these
        };
        struct {
            double min, max, last;
        }; // rows of numbers
    };
};

struct tk_level {
    struct tk_node **chunks; // of the nodes after the dropped ones
    uint32_t chunk_capacity, count;
    uint32_t dropped; // nodes at the start whose memory was freed; a multiple of TK_STORE_CHUNK
};

struct tk_store_row {
    struct tk_level *levels; // 0: groups, except the last one
    uint32_t level_count;
    uint32_t owner, depth;
    struct tk_node last; // the last group, without sums; points 0: none
    uint8_t *open;       // the points of the last group while it is open, because each picture replaces them
    uint32_t open_capacity;
    uint32_t first_kept;   // the first group whose points are kept
    uint64_t closed_ticks; // last time of the groups that cannot be replaced
    uint64_t last_ticks;   // time of the last point
    uint64_t points;
    uint8_t kind; // enum tk_row_kind
    bool last_is_open;
    bool is_constant; // all points have had the same value
    uint64_t constant;
};

struct tk_store_text {
    const char *text; // not terminated
    uint32_t len;
};

struct tk_store_track {
    uint32_t track, parent, share;
    int32_t pid, rank;
    uint8_t kind;    // enum tk_track_kind
    uint8_t purpose; // enum tk_track_purpose
    uint8_t core;    // core + 1; 0: none
    bool is_ordered;
    struct tk_store_text name, unit;
};

struct tk_store_task {
    uint32_t pid;
    bool is_idle;
    uint32_t colour; // number of the name among the names of tasks, in the order in which they came
    struct tk_store_text name;
};

struct tk_timeline_store {
    struct tk_alloc *alloc;
    size_t limit; // of pages, nodes and open groups, in bytes
    size_t node_bytes, open_bytes;
    struct tk_store_row *rows; // numbered from 1: row N is rows[N - 1]
    uint32_t row_count, row_capacity;
    uint8_t **pages; // ring of page_capacity pages
    uint32_t page_capacity, first_page, page_count;
    uint32_t page_used; // bytes of the last page
    struct tk_arena names;
    struct tk_idmap text_index, track_index, task_index;
    struct tk_idmap colours; // hash of the name of a task -> its colour
    struct tk_store_text *texts;
    struct tk_store_track *tracks;
    struct tk_store_task *tasks;
    uint32_t colour_count, text_count, text_capacity, track_count, track_capacity, task_count, task_capacity;
    bool has_points;
    uint64_t first_ticks; // time of the first point
    uint64_t last_ticks;  // of the last point, or of the end of the recording
    uint64_t tick_ns, lost_events;
    bool is_final;
    uint64_t points;  // of all rows
    uint64_t damaged; // number of rejected blocks
    bool has_dropped; // the oldest points
    bool is_full;     // nothing more can be dropped: further groups are ignored
    uint32_t version; // changes with rows and their names
};

// Expects zeroed memory. limit: bytes for points and sums, at least 1 MiB.
void tk_store_init(struct tk_timeline_store *store, struct tk_alloc *alloc, size_t limit);
// Adds whole blocks. Rejects a block that is not valid, and the rest of the bytes if a block is cut. Returns false when
// out of memory.
bool tk_store_add(struct tk_timeline_store *store, const uint8_t *bytes, size_t len);

static inline const struct tk_store_row *tk_store_row(const struct tk_timeline_store *store, uint32_t row) {
    return row && row <= store->row_count ? &store->rows[row - 1] : NULL;
}
// Return NULL if there is no such name.
const struct tk_store_text *tk_store_text(const struct tk_timeline_store *store, uint64_t value);
const struct tk_store_track *tk_store_track(const struct tk_timeline_store *store, uint32_t track);
const struct tk_store_task *tk_store_task(const struct tk_timeline_store *store, uint32_t pid);

// ---- Points ----

// The place of a point in its row is TK_GROUP_POINTS times the number of its group, plus its index there.

static inline bool tk_row_has_numbers(const struct tk_store_row *row) { return row->kind >= TK_ROW_NUMBERS; }

// Number of groups of a row, the last one included; those before first_kept have no points.
static inline uint32_t tk_row_groups(const struct tk_store_row *row) {
    return (row->level_count ? row->levels[0].count : 0) + (row->last.points != 0);
}
// Returns the node, or NULL if its memory was freed. level 0, index = number of groups - 1: the last group.
const struct tk_node *tk_row_node(const struct tk_store_row *row, uint32_t level, uint32_t index);
// Calls `take` with each node that is not part of another one, from the oldest on, and then with the last group.
void tk_row_each_root(const struct tk_store_row *row, void (*take)(void *ctx, uint32_t level, uint32_t index),
                      void *ctx);
// Returns the time at which what follows a node begins; for the last one, the end of the store.
uint64_t tk_row_node_end(const struct tk_timeline_store *store, const struct tk_store_row *row, uint32_t level,
                         uint32_t index);
// Read the points of a group. Return their number, 0 if they were dropped.
unsigned tk_row_packed(const struct tk_timeline_store *store, const struct tk_store_row *row, uint32_t group,
                       struct tk_packed *out);
unsigned tk_row_points(const struct tk_timeline_store *store, const struct tk_store_row *row, uint32_t group,
                       struct tk_point out[TK_GROUP_POINTS]);
// Returns the last group whose first time is at or before `ticks`; the first kept one if there is none.
uint32_t tk_row_group_at(const struct tk_store_row *row, uint64_t ticks);

static inline double tk_number_of(uint64_t value, bool is_double) {
    union {
        uint64_t bits;
        double number;
    } real = { value };
    return is_double ? real.number : (double)(int64_t)value;
}

#endif
