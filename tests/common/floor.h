// SPDX-License-Identifier: MIT
//
// A lower bound for the time of a converter: finds the frames of a slice, removes the framing, reads the fields,
// appends one packet per event. Its only state is the time of the event before, its only checks protect its memory, and
// a frame across two slices becomes two.
#ifndef FLOOR_H
#define FLOOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Packets are appended to the block; when it is full, it is overwritten from its start.
struct floor_output {
    uint8_t block[64 * 1024];
    size_t len;
    uint64_t total; // bytes in earlier blocks
    uint64_t packets, last_time;
    size_t skip;       // floor_words: bytes of the next slice that belong to the event before
    uint8_t rest[128]; // floor_flux: the end of the slice before, which may be an incomplete entry
    size_t rest_len;
    bool begun;
};

void floor_cobs(const uint8_t *bytes, size_t len, struct floor_output *out); // zeros between frames, fields are varints
void floor_calls(const uint8_t *bytes, size_t len, struct floor_output *out); // records of ten bytes, two packets each
void floor_hdlc(const uint8_t *bytes, size_t len, struct floor_output *out);  // 7E between frames, fields of fixed
                                                                              // length
void floor_words(const uint8_t *bytes, size_t len, struct floor_output *out); // a header, then events of words that
                                                                              // contain their length; an incomplete one
                                                                              // is skipped
void floor_flux(const uint8_t *bytes, size_t len, struct floor_output *out);  // entries of varints and of values that
                                                                              // contain their length; none is longer
                                                                              // than half of `rest`
void floor_vcd(const uint8_t *bytes, size_t len, struct floor_output *out);   // lines of text: times, and changes of
                                                                              // values

#endif
