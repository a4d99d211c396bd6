// SPDX-License-Identifier: MIT
#include "bytes.h"

#include <stdio.h>
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

bool bytes_read_file(struct bytes *bytes, const char *path, char first) {
    char piece[16384];
    FILE *file = fopen(path, "rb");
    size_t len = file ? fread(piece, 1, sizeof piece, file) : 0;
    bool ok = file && !ferror(file) && (!first || (len && piece[0] == first));
    for (; ok && len; len = fread(piece, 1, sizeof piece, file)) ok = bytes_append(bytes, piece, len);
    ok = ok && !ferror(file);
    if (file) fclose(file);
    return ok;
}

void bytes_release(struct bytes *bytes) {
    free(bytes->data);
    memset(bytes, 0, sizeof *bytes);
}
