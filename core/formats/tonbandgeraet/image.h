// SPDX-License-Identifier: MIT
//
// A control block in a dump of memory. The decoder collects its bytes, then takes its frames core by core.
#ifndef TK_FORMATS_TONBANDGERAET_IMAGE_H
#define TK_FORMATS_TONBANDGERAET_IMAGE_H

#include "../../base/alloc.h"
#include "../../tonkopf.h"
#include "control.h"
#include "decode.h"

// Consecutive frames, and their position in the block.
struct tb_frames {
    const uint8_t *bytes;
    uint32_t len, at;
    uint32_t place, first_len, rest; // position in the block of the first `first_len` bytes; `rest`: that of the bytes
                                     // after them
};

struct tb_image_core {
    struct tb_frames names, events;
};

// Zero-initialised: empty.
struct tb_image {
    uint8_t *bytes; // the control block, as far as it was collected
    uint32_t len, capacity;
    uint8_t *ordered; // the rings, each with its oldest bytes first
    uint32_t ordered_len, ordered_size;
    uint64_t offset; // offset of the block in the input
    struct tb_control control;
    struct tb_image_core cores[TK_MAX_CORES];
    uint32_t core_count; // cores that can be read
    uint32_t names_lost, missing_cores;
    uint64_t frames; // number of frames taken
    uint64_t frame_bytes;
};

// Copies up to `len` bytes. Returns how many belong to the block. Without memory, `alloc` is marked as failed.
size_t tb_image_collect(struct tb_image *image, struct tk_alloc *alloc, const uint8_t *bytes, size_t len);
bool tb_image_is_whole(const struct tb_image *image);
// Orders the frames of the bytes collected so far. Returns false without memory.
bool tb_image_order(struct tb_image *image, struct tk_alloc *alloc);
// Returns true if the core has frames that were not taken. core: any number.
bool tb_image_has_frame(const struct tb_image *image, uint32_t core);
// Takes the next frame of a core, those of names first. Returns false if there is none.
bool tb_image_next(struct tb_image *image, uint32_t core, struct tk_piece *out_piece);

#endif
