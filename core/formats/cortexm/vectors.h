// SPDX-License-Identifier: MIT
//
// Names of exception vectors from outside of the recording and the firmware: a text that the user passes, and a table
// of one family of chips.
//
//   # interrupts of this board
//   19 RTC_WKUP
#ifndef TK_FORMATS_CORTEXM_VECTORS_H
#define TK_FORMATS_CORTEXM_VECTORS_H

#include <stdbool.h>

#include "../../lookup/lookup.h"

enum { CM_VECTORS_TEXT = 64 * 1024 }; // bytes that are read of the text

// Returns true if these are the first bytes of such a text. All lines must be blank, comments after #, or a vector and
// an identifier.
bool cm_vectors_text_is(const uint8_t *text, size_t len);
// Reads the names and skips other lines. Returns the number of names.
uint64_t cm_vectors_text_read(const uint8_t *text, size_t len, struct tk_lookup *out_names, struct tk_alloc *alloc);
// Finds the name that the text gives to a vector; *out_text is not terminated. Returns false if there is none or lookup
// is NULL.
bool cm_vector_given(const struct tk_lookup *lookup, uint32_t vector, const char **out_text, size_t *out_len);

// Returns the name of the vector in an STM32F303; NULL: the chip has no such vector.
const char *cm_vector_of_stm32f303(uint32_t vector);

#endif
