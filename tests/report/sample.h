// SPDX-License-Identifier: MIT
//
// Three reports made by hand, for the tests of both forms: nothing found, an ordinary recording, and one
// whose names and numbers are as bad as they get.
#ifndef TK_TESTS_REPORT_SAMPLE_H
#define TK_TESTS_REPORT_SAMPLE_H

#include <stdlib.h>
#include <string.h>

#include "report/report.h"

enum sample_kind { SAMPLE_EMPTY, SAMPLE_FULL, SAMPLE_HOSTILE };

struct sample {
    enum sample_kind kind;
    struct tk_alloc alloc;
    struct tk_stats stats;
    struct tk_diag diag;
    struct tk_report report;
};

static void *sample_realloc(void *ctx, void *ptr, size_t old_size, size_t new_size) {
    (void)ctx;
    (void)old_size;
    if (new_size) return realloc(ptr, new_size);
    free(ptr);
    return NULL;
}

static struct tk_report_string sample_string(const char *text) { return (struct tk_report_string){text, strlen(text)}; }

// Quotes, escapes, terminal controls, a direction mark, a zero byte, invalid UTF-8, markup.
static const char sample_bad[] = "a\"b\\c\n\x1b[31m\x7f\xc2\x9b\xe2\x80\xae\0</script>\xff\xc3";
static const struct tk_report_string sample_bad_name = {sample_bad, sizeof sample_bad - 1};
static const char sample_wide[] = "Z\xc3\xa4hler \xe2\x82\xac \xf0\x9f\x98\x80 with a very long name indeed";
static const struct tk_report_string sample_wide_name = {sample_wide, sizeof sample_wide - 1};

static bool sample_input(const void *ctx, uint32_t index, struct tk_report_input *out) {
    const struct sample *sample = ctx;
    out->name = sample->kind == SAMPLE_HOSTILE ? sample_bad_name : sample_string(index ? "names.bin" : "capture.bin");
    out->side = index == 1;
    out->bytes = sample->kind == SAMPLE_EMPTY ? 0 : sample->kind == SAMPLE_HOSTILE ? UINT64_MAX : 28311;
    static const uint64_t skipped_by[TK_DIAG_COUNT] = { [TK_DIAG_FRAME_BROKEN] = 212, [TK_DIAG_TEXT_SKIPPED] = 90 };
    out->skipped = sample->kind == SAMPLE_FULL ? 302 : 0;
    out->skipped_by = sample->kind == SAMPLE_FULL ? skipped_by : NULL;
    out->left = sample->kind == SAMPLE_FULL ? 9 : 0;
    out->decoded = out->bytes - out->skipped - out->left;
    out->frames = sample->kind == SAMPLE_EMPTY ? 0 : 2761;
    out->core = sample->kind == SAMPLE_FULL && index == 0 ? 0 : -1;
    return true;
}

static bool sample_fact(const void *ctx, uint32_t input, uint32_t index, char out_text[TK_REPORT_FACT]) {
    (void)ctx;
    strcpy(out_text, index ? "Sizes inferred: \"time stamp\" 4, object 4" : "QP/C 8.1.0, built 2026-05-04 03:02:01");
    return input == 0 && index < 2;
}

static bool sample_task(const void *ctx, uint32_t index, struct tk_report_task *out) {
    const struct sample *sample = ctx;
    static const char *const names[] = {"control", "IDLE", "logger"};
    out->id = sample->kind == SAMPLE_HOSTILE ? UINT32_MAX - index : index + 1;
    out->pid = 300 + (int32_t)index;
    out->idle = index == 1;
    out->has_priority = index != 2;
    out->priority = index ? 0 : 5;
    if (sample->kind == SAMPLE_HOSTILE) {
        out->name = index % 2 ? sample_bad_name : sample_wide_name;
        memcpy(out->wait_on, sample_bad, 20);
        return index != 3;
    }
    out->name = sample_string(names[index]);
    strcpy(out->wait_on, "receive from commands");
    return true;
}

static bool sample_isr(const void *ctx, uint32_t index, struct tk_report_isr *out) {
    const struct sample *sample = ctx;
    out->core = index;
    out->id = 15 + index;
    out->name = sample->kind == SAMPLE_HOSTILE ? sample_bad_name : sample_string(index ? "UART" : "SysTick");
    return true;
}

static bool sample_queue(const void *ctx, uint32_t index, struct tk_report_queue *out) {
    const struct sample *sample = ctx;
    out->id = index + 1;
    out->name = sample->kind == SAMPLE_HOSTILE ? (struct tk_report_string){NULL, 0} : sample_string("commands");
    out->kind = "queue";
    return true;
}

static bool sample_marker(const void *ctx, uint32_t index, struct tk_report_string *out) {
    const struct sample *sample = ctx;
    (void)index;
    *out = sample->kind == SAMPLE_HOSTILE ? sample_bad_name : sample_string("cycle");
    return true;
}

static const char *sample_kind_name(uint8_t kind) { return kind == 7 ? "task switched in" : NULL; }

// A run with an interrupt every 100 ticks.
static void sample_run(struct tk_stats *stats, uint32_t task, uint64_t from, uint64_t to) {
    tk_stats_run_begins(stats, 0);
    for (uint64_t at = from / 100 * 100 + 100; at < to; at += 100) {
        tk_stats_isr_enter(stats, 0, at);
        tk_stats_isr_exit(stats, 0, 0, at, at + 2 + at % 3, true);
    }
    tk_stats_run(stats, task, 0, from, to);
}

static void sample_feed_full(struct sample *sample) {
    struct tk_stats *stats = &sample->stats;
    const uint8_t bytes[] = {0x5b, 0x7f, 0x02};
    tk_stats_need_tasks(stats, 3);
    tk_stats_need_cores(stats, 1);
    tk_stats_need_isrs(stats, 2);
    tk_stats_need_queues(stats, 1);
    tk_stats_event(stats, 1);
    tk_stats_timed_event(stats, 7, 0, 1000);
    sample_run(stats, 0, 1000, 1250);
    sample_run(stats, 1, 1250, 1950);
    sample_run(stats, 2, 1950, 2000);
    tk_stats_wait(stats, 0, 1250, 1900, 0);
    tk_stats_queue(stats, 0, 4);
    tk_stats_marker(stats, 0, 1100, 1200);
    for (int i = 0; i < 20; i++) tk_stats_timed_event(stats, 7, 0, 2000);
    tk_diag_note(&sample->diag, TK_DIAG_DROPPED, &(struct tk_diag_place){.has_ticks = true, .ticks = 1500}, 34);
    tk_diag_note(&sample->diag, TK_DIAG_EVENT_UNKNOWN,
                 &(struct tk_diag_place){.has_offset = true, .offset = 4711, .frame = 321, .has_ticks = true, .ticks = 1750, .bytes = bytes, .len = 3}, 0x34);
    tk_diag_hit(&sample->diag, TK_DIAG_FRAME_EMPTY, NULL);
    tk_diag_hit(&sample->diag, TK_DIAG_FRAME_EMPTY, NULL);
}

static void sample_feed_hostile(struct sample *sample) {
    struct tk_stats *stats = &sample->stats;
    tk_stats_need_tasks(stats, 60);
    tk_stats_need_cores(stats, 32);
    tk_stats_need_isrs(stats, 60);
    tk_stats_need_queues(stats, 60);
    for (uint32_t i = 0; i < 60; i++) {
        tk_stats_timed_event(stats, (uint8_t)(i * 5), i % 32, i ? UINT64_MAX : 0);
        tk_stats_run(stats, i, i % 32, 0, UINT64_MAX);
        tk_stats_wait(stats, i, 0, UINT64_MAX, 1);
        tk_stats_isr_enter(stats, i, UINT64_MAX);
        tk_stats_isr_exit(stats, i, i % 32, 0, UINT64_MAX, true);
        tk_stats_isr_exit(stats, i, i % 32, 0, UINT64_MAX, true);
        tk_stats_queue(stats, i, UINT64_MAX);
        tk_stats_marker(stats, i, 0, UINT64_MAX);
    }
    uint8_t bytes[16];
    memset(bytes, 0xFF, sizeof bytes);
    for (int id = 0; id < TK_DIAG_COUNT; id++) {
        for (uint64_t i = 0; i < 6; i++)
            tk_diag_note(&sample->diag, (enum tk_diag_id)id,
                         &(struct tk_diag_place){.input = UINT32_MAX, .has_offset = true, .offset = UINT64_MAX, .frame = UINT64_MAX,
                                                 .has_ticks = true, .ticks = UINT64_MAX, .bytes = bytes, .len = 16}, UINT64_MAX - i);
    }
}

static void sample_init(struct sample *sample, enum sample_kind kind) {
    static const char *const expand[] = {"^Target$", "^Interrupts$"}, *const pin[] = {"^CPU \\d+$"}, *const collapse[] = {"^CPU Scheduling$"};
    memset(sample, 0, sizeof *sample);
    sample->kind = kind;
    sample->alloc.realloc = sample_realloc;
    tk_stats_init(&sample->stats, &sample->alloc);
    tk_diag_init(&sample->diag);
    bool full = kind == SAMPLE_FULL, hostile = kind == SAMPLE_HOSTILE;
    if (full) sample_feed_full(sample);
    if (hostile) sample_feed_hostile(sample);
    sample->report = (struct tk_report){
        .tool = "Tonkopf 0.1.0", .format_name = full ? "tonbandgeraet" : "", .format_title = full ? "Tonbandgeraet" : "",
        .mode = full ? "freertos" : "", .probe_reason = full ? "" : "No frame was found.",
        .tick_ns = hostile ? UINT64_MAX : full ? 1000 : 1, .tick_source = full ? TK_TICK_FROM_RECORDING : TK_TICK_ASSUMED, .counts_per_tick = full ? 0 : 20000, .tick_late = hostile,
        .bytes_in = hostile ? UINT64_MAX : full ? 28311 : 0,
        .drops = hostile ? UINT64_MAX : full ? 34 : 0, .drops_before = full ? 500 : 0, .restarts = full,
        .bytes_out = full ? 60100 : 0, .packets = full ? 3456 : 0,
        .input_count = kind == SAMPLE_EMPTY ? 1 : 2, .task_count = full ? 3 : hostile ? 60 : 0,
        .isr_count = full ? 2 : hostile ? 60 : 0, .queue_count = full ? 1 : hostile ? 60 : 0, .marker_count = full ? 1 : hostile ? 60 : 0,
        .source = {sample, sample_input, sample_fact, sample_task, sample_isr, sample_queue, sample_marker, sample_kind_name},
        .stats = &sample->stats, .diag = &sample->diag,
        .expand = expand, .expand_count = full ? 2 : 0, .collapse = collapse, .collapse_count = full ? 1 : 0, .pin = pin, .pin_count = full ? 1 : 0};
}

static void sample_deinit(struct sample *sample) { tk_stats_deinit(&sample->stats); }

#endif
