// SPDX-License-Identifier: MIT
//
// Prints messages for users on standard error. Escapes control characters, which names of files and tasks may contain.
#ifndef CLI_MESSAGE_H
#define CLI_MESSAGE_H

#include <stdbool.h>
#include <stddef.h>

#if defined(__GNUC__)
#define PRINTF_LIKE(format_at) __attribute__((format(printf, format_at, format_at + 1)))
#else
#define PRINTF_LIKE(format_at)
#endif

// Levels in the order of tk_message_severity. Prints details only with --verbose, infos and warnings not with --quiet.
enum message_level { MESSAGE_DETAIL, MESSAGE_INFO, MESSAGE_WARNING, MESSAGE_ERROR };

void message_print_at(enum message_level level, const char *format, ...) PRINTF_LIKE(2);
#define message_error(...) message_print_at(MESSAGE_ERROR, __VA_ARGS__)
#define message_warn(...) message_print_at(MESSAGE_WARNING, __VA_ARGS__)
#define message_info(...) message_print_at(MESSAGE_INFO, __VA_ARGS__)
#define message_detail(...) message_print_at(MESSAGE_DETAIL, __VA_ARGS__)
void message_set_level(bool quiet, bool verbose);

// Prints a progress line on a terminal. The next progress line overwrites it; the next message removes it.
void message_progress(const char *format, ...) PRINTF_LIKE(1);
void message_end_progress(void);

// Copies a text to `out` with control characters escaped as \u001b. Cuts it to out_size. Returns `out`.
const char *message_escaped(const char *text, char *out, size_t out_size);

// Writes to standard output. Returns false after a failure. A pipe that its reader has closed (head) is no error.
bool message_print(const char *text, size_t len);
// Flushes standard output. Returns false after a message if it could not be written.
bool message_stdout_ended(void);

#endif
