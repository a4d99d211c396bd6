// SPDX-License-Identifier: MIT
#ifndef TK_FORMATS_QS_QS_H
#define TK_FORMATS_QS_QS_H

#include "../format.h"

// Recognises the format: sums that are right, numbers that follow each other, and sizes under which the records fit.
void qs_probe(const uint8_t *head, size_t head_len, const uint8_t *tail, size_t tail_len, struct tk_probe *out_probe);

#endif
