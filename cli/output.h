// SPDX-License-Identifier: MIT
//
// The output of a trace: a file, written beside its final name and renamed when complete, or standard output. Follows
// links; an existing file keeps its access rights.
#ifndef CLI_OUTPUT_H
#define CLI_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct output output;

// Opens an output. path "-": standard output. gzip: compresses the trace. Returns NULL after a message.
output *output_open(const char *path, bool gzip);
// Writes bytes. Returns false after a message, or if the reader of the pipe has closed it.
bool output_write(output *out, const uint8_t *bytes, size_t len);
bool output_can_rewrite(const output *out);
bool output_rewrite_head(output *out, const uint8_t *bytes, size_t len); // returns false after a message
// Completes and renames the file, and frees the output. Returns false after a message; then both files are deleted.
// *out_bytes (may be NULL): size of the output, after compression.
bool output_commit(output *out, uint64_t *out_bytes);
void output_discard(output *out);
bool output_pipe_was_closed(const output *out); // returns true if the reader of the pipe closed it; no error

#endif
