// SPDX-License-Identifier: MIT
//
// Values in words: short texts built piece by piece, cut when full.
#ifndef TK_REPORT_CELL_TEXT_H
#define TK_REPORT_CELL_TEXT_H

#include "report.h"

enum { TK_CELL_TEXT_LEN = TK_EXPECT_TEXT - 1, TK_NAME_WIDTH = 32, TK_TEXT_WIDTH = 60 };

struct tk_cell_text_buf {
    char text[TK_CELL_TEXT_LEN + 1]; // terminated
    size_t len;
};

void tk_cell_text_put(struct tk_cell_text_buf *words, const char *text, size_t len);
void tk_cell_text_add(struct tk_cell_text_buf *words, const char *text);
void tk_cell_text_u64(struct tk_cell_text_buf *words, uint64_t value);
void tk_cell_text_count(struct tk_cell_text_buf *words, uint64_t count, const char *one, const char *many);
// Only what is harmless on a terminal; at most `width` characters, a cut one ends in "~".
void tk_cell_text_name(struct tk_cell_text_buf *words, const char *text, size_t len, size_t width);
// A cell as a person reads it: "1.250 ms", "30.0 %", "-" where a value is not known. counts: as tk_report.
void tk_cell_text_cell(struct tk_cell_text_buf *words, const char *counts, const struct tk_column *column,
                       const struct tk_cell *cell);
// Characters, not bytes.
size_t tk_text_width(const char *text, size_t len);

#endif
