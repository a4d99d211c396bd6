/* SPDX-License-Identifier: MIT */
/* Back end: a buffer that is filled once. Recording stops on all cores when the buffer of one core is full. */
#ifndef TBAND_SNAPSHOT_H
#define TBAND_SNAPSHOT_H

#ifndef tband_portBACKEND_SNAPSHOT_BUF_FULL_CALLBACK
#define tband_portBACKEND_SNAPSHOT_BUF_FULL_CALLBACK() ((void)0)
#endif

enum { TBAND_SNAPSHOT_FULL = TBAND_RING_SIZE - TBAND_LONGEST_FRAME }; /* after this position a frame might not fit */

TBAND_HOT uint8_t *tband_open(struct tband_core *core, bool *is_deferred) {
    uint32_t position = tband_load(&core->position);
    (void)is_deferred;
    return position > TBAND_SNAPSHOT_FULL ? NULL : core->ring + position;
}

TBAND_HOT void tband_close(struct tband_core *core, uint8_t *end, bool is_metadata) {
    uint32_t position = (uint32_t)(end - core->ring);
    (void)is_metadata;
    tband_publish(&core->position, position);
    if (position > TBAND_SNAPSHOT_FULL && tband_load(&tband_active)) {
        (void)tband_disable();
        tband_portBACKEND_SNAPSHOT_BUF_FULL_CALLBACK();
    }
}

int tband_trigger_snapshot(void) {
    int result = -1;
    tband_prepare();
    tband_portENTER_CRITICAL_FROM_ANY();
    if (!tband_load(&tband_active)) {
        bool room = true;
        bool is_deferred = false;
        for (unsigned i = 0; i < tband_portNUMBER_OF_CORES; i++) {
            room = room && tband_open(&tband_control.core[i], &is_deferred);
        }
        if (room) tband_begin();
        result = 0;
    }
    tband_portEXIT_CRITICAL_FROM_ANY();
    return result;
}

int tband_stop_snapshot(void) { return tband_disable() ? 0 : -1; }

int tband_reset_snapshot(void) {
    if (tband_load(&tband_active)) return -1;
    for (unsigned i = 0; i < tband_portNUMBER_OF_CORES; i++) tband_store(&tband_control.core[i].position, 0);
    return 0;
}

const volatile uint8_t *tband_get_core_snapshot_buf(unsigned int core_id) { return tband_core_of(core_id)->ring; }

size_t tband_get_core_snapshot_buf_amnt(unsigned int core_id) {
    return tband_load(&tband_active) || !is_prepared ? 0 : tband_observe(&tband_core_of(core_id)->position);
}

bool tband_tracing_backend_finished(unsigned int core_id) {
    (void)core_id;
    return !tband_load(&tband_active);
}

#endif
