// SPDX-License-Identifier: MIT
//
// Smallest and largest possible value of a figure, given what its report says was not measured.
#ifndef TK_RULES_BOUNDS_H
#define TK_RULES_BOUNDS_H

#include "figure.h"

struct tk_bounds {
    struct tk_cell least, most;     // numbers
    bool has_value;                 // false: the report has no value, and no bound but 0
    bool has_no_most;               // there is no upper bound
    bool by_count;                  // occurrences were not measured; false: time was not measured
    bool by_rounding;               // a percentile that the report rounds up
    bool by_windows;                // the largest load in a window
    bool is_open;                   // the value is the length of a job or wait that is open at the end
    const struct tk_column *column; // column with the unmeasured part; NULL: all was measured
    struct tk_cell unmeasured;      // value of that column
    uint64_t measured, whole;       // measured and whole number of occurrences, or time; whole 0: unknown
};

// coverage: the measured part decides if its share is at least that, in millionths; 0: it never does.
void tk_bounds_find(const tk_report *report, const struct tk_report_table *table, uint32_t row, uint32_t column,
                    uint64_t coverage, struct tk_bounds *out);
// Returns the percentage of a percentile, 95 for "response_p95"; 0 for other keys.
unsigned tk_bounds_percentile(const char *key);

#endif
