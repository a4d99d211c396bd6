// SPDX-License-Identifier: MIT
//
// The control blocks in a dump of memory. The decoder passes all bytes of the dump, then takes the frames core by core.
// A dump of several programs, such as those of the cores of an AMP target, has a control block for each.
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
    bool has_own_clock; // its times are counts of another clock than those of core 0 (CLOCK_RATE)
};

// A control block.
struct tb_image {
    uint8_t *bytes; // as far as the dump contains it
    uint32_t len, capacity;
    uint8_t *ordered; // the rings, each with its oldest bytes first
    uint32_t ordered_len;
    uint64_t offset; // offset of the block in the input
    struct tb_control control;
    struct tb_image_core cores[TK_MAX_CORES];
    uint32_t core_count;           // cores that are read
    uint32_t first_core;           // number of its core 0 in the recording
    uint64_t tick_ns, tick_counts; // `tick_counts` counts of its clock take `tick_ns` nanoseconds; 0, 0: unknown
    uint32_t untraced_kinds;       // waits that its program does not record: 0 none, otherwise some
};

enum { TB_MAX_BLOCKS = TK_MAX_CORES }; // each block has a core; the cores of further ones are missing

// Zero-initialised: no bytes yet.
struct tb_dump {
    struct tb_image *blocks;
    uint32_t count, capacity;
    bool is_in_block;               // the last block is not complete yet
    uint8_t header[TB_CONTROL_LEN]; // bytes that may be the start of a block
    uint32_t header_len;
    uint32_t total_len;  // bytes of all blocks
    uint64_t offset;     // offset of the next byte of the input
    uint64_t around;     // number of bytes outside of the blocks
    uint32_t core_count; // cores of all blocks that are read
    uint32_t names_lost, missing_cores;
    uint64_t frames; // number of frames taken
    uint64_t frame_bytes;
};

// Takes bytes of the input, at least one. Returns how many. Without memory, `alloc` is marked as failed.
size_t tb_dump_collect(struct tb_dump *dump, struct tk_alloc *alloc, const uint8_t *bytes, size_t len);
// Ends the input, numbers the cores of all blocks and orders their frames. Returns false without memory.
bool tb_dump_order(struct tb_dump *dump, struct tk_alloc *alloc);
// Returns the block of a core. core: below core_count.
struct tb_image *tb_dump_block(const struct tb_dump *dump, uint32_t core);
// Returns true if the core has frames that were not taken. core: any number.
bool tb_dump_has_frame(const struct tb_dump *dump, uint32_t core);
// Takes the next frame of a core, those of names first. Returns false if there is none.
bool tb_dump_next(struct tb_dump *dump, uint32_t core, struct tk_piece *out_piece);

#endif
