// SPDX-License-Identifier: MIT
//
// Describes input that no decoder recognises, so that users see which wrong file they chose.
#ifndef TK_REPORT_CONTENT_H
#define TK_REPORT_CONTENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Returns a static sentence of less than 160 bytes, or NULL if the content is unknown. The head of an input suffices.
const char *tk_content_sentence(const uint8_t *bytes, size_t len);

// Returns true for a Perfetto trace.
bool tk_content_is_trace(const uint8_t *bytes, size_t len);

#endif
