// SPDX-License-Identifier: MIT
//
// nanopb's decoder must read what the sink was called with. Some packets are also compared byte by byte with
// docs/formats/perfetto.md.
#include "perfetto/packet.h"
#include "perfetto/sched.h"
#include "perfetto/writer.h"

#include "bundle_read.h"
#include "perfetto.pb.h"

#include <pb_decode.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// ---- A sink that keeps all bytes and can refuse ----

struct output {
    uint8_t *bytes;
    size_t len, refuse_after; // bytes
    unsigned writes, rewrites, refusals;
};

static bool output_write(void *ctx, const uint8_t *bytes, size_t len) {
    struct output *out = ctx;
    out->writes++;
    if (out->refuse_after && out->len + len > out->refuse_after) return out->refusals++, false;
    out->bytes = realloc(out->bytes, out->len + len);
    memcpy(out->bytes + out->len, bytes, len);
    out->len += len;
    return true;
}

static bool output_rewrite_head(void *ctx, const uint8_t *bytes, size_t len) {
    struct output *out = ctx;
    out->rewrites++;
    assert_true(len <= out->len);
    memcpy(out->bytes, bytes, len);
    return true;
}

// ---- An allocator that fails on request and detects leaks ----

static int allocations_left = -1;

static void *counting_realloc(void *ctx, void *ptr, size_t old_size, size_t new_size) {
    (void)ctx, (void)old_size;
    if (!new_size) return free(ptr), NULL;
    if (allocations_left == 0) return NULL;
    if (allocations_left > 0) allocations_left--;
    return realloc(ptr, new_size);
}

struct fixture {
    struct tk_alloc alloc;
    struct output out;
    tk_writer *writer;
    struct tk_track_sink sink;
};

static void start(struct fixture *f, bool can_seek) {
    memset(f, 0, sizeof *f);
    f->alloc.realloc = counting_realloc;
    struct tk_byte_sink out = { &f->out, output_write, can_seek ? output_rewrite_head : NULL };
    f->writer = tk_writer_new(&f->alloc, &out);
    assert_non_null(f->writer);
    f->sink = tk_writer_track_sink(f->writer);
}

static void stop(struct fixture *f) {
    tk_alloc_free_all(&f->alloc);
    assert_int_equal(f->alloc.in_use, 0);
    free(f->out.bytes);
}

static void change_state(struct fixture *f, enum tk_when when, uint64_t ticks, int32_t pid, enum tk_task_state state,
                         uint32_t core, enum tk_waker waker) {
    struct tk_task_change change = { .ticks = ticks,
                                     .pid = pid,
                                     .core = core,
                                     .when = (uint8_t)when,
                                     .state = (uint8_t)state,
                                     .waker = (uint8_t)waker };
    f->sink.state(f->sink.ctx, &change);
}

static void state_of(struct fixture *f, enum tk_when when, uint64_t ticks, int32_t pid, enum tk_task_state state,
                     uint32_t core) {
    change_state(f, when, ticks, pid, state, core, TK_WAKER_UNKNOWN);
}

static void finish(struct fixture *f) {
    struct tk_trace_summary summary = { .tick_ns = 1 };
    f->sink.finish(f->sink.ctx, &summary);
}

// ---- Decoding ----

struct text {
    char *bytes; // NULL: absent
    size_t len;
};

enum { MAX_ARGS = 255 };

struct argument {
    tk_pb_DebugAnnotation a;
    struct text text;
};

struct packet {
    tk_pb_TracePacket p;
    struct text name, process_name, unit, description, comm, entry[TK_INTERNS], log_source, log_body;
    struct argument *args;
    unsigned arg_count;
    struct bundle_read *bundle; // states of switches; NULL: none
    uint64_t extra_values[8], extra_tracks[8];
    unsigned extra_count, extra_track_count;
};

struct trace {
    struct packet *packets;
    size_t count;
};

static bool take_text(pb_istream_t *stream, const pb_field_t *field, void **arg) {
    (void)field;
    struct text *text = *arg;
    text->len = stream->bytes_left;
    text->bytes = malloc(text->len + 1);
    text->bytes[text->len] = 0;
    return pb_read(stream, (pb_byte_t *)text->bytes, text->len);
}

static pb_callback_t into(struct text *text) { return (pb_callback_t){ .funcs.decode = take_text, .arg = text }; }

static bool take_arg(pb_istream_t *stream, const pb_field_t *field, void **arg) {
    (void)field;
    struct packet *packet = *arg;
    packet->args = realloc(packet->args, (packet->arg_count + 1) * sizeof *packet->args);
    struct argument *to = &packet->args[packet->arg_count++];
    memset(to, 0, sizeof *to);
    to->a.string_value = into(&to->text);
    return pb_decode_noinit(stream, tk_pb_DebugAnnotation_fields, &to->a);
}

static bool take_extra_value(pb_istream_t *stream, const pb_field_t *field, void **arg) {
    struct packet *packet = *arg;
    (void)field;
    return pb_decode_varint(stream, &packet->extra_values[packet->extra_count++ % 8]);
}

static bool take_extra_track(pb_istream_t *stream, const pb_field_t *field, void **arg) {
    struct packet *packet = *arg;
    (void)field;
    return pb_decode_varint(stream, &packet->extra_tracks[packet->extra_track_count++ % 8]);
}

static bool take_packet(pb_istream_t *stream, const pb_field_t *field, void **arg) {
    (void)field;
    struct trace *trace = *arg;
    if (!(trace->count & (trace->count + 1)))
        trace->packets = realloc(trace->packets, (trace->count * 2 + 2) * sizeof *trace->packets);
    struct packet *packet = &trace->packets[trace->count++];
    memset(packet, 0, sizeof *packet);
    tk_pb_TracePacket *p = &packet->p;
    p->track_event.name = into(&packet->name);
    p->track_event.debug_annotations = (pb_callback_t){ .funcs.decode = take_arg, .arg = packet };
    p->track_descriptor.name = into(&packet->name);
    p->track_descriptor.description = into(&packet->description);
    p->track_descriptor.process.process_name = into(&packet->process_name);
    p->track_descriptor.counter.unit_name = into(&packet->unit);
    p->kernel_process_tree.threads.comm = into(&packet->comm);
    p->interned_data.event_names.text = into(&packet->entry[TK_INTERN_NAME]);
    p->interned_data.debug_annotation_string_values.text = into(&packet->entry[TK_INTERN_TEXT]);
    p->interned_data.debug_annotation_names.text = into(&packet->entry[TK_INTERN_ARG_NAME]);
    p->interned_data.source_locations.text = into(&packet->log_source);
    p->interned_data.log_message_body.text = into(&packet->log_body);
    p->track_event.extra_counter_values = (pb_callback_t){ .funcs.decode = take_extra_value, .arg = packet };
    p->track_event.extra_counter_track_uuids = (pb_callback_t){ .funcs.decode = take_extra_track, .arg = packet };
    packet->bundle = calloc(1, sizeof *packet->bundle);
    bundle_read_prepare(packet->bundle, p);
    if (!pb_decode_noinit(stream, tk_pb_TracePacket_fields, p)) return false;
    if (p->has_ftrace_events) assert_true(bundle_read_finish(packet->bundle));
    return true;
}

// All packets after the two of the header.
static struct trace decode(const struct output *out) {
    struct trace trace = { 0 };
    assert_true(out->len >= TK_PACKET_HEAD_LEN);
    pb_istream_t stream = pb_istream_from_buffer(out->bytes + TK_PACKET_HEAD_LEN, out->len - TK_PACKET_HEAD_LEN);
    tk_pb_Trace message = { .packet = { .funcs.decode = take_packet, .arg = &trace } };
    if (!pb_decode(&stream, tk_pb_Trace_fields, &message)) fail_msg("%s", PB_GET_ERROR(&stream));
    return trace;
}

static void free_trace(struct trace *trace) {
    for (size_t i = 0; i < trace->count; i++) {
        struct packet *p = &trace->packets[i];
        struct text *texts[] = { &p->name, &p->process_name, &p->unit,    &p->description,
                                 &p->comm, &p->log_source,   &p->log_body };
        for (size_t j = 0; j < sizeof texts / sizeof *texts; j++) free(texts[j]->bytes);
        for (size_t j = 0; j < TK_INTERNS; j++) free(p->entry[j].bytes);
        for (unsigned j = 0; j < p->arg_count; j++) free(p->args[j].text.bytes);
        free(p->args);
        free(p->bundle);
    }
    free(trace->packets);
}

static void assert_text(const struct text *text, const char *expected) {
    assert_non_null(text->bytes);
    assert_string_equal(text->bytes, expected);
    assert_int_equal(text->len, strlen(expected));
}

static void assert_bytes(const struct fixture *f, size_t from, const char *hex) {
    char actual[512];
    size_t len = f->out.len - from;
    assert_true(len < sizeof actual / 2);
    for (size_t i = 0; i < len; i++) {
        actual[2 * i] = "0123456789ABCDEF"[f->out.bytes[from + i] >> 4];
        actual[2 * i + 1] = "0123456789ABCDEF"[f->out.bytes[from + i] & 15];
    }
    actual[2 * len] = 0;
    assert_string_equal(actual, hex);
}

// ---- Header ----

struct head {
    struct trace trace;
    tk_pb_ClockSnapshot first, second, third;
};

static void read_head(const uint8_t *bytes, struct head *out_head) {
    struct output all = { 0 };
    all.bytes = malloc(2 * TK_PACKET_HEAD_LEN); // decode() skips a header, so the header under test comes after another
                                                // one
    memcpy(all.bytes + TK_PACKET_HEAD_LEN, bytes, TK_PACKET_HEAD_LEN);
    all.len = 2 * TK_PACKET_HEAD_LEN;
    out_head->trace = decode(&all);
    free(all.bytes);
    assert_int_equal(out_head->trace.count, 3);
    out_head->first = out_head->trace.packets[0].p.clock_snapshot;
    out_head->second = out_head->trace.packets[1].p.clock_snapshot;
    out_head->third = out_head->trace.packets[2].p.clock_snapshot;
}

// Clock 64 with a sequence of its own: absolute ticks, `ticks` of which are `ns`.
static void assert_bundle_clock(const tk_pb_TracePacket *packet, const tk_pb_ClockSnapshot *snapshot, uint32_t sequence,
                                uint64_t ns, uint64_t ticks, uint64_t tick_ns) {
    assert_int_equal(packet->trusted_packet_sequence_id, sequence);
    assert_int_equal(snapshot->clocks_count, 2);
    assert_int_equal(snapshot->clocks[0].clock_id, 6);
    assert_int_equal(snapshot->clocks[0].timestamp, ns);
    assert_int_equal(snapshot->clocks[1].clock_id, 64);
    assert_false(snapshot->clocks[1].is_incremental);
    assert_int_equal(snapshot->clocks[1].timestamp, ticks);
    assert_int_equal(snapshot->clocks[1].unit_multiplier_ns, tick_ns);
}

static void header_pairs_the_clocks(void **state) {
    (void)state;
    static const uint64_t lengths[] = { 1, 2, 127, 128, 1000, 1000000000, UINT64_C(1) << 62 };
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        uint8_t bytes[TK_PACKET_HEAD_LEN];
        struct tk_trace_summary summary = { .tick_ns = lengths[i] };
        assert_ptr_equal(tk_packet_head(bytes, &summary, 0), bytes + TK_PACKET_HEAD_LEN);
        assert_int_equal(bytes[0], 0x0A); // the file is recognised by it
        struct head head;
        read_head(bytes, &head);
        const tk_pb_TracePacket *packet = &head.trace.packets[0].p;
        assert_int_equal(packet->trusted_packet_sequence_id, 1);
        assert_int_equal(packet->sequence_flags, 1);
        assert_int_equal(packet->trace_packet_defaults.timestamp_clock_id, 64);
        assert_int_equal(head.first.clocks_count, 4);
        assert_int_equal(head.first.clocks[0].clock_id, 6);
        assert_false(head.first.clocks[0].has_unit_multiplier_ns);
        assert_int_equal(head.first.clocks[1].clock_id, 64);
        assert_true(head.first.clocks[1].is_incremental);
        assert_int_equal(head.first.clocks[1].unit_multiplier_ns, lengths[i]);
        assert_int_equal(head.first.clocks[2].clock_id, 65);
        assert_false(head.first.clocks[2].is_incremental);
        assert_int_equal(head.first.clocks[2].unit_multiplier_ns, lengths[i]);
        assert_int_equal(head.first.clocks[3].clock_id, 67); // has no owner
        assert_bundle_clock(&head.trace.packets[1].p, &head.second, 2, 0, 0, lengths[i]);
        assert_bundle_clock(&head.trace.packets[2].p, &head.third, 3, lengths[i] - 1, 1, lengths[i]);
        free_trace(&head.trace);
    }
}

static void wall_clock_changes_no_length(void **state) {
    (void)state;
    uint8_t bytes[TK_PACKET_HEAD_LEN];
    struct tk_trace_summary summary = { .tick_ns = 1,
                                        .has_wall_clock = true,
                                        .wall_clock_ns = INT64_C(1700000000123456789) };
    assert_ptr_equal(tk_packet_head(bytes, &summary, 0), bytes + TK_PACKET_HEAD_LEN);
    struct head head;
    read_head(bytes, &head);
    assert_int_equal(head.first.clocks[3].clock_id, 1);
    assert_int_equal(head.first.clocks[3].timestamp, INT64_C(1700000000123456789));
    assert_false(head.first.clocks[3].has_unit_multiplier_ns);
    free_trace(&head.trace);
}

// ---- Events ----

static void packets_are_as_documented(void **state) {
    (void)state;
    static const struct tk_track_event events[] = {
        { .ticks = 100, .track = 7, .type = TK_EVENT_BEGIN, .name = 1 },
        { .ticks = 200, .track = 7, .type = TK_EVENT_END },
        { .ticks = 300, .track = 7, .type = TK_EVENT_COUNTER, .value = 5 },
        { .ticks = 300, .track = 7, .type = TK_EVENT_INSTANT, .string = "hi", .string_len = 2, .flow = 3 }
    };
    struct fixture f;
    start(&f, true);
    for (size_t i = 0; i < 4; i++) f.sink.event(f.sink.ctx, &events[i]);
    struct tk_track_event with_counter = { .ticks = 300, .track = 7, .type = TK_EVENT_COUNTER, .value = 6 };
    f.sink.event(f.sink.ctx, &with_counter);
    f.sink.plain(f.sink.ctx, 300, TK_EVENT_COUNTER, 8, 9, 0); // written together with the event of its time
    state_of(&f, TK_IN_ORDER, 400, 301, TK_STATE_RUNNING, 0);
    state_of(&f, TK_LATE, 350, 302, TK_STATE_WAITING, 1);
    finish(&f);
    assert_bytes(&f, TK_PACKET_HEAD_LEN,
                 "0A0C40645A064801500158075001"
                 "0A0A40645A04480258075001"
                 "0A0D40645A0748045807F001055001"
                 "0A1940005A134803BA010268695807F90203000000000000005001"
                 "0A1240005A0C48045807F00106F8010860095001"
                 "0A1040DE02D00341AA070518AE0220045001"
                 "0AA90050020AA40008002803229D002A000A830000900312820000001A830000AD0222820078783282000000");
    stop(&f);
}

// The trace processor reads the values before the event itself; after a 0, each following value is written as 0.
static void counter_values_share_a_packet_where_the_order_allows(void **state) {
    (void)state;
    struct fixture f;
    start(&f, true);
    f.sink.plain(f.sink.ctx, 300, TK_EVENT_COUNTER, 8, 9, 0);
    f.sink.plain(f.sink.ctx, 300, TK_EVENT_COUNTER, 9, 1, 0);  // written with it
    f.sink.plain(f.sink.ctx, 300, TK_EVENT_COUNTER, 8, 10, 0); // not with a value of its own
    f.sink.plain(f.sink.ctx, 300, TK_EVENT_COUNTER, 9, 0, 0);  // written with it
    f.sink.plain(f.sink.ctx, 300, TK_EVENT_COUNTER, 7, 3, 0);  // not after a 0
    finish(&f);
    assert_bytes(&f, TK_PACKET_HEAD_LEN,
                 "0A1340AC025A0C48045808F00109F80109600150010A1240005A0C48045808F0010AF80109600050010A0D40005A074804580"
                 "7F001035001");
    stop(&f);
}

struct random {
    uint64_t state;
};

static uint64_t next(struct random *r) {
    r->state ^= r->state << 13;
    r->state ^= r->state >> 7;
    r->state ^= r->state << 17;
    return r->state * UINT64_C(0x2545F4914F6CDD1D);
}

static uint64_t any_size(struct random *r) { // all magnitudes equally often
    return next(r) >> (next(r) >> 32) % 64;
}

enum { LONGEST = 100 * 1024 };

static size_t any_length(struct random *r) {
    size_t dice = next(r) >> 32;
    return dice % 97 == 0 ? dice % LONGEST : dice % 5 ? dice % 20 : 90 + dice % 60;
}

struct written {
    struct tk_track_event event;
    struct tk_arg args[MAX_ARGS];
};

static void any_event(struct random *r, struct written *written, uint64_t now, const char *letters) {
    struct tk_track_event *e = &written->event;
    memset(e, 0, sizeof *e);
    e->ticks = now;
    e->track = (uint32_t)(any_size(r) >> 32) + 1;
    e->type = 1 + (next(r) >> 40) % 4;
    e->when = (next(r) >> 40) % 8 ? TK_IN_ORDER : TK_LATE;
    uint32_t naming = (uint32_t)(next(r) >> 62);
    if (naming == 0) e->name = (uint32_t)(any_size(r) >> 32) + 1;
    if (naming == 1) e->string_len = (uint32_t)any_length(r), e->string = letters + next(r) % 7;
    if (e->type == TK_EVENT_COUNTER) {
        e->is_double = next(r) >> 63;
        e->value = (int64_t)(next(r) >> 63 ? any_size(r) : 0 - any_size(r));
        e->value_double = (double)e->value / 3;
    }
    if ((next(r) >> 40) % 5 == 0) e->flow = any_size(r);
    if ((next(r) >> 40) % 5 == 0) e->flow_end = any_size(r);
    uint32_t dice = (uint32_t)(next(r) >> 40) % 50;
    e->arg_count = dice == 0 ? MAX_ARGS : dice < 20 ? (uint8_t)(dice % 5) : 0;
    e->args = written->args;
    for (unsigned i = 0; i < e->arg_count; i++) {
        struct tk_arg *arg = &written->args[i];
        *arg = (struct tk_arg){ .name = (uint32_t)(any_size(r) >> 32) + 1, .type = (enum tk_arg_type)(next(r) >> 62) };
        if (arg->type == TK_ARG_STRING) arg->string = letters, arg->string_len = any_length(r);
        else if (arg->type == TK_ARG_TEXT) arg->value.text = (uint32_t)(any_size(r) >> 32);
        else arg->value.u = any_size(r);
    }
}

static void assert_arg(const struct packet *packet, unsigned i, const struct tk_arg *written) {
    const tk_pb_DebugAnnotation *arg = &packet->args[i].a;
    assert_int_equal(arg->name_iid, written->name);
    assert_int_equal(arg->has_uint_value, written->type == TK_ARG_UINT);
    assert_int_equal(arg->has_int_value, written->type == TK_ARG_INT);
    assert_int_equal(arg->has_string_value_iid, written->type == TK_ARG_TEXT);
    assert_int_equal(packet->args[i].text.bytes != NULL, written->type == TK_ARG_STRING);
    switch (written->type) {
    case TK_ARG_UINT: assert_true(arg->uint_value == written->value.u); break;
    case TK_ARG_INT: assert_true(arg->int_value == written->value.i); break;
    case TK_ARG_TEXT: assert_int_equal(arg->string_value_iid, written->value.text); break;
    case TK_ARG_DOUBLE: assert_true(arg->double_value == written->value.d); break;
    case TK_ARG_GROUP:
    case TK_ARG_LIST: break; // has a separate test
    case TK_ARG_STRING:
        assert_int_equal(packet->args[i].text.len, written->string_len);
        assert_memory_equal(packet->args[i].text.bytes, written->string, written->string_len);
        break;
    }
}

static void assert_event(const struct packet *packet, const struct written *written, uint64_t *last) {
    const struct tk_track_event *e = &written->event;
    const tk_pb_TrackEvent *got = &packet->p.track_event;
    assert_true(packet->p.has_track_event && packet->p.has_timestamp);
    assert_int_equal(packet->p.trusted_packet_sequence_id, 1);
    if (e->when == TK_IN_ORDER && e->ticks >= *last) {
        assert_false(packet->p.has_timestamp_clock_id);
        assert_true(*last + packet->p.timestamp == e->ticks);
        *last = e->ticks;
    } else {
        assert_int_equal(packet->p.timestamp_clock_id, 65);
        assert_true(packet->p.timestamp == e->ticks);
    }
    assert_int_equal(got->type, e->type);
    assert_int_equal(got->track_uuid, e->track);
    assert_int_equal(got->has_name_iid, e->name != 0);
    assert_int_equal(got->name_iid, e->name);
    assert_int_equal(packet->name.bytes != NULL, e->string != NULL);
    assert_int_equal(packet->name.len, e->string_len);
    if (e->string) assert_memory_equal(packet->name.bytes, e->string, e->string_len);
    bool counter = e->type == TK_EVENT_COUNTER;
    assert_int_equal(got->has_counter_value, counter && !e->is_double);
    if (got->has_counter_value) assert_true(got->counter_value == e->value);
    assert_int_equal(got->has_double_counter_value, counter && e->is_double);
    if (got->has_double_counter_value) assert_true(got->double_counter_value == e->value_double);
    assert_true((got->has_flow_id ? got->flow_id : 0) == e->flow);
    assert_true((got->has_terminating_flow_id ? got->terminating_flow_id : 0) == e->flow_end);
    assert_int_equal(packet->arg_count, e->arg_count);
    for (unsigned i = 0; i < e->arg_count; i++) assert_arg(packet, i, &written->args[i]);
}

static char *all_letters(void) {
    char *letters = malloc(LONGEST + 8);
    for (size_t i = 0; i < LONGEST + 8; i++) letters[i] = (char)('a' + i % 23);
    return letters;
}

static void random_events(tk_writer *writer, struct written *written, size_t count, const char *letters) {
    struct random r = { 20260807 };
    struct tk_track_sink sink = tk_writer_track_sink(writer);
    uint64_t now = 0;
    for (size_t i = 0; i < count; i++) {
        now = (next(&r) >> 40) % 50 ? now + any_size(&r) % 100000 : now - any_size(&r) % 50; // decreases now and then
        any_event(&r, &written[i], now, letters);
        sink.event(sink.ctx, &written[i].event);
    }
}

static void every_event_is_read_back(void **state) {
    (void)state;
    enum { COUNT = 4000 };
    struct written *written = calloc(COUNT, sizeof *written);
    char *letters = all_letters();
    struct fixture f;
    start(&f, true);
    random_events(f.writer, written, COUNT, letters);
    finish(&f);
    assert_true(f.out.writes > 20); // many blocks
    assert_int_equal(tk_writer_bytes(f.writer), f.out.len);
    struct trace trace = decode(&f.out);
    assert_int_equal(trace.count, COUNT);
    uint64_t last = 0;
    for (size_t i = 0; i < COUNT; i++) assert_event(&trace.packets[i], &written[i], &last);
    free_trace(&trace);
    stop(&f);
    free(letters);
    free(written);
}

static void fill_blocks(struct fixture *f) {
    for (uint64_t i = 0; i < 10000; i++) {
        struct tk_track_event e = { .ticks = i, .track = 1, .type = TK_EVENT_INSTANT, .name = 1 };
        f->sink.event(f->sink.ctx, &e);
    }
}

static uint64_t usual_track_of(const struct output *out) {
    struct head head;
    read_head(out->bytes, &head);
    uint64_t track = head.trace.packets[0].p.trace_packet_defaults.track_event_defaults.track_uuid;
    free_trace(&head.trace);
    return track;
}

static void declare(const struct fixture *f, uint32_t track, enum tk_track_kind kind) {
    struct tk_track_info info = { .track = track, .kind = kind, .name = "t", .name_len = 1 };
    f->sink.declare(f->sink.ctx, &info);
}

static void instant(const struct fixture *f, uint32_t track, const char *name, size_t len) {
    struct tk_track_event e = {
        .track = track, .type = TK_EVENT_INSTANT, .name = !name, .string = name, .string_len = (uint32_t)len
    };
    f->sink.event(f->sink.ctx, &e);
}

static void only_the_header_names_the_default_track(void **state) {
    (void)state;
    char *letters = all_letters();
    struct fixture f;
    start(&f, true);
    declare(&f, 4, TK_TRACK_GROUP);
    declare(&f, 500, TK_TRACK_SLICES);
    declare(&f, 6, TK_TRACK_SLICES);
    for (uint32_t track = 500; track; track = track == 500 ? 6 : 0) { // every way of writing
                                                                      // a block
        instant(&f, track, NULL, 0);
        instant(&f, track, letters, 200);
        instant(&f, track, letters, LONGEST - 1);
    }
    finish(&f);
    assert_int_equal(usual_track_of(&f.out), 500);
    struct trace trace = decode(&f.out);
    assert_int_equal(trace.count, 3 + 6);
    for (size_t i = 3; i < 9; i++) {
        assert_int_equal(trace.packets[i].p.track_event.has_track_uuid, i >= 6);
        if (i >= 6) assert_int_equal(trace.packets[i].p.track_event.track_uuid, 6);
    }
    free_trace(&trace);
    stop(&f);
    free(letters);
}

static void a_track_after_the_header_is_not_the_default_one(void **state) {
    (void)state;
    struct fixture f;
    start(&f, true);
    fill_blocks(&f);
    declare(&f, 9, TK_TRACK_SLICES);
    instant(&f, 9, NULL, 0);
    finish(&f);
    assert_int_equal(usual_track_of(&f.out), 0);
    struct trace trace = decode(&f.out);
    assert_int_equal(trace.packets[trace.count - 1].p.track_event.track_uuid, 9);
    free_trace(&trace);
    stop(&f);
}

static void strings_of_every_length(void **state) {
    (void)state;
    static const size_t around[] = { 0, 60, 128, 16384 - 170, 16384, 65536, LONGEST - 70 };
    char *letters = all_letters();
    struct fixture f;
    start(&f, true);
    for (size_t i = 0; i < 7; i++)
        for (size_t j = 0; j < 70; j++) {
            struct tk_arg arg = { .name = 1, .type = TK_ARG_STRING, .string = letters, .string_len = j };
            struct tk_track_event e = { .track = 1,
                                        .type = TK_EVENT_INSTANT,
                                        .string = letters,
                                        .string_len = (uint32_t)(around[i] + j),
                                        .args = &arg,
                                        .arg_count = j % 2 };
            f.sink.event(f.sink.ctx, &e);
        }
    finish(&f);
    struct trace trace = decode(&f.out);
    assert_int_equal(trace.count, 7 * 70);
    for (size_t i = 0; i < trace.count; i++) {
        const struct packet *packet = &trace.packets[i];
        size_t j = i % 70;
        assert_int_equal(packet->name.len, around[i / 70] + j);
        assert_memory_equal(packet->name.bytes, letters, packet->name.len);
        assert_int_equal(packet->arg_count, j % 2);
        if (j % 2) assert_int_equal(packet->args[0].text.len, j);
        assert_int_equal(packet->p.track_event.track_uuid, 1);
    }
    free_trace(&trace);
    stop(&f);
    free(letters);
}

// Texts of every length, on every way of writing. A counter value at the same time must not damage the packet.
static void log_messages_have_interned_texts(void **state) {
    (void)state;
    static const uint32_t lengths[] = { 0, 1, 50, 110, 127, 128, 200, 8000, 16384, 70000 };
    enum { LENGTHS = sizeof lengths / sizeof *lengths };
    char *letters = all_letters();
    struct fixture f;
    start(&f, true);
    for (uint32_t i = 0; i < LENGTHS * 3; i++) {
        struct tk_log_entry log = { .source = letters, .source_len = i, .level = (uint8_t)(i % 8) };
        struct tk_track_event e = { .ticks = i,
                                    .track = 1,
                                    .type = TK_EVENT_INSTANT,
                                    .string = letters + 1,
                                    .string_len = lengths[i % LENGTHS] + i / LENGTHS,
                                    .log = &log };
        f.sink.event(f.sink.ctx, &e);
        f.sink.plain(f.sink.ctx, i, TK_EVENT_COUNTER, 7, i, 0);
    }
    finish(&f);
    struct trace trace = decode(&f.out);
    assert_int_equal(trace.count, LENGTHS * 3 * 2);
    for (uint32_t i = 0; i < LENGTHS * 3; i++) {
        const struct packet *packet = &trace.packets[2 * i];
        const tk_pb_TracePacket *p = &packet->p;
        size_t len = lengths[i % LENGTHS] + i / LENGTHS;
        assert_true(p->has_interned_data && p->track_event.has_log_message);
        assert_int_equal(p->trusted_packet_sequence_id, 1);
        assert_int_equal(p->track_event.log_message.prio, i % 8);
        assert_int_equal(p->track_event.log_message.body_iid, i + 1);
        assert_int_equal(p->track_event.log_message.source_location_iid, i + 1);
        assert_int_equal(p->interned_data.log_message_body.iid, i + 1);
        assert_int_equal(p->interned_data.source_locations.iid, i + 1);
        assert_int_equal(packet->log_source.len, i);
        assert_int_equal(packet->log_body.len, len);
        assert_int_equal(packet->name.len, len);
        assert_memory_equal(packet->log_body.bytes, letters + 1, len);
        assert_memory_equal(packet->name.bytes, letters + 1, len);
        assert_memory_equal(packet->log_source.bytes, letters, i);
        assert_int_equal(trace.packets[2 * i + 1].p.track_event.counter_value, i);
    }
    free_trace(&trace);
    stop(&f);
    free(letters);
}

// ---- States ----

// The task events of a trace, a line per packet: "core 0: 10 301; 20 302 S; woken 15 303, 16 304 in interrupt" (time,
// next task, previous state of the task before), "25 late: 301 S".
struct lines {
    char text[4096];
    size_t len;
};

static void add(struct lines *lines, const char *format, ...) {
    va_list args;
    va_start(args, format);
    lines->len += (size_t)vsnprintf(lines->text + lines->len, sizeof lines->text - lines->len, format, args);
    va_end(args);
    assert_true(lines->len < sizeof lines->text);
}

static void add_bundle(struct lines *lines, const struct packet *packet) {
    const struct bundle_list *list = packet->bundle->lists;
    static const char *const states[] = { "", " S", " D", [4] = " T", [32] = " Z" };
    assert_int_equal(packet->p.ftrace_events.ftrace_clock, 3);
    assert_true(packet->p.ftrace_events.has_cpu);
    add(lines, "core %u%s:", (unsigned)packet->p.ftrace_events.cpu,
        packet->p.trusted_packet_sequence_id == TK_SEQUENCE_EARLY ? " early" : "");
    for (unsigned i = 0; i < list[BUNDLE_SWITCH_TIME].count; i++) {
        add(lines, " %llu %llu%s;", (unsigned long long)list[BUNDLE_SWITCH_TIME].values[i],
            (unsigned long long)list[BUNDLE_SWITCH_PID].values[i], states[list[BUNDLE_SWITCH_STATE].values[i]]);
        assert_int_equal(list[BUNDLE_SWITCH_PRIO].values[i], 120);
        assert_int_equal(list[BUNDLE_SWITCH_NAME].values[i], 0);
    }
    for (unsigned i = 0; i < list[BUNDLE_WAKING_TIME].count; i++) {
        add(lines, "%s %llu %llu%s", i ? "," : " woken", (unsigned long long)list[BUNDLE_WAKING_TIME].values[i],
            (unsigned long long)list[BUNDLE_WAKING_PID].values[i],
            list[BUNDLE_WAKING_FLAGS].values[i] == 8 ? " in interrupt" : "");
        assert_int_equal(list[BUNDLE_WAKING_CPU].values[i], packet->p.ftrace_events.cpu);
    }
    add(lines, "\n");
}

static struct lines sched_lines(const struct output *out) {
    static const char *const states[] = { "", "", "R", "Running", "S", "D", "T", "Z" };
    struct trace trace = decode(out);
    struct lines lines = { .len = 0 };
    uint64_t now = 0;
    for (size_t i = 0; i < trace.count; i++) {
        const tk_pb_TracePacket *packet = &trace.packets[i].p;
        if (packet->has_timestamp && !packet->has_timestamp_clock_id) now += packet->timestamp;
        if (packet->has_ftrace_events) add_bundle(&lines, &trace.packets[i]);
        if (!packet->has_task_state) continue;
        uint64_t at = packet->has_timestamp_clock_id ? packet->timestamp : now;
        add(&lines, "%llu%s: %lld %s\n", (unsigned long long)at,
            packet->timestamp_clock_id == TK_CLOCK_LATE ? " late" : "", (long long)packet->task_state.tid,
            states[packet->task_state.state]);
    }
    free_trace(&trace);
    return lines;
}

static void expect_sched(struct fixture *f, const char *expected) {
    finish(f);
    struct lines lines = sched_lines(&f->out);
    assert_string_equal(lines.text, expected);
    stop(f);
}

static void switches_carry_the_state_of_the_outgoing_task(void **state) {
    (void)state;
    struct fixture f;
    start(&f, true);
    state_of(&f, TK_IN_ORDER, 10, 301, TK_STATE_RUNNING, 3);
    state_of(&f, TK_IN_ORDER, 20, 301, TK_STATE_WAITING, 3);
    state_of(&f, TK_IN_ORDER, 20, 302, TK_STATE_RUNNING, 3);
    state_of(&f, TK_IN_ORDER, 30, 302, TK_STATE_WAITING_LOCK, 3);
    state_of(&f, TK_IN_ORDER, 30, INT32_MAX, TK_STATE_RUNNING, 3);
    state_of(&f, TK_IN_ORDER, 40, INT32_MAX, TK_STATE_SUSPENDED, 3); // no task follows
    state_of(&f, TK_IN_ORDER, 50, 301, TK_STATE_RUNNING, 3);
    expect_sched(&f, "core 3: 0 0; 10 301; 20 302 S; 30 2147483647 D; 40 0 T; 50 301;\n");
}

static void states_beside_the_core_are_packets(void **state) {
    (void)state;
    struct fixture f;
    start(&f, true);
    state_of(&f, TK_IN_ORDER, 10, 301, TK_STATE_RUNNABLE, 0); // the waker is unknown
    state_of(&f, TK_IN_ORDER, 20, 301, TK_STATE_WAITING, 0);
    state_of(&f, TK_LATE, 15, INT32_MAX, TK_STATE_WAITING_LOCK, 31);
    state_of(&f, TK_EARLY, 26, 302, TK_STATE_SUSPENDED, 0);
    state_of(&f, TK_IN_ORDER, 31, 301, TK_STATE_RUNNABLE, 0);
    state_of(&f, TK_IN_ORDER, 29, 302, TK_STATE_RUNNABLE, 0); // decreases
    expect_sched(&f, "10: 301 R\n20: 301 S\n15 late: 2147483647 D\n26 late: 302 T\n31: 301 R\n29 late: 302 R\n");
}

static void a_late_state_joins_its_switch(void **state) {
    (void)state;
    struct fixture f;
    start(&f, true);
    state_of(&f, TK_IN_ORDER, 10, 301, TK_STATE_RUNNING, 0);
    state_of(&f, TK_IN_ORDER, 20, 302, TK_STATE_RUNNING, 0);
    state_of(&f, TK_IN_ORDER, 30, 303, TK_STATE_RUNNING, 0);
    state_of(&f, TK_LATE, 20, 301, TK_STATE_WAITING, 0);
    state_of(&f, TK_LATE, 25, 302, TK_STATE_WAITING_LOCK, 0); // it was switched out earlier, and no task followed
    state_of(&f, TK_LATE, 26, 304, TK_STATE_WAITING, 0);      // did not run
    expect_sched(&f, "26 late: 304 S\ncore 0: 0 0; 10 301; 20 302 S; 25 0 D; 30 303;\n");
}

static void a_later_switch_at_one_tick_replaces_the_earlier(void **state) {
    (void)state;
    struct fixture f;
    start(&f, true);
    state_of(&f, TK_IN_ORDER, 10, 301, TK_STATE_RUNNING, 0);
    state_of(&f, TK_IN_ORDER, 20, 302, TK_STATE_RUNNING, 0);
    state_of(&f, TK_LATE, 20, 303, TK_STATE_RUNNING, 0);
    state_of(&f, TK_IN_ORDER, 30, 302, TK_STATE_WAITING, 0);
    expect_sched(&f, "30: 302 S\ncore 0: 0 0; 10 301; 20 303;\n");
}

static void a_task_on_two_cores_leaves_the_first_just_before(void **state) {
    (void)state;
    struct fixture f;
    start(&f, true);
    state_of(&f, TK_IN_ORDER, 10, 301, TK_STATE_RUNNING, 0);
    state_of(&f, TK_EARLY, 20, 301, TK_STATE_RUNNABLE, 0);
    state_of(&f, TK_IN_ORDER, 20, 301, TK_STATE_RUNNING, 1);
    state_of(&f, TK_IN_ORDER, 20, 302, TK_STATE_RUNNING, 0);
    expect_sched(&f, "core 0 early: 20 0;\ncore 0: 0 0; 10 301; 20 302;\ncore 1: 0 0; 20 301;\n");
}

static void wake_ups_name_the_waker(void **state) {
    (void)state;
    struct fixture f;
    start(&f, true);
    state_of(&f, TK_IN_ORDER, 10, 301, TK_STATE_RUNNING, 0);
    change_state(&f, TK_IN_ORDER, 12, 302, TK_STATE_RUNNABLE, 0, TK_WAKER_TASK);
    change_state(&f, TK_IN_ORDER, 13, 303, TK_STATE_RUNNABLE, 0, TK_WAKER_INTERRUPT);
    change_state(&f, TK_LATE, 11, 304, TK_STATE_RUNNABLE, 0, TK_WAKER_TASK);
    change_state(&f, TK_IN_ORDER, 14, 305, TK_STATE_RUNNABLE, 1, TK_WAKER_TASK); // no task runs there
    change_state(&f, TK_LATE, 10, 306, TK_STATE_RUNNABLE, 0, TK_WAKER_TASK); // woken by the task that left or by the
                                                                             // next one?
    change_state(&f, TK_IN_ORDER, 20, 307, TK_STATE_RUNNABLE, 0, TK_WAKER_TASK); // woken by it, but known only now:
    change_state(&f, TK_IN_ORDER, 20, 308, TK_STATE_RUNNABLE, 0, TK_WAKER_INTERRUPT);
    state_of(&f, TK_IN_ORDER, 20, 303, TK_STATE_RUNNING, 0);
    expect_sched(&f, "14: 305 R\n10 late: 306 R\n20 late: 307 R\ncore 0: 0 0; 10 301; 20 303; woken 11 304, 12 302, 13 "
                     "303 in interrupt, 20 308 in interrupt\n");
}

static void idle_tasks_have_pid_0(void **state) {
    (void)state;
    static const struct tk_task_info idle = { 301, "IDLE", 4, true };
    struct fixture f;
    start(&f, true);
    f.sink.task(f.sink.ctx, &(struct tk_task_info){ 301, "301", 3, false });
    state_of(&f, TK_IN_ORDER, 10, 301, TK_STATE_RUNNING, 0);
    state_of(&f, TK_IN_ORDER, 20, 302, TK_STATE_RUNNING, 0);
    f.sink.task(f.sink.ctx, &idle); // known before the first bundle was written
    state_of(&f, TK_IN_ORDER, 30, 302, TK_STATE_WAITING, 0);
    state_of(&f, TK_IN_ORDER, 30, 301, TK_STATE_RUNNING, 0);
    state_of(&f, TK_IN_ORDER, 40, 301, TK_STATE_RUNNABLE, 0);
    state_of(&f, TK_IN_ORDER, 40, 303, TK_STATE_RUNNING, 0);
    state_of(&f, TK_IN_ORDER, 50, 303, TK_STATE_WAITING, 0); // no task for a while
    state_of(&f, TK_IN_ORDER, 60, 301, TK_STATE_RUNNING, 0);
    state_of(&f, TK_IN_ORDER, 70, 301, TK_STATE_DEAD, 0);
    expect_sched(&f, "core 0: 0 0; 10 0; 20 302; 30 0 S; 40 303; 50 0 S;\n");
}

// Two tasks in turn; 304 is preempted at 5 and continues at the end.
static void run_in_turn(struct fixture *f, uint64_t switches) {
    state_of(f, TK_IN_ORDER, 1, 304, TK_STATE_RUNNING, 0);
    for (uint64_t i = 0; i < switches; i++) {
        int32_t pid = i % 2 ? 301 : 302;
        if (i) state_of(f, TK_IN_ORDER, 5 + i, pid == 301 ? 302 : 301, TK_STATE_WAITING, 0);
        state_of(f, TK_IN_ORDER, 5 + i, pid, TK_STATE_RUNNING, 0);
    }
}

static void bundles_are_bounded_and_open_ones_are_deferred(void **state) {
    (void)state;
    struct fixture f;
    start(&f, true);
    run_in_turn(&f, 1000);
    state_of(&f, TK_LATE, 5, 304, TK_STATE_SUSPENDED, 0);
    finish(&f);
    struct trace trace = decode(&f.out);
    unsigned switches = 0;
    for (size_t i = 0; i < trace.count; i++) {
        const struct bundle_list *list = trace.packets[i].bundle->lists;
        assert_true(trace.packets[i].p.has_ftrace_events && list[BUNDLE_SWITCH_TIME].count <= TK_SCHED_BUNDLE);
        switches += list[BUNDLE_SWITCH_TIME].count;
        bool last = i + 1 == trace.count;
        assert_int_equal(list[BUNDLE_SWITCH_TIME].values[0] == 5, last); // the switch at 5 was deferred
        if (last) assert_int_equal(list[BUNDLE_SWITCH_STATE].values[0], 4);
    }
    assert_int_equal(trace.count, 4);
    assert_int_equal(switches, 1002); // including the one that the importer drops
    free_trace(&trace);
    stop(&f);
}

static void an_idle_task_already_in_bundles_continues(void **state) {
    (void)state;
    static const struct tk_task_info before = { 301, "301", 3, false }, idle = { 301, "IDLE", 4, true };
    struct fixture f;
    start(&f, true);
    f.sink.task(f.sink.ctx, &before);
    run_in_turn(&f, 300);
    f.sink.task(f.sink.ctx, &idle);
    state_of(&f, TK_IN_ORDER, 500, 301, TK_STATE_WAITING, 0);
    state_of(&f, TK_IN_ORDER, 600, 301, TK_STATE_RUNNING, 0);
    finish(&f);
    struct lines lines = sched_lines(&f.out);
    assert_non_null(strstr(lines.text, " 600 301;"));
    stop(&f);
}

static void only_the_last_exit_of_a_task_counts(void **state) {
    (void)state;
    struct fixture f;
    start(&f, true);
    state_of(&f, TK_IN_ORDER, 10, 301, TK_STATE_RUNNING, 1);
    state_of(&f, TK_IN_ORDER, 20, 301, TK_STATE_DEAD, 1);
    state_of(&f, TK_IN_ORDER, 20, 302, TK_STATE_RUNNING, 1);
    state_of(&f, TK_IN_ORDER, 25, 303, TK_STATE_DEAD, 0);
    state_of(&f, TK_IN_ORDER, 30, 301, TK_STATE_RUNNABLE, 0); // so the first exit was not the last
    state_of(&f, TK_IN_ORDER, 40, 301, TK_STATE_DEAD, 0);
    state_of(&f, TK_IN_ORDER, 50, 302, TK_STATE_DEAD, 1);
    expect_sched(&f, "30: 301 R\n40 late: 301 Z\n25 late: 303 Z\ncore 1: 0 0; 10 301; 20 302 T; 50 0 Z;\n");
}

// ---- Repeated events ----

// Slices of one source position: on two tracks, with two names, late, close together and far apart, across the end of a
// block. few: arguments that fit.
static void tell_again_and_again(struct fixture *f, struct tk_prepared *prepared, bool few) {
    const struct tk_track_info usual = { .track = 1, .kind = TK_TRACK_SLICES, .name = "usual", .name_len = 5 },
                               other = { .track = 200, .kind = TK_TRACK_SLICES, .name = "other", .name_len = 5 };
    struct tk_arg args[8];
    for (uint32_t i = 0; i < 8; i++)
        args[i] = (struct tk_arg){ .name = i + 1, .type = TK_ARG_TEXT, .value.text = 300 + i };
    struct tk_track_event begin = { .track = 200,
                                    .name = 7,
                                    .type = TK_EVENT_BEGIN,
                                    .category = 2,
                                    .args = args,
                                    .arg_count = few ? 2 : 8,
                                    .prepared = prepared };
    f->sink.event(f->sink.ctx, &begin); // before any track is defined
    f->sink.declare(f->sink.ctx, &usual);
    f->sink.declare(f->sink.ctx, &other);
    for (uint32_t i = 0; i < 8000; i++) {
        begin.when = i % 50 == 49 ? TK_LATE : TK_IN_ORDER;
        begin.track = i % 10 == 9 ? 1 : 200;
        begin.name = i % 7 == 6 ? 300 : 7;
        begin.ticks = begin.when == TK_LATE ? 1 : (uint64_t)i * (i % 100 == 0 ? 1000000 : 1) + (uint64_t)i * 100000000;
        f->sink.event(f->sink.ctx, &begin);
        if (i % 3 == 0)
            f->sink.plain(f->sink.ctx, begin.when == TK_LATE ? begin.ticks + 1 : begin.ticks, TK_EVENT_COUNTER, 3, i,
                          0); // written with it
    }
    finish(f);
}

static void prepared_packets_are_identical(void **state) {
    (void)state;
    for (int few = 0; few < 2; few++) {
        struct fixture with, without;
        struct tk_prepared prepared = { 0 };
        start(&with, true);
        start(&without, true);
        tell_again_and_again(&with, &prepared, few);
        tell_again_and_again(&without, NULL, few);
        assert_int_equal(prepared.len > 0, few);
        assert_int_equal(with.out.len, without.out.len);
        assert_memory_equal(with.out.bytes, without.out.bytes, with.out.len);
        stop(&with);
        stop(&without);
    }
}

// ---- Names, tracks, tasks ----

static void names_go_into_their_lists(void **state) {
    (void)state;
    struct fixture f;
    start(&f, true);
    f.sink.define(f.sink.ctx, TK_INTERN_NAME, 1, "name", 4);
    f.sink.define(f.sink.ctx, TK_INTERN_TEXT, 300, "t\xC3\xB6xt", 5);
    f.sink.define(f.sink.ctx, TK_INTERN_ARG_NAME, 3, "argument name", 13);
    f.sink.define(f.sink.ctx, TK_INTERN_NAME, 4, "", 0);
    finish(&f);
    struct trace trace = decode(&f.out);
    assert_int_equal(trace.count, 4);
    for (size_t i = 0; i < 4; i++) assert_int_equal(trace.packets[i].p.trusted_packet_sequence_id, 1);
    assert_text(&trace.packets[0].entry[TK_INTERN_NAME], "name");
    assert_int_equal(trace.packets[0].p.interned_data.event_names.iid, 1);
    assert_text(&trace.packets[1].entry[TK_INTERN_TEXT], "t\xC3\xB6xt");
    assert_int_equal(trace.packets[1].p.interned_data.debug_annotation_string_values.iid, 300);
    assert_text(&trace.packets[2].entry[TK_INTERN_ARG_NAME], "argument name");
    assert_int_equal(trace.packets[2].p.interned_data.debug_annotation_names.iid, 3);
    assert_false(trace.packets[2].p.interned_data.has_event_names);
    assert_text(&trace.packets[3].entry[TK_INTERN_NAME], "");
    free_trace(&trace);
    stop(&f);
}

static void samples_have_stacks_and_threads(void **state) {
    (void)state;
    static const struct tk_track_info core = { .track = 9, .kind = TK_TRACK_SAMPLES, .name = "PC", .name_len = 2 };
    struct tk_track_event sample = {
        .ticks = 100, .track = 9, .type = TK_EVENT_SAMPLE, .name = 1, .string = "main", .string_len = 4
    };
    struct fixture f;
    start(&f, true);
    f.sink.define(f.sink.ctx, TK_INTERN_FUNCTION, 1, "main", 4);
    f.sink.event(f.sink.ctx, &sample);
    sample.ticks = 200, sample.name = 0; // too many functions
    f.sink.event(f.sink.ctx, &sample);
    sample.ticks = 150, sample.track = 10, sample.when = TK_LATE, sample.name = 1; // another core
    f.sink.event(f.sink.ctx, &sample);
    finish(&f);
    assert_bytes(&f, TK_PACKET_HEAD_LEN,
                 "0A1C50016218" // interned:
                 "3206080210021801"
                 "3A0408021002"
                 "2A08080212046D61696E" // a frame, a stack, a function
                 "0A5350016221"
                 "9A01020801" // a mapping
                 "3206080110011801"
                 "3A0408011001"
                 "2A0C080112"
                 "08286F746865727329" // further functions
                 "DA032BD003405A02580962220A20521E"
                 "73616D706C6573206F66207468652070726F6772616D20636F756E746572"
                 "0A0F40649204081003180320023001"
                 "5001" // two samples of one core
                 "0A0F40649204081003180320013002"
                 "5001"
                 "0A15409601D0034192040A08011004180420023001"
                 "5001"); // and a late one of another core
    f.sink.declare(f.sink.ctx, &core);
    finish(&f);
    struct trace trace = decode(&f.out);
    const struct packet *described = &trace.packets[trace.count - 2];
    assert_int_equal(described[0].p.kernel_process_tree.threads.tid, 3);
    assert_text(&described[0].comm, "PC");
    assert_int_equal(described[1].p.track_descriptor.process.pid, 3);
    assert_text(&described[1].process_name, "PC");
    free_trace(&trace);
    stop(&f);
}

static void tracks_are_described(void **state) {
    (void)state;
    static const struct tk_track_info tracks[] = {
        { .track = 1, .kind = TK_TRACK_GROUP, .ordered_children = true, .name = "Target", .name_len = 6 },
        { .track = 2,
          .parent = 1,
          .kind = TK_TRACK_GROUP,
          .rank = 4,
          .name = "Queues",
          .name_len = 6,
          .description = "what it is" },
        { .track = 3, .parent = 2, .kind = TK_TRACK_COUNTER, .name = "q", .name_len = 1, .unit = "items" },
        { .track = 4, .kind = TK_TRACK_THREAD, .pid = 301, .name = "net task", .name_len = 8 },
        { .track = 5, .parent = 4, .kind = TK_TRACK_SLICES, .name = "m", .name_len = 1 },
        { .track = 6, .parent = 4, .kind = TK_TRACK_COUNTER, .name = "v", .name_len = 1 }
    };
    struct fixture f;
    start(&f, true);
    for (size_t i = 0; i < 6; i++) f.sink.declare(f.sink.ctx, &tracks[i]);
    finish(&f);
    struct trace trace = decode(&f.out);
    assert_int_equal(trace.count, 6);
    for (size_t i = 0; i < 6; i++) {
        const tk_pb_TrackDescriptor *d = &trace.packets[i].p.track_descriptor;
        assert_int_equal(d->uuid, tracks[i].track);
        bool is_thread = tracks[i].kind == TK_TRACK_THREAD; // without the events
        assert_int_equal(trace.packets[i].p.trusted_packet_sequence_id, is_thread ? TK_SEQUENCE_TICKS : 1);
        assert_int_equal(trace.packets[i].p.timestamp_clock_id, is_thread ? 64 : 65);
        assert_true(trace.packets[i].p.has_timestamp && trace.packets[i].p.timestamp == 0);
        bool is_inner_group = tracks[i].kind == TK_TRACK_GROUP && tracks[i].parent; // those with one name share a track
        assert_int_equal(d->sibling_merge_behavior, is_inner_group ? 0 : 2);
        assert_int_equal(d->has_parent_uuid, tracks[i].parent != 0);
        assert_int_equal(d->parent_uuid, tracks[i].parent);
        assert_int_equal(d->sibling_order_rank, tracks[i].rank);
        assert_int_equal(d->has_counter, tracks[i].kind == TK_TRACK_COUNTER);
        assert_int_equal(d->has_thread, tracks[i].kind == TK_TRACK_THREAD);
        if (!d->has_thread) assert_text(&trace.packets[i].name, tracks[i].name);
        assert_false(d->has_process || d->counter.has_type);
    }
    assert_int_equal(trace.packets[0].p.track_descriptor.child_ordering, 3);
    assert_int_equal(trace.packets[1].p.track_descriptor.child_ordering, 1);
    assert_text(&trace.packets[1].description, "what it is");
    assert_text(&trace.packets[2].unit, "items");
    assert_null(trace.packets[5].unit.bytes);
    assert_int_equal(trace.packets[3].p.track_descriptor.thread.pid, 301);
    assert_int_equal(trace.packets[3].p.track_descriptor.thread.tid, 301);
    assert_null(trace.packets[3].name.bytes);
    free_trace(&trace);
    stop(&f);
}

static void assert_at_start(const struct packet *packet) {
    assert_int_equal(packet->p.trusted_packet_sequence_id, 1);
    assert_int_equal(packet->p.timestamp_clock_id, 65);
    assert_true(packet->p.has_timestamp && packet->p.timestamp == 0);
}

static void a_task_is_a_process_with_one_thread(void **state) {
    (void)state;
    static const struct tk_task_info tasks[] = { { 301, "task #1", 7, false },
                                                 { 302, "IDLE 1", 6, true },
                                                 { 301, "net task", 8, false } };
    struct fixture f;
    start(&f, true);
    for (size_t i = 0; i < 3; i++) f.sink.task(f.sink.ctx, &tasks[i]);
    finish(&f);
    struct trace trace = decode(&f.out);
    assert_int_equal(trace.count, 5); // without filler packets, because no packet has a time
    for (size_t i = 0; i < 3; i++) {
        const tk_pb_KernelProcessTree *tree = &trace.packets[i].p.kernel_process_tree;
        assert_at_start(&trace.packets[i]);
        assert_int_equal(tree->processes.pid, tasks[i].pid);
        assert_int_equal(tree->threads.pid, tasks[i].pid);
        assert_int_equal(tree->threads.tid, tasks[i].pid);
        assert_true(tree->threads.is_main_thread);
        assert_int_equal(tree->threads.is_idle, tasks[i].idle);
        assert_text(&trace.packets[i].comm, tasks[i].name);
    }
    for (size_t i = 3; i < 5; i++) { // one process name each, the last one
        const tk_pb_TrackDescriptor *process = &trace.packets[i].p.track_descriptor;
        assert_at_start(&trace.packets[i]);
        assert_int_equal(process->uuid, (UINT64_C(1) << 32) + 298 + i);
        assert_int_equal(process->process.pid, 298 + i);
        assert_text(&trace.packets[i].process_name, i == 3 ? "net task" : "IDLE 1");
    }
    free_trace(&trace);
    stop(&f);
}

// ---- End ----

static void fillers_keep_the_order_in_a_task(void **state) {
    (void)state;
    static const struct tk_task_info task = { 301, "a", 1, false };
    struct fixture f;
    start(&f, true);
    f.sink.task(f.sink.ctx, &task);
    state_of(&f, TK_IN_ORDER, 777, 301, TK_STATE_RUNNING, 0);
    state_of(&f, TK_IN_ORDER, 999, 301, TK_STATE_WAITING, 0);
    finish(&f);
    struct trace trace = decode(&f.out);
    assert_int_equal(trace.count, 3 + 40); // thread, process, switches
    for (size_t i = 3; i < 43; i += 2) {
        const tk_pb_TrackDescriptor *track = &trace.packets[i].p.track_descriptor;
        const tk_pb_TracePacket *value = &trace.packets[i + 1].p;
        assert_text(&trace.packets[i].name, " ");
        assert_int_equal(track->counter.type, 1);
        assert_int_equal(track->uuid, (UINT64_C(1) << 31) + (i - 3) / 2);
        assert_int_equal(value->track_event.track_uuid, track->uuid);
        assert_int_equal(value->timestamp_clock_id, 65);
        assert_int_equal(value->timestamp, 777);
    }
    free_trace(&trace);
    stop(&f);
}

static void losses_are_reported_once(void **state) {
    (void)state;
    struct fixture f;
    start(&f, true);
    struct tk_trace_summary summary = { .tick_ns = 1, .lost_events = 42 };
    f.sink.finish(f.sink.ctx, &summary);
    assert_bytes(&f, TK_PACKET_HEAD_LEN, "0A089A02050A0398012A");
    stop(&f);
}

// The header for a tick length that becomes known at the end, and one (or 0) at the start.
static void late_head(bool can_seek, uint64_t early_ns, uint64_t final_ns, unsigned rewrites, bool wrong) {
    struct fixture f;
    start(&f, can_seek);
    if (early_ns) tk_writer_set_tick_ns(f.writer, early_ns);
    fill_blocks(&f);
    struct tk_trace_summary summary = { .tick_ns = final_ns };
    f.sink.finish(f.sink.ctx, &summary);
    assert_int_equal(f.out.rewrites, rewrites);
    assert_int_equal(tk_writer_head_is_wrong(f.writer), wrong);
    assert_false(tk_writer_refused(f.writer));
    uint8_t expected[TK_PACKET_HEAD_LEN];
    summary.tick_ns = wrong ? early_ns ? early_ns : 1 : final_ns;
    tk_packet_head(expected, &summary, 0);
    assert_memory_equal(f.out.bytes, expected, sizeof expected);
    stop(&f);
}

static void header_is_corrected_when_needed(void **state) {
    (void)state;
    late_head(true, 0, 125, 1, false);
    late_head(true, 125, 125, 0, false);
    late_head(false, 125, 125, 0, false);
    late_head(false, 0, 1, 0, false);
    late_head(false, 0, 125, 0, true);
    late_head(false, 10, 125, 0, true);
}

static void short_trace_needs_no_correction(void **state) {
    (void)state;
    struct fixture f;
    start(&f, false);
    struct tk_track_event e = { .ticks = 3, .track = 1, .type = TK_EVENT_INSTANT, .name = 1 };
    f.sink.event(f.sink.ctx, &e);
    struct tk_trace_summary summary = { .tick_ns = 125, .has_wall_clock = true, .wall_clock_ns = 1 };
    f.sink.finish(f.sink.ctx, &summary);
    assert_false(tk_writer_head_is_wrong(f.writer));
    uint8_t expected[TK_PACKET_HEAD_LEN];
    tk_packet_head(expected, &summary, 0);
    assert_memory_equal(f.out.bytes, expected, sizeof expected);
    stop(&f);
}

static void empty_trace_has_a_header(void **state) {
    (void)state;
    struct fixture f;
    start(&f, true);
    finish(&f);
    assert_int_equal(f.out.len, TK_PACKET_HEAD_LEN);
    stop(&f);
}

// ---- Failures ----

static void a_failed_write_is_final(void **state) {
    (void)state;
    struct fixture f;
    start(&f, true);
    f.out.refuse_after = 100000;
    fill_blocks(&f);
    assert_true(tk_writer_refused(f.writer));
    fill_blocks(&f);
    struct tk_trace_summary summary = { .tick_ns = 125 };
    f.sink.finish(f.sink.ctx, &summary);
    assert_true(tk_writer_refused(f.writer));
    assert_int_equal(f.out.refusals, 1); // not called again
    assert_int_equal(f.out.rewrites, 0);
    assert_int_equal(tk_writer_bytes(f.writer), f.out.len);
    stop(&f);
}

static void kill_tasks(struct fixture *f) {
    for (int32_t pid = 300; pid < 400; pid++) {
        struct tk_task_info info = { pid, "name", 4, false };
        f->sink.task(f->sink.ctx, &info);
        state_of(f, TK_IN_ORDER, (uint64_t)pid, pid, TK_STATE_RUNNABLE, 0);
        state_of(f, TK_IN_ORDER, (uint64_t)pid, pid, TK_STATE_DEAD, 0);
    }
}

static void every_allocation_may_fail(void **state) {
    (void)state;
    struct fixture f;
    int failures = 0;
    for (int n = 0;; n++) {
        memset(&f, 0, sizeof f);
        f.alloc.realloc = counting_realloc;
        struct tk_byte_sink out = { &f.out, output_write, output_rewrite_head };
        allocations_left = n;
        f.writer = tk_writer_new(&f.alloc, &out);
        if (f.writer) {
            f.sink = tk_writer_track_sink(f.writer);
            kill_tasks(&f);
            finish(&f);
        }
        allocations_left = -1;
        bool failed = f.alloc.failed;
        if (f.writer) {
            struct trace trace = decode(&f.out); // loadable nevertheless
            assert_int_equal(trace.count == 4 * 100 + 40, !failed);
            free_trace(&trace);
        }
        stop(&f);
        if (!failed) break;
        failures++;
    }
    assert_in_range(failures, 10, 100); // not one for each task
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(header_pairs_the_clocks),
                                        cmocka_unit_test(wall_clock_changes_no_length),
                                        cmocka_unit_test(packets_are_as_documented),
                                        cmocka_unit_test(counter_values_share_a_packet_where_the_order_allows),
                                        cmocka_unit_test(every_event_is_read_back),
                                        cmocka_unit_test(only_the_header_names_the_default_track),
                                        cmocka_unit_test(a_track_after_the_header_is_not_the_default_one),
                                        cmocka_unit_test(strings_of_every_length),
                                        cmocka_unit_test(log_messages_have_interned_texts),
                                        cmocka_unit_test(switches_carry_the_state_of_the_outgoing_task),
                                        cmocka_unit_test(states_beside_the_core_are_packets),
                                        cmocka_unit_test(a_late_state_joins_its_switch),
                                        cmocka_unit_test(a_later_switch_at_one_tick_replaces_the_earlier),
                                        cmocka_unit_test(a_task_on_two_cores_leaves_the_first_just_before),
                                        cmocka_unit_test(wake_ups_name_the_waker),
                                        cmocka_unit_test(idle_tasks_have_pid_0),
                                        cmocka_unit_test(bundles_are_bounded_and_open_ones_are_deferred),
                                        cmocka_unit_test(an_idle_task_already_in_bundles_continues),
                                        cmocka_unit_test(only_the_last_exit_of_a_task_counts),
                                        cmocka_unit_test(prepared_packets_are_identical),
                                        cmocka_unit_test(names_go_into_their_lists),
                                        cmocka_unit_test(samples_have_stacks_and_threads),
                                        cmocka_unit_test(tracks_are_described),
                                        cmocka_unit_test(a_task_is_a_process_with_one_thread),
                                        cmocka_unit_test(fillers_keep_the_order_in_a_task),
                                        cmocka_unit_test(losses_are_reported_once),
                                        cmocka_unit_test(header_is_corrected_when_needed),
                                        cmocka_unit_test(short_trace_needs_no_correction),
                                        cmocka_unit_test(empty_trace_has_a_header),
                                        cmocka_unit_test(a_failed_write_is_final),
                                        cmocka_unit_test(every_allocation_may_fail) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
