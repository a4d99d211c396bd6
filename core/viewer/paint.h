// SPDX-License-Identifier: MIT
//
// Draws rows of a store as pixels. Visits as many nodes of a row's tree as there are pixels, whatever the length of the
// recording. Texts, axis and selection are drawn by the caller.
#ifndef TK_VIEWER_PAINT_H
#define TK_VIEWER_PAINT_H

#include "query.h"

// The visible time. Its first pixel begins `offset` ticks (less than 1, unless the window begins before 0) after
// `from`.
struct tk_window {
    uint64_t from;
    double offset, ticks_per_pixel;
    uint32_t width; // pixels
};

static inline double tk_window_x(const struct tk_window *window, uint64_t ticks) {
    double distance = ticks >= window->from ? (double)(ticks - window->from) : -(double)(window->from - ticks);
    return (distance - window->offset) / window->ticks_per_pixel;
}

// What one row shows in one pixel.
enum { TK_CELL_VALUES = 4 };
struct tk_cell {
    uint32_t values[TK_CELL_VALUES];
    float weights[TK_CELL_VALUES]; // shares of the pixel, instants: numbers of points; 0: no value
    double min, max, last;         // TK_ROW_NUMBERS
    bool has_number;
    bool has_edge; // an item of several pixels begins here
};

// Fills window->width cells. is_coarse: set to true if points that were dropped would show more; may be NULL. Returns
// the number of nodes and groups that it visited.
uint64_t tk_paint_cells(const struct tk_timeline_store *store, const struct tk_window *window, uint32_t row,
                        struct tk_cell *out_cells, bool *is_coarse);
// Finds the smallest and largest number of a row. Returns false if it has none.
bool tk_paint_range(const struct tk_store_row *row, const struct tk_timeline_store *store, double *out_min,
                    double *out_max);

struct tk_strip {
    uint32_t row, y, height; // pixels
};

struct tk_picture {
    uint32_t *pixels; // RGBA in memory order, little-endian words
    uint32_t width, height;
    uint32_t scale; // device pixels per pixel, at least 1
    bool is_dark;
};

enum { TK_PALETTE = 12 };
// Returns the colour of a name, which is the same wherever it occurs, as a pixel.
uint32_t tk_paint_colour(const struct tk_store_text *name, bool is_dark);
// Returns the colour of a task. Tasks with different names differ in it, except that the colours repeat after
// TK_PALETTE names. task: NULL: unknown.
uint32_t tk_paint_task_colour(const struct tk_store_task *task, bool is_dark);
// Colours that are the same in all rows.
enum tk_legend { TK_LEGEND_RUNNING, TK_LEGEND_READY, TK_LEGEND_WAITING, TK_LEGEND_UNRECORDED };
uint32_t tk_paint_legend(enum tk_legend which, bool is_dark);
// Draws a strip into a picture. cells: room for window->width cells. Returns false if points that were dropped would
// show more.
bool tk_paint_strip(const struct tk_timeline_store *store, const struct tk_window *window, const struct tk_strip *strip,
                    const struct tk_picture *picture, struct tk_cell *cells);

// An item that is wide enough for a text.
struct tk_label {
    double x, width; // visible part, in pixels
    uint64_t begin, end, value, place;
};
// Finds the items of a row that are at least `least` pixels wide. Returns their number, at most `most`.
uint32_t tk_paint_labels(const struct tk_timeline_store *store, const struct tk_window *window, uint32_t row,
                         double least, struct tk_label *out_labels, uint32_t most);

#endif
