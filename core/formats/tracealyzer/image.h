// SPDX-License-Identifier: MIT
//
// The memory image of a recorder that writes into a ring. The decoder collects its bytes, then puts the events of each
// core in order.
#ifndef TK_FORMATS_TRACEALYZER_IMAGE_H
#define TK_FORMATS_TRACEALYZER_IMAGE_H

#include "../../base/alloc.h"
#include "decode.h"

enum { PSF_MAX_IMAGE = 64 * 1024 * 1024 }; // in bytes; a larger size is damage

// Zero-initialised: empty.
struct psf_image {
    uint8_t *bytes; // in the order of the input
    uint32_t len, capacity;
    uint64_t size;   // size of the image in bytes, according to its header
    uint64_t offset; // offset of the first byte in the input
    uint8_t *events; // events of the current core, the oldest first
    uint32_t events_len, events_capacity;
    uint32_t at;        // number of bytes of them that were taken
    uint32_t from, end; // position of the oldest byte in the data of the core; end of that data
    uint64_t data;      // offset of the data of the core in the input
    uint32_t core;      // number of the next core
};

bool psf_image_collect(struct psf_image *image, struct tk_alloc *alloc, const uint8_t *bytes, size_t len);
// Puts the events of the next core in order. Returns false if no core is left, or without memory.
bool psf_image_next_core(struct psf_image *image, struct tk_alloc *alloc, const struct psf_header *header);
// Returns the offset in the input of byte `at` of the ordered events.
uint64_t psf_image_offset(const struct psf_image *image, uint32_t at);
void psf_image_deinit(struct psf_image *image, struct tk_alloc *alloc);

#endif
