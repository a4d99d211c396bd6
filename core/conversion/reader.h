// SPDX-License-Identifier: MIT
//
// The bytes of one input, however its source wraps them: a range of the source, gzip, a member of an archive, the
// block of a text. A reader does no I/O. It says which bytes of the source it needs and gets them from its owner.
#ifndef TK_CONVERSION_READER_H
#define TK_CONVERSION_READER_H

#include "base/alloc.h"
#include "base/carry.h"
#include "tonkopf.h"

enum { TK_READER_PIECE = 64 * 1024, TK_READER_LAYERS = 5 };

struct tk_gunzip;

enum tk_layer_kind {
    TK_LAYER_DETECT,  // gzip if the first bytes say so
    TK_LAYER_GZIP,    // of any number of members
    TK_LAYER_DEFLATE, // one raw stream
    TK_LAYER_RANGE,   // some bytes of the layer below
    TK_LAYER_TEXT     // one block of a text
};

struct tk_layer {
    enum tk_layer_kind kind;
    bool is_open, ended;
    const uint8_t *in; // bytes of the layer below that are not used yet
    size_t in_len;
    uint8_t first[3]; // DETECT: bytes that came one by one
    uint8_t first_len;
    struct tk_gunzip *gunzip;
    uint8_t *out;        // of a packed layer: TK_READER_PIECE bytes
    uint64_t skip, left; // RANGE: bytes to drop, bytes to take
    tk_encoding_kind encoding;
    uint32_t block;
    tk_encoding *decoder;
    struct tk_carry text; // decoded
};

// Bytes that were looked at and wait to be read, and when they came.
struct tk_arrival {
    size_t end; // of the bytes looked at
    uint64_t ns;
};

struct tk_reader {
    struct tk_alloc *alloc;
    const struct tk_allocator *allocator;
    uint32_t source;
    uint64_t at, end; // of the source: the next byte to request, and where the range ends
    bool base_ended;
    uint8_t *base; // TK_READER_PIECE bytes of the source
    size_t base_at, base_len;
    uint64_t base_ns; // when they were received
    struct tk_layer layers[TK_READER_LAYERS];
    unsigned layer_count;
    bool is_cut_allowed; // the host ended the source: packed data that stops is no damage
    bool is_text_known;  // the notation of the text is clear from what has come: it is decoded as it comes
    // Looked at: handed out again before anything else, also to layers that are added later.
    unsigned looked_level; // number of layers when it was looked at
    uint8_t *looked;
    size_t looked_at, looked_len, looked_capacity;
    struct tk_arrival *arrivals;
    uint32_t arrival_at, arrival_count, arrival_capacity;
    uint64_t piece_ns; // when the piece came that tk_reader_next handed out last
    // What was wrong, for the owner to report.
    bool is_damaged;    // packed data
    char damage[128];   // one sentence without the name of the source and without a full stop; "": none
    uint64_t damage_at; // byte of the packed data
    bool has_text;      // text_result is set
    struct tk_encoding_result text_result;
};

// Reads [at, end) of a source. False: no memory; tk_reader_close in any case.
bool tk_reader_open(struct tk_reader *reader, struct tk_alloc *alloc, const struct tk_allocator *allocator,
                    uint32_t source, uint64_t at, uint64_t end);
// Reads another range of the source. Only of a reader without layers.
void tk_reader_seek(struct tk_reader *reader, uint64_t at, uint64_t len);
void tk_reader_close(struct tk_reader *reader);
// Adds a layer on top. RANGE: of [skip, skip + left); TEXT: a block of an encoding.
void tk_reader_wrap(struct tk_reader *reader, enum tk_layer_kind kind);
void tk_reader_wrap_range(struct tk_reader *reader, uint64_t skip, uint64_t left);
void tk_reader_wrap_text(struct tk_reader *reader, tk_encoding_kind encoding, uint32_t block);
bool tk_reader_is_gzip(const struct tk_reader *reader); // a layer that detects has found gzip

enum tk_reader_result {
    TK_READER_BYTES, // *out_bytes and *out_len, valid until the next call
    TK_READER_NEEDS, // bytes of the source from `at` on: tk_reader_supply
    TK_READER_END,
    TK_READER_NO_MEMORY
};
enum tk_reader_result tk_reader_next(struct tk_reader *reader, const uint8_t **out_bytes, size_t *out_len);
// As tk_reader_next, and keeps the bytes for tk_reader_next. For a source that can be read only once.
enum tk_reader_result tk_reader_look(struct tk_reader *reader);
// Bytes of the source; copied. len 0: it ends here. At most TK_READER_PIECE.
void tk_reader_supply(struct tk_reader *reader, const uint8_t *bytes, size_t len, uint64_t ns);
// Line of the text with the decoded byte at `offset`; 0: unknown, or no text.
uint64_t tk_reader_line(const struct tk_reader *reader, uint64_t offset);

#endif
