// SPDX-License-Identifier: MIT
//
// Checks rules about figures against the tables of this build.
#include "known_tables.h"
#include "report/expect.h"
#include "report/schema.h"

const struct tk_table *tk_known_table(size_t index) {
    struct tk_schema_walk walk = { 0 };
    const struct tk_table *table;
    do table = tk_schema_next(&walk);
    while (table && index--);
    return table;
}

tk_expectation tk_report_expect(const tk_report *report, const char *expression, char out_text[TK_EXPECT_TEXT]) {
    return tk_expect_evaluate(report, tk_known_table, expression, out_text);
}

bool tk_expect_check(const char *expression, char out_text[TK_EXPECT_TEXT]) {
    return tk_expect_evaluate(NULL, tk_known_table, expression, out_text) == TK_EXPECT_PASS;
}
