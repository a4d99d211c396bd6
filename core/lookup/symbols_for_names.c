// SPDX-License-Identifier: MIT
//
// The same, and names of functions and variables.
#include "symbol_input.h"

const struct tk_symbol_service tk_symbols_for_names = { .need = TK_SYMBOLS_FOR_NAMES,
                                                        .open = tk_symbol_reader_new,
                                                        .wanted = tk_symbol_reader_wanted,
                                                        .feed = tk_symbol_reader_feed,
                                                        .finish = tk_symbol_reader_finish,
                                                        .relocate = TK_RELOCATE_FN(tk_symbols_relocate),
                                                        .table = tk_symbols_table,
                                                        .read_map = tk_map_begin,
                                                        .read_symbols = tk_elf_read_symbols,
                                                        .complete = tk_symbol_file_complete,
                                                        .function = tk_symbols_function,
                                                        .variable = tk_symbols_variable,
                                                        .shown = tk_symbols_shown };
