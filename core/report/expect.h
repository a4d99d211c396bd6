// SPDX-License-Identifier: MIT
//
// Judges a rule about figures, or only checks it.
#ifndef TK_REPORT_EXPECT_H
#define TK_REPORT_EXPECT_H

#include "report.h"

// Returns the tables that the tool can put into a report, one after another; NULL after the last one.
typedef const struct tk_table *tk_known_table_fn(size_t index);

// report NULL: only checks the rule, and returns TK_EXPECT_PASS or TK_EXPECT_INVALID. Else as tk_report_expect.
tk_expectation tk_expect_evaluate(const tk_report *report, tk_known_table_fn *known, const char *expression,
                                  char out_text[TK_EXPECT_TEXT]);

#endif
