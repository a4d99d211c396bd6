// SPDX-License-Identifier: MIT
//
// Results of the rules that a user gave (options expect and fail-on), as a table of the report.
#include "report.h"

const char *const tk_verdict_words[] = { [TK_EXPECT_PASS] = "holds",
                                         [TK_EXPECT_FAIL] = "fails",
                                         [TK_EXPECT_UNMEASURED] = "not measured",
                                         [TK_EXPECT_INVALID] = "wrong" };

static const struct tk_column verdicts_columns[] = {
    { "rule", "Rule", TK_COLUMN_NAME, TK_ROLE_VALUE, NULL, TK_FOLD_NONE },
    { "verdict", "Verdict", TK_COLUMN_TEXT, TK_ROLE_VALUE, NULL, TK_FOLD_NONE },
    { "text", "Explanation", TK_COLUMN_TEXT, TK_ROLE_NOTE, NULL, TK_FOLD_NONE },
};
static const struct tk_table verdicts_table = {
    "verdicts",    "Verdicts", TK_TABLE_COLUMNS(verdicts_columns),
    TK_TABLE_LIST, NULL,       "Results of the rules that the user gave (options expect and fail-on)."
};
const struct tk_table *const tk_verdict_table_list[] = { &verdicts_table, NULL };

// Inserts the empty table before all others, so that readers see it first. Returns false when out of memory.
static bool begin_verdicts(tk_report *report) {
    struct tk_table_sink sink = tk_report_sink(report, 1);
    uint32_t before = report->count;
    tk_table_begin(&sink, &verdicts_table);
    if (report->count == before) return false;
    struct tk_report_table added = report->tables[before];
    memmove(&report->tables[1], &report->tables[0], before * sizeof report->tables[0]);
    report->tables[0] = added;
    return true;
}

tk_status tk_report_add_verdict(tk_report *report, const char *rule, const char *verdict, const char *text) {
    const char *const texts[] = { rule, verdict, text };
    bool is_begun = report->count && report->tables[0].info.columns == verdicts_columns;
    if (!is_begun && !begin_verdicts(report)) return TK_NO_MEMORY;
    struct tk_report_table *table = &report->tables[0];
    if (!tk_alloc_grow(&report->alloc, (void **)&table->cells, &table->cell_capacity, table->cell_count + 3,
                       sizeof *table->cells))
        return TK_NO_MEMORY;
    for (unsigned i = 0; i < 3; i++) {
        uint32_t len = (uint32_t)strlen(texts[i]);
        const char *copy = tk_report_copy_text(report, texts[i], len);
        table->cells[table->cell_count++] =
            (struct tk_cell){ .type = TK_CELL_TEXT, .len = *copy ? len : 0, .text = copy };
    }
    return report->alloc.failed ? TK_NO_MEMORY : TK_OK;
}
