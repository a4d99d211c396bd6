// SPDX-License-Identifier: MIT
//
// Writes the report as JSON (docs/REPORT.md): first the tables and the keys of their columns, then the rows under the
// id of the table. Columns of the schema are not described in the report; other columns are.
#include "report.h"
#include "schema.h"

#include "../base/decimal.h"
#include "../base/diag.h"

const char *const tk_report_kinds[TK_COLUMN_KINDS] = { "name",   "text",     "flag", "count",
                                                       "number", "duration", "time", "share" };
const char *const tk_report_roles[TK_COLUMN_ROLES] = { "value",      "key",    "at",     "note",  "measured",
                                                       "unmeasured", "before", "change", "hidden" };
const char *const tk_report_folds[TK_COLUMN_FOLDS] = { NULL, "sum", "min", "max" };
const char *const tk_report_shapes[TK_TABLE_SHAPES] = { "list", "figures", "prose", "details" };

struct writer {
    struct tk_json_out json; // must be the first member: it is the context of a sink
    const struct tk_table *table;
    uint32_t column;
};

// ---- Descriptions ----

// Returns the key of the value to which a column belongs.
static const char *subject(const struct tk_table *table, uint32_t column) {
    while (column && table->columns[column].role != TK_ROLE_VALUE) column--;
    return table->columns[column].key;
}

static void put_member(struct tk_json_out *json, const char *key, const char *text) {
    tk_put_key(json, key);
    tk_put_string(json, text);
}

static void describe_column(struct tk_json_out *json, const struct tk_table *table, uint32_t index) {
    const struct tk_column *column = &table->columns[index];
    bool is_value = column->role == TK_ROLE_VALUE || column->role == TK_ROLE_KEY || column->role == TK_ROLE_HIDDEN;
    tk_put_begin(json, '{');
    put_member(json, "key", column->key);
    put_member(json, "title", column->title);
    put_member(json, "kind", tk_report_kinds[column->kind]);
    put_member(json, "unit", column->unit);
    put_member(json, "role", tk_report_roles[column->role]);
    put_member(json, "of", is_value ? NULL : subject(table, index));
    put_member(json, "fold", tk_report_folds[column->fold]);
    tk_put_end(json, '}');
}

static void describe_table(struct tk_json_out *json, const struct tk_table *table) {
    put_member(json, "title", table->title);
    put_member(json, "shape", tk_report_shapes[table->shape]);
    put_member(json, "sort", table->sort);
}

static bool same_text(const char *a, const char *b) { return a && b ? !strcmp(a, b) : a == b; }

static bool is_same_table(const struct tk_table *a, const struct tk_table *b) {
    return a->shape == b->shape && same_text(a->title, b->title) && same_text(a->sort, b->sort);
}

static bool is_same_column(const struct tk_column *a, const struct tk_column *b) {
    return a->kind == b->kind && a->role == b->role && a->fold == b->fold && same_text(a->title, b->title) &&
           same_text(a->unit, b->unit);
}

// Writes the id and columns of a table.
static void list_table(void *ctx, const struct tk_table *table) {
    struct tk_json_out *json = ctx;
    const struct tk_table *known = tk_schema_table(table->id);
    tk_put_begin(json, '{');
    put_member(json, "id", table->id);
    if (!known || !is_same_table(known, table)) describe_table(json, table);
    tk_put_key(json, "columns");
    tk_put_begin(json, '[');
    for (uint32_t i = 0; i < table->column_count; i++) {
        const struct tk_column *column = tk_schema_column(known, table->columns[i].key);
        if (column && is_same_column(column, &table->columns[i])) tk_put_string(json, column->key);
        else describe_column(json, table, i);
    }
    tk_put_end(json, ']');
    tk_put_end(json, '}');
}

static void ignore_cell(void *ctx, const struct tk_cell *cell) { (void)ctx, (void)cell; }
static void ignore_end(void *ctx) { (void)ctx; }

// ---- Rows ----

void tk_report_put_millionths(struct tk_out *out, uint64_t value, bool negative) {
    char digits[TK_DECIMAL_LEN];
    size_t len = tk_digits(value % 1000000, 10, 6, digits);
    while (len && digits[len - 1] == '0') len--;
    if (negative && value) tk_out_char(out, '-');
    tk_out_u64(out, value / 1000000);
    if (len) tk_out_char(out, '.');
    tk_out_bytes(out, digits, len);
}

static uint64_t magnitude(const struct tk_cell *cell) {
    return cell->type == TK_CELL_INT && cell->i < 0 ? 0 - cell->u : cell->u;
}

static void put_number(struct tk_out *out, const struct tk_cell *cell) {
    char digits[TK_DOUBLE_LEN];
    if (cell->type == TK_CELL_DOUBLE) tk_out_bytes(out, digits, tk_double_text(cell->d, digits));
    else if (cell->type == TK_CELL_INT) tk_out_i64(out, cell->i);
    else tk_out_u64(out, cell->u);
}

void tk_report_put_value(struct tk_out *out, uint8_t kind, const struct tk_cell *cell) {
    if (cell->type == TK_CELL_NONE) return;
    if (cell->type == TK_CELL_TEXT) tk_out_bytes(out, cell->text, cell->len);
    else if (kind == TK_COLUMN_FLAG) tk_out_text(out, cell->u ? "true" : "false");
    else if (kind == TK_COLUMN_SHARE)
        tk_report_put_millionths(out, magnitude(cell), cell->type == TK_CELL_INT && cell->i < 0);
    else put_number(out, cell);
}

static void put_value(struct tk_json_out *json, uint8_t kind, const struct tk_cell *cell) {
    bool is_time = kind == TK_COLUMN_DURATION || kind == TK_COLUMN_TIME;
    if (cell->type == TK_CELL_NONE) {
        tk_put_string(json, NULL);
    } else if (cell->type == TK_CELL_DOUBLE) { // with a point, so that a reader does not take it for an integer
        char digits[TK_DOUBLE_LEN];
        size_t len = tk_double_text(cell->d, digits);
        tk_put_literal(json, digits, len);
        if (!strpbrk(digits, ".e")) tk_out_text(&json->out, ".0");
    } else if (cell->type == TK_CELL_TEXT) {
        tk_put_text(json, cell->text, cell->len);
    } else if (is_time || (kind != TK_COLUMN_SHARE && magnitude(cell) >> 53)) { // a string, because JavaScript would
                                                                                // round the number
        tk_put_literal(json, "\"", 1);
        put_number(&json->out, cell);
        tk_out_char(&json->out, '"');
    } else {
        tk_put_literal(json, "", 0);
        tk_report_put_value(&json->out, kind, cell);
    }
}

static void begin_rows(void *ctx, const struct tk_table *table) {
    struct writer *writer = ctx;
    writer->table = table;
    writer->column = 0;
    tk_put_key(&writer->json, table->id);
    if (table->shape != TK_TABLE_FIGURES) tk_put_begin(&writer->json, '[');
}

static void write_cell(void *ctx, const struct tk_cell *cell) {
    struct writer *writer = ctx;
    const struct tk_column *column = &writer->table->columns[writer->column];
    if (writer->column == 0) tk_put_begin(&writer->json, '{');
    tk_put_key(&writer->json, column->key);
    put_value(&writer->json, column->kind, cell);
    if (++writer->column < writer->table->column_count) return;
    tk_put_end(&writer->json, '}');
    writer->column = 0;
}

static void end_rows(void *ctx) {
    struct writer *writer = ctx;
    if (writer->table->shape != TK_TABLE_FIGURES) tk_put_end(&writer->json, ']');
}

// ---- The report ----

static void write_list(struct tk_json_out *json, const char *name, const char *const *texts, size_t count) {
    tk_put_key(json, name);
    tk_put_begin(json, '[');
    for (size_t i = 0; i < count; i++) tk_put_string(json, texts[i]);
    tk_put_end(json, ']');
}

static void write_head(struct tk_json_out *json, const struct tk_report_source *source) {
    tk_put_key(json, "schema");
    tk_put_u64(json, TK_REPORT_SCHEMA);
    put_member(json, "tool", source->tool);
    put_member(json, "time_unit", source->times.unit);
    put_member(json, "time_certainty", tk_time_certainty_keys[source->times.certainty]);
    const char *note = tk_time_certainty_text(source->times.certainty);
    if (*note) put_member(json, "time_note", note);
    tk_put_key(json, "view");
    tk_put_begin(json, '{');
    write_list(json, "expand", source->expand, source->expand_count);
    write_list(json, "collapse", source->collapse, source->collapse_count);
    write_list(json, "pin", source->pin, source->pin_count);
    tk_put_end(json, '}');
}

static void write_commands(struct tk_json_out *json, const char *id, const char *const *regexes, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        tk_put_begin(json, '{');
        put_member(json, "id", id);
        tk_put_key(json, "args");
        tk_put_begin(json, '[');
        tk_put_string(json, regexes[i]);
        tk_put_end(json, ']');
        tk_put_end(json, '}');
    }
}

bool tk_report_write_commands(const struct tk_report_source *source, tk_out_write_fn write, void *ctx) {
    struct tk_json_out json = { .comma = false };
    tk_out_init(&json.out, write, ctx);
    tk_put_begin(&json, '[');
    write_commands(&json, "dev.perfetto.ExpandTracksByRegex", source->expand, source->expand_count);
    write_commands(&json, "dev.perfetto.CollapseTracksByRegex", source->collapse, source->collapse_count);
    write_commands(&json, "dev.perfetto.PinTracksByRegex", source->pin, source->pin_count);
    tk_put_end(&json, ']');
    return tk_out_flush(&json.out);
}

bool tk_report_write_json(const struct tk_report_source *source, tk_out_write_fn write, void *ctx) {
    struct writer writer = { .table = NULL };
    struct tk_json_out *json = &writer.json;
    struct tk_table_sink descriptions = { &writer, list_table, ignore_cell, ignore_end, source->tick_ns };
    struct tk_table_sink rows = { &writer, begin_rows, write_cell, end_rows, source->tick_ns };
    tk_out_init(&json->out, write, ctx);
    tk_put_begin(json, '{');
    write_head(json, source);
    tk_put_key(json, "tables");
    tk_put_begin(json, '[');
    source->tables(source->ctx, &descriptions);
    tk_put_end(json, ']');
    source->tables(source->ctx, &rows);
    tk_put_end(json, '}');
    return tk_out_flush(&json->out);
}

static void put_problems(struct tk_json_out *json) {
    tk_put_key(json, "problems");
    tk_put_begin(json, '[');
    for (int id = 0; id < TK_DIAG_COUNT; id++) {
        const struct tk_diag_info *info = tk_diag_info((enum tk_diag_id)id);
        tk_put_begin(json, '{');
        put_member(json, "id", info->name);
        put_member(json, "severity", tk_severity_name(info->severity));
        put_member(json, "title", info->title);
        put_member(json, "cause", info->cause);
        put_member(json, "remedy", info->remedy);
        tk_put_end(json, '}');
    }
    tk_put_end(json, ']');
}

static void put_rules(struct tk_json_out *json) {
    struct tk_schema_rule rule;
    tk_put_key(json, "rules");
    tk_put_begin(json, '[');
    for (unsigned number = 0; tk_schema_rule(number, &rule); number++) {
        tk_put_begin(json, '{');
        put_member(json, "id", rule.id);
        put_member(json, "severity", rule.severity);
        put_member(json, "title", rule.title);
        put_member(json, "threshold", rule.threshold);
        put_member(json, "needs", rule.needs);
        put_member(json, "remedy", rule.remedy);
        tk_put_end(json, '}');
    }
    tk_put_end(json, ']');
}

tk_status tk_schema_json(tk_write_fn write, void *ctx) {
    struct tk_json_out json;
    struct tk_schema_walk walk = { 0 };
    tk_out_init(&json.out, write, ctx);
    json.comma = false;
    tk_put_begin(&json, '{');
    tk_put_key(&json, "schema");
    tk_put_u64(&json, TK_REPORT_SCHEMA);
    put_member(&json, "tool", "Tonkopf " TK_VERSION);
    tk_put_key(&json, "tables");
    tk_put_begin(&json, '[');
    for (const struct tk_table *table; (table = tk_schema_next(&walk));) {
        tk_put_begin(&json, '{');
        put_member(&json, "id", table->id);
        describe_table(&json, table);
        put_member(&json, "about", table->about);
        tk_put_key(&json, "columns");
        tk_put_begin(&json, '[');
        for (uint32_t i = 0; i < table->column_count; i++) describe_column(&json, table, i);
        tk_put_end(&json, ']');
        tk_put_end(&json, '}');
    }
    tk_put_end(&json, ']');
    put_problems(&json);
    put_rules(&json);
    tk_put_end(&json, '}');
    return tk_out_flush(&json.out) ? TK_OK : TK_SINK_REFUSED;
}
