// SPDX-License-Identifier: MIT
#include "commands.h"
#include "engine.h"
#include "figures.h"
#include "message.h"
#include "print.h"

#include <string.h>

static void print_heading(const struct engine *engine) {
    for (size_t i = engine->side_count; i < engine->input_count; i++) {
        const struct input *input = engine->inputs[i];
        print_line("%s: %s; %s", input->name, input->encoding,
                   input->probe.format ? input->probe.reason : "not recognised, read as --type says");
        if (engine->input_count - engine->side_count > 1)
            print_line("%s: core %d; %s", input->name, (int)input->plan->out_core, input->plan->out_reason);
    }
    print_text("\n", 1);
}

static int print_report(const struct engine *engine, bool *csv_begun) {
    if (engine->settings->json) {
        engine->report.data[engine->report.len - 1] = '\n';
        print_text((const char *)engine->report.data, engine->report.len);
        return EXIT_FINE;
    }
    bool is_text = !engine->settings->markdown && !engine->settings->csv;
    if (is_text) print_heading(engine);
    return figures_print_of(engine, csv_begun);
}

static int inform(const struct settings *settings, const struct workload *work, uint32_t group, bool *csv_begun) {
    struct engine engine;
    int result = EXIT_USAGE;
    if (engine_prepare(&engine, settings, work, group)) {
        engine.show_progress = !settings->quiet;
        bool ok = engine_run(&engine);
        if (ok) engine_report_range(&engine);
        result = !ok ? EXIT_INPUT : engine_fails(&engine) ? EXIT_PROBLEMS : EXIT_FINE;
        if (ok)
            result =
                exit_code_join(result, exit_code_join(figures_evaluate(&engine), print_report(&engine, csv_begun)));
        if (engine.interrupted) result = exit_code_join(result, engine_report_stopped(&engine));
    }
    engine_release(&engine);
    return result;
}

static int inform_all(const struct settings *settings, const struct workload *work) {
    int result = EXIT_FINE;
    bool csv_begun = false;
    if (!print_open(settings->output)) return EXIT_OUTPUT;
    for (uint32_t group = 0; result < EXIT_SIGNAL && group < work->groups; group++) {
        if (group > 0 && !settings->json && !settings->csv) print_text("\n", 1);
        result = exit_code_join(result, inform(settings, work, group, &csv_begun));
    }
    return exit_code_join(result, print_close());
}

static int print_schema(const struct settings *settings) {
    if (settings->inputs.count) {
        message_error("--schema takes no input");
        return EXIT_USAGE;
    }
    if (!print_open(settings->output)) return EXIT_OUTPUT;
    return exit_code_join(figures_print_schema(), print_close());
}

int cmd_info(const struct settings *settings) {
    if (settings->schema) return print_schema(settings);
    struct workload work = { .groups = 0 };
    struct settings mine = *settings;
    mine.keep_text = mine.range_of_figures = true;
    plat_catch_stop();
    int result = workload_find(&mine, &work);
    if (result == EXIT_FINE) result = inform_all(&mine, &work);
    if (work.skipped || workload_read_failed(&work)) result = exit_code_join(result, EXIT_INPUT);
    workload_release(&work);
    return result;
}
