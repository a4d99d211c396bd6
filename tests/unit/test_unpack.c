// SPDX-License-Identifier: MIT
#include "support.h"

#include <zlib.h>

#include "unpack/gunzip.h"
#include "unpack/unpack.h"

enum { OUT = 300 * 1024 };
enum outcome { WHOLE, CUT, DAMAGED };

static uint8_t out[OUT];

// Unpacks in steps of these sizes, with the smallest possible window.
static enum outcome unpack_in_steps(enum tk_unpack_method method, const uint8_t *packed, size_t len, size_t in_step,
                                    size_t out_step, size_t *out_len) {
    static uint8_t window[TK_UNPACK_HISTORY + 4096];
    struct heap heap = { 0 };
    struct tk_alloc alloc = heap_alloc(&heap);
    struct tk_unpack unpack;
    struct tk_unpack_io io = { packed, 0, window, window, window };
    size_t fed = 0;
    bool is_good = tk_unpack_begin(&unpack, &alloc, method);
    assert_true(is_good);
    *out_len = 0;
    while (is_good) {
        if (!io.in_len && fed < len)
            io.in_len = len - fed < in_step ? len - fed : in_step, io.in = packed + fed, fed += io.in_len;
        // Only when the window has no room for the next step: a move per byte takes a thousand times as long as the
        // byte.
        if ((size_t)(io.at - window) > TK_UNPACK_HISTORY && (size_t)(window + sizeof window - io.at) < out_step) {
            memmove(window, io.at - TK_UNPACK_HISTORY, TK_UNPACK_HISTORY);
            io.at = window + TK_UNPACK_HISTORY;
        }
        uint8_t *before = io.at;
        io.end = io.at + out_step;
        is_good = tk_unpack_run(&unpack, &io);
        size_t made = (size_t)(io.at - before);
        assert_true(*out_len + made <= OUT);
        memcpy(out + *out_len, before, made);
        *out_len += made;
        if (is_good && fed == len && !io.in_len && io.at < io.end) break;
    }
    enum outcome outcome = !is_good ? DAMAGED : tk_unpack_is_complete(&unpack) ? WHOLE : CUT;
    tk_unpack_end(&unpack);
    assert_int_equal(heap.in_use, 0);
    return outcome;
}

static void expect(enum tk_unpack_method method, const uint8_t *packed, size_t len, const void *plain,
                   size_t plain_len) {
    static const size_t steps[] = { 1, 2, 3, 7, 64, 4000 };
    size_t got;
    for (size_t i = 0; i < 6; i++)
        for (size_t j = 0; j < 6; j++) {
            assert_int_equal(unpack_in_steps(method, packed, len, steps[i], steps[j], &got), WHOLE);
            assert_int_equal(got, plain_len);
            assert_memory_equal(out, plain, plain_len);
        }
}

static void expect_outcome(enum tk_unpack_method method, const uint8_t *packed, size_t len, enum outcome outcome) {
    size_t got;
    assert_int_equal(unpack_in_steps(method, packed, len, len, 64, &got), outcome);
}

static void lz4_literals_and_overlapping_matches(void **state) {
    (void)state;
    static const uint8_t packed[] = { 0x13, 'a', 1, 0, 0x21, 'b', 'c', 2, 0, 0x20, 'd', 'e' };
    expect(TK_UNPACK_LZ4, packed, sizeof packed, "aaaaaaaabcbcbcbde", 17);
}

static void lz4_long_lengths(void **state) {
    (void)state;
    uint8_t packed[1024] = { 0xFF, 255, 30 }, plain[15 + 255 + 30 + 4 + 15 + 255 + 255 + 0 + 1];
    size_t at = 3;
    for (int i = 0; i < 300; i++) packed[at++] = plain[i] = (uint8_t)i;
    packed[at++] = 0x2C, packed[at++] = 1; // 300 back
    packed[at++] = 255, packed[at++] = 255, packed[at++] = 0;
    for (size_t i = 300; i < sizeof plain - 1; i++) plain[i] = plain[i - 300];
    packed[at++] = 0x10, packed[at++] = plain[sizeof plain - 1] = '!';
    expect(TK_UNPACK_LZ4, packed, at, plain, sizeof plain);
}

static void lz4_damage(void **state) {
    (void)state;
    static const uint8_t no_distance[] = { 0x10, 'a', 0, 0, 0x10, 'b' }, too_far[] = { 0x10, 'a', 2, 0, 0x10, 'b' },
                         ends_in_match[] = { 0x10, 'a', 1, 0 }, cut[] = { 0x30, 'a' };
    expect_outcome(TK_UNPACK_LZ4, no_distance, sizeof no_distance, DAMAGED);
    expect_outcome(TK_UNPACK_LZ4, too_far, sizeof too_far, DAMAGED);
    expect_outcome(TK_UNPACK_LZ4, ends_in_match, sizeof ends_in_match, CUT);
    expect_outcome(TK_UNPACK_LZ4, cut, sizeof cut, CUT);
}

static void fastlz_level_1(void **state) {
    (void)state;
    static const uint8_t packed[] = { 0x02, 'a', 'b', 'c', 0x20, 2, 0xE0, 9, 0, 0x00, '.' }; // 3 literals, 3 from 3
                                                                                             // back, 6 + 9 + 3 of the
                                                                                             // last, 1 literal
    expect(TK_UNPACK_FASTLZ, packed, sizeof packed, "abcabccccccccccccccccccc.", 6 + 18 + 1);
}

static void fastlz_level_2_reaches_far(void **state) {
    (void)state;
    size_t len = 0, plain_len = 70000;
    uint8_t *packed = malloc(plain_len * 2), *plain = malloc(plain_len + 10);
    for (size_t at = 0; at < plain_len; at += 32) {
        size_t run = plain_len - at < 32 ? plain_len - at : 32;
        packed[len++] = (uint8_t)((run - 1) | (at ? 0 : 0x20));
        for (size_t i = 0; i < run; i++) packed[len++] = plain[at + i] = (uint8_t)((at + i) * 2654435761u >> 13);
    }
    size_t distance = 69990;                                       // one less than the stored number: 8191 + 61798
    packed[len++] = 0xFF, packed[len++] = 1, packed[len++] = 0xFF; // 6 + 1 + 3
    packed[len++] = (uint8_t)((distance - 1 - 8191) >> 8), packed[len++] = (uint8_t)(distance - 1 - 8191);
    memcpy(plain + plain_len, plain + plain_len - distance, 10);
    expect(TK_UNPACK_FASTLZ, packed, len, plain, plain_len + 10);
    free(packed), free(plain);
}

static void fastlz_damage(void **state) {
    (void)state;
    static const uint8_t level_3[] = { 0x40, 'a' }, too_far[] = { 0x00, 'a', 0x20, 1 }, cut[] = { 0x05, 'a' },
                         cut_match[] = { 0x00, 'a', 0x20 };
    expect_outcome(TK_UNPACK_FASTLZ, level_3, sizeof level_3, DAMAGED);
    expect_outcome(TK_UNPACK_FASTLZ, too_far, sizeof too_far, DAMAGED);
    expect_outcome(TK_UNPACK_FASTLZ, cut, sizeof cut, CUT);
    expect_outcome(TK_UNPACK_FASTLZ, cut_match, sizeof cut_match, CUT);
    expect_outcome(TK_UNPACK_FASTLZ, cut, 0, CUT);
}

static size_t deflated_as(const uint8_t *plain, size_t len, int bits, int level, int strategy, uint8_t *packed,
                          size_t room) {
    z_stream stream = {
        .next_in = (Bytef *)(uintptr_t)plain, .avail_in = (uInt)len, .next_out = packed, .avail_out = (uInt)room
    };
    assert_int_equal(deflateInit2(&stream, level, Z_DEFLATED, bits, 8, strategy), Z_OK);
    assert_int_equal(deflate(&stream, Z_FINISH), Z_STREAM_END);
    deflateEnd(&stream);
    return room - stream.avail_out;
}

static size_t deflated(const uint8_t *plain, size_t len, int bits, uint8_t *packed, size_t room) {
    return deflated_as(plain, len, bits, 9, Z_DEFAULT_STRATEGY, packed, room);
}

// The result of zlib.
static enum outcome inflated(const uint8_t *packed, size_t len, int bits, uint8_t *plain, size_t *out_len) {
    z_stream stream = {
        .next_in = (Bytef *)(uintptr_t)packed, .avail_in = (uInt)len, .next_out = plain, .avail_out = OUT
    };
    assert_int_equal(inflateInit2(&stream, bits), Z_OK);
    int status = inflate(&stream, Z_NO_FLUSH);
    *out_len = OUT - stream.avail_out;
    inflateEnd(&stream);
    if (status == Z_STREAM_END) return stream.avail_in ? DAMAGED : WHOLE;
    return status == Z_OK || status == Z_BUF_ERROR ? CUT : DAMAGED;
}

static uint32_t random_number(uint32_t *seed) { return *seed = *seed * 1664525 + 1013904223, *seed >> 8; }

static size_t make_plain(uint32_t *seed, uint8_t *plain, size_t room) {
    size_t len = random_number(seed) % room;
    unsigned letters = 1 + random_number(seed) % 256;
    for (size_t i = 0; i < len; i++)
        plain[i] = i > 300 && random_number(seed) % 4 ? plain[i - 1 - random_number(seed) % 300]
                                                      : (uint8_t)(random_number(seed) % letters);
    return len;
}

// All compression methods: whole, truncated, and with flipped bits.
static void zlib_gives_the_same_result(void **state) {
    (void)state;
    enum { LEN = 3000 };
    static uint8_t plain[LEN], packed[2 * LEN + 64], expected[OUT];
    uint32_t seed = 1;
    for (unsigned round = 0; round < 6000; round++) {
        bool gzip = round & 1;
        size_t plain_len = make_plain(&seed, plain, LEN), expected_len, got;
        size_t len = deflated_as(plain, plain_len, gzip ? 31 : 15, (int)(round / 2 % 10), (int)(round / 20 % 5), packed,
                                 sizeof packed);
        for (unsigned damage = random_number(&seed) % 3; damage; damage--)
            packed[random_number(&seed) % len] ^= (uint8_t)(1u << random_number(&seed) % 8);
        if (random_number(&seed) % 4 == 0) len = random_number(&seed) % len;
        enum outcome zlib = inflated(packed, len, gzip ? 31 : 15, expected, &expected_len);
        assert_int_equal(unpack_in_steps(gzip ? TK_UNPACK_GZIP : TK_UNPACK_ZLIB, packed, len,
                                         1 + random_number(&seed) % 50, 1 + random_number(&seed) % 200, &got),
                         zlib);
        if (zlib == DAMAGED) continue;
        assert_int_equal(got, expected_len);
        assert_memory_equal(out, expected, got);
    }
}

static void zlib_and_gzip(void **state) {
    (void)state;
    enum { LEN = 100000 };
    uint8_t *plain = malloc(LEN), *packed = malloc(LEN * 2);
    for (size_t i = 0; i < LEN; i++) plain[i] = (uint8_t)(i * i >> 9 ^ i % 7);
    size_t len = deflated(plain, LEN, 15, packed, LEN * 2);
    expect(TK_UNPACK_ZLIB, packed, len, plain, LEN);
    packed[len - 1] ^= 1; // its checksum
    expect_outcome(TK_UNPACK_ZLIB, packed, len, DAMAGED);
    len = deflated(plain, LEN, 31, packed, LEN * 2);
    expect(TK_UNPACK_GZIP, packed, len, plain, LEN);
    expect_outcome(TK_UNPACK_GZIP, packed, len - 9, CUT);
    packed[len] = 0; // more bytes after the end
    expect_outcome(TK_UNPACK_GZIP, packed, len + 1, DAMAGED);
    expect_outcome(TK_UNPACK_ZLIB, packed, len, DAMAGED);
    free(plain), free(packed);
}

// ---- Streams of gzip members, and raw deflate

// The result of the system's zlib for a sequence of members. *out_byte as in tk_gunzip_fault, except for damage.
static enum tk_gunzip_fault gunzipped(const uint8_t *packed, size_t len, uint8_t *plain, size_t *out_len,
                                      uint64_t *out_byte) {
    size_t at = 0;
    *out_len = 0;
    while (at < len || !at) {
        *out_byte = at;
        if (at && (len - at < 3 || memcmp(packed + at, "\x1f\x8b\x08", 3))) return TK_GUNZIP_FOREIGN;
        z_stream stream = { .next_in = (Bytef *)(uintptr_t)(packed + at),
                            .avail_in = (uInt)(len - at),
                            .next_out = plain + *out_len,
                            .avail_out = (uInt)(OUT - *out_len) };
        assert_int_equal(inflateInit2(&stream, 31), Z_OK);
        int status = inflate(&stream, Z_NO_FLUSH);
        at = len - stream.avail_in;
        *out_len = OUT - stream.avail_out;
        inflateEnd(&stream);
        *out_byte = at;
        if (status == Z_OK || status == Z_BUF_ERROR) return TK_GUNZIP_CUT;
        if (status != Z_STREAM_END) return TK_GUNZIP_DAMAGED;
    }
    return TK_GUNZIP_WHOLE;
}

// Unpacks in steps of these sizes; `out` then contains *out_len bytes.
static enum tk_gunzip_fault gunzip_in_steps(bool raw, const uint8_t *packed, size_t len, size_t in_step,
                                            size_t out_step, size_t *out_len, uint64_t *out_byte) {
    struct heap heap = { 0 };
    struct tk_alloc alloc = heap_alloc(&heap);
    struct tk_gunzip *gunzip = tk_gunzip_new(&alloc, raw);
    const uint8_t *in = packed;
    size_t given = 0, left = 0, made;
    *out_len = 0;
    for (;;) {
        size_t room = OUT - *out_len < out_step ? OUT - *out_len : out_step;
        made = tk_gunzip_run(gunzip, &in, &left, out + *out_len, room);
        assert_true(made <= room);
        *out_len += made;
        if (made) continue;
        if (left || given == len) break;
        left = len - given < in_step ? len - given : in_step;
        given += left;
    }
    enum tk_gunzip_fault fault = tk_gunzip_fault(gunzip, out_byte);
    tk_gunzip_free(gunzip);
    assert_int_equal(heap.in_use, 0);
    return fault;
}

// One to four members, some of them empty; whole, truncated, damaged, with other bytes after them.
static void zlib_gives_the_same_result_for_members(void **state) {
    (void)state;
    enum { LEN = 1000, ROOM = 4 * (2 * LEN + 64) + 8 };
    static uint8_t plain[LEN], packed[ROOM], expected[OUT];
    uint32_t seed = 2;
    unsigned seen[4] = { 0 };
    for (unsigned round = 0; round < 4000; round++) {
        size_t len = 0, expected_len, got;
        uint64_t expected_byte, byte;
        for (unsigned member = random_number(&seed) % 4 + 1; member; member--)
            len += deflated(plain, random_number(&seed) % 5 ? make_plain(&seed, plain, LEN) : 0, 31, packed + len,
                            ROOM - len);
        unsigned change = random_number(&seed) % 4;
        if (change == 1) len = random_number(&seed) % len;
        if (change == 2) packed[random_number(&seed) % len] ^= (uint8_t)(1u << random_number(&seed) % 8);
        if (change == 3)
            for (unsigned i = random_number(&seed) % 8; i; i--)
                packed[len++] = "\x1f\x8b\x08padding"[random_number(&seed) % 9];
        enum tk_gunzip_fault zlib = gunzipped(packed, len, expected, &expected_len, &expected_byte);
        seen[zlib]++;
        assert_int_equal(gunzip_in_steps(false, packed, len, 1 + random_number(&seed) % 50,
                                         1 + random_number(&seed) % 200, &got, &byte),
                         zlib);
        if (zlib == TK_GUNZIP_DAMAGED) continue;
        assert_int_equal(byte, zlib == TK_GUNZIP_CUT ? len : expected_byte);
        assert_int_equal(got, expected_len);
        assert_memory_equal(out, expected, got);
    }
    for (unsigned i = 0; i < 4; i++) assert_true(seen[i] > 100);
}

static void raw_deflate_ends_by_itself(void **state) {
    (void)state;
    enum { LEN = 3000 };
    static uint8_t plain[LEN], packed[2 * LEN];
    uint32_t seed = 3;
    size_t plain_len = make_plain(&seed, plain, LEN), got;
    uint64_t byte;
    size_t len = deflated(plain, plain_len, -15, packed, sizeof packed);
    memset(packed + len, 0xff, 20);
    assert_int_equal(gunzip_in_steps(true, packed, len + 20, 7, 100, &got, &byte), TK_GUNZIP_WHOLE);
    assert_int_equal(byte, len);
    assert_int_equal(got, plain_len);
    assert_memory_equal(out, plain, got);
    assert_int_equal(gunzip_in_steps(true, packed, len - 1, 7, 100, &got, &byte), TK_GUNZIP_CUT);
    assert_int_equal(byte, len - 1);
}

static void bounds(void **state) {
    (void)state;
    assert_int_equal(tk_unpack_bound(TK_UNPACK_LZ4, 10), 2614);
    assert_int_equal(tk_unpack_bound(TK_UNPACK_FASTLZ, 10), 2614);
    assert_int_equal(tk_unpack_bound(TK_UNPACK_GZIP, 10), 10384);
    assert_true(tk_unpack_bound(TK_UNPACK_ZLIB, UINT64_MAX) == UINT64_MAX);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lz4_literals_and_overlapping_matches),
        cmocka_unit_test(lz4_long_lengths),
        cmocka_unit_test(lz4_damage),
        cmocka_unit_test(fastlz_level_1),
        cmocka_unit_test(fastlz_level_2_reaches_far),
        cmocka_unit_test(fastlz_damage),
        cmocka_unit_test(zlib_and_gzip),
        cmocka_unit_test(zlib_gives_the_same_result),
        cmocka_unit_test(zlib_gives_the_same_result_for_members),
        cmocka_unit_test(raw_deflate_ends_by_itself),
        cmocka_unit_test(bounds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
