// SPDX-License-Identifier: MIT
//
// Several inputs -> one order: by (section, time, core, input). Bounded: a few events per input wait here.
#ifndef TK_MODEL_MERGE_H
#define TK_MODEL_MERGE_H

#include "../base/alloc.h"
#include "event.h"

enum {
    TK_FIFO_BATCH = 32,            // an input is decoded ahead until so many events wait
    TK_FIFO_TEXT = 64 * 1024,      // or so many bytes of their strings
    TK_FIFO_LEN = TK_FIFO_BATCH + 512 // no more come at once: what the clock stage held, or one frame of a format that keeps its own time
};

// Events of one input, waiting for the other inputs. Strings are copied; values are borrowed, so that nothing more is
// decoded from this input while an event with values waits.
struct tk_fifo {
    struct tk_event events[TK_FIFO_LEN + 1]; // `str` holds the position in `text`, unless it is static; one more, so that there always is a place
    uint32_t head, count;
    char *text;
    uint32_t text_len, text_capacity;
    bool borrows; // an event with values waits
    bool ended;
};

// Where the next event is put together.
static inline struct tk_event *tk_fifo_place(struct tk_fifo *fifo) { return &fifo->events[fifo->head + fifo->count]; }
bool tk_fifo_push_slow(struct tk_fifo *fifo, struct tk_alloc *alloc, const struct tk_event *event);
// Adds the event at the place, or a copy of another one. True: enough wait, decode no further.
static inline bool tk_fifo_push(struct tk_fifo *fifo, struct tk_alloc *alloc, struct tk_event *event) {
    uint32_t end = fifo->head + fifo->count;
    if (event != &fifo->events[end] || event->str_len || event->value_count || end >= TK_FIFO_LEN) return tk_fifo_push_slow(fifo, alloc, event);
    event->raw_len = 0; // the bytes may be gone when its turn comes
    fifo->count++;
    return end + 1 >= TK_FIFO_BATCH;
}
static inline bool tk_fifo_is_full(const struct tk_fifo *fifo) { return fifo->head + fifo->count >= TK_FIFO_LEN; }
// The event whose turn it is; the fifo is not empty.
struct tk_event *tk_fifo_first(struct tk_fifo *fifo);
void tk_fifo_pop(struct tk_fifo *fifo);
void tk_fifo_deinit(struct tk_fifo *fifo, struct tk_alloc *alloc);

enum { TK_MERGE_DONE = -1 };

// Index of the fifo whose first event comes next, and of the one that follows it (TK_MERGE_DONE: there is none).
// *out_starved: an input that has nothing and has not ended must speak first (its index is returned).
// TK_MERGE_DONE: all have ended.
int tk_merge_next(struct tk_fifo *const *fifos, uint32_t count, int *out_rival, bool *out_starved);
// Does the first event of `next`, found by tk_merge_next, still come before the rival's?
bool tk_merge_goes_on(struct tk_fifo *const *fifos, int next, int rival);

#endif
