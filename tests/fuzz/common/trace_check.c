// SPDX-License-Identifier: MIT
#include "trace_check.h"

#include <pb_decode.h>
#include <string.h>

#include "base/utf8.h"
#include "bundle_read.h"
#include "check.h"
#include "perfetto.pb.h"

// ---- Sets and counts by number, cleared in constant time
// ---------------------------------------------------------------

enum { SLOTS = 1 << 17 };

struct slot {
    uint64_t key;
    uint32_t round, value;
};

static struct slot slots[SLOTS];
static uint32_t used[SLOTS], used_count, round_number;

enum table {
    TRACK_DECLARED = 1,
    TRACK_USED,
    TRACK_COUNTER,
    TRACK_DEPTH,
    TEXT_DEFINED,
    TEXT_USED = TEXT_DEFINED + 4,
    TASK_DECLARED = TEXT_USED + 4,
    TASK_STATE,
    CORE_BEGUN
};

static struct slot *slot_of(enum table table, uint64_t key) {
    uint64_t mixed = key << 5 | table;
    size_t at = (size_t)(mixed * 0x9E3779B97F4A7C15u >> 40) % SLOTS;
    while (slots[at].round == round_number && slots[at].key != mixed) at = (at + 1) % SLOTS;
    if (slots[at].round == round_number) return &slots[at];
    check(used_count < SLOTS / 2);
    used[used_count++] = (uint32_t)at;
    slots[at] = (struct slot){ mixed, round_number, 0 };
    return &slots[at];
}

static void empty_tables(void) {
    used_count = 0;
    round_number++;
}

// ---- Packets
// -----------------------------------------------------------------------------------------------------------

struct reading {
    uint64_t time; // on the delta clock
    uint64_t packets;
    uint64_t tick_ns;
    uint64_t usual_track; // track of events that name no track
};

static bool on_text(pb_istream_t *stream, const pb_field_t *field, void **arg) {
    static uint8_t text[1 << 18];
    (void)field, (void)arg;
    size_t len = stream->bytes_left;
    check(len <= sizeof text && pb_read(stream, text, len));
    check(tk_utf8_is_clean(text, len));
    return true;
}

static void use_text(unsigned list, uint64_t iid) { slot_of(TEXT_USED + list, iid)->value = 1; }

static bool on_annotation(pb_istream_t *stream, const pb_field_t *field, void **arg);
static bool on_list_annotation(pb_istream_t *stream, const pb_field_t *field, void **arg);

static tk_pb_DebugAnnotation read_annotation(pb_istream_t *stream) {
    tk_pb_DebugAnnotation annotation = tk_pb_DebugAnnotation_init_zero;
    annotation.string_value.funcs.decode = on_text;
    annotation.dict_entries.funcs.decode = on_annotation;
    annotation.array_values.funcs.decode = on_list_annotation;
    check(pb_decode(stream, tk_pb_DebugAnnotation_fields, &annotation));
    if (annotation.has_string_value_iid) use_text(1, annotation.string_value_iid);
    return annotation;
}

static bool on_list_annotation(pb_istream_t *stream, const pb_field_t *field, void **arg) {
    (void)field, (void)arg;
    check(!read_annotation(stream).has_name_iid);
    return true;
}

static bool on_annotation(pb_istream_t *stream, const pb_field_t *field, void **arg) {
    (void)field, (void)arg;
    tk_pb_DebugAnnotation annotation = read_annotation(stream);
    check(annotation.has_name_iid && annotation.name_iid);
    use_text(2, annotation.name_iid);
    return true;
}

static bool on_extra_counter(pb_istream_t *stream, const pb_field_t *field, void **arg) {
    uint64_t track;
    (void)field, (void)arg;
    check(pb_decode_varint(stream, &track) && slot_of(TRACK_COUNTER, track)->value);
    slot_of(TRACK_USED, track)->value = 1;
    return true;
}

static void check_event(const struct reading *reading, const tk_pb_TrackEvent *event) {
    uint64_t track = event->has_track_uuid ? event->track_uuid : reading->usual_track;
    check(event->has_type && event->type >= 1 && event->type <= 4 && track);
    slot_of(TRACK_USED, track)->value = 1;
    struct slot *depth = slot_of(TRACK_DEPTH, track);
    if (event->type == 1) depth->value++;
    if (event->type == 2) check(depth->value-- > 0);
    if (event->type == 4) check(slot_of(TRACK_COUNTER, track)->value);
    check((event->type == 4) == (event->has_counter_value || event->has_double_counter_value));
    if (event->has_name_iid) use_text(0, event->name_iid);
    if (event->has_category_iid) use_text(3, event->category_iid);
}

static void check_track(const tk_pb_TrackDescriptor *track) {
    check(track->has_uuid && track->uuid);
    slot_of(TRACK_DECLARED, track->uuid)->value = 1;
    if (track->has_counter) slot_of(TRACK_COUNTER, track->uuid)->value = 1;
    if (track->has_parent_uuid) slot_of(TRACK_USED, track->parent_uuid)->value = 1;
}

static void define_text(unsigned list, bool has, const tk_pb_InternedData_Entry *entry) {
    if (!has) return;
    check(entry->has_iid && entry->iid);
    struct slot *slot = slot_of(TEXT_DEFINED + list, entry->iid);
    check(!slot->value); // once per number
    slot->value = 1;
}

// Only switches report that a task runs.
static void check_state(const tk_pb_TracePacket *packet) {
    const tk_pb_TaskState *state = &packet->task_state;
    check(state->has_tid && state->tid > 2 && state->has_state && state->state >= 2 && state->state <= 7 &&
          state->state != 3);
    slot_of(TASK_STATE, (uint64_t)state->tid)->value = 1;
}

static bool is_prev_state(uint64_t state) {
    return state == 0 || state == 1 || state == 2 || state == 4 || state == 0x20;
}

// The importer may drop the first switch of each core.
static void check_bundle(const tk_pb_TracePacket *packet, struct bundle_read *bundle) {
    const struct bundle_list *times = &bundle->lists[BUNDLE_SWITCH_TIME], *pids = &bundle->lists[BUNDLE_SWITCH_PID],
                             *woken = &bundle->lists[BUNDLE_WAKING_PID];
    bool early = packet->trusted_packet_sequence_id == 3;
    check(bundle_read_finish(bundle) && (early || packet->trusted_packet_sequence_id == 2));
    check(packet->ftrace_events.has_cpu && packet->ftrace_events.cpu < 32 && packet->ftrace_events.ftrace_clock == 3);
    struct slot *begun = slot_of(CORE_BEGUN, packet->ftrace_events.cpu);
    if (!early && !begun->value) check(times->count && !times->values[0] && !pids->values[0]);
    if (!early) begun->value = 1;
    for (unsigned i = 0; i < times->count; i++) {
        check(pids->values[i] == 0 || pids->values[i] > 2);
        check(is_prev_state(bundle->lists[BUNDLE_SWITCH_STATE].values[i]));
        check(times->values[i] <= INT64_MAX);
        if (pids->values[i]) slot_of(TASK_STATE, pids->values[i])->value = 1;
    }
    for (unsigned i = 0; i < woken->count; i++) {
        check(woken->values[i] > 2 && bundle->lists[BUNDLE_WAKING_TIME].values[i] <= INT64_MAX);
        slot_of(TASK_STATE, woken->values[i])->value = 1;
    }
}

static bool on_packet(pb_istream_t *stream, const pb_field_t *field, void **arg) {
    struct reading *reading = *arg;
    static struct bundle_read bundle;
    tk_pb_TracePacket packet = tk_pb_TracePacket_init_zero;
    (void)field;
    bundle_read_prepare(&bundle, &packet);
    packet.track_event.extra_counter_track_uuids.funcs.decode = on_extra_counter;
    packet.track_event.name.funcs.decode = on_text;
    packet.track_event.debug_annotations.funcs.decode = on_annotation;
    packet.track_descriptor.name.funcs.decode = on_text;
    packet.track_descriptor.process.process_name.funcs.decode = on_text;
    packet.kernel_process_tree.threads.comm.funcs.decode = on_text;
    packet.trace_attributes.attribute.key.funcs.decode = on_text;
    packet.trace_attributes.attribute.string_value.funcs.decode = on_text;
    packet.interned_data.event_names.text.funcs.decode = on_text;
    packet.interned_data.source_locations.text.funcs.decode = on_text;
    packet.interned_data.log_message_body.text.funcs.decode = on_text;
    packet.interned_data.event_categories.text.funcs.decode = on_text;
    packet.interned_data.debug_annotation_names.text.funcs.decode = on_text;
    packet.interned_data.debug_annotation_string_values.text.funcs.decode = on_text;
    check(pb_decode(stream, tk_pb_TracePacket_fields, &packet));
    check(packet.has_clock_snapshot == (reading->packets++ < 3)); // the header, and only there
    if (packet.has_clock_snapshot && !reading->tick_ns)
        reading->tick_ns = packet.clock_snapshot.clocks[1].unit_multiplier_ns;
    if (packet.has_trace_packet_defaults)
        reading->usual_track = packet.trace_packet_defaults.track_event_defaults.track_uuid;
    if (packet.has_timestamp && !packet.has_timestamp_clock_id) {
        check(packet.timestamp <= INT64_MAX - reading->time);
        reading->time += packet.timestamp;
    }
    if (packet.has_track_event) check_event(reading, &packet.track_event);
    if (packet.has_track_descriptor) check_track(&packet.track_descriptor);
    if (packet.has_task_state) check_state(&packet);
    if (packet.has_ftrace_events) check_bundle(&packet, &bundle);
    if (packet.has_kernel_process_tree)
        slot_of(TASK_DECLARED, (uint64_t)packet.kernel_process_tree.threads.tid)->value = 1;
    if (packet.has_interned_data) {
        define_text(0, packet.interned_data.has_event_names, &packet.interned_data.event_names);
        define_text(1, packet.interned_data.has_debug_annotation_string_values,
                    &packet.interned_data.debug_annotation_string_values);
        define_text(3, packet.interned_data.has_event_categories, &packet.interned_data.event_categories);
        define_text(2, packet.interned_data.has_debug_annotation_names, &packet.interned_data.debug_annotation_names);
    }
    return true;
}

static bool has(enum table table, uint64_t key) { return slot_of(table, key)->value; }

// Everything that was used must be defined somewhere in the trace.
static void check_uses(bool complete) {
    uint32_t count = used_count;
    for (uint32_t i = 0; i < count; i++) {
        const struct slot slot = slots[used[i]];
        uint64_t key = slot.key >> 5;
        unsigned table = slot.key & 31;
        if (!slot.value) continue;
        if (table == TRACK_USED) check(has(TRACK_DECLARED, key));
        if (table >= TEXT_USED && table < TEXT_USED + 4) check(!complete || has(TEXT_DEFINED + table - TEXT_USED, key));
        if (table == TRACK_DEPTH) check(!complete);
        if (table == TASK_STATE) check(!complete || has(TASK_DECLARED, key));
    }
}

uint64_t trace_check(const uint8_t *bytes, size_t len, bool complete) {
    struct reading reading = { 0 };
    tk_pb_Trace trace = { .packet = { .funcs.decode = on_packet, .arg = &reading } };
    pb_istream_t stream = pb_istream_from_buffer(bytes, len);
    empty_tables();
    check(pb_decode(&stream, tk_pb_Trace_fields, &trace));
    check_uses(complete);
    return reading.tick_ns;
}
