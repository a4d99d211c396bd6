// SPDX-License-Identifier: MIT
//
// Pointers and signal numbers -> symbols of the model. The number of a symbol is a hash of what it stands for, so
// that an earlier capture given along means the same by it. Names are told to the model as they come.
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
    uint64_t key, object; // object: of a signal
    uint32_t id;
    uint32_t text; // its name: string id; 0: none yet
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
    // Tells the model. alias: symbol whose name serves as well, 0: none. fallback: the text only helps where there is
    // no name.
    void (*on_symbol_name)(void *ctx, uint32_t id, uint32_t alias, bool fallback, const char *text, size_t len);
    void *ctx;
    struct tk_idmap by_id;      // id -> index
    struct tk_idmap any_signal; // number -> symbol index of some signal with this number that has a name
    struct qs_symbol *symbols;
    uint32_t count, capacity;
    uint32_t generation; // other images of the target, and other cores, mean other things by the same pointers
    uint32_t finished;   // symbols that qs_dictionary_finish is done with
    struct tk_strtab strings;
    uint32_t enums[8][256];                // string ids
    const struct tk_lookup *const *lookup; // what side inputs know; NULL: this is one
    struct tk_symbols *firmware;           // what its ELF files and linker maps know; NULL: this is a side input
    struct qs_symbol_cache_entry recent[QS_RECENT]; // by a hash
};

uint32_t qs_dictionary_symbol_slow(struct qs_dictionary *dictionary, struct qs_symbol_cache_entry *recent,
                                   enum qs_symbol_kind kind, uint64_t key, uint64_t object);
// The number of the symbol; 0: none. object: of a signal, else 0.
static inline uint32_t qs_dictionary_symbol(struct qs_dictionary *dictionary, enum qs_symbol_kind kind, uint64_t key,
                                            uint64_t object) {
    struct qs_symbol_cache_entry *recent =
        &dictionary->recent[(key ^ key >> 8 ^ object >> 3 ^ (uint64_t)kind << 6) % QS_RECENT];
    bool known = recent->key == key && recent->object == object && recent->kind == kind;
    return known ? recent->id : qs_dictionary_symbol_slow(dictionary, recent, kind, key, object);
}
// A name arrives: records 54, 60 .. 63.
void qs_dictionary_import(struct qs_dictionary *dictionary, const struct qs_record *record);
const char *qs_dictionary_enum(const struct qs_dictionary *dictionary, uint64_t group, uint64_t value, size_t *out_len);
// Of a side input: what the names of its symbols do not tell, enumerations and for which objects signals have names.
void qs_dictionary_export(const struct qs_dictionary *dictionary, struct tk_lookup *to);
// Another image runs: nothing means what it meant.
void qs_dictionary_forget(struct qs_dictionary *dictionary);
// The name of a symbol; NULL: it has none.
const char *qs_dictionary_text(const struct qs_dictionary *dictionary, uint32_t id, size_t *out_len);
// Words for everything that never got a name, of so many symbols at most. pointer_bytes: of objects and of functions.
// False: there are more.
bool qs_dictionary_finish(struct qs_dictionary *dictionary, const uint8_t pointer_bytes[2], uint32_t most);

#endif
