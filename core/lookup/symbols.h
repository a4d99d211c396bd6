// SPDX-License-Identifier: MIT
//
// What files about the target's program know about its addresses: functions, variables, source lines, and bytes that
// never change. Files are read by symbol_reader.h before the first byte of a recording; from then on nothing is
// allocated and no lookup fails for memory.
//
// Addresses are the target's. Bit 0 of the address of a Thumb function may be set or clear in what is asked; in answers
// it is clear. Texts are not terminated, are valid UTF-8 only as far as the file is, and live as long as the file. A
// decoder asks once for each address that it meets and keeps the answer: questions are counted for the report.
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

// Which of them a file is, by its first bytes (the more the better; 4 KiB tell all but strange ones).
enum tk_symbols_kind tk_symbols_probe(const uint8_t *head, size_t len);
// For users: "ELF", "map of GNU ld" and so on; static.
const char *tk_symbols_kind_name(enum tk_symbols_kind kind);

// What a format asks of them: texts and bytes by their addresses; names of functions and variables, too; or source
// lines as well.
enum tk_symbols_need { TK_SYMBOLS_FOR_TEXTS, TK_SYMBOLS_FOR_NAMES, TK_SYMBOLS_FOR_LINES };

struct tk_symbol_file;

// All files that serve a recording. Zero-initialised: none.
struct tk_symbols {
    struct tk_symbol_file *first; // the one that is believed most
};

struct tk_symbol {
    uint64_t start, end; // of the function or variable; end: the first address after it
    uint64_t offset;     // of the address that was asked for, from the start of the piece in which it lies
    const char *name;    // as the file spells it: mangled in an ELF; "": nothing is known but the object
    const char *object;  // module, the name of its object file without directory and ending; "": not known
    const char *source;  // file name that it was compiled from, without directory; "": not known
    uint32_t name_len, object_len, source_len;
    bool in_piece; // the address lies in a piece that the compiler put elsewhere (NAME.cold, NAME.part.0)
    bool shared;   // further functions, of which the file knows nothing, may lie between start and end
    const struct tk_symbol_file *file;   // whose it is
    const struct tk_symbol_entry *entry; // equal for two answers about the same function or variable, and only then
};

struct tk_source_line {
    const char *file; // without directory
    uint32_t file_len;
    uint32_t line; // from 1; 0: the compiler wrote this instruction itself
};

// The function that holds an address; false: none does.
bool tk_symbols_function(struct tk_symbols *symbols, uint64_t address, struct tk_symbol *out_symbol);
// The variable that holds an address.
bool tk_symbols_variable(struct tk_symbols *symbols, uint64_t address, struct tk_symbol *out_symbol);
// The same, without being counted: for a report, which may be asked for again. NULL: none does.
struct tk_symbol_file *tk_symbols_peek(const struct tk_symbols *symbols, uint64_t address,
                                       struct tk_symbol *out_symbol);
// The source line of the instruction at an address; false: no debug information.
bool tk_symbols_line(struct tk_symbols *symbols, uint64_t address, struct tk_source_line *out_line);

// Name to show, the shortest that no other function of the file bears: without parameters, template arguments and what
// compilers add to copies; else with the object in front ("comm.process"), with parameters where the file tells them,
// else with the address behind. Cut to fit, terminated; returns its length. Variables likewise.
enum { TK_SHOWN_NAME_LEN = 256 };
size_t tk_symbols_shown(const struct tk_symbol *symbol, char out_name[TK_SHOWN_NAME_LEN]);

// Bytes from an address on that the target never writes, up to the end of their section; 0: not known.
size_t tk_symbols_bytes(struct tk_symbols *symbols, uint64_t address, const uint8_t **out_bytes);
// The same as a text that ends with a zero byte, which is not counted; false: there is none.
bool tk_symbols_text(struct tk_symbols *symbols, uint64_t address, const char **out_text, size_t *out_len);

// A function or variable by the name that the file spells; false: none.
bool tk_symbols_named(struct tk_symbols *symbols, const char *name, struct tk_symbol *out_symbol);
// The function that an entry of the table of exception vectors names; false: no table, or the function serves several
// vectors.
bool tk_symbols_vector(struct tk_symbols *symbols, uint32_t vector, struct tk_symbol *out_symbol);

// How the records of a call trace compare with a file, counted by the decoder: of its first records, each once.
struct tk_symbol_checks {
    uint32_t points, points_found;          // trace points, and those in a function of the file
    uint32_t calls_agree, calls_contradict; // see call_check.h
    uint32_t vectors_agree, vectors_contradict;
};

static inline uint32_t tk_symbol_checks_agree(const struct tk_symbol_checks *checks) {
    return checks->calls_agree + checks->vectors_agree;
}
static inline uint32_t tk_symbol_checks_contradict(const struct tk_symbol_checks *checks) {
    return checks->calls_contradict + checks->vectors_contradict;
}

// The files one by one, NULL after the last. A decoder that finds one to be of other firmware dismisses it; one whose
// code the recording contradicts it marks so. Neither is searched any more.
struct tk_symbol_file *tk_symbols_next(const struct tk_symbols *symbols, struct tk_symbol_file *file); // file NULL: the
                                                                                                       // first
bool tk_symbols_any_function(const struct tk_symbols *symbols); // does a file that is not dismissed hold one?
bool tk_symbol_file_has_function(const struct tk_symbol_file *file, uint64_t address); // not counted
void tk_symbol_file_dismiss(struct tk_symbol_file *file);
void tk_symbol_file_contradict(struct tk_symbol_file *file);
struct tk_symbol_checks *tk_symbol_file_checks(struct tk_symbol_file *file);
// Files with which calls agree are searched before the others.
void tk_symbols_put_proven_first(struct tk_symbols *symbols);

// What the report lists of a file.
struct tk_symbol_file_summary {
    const char *name; // of the file
    uint32_t input;   // its number among the inputs
    enum tk_symbols_kind kind;
    enum tk_symbols_need read;            // what is below was not read where nobody asks for it
    uint32_t functions, variables, lines; // that it holds
    uint64_t bytes;                       // of sections that the target never writes
    uint64_t asked, found; // addresses that were looked up as functions while it was not dismissed; those that lie in
                           // one
    uint64_t lines_found, variables_found, texts_found;
    struct tk_symbol_checks checks;
    bool dismissed;
    bool contradicted; // dismissed, because the recording contradicts its code
    bool limited;      // it holds more than is kept
    bool compressed;   // its debug information is compressed with something else than zlib and was left out
    bool cut;          // it ends before what it announces
};
void tk_symbol_file_summary(const struct tk_symbol_file *file, struct tk_symbol_file_summary *out_summary);

#endif
