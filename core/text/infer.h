// SPDX-License-Identifier: MIT
//
// One function per kind of body infers its layout. Each looks at the text, and when it is of its kind fills in its
// style.
#ifndef TK_TEXT_INFER_H
#define TK_TEXT_INFER_H

#include "layout.h"

enum { TK_INFER_LINES = 2000 }; // more are not looked at

// Next line that counts, without blanks at its ends and what stands before the tag. `*io_other` grows by the
// characters of lines without the tag.
bool tk_infer_next(const struct tk_layout *layout, struct tk_span *rest, struct tk_span *out_body, uint64_t *io_other);

bool tk_infer_url(struct tk_span text, struct tk_layout *layout);
bool tk_infer_escaped(struct tk_span text, struct tk_layout *layout);
bool tk_infer_hex_records(struct tk_span text, struct tk_layout *layout);
bool tk_infer_numbers(struct tk_span text, struct tk_layout *layout);
bool tk_infer_list(struct tk_span text, struct tk_layout *layout);
bool tk_infer_hexdump(struct tk_span text, struct tk_layout *layout);    // with the tag of the layout
bool tk_infer_hex_digits(struct tk_span text, struct tk_layout *layout); // so here

#endif
