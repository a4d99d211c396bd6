// SPDX-License-Identifier: MIT
//
// The control block of Tonkopf's recorder in a dump of memory. docs/formats/tonbandgeraet.md, "Dumps of memory".
#ifndef TK_FORMATS_TONBANDGERAET_CONTROL_H
#define TK_FORMATS_TONBANDGERAET_CONTROL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TB_MAGIC_LEN = 12, TB_CONTROL_LEN = 32, TB_MAX_IMAGE = 64 * 1024 * 1024 };

enum tb_backend { TB_STREAMING = 1, TB_SNAPSHOT, TB_POST_MORTEM, TB_HANDED_OVER };

struct tb_control {
    uint8_t backend, cores;
    bool big;                          // byte order of the target
    uint32_t metadata_size, ring_size; // usable bytes per core, for names and for the ring
    uint32_t metadata_room, ring_room; // bytes per core in the block, including the reserve after the usable ones
    uint64_t resolution;               // nanoseconds per tick
    uint32_t core_len, len;            // bytes of one core, and of the whole block
};

// One core of the block. Positions are checked against the sizes.
struct tb_control_core {
    uint32_t metadata, metadata_len; // position and length of its names in the block
    uint32_t ring;                   // position of its ring in the block
    uint32_t from, first_len;        // position of the oldest byte in the ring, and number of bytes from there on
    uint32_t second_len;             // number of bytes at the start of the ring that follow them
    uint32_t names_lost;
};

// Returns the position of the first control block, of which the first TB_CONTROL_LEN bytes are present; `len` if there
// is none.
size_t tb_control_find(const uint8_t *bytes, size_t len, struct tb_control *out_control);
// Returns true if the bytes may be the start of a control block.
bool tb_control_may_begin(const uint8_t *bytes, size_t len);
// Returns false if the TB_CONTROL_LEN bytes from the magic number on are no control block.
bool tb_control_read(const uint8_t *block, struct tb_control *out_control);
// Reads one core. Returns false if its positions contradict the sizes, or if the block is cut before its end. len:
// bytes of the block that are present.
bool tb_control_core(const struct tb_control *control, const uint8_t *block, uint32_t len, uint32_t number,
                     struct tb_control_core *out_core);

#endif
