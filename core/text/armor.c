// SPDX-License-Identifier: MIT
//
// Cuts text into lines, finds START and END, and hands the lines to the reader of the kind.
#include "tonkopf.h"

#include "base64.h"
#include "hex.h"
#include "json.h"
#include "utf16.h"

enum escape_state { ESCAPE_NONE, ESCAPE_BEGUN, ESCAPE_BODY };

struct tk_armor {
    struct tk_alloc alloc;
    tk_armor_kind kind;
    tk_status status;
    bool finished;
    enum tk_utf16 order;
    uint32_t first_len; // of `first`, which decides whether the text is UTF-16; then half a character
    uint8_t first[TK_UTF16_HEAD_LEN];
    bool width_known;
    enum escape_state escape; // a terminal colour, which may be cut
    // The first TK_PROBE_LEN bytes, until the dress is known.
    bool learned;
    uint8_t *head;
    uint32_t head_len, head_room;
    // Lines. A piece is copied only when a chunk cuts it.
    uint8_t piece[TK_PIECE_LEN];
    size_t piece_len;
    uint64_t column;     // of the piece's first character, from 1
    bool marked, inside; // START lines exist; we are behind one
    struct tk_hex hex;
    struct tk_base64 base64;
    struct tk_json json;
    struct tk_decoded decoded;
};

tk_status tk_armor_new(const struct tk_allocator *allocator, tk_armor_kind kind, const struct tk_armor_sink *sink, tk_armor **out_armor) {
    if (!out_armor) return TK_MISUSE;
    *out_armor = NULL;
    if (!allocator || !allocator->realloc || !sink || !sink->begin || !sink->data) return TK_MISUSE;
    struct tk_alloc alloc = {.realloc = allocator->realloc, .ctx = allocator->ctx};
    tk_armor *armor = tk_alloc_zero(&alloc, sizeof *armor);
    if (!armor) return TK_NO_MEMORY;
    armor->alloc = alloc;
    armor->kind = kind;
    armor->column = 1;
    tk_decoded_init(&armor->decoded, &armor->alloc, sink);
    tk_json_init(&armor->json);
    *out_armor = armor;
    return TK_OK;
}

void tk_armor_free(tk_armor *armor) {
    if (!armor) return;
    struct tk_alloc alloc = armor->alloc;
    tk_alloc_free(&alloc, armor->head, armor->head_room);
    armor->decoded.alloc = &alloc;
    tk_decoded_deinit(&armor->decoded);
    tk_alloc_free(&alloc, armor, sizeof *armor);
}

// ---- Lines -------------------------------------------------------------------------------------

static void end_body(tk_armor *armor) {
    if (armor->kind == TK_ARMOR_HEX) tk_hex_end(&armor->hex, &armor->decoded);
    else if (armor->kind == TK_ARMOR_BASE64) tk_base64_end(&armor->base64, &armor->decoded);
    tk_decoded_end(&armor->decoded);
}

static void take_marker(tk_armor *armor, enum tk_marker marker) {
    if (!armor->marked || armor->inside) end_body(armor);
    armor->marked = true;
    armor->inside = marker == TK_MARKER_START;
    if (armor->inside) tk_decoded_begin(&armor->decoded, -1);
}

static void take_piece(tk_armor *armor, struct tk_span piece, bool last) {
    struct tk_decoded *decoded = &armor->decoded;
    bool first = armor->column == 1;
    enum tk_marker marker = first && last ? tk_dress_marker(piece) : TK_MARKER_NONE;
    if (marker) {
        decoded->result.ignored += tk_count_ink(piece.at, piece.len);
        take_marker(armor, marker);
    } else if (armor->marked && !armor->inside) {
        decoded->result.ignored += tk_count_ink(piece.at, piece.len);
    } else if (armor->kind == TK_ARMOR_HEX) {
        tk_hex_line(&armor->hex, decoded, piece, armor->column, first, last);
    } else {
        tk_base64_line(&armor->base64, decoded, piece, armor->column, first, last);
    }
    armor->column += piece.len;
    armor->piece_len = 0;
    if (!last) return;
    armor->column = 1;
    decoded->line++;
}

// Takes one piece, or keeps the bytes for one. Returns how many bytes it used.
static size_t take_some(tk_armor *armor, const uint8_t *bytes, size_t len) {
    size_t room = TK_PIECE_LEN - armor->piece_len;
    size_t part = len < room ? len : room;
    const uint8_t *end = memchr(bytes, '\n', part);
    if (end) part = (size_t)(end - bytes);
    bool whole = end || part == room;
    if (armor->piece_len || !whole) {
        memcpy(armor->piece + armor->piece_len, bytes, part);
        armor->piece_len += part;
    }
    if (whole) {
        struct tk_span piece = {armor->piece_len ? armor->piece : bytes, armor->piece_len ? armor->piece_len : part};
        take_piece(armor, piece, end != NULL);
    }
    return part + (end != NULL);
}

static void take_lines(tk_armor *armor, const uint8_t *bytes, size_t len) {
    while (len && !armor->decoded.refused) {
        size_t used = take_some(armor, bytes, len);
        bytes += used;
        len -= used;
    }
}

// ---- The first bytes ---------------------------------------------------------------------------

static size_t byte_order_mark(const uint8_t *bytes, size_t len) { return len >= 3 && !memcmp(bytes, "\xEF\xBB\xBF", 3) ? 3 : 0; }

// The host has decided on the kind, perhaps against what the text looks like; only the dress is looked for, in the
// first `known` bytes.
static void learn(tk_armor *armor, const uint8_t *bytes, size_t len, size_t known) {
    size_t skip = byte_order_mark(bytes, len);
    struct tk_span head = {bytes + skip, known > skip ? known - skip : 0};
    struct tk_dress dress;
    struct tk_base64_style base64;
    tk_dress_learn(head, &dress);
    (void)tk_base64_learn(tk_dress_region(head, &armor->marked), &base64);
    tk_hex_init(&armor->hex, &dress);
    tk_base64_init(&armor->base64, &base64);
    armor->learned = true;
    take_lines(armor, bytes + skip, len - skip);
}

static void learn_from_head(tk_armor *armor, size_t known) {
    uint32_t room = armor->head_room;
    uint8_t *head = armor->head;
    armor->head = NULL;
    armor->head_room = 0;
    learn(armor, head ? head : (const uint8_t *)"", armor->head_len, known);
    tk_alloc_free(&armor->alloc, head, room);
}

static void take_text(tk_armor *armor, const uint8_t *bytes, size_t len) {
    if (armor->learned) {
        take_lines(armor, bytes, len);
        return;
    }
    if (!armor->head_len && len >= TK_PROBE_LEN) {
        learn(armor, bytes, len, TK_PROBE_LEN);
        return;
    }
    uint32_t part = TK_PROBE_LEN - armor->head_len;
    if (part > len) part = (uint32_t)len;
    if (!tk_alloc_grow(&armor->alloc, (void **)&armor->head, &armor->head_room, armor->head_len + part, 1)) return;
    memcpy(armor->head + armor->head_len, bytes, part);
    armor->head_len += part;
    if (armor->head_len < TK_PROBE_LEN) return;
    learn_from_head(armor, armor->head_len);
    take_lines(armor, bytes + part, len - part);
}

// ---- Feeding -----------------------------------------------------------------------------------

// Skips what is left of a terminal colour; returns how many bytes.
static size_t skip_colour(tk_armor *armor, const uint8_t *bytes, size_t len) {
    size_t at = 0;
    while (at < len && armor->escape) {
        uint8_t c = bytes[at++];
        if (armor->escape == ESCAPE_BEGUN && c == '[') armor->escape = ESCAPE_BODY;
        else if (c >= 0x40 && c <= 0x7E) armor->escape = ESCAPE_NONE;
        else armor->escape = ESCAPE_BODY;
    }
    return at;
}

static void feed_text(tk_armor *armor, const uint8_t *bytes, size_t len) {
    size_t at = 0;
    while (at < len) {
        at += skip_colour(armor, bytes + at, len - at);
        if (at == len) break;
        const uint8_t *colour = memchr(bytes + at, 0x1B, len - at);
        size_t part = colour ? (size_t)(colour - bytes) - at : len - at;
        if (part) take_text(armor, bytes + at, part);
        at += part + (colour != NULL);
        if (colour) armor->escape = ESCAPE_BEGUN;
    }
}

static tk_status update_status(tk_armor *armor) {
    if (armor->status == TK_OK && armor->alloc.failed) armor->status = TK_NO_MEMORY;
    if (armor->status == TK_OK && armor->decoded.refused) armor->status = TK_SINK_REFUSED;
    return armor->status;
}

static void feed_narrow(tk_armor *armor, const uint8_t *bytes, size_t len) {
    if (armor->kind == TK_ARMOR_JSON) tk_json_feed(&armor->json, &armor->decoded, bytes, len);
    else feed_text(armor, bytes, len);
}

static void feed_wide(tk_armor *armor, const uint8_t *bytes, size_t len) {
    uint8_t narrow[1024];
    size_t narrow_len = 0;
    for (size_t i = 0; i < len; i++) {
        armor->first[armor->first_len++] = bytes[i];
        if (armor->first_len < 2) continue;
        armor->first_len = 0;
        narrow_len += tk_utf16_to_utf8(armor->order, armor->first, narrow + narrow_len);
        if (narrow_len + TK_UTF16_MAX_LEN <= sizeof narrow) continue;
        feed_narrow(armor, narrow, narrow_len);
        narrow_len = 0;
    }
    feed_narrow(armor, narrow, narrow_len);
}

static void feed_any_width(tk_armor *armor, const uint8_t *bytes, size_t len) {
    if (armor->order) feed_wide(armor, bytes, len);
    else feed_narrow(armor, bytes, len);
}

// The first bytes have come, or there are no more.
static void decide_width(tk_armor *armor) {
    uint8_t first[TK_UTF16_HEAD_LEN];
    uint32_t len = armor->first_len;
    memcpy(first, armor->first, len);
    armor->order = tk_utf16_find((struct tk_span){first, len});
    armor->width_known = true;
    armor->first_len = 0;
    feed_any_width(armor, first, len);
}

static void feed_characters(tk_armor *armor, const uint8_t *bytes, size_t len) {
    while (len && !armor->width_known) {
        armor->first[armor->first_len++] = *bytes++;
        len--;
        if (armor->first_len == TK_UTF16_HEAD_LEN) decide_width(armor);
    }
    if (len) feed_any_width(armor, bytes, len);
}

tk_status tk_armor_feed(tk_armor *armor, const uint8_t *bytes, size_t len) {
    if (!armor || (len && !bytes) || armor->finished) return TK_MISUSE;
    if (armor->status != TK_OK || !len) return armor->status;
    if (armor->kind == TK_ARMOR_BINARY) tk_decoded_bytes(&armor->decoded, bytes, len);
    else feed_characters(armor, bytes, len);
    tk_decoded_flush(&armor->decoded);
    return update_status(armor);
}

// Whole lines only: of one that is cut nobody knows what it will be.
static size_t whole_lines(const tk_armor *armor) {
    size_t len = armor->head_len;
    while (len && armor->head[len - 1] != '\n') len--;
    return len ? len : armor->head_len;
}

tk_status tk_armor_settle(tk_armor *armor) {
    if (!armor || armor->finished) return TK_MISUSE;
    if (armor->status != TK_OK || armor->learned || !armor->head_len) return armor->status;
    learn_from_head(armor, whole_lines(armor));
    tk_decoded_flush(&armor->decoded);
    return update_status(armor);
}

static void finish_text(tk_armor *armor) {
    if (!armor->learned) learn_from_head(armor, armor->head_len);
    if (armor->piece_len || armor->column > 1) take_piece(armor, (struct tk_span){armor->piece, armor->piece_len}, true);
    end_body(armor);
}

tk_status tk_armor_finish(tk_armor *armor, struct tk_armor_result *out_result) {
    if (!armor || !out_result || armor->finished) return TK_MISUSE;
    armor->finished = true;
    if (armor->status == TK_OK) {
        if (!armor->width_known) decide_width(armor);
        if (armor->kind == TK_ARMOR_JSON) tk_json_end(&armor->json, &armor->decoded);
        else if (armor->kind != TK_ARMOR_BINARY) finish_text(armor);
        tk_decoded_end(&armor->decoded);
    }
    *out_result = armor->decoded.result;
    return update_status(armor);
}

uint64_t tk_armor_line(const tk_armor *armor, uint32_t block, uint64_t offset) {
    if (!armor || armor->kind == TK_ARMOR_BINARY || block >= armor->decoded.result.blocks) return 0;
    return tk_lines_find(&armor->decoded.lines, block, offset);
}
