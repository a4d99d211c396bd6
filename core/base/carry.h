// SPDX-License-Identifier: MIT
//
// Buffers bytes between two calls of a decoder: a record that the end of a chunk cuts, or text that the decoder can
// only interpret with the following bytes.
#ifndef TK_BASE_CARRY_H
#define TK_BASE_CARRY_H

#include "alloc.h"

// A zero-initialised carry is empty. Appending may move the buffered bytes.
struct tk_carry {
    uint8_t *memory;
    uint32_t at, end, capacity; // the buffered bytes are [at, end) of `memory`
};

static inline const uint8_t *tk_carry_bytes(const struct tk_carry *carry) {
    return carry->memory ? carry->memory + carry->at : (const uint8_t *)"";
}
static inline uint32_t tk_carry_len(const struct tk_carry *carry) { return carry->end - carry->at; }

// Appends `len` bytes. Returns false when out of memory; the carry is unchanged.
bool tk_carry_add(struct tk_carry *carry, struct tk_alloc *alloc, const uint8_t *bytes, size_t len);
// Appends bytes up to a total of `limit`. Returns the number of bytes taken; `len` when out of memory, because the
// conversion ends then.
size_t tk_carry_fill(struct tk_carry *carry, struct tk_alloc *alloc, uint32_t limit, const uint8_t *bytes, size_t len);
// Removes the first `len` bytes. Pointers to the others stay valid until bytes are appended.
void tk_carry_drop(struct tk_carry *carry, size_t len);
// Removes all but the first `len` bytes.
void tk_carry_cut(struct tk_carry *carry, size_t len);
void tk_carry_free(struct tk_carry *carry, struct tk_alloc *alloc);

#endif
