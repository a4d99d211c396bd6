// SPDX-License-Identifier: MIT
//
// For tests of the recorder: a target with a clock that the test sets, random events, and the product's decoder as
// reader.
#ifndef TK_TESTS_TARGET_H
#define TK_TESTS_TARGET_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#ifdef TRACER_FUZZ
#define assert_true(condition) check(condition)
#define assert_false(condition) check(!(condition))
#define assert_int_equal(a, b) check((a) == (b))
#define assert_ptr_equal(a, b) check((a) == (b))
#define assert_non_null(pointer) check(pointer)
#define fail() check(false)
#else
#include <cmocka.h>
#endif
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "formats/tonbandgeraet/decode.h"
#include "tband.h"

// ---- Port ----------------------------------------------------------------------------------------------------------

// A core is a thread.
static _Thread_local uint64_t now = 1;
static _Thread_local bool is_masked;
static _Thread_local unsigned this_core;
static unsigned times_full;

uint64_t test_time(void) {
    assert_true(is_masked);
    return now;
}

void test_enter(void) {
    assert_false(is_masked);
    is_masked = true;
}

static _Thread_local void (*interrupt)(void); // called after each masked section except its own

void test_exit(void) {
    assert_true(is_masked);
    is_masked = false;
    void (*handler)(void) = interrupt;
    interrupt = NULL;
    if (handler) handler();
    interrupt = handler;
}

unsigned test_core(void) { return this_core; }
void test_full(void) { times_full++; }

// ---- Random numbers ------------------------------------------------------------------------------------------------

static _Thread_local uint64_t seed = 1;

static inline uint64_t random64(void) {
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return seed;
}

// A random number of any length, often at the limit of a length.
static inline uint64_t random_number(unsigned bits) {
    uint64_t most = bits == 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1, one = UINT64_C(1) << random64() % bits;
    switch (random64() % 4) {
    case 0: return one - 1;
    case 1: return one;
    case 2: return most - (one - 1);
    default: return random64() & most >> random64() % bits;
    }
}

// ---- Events --------------------------------------------------------------------------------------------------------

struct sample {
    uint8_t event_id;
    const char *fields; // letters of spec/tonbandgeraet.def
    bool timed;
    uint64_t time;
    uint32_t id, arg;
    int64_t value;
    uint32_t address;
    char text[300];
};

static const struct {
    uint8_t id;
    const char *fields;
} event_table[] = {
#define TB_EVENT(event_id, name, group, fields, kind, field_names) { event_id, #fields },
#include "../../spec/tonbandgeraet.def"
#undef TB_EVENT
};
enum { EVENT_COUNT = sizeof event_table / sizeof *event_table, FIRST_PUBLIC = 2 }; // 00 and 01 belong to the recorder

static inline bool has(const struct sample *sample, char field) { return strchr(sample->fields, field) != NULL; }

static inline struct sample random_sample(unsigned row) {
    struct sample sample = { .event_id = event_table[row].id,
                             .fields = event_table[row].fields,
                             .time = now ? now : 1 };
    sample.timed = has(&sample, 'T');
    if (has(&sample, 'I')) sample.id = (uint32_t)random_number(32);
    if (has(&sample, 'A')) sample.arg = (uint32_t)random_number(32);
    if (has(&sample, 'D')) sample.arg = (uint32_t)random_number(32);
    if (has(&sample, 'B')) sample.arg = (uint8_t)random_number(8);
    if (has(&sample, 'V')) sample.value = (int64_t)random_number(64);
    if (has(&sample, 'R')) sample.value = (int64_t)random_number(63);
    if (has(&sample, 'N')) sample.value = now > INT64_MAX ? INT64_MAX : (int64_t)now;
    if (has(&sample, 'Q')) sample.value = (int64_t)random_number(32);
    if (has(&sample, 'P')) sample.address = (uint32_t)random_number(32);
    size_t len = has(&sample, 'S') ? random64() % (tband_configMAX_STR_LEN + 20) : 0;
    for (size_t i = 0; i < len; i++) sample.text[i] = (char)(1 + random64() % 255);
    return sample;
}

static inline struct sample random_event(void) {
    return random_sample(FIRST_PUBLIC + (unsigned)(random64() % (EVENT_COUNT - FIRST_PUBLIC)));
}

#define CALL_TI(name) tband_event_##name(s->id)
#define CALL_TA(name) tband_event_##name(s->arg)
#define CALL_TIA(name) tband_event_##name(s->id, s->arg)
#define CALL_T(name) tband_event_##name()
#define CALL_TIQ(name) tband_event_##name(s->id, (uint32_t)s->value)
#define CALL_TIR(name) tband_event_##name(s->id, (uint64_t)s->value)
#define CALL_TIAQ(name) tband_event_##name(s->id, s->arg, (uint32_t)s->value)
#define CALL_TIAQP(name) tband_event_##name(s->id, s->arg, (uint32_t)s->value, s->address)
#define CALL_A(name) tband_event_##name(s->arg)
#define CALL_TIS(name) tband_event_##name(s->id, s->text)
#define CALL_TIV(name) tband_event_##name(s->id, s->value)
#define CALL_R(name) tband_event_##name((uint64_t)s->value)
#define CALL_RD(name) tband_event_##name((uint64_t)s->value, s->arg)
#define CALL_I(name) tband_event_##name(s->id)
#define CALL_IA(name) tband_event_##name(s->id, s->arg)
#define CALL_IB(name) tband_event_##name(s->id, (uint8_t)s->arg)
#define CALL_IS(name) tband_event_##name(s->id, s->text)
#define CALL_IAS(name) tband_event_##name(s->id, s->arg, s->text)
#define CALL_IAN(name) tband_event_##name(s->id, s->arg)

static inline void record(const struct sample *s) {
    switch (s->event_id) {
#define TB_EVENT(event_id, name, group, fields, kind, field_names) \
    case event_id: CALL_##fields(name); break;
#include "../../spec/tonbandgeraet.def"
#undef TB_EVENT
    default: fail();
    }
}

// ---- What was recorded ---------------------------------------------------------------------------------------------

// The smallest number of bytes for a number.
static inline size_t number_len(uint64_t number) {
    size_t len = 1;
    while (number >>= 7) len++;
    return len;
}

static inline uint64_t sign_and_magnitude(int64_t value) {
    if (value >= 0) return (uint64_t)value << 1;
    return value == INT64_MIN ? 1 : (uint64_t)-value << 1 | 1;
}

// A text that is too long ends before the character of UTF-8 that the limit is within.
static inline size_t text_len(const struct sample *sample) {
    size_t len = strlen(sample->text), cut = tband_configMAX_STR_LEN;
    const unsigned char *text = (const unsigned char *)sample->text;
    if (len <= cut) return len;
    for (size_t back = 0; back < 4 && back < cut + 1; back++) {
        if (text[cut - back] >= 0xC0) return back ? cut - back : cut;
        if (text[cut - back] < 0x80) break;
    }
    return cut;
}

// Smallest length of the whole frame, computed from the table's letters.
static inline size_t least_len(const struct sample *sample) {
    size_t len = 3 + text_len(sample); // code, id, delimiter
    if (sample->timed) len += number_len(sample->time);
    if (has(sample, 'I')) len += number_len(sample->id);
    if (has(sample, 'A')) len += number_len(sample->arg);
    if (has(sample, 'D') && sample->arg != 1) len += number_len(sample->arg);
    if (has(sample, 'B')) len++;
    if (has(sample, 'V')) len += number_len(sign_and_magnitude(sample->value));
    if (has(sample, 'P')) len += number_len(sample->address);
    if (has(sample, 'R') || has(sample, 'Q')) len += number_len((uint64_t)sample->value);
    if (has(sample, 'N')) len += number_len(sample->time);
    return len;
}

static inline bool fields_equal(const struct tk_event *event, const struct sample *expected) {
    return event->timed == expected->timed && event->ticks == expected->time * expected->timed &&
           tk_event_id(event) == expected->id && tk_event_number(event, TK_SLOT_NUMBER) == expected->arg &&
           tk_event_number(event, TK_SLOT_VALUE) == expected->value &&
           (!has(expected, 'P') || event->allocation.address == expected->address) &&
           event->str_len == text_len(expected) &&
           (!event->str_len || !memcmp(event->str, expected->text, event->str_len));
}

// A frame with its delimiter.
static inline bool is_frame_of(const uint8_t *frame, size_t len, const struct sample *expected) {
    uint8_t scratch[512 + TB_SCRATCH_MORE], event_id = 0xFF;
    struct tk_event event = { 0 };
    assert_true(len > 1 && len <= 256);
    assert_ptr_equal(memchr(frame, 0, len), frame + len - 1);
    assert_int_equal(tb_decode_piece(frame, len - 1, 0, scratch, &event, &event_id), TB_OK);
    return event_id == expected->event_id && fields_equal(&event, expected) && len == least_len(expected);
}

static inline void assert_frame(const uint8_t *frame, size_t len, const struct sample *expected) {
    assert_true(is_frame_of(frame, len, expected));
}

static inline size_t frame_len(const uint8_t *bytes, size_t len) {
    const uint8_t *zero = memchr(bytes, 0, len);
    assert_non_null(zero);
    return (size_t)(zero - bytes) + 1;
}

#endif
