/* SPDX-License-Identifier: MIT */
/*
 * Back end: a ring per core that a consumer empties. Events that find no space are counted. The count is sent before
 * the next event that finds space (by the consumer, if there is only one core) and at the end of the stream, for which
 * space is reserved, so the reader of the stream knows the exact number of lost events. Names and facts that find no
 * space are sent later.
 */
#ifndef TBAND_STREAMING_H
#define TBAND_STREAMING_H

#define TBAND_NOT_BEGUN 0xFFFFFFFFu /* bytes of names that were sent before the core id */

/* Reserved: the last loss count, and one byte that distinguishes full from empty. */
enum { TBAND_STREAM_KEPT = TBAND_LONGEST_COUNT + 1 };

/* Returns the end of the free space that begins at the current position. Space beyond the end of the ring continues at
 * its start. */
static uint32_t end_of_space(const struct tband_core *core, uint32_t read) {
    return (tband_load(&core->position) >= read) ? read + (uint32_t)TBAND_RING_SIZE : read;
}

/* A frame reached the end of the ring: copies the bytes beyond it to the start and computes the free space again.
 * Returns the new position. */
TBAND_COLD static uint32_t next_round(struct tband_core *core, uint32_t position) {
    tband_store(&core->limit, 0);
    tband_copy(core->ring, core->ring + TBAND_RING_SIZE, position - TBAND_RING_SIZE);
    return position - TBAND_RING_SIZE;
}

/* `end`: position after a frame that started at the current position. */
TBAND_HOT void advance(struct tband_core *core, uint8_t *end) {
    uint32_t position = (uint32_t)(end - core->ring);
    if (position >= TBAND_RING_SIZE) position = next_round(core, position);
    tband_publish(&core->position, position);
}

TBAND_HOT uint8_t *write_at(struct tband_core *core) { return core->ring + tband_load(&core->position); }

TBAND_HOT void tband_close(struct tband_core *core, uint8_t *end, bool is_metadata) {
    (void)is_metadata;
    advance(core, end);
}

static void stream_number(struct tband_core *core, uint8_t id, uint64_t time, uint32_t number) {
    advance(core, write_number(write_at(core), id, time, number));
}

/* No more bytes than the longest frame. */
static void stream_bytes(struct tband_core *core, const uint8_t *bytes, uint32_t len) {
    advance(core, tband_copy(write_at(core), bytes, len));
}

/* Names before this position are sent again: marked, because they may be older than names that are not stored. */
static uint32_t again_until[tband_portNUMBER_OF_CORES];
/* Names are to be sent again: set by any core, cleared by the core itself. */
static tband_word is_asked[tband_portNUMBER_OF_CORES];

static uint32_t number_of_core(const struct tband_core *core) {
    return (tband_portNUMBER_OF_CORES > 1) ? (uint32_t)(core - tband_control.core) : 0u;
}

static bool is_sent_again(const struct tband_core *core) {
    return core->metadata_sent < again_until[number_of_core(core)];
}

/* Copies the next name or fact, of `len` bytes. */
static void stream_metadata(struct tband_core *core, uint32_t len) {
    const uint8_t *from = core->metadata + core->metadata_sent;
    if (is_sent_again(core)) advance(core, write_again(write_at(core), from, len));
    else stream_bytes(core, from, len);
    core->metadata_sent += len;
}

static void stream_count(struct tband_core *core) {
    core->told = ~tband_load(&core->lost);
    stream_number(core, 0x01, tband_portTIMESTAMP(), sum_of_losses());
}

/* Returns true if the core id is to be sent: before anything else, if there are several cores. */
static bool has_core_id(const struct tband_core *core) {
    return (tband_portNUMBER_OF_CORES > 1) && (again_until[number_of_core(core)] == 0u);
}

/* A stream starts with its core id, if there are several cores, and how many names are missing; then come its names. */
static void stream_begin(struct tband_core *core) {
    if (has_core_id(core)) stream_number(core, 0x00, 0, number_of_core(core));
    core->metadata_sent = 0;
    stream_bytes(core, core->metadata + core->metadata_len, missing_len(core));
}

/* Returns true if there is space for these bytes of names, for what precedes them, and for an event. */
static bool has_room_for(const struct tband_core *core, uint32_t names, uint32_t read) {
    return end_of_space(core, read) - tband_load(&core->position) >=
           (uint32_t)TBAND_STREAM_KEPT + 2u * TBAND_LONGEST_COUNT + TBAND_LONGEST_FRAME + names;
}

/* After the last position at which an event fits, up to the end of the ring. The caller has checked the space for
 * one event. */
static uint32_t limit_of(const struct tband_core *core, uint32_t read) {
    uint32_t limit = end_of_space(core, read) - ((uint32_t)TBAND_STREAM_KEPT + TBAND_LONGEST_FRAME - 1u);
    return limit < TBAND_RING_SIZE ? limit : TBAND_RING_SIZE;
}

/* Returns the length of the next name; 0: all are sent. */
static uint32_t next_name(const struct tband_core *core) {
    const uint32_t at = core->metadata_sent;
    return (at == core->metadata_len) ? 0u : (frame_after(core, at) - at);
}

/* Names that were sent before are sent again if a core has asked for it. */
static void begin_again(struct tband_core *core) {
    const uint32_t number = number_of_core(core);
    if (tband_observe(&is_asked[number]) != 0u) {
        tband_store(&is_asked[number], 0);
        if ((core->metadata_sent != TBAND_NOT_BEGUN) && (core->metadata_sent > again_until[number])) {
            again_until[number] = core->metadata_sent;
        }
        core->metadata_sent = TBAND_NOT_BEGUN;
    }
}

enum room { NO_ROOM, ROOM_NOW, ROOM_LATER };

/* Writes one of those that must precede the next event, so that no section is long: the core id (several cores), a loss
 * count, or a name. Returns NO_ROOM when there is no space for that and an event. While names are left, the next event
 * calls this function too. With several cores it returns ROOM_LATER unless it wrote a name: another section writes the
 * event, because a loss count, or only the search for space, takes too long with it. With one core,
 * tband_stream_consume() writes the loss count. */
TBAND_COLD static enum room make_room(struct tband_core *core) {
    uint32_t read = tband_observe(&core->read);
    begin_again(core);
    const bool is_loss = core->told != ~tband_load(&core->lost);
    const bool is_begin = (core->metadata_sent == TBAND_NOT_BEGUN) && (!is_loss || has_core_id(core));
    const uint32_t names = is_begin ? missing_len(core) : (is_loss ? 0u : next_name(core));
    tband_store(&core->limit, 0);
    tband_store(&core->full, read);
    if (!has_room_for(core, names, read)) return NO_ROOM;
    if (is_begin) stream_begin(core);
    else if (is_loss) stream_count(core);
    else if (names != 0u) stream_metadata(core, names);
    else { /* all is sent */ }
    const bool is_loss_left = (tband_portNUMBER_OF_CORES > 1) && is_begin && is_loss;
    if ((core->metadata_sent == core->metadata_len) && !is_loss_left) tband_store(&core->limit, limit_of(core, read));
    tband_store(&core->full, TBAND_NOT_FULL);
    return ((tband_portNUMBER_OF_CORES > 1) && (is_begin || (names == 0u))) ? ROOM_LATER : ROOM_NOW;
}

/* Returns true if a loss count is to be sent, and several cores send it in a section of its own. */
static bool has_count_apart(const struct tband_core *core) {
    return (tband_portNUMBER_OF_CORES > 1) && (core->told != ~tband_load(&core->lost));
}

/* Sends the names that are left, as far as there is space, while recording is active; with several cores, also the
 * loss count. */
static void send_names_left(void) {
    for (bool more = true; more;) {
        tband_portENTER_CRITICAL_FROM_ANY();
        struct tband_core *core = tband_this_core();
        begin_again(core);
        more = tband_load(&tband_active) && ((core->metadata_sent != core->metadata_len) || has_count_apart(core)) &&
               (make_room(core) != NO_ROOM);
        tband_portEXIT_CRITICAL_FROM_ANY();
    }
}

/* is_deferred: false before the call. */
TBAND_HOT uint8_t *tband_open(struct tband_core *core, bool *is_deferred) {
    if (TBAND_LIKELY(tband_load(&core->full) != tband_load(&core->read))) {
        uint32_t position = tband_load(&core->position);
        if (TBAND_LIKELY(position < tband_load(&core->limit))) return core->ring + position;
        const enum room room = make_room(core);
        if (room != NO_ROOM) {
#if tband_portNUMBER_OF_CORES > 1
            *is_deferred = room == ROOM_LATER;
#endif
            return *is_deferred ? NULL : write_at(core);
        }
    }
    tband_count_loss(core);
    return NULL;
}

/* Copies the names of a core into its ring before recording starts, one at a time, so that interrupts are masked
 * shortly. What finds no space is sent later, so it must begin with a frame. */
static void stream_names(struct tband_core *core) {
    for (bool is_done = false; !is_done;) {
        tband_portENTER_CRITICAL_FROM_ANY();
        const bool is_begin = core->metadata_sent == TBAND_NOT_BEGUN;
        const uint32_t len = is_begin ? (core->metadata_len + missing_len(core)) : next_name(core);
        is_done = (!is_begin && (len == 0u)) || !has_room_for(core, len, tband_observe(&core->read));
        if (!is_done && is_begin) stream_begin(core);
        else if (!is_done) stream_metadata(core, len);
        else { /* all names are sent, or there is no space */ }
        tband_portEXIT_CRITICAL_FROM_ANY();
    }
}

static void reset_core(struct tband_core *core, bool names) {
    core->metadata_sent = names ? TBAND_NOT_BEGUN : core->metadata_len;
    again_until[number_of_core(core)] = 0;
    tband_store(&is_asked[number_of_core(core)], 0);
    core->told = tband_load(&core->lost); /* not inverted: the first event sets it */
    tband_store(&core->limit, 0);
    tband_store(&core->full, TBAND_NOT_FULL);
}

static bool is_starting; /* a start is copying names */

/* Returns 0, or why the stream cannot start. */
static int begin_start(bool names) {
    int result = -1;
    tband_prepare();
    tband_portENTER_CRITICAL_FROM_ANY();
    if (!tband_load(&tband_active) && !is_starting) {
        struct tband_core *mine = tband_this_core();
        const uint32_t len = names ? mine->metadata_len + missing_len(mine) : 0u;
        is_starting = has_room_for(mine, len, tband_observe(&mine->read));
        for (unsigned i = 0; i < tband_portNUMBER_OF_CORES; i++) {
            if (is_starting) reset_core(&tband_control.core[i], names);
        }
        result = is_starting ? 0 : -2;
    }
    tband_portEXIT_CRITICAL_FROM_ANY();
    return result;
}

static int start(bool names) {
    int result = begin_start(names);
    if (result != 0) return result;
    if (names) {
        for (unsigned i = 0; i < tband_portNUMBER_OF_CORES; i++) stream_names(&tband_control.core[i]);
    }
    tband_portENTER_CRITICAL_FROM_ANY();
    is_starting = false;
    if (make_room(tband_this_core()) != NO_ROOM) {
        tband_begin();
    } else {
        result = -2;
    }
    tband_portEXIT_CRITICAL_FROM_ANY();
    return result;
}

int tband_start_streaming(void) { return start(true); }

int tband_restart_streaming(void) { return start(false); }

int tband_stop_streaming(void) {
    int result = -1;
    send_names_left();
    tband_portENTER_CRITICAL_FROM_ANY();
    if (tband_disable()) {
        stream_count(tband_this_core());
        result = 0;
    }
    tband_portEXIT_CRITICAL_FROM_ANY();
    return result;
}

int tband_send_names(void) {
    if (!tband_tracing_enabled()) return -1;
    for (unsigned i = 0; i < tband_portNUMBER_OF_CORES; i++) {
        tband_publish(&is_asked[i], 1);
        tband_store(&tband_control.core[i].limit, 0); /* the next event of that core sends them */
    }
    send_names_left();
    return 0;
}

#if tband_configREPEAT_MS > 0
/* Returns false when there is no space, or something else is to be sent first. */
static bool send_again(struct tband_core *core, const uint8_t *frame, uint32_t len) {
    bool has_space = (core->metadata_sent == core->metadata_len) && has_room_for(core, 1, tband_observe(&core->read));
    bool is_deferred = false; /* until the next call */
    uint8_t *at = has_space ? tband_open(core, &is_deferred) : NULL;
    if (at != NULL) tband_close(core, write_again(at, frame, len), true);
    return at != NULL;
}
#endif

size_t tband_stream_peek(unsigned int core_id, const uint8_t **out_bytes) {
    struct tband_core *core = tband_core_of(core_id);
    uint32_t position = tband_observe(&core->position), read = tband_load(&core->read);
    *out_bytes = core->ring;
    if (!is_prepared) return 0;
    *out_bytes += read;
    return (position >= read ? position : TBAND_RING_SIZE) - read;
}

void tband_stream_consume(unsigned int core_id, size_t len) {
    struct tband_core *core = tband_core_of(core_id);
    const uint32_t end = tband_load(&core->read) + (uint32_t)len;
    const uint32_t read = (end < (uint32_t)TBAND_RING_SIZE) ? end : (end - (uint32_t)TBAND_RING_SIZE);
#if tband_portNUMBER_OF_CORES > 1
    tband_publish(&core->read, read);
#else
    /* The only core writes the number of losses now, so that the next event does not take longer than others. */
    tband_portENTER_CRITICAL_FROM_ANY();
    tband_publish(&core->read, read);
    if ((tband_load(&tband_active) != 0u) && (tband_load(&core->full) != TBAND_NOT_FULL)) {
        (void)make_room(core);
    }
    tband_portEXIT_CRITICAL_FROM_ANY();
#endif
}

bool tband_tracing_backend_finished(unsigned int core_id) {
    const uint8_t *bytes;
    return !tband_load(&tband_active) && !tband_stream_peek(core_id, &bytes);
}

#endif
