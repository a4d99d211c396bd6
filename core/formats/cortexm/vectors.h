// SPDX-License-Identifier: MIT
//
// Names of exception vectors that neither the recording nor the firmware tells: a text beside the recording, and a
// table of one family of chips.
//
//   # interrupts of this board
//   19 RTC_WKUP
#ifndef TK_FORMATS_CORTEXM_VECTORS_H
#define TK_FORMATS_CORTEXM_VECTORS_H

#include <stdbool.h>

#include "../../lookup/lookup.h"

enum { CM_VECTORS_TEXT = 64 * 1024 }; // bytes that are read of it

// Whether these are the first bytes of such a text: nothing but lines of a vector and an identifier, blank ones, and
// comments behind #.
bool cm_vectors_text_is(const uint8_t *text, size_t len);
// What is no such line is passed over. Returns the names.
uint64_t cm_vectors_text_read(const uint8_t *text, size_t len, struct tk_lookup *out_names, struct tk_alloc *alloc);
// As such a text names it; lookup NULL, or not named there: false. *out_text is not terminated.
bool cm_vector_given(const struct tk_lookup *lookup, uint32_t vector, const char **out_text, size_t *out_len);

// STM32F303; NULL: none there.
const char *cm_vector_of_stm32f303(uint32_t vector);

#endif
