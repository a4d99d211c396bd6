// SPDX-License-Identifier: MIT
#include "bundle_read.h"

#include <pb_decode.h>
#include <string.h>

static bool on_packed(pb_istream_t *stream, const pb_field_t *field, void **arg) {
    struct bundle_list *list = *arg;
    (void)field;
    while (stream->bytes_left && list->count <= BUNDLE_MOST) {
        uint64_t value;
        if (!pb_decode_varint(stream, &value)) return false;
        if (list->count < BUNDLE_MOST) list->values[list->count] = value;
        list->count++;
    }
    return true;
}

void bundle_read_prepare(struct bundle_read *bundle, tk_pb_TracePacket *packet) {
    tk_pb_FtraceEventBundle_CompactSched *compact = &packet->ftrace_events.compact_sched;
    pb_callback_t *const fields[BUNDLE_FIELDS] = { [BUNDLE_SWITCH_TIME] = &compact->switch_timestamp,
                                                   [BUNDLE_SWITCH_STATE] = &compact->switch_prev_state,
                                                   [BUNDLE_SWITCH_PID] = &compact->switch_next_pid,
                                                   [BUNDLE_SWITCH_PRIO] = &compact->switch_next_prio,
                                                   [BUNDLE_SWITCH_NAME] = &compact->switch_next_comm_index,
                                                   [BUNDLE_WAKING_TIME] = &compact->waking_timestamp,
                                                   [BUNDLE_WAKING_PID] = &compact->waking_pid,
                                                   [BUNDLE_WAKING_CPU] = &compact->waking_target_cpu,
                                                   [BUNDLE_WAKING_PRIO] = &compact->waking_prio,
                                                   [BUNDLE_WAKING_NAME] = &compact->waking_comm_index,
                                                   [BUNDLE_WAKING_FLAGS] = &compact->waking_common_flags };
    for (unsigned i = 0; i < BUNDLE_FIELDS; i++) {
        bundle->lists[i].count = 0;
        if (fields[i]) *fields[i] = (pb_callback_t){ .funcs.decode = on_packed, .arg = &bundle->lists[i] };
    }
}

static void add_up(struct bundle_list *list) {
    for (unsigned i = 1; i < list->count && i < BUNDLE_MOST; i++) list->values[i] += list->values[i - 1];
}

static bool are_equally_long(const struct bundle_read *bundle, unsigned from, unsigned to) {
    for (unsigned i = from; i <= to; i++)
        if (bundle->lists[i].count > BUNDLE_MOST || (i != 5 && bundle->lists[i].count != bundle->lists[from].count))
            return false; // 5: the names
    return true;
}

bool bundle_read_finish(struct bundle_read *bundle) {
    add_up(&bundle->lists[BUNDLE_SWITCH_TIME]);
    add_up(&bundle->lists[BUNDLE_WAKING_TIME]);
    return are_equally_long(bundle, BUNDLE_SWITCH_TIME, BUNDLE_SWITCH_NAME) &&
           are_equally_long(bundle, BUNDLE_WAKING_TIME, BUNDLE_WAKING_FLAGS);
}
