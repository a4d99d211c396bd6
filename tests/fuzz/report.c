// SPDX-License-Identifier: MIT
//
// A report with any tables, names and numbers. The JSON must be parsed, the text must be valid UTF-8, also Markdown and
// CSV.
#include <string.h>

#include "base/utf8.h"
#include "common/check.h"
#include "common/conversion.h"
#include "common/heap.h"
#include "common/json_check.h"
#include "common/take.h"
#include "report/report.h"

enum { TABLES = 4, COLUMNS = 6, ROWS = 50, NAME_LEN = 40 };

static struct conversion_bytes out;
static struct take cells; // bytes for cells
static struct tk_column columns[TABLES][COLUMNS];
static struct tk_table tables[TABLES];
static unsigned table_count;

static bool on_text(void *ctx, const char *bytes, size_t len) {
    conversion_append(ctx, bytes, len);
    return true;
}

static void put_name(const struct tk_table_sink *sink, struct take *from) {
    char name[NAME_LEN * TK_UTF8_GROWTH];
    size_t len, bad;
    const uint8_t *bytes = take_bytes(from, take_byte(from) % NAME_LEN, &len);
    tk_cell_text(sink, name, tk_utf8_clean(bytes, len, (uint8_t *)name, &bad));
}

static void put_cell(const struct tk_table_sink *sink, struct take *from, uint8_t kind) {
    unsigned what = take_byte(from);
    uint64_t number = take_number(from), bits;
    double real;
    memcpy(&real, &number, sizeof real);
    if (what % 8 == 0) tk_cell_none(sink);
    else if (kind <= TK_COLUMN_TEXT) put_name(sink, from);
    else if (kind == TK_COLUMN_FLAG) tk_cell_uint(sink, what & 1);
    else if (kind == TK_COLUMN_SHARE) tk_cell_share(sink, number, take_number(from));
    else if (kind == TK_COLUMN_DURATION || kind == TK_COLUMN_TIME) tk_cell_ticks(sink, number);
    else if (kind == TK_COLUMN_NUMBER && what & 1) tk_cell_double(sink, real);
    else if (kind == TK_COLUMN_NUMBER && what & 2)
        memcpy(&bits, &number, sizeof bits), tk_cell_int(sink, (int64_t)bits);
    else tk_cell_uint(sink, number);
}

static void put_tables(const void *ctx, const struct tk_table_sink *sink) {
    (void)ctx;
    struct take from = cells; // the same cells each time
    for (unsigned i = 0; i < table_count; i++) {
        unsigned rows = tables[i].shape == TK_TABLE_FIGURES ? 1 : take_byte(&from) % ROWS;
        tk_table_begin(sink, &tables[i]);
        for (unsigned row = 0; row < rows; row++)
            for (unsigned column = 0; column < tables[i].column_count; column++)
                put_cell(sink, &from, columns[i][column].kind);
        tk_table_end(sink);
    }
}

// Ids as the core uses them, and any kinds and roles.
static void choose_tables(struct take *from) {
    static const char *const ids[TABLES] = { "problems", "tasks", "explain", "places" };
    static const char *const keys[COLUMNS] = { "id", "severity", "title", "count", "offset", "time" };
    table_count = take_byte(from) % (TABLES + 1);
    for (unsigned i = 0; i < table_count; i++) {
        tables[i] = (struct tk_table){ ids[i],
                                       "A \"title\"",
                                       columns[i],
                                       1 + take_byte(from) % COLUMNS,
                                       take_byte(from) % (TK_TABLE_PROSE + 1),
                                       take_byte(from) & 1 ? "count" : NULL,
                                       NULL };
        for (unsigned column = 0; column < COLUMNS; column++)
            columns[i][column] = (struct tk_column){ keys[column],
                                                     "Title",
                                                     take_byte(from) % TK_COLUMN_KINDS,
                                                     column ? take_byte(from) % TK_COLUMN_ROLES : TK_ROLE_VALUE,
                                                     take_byte(from) & 1 ? "mV" : NULL,
                                                     take_byte(from) % TK_COLUMN_FOLDS };
    }
}

static void check_text(const tk_report *report, tk_report_form form, const char *table) {
    out.len = 0;
    check(tk_report_write(report, form, table, on_text, &out) == TK_OK && tk_utf8_is_clean(out.data, out.len));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len) {
    struct take from = { data, data + len };
    const struct tk_allocator allocator = heap_allocator();
    unsigned flags = take_byte(&from);
    choose_tables(&from);
    cells = from;
    const struct tk_report_source source = { .tables = put_tables,
                                             .tool = "Tonkopf",
                                             .tick_ns = flags & 1 ? 1000 : 0,
                                             .times = { flags & 1 ? "ns" : "ticks",
                                                        flags & 1 ? TK_TIME_MEASURED : TK_TIME_RATE_UNKNOWN } };
    out.len = 0;
    check(tk_report_write_json(&source, on_text, &out) && json_is_valid(out.data, out.len));
    tk_report *report = tk_report_begin(&allocator, source.tool, source.times);
    check(report != NULL);
    struct tk_table_sink sink = tk_report_sink(report, source.tick_ns);
    put_tables(NULL, &sink);
    check(tk_report_complete(report, &report) == TK_OK);
    check_text(report, TK_REPORT_TEXT, NULL);
    check_text(report, TK_REPORT_MARKDOWN, NULL);
    for (unsigned i = 0; i < table_count; i++) check_text(report, TK_REPORT_CSV, tables[i].id);
    tk_report_free(report);
    heap_reset();
    return 0;
}
