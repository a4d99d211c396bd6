// SPDX-License-Identifier: MIT
//
// Writes verdicts as text, Markdown, JUnit XML and annotations of GitHub.
#include "check.h"

#include "../base/decimal.h"
#include "../base/out.h"
#include "../base/utf8.h"

enum { VERDICTS = TK_EXPECT_INVALID + 1, FEW = 100 };

static void put_words(struct tk_out *out, tk_check_put_fn *put, const char *text) { put(out, text, strlen(text)); }

// Writes "#at=1250000000", by which the page and other tools find the place; nothing without a time.
static void put_link(struct tk_out *out, const struct tk_check_result *result, const char *before) {
    if (!result->has_ns) return;
    tk_out_text(out, before);
    tk_out_text(out, "#at=");
    tk_out_u64(out, result->at_ns);
}

// Writes "n = 35" for few occurrences, of which percentiles say little.
static void put_count(struct tk_out *out, const struct tk_check_result *result) {
    if (!result->has_count || result->count >= FEW) return;
    tk_out_text(out, ", n = ");
    tk_out_u64(out, result->count);
}

void tk_check_put_sentence(struct tk_out *out, tk_check_put_fn *put, const struct tk_check_result *result) {
    bool says_value = !*result->text && *result->value;
    if (*result->input) put_words(out, put, result->input), put_words(out, put, ": ");
    if (!result->is_unread) put_words(out, put, result->subject);
    if (*result->text && !result->is_unread) put_words(out, put, ": ");
    put_words(out, put, result->text);
    if (says_value) {
        put_words(out, put, *result->row ? ": " : ": it is ");
        put_words(out, put, result->row);
        if (*result->row) put_words(out, put, ": it is ");
        put_words(out, put, result->value);
    }
    put_count(out, result);
    put_link(out, result, " ");
}

// ---- Text --------------------------------------------------------------------------------------

// Writes text of a line, with a backslash before each character of `escaped`.
static void put_line(struct tk_out *out, const char *text, size_t len, const char *escaped) {
    bool is_clean = tk_utf8_is_clean((const uint8_t *)text, len);
    for (size_t i = 0; i < len; i++) {
        unsigned char c = (unsigned char)text[i];
        if (c && strchr(escaped, text[i])) tk_out_char(out, '\\');
        tk_out_char(out, c < 0x20 || c == 0x7F || (!is_clean && c >= 0x80) ? '?' : text[i]);
    }
}

void tk_check_put_plain(struct tk_out *out, const char *text, size_t len) { put_line(out, text, len, ""); }

static void put_place(struct tk_out *out, const struct tk_check *check, const struct tk_check_result *result) {
    if (!result->line) return;
    put_words(out, tk_check_put_plain, check->name);
    tk_out_char(out, ':');
    tk_out_u64(out, result->line);
    tk_out_text(out, ": ");
}

static void count_verdicts(const struct tk_check *check, uint64_t out_counts[VERDICTS], uint64_t *out_unread) {
    memset(out_counts, 0, VERDICTS * sizeof *out_counts);
    *out_unread = 0;
    for (uint32_t i = 0; i < check->result_count; i++) {
        if (check->results[i].is_unread) ++*out_unread;
        else out_counts[check->results[i].verdict]++;
    }
}

static void put_number(struct tk_out *out, uint64_t count, const char *word, const char *words) {
    tk_out_u64(out, count);
    tk_out_char(out, ' ');
    tk_out_text(out, count == 1 ? word : words);
}

static void put_summary(struct tk_out *out, const struct tk_check *check) {
    uint64_t counts[VERDICTS], unread;
    count_verdicts(check, counts, &unread);
    if (check->is_wrong) {
        put_number(out, counts[TK_EXPECT_INVALID], "mistake", "mistakes");
        tk_out_text(out, "; no recording was checked");
        return;
    }
    put_number(out, check->rule_count, "rule", "rules");
    tk_out_text(out, " on ");
    put_number(out, check->judged, "recording: ", "recordings: ");
    put_number(out, counts[TK_EXPECT_PASS], "holds", "hold");
    tk_out_text(out, ", ");
    put_number(out, counts[TK_EXPECT_FAIL], "fails", "fail");
    tk_out_text(out, ", ");
    put_number(out, counts[TK_EXPECT_UNMEASURED], "not measured", "not measured");
    if (counts[TK_EXPECT_INVALID]) tk_out_text(out, ", "), put_number(out, counts[TK_EXPECT_INVALID], "wrong", "wrong");
    if (unread) tk_out_text(out, ", "), put_number(out, unread, "input not read", "inputs not read");
}

void tk_check_put_text(struct tk_out *out, const struct tk_check *check) {
    enum { WIDTH = 14 };
    for (uint32_t i = 0; i < check->result_count; i++) {
        const struct tk_check_result *result = &check->results[i];
        const char *verdict = tk_check_verdict_text(result);
        tk_out_text(out, verdict);
        for (size_t at = strlen(verdict); at < WIDTH; at++) tk_out_char(out, ' ');
        put_place(out, check, result);
        tk_check_put_sentence(out, tk_check_put_plain, result);
        tk_out_char(out, '\n');
    }
    put_summary(out, check);
    tk_out_char(out, '\n');
}

// ---- Markdown ----------------------------------------------------------------------------------

static void put_cell(struct tk_out *out, const char *text) {
    tk_out_text(out, " | ");
    put_line(out, text, strlen(text), "\\`*_{}[]<>#|!~&");
}

static void put_markdown_row(struct tk_out *out, const struct tk_check_result *result) {
    tk_out_text(out, "| ");
    tk_out_text(out, tk_check_verdict_text(result));
    put_cell(out, result->input);
    put_cell(out, result->subject);
    put_cell(out, result->row);
    put_cell(out, result->value);
    put_cell(out, result->bound);
    put_cell(out, result->text);
    put_link(out, result, " ");
    tk_out_text(out, " |\n");
}

// The worst verdicts come first.
void tk_check_put_markdown(struct tk_out *out, const struct tk_check *check) {
    static const tk_expectation order[] = { TK_EXPECT_INVALID, TK_EXPECT_FAIL, TK_EXPECT_UNMEASURED, TK_EXPECT_PASS };
    tk_out_text(out, "### Rules: ");
    put_summary(out, check);
    tk_out_text(out, "\n\n| Verdict | Recording | Rule | Row | Value | Bound | Explanation |\n"
                     "|---|---|---|---|---|---|---|\n");
    for (size_t rank = 0; rank < sizeof order / sizeof *order; rank++)
        for (uint32_t i = 0; i < check->result_count; i++)
            if (check->results[i].verdict == order[rank]) put_markdown_row(out, &check->results[i]);
}

// ---- JUnit -------------------------------------------------------------------------------------

// Writes text of an element or attribute. XML 1.0 has no control characters, U+FFFE and U+FFFF.
static void put_xml(struct tk_out *out, const char *text, size_t len) {
    bool is_clean = tk_utf8_is_clean((const uint8_t *)text, len);
    for (size_t i = 0; i < len; i++) {
        unsigned char c = (unsigned char)text[i];
        bool is_noncharacter =
            i + 2 < len && c == 0xEF && (unsigned char)text[i + 1] == 0xBF && (unsigned char)text[i + 2] >= 0xBE;
        if (is_noncharacter) i += 2;
        if (is_noncharacter || c < 0x20 || c == 0x7F || (!is_clean && c >= 0x80)) tk_out_char(out, '?');
        else if (c == '&') tk_out_text(out, "&amp;");
        else if (c == '<') tk_out_text(out, "&lt;");
        else if (c == '>') tk_out_text(out, "&gt;");
        else if (c == '"') tk_out_text(out, "&quot;");
        else tk_out_char(out, text[i]);
    }
}

static void put_attribute(struct tk_out *out, const char *name, const char *value) {
    tk_out_char(out, ' ');
    tk_out_text(out, name);
    tk_out_text(out, "=\"");
    put_words(out, put_xml, value);
    tk_out_char(out, '"');
}

static void put_number_attribute(struct tk_out *out, const char *name, uint64_t value) {
    char digits[TK_DECIMAL_LEN];
    tk_decimal(value, digits);
    put_attribute(out, name, digits);
}

// A result that is not measured is an error: most systems show a skipped test as passed.
static void put_testcase(struct tk_out *out, const struct tk_check *check, const struct tk_check_result *result) {
    bool is_failure = result->verdict == TK_EXPECT_FAIL;
    tk_out_text(out, "    <testcase");
    put_attribute(out, "classname", *result->input ? result->input : check->name);
    put_attribute(out, "name", result->subject);
    put_attribute(out, "file", check->name);
    if (result->line) put_number_attribute(out, "line", result->line);
    put_attribute(out, "time", "0");
    if (result->verdict == TK_EXPECT_PASS) {
        tk_out_text(out, "><system-out>");
        tk_check_put_sentence(out, put_xml, result);
        tk_out_text(out, "</system-out></testcase>\n");
        return;
    }
    tk_out_text(out, is_failure ? "><failure" : "><error");
    put_attribute(out, "type", tk_check_verdict_text(result));
    put_attribute(out, "message", result->text);
    tk_out_char(out, '>');
    tk_check_put_sentence(out, put_xml, result);
    tk_out_text(out, is_failure ? "</failure></testcase>\n" : "</error></testcase>\n");
}

void tk_check_put_junit(struct tk_out *out, const struct tk_check *check) {
    uint64_t counts[VERDICTS], unread;
    count_verdicts(check, counts, &unread);
    uint64_t errors = counts[TK_EXPECT_UNMEASURED] + counts[TK_EXPECT_INVALID] + unread;
    tk_out_text(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n  <testsuite");
    put_attribute(out, "name", check->name);
    put_number_attribute(out, "tests", check->result_count);
    put_number_attribute(out, "failures", counts[TK_EXPECT_FAIL]);
    put_number_attribute(out, "errors", errors);
    put_attribute(out, "skipped", "0");
    tk_out_text(out, ">\n");
    for (uint32_t i = 0; i < check->result_count; i++) put_testcase(out, check, &check->results[i]);
    tk_out_text(out, "  </testsuite>\n</testsuites>\n");
}

// ---- GitHub ------------------------------------------------------------------------------------

static void put_escaped(struct tk_out *out, const char *text, size_t len, const char *special) {
    bool is_clean = tk_utf8_is_clean((const uint8_t *)text, len);
    for (size_t i = 0; i < len; i++) {
        unsigned char c = (unsigned char)text[i];
        if (c < 0x20 || c == 0x7F || (!is_clean && c >= 0x80)) tk_out_char(out, '?');
        else if (strchr(special, text[i])) tk_out_text(out, c == '%' ? "%25" : c == ':' ? "%3A" : "%2C");
        else tk_out_char(out, text[i]);
    }
}

static void put_message(struct tk_out *out, const char *text, size_t len) { put_escaped(out, text, len, "%"); }
static void put_property(struct tk_out *out, const char *text, size_t len) { put_escaped(out, text, len, "%:,"); }

void tk_check_put_github(struct tk_out *out, const struct tk_check *check) {
    for (uint32_t i = 0; i < check->result_count; i++) {
        const struct tk_check_result *result = &check->results[i];
        if (result->verdict == TK_EXPECT_PASS) continue;
        tk_out_text(out, "::error file=");
        put_words(out, put_property, check->name);
        tk_out_text(out, ",line=");
        tk_out_u64(out, result->line ? result->line : 1);
        tk_out_text(out, "::");
        tk_out_text(out, tk_check_verdict_text(result));
        tk_out_text(out, ": ");
        tk_check_put_sentence(out, put_message, result);
        tk_out_char(out, '\n');
    }
}
