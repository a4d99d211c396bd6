// SPDX-License-Identifier: MIT
#include "support.h"

#include "model/time/event_stream.h"

static struct heap heap;
static struct tk_alloc alloc;
static struct tk_diag diag;
static struct tk_account account;
static struct tk_event_stream stream;
static struct lines seen;
static uint64_t next_offset;
static bool was_unconfirmed; // the last event so far

static void take(const struct tk_event *event) {
    was_unconfirmed = event->unconfirmed;
    if (event->kind == TK_EV_PROBLEM) lines_add(&seen, "!%u ", event->problem.diag);
    else if (!event->timed || event->time_invalid)
        lines_add(&seen, "name%.*s ", event->str_len < 8 ? (int)event->str_len : 8, event->str);
    else if (event->section) lines_add(&seen, "%u:%llu ", event->section, (unsigned long long)event->ticks);
    else lines_add(&seen, "%llu ", (unsigned long long)event->ticks);
}

static int reset(void **state) {
    (void)state;
    heap = (struct heap){ 0 };
    alloc = heap_alloc(&heap);
    seen.len = 0;
    seen.text[0] = 0;
    next_offset = 0;
    tk_diag_init(&diag);
    account = (struct tk_account){ 0 };
    bool has_memory = tk_event_stream_init(&stream, &alloc, &diag, &account, TK_STREAM_RAW, 0);
    return has_memory ? 0 : -1;
}

static int done(void **state) {
    (void)state;
    tk_alloc_free_all(&alloc);
    assert_int_equal(heap.in_use, 0);
    return 0;
}

static void resolve(void) {
    while (tk_event_stream_has_event(&stream)) take(tk_event_stream_pop(&stream));
    tk_event_stream_compact(&stream);
}

static void finish(void) {
    stream.ended = true;
    resolve();
    stream.ended = false;
}

static void send(struct tk_event event) {
    static const uint8_t raw[4] = { 1, 2, 3, 4 };
    event.offset = next_offset++;
    event.raw = raw;
    event.raw_len = sizeof raw;
    event.frame_len = sizeof raw + 1;
    account.decoded += event.frame_len;
    *tk_batch_slot(&stream.batch) = event;
    tk_batch_add(&stream.batch);
    resolve();
}

static void at(uint64_t ticks) { send((struct tk_event){ .kind = TK_EV_ISR_ENTER, .timed = true, .ticks = ticks }); }
static void name(const char *text) {
    send((struct tk_event){ .kind = TK_EV_ISR_NAME, .str = text, .str_len = (uint32_t)strlen(text) });
}
static void core(uint32_t number, uint64_t ticks) {
    send((struct tk_event){
        .kind = TK_EV_CORE, .timed = true, .core_tag.core = number, .ticks = ticks, .time_invalid = !ticks });
}
static uint64_t count(enum tk_diag_id id) { return diag.entries[id].count; }

static void steps(uint64_t from, uint64_t step, unsigned times) {
    for (unsigned i = 0; i < times; i++) at(from + i * step);
}

// A start that needs no confirmation, so that the tests below begin with a known time.
static void start_at(uint64_t ticks) {
    steps(ticks, 10, 20);
    assert_non_null(strchr(seen.text, ' '));
    seen.len = 0;
    seen.text[0] = 0;
}

static void steady_time_passes_at_once(void **state) {
    (void)state;
    start_at(1000);
    at(1195);
    at(1195);
    at(1200);
    expect_lines(&seen, "1195 1195 1200 ");
    assert_int_equal(stream.batch.count, 0);
}

static void one_falling_time_is_damage(void **state) {
    (void)state;
    start_at(1000);
    at(200);
    steps(1200, 10, 4);
    finish();
    char expected[64];
    snprintf(expected, sizeof expected, "!%d 1200 1210 1220 1230 ", TK_DIAG_TIME_DAMAGED);
    expect_lines(&seen, expected);
    assert_int_equal(count(TK_DIAG_TIME_DAMAGED), 1);
    assert_int_equal(count(TK_DIAG_TIME_RESTART), 0);
    assert_int_equal(diag.entries[TK_DIAG_TIME_DAMAGED].locations[0].offset, 20);
    assert_int_equal(diag.entries[TK_DIAG_TIME_DAMAGED].locations[0].context_len, 4);
    assert_int_equal(account.skipped[TK_DIAG_TIME_DAMAGED], 5); // its frame is counted again
    assert_int_equal(account.decoded, 5 * (next_offset - 1));
}

static void one_spike_is_damage(void **state) {
    (void)state;
    start_at(1000);
    at(UINT64_MAX / 3);
    steps(1200, 10, 4);
    finish();
    char expected[64];
    snprintf(expected, sizeof expected, "!%d 1200 1210 1220 1230 ", TK_DIAG_TIME_DAMAGED);
    expect_lines(&seen, expected);
    assert_int_equal(count(TK_DIAG_TIME_DAMAGED), 1);
}

static void two_spikes_in_a_row_are_damage(void **state) {
    (void)state;
    start_at(1000);
    at(9000000);
    at(5000);
    steps(1200, 10, 9);
    finish();
    assert_int_equal(count(TK_DIAG_TIME_DAMAGED), 2);
    assert_non_null(strstr(seen.text, "1200 1210 "));
    assert_null(strstr(seen.text, " 5000 "));
}

// A step of a size that has occurred before is accepted only if the next frame does not contradict it.
static void a_usual_step_waits_for_confirmation(void **state) {
    (void)state;
    start_at(1000);
    for (unsigned i = 1; i <= 3; i++) steps(1000 + i * 1000, 10, 9); // pauses of 920
    at(4800);
    expect_lines(&seen, "2000 2010 2020 2030 2040 2050 2060 2070 2080 3000 3010 3020 3030 3040 3050 3060 3070 3080 "
                        "4000 4010 4020 4030 4040 4050 4060 4070 4080 ");
    at(4810);
    expect_lines(&seen, "4800 4810 ");
    at(5500); // damaged
    steps(4820, 10, 4);
    char expected[64];
    snprintf(expected, sizeof expected, "!%d 4820 4830 4840 4850 ", TK_DIAG_TIME_DAMAGED);
    expect_lines(&seen, expected);
    assert_int_equal(count(TK_DIAG_TIME_DAMAGED), 1);
}

// 5500 is ahead of 4820, and the next times fit both. A pause after 4820 is likelier than pauses before and after 5500.
static void of_two_contradicting_events_both_stay(void **state) {
    (void)state;
    start_at(1000);
    for (unsigned i = 1; i <= 3; i++) steps(1000 + i * 1000, 10, 9);
    seen.len = 0;
    at(4100);
    at(4090);
    steps(5000, 10, 9);
    finish();
    expect_lines(&seen, "4100 4090 5000 5010 5020 5030 5040 5050 5060 5070 5080 ");
    assert_int_equal(count(TK_DIAG_TIME_SKEW), 0); // so small a step needs no confirmation here; the trace clock
                                                   // handles it to be repaired
    at(5600);
    at(5100);
    steps(6000, 10, 9);
    finish();
    expect_lines(&seen, "5100 5100 6000 6010 6020 6030 6040 6050 6060 6070 6080 ");
    assert_int_equal(count(TK_DIAG_TIME_SKEW), 1);
    assert_int_equal(count(TK_DIAG_TIME_DAMAGED), 0);
}

static void another_core_does_not_contradict_a_step(void **state) {
    (void)state;
    start_at(1000);
    for (unsigned i = 1; i <= 3; i++) steps(1000 + i * 1000, 10, 9);
    seen.len = 0;
    at(4800);
    core(1, 4790);
    at(4795);
    at(4799);
    core(0, 4805);
    at(4810);
    finish();
    expect_lines(&seen, "4800 4790 4795 4799 4805 4810 ");
    assert_int_equal(count(TK_DIAG_TIME_DAMAGED), 0);
}

static void a_damaged_start_is_noticed(void **state) {
    (void)state;
    at((uint64_t)1 << 50);
    steps(1000, 10, 12);
    finish();
    assert_int_equal(count(TK_DIAG_TIME_DAMAGED), 1);
    assert_int_equal(count(TK_DIAG_TIME_RESTART), 0);
    assert_non_null(strstr(seen.text, "1000 1010 "));
}

static void a_long_pause_is_no_damage(void **state) {
    (void)state;
    start_at(1000);
    steps(50000000, 10, 4);
    finish();
    expect_lines(&seen, "50000000 50000010 50000020 50000030 ");
    assert_int_equal(count(TK_DIAG_TIME_DAMAGED), 0);
    assert_int_equal(count(TK_DIAG_TIME_RESTART), 0);
}

static void narrow_counters_wrap(void **state) {
    (void)state;
    static const unsigned widths[] = { 16, 24, 32, 40, 48, 56 };
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++) {
        uint64_t end = (uint64_t)1 << widths[i];
        char expected[128];
        start_at(end - 201); // up to end - 11
        steps(3, 10, 4);
        finish();
        snprintf(expected, sizeof expected, "%llu %llu %llu %llu ", (unsigned long long)end + 3,
                 (unsigned long long)end + 13, (unsigned long long)end + 23, (unsigned long long)end + 33);
        expect_lines(&seen, expected);
        assert_int_equal(count(TK_DIAG_TIME_WRAPPED), 1);
        assert_int_equal(diag.entries[TK_DIAG_TIME_WRAPPED].values[0], widths[i]);
        assert_int_equal(count(TK_DIAG_TIME_RESTART), 0);
        done(NULL);
        reset(NULL);
    }
}

static void a_counter_may_wrap_again_and_again(void **state) {
    (void)state;
    for (uint64_t time = 65000; time < 4 * 65536; time += 50) at(time & 0xFFFF);
    finish();
    assert_int_equal(count(TK_DIAG_TIME_WRAPPED), 3);
    assert_int_equal(count(TK_DIAG_TIME_DAMAGED), 0);
    assert_non_null(strstr(seen.text, "262100 "));
}

static void a_restart_makes_a_section(void **state) {
    (void)state;
    start_at(100000);
    steps(5, 10, 4);
    finish();
    expect_lines(&seen, "1:5 1:15 1:25 1:35 ");
    assert_int_equal(count(TK_DIAG_TIME_RESTART), 1);
    assert_int_equal(count(TK_DIAG_TIME_WRAPPED), 0);
}

// Near the end of the counter's range a preamble distinguishes a restart from a wrap.
static void a_preamble_makes_it_a_restart(void **state) {
    (void)state;
    start_at(65536 - 201);
    name("A");
    name("B");
    name("C");
    steps(3, 10, 4);
    finish();
    expect_lines(&seen, "nameA nameB nameC 1:3 1:13 1:23 1:33 ");
    assert_int_equal(count(TK_DIAG_TIME_RESTART), 1);
    assert_int_equal(count(TK_DIAG_TIME_WRAPPED), 0);
}

static void damage_is_no_preamble(void **state) {
    (void)state;
    start_at(1000);
    for (unsigned i = 0; i < 4; i++)
        send((struct tk_event){ .kind = TK_EV_PROBLEM, .problem.diag = TK_DIAG_FRAME_BROKEN });
    at(3);
    steps(1200, 10, 4);
    finish();
    assert_int_equal(count(TK_DIAG_TIME_DAMAGED), 1);
    assert_int_equal(count(TK_DIAG_TIME_RESTART), 0);
}

// A preamble in the middle (tracing was started again), then one damaged frame.
static void later_times_override_a_preamble(void **state) {
    (void)state;
    start_at(1000);
    for (unsigned i = 0; i < 4; i++) name("again");
    at(3);
    steps(1200, 10, 4);
    finish();
    assert_int_equal(count(TK_DIAG_TIME_DAMAGED), 1);
    assert_int_equal(count(TK_DIAG_TIME_RESTART), 0);
}

static void names_keep_their_order_while_times_are_unconfirmed(void **state) {
    (void)state;
    start_at(1000);
    at(7);
    name("X");
    at(1200);
    name("Yy");
    steps(1210, 10, 4);
    finish();
    char expected[96];
    snprintf(expected, sizeof expected, "!%d nameX 1200 nameYy 1210 1220 1230 1240 ", TK_DIAG_TIME_DAMAGED);
    expect_lines(&seen, expected);
}

static void cores_may_be_a_little_out_of_step(void **state) {
    (void)state;
    start_at(1000);
    core(1, 1200);
    at(1210);
    core(0, 1212);
    at(1205);
    at(1220);
    finish();
    expect_lines(&seen, "1200 1210 1212 1205 1220 ");
    assert_int_equal(count(TK_DIAG_TIME_DAMAGED), 0);
}

static void a_switch_may_be_stamped_a_little_early(void **state) {
    (void)state;
    start_at(1000);
    core(1, 1200);
    at(1201);
    core(0, 1199);
    at(1200);
    at(1210);
    finish();
    expect_lines(&seen, "1200 1201 1199 1200 1210 ");
    assert_int_equal(count(TK_DIAG_TIME_DAMAGED), 0);
}

static void a_switch_at_zero_is_no_time(void **state) {
    (void)state;
    start_at(1000);
    core(1, 0);
    at(1205); // a chunk of core 1
    core(0, 0);
    name("again"); // tracing was started again
    at(1206);
    name("in line");
    finish();
    expect_lines(&seen, "name 1205 name nameagain 1206 namein line ");
    assert_int_equal(count(TK_DIAG_START_REPEATED), 1);
    assert_int_equal(count(TK_DIAG_TIME_DAMAGED), 0);
}

static void impossible_cores_are_damage(void **state) {
    (void)state;
    start_at(1000);
    core(31, 1200);
    core(32, 1201);
    core(UINT32_MAX, 1202);
    at(1203);
    char expected[64];
    snprintf(expected, sizeof expected, "1200 !%d !%d 1203 ", TK_DIAG_CORE_OUT_OF_RANGE, TK_DIAG_CORE_OUT_OF_RANGE);
    expect_lines(&seen, expected);
    assert_int_equal(stream.clock.core, 31);
    assert_int_equal(count(TK_DIAG_CORE_OUT_OF_RANGE), 2);
}

static void unconfirmed_times_are_decided_at_the_end(void **state) {
    (void)state;
    start_at(1000);
    at(200);
    finish();
    assert_int_equal(count(TK_DIAG_TIME_DAMAGED), 1);
    start_at(2000);
    at(2500); // a short pause
    finish();
    expect_lines(&seen, "2500 ");
}

static void a_single_event_is_accepted(void **state) {
    (void)state;
    at(123456);
    finish();
    expect_lines(&seen, "123456 ");
}

static void deferred_events_are_bounded(void **state) {
    (void)state;
    start_at(1000);
    char *text = calloc(1, 60001);
    memset(text, 'n', 60000);
    at(9);
    for (int i = 0; i < 100; i++) {
        send((struct tk_event){ .kind = TK_EV_ISR_NAME, .str = text, .str_len = 1000 });
        assert_true(stream.batch.count <= TK_CLOCK_WINDOW);
    }
    at(7);
    for (int i = 0; i < 20; i++)
        send((struct tk_event){ .kind = TK_EV_TICK_LENGTH, .str = text, .str_len = i < 6 ? 60000 : 0 });
    assert_true(alloc.peak < 1024 * 1024);
    free(text);
}

static void without_memory_validation_continues(void **state) {
    (void)state;
    start_at(1000);
    static const char text[60000] = "lost";
    heap.fail_from = 1;
    at(5);
    send((struct tk_event){ .kind = TK_EV_ISR_NAME, .str = text, .str_len = sizeof text });
    steps(1200, 10, 10);
    finish();
    assert_true(alloc.failed);
}

static void the_last_pause_may_be_long(void **state) {
    (void)state;
    start_at(1000);
    at(1190 + 5000000);
    finish();
    expect_lines(&seen, "5001190 ");
    at((uint64_t)1 << 41); // too long for a pause
    finish();
    assert_int_equal(count(TK_DIAG_TIME_DAMAGED), 1);
}

static void a_pause_beyond_measure_may_be_confirmed_by_others(void **state) {
    (void)state;
    stream.clock.others = true;
    start_at(1000);
    at((uint64_t)1 << 41);
    finish();
    expect_lines(&seen, "2199023255552 ");
    assert_int_equal(was_unconfirmed, true);
    struct tk_event event = { .kind = TK_EV_ISR_ENTER, .timed = true, .frame_len = 5, .str = "", .str_len = 3 };
    tk_clock_reject_event(&stream.clock, &event);
    assert_int_equal(event.kind, TK_EV_PROBLEM);
    assert_false(event.timed);
    assert_int_equal(account.skipped[TK_DIAG_TIME_DAMAGED], 5);
}

static void the_last_event_may_follow_a_wrap(void **state) {
    (void)state;
    start_at(65536 - 201);
    at(5);
    finish();
    expect_lines(&seen, "65541 ");
    assert_int_equal(count(TK_DIAG_TIME_WRAPPED), 1);
}

// With up to a quarter of a period between two events, the counter may start anywhere: no event is lost and no time is
// added.
static void sparse_events_of_a_narrow_counter_keep_their_distances(void **state) {
    (void)state;
    for (unsigned seed = 1; seed < 400; seed++) {
        uint32_t random = seed * 2654435761u, step = 0;
        uint64_t first = random % 65536, time = first, passed = 0;
        for (unsigned i = 0; i < 60; i++) {
            at(time % 65536);
            random = random * 1664525u + 1013904223u;
            step = 8000 + (random >> 16) % 8300;
            if (i < 59) time += step;
        }
        passed = time - first;
        finish();
        assert_int_equal(count(TK_DIAG_TIME_DAMAGED), 0);
        assert_int_equal(count(TK_DIAG_TIME_RESTART), 0);
        assert_int_equal(stream.clock.last - first, passed);
        done(NULL);
        reset(NULL);
    }
}

// The limit of the method: a first wrap with more than a quarter of a period between events looks like a restart.
static void beyond_a_quarter_of_a_turn_a_first_wrap_is_a_restart(void **state) {
    (void)state;
    for (uint64_t time = 1000, i = 0; i < 3; i++, time += 20000) at(time);
    at(61000 % 65536);
    at(81000 % 65536);
    at(101000 % 65536);
    finish();
    assert_int_equal(count(TK_DIAG_TIME_RESTART), 1);
}

// After the first wrap the width is known: a pause of nearly a period is a pause.
static void a_counter_that_has_wrapped_is_recognised(void **state) {
    (void)state;
    start_at(65536 - 201);
    steps(3, 10, 20);
    at(3 + 190 + 60000);
    steps(60203 - 65536 + 65536, 10, 3);
    at((60223 + 50000) % 65536);
    steps((60233 + 50000) % 65536, 10, 3);
    finish();
    assert_int_equal(count(TK_DIAG_TIME_WRAPPED), 2);
    assert_int_equal(count(TK_DIAG_TIME_RESTART) + count(TK_DIAG_TIME_DAMAGED), 0);
    assert_int_equal(stream.clock.last, 65536 + 60233 + 50000 + 20);
}

static void a_first_event_before_a_wrap_is_no_damage(void **state) {
    (void)state;
    at(64000);
    for (uint64_t time = 5000; time < 60000; time += 9000) at(time);
    finish();
    assert_int_equal(count(TK_DIAG_TIME_DAMAGED), 0);
    assert_int_equal(count(TK_DIAG_TIME_WRAPPED), 1);
}

// The steps right after the wrap are much shorter than the one with the wrap, a later one is not.
static void later_steps_prove_a_wrap_after_the_first_event(void **state) {
    (void)state;
    static const uint64_t times[] = { 1000, 1020, 1040, 1200, 1290, 1310, 1330, 1335, 1400 };
    at(4294966400);
    for (size_t i = 0; i < sizeof times / sizeof *times; i++) at(times[i]);
    finish();
    assert_int_equal(count(TK_DIAG_TIME_DAMAGED), 0);
    assert_int_equal(count(TK_DIAG_TIME_RESTART), 0);
    assert_int_equal(count(TK_DIAG_TIME_WRAPPED), 1);
    assert_int_equal(stream.clock.last, 4294967296 + 1400);
}

static void a_damaged_step_hides_no_first_wrap(void **state) {
    (void)state;
    at(64000);
    at(14000);
    at(5000); // should be 23000
    for (uint64_t time = 32000; time < 60000; time += 9000) at(time);
    finish();
    assert_int_equal(count(TK_DIAG_TIME_RESTART), 0);
    assert_int_equal(stream.clock.last, 65536 + 59000);
}

// The next event is below the last time of the line, but continues from there and not from the damaged time.
static void a_spike_before_a_wrap_is_damage(void **state) {
    (void)state;
    for (uint64_t time = 0; time < 65000; time += 1000) at(time);
    at(65000 + 131072);
    for (uint64_t time = 464; time < 12000; time += 1000) at(time);
    finish();
    assert_int_equal(count(TK_DIAG_TIME_DAMAGED), 1);
    assert_int_equal(count(TK_DIAG_TIME_WRAPPED), 1);
    assert_int_equal(count(TK_DIAG_TIME_RESTART), 0);
    assert_int_equal(stream.clock.last, 65536 + 11464);
}

// A further wrap would explain this time too, but the next event continues without a wrap.
static void a_fallen_time_before_a_wrap_is_damage(void **state) {
    (void)state;
    for (uint64_t time = 0; time < 250000; time += 5000) at(time == 190000 ? 190000 - 131072 - 0x8000 : time & 0xFFFF);
    finish();
    assert_int_equal(count(TK_DIAG_TIME_DAMAGED), 1);
    assert_int_equal(count(TK_DIAG_TIME_WRAPPED), 3);
    assert_int_equal(stream.clock.last, 245000);
}

static void the_last_of_huge_steps_is_accepted(void **state) {
    (void)state;
    at(0);
    at(1);
    at((uint64_t)1 << 53);
    at((uint64_t)1 << 54);
    finish();
    expect_lines(&seen, "0 1 9007199254740992 18014398509481984 ");
    assert_int_equal(was_unconfirmed, false);
}

// Names wait for the next time: those of a restarted target belong to the new run, all others to the old one.
static void names_before_a_restart_belong_to_the_new_run(void **state) {
    (void)state;
    start_at(100000);
    name("old");
    at(100195);
    for (unsigned i = 0; i < 100; i++) name("new");
    core(0, 0);
    expect_lines(&seen, "nameold 100195 ");
    steps(5, 10, 4);
    finish();
    assert_null(strstr(seen.text, "100195"));
    assert_int_equal(count(TK_DIAG_TIME_RESTART), 1);
    assert_int_equal(count(TK_DIAG_START_REPEATED), 0);
    assert_non_null(strstr(seen.text, "namenew name 1:5 1:15 "));
}

// ---- The trace clock -------------------------------------------------------------------------------

static uint64_t apply(struct tk_trace_clock *trace, uint32_t section, uint64_t ticks, enum tk_trace_step expected) {
    struct tk_event event = { .kind = TK_EV_ISR_ENTER, .timed = true, .section = section, .ticks = ticks };
    assert_int_equal(tk_trace_clock_apply(trace, &diag, &event), expected);
    return event.ticks;
}

static void sections_follow_each_other(void **state) {
    (void)state;
    struct tk_trace_clock trace = { 0 };
    assert_int_equal(apply(&trace, 0, 500, TK_STEP_SAME), 500);
    assert_int_equal(apply(&trace, 0, 700, TK_STEP_SAME), 700);
    assert_int_equal(apply(&trace, 1, 5, TK_STEP_RESTART), 701);
    assert_int_equal(apply(&trace, 1, 15, TK_STEP_SAME), 711);
    assert_int_equal(apply(&trace, 2, 900, TK_STEP_RESTART), 712);
}

static void trace_time_never_falls(void **state) {
    (void)state;
    struct tk_trace_clock trace = { 0 };
    apply(&trace, 0, 500, TK_STEP_SAME);
    assert_int_equal(apply(&trace, 0, 480, TK_STEP_SAME), 500);
    assert_int_equal(count(TK_DIAG_TIME_SKEW), 1);
}

static void huge_times_stay_in_range(void **state) {
    (void)state;
    struct tk_trace_clock trace = { 0 }, high = { 0 };
    apply(&trace, 0, 500, TK_STEP_SAME);
    assert_true(apply(&trace, 0, (uint64_t)INT64_MAX + 5, TK_STEP_SAME) == INT64_MAX);
    assert_int_equal(count(TK_DIAG_TIME_CLAMPED), 1);
    assert_true(apply(&trace, 1, 3, TK_STEP_RESTART) == INT64_MAX);
    assert_int_equal(apply(&high, 0, UINT64_MAX - 100, TK_STEP_SAME), 0); // starts at 0 if there is no space
    assert_int_equal(apply(&high, 0, UINT64_MAX - 50, TK_STEP_SAME), 50);
}

#define CASE(test) cmocka_unit_test_setup_teardown(test, reset, done)

int main(void) {
    const struct CMUnitTest tests[] = {
        CASE(steady_time_passes_at_once),
        CASE(one_falling_time_is_damage),
        CASE(one_spike_is_damage),
        CASE(two_spikes_in_a_row_are_damage),
        CASE(a_usual_step_waits_for_confirmation),
        CASE(of_two_contradicting_events_both_stay),
        CASE(another_core_does_not_contradict_a_step),
        CASE(a_damaged_start_is_noticed),
        CASE(a_long_pause_is_no_damage),
        CASE(narrow_counters_wrap),
        CASE(a_counter_may_wrap_again_and_again),
        CASE(a_restart_makes_a_section),
        CASE(a_preamble_makes_it_a_restart),
        CASE(damage_is_no_preamble),
        CASE(later_times_override_a_preamble),
        CASE(names_keep_their_order_while_times_are_unconfirmed),
        CASE(cores_may_be_a_little_out_of_step),
        CASE(a_switch_may_be_stamped_a_little_early),
        CASE(a_switch_at_zero_is_no_time),
        CASE(impossible_cores_are_damage),
        CASE(unconfirmed_times_are_decided_at_the_end),
        CASE(a_single_event_is_accepted),
        CASE(deferred_events_are_bounded),
        CASE(without_memory_validation_continues),
        CASE(the_last_pause_may_be_long),
        CASE(a_pause_beyond_measure_may_be_confirmed_by_others),
        CASE(the_last_event_may_follow_a_wrap),
        CASE(sparse_events_of_a_narrow_counter_keep_their_distances),
        CASE(beyond_a_quarter_of_a_turn_a_first_wrap_is_a_restart),
        CASE(a_counter_that_has_wrapped_is_recognised),
        CASE(a_first_event_before_a_wrap_is_no_damage),
        CASE(later_steps_prove_a_wrap_after_the_first_event),
        CASE(a_damaged_step_hides_no_first_wrap),
        CASE(a_spike_before_a_wrap_is_damage),
        CASE(a_fallen_time_before_a_wrap_is_damage),
        CASE(the_last_of_huge_steps_is_accepted),
        CASE(names_before_a_restart_belong_to_the_new_run),
        CASE(sections_follow_each_other),
        CASE(trace_time_never_falls),
        CASE(huge_times_stay_in_range),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
