// SPDX-License-Identifier: MIT
// Blocks of bytes that were received twice, in frames that end with '.': which bytes are left out, and how often the
// decoder is asked.
#include "support.h"

#include "formats/kit/repeat.h"

enum { DIGITS = 4, NO_NUMBER = -1 };

struct text {
    char bytes[128 * 1024];
    size_t len;
};

// Decodes frames. Those that begin with digits have a number, which increases; the others raise no question.
struct decoder {
    struct heap heap;
    struct tk_alloc alloc;
    struct tk_repeat repeat;
    uint8_t cut[TK_REPEAT_MAX_FRAME]; // start of the frame that the end of the chunk before cut
    size_t cut_len;
    uint64_t offset;    // of the next frame
    long latest;        // number
    size_t judge_calls; // calls of judge_block
    size_t skipped;     // bytes of second copies
    struct text out;    // the decoded frames
};

static void add(struct text *text, const void *bytes, size_t len) {
    assert_true(len <= sizeof text->bytes - text->len);
    memcpy(text->bytes + text->len, bytes, len);
    text->len += len;
}

static void add_text(struct text *text, const char *string) { add(text, string, strlen(string)); }

// Adds frames of 14 bytes with the numbers [from, to).
static void add_numbers(struct text *text, int from, int to) {
    for (int i = from; i < to; i++) {
        char frame[32];
        add(text, frame, (size_t)snprintf(frame, sizeof frame, "%0*d-payload-.", DIGITS, i));
    }
}

static long number_of(const uint8_t *frame, size_t len) {
    long number = 0;
    if (len < DIGITS) return NO_NUMBER;
    for (size_t i = 0; i < DIGITS; i++) {
        if (frame[i] < '0' || frame[i] > '9') return NO_NUMBER;
        number = 10 * number + frame[i] - '0';
    }
    return number;
}

static enum tk_repeat_verdict judge_block(void *ctx, const uint8_t *bytes, size_t block, size_t len, bool ended) {
    struct decoder *d = ctx;
    int numbers = 0;
    const uint8_t *end;
    d->judge_calls++;
    for (size_t at = 0; (end = memchr(bytes + at, '.', len - at)); at = (size_t)(end - bytes) + 1) {
        long number = number_of(bytes + at, (size_t)(end - bytes) - at);
        if (number == NO_NUMBER) continue;
        if (at >= block) return numbers >= TK_REPEAT_MIN_FRAMES && number > d->latest ? TK_REPEAT_YES : TK_REPEAT_NO;
        numbers++;
    }
    return !ended ? TK_REPEAT_MORE : numbers >= TK_REPEAT_MIN_FRAMES ? TK_REPEAT_YES : TK_REPEAT_NO;
}

static bool ask(struct decoder *d, const uint8_t *frame, size_t len) {
    return tk_repeat_ask(&d->repeat, &d->alloc,
                         &(struct tk_repeat_frame){ .offset = d->offset,
                                                    .bytes = frame,
                                                    .len = len,
                                                    .key = DIGITS - 1,
                                                    .before = TK_REPEAT_MAX_FRAME,
                                                    .delimiter = '.' });
}

static size_t decode_frames(void *ctx, const uint8_t *bytes, size_t len) {
    struct decoder *d = ctx;
    uint64_t start = d->offset + d->cut_len;
    size_t used = 0;
    while (used < len) {
        const uint8_t *at = bytes + used, *end = memchr(at, '.', len - used), *frame = at;
        size_t part = end ? (size_t)(end - at) : len - used, frame_len = part;
        if (!end || d->cut_len) {
            assert_true(d->cut_len + part <= sizeof d->cut);
            memcpy(d->cut + d->cut_len, at, part);
            frame = d->cut;
            frame_len = d->cut_len += part;
            used += part;
        }
        if (!end) break;
        long number = number_of(frame, frame_len);
        if (number != NO_NUMBER && number < d->latest) {
            if (d->offset > start) tk_repeat_keep(&d->repeat, &d->alloc, start, bytes, (size_t)(d->offset - start));
            if (ask(d, frame, frame_len)) {
                tk_carry_add(&d->repeat.held, &d->alloc, d->cut, d->cut_len);
                d->cut_len = 0;
                break;
            }
        }
        if (number != NO_NUMBER) d->latest = number;
        add(&d->out, frame, frame_len);
        add(&d->out, ".", 1);
        used = (size_t)(end - bytes) + 1;
        d->offset += frame_len + 1;
        d->cut_len = 0;
    }
    tk_repeat_keep(&d->repeat, &d->alloc, start, bytes, used);
    return used;
}

static void skip_repeat(void *ctx, const uint8_t *block, size_t len) {
    struct decoder *d = ctx;
    (void)block;
    d->offset += len;
    d->skipped += len;
}

static uint64_t count_events(const void *ctx) {
    const struct decoder *d = ctx;
    return d->out.len;
}

static const struct tk_repeat_decoder calls = { judge_block, decode_frames, skip_repeat, count_events };

static struct decoder *decode(const struct text *in, size_t chunk) {
    struct decoder *d = calloc(1, sizeof *d);
    assert_non_null(d);
    d->alloc = heap_alloc(&d->heap);
    d->latest = NO_NUMBER;
    for (size_t at = 0; at < in->len;) {
        size_t len = in->len - at < chunk ? in->len - at : chunk;
        at += tk_repeat_decode(&d->repeat, &d->alloc, &calls, d, (const uint8_t *)in->bytes + at, len);
    }
    while (!tk_repeat_end(&d->repeat, &calls, d)) continue;
    return d;
}

static void free_decoder(struct decoder *d) {
    tk_alloc_free_all(&d->alloc);
    free(d);
}

// Expects that the decoder leaves out so many bytes, however the input is cut into chunks, and decodes these frames.
static void expect_frames(const struct text *in, const struct text *frames, size_t skipped) {
    static const size_t chunks[] = { sizeof in->bytes, 1000, 7, 1 };
    for (size_t i = 0; i < sizeof chunks / sizeof *chunks; i++) {
        struct decoder *d = decode(in, chunks[i]);
        assert_int_equal(d->skipped, skipped);
        assert_int_equal(d->out.len, frames->len);
        assert_memory_equal(d->out.bytes, frames->bytes, frames->len);
        free_decoder(d);
    }
}

// ---- Where the second copy begins ---------------------------------------------------------------

static struct text in, expected;

static void clear(void **state) {
    (void)state;
    in.len = expected.len = 0;
}

static void test_numbers(void **state) {
    clear(state);
    add_numbers(&in, 0, 20);
    add_numbers(&in, 10, 30);
    add_numbers(&expected, 0, 30);
    expect_frames(&in, &expected, 10 * 14);
}

// The frame without a number is decoded before the question: the second copy is left out from the frame after it.
static void test_border_at_frame(void **state) {
    const char *const first = "core-0.";
    clear(state);
    add_numbers(&in, 0, 10);
    for (int copy = 0; copy < 2; copy++) {
        add_text(&in, first);
        add_numbers(&in, 10, 12);
        add_text(&in, "core-1.");
        add_numbers(&in, 12, 14);
    }
    add_numbers(&in, 14, 20);

    add_numbers(&expected, 0, 10);
    add_text(&expected, first);
    add_numbers(&expected, 10, 12);
    add_text(&expected, "core-1.");
    add_numbers(&expected, 12, 14);
    add_text(&expected, first);
    add_numbers(&expected, 14, 20);
    expect_frames(&in, &expected, 4 * 14 + strlen("core-1."));
}

// The frame after the second copy begins with the same bytes as the first frame of the copies.
static void test_border_in_equal_bytes(void **state) {
    clear(state);
    add_numbers(&in, 0, 10);
    for (int copy = 0; copy < 2; copy++) {
        add_text(&in, "core-0.");
        add_numbers(&in, 10, 14);
    }
    add_text(&in, "core-2.");
    add_numbers(&in, 14, 20);

    add_numbers(&expected, 0, 10);
    add_text(&expected, "core-0.");
    add_numbers(&expected, 10, 14);
    add_text(&expected, "core-0.core-2.");
    add_numbers(&expected, 14, 20);
    expect_frames(&in, &expected, 4 * 14);
}

// The frame after the second copy equals the first frame of the copies, which is left out instead.
static void test_no_border(void **state) {
    clear(state);
    add_numbers(&in, 0, 10);
    for (int copy = 0; copy < 2; copy++) {
        add_text(&in, "core-0.");
        add_numbers(&in, 10, 14);
    }
    add_text(&in, "core-0.");
    add_numbers(&in, 14, 20);

    add_numbers(&expected, 0, 10);
    add_text(&expected, "core-0.");
    add_numbers(&expected, 10, 14);
    add_text(&expected, "core-0.");
    add_numbers(&expected, 14, 20);
    expect_frames(&in, &expected, 4 * 14 + strlen("core-0."));
}

// ---- What is no second copy ---------------------------------------------------------------------

static void test_block_longer_than_history(void **state) {
    enum { FITS = TK_REPEAT_MAX / 14 };
    clear(state);
    add_numbers(&in, 0, 10 + FITS);
    add_numbers(&in, 10, 20 + FITS);
    add_numbers(&expected, 0, 20 + FITS);
    expect_frames(&in, &expected, FITS * 14);

    clear(state);
    add_numbers(&in, 0, 11 + FITS);
    add_numbers(&in, 10, 20 + FITS);
    expect_frames(&in, &in, 0);
}

static enum tk_repeat_verdict accept_block(void *ctx, const uint8_t *bytes, size_t block, size_t len, bool ended) {
    (void)ctx, (void)bytes, (void)block, (void)len, (void)ended;
    return TK_REPEAT_YES;
}

// The frames from 10 on follow the frames up to 20, of which `forgotten` frames are forgotten.
static enum tk_repeat_verdict decide_after(size_t forgotten) {
    enum { FRAME = 14 };
    struct heap heap = { 0 };
    struct tk_alloc alloc = heap_alloc(&heap);
    struct tk_repeat repeat = { 0 };
    size_t block;
    clear(NULL);
    add_numbers(&in, 0, 30);
    const uint8_t *bytes = (const uint8_t *)in.bytes, *frame = bytes + 10 * FRAME;
    tk_repeat_keep(&repeat, &alloc, 0, bytes, 20 * FRAME);
    tk_repeat_forget(&repeat, forgotten * FRAME);
    assert_true(tk_repeat_ask(
        &repeat, &alloc,
        &(struct tk_repeat_frame){
            .offset = 20 * FRAME, .bytes = frame, .len = FRAME - 1, .key = DIGITS - 1, .delimiter = '.' }));
    enum tk_repeat_verdict verdict = tk_repeat_decide(&repeat, frame, 20 * FRAME, true, accept_block, NULL, &block);
    assert_int_equal(block, verdict == TK_REPEAT_YES ? 10 * FRAME : 0);
    tk_alloc_free_all(&alloc);
    return verdict;
}

static void test_forgotten_bytes(void **state) {
    (void)state;
    assert_int_equal(decide_after(10), TK_REPEAT_YES);
    assert_int_equal(decide_after(11), TK_REPEAT_NO);
}

// The end of the first copy and the start of the second one are a frame with a number by chance.
static void test_joined_frame(void **state) {
    clear(state);
    add_numbers(&in, 0, 20);
    add_text(&in, "00"); // start of frame 20
    add_text(&in, "010-payload-.");
    add_numbers(&in, 11, 20);
    add_numbers(&in, 20, 30);
    add_numbers(&expected, 0, 30);
    expect_frames(&in, &expected, strlen("00") + strlen("010-payload-.") + 9 * 14);
}

static void test_short_block(void **state) {
    clear(state);
    add_numbers(&in, 0, 20);
    add_numbers(&in, 18, 30);
    expect_frames(&in, &in, 0);
}

static void test_third_copy(void **state) {
    clear(state);
    add_numbers(&in, 0, 20);
    add_numbers(&in, 10, 20);
    add_numbers(&in, 10, 30);
    expect_frames(&in, &in, 0);
}

static void test_copy_that_differs(void **state) {
    clear(state);
    add_numbers(&in, 0, 20);
    add_numbers(&in, 10, 19);
    add_text(&in, "0019-PAYLOAD-.");
    add_numbers(&in, 20, 30);
    expect_frames(&in, &in, 0);
}

// ---- Chunks -------------------------------------------------------------------------------------

// A frame in question begins in an earlier chunk and no copy of it exists. The bytes before it are not forgotten.
static void test_question_without_copy(void **state) {
    clear(state);
    add_numbers(&in, 0, 20);
    add_text(&in, "0015-other.");
    add_numbers(&in, 20, 22);
    expected = in;
    size_t from = 10 * 14;
    add(&in, in.bytes + from, expected.len - from);
    add_numbers(&in, 22, 30);
    add_numbers(&expected, 22, 30);
    expect_frames(&in, &expected, expected.len - 8 * 14 - from);
}

// With small chunks, a block is not decoded again for each of them.
static void test_calls_of_judge(void **state) {
    clear(state);
    add_numbers(&in, 0, 20);
    add_numbers(&in, 10, 20);
    for (int i = 0; i < 40; i++) add_text(&in, "a-frame-without-a-number");
    add_text(&in, ".");
    add_numbers(&in, 20, 22);
    struct decoder *whole = decode(&in, in.len), *bytes = decode(&in, 1);
    assert_int_equal(whole->judge_calls, 1);
    assert_in_range(bytes->judge_calls, 2, 4); // at the end of the block and at the ends of the next two frames
    assert_int_equal(bytes->skipped, 10 * 14);
    free_decoder(whole);
    free_decoder(bytes);
}

// A long frame after the block does not keep the question open.
static void test_long_frame_after_block(void **state) {
    clear(state);
    add_numbers(&in, 0, 20);
    add_numbers(&in, 10, 20);
    for (int i = 0; i < 100; i++) add_text(&in, "text-");
    for (int i = 0; i < 600 / 5; i++) add_text(&in, "text.");
    add_numbers(&in, 20, 22);
    expect_frames(&in, &in, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_border_at_frame),
        cmocka_unit_test(test_border_in_equal_bytes),
        cmocka_unit_test(test_no_border),
        cmocka_unit_test(test_block_longer_than_history),
        cmocka_unit_test(test_forgotten_bytes),
        cmocka_unit_test(test_joined_frame),
        cmocka_unit_test(test_short_block),
        cmocka_unit_test(test_third_copy),
        cmocka_unit_test(test_copy_that_differs),
        cmocka_unit_test(test_question_without_copy),
        cmocka_unit_test(test_calls_of_judge),
        cmocka_unit_test(test_long_frame_after_block),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
