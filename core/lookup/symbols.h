// SPDX-License-Identifier: MIT
//
// Functions, variables, source lines and constant bytes by address, from files of the target's program. symbol_reader.h
// reads the files before the first byte of a recording; look-ups allocate nothing and cannot fail for lack of memory.
//
// Addresses are those of the target. Bit 0 of the address of a Thumb function may be set or clear in arguments; it is
// clear in results. Texts are not terminated, are valid UTF-8 only if the file's are, and live as long as the file. A
// decoder looks up each address once and stores the result, because the report contains the number of look-ups.
#ifndef TK_LOOKUP_SYMBOLS_H
#define TK_LOOKUP_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum tk_symbols_kind {
    TK_SYMBOLS_NONE,
    TK_SYMBOLS_ELF,
    TK_SYMBOLS_GNU_MAP,
    TK_SYMBOLS_LLD_MAP,
    TK_SYMBOLS_IAR_MAP,
    TK_SYMBOLS_ARM_MAP
};

// Returns the kind of a file by its first bytes (4 KiB suffice for most files; more bytes improve the result).
enum tk_symbols_kind tk_symbols_probe(const uint8_t *head, size_t len);
// Returns a static text for users: "ELF", "map of GNU ld" and so on.
const char *tk_symbols_kind_name(enum tk_symbols_kind kind);

// What a format needs: texts and bytes by address; also names of functions and variables; also source lines.
enum tk_symbols_need { TK_SYMBOLS_FOR_TEXTS, TK_SYMBOLS_FOR_NAMES, TK_SYMBOLS_FOR_LINES };

struct tk_symbol_file;

// All symbol files of a recording. Zero-initialised: none.
struct tk_symbols {
    struct tk_symbol_file *first; // the most reliable file first
};

struct tk_symbol {
    uint64_t start, end; // address range of the function or variable; `end` is exclusive
    uint64_t offset;     // distance of the requested address from the start of its piece
    const char *name;    // spelling of the file (mangled in an ELF); "": only the object is known
    const char *object;  // name of the object file without directory and extension; "": unknown
    const char *source;  // name of the source file without directory; "": unknown
    uint32_t name_len, object_len, source_len;
    bool in_piece; // the address is in a piece that the compiler moved elsewhere (NAME.cold, NAME.part.0)
    bool shared;   // the file lacks static functions that may lie between start and end
    const struct tk_symbol_file *file;   // the file that contains the symbol
    const struct tk_symbol_entry *entry; // equal for two results if and only if they are the same function or variable
};

struct tk_source_line {
    const char *file; // name without directory
    uint32_t file_len;
    uint32_t line; // from 1; 0: the compiler generated the instruction
};

// Finds the function that contains an address. Returns false if there is none.
bool tk_symbols_function(struct tk_symbols *symbols, uint64_t address, struct tk_symbol *out_symbol);
// Finds the variable that contains an address. Returns false if there is none.
bool tk_symbols_variable(struct tk_symbols *symbols, uint64_t address, struct tk_symbol *out_symbol);
// Finds a function without counting the look-up, for reports, which may be written several times. Returns its file;
// NULL if there is none.
struct tk_symbol_file *tk_symbols_peek(const struct tk_symbols *symbols, uint64_t address,
                                       struct tk_symbol *out_symbol);
// Finds the source line of the instruction at an address. Returns false if there is no debug information.
bool tk_symbols_line(struct tk_symbols *symbols, uint64_t address, struct tk_source_line *out_line);

// Writes the name to display for a function or variable, the shortest one that is unique in the file: without
// parameters, template arguments and suffixes of copies; else with the object before it ("comm.process"), with
// parameters if the file contains them, or with the address after it. Cuts the name to fit and terminates it. Returns
// its length.
enum { TK_SHOWN_NAME_LEN = 256 };
size_t tk_symbols_shown(const struct tk_symbol *symbol, char out_name[TK_SHOWN_NAME_LEN]);

// Returns the number of constant bytes from an address to the end of their section; 0 if unknown.
size_t tk_symbols_bytes(struct tk_symbols *symbols, uint64_t address, const uint8_t **out_bytes);
// Finds a constant string with a terminating zero, which *out_len excludes. Returns false if there is none.
bool tk_symbols_text(struct tk_symbols *symbols, uint64_t address, const char **out_text, size_t *out_len);

// Finds a function or variable by its name as spelled in the file. Returns false if there is none.
bool tk_symbols_named(struct tk_symbols *symbols, const char *name, struct tk_symbol *out_symbol);
// Finds the function in an entry of the exception vector table. Returns false if there is no table, or the function
// serves several vectors.
bool tk_symbols_vector(struct tk_symbols *symbols, uint32_t vector, struct tk_symbol *out_symbol);

// Comparison of the first records of a call trace with a file; the decoder counts each record once.
struct tk_symbol_checks {
    uint32_t points, points_found;          // trace points; those in a function of the file
    uint32_t calls_agree, calls_contradict; // see call_check.h
    uint32_t vectors_agree, vectors_contradict;
    uint32_t interrupts_agree; // number of `vectors_agree` that are no system exceptions
};

static inline uint32_t tk_symbol_checks_agree(const struct tk_symbol_checks *checks) {
    return checks->calls_agree + checks->vectors_agree;
}
static inline uint32_t tk_symbol_checks_contradict(const struct tk_symbol_checks *checks) {
    return checks->calls_contradict + checks->vectors_contradict;
}

// Returns the next file; file NULL: the first one; NULL after the last one. A decoder dismisses a file of other
// firmware, and marks one whose code contradicts the recording. Look-ups skip both.
struct tk_symbol_file *tk_symbols_next(const struct tk_symbols *symbols, struct tk_symbol_file *file);
bool tk_symbols_any_function(const struct tk_symbols *symbols); // returns true if a file that is not dismissed contains
                                                                // a function
bool tk_symbol_file_has_function(const struct tk_symbol_file *file, uint64_t address); // not counted as a look-up
void tk_symbol_file_dismiss(struct tk_symbol_file *file);
void tk_symbol_file_contradict(struct tk_symbol_file *file);
struct tk_symbol_checks *tk_symbol_file_checks(struct tk_symbol_file *file);
// Moves files that agree with recorded calls before the others.
void tk_symbols_put_proven_first(struct tk_symbols *symbols);

// Summary of a file for the report.
struct tk_symbol_file_summary {
    const char *name; // file name
    uint32_t input;   // index among the inputs of the handle
    enum tk_symbols_kind kind;
    enum tk_symbols_need read;            // the parts below that the format does not need are not read
    uint32_t functions, variables, lines; // number of entries in the file
    uint64_t bytes;                       // size of the sections that the target never writes
    uint64_t asked, found; // addresses looked up as functions while the file was not dismissed; those found in a
                           // function
    uint64_t lines_found, variables_found, texts_found;
    struct tk_symbol_checks checks;
    bool dismissed;
    bool contradicted; // dismissed because the recording contradicts its code
    bool limited;      // the file exceeds a limit; the rest was omitted
    bool compressed;   // its debug information is compressed with another method than zlib and was omitted
    bool cut;          // the file is incomplete
};
void tk_symbol_file_summary(const struct tk_symbol_file *file, struct tk_symbol_file_summary *out_summary);

#endif
