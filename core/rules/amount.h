// SPDX-License-Identifier: MIT
//
// Numbers with a unit as rules contain them, exact: "80%", "1.5ms", "-3 words". A number is converted to the unit of
// the figures of a report.
#ifndef TK_RULES_AMOUNT_H
#define TK_RULES_AMOUNT_H

#include <stdint.h>

#include "../base/text.h"
#include "../model/tables/table.h"
#include "span.h"

enum { TK_SHARE_WHOLE = 1000000 }; // shares and factors are in millionths

// The units that a figure may have.
struct tk_amount_units {
    uint8_t kind;          // enum tk_column_kind of the figure
    const char *time_unit; // unit of the times of the report
    const char *own;       // unit of a count or number; NULL: none
};

struct tk_amount {
    bool negative;
    uint64_t size;    // magnitude, in units of the figure
    bool has_more;    // the magnitude is larger than `size`, by less than 1
    bool is_floating; // the number is `floating` instead, of a figure with a double
    double floating;
};

struct tk_amount_units tk_amount_units_of(const struct tk_column *column, const char *time_unit);
// Appends the names of the units, separated by commas. Appends nothing for plain numbers.
void tk_amount_put_units(struct tk_text *words, const struct tk_amount_units *units);

// Reads a number with a unit. Returns false for anything else, and for a number that exceeds every figure.
bool tk_amount_read(struct tk_span span, const struct tk_amount_units *units, struct tk_amount *out);
// Reads an unsigned decimal number with at most six digits after the point, in millionths. most: largest value.
bool tk_amount_read_millionths(struct tk_span span, uint64_t most, uint64_t *out);
// Returns the value of a cell that contains a number.
struct tk_amount tk_amount_of_cell(const struct tk_cell *cell);
// Returns amount * factor / 1000000. The result saturates.
struct tk_amount tk_amount_scaled(struct tk_amount amount, uint64_t factor);
// Returns a + b, or a - b with `subtract`. b: without has_more. The result saturates.
struct tk_amount tk_amount_sum(struct tk_amount a, struct tk_amount b, bool subtract);
// Returns -1, 0 or 1: the cell is less than, equal to or greater than the amount.
int tk_amount_compare(const struct tk_cell *cell, const struct tk_amount *amount);

#endif
