// SPDX-License-Identifier: MIT
//
// Stores names and settings from side inputs: event stream -> lookup -> model. Runs per name, not per event.
#include "handle.h"

_Static_assert((int)TK_EV_COUNT <= (int)TK_LOOKUP_OF_FORMAT, "kinds of events have numbers of their own in a lookup");

// Returns true for events without a time: names, kinds, the tick length. Active objects and custom tracks cannot be
// imported.
static bool is_imported(const struct tk_event *event) {
    enum tk_owner owner = tk_event_owner(event);
    if (event->timed || event->value_count || owner == TK_OWNER_ACTIVE_OBJECTS || owner == TK_OWNER_TRACKS)
        return false;
    return event->kind != TK_EV_PROBLEM && event->kind != TK_EV_SYMBOL_FALLBACK;
}

static void keep(struct tk_input *input, struct tk_event *event) {
    if (!is_imported(event)) return;
    uint32_t number = (uint32_t)tk_event_number(event, TK_SLOT_NUMBER);
    struct tk_lookup_entry entry = { .key = { tk_event_id(event), number, event->kind, event->core },
                                     .number = (uint64_t)tk_event_number(event, TK_SLOT_VALUE),
                                     .offset = event->offset,
                                     .frame = event->frame };
    tk_lookup_add(&input->lookup, &input->handle->alloc, &entry, event->str, event->str_len);
}

void tk_side_input_read(struct tk_input *input, struct tk_event_stream *stream) {
    while (tk_event_stream_has_event(stream)) {
        struct tk_event *event = tk_event_stream_pop(stream);
        if (event->kind == TK_EV_DEFERRED_RECORD) tk_pipeline_translate(input, event, keep);
        else keep(input, event);
    }
}

static void pass_lookup_to_inputs(const struct tk_input *side) {
    const struct tk_lookup *lookup = &side->lookup;
    for (uint32_t i = 0; i < lookup->count && !side->handle->alloc.failed; i++) {
        const struct tk_lookup_entry *entry = &lookup->entries[i];
        if (entry->key.space >= TK_LOOKUP_OF_FORMAT) continue;
        struct tk_event event = { .kind = entry->key.space, .core = entry->key.core };
        tk_event_set_number(&event, TK_SLOT_ID, entry->key.id);
        tk_event_set_number(&event, TK_SLOT_NUMBER, entry->key.more);
        tk_event_set_number(&event, TK_SLOT_VALUE, (int64_t)entry->number);
        size_t len;
        event.str = tk_strtab_text(&lookup->strings, entry->text, &len);
        event.str_len = (uint32_t)len;
        event.input = (uint8_t)side->number;
        event.offset = entry->offset;
        event.frame = entry->frame;
        tk_model_side_event(&side->handle->model, &event);
    }
}

void tk_side_input_finish(struct tk_input *side) {
    struct tk *handle = side->handle;
    bool takes_symbols =
        handle->format->info->takes_symbols || (handle->beside && handle->beside->beside_kind->info->takes_symbols);
    if (side->role == TK_ROLE_SYMBOLS && takes_symbols) return;
    if (side->role == TK_ROLE_TIMES && handle->format->info->takes_times) return;
    if (side->kind != handle->format) {
        tk_diag_count(&handle->diag, TK_DIAG_INPUT_UNUSED, &(struct tk_source_pos){ .input = side->number });
        return;
    }
    if (handle->last_lookup) handle->last_lookup->next = &side->lookup;
    else handle->lookup = &side->lookup;
    handle->last_lookup = &side->lookup;
    pass_lookup_to_inputs(side);
}
