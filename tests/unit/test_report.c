// SPDX-License-Identifier: MIT
//
// The formats of a report: values, escaping, order, limits. tests/report checks the JSON of real recordings against the
// schema.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../report/sample.h"

#include "base/utf8.h"
#include "report/explain.h"

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

static const char *json(bool hostile, uint64_t tick_ns) {
    struct tk_report_source source = sample_source(hostile, tick_ns);
    page.len = page.calls = page.refuse_at = 0;
    assert_true(tk_report_write_json(&source, to_page, &page));
    return page.text;
}

static const char *form(bool hostile, uint64_t tick_ns, tk_report_form form, const char *table) {
    tk_report *report = sample_report(hostile, tick_ns);
    page.len = page.calls = page.refuse_at = 0;
    assert_int_equal(tk_report_write(report, form, table, to_page, &page), TK_OK);
    tk_report_free(report);
    return page.text;
}

static void contains(const char *where, const char *what) {
    if (!strstr(where, what)) fail_msg("not found: %s\nin: %.4000s", what, where);
}

// ---- JSON ----

static void json_lists_columns_before_rows(void **state) {
    (void)state;
    const char *out = json(false, 1000);
    contains(out, "{\"schema\":4,\"tool\":\"Tonkopf "
                  "0.1.0\",\"time_unit\":\"ns\",\"time_certainty\":\"measured\",\"view\":{\"expand\":[\"^Target$\"],"
                  "\"collapse\":[],\"pin\":[\"^CPU \\\\d+$\"]},\"tables\":[{\"id\":\"figures\",\"title\":\"Figures\","
                  "\"shape\":\"figures\",\"sort\":null,\"columns\":[");
    contains(out, "{\"key\":\"duration\",\"title\":\"Duration\",\"kind\":\"duration\",\"unit\":null,\"role\":"
                  "\"value\",\"of\":null,\"fold\":null}");
    // The schema contains a table of tasks, but without these columns.
    contains(out,
             "{\"id\":\"tasks\",\"columns\":[\"name\",{\"key\":\"core\",\"title\":\"Core\",\"kind\":\"number\","
             "\"unit\":null,\"role\":\"key\",\"of\":null,\"fold\":null},\"cpu\",\"runs\",\"longest_wait\","
             "\"longest_wait_on\",\"longest_wait_at\",{\"key\":\"unmeasured\",\"title\":\"Not measured\","
             "\"kind\":\"count\",\"unit\":null,\"role\":\"unmeasured\",\"of\":\"longest_wait\",\"fold\":\"sum\"},");
    contains(out, "\"figures\":{\"duration\":\"1000000\",\"load\":0.25,\"bytes\":60100,\"late\":false,\"mode\":\"free-"
                  "rtos\",\"secret\":4711},\"explain\":[],\"problems\":[{\"id\":\"EVENT_UNKNOWN\",");
    contains(out, "\"tasks\":[{\"name\":\"control\",\"core\":0,\"cpu\":\"250000\",\"runs\":7,\"longest_wait\":"
                  "\"650000\",\"longest_wait_on\":\"receive from "
                  "commands\",\"longest_wait_at\":\"1250000\",\"unmeasured\":3,\"level\":-5},");
    contains(out, "\"longest_wait\":null,\"longest_wait_on\":\"\",\"longest_wait_at\":null,");
}

static void without_a_tick_length_times_are_ticks(void **state) {
    (void)state;
    contains(json(false, 0), "\"time_unit\":\"ticks\"");
    contains(page.text, "\"cpu\":\"250\"");
    contains(form(false, 0, TK_REPORT_TEXT, NULL), "Duration                1000 ticks\n");
    contains(
        page.text,
        "  control     0  250 ticks     7     650 ticks  receive from commands  1250 ticks             3  -5 mV\n");
}

static void json_escapes_texts_of_the_recording(void **state) {
    (void)state;
    const char *out = json(true, 1);
    contains(out, "\"a\\\"b\\\\c\\u000a\\u001b[31m\\u007f");
    contains(out, "\\u0000</script>|=1,\xEF\xBF\xBD\xEF\xBF\xBD\"");
    assert_int_equal(strlen(out), page.len);
    assert_true(tk_utf8_is_clean((const uint8_t *)out, page.len));
    for (size_t i = 0; i < page.len; i++) assert_true((unsigned char)out[i] >= 0x20);
}

static void json_numbers_stay_exact(void **state) {
    (void)state;
    contains(json(true, 1000),
             "\"duration\":\"18446744073709551615\",\"load\":0.25,\"bytes\":\"18446744073709551615\""); // saturated;
                                                                                                        // not a number,
                                                                                                        // which
                                                                                                        // JavaScript
                                                                                                        // would round
}

// ---- Text and Markdown ----

static void text_is_readable(void **state) {
    (void)state;
    const char *out = form(false, 1000, TK_REPORT_TEXT, NULL);
    contains(out, "Tonkopf 0.1.0\n\nDuration                1.000 ms\nCPU busy                25.0 %\nTrace            "
                  "       60100 bytes\nMode                    free-rtos\n");
    assert_null(strstr(out, "Secret"));
    assert_null(strstr(out, "Why there is")); // nothing to explain
    contains(out, "\nProblems\n  damage  Events of unknown kind: 2 times, id 0x34\n    first at byte 4711, frame 321 "
                  "of capture.bin, 0.001750000 s: 5b 7f 02\n    then at byte 4712, frame 322 of capture.bin: 5b 7f "
                  "02\n    The frame is intact, but its first byte is no known event.\n    Look at it.\n");
    contains(
        out,
        "\nTasks\n"
        "  Task     Core    CPU time  Runs  Longest wait  Waited for                        At  Not measured  Level\n"
        "  IDLE        0  700.000 us     7             -                                                   0  -5 mV\n"
        "  control     0  250.000 us     7    650.000 us  receive from commands  0.001250000 s             3  -5 mV\n"
        "  logger      0   50.000 us     7     20.000 us  receive from commands  0.001250000 s             0  -5 mV\n");
    assert_null(strstr(out, " \n")); // no trailing blanks
}

static void durations_are_rounded_not_cut(void **state) {
    (void)state;
    contains(form(false, 1808975, TK_REPORT_TEXT, NULL), "Duration                1.809 s\n");
    contains(form(false, 1808975, TK_REPORT_MARKDOWN, NULL), "| Duration | 1.809 s |\n");
    contains(form(false, 1999, TK_REPORT_TEXT, NULL), "Duration                1.999 ms\n");
}

static void text_cannot_steer_a_terminal(void **state) {
    (void)state;
    const char *out = form(true, 1, TK_REPORT_TEXT, NULL);
    assert_true(tk_utf8_is_clean((const uint8_t *)out, page.len));
    for (size_t i = 0; i < page.len; i++) {
        unsigned char c = (unsigned char)out[i];
        assert_true(c == '\n' || (c >= 0x20 && c != 0x7F));
        assert_false(c == 0xC2 && (unsigned char)out[i + 1] < 0xA0);
    }
    assert_null(strstr(out, "\xe2\x80\xae"));
    contains(out, "  Z\xc3\xa4hler \xe2\x82\xac \xf0\x9f\x98\x80 with a very long nam~ "); // 32 columns, none split in
                                                                                           // the middle
    contains(out, "  and 20 more\n");                                                      // 60 tasks, 40 shown
}

static void markdown_shows_the_same_as_tables(void **state) {
    (void)state;
    const char *out = form(false, 1000, TK_REPORT_MARKDOWN, NULL);
    contains(out, "# Report\n\nTonkopf 0.1.0\n\n| | |\n| --- | --- |\n| Duration | 1.000 ms |\n");
    contains(out, "\n## Problems\n\n- **damage** Events of unknown kind: 2 times, id 0x34  \n  first at byte 4711,");
    contains(out, "\n## Tasks\n\n| Task | Core | CPU time | Runs | Longest wait | Waited for | At | Not measured | "
                  "Level |\n| --- | ---: | ---: | ---: | ---: | --- | ---: | ---: | ---: |\n| IDLE | 0 | 700.000 us | "
                  "7 | - |  |  | 0 | -5 mV |\n");
}

static void markdown_escapes_special_characters(void **state) {
    (void)state;
    const char *out = form(true, 1, TK_REPORT_MARKDOWN, NULL);
    contains(out, "a\"b\\\\c?");
    contains(out, "\\</script\\>\\|=1");
    assert_null(strstr(out, "</script>"));
}

// ---- CSV ----

static void csv_is_one_table_for_programs(void **state) {
    (void)state;
    assert_string_equal(form(false, 1000, TK_REPORT_CSV, "tasks"),
                        "name,core,cpu,runs,longest_wait,longest_wait_on,longest_wait_at,unmeasured,level,time_unit,"
                        "time_certainty\r\n"
                        "control,0,250000,7,650000,receive from commands,1250000,3,-5,ns,measured\r\n"
                        "IDLE,0,700000,7,,,,0,-5,ns,measured\r\n"
                        "logger,0,50000,7,20000,receive from commands,1250000,0,-5,ns,measured\r\n");
    assert_string_equal(form(false, 1000, TK_REPORT_CSV, "figures"),
                        "duration,load,bytes,late,mode,secret,time_unit,time_certainty\r\n"
                        "1000000,0.25,60100,false,free-rtos,4711,ns,measured\r\n");
    contains(form(true, 1000, TK_REPORT_CSV, "tasks"), "\"a\"\"b\\c\n");
}

static void csv_of_a_missing_table_is_refused(void **state) {
    (void)state;
    tk_report *report = sample_report(false, 1);
    assert_int_equal(tk_report_write(report, TK_REPORT_CSV, "nothing", to_page, &page), TK_MISUSE);
    assert_int_equal(tk_report_write(report, TK_REPORT_CSV, NULL, to_page, &page), TK_MISUSE);
    assert_string_equal(tk_report_table_id(report, 0), "figures");
    assert_null(tk_report_table_id(report, 5));
    tk_report_free(report);
}

// ---- All ----

static void a_refused_write_stops_the_report(void **state) {
    (void)state;
    for (unsigned n = 1; n <= 2; n++) {
        struct tk_report_source source = sample_source(true, 1);
        page = (struct page){ .refuse_at = n };
        assert_false(tk_report_write_json(&source, to_page, &page));
        assert_int_equal(page.calls, n); // not called again after that
        tk_report *report = sample_report(true, 1);
        page = (struct page){ .refuse_at = n };
        assert_int_equal(tk_report_write(report, TK_REPORT_TEXT, NULL, to_page, &page), TK_SINK_REFUSED);
        assert_int_equal(page.calls, n);
        tk_report_free(report);
    }
}

static unsigned allocations, allowed;

static void *counted_realloc(void *ctx, void *ptr, size_t old_size, size_t new_size) {
    if (new_size && allocations++ == allowed) return NULL;
    return sample_realloc(ctx, ptr, old_size, new_size);
}

static void without_memory_there_is_no_report(void **state) {
    (void)state;
    const struct tk_allocator scarce = { counted_realloc, NULL };
    struct tk_report_source source = sample_source(true, 1);
    tk_status status = TK_NO_MEMORY;
    for (allowed = 0; status == TK_NO_MEMORY; allowed++) {
        allocations = 0;
        tk_report *report = tk_report_begin(&scarce, source.tool, source.times);
        if (report) {
            struct tk_table_sink sink = tk_report_sink(report, 1);
            source.tables(source.ctx, &sink);
        }
        status = tk_report_complete(report, &report);
        assert_true((status == TK_OK) == (report != NULL));
        tk_report_free(report);
    }
    assert_true(allowed > 5);
}

struct cells {
    struct tk_cell last;
};

static void keep_cell(void *ctx, const struct tk_cell *cell) { ((struct cells *)ctx)->last = *cell; }

static void ns_saturate_and_means_do_not(void **state) {
    (void)state;
    struct cells cells;
    const struct tk_table_sink sink = { .ctx = &cells, .cell = keep_cell, .tick_ns = 1000 };
    tk_cell_ticks(&sink, 7);
    assert_int_equal(cells.last.u, 7000);
    tk_cell_ticks(&sink, UINT64_MAX / 1000 + 1);
    assert_true(cells.last.u == UINT64_MAX);
    tk_cell_mean(&sink, 10, 3);
    assert_int_equal(cells.last.u, 3333);
    tk_cell_mean(&sink, 5, 3);
    assert_int_equal(cells.last.u, 1667); // rounded
    tk_cell_mean(&sink, 10, 0);
    assert_int_equal(cells.last.type, TK_CELL_NONE);
    tk_cell_mean(&sink, UINT64_MAX / 10, 1000);
    assert_true(cells.last.u == UINT64_MAX / 10 / 1000 * 1000);
    tk_cell_share(&sink, 1, 0);
    assert_int_equal(cells.last.type, TK_CELL_NONE);
    tk_cell_double(&sink, (double)UINT64_MAX * (double)UINT64_MAX * 0.0);
    assert_int_equal(cells.last.type, TK_CELL_DOUBLE);
}

static void fractions_do_not_overflow(void **state) {
    (void)state;
    assert_int_equal(tk_fraction(1, 4, 1000), 250);
    assert_int_equal(tk_fraction(2, 3, 1000), 667);
    assert_int_equal(tk_fraction(0, 0, 1000), 0);
    assert_int_equal(tk_fraction(5, 0, 1000), 0);
    assert_int_equal(tk_fraction(UINT64_MAX, UINT64_MAX, 1 << 20), 1 << 20);
    assert_int_equal(tk_fraction(UINT64_MAX / 2, UINT64_MAX, 1000), 500);
    assert_int_equal(tk_fraction(1, UINT64_MAX, 1000), 0);
    assert_true(tk_fraction(UINT64_MAX, 1, 1 << 20) > 1 << 20);
}

// ---- Explanations ----

static struct tk_stats stats;
static struct tk_diag diag;
static struct tk_alloc alloc;

static struct tk_explained bare(void) {
    alloc = (struct tk_alloc){ .realloc = sample_realloc };
    tk_stats_init(&stats, &alloc);
    tk_diag_init(&diag);
    return (struct tk_explained){
        .bytes_in = 5000, .recognised = true, .probe_reason = "No frame was found.", .stats = &stats, .diag = &diag
    };
}

static void explains(const struct tk_explained *report, const char *words) {
    const char *sentences[TK_EXPLAIN_MAX];
    size_t count = tk_explain(report, sentences);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(sentences[i][strlen(sentences[i]) - 1], '.');
        if (strstr(sentences[i], words)) return;
    }
    fail_msg("not explained: %s", words);
}

static void explains_a_file_without_events(void **state) {
    (void)state;
    struct tk_explained report = bare();
    explains(&report, "no delimiter follows the data");
    tk_diag_count(&diag, TK_DIAG_FRAME_EMPTY, NULL);
    explains(&report, "zero bytes");
    tk_diag_note(&diag, TK_DIAG_TEXT_SKIPPED, NULL, 212);
    explains(&report, "Only text was found");
    tk_diag_note(&diag, TK_DIAG_FRAME_BROKEN, NULL, 10);
    explains(&report, "wrong baud rate");
    report.recognised = false;
    explains(&report, "not recognised");
    explains(&report, "No frame was found."); // the recogniser's message
    report.bytes_in = 0;
    explains(&report, "is empty");
    tk_alloc_free_all(&alloc);
}

static void explains_few_events(void **state) {
    (void)state;
    struct tk_explained report = bare();
    tk_stats_event(&stats, 1);
    explains(&report, "Only names and settings");
    tk_stats_timed_event(&stats, 1, 0, 50);
    explains(&report, "Only one event");
    tk_stats_timed_event(&stats, 1, 0, 50);
    explains(&report, "time function does not count");
    static const enum tk_diag_id damage[] = { TK_DIAG_SAMPLE_OUTSIDE, TK_DIAG_BYTES_SKIPPED, TK_DIAG_BLOCK_DAMAGED,
                                              TK_DIAG_BLOCK_TOO_LARGE, TK_DIAG_SECTION_DAMAGED };
    for (size_t i = 0; i < sizeof damage / sizeof *damage; i++) {
        tk_diag_count(&diag, damage[i], NULL);
        explains(&report, "the entries with the times are damaged or missing");
        diag.entries[damage[i]].count = 0;
    }
    tk_stats_timed_event(&stats, 1, 0, 60);
    explains(&report, "Only a few events");
    for (int i = 0; i < 5; i++) tk_diag_count(&diag, TK_DIAG_EVENT_UNKNOWN, NULL);
    explains(&report, "More frames are damaged");
    tk_alloc_free_all(&alloc);
}

static void explains_a_trace_without_switches(void **state) {
    (void)state;
    struct tk_explained report = bare();
    assert_true(tk_stats_need_tasks(&stats, 1) && tk_stats_need_cores(&stats, 1));
    for (uint64_t i = 0; i < 10; i++) tk_stats_timed_event(&stats, 1, 0, i);
    explains(&report, "no task switch");
    const char *sentences[TK_EXPLAIN_MAX];
    tk_stats_run(&stats, 0, 0, 1, 5);
    assert_int_equal(tk_explain(&report, sentences), 0);
    tk_alloc_free_all(&alloc);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(json_lists_columns_before_rows),
        cmocka_unit_test(without_a_tick_length_times_are_ticks),
        cmocka_unit_test(json_escapes_texts_of_the_recording),
        cmocka_unit_test(json_numbers_stay_exact),
        cmocka_unit_test(text_is_readable),
        cmocka_unit_test(durations_are_rounded_not_cut),
        cmocka_unit_test(text_cannot_steer_a_terminal),
        cmocka_unit_test(markdown_shows_the_same_as_tables),
        cmocka_unit_test(markdown_escapes_special_characters),
        cmocka_unit_test(csv_is_one_table_for_programs),
        cmocka_unit_test(csv_of_a_missing_table_is_refused),
        cmocka_unit_test(a_refused_write_stops_the_report),
        cmocka_unit_test(without_memory_there_is_no_report),
        cmocka_unit_test(ns_saturate_and_means_do_not),
        cmocka_unit_test(fractions_do_not_overflow),
        cmocka_unit_test(explains_a_file_without_events),
        cmocka_unit_test(explains_few_events),
        cmocka_unit_test(explains_a_trace_without_switches),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
