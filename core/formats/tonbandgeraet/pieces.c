// SPDX-License-Identifier: MIT
#include "pieces.h"

enum { CHANGES = 8 }; // so many without a time that falls are no pieces

static void speak(struct tb_pieces *pieces, uint64_t time) {
    for (uint32_t core = 0; core < TK_MAX_CORES; core++)
        if (pieces->seen >> core & 1 && core != pieces->core && time < pieces->last[core]) pieces->overtaken |= 1u << core;
    pieces->seen |= 1u << pieces->core;
    pieces->last[pieces->core] = time;
    pieces->is_other = false;
}

// A core that goes on where it was although another one was behind it: pieces. One whose own time falls has started again, or its frame is damaged.
enum tb_order tb_pieces_look(struct tb_pieces *pieces, const struct tk_event *event) {
    if (event->kind == TK_EV_CORE) {
        pieces->is_other = pieces->is_other || event->id != pieces->core;
        if (event->id < TK_MAX_CORES) pieces->core = (uint8_t)event->id;
        pieces->named |= 1u << pieces->core;
        return TB_ORDER_OPEN;
    }
    if (!event->timed) return TB_ORDER_OPEN;
    uint32_t mine = 1u << pieces->core;
    if (pieces->seen & mine && event->ticks < pieces->last[pieces->core]) return TB_ORDER_MERGED;
    pieces->changes += pieces->is_other;
    speak(pieces, event->ticks);
    if (pieces->overtaken & mine) return TB_ORDER_OVERLAPPING;
    return pieces->changes < CHANGES || pieces->overtaken ? TB_ORDER_OPEN : TB_ORDER_MERGED;
}
