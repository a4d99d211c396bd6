// SPDX-License-Identifier: MIT
//
// Calls of a track sink, written as a trace and read back with nanopb: every event must come back as it was told, with its
// absolute time, and the head must have the tick length that was told last, or the writer must say that it has not.
#include <pb_decode.h>
#include <string.h>

#include "common/check.h"
#include "common/conversion.h"
#include "common/heap.h"
#include "common/take.h"
#include "perfetto.pb.h"
#include "perfetto/packet.h"
#include "perfetto/writer.h"

enum { MAX_CALLS = 300, MAX_ARGS = 4, TRACKS = 40, TASKS = 6, LONG_TEXT = 70000 };

struct told {
    struct tk_track_event event;
    struct tk_arg args[MAX_ARGS];
};

static struct told told[MAX_CALLS];
static char long_text[LONG_TEXT];

struct script {
    struct take from;
    struct tk_track_sink to;
    tk_writer *writer;
    uint64_t now, states;
    uint32_t count, tracks, names;
    bool died[TASKS], pipe;
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

// ---- Calls -------------------------------------------------------------------------------------------------------------

// Mostly short; some as long as a length field, a direct packet or a block can just hold, or longer.
static uint32_t take_length(struct take *from) {
    static const uint32_t telling[] = { 127, 128, 60, 61, 62, 63, 64, 16383, 16384, 16287, 16288, 16289, 16250, 65535, 65536, LONG_TEXT };
    unsigned byte = take_byte(from);
    return byte < 0xF0 ? byte : telling[byte - 0xF0];
}

static void take_args(struct script *script, struct told *call) {
    call->event.arg_count = (uint8_t)(take_byte(&script->from) % (MAX_ARGS + 1));
    call->event.args = call->args;
    for (unsigned i = 0; i < call->event.arg_count; i++) {
        struct tk_arg *arg = &call->args[i];
        *arg = (struct tk_arg){ .name = 1 + take_byte(&script->from), .type = (enum tk_arg_type)(take_byte(&script->from) % (TK_ARG_DOUBLE + 1)) };
        if (arg->type == TK_ARG_STRING) arg->string = long_text, arg->string_len = take_length(&script->from);
        else if (arg->type == TK_ARG_TEXT) arg->value.text = (uint32_t)take_number(&script->from);
        else arg->value.u = take_number(&script->from);
    }
}

static void tell_event(struct script *script) {
    if (!script->tracks) return;
    struct told *call = &told[script->count++];
    struct tk_track_event *event = &call->event;
    unsigned flags = take_byte(&script->from);
    memset(event, 0, sizeof *event);
    event->track = 1 + take_byte(&script->from) % script->tracks;
    event->type = (uint8_t)(TK_EVENT_BEGIN + flags % 4);
    event->when = (uint8_t)(flags & 4 ? 1 + (flags >> 3 & 1) : TK_IN_ORDER);
    event->ticks = event->when && script->now ? script->now - take_byte(&script->from) % script->now : script->now;
    if (event->when == TK_EARLY && !event->ticks) event->when = TK_LATE;
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

static void tell_state(struct script *script) {
    unsigned task = take_byte(&script->from) % TASKS, flags = take_byte(&script->from);
    enum tk_task_state state = (enum tk_task_state)(flags % (TK_STATE_DEAD + 1));
    if (state != TK_STATE_DEAD) script->states++;
    else if (!script->died[task]) script->states++;
    script->died[task] = state == TK_STATE_DEAD;
    enum tk_when when = (enum tk_when)(flags >> 4 & 1);
    script->to.state(script->to.ctx, when, when ? script->now / 2 : script->now, (int32_t)task + 3, state, flags >> 5 & 3);
}

static void tell_name(struct script *script) {
    unsigned flags = take_byte(&script->from);
    uint32_t len = take_length(&script->from);
    if (flags & 3) {
        script->to.define(script->to.ctx, (enum tk_intern)(flags % 3), ++script->names, long_text, len);
    } else {
        struct tk_task_info task = { .pid = (int32_t)(flags >> 2) % TASKS + 3, .name = long_text, .name_len = len, .idle = flags & 0x80 };
        script->to.task(script->to.ctx, &task);
    }
}

static void tell_track(struct script *script) {
    unsigned flags = take_byte(&script->from);
    if (script->tracks == TRACKS) return;
    struct tk_track_info track = {
        .track = ++script->tracks, .kind = (enum tk_track_kind)(flags & 3), .pid = 3, .rank = flags >> 5, .ordered_children = flags & 4,
        .parent = flags & 8 ? script->tracks / 2 : 0, .name = long_text, .name_len = take_length(&script->from),
        .unit = flags & 16 ? "items" : NULL, .description = flags & 4 ? "what it shows" : NULL
    };
    script->to.declare(script->to.ctx, &track);
}

static void tell(struct script *script) {
    switch (take_byte(&script->from) % 10) {
    case 0: script->now += take_number(&script->from); break;
    case 1: tell_track(script); break;
    case 2: tell_name(script); break;
    case 3: tell_state(script); break;
    case 4: tk_writer_set_tick_ns(script->writer, take_number(&script->from)); break;
    default: tell_event(script); break;
    }
    if (script->now > INT64_MAX) script->now = INT64_MAX;
}

// ---- Reading back --------------------------------------------------------------------------------------------------------

struct reading {
    uint64_t time, packets, states;
    uint32_t events, args;
    const struct script *script;
    const struct tk_trace_facts *facts;
    bool head_wrong;
    uint64_t usual_track; // of events that name none
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
    check(reading->events < reading->script->count && reading->args < told[reading->events].event.arg_count);
    const struct tk_arg *arg = &told[reading->events].args[reading->args++];
    check(read.has_name_iid && read.name_iid == arg->name);
    check(read.has_uint_value == (arg->type == TK_ARG_UINT) && (!read.has_uint_value || read.uint_value == arg->value.u));
    check(read.has_int_value == (arg->type == TK_ARG_INT) && (!read.has_int_value || read.int_value == arg->value.i));
    check(read.has_string_value_iid == (arg->type == TK_ARG_TEXT) && (!read.has_string_value_iid || read.string_value_iid == arg->value.text));
    check(read.has_double_value == (arg->type == TK_ARG_DOUBLE) && (!read.has_double_value || !memcmp(&read.double_value, &arg->value.d, 8)));
    check((arg->type == TK_ARG_STRING) == (len != SIZE_MAX) && (len == SIZE_MAX || len == arg->string_len));
    return true;
}

static void check_event(struct reading *reading, const tk_pb_TracePacket *packet, size_t name_len) {
    const tk_pb_TrackEvent *read = &packet->track_event;
    if (read->track_uuid >> 31) return; // what the writer adds for the viewer
    check(reading->events < reading->script->count);
    const struct tk_track_event *event = &told[reading->events].event;
    check(reading->args == event->arg_count);
    check(read->type == event->type && (read->has_track_uuid ? read->track_uuid : reading->usual_track) == event->track);
    check(read->has_name_iid == !!event->name && (!event->name || read->name_iid == event->name));
    check((name_len != SIZE_MAX) == (event->string && !event->name) && (name_len == SIZE_MAX || name_len == event->string_len));
    bool counts = event->type == TK_EVENT_COUNTER;
    check(read->has_counter_value == (counts && !event->is_double) && (!read->has_counter_value || read->counter_value == event->value));
    check(read->has_double_counter_value == (counts && event->is_double));
    check(!read->has_double_counter_value || !memcmp(&read->double_counter_value, &event->value_double, 8));
    check(read->has_flow_id == !!event->flow && (!event->flow || read->flow_id == event->flow));
    check(read->has_terminating_flow_id == !!event->flow_end && (!event->flow_end || read->terminating_flow_id == event->flow_end));
    if (!packet->has_timestamp_clock_id) check(event->when == TK_IN_ORDER && reading->time == event->ticks);
    else check(packet->timestamp == event->ticks && packet->timestamp_clock_id == (event->when == TK_EARLY ? TK_CLOCK_EARLY : TK_CLOCK_LATE));
    reading->events++;
    reading->args = 0;
}

static void check_head(const struct reading *reading, const tk_pb_ClockSnapshot *snapshot) {
    for (unsigned i = 0; i < snapshot->clocks_count; i++) {
        const tk_pb_ClockSnapshot_Clock *clock = &snapshot->clocks[i];
        if (reading->head_wrong) continue;
        if (clock->clock_id >= TK_CLOCK_DELTA && clock->clock_id <= TK_CLOCK_EARLY) check(clock->unit_multiplier_ns == reading->facts->tick_ns);
        if (clock->clock_id == 1) check(reading->facts->has_wall_clock && (int64_t)clock->timestamp == reading->facts->wall_clock_ns);
    }
}

static bool on_packet(pb_istream_t *stream, const pb_field_t *field, void **arg) {
    struct reading *reading = *arg;
    tk_pb_TracePacket packet = tk_pb_TracePacket_init_zero;
    size_t name_len = SIZE_MAX;
    (void)field;
    packet.track_event.name = (pb_callback_t){ .funcs.decode = on_text, .arg = &name_len };
    packet.track_event.debug_annotations = (pb_callback_t){ .funcs.decode = on_arg, .arg = reading };
    check(pb_decode(stream, tk_pb_TracePacket_fields, &packet));
    check(packet.has_clock_snapshot == (reading->packets++ < 2));
    if (packet.has_clock_snapshot) check_head(reading, &packet.clock_snapshot);
    if (packet.has_trace_packet_defaults) reading->usual_track = packet.trace_packet_defaults.track_event_defaults.track_uuid;
    if (packet.has_timestamp && !packet.has_timestamp_clock_id) reading->time += packet.timestamp;
    if (packet.has_track_event) check_event(reading, &packet, name_len);
    reading->states += packet.has_task_state;
    return true;
}

static void read_back(const struct script *script, const struct tk_trace_facts *facts) {
    struct reading reading = { .script = script, .facts = facts, .head_wrong = tk_writer_head_is_wrong(script->writer) };
    tk_pb_Trace trace = { .packet = { .funcs.decode = on_packet, .arg = &reading } };
    pb_istream_t stream = pb_istream_from_buffer(output.data, output.len);
    check(!reading.head_wrong || script->pipe);
    check(tk_writer_bytes(script->writer) == output.len && output.len >= TK_PACKET_HEAD_LEN);
    check(pb_decode(&stream, tk_pb_Trace_fields, &trace));
    check(reading.events == script->count && reading.states == script->states);
    check(tk_writer_packets(script->writer) == reading.packets - 2);
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
    struct tk_trace_facts facts = { .tick_ns = 1 + take_byte(&script.from), .lost_events = take_byte(&script.from) };
    facts.has_wall_clock = facts.lost_events & 1;
    facts.wall_clock_ns = (int64_t)take_number(&script.from);
    while (script.count < MAX_CALLS && take_left(&script.from)) tell(&script);
    facts.last_ticks = script.now;
    script.to.finish(script.to.ctx, &facts);
    read_back(&script, &facts);
    tk_writer_free(script.writer);
    check(!alloc.in_use);
    heap_reset();
    return 0;
}
