// SPDX-License-Identifier: MIT
//
// Active objects: events into the model, figures out.
#include "model_support.h"

#include "model/trackers/active_objects/active_objects_internal.h"

static int reset(void **state) {
    static const struct tk_tracker *const trackers[] = { &tk_tracker_rtos, &tk_tracker_active_objects, NULL };
    (void)state;
    model_init(0, true);
    model.host.has_analysis = true;
    tk_model_need_trackers(&model, trackers);
    return 0;
}

static void step(uint64_t ticks, enum tk_event_kind kind, uint32_t object) {
    struct tk_event event = {
        .kind = (uint8_t)kind, .timed = true, .ticks = ticks, .rtc_step = { .object = object, .signal = 1000 }
    };
    tk_model_event(&model, &event);
}

static void expect_net(uint32_t object, uint64_t steps, uint64_t total) {
    const struct tk_step_times *times = tk_ao_find(model.trackers[TK_OWNER_ACTIVE_OBJECTS].state, object)->times;
    assert_int_equal(times->gross.durations.measured, steps);
    assert_int_equal(times->net.durations.measured, steps);
    assert_int_equal(times->net.durations.total, total);
}

enum { DEEPEST = TK_MAX_OPEN_STEPS + 2 };

// Each step is interrupted by that of the next object.
static void nest(void) {
    for (uint32_t i = 1; i <= DEEPEST; i++) step(10 * i, TK_EV_RTC_STEP_BEGIN, i);
    for (uint32_t i = DEEPEST; i; i--) step(10 * (2 * DEEPEST + 1 - i), TK_EV_RTC_STEP_END, i);
}

static void steps_that_are_nested_too_deeply_are_not_measured(void **state) {
    (void)state;
    nest();
    for (uint32_t i = 1; i < TK_MAX_OPEN_STEPS; i++) expect_net(i, 1, 20);
    for (uint32_t i = TK_MAX_OPEN_STEPS; i <= DEEPEST; i++) expect_net(i, 0, 0);
}

static void the_next_step_of_such_an_object_is_measured(void **state) {
    (void)state;
    nest();
    step(2000, TK_EV_RTC_STEP_BEGIN, DEEPEST);
    step(2007, TK_EV_RTC_STEP_END, DEEPEST);
    expect_net(DEEPEST, 1, 7);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(steps_that_are_nested_too_deeply_are_not_measured, reset, done),
        cmocka_unit_test_setup_teardown(the_next_step_of_such_an_object_is_measured, reset, done),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
