// SPDX-License-Identifier: MIT
//
// Where all readers of text put what they found: decoded bytes, blocks, lines and complaints.
#ifndef TK_TEXT_TEXT_OUTPUT_H
#define TK_TEXT_TEXT_OUTPUT_H

#include "base/alloc.h"
#include "lines.h"
#include "tonkopf.h"

enum {
    TK_PIECE_LEN = 16 * 1024,       // readers get a line whole up to this length, longer ones in pieces
    TK_TEXT_OUTPUT_LEN = 32 * 1024, // room for what a piece can become, and more
    TK_TITLE_LEN = 128,
    TK_REPEAT_BUDGET = 16 << 20 // bytes that "the same again" notations may add to one text
};

struct tk_text_output {
    struct tk_alloc *alloc;
    struct tk_encoding_sink sink;
    struct tk_encoding_result result; // bytes counts what went to the sink
    struct tk_lines lines;
    uint64_t line;        // of the text, from 1; kept by the caller of the readers
    uint64_t block_bytes; // of the current block that went to the sink
    uint32_t block;       // current block; it is open after begin, or with its first byte
    bool open, refused;
    int32_t core; // what begin will say
    char title[TK_TITLE_LEN];
    size_t title_len;
    uint64_t repeat_budget;
    size_t len; // bytes waiting in `bytes`
    uint8_t bytes[TK_TEXT_OUTPUT_LEN];
};

void tk_text_output_init(struct tk_text_output *decoded, struct tk_alloc *alloc, const struct tk_encoding_sink *sink);
void tk_text_output_deinit(struct tk_text_output *decoded);

void tk_text_output_flush(struct tk_text_output *decoded);
// Makes sure that TK_PIECE_LEN bytes fit without a look at the length.
void tk_text_output_make_room(struct tk_text_output *decoded);
static inline void tk_text_output_byte(struct tk_text_output *decoded, uint8_t byte) {
    decoded->bytes[decoded->len++] = byte;
}
void tk_text_output_bytes(struct tk_text_output *decoded, const uint8_t *bytes, size_t len); // any length
// `pattern` (1 to 1024 bytes) again and again, until `total` bytes were added or the budget is used up. False: it was.
bool tk_text_output_repeat(struct tk_text_output *decoded, const uint8_t *pattern, size_t len, uint64_t total);

void tk_text_output_begin(struct tk_text_output *decoded, int32_t core); // opens a block now; an open one ends
void tk_text_output_end(struct tk_text_output *decoded);                 // the block, if one is open or has bytes
// Says again what is known of a block that has begun.
void tk_text_output_announce(struct tk_text_output *decoded, uint32_t block, int32_t core);

// Offset in the current block of the next byte.
static inline uint64_t tk_text_output_offset(const struct tk_text_output *decoded) {
    return decoded->block_bytes + decoded->len;
}
// What comes at `offset` of the current block, if anything does, is from `line`.
void tk_text_output_mark(struct tk_text_output *decoded, uint64_t offset, uint64_t line);

// "line 3, column 17: 'g' is no hex digit". column from 1. Counted; only the first is told.
void tk_text_output_bad(struct tk_text_output *decoded, uint64_t column, uint8_t c, const char *complaint);
// "line 3: the offsets jump". Not counted as a character.
struct tk_text;
bool tk_text_output_note(struct tk_text_output *decoded, uint64_t line, struct tk_text *out_sentence); // false: one
                                                                                                       // was told
                                                                                                       // before

#endif
