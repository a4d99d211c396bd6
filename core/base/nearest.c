// SPDX-License-Identifier: MIT
//
// Finds the known name that a user meant by a misspelt word.
#include "tonkopf.h"

#include <stdint.h>
#include <string.h>

static size_t smaller(size_t a, size_t b) { return a < b ? a : b; }

// Returns the number of inserted, omitted and changed characters apart from the case of letters; SIZE_MAX for long
// names.
static size_t edit_distance(const char *a, const char *b) {
    enum { NAME_LEN = 63, CASE = 0x20 };
    size_t row[NAME_LEN + 1], a_len = strlen(a), b_len = strlen(b);
    if (a_len > NAME_LEN || b_len > NAME_LEN) return SIZE_MAX;
    for (size_t j = 0; j <= b_len; j++) row[j] = j;
    for (size_t i = 0; i < a_len; i++) {
        size_t diagonal = row[0]++;
        for (size_t j = 0; j < b_len; j++) {
            size_t change = diagonal + ((a[i] | CASE) != (b[j] | CASE));
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
    size_t changes = is_start ? 1 : edit_distance(nearest->word, name);
    if (changes >= (nearest->name ? nearest->changes : len / 3 + 2)) return;
    nearest->name = name;
    nearest->changes = changes;
}
