// SPDX-License-Identifier: MIT
#include "table.h"

#include "parts.h"

enum { MILLION = 1000000 };

uint64_t tk_fraction(uint64_t part, uint64_t whole, uint32_t scale) {
    if (whole == 0) return 0;
    // Low bits do not matter for numbers this large.
    while ((part | whole) >> 43) {
        part >>= 1;
        whole >>= 1;
    }
    if (whole == 0) whole = 1;
    return (part * scale + whole / 2) / whole;
}

static void put(const struct tk_table_sink *sink, struct tk_cell cell) { sink->cell(sink->ctx, &cell); }

void tk_cell_none(const struct tk_table_sink *sink) { put(sink, (struct tk_cell){ .type = TK_CELL_NONE }); }

void tk_cell_uint(const struct tk_table_sink *sink, uint64_t value) {
    put(sink, (struct tk_cell){ .type = TK_CELL_UINT, .u = value });
}

void tk_cell_int(const struct tk_table_sink *sink, int64_t value) {
    put(sink, (struct tk_cell){ .type = TK_CELL_INT, .i = value });
}

void tk_cell_double(const struct tk_table_sink *sink, double value) {
    bool finite = value - value == 0;
    put(sink, (struct tk_cell){ .type = finite ? TK_CELL_DOUBLE : TK_CELL_NONE, .d = value });
}

void tk_cell_text(const struct tk_table_sink *sink, const char *text, size_t len) {
    put(sink, (struct tk_cell){ .type = TK_CELL_TEXT, .len = (uint32_t)len, .text = text });
}

void tk_cell_word(const struct tk_table_sink *sink, const char *text) { tk_cell_text(sink, text, strlen(text)); }

static uint64_t scaled(const struct tk_table_sink *sink, uint64_t ticks) {
    uint64_t ns = sink->tick_ns ? sink->tick_ns : 1;
    return ticks > UINT64_MAX / ns ? UINT64_MAX : ticks * ns;
}

void tk_cell_ticks(const struct tk_table_sink *sink, uint64_t ticks) { tk_cell_uint(sink, scaled(sink, ticks)); }

void tk_cell_mean(const struct tk_table_sink *sink, uint64_t ticks, uint64_t count) {
    if (count == 0) {
        tk_cell_none(sink);
        return;
    }
    uint64_t total = scaled(sink, ticks), rounded = total / count + (total % count >= count - count / 2);
    tk_cell_uint(sink, total < UINT64_MAX ? rounded : scaled(sink, ticks / count));
}

void tk_cell_share(const struct tk_table_sink *sink, uint64_t part, uint64_t whole) {
    tk_cell_uint_if(sink, whole > 0, tk_fraction(part, whole, MILLION));
}

void tk_cell_uint_if(const struct tk_table_sink *sink, bool known, uint64_t value) {
    if (known) tk_cell_uint(sink, value);
    else tk_cell_none(sink);
}

void tk_cell_ticks_if(const struct tk_table_sink *sink, bool known, uint64_t ticks) {
    if (known) tk_cell_ticks(sink, ticks);
    else tk_cell_none(sink);
}

static uint64_t rounded(double value) { return value < 0x1p63 ? (uint64_t)(value + 0.5) : UINT64_MAX; }

void tk_cells_noise(const struct tk_table_sink *sink, const struct tk_noise *noise, double scale) {
    tk_cell_uint_if(sink, noise->is_known, noise->is_known ? rounded(noise->typical * scale) : 0);
    tk_cell_uint_if(sink, noise->is_known, noise->is_known ? rounded(noise->spread * scale) : 0);
}

void tk_cells_noise_ticks(const struct tk_table_sink *sink, const struct tk_noise *noise) {
    tk_cells_noise(sink, noise, sink->tick_ns ? (double)sink->tick_ns : 1);
}
