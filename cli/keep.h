// SPDX-License-Identifier: MIT
//
// Keeps the bytes of a pipe or a device in one file, and their receive times in another.
#ifndef CLI_KEEP_H
#define CLI_KEEP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct keep;

// Creates `path` for the bytes and `path`.times for the receive times. Returns NULL after a message, also if a file
// exists.
struct keep *keep_open(const char *path);
// Returns true if the path is one of the two files, by whatever name.
bool keep_has_file(const struct keep *keep, const char *path);
// Appends bytes that were received at `ns`, the time of a monotonic clock. Returns false if this or an earlier write
// failed, which the first time prints a message; nothing is appended then.
bool keep_piece(struct keep *keep, const uint8_t *bytes, size_t len, uint64_t ns);
// Closes the files, and removes them if nothing was received. Returns false after a message if a write failed. keep may
// be NULL.
bool keep_close(struct keep *keep);

#endif
