// SPDX-License-Identifier: MIT
// The builder of short texts, and the buffer that keeps bytes between two calls.
#include "support.h"

#include "base/carry.h"
#include "base/text.h"
#include "formats/kit/printf.h"

// ---- Texts -------------------------------------------------------------------------------------

static void pieces_are_put_together(void **state) {
    char room[128];
    struct tk_text text = tk_text_in(room, sizeof room);
    (void)state;
    assert_string_equal(text.text, "");
    tk_text_add(&text, "a");
    tk_text_char(&text, ' ');
    tk_text_u64(&text, UINT64_MAX);
    tk_text_add(&text, " ");
    tk_text_i64(&text, INT64_MIN);
    tk_text_add(&text, " ");
    tk_text_u64(&text, 0);
    tk_text_add(&text, " ");
    tk_text_digits(&text, 7, 10, 3);
    tk_text_add(&text, " ");
    tk_text_hex(&text, 0xBEEF, 8);
    tk_text_add(&text, " ");
    tk_text_hex_bytes(&text, (const uint8_t *)"\x00\xFF", 2, ":");
    tk_text_fill(&text, '.', 3);
    tk_text_count(&text, 1, "bytes");
    tk_text_add(&text, ", ");
    tk_text_count(&text, 0, "bytes");
    assert_string_equal(text.text,
                        "a 18446744073709551615 -9223372036854775808 0 007 0x0000beef 00:ff...1 byte, 0 bytes");
    assert_int_equal(text.len, strlen(text.text));
    assert_false(text.is_cut);
}

// Buffers of every size that end with the text, so that a sanitizer detects writes beyond them.
static void long_texts_are_truncated_between_characters(void **state) {
    static const char words[] = "x\xC3\xA4\xE2\x82\xAC\xF0\x9F\x98\x80y"; // characters of 1, 2, 3, 4 and 1 bytes
    static const uint8_t borders[] = { 0, 1, 1, 3, 3, 3, 6, 6, 6, 6, 10, 11 };
    (void)state;
    for (size_t size = 1; size <= sizeof words; size++) {
        char *room = malloc(size);
        struct tk_text text = tk_text_in(room, size);
        tk_text_add(&text, words);
        tk_text_add(&text, "z");
        tk_text_put(&text, NULL, 0);
        assert_int_equal(text.len, borders[size - 1]);
        assert_memory_equal(text.text, words, text.len);
        assert_int_equal(text.text[text.len], 0);
        assert_true(text.is_cut);
        free(room);
    }
}

static void bytes_that_are_no_characters_are_cut_anywhere(void **state) {
    char room[5];
    struct tk_text text = tk_text_in(room, sizeof room);
    (void)state;
    tk_text_put(&text, "\x80\x80\x80\x80\x80\x80", 6);
    assert_int_equal(text.len, 4);
}

static void a_cut_is_marked_beyond_the_room(void **state) {
    char room[4 + 3 + 1];
    struct tk_text text = tk_text_in(room, 4 + 1);
    (void)state;
    text.ellipsis = "\xE2\x80\xA6";
    tk_text_add(&text, "abcd");
    assert_string_equal(text.text, "abcd");
    tk_text_add(&text, "e");
    tk_text_add(&text, "f");
    tk_text_u64(&text, 1);
    assert_string_equal(text.text, "abcd\xE2\x80\xA6");
    assert_int_equal(text.len, 7);
}

static void texts_grow_until_there_is_no_memory(void **state) {
    struct heap heap = { 0 };
    struct tk_alloc alloc = heap_alloc(&heap);
    struct tk_text text = tk_text_growing(&alloc);
    (void)state;
    for (int i = 0; i < 1000; i++) tk_text_add(&text, "0123456789");
    assert_int_equal(text.len, 10000);
    assert_int_equal(strlen(text.text), 10000);
    tk_text_shorten(&text, 12);
    assert_string_equal(text.text, "012345678901");
    heap.fail_from = heap.calls + 1;
    while (!text.is_cut) tk_text_add(&text, "abc");
    assert_true(alloc.failed);
    assert_int_equal(text.text[text.len], 0);
    tk_text_add(&text, "abc"); // no more text
    tk_alloc_free(&alloc, text.text, text.capacity);
    assert_int_equal(heap.in_use, 0);
}

// ---- Formats -----------------------------------------------------------------------------------

static const char *string_at(void *ctx, uint64_t address, size_t *out_len) {
    (void)ctx;
    *out_len = 3;
    return address == 0x10 ? "key" : NULL;
}

static void expect_format(const char *format, uint64_t first, uint64_t second, const char *expected) {
    char room[64];
    struct tk_text text = tk_text_in(room, sizeof room);
    struct tk_printf recorded = { .text = format, .len = strlen(format), .word = 4, .count = 2, .string = string_at };
    recorded.arguments[0].word = first;
    recorded.arguments[1].word = second;
    tk_printf_put(&text, &recorded);
    assert_string_equal(text.text, expected);
}

static void formats_are_filled_in(void **state) {
    float half = -0.5f, huge = 1.5e20f;
    uint32_t half_bits, huge_bits;
    (void)state;
    memcpy(&half_bits, &half, sizeof half_bits);
    memcpy(&huge_bits, &huge, sizeof huge_bits);
    expect_format("", 0, 0, "");
    expect_format("no conversion", 0, 0, "no conversion");
    expect_format("%d and %u", 0xFFFFFFFF, 0xFFFFFFFF, "-1 and 4294967295");
    expect_format("[%5d|%-5d]", 42, 0xFFFFFFFF, "[   42|-1   ]");
    expect_format("[%05d|%+d]", 0xFFFFFFD6, 7, "[-0042|+7]");
    expect_format("%x %#X", 0xBEEF, 0xBEEF, "beef 0XBEEF");
    expect_format("%p %c", 0x20000000, 'c', "0x20000000 c");
    expect_format("%s, %s", 0x10, 0x14, "key, <0x14>");
    expect_format("%f %g", half_bits, huge_bits, "-0.500000 150000003006131600000");
    expect_format("100 %% %d", 5, 0, "100 % 5");
    expect_format("%d %d %d", 1, 2, "1 2 %d");
    expect_format("%q %", 1, 2, "%q %");
    expect_format("%99999d", 1, 0, "                                                               ");
}

static void labels_are_the_words_between(void **state) {
    char room[64];
    struct tk_text text = tk_text_in(room, sizeof room);
    static const char format[] = "sent: %d, lost = %u";
    struct tk_printf recorded = {
        .text = format, .len = sizeof format - 1, .word = 4, .count = 2, .string = string_at
    };
    (void)state;
    recorded.arguments[0].word = 3;
    tk_printf_put(&text, &recorded);
    assert_int_equal(recorded.arguments[0].type, TK_PRINTF_SIGNED);
    assert_int_equal(recorded.arguments[0].label_len, 4);
    assert_memory_equal(format + recorded.arguments[0].label, "sent", 4);
    assert_int_equal(recorded.arguments[1].type, TK_PRINTF_UNSIGNED);
    assert_memory_equal(format + recorded.arguments[1].label, "lost", recorded.arguments[1].label_len);
}

// ---- The byte buffer -----------------------------------------------------------------------------

static void bytes_are_returned_unchanged(void **state) {
    enum { BYTES = 100000, LIMIT = 1000 };
    struct heap heap = { 0 };
    struct tk_alloc alloc = heap_alloc(&heap);
    struct tk_carry carry = { 0 };
    uint8_t *bytes = malloc(BYTES);
    size_t in = 0, out = 0;
    uint32_t random = 1;
    (void)state;
    for (size_t i = 0; i < BYTES; i++) bytes[i] = (uint8_t)(random = random * 1664525 + 1013904223, random >> 24);
    while (out < BYTES) {
        random = random * 1664525 + 1013904223;
        size_t part = random >> 8 & 511;
        in += tk_carry_fill(&carry, &alloc, LIMIT, bytes + in, part < BYTES - in ? part : BYTES - in);
        assert_int_equal(tk_carry_len(&carry), in - out);
        assert_true(tk_carry_len(&carry) <= LIMIT);
        assert_memory_equal(tk_carry_bytes(&carry), bytes + out, in - out);
        random = random * 1664525 + 1013904223;
        part = random >> 8 & 511;
        size_t used = part < in - out ? part : in - out;
        tk_carry_drop(&carry, used);
        out += used;
    }
    assert_int_equal(tk_carry_len(&carry), 0);
    assert_true(tk_carry_add(&carry, &alloc, bytes, 10));
    tk_carry_drop(&carry, 2);
    tk_carry_cut(&carry, 3);
    assert_int_equal(tk_carry_len(&carry), 3);
    assert_memory_equal(tk_carry_bytes(&carry), bytes + 2, 3);
    heap.fail_from = heap.calls + 1;
    assert_false(tk_carry_add(&carry, &alloc, bytes, BYTES));
    assert_int_equal(tk_carry_len(&carry), 3);
    assert_memory_equal(tk_carry_bytes(&carry), bytes + 2, 3);
    tk_carry_free(&carry, &alloc);
    assert_int_equal(heap.in_use, 0);
    free(bytes);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pieces_are_put_together),
        cmocka_unit_test(long_texts_are_truncated_between_characters),
        cmocka_unit_test(bytes_that_are_no_characters_are_cut_anywhere),
        cmocka_unit_test(a_cut_is_marked_beyond_the_room),
        cmocka_unit_test(texts_grow_until_there_is_no_memory),
        cmocka_unit_test(formats_are_filled_in),
        cmocka_unit_test(labels_are_the_words_between),
        cmocka_unit_test(bytes_are_returned_unchanged),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
