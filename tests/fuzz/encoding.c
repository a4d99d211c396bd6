// SPDX-License-Identifier: MIT
//
// Text encodings. Byte 0: the encoding, or as recognised; 1: chunk size. Decoded bytes, counts and messages must be the
// same for any chunking.
#include <string.h>

#include "base/utf8.h"
#include "common/check.h"
#include "common/heap.h"
#include "tonkopf.h"

struct decoded {
    uint64_t hash, bytes;
    uint32_t weight;
    uint32_t blocks;
    struct tk_encoding_result result;
    uint64_t line;
};

static void mix(struct decoded *to, const void *bytes, size_t len) {
    const uint8_t *at = bytes;
    for (size_t i = 0; i < len; i++) to->hash = (to->hash ^ at[i]) * 0x100000001b3u;
}

// A checksum weighted by position: a gap in a dump becomes many bytes, which are added eight at a time.
#if defined(__clang__)
__attribute__((no_sanitize("address", "undefined")))
#endif
static uint32_t
weigh(const uint8_t *bytes, size_t len, uint64_t place) {
    uint32_t sum = 0;
    for (size_t i = 0; i < len; i++) sum += bytes[i] * ((uint32_t)(place + i) * 0x9E3779B1u | 1u);
    return sum;
}

static bool begin(void *ctx, uint32_t block, int32_t core, const char *title, size_t title_len) {
    struct decoded *to = ctx;
    check(block <= to->blocks); // again: its core or title became known late
    if (block == to->blocks) to->blocks++;
    check(core >= -1);
    mix(to, &core, sizeof core);
    mix(to, title, title_len);
    return true;
}

static bool data_of(void *ctx, uint32_t block, const uint8_t *bytes, size_t len) {
    struct decoded *to = ctx;
    check(block < to->blocks);
    check(!len || bytes[0] + bytes[len - 1] >= 0); // readable at both ends
    to->weight += weigh(bytes, len, to->bytes);
    to->bytes += len;
    return true;
}

// settle: as for a live stream, after the first chunk.
static void decode(const uint8_t *text, size_t len, size_t chunk, tk_encoding_kind kind, bool resolve,
                   struct decoded *out) {
    const struct tk_allocator allocator = heap_allocator();
    struct tk_encoding_sink sink = { out, begin, data_of };
    tk_encoding *decoder;
    memset(out, 0, sizeof *out);
    check(tk_encoding_new(&allocator, kind, &sink, &decoder) == TK_OK);
    for (size_t at = 0, step; at < len; at += step) {
        step = chunk < len - at ? chunk : len - at;
        unsigned char *copy = heap_copy(text + at, step);
        check(tk_encoding_feed(decoder, copy, step) == TK_OK);
        heap_drop(copy, step);
        check(at || !resolve || tk_encoding_detect_now(decoder) == TK_OK);
    }
    check(tk_encoding_finish(decoder, &out->result) == TK_OK);
    check(out->result.bytes == out->bytes && out->result.blocks == out->blocks);
    check(memchr(out->result.bad_text, 0, sizeof out->result.bad_text) &&
          memchr(out->result.mode, 0, sizeof out->result.mode));
    check(tk_utf8_is_clean((const uint8_t *)out->result.bad_text, strlen(out->result.bad_text)));
    out->line = tk_encoding_line(decoder, 0, out->bytes / 2);
    tk_encoding_free(decoder);
    heap_reset();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len) {
    struct tk_encoding_probe probe;
    if (len < 2) return 0;
    unsigned head = data[0];
    size_t chunk = 1u + data[1];
    data += 2;
    len -= 2;
    tk_encoding_probe(data, len, &probe);
    check(memchr(probe.reason, 0, sizeof probe.reason));
    tk_encoding_kind kind = head & 4 ? probe.kind : (tk_encoding_kind)(head & 3);
    struct decoded whole, cut, live;
    decode(data, len, len ? len : 1, kind, false, &whole);
    decode(data, len, chunk, kind, false, &cut);
    decode(data, len, chunk, kind, true, &live);
    check(whole.hash == cut.hash && whole.weight == cut.weight && whole.blocks == cut.blocks && whole.line == cut.line);
    check(whole.result.bytes == cut.result.bytes && whole.result.ignored == cut.result.ignored &&
          whole.result.bad == cut.result.bad);
    check(whole.result.bad_line == cut.result.bad_line && whole.result.bad_column == cut.result.bad_column);
    check(!strcmp(whole.result.bad_text, cut.result.bad_text) && !strcmp(whole.result.mode, cut.result.mode));
    return 0;
}
