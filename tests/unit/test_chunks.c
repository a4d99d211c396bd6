// SPDX-License-Identifier: MIT
// Trace and report do not depend on chunk boundaries. These are the rare cases.
#include "support.h"

#include <string.h>

#include "tonkopf.h"

static char report[1 << 20]; // after the trace
static size_t report_len;

static bool keep(void *ctx, const char *text, size_t len) {
    (void)ctx;
    if (len > sizeof report - report_len) return false;
    memcpy(report + report_len, text, len);
    report_len += len;
    return true;
}

static bool keep_trace(void *ctx, const uint8_t *bytes, size_t len) { return keep(ctx, (const char *)bytes, len); }

static void convert(const char *format, const uint8_t *bytes, size_t len, size_t chunk) {
    const struct tk_input_info info = { "input", TK_ROLE_RECORDING, -1 };
    const struct tk_sink sink = { NULL, keep_trace, NULL };
    struct tk_account_sums sums;
    tk *handle;
    uint32_t input;
    report_len = 0;
    assert_int_equal(tk_new(tk_libc_allocator(), &handle), TK_OK);
    assert_int_equal(tk_set_option(handle, "format", format), TK_OK);
    assert_int_equal(tk_add_input(handle, &info, &input), TK_OK);
    assert_int_equal(tk_set_sink(handle, &sink), TK_OK);
    for (size_t at = 0, used; at < len; at += used)
        assert_int_equal(tk_feed(handle, input, bytes + at, len - at < chunk ? len - at : chunk, &used), TK_OK);
    assert_int_equal(tk_end_input(handle, input), TK_OK);
    assert_int_equal(tk_finish(handle), TK_OK);
    tk_get_account(handle, input, &sums);
    assert_int_equal(sums.decoded + sums.skipped + sums.left, len);
    assert_int_equal(tk_report_json(handle, keep, NULL), TK_OK);
    tk_free(handle);
}

static bool find(const char *words) {
    for (size_t at = 0; at + strlen(words) <= report_len; at++)
        if (!memcmp(report + at, words, strlen(words))) return true;
    return false;
}

static void is_cut_alike(const char *format, const uint8_t *bytes, size_t len) {
    static char whole[sizeof report];
    convert(format, bytes, len, len);
    size_t whole_len = report_len;
    memcpy(whole, report, whole_len);
    for (size_t chunk = 1; chunk < 40; chunk += 6) {
        convert(format, bytes, len, chunk);
        assert_int_equal(report_len, whole_len);
        assert_memory_equal(report, whole, whole_len);
    }
}

// The end of damage is found after its bytes have left the window, and a truncated entry ends before its last bytes
// arrive.
static void damage_in_a_flux_stream_has_the_same_bytes(void **state) {
    static const uint8_t head[] = { 0,    1,   'f',  'l', 'u',  'x', 6,    0, 1,    'a', 0,    0,    100, 0x80,
                                    0x20, 0,   0x11, 1,   0,    1,   's',  0, 2,    0,   0,    0x20, 0,   2,
                                    'u',  's', 0,    0,   0x0A, 1,   0x11, 5, 0x0A, 1,   0x11, 6 };
    static uint8_t stream[sizeof head * 2 + 3000];
    (void)state;
    memcpy(stream, head, sizeof head);
    memset(stream + sizeof head, 0xF6, 3000);
    memcpy(stream + sizeof head + 3000, head, sizeof head);
    is_cut_alike("flux", stream, sizeof stream);
}

// The newest section of a ring is read last: damage is reported at its position in the file, not at the end of the
// ring.
static void a_damaged_section_of_flux_has_the_same_bytes(void **state) {
    static const uint8_t stream[] = { 0,    1,    'f',  'l',  'u',  'x', 6,    0,   1,    'a', 0,    0, 100,
                                      0x80, 0x20, 0,    0x11, 1,    0,   1,    's', 0,    2,   0,    0, 0x20,
                                      0,    2,    'u',  's',  0,    0,   0,    6,   2,    6,   0,    4, 0,
                                      0x0A, 1,    0x51, 0,    9,    9,   0,    6,   0x81, 4,   0,    4, 0,
                                      0x0A, 1,    0x11, 6,    0x0A, 1,   0x11, 7,   0x0A, 1,   0x11, 8 };
    (void)state;
    is_cut_alike("flux", stream, sizeof stream);
    assert_true(find("SECTION_DAMAGED") && find("00 06 02 06 00 04 00"));
}

// A block whose content does not match its compression method, and one with an impossible size.
static void damaged_blocks_of_flux_have_the_same_bytes(void **state) {
    static const uint8_t stream[] = { 0,    1,    'f',  'l',  'u',  'x',  6,  0,  1,  'a', 0,  0,  100, 0x80,
                                      0x20, 0,    5,    2,    40,   20,   1,  2,  3,  4,   5,  6,  7,   8,
                                      9,    10,   11,   12,   13,   14,   15, 16, 17, 18,  19, 20, 0,   5,
                                      0,    0xFF, 0xFF, 0xFF, 0xFF, 0x0F, 3,  1,  2,  3,   0,  4,  0 };
    (void)state;
    is_cut_alike("flux", stream, sizeof stream);
}

static void names_of_interrupts_are_no_call_trace(void **state) {
    static const char names[] = "# my board\r\n15 Tick\n 44 Blink\n60 Unused\n";
    (void)state;
    is_cut_alike("cortexm", (const uint8_t *)names, sizeof names - 1);
}

// The marker of a memory image and a header with a damaged table; the next header has no marker and is truncated.
static void a_header_after_a_damaged_image_has_no_mark(void **state) {
    static const uint8_t mark[] = { 5, 6, 7, 8, 0x75, 0x76, 0x77, 0x78, 0xF5, 0xF6, 0xF7, 0xF8 },
                         header[] = { 0, 'F', 'S', 'P', 14, 0, 0xA1, 0x1A, 0, 0, 0, 0, 1 };
    enum { HEADER = 60, TABLE = 12, CUT = 8 };
    uint8_t image[sizeof mark + HEADER + TABLE + CUT] = { 0 };
    (void)state;
    memcpy(image, mark, sizeof mark);
    memcpy(image + sizeof mark, header, sizeof header);
    image[sizeof mark + 32] = 1; // the type of the timer of this header
    memset(image + sizeof mark + HEADER, 0xFF, TABLE);
    memcpy(image + sizeof mark + HEADER + TABLE, header, CUT);
    is_cut_alike("tracealyzer", image, sizeof image);
}

// A block with eight literals and a match whose distance is too large: the literals are decoded, for any chunking. Many
// samples come before it, so that the decoder knows the dialect and decodes the bytes as they arrive.
static void entries_before_the_damage_in_a_block_are_read(void **state) {
    static const uint8_t head[] = { 0,    1, 'f', 'l', 'u', 'x', 6, 0, 1, 'a',  0, 0, 100, 0x80, 0x20, 0,
                                    0x11, 1, 0,   1,   's', 0,   2, 0, 0, 0x20, 0, 2, 'u', 's',  0,    0 };
    static const uint8_t sample[] = { 0x0A, 1, 0x11, 5 },
                         block[] = { 0, 5, 0, 40, 12, 0x80, 0x0A, 1, 0x11, 5, 0x0A, 1, 0x11, 6, 0xFF, 0xFF, 0 };
    enum { SAMPLES = 600 };
    static uint8_t stream[sizeof head + SAMPLES * sizeof sample + sizeof block];
    (void)state;
    memcpy(stream, head, sizeof head);
    for (unsigned i = 0; i < SAMPLES; i++) memcpy(stream + sizeof head + i * sizeof sample, sample, sizeof sample);
    memcpy(stream + sizeof stream - sizeof block, block, sizeof block);
    is_cut_alike("flux", stream, sizeof stream);
    assert_true(find("BLOCK_DAMAGED"));
    assert_true(find("\"samples\":602"));
}

// The unpacked data of a block begin with an invalid entry: the whole block is reported as lost, regardless of how much
// of it was unpacked before.
static void a_block_without_valid_entries_is_lost_completely(void **state) {
    static const uint8_t head[] = { 0,    1, 'f', 'l', 'u', 'x', 6, 0, 1, 'a',  0, 0, 100, 0x80, 0x20, 0,
                                    0x11, 1, 0,   1,   's', 0,   2, 0, 0, 0x20, 0, 2, 'u', 's',  0,    0 };
    static const uint8_t sample[] = { 0x0A, 1, 0x11, 5 }, block[] = { 0, 5, 0, 40, 42, 0xF0, 25, 0, 0x7F };
    enum { SAMPLES = 600, REST = 38 };
    static uint8_t stream[sizeof head + SAMPLES * sizeof sample + sizeof block + REST];
    (void)state;
    memcpy(stream, head, sizeof head);
    for (unsigned i = 0; i < SAMPLES; i++) memcpy(stream + sizeof head + i * sizeof sample, sample, sizeof sample);
    memcpy(stream + sizeof stream - sizeof block - REST, block, sizeof block);
    is_cut_alike("flux", stream, sizeof stream);
    assert_true(find("BLOCK_DAMAGED"));
}

// The bytes that determine the dialect may arrive one by one: first samples of 1190 bytes, valid in both dialects, then
// scopes with tags, valid only in one.
static void the_dialect_probe_reads_more_bytes_until_it_is_certain(void **state) {
    static const uint8_t head[] = { 0,   1,    'f',  'l',  'u',  'x', 6, 0,   1,   'a', 0, 0,
                                    100, 0x80, 0x20, 0x00, 0x20, 0,   2, 'u', 's', 0,   0 };
    static const uint8_t sample[] = { 0x0A, 1, 0x81, 1, 1, 2, 3, 4, 5, 6, 7, 8 },
                         scope[] = { 0, 0x10, 5, 0, 1, 's', 0, 1, 'x' };
    enum { SAMPLES = 99, SCOPES = 4 };
    static uint8_t stream[sizeof head + SAMPLES * sizeof sample + SCOPES * sizeof scope];
    uint8_t *at = stream;
    (void)state;
    memcpy(at, head, sizeof head), at += sizeof head;
    for (unsigned i = 0; i < SAMPLES; i++, at += sizeof sample) memcpy(at, sample, sizeof sample);
    for (unsigned i = 0; i < SCOPES; i++, at += sizeof scope) memcpy(at, scope, sizeof scope);
    is_cut_alike("flux", stream, sizeof stream);
}

// A stream with the rate of its clock, then the clock of a core: 3 counts are 4 ns, before and after the damage.
static void a_separate_clock_continues_after_the_first_core(void **state) {
    static const uint8_t stream[] = { 4,    0x81, 3, 4, 0, 5, 0x72, 0x6B, 0x65, 0x72, 0, 1, 3,    0xE8, 7, 1, 0, 5,
                                      0x54, 0xE8, 7, 1, 0, 5, 0x54, 0x9E, 8,    4,    0, 5, 0x54, 0xE0, 8, 3, 0 };
    (void)state;
    is_cut_alike("tonbandgeraet", stream, sizeof stream);
    assert_true(find("\"160\""));
}

// A core without a time, then a chunk of another core: from there on each core has its own event stream.
static void chunks_after_a_core_have_event_streams(void **state) {
    static const uint8_t stream[] = { 1, 1, 1, 1, 0,    4, 0, 4, 0x89, 3,    4,    0, 5, 0x54, 0xE8,
                                      7, 1, 0, 4, 0x89, 1, 4, 0, 5,    0x54, 0xE0, 7, 2, 0 };
    (void)state;
    is_cut_alike("tonbandgeraet", stream, sizeof stream);
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(damage_in_a_flux_stream_has_the_same_bytes),
                                        cmocka_unit_test(damaged_blocks_of_flux_have_the_same_bytes),
                                        cmocka_unit_test(a_damaged_section_of_flux_has_the_same_bytes),
                                        cmocka_unit_test(names_of_interrupts_are_no_call_trace),
                                        cmocka_unit_test(a_header_after_a_damaged_image_has_no_mark),
                                        cmocka_unit_test(entries_before_the_damage_in_a_block_are_read),
                                        cmocka_unit_test(a_block_without_valid_entries_is_lost_completely),
                                        cmocka_unit_test(the_dialect_probe_reads_more_bytes_until_it_is_certain),
                                        cmocka_unit_test(a_separate_clock_continues_after_the_first_core),
                                        cmocka_unit_test(chunks_after_a_core_have_event_streams) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
