// SPDX-License-Identifier: MIT
#include "support.h"

#include "../common/stream.h"
#include "frame/cobs.h"

static struct heap heap;
static struct tk_alloc alloc;
static struct tk_cobs cobs;

static int reset(void **state) {
    (void)state;
    heap = (struct heap){ 0 };
    alloc = heap_alloc(&heap);
    cobs = (struct tk_cobs){ 0 };
    return 0;
}

static int done(void **state) {
    (void)state;
    tk_alloc_free_all(&alloc);
    assert_int_equal(heap.in_use, 0);
    return 0;
}

// ---- One frame -----------------------------------------------------------------------------------

// Decodes a frame at the end of its buffer, and again one with bytes after it: both results must be equal.
static ptrdiff_t decode(const uint8_t *piece, size_t len, uint8_t *out) {
    uint8_t *alone = malloc(len ? len : 1), *roomy = malloc(len + 64), *second = malloc(len + TK_COBS_OVERRUN + 1);
    memcpy(alone, piece, len);
    memset(roomy, 0xA5, len + 64);
    memcpy(roomy, piece, len);
    ptrdiff_t decoded = tk_cobs_decode(alone, len, 0, out);
    assert_int_equal(tk_cobs_decode(roomy, len, 64, second), decoded);
    if (decoded > 0) assert_memory_equal(out, second, (size_t)decoded);
    free(alone);
    free(roomy);
    free(second);
    return decoded;
}

#define EXPECT(piece, payload)                                                                       \
    do {                                                                                             \
        uint8_t out[64];                                                                             \
        assert_int_equal(decode((const uint8_t *)piece, sizeof piece - 1, out), sizeof payload - 1); \
        assert_memory_equal(out, payload, sizeof payload - 1);                                       \
    } while (0)
#define REFUSE(piece)                                                                \
    do {                                                                             \
        uint8_t out[64];                                                             \
        assert_int_equal(decode((const uint8_t *)piece, sizeof piece - 1, out), -1); \
    } while (0)

static void blocks_are_joined_by_zeros(void **state) {
    (void)state;
    EXPECT("\x01", "");
    EXPECT("\x03\x11\x22", "\x11\x22");
    EXPECT("\x01\x01", "\0");
    EXPECT("\x01\x02\x11", "\0\x11");
    EXPECT("\x02\x11\x01", "\x11\0");
    EXPECT("\x02\x11\x01\x01\x02\x22", "\x11\0\0\0\x22");
}

static void a_chain_that_does_not_end_on_the_delimiter_is_refused(void **state) {
    (void)state;
    REFUSE("\x05\x04\x8c");
    REFUSE("\x02");
    REFUSE("\xFF\x01\x02");
    REFUSE("\x02\x11\x03\x22");
}

// A full block may end the frame or be followed by an empty block; both have the same meaning.
static void both_encodings_of_full_blocks_are_read(void **state) {
    (void)state;
    static const size_t lens[] = { 253, 254, 255, 508, 509, 1016 };
    for (size_t i = 0; i < sizeof lens / sizeof *lens; i++) {
        struct stream *s = calloc(1, sizeof *s);
        uint8_t out[1200];
        s->payload_len = lens[i];
        memset(s->payload, 'k', lens[i]);
        stream_end(s);
        assert_int_equal(s->len, lens[i] + 1 + (lens[i] + 253) / 254);
        assert_int_equal(decode(s->bytes, s->len - 1, out), lens[i]);
        assert_memory_equal(out, s->payload, lens[i]);
        if (lens[i] % 254 == 0) {
            s->bytes[s->len - 1] = 0x01;
            assert_int_equal(decode(s->bytes, s->len, out), lens[i]);
            assert_memory_equal(out, s->payload, lens[i]);
        }
        free(s);
    }
}

static void every_payload_survives(void **state) {
    (void)state;
    uint32_t draw = 1;
    struct stream *s = calloc(1, sizeof *s);
    for (unsigned round = 0; round < 400; round++) {
        uint8_t out[2048];
        s->len = 0;
        s->payload_len = round * 3;
        for (size_t i = 0; i < s->payload_len; i++) {
            draw = draw * 1664525 + 1013904223;
            s->payload[i] = (draw >> 28) ? (uint8_t)(draw >> 16 | 1) : 0;
        }
        stream_end(s);
        assert_null(memchr(s->bytes, 0, s->len - 1));
        assert_int_equal(decode(s->bytes, s->len - 1, out), s->payload_len);
        assert_memory_equal(out, s->payload, s->payload_len);
    }
    free(s);
}

// ---- Frames of a stream ----------------------------------------------------------------------------

struct piece_summary {
    uint64_t offset, cut, number, hash;
    size_t len;
    bool delimited;
};

enum { MAX_PIECES = 64 };

static size_t summarize_piece(const struct tk_piece *piece, struct piece_summary *out) {
    *out =
        (struct piece_summary){ piece->offset, piece->cut,      piece->number, tk_hash_bytes(piece->bytes, piece->len),
                                piece->len,    piece->delimited };
    return 1;
}

// Feeds a stream with a chunk boundary after every `chunk` bytes; the first chunk has `first` bytes.
static size_t split(const uint8_t *bytes, size_t len, size_t first, size_t chunk, struct piece_summary *out) {
    struct tk_piece piece;
    size_t count = 0;
    reset(NULL);
    for (size_t at = 0, step = first; at < len; at += step, step = chunk) {
        if (step > len - at) step = len - at;
        uint8_t *copy = malloc(step ? step : 1);
        memcpy(copy, bytes + at, step);
        struct tk_cobs_cursor cursor = { copy, 0, step };
        while (tk_cobs_next(&cobs, &alloc, &cursor, &piece)) count += summarize_piece(&piece, &out[count]);
        assert_int_equal(cursor.at, step);
        free(copy);
    }
    if (tk_cobs_finish(&cobs, &piece)) count += summarize_piece(&piece, &out[count]);
    done(NULL);
    return count;
}

static void expect_equal(const struct piece_summary *a, size_t a_count, const struct piece_summary *b, size_t b_count) {
    assert_int_equal(a_count, b_count);
    for (size_t i = 0; i < a_count; i++) {
        assert_int_equal(a[i].offset, b[i].offset);
        assert_int_equal(a[i].cut, b[i].cut);
        assert_int_equal(a[i].number, b[i].number);
        assert_int_equal(a[i].len, b[i].len);
        assert_true(a[i].hash == b[i].hash);
        assert_int_equal(a[i].delimited, b[i].delimited);
    }
}

static void a_cut_at_any_place_changes_nothing(void **state) {
    (void)state;
    static const uint8_t bytes[] = { 0x33, 0x44, 0,    0, 0, 0x03, 1, 2, 0,    0x02, 9, 0,
                                     0x01, 0,    0x05, 1, 2, 3,    4, 0, 0x09, 7,    7 };
    struct piece_summary whole[MAX_PIECES], parts[MAX_PIECES];
    size_t count = split(bytes, sizeof bytes, sizeof bytes, 1, whole);
    assert_int_equal(count, 8);
    assert_int_equal(whole[1].len, 0);
    assert_int_equal(whole[3].offset, 5);
    assert_int_equal(whole[7].offset, 20);
    assert_int_equal(whole[7].number, 7);
    assert_false(whole[7].delimited);
    for (size_t first = 1; first < sizeof bytes; first++)
        for (size_t chunk = 1; chunk < sizeof bytes; chunk++)
            expect_equal(whole, count, parts, split(bytes, sizeof bytes, first, chunk, parts));
}

static void too_long_pieces_are_reported_alike_in_any_chunks(void **state) {
    (void)state;
    static const size_t lens[] = { TK_COBS_MAX_PIECE - 1,     TK_COBS_MAX_PIECE,     TK_COBS_MAX_PIECE + 1,
                                   3 * TK_COBS_MAX_PIECE / 2, 2 * TK_COBS_MAX_PIECE, 2 * TK_COBS_MAX_PIECE + 1,
                                   5 * TK_COBS_MAX_PIECE + 77 };
    for (size_t i = 0; i < sizeof lens / sizeof *lens; i++) {
        for (int delimited = 0; delimited < 2; delimited++) {
            size_t len = 3 + lens[i] + (size_t)delimited * 4;
            uint8_t *bytes = malloc(len);
            struct piece_summary whole[MAX_PIECES], parts[MAX_PIECES];
            for (size_t j = 0; j < len; j++) bytes[j] = (uint8_t)(j % 255 + 1);
            bytes[2] = 0;
            if (delimited) memcpy(bytes + len - 4, "\0\x02\x07", 4);
            size_t count = split(bytes, len, len, 1, whole);
            assert_int_equal(count, delimited ? 3 : 2);
            assert_int_equal(whole[1].offset, 3);
            assert_int_equal(whole[1].cut + whole[1].len, lens[i]);
            assert_int_equal(whole[1].cut > 0, lens[i] > TK_COBS_MAX_PIECE);
            if (delimited) assert_int_equal(whole[2].offset, 3 + lens[i] + 1);
            static const size_t chunks[] = { 1, 2, 7, 4096, TK_COBS_MAX_PIECE, TK_COBS_MAX_PIECE + 1, 100000 };
            for (size_t j = 0; j < sizeof chunks / sizeof *chunks; j++)
                expect_equal(whole, count, parts, split(bytes, len, chunks[j], chunks[j], parts));
            free(bytes);
        }
    }
    reset(NULL);
}

static void the_end_of_a_too_long_piece_is_kept(void **state) {
    (void)state;
    size_t len = 4 * TK_COBS_MAX_PIECE;
    uint8_t *bytes = malloc(len);
    struct tk_piece piece;
    memset(bytes, 'x', len);
    memcpy(bytes + len - 5, "\x04\x11\x22\x33", 5);
    struct tk_cobs_cursor cursor = { bytes, 0, len };
    assert_true(tk_cobs_next(&cobs, &alloc, &cursor, &piece));
    assert_true(piece.len >= 26 && piece.len <= TK_COBS_MAX_PIECE);
    assert_memory_equal(piece.bytes + piece.len - 4, "\x04\x11\x22\x33", 4);
    free(bytes);
}

static void the_stream_continues_after_a_failed_allocation(void **state) {
    (void)state;
    struct tk_piece piece;
    heap.fail_from = 1;
    struct tk_cobs_cursor cut = { (const uint8_t *)"\x04\x11", 0, 2 },
                          rest = { (const uint8_t *)"\x22\0\x02\x33\0", 0, 5 };
    assert_false(tk_cobs_next(&cobs, &alloc, &cut, &piece));
    assert_true(alloc.failed);
    while (tk_cobs_next(&cobs, &alloc, &rest, &piece)) {}
    assert_int_equal(rest.at, 5);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_are_joined_by_zeros),
        cmocka_unit_test(a_chain_that_does_not_end_on_the_delimiter_is_refused),
        cmocka_unit_test(both_encodings_of_full_blocks_are_read),
        cmocka_unit_test(every_payload_survives),
        cmocka_unit_test(a_cut_at_any_place_changes_nothing),
        cmocka_unit_test(too_long_pieces_are_reported_alike_in_any_chunks),
        cmocka_unit_test_setup_teardown(the_end_of_a_too_long_piece_is_kept, reset, done),
        cmocka_unit_test_setup_teardown(the_stream_continues_after_a_failed_allocation, reset, done),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
