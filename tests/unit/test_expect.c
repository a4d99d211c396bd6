// SPDX-License-Identifier: MIT
//
// Rules for --expect: their syntax, the rows that they select, and how unmeasured occurrences affect their result.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "../report/sample.h"

#include "base/utf8.h"
#include "report/schema.h"

struct verdict {
    const char *text;
    tk_expectation expected;
    const char *words; // must be contained in the answer; "": the answer must be empty
};

static void check_verdicts(const tk_report *report, const struct verdict *cases, size_t count) {
    for (size_t i = 0; i < count; i++) {
        char text[TK_EXPECT_TEXT];
        tk_expectation found = tk_report_expect(report, cases[i].text, text);
        bool has_words = *cases[i].words ? strstr(text, cases[i].words) != NULL : !*text;
        if (found != cases[i].expected || !has_words) fail_msg("%s: %d, %s", cases[i].text, (int)found, text);
    }
}
#define VERDICTS(report, cases) check_verdicts(report, cases, sizeof cases / sizeof *cases)

// ---- Reports for the tests ----

// The task table of recordings, with a duration of 1 s and `timed` events.
static void put_head(const struct tk_table_sink *sink, bool has_time, uint64_t timed) {
    static const struct tk_column time[] = { { "duration", "Duration", TK_COLUMN_DURATION, TK_ROLE_VALUE, NULL,
                                               TK_FOLD_NONE } };
    static const struct tk_table time_table = { "time", "Time", time, 1, TK_TABLE_FIGURES, NULL, "" };
    static const struct tk_column events[] = { { "timed", "Timed", TK_COLUMN_COUNT, TK_ROLE_HIDDEN, NULL,
                                                 TK_FOLD_NONE },
                                               { "lost", "Lost", TK_COLUMN_COUNT, TK_ROLE_VALUE, NULL, TK_FOLD_NONE } };
    static const struct tk_table events_table = { "events", "Events", events, 2, TK_TABLE_FIGURES, NULL, "" };
    tk_table_begin(sink, &time_table);
    tk_cell_ticks_if(sink, has_time, 1000000000);
    tk_table_end(sink);
    tk_table_begin(sink, &events_table);
    tk_cell_uint(sink, timed);
    tk_cell_uint(sink, 0);
    tk_table_end(sink);
}

static const struct tk_column job_columns[] = {
    { "name", "Task", TK_COLUMN_NAME, TK_ROLE_VALUE, NULL, TK_FOLD_NONE },
    { "core", "Core", TK_COLUMN_NUMBER, TK_ROLE_KEY, NULL, TK_FOLD_NONE },
    { "count", "Jobs", TK_COLUMN_COUNT, TK_ROLE_VALUE, NULL, TK_FOLD_SUM },
    { "count_unmeasured", "Not measured", TK_COLUMN_COUNT, TK_ROLE_UNMEASURED, NULL, TK_FOLD_SUM },
    { "total", "Total", TK_COLUMN_DURATION, TK_ROLE_VALUE, NULL, TK_FOLD_SUM },
    { "response_min", "Shortest", TK_COLUMN_DURATION, TK_ROLE_VALUE, NULL, TK_FOLD_MIN },
    { "response_mean", "Mean", TK_COLUMN_DURATION, TK_ROLE_VALUE, NULL, TK_FOLD_NONE },
    { "response_p95", "95 %", TK_COLUMN_DURATION, TK_ROLE_VALUE, NULL, TK_FOLD_NONE },
    { "response_max", "Longest", TK_COLUMN_DURATION, TK_ROLE_VALUE, NULL, TK_FOLD_MAX },
    { "response_max_at", "At", TK_COLUMN_TIME, TK_ROLE_AT, NULL, TK_FOLD_NONE },
};
static const struct tk_table jobs_table = {
    "jobs", "Jobs", job_columns, sizeof job_columns / sizeof *job_columns, TK_TABLE_LIST, NULL, ""
};

static void put_job(const struct tk_table_sink *sink, const char *name, uint64_t core, uint64_t count,
                    uint64_t unmeasured, uint64_t longest) {
    tk_cell_word(sink, name);
    tk_cell_uint(sink, core);
    tk_cell_uint(sink, count);
    tk_cell_uint(sink, unmeasured);
    tk_cell_ticks(sink, 60000);
    tk_cell_ticks(sink, 2000);
    tk_cell_ticks(sink, 4000);
    tk_cell_ticks(sink, 6000);
    tk_cell_ticks(sink, longest);
    tk_cell_ticks(sink, 500000000);
}

static tk_report *jobs_report(bool has_time, uint64_t timed) {
    tk_report *report = tk_report_begin(&sample_heap, "t", (struct tk_time_basis){ "ns", TK_TIME_MEASURED });
    struct tk_table_sink sink = tk_report_sink(report, 1);
    put_head(&sink, has_time, timed);
    tk_table_begin(&sink, &jobs_table);
    put_job(&sink, "burst-1", 0, 100, 0, 8000);
    put_job(&sink, "burst-2", 0, 200, 0, 9000);
    put_job(&sink, "burst-2", 1, 200, 0, 9500);
    put_job(&sink, "Blinky[0]", 0, 100, 10, 7000);
    put_job(&sink, "a*b", 0, 100, 0, 1);
    put_job(&sink, "a\\b]", 0, 100, 0, 2);
    put_job(&sink, "x].y<1", 0, 100, 0, 3);
    put_job(&sink, "", 0, 100, 0, 4);
    put_job(&sink, "most", 0, UINT64_MAX, 0, UINT64_MAX);
    put_job(&sink, "lost", 0, 20, 20, 0);
    tk_table_end(&sink);
    assert_int_equal(tk_report_complete(report, &report), TK_OK);
    return report;
}

// ---- Rows ----

static void a_pattern_selects_every_matching_row(void **state) {
    static const struct verdict cases[] = {
        { "jobs[burst-*].response_max<10us", TK_EXPECT_PASS, "" },
        { "jobs[burst-*].response_max<9us", TK_EXPECT_FAIL,
          "burst-2 (core 1): it is 9.500 us at 0.500000000 s, not < 9us (2 of 3 rows fail)" },
        { "jobs[burst-*].response_max>8.5us", TK_EXPECT_FAIL, "burst-1 (core 0): it is 8.000 us" },
        { "jobs[burst-2].response_max<=9us", TK_EXPECT_FAIL, "burst-2 (core 1): it is 9.500 us" },
        { "jobs[*urst*2].response_max<10us ; rows == 2", TK_EXPECT_PASS, "" },
        { "jobs[*2*].response_max<10us ; rows == 2", TK_EXPECT_PASS, "" },
        { "jobs[Blinky[0]].count==100", TK_EXPECT_PASS, "" },
        { "jobs[Blinky[*]].count==100", TK_EXPECT_PASS, "" },
        { "jobs[Blinky[0\\]].count==100", TK_EXPECT_PASS, "" },
        { "jobs[[0]].count==100", TK_EXPECT_UNMEASURED, "no row of \"jobs\" matches" },
        { "jobs[Blinky?0?].count==100", TK_EXPECT_UNMEASURED, "no row" }, // no other special characters
        { "jobs[burst-[12]].count==100", TK_EXPECT_UNMEASURED, "no row" },
        { "jobs[a\\*b].count==100 ; rows == 1", TK_EXPECT_PASS, "" },
        { "jobs[a*b*].count==100 ; rows == 2", TK_EXPECT_PASS, "" },
        { "jobs[a\\\\b]].count==100 ; rows == 1", TK_EXPECT_PASS, "" },
        { "jobs[a\\\\b\\]].count==100 ; rows == 1", TK_EXPECT_PASS, "" },
        { "jobs[x].y<1].count==100 ; rows == 1", TK_EXPECT_PASS, "" },
        { "jobs[].count==100 ; rows == 1", TK_EXPECT_PASS, "" },
        { "jobs[*].core>=0 ; rows == 10", TK_EXPECT_PASS, "" },
        { "jobs[**].core>=0 ; rows == 10", TK_EXPECT_PASS, "" },
        { "jobs[*].core<1", TK_EXPECT_FAIL, "(1 of 10 rows fail" },
    };
    (void)state;
    tk_report *report = jobs_report(true, 10);
    VERDICTS(report, cases);
    tk_report_free(report);
}

static void a_row_that_is_missing_is_not_measured(void **state) {
    static const struct verdict cases[] = {
        { "jobs[Motor].count>0", TK_EXPECT_UNMEASURED, "there are burst-1, burst-2" },
        { "jobs[Motor*].count>0", TK_EXPECT_UNMEASURED, "no row" },
        { "jobs[Motor].count>0 ; missing_ok", TK_EXPECT_PASS, "nothing to judge" },
        { "jobs[Motor].count>0 ; rows >= 1", TK_EXPECT_UNMEASURED, "no row" },
        { "jobs[burst-1].count>100 ; missing_ok", TK_EXPECT_FAIL, "it is 100, not > 100" },
        { "jobs[burst-*].count>0 ; rows >= 3", TK_EXPECT_PASS, "" },
        { "jobs[burst-*].count>0 ; rows >= 4", TK_EXPECT_FAIL, "3 rows match, not >= 4" },
        { "jobs[burst-*].count>0 ; rows == 2", TK_EXPECT_FAIL, "3 rows match, not == 2" },
        { "jobs[burst-1].count>0 ; rows == 2 ; missing_ok", TK_EXPECT_FAIL, "1 row matches, not == 2" },
        { "jobs[burst-1].count>0 ; rows >= 18446744073709551615", TK_EXPECT_FAIL, "18446744073709551615" },
        // Tables and columns of other kinds of recordings.
        { "mutexes[*].held_longest<1s", TK_EXPECT_UNMEASURED, "no such table" },
        { "mutexes[*].held_longest<1s ; missing_ok", TK_EXPECT_UNMEASURED, "no such table" },
        { "cpu.load<80%", TK_EXPECT_UNMEASURED, "no such table" },
        { "jobs[*].period_max<1s", TK_EXPECT_UNMEASURED, "no such column" },
        { "traces[x].sequences==1", TK_EXPECT_UNMEASURED, "no such table" }, // from flux
        { "dumps[x].length==1", TK_EXPECT_UNMEASURED, "no such table" },     // from the Cortex-M monitor
    };
    (void)state;
    tk_report *report = jobs_report(true, 10);
    VERDICTS(report, cases);
    tk_report_free(report);
}

// ---- Wrong rules ----

static const char *const wrong_rules[] = {
    "",
    " ",
    ";",
    " ; ",
    "cpu",
    "cpu.",
    ".load<1",
    "cpu.load",
    "cpu.load<",
    "cpu.load<80", // always holds
    "cpu.load<1.5",
    "cpu.load<80 percent",
    "cpu.load=80%",
    "cpu.load=<80%",
    "cpu.load!=80%",
    "cpu.load<80%;rows == 1",
    "cpu.load<80% ;",
    "cpu.load<80% ; ",
    "cpu.load<80% ;  ; missing_ok",
    "cpu.load<80% ; rows == 1", // a table without rows
    "cpu.load<80% ; count >= 1",
    "cpu.load<80% ; window 10ms",
    "cpu.load<80% ; missing_okay",
    "cpu.load<80% ; missing_ok ; missing_ok",
    "cpu.load<80% ; coverage >= 0%",
    "cpu.load<80% ; coverage >= 101%",
    "cpu.load<80% ; coverage >= -1%",
    "cpu.load<80% ; coverage >= 99",
    "cpu.load<80% ; coverage >= ",
    "cpu.load<80% ; coverage == 99%",
    "cpu[x].load<80%",
    "cpu.laod<80%",
    "cup.load<80%",
    "tasks.cpu<1s",
    "tasks[a.cpu<1s",
    "tasks[a\\].cpu<1s",
    "tasks[a\\b].cpu<1s", // \ escapes only *, \ and ]
    "tasks[a].cpu<1",
    "tasks[a].cpu<1m",
    "tasks[a].cpu<1.s",
    "tasks[a].cpu<.5s",
    "tasks[a].cpu<1,5s",
    "tasks[a].cpu<1e3s",
    "tasks[a].cpu<1s1s",
    "tasks[a].cpu<18446744073709551616ns",
    "tasks[a].cpu<18446744074s",
    "tasks[a].cpu<1s ; rows == 0",
    "tasks[a].cpu<1s ; rows == -1",
    "tasks[a].cpu<1s ; rows < 2",
    "tasks[a].cpu<1s ; rows == 1 ; rows >= 1",
    "tasks[a].cpu<1s ; rows == 18446744073709551616",
    "tasks[a].cpu<1s ; count >= 3", // the time of a task has no occurrences
    "tasks[a].runs<3 ; coverage >= 9%",
    "tasks[a].idle==yes",
    "tasks[a].idle<true",
    "tasks[a].name<1",
    "tasks[a ; b].cpu<1s", // " ; " ends the rule; * matches it
    "TASKS[a].cpu<1s",
    "tasks[a].cpu<1s\n",
    "tasks[\xff].cpu<\xff",
    "\xff",
};

static void a_wrong_rule_is_found_without_a_report(void **state) {
    (void)state;
    tk_report *report = jobs_report(true, 10), *nothing = jobs_report(false, 0);
    for (size_t i = 0; i < sizeof wrong_rules / sizeof *wrong_rules; i++) {
        char text[TK_EXPECT_TEXT], again[TK_EXPECT_TEXT];
        if (tk_expect_check(wrong_rules[i], text)) fail_msg("not wrong: %s", wrong_rules[i]);
        assert_true(strlen(text) > 10 && tk_utf8_is_clean((const uint8_t *)text, strlen(text)));
        if (tk_report_expect(report, wrong_rules[i], again) != TK_EXPECT_INVALID) fail_msg("%s", wrong_rules[i]);
        if (tk_report_expect(nothing, wrong_rules[i], again) != TK_EXPECT_INVALID) fail_msg("%s", wrong_rules[i]);
    }
    tk_report_free(report);
    tk_report_free(nothing);
}

static void a_rule_needs_no_report_to_be_right(void **state) {
    static const char *const rules[] = {
        "cpu.load<80%",
        "  cpu.load < 80 %  ",
        "cpu.load<=1",
        "cpu.load<0.8 ; coverage >= 99.5% ; missing_ok",
        "tasks[*].longest_wait<5ms ; rows >= 3 ; count >= 10 ; coverage >= 99%",
        "tasks[*].longest_wait<5ticks", // recordings without a tick length
        "functions[main].max<=5records",
        "queues[*].capacity>=1",
        "tasks[a].cpu<18446744073709551615ns",
        "tasks[a].cpu<18446744073.709551615s",
        "output.bytes<18446744073709551615",
        "objects[Blinky[0]].longest_wait<2ms",
        "format.mode==free-rtos",
        "tasks[IDLE].idle==true",
        "timers[x].reloads==false",
        "stacks[*].least_free>-1 words",
    };
    (void)state;
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        char text[TK_EXPECT_TEXT];
        if (!tk_expect_check(rules[i], text)) fail_msg("%s", text);
        assert_string_equal(text, "");
    }
}

static void a_unit_has_to_be_one_of_the_report(void **state) {
    char text[TK_EXPECT_TEXT];
    (void)state;
    tk_report *ticks = sample_report(false, 0), *ns = sample_report(false, 1000);
    assert_int_equal(tk_report_expect(ticks, "tasks[IDLE].cpu<=700 ticks", text), TK_EXPECT_PASS);
    assert_int_equal(tk_report_expect(ticks, "tasks[IDLE].cpu<=700ns", text), TK_EXPECT_INVALID);
    assert_int_equal(tk_report_expect(ns, "tasks[IDLE].cpu<=700 ticks", text), TK_EXPECT_INVALID);
    assert_int_equal(tk_report_expect(ns, "mutexes[x].held<700 ticks", text), TK_EXPECT_INVALID);
    assert_int_equal(tk_report_expect(ticks, "mutexes[x].held<700 ticks", text), TK_EXPECT_UNMEASURED);
    tk_report_free(ticks);
    tk_report_free(ns);
}

// ---- Numbers ----

static void numbers_of_64_bits_are_exact(void **state) {
    static const struct verdict cases[] = {
        { "jobs[most].count==18446744073709551615", TK_EXPECT_PASS, "" },
        { "jobs[most].count==18446744073709551614", TK_EXPECT_FAIL, "it is 18446744073709551615" },
        { "jobs[most].count<18446744073709551615", TK_EXPECT_FAIL, "not < 18446744073709551615" },
        { "jobs[most].count>18446744073709551614.5", TK_EXPECT_PASS, "" },
        { "jobs[most].response_max<=18446744073709551615ns", TK_EXPECT_PASS, "" },
        { "jobs[most].response_max<=18446744073.709551614s", TK_EXPECT_FAIL, "it is" },
        { "jobs[most].response_max>18446744073.7095516149999s", TK_EXPECT_PASS, "" },
        { "jobs[most].count>-18446744073709551615", TK_EXPECT_PASS, "" },
        { "jobs[most].response_max<1s ; coverage >= 100%", TK_EXPECT_FAIL, "it is" },
        { "jobs[most].response_max>1s ; count >= 18446744073709551615", TK_EXPECT_PASS, "" },
    };
    (void)state;
    tk_report *report = jobs_report(true, 10);
    VERDICTS(report, cases);
    tk_report_free(report);
}

// ---- Unmeasured occurrences ----

// 10 of 100 jobs of Blinky[0] were not measured: 90 took 2 to 7 us, 4 us on average.
static void unmeasured_occurrences_may_change_a_result(void **state) {
    static const struct verdict cases[] = {
        { "jobs[Blinky[0]].response_max<8us", TK_EXPECT_UNMEASURED,
          "unknown, at least 7.000 us: 10 of 100 occurrences were not measured" },
        { "jobs[Blinky[0]].response_max<=7us", TK_EXPECT_UNMEASURED, "at least" },
        { "jobs[Blinky[0]].response_max<7us", TK_EXPECT_FAIL, "it is at least 7.000 us at 0.500000000 s, not < 7us" },
        { "jobs[Blinky[0]].response_max>=7us", TK_EXPECT_PASS, "" },
        { "jobs[Blinky[0]].response_max>7us", TK_EXPECT_UNMEASURED, "at least" },
        { "jobs[Blinky[0]].response_max==7us", TK_EXPECT_UNMEASURED, "at least" },
        { "jobs[Blinky[0]].response_max==6us", TK_EXPECT_FAIL, "at least" },
        { "jobs[Blinky[0]].response_min>1us", TK_EXPECT_UNMEASURED, "between 0 ns and 2.000 us" },
        { "jobs[Blinky[0]].response_min>2us", TK_EXPECT_FAIL, "it is at most 2.000 us" },
        { "jobs[Blinky[0]].response_min<=2us", TK_EXPECT_PASS, "" },
        { "jobs[Blinky[0]].response_min==3us", TK_EXPECT_FAIL, "it is at most 2.000 us" },
        { "jobs[Blinky[0]].response_mean<5us", TK_EXPECT_UNMEASURED, "at least 3.600 us" },
        { "jobs[Blinky[0]].response_mean<3.6us", TK_EXPECT_FAIL, "it is at least 3.600 us" },
        { "jobs[Blinky[0]].total<1s", TK_EXPECT_UNMEASURED, "at least 60.000 us" },
        { "jobs[Blinky[0]].total<60us", TK_EXPECT_FAIL, "it is at least 60.000 us" },
        { "jobs[Blinky[0]].response_p95<10us", TK_EXPECT_UNMEASURED, "at least 2.000 us" },
        { "jobs[Blinky[0]].count==100", TK_EXPECT_PASS, "" },
        { "jobs[Blinky[0]].count_unmeasured<10", TK_EXPECT_FAIL, "it is 10, not < 10" },
        // Suffixes of a rule that use only the measured occurrences, or that require more of them.
        { "jobs[Blinky[0]].response_max<8us ; coverage >= 90%", TK_EXPECT_PASS, "" },
        { "jobs[Blinky[0]].response_max<7us ; coverage >= 90%", TK_EXPECT_FAIL, "it is 7.000 us" },
        { "jobs[Blinky[0]].response_max<8us ; coverage >= 90.0001%", TK_EXPECT_UNMEASURED, "at least" },
        { "jobs[Blinky[0]].response_max<8us ; coverage >= 90.00000000001%", TK_EXPECT_UNMEASURED, "at least" },
        { "jobs[burst-1].response_max<9us ; count >= 100", TK_EXPECT_PASS, "" },
        { "jobs[burst-1].response_max<9us ; count >= 101", TK_EXPECT_UNMEASURED, "only 100 were measured" },
        { "jobs[burst-1].response_max<8us ; count >= 101", TK_EXPECT_FAIL, "it is 8.000 us" },
        { "jobs[Blinky[0]].response_max<8us ; coverage >= 90% ; count >= 91", TK_EXPECT_UNMEASURED, "only 90" },
        { "jobs[lost].response_max<1s", TK_EXPECT_UNMEASURED, "20 of 20" },
        { "jobs[lost].response_mean<1s", TK_EXPECT_UNMEASURED, "at least 0 ns" },
        { "jobs[lost].response_max<1s ; coverage >= 1%", TK_EXPECT_UNMEASURED, "20 of 20" },
        // A violated row takes precedence over an unmeasured one.
        { "jobs[b*].response_max<9us", TK_EXPECT_FAIL, "burst-2 (core 1)" },
        { "jobs[B*].response_max<9us", TK_EXPECT_UNMEASURED, "Blinky[0] (core 0): unknown" },
    };
    (void)state;
    tk_report *report = jobs_report(true, 10);
    VERDICTS(report, cases);
    tk_report_free(report);
}

static void a_count_after_a_length_belongs_to_it(void **state) {
    static const struct verdict cases[] = {
        { "tasks[control].longest_wait<5ms", TK_EXPECT_UNMEASURED, "3" }, // 3 of them are in the sample
        { "tasks[control].longest_wait<650us", TK_EXPECT_FAIL, "it is at least 650.000 us at 0.001250000 s" },
        { "tasks[control].longest_wait<5ms ; coverage >= 50%", TK_EXPECT_PASS, "" },
        { "tasks[control].cpu<5ms", TK_EXPECT_PASS, "" }, // not counted by it
        { "tasks[logger].longest_wait<5ms", TK_EXPECT_PASS, "" },
    };
    (void)state;
    tk_report *report = sample_report(false, 1000);
    VERDICTS(report, cases);
    tk_report_free(report);
}

// ---- Tables without rows ----

static void a_time_range_without_events_has_no_figures(void **state) {
    static const struct verdict cases[] = {
        { "events.lost==0", TK_EXPECT_UNMEASURED, "no event with a time" },
        { "jobs[*].core>=0", TK_EXPECT_UNMEASURED, "no event with a time" },
        { "jobs[Motor].count>0 ; missing_ok", TK_EXPECT_UNMEASURED, "no event with a time" },
        { "cpu.load<80%", TK_EXPECT_UNMEASURED, "no event with a time" },
    };
    (void)state;
    tk_report *part = jobs_report(false, 7), *recording = jobs_report(true, 0);
    VERDICTS(part, cases);
    VERDICTS(recording, cases);
    tk_report_free(part);
    tk_report_free(recording);
}

// ---- The known tables ----

// Every table is found by its id, and every column accepts a rule of its kind, so that no message is attached to the
// wrong kind.
static void every_known_column_takes_a_rule(void **state) {
    static const char *const values[TK_COLUMN_KINDS] = {
        [TK_COLUMN_NAME] = "==x",  [TK_COLUMN_TEXT] = "==x",      [TK_COLUMN_FLAG] = "==true", [TK_COLUMN_COUNT] = "<5",
        [TK_COLUMN_NUMBER] = "<5", [TK_COLUMN_DURATION] = "<5ms", [TK_COLUMN_TIME] = "<5ms",   [TK_COLUMN_SHARE] = "<5%"
    };
    struct tk_schema_walk walk = { 0 };
    const struct tk_table *table;
    size_t count = 0, lengths = 0;
    (void)state;
    for (; (table = tk_schema_next(&walk)); count++) {
        for (uint32_t i = 0; i < table->column_count; i++) {
            const struct tk_column *column = &table->columns[i];
            char rule[128], text[TK_EXPECT_TEXT];
            snprintf(rule, sizeof rule, "%s%s.%s%s", table->id, table->shape == TK_TABLE_FIGURES ? "" : "[*]",
                     column->key, values[column->kind]);
            if (!tk_expect_check(rule, text)) fail_msg("%s", text);
            bool is_extreme = column->kind == TK_COLUMN_DURATION && column->fold >= TK_FOLD_MIN;
            if (!is_extreme) continue;
            strcat(rule, " ; count >= 1"); // every column with a shortest or longest value has a count of unmeasured
                                           // occurrences
            if (!tk_expect_check(rule, text)) fail_msg("%s", text);
            lengths++;
        }
    }
    assert_true(count > 30 && lengths > 10);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pattern_selects_every_matching_row),
        cmocka_unit_test(a_row_that_is_missing_is_not_measured),
        cmocka_unit_test(a_wrong_rule_is_found_without_a_report),
        cmocka_unit_test(a_rule_needs_no_report_to_be_right),
        cmocka_unit_test(a_unit_has_to_be_one_of_the_report),
        cmocka_unit_test(numbers_of_64_bits_are_exact),
        cmocka_unit_test(unmeasured_occurrences_may_change_a_result),
        cmocka_unit_test(a_count_after_a_length_belongs_to_it),
        cmocka_unit_test(a_time_range_without_events_has_no_figures),
        cmocka_unit_test(every_known_column_takes_a_rule),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
