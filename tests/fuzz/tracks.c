// SPDX-License-Identifier: MIT
//
// Tracks of a format in any order, with names, arguments, times and losses of any kind, among tasks; after the model
// either the check of the timeline's contract, or the writer and a reader of traces. Byte 0: options, 1: the time
// range.
#include <string.h>

#include "common/check.h"
#include "common/heap.h"
#include "common/sink_check.h"
#include "common/take.h"
#include "common/trace_check.h"
#include "model/model.h"
#include "model/timeline/time_range.h"
#include "perfetto/writer.h"

enum { MAX_EVENTS = 400, MAX_VALUES = 80, TEXT_LEN = 40, TRACE_LEN = 1 << 21 };

static struct sink_check sink_check;
static struct tk_model model;
static struct tk_diag diag;
static struct tk_time_range range;
static struct tk_alloc alloc;

// ---- Events
// ------------------------------------------------------------------------------------------------------------

struct script {
    struct take from;
    uint64_t times[8]; // times of tracks 0 .. 7, modulo 8: they increase on each
    uint64_t now;
    struct tk_track_def def;
    struct tk_value values[MAX_VALUES];
    char texts[4][TEXT_LEN];
};

static const char *take_text(struct script *script, unsigned which, uint32_t *out_len) {
    size_t len;
    const uint8_t *bytes = take_bytes(&script->from, take_byte(&script->from) % TEXT_LEN, &len);
    if (len) memcpy(script->texts[which], bytes, len);
    *out_len = (uint32_t)len;
    return script->texts[which];
}

static void take_def(struct script *script, struct tk_event *event) {
    struct tk_track_def *def = &script->def;
    unsigned flags = take_byte(&script->from);
    uint32_t len;
    *def = (struct tk_track_def){ .parent_kind = (uint8_t)(take_byte(&script->from) % (TK_PARENT_TASK_DETAILS + 1)),
                                  .type = (uint8_t)(flags % 3),
                                  .in_signals = flags & 8,
                                  .ends_at_loss = flags & 16,
                                  .parent = (uint32_t)take_number(&script->from),
                                  .rank = (int32_t)take_number(&script->from),
                                  .share = flags >> 6 };
    def->unit = take_text(script, 1, &len), def->unit_len = (uint16_t)len;
    def->description = take_text(script, 2, &def->description_len);
    event->track_defined.definition = def;
}

static void take_values(struct script *script, struct tk_event *event) {
    static const char *const names[] = { "a", "b", "value", "object" };
    uint32_t len;
    const char *text = take_text(script, 3, &len);
    event->value_count = (uint8_t)(take_byte(&script->from) % MAX_VALUES);
    event->values = script->values;
    for (unsigned i = 0; i < event->value_count; i++) {
        unsigned what = take_byte(&script->from);
        script->values[i] = (struct tk_value){ .name = names[what >> 4 & 3],
                                               .type = (uint8_t)(what % (TK_VALUE_LIST + 1)),
                                               .number.u = take_number(&script->from),
                                               .text = text,
                                               .text_len = len };
        if (what & 0x80 && len) script->values[i].name = text, script->values[i].name_len = (uint16_t)len;
    }
}

static void set_value(struct tk_event *event, uint64_t number) {
    switch (tk_event_families[event->kind]) {
    case TK_FAMILY_track_slice: event->track_slice.number.flow_end = number; break;
    case TK_FAMILY_track_count: event->track_count.number = (int64_t)number; break;
    case TK_FAMILY_track_count_double: memcpy(&event->track_count_double.number, &number, sizeof number); break;
    case TK_FAMILY_track_axis: event->track_axis.shown_ns = (int64_t)number; break;
    default: break;
    }
}

static void take_track_event(struct script *script, struct tk_event *event) {
    unsigned flags = take_byte(&script->from);
    uint64_t *time = &script->times[tk_event_id(event) % 8];
    if (flags & 1) *time += take_number(&script->from) >> 2;
    if (*time > INT64_MAX / 4) *time = 0;
    event->timed = event->kind != TK_EV_TRACK_DEFINED && event->kind != TK_EV_TRACK_AXIS;
    event->ticks = *time;
    event->str = take_text(script, 0, &event->str_len);
    if (flags & 2) tk_event_set_number(event, TK_SLOT_NUMBER, (uint32_t)take_number(&script->from));
    if (flags & 4) set_value(event, take_number(&script->from));
    uint64_t flow = flags & 8 ? take_number(&script->from) : 0, colour = flags & 16 ? take_number(&script->from) : 0;
    if (tk_event_families[event->kind] == TK_FAMILY_track_slice)
        event->track_slice.flow = flow, event->track_slice.correlation = colour;
    event->mark = (uint8_t)(flags >> 5);
    if (event->kind == TK_EV_TRACK_DEFINED) take_def(script, event);
    else if (flags & 0x40) take_values(script, event);
}

// Times decreased for a while: those of the other tracks continue from the last one.
static void take_other_event(struct script *script, struct tk_event *event) {
    event->timed = event->kind != TK_EV_SYMBOL_NAME;
    if (script->now < model.clock.now) script->now = model.clock.now;
    event->ticks = script->now += take_byte(&script->from);
    event->str = event->kind == TK_EV_SYMBOL_NAME ? "name" : NULL;
    event->str_len = event->kind == TK_EV_SYMBOL_NAME ? 1 + event->name.entity % 4 : 0;
    if (event->kind == TK_EV_DROP_COUNT)
        event->drop_count = (struct tk_event_drop_count){ .count = event->drop_count.count & 0xFF };
}

static bool next_event(struct script *script, struct tk_event *event) {
    static const uint8_t kinds[] = { TK_EV_TRACK_DEFINED,      TK_EV_TRACK_BEGIN,   TK_EV_TRACK_END,
                                     TK_EV_TRACK_INSTANT,      TK_EV_TRACK_STATE,   TK_EV_TRACK_COUNT,
                                     TK_EV_TRACK_COUNT_DOUBLE, TK_EV_TRACK_DEFINED, TK_EV_TRACK_BEGIN,
                                     TK_EV_TRACK_STATE,        TK_EV_SYMBOL_NAME,   TK_EV_DROP_COUNT,
                                     TK_EV_TASK_SWITCHED_IN,   TK_EV_TASK_READY,    TK_EV_TRACK_AXIS,
                                     TK_EV_ISR_ENTER };
    if (!take_left(&script->from)) return false;
    *event = (struct tk_event){ .kind = kinds[take_byte(&script->from) % 16] };
    tk_event_set_number(event, TK_SLOT_ID, (uint32_t)take_number(&script->from));
    if (tk_event_owner(event) == TK_OWNER_TRACKS) take_track_event(script, event);
    else take_other_event(script, event);
    return true;
}

// ---- Sinks
// -------------------------------------------------------------------------------------------------------------

static uint8_t trace[TRACE_LEN];
static size_t trace_len;

static bool write_trace(void *ctx, const uint8_t *bytes, size_t len) {
    (void)ctx;
    if (len > TRACE_LEN - trace_len) return false;
    memcpy(trace + trace_len, bytes, len);
    trace_len += len;
    return true;
}

static uint64_t one_ns(const void *ctx) { return (void)ctx, 1; }

static struct tk_track_sink choose_time_range(unsigned range_bits, struct tk_track_sink sink) {
    if (!(range_bits & 1)) return sink;
    memset(&range, 0, sizeof range);
    range.from_ns = range_bits & 2 ? (range_bits >> 3) * 4 : 0;
    range.to_ns = range_bits & 4 ? (range_bits >> 3) * 8 : INT64_MAX;
    range.tick_ns = one_ns;
    tk_time_range_init(&range, &alloc, &sink);
    sink_check.from = range.from_ns;
    sink_check.to = range.to_ns;
    return tk_time_range_sink(&range);
}

static void figure_begin(void *ctx, const struct tk_table *table) { (void)ctx, (void)table; }
static void figure_end(void *ctx) { (void)ctx; }
static void figure(void *ctx, const struct tk_cell *cell) {
    (void)ctx;
    if (cell->type == TK_CELL_DOUBLE) check(cell->d - cell->d == 0);
}

static void convert(struct script *script, struct tk_track_sink sink) {
    static const struct tk_tracker *const trackers[] = { &tk_tracker_rtos, &tk_tracker_tracks, NULL };
    struct tk_table_sink figures = { NULL, figure_begin, figure, figure_end, 1 };
    struct tk_event event;
    tk_diag_init(&diag);
    tk_model_init(&model, &alloc, &diag, &sink);
    tk_model_need_trackers(&model, trackers);
    for (unsigned count = 0; count < MAX_EVENTS && next_event(script, &event); count++) tk_model_event(&model, &event);
    tk_model_finish(&model, false, 1);
    tk_model_tables(&model, &figures);
    struct tk_trace_summary summary = { .tick_ns = 1, .last_ticks = model.clock.now };
    sink.finish(sink.ctx, &summary);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len) {
    static struct script script;
    memset(&script, 0, sizeof script);
    script.from = (struct take){ data, data + len };
    alloc = heap_alloc();
    unsigned options = take_byte(&script.from), range_bits = take_byte(&script.from);
    tk_writer *writer = NULL;
    trace_len = 0;
    struct tk_byte_sink out = { NULL, write_trace, NULL };
    struct tk_track_sink sink = sink_check_start(&sink_check);
    sink_check.free_times = sink_check.tracks_by_name = true;
    if (options & 1) writer = tk_writer_new(&alloc, &out), sink = tk_writer_track_sink(writer);
    convert(&script, choose_time_range(range_bits, sink));
    if (!writer) sink_check_end(&sink_check);
    else if (!tk_writer_refused(writer)) trace_check(trace, trace_len, true);
    tk_alloc_free_all(&alloc);
    check(!alloc.in_use);
    heap_reset();
    return 0;
}
