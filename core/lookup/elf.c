// SPDX-License-Identifier: MIT
//
// ELF of 32 and 64 bit, either byte order. Read in this order: header, sections and their names, names of symbols, symbols, sections that are never
// written, line tables. A step that finds nothing goes on with the next.
#include <string.h>

#include "../base/sort.h"
#include "order.h"
#include "symbol_input.h"

enum { HEADER_LEN = 64, MACHINE_ARM = 40, SECTION_NAMES_MAX = 8 * 1024 * 1024, UNIT_MAX = 16 * 1024 * 1024, TEXTS_MAX = 32 * 1024 * 1024 };
enum { TYPE_PROGBITS = 1, TYPE_SYMTAB = 2, TYPE_STRTAB = 3, FLAG_WRITE = 1, FLAG_ALLOC = 2, FLAG_EXECUTE = 4, FLAG_COMPRESSED = 0x800 };
enum { SYMBOL_OBJECT = 1, SYMBOL_FUNCTION = 2, SYMBOL_FILE = 4, SYMBOL_IFUNC = 10, LOCAL = 0, WEAK = 2 };

static void read_symbols(struct tk_symbol_reader *reader);
static void read_bytes(struct tk_symbol_reader *reader);
static void read_lines(struct tk_symbol_reader *reader);
static void next_units(struct tk_symbol_reader *reader);
static void take_units(struct tk_symbol_reader *reader, const uint8_t *bytes, size_t len);

static uint64_t number(const struct tk_symbol_reader *reader, const uint8_t *at, size_t len) { return tk_read_ordered(at, len, reader->file->big_endian); }

// A number whose place and length depend on the class.
static uint64_t field(const struct tk_symbol_reader *reader, const uint8_t *bytes, unsigned narrow, unsigned wide) {
    return reader->of.elf.wide ? number(reader, bytes + wide, 8) : number(reader, bytes + narrow, 4);
}

// ---- Sections -------------------------------------------------------------------------------------

static struct tk_elf_section section_at(const struct tk_symbol_reader *reader, const uint8_t *at) {
    return (struct tk_elf_section){
        .name = (uint32_t)number(reader, at, 4), .type = (uint32_t)number(reader, at + 4, 4), .flags = field(reader, at, 8, 8), .address = field(reader, at, 12, 16),
        .offset = field(reader, at, 16, 24), .size = field(reader, at, 20, 32), .link = (uint32_t)number(reader, at + (reader->of.elf.wide ? 40 : 24), 4),
        .entry_size = (uint32_t)field(reader, at, 36, 56)
    };
}

static bool is_named(const char *name, const char *const *names, size_t count, size_t *out_index) {
    for (size_t i = 0; i < count; i++)
        if (!strcmp(name, names[i])) return *out_index = i, true;
    return false;
}

static void set_vectors(struct tk_symbol_reader *reader, uint32_t by, uint64_t address, uint64_t len) {
    struct tk_elf *elf = &reader->of.elf;
    if (by >= elf->vectors_by || len < 8) return;
    elf->vectors_by = by;
    reader->file->vectors = address;
    reader->file->vectors_end = address + len < address ? address : address + len;
}

enum { VECTORS_BY_SYMBOL, VECTORS_BY_SECTION = 16, VECTORS_BY_PLACE = 32, VECTORS_UNKNOWN };

static void note_section(struct tk_symbol_reader *reader, uint32_t index, const char *name) {
    static const char *const vectors[] = { ".isr_vector", ".intvec", ".vectors" }, *const lines[] = { ".debug_line" }, *const texts[] = { ".debug_line_str", ".debug_str" };
    struct tk_elf *elf = &reader->of.elf;
    const struct tk_elf_section *section = &elf->sections[index];
    size_t which;
    if (section->flags & FLAG_ALLOC && is_named(name, vectors, 3, &which)) set_vectors(reader, VECTORS_BY_SECTION + (uint32_t)which, section->address, section->size);
    if (!strncmp(name, ".zdebug_line", 12)) reader->file->facts.compressed = true;
    if (!is_named(name, lines, 1, &which) && !is_named(name, texts, 2, &which)) return;
    if (section->flags & FLAG_COMPRESSED) reader->file->facts.compressed = true;
    else *(name[7] == 's' ? &elf->str : name[11] == '_' ? &elf->line_str : &elf->line) = index;
}

// In a file without names for the table of vectors it stands where the first section does.
static void guess_vectors(struct tk_symbol_reader *reader) {
    const struct tk_elf *elf = &reader->of.elf;
    const struct tk_elf_section *first = NULL;
    for (uint32_t i = 1; i < elf->section_count; i++) {
        const struct tk_elf_section *section = &elf->sections[i];
        if (section->type == TYPE_PROGBITS && section->flags & FLAG_ALLOC && section->size && (!first || section->address < first->address)) first = section;
    }
    if (first) set_vectors(reader, VECTORS_BY_PLACE, first->address, first->size);
}

static void take_section_names(struct tk_symbol_reader *reader, const uint8_t *bytes, size_t len) {
    struct tk_elf *elf = &reader->of.elf;
    for (uint32_t i = 1; i < elf->section_count && len; i++) {
        uint32_t name = elf->sections[i].name;
        if (name < len && memchr(bytes + name, 0, len - name)) note_section(reader, i, (const char *)bytes + name);
    }
    guess_vectors(reader);
    read_symbols(reader);
}

static void take_sections(struct tk_symbol_reader *reader, const uint8_t *bytes, size_t len) {
    struct tk_elf *elf = &reader->of.elf;
    uint32_t count = (uint32_t)(len / elf->section_size);
    if (!tk_alloc_grow(reader->alloc, (void **)&elf->sections, &elf->section_capacity, count + 1, sizeof *elf->sections)) return;
    elf->section_count = count;
    for (uint32_t i = 0; i < count; i++) elf->sections[i] = section_at(reader, bytes + (size_t)i * elf->section_size);
    const struct tk_elf_section *names = elf->names_index < count ? &elf->sections[elf->names_index] : NULL;
    bool usable = names && names->type == TYPE_STRTAB;
    tk_symbol_want(reader, usable ? names->offset : 0, usable ? (names->size < SECTION_NAMES_MAX ? names->size : SECTION_NAMES_MAX) : 0, take_section_names);
}

// Counts that do not fit into the header stand in the first section.
static void take_first_section(struct tk_symbol_reader *reader, const uint8_t *bytes, size_t len) {
    struct tk_elf *elf = &reader->of.elf;
    if (len < elf->section_size) return;
    struct tk_elf_section first = section_at(reader, bytes);
    uint64_t count = elf->section_count ? elf->section_count : first.size;
    if (elf->names_index == 0xFFFF) elf->names_index = first.link;
    if (count > TK_ELF_SECTIONS_MAX) {
        reader->file->facts.limited = true;
        count = TK_ELF_SECTIONS_MAX;
    }
    elf->section_count = 0;
    tk_symbol_want(reader, elf->sections_at, count * elf->section_size, take_sections);
}

static void take_header(struct tk_symbol_reader *reader, const uint8_t *bytes, size_t len) {
    struct tk_elf *elf = &reader->of.elf;
    if (len < HEADER_LEN || memcmp(bytes, "\177ELF", 4)) return;
    elf->wide = bytes[4] == 2;
    reader->file->big_endian = bytes[5] == 2;
    elf->machine = (uint16_t)number(reader, bytes + 18, 2);
    reader->file->thumb = elf->machine == MACHINE_ARM;
    elf->sections_at = field(reader, bytes, 32, 40);
    const uint8_t *counts = bytes + (elf->wide ? 58 : 46);
    elf->section_size = (uint32_t)number(reader, counts, 2);
    elf->section_count = (uint32_t)number(reader, counts + 2, 2);
    elf->names_index = (uint32_t)number(reader, counts + 4, 2);
    elf->vectors_by = VECTORS_UNKNOWN;
    if (elf->sections_at && elf->section_size >= (elf->wide ? 64u : 40u)) tk_symbol_want(reader, elf->sections_at, elf->section_size, take_first_section);
}

void tk_elf_begin(struct tk_symbol_reader *reader) { tk_symbol_want(reader, 0, HEADER_LEN, take_header); }

// ---- Symbols --------------------------------------------------------------------------------------

struct symbol {
    uint64_t value, size;
    uint32_t name, type, binding, section;
};

static struct symbol symbol_at(const struct tk_symbol_reader *reader, const uint8_t *at) {
    bool wide = reader->of.elf.wide;
    uint8_t info = at[wide ? 4 : 12];
    return (struct symbol){ .value = field(reader, at, 4, 8), .size = field(reader, at, 8, 16), .name = (uint32_t)number(reader, at, 4), .type = info & 15u,
                            .binding = info >> 4, .section = (uint32_t)number(reader, at + (wide ? 6 : 14), 2) };
}

static void add_mark(struct tk_symbol_reader *reader, uint64_t address) {
    struct tk_elf *elf = &reader->of.elf;
    if (elf->mark_count == 2 * TK_SYMBOLS_MAX || !tk_alloc_grow(reader->alloc, (void **)&elf->marks, &elf->mark_capacity, elf->mark_count + 1, sizeof *elf->marks)) return;
    elf->marks[elf->mark_count++] = (struct tk_elf_mark){ address, elf->unit };
}

static void add_symbol(struct tk_symbol_reader *reader, const struct symbol *symbol, bool is_function) {
    const struct tk_elf *elf = &reader->of.elf;
    struct tk_symbol_file *file = reader->file;
    uint64_t start = symbol->value, size = symbol->size;
    struct tk_symbol_entry entry = { .start = start, .name = symbol->name, .unit = symbol->binding == LOCAL ? elf->unit : 0 };
    entry.rank = symbol->binding == LOCAL ? TK_RANK_LOCAL : symbol->binding == WEAK ? TK_RANK_WEAK : TK_RANK_GLOBAL;
    if (!size && is_function && symbol->section < elf->section_count) {
        const struct tk_elf_section *section = &elf->sections[symbol->section];
        if (start - section->address < section->size) size = section->address + section->size - start;
        entry.flags = TK_ENTRY_UNSIZED;
    }
    entry.size = size < UINT32_MAX ? (uint32_t)size : UINT32_MAX;
    if (size) tk_symbol_table_add(file, is_function ? &file->functions : &file->variables, reader->alloc, &entry);
}

static void note_vectors(struct tk_symbol_reader *reader, const struct symbol *symbol, const char *name) {
    static const char *const names[] = { "__isr_vector", "g_pfnVectors", "__Vectors", "__vector_table", "vector_table", "vectors" };
    const struct tk_elf *elf = &reader->of.elf;
    size_t which;
    if (symbol->section >= elf->section_count || !is_named(name, names, 6, &which)) return;
    const struct tk_elf_section *section = &elf->sections[symbol->section];
    uint64_t rest = symbol->value - section->address < section->size ? section->address + section->size - symbol->value : 0;
    set_vectors(reader, VECTORS_BY_SYMBOL + (uint32_t)which, symbol->value, symbol->size && symbol->size < rest ? symbol->size : rest);
}

static bool is_mapping(const char *name) { return name[0] == '$' && name[1] && strchr("tadx", name[1]); }

static void take_symbol(struct tk_symbol_reader *reader, const struct symbol *symbol) {
    uint32_t len;
    const char *name = tk_symbol_file_name(reader->file, symbol->name, &len);
    bool is_function = symbol->type == SYMBOL_FUNCTION || symbol->type == SYMBOL_IFUNC;
    if (symbol->type == SYMBOL_FILE) {
        reader->of.elf.unit = tk_symbol_file_add_unit(reader->file, reader->alloc, name, len);
        return;
    }
    if (!symbol->section || !len) return;
    if (is_mapping(name)) {
        add_mark(reader, symbol->value);
        return;
    }
    note_vectors(reader, symbol, name);
    if (is_function || symbol->type == SYMBOL_OBJECT) add_symbol(reader, symbol, is_function);
}

static bool mark_less(const void *ctx, const void *a, const void *b) {
    (void)ctx;
    const struct tk_elf_mark *x = a, *y = b;
    return x->address != y->address ? x->address < y->address : x->unit < y->unit;
}

static uint32_t unit_of(const struct tk_elf *elf, uint64_t address) {
    uint32_t low = 0, high = elf->mark_count;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (elf->marks[middle].address <= address) low = middle;
        else high = middle;
    }
    return low < elf->mark_count && elf->marks[low].address <= address ? elf->marks[low].unit : 0;
}

// Global symbols name no source file, but where code and data begin is told by local ones, which do.
static void find_units(struct tk_symbol_reader *reader) {
    struct tk_elf *elf = &reader->of.elf;
    struct tk_symbol_table *const tables[] = { &reader->file->functions, &reader->file->variables };
    tk_sort(elf->marks, elf->mark_count, sizeof *elf->marks, mark_less, NULL);
    for (size_t i = 0; i < 2; i++)
        for (uint32_t j = 0; j < tables[i]->count; j++)
            if (tables[i]->entries[j].rank != TK_RANK_LOCAL) tables[i]->entries[j].unit = unit_of(elf, tables[i]->entries[j].start);
}

static void take_symbols(struct tk_symbol_reader *reader, const uint8_t *bytes, size_t len);

static void next_symbols(struct tk_symbol_reader *reader) {
    struct tk_elf *elf = &reader->of.elf;
    size_t entry = elf->wide ? 24 : 16;
    uint64_t len = elf->rest < TK_SYMBOLS_RANGE_LEN / 48 * 48 ? elf->rest / entry * entry : TK_SYMBOLS_RANGE_LEN / 48 * 48;
    if (len) {
        tk_symbol_want(reader, elf->rest_at, len, take_symbols);
        return;
    }
    find_units(reader);
    read_bytes(reader);
}

static void take_symbols(struct tk_symbol_reader *reader, const uint8_t *bytes, size_t len) {
    struct tk_elf *elf = &reader->of.elf;
    size_t entry = elf->wide ? 24 : 16;
    for (size_t at = 0; at + entry <= len; at += entry) {
        struct symbol symbol = symbol_at(reader, bytes + at);
        take_symbol(reader, &symbol);
    }
    elf->rest_at += len;
    elf->rest = len < entry ? 0 : elf->rest - len;
    next_symbols(reader);
}

static void take_names(struct tk_symbol_reader *reader, const uint8_t *bytes, size_t len) {
    struct tk_symbol_file *file = reader->file;
    (void)bytes;
    if (len) file->names = (char *)tk_symbol_take(reader, len, &file->names_capacity);
    if (file->names) file->names_len = (uint32_t)len + 1;
    next_symbols(reader);
}

static void read_symbols(struct tk_symbol_reader *reader) {
    struct tk_elf *elf = &reader->of.elf;
    for (uint32_t i = 1; i < elf->section_count; i++) {
        const struct tk_elf_section *section = &elf->sections[i];
        if (section->type != TYPE_SYMTAB || section->link >= elf->section_count) continue;
        const struct tk_elf_section *names = &elf->sections[section->link];
        elf->rest_at = section->offset;
        elf->rest = section->size;
        if (names->size > TK_SYMBOL_NAMES_MAX) reader->file->facts.limited = true;
        tk_symbol_want(reader, names->offset, names->size < TK_SYMBOL_NAMES_MAX ? names->size : TK_SYMBOL_NAMES_MAX, take_names);
        return;
    }
    read_bytes(reader);
}

// ---- Bytes that are never written -------------------------------------------------------------------

static void take_bytes(struct tk_symbol_reader *reader, const uint8_t *bytes, size_t len) {
    struct tk_elf *elf = &reader->of.elf;
    struct tk_symbol_file *file = reader->file;
    (void)bytes;
    if (len) {
        struct tk_symbol_section *section = &file->sections[file->section_count++];
        section->address = elf->sections[elf->next % elf->section_count].address;
        section->bytes = tk_symbol_take(reader, len, &section->capacity);
        section->len = section->bytes ? (uint32_t)len : 0;
    }
    elf->next++;
    read_bytes(reader);
}

static bool is_constant(const struct tk_elf_section *section, bool executable) {
    return section->type == TYPE_PROGBITS && section->flags & FLAG_ALLOC && !(section->flags & (FLAG_WRITE | FLAG_COMPRESSED)) && section->size &&
           !(section->flags & FLAG_EXECUTE) == !executable;
}

// Sections of constants first, then code, in which many linker scripts put constants too.
static void read_bytes(struct tk_symbol_reader *reader) {
    struct tk_elf *elf = &reader->of.elf;
    uint64_t sum = 0;
    for (uint32_t i = 0; i < reader->file->section_count; i++) sum += reader->file->sections[i].len;
    for (; elf->next < 2 * elf->section_count; elf->next++) {
        const struct tk_elf_section *section = &elf->sections[elf->next % elf->section_count];
        bool executable = elf->next >= elf->section_count;
        if (!is_constant(section, executable)) continue;
        if (section->size <= TK_SYMBOL_BYTES_MAX - sum && reader->file->section_count < TK_SYMBOL_SECTIONS_MAX) {
            tk_symbol_want(reader, section->offset, section->size, take_bytes);
            return;
        }
        if (!executable) reader->file->facts.limited = true;
    }
    read_lines(reader);
}

// ---- Lines ------------------------------------------------------------------------------------------

static void hold_texts(struct tk_symbol_reader *reader, struct tk_dwarf_texts *texts, size_t len) {
    if (!len) return;
    texts->bytes = tk_symbol_take(reader, len, &texts->capacity);
    texts->len = texts->bytes ? (uint32_t)len : 0;
}

static void want_texts(struct tk_symbol_reader *reader, uint32_t index, tk_symbol_step step) {
    const struct tk_elf_section *section = &reader->of.elf.sections[index];
    uint64_t len = !index ? 0 : section->size < TEXTS_MAX ? section->size : TEXTS_MAX;
    tk_symbol_want(reader, section->offset, len, step);
}

static void take_str(struct tk_symbol_reader *reader, const uint8_t *bytes, size_t len) {
    struct tk_dwarf_lines *lines = &reader->of.elf.lines;
    (void)bytes;
    hold_texts(reader, &lines->str, len);
    lines->has_str = true;
    next_units(reader);
}

// A unit that is longer than a range; of one that is not there as a whole even so, the file is cut.
static void want_unit(struct tk_symbol_reader *reader, uint64_t len) {
    struct tk_elf *elf = &reader->of.elf;
    if (len > UNIT_MAX) reader->file->facts.limited = true;
    if (len > UNIT_MAX || len > elf->rest || elf->whole_unit) return;
    elf->whole_unit = true;
    tk_symbol_want(reader, elf->rest_at, len, take_units);
}

// Reads the units that are there as a whole; what follows is asked for next.
static void take_units(struct tk_symbol_reader *reader, const uint8_t *bytes, size_t len) {
    struct tk_elf *elf = &reader->of.elf;
    size_t at = 0;
    uint64_t unit = 0;
    while (len > at && (unit = tk_dwarf_unit_len(bytes + at, len - at, reader->file->big_endian)) && unit <= len - at) {
        tk_dwarf_read_unit(&elf->lines, reader->file, reader->alloc, bytes + at, (size_t)unit);
        if (elf->lines.needs_str && !elf->lines.has_str) break;
        at += (size_t)unit;
    }
    elf->rest_at += at;
    elf->rest -= at < elf->rest ? at : elf->rest;
    if (elf->lines.needs_str && !elf->lines.has_str) want_texts(reader, elf->str, take_str);
    else if (at) next_units(reader);
    else if (unit > len) want_unit(reader, unit);
}

static void next_units(struct tk_symbol_reader *reader) {
    struct tk_elf *elf = &reader->of.elf;
    elf->whole_unit = false;
    if (elf->rest) tk_symbol_want(reader, elf->rest_at, elf->rest < TK_SYMBOLS_RANGE_LEN ? elf->rest : TK_SYMBOLS_RANGE_LEN, take_units);
}

static void take_line_str(struct tk_symbol_reader *reader, const uint8_t *bytes, size_t len) {
    struct tk_elf *elf = &reader->of.elf;
    (void)bytes;
    hold_texts(reader, &elf->lines.line_str, len);
    elf->rest_at = elf->sections[elf->line].offset;
    elf->rest = elf->sections[elf->line].size;
    next_units(reader);
}

static void read_lines(struct tk_symbol_reader *reader) {
    struct tk_elf *elf = &reader->of.elf;
    elf->lines.has_str = !elf->str;
    if (elf->line) want_texts(reader, elf->line_str, take_line_str);
}

void tk_elf_end(struct tk_symbol_reader *reader) {
    struct tk_elf *elf = &reader->of.elf;
    tk_alloc_free(reader->alloc, elf->sections, elf->section_capacity * sizeof *elf->sections);
    tk_alloc_free(reader->alloc, elf->marks, elf->mark_capacity * sizeof *elf->marks);
    tk_dwarf_lines_deinit(&elf->lines, reader->alloc);
}
