// SPDX-License-Identifier: MIT
//
// Calls of a track sink, written as a trace and read back with nanopb. Every event must be read as it was passed, with
// its absolute time; the runs of each core switch by switch with the state of the previous task; every other state as a
// packet or a wake-up. The header must contain the last tick length, or the writer must report that it does not.
#include <pb_decode.h>
#include <stdlib.h>
#include <string.h>

#include "common/check.h"
#include "common/conversion.h"
#include "common/heap.h"
#include "common/take.h"
#include "bundle_read.h"
#include "perfetto.pb.h"
#include "perfetto/packet.h"
#include "perfetto/sched.h"
#include "perfetto/writer.h"

enum { MAX_CALLS = 300, MAX_ARGS = 4, TRACKS = 40, TASKS = 6, CORES = 3, IDLE = TASKS, LONG_TEXT = 70000 };

struct emitted {
    struct tk_track_event event;
    struct tk_arg args[MAX_ARGS];
};

static struct emitted emitted[MAX_CALLS];
static char long_text[LONG_TEXT];

// A run of a core, which must be read back.
struct run {
    uint64_t time; // 2 * ticks, one less when early
    uint32_t core;
    int32_t pid;  // 0: none
    uint8_t left; // state of the previous task: enum tk_task_state; NO_STATE
};

// Any other state, passed and read back.
struct other {
    uint64_t ticks;
    int32_t pid;
    uint8_t state, waker;
};

enum { NO_STATE = 0xFF, MAX_RUNS = 2 * MAX_CALLS + 2 * CORES + 64 };

static struct run runs[MAX_RUNS], runs_read[MAX_RUNS];
static struct other others[MAX_CALLS], others_read[MAX_CALLS];

// running task + 1; 0: none. left: run + 1 of a replaced task whose state is still to come.
struct schedule {
    uint32_t running[CORES], run_count, other_count;
    uint64_t switched[CORES];
    uint32_t left[TASKS];
    uint8_t state[TASKS]; // + 1
    uint64_t since[TASKS];
    struct died {
        bool is;
        uint32_t run; // + 1; 0: it did not run
        uint64_t ticks;
    } died[TASKS];
};

struct script {
    struct take from;
    struct tk_track_sink to;
    tk_writer *writer;
    uint64_t now;
    uint32_t count, tracks, names;
    struct schedule schedule;
    bool pipe;
};

static struct conversion_bytes output;
static bool head_rewritten;

static bool on_write(void *ctx, const uint8_t *bytes, size_t len) {
    (void)ctx;
    conversion_append(&output, bytes, len);
    return true;
}

static bool on_rewrite(void *ctx, const uint8_t *bytes, size_t len) {
    (void)ctx;
    check(len == TK_PACKET_HEAD_LEN && len <= output.len && !head_rewritten);
    memcpy(output.data, bytes, len);
    head_rewritten = true;
    return true;
}

// ---- Calls
// -------------------------------------------------------------------------------------------------------------

// Mostly short; some as long as a length field, a direct packet or a block can just hold, or longer.
static uint32_t take_length(struct take *from) {
    static const uint32_t telling[] = { 127,   128,   60,    61,    62,    63,    64,    16383,
                                        16384, 16287, 16288, 16289, 16250, 65535, 65536, LONG_TEXT };
    unsigned byte = take_byte(from);
    return byte < 0xF0 ? byte : telling[byte - 0xF0];
}

static void take_args(struct script *script, struct emitted *call) {
    call->event.arg_count = (uint8_t)(take_byte(&script->from) % (MAX_ARGS + 1));
    call->event.args = call->args;
    for (unsigned i = 0; i < call->event.arg_count; i++) {
        struct tk_arg *arg = &call->args[i];
        *arg = (struct tk_arg){ .name = 1 + take_byte(&script->from),
                                .type = (enum tk_arg_type)(take_byte(&script->from) % (TK_ARG_DOUBLE + 1)) };
        if (arg->type == TK_ARG_STRING) arg->string = long_text, arg->string_len = take_length(&script->from);
        else if (arg->type == TK_ARG_TEXT) arg->value.text = (uint32_t)take_number(&script->from);
        else arg->value.u = take_number(&script->from);
    }
}

static void tell_event(struct script *script) {
    if (!script->tracks) return;
    struct emitted *call = &emitted[script->count++];
    struct tk_track_event *event = &call->event;
    unsigned flags = take_byte(&script->from);
    memset(event, 0, sizeof *event);
    event->track = 1 + take_byte(&script->from) % script->tracks;
    event->type = (uint8_t)(TK_EVENT_BEGIN + flags % 4);
    event->when = flags & 4 ? TK_LATE : TK_IN_ORDER;
    event->ticks = event->when && script->now ? script->now - take_byte(&script->from) % script->now : script->now;
    if (event->type == TK_EVENT_COUNTER) {
        event->value = (int64_t)take_number(&script->from);
        event->is_double = flags & 16;
        event->value_double = (double)event->value / 3;
    } else if (event->type != TK_EVENT_END) {
        if (flags & 16) event->string = long_text, event->string_len = take_length(&script->from);
        else event->name = (uint32_t)take_number(&script->from);
    }
    if (flags & 32) take_args(script, call);
    if (flags & 64) event->flow = take_number(&script->from);
    if (flags & 128) event->flow_end = take_number(&script->from);
    script->to.event(script->to.ctx, event);
}

static void tell_change(const struct script *script, enum tk_when when, uint64_t ticks, uint32_t task,
                        enum tk_task_state state, uint32_t core, enum tk_waker waker) {
    struct tk_task_change change = { .ticks = ticks,
                                     .pid = (int32_t)task + 3,
                                     .core = core,
                                     .when = (uint8_t)when,
                                     .state = (uint8_t)state,
                                     .waker = (uint8_t)waker };
    script->to.state(script->to.ctx, &change);
}

static uint32_t note_run(struct schedule *s, uint64_t time, uint32_t core, int32_t pid, uint8_t left) {
    runs[s->run_count++] = (struct run){ time, core, pid, left };
    return s->run_count;
}

static void note_other(struct schedule *s, uint64_t ticks, uint32_t task, enum tk_task_state state,
                       enum tk_waker waker) {
    others[s->other_count++] = (struct other){ ticks, (int32_t)task + 3, (uint8_t)state, (uint8_t)waker };
}

// The task occurs again, so its exit was not the last one; at that time it was.
static void bury(struct schedule *s, uint32_t task, enum tk_task_state as) {
    struct died *died = &s->died[task];
    if (!died->is) return;
    died->is = false;
    if (died->run) runs[died->run - 1].left = (uint8_t)as;
    else note_other(s, died->ticks, task, as, TK_WAKER_UNKNOWN);
}

// The state of a replaced task comes before any other call for it.
static void tell_how_it_left(struct script *script, uint32_t task, enum tk_task_state state) {
    struct schedule *s = &script->schedule;
    uint32_t run = s->left[task];
    if (!run || state == TK_STATE_RUNNING || state == TK_STATE_DEAD) return;
    struct run *at = &runs[run - 1];
    s->left[task] = 0;
    s->state[task] = (uint8_t)(state + 1);
    s->since[task] = at->time / 2;
    at->left = (uint8_t)state;
    tell_change(script, TK_LATE, at->time / 2, task, state, at->core, TK_WAKER_UNKNOWN);
}

static void leave(struct script *script, uint32_t task, uint32_t core, enum tk_task_state state) {
    struct schedule *s = &script->schedule;
    bool dead = state == TK_STATE_DEAD;
    s->running[core] = 0;
    s->switched[core] = script->now;
    uint32_t run = note_run(s, 2 * script->now, core, 0, dead ? NO_STATE : (uint8_t)state);
    if (dead) s->died[task] = (struct died){ true, run, 0 };
    tell_change(script, TK_IN_ORDER, script->now, task, state, core, TK_WAKER_UNKNOWN);
}

static void tell_run(struct script *script, uint32_t task, uint32_t core) {
    struct schedule *s = &script->schedule;
    uint32_t before = s->running[core];
    uint32_t last = s->run_count;
    while (last && runs[last - 1].core != core) last--;
    bool follows = last && !before && runs[last - 1].time == 2 * script->now; // the task that left at this tick
    if (follows) runs[last - 1].pid = (int32_t)task + 3;
    else last = note_run(s, 2 * script->now, core, (int32_t)task + 3, before ? NO_STATE : TK_STATE_RUNNABLE);
    if (before) s->left[before - 1] = last;
    s->running[core] = task + 1;
    s->switched[core] = script->now;
    tell_change(script, TK_IN_ORDER, script->now, task, TK_STATE_RUNNING, core, TK_WAKER_UNKNOWN);
}

// It leaves its first core one nanosecond earlier.
static void move_off(struct script *script, uint32_t task, uint32_t core) {
    struct schedule *s = &script->schedule;
    s->running[core] = 0;
    note_run(s, 2 * script->now - 1, core, 0, TK_STATE_RUNNABLE);
    tell_change(script, TK_EARLY, script->now, task, TK_STATE_RUNNABLE, core, TK_WAKER_UNKNOWN);
}

static void tell_beside(struct script *script, uint32_t task, enum tk_task_state state, uint32_t core,
                        enum tk_waker waker) {
    struct schedule *s = &script->schedule;
    if (state == TK_STATE_DEAD) s->died[task] = (struct died){ true, 0, script->now };
    else note_other(s, script->now, task, state, waker);
    tell_change(script, TK_IN_ORDER, script->now, task, state, core, waker);
}

static uint32_t core_of(const struct schedule *s, uint32_t task) {
    uint32_t core = 0;
    while (core < CORES && s->running[core] != task + 1) core++;
    return core;
}

// According to the timeline's contract.
static void tell_state(struct script *script) {
    struct schedule *s = &script->schedule;
    uint32_t task = take_byte(&script->from) % TASKS, flags = take_byte(&script->from), core = (flags >> 3) % CORES,
             runs_on = core_of(s, task);
    enum tk_task_state state = (enum tk_task_state)(flags % (TK_STATE_DEAD + 1));
    tell_how_it_left(script, task, state);
    if (s->left[task] || s->state[task] == state + 1 || (s->state[task] && s->since[task] + 1 >= script->now)) return;
    if (state == TK_STATE_RUNNING && s->running[core] && s->switched[core] == script->now) return;
    bury(s, task, TK_STATE_SUSPENDED);
    s->state[task] = (uint8_t)(state + 1);
    s->since[task] = script->now;
    if (state != TK_STATE_RUNNING && runs_on < CORES) {
        leave(script, task, runs_on, state);
    } else if (state != TK_STATE_RUNNING) {
        tell_beside(script, task, state, core,
                    state == TK_STATE_RUNNABLE ? (enum tk_waker)(flags >> 6 & 1 ? TK_WAKER_INTERRUPT : flags >> 5 & 1)
                                               : TK_WAKER_UNKNOWN);
    } else {
        tell_run(script, task, core);
    }
}

// A running task appears on another core.
static void tell_move(struct script *script) {
    struct schedule *s = &script->schedule;
    uint32_t task = take_byte(&script->from) % TASKS, core = take_byte(&script->from) % CORES,
             runs_on = core_of(s, task);
    if (runs_on == CORES || runs_on == core || s->since[task] + 1 >= script->now ||
        s->switched[runs_on] + 1 >= script->now)
        return;
    if (s->running[core] && s->switched[core] == script->now) return;
    move_off(script, task, runs_on);
    s->since[task] = script->now;
    tell_run(script, task, core);
}

static void tell_name(struct script *script) {
    unsigned flags = take_byte(&script->from);
    uint32_t len = take_length(&script->from);
    if (flags & 3) {
        script->to.define(script->to.ctx, (enum tk_intern)(flags % 3), ++script->names, long_text, len);
    } else {
        struct tk_task_info task = {
            .pid = (int32_t)(flags >> 2) % TASKS + 3, .name = long_text, .name_len = len, .idle = flags & 0x80
        };
        if (task.idle) task.pid = IDLE + 3; // tasks that no switch reports
        script->to.task(script->to.ctx, &task);
    }
}

static void tell_track(struct script *script) {
    unsigned flags = take_byte(&script->from);
    if (script->tracks == TRACKS) return;
    struct tk_track_info track = { .track = ++script->tracks,
                                   .kind = (enum tk_track_kind)(flags & 3),
                                   .pid = 3,
                                   .rank = flags >> 5,
                                   .ordered_children = flags & 4,
                                   .parent = flags & 8 ? script->tracks / 2 : 0,
                                   .name = long_text,
                                   .name_len = take_length(&script->from),
                                   .unit = flags & 16 ? "items" : NULL,
                                   .description = flags & 4 ? "what it shows" : NULL };
    script->to.declare(script->to.ctx, &track);
}

// Time never falls.
static void pass_time(struct script *script, uint64_t ticks) {
    const uint64_t last = INT64_MAX / 2;
    script->now = ticks < last - script->now ? script->now + ticks : last;
}

static void tell(struct script *script) {
    switch (take_byte(&script->from) % 10) {
    case 0: pass_time(script, take_number(&script->from)); break;
    case 1: tell_track(script); break;
    case 2: tell_name(script); break;
    case 3: tell_state(script); break;
    case 5: tell_move(script); break;
    case 6: tell_state(script); break;
    case 4: tk_writer_set_tick_ns(script->writer, take_number(&script->from)); break;
    default: tell_event(script); break;
    }
}

// ---- Reading back
// --------------------------------------------------------------------------------------------------------

struct reading {
    uint64_t time, packets;
    uint32_t runs, others, cores_begun;
    uint32_t events, args;
    const struct script *script;
    const struct tk_trace_summary *summary;
    bool head_wrong;
    uint64_t usual_track; // track of events that name no track
};

static bool on_text(pb_istream_t *stream, const pb_field_t *field, void **arg) {
    static uint8_t text[LONG_TEXT];
    size_t len = stream->bytes_left;
    (void)field;
    check(len <= LONG_TEXT && pb_read(stream, text, len) && !memcmp(text, long_text, len));
    if (*arg) *(size_t *)*arg = len;
    return true;
}

static bool on_arg(pb_istream_t *stream, const pb_field_t *field, void **ctx) {
    struct reading *reading = *ctx;
    tk_pb_DebugAnnotation read = tk_pb_DebugAnnotation_init_zero;
    size_t len = SIZE_MAX;
    (void)field;
    read.string_value = (pb_callback_t){ .funcs.decode = on_text, .arg = &len };
    check(pb_decode(stream, tk_pb_DebugAnnotation_fields, &read));
    check(reading->events < reading->script->count && reading->args < emitted[reading->events].event.arg_count);
    const struct tk_arg *arg = &emitted[reading->events].args[reading->args++];
    check(read.has_name_iid && read.name_iid == arg->name);
    check(read.has_uint_value == (arg->type == TK_ARG_UINT) &&
          (!read.has_uint_value || read.uint_value == arg->value.u));
    check(read.has_int_value == (arg->type == TK_ARG_INT) && (!read.has_int_value || read.int_value == arg->value.i));
    check(read.has_string_value_iid == (arg->type == TK_ARG_TEXT) &&
          (!read.has_string_value_iid || read.string_value_iid == arg->value.text));
    check(read.has_double_value == (arg->type == TK_ARG_DOUBLE) &&
          (!read.has_double_value || !memcmp(&read.double_value, &arg->value.d, 8)));
    check((arg->type == TK_ARG_STRING) == (len != SIZE_MAX) && (len == SIZE_MAX || len == arg->string_len));
    return true;
}

static void check_event(struct reading *reading, const tk_pb_TracePacket *packet, size_t name_len) {
    const tk_pb_TrackEvent *read = &packet->track_event;
    if (read->track_uuid >> 31) return; // added by the writer for the viewer
    check(reading->events < reading->script->count);
    const struct tk_track_event *event = &emitted[reading->events].event;
    check(reading->args == event->arg_count);
    check(read->type == event->type &&
          (read->has_track_uuid ? read->track_uuid : reading->usual_track) == event->track);
    check(read->has_name_iid == !!event->name && (!event->name || read->name_iid == event->name));
    check((name_len != SIZE_MAX) == (event->string && !event->name) &&
          (name_len == SIZE_MAX || name_len == event->string_len));
    bool counts = event->type == TK_EVENT_COUNTER;
    check(read->has_counter_value == (counts && !event->is_double) &&
          (!read->has_counter_value || read->counter_value == event->value));
    check(read->has_double_counter_value == (counts && event->is_double));
    check(!read->has_double_counter_value || !memcmp(&read->double_counter_value, &event->value_double, 8));
    check(read->has_flow_id == !!event->flow && (!event->flow || read->flow_id == event->flow));
    check(read->has_terminating_flow_id == !!event->flow_end &&
          (!event->flow_end || read->terminating_flow_id == event->flow_end));
    if (!packet->has_timestamp_clock_id) check(event->when == TK_IN_ORDER && reading->time == event->ticks);
    else check(packet->timestamp == event->ticks && packet->timestamp_clock_id == TK_CLOCK_LATE);
    reading->events++;
    reading->args = 0;
}

static void check_head(const struct reading *reading, const tk_pb_ClockSnapshot *snapshot) {
    for (unsigned i = 0; i < snapshot->clocks_count; i++) {
        const tk_pb_ClockSnapshot_Clock *clock = &snapshot->clocks[i];
        if (reading->head_wrong) continue;
        if (clock->clock_id >= TK_CLOCK_DELTA && clock->clock_id <= TK_CLOCK_LATE)
            check(clock->unit_multiplier_ns == reading->summary->tick_ns);
        if (clock->clock_id == 1)
            check(reading->summary->has_wall_clock && (int64_t)clock->timestamp == reading->summary->wall_clock_ns);
    }
}

// ---- Runs of the cores
// --------------------------------------------------------------------------------------------------

static uint8_t state_of(uint64_t number) {
    static const uint8_t numbers[] = { [TK_STATE_RUNNABLE] = 0,
                                       [TK_STATE_WAITING] = 1,
                                       [TK_STATE_WAITING_LOCK] = 2,
                                       [TK_STATE_SUSPENDED] = 4,
                                       [TK_STATE_DEAD] = 0x20 };
    for (uint8_t state = 0; state <= TK_STATE_DEAD; state++)
        if (state != TK_STATE_RUNNING && numbers[state] == number) return state;
    check(false);
    return 0;
}

static void read_bundle(struct reading *reading, const tk_pb_TracePacket *packet, struct bundle_read *bundle) {
    const struct bundle_list *lists = bundle->lists;
    uint32_t core = packet->ftrace_events.cpu, early = packet->trusted_packet_sequence_id == TK_SEQUENCE_EARLY;
    check(bundle_read_finish(bundle) && core < CORES);
    for (unsigned i = 0; i < lists[BUNDLE_SWITCH_TIME].count; i++) {
        if (!early && !(reading->cores_begun >> core & 1)) { // the one that the importer drops
            check(!lists[BUNDLE_SWITCH_TIME].values[i] && !lists[BUNDLE_SWITCH_PID].values[i]);
            reading->cores_begun |= 1u << core;
            continue;
        }
        check(reading->runs < MAX_RUNS);
        runs_read[reading->runs++] =
            (struct run){ 2 * lists[BUNDLE_SWITCH_TIME].values[i] - early, core,
                          (int32_t)lists[BUNDLE_SWITCH_PID].values[i], state_of(lists[BUNDLE_SWITCH_STATE].values[i]) };
    }
    for (unsigned i = 0; i < lists[BUNDLE_WAKING_TIME].count; i++) {
        check(reading->others < MAX_CALLS);
        others_read[reading->others++] =
            (struct other){ lists[BUNDLE_WAKING_TIME].values[i], (int32_t)lists[BUNDLE_WAKING_PID].values[i],
                            TK_STATE_RUNNABLE,
                            lists[BUNDLE_WAKING_FLAGS].values[i] ? TK_WAKER_INTERRUPT : TK_WAKER_TASK };
    }
}

static void read_state(struct reading *reading, const tk_pb_TracePacket *packet) {
    static const uint8_t states[] = { [2] = TK_STATE_RUNNABLE,
                                      [4] = TK_STATE_WAITING,
                                      [5] = TK_STATE_WAITING_LOCK,
                                      [6] = TK_STATE_SUSPENDED,
                                      [7] = TK_STATE_DEAD };
    check(reading->others < MAX_CALLS && packet->task_state.state >= 2 && packet->task_state.state <= 7);
    others_read[reading->others++] =
        (struct other){ packet->has_timestamp_clock_id ? packet->timestamp : reading->time,
                        (int32_t)packet->task_state.tid, states[packet->task_state.state], TK_WAKER_UNKNOWN };
}

static int by_core_and_time(const void *a, const void *b) {
    const struct run *one = a, *other = b;
    if (one->core != other->core) return one->core < other->core ? -1 : 1;
    return one->time < other->time ? -1 : one->time > other->time;
}

static int by_task_and_time(const void *a, const void *b) {
    const struct other *one = a, *other = b;
    if (one->pid != other->pid) return one->pid < other->pid ? -1 : 1;
    return one->ticks < other->ticks ? -1 : one->ticks > other->ticks;
}

// The task on a core before its run `at`, or at a time.
static int32_t runs_before(const struct schedule *s, uint32_t core, uint64_t time) {
    int32_t pid = 0;
    for (uint32_t i = 0; i < s->run_count; i++) {
        if (runs[i].core == core && runs[i].time == time) return 0;
        if (runs[i].core == core && runs[i].time < time) pid = runs[i].pid;
    }
    return pid;
}

static void check_runs(struct script *script, const struct reading *reading) {
    struct schedule *s = &script->schedule;
    qsort(runs, s->run_count, sizeof *runs, by_core_and_time);
    qsort(runs_read, reading->runs, sizeof *runs_read, by_core_and_time);
    check(reading->runs == s->run_count);
    for (uint32_t i = 0; i < s->run_count; i++) {
        const struct run *expected_run = &runs[i], *read = &runs_read[i];
        check(expected_run->core == read->core && expected_run->time == read->time && expected_run->pid == read->pid);
        check(read->left == (expected_run->left == NO_STATE ? TK_STATE_RUNNABLE : expected_run->left));
    }
}

// A wake-up contains the correct waker, or none.
static void check_others(struct script *script, const struct reading *reading) {
    const struct schedule *s = &script->schedule;
    qsort(others, s->other_count, sizeof *others, by_task_and_time);
    qsort(others_read, reading->others, sizeof *others_read, by_task_and_time);
    check(reading->others == s->other_count);
    for (uint32_t i = 0; i < s->other_count; i++) {
        const struct other *one = &others[i], *read = &others_read[i];
        check(one->pid == read->pid && one->ticks == read->ticks && one->state == read->state);
        check(!read->waker || read->waker == one->waker);
        check(one->waker != TK_WAKER_INTERRUPT || read->waker);
    }
}

static void check_wakers(const struct schedule *s, const tk_pb_TracePacket *packet, const struct bundle_read *bundle) {
    for (unsigned i = 0; i < bundle->lists[BUNDLE_WAKING_TIME].count; i++)
        if (!bundle->lists[BUNDLE_WAKING_FLAGS].values[i])
            check(runs_before(s, packet->ftrace_events.cpu, 2 * bundle->lists[BUNDLE_WAKING_TIME].values[i]));
}

static bool on_packet(pb_istream_t *stream, const pb_field_t *field, void **arg) {
    struct reading *reading = *arg;
    static struct bundle_read bundle;
    tk_pb_TracePacket packet = tk_pb_TracePacket_init_zero;
    size_t name_len = SIZE_MAX;
    bundle_read_prepare(&bundle, &packet);
    (void)field;
    packet.track_event.name = (pb_callback_t){ .funcs.decode = on_text, .arg = &name_len };
    packet.track_event.debug_annotations = (pb_callback_t){ .funcs.decode = on_arg, .arg = reading };
    check(pb_decode(stream, tk_pb_TracePacket_fields, &packet));
    check(packet.has_clock_snapshot == (reading->packets++ < 3));
    if (packet.has_clock_snapshot) check_head(reading, &packet.clock_snapshot);
    if (packet.has_trace_packet_defaults)
        reading->usual_track = packet.trace_packet_defaults.track_event_defaults.track_uuid;
    if (packet.has_timestamp && !packet.has_timestamp_clock_id) reading->time += packet.timestamp;
    if (packet.has_track_event) check_event(reading, &packet, name_len);
    if (packet.has_task_state) read_state(reading, &packet);
    if (!packet.has_ftrace_events) return true;
    read_bundle(reading, &packet, &bundle);
    check_wakers(&reading->script->schedule, &packet, &bundle);
    return true;
}

static void read_back(struct script *script, const struct tk_trace_summary *summary) {
    struct reading reading = { .script = script,
                               .summary = summary,
                               .head_wrong = tk_writer_head_is_wrong(script->writer) };
    tk_pb_Trace trace = { .packet = { .funcs.decode = on_packet, .arg = &reading } };
    pb_istream_t stream = pb_istream_from_buffer(output.data, output.len);
    check(!reading.head_wrong || script->pipe);
    check(tk_writer_bytes(script->writer) == output.len && output.len >= TK_PACKET_HEAD_LEN);
    check(pb_decode(&stream, tk_pb_Trace_fields, &trace));
    check(reading.events == script->count);
    check(tk_writer_packets(script->writer) == reading.packets - 3);
    for (uint32_t task = 0; task < TASKS; task++) bury(&script->schedule, task, TK_STATE_DEAD);
    check_runs(script, &reading);
    check_others(script, &reading);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len) {
    struct script script = { .from = { data, data + len } };
    struct tk_alloc alloc = heap_alloc();
    if (!long_text[0]) memset(long_text, 'x', sizeof long_text);
    output.len = 0;
    head_rewritten = false;
    script.pipe = take_byte(&script.from) & 1;
    const struct tk_byte_sink sink = { NULL, on_write, script.pipe ? NULL : on_rewrite };
    script.writer = tk_writer_new(&alloc, &sink);
    check(script.writer);
    script.to = tk_writer_track_sink(script.writer);
    struct tk_trace_summary summary = { .tick_ns = 1 + take_byte(&script.from),
                                        .lost_events = take_byte(&script.from) };
    summary.has_wall_clock = summary.lost_events & 1;
    summary.wall_clock_ns = (int64_t)take_number(&script.from);
    while (script.count < MAX_CALLS && take_left(&script.from)) tell(&script);
    summary.last_ticks = script.now;
    script.to.finish(script.to.ctx, &summary);
    read_back(&script, &summary);
    tk_alloc_free_all(&alloc);
    check(!alloc.in_use);
    heap_reset();
    return 0;
}
