// SPDX-License-Identifier: MIT
#include "host.h"

#include "message.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PIECE = 256 * 1024, QUIET_MS = 200 };

struct host_file {
    const struct source *source;
    int fd;                  // -1: not open
    int copy;                // of what is read only once, else -1
    bool is_stream, is_kept; // is_kept: all of it is in the copy
    uint64_t size, position;
    uint64_t read;     // bytes of a stream
    bool is_recording; // of the output that is open
};

int exit_code_join(int a, int b) { return a > b ? a : b; } // the larger, the worse

// ---- Settings ------------------------------------------------------------------------------------

static bool set(tk_conversion *conversion, const char *key, const char *value) {
    if (!value || tk_conversion_set(conversion, key, value) == TK_OK) return true;
    message_error("%s", tk_conversion_error(conversion));
    return false;
}

static bool set_number(tk_conversion *conversion, const char *key, bool is_given, uint64_t value) {
    char text[24];
    snprintf(text, sizeof text, "%" PRIu64, value);
    return !is_given || set(conversion, key, text);
}

static bool set_all(tk_conversion *conversion, const char *key, const struct text_list *values) {
    for (size_t i = 0; i < values->count; i++)
        if (!set(conversion, key, values->items[i])) return false;
    return true;
}

static bool set_pairs(tk_conversion *conversion, const struct text_list *pairs) {
    char key[64];
    for (size_t i = 0; i < pairs->count; i++) {
        size_t len = strcspn(pairs->items[i], "=");
        snprintf(key, sizeof key, "%.*s", (int)len, pairs->items[i]); // no option has a longer name
        if (!set(conversion, key, pairs->items[i] + len + 1)) return false;
    }
    return true;
}

static const char *mode_name(const char *mode) { return mode && strcmp(mode, "freertos") == 0 ? "free-rtos" : mode; }

// "20", "20.5", "700 ticks"; text: as the user typed it, NULL: not at all.
static bool set_limit(tk_conversion *conversion, const char *key, const char *text, const struct time_limit *limit) {
    char value[64];
    bool is_start = !limit->number && !limit->fs && strcmp(key, "from-ns") == 0; // from the start: no limit
    if (!text || is_start) return true;
    int len = snprintf(value, sizeof value, "%" PRIu64, limit->number);
    if (limit->fs) snprintf(value + len, sizeof value - (size_t)len, ".%06" PRIu32, limit->fs);
    else if (limit->of) snprintf(value + len, sizeof value - (size_t)len, " %s", limit->of);
    return set(conversion, key, value);
}

static bool set_options(tk_conversion *conversion, const struct settings *settings) {
    return set(conversion, "format", settings->type) && set(conversion, "mode", mode_name(settings->mode)) &&
           set_pairs(conversion, &settings->set) && set(conversion, "signals", settings->signals) &&
           set_number(conversion, "tick-ns", settings->tick_ns > 0, settings->tick_ns) &&
           set(conversion, "raw-events", settings->raw_events ? "1" : NULL) &&
           set(conversion, "wall-clock-ns", settings->wall_clock_ns) &&
           set_limit(conversion, "from-ns", settings->from, &settings->from_limit) &&
           set_limit(conversion, "to-ns", settings->to, &settings->to_limit) &&
           set_all(conversion, "fail-on", &settings->fail_on) && set_all(conversion, "expect", &settings->expect) &&
           set(conversion, "stage", settings->stage) && set(conversion, "like", settings->like) &&
           set(conversion, "signal", settings->signal) && set(conversion, "json", settings->json ? "1" : NULL) &&
           set_all(conversion, "event", &settings->events) && set_all(conversion, "task", &settings->tasks) &&
           set_all(conversion, "core", &settings->cores);
}

bool host_accepts(const struct settings *settings) {
    tk_conversion *trial;
    if (tk_conversion_new(tk_libc_allocator(), &trial) != TK_OK) {
        message_error("out of memory");
        return false;
    }
    bool ok = set_options(trial, settings);
    tk_conversion_free(trial);
    return ok;
}

// ---- Sources -------------------------------------------------------------------------------------

static int32_t encoding_of(const struct settings *settings) {
    const char *name = settings->encoding;
    if (!name || strcmp(name, "auto") == 0) return TK_PLAN_AUTO;
    return strcmp(name, "bin") == 0   ? TK_ENCODING_BINARY
           : strcmp(name, "hex") == 0 ? TK_ENCODING_HEX
                                      : TK_ENCODING_BASE64;
}

static bool add_source(struct host *host, const struct source *source, bool is_side) {
    struct host_file *file = &host->files[host->file_count];
    bool is_stdin = strcmp(source->path, "-") == 0;
    *file = (struct host_file){ .source = source, .fd = -1, .copy = -1 };
    file->is_stream = is_stdin || plat_path_kind(source->path) == PLAT_STREAM;
    host->is_live |= file->is_stream;
    if (!file->is_stream) {
        int fd = plat_open_read(source->path);
        if (fd < 0) file->size = UINT64_MAX;
        else plat_fd_kind(fd, &file->size);
        if (fd >= 0) plat_close(fd); // a file that cannot be opened is reported when it is read
    }
    struct tk_source_info info = { .name = source->name,
                                   .size = file->is_stream ? UINT64_MAX : file->size,
                                   .is_seekable = !file->is_stream,
                                   .is_live = file->is_stream,
                                   .is_side = is_side,
                                   .encoding = encoding_of(host->settings),
                                   .role = TK_PLAN_AUTO,
                                   .core = source->core };
    uint32_t number;
    if (tk_conversion_add_source(host->conversion, &info, &number) == TK_OK) {
        host->file_count++;
        return true;
    }
    message_error("out of memory");
    return false;
}

static bool add_sources(struct host *host) {
    const struct source_list *sides = &host->sources.sides, *inputs = &host->sources.inputs;
    host->files = calloc(sides->count + inputs->count, sizeof *host->files);
    if (!host->files) {
        message_error("out of memory");
        return false;
    }
    for (size_t i = 0; i < sides->count; i++)
        if (!add_source(host, &sides->items[i], true)) return false;
    for (size_t i = 0; i < inputs->count; i++)
        if (!add_source(host, &inputs->items[i], false)) return false;
    return true;
}

static void close_file(struct host_file *file) {
    if (file->fd >= 0 && !file->is_stream) {
        plat_close(file->fd);
        file->fd = -1;
    }
}

static void close_files(struct host *host, const struct host_file *but) {
    for (size_t i = 0; i < host->file_count; i++)
        if (&host->files[i] != but) close_file(&host->files[i]);
}

// Reads from a device or pipe: one read, or with is_look until the line is quiet.
static int64_t read_stream(const struct host_file *file, uint8_t *out, size_t len, bool is_look) {
    int64_t filled = 0, got = 0;
    uint64_t begin = 0;
    do {
        got = plat_read(file->fd, out + filled, len - (size_t)filled);
        if (got <= 0) break;
        filled += got;
        if (!begin) begin = plat_now_ms();
    } while (is_look && (size_t)filled < len && plat_now_ms() - begin < 5 * QUIET_MS &&
             plat_readable(file->fd, QUIET_MS));
    return filled ? filled : got;
}

static int64_t read_file(struct host_file *file, int fd, uint64_t offset, uint8_t *out, size_t len) {
    size_t filled = 0;
    int64_t got = file->position == offset || plat_seek(fd, offset) ? 1 : -1;
    while (got > 0 && filled < len) {
        got = plat_read_file(fd, out + filled, len - filled);
        if (got > 0) filled += (size_t)got;
    }
    file->position = offset + filled;
    return filled ? (int64_t)filled : got;
}

static void answer_read(struct host *host, const struct tk_request *request) {
    static uint8_t room[PIECE];
    struct host_file *file = &host->files[request->source];
    if (request->is_look) close_files(host, file);
    if (file->fd < 0) {
        file->fd = strcmp(file->source->path, "-") == 0 ? PLAT_STDIN : plat_open_read(file->source->path);
        file->position = 0;
    }
    size_t len = request->len < PIECE ? request->len : PIECE;
    bool is_stream = file->is_stream && !file->is_kept;
    int64_t got = file->fd < 0 ? -1
                  : is_stream  ? read_stream(file, room, len, request->is_look)
                               : read_file(file, file->is_kept ? file->copy : file->fd, request->offset, room, len);
    if (got == 0 && is_stream && plat_stop_requested()) { // the signal ended the read
        host->is_stopped = true;
        tk_conversion_end(host->conversion);
        return;
    }
    if (got < 0) {
        tk_conversion_fail(host->conversion, plat_error());
        return;
    }
    uint64_t now = is_stream ? plat_now_ns() : 0;
    if (is_stream) file->read += (uint64_t)got;
    if (!request->is_look && file->is_recording) host->read_bytes += (uint64_t)got;
    if (is_stream && host->keep && got) keep_piece(host->keep, room, (size_t)got, now);
    tk_conversion_answer(host->conversion, room, (size_t)got, now);
}

static void answer_keep(struct host *host, const struct tk_request *request) {
    struct host_file *file = &host->files[request->source];
    if (file->copy < 0) file->copy = plat_open_scratch();
    if (file->copy < 0 || (request->len && !plat_write_all(file->copy, request->bytes, request->len))) {
        tk_conversion_fail(host->conversion, plat_error());
        return;
    }
    file->is_kept = request->len == 0;
    file->position = UINT64_MAX; // the next read has to seek
    tk_conversion_keep(host->conversion);
}

// ---- Outputs -------------------------------------------------------------------------------------

static void begin_output(struct host *host) {
    host->read_bytes = host->total_bytes = 0;
    for (size_t i = 0; i < host->file_count; i++) host->files[i].is_recording = false;
    for (uint32_t i = 0; i < tk_conversion_handle_input_count(host->conversion); i++) {
        struct tk_conversion_input input;
        host_input(host, i, &input);
        struct host_file *file = &host->files[input.source];
        if (input.plan->out_role != TK_ROLE_RECORDING || file->is_recording) continue;
        file->is_recording = true;
        host->total_bytes += file->size;
        host->read_bytes += file->read;
    }
    if (host->is_live) host->total_bytes = 0;
    progress_start(&host->progress, host->show_progress, host->total_bytes);
}

static int open_output(struct host *host, const struct tk_request *request) {
    bool can_rewrite = false;
    int result = EXIT_FINE;
    const struct source *first = host->files[request->source].source;
    if (!host->on_open || host->on_open(host, request->output, first, &can_rewrite, &result)) {
        begin_output(host);
        tk_conversion_open(host->conversion, can_rewrite);
    } else {
        tk_conversion_skip(host->conversion);
    }
    return result;
}

// Returns the text without its leading expression, which the row already has as its name.
static const char *without_expression(const char *text, const char *rule) {
    const char *expression = strchr(rule, ' ');
    size_t len = expression ? strlen(++expression) : 0;
    return len && !strncmp(text, expression, len) && !strncmp(text + len, ": ", 2) ? text + len + 2 : text;
}

static bool make_report(struct host *host) {
    static const char *const words[] = { [TK_EXPECT_PASS] = "holds",
                                         [TK_EXPECT_FAIL] = "fails",
                                         [TK_EXPECT_UNMEASURED] = "not measured",
                                         [TK_EXPECT_INVALID] = "invalid" };
    struct tk_verdict verdict;
    tk_status status = tk_report_new(tk_conversion_handle(host->conversion), tk_libc_allocator(), &host->report);
    for (uint32_t i = 0; status == TK_OK && tk_conversion_verdict(host->conversion, i, &verdict); i++)
        status = tk_report_add_verdict(host->report, verdict.rule, words[verdict.result],
                                       without_expression(verdict.text, verdict.rule));
    return status == TK_OK;
}

static void discard_output(struct host *host) {
    progress_end(&host->progress);
    if (host->on_discard) host->on_discard(host);
}

static int close_output(struct host *host) {
    int result = EXIT_INPUT;
    progress_end(&host->progress);
    if (make_report(host)) {
        result = host->on_close(host);
    } else {
        message_error("out of memory");
        if (host->on_discard) host->on_discard(host);
    }
    tk_report_free(host->report);
    host->report = NULL;
    close_files(host, NULL);
    return result;
}

static void show_progress(struct host *host) {
    if (!progress_is_due(&host->progress)) return;
    struct tk_progress done;
    tk_get_progress(tk_conversion_handle(host->conversion), &done);
    progress_show(&host->progress, host->read_bytes, done.events);
}

static void show_message(const struct tk_request *request) {
    if (request->severity == TK_MESSAGE_ERROR) message_error("%s", request->text);
    else if (request->severity == TK_MESSAGE_WARNING) message_warn("%s", request->text);
    else if (request->severity == TK_MESSAGE_INFO) message_info("%s", request->text);
    else message_detail("%s", request->text);
}

static void write_output(struct host *host, const struct tk_request *request) {
    bool is_head = request->kind == TK_REQUEST_REWRITE;
    bool ok = is_head ? host->on_rewrite && host->on_rewrite(host, request->bytes, request->len)
                      : !host->on_write || host->on_write(host, request->bytes, request->len);
    if (ok) return;
    // The failure itself was a message; a reader that has gone is no failure.
    if (!host->is_closed || !host->is_closed(host)) host->output_failed = true;
    tk_conversion_fail(host->conversion, NULL);
}

// ---- The loop ------------------------------------------------------------------------------------

// The user wants to stop: what was read so far may be of use. False: it is not.
static bool stop(struct host *host, bool is_open) {
    host->is_stopped = true;
    if (!host->is_live && !(host->keeps_partial && is_open)) return false;
    tk_conversion_end(host->conversion);
    return true;
}

static int plan(struct host *host) {
    close_files(host, NULL);
    if (host->is_stopped && !tk_conversion_recording_count(host->conversion)) {
        message_error("stopped before anything was read");
        return plat_stop_code();
    }
    return host->on_plan ? host->on_plan(host) : EXIT_FINE;
}

static int serve_requests(struct host *host) {
    int result = EXIT_FINE;
    bool is_open = false;
    for (;;) {
        const struct tk_request *request = tk_conversion_next(host->conversion);
        if (request->kind == TK_REQUEST_READ && plat_stop_requested() && !host->is_stopped) {
            if (!stop(host, is_open)) break;
            continue;
        }
        switch (request->kind) {
        case TK_REQUEST_READ:
            if (host->is_stopped) tk_conversion_answer(host->conversion, NULL, 0, 0);
            else answer_read(host, request);
            break;
        case TK_REQUEST_KEEP: answer_keep(host, request); break;
        case TK_REQUEST_PLAN:
            result = exit_code_join(result, plan(host));
            if (result != EXIT_FINE) return exit_code_join(result, tk_conversion_exit_code(host->conversion));
            break;
        case TK_REQUEST_OPEN:
            result = exit_code_join(result, open_output(host, request));
            is_open = true;
            break;
        case TK_REQUEST_WRITE:
        case TK_REQUEST_REWRITE: write_output(host, request); break;
        case TK_REQUEST_CLOSE:
            result = exit_code_join(result, close_output(host));
            is_open = false;
            if (host->is_stopped) return exit_code_join(result, tk_conversion_exit_code(host->conversion));
            break;
        case TK_REQUEST_DISCARD:
            discard_output(host);
            is_open = false;
            break;
        case TK_REQUEST_PROGRESS: show_progress(host); break;
        case TK_REQUEST_MESSAGE: show_message(request); break;
        case TK_REQUEST_DONE:
            if (host->output_failed) result = exit_code_join(result, EXIT_OUTPUT);
            return exit_code_join(result, tk_conversion_exit_code(host->conversion));
        }
    }
    progress_end(&host->progress);
    if (!is_open) message_error("stopped before anything was read");
    else if (host->on_discard) host->on_discard(host);
    return plat_stop_code();
}

int host_run(struct host *host, const char *output) {
    plat_catch_stop();
    int result = sources_find(host->settings, &host->sources);
    if (result != EXIT_FINE) return result;
    if (tk_conversion_new(tk_libc_allocator(), &host->conversion) != TK_OK) {
        message_error("out of memory");
        return EXIT_INPUT;
    }
    if (!set(host->conversion, "output", output) ||
        !set(host->conversion, "unused", host->ignores_unused ? "quiet" : NULL) ||
        !set_options(host->conversion, host->settings))
        return EXIT_USAGE;
    if (!add_sources(host)) return EXIT_INPUT;
    if (host->keep_path && !host->is_live)
        message_warn("--keep: %s is a file already, nothing is kept", host->files[host->file_count - 1].source->name);
    if (host->keep_path && host->is_live) {
        host->keep = keep_open(host->keep_path);
        if (!host->keep) return EXIT_INPUT;
    }
    result = serve_requests(host);
    if (!keep_close(host->keep)) result = exit_code_join(result, EXIT_OUTPUT);
    return host->sources.some_are_missing ? exit_code_join(result, EXIT_INPUT) : result;
}

void host_release(struct host *host) {
    for (size_t i = 0; i < host->file_count; i++) {
        struct host_file *file = &host->files[i];
        if (file->fd >= 0 && file->fd != PLAT_STDIN) plat_close(file->fd);
        if (file->copy >= 0) plat_close(file->copy);
    }
    tk_conversion_free(host->conversion);
    free(host->files);
    sources_release(&host->sources);
}

// ---- What is known -------------------------------------------------------------------------------

const struct source *host_source(const struct host *host, uint32_t number) { return host->files[number].source; }

void host_input(const struct host *host, uint32_t number, struct tk_conversion_input *out_input) {
    tk_conversion_input(host->conversion, tk_conversion_handle_input(host->conversion, number), out_input);
}

const char *host_name(const struct host *host) {
    struct tk_conversion_input input;
    for (uint32_t i = 0; i < tk_conversion_handle_input_count(host->conversion); i++) {
        host_input(host, i, &input);
        if (input.plan->out_role == TK_ROLE_RECORDING) return input.name;
    }
    return "";
}

int host_report_stopped(const struct host *host) {
    char of[40] = "";
    if (host->total_bytes) snprintf(of, sizeof of, " of %" PRIu64, host->total_bytes);
    message_error("%s: stopped after %" PRIu64 "%s bytes; the output covers these only", host_name(host),
                  host->read_bytes, of);
    return plat_stop_code();
}
