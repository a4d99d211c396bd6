// SPDX-License-Identifier: MIT
//
// Reports made by hand for the tests of the output formats: an ordinary one, and one with hostile names and numbers.
#ifndef TK_TESTS_REPORT_SAMPLE_H
#define TK_TESTS_REPORT_SAMPLE_H

#include <stdlib.h>
#include <string.h>

#include "report/report.h"

// Quotes, escapes, terminal controls, a direction mark, a zero byte, invalid UTF-8, markup.
static const char sample_bad[] = "a\"b\\c\n\x1b[31m\x7f\xc2\x9b\xe2\x80\xae\0</script>|=1,\xff\xc3";
static const char sample_wide[] = "Z\xc3\xa4hler \xe2\x82\xac \xf0\x9f\x98\x80 with a very long name indeed";
#define SAMPLE_BAD sample_bad, sizeof sample_bad - 1
#define SAMPLE_WIDE sample_wide, sizeof sample_wide - 1

static void *sample_realloc(void *ctx, void *ptr, size_t old_size, size_t new_size) {
    (void)ctx;
    (void)old_size;
    if (new_size) return realloc(ptr, new_size);
    free(ptr);
    return NULL;
}

static const struct tk_allocator sample_heap = { sample_realloc, NULL };

static const struct tk_column sample_figures[] = {
    { "duration", "Duration", TK_COLUMN_DURATION, TK_ROLE_VALUE, NULL, TK_FOLD_NONE },
    { "load", "CPU busy", TK_COLUMN_SHARE, TK_ROLE_VALUE, NULL, TK_FOLD_NONE },
    { "bytes", "Trace", TK_COLUMN_COUNT, TK_ROLE_VALUE, "bytes", TK_FOLD_NONE },
    { "late", "Late", TK_COLUMN_FLAG, TK_ROLE_VALUE, NULL, TK_FOLD_NONE },
    { "mode", "Mode", TK_COLUMN_TEXT, TK_ROLE_VALUE, NULL, TK_FOLD_NONE },
    { "secret", "Secret", TK_COLUMN_COUNT, TK_ROLE_HIDDEN, NULL, TK_FOLD_NONE },
};
static const struct tk_table sample_figures_table = { "figures", "Figures", sample_figures, 6, TK_TABLE_FIGURES,
                                                      NULL,      NULL };

static const struct tk_column sample_tasks[] = {
    { "name", "Task", TK_COLUMN_NAME, TK_ROLE_VALUE, NULL, TK_FOLD_NONE },
    { "core", "Core", TK_COLUMN_NUMBER, TK_ROLE_KEY, NULL, TK_FOLD_NONE },
    { "cpu", "CPU time", TK_COLUMN_DURATION, TK_ROLE_VALUE, NULL, TK_FOLD_SUM },
    { "runs", "Runs", TK_COLUMN_COUNT, TK_ROLE_VALUE, NULL, TK_FOLD_SUM },
    { "longest_wait", "Longest wait", TK_COLUMN_DURATION, TK_ROLE_VALUE, NULL, TK_FOLD_MAX },
    { "longest_wait_on", "Waited for", TK_COLUMN_TEXT, TK_ROLE_NOTE, NULL, TK_FOLD_NONE },
    { "longest_wait_at", "At", TK_COLUMN_TIME, TK_ROLE_AT, NULL, TK_FOLD_NONE },
    { "unmeasured", "Not measured", TK_COLUMN_COUNT, TK_ROLE_UNMEASURED, NULL, TK_FOLD_SUM },
    { "level", "Level", TK_COLUMN_NUMBER, TK_ROLE_VALUE, "mV", TK_FOLD_NONE },
};
static const struct tk_table sample_tasks_table = { "tasks", "Tasks", sample_tasks, 9, TK_TABLE_LIST, "cpu", NULL };

static const struct tk_column sample_problems[] = {
    { "id", "Problem", TK_COLUMN_NAME, TK_ROLE_VALUE, NULL, TK_FOLD_NONE },
    { "severity", "Severity", TK_COLUMN_TEXT, TK_ROLE_VALUE, NULL, TK_FOLD_NONE },
    { "title", "Title", TK_COLUMN_TEXT, TK_ROLE_VALUE, NULL, TK_FOLD_NONE },
    { "count", "Count", TK_COLUMN_COUNT, TK_ROLE_VALUE, NULL, TK_FOLD_NONE },
    { "detail", "Detail", TK_COLUMN_TEXT, TK_ROLE_NOTE, NULL, TK_FOLD_NONE },
    { "cause", "Cause", TK_COLUMN_TEXT, TK_ROLE_NOTE, NULL, TK_FOLD_NONE },
    { "remedy", "What to do", TK_COLUMN_TEXT, TK_ROLE_NOTE, NULL, TK_FOLD_NONE },
};
static const struct tk_table sample_problems_table = { "problems", "Problems", sample_problems, 7, TK_TABLE_LIST,
                                                       NULL,       NULL };

static const struct tk_column sample_places[] = {
    { "problem", "Problem", TK_COLUMN_NAME, TK_ROLE_VALUE, NULL, TK_FOLD_NONE },
    { "input", "Input", TK_COLUMN_TEXT, TK_ROLE_NOTE, NULL, TK_FOLD_NONE },
    { "offset", "Byte", TK_COLUMN_NUMBER, TK_ROLE_KEY, NULL, TK_FOLD_NONE },
    { "frame", "Frame", TK_COLUMN_NUMBER, TK_ROLE_KEY, NULL, TK_FOLD_NONE },
    { "time", "Time", TK_COLUMN_TIME, TK_ROLE_AT, NULL, TK_FOLD_NONE },
    { "hex", "Bytes at the position", TK_COLUMN_TEXT, TK_ROLE_NOTE, NULL, TK_FOLD_NONE },
};
static const struct tk_table sample_places_table = { "places", "Places", sample_places, 6, TK_TABLE_LIST, NULL, NULL };

static const struct tk_column sample_explain[] = { { "sentence", "Sentence", TK_COLUMN_TEXT, TK_ROLE_VALUE, NULL,
                                                     TK_FOLD_NONE } };
static const struct tk_table sample_explain_table = {
    "explain", "Why there is so little to see", sample_explain, 1, TK_TABLE_PROSE, NULL, NULL
};

static void sample_task(const struct tk_table_sink *sink, const char *name, size_t len, uint64_t cpu, uint64_t wait) {
    tk_cell_text(sink, name, len);
    tk_cell_uint(sink, 0);
    tk_cell_ticks(sink, cpu);
    tk_cell_uint(sink, 7);
    tk_cell_ticks_if(sink, wait > 0, wait);
    tk_cell_word(sink, wait ? "receive from commands" : "");
    tk_cell_ticks_if(sink, wait > 0, 1250);
    tk_cell_uint(sink, wait > 100 ? 3 : 0);
    tk_cell_int(sink, -5);
}

static void sample_head(const struct tk_table_sink *sink, bool hostile) {
    tk_table_begin(sink, &sample_figures_table);
    tk_cell_ticks(sink, hostile ? UINT64_MAX : 1000);
    tk_cell_share(sink, 1, 4);
    tk_cell_uint(sink, hostile ? UINT64_MAX : 60100);
    tk_cell_uint(sink, hostile);
    if (hostile) tk_cell_text(sink, SAMPLE_BAD);
    else tk_cell_word(sink, "free-rtos");
    tk_cell_uint(sink, 4711);
    tk_table_end(sink);
}

static void sample_troubles(const struct tk_table_sink *sink, bool hostile) {
    tk_table_begin(sink, &sample_explain_table);
    if (hostile) tk_cell_text(sink, SAMPLE_BAD);
    tk_table_end(sink);
    tk_table_begin(sink, &sample_problems_table);
    tk_cell_word(sink, "EVENT_UNKNOWN");
    tk_cell_word(sink, "damage");
    tk_cell_word(sink, "Events of unknown kind");
    tk_cell_uint(sink, 2);
    tk_cell_word(sink, "id 0x34");
    tk_cell_word(sink, "The frame is intact, but its first byte is no known event.");
    tk_cell_word(sink, "Look at it.");
    tk_table_end(sink);
    tk_table_begin(sink, &sample_places_table);
    for (unsigned i = 0; i < 2; i++) {
        tk_cell_word(sink, "EVENT_UNKNOWN");
        tk_cell_word(sink, "capture.bin");
        tk_cell_uint(sink, 4711 + i);
        tk_cell_uint(sink, 321 + i);
        tk_cell_ticks_if(sink, i == 0, 1750);
        tk_cell_word(sink, "5b 7f 02");
    }
    tk_table_end(sink);
}

static void sample_full(const void *ctx, const struct tk_table_sink *sink) {
    (void)ctx;
    sample_head(sink, false);
    sample_troubles(sink, false);
    tk_table_begin(sink, &sample_tasks_table);
    sample_task(sink, "control", 7, 250, 650);
    sample_task(sink, "IDLE", 4, 700, 0);
    sample_task(sink, "logger", 6, 50, 20);
    tk_table_end(sink);
}

static void sample_hostile(const void *ctx, const struct tk_table_sink *sink) {
    (void)ctx;
    sample_head(sink, true);
    sample_troubles(sink, true);
    tk_table_begin(sink, &sample_tasks_table);
    for (uint64_t i = 0; i < 60; i++) {
        if (i % 2) sample_task(sink, SAMPLE_BAD, UINT64_MAX - i, UINT64_MAX);
        else sample_task(sink, SAMPLE_WIDE, UINT64_MAX / 2, UINT64_MAX);
    }
    tk_table_end(sink);
}

static const char *const sample_patterns[] = { "^Target$", "^CPU \\d+$" };

static inline struct tk_report_source sample_source(bool hostile, uint64_t tick_ns) {
    return (struct tk_report_source){ NULL,
                                      hostile ? sample_hostile : sample_full,
                                      "Tonkopf 0.1.0",
                                      tick_ns,
                                      { tick_ns ? "ns" : "ticks", tick_ns ? TK_TIME_MEASURED : TK_TIME_RATE_UNKNOWN },
                                      sample_patterns,
                                      NULL,
                                      sample_patterns + 1,
                                      1,
                                      0,
                                      1 };
}

static inline tk_report *sample_report(bool hostile, uint64_t tick_ns) {
    struct tk_report_source source = sample_source(hostile, tick_ns);
    tk_report *report = tk_report_begin(&sample_heap, source.tool, source.times);
    struct tk_table_sink sink = tk_report_sink(report, tick_ns);
    source.tables(source.ctx, &sink);
    return tk_report_complete(report, &report) == TK_OK ? report : NULL;
}

#endif
