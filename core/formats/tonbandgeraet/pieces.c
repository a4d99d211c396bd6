// SPDX-License-Identifier: MIT
#include "pieces.h"

enum { CHANGES = 8 }; // so many changes of the core without a time that falls prove that the events are merged

static uint64_t bit(uint8_t core) { return (uint64_t)1 << core; }

void tb_pieces_begin(struct tb_pieces *pieces) {
    *pieces = (struct tb_pieces){ .core = TB_CORE_UNKNOWN,
                                  .before = TB_CORE_UNKNOWN,
                                  .line = TB_CORE_UNKNOWN,
                                  .first = TB_CORE_UNKNOWN,
                                  .resumed = TB_CORE_UNKNOWN };
}

static void name_core(struct tb_pieces *pieces, uint32_t core) {
    if (core >= TK_MAX_CORES) return;
    if (core != pieces->core && !pieces->is_other) {
        pieces->is_other = true;
        pieces->before = pieces->core;
    }
    if (pieces->first == TB_CORE_UNKNOWN) pieces->first = (uint8_t)core;
    pieces->core = (uint8_t)core;
    pieces->named |= 1u << core;
}

static bool has_core_events(const struct tb_pieces *pieces, uint8_t core) { return pieces->seen & bit(core); }

static void overtake(struct tb_pieces *pieces, uint64_t time) {
    for (uint8_t core = 0; core <= TB_CORE_UNKNOWN; core++) {
        if (core == pieces->core || !has_core_events(pieces, core) || time >= pieces->lines[core].last) continue;
        if (!pieces->overtaken) pieces->line = pieces->before;
        pieces->overtaken |= bit(core);
    }
}

// Registers the first event of a core that does not precede the events of the unknown core: those may belong to it.
static void resume(struct tb_pieces *pieces, uint64_t time) {
    if (!has_core_events(pieces, TB_CORE_UNKNOWN) || has_core_events(pieces, pieces->core) ||
        time < pieces->lines[TB_CORE_UNKNOWN].last)
        return;
    if (pieces->core == pieces->first) pieces->first_resumed = true;
    else if (pieces->resumed == TB_CORE_UNKNOWN) pieces->resumed = pieces->core;
    if (pieces->overtaken & bit(TB_CORE_UNKNOWN)) pieces->order = TB_ORDER_OVERLAPPING;
}

static void switch_core(struct tb_pieces *pieces, uint64_t time) {
    pieces->is_other = false;
    if (pieces->changes < CHANGES) pieces->changes++;
    overtake(pieces, time);
    resume(pieces, time);
}

static void advance(struct tb_pieces *pieces, uint64_t time) {
    uint8_t core = pieces->core;
    bool goes_on = has_core_events(pieces, core) && time >= pieces->lines[core].last;
    if (goes_on && pieces->overtaken & bit(core))
        pieces->order = TB_ORDER_OVERLAPPING; // the core continues its own times although another core had a later one
    if (!goes_on)
        pieces->overtaken &= ~bit(core); // a core begins, or a damaged frame had set its last time too far ahead
    pieces->lines[core].before_last = goes_on ? pieces->lines[core].last : time;
    pieces->lines[core].last = time;
    pieces->seen |= bit(core);
    pieces->falls = 0;
}

// Discards the evidence so far, because the time of a core fell twice in a row: the target restarted, or a counter
// wrapped.
static void start_over(struct tb_pieces *pieces, uint64_t time) {
    pieces->seen = pieces->overtaken = 0;
    pieces->changes = CHANGES;
    advance(pieces, time);
}

static void compare_time_with_cores(struct tb_pieces *pieces, uint64_t time) {
    bool falls = has_core_events(pieces, pieces->core) && time < pieces->lines[pieces->core].before_last;
    if (!falls && pieces->is_other) switch_core(pieces, time);
    if (!falls) advance(pieces, time);
    else if (++pieces->falls == 2) start_over(pieces, time); // a single event may be damaged
    if (pieces->order == TB_ORDER_OVERLAPPING) return;
    pieces->order =
        pieces->changes == CHANGES && !pieces->overtaken && !pieces->falls ? TB_ORDER_MERGED : TB_ORDER_OPEN;
}

void tb_pieces_add_events(struct tb_pieces *pieces, const struct tk_event *events, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        if (events[i].kind == TK_EV_CORE) name_core(pieces, events[i].core_tag.core);
        else if (events[i].timed && pieces->order == TB_ORDER_OPEN) compare_time_with_cores(pieces, events[i].ticks);
    }
}

enum tb_order tb_pieces_conclude(const struct tb_pieces *pieces) {
    return pieces->overtaken ? TB_ORDER_OVERLAPPING : TB_ORDER_MERGED;
}

static bool are_several(const struct tb_pieces *pieces) { return pieces->named & (pieces->named - 1); }

enum tb_order tb_pieces_give_up(const struct tb_pieces *pieces) {
    return are_several(pieces) ? TB_ORDER_OVERLAPPING : tb_pieces_conclude(pieces);
}

bool tb_pieces_is_of_one_core(const struct tb_pieces *pieces) { return pieces->seen && !are_several(pieces); }

static uint8_t lowest_unused_core(const struct tb_pieces *pieces) {
    uint8_t core = 0;
    while (core + 1 < TK_MAX_CORES && pieces->named >> core & 1) core++;
    return core;
}

uint8_t tb_pieces_emit(struct tb_pieces *pieces) {
    if (!has_core_events(pieces, TB_CORE_UNKNOWN)) return TB_CORE_UNKNOWN;
    uint8_t core = pieces->resumed != TB_CORE_UNKNOWN ? pieces->resumed
                   : pieces->first_resumed            ? pieces->first
                                                      : lowest_unused_core(pieces);
    if (pieces->line == TB_CORE_UNKNOWN) pieces->line = core;
    pieces->named |= 1u << core;
    return core;
}
