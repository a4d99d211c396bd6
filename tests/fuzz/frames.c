// SPDX-License-Identifier: MIT
//
// Framing and decoding of records. Bytes 0, 1: size of the chunks. However the stream is cut, the pieces must be the
// same and cover every byte once; reading a piece with bytes to spare behind it must tell the same as without.
#include <string.h>

#include "base/alloc.h"
#include "common/check.h"
#include "formats/tonbandgeraet/decode.h"

struct seen {
    uint64_t hash, pieces, bytes;
};

static void *plain_realloc(void *ctx, void *ptr, size_t old_size, size_t new_size) {
    (void)ctx, (void)old_size;
    if (new_size) return realloc(ptr, new_size);
    free(ptr);
    return NULL;
}

static void mix(struct seen *seen, const void *bytes, size_t len) {
    const uint8_t *at = bytes;
    for (size_t i = 0; i < len; i++) seen->hash = (seen->hash ^ at[i]) * 0x100000001b3u;
}

static void look(struct seen *seen, const struct tk_piece *piece) {
    uint64_t facts[] = { piece->len, piece->offset, piece->cut, piece->number, piece->delimited };
    check(piece->offset == seen->bytes);
    check(piece->number == seen->pieces++);
    check(piece->len <= TK_COBS_MAX_PIECE);
    check(!memchr(piece->bytes, 0, piece->len));
    mix(seen, facts, sizeof facts);
    mix(seen, piece->bytes, piece->len);
    seen->bytes += piece->cut + piece->len + piece->delimited;
}

static struct seen cut_into(const uint8_t *data, size_t len, size_t chunk) {
    struct tk_alloc alloc = { .realloc = plain_realloc };
    struct tk_cobs cobs = { 0 };
    struct tk_piece piece;
    struct seen seen = { 0 };
    for (size_t at = 0; at < len; at += chunk) {
        struct tk_cobs_cursor cursor = { data + at, 0, chunk < len - at ? chunk : len - at };
        while (tk_cobs_next(&cobs, &alloc, &cursor, &piece)) look(&seen, &piece);
        check(cursor.at == cursor.len);
    }
    if (tk_cobs_finish(&cobs, &piece)) look(&seen, &piece);
    check(seen.bytes == len);
    tk_cobs_deinit(&cobs, &alloc);
    check(alloc.in_use == 0);
    return seen;
}

static void decode_both_ways(const uint8_t *piece, size_t len, size_t slack) {
    static uint8_t with[TK_COBS_MAX_PIECE + TB_SCRATCH_MORE], without[TK_COBS_MAX_PIECE + TB_SCRATCH_MORE];
    struct tk_event a = { 0 }, b = { 0 };
    uint8_t a_id = 0, b_id = 0;
    if (!len) return;
    uint8_t *alone = malloc(len); // nothing behind it
    check(alone);
    memcpy(alone, piece, len);
    enum tb_verdict verdict = tb_decode_piece(piece, len, slack, with, &a, &a_id);
    check(verdict == tb_decode_piece(alone, len, 0, without, &b, &b_id));
    if (verdict == TB_OK) {
        check(a_id == b_id && a.kind == b.kind && a.timed == b.timed && a.id == b.id && a.arg == b.arg && a.value == b.value && a.str_len == b.str_len);
        check(!a.timed || a.ticks == b.ticks);
        check(!a.str_len || !memcmp(a.str, b.str, a.str_len));
        check(tb_record_name(a_id));
    } else {
        check(tb_text_before_frame(alone, len, without) < len);
    }
    free(alone);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len) {
    if (len < 2) return 0;
    size_t chunk = 1 + data[0] + (data[1] & 3) * 256u;
    data += 2;
    len -= 2;
    struct seen whole = cut_into(data, len, len ? len : 1), cut = cut_into(data, len, chunk), single = cut_into(data, len, 1);
    check(whole.hash == cut.hash && whole.pieces == cut.pieces && whole.hash == single.hash);
    for (size_t at = 0; at < len;) {
        size_t piece = tk_find_zero(data + at, len - at);
        decode_both_ways(data + at, piece, len - at - piece);
        at += piece + 1;
    }
    return 0;
}
