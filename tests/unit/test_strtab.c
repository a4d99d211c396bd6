// SPDX-License-Identifier: MIT
#include "support.h"

#include "base/strtab.h"

static struct heap heap;
static struct tk_alloc alloc;
static struct tk_strtab tab;

static int reset(void **state) {
    (void)state;
    heap = (struct heap){ 0 };
    alloc = heap_alloc(&heap);
    tab = (struct tk_strtab){ 0 };
    return 0;
}

static int done(void **state) {
    (void)state;
    tk_strtab_deinit(&tab, &alloc);
    assert_int_equal(heap.in_use, 0);
    return 0;
}

static uint32_t intern(const char *text) { return tk_strtab_intern(&tab, &alloc, text, strlen(text)); }

static void expect_text(uint32_t id, const char *expected) {
    size_t len;
    const char *text = tk_strtab_text(&tab, id, &len);
    assert_int_equal(len, strlen(expected));
    assert_memory_equal(text, expected, len);
}

static void equal_strings_have_one_number(void **state) {
    (void)state;
    assert_int_equal(intern("alpha"), 1);
    assert_int_equal(intern("beta"), 2);
    assert_int_equal(intern("alpha"), 1);
    assert_int_equal(intern("alph"), 3);
    assert_int_equal(intern(""), 4);
    assert_int_equal(intern(""), 4);
    expect_text(1, "alpha");
    expect_text(2, "beta");
    expect_text(3, "alph");
    expect_text(4, "");
    expect_text(0, "");
}

static void zero_bytes_are_part_of_a_string(void **state) {
    (void)state;
    assert_int_equal(tk_strtab_intern(&tab, &alloc, "a\0b", 3), 1);
    assert_int_equal(tk_strtab_intern(&tab, &alloc, "a\0c", 3), 2);
    assert_int_equal(intern("a"), 3);
}

static void the_number_of_strings_is_limited(void **state) {
    (void)state;
    char text[16];
    for (unsigned i = 0; i < TK_STRTAB_MAX_COUNT; i++) {
        snprintf(text, sizeof text, "%u", i);
        assert_int_equal(intern(text), i + 1);
    }
    assert_false(tab.full);
    assert_int_equal(intern("one more"), 0);
    assert_true(tab.full);
    assert_false(alloc.failed);
    assert_int_equal(intern("17"), 18);
}

static void the_bytes_are_limited(void **state) {
    (void)state;
    enum { LEN = 64 * 1024 };
    char *text = malloc(LEN);
    memset(text, 'x', LEN);
    for (unsigned i = 0; i < TK_STRTAB_MAX_BYTES / LEN; i++) {
        memcpy(text, &i, sizeof i);
        assert_int_equal(tk_strtab_intern(&tab, &alloc, text, LEN), i + 1);
    }
    assert_int_equal(intern("x"), 0);
    assert_true(tab.full);
    assert_int_equal(tk_strtab_intern(&tab, &alloc, text, LEN), TK_STRTAB_MAX_BYTES / LEN);
    assert_int_equal(intern(""), TK_STRTAB_MAX_BYTES / LEN + 1); // takes no space
    assert_true(alloc.peak < 8 * 1024 * 1024);
    free(text);
}

// If an allocation fails, the new string gets no id, and the old strings keep theirs.
static void a_failed_allocation_keeps_the_content(void **state) {
    (void)state;
    char text[64];
    for (size_t fail = 1; fail < 12; fail++) {
        reset(NULL);
        heap.fail_from = fail;
        uint32_t known = 0;
        for (unsigned i = 0; i < 600; i++) {
            snprintf(text, sizeof text, "a name that is long enough to need room %u", i);
            uint32_t id = intern(text);
            if (!id) break;
            assert_int_equal(id, i + 1);
            known = id;
        }
        assert_true(alloc.failed);
        for (unsigned i = 0; i < known; i++) {
            snprintf(text, sizeof text, "a name that is long enough to need room %u", i);
            expect_text(i + 1, text);
        }
        tk_strtab_deinit(&tab, &alloc);
        assert_int_equal(heap.in_use, 0);
    }
}

static void the_first_string_may_be_empty(void **state) {
    (void)state;
    uint32_t id = intern("");
    assert_int_not_equal(id, 0);
    assert_int_equal(intern(""), id); // no bytes to compare with yet
    expect_text(id, "");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(equal_strings_have_one_number, reset, done),
        cmocka_unit_test_setup_teardown(the_first_string_may_be_empty, reset, done),
        cmocka_unit_test_setup_teardown(zero_bytes_are_part_of_a_string, reset, done),
        cmocka_unit_test_setup_teardown(the_number_of_strings_is_limited, reset, done),
        cmocka_unit_test_setup_teardown(the_bytes_are_limited, reset, done),
        cmocka_unit_test_setup_teardown(a_failed_allocation_keeps_the_content, reset, done),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
