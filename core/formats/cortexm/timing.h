// SPDX-License-Identifier: MIT
//
// When a record happened. The stream has no times: they come from the host that received it, from the rate of the line,
// or are missing, and then the number of the record stands for it.
#ifndef TK_FORMATS_CORTEXM_TIMING_H
#define TK_FORMATS_CORTEXM_TIMING_H

#include <stdbool.h>
#include <stdint.h>

enum cm_timing_mode { CM_ORDER, CM_RATE, CM_RECEPTION };

struct cm_timing {
    uint64_t last, gaps, gap_sum; // time of the last record; gaps between records, and their sum
    uint64_t baud;                // 0: not known
    uint64_t record_len;          // how long a record takes, in ticks
    uint64_t together;            // records that had to be moved behind the one before
    bool started;
    uint8_t mode; // enum cm_timing_mode
};

// What lies between a record and the one before.
struct cm_step {
    uint64_t time;
    uint64_t quiet_from; // from here on nothing was recorded; `time`: no time between them
    bool is_long;        // longer than targets pause between calls
    bool is_assumed;     // the record has no time of its own: it was received together with the one before
};

void cm_timing_init(struct cm_timing *timing, enum cm_timing_mode mode, uint64_t baud);
// number: of the record; offset: of its first byte; received: time of that byte in ns, for CM_RECEPTION.
struct cm_step cm_timing_next(struct cm_timing *timing, uint64_t number, uint64_t offset, uint64_t received);
// What users must know of the times; static.
const char *cm_timing_note(const struct cm_timing *timing);

#endif
