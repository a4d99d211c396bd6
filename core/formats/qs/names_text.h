// SPDX-License-Identifier: MIT
//
// A dictionary in a file of its own (*.dic): the sizes and names of a target as text, which a host wrote during an
// earlier run.
#ifndef TK_FORMATS_QS_NAMES_TEXT_H
#define TK_FORMATS_QS_NAMES_TEXT_H

#include "dictionary.h"

// Returns true if these are the first bytes of such a file.
bool qs_names_text_is(const uint8_t *text, size_t len);
// Reads the file: sizes into `config`, as if the target had sent them, and names into the dictionary. Skips unknown
// lines. Overwrites `scratch`. Returns the number of names.
uint64_t qs_names_text_read(const uint8_t *text, size_t len, struct qs_config *config, struct qs_dictionary *dictionary,
                            struct qs_record *scratch);

#endif
