// SPDX-License-Identifier: MIT
#include "commands.h"
#include "engine.h"
#include "figures.h"
#include "json.h"
#include "message.h"
#include "output.h"
#ifdef CLI_SERVE
#include "serve.h"
#endif

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- Names ---------------------------------------------------------------------------------------

static bool is_alnum(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// Without one known ending, as on the page: capture.bin.gz -> capture, x.core0.bin -> x.core0.
static size_t stem_len(const char *path) {
    const char *base = plat_base_name(path);
    size_t len = strlen(base);
    if (len > 3 && strcmp(base + len - 3, ".gz") == 0) len -= 3;
    size_t ending = 0;
    while (ending < 6 && ending < len && is_alnum(base[len - 1 - ending])) ending++;
    if (ending >= 1 && ending <= 5 && ending + 1 < len && base[len - 1 - ending] == '.') len -= ending + 1;
    return (size_t)(base - path) + len;
}

static bool begins_with(const char *text, const char *word) { return strncmp(text, word, strlen(word)) == 0; }

// A descriptor that somebody else has opened: <(command) of a shell.
static bool is_descriptor(const char *path) {
    return begins_with(path, "/dev/fd/") || begins_with(path, "/proc/self/fd/");
}

// Beside a device or a pipe no file is wanted.
static bool is_no_place(const char *path) {
    return begins_with(path, "/dev/") || begins_with(path, "/proc/") || plat_path_kind(path) == PLAT_STREAM;
}

// The name of the trace of one recording; in a folder when --output names one. part: its number among those of its text
// or archive. The first attempt is the short name. Allocated; NULL: no memory.
static char *make_path(const char *folder, const struct input *input, unsigned part, unsigned attempt, bool gzip) {
    const char *source = strcmp(input->source->path, "-") == 0 ? "stdin" : input->source->path;
    const char *from = folder || is_no_place(source) ? plat_base_name(source) : source;
    size_t len = attempt > 0 ? strlen(from) : stem_len(from);
    size_t room = (folder ? strlen(folder) : 0) + len + 64;
    char *path = malloc(room), block[16] = "", number[16] = "";
    if (!path) return NULL;
    bool slash = folder && *folder && !strchr("/\\", folder[strlen(folder) - 1]);
    if (part > 0) snprintf(block, sizeof block, "-%u", part + 1);
    if (attempt > 1) snprintf(number, sizeof number, ".%u", attempt);
    snprintf(path, room, "%s%s%.*s%s%s.pftrace%s", folder ? folder : "", slash ? "/" : "", (int)len, from, block,
             number, gzip ? ".gz" : "");
    return path;
}

struct outputs {
    const char *one;    // --output FILE or -
    const char *folder; // --output FOLDER
    char **taken;       // paths of this run, so that two recordings never meet in one file
    size_t taken_count;
    const struct source *archive; // the last recording came from this archive
    unsigned parts;               // ... and so did this many
};

// The number of a recording among those of its text or archive, from 0.
static unsigned count_part(struct outputs *outputs, const struct input *input) {
    const struct source *source = input->source;
    if (!source->in_archive) return input->block;
    bool same = outputs->archive && strcmp(outputs->archive->path, source->path) == 0;
    outputs->parts = same ? outputs->parts + 1 : 0;
    outputs->archive = source;
    return outputs->parts;
}

static bool is_taken(const struct outputs *outputs, const char *path) {
    for (size_t i = 0; i < outputs->taken_count; i++) {
        if (strcmp(outputs->taken[i], path) == 0) return true;
    }
    return plat_path_kind(path) == PLAT_FOLDER;
}

// Owned by `outputs`; NULL: no memory.
static const char *choose_path(struct outputs *outputs, const struct settings *settings, const struct input *input) {
    if (outputs->one) return outputs->one;
    unsigned part = count_part(outputs, input);
    char *path = make_path(outputs->folder, input, part, 0, settings->gzip);
    for (unsigned attempt = 1; path && is_taken(outputs, path); attempt++) {
        free(path);
        path = make_path(outputs->folder, input, part, attempt, settings->gzip);
    }
    char **taken = path ? realloc(outputs->taken, (outputs->taken_count + 1) * sizeof *taken) : NULL;
    if (!taken) {
        free(path);
        message_error("out of memory");
        return NULL;
    }
    outputs->taken = taken;
    return outputs->taken[outputs->taken_count++] = path;
}

static void release_outputs(struct outputs *outputs) {
    for (size_t i = 0; i < outputs->taken_count; i++) free(outputs->taken[i]);
    free(outputs->taken);
}

static bool is_piped(const struct workload *work) {
    const char *path = workload_first(work, 0)->source->path;
    return work->groups == 1 && (strcmp(path, "-") == 0 || is_descriptor(path));
}

static bool names_folder(const char *path) {
    return plat_path_kind(path) == PLAT_FOLDER || (*path && *plat_base_name(path) == 0);
}

static bool outputs_are_enough(const struct settings *settings, const struct workload *work,
                               const struct outputs *outputs) {
    if (work->groups > 1 && outputs->one) {
        message_error("these are %u recordings, --output names one file; name a folder, or say with @N which files are "
                      "cores of one recording",
                      (unsigned)work->groups);
        return false;
    }
    if (work->groups > 1 && (settings->serve || settings->open)) {
        message_error("these are %u recordings; one at a time can be served", (unsigned)work->groups);
        return false;
    }
    if (outputs->one && strcmp(outputs->one, "-") == 0 && plat_is_terminal(PLAT_STDOUT)) {
        message_error(
            "a trace is no text, and standard output is a terminal; name a file with --output, or redirect it");
        return false;
    }
    return true;
}

static int choose_outputs(const struct settings *settings, const struct workload *work, struct outputs *out) {
    *out = (struct outputs){ .one = settings->output };
    if (!out->one && is_piped(work) && !plat_is_terminal(PLAT_STDOUT) && !settings->serve && !settings->open)
        out->one = "-";
    if (out->one && names_folder(out->one)) {
        out->folder = out->one;
        out->one = NULL;
    }
    if (!outputs_are_enough(settings, work, out)) return EXIT_USAGE;
    if (!out->folder || plat_make_folder(out->folder)) return EXIT_FINE;
    message_error("%s: the folder cannot be made: %s", out->folder, plat_error());
    return EXIT_OUTPUT;
}

// ---- Telling -------------------------------------------------------------------------------------

static void tell_result(const struct engine *engine, const char *path, uint64_t bytes) {
    const char *report = (const char *)engine->report.data;
    uint64_t events = json_number(json_member(json_member(report, "events"), "total"));
    uint64_t ns = json_number(json_member(json_member(report, "time"), "duration"));
    char length[48], of_cores[24] = "";
    unsigned cores = (unsigned)json_count(json_member(report, "cores"));
    if (cores)
        snprintf(of_cores, sizeof of_cores, "%u core%s, ", cores, cores == 1 ? "" : "s"); // signals belong to none
    message_info("%s -> %s: %" PRIu64 " event%s, %s%s, %" PRIu64 " bytes", engine->first->name,
                 strcmp(path, "-") == 0 ? "standard output" : path, events, events == 1 ? "" : "s", of_cores,
                 engine_time_text(engine, ns, length), bytes);
    if (engine->interrupted) message_info("  stopped by you; the trace holds what had arrived");
    uint64_t expected = engine->settings->core_count;
    if (expected && expected != cores)
        message_warn("--core-count says %" PRIu64 ", the data has %u; all of them were converted", expected, cores);
    engine_report_range(engine);
    engine_report_problems(engine);
}

// ---- One recording -------------------------------------------------------------------------------

// The reader of a pipe may go when it has seen enough; but then nobody knows what the gates would have found.
static int end_refused(struct engine *engine, output *out) {
    bool closed = output_pipe_was_closed(out);
    output_discard(out);
    bool by_problems = engine->settings->fail_on.count > 0, by_figures = engine->settings->expect.count > 0;
    if (!closed || !(by_problems || by_figures)) return closed ? EXIT_FINE : EXIT_OUTPUT;
    message_error("%s: the reader of standard output went away before the end, so %s could not be judged",
                  engine->first->name, by_problems ? "--fail-on" : "--expect");
    return EXIT_OUTPUT;
}

// A finite file that was not read to its end gives no trace; a line gives what had arrived.
static int end_output(struct engine *engine, output *out, const char *path, bool ok, uint64_t *out_bytes) {
    if (engine->interrupted && !engine_is_live(engine)) {
        output_discard(out);
        message_error("stopped; %s was not written", path);
        return plat_stop_code();
    }
    if (engine->status == TK_SINK_REFUSED || output_failed(out)) return end_refused(engine, out);
    if (engine->status == TK_UNKNOWN_FORMAT || (!ok && engine->status == TK_OK)) {
        output_discard(out);
        return EXIT_INPUT;
    }
    // Short of memory, what was written so far is a loadable trace.
    if (!output_commit(out, out_bytes)) return EXIT_OUTPUT;
    return ok ? EXIT_FINE : EXIT_INPUT;
}

static int serve_result(const struct engine *engine, const char *path) {
#ifdef CLI_SERVE
    const struct settings *settings = engine->settings;
    if (settings->serve || settings->open)
        return serve_file(settings, path, engine->first->name, json_member((const char *)engine->report.data, "view"));
#else
    (void)engine, (void)path;
#endif
    return EXIT_FINE;
}

static int run_into(struct engine *engine, const char *path) {
    output *out = output_open(path, engine->settings->gzip);
    if (!out) return EXIT_OUTPUT;
    struct tk_sink sink = output_sink(out);
    engine->show_progress = !engine->settings->quiet;
    bool ok = tk_set_sink(engine->handle, &sink) == TK_OK && engine_run(engine);
    uint64_t bytes = 0;
    int result = end_output(engine, out, path, ok, &bytes);
    if (result != EXIT_FINE || !ok) return result;
    tell_result(engine, path, bytes);
    int judged = exit_code_join(engine_fails(engine) ? EXIT_PROBLEMS : EXIT_FINE, figures_evaluate(engine));
    if (judged != EXIT_FINE) return judged;
    return engine->interrupted ? EXIT_FINE : serve_result(engine, path);
}

static int convert(const struct settings *settings, const struct workload *work, uint32_t group,
                   struct outputs *outputs) {
    const char *path = choose_path(outputs, settings, workload_first(work, group));
    if (!path) return EXIT_OUTPUT;
    if (workload_has_output(work, path)) return EXIT_USAGE;
    struct engine engine;
    int result = engine_prepare(&engine, settings, work, group) ? run_into(&engine, path) : EXIT_USAGE;
    engine_release(&engine);
    return result;
}

// ---- The command ---------------------------------------------------------------------------------

static bool settings_agree(const struct settings *settings) {
    bool serves = settings->serve || settings->open;
    if (serves && settings->output && strcmp(settings->output, "-") == 0) {
        message_error("--output - and --%s contradict each other", settings->open ? "open" : "serve");
        return false;
    }
    if (!serves && (settings->hand_over || settings->viewer || settings->port)) {
        message_error("--viewer, --port and --hand-over need --serve or --open");
        return false;
    }
    return true;
}

static int convert_all(const struct settings *settings, const struct workload *work) {
    struct outputs outputs;
    int result = choose_outputs(settings, work, &outputs);
    uint32_t group = 0;
    if (result == EXIT_FINE) {
        for (; group < work->groups && !(group > 0 && plat_stop_requested()); group++)
            result = exit_code_join(result, convert(settings, work, group, &outputs));
    }
    if (plat_stop_requested() && group < work->groups) result = exit_code_join(result, plat_stop_code());
    release_outputs(&outputs);
    return result;
}

int cmd_convert(const struct settings *settings) {
    struct workload work = { .groups = 0 };
    struct settings mine = *settings;
    mine.keep_text = true;
    if (!settings_agree(settings)) return EXIT_USAGE;
    plat_catch_stop();
    int result = workload_find(&mine, &work);
    if (result == EXIT_FINE) result = convert_all(&mine, &work);
    if (work.skipped || workload_read_failed(&work)) result = exit_code_join(result, EXIT_INPUT);
    workload_release(&work);
    return result;
}
