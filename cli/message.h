// SPDX-License-Identifier: MIT
//
// Prints messages for users on standard error. Escapes control characters, which names of files and tasks may contain.
#ifndef CLI_MESSAGE_H
#define CLI_MESSAGE_H

#include <stdbool.h>
#include <stddef.h>

#if defined(__GNUC__)
#define PRINTF_LIKE __attribute__((format(printf, 1, 2)))
#else
#define PRINTF_LIKE
#endif

void message_error(const char *format, ...) PRINTF_LIKE;
void message_warn(const char *format, ...) PRINTF_LIKE;
void message_info(const char *format, ...) PRINTF_LIKE;   // prints nothing with --quiet
void message_detail(const char *format, ...) PRINTF_LIKE; // prints only with --verbose
void message_set_level(bool quiet, bool verbose);

// Prints a progress line on a terminal. The next progress line overwrites it; the next message removes it.
void message_progress(const char *format, ...) PRINTF_LIKE;
void message_end_progress(void);

// Copies a text to `out` with control characters escaped as \u001b. Cuts it to out_size. Returns `out`.
const char *message_escaped(const char *text, char *out, size_t out_size);

// Writes to standard output. Returns false after a failure. A pipe that its reader has closed (head) is no error.
bool message_print(const char *text, size_t len);
// Flushes standard output. Returns false after a message if it could not be written.
bool message_stdout_ended(void);

#endif
