// SPDX-License-Identifier: MIT
#include "commands.h"
#include "engine.h"
#include "json.h"
#include "message.h"
#include "output.h"
#ifdef CLI_SERVE
#include "serve.h"
#endif

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

// ---- Names ---------------------------------------------------------------------------------------

static bool is_alnum(char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

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

// The name of the trace of one recording; in a folder when --output names one. Allocated.
static char *make_path(const char *folder, const struct input *input, bool whole_name, bool gzip) {
    const char *source = strcmp(input->source->path, "-") == 0 ? "stdin" : input->source->path;
    const char *from = folder ? plat_base_name(source) : source;
    size_t len = whole_name ? strlen(from) : stem_len(from);
    size_t room = (folder ? strlen(folder) : 0) + len + 64;
    char *path = malloc(room);
    if (!path) return NULL;
    bool slash = folder && *folder && !strchr("/\\", folder[strlen(folder) - 1]);
    char block[16] = "";
    if (input->block > 0) snprintf(block, sizeof block, "-%u", (unsigned)input->block + 1);
    snprintf(path, room, "%s%s%.*s%s.pftrace%s", folder ? folder : "", slash ? "/" : "", (int)len, from, block, gzip ? ".gz" : "");
    return path;
}

struct outputs {
    const char *one;    // --output FILE or -
    const char *folder; // --output FOLDER
    char **taken;       // paths of this run, so that two recordings never meet in one file
    size_t taken_count;
};

static bool is_taken(const struct outputs *outputs, const char *path) {
    for (size_t i = 0; i < outputs->taken_count; i++) {
        if (strcmp(outputs->taken[i], path) == 0) return true;
    }
    return plat_path_kind(path) == PLAT_FOLDER;
}

// Owned by `outputs`; NULL: no memory.
static const char *choose_path(struct outputs *outputs, const struct settings *settings, const struct input *input) {
    if (outputs->one) return outputs->one;
    char *path = make_path(outputs->folder, input, false, settings->gzip);
    if (path && is_taken(outputs, path)) {
        free(path);
        path = make_path(outputs->folder, input, true, settings->gzip);
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

static bool is_piped_from_stdin(const struct workload *work) {
    return work->groups == 1 && strcmp(work->inputs.items[0].source->path, "-") == 0;
}

static int choose_outputs(const struct settings *settings, const struct workload *work, struct outputs *out) {
    *out = (struct outputs){.one = settings->output};
    if (!out->one && is_piped_from_stdin(work) && !plat_is_terminal(PLAT_STDOUT) && !settings->serve && !settings->open) out->one = "-";
    if (out->one && strcmp(out->one, "-") != 0 && plat_path_kind(out->one) == PLAT_FOLDER) {
        out->folder = out->one;
        out->one = NULL;
    }
    if (work->groups > 1 && out->one) {
        message_error("these are %u recordings, --output names one file; name a folder, or say with @N which files are cores of one recording", (unsigned)work->groups);
        return EXIT_USAGE;
    }
    if (work->groups > 1 && (settings->serve || settings->open)) {
        message_error("these are %u recordings; one at a time can be served", (unsigned)work->groups);
        return EXIT_USAGE;
    }
    return EXIT_FINE;
}

static bool is_same_file(const struct workload *work, const char *path) {
    if (strcmp(path, "-") == 0) return false;
    for (size_t i = 0; i < work->sources.count; i++) {
        if (strcmp(work->sources.items[i].path, path) == 0) return true;
    }
    return false;
}

// ---- Telling -------------------------------------------------------------------------------------

// In ticks while nothing tells how long one is.
static void put_length(const char *report, char *out, size_t out_size) {
    const char *tick = json_member(report, "tick");
    uint64_t ns = json_number(json_member(json_member(report, "time"), "durationNs"));
    if (json_number(json_member(tick, "ns")) == 1 && json_equals(json_member(tick, "source"), "assumed")) snprintf(out, out_size, "%" PRIu64 " ticks", ns);
    else snprintf(out, out_size, "%.6f s", (double)ns / 1e9);
}

static void tell_result(const struct engine *engine, const char *path) {
    const char *report = (const char *)engine->report.data;
    const char *bytes = json_member(json_member(report, "output"), "bytes");
    uint64_t events = json_number(json_member(json_member(report, "events"), "total"));
    char length[48];
    put_length(report, length, sizeof length);
    unsigned cores = (unsigned)json_count(json_member(report, "cores"));
    message_say("%s -> %s: %" PRIu64 " events, %u core%s, %s, %" PRIu64 " bytes", engine->inputs[0].name, strcmp(path, "-") == 0 ? "standard output" : path,
                events, cores, cores == 1 ? "" : "s", length, json_number(bytes));
    if (engine->interrupted) message_say("  stopped by you; the trace holds what had arrived");
    uint64_t expected = engine->settings->core_count;
    if (expected && expected != cores) message_warn("--core-count says %" PRIu64 ", the data has %u; all of them were converted", expected, cores);
    engine_tell_problems(engine);
}

// ---- One recording -------------------------------------------------------------------------------

// A finite file that was not read to its end gives no trace; a line gives what had arrived.
static int end_output(struct engine *engine, output *out, const char *path, bool ok) {
    if (engine->interrupted && !engine_is_live(engine)) {
        output_discard(out);
        message_error("stopped; %s was not written", path);
        return EXIT_STOPPED;
    }
    if (engine->status == TK_SINK_REFUSED || output_failed(out)) {
        bool closed = output_pipe_was_closed(out);
        output_discard(out);
        return closed ? EXIT_FINE : EXIT_OUTPUT;
    }
    if (engine->status == TK_UNKNOWN_FORMAT || (!ok && engine->status == TK_OK)) {
        output_discard(out);
        return EXIT_INPUT;
    }
    // Short of memory, what was written so far is a loadable trace.
    if (!output_commit(out)) return EXIT_OUTPUT;
    return ok ? EXIT_FINE : EXIT_INPUT;
}

static int serve_result(const struct engine *engine, const char *path) {
#ifdef CLI_SERVE
    const struct settings *settings = engine->settings;
    if (settings->serve || settings->open) return serve_file(settings, path, engine->inputs[0].name, json_member((const char *)engine->report.data, "view"));
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
    int result = end_output(engine, out, path, ok);
    if (result != EXIT_FINE || !ok) return result;
    tell_result(engine, path);
    if (engine_fails(engine)) return EXIT_PROBLEMS;
    return engine->interrupted ? EXIT_FINE : serve_result(engine, path);
}

static int convert(const struct settings *settings, const struct workload *work, uint32_t group, struct outputs *outputs) {
    size_t count;
    const char *path = choose_path(outputs, settings, workload_group(work, group, &count));
    if (!path) return EXIT_OUTPUT;
    if (is_same_file(work, path)) {
        message_error("%s is an input; --output has to name another file", path);
        return EXIT_USAGE;
    }
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
    for (uint32_t group = 0; result != EXIT_USAGE && group < work->groups && !plat_stop_requested(); group++) {
        result = exit_code_join(result, convert(settings, work, group, &outputs));
    }
    release_outputs(&outputs);
    return result;
}

int cmd_convert(const struct settings *settings) {
    struct workload work = {.groups = 0};
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
