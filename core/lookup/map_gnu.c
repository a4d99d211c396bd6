// SPDX-License-Identifier: MIT
//
// Reads maps of GNU ld: sections of object files, followed by their global symbols.
//
//  .text.main     0x08000140      0x1b8 main.o
//                 0x08000140                main
//
// After a long section name the numbers follow on the next line. Symbols have no sizes. Static functions have no
// symbols: their names are known only if each function has its own section (-ffunction-sections).
#include <string.h>

#include "map.h"

// Returns NAME of `.text.NAME`; empty if the section does not belong to one function or variable. *out_split: the
// section contains unlikely code, possibly a part of NAME.
static struct tk_text own_name(struct tk_text section, bool *out_split) {
    static const char *const places[] = { "unlikely", "startup", "hot", "exit" };
    const char *dot = section.len > 1 ? memchr(section.at + 1, '.', section.len - 1) : NULL;
    struct tk_text name = { section.at, 0 };
    *out_split = false;
    if (dot) name = (struct tk_text){ dot + 1, section.len - (size_t)(dot + 1 - section.at) };
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        size_t len = strlen(places[i]);
        if (!tk_map_begins_with(name, places[i]) || (name.len > len && name.at[len] != '.')) continue;
        *out_split = i == 0;
        size_t cut = name.len > len ? len + 1 : len;
        return (struct tk_text){ name.at + cut, name.len - cut };
    }
    return name;
}

// Adds the start of a section, before its first symbol, under the name of the section.
static void name_section_start(struct tk_symbol_reader *reader, uint64_t end) {
    struct tk_map *map = &reader->of.map;
    unsigned flags = (map->split ? TK_ENTRY_SPLIT : 0) | (map->name_len ? 0 : TK_ENTRY_SHARED);
    if (map->has_symbols || (map->content != TK_MAP_CODE && !map->name_len)) return;
    tk_map_add(reader, map->content, (struct tk_text){ map->name, map->name_len }, map->start, end, flags);
}

static void close_section(struct tk_symbol_reader *reader) {
    struct tk_map *map = &reader->of.map;
    name_section_start(reader, map->end);
    map->start = map->end = 0;
    map->pending = false;
}

// Takes `0xADDRESS 0xSIZE OBJECT`.
static void take_place(struct tk_symbol_reader *reader, struct tk_text line) {
    struct tk_map *map = &reader->of.map;
    uint64_t start, size;
    map->pending = false;
    if (!tk_map_take_hex(&line, &start) || !tk_map_skip_blanks(&line) || !tk_map_take_hex(&line, &size) ||
        !tk_map_skip_blanks(&line))
        return;
    map->start = start;
    map->end = start + size < start ? start : start + size;
    map->unit = size ? tk_symbol_file_add_unit(reader->file, reader->alloc, line.at, line.len) : 0;
}

static void take_section(struct tk_symbol_reader *reader, struct tk_text line) {
    struct tk_map *map = &reader->of.map;
    close_section(reader);
    if (line.at[0] == '*') return; // a pattern of the linker script, or padding
    struct tk_text section = tk_map_take_word(&line);
    if (tk_map_begins_with(section, ".ARM.")) reader->file->thumb = true;
    tk_map_keep_name(map, own_name(section, &map->split));
    map->content = tk_map_content_of(section);
    map->has_symbols = false;
    tk_map_skip_blanks(&line);
    if (line.len) take_place(reader, line);
    else map->pending = true;
}

static bool is_assignment(struct tk_text name) {
    for (size_t i = 0; i + 3 <= name.len; i++)
        if (!memcmp(name.at + i, " = ", 3)) return true;
    return tk_map_begins_with(name, "PROVIDE") || tk_map_begins_with(name, "ASSERT");
}

static void take_symbol(struct tk_symbol_reader *reader, struct tk_text line) {
    struct tk_map *map = &reader->of.map;
    uint64_t address;
    if (!tk_map_take_hex(&line, &address) || !tk_map_skip_blanks(&line) || !line.len || is_assignment(line)) return;
    if (address < map->start || address >= map->end) return;
    name_section_start(reader, address);
    map->has_symbols = true;
    tk_map_add(reader, map->content, line, address, map->end, TK_ENTRY_UNSIZED | (map->name_len ? 0 : TK_ENTRY_SHARED));
}

bool tk_gnu_map_line(struct tk_symbol_reader *reader, struct tk_text line) {
    struct tk_map *map = &reader->of.map;
    if (!map->inside) {
        map->inside = tk_map_begins_with(line, "Linker script and memory map");
        return true;
    }
    bool ends = tk_map_begins_with(line, "OUTPUT(") || tk_map_begins_with(line, "Cross Reference Table");
    size_t blanks = tk_map_skip_blanks(&line);
    if (ends || !blanks) close_section(reader);
    else if (blanks == 1 && line.len) take_section(reader, line);
    else if (blanks && map->pending) take_place(reader, line);
    else if (blanks) take_symbol(reader, line);
    return !ends;
}
