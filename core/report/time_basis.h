// SPDX-License-Identifier: MIT
//
// Unit and certainty of all durations and times of a report; tables, CSV, expectations and hosts use it.
#ifndef TK_REPORT_TIME_BASIS_H
#define TK_REPORT_TIME_BASIS_H

#include <stdint.h>

#include "../base/text.h"

enum tk_time_certainty {
    TK_TIME_MEASURED,        // the recording contains times, and the length of their unit is known
    TK_TIME_RATE_ASSUMED,    // it contains times, but the length of their unit is assumed
    TK_TIME_SPACING_ASSUMED, // it contains no times; the distance of records is assumed
    TK_TIME_ORDER_ONLY,      // it contains no times; durations count records
    TK_TIME_RATE_UNKNOWN,    // it contains times in counts of a clock of unknown rate
    TK_TIME_TURNS_UNKNOWN,   // it contains times of a narrow clock that may have wrapped an unknown number of times
    TK_TIME_ALL_EQUAL,       // the clock does not count, or the times are damaged: durations are unknown
    TK_TIME_CERTAINTIES
};

struct tk_time_basis {
    const char *unit;  // "ns", "ps", "fs", or the plural of the counted item: "ticks"
    uint8_t certainty; // enum tk_time_certainty
};

extern const char *const tk_time_certainty_keys[TK_TIME_CERTAINTIES];
// Returns a sentence for users; "" for measured times.
const char *tk_time_certainty_text(uint8_t certainty);
// Returns a phrase for the title of a trace; "" where the decoder names the axis, or times are measured.
const char *tk_time_certainty_title(uint8_t certainty);
// Returns the number of units per nanosecond; 0 if the unit counts something of unknown length.
uint64_t tk_time_units_per_ns(const char *unit);
// Appends a number of units as seconds with all digits: nine, twelve or fifteen after the point.
void tk_time_put_seconds(struct tk_text *text, uint64_t units, uint64_t units_per_ns);

#endif
