// SPDX-License-Identifier: MIT
//
// Draws what tk_load has summed up: counters of the load of each core, of its interrupts, and of each of them where
// they are few.
#ifndef TK_MODEL_TIMELINE_LOAD_TRACKS_H
#define TK_MODEL_TIMELINE_LOAD_TRACKS_H

#include "../trackers/rtos/rtos.h"

// At the end of the recording. tick_ns: length of a tick, >= 1.
void tk_draw_load(struct tk_timeline *tl, const struct tk_stats *stats, const struct tk_rtos *rtos, uint64_t tick_ns);

#endif
