// SPDX-License-Identifier: MIT
#include "commands.h"
#include "host.h"
#include "message.h"
#include "print.h"
#include "results.h"

#include <string.h>

static void print_heading(const struct host *host) {
    struct tk_conversion_input input;
    uint32_t recordings = 0;
    for (uint32_t at = 0; host_next_recording(host, &at, &input);) recordings++;
    for (uint32_t at = 0; host_next_recording(host, &at, &input);) {
        print_line("%s: %s; %s", input.name, input.encoding_reason,
                   input.plan->probe->format ? input.plan->probe->reason : "not recognised, read as --type says");
        if (recordings > 1)
            print_line("%s: core %d; %s", input.name, (int)input.plan->out_core, input.plan->out_reason);
    }
    print_text("\n", 1);
}

static int begin_report(struct host *host, const struct source *first) {
    (void)first;
    if (host->output > 0 && !host->settings->json && !host->settings->csv) print_text("\n", 1);
    return EXIT_FINE;
}

// Prints the report of a recording. host->ctx: a bool; true after the header line of the CSV was printed.
static int end_report(struct host *host) {
    const struct settings *settings = host->settings;
    if (!settings->json && !settings->markdown && !settings->csv) print_heading(host);
    int result = results_print_figures(host, host->ctx);
    return host->is_stopped ? exit_code_join(result, host_report_stopped(host)) : result;
}

static int open_output(struct host *host) { return print_open(host->settings->output) ? EXIT_FINE : EXIT_OUTPUT; }

static int print_schema(const struct settings *settings) {
    if (settings->inputs.count) {
        message_error("--schema takes no input");
        return EXIT_USAGE;
    }
    if (!print_open(settings->output)) return EXIT_OUTPUT;
    return exit_code_join(results_print_schema(), print_close());
}

int cmd_info(const struct settings *settings) {
    bool csv_begun = false;
    if (settings->schema) return print_schema(settings);
    struct host host = { .settings = settings,
                         .ctx = &csv_begun,
                         .show_progress = !settings->quiet,
                         .keeps_partial = true,
                         .on_plan = open_output,
                         .on_open = begin_report,
                         .on_close = end_report };
    int result = host_run(&host, "report");
    host_release(&host);
    return exit_code_join(result, print_close());
}
