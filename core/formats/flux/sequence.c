// SPDX-License-Identifier: MIT
//
// Sequences: sections of a trace with a time line of their own, or with positions on an axis that is no time.
#include "flux.h"

#include <string.h>

static const uint64_t stretches[] = { 1, 1000, 1000000 };

// ---- Time ----------------------------------------------------------------------------------------

// Computes the time of a position on an axis with a known scale. Positions before the smallest one are drawn at that
// one.
static bool axis_time(const struct flux *flux, const struct flux_axis *axis, int64_t position, uint64_t *out_ns) {
    uint64_t distance = position > axis->least ? (uint64_t)position - (uint64_t)axis->least : 0;
    if (distance > ((uint64_t)1 << TK_AXIS_LIMIT_BITS) / axis->scale) return false;
    *out_ns = flux->first_ns + distance * axis->scale;
    return true;
}

static bool deferred_time(struct flux_axis *axis, int64_t position, uint64_t *out_ns) {
    if (position >= FLUX_DEFERRED_BIAS || position <= -FLUX_DEFERRED_BIAS) return false;
    if (position < axis->least) axis->least = position;
    if (position > axis->most) axis->most = position;
    *out_ns = (uint64_t)(position + FLUX_DEFERRED_BIAS);
    return true;
}

// Computes the place of a position: ns on the time line, negative before the start of the trace, or a position on the
// axis.
static bool place_of(const struct flux *flux, const struct flux_sequence *sequence, int64_t position,
                     int64_t *out_place) {
    int64_t place = position, limit = (int64_t)1 << TK_AXIS_LIMIT_BITS;
    if (!sequence->axis) {
        if (!tk_unit_to_ns(sequence->unit, position, &place)) return false;
        place += flux->shift;
    }
    if (place <= -limit || place > limit - sequence->offset) return false;
    *out_place = place + sequence->offset;
    return true;
}

bool flux_time(struct flux *flux, const struct flux_sequence *sequence, int64_t position, uint64_t *out_ns) {
    int64_t ns;
    if (!place_of(flux, sequence, position, &ns)) return false;
    if (sequence->axis) {
        struct flux_axis *axis = &flux->axes[sequence->axis - 1];
        return axis->scale ? axis_time(flux, axis, ns, out_ns) : deferred_time(axis, ns, out_ns);
    }
    if (ns < 0) {
        flux_note(flux, TK_DIAG_TIME_BEFORE_START, 1);
        ns = 0;
    }
    *out_ns = (uint64_t)ns;
    return true;
}

void flux_note_sequence_start(struct flux *flux, const struct flux_sequence *sequence) {
    struct flux_trial_result *trial_result = &flux->trial_result;
    if (trial_result->samples || !sequence->unit.num) return;
    for (int i = 0; i < 3; i++) {
        int64_t ns = 0;
        if (tk_unit_to_ns(tk_unit_stretch(sequence->unit, stretches[i]), sequence->start, &ns) &&
            ns < trial_result->least[i])
            trial_result->least[i] = ns;
    }
    if (!trial_result->any_time) trial_result->all_fine = true;
    trial_result->any_time = true;
    trial_result->all_fine &= tk_unit_is_fine(sequence->unit);
    trial_result->any_femto |= sequence->unit.den > 1000;
}

// ---- What is no time -----------------------------------------------------------------------------

static uint32_t find_or_add_axis(struct flux *flux, const struct flux_sequence *sequence) {
    for (uint32_t i = 0; i < flux->axis_count; i++) {
        const struct flux_axis *axis = &flux->axes[i];
        if (axis->trace == sequence->trace && axis->domain_len == sequence->domain_len &&
            !memcmp(axis->domain, sequence->domain, axis->domain_len))
            return i + 1;
    }
    if (flux->axis_count == FLUX_MAX_AXES) return FLUX_MAX_AXES; // the last axis is shared
    struct flux_axis *axis = &flux->axes[flux->axis_count++];
    *axis = (struct flux_axis){
        .trace = sequence->trace, .least = INT64_MAX, .most = INT64_MIN, .domain_len = sequence->domain_len
    };
    memcpy(axis->domain, sequence->domain, sequence->domain_len);
    return flux->axis_count;
}

// Returns the largest power of ten with which the axis is no longer than the time of the recording.
static uint64_t scale_of(const struct flux *flux, const struct flux_axis *axis) {
    uint64_t extent = axis->most > axis->least ? (uint64_t)axis->most - (uint64_t)axis->least : 1, scale = 1;
    uint64_t time = flux->any_drawn && flux->last_ns > flux->first_ns ? flux->last_ns - flux->first_ns : 1000000000;
    while (scale <= UINT64_MAX / 100 && scale * 10 <= time / extent) scale *= 10;
    return scale;
}

// Sets the scale of an axis and describes its track, before the tracks below it are described.
static void finalise_axis(struct flux *flux, struct flux_axis *axis) {
    if (axis->least > axis->most) axis->least = axis->most = 0;
    axis->scale = scale_of(flux, axis);
    struct tk_value ends[2] = { { .name = "first", .type = TK_VALUE_INT, .number.i = axis->least },
                                { .name = "last", .type = TK_VALUE_INT, .number.i = axis->most } };
    struct tk_event axis_event = { .kind = TK_EV_TRACK_AXIS,
                                   .input = (uint8_t)flux->host.input,
                                   .track_axis.shown_ns = (int64_t)axis->scale,
                                   .str = axis->domain,
                                   .str_len = axis->domain_len };
    if (axis->root) axis_event.track_axis.track = flux->signals.signals[axis->root - 1].track;
    axis_event.values = tk_arena_copy(&flux->batch->memory, ends, sizeof ends);
    axis_event.value_count = axis_event.values ? 2 : 0;
    *tk_batch_slot(flux->batch) = axis_event;
    tk_batch_add(flux->batch);
}

static void release(struct flux *flux, const struct tk_event *deferred) {
    struct tk_event *event = tk_batch_slot(flux->batch);
    *event = *deferred;
    if (event->timed)
        axis_time(flux, &flux->axes[event->section - 1], (int64_t)event->ticks - FLUX_DEFERRED_BIAS, &event->ticks);
    event->section = 0;
    tk_batch_add(flux->batch);
}

void flux_resolve_axes(struct flux *flux) {
    if (flux->host.alloc->failed)
        return; // without memory the deferred events are incomplete: several used the same slot
    flux->signals.batch = flux->batch;
    for (uint32_t i = 0; i < flux->axis_count; i++)
        if (!flux->axes[i].scale) finalise_axis(flux, &flux->axes[i]);
    for (uint32_t i = 0; i < flux->deferred.count; i++) release(flux, &flux->deferred.events[i]);
    flux->deferred.count = 0;
}

// ---- Opening -------------------------------------------------------------------------------------

static uint32_t free_sequence(struct flux *flux) {
    enum { MOST_SEQUENCES = 16384 };
    uint32_t index = 0;
    while (index < flux->sequence_count && flux->sequences[index].number) index++;
    if (index == MOST_SEQUENCES || !tk_alloc_grow(flux->host.alloc, (void **)&flux->sequences, &flux->sequence_capacity,
                                                  index + 1, sizeof *flux->sequences))
        return TK_NONE;
    if (index == flux->sequence_count) flux->sequence_count++;
    return index;
}

static void set_domain(struct flux_sequence *sequence, const struct flux_trace *trace, struct flux_bytes domain) {
    sequence->domain_len = (uint8_t)tk_text_cut((const char *)domain.at, domain.len, FLUX_DOMAIN_LEN);
    if (domain.len) memcpy(sequence->domain, domain.at, sequence->domain_len);
    if (domain.len) return;
    sequence->domain_len = trace->domain_len;
    memcpy(sequence->domain, trace->domain, trace->domain_len);
}

static int64_t saturated(struct flux_bytes number) {
    if (flux_fits(number)) return flux_integer(number);
    return number.at[number.len - 1] & 0x80 ? INT64_MIN : INT64_MAX;
}

static struct flux_drawn_until drawn_at(const struct flux *flux, const struct flux_sequence *sequence,
                                        int64_t position) {
    int64_t place;
    if (!place_of(flux, sequence, position, &place)) return (struct flux_drawn_until){ 0 };
    return sequence->axis ? (struct flux_drawn_until){ .axis = sequence->axis, .place = place }
                          : (struct flux_drawn_until){ .until = place < 0 ? 1 : (uint64_t)place + 1 };
}

// Moves a sequence after what is already drawn, if it would overlap that.
static void shift_after_drawn(struct flux *flux, struct flux_sequence *sequence, const struct flux_drawn_until *drawn) {
    bool is_drawn = sequence->axis ? drawn->axis == sequence->axis : drawn->until > 0;
    int64_t place, until = sequence->axis ? drawn->place : (int64_t)drawn->until - 1;
    if (!is_drawn || !place_of(flux, sequence, sequence->position, &place) || place >= until) return;
    sequence->offset += until - place;
    flux_note(flux, TK_DIAG_SEQUENCE_MOVED, 1);
}

// Returns the end of what earlier sequences drew for the same item, or for the trace.
static const struct flux_drawn_until *drawn_before(const struct flux *flux, const struct flux_sequence *sequence) {
    return sequence->item ? &flux->items[sequence->item - 1].drawn : &flux->traces[sequence->trace].drawn;
}

static uint32_t *slot_of(struct flux *flux, uint32_t item) {
    return item == TK_NONE ? &flux_current(flux)->sequence : &flux->items[item].sequence;
}

void flux_open_sequence(struct flux *flux, uint32_t item, const struct flux_entry *entry) {
    struct flux_trace *trace = flux_current(flux);
    uint32_t open = *slot_of(flux, item);
    if (open) flux_close_sequence(flux, &flux->sequences[open - 1], flux->sequences[open - 1].position, TK_END_SEEN);
    uint32_t index = free_sequence(flux);
    if (index == TK_NONE) return;
    struct flux_sequence *sequence = &flux->sequences[index];
    *sequence = (struct flux_sequence){ .trace = flux->trace,
                                        .item = item == TK_NONE ? 0 : item + 1,
                                        .number = ++flux->sequence_numbers,
                                        .start = saturated(entry->x),
                                        .rate = saturated(entry->y) };
    sequence->position = sequence->start;
    set_domain(sequence, trace, entry->format);
    sequence->unit = tk_unit_parse(sequence->domain, sequence->domain_len);
    if (!flux->batch) flux_note_sequence_start(flux, sequence);
    if (sequence->unit.num) sequence->unit = tk_unit_stretch(sequence->unit, stretches[flux->fine]);
    if (!sequence->unit.num) sequence->axis = find_or_add_axis(flux, sequence);
    else trace->opened++;
    *slot_of(flux, item) = index + 1;
    trace->epoch++;
    if (!flux->batch) return;
    shift_after_drawn(flux, sequence, drawn_before(flux, sequence));
    sequence->offset_at_start = sequence->offset;
}

void flux_move_sequence(struct flux *flux, struct flux_sequence *sequence, int64_t position) {
    struct flux_drawn_until before = drawn_at(flux, sequence, sequence->position);
    bool has_place = before.axis || before.until, goes_back = position < sequence->position || !has_place;
    sequence->position = position;
    if (goes_back && flux->batch)
        shift_after_drawn(flux, sequence, sequence->is_used && has_place ? &before : drawn_before(flux, sequence));
}

// ---- Closing -------------------------------------------------------------------------------------

static void add_drawn(struct flux_drawn_until *drawn, const struct flux_drawn_until *more) {
    if (more->until > drawn->until) drawn->until = more->until;
    if (more->axis && (drawn->axis != more->axis || drawn->place < more->place))
        drawn->axis = more->axis, drawn->place = more->place;
}

void flux_note_ahead(struct flux *flux, struct flux_item *item, const struct flux_sequence *sequence,
                     int64_t position) {
    struct flux_drawn_until drawn = drawn_at(flux, sequence, position);
    add_drawn(&item->drawn, &drawn);
}

void flux_note_drawn(struct flux *flux, struct flux_item *item, const struct flux_drawn_until *drawn) {
    add_drawn(&flux->traces[item->trace].drawn, drawn);
    for (unsigned depth = 0; depth < 64; depth++) {
        add_drawn(&item->drawn, drawn);
        uint32_t parent = item->parent ? flux_find_item(flux, item->trace, item->parent) : TK_NONE;
        if (parent == TK_NONE) return;
        item = &flux->items[parent];
    }
}

static void empty_list(struct flux *flux, struct flux_sequence *sequence) {
    for (uint32_t next = sequence->first; next; next = flux->items[next - 1].next) flux->items[next - 1].listed_in = 0;
    sequence->first = 0;
}

// Ends the open slices of all items that were drawn in a sequence.
static void close_items(struct flux *flux, struct flux_sequence *sequence, int64_t position, uint64_t ns,
                        enum tk_end_mark mark) {
    struct flux_drawn_until drawn = drawn_at(flux, sequence, position);
    uint32_t before = flux_begin_drawing(flux, sequence->axis);
    for (uint32_t next = sequence->first; next; next = flux->items[next - 1].next) {
        struct flux_item *item = &flux->items[next - 1];
        uint32_t handle = item->has_sample ? flux_handle(flux, next - 1, sequence->axis) : 0;
        item = &flux->items[next - 1];
        if (!handle) continue;
        if (!sequence->axis && mark != TK_END_OPEN_AT_GAP) flux_release_waiting(flux, next - 1, UINT64_MAX);
        tk_signals_close(&flux->signals, handle, ns, mark);
        add_drawn(&item->drawn, &drawn); // samples may be later than the position of their sequence
        flux_note_drawn(flux, item, &item->drawn);
    }
    empty_list(flux, sequence);
    flux_end_drawing(flux, sequence->axis, before);
}

void flux_note_time(struct flux *flux, struct flux_trace *trace, uint64_t ns) {
    if (ns > trace->last_ns) trace->last_ns = ns;
    if (!flux->any_drawn || ns < flux->first_ns) flux->first_ns = ns;
    if (!flux->any_drawn || ns > flux->last_ns) flux->last_ns = ns;
    flux->any_drawn = trace->has_drawn = true;
}

uint64_t flux_now(struct flux *flux) {
    const struct flux_trace *trace = flux_current(flux);
    return trace->has_drawn ? trace->last_ns : flux->last_ns;
}

static void end_run(struct flux *flux, const struct flux_sequence *sequence, int64_t end, uint64_t end_ns,
                    enum tk_end_mark mark) {
    struct flux_trace *trace = &flux->traces[sequence->trace];
    struct flux_ended_sequence run = { .to = end_ns,
                                       .offset = (uint64_t)sequence->offset,
                                       .start = sequence->start,
                                       .end = end,
                                       .rate = sequence->rate,
                                       .item = sequence->item,
                                       .domain_len = sequence->domain_len,
                                       .mark = (uint8_t)mark };
    memcpy(run.domain, sequence->domain, sizeof run.domain);
    struct flux_sequence opened = *sequence;
    opened.offset = sequence->offset_at_start;
    if (!sequence->is_used || !flux_time(flux, &opened, sequence->start, &run.from)) return;
    if (run.from > run.to) run.to = run.from;
    if (++trace->runs == 2) flux_map_run(flux, sequence->trace, &trace->first);
    if (trace->runs == 1) trace->first = run;
    else flux_map_run(flux, sequence->trace, &run);
}

void flux_close_sequence(struct flux *flux, struct flux_sequence *sequence, int64_t end, enum tk_end_mark mark) {
    struct flux_trace *trace = &flux->traces[sequence->trace];
    uint32_t index = (uint32_t)(sequence - flux->sequences);
    uint64_t ns = 0, last = 0;
    if (flux->batch && flux_time(flux, sequence, sequence->position, &last)) {
        if (end < sequence->position || !flux_time(flux, sequence, end, &ns)) end = sequence->position, ns = last;
        close_items(flux, sequence, end, ns, mark);
        sequence = &flux->sequences[index];
        trace = &flux->traces[sequence->trace];
        if (!sequence->axis) end_run(flux, sequence, end, ns, mark), flux_note_time(flux, trace, ns);
    }
    empty_list(flux, sequence);
    if (sequence->item) flux->items[sequence->item - 1].sequence = 0;
    else trace->sequence = 0;
    sequence->number = 0;
    trace->epoch++;
}

// Ends open slices. only_slices (at a gap): those of the current trace, whose sequences stay open. Otherwise all
// sequences end.
void flux_close_all(struct flux *flux, enum tk_end_mark mark, bool only_slices) {
    for (uint32_t i = 0; i < flux->sequence_count; i++) {
        struct flux_sequence *sequence = &flux->sequences[i];
        uint64_t ns;
        if (!sequence->number || (only_slices && sequence->trace != flux->trace)) continue;
        if (!only_slices) flux_close_sequence(flux, sequence, sequence->position, mark);
        else if (flux_time(flux, sequence, sequence->position, &ns))
            close_items(flux, sequence, sequence->position, ns, mark);
    }
}
