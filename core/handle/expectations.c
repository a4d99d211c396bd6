// SPDX-License-Identifier: MIT
//
// Rules about figures, against the tables that this program knows.
#include "formats/format.h"
#include "known_tables.h"
#include "lookup/symbol_reader.h"
#include "model/model.h"
#include "report/expect.h"

// Returns entry *index of a list that ends with NULL. Beyond its end returns NULL, and takes its length from *index.
static const struct tk_table *take(const struct tk_table *const *list, size_t *index) {
    for (; list && *list; list++)
        if (!(*index)--) return *list;
    return NULL;
}

static const struct tk_table *of_decoder(const struct tk_decoder *decoder, size_t *index) {
    const struct tk_table *table = take(decoder->known_tables, index);
    for (const struct tk_tracker *const *tracker = decoder->trackers; !table && tracker && *tracker; tracker++)
        table = take((*tracker)->known_tables, index);
    return table;
}

const struct tk_table *tk_known_table(size_t index) {
    static const struct tk_table *const symbols[] = { &tk_symbols_known_table, NULL };
    const struct tk_table *const *const lists[] = { tk_handle_known_tables, tk_model_known_tables, symbols };
    const struct tk_table *table = NULL;
    for (size_t i = 0; !table && i < sizeof lists / sizeof *lists; i++) table = take(lists[i], &index);
    for (size_t i = 0; !table && i < tk_formats_len; i++) table = of_decoder(tk_formats[i]->decoder, &index);
    return table;
}

tk_expectation tk_report_expect(const tk_report *report, const char *expression, char out_text[TK_EXPECT_TEXT]) {
    return tk_expect_evaluate(report, tk_known_table, expression, out_text);
}

bool tk_expect_check(const char *expression, char out_text[TK_EXPECT_TEXT]) {
    return tk_expect_evaluate(NULL, tk_known_table, expression, out_text) == TK_EXPECT_PASS;
}
