// SPDX-License-Identifier: MIT
//
// Linker maps: texts that are read line by line. One reader for each layout; what they find is the same.
#ifndef TK_LOOKUP_MAP_H
#define TK_LOOKUP_MAP_H

#include "symbol_input.h"

struct tk_text {
    const char *at;
    size_t len;
};

// Takes a line, without its end; false: nothing more is wanted.
typedef bool (*tk_map_line)(struct tk_symbol_reader *reader, struct tk_text line);
bool tk_gnu_map_line(struct tk_symbol_reader *reader, struct tk_text line);
bool tk_lld_map_line(struct tk_symbol_reader *reader, struct tk_text line);
bool tk_iar_map_line(struct tk_symbol_reader *reader, struct tk_text line);
bool tk_arm_map_line(struct tk_symbol_reader *reader, struct tk_text line);

// Pieces of a line. What is taken is removed from its front.
size_t tk_map_skip_blanks(struct tk_text *line); // how many there were
struct tk_text tk_map_take_word(struct tk_text *line);
bool tk_map_take_hex(struct tk_text *line, uint64_t *out_value); // "0x" and digits, which may be grouped by '
bool tk_map_begins_with(struct tk_text line, const char *start);

// What a section of this name holds.
enum tk_map_content tk_map_content_of(struct tk_text section);

// A function or variable of the unit that is being read, [start, end). flags: of an entry.
void tk_map_add(struct tk_symbol_reader *reader, enum tk_map_content content, struct tk_text name, uint64_t start,
                uint64_t end, unsigned flags);
void tk_map_keep_name(struct tk_map *map, struct tk_text name);

#endif
