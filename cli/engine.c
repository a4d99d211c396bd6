// SPDX-License-Identifier: MIT
#include "engine.h"

#include "json.h"
#include "memory.h"
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

// "1.5s", "200ms", "30us", "5000ns" or a bare number of seconds, exactly.
static bool parse_time(const char *text, uint64_t *out_ns) {
    static const struct { const char *unit; uint64_t ns; } units[] = {{"", 1000000000}, {"s", 1000000000}, {"ms", 1000000}, {"us", 1000}, {"ns", 1}};
    size_t whole_len = strspn(text, "0123456789");
    const char *fraction = text[whole_len] == '.' ? text + whole_len + 1 : "";
    size_t fraction_len = strspn(fraction, "0123456789");
    const char *unit = *fraction ? fraction + fraction_len : text + whole_len;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        if (whole_len == 0 || whole_len > 18 || strcmp(unit, units[i].unit) != 0) continue;
        uint64_t whole = strtoull(text, NULL, 10), scale = units[i].ns, ns = 0;
        if (whole > UINT64_MAX / scale) return false;
        for (size_t digit = 0; digit < fraction_len && scale > 1; digit++) ns += (uint64_t)(fraction[digit] - '0') * (scale /= 10);
        *out_ns = whole * units[i].ns + ns;
        return true;
    }
    return false;
}

static bool set_range(struct engine *engine) {
    const struct settings *settings = engine->settings;
    uint64_t from = 0, to = UINT64_MAX;
    if ((settings->from && !parse_time(settings->from, &from)) || (settings->to && !parse_time(settings->to, &to))) {
        message_error("--from and --to take a time such as 1.5s, 200ms, 30us or 5000ns");
        return false;
    }
    if (from >= to) {
        message_error("--from %s is not before --to %s", settings->from ? settings->from : "0s", settings->to);
        return false;
    }
    return (!settings->from || set_number(engine, "from-ns", from)) && (!settings->to || set_number(engine, "to-ns", to));
}

// Without side inputs the format is settled here: the library then need not collect a head of its own, and a live
// line is decoded from its first byte on.
static const char *settled_format(const struct engine *engine) {
    const char *type = engine->settings->type;
    if (type && strcmp(type, "auto") != 0) return type;
    return engine->work->sides.count == 0 ? engine->inputs[0].probe.format : NULL;
}

static const char *mode_name(const char *mode) {
    return mode && strcmp(mode, "freertos") == 0 ? "free-rtos" : mode;
}

static bool set_format_option(struct engine *engine, const char *setting) {
    char key[64];
    size_t len = strcspn(setting, "=");
    if (!setting[len] || len >= sizeof key) {
        message_error("--set takes KEY=VALUE");
        return false;
    }
    memcpy(key, setting, len);
    key[len] = 0;
    return set_option(engine, key, setting + len + 1);
}

static bool set_format_options(struct engine *engine) {
    const struct text_list *set = &engine->settings->set;
    for (size_t i = 0; i < set->count; i++)
        if (!set_format_option(engine, set->items[i])) return false;
    return true;
}

static bool set_options(struct engine *engine) {
    const struct settings *settings = engine->settings;
    return set_option(engine, "format", settled_format(engine)) && set_option(engine, "mode", mode_name(settings->mode)) && set_format_options(engine) &&
           set_number(engine, "tick-ns", settings->tick_ns) && set_option(engine, "raw-events", settings->raw_events ? "1" : NULL) &&
           set_option(engine, "wall-clock-ns", settings->wall_clock_ns) && set_range(engine);
}

static bool add_input(struct engine *engine, const struct input *input, tk_role role, int32_t core) {
    uint32_t number;
    struct tk_input_info info = {.name = input->name, .role = role, .core = core};
    if (tk_add_input(engine->handle, &info, &number) == TK_OK) return true;
    message_error("%s: %s", input->name, tk_error_text(engine->handle));
    return false;
}

// Side inputs come first, so that their numbers are 0 to sides.count - 1.
static bool add_inputs(struct engine *engine) {
    const struct input_list *sides = &engine->work->sides;
    for (size_t i = 0; i < sides->count; i++) {
        if (!add_input(engine, &sides->items[i], TK_SIDE, -1)) return false;
    }
    for (size_t i = 0; i < engine->input_count; i++) {
        if (!add_input(engine, &engine->inputs[i], TK_RECORDING, engine->inputs[i].core)) return false;
    }
    return true;
}

bool engine_prepare(struct engine *engine, const struct settings *settings, const struct workload *work, uint32_t group) {
    *engine = (struct engine){.settings = settings, .work = work};
    engine->inputs = workload_group(work, group, &engine->input_count);
    if (tk_new(&memory_allocator, &engine->handle) != TK_OK) {
        message_error("out of memory");
        return false;
    }
    return set_options(engine) && add_inputs(engine);
}

void engine_release(struct engine *engine) {
    if (engine->handle) tk_free(engine->handle);
    bytes_release(&engine->report);
}

bool engine_is_live(const struct engine *engine) {
    for (size_t i = 0; i < engine->input_count; i++) {
        if (engine->inputs[i].source->live) return true;
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

static const struct input *input_at(const struct engine *engine, size_t number) {
    size_t sides = engine->work->sides.count;
    return number < sides ? &engine->work->sides.items[number] : &engine->inputs[number - sides];
}

static bool open_feeds(struct engine *engine, struct feeds *feeds) {
    uint64_t total = 0;
    feeds->count = engine->work->sides.count + engine->input_count;
    for (size_t i = 0; i < feeds->count; i++) {
        const struct input *input = input_at(engine, i);
        feeds->items[i].bytes = stream_open(input->source, input->block);
        if (!feeds->items[i].bytes) return false;
        total += input->source->size;
    }
    progress_start(&feeds->progress, engine->show_progress, engine_is_live(engine) ? 0 : total);
    return true;
}

static void close_feeds(struct feeds *feeds) {
    progress_end(&feeds->progress);
    for (size_t i = 0; i < feeds->count; i++) stream_close(feeds->items[i].bytes);
}

static void show_progress(const struct engine *engine, struct feeds *feeds) {
    if (!progress_is_due(&feeds->progress)) return;
    struct tk_progress done;
    uint64_t raw = 0;
    tk_get_progress(engine->handle, &done);
    for (size_t i = 0; i < feeds->count; i++) raw += stream_raw_bytes(feeds->items[i].bytes);
    progress_show(&feeds->progress, raw, done.events);
}

// Which input to read next; -1: all have ended.
static int choose(const struct engine *engine, const struct feeds *feeds) {
    for (size_t i = 0; i < engine->work->sides.count; i++) {
        if (!feeds->items[i].ended) return (int)i;
    }
    int32_t wanted = tk_wanted_input(engine->handle);
    if (wanted >= 0 && !feeds->items[wanted].ended) return wanted;
    for (size_t i = 0; i < feeds->count; i++) {
        if (!feeds->items[i].ended) return (int)i;
    }
    return -1;
}

// One piece of one input. False: a fatal error.
static bool feed_piece(struct engine *engine, struct feeds *feeds, uint32_t number) {
    struct feed *feed = &feeds->items[number];
    if (feed->left == 0) feed->at = stream_next(feed->bytes, &feed->left);
    if (feed->left == 0) {
        feed->ended = true;
        return tk_end_input(engine->handle, number) == TK_OK;
    }
    size_t consumed = 0;
    tk_status status = tk_feed(engine->handle, number, feed->at, feed->left, &consumed);
    feed->at += consumed;
    feed->left -= consumed;
    return status == TK_OK;
}

static void feed_all(struct engine *engine, struct feeds *feeds) {
    for (int number; (number = choose(engine, feeds)) >= 0;) {
        if (plat_stop_requested()) {
            engine->interrupted = true;
            return;
        }
        if (!feed_piece(engine, feeds, (uint32_t)number)) return;
        if (engine->after_piece) engine->after_piece(engine->ctx);
        show_progress(engine, feeds);
    }
}

static bool on_report(void *ctx, const char *text, size_t len) {
    return bytes_append(ctx, text, len);
}

static bool fetch_report(struct engine *engine) {
    bool ok = tk_report_json(engine->handle, on_report, &engine->report) == TK_OK && bytes_append(&engine->report, "", 1);
    if (!ok) message_error("out of memory");
    return ok;
}

bool engine_run(struct engine *engine) {
    struct feeds feeds = {.count = 0};
    bool ok = open_feeds(engine, &feeds);
    if (ok) feed_all(engine, &feeds);
    engine->interrupted = engine->interrupted || plat_stop_requested();
    close_feeds(&feeds);
    if (!ok) return false;
    engine->status = tk_finish(engine->handle);
    if (engine->status == TK_OK) return fetch_report(engine);
    if (engine->status != TK_SINK_REFUSED) message_error("%s: %s", engine->inputs[0].name, tk_error_text(engine->handle));
    return false;
}

// ---- The report ----------------------------------------------------------------------------------

static const char *member(const struct engine *engine, const char *key) {
    return json_member((const char *)engine->report.data, key);
}

static bool has_problem(const struct engine *engine, const char *key, const char *text) {
    for (const char *problem = json_first(member(engine, "problems")); problem; problem = json_next(problem)) {
        if (json_equals(json_member(problem, key), text)) return true;
    }
    return false;
}

static bool names_trouble(const struct engine *engine, const char *word) {
    if (strcmp(word, "drops") == 0) return json_number(json_member(member(engine, "drops"), "count")) > 0;
    if (strcmp(word, "restarts") == 0) return json_number(member(engine, "restarts")) > 0;
    if (strcmp(word, "any") == 0) return has_problem(engine, "severity", "notice") || has_problem(engine, "severity", "damage") || has_problem(engine, "severity", "loss");
    return has_problem(engine, "severity", word) || has_problem(engine, "id", word);
}

bool engine_fails(const struct engine *engine) {
    bool fails = false;
    for (size_t i = 0; i < engine->settings->fail_on.count; i++) {
        const char *word = engine->settings->fail_on.items[i];
        if (!names_trouble(engine, word)) continue;
        message_error("%s: has %s, and --fail-on %s was given", engine->inputs[0].name, word, word);
        fails = true;
    }
    return fails;
}

static void tell_problem(const struct engine *engine, const char *problem) {
    char title[200], detail[160], cause[400], remedy[400], place[80] = "", name[128] = "";
    json_text(json_member(problem, "title"), title, sizeof title);
    json_text(json_member(problem, "detail"), detail, sizeof detail);
    json_text(json_member(problem, "cause"), cause, sizeof cause);
    json_text(json_member(problem, "remedy"), remedy, sizeof remedy);
    size_t number = (size_t)json_number(json_member(problem, "input")), sides = engine->work->sides.count;
    if (number < sides + engine->input_count) snprintf(name, sizeof name, "%s", input_at(engine, number)->name);
    const char *offset = json_member(problem, "offset");
    if (!json_is_null(offset)) snprintf(place, sizeof place, ", first at byte %" PRIu64, json_number(offset));
    uint64_t count = json_number(json_member(problem, "count"));
    message_say("  %s: %s%s%s%s, %" PRIu64 " time%s%s", name, title, *detail ? " (" : "", detail, *detail ? ")" : "", count, count == 1 ? "" : "s", place);
    message_detail("    %s %s", cause, remedy);
}

void engine_tell_problems(const struct engine *engine) {
    bool all = engine->settings->verbose > 0;
    for (const char *problem = json_first(member(engine, "problems")); problem; problem = json_next(problem)) {
        if (all || !json_equals(json_member(problem, "severity"), "info")) tell_problem(engine, problem);
    }
    for (const char *line = json_first(member(engine, "explain")); line; line = json_next(line)) {
        char text[600];
        message_say("  %s", json_text(line, text, sizeof text));
    }
}

int exit_code_join(int a, int b) {
    static const int order[] = {EXIT_STOPPED, EXIT_OUTPUT, EXIT_INPUT, EXIT_USAGE, EXIT_PROBLEMS};
    for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
        if (a == order[i] || b == order[i]) return order[i];
    }
    return EXIT_FINE;
}
