// SPDX-License-Identifier: MIT
//
// Reads a report from its JSON. The text is untrusted: it is validated as a whole first. Tables that do not match
// docs/REPORT.md are skipped.
#include "../base/decimal.h"
#include "json_text.h"
#include "report.h"
#include "schema.h"

enum { KEY = 64 };

// ---- Values ----

static bool is_key(const char *text) {
    size_t len = strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789_");
    return len && !text[len];
}

// Returns a copy of a string member; "" if there is no such member or it is not a string.
static const char *kept_member(tk_report *report, const char *object, const char *name) {
    const char *value = tk_json_member(object, name);
    if (!value || *value != '"') return "";
    char *text = tk_report_alloc(report, tk_json_string_room(value));
    if (text) tk_json_string(value, text);
    return text ? text : "";
}

static const char *kept_key(tk_report *report, const char *object, const char *name) {
    const char *text = kept_member(report, object, name);
    return is_key(text) && strlen(text) < KEY ? text : NULL;
}

// Returns the index of a member's text in a list of words; `fallback` if it is not in the list.
static uint8_t word_of(tk_report *report, const char *object, const char *name, const char *const *words,
                       unsigned count, uint8_t fallback) {
    const char *text = kept_member(report, object, name);
    for (unsigned i = 0; i < count; i++)
        if (words[i] && !strcmp(words[i], text)) return (uint8_t)i;
    return fallback;
}

// Reads an integer, as a number or in a string; larger values saturate.
static bool read_integer(const char *value, struct tk_cell *out) {
    bool negative = *value == '-';
    uint64_t number = 0;
    const char *at = value + negative;
    for (; *at >= '0' && *at <= '9'; at++) {
        unsigned digit = (unsigned)(*at - '0');
        number = number > (UINT64_MAX - digit) / 10 ? UINT64_MAX : number * 10 + digit;
    }
    if (at == value + negative || *at == '.' || *at == 'e' || *at == 'E') return false;
    if (negative)
        *out = (struct tk_cell){ .type = TK_CELL_INT, .i = number > INT64_MAX ? INT64_MIN : -(int64_t)number };
    else *out = (struct tk_cell){ .type = TK_CELL_UINT, .u = number };
    return true;
}

static bool read_double(const char *value, struct tk_cell *out) {
    out->type = TK_CELL_DOUBLE;
    return tk_double_read(value, value + strspn(value, "0123456789+-.eE"), &out->d) && out->d - out->d == 0;
}

// Reads a number with an exponent, as other programs write small ones: "8.8e-05".
static bool read_millionths_of_double(const char *value, struct tk_cell *out) {
    struct tk_cell number;
    if (!read_double(value, &number) || number.d > 1e12 || number.d < -1e12) return false;
    int64_t millionths = (int64_t)(number.d * 1e6 + (number.d < 0 ? -0.5 : 0.5));
    *out = millionths < 0 ? (struct tk_cell){ .type = TK_CELL_INT, .i = millionths }
                          : (struct tk_cell){ .type = TK_CELL_UINT, .u = (uint64_t)millionths };
    return true;
}

// Reads a decimal fraction as millionths.
static bool read_millionths(const char *value, struct tk_cell *out) {
    uint64_t scale = 1000000;
    struct tk_cell whole;
    bool negative = *value == '-';
    const char *at = value + negative + strspn(value + negative, "0123456789");
    char digits[24];
    size_t len = (size_t)(at - value) - negative;
    char end = value[strspn(value, "0123456789+-.")];
    if (end == 'e' || end == 'E') return read_millionths_of_double(value, out);
    if (len == 0 || len > 12) return false;
    memcpy(digits, value + negative, len);
    digits[len] = 0;
    if (!read_integer(digits, &whole)) return false;
    uint64_t number = whole.u * scale;
    for (at += *at == '.'; *at >= '0' && *at <= '9' && scale > 1; at++) number += (uint64_t)(*at - '0') * (scale /= 10);
    *out = negative ? (struct tk_cell){ .type = TK_CELL_INT, .i = -(int64_t)number }
                    : (struct tk_cell){ .type = TK_CELL_UINT, .u = number };
    return true;
}

static struct tk_cell read_cell(tk_report *report, uint8_t kind, const char *value) {
    struct tk_cell cell = { .type = TK_CELL_NONE };
    if (!value || *value == 'n') return cell;
    if (kind <= TK_COLUMN_TEXT) {
        char *text = *value == '"' ? tk_report_alloc(report, tk_json_string_room(value)) : NULL;
        if (text)
            cell = (struct tk_cell){ .type = TK_CELL_TEXT, .len = (uint32_t)tk_json_string(value, text), .text = text };
    } else if (kind == TK_COLUMN_FLAG) {
        if (*value == 't' || *value == 'f') cell = (struct tk_cell){ .type = TK_CELL_UINT, .u = *value == 't' };
    } else {
        const char *digits = value + (*value == '"');
        bool read = kind == TK_COLUMN_SHARE ? read_millionths(digits, &cell) : read_integer(digits, &cell);
        if (!read && !(kind == TK_COLUMN_NUMBER && read_double(digits, &cell))) cell.type = TK_CELL_NONE;
    }
    return cell;
}

// ---- Tables ----

// Reads a column: a string is the key of a column of the schema, an object describes another column.
static bool read_column(tk_report *report, const struct tk_table *known, const char *json, struct tk_column *out) {
    if (*json == '"') {
        char *key = tk_report_alloc(report, tk_json_string_room(json));
        if (key) tk_json_string(json, key);
        const struct tk_column *column = key ? tk_schema_column(known, key) : NULL;
        if (column) *out = *column;
        return column != NULL;
    }
    if (*json != '{') return false;
    *out = (struct tk_column){ .key = kept_key(report, json, "key"), .title = kept_member(report, json, "title") };
    out->kind = word_of(report, json, "kind", tk_report_kinds, TK_COLUMN_KINDS, TK_COLUMN_TEXT);
    out->role = word_of(report, json, "role", tk_report_roles, TK_COLUMN_ROLES, TK_ROLE_HIDDEN);
    out->fold = word_of(report, json, "fold", tk_report_folds, TK_COLUMN_FOLDS, TK_FOLD_NONE);
    const char *unit = kept_member(report, json, "unit");
    bool is_time = out->kind == TK_COLUMN_DURATION || out->kind == TK_COLUMN_TIME;
    if (*unit && !is_time) out->unit = unit; // times have the unit of the report
    return out->key != NULL;
}

static bool is_among(const struct tk_column *columns, uint32_t count, const char *key) {
    for (uint32_t i = 0; i < count; i++)
        if (!strcmp(columns[i].key, key)) return true;
    return false;
}

// Returns true for members of a report that are not tables.
static bool is_reserved(const char *id) {
    static const char *const names[] = {
        "schema", "tool", "time_unit", "time_certainty", "time_note", "view", "tables"
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(names[i], id)) return true;
    return false;
}

static uint32_t read_columns(tk_report *report, const struct tk_table *known, const char *json, struct tk_column *out) {
    uint32_t count = 0;
    const char *list = tk_json_member(json, "columns");
    for (const char *at = tk_json_first(list, '['); at && count < TK_REPORT_COLUMNS; at = tk_json_next(at))
        count += read_column(report, known, at, &out[count]) && !is_among(out, count, out[count].key);
    return count;
}

static void read_row(tk_report *report, const struct tk_table_sink *sink, const struct tk_table *table,
                     const char *row) {
    for (uint32_t i = 0; i < table->column_count; i++) {
        struct tk_cell cell = read_cell(report, table->columns[i].kind, tk_json_member(row, table->columns[i].key));
        sink->cell(sink->ctx, &cell);
    }
}

static void read_rows(tk_report *report, const char *json, const struct tk_table *table) {
    struct tk_table_sink sink = tk_report_sink(report, 1);
    const char *rows = tk_json_member(json, table->id);
    tk_table_begin(&sink, table);
    if (table->shape == TK_TABLE_FIGURES) {
        read_row(report, &sink, table, rows && *rows == '{' ? rows : "{}"); // figures always have one row
    } else {
        for (const char *row = tk_json_first(rows, '['); row; row = tk_json_next(row))
            if (*row == '{') read_row(report, &sink, table, row);
    }
    tk_table_end(&sink);
}

static void read_table(tk_report *report, const char *json, const char *description) {
    struct tk_column columns[TK_REPORT_COLUMNS];
    struct tk_table table = { .id = kept_key(report, description, "id") };
    const struct tk_table *known = table.id ? tk_schema_table(table.id) : NULL;
    if (known && !tk_json_member(description, "title")) {
        table = *known;
    } else {
        table.title = kept_member(report, description, "title");
        table.shape = word_of(report, description, "shape", tk_report_shapes, TK_TABLE_SHAPES, TK_TABLE_LIST);
        table.sort = kept_key(report, description, "sort");
    }
    table.column_count = read_columns(report, known, description, columns);
    struct tk_column *kept = table.column_count ? tk_report_alloc(report, table.column_count * sizeof *kept) : NULL;
    if (!kept || !table.id || is_reserved(table.id) || tk_report_table(report, table.id, strlen(table.id))) return;
    memcpy(kept, columns, table.column_count * sizeof *kept);
    table.columns = kept;
    read_rows(report, json, &table);
}

// Reads the time basis. A report without it has measured nanoseconds, or counts of unknown length.
static void read_time_basis(tk_report *report, const char *json) {
    const char *unit = kept_member(report, json, "time_unit");
    if (*unit) report->times.unit = unit;
    uint8_t otherwise = tk_time_units_per_ns(report->times.unit) ? TK_TIME_MEASURED : TK_TIME_RATE_UNKNOWN;
    report->times.certainty =
        word_of(report, json, "time_certainty", tk_time_certainty_keys, TK_TIME_CERTAINTIES, otherwise);
}

static tk_status check_schema(const char *json) {
    struct tk_cell schema = { .type = TK_CELL_NONE };
    const char *value = *json == '{' ? tk_json_member(json, "schema") : NULL;
    if (!value || !read_integer(value, &schema) || schema.type != TK_CELL_UINT || !schema.u) return TK_UNKNOWN_FORMAT;
    return schema.u == TK_REPORT_SCHEMA ? TK_OK : TK_OTHER_SCHEMA;
}

tk_status tk_report_read(const char *json, size_t len, const struct tk_allocator *allocator, tk_report **out_report) {
    *out_report = NULL;
    if (!tk_json_is_valid(json, len)) return TK_UNKNOWN_FORMAT;
    tk_report *report = tk_report_begin(allocator, "", (struct tk_time_basis){ "ns", TK_TIME_MEASURED });
    if (!report) return TK_NO_MEMORY;
    char *copy = tk_report_alloc(report, len + 1); // with a terminating zero, so that navigation needs no bounds
    if (copy) {
        memcpy(copy, json, len);
        copy[len] = 0;
        copy += strspn(copy, " \t\r\n");
        tk_status status = check_schema(copy);
        if (status != TK_OK) {
            tk_report_free(report);
            return status;
        }
        report->tool = kept_member(report, copy, "tool");
        read_time_basis(report, copy);
        const char *tables = tk_json_member(copy, "tables");
        for (const char *at = tk_json_first(tables, '['); at; at = tk_json_next(at))
            if (*at == '{') read_table(report, copy, at);
    }
    return tk_report_complete(report, out_report);
}
