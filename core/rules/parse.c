// SPDX-License-Identifier: MIT
//
// Parses rules, and matches the names of rows with their patterns.
#include "rule.h"

#include "../base/text.h"
#include "amount.h"

enum { MOST_FACTOR = 1000, PARTS = 1000000 };

static const struct {
    const char *text;
    enum tk_comparison comparison;
} comparisons[] = {
    { "<=", TK_AT_MOST }, { ">=", TK_AT_LEAST }, { "==", TK_EQUAL }, { "<", TK_LESS }, { ">", TK_MORE }
};
enum { COMPARISONS = sizeof comparisons / sizeof *comparisons };

static const char no_rule[] = "not a rule such as cpu.load<80%, tasks[Motor].longest_wait<5ms or deadline Motor 5ms",
                  bad_option[] = "the options after \" ; \" are rows >= N, rows == N, count >= N, coverage >= N% and "
                                 "missing_ok, each at most once, N above 0",
                  bad_escape[] = "in the name of a row, \\ is allowed only before *, \\ and ]",
                  bad_deadline[] = "write a deadline as in: deadline Motor 5ms, or: deadline Motor 5ms from delay",
                  bad_period[] = "write a period as in: period Motor 10ms +- 5%, or: period Motor 10ms +- 200us",
                  bad_findings[] =
                      "write: findings none, findings <= N, or either with the name of one rule that finds",
                  bad_recording[] = "write: recording complete, or: recording lost <= N",
                  needs_rows[] = "the options of this rule are none: it has no rows and no occurrences";

const char *tk_comparison_text(enum tk_comparison comparison) {
    for (size_t i = 0; i < COMPARISONS; i++)
        if (comparisons[i].comparison == comparison) return comparisons[i].text;
    return "";
}

bool tk_comparison_holds(enum tk_comparison comparison, int order) {
    static const bool table[][3] = { [TK_LESS] = { true, false, false },
                                     [TK_AT_MOST] = { true, true, false },
                                     [TK_MORE] = { false, false, true },
                                     [TK_AT_LEAST] = { false, true, true },
                                     [TK_EQUAL] = { false, true, false } };
    return table[comparison][order + 1];
}

// ---- Pieces ----

// Returns the position after the operator between the path and the value; NULL if there is none.
static const char *read_comparison(const char *at, const char *to, enum tk_comparison *out) {
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
    enum tk_comparison unused;
    for (const char *at = from; at + 1 < to; at++) {
        if (*at == '\\') {
            at++;
        } else if (at[0] == ']' && at[1] == '.') {
            size_t len = tk_span_key_len(at + 2, to);
            if (len && read_comparison(at + 2 + len, to, &unused)) end = at;
        }
    }
    return end;
}

static bool has_valid_escapes(struct tk_span pattern) {
    for (size_t i = 0; i < pattern.len; i++) {
        if (pattern.text[i] != '\\') continue;
        if (++i == pattern.len || !strchr("*\\]", pattern.text[i])) return false;
    }
    return true;
}

// Returns false unless `span` is a decimal number from 0 to UINT64_MAX.
static bool read_number(struct tk_span span, uint64_t *out) {
    *out = 0;
    for (size_t i = 0; i < span.len; i++) {
        if (span.text[i] < '0' || span.text[i] > '9') return false;
        uint64_t digit = (uint64_t)(span.text[i] - '0');
        if (*out > (UINT64_MAX - digit) / 10) return false;
        *out = *out * 10 + digit;
    }
    return span.len > 0;
}

static bool read_natural(struct tk_span span, uint64_t *out) { return read_number(span, out) && *out > 0; }

// Returns the text after a word and at least one blank; NULL: the text begins otherwise.
static const char *after_word(const char *at, const char *to, const char *word) {
    size_t len = strlen(word);
    if ((size_t)(to - at) <= len || memcmp(at, word, len) || at[len] != ' ') return NULL;
    for (at += len; at < to && *at == ' ';) at++;
    return at;
}

// Finds a separator in a text; NULL: it is not there.
static const char *find(const char *at, const char *to, const char *separator) {
    size_t len = strlen(separator);
    for (; (size_t)(to - at) >= len; at++)
        if (!memcmp(at, separator, len)) return at;
    return NULL;
}

// ---- Options ----

static bool read_option(struct tk_span option, struct tk_rule *out) {
    static const struct tk_amount_units percent = { TK_COLUMN_SHARE, "ns", NULL };
    const char *to = option.text + option.len;
    if (tk_span_is(option, "missing_ok")) {
        bool is_first = !out->missing_ok;
        return out->missing_ok = true, is_first;
    }
    struct tk_span key = { option.text, tk_span_key_len(option.text, to) };
    enum tk_comparison comparison;
    const char *at = read_comparison(option.text + key.len, to, &comparison);
    if (!at) return false;
    struct tk_span value = tk_span_trimmed(at, to);
    if (tk_span_is(key, "rows") && (comparison == TK_AT_LEAST || comparison == TK_EQUAL) && !out->rows) {
        out->rows_exactly = comparison == TK_EQUAL;
        return read_natural(value, &out->rows);
    }
    if (comparison != TK_AT_LEAST) return false;
    if (tk_span_is(key, "count") && !out->count) return read_natural(value, &out->count);
    struct tk_amount share;
    if (!tk_span_is(key, "coverage") || out->coverage || !value.len || value.text[value.len - 1] != '%' ||
        !tk_amount_read(value, &percent, &share) || share.negative)
        return false;
    out->coverage = share.size + share.has_more;
    return out->coverage > 0 && out->coverage <= PARTS;
}

static bool read_options(const char *at, const char *to, struct tk_rule *out) {
    while (at < to) {
        const char *end = find(at, to, " ; ");
        bool is_last = !end;
        if (is_last) end = to;
        if (!read_option(tk_span_trimmed(at, end), out)) return false;
        at = end + 3;
        if (!is_last && at >= to) return false; // an option must follow the last separator
    }
    return true;
}

// ---- Rules about figures ----

static const char *read_path(const char *at, const char *to, struct tk_rule *out) {
    out->table = (struct tk_span){ at, tk_span_key_len(at, to) };
    at += out->table.len;
    if (at < to && *at == '[') {
        const char *end = row_end(at + 1, to);
        if (!end) return NULL;
        out->has_row = true;
        out->row = (struct tk_span){ at + 1, (size_t)(end - at - 1) };
        at = end + 1;
    }
    if (!out->table.len || at == to || *at != '.') return NULL;
    out->column = (struct tk_span){ at + 1, tk_span_key_len(at + 1, to) };
    return out->column.len ? at + 1 + out->column.len : NULL;
}

// Reads "baseline", with a factor and an offset.
static bool read_baseline(struct tk_span value, struct tk_rule *out) {
    static const char word[] = "baseline";
    enum { LEN = sizeof word - 1 };
    if (value.len < LEN || memcmp(value.text, word, LEN)) return false;
    const char *at = value.text + LEN, *to = value.text + value.len;
    out->factor = PARTS;
    while (at < to && *at == ' ') at++;
    if (at < to && *at == '*') {
        const char *end = ++at;
        while (end < to && *end != '+' && *end != '-') end++;
        if (!tk_amount_read_millionths(tk_span_trimmed(at, end), (uint64_t)MOST_FACTOR * PARTS, &out->factor))
            return false;
        at = end;
    }
    if (at < to) {
        if (*at != '+' && *at != '-') return false;
        out->is_offset_negative = *at == '-';
        out->offset = tk_span_trimmed(at + 1, to);
        if (!out->offset.len || *out->offset.text == '-') return false;
    }
    return out->is_baseline = true;
}

static const char *read_figure(const char *at, const char *to, struct tk_rule *out) {
    at = read_path(at, to, out);
    if (at) at = read_comparison(at, to, &out->comparison);
    if (!at) return no_rule;
    out->value = tk_span_trimmed(at, to);
    if (!out->value.len) return no_rule;
    if (!has_valid_escapes(out->row)) return bad_escape;
    read_baseline(out->value, out);
    return NULL;
}

// ---- Other rules ----

static bool is_unit(char c) { return (c >= 'a' && c <= 'z') || (unsigned char)c >= 0x80; }

// Returns the end of a number with a unit at the start of a text; NULL: there is none.
static const char *value_end(const char *at, const char *to) {
    const char *first = at;
    while (at < to && ((*at >= '0' && *at <= '9') || *at == '.')) at++;
    if (at == first || at == to) return NULL;
    at += *at == ' ';
    const char *unit = at;
    while (at < to && is_unit(*at)) at++;
    return at > unit ? at : NULL;
}

// Splits ROW VALUE [from WAIT]. The name of the row ends before the first value that ends the text or is before
// " from ".
static bool split_jobs(const char *at, const char *to, struct tk_rule *out) {
    static const char from[] = " from ";
    enum { FROM = sizeof from - 1 };
    for (const char *blank = at; blank + 1 < to; blank++) {
        const char *end = *blank == ' ' ? value_end(blank + 1, to) : NULL;
        bool has_wait = end && to - end > FROM && !memcmp(end, from, FROM);
        if (!end || (end != to && !has_wait)) continue;
        out->row = tk_span_trimmed(at, blank);
        out->value = (struct tk_span){ blank + 1, (size_t)(end - blank - 1) };
        if (has_wait) out->wait = tk_span_trimmed(end + FROM, to);
        return out->row.len && (!has_wait || out->wait.len);
    }
    return false;
}

static void use_jobs(struct tk_rule *out, const char *column, enum tk_comparison comparison) {
    const char *table = out->wait.text ? "activations" : "jobs";
    out->has_row = true;
    out->table = (struct tk_span){ table, strlen(table) };
    out->column = (struct tk_span){ column, strlen(column) };
    out->comparison = comparison;
}

static const char *read_deadline(const char *at, const char *to, struct tk_rule *out) {
    if (!split_jobs(at, to, out)) return bad_deadline;
    use_jobs(out, "response_max", TK_AT_MOST);
    return has_valid_escapes(out->row) && (!out->wait.text || has_valid_escapes(out->wait)) ? NULL : bad_escape;
}

static const char *read_period(const char *at, const char *to, struct tk_rule *out) {
    static const char between[] = " +- ";
    const char *sign = find(at, to, between), *end;
    if (!sign || !split_jobs(at, sign, out) || out->wait.text) return bad_period;
    const char *from = sign + sizeof between - 1, *wait = find(from, to, " from ");
    end = wait ? wait : to;
    out->tolerance = tk_span_trimmed(from, end);
    if (wait) out->wait = tk_span_trimmed(wait + strlen(" from "), to);
    if (!out->tolerance.len || (wait && !out->wait.len)) return bad_period;
    use_jobs(out, "period_max", TK_AT_MOST);
    return has_valid_escapes(out->row) && (!wait || has_valid_escapes(out->wait)) ? NULL : bad_escape;
}

// Reads the text after "findings" or "lost": "<= N", up to a blank. Returns the rest; NULL: a mistake.
static const char *read_most(const char *at, const char *to, uint64_t *out) {
    enum tk_comparison comparison;
    at = read_comparison(at, to, &comparison);
    if (!at || comparison != TK_AT_MOST) return NULL;
    while (at < to && *at == ' ') at++;
    const char *end = at;
    while (end < to && *end != ' ') end++;
    return read_number((struct tk_span){ at, (size_t)(end - at) }, out) ? end : NULL;
}

static const char *read_findings(const char *at, const char *to, struct tk_rule *out) {
    const char *none = "none";
    bool is_none = (size_t)(to - at) >= strlen(none) && !memcmp(at, none, strlen(none));
    at = is_none ? at + strlen(none) : read_most(at, to, &out->most);
    if (!at || (at < to && *at != ' ')) return bad_findings;
    struct tk_span finder = tk_span_trimmed(at, to);
    if (finder.len) out->finder = finder;
    return NULL;
}

static const char *read_recording(const char *at, const char *to, struct tk_rule *out) {
    out->is_complete = tk_span_is((struct tk_span){ at, (size_t)(to - at) }, "complete");
    if (out->is_complete) return NULL;
    static const char lost[] = "lost";
    enum { LEN = sizeof lost - 1 };
    bool is_lost = to - at > LEN && !memcmp(at, lost, LEN);
    return is_lost && read_most(at + LEN, to, &out->most) == to ? NULL : bad_recording;
}

// ---- Lines ----

static const char *read_label(const char *at, const char *to, struct tk_rule *out) {
    const char *end = at;
    while (end < to && (tk_span_key_len(end, end + 1) || *end == '-')) end++;
    if (end == at || end == to || *end != ':') return at;
    out->label = (struct tk_span){ at, (size_t)(end - at) };
    for (at = end + 1; at < to && *at == ' ';) at++;
    return at;
}

static const char *read_body(const char *at, const char *to, struct tk_rule *out) {
    static const struct {
        const char *word;
        enum tk_rule_kind kind;
        const char *(*read)(const char *at, const char *to, struct tk_rule *out);
    } kinds[] = { { "deadline", TK_RULE_DEADLINE, read_deadline },
                  { "period", TK_RULE_PERIOD, read_period },
                  { "findings", TK_RULE_FINDINGS, read_findings },
                  { "recording", TK_RULE_RECORDING, read_recording } };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        const char *rest = after_word(at, to, kinds[i].word);
        if (!rest) continue;
        out->kind = (uint8_t)kinds[i].kind;
        return kinds[i].read(rest, to, out);
    }
    return read_figure(at, to, out);
}

static bool has_options(const struct tk_rule *rule) {
    return rule->rows || rule->count || rule->coverage || rule->missing_ok;
}

const char *tk_rule_read(const char *text, size_t len, struct tk_rule *out) {
    struct tk_span whole = tk_span_trimmed(text, text + len);
    *out = (struct tk_rule){ .whole = whole };
    const char *end = whole.text + whole.len, *options = find(whole.text, end, " ; "),
               *body_end = options ? options : end;
    while (body_end > whole.text && body_end[-1] == ' ') body_end--;
    const char *mistake = read_body(read_label(whole.text, body_end, out), body_end, out);
    if (mistake || !options) return mistake;
    if (options + 3 >= end || !read_options(options + 3, end, out)) return bad_option;
    bool takes_none = out->kind == TK_RULE_FINDINGS || out->kind == TK_RULE_RECORDING;
    return takes_none && has_options(out) ? needs_rows : NULL;
}

// ---- Patterns ----

bool tk_pattern_matches(struct tk_span pattern, const char *text, size_t len) {
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

bool tk_pattern_has_star(struct tk_span pattern) {
    for (size_t i = 0; i < pattern.len; i++) {
        if (pattern.text[i] == '*') return true;
        i += pattern.text[i] == '\\';
    }
    return false;
}

bool tk_rule_matches(const struct tk_rule *rule, const char *name, size_t len) {
    static const char between[] = " / ";
    enum { BETWEEN = sizeof between - 1 };
    if (!rule->wait.text) return tk_pattern_matches(rule->row, name, len);
    for (const char *at = name, *end = name + len; (at = find(at, end, between)); at++)
        if (tk_pattern_matches(rule->row, name, (size_t)(at - name)) &&
            tk_pattern_matches(rule->wait, at + BETWEEN, (size_t)(end - at) - BETWEEN))
            return true;
    return false;
}
