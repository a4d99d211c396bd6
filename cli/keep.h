// SPDX-License-Identifier: MIT
//
// What comes from a pipe or a device, kept for later: the bytes, and beside them when they came.
#ifndef CLI_KEEP_H
#define CLI_KEEP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct keep;

// FILE and FILE.times, neither of which may exist. NULL: a message was printed.
struct keep *keep_open(const char *path);
// A piece that came at `ns`, on a clock that does not go back.
void keep_piece(struct keep *keep, const uint8_t *bytes, size_t len, uint64_t ns);
// False: something could not be written; a message was printed. keep NULL: true.
bool keep_close(struct keep *keep);

#endif
