// SPDX-License-Identifier: MIT
//
// A file of rules and the verdicts on its rules (tk_check of tonkopf.h), for the files of this folder.
#ifndef TK_RULES_CHECK_H
#define TK_RULES_CHECK_H

#include "judge.h"

enum { TK_CHECK_NO_RULE = UINT32_MAX };

struct tk_check_rule {
    uint32_t line; // from 1
    struct tk_rule rule;
};

// A verdict on a rule and an input. All texts are terminated; "": none.
struct tk_check_result {
    uint32_t rule, line; // rule: index; TK_CHECK_NO_RULE: a wrong line or file, or an input that could not be read
    const char *subject; // the rule, or what else the result is about
    const char *input;   // "": the result is about no input
    tk_expectation verdict;
    bool is_unread; // the input could not be read
    const char *text, *row, *value, *bound;
    bool has_at, has_ns, has_count;
    uint64_t at, at_ns, count;
};

struct tk_check {
    struct tk_allocator allocator;
    struct tk_alloc alloc;
    const char *name, *text; // of the file of rules
    struct tk_check_rule *rules;
    uint32_t rule_count, rule_capacity;
    struct tk_check_result *results;
    uint32_t result_count, result_capacity;
    uint32_t judged; // number of inputs
    tk_report *baseline;
    bool is_wrong; // no recording is checked
};

// ---- Outputs: forms.c, forms_json.c ----

struct tk_out;
typedef void tk_check_put_fn(struct tk_out *out, const char *text, size_t len);
// Writes text of a line: control characters and invalid UTF-8 become "?".
void tk_check_put_plain(struct tk_out *out, const char *text, size_t len);
// Writes "INPUT: RULE: EXPLANATION", or the value if there is nothing to explain. put: writes its texts.
void tk_check_put_sentence(struct tk_out *out, tk_check_put_fn *put, const struct tk_check_result *result);
void tk_check_put_text(struct tk_out *out, const struct tk_check *check);
void tk_check_put_markdown(struct tk_out *out, const struct tk_check *check);
void tk_check_put_junit(struct tk_out *out, const struct tk_check *check);
void tk_check_put_github(struct tk_out *out, const struct tk_check *check);
// Return false when `write` refused.
bool tk_check_write_json(const struct tk_check *check, tk_write_fn write, void *ctx);
bool tk_check_write_sarif(const struct tk_check *check, tk_write_fn write, void *ctx);

const char *tk_check_verdict_text(const struct tk_check_result *result); // "holds"

#endif
