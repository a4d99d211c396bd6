// SPDX-License-Identifier: MIT
#include "packet.h"

#include "../base/bytes.h"
#include "../base/attributes.h"
#include "sched.h"
#include "wire.h"

#include <string.h>

// Tags: field number * 8 + wire type (0 varint, 1 fixed64, 2 bytes). A two-byte tag is a varint: seven bits per byte.
enum { TRACE_PACKET = 0x0A };
enum { PACKET_TIMESTAMP = 0x40, PACKET_SEQUENCE = 0x50, PACKET_EVENT = 0x5A, PACKET_INTERNED = 0x62 };
enum { INTERNED_SOURCE = 0x22, ENTRY_ID = 0x08, ENTRY_TEXT = 0x12 };
enum { EVENT_TRACK = 0x58, EVENT_CATEGORY = 0x18 };
enum { MAPPING = 1 }; // number of the only mapping, which frames of stacks need
enum { ANNOTATION = 0x22, ANNOTATION_OF_GROUP = 0x5A, ANNOTATION_OF_LIST = 0x62 };

// Stores little-endian bytes; with a constant width this is one store.
static inline void store(uint8_t *at, uint64_t bytes, size_t width) {
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    memcpy(at, &bytes, width);
#else
    for (size_t i = 0; i < width; i++) at[i] = (uint8_t)(bytes >> 8 * i);
#endif
}

// Writes `count` of 4 or 8 stored bytes.
static inline uint8_t *put_bytes4(uint8_t *at, uint32_t bytes, unsigned count) {
    store(at, bytes, 4);
    return at + count;
}

static inline uint8_t *put_bytes8(uint8_t *at, uint64_t bytes, unsigned count) {
    store(at, bytes, 8);
    return at + count;
}

// Writes ten bytes for any value, so that the value can be replaced later.
static uint8_t *put_padded_varint(uint8_t *at, uint64_t value) {
    for (int i = 0; i < 9; i++, value >>= 7) *at++ = (uint8_t)value | 0x80;
    *at++ = (uint8_t)value;
    return at;
}

static inline uint8_t *put_fixed64(uint8_t *at, uint64_t value) { return put_bytes8(at, value, 8); }

static uint8_t *put_double(uint8_t *at, double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return put_fixed64(at, bits);
}

static uint8_t *put_string(uint8_t *at, const char *string, size_t len) {
    at = tk_put_varint(at, len);
    if (len) tk_copy(at, string, len);
    return at + len;
}

TK_COLD static uint8_t *widen(uint8_t *length_at, uint8_t *end) {
    size_t len = (size_t)(end - length_at - 1);
    memmove(length_at + 2, length_at + 1, len);
    length_at[0] = (uint8_t)len | 0x80;
    length_at[1] = (uint8_t)(len >> 7);
    return end + 1;
}

// Ends a message whose length byte is at length_at.
static inline uint8_t *close_message(uint8_t *length_at, uint8_t *end) {
    size_t len = (size_t)(end - length_at - 1);
    if (len >= 0x80) return widen(length_at, end);
    *length_at = (uint8_t)len;
    return end;
}

static inline uint8_t *put_sequence(uint8_t *at) {
    const uint8_t field[2] = { PACKET_SEQUENCE, 1 };
    memcpy(at, field, 2);
    return at + 2;
}

static inline uint8_t *put_clock_of_time(uint8_t *at, struct tk_packet_time time) {
    if (time.clock == TK_CLOCK_DELTA) return at;
    *at++ = 0xD0, *at++ = 0x03; // timestamp_clock_id
    *at++ = (uint8_t)time.clock;
    return at;
}

static uint8_t *put_time(uint8_t *at, struct tk_packet_time time) {
    *at++ = PACKET_TIMESTAMP;
    return put_clock_of_time(tk_put_varint(at, time.value), time);
}

// ---- Head ----

enum { REALTIME = 1, BOOTTIME = 6, UNUSED = 67 };

TK_COLD static uint8_t *put_clock(uint8_t *at, uint8_t id, uint64_t timestamp, bool incremental, uint64_t multiplier) {
    *at++ = TRACE_PACKET; // ClockSnapshot.clocks has the same tag
    uint8_t *length_at = at++;
    *at++ = 0x08, *at++ = id;
    *at++ = 0x10, at = put_padded_varint(at, timestamp);
    if (incremental) *at++ = 0x18, *at++ = 1;
    if (multiplier) *at++ = 0x20, at = put_padded_varint(at, multiplier);
    return close_message(length_at, at);
}

// Defines clock 64 of another sequence, which is a separate clock: absolute ticks, where tick `ticks` is at `ns`
// nanoseconds.
TK_COLD static uint8_t *put_bundle_clock(uint8_t *at, uint8_t sequence, uint64_t ns, uint64_t ticks, uint64_t tick_ns) {
    *at++ = TRACE_PACKET;
    uint8_t *packet = at++;
    *at++ = PACKET_SEQUENCE, *at++ = sequence;
    *at++ = 0x32; // clock_snapshot
    uint8_t *snapshot = at++;
    at = put_clock(at, BOOTTIME, ns, false, 0);
    at = put_clock(at, TK_CLOCK_DELTA, ticks, false, tick_ns);
    return close_message(packet, close_message(snapshot, at));
}

// Writes the clock and the track of packets that name none, as fields of TracePacketDefaults. is_padded: the length is
// the same for every track.
TK_COLD static uint8_t *put_defaults(uint8_t *at, uint32_t track, bool is_padded) {
    *at++ = 0xD0, *at++ = 0x03, *at++ = TK_CLOCK_DELTA;
    *at++ = PACKET_EVENT;
    uint8_t *event = at++;
    *at++ = EVENT_TRACK, at = is_padded ? put_padded_varint(at, track) : tk_put_varint(at, track);
    return close_message(event, at);
}

TK_COLD uint8_t *tk_packet_head(uint8_t *at, const struct tk_trace_summary *summary, uint32_t default_track) {
    *at++ = TRACE_PACKET;
    uint8_t *packet = at++;
    at = put_sequence(at);
    *at++ = 0x68, *at++ = 1;               // sequence_flags: interned data begin here
    *at++ = 0xB8, *at++ = 0x05, *at++ = 1; // first_packet_on_sequence
    *at++ = 0x32;                          // clock_snapshot
    uint8_t *snapshot = at++;
    at = put_clock(at, BOOTTIME, 0, false, 0);
    at = put_clock(at, TK_CLOCK_DELTA, 0, true, summary->tick_ns);
    at = put_clock(at, TK_CLOCK_LATE, 0, false, summary->tick_ns);
    // Without a wall clock an unused clock takes its place, so that the head keeps its length.
    at = put_clock(at, summary->has_wall_clock ? REALTIME : UNUSED,
                   summary->has_wall_clock ? (uint64_t)summary->wall_clock_ns : 0, false, 0);
    at = close_message(snapshot, at);
    *at++ = 0xDA, *at++ = 0x03; // trace_packet_defaults
    uint8_t *defaults = at++;
    at = close_message(defaults, put_defaults(at, default_track, true));
    at = close_message(packet, at);

    at = put_bundle_clock(at, TK_SEQUENCE_TICKS, 0, 0, summary->tick_ns);
    return put_bundle_clock(at, TK_SEQUENCE_EARLY, summary->tick_ns - 1, 1, summary->tick_ns); // tick 1 of this clock
                                                                                               // is one nanosecond
                                                                                               // before tick 1
}

// ---- Events ----

static TK_INLINE uint8_t *put_simple_event(uint8_t *at, struct tk_packet_time time, enum tk_track_event_type type,
                                           uint32_t track, uint64_t what, uint64_t detail, uint32_t default_track) {
    uint8_t *packet = at;
    at = put_clock_of_time(tk_put_varint(put_bytes4(at, TRACE_PACKET | PACKET_TIMESTAMP << 16, 3), time.value), time);
    uint8_t *event = at;
    at = put_bytes4(at, PACKET_EVENT | 0x48u << 16 | (uint32_t)type << 24, 4);
    if (what && type != TK_EVENT_COUNTER) *at++ = 0x50, at = tk_put_varint(at, what);
    if (track != default_track) *at++ = EVENT_TRACK, at = tk_put_varint(at, track);
    if (type == TK_EVENT_COUNTER) *at++ = 0xF0, *at++ = 0x01, at = tk_put_varint(at, what);
    if (tk_simple_event_arg_name(detail)) {
        uint8_t *annotation = at;
        at = tk_put_varint(put_bytes4(at, ANNOTATION | 0x08u << 16, 3), tk_simple_event_arg_name(detail));
        *at++ = 0x88, *at++ = 0x01, at = tk_put_varint(at, tk_simple_event_arg_text(detail));
        annotation[1] = (uint8_t)(at - annotation - 2);
    }
    event[1] = (uint8_t)(at - event - 2);
    at = put_sequence(at);
    packet[1] = (uint8_t)(at - packet - 2);
    return at;
}

inline uint8_t *tk_packet_simple_event(uint8_t *at, uint64_t delta, enum tk_track_event_type type, uint32_t track,
                                       uint64_t what, uint64_t detail, uint32_t default_track) {
    struct tk_packet_time time = { delta, TK_CLOCK_DELTA };
    return put_simple_event(at, time, type, track, what, detail, default_track);
}

uint8_t *tk_packet_late_event(uint8_t *at, uint64_t ticks, enum tk_track_event_type type, uint32_t track, uint32_t name,
                              uint64_t detail, uint32_t default_track) {
    struct tk_packet_time time = { ticks, TK_CLOCK_LATE };
    return put_simple_event(at, time, type, track, name, detail, default_track);
}

// Writes one argument with its members; sets *next_arg to the argument after them.
static uint8_t *put_any_arg(uint8_t *at, uint8_t tag, const struct tk_arg **next_arg) {
    const struct tk_arg *arg = (*next_arg)++, *end = *next_arg + (arg->type >= TK_ARG_GROUP ? arg->value.u : 0);
    *at++ = tag;
    uint8_t *length_at = at++;
    if (arg->name) *at++ = 0x08, at = tk_put_varint(at, arg->name);
    switch (arg->type) {
    case TK_ARG_UINT: *at++ = 0x18, at = tk_put_varint(at, arg->value.u); break;
    case TK_ARG_INT: *at++ = 0x20, at = tk_put_varint(at, (uint64_t)arg->value.i); break;
    case TK_ARG_TEXT: *at++ = 0x88, *at++ = 0x01, at = tk_put_varint(at, arg->value.text); break;
    case TK_ARG_DOUBLE: *at++ = 0x29, at = put_double(at, arg->value.d); break;
    case TK_ARG_STRING: *at++ = 0x32, at = put_string(at, arg->string, arg->string_len); break;
    case TK_ARG_GROUP:
    case TK_ARG_LIST:
        while (*next_arg < end)
            at = put_any_arg(at, arg->type == TK_ARG_GROUP ? ANNOTATION_OF_GROUP : ANNOTATION_OF_LIST, next_arg);
        break;
    }
    return close_message(length_at, at);
}

TK_NOINLINE static uint8_t *put_other_arg(uint8_t *at, const struct tk_arg **next_arg) {
    return put_any_arg(at, ANNOTATION, next_arg);
}

// Writes an argument whose name takes one byte. Its value usually does, too: then one store writes all.
static TK_INLINE uint8_t *put_named(uint8_t *at, uint32_t name, uint64_t tag, unsigned tag_len, uint64_t value) {
    uint64_t head = ANNOTATION | 0x08u << 16 | (uint64_t)name << 24 | tag << 32;
    if (value < 0x80) return put_bytes8(at, head | (3 + tag_len) << 8 | value << (32 + 8 * tag_len), 5 + tag_len);
    uint8_t *end = tk_put_varint(put_bytes8(at, head, 4 + tag_len), value);
    at[1] = (uint8_t)(end - at - 2);
    return end;
}

static inline bool is_usual_arg(const struct tk_arg *arg) { return arg->type <= TK_ARG_TEXT && arg->name - 1u < 0x7F; }

static inline uint8_t *put_usual_arg(uint8_t *at, const struct tk_arg *arg) {
    if (arg->type == TK_ARG_TEXT) return put_named(at, arg->name, 0x0188, 2, arg->value.text);
    return put_named(at, arg->name, arg->type == TK_ARG_INT ? 0x20 : 0x18, 1, arg->value.u);
}

static inline uint8_t *put_args(uint8_t *at, const struct tk_arg *arg, const struct tk_arg *end) {
    while (arg < end) {
        const struct tk_arg *next = arg;
        if (is_usual_arg(arg)) at = put_usual_arg(at, arg++);
        else at = put_other_arg(at, &next), arg = next;
    }
    return at;
}

static uint8_t *put_counter_value(uint8_t *at, const struct tk_track_event *event) {
    if (event->is_double) {
        *at++ = 0xE1, *at++ = 0x02;
        return put_double(at, event->value_double);
    }
    *at++ = 0xF0, *at++ = 0x01;
    return tk_put_varint(at, (uint64_t)event->value);
}

size_t tk_packet_event_bound(const struct tk_track_event *event) {
    // Everything but strings takes at most 86 bytes, an argument 21, a log message 77.
    size_t bound = 96 + (size_t)event->string_len;
    if (event->log) bound += 80 + (size_t)event->log->source_len + event->string_len;
    for (unsigned i = 0; i < event->arg_count; i++) {
        bound += 24;
        if (event->args[i].type == TK_ARG_STRING) bound += event->args[i].string_len;
    }
    return bound;
}

static uint8_t *put_interned(uint8_t *at, uint64_t number, const char *text, size_t len) {
    uint8_t *entry = at++;
    *at++ = ENTRY_ID, at = tk_put_varint(at, number);
    *at++ = ENTRY_TEXT, at = put_string(at, text, len);
    return close_message(entry, at);
}

// Writes the texts of a log message.
static uint8_t *put_log_texts(uint8_t *at, const struct tk_track_event *event, uint64_t number) {
    *at++ = PACKET_INTERNED;
    uint8_t *data = at++;
    *at++ = INTERNED_SOURCE, at = put_interned(at, number, event->log->source, event->log->source_len);
    *at++ = 0xA2, *at++ = 0x01, at = put_interned(at, number, event->string, event->string_len);
    return close_message(data, at);
}

static uint8_t *put_log_message(uint8_t *at, uint64_t number, uint8_t level) {
    *at++ = 0xAA, *at++ = 0x01;
    uint8_t *message = at++;
    *at++ = 0x08, at = tk_put_varint(at, number); // source location
    *at++ = 0x10, at = tk_put_varint(at, number); // body
    *at++ = 0x18, at = tk_put_varint(at, level);
    return close_message(message, at);
}

uint8_t *tk_packet_event(uint8_t *at, struct tk_packet_time time, const struct tk_track_event *event,
                         uint32_t default_track, uint64_t log_number) {
    uint8_t *packet = at;
    *at++ = TRACE_PACKET, at++;
    at = put_time(at, time);
    uint8_t *body = at;
    at = put_bytes4(at, PACKET_EVENT | 0x48u << 16 | (uint32_t)event->type << 24, 4);
    if (event->name) *at++ = 0x50, at = tk_put_varint(at, event->name);
    else if (event->string) *at++ = 0xBA, *at++ = 0x01, at = put_string(at, event->string, event->string_len);
    if (event->track != default_track) *at++ = EVENT_TRACK, at = tk_put_varint(at, event->track);
    if (event->category) *at++ = EVENT_CATEGORY, at = tk_put_varint(at, event->category);
    if (event->type == TK_EVENT_COUNTER) at = put_counter_value(at, event);
    if (event->arg_count) at = put_args(at, event->args, event->args + event->arg_count);
    if (event->flow) *at++ = 0xF9, *at++ = 0x02, at = put_fixed64(at, event->flow);
    if (event->flow_end) *at++ = 0x81, *at++ = 0x03, at = put_fixed64(at, event->flow_end);
    if (event->correlation) *at++ = 0xA0, *at++ = 0x03, at = tk_put_varint(at, event->correlation);
    if (event->log) at = put_log_message(at, log_number, event->log->level);
    at = close_message(body + 1, at);
    if (event->log) at = put_log_texts(at, event, log_number);
    at = put_sequence(at);
    return close_message(packet + 1, at);
}

void tk_packet_prepare(const uint8_t *packet, const uint8_t *end, const struct tk_track_event *event) {
    const uint8_t *body = packet + 3;
    while (*body++ & 0x80) {} // skip the time
    size_t len = (size_t)(end - body);
    if (packet[1] & 0x80 || len > TK_PREPARED) return;
    *event->prepared = (struct tk_prepared){ .track = event->track, .name = event->name, .len = (uint8_t)len };
    memcpy(event->prepared->bytes, body, len);
}

inline uint8_t *tk_packet_repeat(uint8_t *at, uint64_t delta, const struct tk_prepared *prepared) {
    uint8_t *packet = at;
    at = tk_put_varint(put_bytes4(at, TRACE_PACKET | PACKET_TIMESTAMP << 16, 3), delta);
    memcpy(at, prepared->bytes, TK_PREPARED); // copy all bytes: a constant width needs no call
    at += prepared->len;
    packet[1] = (uint8_t)(at - packet - 2);
    return at;
}

uint8_t *tk_packet_add_counter(uint8_t *packet, uint8_t *end, uint32_t track, uint64_t value) {
    enum { LONGEST = 18 };
    uint8_t *event = packet + 3;
    if (packet[1] + LONGEST >= 0x80) return NULL; // also excludes lengths of two bytes
    while (*event & 0x80) event++;                // skip the time
    if (*++event != PACKET_EVENT) return NULL;
    uint8_t *at = end - 2; // the sequence number follows the event
    *at++ = 0xF8, *at++ = 0x01, at = tk_put_varint(at, track);
    *at++ = 0x60, at = tk_put_varint(at, value);
    event[1] = (uint8_t)(at - event - 2);
    at = put_sequence(at);
    packet[1] = (uint8_t)(at - packet - 2);
    return at;
}

// ---- Names and texts ----

static size_t varint_size(uint64_t value) {
    size_t size = 1;
    while (value >>= 7) size++;
    return size;
}

// Returns the size of a field with this content after its tag, including its length.
static size_t field_size(size_t content) { return varint_size(content) + content; }

// Writes the frame of a function, and the stack that consists of this frame, as fields of InternedData.
static uint8_t *put_stack(uint8_t *at, uint32_t function) {
    *at++ = 0x32; // frames
    uint8_t *frame = at++;
    *at++ = ENTRY_ID, at = tk_put_varint(at, function);
    *at++ = 0x10, at = tk_put_varint(at, function);
    *at++ = 0x18, *at++ = MAPPING;
    at = close_message(frame, at);
    *at++ = 0x3A; // callstacks
    uint8_t *stack = at++;
    *at++ = ENTRY_ID, at = tk_put_varint(at, function);
    *at++ = 0x10, at = tk_put_varint(at, function);
    return close_message(stack, at);
}

uint8_t *tk_packet_definition(uint8_t *at, enum tk_intern list, uint32_t id, size_t text_len) {
    static const uint8_t fields[TK_INTERNS][2] = { // fields of InternedData
                                                   [TK_INTERN_NAME] = { 0x12 },
                                                   [TK_INTERN_TEXT] = { 0xEA, 0x01 },
                                                   [TK_INTERN_ARG_NAME] = { 0x1A },
                                                   [TK_INTERN_CATEGORY] = { 0x0A },
                                                   [TK_INTERN_FUNCTION] = { 0x2A }
    };
    const uint8_t *field = fields[list];
    uint8_t stack[32], *stack_end = stack;
    if (list == TK_INTERN_FUNCTION) stack_end = put_stack(stack, ++id); // 1 is the function without an id
    size_t entry = 1 + varint_size(id) + 1 + field_size(text_len), stack_len = (size_t)(stack_end - stack),
           data = stack_len + (field[1] ? 2 : 1) + field_size(entry);
    *at++ = TRACE_PACKET, at = put_sequence(tk_put_varint(at, 2 + 1 + field_size(data)));
    *at++ = PACKET_INTERNED, at = tk_put_varint(at, data);
    memcpy(at, stack, stack_len);
    at += stack_len;
    *at++ = field[0];
    if (field[1]) *at++ = field[1];
    at = tk_put_varint(at, entry);
    *at++ = ENTRY_ID, at = tk_put_varint(at, id);
    *at++ = ENTRY_TEXT;
    return tk_put_varint(at, text_len);
}

// ---- Samples ----

uint8_t *tk_packet_samples(uint8_t *at, uint32_t default_track) {
    static const char others[] = "(others)", counter[] = "samples of the program counter";
    *at++ = TRACE_PACKET;
    uint8_t *packet = at++;
    at = put_sequence(at);
    *at++ = PACKET_INTERNED;
    uint8_t *interned = at++;
    *at++ = 0x9A, *at++ = 0x01, *at++ = 2, *at++ = ENTRY_ID, *at++ = MAPPING; // mappings
    at = put_stack(at, 1);
    *at++ = 0x2A, at = put_interned(at, 1, others, sizeof others - 1); // function_names
    at = close_message(interned, at);
    *at++ = 0xDA, *at++ = 0x03; // trace_packet_defaults
    uint8_t *defaults = at++;
    at = put_defaults(at, default_track, false);
    *at++ = 0x62; // perf_sample_defaults
    uint8_t *samples = at++;
    *at++ = 0x0A; // timebase
    uint8_t *timebase = at++;
    *at++ = 0x52, at = put_string(at, counter, sizeof counter - 1);
    at = close_message(timebase, at);
    at = close_message(samples, at);
    at = close_message(defaults, at);
    return close_message(packet, at);
}

uint8_t *tk_packet_sample(uint8_t *at, struct tk_packet_time time, uint32_t core, uint32_t function, uint64_t count) {
    *at++ = TRACE_PACKET;
    uint8_t *packet = at++;
    at = put_time(at, time);
    *at++ = 0x92, *at++ = 0x04; // perf_sample
    uint8_t *sample = at++;
    if (core) *at++ = 0x08, *at++ = (uint8_t)core;
    *at++ = 0x10, *at++ = (uint8_t)(TK_PID_SAMPLES + core); // pid
    *at++ = 0x18, *at++ = (uint8_t)(TK_PID_SAMPLES + core); // tid
    *at++ = 0x20, at = tk_put_varint(at, (uint64_t)function + 1);
    *at++ = 0x30, at = tk_put_varint(at, count); // timebase_count
    at = close_message(sample, at);
    at = put_sequence(at);
    return close_message(packet, at);
}

// ---- Task states ----

uint8_t *tk_packet_state(uint8_t *at, struct tk_packet_time time, int32_t pid, enum tk_task_state state) {
    static const uint8_t numbers[] = { [TK_STATE_RUNNABLE] = 2,     [TK_STATE_RUNNING] = 3,   [TK_STATE_WAITING] = 4,
                                       [TK_STATE_WAITING_LOCK] = 5, [TK_STATE_SUSPENDED] = 6, [TK_STATE_DEAD] = 7 };
    uint8_t *packet = at + 1;
    *at++ = TRACE_PACKET, at++;
    at = put_time(at, time);
    uint8_t *body = at + 2;
    at = put_bytes4(at, 0xAA | 0x07 << 8 | 0x18u << 24, 4);
    at = tk_put_varint(at, (uint32_t)pid);
    *at++ = 0x20, *at++ = numbers[state];
    *body = (uint8_t)(at - body - 1);
    at = put_sequence(at);
    *packet = (uint8_t)(at - packet - 1);
    return at;
}
