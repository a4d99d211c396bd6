// SPDX-License-Identifier: MIT
#include "dictionary.h"

#include <string.h>

#include "../../base/text.h"
#include "../../base/attributes.h"

static uint32_t id_of(uint32_t generation, enum qs_symbol_kind kind, uint64_t key, uint64_t object) {
    uint64_t hash =
        key * 0x9E3779B97F4A7C15u ^ (object * 0xC2B2AE3D27D4EB4Fu + kind + generation * 0xD6E8FEB86659FD93u);
    hash = (hash ^ hash >> 31) * 0x94D049BB133111EBu;
    uint32_t id = (uint32_t)(hash >> 32);
    return id ? id : 1;
}

// Returns the symbol that stands for all symbols above the limit.
static struct qs_symbol *overflow_symbol(struct qs_dictionary *dictionary) {
    struct qs_symbol *shared = &dictionary->symbols[QS_MAX_SYMBOLS - 1];
    tk_diag_count(dictionary->diag, TK_DIAG_TOO_MANY, NULL);
    if (shared->kind == QS_SYMBOL_SHARED) return shared;
    shared->kind = QS_SYMBOL_SHARED;
    dictionary->on_symbol_name(dictionary->ctx, shared->id, 0, false, "further names", 13);
    return shared;
}

static struct qs_symbol *find(struct qs_dictionary *dictionary, enum qs_symbol_kind kind, uint64_t key,
                              uint64_t object) {
    uint32_t id = id_of(dictionary->generation, kind, key, object), index = tk_idmap_find(&dictionary->by_id, id);
    if (index != TK_NONE) return &dictionary->symbols[index];
    if (dictionary->count >= QS_MAX_SYMBOLS) return overflow_symbol(dictionary);
    if (!tk_alloc_grow(dictionary->alloc, (void **)&dictionary->symbols, &dictionary->capacity, dictionary->count + 1,
                       sizeof *dictionary->symbols))
        return NULL;
    if (!tk_idmap_set(&dictionary->by_id, dictionary->alloc, id, dictionary->count)) return NULL;
    struct qs_symbol *symbol = &dictionary->symbols[dictionary->count++];
    *symbol = (struct qs_symbol){
        .key = key, .object = object, .id = id, .generation = dictionary->generation, .kind = (uint8_t)kind
    };
    if (kind == QS_SYMBOL_SIGNAL && object)
        dictionary->on_symbol_name(dictionary->ctx, id, id_of(dictionary->generation, kind, key, 0), true, "", 0);
    return symbol;
}

TK_NOINLINE uint32_t qs_dictionary_symbol_slow(struct qs_dictionary *dictionary, struct qs_symbol_cache_entry *recent,
                                               enum qs_symbol_kind kind, uint64_t key, uint64_t object) {
    if (!key) return 0;
    const struct qs_symbol *symbol = find(dictionary, kind, key, object);
    if (!symbol) return 0;
    *recent = (struct qs_symbol_cache_entry){ key, object, symbol->id, kind };
    return symbol->id;
}

// Returns true for a name without a visible character. Such a symbol is shown by its number.
static bool is_blank(const struct qs_field *text) {
    for (size_t i = 0; i < text->len; i++)
        if (text->bytes[i] != ' ' && text->bytes[i] != '\t') return false;
    return true;
}

static void name(struct qs_dictionary *dictionary, enum qs_symbol_kind kind, uint64_t key, uint64_t object,
                 const struct qs_field *text) {
    struct qs_symbol *symbol = key && !is_blank(text) ? find(dictionary, kind, key, object) : NULL;
    if (!symbol || symbol->kind == QS_SYMBOL_SHARED) return;
    symbol->text = tk_strtab_intern(&dictionary->strings, dictionary->alloc, (const char *)text->bytes, text->len);
    if (kind == QS_SYMBOL_SIGNAL)
        tk_idmap_set(&dictionary->any_signal, dictionary->alloc, key, (uint32_t)(symbol - dictionary->symbols));
    dictionary->on_symbol_name(dictionary->ctx, symbol->id, 0, false, (const char *)text->bytes, text->len);
}

void qs_dictionary_import(struct qs_dictionary *dictionary, const struct qs_record *record) {
    const struct qs_field *fields = record->fields;
    switch (record->id) {
    case 54:
        dictionary->enums[fields[1].number & 7][fields[0].number & 255] =
            tk_strtab_intern(&dictionary->strings, dictionary->alloc, (const char *)fields[2].bytes, fields[2].len);
        break;
    case 60: name(dictionary, QS_SYMBOL_SIGNAL, fields[0].number, fields[1].number, &fields[2]); break;
    case 61: name(dictionary, QS_SYMBOL_OBJECT, fields[0].number, 0, &fields[1]); break;
    case 62: name(dictionary, QS_SYMBOL_FUNCTION, fields[0].number, 0, &fields[1]); break;
    case 63: name(dictionary, QS_SYMBOL_RECORD, fields[0].number, 0, &fields[1]); break;
    default: break;
    }
}

static struct tk_lookup_key enum_key(uint64_t group, uint64_t value) {
    return (struct tk_lookup_key){ .space = QS_LOOKUP_ENUM, .id = (uint32_t)((group & 7) << 8 | (value & 255)) };
}

static struct tk_lookup_key signal_key(uint64_t signal) {
    return (
        struct tk_lookup_key){ .space = QS_LOOKUP_SIGNAL, .id = (uint32_t)signal, .more = (uint32_t)(signal >> 32) };
}

const char *qs_dictionary_enum(const struct qs_dictionary *dictionary, uint64_t group, uint64_t value,
                               size_t *out_len) {
    uint32_t string = dictionary->enums[group & 7][value & 255];
    const char *text = NULL;
    if (string) return tk_strtab_text(&dictionary->strings, string, out_len);
    if (dictionary->lookup) tk_lookup_text(*dictionary->lookup, enum_key(group, value), &text, out_len);
    return text;
}

void qs_dictionary_export(const struct qs_dictionary *dictionary, struct tk_lookup *to) {
    for (unsigned i = 0; i < 8 * 256; i++) {
        size_t len;
        const char *text = qs_dictionary_enum(dictionary, i / 256, i % 256, &len);
        if (text)
            tk_lookup_add(to, dictionary->alloc, &(struct tk_lookup_entry){ .key = enum_key(i / 256, i % 256) }, text,
                          len);
    }
    for (uint32_t i = 0; i < dictionary->count; i++) {
        const struct qs_symbol *symbol = &dictionary->symbols[i];
        bool is_named_signal = symbol->kind == QS_SYMBOL_SIGNAL && symbol->text && symbol->object;
        if (is_named_signal)
            tk_lookup_add(to, dictionary->alloc,
                          &(struct tk_lookup_entry){ .key = signal_key(symbol->key), .number = symbol->object }, NULL,
                          0);
    }
}

static void put_words(const struct qs_symbol *symbol, const uint8_t pointer_bytes[2], struct tk_text *text) {
    switch (symbol->kind) {
    case QS_SYMBOL_SIGNAL: tk_text_add(text, "signal "), tk_text_u64(text, symbol->key); break;
    case QS_SYMBOL_RECORD:
        if (symbol->key == QS_USER_LAST) tk_text_add(text, "QUTEST_ON_POST");
        else tk_text_add(text, "record "), tk_text_u64(text, symbol->key);
        break;
    case QS_SYMBOL_OBJECT: tk_text_hex(text, symbol->key, 2u * pointer_bytes[0]); break;
    default: tk_text_hex(text, symbol->key, 2u * pointer_bytes[1]); break;
    }
}

const char *qs_dictionary_text(const struct qs_dictionary *dictionary, uint32_t id, size_t *out_len) {
    uint32_t index = tk_idmap_find(&dictionary->by_id, id);
    if (index == TK_NONE || !dictionary->symbols[index].text) return NULL;
    return tk_strtab_text(&dictionary->strings, dictionary->symbols[index].text, out_len);
}

// Returns another symbol whose name is used for this one: the signal without an object, or the symbol of core 0 or of a
// side input; 0: none.
static uint32_t alias_of(const struct qs_dictionary *dictionary, const struct qs_symbol *symbol) {
    enum qs_symbol_kind kind = (enum qs_symbol_kind)symbol->kind;
    uint32_t everywhere = symbol->generation & ((1u << QS_CORE_SHIFT) - 1),
             own = id_of(symbol->generation, kind, symbol->key, 0);
    size_t len;
    if (kind == QS_SYMBOL_SIGNAL && symbol->object &&
        (symbol->generation == everywhere || qs_dictionary_text(dictionary, own, &len)))
        return own;
    return symbol->generation == everywhere ? 0 : id_of(everywhere, kind, symbol->key, 0);
}

// Returns a named signal with this number, regardless of its object; 0: none.
static uint32_t any_named_signal(const struct qs_dictionary *dictionary, uint64_t signal) {
    uint32_t own = tk_idmap_find(&dictionary->any_signal, signal);
    uint64_t object;
    if (own != TK_NONE) return dictionary->symbols[own].id;
    bool known = dictionary->lookup && tk_lookup_number(*dictionary->lookup, signal_key(signal), &object);
    return known ? id_of(0, QS_SYMBOL_SIGNAL, signal, object) : 0; // symbols of a side input belong to no core
}

// Names a pointer by the symbols of the firmware. The object may lie within a variable.
static void put_address_name(const struct qs_dictionary *dictionary, const struct qs_symbol *symbol,
                             struct tk_text *text) {
    struct tk_symbol found;
    char shown[TK_SHOWN_NAME_LEN];
    bool is_function = symbol->kind == QS_SYMBOL_FUNCTION;
    if (!dictionary->firmware || !dictionary->firmware->first || (!is_function && symbol->kind != QS_SYMBOL_OBJECT))
        return;
    if (!(is_function ? tk_symbols_function : tk_symbols_variable)(dictionary->firmware, symbol->key, &found)) return;
    tk_text_put(text, shown, tk_symbols_shown(&found, shown));
    if (!is_function && found.offset) tk_text_add(text, "+"), tk_text_u64(text, found.offset);
}

static void finish_symbol(struct qs_dictionary *dictionary, const struct qs_symbol *symbol,
                          const uint8_t pointer_bytes[2]) {
    enum { ROOM = TK_SHOWN_NAME_LEN + 32 };
    char room[ROOM];
    struct tk_text text = tk_text_in(room, ROOM);
    uint32_t alias = alias_of(dictionary, symbol), named = symbol->kind == QS_SYMBOL_SIGNAL && !symbol->object
                                                               ? any_named_signal(dictionary, symbol->key)
                                                               : 0;
    if (named) alias = named;
    put_address_name(dictionary, symbol, &text);
    if (!text.len) put_words(symbol, pointer_bytes, &text);
    dictionary->on_symbol_name(dictionary->ctx, symbol->id, alias, true, text.text, text.len);
}

bool qs_dictionary_finish(struct qs_dictionary *dictionary, const uint8_t pointer_bytes[2], uint32_t most) {
    while (dictionary->finished < dictionary->count && most--) {
        const struct qs_symbol *symbol = &dictionary->symbols[dictionary->finished++];
        if (!symbol->text && symbol->kind != QS_SYMBOL_SHARED) finish_symbol(dictionary, symbol, pointer_bytes);
    }
    return dictionary->finished == dictionary->count;
}

void qs_dictionary_forget(struct qs_dictionary *dictionary) {
    dictionary->generation++;
    memset(dictionary->recent, 0, sizeof dictionary->recent);
    memset(dictionary->enums, 0, sizeof dictionary->enums);
    tk_idmap_deinit(&dictionary->any_signal, dictionary->alloc);
}
