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

static void file_names_may_contain_the_core(void **state) {
    (void)state;
    expect_core("run@1", 1, 3);
    expect_core("run.bin@31", 31, 7);
    expect_core("x.core1.bin", 1, 2);
    expect_core("x.Core_0.bin", 0, 2);
    expect_core("cpu-0.hex", 0, 0);
    expect_core("dump CPU 2.bin", 2, 5);
    expect_core("core7", 7, 0);
}

static void other_file_names_contain_no_core(void **state) {
    (void)state;
    expect_core("", -1, 0);
    expect_core("trace.bin", -1, 9);
    expect_core("score1.bin", -1, 10);
    expect_core("multicore1", -1, 10);
    expect_core("run@32", -1, 6);
    expect_core("run@1x", -1, 6);
    expect_core("FreeRTOS-one-core-1M.bin", -1, 24);
    expect_core("core2duo.bin", -1, 12);
    expect_core("run@", -1, 4);
    expect_core("core", -1, 4);
    expect_core("core99999999999", -1, 15);
    expect_core("me@example", -1, 10);
}

// ---- Grouping ------------------------------------------------------------------------------------

enum { MAX_FILES = 4 };
static struct tk_probe probes[MAX_FILES];
static struct tk_plan_input files[MAX_FILES];

static int reset(void **state) {
    (void)state;
    memset(probes, 0, sizeof probes);
    for (size_t i = 0; i < MAX_FILES; i++) {
        probes[i].format = "tonbandgeraet";
        probes[i].has_events = true;
        probes[i].first_ticks = 100;
        probes[i].last_ticks = 1000;
        files[i] = (struct tk_plan_input){
            .name = "", .probe = &probes[i], .found_core = -1, .role = TK_PLAN_AUTO, .core = -1, .with = TK_PLAN_AUTO
        };
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
    tk_plan(files, count);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(files[i].out_group, groups[i]);
        assert_int_equal(files[i].out_core, cores[i]);
        assert_true(files[i].out_reason[0]);
    }
}

#define EXPECT(count, groups, cores) expect_groups(count, (const uint32_t[])groups, (const int32_t[])cores)
#define LIST(...) { __VA_ARGS__ }

static void file_names_outweigh_task_names(void **state) {
    (void)state;
    task(0, 5, true, true, false);
    task(2, 5, false, false, true); // would depend on the first file
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

static void numbers_join_the_files_of_cores(void **state) {
    (void)state;
    files[0].name = "trace1.psf";
    files[1].name = "trace0.psf";
    files[2].name = "trace2.psf";
    EXPECT(3, LIST(0, 1, 2), LIST(-1, -1, -1)); // no evidence that they belong together
    for (size_t i = 0; i < 3; i++) probes[i].file_per_core = true, probes[i].header = TK_HEADER_MISSING;
    EXPECT(3, LIST(0, 1, 2), LIST(-1, -1, -1)); // nor that one file has the names that the other lacks
    probes[1].header = TK_HEADER_PRESENT;
    EXPECT(3, LIST(0, 0, 0), LIST(1, 0, 2));
    files[2].name = "other2.psf";
    EXPECT(3, LIST(0, 0, 1), LIST(1, 0, -1));
    probes[0].header = TK_HEADER_PRESENT; // the first file of another run
    EXPECT(3, LIST(0, 1, 2), LIST(-1, -1, -1));
}

static void streams_of_different_cores_join(void **state) {
    (void)state;
    files[0].name = "channel0_1";
    files[1].name = "channel0_0";
    EXPECT(2, LIST(0, 1), LIST(-1, -1)); // the streams do not number their cores
    for (size_t i = 0; i < 2; i++) probes[i].cores_mask = UINT32_C(2) >> i;
    for (size_t i = 0; i < 2; i++) probes[i].first_ticks = 1, probes[i].last_ticks = 10;
    EXPECT(2, LIST(0, 0), LIST(1, 0));
    files[1].name = "other";
    EXPECT(2, LIST(0, 1), LIST(-1, -1));
    files[1].name = "channel0_0";
    probes[1].first_ticks = probes[1].last_ticks = 20; // another run
    EXPECT(2, LIST(0, 1), LIST(-1, -1));
}

static void an_unknown_file_beside_a_description_is_its_recording(void **state) {
    (void)state;
    files[0].name = "metadata";
    probes[0].is_names_file = probes[0].describes_others = true;
    probes[0].has_events = false;
    files[1].name = "data.raw";
    probes[1].format = NULL;
    tk_plan(files, 2);
    assert_int_equal(files[0].out_role, TK_ROLE_NAMES);
    assert_int_equal(files[1].out_role, TK_ROLE_RECORDING);
    assert_string_equal(files[1].out_format, probes[0].format);
    files[2].name = "stream"; // a recording that was recognised
    tk_plan(files, 3);
    assert_int_equal(files[1].out_role, TK_ROLE_NONE);
    assert_int_equal(files[2].out_role, TK_ROLE_RECORDING);
    assert_int_equal(files[0].out_role, TK_ROLE_NAMES);
}

static void parts_beside_a_description_are_one_trace(void **state) {
    (void)state;
    const char *const names[] = { "metadata", "kernel_0", "kernel_1", "cpu0" };
    for (size_t i = 0; i < 4; i++) files[i].name = names[i], probes[i].is_part = i > 0;
    probes[0].is_names_file = probes[0].describes_others = true;
    probes[0].has_events = false;
    EXPECT(4, LIST(TK_NO_GROUP, 0, 0, 0), LIST(-1, -1, -1, -1)); // the parts number their cores
    assert_false(files[1].out_core_guessed);
    files[3].container = 1; // another archive
    EXPECT(4, LIST(TK_NO_GROUP, 0, 0, 1), LIST(-1, -1, -1, -1));
    files[3].container = 0;
    probes[2].is_part = false;
    EXPECT(4, LIST(TK_NO_GROUP, 0, 1, 0), LIST(-1, -1, -1, -1));
    probes[0].describes_others = false;
    EXPECT(4, LIST(TK_NO_GROUP, 0, 1, 2), LIST(-1, -1, -1, -1));
}

static void packets_are_beside_the_recording_that_they_carry(void **state) {
    (void)state;
    probes[0].format = "itm";
    files[0].name = "swo.bin";
    files[1].name = "swo.bin (port 1)";
    EXPECT(2, LIST(0, 1), LIST(-1, -1));
    assert_false(files[0].out_beside);
    files[0].carries = 1 + 1;
    EXPECT(2, LIST(0, 0), LIST(-1, -1)); // no cores of one target
    assert_true(files[0].out_beside);
    assert_false(files[1].out_beside);
    probes[2].format = NULL; // serves the packets, which need symbols
    probes[2].content = TK_CONTENT_SYMBOLS;
    files[2].name = "firmware.elf";
    tk_plan(files, 3);
    assert_int_equal(files[2].out_role, TK_ROLE_SYMBOLS);
    assert_true(tk_plan_serves(files, 3, 2, files[1].out_group));
    files[0].with = 0; // the user wants two traces
    EXPECT(2, LIST(0, 1), LIST(-1, -1));
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

static void files_without_a_common_clock_stay_apart(void **state) {
    static const char *const formats[] = { "vcd", "flux", "cortexm" };
    (void)state;
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        probes[0].format = probes[1].format = formats[i];
        files[0].core = 0;
        files[1].core = 1;
        EXPECT(2, LIST(0, 1), LIST(-1, -1)); // nor is any of them the file of a core
        assert_string_equal(files[0].out_reason, "a recording of its own: files of this format have no common clock");
        assert_string_equal(files[1].out_reason, files[0].out_reason);
        probes[2].format = formats[i];
        files[2].core = 2;
        EXPECT(3, LIST(0, 1, 2), LIST(-1, -1, -1));
        assert_string_equal(files[2].out_reason, files[0].out_reason);
        files[0].core = files[1].core = -1;
        files[0].name = "run-core0";
        files[1].name = "run-core1";
        EXPECT(2, LIST(0, 1), LIST(-1, -1));
        assert_non_null(strstr(files[1].out_reason, "no common clock"));
        files[0].name = files[1].name = "";
        files[1].with = 0;
        EXPECT(2, LIST(0, 1), LIST(-1, -1));
        assert_non_null(strstr(files[1].out_reason, "no common clock"));
        files[1].with = TK_PLAN_AUTO;
    }
}

static void files_of_one_target_have_one_header(void **state) {
    (void)state;
    for (size_t i = 0; i < 3; i++)
        probes[i].format = "tracealyzer", probes[i].header = TK_HEADER_MISSING, files[i].core = (int32_t)i;
    EXPECT(2, LIST(0, 1), LIST(0, 1));
    files[1].with = 0;
    EXPECT(2, LIST(0, 1), LIST(0, 1));
    assert_non_null(strstr(files[1].out_reason, "lack the header"));
    files[1].with = TK_PLAN_AUTO;
    probes[2].header = TK_HEADER_PRESENT;
    EXPECT(3, LIST(0, 0, 0), LIST(0, 1, 2));
    assert_string_equal(files[1].out_reason, "the cores were given");
    probes[0].header = TK_HEADER_PRESENT;
    EXPECT(3, LIST(0, 0, 1), LIST(0, 1, 2));
    assert_string_equal(files[0].out_reason, "the cores were given");
    assert_non_null(strstr(files[2].out_reason, "each of the files has a header"));
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

static void a_file_with_core_ids_is_a_complete_recording(void **state) {
    (void)state;
    files[0].name = "run@0";
    files[1].name = "run@1";
    probes[0].cores_mask = 3;
    EXPECT(2, LIST(0, 1), LIST(0, 1));
}

static void unrecognised_files_are_not_used(void **state) {
    (void)state;
    files[0].name = "run@0";
    files[1].name = "run@1";
    probes[1].format = NULL;
    strcpy(probes[1].reason, "No frame in it");
    tk_plan(files, 2);
    assert_int_equal(files[0].out_group, 0);
    assert_int_equal(files[1].out_role, TK_ROLE_NONE);
    assert_int_equal(files[1].out_group, TK_NO_GROUP);
    assert_string_equal(files[1].out_reason, "it was not recognised: No frame in it");
    files[1].format = "tonbandgeraet";
    EXPECT(2, LIST(0, 0), LIST(0, 1));
}

static void three_cores_join(void **state) {
    (void)state;
    files[0].name = "a.cpu2";
    files[1].name = "a.cpu0";
    files[2].name = "a.cpu1";
    files[3].name = "a.cpu1";
    EXPECT(4, LIST(0, 0, 0, 1), LIST(2, 0, 1, 1));
}

static void files_joined_by_the_user_stay_together(void **state) {
    (void)state;
    files[0].name = "run@0";
    files[1].name = "run@1";
    files[1].with = 1; // a separate recording
    files[2].with = 0;
    EXPECT(3, LIST(0, 1, 0), LIST(0, 1, 1));
    assert_string_equal(files[2].out_reason, "put together by hand; its core is guessed from the order of the files");
    assert_true(files[2].out_core_guessed);
    assert_false(files[0].out_core_guessed);
    task(0, 1, true, true, true);
    task(2, 1, true, true, true);
    EXPECT(3, LIST(0, 1, 0), LIST(0, 1, 1));
    assert_string_equal(files[2].out_reason, "put together by hand, although their tasks are not those of one run; its "
                                             "core is guessed from the order of the files");
    files[0].with = 2; // and the other way round
    EXPECT(3, LIST(0, 1, 0), LIST(0, 1, 1));
    files[2].with = 77; // no such input
    files[0].with = TK_PLAN_AUTO;
    EXPECT(3, LIST(0, 1, 2), LIST(0, 1, -1));
}

static void an_impossible_override_is_reported(void **state) {
    (void)state;
    files[0].core = files[1].core = 1;
    files[1].with = 0;
    EXPECT(2, LIST(0, 1), LIST(1, 1));
    assert_non_null(strstr(files[1].out_reason, "has this core already"));
    files[1].core = -1;
    probes[1].format = "qs";
    EXPECT(2, LIST(0, 1), LIST(1, -1));
    assert_non_null(strstr(files[1].out_reason, "has another format"));
}

static void conflicts_are_known_before_files_are_joined(void **state) {
    (void)state;
    tk_plan(files, 2);
    assert_null(tk_plan_conflict(&files[0], &files[1]));
    probes[1].format = "qs";
    tk_plan(files, 2);
    assert_non_null(strstr(tk_plan_conflict(&files[0], &files[1]), "another format"));
    probes[0].format = probes[1].format = "vcd";
    tk_plan(files, 2);
    assert_non_null(strstr(tk_plan_conflict(&files[0], &files[1]), "no common clock"));
    probes[0].format = probes[1].format = "tracealyzer";
    tk_plan(files, 2);
    assert_null(tk_plan_conflict(&files[0], &files[1]));
    probes[0].header = probes[1].header = TK_HEADER_PRESENT;
    tk_plan(files, 2);
    assert_non_null(strstr(tk_plan_conflict(&files[0], &files[1]), "a header"));
}

static void the_plan_lists_recordings_of_each_name_file(void **state) {
    (void)state;
    probes[1].has_events = false;
    probes[2].format = "vcd";
    tk_plan(files, 3);
    assert_null(tk_plan_conflict(&files[1], &files[0]));
    assert_non_null(tk_plan_conflict(&files[1], &files[2]));
}

static void cores_of_one_text_are_one_recording(void **state) {
    (void)state;
    for (int i = 0; i < 4; i++) {
        files[i].container = i < 2 ? 1 : 2;
        files[i].found_core = i & 1;
    }
    EXPECT(4, LIST(0, 0, 1, 1), LIST(0, 1, 0, 1));
}

static void names_join_within_their_archive(void **state) {
    (void)state;
    files[0].name = files[2].name = "run.core0.bin";
    files[1].name = files[3].name = "run.core1.bin";
    files[0].container = files[1].container = 1;
    files[2].container = files[3].container = 2;
    EXPECT(4, LIST(0, 0, 1, 1), LIST(0, 1, 0, 1));
    files[1].container = 3;
    EXPECT(2, LIST(0, 1), LIST(0, 1));
}

static void the_order_of_the_files_does_not_matter(void **state) {
    (void)state;
    static const int orders[][3] = { { 0, 1, 2 }, { 0, 2, 1 }, { 1, 0, 2 }, { 1, 2, 0 }, { 2, 0, 1 }, { 2, 1, 0 } };
    static const char *const names[] = { "a.bin", "b.bin", "c.bin" };
    for (size_t k = 0; k < 6; k++) {
        reset(NULL);
        for (size_t i = 0; i < 3; i++) {
            int which = orders[k][i];
            files[i].name = names[which];
            task(i, 5, which != 2, which != 2, which == 2); // c runs tasks that both a and b name
        }
        tk_plan(files, 3);
        for (size_t i = 0; i < 3; i++)
            for (size_t j = 0; j < i; j++) {
                bool together = !strcmp(files[i].name, "b.bin") ? false : strcmp(files[j].name, "b.bin") != 0;
                assert_int_equal(files[i].out_group == files[j].out_group, together);
            }
    }
}

// ---- Side inputs -----------------------------------------------------------------------------------

static void names_serve_the_recordings_of_their_format(void **state) {
    (void)state;
    probes[0].has_events = false; // names of the first format
    probes[2].format = "qs";
    for (size_t i = 0; i < 2; i++) task(i, 5, true, false, false); // with equal names
    tk_plan(files, 3);
    assert_int_equal(files[0].out_role, TK_ROLE_NAMES);
    assert_int_equal(files[0].out_group, TK_NO_GROUP);
    assert_true(tk_plan_serves(files, 3, 0, files[1].out_group));
    assert_false(tk_plan_serves(files, 3, 0, files[2].out_group));
    assert_false(tk_plan_serves(files, 3, 1, files[1].out_group));
    assert_int_equal(files[0].out_order, 0);
    assert_int_equal(files[1].out_order, 1);
}

// The names of a capture that ended before its first event.
static void names_of_other_firmware_are_not_borrowed(void **state) {
    (void)state;
    probes[0].has_events = false;
    task(0, 5, true, false, false);
    for (int named = 0; named < 2; named++) { // the other one names nothing, then it names the task differently
        if (named) task(1, 5, true, false, true), probes[1].tasks[0].name_hash = 7;
        EXPECT(2, LIST(0, 1), LIST(-1, -1));
        assert_int_equal(files[0].out_role, TK_ROLE_RECORDING);
        assert_non_null(strstr(files[0].out_reason, "ends before its first event"));
    }
    probes[1].tasks[0].name_hash = 0;
    tk_plan(files, 2);
    assert_int_equal(files[0].out_role, TK_ROLE_NAMES);
    probes[0].tick_ns = 1, probes[1].tick_ns = 2;
    tk_plan(files, 2);
    assert_int_equal(files[0].out_role, TK_ROLE_RECORDING);
    files[0].role = TK_ROLE_NAMES; // the user decides
    tk_plan(files, 2);
    assert_int_equal(files[0].out_role, TK_ROLE_NAMES);
}

static void names_of_another_format_are_not_used(void **state) {
    (void)state;
    probes[0].has_events = false;
    probes[0].is_names_file = true;
    probes[0].format = "qs";
    tk_plan(files, 2);
    assert_int_equal(files[0].out_role, TK_ROLE_NONE);
    assert_string_equal(files[0].out_reason, "it is QP/Spy (QS), and no recording is");
    assert_int_equal(files[1].out_role, TK_ROLE_RECORDING);
    assert_string_equal(files[1].out_format, "tonbandgeraet");
    files[0].role = TK_ROLE_NAMES; // the user's choice, which changes nothing here
    tk_plan(files, 2);
    assert_int_equal(files[0].out_role, TK_ROLE_NONE);
    assert_string_equal(files[1].out_format, "tonbandgeraet");
}

static void names_alone_are_a_recording(void **state) {
    (void)state;
    probes[0].has_events = false;
    EXPECT(1, LIST(0), LIST(-1));
    files[0].role = TK_ROLE_NAMES;
    tk_plan(files, 1);
    assert_int_equal(files[0].out_role, TK_ROLE_NONE);
    assert_string_equal(files[0].out_reason, "there is no recording that could use it");
}

static void names_may_be_for_one_recording(void **state) {
    (void)state;
    files[0].role = TK_ROLE_NAMES; // a recording with events, read for its names
    files[0].with = 2;
    tk_plan(files, 3);
    assert_int_equal(files[0].out_role, TK_ROLE_NAMES);
    assert_false(tk_plan_serves(files, 3, 0, files[1].out_group));
    assert_true(tk_plan_serves(files, 3, 0, files[2].out_group));
    probes[2].format = "qs";
    tk_plan(files, 3);
    assert_string_equal(files[0].out_reason, "it is Tonbandgeraet, and the chosen recording is not");
}

static void names_in_an_archive_are_used_for_its_recordings(void **state) {
    (void)state;
    probes[0].has_events = false;
    probes[0].is_names_file = true;
    files[0].container = files[1].container = 1;
    tk_plan(files, 3);
    assert_true(tk_plan_serves(files, 3, 0, files[1].out_group));
    assert_false(tk_plan_serves(files, 3, 0, files[2].out_group));
    files[1].container = 0; // it is the only input
    tk_plan(files, 3);
    assert_true(tk_plan_serves(files, 3, 0, files[2].out_group));
}

static void three_given_cores_join_whatever_they_name(void **state) {
    (void)state;
    for (size_t i = 0; i < 3; i++) {
        files[i].core = (int32_t)i;
        task(i, 5, true, true, true); // each creates the task
    }
    EXPECT(3, LIST(0, 0, 0), LIST(0, 1, 2));
}

static void a_named_format_is_for_recordings_first(void **state) {
    (void)state;
    for (size_t i = 0; i < 2; i++) files[i].format = "qs"; // an option for all inputs
    files[0].role = TK_ROLE_NAMES;
    tk_plan(files, 2);
    assert_string_equal(files[1].out_format, "qs");
    assert_string_equal(files[0].out_format, "tonbandgeraet"); // as its bytes indicate
    assert_int_equal(files[0].out_role, TK_ROLE_NONE);
    probes[0].format = NULL;
    tk_plan(files, 2);
    assert_int_equal(files[0].out_role, TK_ROLE_NAMES);
}

static void symbols_that_no_recording_needs_are_not_used(void **state) {
    (void)state;
    files[0].role = TK_ROLE_SYMBOLS;
    probes[1].format = "vcd";
    tk_plan(files, 2);
    assert_int_equal(files[0].out_role, TK_ROLE_NONE);
    assert_string_equal(files[0].out_reason, "no recording can use it");
}

static void symbols_are_used_for_recordings_with_addresses(void **state) {
    (void)state;
    probes[0] = (struct tk_probe){ .content = TK_CONTENT_SYMBOLS };
    probes[1].format = "qs";
    for (int32_t role = TK_PLAN_AUTO; role <= TK_ROLE_NAMES; role += TK_ROLE_NAMES - TK_PLAN_AUTO) { // also when the
                                                                                                     // user chose it as
                                                                                                     // a side input
        files[0].role = role;
        tk_plan(files, 2);
        assert_int_equal(files[0].out_role, TK_ROLE_SYMBOLS);
        assert_true(tk_plan_serves(files, 2, 0, 0));
        assert_int_equal(files[0].out_order, 0);
        assert_string_equal(files[0].out_reason, "read for the names of addresses");
    }
    probes[1].format = "vcd";
    tk_plan(files, 2);
    assert_int_equal(files[0].out_role, TK_ROLE_NONE);
    assert_string_equal(files[0].out_reason, "no recording can use it");
    tk_plan(files, 1);
    assert_string_equal(files[0].out_reason, "there is no recording that could use it");
}

static void the_inputs_of_a_trace_fit_into_a_handle(void **state) {
    (void)state;
    enum { MANY = 40 };
    static struct tk_plan_input many[2 * MANY];
    for (size_t i = 0; i < 2 * MANY; i++) {
        many[i] = files[0];
        many[i].role = i < MANY ? TK_ROLE_NAMES : TK_ROLE_RECORDING;
        if (i > MANY) many[i].with = MANY;
    }
    tk_plan(many, 2 * MANY);
    size_t sides = 0, members = 0;
    for (size_t i = 0; i < 2 * MANY; i++)
        sides += tk_plan_serves(many, 2 * MANY, i, 0), members += many[i].out_group == 0;
    assert_int_equal(sides, TK_MAX_SIDE_INPUTS);
    assert_int_equal(members, TK_MAX_CORES);
    assert_string_equal(many[MANY - 1].out_reason, "there are too many side inputs");
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

// A dump of flash or memory, probed part by part.
static void a_recording_may_begin_anywhere(void **state) {
    (void)state;
    enum { PART = 4096 };
    static const struct {
        uint8_t byte;
        bool mixed;
        uint32_t frames;
        bool found;
    } cases[] = {
        { 0x00, false, 5, true },
        { 0xFF, false, 5, true },
        { 0x5A, true, 40, true },
        { 0x5A, true, 5, false }, // in other data a few frames may occur by chance
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
        for (unsigned n = 0; n < 3; n++) assert_true(tk_probe_continue(part, sizeof part, &probe));
        assert_int_equal(probe.looked, 4 * PART);
        if (!cases[i].mixed) assert_non_null(strstr(probe.reason, "All bytes are"));
        assert_int_equal(tk_probe_continue(s->bytes, s->len, &probe), !cases[i].found);
        assert_int_equal(probe.format != NULL, cases[i].found);
        assert_int_equal(probe.looked, 4 * PART + s->len);
        assert_int_equal(tk_probe_can_continue(&probe), !cases[i].found);
    }
    free(s);
}

static void the_search_ends_after_other_data(void **state) {
    (void)state;
    struct tk_probe probe = { .looked = (uint64_t)1 << 40 };
    assert_false(tk_probe_can_continue(&probe));
    probe.padding = true;
    assert_true(tk_probe_can_continue(&probe));
}

#define CASE(test) cmocka_unit_test_setup(test, reset)

int main(void) {
    const struct CMUnitTest tests[] = {
        CASE(file_names_may_contain_the_core),
        CASE(other_file_names_contain_no_core),
        CASE(files_stand_alone_without_evidence),
        CASE(file_names_outweigh_task_names),
        CASE(names_join),
        CASE(numbers_join_the_files_of_cores),
        CASE(streams_of_different_cores_join),
        CASE(an_unknown_file_beside_a_description_is_its_recording),
        CASE(parts_beside_a_description_are_one_trace),
        CASE(packets_are_beside_the_recording_that_they_carry),
        CASE(names_of_different_runs_do_not_join),
        CASE(one_core_twice_is_two_runs),
        CASE(given_cores_join),
        CASE(files_without_a_common_clock_stay_apart),
        CASE(files_of_one_target_have_one_header),
        CASE(a_task_that_is_named_only_in_the_other_file_joins),
        CASE(without_overlap_there_is_no_join),
        CASE(two_recordings_of_one_firmware_are_no_two_core_trace),
        CASE(two_ring_dumps_without_names_are_no_two_core_trace),
        CASE(contradictions_keep_files_apart),
        CASE(a_file_that_fits_only_one_of_two_partners_stays_apart),
        CASE(a_file_with_core_ids_is_a_complete_recording),
        CASE(unrecognised_files_are_not_used),
        CASE(three_cores_join),
        CASE(files_joined_by_the_user_stay_together),
        CASE(an_impossible_override_is_reported),
        CASE(conflicts_are_known_before_files_are_joined),
        CASE(the_plan_lists_recordings_of_each_name_file),
        CASE(cores_of_one_text_are_one_recording),
        CASE(names_join_within_their_archive),
        CASE(the_order_of_the_files_does_not_matter),
        CASE(names_serve_the_recordings_of_their_format),
        CASE(names_of_other_firmware_are_not_borrowed),
        CASE(names_of_another_format_are_not_used),
        CASE(names_alone_are_a_recording),
        CASE(names_may_be_for_one_recording),
        CASE(names_in_an_archive_are_used_for_its_recordings),
        CASE(three_given_cores_join_whatever_they_name),
        CASE(a_named_format_is_for_recordings_first),
        CASE(symbols_that_no_recording_needs_are_not_used),
        CASE(symbols_are_used_for_recordings_with_addresses),
        CASE(the_inputs_of_a_trace_fit_into_a_handle),
        CASE(one_core_file_and_its_partner_are_recognised),
        CASE(other_files_are_no_recording),
        CASE(a_recording_may_begin_anywhere),
        CASE(the_search_ends_after_other_data),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
