// SPDX-License-Identifier: MIT
//
// Reports are read back, compared and checked.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "../report/sample.h"

#include "report/json_text.h"
#include "report/schema.h"

struct page {
    char text[200000];
    size_t len;
};
static struct page first, second;

static bool to_page(void *ctx, const char *text, size_t len) {
    struct page *to = ctx;
    assert_true(to->len + len < sizeof to->text);
    memcpy(to->text + to->len, text, len);
    to->len += len;
    to->text[to->len] = 0;
    return true;
}

static const char *write_form(const tk_report *report, tk_report_form form, const char *table, struct page *to) {
    to->len = 0;
    assert_int_equal(tk_report_write(report, form, table, to_page, to), TK_OK);
    return to->text;
}

static tk_report *read_json(const char *json) {
    tk_report *report = NULL;
    assert_int_equal(tk_report_read(json, strlen(json), &sample_heap, &report), TK_OK);
    return report;
}

static void contains(const char *where, const char *what) {
    if (!strstr(where, what)) fail_msg("not found: %s\nin: %.4000s", what, where);
}

// ---- Reading ----

static void a_written_report_is_read_back(void **state) {
    (void)state;
    for (unsigned i = 0; i < 4; i++) {
        tk_report *raw = sample_report(i & 1, i & 2 ? 1000 : 0);
        tk_report *report = read_json(write_form(raw, TK_REPORT_JSON, NULL, &first)); // names are UTF-8 without zeros
                                                                                      // from here on
        tk_report_free(raw);
        tk_report *again = read_json(write_form(report, TK_REPORT_JSON, NULL, &first));
        assert_string_equal(first.text, write_form(again, TK_REPORT_JSON, NULL, &second));
        assert_string_equal(write_form(report, TK_REPORT_TEXT, NULL, &first),
                            write_form(again, TK_REPORT_TEXT, NULL, &second));
        tk_report_free(again);
        tk_report_free(report);
    }
}

static void other_files_are_rejected_as_reports(void **state) {
    static const char *const texts[] = { "",
                                         "{",
                                         "[]",
                                         "{}",
                                         "{\"schema\":0}",
                                         "{\"schema\":-4}",
                                         "{\"schema\":4.5}",
                                         "{\"schema\":4}x",
                                         "{\"schema\":4,}",
                                         "{\"schema\":\"\xff\"}",
                                         "{\"schema\":4,\"a\":\"\\q\"}",
                                         "{\"schema\":4,\"a\":01}" };
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        tk_report *report;
        assert_int_equal(tk_report_read(texts[i], strlen(texts[i]), &sample_heap, &report), TK_UNKNOWN_FORMAT);
        assert_null(report);
    }
}

static void another_schema_is_named_as_such(void **state) {
    static const char *const texts[] = { "{\"schema\":2,\"tables\":[]}", "{\"tables\":[],\"schema\":5}",
                                         "{\"schema\":1}" };
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        tk_report *report;
        assert_int_equal(tk_report_read(texts[i], strlen(texts[i]), &sample_heap, &report), TK_OTHER_SCHEMA);
        assert_null(report);
    }
}

// ---- The schema ----

static void the_schema_describes_each_table_once(void **state) {
    struct tk_schema_walk walk = { 0 };
    unsigned count = 0;
    (void)state;
    for (const struct tk_table *table; (table = tk_schema_next(&walk)); count++) {
        assert_ptr_equal(tk_schema_table(table->id), table);
        assert_true(table->about && table->title[0] && table->column_count > 0);
        assert_true(table->column_count <= TK_REPORT_COLUMNS);
        for (uint32_t i = 0; i < table->column_count; i++)
            assert_ptr_equal(tk_schema_column(table, table->columns[i].key), &table->columns[i]);
        if (table->sort) assert_non_null(tk_schema_column(table, table->sort));
    }
    assert_true(count > 40);
    assert_null(tk_schema_table("nothing"));
    assert_null(tk_schema_column(NULL, "name"));
    first.len = 0;
    assert_int_equal(tk_schema_json(to_page, &first), TK_OK);
    assert_true(tk_json_is_valid(first.text, first.len));
    contains(first.text, "{\"schema\":4,\"tool\":\"Tonkopf ");
    contains(first.text,
             "{\"key\":\"longest_wait_at\",\"title\":\"At\",\"kind\":\"time\",\"unit\":null,\"role\":\"at\","
             "\"of\":\"longest_wait\",\"fold\":null}");
}

static bool refuse(void *ctx, const char *text, size_t len) { return (void)ctx, (void)text, (void)len, false; }

static void a_refused_schema_is_an_error(void **state) {
    (void)state;
    assert_int_equal(tk_schema_json(refuse, NULL), TK_SINK_REFUSED);
}

static void keys_are_columns_of_the_schema(void **state) {
    (void)state;
    tk_report *report = read_json("{\"schema\":4,\"tool\":\"T\",\"time_unit\":\"ticks\",\"tables\":[{\"id\":\"tasks\","
                                  "\"columns\":[\"name\",\"from_the_future\",\"cpu\",\"name\",{\"key\":\"x\",\"title\":"
                                  "\"X\",\"kind\":\"count\",\"role\":\"value\"}]},{\"id\":\"future\",\"columns\":["
                                  "\"name\"]},{\"id\":\"cpu\",\"columns\":[\"load\"]}],\"tasks\":[{\"name\":\"a\","
                                  "\"cpu\":\"7\",\"x\":2}],\"future\":[{\"name\":\"b\"}],\"cpu\":{\"load\":0.5}}");
    assert_string_equal(tk_report_table_id(report, 0), "tasks");
    assert_string_equal(tk_report_table_id(report, 1), "cpu");
    assert_null(tk_report_table_id(report, 2));
    assert_string_equal(write_form(report, TK_REPORT_CSV, "tasks", &first),
                        "name,cpu,x,time_unit,time_certainty\r\na,7,2,ticks,rate_unknown\r\n");
    contains(write_form(report, TK_REPORT_TEXT, NULL, &first), "CPU busy                50.0 %\n");
    contains(first.text, "\nTasks\n  Task  CPU time  X\n  a      7 ticks  2\n");
    contains(
        write_form(report, TK_REPORT_JSON, NULL, &first),
        "\"time_unit\":\"ticks\",\"time_certainty\":\"rate_unknown\",\"time_note\":\"The rate of the clock is unknown: "
        "durations and times are counts of that clock.\",\"view\":{\"expand\":[],\"collapse\":[],"
        "\"pin\":[]},\"tables\":[{\"id\":\"tasks\","
        "\"columns\":[\"name\",\"cpu\",{\"key\":\"x\",");
    tk_report_free(report);
}

// ---- Several recordings ----

static void csv_of_several_recordings_has_the_same_columns(void **state) {
    static const char plain[] = "{\"schema\":4,\"tables\":[{\"id\":\"event_groups\",\"columns\":[\"name\",\"set\"]}],"
                                "\"event_groups\":[{\"name\":\"a\",\"set\":1}]}",
                      full[] =
                          "{\"schema\":4,\"tables\":[{\"id\":\"event_groups\",\"columns\":[\"timed_out\",\"name\"]}"
                          "],\"event_groups\":[{\"name\":\"b\",\"timed_out\":2}]}";
    (void)state;
    tk_report *a = read_json(plain), *b = read_json(full);
    first.len = 0;
    assert_int_equal(tk_report_write_csv(a, "event_groups", "a, b.bin", true, to_page, &first), TK_OK);
    assert_int_equal(tk_report_write_csv(b, "event_groups", "c.bin", false, to_page, &first), TK_OK);
    assert_string_equal(first.text, "recording,name,set,cleared,waited,timed_out\r\n\"a, b.bin\",a,1,,,\r\nc.bin,b,,,,"
                                    "2\r\n");
    assert_int_equal(tk_report_write_csv(a, "tasks", "a", true, to_page, &first), TK_MISUSE);
    assert_int_equal(tk_report_write_csv(a, "event_groups", "a", true, refuse, NULL), TK_SINK_REFUSED);
    tk_report_free(a);
    tk_report_free(b);
}

static void markdown_begins_with_the_names_of_the_recordings(void **state) {
    (void)state;
    tk_report *report =
        read_json("{\"schema\":4,\"tool\":\"T 1\",\"tables\":[{\"id\":\"explain\",\"columns\":[\"sentence"
                  "\"]},{\"id\":\"inputs\",\"columns\":[\"name\",\"role\"]}],\"explain\":[],\"inputs\":"
                  "[{\"name\":\"a_b.bin\",\"role\":\"recording\"},{\"name\":\"n.elf\",\"role\":"
                  "\"symbols\"},{\"name\":\"c.bin\",\"role\":\"recording\"},{\"name\":null,\"role\":"
                  "null}]}");
    assert_int_equal(strncmp(write_form(report, TK_REPORT_MARKDOWN, NULL, &first), "# a\\_b.bin, c.bin\n\nT 1\n", 23),
                     0);
    tk_report_free(report);
    report = read_json("{\"schema\":4,\"tool\":\"T 1\",\"tables\":[{\"id\":\"explain\",\"columns\":[\"sentence\"]}]}");
    contains(write_form(report, TK_REPORT_MARKDOWN, NULL, &first), "# Report\n\nT 1\n");
    tk_report_free(report);
}

static void results_of_rules_come_first_and_are_not_truncated(void **state) {
    char text[201];
    (void)state;
    memset(text, 'x', 200);
    text[200] = 0;
    tk_report *report = sample_report(false, 1000);
    assert_int_equal(tk_report_add_verdict(report, "--expect cpu.load<80%", "fails", text), TK_OK);
    assert_int_equal(tk_report_add_verdict(report, "--fail-on drops", "holds", ""), TK_OK);
    assert_string_equal(tk_report_table_id(report, 0), "verdicts");
    contains(write_form(report, TK_REPORT_CSV, "verdicts", &first),
             "rule,verdict,text\r\n--expect cpu.load<80%,fails,xx");
    contains(write_form(report, TK_REPORT_TEXT, NULL, &first), "\nVerdicts\n  fails  --expect cpu.load<80%: x");
    contains(first.text, text);
    contains(first.text, "\n  holds  --fail-on drops\n");
    contains(write_form(report, TK_REPORT_MARKDOWN, NULL, &first), "- **holds** --fail-on drops\n");
    contains(first.text, text);
    tk_report *again = read_json(write_form(report, TK_REPORT_JSON, NULL, &second));
    assert_string_equal(first.text, write_form(again, TK_REPORT_MARKDOWN, NULL, &second));
    tk_report_free(again);
    tk_report_free(report);
}

static void parts_without_a_table_are_skipped(void **state) {
    (void)state;
    tk_report *report =
        read_json("{\"tables\":[7,{},{\"id\":\"A,B\",\"columns\":[{\"key\":\"x\"}]},{\"id\":\"t\",\"title\":\"T\","
                  "\"columns\":[3,{\"key\":\"a b\"},{\"key\":\"x\",\"kind\":\"count\",\"role\":\"value\"}]},"
                  "{\"id\":\"t\",\"columns\":[{\"key\":\"y\"}]}],\"t\":[1,{\"x\":5},{\"x\":\"18446744073709551616\"},{"
                  "\"x\":1.5},{\"y\":1}],\"schema\":4}");
    assert_string_equal(tk_report_table_id(report, 0), "t");
    assert_null(tk_report_table_id(report, 1));
    assert_string_equal(write_form(report, TK_REPORT_CSV, "t", &first), "x\r\n5\r\n18446744073709551615\r\n\r\n\r\n");
    tk_report_free(report);
}

static void strings_are_unescaped(void **state) {
    (void)state;
    char out[64];
    assert_int_equal(tk_json_string("\"a\\n\\\"\\u0041\\u00e4\\ud83d\\ude00\\ud83dx\\u0000\"", out), 17);
    assert_string_equal(out, "a\n\"A\xc3\xa4\xf0\x9f\x98\x80\xef\xbf\xbdx\xef\xbf\xbd");
}

static void small_numbers_are_not_shown_as_zero(void **state) {
    static const char *const shares[][2] = { { "0", "0.0 %" },     { "0.000001", "< 0.1 %" }, { "0.000999", "< 0.1 %" },
                                             { "0.001", "0.1 %" }, { "0.00149", "0.1 %" },    { "0.0015", "0.2 %" },
                                             { "1", "100.0 %" },   { "8.8e-05", "< 0.1 %" },  { "1.25E-1", "12.5 %" },
                                             { "1e-1", "10.0 %" } };
    char json[256], line[64];
    (void)state;
    for (size_t i = 0; i < sizeof shares / sizeof *shares; i++) {
        snprintf(json, sizeof json,
                 "{\"schema\":4,\"tables\":[{\"id\":\"t\",\"title\":\"T\",\"shape\":\"list\",\"columns\":[{\"key\":"
                 "\"x\",\"title\":\"X\",\"kind\":\"share\",\"role\":\"value\"}]}],\"t\":[{\"x\":%s}]}",
                 shares[i][0]);
        tk_report *report = read_json(json);
        snprintf(line, sizeof line, "  %s\n", shares[i][1]);
        contains(write_form(report, TK_REPORT_TEXT, NULL, &first), line);
        snprintf(line, sizeof line, "| %s%s |\n", *shares[i][1] == '<' ? "\\" : "", shares[i][1]);
        contains(write_form(report, TK_REPORT_MARKDOWN, NULL, &first), line);
        tk_report_free(report);
    }
}

// ---- Comparing ----

static tk_report *compared(const char *before, const char *after) {
    tk_report *a = read_json(before), *b = read_json(after), *out;
    assert_int_equal(tk_report_compare(a, b, &sample_heap, &out), TK_OK);
    tk_report_free(a);
    tk_report_free(b);
    return out;
}

#define TABLE                                                                                                          \
    "{\"schema\":4,\"tables\":[{\"id\":\"tasks\",\"title\":\"Tasks\",\"shape\":\"list\",\"sort\":\"cpu\",\"columns\":" \
    "["                                                                                                                \
    "{\"key\":\"name\",\"title\":\"Task\",\"kind\":\"name\",\"role\":\"value\"},{\"key\":\"core\",\"title\":\"Core\"," \
    "\"kind\":\"number\",\"role\":\"key\"},"                                                                           \
    "{\"key\":\"cpu\",\"title\":\"CPU\",\"kind\":\"duration\",\"unit\":\"ns\",\"role\":\"value\"}]}],\"tasks\":["

static void rows_are_matched_by_name_key_and_turn(void **state) {
    (void)state;
    tk_report *report = compared(TABLE "{\"name\":\"a\",\"core\":0,\"cpu\":\"10\"},{\"name\":\"a\",\"core\":1,\"cpu\":"
                                       "\"20\"},{\"name\":\"w\",\"core\":0,\"cpu\":\"1\"},{\"name\":\"w\",\"core\":0,"
                                       "\"cpu\":\"2\"},{\"name\":\"gone\",\"core\":0,\"cpu\":null}]}",
                                 TABLE "{\"name\":\"new\",\"core\":0,\"cpu\":\"5\"},{\"name\":\"w\",\"core\":0,\"cpu\":"
                                       "\"4\"},{\"name\":\"w\",\"core\":0,\"cpu\":\"8\"},{\"name\":\"a\",\"core\":1,"
                                       "\"cpu\":\"15\"},{\"name\":\"a\",\"core\":0,\"cpu\":\"10\"}]}");
    assert_string_equal(
        write_form(report, TK_REPORT_CSV, "tasks", &first),
        "name,core,only_in,cpu,before_cpu,change_cpu,time_unit,time_certainty\r\nnew,0,the second,5,,,ns,measured\r\n"
        "w,0,,4,1,3,ns,measured\r\nw,0,,8,2,6,ns,measured\r\na,1,,15,20,-5,ns,measured\r\n"
        "a,0,,10,10,0,ns,measured\r\ngone,0,the first,,,,ns,measured\r\n");
    contains(write_form(report, TK_REPORT_TEXT, NULL, &first), "  a        1              15 ns   -5 ns\n");
    tk_report_free(report);
}

// Ids from a recorder are no figures, and another id does not make another row.
static void ids_are_not_compared(void **state) {
    (void)state;
    static const char form[] = "{\"schema\":4,\"tables\":[{\"id\":\"t\",\"title\":\"T\",\"shape\":\"list\",\"columns\":"
                               "[{\"key\":\"n\",\"title\":\"N\",\"kind\":\"name\",\"role\":\"value\"},"
                               "{\"key\":\"id\",\"title\":\"Id\",\"kind\":\"number\",\"role\":\"%s\"},{\"key\":"
                               "\"core\",\"title\":\"Core\",\"kind\":\"number\",\"role\":\"value\"},"
                               "{\"key\":\"x\",\"title\":\"X\",\"kind\":\"count\",\"role\":\"value\"}]}],\"t\":[{\"n\":"
                               "\"a\",\"id\":%d,\"core\":%d,\"x\":%d},{\"n\":\"a\",\"id\":9,\"core\":0,\"x\":1}]}";
    static const char *const roles[][2] = { { "value", "n,only_in,x,before_x,change_x\r\na,,7,5,2\r\na,,1,1,0\r\n" },
                                            { "key",
                                              "n,id,only_in,x,before_x,change_x\r\na,4,,7,5,2\r\na,9,,1,1,0\r\n" } };
    char before[1024], after[1024];
    for (size_t i = 0; i < 2; i++) {
        snprintf(before, sizeof before, form, roles[i][0], 3, 0, 5);
        snprintf(after, sizeof after, form, roles[i][0], 4, 1, 7);
        tk_report *report = compared(before, after);
        assert_string_equal(write_form(report, TK_REPORT_CSV, "t", &first), roles[i][1]);
        tk_report_free(report);
    }
}

static void words_after_a_name_stay_beside_it(void **state) {
    static const char table[] =
        "{\"schema\":4,\"tables\":[{\"id\":\"t\",\"title\":\"T\",\"shape\":\"list\",\"columns\":[{\"key\":\"n\","
        "\"title\":\"Task\",\"kind\":\"name\",\"role\":\"value\"},"
        "{\"key\":\"idle\",\"title\":\"Idle\",\"kind\":\"flag\",\"role\":\"note\"},{\"key\":\"x\",\"title\":\"X\","
        "\"kind\":\"count\",\"role\":\"value\"},"
        "{\"key\":\"why\",\"title\":\"Why\",\"kind\":\"text\",\"role\":\"note\"}]}],\"t\":[{\"n\":\"%s\",\"idle\":true,"
        "\"x\":%d,\"why\":\"so\"},{\"n\":\"a\",\"idle\":false,\"x\":1,\"why\":\"so\"}]}";
    char before[1024], after[1024];
    (void)state;
    snprintf(before, sizeof before, table, "I0", 3);
    snprintf(after, sizeof after, table, "I1", 5);
    tk_report *report = compared(before, after);
    assert_string_equal(
        write_form(report, TK_REPORT_CSV, "t", &first),
        "n,idle,only_in,x,before_x,change_x\r\nI1,true,the second,5,,\r\na,false,,1,1,0\r\nI0,true,the first,,3,\r\n");
    tk_report_free(report);
}

static void a_small_change_of_a_share_has_no_sign(void **state) {
    static const char table[] =
        "{\"schema\":4,\"tables\":[{\"id\":\"t\",\"title\":\"T\",\"shape\":\"list\",\"columns\":[{\"key\":\"n\","
        "\"title\":\"N\",\"kind\":\"name\",\"role\":\"value\"},"
        "{\"key\":\"x\",\"title\":\"X\",\"kind\":\"share\",\"role\":\"value\"}]}],\"t\":[{\"n\":\"a\",\"x\":%s}]}";
    static const char *const changes[][2] = {
        { "0.5004", "< 0.1 %" }, { "0.4996", "< 0.1 %" }, { "0.501", "+0.1 %" }, { "0.499", "-0.1 %" }
    };
    char before[512], after[512], line[64];
    (void)state;
    snprintf(before, sizeof before, table, "0.5");
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        snprintf(after, sizeof after, table, changes[i][0]);
        tk_report *report = compared(before, after);
        snprintf(line, sizeof line, " %%  %s", changes[i][1]);
        contains(write_form(report, TK_REPORT_TEXT, NULL, &first), line);
        tk_report_free(report);
    }
}

static void a_report_compared_with_itself_changes_nothing(void **state) {
    (void)state;
    tk_report *report = sample_report(true, 1), *out;
    assert_int_equal(tk_report_compare(report, report, &sample_heap, &out), TK_OK);
    const struct tk_report_table *table = tk_report_table(out, "tasks", 5);
    assert_int_equal(tk_report_rows(table), 60);
    uint32_t change = tk_report_column(table, "change_cpu", 10), only = tk_report_column(table, "only_in", 7);
    for (uint32_t row = 0; row < 60; row++) {
        assert_int_equal(tk_report_cell(table, row, change)->u, 0);
        assert_int_equal(tk_report_cell(table, row, only)->len, 0);
    }
    assert_null(tk_report_table(out, "places", 6)); // no cell of it can be compared
    tk_report_free(out);
    tk_report_free(report);
}

static void ticks_are_not_compared_with_nanoseconds(void **state) {
    (void)state;
    tk_report *ticks = sample_report(false, 0), *ns = sample_report(false, 1000), *out;
    assert_int_equal(tk_report_compare(ticks, ns, &sample_heap, &out), TK_OK);
    contains(write_form(out, TK_REPORT_CSV, "tasks", &first), "\r\nIDLE,0,,700000,,,7,7,0,");
    tk_report_free(ticks);
    tk_report_free(ns);
    tk_report_free(out);
}

static unsigned allocations, allowed;

static void *counted_realloc(void *ctx, void *ptr, size_t old_size, size_t new_size) {
    if (new_size && allocations++ == allowed) return NULL;
    return sample_realloc(ctx, ptr, old_size, new_size);
}

static void failing_allocations_return_no_report(void **state) {
    (void)state;
    const struct tk_allocator scarce = { counted_realloc, NULL };
    tk_report *full = sample_report(true, 1), *out;
    write_form(full, TK_REPORT_JSON, NULL, &first);
    tk_status status = TK_NO_MEMORY;
    for (allowed = 0; status != TK_OK; allowed++) {
        allocations = 0;
        status = tk_report_read(first.text, first.len, &scarce, &out);
        assert_true(status == TK_OK || (status == TK_NO_MEMORY && !out));
        tk_report_free(out);
    }
    status = TK_NO_MEMORY;
    for (allowed = 0; status != TK_OK; allowed++) {
        allocations = 0;
        status = tk_report_compare(full, full, &scarce, &out);
        assert_true(status == TK_OK || (status == TK_NO_MEMORY && !out));
        tk_report_free(out);
    }
    tk_report_free(full);
}

// ---- Checking ----

static void expectations_pass_or_fail(void **state) {
    static const struct {
        const char *text;
        tk_expectation expected;
        const char *words;
    } cases[] = {
        { "figures.load<80%", TK_EXPECT_PASS, "" },
        { "figures.load < 0.25", TK_EXPECT_FAIL, "it is 25.0 %" },
        { "figures.load<=25%", TK_EXPECT_PASS, "" },
        { "figures.load==25 %", TK_EXPECT_PASS, "" },
        { "figures.load<=1", TK_EXPECT_PASS, "" },
        { "figures.load<1.0000001", TK_EXPECT_INVALID, "with a unit: %" },
        { "figures.load<80", TK_EXPECT_INVALID, "with a unit: %" },
        { "figures.load>24.9999%", TK_EXPECT_PASS, "" },
        { "figures.load>25.00001%", TK_EXPECT_FAIL, "it is" },
        { "figures.duration>=1ms", TK_EXPECT_PASS, "" },
        { "figures.duration<1ms", TK_EXPECT_FAIL, "it is 1.000 ms" },
        { "figures.duration==1000\xc2\xb5s", TK_EXPECT_PASS, "" },
        { "figures.duration<1", TK_EXPECT_INVALID, "with a unit: s, ms, us" },
        { "figures.duration<1ticks", TK_EXPECT_INVALID, "with a unit" },
        { "figures.bytes==60100", TK_EXPECT_PASS, "" },
        { "figures.bytes==60100 bytes", TK_EXPECT_PASS, "" },
        { "figures.bytes<1.5", TK_EXPECT_FAIL, "60100 bytes" },
        { "figures.mode==free-rtos", TK_EXPECT_PASS, "" },
        { "figures.mode==bare", TK_EXPECT_FAIL, "it is free-rtos" },
        { "figures.mode<2", TK_EXPECT_INVALID, "==" },
        { "figures.late==false", TK_EXPECT_PASS, "" },
        { "figures.late==true", TK_EXPECT_FAIL, "it is" },
        { "tasks[logger].longest_wait<5ms", TK_EXPECT_PASS, "" },
        { "tasks[control].longest_wait<5us", TK_EXPECT_FAIL, "650.000 us" },
        { "tasks[IDLE].longest_wait<5ms", TK_EXPECT_UNMEASURED, "it was not measured" },
        { "tasks[logger].level==-5mV", TK_EXPECT_PASS, "" },
        { "tasks[logger].level>-6", TK_EXPECT_PASS, "" },
        { "tasks[Motor].cpu<1s", TK_EXPECT_UNMEASURED, "control, IDLE, logger" },
        { "tasks.cpu<1s", TK_EXPECT_INVALID, "name a row" },
        { "figures[x].load<1", TK_EXPECT_INVALID, "has no rows" },
        { "taks[control].cpu<1s", TK_EXPECT_INVALID, "similar ones are tasks" },
        { "tasks[control].cput<1s", TK_EXPECT_INVALID, "it has name, core, cpu" },
        { "", TK_EXPECT_INVALID, "such as" },
        { "figures", TK_EXPECT_INVALID, "such as" },
        { "figures.load", TK_EXPECT_INVALID, "such as" },
        { "figures.load<", TK_EXPECT_INVALID, "such as" },
        { "tasks[control.cpu<1s", TK_EXPECT_INVALID, "such as" },
        { "figures.load<80%x", TK_EXPECT_INVALID, "with a unit: %" },
        { "figures.bytes<99999999999999999999999", TK_EXPECT_INVALID, "a number" },
    };
    (void)state;
    tk_report *report = sample_report(false, 1000);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[TK_EXPECT_TEXT];
        tk_expectation found = tk_report_expect(report, cases[i].text, text);
        if (found != cases[i].expected || !strstr(text, cases[i].words))
            fail_msg("%s: %d, %s", cases[i].text, (int)found, text);
    }
    tk_report_free(report);
}

static void an_expectation_applies_to_every_row_of_a_name(void **state) {
    char text[TK_EXPECT_TEXT];
    (void)state;
    tk_report *report = read_json(
        TABLE "{\"name\":\"a].b\",\"core\":0,\"cpu\":\"10\"},{\"name\":\"a].b\",\"core\":1,\"cpu\":\"20\"}]}");
    assert_int_equal(tk_report_expect(report, "tasks[a].b].cpu<=20ns", text), TK_EXPECT_PASS);
    assert_int_equal(tk_report_expect(report, "tasks[a].b].cpu<20ns", text), TK_EXPECT_FAIL);
    contains(text, "it is 20 ns");
    tk_report_free(report);
    report = sample_report(false, 0);
    assert_int_equal(tk_report_expect(report, "tasks[control].cpu<1s", text), TK_EXPECT_INVALID);
    contains(text, "ticks");
    assert_int_equal(tk_report_expect(report, "tasks[control].cpu<=250 ticks", text), TK_EXPECT_PASS);
    tk_report_free(report);
}

#define COLUMN(key, kind, unit)                                                 \
    "{\"key\":\"" key "\",\"title\":\"x\",\"kind\":\"" kind "\",\"unit\":" unit \
    ",\"role\":\"value\",\"of\":null,\"fold\":null}"
#define SPAN_COLUMN(key) COLUMN(key, "duration", "\"ns\"")
#define SHARE_COLUMN(key) COLUMN(key, "share", "null")

// A tenth of the time was not measured on two cores, including an interrupt of 10 ns.
// clang-format off
static const char partly_measured[] =
    "{\"schema\":4,\"tool\":\"t\",\"tables\":["
    "{\"id\":\"time\",\"title\":\"x\",\"shape\":\"figures\",\"sort\":null,\"columns\":[" SPAN_COLUMN("duration") "]},"
    "{\"id\":\"cpu\",\"title\":\"x\",\"shape\":\"figures\",\"sort\":null,\"columns\":["
        SHARE_COLUMN("load") "," SHARE_COLUMN("unmeasured") "]},"
    "{\"id\":\"cores\",\"title\":\"x\",\"shape\":\"list\",\"sort\":null,\"columns\":["
        COLUMN("core", "number", "null") "," SHARE_COLUMN("load") "," SPAN_COLUMN("interrupt")
        "," SPAN_COLUMN("unmeasured") "]},"
    "{\"id\":\"tasks\",\"title\":\"x\",\"shape\":\"list\",\"sort\":null,\"columns\":["
        COLUMN("name", "name", "null") "," SPAN_COLUMN("cpu") "," SHARE_COLUMN("share")
        "," SPAN_COLUMN("longest_wait") "]}],"
    "\"time\":{\"duration\":\"1000\"},\"cpu\":{\"load\":0.5,\"unmeasured\":0.1},"
    "\"cores\":[{\"core\":0,\"load\":0.4,\"interrupt\":\"10\",\"unmeasured\":\"50\"},{\"core\":1,\"load\":0.6,\"interrupt\":\"0\",\"unmeasured\":\"150\"}],"
    "\"tasks\":[{\"name\":\"a\",\"cpu\":\"400\",\"share\":0.4,\"longest_wait\":\"7\"},{\"name\":\"b\",\"cpu\":\"900\",\"share\":0.9,\"longest_wait\":\"7\"}]}";
// clang-format on

// If the unmeasured time cannot violate a limit, the limit is met. Otherwise the result is unknown.
static void unmeasured_time_may_change_a_result(void **state) {
    static const struct {
        const char *text;
        tk_expectation expected;
        const char *words;
    } cases[] = {
        { "cpu.load<80%", TK_EXPECT_PASS, "" },
        { "cpu.load<55%", TK_EXPECT_UNMEASURED,
          "cpu.load<55%: unknown, between 50.0 % and 60.0 %: 10.0 % of the time was not measured" },
        { "cpu.load<=60%", TK_EXPECT_PASS, "" },
        { "cpu.load<60%", TK_EXPECT_UNMEASURED, "unknown" },
        { "cpu.load<50%", TK_EXPECT_FAIL, "it is at least 50.0 %" },
        { "cpu.load>49%", TK_EXPECT_PASS, "" },
        { "cpu.load>50%", TK_EXPECT_UNMEASURED, "unknown" },
        { "cpu.load>60%", TK_EXPECT_FAIL, "it is at most 60.0 %" },
        { "cpu.load==55%", TK_EXPECT_UNMEASURED, "unknown" },
        { "cpu.load==50%", TK_EXPECT_UNMEASURED, "unknown" },
        { "cpu.load==49%", TK_EXPECT_FAIL, "it is at least 50.0 %" },
        { "cpu.load==61%", TK_EXPECT_FAIL, "it is at most 60.0 %" },
        { "cpu.unmeasured<=10%", TK_EXPECT_PASS, "" },
        { "cpu.unmeasured<10%", TK_EXPECT_FAIL, "it is 10.0 %" },
        { "cores[0].load<46%", TK_EXPECT_PASS, "" },
        { "cores[1].load<70%", TK_EXPECT_UNMEASURED, "between 60.0 % and 75.0 %: 150 ns of the time" },
        { "cores[0].interrupt<60ns", TK_EXPECT_UNMEASURED, "unknown" },
        { "cores[0].unmeasured<51ns", TK_EXPECT_PASS, "" },
        { "tasks[a].cpu<500ns", TK_EXPECT_UNMEASURED, "between 400 ns and 610 ns: 200 ns of the time" },
        { "tasks[a].cpu<611ns", TK_EXPECT_PASS, "" },
        { "tasks[a].share<0.61", TK_EXPECT_UNMEASURED, "unknown" },
        { "tasks[a].share<=0.61", TK_EXPECT_PASS, "" },
        { "tasks[b].cpu<=1us", TK_EXPECT_PASS, "" },
        { "tasks[b].share<1", TK_EXPECT_UNMEASURED, "between 90.0 % and 100.0 %" },
        { "tasks[a].longest_wait<8ns", TK_EXPECT_PASS, "" },
        { "time.duration<1us", TK_EXPECT_FAIL, "it is 1.000 us" },
    };
    (void)state;
    tk_report *report = read_json(partly_measured);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[TK_EXPECT_TEXT];
        tk_expectation found = tk_report_expect(report, cases[i].text, text);
        if (found != cases[i].expected || !strstr(text, cases[i].words))
            fail_msg("%s: %d, %s", cases[i].text, (int)found, text);
    }
    tk_report_free(report);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_written_report_is_read_back),
        cmocka_unit_test(other_files_are_rejected_as_reports),
        cmocka_unit_test(another_schema_is_named_as_such),
        cmocka_unit_test(the_schema_describes_each_table_once),
        cmocka_unit_test(a_refused_schema_is_an_error),
        cmocka_unit_test(keys_are_columns_of_the_schema),
        cmocka_unit_test(csv_of_several_recordings_has_the_same_columns),
        cmocka_unit_test(markdown_begins_with_the_names_of_the_recordings),
        cmocka_unit_test(results_of_rules_come_first_and_are_not_truncated),
        cmocka_unit_test(parts_without_a_table_are_skipped),
        cmocka_unit_test(strings_are_unescaped),
        cmocka_unit_test(small_numbers_are_not_shown_as_zero),
        cmocka_unit_test(rows_are_matched_by_name_key_and_turn),
        cmocka_unit_test(a_small_change_of_a_share_has_no_sign),
        cmocka_unit_test(words_after_a_name_stay_beside_it),
        cmocka_unit_test(ids_are_not_compared),
        cmocka_unit_test(a_report_compared_with_itself_changes_nothing),
        cmocka_unit_test(ticks_are_not_compared_with_nanoseconds),
        cmocka_unit_test(failing_allocations_return_no_report),
        cmocka_unit_test(expectations_pass_or_fail),
        cmocka_unit_test(an_expectation_applies_to_every_row_of_a_name),
        cmocka_unit_test(unmeasured_time_may_change_a_result),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
