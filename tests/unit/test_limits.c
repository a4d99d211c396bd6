// SPDX-License-Identifier: MIT
//
// A recording that exceeds the limits: a different task, queue, interrupt, marker, value, core and name in every frame.
// Memory stops growing, entities above a limit share one entry, and the report lists the limits.
#include "support.h"

#include "../common/stream.h"
#include "tonkopf.h"

enum { HEAP_LIMIT = 16 * 1024 * 1024, ROUNDS = 12000 };

static struct heap heap;
static size_t peak;
static tk *handle;
static uint32_t input;
static struct {
    uint8_t *bytes;
    size_t len, cap;
} out;
static struct stream chunk;
static struct lines report;

static void *measured_realloc(void *ctx, void *ptr, size_t old_size, size_t new_size) {
    void *fresh = heap_realloc(ctx, ptr, old_size, new_size);
    if (heap.in_use > peak) peak = heap.in_use;
    return fresh;
}

static bool keep(void *ctx, const uint8_t *bytes, size_t len) {
    (void)ctx;
    if (out.len + len > out.cap) {
        out.cap = 2 * (out.len + len);
        out.bytes = realloc(out.bytes, out.cap);
        assert_non_null(out.bytes);
    }
    memcpy(out.bytes + out.len, bytes, len);
    out.len += len;
    return true;
}

static bool take_text(void *ctx, const char *text, size_t len) {
    (void)ctx;
    if (report.len + len >= sizeof report.text)
        return true; // a table may have thousands of rows; these strings are searched in the rest
    memcpy(report.text + report.len, text, len);
    report.text[report.len += len] = 0;
    return true;
}

static int begin(const char *format) {
    static const struct tk_allocator allocator = { measured_realloc, &heap };
    static const struct tk_sink sink = { NULL, keep, NULL };
    const struct tk_input_info info = { "attack", TK_ROLE_RECORDING, -1 };
    heap = (struct heap){ 0 };
    peak = 0;
    out.len = report.len = chunk.len = 0;
    return tk_new(&allocator, &handle) || tk_set_option(handle, "format", format) ||
           tk_add_input(handle, &info, &input) || tk_set_sink(handle, &sink);
}

static int reset(void **state) {
    (void)state;
    return begin("tonbandgeraet");
}

static int reset_flux(void **state) {
    (void)state;
    return begin("flux");
}

static int done(void **state) {
    (void)state;
    tk_free(handle);
    free(out.bytes);
    memset(&out, 0, sizeof out);
    assert_int_equal(heap.in_use, 0);
    return 0;
}

// All 2^32 numbers, in a scrambled order.
static uint32_t spread(uint32_t i) { return i * 2654435761u; }

static void flush(void) {
    size_t consumed;
    assert_int_equal(tk_feed(handle, input, chunk.bytes, chunk.len, &consumed), TK_OK);
    assert_int_equal(consumed, chunk.len);
    chunk.len = 0;
}

// One frame of every kind, each with a unique number and text.
static void attack(uint32_t i) {
    static const uint8_t names[] = { 0x03, 0x06, 0x0A, 0x5F, 0x64 },
                         timed[] = { 0x54, 0x55, 0x58, 0x62, 0x63, 0x04, 0x05, 0x09 };
    static const uint8_t with_text[] = { 0x07, 0x08, 0x7B, 0x7C },
                         with_value[] = { 0x5B, 0x66, 0x6A, 0x6F, 0x0B, 0x7F };
    char text[64];
    uint32_t id = spread(i);
    uint64_t at = 1000 + (uint64_t)i * 40;
    snprintf(text, sizeof text, "name number %u of very many", i);
    stream_event(&chunk, 0x00, at++, i % 40); // some core ids are out of range
    for (size_t n = 0; n < sizeof names; n++) stream_name(&chunk, names[n], id, text);
    stream_begin(&chunk, 0x7A); // a default name of a task marker
    stream_field(&chunk, id);
    stream_field(&chunk, 0);
    stream_string(&chunk, text);
    stream_end(&chunk);
    for (size_t n = 0; n < sizeof timed; n++) stream_event(&chunk, timed[n], at++, id);
    for (size_t n = 0; n < sizeof with_value; n++) stream_event2(&chunk, with_value[n], at++, id, i & 63);
    for (size_t n = 0; n < 2 * sizeof with_text; n++) stream_message(&chunk, with_text[n / 2], at++, id, text);
    if (chunk.len > STREAM_CAP - 4096) flush();
}

static bool trace_contains(const char *words) {
    size_t len = strlen(words);
    for (const uint8_t *at = out.bytes, *end = out.bytes + out.len - len;
         at < end && (at = memchr(at, words[0], (size_t)(end - at))); at++)
        if (!memcmp(at, words, len)) return true;
    return false;
}

static void numbers_without_end_do_not_fill_the_memory(void **state) {
    static const char *const shared[] = { "further tasks", "further queues", "further interrupts", "further markers",
                                          "further values" };
    (void)state;
    for (uint32_t i = 0; i < ROUNDS; i++) attack(i);
    flush();
    size_t full = peak;
    assert_true(full > 4 * 1024 * 1024 && full <= HEAP_LIMIT);
    for (uint32_t i = ROUNDS; i < 2 * ROUNDS; i++) attack(i);
    flush();
    assert_int_equal(tk_finish(handle), TK_OK);
    assert_true(peak <= HEAP_LIMIT);
    assert_true(peak - full < 2 * 1024 * 1024); // distinct strings have the largest limit
    for (size_t i = 0; i < sizeof shared / sizeof *shared; i++)
        if (!trace_contains(shared[i])) fail_msg("no %s", shared[i]);
    assert_int_equal(tk_report_text(handle, take_text, NULL), TK_OK);
    assert_non_null(strstr(report.text, "Too many tasks, queues, markers, signals or names"));
}

// The limits count entities, not their events.
static void few_numbers_never_reach_a_limit(void **state) {
    (void)state;
    for (uint32_t i = 0; i < ROUNDS; i++) attack(i % 31);
    flush();
    assert_int_equal(tk_finish(handle), TK_OK);
    assert_false(trace_contains("further "));
    assert_int_equal(tk_report_text(handle, take_text, NULL), TK_OK);
    assert_null(strstr(report.text, "Too many"));
}

// A few bytes of flux can define 65536 signals, or rename drawn ones.
static void many_definitions_cost_time_in_proportion_to_their_bytes(void **state) {
    enum { SIGNALS = 500, ENTRIES = 10000, FREE = 65536, PER_ENTRY = 16 };
    static const uint8_t head[] = { 0, 1, 'f', 'l', 'u', 'x', 6, 0, 0, 0, 0, 0, 0, 0, 0x20, 0, 2, 'n', 's', 0, 0 };
    struct tk_progress progress;
    (void)state;
    stream_raw(&chunk, head, sizeof head);
    for (unsigned i = 0; i < ENTRIES; i++) {
        const uint8_t several[] = { 0, 0x12, 1, 0xFF, 0xFF, 3, 0, 1, (uint8_t)('a' + i % 26), 0, 2, 0 }; // 1..65535
        stream_raw(&chunk, several, sizeof several);
        for (unsigned id = 1; !i && id <= SIGNALS; id++)
            stream_raw(&chunk, (const uint8_t[]){ (uint8_t)(id << 3 | 0x80), (uint8_t)(id >> 4), 1 }, 3);
    }
    flush();
    assert_int_equal(tk_finish(handle), TK_OK);
    tk_get_progress(handle, &progress);
    assert_in_range(progress.events, 2 * SIGNALS, FREE + PER_ENTRY * (ENTRIES + SIGNALS));
    assert_int_equal(tk_report_text(handle, take_text, NULL), TK_OK);
    assert_non_null(strstr(report.text, "Too many tasks, queues, markers, signals or names"));
}

#define CASE(test) cmocka_unit_test_setup_teardown(test, reset, done)

int main(void) {
    const struct CMUnitTest tests[] = {
        CASE(numbers_without_end_do_not_fill_the_memory), CASE(few_numbers_never_reach_a_limit),
        cmocka_unit_test_setup_teardown(many_definitions_cost_time_in_proportion_to_their_bytes, reset_flux, done)
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
