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
void bytes_release(struct bytes *bytes);

#endif
