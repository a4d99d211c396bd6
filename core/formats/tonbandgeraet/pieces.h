// SPDX-License-Identifier: MIT
//
// Decides how a stream that names cores by core_id is ordered. Either the target merged the events of its cores by
// time, or pieces of a stream per core follow each other and their times overlap. A time of one core below that of
// another one is no restart as long as neither falls below its own.
#ifndef TK_FORMATS_TONBANDGERAET_PIECES_H
#define TK_FORMATS_TONBANDGERAET_PIECES_H

#include "../../model/event/event.h"
#include "../../tonkopf.h"

// OPEN: not decided; MERGED: one event stream for all cores; OVERLAPPING: an event stream for each core.
enum tb_order { TB_ORDER_OPEN, TB_ORDER_MERGED, TB_ORDER_OVERLAPPING };

enum {
    TB_CORE_UNKNOWN = TK_MAX_CORES
}; // core of the events before the first core_id, if the capture began later than the recording

struct tb_pieces {
    struct {
        uint64_t last, before_last;
    } lines[TK_MAX_CORES + 1]; // times of the last two events of each core
    uint64_t seen;             // bit n: core n has had events with a time
    uint64_t overtaken;        // bit n: after the last event of core n came an earlier one of another core
    uint32_t named;            // bit n: the stream has named core n
    enum tb_order order;
    uint8_t core;       // core of the current events
    uint8_t before;     // core of the events before those
    uint8_t line;       // core whose time another core was the first to fall below
    uint8_t first;      // core that was named first
    uint8_t resumed;    // first core after the events of an unknown core, other than `first`
    uint8_t changes;    // number of changes from one core to another, up to a limit
    uint8_t falls;      // number of consecutive events whose time fell below that of their own core
    bool is_other;      // the current core differs from that of the last event with a time
    bool first_resumed; // `first` began after the events of an unknown core
};

void tb_pieces_begin(struct tb_pieces *pieces);
// Examines the next events of the stream.
void tb_pieces_add_events(struct tb_pieces *pieces, const struct tk_event *events, uint32_t count);
// Returns the order of a stream that has ended.
enum tb_order tb_pieces_conclude(const struct tb_pieces *pieces);
// Returns the order of a stream that stays undecided for too long. An event stream per core is safe also for merged
// events; a single one would report restarts if pieces overlap.
enum tb_order tb_pieces_give_up(const struct tb_pieces *pieces);
// Returns true if an event had a time, and all events belong to the same core.
bool tb_pieces_is_of_one_core(const struct tb_pieces *pieces);
// Assigns the events of the unknown core to a core. Returns that core; TB_CORE_UNKNOWN: there are no such events.
uint8_t tb_pieces_emit(struct tb_pieces *pieces);
// Returns the core whose event stream keeps the deferred events: the one that another core was the first to fall below.
static inline uint8_t tb_pieces_line(const struct tb_pieces *pieces) {
    return pieces->line < TK_MAX_CORES ? pieces->line : pieces->first;
}

#endif
