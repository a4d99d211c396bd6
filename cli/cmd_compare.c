// SPDX-License-Identifier: MIT
#include "bytes.h"
#include "commands.h"
#include "host.h"
#include "message.h"
#include "print.h"
#include "results.h"

#include <stdio.h>
#include <string.h>

// Returns the report in a file. NULL with *out_result EXIT_FINE: the file is no report; else a message was printed.
static tk_report *report_of_json(const char *path, int *out_result) {
    struct bytes json = { 0 };
    tk_report *report = NULL;
    *out_result = EXIT_FINE;
    if (strcmp(path, "-") != 0 && bytes_read_file(&json, path, '{')) { // as JSON begins
        tk_status status = tk_report_read((const char *)json.data, json.len, tk_libc_allocator(), &report);
        if (status == TK_OTHER_SCHEMA) {
            message_error("%s: %s", path, tk_status_text(status));
            *out_result = EXIT_INPUT;
        }
    }
    bytes_release(&json);
    return report;
}

struct side {
    const char *path;
    tk_report *report;
    const char *format; // format of the recording; NULL: the operand is a report
};

static int has_one_recording(struct host *host) {
    uint32_t recordings = tk_conversion_recording_count(host->conversion);
    if (recordings <= 1) return EXIT_FINE;
    message_error("%s: %u recordings; compare takes one on each side", ((const struct side *)host->ctx)->path,
                  (unsigned)recordings);
    return EXIT_USAGE;
}

static int take_report(struct host *host) {
    struct side *side = host->ctx;
    struct tk_conversion_input input;
    for (uint32_t at = 0; host_next_recording(host, &at, &input);) side->format = input.plan->out_format;
    side->report = host->report;
    host->report = NULL;
    return host->is_stopped ? host_report_stopped(host) : EXIT_FINE;
}

// Converts the recording of one operand, or reads its report. Returns an exit code; a message reports a failure.
static int read_side(const struct settings *settings, struct side *side) {
    int result;
    side->report = report_of_json(side->path, &result);
    if (side->report || result != EXIT_FINE) return result;
    struct settings mine = *settings;
    mine.inputs = (struct text_list){ &side->path, 1 };
    struct host host = { .settings = &mine,
                         .show_progress = !settings->quiet,
                         .keeps_partial = true,
                         .ignores_unused = true,
                         .ctx = side,
                         .on_plan = has_one_recording,
                         .on_close = take_report };
    result = host_run(&host, "report");
    host_release(&host);
    return side->report || result != EXIT_FINE ? result : EXIT_INPUT;
}

// Warns about options that neither side uses.
static void report_unused(const struct settings *settings, const struct side *a, const struct side *b) {
    const char *formats[2];
    char text[TK_UNUSED_OPTION_TEXT];
    size_t count = 0;
    if (a->format) formats[count++] = a->format;
    if (b->format) formats[count++] = b->format;
    for (size_t i = 0; count && i < settings->chosen_count; i++) {
        const struct setting *setting = &settings->chosen[i];
        if (tk_unused_option(setting->key, setting->value, formats, count, text)) message_warn("%s", text);
    }
}

static int print_comparison(const struct settings *settings, const tk_report *before, const tk_report *after) {
    tk_report *compared;
    if (tk_report_compare(before, after, tk_libc_allocator(), &compared) != TK_OK) {
        message_error("out of memory");
        return EXIT_INPUT;
    }
    int result = print_open(settings->output) ? EXIT_FINE : EXIT_OUTPUT;
    if (result == EXIT_FINE)
        result = results_print_report(compared, settings), result = exit_code_join(result, print_close());
    tk_report_free(compared);
    return result;
}

int cmd_compare(const struct settings *settings) {
    const struct text_list *inputs = &settings->inputs;
    if (inputs->count != 2) {
        message_error("compare takes two recordings or reports, as in `tonkopf compare before.bin after.bin`");
        return EXIT_USAGE;
    }
    struct side before = { .path = inputs->items[0] }, after = { .path = inputs->items[1] };
    int result = read_side(settings, &before);
    if (result == EXIT_FINE) result = read_side(settings, &after);
    if (result == EXIT_FINE) report_unused(settings, &before, &after);
    if (result == EXIT_FINE) result = print_comparison(settings, before.report, after.report);
    tk_report_free(before.report);
    tk_report_free(after.report);
    return result;
}
