// SPDX-License-Identifier: MIT
#include "emit.h"

#include "../../base/utf8.h"

enum { MAX_TRACKS = 65536, MAX_WITH_CHILDREN = 49152 };

struct tk_span tk_emit_copy(struct tk_signals *signals, struct tk_span text) {
    const char *copy = text.len ? tk_arena_copy(&signals->batch->memory, text.text, text.len) : "";
    return (struct tk_span){ copy, copy ? text.len : 0 };
}

// Copies a text as valid UTF-8; names of symbols are not cleaned later.
static struct tk_span clean_copy(struct tk_signals *signals, struct tk_span text) {
    size_t bad;
    if (tk_utf8_is_clean((const uint8_t *)text.text, text.len)) return tk_emit_copy(signals, text);
    uint8_t *copy = tk_arena_reserve(&signals->batch->memory, (size_t)text.len * TK_UTF8_GROWTH);
    if (!copy) return (struct tk_span){ "", 0 };
    size_t len = tk_utf8_clean((const uint8_t *)text.text, text.len, copy, &bad);
    tk_arena_commit(&signals->batch->memory, len);
    return (struct tk_span){ (const char *)copy, (uint32_t)len };
}

struct tk_value *tk_detail(struct tk_signals *signals, struct tk_span name, enum tk_value_type type) {
    if (signals->value_count == TK_MAX_DETAILS) return NULL;
    struct tk_value *value = &signals->values[signals->value_count++];
    *value = (struct tk_value){ .name = name.len ? name.text : NULL,
                                .name_len = (uint16_t)(name.len < 256 ? name.len : 256),
                                .type = (uint8_t)type };
    return value;
}

void tk_detail_text(struct tk_signals *signals, const char *name, struct tk_span text) {
    struct tk_value *value = tk_detail(signals, tk_span_of(name), TK_VALUE_TEXT);
    if (!value) return;
    text = tk_emit_copy(signals, text);
    value->text = text.text;
    value->text_len = text.len;
}

void tk_detail_int(struct tk_signals *signals, const char *name, int64_t number) {
    struct tk_value *value = tk_detail(signals, tk_span_of(name), TK_VALUE_INT);
    if (value) value->number.i = number;
}

void tk_detail_uint(struct tk_signals *signals, const char *name, uint64_t number) {
    struct tk_value *value = tk_detail(signals, tk_span_of(name), TK_VALUE_UINT);
    if (value) value->number.u = number;
}

// Starts the next event with the details collected for it.
static struct tk_event *begin(struct tk_signals *signals, enum tk_event_kind kind) {
    const struct tk_value *values = NULL;
    uint32_t count = signals->value_count;
    if (count) values = tk_arena_copy(&signals->batch->memory, signals->values, count * sizeof *values);
    struct tk_event *event = tk_batch_slot(signals->batch);
    *event = signals->at;
    event->kind = (uint8_t)kind;
    event->values = values;
    event->value_count = (uint8_t)(values ? count : 0);
    signals->value_count = 0;
    return event;
}

static struct tk_event *begin_at(struct tk_signals *signals, enum tk_event_kind kind, uint64_t ns) {
    struct tk_event *event = begin(signals, kind);
    event->timed = true;
    event->ticks = ns;
    return event;
}

static void draw(struct tk_signals *signals, enum tk_event_kind kind, uint32_t track, const struct tk_drawable *drawn) {
    struct tk_span name = drawn->symbol ? (struct tk_span){ "", 0 } : tk_emit_copy(signals, drawn->name);
    struct tk_event *event = begin_at(signals, kind, drawn->ns);
    event->str = name.text;
    event->str_len = name.len;
    event->mark = drawn->mark;
    struct tk_event_track_slice *slice = &event->track_slice;
    *slice = (struct tk_event_track_slice){
        .track = track, .name = drawn->symbol, .flow = drawn->flow, .correlation = drawn->correlation
    };
    if (drawn->mark & TK_SAMPLE_DOUBLE) slice->number.real = drawn->number;
    else if (drawn->mark & TK_SAMPLE_INTEGER) slice->number.integer = drawn->value;
    else slice->number.flow_end = drawn->flow_end;
    tk_batch_add(signals->batch);
}

void tk_emit_state(struct tk_signals *signals, uint32_t track, const struct tk_drawable *drawn) {
    if (track) draw(signals, TK_EV_TRACK_STATE, track, drawn);
    signals->value_count = 0;
}

void tk_emit_instant(struct tk_signals *signals, uint32_t track, const struct tk_drawable *drawn) {
    if (track) draw(signals, TK_EV_TRACK_INSTANT, track, drawn);
    signals->value_count = 0;
}

void tk_emit_end(struct tk_signals *signals, uint32_t track, uint64_t ns, enum tk_end_mark mark) {
    if (!track) return;
    struct tk_event *event = begin_at(signals, TK_EV_TRACK_END, ns);
    event->track_end.track = track;
    event->mark = (uint8_t)mark;
    tk_batch_add(signals->batch);
}

void tk_emit_count(struct tk_signals *signals, uint32_t track, uint64_t ns, int64_t value, unsigned mark) {
    if (track) {
        struct tk_event *event = begin_at(signals, TK_EV_TRACK_COUNT, ns);
        event->track_count = (struct tk_event_track_count){ .track = track, .number = value };
        event->mark = (uint8_t)mark;
        tk_batch_add(signals->batch);
    }
    signals->value_count = 0;
}

void tk_emit_number(struct tk_signals *signals, uint32_t track, uint64_t ns, double value, unsigned mark) {
    if (track) {
        struct tk_event *event = begin_at(signals, TK_EV_TRACK_COUNT_DOUBLE, ns);
        event->track_count_double = (struct tk_event_track_count_double){ .track = track, .number = value };
        event->mark = (uint8_t)mark;
        tk_batch_add(signals->batch);
    }
    signals->value_count = 0;
}

void tk_emit_name(struct tk_signals *signals, uint32_t symbol, struct tk_span name) {
    uint32_t collected = signals->value_count;
    signals->value_count = 0;
    name = clean_copy(signals, name);
    struct tk_event *event = begin(signals, TK_EV_SYMBOL_NAME);
    event->name.entity = symbol;
    event->str = name.text;
    event->str_len = name.len;
    tk_batch_add(signals->batch);
    signals->value_count = collected;
}

const struct tk_kind_words tk_signal_kinds[] = {
    { TK_EV_TRACK_STATE, "state of a signal" },        { TK_EV_TRACK_END, "end of a state" },
    { TK_EV_TRACK_INSTANT, "event of a signal" },      { TK_EV_TRACK_COUNT, "value of a signal" },
    { TK_EV_TRACK_COUNT_DOUBLE, "value of a signal" }, { 0, NULL }
};

// Names of the shapes in the table of signals.
static const char *const types[TK_SHAPES] = {
    "",       "event",  "integer",     "float",         "text",        "logic",
    "binary", "struct", "event array", "integer array", "float array", "text array"
};

void tk_emit_track(struct tk_signals *signals, uint32_t track, const struct tk_track_words *words) {
    struct tk_span name = tk_emit_copy(signals, words->name), unit = tk_emit_copy(signals, words->unit);
    struct tk_span description = tk_emit_copy(signals, words->description);
    struct tk_track_def def = { .parent_kind = words->parent ? TK_PARENT_TRACK : TK_PARENT_ROOT,
                                .type = (uint8_t)words->type,
                                .parent = words->parent,
                                .rank = words->rank,
                                .share = words->share,
                                .unit = unit.text,
                                .unit_len = (uint16_t)unit.len,
                                .description = description.text,
                                .description_len = description.len };
    if (words->signal) {
        struct tk_span type = tk_span_of(types[words->signal->def.shape]);
        def.in_signals = true, def.is_untimed = words->signal->is_untimed, def.number = words->signal->def.number;
        def.type_words = type.text, def.type_words_len = (uint16_t)type.len;
    }
    uint32_t collected = signals->value_count;
    const struct tk_track_def *kept = tk_arena_copy(&signals->batch->memory, &def, sizeof def);
    if (!track || !kept) return;
    signals->value_count = 0;
    struct tk_event *event = begin(signals, TK_EV_TRACK_DEFINED);
    event->str = name.text;
    event->str_len = name.len;
    event->track_defined = (struct tk_event_track_defined){ .track = track, .definition = kept };
    tk_batch_add(signals->batch);
    signals->value_count = collected;
}

uint32_t tk_new_track(struct tk_signals *signals, bool is_child) {
    if (signals->tracks < (is_child ? MAX_WITH_CHILDREN : MAX_TRACKS)) return ++signals->tracks;
    tk_diag_note(signals->diag, TK_DIAG_TOO_MANY, NULL, 1);
    return 0;
}
