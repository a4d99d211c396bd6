// SPDX-License-Identifier: MIT
//
// The memory image of a recorder that writes into a ring: its bytes are collected, then each core's events are put in
// order.
#ifndef TK_FORMATS_TRACEALYZER_IMAGE_H
#define TK_FORMATS_TRACEALYZER_IMAGE_H

#include "../../base/alloc.h"
#include "decode.h"

enum { PSF_MAX_IMAGE = 64 * 1024 * 1024 }; // bytes; what claims to be larger is damaged

// Zero-initialised is empty.
struct psf_image {
    uint8_t *bytes; // as they stand in the input
    uint32_t len, capacity;
    uint64_t size;   // bytes that the image claims
    uint64_t offset; // of the first in the input
    uint8_t *events; // of the core at hand, the oldest first
    uint32_t events_len, events_capacity;
    uint32_t at;        // of them taken
    uint32_t from, end; // where the oldest byte stands in the data of the core, and where that data ends
    uint64_t data;      // where the data of the core begins in the input
    uint32_t core;      // the next one to be put in order
};

bool psf_image_collect(struct psf_image *image, struct tk_alloc *alloc, const uint8_t *bytes, size_t len);
// Puts the events of the next core in order. False: there is none, or it has no memory.
bool psf_image_next_core(struct psf_image *image, struct tk_alloc *alloc, const struct psf_header *header);
// Where byte `at` of the events in order stands in the input.
uint64_t psf_image_offset(const struct psf_image *image, uint32_t at);
void psf_image_deinit(struct psf_image *image, struct tk_alloc *alloc);

#endif
