// SPDX-License-Identifier: MIT
#include "merge.h"

void tk_fifo_push(struct tk_fifo *fifo, const struct tk_event *event) {
    if (!fifo->count) fifo->head = 0;
    if (fifo->head + fifo->count >= TK_FIFO_LEN) return;
    struct tk_event *slot = &fifo->events[fifo->head + fifo->count++];
    *slot = *event;
    slot->raw_len = 0; // the bytes may be gone when its turn comes
}

void tk_fifo_pop(struct tk_fifo *fifo) {
    fifo->head++;
    fifo->count--;
}

static bool comes_before(const struct tk_event *a, const struct tk_event *b) {
    if (a->section != b->section) return a->section < b->section;
    if (a->ticks != b->ticks) return a->ticks < b->ticks;
    return a->core < b->core;
}

int tk_merge_next(struct tk_fifo *const *fifos, uint32_t count, bool *out_starved) {
    int best = TK_MERGE_DONE;
    *out_starved = false;
    for (uint32_t i = 0; i < count; i++) {
        const struct tk_fifo *fifo = fifos[i];
        if (!fifo->count) {
            if (fifo->ended) continue;
            *out_starved = true;
            return (int)i;
        }
        if (best < 0 || comes_before(&fifo->events[fifo->head], &fifos[best]->events[fifos[best]->head])) best = (int)i;
    }
    return best;
}
