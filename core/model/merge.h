// SPDX-License-Identifier: MIT
//
// Several inputs -> one order: by (section, time, core, input). Bounded: a few events per input wait here.
#ifndef TK_MODEL_MERGE_H
#define TK_MODEL_MERGE_H

#include "event.h"

enum { TK_FIFO_LEN = 64 }; // the clock stage lets go of no more at once (TK_CLOCK_HELD and a problem each)

// Events of one input, waiting for the other inputs. Strings are borrowed: nothing more is decoded from this input
// while an event waits.
struct tk_fifo {
    struct tk_event events[TK_FIFO_LEN];
    uint32_t head, count;
    bool ended;
};

void tk_fifo_push(struct tk_fifo *fifo, const struct tk_event *event);
void tk_fifo_pop(struct tk_fifo *fifo);

enum { TK_MERGE_DONE = -1 };

// Index of the fifo whose first event comes next. *out_starved: an input that has nothing and has not ended must
// speak first (its index is returned). TK_MERGE_DONE: all have ended.
int tk_merge_next(struct tk_fifo *const *fifos, uint32_t count, bool *out_starved);

#endif
