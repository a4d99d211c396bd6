// SPDX-License-Identifier: MIT
//
// Every decoder. A program that brings a list of its own carries only what that one names.
#include "format.h"

const struct tk_decoder *const tk_decoders[] = {
#define TK_FORMAT(name) &tk_decoder_##name,
#include "formats.def"
#undef TK_FORMAT
};
const size_t tk_decoders_len = sizeof tk_decoders / sizeof *tk_decoders;
const struct tk_symbol_service *const tk_program_symbols[] = { &tk_symbols_for_texts, &tk_symbols_for_names,
                                                               &tk_symbols_for_lines };
