// SPDX-License-Identifier: MIT
#include "control.h"

#include <string.h>

enum { VERSION = 1 };
enum { POSITION, READ, ROOM, FULL, ROUNDS, LOST, LOST_REPORTED, NAMES_SENT, NAMES_LEN, NAMES_LOST, FIELDS };

static const char magic[TB_MAGIC_LEN + 1] = "Tonkopf Ring";

static uint32_t read_u32(bool big, const uint8_t *at) {
    return big ? (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3]
               : (uint32_t)at[3] << 24 | (uint32_t)at[2] << 16 | (uint32_t)at[1] << 8 | at[0];
}

// Computes the sizes of the block in the same way as the recorder (tracer/src/tband_control.h). Returns false if it is
// too large.
static bool lay_out(struct tb_control *control, uint8_t longest_text) {
    enum { METADATA_MORE = 13, FRAME_MORE = 18, LONGEST_VALUE = 10 };
    if (control->metadata_size > TB_MAX_IMAGE || control->ring_size > TB_MAX_IMAGE) return false;
    control->metadata_room = control->metadata_size + METADATA_MORE + longest_text;
    control->ring_room =
        control->ring_size + FRAME_MORE + (longest_text > LONGEST_VALUE ? longest_text : LONGEST_VALUE);
    uint32_t core_len = (FIELDS * 4 + control->metadata_room + control->ring_room + 3) / 4 * 4;
    if (core_len > (TB_MAX_IMAGE - TB_CONTROL_LEN) / control->cores) return false;
    control->core_len = core_len;
    control->len = TB_CONTROL_LEN + core_len * control->cores;
    return true;
}

bool tb_control_read(const uint8_t *block, struct tb_control *out_control) {
    uint8_t version = block[12], backend = block[13], cores = block[14], longest_text = block[15];
    if (memcmp(block, magic, TB_MAGIC_LEN) != 0 || version != VERSION || backend < TB_STREAMING ||
        backend > TB_HANDED_OVER || !cores)
        return false;
    for (int big = 0; big < 2; big++) {
        *out_control = (struct tb_control){ .backend = backend, .cores = cores, .big = big };
        out_control->metadata_size = read_u32(big, block + 16);
        out_control->ring_size = read_u32(big, block + 20);
        out_control->resolution = (uint64_t)read_u32(big, block + 28) << 32 | read_u32(big, block + 24);
        if (lay_out(out_control, longest_text)) return true;
    }
    return false;
}

bool tb_control_may_begin(const uint8_t *bytes, size_t len) {
    return !memcmp(bytes, magic, len < TB_MAGIC_LEN ? len : TB_MAGIC_LEN);
}

size_t tb_control_find(const uint8_t *bytes, size_t len, struct tb_control *out_control) {
    for (size_t at = 0; at + TB_CONTROL_LEN <= len; at++) {
        const uint8_t *first = memchr(bytes + at, magic[0], len - at);
        if (!first) break;
        at = (size_t)(first - bytes);
        if (len - at >= TB_CONTROL_LEN && tb_control_read(first, out_control)) return at;
    }
    return len;
}

// Finds the bytes of a ring that contain frames: the unsent ones in streaming mode, otherwise all. In a ring that has
// wrapped, the bytes after the position are skipped for the length of the longest frame, because the target may have
// been stopped while it wrote one. The bytes up to the next delimiter are the rest of an older frame and are skipped
// too.
static void find_oldest(const struct tb_control *control, const uint8_t *ring, const uint32_t fields[FIELDS],
                        struct tb_control_core *core) {
    uint32_t size = control->ring_size, position = fields[POSITION];
    if (control->backend == TB_STREAMING) core->from = fields[READ] % size;
    if (control->backend != TB_SNAPSHOT) position %= size;
    if (control->backend == TB_POST_MORTEM && fields[ROUNDS]) {
        uint32_t longest_frame = control->ring_room - size, skipped = longest_frame < size ? longest_frame : 0;
        core->from = (position + skipped) % size;
        for (uint32_t left = size - skipped; left > 1 && ring[core->from]; left--) core->from = (core->from + 1) % size;
        core->from = (core->from + 1) % size;
    }
    core->first_len = (core->from > position ? size : position) - core->from;
    core->second_len = core->from > position ? position : 0;
}

bool tb_control_core(const struct tb_control *control, const uint8_t *block, uint32_t len, uint32_t number,
                     struct tb_control_core *out_core) {
    uint32_t begin = TB_CONTROL_LEN + number * control->core_len, fields[FIELDS];
    *out_core =
        (struct tb_control_core){ .metadata = begin + FIELDS * 4, .ring = begin + FIELDS * 4 + control->metadata_room };
    if (len < begin + control->core_len) return false;
    for (uint32_t i = 0; i < FIELDS; i++) fields[i] = read_u32(control->big, block + begin + 4 * i);
    if (fields[NAMES_LEN] > control->metadata_size || fields[POSITION] > control->ring_size ||
        fields[READ] > control->ring_size)
        return false;
    out_core->metadata_len = fields[NAMES_LEN];
    out_core->names_lost = fields[NAMES_LOST];
    if (control->ring_size) find_oldest(control, block + out_core->ring, fields, out_core);
    return true;
}
