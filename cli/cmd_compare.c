// SPDX-License-Identifier: MIT
#include "commands.h"
#include "figures.h"
#include "message.h"
#include "print.h"

#include <stdio.h>
#include <string.h>

// The whole file when it begins as JSON does; nothing else is read to its end here.
static bool read_json(const char *path, struct bytes *out) {
    char piece[16384];
    FILE *file = strcmp(path, "-") == 0 ? NULL : fopen(path, "rb");
    if (!file) return false;
    size_t len = fread(piece, 1, sizeof piece, file);
    bool ok = len > 0 && piece[0] == '{';
    for (; ok && len > 0; len = fread(piece, 1, sizeof piece, file)) ok = bytes_append(out, piece, len);
    fclose(file);
    return ok;
}

// NULL without a message: the file is no report.
static tk_report *report_of_json(const char *path, int *out_result) {
    struct bytes json = { 0 };
    tk_report *report = NULL;
    *out_result = EXIT_FINE;
    if (read_json(path, &json)) {
        tk_status status = tk_report_read((const char *)json.data, json.len, tk_libc_allocator(), &report);
        if (status == TK_OTHER_SCHEMA) {
            message_error("%s: %s", path, tk_status_text(status));
            *out_result = EXIT_INPUT;
        }
    }
    bytes_release(&json);
    return report;
}

static tk_report *report_of_group(const struct settings *settings, const struct workload *work) {
    struct engine engine;
    tk_report *report = NULL;
    bool ok = engine_prepare(&engine, settings, work, 0);
    engine.show_progress = !settings->quiet;
    if (ok && engine_run(&engine) && tk_report_new(engine.handle, tk_libc_allocator(), &report) != TK_OK)
        message_error("out of memory");
    engine_release(&engine);
    return report;
}

// One of the two operands; NULL: a message was printed, and *out_result is the exit code.
static tk_report *report_of(const struct settings *settings, const char *path, struct workload *work, int *out_result) {
    tk_report *report = report_of_json(path, out_result);
    if (report || *out_result != EXIT_FINE) return report;
    struct settings mine = *settings;
    mine.inputs = (struct text_list){ &path, 1 };
    *out_result = workload_find_side(&mine, work);
    if (*out_result == EXIT_FINE && work->groups != 1) {
        message_error("%s: %u recordings; compare takes one on each side", path, (unsigned)work->groups);
        *out_result = EXIT_USAGE;
    } else if (*out_result == EXIT_FINE) {
        report = report_of_group(&mine, work);
        if (!report) *out_result = EXIT_INPUT;
    }
    return report;
}

static int print_comparison(const struct settings *settings, const tk_report *before, const tk_report *after) {
    tk_report *compared;
    if (tk_report_compare(before, after, tk_libc_allocator(), &compared) != TK_OK) {
        message_error("out of memory");
        return EXIT_INPUT;
    }
    int result = print_open(settings->output) ? EXIT_FINE : EXIT_OUTPUT;
    if (result == EXIT_FINE) result = figures_print(compared, settings), result = exit_code_join(result, print_close());
    tk_report_free(compared);
    return result;
}

int cmd_compare(const struct settings *settings) {
    const struct text_list *inputs = &settings->inputs;
    int result = EXIT_FINE;
    if (inputs->count != 2) {
        message_error("compare takes two recordings or reports, as in `tonkopf compare before.bin after.bin`");
        return EXIT_USAGE;
    }
    plat_catch_stop();
    struct workload works[2] = { { .groups = 0 }, { .groups = 0 } };
    tk_report *before = report_of(settings, inputs->items[0], &works[0], &result);
    tk_report *after = before ? report_of(settings, inputs->items[1], &works[1], &result) : NULL;
    if (after) plan_report_unused(works, 2, settings);
    if (after) result = print_comparison(settings, before, after);
    tk_report_free(before);
    tk_report_free(after);
    workload_release(&works[0]);
    workload_release(&works[1]);
    return result;
}
