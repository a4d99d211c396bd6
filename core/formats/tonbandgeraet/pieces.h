// SPDX-License-Identifier: MIT
//
// A stream that tells of cores by core_id: did the target merge the events of its cores by their times, or do pieces of a stream per core follow each other,
// whose times overlap? The first events tell.
#ifndef TK_FORMATS_TONBANDGERAET_PIECES_H
#define TK_FORMATS_TONBANDGERAET_PIECES_H

#include "../../model/event.h"
#include "../../tonkopf.h"

enum tb_order { TB_ORDER_OPEN, TB_ORDER_MERGED, TB_ORDER_OVERLAPPING };

// Zero-initialised has seen nothing.
struct tb_pieces {
    uint64_t last[TK_MAX_CORES]; // time of a core's last event
    uint32_t named;              // bit n: there is a core n
    uint32_t seen;               // and it has had events with a time
    uint32_t overtaken;          // bit n: behind core n's last event came an earlier one of another core
    uint8_t core;                // of the events now
    uint8_t changes;             // how often another core spoke than before
    bool is_other;               // than the core of the event before
};

// Looks at the next event of the stream.
enum tb_order tb_pieces_look(struct tb_pieces *pieces, const struct tk_event *event);
// Of a stream that ends here, or does not tell for long.
static inline enum tb_order tb_pieces_conclude(const struct tb_pieces *pieces) { return pieces->overtaken ? TB_ORDER_OVERLAPPING : TB_ORDER_MERGED; }

#endif
