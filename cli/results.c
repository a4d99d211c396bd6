// SPDX-License-Identifier: MIT
#include "results.h"

#include "message.h"
#include "print.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

// ---- Tables --------------------------------------------------------------------------------------

static int report_no_table(const tk_report *report, const char *wanted) {
    char list[1024] = "";
    size_t len = 0;
    for (size_t i = 0; tk_report_table_id(report, i) && len < sizeof list; i++)
        len += (size_t)snprintf(list + len, sizeof list - len, "%s%s", i ? ", " : "", tk_report_table_id(report, i));
    message_error("--csv: there is no table \"%s\"; there are %s", wanted, list);
    return EXIT_USAGE;
}

int results_print_report(const tk_report *report, const struct settings *settings) {
    tk_report_form form = settings->csv        ? TK_REPORT_CSV
                          : settings->json     ? TK_REPORT_JSON
                          : settings->markdown ? TK_REPORT_MARKDOWN
                                               : TK_REPORT_TEXT;
    tk_status status = tk_report_write(report, form, settings->csv, print_write, NULL);
    if (status == TK_MISUSE) return report_no_table(report, settings->csv);
    if (form == TK_REPORT_JSON) print_text("\n", 1);
    return EXIT_FINE; // print_close reports a failed write
}

// Prints why the worst jobs of a task were late.
static int print_why(const struct host *host) {
    const char *task = host->settings->why, *other = "";
    bool json = host->settings->json;
    if (tk_report_write_why(host->report, task, json, print_write, NULL) != TK_MISUSE) {
        if (json) print_text("\n", 1);
        return EXIT_FINE; // print_close reports a failed write
    }
    char list[1024] = "";
    size_t len = 0;
    uint32_t count = tk_report_row_count(host->report, "worst_jobs");
    for (uint32_t row = 0; row < count && len < sizeof list; row++) {
        const char *name = tk_report_string(host->report, "worst_jobs", row, "name");
        if (!strcmp(name, other)) continue;
        len += (size_t)snprintf(list + len, sizeof list - len, "%s%s", len ? ", " : "", name);
        other = name;
    }
    if (len) message_error("--why: \"%s\" has no measured job; tasks with jobs are %s", task, list);
    else message_error("--why: no task has a measured job");
    return EXIT_USAGE;
}

int results_print_figures(const struct host *host, bool *csv_begun) {
    const char *table = host->settings->csv;
    if (host->settings->why) return print_why(host);
    if (host->settings->json) { // the JSON of the handle also contains the view; a tk_report does not
        if (tk_report_json(tk_conversion_handle(host->conversion), print_write, NULL) == TK_OK) print_text("\n", 1);
        return EXIT_FINE; // print_close reports a failed write
    }
    if (!table) return results_print_report(host->report, host->settings);
    if (tk_report_write_csv(host->report, table, host_name(host), !*csv_begun, print_write, NULL) == TK_MISUSE)
        return report_no_table(host->report, table);
    *csv_begun = true;
    return EXIT_FINE;
}

int results_print_schema(void) {
    if (tk_schema_json(print_write, NULL) == TK_OK) print_text("\n", 1);
    return EXIT_FINE; // print_close reports a failed write
}

// ---- Messages ------------------------------------------------------------------------------------

enum { NO_ROW = UINT32_MAX };

// Returns the row of the first place of a problem; NO_ROW: none.
static uint32_t first_place(const tk_report *report, const char *problem) {
    uint32_t count = tk_report_row_count(report, "places");
    for (uint32_t row = 0; row < count; row++)
        if (!strcmp(tk_report_string(report, "places", row, "problem"), problem)) return row;
    return NO_ROW;
}

static void print_problem(const struct host *host, uint32_t row) {
    const tk_report *report = host->report;
    const char *detail = tk_report_string(report, "problems", row, "detail");
    uint32_t first = first_place(report, tk_report_string(report, "problems", row, "id"));
    const char *input = tk_report_string(report, "places", first, "input");
    uint64_t count, offset;
    char place[80] = "";
    if (tk_report_number(report, "places", first, "offset", &offset))
        snprintf(place, sizeof place, ", first at byte %" PRIu64, offset);
    tk_report_number(report, "problems", row, "count", &count);
    message_info("  %s: %s%s%s%s, %" PRIu64 " time%s%s", *input ? input : host_name(host),
                 tk_report_string(report, "problems", row, "title"), *detail ? " (" : "", detail, *detail ? ")" : "",
                 count, count == 1 ? "" : "s", place);
    message_detail("    %s %s", tk_report_string(report, "problems", row, "cause"),
                   tk_report_string(report, "problems", row, "remedy"));
}

void results_print_problems(const struct host *host) {
    const tk_report *report = host->report;
    uint32_t problems = tk_report_row_count(report, "problems"), lines = tk_report_row_count(report, "explain");
    for (uint32_t row = 0; row < problems; row++) {
        bool is_note = !strcmp(tk_report_string(report, "problems", row, "severity"), "info");
        if (!is_note || host->settings->verbose > 0) print_problem(host, row);
    }
    for (uint32_t row = 0; row < lines; row++)
        message_info("  %s", tk_report_string(report, "explain", row, "sentence"));
}

// Returns the number of digits after the point of a second in this unit, such as 9 for ns; 0: the length of the unit is
// unknown.
static int digits_per_second(const char *unit) {
    return strcmp(unit, "ns") == 0 ? 9 : strcmp(unit, "ps") == 0 ? 12 : strcmp(unit, "fs") == 0 ? 15 : 0;
}

static uint64_t power_of_ten(int exponent) { return exponent > 0 ? 10 * power_of_ten(exponent - 1) : 1; }

const char *results_time_text(const tk_report *report, uint64_t time, char out[48]) {
    const char *unit = tk_report_time_unit(report);
    int digits = digits_per_second(unit);
    uint64_t second = power_of_ten(digits);
    if (!digits) snprintf(out, 48, "%" PRIu64 " %s", time, unit);
    else snprintf(out, 48, "%" PRIu64 ".%0*" PRIu64 " s", time / second, digits, time % second);
    return out;
}

void results_print_symbols(const struct host *host) {
    uint32_t count = tk_report_row_count(host->report, "symbols");
    for (uint32_t row = 0; row < count; row++) {
        const char *note = tk_report_string(host->report, "symbols", row, "note");
        if (*note) message_warn("%s: %s", tk_report_string(host->report, "symbols", row, "name"), note);
    }
}
