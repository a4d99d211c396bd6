// SPDX-License-Identifier: MIT
//
// Groups and interrupts that the configuration or a call leaves out.
#include "target.h"

static unsigned timed, names;

bool tband_submit_to_backend(uint8_t *buf, size_t len, bool is_metadata) {
    (void)len;
    if (buf[1] == 0x01) return false; // the loss count
    timed += !is_metadata;
    names += is_metadata;
    return false;
}

static unsigned records_of(uint32_t isr_id) {
    timed = 0;
    tband_isr_enter(isr_id);
    tband_isr_exit(isr_id);
    return timed;
}

static void groups_that_are_not_compiled_stay_off(void **state) {
    (void)state;
    timed = names = 0;
    tband_evtmarker(1, "");
    tband_valmarker(1, 5); // tband_configGROUPS leaves out values
    assert_int_equal(timed, 1);
    tband_valmarker_name(1, "kept");
    assert_int_equal(names, 1);
    tband_set_groups(TBAND_GROUPS_ALL);
    assert_int_equal(tband_get_groups(), TBAND_GROUPS_ALL & ~TBAND_GROUP_VALUES);
    tband_valmarker(1, 5);
    assert_int_equal(timed, 1);
    tband_set_groups(TBAND_GROUP_VALUES);
    tband_evtmarker(1, "");
    assert_int_equal(timed, 1);
    tband_set_groups(TBAND_GROUPS_ALL);
}

static void interrupts_are_left_out(void **state) {
    (void)state;
    assert_int_equal(records_of(7), 0); // tband_configISR_RECORDED() leaves it out
    tband_set_isr_recorded(7, true);
    assert_int_equal(records_of(7), 0);
    for (uint32_t id = 0; id < 300; id++) {
        if (id == 7) continue;
        assert_int_equal(records_of(id), 2);
        tband_set_isr_recorded(id, false);
        assert_int_equal(records_of(id), id < 256 ? 0 : 2);
        assert_int_equal(records_of(id ^ 1), (id ^ 1) == 7 ? 0 : 2);
        tband_set_isr_recorded(id, true);
        assert_int_equal(records_of(id), 2);
    }
}

int main(void) {
    const struct CMUnitTest all[] = {
        cmocka_unit_test(groups_that_are_not_compiled_stay_off),
        cmocka_unit_test(interrupts_are_left_out),
    };
    return cmocka_run_group_tests(all, NULL, NULL);
}
