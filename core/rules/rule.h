// SPDX-License-Identifier: MIT
//
// Rules about the figures of a report, as --expect takes them and files of rules contain them:
//
//   file    := { line }            line := [ label ":" ] rule { " ; " option }     "#" begins a comment line
//   rule    := table [ "[" row "]" ] "." column op value
//            | "deadline" row number unit [ "from" wait ]                    response times of the jobs of a task
//            | "period" row number unit "+-" number (unit | "%") [ "from" wait ]         periods of these jobs
//            | "findings" ("none" | "<= " n) [ name of a rule that finds ]
//            | "recording" ("complete" | "lost <= " n)
//   label   := [a-z0-9_-]+         op := "<" | "<=" | ">" | ">=" | "=="
//   value   := number unit | "baseline" [ "*" number ] [ ("+" | "-") number unit ]
//   row     := text in which * stands for any characters; \*, \\ and \] for *, \ and ]; wait: the same
//   option  := "rows" (">=" | "==") n | "count >= " n | "coverage >= " number "%" | "missing_ok"
//
// A rule holds only if it holds for every value that the figure may have. A figure without a value, or one for which
// unmeasured data could change the verdict, is not measured.
#ifndef TK_RULES_RULE_H
#define TK_RULES_RULE_H

#include <stdint.h>

#include "span.h"

enum tk_comparison { TK_LESS, TK_AT_MOST, TK_MORE, TK_AT_LEAST, TK_EQUAL };

enum tk_rule_kind { TK_RULE_FIGURE, TK_RULE_DEADLINE, TK_RULE_PERIOD, TK_RULE_FINDINGS, TK_RULE_RECORDING };

// A parsed rule; its spans are parts of the text. Deadlines and periods are rules about columns of the tables of jobs.
struct tk_rule {
    uint8_t kind; // enum tk_rule_kind
    struct tk_span whole, label;
    struct tk_span table, row, column, value;
    struct tk_span wait;      // of "from"; text NULL: none
    struct tk_span tolerance; // of a period
    bool has_row;
    enum tk_comparison comparison;
    bool is_baseline;      // the value is that of the baseline * factor + offset
    uint64_t factor;       // in millionths
    struct tk_span offset; // text NULL: none
    bool is_offset_negative;
    uint64_t most;         // of findings and lost events
    bool is_complete;      // "recording complete"
    struct tk_span finder; // name of the rule that finds; text NULL: all
    // Options.
    uint64_t rows, count; // 0: not given
    bool rows_exactly;    // rows == instead of rows >=
    uint64_t coverage;    // least measured share, in millionths; 0: not given
    bool missing_ok;
};

// Returns NULL, or a text that describes the error; then only `whole` is valid.
const char *tk_rule_read(const char *text, size_t len, struct tk_rule *out);
// Returns "<=" for TK_AT_MOST.
const char *tk_comparison_text(enum tk_comparison comparison);
bool tk_comparison_holds(enum tk_comparison comparison, int order);

// Returns true if the name of a row matches the pattern of a rule.
bool tk_pattern_matches(struct tk_span pattern, const char *text, size_t len);
bool tk_pattern_has_star(struct tk_span pattern);
// Returns true if a row matches the rule, which may name the wait of an activation "TASK / WAIT" too.
bool tk_rule_matches(const struct tk_rule *rule, const char *name, size_t len);

#endif
