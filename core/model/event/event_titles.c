// SPDX-License-Identifier: MIT
#include "event.h"

const char *tk_event_title(enum tk_event_kind kind) {
    static const char *const words[TK_EV_COUNT] = {
#define TK_EVENT(owner, kind, words) words,
#include "events.def"
#undef TK_EVENT
    };
    return words[kind];
}
