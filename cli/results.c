// SPDX-License-Identifier: MIT
#include "results.h"

#include "json.h"
#include "message.h"
#include "print.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

// ---- Tables --------------------------------------------------------------------------------------

static bool on_text(void *ctx, const char *text, size_t len) {
    (void)ctx;
    return print_text(text, len);
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

int results_print_report(const tk_report *report, const struct settings *settings) {
    tk_report_form form = settings->csv        ? TK_REPORT_CSV
                          : settings->json     ? TK_REPORT_JSON
                          : settings->markdown ? TK_REPORT_MARKDOWN
                                               : TK_REPORT_TEXT;
    tk_status status = tk_report_write(report, form, settings->csv, on_text, NULL);
    if (status == TK_MISUSE) return tell_tables(report, settings->csv);
    if (form == TK_REPORT_JSON) print_text("\n", 1);
    return EXIT_FINE; // what could not be written is told in the end
}

static int print_csv(const tk_report *report, const struct host *host, bool *csv_begun) {
    const char *table = host->settings->csv;
    tk_status status = tk_report_write_csv(report, table, host_name(host), !*csv_begun, on_text, NULL);
    if (status == TK_MISUSE) return tell_tables(report, table);
    *csv_begun = true;
    return EXIT_FINE;
}

// In front of the text the expression stands, which is the name of the row already.
static const char *without_expression(const char *text, const char *rule) {
    const char *expression = strchr(rule, ' ');
    size_t len = expression ? strlen(++expression) : 0;
    return len && !strncmp(text, expression, len) && !strncmp(text + len, ": ", 2) ? text + len + 2 : text;
}

static bool add_verdicts(tk_report *report, const tk_conversion *conversion) {
    static const char *const words[] = { [TK_EXPECT_PASS] = "holds",
                                         [TK_EXPECT_FAIL] = "fails",
                                         [TK_EXPECT_UNMEASURED] = "not measured",
                                         [TK_EXPECT_INVALID] = "invalid" };
    struct tk_verdict verdict;
    for (uint32_t i = 0; tk_conversion_verdict(conversion, i, &verdict); i++)
        if (tk_report_add_verdict(report, verdict.rule, words[verdict.result],
                                  without_expression(verdict.text, verdict.rule)) != TK_OK)
            return false;
    return true;
}

int results_print_figures(const struct host *host, bool *csv_begun) {
    tk_report *report;
    bool ok = tk_report_new(tk_conversion_handle(host->conversion), tk_libc_allocator(), &report) == TK_OK;
    int result = EXIT_INPUT;
    if (!ok || !add_verdicts(report, host->conversion)) message_error("out of memory");
    else
        result =
            host->settings->csv ? print_csv(report, host, csv_begun) : results_print_report(report, host->settings);
    if (ok) tk_report_free(report);
    return result;
}

int results_print_schema(void) {
    if (tk_schema_json(on_text, NULL) == TK_OK) print_text("\n", 1);
    return EXIT_FINE; // print_close reports what could not be written
}

// ---- Messages ------------------------------------------------------------------------------------

// The first place of a problem; NULL: it has none.
static const char *first_place(const struct results *results, const char *problem) {
    char id[64];
    json_text(json_member(problem, "id"), id, sizeof id);
    for (const char *place = json_first(json_member(results->json, "places")); place; place = json_next(place)) {
        if (json_equals(json_member(place, "problem"), id)) return place;
    }
    return NULL;
}

static const char *input_name(const struct results *results, const char *problem) {
    const char *place = first_place(results, problem);
    const char *of = place ? json_member(place, "input_number") : NULL;
    if (!of || json_is_null(of)) return host_name(results->host);
    struct tk_conversion_input input;
    host_input(results->host, (uint32_t)json_number(of), &input);
    return input.name;
}

static void tell_problem(const struct results *results, const char *problem) {
    char title[200], detail[160], cause[400], remedy[400], place[80] = "";
    json_text(json_member(problem, "title"), title, sizeof title);
    json_text(json_member(problem, "detail"), detail, sizeof detail);
    json_text(json_member(problem, "cause"), cause, sizeof cause);
    json_text(json_member(problem, "remedy"), remedy, sizeof remedy);
    const char *first = first_place(results, problem), *offset = first ? json_member(first, "offset") : NULL;
    if (offset && !json_is_null(offset)) snprintf(place, sizeof place, ", first at byte %" PRIu64, json_number(offset));
    uint64_t count = json_number(json_member(problem, "count"));
    message_info("  %s: %s%s%s%s, %" PRIu64 " time%s%s", input_name(results, problem), title, *detail ? " (" : "",
                 detail, *detail ? ")" : "", count, count == 1 ? "" : "s", place);
    message_detail("    %s %s", cause, remedy);
}

void results_print_problems(const struct results *results) {
    bool all = results->host->settings->verbose > 0;
    for (const char *problem = json_first(json_member(results->json, "problems")); problem;
         problem = json_next(problem)) {
        if (all || !json_equals(json_member(problem, "severity"), "info")) tell_problem(results, problem);
    }
    for (const char *line = json_first(json_member(results->json, "explain")); line; line = json_next(line)) {
        char text[600];
        message_info("  %s", json_text(json_member(line, "sentence"), text, sizeof text));
    }
}

// The unit of the times of the report: "ns", "ps", "fs", or the plural of what is counted. Returns out.
static const char *time_unit(const struct results *results, char out[24]) {
    return json_text(json_member(results->json, "time_unit"), out, 24);
}

// How many of the unit a second has, as a power of ten; 0: the unit counts something of unknown length.
static int digits_per_second(const char *unit) {
    return strcmp(unit, "ns") == 0 ? 9 : strcmp(unit, "ps") == 0 ? 12 : strcmp(unit, "fs") == 0 ? 15 : 0;
}

static uint64_t power_of_ten(int exponent) { return exponent > 0 ? 10 * power_of_ten(exponent - 1) : 1; }

const char *results_time_text(const struct results *results, uint64_t time, char out[48]) {
    char unit[24];
    int digits = digits_per_second(time_unit(results, unit));
    uint64_t second = power_of_ten(digits);
    if (!digits) snprintf(out, 48, "%" PRIu64 " %s", time, unit);
    else snprintf(out, 48, "%" PRIu64 ".%0*" PRIu64 " s", time / second, digits, time % second);
    return out;
}

// Returns -1, 0 or 1: the limit is before, at or after a time of the report.
static int compare_limit(const struct results *results, const struct time_limit *limit, uint64_t time) {
    char unit[24];
    int digits = digits_per_second(time_unit(results, unit));
    uint64_t per_ns = digits ? power_of_ten(digits - 9) : 1, fs = digits ? time % per_ns * (1000000 / per_ns) : 0;
    uint64_t number = time / per_ns;
    if (!digits && !limit->of) { // a time: counts have the length with which they are shown
        uint64_t ns = json_number(json_member(json_member(results->json, "tick"), "ns"));
        number = ns && time > UINT64_MAX / ns ? UINT64_MAX : time * ns;
    } else if (digits && limit->of) { // counts: times have the length of a tick
        uint64_t ns = json_number(json_member(json_member(results->json, "tick"), "ns"));
        number = ns ? number / ns : number;
    }
    if (limit->number != number) return limit->number < number ? -1 : 1;
    return limit->of || limit->fs == fs ? 0 : limit->fs < fs ? -1 : 1;
}

// Times where the recording has none.
static void warn_unit(const struct results *results, const char *option, const char *text,
                      const struct time_limit *limit) {
    char unit[24];
    if (!text || limit->of || digits_per_second(time_unit(results, unit)) || !(limit->number || limit->fs)) return;
    message_warn("%s: %s %s is a time, but the times of this recording are %s of unknown length; name a number of %s, "
                 "as in %s 700%s",
                 host_name(results->host), option, text, unit, unit, option, unit);
}

void results_print_range(const struct results *results) {
    const struct settings *settings = results->host->settings;
    const char *time = json_member(results->json, "time");
    uint64_t start = json_number(json_member(time, "first")), end = json_number(json_member(time, "last"));
    char text[48];
    warn_unit(results, "--from", settings->from, &settings->from_limit);
    warn_unit(results, "--to", settings->to, &settings->to_limit);
    if (settings->from && compare_limit(results, &settings->from_limit, end) > 0)
        message_warn("%s: --from %s is beyond the end of the recording, %s; nothing is left", host_name(results->host),
                     settings->from, results_time_text(results, end, text));
    if (settings->to && compare_limit(results, &settings->to_limit, start) < 0)
        message_warn("%s: --to %s is before the first event, %s; nothing is left", host_name(results->host),
                     settings->to, results_time_text(results, start, text));
}

void results_print_symbols(const struct results *results) {
    const char *rows = json_member(results->json, "symbols");
    for (const char *row = rows ? json_first(rows) : NULL; row; row = json_next(row)) {
        char name[300], note[200];
        if (*json_text(json_member(row, "note"), note, sizeof note))
            message_warn("%s: %s", json_text(json_member(row, "name"), name, sizeof name), note);
    }
}
