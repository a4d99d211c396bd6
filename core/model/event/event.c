// SPDX-License-Identifier: MIT
#include "event.h"

const uint8_t tk_event_owners[TK_EV_COUNT] = {
#define TK_EVENT(owner, kind, words) TK_OWNER_##owner,
#include "events.def"
#undef TK_EVENT
};

struct tk_source_pos tk_event_source_pos(const struct tk_event *event) {
    return (struct tk_source_pos){ .input = event->input,
                                   .has_offset = true,
                                   .offset = event->offset,
                                   .frame = event->frame,
                                   .bytes = event->raw,
                                   .len = event->raw_len };
}

struct tk_source_pos tk_event_trace_pos(const struct tk_event *event) {
    struct tk_source_pos place = tk_event_source_pos(event);
    place.has_ticks = true;
    place.ticks = event->ticks;
    return place;
}

const char *tk_event_title(enum tk_event_kind kind) {
    static const char *const words[TK_EV_COUNT] = {
#define TK_EVENT(owner, kind, words) words,
#include "events.def"
#undef TK_EVENT
    };
    return words[kind];
}
