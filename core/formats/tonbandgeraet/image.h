// SPDX-License-Identifier: MIT
//
// A control block from a dump of memory: collected as it comes, then its frames in order, core by core.
#ifndef TK_FORMATS_TONBANDGERAET_IMAGE_H
#define TK_FORMATS_TONBANDGERAET_IMAGE_H

#include "../../base/alloc.h"
#include "../../tonkopf.h"
#include "control.h"
#include "decode.h"

// Frames one behind the other, and where they stand in the block.
struct tb_frames {
    const uint8_t *bytes;
    uint32_t len, at;
    uint32_t place, first_len, rest; // byte n of the first ones stands at place + n, the others go on at `rest`
};

struct tb_image_core {
    struct tb_frames names, events;
};

// Zero-initialised is empty.
struct tb_image {
    uint8_t *bytes; // of the block
    uint32_t len, capacity;
    uint8_t *ordered; // the rings, the oldest bytes first
    uint32_t ordered_len, ordered_size;
    uint64_t offset; // of the block in the input
    struct tb_control control;
    struct tb_image_core cores[TK_MAX_CORES];
    uint32_t core_count; // those that are whole
    uint32_t names_lost, missing_cores;
    uint64_t frames; // taken
    uint64_t frame_bytes;
};

// Takes up to `len` bytes; returns how many belong to the block. No memory: alloc tells.
size_t tb_image_collect(struct tb_image *image, struct tk_alloc *alloc, const uint8_t *bytes, size_t len);
bool tb_image_is_whole(const struct tb_image *image);
// As much of it as was collected. False: no memory.
bool tb_image_order(struct tb_image *image, struct tk_alloc *alloc);
// Has this core frames that were not taken? core: any
bool tb_image_has_frame(const struct tb_image *image, uint32_t core);
// The next frame of a core, names first. False: there is none.
bool tb_image_next(struct tb_image *image, uint32_t core, struct tk_piece *out_piece);

#endif
