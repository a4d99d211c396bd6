// SPDX-License-Identifier: MIT
#include "support.h"

#include "tonkopf.h"

static struct heap heap;
static tk *handle;

static int reset(void **state) {
    (void)state;
    heap = (struct heap){ 0 };
    struct tk_allocator allocator = { heap_realloc, &heap };
    return tk_new(&allocator, &handle) != TK_OK;
}

static int done(void **state) {
    (void)state;
    tk_free(handle);
    assert_int_equal(heap.in_use, 0);
    return 0;
}

static void accept(const char *key, const char *value) { assert_int_equal(tk_set_option(handle, key, value), TK_OK); }

// The option is rejected with a message that contains the key and the allowed values, and nothing else changes.
static void refuse(const char *key, const char *value, const char *words) {
    assert_int_equal(tk_set_option(handle, key, value), TK_MISUSE);
    if (!strstr(tk_error_text(handle), words)) fail_msg("no '%s' in '%s'", words, tk_error_text(handle));
    assert_int_equal(tk_set_option(handle, "raw-events", "0"), TK_OK);
}

static void every_option_is_described(void **state) {
    (void)state;
    size_t count;
    const struct tk_option_info *options = tk_common_options(&count);
    static const char *const keys[] = { "format", "tick-ns", "clock-hz", "raw-events", "wall-clock-ns" };
    assert_true(count >= 5);
    for (size_t i = 0; i < 5; i++) assert_string_equal(options[i].key, keys[i]);
    for (size_t i = 0; i < count; i++) assert_true(options[i].label[0] && options[i].help[0] && options[i].fallback);
    assert_true(tk_format_count() >= 1);
    assert_null(tk_format_at(tk_format_count()));
    const struct tk_format_info *format = tk_format_at(0);
    assert_string_equal(format->name, "tonbandgeraet");
    for (size_t i = 0; i < format->option_count; i++) {
        if (!format->options[i].choices) continue;
        accept(format->options[i].key, format->options[i].fallback);
    }
}

static void good_values_are_accepted(void **state) {
    (void)state;
    accept("format", "tonbandgeraet");
    accept("format", "auto");
    accept("tick-ns", "1");
    accept("tick-ns", "9223372036854775807");
    accept("clock-hz", "168000000");
    accept("clock-hz", "1");
    accept("clock-hz", "72000000/7");
    accept("clock-hz", "9223372036854775807/4294967295");
    accept("raw-events", "0");
    accept("raw-events", "1");
    accept("analysis", "0");
    accept("analysis", "1");
    accept("deadline", "Motor 5ms");
    accept("deadline", "* 1.5 us from delay");
    for (unsigned i = 0; i < 300; i++) { // those after the 256th are ignored
        char deadline[32];
        snprintf(deadline, sizeof deadline, "task%u 5ms", i);
        accept("deadline", deadline);
    }
    accept("wall-clock-ns", "1700000000000000000");
    accept("wall-clock-ns", "0");
    accept("mode", "auto");
    accept("mode", "bare-metal");
    accept("mode", "free-rtos");
    for (int i = 0; i < 100; i++) accept("mode", i & 1 ? "auto" : "bare-metal"); // set again: keeps its position
}

static void bad_values_are_refused_with_a_message(void **state) {
    (void)state;
    static const char *const numbers[] = {
        "", "0", "-1", "+1", "1.5", "1e3", " 1", "1 ", "0x10", "9223372036854775808", "99999999999999999999999999"
    };
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) refuse("tick-ns", numbers[i], "tick-ns");
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) refuse("clock-hz", numbers[i], "clock-hz");
    static const char *const rates[] = { "168000000/0", "1/", "/7", "1/2/3", "1 /7", "168e6", "5/4294967296", "0/7" };
    for (size_t i = 0; i < sizeof rates / sizeof *rates; i++) refuse("clock-hz", rates[i], "clock-hz");
    refuse("wall-clock-ns", "yesterday", "wall-clock-ns");
    refuse("wall-clock-ns", "-5", "wall-clock-ns");
    refuse("raw-events", "2", "0 or 1");
    refuse("analysis", "2", "0 or 1");
    refuse("deadline", "Motor", "as in Motor 5ms");
    refuse("deadline", "Motor 5", "as in Motor 5ms");
    refuse("deadline", "Motor -5ms", "as in Motor 5ms");
    refuse("raw-events", "", "0 or 1");
    refuse("raw-events", "0|1", "0 or 1");
    refuse("format", "perfetto", "no such format");
    refuse("format", "", "no such format");
    refuse("mode", "free", "auto|bare-metal|free-rtos");
    refuse("mode", "", "auto|bare-metal|free-rtos");
    refuse("mode", "auto|bare-metal", "auto|bare-metal|free-rtos");
}

static void unknown_keys_are_refused(void **state) {
    (void)state;
    refuse("tick", "1", "no such option");
    refuse("", "1", "no such option");
    refuse("TICK-NS", "1", "no such option");
    char key[500];
    memset(key, 'k', sizeof key - 1);
    key[sizeof key - 1] = 0;
    refuse(key, "1", "no such option");
}

static void too_long_values_are_refused(void **state) {
    (void)state;
    char value[400];
    memset(value, '1', sizeof value - 1);
    value[sizeof value - 1] = 0;
    refuse("tick-ns", value, "too long");
    refuse("mode", value, "too long");
}

static void options_come_before_the_first_byte(void **state) {
    (void)state;
    struct tk_input_info info = { "x", TK_ROLE_RECORDING, -1 };
    uint32_t input;
    size_t consumed;
    assert_int_equal(tk_add_input(handle, &info, &input), TK_OK);
    assert_int_equal(tk_feed(handle, input, (const uint8_t *)"\0", 1, &consumed), TK_OK);
    assert_int_equal(tk_set_option(handle, "tick-ns", "5"), TK_MISUSE);
    assert_non_null(strstr(tk_error_text(handle), "before the first byte"));
}

static void a_time_range_does_not_end_before_it_begins(void **state) {
    static const char *const keys[][2] = { { "from-ns", "to-ns" }, { "figures-from-ns", "figures-to-ns" } };
    for (size_t i = 0; i < 2; i++) {
        done(state);
        reset(state);
        accept(keys[i][0], "9007199254740993");
        refuse(keys[i][1], "9007199254740992", "from-ns is after to-ns"); // the same number in a double
        accept(keys[i][1], "9007199254740993");
        refuse(keys[i][0], "9007199254740994", "from-ns is after to-ns");
        accept(keys[i][0], "0");
        accept(keys[i][1], "0");
    }
}

// Limits in different units of time are compared exactly.
static void limits_have_units(void **state) {
    static const struct {
        const char *from, *same, *before; // `same` is `from` in another unit, `before` a moment before
    } times[] = { { "1.5s", "1500000000", "1499999999.999999" },
                  { "20ms", "20000us", "19.999999999999ms" },
                  { "20.5ns", "20500ps", "20499ps" },
                  { "700ps", "0.7ns", "699999fs" },
                  { "0.0000005s", "500", "499.9" },
                  { "7 ticks", "7records", "6tick" } };
    static const char *const wrong[] = { "", "s", "noon", "1h", "1.s", ".5s", "1.5 ticks", "1  s", "-1s", "1e3" };
    for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
        done(state);
        reset(state);
        accept("from-ns", times[i].from);
        refuse("to-ns", times[i].before, "from-ns is after to-ns");
        accept("to-ns", times[i].same);
    }
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) refuse("from-ns", wrong[i], "a time such as 1.5s");
    refuse("from-ns", "9223372037s", "beyond what a trace can hold");
    refuse("from-ns", "99999999999999999999999", "beyond what a trace can hold");
    refuse("from-ns", "6ns", "different units");
}

static bool find_unused(void *ctx, const char *text, size_t len) {
    for (size_t at = 0; at + 13 <= len; at++) *(bool *)ctx |= !memcmp(text + at, "OPTION_UNUSED", 13);
    return true;
}

// An unknown option is not fatal, because the format may be unknown when options are set.
static void an_option_of_another_format_is_reported(void **state) {
    static const char *const keys[] = { "mode", "rate-hz", "time-scale" }, *const values[] = { "free-rtos", "1000",
                                                                                               "fine" };
    struct tk_input_info info = { "x", TK_ROLE_RECORDING, -1 };
    uint32_t input;
    for (size_t i = 0; i < 3; i++) {
        bool is_reported = false;
        done(state);
        reset(state);
        accept(keys[i], values[i]);
        accept("format", "tonbandgeraet");
        assert_int_equal(tk_add_input(handle, &info, &input), TK_OK);
        assert_int_equal(tk_finish(handle), TK_OK);
        assert_int_equal(tk_report_json(handle, find_unused, &is_reported), TK_OK);
        assert_int_equal(is_reported, i > 0);
    }
}

#define CASE(test) cmocka_unit_test_setup_teardown(test, reset, done)

int main(void) {
    const struct CMUnitTest tests[] = {
        CASE(every_option_is_described),
        CASE(good_values_are_accepted),
        CASE(bad_values_are_refused_with_a_message),
        CASE(unknown_keys_are_refused),
        CASE(too_long_values_are_refused),
        CASE(options_come_before_the_first_byte),
        CASE(a_time_range_does_not_end_before_it_begins),
        CASE(limits_have_units),
        CASE(an_option_of_another_format_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
