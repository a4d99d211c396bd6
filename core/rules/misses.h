// SPDX-License-Identifier: MIT
//
// Number of jobs of a row that miss a deadline, from the figures of its report: the jobs that it counted for this
// deadline, else percentiles, the distribution of response times, and the worst jobs.
#ifndef TK_RULES_MISSES_H
#define TK_RULES_MISSES_H

#include "../report/report.h"
#include "amount.h"
#include "rule.h"

// Of `jobs` measured jobs, between `least` and `most` miss the deadline.
struct tk_misses {
    uint64_t least, most, jobs;
};

// table: with the columns "response_*" of jobs. measured: number of measured jobs of the row. deadline: value of the
// rule.
struct tk_misses tk_misses_of(const tk_report *report, const struct tk_report_table *table, uint32_t row,
                              uint64_t measured, const struct tk_rule *rule, const struct tk_amount *deadline);

#endif
