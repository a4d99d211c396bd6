// SPDX-License-Identifier: MIT
//
// Recognises the encoding of a text.
#ifndef TK_TEXT_DETECT_H
#define TK_TEXT_DETECT_H

#include "base64.h"
#include "layout.h"

struct tk_recognised {
    tk_encoding_kind kind;
    struct tk_layout layout;       // HEX
    struct tk_base64_style base64; // BASE64
};

void tk_recognise(struct tk_span head, struct tk_recognised *out);

#endif
