// SPDX-License-Identifier: MIT
//
// Reads the switches and wake-ups of an ftrace bundle with nanopb, for tests of the written traces.
#ifndef TK_TESTS_BUNDLE_READ_H
#define TK_TESTS_BUNDLE_READ_H

#include "perfetto.pb.h"

enum { BUNDLE_MOST = 300 };

// By field number of CompactSched.
enum bundle_field {
    BUNDLE_SWITCH_TIME = 1,
    BUNDLE_SWITCH_STATE,
    BUNDLE_SWITCH_PID,
    BUNDLE_SWITCH_PRIO,
    BUNDLE_SWITCH_NAME = 6,
    BUNDLE_WAKING_TIME,
    BUNDLE_WAKING_PID,
    BUNDLE_WAKING_CPU,
    BUNDLE_WAKING_PRIO,
    BUNDLE_WAKING_NAME,
    BUNDLE_WAKING_FLAGS,
    BUNDLE_FIELDS
};

struct bundle_read {
    struct bundle_list {
        uint64_t values[BUNDLE_MOST];
        unsigned count; // BUNDLE_MOST + 1: too many, or damaged
    } lists[BUNDLE_FIELDS];
};

// The lists are filled when `packet` is decoded (with pb_decode_noinit, or a fresh packet and pb_decode). Empties them.
void bundle_read_prepare(struct bundle_read *bundle, tk_pb_TracePacket *packet);
// Call it after decoding: sums up the times and returns whether all lists of a group have the same length.
bool bundle_read_finish(struct bundle_read *bundle);

#endif
