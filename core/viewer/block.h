// SPDX-License-Identifier: MIT
//
// Blocks: what the encoder (encode.h) writes and the store (store.h) reads. A row of the timeline is a step function:
// from the time of a point on, its value is the value of the point. A value of 0 is nothing.
//
// A block is its kind (one byte), the length of its body (varint) and the body. Numbers in bodies are varints, signed
// ones zigzag; texts are the rest of the body. A block is never cut by the end of a piece of output.
//   DEFINE  value of slices and instants, its text
//   INTERN  enum tk_intern (TEXT or ARG_NAME), id, its text: for readers of a dump of tracks
//   TRACK   track, parent, enum tk_track_kind, pid (signed), rank (signed), flags TK_TRACK_*, share,
//           enum tk_track_purpose, core + 1, length of the unit, unit, name
//   TASK    pid, flags TK_TASK_*, name
//   ROW     row, enum tk_row_kind, owner (number of the core, pid of the task, id of the track), depth
//   GROUP   row, flags TK_GROUP_*, time of the first point in ticks, its value, then for each further point the time
//           since the point before and its value. Times rise from group to group of a row; they may be equal
//   FACTS   length of a tick in ns, last time in ticks, lost events, flags TK_FACTS_*; the last one counts
// Values: TK_ROW_CORE: pid, or TK_CORE_UNRECORDED; TK_ROW_TASK: enum tk_task_state + 1 in the lowest TK_STATE_BITS
// bits, above them what made the task ready (TK_WOKEN_*); TK_ROW_SLICES and TK_ROW_INSTANTS: a defined value, even for
// names of the timeline and odd for other texts, or TK_SLICE_UNMEASURED; TK_ROW_NUMBERS: the difference to the value
// before in this group, signed, or eight bytes of a double; TK_ROW_FLOWS: number of a flow with an end at this time of
// the track `owner`, as TK_ROW_NUMBERS.
#ifndef TK_VIEWER_BLOCK_H
#define TK_VIEWER_BLOCK_H

#include <stdint.h>

enum tk_block_kind {
    TK_BLOCK_DEFINE = 1,
    TK_BLOCK_TRACK,
    TK_BLOCK_TASK,
    TK_BLOCK_ROW,
    TK_BLOCK_GROUP,
    TK_BLOCK_FACTS,
    TK_BLOCK_INTERN
};

enum tk_row_kind {
    TK_ROW_CORE,
    TK_ROW_TASK,
    TK_ROW_SLICES,
    TK_ROW_INSTANTS,
    TK_ROW_NUMBERS,
    TK_ROW_FLOWS,
    TK_ROW_KINDS
};

enum {
    TK_TRACK_IS_ORDERED = 1,  // its children are sorted by rank
    TK_TASK_IS_IDLE = 1,      // idle task: blank on the rows of cores
    TK_GROUP_HAS_DOUBLES = 1, // the values are doubles
    TK_GROUP_IS_OPEN = 2,     // the next group of the row replaces this one
    TK_FACTS_ARE_FINAL = 1,   // nothing follows
    TK_CORE_UNRECORDED = 1,   // value of a core: what it ran is unknown
    TK_SLICE_UNMEASURED = 1,  // nothing, after a slice whose length is unknown
    TK_STATE_BITS = 4,
    TK_WOKEN_BY_INTERRUPT = 1, // 0: unknown; plus twice the number of the core of the interrupt
    TK_WOKEN_BY_TASK = 2,      // plus twice the number of the core whose running task it is
    TK_GROUP_POINTS = 32,      // most points of a group
    TK_BLOCK_TEXT = 512        // longest text in bytes; longer ones are cut
};

#endif
