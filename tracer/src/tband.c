/* SPDX-License-Identifier: MIT */
#include "tband.h"

#if tband_configENABLE == 1

#include "tband_clock.h"
#include "tband_control.h"

#if TBAND_RING_SIZE == 0
struct tband_control tband_control; /* frames are handed over before anything is prepared: it must begin as zeros */
#else
tband_configCONTROL_ATTRIBUTE struct tband_control tband_control;
#endif

volatile uint32_t tband_clock_halves;

static uint32_t groups = TBAND_GROUPS_ALL;
static bool is_prepared, has_resolution;

#if tband_configUSE_BACKEND_EXTERNAL == 1
tband_word tband_active = TBAND_GROUPS_ALL;
#else
tband_word tband_active;
#endif

TBAND_COLD uint8_t *tband_copy(uint8_t *to, const uint8_t *from, uint32_t len) {
    const uint8_t *end = to + len;
    while (to != end) *to++ = *from++;
    return to;
}

uint32_t tband_sum_of_losses(void) {
    uint32_t sum = 0;
    for (unsigned i = 0; i < tband_portNUMBER_OF_CORES; i++) sum += tband_load(&tband_control.core[i].lost);
    return sum;
}

TBAND_COLD uint8_t *tband_put_long_number(uint8_t *at, uint32_t number) {
    for (; number >= 0x80u; number >>= 7) {
        *at = (uint8_t)(number | 0x80u);
        at++;
    }
    *at = (uint8_t)number;
    return &at[1];
}

TBAND_COLD uint8_t *tband_put_wide_number(uint8_t *at, uint64_t number) {
    for (; number >> 32; number >>= 7) *at++ = (uint8_t)(number | 0x80u);
    return tband_put_long_number(at, (uint32_t)number);
}

#if tband_configUSE_BACKEND_STREAMING == 1 || tband_configUSE_BACKEND_EXTERNAL == 1
uint8_t *tband_write_number(uint8_t *at, uint8_t id, uint64_t time, uint32_t number) {
    struct tband_frame frame = { at + 1, at };
    tband_put_byte(&frame, id); /* may be 0 */
    tband_put_wide(&frame, time);
    tband_put_wide(&frame, number);
    return tband_frame_end(&frame);
}
#endif

#if TBAND_RING_SIZE == 0
#include "tband_handed_over.h"
#elif tband_configUSE_BACKEND_STREAMING == 1
#include "tband_streaming.h"
#elif tband_configUSE_BACKEND_SNAPSHOT == 1
#include "tband_snapshot.h"
#else
#include "tband_post_mortem.h"
#endif

/* ---- The control block ---------------------------------------------------------------------------------------------- */

/* Inverted, so that a reader that looks for the magic in a dump does not find this. */
static uint8_t magic_byte(unsigned i) {
    static const uint8_t inverted[] = { 0xAB, 0x90, 0x91, 0x94, 0x90, 0x8F, 0x99, 0xDF, 0xAD, 0x96, 0x91, 0x98 }; /* "Tonkopf Ring" */
    return (uint8_t)(inverted[i] ^ 0xFF);
}

static void clear_core(struct tband_core *core) {
    if (TBAND_BACKEND == TBAND_HANDED_OVER) return; /* it began as zeros and may be in use */
    tband_store(&core->position, 0);
    tband_store(&core->read, 0);
    tband_store(&core->rounds, 0);
    tband_store(&core->lost, 0);
    core->metadata_len = core->metadata_lost = 0;
}

/* Once, with the first name or the first start. The magic comes last: what carries it is whole. */
static void prepare_control(void) {
    struct tband_control *control = &tband_control;
    if (is_prepared) return;
    is_prepared = true;
    for (unsigned i = 0; i < tband_portNUMBER_OF_CORES; i++) clear_core(&control->core[i]);
    control->version = TBAND_CONTROL_VERSION;
    control->backend = TBAND_BACKEND;
    control->cores = tband_portNUMBER_OF_CORES;
    control->longest_text = tband_configMAX_STR_LEN;
    control->metadata_size = TBAND_METADATA_SIZE;
    control->ring_size = TBAND_RING_SIZE;
    control->resolution[0] = (uint32_t)(tband_portTIMESTAMP_RESOLUTION_NS);
    control->resolution[1] = (uint32_t)((uint64_t)(tband_portTIMESTAMP_RESOLUTION_NS) >> 32);
    for (unsigned i = 0; i < sizeof control->magic; i++) control->magic[i] = magic_byte(i);
}

static void write_resolution(void);

void tband_prepare(void) {
    prepare_control();
    if (!has_resolution) write_resolution();
}

/* ---- What is recorded ----------------------------------------------------------------------------------------------- */

void tband_enable(void) { tband_publish(&tband_active, groups | TBAND_GROUP_SYSTEM); }

void tband_disable(void) { tband_publish(&tband_active, 0); }

void tband_set_groups(uint32_t wanted) {
    tband_portENTER_CRITICAL_FROM_ANY();
    groups = wanted & TBAND_GROUPS_ALL;
    if (tband_load(&tband_active)) tband_enable();
    tband_portEXIT_CRITICAL_FROM_ANY();
}

uint32_t tband_get_groups(void) { return groups; }

bool tband_tracing_enabled(void) { return tband_load(&tband_active) != 0; }

bool tband_tracing_finished(void) {
    bool finished = true;
    for (unsigned i = 0; i < tband_portNUMBER_OF_CORES; i++) finished = finished && tband_tracing_backend_finished(i);
    return finished;
}

uint32_t tband_get_dropped(void) { return tband_sum_of_losses(); }

const volatile uint8_t *tband_get_metadata_buf(unsigned int core_id) { return tband_control.core[core_id].metadata; }

size_t tband_get_metadata_buf_amnt(unsigned int core_id) { return is_prepared ? tband_control.core[core_id].metadata_len : 0; }

uint32_t tband_get_metadata_lost(unsigned int core_id) { return is_prepared ? tband_control.core[core_id].metadata_lost : 0; }

/* ---- Events with a time --------------------------------------------------------------------------------------------- */

/* The beginning of an event, in its place; NULL where it is not recorded. */
TBAND_HOT struct tband_core *event_begin(uint32_t head, struct tband_frame *frame) {
    if (!(tband_load(&tband_active) & head)) return NULL;
    struct tband_core *core = tband_this_core();
    uint8_t *at = tband_open(core);
    if (!at) return NULL;
    tband_frame_begin(frame, at, head);
    tband_put_time(frame, tband_portTIMESTAMP());
    return core;
}

void tband_record_TI(uint32_t head, uint32_t id) {
    struct tband_frame frame;
    tband_portENTER_CRITICAL_FROM_ANY();
    struct tband_core *core = event_begin(head, &frame);
    if (core) {
        tband_put_number(&frame, id);
        tband_close(core, tband_frame_end(&frame), false);
    }
    tband_portEXIT_CRITICAL_FROM_ANY();
}

void tband_record_TIA(uint32_t head, uint32_t id, uint32_t arg) {
    struct tband_frame frame;
    tband_portENTER_CRITICAL_FROM_ANY();
    struct tband_core *core = event_begin(head, &frame);
    if (core) {
        tband_put_number(&frame, id);
        tband_put_number(&frame, arg);
        tband_close(core, tband_frame_end(&frame), false);
    }
    tband_portEXIT_CRITICAL_FROM_ANY();
}

void tband_record_TIS(uint32_t head, uint32_t id, const char *text) {
    struct tband_frame frame;
    tband_portENTER_CRITICAL_FROM_ANY();
    struct tband_core *core = event_begin(head, &frame);
    if (core) {
        tband_put_number(&frame, id);
        tband_put_text(&frame, text);
        tband_close(core, tband_frame_end(&frame), false);
    }
    tband_portEXIT_CRITICAL_FROM_ANY();
}

void tband_record_TIR(uint32_t head, uint32_t id, uint64_t value) {
    struct tband_frame frame;
    tband_portENTER_CRITICAL_FROM_ANY();
    struct tband_core *core = event_begin(head, &frame);
    if (core) {
        tband_put_number(&frame, id);
        tband_put_wide(&frame, value);
        tband_close(core, tband_frame_end(&frame), false);
    }
    tband_portEXIT_CRITICAL_FROM_ANY();
}

void tband_record_TIV(uint32_t head, uint32_t id, int64_t value) { tband_record_TIR(head, id, tband_sign_and_magnitude(value)); }

#if TBAND_EXTENSIONS
/* What is rarer. */
static void record_numbers(uint32_t head, const uint32_t *numbers, uint32_t count) {
    struct tband_frame frame;
    tband_portENTER_CRITICAL_FROM_ANY();
    struct tband_core *core = event_begin(head, &frame);
    if (core) {
        while (count--) tband_put_number(&frame, *numbers++);
        tband_close(core, tband_frame_end(&frame), false);
    }
    tband_portEXIT_CRITICAL_FROM_ANY();
}

void tband_record_T(uint32_t head) { record_numbers(head, NULL, 0); }

void tband_record_TIAQ(uint32_t head, uint32_t id, uint32_t arg, uint32_t value) {
    const uint32_t numbers[] = { id, arg, value };
    record_numbers(head, numbers, 3);
}

void tband_record_TIAQP(uint32_t head, uint32_t id, uint32_t arg, uint32_t value, uint32_t address) {
    const uint32_t numbers[] = { id, arg, value, address };
    record_numbers(head, numbers, 4);
}
#endif

#if tband_configCLOCK_SYNC_ENABLE == 1
uint64_t tband_now(void) {
    tband_portENTER_CRITICAL_FROM_ANY();
    uint64_t now = tband_portTIMESTAMP();
    tband_portEXIT_CRITICAL_FROM_ANY();
    return now;
}
#endif

/* ---- Names and facts ------------------------------------------------------------------------------------------------ */

/* Behind the last one of this core, whether it is kept there or not. */
TBAND_COLD static struct tband_core *metadata_begin(uint32_t head, struct tband_frame *frame) {
    struct tband_core *core = tband_this_core();
    prepare_control();
    tband_frame_begin(frame, core->metadata + core->metadata_len, head);
    return core;
}

static void record_in_line(struct tband_core *core, const uint8_t *frame, uint32_t len) {
    uint8_t *at = tband_open(core);
    if (at) tband_close(core, tband_copy(at, frame, len), true);
}

/* Kept when it fits, and recorded in line as well while something is recorded. In a stream what is kept waits for room when there is none. */
TBAND_COLD static void metadata_end(struct tband_core *core, struct tband_frame *frame) {
    const uint8_t *begin = core->metadata + core->metadata_len;
    uint32_t len = (uint32_t)(tband_frame_end(frame) - begin);
    bool is_kept = core->metadata_len + len <= TBAND_METADATA_SIZE;
    if (is_kept) core->metadata_len += len;
    else core->metadata_lost++;
    if (!tband_load(&tband_active)) return;
#if tband_configUSE_BACKEND_STREAMING == 1 && TBAND_RING_SIZE > 0
    if (is_kept) {
        make_room(core);
        return;
    }
#endif
    record_in_line(core, begin, len);
}

static void write_wide(uint32_t head, uint64_t value) {
    struct tband_frame frame;
    struct tband_core *core = metadata_begin(head, &frame);
    tband_put_wide(&frame, value);
    metadata_end(core, &frame);
}

void tband_record_R(uint32_t head, uint64_t value) {
    tband_portENTER_CRITICAL_FROM_ANY();
    write_wide(head, value);
    tband_portEXIT_CRITICAL_FROM_ANY();
}

void tband_record_IB(uint32_t head, uint32_t id, uint8_t arg) {
    struct tband_frame frame;
    tband_portENTER_CRITICAL_FROM_ANY();
    struct tband_core *core = metadata_begin(head, &frame);
    tband_put_number(&frame, id);
    tband_put_byte(&frame, arg);
    metadata_end(core, &frame);
    tband_portEXIT_CRITICAL_FROM_ANY();
}

TBAND_COLD static void record_fact(uint32_t head, const uint32_t *numbers, uint32_t count, const char *text) {
    struct tband_frame frame;
    tband_portENTER_CRITICAL_FROM_ANY();
    struct tband_core *core = metadata_begin(head, &frame);
    while (count--) tband_put_number(&frame, *numbers++);
    tband_put_text(&frame, text);
    metadata_end(core, &frame);
    tband_portEXIT_CRITICAL_FROM_ANY();
}

void tband_record_IS(uint32_t head, uint32_t id, const char *text) { record_fact(head, &id, 1, text); }

void tband_record_IAS(uint32_t head, uint32_t id, uint32_t arg, const char *text) {
    const uint32_t numbers[] = { id, arg };
    record_fact(head, numbers, 2, text);
}

void tband_record_I(uint32_t head, uint32_t id) { tband_record_IS(head, id, NULL); }

void tband_record_IA(uint32_t head, uint32_t id, uint32_t arg) { tband_record_IAS(head, id, arg, NULL); }

static void write_resolution(void) {
    has_resolution = true;
    write_wide(0x02 | TBAND_GROUP_SYSTEM, tband_portTIMESTAMP_RESOLUTION_NS);
}

void tband_record_resolution(void) {
    tband_portENTER_CRITICAL_FROM_ANY();
    write_resolution();
    tband_portEXIT_CRITICAL_FROM_ANY();
}

#endif
