// SPDX-License-Identifier: MIT
//
// Maps of IAR and armlink: tables of symbols with address, type, size and object.
//
// Entry                      Address   Size  Type      Object
// main                    0x800'0141   0x1b8  Code  Gb  main.o [1]
//
//     main                                     0x08000141   Thumb Code   440  main.o(.text)
#include <string.h>

#include "map.h"

static struct tk_text trim_end(struct tk_text text) {
    while (text.len && (text.at[text.len - 1] == ' ' || text.at[text.len - 1] == '\t')) text.len--;
    return text;
}

static bool is_word(struct tk_text word, const char *text) {
    return word.len == strlen(text) && !memcmp(word.at, text, word.len);
}

// Splits at the first ` 0x` that begins a number; false: there is none.
static bool split_at_number(struct tk_text line, struct tk_text *out_name, struct tk_text *out_rest) {
    for (size_t i = 0; i + 3 < line.len; i++) {
        struct tk_text rest = { line.at + i, line.len - i }, number = rest;
        uint64_t value;
        if ((i && line.at[i - 1] != ' ') || !tk_map_take_hex(&number, &value) || !tk_map_skip_blanks(&number)) continue;
        *out_name = trim_end((struct tk_text){ line.at, i });
        *out_rest = rest;
        return true;
    }
    return false;
}

// Without a size a function ends at the next one.
static void add(struct tk_symbol_reader *reader, enum tk_map_content content, struct tk_text name, uint64_t start,
                uint64_t size) {
    uint64_t end = size ? start + size : start + UINT16_MAX;
    if (size || content == TK_MAP_CODE) tk_map_add(reader, content, name, start, end, size ? 0 : TK_ENTRY_UNSIZED);
}

static enum tk_symbol_rank rank_of(struct tk_text binding) {
    return is_word(binding, "Lc") ? TK_RANK_LOCAL : is_word(binding, "Wk") ? TK_RANK_WEAK : TK_RANK_GLOBAL;
}

// `main.o [1]`
static struct tk_text iar_object(struct tk_text line) {
    size_t at = line.len;
    while (at && line.at[at - 1] != '[') at--;
    struct tk_text object = trim_end((struct tk_text){ line.at, at ? at - 1 : line.len });
    return object.len && object.at[0] == '-' ? (struct tk_text){ line.at, 0 } : object; // made by the linker
}

static void take_iar_entry(struct tk_symbol_reader *reader, struct tk_text name, struct tk_text line) {
    struct tk_map *map = &reader->of.map;
    uint64_t start = 0, size = 0;
    tk_map_take_hex(&line, &start);
    tk_map_skip_blanks(&line);
    if (tk_map_take_hex(&line, &size)) tk_map_skip_blanks(&line);
    struct tk_text type = tk_map_take_word(&line);
    tk_map_skip_blanks(&line);
    map->rank = rank_of(tk_map_take_word(&line));
    tk_map_skip_blanks(&line);
    struct tk_text object = iar_object(line);
    map->unit = tk_symbol_file_add_unit(reader->file, reader->alloc, object.at, object.len);
    add(reader,
        is_word(type, "Code")   ? TK_MAP_CODE
        : is_word(type, "Data") ? TK_MAP_VARIABLES
                                : TK_MAP_OTHER,
        name, start, size);
}

bool tk_iar_map_line(struct tk_symbol_reader *reader, struct tk_text line) {
    struct tk_map *map = &reader->of.map;
    struct tk_text name, rest;
    if (!map->inside) {
        map->inside = tk_map_begins_with(line, "*** ENTRY LIST");
        return true;
    }
    if (tk_map_begins_with(line, "[1] = ")) return false;
    size_t blanks = tk_map_skip_blanks(&line);
    if (!split_at_number(line, &name, &rest)) {
        map->pending = !blanks && line.len && line.at[0] != '*' && line.at[0] != '-';
        if (map->pending) tk_map_keep_name(map, trim_end(line));
        return true;
    }
    if (blanks && map->pending && !name.len) name = (struct tk_text){ map->name, map->name_len };
    if (name.len) take_iar_entry(reader, name, rest);
    map->pending = false;
    return true;
}

static enum tk_map_content arm_content(struct tk_text line, struct tk_text *out_rest) {
    static const struct {
        const char *text;
        enum tk_map_content content;
    } types[] = { { "Thumb Code", TK_MAP_CODE }, { "ARM Code", TK_MAP_CODE }, { "Data", TK_MAP_VARIABLES } };
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        size_t len = strlen(types[i].text);
        if (!tk_map_begins_with(line, types[i].text)) continue;
        *out_rest = (struct tk_text){ line.at + len, line.len - len };
        return types[i].content;
    }
    return TK_MAP_OTHER;
}

static void take_arm_entry(struct tk_symbol_reader *reader, struct tk_text name, struct tk_text line) {
    struct tk_map *map = &reader->of.map;
    uint64_t start = 0, size = 0;
    tk_map_take_hex(&line, &start);
    tk_map_skip_blanks(&line);
    enum tk_map_content content = arm_content(line, &line);
    if (content == TK_MAP_OTHER) return;
    tk_map_skip_blanks(&line);
    struct tk_text digits = tk_map_take_word(&line);
    for (size_t i = 0; i < digits.len && i < 9; i++) {
        if (digits.at[i] < '0' || digits.at[i] > '9') return;
        size = size * 10 + (uint64_t)(digits.at[i] - '0');
    }
    tk_map_skip_blanks(&line);
    const char *section = line.len ? memchr(line.at, '(', line.len) : NULL;
    map->unit =
        tk_symbol_file_add_unit(reader->file, reader->alloc, line.at, section ? (size_t)(section - line.at) : line.len);
    add(reader, content, name, start, size);
}

bool tk_arm_map_line(struct tk_symbol_reader *reader, struct tk_text line) {
    struct tk_map *map = &reader->of.map;
    struct tk_text name, rest;
    tk_map_skip_blanks(&line);
    if (!map->inside) {
        map->inside = tk_map_begins_with(line, "Image Symbol Table");
        return true;
    }
    if (tk_map_begins_with(line, "====")) return false;
    if (tk_map_begins_with(line, "Local Symbols")) map->rank = TK_RANK_LOCAL;
    if (tk_map_begins_with(line, "Global Symbols")) map->rank = TK_RANK_GLOBAL;
    if (split_at_number(line, &name, &rest) && name.len) take_arm_entry(reader, name, rest);
    return true;
}
