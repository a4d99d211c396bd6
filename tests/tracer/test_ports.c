// SPDX-License-Identifier: MIT
//
// tband_cortex_m_start_cycles() with simulated registers.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static volatile uint32_t *register_at(uint32_t address);
#define TBAND_CORTEX_M_REGISTER(address) (*register_at(address))
#include "../../tracer/ports/cortex-m/tband_cortex_m.h"

enum { LOCK_PRESENT = 1, LOCKED = 2, TRACE_ON = 1 << 24, COUNTS = 1, NO_COUNTER = 1 << 25 };

static uint32_t demcr, control, cycles, access_key, lock, control_before;

// A write through the pointer takes effect with the next access.
static void settle(void) {
    if (access_key == 0xC5ACCE55u) lock &= ~(uint32_t)LOCKED;
    access_key = 0;
    bool is_ignored = lock & LOCKED || !(demcr & TRACE_ON);
    control = is_ignored ? control_before : (control & COUNTS) | (control_before & NO_COUNTER);
    control_before = control;
    if ((control & COUNTS) && !(control & NO_COUNTER)) cycles += 3;
}

static volatile uint32_t *register_at(uint32_t address) {
    settle();
    switch (address) {
    case 0xE000EDFC: return &demcr;
    case 0xE0001000: return &control;
    case 0xE0001004: return &cycles;
    case 0xE0001FB0: return &access_key;
    case 0xE0001FB4: return &lock;
    default: fail_msg("no register at %x", address); return NULL;
    }
}

static void reset(uint32_t lock_state, uint32_t control_state) {
    demcr = cycles = access_key = 0;
    lock = lock_state;
    control = control_before = control_state;
}

static void a_counter_without_a_lock_is_started(void **state) {
    (void)state;
    reset(0, 0);
    assert_true(tband_cortex_m_start_cycles());
    assert_true(tband_cortex_m_start_cycles()); // again
}

static void a_lock_is_opened(void **state) {
    (void)state;
    reset(LOCK_PRESENT | LOCKED, 0);
    assert_true(tband_cortex_m_start_cycles());
    assert_int_equal(lock, LOCK_PRESENT);
}

static void an_open_lock_stays_open(void **state) {
    (void)state;
    reset(LOCK_PRESENT, 0);
    assert_true(tband_cortex_m_start_cycles());
    assert_int_equal(lock, LOCK_PRESENT);
}

static void other_bits_of_the_registers_stay(void **state) {
    (void)state;
    reset(0, 0);
    demcr = 0x10001;
    assert_true(tband_cortex_m_start_cycles());
    assert_int_equal(demcr, 0x10001 | TRACE_ON);
}

static void a_missing_counter_is_reported(void **state) {
    (void)state;
    reset(0, NO_COUNTER);
    assert_false(tband_cortex_m_start_cycles());
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_counter_without_a_lock_is_started),
        cmocka_unit_test(a_lock_is_opened),
        cmocka_unit_test(an_open_lock_stays_open),
        cmocka_unit_test(other_bits_of_the_registers_stay),
        cmocka_unit_test(a_missing_counter_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
