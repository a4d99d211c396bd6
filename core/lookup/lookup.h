// SPDX-License-Identifier: MIT
//
// What one side input knows about its target: names and numbers by what they belong to. Decoders of recordings of the
// same format ask. Of each the first text and the last number are kept; beyond the limits nothing is.
#ifndef TK_LOOKUP_LOOKUP_H
#define TK_LOOKUP_LOOKUP_H

#include "../base/alloc.h"
#include "../base/idmap.h"
#include "../base/strtab.h"

enum { TK_LOOKUP_MAX = 65536 };

// Up to TK_LOOKUP_OF_FORMAT: kinds of events; from there on each format has its own.
enum { TK_LOOKUP_OF_FORMAT = 192 };

struct tk_lookup_key {
    uint32_t id, more; // more: 0, or what else it belongs to
    uint8_t space, core;
};

struct tk_lookup_entry {
    struct tk_lookup_key key;
    uint32_t text; // string id; 0: none
    uint64_t number;
    uint64_t offset, frame; // where the input told it
};

// Zero-initialised is empty.
struct tk_lookup {
    const struct tk_lookup *next; // asked when this one does not know; NULL: none
    struct tk_lookup_entry *entries;
    uint32_t count, capacity;
    struct tk_idmap index; // by a hash of the key
    struct tk_strtab strings;
};

// Copies.
void tk_lookup_add(struct tk_lookup *lookup, struct tk_alloc *alloc, const struct tk_lookup_entry *entry,
                   const char *text, size_t len);
// The text is not terminated; "" if there is none. lookup NULL, or nothing known: false.
bool tk_lookup_text(const struct tk_lookup *lookup, struct tk_lookup_key key, const char **out_text, size_t *out_len);
bool tk_lookup_number(const struct tk_lookup *lookup, struct tk_lookup_key key, uint64_t *out_number);

#endif
