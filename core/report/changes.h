// SPDX-License-Identifier: MIT
//
// What became worse and better from one report to another one. A figure is judged if both reports contain its noise:
// its typical value (median) and spread in equal parts of the recording. It changed if the typical values differ by
// more than twice the sum of both spreads, and by more than 1 %.
#ifndef TK_REPORT_CHANGES_H
#define TK_REPORT_CHANGES_H

#include "report.h"

// Adds the tables "compared", "changes", "change_sides" and "change_distributions" (docs/COMPARE.md) to a report.
// same_times: durations of both have the same unit and certainty.
void tk_changes_add(tk_report *to, const tk_report *before, const tk_report *after, bool same_times);

// Writes these tables for users: a list of what became worse and better, each with the distributions and the worst jobs
// of both sides. Lines begin with `indent` spaces.
void tk_changes_put_text(struct tk_out *out, const tk_report *report, size_t indent);

// Verdicts of the table "changes".
enum tk_change_verdict {
    TK_CHANGE_WORSE,
    TK_CHANGE_BETTER,
    TK_CHANGE_OTHER, // changed, for better or worse
    TK_CHANGE_NEW,   // only in the second report
    TK_CHANGE_GONE,  // only in the first report
    TK_CHANGE_NOISE, // within the noise
    TK_CHANGE_NOT_JUDGED,
    TK_CHANGE_VERDICTS
};
extern const char *const tk_change_verdicts[TK_CHANGE_VERDICTS];

#endif
