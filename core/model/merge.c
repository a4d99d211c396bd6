// SPDX-License-Identifier: MIT
#include "merge.h"

#include <string.h>

static void keep_text(struct tk_fifo *fifo, struct tk_alloc *alloc, struct tk_event *event) {
    if (!tk_alloc_grow(alloc, (void **)&fifo->text, &fifo->text_capacity, fifo->text_len + event->str_len, 1)) {
        event->str_len = 0;
        return;
    }
    memcpy(fifo->text + fifo->text_len, event->str, event->str_len);
    event->str = (const char *)(uintptr_t)fifo->text_len;
    fifo->text_len += event->str_len;
}

bool tk_fifo_push_slow(struct tk_fifo *fifo, struct tk_alloc *alloc, const struct tk_event *event) {
    struct tk_event *place = tk_fifo_place(fifo);
    if (fifo->head + fifo->count >= TK_FIFO_LEN) return true;
    if (event != place) *place = *event;
    place->raw_len = 0; // the bytes may be gone when its turn comes
    if (place->str_len && !tk_event_str_is_static(place)) keep_text(fifo, alloc, place);
    fifo->borrows |= place->value_count > 0;
    fifo->count++;
    return fifo->borrows || fifo->head + fifo->count >= TK_FIFO_BATCH || fifo->text_len >= TK_FIFO_TEXT;
}

struct tk_event *tk_fifo_first(struct tk_fifo *fifo) {
    struct tk_event *event = &fifo->events[fifo->head];
    if (!tk_event_str_is_static(event)) event->str = event->str_len ? fifo->text + (uintptr_t)event->str : "";
    return event;
}

void tk_fifo_pop(struct tk_fifo *fifo) {
    fifo->head++;
    if (--fifo->count) return;
    fifo->head = fifo->text_len = 0;
    fifo->borrows = false;
}

void tk_fifo_deinit(struct tk_fifo *fifo, struct tk_alloc *alloc) { tk_alloc_free(alloc, fifo->text, fifo->text_capacity); }

static inline const struct tk_event *head_of(const struct tk_fifo *fifo) { return &fifo->events[fifo->head]; }

// Events of one time and core keep the order of their inputs: a comes from the earlier one.
static inline bool comes_first(const struct tk_event *a, const struct tk_event *b) {
    if (a->section != b->section) return a->section < b->section;
    if (a->ticks != b->ticks) return a->ticks < b->ticks;
    return a->core <= b->core;
}

static inline bool is_before(struct tk_fifo *const *fifos, int a, int b) {
    return a < b ? comes_first(head_of(fifos[a]), head_of(fifos[b])) : !comes_first(head_of(fifos[b]), head_of(fifos[a]));
}

int tk_merge_next(struct tk_fifo *const *fifos, uint32_t count, int *out_rival, bool *out_starved) {
    int best = TK_MERGE_DONE, rival = TK_MERGE_DONE;
    *out_starved = false;
    for (int i = 0; i < (int)count; i++) {
        if (!fifos[i]->count) {
            if (fifos[i]->ended) continue;
            *out_starved = true;
            return i;
        }
        if (best < 0 || is_before(fifos, i, best)) rival = best, best = i;
        else if (rival < 0 || is_before(fifos, i, rival)) rival = i;
    }
    *out_rival = rival;
    return best;
}

bool tk_merge_goes_on(struct tk_fifo *const *fifos, int next, int rival) {
    return fifos[next]->count && (rival < 0 || is_before(fifos, next, rival));
}
