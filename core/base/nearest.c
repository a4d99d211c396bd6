// SPDX-License-Identifier: MIT
//
// Finds the known name that a user meant by a misspelt word.
#include "nearest.h"

#include "tonkopf.h"

#include <stdint.h>
#include <string.h>

static size_t smaller(size_t a, size_t b) { return a < b ? a : b; }
static char lower(char c) { return c >= 'A' && c <= 'Z' ? (char)(c | 0x20) : c; }

size_t tk_edit_distance(const char *a, size_t a_len, const char *b, size_t b_len) {
    size_t row[TK_COMPARED_LEN + 1];
    if (a_len > TK_COMPARED_LEN) a += a_len - TK_COMPARED_LEN, a_len = TK_COMPARED_LEN;
    if (b_len > TK_COMPARED_LEN) b += b_len - TK_COMPARED_LEN, b_len = TK_COMPARED_LEN;
    for (size_t j = 0; j <= b_len; j++) row[j] = j;
    for (size_t i = 0; i < a_len; i++) {
        size_t diagonal = row[0]++;
        for (size_t j = 0; j < b_len; j++) {
            size_t change = diagonal + (lower(a[i]) != lower(b[j]));
            diagonal = row[j + 1];
            row[j + 1] = smaller(change, smaller(row[j], row[j + 1]) + 1);
        }
    }
    return row[b_len];
}

void tk_nearest_try(struct tk_nearest *nearest, const char *name) {
    enum { PREFIX_LEN = 3 };
    size_t len = strlen(nearest->word);
    bool is_start = len >= PREFIX_LEN && strncmp(name, nearest->word, len) == 0;
    size_t changes = is_start ? 1 : tk_edit_distance(nearest->word, len, name, strlen(name));
    if (changes >= (nearest->name ? nearest->changes : len / 3 + 2)) return;
    nearest->name = name;
    nearest->changes = changes;
}
