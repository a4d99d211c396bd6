// SPDX-License-Identifier: MIT
#include "event.h"

#include <string.h>

const uint8_t tk_event_owners[TK_EV_COUNT] = {
#define TK_EVENT(owner, kind, family, subject, title, words) TK_OWNER_##owner,
#include "events.def"
};

const uint8_t tk_event_families[TK_EV_COUNT] = {
#define TK_EVENT(owner, kind, family, subject, title, words) TK_FAMILY_##family,
#include "events.def"
};

const uint8_t tk_event_subjects[TK_EV_COUNT] = {
#define TK_EVENT(owner, kind, family, subject, title, words) TK_CLASS_##subject,
#include "events.def"
};

// clang-format off
const struct tk_event_shape tk_event_shapes[TK_FAMILIES] = {
#define TK_FAMILY(family) [TK_FAMILY_##family] = { {
#define TK_FIELD(family, type, name, slot, words) \
    [TK_SLOT_##slot] = { offsetof(struct tk_event, family.name), TK_TYPE_##type },
#define TK_MORE(family, type, name, words)
#define TK_FAMILY_END } },
#include "events.def"
};
// clang-format on

// The payload covers the fields of every family.
#define TK_FAMILY(family) \
    _Static_assert(sizeof(struct tk_event_##family) <= sizeof(struct tk_event_payload), "too many fields");
#define TK_FIELD(family, type, name, slot, words)
#define TK_MORE(family, type, name, words)
#define TK_FAMILY_END
#include "events.def"

int64_t tk_event_number(const struct tk_event *event, enum tk_event_slot slot) {
    struct tk_event_field field = tk_event_field(event, slot);
    const uint8_t *at = (const uint8_t *)event + field.at;
    uint32_t small = 0;
    int64_t number = 0;
    if (field.type == TK_TYPE_I64) memcpy(&number, at, sizeof number);
    if (field.type != TK_TYPE_U32) return number;
    memcpy(&small, at, sizeof small);
    return small;
}

void tk_event_set_number(struct tk_event *event, enum tk_event_slot slot, int64_t number) {
    struct tk_event_field field = tk_event_field(event, slot);
    uint8_t *at = (uint8_t *)event + field.at;
    uint32_t small = (uint32_t)number;
    if (field.type == TK_TYPE_U32) memcpy(at, &small, sizeof small);
    if (field.type == TK_TYPE_I64) memcpy(at, &number, sizeof number);
}

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
    static const char *const titles[TK_EV_COUNT] = {
#define TK_EVENT(owner, kind, family, subject, title, words) title,
#include "events.def"
    };
    return titles[kind];
}
