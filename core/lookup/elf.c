// SPDX-License-Identifier: MIT
//
// Reads ELF files, 32-bit and 64-bit, either byte order, in these steps: header, sections and their names, symbols and
// their names (elf_symbols.c), sections of constants and code, line tables (elf_lines.c). A step that has nothing to
// read, or that the format does not need, starts the next step.
#include <string.h>

#include "elf.h"

enum { HEADER_LEN = 64, MACHINE_ARM = 40, SECTION_NAMES_MAX = 8 * 1024 * 1024 };
enum { TYPE_PROGBITS = 1, TYPE_STRTAB = 3, FLAG_WRITE = 1, FLAG_ALLOC = 2, FLAG_EXECUTE = 4, FLAG_COMPRESSED = 0x800 };

// ---- Sections -------------------------------------------------------------------------------------

static struct tk_elf_section section_at(const struct tk_symbol_reader *reader, const uint8_t *at) {
    return (struct tk_elf_section){ .name = (uint32_t)tk_elf_number(reader, at, 4),
                                    .type = (uint32_t)tk_elf_number(reader, at + 4, 4),
                                    .flags = tk_elf_field(reader, at, 8, 8),
                                    .address = tk_elf_field(reader, at, 12, 16),
                                    .offset = tk_elf_field(reader, at, 16, 24),
                                    .size = tk_elf_field(reader, at, 20, 32),
                                    .link = (uint32_t)tk_elf_number(reader, at + (reader->of.elf.wide ? 40 : 24), 4),
                                    .entry_size = (uint32_t)tk_elf_field(reader, at, 36, 56) };
}

bool tk_elf_is_named(const char *name, const char *const *names, size_t count, size_t *out_index) {
    for (size_t i = 0; i < count; i++)
        if (!strcmp(name, names[i])) return *out_index = i, true;
    return false;
}

void tk_elf_set_vectors(struct tk_symbol_reader *reader, uint32_t by, uint64_t address, uint64_t len) {
    struct tk_elf *elf = &reader->of.elf;
    if (by >= elf->vectors_by || len < 8) return;
    elf->vectors_by = by;
    reader->file->vectors_sized = by < TK_VECTORS_BY_PLACE;
    reader->file->vectors = address;
    reader->file->vectors_end = address + len < address ? address : address + len;
}

static void note_section(struct tk_symbol_reader *reader, uint32_t index, const char *name) {
    static const char *const vectors[] = { ".isr_vector", ".intvec", ".vectors" }, *const lines[] = { ".debug_line" },
                             *const texts[] = { ".debug_line_str", ".debug_str" };
    struct tk_elf *elf = &reader->of.elf;
    const struct tk_elf_section *section = &elf->sections[index];
    size_t which;
    if (section->flags & FLAG_ALLOC && tk_elf_is_named(name, vectors, 3, &which))
        tk_elf_set_vectors(reader, TK_VECTORS_BY_SECTION + (uint32_t)which, section->address, section->size);
    if (reader->need < TK_SYMBOLS_FOR_LINES) return;
    bool is_zdebug = !strncmp(name, ".zdebug_", 8);
    char plain[16] = "."; // ".debug_line" for ".zdebug_line"
    if (is_zdebug && strlen(name) <= sizeof plain) name = strcpy(plain + 1, name + 2) - 1;
    if (!tk_elf_is_named(name, lines, 1, &which) && !tk_elf_is_named(name, texts, 2, &which)) return;
    elf->sections[index].packing = is_zdebug                          ? TK_ELF_ZDEBUG
                                   : section->flags & FLAG_COMPRESSED ? TK_ELF_COMPRESSED
                                                                      : TK_ELF_PLAIN;
    *(name[7] == 's' ? &elf->str : name[11] == '_' ? &elf->line_str : &elf->line) = index;
}

// If no symbol or section name identifies the vector table, assumes that it is at the start of the first section.
static void infer_vectors(struct tk_symbol_reader *reader) {
    const struct tk_elf *elf = &reader->of.elf;
    const struct tk_elf_section *first = NULL;
    for (uint32_t i = 1; i < elf->section_count; i++) {
        const struct tk_elf_section *section = &elf->sections[i];
        if (section->type == TYPE_PROGBITS && section->flags & FLAG_ALLOC && section->size &&
            (!first || section->address < first->address))
            first = section;
    }
    if (first) tk_elf_set_vectors(reader, TK_VECTORS_BY_PLACE, first->address, first->size);
}

static void take_section_names(struct tk_symbol_reader *reader, const uint8_t *bytes, size_t len) {
    struct tk_elf *elf = &reader->of.elf;
    for (uint32_t i = 1; i < elf->section_count && len; i++) {
        uint32_t name = elf->sections[i].name;
        if (name < len && memchr(bytes + name, 0, len - name)) note_section(reader, i, (const char *)bytes + name);
    }
    infer_vectors(reader);
    if (reader->need >= TK_SYMBOLS_FOR_NAMES) tk_elf_read_symbols(reader);
    else tk_elf_read_bytes(reader);
}

static void take_sections(struct tk_symbol_reader *reader, const uint8_t *bytes, size_t len) {
    struct tk_elf *elf = &reader->of.elf;
    uint32_t count = (uint32_t)(len / elf->section_size);
    if (!tk_alloc_grow(reader->alloc, (void **)&elf->sections, &elf->section_capacity, count + 1,
                       sizeof *elf->sections))
        return;
    elf->section_count = count;
    for (uint32_t i = 0; i < count; i++) elf->sections[i] = section_at(reader, bytes + (size_t)i * elf->section_size);
    const struct tk_elf_section *names = elf->names_index < count ? &elf->sections[elf->names_index] : NULL;
    bool usable = names && names->type == TYPE_STRTAB;
    tk_symbol_want(reader, usable ? names->offset : 0,
                   usable ? (names->size < SECTION_NAMES_MAX ? names->size : SECTION_NAMES_MAX) : 0,
                   take_section_names);
}

// Section counts that do not fit into the header are in the first section.
static void take_first_section(struct tk_symbol_reader *reader, const uint8_t *bytes, size_t len) {
    struct tk_elf *elf = &reader->of.elf;
    if (len < elf->section_size) return;
    struct tk_elf_section first = section_at(reader, bytes);
    uint64_t count = elf->section_count ? elf->section_count : first.size;
    if (elf->names_index == 0xFFFF) elf->names_index = first.link;
    if (count > TK_ELF_SECTIONS_MAX) {
        reader->file->summary.limited = true;
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
    elf->machine = (uint16_t)tk_elf_number(reader, bytes + 18, 2);
    reader->file->thumb = elf->machine == MACHINE_ARM;
    elf->sections_at = tk_elf_field(reader, bytes, 32, 40);
    const uint8_t *counts = bytes + (elf->wide ? 58 : 46);
    elf->section_size = (uint32_t)tk_elf_number(reader, counts, 2);
    elf->section_count = (uint32_t)tk_elf_number(reader, counts + 2, 2);
    elf->names_index = (uint32_t)tk_elf_number(reader, counts + 4, 2);
    elf->vectors_by = TK_VECTORS_UNKNOWN;
    if (elf->sections_at && elf->section_size >= (elf->wide ? 64u : 40u))
        tk_symbol_want(reader, elf->sections_at, elf->section_size, take_first_section);
}

void tk_elf_begin(struct tk_symbol_reader *reader) { tk_symbol_want(reader, 0, HEADER_LEN, take_header); }

// ---- Read-only sections ---------------------------------------------------------------------------

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
    tk_elf_read_bytes(reader);
}

static bool is_constant(const struct tk_elf_section *section, bool executable) {
    return section->type == TYPE_PROGBITS && section->flags & FLAG_ALLOC &&
           !(section->flags & (FLAG_WRITE | FLAG_COMPRESSED)) && section->size &&
           !(section->flags & FLAG_EXECUTE) == !executable;
}

// Reads sections of constants first, then code, where many linker scripts place constants too.
void tk_elf_read_bytes(struct tk_symbol_reader *reader) {
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
        if (!executable) reader->file->summary.limited = true;
    }
    if (reader->need >= TK_SYMBOLS_FOR_LINES) tk_elf_read_lines(reader);
}

void tk_elf_end(struct tk_symbol_reader *reader) {
    struct tk_elf *elf = &reader->of.elf;
    tk_alloc_free(reader->alloc, elf->sections, elf->section_capacity * sizeof *elf->sections);
    tk_alloc_free(reader->alloc, elf->unit_addresses, elf->unit_address_capacity * sizeof *elf->unit_addresses);
    tk_alloc_free(reader->alloc, elf->unpacked.bytes, elf->unpacked.capacity);
    tk_dwarf_lines_deinit(&elf->lines, reader->alloc);
}
