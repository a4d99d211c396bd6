// SPDX-License-Identifier: MIT
//
// That the JSON parses and has the promised shape is shown in tests/report; here its values, the text form,
// the explanations and the limits.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../report/sample.h"

#include "base/utf8.h"

static struct sample sample;

struct page {
    char text[200000];
    size_t len;
    unsigned calls, refuse_at; // 0: never
};
static struct page page;

static bool to_page(void *ctx, const char *text, size_t len) {
    struct page *to = ctx;
    if (++to->calls == to->refuse_at) return false;
    assert_true(to->len + len < sizeof to->text);
    memcpy(to->text + to->len, text, len);
    to->len += len;
    to->text[to->len] = 0;
    return true;
}

static const char *json(enum sample_kind kind) {
    sample_init(&sample, kind);
    page = (struct page){.len = 0};
    assert_true(tk_report_write_json(&sample.report, to_page, &page));
    sample_deinit(&sample);
    return page.text;
}

static const char *text(enum sample_kind kind) {
    sample_init(&sample, kind);
    page = (struct page){.len = 0};
    assert_true(tk_report_write_text(&sample.report, to_page, &page));
    sample_deinit(&sample);
    return page.text;
}

static void contains(const char *where, const char *what) {
    if (!strstr(where, what)) fail_msg("not found: %s\nin: %.3000s", what, where);
}

static unsigned occurrences(const char *where, const char *what) {
    unsigned count = 0;
    while ((where = strstr(where, what))) count++, where++;
    return count;
}

// ---- JSON ----

static void json_tells_the_figures(void **state) {
    (void)state;
    const char *out = json(SAMPLE_FULL);
    contains(out, "{\"tool\":\"Tonkopf 0.1.0\",\"format\":{\"name\":\"tonbandgeraet\",\"title\":\"Tonbandgeraet\",\"mode\":\"freertos\"},");
    contains(out, "{\"name\":\"capture.bin\",\"role\":\"recording\",\"bytes\":\"28311\",\"decoded\":\"28000\",\"skipped\":\"302\",\"skippedBy\":[{\"id\":\"FRAME_BROKEN\",\"bytes\":\"212\"},{\"id\":\"TEXT_SKIPPED\",\"bytes\":\"90\"}],\"left\":\"9\",\"frames\":2761,\"core\":0,\"facts\":[\"QP/C 8.1.0, built 2026-05-04 03:02:01\",\"Sizes inferred: \\\"time stamp\\\" 4, object 4\"]}");
    contains(out, "{\"name\":\"names.bin\",\"role\":\"side\",\"bytes\":\"28311\",\"decoded\":\"28000\",\"skipped\":\"302\",\"skippedBy\":[{\"id\":\"FRAME_BROKEN\",\"bytes\":\"212\"},{\"id\":\"TEXT_SKIPPED\",\"bytes\":\"90\"}],\"left\":\"9\",\"frames\":2761,\"core\":null,\"facts\":[]}");
    contains(out, "\"tick\":{\"ns\":\"1000\",\"source\":\"recording\",\"late\":false,\"countsPerTick\":null}");
    contains(out, "\"time\":{\"startNs\":\"1000000\",\"endNs\":\"2000000\",\"durationNs\":\"1000000\"}");
    contains(out, "{\"core\":0,\"busyNs\":\"294000\",\"idleNs\":\"679000\",\"interruptNs\":\"27000\",\"outsideNs\":\"0\",\"notMeasuredNs\":\"0\",\"endNs\":\"2000000\"}");
    contains(out, "\"events\":{\"total\":22,\"byKind\":[{\"kind\":\"kind 1\",\"count\":1},{\"kind\":\"task switched in\",\"count\":21}]}");
    contains(out, "\"drops\":{\"count\":34,\"beforeStart\":500},\"restarts\":1,");
    contains(out, "\"explain\":[],");
    contains(out, "\"output\":{\"bytes\":\"60100\",\"packets\":3456},\"view\":{\"expand\":[\"^Target$\",\"^Interrupts$\"],\"collapse\":[\"^CPU Scheduling$\"],\"pin\":[\"^CPU \\\\d+$\"]}}");
}

static void json_tells_the_entities(void **state) {
    (void)state;
    const char *out = json(SAMPLE_FULL);
    contains(out, "{\"id\":1,\"pid\":300,\"name\":\"control\",\"idle\":false,\"priority\":5,\"cpuNs\":\"250000\",\"share\":0.25,\"runs\":1,\"runsNotMeasured\":0,\"waits\":1,\"waitsNotMeasured\":0,"
                  "\"longestWaitNs\":\"650000\",\"longestWaitOn\":\"receive from commands\",\"longestWaitAtNs\":\"1250000\"}");
    contains(out, "\"name\":\"IDLE\",\"idle\":true,");
    contains(out, "\"name\":\"logger\",\"idle\":false,\"priority\":null,\"cpuNs\":\"50000\",\"share\":0.05,\"runs\":1,\"runsNotMeasured\":0,\"waits\":0,\"waitsNotMeasured\":0,\"longestWaitNs\":\"0\",\"longestWaitOn\":\"\",\"longestWaitAtNs\":null}");
    contains(out, "{\"core\":0,\"id\":15,\"name\":\"SysTick\",\"count\":9,\"notMeasured\":0,\"totalNs\":\"27000\",\"minNs\":\"2000\",\"meanNs\":\"3000\",\"maxNs\":\"4000\",\"maxAtNs\":\"1100000\","
                  "\"periodMinNs\":\"100000\",\"periodMeanNs\":\"100000\",\"periodMaxNs\":\"100000\"}");
    contains(out, "\"name\":\"UART\",\"count\":0,\"notMeasured\":0,\"totalNs\":\"0\",\"minNs\":\"0\",\"meanNs\":\"0\",\"maxNs\":\"0\",\"maxAtNs\":null,");
    contains(out, "{\"id\":1,\"name\":\"commands\",\"kind\":\"queue\",\"operations\":1,\"maxFill\":4}");
}

static void json_tells_the_problems_worst_first(void **state) {
    (void)state;
    const char *out = json(SAMPLE_FULL);
    const char *dropped = strstr(out, "\"DROPPED\""), *unknown = strstr(out, "\"EVENT_UNKNOWN\""), *empty = strstr(out, "\"FRAME_EMPTY\"");
    assert_true(dropped && unknown && empty && dropped < unknown && unknown < empty);
    contains(out, "\"count\":1,\"input\":0,\"offset\":null,\"frame\":null,\"timeNs\":\"1500000\",\"hex\":\"\",\"detail\":\"34 events\"}");
    contains(out, "\"count\":1,\"input\":0,\"offset\":\"4711\",\"frame\":321,\"timeNs\":\"1750000\",\"hex\":\"5b 7f 02\",\"detail\":\"id 0x34\"}");
    contains(out, "\"count\":2,\"input\":0,\"offset\":null,\"frame\":null,\"timeNs\":null,\"hex\":\"\",\"detail\":\"\"}");
}

static void json_draws_the_strip(void **state) {
    (void)state;
    const char *out = json(SAMPLE_FULL);
    contains(out, "\"strip\":{\"startNs\":\"1000000\",\"bucketNs\":\"4000\",\"rows\":[{\"name\":\"control\",\"kind\":\"task\",\"core\":null,\"busy\":[1,1,1,");
    contains(out, "{\"name\":\"IDLE\",\"kind\":\"idle\",\"core\":null,\"busy\":[0,0,");
    contains(out, "0,0.5,1,1,1,"); // the switch at 1250 lies in the middle of a bucket of 4
    contains(out, "{\"name\":\"SysTick\",\"kind\":\"interrupt\",\"core\":0,\"busy\":[0,");
    contains(out, "{\"name\":\"cycle\",\"kind\":\"marker\",\"core\":null,\"busy\":[0,");
    assert_int_equal(occurrences(strstr(out, "\"strip\""), "\"kind\":"), 5); // UART never ran
}

static void json_of_nothing_is_complete(void **state) {
    (void)state;
    const char *out = json(SAMPLE_EMPTY);
    contains(out, "\"cores\":[],\"events\":{\"total\":0,\"byKind\":[]},\"tasks\":[],\"interrupts\":[],\"queues\":[],");
    contains(out, "\"problems\":[],\"explain\":[\"The recording is empty");
    contains(out, "\"rows\":[]}");
}

static void json_escapes_what_a_recording_says(void **state) {
    (void)state;
    const char *out = json(SAMPLE_HOSTILE);
    assert_int_equal(strlen(out), page.len);
    contains(out, "\"a\\\"b\\\\c\\u000a\\u001b[31m\\u007f");
    contains(out, "\\u0000</script>\xEF\xBF\xBD\xEF\xBF\xBD\"");
    contains(out, "\"Z\xc3\xa4hler \xe2\x82\xac \xf0\x9f\x98\x80 with a very long name indeed\"");
    assert_true(tk_utf8_is_clean((const uint8_t *)out, page.len));
    for (size_t i = 0; i < page.len; i++) assert_true((unsigned char)out[i] >= 0x20);
}

static void json_numbers_stay_exact(void **state) {
    (void)state;
    const char *out = json(SAMPLE_HOSTILE);
    contains(out, "\"durationNs\":\"18446744073709551615\"");
    contains(out, "\"frame\":9007199254740991,"); // the largest integer that JavaScript holds
    contains(out, "\"id\":4294967295,");
    contains(out, "\"share\":1,");
    assert_null(strstr(out, "\"id\":4294967292,")); // left out by its owner
}

// ---- Text ----

static void text_is_readable(void **state) {
    (void)state;
    const char *out = text(SAMPLE_FULL);
    contains(out, "Tonkopf 0.1.0\n\nInput         capture.bin: 28311 bytes, 2761 frames\n              28000 decoded, 302 skipped, 9 left over\n              core 0\n              QP/C 8.1.0, built 2026-05-04 03:02:01\n              Sizes inferred: \"time stamp\" 4, object 4\n");
    contains(out, "Format        Tonbandgeraet, mode freertos\nDuration      1.000 ms\nFrom          0.001000000 s to 0.002000000 s\nTick          1000 ns, named by the recording\n");
    contains(out, "Core 0        busy 29.4 %, idle 67.9 %, interrupts 2.7 %\n");
    contains(out, "Lost          34 events, before the start 500\nRestarts      1\n");
    contains(out, "\n  loss    Events lost on the target: 1 time, 34 events\n    first at 0.001500000 s\n    The target");
    contains(out, "\n  damage  Events of unknown kind: 1 time, id 0x34\n    first at byte 4711, frame 321 of capture.bin, 0.001750000 s: 5b 7f 02\n");
    contains(out, "\n  info    Empty frames: 2 times\n    Several");
    contains(out, "\nTasks\n"
                  "  name         id  prio    CPU time   share  runs  longest wait  waited for\n"
                  "  IDLE (idle)   2     0  700.000 us  70.0 %     1             -\n"
                  "  control       1     5  250.000 us  25.0 %     1    650.000 us  receive from commands\n"
                  "  logger        3     -   50.000 us   5.0 %     1             -\n");
    contains(out, "  SysTick     0      9  27.000 us  2.000 us  3.000 us  4.000 us  100.000 us / 100.000 us / 100.000 us\n");
    contains(out, "  commands   1  queue           1             4\n");
    contains(out, "  task switched in     21  95.5 %\n  kind 1                1   4.5 %\n");
    assert_null(strstr(out, " \n")); // no blanks at the ends of lines
}

static void text_of_nothing_explains_itself(void **state) {
    (void)state;
    const char *out = text(SAMPLE_EMPTY);
    contains(out, "Format        not recognised\nEvents        0\n");
    contains(out, "\nWhy there is so little to see\n  The recording is empty");
    contains(out, "\nNo problems\n");
    assert_null(strstr(out, "Tasks"));
}

static void text_cannot_steer_a_terminal(void **state) {
    (void)state;
    const char *out = text(SAMPLE_HOSTILE);
    assert_true(tk_utf8_is_clean((const uint8_t *)out, page.len));
    for (size_t i = 0; i < page.len; i++) {
        unsigned char c = (unsigned char)out[i];
        assert_true(c == '\n' || (c >= 0x20 && c != 0x7F));
        assert_false(c == 0xC2 && (unsigned char)out[i + 1] < 0xA0);
    }
    assert_null(strstr(out, "\xe2\x80\xae"));
    contains(out, "  Z\xc3\xa4hler \xe2\x82\xac \xf0\x9f\x98\x80 with a very long nam~ "); // 32 columns, none cut in the middle
    contains(out, "  and 19 more\n"); // 60 tasks, one left out, 40 shown
}

static void text_keeps_lines_short(void **state) {
    (void)state;
    const char *out = text(SAMPLE_FULL);
    for (const char *at = out; *at;) {
        size_t len = strcspn(at, "\n");
        assert_true(len <= 110);
        at += len + 1;
    }
}

// ---- Both ----

static void a_refused_write_stops_the_report(void **state) {
    (void)state;
    for (unsigned n = 1; n <= 2; n++) {
        sample_init(&sample, SAMPLE_HOSTILE);
        page = (struct page){.refuse_at = n};
        assert_false(tk_report_write_json(&sample.report, to_page, &page));
        assert_int_equal(page.calls, n); // never asked again
        page = (struct page){.refuse_at = n};
        assert_false(tk_report_write_text(&sample.report, to_page, &page));
        assert_int_equal(page.calls, n);
        sample_deinit(&sample);
    }
}

static void ns_saturate_and_means_do_not(void **state) {
    (void)state;
    struct tk_report report = {.tick_ns = 1000};
    assert_int_equal(tk_report_ns(&report, 7), 7000);
    assert_true(tk_report_ns(&report, UINT64_MAX / 1000) == UINT64_MAX / 1000 * 1000);
    assert_true(tk_report_ns(&report, UINT64_MAX / 1000 + 1) == UINT64_MAX);
    assert_int_equal(tk_report_mean_ns(&report, 10, 3), 3333);
    assert_int_equal(tk_report_mean_ns(&report, 10, 0), 0);
    assert_true(tk_report_mean_ns(&report, UINT64_MAX / 10, 1000) == UINT64_MAX / 10 / 1000 * 1000);
}

static void fractions_do_not_overflow(void **state) {
    (void)state;
    assert_int_equal(tk_report_fraction(1, 4, 1000), 250);
    assert_int_equal(tk_report_fraction(2, 3, 1000), 667);
    assert_int_equal(tk_report_fraction(0, 0, 1000), 0);
    assert_int_equal(tk_report_fraction(5, 0, 1000), 0);
    assert_int_equal(tk_report_fraction(UINT64_MAX, UINT64_MAX, 1 << 20), 1 << 20);
    assert_int_equal(tk_report_fraction(UINT64_MAX / 2, UINT64_MAX, 1000), 500);
    assert_int_equal(tk_report_fraction(1, UINT64_MAX, 1000), 0);
    assert_true(tk_report_fraction(UINT64_MAX, 1, 1 << 20) > 1 << 20);
}

// ---- Explanations ----

static struct tk_report bare_report(void) {
    sample_init(&sample, SAMPLE_EMPTY);
    sample.report.format_name = "tonbandgeraet";
    sample.report.bytes_in = 5000;
    return sample.report;
}

static void explains(const struct tk_report *report, const char *words) {
    const char *sentences[TK_REPORT_EXPLAIN_MAX];
    size_t count = tk_report_explain(report, sentences);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(sentences[i][strlen(sentences[i]) - 1], '.');
        if (strstr(sentences[i], words)) return;
    }
    fail_msg("not explained: %s", words);
}

static void explains_a_file_without_events(void **state) {
    (void)state;
    struct tk_report report = bare_report();
    explains(&report, "no delimiter behind any data");
    tk_diag_hit(&sample.diag, TK_DIAG_FRAME_EMPTY, NULL);
    explains(&report, "zero bytes");
    tk_diag_note(&sample.diag, TK_DIAG_TEXT_SKIPPED, NULL, 212);
    explains(&report, "Only text was found");
    tk_diag_note(&sample.diag, TK_DIAG_FRAME_BROKEN, NULL, 10);
    explains(&report, "wrong baud rate");
    report.format_name = "";
    explains(&report, "not recognised");
    explains(&report, "No frame was found."); // what the recogniser said
    report.bytes_in = 0;
    explains(&report, "is empty");
    sample_deinit(&sample);
}

static void explains_few_events(void **state) {
    (void)state;
    struct tk_report report = bare_report();
    tk_stats_event(&sample.stats, 1);
    explains(&report, "Only names and settings");
    tk_stats_timed_event(&sample.stats, 1, 0, 50);
    explains(&report, "Only one event");
    tk_stats_timed_event(&sample.stats, 1, 0, 50);
    explains(&report, "time function does not count");
    tk_stats_timed_event(&sample.stats, 1, 0, 60);
    explains(&report, "Only a handful");
    for (int i = 0; i < 5; i++) tk_diag_hit(&sample.diag, TK_DIAG_EVENT_UNKNOWN, NULL);
    explains(&report, "More pieces are damaged");
    sample_deinit(&sample);
}

static void explains_a_trace_without_switches(void **state) {
    (void)state;
    struct tk_report report = bare_report();
    assert_true(tk_stats_need_tasks(&sample.stats, 1) && tk_stats_need_cores(&sample.stats, 1));
    for (uint64_t i = 0; i < 10; i++) tk_stats_timed_event(&sample.stats, 1, 0, i);
    explains(&report, "no task switch");
    const char *sentences[TK_REPORT_EXPLAIN_MAX];
    tk_stats_run(&sample.stats, 0, 0, 1, 5);
    assert_int_equal(tk_report_explain(&report, sentences), 0);
    tk_diag_hit(&sample.diag, TK_DIAG_MODE_MISMATCH, NULL); // nothing was left out for it
    assert_int_equal(tk_report_explain(&report, sentences), 0);
    sample_deinit(&sample);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(json_tells_the_figures),
        cmocka_unit_test(json_tells_the_entities),
        cmocka_unit_test(json_tells_the_problems_worst_first),
        cmocka_unit_test(json_draws_the_strip),
        cmocka_unit_test(json_of_nothing_is_complete),
        cmocka_unit_test(json_escapes_what_a_recording_says),
        cmocka_unit_test(json_numbers_stay_exact),
        cmocka_unit_test(text_is_readable),
        cmocka_unit_test(text_of_nothing_explains_itself),
        cmocka_unit_test(text_cannot_steer_a_terminal),
        cmocka_unit_test(text_keeps_lines_short),
        cmocka_unit_test(a_refused_write_stops_the_report),
        cmocka_unit_test(ns_saturate_and_means_do_not),
        cmocka_unit_test(fractions_do_not_overflow),
        cmocka_unit_test(explains_a_file_without_events),
        cmocka_unit_test(explains_few_events),
        cmocka_unit_test(explains_a_trace_without_switches),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
