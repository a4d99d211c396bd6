// SPDX-License-Identifier: MIT
//
// All that there is to know of an address.
#include "symbol_input.h"

const struct tk_symbol_service tk_symbols_for_lines = { .need = TK_SYMBOLS_FOR_LINES,
                                                        .open = tk_symbol_reader_new,
                                                        .wanted = tk_symbol_reader_wanted,
                                                        .feed = tk_symbol_reader_feed,
                                                        .finish = tk_symbol_reader_finish,
                                                        .relocate = TK_RELOCATE_FN(tk_symbols_relocate),
                                                        .table = tk_symbols_table,
                                                        .read_map = tk_map_begin,
                                                        .read_symbols = tk_elf_read_symbols,
                                                        .read_lines = tk_elf_read_lines,
                                                        .complete = tk_symbol_file_complete,
                                                        .function = tk_symbols_function,
                                                        .variable = tk_symbols_variable,
                                                        .shown = tk_symbols_shown };
