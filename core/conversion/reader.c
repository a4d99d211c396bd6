// SPDX-License-Identifier: MIT
#include "reader.h"

#include <string.h>

#include "base/text.h"
#include "unpack/gunzip.h"

struct tk_reader *tk_reader_new(struct tk_alloc *alloc, const struct tk_allocator *allocator, uint32_t source,
                                uint64_t at, uint64_t end) {
    struct tk_reader *reader = tk_alloc_zero(alloc, sizeof *reader);
    if (!reader) return NULL;
    *reader = (struct tk_reader){ .alloc = alloc, .allocator = allocator, .source = source, .at = at, .end = end };
    reader->base = tk_alloc_zero(alloc, TK_READER_PIECE);
    if (reader->base) return reader;
    tk_reader_free(reader);
    return NULL;
}

void tk_reader_free(struct tk_reader *reader) {
    if (!reader) return;
    for (unsigned i = 0; i < reader->layer_count; i++) {
        struct tk_layer *layer = &reader->layers[i];
        tk_gunzip_free(layer->gunzip);
        tk_alloc_free(reader->alloc, layer->out, TK_READER_PIECE);
        tk_encoding_free(layer->decoder);
        if (layer->carrier) tk_carrier_release(layer->carrier, reader->alloc);
        tk_alloc_free(reader->alloc, layer->carrier, sizeof *layer->carrier);
        tk_carry_free(&layer->held, reader->alloc);
    }
    tk_carry_free(&reader->looked, reader->alloc);
    tk_alloc_free(reader->alloc, reader->arrivals, reader->arrival_capacity * sizeof *reader->arrivals);
    tk_alloc_free(reader->alloc, reader->base, TK_READER_PIECE);
    tk_alloc_free(reader->alloc, reader, sizeof *reader);
}

bool tk_reader_seek(struct tk_reader *reader, uint64_t at, uint64_t len) {
    tk_reader_forget(reader, tk_carry_len(&reader->looked));
    if (!reader->layer_count) {
        reader->at = at;
        reader->end = len > UINT64_MAX - at ? UINT64_MAX : at + len;
        reader->fresh.len = 0;
        reader->has_ended = false;
        return true;
    }
    struct tk_layer *top = &reader->layers[reader->layer_count - 1];
    if (at < top->position) return false;
    top->skip = at - top->position;
    top->left = len;
    top->ended = false;
    return true;
}

// ---- Layers ----

void tk_reader_wrap(struct tk_reader *reader, struct tk_layer layer) { reader->layers[reader->layer_count++] = layer; }

bool tk_reader_is_gzip(const struct tk_reader *reader) {
    for (unsigned i = 0; i < reader->layer_count; i++)
        if (reader->layers[i].gunzip && reader->layers[i].kind == TK_LAYER_GZIP) return true;
    return false;
}

static enum tk_reader_result pull(struct tk_reader *reader, unsigned level, struct tk_piece *out);

static struct tk_layer *layer_at(struct tk_reader *reader, unsigned level) { return &reader->layers[level - 1]; }

// Makes `in` of the layer non-empty, or returns another result than BYTES.
static enum tk_reader_result fill(struct tk_reader *reader, unsigned level) {
    struct tk_piece *in = &layer_at(reader, level)->in;
    return in->len ? TK_READER_BYTES : pull(reader, level - 1, in);
}

static bool may_be_gzip(const uint8_t *bytes, size_t len) {
    return (len < 1 || bytes[0] == 0x1f) && (len < 2 || bytes[1] == 0x8b) && (len < 3 || bytes[2] == 8);
}

// Reads until the first three bytes show whether the data are gzip.
static enum tk_reader_result detect(struct tk_reader *reader, unsigned level) {
    struct tk_layer *layer = layer_at(reader, level);
    enum tk_reader_result result = TK_READER_BYTES;
    struct tk_piece piece;
    while (result == TK_READER_BYTES && layer->in.len < 3 && may_be_gzip(layer->in.bytes, layer->in.len)) {
        result = pull(reader, level - 1, &piece);
        if (result == TK_READER_NEEDS) return result;
        if (result == TK_READER_BYTES && !tk_carry_add(&layer->held, reader->alloc, piece.bytes, piece.len))
            result = TK_READER_END;
        layer->in = (struct tk_piece){ tk_carry_bytes(&layer->held), tk_carry_len(&layer->held) };
    }
    bool is_gzip = layer->in.len >= 3 && may_be_gzip(layer->in.bytes, 3);
    layer->kind = is_gzip ? TK_LAYER_GZIP : TK_LAYER_RANGE;
    layer->left = UINT64_MAX;
    return TK_READER_BYTES;
}

static void note_damage(struct tk_reader *reader, const struct tk_layer *layer) {
    uint64_t byte;
    enum tk_gunzip_fault fault = tk_gunzip_fault(layer->gunzip, &byte);
    if (fault == TK_GUNZIP_WHOLE || (fault == TK_GUNZIP_CUT && reader->is_cut_allowed) || reader->damage[0]) return;
    struct tk_text text = tk_text_in(reader->damage, sizeof reader->damage);
    reader->damage_at = byte;
    tk_text_add(&text, fault == TK_GUNZIP_FOREIGN ? "what follows the compressed data at byte "
                       : fault == TK_GUNZIP_CUT   ? "the compressed data is cut off at byte "
                                                  : "the compressed data is damaged at byte ");
    tk_text_u64(&text, byte);
    tk_text_add(&text, fault == TK_GUNZIP_FOREIGN ? " is no gzip and was left out" : "; what precedes is used");
}

static enum tk_reader_result pull_packed(struct tk_reader *reader, unsigned level, struct tk_piece *out) {
    struct tk_layer *layer = layer_at(reader, level);
    for (;;) {
        out->bytes = layer->out;
        out->len = tk_gunzip_run(layer->gunzip, &layer->in.bytes, &layer->in.len, layer->out, TK_READER_PIECE);
        if (out->len) return TK_READER_BYTES;
        enum tk_reader_result result = layer->in.len ? TK_READER_END : fill(reader, level);
        if (result == TK_READER_BYTES) continue;
        if (result == TK_READER_END) {
            layer->ended = true;
            note_damage(reader, layer);
        }
        return result;
    }
}

static enum tk_reader_result pull_range(struct tk_reader *reader, unsigned level, struct tk_piece *out) {
    struct tk_layer *layer = layer_at(reader, level);
    out->len = 0;
    while (layer->left && !out->len) {
        enum tk_reader_result result = fill(reader, level);
        if (result != TK_READER_BYTES) return result;
        struct tk_piece *in = &layer->in;
        size_t drop = layer->skip < in->len ? (size_t)layer->skip : in->len, len = in->len - drop;
        if (len > layer->left) len = (size_t)layer->left;
        *out = (struct tk_piece){ in->bytes + drop, len };
        in->bytes += drop + len;
        in->len -= drop + len;
        layer->position += drop + len;
        layer->skip -= drop;
        layer->left -= len;
    }
    return out->len ? TK_READER_BYTES : TK_READER_END;
}

static bool on_block(void *ctx, uint32_t block, int32_t core, const char *title, size_t title_len) {
    (void)ctx, (void)block, (void)core, (void)title, (void)title_len;
    return true;
}

static bool on_decoded(void *ctx, uint32_t block, const uint8_t *bytes, size_t len) {
    struct tk_reader *reader = ctx;
    struct tk_layer *layer = layer_at(reader, reader->layer_count); // a text has no layer above it
    return block != layer->block || tk_carry_add(&layer->held, reader->alloc, bytes, len);
}

// Decodes the text in `in`, or the last part of a text that has ended. Returns false without memory.
static bool decode_text(struct tk_reader *reader, struct tk_layer *layer) {
    reader->has_text = layer->ended;
    if (layer->ended) return tk_encoding_finish(layer->decoder, &reader->text_result) == TK_OK;
    return tk_encoding_feed(layer->decoder, layer->in.bytes, layer->in.len) == TK_OK &&
           (!reader->is_text_known || tk_encoding_detect_now(layer->decoder) == TK_OK);
}

struct taking {
    struct tk_reader *reader;
    struct tk_layer *layer;
};

static bool on_carried(void *ctx, uint8_t number, const uint8_t *bytes, size_t len) {
    struct taking *taking = ctx;
    return number != taking->layer->carried.number ||
           tk_carry_add(&taking->layer->held, taking->reader->alloc, bytes, len);
}

// Takes the bytes of the stream out of `in`, or what the carrier still contains at its end. Returns false without
// memory.
static bool take_carried(struct tk_reader *reader, struct tk_layer *layer) {
    struct taking taking = { reader, layer };
    const uint8_t *bytes = layer->ended ? NULL : layer->in.bytes;
    return tk_carrier_feed(layer->carrier, reader->alloc, bytes, layer->in.len, on_carried, &taking);
}

static enum tk_reader_result pull_decoded(struct tk_reader *reader, unsigned level, struct tk_piece *out) {
    struct tk_layer *layer = layer_at(reader, level);
    tk_carry_cut(&layer->held, 0);
    while (!tk_carry_len(&layer->held) && !layer->ended) {
        enum tk_reader_result result = fill(reader, level);
        if (result == TK_READER_NEEDS) return result;
        layer->ended = result == TK_READER_END;
        bool ok = layer->kind == TK_LAYER_TEXT ? decode_text(reader, layer) : take_carried(reader, layer);
        layer->in.len = 0;
        if (ok) continue;
        reader->alloc->failed = layer->ended = true;
        return TK_READER_END;
    }
    *out = (struct tk_piece){ tk_carry_bytes(&layer->held), tk_carry_len(&layer->held) };
    return out->len ? TK_READER_BYTES : TK_READER_END;
}

static enum tk_reader_result open_layer(struct tk_reader *reader, unsigned level) {
    struct tk_layer *layer = layer_at(reader, level);
    const struct tk_encoding_sink sink = { .ctx = reader, .begin = on_block, .data = on_decoded };
    bool is_text = layer->kind == TK_LAYER_TEXT, ok = true;
    if (layer->kind == TK_LAYER_DETECT && detect(reader, level) == TK_READER_NEEDS) return TK_READER_NEEDS;
    if (is_text) {
        ok = tk_encoding_new(reader->allocator, layer->encoding, &sink, &layer->decoder) == TK_OK;
    } else if (layer->kind == TK_LAYER_CARRIED) {
        layer->carrier = tk_alloc_zero(reader->alloc, sizeof *layer->carrier);
        ok = layer->carrier;
        if (ok) layer->carrier->kind = (enum tk_carrier_kind)layer->carried.kind;
    } else if (layer->kind != TK_LAYER_RANGE) {
        layer->gunzip = tk_gunzip_new(reader->alloc, layer->kind == TK_LAYER_DEFLATE);
        layer->out = tk_alloc_zero(reader->alloc, TK_READER_PIECE);
        ok = layer->gunzip && layer->out;
    }
    layer->is_open = true;
    layer->ended = !ok;
    reader->alloc->failed |= !ok;
    return TK_READER_BYTES;
}

static enum tk_reader_result pull_fresh(struct tk_reader *reader, unsigned level, struct tk_piece *out) {
    if (!level) {
        *out = reader->fresh;
        reader->fresh.len = 0;
        if (out->len) return TK_READER_BYTES;
        return reader->has_ended || reader->at >= reader->end ? TK_READER_END : TK_READER_NEEDS;
    }
    struct tk_layer *layer = layer_at(reader, level);
    if (!layer->is_open && open_layer(reader, level) == TK_READER_NEEDS) return TK_READER_NEEDS;
    if (layer->ended) return TK_READER_END;
    return layer->kind == TK_LAYER_RANGE ? pull_range(reader, level, out)
           : layer->gunzip               ? pull_packed(reader, level, out)
                                         : pull_decoded(reader, level, out);
}

// Returns the next bytes of one layer; level 0 is the source. Looked-at bytes come first.
static enum tk_reader_result pull(struct tk_reader *reader, unsigned level, struct tk_piece *out) {
    if (level != reader->looked_level || !tk_carry_len(&reader->looked)) return pull_fresh(reader, level, out);
    const struct tk_arrival *arrival = &reader->arrivals[reader->arrival_at];
    *out = (struct tk_piece){ tk_carry_bytes(&reader->looked), arrival->len };
    reader->piece_ns = arrival->ns;
    tk_reader_forget(reader, arrival->len);
    return TK_READER_BYTES;
}

void tk_reader_supply(struct tk_reader *reader, const uint8_t *bytes, size_t len, uint64_t ns) {
    if (len > reader->end - reader->at) len = (size_t)(reader->end - reader->at);
    if (len > TK_READER_PIECE) len = TK_READER_PIECE;
    if (len) memcpy(reader->base, bytes, len);
    else reader->has_ended = true;
    reader->fresh = (struct tk_piece){ reader->base, len };
    reader->fresh_ns = ns;
    reader->at += len;
}

enum tk_reader_result tk_reader_next(struct tk_reader *reader, struct tk_piece *out) {
    reader->piece_ns = reader->fresh_ns;
    return pull(reader, reader->layer_count, out);
}

// ---- Looking ahead ----

enum tk_reader_result tk_reader_look(struct tk_reader *reader) {
    struct tk_piece piece;
    enum tk_reader_result result = pull_fresh(reader, reader->layer_count, &piece);
    reader->looked_level = reader->layer_count;
    if (result != TK_READER_BYTES) return result;
    if (!tk_alloc_grow(reader->alloc, (void **)&reader->arrivals, &reader->arrival_capacity, reader->arrival_count + 1,
                       sizeof *reader->arrivals) ||
        !tk_carry_add(&reader->looked, reader->alloc, piece.bytes, piece.len))
        return TK_READER_END;
    reader->arrivals[reader->arrival_count++] = (struct tk_arrival){ piece.len, reader->fresh_ns };
    return TK_READER_BYTES;
}

void tk_reader_forget(struct tk_reader *reader, size_t len) {
    tk_carry_drop(&reader->looked, len);
    while (len) {
        struct tk_arrival *arrival = &reader->arrivals[reader->arrival_at];
        size_t step = len < arrival->len ? len : arrival->len;
        arrival->len -= step;
        len -= step;
        reader->arrival_at += !arrival->len;
    }
    if (reader->arrival_at == reader->arrival_count) reader->arrival_at = reader->arrival_count = 0;
}

uint64_t tk_reader_line(const struct tk_reader *reader, uint64_t offset) {
    const struct tk_layer *top = reader->layer_count ? &reader->layers[reader->layer_count - 1] : NULL;
    return top && top->decoder ? tk_encoding_line(top->decoder, top->block, offset) : 0;
}
