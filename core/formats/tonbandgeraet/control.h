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
    uint32_t metadata_size, ring_size; // bytes per core
    uint32_t metadata_room, ring_room; // the same with the room behind them
    uint64_t resolution;               // nanoseconds of a tick
    uint32_t core_len, len;            // bytes of a core, of the whole block
};

// One core of the block. Positions are checked against the sizes.
struct tb_control_core {
    uint32_t metadata, metadata_len; // where its names stand in the block
    uint32_t ring;                   // where its ring stands in the block
    uint32_t from, first_len;        // the oldest byte of the ring, and bytes from there on
    uint32_t second_len;             // bytes at the start of the ring that follow them
    uint32_t names_lost;
};

// Where the magic begins; `len`: nowhere.
size_t tb_control_find(const uint8_t *bytes, size_t len);
// False: TB_CONTROL_LEN bytes from the magic on are no control block.
bool tb_control_read(const uint8_t *block, struct tb_control *out_control);
// False: its positions contradict the sizes, or the block is cut before them. len: bytes of the block that there are.
bool tb_control_core(const struct tb_control *control, const uint8_t *block, uint32_t len, uint32_t number,
                     struct tb_control_core *out_core);

#endif
