// SPDX-License-Identifier: MIT
#include "reader.h"

#include <string.h>

#include "base/text.h"
#include "unpack/gunzip.h"

bool tk_reader_open(struct tk_reader *reader, struct tk_alloc *alloc, const struct tk_allocator *allocator,
                    uint32_t source, uint64_t at, uint64_t end) {
    *reader = (struct tk_reader){ .alloc = alloc, .allocator = allocator, .source = source, .at = at, .end = end };
    reader->base = tk_alloc_zero(alloc, TK_READER_PIECE);
    return reader->base != NULL;
}

void tk_reader_seek(struct tk_reader *reader, uint64_t at, uint64_t len) {
    reader->at = at;
    reader->end = len > UINT64_MAX - at ? UINT64_MAX : at + len;
    reader->base_at = reader->base_len = 0;
    reader->base_ended = false;
}

static void close_layer(struct tk_reader *reader, struct tk_layer *layer) {
    tk_gunzip_free(layer->gunzip);
    tk_alloc_free(reader->alloc, layer->out, TK_READER_PIECE);
    tk_encoding_free(layer->decoder);
    tk_carry_free(&layer->text, reader->alloc);
}

void tk_reader_close(struct tk_reader *reader) {
    if (!reader->alloc) return;
    for (unsigned i = 0; i < reader->layer_count; i++) close_layer(reader, &reader->layers[i]);
    tk_alloc_free(reader->alloc, reader->base, TK_READER_PIECE);
    tk_alloc_free(reader->alloc, reader->looked, reader->looked_capacity);
    tk_alloc_free(reader->alloc, reader->arrivals, reader->arrival_capacity * sizeof *reader->arrivals);
    memset(reader, 0, sizeof *reader);
}

// ---- Layers ----

static struct tk_layer *add_layer(struct tk_reader *reader, enum tk_layer_kind kind) {
    struct tk_layer *layer = &reader->layers[reader->layer_count++];
    layer->kind = kind;
    return layer;
}

void tk_reader_wrap(struct tk_reader *reader, enum tk_layer_kind kind) { add_layer(reader, kind); }

void tk_reader_wrap_range(struct tk_reader *reader, uint64_t skip, uint64_t left) {
    struct tk_layer *layer = add_layer(reader, TK_LAYER_RANGE);
    layer->skip = skip;
    layer->left = left;
}

void tk_reader_wrap_text(struct tk_reader *reader, tk_encoding_kind encoding, uint32_t block) {
    struct tk_layer *layer = add_layer(reader, TK_LAYER_TEXT);
    layer->encoding = encoding;
    layer->block = block;
}

bool tk_reader_is_gzip(const struct tk_reader *reader) {
    for (unsigned i = 0; i < reader->layer_count; i++)
        if (reader->layers[i].gunzip && reader->layers[i].kind == TK_LAYER_GZIP) return true;
    return false;
}

static enum tk_reader_result pull(struct tk_reader *reader, unsigned level, const uint8_t **out_bytes, size_t *out_len);

// Makes in_len > 0, or returns a result other than BYTES.
static enum tk_reader_result fill(struct tk_reader *reader, unsigned level) {
    struct tk_layer *layer = &reader->layers[level - 1];
    if (layer->in_len) return TK_READER_BYTES;
    return pull(reader, level - 1, &layer->in, &layer->in_len);
}

static bool is_gzip(const uint8_t *bytes) { return bytes[0] == 0x1f && bytes[1] == 0x8b && bytes[2] == 8; }

static bool open_gunzip(struct tk_reader *reader, struct tk_layer *layer) {
    layer->is_open = true;
    layer->gunzip = tk_gunzip_new(reader->alloc, layer->kind == TK_LAYER_DEFLATE);
    layer->out = tk_alloc_zero(reader->alloc, TK_READER_PIECE);
    return layer->gunzip && layer->out;
}

// Reads until three bytes show whether the data are gzip; one byte may rule it out. `first` keeps the bytes.
static enum tk_reader_result detect(struct tk_reader *reader, unsigned level) {
    struct tk_layer *layer = &reader->layers[level - 1];
    while (layer->first_len < 3 && !(layer->first_len && layer->first[0] != 0x1f)) {
        enum tk_reader_result result = fill(reader, level);
        if (result == TK_READER_END) break;
        if (result != TK_READER_BYTES) return result;
        layer->first[layer->first_len++] = *layer->in++;
        layer->in_len--;
    }
    layer->kind = layer->first_len == 3 && is_gzip(layer->first) ? TK_LAYER_GZIP : TK_LAYER_RANGE;
    if (layer->kind == TK_LAYER_RANGE) layer->left = UINT64_MAX;
    else if (!open_gunzip(reader, layer)) return TK_READER_NO_MEMORY;
    layer->is_open = true;
    return TK_READER_BYTES;
}

static void note_damage(struct tk_reader *reader, const struct tk_layer *layer) {
    uint64_t byte;
    enum tk_gunzip_fault fault = tk_gunzip_fault(layer->gunzip, &byte);
    if (fault == TK_GUNZIP_WHOLE || (fault == TK_GUNZIP_CUT && reader->is_cut_allowed) || reader->is_damaged) return;
    struct tk_text text = tk_text_in(reader->damage, sizeof reader->damage);
    reader->is_damaged = true;
    reader->damage_at = byte;
    tk_text_add(&text, fault == TK_GUNZIP_FOREIGN ? "what follows the compressed data at byte "
                       : fault == TK_GUNZIP_CUT   ? "the compressed data is cut off at byte "
                                                  : "the compressed data is damaged at byte ");
    tk_text_u64(&text, byte);
    tk_text_add(&text, fault == TK_GUNZIP_FOREIGN ? " is no gzip and was left out" : "; what precedes is used");
}

static enum tk_reader_result pull_packed(struct tk_reader *reader, unsigned level, const uint8_t **out_bytes,
                                         size_t *out_len) {
    struct tk_layer *layer = &reader->layers[level - 1];
    for (;;) {
        if (layer->first_len) { // the bytes read for detection, which unpack to nothing yet
            const uint8_t *first = layer->first;
            size_t first_len = layer->first_len;
            layer->first_len = 0;
            *out_len = tk_gunzip_run(layer->gunzip, &first, &first_len, layer->out, TK_READER_PIECE);
        }
        *out_len = tk_gunzip_run(layer->gunzip, &layer->in, &layer->in_len, layer->out, TK_READER_PIECE);
        *out_bytes = layer->out;
        if (*out_len) return TK_READER_BYTES;
        enum tk_reader_result result = layer->in_len ? TK_READER_END : fill(reader, level);
        if (result == TK_READER_BYTES) continue;
        if (result == TK_READER_END) {
            layer->ended = true;
            note_damage(reader, layer);
        }
        return result;
    }
}

static enum tk_reader_result pull_range(struct tk_reader *reader, unsigned level, const uint8_t **out_bytes,
                                        size_t *out_len) {
    struct tk_layer *layer = &reader->layers[level - 1];
    if (layer->first_len) {
        *out_bytes = layer->first;
        *out_len = layer->first_len;
        layer->first_len = 0;
        return TK_READER_BYTES;
    }
    while (layer->left) {
        enum tk_reader_result result = fill(reader, level);
        if (result != TK_READER_BYTES) {
            layer->ended = result == TK_READER_END;
            return result;
        }
        size_t drop = layer->skip < layer->in_len ? (size_t)layer->skip : layer->in_len;
        layer->skip -= drop;
        layer->in += drop;
        layer->in_len -= drop;
        size_t len = layer->in_len < layer->left ? layer->in_len : (size_t)layer->left;
        if (!len) continue;
        *out_bytes = layer->in;
        *out_len = len;
        layer->in += len;
        layer->in_len -= len;
        layer->left -= len;
        return TK_READER_BYTES;
    }
    layer->ended = true;
    return TK_READER_END;
}

static bool on_block(void *ctx, uint32_t block, int32_t core, const char *title, size_t title_len) {
    (void)ctx, (void)block, (void)core, (void)title, (void)title_len;
    return true;
}

static bool on_decoded(void *ctx, uint32_t block, const uint8_t *bytes, size_t len) {
    struct tk_reader *reader = ctx;
    struct tk_layer *layer = &reader->layers[reader->layer_count - 1]; // a text has no layer above it
    return block != layer->block || tk_carry_add(&layer->text, reader->alloc, bytes, len);
}

static enum tk_reader_result pull_text(struct tk_reader *reader, unsigned level, const uint8_t **out_bytes,
                                       size_t *out_len) {
    struct tk_layer *layer = &reader->layers[level - 1];
    tk_carry_drop(&layer->text, tk_carry_len(&layer->text));
    for (;;) {
        if (tk_carry_len(&layer->text)) {
            *out_bytes = tk_carry_bytes(&layer->text);
            *out_len = tk_carry_len(&layer->text);
            return TK_READER_BYTES;
        }
        if (layer->ended) return TK_READER_END;
        enum tk_reader_result result = fill(reader, level);
        if (result == TK_READER_BYTES) {
            const uint8_t *in = layer->in;
            size_t in_len = layer->in_len;
            layer->in_len = 0;
            if (tk_encoding_feed(layer->decoder, in, in_len) != TK_OK) return TK_READER_NO_MEMORY;
            if (reader->is_text_known && tk_encoding_detect_now(layer->decoder) != TK_OK) return TK_READER_NO_MEMORY;
        } else if (result == TK_READER_END) {
            layer->ended = reader->has_text = true;
            if (tk_encoding_finish(layer->decoder, &reader->text_result) != TK_OK) return TK_READER_NO_MEMORY;
        } else {
            return result;
        }
    }
}

static bool open_text(struct tk_reader *reader, struct tk_layer *layer) {
    struct tk_encoding_sink sink = { .ctx = reader, .begin = on_block, .data = on_decoded };
    layer->is_open = true;
    return tk_encoding_new(reader->allocator, layer->encoding, &sink, &layer->decoder) == TK_OK;
}

static enum tk_reader_result open_layer(struct tk_reader *reader, unsigned level) {
    struct tk_layer *layer = &reader->layers[level - 1];
    switch (layer->kind) {
    case TK_LAYER_DETECT: return detect(reader, level);
    case TK_LAYER_GZIP:
    case TK_LAYER_DEFLATE: return open_gunzip(reader, layer) ? TK_READER_BYTES : TK_READER_NO_MEMORY;
    case TK_LAYER_TEXT: return open_text(reader, layer) ? TK_READER_BYTES : TK_READER_NO_MEMORY;
    case TK_LAYER_RANGE: break;
    }
    layer->is_open = true;
    return TK_READER_BYTES;
}

// Returns the looked-at bytes again.
static enum tk_reader_result pull_looked(struct tk_reader *reader, const uint8_t **out_bytes, size_t *out_len) {
    const struct tk_arrival *arrival = &reader->arrivals[reader->arrival_at++];
    *out_bytes = reader->looked + reader->looked_at;
    *out_len = arrival->end - reader->looked_at;
    reader->looked_at = arrival->end;
    reader->piece_ns = arrival->ns;
    return TK_READER_BYTES;
}

static enum tk_reader_result pull_fresh(struct tk_reader *reader, unsigned level, const uint8_t **out_bytes,
                                        size_t *out_len) {
    if (!level) {
        *out_bytes = reader->base + reader->base_at;
        *out_len = reader->base_len - reader->base_at;
        reader->base_at = reader->base_len;
        if (*out_len) return TK_READER_BYTES;
        return reader->base_ended || reader->at >= reader->end ? TK_READER_END : TK_READER_NEEDS;
    }
    struct tk_layer *layer = &reader->layers[level - 1];
    if (!layer->is_open) {
        enum tk_reader_result result = open_layer(reader, level);
        if (result != TK_READER_BYTES) return result;
    }
    if (layer->kind == TK_LAYER_TEXT) return pull_text(reader, level, out_bytes, out_len);
    if (layer->ended) return TK_READER_END;
    return layer->kind == TK_LAYER_RANGE ? pull_range(reader, level, out_bytes, out_len)
                                         : pull_packed(reader, level, out_bytes, out_len);
}

// Returns the next bytes of one layer; level 0 is the source.
static enum tk_reader_result pull(struct tk_reader *reader, unsigned level, const uint8_t **out_bytes,
                                  size_t *out_len) {
    return level == reader->looked_level && reader->looked_at < reader->looked_len
               ? pull_looked(reader, out_bytes, out_len)
               : pull_fresh(reader, level, out_bytes, out_len);
}

void tk_reader_supply(struct tk_reader *reader, const uint8_t *bytes, size_t len, uint64_t ns) {
    if (len > reader->end - reader->at) len = (size_t)(reader->end - reader->at);
    if (len > TK_READER_PIECE) len = TK_READER_PIECE;
    if (len) memcpy(reader->base, bytes, len);
    else reader->base_ended = true;
    reader->base_at = 0;
    reader->base_len = len;
    reader->base_ns = ns;
    reader->at += len;
}

// ---- Looking ahead ----

enum tk_reader_result tk_reader_next(struct tk_reader *reader, const uint8_t **out_bytes, size_t *out_len) {
    reader->piece_ns = reader->base_ns;
    return pull(reader, reader->layer_count, out_bytes, out_len);
}

static bool grow_looked(struct tk_reader *reader, size_t needed) {
    size_t capacity = reader->looked_capacity ? reader->looked_capacity : TK_READER_PIECE;
    while (capacity < needed) capacity *= 2;
    if (capacity == reader->looked_capacity) return true;
    uint8_t *grown = tk_alloc_zero(reader->alloc, capacity);
    if (!grown) return false;
    if (reader->looked_len) memcpy(grown, reader->looked, reader->looked_len);
    tk_alloc_free(reader->alloc, reader->looked, reader->looked_capacity);
    reader->looked = grown;
    reader->looked_capacity = capacity;
    return true;
}

enum tk_reader_result tk_reader_look(struct tk_reader *reader) {
    const uint8_t *bytes;
    size_t len;
    enum tk_reader_result result = pull_fresh(reader, reader->layer_count, &bytes, &len);
    reader->looked_level = reader->layer_count;
    if (result != TK_READER_BYTES) return result;
    if (!grow_looked(reader, reader->looked_len + len) ||
        !tk_alloc_grow(reader->alloc, (void **)&reader->arrivals, &reader->arrival_capacity, reader->arrival_count + 1,
                       sizeof *reader->arrivals))
        return TK_READER_NO_MEMORY;
    memcpy(reader->looked + reader->looked_len, bytes, len);
    reader->looked_len += len;
    reader->arrivals[reader->arrival_count++] = (struct tk_arrival){ reader->looked_len, reader->base_ns };
    return TK_READER_BYTES;
}

// ---- Text ----

static const struct tk_layer *text_layer(const struct tk_reader *reader) {
    const struct tk_layer *top = reader->layer_count ? &reader->layers[reader->layer_count - 1] : NULL;
    return top && top->decoder ? top : NULL;
}

uint64_t tk_reader_line(const struct tk_reader *reader, uint64_t offset) {
    const struct tk_layer *layer = text_layer(reader);
    return layer ? tk_encoding_line(layer->decoder, layer->block, offset) : 0;
}
