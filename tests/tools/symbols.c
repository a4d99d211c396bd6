// SPDX-License-Identifier: MIT
//
// symbols FILE... : looks up addresses in symbol files; the addresses are hex digits in lines of standard input. A line
// per address: name, shown name, object, offset, file:line, variable, text, separated by tabs. After them `summary` of
// each file and the functions of exceptions.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "lookup/symbol_reader.h"

static void *resize(void *ctx, void *ptr, size_t old_size, size_t new_size) {
    (void)ctx, (void)old_size;
    if (new_size) return realloc(ptr, new_size);
    free(ptr);
    return NULL;
}

static void read_file(struct tk_alloc *alloc, struct tk_symbols *symbols, const char *path) {
    static uint8_t bytes[TK_SYMBOLS_RANGE_LEN];
    FILE *file = fopen(path, "rb");
    uint64_t offset;
    size_t len;
    if (!file) perror(path), exit(1);
    fseek(file, 0, SEEK_END);
    struct tk_symbol_reader *reader = tk_symbol_reader_new(TK_SYMBOLS_FOR_LINES, alloc, path, 0, (uint64_t)ftell(file));
    while (tk_symbol_reader_wanted(reader, &offset, &len)) {
        fseek(file, (long)offset, SEEK_SET);
        tk_symbol_reader_feed(reader, bytes, fread(bytes, 1, len, file));
    }
    fclose(file);
    tk_symbol_reader_finish(reader, symbols);
}

static void print_address(struct tk_symbols *symbols, uint64_t address) {
    struct tk_symbol symbol = { .name = "", .object = "" }, variable = { .name = "" };
    struct tk_source_line line = { .file = "" };
    const char *text = "";
    size_t text_len = 0;
    char shown[TK_SHOWN_NAME_LEN] = "";
    if (tk_symbols_function(symbols, address, &symbol)) tk_symbols_shown(&symbol, shown);
    tk_symbols_line(symbols, address, &line);
    tk_symbols_variable(symbols, address, &variable);
    if (symbol.name_len || !tk_symbols_text(symbols, address, &text, &text_len)) text_len = 0;
    printf("%.*s\t%s\t%.*s\t%" PRIu64 "\t%.*s:%u\t%.*s\t%.*s\n", (int)symbol.name_len, symbol.name, shown,
           (int)symbol.object_len, symbol.object, symbol.offset, (int)line.file_len, line.file, line.line,
           (int)variable.name_len, variable.name, (int)text_len, text);
}

static void print_vectors(struct tk_symbols *symbols) {
    struct tk_symbol symbol;
    printf("vectors");
    for (uint32_t vector = 0; vector < 512; vector++)
        if (tk_symbols_vector(symbols, vector, &symbol)) printf("\t%u %.*s", vector, (int)symbol.name_len, symbol.name);
    printf("\n");
}

static void print_summary(const struct tk_symbols *symbols, const struct tk_alloc *alloc) {
    struct tk_symbol_file_summary summary;
    for (struct tk_symbol_file *file = NULL; (file = tk_symbols_next(symbols, file));) {
        tk_symbol_file_summary(file, &summary);
        printf("facts\t%s\t%u functions, %u variables, %u lines, %" PRIu64 " bytes\t%" PRIu64 " of %" PRIu64
               "%s%s%s\t%zu bytes of memory\n",
               tk_symbols_kind_name(summary.kind), summary.functions, summary.variables, summary.lines, summary.bytes,
               summary.found, summary.asked, summary.limited ? ", limited" : "",
               summary.compressed ? ", compressed" : "", summary.cut ? ", cut" : "", alloc->in_use);
    }
}

int main(int argc, char **argv) {
    struct tk_alloc alloc = { .realloc = resize };
    struct tk_symbols symbols = { 0 };
    uint64_t address;
    for (int i = 1; i < argc; i++) read_file(&alloc, &symbols, argv[i]);
    while (scanf("%" SCNx64, &address) == 1) print_address(&symbols, address);
    print_summary(&symbols, &alloc);
    print_vectors(&symbols);
    tk_alloc_free_all(&alloc);
    return alloc.in_use != 0;
}
