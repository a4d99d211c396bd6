// SPDX-License-Identifier: MIT
#include "map.h"

#include <string.h>

static const tk_map_line readers[] = { [TK_SYMBOLS_GNU_MAP] = tk_gnu_map_line,
                                       [TK_SYMBOLS_LLD_MAP] = tk_lld_map_line,
                                       [TK_SYMBOLS_IAR_MAP] = tk_iar_map_line,
                                       [TK_SYMBOLS_ARM_MAP] = tk_arm_map_line };

size_t tk_map_skip_blanks(struct tk_text *line) {
    size_t count = 0;
    while (count < line->len && (line->at[count] == ' ' || line->at[count] == '\t')) count++;
    line->at += count;
    line->len -= count;
    return count;
}

struct tk_text tk_map_take_word(struct tk_text *line) {
    struct tk_text word = { line->at, 0 };
    while (word.len < line->len && line->at[word.len] != ' ' && line->at[word.len] != '\t') word.len++;
    line->at += word.len;
    line->len -= word.len;
    return word;
}

static int digit_of(char c) {
    return c >= '0' && c <= '9' ? c - '0' : (c | 32) >= 'a' && (c | 32) <= 'f' ? (c | 32) - 'a' + 10 : -1;
}

bool tk_map_take_hex(struct tk_text *line, uint64_t *out_value) {
    uint64_t value = 0;
    size_t at = 2, digits = 0;
    if (!tk_map_begins_with(*line, "0x")) return false;
    for (; at < line->len && (digit_of(line->at[at]) >= 0 || line->at[at] == '\''); at++) {
        if (line->at[at] == '\'') continue;
        value = value << 4 | (uint64_t)digit_of(line->at[at]);
        digits++;
    }
    if (!digits || digits > 16) return false;
    line->at += at;
    line->len -= at;
    *out_value = value;
    return true;
}

bool tk_map_begins_with(struct tk_text line, const char *start) {
    size_t len = strlen(start);
    return line.len >= len && !memcmp(line.at, start, len);
}

static bool is_of_family(struct tk_text section, const char *family) {
    size_t len = strlen(family);
    return tk_map_begins_with(section, family) && (section.len == len || section.at[len] == '.');
}

// Section names of code are arbitrary in linker scripts; all sections that are not known as data count as code.
enum tk_map_content tk_map_content_of(struct tk_text section) {
    static const char *const variables[] = { ".data", ".bss",     ".rodata", ".noinit", ".sdata",
                                             ".sbss", ".srodata", ".tdata",  ".tbss",   "COMMON" };
    static const char *const others[] = {
        ".ARM",        ".comment",    ".debug",         ".debug_",     ".stab",   ".note",    ".eh_frame",
        ".init_array", ".fini_array", ".preinit_array", ".isr_vector", ".intvec", ".vectors", ".tm_clone_table",
        ".jcr",        ".dynamic",    ".heap",          ".stack",      ".gnu",    ".got",     ".ctors",
        ".dtors",      ".riscv",      ".xtensa",        ".xt"
    };
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++)
        if (is_of_family(section, variables[i])) return TK_MAP_VARIABLES;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (is_of_family(section, others[i]) || (i == 3 && tk_map_begins_with(section, others[i]))) return TK_MAP_OTHER;
    return TK_MAP_CODE;
}

void tk_map_add(struct tk_symbol_reader *reader, enum tk_map_content content, struct tk_text name, uint64_t start,
                uint64_t end, unsigned flags) {
    struct tk_symbol_file *file = reader->file;
    const struct tk_map *map = &reader->of.map;
    if (content == TK_MAP_OTHER || start >= end) return;
    struct tk_symbol_entry entry = { .start = start,
                                     .size = end - start < UINT32_MAX ? (uint32_t)(end - start) : UINT32_MAX,
                                     .unit = map->unit,
                                     .rank = map->rank,
                                     .flags = (uint8_t)flags };
    entry.name = name.len ? tk_symbol_file_add_name(file, reader->alloc, name.at, name.len) : 0;
    tk_symbol_table_add(file, content == TK_MAP_CODE ? &file->functions : &file->variables, reader->alloc, &entry);
}

void tk_map_keep_name(struct tk_map *map, struct tk_text name) {
    map->name_len = (uint32_t)(name.len < sizeof map->name ? name.len : sizeof map->name);
    memcpy(map->name, name.at, map->name_len);
}

// ---- Lines ----------------------------------------------------------------------------------------

static void take_lines(struct tk_symbol_reader *reader, const uint8_t *bytes, size_t len);

// Requests the next range. It starts with the line that the end of the last range cut.
static void next_lines(struct tk_symbol_reader *reader) {
    uint64_t at = reader->of.map.at;
    if (at >= reader->size) return;
    uint64_t rest = reader->size - at;
    tk_symbol_want(reader, at, rest < TK_SYMBOLS_RANGE_LEN ? rest : TK_SYMBOLS_RANGE_LEN, take_lines);
}

static void take_lines(struct tk_symbol_reader *reader, const uint8_t *bytes, size_t len) {
    struct tk_map *map = &reader->of.map;
    size_t at = 0;
    bool last = map->at + len >= reader->size || len < TK_SYMBOLS_RANGE_LEN;
    while (at < len) {
        const uint8_t *end = memchr(bytes + at, '\n', len - at);
        if (!end && !last && at) break;
        size_t line_len = end ? (size_t)(end - (bytes + at)) : len - at;
        struct tk_text line = { (const char *)bytes + at, line_len };
        if (line.len && line.at[line.len - 1] == '\r') line.len--;
        if (!readers[reader->file->kind](reader, line)) return;
        at += line_len + 1;
    }
    map->at += at < len ? at : len;
    if (last) readers[reader->file->kind](reader, (struct tk_text){ "", 0 }); // closes a pending section or entry
    else next_lines(reader);
}

void tk_map_begin(struct tk_symbol_reader *reader) {
    reader->file->thumb = reader->file->kind == TK_SYMBOLS_IAR_MAP || reader->file->kind == TK_SYMBOLS_ARM_MAP;
    next_lines(reader);
}
