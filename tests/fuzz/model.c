// SPDX-License-Identifier: MIT
//
// Random events passed directly to the model, followed by a filter for a time range or none. Byte 0: options; 1: the
// range; then events, each of a kind, flags and the fields that the flags select. The contract of the timeline must
// hold.
#include <string.h>

#include "common/check.h"
#include "common/heap.h"
#include "common/sink_check.h"
#include "common/take.h"
#include "model/model.h"
#include "model/timeline/time_range.h"

enum { MAX_EVENTS = 600 };

static struct sink_check sink_check;
static struct tk_model model;
static struct tk_diag diag;
static struct tk_time_range range;

// ---- Events
// ------------------------------------------------------------------------------------------------------------

struct script {
    struct take from;
    struct tk_event event; // the last event; header fields keep their value until the script changes them
    uint64_t more[2];      // the last numbers: the fields that generic code does not see, and those in slots
    uint32_t id, number;
    int64_t value;
    char text[32];
    struct tk_value values[2];
    unsigned count;
    bool objects; // events of active objects, else of an RTOS: no recording has both
};

// The model gets repaired names.
static void take_text(struct script *script) {
    size_t len;
    const uint8_t *bytes = take_bytes(&script->from, take_byte(&script->from) % sizeof script->text, &len);
    for (size_t i = 0; i < len; i++) script->text[i] = (char)(' ' + bytes[i] % 95);
    script->event.str = script->text;
    script->event.str_len = (uint32_t)len;
}

static void take_values(struct script *script) {
    static const char *const names[] = { "sig", "obj", "u32", "f64", "str", "priority" };
    unsigned count = 1 + take_byte(&script->from) % 2;
    for (unsigned i = 0; i < count; i++) {
        struct tk_value *value = &script->values[i];
        *value = (struct tk_value){ .name = names[take_byte(&script->from) % 6],
                                    .type = (uint8_t)(take_byte(&script->from) % (TK_VALUE_SYMBOL + 1)) };
        value->number.u = take_number(&script->from);
        value->text = script->text;
        value->text_len = (uint32_t)(value->type == TK_VALUE_TEXT ? script->event.str_len : 0);
    }
    script->event.values = script->values;
    script->event.value_count = (uint8_t)count;
}

// Enumerations that the formats set from their tables.
static void keep_legal(struct tk_event *event) {
    static const bool untimed[TK_EV_COUNT] = {
        [TK_EV_TICK_LENGTH] = true,     [TK_EV_ISR_NAME] = true,         [TK_EV_MARKER_NAME] = true,
        [TK_EV_VALUE_NAME] = true,      [TK_EV_TASK_MARKER_NAME] = true, [TK_EV_TASK_VALUE_NAME] = true,
        [TK_EV_TASK_NAME] = true,       [TK_EV_TASK_IS_IDLE] = true,     [TK_EV_TASK_IS_TIMER] = true,
        [TK_EV_QUEUE_NAME] = true,      [TK_EV_QUEUE_KIND] = true,       [TK_EV_SYMBOL_NAME] = true,
        [TK_EV_SYMBOL_FALLBACK] = true, [TK_EV_PROBLEM] = true
    };
    if (event->kind == TK_EV_PROBLEM) event->problem.diag %= TK_DIAG_COUNT;
    if (event->kind == TK_EV_DROP_COUNT) {
        event->drop_count.where %= TK_LOST_SOMEWHERE + 1;
        event->drop_count.counter %= TK_CLOCK_CORES;
    }
    if (event->kind == TK_EV_EVENTS_LOST) event->events_lost.where %= TK_LOST_SOMEWHERE + 1;
    if (event->kind == TK_EV_SECTION_BEGIN) event->section_begin.where %= TK_LOST_SOMEWHERE + 1;
    if (event->kind == TK_EV_RTC_STEP_END) event->rtc_step.outcome = (int64_t)((uint64_t)event->rtc_step.outcome % 3);
    if (event->kind == TK_EV_OBJECT_ACTION)
        event->object_action.note = (int64_t)((uint64_t)event->object_action.note % TK_NOTES);
    if (event->kind == TK_EV_NOTE) event->note.track %= TK_NOTE_TRACKS;
    if (event->kind == TK_EV_CORE) event->core_tag.core %= TK_CLOCK_CORES;
    enum tk_owner owner = tk_event_owner(event);
    if (untimed[event->kind]) event->timed = false;
    else if (owner != TK_OWNER_ACTIVE_OBJECTS && owner != TK_OWNER_TRACKS) event->timed = true;
}

// Whether the id is among those of this script.
static bool is_chosen(const struct script *script, uint8_t kind) {
    enum tk_owner owner = (enum tk_owner)tk_event_owners[kind];
    if (owner == TK_OWNER_RECORDING) return true;
    if (script->objects)
        return owner == TK_OWNER_SYMBOLS || owner == TK_OWNER_ACTIVE_OBJECTS || kind == TK_EV_ISR_NAME ||
               kind == TK_EV_ISR_ENTER || kind == TK_EV_ISR_EXIT;
    return owner == TK_OWNER_RTOS || owner == TK_OWNER_MARKERS;
}

static uint8_t choose_kind(struct script *script) {
    uint8_t kinds[TK_EV_COUNT];
    unsigned count = 0;
    for (unsigned kind = 0; kind < TK_EV_COUNT; kind++)
        if (is_chosen(script, (uint8_t)kind)) kinds[count++] = (uint8_t)kind;
    return kinds[take_byte(&script->from) % count];
}

static bool next_event(struct script *script, struct tk_event *out_event) {
    struct tk_event *event = &script->event;
    if (!take_left(&script->from) || script->count++ == MAX_EVENTS) return false;
    event->kind = choose_kind(script);
    unsigned flags = take_byte(&script->from);
    event->timed = true;
    event->value_count = 0;
    if (flags & 1) event->ticks += take_number(&script->from);
    if (flags & 2) script->id = (uint32_t)take_number(&script->from);
    if (flags & 4) script->number = (uint32_t)take_number(&script->from);
    if (flags & 8) script->value = (int64_t)take_number(&script->from);
    if (flags & 16) take_text(script);
    if (flags & 32) script->more[0] = (uint32_t)take_number(&script->from);
    if (flags & 64) event->core = (uint8_t)(take_byte(&script->from) % TK_CLOCK_CORES);
    if (flags & 128) {
        unsigned more = take_byte(&script->from);
        if (more & 1) event->section++;
        if (more & 2) event->timed = false;
        if (more & 4) take_values(script);
        if (more & 8) event->ticks = take_number(&script->from);
        if (more & 16) script->more[1] = take_number(&script->from);
    }
    event->payload = (struct tk_event_payload){ { 0, 0, script->more[0], script->more[1] } };
    tk_event_set_number(event, TK_SLOT_ID, script->id);
    tk_event_set_number(event, TK_SLOT_NUMBER, script->number);
    tk_event_set_number(event, TK_SLOT_VALUE, script->value);
    keep_legal(event);
    event->offset++;
    event->frame++;
    *out_event = *event;
    return true;
}

// Repeats the last event with increasing ids, so that tables grow.
static void repeat(struct tk_event event, unsigned times) {
    for (unsigned i = 1; i <= times; i++) {
        struct tk_event copy = event;
        tk_event_set_number(&copy, TK_SLOT_ID, tk_event_id(&copy) + i);
        copy.ticks += i;
        keep_legal(&copy);
        tk_model_event(&model, &copy);
    }
}

// ---- Tables: every row has a cell per column
// -----------------------------------------------------------------------------

static uint32_t columns, cells;

static void begin_table(void *ctx, const struct tk_table *table) {
    (void)ctx;
    columns = table->column_count;
    cells = 0;
}

static void add_cell(void *ctx, const struct tk_cell *cell) {
    (void)ctx;
    check(cell->type != TK_CELL_TEXT || cell->len <= 4 * TK_DISPLAY_LEN);
    cells++;
}

static void end_table(void *ctx) {
    (void)ctx;
    check(cells % columns == 0);
}

static void check_tables(void) {
    static const struct tk_table_sink tables = { NULL, begin_table, add_cell, end_table, 1 };
    tk_model_tables(&model, &tables);
}

// ---- One run
// -----------------------------------------------------------------------------------------------------------

static uint64_t one_ns(const void *ctx) {
    (void)ctx;
    return 1;
}

static struct tk_track_sink choose_sink(unsigned range_bits, struct tk_alloc *alloc) {
    struct tk_track_sink sink = sink_check_start(&sink_check);
    sink_check.tracks_by_name = true;
    if (!(range_bits & 1)) return sink;
    memset(&range, 0, sizeof range);
    range.from_ns = range_bits & 2 ? (range_bits >> 3) * 4 : 0;
    range.to_ns = range_bits & 4 ? (range_bits >> 3) * 8 : INT64_MAX;
    range.tick_ns = one_ns;
    tk_time_range_init(&range, alloc, &sink);
    sink_check.from = range.from_ns;
    sink_check.to = range.to_ns;
    return tk_time_range_sink(&range);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len) {
    static struct script script;
    struct tk_alloc alloc = heap_alloc();
    struct tk_event event;
    memset(&script, 0, sizeof script);
    script.from = (struct take){ data, data + len };
    script.event.str = script.text;
    unsigned options = take_byte(&script.from), range_bits = take_byte(&script.from), side_events = options >> 4 & 7;
    script.objects = options & 0x80;
    struct tk_track_sink sink = choose_sink(range_bits, &alloc);
    tk_diag_init(&diag);
    tk_model_init(&model, &alloc, &diag, &sink);
    static const struct tk_tracker *const of_tasks[] = { &tk_tracker_rtos, &tk_tracker_markers, NULL };
    static const struct tk_tracker *const of_objects[] = { &tk_tracker_rtos, &tk_tracker_markers,
                                                           &tk_tracker_active_objects, NULL };
    tk_model_need_trackers(&model, script.objects ? of_objects : of_tasks);
    model.raw_events = options & 1;
    model.side = options & 2;
    for (unsigned count = 0; next_event(&script, &event); count++) {
        if (count == side_events) model.side = false;
        struct tk_event again = event;
        tk_model_event(&model, &event);
        if (options & 4 && count == 5 + side_events) repeat(again, 70 + (options & 8) * 40);
    }
    model.side = false;
    tk_model_finish(&model, options & 1, 1 + options);
    struct tk_trace_summary summary = { .tick_ns = 1, .last_ticks = model.clock.now };
    sink.finish(sink.ctx, &summary);
    sink_check_end(&sink_check);
    check_tables();
    tk_alloc_free_all(&alloc);
    check(!alloc.in_use);
    heap_reset();
    return 0;
}
