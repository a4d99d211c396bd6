// SPDX-License-Identifier: MIT
// A decoder alone, on the memory of heap.h: bytes in, the events of its lanes out; no model, no output, no report. What
// must hold: it goes on, every byte is accounted for, what events borrow is there as long as they are, and the events
// do not depend on how the input was cut.
//
// Inputs begin with five bytes. 0: options of the format; 1: what is checked, dumps; 2, 3: where the input is cut; 4:
// what is repeated.
#ifndef TK_FUZZ_DECODING_H
#define TK_FUZZ_DECODING_H

#include "formats/format.h"

struct decoding_option {
    uint8_t mask, bits; // set where the input's options have these bits
    const char *key, *value;
};

struct decoding_job {
    const struct tk_decoder *decoder;
    const struct decoding_option *options; // up to key NULL
    bool may_be_dump;                      // of memory, for those inputs that say so
    // Makes the input of what the fuzzer chose; NULL: it is the input. Returns its length, at most `room`.
    size_t (*build)(const uint8_t *bytes, size_t len, uint8_t *out, size_t room);
};

void decoding_try(const struct decoding_job *job, const uint8_t *data, size_t len);

#endif
