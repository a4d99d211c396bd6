// SPDX-License-Identifier: MIT
//
// Texts and bytes by their addresses.
#include "symbol_input.h"

const struct tk_symbol_service tk_symbols_for_texts = {
    .need = TK_SYMBOLS_FOR_TEXTS, .open = tk_symbol_reader_new, .wanted = tk_symbol_reader_wanted, .feed = tk_symbol_reader_feed, .finish = tk_symbol_reader_finish,
    .moved = TK_MOVED(tk_symbols_moved), .table = tk_symbols_table
};
