// SPDX-License-Identifier: MIT
//
// Reads maps of LLVM lld: numbers, then a name whose column shows its kind.
//
//      VMA      LMA     Size Align Out     In      Symbol
//  8000140  8000140       10     4         main.o:(.text.main)
//  8000141  8000141       10     1                 main
#include "map.h"

#include <string.h>

static bool take_number(struct tk_text *line, uint64_t *out_value, bool decimal) {
    static const char digits[] = "0123456789abcdef";
    tk_map_skip_blanks(line);
    struct tk_text word = tk_map_take_word(line);
    *out_value = 0;
    for (size_t i = 0; i < word.len; i++) {
        const char *digit = memchr(digits, word.at[i], decimal ? 10 : 16);
        if (!digit) return false;
        *out_value = *out_value * (decimal ? 10 : 16) + (uint64_t)(digit - digits);
    }
    return word.len && word.len <= 16;
}

// Takes `OBJECT:(SECTION)`; anything else is an assignment of the linker script.
static void take_section(struct tk_symbol_reader *reader, struct tk_text line, uint64_t start, uint64_t size) {
    struct tk_map *map = &reader->of.map;
    size_t at = line.len;
    while (at > 1 && (line.at[at - 1] != '(' || line.at[at - 2] != ':')) at--;
    map->content = TK_MAP_OTHER;
    if (at <= 1 || line.at[line.len - 1] != ')') return;
    map->content = tk_map_content_of((struct tk_text){ line.at + at, line.len - 1 - at });
    map->unit = tk_symbol_file_add_unit(reader->file, reader->alloc, line.at, at - 2);
    map->start = start;
    map->end = start + size < start ? start : start + size;
}

static void take_symbol(struct tk_symbol_reader *reader, struct tk_text name, uint64_t start, uint64_t size) {
    struct tk_map *map = &reader->of.map;
    if (name.at[0] == '$') { // mapping symbols of code and data; only targets with them use bit 0 of function addresses
        if (name.len > 1 && name.at[1] == 't') reader->file->thumb = true;
        return;
    }
    if (map->content != TK_MAP_CODE && !size) return;
    if (start < map->start || start >= map->end) return;
    tk_map_add(reader, map->content, name, start, size ? start + size : map->end, size ? 0 : TK_ENTRY_UNSIZED);
}

bool tk_lld_map_line(struct tk_symbol_reader *reader, struct tk_text line) {
    uint64_t start, load, size, align;
    if (!take_number(&line, &start, false) || !take_number(&line, &load, false) || !take_number(&line, &size, false) ||
        !take_number(&line, &align, true))
        return true;
    size_t blanks = tk_map_skip_blanks(&line);
    if (!line.len) return true;
    if (blanks == 9) take_section(reader, line, start, size);
    else if (blanks == 17) take_symbol(reader, line, start, size);
    return true;
}
