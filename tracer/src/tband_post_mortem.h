/* SPDX-License-Identifier: MIT */
/* Back end: a ring in which the newest events overwrite the oldest. It has no read position. */
#ifndef TBAND_POST_MORTEM_H
#define TBAND_POST_MORTEM_H

TBAND_HOT uint8_t *tband_open(struct tband_core *core, bool *is_deferred) {
    (void)is_deferred;
    return core->ring + tband_load(&core->position);
}

/* A frame reached the end of the ring: copies the bytes beyond it to the start. Returns the new position. The wrap
 * count is incremented first, so that a reader at this moment knows that the start is not the oldest frame. */
TBAND_COLD static uint32_t next_round(struct tband_core *core, uint32_t position) {
    tband_store(&core->rounds, tband_load(&core->rounds) + 1);
    tband_copy(core->ring, core->ring + TBAND_RING_SIZE, position - TBAND_RING_SIZE);
    return position - TBAND_RING_SIZE;
}

TBAND_HOT void tband_close(struct tband_core *core, uint8_t *end, bool is_metadata) {
    uint32_t position = (uint32_t)(end - core->ring);
    (void)is_metadata;
    if (position >= TBAND_RING_SIZE) position = next_round(core, position);
    tband_publish(&core->position, position);
}

static uint8_t header_byte(unsigned i);

/* Compares with the values that this build would write, because another build may have another layout. */
static bool is_of_this_build(void) {
    for (unsigned i = 0; i < sizeof tband_control.header; i++)
        if (((const uint8_t *)&tband_control.header)[i] != header_byte(i)) return false;
    return true;
}

bool tband_post_mortem_found(void) {
    if (tband_load(&tband_active) || !is_of_this_build()) return false;
    for (unsigned i = 0; i < tband_portNUMBER_OF_CORES; i++) {
        const struct tband_core *core = &tband_control.core[i];
        if (core->metadata_len > TBAND_METADATA_SIZE || tband_load(&core->position) >= TBAND_RING_SIZE) return false;
    }
    return true;
}

int tband_start_post_mortem(void) {
    int result = -1;
    tband_prepare();
    tband_portENTER_CRITICAL_FROM_ANY();
    if (!tband_load(&tband_active)) {
        for (unsigned i = 0; i < tband_portNUMBER_OF_CORES; i++) {
            tband_store(&tband_control.core[i].position, 0);
            tband_store(&tband_control.core[i].rounds, 0);
        }
        tband_begin();
        result = 0;
    }
    tband_portEXIT_CRITICAL_FROM_ANY();
    return result;
}

int tband_stop_post_mortem(void) { return tband_disable() ? 0 : -1; }

/* Finds the oldest whole frame. A reset or a debugger may have stopped the recorder within a frame, so the bytes
 * after the position may be damaged for the length of the longest frame. From there to the next delimiter is the
 * rest of an older frame. */
static uint32_t oldest(const struct tband_core *core, uint32_t position) {
    uint32_t at = 0;
    if (tband_load(&core->rounds)) {
        at = position + TBAND_LONGEST_FRAME;
        for (uint32_t left = TBAND_RING_SIZE - TBAND_LONGEST_FRAME; left > 0u; left--) {
            if (at >= TBAND_RING_SIZE) at -= TBAND_RING_SIZE;
            if (!core->ring[at++]) break;
        }
    }
    return at;
}

const uint8_t *tband_get_post_mortem_piece(unsigned int core_id, unsigned int piece, size_t *out_len) {
    const struct tband_core *core = tband_core_of(core_id);
    *out_len = 0;
    if (!tband_post_mortem_found()) return core->ring;
    uint32_t position = tband_observe(&core->position), from = oldest(core, position);
    bool two = from > position; /* the oldest frames follow the newest ones */
    if (piece == 0) {
        *out_len = core->metadata_len + missing_len(core);
        return core->metadata;
    }
    if (piece == 1) {
        *out_len = (two ? TBAND_RING_SIZE : position) - from;
        return core->ring + from;
    }
    if (piece == 2 && two) *out_len = position;
    return core->ring;
}

bool tband_tracing_backend_finished(unsigned int core_id) {
    (void)core_id;
    return !tband_load(&tband_active);
}

#endif
