// SPDX-License-Identifier: MIT
#include "writer.h"

#include "../base/arena.h"
#include "../base/decimal.h"
#include "../base/idmap.h"
#include "../base/attributes.h"
#include "packet.h"
#include "perfetto.pb.h"
#include "sched.h"

#include <pb_encode.h>
#include <string.h>

// The uuid of a track is its id. The uuids of others lie above all track ids.
#define PROCESS_UUID ((uint64_t)1 << 32) // + pid
#define FILLER_TRACK ((uint32_t)1 << 31) // + number
#define MESSAGES_TRACK (FILLER_TRACK - 1)
enum { FILLERS = 20, LONGEST_NAME = 16384 };

struct task {
    char *name;              // last name of the task, a copy; NULL: none
    uint64_t bundles_before; // number of bundles written before the task got its first name
    uint64_t died_ticks;
    int32_t pid;
    uint16_t name_len, name_room;
    bool died; // the task exited at `died_ticks`, and its exit is not written yet
    uint8_t died_core;
};

struct tk_writer {
    struct tk_alloc *alloc;
    struct tk_byte_sink out;
    struct tk_trace_summary summary;  // current state
    uint64_t first_ticks, last_ticks; // first and last time on the delta clock
    uint64_t sent;                    // bytes accepted by the sink
    uint64_t packets;
    uint64_t log_entries;
    uint8_t *at; // first free byte of block
    uint32_t pending_exits;
    uint32_t default_track;     // first track with slices: the head names it, its events do not
    uint8_t *event, *event_end; // last event in block, at last_ticks, if counters can be added to it
    uint32_t event_counters;    // number of counters added to it
    uint32_t event_counter;     // track of the counter that the event itself is; 0: not a counter
    bool started;               // first_ticks is set
    bool has_tasks;             // there is a task with a name
    bool head_sent, head_is_wrong, refused;
    struct task *tasks;
    uint32_t task_count, task_capacity;
    struct tk_arena names;
    struct tk_idmap task_index;                  // from pid to index in tasks
    struct tk_sched_core *cores[TK_SCHED_CORES]; // cores; NULL: no event on that core
    uint64_t bundles;                            // number of bundles written
    int32_t idle[TK_SCHED_CORES];                // pids of the idle tasks; switches contain 0 in place of them
    uint32_t idle_count;
    struct {
        uint32_t track; // id
        uint64_t count; // samples written
    } samples[TK_SCHED_CORES];
    uint32_t sampled_cores;           // tracks in `samples`
    bool has_samples;                 // tk_packet_samples is written
    bool has_messages;                // there are log messages without a task
    uint8_t head[TK_PACKET_HEAD_LEN]; // as sent
    uint8_t block[TK_WRITER_BLOCK];
};

// ---- Block ----

static inline size_t used(const struct tk_writer *writer) { return (size_t)(writer->at - writer->block); }
static inline size_t room(const struct tk_writer *writer) {
    return (size_t)(writer->block + TK_WRITER_BLOCK - writer->at);
}

TK_COLD static void send_block(struct tk_writer *writer) {
    if (!writer->head_sent) {
        tk_packet_head(writer->head, &writer->summary, writer->default_track);
        memcpy(writer->block, writer->head, sizeof writer->head);
        writer->head_sent = true;
    }
    if (!writer->refused && used(writer)) {
        writer->refused = !writer->out.write(writer->out.ctx, writer->block, used(writer));
        if (!writer->refused) writer->sent += used(writer);
    }
    writer->at = writer->block;
    writer->event_end = NULL;
}

static inline uint8_t *room_for(struct tk_writer *writer, size_t needed) {
    if (room(writer) < needed) send_block(writer);
    return writer->at;
}

// Returns true if there is no room for a common packet. Checking this before room_for saves registers in the caller.
static inline bool is_full(const struct tk_writer *writer) { return room(writer) < TK_PACKET_ROOM; }

static inline void set_end(struct tk_writer *writer, uint8_t *end) {
    writer->at = end;
    writer->packets++;
}

// ---- Rare packets, encoded by nanopb ----

static void append_bytes(struct tk_writer *writer, const uint8_t *bytes, size_t len) {
    while (len) {
        uint8_t *at = room_for(writer, 1);
        size_t step = room(writer);
        if (step > len) step = len;
        memcpy(at, bytes, step);
        writer->at += step;
        bytes += step;
        len -= step;
    }
}

static bool append(pb_ostream_t *stream, const pb_byte_t *bytes, size_t len) {
    append_bytes(stream->state, bytes, len);
    return true;
}

static void write_packet(struct tk_writer *writer, const tk_pb_TracePacket *packet) {
    pb_ostream_t stream = { .callback = append, .state = writer, .max_size = SIZE_MAX };
    writer->packets++;
    pb_encode_tag(&stream, PB_WT_STRING, tk_pb_Trace_packet_tag);
    pb_encode_submessage(&stream, tk_pb_TracePacket_fields, packet);
}

struct span {
    const char *text;
    size_t len;
};

static bool encode_span(pb_ostream_t *stream, const pb_field_t *field, void *const *arg) {
    const struct span *span = *arg;
    return pb_encode_tag_for_field(stream, field) && pb_encode_string(stream, (const pb_byte_t *)span->text, span->len);
}

// The span must live until the packet is written.
static pb_callback_t string_field(struct span *span) {
    return (pb_callback_t){ .funcs.encode = encode_span, .arg = span };
}

static tk_pb_TracePacket packet_on_sequence(void) {
    tk_pb_TracePacket packet = tk_pb_TracePacket_init_zero;
    packet.has_trusted_packet_sequence_id = true;
    packet.trusted_packet_sequence_id = 1;
    return packet;
}

// ---- Time ----

static inline void begin_at(struct tk_writer *writer, uint64_t ticks) {
    if (writer->started) return;
    writer->started = true;
    writer->first_ticks = ticks;
}

static inline uint64_t delta_to(struct tk_writer *writer, uint64_t ticks) {
    begin_at(writer, ticks);
    uint64_t delta = ticks - writer->last_ticks;
    writer->last_ticks = ticks;
    return delta;
}

// A time that falls (from one track to another) is written on the absolute clock.
static struct tk_packet_time packet_time(struct tk_writer *writer, enum tk_when when, uint64_t ticks) {
    if (when == TK_IN_ORDER && ticks >= writer->last_ticks)
        return (struct tk_packet_time){ delta_to(writer, ticks), TK_CLOCK_DELTA };
    return (struct tk_packet_time){ ticks, TK_CLOCK_LATE };
}

// ---- Arguments and texts of events ----

struct args {
    const struct tk_arg *first, *end;
};

static bool encode_args(pb_ostream_t *stream, const pb_field_t *field, void *const *arg);

// The span must live until the packet is written.
static pb_callback_t args_field(struct args *args) {
    return (pb_callback_t){ .funcs.encode = encode_args, .arg = args };
}

static bool encode_args(pb_ostream_t *stream, const pb_field_t *field, void *const *arg) {
    const struct args *args = *arg;
    for (const struct tk_arg *next, *from = args->first; from < args->end; from = next) {
        tk_pb_DebugAnnotation to = { .has_name_iid = from->name, .name_iid = from->name };
        struct span span = { from->string, from->string_len };
        next = from + 1 + (from->type >= TK_ARG_GROUP ? from->value.u : 0);
        struct args inner = { from + 1, next };
        switch (from->type) {
        case TK_ARG_UINT: to.has_uint_value = true, to.uint_value = from->value.u; break;
        case TK_ARG_INT: to.has_int_value = true, to.int_value = from->value.i; break;
        case TK_ARG_TEXT: to.has_string_value_iid = true, to.string_value_iid = from->value.text; break;
        case TK_ARG_DOUBLE: to.has_double_value = true, to.double_value = from->value.d; break;
        case TK_ARG_STRING: to.string_value = string_field(&span); break;
        case TK_ARG_GROUP: to.dict_entries = args_field(&inner); break;
        case TK_ARG_LIST: to.array_values = args_field(&inner); break;
        }
        if (!pb_encode_tag_for_field(stream, field) || !pb_encode_submessage(stream, tk_pb_DebugAnnotation_fields, &to))
            return false;
    }
    return true;
}

struct log_texts {
    struct span source, body;
};

// Adds the texts of a log message to its packet, interned under a unique number because the importer does not keep them
// otherwise. The texts must live until the packet is written.
static void describe_log(tk_pb_TracePacket *packet, uint64_t number, const struct tk_track_event *event,
                         struct log_texts *texts) {
    texts->source = (struct span){ event->log->source, event->log->source_len };
    texts->body = (struct span){ event->string, event->string_len };
    packet->has_interned_data = true;
    packet->interned_data.has_source_locations = packet->interned_data.has_log_message_body = true;
    packet->interned_data.source_locations =
        (tk_pb_InternedData_Entry){ .has_iid = true, .iid = number, .text = string_field(&texts->source) };
    packet->interned_data.log_message_body =
        (tk_pb_InternedData_Entry){ .has_iid = true, .iid = number, .text = string_field(&texts->body) };
    packet->track_event.has_log_message = true;
    packet->track_event.log_message = (tk_pb_LogMessage){ true, number, true, number, true, event->log->level };
}

// Writes events with strings of any length: the packet need not fit into the block.
TK_COLD static void write_other_event(struct tk_writer *writer, struct tk_packet_time time,
                                      const struct tk_track_event *event, uint64_t log_number) {
    tk_pb_TracePacket packet = packet_on_sequence();
    packet.has_timestamp = true;
    packet.timestamp = time.value;
    packet.has_timestamp_clock_id = time.clock != TK_CLOCK_DELTA;
    packet.timestamp_clock_id = time.clock;
    packet.has_track_event = true;
    tk_pb_TrackEvent *to = &packet.track_event;
    to->has_type = true;
    to->type = event->type;
    to->has_name_iid = event->name;
    to->name_iid = event->name;
    struct span name = { event->string, event->string_len };
    if (!event->name && event->string) to->name = string_field(&name);
    to->has_track_uuid = event->track != writer->default_track;
    to->track_uuid = event->track;
    to->has_category_iid = event->category;
    to->category_iid = event->category;
    to->has_counter_value = event->type == TK_EVENT_COUNTER && !event->is_double;
    to->counter_value = event->value;
    to->has_double_counter_value = event->type == TK_EVENT_COUNTER && event->is_double;
    to->double_counter_value = event->value_double;
    to->has_flow_id = event->flow;
    to->flow_id = event->flow;
    to->has_terminating_flow_id = event->flow_end;
    to->terminating_flow_id = event->flow_end;
    to->has_correlation_id = event->correlation;
    to->correlation_id = event->correlation;
    struct args args = { event->args, event->arg_count ? event->args + event->arg_count : event->args };
    to->debug_annotations = args_field(&args);
    struct log_texts texts;
    if (event->log) describe_log(&packet, log_number, event, &texts);
    write_packet(writer, &packet);
}

static inline void may_have_counters(struct tk_writer *writer, uint8_t *event, enum tk_track_event_type type,
                                     uint32_t track) {
    writer->event = event;
    writer->event_end = writer->at;
    writer->event_counters = 0;
    writer->event_counter = type == TK_EVENT_COUNTER ? track : 0;
}

// Packets omit the default track, so no packet is prepared before the default track is set.
static inline void prepare(const struct tk_writer *writer, const struct tk_track_event *event, const uint8_t *packet) {
    if (event->prepared && writer->default_track) tk_packet_prepare(packet, writer->at, event);
}

static inline bool is_prepared(const struct tk_writer *writer, const struct tk_track_event *event) {
    const struct tk_prepared *prepared = event->prepared;
    if (!prepared || !prepared->len || prepared->track != event->track || prepared->name != event->name) return false;
    return event->when == TK_IN_ORDER && event->ticks >= writer->last_ticks && !is_full(writer);
}

// ---- Samples ----

// Returns the number of the core whose samples are on a track. Tracks above the limit are on the last one.
static uint32_t sampled_core(struct tk_writer *writer, uint32_t track) {
    uint32_t core = 0;
    while (core < writer->sampled_cores && writer->samples[core].track != track) core++;
    if (core == TK_SCHED_CORES) return core - 1;
    if (core == writer->sampled_cores) writer->samples[writer->sampled_cores++].track = track;
    return core;
}

TK_NOINLINE static void write_sample(struct tk_writer *writer, const struct tk_track_event *event) {
    uint32_t core = sampled_core(writer, event->track);
    if (!writer->has_samples) {
        uint8_t *at = room_for(writer, TK_PACKET_SAMPLES);
        // The packet names the default track again, so that it cannot be set later.
        if (!writer->default_track && !writer->head_sent) writer->default_track = event->track;
        set_end(writer, tk_packet_samples(at, writer->default_track));
        writer->has_samples = true;
    }
    uint8_t *at = room_for(writer, TK_PACKET_ROOM);
    set_end(writer, tk_packet_sample(at, packet_time(writer, (enum tk_when)event->when, event->ticks), core,
                                     event->name, ++writer->samples[core].count));
}

// ---- Events ----

// Returns true for an event that is simple (tk_simple_event) but for its time.
static inline bool is_simple(const struct tk_track_event *event) {
    bool has_more = event->string || event->category || event->flow || event->flow_end || event->correlation ||
                    event->log || event->prepared || event->type == TK_EVENT_COUNTER;
    if (has_more || event->arg_count > 1) return false;
    return !event->arg_count || (event->args->type == TK_ARG_TEXT && event->args->name);
}

static void on_event(void *ctx, const struct tk_track_event *event);

// A log message must be on the track of a thread.
TK_COLD static void write_message(struct tk_writer *writer, const struct tk_track_event *event) {
    struct tk_track_event message = *event;
    message.track = MESSAGES_TRACK;
    writer->has_messages = true;
    on_event(writer, &message);
}

static void on_event(void *ctx, const struct tk_track_event *event) {
    struct tk_writer *writer = ctx;
    if (event->type == TK_EVENT_SAMPLE) {
        write_sample(writer, event);
        return;
    }
    if (event->log && !event->track) {
        write_message(writer, event);
        return;
    }
    if (is_prepared(writer, event)) {
        uint8_t *again = writer->at;
        set_end(writer, tk_packet_repeat(again, delta_to(writer, event->ticks), event->prepared));
        may_have_counters(writer, again, event->type, event->track);
        return;
    }
    struct tk_packet_time time = packet_time(writer, event->when, event->ticks);
    if (time.clock == TK_CLOCK_LATE && is_simple(event)) {
        uint64_t arg = event->arg_count ? tk_simple_event_arg(event->args->name, event->args->value.text) : 0;
        set_end(writer, tk_packet_late_event(room_for(writer, TK_PACKET_ROOM), time.value,
                                             (enum tk_track_event_type)event->type, event->track, event->name, arg,
                                             writer->default_track));
        return;
    }
    size_t bound = tk_packet_event_bound(event);
    uint64_t log_number = event->log ? ++writer->log_entries : 0;
    if (bound > TK_PACKET_MAX_DIRECT) {
        write_other_event(writer, time, event, log_number);
        return;
    }
    uint8_t *at = room_for(writer, bound);
    set_end(writer, tk_packet_event(at, time, event, writer->default_track, log_number));
    if (time.clock != TK_CLOCK_DELTA || event->log)
        return; // counters are added only to packets that end with the event
    may_have_counters(writer, at, event->type, event->track);
    prepare(writer, event, at);
}

// Writes a simple event when there is no room, or its time falls.
TK_NOINLINE static void simple_event_slow(struct tk_writer *writer, uint64_t ticks, enum tk_track_event_type type,
                                          uint32_t track, uint64_t what, uint64_t detail) {
    struct tk_arg room;
    struct tk_track_event event = tk_track_event_of(ticks, type, track, what, detail, &room);
    on_event(writer, &event);
}

// Adds a counter value to the event before it, if both have the same time: this saves a packet. Two limits of the trace
// processor: it reads added values before the event itself, so the event must not be a value of the same counter; and
// after a value of 0 it reads all others as 0.
static inline bool add_counter(struct tk_writer *writer, uint64_t ticks, uint32_t track, uint64_t value) {
    enum { MOST = 8 };
    if (writer->at != writer->event_end || ticks != writer->last_ticks || writer->event_counters == MOST ||
        track == writer->event_counter)
        return false;
    uint8_t *end = tk_packet_add_counter(writer->event, writer->event_end, track, value);
    if (!end) return false;
    writer->at = end;
    writer->event_end = value ? end : NULL;
    writer->event_counters++;
    return true;
}

static void on_simple_event(void *ctx, uint64_t ticks, enum tk_track_event_type type, uint32_t track, uint64_t what,
                            uint64_t detail) {
    struct tk_writer *writer = ctx;
    if (is_full(writer) || ticks < writer->last_ticks) {
        simple_event_slow(writer, ticks, type, track, what, detail);
        return;
    }
    if (type == TK_EVENT_COUNTER && !detail && add_counter(writer, ticks, track, what)) return;
    uint8_t *event = writer->at;
    set_end(writer,
            tk_packet_simple_event(event, delta_to(writer, ticks), type, track, what, detail, writer->default_track));
    may_have_counters(writer, event, type, track);
}

// ---- Task states ----

static struct task *find_task(struct tk_writer *writer, int32_t pid) {
    uint32_t index = tk_idmap_find(&writer->task_index, (uint32_t)pid);
    return index == TK_NONE ? NULL : &writer->tasks[index];
}

// Returns NULL when out of memory.
static struct task *find_or_add_task(struct tk_writer *writer, int32_t pid) {
    struct task *known = find_task(writer, pid);
    if (known) return known;
    uint32_t index = writer->task_count;
    if (!tk_alloc_grow(writer->alloc, (void **)&writer->tasks, &writer->task_capacity, index + 1,
                       sizeof *writer->tasks))
        return NULL;
    if (!tk_idmap_set(&writer->task_index, writer->alloc, (uint32_t)pid, index)) return NULL;
    writer->task_count++;
    writer->tasks[index].pid = pid;
    writer->tasks[index].bundles_before = writer->bundles;
    return &writer->tasks[index];
}

static void write_state(struct tk_writer *writer, enum tk_when when, const struct tk_task_change *change) {
    uint8_t *at = room_for(writer, TK_PACKET_ROOM);
    set_end(writer, tk_packet_state(at, packet_time(writer, when, change->ticks), change->pid,
                                    (enum tk_task_state)change->state));
}

// In Perfetto only "destroyed" may follow "dead", and a later state starts a new row. Tonkopf shows a task that is
// created again under the same number in one row. So the exit of a task is deferred until its next state or the end of
// the trace: only the last exit is written as "dead", an earlier one as "suspended", late.
TK_COLD static void defer_exit(struct tk_writer *writer, const struct tk_task_change *change) {
    struct task *task = find_or_add_task(writer, change->pid);
    struct tk_sched_core *core = writer->cores[change->core];
    if (core) tk_sched_switch_out(core, change->ticks, change->pid, TK_PREV_STATE_PENDING);
    if (!task) return;
    writer->pending_exits += !task->died;
    task->died = true;
    task->died_core = (uint8_t)change->core;
    task->died_ticks = change->ticks;
}

TK_COLD static void write_exit(struct tk_writer *writer, struct task *task, enum tk_task_state state) {
    const struct tk_task_change change = {
        .ticks = task->died_ticks, .pid = task->pid, .core = task->died_core, .state = (uint8_t)state
    };
    struct tk_sched_core *core = writer->cores[task->died_core];
    task->died = false;
    writer->pending_exits--;
    if (!core || !tk_sched_switch_out(core, change.ticks, change.pid, change.state))
        write_state(writer, TK_LATE, &change);
}

TK_NOINLINE static void write_earlier_exit(struct tk_writer *writer, int32_t pid) {
    struct task *task = find_task(writer, pid);
    if (task && task->died) write_exit(writer, task, TK_STATE_SUSPENDED);
}

TK_NOINLINE static void write_bundle(struct tk_writer *writer, uint32_t number) {
    uint8_t *at = room_for(writer, TK_SCHED_ROOM), *end = tk_sched_bundle(writer->cores[number], at, number);
    if (end == at) return;
    set_end(writer, end);
    writer->bundles++;
}

// Returns NULL when out of memory.
TK_COLD static struct tk_sched_core *add_core(struct tk_writer *writer, uint32_t number) {
    struct tk_sched_core *core = writer->cores[number] = tk_alloc_zero(writer->alloc, sizeof *core);
    if (core) tk_sched_init(core, writer->alloc);
    return core;
}

TK_NOINLINE static void write_unresolved(struct tk_writer *writer, struct tk_sched_core *core, uint64_t ticks) {
    struct tk_task_change change = { .ticks = ticks, .state = TK_STATE_RUNNABLE };
    while ((change.pid = tk_sched_take_unresolved(core, ticks)) != 0) write_state(writer, TK_LATE, &change);
}

// Before a switch: the importer would attribute the wake-ups of its tick to the task that comes.
static inline void resolve_wakeups(struct tk_writer *writer, struct tk_sched_core *core, uint64_t ticks) {
    if (core->wakeup_count && core->wakeups[core->wakeup_count - 1].ticks >= ticks)
        write_unresolved(writer, core, ticks);
}

static inline void run(struct tk_writer *writer, struct tk_sched_core *core, const struct tk_task_change *change,
                       int32_t pid) {
    resolve_wakeups(writer, core, change->ticks);
    tk_sched_run(core, change->ticks, pid);
    if (tk_sched_is_due(core)) write_bundle(writer, change->core);
}

static bool wake(struct tk_writer *writer, struct tk_sched_core *core, const struct tk_task_change *change) {
    bool is_full = core->wakeup_count == TK_SCHED_BUNDLE; // wake-ups of this tick may still be removed
    if (is_full && core->wakeups[TK_SCHED_BUNDLE - 1].ticks < change->ticks) write_bundle(writer, change->core);
    return tk_sched_wake(core, change);
}

TK_NOINLINE static void switch_out_early(struct tk_writer *writer, struct tk_sched_core *core,
                                         const struct tk_task_change *change) {
    set_end(writer, tk_sched_switch_out_early(core, room_for(writer, TK_SCHED_ROOM), change->core, change->ticks));
    writer->bundles++;
}

// Returns false if a bundle cannot express the change.
static bool bundled(struct tk_writer *writer, struct tk_sched_core *core, const struct tk_task_change *change) {
    if (change->when == TK_EARLY && tk_sched_is_unrecorded(core->running))
        return true; // no run is drawn that could end
    if (core->running == change->pid && change->when == TK_EARLY) return switch_out_early(writer, core, change), true;
    if ((core->running == change->pid || tk_sched_is_unrecorded(core->running) || change->when == TK_LATE) &&
        tk_sched_switch_out(core, change->ticks, change->pid, change->state))
        return true;
    return change->state == TK_STATE_RUNNABLE && wake(writer, core, change);
}

static inline bool is_idle(const struct tk_writer *writer, int32_t pid) {
    uint32_t i = 0;
    while (i < writer->idle_count && writer->idle[i] != pid) i++;
    return i < writer->idle_count;
}

static void on_state(void *ctx, const struct tk_task_change *change) {
    struct tk_writer *writer = ctx;
    struct tk_sched_core *core = writer->cores[change->core];
    bool idle = is_idle(writer, change->pid);
    if (!core && !(core = add_core(writer, change->core))) return;
    if (change->state == TK_STATE_UNRECORDED) {
        struct tk_task_change woken = { .state = TK_STATE_RUNNABLE };
        while ((woken.pid = tk_sched_take_wakeup_after(core, change->ticks, &woken.ticks)) != 0)
            write_state(writer, TK_LATE, &woken);
        tk_sched_unrecorded(core, change->ticks, TK_PID_UNRECORDED - (int32_t)change->core);
        return;
    }
    if (change->when == TK_IN_ORDER) begin_at(writer, change->ticks);
    if (writer->pending_exits) write_earlier_exit(writer, change->pid);
    if (change->state != TK_STATE_RUNNING && core->running == change->pid) resolve_wakeups(writer, core, change->ticks);
    if (change->state == TK_STATE_RUNNING) run(writer, core, change, idle ? 0 : change->pid);
    else if (idle) return; // the core has no task until another one runs
    else if (change->state == TK_STATE_DEAD) defer_exit(writer, change);
    else if (!bundled(writer, core, change)) write_state(writer, (enum tk_when)change->when, change);
}

// ---- Names, tracks, tasks ----

static void on_define(void *ctx, enum tk_intern list, uint32_t id, const char *text, size_t len) {
    struct tk_writer *writer = ctx;
    set_end(writer, tk_packet_definition(room_for(writer, TK_PACKET_ROOM), list, id, len));
    append_bytes(writer, (const uint8_t *)text, len);
}

// Returns a packet at time 0, for descriptions of tasks and tracks. With a later time the viewer would read it after
// all earlier events, and a task that is dead by then would become a second, nameless one (viewer v52).
static tk_pb_TracePacket packet_at_start(void) {
    tk_pb_TracePacket packet = packet_on_sequence();
    packet.has_timestamp = true;
    packet.has_timestamp_clock_id = true;
    packet.timestamp_clock_id = TK_CLOCK_LATE;
    return packet;
}

static tk_pb_TracePacket track_packet(uint64_t uuid) {
    tk_pb_TracePacket packet = packet_at_start();
    packet.has_track_descriptor = true;
    packet.track_descriptor.has_uuid = true;
    packet.track_descriptor.uuid = uuid;
    return packet;
}

// Prevents the viewer from merging tracks of the same name, and from ignoring a later name.
static void make_own_trace(tk_pb_TrackDescriptor *track) {
    enum { DO_NOT_MERGE = 2 };
    track->has_sibling_merge_behavior = true;
    track->sibling_merge_behavior = DO_NOT_MERGE;
}

static void place_track(tk_pb_TrackDescriptor *to, const struct tk_track_info *track) {
    enum { BY_NAME = 1, BY_RANK = 3 };
    to->has_parent_uuid = track->parent;
    to->parent_uuid = track->parent;
    to->has_sibling_order_rank = track->rank;
    to->sibling_order_rank = track->rank;
    to->has_child_ordering = track->kind == TK_TRACK_GROUP || track->ordered_children;
    to->child_ordering = track->ordered_children ? BY_RANK : BY_NAME;
}

// Describes a thread on a sequence without events. On the sequence of the events, every event of a track without a
// thread would get the last described thread as an argument.
static void describe_thread(tk_pb_TracePacket *packet, int32_t pid) {
    packet->trusted_packet_sequence_id = TK_SEQUENCE_TICKS;
    packet->timestamp_clock_id = TK_CLOCK_DELTA; // this clock is absolute on that sequence
    packet->track_descriptor.has_thread = true;
    packet->track_descriptor.thread = (tk_pb_TrackDescriptor_Thread){ true, pid, true, pid };
}

struct counter_texts {
    struct span unit, share;
    char share_key[TK_DECIMAL_LEN];
};

// The texts must live until the packet is written.
static void describe_counter(tk_pb_TrackDescriptor_Counter *to, const struct tk_track_info *track,
                             struct counter_texts *texts) {
    texts->unit = (struct span){ track->unit, track->unit ? strlen(track->unit) : 0 };
    if (track->unit) to->unit_name = string_field(&texts->unit);
    texts->share = (struct span){ texts->share_key, track->share ? tk_decimal(track->share, texts->share_key) : 0 };
    if (track->share) to->y_axis_share_key = string_field(&texts->share);
}

// Stores the name of a task. A longer name doubles the room, so that repeated renaming does not fill the memory.
static void keep_name(struct tk_writer *writer, const struct tk_task_info *info) {
    struct task *task = find_or_add_task(writer, info->pid);
    size_t len = info->name_len < LONGEST_NAME ? info->name_len : LONGEST_NAME,
           room = task && task->name_room ? task->name_room : 16;
    if (!task) return;
    while (room < len) room *= 2;
    if (room > task->name_room) {
        char *name = (char *)tk_arena_reserve(&writer->names, room);
        if (!name) return;
        tk_arena_commit(&writer->names, room);
        task->name = name;
        task->name_room = (uint16_t)room;
    }
    task->name_len = (uint16_t)len;
    memcpy(task->name, info->name, len);
}

// Registers an idle task: in switches pid 0 replaces it, so that every viewer leaves its time blank. A task that is
// already in a written bundle keeps its row.
TK_COLD static void note_idle(struct tk_writer *writer, int32_t pid) {
    const struct task *task = find_task(writer, pid);
    if (!task || task->bundles_before != writer->bundles || writer->idle_count == TK_SCHED_CORES ||
        is_idle(writer, pid))
        return;
    writer->idle[writer->idle_count++] = pid;
    for (uint32_t i = 0; i < TK_SCHED_CORES; i++)
        if (writer->cores[i]) tk_sched_set_idle(writer->cores[i], pid);
}

// Names the thread in the process tree, where the last name wins.
TK_COLD static void write_thread(struct tk_writer *writer, const struct tk_task_info *info) {
    struct span name = { info->name, info->name_len };
    tk_pb_TracePacket packet = packet_at_start();
    packet.has_kernel_process_tree = true;
    tk_pb_KernelProcessTree *tree = &packet.kernel_process_tree;
    tree->has_processes = true;
    tree->processes = (tk_pb_KernelProcessTree_Process){ true, info->pid };
    tree->has_threads = true;
    tree->threads = (tk_pb_KernelProcessTree_Thread){ .has_tid = true,
                                                      .tid = info->pid,
                                                      .has_pid = true,
                                                      .pid = info->pid,
                                                      .comm = string_field(&name),
                                                      .has_is_main_thread = true,
                                                      .is_main_thread = true,
                                                      .has_is_idle = info->idle,
                                                      .is_idle = info->idle };
    write_packet(writer, &packet);
}

TK_COLD static void on_task(void *ctx, const struct tk_task_info *info) {
    struct tk_writer *writer = ctx;
    writer->has_tasks = true;
    keep_name(writer, info);
    if (info->idle) note_idle(writer, info->pid);
    write_thread(writer, info);
}

// Names the process with a track descriptor: the process tree cuts names at the first space. Viewers before v55 use the
// first descriptor, so it is written at the end.
static void write_process_name(struct tk_writer *writer, int32_t pid, const char *text, size_t len) {
    struct span name = { text, len };
    tk_pb_TracePacket packet = track_packet(PROCESS_UUID + (uint32_t)pid);
    packet.track_descriptor.has_process = true;
    packet.track_descriptor.process = (tk_pb_TrackDescriptor_Process){ true, pid, string_field(&name) };
    make_own_trace(&packet.track_descriptor);
    write_packet(writer, &packet);
}

// Names a thread that is no task, and its process.
TK_COLD static void write_other_thread(struct tk_writer *writer, int32_t pid, const char *name, size_t len) {
    write_thread(writer, &(struct tk_task_info){ pid, name, len, false });
    write_process_name(writer, pid, name, len);
}

TK_COLD static void write_messages_track(struct tk_writer *writer) {
    tk_pb_TracePacket packet = track_packet(MESSAGES_TRACK);
    make_own_trace(&packet.track_descriptor);
    describe_thread(&packet, TK_PID_MESSAGES);
    write_packet(writer, &packet);
    write_other_thread(writer, TK_PID_MESSAGES, "Messages", 8);
}

// A track of samples is a thread with a process of its own: the viewer shows samples only there.
static void describe_samples(struct tk_writer *writer, const struct tk_track_info *track) {
    int32_t pid = TK_PID_SAMPLES + (int32_t)sampled_core(writer, track->track);
    write_other_thread(writer, pid, track->name, track->name_len);
}

TK_COLD static void on_declare(void *ctx, const struct tk_track_info *track) {
    struct tk_writer *writer = ctx;
    if (track->kind == TK_TRACK_SAMPLES) {
        describe_samples(writer, track);
        return;
    }
    bool has_slices = track->kind == TK_TRACK_SLICES || track->kind == TK_TRACK_THREAD;
    if (has_slices && !writer->default_track && !writer->head_sent) writer->default_track = track->track;
    tk_pb_TracePacket packet = track_packet(track->track);
    tk_pb_TrackDescriptor *to = &packet.track_descriptor;
    struct span name = { track->name, track->name_len };
    struct span description = { track->description, track->description ? strlen(track->description) : 0 };
    if (track->description) to->description = string_field(&description);
    bool is_root = !track->parent; // its title may change at the end of the recording
    if (track->kind != TK_TRACK_GROUP || is_root) make_own_trace(to);
    if (track->kind == TK_TRACK_THREAD) { // its name is that of the task
        describe_thread(&packet, track->pid);
    } else {
        to->name = string_field(&name);
        place_track(to, track);
    }
    to->has_counter = track->kind == TK_TRACK_COUNTER;
    struct counter_texts texts;
    describe_counter(&to->counter, track, &texts);
    write_packet(writer, &packet);
}

// ---- End ----

// The viewer places a task's counters and markers above or below its state by their alphabetical position among all
// tracks without a parent; state and waits have the fixed positions 10 and 20. Twenty filler tracks that sort first, of
// a built-in type that the viewer never draws, push all others after these. Each needs one value, at the first time of
// the trace.
static void write_fillers(struct tk_writer *writer) {
    enum { THREAD_TIME = 1 };
    struct span name = { " ", 1 };
    for (uint32_t i = 0; i < FILLERS; i++) {
        tk_pb_TracePacket packet = track_packet(FILLER_TRACK + i);
        packet.track_descriptor.name = string_field(&name);
        packet.track_descriptor.has_counter = true;
        packet.track_descriptor.counter.has_type = true;
        packet.track_descriptor.counter.type = THREAD_TIME;
        make_own_trace(&packet.track_descriptor);
        write_packet(writer, &packet);
        struct tk_track_event value = {
            .ticks = writer->first_ticks, .track = FILLER_TRACK + i, .type = TK_EVENT_COUNTER, .when = TK_LATE
        };
        on_event(writer, &value);
    }
    // The viewer's time axis ends with the last packet, but events without a packet may be later.
    struct tk_track_event end = {
        .ticks = writer->summary.last_ticks, .track = FILLER_TRACK, .type = TK_EVENT_COUNTER, .when = TK_LATE
    };
    if (writer->summary.last_ticks > writer->first_ticks) on_event(writer, &end);
}

// Makes the viewer show that data was lost.
static void write_losses(struct tk_writer *writer) {
    tk_pb_TracePacket packet = tk_pb_TracePacket_init_zero;
    packet.has_trace_stats = true;
    packet.trace_stats.has_buffer_stats = true;
    packet.trace_stats.buffer_stats.has_trace_writer_packet_loss = true;
    packet.trace_stats.buffer_stats.trace_writer_packet_loss = writer->summary.lost_events;
    write_packet(writer, &packet);
}

// The viewer shows the note in its trace info page (from v55 on).
static void write_note(struct tk_writer *writer) {
    struct span key = { "tonkopf.times", 13 }, value = { writer->summary.note, strlen(writer->summary.note) };
    tk_pb_TracePacket packet = packet_on_sequence();
    packet.has_trace_attributes = true;
    packet.trace_attributes.has_attribute = true;
    packet.trace_attributes.attribute = (tk_pb_TraceAttributes_Attribute){ string_field(&key), string_field(&value) };
    write_packet(writer, &packet);
}

static void write_last_bundles(struct tk_writer *writer, uint32_t number) {
    struct tk_sched_core *core = writer->cores[number];
    tk_sched_resolve_all(core);
    while (core->count || core->wakeup_count) write_bundle(writer, number);
}

static void correct_head(struct tk_writer *writer) {
    uint8_t head[TK_PACKET_HEAD_LEN];
    tk_packet_head(head, &writer->summary, writer->default_track);
    if (!memcmp(head, writer->head, sizeof head)) return;
    bool can_seek = writer->out.rewrite_head && !writer->refused;
    if (can_seek) writer->refused = !writer->out.rewrite_head(writer->out.ctx, head, sizeof head);
    writer->head_is_wrong = !can_seek || writer->refused;
}

TK_COLD static void on_finish(void *ctx, const struct tk_trace_summary *summary) {
    struct tk_writer *writer = ctx;
    writer->summary = *summary;
    if (!writer->summary.tick_ns) writer->summary.tick_ns = 1;
    for (uint32_t i = 0; i < TK_SCHED_CORES; i++)
        if (writer->cores[i] && writer->cores[i]->unrecorded)
            write_other_thread(writer, TK_PID_UNRECORDED - (int32_t)i, "not recorded", 12);
    if (writer->has_messages) write_messages_track(writer);
    for (uint32_t i = 0; i < writer->task_count; i++) {
        struct task *task = &writer->tasks[i];
        if (task->died) write_exit(writer, task, TK_STATE_DEAD);
        if (task->name) write_process_name(writer, task->pid, task->name, task->name_len);
    }
    for (uint32_t i = 0; i < TK_SCHED_CORES; i++)
        if (writer->cores[i]) write_last_bundles(writer, i);
    if (writer->has_tasks && writer->started) write_fillers(writer);
    if (writer->summary.lost_events) write_losses(writer);
    if (writer->summary.note) write_note(writer);
    send_block(writer);
    correct_head(writer);
}

// ---- Life ----

tk_writer *tk_writer_new(struct tk_alloc *alloc, const struct tk_byte_sink *out) {
    struct tk_writer *writer = tk_alloc_zero(alloc, sizeof *writer);
    if (!writer) return NULL;
    writer->alloc = writer->names.alloc = alloc;
    writer->out = *out;
    writer->summary.tick_ns = 1;
    writer->at = writer->block + TK_PACKET_HEAD_LEN; // the head is inserted when the block is sent
    return writer;
}

void tk_writer_set_tick_ns(tk_writer *writer, uint64_t tick_ns) { writer->summary.tick_ns = tick_ns ? tick_ns : 1; }

void tk_writer_set_output(tk_writer *writer, const struct tk_byte_sink *out) { writer->out = *out; }

struct tk_track_sink tk_writer_track_sink(tk_writer *writer) {
    return (struct tk_track_sink){ .ctx = writer,
                                   .define = on_define,
                                   .declare = on_declare,
                                   .task = on_task,
                                   .state = on_state,
                                   .event = on_event,
                                   .plain = on_simple_event,
                                   .finish = on_finish };
}

uint64_t tk_writer_packets(const tk_writer *writer) { return writer->packets; }

uint64_t tk_writer_bytes(const tk_writer *writer) { return writer->sent + (writer->refused ? 0 : used(writer)); }

bool tk_writer_refused(const tk_writer *writer) { return writer->refused; }

bool tk_writer_head_is_wrong(const tk_writer *writer) { return writer->head_is_wrong; }
