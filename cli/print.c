// SPDX-License-Identifier: MIT
#include "print.h"

#include "bytes.h"
#include "message.h"
#include "options.h"
#include "output.h"

#include <stdarg.h>
#include <string.h>

enum { BUFFER = 64 * 1024 };

static output *file; // NULL: standard output
static struct bytes waiting;

bool print_open(const char *path) {
    if (!path || strcmp(path, "-") == 0) return true;
    file = output_open(path, false);
    return file != NULL;
}

bool print_to_file(void) { return file != NULL; }

static bool write_waiting(void) {
    bool ok = waiting.len == 0 || output_write(file, waiting.data, waiting.len);
    waiting.len = 0;
    return ok;
}

bool print_text(const char *text, size_t len) {
    if (!file) return message_print(text, len);
    return bytes_append(&waiting, text, len) && (waiting.len < BUFFER || write_waiting());
}

bool print_write(void *ctx, const char *text, size_t len) {
    (void)ctx;
    return print_text(text, len);
}

bool print_line(const char *format, ...) {
    char text[2048], escaped[6 * sizeof text];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    message_escaped(text, escaped, sizeof escaped);
    return print_text(escaped, strlen(escaped)) && print_text("\n", 1);
}

void print_flush(void) {
    if (file) write_waiting();
    else fflush(stdout);
}

int print_close(void) {
    if (!file) return EXIT_FINE; // cli_main reports failed writes to standard output
    write_waiting();
    bytes_release(&waiting);
    output *done = file;
    file = NULL;
    return output_commit(done, NULL) ? EXIT_FINE : EXIT_OUTPUT;
}
