// SPDX-License-Identifier: MIT
//
// A flux stream with a packed block, or a block within a block, whose content is damaged while the block itself is
// valid. After the bytes of common/decoding.h, byte 0: method, whether the rest is packed already, nested, wrong size;
// 1: start of the block, in units of four; 2: position of the damage; 3: the change there.
#include <string.h>

#include "common/check.h"
#include "common/decoding.h"
#include "common/take.h"

enum { MOST_INSIDE = 4096, MORE_PACKED = 64 };
enum { IS_PACKED = 4, IS_NESTED = 8, LIES = 16 };
enum { LZ4, FASTLZ, ZLIB, GZIP, METHODS };

struct bytes {
    uint8_t at[2 * MOST_INSIDE];
    size_t len;
};

static void put(struct bytes *out, const void *bytes, size_t len) {
    check(len <= sizeof out->at - out->len);
    if (len) memcpy(out->at + out->len, bytes, len);
    out->len += len;
}

static void put_byte(struct bytes *out, unsigned byte) { put(out, &(uint8_t){ (uint8_t)byte }, 1); }

static void put_number(struct bytes *out, size_t number) {
    for (; number >= 0x80; number >>= 7) put_byte(out, ((unsigned)number & 0x7F) | 0x80);
    put_byte(out, (unsigned)number);
}

// ---- Packed without matches: damage creates some ----

static void pack_lz4(struct bytes *out, const uint8_t *in, size_t len) {
    size_t rest = len - 15;
    put_byte(out, (unsigned)(len < 15 ? len : 15) << 4);
    for (; len >= 15 && rest >= 255; rest -= 255) put_byte(out, 255);
    if (len >= 15) put_byte(out, (unsigned)rest);
    put(out, in, len);
}

static void pack_fastlz(struct bytes *out, const uint8_t *in, size_t len) {
    for (size_t run; len; in += run, len -= run) {
        run = len < 32 ? len : 32;
        put_byte(out, (unsigned)run - 1);
        put(out, in, run);
    }
}

static void put_stored(struct bytes *out, const uint8_t *in, size_t len) {
    const uint8_t head[] = { 1, (uint8_t)len, (uint8_t)(len >> 8), (uint8_t)~len, (uint8_t)(~len >> 8) };
    put(out, head, sizeof head);
    put(out, in, len);
}

static void pack_zlib(struct bytes *out, const uint8_t *in, size_t len) {
    uint32_t a = 1, b = 0;
    put(out, "\x78\x01", 2);
    put_stored(out, in, len);
    for (size_t i = 0; i < len; i++) a = (a + in[i]) % 65521, b = (b + a) % 65521;
    for (int shift = 24; shift >= 0; shift -= 8) put_byte(out, (b << 16 | a) >> shift);
}

static void pack_gzip(struct bytes *out, const uint8_t *in, size_t len) {
    uint32_t sum = UINT32_MAX;
    put(out, "\x1F\x8B\x08\0\0\0\0\0\0\xFF", 10);
    put_stored(out, in, len);
    for (size_t i = 0; i < 8 * len; i++) sum = sum >> 1 ^ ((sum ^ in[i / 8] >> i % 8) & 1 ? 0xEDB88320 : 0);
    for (int shift = 0; shift < 32; shift += 8) put_byte(out, ~sum >> shift);
    for (int shift = 0; shift < 32; shift += 8) put_byte(out, (unsigned)len >> shift);
}

static void (*const pack[METHODS])(struct bytes *out, const uint8_t *in, size_t len) = {
    [LZ4] = pack_lz4, [FASTLZ] = pack_fastlz, [ZLIB] = pack_zlib, [GZIP] = pack_gzip
};

// ---- Blocks ----

static void put_block(struct bytes *out, unsigned method, const struct bytes *packed, size_t size) {
    put(out, "\0\x05", 2);
    put_byte(out, method);
    put_number(out, size);
    put_number(out, packed->len);
    put(out, packed->at, packed->len);
}

static void put_within(struct bytes *out, const struct bytes *block) {
    static struct bytes packed;
    packed.len = 0;
    pack_lz4(&packed, block->at, block->len);
    put_block(out, LZ4, &packed, block->len);
}

static size_t build(const uint8_t *bytes, size_t len, uint8_t *out, size_t room) {
    static struct bytes packed, block, whole;
    struct take from = { bytes, bytes + len };
    unsigned how = take_byte(&from), begin = take_byte(&from), place = take_byte(&from), change = take_byte(&from),
             method = how % METHODS;
    size_t head_len, inside_len, size;
    const uint8_t *head = take_bytes(&from, begin * 4, &head_len),
                  *inside = take_bytes(&from, MOST_INSIDE - MORE_PACKED - head_len, &inside_len);
    packed.len = block.len = whole.len = 0;
    if (how & IS_PACKED) put(&packed, inside, inside_len);
    else pack[method](&packed, inside, inside_len);
    if (packed.len) packed.at[place * packed.len / 256] ^= (uint8_t)change;
    size = how & IS_PACKED ? inside_len * 3 : inside_len;
    put_block(&block, method, &packed, how & LIES ? size * (how >> 5) / 3 : size);
    put(&whole, head, head_len);
    if (how & IS_NESTED) put_within(&whole, &block);
    else put(&whole, block.at, block.len);
    check(whole.len <= room);
    memcpy(out, whole.at, whole.len);
    return whole.len;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len) {
    static const struct decoding_option options[] = { { 3, 1, "time-scale", "real" },
                                                      { 3, 2, "time-scale", "fine" },
                                                      { 0 } };
    static const struct decoding_job job = { .decoder = &tk_decoder_flux, .options = options, .build = build };
    decoding_try(&job, data, len);
    return 0;
}
