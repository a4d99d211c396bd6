// SPDX-License-Identifier: MIT
//
// Tracks that the format defines: events into the model, calls of the track sink and tables out.
#include "model_support.h"

#include <math.h>

#include "model/trackers/tracks/tracks.h"
#include "report/samples.h"

static struct lines report;

static int reset(void **state) {
    static const struct tk_tracker *const trackers[] = { &tk_tracker_rtos, &tk_tracker_tracks, NULL };
    (void)state;
    model_init(0, false);
    recorder.free_times = true;
    tk_model_need_trackers(&model, trackers);
    return 0;
}

static void define_track(uint32_t id, const char *name, struct tk_track_def def) {
    def.unit_len = def.unit ? (uint16_t)strlen(def.unit) : 0;
    def.description_len = def.description ? (uint32_t)strlen(def.description) : 0;
    def.type_words_len = def.type_words ? (uint16_t)strlen(def.type_words) : 0;
    send((struct tk_event){ .kind = TK_EV_TRACK_DEFINED,
                            .track_defined.track = id,
                            .str = name,
                            .str_len = (uint32_t)strlen(name),
                            .track_defined.definition = &def });
}

static struct tk_event at(uint64_t ticks, enum tk_event_kind kind, uint32_t id, const char *text) {
    struct tk_event event = {
        .kind = (uint8_t)kind, .timed = true, .ticks = ticks, .str = text, .str_len = text ? (uint32_t)strlen(text) : 0
    };
    tk_event_set_number(&event, TK_SLOT_ID, id);
    return event;
}

static void send_text(uint64_t ticks, enum tk_event_kind kind, uint32_t id, const char *text) {
    send(at(ticks, kind, id, text));
}

static void count_to(uint64_t ticks, uint32_t id, int64_t value) {
    struct tk_event event = at(ticks, TK_EV_TRACK_COUNT, id, NULL);
    event.track_count.number = value;
    send(event);
}

static void count_double(uint64_t ticks, uint32_t id, double number) {
    struct tk_event event = at(ticks, TK_EV_TRACK_COUNT_DOUBLE, id, NULL);
    event.track_count_double.number = number;
    send(event);
}

static void finish(void) { tk_model_finish(&model, false, 1); }
static void expect(const char *lines) { expect_lines(&recorder.lines, lines); }
static void forget(void) { recorder.lines = (struct lines){ 0 }; }

// ---- The tree ----------------------------------------------------------------------------------

static void a_track_is_drawn_with_all_above_it_in_its_order(void **state) {
    (void)state;
    define_track(1, "sim", (struct tk_track_def){ .parent_kind = TK_PARENT_ROOT, .type = TK_TRACK_OF_GROUP });
    define_track(3, "level",
                 (struct tk_track_def){ .parent_kind = TK_PARENT_TRACK,
                                        .parent = 2,
                                        .type = TK_TRACK_OF_COUNTER,
                                        .rank = 7,
                                        .unit = "mV",
                                        .description = "at the pin",
                                        .share = 4 });
    define_track(
        2, "top",
        (struct tk_track_def){ .parent_kind = TK_PARENT_TRACK, .parent = 1, .type = TK_TRACK_OF_GROUP, .rank = 2 });
    define_track(9, "never used",
                 (struct tk_track_def){ .parent_kind = TK_PARENT_TRACK, .parent = 1, .type = TK_TRACK_OF_GROUP });
    expect("");
    count_to(5, 3, -20);
    expect("track 1 in 0 'sim'\ntrack 2 in 1 'top' rank 2\ntrack 3 in 2 'level' rank 7 unit 'mV' (at the pin) share "
           "4\n5: count <level> -20\n");
}

static void a_track_without_definition_bears_its_number(void **state) {
    (void)state;
    send_text(5, TK_EV_TRACK_BEGIN, 8, "on");
    expect("track 1 in 0 'Target'\ntrack 2 in 1 'track #8' rank 1024\n5: begin <track #8> 'on'\n");
    define_track(
        8, "late",
        (struct tk_track_def){ .parent_kind = TK_PARENT_ROOT, .type = TK_TRACK_OF_SLICES, .description = "told late" });
    forget();
    finish();
    assert_non_null(strstr(recorder.lines.text, "track 2 in 1 'late' rank 1024 (told late)\n"));
}

static void the_last_definition_counts(void **state) {
    (void)state;
    struct tk_track_def def = { .parent_kind = TK_PARENT_TARGET, .type = TK_TRACK_OF_COUNTER, .unit = "V" };
    define_track(1, "a", def);
    count_to(1, 1, 1);
    def.unit = "mV";
    define_track(1, "b", def);
    forget();
    finish();
    expect("track 2 in 1 'b' rank 1024 unit 'mV'\n");
}

static void tracks_with_cyclic_parents_go_below_the_target(void **state) {
    (void)state;
    struct tk_track_def def = { .parent_kind = TK_PARENT_TRACK, .type = TK_TRACK_OF_SLICES, .parent = 2 };
    define_track(1, "a", def);
    def.parent = 1;
    define_track(2, "b", def);
    send_text(1, TK_EV_TRACK_INSTANT, 1, "x");
    expect("track 1 in 0 'Target'\ntrack 2 in 1 'a' rank 1024\n1: instant <a> 'x'\n");
}

static void too_deep_track_hierarchies_are_cut(void **state) {
    (void)state;
    for (uint32_t id = 1; id <= 400; id++)
        define_track(id, "floor",
                     (struct tk_track_def){ .parent_kind = id > 1 ? TK_PARENT_TRACK : TK_PARENT_ROOT,
                                            .parent = id - 1,
                                            .type = TK_TRACK_OF_SLICES });
    send_text(1, TK_EV_TRACK_INSTANT, 400, "x");
    for (uint32_t id = 400; id >= 1; id--) send_text(1, TK_EV_TRACK_INSTANT, id, "x");
    for (uint32_t id = 1; id <= model.timeline.track_count; id++) {
        unsigned depth = 0;
        for (uint32_t above = id; above; above = model.timeline.tracks[above - 1].parent) depth++;
        assert_true(depth <= TK_MAX_TRACK_DEPTH + 1);
    }
}

static void tracks_below_a_task_follow_it(void **state) {
    (void)state;
    define_track(1, "mine",
                 (struct tk_track_def){ .parent_kind = TK_PARENT_TASK, .parent = 5, .type = TK_TRACK_OF_SLICES });
    define_track(
        2, "hidden",
        (struct tk_track_def){ .parent_kind = TK_PARENT_TASK_DETAILS, .parent = 5, .type = TK_TRACK_OF_COUNTER });
    send_text(1, TK_EV_TRACK_INSTANT, 1, "x");
    count_to(1, 2, 3);
    expect("track 1 in 0 'task #5'\ntrack 2 in 1 'mine'\n1: instant <mine> 'x'\n"
           "track 3 in 1 'more'\ntrack 4 in 3 'hidden'\n1: count <hidden> 3\n");
    assert_int_equal(model.timeline.tracks[1].pid, 305);
}

// ---- What is drawn -----------------------------------------------------------------------------

static void states_replace_each_other(void **state) {
    (void)state;
    define_track(1, "mode", (struct tk_track_def){ .parent_kind = TK_PARENT_ROOT, .type = TK_TRACK_OF_SLICES });
    send_text(1, TK_EV_TRACK_STATE, 1, "idle");
    send_text(2, TK_EV_TRACK_BEGIN, 1, "inside");
    send_text(3, TK_EV_TRACK_STATE, 1, "busy");
    send_text(4, TK_EV_TRACK_STATE, 1, NULL);
    send_text(5, TK_EV_TRACK_STATE, 1, NULL);
    expect("track 1 in 0 'mode'\n1: begin <mode> 'idle'\n2: begin <mode> 'inside'\ndefine 2 1 'end lost'\n3: end "
           "<mode>, end lost 1\n3: end <mode>\n"
           "3: begin <mode> 'busy'\n4: end <mode>\n");
}

static void a_symbol_may_get_its_name_last(void **state) {
    (void)state;
    struct tk_event event = at(1, TK_EV_TRACK_BEGIN, 1, NULL);
    define_track(1, "t", (struct tk_track_def){ .parent_kind = TK_PARENT_ROOT, .type = TK_TRACK_OF_SLICES });
    event.track_slice.name = 77;
    send(event);
    send((struct tk_event){ .kind = TK_EV_SYMBOL_NAME, .name.entity = 77, .str = "first", .str_len = 5 });
    send((struct tk_event){ .kind = TK_EV_SYMBOL_NAME, .name.entity = 77, .str = "last", .str_len = 4 });
    expect("track 1 in 0 't'\n1: begin <t> [1]\n");
    forget();
    finish();
    assert_non_null(strstr(recorder.lines.text, "define 0 1 'last'\n"));
    assert_null(strstr(recorder.lines.text, "first"));
    assert_int_equal(diag.entries[TK_DIAG_NAME_CHANGED].count, 0);
}

static void any_bytes_become_text(void **state) {
    (void)state;
    define_track(1, "a\xFF", (struct tk_track_def){ .parent_kind = TK_PARENT_ROOT, .type = TK_TRACK_OF_SLICES });
    send_text(1, TK_EV_TRACK_INSTANT, 1, "b\xFE");
    expect("track 1 in 0 'a\xEF\xBF\xBD'\n1: instant <a\xEF\xBF\xBD> 'b\xEF\xBF\xBD'\n");
}

static void arguments_nest(void **state) {
    (void)state;
    const struct tk_value values[] = {
        { .name = "member", .name_len = 3, .type = TK_VALUE_GROUP, .number.u = 4 },
        { .name = "x", .type = TK_VALUE_INT, .number.i = -1 },
        { .name = "list", .type = TK_VALUE_LIST, .number.u = 2 },
        { .type = TK_VALUE_DOUBLE, .number.d = 1.5 },
        { .type = TK_VALUE_UINT, .number.u = 2 },
        { .name = "last", .type = TK_VALUE_TEXT, .text = "t", .text_len = 1 },
    };
    struct tk_event event = at(1, TK_EV_TRACK_INSTANT, 1, "x");
    define_track(1, "t", (struct tk_track_def){ .parent_kind = TK_PARENT_ROOT, .type = TK_TRACK_OF_SLICES });
    event.values = values;
    event.value_count = 6;
    event.track_slice.correlation = 9;
    send(event);
    expect("track 1 in 0 't'\ndefine 2 1 'mem'\ndefine 2 2 'x'\ndefine 2 3 'list'\ndefine 2 4 'last'\n"
           "1: instant <t> 'x', mem group(4), x -1, list list(2),  1.5,  2, last 't' colour 9\n");
}

static void a_group_never_counts_more_values_than_remain(void **state) {
    (void)state;
    struct tk_value values[TK_MAX_ARGS + 8];
    struct tk_event event = at(1, TK_EV_TRACK_INSTANT, 1, "x");
    for (unsigned i = 0; i < TK_MAX_ARGS + 8; i++)
        values[i] =
            (struct tk_value){ .name = "v", .type = i % 3 ? TK_VALUE_UINT : TK_VALUE_GROUP, .number.u = UINT64_MAX };
    event.values = values;
    event.value_count = TK_MAX_ARGS + 8;
    send(event);
    assert_non_null(strstr(recorder.lines.text, "x', v group("));
    assert_true(diag.entries[TK_DIAG_DETAILS_CUT].count > 0);
}

static void times_rise_on_each_track_only(void **state) {
    (void)state;
    count_to(100, 1, 1);
    count_to(10, 2, 2);
    count_to(50, 2, 3);
    count_to(101, 1, 4);
    finish();
    assert_non_null(strstr(recorder.lines.text,
                           "10: count <track #2> 2\n50: count <track #2> 3\n101: count <track #1> 4\n"));
    assert_int_equal(diag.entries[TK_DIAG_TIME_SKEW].count, 0);
}

static void values_out_of_range_are_not_drawn(void **state) {
    (void)state;
    define_track(1, "n", (struct tk_track_def){ .parent_kind = TK_PARENT_ROOT, .type = TK_TRACK_OF_COUNTER });
    send_text(1, TK_EV_TRACK_BEGIN, 1, "x");
    send_text(1, TK_EV_TRACK_END, 1, NULL);
    send_text(1, TK_EV_TRACK_BEGIN, 0, "x");
    count_double(1, 1, (double)NAN);
    count_double(2, 1, (double)INFINITY);
    count_double(3, 1, 0.25);
    expect("track 1 in 0 'n'\n3: count <n> 0.25\n");
}

// ---- Losses ------------------------------------------------------------------------------------

static void lose(uint64_t ticks, uint32_t count) {
    send((struct tk_event){ .kind = TK_EV_DROP_COUNT, .timed = true, .ticks = ticks, .drop_count.count = count });
}

static void a_loss_ends_slices_marked_to_end(void **state) {
    (void)state;
    define_track(
        1, "ends",
        (struct tk_track_def){ .parent_kind = TK_PARENT_ROOT, .type = TK_TRACK_OF_SLICES, .ends_at_loss = true });
    define_track(2, "goes on", (struct tk_track_def){ .parent_kind = TK_PARENT_ROOT, .type = TK_TRACK_OF_SLICES });
    lose(0, 1);
    send_text(1, TK_EV_TRACK_STATE, 1, "a");
    send_text(1, TK_EV_TRACK_BEGIN, 2, "b");
    forget();
    lose(2, 5);
    send_text(3, TK_EV_TRACK_STATE, 1, "c");
    send_text(4, TK_EV_TRACK_END, 2, NULL);
    expect("define 2 1 'open at the gap'\ndefine 2 2 'events lost meanwhile'\n2: end <ends>, open at the gap 1, events "
           "lost meanwhile 1\n3: begin <ends> 'c'\n"
           "4: end <goes on>, events lost meanwhile 1\n");
}

// Each track has its own times: an event from before the loss is drawn where the loss ended the slice.
static void a_track_continues_where_a_loss_ended_it(void **state) {
    (void)state;
    define_track(
        1, "late",
        (struct tk_track_def){ .parent_kind = TK_PARENT_ROOT, .type = TK_TRACK_OF_SLICES, .ends_at_loss = true });
    lose(0, 1);
    send_text(1, TK_EV_TRACK_STATE, 1, "a");
    forget();
    lose(10, 5);
    send_text(7, TK_EV_TRACK_STATE, 1, "c");
    expect("define 2 1 'open at the gap'\ndefine 2 2 'events lost meanwhile'\n10: end <late>, open at the gap 1, "
           "events lost meanwhile 1\n10: begin <late> 'c'\n");
}

// The end is not an event with a time: no event came before it.
static void a_first_loss_without_a_time_came_before_the_recording(void **state) {
    (void)state;
    send((struct tk_event){ .kind = TK_EV_DROP_COUNT, .drop_count.count = 5 });
    assert_int_equal(model.lost_before, 5);
    lose(1, 7);
    finish();
    assert_int_equal(model.lost, 2);
}

static void an_instant_may_refer_to_an_earlier_time(void **state) {
    (void)state;
    define_track(1, "n", (struct tk_track_def){ .parent_kind = TK_PARENT_ROOT, .type = TK_TRACK_OF_SLICES });
    send_text(10, TK_EV_TRACK_STATE, 1, "a");
    forget();
    send_text(4, TK_EV_TRACK_INSTANT, 1, "i");
    send_text(12, TK_EV_TRACK_INSTANT, 1, "j");
    expect("4 late: instant <n> 'i'\n12: instant <n> 'j'\n");
}

// ---- Figures -----------------------------------------------------------------------------------

static void on_table(void *ctx, const struct tk_table *table) { lines_add(ctx, "%s:", table->id); }
static void on_table_end(void *ctx) { lines_add(ctx, "\n"); }
static void on_cell(void *ctx, const struct tk_cell *cell) {
    if (cell->type == TK_CELL_NONE) lines_add(ctx, " -");
    if (cell->type == TK_CELL_UINT) lines_add(ctx, " %llu", (unsigned long long)cell->u);
    if (cell->type == TK_CELL_INT) lines_add(ctx, " %lld", (long long)cell->i);
    if (cell->type == TK_CELL_DOUBLE) lines_add(ctx, " %g", cell->d);
    if (cell->type == TK_CELL_TEXT) lines_add(ctx, " '%.*s'", (int)cell->len, cell->text);
}

static void expect_signals(const char *text) {
    report = (struct lines){ 0 };
    struct tk_table_sink sink = { &report, on_table, on_cell, on_table_end, 1 };
    tk_tracker_tracks.tables(model.trackers[TK_OWNER_TRACKS].state, &sink);
    expect_lines(&report, text);
}

static void signals_have_figures(void **state) {
    (void)state;
    struct tk_event event = at(9, TK_EV_TRACK_COUNT, 2, NULL);
    define_track(1, "top", (struct tk_track_def){ .parent_kind = TK_PARENT_ROOT, .type = TK_TRACK_OF_GROUP });
    define_track(2, "level",
                 (struct tk_track_def){ .parent_kind = TK_PARENT_TRACK,
                                        .parent = 1,
                                        .type = TK_TRACK_OF_COUNTER,
                                        .in_signals = true,
                                        .unit = "mV",
                                        .type_words = "integer" });
    define_track(
        3, "quiet",
        (struct tk_track_def){ .parent_kind = TK_PARENT_ROOT, .type = TK_TRACK_OF_COUNTER, .in_signals = true });
    count_to(4, 2, -3);
    count_to(5, 2, 5);
    count_double(6, 2, 0.5);
    event.mark = TK_SAMPLE_NONE | TK_SAMPLE_TAGGED;
    send(event);
    finish();
    expect_signals("signals: 'top/level' 2 'integer' 4 1 1 4 9 -3 5 0.833333 'mV' 'quiet' 3 '' 0 0 0 - - - - - ''\n");
}

static void tell_axis(uint32_t track, const char *unit, int64_t shown_ns, int64_t last, bool is_of_all) {
    const struct tk_value ends[] = { { .type = TK_VALUE_INT, .number.i = -2 },
                                     { .type = TK_VALUE_INT, .number.i = last } };
    send((struct tk_event){ .kind = TK_EV_TRACK_AXIS,
                            .track_axis.track = track,
                            .track_axis.of_all = is_of_all,
                            .str = unit,
                            .str_len = (uint32_t)strlen(unit),
                            .track_axis.shown_ns = shown_ns,
                            .values = ends,
                            .value_count = 2 });
}

static void non_time_axes_are_named_wherever_they_show(void **state) {
    (void)state;
    tell_axis(1, "Hz", 1000000, 80, false);
    tell_axis(3, "", 1500, 5, false);
    tell_axis(4, "Hz", 1000000, 9, false);
    tell_axis(5, "V", 0, 9, false); // the kind of drawing is undefined
    define_track(1, "sim by Hz", (struct tk_track_def){ .parent_kind = TK_PARENT_ROOT, .type = TK_TRACK_OF_GROUP });
    define_track(2, "level",
                 (struct tk_track_def){ .parent_kind = TK_PARENT_TRACK, .parent = 1, .type = TK_TRACK_OF_SLICES });
    send_text(5, TK_EV_TRACK_INSTANT, 2, "x");
    expect("track 1 in 0 'sim by Hz (1 Hz shown as 1 ms)'\ntrack 2 in 1 'level'\n5: instant <level> 'x'\n");
    assert_string_equal(model.timeline.axes, "1 Hz shown as 1 ms; 1 position shown as 1500 ns");
    assert_string_equal(model.timeline.note, "");
    expect_signals("domains: 'Hz' -2 80 '1 ms' 'position' -2 5 '1500 ns' 'Hz' -2 9 '1 ms'\n");
}

static void a_recording_may_have_no_time_axis(void **state) {
    (void)state;
    tell_axis(0, "record", 1000, 0, true);
    send_text(7, TK_EV_TRACK_INSTANT, 2, "x");
    assert_string_equal(model.timeline.note, "no times: 1 record shown as 1 us");
    assert_string_equal(model.timeline.counts, "records");
    expect_signals("domains: 'record' -2 7 '1 us'\n");
}

static void a_too_long_unit_is_cut(void **state) {
    char unit[401];
    (void)state;
    memset(unit, 'u', 400), unit[400] = 0;
    for (uint32_t id = 1; id <= 2u * TK_MAX_AXES; id++) tell_axis(id, unit, INT64_MAX, 0, id == 1);
    assert_int_equal(strlen(model.timeline.counts), TK_UNIT_LEN + 1);
    assert_int_equal(strlen(model.timeline.note), 10 + 2 + TK_UNIT_LEN + strlen(" shown as 9223372036854775807 ns"));
    define_track(3, unit, (struct tk_track_def){ .parent_kind = TK_PARENT_ROOT, .type = TK_TRACK_OF_SLICES });
    send_text(1, TK_EV_TRACK_INSTANT, 3, "x");
    assert_non_null(strstr(recorder.lines.text, "uuu (1 uuu"));
}

// A value without a drawing is a sample; a value beside a slice is none. Slices may represent numbers.
static void samples_show_their_type(void **state) {
    (void)state;
    struct tk_event event = at(1, TK_EV_TRACK_STATE, 2, "on");
    define_track(1, "top", (struct tk_track_def){ .parent_kind = TK_PARENT_ROOT, .type = TK_TRACK_OF_GROUP });
    define_track(2, "bit",
                 (struct tk_track_def){ .parent_kind = TK_PARENT_TRACK,
                                        .parent = 1,
                                        .type = TK_TRACK_OF_SLICES,
                                        .in_signals = true,
                                        .number = 77 });
    define_track(3, "never",
                 (struct tk_track_def){ .parent_kind = TK_PARENT_TRACK,
                                        .parent = 1,
                                        .type = TK_TRACK_OF_SLICES,
                                        .in_signals = true,
                                        .is_untimed = true });
    event.mark = TK_SAMPLE_INTEGER;
    event.track_slice.number.integer = 5;
    send(event);
    event = at(2, TK_EV_TRACK_STATE, 2, NULL);
    event.mark = TK_SAMPLE_BLANK;
    send(event);
    event.track_slice.track = 3;
    send(event); // nothing is drawn, so there is no track
    event = at(3, TK_EV_TRACK_INSTANT, 2, "note");
    event.mark = TK_SAMPLE_BESIDE;
    send(event);
    event = at(4, TK_EV_TRACK_STATE, 2, NULL);
    send(event);
    finish();
    expect_signals("signals: 'bit' 77 '' 3 1 0 1 4 5 5 5 '' 'never' 3 '' 1 0 0 - - - - - ''\n");
    assert_null(strstr(recorder.lines.text, "never"));
}

// If signals are below several roots, their paths begin with the root.
static void paths_begin_where_they_differ(void **state) {
    (void)state;
    define_track(1, "a", (struct tk_track_def){ .parent_kind = TK_PARENT_ROOT, .type = TK_TRACK_OF_GROUP });
    define_track(2, "b", (struct tk_track_def){ .parent_kind = TK_PARENT_ROOT, .type = TK_TRACK_OF_GROUP });
    define_track(3, "x",
                 (struct tk_track_def){
                     .parent_kind = TK_PARENT_TRACK, .parent = 1, .type = TK_TRACK_OF_COUNTER, .in_signals = true });
    define_track(4, "x",
                 (struct tk_track_def){
                     .parent_kind = TK_PARENT_TRACK, .parent = 2, .type = TK_TRACK_OF_COUNTER, .in_signals = true });
    finish();
    expect_signals("signals: 'a/x' 3 '' 0 0 0 - - - - - '' 'b/x' 4 '' 0 0 0 - - - - - ''\n");
}

static char csv[256];
static size_t csv_len;

static bool write_csv(void *ctx, const char *text, size_t len) {
    (void)ctx;
    assert_true(csv_len + len < sizeof csv);
    memcpy(csv + csv_len, text, len);
    csv_len += len;
    return true;
}

// Names of an event that was deferred, or that are in the input buffer, end with their length.
static void names_of_details_end_with_their_length(void **state) {
    (void)state;
    static const char names[] = { 't', 'a', 'g', 'v', 'a', 'l', 'u', 'e' };
    const struct tk_value values[] = {
        { .name = names, .name_len = 3, .type = TK_VALUE_UINT, .number.u = 4 },
        { .name = names + 3, .name_len = 5, .type = TK_VALUE_TEXT, .text = "idle", .text_len = 4 },
    };
    struct tk_samples *samples = tk_samples_new(&alloc, "n", write_csv, NULL);
    struct tk_event event = at(7, TK_EV_TRACK_COUNT, 1, NULL);
    char text[TK_SAMPLES_TEXT];
    event.mark = TK_SAMPLE_BLANK;
    event.values = values;
    event.value_count = 2;
    define_track(1, "n", (struct tk_track_def){ .type = TK_TRACK_OF_COUNTER, .in_signals = true });
    csv_len = 0;
    samples->time_title = "time_ns";
    tk_samples_event(samples, model.trackers[TK_OWNER_TRACKS].state, &event, 7);
    assert_true(tk_samples_end(samples, model.trackers[TK_OWNER_TRACKS].state, text));
    csv[csv_len] = 0;
    assert_string_equal(csv, "time_ns,value,details\r\n7,idle,\"{\"\"tag\"\":4,\"\"value\"\":\"\"idle\"\"}\"\r\n");
    finish();
}

int main(void) {
#define CASE(name) cmocka_unit_test_setup_teardown(name, reset, done)
    const struct CMUnitTest tests[] = {
        CASE(a_track_is_drawn_with_all_above_it_in_its_order),
        CASE(a_track_without_definition_bears_its_number),
        CASE(the_last_definition_counts),
        CASE(tracks_with_cyclic_parents_go_below_the_target),
        CASE(too_deep_track_hierarchies_are_cut),
        CASE(tracks_below_a_task_follow_it),
        CASE(states_replace_each_other),
        CASE(a_symbol_may_get_its_name_last),
        CASE(any_bytes_become_text),
        CASE(arguments_nest),
        CASE(a_group_never_counts_more_values_than_remain),
        CASE(times_rise_on_each_track_only),
        CASE(values_out_of_range_are_not_drawn),
        CASE(a_loss_ends_slices_marked_to_end),
        CASE(a_track_continues_where_a_loss_ended_it),
        CASE(a_first_loss_without_a_time_came_before_the_recording),
        CASE(an_instant_may_refer_to_an_earlier_time),
        CASE(signals_have_figures),
        CASE(non_time_axes_are_named_wherever_they_show),
        CASE(a_recording_may_have_no_time_axis),
        CASE(a_too_long_unit_is_cut),
        CASE(samples_show_their_type),
        CASE(paths_begin_where_they_differ),
        CASE(names_of_details_end_with_their_length),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
