// SPDX-License-Identifier: MIT
//
// What the durations and times of a report are: their unit, and how certain they are. A report has one basis for all of
// its figures; tables, CSV, expectations and hosts take it from here.
#ifndef TK_REPORT_TIME_BASIS_H
#define TK_REPORT_TIME_BASIS_H

#include <stdint.h>

#include "../base/text.h"

enum tk_time_certainty {
    TK_TIME_MEASURED,        // the recording has times, and the length of their unit is known
    TK_TIME_RATE_ASSUMED,    // it has times, but the length of their unit is assumed
    TK_TIME_SPACING_ASSUMED, // it has no times; the distance of records is assumed
    TK_TIME_ORDER_ONLY,      // it has no times; records are counted
    TK_TIME_RATE_UNKNOWN,    // it has times in counts of a clock of unknown rate
    TK_TIME_TURNS_UNKNOWN,   // it has times of a narrow clock that may have turned over more often
    TK_TIME_CERTAINTIES
};

struct tk_time_basis {
    const char *unit;  // "ns", "ps", "fs", or the plural of what is counted: "ticks"
    uint8_t certainty; // enum tk_time_certainty
};

extern const char *const tk_time_certainty_keys[TK_TIME_CERTAINTIES];
// Returns a sentence for users; "" of measured times.
const char *tk_time_certainty_text(uint8_t certainty);
// Returns how many of the unit a nanosecond has; 0: the unit counts something of unknown length.
uint64_t tk_time_units_per_ns(const char *unit);
// Appends a number of units as seconds with all their digits: nine, twelve or fifteen after the point.
void tk_time_put_seconds(struct tk_text *text, uint64_t units, uint64_t units_per_ns);

#endif
