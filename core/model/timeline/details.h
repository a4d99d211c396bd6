// SPDX-License-Identifier: MIT
//
// Details of slices, instants and counters: arguments made of the values of an event. Interns repeated names and texts.
#ifndef TK_MODEL_TIMELINE_DETAILS_H
#define TK_MODEL_TIMELINE_DETAILS_H

#include "../../base/arena.h"
#include "../../base/diag.h"
#include "../../base/idmap.h"
#include "../event/event.h"
#include "names.h"
#include "timeline.h"

enum {
    TK_MAX_NESTED = 8, // depth of nested groups; deeper ones and details beyond TK_MAX_ARGS are cut and counted
    TK_MAX_DETAIL_NAMES = 8192, // number of different argument names; further ones are called "further"
    TK_DETAIL_TEXT = 4096,      // bytes; longer texts are cut
    TK_STATIC_TEXT_CACHE = 512
};

struct tk_details {
    struct tk_arg args[TK_MAX_ARGS];
    unsigned count;
};

// A static text with its interned id.
struct tk_static_text {
    const char *text;
    uint32_t id;
};

struct tk_detail_names {
    struct tk_alloc *alloc;
    struct tk_diag *diag;
    struct tk_names *names;
    struct tk_static_text known_args[TK_STATIC_TEXT_CACHE], known_texts[TK_STATIC_TEXT_CACHE]; // by address
    struct tk_idmap arg_names, texts, words; // hash of the text -> interned id
    uint32_t arg_name_count;
    struct tk_arena scratch; // cleaned texts, until tk_details_start
};

// Initialises; called if a tracker draws details (tk_tracker.draws_details).
void tk_details_init(struct tk_detail_names *d, struct tk_alloc *alloc, struct tk_diag *diag, struct tk_names *names);
// Starts the details of an event; invalidates the texts of the event before.
static inline void tk_details_start(struct tk_detail_names *d) {
    if (d->scratch.used) tk_arena_reset(&d->scratch);
}

// Returns arbitrary bytes as a clean text of at most TK_DETAIL_TEXT bytes, valid until tk_details_start. *len: the
// length of the bytes, then that of the text.
const char *tk_details_clean(struct tk_detail_names *d, const char *text, size_t *len);
// Returns the id of a slice name that is not a symbol. The text must be clean.
uint32_t tk_details_name(struct tk_detail_names *d, const char *text, size_t len);

// ---- Each adds one detail; `name` is static ----

void tk_details_number(struct tk_detail_names *d, struct tk_details *details, const char *name, uint64_t number);
void tk_details_symbol(struct tk_detail_names *d, struct tk_details *details, const char *name, uint32_t symbol);
void tk_details_words(struct tk_detail_names *d, struct tk_details *details, const char *name, const char *text,
                      size_t len); // any bytes
void tk_details_fixed(struct tk_detail_names *d, struct tk_details *details, const char *name,
                      const char *text); // static
// Adds all values of an event.
void tk_details_add(struct tk_detail_names *d, struct tk_details *details, const struct tk_event *event);
static inline void tk_details_values(struct tk_detail_names *d, struct tk_details *details,
                                     const struct tk_event *event) {
    if (event->value_count) tk_details_add(d, details, event);
}

#endif
