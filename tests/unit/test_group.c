// SPDX-License-Identifier: MIT
#include "support.h"

#include "../common/stream.h"
#include "tonkopf.h"

// ---- Core numbers in names -----------------------------------------------------------------------

static void expect_core(const char *name, int32_t core, size_t stem) {
    size_t out_stem = 12345;
    assert_int_equal(tk_core_from_name(name, &out_stem), core);
    assert_int_equal(out_stem, stem);
}

static void names_may_tell_the_core(void **state) {
    (void)state;
    expect_core("run@1", 1, 3);
    expect_core("run.bin@31", 31, 7);
    expect_core("x.core1.bin", 1, 2);
    expect_core("x.Core_0.bin", 0, 2);
    expect_core("cpu-0.hex", 0, 0);
    expect_core("dump CPU 2.bin", 2, 5);
    expect_core("core7", 7, 0);
}

static void other_names_tell_none(void **state) {
    (void)state;
    expect_core("", -1, 0);
    expect_core("trace.bin", -1, 9);
    expect_core("score1.bin", -1, 10);
    expect_core("multicore1", -1, 10);
    expect_core("run@32", -1, 6);
    expect_core("run@1x", -1, 6);
    expect_core("run@", -1, 4);
    expect_core("core", -1, 4);
    expect_core("core99999999999", -1, 15);
    expect_core("me@example", -1, 10);
}

// ---- Grouping ------------------------------------------------------------------------------------

enum { MAX_FILES = 4 };
static struct tk_probe probes[MAX_FILES];
static struct tk_group_file files[MAX_FILES];

static int reset(void **state) {
    (void)state;
    memset(probes, 0, sizeof probes);
    for (size_t i = 0; i < MAX_FILES; i++) {
        probes[i].format = "tonbandgeraet";
        probes[i].first_ticks = 100;
        probes[i].last_ticks = 1000;
        files[i] = (struct tk_group_file){ .name = "", .probe = &probes[i], .core = -1 };
    }
    return 0;
}

static void task(size_t file, uint32_t id, bool named, bool created, bool runs) {
    uint32_t at = probes[file].task_count++;
    probes[file].tasks[at].id = id;
    probes[file].tasks[at].named = named;
    probes[file].tasks[at].created = created;
    probes[file].tasks[at].runs = runs;
}

static void expect_groups(size_t count, const uint32_t *groups, const int32_t *cores) {
    tk_group(files, count);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(files[i].out_group, groups[i]);
        assert_int_equal(files[i].out_core, cores[i]);
        assert_non_null(files[i].out_reason);
    }
}

#define EXPECT(count, groups, cores) expect_groups(count, (const uint32_t[])groups, (const int32_t[])cores)
#define LIST(...) { __VA_ARGS__ }

static void names_say_more_than_tasks(void **state) {
    (void)state;
    task(0, 5, true, true, false);
    task(2, 5, false, false, true); // would lean on the first file
    files[0].name = "run.bin";
    files[1].name = "gate.core0.bin";
    files[2].name = "gate.core1.bin";
    expect_groups(3, (const uint32_t[]){ 0, 1, 1 }, (const int32_t[]){ -1, 0, 1 });
}

static void files_stand_alone_without_evidence(void **state) {
    (void)state;
    EXPECT(3, LIST(0, 1, 2), LIST(-1, -1, -1));
}

static void names_join(void **state) {
    (void)state;
    files[0].name = "run@0";
    files[1].name = "run@1";
    EXPECT(2, LIST(0, 0), LIST(0, 1));
}

static void names_of_different_runs_do_not_join(void **state) {
    (void)state;
    files[0].name = "monday.core0.bin";
    files[1].name = "tuesday.core1.bin";
    files[2].name = "tuesday.core0.bin";
    EXPECT(3, LIST(0, 1, 1), LIST(0, 1, 0));
}

static void one_core_twice_is_two_runs(void **state) {
    (void)state;
    files[0].name = "run@1";
    files[1].name = "run@1";
    EXPECT(2, LIST(0, 1), LIST(1, 1));
}

static void given_cores_join(void **state) {
    (void)state;
    files[0].core = 1;
    files[1].core = 0;
    EXPECT(2, LIST(0, 0), LIST(1, 0));
    files[1].core = 1;
    EXPECT(2, LIST(0, 1), LIST(1, 1));
}

static void a_task_that_is_named_only_in_the_other_file_joins(void **state) {
    (void)state;
    task(0, 1, true, true, true);
    task(0, 2, true, true, false);
    task(1, 2, false, false, true);
    EXPECT(2, LIST(0, 0), LIST(0, 1));
}

static void without_overlap_there_is_no_join(void **state) {
    (void)state;
    task(0, 2, true, true, false);
    task(1, 2, false, false, true);
    probes[1].first_ticks = 2000;
    probes[1].last_ticks = 3000;
    EXPECT(2, LIST(0, 1), LIST(-1, -1));
}

static void two_recordings_of_one_firmware_are_no_two_core_trace(void **state) {
    (void)state;
    for (size_t file = 0; file < 2; file++)
        for (uint32_t id = 1; id < 5; id++) task(file, id, true, true, true);
    EXPECT(2, LIST(0, 1), LIST(-1, -1));
}

static void two_ring_dumps_without_names_are_no_two_core_trace(void **state) {
    (void)state;
    for (size_t file = 0; file < 2; file++)
        for (uint32_t id = 1; id < 5; id++) task(file, id, false, false, true);
    EXPECT(2, LIST(0, 1), LIST(-1, -1));
}

static void contradictions_keep_files_apart(void **state) {
    (void)state;
    task(0, 2, true, true, false);
    task(1, 2, false, false, true);
    probes[0].tick_ns = 1000;
    probes[1].tick_ns = 20;
    EXPECT(2, LIST(0, 1), LIST(-1, -1));
    probes[1].tick_ns = 1000;
    probes[0].idle_core_mask = probes[1].idle_core_mask = 1;
    EXPECT(2, LIST(0, 1), LIST(-1, -1));
    probes[1].idle_core_mask = 2;
    EXPECT(2, LIST(0, 0), LIST(0, 1));
}

static void a_file_that_fits_only_one_of_two_partners_stays_apart(void **state) {
    (void)state;
    files[0].name = "run@0";
    files[1].name = "run@1";
    files[2].name = "other.bin";
    task(0, 1, true, true, true);
    task(1, 2, true, true, true);
    task(2, 1, true, true, true); // created in the first file already
    task(2, 2, false, false, true);
    EXPECT(3, LIST(0, 0, 1), LIST(0, 1, -1));
}

static void a_file_that_names_its_cores_is_whole(void **state) {
    (void)state;
    files[0].name = "run@0";
    files[1].name = "run@1";
    probes[0].cores_mask = 3;
    EXPECT(2, LIST(0, 1), LIST(0, 1));
}

static void what_is_not_recognised_joins_nothing(void **state) {
    (void)state;
    files[0].name = "run@0";
    files[1].name = "run@1";
    probes[1].format = NULL;
    EXPECT(2, LIST(0, 1), LIST(0, 1));
}

static void three_cores_join(void **state) {
    (void)state;
    files[0].name = "a.cpu2";
    files[1].name = "a.cpu0";
    files[2].name = "a.cpu1";
    files[3].name = "a.cpu1";
    EXPECT(4, LIST(0, 0, 0, 1), LIST(2, 0, 1, 1));
}

// ---- Evidence from real bytes ----------------------------------------------------------------------

static void one_core_file_and_its_partner_are_recognised(void **state) {
    (void)state;
    struct stream *s = calloc(1, sizeof *s);
    stream_tick_length(s, 1000);
    stream_name(s, 0x5F, 1, "main");
    stream_name(s, 0x5F, 2, "radio");
    for (uint64_t t = 100; t < 1000; t += 50) stream_event(s, 0x54, t, 1);
    tk_probe(s->bytes, s->len, NULL, 0, &probes[0]);
    s->len = 0;
    for (uint64_t t = 120; t < 1000; t += 50) stream_event(s, 0x54, t, 2);
    tk_probe(s->bytes, s->len, NULL, 0, &probes[1]);
    assert_string_equal(probes[0].format, "tonbandgeraet");
    assert_string_equal(probes[0].mode, "free-rtos");
    assert_true(probes[0].names_tick);
    assert_int_equal(probes[0].tick_ns, 1000);
    assert_false(probes[1].names_tick);
    assert_int_equal(probes[1].first_ticks, 120);
    EXPECT(2, LIST(0, 0), LIST(0, 1));
    probes[1] = probes[0]; // the same recording twice
    EXPECT(2, LIST(0, 1), LIST(-1, -1));
    free(s);
}

static void other_files_are_no_recording(void **state) {
    (void)state;
    static const char text[] = "This is only a text file, with a few lines.\nAnd another one.\n";
    struct tk_probe probe;
    uint8_t noise[4096];
    uint32_t draw = 7;
    for (size_t i = 0; i < sizeof noise; i++) noise[i] = (uint8_t)((draw = draw * 1664525 + 1013904223) >> 24);
    tk_probe((const uint8_t *)text, sizeof text - 1, NULL, 0, &probe);
    assert_null(probe.format);
    assert_true(probe.reason[0]);
    tk_probe(noise, sizeof noise, NULL, 0, &probe);
    assert_null(probe.format);
    assert_true(probe.reason[0]);
    tk_probe(noise, 0, NULL, 0, &probe);
    assert_null(probe.format);
    assert_true(probe.reason[0]);
}

// A dump of flash or memory, looked at part by part.
static void a_recording_may_begin_anywhere(void **state) {
    (void)state;
    enum { PART = 4096 };
    static const struct { uint8_t byte; bool mixed; uint32_t frames; bool found; } cases[] = {
        { 0x00, false, 5, true }, { 0xFF, false, 5, true }, { 0x5A, true, 40, true },
        { 0x5A, true, 5, false }, // amid other data a few frames may be chance
    };
    struct stream *s = calloc(1, sizeof *s);
    uint8_t part[PART];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct tk_probe probe;
        s->len = 0;
        for (uint64_t t = 0; t < cases[i].frames; t++) stream_event(s, 0x54, 100 + t, 1);
        memset(part, cases[i].byte, sizeof part);
        if (cases[i].mixed) part[7] = 3;
        tk_probe(part, sizeof part, NULL, 0, &probe);
        assert_null(probe.format);
        for (unsigned n = 0; n < 3; n++) assert_true(tk_probe_on(part, sizeof part, &probe));
        assert_int_equal(probe.looked, 4 * PART);
        if (!cases[i].mixed) assert_non_null(strstr(probe.reason, "All bytes are"));
        assert_int_equal(tk_probe_on(s->bytes, s->len, &probe), !cases[i].found);
        assert_int_equal(probe.format != NULL, cases[i].found);
        assert_int_equal(probe.looked, 4 * PART + s->len);
        assert_int_equal(tk_probe_goes_on(&probe), !cases[i].found);
    }
    free(s);
}

static void behind_other_data_the_search_ends(void **state) {
    (void)state;
    struct tk_probe probe = { .looked = (uint64_t)1 << 40 };
    assert_false(tk_probe_goes_on(&probe));
    probe.padding = true;
    assert_true(tk_probe_goes_on(&probe));
}

#define CASE(test) cmocka_unit_test_setup(test, reset)

int main(void) {
    const struct CMUnitTest tests[] = {
        CASE(names_may_tell_the_core), CASE(other_names_tell_none), CASE(names_say_more_than_tasks), CASE(files_stand_alone_without_evidence), CASE(names_join),
        CASE(names_of_different_runs_do_not_join), CASE(one_core_twice_is_two_runs), CASE(given_cores_join),
        CASE(a_task_that_is_named_only_in_the_other_file_joins), CASE(without_overlap_there_is_no_join),
        CASE(two_recordings_of_one_firmware_are_no_two_core_trace), CASE(two_ring_dumps_without_names_are_no_two_core_trace),
        CASE(contradictions_keep_files_apart), CASE(a_file_that_fits_only_one_of_two_partners_stays_apart),
        CASE(a_file_that_names_its_cores_is_whole), CASE(what_is_not_recognised_joins_nothing),
        CASE(three_cores_join), CASE(one_core_file_and_its_partner_are_recognised), CASE(other_files_are_no_recording),
        CASE(a_recording_may_begin_anywhere), CASE(behind_other_data_the_search_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
