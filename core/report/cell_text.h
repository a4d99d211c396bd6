// SPDX-License-Identifier: MIT
//
// Values in words, of up to TK_CELL_TEXT_ROOM bytes with the zero.
#ifndef TK_REPORT_CELL_TEXT_H
#define TK_REPORT_CELL_TEXT_H

#include "../base/text.h"
#include "report.h"

enum { TK_CELL_TEXT_ROOM = TK_EXPECT_TEXT, TK_NAME_WIDTH = 32, TK_TEXT_WIDTH = 60 };

// Only what is harmless on a terminal; at most `width` characters, a cut one ends in "~".
void tk_cell_text_name(struct tk_text *words, const char *text, size_t len, size_t width);
// A cell as a person reads it: "1.250 ms", "30.0 %", "-" where a value is not known. unit: of durations and times.
void tk_cell_text_cell(struct tk_text *words, const char *unit, const struct tk_column *column,
                       const struct tk_cell *cell);
// Characters, not bytes.
size_t tk_text_width(const char *text, size_t len);

#endif
