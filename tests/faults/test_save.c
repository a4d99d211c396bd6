// SPDX-License-Identifier: MIT
//
// States and snapshots when something goes wrong: no memory, a sink that refuses, damaged bytes, calls at the wrong
// time. That they are right when nothing does is shown by tools/save.c, on the golden cases.
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

static struct bytes trace, other, state;

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

// A handle that has taken the first half.
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

static void save(tk *handle) {
    const struct tk_sink sink = sink_to(&state);
    assert_int_equal(tk_save(handle, &sink), TK_OK);
}

static tk *new_handle(struct bytes *to) {
    tk *handle;
    const struct tk_sink sink = sink_to(to);
    assert_int_equal(tk_new(&allocator, &handle), TK_OK);
    assert_int_equal(tk_set_sink(handle, &sink), TK_OK);
    return handle;
}

static void without_memory_a_state_is_not_restored_and_the_handle_is_as_it_was(void **unused) {
    (void)unused;
    tk *handle = half_way(&trace);
    save(handle);
    go_on(handle);
    tk *fresh = new_handle(&other);
    tk_status status = TK_NO_MEMORY;
    for (size_t n = 1; status != TK_OK; n++) {
        size_t in_use = heap.in_use;
        heap.calls = 0;
        heap.fail_from = n;
        status = tk_restore(fresh, state.data, state.len);
        heap.fail_from = 0;
        assert_true(status == TK_OK ? n > 10 : status == TK_NO_MEMORY && heap.in_use == in_use);
    }
    go_on(fresh);
    expect_same_trace();
}

static void a_snapshot_that_fails_leaves_no_trace(void **unused) {
    (void)unused;
    tk *handle = half_way(&trace);
    tk_status status = TK_NO_MEMORY;
    for (size_t n = 1; status != TK_OK; n++) {
        size_t in_use = heap.in_use;
        const struct tk_sink sink = sink_to(&state);
        heap.calls = 0;
        heap.fail_from = n;
        status = tk_snapshot(handle, &sink);
        heap.fail_from = 0;
        assert_true(status == TK_OK || status == TK_NO_MEMORY);
        assert_int_equal(heap.in_use, in_use);
    }
    struct tk_sink refusing = sink_to(&state);
    state.refuse_from = 1;
    assert_int_equal(tk_snapshot(handle, &refusing), TK_SINK_REFUSED);
    refusing = sink_to(&state);
    state.refuse_from = 4000;
    assert_int_equal(tk_save(handle, &refusing), TK_SINK_REFUSED);
    go_on(handle);
    go_on(half_way(&other));
    expect_same_trace();
}

static void damaged_states_are_refused(void **unused) {
    (void)unused;
    tk *handle = half_way(&trace);
    save(handle);
    go_on(handle);
    tk *fresh = new_handle(&other);
    for (size_t at = 0; at < state.len; at += at < 400 ? 1 : 4999) {
        state.data[at] ^= 0x10;
        assert_int_equal(tk_restore(fresh, state.data, state.len), TK_MISUSE);
        state.data[at] ^= 0x10;
    }
    for (size_t len = 0; len < state.len; len += len < 400 ? 1 : 4999)
        assert_int_equal(tk_restore(fresh, state.data, len), TK_MISUSE);
    assert_true(tk_error_text(fresh)[0]);
    assert_int_equal(tk_restore(fresh, state.data, state.len), TK_OK);
    go_on(fresh);
    expect_same_trace();
}

static void calls_at_the_wrong_time(void **unused) {
    (void)unused;
    tk *handle = half_way(&trace), *dump;
    const struct tk_sink sink = sink_to(&state);
    assert_int_equal(tk_restore(handle, state.data, 0), TK_MISUSE);
    assert_int_equal(tk_finish(handle), TK_OK);
    assert_int_equal(tk_save(handle, &sink), TK_MISUSE);
    assert_int_equal(tk_snapshot(handle, &sink), TK_MISUSE);
    tk_free(handle);
    assert_int_equal(tk_new(&allocator, &dump), TK_OK);
    assert_int_equal(tk_set_dump(dump, TK_DUMP_EVENTS, false, NULL, NULL), TK_OK);
    assert_int_equal(tk_save(dump, &sink), TK_MISUSE);
    assert_int_equal(tk_snapshot(dump, &sink), TK_MISUSE);
    tk_free(dump);
}

// A handle whose trace holds a part of the time, from whose end on the recording is long.
static tk *part_of(struct bytes *to, const char *from, const char *until) {
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

static void behind_its_part_a_trace_is_complete(void **unused) {
    (void)unused;
    tk *handle = part_of(&trace, "2000000", "3000000"), *fresh;
    assert_int_equal(feed_whole(handle), TK_OK);
    assert_true(is_complete(handle));
    assert_int_equal(tk_set_option(handle, "to-ns", "4000000"), TK_MISUSE);
    size_t len = trace.len;
    save(handle);
    tk_free(handle);
    fresh = new_handle(&other);
    assert_int_equal(tk_restore(fresh, state.data, state.len), TK_OK);
    assert_int_equal(tk_finish(fresh), TK_OK);
    assert_int_equal(other.len, 0); // nothing came behind
    tk_free(fresh);
    assert_in_range(len, 200, 4000);
}

static void a_trace_that_cannot_be_completed_is_told(void **unused) {
    (void)unused;
    size_t n = 1, failed = 0;
    for (tk_status status = TK_NO_MEMORY; status != TK_OK; n += 1 + n / 20) {
        tk *handle = part_of(&trace, "2000000", "3000000");
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
    tk *handle = part_of(&trace, "2000000", "3000000");
    trace.refuse_from = 1;
    assert_int_equal(feed_whole(handle), TK_SINK_REFUSED);
    tk_free(handle);
}

static void a_part_moves_until_it_begins(void **unused) {
    (void)unused;
    tk *handle = part_of(&trace, "9223372036854775807", NULL);
    struct tk_progress progress;
    assert_int_equal(feed_whole(handle), TK_OK);
    tk_get_progress(handle, &progress);
    assert_in_range(progress.skipped_until_ticks, 100000, 121001);
    assert_true(progress.left_out.states > 20000);
    assert_int_equal(tk_set_option(handle, "format", "auto"), TK_MISUSE);
    assert_int_equal(tk_set_option(handle, "from-ns", "2000000"), TK_MISUSE);
    assert_non_null(strstr(tk_error_text(handle), "behind this moment"));
    assert_int_equal(tk_set_option(handle, "from-ns", "121001000"), TK_OK);
    tk_free(handle);
    handle = half_way(&trace);
    assert_int_equal(tk_set_option(handle, "from-ns", "121001000"), TK_MISUSE); // its trace is everything
    tk_free(handle);
}

// What docs/API.md says of the size.
static void a_state_grows_with_names_not_with_time(void **unused) {
    (void)unused;
    record(3, 40);
    tk *handle = half_way(&trace);
    save(handle);
    size_t few = state.len;
    tk_free(handle);
    record(3, 30000);
    handle = half_way(&trace);
    save(handle);
    assert_in_range(state.len, few, few + 32 * 1024); // switches that are not written yet
    tk_free(handle);
    record(8191, 20000);
    handle = half_way(&trace);
    save(handle);
    print_message("a state: %zu bytes with 3 tasks, %zu with 8191\n", few, state.len);
    assert_in_range(state.len, 2 << 20, 7 << 20);
    go_on(handle);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(without_memory_a_state_is_not_restored_and_the_handle_is_as_it_was, setup,
                                        no_leak),
        cmocka_unit_test_setup_teardown(a_snapshot_that_fails_leaves_no_trace, setup, no_leak),
        cmocka_unit_test_setup_teardown(damaged_states_are_refused, setup, no_leak),
        cmocka_unit_test_setup_teardown(calls_at_the_wrong_time, setup, no_leak),
        cmocka_unit_test_setup_teardown(behind_its_part_a_trace_is_complete, setup, no_leak),
        cmocka_unit_test_setup_teardown(a_trace_that_cannot_be_completed_is_told, setup, no_leak),
        cmocka_unit_test_setup_teardown(a_part_moves_until_it_begins, setup, no_leak),
        cmocka_unit_test_setup_teardown(a_state_grows_with_names_not_with_time, setup, no_leak),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
