// SPDX-License-Identifier: MIT
#ifndef TK_FORMATS_TONBANDGERAET_TBAND_H
#define TK_FORMATS_TONBANDGERAET_TBAND_H

#include "../format.h"

// Recognises the format: there is no magic number, but nearly all pieces of a real recording decode.
void tb_probe(const uint8_t *head, size_t head_len, const uint8_t *tail, size_t tail_len, struct tk_probe *out_probe);

#endif
