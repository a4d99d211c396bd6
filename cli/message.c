// SPDX-License-Identifier: MIT
#include "message.h"

#include "platform.h"

#include <stdarg.h>
#include <stdio.h>

static bool is_quiet, is_verbose, progress_shown;
static bool stdout_failed; // and its reader had not simply gone

void message_set_level(bool quiet, bool verbose) {
    is_quiet = quiet;
    is_verbose = verbose;
}

void message_end_progress(void) {
    if (progress_shown) fputs("\r\x1b[K", stderr);
    progress_shown = false;
}

static void print(const char *prefix, const char *format, va_list arguments) {
    message_end_progress();
    fputs(prefix, stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
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

void message_say(const char *format, ...) {
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
