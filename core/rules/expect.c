// SPDX-License-Identifier: MIT
//
// A single rule, as --expect takes it.
#include "judge.h"

#include "../report/cell_text.h"

enum { QUOTED = 96 };

void tk_judge_text(const tk_report *report, const char *text, struct tk_verdict *out) {
    struct tk_rule rule;
    const char *mistake = tk_rule_read(text, strlen(text), &rule);
    *out = (struct tk_verdict){ .verdict = TK_EXPECT_INVALID };
    struct tk_text words = tk_verdict_text(out);
    if (mistake) tk_text_add(&words, mistake);
    else tk_judge_rule(&(struct tk_judge){ .report = report }, &rule, out);
}

static tk_expectation evaluate(const tk_report *report, const char *expression, char out_text[TK_EXPECT_TEXT]) {
    struct tk_verdict verdict;
    struct tk_text text = tk_text_in(out_text, TK_EXPECT_TEXT);
    tk_judge_text(report, expression, &verdict);
    if (!verdict.text[0]) return verdict.verdict;
    struct tk_span rule = tk_span_trimmed(expression, expression + strlen(expression));
    tk_cell_text_name(&text, rule.text, rule.len, QUOTED);
    tk_text_add(&text, ": ");
    tk_text_add(&text, verdict.text);
    return verdict.verdict;
}

tk_expectation tk_report_expect(const tk_report *report, const char *expression, char out_text[TK_EXPECT_TEXT]) {
    return evaluate(report, expression, out_text);
}

bool tk_expect_check(const char *expression, char out_text[TK_EXPECT_TEXT]) {
    return evaluate(NULL, expression, out_text) == TK_EXPECT_PASS;
}
