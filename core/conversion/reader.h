// SPDX-License-Identifier: MIT
//
// The bytes of one input, unpacked from the layers of its source: a range of the source, gzip, a member of an archive,
// a block of a text. A reader does no I/O. It requests bytes of the source from its owner.
#ifndef TK_CONVERSION_READER_H
#define TK_CONVERSION_READER_H

#include "base/alloc.h"
#include "base/carry.h"
#include "tonkopf.h"

enum { TK_READER_PIECE = 64 * 1024, TK_READER_LAYERS = 5 };

struct tk_gunzip;

enum tk_layer_kind {
    TK_LAYER_DETECT,  // gzip if the first bytes show it
    TK_LAYER_GZIP,    // one or more gzip members
    TK_LAYER_DEFLATE, // one raw deflate stream
    TK_LAYER_RANGE,   // a range of the layer below
    TK_LAYER_TEXT     // one block of a text
};

struct tk_layer {
    enum tk_layer_kind kind;
    bool is_open, ended;
    const uint8_t *in; // unused bytes of the layer below
    size_t in_len;
    uint8_t first[3]; // for DETECT: bytes that arrived one by one
    uint8_t first_len;
    struct tk_gunzip *gunzip;
    uint8_t *out;        // for a packed layer: TK_READER_PIECE bytes
    uint64_t skip, left; // for RANGE: bytes to skip, bytes to take
    tk_encoding_kind encoding;
    uint32_t block;
    tk_encoding *decoder;
    struct tk_carry text; // decoded text
};

// The receive time of bytes that were looked at and are not read yet.
struct tk_arrival {
    size_t end; // end of these bytes in `looked`
    uint64_t ns;
};

struct tk_reader {
    struct tk_alloc *alloc;
    const struct tk_allocator *allocator;
    uint32_t source;
    uint64_t at, end; // in the source: offset of the next byte to request, and end of the range
    bool base_ended;
    uint8_t *base; // TK_READER_PIECE bytes of the source
    size_t base_at, base_len;
    uint64_t base_ns; // receive time of these bytes
    struct tk_layer layers[TK_READER_LAYERS];
    unsigned layer_count;
    bool is_cut_allowed; // the host ended the source, so that incomplete packed data are no damage
    bool is_text_known;  // the notation of the text is known, so that it can be decoded while it arrives
    // Bytes that were looked at. They are returned again first, also to layers that are added later.
    unsigned looked_level; // number of layers at the time of looking
    uint8_t *looked;
    size_t looked_at, looked_len, looked_capacity;
    struct tk_arrival *arrivals;
    uint32_t arrival_at, arrival_count, arrival_capacity;
    uint64_t piece_ns; // receive time of the piece that tk_reader_next returned last
    // Damage, for the owner to report.
    bool is_damaged;    // the packed data are damaged
    char damage[128];   // one sentence without the name of the source and without a full stop; "": none
    uint64_t damage_at; // offset of the damage in the packed data
    bool has_text;      // text_result is set
    struct tk_encoding_result text_result;
};

// Opens a reader of [at, end) of a source. Returns false without memory; tk_reader_close is needed in any case.
bool tk_reader_open(struct tk_reader *reader, struct tk_alloc *alloc, const struct tk_allocator *allocator,
                    uint32_t source, uint64_t at, uint64_t end);
// Selects another range of the source. Only for a reader without layers.
void tk_reader_seek(struct tk_reader *reader, uint64_t at, uint64_t len);
void tk_reader_close(struct tk_reader *reader);
// Adds a layer on top. RANGE: the range [skip, skip + left); TEXT: a block of an encoding.
void tk_reader_wrap(struct tk_reader *reader, enum tk_layer_kind kind);
void tk_reader_wrap_range(struct tk_reader *reader, uint64_t skip, uint64_t left);
void tk_reader_wrap_text(struct tk_reader *reader, tk_encoding_kind encoding, uint32_t block);
bool tk_reader_is_gzip(const struct tk_reader *reader); // returns true if a layer has detected gzip

enum tk_reader_result {
    TK_READER_BYTES, // *out_bytes and *out_len, valid until the next call
    TK_READER_NEEDS, // bytes of the source from `at` on are needed: tk_reader_supply
    TK_READER_END,
    TK_READER_NO_MEMORY
};
enum tk_reader_result tk_reader_next(struct tk_reader *reader, const uint8_t **out_bytes, size_t *out_len);
// Returns bytes like tk_reader_next, but keeps them for tk_reader_next. For a source that can be read only once.
enum tk_reader_result tk_reader_look(struct tk_reader *reader);
// Supplies bytes of the source, which are copied; at most TK_READER_PIECE. len 0: the source ends here.
void tk_reader_supply(struct tk_reader *reader, const uint8_t *bytes, size_t len, uint64_t ns);
// Returns the line of the text that contains the decoded byte at `offset`; 0: unknown, or no text.
uint64_t tk_reader_line(const struct tk_reader *reader, uint64_t offset);

#endif
