// SPDX-License-Identifier: MIT
//
// Where a trace goes: a file (written beside its final name and renamed when complete) or standard output. A link is
// followed, and an existing file keeps its access rights.
#ifndef CLI_OUTPUT_H
#define CLI_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct output output;

// path "-": standard output. NULL: a message was printed.
output *output_open(const char *path, bool gzip);
bool output_write(output *out, const uint8_t *bytes, size_t len); // false: a message was printed, or the reader has
                                                                  // gone
bool output_can_rewrite(const output *out);
bool output_rewrite_head(output *out, const uint8_t *bytes, size_t len); // false: a message was printed
// Completes and renames; false: a message was printed and nothing is left under either name. Frees in any case.
// *out_bytes (may be NULL): as written, packed where it is.
bool output_commit(output *out, uint64_t *out_bytes);
void output_discard(output *out);
bool output_pipe_was_closed(const output *out); // by the reader of standard output: no error

#endif
