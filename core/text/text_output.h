// SPDX-License-Identifier: MIT
//
// Output of all readers of text: decoded bytes, blocks, line numbers and the first error.
#ifndef TK_TEXT_TEXT_OUTPUT_H
#define TK_TEXT_TEXT_OUTPUT_H

#include "base/alloc.h"
#include "lines.h"
#include "tonkopf.h"

enum {
    TK_PIECE_LEN = 16 * 1024,       // readers get lines up to this length whole, longer ones in pieces
    TK_TEXT_OUTPUT_LEN = 32 * 1024, // more than a piece can decode to
    TK_TITLE_LEN = 128,
    TK_REPEAT_BUDGET = 16 << 20 // largest number of bytes that repetitions may add to one text
};

struct tk_text_output {
    struct tk_alloc *alloc;
    struct tk_encoding_sink sink;
    struct tk_encoding_result result; // `bytes` counts the bytes passed to the sink
    struct tk_lines lines;
    uint64_t line;        // line of the text, from 1; set by the caller of the readers
    uint64_t block_bytes; // bytes of the current block passed to the sink
    uint32_t block;       // current block; open after tk_text_output_begin or its first byte
    bool open, refused;
    int32_t core; // core to announce for the next block; -1: unknown
    char title[TK_TITLE_LEN];
    size_t title_len;
    uint64_t repeat_budget;
    size_t len; // number of bytes waiting in `bytes`
    uint8_t bytes[TK_TEXT_OUTPUT_LEN];
};

void tk_text_output_init(struct tk_text_output *decoded, struct tk_alloc *alloc, const struct tk_encoding_sink *sink);
void tk_text_output_deinit(struct tk_text_output *decoded);

void tk_text_output_flush(struct tk_text_output *decoded);
// Flushes if necessary, so that TK_PIECE_LEN bytes can be added without checks.
void tk_text_output_make_room(struct tk_text_output *decoded);
static inline void tk_text_output_byte(struct tk_text_output *decoded, uint8_t byte) {
    decoded->bytes[decoded->len++] = byte;
}
void tk_text_output_bytes(struct tk_text_output *decoded, const uint8_t *bytes, size_t len); // any length
// Appends `pattern` (1 to 1024 bytes) repeatedly, until `total` bytes are added or the budget is used up. Returns false
// in the latter case.
bool tk_text_output_repeat(struct tk_text_output *decoded, const uint8_t *pattern, size_t len, uint64_t total);

void tk_text_output_begin(struct tk_text_output *decoded, int32_t core); // opens a block; ends an open one
void tk_text_output_end(struct tk_text_output *decoded);                 // ends the block, if one is open or has bytes
// Announces a block again when its core or title became known late.
void tk_text_output_announce(struct tk_text_output *decoded, uint32_t block, int32_t core);

// Returns the offset of the next byte in the current block.
static inline uint64_t tk_text_output_offset(const struct tk_text_output *decoded) {
    return decoded->block_bytes + decoded->len;
}
// Assigns the byte at `offset` of the current block, if there will be one, to `line`.
void tk_text_output_mark(struct tk_text_output *decoded, uint64_t offset, uint64_t line);

// Counts a bad character and, for the first one, stores a sentence: "line 3, column 17: 'g' is no hex digit". column:
// from 1.
void tk_text_output_bad(struct tk_text_output *decoded, uint64_t column, uint8_t c, const char *complaint);
// Starts a sentence for a problem that is not one bad character: "line 3: the offsets jump". Returns false if there is
// a sentence already.
struct tk_text;
bool tk_text_output_note(struct tk_text_output *decoded, uint64_t line, struct tk_text *out_sentence);

#endif
