// SPDX-License-Identifier: MIT
//
// Names and numbers of the target from one side input, by key. Decoders of recordings of the same format look them up.
// For each key the table stores the text of its first entry and its last number. Once the limits are reached it adds
// nothing, and it drops a key whose hash another key has.
#ifndef TK_LOOKUP_LOOKUP_H
#define TK_LOOKUP_LOOKUP_H

#include "../base/alloc.h"
#include "../base/idmap.h"
#include "../base/strtab.h"

enum { TK_LOOKUP_MAX = 65536 };

// Values of `space`: below TK_LOOKUP_OF_FORMAT kinds of events, from there on values that each format defines.
enum { TK_LOOKUP_OF_FORMAT = 192 };

struct tk_lookup_key {
    uint32_t id, more; // `more`: second part of the id, or 0
    uint8_t space, core;
};

struct tk_lookup_entry {
    struct tk_lookup_key key;
    uint32_t text; // string id; 0: none
    uint64_t number;
    uint64_t offset, frame; // source position in the input
};

// A zero-initialised table is empty.
struct tk_lookup {
    const struct tk_lookup *next; // table to search next; NULL: none
    struct tk_lookup_entry *entries;
    uint32_t count, capacity;
    struct tk_idmap index; // from the hash of the key to the entry
    struct tk_strtab strings;
};

// Adds an entry. Copies the text.
void tk_lookup_add(struct tk_lookup *lookup, struct tk_alloc *alloc, const struct tk_lookup_entry *entry,
                   const char *text, size_t len);
// Return false if the key is unknown or lookup is NULL. The text is not terminated; "" if the entry has none.
bool tk_lookup_text(const struct tk_lookup *lookup, struct tk_lookup_key key, const char **out_text, size_t *out_len);
// Searches one table, not the next ones.
bool tk_lookup_text_of(const struct tk_lookup *lookup, struct tk_lookup_key key, const char **out_text,
                       size_t *out_len);
bool tk_lookup_number_of(const struct tk_lookup *lookup, struct tk_lookup_key key, uint64_t *out_number);
bool tk_lookup_number(const struct tk_lookup *lookup, struct tk_lookup_key key, uint64_t *out_number);

#endif
