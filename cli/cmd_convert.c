// SPDX-License-Identifier: MIT
#include "commands.h"
#include "host.h"
#include "message.h"
#include "results.h"
#ifdef CLI_SERVE
#include "serve.h"
#endif

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- Names ---------------------------------------------------------------------------------------

static bool is_alnum(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// Returns the length of a path without .gz and without one ending of up to five letters and digits, as on the page:
// capture.bin.gz -> capture, x.core0.bin -> x.core0.
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

// Returns true for a file descriptor that the shell has opened, as for <(command).
static bool is_descriptor(const char *path) {
    return begins_with(path, "/dev/fd/") || begins_with(path, "/proc/self/fd/");
}

// Returns true for a device or a pipe: the default output is never placed beside it.
static bool is_no_place(const char *path) {
    return begins_with(path, "/dev/") || begins_with(path, "/proc/") || plat_path_kind(path) == PLAT_STREAM;
}

// Returns the path of the trace of one recording; in `folder` if --output names one, else NULL. part: number of the
// recording in its text or archive. attempt: 0: short name; later attempts give longer, different names. Allocated;
// NULL: no memory.
static char *make_path(const char *folder, const struct source *input, unsigned part, unsigned attempt, bool gzip) {
    const char *source = strcmp(input->path, "-") == 0 ? "stdin" : input->path;
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
    const char *one;    // output of --output FILE or -; NULL: each recording has a separate file
    const char *folder; // folder of --output FOLDER; NULL: none
    char **taken;       // paths that recordings of this run have got; a path is used once
    size_t taken_count;
    const struct source *archive; // archive of the last recording; NULL: none
    unsigned parts;               // number of recordings of this archive before the last one
};

// State of the command, in host->ctx.
struct conversion {
    struct outputs outputs;
    const char *path; // output of the current recording
};

// Returns the number of a recording in its text or archive, from 0.
static unsigned count_part(struct outputs *outputs, const struct source *source,
                           const struct tk_conversion_input *input) {
    if (input->member < 0) return input->block;
    bool same = outputs->archive == source;
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

// Returns the output path of a recording, owned by `outputs`; NULL after a message: no memory.
static const char *choose_path(struct outputs *outputs, const struct settings *settings, const struct source *source,
                               const struct tk_conversion_input *input) {
    if (outputs->one) return outputs->one;
    unsigned part = count_part(outputs, source, input);
    char *path = make_path(outputs->folder, source, part, 0, settings->gzip);
    for (unsigned attempt = 1; path && is_taken(outputs, path); attempt++) {
        free(path);
        path = make_path(outputs->folder, source, part, attempt, settings->gzip);
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

// Returns the first source of the first recording; NULL: none.
static const struct source *first_source(const struct host *host) {
    struct tk_conversion_input input;
    for (uint32_t i = 0; i < tk_conversion_input_count(host->conversion); i++) {
        tk_conversion_input(host->conversion, i, &input);
        if (input.plan->out_group == 0) return &host->sources.items[input.source];
    }
    return NULL;
}

static bool is_piped(const struct host *host) {
    const struct source *source = first_source(host);
    return tk_conversion_recording_count(host->conversion) == 1 && source &&
           (strcmp(source->path, "-") == 0 || is_descriptor(source->path));
}

static bool names_folder(const char *path) {
    return plat_path_kind(path) == PLAT_FOLDER || (*path && *plat_base_name(path) == 0);
}

static bool outputs_are_enough(const struct settings *settings, uint32_t recordings, const struct outputs *outputs) {
    if (recordings > 1 && outputs->one) {
        message_error("these are %u recordings, --output names one file; name a folder, or say with @N which files are "
                      "cores of one recording",
                      (unsigned)recordings);
        return false;
    }
    if (recordings > 1 && (settings->serve || settings->open)) {
        message_error("these are %u recordings; one at a time can be served", (unsigned)recordings);
        return false;
    }
    if (outputs->one && strcmp(outputs->one, "-") == 0 && plat_is_terminal(PLAT_STDOUT)) {
        message_error(
            "a trace is no text, and standard output is a terminal; name a file with --output, or redirect it");
        return false;
    }
    return true;
}

static int choose_outputs(struct host *host) {
    const struct settings *settings = host->settings;
    struct outputs *out = &((struct conversion *)host->ctx)->outputs;
    *out = (struct outputs){ .one = settings->output };
    if (!out->one && is_piped(host) && !plat_is_terminal(PLAT_STDOUT) && !settings->serve && !settings->open)
        out->one = "-";
    if (out->one && names_folder(out->one)) {
        out->folder = out->one;
        out->one = NULL;
    }
    if (!outputs_are_enough(settings, tk_conversion_recording_count(host->conversion), out)) return EXIT_USAGE;
    if (!out->folder || plat_make_folder(out->folder)) return EXIT_FINE;
    message_error("%s: the folder cannot be made: %s", out->folder, plat_error());
    return EXIT_OUTPUT;
}

// ---- Messages ------------------------------------------------------------------------------------

static void print_result(const struct host *host, const char *path, uint64_t bytes) {
    const tk_report *report = host->report;
    uint64_t events, ns;
    tk_report_number(report, "events", 0, "total", &events);
    tk_report_number(report, "time", 0, "duration", &ns);
    char length[48], of_cores[24] = "";
    unsigned cores = tk_report_row_count(report, "cores");
    if (cores)
        snprintf(of_cores, sizeof of_cores, "%u core%s, ", cores, cores == 1 ? "" : "s"); // recordings of signals have
                                                                                          // no cores
    message_info("%s -> %s: %" PRIu64 " event%s, %s%s, %" PRIu64 " bytes", host_name(host),
                 strcmp(path, "-") == 0 ? "standard output" : path, events, events == 1 ? "" : "s", of_cores,
                 results_time_text(report, ns, length), bytes);
    if (host->is_stopped) message_info("  stopped by you; the trace holds what had arrived");
    uint64_t expected = host->settings->core_count;
    if (expected && expected != cores)
        message_warn("--core-count says %" PRIu64 ", the data has %u; all of them were converted", expected, cores);
    results_print_problems(host);
}

// ---- One recording -------------------------------------------------------------------------------

static int open_trace(struct host *host, const struct source *source) {
    struct conversion *self = host->ctx;
    struct tk_conversion_input input = { 0 };
    uint32_t at = 0;
    host_next_recording(host, &at, &input);
    self->path = choose_path(&self->outputs, host->settings, source, &input);
    if (!self->path) return EXIT_OUTPUT;
    if (sources_have_output(&host->sources, self->path)) return EXIT_USAGE;
    host->trace = output_open(self->path, host->settings->gzip);
    return host->trace ? EXIT_FINE : EXIT_OUTPUT;
}

static int serve_result(const struct host *host, const char *path) {
#ifdef CLI_SERVE
    const struct settings *settings = host->settings;
    if (settings->serve || settings->open)
        return serve_file(settings, path, host_name(host), tk_conversion_handle(host->conversion));
#else
    (void)host, (void)path;
#endif
    return EXIT_FINE;
}

static int close_trace(struct host *host) {
    const struct conversion *self = host->ctx;
    uint64_t bytes = 0;
    bool is_written = output_commit(host->trace, &bytes);
    host->trace = NULL;
    if (!is_written) return EXIT_OUTPUT;
    print_result(host, self->path, bytes);
    bool has_rules = options_value(host->settings, "fail-on") || options_value(host->settings, "expect");
    int result = host->is_stopped && has_rules ? plat_stop_code() : EXIT_FINE; // --fail-on and --expect need the
                                                                               // complete input
    if (!host->is_stopped && tk_conversion_exit_code(host->conversion) == TK_EXIT_FINE)
        result = serve_result(host, self->path);
    return result;
}

static void discard_trace(struct host *host) {
    if (host->is_stopped) message_error("stopped; %s was not written", ((struct conversion *)host->ctx)->path);
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

int cmd_convert(const struct settings *settings) {
    struct conversion self = { .path = "" };
    struct host host = { .settings = settings,
                         .show_progress = !settings->quiet,
                         .ctx = &self,
                         .on_plan = choose_outputs,
                         .on_open = open_trace,
                         .on_close = close_trace,
                         .on_discard = discard_trace };
    if (!settings_agree(settings)) return EXIT_USAGE;
    int result = host_run(&host, "trace");
    release_outputs(&self.outputs);
    host_release(&host);
    return result;
}
