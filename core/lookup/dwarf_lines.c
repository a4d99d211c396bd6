// SPDX-License-Identifier: MIT
#include "dwarf_lines.h"

#include <string.h>

#include "byte_order.h"

struct cursor {
    const uint8_t *at, *end;
    bool big_endian, failed;
};

static uint64_t take(struct cursor *in, size_t len) {
    if ((size_t)(in->end - in->at) < len) {
        in->failed = true;
        in->at = in->end;
        return 0;
    }
    in->at += len;
    return tk_read_ordered(in->at - len, len < 8 ? len : 8, in->big_endian);
}

static void skip(struct cursor *in, uint64_t len) {
    if (len > (uint64_t)(in->end - in->at)) in->failed = true;
    in->at = in->failed ? in->end : in->at + len;
}

static uint64_t take_unsigned(struct cursor *in) {
    uint64_t value = 0;
    for (unsigned shift = 0;; shift += 7) {
        uint64_t byte = take(in, 1);
        if (shift < 64) value |= (byte & 0x7F) << shift;
        if (byte < 0x80) return value;
    }
}

static int64_t take_signed(struct cursor *in) {
    uint64_t value = 0, byte;
    unsigned shift = 0;
    do {
        byte = take(in, 1);
        if (shift < 64) value |= (byte & 0x7F) << shift;
        shift += 7;
    } while (byte >= 0x80);
    if (shift < 64 && byte & 0x40) value |= ~(uint64_t)0 << shift;
    return (int64_t)value;
}

// Takes a string with a terminating zero; returns NULL if there is no zero.
static const char *take_text(struct cursor *in, size_t *out_len) {
    const uint8_t *text = in->at, *end = memchr(in->at, 0, (size_t)(in->end - in->at));
    if (!end) {
        in->failed = true;
        in->at = in->end;
        return NULL;
    }
    in->at = end + 1;
    *out_len = (size_t)(end - text);
    return (const char *)text;
}

uint64_t tk_dwarf_unit_len(const uint8_t *bytes, size_t len, bool big_endian) {
    struct cursor in = { bytes, bytes + len, big_endian, false };
    uint64_t unit = take(&in, 4);
    if (unit == 0xFFFFFFFF) {
        unit = take(&in, 8);
        return in.failed || unit > UINT64_MAX - 12 ? 0 : unit + 12;
    }
    return in.failed || unit >= 0xFFFFFFF0 ? 0 : unit + 4;
}

// ---- Header of a unit -----------------------------------------------------------------------------

struct unit {
    struct tk_dwarf_lines *lines;
    struct tk_symbol_file *file;
    struct tk_alloc *alloc;
    struct cursor in;
    bool wide; // 64-bit DWARF
    unsigned version;
    uint64_t least; // minimum instruction length in bytes
    int line_base;
    unsigned line_range, opcode_base;
    uint8_t operands[256]; // operand counts of the standard opcodes
    const uint8_t *program;
};

static void add_source(struct unit *unit, const char *path, size_t len) {
    struct tk_dwarf_lines *lines = unit->lines;
    if (!tk_alloc_grow(unit->alloc, (void **)&lines->units, &lines->unit_capacity, lines->unit_count + 1,
                       sizeof *lines->units))
        return;
    lines->units[lines->unit_count++] = path ? tk_symbol_file_add_unit(unit->file, unit->alloc, path, len) : 0;
}

// Returns a string of a string section; NULL if it does not end within TK_SYMBOL_NAME_MAX bytes.
static const char *text_at(const struct tk_dwarf_texts *texts, uint64_t at, size_t *out_len) {
    if (at >= texts->len) return NULL;
    size_t left = texts->len - (size_t)at, most = left < TK_SYMBOL_NAME_MAX ? left : TK_SYMBOL_NAME_MAX;
    const uint8_t *text = texts->bytes + at, *end = memchr(text, 0, most);
    *out_len = end ? (size_t)(end - text) : 0;
    return end ? (const char *)text : NULL;
}

enum {
    FORM_DATA2 = 0x05,
    FORM_DATA4 = 0x06,
    FORM_DATA8 = 0x07,
    FORM_STRING = 0x08,
    FORM_BLOCK = 0x09,
    FORM_DATA1 = 0x0B,
    FORM_STRP = 0x0E,
    FORM_UDATA = 0x0F,
    FORM_DATA16 = 0x1E,
    FORM_LINE_STRP = 0x1F
};

// Takes a value of a version 5 table; returns NULL if it is not a string or its section is not loaded.
static const char *take_form(struct unit *unit, uint64_t form, size_t *out_len) {
    struct cursor *in = &unit->in;
    switch (form) {
    case FORM_STRING: return take_text(in, out_len);
    case FORM_LINE_STRP: return text_at(&unit->lines->line_str, take(in, unit->wide ? 8 : 4), out_len);
    case FORM_STRP:
        if (!unit->lines->has_str) unit->lines->needs_str = true;
        return text_at(&unit->lines->str, take(in, unit->wide ? 8 : 4), out_len);
    case FORM_UDATA: take_unsigned(in); break;
    case FORM_BLOCK: skip(in, take_unsigned(in)); break;
    case FORM_DATA1: skip(in, 1); break;
    case FORM_DATA2: skip(in, 2); break;
    case FORM_DATA4: skip(in, 4); break;
    case FORM_DATA8: skip(in, 8); break;
    case FORM_DATA16: skip(in, 16); break;
    default: in->failed = true;
    }
    return NULL;
}

// Reads the directory or file table of version 5: the formats of the entries, then the entries.
static void read_table(struct unit *unit, bool are_files) {
    enum { CONTENT_PATH = 1 };
    struct {
        uint64_t content, form;
    } fields[32];
    struct cursor *in = &unit->in;
    uint64_t field_count = take(in, 1);
    if (field_count > 32) in->failed = true;
    for (uint64_t i = 0; i < field_count && !in->failed; i++) {
        fields[i].content = take_unsigned(in);
        fields[i].form = take_unsigned(in);
    }
    uint64_t count = take_unsigned(in);
    if (!field_count) count = 0; // entries without fields are ignored
    for (uint64_t entry = 0; entry < count && !in->failed && !unit->alloc->failed; entry++) {
        const char *path = NULL;
        size_t path_len = 0, len = 0;
        for (uint64_t i = 0; i < field_count; i++) {
            const char *text = take_form(unit, fields[i].form, &len);
            if (fields[i].content != CONTENT_PATH || !text) continue;
            path = text;
            path_len = len;
        }
        if (are_files && !in->failed) add_source(unit, path, path_len);
    }
}

static void read_source(struct unit *unit) {
    size_t len;
    const char *path = take_text(&unit->in, &len);
    if (!path || !len) return;
    take_unsigned(&unit->in); // directory index
    take_unsigned(&unit->in); // modification time
    take_unsigned(&unit->in); // file size
    add_source(unit, path, len);
}

// Reads the directory and file lists of versions 2 to 4, which end with an empty string. Files are numbered from 1.
static void read_lists(struct unit *unit) {
    struct cursor *in = &unit->in;
    size_t len = 1;
    add_source(unit, NULL, 0);
    while (len && take_text(in, &len)) {}
    while (!in->failed && in->at < in->end && *in->at && !unit->alloc->failed) read_source(unit);
}

static bool read_header(struct unit *unit) {
    struct cursor *in = &unit->in;
    unit->wide = take(in, 4) == 0xFFFFFFFF;
    if (unit->wide) skip(in, 8);
    unit->version = (unsigned)take(in, 2);
    if (unit->version < 2 || unit->version > 5) return false;
    if (unit->version >= 5) skip(in, 2); // address size and segment selector size
    uint64_t header_len = take(in, unit->wide ? 8 : 4);
    if (header_len > (uint64_t)(in->end - in->at)) return false;
    unit->program = in->at + header_len;
    unit->least = take(in, 1);
    if (unit->version >= 4) skip(in, 1); // maximum operations per instruction
    skip(in, 1);                         // default_is_stmt
    unit->line_base = (int)(int8_t)take(in, 1);
    unit->line_range = (unsigned)take(in, 1);
    unit->opcode_base = (unsigned)take(in, 1);
    for (unsigned i = 1; i < unit->opcode_base; i++) unit->operands[i] = (uint8_t)take(in, 1);
    unit->lines->unit_count = 0;
    if (unit->version < 5) read_lists(unit);
    else read_table(unit, false), read_table(unit, true);
    return unit->line_range && !in->failed && !unit->alloc->failed;
}

// ---- Program of a unit ----------------------------------------------------------------------------

struct machine {
    uint64_t address, source;
    int64_t line;
    uint32_t first; // index of the first row of the sequence
};

static void add_row(struct unit *unit, struct tk_symbol_row row) {
    struct tk_symbol_file *file = unit->file;
    if (file->row_count == TK_SYMBOL_LINES_MAX) {
        file->summary.limited = true;
        return;
    }
    if (tk_alloc_grow(unit->alloc, (void **)&file->rows, &file->row_capacity, file->row_count + 1, sizeof *file->rows))
        file->rows[file->row_count++] = row;
}

static void emit(struct unit *unit, struct machine *machine) {
    struct tk_symbol_file *file = unit->file;
    uint32_t source = machine->source < unit->lines->unit_count ? unit->lines->units[machine->source] : 0;
    struct tk_symbol_row row = { machine->address, source, machine->line < 0 ? 0 : (uint32_t)machine->line };
    struct tk_symbol_row *last = file->row_count > machine->first ? &file->rows[file->row_count - 1] : NULL;
    if (last && last->address == row.address) *last = row;
    else if (!last || last->unit != row.unit || last->line != row.line) add_row(unit, row);
}

// Drops sequences of functions that the linker removed: they start at 0 or at the largest address.
static void end_sequence(struct unit *unit, struct machine *machine) {
    struct tk_symbol_file *file = unit->file;
    uint64_t begin = file->row_count > machine->first ? file->rows[machine->first].address : 0;
    if (begin == 0 || begin == UINT32_MAX || begin == UINT64_MAX) file->row_count = machine->first;
    else add_row(unit, (struct tk_symbol_row){ machine->address, TK_ROW_END, 0 });
    *machine = (struct machine){ .source = 1, .line = 1, .first = file->row_count };
}

static void run_extended(struct unit *unit, struct machine *machine) {
    enum { END_SEQUENCE = 1, SET_ADDRESS = 2, DEFINE_FILE = 3 };
    struct cursor *in = &unit->in;
    uint64_t len = take_unsigned(in);
    if (!len || len > (uint64_t)(in->end - in->at)) {
        in->failed = true;
        return;
    }
    const uint8_t *next_unit = in->at + len;
    uint64_t opcode = take(in, 1);
    if (opcode == END_SEQUENCE) end_sequence(unit, machine);
    else if (opcode == SET_ADDRESS && len <= 9) machine->address = take(in, (size_t)len - 1);
    else if (opcode == DEFINE_FILE) read_source(unit);
    in->at = next_unit;
}

static void run_standard(struct unit *unit, struct machine *machine, unsigned opcode) {
    enum { COPY = 1, ADVANCE_PC, ADVANCE_LINE, SET_FILE, CONST_ADD_PC = 8, FIXED_ADVANCE_PC = 9 };
    struct cursor *in = &unit->in;
    switch (opcode) {
    case COPY: emit(unit, machine); break;
    case ADVANCE_PC: machine->address += take_unsigned(in) * unit->least; break;
    case ADVANCE_LINE: machine->line = (int64_t)((uint64_t)machine->line + (uint64_t)take_signed(in)); break;
    case SET_FILE: machine->source = take_unsigned(in); break;
    case CONST_ADD_PC: machine->address += (255 - unit->opcode_base) / unit->line_range * unit->least; break;
    case FIXED_ADVANCE_PC: machine->address += take(in, 2); break;
    default:
        for (unsigned i = 0; i < unit->operands[opcode]; i++) take_unsigned(in);
    }
}

static void run_special(struct unit *unit, struct machine *machine, unsigned opcode) {
    unsigned step = opcode - unit->opcode_base;
    machine->address += step / unit->line_range * unit->least;
    machine->line =
        (int64_t)((uint64_t)machine->line + (uint64_t)(int64_t)(unit->line_base + (int)(step % unit->line_range)));
    emit(unit, machine);
}

static void run(struct unit *unit) {
    struct machine machine = { .source = 1, .line = 1, .first = unit->file->row_count };
    struct cursor *in = &unit->in;
    in->at = unit->program;
    while (in->at < in->end && !in->failed && !unit->alloc->failed) {
        unsigned opcode = *in->at++;
        if (opcode >= unit->opcode_base) run_special(unit, &machine, opcode);
        else if (opcode) run_standard(unit, &machine, opcode);
        else run_extended(unit, &machine);
    }
    unit->file->row_count = machine.first; // drop the rows of a sequence without an end
}

void tk_dwarf_read_unit(struct tk_dwarf_lines *lines, struct tk_symbol_file *file, struct tk_alloc *alloc,
                        const uint8_t *bytes, size_t len) {
    struct unit unit = {
        .lines = lines, .file = file, .alloc = alloc, .in = { bytes, bytes + len, file->big_endian, false }
    };
    if (read_header(&unit) && (!lines->needs_str || lines->has_str)) run(&unit);
}

void tk_dwarf_lines_deinit(struct tk_dwarf_lines *lines, struct tk_alloc *alloc) {
    tk_alloc_free(alloc, lines->line_str.bytes, lines->line_str.capacity);
    tk_alloc_free(alloc, lines->str.bytes, lines->str.capacity);
    tk_alloc_free(alloc, lines->units, lines->unit_capacity * sizeof *lines->units);
}
