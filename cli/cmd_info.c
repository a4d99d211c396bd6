// SPDX-License-Identifier: MIT
#include "commands.h"
#include "engine.h"
#include "message.h"

#include <string.h>

static bool on_text(void *ctx, const char *text, size_t len) {
    (void)ctx;
    return message_print(text, len);
}

static void print_heading(const struct engine *engine) {
    for (size_t i = 0; i < engine->input_count; i++) {
        const struct input *input = &engine->inputs[i];
        printf("%s: %s; %s\n", input->name, input->encoding, input->probe.reason);
        if (engine->input_count > 1) printf("%s: core %d; %s\n", input->name, (int)input->core, input->group_reason);
    }
    printf("\n");
}

static int print_report(const struct engine *engine) {
    if (engine->settings->json) {
        engine->report.data[engine->report.len - 1] = '\n';
        message_print((const char *)engine->report.data, engine->report.len);
        return EXIT_FINE;
    }
    print_heading(engine);
    tk_status status = tk_report_text(engine->handle, on_text, NULL);
    return status == TK_OK || status == TK_SINK_REFUSED ? EXIT_FINE : EXIT_INPUT;
}

static int inform(const struct settings *settings, const struct workload *work, uint32_t group) {
    struct engine engine;
    int result = EXIT_USAGE;
    if (engine_prepare(&engine, settings, work, group)) {
        engine.show_progress = !settings->quiet;
        bool ok = engine_run(&engine);
        result = !ok ? EXIT_INPUT : engine_fails(&engine) ? EXIT_PROBLEMS : EXIT_FINE;
        if (ok) result = exit_code_join(result, print_report(&engine));
    }
    engine_release(&engine);
    return result;
}

int cmd_info(const struct settings *settings) {
    struct workload work = {.groups = 0};
    struct settings mine = *settings;
    mine.keep_text = true;
    plat_catch_stop();
    int result = workload_find(&mine, &work);
    for (uint32_t group = 0; result == EXIT_FINE && group < work.groups; group++) {
        if (group > 0 && !settings->json) printf("\n");
        result = exit_code_join(result, inform(&mine, &work, group));
    }
    if (work.skipped || workload_read_failed(&work)) result = exit_code_join(result, EXIT_INPUT);
    workload_release(&work);
    return result;
}
