// SPDX-License-Identifier: MIT
#include "support.h"

#include "../common/stream.h"
#include "tonkopf.h"

static struct heap heap;
static struct tk_allocator allocator = { heap_realloc, &heap };
static tk *handle;
static struct stream recording, other;
static struct {
    size_t writes, bytes, rewrites;
    bool refuse;
} out;
static struct lines report;

static bool write_out(void *ctx, const uint8_t *bytes, size_t len) {
    (void)ctx, (void)bytes;
    out.writes++;
    out.bytes += len;
    return !out.refuse;
}

static bool rewrite_head(void *ctx, const uint8_t *bytes, size_t len) {
    (void)ctx, (void)bytes, (void)len;
    out.rewrites++;
    return true;
}

static bool take_text(void *ctx, const char *text, size_t len) {
    lines_add(ctx, "%.*s", (int)len, text);
    return true;
}

static bool take_line(void *ctx, const char *line, size_t len) {
    lines_add(ctx, "%.*s\n", (int)len, line);
    return true;
}

static const struct tk_sink sink = { NULL, write_out, rewrite_head };

// A small recording of one core: names, then some switches and an interrupt.
static void record(struct stream *s, uint64_t from, unsigned events, uint64_t tick_ns) {
    s->len = 0;
    if (tick_ns) stream_tick_length(s, tick_ns);
    stream_name(s, 0x5F, 1, "main");
    stream_name(s, 0x5F, 2, "idle");
    for (unsigned i = 0; i < events; i++) stream_event(s, 0x54, from + i * 10, 1 + i % 2);
}

static int reset(void **state) {
    (void)state;
    heap = (struct heap){ 0 };
    memset(&out, 0, sizeof out);
    report.len = 0;
    report.text[0] = 0;
    record(&recording, 1000, 30, 1000);
    record(&other, 1005, 30, 0);
    return tk_new(&allocator, &handle) != TK_OK;
}

static int done(void **state) {
    (void)state;
    tk_free(handle);
    assert_int_equal(heap.in_use, 0);
    return 0;
}

static uint32_t add(tk_role role, int32_t core) {
    struct tk_input_info info = { "input", role, core };
    uint32_t input = 99;
    assert_int_equal(tk_add_input(handle, &info, &input), TK_OK);
    return input;
}

static size_t feed(uint32_t input, const struct stream *s, size_t at, size_t len) {
    size_t consumed = 0;
    assert_int_equal(tk_feed(handle, input, s->bytes + at, len, &consumed), TK_OK);
    assert_true(consumed <= len);
    return consumed;
}

static void expect_misuse(tk_status status, const char *words) {
    assert_int_equal(status, TK_MISUSE);
    if (!strstr(tk_error_text(handle), words)) fail_msg("no '%s' in '%s'", words, tk_error_text(handle));
}

static void expect_report(const char *words) {
    report.len = 0;
    report.text[0] = 0;
    assert_int_equal(tk_report_json(handle, take_text, &report), TK_OK);
    if (!strstr(report.text, words)) fail_msg("no %s in %s", words, report.text);
}

// ---- The usual order -----------------------------------------------------------------------------

static void one_recording_becomes_a_trace(void **state) {
    (void)state;
    uint32_t input = add(TK_ROLE_RECORDING, -1);
    struct tk_progress progress;
    assert_int_equal(tk_set_sink(handle, &sink), TK_OK);
    assert_int_equal(tk_wanted_input(handle), TK_ANY_INPUT);
    assert_int_equal(feed(input, &recording, 0, recording.len), recording.len);
    assert_int_equal(tk_end_input(handle, input), TK_OK);
    assert_int_equal(tk_wanted_input(handle), TK_NO_INPUT);
    assert_int_equal(tk_finish(handle), TK_OK);
    tk_get_progress(handle, &progress);
    assert_int_equal(progress.bytes_in, recording.len);
    assert_int_equal(progress.events, 33);
    assert_int_equal(progress.bytes_out, out.bytes);
    assert_true(out.bytes > 500);
    assert_string_equal(tk_error_text(handle), "");
    expect_report("\"main\"");
}

static void without_a_sink_there_is_a_report(void **state) {
    (void)state;
    uint32_t input = add(TK_ROLE_RECORDING, -1);
    feed(input, &recording, 0, recording.len);
    assert_int_equal(tk_finish(handle), TK_OK);
    expect_report("\"main\"");
}

static void finish_ends_what_was_not_ended(void **state) {
    (void)state;
    uint32_t input = add(TK_ROLE_RECORDING, -1);
    feed(input, &recording, 0, recording.len - 1); // the last frame is truncated
    assert_int_equal(tk_finish(handle), TK_OK);
    expect_report("FRAME_CUT_AT_END");
}

static void put_bytes(const char *bytes) { stream_raw(&recording, bytes, strlen(bytes) + 1); }

// A recording with one of everything that the decoder skips; the numbers count its bytes.
static void every_byte_is_accounted_for(void **state) {
    (void)state;
    uint32_t input = add(TK_ROLE_RECORDING, -1);
    struct tk_account_sums sums;
    size_t decoded = recording.len;
    assert_int_equal(tk_set_option(handle, "format", "tonbandgeraet"), TK_OK);
    put_bytes("boot");                        // 5 bytes of text
    put_bytes("");                            // 1 empty frame
    put_bytes("\x09\x54\xAA");                // 4: COBS code leads beyond its end
    put_bytes("\x02\x40");                    // 3: undefined event
    put_bytes("\x02\x54");                    // 3: number missing
    put_bytes("\x05\x61\x01\x02\x03");        // 6: too many bytes
    stream_event(&recording, 0x54, 3, 1);     // 5, far back in time
    stream_event(&recording, 0x00, 1300, 99); // 6: core out of range
    for (unsigned i = 0; i < 12; i++) stream_event(&recording, 0x54, 1310 + i, 1), decoded += 6;
    stream_raw(&recording, "\x04\x54", 2); // 2, truncated
    feed(input, &recording, 0, recording.len);
    tk_get_account(handle, input, &sums);
    assert_int_equal(sums.fed, recording.len);
    assert_true(sums.left >= 2); // the rest of the last frame, and what may begin a block that was received twice
    assert_int_equal(tk_finish(handle), TK_OK);
    tk_get_account(handle, input, &sums);
    assert_int_equal(sums.fed, recording.len);
    assert_int_equal(sums.decoded, decoded);
    assert_int_equal(sums.skipped, 5 + 1 + 4 + 3 + 3 + 6 + 5 + 6);
    assert_int_equal(sums.left, 2);
    expect_report("\"skipped\":["
                  "{\"input\":\"input\",\"problem\":\"FRAME_BROKEN\",\"bytes\":4},"
                  "{\"input\":\"input\",\"problem\":\"FRAME_EMPTY\",\"bytes\":1},"
                  "{\"input\":\"input\",\"problem\":\"TEXT_SKIPPED\",\"bytes\":5},"
                  "{\"input\":\"input\",\"problem\":\"EVENT_UNKNOWN\",\"bytes\":3},"
                  "{\"input\":\"input\",\"problem\":\"EVENT_SHORT\",\"bytes\":3},"
                  "{\"input\":\"input\",\"problem\":\"EVENT_LONG\",\"bytes\":6},"
                  "{\"input\":\"input\",\"problem\":\"TIME_DAMAGED\",\"bytes\":5},"
                  "{\"input\":\"input\",\"problem\":\"CORE_OUT_OF_RANGE\",\"bytes\":6}]");
    tk_get_account(handle, 7, &sums); // no such input
    assert_int_equal(sums.fed, 0);
}

static void unrecognised_bytes_are_left_over(void **state) {
    (void)state;
    uint32_t input = add(TK_ROLE_RECORDING, -1);
    struct tk_account_sums sums;
    size_t consumed;
    assert_int_equal(tk_feed(handle, input, (const uint8_t *)"no recording at all", 19, &consumed), TK_OK);
    assert_int_equal(tk_finish(handle), TK_UNKNOWN_FORMAT);
    tk_get_account(handle, input, &sums);
    assert_int_equal(sums.fed, 19);
    assert_int_equal(sums.left, 19);
}

static void finish_may_come_twice_and_free_at_any_time(void **state) {
    (void)state;
    uint32_t input = add(TK_ROLE_RECORDING, -1);
    assert_int_equal(tk_set_sink(handle, &sink), TK_OK);
    feed(input, &recording, 0, recording.len);
    assert_int_equal(tk_finish(handle), TK_OK);
    size_t bytes = out.bytes;
    assert_int_equal(tk_finish(handle), TK_OK);
    assert_int_equal(out.bytes, bytes);
    tk_free(handle);
    assert_int_equal(tk_new(&allocator, &handle), TK_OK);
    input = add(TK_ROLE_RECORDING, -1);
    feed(input, &recording, 0, 7); // and freed
    tk_free(NULL);
}

static void a_late_tick_length_rewrites_the_head(void **state) {
    (void)state;
    uint32_t input = add(TK_ROLE_RECORDING, -1);
    assert_int_equal(tk_set_option(handle, "format", "tonbandgeraet"), TK_OK);
    assert_int_equal(tk_set_sink(handle, &sink), TK_OK);
    static struct stream s;
    s.len = 0;
    for (unsigned i = 0; s.len < 200000; i++) stream_message(&s, 0x07, i * 10, i % 50, "a message of the marker");
    stream_tick_length(&s, 500);
    feed(input, &s, 0, s.len);
    assert_int_equal(tk_finish(handle), TK_OK);
    assert_int_equal(out.rewrites, 1);
    expect_report("\"tick\":{\"ns\":500,");
}

// ---- Misuse --------------------------------------------------------------------------------------

static void expect_tick(unsigned count, const uint64_t *lengths, const char *expected) {
    uint32_t input = add(TK_ROLE_RECORDING, -1);
    record(&recording, 1000, 8, 0);
    for (unsigned i = 0; i < count; i++) stream_tick_length(&recording, lengths[i]);
    record(&other, 2000, 8, 0);
    stream_raw(&recording, other.bytes, other.len);
    feed(input, &recording, 0, recording.len);
    assert_int_equal(tk_finish(handle), TK_OK);
    expect_report(expected);
}

static void of_two_tick_lengths_the_last_counts(void **state) {
    (void)state;
    expect_tick(2, (const uint64_t[]){ 1000, 77 }, "\"tick\":{\"ns\":77,");
}

static void one_tick_length_does_not_outvote_several(void **state) {
    (void)state;
    expect_tick(3, (const uint64_t[]){ 1000, 1000, 77 }, "\"tick\":{\"ns\":1000,");
    expect_report("TICK_CHANGED");
}

static void a_new_tick_length_counts_when_it_was_named_as_often(void **state) {
    (void)state;
    expect_tick(6, (const uint64_t[]){ 1000, 1000, 77, 5, 77, 77 }, "\"tick\":{\"ns\":77,");
}

static void inputs_and_outputs_come_before_the_first_byte(void **state) {
    (void)state;
    struct tk_input_info info = { "late", TK_ROLE_RECORDING, -1 };
    uint32_t input = add(TK_ROLE_RECORDING, -1), more = 0;
    size_t consumed = 0;
    feed(input, &recording, 0, 10);
    expect_misuse(tk_add_input(handle, &info, &more), "before the first byte");
    expect_misuse(tk_set_sink(handle, &sink), "before the first byte");
    expect_misuse(tk_set_dump(handle, TK_DUMP_EVENTS, false, take_line, NULL), "before the first byte");
    expect_misuse(tk_feed(handle, 7, recording.bytes, 1, &consumed), "no such input");
    assert_int_equal(consumed, 0);
    expect_misuse(tk_end_input(handle, 7), "no such input");
    assert_int_equal(feed(input, &recording, 10, recording.len - 10), recording.len - 10); // no error is sticky
    assert_int_equal(tk_finish(handle), TK_OK);
}

static void an_ended_input_accepts_no_bytes(void **state) {
    (void)state;
    uint32_t input = add(TK_ROLE_RECORDING, -1);
    size_t consumed = 5;
    feed(input, &recording, 0, recording.len);
    assert_int_equal(tk_end_input(handle, input), TK_OK);
    assert_int_equal(tk_end_input(handle, input), TK_OK);
    expect_misuse(tk_feed(handle, input, recording.bytes, 1, &consumed), "has ended");
    assert_int_equal(consumed, 0);
    assert_int_equal(tk_finish(handle), TK_OK);
    expect_misuse(tk_feed(handle, input, recording.bytes, 1, &consumed), "has ended");
}

static void one_output_only(void **state) {
    (void)state;
    assert_int_equal(tk_set_sink(handle, &sink), TK_OK);
    expect_misuse(tk_set_dump(handle, TK_DUMP_EVENTS, false, take_line, &report), "one output");
    tk_free(handle);
    assert_int_equal(tk_new(&allocator, &handle), TK_OK);
    assert_int_equal(tk_set_dump(handle, TK_DUMP_EVENTS, false, take_line, &report), TK_OK);
    expect_misuse(tk_set_sink(handle, &sink), "one output");
}

static void inputs_are_limited(void **state) {
    (void)state;
    struct tk_input_info info = { "x", TK_ROLE_RECORDING, TK_MAX_CORES };
    uint32_t input;
    expect_misuse(tk_add_input(handle, &info, &input), "out of range");
    info.core = 3;
    assert_int_equal(tk_add_input(handle, &info, &input), TK_OK);
    expect_misuse(tk_add_input(handle, &info, &input), "two inputs for one core");
    info.core = -1;
    for (unsigned i = 1; i < TK_MAX_INPUTS; i++) assert_int_equal(tk_add_input(handle, &info, &input), TK_OK);
    expect_misuse(tk_add_input(handle, &info, &input), "too many inputs");
}

static void nothing_at_all_is_a_trace_without_events(void **state) {
    (void)state;
    assert_int_equal(tk_set_sink(handle, &sink), TK_OK);
    assert_int_equal(tk_finish(handle), TK_OK);
    assert_true(out.bytes > 0);
    assert_int_equal(tk_report_text(handle, take_text, &report), TK_OK);
    assert_true(report.len > 0);
}

// ---- Fatal errors --------------------------------------------------------------------------------

static void an_unrecognised_input_is_rejected_permanently(void **state) {
    (void)state;
    static const char text[] = "A letter. It has some lines,\nbut no frames.\n";
    uint32_t input = add(TK_ROLE_RECORDING, -1);
    size_t consumed;
    assert_int_equal(tk_feed(handle, input, (const uint8_t *)text, sizeof text - 1, &consumed), TK_OK);
    assert_int_equal(tk_end_input(handle, input), TK_UNKNOWN_FORMAT);
    assert_int_equal(tk_feed(handle, input, recording.bytes, recording.len, &consumed), TK_UNKNOWN_FORMAT);
    assert_int_equal(tk_set_option(handle, "tick-ns", "1"), TK_UNKNOWN_FORMAT);
    assert_int_equal(tk_end_input(handle, input), TK_UNKNOWN_FORMAT);
    assert_int_equal(tk_finish(handle), TK_UNKNOWN_FORMAT);
    assert_true(tk_error_text(handle)[0]);
    assert_int_equal(tk_report_text(handle, take_text, &report), TK_OK);
}

static void an_empty_input_is_reported(void **state) {
    (void)state;
    uint32_t input = add(TK_ROLE_RECORDING, -1);
    assert_int_equal(tk_end_input(handle, input), TK_UNKNOWN_FORMAT);
    assert_string_equal(tk_error_text(handle), "the input is empty");
}

static void a_refused_write_is_sticky_and_nothing_is_written_after(void **state) {
    (void)state;
    uint32_t input = add(TK_ROLE_RECORDING, -1);
    size_t consumed;
    out.refuse = true;
    assert_int_equal(tk_set_sink(handle, &sink), TK_OK);
    assert_int_equal(tk_feed(handle, input, recording.bytes, recording.len, &consumed), TK_OK); // still available
    assert_int_equal(tk_finish(handle), TK_SINK_REFUSED);
    assert_int_equal(out.writes, 1);
    assert_int_equal(tk_feed(handle, input, recording.bytes, 1, &consumed), TK_SINK_REFUSED);
    assert_int_equal(tk_finish(handle), TK_SINK_REFUSED);
}

static void no_memory_for_the_handle_gives_none(void **state) {
    (void)state;
    for (size_t fail = 1; fail < 3; fail++) {
        tk *second = (tk *)&heap;
        heap.calls = 0;
        heap.fail_from = fail;
        size_t before = heap.in_use;
        assert_int_equal(tk_new(&allocator, &second), TK_NO_MEMORY);
        assert_int_equal(heap.in_use, before);
    }
    heap.fail_from = 0;
}

static void every_status_has_a_text(void **state) {
    (void)state;
    for (int status = TK_OK; status <= TK_OTHER_SCHEMA; status++)
        assert_true(strlen(tk_status_text((tk_status)status)) > 5);
    assert_string_equal(tk_status_text((tk_status)77), "unknown status");
}

// ---- Several inputs ------------------------------------------------------------------------------

// Feeds both inputs in the order that the merge requests, in chunks.
static void feed_both(const struct stream *const streams[2], const uint32_t inputs[2], size_t chunk) {
    size_t at[2] = { 0 };
    for (int32_t wanted; (wanted = tk_wanted_input(handle)) != TK_NO_INPUT;) {
        unsigned i = wanted == (int32_t)inputs[1];
        assert_true(wanted == (int32_t)inputs[0] || wanted == (int32_t)inputs[1]);
        size_t left = streams[i]->len - at[i], len = chunk < left ? chunk : left;
        if (!left) {
            assert_int_equal(tk_end_input(handle, inputs[i]), TK_OK);
            continue;
        }
        size_t consumed = feed(inputs[i], streams[i], at[i], len);
        assert_true(consumed || tk_wanted_input(handle) != wanted);
        at[i] += consumed;
    }
    assert_int_equal(at[0], streams[0]->len);
    assert_int_equal(at[1], streams[1]->len);
}

static void two_cores_are_merged_by_time(void **state) {
    (void)state;
    static const struct stream *const streams[] = { &recording, &other };
    uint32_t inputs[] = { add(TK_ROLE_RECORDING, 0), add(TK_ROLE_RECORDING, 1) };
    assert_int_equal(tk_set_dump(handle, TK_DUMP_EVENTS, true, take_line, &report), TK_OK);
    feed_both(streams, inputs, 50);
    assert_int_equal(tk_finish(handle), TK_OK);
    uint64_t last = 0;
    unsigned count = 0;
    static const char key[] = "\"ticks\":";
    for (const char *at = report.text; (at = strstr(at, key)); count++) {
        at += sizeof key - 1;
        uint64_t time = strtoull(at + (*at == '"'), NULL, 10);
        assert_true(time >= last);
        last = time;
    }
    assert_int_equal(count, 65);
    assert_int_equal(last, 1295);
}

static void without_given_cores_the_order_of_inputs_counts(void **state) {
    (void)state;
    static const struct stream *const streams[] = { &recording, &other };
    uint32_t inputs[] = { add(TK_ROLE_RECORDING, -1), add(TK_ROLE_RECORDING, -1) };
    feed_both(streams, inputs, 1000000);
    assert_int_equal(tk_finish(handle), TK_OK);
    expect_report("\"core\":1");
}

static void an_input_that_is_not_wanted_waits_in_its_window(void **state) {
    (void)state;
    static struct stream big;
    uint32_t first = add(TK_ROLE_RECORDING, 0), second = add(TK_ROLE_RECORDING, 1);
    size_t fed = 0;
    record(&big, 1000, 9000, 0);
    assert_int_equal(tk_set_option(handle, "format", "tonbandgeraet"), TK_OK);
    for (int round = 0; round < 20; round++) fed += feed(second, &big, 0, big.len); // the first input sends nothing
    assert_true(fed <= 256 * 1024);                                                 // bounded; the host keeps the rest
    assert_int_equal(tk_wanted_input(handle), (int32_t)first);
    assert_int_equal(tk_finish(handle), TK_OK);
}

static void an_empty_core_does_not_block_the_other(void **state) {
    (void)state;
    static struct stream empty;
    static const struct stream *const streams[] = { &recording, &empty };
    empty.len = 0;
    assert_int_equal(tk_set_option(handle, "format", "tonbandgeraet"), TK_OK);
    uint32_t inputs[] = { add(TK_ROLE_RECORDING, 0), add(TK_ROLE_RECORDING, 1) };
    feed_both(streams, inputs, 100);
    assert_int_equal(tk_finish(handle), TK_OK);
    expect_report("\"main\"");
    expect_report("INPUT_EMPTY");
}

static void an_empty_core_may_come_first(void **state) {
    (void)state;
    uint32_t empty = add(TK_ROLE_RECORDING, 0), full = add(TK_ROLE_RECORDING, 1);
    assert_int_equal(tk_end_input(handle, empty), TK_OK);
    assert_int_equal(feed(full, &recording, 0, recording.len), recording.len);
    assert_int_equal(tk_finish(handle), TK_OK);
    expect_report("\"main\"");
    expect_report("INPUT_EMPTY");
}

static void a_core_without_decoded_events_is_reported(void **state) {
    (void)state;
    uint32_t inputs[] = { add(TK_ROLE_RECORDING, 0), add(TK_ROLE_RECORDING, 1) };
    assert_int_equal(feed(inputs[0], &recording, 0, recording.len), recording.len);
    assert_int_equal(tk_end_input(handle, inputs[0]), TK_OK);
    recording.len = 0;
    put_bytes("boot");
    assert_int_equal(feed(inputs[1], &recording, 0, recording.len), recording.len);
    assert_int_equal(tk_finish(handle), TK_OK);
    expect_report("INPUT_EMPTY");
}

// The events of one of two cores; chunked: sent in chunks over a link that carries both cores.
static void speak(uint32_t core, bool tells, unsigned events) {
    stream_begin(&recording, 0x89);
    stream_field(&recording, core);
    stream_field(&recording, 2);
    if (tells) stream_end(&recording);
    stream_event(&recording, 0x00, 0, core);
    for (unsigned i = 0; i < events; i++) stream_event(&recording, 0x54, 1000 + i * 10, 1 + i % 2);
}

static void several_unnumbered_cores_are_reported(void **state) {
    (void)state;
    uint32_t input = add(TK_ROLE_RECORDING, -1);
    recording.len = 0;
    speak(1, false, 0);
    speak(0, false, 6);
    feed(input, &recording, 0, recording.len);
    assert_int_equal(tk_finish(handle), TK_OK);
    expect_report("CORES_UNNUMBERED");
}

static void a_core_that_is_silent_between_chunks_is_no_core_without_a_number(void **state) {
    (void)state;
    uint32_t input = add(TK_ROLE_RECORDING, -1);
    recording.len = 0;
    speak(1, true, 0);
    speak(0, true, 6);
    speak(1, true, 0);
    feed(input, &recording, 0, recording.len);
    assert_int_equal(tk_finish(handle), TK_OK);
    expect_report("\"schema\"");
    assert_null(strstr(report.text, "CORES_UNNUMBERED"));
}

static void when_all_are_empty_there_is_no_recording(void **state) {
    (void)state;
    add(TK_ROLE_RECORDING, 0), add(TK_ROLE_RECORDING, 1);
    assert_int_equal(tk_finish(handle), TK_UNKNOWN_FORMAT);
    assert_string_equal(tk_error_text(handle), "all inputs are empty");
}

static void events_of_both_cores_are_read(void **state) {
    (void)state;
    static const struct stream *const streams[] = { &recording, &other };
    uint32_t inputs[] = { add(TK_ROLE_RECORDING, 0), add(TK_ROLE_RECORDING, 1) };
    feed_both(streams, inputs, 100);
    assert_int_equal(tk_finish(handle), TK_OK);
    expect_report("\"main\"");
    assert_null(strstr(report.text, "INPUT_EMPTY"));
}

// ---- Side inputs ---------------------------------------------------------------------------------

static void names_and_tick_length_come_from_the_side(void **state) {
    (void)state;
    static struct stream ring;
    ring.len = 0;
    for (unsigned i = 0; i < 40; i++) stream_event(&ring, 0x54, 5000 + i * 10, 1 + i % 2);
    uint32_t side = add(TK_ROLE_NAMES, -1), input = add(TK_ROLE_RECORDING, -1);
    feed(side, &recording, 0, recording.len);
    assert_int_equal(tk_end_input(handle, side), TK_OK);
    feed(input, &ring, 0, ring.len);
    assert_int_equal(tk_finish(handle), TK_OK);
    expect_report("\"main\"");
    assert_non_null(strstr(report.text, "\"tick\":{\"ns\":1000,"));
    assert_null(strstr(report.text, "TICK_ASSUMED"));
    struct tk_progress progress;
    tk_get_progress(handle, &progress);
    assert_int_equal(progress.events, 40); // the events of the side input are not in the trace
}

static void the_recording_goes_before_the_side(void **state) {
    (void)state;
    record(&other, 9000, 20, 250);
    uint32_t side = add(TK_ROLE_NAMES, -1), input = add(TK_ROLE_RECORDING, -1);
    feed(side, &recording, 0, recording.len);
    assert_int_equal(tk_end_input(handle, side), TK_OK);
    feed(input, &other, 0, other.len);
    assert_int_equal(tk_finish(handle), TK_OK);
    expect_report("\"tick\":{\"ns\":250,");
    assert_null(strstr(report.text, "TICK_CHANGED"));
}

static void a_useless_side_input_does_no_harm(void **state) {
    (void)state;
    uint32_t side = add(TK_ROLE_NAMES, -1), input = add(TK_ROLE_RECORDING, -1);
    static const char text[] = "no recording at all, only words";
    size_t consumed;
    assert_int_equal(tk_feed(handle, side, (const uint8_t *)text, sizeof text - 1, &consumed), TK_OK);
    assert_int_equal(tk_end_input(handle, side), TK_OK);
    feed(input, &recording, 0, recording.len);
    assert_int_equal(tk_finish(handle), TK_OK);
    expect_report("\"main\"");
}

static void feed_bytes(uint32_t input, const void *bytes, size_t len) {
    for (size_t at = 0, consumed; at < len; at += consumed)
        assert_int_equal(tk_feed(handle, input, (const uint8_t *)bytes + at, len - at, &consumed), TK_OK);
    assert_int_equal(tk_end_input(handle, input), TK_OK);
}

static const char objects[] = "-v740\n-T4\n-O4\n\nObj-Dic:\n4\n20000000 Alpha\n***\n"; // a dictionary of the other
                                                                                       // format

static void a_side_input_of_another_format_changes_nothing(void **state) {
    static const char *const options[] = { NULL, "tonbandgeraet" };
    for (size_t i = 0; i < 2; i++) {
        if (i) done(state), reset(state);
        if (options[i]) assert_int_equal(tk_set_option(handle, "format", options[i]), TK_OK);
        uint32_t side = add(TK_ROLE_NAMES, -1), input = add(TK_ROLE_RECORDING, -1);
        assert_int_equal(tk_wanted_input(handle), side);
        feed_bytes(side, objects, sizeof objects - 1);
        assert_int_equal(tk_wanted_input(handle), TK_ANY_INPUT);
        feed(input, &recording, 0, recording.len);
        assert_int_equal(tk_finish(handle), TK_OK);
        expect_report("\"name\":\"tonbandgeraet\"");
        expect_report("\"main\"");
        expect_report("INPUT_UNUSED");
    }
}

static void task_names_do_not_name_active_objects(void **state) {
    (void)state;
    uint32_t side = add(TK_ROLE_NAMES, -1), input = add(TK_ROLE_RECORDING, -1);
    feed(side, &recording, 0, recording.len);
    assert_int_equal(tk_end_input(handle, side), TK_OK);
    feed_bytes(input, objects, sizeof objects - 1);
    assert_int_equal(tk_finish(handle), TK_OK);
    expect_report("\"name\":\"qs\"");
    expect_report("INPUT_UNUSED");
    assert_null(strstr(report.text, "\"main\""));
}

static void a_side_input_that_ends_late_still_names(void **state) {
    (void)state;
    static struct stream ring;
    ring.len = 0;
    for (unsigned i = 0; i < 40; i++) stream_event(&ring, 0x54, 5000 + i * 10, 1 + i % 2);
    uint32_t side = add(TK_ROLE_NAMES, -1), input = add(TK_ROLE_RECORDING, -1);
    feed(input, &ring, 0, ring.len);
    feed(side, &recording, 0, recording.len);
    assert_int_equal(tk_finish(handle), TK_OK);
    expect_report("\"main\"");
    assert_null(strstr(report.text, "INPUT_UNUSED"));
}

static void a_role_that_no_format_asks_for_is_refused(void **state) {
    (void)state;
    struct tk_input_info info = { "notes.txt", TK_ROLE_NONE, -1 };
    uint32_t input;
    assert_int_equal(tk_add_input(handle, &info, &input), TK_MISUSE);
    assert_string_equal(tk_error_text(handle), "no format uses inputs of this role");
}

static void expect_one_per_handle(const char *format) {
    static const char dump[] = "$timescale 1ns $end $var wire 1 ! a $end $enddefinitions $end #0 1!";
    size_t consumed;
    tk_status status = format ? tk_set_option(handle, "format", format) : TK_OK;
    uint32_t first = add(TK_ROLE_RECORDING, 0), second = add(TK_ROLE_RECORDING, 1);
    if (status == TK_OK) status = tk_feed(handle, first, (const uint8_t *)dump, sizeof dump - 1, &consumed);
    if (status == TK_OK) status = tk_end_input(handle, first);
    assert_int_equal(status, TK_MISUSE);
    assert_int_equal(tk_feed(handle, second, (const uint8_t *)dump, sizeof dump - 1, &consumed), TK_MISUSE);
    assert_non_null(strstr(tk_error_text(handle), "cannot be joined"));
    assert_int_equal(tk_finish(handle), TK_MISUSE);
}

static void recordings_without_a_common_clock_are_not_joined(void **state) { (void)state, expect_one_per_handle(NULL); }
static void a_given_format_does_not_join_them(void **state) { (void)state, expect_one_per_handle("cortexm"); }

static size_t load(const char *path, uint8_t *room, size_t size);

static void recordings_of_two_targets_are_not_joined(void **state) {
    static uint8_t with_header[64 * 1024];
    size_t consumed, len = load(GOLDEN_INPUTS "/tracealyzer/two-cores-in-two-files/input.core0.bin", with_header,
                                sizeof with_header);
    (void)state;
    uint32_t first = add(TK_ROLE_RECORDING, 0), second = add(TK_ROLE_RECORDING, 1);
    assert_int_equal(tk_feed(handle, first, with_header, len, &consumed), TK_OK);
    assert_int_equal(tk_end_input(handle, first), TK_OK);
    tk_status status = tk_feed(handle, second, with_header, len, &consumed);
    assert_int_equal(status == TK_OK ? tk_end_input(handle, second) : status, TK_MISUSE);
    assert_non_null(strstr(tk_error_text(handle), "two targets"));
    assert_int_equal(tk_finish(handle), TK_MISUSE);
}

// Two kernels that number their tasks independently cannot be distinguished from one kernel whose tasks were renamed.
static void two_names_of_one_task_are_reported(void **state) {
    static struct stream second;
    (void)state;
    uint32_t inputs[] = { add(TK_ROLE_RECORDING, 0), add(TK_ROLE_RECORDING, 1) };
    second.len = 0;
    stream_name(&second, 0x5F, 1, "motor");
    for (unsigned i = 0; i < 30; i++) stream_event(&second, 0x54, 1005 + i * 10, 1 + i % 2);
    feed(inputs[0], &recording, 0, recording.len);
    assert_int_equal(tk_end_input(handle, inputs[0]), TK_OK);
    feed(inputs[1], &second, 0, second.len);
    assert_int_equal(tk_finish(handle), TK_OK);
    expect_report("NAME_CHANGED");
}

// ---- Times of reception ------------------------------------------------------------------------

// A call trace of four records, which the host received in two parts.
static void a_host_passes_reception_times(void **state) {
    static const uint8_t records[] = { 0xC0, 0x00, 0x08, 0x00, 0x01, 0x06, 0xFF, 0xFF, 0xFF, 0xFF,
                                       0xC0, 0x00, 0x08, 0x00, 0x02, 0x06, 0x08, 0x00, 0x01, 0x11,
                                       0xC0, 0x00, 0x08, 0x00, 0x03, 0x06, 0x08, 0x00, 0x02, 0x11,
                                       0xC0, 0x00, 0x08, 0x00, 0x03, 0x06, 0x08, 0x00, 0x02, 0x21 };
    size_t consumed;
    (void)state;
    assert_int_equal(tk_set_option(handle, "format", "cortexm"), TK_OK);
    uint32_t input = add(TK_ROLE_RECORDING, -1);
    assert_int_equal(tk_received(handle, input, 5000000), TK_OK);
    assert_int_equal(tk_feed(handle, input, records, 20, &consumed), TK_OK);
    assert_int_equal(tk_received(handle, input, 9000000), TK_OK);
    assert_int_equal(tk_feed(handle, input, records + 20, 20, &consumed), TK_OK);
    assert_int_equal(tk_finish(handle), TK_OK);
    expect_report("\"TIMES_EQUAL\"");
    expect_report("\"end\":\"4001001\""); // the last record is 1 ns after the third and takes a microsecond
    assert_null(strstr(report.text, "TIME_ORDER"));
}

// Five records, received two, two and one at a time. The distance of records that were received together is no
// duration.
static void records_received_together_measure_nothing(void **state) {
    static const uint8_t records[] = { 0xC0, 0x00, 0x08, 0x00, 0x01, 0x06, 0xFF, 0xFF, 0xFF, 0xFF, 0xC0, 0x00, 0x08,
                                       0x00, 0x02, 0x06, 0x08, 0x00, 0x01, 0x11, 0xC0, 0x00, 0x08, 0x00, 0x03, 0x06,
                                       0x08, 0x00, 0x02, 0x11, 0xC0, 0x00, 0x08, 0x00, 0x03, 0x06, 0x08, 0x00, 0x02,
                                       0x21, 0xC0, 0x00, 0x08, 0x00, 0x04, 0x06, 0x08, 0x00, 0x02, 0x31 };
    static const struct part {
        uint64_t ns;
        size_t from, len;
    } parts[] = { { 5000000, 0, 20 }, { 9000000, 20, 20 }, { 12000000, 40, 10 } };
    size_t consumed;
    (void)state;
    assert_int_equal(tk_set_option(handle, "format", "cortexm"), TK_OK);
    uint32_t input = add(TK_ROLE_RECORDING, -1);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        assert_int_equal(tk_received(handle, input, parts[i].ns), TK_OK);
        assert_int_equal(tk_feed(handle, input, records + parts[i].from, parts[i].len, &consumed), TK_OK);
    }
    assert_int_equal(tk_finish(handle), TK_OK);
    // The first call ends 1 ns after its begin, with the second one. The third part ends the second call.
    expect_report("{\"name\":\"0x08000306\",\"calls\":2,\"unmeasured\":1,\"self\":\"3000000\",\"total\":\"3000000\","
                  "\"min\":\"2999999\"");
}

static void times_of_reception_are_for_the_only_recording(void **state) {
    (void)state;
    uint32_t first = add(TK_ROLE_RECORDING, 0), second = add(TK_ROLE_RECORDING, 1);
    assert_int_equal(tk_received(handle, first, 1), TK_MISUSE);
    assert_int_equal(tk_received(handle, second + 1, 1), TK_MISUSE);
}

// ---- Symbols -------------------------------------------------------------------------------------

static uint8_t firmware[8192], nameless[1024];
static size_t firmware_len, nameless_len;

static size_t load(const char *path, uint8_t *room, size_t size) {
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    size_t len = fread(room, 1, size, file);
    fclose(file);
    assert_in_range(len, 1, size - 1);
    return len;
}

static uint32_t add_firmware(void) {
    firmware_len = load(GOLDEN_INPUTS "/qs/names-from-an-elf/input.side.bin", firmware, sizeof firmware);
    nameless_len = load(GOLDEN_INPUTS "/qs/names-from-an-elf/input.bin", nameless, sizeof nameless);
    return add(TK_ROLE_SYMBOLS, -1);
}

static void feed_ranges(uint32_t input, size_t size) {
    uint64_t offset;
    size_t len;
    while (tk_wanted_range(handle, input, size, &offset, &len)) {
        assert_in_range(len, 1, 64 * 1024);
        assert_in_range(offset + len, 1, size);
        assert_int_equal(tk_feed_range(handle, input, firmware + offset, len), TK_OK);
    }
    assert_int_equal(tk_end_input(handle, input), TK_OK);
}

static void symbols_are_read_by_ranges_or_sequentially(void **state) {
    for (int fed = 0; fed < 2; fed++) {
        if (fed) done(state), reset(state);
        uint32_t side = add_firmware(), input = add(TK_ROLE_RECORDING, -1);
        assert_int_equal(tk_wanted_input(handle), side);
        if (fed) feed_bytes(side, (const char *)firmware, firmware_len);
        else feed_ranges(side, firmware_len);
        feed_bytes(input, (const char *)nameless, nameless_len);
        assert_int_equal(tk_finish(handle), TK_OK);
        expect_report("\"kind\":\"ELF\",\"functions\":3,\"variables\":2");
        expect_report("\"asked\":3,\"found\":3");
        assert_null(strstr(report.text, "SYMBOLS_"));
    }
}

static void a_range_that_is_not_wanted_is_refused(void **state) {
    (void)state;
    uint64_t offset;
    size_t len;
    uint32_t side = add_firmware(), input = add(TK_ROLE_RECORDING, -1);
    assert_int_equal(tk_feed_range(handle, side, firmware, 1), TK_MISUSE);
    assert_false(tk_wanted_range(handle, input, 100, &offset, &len));
    assert_false(tk_wanted_range(handle, 99, 100, &offset, &len));
    assert_true(tk_wanted_range(handle, side, firmware_len, &offset, &len));
    assert_int_equal(tk_feed_range(handle, side, firmware, len + 1), TK_MISUSE);
    assert_int_equal(tk_end_input(handle, side), TK_OK);
    assert_false(tk_wanted_range(handle, side, firmware_len, &offset, &len));
}

static void symbols_of_a_truncated_file_are_reported(void **state) {
    (void)state;
    uint32_t side = add_firmware(), input = add(TK_ROLE_RECORDING, -1);
    feed_ranges(side, firmware_len / 2);
    feed_bytes(input, (const char *)nameless, nameless_len);
    assert_int_equal(tk_finish(handle), TK_OK);
    expect_report("SYMBOLS_NONE");
}

static void addresses_are_found_by_name_without_a_recording(void **state) {
    (void)state;
    uint32_t side = add_firmware();
    uint64_t address = 1;
    assert_false(tk_symbol_address(handle, "l_alpha", &address));
    feed_ranges(side, firmware_len);
    assert_false(tk_symbol_address(handle, "l_alph", &address));
    assert_false(tk_symbol_address(handle, "", &address));
    assert_int_equal(address, 1);
    assert_true(tk_symbol_address(handle, "l_alpha", &address));
    assert_int_equal(address, 0x20000100);
    assert_true(tk_symbol_address(handle, "Beta_work", &address));
    assert_true(address < 0x20000000);
}

static void symbols_serve_no_format_without_addresses(void **state) {
    (void)state;
    uint32_t side = add_firmware(), input = add(TK_ROLE_RECORDING, -1);
    static const char vcd[] =
        "$timescale 1 ns $end\n$var wire 1 ! a $end\n$enddefinitions $end\n#0\n0!\n#5\n1!\n#9\n0!\n";
    feed_ranges(side, firmware_len);
    feed_bytes(input, vcd, sizeof vcd - 1);
    assert_int_equal(tk_finish(handle), TK_OK);
    expect_report("INPUT_UNUSED");
}

#define CASE(test) cmocka_unit_test_setup_teardown(test, reset, done)

int main(void) {
    const struct CMUnitTest tests[] = {
        CASE(symbols_are_read_by_ranges_or_sequentially),
        CASE(a_range_that_is_not_wanted_is_refused),
        CASE(symbols_of_a_truncated_file_are_reported),
        CASE(addresses_are_found_by_name_without_a_recording),
        CASE(symbols_serve_no_format_without_addresses),
        CASE(one_recording_becomes_a_trace),
        CASE(without_a_sink_there_is_a_report),
        CASE(finish_ends_what_was_not_ended),
        CASE(every_byte_is_accounted_for),
        CASE(unrecognised_bytes_are_left_over),
        CASE(finish_may_come_twice_and_free_at_any_time),
        CASE(a_late_tick_length_rewrites_the_head),
        CASE(of_two_tick_lengths_the_last_counts),
        CASE(one_tick_length_does_not_outvote_several),
        CASE(a_new_tick_length_counts_when_it_was_named_as_often),
        CASE(inputs_and_outputs_come_before_the_first_byte),
        CASE(an_ended_input_accepts_no_bytes),
        CASE(one_output_only),
        CASE(inputs_are_limited),
        CASE(nothing_at_all_is_a_trace_without_events),
        CASE(an_unrecognised_input_is_rejected_permanently),
        CASE(an_empty_input_is_reported),
        CASE(a_refused_write_is_sticky_and_nothing_is_written_after),
        CASE(no_memory_for_the_handle_gives_none),
        CASE(every_status_has_a_text),
        CASE(two_cores_are_merged_by_time),
        CASE(without_given_cores_the_order_of_inputs_counts),
        CASE(an_input_that_is_not_wanted_waits_in_its_window),
        CASE(several_unnumbered_cores_are_reported),
        CASE(a_core_that_is_silent_between_chunks_is_no_core_without_a_number),
        CASE(an_empty_core_does_not_block_the_other),
        CASE(an_empty_core_may_come_first),
        CASE(a_core_without_decoded_events_is_reported),
        CASE(when_all_are_empty_there_is_no_recording),
        CASE(events_of_both_cores_are_read),
        CASE(names_and_tick_length_come_from_the_side),
        CASE(the_recording_goes_before_the_side),
        CASE(a_useless_side_input_does_no_harm),
        CASE(a_side_input_of_another_format_changes_nothing),
        CASE(task_names_do_not_name_active_objects),
        CASE(a_side_input_that_ends_late_still_names),
        CASE(a_role_that_no_format_asks_for_is_refused),
        CASE(recordings_without_a_common_clock_are_not_joined),
        CASE(a_given_format_does_not_join_them),
        CASE(recordings_of_two_targets_are_not_joined),
        CASE(two_names_of_one_task_are_reported),
        CASE(a_host_passes_reception_times),
        CASE(records_received_together_measure_nothing),
        CASE(times_of_reception_are_for_the_only_recording),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
