// SPDX-License-Identifier: MIT
//
// Every failure that a host can cause in a conversion, on small recordings built here: allocations fail, the output
// refuses, a recording ends at every byte, chunks of any size. The output must still be a trace.
// FAULTS_BYTE_STEP=3 in the environment: every third byte is tried.
#include <pb_decode.h>
#include <stdlib.h>

#include "../common/pump.h"
#include "../common/stream.h"
#include "../unit/support.h"
#include "perfetto.pb.h"

static struct stream first_core, second_core, side;
static struct pump_job one, two;
static size_t byte_step;

// Some events of every kind: tracks, labels, waits, locks and damage.
static void record_core(struct stream *s, unsigned core) {
    uint64_t t = 1000 + core * 3;
    uint32_t main_task = 1 + core * 2, idle_task = 2 + core * 2;
    stream_tick_length(s, 1000);
    stream_name(s, 0x5F, main_task, "main");
    stream_name(s, 0x5F, idle_task, "IDLE");
    stream_name(s, 0x64, 1, "commands");
    stream_name(s, 0x03, 7, "UART\xFF");
    for (unsigned i = 0; i < 12; i++, t += 40) {
        stream_event(s, 0x54, t, main_task);
        stream_event(s, 0x04, t + 2, 7);
        stream_event2(s, 0x67, t + 3, 1, i % 4 + 1);
        stream_event(s, 0x05, t + 4, 7);
        stream_message(s, 0x08, t + 5, 3, i & 1 ? "step" : "");
        stream_event2(s, 0x6F, t + 6, 1, UINT32_MAX);
        stream_event(s, 0x09, t + 7, 3);
        stream_event(s, 0x54, t + 8, idle_task);
        stream_event2(s, 0x5B, t + 9, main_task, i % 3);
        stream_event(s, 0x55, t + 10, main_task);
        if (i == 5) stream_raw(s, "boot: \x81\x05\x20\xDC\x01\x03\0", 12);
        if (i == 6) stream_event(s, 0x01, t + 11, 4);
        if (i == 8) stream_event(s, 0x01, t + 11, 9);
        if (i == 9) stream_event(s, 0x04, 5, 7); // time falls once
    }
    stream_begin(s, 0x65);
    stream_field(s, 9);
    s->payload[s->payload_len++] = 3;
    stream_end(s);
    stream_event2(s, 0x6A, t, 9, 0);
    stream_message(s, 0x7C, t + 1, 4, "open until the end");
}

static struct pump_file file_of(const char *name, struct stream *s, int32_t core, bool is_side) {
    struct pump_file file = { .name = name, .bytes = { s->bytes, s->len, s->len }, .core = core, .side = is_side };
    pump_look(&file);
    return file;
}

static int build(void **state) {
    (void)state;
    const char *step = getenv("FAULTS_BYTE_STEP");
    byte_step = step ? strtoul(step, NULL, 10) : 1;
    assert_true(byte_step > 0);
    record_core(&first_core, 0);
    record_core(&second_core, 1);
    stream_tick_length(&side, 1000);
    stream_name(&side, 0x5F, 1, "from the side");
    stream_name(&side, 0x06, 3, "marker of the side");
    one = (struct pump_job){ .files = { file_of("one", &first_core, -1, false) }, .file_count = 1 };
    two = (struct pump_job){ .files = { file_of("side", &side, -1, true), file_of("a", &first_core, 0, false),
                                        file_of("b", &second_core, 1, false) },
                             .file_count = 3,
                             .options = { "raw-events=1" },
                             .option_count = 1 };
    return 0;
}

// The bytes are whole packets, as far as they were written.
static bool parses(const uint8_t *bytes, size_t len) {
    tk_pb_Trace trace = tk_pb_Trace_init_zero;
    pb_istream_t stream = pb_istream_from_buffer(bytes, len);
    return pb_decode(&stream, tk_pb_Trace_fields, &trace);
}

static struct pump_result run(const struct pump_job *job, struct pump_how how) {
    struct pump_result result;
    pump_run(job, &how, &result);
    assert_int_equal(result.bytes_in_use, 0);
    return result;
}

static void expect_loadable(const struct pump_result *result) {
    if (!result->output.len) return;
    if (!parses(result->output.data, result->output.len)) fail_msg("%zu bytes do not parse", result->output.len);
}

static size_t fail_every_allocation(const struct pump_job *job, int dump) {
    for (size_t n = 1;; n++) {
        struct pump_result result = run(job, (struct pump_how){ .dump = dump, .fail_alloc_at = n });
        bool enough = result.allocations < n;
        assert_int_equal(result.status, enough ? TK_OK : TK_NO_MEMORY);
        if (dump < 0) expect_loadable(&result);
        pump_free_result(&result);
        if (enough) return n - 1;
    }
}

static void every_allocation_may_fail(void **state) {
    (void)state;
    assert_true(fail_every_allocation(&one, -1) > 20);
    assert_true(fail_every_allocation(&two, -1) > 30);
    fail_every_allocation(&two, TK_DUMP_TRACKS);
}

static void every_write_may_be_refused(void **state) {
    (void)state;
    const struct pump_job *const jobs[] = { &one, &two };
    for (size_t i = 0; i < 2; i++) {
        for (int dump = -1; dump <= TK_DUMP_TRACKS; dump++) {
            for (size_t n = 1;; n += 1 + n / 8) { // a dump has many small writes
                struct pump_result result = run(jobs[i], (struct pump_how){ .dump = dump, .refuse_at = n });
                bool enough = result.writes < n;
                assert_int_equal(result.status, enough ? TK_OK : TK_SINK_REFUSED);
                if (!enough) assert_int_equal(result.writes, n); // no call after it
                if (dump < 0) expect_loadable(&result);
                pump_free_result(&result);
                if (enough) break;
            }
        }
    }
}

// A long recording is written in several blocks: those before the refusal are whole packets.
static void output_before_a_refusal_is_a_trace(void **state) {
    (void)state;
    static struct stream big;
    big.len = 0;
    for (unsigned i = 0; big.len < 240000; i++)
        stream_message(&big, 0x07, i * 10, i % 9, i & 1 ? "every other time the same" : "");
    struct pump_job job = { .files = { file_of("big", &big, -1, false) }, .file_count = 1 };
    size_t n = 1;
    for (; n < 100; n++) {
        struct pump_result result = run(&job, (struct pump_how){ .dump = -1, .refuse_at = n, .chunk = 4096 });
        bool enough = result.writes < n;
        assert_int_equal(result.status, enough ? TK_OK : TK_SINK_REFUSED);
        expect_loadable(&result);
        pump_free_result(&result);
        if (enough) break;
    }
    assert_in_range(n, 3, 99);
}

static void a_recording_may_end_at_every_byte(void **state) {
    (void)state;
    const struct pump_job *const jobs[] = { &one, &two };
    for (size_t i = 0; i < 2; i++) {
        for (size_t cut = 0; cut <= second_core.len; cut += i ? 7 : byte_step) {
            struct pump_result result = run(jobs[i], (struct pump_how){ .dump = -1, .cut = cut });
            if (result.status != TK_OK) assert_int_equal(result.status, TK_UNKNOWN_FORMAT); // too few bytes are left
            expect_loadable(&result);
            assert_true(result.report_text.len > 0);
            pump_free_result(&result);
        }
    }
}

static void chunks_of_any_size_give_the_same(void **state) {
    (void)state;
    static const size_t sizes[] = { 1, 2, 3, 7, 64, 4096 };
    const struct pump_job *const jobs[] = { &one, &two };
    for (size_t i = 0; i < 2; i++) {
        for (int dump = -1; dump <= TK_DUMP_TRACKS; dump++) {
            struct pump_result whole = run(jobs[i], (struct pump_how){ .dump = dump });
            assert_int_equal(whole.status, TK_OK);
            assert_true(whole.output.len > 500);
            for (size_t j = 0; j < sizeof sizes / sizeof *sizes; j++) {
                struct pump_result parts = run(jobs[i], (struct pump_how){ .dump = dump, .chunk = sizes[j] });
                assert_int_equal(parts.status, TK_OK);
                assert_true(pump_equal(&whole.output, &parts.output));
                assert_true(pump_equal(&whole.report_json, &parts.report_json));
                assert_true(pump_equal(&whole.report_text, &parts.report_text));
                pump_free_result(&parts);
            }
            pump_free_result(&whole);
        }
    }
}

// One flipped byte at any position: a trace, which is the same for any chunking.
static void every_byte_may_be_damaged(void **state) {
    (void)state;
    static struct stream damaged;
    for (size_t at = 0; at < first_core.len; at += byte_step) {
        static const uint8_t changes[] = { 0x01, 0x80, 0xFF, 0x24, 0x7F };
        memcpy(damaged.bytes, first_core.bytes, first_core.len);
        damaged.len = first_core.len;
        damaged.bytes[at] ^= changes[at % sizeof changes];
        struct pump_job job = { .files = { file_of("damaged", &damaged, -1, false) }, .file_count = 1 };
        struct pump_result whole = run(&job, (struct pump_how){ .dump = -1 }),
                           parts = run(&job, (struct pump_how){ .dump = -1, .chunk = 1 + at % 90 });
        assert_int_equal(whole.status, TK_OK);
        expect_loadable(&whole);
        assert_true(pump_equal(&whole.output, &parts.output));
        assert_true(pump_equal(&whole.report_json, &parts.report_json));
        pump_free_result(&whole);
        pump_free_result(&parts);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_allocation_may_fail),          cmocka_unit_test(every_write_may_be_refused),
        cmocka_unit_test(output_before_a_refusal_is_a_trace), cmocka_unit_test(a_recording_may_end_at_every_byte),
        cmocka_unit_test(chunks_of_any_size_give_the_same),   cmocka_unit_test(every_byte_may_be_damaged),
    };
    return cmocka_run_group_tests(tests, build, NULL);
}
