/* SPDX-License-Identifier: MIT */
#include "tband.h"

#if tband_configENABLE == 1

#include "tband_clock.h"
#include "tband_control.h"

#if TBAND_RING_SIZE == 0
struct tband_control tband_control; /* frames are passed on before any initialisation, so it must start as zeros */
#else
tband_configCONTROL_ATTRIBUTE struct tband_control tband_control;
#endif

volatile uint32_t tband_clock_halves = 1;
#ifdef TBAND_SYSTICK
volatile uint64_t tband_systick_base, tband_systick_latest;
#endif

static tband_word groups = (tband_configGROUPS)&TBAND_GROUPS_ALL;
#if tband_configISR_FILTER_ENABLE == 1
volatile uint32_t tband_isr_left_out[8];
#endif
static bool has_resolution;
static bool is_prepared; /* before initialisation, RAM that the start-up code does not clear has any content */

#if tband_configUSE_BACKEND_EXTERNAL == 1
tband_word tband_active = ((tband_configGROUPS)&TBAND_GROUPS_ALL) | TBAND_GROUP_SYSTEM;
#else
tband_word tband_active;
#endif

TBAND_COLD uint8_t *tband_copy(uint8_t *to, const uint8_t *from, uint32_t len) {
    const uint8_t *end = to + len;
#if TBAND_STORES_ANYWHERE
    for (; (end - to) >= 4; to += 4) {
        uint32_t word;
        __builtin_memcpy(&word, from, sizeof word);
        tband_put_word(to, word);
        from += 4;
    }
#endif
    while (to != end) *to++ = *from++;
    return to;
}

TBAND_COLD uint8_t *tband_cut_text(uint8_t *end, const uint8_t *begin) {
    enum { MOST_BYTES = 3 }; /* of a character before its last byte */
    uint8_t *at = end;
    for (uint32_t i = 0; (i < (uint32_t)MOST_BYTES) && (at != begin) && ((i == 0u) || ((*at & 0xC0u) == 0x80u)); i++) {
        at--;
    }
    return ((at != end) && (*at >= 0xC0u)) ? at : end;
}

/* Writes the lowest 28 bits of a longer number. Returns the position of the rest. */
TBAND_HOT uint8_t *put_first_bits(uint8_t *at, uint32_t number) {
    tband_put_word(at, tband_four_groups(number));
    return &at[4];
}

TBAND_COLD uint8_t *tband_put_long_number(uint8_t *at, uint32_t number) {
    uint8_t *to = at;
    uint32_t left = number;
    if ((left >> 28) != 0u) {
        to = put_first_bits(to, left);
        left >>= 28;
    }
    for (;;) {
        const uint32_t rest = left >> 7;
        if (rest == 0u) {
            break;
        }
        *to = (uint8_t)(left | 0x80u);
        to++;
        left = rest;
    }
    return tband_put_small(to, left);
}

TBAND_COLD uint8_t *tband_put_rare_number(uint8_t *at, uint32_t number, uint8_t *code) {
    if (!number) *code = (uint8_t)(at - code);
    return tband_put_long_number(at, number);
}

TBAND_COLD uint8_t *tband_put_wide_number(uint8_t *at, uint8_t *code, uint64_t number) {
    uint8_t *to = at;
    uint64_t left = number;
    for (; (left >> 32) != 0u; left >>= 28) {
        to = put_first_bits(to, (uint32_t)left);
    }
    return tband_put_rare_number(to, (uint32_t)left, code);
}

TBAND_COLD uint8_t *tband_put_early_time_and_number(uint8_t *at, uint32_t number, uint32_t time) {
    return tband_put_rare_number(tband_put_early_time(at, time), number, &at[-2]);
}

#if TBAND_COUNTS_LOSSES
/* Losses of all cores. Each core has its own counter, so no lock is needed. */
static uint32_t sum_of_losses(void) {
    uint32_t sum = 0;
    for (unsigned i = 0; i < tband_portNUMBER_OF_CORES; i++) {
        sum += tband_load(&tband_control.core[i].lost);
    }
    return sum;
}

/* Writes an event with one number. Returns the position after it. */
static uint8_t *write_number(uint8_t *at, uint8_t id, uint64_t time, uint32_t number) {
    struct tband_frame frame = { at + 1, at };
#if tband_portNUMBER_OF_CORES > 1 || TBAND_RING_SIZE == 0
    if (id == 0u) { /* a core id; its time is 0 */
        tband_put_wide(&frame, 0);
        tband_put_wide(&frame, time);
        tband_put_wide(&frame, number);
        return tband_frame_end(&frame);
    }
#endif
    tband_frame_begin(&frame, at, id);
    tband_put_time_and_number(&frame, time, number);
    return tband_frame_end(&frame);
}
#endif

/* Bytes of the frames that did not fit into the buffer of names. */
static uint32_t missing_bytes[tband_portNUMBER_OF_CORES];

/* Returns the length of the frame names_missing after the names of a core; 0: none. */
static uint32_t missing_len(const struct tband_core *core) {
    uint32_t len = 0;
    if (core->metadata_lost != 0u) {
        while (core->metadata[core->metadata_len + len++] != 0u) {}
    }
    return len;
}

#define TBAND_SENDS_NAMES_AGAIN \
    (tband_configUSE_BACKEND_STREAMING == 1 && (TBAND_RING_SIZE > 0 || tband_configREPEAT_MS > 0))

#if TBAND_SENDS_NAMES_AGAIN || TBAND_REUSES_NAMES
/* Returns the position after a frame of a name or fact. Each code is the distance to the next code, the last one to the
 * delimiter, which is 0. A byte that is left over is a 0 of its own. */
static uint32_t frame_after(const struct tband_core *core, uint32_t at) {
    uint32_t end = at;
    while (core->metadata[end] != 0u) {
        end += core->metadata[end];
    }
    return end + 1u;
}
#endif

#if TBAND_SENDS_NAMES_AGAIN
#define TBAND_ID_REPEATED 0x93u

/* Writes a frame of a name or fact that was sent before: TBAND_ID_REPEATED precedes its id, in the first block. A frame
 * of one byte is a zero that is left over. */
static uint8_t *write_again(uint8_t *to, const uint8_t *frame, uint32_t len) {
    uint32_t code_len = 0;
    if (len > 1u) {
        code_len = 1;
        to[0] = (uint8_t)(frame[0] + 1u);
        to[1] = (uint8_t)TBAND_ID_REPEATED;
    }
    return tband_copy(&to[2u * code_len], &frame[code_len], len - code_len);
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

/* ---- The control block ----------------------------------------------------------------------------------------------
 */

/* Stored inverted, so that a search for the magic in a dump does not find this constant. */
#define INVERTED(number) (uint8_t)(0xFFU ^ (uint32_t)(number))
static const struct tband_header inverted = { { 0xAB, 0x90, 0x91, 0x94, 0x90, 0x8F, 0x99, 0xDF, 0xAD, 0x96, 0x91,
                                                0x98 }, /* "Tonkopf Ring" */
                                              INVERTED(TBAND_CONTROL_VERSION),
                                              INVERTED(TBAND_BACKEND),
                                              INVERTED(tband_portNUMBER_OF_CORES),
                                              INVERTED(tband_configMAX_STR_LEN),
                                              ~(uint32_t)TBAND_METADATA_SIZE,
                                              ~(uint32_t)TBAND_RING_SIZE };

/* Volatile, because otherwise a compiler may compute the inverse at compile time. */
static uint8_t header_byte(unsigned i) { return INVERTED(((const volatile uint8_t *)&inverted)[i]); }

static void clear_core(struct tband_core *core) {
    if (TBAND_BACKEND == TBAND_HANDED_OVER) return; /* it started as zeros and may be in use */
    tband_store(&core->position, 0);
    tband_store(&core->read, 0);
    tband_store(&core->rounds, 0);
    tband_store(&core->lost, 0);
    core->metadata_len = core->metadata_lost = 0;
    missing_bytes[core - tband_control.core] = 0;
}

/* Runs once, with the first name or the first start. The magic is written last, from its last word on, so that a
 * block with the magic is complete. */
static void prepare_control(void) {
    struct tband_control *control = &tband_control;
    if (is_prepared) return;
    is_prepared = true;
    for (unsigned i = 0; i < tband_portNUMBER_OF_CORES; i++) clear_core(&control->core[i]);
    control->resolution[0] = (uint32_t)TBAND_TICK_NS;
    control->resolution[1] = (uint32_t)(TBAND_TICK_NS >> 32);
    for (unsigned i = sizeof inverted; i > 0u; i--) ((uint8_t *)&control->header)[i - 1u] = header_byte(i - 1u);
}

/* Each start function prepares before it masks interrupts, so that no section is long. */
#if TBAND_METADATA_SIZE > 0
void tband_prepare(void) {
    if (!has_resolution) tband_record_resolution();
}

void tband_begin(void) { tband_enable(); }
#else
static void write_own_facts(void);

void tband_prepare(void) {
    tband_portENTER_CRITICAL_FROM_ANY();
    prepare_control();
    tband_portEXIT_CRITICAL_FROM_ANY();
}

void tband_begin(void) {
    tband_enable();
    write_own_facts(); /* not kept in the block: every recording contains it */
}
#endif

/* ---- What is recorded -----------------------------------------------------------------------------------------------
 */

void tband_enable(void) { tband_publish(&tband_active, tband_load(&groups) | TBAND_GROUP_SYSTEM); }

bool tband_disable(void) {
    bool was_active = tband_load(&tband_active) != 0u;
    tband_publish(&tband_active, 0);
    return was_active;
}

void tband_set_groups(uint32_t wanted) {
    tband_portENTER_CRITICAL_FROM_ANY();
    uint32_t active = tband_load(&tband_active);
    tband_store(&groups, wanted & (tband_configGROUPS)&TBAND_GROUPS_ALL);
    if (active) {
        tband_change(&tband_active, active, tband_load(&groups) | TBAND_GROUP_SYSTEM);
    }
    tband_portEXIT_CRITICAL_FROM_ANY();
}

#if tband_configISR_FILTER_ENABLE == 1
void tband_set_isr_recorded(uint32_t isr_id, bool is_recorded) {
    if (isr_id > 255u) return;
    const uint32_t bit = UINT32_C(1) << (isr_id & 31u);
    tband_portENTER_CRITICAL_FROM_ANY();
    uint32_t word = tband_isr_left_out[isr_id >> 5];
    tband_isr_left_out[isr_id >> 5] = is_recorded ? word & ~bit : word | bit;
    tband_portEXIT_CRITICAL_FROM_ANY();
}
#endif

uint32_t tband_get_groups(void) { return tband_load(&groups); }

bool tband_tracing_enabled(void) { return tband_load(&tband_active) != 0; }

bool tband_tracing_finished(void) {
    bool finished = true;
    for (unsigned i = 0; i < tband_portNUMBER_OF_CORES; i++) finished = finished && tband_tracing_backend_finished(i);
    return finished;
}

#if TBAND_COUNTS_LOSSES
uint32_t tband_get_dropped(void) { return (is_prepared || (TBAND_RING_SIZE == 0)) ? sum_of_losses() : 0; }
#else
uint32_t tband_get_dropped(void) { return 0; }
#endif

const volatile uint8_t *tband_get_metadata_buf(unsigned int core_id) { return tband_core_of(core_id)->metadata; }

size_t tband_get_metadata_buf_amnt(unsigned int core_id) {
    const struct tband_core *core = tband_core_of(core_id);
    return is_prepared ? core->metadata_len + missing_len(core) : 0;
}

uint32_t tband_get_metadata_lost(unsigned int core_id) {
    return is_prepared ? tband_core_of(core_id)->metadata_lost : 0;
}

/* ---- Events with a time ---------------------------------------------------------------------------------------------
 */

/* An event that is being written. */
struct event {
    struct tband_core *core;
    struct tband_frame frame;
    bool is_deferred; /* to be written in another masked section, because this one made room for it */
};

/* Reserves space and writes the start of the event there. Returns false when the event is not recorded, or is
 * deferred. */
TBAND_HOT bool frame_begin(struct event *event, uint32_t head) {
    event->is_deferred = false;
    if (!(tband_load(&tband_active) & head)) return false;
    event->core = tband_this_core();
    TBAND_IN_REGISTER(event->core);
    uint8_t *at = tband_open(event->core, &event->is_deferred);
    if (!at) return false;
    TBAND_IN_REGISTER(at);
    tband_frame_begin(&event->frame, at, head);
    return true;
}

/* Writes also the time and the first number. */
TBAND_HOT bool event_begin(struct event *event, uint32_t head, uint32_t id) {
    if (!frame_begin(event, head)) return false;
    tband_put_time_and_number(&event->frame, tband_portTIMESTAMP(), id);
    return true;
}

TBAND_HOT void event_end(struct event *event) { tband_close(event->core, tband_frame_end(&event->frame), false); }

void tband_record_TI(uint32_t head, uint32_t id) {
    struct event event;
    do {
        tband_portENTER_CRITICAL_FROM_ANY();
        if (event_begin(&event, head, id)) {
            event_end(&event);
        }
        tband_portEXIT_CRITICAL_FROM_ANY();
    } while (event.is_deferred);
}

void tband_record_TIA(uint32_t head, uint32_t id, uint32_t arg) {
    struct event event;
    do {
        tband_portENTER_CRITICAL_FROM_ANY();
        if (event_begin(&event, head, id)) {
            tband_put_number(&event.frame, arg);
            event_end(&event);
        }
        tband_portEXIT_CRITICAL_FROM_ANY();
    } while (event.is_deferred);
}

void tband_record_TIS(uint32_t head, uint32_t id, const char *text) {
    struct event event;
    do {
        tband_portENTER_CRITICAL_FROM_ANY();
        if (event_begin(&event, head, id)) {
            tband_put_text(&event.frame, text);
            event_end(&event);
        }
        tband_portEXIT_CRITICAL_FROM_ANY();
    } while (event.is_deferred);
}

void tband_record_TIR(uint32_t head, uint32_t id, uint64_t value) {
    struct event event;
    do {
        tband_portENTER_CRITICAL_FROM_ANY();
        if (event_begin(&event, head, id)) {
            tband_put_wide(&event.frame, value);
            event_end(&event);
        }
        tband_portEXIT_CRITICAL_FROM_ANY();
    } while (event.is_deferred);
}

void tband_record_TIV(uint32_t head, uint32_t id, int64_t value) {
    tband_record_TIR(head, id, tband_sign_and_magnitude(value));
}

#if TBAND_EXTENSIONS || tband_configFAULT_ENABLE == 1
/* Less frequent events. */
static void record_numbers(uint32_t head, const uint32_t *numbers, uint32_t count) {
    struct event event;
    do {
        tband_portENTER_CRITICAL_FROM_ANY();
        if (event_begin(&event, head, *numbers)) {
            while (--count) tband_put_number(&event.frame, *++numbers);
            event_end(&event);
        }
        tband_portEXIT_CRITICAL_FROM_ANY();
    } while (event.is_deferred);
}

void tband_record_TIAQ(uint32_t head, uint32_t id, uint32_t arg, uint32_t value) {
    const uint32_t numbers[] = { id, arg, value };
    record_numbers(head, numbers, 3);
}

#endif

#if TBAND_EXTENSIONS
void tband_record_T(uint32_t head) {
    struct event event;
    do {
        tband_portENTER_CRITICAL_FROM_ANY();
        if (frame_begin(&event, head)) {
            event.frame.at = tband_put_time(event.frame.at, tband_portTIMESTAMP());
            *event.frame.at = 0;
            event_end(&event);
        }
        tband_portEXIT_CRITICAL_FROM_ANY();
    } while (event.is_deferred);
}

void tband_record_TIAQP(uint32_t head, uint32_t id, uint32_t arg, uint32_t value, uint32_t address) {
    const uint32_t numbers[] = { id, arg, value, address };
    record_numbers(head, numbers, 4);
}
#endif

#if tband_configCLOCK_SYNC_ENABLE == 1
uint64_t tband_now(void) {
    tband_portENTER_CRITICAL_FROM_ANY();
    uint64_t tband_time = tband_portTIMESTAMP(); /* not `now`, which the port's clock may use as a name */
    tband_portEXIT_CRITICAL_FROM_ANY();
    return tband_time;
}
#endif

/* ---- Names and facts ------------------------------------------------------------------------------------------------
 */

/* With a time, a fact is as long as a name with a text of 10 bytes. */
#define TBAND_HAS_TIMED_FACTS \
    ((TBAND_EXTENSIONS || tband_configTASK_DECLARE_ENABLE == 1) && tband_configMAX_STR_LEN >= 10)

#define FACT_NUMBERS 0u
#define FACT_BYTE 1u
#define FACT_WITH_TIME 2u

/* A name or a fact: one or two numbers, and a text or the time. */
struct fact {
    uint32_t head;
    uint64_t first;
    uint32_t second;
    uint8_t has_second;
    uint8_t shape;    /* FACT_BYTE: the second number is a byte, not a varint; FACT_WITH_TIME: the time follows */
    const char *text; /* NULL: none */
};

/* Encodes in the shortest form. */
TBAND_COLD static void put_number(struct tband_frame *frame, uint64_t number) { tband_put_wide(frame, number); }

/* Encodes after the last name of this core, whether the buffer has space for it or not. Returns the length. */
TBAND_COLD static uint32_t encode_fact(struct tband_core *core, const struct fact *fact) {
    uint8_t *begin = core->metadata + core->metadata_len;
    struct tband_frame frame;
    tband_frame_begin(&frame, begin, fact->head);
    put_number(&frame, fact->first);
    if ((fact->shape == FACT_BYTE) && (fact->second != 0u)) {
        frame.at = tband_put_small(frame.at, fact->second);
    } else if (fact->has_second != 0u) {
        put_number(&frame, fact->second);
    } else {
        /* one number */
    }
#if TBAND_HAS_TIMED_FACTS
    if (fact->shape == FACT_WITH_TIME) {
        put_number(&frame, tband_portTIMESTAMP());
    }
#endif
    tband_put_text(&frame, fact->text);
    return (uint32_t)(tband_frame_end(&frame) - begin);
}

/* tband_open() may only make room and defer the frame, which is then opened again, in the same masked section: it stays
 * short, because the caller has recorded a pending loss count before. */
static void record_in_line(struct tband_core *core, const uint8_t *frame, uint32_t len) {
    bool is_deferred = false;
    uint8_t *at = tband_open(core, &is_deferred);
    if (is_deferred) {
        is_deferred = false;
        at = tband_open(core, &is_deferred);
        if (is_deferred) {
            tband_count_loss(core);
        }
    }
    if (at) tband_close(core, tband_copy(at, frame, len), true);
}

/* Records a frame while recording is active. In a stream, a stored frame that finds no space is sent later. A frame
 * that is not stored is lost while older names wait: one of them may be of the same object, and readers use the last
 * name. */
static void record_frame(struct tband_core *core, const uint8_t *begin, uint32_t len, bool is_kept) {
    if (!tband_load(&tband_active)) return;
#if tband_configUSE_BACKEND_STREAMING == 1 && TBAND_RING_SIZE > 0
    if (is_kept) {
        make_room(core);
    } else if (((core->metadata_sent != core->metadata_len) && !is_sent_again(core)) || has_count_apart(core)) {
        tband_count_loss(core); /* since send_names_left(), events were lost, the task changed its core, or names were
                                   asked for */
    } else {
        record_in_line(core, begin, len);
    }
#else
    (void)is_kept;
    record_in_line(core, begin, len);
#endif
}

/* Stores the frame if it fits, and also records it. In the masked section. Returns 0, or the length of the frame if it
 * did not fit. */
TBAND_COLD static uint32_t write_fact(const struct fact *fact) {
    struct tband_core *core = tband_this_core();
    prepare_control();
    const uint32_t len = encode_fact(core, fact);
    const uint8_t *begin = core->metadata + core->metadata_len;
    bool is_kept = core->metadata_len + len <= (uint32_t)TBAND_METADATA_SIZE;
    if (is_kept) {
        core->metadata_len += len;
        core->metadata[core->metadata_len] = 0; /* what is left of names_missing is not a frame */
    }
    record_frame(core, begin, len, is_kept);
    return is_kept ? 0u : len;
}

#if TBAND_METADATA_SIZE > 0
/* Counts a frame that did not fit, unless `len` is 0. Writes names_missing into the reserve after the names. The next
 * frame overwrites it. In a masked section of its own, so that no section is long. */
static void tell_missing(uint32_t len) {
    struct tband_frame frame;
    tband_portENTER_CRITICAL_FROM_ANY();
    struct tband_core *core = tband_this_core();
    if (len != 0u) {
        core->metadata_lost++;
        missing_bytes[core - tband_control.core] += len;
    }
    if (core->metadata_lost != 0u) {
        tband_frame_begin(&frame, core->metadata + core->metadata_len, (uint32_t)TBAND_ID_names_missing);
        put_number(&frame, core->metadata_lost);
        put_number(&frame, missing_bytes[core - tband_control.core]);
        (void)tband_frame_end(&frame);
    }
    tband_portEXIT_CRITICAL_FROM_ANY();
}
#else
static void tell_missing(uint32_t len) { (void)len; }
#endif

#if TBAND_REUSES_NAMES
#include "tband_reuse.h"
#else
static bool reuse_name(const struct fact *fact, uint32_t len) {
    (void)fact;
    (void)len;
    return false;
}
#endif

TBAND_COLD static void record_fact(const struct fact *fact) {
#if tband_configUSE_BACKEND_STREAMING == 1 && TBAND_RING_SIZE > 0
    send_names_left();
#endif
    tband_portENTER_CRITICAL_FROM_ANY();
    uint32_t len = write_fact(fact);
    tband_portEXIT_CRITICAL_FROM_ANY();
    tell_missing((len != 0u) && reuse_name(fact, len) ? 0u : len);
}

void tband_record_R(uint32_t head, uint64_t value) {
    const struct fact fact = { head, value, 0, 0, 0, NULL };
    record_fact(&fact);
}

void tband_record_IB(uint32_t head, uint32_t id, uint8_t arg) {
    const struct fact fact = { head, id, arg, 1, FACT_BYTE, NULL };
    record_fact(&fact);
}

TBAND_COLD void tband_record_IAS(uint32_t head, uint32_t id, uint32_t arg, const char *text) {
    const struct fact fact = { head, id, arg, 1, 0, text };
    record_fact(&fact);
}

void tband_record_IS(uint32_t head, uint32_t id, const char *text) {
    const struct fact fact = { head, id, 0, 0, 0, text };
    record_fact(&fact);
}

void tband_record_I(uint32_t head, uint32_t id) { tband_record_IS(head, id, NULL); }

void tband_record_IA(uint32_t head, uint32_t id, uint32_t arg) { tband_record_IAS(head, id, arg, NULL); }

void tband_record_RD(uint32_t head, uint64_t value, uint32_t divisor) {
    const struct fact fact = { head, value, divisor, divisor != 1u, 0, NULL };
    record_fact(&fact);
}

#if TBAND_HAS_TIMED_FACTS
void tband_record_IAN(uint32_t head, uint32_t id, uint32_t arg) {
    const struct fact fact = { head, id, arg, 1, FACT_WITH_TIME, NULL };
    record_fact(&fact);
}
#endif

/* Refuses 5.952, 1e9 / 168e6, 0 and variables. */
#define TBAND_IS_WHOLE(value) (_Generic((value), float: 0, double: 0, long double: 0, default: 1) == 1)
#if defined(__GNUC__)
#define TBAND_IS_CONSTANT(value) __builtin_constant_p(value)
#else
#define TBAND_IS_CONSTANT(value) 1
#endif

#ifdef tband_portCLOCK_HZ
#define TBAND_RATE tband_portCLOCK_HZ
_Static_assert(TBAND_IS_WHOLE(TBAND_RATE) && TBAND_IS_CONSTANT(TBAND_RATE),
               "tband_portCLOCK_HZ must be an integer constant, such as 168000000. Of a rate with a fraction, such as "
               "72 MHz / 7, set tband_portCLOCK_HZ 72000000 and tband_portCLOCK_DIVISOR 7.");
_Static_assert((TBAND_RATE) > 0 && (TBAND_RATE) <= 0xFFFFFFFF,
               "tband_portCLOCK_HZ must be 1 to 4294967295: ticks per second.");
_Static_assert(TBAND_IS_WHOLE(tband_portCLOCK_DIVISOR) && TBAND_IS_CONSTANT(tband_portCLOCK_DIVISOR),
               "tband_portCLOCK_DIVISOR must be an integer constant.");
_Static_assert((tband_portCLOCK_DIVISOR) > 0 && (tband_portCLOCK_DIVISOR) <= 0xFFFFFFFF,
               "tband_portCLOCK_DIVISOR must be 1 to 4294967295.");

#else
#define TBAND_RATE tband_portTIMESTAMP_RESOLUTION_NS
_Static_assert(TBAND_IS_WHOLE(TBAND_RATE) && TBAND_IS_CONSTANT(TBAND_RATE),
               "tband_portTIMESTAMP_RESOLUTION_NS must be an integer constant. If a tick is no whole number of "
               "nanoseconds, define tband_portCLOCK_HZ instead, such as 168000000.");
_Static_assert(
    (TBAND_RATE) > 0,
    "tband_portTIMESTAMP_RESOLUTION_NS must be 1 or more. If a tick is shorter than a nanosecond, or this is "
    "an integer division, define tband_portCLOCK_HZ instead.");
#endif

/* ---- Facts about the recording itself ---- */

static void take_own_facts(void (*take)(const struct fact *fact)) {
    struct fact fact;
    fact.head = (uint32_t)TBAND_ID_ts_resolution_ns | TBAND_GROUP_SYSTEM;
    fact.first = TBAND_TICK_NS;
    fact.second = 0;
    fact.has_second = 0;
    fact.shape = FACT_NUMBERS;
    fact.text = NULL;
    take(&fact);
#ifdef tband_portCLOCK_HZ
    fact.head = (uint32_t)TBAND_ID_clock_hz | TBAND_GROUP_SYSTEM;
    fact.first = tband_portCLOCK_HZ;
    fact.second = tband_portCLOCK_DIVISOR;
    fact.has_second = fact.second != 1u;
    take(&fact);
#endif
#ifdef tband_configRUN_NUMBER
    fact.head = (uint32_t)TBAND_ID_run | TBAND_GROUP_SYSTEM;
    fact.first = (tband_configRUN_NUMBER);
    fact.has_second = 0;
    take(&fact);
#endif
#ifdef tband_configBUILD_ID
    const uint64_t build = (tband_configBUILD_ID);
    fact.head = (uint32_t)TBAND_ID_build | TBAND_GROUP_SYSTEM;
    fact.first = (uint32_t)build;
    fact.second = (uint32_t)(build >> 32);
    fact.has_second = 1;
    take(&fact);
#endif
}

#if TBAND_METADATA_SIZE == 0
static void write_masked(const struct fact *fact) { (void)write_fact(fact); }

static void write_own_facts(void) { take_own_facts(write_masked); }
#endif

void tband_record_resolution(void) {
    has_resolution = true;
    take_own_facts(record_fact);
}

#ifdef tband_configRUN_NUMBER
/* The number and its inverse, which RAM that was not initialised does not have. */
static tband_configCONTROL_ATTRIBUTE uint32_t runs[2];

uint32_t tband_next_run(void) {
    static bool is_counted = false;
    if (!is_counted) {
        runs[0] = (runs[0] == ~runs[1]) ? runs[0] + 1u : 1u;
        runs[1] = ~runs[0];
        is_counted = true;
    }
    return runs[0];
}
#endif

#if tband_configREPEAT_MS > 0
/* All bytes of a full buffer take the time tband_configREPEAT_MS. At most 2^24, so that the pause after the longest
 * frame is below 2^32 ticks. */
#ifdef tband_portCLOCK_HZ
#define TBAND_TICKS_OF_REPETITION \
    (UINT64_C(1) * (tband_portCLOCK_HZ) * tband_configREPEAT_MS / 1000u / (tband_portCLOCK_DIVISOR))
#else
#define TBAND_TICKS_OF_REPETITION (UINT64_C(1000000) * tband_configREPEAT_MS / TBAND_TICK_NS)
#endif
#define TBAND_TICKS_PER_BYTE                                                \
    (TBAND_TICKS_OF_REPETITION / (uint32_t)TBAND_METADATA_SIZE > 0x1000000u \
         ? 0x1000000u                                                       \
         : (uint32_t)(TBAND_TICKS_OF_REPETITION / (uint32_t)TBAND_METADATA_SIZE))

void tband_repeat_names(void) {
    static struct {
        uint32_t at;          /* position of the next frame in the buffer of names */
        uint32_t since, wait; /* time of the last one, and ticks until the next one */
    } repetitions[tband_portNUMBER_OF_CORES];
    tband_portENTER_CRITICAL_FROM_ANY();
    const struct tband_core *core = tband_this_core();
    uint32_t tband_core = (uint32_t)(core - tband_control.core), time = (uint32_t)tband_portTIMESTAMP();
    if ((tband_load(&tband_active) != 0u) && ((time - repetitions[tband_core].since) >= repetitions[tband_core].wait)) {
        const uint32_t all = core->metadata_len + missing_len(core);
        const uint32_t at = (repetitions[tband_core].at < all) ? repetitions[tband_core].at : 0u;
        const uint32_t len = (at < all) ? (frame_after(core, at) - at) : 0u;
        if ((len != 0u) && send_again(&tband_control.core[tband_core], &core->metadata[at], len)) {
            /* After names_missing the first one follows: a later name may replace names_missing. */
            repetitions[tband_core].at = (at < core->metadata_len) ? (at + len) : 0u;
            repetitions[tband_core].since = time;
            repetitions[tband_core].wait = len * TBAND_TICKS_PER_BYTE;
        }
    }
    tband_portEXIT_CRITICAL_FROM_ANY();
}
#endif

#if tband_configCOMMANDS_ENABLE == 1
#include "tband_command.h"
#endif

#endif
