// SPDX-License-Identifier: MIT
//
// The least that a converter must do, as a limit to compare with: find the frames of a slice, undo what frames them,
// read the fields, append one packet per event. No state but the time of the event before; no check but those that keep
// it in its memory; a frame that a slice cuts becomes two.
#ifndef FLOOR_H
#define FLOOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Packets are appended to the block; when it is full, it begins again.
struct floor_output {
    uint8_t block[64 * 1024];
    size_t len;
    uint64_t total; // bytes in blocks before
    uint64_t packets, last_time;
    size_t skip;       // floor_words: bytes of the next slice that belong to the event before
    uint8_t rest[128]; // floor_flux: the end of the slice before, which may cut an entry
    size_t rest_len;
    bool begun;
};

void floor_cobs(const uint8_t *bytes, size_t len, struct floor_output *out); // zeros between frames, fields are varints
void floor_calls(const uint8_t *bytes, size_t len, struct floor_output *out); // records of ten bytes, two packets each
void floor_hdlc(const uint8_t *bytes, size_t len, struct floor_output *out);  // 7E between frames, fields of fixed
                                                                              // length
void floor_words(const uint8_t *bytes, size_t len, struct floor_output *out); // a header, then events of words that
                                                                              // tell their length; a cut one is left
                                                                              // out
void floor_flux(const uint8_t *bytes, size_t len, struct floor_output *out);  // entries of varints and of values that
                                                                              // tell their length; none is longer than
                                                                              // half of `rest`
void floor_vcd(const uint8_t *bytes, size_t len, struct floor_output *out);   // lines of text: times, and changes of
                                                                              // values

#endif
