// SPDX-License-Identifier: MIT
//
// The second output of a handle: calls of the timeline in, blocks out, and its effect on the trace: none.
#include "support.h"

#include "base/bytes.h"
#include "tonkopf.h"
#include "viewer/block.h"
#include "viewer/encode.h"

enum { ROOM = 4 << 20 };

struct output {
    size_t len, calls;
    bool refuses;
    uint8_t bytes[ROOM];
};

static bool write_output(void *ctx, const uint8_t *bytes, size_t len) {
    struct output *output = ctx;
    output->calls++;
    if (output->refuses) return false;
    assert_true(len <= sizeof output->bytes - output->len);
    memcpy(output->bytes + output->len, bytes, len);
    output->len += len;
    return true;
}

static struct heap heap;
static struct tk_alloc alloc;
static struct output blocks;
static tk_row_encoder *encoder;
static struct tk_track_sink sink;
static struct lines lines;

static int reset(void **state) {
    (void)state;
    heap = (struct heap){ 0 };
    alloc = heap_alloc(&heap);
    blocks.len = blocks.calls = 0;
    blocks.refuses = false;
    lines = (struct lines){ 0 };
    encoder = tk_row_encoder_new(&alloc, write_output, &blocks);
    sink = tk_row_encoder_sink(encoder);
    return 0;
}

static int done(void **state) {
    (void)state;
    tk_alloc_free_all(&alloc);
    assert_int_equal(heap.in_use, 0);
    return 0;
}

// ---- Blocks as lines ----

static uint64_t number(const uint8_t **at, const uint8_t *end) {
    uint64_t value = 0;
    *at = tk_varint64_read(*at, end, &value);
    assert_non_null(*at);
    return value;
}

static int64_t signed_number(const uint8_t **at, const uint8_t *end) {
    uint64_t value = number(at, end);
    return (int64_t)(value >> 1 ^ (0 - (value & 1)));
}

static int text_len(const uint8_t *at, const uint8_t *end) { return (int)(end - at); }

static void describe_group(const uint8_t *at, const uint8_t *end, const uint8_t *kinds) {
    uint64_t row = number(&at, end), flags = number(&at, end), ticks = number(&at, end), points = 0;
    int64_t value = 0;
    lines_add(&lines, "%llu%s:", (unsigned long long)row, flags & TK_GROUP_IS_OPEN ? " open" : "");
    while (at < end) {
        if (points++) ticks += number(&at, end);
        if (flags & TK_GROUP_HAS_DOUBLES) {
            double real;
            memcpy(&real, at, 8), at += 8;
            lines_add(&lines, " %llu=%g", (unsigned long long)ticks, real);
            continue;
        }
        if (kinds[row] >= TK_ROW_NUMBERS) value += signed_number(&at, end);
        else value = (int64_t)number(&at, end);
        lines_add(&lines, " %llu=%lld", (unsigned long long)ticks, (long long)value);
    }
    assert_in_range(points, 1, TK_GROUP_POINTS);
    lines_add(&lines, "\n");
}

static void describe(void) {
    static const char *const kinds[] = { "core", "task", "slices", "instants", "numbers", "flows" };
    static uint8_t kind_of[256];
    const uint8_t *at = blocks.bytes, *end = at + blocks.len;
    lines.len = 0, lines.text[0] = 0;
    while (at < end) {
        unsigned kind = *at++;
        uint64_t len = number(&at, end), first;
        const uint8_t *body = at, *stop = at + len;
        assert_true(stop <= end);
        at = stop;
        if (kind == TK_BLOCK_GROUP) {
            describe_group(body, stop, kind_of);
            continue;
        }
        first = number(&body, stop);
        if (kind == TK_BLOCK_ROW) {
            assert_in_range(first, 1, 255);
            kind_of[first] = *body++;
            uint64_t owner = number(&body, stop);
            lines_add(&lines, "row %llu %s of %llu", (unsigned long long)first, kinds[kind_of[first]],
                      (unsigned long long)owner);
            lines_add(&lines, " depth %llu\n", (unsigned long long)number(&body, stop));
        } else if (kind == TK_BLOCK_DEFINE) {
            lines_add(&lines, "define %llu '%.*s'\n", (unsigned long long)first, text_len(body, stop), body);
        } else if (kind == TK_BLOCK_TASK) {
            unsigned flags = *body++;
            lines_add(&lines, "task %llu '%.*s'%s\n", (unsigned long long)first, text_len(body, stop), body,
                      flags & TK_TASK_IS_IDLE ? " idle" : "");
        } else if (kind == TK_BLOCK_TRACK) {
            uint64_t parent = number(&body, stop), track_kind = number(&body, stop);
            int64_t pid = signed_number(&body, stop), rank = signed_number(&body, stop);
            uint64_t flags = number(&body, stop), share = number(&body, stop), purpose = number(&body, stop),
                     core = number(&body, stop), unit_len = number(&body, stop);
            lines_add(&lines,
                      "track %llu in %llu kind %llu pid %lld rank %lld flags %llu share %llu purpose %llu core %llu "
                      "'%.*s' unit '%.*s'\n",
                      (unsigned long long)first, (unsigned long long)parent, (unsigned long long)track_kind,
                      (long long)pid, (long long)rank, (unsigned long long)flags, (unsigned long long)share,
                      (unsigned long long)purpose, (unsigned long long)core, text_len(body + unit_len, stop),
                      body + unit_len, (int)unit_len, body);
        } else if (kind == TK_BLOCK_INTERN) {
            uint64_t id = number(&body, stop);
            lines_add(&lines, "text %llu in list %llu '%.*s'\n", (unsigned long long)id, (unsigned long long)first,
                      text_len(body, stop), body);
        } else {
            assert_int_equal(kind, TK_BLOCK_FACTS);
            uint64_t last = number(&body, stop);
            lines_add(&lines, "facts tick %llu last %llu", (unsigned long long)first, (unsigned long long)last);
            lines_add(&lines, " lost %llu\n", (unsigned long long)number(&body, stop));
        }
    }
}

#define expect_blocks(expected)                    \
    do {                                           \
        describe();                                \
        assert_string_equal(lines.text, expected); \
    } while (0)

static void finish(void) {
    const struct tk_trace_summary summary = { .tick_ns = 8, .last_ticks = 99, .lost_events = 3 };
    sink.finish(sink.ctx, &summary);
}

static void state_of(uint64_t ticks, int32_t pid, enum tk_task_state state, uint32_t core, enum tk_when when) {
    const struct tk_task_change change = {
        .ticks = ticks, .pid = pid, .core = core, .when = (uint8_t)when, .state = (uint8_t)state
    };
    sink.state(sink.ctx, &change);
}

static void plain(uint64_t ticks, enum tk_track_event_type type, uint32_t track, uint64_t what) {
    sink.plain(sink.ctx, ticks, type, track, what, 0);
}

// ---- Rows ----

static void a_switch_gives_points_of_both_tasks_and_of_the_core(void **state) {
    (void)state;
    state_of(10, 301, TK_STATE_RUNNING, 0, TK_IN_ORDER);
    state_of(20, 302, TK_STATE_RUNNING, 0, TK_IN_ORDER);
    state_of(20, 301, TK_STATE_WAITING, 0, TK_LATE);
    state_of(30, 302, TK_STATE_SUSPENDED, 0, TK_IN_ORDER);
    finish();
    expect_blocks("row 1 task of 301 depth 0\nrow 2 core of 0 depth 0\nrow 3 task of 302 depth 0\n"
                  "1: 10=2 20=3\n2: 10=301 20=302 30=0\n3: 20=2 30=5\nfacts tick 8 last 99 lost 3\n");
}

static void a_ready_task_has_what_woke_it(void **state) {
    (void)state;
    static const struct tk_task_change changes[] = {
        { .ticks = 10, .pid = 301, .state = TK_STATE_RUNNABLE, .waker = TK_WAKER_INTERRUPT, .core = 3 },
        { .ticks = 20, .pid = 302, .state = TK_STATE_RUNNABLE, .waker = TK_WAKER_TASK, .core = 3 },
        { .ticks = 30, .pid = 303, .state = TK_STATE_RUNNABLE }
    };
    for (unsigned i = 0; i < 3; i++) sink.state(sink.ctx, &changes[i]);
    finish();
    expect_blocks("row 1 task of 301 depth 0\nrow 2 task of 302 depth 0\nrow 3 task of 303 depth 0\n"
                  "1: 10=113\n2: 20=129\n3: 30=1\nfacts tick 8 last 99 lost 3\n");
}

static void the_last_switch_of_a_tick_counts(void **state) {
    (void)state;
    state_of(10, 301, TK_STATE_RUNNING, 0, TK_IN_ORDER);
    state_of(20, 302, TK_STATE_RUNNING, 0, TK_IN_ORDER);
    state_of(20, 303, TK_STATE_RUNNING, 0, TK_IN_ORDER);
    finish();
    describe();
    assert_non_null(strstr(lines.text, "\n2: 10=301 20=303\n"));
}

static void unrecorded_time_of_a_core_ends_with_its_next_task(void **state) {
    (void)state;
    state_of(10, 301, TK_STATE_RUNNING, 1, TK_IN_ORDER);
    state_of(14, 0, TK_STATE_UNRECORDED, 1, TK_LATE);
    state_of(20, 302, TK_STATE_RUNNING, 1, TK_IN_ORDER);
    state_of(12, 0, TK_STATE_UNRECORDED, 1, TK_LATE); // a later switch is known
    state_of(25, 302, TK_STATE_WAITING, 1, TK_IN_ORDER);
    state_of(25, 0, TK_STATE_RUNNING, 1, TK_LATE);
    finish();
    describe();
    assert_non_null(strstr(lines.text, "\n1: 10=2 14=7\n2: 10=301 14=1 20=302 25=0\n"));
}

static void each_depth_of_a_track_is_a_row(void **state) {
    (void)state;
    plain(5, TK_EVENT_BEGIN, 4, 7);
    plain(6, TK_EVENT_BEGIN, 4, 8);
    plain(7, TK_EVENT_END, 4, 0);
    plain(7, TK_EVENT_BEGIN, 4, 8);
    plain(9, TK_EVENT_END, 4, 0);
    plain(9, TK_EVENT_END, 4, 0);
    plain(9, TK_EVENT_END, 4, 0); // none is open
    finish();
    expect_blocks("row 1 slices of 4 depth 0\nrow 2 slices of 4 depth 1\n1: 5=14 9=0\n2: 6=16 7=0 7=16 9=0\n"
                  "facts tick 8 last 99 lost 3\n");
}

static void flows_are_a_row_of_their_track(void **state) {
    struct tk_track_event event = { .ticks = 5, .track = 4, .type = TK_EVENT_BEGIN, .name = 7, .flow = 1000 };
    (void)state;
    sink.event(sink.ctx, &event);
    event = (struct tk_track_event){ .ticks = 9, .track = 4, .type = TK_EVENT_END, .is_unmeasured = true };
    sink.event(sink.ctx, &event);
    event = (struct tk_track_event){
        .ticks = 9, .track = 4, .type = TK_EVENT_BEGIN, .name = 8, .flow = 1001, .flow_end = 1000
    };
    sink.event(sink.ctx, &event);
    finish();
    expect_blocks("row 1 slices of 4 depth 0\nrow 2 flows of 4 depth 0\n1: 5=14 9=1 9=16\n2: 5=1000 9=1000 9=1001\n"
                  "facts tick 8 last 99 lost 3\n");
}

static void a_late_slice_gets_a_row_where_there_is_room(void **state) {
    (void)state;
    plain(5, TK_EVENT_BEGIN, 1, 1);
    plain(9, TK_EVENT_END, 1, 0);
    sink.event(sink.ctx,
               &(struct tk_track_event){ .ticks = 7, .track = 1, .name = 2, .type = TK_EVENT_BEGIN, .when = TK_LATE });
    plain(12, TK_EVENT_END, 1, 0);
    finish();
    describe();
    assert_non_null(strstr(lines.text, "1: 5=2 9=0\n2: 7=4 12=0\n"));
}

static void numbers_are_whole_or_real(void **state) {
    struct tk_track_event real = {
        .ticks = 7, .track = 2, .type = TK_EVENT_COUNTER, .is_double = true, .value_double = 0.25
    };
    (void)state;
    plain(5, TK_EVENT_COUNTER, 2, 3);
    plain(6, TK_EVENT_COUNTER, 2, (uint64_t)-9);
    plain(6, TK_EVENT_COUNTER, 2, (uint64_t)INT64_MIN);
    sink.event(sink.ctx, &real);
    plain(8, TK_EVENT_COUNTER, 2, 4);
    finish();
    expect_blocks("row 1 numbers of 2 depth 0\n1: 5=3 6=-9 6=-9223372036854775808\n1: 7=0.25\n1: 8=4\n"
                  "facts tick 8 last 99 lost 3\n");
}

static void equal_texts_are_defined_once(void **state) {
    struct tk_track_event event = {
        .ticks = 1, .track = 1, .type = TK_EVENT_INSTANT, .string = "hello", .string_len = 5
    };
    (void)state;
    sink.define(sink.ctx, TK_INTERN_NAME, 3, "fixed", 5);
    sink.define(sink.ctx, TK_INTERN_TEXT, 3, "other", 5);
    sink.event(sink.ctx, &event);
    event.ticks = 2;
    sink.event(sink.ctx, &event);
    event.string = "world";
    sink.event(sink.ctx, &event);
    plain(3, TK_EVENT_INSTANT, 1, 3);
    finish();
    expect_blocks(
        "define 6 'fixed'\ntext 3 in list 1 'other'\ndefine 3 'hello'\nrow 1 instants of 1 depth 0\ndefine 5 'world'\n"
        "1: 1=3 2=3 2=5 3=6\n"
        "facts tick 8 last 99 lost 3\n");
}

static void too_many_texts_become_one(void **state) {
    char text[16];
    (void)state;
    for (unsigned i = 0; i < TK_ENCODER_TEXTS + 10; i++) {
        int len = snprintf(text, sizeof text, "text %u", i);
        struct tk_track_event event = {
            .ticks = i, .track = 1, .type = TK_EVENT_INSTANT, .string = text, .string_len = (uint32_t)len
        };
        sink.event(sink.ctx, &event);
    }
    finish();
    unsigned defined = 0;
    const uint8_t *at = blocks.bytes, *end = at + blocks.len;
    while (at < end) {
        defined += *at++ == TK_BLOCK_DEFINE;
        uint64_t len = number(&at, end);
        at += len;
    }
    assert_int_equal(defined, TK_ENCODER_TEXTS + 1);
}

static void tracks_and_tasks_have_names(void **state) {
    (void)state;
    sink.declare(sink.ctx, &(struct tk_track_info){ .track = 2,
                                                    .parent = 1,
                                                    .kind = TK_TRACK_COUNTER,
                                                    .pid = -4,
                                                    .rank = -7,
                                                    .ordered_children = true,
                                                    .name = "level",
                                                    .name_len = 5,
                                                    .unit = "mV",
                                                    .share = 9,
                                                    .purpose = TK_PURPOSE_LOSSES,
                                                    .core = 3 });
    sink.task(sink.ctx, &(struct tk_task_info){ 301, "idle", 4, true });
    finish();
    expect_blocks("track 2 in 1 kind 2 pid -4 rank -7 flags 1 share 9 purpose 2 core 3 'level' unit 'mV'\n"
                  "task 301 'idle' idle\n"
                  "facts tick 8 last 99 lost 3\n");
}

static void a_long_text_is_cut_at_a_character(void **state) {
    static char text[2 * TK_BLOCK_TEXT];
    (void)state;
    memset(text, 'a', sizeof text);
    memcpy(text + TK_BLOCK_TEXT - 1, "\xC3\xA4", 2);
    sink.define(sink.ctx, TK_INTERN_NAME, 1, text, sizeof text);
    finish();
    describe();
    assert_ptr_equal(strchr(lines.text, '\n') - 1, lines.text + strlen("define 2 '") + TK_BLOCK_TEXT - 1);
}

static void a_flush_sends_open_groups_that_later_ones_replace(void **state) {
    (void)state;
    plain(5, TK_EVENT_COUNTER, 2, 3);
    tk_row_encoder_flush(encoder, 8, 50);
    tk_row_encoder_flush(encoder, 8, 50); // nothing new
    plain(6, TK_EVENT_COUNTER, 2, 4);
    tk_row_encoder_flush(encoder, 8, 50);
    finish();
    expect_blocks("row 1 numbers of 2 depth 0\n1 open: 5=3\nfacts tick 8 last 50 lost 0\nfacts tick 8 last 50 lost 0\n"
                  "1 open: 5=3 6=4\nfacts tick 8 last 50 lost 0\n1: 5=3 6=4\nfacts tick 8 last 99 lost 3\n");
}

static void full_groups_are_sent_when_the_next_point_comes(void **state) {
    (void)state;
    for (unsigned i = 0; i < 3 * TK_GROUP_POINTS; i++) plain(i, TK_EVENT_COUNTER, 1, i);
    tk_row_encoder_flush(encoder, 8, 50);
    describe();
    unsigned groups = 0;
    for (const char *at = lines.text; (at = strstr(at, "\n1")); at++) groups++;
    assert_int_equal(groups, 3);
    assert_non_null(strstr(lines.text, "\n1 open: 64=64 "));
}

static void after_a_refusal_nothing_is_written(void **state) {
    (void)state;
    blocks.refuses = true;
    for (unsigned i = 0; i < 100000; i++) plain(i * 1000, TK_EVENT_COUNTER, 1, i * 7919);
    finish();
    assert_int_equal(blocks.calls, 1);
    assert_true(tk_row_encoder_refused(encoder));
}

static void without_memory_points_are_dropped(void **state) {
    (void)state;
    heap.fail_from = heap.calls + 1;
    plain(1, TK_EVENT_BEGIN, 3, 1);
    plain(2, TK_EVENT_END, 3, 0);
    state_of(10, 301, TK_STATE_RUNNING, 0, TK_IN_ORDER);
    finish();
    assert_true(alloc.failed);
    expect_blocks("facts tick 8 last 99 lost 3\n");
}

// ---- Beside a trace ----

static const char *const recordings[][2] = {
    { "cortexm", "logs-and-dumps" },
    { "flux", "samples-of-every-type" },
    { "flux", "two-traces" },
    { "qs", "all-records-of-qp-8" },
    { "qs", "noise" },
    { "systemview", "calls-with-returns" },
    { "tonbandgeraet", "all-events-once" },
    { "tonbandgeraet", "chunks-of-two-cores" },
    { "tracealyzer", "every-event-of-freertos" },
    { "tracealyzer", "restart-with-lost-events" },
    { "tracealyzer", "loss-on-one-core" },
    { "vcd", "variables-of-all-types" },
};

struct made {
    struct output trace, head, rows, copy;
};

static bool write_head(void *ctx, const uint8_t *bytes, size_t len) {
    return write_output(&((struct made *)ctx)->head, bytes, len);
}
static bool write_trace(void *ctx, const uint8_t *bytes, size_t len) {
    return write_output(&((struct made *)ctx)->trace, bytes, len);
}
static bool write_rows(void *ctx, const uint8_t *bytes, size_t len) {
    return write_output(&((struct made *)ctx)->rows, bytes, len);
}

struct how {
    bool has_rows, has_snapshots, loses_rows;
    const char *from, *to;
};

static size_t load(const char *format, const char *name, uint8_t *room, size_t size) {
    char path[512];
    snprintf(path, sizeof path, GOLDEN_INPUTS "/%s/%s/input.bin", format, name);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    size_t len = fread(room, 1, size, file);
    fclose(file);
    assert_in_range(len, 1, size - 1);
    return len;
}

static void make(const char *format, const char *name, struct how how, struct made *out) {
    static uint8_t bytes[256 * 1024];
    size_t len = load(format, name, bytes, sizeof bytes), consumed;
    const struct tk_sink trace = { out, write_trace, write_head }, rows = { out, write_rows, NULL },
                         copy = { &out->copy, write_output, NULL };
    struct tk *handle;
    uint32_t input;
    memset(out, 0, sizeof *out);
    assert_int_equal(tk_new(tk_libc_allocator(), &handle), TK_OK);
    assert_int_equal(tk_set_option(handle, "format", format), TK_OK);
    if (how.from) assert_int_equal(tk_set_option(handle, "from-ns", how.from), TK_OK);
    if (how.to) assert_int_equal(tk_set_option(handle, "to-ns", how.to), TK_OK);
    assert_int_equal(tk_add_input(handle, &(struct tk_input_info){ .name = name, .core = -1 }, &input), TK_OK);
    assert_int_equal(tk_set_sink(handle, &trace), TK_OK);
    if (how.has_rows) assert_int_equal(tk_set_timeline(handle, &rows), TK_OK);
    for (size_t at = 0; at < len; at += consumed) {
        size_t step = len - at < 100 ? len - at : 100;
        assert_int_equal(tk_feed(handle, input, bytes + at, step, &consumed), TK_OK);
        if (how.has_snapshots) assert_int_equal(tk_snapshot(handle, &copy), TK_OK);
        if (how.loses_rows && at > len / 2) assert_int_equal(tk_set_timeline(handle, NULL), TK_OK);
    }
    assert_int_equal(tk_finish(handle), TK_OK);
    tk_free(handle);
}

static void expect_equal(const struct output *a, const struct output *b) {
    assert_int_equal(a->len, b->len);
    assert_memory_equal(a->bytes, b->bytes, a->len);
}

#define for_each_recording(format, name)                                                                         \
    for (const char *const(*at)[2] = recordings; at < recordings + sizeof recordings / sizeof *recordings; at++) \
        for (const char *format = (*at)[0], *name = (*at)[1]; format; format = NULL)

static struct made without, with;

static void the_trace_is_the_same_with_and_without_rows(void **state) {
    (void)state;
    for_each_recording(format, name) {
        make(format, name, (struct how){ 0 }, &without);
        make(format, name, (struct how){ .has_rows = true }, &with);
        assert_int_equal(without.rows.len, 0);
        assert_true(with.rows.len > 0);
        expect_equal(&with.trace, &without.trace);
        expect_equal(&with.head, &without.head);
    }
}

static void snapshots_do_not_change_the_rows(void **state) {
    (void)state;
    for_each_recording(format, name) {
        make(format, name, (struct how){ .has_rows = true }, &without);
        make(format, name, (struct how){ .has_rows = true, .has_snapshots = true }, &with);
        expect_equal(&with.rows, &without.rows);
        expect_equal(&with.trace, &without.trace);
    }
}

static void rows_can_end_before_the_trace(void **state) {
    (void)state;
    for_each_recording(format, name) {
        make(format, name, (struct how){ 0 }, &without);
        make(format, name, (struct how){ .has_rows = true, .loses_rows = true }, &with);
        expect_equal(&with.trace, &without.trace);
    }
}

static void rows_cover_the_recording_when_the_trace_is_a_time_range(void **state) {
    (void)state;
    for_each_recording(format, name) {
        static struct made part;
        make(format, name, (struct how){ .from = "2", .to = "5000" }, &without);
        make(format, name, (struct how){ .has_rows = true, .from = "2", .to = "5000" }, &part);
        expect_equal(&part.trace, &without.trace);
        make(format, name, (struct how){ .has_rows = true }, &with);
        expect_equal(&part.rows, &with.rows);
    }
}

static void the_second_output_is_chosen_before_the_first_byte(void **state) {
    const struct tk_sink to = { &blocks, write_output, NULL };
    struct tk *handle;
    uint32_t input;
    size_t consumed;
    (void)state;
    assert_int_equal(tk_new(tk_libc_allocator(), &handle), TK_OK);
    assert_int_equal(tk_add_input(handle, &(struct tk_input_info){ .core = -1 }, &input), TK_OK);
    assert_int_equal(tk_feed(handle, input, (const uint8_t *)"x", 1, &consumed), TK_OK);
    assert_int_equal(tk_set_timeline(handle, &to), TK_MISUSE);
    assert_int_equal(tk_set_timeline(handle, NULL), TK_OK);
    assert_int_equal(tk_flush_timeline(handle), TK_OK);
    tk_free(handle);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, reset, done)
    const struct CMUnitTest tests[] = {
        TEST(a_switch_gives_points_of_both_tasks_and_of_the_core),
        TEST(a_ready_task_has_what_woke_it),
        TEST(the_last_switch_of_a_tick_counts),
        TEST(unrecorded_time_of_a_core_ends_with_its_next_task),
        TEST(each_depth_of_a_track_is_a_row),
        TEST(flows_are_a_row_of_their_track),
        TEST(a_late_slice_gets_a_row_where_there_is_room),
        TEST(numbers_are_whole_or_real),
        TEST(equal_texts_are_defined_once),
        TEST(too_many_texts_become_one),
        TEST(tracks_and_tasks_have_names),
        TEST(a_long_text_is_cut_at_a_character),
        TEST(a_flush_sends_open_groups_that_later_ones_replace),
        TEST(full_groups_are_sent_when_the_next_point_comes),
        TEST(after_a_refusal_nothing_is_written),
        TEST(without_memory_points_are_dropped),
        TEST(the_trace_is_the_same_with_and_without_rows),
        TEST(snapshots_do_not_change_the_rows),
        TEST(rows_can_end_before_the_trace),
        TEST(rows_cover_the_recording_when_the_trace_is_a_time_range),
        TEST(the_second_output_is_chosen_before_the_first_byte),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
