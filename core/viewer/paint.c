// SPDX-License-Identifier: MIT
#include "paint.h"

#include "../base/bytes.h"
#include "../model/timeline/track_sink.h"

#include <string.h>

struct range {
    const struct tk_timeline_store *store;
    const struct tk_store_row *row;
    double min, max;
    bool is_found;
};

static void add_to_range(struct range *range, double min, double max) {
    if (!range->is_found || min < range->min) range->min = min;
    if (!range->is_found || max > range->max) range->max = max;
    range->is_found = true;
}

static void take_range(void *ctx, uint32_t level, uint32_t index) {
    struct range *range = ctx;
    const struct tk_node *node = tk_row_node(range->row, level, index);
    struct tk_point points[TK_GROUP_POINTS];
    if (!node) return;
    if (node != &range->row->last) {
        add_to_range(range, node->min, node->max);
        return;
    }
    unsigned count = tk_row_points(range->store, range->row, index, points);
    for (unsigned i = 0; i < count; i++) {
        double number = tk_number_of(points[i].value, points[i].is_double);
        add_to_range(range, number, number);
    }
}

bool tk_paint_range(const struct tk_store_row *row, const struct tk_timeline_store *store, double *out_min,
                    double *out_max) {
    struct range range = { .store = store, .row = row };
    tk_row_each_root(row, take_range, &range);
    *out_min = range.min;
    *out_max = range.max;
    return range.is_found;
}

// ---- Colours ----

#define RGB(hex) (0xFF000000u | ((hex) & 0xFF) << 16 | ((hex) & 0xFF00) | (hex) >> 16)

enum colour {
    COLOUR_READY,
    COLOUR_WAITING,
    COLOUR_LOCK,
    COLOUR_SUSPENDED,
    COLOUR_UNRECORDED,
    COLOUR_AREA,
    COLOUR_LINE,
    COLOUR_EDGE,
    COLOURS
};

static const uint32_t colours[2][COLOURS] = {
    { RGB(0xD99A1C), RGB(0xB9BEB6), RGB(0xC0603C), RGB(0xDADDD6), RGB(0xD08A8A), RGB(0xB9CFE4), RGB(0x2F6DB5),
      RGB(0xFCFCF8) },
    { RGB(0xD9A43A), RGB(0x5A605B), RGB(0xC0603C), RGB(0x3C423E), RGB(0x8C4B4B), RGB(0x2A4766), RGB(0x77AEE6),
      RGB(0x171A18) },
};

static const uint32_t palettes[2][TK_PALETTE] = {
    { RGB(0x2D6DB4), RGB(0x2A8289), RGB(0x7C54AB), RGB(0x2E8257), RGB(0xB0700F), RGB(0x5E7A1E), RGB(0xC03F5F),
      RGB(0x8E5F2F), RGB(0x4F63B8), RGB(0x1F8BA8), RGB(0xA2508E), RGB(0x6B7683) },
    { RGB(0x5A9BE3), RGB(0x46B1B9), RGB(0xA986DB), RGB(0x55B383), RGB(0xDB9A3C), RGB(0x9DB94F), RGB(0xE5758F),
      RGB(0xBF8D5B), RGB(0x8493E6), RGB(0x4FB8D6), RGB(0xD084BD), RGB(0x98A4B0) },
};

uint32_t tk_paint_colour(const struct tk_store_text *name, bool is_dark) {
    uint64_t hash = name ? tk_hash_bytes((const uint8_t *)name->text, name->len) : 0;
    return palettes[is_dark][(hash >> 32) % TK_PALETTE];
}

uint32_t tk_paint_legend(enum tk_legend which, bool is_dark) {
    static const uint8_t states[] = { [TK_LEGEND_READY] = COLOUR_READY,
                                      [TK_LEGEND_WAITING] = COLOUR_WAITING,
                                      [TK_LEGEND_UNRECORDED] = COLOUR_UNRECORDED };
    return which == TK_LEGEND_RUNNING ? palettes[is_dark][0] : colours[is_dark][states[which]];
}

uint32_t tk_paint_task_colour(const struct tk_store_task *task, bool is_dark) {
    return task ? palettes[is_dark][task->colour % TK_PALETTE] : tk_paint_colour(NULL, is_dark);
}

enum { KNOWN = 8 };

// Remembers the last colours, because neighbouring pixels show the same values.
struct brush {
    const struct tk_timeline_store *store;
    const struct tk_picture *picture;
    const struct tk_strip *strip;

    uint32_t values[KNOWN], colours[KNOWN], next;
    uint8_t kind;
};

static bool is_idle(const struct tk_timeline_store *store, uint32_t pid) {
    const struct tk_store_task *task = tk_store_task(store, pid);
    return task && task->is_idle;
}

// Returns the colour of a value; 0: nothing is drawn.
static uint32_t colour_of(struct brush *brush, uint32_t value) {
    for (unsigned i = 0; i < KNOWN; i++)
        if (brush->values[i] == value) return brush->colours[i];
    uint32_t colour;
    if (brush->kind == TK_ROW_CORE) {
        const struct tk_store_task *task = tk_store_task(brush->store, value);
        if (value == TK_CORE_UNRECORDED) colour = colours[brush->picture->is_dark][COLOUR_UNRECORDED];
        else if (is_idle(brush->store, value)) colour = 0;
        else colour = tk_paint_task_colour(task, brush->picture->is_dark);
    } else {
        colour = tk_paint_colour(tk_store_text(brush->store, value), brush->picture->is_dark);
    }
    brush->values[brush->next % KNOWN] = value;
    brush->colours[brush->next++ % KNOWN] = colour;
    return colour;
}

// ---- Pixels ----

// Fills a column from `top` to `bottom`, counted from the top of the strip.
static void fill(const struct brush *brush, uint32_t x, uint32_t top, uint32_t bottom, uint32_t colour,
                 bool is_hatched) {
    const struct tk_picture *picture = brush->picture;
    uint32_t width = picture->width, y = brush->strip->y + top, end = brush->strip->y + bottom;
    if (end > picture->height) end = picture->height;
    for (uint32_t *to = picture->pixels + (size_t)y * width + x; y < end; y++, to += width)
        if (!is_hatched || (x + y) / picture->scale % 6 <= 2) *to = colour;
}

static uint32_t part_of(uint32_t height, double share) {
    uint32_t part = (uint32_t)(height * share + 0.5);
    return part ? part > height ? height : part : 1;
}

static const float nearly_all = 0.98f;

// Stacks the values of a cell from the bottom, in a fixed order: by value.
static void paint_values(struct brush *brush, uint32_t x, const struct tk_cell *cell) {
    uint32_t height = brush->strip->height, bottom = height, last = 0;
    float sum = 0;
    for (unsigned i = 0; i < TK_CELL_VALUES; i++) sum += cell->weights[i];
    float whole = sum > nearly_all ? sum : 1;
    for (;;) {
        unsigned next = TK_CELL_VALUES;
        for (unsigned i = 0; i < TK_CELL_VALUES; i++)
            if (cell->weights[i] > 0 && cell->values[i] > last &&
                (next == TK_CELL_VALUES || cell->values[i] < cell->values[next]))
                next = i;
        if (next == TK_CELL_VALUES || !bottom) break;
        last = cell->values[next];
        uint32_t part = part_of(height, cell->weights[next] / whole), colour = colour_of(brush, last);
        if (!colour) continue; // idle
        if (part > bottom) part = bottom;
        fill(brush, x, bottom - part, bottom, colour, brush->kind == TK_ROW_CORE && last == TK_CORE_UNRECORDED);
        bottom -= part;
    }
    if (cell->has_edge && bottom < height)
        fill(brush, x, 0, height, colours[brush->picture->is_dark][COLOUR_EDGE], false);
}

static void paint_states(struct brush *brush, uint32_t x, const struct tk_cell *cell, uint32_t running) {
    const uint32_t *of = colours[brush->picture->is_dark];
    static const uint8_t lines[] = { [TK_STATE_WAITING + 1] = COLOUR_WAITING,
                                     [TK_STATE_WAITING_LOCK + 1] = COLOUR_LOCK,
                                     [TK_STATE_SUSPENDED + 1] = COLOUR_SUSPENDED };
    uint32_t height = brush->strip->height, line = brush->picture->scale * 2, best = 0;
    float run = 0, ready = 0, most = 0, unknown = 0;
    for (unsigned i = 0; i < TK_CELL_VALUES; i++) {
        if (cell->weights[i] <= 0) continue;
        uint32_t value = cell->values[i];
        if (value == TK_STATE_RUNNING + 1) run = cell->weights[i];
        else if (value == TK_STATE_RUNNABLE + 1) ready = cell->weights[i];
        else if (value == TK_STATE_UNRECORDED + 1) unknown = cell->weights[i];
        else if (value < sizeof lines && lines[value] && cell->weights[i] > most)
            most = cell->weights[i], best = lines[value];
    }
    if (unknown > 0) fill(brush, x, 0, height, of[COLOUR_UNRECORDED], true);
    if (best) fill(brush, x, height > line ? height - line : 0, height, of[best], false);
    uint32_t top = height;
    if (run > 0) {
        uint32_t part = part_of(height, run > nearly_all ? 1 : run);
        if (part < line) part = line < height ? line : height;
        top = height - part;
        fill(brush, x, top, height, running, false);
    }
    if (ready > 0 && top) {
        uint32_t part = part_of(height * 3 / 5, ready > nearly_all ? 1 : ready);
        if (part < line) part = line;
        fill(brush, x, part < top ? top - part : 0, top, of[COLOUR_READY], false);
    }
    if (cell->has_edge && run > nearly_all) fill(brush, x, 0, height, of[COLOUR_EDGE], false);
}

struct scale {
    double min, max;
};

// Returns the distance of a number from the top of the strip.
static uint32_t height_of(const struct scale *scale, uint32_t height, double number) {
    double share = scale->max > scale->min ? (number - scale->min) / (scale->max - scale->min) : 0;
    share = share < 0 ? 0 : share > 1 ? 1 : share; // also for NaN
    if (!(share >= 0)) share = 0;
    return height - 1 - (uint32_t)((height - 2) * share);
}

static void paint_number(struct brush *brush, uint32_t x, const struct tk_cell *cell, const struct scale *scale,
                         uint32_t *before) {
    const uint32_t *of = colours[brush->picture->is_dark];
    if (!cell->has_number || brush->strip->height < 3) return;
    uint32_t top = height_of(scale, brush->strip->height, cell->max),
             bottom = height_of(scale, brush->strip->height, cell->min),
             here = height_of(scale, brush->strip->height, cell->last), line = brush->picture->scale;
    fill(brush, x, top, brush->strip->height, of[COLOUR_AREA], false);
    if (*before < top) top = *before; // the step from the pixel before
    if (*before > bottom && *before != UINT32_MAX) bottom = *before;
    fill(brush, x, top, bottom + line < brush->strip->height ? bottom + line : brush->strip->height, of[COLOUR_LINE],
         false);
    *before = here;
}

static void paint_instants(struct brush *brush, uint32_t x, const struct tk_cell *cell) {
    unsigned most = 0;
    for (unsigned i = 1; i < TK_CELL_VALUES; i++)
        if (cell->weights[i] > cell->weights[most]) most = i;
    if (cell->weights[most] <= 0) return;
    uint32_t colour = colour_of(brush, cell->values[most]);
    for (uint32_t i = 0; i < brush->picture->scale && x + i < brush->picture->width; i++)
        fill(brush, x + i, 0, brush->strip->height, colour, false);
}

bool tk_paint_strip(const struct tk_timeline_store *store, const struct tk_window *window, const struct tk_strip *strip,
                    const struct tk_picture *picture, struct tk_cell *cells) {
    const struct tk_store_row *row = tk_store_row(store, strip->row);
    if (!row || !strip->height) return true;
    bool is_coarse = false;
    struct brush brush = { .store = store, .picture = picture, .strip = strip, .kind = row->kind };
    struct scale scale = { 0, 0 };
    uint32_t before = UINT32_MAX, running = tk_paint_task_colour(tk_store_task(store, row->owner), picture->is_dark);
    tk_paint_cells(store, window, strip->row, cells, &is_coarse);
    if (row->kind == TK_ROW_NUMBERS && tk_paint_range(row, store, &scale.min, &scale.max)) {
        if (scale.min > 0) scale.min = 0;
        if (scale.max < 0) scale.max = 0;
    }
    for (uint32_t x = 0; x < window->width && x < picture->width; x++) switch (row->kind) {
        case TK_ROW_TASK: paint_states(&brush, x, &cells[x], running); break;
        case TK_ROW_NUMBERS: paint_number(&brush, x, &cells[x], &scale, &before); break;
        case TK_ROW_INSTANTS: paint_instants(&brush, x, &cells[x]); break;
        default: paint_values(&brush, x, &cells[x]); break;
        }
    return !is_coarse;
}
