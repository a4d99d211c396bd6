// SPDX-License-Identifier: MIT
// A decoder alone, with the memory of heap.h: bytes in, events of its streams out; no model, output or report.
// Invariants: it never stalls, every byte is accounted for, borrowed text is valid as long as its event, and the events
// do not depend on the chunking.
//
// Inputs begin with five bytes. 0: options of the format; 1: checks, dumps; 2, 3: chunk boundaries; 4: the repeated
// part.
#ifndef TK_FUZZ_DECODING_H
#define TK_FUZZ_DECODING_H

#include "formats/format.h"

struct decoding_option {
    uint8_t mask, bits; // set where the input's options have these bits
    const char *key, *value;
};

// A side input, and the start of a recording that fits it. The bytes of the fuzzer follow.
struct decoding_side {
    const char *text;
    const uint8_t *start;
    size_t start_len;
};

struct decoding_job {
    const struct tk_decoder *decoder;
    const struct decoding_option *options; // up to key NULL
    bool may_be_dump;                      // a memory dump, for inputs that select it
    // Ended by a NULL text: the options of the input select one; one input of 64 has none. NULL: none.
    const struct decoding_side *sides;
    // Turns the fuzzer's bytes into the input; NULL: they are the input. Returns its length, at most `room`.
    size_t (*build)(const uint8_t *bytes, size_t len, uint8_t *out, size_t room);
};

void decoding_try(const struct decoding_job *job, const uint8_t *data, size_t len);

#endif
