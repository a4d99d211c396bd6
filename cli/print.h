// SPDX-License-Identifier: MIT
//
// Where the text of dump and info goes: standard output, or the file that --output names (complete or not there at
// all).
#ifndef CLI_PRINT_H
#define CLI_PRINT_H

#include <stdbool.h>
#include <stddef.h>

// path NULL or "-": standard output. False: a message was printed.
bool print_open(const char *path);
bool print_text(const char *text, size_t len); // false once it cannot be written
// A line in which names occur: control characters are escaped.
#if defined(__GNUC__)
__attribute__((format(printf, 1, 2)))
#endif
bool print_line(const char *format, ...);
void print_flush(void);   // what was printed can be seen
bool print_to_file(void); // not to standard output
// Returns an exit code; a failed write was reported as a message.
int print_close(void);

#endif
