// SPDX-License-Identifier: MIT
//
// Sequences: lines of time of their own, and lines of what is no time.
#include "flux.h"

#include <string.h>

static const uint64_t stretches[] = { 1, 1000, 1000000 };

// ---- Time ----------------------------------------------------------------------------------------

// A position where the scale of the axis is known. What lies before the smallest position then is drawn there.
static bool axis_time(const struct flux *flux, const struct flux_axis *axis, int64_t position, uint64_t *out_ns) {
    uint64_t distance = position > axis->least ? (uint64_t)position - (uint64_t)axis->least : 0;
    if (distance > ((uint64_t)1 << TK_AXIS_LIMIT_BITS) / axis->scale) return false;
    *out_ns = flux->first_ns + distance * axis->scale;
    return true;
}

static bool held_time(struct flux_axis *axis, int64_t position, uint64_t *out_ns) {
    if (position >= FLUX_HELD_BIAS || position <= -FLUX_HELD_BIAS) return false;
    if (position < axis->least) axis->least = position;
    if (position > axis->most) axis->most = position;
    *out_ns = (uint64_t)(position + FLUX_HELD_BIAS);
    return true;
}

bool flux_time(struct flux *flux, const struct flux_sequence *sequence, int64_t position, uint64_t *out_ns) {
    int64_t ns;
    if (sequence->axis) {
        struct flux_axis *axis = &flux->axes[sequence->axis - 1];
        return axis->scale ? axis_time(flux, axis, position, out_ns) : held_time(axis, position, out_ns);
    }
    if (!tk_unit_to_ns(sequence->unit, position, &ns)) return false;
    ns += flux->shift;
    if (ns > ((int64_t)1 << TK_AXIS_LIMIT_BITS) - sequence->offset_ns) return false;
    ns += sequence->offset_ns;
    if (ns < 0) {
        flux_note(flux, TK_DIAG_TIME_BEFORE_START, 1);
        ns = 0;
    }
    *out_ns = (uint64_t)ns;
    return true;
}

void flux_look_at_open(struct flux *flux, const struct flux_sequence *sequence) {
    struct flux_look *look = &flux->look;
    if (look->samples || !sequence->unit.num) return;
    for (int i = 0; i < 3; i++) {
        int64_t ns = 0;
        if (tk_unit_to_ns(tk_unit_stretch(sequence->unit, stretches[i]), sequence->start, &ns) && ns < look->least[i]) look->least[i] = ns;
    }
    if (!look->any_time) look->all_fine = true;
    look->any_time = true;
    look->all_fine &= tk_unit_is_fine(sequence->unit);
    look->any_femto |= sequence->unit.den > 1000;
}

// ---- What is no time -----------------------------------------------------------------------------

static uint32_t find_or_add_axis(struct flux *flux, const struct flux_sequence *sequence) {
    for (uint32_t i = 0; i < flux->axis_count; i++) {
        const struct flux_axis *axis = &flux->axes[i];
        if (axis->trace == sequence->trace && axis->domain_len == sequence->domain_len && !memcmp(axis->domain, sequence->domain, axis->domain_len)) return i + 1;
    }
    if (flux->axis_count == FLUX_MOST_AXES) return FLUX_MOST_AXES; // shares the last one
    struct flux_axis *axis = &flux->axes[flux->axis_count++];
    *axis = (struct flux_axis){ .trace = sequence->trace, .least = INT64_MAX, .most = INT64_MIN, .domain_len = sequence->domain_len };
    memcpy(axis->domain, sequence->domain, sequence->domain_len);
    return flux->axis_count;
}

// The largest power of ten that keeps the axis within the time of the recording.
static uint64_t scale_of(const struct flux *flux, const struct flux_axis *axis) {
    uint64_t extent = axis->most > axis->least ? (uint64_t)axis->most - (uint64_t)axis->least : 1, scale = 1;
    uint64_t time = flux->any_drawn && flux->last_ns > flux->first_ns ? flux->last_ns - flux->first_ns : 1000000000;
    while (scale <= UINT64_MAX / 100 && scale * 10 <= time / extent) scale *= 10;
    return scale;
}

// Told before the tracks below it are.
static void settle_axis(struct flux *flux, struct flux_axis *axis) {
    if (axis->least > axis->most) axis->least = axis->most = 0;
    axis->scale = scale_of(flux, axis);
    struct tk_value ends[2] = { { .name = "first", .type = TK_VALUE_INT, .number.i = axis->least }, { .name = "last", .type = TK_VALUE_INT, .number.i = axis->most } };
    struct tk_event told = { .kind = TK_EV_TRACK_AXIS, .input = (uint8_t)flux->host.input, .value = (int64_t)axis->scale, .str = axis->domain, .str_len = axis->domain_len };
    if (axis->root) told.id = flux->signals.signals[axis->root - 1].track;
    told.values = tk_arena_copy(&flux->batch->memory, ends, sizeof ends);
    told.value_count = told.values ? 2 : 0;
    *tk_batch_place(flux->batch) = told;
    tk_batch_add(flux->batch);
}

static void release(struct flux *flux, const struct tk_event *held) {
    struct tk_event *event = tk_batch_place(flux->batch);
    *event = *held;
    if (event->timed) axis_time(flux, &flux->axes[event->section - 1], (int64_t)event->ticks - FLUX_HELD_BIAS, &event->ticks);
    event->section = 0;
    tk_batch_add(flux->batch);
}

void flux_settle_axes(struct flux *flux) {
    if (flux->host.alloc->failed) return; // one place of those held served for several events
    flux->signals.batch = flux->batch;
    for (uint32_t i = 0; i < flux->axis_count; i++)
        if (!flux->axes[i].scale) settle_axis(flux, &flux->axes[i]);
    for (uint32_t i = 0; i < flux->held.count; i++) release(flux, &flux->held.events[i]);
    flux->held.count = 0;
}

// ---- Opening -------------------------------------------------------------------------------------

static uint32_t free_sequence(struct flux *flux) {
    enum { MOST_SEQUENCES = 16384 };
    uint32_t index = 0;
    while (index < flux->sequence_count && flux->sequences[index].number) index++;
    if (index == MOST_SEQUENCES || !tk_alloc_grow(flux->host.alloc, (void **)&flux->sequences, &flux->sequence_capacity, index + 1, sizeof *flux->sequences)) return TK_NONE;
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

// Over what was already drawn: behind it.
static void move_behind(struct flux *flux, struct flux_sequence *sequence, uint64_t drawn_until) {
    uint64_t ns;
    if (sequence->axis || !drawn_until || !flux_time(flux, sequence, sequence->position, &ns) || ns >= drawn_until - 1) return;
    sequence->moved += drawn_until - 1 - ns;
    sequence->offset_ns += (int64_t)(drawn_until - 1 - ns);
    flux_note(flux, TK_DIAG_SEQUENCE_MOVED, 1);
}

static uint32_t *slot_of(struct flux *flux, uint32_t item) { return item == TK_NONE ? &flux_current(flux)->sequence : &flux->items[item].sequence; }

void flux_open_sequence(struct flux *flux, uint32_t item, const struct flux_entry *entry) {
    struct flux_trace *trace = flux_current(flux);
    uint32_t open = *slot_of(flux, item);
    if (open) flux_close_sequence(flux, &flux->sequences[open - 1], flux->sequences[open - 1].position, TK_END_SEEN);
    uint32_t index = free_sequence(flux);
    if (index == TK_NONE) return;
    struct flux_sequence *sequence = &flux->sequences[index];
    *sequence = (struct flux_sequence){ .trace = flux->trace, .item = item == TK_NONE ? 0 : item + 1, .number = ++flux->sequence_numbers, .start = saturated(entry->x), .rate = saturated(entry->y) };
    sequence->position = sequence->start;
    set_domain(sequence, trace, entry->format);
    sequence->unit = tk_unit_parse(sequence->domain, sequence->domain_len);
    if (!flux->batch) flux_look_at_open(flux, sequence);
    if (sequence->unit.num) sequence->unit = tk_unit_stretch(sequence->unit, stretches[flux->fine]);
    if (!sequence->unit.num) sequence->axis = find_or_add_axis(flux, sequence);
    else trace->opened++;
    *slot_of(flux, item) = index + 1;
    trace->epoch++;
    if (flux->batch) move_behind(flux, sequence, item == TK_NONE ? trace->drawn_until : flux->items[item].drawn_until);
}

void flux_move_sequence(struct flux *flux, struct flux_sequence *sequence, int64_t position) {
    uint64_t before = 0;
    bool goes_back = position < sequence->position && sequence->first && flux->batch && flux_time(flux, sequence, sequence->position, &before);
    sequence->position = position;
    if (goes_back) move_behind(flux, sequence, before + 1);
}

// ---- Closing -------------------------------------------------------------------------------------

static void drawn_until(struct flux *flux, struct flux_item *item, uint64_t ns) {
    struct flux_trace *trace = &flux->traces[item->trace];
    if (trace->drawn_until <= ns) trace->drawn_until = ns + 1;
    for (unsigned depth = 0; depth < 64; depth++) {
        if (item->drawn_until <= ns) item->drawn_until = ns + 1;
        uint32_t parent = item->parent ? flux_find_item(flux, item->trace, item->parent) : TK_NONE;
        if (parent == TK_NONE) return;
        item = &flux->items[parent];
    }
}

// Ends the slices of what was drawn in a sequence.
static void close_items(struct flux *flux, struct flux_sequence *sequence, uint64_t ns, enum tk_end_mark mark) {
    uint32_t before = flux_begin_drawing(flux, sequence->axis);
    for (uint32_t next = sequence->first; next; next = flux->items[next - 1].next) {
        struct flux_item *item = &flux->items[next - 1];
        uint32_t handle = item->has_sample ? flux_handle(flux, next - 1, sequence->axis) : 0;
        item = &flux->items[next - 1];
        if (!handle) continue;
        if (!sequence->axis && mark != TK_END_OPEN_AT_GAP) flux_release_waiting(flux, next - 1, UINT64_MAX);
        tk_signals_close(&flux->signals, handle, ns, mark);
        if (!sequence->axis) drawn_until(flux, item, item->last_ns > ns ? item->last_ns : ns);
    }
    flux_end_drawing(flux, sequence->axis, before);
}

void flux_note_time(struct flux *flux, struct flux_trace *trace, uint64_t ns) {
    if (ns > trace->last_ns) trace->last_ns = ns;
    if (!flux->any_drawn || ns < flux->first_ns) flux->first_ns = ns;
    if (!flux->any_drawn || ns > flux->last_ns) flux->last_ns = ns;
    flux->any_drawn = true;
}

static void end_run(struct flux *flux, const struct flux_sequence *sequence, int64_t end, uint64_t end_ns, enum tk_end_mark mark) {
    struct flux_trace *trace = &flux->traces[sequence->trace];
    struct flux_run run = { .to = end_ns, .moved = sequence->moved, .start = sequence->start, .end = end, .rate = sequence->rate, .item = sequence->item, .domain_len = sequence->domain_len, .mark = (uint8_t)mark };
    memcpy(run.domain, sequence->domain, sizeof run.domain);
    if (!flux_time(flux, sequence, sequence->start, &run.from)) return;
    if (run.from > run.to) run.to = run.from;
    if (trace->opened < 2) {
        trace->first = run;
        trace->has_first = true;
        return;
    }
    if (trace->has_first) flux_map_run(flux, sequence->trace, &trace->first);
    trace->has_first = false;
    flux_map_run(flux, sequence->trace, &run);
}

static void empty_list(struct flux *flux, struct flux_sequence *sequence) {
    for (uint32_t next = sequence->first; next; next = flux->items[next - 1].next) flux->items[next - 1].listed_in = 0;
    sequence->first = 0;
}

void flux_close_sequence(struct flux *flux, struct flux_sequence *sequence, int64_t end, enum tk_end_mark mark) {
    struct flux_trace *trace = &flux->traces[sequence->trace];
    uint32_t index = (uint32_t)(sequence - flux->sequences);
    uint64_t ns = 0, last = 0;
    if (flux->batch && flux_time(flux, sequence, sequence->position, &last)) {
        if (!flux_time(flux, sequence, end, &ns) || ns < last) ns = last;
        if (end < sequence->position) end = sequence->position;
        close_items(flux, sequence, ns, mark);
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

// At a gap: what is open in the current trace ends, its sequences go on. At the end: everything.
void flux_close_all(struct flux *flux, enum tk_end_mark mark, bool only_slices) {
    for (uint32_t i = 0; i < flux->sequence_count; i++) {
        struct flux_sequence *sequence = &flux->sequences[i];
        uint64_t ns;
        if (!sequence->number || (only_slices && sequence->trace != flux->trace)) continue;
        if (!only_slices) flux_close_sequence(flux, sequence, sequence->position, mark);
        else if (flux_time(flux, sequence, sequence->position, &ns)) close_items(flux, sequence, ns, mark);
    }
}
