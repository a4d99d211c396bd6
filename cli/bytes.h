// SPDX-License-Identifier: MIT
//
// A growing buffer of bytes.
#ifndef CLI_BYTES_H
#define CLI_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct bytes {
    uint8_t *data;
    size_t len, capacity;
};

bool bytes_append(struct bytes *bytes, const void *data, size_t len); // returns false if memory is exhausted
// Appends a whole file. first: the character with which the file has to begin; 0: any, and an empty file is allowed.
// Returns false with the error of the system if the file cannot be read.
bool bytes_read_file(struct bytes *bytes, const char *path, char first);
void bytes_release(struct bytes *bytes);

#endif
