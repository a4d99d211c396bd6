// SPDX-License-Identifier: MIT
//
// Files of rules on reports that no recording of the tests has: open jobs, findings, unmeasured percentiles, hostile
// texts.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "../report/sample.h"

#include "rules/check.h"

struct verdict {
    const char *text;
    tk_expectation expected;
    const char *words; // must be contained in the answer; "": the answer must be empty
};

static tk_report *report_of(const char *tables, const char *members) {
    char json[4096];
    tk_report *report;
    int len =
        snprintf(json, sizeof json,
                 "{\"schema\":4,\"time_unit\":\"ns\",\"time_certainty\":\"measured\",\"tables\":[%s"
                 "{\"id\":\"time\",\"columns\":[\"duration\"]},{\"id\":\"events\",\"columns\":[\"timed\",\"lost\"]}],"
                 "%s\"time\":{\"duration\":\"1000000000\"},\"events\":{\"timed\":9,\"lost\":0}}",
                 tables, members);
    assert_true(len > 0 && (size_t)len < sizeof json);
    assert_int_equal(tk_report_read(json, (size_t)len, tk_libc_allocator(), &report), TK_OK);
    return report;
}

// ---- Jobs ----

static const char jobs[] =
    "{\"id\":\"jobs\",\"columns\":[\"name\",\"count\",\"count_unmeasured\",\"response_min\",\"response_p50\","
    "\"response_p95\",\"response_p99\",\"response_max\",\"response_max_at\",\"period_min\",\"period_max\",\"open_for\"]"
    "},"
    "{\"id\":\"activations\",\"columns\":[\"name\",\"count\",\"count_unmeasured\",\"response_max\",\"response_max_at\"]"
    "},";

static tk_report *report_of_jobs(void) {
    return report_of(
        jobs,
        "\"jobs\":["
        "{\"name\":\"stuck\",\"count\":5,\"count_unmeasured\":0,\"response_max\":\"1000\",\"response_max_at\":\"7\","
        "\"open_for\":\"9000000\"},"
        "{\"name\":\"never done\",\"count\":0,\"count_unmeasured\":0,\"response_max\":null,\"open_for\":\"9000000\"},"
        "{\"name\":\"a 5ms from b\",\"count\":5,\"count_unmeasured\":0,\"response_max\":\"1000\"},"
        "{\"name\":\"many\",\"count\":1000,\"count_unmeasured\":10,\"response_min\":\"100\",\"response_p50\":\"1280\","
        "\"response_p95\":\"2560\","
        "\"response_p99\":\"5120\",\"response_max\":\"9000\",\"response_max_at\":\"5\",\"period_min\":\"90\",\"period_"
        "max\":\"110\"},"
        "{\"name\":\"whole\",\"count\":1000,\"count_unmeasured\":0,\"response_min\":\"100\",\"response_p50\":\"1280\","
        "\"response_p95\":\"2560\","
        "\"response_p99\":\"5120\",\"response_max\":\"9000\",\"response_max_at\":\"5\",\"period_min\":\"900000\","
        "\"period_max\":\"1100000\"}],"
        "\"activations\":[{\"name\":\"stuck / "
        "delay\",\"count\":5,\"count_unmeasured\":0,\"response_max\":\"1000\",\"response_max_at\":\"7\"},"
        "{\"name\":\"whole / lock a / "
        "b\",\"count\":5,\"count_unmeasured\":0,\"response_max\":\"1000\",\"response_max_at\":\"7\"}],");
}

static void an_open_job_counts(void **state) {
    static const struct verdict cases[] = {
        { "deadline stuck 5ms", TK_EXPECT_FAIL, "it is 9.000 ms, of a job that is open at the end, not <= 5ms" },
        { "deadline stuck 5ms ; coverage >= 1%", TK_EXPECT_FAIL, "open at the end" },
        { "deadline stuck 9ms", TK_EXPECT_PASS, "" },
        { "jobs[stuck].response_max<9ms", TK_EXPECT_FAIL, "open at the end" },
        { "deadline never done 5ms", TK_EXPECT_FAIL, "at least 9.000 ms" },
        { "deadline never done 9ms", TK_EXPECT_UNMEASURED, "no complete job" },
        { "deadline stuck 5ms from delay", TK_EXPECT_UNMEASURED, "open at the end" }, // it may be of another wait
        { "deadline stuck 9ms from delay", TK_EXPECT_PASS, "" },
        { "deadline stuck 1us from receive*", TK_EXPECT_UNMEASURED, "no row" },
        { "deadline whole 1us from lock a / b", TK_EXPECT_PASS, "" },
        { "deadline whole 1us from b", TK_EXPECT_UNMEASURED, "no row" },
        { "deadline wh*le 1us from lock*", TK_EXPECT_PASS, "" },
        { "deadline a 5ms from b 1us", TK_EXPECT_UNMEASURED, "no row" }, // the first value counts
        { "deadline a 5ms* 1us", TK_EXPECT_PASS, "" },
        { "deadline *never* 9ms ; missing_ok", TK_EXPECT_UNMEASURED, "no complete job" },
        { "deadline whole -5ms", TK_EXPECT_INVALID, "deadline" },
        { "deadline whole", TK_EXPECT_INVALID, "deadline" },
        { "deadline 5ms", TK_EXPECT_INVALID, "deadline" },
        { "deadline whole 5ms from ", TK_EXPECT_INVALID, "deadline" },
        { "deadline whole 5 ms", TK_EXPECT_PASS, "" },
        { "deadline whole 5ms ; window 10ms", TK_EXPECT_INVALID, "the options after" },
        { "period whole 1ms +- 10%", TK_EXPECT_PASS, "" },
        { "period whole 1ms +- 99999ns", TK_EXPECT_FAIL, "not" },
        { "period whole 1050us +- 10%", TK_EXPECT_FAIL, "it is 900.000 us, not >= 945.000 us" },
        { "period whole 950us +- 10%", TK_EXPECT_FAIL, "it is 1.100 ms, not <= 1.045 ms" },
        { "period many 1ms +- 10%", TK_EXPECT_FAIL, "" },
        { "period many 100ns +- 10%", TK_EXPECT_UNMEASURED, "10 of 1000" },
        { "period many 100ns +- 10% ; coverage >= 99%", TK_EXPECT_PASS, "" },
        { "period whole 1ms +- 101%", TK_EXPECT_INVALID, "" },
        { "period whole 1ms +- -1us", TK_EXPECT_INVALID, "" },
        { "period stuck 1ms +- 1%", TK_EXPECT_UNMEASURED, "not measured" },
    };
    (void)state;
    tk_report *report = report_of_jobs();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[TK_EXPECT_TEXT];
        tk_expectation found = tk_report_expect(report, cases[i].text, text);
        bool has_words = cases[i].expected == TK_EXPECT_PASS ? !*text : strstr(text, cases[i].words) != NULL;
        if (found != cases[i].expected || !has_words) fail_msg("%s: %d, %s", cases[i].text, (int)found, text);
    }
    tk_report_free(report);
}

// 990 of 1000 jobs are measured: the median of all is between their ranks 490 and 500, the 99th percentile between 980
// and 990.
static void a_percentile_lies_between_two_ranks(void **state) {
    static const struct verdict cases[] = {
        { "jobs[many].response_p50<=2560ns", TK_EXPECT_PASS, "" }, // rank 500 is below that of p95
        { "jobs[many].response_p50<2560ns", TK_EXPECT_UNMEASURED, "between 100 ns and 2.560 us: 10 of 1000" },
        { "jobs[many].response_p50<100ns", TK_EXPECT_FAIL, "at least 100 ns" },
        { "jobs[many].response_p95<=5120ns", TK_EXPECT_PASS, "" },
        { "jobs[many].response_p95<1270ns", TK_EXPECT_FAIL, "at least 1.270 us" }, // p50 - 1/128
        { "jobs[many].response_p99<=9us", TK_EXPECT_PASS, "" },
        { "jobs[many].response_p99<2540ns", TK_EXPECT_FAIL, "" }, // p95 - 1/128
        { "jobs[whole].response_p95<=2560ns", TK_EXPECT_PASS, "" },
        { "jobs[whole].response_p95<2560ns", TK_EXPECT_UNMEASURED, "rounds percentiles up" },
        { "jobs[whole].response_p95<2540ns", TK_EXPECT_FAIL, "it is 2.560 us" },
        { "jobs[whole].response_p95>2550ns", TK_EXPECT_UNMEASURED, "between 2.540 us and 2.560 us" },
    };
    (void)state;
    tk_report *report = report_of_jobs();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[TK_EXPECT_TEXT];
        tk_expectation found = tk_report_expect(report, cases[i].text, text);
        if (found != cases[i].expected || !strstr(text, cases[i].words))
            fail_msg("%s: %d, %s", cases[i].text, (int)found, text);
    }
    tk_report_free(report);
}

// A core with the largest load in windows that begin with a step of 1/64 of their length, and one with losses.
static void the_largest_load_is_at_least_that(void **state) {
    static const char columns[] = "{\"id\":\"load_windows\",\"columns\":[\"name\",\"losses\",\"load_10ms_max\","
                                  "\"load_10ms_max_at\",\"load_100ms_max\",\"load_100ms_max_at\"]},";
    static const struct verdict cases[] = {
        { "load_windows[whole].load_10ms_max<90%", TK_EXPECT_PASS, "" },
        { "load_windows[whole].load_10ms_max<81%", TK_EXPECT_UNMEASURED, "a step of 1/64" },
        { "load_windows[whole].load_10ms_max<80%", TK_EXPECT_FAIL, "it is 80.0 %" },
        { "load_windows[whole].load_10ms_max>=80%", TK_EXPECT_PASS, "" },
        { "load_windows[whole].load_100ms_max<=100%", TK_EXPECT_PASS, "" },
        { "load_windows[lossy].load_10ms_max<90%", TK_EXPECT_UNMEASURED, "windows with a loss" },
        { "load_windows[lossy].load_10ms_max>70%", TK_EXPECT_PASS, "" },
        { "load_windows[lossy].load_10ms_max<70%", TK_EXPECT_FAIL, "at least 80.0 %" },
    };
    (void)state;
    tk_report *report =
        report_of(columns,
                  "\"load_windows\":[{\"name\":\"whole\",\"losses\":0,\"load_10ms_max\":0.8,\"load_10ms_max_at\":\"7\","
                  "\"load_100ms_max\":0.99,\"load_100ms_max_at\":\"7\"},"
                  "{\"name\":\"lossy\",\"losses\":2,\"load_10ms_max\":0.8,\"load_10ms_max_at\":\"7\","
                  "\"load_100ms_max\":null,\"load_100ms_max_at\":null}],");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[TK_EXPECT_TEXT];
        tk_expectation found = tk_report_expect(report, cases[i].text, text);
        if (found != cases[i].expected || !strstr(text, cases[i].words))
            fail_msg("%s: %d, %s", cases[i].text, (int)found, text);
    }
    tk_report_free(report);
}

// 1000 measured jobs of "whole": 500 take at most 1280 ns, 950 at most 2560 ns, 990 at most 5120 ns.
static void missed_deadlines_are_counted(void **state) {
    static const char worst[] =
        "{\"id\":\"worst_jobs\",\"title\":\"W\",\"shape\":\"list\",\"columns\":["
        "{\"key\":\"name\",\"title\":\"Task\",\"kind\":\"name\",\"role\":\"value\"},"
        "{\"key\":\"response\",\"title\":\"R\",\"kind\":\"duration\",\"role\":\"value\"}]},"
        "{\"id\":\"jobs\",\"columns\":[\"name\",\"count\",\"count_unmeasured\",\"response_max\"]},";
    static const struct verdict by_rank[] = {
        { "deadline whole 8us", TK_EXPECT_FAIL, "not <= 8us, missed by 1 to 10 of 1000 jobs" },
        { "deadline whole 5119ns", TK_EXPECT_FAIL, "missed by 1 to 50 of 1000 jobs" }, // p99 may be rounded up
        { "deadline whole 5us", TK_EXPECT_FAIL, "missed by 11 to 50 of 1000 jobs" },
        { "deadline whole 1us", TK_EXPECT_FAIL, "missed by 501 to 1000 of 1000 jobs" },
        { "deadline many 8us", TK_EXPECT_FAIL, "missed by 1 to 9 of 990 jobs" },
        { "deadline stuck 5ms", TK_EXPECT_FAIL, "not <= 5ms" },
    };
    static const char ranges[] =
        "{\"id\":\"job_distribution\",\"title\":\"D\",\"shape\":\"details\",\"columns\":["
        "{\"key\":\"name\",\"title\":\"Task\",\"kind\":\"name\",\"role\":\"value\"},"
        "{\"key\":\"up_to\",\"title\":\"T\",\"kind\":\"duration\",\"role\":\"key\"},"
        "{\"key\":\"jobs\",\"title\":\"Jobs\",\"kind\":\"count\",\"role\":\"value\"}]},"
        "{\"id\":\"jobs\",\"columns\":[\"name\",\"count\",\"count_unmeasured\",\"response_max\"]},";
    static const struct verdict by_range[] = {
        { "deadline a 1us", TK_EXPECT_FAIL, "missed by 60 of 100 jobs" },
        { "deadline a 1500ns", TK_EXPECT_FAIL, "missed by 10 to 60 of 100 jobs" },
        { "deadline a 2us", TK_EXPECT_FAIL, "missed by 10 of 100 jobs" },
        { "deadline a 500ns", TK_EXPECT_FAIL, "missed by 60 to 100 of 100 jobs" },
        { "deadline b 1500ns", TK_EXPECT_FAIL, "missed by 1 to 100 of 100 jobs" }, // its ranges lack jobs
    };
    static const struct verdict by_list[] = {
        { "deadline a 5us", TK_EXPECT_FAIL, "missed by 2 of 9 jobs" },
        { "deadline a 1us", TK_EXPECT_FAIL, "missed by 3 to 9 of 9 jobs" },
        { "deadline b 1us", TK_EXPECT_FAIL, "missed by 1 of 1 job" },
    };
    (void)state;
    tk_report *ranks = report_of_jobs(),
              *list = report_of(
                  worst,
                  "\"jobs\":[{\"name\":\"a\",\"count\":9,\"count_unmeasured\":0,\"response_max\":\"9000\"},"
                  "{\"name\":\"b\",\"count\":1,\"count_unmeasured\":0,\"response_max\":\"9000\"}],"
                  "\"worst_jobs\":[{\"name\":\"a\",\"response\":\"9000\"},{\"name\":\"a\",\"response\":\"6000\"},"
                  "{\"name\":\"a\",\"response\":\"4000\"},{\"name\":\"b\",\"response\":\"9000\"}],");
    tk_report *distribution =
        report_of(ranges,
                  "\"jobs\":[{\"name\":\"a\",\"count\":100,\"count_unmeasured\":0,\"response_max\":\"9000\"},"
                  "{\"name\":\"b\",\"count\":100,\"count_unmeasured\":0,\"response_max\":\"9000\"}],"
                  "\"job_distribution\":[{\"name\":\"a\",\"up_to\":\"1000\",\"jobs\":40},"
                  "{\"name\":\"b\",\"up_to\":\"1000\",\"jobs\":40},"
                  "{\"name\":\"a\",\"up_to\":\"2000\",\"jobs\":50},{\"name\":\"a\",\"up_to\":\"10000\",\"jobs\":10}],");
    char text[TK_EXPECT_TEXT];
    for (size_t i = 0; i < sizeof by_range / sizeof *by_range; i++)
        if (tk_report_expect(distribution, by_range[i].text, text) != by_range[i].expected ||
            !strstr(text, by_range[i].words))
            fail_msg("%s: %s", by_range[i].text, text);
    tk_report_free(distribution);
    for (size_t i = 0; i < sizeof by_rank / sizeof *by_rank; i++)
        if (tk_report_expect(ranks, by_rank[i].text, text) != by_rank[i].expected || !strstr(text, by_rank[i].words))
            fail_msg("%s: %s", by_rank[i].text, text);
    for (size_t i = 0; i < sizeof by_list / sizeof *by_list; i++)
        if (tk_report_expect(list, by_list[i].text, text) != by_list[i].expected || !strstr(text, by_list[i].words))
            fail_msg("%s: %s", by_list[i].text, text);
    tk_report_free(ranks);
    tk_report_free(list);
}

// Late jobs that the report has counted. The names of two tasks are equal, and one is that of a wait of another task.
static void counted_late_jobs_are_exact(void **state) {
    static const char tables[] =
        "{\"id\":\"jobs\",\"columns\":[\"name\",\"count\",\"count_unmeasured\",\"response_max\"]},"
        "{\"id\":\"activations\",\"columns\":[\"name\",\"count\",\"count_unmeasured\",\"response_max\"]},"
        "{\"id\":\"deadlines\",\"columns\":[\"name\",\"wait\",\"deadline\",\"count\",\"count_unmeasured\","
        "\"late\"]},";
    static const struct verdict cases[] = {
        { "deadline a 1us", TK_EXPECT_FAIL, "missed by 41 of 99 jobs" },
        { "deadline a 1000ns", TK_EXPECT_FAIL, "missed by 1 to 99 of 99 jobs" }, // another text than before
        { "deadline a 1us from delay", TK_EXPECT_FAIL, "missed by 30 of 50 jobs" },
        { "deadline a / delay 1us", TK_EXPECT_FAIL, "missed by 7 of 10 jobs" },
        { "deadline a 2us", TK_EXPECT_FAIL, "missed by 1 to 99 of 99 jobs" }, // unknown there
        { "deadline twin 1us", TK_EXPECT_FAIL, "missed by 1 to 10 of 10 jobs" },
        { "deadline other 1us", TK_EXPECT_FAIL, "missed by 1 to 10 of 10 jobs" }, // of another number of jobs
        { "deadlines[a].late <= 41", TK_EXPECT_UNMEASURED, "between 41 and 42: 1 occurrences were not measured" },
        { "deadlines[a / delay].late == 7", TK_EXPECT_PASS, "" },
        { "deadlines[a / delay].late <= 6", TK_EXPECT_FAIL, "it is 7, not <= 6" },
    };
    (void)state;
    tk_report *report =
        report_of(tables, "\"jobs\":[{\"name\":\"a\",\"count\":100,\"count_unmeasured\":1,\"response_max\":\"9000\"},"
                          "{\"name\":\"a / delay\",\"count\":10,\"count_unmeasured\":0,\"response_max\":\"9000\"},"
                          "{\"name\":\"twin\",\"count\":10,\"count_unmeasured\":0,\"response_max\":\"9000\"},"
                          "{\"name\":\"twin\",\"count\":10,\"count_unmeasured\":0,\"response_max\":\"9000\"},"
                          "{\"name\":\"other\",\"count\":10,\"count_unmeasured\":0,\"response_max\":\"9000\"}],"
                          "\"activations\":[{\"name\":\"a / "
                          "delay\",\"count\":50,\"count_unmeasured\":0,\"response_max\":\"9000\"}],"
                          "\"deadlines\":["
                          "{\"name\":\"a\",\"wait\":null,\"deadline\":\"1us\",\"count\":100,\"count_unmeasured\":1,"
                          "\"late\":41},"
                          "{\"name\":\"a\",\"wait\":\"delay\",\"deadline\":\"1us\",\"count\":50,\"count_unmeasured\":0,"
                          "\"late\":30},"
                          "{\"name\":\"a / "
                          "delay\",\"wait\":null,\"deadline\":\"1us\",\"count\":10,\"count_unmeasured\":0,\"late\":7},"
                          "{\"name\":\"a\",\"wait\":null,\"deadline\":\"2us\",\"count\":100,\"count_unmeasured\":1,"
                          "\"late\":null},"
                          "{\"name\":\"twin\",\"wait\":null,\"deadline\":\"1us\",\"count\":10,\"count_unmeasured\":0,"
                          "\"late\":3},"
                          "{\"name\":\"other\",\"wait\":null,\"deadline\":\"1us\",\"count\":11,\"count_unmeasured\":0,"
                          "\"late\":3}],");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[TK_EXPECT_TEXT];
        tk_expectation found = tk_report_expect(report, cases[i].text, text);
        if (found != cases[i].expected || !strstr(text, cases[i].words))
            fail_msg("%s: %d, %s", cases[i].text, (int)found, text);
    }
    tk_report_free(report);
}

// ---- Findings and completeness ----

static void findings_are_counted(void **state) {
    static const struct verdict cases[] = {
        { "findings none", TK_EXPECT_FAIL, "2 findings, the first: overrun: late" },
        { "findings <= 1", TK_EXPECT_FAIL, "2 findings" },
        { "findings <= 2", TK_EXPECT_PASS, "" },
        { "findings <= 2 ; missing_ok", TK_EXPECT_INVALID, "" },
        { "findings none no_such_rule", TK_EXPECT_INVALID, "no rule \"no_such_rule\"" },
    };
    static const char table[] = "{\"id\":\"findings\",\"title\":\"F\",\"shape\":\"list\",\"columns\":[{\"key\":"
                                "\"rule\",\"title\":\"Rule\",\"kind\":\"name\",\"role\":\"value\"},"
                                "{\"key\":\"text\",\"title\":\"T\",\"kind\":\"text\",\"role\":\"value\"}]},";
    (void)state;
    tk_report *report = report_of(
        table, "\"findings\":[{\"rule\":\"overrun\",\"text\":\"late\"},{\"rule\":\"jitter\",\"text\":\"x\"}],");
    tk_report *none = report_of(table, "\"findings\":[],"), *without = report_of("", "");
    char text[TK_EXPECT_TEXT];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        tk_expectation found = tk_report_expect(report, cases[i].text, text);
        if (found != cases[i].expected || !strstr(text, cases[i].words))
            fail_msg("%s: %d, %s", cases[i].text, (int)found, text);
    }
    assert_int_equal(tk_report_expect(none, "findings none", text), TK_EXPECT_PASS);
    assert_int_equal(tk_report_expect(without, "findings none", text), TK_EXPECT_UNMEASURED);
    assert_int_equal(tk_report_expect(without, "recording complete", text), TK_EXPECT_UNMEASURED); // no table of
                                                                                                   // problems
    tk_report_free(report);
    tk_report_free(none);
    tk_report_free(without);
}

static void a_rule_that_was_not_examined_proves_nothing(void **state) {
    static const struct verdict cases[] = {
        { "findings none overrun", TK_EXPECT_PASS, "" },
        { "findings none jitter", TK_EXPECT_UNMEASURED, "no task has 20 measured periods" },
        { "findings none inversion", TK_EXPECT_FAIL, "1 finding: inversion: late" }, // also if found only in part
        { "findings <= 1 inversion", TK_EXPECT_UNMEASURED, "only in part" },
        { "findings <= 1", TK_EXPECT_PASS, "" },
    };
    (void)state;
    tk_report *report = report_of(
        "{\"id\":\"findings\",\"columns\":[\"rule\",\"text\"]},{\"id\":\"not_examined\",\"columns\":[\"rule\","
        "\"reason\"]},",
        "\"findings\":[{\"rule\":\"inversion\",\"text\":\"late\"}],\"not_examined\":[{\"rule\":\"jitter\","
        "\"reason\":\"no task has 20 measured periods\"},{\"rule\":\"inversion\",\"reason\":\"only in part: "
        "events are missing\"}],");
    char text[TK_EXPECT_TEXT];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        tk_expectation found = tk_report_expect(report, cases[i].text, text);
        if (found != cases[i].expected || !strstr(text, cases[i].words))
            fail_msg("%s: %d, %s", cases[i].text, (int)found, text);
    }
    tk_report_free(report);
}

// ---- Baselines ----

// Returns the verdict on a rule about a report, with a baseline of the same table.
static tk_expectation with_baseline(const char *rule, const char *rows, const char *before, const char *unit,
                                    int exit_code) {
    char json[1024];
    tk_check *check;
    static const char table[] = "{\"id\":\"jobs\",\"columns\":[\"name\",\"count\",\"count_unmeasured\",\"response_"
                                "max\"]},";
    tk_report *report = report_of(table, rows);
    int len = snprintf(json, sizeof json,
                       "{\"schema\":4,\"time_unit\":\"%s\",\"time_certainty\":\"measured\",\"tables\":[%s"
                       "{\"id\":\"time\",\"columns\":[\"duration\"]}],%s\"time\":{\"duration\":\"1000\"}}",
                       unit, table, before);
    assert_true(len > 0 && (size_t)len < sizeof json);
    assert_int_equal(tk_check_new(tk_libc_allocator(), "r", rule, strlen(rule), &check), TK_OK);
    assert_int_equal(tk_check_set_baseline(check, "b", json, (size_t)len), TK_OK);
    assert_false(tk_check_is_wrong(check));
    assert_int_equal(tk_check_judge(check, report, "a"), TK_OK);
    assert_int_equal(tk_check_exit_code(check), exit_code);
    tk_expectation verdict = check->results[0].verdict;
    tk_check_free(check);
    tk_report_free(report);
    return verdict;
}

#define JOB(name, longest) "{\"name\":\"" name "\",\"count\":5,\"count_unmeasured\":0,\"response_max\":" longest "}"

static void rows_of_one_name_are_compared_by_their_order(void **state) {
    static const char now[] = "\"jobs\":[" JOB("a", "\"1000\"") "," JOB("b", "\"7\"") "," JOB("a", "\"5000\"") "],",
                      same[] = "\"jobs\":[" JOB("a", "\"1000\"") "," JOB("a", "\"5000\"") "],",
                      swapped[] = "\"jobs\":[" JOB("a", "\"5000\"") "," JOB("a", "\"1000\"") "],",
                      fewer[] = "\"jobs\":[" JOB("a", "\"9000\"") "],",
                      unmeasured[] = "\"jobs\":[" JOB("a", "\"9000\"") "," JOB("a", "null") "],";
    static const char rule[] = "jobs[a].response_max<=baseline";
    (void)state;
    assert_int_equal(with_baseline(rule, now, same, "ns", 0), TK_EXPECT_PASS);
    assert_int_equal(with_baseline(rule, now, swapped, "ns", 1), TK_EXPECT_FAIL);
    assert_int_equal(with_baseline(rule, now, fewer, "ns", 1), TK_EXPECT_UNMEASURED);
    assert_int_equal(with_baseline(rule, now, unmeasured, "ns", 1), TK_EXPECT_UNMEASURED);
    assert_int_equal(with_baseline(rule, now, same, "ticks", 2), TK_EXPECT_INVALID);
}

// ---- Files ----

static bool count_bytes(void *ctx, const char *text, size_t len) {
    (void)text;
    *(size_t *)ctx += len;
    return true;
}

static bool refuse(void *ctx, const char *text, size_t len) {
    (void)ctx, (void)text, (void)len;
    return false;
}

static void write_every_form(const tk_check *check) {
    for (int form = TK_CHECK_TEXT; form <= TK_CHECK_JSON; form++) {
        size_t len = 0;
        assert_int_equal(tk_check_write(check, (tk_check_form)form, count_bytes, &len), TK_OK);
        if (form == TK_CHECK_GITHUB && !len) continue; // no annotation for a rule that holds
        assert_true(len > 10);
        assert_int_equal(tk_check_write(check, (tk_check_form)form, refuse, NULL), TK_SINK_REFUSED);
    }
}

static void a_check_without_an_input_is_not_green(void **state) {
    static const char rules[] = "recording lost <= 0\n";
    tk_check *check;
    (void)state;
    assert_int_equal(tk_check_new(tk_libc_allocator(), "r", rules, sizeof rules - 1, &check), TK_OK);
    assert_false(tk_check_is_wrong(check));
    assert_int_equal(tk_check_exit_code(check), TK_EXIT_INPUT);
    write_every_form(check);
    tk_check_free(check);
}

static void a_file_that_is_no_utf8_is_wrong(void **state) {
    static const char *const files[] = { "recording complete\n\xff\n", "recording complete\n# \xc3(\nx[\xc3(].y<1\n",
                                         "\xff\xfe"
                                         "r" };
    (void)state;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        tk_check *check;
        assert_int_equal(tk_check_new(tk_libc_allocator(), "r", files[i], strlen(files[i]), &check), TK_OK);
        assert_true(tk_check_is_wrong(check));
        assert_int_equal(tk_check_exit_code(check), TK_EXIT_USAGE);
        tk_check_free(check);
    }
}

// An allocator that fails from the allocation `left` on.
static void *fail_later(void *ctx, void *memory, size_t old_size, size_t size) {
    int *left = ctx;
    if (size && (*left)-- <= 0) return NULL;
    return tk_libc_allocator()->realloc(tk_libc_allocator()->ctx, memory, old_size, size);
}

static void without_memory_no_check_is_green(void **state) {
    static const char rules[] = "recording lost <= 0\ndeadline whole 1s ; missing_ok\n";
    bool is_done = false;
    (void)state;
    tk_report *report = report_of_jobs();
    for (int most = 0; !is_done; most++) {
        int left = most;
        const struct tk_allocator allocator = { fail_later, &left };
        tk_check *check;
        assert_in_range(most, 0, 100);
        if (tk_check_new(&allocator, "r", rules, sizeof rules - 1, &check) != TK_OK) continue;
        is_done = tk_check_judge(check, report, "a") == TK_OK;
        assert_int_equal(tk_check_exit_code(check), is_done ? TK_EXIT_PROBLEMS : TK_EXIT_INPUT);
        tk_check_free(check);
    }
    tk_report_free(report);
}

static void hostile_texts_are_wrong_or_have_a_verdict(void **state) {
    static const char pieces[] =
        "deadline period findings none recording lost<= complete +- from 5ms 10% ; rows>=1 missing_ok "
        "window jobs[*].response_max <= baseline*1.5+ -\\]#\n\r\t\xff\xc2\xb5:";
    uint64_t random = 1;
    (void)state;
    tk_report *report = report_of_jobs();
    for (int round = 0; round < 3000; round++) {
        char text[200];
        size_t len = 0;
        while (len < sizeof text - 12) {
            random = random * 6364136223846793005u + 1442695040888963407u;
            size_t at = (size_t)(random >> 33) % (sizeof pieces - 1), most = (size_t)(random >> 60) + 1;
            for (size_t i = 0; i < most && at + i < sizeof pieces - 1 && len < sizeof text; i++)
                text[len++] = pieces[at + i];
        }
        tk_check *check;
        assert_int_equal(tk_check_new(tk_libc_allocator(), "r", text, len, &check), TK_OK);
        if (!tk_check_is_wrong(check)) assert_int_equal(tk_check_judge(check, report, "a"), TK_OK);
        write_every_form(check);
        tk_check_free(check);
    }
    tk_report_free(report);
}

static void an_open_wait_counts(void **state) {
    static const struct verdict cases[] = {
        { "waits[delay].longest<5ms", TK_EXPECT_PASS, "" }, // open for a shorter time
        { "waits[receive].longest<5ms", TK_EXPECT_FAIL,
          "it is 9.000 ms, of a wait that is open at the end, not < 5ms" },
        { "waits[receive].longest<10ms", TK_EXPECT_PASS, "" },
        { "waits[never].longest<5ms", TK_EXPECT_FAIL, "at least 9.000 ms" },
        { "waits[never].longest<10ms", TK_EXPECT_UNMEASURED, "no complete wait" },
        { "waits[lost].longest<10ms", TK_EXPECT_UNMEASURED, "1 of 5" },
        { "waits[lost].longest<8ms", TK_EXPECT_FAIL, "open at the end" }, // whatever the lost one was
    };
    (void)state;
    tk_report *report = report_of(
        "{\"id\":\"waits\",\"columns\":[\"name\",\"count\",\"count_unmeasured\",\"longest\",\"longest_at\",\"open_"
        "for\"]},",
        "\"waits\":[{\"name\":\"delay\",\"count\":5,\"count_unmeasured\":0,\"longest\":\"1000\",\"open_for\":\"500\"},"
        "{\"name\":\"receive\",\"count\":5,\"count_unmeasured\":0,\"longest\":\"1000\",\"open_for\":\"9000000\"},"
        "{\"name\":\"never\",\"count\":0,\"count_unmeasured\":0,\"longest\":null,\"open_for\":\"9000000\"},"
        "{\"name\":\"lost\",\"count\":5,\"count_unmeasured\":1,\"longest\":\"1000\",\"open_for\":\"9000000\"}],");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[TK_EXPECT_TEXT];
        tk_expectation found = tk_report_expect(report, cases[i].text, text);
        bool has_words = cases[i].expected == TK_EXPECT_PASS ? !*text : strstr(text, cases[i].words) != NULL;
        if (found != cases[i].expected || !has_words) fail_msg("%s: %d, %s", cases[i].text, (int)found, text);
    }
    tk_report_free(report);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_open_job_counts),
        cmocka_unit_test(an_open_wait_counts),
        cmocka_unit_test(a_percentile_lies_between_two_ranks),
        cmocka_unit_test(missed_deadlines_are_counted),
        cmocka_unit_test(counted_late_jobs_are_exact),
        cmocka_unit_test(the_largest_load_is_at_least_that),
        cmocka_unit_test(findings_are_counted),
        cmocka_unit_test(a_rule_that_was_not_examined_proves_nothing),
        cmocka_unit_test(rows_of_one_name_are_compared_by_their_order),
        cmocka_unit_test(a_file_that_is_no_utf8_is_wrong),
        cmocka_unit_test(without_memory_no_check_is_green),
        cmocka_unit_test(a_check_without_an_input_is_not_green),
        cmocka_unit_test(hostile_texts_are_wrong_or_have_a_verdict),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
