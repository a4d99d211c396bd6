// SPDX-License-Identifier: MIT
//
// Writes values of a report as text for users; a text takes at most TK_CELL_TEXT_ROOM bytes with the terminating zero.
#ifndef TK_REPORT_CELL_TEXT_H
#define TK_REPORT_CELL_TEXT_H

#include "../base/text.h"
#include "report.h"

enum { TK_CELL_TEXT_ROOM = TK_EXPECT_TEXT, TK_NAME_WIDTH = 32, TK_TEXT_WIDTH = 60 };

// Appends a name without control characters, of at most `width` characters; a cut name ends in "~".
void tk_cell_text_name(struct tk_text *words, const char *text, size_t len, size_t width);
// Appends a cell as text for users: "1.250 ms", "30.0 %"; "-" for an unknown value. unit: of durations and times.
void tk_cell_text_cell(struct tk_text *words, const char *unit, const struct tk_column *column,
                       const struct tk_cell *cell);
// Writes a text of any length without control characters, such as the sentence of a worst job.
void tk_cell_text_put_long(struct tk_out *out, const struct tk_cell *cell);
// Returns the number of characters (not bytes) of a text.
size_t tk_text_width(const char *text, size_t len);

#endif
