// SPDX-License-Identifier: MIT
//
// What the rows show in pixels: cells and labels. Runs for each visible point of each picture.
#include "../base/attributes.h"
#include "paint.h"

#include <string.h>

// ---- Walking through the tree, from left to right ----

struct painter {
    const struct tk_timeline_store *store;
    const struct tk_store_row *row;
    const struct tk_window *window;
    struct tk_cell *cells; // NULL: labels
    // Cells: what begins at or after the pixel and ends before `limit` is within it. So few points need a place.
    uint32_t pixel;
    uint64_t limit;
    struct tk_label *labels;
    uint32_t label_count, most;
    double least; // labels: narrower nodes are not opened, in ticks
    double pixels_per_tick;
    uint64_t visited;
    bool is_coarse; // points that were dropped would show more
};

// Goes on to the pixel of a place in the window.
static void move(struct painter *painter, double x) {
    const double rounding = 1e-9; // more than the errors of doubles, in pixels
    const struct tk_window *window = painter->window;
    if (x >= window->width) return;
    painter->pixel = x < 0 ? 0 : (uint32_t)x;
    double limit = (painter->pixel + 1 - rounding) * window->ticks_per_pixel + window->offset;
    painter->limit = x < 0 || !(limit > 0 && limit < (double)INT64_MAX) ? 0 : window->from + (uint64_t)limit;
}

static void take_points(struct painter *painter, uint64_t first, uint64_t end, const struct tk_packed *points,
                        unsigned count);
static void take_sums(struct painter *painter, const struct tk_node *node, uint64_t end);
static void take_labels(struct painter *painter, uint32_t group, uint64_t end);

static void walk(void *ctx, uint32_t level, uint32_t index) {
    struct painter *painter = ctx;
    const struct tk_store_row *row = painter->row;
    const struct tk_node *node = tk_row_node(row, level, index);
    if (!node) return;
    uint64_t end = tk_row_node_end(painter->store, row, level, index);
    if (end < painter->window->from) return;
    if (node->first >= painter->limit) {
        double x = tk_window_x(painter->window, node->first);
        if (x >= painter->window->width) return;
        if (painter->cells) move(painter, x);
    }
    painter->visited++;
    bool is_narrow = painter->cells ? end < painter->limit && node != &row->last // which has no sums
                                    : (double)(end - node->first) < painter->least;
    if (!is_narrow && level && tk_row_node(row, level - 1, index * TK_STORE_FANOUT)) {
        for (uint32_t i = 0; i < TK_STORE_FANOUT; i++) walk(painter, level - 1, index * TK_STORE_FANOUT + i);
        return;
    }
    struct tk_packed points;
    unsigned count = 0;
    if (!is_narrow && !level) count = tk_row_packed(painter->store, row, index, &points);
    if (!is_narrow && !count) painter->is_coarse = true; // its parts were dropped
    if (!painter->cells) {
        if (count) take_labels(painter, index, end);
    } else if (count) {
        take_points(painter, node->first, end, &points, count);
    } else {
        take_sums(painter, node, end);
    }
}

// ---- Cells ----

// Adds to the weight of a value, which is not 0. An item without a length stays visible.
TK_INLINE static void add_weight(struct tk_cell *cell, uint32_t value, double weight) {
    const double least = 1e-6;
    float added = (float)(weight < least ? least : weight);
    unsigned smallest = 0;
    for (unsigned i = 0; i < TK_CELL_VALUES; i++) {
        if (cell->values[i] == value) {
            cell->weights[i] += added;
            return;
        }
        if (cell->weights[i] < cell->weights[smallest]) smallest = i;
    }
    if (cell->weights[smallest] >= added) return;
    cell->values[smallest] = value;
    cell->weights[smallest] = added;
}

TK_INLINE static void add_number(struct tk_cell *cell, double min, double max, double last) {
    if (!cell->has_number || min < cell->min) cell->min = min;
    if (!cell->has_number || max > cell->max) cell->max = max;
    cell->last = last;
    cell->has_number = true;
}

// Adds sums of which `width` pixels are in this one.
static void add_sums(struct tk_cell *cell, uint8_t kind, double width, const struct tk_node *node) {
    if (kind >= TK_ROW_NUMBERS) {
        add_number(cell, node->min, node->max, node->last);
        return;
    }
    if (kind == TK_ROW_INSTANTS) width = node->points;
    for (unsigned i = 0; i < 3 && node->shares[i]; i++)
        add_weight(cell, node->values[i], width * node->shares[i] / 255);
}

// Adds sums that need not be within one pixel, and goes on to their end. is_item: they are those of one item.
static void add_wide(struct painter *painter, uint64_t first, uint64_t end, const struct tk_node *node, bool is_item) {
    uint8_t kind = painter->row->kind;
    uint32_t width = painter->window->width;
    double from = tk_window_x(painter->window, first), to = tk_window_x(painter->window, end);
    move(painter, to);
    if (kind == TK_ROW_INSTANTS) to = from;
    if (from >= width || to < 0) return;
    uint32_t x = from < 0 ? 0 : (uint32_t)from;
    if (is_item && from >= 0 && to - from >= 3) painter->cells[x].has_edge = true;
    do {
        double left = from > x ? from : x, right = to < x + 1 ? to : x + 1;
        add_sums(&painter->cells[x], kind, right - left, node);
    } while (++x < width && x < to);
}

static void take_sums(struct painter *painter, const struct tk_node *node, uint64_t end) {
    double width = (double)(end - node->first) * painter->pixels_per_tick;
    if (end >= painter->limit) add_wide(painter, node->first, end, node, false);
    else add_sums(&painter->cells[painter->pixel], painter->row->kind, width, node);
}

static void take_points(struct painter *painter, uint64_t first, uint64_t end, const struct tk_packed *packed,
                        unsigned count) {
    const struct tk_packed points = *packed;
    const uint8_t kind = painter->row->kind;
    for (unsigned i = 0; i < count; i++) {
        uint64_t next = i + 1 < count ? first + tk_packed_step(&points, i + 1) : end;
        uint64_t value = tk_point_value(kind, tk_packed_value(&points, i));
        struct tk_cell *cell = &painter->cells[painter->pixel];
        double width = (double)(int64_t)(next - first) * painter->pixels_per_tick;
        bool is_within = next < painter->limit, is_number = kind >= TK_ROW_NUMBERS;
        double number = is_number ? tk_number_of(value, points.is_double) : 0;
        if (!is_within) {
            struct tk_node one = { .points = 1, .values = { (uint32_t)value }, .shares = { value ? 255 : 0 } };
            if (is_number) one.min = one.max = one.last = number;
            add_wide(painter, first, next, &one, !is_number && value);
        } else if (is_number) {
            add_number(cell, number, number, number);
        } else if (value) {
            add_weight(cell, (uint32_t)value, kind == TK_ROW_INSTANTS ? 1 : width);
        }
        first = next;
    }
}

uint64_t tk_paint_cells(const struct tk_timeline_store *store, const struct tk_window *window, uint32_t number,
                        struct tk_cell *out_cells, bool *is_coarse) {
    const struct tk_store_row *row = tk_store_row(store, number);
    memset(out_cells, 0, window->width * sizeof *out_cells);
    if (!row) return 0;
    struct painter painter = {
        .store = store, .row = row, .window = window, .cells = out_cells, .pixels_per_tick = 1 / window->ticks_per_pixel
    };
    tk_row_each_root(row, walk, &painter);
    if (is_coarse && painter.is_coarse) *is_coarse = true;
    return painter.visited;
}

// ---- Labels ----

static void take_labels(struct painter *painter, uint32_t group, uint64_t end) {
    const struct tk_window *window = painter->window;
    struct tk_point points[TK_GROUP_POINTS];
    unsigned count = tk_row_points(painter->store, painter->row, group, points);
    for (unsigned i = 0; i < count && painter->label_count < painter->most; i++) {
        const struct tk_point *point = &points[i];
        uint64_t next = i + 1 < count ? points[i + 1].ticks : end;
        double from = tk_window_x(window, point->ticks), to = tk_window_x(window, next);
        if (from < 0) from = 0;
        if (to > window->width) to = window->width;
        bool is_item = point->value || tk_row_has_numbers(painter->row);
        if (!is_item || to - from < painter->least / window->ticks_per_pixel) continue;
        painter->labels[painter->label_count++] = (struct tk_label){ .x = from,
                                                                     .width = to - from,
                                                                     .begin = point->ticks,
                                                                     .end = next,
                                                                     .value = point->value,
                                                                     .place = (uint64_t)group * TK_GROUP_POINTS + i };
    }
}

uint32_t tk_paint_labels(const struct tk_timeline_store *store, const struct tk_window *window, uint32_t number,
                         double least, struct tk_label *out_labels, uint32_t most) {
    const struct tk_store_row *row = tk_store_row(store, number);
    if (!row || row->kind == TK_ROW_INSTANTS) return 0;
    struct painter painter = { .store = store,
                               .row = row,
                               .window = window,
                               .labels = out_labels,
                               .most = most,
                               .least = least * window->ticks_per_pixel };
    tk_row_each_root(row, walk, &painter);
    return painter.label_count;
}
