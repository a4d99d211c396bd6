// SPDX-License-Identifier: MIT
#include "strtab.h"

#include "bytes.h"

static uint32_t *index_slot(const struct tk_strtab *tab, uint32_t *index, uint32_t capacity, uint32_t hash,
                            const char *text, size_t len) {
    for (uint32_t at = hash;; at++) {
        uint32_t *slot = &index[at & (capacity - 1)];
        if (!*slot) return slot;
        const struct tk_string *have = &tab->strings[*slot - 1];
        if (text && have->hash == hash && have->len == len && (!len || !memcmp(tab->arena + have->at, text, len)))
            return slot;
    }
}

static bool grow_index(struct tk_strtab *tab, struct tk_alloc *alloc) {
    uint32_t capacity = tab->index_capacity ? tab->index_capacity * 2 : 256;
    uint32_t *index = tk_alloc_zero(alloc, capacity * sizeof *index);
    if (!index) return false;
    for (uint32_t i = 0; i < tab->count; i++) *index_slot(tab, index, capacity, tab->strings[i].hash, NULL, 0) = i + 1;
    tk_alloc_free(alloc, tab->index, tab->index_capacity * sizeof *index);
    tab->index = index;
    tab->index_capacity = capacity;
    return true;
}

static uint32_t add(struct tk_strtab *tab, struct tk_alloc *alloc, uint32_t hash, const char *text, size_t len) {
    if (tab->count >= TK_STRTAB_MAX_COUNT || len > TK_STRTAB_MAX_BYTES - tab->arena_len) {
        tab->full = true;
        return 0;
    }
    if (!tk_alloc_grow(alloc, (void **)&tab->strings, &tab->strings_capacity, tab->count + 1, sizeof *tab->strings))
        return 0;
    if (!tk_alloc_grow(alloc, (void **)&tab->arena, &tab->arena_capacity, tab->arena_len + (uint32_t)len, 1)) return 0;
    if (len) tk_copy(tab->arena + tab->arena_len, text, len);
    tab->strings[tab->count] = (struct tk_string){ tab->arena_len, (uint32_t)len, hash };
    tab->arena_len += (uint32_t)len;
    return ++tab->count;
}

uint32_t tk_strtab_intern(struct tk_strtab *tab, struct tk_alloc *alloc, const char *text, size_t len) {
    return tk_strtab_intern_hashed(tab, alloc, text, len, (uint32_t)tk_hash_bytes((const uint8_t *)text, len));
}

uint32_t tk_strtab_intern_hashed(struct tk_strtab *tab, struct tk_alloc *alloc, const char *text, size_t len,
                                 uint32_t hash) {
    if (tab->count >= tab->index_capacity / 2 && !grow_index(tab, alloc)) return 0;
    uint32_t *slot = index_slot(tab, tab->index, tab->index_capacity, hash, text, len);
    if (!*slot) *slot = add(tab, alloc, hash, text, len);
    return *slot;
}

const char *tk_strtab_text(const struct tk_strtab *tab, uint32_t id, size_t *out_len) {
    if (!id) {
        *out_len = 0;
        return "";
    }
    const struct tk_string *string = &tab->strings[id - 1];
    *out_len = string->len;
    return string->len ? (const char *)tab->arena + string->at : "";
}

void tk_strtab_deinit(struct tk_strtab *tab, struct tk_alloc *alloc) {
    tk_alloc_free(alloc, tab->strings, tab->strings_capacity * sizeof *tab->strings);
    tk_alloc_free(alloc, tab->arena, tab->arena_capacity);
    tk_alloc_free(alloc, tab->index, tab->index_capacity * sizeof *tab->index);
    memset(tab, 0, sizeof *tab);
}
