// SPDX-License-Identifier: MIT
#include "bytes.h"
#include "commands.h"
#include "host.h"
#include "message.h"
#include "print.h"

#include <stdio.h>
#include <string.h>

// Reads a whole file. Returns false after a message.
static bool read_file(const char *path, struct bytes *out) {
    bool ok = bytes_read_file(out, path, 0);
    if (!ok) message_error("%s: %s", path, plat_error());
    return ok;
}

static int fail(tk_status status) {
    message_error("%s", tk_status_text(status));
    return EXIT_INPUT;
}

struct judging {
    tk_check *check;
    bool has_verdicts;
};

static int judge_report(struct host *host) {
    struct judging *judging = host->ctx;
    tk_status status = tk_check_judge(judging->check, host->report, host_name(host));
    judging->has_verdicts = true;
    int result = status == TK_OK ? EXIT_FINE : fail(status);
    return host->is_stopped ? exit_code_join(result, host_report_stopped(host)) : result;
}

static void note_error(struct host *host, const struct tk_request *request) {
    const char *name = request->source < host->sources.count ? host->sources.items[request->source].name : "";
    struct judging *judging = host->ctx;
    judging->has_verdicts = true;
    if (tk_check_note_unread(judging->check, name, request->text) != TK_OK) message_error("out of memory");
}

// *out_has_verdicts: false if wrong usage ended the command before the first recording.
static int judge_inputs(const struct settings *settings, tk_check *check, bool *out_has_verdicts) {
    struct judging judging = { .check = check };
    struct settings mine = *settings;
    mine.inputs = (struct text_list){ settings->inputs.items + 1, settings->inputs.count - 1 };
    struct host host = { .settings = &mine,
                         .ctx = &judging,
                         .rules = tk_check_text(check),
                         .show_progress = !settings->quiet,
                         .keeps_partial = true,
                         .on_error = note_error,
                         .on_close = judge_report };
    int result = host_run(&host, "report");
    host_release(&host);
    bool is_noted = tk_check_exit_code(check) >= EXIT_INPUT;
    if (result == EXIT_INPUT && !is_noted &&
        tk_check_note_unread(check, "", "an input could not be read; a message tells which one and why") != TK_OK)
        message_error("out of memory");
    *out_has_verdicts = judging.has_verdicts;
    return result;
}

// ---- Outputs -------------------------------------------------------------------------------------

// Writes the verdicts to a file; path NULL: to standard output.
static int write_verdicts(const tk_check *check, tk_check_form form, const char *path) {
    if (!print_open(path)) return EXIT_OUTPUT;
    tk_status status = tk_check_write(check, form, print_write, NULL);
    int result = print_close();
    return status == TK_NO_MEMORY ? exit_code_join(result, fail(status)) : result;
}

static int write_all(const struct settings *settings, const tk_check *check) {
    tk_check_form form = settings->json ? TK_CHECK_JSON : settings->markdown ? TK_CHECK_MARKDOWN : TK_CHECK_TEXT;
    int result = EXIT_FINE;
    // Annotations have to be on standard output, which is free for them with --output.
    if (settings->github) result = write_verdicts(check, TK_CHECK_GITHUB, NULL);
    if (!settings->github || settings->output)
        result = exit_code_join(result, write_verdicts(check, form, settings->output));
    if (settings->junit) result = exit_code_join(result, write_verdicts(check, TK_CHECK_JUNIT, settings->junit));
    if (settings->sarif) result = exit_code_join(result, write_verdicts(check, TK_CHECK_SARIF, settings->sarif));
    return result;
}

// ---- The command ---------------------------------------------------------------------------------

static int read_baseline(const struct settings *settings, tk_check *check) {
    struct bytes json = { 0 };
    if (!settings->baseline) return EXIT_FINE;
    int result = EXIT_INPUT;
    if (read_file(settings->baseline, &json)) {
        tk_status status = tk_check_set_baseline(check, settings->baseline, (const char *)json.data, json.len);
        result = status == TK_OK ? EXIT_FINE : fail(status);
    }
    if (result == EXIT_INPUT && tk_check_note_unread(check, settings->baseline, "the baseline cannot be read") != TK_OK)
        message_error("out of memory");
    bytes_release(&json);
    return result;
}

int check_read_rules(const char *path, tk_check **out_check) {
    struct bytes text = { 0 };
    int result = EXIT_INPUT;
    if (read_file(path, &text)) {
        tk_status status = tk_check_new(tk_libc_allocator(), path, (const char *)text.data, text.len, out_check);
        result = status == TK_OK ? EXIT_FINE : fail(status);
    }
    bytes_release(&text);
    return result;
}

// Returns false after a message if a file would be written that is read, or written twice.
static bool outputs_are_apart(const struct settings *settings) {
    const char *const files[] = { settings->inputs.items[0], settings->baseline, settings->output, settings->junit,
                                  settings->sarif };
    enum { READ = 2, ALL = sizeof files / sizeof *files };
    for (size_t i = READ; i < ALL; i++)
        for (size_t n = 0; n < i; n++)
            if (names_same_file(files[i], files[n])) {
                message_error("%s is named twice; name another file for what is written", files[i]);
                return false;
            }
    return true;
}

int check_judge(const struct settings *settings, tk_check *check) {
    bool has_verdicts = false;
    int result = read_baseline(settings, check);
    if (result == EXIT_FINE && !tk_check_is_wrong(check)) result = judge_inputs(settings, check, &has_verdicts);
    // Wrong usage before the first recording and a stop by the user leave nothing to write.
    bool has_results = tk_check_is_wrong(check) || result <= EXIT_PROBLEMS || result == EXIT_INPUT ||
                       (result == EXIT_USAGE && has_verdicts);
    if (has_results)
        result = exit_code_join(exit_code_join(result, tk_check_exit_code(check)), write_all(settings, check));
    return result;
}

int cmd_check(const struct settings *settings) {
    tk_check *check = NULL;
    if (settings->inputs.count < 2) {
        message_error("check takes a file of rules and inputs, as in `tonkopf check limits.rules capture.bin`");
        return EXIT_USAGE;
    }
    if (!outputs_are_apart(settings)) return EXIT_USAGE;
    int result = check_read_rules(settings->inputs.items[0], &check);
    if (result == EXIT_FINE) result = check_judge(settings, check);
    tk_check_free(check);
    return result;
}
