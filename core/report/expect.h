// SPDX-License-Identifier: MIT
//
// Checks a rule about the figures of a report, or the syntax of the rule.
#ifndef TK_REPORT_EXPECT_H
#define TK_REPORT_EXPECT_H

#include "report.h"

// Returns a table that the tool can put into a report, by index; NULL after the last one.
typedef const struct tk_table *tk_known_table_fn(size_t index);

// Evaluates an expression as tk_report_expect does. report NULL: checks only the rule; returns TK_EXPECT_PASS or
// TK_EXPECT_INVALID.
tk_expectation tk_expect_evaluate(const tk_report *report, tk_known_table_fn *known, const char *expression,
                                  char out_text[TK_EXPECT_TEXT]);

#endif
