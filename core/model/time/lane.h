// SPDX-License-Identifier: MIT
//
// A lane is one time line: events of one clock, in order. A raw lane judges the times that the target sent (clock.h); of a
// settled one the decoder gives times and sections that never fall.
//
// Events move through a lane from the back to the front:  [head, settled) wait to be taken, [settled, count) wait for
// those behind them, which confirm their time or contradict it.
#ifndef TK_MODEL_TIME_LANE_H
#define TK_MODEL_TIME_LANE_H

#include "batch.h"
#include "clock.h"

enum { TK_LANE_PATIENCE = 4096 }; // so many events wait for what may never come, no more

struct tk_lane {
    struct tk_batch batch;
    struct tk_arena other;   // where borrowed bytes move to that outlive a round
    struct tk_clock clock;   // of a raw lane
    uint32_t head, settled;
    uint32_t kept;           // of those in front no longer borrow
    uint32_t source;         // number of the input whose decoder fills it
    struct tk_lane *const *peers; // all lanes of its input, itself among them
    const uint32_t *peer_count;
    enum tk_lane_time time;
    bool ended;              // its decoder is done
    // Of a lane whose times are judged and then converted:
    uint32_t judged;         // behind `settled`
    uint32_t section;        // in which its clock was placed
};

// core: of the events before the stream names one. False: no memory.
bool tk_lane_init(struct tk_lane *lane, struct tk_alloc *alloc, struct tk_diag *diag, struct tk_account *account, enum tk_lane_time time, uint8_t core);
// Removes what was taken. Whatever waits no longer borrows from chunks or decoders.
void tk_lane_keep(struct tk_lane *lane);
void tk_lane_moved(struct tk_lane *lane, struct tk_move *move);

// Nothing comes any more.
static inline bool tk_lane_is_over(const struct tk_lane *lane) { return lane->ended || lane->batch.over; }

// Decides about the times of the next events. False: there are none, or they await confirmation.
static TK_INLINE bool tk_lane_settle(struct tk_lane *lane) {
    struct tk_batch *batch = &lane->batch;
    uint32_t left = batch->count - lane->settled, decided = 0;
    if (!left) return false;
    if (lane->time == TK_LANE_RAW) decided = tk_clock_go_on(&lane->clock, &batch->events[lane->settled], left);
    if (!decided) decided = batch->settle ? batch->settle(lane, left) : left;
    lane->settled += decided;
    return decided;
}

// Decides without those that might follow, as at the end. False: none waits.
bool tk_lane_settle_now(struct tk_lane *lane);

static TK_INLINE bool tk_lane_has_event(struct tk_lane *lane) { return lane->head < lane->settled || tk_lane_settle(lane); }
// The event whose turn it is; there is one.
static inline struct tk_event *tk_lane_first(const struct tk_lane *lane) { return &lane->batch.events[lane->head]; }
// The same, and it is taken: valid until the next tk_lane_keep.
static inline struct tk_event *tk_lane_pop(struct tk_lane *lane) { return &lane->batch.events[lane->head++]; }

#endif
