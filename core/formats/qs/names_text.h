// SPDX-License-Identifier: MIT
//
// A dictionary in a file of its own (*.dic): a target's sizes and names as text, written by a host during an earlier
// run.
#ifndef TK_FORMATS_QS_NAMES_TEXT_H
#define TK_FORMATS_QS_NAMES_TEXT_H

#include "dictionary.h"

// Whether these are the first bytes of one.
bool qs_names_text_is(const uint8_t *text, size_t len);
// Sizes become those that the target tells; names go to the dictionary. Lines of no meaning are passed over.
// `scratch` is overwritten. Returns the names.
uint64_t qs_names_text_read(const uint8_t *text, size_t len, struct qs_config *config, struct qs_dictionary *dictionary,
                            struct qs_record *scratch);

#endif
