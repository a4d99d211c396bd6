/* SPDX-License-Identifier: MIT */
/*
 * Back end: a ring per core that a consumer empties. An event that finds no room is counted; the count goes before the next event that finds room,
 * and at the end, for which room is kept. Whoever reads the stream thus knows the exact number.
 */
#ifndef TBAND_STREAMING_H
#define TBAND_STREAMING_H

/* With fewer unread bytes there is room for a count, an event, the last count and one byte that tells full from empty. */
enum { TBAND_STREAM_LIMIT = TBAND_RING_SIZE - TBAND_LONGEST_FRAME - 2 * TBAND_LONGEST_COUNT - 1 };

TBAND_HOT uint32_t unread(const struct tband_core *core) {
    uint32_t position = tband_load(&core->position), read = tband_observe(&core->read);
    return position >= read ? position - read : position + TBAND_RING_SIZE - read;
}

/* A frame reached the end of the ring: what lies behind it is carried over to the start. Returns the position. */
TBAND_COLD static uint32_t next_round(struct tband_core *core, uint32_t position) {
    tband_copy(core->ring, core->ring + TBAND_RING_SIZE, position - TBAND_RING_SIZE);
    return position - TBAND_RING_SIZE;
}

TBAND_HOT void tband_close(struct tband_core *core, uint8_t *end, bool is_metadata) {
    uint32_t position = (uint32_t)(end - core->ring);
    (void)is_metadata;
    if (position >= TBAND_RING_SIZE) position = next_round(core, position);
    tband_publish(&core->position, position);
}

TBAND_HOT uint8_t *write_at(struct tband_core *core) { return core->ring + tband_load(&core->position); }

/* Names and facts are longer than a frame: byte by byte around the end. */
static void stream_metadata(struct tband_core *core) {
    uint32_t position = tband_load(&core->position);
    for (uint32_t i = 0; i < core->metadata_len; i++) {
        core->ring[position] = core->metadata[i];
        position = position + 1 == TBAND_RING_SIZE ? 0 : position + 1;
    }
    tband_publish(&core->position, position);
}

static void stream_count(struct tband_core *core) {
    tband_close(core, tband_write_number(write_at(core), 0x01, tband_portTIMESTAMP(), tband_sum_of_losses()), false);
}

/* What goes before the events. False: there is no room for it now. */
static bool stream_preamble(struct tband_core *core) {
    bool names = !(core->sent & TBAND_NAMES_SENT);
    uint32_t used = unread(core);
    if (used + (names ? core->metadata_len + TBAND_LONGEST_COUNT : 0) >= TBAND_STREAM_LIMIT) return false;
    if (names && tband_portNUMBER_OF_CORES > 1) tband_close(core, tband_write_number(write_at(core), 0x00, 0, (uint32_t)(core - tband_control.core)), false);
    if (names) stream_metadata(core);
    core->sent |= TBAND_NAMES_SENT;
    stream_count(core);
    tband_store(&core->limit, TBAND_STREAM_LIMIT);
    return true;
}

/* The next event has to say that one was lost. */
TBAND_HOT uint8_t *lose(struct tband_core *core) {
    tband_store(&core->lost, tband_load(&core->lost) + 1);
    tband_store(&core->limit, 0);
    return NULL;
}

TBAND_COLD static uint8_t *open_due(struct tband_core *core) { return stream_preamble(core) ? write_at(core) : lose(core); }

TBAND_HOT uint8_t *tband_open(struct tband_core *core) {
    uint32_t used = unread(core);
    if (used < tband_load(&core->limit)) return write_at(core);
    return used < TBAND_STREAM_LIMIT ? open_due(core) : lose(core);
}

static int start(uint32_t sent) {
    int result = -1;
    tband_portENTER_CRITICAL_FROM_ANY();
    if (!tband_load(&tband_active)) {
        tband_prepare();
        for (unsigned i = 0; i < tband_portNUMBER_OF_CORES; i++) {
            tband_control.core[i].sent = sent;
            tband_store(&tband_control.core[i].limit, 0);
        }
        result = stream_preamble(tband_this_core()) ? 0 : -2;
        if (!result) tband_enable();
    }
    tband_portEXIT_CRITICAL_FROM_ANY();
    return result;
}

int tband_start_streaming(void) { return start(0); }

int tband_restart_streaming(void) { return start(TBAND_NAMES_SENT); }

int tband_stop_streaming(void) {
    int result = -1;
    tband_portENTER_CRITICAL_FROM_ANY();
    if (tband_load(&tband_active)) {
        tband_disable();
        stream_count(tband_this_core());
        result = 0;
    }
    tband_portEXIT_CRITICAL_FROM_ANY();
    return result;
}

size_t tband_stream_peek(unsigned int core_id, const uint8_t **out_bytes) {
    struct tband_core *core = &tband_control.core[core_id];
    uint32_t position = tband_observe(&core->position), read = tband_load(&core->read);
    *out_bytes = core->ring + read;
    return (position >= read ? position : TBAND_RING_SIZE) - read;
}

void tband_stream_consume(unsigned int core_id, size_t len) {
    struct tband_core *core = &tband_control.core[core_id];
    uint32_t read = tband_load(&core->read) + (uint32_t)len;
    tband_publish(&core->read, read == TBAND_RING_SIZE ? 0 : read);
}

bool tband_tracing_backend_finished(unsigned int core_id) {
    const uint8_t *bytes;
    return !tband_load(&tband_active) && !tband_stream_peek(core_id, &bytes);
}

#endif
