// SPDX-License-Identifier: MIT
#include "figures.h"

#include "message.h"
#include "print.h"

#include <stdio.h>
#include <string.h>

static bool on_text(void *ctx, const char *text, size_t len) {
    (void)ctx;
    return print_text(text, len);
}

static tk_report *report_of(const struct engine *engine) {
    tk_report *report;
    if (tk_report_new(engine->handle, tk_libc_allocator(), &report) != TK_OK) message_error("out of memory");
    return report;
}

static int tell_tables(const tk_report *report, const char *wanted) {
    struct bytes list = { 0 };
    bool ok = true;
    for (size_t i = 0; tk_report_table_id(report, i); i++) {
        const char *id = tk_report_table_id(report, i);
        ok = ok && bytes_append(&list, ", ", i ? 2 : 0) && bytes_append(&list, id, strlen(id));
    }
    if (ok && bytes_append(&list, "", 1))
        message_error("--csv: there is no table \"%s\"; there are %s", wanted, (char *)list.data);
    bytes_release(&list);
    return EXIT_USAGE;
}

int figures_print(const tk_report *report, const struct settings *settings) {
    tk_report_form form = settings->csv        ? TK_REPORT_CSV
                          : settings->json     ? TK_REPORT_JSON
                          : settings->markdown ? TK_REPORT_MARKDOWN
                                               : TK_REPORT_TEXT;
    tk_status status = tk_report_write(report, form, settings->csv, on_text, NULL);
    if (status == TK_MISUSE) return tell_tables(report, settings->csv);
    if (form == TK_REPORT_JSON) print_text("\n", 1);
    return EXIT_FINE; // what could not be written is told in the end
}

static void print_csv(const tk_report *report, const struct engine *engine, bool *csv_begun, int *out_result) {
    const char *table = engine->settings->csv;
    tk_status status = tk_report_write_csv(report, table, engine->first->name, !*csv_begun, on_text, NULL);
    *out_result = status == TK_MISUSE ? tell_tables(report, table) : EXIT_FINE;
    if (status != TK_MISUSE) *csv_begun = true;
}

// ---- Verdicts ----

// The explanation begins with the expression, which is the name of the row already.
static const char *without_expression(const char *text, const char *expression) {
    size_t len = strlen(expression);
    return !strncmp(text, expression, len) && !strncmp(text + len, ": ", 2) ? text + len + 2 : text;
}

// judged: the report without verdicts, so that the explanations do not mention that table.
static bool add_expectations(const struct engine *engine, tk_report *report, const tk_report *judged) {
    static const char *const words[] = { "holds", "fails", "not measured", "invalid" };
    const struct text_list *list = &engine->settings->expect;
    char text[TK_EXPECT_TEXT], rule[300];
    for (size_t i = 0; i < list->count; i++) {
        tk_expectation found = tk_report_expect(judged, list->items[i], text);
        snprintf(rule, sizeof rule, "--expect %s", list->items[i]);
        if (tk_report_add_verdict(report, rule, words[found], without_expression(text, list->items[i])) != TK_OK)
            return false;
    }
    return true;
}

static bool add_gates(const struct engine *engine, tk_report *report) {
    const struct text_list *list = &engine->settings->fail_on;
    char text[400], rule[300];
    bool has_times = engine_has_times(engine);
    for (size_t i = 0; i < list->count; i++) {
        const char *name = engine_find_trouble(engine, list->items[i]);
        snprintf(text, sizeof text, "%s", has_times ? "" : "no event has a time");
        if (name) snprintf(text, sizeof text, "%s has %s", name, list->items[i]);
        snprintf(rule, sizeof rule, "--fail-on %s", list->items[i]);
        const char *verdict = name ? "fails" : has_times ? "holds" : "not measured";
        if (tk_report_add_verdict(report, rule, verdict, text) != TK_OK) return false;
    }
    return true;
}

static bool add_verdicts(const struct engine *engine, tk_report *report) {
    tk_report *judged = report_of(engine);
    bool ok = judged && add_expectations(engine, report, judged) && add_gates(engine, report);
    tk_report_free(judged);
    return ok;
}

int figures_print_of(const struct engine *engine, bool *csv_begun) {
    const struct settings *settings = engine->settings;
    tk_report *report = report_of(engine);
    int result = report ? EXIT_FINE : EXIT_INPUT;
    if (report && (settings->expect.count || settings->fail_on.count) && !add_verdicts(engine, report)) {
        message_error("out of memory");
        result = EXIT_INPUT;
    } else if (report && settings->csv) {
        print_csv(report, engine, csv_begun, &result);
    } else if (report) {
        result = figures_print(report, settings);
    }
    tk_report_free(report);
    return result;
}

int figures_print_schema(void) {
    if (tk_schema_json(on_text, NULL) == TK_OK) print_text("\n", 1);
    return EXIT_FINE; // print_close reports what could not be written
}

static int judge(const struct engine *engine, const tk_report *report, const char *expression) {
    char text[TK_EXPECT_TEXT];
    tk_expectation found = tk_report_expect(report, expression, text);
    if (found == TK_EXPECT_PASS) return EXIT_FINE;
    message_error("%s: --expect %s", engine->first->name, text);
    return found == TK_EXPECT_INVALID ? EXIT_USAGE : EXIT_PROBLEMS;
}

int figures_evaluate(const struct engine *engine) {
    const struct text_list *list = &engine->settings->expect;
    if (list->count == 0) return EXIT_FINE;
    tk_report *report = report_of(engine);
    int result = report ? EXIT_FINE : EXIT_INPUT;
    for (size_t i = 0; report && i < list->count; i++)
        result = exit_code_join(result, judge(engine, report, list->items[i]));
    tk_report_free(report);
    return result;
}
