// SPDX-License-Identifier: MIT
//
// Texts and bytes by their addresses.
#include "symbol_input.h"

const struct tk_symbol_service tk_symbols_for_texts = { .need = TK_SYMBOLS_FOR_TEXTS,
                                                        .open = tk_symbol_reader_new,
                                                        .wanted = tk_symbol_reader_wanted,
                                                        .feed = tk_symbol_reader_feed,
                                                        .finish = tk_symbol_reader_finish,
                                                        .relocate = TK_RELOCATE_FN(tk_symbols_relocate),
                                                        .table = tk_symbols_table };
