// SPDX-License-Identifier: MIT
//
// Durations and periods of the slices of markers.
#include "model_support.h"

#include "model/trackers/markers/markers.h"

static int reset(void **state) {
    static const struct tk_tracker *const trackers[] = { &tk_tracker_rtos, &tk_tracker_markers, NULL };
    (void)state;
    model_init(0, false);
    model.host.has_analysis = true;
    tk_model_need_trackers(&model, trackers);
    return 0;
}

// ---- Events ------------------------------------------------------------------------------------

static void at(uint64_t ticks, enum tk_event_kind kind, uint32_t marker, const char *text) {
    struct tk_event event = { .kind = (uint8_t)kind, .timed = true, .ticks = ticks };
    event.str = text;
    event.str_len = (uint32_t)strlen(text);
    tk_event_set_number(&event, TK_SLOT_ID, marker);
    tk_model_event(&model, &event);
}

static void begins(uint64_t ticks, uint32_t marker, const char *text) { at(ticks, TK_EV_MARKER_BEGIN, marker, text); }
static void ends(uint64_t ticks, uint32_t marker) { at(ticks, TK_EV_MARKER_END, marker, ""); }
static void loses(uint64_t since, uint64_t ticks) {
    tk_model_event(&model, &(struct tk_event){ .kind = TK_EV_EVENTS_LOST,
                                               .timed = true,
                                               .ticks = ticks,
                                               .events_lost.since = since,
                                               .events_lost.count = 1 });
}
static void end(void) { tk_model_finish(&model, false, 1); }

// ---- The table ---------------------------------------------------------------------------------

static struct lines rows;
static unsigned cells;

static void table_begin(void *ctx, const struct tk_table *table) { (void)ctx, (void)table, cells = 0; }
static void table_end(void *ctx) { (void)ctx; }
static void table_cell(void *ctx, const struct tk_cell *cell) {
    (void)ctx;
    if (cells++ % tk_marker_times_table.column_count == 0) lines_add(&rows, "\n");
    if (cell->type == TK_CELL_NONE) lines_add(&rows, " -");
    else if (cell->type == TK_CELL_TEXT) lines_add(&rows, " '%.*s'", (int)cell->len, cell->text);
    else lines_add(&rows, " %llu", (unsigned long long)cell->u);
}

static const char *table(void) {
    static const struct tk_table_sink sink = { NULL, table_begin, table_cell, table_end, 1 };
    rows = (struct lines){ .len = 0 };
    tk_marker_times_tables(model.trackers[TK_OWNER_MARKERS].state, &sink);
    return rows.text;
}

// Marker, text, task, count, not measured, total; shortest, mean, 50 %, 95 %, 99 %, longest, at; the same of the
// period.
static void slices_have_durations_and_periods_per_text(void **state) {
    (void)state;
    begins(10, 1, "");
    ends(13, 1);
    begins(20, 1, "read");
    begins(22, 1, "parse");
    ends(26, 1);
    ends(30, 1);
    begins(40, 1, "");
    ends(45, 1);
    begins(60, 1, "");
    ends(61, 1);
    end();
    assert_string_equal(table(), "\n 'marker #1' - - 3 0 9 1 3 3 5 5 5 40 20 25 20 30 30 30 10"
                                 "\n 'marker #1' 'read' - 1 0 10 10 10 10 10 10 10 20 - - - - - - -"
                                 "\n 'marker #1' 'parse' - 1 0 4 4 4 4 4 4 4 22 - - - - - - -");
}

static void a_slice_across_a_loss_is_not_measured(void **state) {
    (void)state;
    begins(10, 1, "");
    loses(11, 12);
    ends(13, 1);
    begins(20, 1, "");
    ends(24, 1);
    begins(30, 1, "");
    end();
    assert_string_equal(table(), "\n 'marker #1' - - 3 2 4 4 4 4 4 4 4 20 10 10 10 10 10 10 20");
}

// The end of the first slice is missing: the second begin of the same name proves it.
static void a_slice_whose_end_was_lost_is_not_measured(void **state) {
    (void)state;
    begins(10, 1, "");
    begins(11, 1, "inner");
    loses(12, 13);
    begins(20, 1, "");
    ends(24, 1);
    end();
    assert_string_equal(table(), "\n 'marker #1' - - 2 1 4 4 4 4 4 4 4 20 - - - - - - -"
                                 "\n 'marker #1' 'inner' - 1 1 - - - - - - - - - - - - - - -");
}

static void further_texts_share_a_row(void **state) {
    (void)state;
    char text[16];
    for (uint64_t i = 0; i < TK_MARKER_TEXTS + 2; i++) {
        snprintf(text, sizeof text, "%u", (unsigned)i);
        begins(100 * i, 1, text);
        ends(100 * i + 1 + i, 1);
    }
    end();
    assert_non_null(strstr(table(), "\n 'marker #1' '63' - 1 0 64 "));
    assert_non_null(strstr(table(), "\n 'marker #1' 'further texts' - 2 0 131 65 66 "));
    const struct tk_markers *markers = model.trackers[TK_OWNER_MARKERS].state;
    assert_int_equal(markers->slices.count, TK_MARKER_TEXTS + 1);
}

static void rows_are_limited(void **state) {
    (void)state;
    recorder.quiet_tracks = true;
    for (uint32_t i = 0; i < TK_MARKER_ROWS + 2; i++) {
        begins(10 * i, i, "");
        ends(10 * i + 1, i);
        recorder.lines.len = 0;
    }
    end();
    const struct tk_markers *markers = model.trackers[TK_OWNER_MARKERS].state;
    assert_int_equal(markers->slices.count, TK_MARKER_ROWS);
    assert_int_equal(diag.entries[TK_DIAG_TOO_MANY].count, 2);
    assert_int_equal(markers->markers[TK_MARKER_ROWS].times, 0);
}

// The names of tasks and other objects need the room.
static void texts_without_a_row_are_not_stored(void **state) {
    (void)state;
    char text[16];
    recorder.quiet_tracks = true;
    for (uint32_t i = 0; i < TK_MARKER_ROWS; i++) {
        begins(10 * i, i, "");
        ends(10 * i + 1, i);
        recorder.lines.len = 0;
    }
    uint32_t stored = model.timeline.names.strings.count;
    for (uint32_t i = 0; i < 10; i++) {
        snprintf(text, sizeof text, "text %u", (unsigned)i);
        begins(10000 + 10 * i, 0, text);
        ends(10000 + 10 * i + 1, 0);
        recorder.lines.len = 0;
    }
    assert_int_equal(model.timeline.names.strings.count, stored);
    assert_int_equal(diag.entries[TK_DIAG_TOO_MANY].count, 10);
}

static void slices_that_are_too_deep_are_not_measured(void **state) {
    (void)state;
    enum { DEEP = TK_MAX_DEPTH + 3 };
    recorder.quiet_tracks = true;
    for (uint64_t i = 0; i < DEEP; i++) begins(i, 1, "");
    recorder.lines.len = 0;
    for (uint64_t i = 0; i < DEEP; i++) ends(DEEP + i, 1), recorder.lines.len = 0;
    end();
    assert_non_null(strstr(table(), "\n 'marker #1' - - 259 3 "));
}

static void a_time_range_counts_only_slices_within_it(void **state) {
    (void)state;
    begins(10, 1, "");
    ends(11, 1);
    begins(20, 1, "");
    tk_model_begin_stats(&model, 21);
    ends(23, 1);
    begins(30, 1, "");
    ends(37, 1);
    end();
    assert_string_equal(table(), "\n 'marker #1' - - 2 1 7 7 7 7 7 7 7 30 - - - - - - -");
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, reset, done)

int main(void) {
    const struct CMUnitTest tests[] = {
        CASE(slices_have_durations_and_periods_per_text),
        CASE(a_slice_across_a_loss_is_not_measured),
        CASE(a_slice_whose_end_was_lost_is_not_measured),
        CASE(further_texts_share_a_row),
        CASE(rows_are_limited),
        CASE(texts_without_a_row_are_not_stored),
        CASE(slices_that_are_too_deep_are_not_measured),
        CASE(a_time_range_counts_only_slices_within_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
