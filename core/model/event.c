// SPDX-License-Identifier: MIT
#include "event.h"

const uint8_t tk_event_owners[TK_EV_COUNT] = {
#define TK_EVENT(owner, kind, words) TK_OWNER_##owner,
#include "events.def"
#undef TK_EVENT
};

const char *tk_event_words(enum tk_event_kind kind) {
    static const char *const words[TK_EV_COUNT] = {
#define TK_EVENT(owner, kind, words) words,
#include "events.def"
#undef TK_EVENT
    };
    return words[kind];
}

struct tk_diag_place tk_event_place(const struct tk_event *event) {
    return (struct tk_diag_place){
        .input = event->input, .has_offset = true, .has_ticks = true, .offset = event->offset, .frame = event->frame,
        .ticks = event->ticks, .bytes = event->raw, .len = event->raw_len
    };
}
