// SPDX-License-Identifier: MIT
#include "commands.h"
#include "engine.h"
#include "keep.h"
#include "message.h"
#include "print.h"

#include <stdlib.h>
#include <string.h>

struct printer {
    bool color, live;
    uint64_t lines;
};

static tk_dump_stage stage_of(const char *name) {
    static const char *const names[] = { [TK_DUMP_FRAMES] = "frames",
                                         [TK_DUMP_RECORDS] = "records",
                                         [TK_DUMP_EVENTS] = "events",
                                         [TK_DUMP_TRACKS] = "tracks",
                                         [TK_DUMP_OUTLINE] = "outline" };
    for (int i = 0; name && i < (int)(sizeof names / sizeof *names); i++) {
        if (strcmp(names[i], name) == 0) return (tk_dump_stage)i;
    }
    return TK_DUMP_EVENTS;
}

static bool contains(const char *line, size_t len, const char *word) {
    size_t word_len = strlen(word);
    for (size_t at = 0; at + word_len <= len; at++) {
        if (memcmp(line + at, word, word_len) == 0) return true;
    }
    return false;
}

// A frame that was rejected, or a problem in its place among the events. Names cannot imitate it: their quotes are
// escaped.
static bool is_damage(const char *line, size_t len) {
    if (contains(line, len, " event=\"problem\"")) return true;
    return contains(line, len, " verdict=\"") && !contains(line, len, " verdict=\"ok\"") &&
           !contains(line, len, " verdict=\"empty\"");
}

static bool on_line(void *ctx, const char *line, size_t len) {
    struct printer *printer = ctx;
    printer->lines++;
    if (!printer->color) return print_text(line, len) && print_text("\n", 1);
    // The first column dimmed, damaged items red.
    size_t column = 0;
    while (column < len && line[column] != ' ') column++;
    if (is_damage(line, len)) return print_text("\x1b[31m", 5) && print_text(line, len) && print_text("\x1b[0m\n", 5);
    return print_text("\x1b[2m", 4) && print_text(line, column) && print_text("\x1b[0m", 4) &&
           print_text(line + column, len - column) && print_text("\n", 1);
}

static void flush_live(void *ctx) {
    const struct printer *printer = ctx;
    if (printer->live) print_flush();
}

static bool wants_color(const struct settings *settings) {
    const char *when = settings->color ? settings->color : "auto";
    if (settings->json || strcmp(when, "never") == 0) return false;
    const char *refused = getenv("NO_COLOR");
    bool shows = plat_is_terminal(PLAT_STDOUT) && !plat_terminal_is_plain() && !print_to_file();
    return strcmp(when, "always") == 0 || (shows && !(refused && *refused));
}

// ---- A part of it --------------------------------------------------------------------------------

static bool takes_only(struct engine *engine, const char *key, const struct text_list *values) {
    for (size_t i = 0; i < values->count; i++) {
        if (tk_dump_only(engine->handle, key, values->items[i]) == TK_OK) continue;
        message_error("%s", tk_error_text(engine->handle));
        return false;
    }
    return true;
}

static bool has_filter(const struct settings *settings) {
    return settings->events.count + settings->tasks.count + settings->cores.count > 0;
}

// What people read best where nobody asked for a stage.
static tk_dump_stage best_stage(const struct engine *engine) {
    const char *format = engine->first->plan->out_format;
    for (size_t i = 0; format && i < tk_format_count(); i++) {
        if (strcmp(tk_format_at(i)->name, format) == 0 && tk_format_at(i)->is_outlined && !has_filter(engine->settings))
            return TK_DUMP_OUTLINE;
    }
    return TK_DUMP_EVENTS;
}

static bool has_vendor_dump(const struct engine *engine) {
    const char *format = engine->first->plan->out_format;
    for (size_t i = 0; format && i < tk_format_count(); i++)
        if (strcmp(tk_format_at(i)->name, format) == 0 && tk_format_at(i)->has_vendor_dump) return true;
    message_error("%s: --like original prints call traces and QS recordings, this is none", engine->first->name);
    return false;
}

static bool on_csv(void *ctx, const char *text, size_t len) {
    struct printer *printer = ctx;
    printer->lines++;
    return print_text(text, len);
}

static bool set_output(struct engine *engine, struct printer *printer) {
    const struct settings *settings = engine->settings;
    if (settings->signal) return tk_set_samples(engine->handle, settings->signal, on_csv, printer) == TK_OK;
    if (settings->like && !has_vendor_dump(engine)) return false;
    tk_dump_stage stage = settings->like    ? TK_DUMP_VENDOR
                          : settings->stage ? stage_of(settings->stage)
                                            : best_stage(engine);
    return tk_set_dump(engine->handle, stage, settings->json, on_line, printer) == TK_OK &&
           takes_only(engine, "event", &settings->events) && takes_only(engine, "task", &settings->tasks) &&
           takes_only(engine, "core", &settings->cores);
}

// The signal that was asked for may be missing, which is known in the end.
static bool has_signal(struct engine *engine) {
    if (!engine->settings->signal || tk_end_samples(engine->handle) != TK_MISUSE) return true;
    message_error("%s: --signal %s: %s", engine->first->name, engine->settings->signal, tk_error_text(engine->handle));
    return false;
}

// A typing error in a filter looks like an empty recording.
static void tell_nothing(const struct engine *engine, const struct printer *printer) {
    if (printer->lines == 0 && has_filter(engine->settings))
        message_warn("%s: nothing is left by --event, --task and --core", engine->first->name);
}

static bool settings_agree(const struct settings *settings) {
    tk_dump_stage stage = stage_of(settings->stage);
    bool timed = settings->signal || (stage >= TK_DUMP_EVENTS && !settings->like);
    if (settings->as_csv && !settings->signal) {
        message_error("--csv prints the samples of a signal: name it with --signal");
        return false;
    }
    if (settings->signal && (settings->stage || settings->like || settings->json || has_filter(settings))) {
        message_error("--signal prints samples as CSV: without --stage, --like, --json, --event, --task and --core");
        return false;
    }
    if (settings->like &&
        (settings->stage || settings->json || has_filter(settings) || settings->from || settings->to)) {
        message_error("--like prints whole recordings as lines: without --stage, --json, --event, --task, --core, "
                      "--from and --to");
        return false;
    }
    if (!timed && (settings->from || settings->to))
        message_error("--from and --to need --stage events, tracks or outline: the others have no time yet");
    return timed || (!settings->from && !settings->to);
}

static bool open_keep(struct engine *engine) {
    const char *path = engine->settings->keep;
    if (path && !engine_is_live(engine))
        message_warn("--keep: %s is a file already, nothing is kept", engine->first->name);
    if (!path || !engine_is_live(engine)) return true;
    engine->keep = keep_open(path);
    return engine->keep != NULL;
}

static int dump(const struct settings *settings, const struct workload *work, uint32_t group) {
    struct engine engine;
    struct printer printer = { .color = wants_color(settings) };
    int result = EXIT_USAGE;
    if (engine_prepare(&engine, settings, work, group) && set_output(&engine, &printer)) {
        printer.live = engine_is_live(&engine) || plat_is_terminal(PLAT_STDOUT);
        engine.after_piece = flush_live;
        engine.ctx = &printer;
        engine.show_progress = !settings->quiet && !plat_is_terminal(PLAT_STDOUT);
        bool ok = open_keep(&engine) && engine_run(&engine);
        // A reader that has seen enough is no error; main looks at the state of standard output.
        result = ok || engine.status == TK_SINK_REFUSED ? EXIT_FINE : EXIT_INPUT;
        if (ok) engine_report_range(&engine);
        if (ok) engine_report_symbols(&engine);
        if (ok && !has_signal(&engine)) result = EXIT_USAGE;
        if (ok) tell_nothing(&engine, &printer);
        if (engine.interrupted) result = engine_report_stopped(&engine);
        if (!keep_close(engine.keep)) result = exit_code_join(result, EXIT_OUTPUT);
    }
    engine_release(&engine);
    return result;
}

static void print_separator(const struct workload *work, uint32_t group) {
    const struct input *inputs[TK_MAX_INPUTS];
    size_t sides, count = workload_group(work, group, inputs, &sides);
    if (group > 0) print_text("\n", 1);
    print_line("# %s%s", inputs[sides]->name, count - sides > 1 ? " and its other cores" : "");
}

static int dump_all(const struct settings *settings, const struct workload *work) {
    int result = EXIT_FINE;
    if (!print_open(settings->output)) return EXIT_OUTPUT;
    for (uint32_t group = 0; result < EXIT_SIGNAL && group < work->groups && !ferror(stdout); group++) {
        if (work->groups > 1 && !settings->json) print_separator(work, group);
        result = exit_code_join(result, dump(settings, work, group));
    }
    return exit_code_join(result, print_close());
}

int cmd_dump(const struct settings *settings) {
    struct workload work = { .groups = 0 };
    if (!settings_agree(settings)) return EXIT_USAGE;
    plat_catch_stop();
    int result = workload_find(settings, &work);
    if (result == EXIT_FINE && settings->signal && work.groups > 1) {
        message_error("--signal takes one recording, these are %u", work.groups);
        result = EXIT_USAGE;
    }
    if (result == EXIT_FINE) result = dump_all(settings, &work);
    if (work.skipped || workload_read_failed(&work)) result = exit_code_join(result, EXIT_INPUT);
    workload_release(&work);
    return result;
}
