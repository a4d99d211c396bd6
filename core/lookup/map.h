// SPDX-License-Identifier: MIT
//
// Reads linker maps line by line. There is one reader for each layout.
#ifndef TK_LOOKUP_MAP_H
#define TK_LOOKUP_MAP_H

#include "symbol_input.h"

struct tk_text {
    const char *at;
    size_t len;
};

// Takes a line without its line end. Returns false when the reader needs no more lines.
typedef bool (*tk_map_line)(struct tk_symbol_reader *reader, struct tk_text line);
bool tk_gnu_map_line(struct tk_symbol_reader *reader, struct tk_text line);
bool tk_lld_map_line(struct tk_symbol_reader *reader, struct tk_text line);
bool tk_iar_map_line(struct tk_symbol_reader *reader, struct tk_text line);
bool tk_arm_map_line(struct tk_symbol_reader *reader, struct tk_text line);

// Take pieces from the front of a line.
size_t tk_map_skip_blanks(struct tk_text *line); // returns the number of blanks
struct tk_text tk_map_take_word(struct tk_text *line);
bool tk_map_take_hex(struct tk_text *line, uint64_t *out_value); // "0x" and digits, which ' may separate
bool tk_map_begins_with(struct tk_text line, const char *start);

// Returns the content of a section with this name.
enum tk_map_content tk_map_content_of(struct tk_text section);

// Adds a function or variable of the current unit, at [start, end). flags: TK_ENTRY_*.
void tk_map_add(struct tk_symbol_reader *reader, enum tk_map_content content, struct tk_text name, uint64_t start,
                uint64_t end, unsigned flags);
void tk_map_keep_name(struct tk_map *map, struct tk_text name);

#endif
