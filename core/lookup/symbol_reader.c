// SPDX-License-Identifier: MIT
#include "symbol_reader.h"

#include <string.h>

#include "symbol_input.h"

enum { STEPS_MAX = 200000 };

// Runs steps whose range is complete. An empty range needs no request: its step runs at once with no bytes.
static void run_steps(struct tk_symbol_reader *reader) {
    do {
        tk_symbol_step step = reader->step;
        size_t len = reader->buffered_len;
        reader->step = NULL;
        reader->buffered_len = 0;
        step(reader, reader->buffered, len);
    } while (reader->step && !reader->len && !reader->alloc->failed);
}

static void take_head(struct tk_symbol_reader *reader, const uint8_t *bytes, size_t len) {
    struct tk_symbol_file *file = reader->file;
    file->kind = file->summary.kind = tk_symbols_probe(bytes, len);
    if (file->kind == TK_SYMBOLS_ELF) tk_elf_begin(reader);
    else if (file->kind != TK_SYMBOLS_NONE && reader->need >= TK_SYMBOLS_FOR_NAMES) tk_map_begin(reader);
}

struct tk_symbol_reader *tk_symbol_reader_new(enum tk_symbols_need need, struct tk_alloc *alloc, const char *name,
                                              uint32_t input, uint64_t size) {
    struct tk_symbol_reader *reader = tk_alloc_zero(alloc, sizeof *reader);
    if (!reader) return NULL;
    reader->need = need;
    reader->alloc = alloc;
    reader->size = size;
    reader->file = tk_alloc_zero(alloc, sizeof *reader->file);
    if (!reader->file) return tk_alloc_free(alloc, reader, sizeof *reader), NULL;
    reader->file->summary.name = name;
    reader->file->summary.input = input;
    reader->file->summary.read = need;
    tk_symbol_want(reader, 0, size < TK_SYMBOLS_RANGE_LEN ? size : TK_SYMBOLS_RANGE_LEN, take_head);
    if (!size) run_steps(reader);
    return reader;
}

static void end(struct tk_symbol_reader *reader) {
    if (reader->file->kind == TK_SYMBOLS_ELF) tk_elf_end(reader);
    tk_alloc_free(reader->alloc, reader->buffered, reader->buffered_capacity);
    tk_alloc_free(reader->alloc, reader, sizeof *reader);
}

void tk_symbol_reader_finish(struct tk_symbol_reader *reader, struct tk_symbols *symbols) {
    struct tk_symbol_file *file = reader->file, **place = &symbols->first;
    struct tk_alloc *alloc = reader->alloc;
    if (reader->step) file->summary.cut = true;
    end(reader);
    for (uint32_t i = 0; i < file->section_count; i++) file->summary.bytes += file->sections[i].len;
    if (file->summary.read >= TK_SYMBOLS_FOR_NAMES) tk_symbol_file_complete(file, alloc);
    while (*place && ((*place)->kind == TK_SYMBOLS_ELF || file->kind != TK_SYMBOLS_ELF)) place = &(*place)->next;
    file->next = *place;
    *place = file;
}

// ---- Ranges ---------------------------------------------------------------------------------------

void tk_symbol_want(struct tk_symbol_reader *reader, uint64_t at, uint64_t len, tk_symbol_step step) {
    if (at > reader->size || len > reader->size - at) {
        reader->file->summary.cut = true;
        len = at > reader->size ? 0 : reader->size - at;
    }
    if (++reader->steps > STEPS_MAX) return;
    reader->at = at;
    reader->len = (size_t)len;
    reader->step = step;
}

bool tk_symbol_reader_wanted(const struct tk_symbol_reader *reader, uint64_t *out_offset, size_t *out_len) {
    if (!reader || !reader->step || reader->alloc->failed) return false;
    size_t rest = reader->len - reader->buffered_len;
    *out_offset = reader->at + reader->buffered_len;
    *out_len = rest < TK_SYMBOLS_RANGE_LEN ? rest : TK_SYMBOLS_RANGE_LEN;
    return true;
}

void tk_symbol_reader_feed(struct tk_symbol_reader *reader, const uint8_t *bytes, size_t len) {
    uint64_t offset;
    size_t wanted;
    if (!tk_symbol_reader_wanted(reader, &offset, &wanted)) return;
    if (len > wanted) len = wanted;
    if (!tk_alloc_grow(reader->alloc, (void **)&reader->buffered, &reader->buffered_capacity,
                       reader->buffered_len + (uint32_t)len + 1, 1))
        return;
    if (len) memcpy(reader->buffered + reader->buffered_len, bytes, len);
    reader->buffered_len += (uint32_t)len;
    if (len < wanted) reader->file->summary.cut = true;
    if (len < wanted || reader->buffered_len == reader->len) run_steps(reader);
}

uint8_t *tk_symbol_take(struct tk_symbol_reader *reader, size_t len, uint32_t *out_capacity) {
    uint8_t *bytes = reader->buffered;
    *out_capacity = reader->buffered_capacity;
    if (len < reader->buffered_capacity / 2) { // the buffer has grown for an earlier, larger range
        *out_capacity = (uint32_t)len + 1;
        bytes = tk_alloc_zero(reader->alloc, *out_capacity);
        return bytes ? memcpy(bytes, reader->buffered, len) : NULL;
    }
    bytes[len] = 0;
    reader->buffered = NULL;
    reader->buffered_capacity = 0;
    return bytes;
}
