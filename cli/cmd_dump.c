// SPDX-License-Identifier: MIT
#include "commands.h"
#include "host.h"
#include "message.h"
#include "print.h"
#include "results.h"

#include <stdlib.h>
#include <string.h>

// State of the command, in host->ctx.
struct printer {
    bool color, live;
    uint64_t lines; // number of printed lines of the recording
};

static bool contains(const char *line, size_t len, const char *word) {
    size_t word_len = strlen(word);
    for (size_t at = 0; at + word_len <= len; at++) {
        if (memcmp(line + at, word, word_len) == 0) return true;
    }
    return false;
}

// Returns true for the line of a rejected frame or of a problem. A name in a line cannot contain the searched words,
// because quotes in names are escaped.
static bool is_damage(const char *line, size_t len) {
    if (contains(line, len, " event=\"problem\"")) return true;
    return contains(line, len, " verdict=\"") && !contains(line, len, " verdict=\"ok\"") &&
           !contains(line, len, " verdict=\"empty\"");
}

static bool print_colored(const struct printer *printer, const char *line, size_t len) {
    if (!printer->color) return print_text(line, len) && print_text("\n", 1);
    // Prints the first column dimmed, and lines of damage in red.
    size_t column = 0;
    while (column < len && line[column] != ' ') column++;
    if (is_damage(line, len)) return print_text("\x1b[31m", 5) && print_text(line, len) && print_text("\x1b[0m\n", 5);
    return print_text("\x1b[2m", 4) && print_text(line, column) && print_text("\x1b[0m", 4) &&
           print_text(line + column, len - column) && print_text("\n", 1);
}

// Prints lines. `bytes` contains complete lines only, so each line can be coloured.
static bool write_lines(struct host *host, const uint8_t *bytes, size_t len) {
    struct printer *printer = host->ctx;
    const char *at = (const char *)bytes, *end = at + len;
    while (at < end) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        size_t line = stop ? (size_t)(stop - at) : (size_t)(end - at);
        printer->lines++;
        if (!print_colored(printer, at, line)) return false;
        at += line + (stop != NULL);
    }
    if (printer->live) print_flush();
    return true;
}

static bool wants_color(const struct settings *settings) {
    const char *when = settings->color ? settings->color : "auto";
    if (options_value(settings, "json") || strcmp(when, "never") == 0) return false;
    const char *refused = getenv("NO_COLOR");
    bool shows = plat_is_terminal(PLAT_STDOUT) && !plat_terminal_is_plain() && !print_to_file();
    return strcmp(when, "always") == 0 || (shows && !(refused && *refused));
}

static bool has_filter(const struct settings *settings) {
    return options_value(settings, "event") || options_value(settings, "task") || options_value(settings, "core");
}

// Warns if a filter left no line: a typing error in a filter looks like an empty recording.
static void report_nothing(const struct host *host, const struct printer *printer) {
    if (printer->lines == 0 && has_filter(host->settings))
        message_warn("%s: nothing is left by --event, --task and --core", host_name(host));
}

static bool settings_agree(const struct settings *settings) {
    const char *stage = options_value(settings, "stage"), *like = options_value(settings, "like"),
               *signal = options_value(settings, "signal"), *json = options_value(settings, "json");
    bool has_range = options_value(settings, "from-ns") || options_value(settings, "to-ns");
    bool has_times = signal || !stage || (strcmp(stage, "frames") != 0 && strcmp(stage, "records") != 0);
    const char *wrong =
        settings->as_csv && !signal ? "--csv prints the samples of a signal: name it with --signal"
        : signal && (stage || like || json || has_filter(settings))
            ? "--signal prints samples as CSV: without --stage, --like, --json, --event, --task and --core"
        : like && (stage || json || has_filter(settings) || has_range)
            ? "--like prints whole recordings as lines: without --stage, --json, --event, --task, --core, --from and "
              "--to"
        : !has_times && has_range
            ? "--from and --to need --stage events, tracks or outline: the others have no time yet"
            : NULL;
    if (wrong) message_error("%s", wrong);
    return !wrong;
}

static int begin(struct host *host) {
    uint32_t recordings = tk_conversion_recording_count(host->conversion);
    struct printer *printer = host->ctx;
    if (options_value(host->settings, "signal") && recordings > 1) {
        message_error("--signal takes one recording, these are %u", (unsigned)recordings);
        return EXIT_USAGE;
    }
    if (!print_open(host->settings->output)) return EXIT_OUTPUT;
    printer->color = wants_color(host->settings);
    printer->live = host->is_live || plat_is_terminal(PLAT_STDOUT);
    host->show_progress = !host->settings->quiet && !plat_is_terminal(PLAT_STDOUT);
    return EXIT_FINE;
}

static int begin_recording(struct host *host, const struct source *first) {
    struct printer *printer = host->ctx;
    uint32_t files = 0;
    (void)first;
    printer->lines = 0;
    if (tk_conversion_recording_count(host->conversion) < 2 || options_value(host->settings, "json")) return EXIT_FINE;
    struct tk_conversion_input input;
    for (uint32_t at = 0; host_next_recording(host, &at, &input);) files++;
    if (host->output > 0) print_text("\n", 1);
    print_line("# %s%s", host_name(host), files > 1 ? " and its other cores" : "");
    return EXIT_FINE;
}

static int end_recording(struct host *host) {
    results_print_symbols(host);
    report_nothing(host, host->ctx);
    return host->is_stopped ? host_report_stopped(host) : EXIT_FINE;
}

int cmd_dump(const struct settings *settings) {
    struct printer printer = { .lines = 0 };
    struct host host = { .settings = settings,
                         .keeps_partial = true,
                         .ctx = &printer,
                         .keep_path = settings->keep,
                         .on_plan = begin,
                         .on_open = begin_recording,
                         .on_write = write_lines,
                         .on_close = end_recording };
    if (!settings_agree(settings)) return EXIT_USAGE;
    int result = host_run(&host, options_value(settings, "signal") ? "samples" : "dump");
    host_release(&host);
    return exit_code_join(result, print_close());
}
