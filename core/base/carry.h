// SPDX-License-Identifier: MIT
//
// Bytes that wait between two calls of a decoder: a record that the end of a chunk cuts, or text that is held until
// what follows it decides.
#ifndef TK_BASE_CARRY_H
#define TK_BASE_CARRY_H

#include "alloc.h"

// Zero-initialised is empty. Its bytes move when some are added.
struct tk_carry {
    uint8_t *memory;
    uint32_t at, end, capacity; // the bytes are those at [at, end)
};

static inline const uint8_t *tk_carry_bytes(const struct tk_carry *carry) {
    return carry->memory ? carry->memory + carry->at : (const uint8_t *)"";
}
static inline uint32_t tk_carry_len(const struct tk_carry *carry) { return carry->end - carry->at; }

// Appends all. False: no memory, nothing is added.
bool tk_carry_add(struct tk_carry *carry, struct tk_alloc *alloc, const uint8_t *bytes, size_t len);
// Appends as many as may be added so that it has at most `limit`. Returns their number; without memory `len`, since the
// conversion ends.
size_t tk_carry_fill(struct tk_carry *carry, struct tk_alloc *alloc, uint32_t limit, const uint8_t *bytes, size_t len);
// Takes the first `len` bytes away, which stay where they are until some are added.
void tk_carry_drop(struct tk_carry *carry, size_t len);
// Takes all but the first `len` bytes away.
void tk_carry_cut(struct tk_carry *carry, size_t len);
void tk_carry_free(struct tk_carry *carry, struct tk_alloc *alloc);

#endif
