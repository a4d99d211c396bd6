// SPDX-License-Identifier: MIT
//
// Judges one rule on one report.
#ifndef TK_RULES_JUDGE_H
#define TK_RULES_JUDGE_H

#include "../base/alloc.h"
#include "../report/report.h"
#include "rule.h"

enum { TK_VERDICT_VALUE = 64, TK_VERDICT_ROW = 160, TK_VERDICT_BOUND = 128 };

// Verdict on a rule, with the worst row as evidence.
struct tk_verdict {
    tk_expectation verdict;
    char text[TK_EXPECT_TEXT];    // explanation; "": the rule holds, and there is nothing to say
    char row[TK_VERDICT_ROW];     // name and keys of the row; "": none
    char value[TK_VERDICT_VALUE]; // its value; "": none
    char bound[TK_VERDICT_BOUND]; // what it was compared with; "": nothing
    bool has_at, has_ns, has_count;
    uint64_t at, at_ns; // time of the value, in the unit of the report and in nanoseconds
    uint64_t count;     // number of measured occurrences
};

// The reports that a rule is checked against.
struct tk_judge {
    const tk_report *report;   // NULL: only the rule itself is checked; the verdict is PASS or INVALID
    const tk_report *baseline; // NULL: none
    struct tk_alloc *alloc;    // used only with a baseline
};

void tk_judge_rule(const struct tk_judge *judge, const struct tk_rule *rule, struct tk_verdict *out);
// Judges a rule in a text. A mistake in it is the explanation of the verdict INVALID.
void tk_judge_text(const tk_report *report, const char *text, struct tk_verdict *out);

// ---- special.c: rules that are not about one figure. They set the verdict and the text. ----
void tk_judge_findings(const tk_report *report, const struct tk_rule *rule, struct tk_verdict *out);
void tk_judge_recording(const tk_report *report, const struct tk_rule *rule, struct tk_verdict *out);

// ---- judge.c ----
// Returns a text that writes the explanation of a verdict.
struct tk_text tk_verdict_text(struct tk_verdict *out);
void tk_verdict_set_at(const tk_report *report, uint64_t at, struct tk_verdict *out);

// ---- explain.c: explanations of mistakes ----
struct tk_figure;
void tk_explain_no_table(const tk_report *report, const struct tk_rule *rule, struct tk_text *words);
void tk_explain_no_column(const struct tk_table *table, const struct tk_rule *rule, struct tk_text *words);
void tk_explain_no_row(const struct tk_report_table *table, struct tk_text *words);
void tk_explain_bad_value(const struct tk_column *column, const char *time_unit, const struct tk_rule *rule,
                          struct tk_text *words);
void tk_explain_span(struct tk_text *words, struct tk_span span);
void tk_explain_row_name(const struct tk_report_table *table, uint32_t row, struct tk_text *words);
// Appends the names that are most similar to `wanted`: " a, b". next: returns a name; NULL after the last one.
void tk_explain_nearest(struct tk_text *words, struct tk_span wanted, const char *(*next)(void *ctx), void *ctx);

#endif
