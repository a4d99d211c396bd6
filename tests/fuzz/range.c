// SPDX-License-Identifier: MIT
//
// A time range. Bytes 0, 1: its ends; 2: other choices; then calls that keep the timeline's contract. After the filter
// the contract must hold, no time may be outside of the range, and calls inside must be passed on.
#include <string.h>

#include "common/check.h"
#include "common/heap.h"
#include "common/sink_check.h"
#include "common/take.h"
#include "model/timeline/time_range.h"

enum { TRACKS = 6, COUNTERS = 3, TASKS = 5, CORES = 4, MAX_CALLS = 1000, MAX_DEPTH = 8 };

struct caller {
    struct tk_track_sink to;
    uint64_t now, tick_ns;
    unsigned depth[TRACKS];
    uint8_t state[TASKS];                     // + 1
    uint64_t state_at[TASKS], left_at[TASKS]; // it left: another task runs on its core, 0: no
    unsigned running[CORES];                  // task + 1
    unsigned inside;                          // calls that must be passed on
};

static struct sink_check sink_check;
static struct tk_time_range range;
static struct caller caller;

static uint64_t known_tick_ns(const void *ctx) { return ((const struct caller *)ctx)->tick_ns; }

static bool is_inside(void) { return caller.now > range.from && caller.now <= range.to; }

// Longer than the filter keeps; the limit is inside a character.
static const char long_name[] =
    "a long name of a slice, with more than one byte in its \xE2\x82\xAC\xE2\x82\xAC\xE2\x82\xAC";

static void slice(unsigned track, bool begin, unsigned name) {
    struct tk_track_event event = { .ticks = caller.now,
                                    .track = track + 1,
                                    .type = begin ? TK_EVENT_BEGIN : TK_EVENT_END };
    if (begin ? caller.depth[track] == MAX_DEPTH : !caller.depth[track]) return;
    caller.depth[track] += begin ? 1u : -1u;
    if (begin && name < 8) event.name = name + 1;
    if (begin && name >= 8) event.string = long_name, event.string_len = sizeof long_name - 1;
    caller.to.event(caller.to.ctx, &event);
    if (is_inside()) caller.inside++;
}

static void counter(unsigned number, int64_t value, bool is_double) {
    struct tk_track_event event = { .ticks = caller.now,
                                    .track = TRACKS + 1 + number,
                                    .type = TK_EVENT_COUNTER,
                                    .value = value,
                                    .value_double = (double)value,
                                    .is_double = is_double };
    caller.to.event(caller.to.ctx, &event);
    if (is_inside()) caller.inside++;
}

// The state after a run may become known late, often when another task has taken the core.
static void state(unsigned task, unsigned choice, bool late) {
    enum tk_task_state to = (enum tk_task_state)(choice % (TK_STATE_DEAD + 1));
    unsigned core = choice >> 3 & 3;
    uint64_t left =
        caller.left_at[task] ? caller.left_at[task] : caller.state_at[task] + (caller.now - caller.state_at[task]) / 2;
    late |= caller.left_at[task] != 0;
    uint64_t at = late ? left : caller.now;
    if (late && to == TK_STATE_RUNNING) return;
    if (caller.state[task] == to + 1 || (caller.state[task] && at <= caller.state_at[task]) ||
        (late && caller.state[task] != TK_STATE_RUNNING + 1))
        return;
    for (unsigned i = 0; i < CORES; i++)
        if (caller.running[i] == task + 1) caller.running[i] = 0;
    if (to == TK_STATE_RUNNING) {
        unsigned before = caller.running[core];
        if (before && caller.state[before - 1] == TK_STATE_RUNNING + 1) caller.left_at[before - 1] = caller.now;
        caller.running[core] = task + 1;
    }
    caller.left_at[task] = 0;
    caller.state[task] = (uint8_t)(to + 1);
    caller.state_at[task] = at;
    struct tk_task_change change = {
        .ticks = at, .pid = (int32_t)task + 3, .core = core, .when = late ? TK_LATE : TK_IN_ORDER, .state = (uint8_t)to
    };
    caller.to.state(caller.to.ctx, &change);
}

// A wait that becomes known at its end.
static void late_slice(unsigned track, uint64_t ago, bool until_now) {
    struct tk_track_event event = { .ticks = caller.now > ago ? caller.now - ago : 0,
                                    .track = track + 1,
                                    .name = 2,
                                    .type = TK_EVENT_BEGIN,
                                    .when = TK_LATE };
    caller.to.event(caller.to.ctx, &event);
    event = (struct tk_track_event){ .ticks = until_now ? caller.now : event.ticks + ago / 2,
                                     .track = track + 1,
                                     .type = TK_EVENT_END,
                                     .when = until_now ? TK_IN_ORDER : TK_LATE };
    if (event.ticks > caller.now) event.ticks = caller.now;
    caller.to.event(caller.to.ctx, &event);
}

static void instant(unsigned track) {
    struct tk_track_event event = { .ticks = caller.now, .track = track + 1, .type = TK_EVENT_INSTANT, .name = 1 };
    caller.to.event(caller.to.ctx, &event);
    if (is_inside()) caller.inside++;
}

static void call(struct take *from, bool tick_changes) {
    unsigned what = take_byte(from), detail = take_byte(from);
    switch (what & 7) {
    case 0: caller.now += take_number(from) >> 3; break;
    case 1: slice(detail % TRACKS, true, detail >> 4); break;
    case 2: slice(detail % TRACKS, false, 0); break;
    case 3: counter(detail % COUNTERS, (int64_t)take_number(from), detail & 0x80); break;
    case 4: state(detail % TASKS, what >> 3, false); break;
    case 5: state(detail % TASKS, what >> 3, true); break;
    case 6:
        if (what & 8) late_slice(detail % TRACKS, take_number(from) >> 2, what & 16);
        else instant(detail % TRACKS);
        break;
    default:
        if (tick_changes) caller.tick_ns = 1 + detail;
        else caller.now += detail;
    }
    if (caller.now > INT64_MAX) caller.now = INT64_MAX;
}

static void declare_all(void) {
    for (unsigned i = 0; i < TRACKS + COUNTERS; i++) {
        struct tk_track_info track = { .track = i + 1,
                                       .kind = i < TRACKS ? TK_TRACK_SLICES : TK_TRACK_COUNTER,
                                       .pid = -1,
                                       .name = "t",
                                       .name_len = 1 };
        caller.to.declare(caller.to.ctx, &track);
    }
    for (unsigned i = 0; i < TASKS; i++) {
        struct tk_task_info task = { .pid = (int32_t)i + 3, .name = "a", .name_len = 1 };
        caller.to.task(caller.to.ctx, &task);
    }
    for (unsigned i = 1; i <= 8; i++) caller.to.define(caller.to.ctx, TK_INTERN_NAME, i, "n", 1);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len) {
    struct take from = { data, data + len };
    struct tk_alloc alloc = heap_alloc();
    memset(&caller, 0, sizeof caller);
    memset(&range, 0, sizeof range);
    struct tk_track_sink checked_sink = sink_check_start(&sink_check);
    range.from_ns = take_number(&from) * 4;
    range.to_ns = take_number(&from) * 8;
    if (range.to_ns > INT64_MAX) range.to_ns = INT64_MAX;
    bool tick_changes = take_byte(&from) & 1;
    caller.tick_ns = 1;
    range.tick_ns = known_tick_ns;
    range.tick_ctx = &caller;
    tk_time_range_init(&range, &alloc, &checked_sink);
    caller.to = tk_time_range_sink(&range);
    if (!tick_changes) sink_check.from = range.from_ns, sink_check.to = range.to_ns;
    declare_all();
    for (unsigned i = 0; i < MAX_CALLS && take_left(&from); i++) call(&from, tick_changes);
    for (unsigned track = 0; track < TRACKS; track++)
        while (caller.depth[track]) slice(track, false, 0);
    struct tk_trace_summary summary = { .tick_ns = caller.tick_ns, .last_ticks = caller.now };
    caller.to.finish(caller.to.ctx, &summary);
    sink_check_end(&sink_check);
    check(tick_changes || sink_check.calls >= caller.inside);
    tk_alloc_free_all(&alloc);
    check(!alloc.in_use);
    heap_reset();
    return 0;
}
