// SPDX-License-Identifier: MIT
#include "figures.h"

#include "message.h"
#include "print.h"

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

int figures_print_of(const struct engine *engine) {
    tk_report *report = report_of(engine);
    int result = report ? figures_print(report, engine->settings) : EXIT_INPUT;
    tk_report_free(report);
    return result;
}

static int judge(const struct engine *engine, const tk_report *report, const char *expression) {
    char text[TK_EXPECT_TEXT];
    tk_expectation found = tk_report_expect(report, expression, text);
    if (found == TK_EXPECT_PASS) {
        if (*text) message_info("%s: --expect %s", engine->first->name, text);
        return EXIT_FINE;
    }
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
