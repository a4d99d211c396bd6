// SPDX-License-Identifier: MIT
//
// Store, queries and pictures of the timeline, compared with brute force over the same points.
#include "support.h"

#include "tonkopf.h"
#include "../common/stream.h"
#include "viewer/encode.h"
#include "viewer/paint.h"

enum { POINTS = 20000, ROWS = 4, NAMES = 3 };

static struct heap heap;
static struct tk_alloc encoder_alloc, store_alloc;
static tk_row_encoder *encoder;
static struct tk_track_sink sink;
static struct tk_timeline_store store;

// The points of each row, as they were drawn. Row N is that of track N.
struct model {
    uint64_t ticks[POINTS];
    uint64_t values[POINTS];
    unsigned count;
};
static struct model models[ROWS + 1];
static const enum tk_row_kind kinds[ROWS + 1] = { 0, TK_ROW_SLICES, TK_ROW_NUMBERS, TK_ROW_INSTANTS, TK_ROW_NUMBERS };

static uint32_t seed;
static uint32_t any(uint32_t below) {
    seed = seed * 1664525u + 1013904223u;
    return (uint32_t)((uint64_t)(seed >> 8) * below >> 24);
}

static bool add_blocks(void *ctx, const uint8_t *bytes, size_t len) {
    (void)ctx;
    assert_true(tk_store_add(&store, bytes, len));
    return true;
}

static void reset_with(size_t limit) {
    heap = (struct heap){ 0 };
    encoder_alloc = heap_alloc(&heap);
    store_alloc = heap_alloc(&heap);
    store = (struct tk_timeline_store){ 0 };
    tk_store_init(&store, &store_alloc, limit);
    encoder = tk_row_encoder_new(&encoder_alloc, add_blocks, NULL);
    sink = tk_row_encoder_sink(encoder);
    memset(models, 0, sizeof models);
    seed = 1;
}

static int reset(void **state) {
    (void)state;
    reset_with(64 << 20);
    return 0;
}

static int done(void **state) {
    (void)state;
    tk_alloc_free_all(&encoder_alloc);
    tk_alloc_free_all(&store_alloc);
    assert_int_equal(heap.in_use, 0);
    return 0;
}

static void plain(uint64_t ticks, enum tk_track_event_type type, uint32_t track, uint64_t what) {
    sink.plain(sink.ctx, ticks, type, track, what, 0);
}

static void point(uint32_t row, uint64_t ticks, uint64_t value) {
    struct model *model = &models[row];
    if (model->count == POINTS) return;
    model->ticks[model->count] = ticks;
    model->values[model->count++] = value;
}

static void draw_slice(uint64_t ticks) {
    bool is_open = models[1].count && models[1].values[models[1].count - 1];
    uint32_t name = 1 + any(NAMES);
    plain(ticks, is_open ? TK_EVENT_END : TK_EVENT_BEGIN, 1, is_open ? 0 : name);
    point(1, ticks, is_open ? 0 : 2 * name);
}

static void draw_whole_number(uint64_t ticks) {
    int64_t number = (int64_t)any(2001) - 1000;
    plain(ticks, TK_EVENT_COUNTER, 2, (uint64_t)number);
    point(2, ticks, (uint64_t)number);
}

static void draw_instant(uint64_t ticks) {
    uint32_t name = 1 + any(NAMES);
    plain(ticks, TK_EVENT_INSTANT, 3, name);
    point(3, ticks, 2 * name);
}

static void draw_real(uint64_t ticks) {
    struct tk_track_event event = { .ticks = ticks, .track = 4, .type = TK_EVENT_COUNTER, .is_double = true };
    uint64_t bits;
    event.value_double = any(1000) / 8.0;
    memcpy(&bits, &event.value_double, 8);
    sink.event(sink.ctx, &event);
    point(4, ticks, bits);
}

static void finish(uint64_t last) {
    const struct tk_trace_summary summary = { .tick_ns = 1, .last_ticks = last };
    sink.finish(sink.ctx, &summary);
}

// Bursts with pauses; several points may have the same time.
static void draw_all(unsigned count, bool flushes) {
    static void (*const draw[])(uint64_t) = { NULL, draw_slice, draw_whole_number, draw_instant, draw_real };
    uint64_t now = 1000;
    for (unsigned row = 1; row <= ROWS; row++) draw[row](now); // in the order of their numbers
    for (unsigned i = 0; i < count; i++) {
        unsigned pause = any(100);
        now += pause < 30 ? 0 : pause < 95 ? any(50) : any(100000);
        draw[1 + any(ROWS)](now);
        if (flushes && !any(50)) tk_row_encoder_flush(encoder, 1, 0);
    }
    finish(now + 500);
    assert_int_equal(store.damaged, 0);
    assert_int_equal(store.last_ticks, now + 500);
    assert_int_equal(store.first_ticks, 1000);
}

// ---- Brute force ----

static bool is_model_item(uint32_t row, unsigned i, uint64_t value) {
    uint64_t v = models[row].values[i];
    return value ? v == value : v || kinds[row] == TK_ROW_NUMBERS;
}

static uint64_t model_end(uint32_t row, unsigned i) {
    const struct model *model = &models[row];
    if (kinds[row] == TK_ROW_INSTANTS) return model->ticks[i];
    return i + 1 < model->count ? model->ticks[i + 1] : store.last_ticks;
}

static void expect_item(const struct tk_item *item, uint32_t row, unsigned i) {
    assert_int_equal(item->begin, models[row].ticks[i]);
    assert_int_equal(item->end, model_end(row, i));
    assert_int_equal(item->value, models[row].values[i]);
}

static void expect_all_items(uint64_t value) {
    struct tk_item item;
    for (uint32_t row = 1; row <= ROWS; row++) {
        const struct model *model = &models[row];
        bool is_there = tk_query_from(&store, row, 0, value, &item);
        unsigned last = 0, items = 0;
        for (unsigned i = 0; i < model->count; i++) {
            if (!is_model_item(row, i, value)) continue;
            assert_true(is_there);
            expect_item(&item, row, i);
            is_there = tk_query_next(&store, row, item.place, value, &item);
            last = i;
            items++;
        }
        assert_false(is_there);
        assert_true(items > 0 || value);
        is_there = tk_query_previous(&store, row, UINT64_MAX, value, &item);
        for (unsigned i = last + 1; items && i-- > 0;) {
            if (!is_model_item(row, i, value)) continue;
            assert_true(is_there);
            expect_item(&item, row, i);
            is_there = tk_query_previous(&store, row, item.place, value, &item);
        }
        assert_false(is_there);
    }
}

static void every_item_is_found_in_both_directions(void **state) {
    (void)state;
    draw_all(POINTS, false);
    expect_all_items(0);
    expect_all_items(4);
    expect_all_items(17);
}

static void open_groups_are_replaced(void **state) {
    (void)state;
    draw_all(POINTS, true);
    expect_all_items(0);
    uint64_t points = 0;
    for (unsigned row = 1; row <= ROWS; row++) points += models[row].count;
    assert_int_equal(store.points, points);
}

static void a_picture_after_each_point_takes_no_more_memory(void **state) {
    enum { MANY = 100000 };
    uint32_t pages[2];
    for (unsigned flushes = 0; flushes < 2; flushes++) {
        done(state);
        reset_with(64 << 20);
        for (unsigned i = 0; i < MANY; i++) {
            plain(10 * (uint64_t)i, i % 2 ? TK_EVENT_END : TK_EVENT_BEGIN, 1, i % 2 ? 0 : 1 + i / 2 % NAMES);
            if (flushes) tk_row_encoder_flush(encoder, 1, 0);
        }
        finish(10 * (uint64_t)MANY);
        assert_int_equal(store.points, MANY);
        pages[flushes] = store.page_count;
    }
    assert_int_equal(pages[0], pages[1]);
}

static void a_rare_value_is_found_far_away(void **state) {
    struct tk_item item;
    (void)state;
    for (unsigned i = 0; i < 100000; i++) {
        plain(10 * i, TK_EVENT_BEGIN, 1, i == 70000 ? 9 : 1 + i % 3);
        plain(10 * i + 4, TK_EVENT_END, 1, 0);
    }
    finish(1000000);
    assert_true(tk_query_from(&store, 1, 0, 18, &item));
    assert_int_equal(item.begin, 700000);
    assert_false(tk_query_next(&store, 1, item.place, 18, &item));
    assert_true(tk_query_previous(&store, 1, UINT64_MAX, 18, &item));
    assert_int_equal(item.begin, 700000);
}

static void the_longest_item_is_the_first_of_equal_ones(void **state) {
    struct tk_item item;
    (void)state;
    draw_all(POINTS, false);
    for (uint32_t row = 1; row <= ROWS; row++)
        for (uint64_t value = 0; value <= 4; value += 2) {
            unsigned best = POINTS;
            for (unsigned i = 0; i < models[row].count; i++)
                if (is_model_item(row, i, value) &&
                    (best == POINTS ||
                     model_end(row, i) - models[row].ticks[i] > model_end(row, best) - models[row].ticks[best]))
                    best = i;
            assert_int_equal(tk_query_longest(&store, row, value, &item), best < POINTS);
            if (best < POINTS && kinds[row] != TK_ROW_INSTANTS) {
                assert_int_equal(item.end - item.begin, model_end(row, best) - models[row].ticks[best]);
                expect_item(&item, row, best);
            }
        }
}

static uint64_t covered(uint64_t begin, uint64_t end, uint64_t from, uint64_t to) {
    if (begin < from) begin = from;
    if (end > to) end = to;
    return end > begin ? end - begin : 0;
}

static void the_item_at_a_place_covers_most_of_it(void **state) {
    struct tk_item item;
    (void)state;
    draw_all(POINTS, false);
    for (unsigned turn = 0; turn < 3000; turn++) {
        uint32_t row = 1 + any(ROWS);
        uint64_t from = any((uint32_t)store.last_ticks), to = from + any(300);
        int best = -1;
        uint64_t most = 0;
        for (unsigned i = 0; i < models[row].count; i++) {
            uint64_t begin = models[row].ticks[i], end = model_end(row, i), part = covered(begin, end, from, to);
            bool is_there = end > from || begin >= from;
            if (!is_model_item(row, i, 0) || begin > to || (begin == to && from < to) || !is_there) continue;
            if (from == to && end > from) part = UINT64_MAX;
            if (best < 0 || part > most) best = (int)i, most = part;
        }
        assert_int_equal(tk_query_at(&store, row, from, to, &item), best >= 0);
        if (best >= 0) expect_item(&item, row, (unsigned)best);
    }
}

static int by_size(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

// A percentile is at most 1/128 too large.
static void expect_percentile(uint64_t value, const uint64_t *lengths, unsigned count, unsigned percent) {
    uint64_t exact = count ? lengths[((uint64_t)count * percent + 99) / 100 - 1] : 0;
    assert_in_range(value, exact, exact + exact / 128);
}

static void figures_of_intervals_are_those_of_brute_force(void **state) {
    static uint64_t lengths[POINTS];
    (void)state;
    draw_all(POINTS, false);
    for (unsigned turn = 0; turn < 200; turn++) {
        uint32_t row = 1 + any(ROWS);
        uint64_t from = any((uint32_t)store.last_ticks), to = from + 1 + any(1 << any(22)), value = any(3) ? 0 : 4;
        struct tk_figures figures;
        uint64_t count = 0, total = 0, whole_total = 0;
        unsigned whole = 0;
        for (unsigned i = 0; i < models[row].count; i++) {
            uint64_t begin = models[row].ticks[i], end = model_end(row, i), part = covered(begin, end, from, to);
            bool begins = begin >= from && begin <= to, ends = end >= from && end <= to;
            bool counts = begins || (ends && kinds[row] != TK_ROW_NUMBERS);
            if (!is_model_item(row, i, value) || !counts) continue;
            count++, total += part;
            bool is_last = i + 1 == models[row].count && kinds[row] != TK_ROW_INSTANTS;
            if (begins && ends && !is_last) whole_total += end - begin, lengths[whole++] = end - begin;
        }
        qsort(lengths, whole, sizeof *lengths, by_size);
        assert_true(tk_query_figures(&store, &row, 1, value, from, to, &figures));
        assert_int_equal(figures.count, count);
        assert_int_equal(figures.total, total);
        assert_int_equal(figures.whole, whole);
        assert_int_equal(figures.whole_total, whole_total);
        assert_int_equal(figures.unmeasured, 0);
        assert_int_equal(figures.min, whole ? lengths[0] : 0);
        assert_int_equal(figures.max, whole ? lengths[whole - 1] : 0);
        expect_percentile(figures.p50, lengths, whole, 50);
        expect_percentile(figures.p95, lengths, whole, 95);
        expect_percentile(figures.p99, lengths, whole, 99);
    }
}

static void figures_of_several_rows_are_those_of_all_their_items(void **state) {
    static const uint32_t rows[] = { 1, 3 };
    uint64_t values[4];
    struct tk_figures one, other, both;
    (void)state;
    draw_all(2000, false);
    uint64_t from = store.last_ticks / 4, to = store.last_ticks / 2;
    for (uint64_t value = 0; value <= 2 * NAMES; value += 2) {
        assert_true(tk_query_figures(&store, &rows[0], 1, value, from, to, &one));
        assert_true(tk_query_figures(&store, &rows[1], 1, value, from, to, &other));
        assert_true(tk_query_figures(&store, rows, 2, value, from, to, &both));
        assert_true(one.count > 0 && other.count > 0);
        assert_int_equal(both.count, one.count + other.count);
        assert_int_equal(both.whole_total, one.whole_total + other.whole_total);
    }
    assert_int_equal(tk_query_values(&store, 1, from, to, values, 4), NAMES);
    assert_int_equal(values[0] + values[1] + values[2], 2 * (1 + 2 + 3));
}

static void a_slice_that_ends_unmeasured_has_no_length(void **state) {
    static const uint32_t row = 1;
    struct tk_track_event end = { .ticks = 50, .track = 1, .type = TK_EVENT_END, .is_unmeasured = true };
    struct tk_figures figures;
    struct tk_item item;
    (void)state;
    plain(10, TK_EVENT_BEGIN, 1, 1);
    plain(20, TK_EVENT_END, 1, 0);
    plain(30, TK_EVENT_BEGIN, 1, 1);
    sink.event(sink.ctx, &end);
    finish(100);
    assert_true(tk_query_figures(&store, &row, 1, 0, 0, 100, &figures));
    assert_int_equal(figures.count, 2);
    assert_int_equal(figures.total, 30);
    assert_int_equal(figures.whole, 1);
    assert_int_equal(figures.whole_total, 10);
    assert_false(tk_query_from(&store, 1, 50, 0, &item)); // nothing is there after the end
}

static void the_other_ends_of_a_flow_are_found(void **state) {
    struct tk_track_event event = { .type = TK_EVENT_BEGIN, .name = 1 };
    struct tk_hit hits[4];
    struct tk_item item;
    (void)state;
    for (unsigned i = 0; i < 1000; i++) {
        event.ticks = 100 * i;
        event.track = 1;
        event.flow = i + 1, event.flow_end = 0;
        sink.event(sink.ctx, &event);
        plain(event.ticks + 1, TK_EVENT_END, 1, 0);
        event.ticks += 7;
        event.track = 2;
        event.flow = 0, event.flow_end = i + 1;
        sink.event(sink.ctx, &event);
        plain(event.ticks + 1, TK_EVENT_END, 2, 0);
    }
    finish(200000);
    assert_int_equal(store.damaged, 0);
    for (uint32_t row = 1; row <= store.row_count; row++) {
        bool is_first = store.rows[row - 1].owner == 1;
        if (store.rows[row - 1].kind != TK_ROW_SLICES) continue;
        assert_true(tk_query_from(&store, row, 50000, 0, &item));
        assert_int_equal(tk_query_flows(&store, row, item.place, hits, 4), 1);
        assert_int_equal(hits[0].begin, is_first ? 50007 : 50000);
        assert_int_equal(store.rows[hits[0].row - 1].owner, is_first ? 2 : 1);
    }
}

static void time_that_a_core_was_not_recorded_is_not_measured(void **state) {
    static const struct tk_task_change changes[] = {
        { .ticks = 100, .pid = 301, .state = TK_STATE_RUNNING },
        { .ticks = 200, .state = TK_STATE_UNRECORDED, .when = TK_LATE },
        { .ticks = 260, .pid = 302, .state = TK_STATE_RUNNING },
        { .ticks = 300, .pid = 302, .state = TK_STATE_WAITING },
    };
    struct tk_figures figures;
    (void)state;
    for (unsigned i = 0; i < 4; i++) sink.state(sink.ctx, &changes[i]);
    finish(400);
    const uint32_t core = 2, task = 1;
    assert_true(tk_query_figures(&store, &core, 1, 301, 150, 280, &figures));
    assert_int_equal(figures.total, 50);
    assert_int_equal(figures.unmeasured, 60);
    assert_true(tk_query_figures(&store, &task, 1, TK_STATE_RUNNING + 1, 150, 280, &figures));
    assert_int_equal(figures.total, 50);
    assert_int_equal(figures.unmeasured, 80); // until its next state, which did not come
}

static uint64_t any_bits(unsigned bits) {
    uint64_t all = (uint64_t)any(1u << 24) << 40 ^ (uint64_t)any(1u << 24) << 20 ^ any(1u << 24);
    return bits ? all >> (64 - bits) : 0;
}

static void points_of_any_width_can_be_packed(void **state) {
    static struct tk_point points[TK_GROUP_POINTS];
    static uint8_t bytes[TK_PACKED_MAX + TK_PACKED_AHEAD];
    (void)state;
    for (unsigned turn = 0; turn < 20000; turn++) {
        uint8_t kind = (uint8_t)any(TK_ROW_KINDS);
        unsigned count = 1 + any(TK_GROUP_POINTS), step_bits = any(65),
                 value_bits = any(kind < TK_ROW_NUMBERS ? 33 : 65);
        for (unsigned i = 0; i < count; i++) {
            uint64_t step = any_bits(step_bits), before = i ? points[i - 1].ticks : any_bits(64);
            points[i] = (struct tk_point){ .ticks = before + step, .value = any_bits(value_bits) };
            if (kind >= TK_ROW_NUMBERS && any(2)) points[i].value = 0 - points[i].value;
        }
        points[0].is_double = any(2);
        size_t len = tk_points_pack(points, count, kind, bytes);
        assert_true(len <= TK_PACKED_MAX);
        struct tk_packed packed = tk_points_packed(bytes, count, kind);
        assert_int_equal(packed.is_double, points[0].is_double);
        for (unsigned i = 0; i < count; i++) {
            assert_true(tk_packed_value(&packed, i) == points[i].value);
            assert_true(tk_packed_step(&packed, i) == (i ? points[i].ticks - points[i - 1].ticks : 0));
        }
    }
}

// ---- Pictures ----

static struct tk_window any_window(void) {
    uint64_t from = any((uint32_t)store.last_ticks);
    double ticks = 1 + any(1u << any(24));
    uint32_t width = 1 + any(400);
    return (struct tk_window){ from, any(100) / 100.0, ticks / width, width };
}

static float weight_of(const struct tk_cell *cell, uint64_t value) {
    for (unsigned i = 0; i < TK_CELL_VALUES; i++)
        if (cell->weights[i] > 0 && cell->values[i] == value) return cell->weights[i];
    return 0;
}

// Checks the share of each value in each pixel.
static void expect_slices(const struct tk_window *window, const struct tk_cell *cells) {
    static double shares[512][NAMES + 1];
    memset(shares, 0, sizeof shares);
    for (unsigned i = 0; i < models[1].count; i++) {
        double from = tk_window_x(window, models[1].ticks[i]), to = tk_window_x(window, model_end(1, i));
        if (!models[1].values[i] || to <= 0 || from >= window->width) continue;
        for (uint32_t x = from < 0 ? 0 : (uint32_t)from; x < window->width && x < to; x++) {
            double left = from > x ? from : x, right = to < x + 1 ? to : x + 1;
            shares[x][models[1].values[i] / 2] += right - left;
        }
    }
    for (uint32_t x = 0; x < window->width; x++)
        for (unsigned name = 1; name <= NAMES; name++) {
            double drawn = weight_of(&cells[x], 2 * name), exact = shares[x][name];
            assert_true(drawn >= exact - 0.03 && drawn <= exact + 0.03);
            if (exact > 0) assert_true(drawn > 0);
        }
}

static void expect_numbers(uint32_t row, const struct tk_window *window, const struct tk_cell *cells) {
    static double min[512], max[512];
    static bool has[512];
    memset(has, 0, sizeof has);
    for (unsigned i = 0; i < models[row].count; i++) {
        double from = tk_window_x(window, models[row].ticks[i]), to = tk_window_x(window, model_end(row, i));
        double number = tk_number_of(models[row].values[i], row == 4);
        if (to < 0 || from >= window->width) continue;
        uint32_t x = from < 0 ? 0 : (uint32_t)from;
        do {
            if (!has[x] || number < min[x]) min[x] = number;
            if (!has[x] || number > max[x]) max[x] = number;
            has[x] = true;
        } while (++x < window->width && x < to);
    }
    for (uint32_t x = 0; x < window->width; x++) {
        assert_int_equal(cells[x].has_number, has[x]);
        assert_true(!has[x] || (cells[x].min == min[x] && cells[x].max == max[x]));
    }
}

static void expect_instants(const struct tk_window *window, const struct tk_cell *cells) {
    static unsigned counts[512][NAMES + 1];
    memset(counts, 0, sizeof counts);
    for (unsigned i = 0; i < models[3].count; i++) {
        double x = tk_window_x(window, models[3].ticks[i]);
        if (x >= 0 && x < window->width) counts[(uint32_t)x][models[3].values[i] / 2]++;
    }
    for (uint32_t x = 0; x < window->width; x++)
        for (unsigned name = 1; name <= NAMES; name++) {
            double drawn = weight_of(&cells[x], 2 * name), exact = counts[x][name];
            assert_true(drawn >= exact * 0.95 - 1 && drawn <= exact * 1.05 + 1);
            assert_int_equal(drawn > 0, exact > 0);
        }
}

static void every_pixel_shows_what_happened_there(void **state) {
    static struct tk_cell cells[512];
    (void)state;
    draw_all(3 * POINTS, false);
    for (unsigned turn = 0; turn < 300; turn++) {
        struct tk_window window = any_window();
        for (uint32_t row = 1; row <= ROWS; row++) {
            bool is_coarse = false;
            uint64_t visited = tk_paint_cells(&store, &window, row, cells, &is_coarse);
            assert_false(is_coarse);
            assert_true(visited <= 40 * (uint64_t)window.width + 200);
            if (kinds[row] == TK_ROW_SLICES) expect_slices(&window, cells);
            if (kinds[row] == TK_ROW_INSTANTS) expect_instants(&window, cells);
            if (kinds[row] == TK_ROW_NUMBERS) expect_numbers(row, &window, cells);
        }
    }
}

static void labels_are_the_items_with_enough_room(void **state) {
    static struct tk_label labels[512];
    (void)state;
    draw_all(POINTS, false);
    for (unsigned turn = 0; turn < 300; turn++) {
        struct tk_window window = any_window();
        unsigned count = tk_paint_labels(&store, &window, 1, 20, labels, 512), found = 0;
        for (unsigned i = 0; i < models[1].count; i++) {
            double from = tk_window_x(&window, models[1].ticks[i]), to = tk_window_x(&window, model_end(1, i));
            if (from < 0) from = 0;
            if (to > window.width) to = window.width;
            if (!models[1].values[i] || to - from < 20) continue;
            assert_true(found < count);
            assert_int_equal(labels[found].begin, models[1].ticks[i]);
            assert_int_equal(labels[found].end, model_end(1, i));
            assert_int_equal(labels[found++].value, models[1].values[i]);
        }
        assert_int_equal(found, count);
    }
}

static uint32_t pixels[64 * 40];
static const struct tk_picture picture = { pixels, 64, 40, 1, false };

static unsigned pixels_of(uint32_t colour, uint32_t x) {
    unsigned count = 0;
    for (uint32_t y = 0; y < 40; y++) count += pixels[y * 64 + x] == colour;
    return count;
}

static void a_slice_fills_its_strip_in_the_colour_of_its_name(void **state) {
    struct tk_cell cells[64];
    const struct tk_window window = { 0, 0, 1, 64 };
    const struct tk_strip strip = { .row = 1, .y = 10, .height = 20 };
    (void)state;
    sink.define(sink.ctx, TK_INTERN_NAME, 1, "name", 4);
    plain(10, TK_EVENT_BEGIN, 1, 1);
    plain(30, TK_EVENT_END, 1, 0);
    finish(64);
    memset(pixels, 0, sizeof pixels);
    tk_paint_strip(&store, &window, &strip, &picture, cells);
    uint32_t colour = tk_paint_colour(tk_store_text(&store, 2), false);
    assert_int_equal(pixels_of(0, 9), 40);
    assert_int_equal(pixels_of(colour, 11), 20);
    assert_int_equal(pixels_of(colour, 29), 20);
    assert_int_equal(pixels_of(0, 29), 20);
    assert_int_equal(pixels_of(0, 30), 40);
    assert_int_equal(pixels[9 * 64 + 11], 0);
    assert_int_equal(pixels[10 * 64 + 11], colour);
}

static void a_ready_task_has_what_woke_it(void **state) {
    (void)state;
    struct tk_task_change change = {
        .ticks = 10, .pid = 301, .state = TK_STATE_RUNNABLE, .waker = TK_WAKER_TASK, .core = 1
    };
    struct tk_item item;
    sink.state(sink.ctx, &change);
    change = (struct tk_task_change){ .ticks = 15, .pid = 301, .state = TK_STATE_RUNNING };
    sink.state(sink.ctx, &change);
    finish(20);
    assert_true(tk_query_from(&store, 1, 0, TK_STATE_RUNNABLE + 1, &item)); // as of a task without it
    assert_int_equal(item.value, TK_STATE_RUNNABLE + 1);
    assert_int_equal(item.woken, TK_WOKEN_BY_TASK + 2);
    assert_true(tk_query_next(&store, 1, item.place, 0, &item));
    assert_int_equal(item.woken, 0);
}

static void tasks_with_different_names_have_different_colours(void **state) {
    (void)state;
    static const char names[] = "abcab";
    for (int i = 0; i < 5; i++) {
        const struct tk_task_info info = { .pid = 301 + i, .name = names + i, .name_len = 1 };
        sink.task(sink.ctx, &info);
    }
    finish(1);
    uint32_t colours[5];
    for (unsigned i = 0; i < 5; i++) colours[i] = tk_paint_task_colour(tk_store_task(&store, 301 + i), false);
    assert_int_equal(colours[0], colours[3]);
    assert_int_equal(colours[1], colours[4]);
    assert_true(colours[0] != colours[1] && colours[1] != colours[2] && colours[0] != colours[2]);
}

static void states_of_a_task_differ_in_height(void **state) {
    static const struct tk_task_change changes[] = {
        { .ticks = 0, .pid = 301, .state = TK_STATE_RUNNABLE },
        { .ticks = 20, .pid = 301, .state = TK_STATE_RUNNING },
        { .ticks = 40, .pid = 301, .state = TK_STATE_WAITING },
        { .ticks = 60, .pid = 301, .state = TK_STATE_DEAD },
    };
    struct tk_cell cells[64];
    const struct tk_window window = { 0, 0, 1, 64 };
    const struct tk_strip strip = { .row = 1, .y = 0, .height = 20 };
    (void)state;
    sink.task(sink.ctx, &(struct tk_task_info){ 301, "control", 7, false });
    for (unsigned i = 0; i < 4; i++) sink.state(sink.ctx, &changes[i]);
    finish(64);
    memset(pixels, 0, sizeof pixels);
    tk_paint_strip(&store, &window, &strip, &picture, cells);
    uint32_t colour = tk_paint_task_colour(tk_store_task(&store, 301), false);
    assert_int_equal(40 - pixels_of(0, 10), 12);
    assert_int_equal(pixels_of(colour, 30), 20);
    assert_int_equal(40 - pixels_of(0, 50), 2);
    assert_int_equal(pixels_of(0, 62), 40);
}

static void idle_tasks_and_unrecorded_time_are_not_like_tasks(void **state) {
    static const struct tk_task_change changes[] = {
        { .ticks = 0, .pid = 301, .state = TK_STATE_RUNNING },
        { .ticks = 20, .pid = 302, .state = TK_STATE_RUNNING },
        { .ticks = 40, .state = TK_STATE_UNRECORDED, .when = TK_LATE },
    };
    struct tk_cell cells[64];
    const struct tk_window window = { 0, 0, 1, 64 };
    const struct tk_strip strip = { .row = 2, .y = 0, .height = 40 };
    (void)state;
    sink.task(sink.ctx, &(struct tk_task_info){ 301, "control", 7, false });
    sink.task(sink.ctx, &(struct tk_task_info){ 302, "IDLE", 4, true });
    for (unsigned i = 0; i < 3; i++) sink.state(sink.ctx, &changes[i]);
    finish(64);
    memset(pixels, 0, sizeof pixels);
    tk_paint_strip(&store, &window, &strip, &picture, cells);
    assert_int_equal(pixels_of(tk_paint_task_colour(tk_store_task(&store, 301), false), 10), 40);
    assert_int_equal(pixels_of(0, 30), 40);
    assert_in_range(pixels_of(0, 50), 10, 30); // hatched
}

// Both tasks run in each pixel: the share of the other task is drawn from the bottom.
static void idle_time_leaves_the_top_of_a_pixel_blank(void **state) {
    struct tk_cell cells[64];
    const struct tk_window window = { 0, 0, 4, 64 };
    const struct tk_strip strip = { .row = 2, .y = 0, .height = 40 };
    (void)state;
    sink.task(sink.ctx, &(struct tk_task_info){ 301, "IDLE", 4, true });
    sink.task(sink.ctx, &(struct tk_task_info){ 302, "control", 7, false });
    for (unsigned i = 0; i < 128; i++) {
        struct tk_task_change change = { .ticks = 2 * i, .pid = 301 + (int)(i % 2), .state = TK_STATE_RUNNING };
        sink.state(sink.ctx, &change);
    }
    finish(256);
    memset(pixels, 0, sizeof pixels);
    tk_paint_strip(&store, &window, &strip, &picture, cells);
    uint32_t colour = tk_paint_task_colour(tk_store_task(&store, 302), false);
    assert_int_equal(pixels_of(colour, 20), 20);
    assert_int_equal(pixels[20], 0);
    assert_int_equal(pixels[39 * 64 + 20], colour);
}

static void strips_outside_of_the_picture_are_cut(void **state) {
    struct tk_cell cells[100];
    const struct tk_window window = { 0, 0, 1, 100 };
    (void)state;
    draw_all(2000, false);
    for (uint32_t row = 0; row <= ROWS + 1; row++)
        for (uint32_t y = 0; y < 60; y += 13) {
            const struct tk_strip strip = { row, y, y };
            tk_paint_strip(&store, &window, &strip, &picture, cells);
        }
}

// ---- Names ----

static void names_and_texts_are_found(void **state) {
    struct tk_hit hits[8];
    (void)state;
    sink.declare(sink.ctx,
                 &(struct tk_track_info){ .track = 1, .kind = TK_TRACK_SLICES, .name = "Motor", .name_len = 5 });
    sink.define(sink.ctx, TK_INTERN_NAME, 1, "start motor", 11);
    sink.define(sink.ctx, TK_INTERN_NAME, 2, "other", 5);
    plain(10, TK_EVENT_BEGIN, 1, 2);
    plain(20, TK_EVENT_END, 1, 0);
    plain(30, TK_EVENT_BEGIN, 1, 1);
    plain(40, TK_EVENT_END, 1, 0);
    finish(50);
    assert_int_equal(tk_query_find(&store, "MOT", 3, hits, 8), 2);
    assert_int_equal(hits[0].row, 1);
    assert_int_equal(hits[0].value, 0);
    assert_int_equal(hits[1].begin, 30);
    assert_int_equal(tk_query_find(&store, "MOT", 3, hits, 1), 1);
    assert_int_equal(tk_query_find(&store, "motors", 6, hits, 8), 0);
    assert_int_equal(tk_query_find(&store, "", 0, hits, 8), 0);
}

// With each version the page gets all rows again.
static void rows_and_their_names_change_the_version_and_texts_of_items_do_not(void **state) {
    struct tk_track_info motor = { .track = 1, .kind = TK_TRACK_SLICES, .name = "Motor", .name_len = 5 };
    (void)state;
    sink.declare(sink.ctx, &motor);
    sink.define(sink.ctx, TK_INTERN_NAME, 1, "start", 5);
    plain(10, TK_EVENT_BEGIN, 1, 1);
    tk_row_encoder_flush(encoder, 1, 0);
    uint32_t version = store.version;
    sink.define(sink.ctx, TK_INTERN_NAME, 2, "stop", 4);
    plain(20, TK_EVENT_END, 1, 0);
    plain(30, TK_EVENT_BEGIN, 1, 2);
    tk_row_encoder_flush(encoder, 1, 0);
    assert_int_equal(store.text_count, 2);
    assert_int_equal(store.version, version);
    motor.name = "Pumps";
    sink.declare(sink.ctx, &motor);
    plain(40, TK_EVENT_END, 1, 0);
    tk_row_encoder_flush(encoder, 1, 0);
    assert_int_not_equal(store.version, version);
    finish(50);
}

// ---- Limits and damage ----

static void above_the_limit_the_oldest_points_are_dropped(void **state) {
    struct tk_cell cells[100];
    struct tk_item item;
    struct tk_figures figures;
    enum { MANY = 2000000 };
    done(state);
    reset_with(1 << 20);
    for (unsigned i = 0; i < MANY; i++)
        plain(10 * (uint64_t)i, i % 2 ? TK_EVENT_END : TK_EVENT_BEGIN, 1, i % 2 ? 0 : 1);
    finish(10 * (uint64_t)MANY);
    assert_int_equal(store.points, MANY);
    assert_true(heap.in_use < (1 << 20) + (512 << 10));
    assert_false(store.is_full);
    // The end is exact.
    assert_true(tk_query_at(&store, 1, 10 * (uint64_t)MANY - 20, 10 * (uint64_t)MANY - 10, &item));
    assert_int_equal(item.begin, 10 * (uint64_t)MANY - 20);
    // The coarse picture of the whole is there.
    const struct tk_window window = { 0, 0, MANY / 10, 100 };
    bool is_coarse = false;
    tk_paint_cells(&store, &window, 1, cells, &is_coarse);
    for (unsigned x = 50; x < 100; x++) assert_true(weight_of(&cells[x], 2) > 0.45f && weight_of(&cells[x], 2) < 0.56f);
    // What was dropped is not measured.
    assert_true(tk_query_figures(&store, &(uint32_t){ 1 }, 1, 0, 0, 10 * (uint64_t)MANY, &figures));
    assert_true(figures.unmeasured > 0);
    assert_int_equal(2 * figures.total + figures.unmeasured, 10 * (uint64_t)MANY);
}

static size_t larger(size_t a, size_t b) { return a > b ? a : b; }

// Freed memory serves blocks of the same size only (wasm/heap.c), so pages and sums need as much as they had at most.
static void memory_does_not_depend_on_the_length(void **state) {
    enum { LIMIT = 1 << 20, MANY = 8000000, LOOK = 1000, FULL = MANY / 8 };
    size_t most_pages = 0, most_sums = 0, most = 0;
    done(state);
    reset_with(LIMIT);
    for (unsigned i = 0; i < MANY; i++) {
        plain(10 * (uint64_t)i, i % 2 ? TK_EVENT_END : TK_EVENT_BEGIN, 1, i % 2 ? 0 : 1);
        if (i % LOOK) continue;
        size_t pages = (size_t)store.page_count * TK_STORE_PAGE;
        most_pages = larger(most_pages, pages);
        most_sums = larger(most_sums, store.node_bytes);
        if (i == FULL) most = heap.in_use;
        if (i < FULL) continue;
        const struct tk_store_row *row = tk_store_row(&store, 1);
        uint32_t first = row->first_kept, kept = tk_row_groups(row) - first;
        assert_true(pages >= LIMIT / 3);
        assert_true(kept * (size_t)(2 * TK_GROUP_POINTS) >= pages / 2); // the sums of the kept points are there
        assert_true(heap.in_use <= most + LIMIT / 8);
    }
    assert_true(most_pages + most_sums <= LIMIT + LIMIT / 2);
    const struct tk_store_row *row = tk_store_row(&store, 1);
    for (uint32_t level = 1; level < row->level_count; level++)
        assert_true(row->levels[level].dropped <= row->levels[level - 1].dropped / TK_STORE_FANOUT);
}

// The numbers of pages end after 32 GiB of points. A store whose next page has one of the last numbers is otherwise
// like any other.
static void the_end_of_the_page_numbers_changes_nothing(void **state) {
    enum { LIMIT = 1 << 20, MANY = 800000, PAGE_NUMBERS = 1 << 19, LOOK = MANY / 8, CELLS = 100, STEP = 4000 };
    static struct tk_cell cells[2][8][CELLS];
    uint64_t kept[2];
    for (unsigned is_late = 0; is_late < 2; is_late++) {
        done(state);
        reset_with(LIMIT);
        if (is_late) store.first_page = PAGE_NUMBERS - 10;
        // Its points are dropped long before the numbers end, its sums are not.
        for (unsigned i = 0; i < TK_GROUP_POINTS + 2; i++)
            plain(i, i % 2 ? TK_EVENT_END : TK_EVENT_BEGIN, 2, i % 2 ? 0 : 7);
        tk_row_encoder_flush(encoder, 1, 0);
        for (unsigned i = 0; i < MANY; i++) {
            plain(STEP * (uint64_t)i, i % 2 ? TK_EVENT_END : TK_EVENT_BEGIN, 1, i % 2 ? 0 : 1 + i / 2 % NAMES);
            if (i % LOOK != LOOK - 1) continue;
            const struct tk_window window = { 0, 0, (double)i * STEP / CELLS, CELLS };
            bool is_coarse = false;
            struct tk_cell *seen = cells[is_late][i / LOOK];
            tk_paint_cells(&store, &window, 2, seen, &is_coarse);
            for (unsigned x = 0; x < CELLS; x++) {
                const struct tk_cell *expected = &cells[0][i / LOOK][x];
                assert_memory_equal(seen[x].values, expected->values, sizeof expected->values);
                assert_memory_equal(seen[x].weights, expected->weights, sizeof expected->weights);
            }
        }
        assert_int_equal(tk_store_row(&store, 1)->first_kept, 1);
        finish(STEP * (uint64_t)MANY);
        assert_int_equal(store.points, MANY + TK_GROUP_POINTS + 2);
        kept[is_late] = tk_store_row(&store, 2)->first_kept;
    }
    assert_true(store.first_page < PAGE_NUMBERS / 2); // the numbers have begun again
    assert_int_equal(kept[0], kept[1]);
}

static void many_quiet_rows_survive_the_limit(void **state) {
    struct tk_cell cells[10];
    done(state);
    reset_with(1 << 20);
    for (unsigned i = 0; i < TK_GROUP_POINTS - 2; i++)
        plain(i / 2, i % 2 ? TK_EVENT_END : TK_EVENT_BEGIN, 1, i % 2 ? 0 : 6);
    plain(50, TK_EVENT_BEGIN, 1, 7);
    plain(900000, TK_EVENT_END, 1, 0);
    plain(900001, TK_EVENT_BEGIN, 1, 6);
    plain(50, TK_EVENT_BEGIN, 3, 7); // the points of an open group stay
    tk_row_encoder_flush(encoder, 1, 0);
    for (unsigned i = 0; i < 1000000; i++) plain(i, TK_EVENT_COUNTER, 2, i * 2654435761u);
    assert_int_equal(tk_store_row(&store, 1)->first_kept, 1);
    assert_int_equal(tk_store_row(&store, 2)->first_kept, 0);
    const struct tk_window window = { 0, 0, 100000, 10 };
    bool is_coarse = false;
    tk_paint_cells(&store, &window, 1, cells, &is_coarse);
    assert_true(weight_of(&cells[4], 14) > 0);
}

static void invalid_blocks_are_rejected(void **state) {
    static const struct {
        size_t len;
        uint8_t bytes[24];
    } bad[] = {
        { 2, { TK_BLOCK_ROW, 9 } },                                         // cut
        { 1, { TK_BLOCK_GROUP } },                                          // without length
        { 2, { 0, 0 } },                                                    // unknown
        { 2, { 77, 0 } },                                                   // unknown
        { 6, { TK_BLOCK_ROW, 4, 2, TK_ROW_SLICES, 1, 0 } },                 // wrong number
        { 6, { TK_BLOCK_ROW, 4, 1, TK_ROW_KINDS, 1, 0 } },                  // unknown kind
        { 6, { TK_BLOCK_GROUP, 4, 1, 0, 5, 1 } },                           // of no row
        { 3, { TK_BLOCK_DEFINE, 1, 0x80 } },                                // endless number
        { 6, { TK_BLOCK_FACTS, 4, 0, 1, 1, 0 } },                           // no length of a tick
        { 13, { TK_BLOCK_TRACK, 11, 1, 0, 1, 0, 0, 0, 0, 0, 0, 9, 'a' } },  // unit longer than the block
        { 13, { TK_BLOCK_TRACK, 11, 1, 0, 1, 0, 0, 0, 0, 0, 33, 0, 'a' } }, // no such core
        { 3, { TK_BLOCK_INTERN, 1, 1 } },                                   // without id
    };
    static const uint8_t row[] = { TK_BLOCK_ROW, 4, 1, TK_ROW_SLICES, 1, 0, TK_BLOCK_GROUP, 6, 1, 0, 5, 1, 1, 0 };
    static const struct {
        size_t len;
        uint8_t bytes[24];
    } bad_groups[] = {
        { 6, { TK_BLOCK_GROUP, 4, 1, 0, 4, 1 } },                                           // before the last time
        { 5, { TK_BLOCK_GROUP, 3, 1, 0, 9 } },                                              // without a value
        { 7, { TK_BLOCK_GROUP, 5, 1, 0, 9, 1, 1 } },                                        // half a point
        { 13, { TK_BLOCK_GROUP, 11, 1, TK_GROUP_HAS_DOUBLES, 9, 0, 0, 0, 0, 0, 0, 0, 0 } }, // no row of numbers
        { 18, { TK_BLOCK_GROUP, 16, 1, 0, 9, 1, 255, 255, 255, 255, 255, 255, 255, 255, 255, 1, 1, 0 } }, // times
                                                                                                          // overflow
        { 11, { TK_BLOCK_GROUP, 9, 1, 0, 9, 255, 255, 255, 255, 127, 0 } }, // value too large
    };
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_true(tk_store_add(&store, bad[i].bytes, bad[i].len));
        assert_int_equal(store.damaged, i + 1);
    }
    store.damaged = 0;
    assert_true(tk_store_add(&store, row, sizeof row));
    assert_int_equal(store.damaged, 0);
    for (size_t i = 0; i < sizeof bad_groups / sizeof *bad_groups; i++) {
        assert_true(tk_store_add(&store, bad_groups[i].bytes, bad_groups[i].len));
        assert_int_equal(store.damaged, i + 1);
    }
    assert_int_equal(store.points, 2);
}

static void without_memory_the_store_says_so(void **state) {
    static const uint8_t row[] = { TK_BLOCK_ROW, 4, 1, TK_ROW_SLICES, 1, 0, TK_BLOCK_GROUP, 6, 1, 0, 5, 1, 1, 0 };
    (void)state;
    for (size_t fail = 1; fail < 4; fail++) {
        tk_alloc_free_all(&store_alloc);
        store_alloc = heap_alloc(&heap);
        store = (struct tk_timeline_store){ 0 };
        tk_store_init(&store, &store_alloc, 1 << 20);
        heap.fail_from = heap.calls + fail;
        assert_false(tk_store_add(&store, row, sizeof row));
        heap.fail_from = 0;
    }
}

// ---- The figures of the report ----

static uint64_t duration_of_part(struct tk *handle, const char *name) {
    struct tk_report *report;
    uint64_t time = UINT64_MAX;
    assert_int_equal(tk_report_new(handle, tk_libc_allocator(), &report), TK_OK);
    for (uint32_t i = 0; i < tk_report_row_count(report, "tasks"); i++)
        if (!strcmp(tk_report_string(report, "tasks", i, "name"), name))
            assert_true(tk_report_number(report, "tasks", i, "cpu", &time));
    tk_report_free(report);
    return time;
}

static struct tk *converted(const uint8_t *bytes, size_t len, const char *from, const char *to,
                            const struct tk_sink *rows) {
    struct tk *handle;
    uint32_t input;
    size_t consumed;
    assert_int_equal(tk_new(tk_libc_allocator(), &handle), TK_OK);
    assert_int_equal(tk_set_option(handle, "format", "tonbandgeraet"), TK_OK);
    if (from) assert_int_equal(tk_set_option(handle, "figures-from-ns", from), TK_OK);
    if (to) assert_int_equal(tk_set_option(handle, "figures-to-ns", to), TK_OK);
    if (rows) assert_int_equal(tk_set_timeline(handle, rows), TK_OK);
    assert_int_equal(tk_add_input(handle, &(struct tk_input_info){ .core = -1 }, &input), TK_OK);
    assert_int_equal(tk_feed(handle, input, bytes, len, &consumed), TK_OK);
    assert_int_equal(tk_finish(handle), TK_OK);
    return handle;
}

// Finds the row of a task by its name.
static uint32_t row_of_task(const char *name) {
    uint32_t row = 1;
    const struct tk_store_text *text;
    for (; row <= store.row_count; row++)
        if (store.rows[row - 1].kind == TK_ROW_TASK && (text = tk_query_row_name(&store, &store.rows[row - 1])) &&
            text->len == strlen(name) && !memcmp(text->text, name, text->len))
            break;
    return row;
}

static void time_of_tasks_in_an_interval_is_that_of_the_report(void **state) {
    enum { SWITCHES = 300 };
    static const char *const names[] = { "a", "b", "c" };
    static struct stream recording;
    static uint64_t times[SWITCHES];
    const struct tk_sink rows = { NULL, add_blocks, NULL };
    (void)state;
    recording.len = 0;
    stream_tick_length(&recording, 1000);
    for (unsigned i = 0; i < 3; i++) stream_name(&recording, 0x5F, i + 1, names[i]);
    for (unsigned i = 0, last = 0; i < SWITCHES; i++) {
        times[i] = (i ? times[i - 1] : 1000) + 1 + any(500);
        last = (last + 1 + any(2)) % 3;
        stream_event(&recording, 0x54, times[i], last + 1);
    }
    struct tk *whole = converted(recording.bytes, recording.len, NULL, NULL, &rows);
    assert_int_equal(store.damaged, 0);
    for (unsigned turn = 0; turn < 20; turn++) {
        unsigned first = any(SWITCHES - 1), last = first + 1 + any(SWITCHES - first - 1);
        char from[32], to[32];
        snprintf(from, sizeof from, "%llu", (unsigned long long)times[first] * 1000);
        snprintf(to, sizeof to, "%llu", (unsigned long long)times[last] * 1000);
        struct tk *part = converted(recording.bytes, recording.len, from, to, NULL);
        for (unsigned i = 0; i < 3; i++) {
            struct tk_figures figures;
            const uint32_t row = row_of_task(names[i]);
            assert_true(tk_query_figures(&store, &row, 1, TK_STATE_RUNNING + 1, times[first], times[last], &figures));
            uint64_t reported = duration_of_part(part, names[i]);
            assert_int_equal(figures.total * 1000, reported == UINT64_MAX ? 0 : reported);
        }
        tk_free(part);
    }
    tk_free(whole);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, reset, done)
    const struct CMUnitTest tests[] = {
        TEST(every_item_is_found_in_both_directions),
        TEST(open_groups_are_replaced),
        TEST(a_picture_after_each_point_takes_no_more_memory),
        TEST(a_rare_value_is_found_far_away),
        TEST(the_longest_item_is_the_first_of_equal_ones),
        TEST(the_item_at_a_place_covers_most_of_it),
        TEST(figures_of_intervals_are_those_of_brute_force),
        TEST(figures_of_several_rows_are_those_of_all_their_items),
        TEST(a_slice_that_ends_unmeasured_has_no_length),
        TEST(the_other_ends_of_a_flow_are_found),
        TEST(time_that_a_core_was_not_recorded_is_not_measured),
        TEST(points_of_any_width_can_be_packed),
        TEST(every_pixel_shows_what_happened_there),
        TEST(labels_are_the_items_with_enough_room),
        TEST(a_slice_fills_its_strip_in_the_colour_of_its_name),
        TEST(a_ready_task_has_what_woke_it),
        TEST(tasks_with_different_names_have_different_colours),
        TEST(states_of_a_task_differ_in_height),
        TEST(idle_tasks_and_unrecorded_time_are_not_like_tasks),
        TEST(idle_time_leaves_the_top_of_a_pixel_blank),
        TEST(strips_outside_of_the_picture_are_cut),
        TEST(names_and_texts_are_found),
        TEST(rows_and_their_names_change_the_version_and_texts_of_items_do_not),
        TEST(above_the_limit_the_oldest_points_are_dropped),
        TEST(memory_does_not_depend_on_the_length),
        TEST(the_end_of_the_page_numbers_changes_nothing),
        TEST(many_quiet_rows_survive_the_limit),
        TEST(invalid_blocks_are_rejected),
        TEST(without_memory_the_store_says_so),
        TEST(time_of_tasks_in_an_interval_is_that_of_the_report),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
