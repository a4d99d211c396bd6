// SPDX-License-Identifier: MIT
//
// A gate on figures: "cpu.load<80%", "tasks[Motor].longest_wait<5ms". What the path names must exist; a value that was
// not measured does not hold, nor does one whose verdict could be changed by time of which nobody knows what ran.
#include "../base/decimal.h"
#include "cell_text.h"
#include "json_text.h"

enum { SUGGESTIONS = 8, QUOTED = 48 };

struct span {
    const char *text;
    size_t len;
};

enum comparison { LESS, AT_MOST, MORE, AT_LEAST, EQUAL };

struct gate {
    struct span whole, table, row, column, value;
    bool has_row;
    enum comparison comparison;
};

static void put_span(struct tk_text *words, struct span span) { tk_cell_text_name(words, span.text, span.len, QUOTED); }

// ---- Reading ----

static struct span trimmed(const char *from, const char *to) {
    while (from < to && *from == ' ') from++;
    while (to > from && to[-1] == ' ') to--;
    return (struct span){ from, (size_t)(to - from) };
}

static size_t key_len(const char *text) { return strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789_"); }

// The operator behind the path; NULL: there is none.
static const char *read_comparison(const char *at, enum comparison *out) {
    static const struct {
        const char *text;
        enum comparison comparison;
    } all[] = { { "<=", AT_MOST }, { ">=", AT_LEAST }, { "==", EQUAL }, { "<", LESS }, { ">", MORE } };
    at += strspn(at, " ");
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        size_t len = strlen(all[i].text);
        if (strncmp(at, all[i].text, len)) continue;
        *out = all[i].comparison;
        return at + len;
    }
    return NULL;
}

// Names of rows may hold any character: the last "]." before an operator ends one.
static const char *row_end(const char *from) {
    const char *end = NULL;
    enum comparison unused;
    for (const char *at = strstr(from, "]."); at; at = strstr(at + 1, "].")) {
        size_t len = key_len(at + 2);
        if (len && read_comparison(at + 2 + len, &unused)) end = at;
    }
    return end;
}

static bool read_gate(const char *text, struct gate *out) {
    *out = (struct gate){ .whole = { text, strlen(text) } };
    text += strspn(text, " ");
    out->table = (struct span){ text, key_len(text) };
    const char *at = text + out->table.len;
    if (*at == '[') {
        const char *end = row_end(at + 1);
        if (!end) return false;
        out->has_row = true;
        out->row = (struct span){ at + 1, (size_t)(end - at - 1) };
        at = end + 1;
    }
    if (!out->table.len || *at != '.') return false;
    out->column = (struct span){ at + 1, key_len(at + 1) };
    at = read_comparison(at + 1 + out->column.len, &out->comparison);
    if (!at || !out->column.len) return false;
    out->value = trimmed(at, text + strlen(text));
    return out->value.len > 0;
}

// ---- Values: compared as they are kept ----

struct unit {
    const char *name;
    uint64_t scale;
    uint64_t most; // 0: any
};

static const struct unit times[] = { { "s", 1000000000, 0 },   { "ms", 1000000, 0 }, { "us", 1000, 0 },
                                     { "\xc2\xb5s", 1000, 0 }, { "ns", 1, 0 },       { NULL, 0, 0 } };
static const struct unit ticks[] = { { "ticks", 1, 0 }, { "tick", 1, 0 }, { NULL, 0, 0 } },
                         records[] = { { "records", 1, 0 }, { "record", 1, 0 }, { NULL, 0, 0 } };
static const struct unit shares[] = { { "%", 10000, 0 }, { "", 1000000, 1 }, { NULL, 0, 0 } }; // 80 without % would
                                                                                               // hold always
static const struct unit plain[] = { { "", 1, 0 }, { NULL, 0, 0 } };

static const struct unit *units_of(uint8_t kind, const char *counts) {
    if (kind == TK_COLUMN_SHARE) return shares;
    if (kind == TK_COLUMN_DURATION || kind == TK_COLUMN_TIME)
        return !counts ? times : strcmp(counts, "records") ? ticks : records;
    return plain;
}

// A decimal number with a unit, exactly; what is finer than the scale makes it the next one below, and *out_more true.
static bool read_value(struct span span, const struct unit *units, const char *own_unit, bool *out_negative,
                       uint64_t *out_number, bool *out_more) {
    const char *at = span.text, *end = span.text + span.len;
    *out_negative = *at == '-';
    at += *out_negative;
    uint64_t whole = 0, part = 0;
    const char *first = at;
    for (; at < end && *at >= '0' && *at <= '9'; at++) {
        if (whole > (UINT64_MAX - 9) / 10) return false;
        whole = whole * 10 + (uint64_t)(*at - '0');
    }
    if (at == first) return false;
    struct span fraction = { at + 1, 0 };
    if (at < end && *at == '.')
        for (at++; at < end && *at >= '0' && *at <= '9'; at++) fraction.len++;
    struct span unit = trimmed(at, end);
    if (own_unit && unit.len == strlen(own_unit) && !memcmp(unit.text, own_unit, unit.len)) unit.len = 0;
    for (; units->name; units++)
        if (strlen(units->name) == unit.len && !memcmp(units->name, unit.text, unit.len)) break;
    if (!units->name || whole > UINT64_MAX / 2 / units->scale) return false;
    uint64_t scale = units->scale;
    *out_more = false;
    for (size_t i = 0; i < fraction.len; i++) {
        uint64_t digit = (uint64_t)(fraction.text[i] - '0');
        if (scale % 10) *out_more |= digit > 0;
        else part += digit * (scale /= 10);
    }
    *out_number = whole * units->scale + part;
    return !units->most || *out_number < units->most * units->scale ||
           (*out_number == units->most * units->scale && !*out_more);
}

// -1, 0, 1: the cell is below, equal, above.
static int compare_number(const struct tk_cell *cell, const char *text, bool negative, uint64_t number, bool more) {
    if (cell->type == TK_CELL_DOUBLE) {
        double wanted = 0;
        tk_double_read(text, text + strlen(text), &wanted);
        return cell->d < wanted ? -1 : cell->d > wanted;
    }
    bool below_zero = cell->type == TK_CELL_INT && cell->i < 0;
    uint64_t size = below_zero ? 0 - cell->u : cell->u;
    if (below_zero != negative) return below_zero ? -1 : size || number || more;
    int order = size < number ? -1 : size > number ? 1 : more ? -1 : 0;
    return negative ? -order : order;
}

static bool holds(enum comparison comparison, int order) {
    static const bool table[][3] = { [LESS] = { true, false, false },
                                     [AT_MOST] = { true, true, false },
                                     [MORE] = { false, false, true },
                                     [AT_LEAST] = { false, true, true },
                                     [EQUAL] = { false, true, false } };
    return table[comparison][order + 1];
}

// ---- Time that was not measured ----

// The least and the most that a value may be.
struct bounds {
    struct tk_cell least, most;
    const struct tk_column *column; // what was not measured meanwhile, and how much; NULL: nothing
    struct tk_cell unmeasured;
};

static bool is_key(const struct tk_column *column, const char *key) { return !strcmp(column->key, key); }
static uint32_t column_of(const struct tk_report_table *table, const char *key) {
    return tk_report_column(table, key, strlen(key));
}

static uint64_t number_of(const struct tk_report_table *table, uint32_t row, const char *key) {
    uint32_t column = column_of(table, key);
    const struct tk_cell *cell = column == UINT32_MAX ? NULL : tk_report_cell(table, row, column);
    return cell && cell->type == TK_CELL_UINT ? cell->u : 0;
}

static uint64_t duration_of(const tk_report *report) {
    const struct tk_cell *cell = tk_report_find(report, "time", 0, "duration");
    return cell && cell->type == TK_CELL_UINT ? cell->u : 0;
}

static void may_be_more(const tk_report *report, struct bounds *out, uint8_t kind, const struct tk_column *column,
                        uint64_t unmeasured, uint64_t more) {
    uint64_t whole = kind == TK_COLUMN_SHARE ? 1000000 : duration_of(report);
    if (kind == TK_COLUMN_SHARE && column->kind != kind) more = tk_fraction(more, duration_of(report), 1000000);
    if (!unmeasured || out->least.type != TK_CELL_UINT) return;
    out->column = column;
    out->unmeasured = (struct tk_cell){ .type = TK_CELL_UINT, .u = unmeasured };
    uint64_t room = whole > out->least.u ? whole - out->least.u : 0;
    out->most.u += more < room ? more : room;
}

// A task may have run on any core while nobody knows what did; its time has the interrupts in it.
static void bound_running(const tk_report *report, struct bounds *out, uint8_t kind) {
    const struct tk_report_table *cores = tk_report_table(report, "cores", 5);
    uint32_t column = cores ? column_of(cores, "unmeasured") : UINT32_MAX;
    uint64_t unmeasured = 0, interrupt = 0;
    if (column == UINT32_MAX) return;
    for (uint32_t row = 0; row < tk_report_rows(cores); row++) {
        unmeasured += number_of(cores, row, "unmeasured");
        interrupt += number_of(cores, row, "interrupt");
    }
    may_be_more(report, out, kind, &cores->info.columns[column], unmeasured, unmeasured + interrupt);
}

// What the times of cores, tasks and the like may be where a part of the time was not measured. What is told of pieces,
// as the longest of them, is of those that were.
static void bound(const tk_report *report, const struct tk_report_table *table, uint32_t row, uint32_t column,
                  struct bounds *out) {
    const struct tk_column *info = &table->info.columns[column];
    uint32_t unmeasured = column_of(table, "unmeasured");
    bool is_time = info->kind == TK_COLUMN_SHARE || info->kind == TK_COLUMN_DURATION;
    *out = (struct bounds){ .least = *tk_report_cell(table, row, column) };
    out->most = out->least;
    if (!is_time || column == unmeasured) return;
    if (unmeasured != UINT32_MAX && table->info.columns[unmeasured].kind != TK_COLUMN_COUNT) {
        uint64_t time = number_of(table, row, "unmeasured");
        may_be_more(report, out, info->kind, &table->info.columns[unmeasured], time, time);
    } else if (is_key(info, "cpu") || (is_key(info, "share") && column_of(table, "cpu") != UINT32_MAX)) {
        bound_running(report, out, info->kind);
    }
}

// ---- Words ----

static void begin_answer(struct tk_text *words, const struct gate *gate) {
    put_span(words, gate->whole);
    tk_text_add(words, ": ");
}

static void put_choice(struct tk_text *words, unsigned *count, const char *text, size_t len) {
    if (*count < SUGGESTIONS) {
        tk_text_add(words, *count ? ", " : " ");
        tk_cell_text_name(words, text, len, QUOTED);
    } else if (*count == SUGGESTIONS) {
        tk_text_add(words, " ...");
    }
    ++*count;
}

static tk_expectation no_table(const tk_report *report, const struct gate *gate, struct tk_text *words) {
    unsigned count = 0;
    begin_answer(words, gate);
    tk_text_add(words, "there is no table \"");
    put_span(words, gate->table);
    tk_text_add(words, "\"; there are");
    for (uint32_t i = 0; i < report->count; i++)
        tk_text_add(words, count++ ? ", " : " "), tk_text_add(words, report->tables[i].info.id);
    return TK_EXPECT_INVALID;
}

static tk_expectation no_column(const struct tk_report_table *table, const struct gate *gate, struct tk_text *words) {
    unsigned count = 0;
    begin_answer(words, gate);
    tk_text_add(words, "the table \"");
    tk_text_add(words, table->info.id);
    tk_text_add(words, "\" has no column \"");
    put_span(words, gate->column);
    tk_text_add(words, "\"; it has");
    for (uint32_t i = 0; i < table->info.column_count; i++)
        tk_text_add(words, count++ ? ", " : " "), tk_text_add(words, table->info.columns[i].key);
    return TK_EXPECT_INVALID;
}

static void row_words(const struct tk_report_table *table, uint32_t row, struct tk_text *out) {
    tk_cell_text_cell(out, false, &table->info.columns[0], tk_report_cell(table, row, 0));
}

static tk_expectation no_row(const struct tk_report_table *table, const struct gate *gate, struct tk_text *words) {
    unsigned count = 0;
    begin_answer(words, gate);
    tk_text_add(words,
                gate->has_row ? "there is no such row in \"" : "name a row, as in table[row].column; there are, in \"");
    tk_text_add(words, table->info.id);
    tk_text_add(words, tk_report_rows(table) ? "\":" : "\"; it is empty");
    for (uint32_t row = 0; row < tk_report_rows(table) && count <= SUGGESTIONS; row++) {
        char name_room[TK_CELL_TEXT_ROOM];
        struct tk_text name = tk_text_in(name_room, TK_CELL_TEXT_ROOM);
        row_words(table, row, &name);
        put_choice(words, &count, name.text, name.len);
    }
    return TK_EXPECT_INVALID;
}

static tk_expectation bad_value(const struct tk_report_table *table, uint32_t column, const struct gate *gate,
                                const char *counts, struct tk_text *words) {
    const struct tk_column *info = &table->info.columns[column];
    bool is_text = info->kind <= TK_COLUMN_FLAG;
    const struct unit *units = units_of(info->kind, counts);
    begin_answer(words, gate);
    tk_text_add(words, is_text ? "this is no number; it can only be compared with =="
                               : "not a value of this figure; it takes a number");
    for (bool first = true; !is_text && units->name; units++) {
        if (!*units->name) continue;
        tk_text_add(words, first ? " with a unit: " : ", ");
        tk_text_add(words, units->name);
        first = false;
    }
    return TK_EXPECT_INVALID;
}

static void put_value(struct tk_text *words, const tk_report *report, const struct tk_column *column,
                      const struct tk_cell *cell) {
    char value_room[TK_CELL_TEXT_ROOM];
    struct tk_text value = tk_text_in(value_room, TK_CELL_TEXT_ROOM);
    tk_cell_text_cell(&value, report->counts, column, cell);
    tk_text_put(words, value.text, value.len);
}

static tk_expectation unmeasured(const struct gate *gate, struct tk_text *words) {
    begin_answer(words, gate);
    tk_text_add(words, "it was not measured");
    return TK_EXPECT_UNMEASURED;
}

// small: what it may be at most decides.
static tk_expectation fails(const tk_report *report, const struct tk_column *column, const struct bounds *bounds,
                            bool small, const struct gate *gate, struct tk_text *words) {
    begin_answer(words, gate);
    tk_text_add(words, !bounds->column ? "it is " : small ? "it is at most " : "it is at least ");
    put_value(words, report, column, small ? &bounds->most : &bounds->least);
    return TK_EXPECT_FAIL;
}

static tk_expectation not_known(const tk_report *report, const struct tk_column *column, const struct bounds *bounds,
                                const struct gate *gate, struct tk_text *words) {
    begin_answer(words, gate);
    tk_text_add(words, "not known, it is between ");
    put_value(words, report, column, &bounds->least);
    tk_text_add(words, " and ");
    put_value(words, report, column, &bounds->most);
    tk_text_add(words, ": ");
    put_value(words, report, bounds->column, &bounds->unmeasured);
    tk_text_add(words, " of the time was not measured");
    return TK_EXPECT_UNMEASURED;
}

// ---- Judging ----

static bool is_row(const struct tk_report_table *table, uint32_t row, struct span name) {
    const struct tk_cell *cell = tk_report_cell(table, row, 0);
    if (cell->type == TK_CELL_TEXT) return cell->len == name.len && !memcmp(cell->text, name.text, name.len);
    char words_room[TK_CELL_TEXT_ROOM];
    struct tk_text words = tk_text_in(words_room, TK_CELL_TEXT_ROOM);
    row_words(table, row, &words);
    return words.len == name.len && !memcmp(words.text, name.text, name.len);
}

static bool text_holds(const struct tk_cell *cell, const struct tk_column *column, struct span value) {
    static const struct span flags[] = { { "false", 5 }, { "true", 4 } };
    struct span text = column->kind == TK_COLUMN_FLAG ? flags[cell->u != 0] : (struct span){ cell->text, cell->len };
    return text.len == value.len && !memcmp(text.text, value.text, value.len);
}

// One row. Every row of a name has to hold.
static tk_expectation evaluate_row(const tk_report *report, const struct tk_report_table *table, uint32_t row,
                                   uint32_t column, const struct gate *gate, struct tk_text *words) {
    const struct tk_column *info = &table->info.columns[column];
    const struct tk_cell *cell = tk_report_cell(table, row, column);
    bool negative = false, more = false, is_text = info->kind <= TK_COLUMN_FLAG;
    uint64_t number = 0;
    if (is_text ? gate->comparison != EQUAL
                : !read_value(gate->value, units_of(info->kind, report->counts), info->unit, &negative, &number, &more))
        return bad_value(table, column, gate, report->counts, words);
    if (cell->type == TK_CELL_NONE) return unmeasured(gate, words);
    struct bounds bounds;
    bound(report, table, row, column, &bounds);
    if (is_text)
        return text_holds(cell, info, gate->value) ? TK_EXPECT_PASS : fails(report, info, &bounds, false, gate, words);
    int least = compare_number(&bounds.least, gate->value.text, negative, number, more),
        most = compare_number(&bounds.most, gate->value.text, negative, number, more);
    bool holds_least = holds(gate->comparison, least), holds_most = holds(gate->comparison, most);
    if (holds_least != holds_most || (gate->comparison == EQUAL && least != most))
        return not_known(report, info, &bounds, gate, words);
    bool small = gate->comparison == EQUAL ? most < 0 : gate->comparison == MORE || gate->comparison == AT_LEAST;
    return holds_least ? TK_EXPECT_PASS : fails(report, info, &bounds, small, gate, words);
}

static tk_expectation judge(const tk_report *report, const struct gate *gate, struct tk_text *words) {
    const struct tk_report_table *table = tk_report_table(report, gate->table.text, gate->table.len);
    if (!table) return no_table(report, gate, words);
    uint32_t column = tk_report_column(table, gate->column.text, gate->column.len);
    if (column == UINT32_MAX) return no_column(table, gate, words);
    bool is_single = table->info.shape == TK_TABLE_FIGURES, found = false;
    if (is_single == gate->has_row) return no_row(table, gate, words);
    for (uint32_t row = 0; row < tk_report_rows(table); row++) {
        if (!is_single && !is_row(table, row, gate->row)) continue;
        tk_expectation result = evaluate_row(report, table, row, column, gate, words);
        if (result != TK_EXPECT_PASS) return result;
        found = true;
    }
    return found ? TK_EXPECT_PASS : no_row(table, gate, words);
}

tk_expectation tk_report_expect(const tk_report *report, const char *expression, char out_text[TK_EXPECT_TEXT]) {
    struct gate gate;
    struct tk_text words = tk_text_in(out_text, TK_EXPECT_TEXT);
    tk_expectation result = TK_EXPECT_INVALID;
    if (read_gate(expression, &gate)) {
        result = judge(report, &gate, &words);
    } else {
        tk_cell_text_name(&words, expression, strlen(expression), QUOTED);
        tk_text_add(&words, ": not an expectation such as cpu.load<80% or tasks[Motor].longest_wait<5ms");
    }
    return result;
}
