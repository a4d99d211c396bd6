// SPDX-License-Identifier: MIT
#include "message.h"

#include <stdarg.h>
#include <stdio.h>

static bool is_quiet, is_verbose, progress_shown;

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
