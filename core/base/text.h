// SPDX-License-Identifier: MIT
//
// A text that is put together piece by piece, always terminated: in room of the caller, where it is cut when it is
// full, or in memory that grows.
#ifndef TK_BASE_TEXT_H
#define TK_BASE_TEXT_H

#include "alloc.h"

// A text that is cut ends with a whole character of UTF-8, and takes nothing more.
struct tk_text {
    char *text;             // NULL: nothing yet, of one that grows
    uint32_t len;           // without the terminating zero
    uint32_t room;          // bytes that may still be added
    bool is_cut;            // something did not fit
    const char *ellipsis;   // added when it is cut, beyond the room; NULL: none
    struct tk_alloc *alloc; // of one that grows, which is cut only without memory; NULL: it does not
    uint32_t capacity;      // of one that grows
};

// An empty text in `size` bytes, one of them for the zero. size > 0.
static inline struct tk_text tk_text_in(char *room, size_t size) {
    room[0] = 0;
    return (struct tk_text){ .text = room, .room = (uint32_t)size - 1 };
}

// An empty text in memory of `alloc`; tk_alloc_free(alloc, text.text, text.capacity) when it is not needed any more.
static inline struct tk_text tk_text_growing(struct tk_alloc *alloc) { return (struct tk_text){ .alloc = alloc }; }

// Takes back all but the first `len` bytes of a text that is not cut.
void tk_text_shorten(struct tk_text *text, uint32_t len);

void tk_text_put(struct tk_text *text, const char *bytes, size_t len);
void tk_text_add(struct tk_text *text, const char *words); // terminated
void tk_text_char(struct tk_text *text, char c);
void tk_text_fill(struct tk_text *text, char c, size_t count);

void tk_text_u64(struct tk_text *text, uint64_t value);
void tk_text_i64(struct tk_text *text, int64_t value);
// Digits with leading zeros up to `least` places. base: 8 .. 16.
void tk_text_digits(struct tk_text *text, uint64_t value, unsigned base, unsigned least);
// 0x and at least `least` digits.
void tk_text_hex(struct tk_text *text, uint64_t value, unsigned least);
// Two digits each.
void tk_text_hex_bytes(struct tk_text *text, const uint8_t *bytes, size_t len, const char *between);
// "1 byte", "2 bytes": word ends in s.
void tk_text_count(struct tk_text *text, uint64_t count, const char *word);

// The longest beginning of at most `limit` bytes that ends with a whole character, of any bytes.
size_t tk_text_cut(const char *text, size_t len, size_t limit);
// tk_text_put for struct tk_out.
bool tk_text_write(void *text, const char *bytes, size_t len);

#endif
