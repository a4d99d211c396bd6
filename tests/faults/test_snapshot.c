// SPDX-License-Identifier: MIT
//
// Snapshots and time ranges with failures: failing allocations, a refusing sink, calls at the wrong time.
// tools/snapshot.c checks them on the golden cases without failures.
#include "../common/pump.h"
#include "../common/stream.h"
#include "../unit/support.h"

static struct stream recording;
static struct heap heap;
static const struct tk_allocator allocator = { heap_realloc, &heap };

struct bytes {
    uint8_t data[8 << 20];
    size_t len, refuse_from; // 0: never
};

static struct bytes trace, other, snapshot, report;

static bool take(void *ctx, const uint8_t *bytes, size_t len) {
    struct bytes *to = ctx;
    if (to->refuse_from && to->len + len >= to->refuse_from) return false;
    assert_true(len <= sizeof to->data - to->len);
    memcpy(to->data + to->len, bytes, len);
    to->len += len;
    return true;
}

static bool rewrite(void *ctx, const uint8_t *bytes, size_t len) {
    struct bytes *to = ctx;
    memcpy(to->data, bytes, len);
    return true;
}

static struct tk_sink sink_to(struct bytes *to) {
    to->len = to->refuse_from = 0;
    return (struct tk_sink){ to, take, rewrite };
}

static void record(uint32_t tasks, uint32_t events) {
    char name[32];
    recording.len = 0;
    stream_tick_length(&recording, 1000);
    for (uint32_t i = 1; i <= tasks; i++) {
        snprintf(name, sizeof name, "task %u of many", i);
        stream_name(&recording, 0x5F, i, name);
    }
    for (uint32_t i = 0; i < events; i++) stream_event(&recording, 0x54, 1000 + 10 * i, 1 + i % tasks);
}

static int setup(void **unused) {
    (void)unused;
    heap = (struct heap){ 0 };
    record(3, 40);
    return 0;
}

static int no_leak(void **unused) {
    (void)unused;
    return heap.in_use != 0;
}

// A handle that was fed the first half.
static tk *half_way(struct bytes *to) {
    tk *handle;
    uint32_t input;
    size_t used;
    const struct tk_sink sink = sink_to(to);
    const struct tk_input_info info = { "recording", TK_ROLE_RECORDING, -1 };
    assert_int_equal(tk_new(&allocator, &handle), TK_OK);
    assert_int_equal(tk_set_option(handle, "format", "tonbandgeraet"), TK_OK);
    assert_int_equal(tk_add_input(handle, &info, &input), TK_OK);
    assert_int_equal(tk_set_sink(handle, &sink), TK_OK);
    assert_int_equal(tk_feed(handle, 0, recording.bytes, recording.len / 2, &used), TK_OK);
    return handle;
}

static void go_on(tk *handle) {
    size_t used, half = recording.len / 2;
    assert_int_equal(tk_feed(handle, 0, recording.bytes + half, recording.len - half, &used), TK_OK);
    assert_int_equal(tk_finish(handle), TK_OK);
    tk_free(handle);
}

static void expect_same_trace(void) {
    assert_int_equal(other.len, trace.len);
    assert_memory_equal(other.data, trace.data, trace.len);
}

// The output so far, followed by the snapshot.
static struct tk_sink snapshot_sink(void) {
    struct tk_sink sink = sink_to(&snapshot);
    memcpy(snapshot.data, trace.data, trace.len);
    snapshot.len = trace.len;
    return sink;
}

static void expect_same_snapshot(void) {
    assert_int_equal(snapshot.len, other.len);
    assert_memory_equal(snapshot.data, other.data, other.len);
}

static void a_snapshot_that_fails_leaves_no_trace(void **unused) {
    (void)unused;
    tk *ended = half_way(&other);
    assert_int_equal(tk_finish(ended), TK_OK);
    tk_free(ended);
    tk *handle = half_way(&trace);
    tk_status status = TK_NO_MEMORY;
    for (size_t n = 1; status != TK_OK; n++) {
        size_t in_use = heap.in_use;
        const struct tk_sink sink = snapshot_sink();
        heap.calls = 0;
        heap.fail_from = n;
        status = tk_snapshot(handle, &sink);
        heap.fail_from = 0;
        assert_true(status == TK_OK ? n > 20 : status == TK_NO_MEMORY);
        assert_int_equal(heap.in_use, in_use);
    }
    expect_same_snapshot();
    struct tk_sink refusing = snapshot_sink();
    snapshot.refuse_from = 1;
    assert_int_equal(tk_snapshot(handle, &refusing), TK_SINK_REFUSED);
    const struct tk_sink sink = snapshot_sink();
    assert_int_equal(tk_snapshot(handle, &sink), TK_OK);
    expect_same_snapshot();
    go_on(handle);
    go_on(half_way(&other));
    expect_same_trace();
}

static void calls_at_the_wrong_time(void **unused) {
    (void)unused;
    tk *handle = half_way(&trace), *dump;
    const struct tk_sink sink = sink_to(&snapshot);
    assert_int_equal(tk_finish(handle), TK_OK);
    assert_int_equal(tk_snapshot(handle, &sink), TK_MISUSE);
    tk_free(handle);
    assert_int_equal(tk_new(&allocator, &dump), TK_OK);
    assert_int_equal(tk_set_dump(dump, TK_DUMP_EVENTS, false, NULL, NULL), TK_OK);
    assert_int_equal(tk_snapshot(dump, &sink), TK_MISUSE);
    tk_free(dump);
}

// Before its first byte, the snapshot of a handle is an empty trace.
static void a_snapshot_before_the_first_byte(void **unused) {
    (void)unused;
    const struct tk_input_info info = { "recording", TK_ROLE_RECORDING, -1 };
    const struct tk_sink sink = sink_to(&snapshot);
    uint32_t input;
    tk *handle;
    assert_int_equal(tk_new(&allocator, &handle), TK_OK);
    assert_int_equal(tk_set_option(handle, "format", "tonbandgeraet"), TK_OK);
    assert_int_equal(tk_add_input(handle, &info, &input), TK_OK);
    assert_int_equal(tk_snapshot(handle, &sink), TK_OK);
    assert_in_range(snapshot.len, 100, 4000);
    const struct tk_sink out = sink_to(&trace);
    assert_int_equal(tk_set_sink(handle, &out), TK_OK); // no input was fed yet
    size_t used;
    assert_int_equal(tk_feed(handle, 0, recording.bytes, recording.len / 2, &used), TK_OK);
    go_on(handle);
    go_on(half_way(&other));
    expect_same_trace();
}

static bool take_text(void *ctx, const char *text, size_t len) { return take(ctx, (const uint8_t *)text, len); }

// A linker map of 3000 functions, which takes several ranges.
static size_t make_map(char *text, size_t room) {
    size_t len =
        (size_t)snprintf(text, room, "Linker script and memory map\n\n.text           0x08000000    0x40000\n");
    for (unsigned i = 0; i < 3000; i++)
        len += (size_t)snprintf(text + len, room - len,
                                " .text          0x%016x       0x10 main.o\n"
                                "                0x%016x                function_%u\n",
                                0x08000000 + 16 * i, 0x08000000 + 16 * i, i);
    assert_true(len < room);
    return len;
}

// The report of a recording without an event, and a map; with snapshots between its ranges.
static void read_map(struct bytes *to, const char *map, size_t len, bool with_snapshots) {
    const struct tk_input_info infos[] = { { "recording", TK_ROLE_RECORDING, -1 }, { "map", TK_ROLE_SYMBOLS, -1 } };
    const struct tk_sink out = sink_to(&trace);
    uint32_t inputs[2], ranges = 0;
    uint64_t offset;
    size_t wanted, used;
    tk *handle;
    assert_int_equal(tk_new(&allocator, &handle), TK_OK);
    assert_int_equal(tk_set_option(handle, "format", "qs"), TK_OK);
    for (int i = 0; i < 2; i++) assert_int_equal(tk_add_input(handle, &infos[i], &inputs[i]), TK_OK);
    assert_int_equal(tk_set_sink(handle, &out), TK_OK);
    for (; tk_wanted_range(handle, inputs[1], len, &offset, &wanted); ranges++) {
        size_t in_use = heap.in_use;
        const struct tk_sink sink = sink_to(&snapshot);
        if (with_snapshots) assert_int_equal(tk_snapshot(handle, &sink), TK_OK);
        assert_int_equal(heap.in_use, in_use);
        assert_int_equal(tk_feed_range(handle, inputs[1], (const uint8_t *)map + offset, wanted), TK_OK);
    }
    assert_true(ranges > 2);
    assert_int_equal(tk_end_input(handle, inputs[1]), TK_OK);
    assert_int_equal(tk_feed(handle, inputs[0], (const uint8_t *)"\x7E\x7E", 2, &used), TK_OK);
    assert_int_equal(tk_finish(handle), TK_OK);
    sink_to(to);
    assert_int_equal(tk_report_json(handle, take_text, to), TK_OK);
    tk_free(handle);
}

static void a_snapshot_within_a_symbol_file(void **unused) {
    (void)unused;
    static char map[512 * 1024];
    size_t len = make_map(map, sizeof map);
    read_map(&other, map, len, false);
    read_map(&report, map, len, true);
    assert_int_equal(report.len, other.len);
    assert_memory_equal(report.data, other.data, other.len);
    report.data[report.len] = 0;
    assert_non_null(strstr((const char *)report.data, "3000")); // functions
}

// A handle whose trace contains a time range; the recording is long after the range.
static tk *convert_range(struct bytes *to, const char *from, const char *until) {
    tk *handle;
    uint32_t input;
    const struct tk_sink sink = sink_to(to);
    const struct tk_input_info info = { "recording", TK_ROLE_RECORDING, -1 };
    record(3, 12000);
    assert_int_equal(tk_new(&allocator, &handle), TK_OK);
    assert_int_equal(tk_set_option(handle, "format", "tonbandgeraet"), TK_OK);
    assert_int_equal(tk_set_option(handle, "from-ns", from), TK_OK);
    if (until) assert_int_equal(tk_set_option(handle, "to-ns", until), TK_OK);
    assert_int_equal(tk_add_input(handle, &info, &input), TK_OK);
    assert_int_equal(tk_set_sink(handle, &sink), TK_OK);
    return handle;
}

static tk_status feed_whole(tk *handle) {
    size_t used;
    return tk_feed(handle, 0, recording.bytes, recording.len, &used);
}

static bool is_complete(const tk *handle) {
    struct tk_progress progress;
    tk_get_progress(handle, &progress);
    return progress.is_complete;
}

static void a_trace_is_complete_after_its_time_range(void **unused) {
    (void)unused;
    tk *handle = convert_range(&trace, "2000000", "3000000");
    assert_int_equal(feed_whole(handle), TK_OK);
    assert_true(is_complete(handle));
    assert_int_equal(tk_set_option(handle, "to-ns", "4000000"), TK_MISUSE);
    size_t len = trace.len;
    const struct tk_sink sink = sink_to(&snapshot);
    assert_int_equal(tk_snapshot(handle, &sink), TK_OK);
    assert_int_equal(snapshot.len, 0); // it is complete already
    assert_int_equal(tk_finish(handle), TK_OK);
    assert_int_equal(trace.len, len); // no event came after it
    tk_free(handle);
    assert_in_range(len, 200, 4000);
}

// The end of a merged recording brings more events after the range than are read ahead: the trace is closed within a
// snapshot, which is closed too.
static void a_snapshot_closes_the_time_range(void **unused) {
    (void)unused;
    const struct tk_sink out = sink_to(&trace), sink = sink_to(&snapshot);
    struct tk_progress progress;
    uint32_t input;
    size_t used, in_use;
    tk *handle;
    record(3, 12000);
    for (int closes = 0; closes < 2; closes++) {
        sink_to(&trace);
        assert_int_equal(tk_new(&allocator, &handle), TK_OK);
        assert_int_equal(tk_set_option(handle, "format", "tonbandgeraet"), TK_OK);
        assert_int_equal(tk_set_option(handle, "from-ns", "2000000"), TK_OK);
        assert_int_equal(tk_set_option(handle, "to-ns", "3000000"), TK_OK);
        for (int32_t core = 0; core < 2; core++) {
            const struct tk_input_info info = { "recording", TK_ROLE_RECORDING, core };
            assert_int_equal(tk_add_input(handle, &info, &input), TK_OK);
        }
        assert_int_equal(tk_set_sink(handle, &out), TK_OK);
        assert_int_equal(tk_feed(handle, 0, recording.bytes, recording.len, &used), TK_OK);
        assert_int_equal(used, recording.len); // it waits for the other input
        if (closes) {
            sink_to(&snapshot);
            in_use = heap.in_use;
            assert_int_equal(tk_snapshot(handle, &sink), TK_OK);
            assert_int_equal(heap.in_use, in_use);
            assert_int_equal(snapshot.len, other.len);
            assert_memory_equal(snapshot.data, other.data, other.len);
        }
        tk_get_progress(handle, &progress);
        assert_false(progress.is_complete);
        assert_int_equal(trace.len, 0);
        assert_int_equal(tk_finish(handle), TK_OK);
        tk_get_progress(handle, &progress);
        assert_true(progress.is_complete);
        tk_free(handle);
        memcpy(other.data, trace.data, trace.len);
        other.len = trace.len;
    }
}

static void a_trace_that_cannot_be_completed_is_reported(void **unused) {
    (void)unused;
    size_t n = 1, failed = 0;
    for (tk_status status = TK_NO_MEMORY; status != TK_OK; n += 1 + n / 20) {
        tk *handle = convert_range(&trace, "2000000", "3000000");
        heap.calls = 0;
        heap.fail_from = n;
        status = feed_whole(handle);
        heap.fail_from = 0;
        assert_true(status == TK_OK || status == TK_NO_MEMORY);
        failed += status != TK_OK;
        tk_free(handle);
        assert_int_equal(heap.in_use, 0);
    }
    assert_true(failed > 10);
    tk *handle = convert_range(&trace, "2000000", "3000000");
    trace.refuse_from = 1;
    assert_int_equal(feed_whole(handle), TK_SINK_REFUSED);
    tk_free(handle);
}

static void a_time_range_can_move_until_it_begins(void **unused) {
    (void)unused;
    tk *handle = convert_range(&trace, "9223372036854775807", NULL);
    struct tk_progress progress;
    assert_int_equal(feed_whole(handle), TK_OK);
    tk_get_progress(handle, &progress);
    assert_in_range(progress.skipped_until_ticks, 100000, 121001);
    assert_true(progress.left_out.states > 20000);
    assert_int_equal(tk_set_option(handle, "format", "auto"), TK_MISUSE);
    assert_int_equal(tk_set_option(handle, "from-ns", "2000000"), TK_MISUSE);
    assert_non_null(strstr(tk_error_text(handle), "already passed this time"));
    assert_int_equal(tk_set_option(handle, "from-ns", "121001000"), TK_OK);
    tk_free(handle);
    handle = half_way(&trace);
    assert_int_equal(tk_set_option(handle, "from-ns", "121001000"), TK_MISUSE); // its trace contains everything
    tk_free(handle);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_snapshot_that_fails_leaves_no_trace, setup, no_leak),
        cmocka_unit_test_setup_teardown(calls_at_the_wrong_time, setup, no_leak),
        cmocka_unit_test_setup_teardown(a_snapshot_before_the_first_byte, setup, no_leak),
        cmocka_unit_test_setup_teardown(a_snapshot_within_a_symbol_file, setup, no_leak),
        cmocka_unit_test_setup_teardown(a_trace_is_complete_after_its_time_range, setup, no_leak),
        cmocka_unit_test_setup_teardown(a_snapshot_closes_the_time_range, setup, no_leak),
        cmocka_unit_test_setup_teardown(a_trace_that_cannot_be_completed_is_reported, setup, no_leak),
        cmocka_unit_test_setup_teardown(a_time_range_can_move_until_it_begins, setup, no_leak),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
