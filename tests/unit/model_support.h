// SPDX-License-Identifier: MIT
// Support for unit tests of the model and of what follows it: events into a model, calls of a recording track sink out.
#ifndef TK_TESTS_MODEL_SUPPORT_H
#define TK_TESTS_MODEL_SUPPORT_H

#include "support.h"

#include "model/model.h"

static struct heap heap;
static struct tk_alloc alloc;
static struct tk_diag diag;
static struct recorder recorder;
static struct tk_model model;

// Begins a new model, to which the test adds trackers (tk_model_need_trackers). fail_from: number of the first
// allocation that fails; 0: none fails.
static inline void model_init(size_t fail_from, bool quiet_tracks) {
    heap = (struct heap){ .fail_from = fail_from };
    alloc = heap_alloc(&heap);
    tk_diag_init(&diag);
    recorder_init(&recorder, quiet_tracks);
    tk_model_init(&model, &alloc, &diag, &recorder.sink);
}

static inline int done(void **state) {
    (void)state;
    tk_alloc_free_all(&alloc);
    assert_int_equal(heap.in_use, 0);
    return 0;
}

// ---- Events ------------------------------------------------------------------------------------

static inline void send(struct tk_event event) { tk_model_event(&model, &event); }

static inline struct tk_event with_numbers(struct tk_event event, uint32_t id, uint32_t number, int64_t value) {
    tk_event_set_number(&event, TK_SLOT_ID, id);
    tk_event_set_number(&event, TK_SLOT_NUMBER, number);
    tk_event_set_number(&event, TK_SLOT_VALUE, value);
    return event;
}

// Sends an event without a time.
static inline void tell(enum tk_event_kind kind, uint32_t id, uint32_t number, int64_t value) {
    send(with_numbers((struct tk_event){ .kind = (uint8_t)kind }, id, number, value));
}

static inline void send_at(uint8_t core, uint64_t ticks, enum tk_event_kind kind, uint32_t id, uint32_t number,
                           int64_t value) {
    struct tk_event event = { .kind = (uint8_t)kind, .timed = true, .ticks = ticks, .core = core };
    send(with_numbers(event, id, number, value));
}

static inline void name(enum tk_event_kind kind, uint32_t id, const char *text) {
    struct tk_event event = { .kind = (uint8_t)kind, .str = text, .str_len = (uint32_t)strlen(text) };
    send(with_numbers(event, id, 0, 0));
}

#endif
