// SPDX-License-Identifier: MIT
//
// Times of records. The stream contains no times: they come from the host that received it, or from the baud rate.
// Without both, the number of the record is used as its time.
#ifndef TK_FORMATS_CORTEXM_TIMING_H
#define TK_FORMATS_CORTEXM_TIMING_H

#include <stdbool.h>
#include <stdint.h>

enum cm_timing_mode { CM_ORDER, CM_RATE, CM_RECEPTION };

struct cm_timing {
    uint64_t last, gaps, gap_sum; // time of the last record; number of gaps between records, and their sum
    uint64_t baud;                // 0: unknown
    uint64_t record_len;          // ticks that the transmission of a record takes
    uint64_t together;            // number of records whose time was raised to be after the record before
    bool started;
    uint8_t mode; // enum cm_timing_mode
};

// The time of a record, and the gap between it and the record before.
struct cm_step {
    uint64_t time;
    uint64_t quiet_from; // end of the record before; equal to `time` if there is no gap
    bool is_long;        // the gap is much longer than the gaps before it
    bool is_assumed;     // the record has no time of its own: it was received together with the one before
};

void cm_timing_init(struct cm_timing *timing, enum cm_timing_mode mode, uint64_t baud);
// number: of the record; offset: of its first byte; received: time of that byte in ns, for CM_RECEPTION.
struct cm_step cm_timing_next(struct cm_timing *timing, uint64_t number, uint64_t offset, uint64_t received);
// Returns a note for users about the origin of the times; static.
const char *cm_timing_note(const struct cm_timing *timing);

#endif
