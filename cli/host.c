// SPDX-License-Identifier: MIT
#include "host.h"

#include "message.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// RECOGNISED: every format is recognised by this many bytes, unless they are padding or text; the conversion then asks
// again.
// LOOK_MOST: a look takes at most so many times QUIET_MS after the first byte.
enum { PIECE = 256 * 1024, QUIET_MS = 200, LOOK_MOST = 5, TARGET_WAIT_MS = 50, RECOGNISED = 4096 };

int exit_code_join(int a, int b) { return a > b ? a : b; } // a larger code is worse

// ---- Settings ------------------------------------------------------------------------------------

enum { QUOTED = 64 }; // a reason quotes at least so many bytes of a long value

// Prints why the conversion refuses a setting. A reason may begin with the key or the value, of which it quotes only
// the beginning if it is long; the message shows the option instead of the key.
static void report_refused(const struct setting *setting, const char *reason) {
    size_t key_len = strlen(setting->key), value_len = strlen(setting->value);
    const char *name = setting->option->name, *pair = *setting->option->key ? "" : setting->key;
    bool is_about_key = !strncmp(reason, setting->key, key_len) && reason[key_len] == ':';
    if (!strncmp(reason, setting->value, value_len < QUOTED ? value_len : QUOTED))
        message_error("--%s %s", name, reason);
    else
        message_error("--%s %s%s%s%s%s", name, pair, *pair ? "=" : "", setting->value, is_about_key ? "" : ": ",
                      is_about_key ? reason + key_len : reason);
}

static bool set(tk_conversion *conversion, const struct setting *setting) {
    const char *value = setting->value;
    if (!strcmp(setting->key, "mode") && !strcmp(value, "freertos")) value = "free-rtos";
    if (!strcmp(setting->key, "from-ns") && !strcmp(value, "0")) return true; // no limit
    bool is_time = !strcmp(setting->key, "from-ns") || !strcmp(setting->key, "to-ns");
    if (is_time && *setting->option->key && strchr(value, '.') && !value[strspn(value, "0123456789.")]) {
        message_error("--%s %s needs a unit, as in %sms", setting->option->name, value, value);
        return false;
    }
    bool is_pair = !*setting->option->key; // KEY=VALUE of --set names an option of a recording
    if ((is_pair ? tk_conversion_set_option : tk_conversion_set)(conversion, setting->key, value) == TK_OK) return true;
    report_refused(setting, tk_conversion_error(conversion));
    return false;
}

// Passes all settings to the conversion. Returns false after a message about each refused setting.
static bool set_all(const struct host *host, const char *kind) {
    const struct settings *settings = host->settings;
    bool ok = tk_conversion_set(host->conversion, "output", kind) == TK_OK &&
              (!host->ignores_unused || tk_conversion_set(host->conversion, "unused", "quiet") == TK_OK);
    for (size_t i = 0; i < settings->chosen_count; i++) ok &= set(host->conversion, &settings->chosen[i]);
    if (ok && host->rules && tk_conversion_set(host->conversion, "rules", host->rules) != TK_OK) {
        message_error("%s", tk_conversion_error(host->conversion));
        ok = false;
    }
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

static bool add_source(struct host *host, struct source *source) {
    source->is_stream = strcmp(source->path, "-") == 0 || plat_path_kind(source->path) == PLAT_STREAM;
    source->size = UINT64_MAX;
    host->is_live |= source->is_stream;
    int fd = source->is_stream ? -1 : plat_open_read(source->path);
    if (fd >= 0) { // a file that cannot be opened is reported when it is read
        plat_fd_kind(fd, &source->size);
        plat_close(fd);
    }
    struct tk_source_info info = { .name = source->name,
                                   .size = source->size,
                                   .is_seekable = !source->is_stream,
                                   .is_live = source->is_stream,
                                   .is_side = source->is_side,
                                   .encoding = encoding_of(host->settings),
                                   .role = TK_PLAN_AUTO,
                                   .core = source->core };
    uint32_t number;
    if (tk_conversion_add_source(host->conversion, &info, &number) == TK_OK) return true;
    message_error("out of memory");
    return false;
}

static void close_file(struct source *file) {
    if (file->fd >= 0 && !file->is_stream) {
        plat_close(file->fd);
        file->fd = -1;
    }
}

static void close_files(struct host *host, const struct source *but) {
    for (size_t i = 0; i < host->sources.count; i++)
        if (&host->sources.items[i] != but) close_file(&host->sources.items[i]);
}

// Reads from a device or pipe: once, or with is_look until no byte arrives for QUIET_MS.
static int64_t read_stream(const struct source *file, uint8_t *out, size_t len, bool is_look) {
    int64_t filled = 0, got = 0;
    uint64_t begin = 0;
    do {
        got = plat_read(file->fd, out + filled, len - (size_t)filled);
        if (got <= 0) break;
        filled += got;
        if (!begin) begin = plat_now_ms();
    } while (is_look && (size_t)filled < len && plat_now_ms() - begin < LOOK_MOST * QUIET_MS &&
             plat_readable(file->fd, QUIET_MS));
    return filled ? filled : got;
}

// Reads from the target: what has arrived, or with is_look RECOGNISED bytes, or less if none comes for QUIET_MS or they
// come slowly. Returns 0 when the recording ends.
static int64_t read_target(struct host *host, uint8_t *out, size_t len, bool is_look) {
    int64_t filled = 0;
    uint64_t first = 0, last = 0;
    while ((size_t)filled < len) {
        int64_t got = target_read(host->target, out + filled, len - (size_t)filled, TARGET_WAIT_MS);
        uint64_t now = plat_now_ms();
        if (got > 0) {
            if (!filled) first = now;
            filled += got;
            last = now;
        }
        if (got < 0 || plat_stop_requested() || (host->on_wait && !host->on_wait(host))) {
            host->is_ended = true;
            break;
        }
        bool is_enough =
            !is_look || filled >= RECOGNISED || now - last >= QUIET_MS || now - first >= LOOK_MOST * QUIET_MS;
        if (filled && is_enough) break;
    }
    return filled;
}

static int64_t read_file(struct source *file, int fd, uint64_t offset, uint8_t *out, size_t len) {
    size_t filled = 0;
    int64_t got = file->position == offset || plat_seek(fd, offset) ? 1 : -1;
    while (got > 0 && filled < len) {
        got = plat_read_file(fd, out + filled, len - filled);
        if (got > 0) filled += (size_t)got;
    }
    file->position = offset + filled;
    return filled ? (int64_t)filled : got;
}

// Returns true if the bytes of a source come from the target, and not from a copy of them.
static bool is_target(const struct host *host, const struct source *source) {
    return host->target && strcmp(source->path, "-") == 0 && !source->is_kept;
}

static void answer_read(struct host *host, const struct tk_request *request) {
    static uint8_t room[PIECE];
    struct source *file = &host->sources.items[request->source];
    if (request->is_look) close_files(host, file);
    if (file->fd < 0) {
        file->fd = strcmp(file->path, "-") == 0 ? PLAT_STDIN : plat_open_read(file->path);
        file->position = 0;
    }
    size_t len = request->len < PIECE ? request->len : PIECE;
    bool is_stream = file->is_stream && !file->is_kept, is_from_target = is_target(host, file);
    int64_t got = file->fd < 0     ? -1
                  : is_from_target ? read_target(host, room, len, request->is_look)
                  : is_stream      ? read_stream(file, room, len, request->is_look)
                                   : read_file(file, file->is_kept ? file->copy : file->fd, request->offset, room, len);
    if (got == 0 && is_stream && !is_from_target && plat_stop_requested()) { // a signal to stop ended the read
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
    bool is_kept = is_stream && host->keep && got && (is_from_target || !host->target);
    if (is_kept && !keep_piece(host->keep, room, (size_t)got, now) && is_from_target) host->is_ended = true;
    tk_conversion_answer(host->conversion, room, (size_t)got, now);
}

static void answer_keep(struct host *host, const struct tk_request *request) {
    struct source *file = &host->sources.items[request->source];
    if (file->copy < 0) file->copy = plat_open_scratch();
    if (file->copy < 0 || (request->len && !plat_write_all(file->copy, request->bytes, request->len))) {
        tk_conversion_fail(host->conversion, plat_error());
        return;
    }
    file->is_kept = request->len == 0;
    file->position = UINT64_MAX; // unknown, so the next read seeks
    tk_conversion_keep(host->conversion);
}

// ---- Outputs -------------------------------------------------------------------------------------

static void begin_output(struct host *host) {
    host->read_bytes = host->total_bytes = 0;
    for (size_t i = 0; i < host->sources.count; i++) host->sources.items[i].is_recording = false;
    struct tk_conversion_input input;
    for (uint32_t at = 0; host_next_recording(host, &at, &input);) {
        struct source *file = &host->sources.items[input.source];
        if (file->is_recording) continue;
        file->is_recording = true;
        host->total_bytes += file->size;
        host->read_bytes += file->read;
    }
    if (host->is_live) host->total_bytes = 0;
    progress_start(&host->progress, host->show_progress, host->total_bytes);
}

static int open_output(struct host *host, const struct tk_request *request) {
    host->output = request->output;
    int result = host->on_open ? host->on_open(host, &host->sources.items[request->source]) : EXIT_FINE;
    if (result != EXIT_FINE) {
        tk_conversion_skip(host->conversion);
        return result;
    }
    begin_output(host);
    tk_conversion_open(host->conversion, host->trace && output_can_rewrite(host->trace));
    return EXIT_FINE;
}

static void discard_output(struct host *host) {
    progress_end(&host->progress);
    if (host->trace) output_discard(host->trace);
    host->trace = NULL;
    if (host->on_discard) host->on_discard(host);
}

static int close_output(struct host *host) {
    int result = EXIT_INPUT;
    progress_end(&host->progress);
    if (tk_conversion_report(host->conversion, &host->report) == TK_OK) {
        result = host->on_close(host);
    } else {
        message_error("out of memory");
        discard_output(host);
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

static void write_output(struct host *host, const struct tk_request *request) {
    bool ok = true;
    if (host->on_write) ok = host->on_write(host, request->bytes, request->len);
    else if (host->trace && request->kind == TK_REQUEST_REWRITE)
        ok = output_rewrite_head(host->trace, request->bytes, request->len);
    else if (host->trace) ok = output_write(host->trace, request->bytes, request->len);
    if (ok) return;
    // A message has reported a failed write of the trace. A closed pipe is no failure; print_close reports lines that
    // could not be written.
    host->output_failed |= host->trace && !output_pipe_was_closed(host->trace);
    tk_conversion_fail(host->conversion, NULL);
}

// ---- The loop ------------------------------------------------------------------------------------

// Handles a stop by the user: ends the sources, so that the conversion completes the output so far. Returns false if
// such an output is useless and the conversion has to be aborted.
static bool stop(struct host *host, bool is_open) {
    host->is_ended = host->target != NULL; // the usual way to end the recording of a target
    host->is_stopped = !host->is_ended;
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
        if (request->kind == TK_REQUEST_READ && plat_stop_requested() && !host->is_stopped && !host->is_ended) {
            if (!stop(host, is_open)) break;
            continue;
        }
        switch (request->kind) {
        case TK_REQUEST_READ:
            if (host->is_stopped || (host->is_ended && is_target(host, &host->sources.items[request->source])))
                tk_conversion_answer(host->conversion, NULL, 0, 0);
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
        case TK_REQUEST_MESSAGE:
            message_print_at((enum message_level)request->severity, "%s", request->text);
            if (host->on_error && request->severity == TK_MESSAGE_ERROR) host->on_error(host, request);
            break;
        case TK_REQUEST_DONE:
            if (host->output_failed) result = exit_code_join(result, EXIT_OUTPUT);
            return exit_code_join(result, tk_conversion_exit_code(host->conversion));
        }
    }
    progress_end(&host->progress);
    if (is_open) discard_output(host);
    else message_error("stopped before anything was read");
    return plat_stop_code();
}

// Goes on keeping the bytes of the target if no format recognises them.
static void keep_the_rest(struct host *host) {
    static uint8_t room[PIECE];
    if (!host->is_ended) message_warn("the bytes are kept all the same; Ctrl-C ends the recording");
    while (!host->is_ended) {
        int64_t got = target_read(host->target, room, sizeof room, TARGET_WAIT_MS);
        bool is_kept = got <= 0 || keep_piece(host->keep, room, (size_t)got, plat_now_ns());
        host->is_ended = got < 0 || !is_kept || plat_stop_requested() || (host->on_wait && !host->on_wait(host));
    }
}

int host_run(struct host *host, const char *kind) {
    plat_catch_stop();
    if (tk_conversion_new(tk_libc_allocator(), &host->conversion) != TK_OK) {
        message_error("out of memory");
        return EXIT_INPUT;
    }
    if (!set_all(host, kind)) return EXIT_USAGE;
    int result = sources_find(host->settings, &host->sources);
    if (result != EXIT_FINE) return result;
    if (host->target)
        for (size_t i = 0; i < host->sources.count; i++)
            if (!strcmp(host->sources.items[i].path, "-")) host->sources.items[i].name = target_name(host->target);
    for (size_t i = 0; i < host->sources.count; i++)
        if (!add_source(host, &host->sources.items[i])) return EXIT_INPUT;
    if (host->keep_path && !host->is_live)
        message_warn("--keep: %s is a file already, nothing is kept",
                     host->sources.items[host->sources.count - 1].name);
    if (host->keep_path && host->is_live) {
        host->keep = keep_open(host->keep_path);
        if (!host->keep) return EXIT_INPUT;
    }
    result = serve_requests(host);
    if (host->target && host->keep) keep_the_rest(host);
    if (!keep_close(host->keep)) result = exit_code_join(result, EXIT_OUTPUT);
    host->keep = NULL;
    return host->sources.some_are_missing ? exit_code_join(result, EXIT_INPUT) : result;
}

void host_release(struct host *host) {
    keep_close(host->keep); // of a conversion that did not begin
    for (size_t i = 0; i < host->sources.count; i++) {
        struct source *file = &host->sources.items[i];
        if (file->fd >= 0 && file->fd != PLAT_STDIN) plat_close(file->fd);
        if (file->copy >= 0) plat_close(file->copy);
    }
    tk_conversion_free(host->conversion);
    sources_release(&host->sources);
}

// ---- Queries --------------------------------------------------------------------------------------

bool host_next_recording(const struct host *host, uint32_t *at, struct tk_conversion_input *out_input) {
    while (*at < tk_conversion_input_count(host->conversion)) {
        tk_conversion_input(host->conversion, (*at)++, out_input);
        if (out_input->plan->out_group == host->output) return true;
    }
    return false;
}

const char *host_name(const struct host *host) {
    struct tk_conversion_input input;
    uint32_t at = 0;
    return host_next_recording(host, &at, &input) ? input.name : "";
}

int host_report_stopped(const struct host *host) {
    char of[40] = "";
    if (host->total_bytes) snprintf(of, sizeof of, " of %" PRIu64, host->total_bytes);
    message_error("%s: stopped after %" PRIu64 "%s bytes; the output covers these only", host_name(host),
                  host->read_bytes, of);
    return plat_stop_code();
}
