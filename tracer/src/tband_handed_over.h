/* SPDX-License-Identifier: MIT */
/* Back end: passes each frame in the masked section to the port (streaming with tband_portBACKEND_STREAM_DATA) or to
 * the application (external). */
#ifndef TBAND_HANDED_OVER_H
#define TBAND_HANDED_OVER_H

static inline bool hand_over(uint8_t *bytes, size_t len, bool is_metadata) {
#if tband_configUSE_BACKEND_EXTERNAL == 1
    return tband_submit_to_backend(bytes, len, is_metadata);
#else
    (void)is_metadata;
    return tband_portBACKEND_STREAM_DATA((const uint8_t *)bytes, len);
#endif
}

/* Returns true when the port or the application refused the frame. */
static bool hand_over_number(struct tband_core *core, uint8_t id, uint64_t time, uint32_t number) {
    uint8_t *end = write_number(core->ring, id, time, number);
    return hand_over(core->ring, (size_t)(end - core->ring), false);
}

static bool hand_over_count(struct tband_core *core) {
    bool refused = hand_over_number(core, 0x01, tband_portTIMESTAMP(), sum_of_losses());
    if (!refused) core->told = ~tband_load(&core->lost);
    return refused;
}

TBAND_HOT uint8_t *tband_open(struct tband_core *core, bool *is_deferred) {
    (void)is_deferred;
    if (core->told != ~tband_load(&core->lost) && hand_over_count(core)) {
        tband_count_loss(core);
        return NULL;
    }
    return core->ring;
}

TBAND_HOT void tband_close(struct tband_core *core, uint8_t *end, bool is_metadata) {
    if (hand_over(core->ring, (size_t)(end - core->ring), is_metadata)) tband_count_loss(core);
}

bool tband_tracing_backend_finished(unsigned int core_id) {
    (void)core_id;
    return !tband_load(&tband_active);
}

#if tband_configREPEAT_MS > 0
/* Returns false when the port refused the frame. */
static bool send_again(struct tband_core *core, const uint8_t *frame, uint32_t len) {
    uint8_t *end = write_again(core->ring, frame, len);
    return !hand_over(core->ring, (size_t)(end - core->ring), true);
}
#endif

#if tband_configUSE_BACKEND_STREAMING == 1
/* Sends the names and facts of all cores, each after the id of its core, then the id of this core. Returns false
 * when a frame was refused. */
static bool hand_over_names(struct tband_core *mine) {
    for (uint32_t i = 0; i < tband_portNUMBER_OF_CORES; i++) {
        struct tband_core *core = &tband_control.core[i];
        if (!core->metadata_len) continue;
        if (hand_over_number(mine, 0x00, 0, i) ||
            hand_over(core->metadata, core->metadata_len + missing_len(core), true))
            return false;
    }
    return !hand_over_number(mine, 0x00, 0, (uint32_t)(mine - tband_control.core));
}

static int start(bool names) {
    int result = -1;
    tband_prepare();
    tband_portENTER_CRITICAL_FROM_ANY();
    if (!tband_load(&tband_active)) {
        struct tband_core *mine = tband_this_core();
        result = (names && !hand_over_names(mine)) || hand_over_count(mine) ? -2 : 0;
        if (!result) tband_begin();
    }
    tband_portEXIT_CRITICAL_FROM_ANY();
    return result;
}

int tband_send_names(void) {
    int result = -1;
    tband_portENTER_CRITICAL_FROM_ANY();
    if (tband_load(&tband_active)) result = hand_over_names(tband_this_core()) ? 0 : -2;
    tband_portEXIT_CRITICAL_FROM_ANY();
    return result;
}

int tband_start_streaming(void) { return start(true); }

int tband_restart_streaming(void) { return start(false); }

int tband_stop_streaming(void) {
    int result = -1;
    tband_portENTER_CRITICAL_FROM_ANY();
    if (tband_disable()) {
        hand_over_count(tband_this_core());
        result = 0;
    }
    tband_portEXIT_CRITICAL_FROM_ANY();
    return result;
}
#endif

#endif
