// SPDX-License-Identifier: MIT
//
// Values in words: short texts built piece by piece, cut when full.
#ifndef TK_REPORT_WORDS_H
#define TK_REPORT_WORDS_H

#include "report.h"

enum { TK_WORDS = TK_EXPECT_TEXT - 1, TK_NAME_WIDTH = 32, TK_TEXT_WIDTH = 60 };

struct tk_words {
    char text[TK_WORDS + 1]; // terminated
    size_t len;
};

void tk_words_put(struct tk_words *words, const char *text, size_t len);
void tk_words_text(struct tk_words *words, const char *text);
void tk_words_u64(struct tk_words *words, uint64_t value);
void tk_words_counted(struct tk_words *words, uint64_t count, const char *one, const char *many);
// Only what is harmless on a terminal; at most `width` characters, a cut one ends in "~".
void tk_words_name(struct tk_words *words, const char *text, size_t len, size_t width);
// A cell as a person reads it: "1.250 ms", "30.0 %", "-" where a value is not known. counts: as tk_report.
void tk_words_cell(struct tk_words *words, const char *counts, const struct tk_column *column, const struct tk_cell *cell);
// Characters, not bytes.
size_t tk_words_width(const char *text, size_t len);

#endif
