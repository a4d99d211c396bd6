// SPDX-License-Identifier: MIT
#include "engine.h"

#include "keep.h"
#include "json.h"
#include "message.h"
#include "progress.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

// ---- Preparing -----------------------------------------------------------------------------------

static bool set_option(struct engine *engine, const char *key, const char *value) {
    if (!value || tk_set_option(engine->handle, key, value) == TK_OK) return true;
    message_error("%s", tk_error_text(engine->handle));
    return false;
}

static bool set_number(struct engine *engine, const char *key, uint64_t value) {
    char text[24];
    if (value == 0) return true;
    snprintf(text, sizeof text, "%" PRIu64, value);
    return set_option(engine, key, text);
}

static bool set_range(struct engine *engine) {
    const struct settings *settings = engine->settings;
    const char *from = settings->range_of_figures ? "figures-from-ns" : "from-ns",
               *to = settings->range_of_figures ? "figures-to-ns" : "to-ns";
    return (!settings->from || set_number(engine, from, settings->from_ns)) &&
           (!settings->to || set_number(engine, to, settings->to_ns));
}

// The recording decides, whatever lies beside it; and a live line is decoded from its first byte on.
static const char *mode_name(const char *mode) { return mode && strcmp(mode, "freertos") == 0 ? "free-rtos" : mode; }

// format: of the recording; NULL: any. An option of another one is for other recordings of this command line, or
// workload_find said that it is for none.
static bool set_format_option(struct engine *engine, const char *format, const char *setting) {
    char key[64];
    size_t len = strcspn(setting, "=");
    if (!format_takes(format, setting, len)) return true;
    snprintf(key, sizeof key, "%.*s", (int)len, setting); // no option has a longer name
    return set_option(engine, key, setting + len + 1);
}

static bool set_format_options(struct engine *engine, const char *format) {
    const struct text_list *set = &engine->settings->set;
    for (size_t i = 0; i < set->count; i++)
        if (!set_format_option(engine, format, set->items[i])) return false;
    return true;
}

static bool set_options(struct engine *engine, const char *format) {
    const struct settings *settings = engine->settings;
    const char *mode = format_takes(format, "mode", 4) ? mode_name(settings->mode) : NULL;
    return set_option(engine, "mode", mode) && set_format_options(engine, format) &&
           set_number(engine, "tick-ns", settings->tick_ns) &&
           set_option(engine, "raw-events", settings->raw_events ? "1" : NULL) &&
           set_option(engine, "wall-clock-ns", settings->wall_clock_ns) && set_range(engine);
}

static bool open_handle(struct engine *engine) {
    if (tk_new(tk_libc_allocator(), &engine->handle) == TK_OK) return true;
    message_error("out of memory");
    return false;
}

bool engine_accepts(const struct settings *settings) {
    struct engine trial = { .settings = settings };
    bool ok = open_handle(&trial) && set_option(&trial, "format", settings->type) && set_options(&trial, NULL);
    engine_release(&trial);
    return ok;
}

static bool add_inputs(struct engine *engine) {
    for (size_t i = 0; i < engine->input_count; i++) {
        const struct tk_plan_input *plan = engine->inputs[i]->plan;
        uint32_t number;
        struct tk_input_info info = { .name = engine->inputs[i]->name,
                                      .role = plan->out_role,
                                      .core = i < engine->side_count ? -1 : plan->out_core };
        const struct tk_probe *probe = &engine->inputs[i]->probe;
        tk_status status = tk_add_input(engine->handle, &info, &number);
        if (status == TK_OK && probe->is_dump) status = tk_begin_input_at(engine->handle, number, probe->from);
        if (status == TK_OK) continue;
        message_error("%s: %s", engine->inputs[i]->name, tk_error_text(engine->handle));
        return false;
    }
    return true;
}

static bool open_engine(struct engine *engine, const struct settings *settings, const struct workload *work,
                        uint32_t group) {
    *engine = (struct engine){ .settings = settings, .work = work };
    engine->input_count = workload_group(work, group, engine->inputs, &engine->side_count);
    engine->first = engine->inputs[engine->side_count];
    const char *format = engine->first->plan->out_format;
    return open_handle(engine) && set_option(engine, "format", format) && set_options(engine, format) &&
           add_inputs(engine);
}

// The head of one of the inputs that names the tick length; NULL: none does.
static const struct tk_probe *probe_with_tick(const struct engine *engine) {
    for (size_t i = engine->side_count; i < engine->input_count; i++) {
        if (engine->inputs[i]->probe.names_tick) return &engine->inputs[i]->probe;
    }
    return NULL;
}

static uint64_t told_tick(const struct engine *engine) {
    return json_number(json_member(json_member((const char *)engine->report.data, "tick"), "ns"));
}

// Reads everything once for the tick length alone.
static bool find_tick(struct engine *engine, uint32_t group) {
    struct settings whole = *engine->settings;
    struct engine first;
    whole.from = whole.to = NULL;
    if (engine_is_live(engine)) {
        message_error("%s: the tick length is not in its first bytes, and a pipe can be read only once, so --from and "
                      "--to cannot be found; give --tick-ns, or put it into a file",
                      engine->first->name);
        return false;
    }
    bool ok = open_engine(&first, &whole, engine->work, group);
    if (ok) {
        engine_run(&first); // what fails here is told by the second run
        ok = first.status != TK_OK || set_number(engine, "range-tick-ns", told_tick(&first));
    }
    engine_release(&first);
    return ok;
}

// A part of the time is asked for, and the tick length may stand anywhere in the recording.
static bool settle_range(struct engine *engine, uint32_t group) {
    const struct settings *settings = engine->settings;
    const struct tk_probe *probe = probe_with_tick(engine);
    if ((!settings->from && !settings->to) || settings->tick_ns) return true;
    return probe ? set_number(engine, "range-tick-ns", probe->tick_ns) : find_tick(engine, group);
}

bool engine_prepare(struct engine *engine, const struct settings *settings, const struct workload *work,
                    uint32_t group) {
    return open_engine(engine, settings, work, group) && settle_range(engine, group);
}

void engine_release(struct engine *engine) {
    if (engine->handle) tk_free(engine->handle);
    bytes_release(&engine->report);
}

bool engine_is_live(const struct engine *engine) {
    for (size_t i = 0; i < engine->input_count; i++) {
        if (engine->inputs[i]->source->live) return true;
    }
    return false;
}

// ---- Feeding -------------------------------------------------------------------------------------

struct feed {
    stream *bytes;
    const uint8_t *at;
    size_t left;
    bool ended;
};

struct feeds {
    struct feed items[TK_MAX_INPUTS];
    size_t count;
    struct progress progress;
};

static bool open_feeds(struct engine *engine, struct feeds *feeds) {
    uint64_t total = 0;
    feeds->count = engine->input_count;
    for (size_t i = 0; i < feeds->count; i++) {
        const struct input *input = engine->inputs[i];
        feeds->items[i].bytes = stream_open(input->source, input->block);
        if (!feeds->items[i].bytes) return false;
        total += input->source->size;
    }
    engine->total_bytes = engine_is_live(engine) ? 0 : total;
    progress_start(&feeds->progress, engine->show_progress, engine->total_bytes);
    return true;
}

static uint64_t bytes_read(const struct feeds *feeds) {
    uint64_t raw = 0;
    for (size_t i = 0; i < feeds->count; i++)
        raw += feeds->items[i].bytes ? stream_raw_bytes(feeds->items[i].bytes) : 0;
    return raw;
}

static void close_feeds(struct engine *engine, struct feeds *feeds) {
    progress_end(&feeds->progress);
    engine->read_bytes = bytes_read(feeds);
    for (size_t i = 0; i < feeds->count; i++) stream_close(feeds->items[i].bytes);
}

static void show_progress(const struct engine *engine, struct feeds *feeds) {
    if (!progress_is_due(&feeds->progress)) return;
    struct tk_progress done;
    tk_get_progress(engine->handle, &done);
    progress_show(&feeds->progress, bytes_read(feeds), done.events);
}

// Which input to read next; -1: all have ended.
static int choose(const struct engine *engine, const struct feeds *feeds) {
    int32_t wanted = tk_wanted_input(engine->handle);
    if (wanted >= 0 && !feeds->items[wanted].ended) return wanted;
    for (size_t i = 0; i < feeds->count; i++) {
        if (!feeds->items[i].ended) return (int)i;
    }
    return -1;
}

// A pipe or a device is read as a target sends: when its bytes came may be all that is known of their time.
static tk_status stamp(struct engine *engine, const struct feed *feed, uint32_t number) {
    bool is_only = engine->input_count == engine->side_count + 1 && number == engine->side_count;
    if (!is_only || !engine->inputs[number]->source->live) return TK_OK;
    uint64_t came = stream_came_ns(feed->bytes);
    if (engine->keep) keep_piece(engine->keep, feed->at, feed->left, came);
    return tk_received(engine->handle, number, came);
}

// One piece of one input. False: a fatal error.
static bool feed_piece(struct engine *engine, struct feeds *feeds, uint32_t number) {
    struct feed *feed = &feeds->items[number];
    bool is_new = feed->left == 0;
    if (is_new) feed->at = stream_next(feed->bytes, &feed->left);
    if (feed->left == 0) {
        feed->ended = true;
        return tk_end_input(engine->handle, number) == TK_OK;
    }
    if (is_new && stamp(engine, feed, number) != TK_OK) return false;
    size_t consumed = 0;
    tk_status status = tk_feed(engine->handle, number, feed->at, feed->left, &consumed);
    feed->at += consumed;
    feed->left -= consumed;
    return status == TK_OK;
}

// Of an ELF file of any size only what is asked for is read, where it lies on the disk as it is.
static void feed_ranges(struct engine *engine, struct feeds *feeds, uint32_t number) {
    static uint8_t room[64 * 1024];
    plain *reader = source_open_ranges(engine->inputs[number]->source);
    uint64_t offset, size = engine->inputs[number]->source->size;
    size_t len;
    tk_status status = TK_OK;
    if (!reader) return;
    while (status == TK_OK && tk_wanted_range(engine->handle, number, size, &offset, &len))
        status = tk_feed_range(engine->handle, number, room, inflated_read_at(reader, offset, room, len));
    inflated_close(reader);
    feeds->items[number].ended = tk_end_input(engine->handle, number) == TK_OK;
}

static void feed_all(struct engine *engine, struct feeds *feeds) {
    for (uint32_t i = 0; i < engine->side_count; i++)
        if (engine->inputs[i]->plan->out_role == TK_ROLE_SYMBOLS) feed_ranges(engine, feeds, i);
    for (int number; (number = choose(engine, feeds)) >= 0;) {
        const struct feed *feed = &feeds->items[number];
        if (plat_stop_requested() && !feed->left && !stream_has_more(feed->bytes)) { // what was read counts
            engine->interrupted = true;
            return;
        }
        if (!feed_piece(engine, feeds, (uint32_t)number)) return;
        if (engine->after_piece) engine->after_piece(engine->ctx);
        show_progress(engine, feeds);
    }
}

static bool on_report(void *ctx, const char *text, size_t len) { return bytes_append(ctx, text, len); }

static bool fetch_report(struct engine *engine) {
    bool ok =
        tk_report_json(engine->handle, on_report, &engine->report) == TK_OK && bytes_append(&engine->report, "", 1);
    if (!ok) message_error("out of memory");
    return ok;
}

bool engine_run(struct engine *engine) {
    struct feeds feeds = { .count = 0 };
    bool ok = open_feeds(engine, &feeds);
    if (ok) feed_all(engine, &feeds);
    engine->interrupted = engine->interrupted || plat_stop_requested();
    close_feeds(engine, &feeds);
    if (!ok) return false;
    engine->status = tk_finish(engine->handle);
    if (engine->status == TK_OK) return fetch_report(engine);
    if (engine->status != TK_SINK_REFUSED) message_error("%s: %s", engine->first->name, tk_error_text(engine->handle));
    return false;
}

// ---- The report ----------------------------------------------------------------------------------

static const char *member(const struct engine *engine, const char *key) {
    return json_member((const char *)engine->report.data, key);
}

// "any" is everything that is worth a second look.
static bool matches(const char *problem, const char *word) {
    const char *severity = json_member(problem, "severity");
    if (strcmp(word, "any") == 0) return !json_equals(severity, "info");
    return json_equals(severity, word) || json_equals(json_member(problem, "id"), word);
}

// The first place of a problem; NULL: it has none.
static const char *first_place(const struct engine *engine, const char *problem) {
    char id[64];
    json_text(json_member(problem, "id"), id, sizeof id);
    for (const char *place = json_first(member(engine, "places")); place; place = json_next(place)) {
        if (json_equals(json_member(place, "problem"), id)) return place;
    }
    return NULL;
}

static const char *input_name(const struct engine *engine, const char *problem) {
    const char *place = first_place(engine, problem);
    const char *of = place ? json_member(place, "input_number") : NULL;
    if (!of || json_is_null(of)) return engine->first->name;
    size_t number = (size_t)json_number(of);
    return number < engine->input_count ? engine->inputs[number]->name : "";
}

// Name of the input that has it; NULL: none.
static const char *find_damaged_source(const struct engine *engine) {
    for (size_t i = 0; i < engine->input_count; i++) {
        if (engine->inputs[i]->source->damaged || engine->inputs[i]->source->archive_damaged)
            return engine->inputs[i]->name;
    }
    return NULL;
}

const char *engine_find_trouble(const struct engine *engine, const char *word) {
    bool drops = strcmp(word, "drops") == 0 && json_number(json_member(member(engine, "events"), "lost")) > 0;
    bool restarts = strcmp(word, "restarts") == 0 && json_number(json_member(member(engine, "events"), "restarts")) > 0;
    if (drops || restarts) return engine->first->name;
    for (const char *problem = json_first(member(engine, "problems")); problem; problem = json_next(problem)) {
        if (matches(problem, word)) return input_name(engine, problem);
    }
    return strcmp(word, "damage") == 0 || strcmp(word, "any") == 0 ? find_damaged_source(engine) : NULL;
}

bool engine_has_times(const struct engine *engine) {
    return json_number(json_member(member(engine, "events"), "timed")) > 0;
}

bool engine_fails(const struct engine *engine) {
    const struct text_list *words = &engine->settings->fail_on;
    bool fails = false;
    for (size_t i = 0; i < words->count; i++) {
        const char *name = engine_find_trouble(engine, words->items[i]);
        if (!name) continue;
        message_error("%s: has %s, and --fail-on %s was given", name, words->items[i], words->items[i]);
        fails = true;
    }
    bool is_empty = words->count > 0 && !engine_has_times(engine);
    if (is_empty) message_error("%s: has no event with a time, so --fail-on has nothing to judge", engine->first->name);
    return fails || is_empty;
}

static void tell_problem(const struct engine *engine, const char *problem) {
    char title[200], detail[160], cause[400], remedy[400], place[80] = "";
    json_text(json_member(problem, "title"), title, sizeof title);
    json_text(json_member(problem, "detail"), detail, sizeof detail);
    json_text(json_member(problem, "cause"), cause, sizeof cause);
    json_text(json_member(problem, "remedy"), remedy, sizeof remedy);
    const char *first = first_place(engine, problem), *offset = first ? json_member(first, "offset") : NULL;
    if (offset && !json_is_null(offset)) snprintf(place, sizeof place, ", first at byte %" PRIu64, json_number(offset));
    uint64_t count = json_number(json_member(problem, "count"));
    message_info("  %s: %s%s%s%s, %" PRIu64 " time%s%s", input_name(engine, problem), title, *detail ? " (" : "",
                 detail, *detail ? ")" : "", count, count == 1 ? "" : "s", place);
    message_detail("    %s %s", cause, remedy);
}

void engine_report_problems(const struct engine *engine) {
    bool all = engine->settings->verbose > 0;
    for (const char *problem = json_first(member(engine, "problems")); problem; problem = json_next(problem)) {
        if (all || !json_equals(json_member(problem, "severity"), "info")) tell_problem(engine, problem);
    }
    for (const char *line = json_first(member(engine, "explain")); line; line = json_next(line)) {
        char text[600];
        message_info("  %s", json_text(json_member(line, "sentence"), text, sizeof text));
    }
}

// What the times of the report are: "ns", or counts of something that has no known length. Returns out.
static const char *time_unit(const struct engine *engine, char out[24]) {
    return json_text(member(engine, "time_unit"), out, 24);
}

const char *engine_time_text(const struct engine *engine, uint64_t time, char out[48]) {
    char unit[24];
    if (strcmp(time_unit(engine, unit), "ns")) snprintf(out, 48, "%" PRIu64 " %s", time, unit);
    else snprintf(out, 48, "%" PRIu64 ".%09" PRIu64 " s", time / 1000000000, time % 1000000000);
    return out;
}

// In nanoseconds of the trace.
static uint64_t trace_ns(const struct engine *engine, uint64_t time) {
    char unit[24];
    uint64_t ns = strcmp(time_unit(engine, unit), "ns") ? json_number(json_member(member(engine, "tick"), "ns")) : 1;
    return ns && time > UINT64_MAX / ns ? UINT64_MAX : time * ns;
}

void engine_report_range(const struct engine *engine) {
    const struct settings *settings = engine->settings;
    const char *time = member(engine, "time");
    uint64_t start = json_number(json_member(time, "first")), end = json_number(json_member(time, "last"));
    char text[48];
    if (settings->from && settings->from_ns > trace_ns(engine, end))
        message_warn("%s: --from %s is beyond the end of the recording, %s; nothing is left", engine->first->name,
                     settings->from, engine_time_text(engine, end, text));
    if (settings->to && settings->to_ns < trace_ns(engine, start))
        message_warn("%s: --to %s is before the first event, %s; nothing is left", engine->first->name, settings->to,
                     engine_time_text(engine, start, text));
}

int engine_report_stopped(const struct engine *engine) {
    char of[40] = "";
    if (engine->total_bytes) snprintf(of, sizeof of, " of %" PRIu64, engine->total_bytes);
    message_error("%s: stopped after %" PRIu64 "%s bytes; what is there tells of these only", engine->first->name,
                  engine->read_bytes, of);
    return plat_stop_code();
}

int exit_code_join(int a, int b) {
    static const int order[] = { EXIT_OUTPUT, EXIT_INPUT, EXIT_USAGE, EXIT_PROBLEMS };
    if (a >= EXIT_SIGNAL || b >= EXIT_SIGNAL) return a > b ? a : b;
    for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
        if (a == order[i] || b == order[i]) return order[i];
    }
    return EXIT_FINE;
}

void engine_report_symbols(const struct engine *engine) {
    const char *rows = member(engine, "symbols");
    for (const char *row = rows ? json_first(rows) : NULL; row; row = json_next(row)) {
        char name[300], note[200];
        if (*json_text(json_member(row, "note"), note, sizeof note))
            message_warn("%s: %s", json_text(json_member(row, "name"), name, sizeof name), note);
    }
}
