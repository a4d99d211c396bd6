// SPDX-License-Identifier: MIT
//
// Builds a text piece by piece, always terminated: in a fixed buffer of the caller, which cuts it, or in memory that
// grows.
#ifndef TK_BASE_TEXT_H
#define TK_BASE_TEXT_H

#include "alloc.h"

// After a cut the text ends with a whole UTF-8 character and accepts nothing more.
struct tk_text {
    char *text;             // the text; NULL while a growing text is empty
    uint32_t len;           // length in bytes without the terminating zero
    uint32_t room;          // number of bytes that still fit
    bool is_cut;            // some bytes did not fit
    const char *ellipsis;   // appended after a cut, in addition to `room`; NULL: none
    struct tk_alloc *alloc; // allocator of a growing text, which is cut only when out of memory; NULL: fixed buffer
    uint32_t capacity;      // allocated bytes of a growing text
};

// Returns an empty text in a buffer of `size` (> 0) bytes, including the terminating zero.
static inline struct tk_text tk_text_in(char *room, size_t size) {
    room[0] = 0;
    return (struct tk_text){ .text = room, .room = (uint32_t)size - 1 };
}

// Returns an empty growing text. The caller frees it with tk_alloc_free(alloc, text.text, text.capacity).
static inline struct tk_text tk_text_growing(struct tk_alloc *alloc) { return (struct tk_text){ .alloc = alloc }; }

// Removes all but the first `len` bytes of a text that is not cut.
void tk_text_shorten(struct tk_text *text, uint32_t len);

void tk_text_put(struct tk_text *text, const char *bytes, size_t len);
void tk_text_add(struct tk_text *text, const char *words); // `words` is terminated
void tk_text_char(struct tk_text *text, char c);
void tk_text_fill(struct tk_text *text, char c, size_t count);

void tk_text_u64(struct tk_text *text, uint64_t value);
void tk_text_i64(struct tk_text *text, int64_t value);
// Appends digits, padded with zeros to at least `least` digits. base: 8 .. 16.
void tk_text_digits(struct tk_text *text, uint64_t value, unsigned base, unsigned least);
// Appends 0x and at least `least` hexadecimal digits.
void tk_text_hex(struct tk_text *text, uint64_t value, unsigned least);
// Appends two hexadecimal digits per byte, with `between` as separator.
void tk_text_hex_bytes(struct tk_text *text, const uint8_t *bytes, size_t len, const char *between);
// Appends a count with its noun: "1 byte", "2 bytes". `word` is the plural and ends in s.
void tk_text_count(struct tk_text *text, uint64_t count, const char *word);

// Returns the length of the longest prefix of at most `limit` bytes that does not cut a UTF-8 character. Accepts
// invalid UTF-8.
size_t tk_text_cut(const char *text, size_t len, size_t limit);
// tk_text_put with the signature of tk_out_write_fn.
bool tk_text_write(void *text, const char *bytes, size_t len);

#endif
