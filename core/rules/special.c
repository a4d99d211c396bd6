// SPDX-License-Identifier: MIT
//
// Judges the rules "findings" and "recording".
#include "judge.h"

#include "../report/cell_text.h"
#include "../report/schema.h"

static const struct tk_report_table *table_of(const tk_report *report, const char *id) {
    return report ? tk_report_table(report, id, strlen(id)) : NULL;
}

static const char *text_of(const struct tk_report_table *table, uint32_t row, const char *key, uint32_t *out_len) {
    uint32_t column = tk_report_column(table, key, strlen(key));
    const struct tk_cell *cell = column == UINT32_MAX ? NULL : tk_report_cell(table, row, column);
    bool is_text = cell && cell->type == TK_CELL_TEXT;
    *out_len = is_text ? cell->len : 0;
    return is_text ? cell->text : "";
}

static bool is_about(const struct tk_report_table *table, uint32_t row, struct tk_span finder) {
    uint32_t len;
    const char *name = text_of(table, row, "rule", &len);
    return !finder.text || (finder.len == len && !memcmp(finder.text, name, len));
}

// ---- Findings ----

static const char *next_finder(void *ctx) {
    struct tk_schema_rule rule;
    return tk_schema_rule((*(unsigned *)ctx)++, &rule) ? rule.id : NULL;
}

static bool is_finder(struct tk_span name) {
    unsigned next = 0;
    for (const char *known; (known = next_finder(&next));)
        if (tk_span_is(name, known)) return true;
    return false;
}

static void set_evidence(const tk_report *report, const struct tk_report_table *table, uint32_t row,
                         struct tk_verdict *out) {
    struct tk_text name = tk_text_in(out->row, sizeof out->row);
    uint32_t len, column = tk_report_column(table, "at", 2);
    const char *who = text_of(table, row, "who", &len);
    tk_cell_text_name(&name, who, len, TK_NAME_WIDTH);
    const struct tk_cell *at = column == UINT32_MAX ? NULL : tk_report_cell(table, row, column);
    if (at && at->type == TK_CELL_UINT) tk_verdict_set_at(report, at->u, out);
}

// Adds the first finding: its rule, and its text.
static void put_finding(const struct tk_report_table *table, uint32_t row, struct tk_text *words) {
    uint32_t len;
    const char *text = text_of(table, row, "rule", &len);
    tk_cell_text_name(words, text, len, TK_NAME_WIDTH);
    tk_text_add(words, ": ");
    text = text_of(table, row, "text", &len);
    tk_cell_text_name(words, text, len, 4 * TK_TEXT_WIDTH);
}

static void put_not_examined(const struct tk_report_table *table, uint32_t row, struct tk_text *words) {
    uint32_t len;
    const char *reason = text_of(table, row, "reason", &len);
    tk_text_add(words, "not measured: the rule was not examined, or only in part: ");
    tk_cell_text_name(words, reason, len, 4 * TK_TEXT_WIDTH);
}

void tk_judge_findings(const tk_report *report, const struct tk_rule *rule, struct tk_verdict *out) {
    struct tk_text words = tk_verdict_text(out);
    const struct tk_report_table *findings = table_of(report, "findings"),
                                 *not_examined = table_of(report, "not_examined");
    if (rule->finder.text && !is_finder(rule->finder)) {
        unsigned index = 0;
        out->verdict = TK_EXPECT_INVALID;
        tk_text_add(&words, "there is no rule \"");
        tk_explain_span(&words, rule->finder);
        tk_text_add(&words, "\" that finds; the most similar ones are");
        tk_explain_nearest(&words, rule->finder, next_finder, &index);
        return;
    }
    if (!report) return;
    if (!findings) {
        out->verdict = TK_EXPECT_UNMEASURED;
        tk_text_add(&words, "not measured: the report of this recording has no findings");
        return;
    }
    uint64_t count = 0, first = UINT32_MAX;
    for (uint32_t row = 0; row < tk_report_rows(findings); row++) {
        if (!is_about(findings, row, rule->finder)) continue;
        if (!count++) first = row;
    }
    struct tk_text value = tk_text_in(out->value, sizeof out->value), bound = tk_text_in(out->bound, sizeof out->bound);
    tk_text_u64(&value, count);
    tk_text_add(&bound, "<= ");
    tk_text_u64(&bound, rule->most);
    if (count > rule->most) {
        out->verdict = TK_EXPECT_FAIL;
        set_evidence(report, findings, (uint32_t)first, out);
        tk_text_count(&words, count, "findings");
        tk_text_add(&words, count == 1 ? ": " : ", the first: ");
        put_finding(findings, (uint32_t)first, &words);
        return;
    }
    for (uint32_t row = 0; rule->finder.text && not_examined && row < tk_report_rows(not_examined); row++) {
        if (!is_about(not_examined, row, rule->finder)) continue;
        out->verdict = TK_EXPECT_UNMEASURED;
        put_not_examined(not_examined, row, &words);
        return;
    }
}

// ---- Recording ----

static bool is_one_of(const char *text, uint32_t len, const char *const *words) {
    for (; *words; words++)
        if (strlen(*words) == len && !memcmp(text, *words, len)) return true;
    return false;
}

// Returns the row of the first problem by which events are missing; UINT32_MAX: none. is_complete: also problems by
// which a part of the recording is missing without damage; else only those whose events are not counted.
static uint32_t find_gap(const struct tk_report_table *problems, bool is_complete) {
    static const char *const severities[] = { "loss", "damage", NULL },
                             *const ids[] = { "CORE_MISSING", "IMAGE_CUT", "TOO_MANY", "SIGNALS_TOO_MANY", NULL },
                             *const counted[] = { "DROPPED", "LOST_ON_LINE", NULL };
    for (uint32_t row = 0; row < tk_report_rows(problems); row++) {
        uint32_t len, id_len;
        const char *severity = text_of(problems, row, "severity", &len), *id = text_of(problems, row, "id", &id_len);
        if (!is_complete && is_one_of(id, id_len, counted)) continue; // in the number of lost events
        if (is_one_of(severity, len, severities) || (is_complete && is_one_of(id, id_len, ids))) return row;
    }
    return UINT32_MAX;
}

static void judge_complete(const struct tk_report_table *problems, uint64_t lost, struct tk_verdict *out,
                           struct tk_text *words) {
    uint32_t row = find_gap(problems, true), len;
    if (!lost && row == UINT32_MAX) return;
    out->verdict = TK_EXPECT_FAIL;
    if (lost) {
        tk_text_count(words, lost, "events");
        tk_text_add(words, " were lost");
    } else {
        const char *title = text_of(problems, row, "title", &len);
        tk_cell_text_name(words, title, len, TK_TEXT_WIDTH);
    }
}

static void judge_lost(const struct tk_report_table *problems, uint64_t lost, const struct tk_rule *rule,
                       struct tk_verdict *out, struct tk_text *words) {
    if (lost > rule->most) {
        out->verdict = TK_EXPECT_FAIL;
        tk_text_count(words, lost, "events");
        tk_text_add(words, lost == 1 ? " was lost, not <= " : " were lost, not <= ");
        tk_text_u64(words, rule->most);
    } else if (find_gap(problems, false) != UINT32_MAX) {
        out->verdict = TK_EXPECT_UNMEASURED;
        tk_text_add(words, "not measured: events were lost or damaged, and their number is unknown");
    }
}

void tk_judge_recording(const tk_report *report, const struct tk_rule *rule, struct tk_verdict *out) {
    if (!report) return;
    struct tk_text words = tk_verdict_text(out), value = tk_text_in(out->value, sizeof out->value);
    const struct tk_report_table *problems = table_of(report, "problems");
    uint64_t lost, on_line;
    if (!problems || !tk_report_number(report, "events", 0, "lost", &lost)) {
        out->verdict = TK_EXPECT_UNMEASURED;
        tk_text_add(&words, "not measured: the number of lost events is unknown");
        return;
    }
    tk_report_number(report, "events", 0, "lost_on_line", &on_line);
    lost = on_line > UINT64_MAX - lost ? UINT64_MAX : lost + on_line;
    tk_text_u64(&value, lost);
    tk_text_add(&value, lost == 1 ? " lost event" : " lost events");
    if (rule->is_complete) judge_complete(problems, lost, out, &words);
    else judge_lost(problems, lost, rule, out, &words);
}
