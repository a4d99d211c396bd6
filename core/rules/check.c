// SPDX-License-Identifier: MIT
//
// Files of rules: reads them, judges reports, and collects the verdicts.
#include "check.h"

#include "../base/out.h"
#include "../base/utf8.h"

// Returns a terminated copy; "" when out of memory, which alloc.failed tells.
static const char *kept(struct tk_check *check, const char *text, size_t len) {
    char *copy = len ? tk_alloc_zero(&check->alloc, len + 1) : NULL;
    if (!copy) return "";
    memcpy(copy, text, len);
    return copy;
}

static const char *kept_text(struct tk_check *check, const char *text) { return kept(check, text, strlen(text)); }

const char *tk_check_verdict_text(const struct tk_check_result *result) {
    return result->is_unread ? "not read" : tk_verdict_words[result->verdict];
}

// ---- Results -----------------------------------------------------------------------------------

static struct tk_check_result *add_result(struct tk_check *check, uint32_t rule, uint32_t line, const char *subject,
                                          tk_expectation verdict, const char *text) {
    if (!tk_alloc_grow(&check->alloc, (void **)&check->results, &check->result_capacity, check->result_count + 1,
                       sizeof *check->results))
        return NULL;
    struct tk_check_result *result = &check->results[check->result_count++];
    *result = (struct tk_check_result){ .rule = rule,
                                        .line = line,
                                        .subject = subject,
                                        .input = "",
                                        .verdict = verdict,
                                        .text = kept_text(check, text),
                                        .row = "",
                                        .value = "",
                                        .bound = "" };
    return result;
}

static void add_wrong(struct tk_check *check, uint32_t line, const char *subject, const char *text) {
    check->is_wrong = true;
    add_result(check, TK_CHECK_NO_RULE, line, subject, TK_EXPECT_INVALID, text);
}

// ---- Reading -----------------------------------------------------------------------------------

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

static void read_line(struct tk_check *check, const char *at, const char *end, uint32_t line) {
    while (at < end && is_blank(*at)) at++;
    while (end > at && is_blank(end[-1])) end--;
    if (at == end || *at == '#') return;
    size_t len = (size_t)(end - at);
    if (!tk_utf8_is_clean((const uint8_t *)at, len) || memchr(at, 0, len)) {
        add_wrong(check, line, "a line that is no text", "the line is not UTF-8; save the file as UTF-8");
        return;
    }
    if (!tk_alloc_grow(&check->alloc, (void **)&check->rules, &check->rule_capacity, check->rule_count + 1,
                       sizeof *check->rules))
        return;
    struct tk_check_rule *rule = &check->rules[check->rule_count];
    struct tk_verdict verdict = { .verdict = TK_EXPECT_INVALID };
    const char *mistake = tk_rule_read(at, len, &rule->rule);
    rule->line = line;
    if (!mistake) tk_judge_rule(&(struct tk_judge){ .report = NULL }, &rule->rule, &verdict);
    if (mistake || verdict.verdict != TK_EXPECT_PASS)
        add_wrong(check, line, kept(check, at, len), mistake ? mistake : verdict.text);
    else check->rule_count++;
}

static void read_lines(struct tk_check *check, size_t len) {
    static const char byte_order_mark[] = "\xef\xbb\xbf";
    const char *at = check->text, *end = at + len;
    if (len >= 3 && !memcmp(at, byte_order_mark, 3)) at += 3;
    for (uint32_t line = 1; at < end; line++) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        if (!stop) stop = end;
        read_line(check, at, stop, line);
        at = stop + 1;
    }
    if (!check->rule_count && !check->is_wrong) add_wrong(check, 1, "the file of rules", "the file contains no rule");
}

tk_status tk_check_new(const struct tk_allocator *allocator, const char *name, const char *text, size_t len,
                       tk_check **out_check) {
    struct tk_check *check = allocator->realloc(allocator->ctx, NULL, 0, sizeof *check);
    *out_check = NULL;
    if (!check) return TK_NO_MEMORY;
    memset(check, 0, sizeof *check);
    check->allocator = *allocator;
    check->alloc = (struct tk_alloc){ .realloc = allocator->realloc, .ctx = allocator->ctx };
    check->name = kept_text(check, name);
    check->text = kept(check, text, len);
    if (!check->alloc.failed) read_lines(check, len);
    if (check->alloc.failed) {
        tk_check_free(check);
        return TK_NO_MEMORY;
    }
    *out_check = check;
    return TK_OK;
}

tk_status tk_check_set_baseline(tk_check *check, const char *name, const char *json, size_t len) {
    tk_report_free(check->baseline);
    check->baseline = NULL;
    tk_status status = tk_report_read(json, len, &check->allocator, &check->baseline);
    if (status == TK_OK) return TK_OK;
    if (status == TK_NO_MEMORY) return status;
    char room[TK_EXPECT_TEXT];
    struct tk_text text = tk_text_in(room, sizeof room);
    tk_text_add(&text, name);
    tk_text_add(&text, status == TK_OTHER_SCHEMA
                           ? " is a report of another version of Tonkopf; make it again with this one"
                           : " is not the JSON of one report, as `tonkopf info --json` prints it");
    add_wrong(check, 0, "the baseline", room);
    return check->alloc.failed ? TK_NO_MEMORY : TK_OK;
}

bool tk_check_is_wrong(const tk_check *check) { return check->is_wrong; }

const char *tk_check_text(const tk_check *check) { return check->text; }

// Returns the explanation without the verdict, which every output shows beside it.
static const char *without_verdict(const char *text) {
    static const char prefix[] = "not measured: ";
    return strncmp(text, prefix, sizeof prefix - 1) ? text : text + sizeof prefix - 1;
}

// ---- Judging -----------------------------------------------------------------------------------

static void judge_one(struct tk_check *check, const tk_report *report, uint32_t index, const char *input) {
    const struct tk_check_rule *rule = &check->rules[index];
    struct tk_verdict verdict;
    tk_judge_rule(&(struct tk_judge){ report, check->baseline, &check->alloc }, &rule->rule, &verdict);
    struct tk_check_result *result =
        add_result(check, index, rule->line, kept(check, rule->rule.whole.text, rule->rule.whole.len), verdict.verdict,
                   without_verdict(verdict.text));
    if (!result) return;
    result->input = input;
    result->row = kept_text(check, verdict.row);
    result->value = kept_text(check, verdict.value);
    result->bound = kept_text(check, verdict.bound);
    result->has_at = verdict.has_at;
    result->has_ns = verdict.has_ns;
    result->has_count = verdict.has_count;
    result->at = verdict.at;
    result->at_ns = verdict.at_ns;
    result->count = verdict.count;
}

tk_status tk_check_judge(tk_check *check, const tk_report *report, const char *input) {
    if (check->is_wrong) return TK_MISUSE;
    const char *name = kept_text(check, input);
    check->judged++;
    for (uint32_t i = 0; i < check->rule_count; i++) judge_one(check, report, i, name);
    return check->alloc.failed ? TK_NO_MEMORY : TK_OK;
}

tk_status tk_check_note_unread(tk_check *check, const char *input, const char *text) {
    size_t name_len = strlen(input);
    if (name_len && !strncmp(text, input, name_len) && !strncmp(text + name_len, ": ", 2)) text += name_len + 2;
    struct tk_check_result *result = add_result(check, TK_CHECK_NO_RULE, 0, "the input", TK_EXPECT_UNMEASURED, text);
    if (result) result->is_unread = true, result->input = kept_text(check, input);
    return check->alloc.failed ? TK_NO_MEMORY : TK_OK;
}

int tk_check_exit_code(const tk_check *check) {
    static const tk_exit_code codes[] = { [TK_EXPECT_PASS] = TK_EXIT_FINE,
                                          [TK_EXPECT_FAIL] = TK_EXIT_PROBLEMS,
                                          [TK_EXPECT_UNMEASURED] = TK_EXIT_PROBLEMS,
                                          [TK_EXPECT_INVALID] = TK_EXIT_USAGE };
    tk_exit_code worst = check->judged || check->is_wrong ? TK_EXIT_FINE : TK_EXIT_INPUT;
    if (check->alloc.failed) return TK_EXIT_INPUT;
    for (uint32_t i = 0; i < check->result_count; i++) {
        tk_exit_code code = check->results[i].is_unread ? TK_EXIT_INPUT : codes[check->results[i].verdict];
        if (code > worst) worst = code;
    }
    return worst;
}

// ---- Writing -----------------------------------------------------------------------------------

tk_status tk_check_write(const tk_check *check, tk_check_form form, tk_write_fn write, void *ctx) {
    struct tk_out out;
    bool ok;
    tk_out_init(&out, write, ctx);
    switch (form) {
    case TK_CHECK_JSON: ok = tk_check_write_json(check, write, ctx); break;
    case TK_CHECK_SARIF: ok = tk_check_write_sarif(check, write, ctx); break;
    case TK_CHECK_JUNIT: tk_check_put_junit(&out, check), ok = tk_out_flush(&out); break;
    case TK_CHECK_GITHUB: tk_check_put_github(&out, check), ok = tk_out_flush(&out); break;
    case TK_CHECK_MARKDOWN: tk_check_put_markdown(&out, check), ok = tk_out_flush(&out); break;
    default: tk_check_put_text(&out, check), ok = tk_out_flush(&out);
    }
    return ok ? TK_OK : TK_SINK_REFUSED;
}

void tk_check_free(tk_check *check) {
    if (!check) return;
    const struct tk_allocator allocator = check->allocator;
    tk_report_free(check->baseline);
    tk_alloc_free_all(&check->alloc);
    allocator.realloc(allocator.ctx, check, sizeof *check, 0);
}
