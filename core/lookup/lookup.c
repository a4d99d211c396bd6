// SPDX-License-Identifier: MIT
#include "lookup.h"

#include <string.h>

static bool is_same(struct tk_lookup_key a, struct tk_lookup_key b) {
    return a.id == b.id && a.more == b.more && a.space == b.space && a.core == b.core;
}

static uint64_t hash_of(struct tk_lookup_key key) {
    uint64_t hash = ((uint64_t)key.id << 32 | key.more) * 0x9E3779B97F4A7C15u ^
                    ((uint64_t)key.space << 8 | key.core) * 0xC2B2AE3D27D4EB4Fu;
    return hash ^ hash >> 29;
}

// If two keys have the same hash, the second one is not found.
static const struct tk_lookup_entry *find(const struct tk_lookup *lookup, struct tk_lookup_key key) {
    uint32_t index = tk_idmap_find(&lookup->index, hash_of(key));
    return index != TK_NONE && is_same(lookup->entries[index].key, key) ? &lookup->entries[index] : NULL;
}

void tk_lookup_add(struct tk_lookup *lookup, struct tk_alloc *alloc, const struct tk_lookup_entry *entry,
                   const char *text, size_t len) {
    uint64_t hash = hash_of(entry->key);
    uint32_t known = tk_idmap_find(&lookup->index, hash);
    if (known != TK_NONE && is_same(lookup->entries[known].key, entry->key))
        lookup->entries[known].number = entry->number;
    if (known != TK_NONE || lookup->count == TK_LOOKUP_MAX) return;
    uint32_t string = len ? tk_strtab_intern(&lookup->strings, alloc, text, len) : 0;
    if (len && !string) return;
    if (!tk_alloc_grow(alloc, (void **)&lookup->entries, &lookup->capacity, lookup->count + 1, sizeof *lookup->entries))
        return;
    if (!tk_idmap_set(&lookup->index, alloc, hash, lookup->count)) return;
    struct tk_lookup_entry *kept = &lookup->entries[lookup->count++];
    *kept = *entry;
    kept->text = string;
}

static const struct tk_lookup_entry *ask(const struct tk_lookup **lookup, struct tk_lookup_key key) {
    const struct tk_lookup_entry *entry = NULL;
    while (*lookup && !(entry = find(*lookup, key))) *lookup = (*lookup)->next;
    return entry;
}

bool tk_lookup_text(const struct tk_lookup *lookup, struct tk_lookup_key key, const char **out_text, size_t *out_len) {
    return ask(&lookup, key) && tk_lookup_text_of(lookup, key, out_text, out_len);
}

bool tk_lookup_text_of(const struct tk_lookup *lookup, struct tk_lookup_key key, const char **out_text,
                       size_t *out_len) {
    const struct tk_lookup_entry *entry = lookup ? find(lookup, key) : NULL;
    if (entry) *out_text = tk_strtab_text(&lookup->strings, entry->text, out_len);
    return entry != NULL;
}

bool tk_lookup_number(const struct tk_lookup *lookup, struct tk_lookup_key key, uint64_t *out_number) {
    return ask(&lookup, key) && tk_lookup_number_of(lookup, key, out_number);
}

bool tk_lookup_number_of(const struct tk_lookup *lookup, struct tk_lookup_key key, uint64_t *out_number) {
    const struct tk_lookup_entry *entry = lookup ? find(lookup, key) : NULL;
    if (entry) *out_number = entry->number;
    return entry != NULL;
}
