// SPDX-License-Identifier: MIT
//
// What bytes are that no format knows: helps people to see what they dropped by mistake.
#ifndef TK_REPORT_CONTENT_H
#define TK_REPORT_CONTENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// A static sentence of less than 160 bytes, or NULL when nothing can be said. The head of an input is enough.
const char *tk_content_sentence(const uint8_t *bytes, size_t len);

// A trace in the viewer's own format.
bool tk_content_is_trace(const uint8_t *bytes, size_t len);

#endif
