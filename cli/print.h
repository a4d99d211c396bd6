// SPDX-License-Identifier: MIT
//
// The text output of dump and info: standard output, or the file that --output names. The file appears when it is
// complete.
#ifndef CLI_PRINT_H
#define CLI_PRINT_H

#include <stdbool.h>
#include <stddef.h>

// Opens the output. path NULL or "-": standard output. Returns false after a message.
bool print_open(const char *path);
bool print_text(const char *text, size_t len);             // returns false after a failed write
bool print_write(void *ctx, const char *text, size_t len); // print_text as a tk_write_fn; ctx is not used
// Prints a line that contains names: escapes control characters.
#if defined(__GNUC__)
__attribute__((format(printf, 1, 2)))
#endif
bool print_line(const char *format, ...);
void print_flush(void);
bool print_to_file(void); // returns true if the output is a file that --output names
// Completes the output. Returns an exit code; a message reports a failed write.
int print_close(void);

#endif
