// SPDX-License-Identifier: MIT
//
// Checks a rule about figures: "cpu.load<80%", "tasks[Motor].longest_wait<5ms ; coverage >= 99%". It passes only if it
// holds for every possible value of the figure. A figure without a value, or one for which unmeasured data could change
// the verdict, is unmeasured.
#include "expect.h"

#include "../base/decimal.h"
#include "cell_text.h"
#include "json_text.h"

enum { SUGGESTIONS = 8, QUOTED = 96, QUOTED_NAME = 48 };

struct span {
    const char *text;
    size_t len;
};

enum comparison { LESS, AT_MOST, MORE, AT_LEAST, EQUAL };

static const struct {
    const char *text;
    enum comparison comparison;
} comparisons[] = { { "<=", AT_MOST }, { ">=", AT_LEAST }, { "==", EQUAL }, { "<", LESS }, { ">", MORE } };
enum { COMPARISONS = sizeof comparisons / sizeof *comparisons };

struct rule {
    struct span whole, table, row, column, value;
    bool has_row;
    enum comparison comparison;
    uint64_t rows, count; // options; 0: not given
    bool rows_exactly;    // rows == instead of rows >=
    uint64_t coverage;    // least measured share, in millionths; 0: not given
    bool missing_ok;
};

static bool is_word(struct span span, const char *word) {
    return span.len == strlen(word) && !memcmp(span.text, word, span.len);
}

// ---- Parsing ----

static const char no_rule[] = "not an expectation such as cpu.load<80% or tasks[Motor].longest_wait<5ms",
                  bad_option[] = "the options after \" ; \" are rows >= N, rows == N, count >= N, coverage >= N% and "
                                 "missing_ok, each at most once, N above 0",
                  bad_escape[] = "in the name of a row, \\ is allowed only before *, \\ and ]";

static struct span trimmed(const char *from, const char *to) {
    while (from < to && *from == ' ') from++;
    while (to > from && to[-1] == ' ') to--;
    return (struct span){ from, (size_t)(to - from) };
}

static size_t key_len(const char *from, const char *to) {
    const char *at = from;
    while (at < to && ((*at >= 'a' && *at <= 'z') || (*at >= '0' && *at <= '9') || *at == '_')) at++;
    return (size_t)(at - from);
}

// Returns the position after the operator between the path and the value; NULL if there is none.
static const char *read_comparison(const char *at, const char *to, enum comparison *out) {
    while (at < to && *at == ' ') at++;
    for (size_t i = 0; i < COMPARISONS; i++) {
        size_t len = strlen(comparisons[i].text);
        if ((size_t)(to - at) < len || memcmp(at, comparisons[i].text, len)) continue;
        *out = comparisons[i].comparison;
        return at + len;
    }
    return NULL;
}

// Finds the end of the name of a row, which may contain any character including brackets: the last "]." that a column
// and an operator follow.
static const char *row_end(const char *from, const char *to) {
    const char *end = NULL;
    enum comparison unused;
    for (const char *at = from; at + 1 < to; at++) {
        if (*at == '\\') {
            at++;
        } else if (at[0] == ']' && at[1] == '.') {
            size_t len = key_len(at + 2, to);
            if (len && read_comparison(at + 2 + len, to, &unused)) end = at;
        }
    }
    return end;
}

static bool has_valid_escapes(struct span pattern) {
    for (size_t i = 0; i < pattern.len; i++) {
        if (pattern.text[i] != '\\') continue;
        if (++i == pattern.len || !strchr("*\\]", pattern.text[i])) return false;
    }
    return true;
}

// Returns false unless `span` is a decimal number from 1 to UINT64_MAX.
static bool read_natural(struct span span, uint64_t *out) {
    uint64_t number = 0;
    for (size_t i = 0; i < span.len; i++) {
        if (span.text[i] < '0' || span.text[i] > '9') return false;
        uint64_t digit = (uint64_t)(span.text[i] - '0');
        if (number > (UINT64_MAX - digit) / 10) return false;
        number = number * 10 + digit;
    }
    *out = number;
    return number > 0;
}

// ---- Values: compared in the unit of the report ----

struct unit {
    const char *name;
    uint64_t scale;
    uint64_t most; // largest value; 0: no limit
};

static const struct unit ns_times[] = { { "s", 1000000000, 0 },   { "ms", 1000000, 0 }, { "us", 1000, 0 },
                                        { "\xc2\xb5s", 1000, 0 }, { "ns", 1, 0 },       { NULL, 0, 0 } },
                         ps_times[] = { { "s", 1000000000000, 0 },
                                        { "ms", 1000000000, 0 },
                                        { "us", 1000000, 0 },
                                        { "\xc2\xb5s", 1000000, 0 },
                                        { "ns", 1000, 0 },
                                        { "ps", 1, 0 },
                                        { NULL, 0, 0 } },
                         fs_times[] = { { "s", 1000000000000000, 0 },
                                        { "ms", 1000000000000, 0 },
                                        { "us", 1000000000, 0 },
                                        { "\xc2\xb5s", 1000000000, 0 },
                                        { "ns", 1000000, 0 },
                                        { "ps", 1000, 0 },
                                        { "fs", 1, 0 },
                                        { NULL, 0, 0 } };
static const struct unit ticks[] = { { "ticks", 1, 0 }, { "tick", 1, 0 }, { NULL, 0, 0 } },
                         records[] = { { "records", 1, 0 }, { "record", 1, 0 }, { NULL, 0, 0 } };
// A bare share above 1 is an error: the rule would always pass.
static const struct unit shares[] = { { "%", 10000, 0 }, { "", 1000000, 1 }, { NULL, 0, 0 } };
static const struct unit plain[] = { { "", 1, 0 }, { NULL, 0, 0 } };

static const struct unit *units_of_times(const char *unit) {
    uint64_t per_ns = tk_time_units_per_ns(unit);
    if (per_ns) return per_ns == 1 ? ns_times : per_ns == 1000 ? ps_times : fs_times;
    return strcmp(unit, "records") ? ticks : records;
}

static const struct unit *units_of(uint8_t kind, const char *time_unit) {
    if (kind == TK_COLUMN_SHARE) return shares;
    if (kind == TK_COLUMN_DURATION || kind == TK_COLUMN_TIME) return units_of_times(time_unit);
    return plain;
}

// Reads a decimal number with a unit, without rounding errors. Digits finer than the scale are cut, and *out_more is
// set. Returns false for anything else, and for a number that exceeds every figure.
static bool read_value(struct span span, const struct unit *units, const char *own_unit, bool *out_negative,
                       uint64_t *out_number, bool *out_more) {
    const char *at = span.text, *end = span.text + span.len;
    *out_negative = *at == '-';
    at += *out_negative;
    uint64_t whole = 0, part = 0;
    const char *first = at;
    for (; at < end && *at >= '0' && *at <= '9'; at++) {
        uint64_t digit = (uint64_t)(*at - '0');
        if (whole > (UINT64_MAX - digit) / 10) return false;
        whole = whole * 10 + digit;
    }
    if (at == first) return false;
    struct span fraction = { at + 1, 0 };
    if (at < end && *at == '.') {
        for (at++; at < end && *at >= '0' && *at <= '9'; at++) fraction.len++;
        if (!fraction.len) return false;
    }
    struct span unit = trimmed(at, end);
    while (units->name && !is_word(unit, units->name) && (*units->name || !own_unit || !is_word(unit, own_unit)))
        units++;
    if (!units->name || whole > UINT64_MAX / units->scale) return false;
    uint64_t scale = units->scale;
    *out_more = false;
    for (size_t i = 0; i < fraction.len; i++) {
        uint64_t digit = (uint64_t)(fraction.text[i] - '0');
        if (scale % 10) *out_more |= digit > 0;
        else part += digit * (scale /= 10);
    }
    if (part > UINT64_MAX - whole * units->scale) return false;
    *out_number = whole * units->scale + part;
    uint64_t most = units->most * units->scale;
    return !most || *out_number < most || (*out_number == most && !*out_more);
}

// Returns -1, 0 or 1: the cell is less than, equal to or greater than the number.
static int compare_number(const struct tk_cell *cell, struct span text, bool negative, uint64_t number, bool more) {
    if (cell->type == TK_CELL_DOUBLE) {
        double wanted = 0;
        size_t len = 0;
        while (len < text.len && strchr("-.0123456789", text.text[len])) len++;
        tk_double_read(text.text, text.text + len, &wanted);
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

// ---- Rules ----

static bool read_option(struct span option, struct rule *out) {
    static const struct unit percent[] = { { "%", 10000, 100 }, { NULL, 0, 0 } };
    if (is_word(option, "missing_ok")) {
        bool is_first = !out->missing_ok;
        return out->missing_ok = true, is_first;
    }
    const char *to = option.text + option.len;
    struct span key = { option.text, key_len(option.text, to) };
    enum comparison comparison;
    const char *at = read_comparison(option.text + key.len, to, &comparison);
    if (!at) return false;
    struct span value = trimmed(at, to);
    if (is_word(key, "rows") && (comparison == AT_LEAST || comparison == EQUAL) && !out->rows) {
        out->rows_exactly = comparison == EQUAL;
        return read_natural(value, &out->rows);
    }
    if (comparison != AT_LEAST) return false;
    if (is_word(key, "count") && !out->count) return read_natural(value, &out->count);
    bool negative, more;
    if (!is_word(key, "coverage") || out->coverage || !value.len ||
        !read_value(value, percent, NULL, &negative, &out->coverage, &more) || negative)
        return false;
    out->coverage += more;
    return out->coverage > 0;
}

static bool read_options(const char *at, const char *to, struct rule *out) {
    while (at < to) {
        const char *end = at;
        while (end < to && strncmp(end, " ; ", 3)) end++;
        if (!read_option(trimmed(at, end), out)) return false;
        at = end + 3;
        if (end < to && at >= to) return false; // an option must follow the last separator
    }
    return true;
}

static const char *read_path(const char *at, const char *to, struct rule *out) {
    out->table = (struct span){ at, key_len(at, to) };
    at += out->table.len;
    if (at < to && *at == '[') {
        const char *end = row_end(at + 1, to);
        if (!end) return NULL;
        out->has_row = true;
        out->row = (struct span){ at + 1, (size_t)(end - at - 1) };
        at = end + 1;
    }
    if (!out->table.len || at == to || *at != '.') return NULL;
    out->column = (struct span){ at + 1, key_len(at + 1, to) };
    return out->column.len ? at + 1 + out->column.len : NULL;
}

// Returns NULL, or a text that describes the error.
static const char *read_rule(const char *text, struct rule *out) {
    struct span whole = trimmed(text, text + strlen(text));
    *out = (struct rule){ .whole = whole };
    const char *end = whole.text + whole.len, *options = whole.text;
    while (options < end && (end - options < 3 || memcmp(options, " ; ", 3))) options++;
    const char *at = read_path(whole.text, options, out);
    if (at) at = read_comparison(at, options, &out->comparison);
    if (!at) return no_rule;
    out->value = trimmed(at, options);
    if (!out->value.len) return no_rule;
    if (!has_valid_escapes(out->row)) return bad_escape;
    if (options == end) return NULL;
    return options + 3 < end && read_options(options + 3, end, out) ? NULL : bad_option;
}

// ---- Rows ----

// Matches a name: * matches any characters; \*, \\ and \] match *, \ and ].
static bool matches(struct span pattern, const char *text, size_t len) {
    size_t at = 0, in = 0, after_star = SIZE_MAX, retry = 0;
    while (in < len) {
        bool is_escaped = at < pattern.len && pattern.text[at] == '\\';
        if (at < pattern.len && pattern.text[at] == '*') {
            after_star = ++at, retry = in;
        } else if (at + is_escaped < pattern.len && pattern.text[at + is_escaped] == text[in]) {
            at += 1 + is_escaped, in++;
        } else if (after_star != SIZE_MAX) {
            at = after_star, in = ++retry;
        } else {
            return false;
        }
    }
    while (at < pattern.len && pattern.text[at] == '*') at++;
    return at == pattern.len;
}

static bool has_star(struct span pattern) {
    for (size_t i = 0; i < pattern.len; i++) {
        if (pattern.text[i] == '*') return true;
        i += pattern.text[i] == '\\';
    }
    return false;
}

static void put_row_name(const struct tk_report_table *table, uint32_t row, struct tk_text *out) {
    tk_cell_text_cell(out, "ns", &table->info.columns[0], tk_report_cell(table, row, 0));
}

static bool is_row(const struct tk_report_table *table, uint32_t row, struct span pattern) {
    const struct tk_cell *cell = tk_report_cell(table, row, 0);
    if (cell->type == TK_CELL_TEXT) return matches(pattern, cell->text, cell->len);
    char room[TK_CELL_TEXT_ROOM];
    struct tk_text name = tk_text_in(room, sizeof room);
    put_row_name(table, row, &name);
    return matches(pattern, name.text, name.len);
}

// ---- Figures ----

// A column of a table: as in this report, or as in the schema if the report lacks it.
struct figure {
    const struct tk_report_table *table; // table in the report; NULL: the report lacks it
    uint32_t column;                     // index in `table`; UINT32_MAX: the report lacks the column
    const struct tk_table *info;
    const struct tk_column *about;
};

static uint32_t column_in(const struct tk_table *table, struct span key) {
    for (uint32_t i = 0; i < table->column_count; i++)
        if (is_word(key, table->columns[i].key)) return i;
    return UINT32_MAX;
}

static struct figure find_figure(const tk_report *report, tk_known_table_fn *known, const struct rule *rule) {
    struct figure figure = { .column = UINT32_MAX };
    if (report) figure.table = tk_report_table(report, rule->table.text, rule->table.len);
    if (figure.table) {
        figure.info = &figure.table->info;
        figure.column = column_in(figure.info, rule->column);
        if (figure.column != UINT32_MAX) figure.about = &figure.info->columns[figure.column];
    }
    const struct tk_table *table;
    for (size_t i = 0; !figure.about && (table = known(i)); i++) {
        if (!is_word(rule->table, table->id)) continue;
        uint32_t column = column_in(table, rule->column);
        if (column != UINT32_MAX) figure.info = table, figure.about = &table->columns[column];
        else if (!figure.info) figure.info = table;
    }
    return figure;
}

static bool is_text(const struct tk_column *column) { return column->kind <= TK_COLUMN_FLAG; }

static bool is_key(const struct tk_column *column, const char *key) { return !strcmp(column->key, key); }
static uint32_t column_of(const struct tk_table *table, const char *key) {
    return column_in(table, (struct span){ key, strlen(key) });
}

// Returns the column that counts the unmeasured occurrences of a duration; UINT32_MAX if there is none. An UNMEASURED
// column after a duration belongs to that duration; an UNMEASURED column after another value belongs to all durations
// that follow, up to the next UNMEASURED column.
static uint32_t unmeasured_column(const struct tk_table *table, uint32_t column) {
    if (table->columns[column].kind != TK_COLUMN_DURATION) return UINT32_MAX;
    for (uint32_t i = column + 1; i < table->column_count; i++) {
        if (table->columns[i].role == TK_ROLE_UNMEASURED) return i;
        if (table->columns[i].role == TK_ROLE_VALUE || table->columns[i].role == TK_ROLE_KEY) break;
    }
    for (uint32_t i = column; i-- > 0;)
        if (table->columns[i].role == TK_ROLE_UNMEASURED) return i;
    return UINT32_MAX;
}

// Returns the column that counts all these occurrences: "waits" for "waits_unmeasured", otherwise the count before it.
static uint32_t count_column(const struct tk_table *table, uint32_t unmeasured) {
    static const char ending[] = "_unmeasured";
    const char *key = table->columns[unmeasured].key;
    size_t len = strlen(key), end = sizeof ending - 1;
    if (len > end && !strcmp(key + len - end, ending)) {
        uint32_t found = column_in(table, (struct span){ key, len - end });
        if (found != UINT32_MAX) return found;
    }
    for (uint32_t i = unmeasured; i-- > 0;)
        if (table->columns[i].role == TK_ROLE_VALUE && table->columns[i].kind == TK_COLUMN_COUNT) return i;
    return UINT32_MAX;
}

enum time_part { NO_PART, OF_ROW, OF_CORES };

// Returns to which unmeasured time a figure may be subject: that of a core, that of the CPU, or that of a task on any
// core.
static enum time_part time_part(const struct tk_table *table, uint32_t column) {
    const struct tk_column *info = &table->columns[column];
    uint32_t unmeasured = column_of(table, "unmeasured");
    if ((info->kind != TK_COLUMN_SHARE && info->kind != TK_COLUMN_DURATION) || column == unmeasured) return NO_PART;
    if (unmeasured != UINT32_MAX && table->columns[unmeasured].kind != TK_COLUMN_COUNT) return OF_ROW;
    if (is_key(info, "cpu") || (is_key(info, "share") && column_of(table, "cpu") != UINT32_MAX)) return OF_CORES;
    return NO_PART;
}

// ---- Bounds of unmeasured figures ----

// Smallest and largest possible value of a figure of which a part was not measured.
struct bounds {
    struct tk_cell least, most;
    bool has_no_most;               // there is no upper bound
    bool by_count;                  // occurrences were not measured; false: time was not measured
    const struct tk_column *column; // column with the unmeasured part; NULL: all was measured
    struct tk_cell unmeasured;      // value of that column
    uint64_t measured, whole;       // measured and whole number of occurrences, or time; whole 0: unknown
};

static const struct tk_cell *cell_of(const struct tk_report_table *table, uint32_t row, const char *key) {
    uint32_t column = column_of(&table->info, key);
    return column == UINT32_MAX ? NULL : tk_report_cell(table, row, column);
}

static uint64_t number_in(const struct tk_cell *cell) { return cell && cell->type == TK_CELL_UINT ? cell->u : 0; }

static uint64_t number_of(const struct tk_report_table *table, uint32_t row, const char *key) {
    return number_in(cell_of(table, row, key));
}

static uint64_t duration_of(const tk_report *report) {
    return number_in(tk_report_find(report, "time", 0, "duration"));
}

static uint64_t add(uint64_t a, uint64_t b) { return b > UINT64_MAX - a ? UINT64_MAX : a + b; }

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

static void set_coverage(struct bounds *out, uint64_t unmeasured, uint64_t whole) {
    out->whole = whole;
    out->measured = unmeasured < whole ? whole - unmeasured : 0;
}

// Bounds the CPU time of a task: it may have run on any core during the unmeasured time, and its measured time includes
// interrupts.
static void bound_running(const tk_report *report, struct bounds *out, uint8_t kind) {
    const struct tk_report_table *cores = tk_report_table(report, "cores", 5);
    uint32_t column = cores ? column_of(&cores->info, "unmeasured") : UINT32_MAX;
    uint64_t unmeasured = 0, interrupt = 0, whole = 0;
    if (column == UINT32_MAX) return;
    for (uint32_t row = 0; row < tk_report_rows(cores); row++) {
        unmeasured = add(unmeasured, number_of(cores, row, "unmeasured"));
        interrupt = add(interrupt, number_of(cores, row, "interrupt"));
        whole = add(whole, duration_of(report));
    }
    set_coverage(out, unmeasured, whole);
    may_be_more(report, out, kind, &cores->info.columns[column], unmeasured, add(unmeasured, interrupt));
}

static void bound_row(const tk_report *report, const struct tk_report_table *table, uint32_t row, uint8_t kind,
                      struct bounds *out) {
    uint32_t column = column_of(&table->info, "unmeasured");
    const struct tk_column *info = &table->info.columns[column];
    uint64_t time = number_of(table, row, "unmeasured");
    set_coverage(out, time, info->kind == TK_COLUMN_SHARE ? 1000000 : duration_of(report));
    may_be_more(report, out, kind, info, time, time);
}

// Returns floor(value * part / whole) or less. part <= whole.
static uint64_t scaled_down(uint64_t value, uint64_t part, uint64_t whole) {
    if (!whole) return 0;
    uint64_t rest = value % whole;
    return value / whole * part + (part && rest > UINT64_MAX / part ? 0 : rest * part / whole);
}

// Returns the percentage of a percentile, 95 for "response_p95"; 0 for other keys.
static unsigned percentile(const char *key) {
    const char *at = strrchr(key, '_');
    at = at ? at + 1 : key;
    bool is_one = at[0] == 'p' && at[1] >= '0' && at[1] <= '9' && at[2] >= '0' && at[2] <= '9' && !at[3];
    return is_one ? (unsigned)(at[1] - '0') * 10 + (unsigned)(at[2] - '0') : 0;
}

// Returns the cell of the same group with another word: that of "response_max" for "response_p95".
static const struct tk_cell *beside(const struct tk_report_table *table, uint32_t row, const char *key,
                                    const char *word) {
    const char *end = strrchr(key, '_');
    size_t len = end ? (size_t)(end - key) + 1 : 0, more = strlen(word);
    for (uint32_t i = 0; i < table->info.column_count; i++) {
        const char *other = table->info.columns[i].key;
        if (strlen(other) == len + more && !memcmp(other, key, len) && !strcmp(other + len, word))
            return tk_report_cell(table, row, i);
    }
    return NULL;
}

// Bounds a percentile. With n measured and u unmeasured occurrences it lies between the ranks k - u and k, where k =
// ceil(p (n + u)).
static void bound_percentile(const struct tk_report_table *table, uint32_t row, const char *key, unsigned percent,
                             struct bounds *out) {
    const struct tk_cell *smallest = beside(table, row, key, "min"), *largest = beside(table, row, key, "max");
    uint64_t whole = out->whole, rank = whole / 100 * percent + (whole % 100 * percent + 99) / 100;
    out->least.u = number_in(smallest) < out->least.u ? number_in(smallest) : 0;
    out->has_no_most = rank > out->measured || !largest || largest->type != TK_CELL_UINT;
    if (!out->has_no_most) out->most = *largest;
}

// Bounds the durations of occurrences of which some were not measured: those may have had any length.
static void bound_lengths(const struct tk_report_table *table, uint32_t row, uint32_t column, uint32_t unmeasured,
                          struct bounds *out) {
    const struct tk_column *info = &table->info.columns[column];
    const struct tk_cell *missing = tk_report_cell(table, row, unmeasured);
    uint32_t counts = count_column(&table->info, unmeasured);
    uint64_t whole = counts == UINT32_MAX ? 0 : number_in(tk_report_cell(table, row, counts));
    if (missing->type == TK_CELL_UINT) set_coverage(out, missing->u, whole);
    if (out->least.type != TK_CELL_UINT || (missing->type == TK_CELL_UINT && !missing->u)) return;
    out->column = &table->info.columns[unmeasured];
    out->unmeasured = *missing;
    out->by_count = true;
    unsigned percent = percentile(info->key);
    if (info->fold == TK_FOLD_MIN) {
        out->least.u = 0;
    } else if (percent) {
        bound_percentile(table, row, info->key, percent, out);
    } else {
        bool is_sum_or_maximum = info->fold == TK_FOLD_SUM || info->fold == TK_FOLD_MAX;
        if (!is_sum_or_maximum) out->least.u = scaled_down(out->least.u, out->measured, out->whole);
        out->has_no_most = true;
    }
}

static void bound(const tk_report *report, const struct tk_report_table *table, uint32_t row, uint32_t column,
                  struct bounds *out) {
    uint32_t unmeasured = unmeasured_column(&table->info, column);
    uint8_t kind = table->info.columns[column].kind;
    *out = (struct bounds){ .least = *tk_report_cell(table, row, column) };
    out->most = out->least;
    if (unmeasured != UINT32_MAX) {
        bound_lengths(table, row, column, unmeasured, out);
        return;
    }
    switch (time_part(&table->info, column)) {
    case OF_ROW: bound_row(report, table, row, kind, out); break;
    case OF_CORES: bound_running(report, out, kind); break;
    case NO_PART: break;
    }
}

// Returns true if the measured share reaches the option "coverage", so that the measured values decide.
static bool covers(const struct bounds *bounds, uint64_t coverage) {
    enum { ALL = 1000000 };
    uint64_t whole = bounds->whole;
    if (!coverage || !whole) return false;
    return bounds->measured >= whole / ALL * coverage + (whole % ALL * coverage + ALL - 1) / ALL;
}

// ---- Texts ----

static void put_span(struct tk_text *words, struct span span) {
    tk_cell_text_name(words, span.text, span.len, QUOTED_NAME);
}

static void begin_answer(struct tk_text *words, const struct rule *rule) {
    tk_cell_text_name(words, rule->whole.text, rule->whole.len, QUOTED);
    tk_text_add(words, ": ");
}

static tk_expectation wrong(struct tk_text *words, const struct rule *rule, const char *why) {
    begin_answer(words, rule);
    tk_text_add(words, why);
    return TK_EXPECT_INVALID;
}

// Returns the edit distance of two texts. Only the first DISTANCE_LEN bytes count.
static unsigned distance(struct span a, const char *b) {
    enum { DISTANCE_LEN = 40 };
    unsigned row[DISTANCE_LEN + 1];
    size_t a_len = a.len < DISTANCE_LEN ? a.len : DISTANCE_LEN, b_len = strlen(b);
    if (b_len > DISTANCE_LEN) b_len = DISTANCE_LEN;
    for (size_t j = 0; j <= b_len; j++) row[j] = (unsigned)j;
    for (size_t i = 0; i < a_len; i++) {
        unsigned diagonal = row[0];
        row[0]++;
        for (size_t j = 0; j < b_len; j++) {
            unsigned change = diagonal + (a.text[i] != b[j]), other = (row[j] < row[j + 1] ? row[j] : row[j + 1]) + 1;
            diagonal = row[j + 1];
            row[j + 1] = change < other ? change : other;
        }
    }
    return row[b_len];
}

struct nearest {
    const char *names[SUGGESTIONS];
    unsigned distances[SUGGESTIONS], count;
};

static void suggest(struct nearest *nearest, struct span wanted, const char *name) {
    unsigned far = distance(wanted, name), at = nearest->count;
    for (unsigned i = 0; i < nearest->count; i++)
        if (!strcmp(nearest->names[i], name)) return;
    if (at == SUGGESTIONS && nearest->distances[--at] <= far) return;
    for (; at && nearest->distances[at - 1] > far; at--) {
        nearest->names[at] = nearest->names[at - 1];
        nearest->distances[at] = nearest->distances[at - 1];
    }
    nearest->names[at] = name;
    nearest->distances[at] = far;
    if (nearest->count < SUGGESTIONS) nearest->count++;
}

static void put_nearest(struct tk_text *words, const struct nearest *nearest) {
    for (unsigned i = 0; i < nearest->count; i++) {
        tk_text_add(words, i ? ", " : " ");
        tk_text_add(words, nearest->names[i]);
    }
}

static tk_expectation no_table(const tk_report *report, tk_known_table_fn *known, const struct rule *rule,
                               struct tk_text *words) {
    struct nearest nearest = { .count = 0 };
    const struct tk_table *table;
    for (uint32_t i = 0; report && i < report->count; i++) suggest(&nearest, rule->table, report->tables[i].info.id);
    for (size_t i = 0; (table = known(i)); i++) suggest(&nearest, rule->table, table->id);
    wrong(words, rule, "there is no table \"");
    put_span(words, rule->table);
    tk_text_add(words, "\"; the most similar ones are");
    put_nearest(words, &nearest);
    return TK_EXPECT_INVALID;
}

static tk_expectation no_column(const struct tk_table *table, const struct rule *rule, struct tk_text *words) {
    wrong(words, rule, "the table \"");
    tk_text_add(words, table->id);
    tk_text_add(words, "\" has no column \"");
    put_span(words, rule->column);
    tk_text_add(words, "\"; it has");
    for (uint32_t i = 0; i < table->column_count; i++)
        tk_text_add(words, i ? ", " : " "), tk_text_add(words, table->columns[i].key);
    return TK_EXPECT_INVALID;
}

static tk_expectation no_row(const struct tk_report_table *table, const struct rule *rule, struct tk_text *words) {
    unsigned count = 0;
    begin_answer(words, rule);
    tk_text_add(words, "not measured: no row of \"");
    tk_text_add(words, table->info.id);
    tk_text_add(words, tk_report_rows(table) ? "\" matches; there are" : "\" matches; it is empty");
    for (uint32_t row = 0; row < tk_report_rows(table) && count <= SUGGESTIONS; row++, count++) {
        tk_text_add(words, !count ? " " : count < SUGGESTIONS ? ", " : " ...");
        if (count < SUGGESTIONS) put_row_name(table, row, words);
    }
    return TK_EXPECT_UNMEASURED;
}

static tk_expectation bad_value(const struct tk_column *column, const char *time_unit, const struct rule *rule,
                                struct tk_text *words) {
    wrong(words, rule,
          column->kind == TK_COLUMN_FLAG ? "this figure can only be compared with == true or == false"
          : is_text(column)              ? "this figure is not a number; it can only be compared with =="
                                         : "not a value of this figure; it takes a number");
    bool first = true;
    for (const struct unit *unit = units_of(column->kind, time_unit); !is_text(column) && unit->name; unit++) {
        if (!*unit->name) continue;
        tk_text_add(words, first ? " with a unit: " : ", ");
        tk_text_add(words, unit->name);
        first = false;
    }
    return TK_EXPECT_INVALID;
}

static void put_value(struct tk_text *words, const tk_report *report, const struct tk_column *column,
                      const struct tk_cell *cell) {
    char room[TK_CELL_TEXT_ROOM];
    struct tk_text value = tk_text_in(room, sizeof room);
    tk_cell_text_cell(&value, report->times.unit, column, cell);
    tk_text_put(words, value.text, value.len);
}

// ---- Rules without a report ----

static bool is_value(const struct rule *rule, const struct tk_column *column, const char *time_unit) {
    bool negative, more;
    uint64_t number;
    if (column->kind == TK_COLUMN_FLAG)
        return rule->comparison == EQUAL && (is_word(rule->value, "true") || is_word(rule->value, "false"));
    if (is_text(column)) return rule->comparison == EQUAL;
    return read_value(rule->value, units_of(column->kind, time_unit), column->unit, &negative, &number, &more);
}

// Returns true if the value is valid for the column. Without a report every unit of time is valid.
static bool may_be_value(const tk_report *report, const struct rule *rule, const struct tk_column *column) {
    if (report) return is_value(rule, column, report->times.unit);
    return is_value(rule, column, "ns") || is_value(rule, column, "fs") || is_value(rule, column, "ticks") ||
           is_value(rule, column, "records");
}

static tk_expectation check(const tk_report *report, tk_known_table_fn *known, const struct rule *rule,
                            struct figure *out_figure, struct tk_text *words) {
    *out_figure = find_figure(report, known, rule);
    const struct tk_table *table = out_figure->info;
    const struct tk_column *column = out_figure->about;
    if (!table) return no_table(report, known, rule, words);
    if (!column) return no_column(table, rule, words);
    bool is_single = table->shape == TK_TABLE_FIGURES;
    if (is_single && rule->has_row) return wrong(words, rule, "this table has no rows; leave out the brackets");
    if (!is_single && !rule->has_row) return wrong(words, rule, "name a row or a pattern, as in table[row].column");
    if (is_single && rule->rows) return wrong(words, rule, "this table has no rows; leave out the option rows");
    uint32_t at = (uint32_t)(column - table->columns);
    bool has_counts = unmeasured_column(table, at) != UINT32_MAX;
    if (rule->count && !has_counts)
        return wrong(words, rule, "the option count needs a duration figure, such as a longest or a mean one");
    if (rule->coverage && !has_counts && time_part(table, at) == NO_PART)
        return wrong(words, rule, "the option coverage needs a figure of durations or of CPU time");
    if (!may_be_value(report, rule, column)) return bad_value(column, report ? report->times.unit : "ns", rule, words);
    return TK_EXPECT_PASS;
}

// ---- Checking ----

// Result of the rule for one row.
struct finding {
    tk_expectation verdict;
    uint32_t row;
    struct bounds bounds;
    bool has_no_value, has_too_few;
};

static bool text_holds(const struct tk_cell *cell, const struct tk_column *column, struct span value) {
    if (column->kind == TK_COLUMN_FLAG) return is_word(value, cell->u ? "true" : "false");
    return cell->type == TK_CELL_TEXT && cell->len == value.len && !memcmp(cell->text, value.text, value.len);
}

// Compares the bounds with the rule; returns UNMEASURED if they give different results.
static tk_expectation compare(const struct rule *rule, const struct bounds *bounds, const struct unit *units,
                              const char *own_unit) {
    bool negative = false, more = false;
    uint64_t number = 0;
    read_value(rule->value, units, own_unit, &negative, &number, &more);
    int least = compare_number(&bounds->least, rule->value, negative, number, more),
        most = bounds->has_no_most ? 1 : compare_number(&bounds->most, rule->value, negative, number, more);
    bool holds_least = holds(rule->comparison, least), holds_most = holds(rule->comparison, most);
    if (holds_least != holds_most) return TK_EXPECT_UNMEASURED;
    if (rule->comparison == EQUAL && least != most) return TK_EXPECT_UNMEASURED;
    return holds_least ? TK_EXPECT_PASS : TK_EXPECT_FAIL;
}

static struct finding evaluate_row(const tk_report *report, const struct figure *figure, uint32_t row,
                                   const struct rule *rule) {
    const struct tk_cell *cell = tk_report_cell(figure->table, row, figure->column);
    struct finding finding = { .verdict = TK_EXPECT_UNMEASURED, .row = row };
    bound(report, figure->table, row, figure->column, &finding.bounds);
    if (cell->type == TK_CELL_NONE || (!is_text(figure->about) && cell->type == TK_CELL_TEXT)) {
        finding.has_no_value = true;
        return finding;
    }
    if (is_text(figure->about)) {
        finding.verdict = text_holds(cell, figure->about, rule->value) ? TK_EXPECT_PASS : TK_EXPECT_FAIL;
        return finding;
    }
    if (covers(&finding.bounds, rule->coverage)) {
        finding.bounds.least = finding.bounds.most = *cell;
        finding.bounds.has_no_most = false;
        finding.bounds.column = NULL;
    }
    finding.verdict =
        compare(rule, &finding.bounds, units_of(figure->about->kind, report->times.unit), figure->about->unit);
    finding.has_too_few = rule->count && finding.bounds.measured < rule->count;
    if (finding.verdict == TK_EXPECT_PASS && finding.has_too_few) finding.verdict = TK_EXPECT_UNMEASURED;
    return finding;
}

static double as_double(const struct tk_cell *cell) {
    return cell->type == TK_CELL_DOUBLE ? cell->d : cell->type == TK_CELL_INT ? (double)cell->i : (double)cell->u;
}

// Orders results: a failed row is worse than an unmeasured one; of two failed rows the one with the larger deviation is
// worse.
static bool is_worse(const struct rule *rule, const struct finding *a, const struct finding *b) {
    static const uint8_t ranks[] = { [TK_EXPECT_PASS] = 0, [TK_EXPECT_UNMEASURED] = 1, [TK_EXPECT_FAIL] = 2 };
    if (a->verdict != b->verdict) return ranks[a->verdict] > ranks[b->verdict];
    if (a->verdict != TK_EXPECT_FAIL || rule->comparison == EQUAL) return false;
    bool wants_less = rule->comparison == LESS || rule->comparison == AT_MOST;
    const struct tk_cell *first = wants_less ? &a->bounds.least : &a->bounds.most,
                         *second = wants_less ? &b->bounds.least : &b->bounds.most;
    if (first->type == TK_CELL_UINT && second->type == TK_CELL_UINT)
        return wants_less ? first->u > second->u : first->u < second->u;
    return wants_less ? as_double(first) > as_double(second) : as_double(first) < as_double(second);
}

static void put_moment(struct tk_text *words, const tk_report *report, const struct figure *figure, uint32_t row) {
    const struct tk_table *table = figure->info;
    for (uint32_t i = figure->column + 1; i < table->column_count; i++) {
        uint8_t role = table->columns[i].role;
        if (role == TK_ROLE_VALUE || role == TK_ROLE_KEY) return;
        const struct tk_cell *cell = tk_report_cell(figure->table, row, i);
        if (role != TK_ROLE_AT || cell->type == TK_CELL_NONE) continue;
        tk_text_add(words, " at ");
        put_value(words, report, &table->columns[i], cell);
        return;
    }
}

// Writes the name and keys of the row if the rule may apply to several rows.
static void put_row(struct tk_text *words, const tk_report *report, const struct figure *figure, uint32_t row,
                    bool is_one_of_many) {
    if (!is_one_of_many) return;
    bool has_key = false;
    put_row_name(figure->table, row, words);
    for (uint32_t i = 1; i < figure->info->column_count; i++) {
        const struct tk_column *column = &figure->info->columns[i];
        if (column->role != TK_ROLE_KEY) continue;
        tk_text_add(words, has_key ? ", " : " (");
        tk_text_add(words, column->key);
        tk_text_add(words, " ");
        put_value(words, report, column, tk_report_cell(figure->table, row, i));
        has_key = true;
    }
    tk_text_add(words, has_key ? "): " : ": ");
}

static void put_bound(struct tk_text *words, const struct rule *rule) {
    for (size_t i = 0; i < COMPARISONS; i++)
        if (comparisons[i].comparison == rule->comparison) tk_text_add(words, comparisons[i].text);
    tk_text_add(words, " ");
    put_span(words, rule->value);
}

static void put_failure(struct tk_text *words, const tk_report *report, const struct figure *figure,
                        const struct rule *rule, const struct finding *finding) {
    const struct bounds *bounds = &finding->bounds;
    bool wants_more = rule->comparison == MORE || rule->comparison == AT_LEAST;
    bool is_at_most = bounds->column && !bounds->has_no_most && wants_more;
    if (rule->comparison == EQUAL && bounds->column && !bounds->has_no_most) {
        struct bounds most = *bounds;
        most.least = bounds->most;
        is_at_most = compare(&(struct rule){ .comparison = LESS, .value = rule->value }, &most,
                             units_of(figure->about->kind, report->times.unit), figure->about->unit) == TK_EXPECT_PASS;
    }
    tk_text_add(words, !bounds->column ? "it is " : is_at_most ? "it is at most " : "it is at least ");
    put_value(words, report, figure->about, is_at_most ? &bounds->most : &bounds->least);
    put_moment(words, report, figure, finding->row);
    tk_text_add(words, ", not ");
    put_bound(words, rule);
}

static void put_unknown(struct tk_text *words, const tk_report *report, const struct figure *figure,
                        const struct finding *finding) {
    const struct bounds *bounds = &finding->bounds;
    tk_text_add(words, bounds->has_no_most ? "unknown, at least " : "unknown, between ");
    put_value(words, report, figure->about, &bounds->least);
    if (!bounds->has_no_most) {
        tk_text_add(words, " and ");
        put_value(words, report, figure->about, &bounds->most);
    }
    tk_text_add(words, ": ");
    if (bounds->unmeasured.type == TK_CELL_UINT) put_value(words, report, bounds->column, &bounds->unmeasured);
    else tk_text_add(words, "an unknown number");
    if (!bounds->by_count) {
        tk_text_add(words, " of the time was not measured");
        return;
    }
    if (bounds->whole) tk_text_add(words, " of "), tk_text_u64(words, bounds->whole);
    tk_text_add(words, " occurrences were not measured");
}

static void put_finding(struct tk_text *words, const tk_report *report, const struct figure *figure,
                        const struct rule *rule, const struct finding *finding) {
    if (finding->verdict == TK_EXPECT_FAIL) {
        put_failure(words, report, figure, rule, finding);
    } else if (finding->has_no_value) {
        tk_text_add(words, "it was not measured");
    } else if (finding->has_too_few) {
        tk_text_add(words, "unknown, only ");
        tk_text_u64(words, finding->bounds.measured);
        tk_text_add(words, " were measured, count >= ");
        tk_text_u64(words, rule->count);
        tk_text_add(words, " is required");
    } else {
        put_unknown(words, report, figure, finding);
    }
}

static tk_expectation unmeasured(const struct rule *rule, struct tk_text *words, const char *why) {
    begin_answer(words, rule);
    tk_text_add(words, "not measured: ");
    tk_text_add(words, why);
    return TK_EXPECT_UNMEASURED;
}

static tk_expectation wrong_number_of_rows(const struct rule *rule, struct tk_text *words, uint64_t count) {
    begin_answer(words, rule);
    tk_text_u64(words, count);
    tk_text_add(words, count == 1 ? " row matches, not " : " rows match, not ");
    tk_text_add(words, rule->rows_exactly ? "== " : ">= ");
    tk_text_u64(words, rule->rows);
    return TK_EXPECT_FAIL;
}

static tk_expectation judge_rows(const tk_report *report, const struct figure *figure, const struct rule *rule,
                                 struct tk_text *words) {
    const struct tk_report_table *table = figure->table;
    bool is_single = table->info.shape == TK_TABLE_FIGURES;
    uint64_t count = 0, equal = 0;
    struct finding worst = { .verdict = TK_EXPECT_PASS };
    for (uint32_t row = 0; row < tk_report_rows(table); row++) {
        if (!is_single && !is_row(table, row, rule->row)) continue;
        struct finding finding = evaluate_row(report, figure, row, rule);
        bool is_as_bad = count && finding.verdict == worst.verdict;
        bool is_worst = !count || is_worse(rule, &finding, &worst);
        if (is_worst) worst = finding;
        equal = is_as_bad ? equal + 1 : is_worst ? 1 : equal;
        count++;
    }
    if (!count && rule->missing_ok) {
        begin_answer(words, rule);
        tk_text_add(words, "nothing to judge, no row matches");
        return TK_EXPECT_PASS;
    }
    if (!count) return no_row(table, rule, words);
    if (worst.verdict != TK_EXPECT_FAIL && rule->rows &&
        (rule->rows_exactly ? count != rule->rows : count < rule->rows))
        return wrong_number_of_rows(rule, words, count);
    if (worst.verdict == TK_EXPECT_PASS) return TK_EXPECT_PASS;
    begin_answer(words, rule);
    put_row(words, report, figure, worst.row, !is_single && (count > 1 || has_star(rule->row)));
    put_finding(words, report, figure, rule, &worst);
    if (count > 1) {
        tk_text_add(words, " (");
        tk_text_u64(words, equal);
        tk_text_add(words, " of ");
        tk_text_u64(words, count);
        tk_text_add(words, worst.verdict == TK_EXPECT_FAIL ? " rows fail)" : " rows)");
    }
    return worst.verdict;
}

// Returns true for a recording or time range without events that have a time: it has no figures.
static bool has_no_time(const tk_report *report) {
    const struct tk_cell *duration = tk_report_find(report, "time", 0, "duration"),
                         *timed = tk_report_find(report, "events", 0, "timed");
    return (duration && duration->type == TK_CELL_NONE) || (timed && timed->type == TK_CELL_UINT && !timed->u);
}

// Returns true if the figure depends on an assumed clock rate or an assumed distance of records.
static bool is_assumed(const tk_report *report, const struct figure *figure) {
    uint8_t certainty = report->times.certainty, kind = figure->about->kind;
    bool is_time = kind == TK_COLUMN_DURATION || kind == TK_COLUMN_TIME, has_length = false;
    if (certainty == TK_TIME_RATE_ASSUMED) return is_time;
    if (certainty != TK_TIME_SPACING_ASSUMED && certainty != TK_TIME_TURNS_UNKNOWN) return false;
    for (uint32_t i = 0; i < figure->info->column_count; i++)
        has_length |= figure->info->columns[i].kind == TK_COLUMN_DURATION;
    bool is_part =
        kind == TK_COLUMN_SHARE &&
        (has_length || time_part(figure->info, (uint32_t)(figure->about - figure->info->columns)) != NO_PART);
    return is_time || is_part;
}

tk_expectation tk_expect_evaluate(const tk_report *report, tk_known_table_fn *known, const char *expression,
                                  char out_text[TK_EXPECT_TEXT]) {
    struct rule rule;
    struct figure figure;
    struct tk_text words = tk_text_in(out_text, TK_EXPECT_TEXT);
    const char *mistake = read_rule(expression, &rule);
    if (mistake) return wrong(&words, &rule, mistake);
    tk_expectation result = check(report, known, &rule, &figure, &words);
    if (result != TK_EXPECT_PASS || !report) return result;
    if (has_no_time(report)) return unmeasured(&rule, &words, "there is no event with a time");
    if (!figure.table) return unmeasured(&rule, &words, "the report of this recording has no such table");
    if (figure.column == UINT32_MAX) return unmeasured(&rule, &words, "the table of this recording has no such column");
    if (is_assumed(report, &figure))
        return unmeasured(&rule, &words,
                          report->times.certainty == TK_TIME_RATE_ASSUMED
                              ? "the rate of the clock is assumed, so durations are unknown"
                          : report->times.certainty == TK_TIME_TURNS_UNKNOWN
                              ? "the clock may have wrapped several times, so durations are unknown"
                              : "the distance of the records is assumed, so durations are unknown");
    return judge_rows(report, &figure, &rule, &words);
}
