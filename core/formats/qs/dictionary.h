// SPDX-License-Identifier: MIT
//
// Pointers and signal numbers to symbols of the model. The id of a symbol is a hash of what it stands for, so that an
// earlier capture, passed as a side input, uses the same ids. Names go to the model as they arrive.
#ifndef TK_FORMATS_QS_DICTIONARY_H
#define TK_FORMATS_QS_DICTIONARY_H

#include "../../base/diag.h"
#include "../../base/idmap.h"
#include "../../base/strtab.h"
#include "../../lookup/lookup.h"
#include "../../lookup/symbol_reader.h"
#include "decode.h"

enum qs_symbol_kind { QS_SYMBOL_OBJECT, QS_SYMBOL_FUNCTION, QS_SYMBOL_SIGNAL, QS_SYMBOL_RECORD, QS_SYMBOL_SHARED };

enum { QS_MAX_SYMBOLS = 65536, QS_CORE_SHIFT = 16, QS_RECENT = 512 };

struct qs_symbol {
    uint64_t key, object; // object: the object of a signal
    uint32_t id;
    uint32_t text; // string id of its name; 0: no name yet
    uint32_t generation;
    uint8_t kind;
};

struct qs_symbol_cache_entry {
    uint64_t key, object;
    uint32_t id, kind;
};

struct qs_dictionary {
    struct tk_alloc *alloc;
    struct tk_diag *diag;
    // Called for each name of a symbol, to pass it to the model. alias: symbol whose name is used as well, 0: none.
    // fallback: the text is used only if the symbol has no name.
    void (*on_symbol_name)(void *ctx, uint32_t id, uint32_t alias, bool fallback, const char *text, size_t len);
    void *ctx;
    struct tk_idmap by_id;      // id to index
    struct tk_idmap any_signal; // signal number to the index of a named signal with this number
    struct qs_symbol *symbols;
    uint32_t count, capacity;
    uint32_t generation; // other cores and other images of the target use the same pointers for other objects
    uint32_t finished;   // number of symbols that qs_dictionary_finish has named
    struct tk_strtab strings;
    uint32_t enums[8][256];                // string ids
    const struct tk_lookup *const *lookup; // names from side inputs; NULL: this input is one
    struct tk_symbols *firmware;           // names from ELF files and linker maps; NULL: this input is a side input
    struct qs_symbol_cache_entry recent[QS_RECENT]; // cache, by hash
};

uint32_t qs_dictionary_symbol_slow(struct qs_dictionary *dictionary, struct qs_symbol_cache_entry *recent,
                                   enum qs_symbol_kind kind, uint64_t key, uint64_t object);
// Returns the id of the symbol; 0: none. object: the object of a signal, else 0.
static inline uint32_t qs_dictionary_symbol(struct qs_dictionary *dictionary, enum qs_symbol_kind kind, uint64_t key,
                                            uint64_t object) {
    struct qs_symbol_cache_entry *recent =
        &dictionary->recent[(key ^ key >> 8 ^ object >> 3 ^ (uint64_t)kind << 6) % QS_RECENT];
    bool known = recent->key == key && recent->object == object && recent->kind == kind;
    return known ? recent->id : qs_dictionary_symbol_slow(dictionary, recent, kind, key, object);
}
// Adds a name from a record of number 54 or 60 to 63.
void qs_dictionary_import(struct qs_dictionary *dictionary, const struct qs_record *record);
const char *qs_dictionary_enum(const struct qs_dictionary *dictionary, uint64_t group, uint64_t value, size_t *out_len);
// For a side input: exports names that its symbols do not contain, those of enumerations and of signals of objects.
void qs_dictionary_export(const struct qs_dictionary *dictionary, struct tk_lookup *to);
// Discards all symbols, because another image runs on the target.
void qs_dictionary_forget(struct qs_dictionary *dictionary);
// Returns the name of a symbol; NULL: none.
const char *qs_dictionary_text(const struct qs_dictionary *dictionary, uint32_t id, size_t *out_len);
// Names the symbols without a name by their values, at most `most` of them per call. pointer_bytes: bytes of pointers
// to objects and to functions. Returns false if there are more.
bool qs_dictionary_finish(struct qs_dictionary *dictionary, const uint8_t pointer_bytes[2], uint32_t most);

#endif
