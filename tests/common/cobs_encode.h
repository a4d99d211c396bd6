// SPDX-License-Identifier: MIT
// For tests: encodes a frame as the recorder on a target does.
#ifndef TK_TESTS_COBS_ENCODE_H
#define TK_TESTS_COBS_ENCODE_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

// Largest length of the frame of a payload, without its delimiter.
#define COBS_ENCODED(len) ((len) + (len) / 254 + 1)

// Encodes a payload with COBS, without an empty block after a full one. Returns the length of the frame, without its
// delimiter.
static inline size_t cobs_encode(const uint8_t *payload, size_t len, uint8_t *out) {
    size_t to = 0, at = 0;
    while (at <= len) {
        size_t run = 0;
        while (run < 254 && at + run < len && payload[at + run]) run++;
        out[to++] = (uint8_t)(run + 1);
        if (run) memcpy(out + to, payload + at, run);
        to += run;
        at += run;
        if (run < 254) at++; // the zero, or the end
        else if (at == len) break;
    }
    return to;
}

#endif
