// SPDX-License-Identifier: MIT
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "report/content.h"
#include "tonkopf.h"

static uint8_t bytes[10000];

static void expect_description(size_t len, const char *words) {
    const char *sentence = tk_content_sentence(bytes, len);
    if (!sentence || !strstr(sentence, words))
        fail_msg("\"%s\" lacks \"%s\"", sentence ? sentence : "(nothing)", words);
    struct tk_probe probe;
    assert_true(strlen(sentence) < sizeof probe.reason);
    assert_int_equal(sentence[strlen(sentence) - 1], '.');
}

static void fill(uint8_t value) { memset(bytes, value, sizeof bytes); }

static void fill_random(uint8_t mask) {
    uint64_t seed = 88172645463325252u;
    for (size_t i = 0; i < sizeof bytes; i++) {
        seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
        bytes[i] = (uint8_t)(seed >> 24) & mask;
    }
}

static void starts_with(const char *head, size_t len) { memcpy(bytes, head, len); }

static void unwritten_memory_is_named(void **state) {
    (void)state;
    expect_description(0, "is empty");
    fill(0xFF);
    expect_description(5000, "FF");
    bytes[17] = 3; // a little noise does not hide it
    expect_description(5000, "FF");
    fill(0);
    expect_description(5000, "zero");
    fill(0xA5);
    expect_description(5000, "repeats");
}

static void text_is_named(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof bytes; i++) bytes[i] = (uint8_t)"boot: \x1b[32mok\x1b[0m, hello\r\n"[i % 27];
    expect_description(5000, "plain text, such as a log");
    expect_description(3, "plain text");
    static const char other[] = "\xE6\xB8\xA9\xE5\xBA\xA6 20 \xC2\xB0"; // in any language, also truncated within a
                                                                        // character
    for (size_t i = 0; i < sizeof bytes; i++) bytes[i] = (uint8_t)other[i % (sizeof other - 1)];
    expect_description(5000, "plain text");
    expect_description(5001, "plain text");
    for (size_t i = 0; i < sizeof bytes; i++) bytes[i] = (uint8_t)":10000000AABBCCDDEEFF\r\n"[i % 23];
    expect_description(5000, "Intel HEX");
    for (size_t i = 0; i < sizeof bytes; i++) bytes[i] = (uint8_t)"S1130000AABBCCDDEEFF\r\n"[i % 22];
    expect_description(5000, "S-record");
}

static void other_files_are_named(void **state) {
    (void)state;
    fill_random(0xFF);
    starts_with("\x7f"
                "ELF",
                4);
    expect_description(5000, "ELF");
    starts_with("PK\x03\x04", 4);
    expect_description(5000, "zip");
    static const struct {
        const char *head, *words;
    } others[] = { { "\xff\xd8\xff\xe0", "JPEG" },
                   { "GIF89a", "GIF" },
                   { "\x89PNG", "PNG" },
                   { "BZh9", "bzip2" },
                   { "7z\xbc\xaf\x27\x1c", "7z" } };
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        starts_with(others[i].head, strlen(others[i].head));
        expect_description(5000, others[i].words);
    }
    starts_with("\xff\xfe[\0", 4);
    expect_description(5000, "PowerShell");
    const uint8_t packets[] = { 0x0A, 2, 8, 1, 0x0A, 3, 8, 1, 1, 0x0A, 4, 1, 2, 3, 4 };
    memcpy(bytes, packets, sizeof packets);
    expect_description(sizeof packets, "Perfetto trace already");
}

static void noise_is_named(void **state) {
    (void)state;
    fill_random(0xFF);
    expect_description(sizeof bytes, "random");
    static const uint8_t steps[] = { 0x00, 0x80, 0xC0, 0xF8, 0xFE, 0xFF, 0x0F, 0x3F };
    for (size_t i = 0; i < sizeof bytes; i++) bytes[i] = steps[i * i % 8];
    expect_description(sizeof bytes, "too high baud rate");
}

static void unrecognised_bytes_have_no_sentence(void **state) {
    (void)state;
    fill_random(0x5F);
    assert_null(tk_content_sentence(bytes, sizeof bytes));
    assert_null(tk_content_sentence((const uint8_t[]){ 1, 2, 3 }, 3));
    assert_null(tk_content_sentence((const uint8_t[]){ 0x0A, 0xFF, 0xFF }, 3)); // a truncated length
}

// No read beyond the end for any start bytes of any length (run with the sanitizers).
static void any_length_is_safe(void **state) {
    (void)state;
    static const char *const heads[] = { "\x7f"
                                         "ELF",
                                         "\x1f\x8b",
                                         "\x0a\x02\x08\x01\x0a",
                                         ":10",
                                         "S1",
                                         "\xff\xfe" };
    for (size_t i = 0; i < 6; i++)
        for (size_t len = 1; len <= strlen(heads[i]); len++) {
            uint8_t *exact = test_malloc(len);
            memcpy(exact, heads[i], len);
            const char *sentence = tk_content_sentence(exact, len);
            assert_true(!sentence || *sentence);
            test_free(exact);
        }
}

static void the_probe_returns_the_content_sentence(void **state) {
    (void)state;
    struct tk_probe probe;
    fill(0xFF);
    tk_probe(bytes, 5000, NULL, 0, &probe);
    assert_null(probe.format);
    assert_string_equal(probe.reason, tk_content_sentence(bytes, 5000));
}

// The recogniser reads the start of an LZ4 or FastLZ block without unpacking it, also of a nested block.
static void the_head_of_flux_is_seen_within_blocks(void **state) {
    static const uint8_t in_lz4[] = { 0, 5, 0, 12, 13, 0xC0, 0, 1, 'f', 'l', 'u', 'x', 6, 0, 0, 0, 0, 0 };
    static const uint8_t zlib_in_lz4[] = { 0,    5, 0,    0xE2, 1,    0xE4, 1,    0xF0, 0xD3, 0,    5,    2,
                                           0xAC, 2, 0xDB, 1,    0x78, 0x9C, 0x35, 0x4E, 0x41, 0x4A, 0xC4, 0x40 };
    static const uint8_t fastlz_in_long_lz4[] = { 0,   5,    0,    0x90, 0x4E, 0x92, 0x4E, 0xF0, 255, 255,
                                                  255, 255,  255,  255,  255,  255,  255,  10,   0,   5,
                                                  1,   0x88, 0x4E, 0x86, 0x4E, 31,   0,    4,    7,   0,
                                                  1,   'f',  'l',  'u',  'x',  6,    0 };
    static const uint8_t another[] = { 0, 5, 0, 12, 13, 0xC0, 'n', 'o', ' ', 'f', 'l', 'u', 'x', 6, 0, 0, 0, 0 };
    static const struct {
        const uint8_t *head;
        size_t len;
        const char *format;
    } blocks[] = { { in_lz4, sizeof in_lz4, "flux" },
                   { zlib_in_lz4, sizeof zlib_in_lz4, "flux" },
                   { fastlz_in_long_lz4, sizeof fastlz_in_long_lz4, "flux" },
                   { another, sizeof another, NULL } };
    struct tk_probe probe;
    (void)state;
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) {
        for (size_t len = 0; len < blocks[i].len; len++) {
            uint8_t *exact = test_malloc(len + 1);
            memcpy(exact, blocks[i].head, len);
            tk_probe(exact, len, NULL, 0, &probe); // the recogniser reads no further
            test_free(exact);
        }
        tk_probe(blocks[i].head, blocks[i].len, NULL, 0, &probe);
        if (blocks[i].format) assert_string_equal(probe.format, blocks[i].format);
        else assert_null(probe.format);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(unwritten_memory_is_named),
        cmocka_unit_test(text_is_named),
        cmocka_unit_test(other_files_are_named),
        cmocka_unit_test(noise_is_named),
        cmocka_unit_test(unrecognised_bytes_have_no_sentence),
        cmocka_unit_test(any_length_is_safe),
        cmocka_unit_test(the_probe_returns_the_content_sentence),
        cmocka_unit_test(the_head_of_flux_is_seen_within_blocks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
