// SPDX-License-Identifier: MIT
//
// The one decoder of a module, named by the build, with or without what reads symbols, and no recognisers: the linker leaves out what only the
// others need. What to do about problems the module that recognises knows.
#include "formats/format.h"

const struct tk_decoder *const tk_decoders[] = { &TK_ONLY_DECODER };
const size_t tk_decoders_len = 1;
const struct tk_symbol_service *const tk_program_symbols[] = { TK_ONLY_SYMBOLS, TK_ONLY_SYMBOLS, TK_ONLY_SYMBOLS };
const struct tk_format *const tk_formats[] = { NULL };
const size_t tk_formats_len = 0;

const struct tk_diag_advice *tk_diag_advice(enum tk_diag_id id) { return (void)id, NULL; }
