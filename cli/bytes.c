// SPDX-License-Identifier: MIT
#include "bytes.h"

#include <stdlib.h>
#include <string.h>

bool bytes_append(struct bytes *bytes, const void *data, size_t len) {
    if (bytes->len + len > bytes->capacity) {
        size_t capacity = bytes->capacity ? bytes->capacity : 4096;
        while (capacity < bytes->len + len) capacity *= 2;
        uint8_t *grown = realloc(bytes->data, capacity);
        if (!grown) return false;
        bytes->data = grown;
        bytes->capacity = capacity;
    }
    if (len) memcpy(bytes->data + bytes->len, data, len);
    bytes->len += len;
    return true;
}

void bytes_release(struct bytes *bytes) {
    free(bytes->data);
    memset(bytes, 0, sizeof *bytes);
}
