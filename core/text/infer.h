// SPDX-License-Identifier: MIT
//
// Inference of layouts, one function per kind of body. Each returns true if the text is of its kind, and then sets its
// style.
#ifndef TK_TEXT_INFER_H
#define TK_TEXT_INFER_H

#include "layout.h"

enum { TK_INFER_LINES = 2000 }; // largest number of lines that are inspected

// Returns the body of the next line with the tag of the layout, without the text before the tag and without blanks at
// its ends. Adds the characters of lines without the tag to *io_other.
bool tk_infer_next(const struct tk_layout *layout, struct tk_span *rest, struct tk_span *out_body, uint64_t *io_other);

bool tk_infer_url(struct tk_span text, struct tk_layout *layout);
bool tk_infer_escaped(struct tk_span text, struct tk_layout *layout);
bool tk_infer_hex_records(struct tk_span text, struct tk_layout *layout);
bool tk_infer_numbers(struct tk_span text, struct tk_layout *layout);
bool tk_infer_list(struct tk_span text, struct tk_layout *layout);
bool tk_infer_hexdump(struct tk_span text, struct tk_layout *layout);    // uses the tag of the layout
bool tk_infer_hex_digits(struct tk_span text, struct tk_layout *layout); // uses the tag of the layout

#endif
