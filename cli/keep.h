// SPDX-License-Identifier: MIT
//
// Keeps the bytes of a pipe or a device in one file, and their receive times in another.
#ifndef CLI_KEEP_H
#define CLI_KEEP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct keep;

// Creates FILE and FILE.times, which must not exist. Returns NULL after a message.
struct keep *keep_open(const char *path);
// Appends a piece received at `ns`, on a clock that does not go back.
void keep_piece(struct keep *keep, const uint8_t *bytes, size_t len, uint64_t ns);
// Returns false after a message if a write failed. keep NULL: returns true.
bool keep_close(struct keep *keep);

#endif
