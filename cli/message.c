// SPDX-License-Identifier: MIT
#include "message.h"

#include "platform.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_quiet, is_verbose, progress_shown;
static bool stdout_failed; // a write failed, and not because the reader closed the pipe

void message_set_level(bool quiet, bool verbose) {
    is_quiet = quiet;
    is_verbose = verbose;
}

void message_end_progress(void) {
    if (progress_shown) fputs("\r\x1b[K", stderr);
    progress_shown = false;
}

// Returns the length of the control character at `at`: 1, or 2 for U+0080 to U+009F in UTF-8; 0: none.
static size_t control_len(const unsigned char *at) {
    if (at[0] < 0x20 || at[0] == 0x7f) return 1;
    return at[0] == 0xc2 && at[1] >= 0x80 && at[1] <= 0x9f ? 2 : 0;
}

const char *message_escaped(const char *text, char *out, size_t out_size) {
    const unsigned char *at = (const unsigned char *)text;
    size_t len = 0;
    while (*at && len + 7 <= out_size) {
        size_t control = control_len(at);
        if (control) len += (size_t)snprintf(out + len, out_size - len, "\\u%04x", at[control - 1]);
        else out[len++] = (char)*at;
        at += control ? control : 1;
    }
    out[len] = 0;
    return out;
}

static void print(const char *prefix, const char *format, va_list arguments) {
    va_list again;
    va_copy(again, arguments);
    int len = vsnprintf(NULL, 0, format, again);
    va_end(again);
    size_t room = len < 0 ? 0 : (size_t)len + 1, escaped_room = 6 * room + 8;
    char *text = malloc(room), *escaped = malloc(escaped_room);
    message_end_progress();
    if (text && escaped && vsnprintf(text, room, format, arguments) >= 0)
        fprintf(stderr, "%s%s\n", prefix, message_escaped(text, escaped, escaped_room));
    free(text);
    free(escaped);
}

void message_error(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    print("tonkopf: ", format, arguments);
    va_end(arguments);
}

void message_warn(const char *format, ...) {
    if (is_quiet) return;
    va_list arguments;
    va_start(arguments, format);
    print("tonkopf: warning: ", format, arguments);
    va_end(arguments);
}

void message_info(const char *format, ...) {
    if (is_quiet) return;
    va_list arguments;
    va_start(arguments, format);
    print("", format, arguments);
    va_end(arguments);
}

void message_detail(const char *format, ...) {
    if (!is_verbose) return;
    va_list arguments;
    va_start(arguments, format);
    print("", format, arguments);
    va_end(arguments);
}

void message_progress(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fputs("\r\x1b[K", stderr);
    vfprintf(stderr, format, arguments);
    fflush(stderr);
    progress_shown = true;
    va_end(arguments);
}

static void stdout_broke(void) {
    if (plat_last_write_hit_closed_pipe() || stdout_failed) return;
    stdout_failed = true;
    message_error("standard output: %s", plat_error());
}

bool message_print(const char *text, size_t len) {
    if (fwrite(text, 1, len, stdout) == len) return true;
    stdout_broke();
    return false;
}

bool message_stdout_ended(void) {
    if (fflush(stdout) != 0) stdout_broke();
    return !stdout_failed;
}
