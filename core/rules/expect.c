// SPDX-License-Identifier: MIT
//
// A single rule, as --expect takes it.
#include "judge.h"

#include "../report/cell_text.h"

enum { QUOTED = 96 };

static tk_expectation evaluate(const tk_report *report, const char *expression, char out_text[TK_EXPECT_TEXT]) {
    struct tk_rule rule;
    struct tk_verdict verdict = { .verdict = TK_EXPECT_INVALID };
    struct tk_text text = tk_text_in(out_text, TK_EXPECT_TEXT);
    const char *mistake = tk_rule_read(expression, strlen(expression), &rule);
    if (!mistake) tk_judge_rule(&(struct tk_judge){ .report = report }, &rule, &verdict);
    if (!mistake && !verdict.text[0]) return verdict.verdict;
    tk_cell_text_name(&text, rule.whole.text, rule.whole.len, QUOTED);
    tk_text_add(&text, ": ");
    tk_text_add(&text, mistake ? mistake : verdict.text);
    return verdict.verdict;
}

tk_expectation tk_report_expect(const tk_report *report, const char *expression, char out_text[TK_EXPECT_TEXT]) {
    return evaluate(report, expression, out_text);
}

bool tk_expect_check(const char *expression, char out_text[TK_EXPECT_TEXT]) {
    return evaluate(NULL, expression, out_text) == TK_EXPECT_PASS;
}
