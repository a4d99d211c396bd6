// SPDX-License-Identifier: MIT
//
// A stream that tells of cores by core_id: did the target merge the events of its cores by their times, or do pieces of
// a stream per core follow each other, whose times overlap? That the time of a core falls below that of another one is
// no restart as long as neither falls below its own.
#ifndef TK_FORMATS_TONBANDGERAET_PIECES_H
#define TK_FORMATS_TONBANDGERAET_PIECES_H

#include "../../model/event/event.h"
#include "../../tonkopf.h"

// Not known yet; one line for all cores; a line for each of them.
enum tb_order { TB_ORDER_OPEN, TB_ORDER_MERGED, TB_ORDER_OVERLAPPING };

enum { TB_CORE_UNKNOWN = TK_MAX_CORES }; // of the events before the first core_id of a capture that began later

struct tb_pieces {
    struct {
        uint64_t last, before_last;
    } lines[TK_MAX_CORES + 1]; // times of a core's last two events
    uint64_t seen;             // bit n: core n has had events with a time
    uint64_t overtaken;        // bit n: behind core n's last event came an earlier one of another core
    uint32_t named;            // bit n: there is a core n
    enum tb_order order;
    uint8_t core;       // of the events now
    uint8_t before;     // of those before
    uint8_t line;       // whose time another one fell below first
    uint8_t first;      // that was named
    uint8_t resumed;    // first core after the events of an unknown core, other than `first`
    uint8_t changes;    // how often another core spoke than before, as far as that counts
    uint8_t falls;      // so many events in a row fell below the times of their own core
    bool is_other;      // than the core of the event before
    bool first_resumed; // `first` began after the events of an unknown core
};

void tb_pieces_begin(struct tb_pieces *pieces);
// Looks at the next events of the stream.
void tb_pieces_add_events(struct tb_pieces *pieces, const struct tk_event *events, uint32_t count);
// Of a stream that ends here.
enum tb_order tb_pieces_conclude(const struct tb_pieces *pieces);
// Of one that does not tell for long: lines of their own do no harm to cores that are merged, one line would tell of
// restarts where pieces overlap.
enum tb_order tb_pieces_give_up(const struct tb_pieces *pieces);
// Is there a time, and only one core that it can be of?
bool tb_pieces_is_of_one_core(const struct tb_pieces *pieces);
// Assigns the events of an unknown core to the core that they must be of. Returns it; TB_CORE_UNKNOWN: there are none.
uint8_t tb_pieces_emit(struct tb_pieces *pieces);
// The core whose line the events before go on: the one that another one fell below first.
static inline uint8_t tb_pieces_line(const struct tb_pieces *pieces) {
    return pieces->line < TK_MAX_CORES ? pieces->line : pieces->first;
}

#endif
