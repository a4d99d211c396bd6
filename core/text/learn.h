// SPDX-License-Identifier: MIT
//
// One learner per kind of body. Each looks at the text, and when it is of its kind fills in its style.
#ifndef TK_TEXT_LEARN_H
#define TK_TEXT_LEARN_H

#include "dress.h"

enum { TK_LEARN_LINES = 2000 }; // more are not looked at

// Next line that counts, without blanks at its ends and what stands before the tag. `*io_other` grows by the
// characters of lines without the tag.
bool tk_learn_next(const struct tk_dress *dress, struct tk_span *rest, struct tk_span *out_body, uint64_t *io_other);

bool tk_learn_url(struct tk_span text, struct tk_dress *dress);
bool tk_learn_escaped(struct tk_span text, struct tk_dress *dress);
bool tk_learn_records(struct tk_span text, struct tk_dress *dress);
bool tk_learn_numbers(struct tk_span text, struct tk_dress *dress);
bool tk_learn_list(struct tk_span text, struct tk_dress *dress);
bool tk_learn_rows(struct tk_span text, struct tk_dress *dress);  // with the tag of the dress
bool tk_learn_plain(struct tk_span text, struct tk_dress *dress); // so here

#endif
