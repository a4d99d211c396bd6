// SPDX-License-Identifier: MIT
//
// Splits text into lines, finds START and END markers, and passes the lines to the reader of the encoding.
#include "tonkopf.h"

#include "base64.h"
#include "hex.h"
#include "json.h"
#include "utf16.h"

enum escape_state { ESCAPE_NONE, ESCAPE_BEGUN, ESCAPE_BODY };

struct tk_encoding {
    struct tk_alloc alloc;
    tk_encoding_kind kind;
    tk_status status;
    bool finished;
    enum tk_utf16 order;
    uint32_t first_len; // length of `first`: the head that shows whether the text is UTF-16, later half a UTF-16 unit
    uint8_t first[TK_UTF16_HEAD_LEN];
    bool width_known;
    enum escape_state escape; // state in a terminal escape sequence, which a chunk may cut
    // Buffers the first TK_PROBE_LEN bytes until the layout is known.
    bool inferred;
    uint8_t *head;
    uint32_t head_len, head_room;
    // Lines. A piece is copied only when a chunk cuts it.
    uint8_t piece[TK_PIECE_LEN];
    size_t piece_len;
    uint64_t column;     // column of the first character of the piece, from 1
    bool marked, inside; // the text has START lines; the current line is after one
    struct tk_hex hex;
    struct tk_base64 base64;
    struct tk_json json;
    struct tk_text_output decoded;
};

tk_status tk_encoding_new(const struct tk_allocator *allocator, tk_encoding_kind kind,
                          const struct tk_encoding_sink *sink, tk_encoding **out_decoder) {
    if (!out_decoder) return TK_MISUSE;
    *out_decoder = NULL;
    if (!allocator || !allocator->realloc || !sink || !sink->begin || !sink->data) return TK_MISUSE;
    struct tk_alloc alloc = { .realloc = allocator->realloc, .ctx = allocator->ctx };
    tk_encoding *decoder = tk_alloc_zero(&alloc, sizeof *decoder);
    if (!decoder) return TK_NO_MEMORY;
    decoder->alloc = alloc;
    decoder->kind = kind;
    decoder->column = 1;
    tk_text_output_init(&decoder->decoded, &decoder->alloc, sink);
    tk_json_init(&decoder->json);
    *out_decoder = decoder;
    return TK_OK;
}

void tk_encoding_free(tk_encoding *decoder) {
    if (!decoder) return;
    struct tk_alloc alloc = decoder->alloc;
    tk_alloc_free(&alloc, decoder->head, decoder->head_room);
    decoder->decoded.alloc = &alloc;
    tk_text_output_deinit(&decoder->decoded);
    tk_alloc_free(&alloc, decoder, sizeof *decoder);
}

// ---- Lines -------------------------------------------------------------------------------------

static void end_body(tk_encoding *decoder) {
    if (decoder->kind == TK_ENCODING_HEX) tk_hex_end(&decoder->hex, &decoder->decoded);
    else if (decoder->kind == TK_ENCODING_BASE64) tk_base64_end(&decoder->base64, &decoder->decoded);
    tk_text_output_end(&decoder->decoded);
}

static void take_marker(tk_encoding *decoder, enum tk_marker marker) {
    if (!decoder->marked || decoder->inside) end_body(decoder);
    decoder->marked = true;
    decoder->inside = marker == TK_MARKER_START;
    if (decoder->inside) tk_text_output_begin(&decoder->decoded, -1);
}

static void take_piece(tk_encoding *decoder, struct tk_span piece, bool last) {
    struct tk_text_output *decoded = &decoder->decoded;
    bool first = decoder->column == 1;
    enum tk_marker marker = first && last ? tk_layout_marker(piece) : TK_MARKER_NONE;
    if (marker) {
        decoded->result.ignored += tk_count_nonblank(piece.at, piece.len);
        take_marker(decoder, marker);
    } else if (decoder->marked && !decoder->inside) {
        decoded->result.ignored += tk_count_nonblank(piece.at, piece.len);
    } else if (decoder->kind == TK_ENCODING_HEX) {
        tk_hex_line(&decoder->hex, decoded, piece, decoder->column, first, last);
    } else {
        tk_base64_line(&decoder->base64, decoded, piece, decoder->column, first, last);
    }
    decoder->column += piece.len;
    decoder->piece_len = 0;
    if (!last) return;
    decoder->column = 1;
    decoded->line++;
}

// Takes one piece of a line, or buffers bytes of it. Returns the number of bytes taken.
static size_t take_some(tk_encoding *decoder, const uint8_t *bytes, size_t len) {
    size_t room = TK_PIECE_LEN - decoder->piece_len;
    size_t step = len < room ? len : room;
    const uint8_t *end = memchr(bytes, '\n', step);
    if (end) step = (size_t)(end - bytes);
    bool whole = end || step == room;
    if (decoder->piece_len || !whole) {
        memcpy(decoder->piece + decoder->piece_len, bytes, step);
        decoder->piece_len += step;
    }
    if (whole) {
        struct tk_span piece = { decoder->piece_len ? decoder->piece : bytes,
                                 decoder->piece_len ? decoder->piece_len : step };
        take_piece(decoder, piece, end != NULL);
    }
    return step + (end != NULL);
}

static void take_lines(tk_encoding *decoder, const uint8_t *bytes, size_t len) {
    while (len && !decoder->decoded.refused) {
        size_t used = take_some(decoder, bytes, len);
        bytes += used;
        len -= used;
    }
}

// ---- The head ----------------------------------------------------------------------------------

static size_t byte_order_mark(const uint8_t *bytes, size_t len) {
    return len >= 3 && !memcmp(bytes, "\xEF\xBB\xBF", 3) ? 3 : 0;
}

// Infers only the layout, from the first `known` bytes: the host has chosen the encoding, possibly another one than the
// text looks like.
static void infer(tk_encoding *decoder, const uint8_t *bytes, size_t len, size_t known) {
    size_t skip = byte_order_mark(bytes, len);
    struct tk_span head = { bytes + skip, known > skip ? known - skip : 0 };
    struct tk_layout layout;
    struct tk_base64_style base64;
    tk_layout_infer(head, &layout);
    (void)tk_infer_base64(tk_layout_region(head, &decoder->marked), &base64);
    tk_hex_init(&decoder->hex, &layout);
    tk_base64_init(&decoder->base64, &base64);
    decoder->inferred = true;
    take_lines(decoder, bytes + skip, len - skip);
}

static void infer_from_head(tk_encoding *decoder, size_t known) {
    uint32_t room = decoder->head_room;
    uint8_t *head = decoder->head;
    decoder->head = NULL;
    decoder->head_room = 0;
    infer(decoder, head ? head : (const uint8_t *)"", decoder->head_len, known);
    tk_alloc_free(&decoder->alloc, head, room);
}

static void take_text(tk_encoding *decoder, const uint8_t *bytes, size_t len) {
    if (decoder->inferred) {
        take_lines(decoder, bytes, len);
        return;
    }
    if (!decoder->head_len && len >= TK_PROBE_LEN) {
        infer(decoder, bytes, len, TK_PROBE_LEN);
        return;
    }
    uint32_t step = TK_PROBE_LEN - decoder->head_len;
    if (step > len) step = (uint32_t)len;
    if (!tk_alloc_grow(&decoder->alloc, (void **)&decoder->head, &decoder->head_room, decoder->head_len + step, 1))
        return;
    memcpy(decoder->head + decoder->head_len, bytes, step);
    decoder->head_len += step;
    if (decoder->head_len < TK_PROBE_LEN) return;
    infer_from_head(decoder, decoder->head_len);
    take_lines(decoder, bytes + step, len - step);
}

// ---- Feeding -----------------------------------------------------------------------------------

// Skips the rest of a terminal escape sequence; returns the number of bytes skipped.
static size_t skip_colour(tk_encoding *decoder, const uint8_t *bytes, size_t len) {
    size_t at = 0;
    while (at < len && decoder->escape) {
        uint8_t c = bytes[at++];
        if (decoder->escape == ESCAPE_BEGUN && c == '[') decoder->escape = ESCAPE_BODY;
        else if (c >= 0x40 && c <= 0x7E) decoder->escape = ESCAPE_NONE;
        else decoder->escape = ESCAPE_BODY;
    }
    return at;
}

static void feed_text(tk_encoding *decoder, const uint8_t *bytes, size_t len) {
    size_t at = 0;
    while (at < len) {
        at += skip_colour(decoder, bytes + at, len - at);
        if (at == len) break;
        const uint8_t *colour = memchr(bytes + at, 0x1B, len - at);
        size_t step = colour ? (size_t)(colour - bytes) - at : len - at;
        if (step) take_text(decoder, bytes + at, step);
        at += step + (colour != NULL);
        if (colour) decoder->escape = ESCAPE_BEGUN;
    }
}

static tk_status update_status(tk_encoding *decoder) {
    if (decoder->status == TK_OK && decoder->alloc.failed) decoder->status = TK_NO_MEMORY;
    if (decoder->status == TK_OK && decoder->decoded.refused) decoder->status = TK_SINK_REFUSED;
    return decoder->status;
}

static void feed_narrow(tk_encoding *decoder, const uint8_t *bytes, size_t len) {
    if (decoder->kind == TK_ENCODING_JSON) tk_json_feed(&decoder->json, &decoder->decoded, bytes, len);
    else feed_text(decoder, bytes, len);
}

static void feed_wide(tk_encoding *decoder, const uint8_t *bytes, size_t len) {
    uint8_t narrow[1024];
    size_t narrow_len = 0;
    for (size_t i = 0; i < len; i++) {
        decoder->first[decoder->first_len++] = bytes[i];
        if (decoder->first_len < 2) continue;
        decoder->first_len = 0;
        narrow_len += tk_utf16_to_utf8(decoder->order, decoder->first, narrow + narrow_len);
        if (narrow_len + TK_UTF16_MAX_LEN <= sizeof narrow) continue;
        feed_narrow(decoder, narrow, narrow_len);
        narrow_len = 0;
    }
    feed_narrow(decoder, narrow, narrow_len);
}

static void feed_any_width(tk_encoding *decoder, const uint8_t *bytes, size_t len) {
    if (decoder->order) feed_wide(decoder, bytes, len);
    else feed_narrow(decoder, bytes, len);
}

// Decides whether the text is UTF-16, once its first bytes are complete or the text has ended.
static void decide_width(tk_encoding *decoder) {
    uint8_t first[TK_UTF16_HEAD_LEN];
    uint32_t len = decoder->first_len;
    memcpy(first, decoder->first, len);
    decoder->order = tk_utf16_find((struct tk_span){ first, len });
    decoder->width_known = true;
    decoder->first_len = 0;
    feed_any_width(decoder, first, len);
}

static void feed_characters(tk_encoding *decoder, const uint8_t *bytes, size_t len) {
    while (len && !decoder->width_known) {
        decoder->first[decoder->first_len++] = *bytes++;
        len--;
        if (decoder->first_len == TK_UTF16_HEAD_LEN) decide_width(decoder);
    }
    if (len) feed_any_width(decoder, bytes, len);
}

tk_status tk_encoding_feed(tk_encoding *decoder, const uint8_t *bytes, size_t len) {
    if (!decoder || (len && !bytes) || decoder->finished) return TK_MISUSE;
    if (decoder->status != TK_OK || !len) return decoder->status;
    if (decoder->kind == TK_ENCODING_BINARY) tk_text_output_bytes(&decoder->decoded, bytes, len);
    else feed_characters(decoder, bytes, len);
    tk_text_output_flush(&decoder->decoded);
    return update_status(decoder);
}

// Returns the length of the complete lines in the head: an incomplete last line could mislead the inference. If there
// is no complete line, returns the whole length.
static size_t whole_lines(const tk_encoding *decoder) {
    size_t len = decoder->head_len;
    while (len && decoder->head[len - 1] != '\n') len--;
    return len ? len : decoder->head_len;
}

tk_status tk_encoding_detect_now(tk_encoding *decoder) {
    if (!decoder || decoder->finished) return TK_MISUSE;
    if (decoder->status != TK_OK || decoder->inferred || !decoder->head_len) return decoder->status;
    infer_from_head(decoder, whole_lines(decoder));
    tk_text_output_flush(&decoder->decoded);
    return update_status(decoder);
}

static void finish_text(tk_encoding *decoder) {
    if (!decoder->inferred) infer_from_head(decoder, decoder->head_len);
    if (decoder->piece_len || decoder->column > 1)
        take_piece(decoder, (struct tk_span){ decoder->piece, decoder->piece_len }, true);
    end_body(decoder);
}

tk_status tk_encoding_finish(tk_encoding *decoder, struct tk_encoding_result *out_result) {
    if (!decoder || !out_result || decoder->finished) return TK_MISUSE;
    decoder->finished = true;
    if (decoder->status == TK_OK) {
        if (!decoder->width_known) decide_width(decoder);
        if (decoder->kind == TK_ENCODING_JSON) tk_json_end(&decoder->json, &decoder->decoded);
        else if (decoder->kind != TK_ENCODING_BINARY) finish_text(decoder);
        tk_text_output_end(&decoder->decoded);
    }
    *out_result = decoder->decoded.result;
    return update_status(decoder);
}

uint64_t tk_encoding_line(const tk_encoding *decoder, uint32_t block, uint64_t offset) {
    if (!decoder || decoder->kind == TK_ENCODING_BINARY || block >= decoder->decoded.result.blocks) return 0;
    return tk_lines_find(&decoder->decoded.lines, block, offset);
}
