// SPDX-License-Identifier: MIT
//
// The bytes of one input, unpacked from the layers of its source: a range of the source, gzip, a member of an archive,
// a block of a text. A reader does no I/O. It requests bytes of the source from its owner.
#ifndef TK_CONVERSION_READER_H
#define TK_CONVERSION_READER_H

#include "base/alloc.h"
#include "base/carry.h"
#include "carrier.h"
#include "tonkopf.h"

enum { TK_READER_PIECE = 64 * 1024, TK_READER_LAYERS = 5 + TK_CARRIER_DEPTH };

struct tk_gunzip;

enum tk_layer_kind {
    TK_LAYER_DETECT,  // gzip if the first bytes show it
    TK_LAYER_GZIP,    // one or more gzip members
    TK_LAYER_DEFLATE, // one raw deflate stream
    TK_LAYER_RANGE,   // a range of the layer below
    TK_LAYER_TEXT,    // one block of a text
    TK_LAYER_CARRIED  // one of the streams that the layer below carries
};

struct tk_piece {
    const uint8_t *bytes;
    size_t len;
};

struct tk_layer {
    enum tk_layer_kind kind;
    bool is_open, ended;
    struct tk_piece in;   // unused bytes of the layer below
    struct tk_carry held; // DETECT: the first bytes of the layer below; TEXT, CARRIED: decoded bytes
    struct tk_gunzip *gunzip;
    uint8_t *out;                  // for a packed layer: TK_READER_PIECE bytes
    uint64_t position, skip, left; // for RANGE: bytes of the layer below so far, bytes to skip, bytes to take
    tk_encoding_kind encoding;
    uint32_t block;
    tk_encoding *decoder;
    struct tk_carried carried; // for CARRIED: the stream
    struct tk_carrier *carrier;
};

// The receive time of bytes that were looked at and are not read yet.
struct tk_arrival {
    size_t len;
    uint64_t ns;
};

struct tk_reader {
    struct tk_alloc *alloc;
    const struct tk_allocator *allocator;
    uint32_t source;
    uint64_t at, end;      // in the source: offset of the next byte to request, and end of the range
    bool has_ended;        // the source ends at `at`
    uint8_t *base;         // TK_READER_PIECE bytes of the source
    struct tk_piece fresh; // those of them that are not used yet
    uint64_t fresh_ns;     // receive time of these bytes
    struct tk_layer layers[TK_READER_LAYERS];
    unsigned layer_count;
    bool is_cut_allowed; // the host ended the source, so that incomplete packed data are no damage
    bool is_text_known;  // the notation of the text is known, so that it can be decoded while it arrives
    // Bytes that were looked at. They are returned again first, also to layers that are added later.
    unsigned looked_level; // number of layers at the time of looking
    struct tk_carry looked;
    struct tk_arrival *arrivals;
    uint32_t arrival_at, arrival_count, arrival_capacity;
    uint64_t piece_ns; // receive time of the piece that tk_reader_next returned last
    // Damage, for the owner to report.
    char damage[128];   // damage of the packed data: a sentence without the source and without a full stop; "": none
    uint64_t damage_at; // offset of the damage in the packed data
    bool has_text;      // text_result is set
    struct tk_encoding_result text_result;
};

// Returns a reader of [at, end) of a source; NULL without memory. Running out of memory sets `failed` of `alloc`, and
// the reader ends.
struct tk_reader *tk_reader_new(struct tk_alloc *alloc, const struct tk_allocator *allocator, uint32_t source,
                                uint64_t at, uint64_t end);
void tk_reader_free(struct tk_reader *reader); // NULL is allowed
// Selects another range of the source, or of the top layer RANGE. Returns false if that range begins before bytes that
// the layer has passed: the source must be read again from its start.
bool tk_reader_seek(struct tk_reader *reader, uint64_t at, uint64_t len);
// Adds a layer on top. RANGE: the range [skip, skip + left); TEXT: a block of an encoding.
void tk_reader_wrap(struct tk_reader *reader, struct tk_layer layer);
bool tk_reader_is_gzip(const struct tk_reader *reader); // returns true if a layer has detected gzip

enum tk_reader_result {
    TK_READER_BYTES, // *out, valid until the next call
    TK_READER_NEEDS, // bytes of the source from `at` on are needed: tk_reader_supply
    TK_READER_END
};
enum tk_reader_result tk_reader_next(struct tk_reader *reader, struct tk_piece *out);
// Returns bytes like tk_reader_next, but keeps them for tk_reader_next. For a source that can be read only once.
enum tk_reader_result tk_reader_look(struct tk_reader *reader);
void tk_reader_forget(struct tk_reader *reader, size_t len); // skips looked-at bytes
// Supplies bytes of the source, which are copied; at most TK_READER_PIECE. len 0: the source ends here.
void tk_reader_supply(struct tk_reader *reader, const uint8_t *bytes, size_t len, uint64_t ns);
// Returns the line of the text that contains the decoded byte at `offset`; 0: unknown, or no text.
uint64_t tk_reader_line(const struct tk_reader *reader, uint64_t offset);

#endif
