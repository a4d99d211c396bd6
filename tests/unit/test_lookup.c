// SPDX-License-Identifier: MIT
#include "support.h"

#include "lookup/lookup.h"

static struct heap heap;
static struct tk_alloc alloc;
static struct tk_lookup first, second;

static int reset(void **state) {
    (void)state;
    alloc = heap_alloc(&heap);
    memset(&first, 0, sizeof first);
    memset(&second, 0, sizeof second);
    return 0;
}

static int done(void **state) {
    (void)state;
    tk_alloc_free_all(&alloc);
    return heap.in_use != 0;
}

static void tell(struct tk_lookup *lookup, uint32_t id, uint64_t number, const char *text) {
    tk_lookup_add(lookup, &alloc, &(struct tk_lookup_entry){ .key = { .id = id, .space = 3 }, .number = number }, text,
                  strlen(text));
}

static bool has_text(uint32_t id, const char *text) {
    const char *found;
    size_t len;
    if (!tk_lookup_text(&first, (struct tk_lookup_key){ .id = id, .space = 3 }, &found, &len)) return false;
    return len == strlen(text) && !memcmp(found, text, len);
}

static void the_first_text_and_the_last_number_stay(void **state) {
    (void)state;
    uint64_t number;
    tell(&first, 1, 10, "one");
    tell(&first, 1, 20, "another");
    assert_true(has_text(1, "one"));
    assert_true(tk_lookup_number(&first, (struct tk_lookup_key){ .id = 1, .space = 3 }, &number));
    assert_int_equal(number, 20);
    assert_int_equal(first.count, 1);
}

static void every_part_of_the_key_counts(void **state) {
    (void)state;
    uint64_t number;
    static const struct tk_lookup_key keys[] = { { 1, 0, 3, 0 }, { 2, 0, 3, 0 }, { 1, 1, 3, 0 },
                                                 { 1, 0, 4, 0 }, { 1, 0, 3, 1 }, { 0, 1, 3, 0 } };
    for (uint32_t i = 0; i < 6; i++)
        tk_lookup_add(&first, &alloc, &(struct tk_lookup_entry){ .key = keys[i], .number = i }, NULL, 0);
    for (uint32_t i = 0; i < 6; i++) assert_true(tk_lookup_number(&first, keys[i], &number) && number == i);
    assert_false(tk_lookup_number(&first, (struct tk_lookup_key){ 9, 0, 3, 0 }, &number));
    assert_false(tk_lookup_number(NULL, keys[0], &number));
}

static void a_miss_falls_through_to_the_next_lookup(void **state) {
    (void)state;
    first.next = &second;
    tell(&first, 1, 0, "one");
    tell(&second, 1, 0, "other one");
    tell(&second, 2, 0, "two");
    assert_true(has_text(1, "one"));
    assert_true(has_text(2, "two"));
    assert_false(has_text(3, ""));
}

static void a_lookup_is_bounded(void **state) {
    (void)state;
    for (uint32_t i = 0; i < TK_LOOKUP_MAX + 1000; i++) tell(&first, i, i, "");
    assert_int_equal(first.count, TK_LOOKUP_MAX);
    tell(&first, 5, 77, ""); // known names may still change
    uint64_t number;
    assert_true(tk_lookup_number(&first, (struct tk_lookup_key){ .id = 5, .space = 3 }, &number) && number == 77);
}

#define CASE(test) cmocka_unit_test_setup_teardown(test, reset, done)

int main(void) {
    const struct CMUnitTest tests[] = {
        CASE(the_first_text_and_the_last_number_stay),
        CASE(every_part_of_the_key_counts),
        CASE(a_miss_falls_through_to_the_next_lookup),
        CASE(a_lookup_is_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
