// SPDX-License-Identifier: MIT
#include "commands.h"
#include "host.h"
#include "live.h"
#include "message.h"
#include "results.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIGURES_MS = 200, SILENT_MS = 1000 }; // SILENT_MS: after that, the figures show that no bytes come

struct recording {
    uint64_t begin_ms;    // of the duration: when the first byte came, or the start
    uint64_t duration_ms; // 0: no limit
    uint64_t figures_ms;  // when the figures were read last
    uint64_t last_bytes;  // that had been received then
    uint64_t last_byte_ms;
    bool is_open;      // a format has recognised the bytes
    bool is_until;     // the rule of --until was fulfilled
    uint64_t until_ms; // when it was
    uint64_t after_ms; // how long the recording goes on then
    const char *path;
};

// ---- What the user wrote -------------------------------------------------------------------------

// Reads a duration with a unit. Returns false after a message.
static bool read_duration(const char *option, const char *text, uint64_t *out_ms) {
    static const struct {
        const char *unit;
        double ms;
    } units[] = { { "ms", 1 }, { "s", 1000 }, { "min", 60e3 }, { "h", 3600e3 } };
    char *end;
    double number = strtod(text, &end);
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        double ms = number * units[i].ms;
        if (end == text || strcmp(end, units[i].unit) != 0 || !(ms >= 1 && ms < 1e15)) continue;
        *out_ms = (uint64_t)ms;
        return true;
    }
    message_error("--%s takes a time such as 30s, 500ms, 10min or 2h, not \"%s\"", option, text);
    return false;
}

static bool read_memory(const char *text, struct target_memory *out_memory) {
    char *end;
    *out_memory = (struct target_memory){ 0x20000000, 0x10000 };
    if (!text) return true;
    out_memory->begin = strtoull(text, &end, 0);
    bool ok = end != text && *end == ':' && text[0] != '-' && end[1] >= '0' && end[1] <= '9';
    if (ok) out_memory->len = strtoull(end + 1, &end, 0);
    if (ok && !*end && out_memory->len && out_memory->len <= 1u << 30) return true;
    message_error("--ram takes a range of memory such as 0x20000000:0x8000, not \"%s\"", text);
    return false;
}

static bool is_valid_rule(const char *rule) {
    char text[TK_EXPECT_TEXT];
    if (!rule || tk_expect_check(rule, text)) return true;
    message_error("--until %s: %s", rule, text);
    return false;
}

// Returns false after a message if options do not fit the source.
static bool options_fit(const struct settings *settings, const struct target *target) {
    bool is_memory = target_is_memory(target);
    if (settings->after && !settings->until) {
        message_error("--after needs --until");
        return false;
    }
    if (!settings->live && (settings->open || settings->page)) {
        message_error("--open and --page need --live");
        return false;
    }
    if (is_memory && !settings->once) {
        message_error("%s halts the target while its memory is read, and can do that only once: say --once",
                      target_name(target));
        return false;
    }
    if (!is_memory && (settings->once || settings->ram)) {
        message_error("--once and --ram need gdb:HOST:PORT");
        return false;
    }
    if (is_memory && (settings->until || settings->duration)) {
        message_error("--once reads what is there: --until and --duration do not apply");
        return false;
    }
    return true;
}

// Returns a name that no file has. Allocated; NULL: no memory.
static char *free_name(void) {
    char *name = malloc(40);
    for (unsigned number = 1; name; number++) {
        snprintf(name, 40, "recording-%u.bin", number);
        if (plat_path_kind(name) == PLAT_MISSING) break;
    }
    return name;
}

// ---- Figures while it runs -----------------------------------------------------------------------

static const char *state_text(const struct host *host, uint64_t now) {
    const struct recording *self = host->ctx;
    switch (target_state(host->target)) {
    case TARGET_WAITING: return "waiting";
    case TARGET_GONE: return "gone";
    case TARGET_ENDED: return "ended";
    case TARGET_RUNNING: break;
    }
    return now - self->last_byte_ms > SILENT_MS ? "no bytes come" : "running";
}

static void show_figures(const struct host *host, const tk_report *report, uint64_t now, double rate) {
    const struct recording *self = host->ctx;
    uint64_t events = 0, lost = 0, errors = target_line_errors(host->target);
    char figures[120] = "", line[48] = "";
    if (report) {
        tk_report_number(report, "events", 0, "total", &events);
        tk_report_number(report, "events", 0, "lost", &lost);
        snprintf(figures, sizeof figures, "  %" PRIu64 " events  %" PRIu64 " lost", events, lost);
    }
    if (errors) snprintf(line, sizeof line, "  %" PRIu64 " line errors", errors);
    uint64_t seconds = (now - self->begin_ms) / 1000;
    message_progress("%s  %" PRIu64 ":%02" PRIu64 "  %.1f kB  %.1f kB/s%s%s", state_text(host, now), seconds / 60,
                     seconds % 60, (double)self->last_bytes / 1000, rate, figures, line);
}

// Returns the report on what was received so far; NULL: nothing was recognised yet, or no memory.
static tk_report *report_now(const struct host *host) {
    const struct recording *self = host->ctx;
    const tk *handle = self->is_open ? tk_conversion_handle(host->conversion) : NULL;
    tk_report *report = NULL;
    if (!handle || tk_report_new(handle, tk_libc_allocator(), &report) != TK_OK) return NULL;
    return report;
}

static bool go_on(struct host *host) {
    struct recording *self = host->ctx;
    uint64_t now = plat_now_ms(), bytes = target_received(host->target), passed = now - self->figures_ms;
    if (!self->last_byte_ms && bytes) self->begin_ms = now;
    if (bytes != self->last_bytes) self->last_byte_ms = now;
    if (self->duration_ms && now - self->begin_ms >= self->duration_ms) return false;
    if (self->is_until && now - self->until_ms >= self->after_ms) return false;
    if (passed < FIGURES_MS) return true;
    double rate = (double)(bytes - self->last_bytes) / (double)passed;
    self->last_bytes = bytes;
    self->figures_ms = now;
    bool is_shown = !host->settings->quiet && plat_is_terminal(PLAT_STDERR) && !plat_terminal_is_plain();
    bool is_asked = host->settings->until && !self->is_until;
    if (!is_shown && !is_asked) return true;
    tk_report *report = report_now(host);
    if (is_shown) show_figures(host, report, now, rate);
    char text[TK_EXPECT_TEXT];
    if (report && is_asked && tk_report_expect(report, host->settings->until, text) == TK_EXPECT_PASS) {
        self->is_until = true;
        self->until_ms = now;
    }
    tk_report_free(report);
    return !self->is_until || self->after_ms > 0;
}

// ---- Outputs -------------------------------------------------------------------------------------

// An archive that comes through a pipe may contain several recordings.
static int check_count(struct host *host) {
    if (!host->settings->trace || tk_conversion_recording_count(host->conversion) < 2) return EXIT_FINE;
    message_error("these are several recordings, --trace names one file; `tonkopf conv %s` writes a trace for each",
                  ((struct recording *)host->ctx)->path);
    return EXIT_OUTPUT;
}

static int open_recording(struct host *host, const struct source *first) {
    const char *trace = host->settings->trace;
    (void)first;
    ((struct recording *)host->ctx)->is_open = true;
    host->trace = trace ? output_open(trace, false) : NULL;
    return host->trace || !trace ? EXIT_FINE : EXIT_OUTPUT;
}

static void print_result(const struct host *host) {
    const struct recording *self = host->ctx;
    uint64_t events = 0, duration = 0;
    char time[48];
    tk_report_number(host->report, "events", 0, "total", &events);
    tk_report_number(host->report, "time", 0, "duration", &duration);
    message_info("%s -> %s%s%s: %" PRIu64 " bytes, %" PRIu64 " event%s, %s%s%s", target_name(host->target), self->path,
                 host->settings->trace ? " and " : "", host->settings->trace ? host->settings->trace : "",
                 target_received(host->target), events, events == 1 ? "" : "s",
                 results_time_text(host->report, duration, time), self->is_until ? "; ended by " : "",
                 self->is_until ? host->settings->until : "");
}

static int close_recording(struct host *host) {
    struct recording *self = host->ctx;
    bool is_written = !host->trace || output_commit(host->trace, NULL);
    host->trace = NULL;
    self->is_open = false;
    message_end_progress();
    if (!keep_has_failed(host->keep)) print_result(host);
    results_print_problems(host);
    return is_written ? EXIT_FINE : EXIT_OUTPUT;
}

static void discard_recording(struct host *host) { ((struct recording *)host->ctx)->is_open = false; }

// ---- The command ---------------------------------------------------------------------------------

// Returns false after a message if a file would be written that is read, or written twice.
static bool outputs_are_apart(const struct settings *settings, const struct keep *keep) {
    const char *trace = settings->trace;
    if (!trace) return true;
    if (strcmp(trace, "-") == 0) {
        if (settings->rules) message_error("--trace -: the verdicts of --rules are on standard output; name a file");
        return !settings->rules;
    }
    bool is_named = names_same_file(trace, settings->rules) || keep_has_file(keep, trace);
    if (is_named) message_error("%s is named twice; name another file for what is written", trace);
    return !is_named;
}

// Judges the file as `tonkopf check` does. The user may have stopped the recording, and may stop this too.
static int judge(const struct settings *settings, tk_check *check, const char *path) {
    const char *inputs[] = { settings->rules, path };
    struct settings mine = *settings;
    mine.inputs = (struct text_list){ inputs, 2 };
    mine.output = NULL;
    plat_forget_stop();
    return check_judge(&mine, check);
}

// How long the recording goes on.
struct limits {
    uint64_t duration_ms, after_ms; // 0: no limit; nothing after the rule of --until is fulfilled
};

static int record(const struct settings *settings, struct target *target, struct keep *keep, const char *path,
                  struct limits limits) {
    const char *inputs[] = { "-" };
    struct settings mine = *settings;
    mine.inputs = (struct text_list){ inputs, 1 };
    mine.output = settings->trace;
    uint64_t now = plat_now_ms();
    struct recording self = {
        .begin_ms = now, .figures_ms = now, .duration_ms = limits.duration_ms, .after_ms = limits.after_ms, .path = path
    };
    struct host host = { .settings = &mine,
                         .target = target,
                         .keep = keep,
                         .ctx = &self,
                         .on_plan = check_count,
                         .on_open = open_recording,
                         .on_close = close_recording,
                         .on_discard = discard_recording,
                         .on_wait = go_on };
    struct live *live = settings->live ? live_open(path, settings->page, settings->open) : NULL;
    if (settings->live && !live) {
        keep_close(keep);
        return EXIT_USAGE;
    }
    int result = host_run(&host, settings->trace ? "trace" : "report");
    message_end_progress();
    live_close(live);
    uint64_t errors = target_line_errors(target);
    if (errors)
        message_warn("%s: %" PRIu64 " framing, parity or overrun errors; is the baud rate right?", target_name(target),
                     errors);
    host_release(&host);
    return target_ended_well(target) ? result : exit_code_join(result, EXIT_INPUT);
}

// Records into the file, and judges it.
static int record_to(const struct settings *settings, struct target *target, const char *path, struct limits limits) {
    tk_check *check = NULL;
    int result = settings->rules ? check_read_rules(settings->rules, &check) : EXIT_FINE;
    bool is_wrong = check && tk_check_is_wrong(check);
    struct keep *keep = result == EXIT_FINE && !is_wrong ? keep_open(path) : NULL;
    if (is_wrong) {
        result = judge(settings, check, path); // prints what is wrong
    } else if (result == EXIT_FINE && !keep) {
        result = EXIT_INPUT;
    } else if (keep && !outputs_are_apart(settings, keep)) {
        keep_close(keep);
        result = EXIT_USAGE;
    } else if (keep) {
        result = record(settings, target, keep, path, limits);
        if (result != EXIT_USAGE && target_received(target) && check)
            result = exit_code_join(result, judge(settings, check, path));
    }
    tk_check_free(check);
    return result;
}

int cmd_record(const struct settings *settings) {
    struct target_memory memory;
    struct limits limits = { 0 };
    if (settings->inputs.count != 1) {
        message_error("record takes one source, as in `tonkopf record serial:/dev/ttyUSB0@115200`");
        return EXIT_USAGE;
    }
    if (settings->output && strcmp(settings->output, "-") == 0) {
        message_error("--output - is no file; --trace - writes the trace to standard output");
        return EXIT_USAGE;
    }
    if (!read_memory(settings->ram, &memory) || !is_valid_rule(settings->until) ||
        (settings->duration && !read_duration("duration", settings->duration, &limits.duration_ms)) ||
        (settings->after && !read_duration("after", settings->after, &limits.after_ms)))
        return EXIT_USAGE;
    struct target *target = target_new(settings->inputs.items[0], memory);
    char *name = settings->output ? NULL : free_name();
    const char *path = settings->output ? settings->output : name;
    int result = EXIT_USAGE;
    if (target && path && options_fit(settings, target)) result = record_to(settings, target, path, limits);
    free(name);
    target_free(target);
    return result;
}
