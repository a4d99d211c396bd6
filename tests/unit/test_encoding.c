// SPDX-License-Identifier: MIT
//
// Text encodings: every notation with every chunking, problems with their position, lines, blocks, hostile hosts, real
// samples.
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "encoding_examples.h"

// ---- A host ------------------------------------------------------------------------------------

enum { MAX_BLOCKS = 8 };

struct host {
    struct tk_encoding_probe probe;
    struct tk_encoding_result result;
    tk_status status;
    uint8_t *bytes[MAX_BLOCKS];
    size_t len[MAX_BLOCKS];
    int32_t core[MAX_BLOCKS];
    char title[MAX_BLOCKS][160];
    uint32_t begins;
    size_t refuse_after; // calls of the data callback; 0: unlimited
    size_t calls;
    // allocator
    size_t in_use, peak;
    size_t fail_at, allocs; // the n-th allocation fails, 0: none
    tk_encoding *decoder;
};

static void *host_realloc(void *ctx, void *ptr, size_t old_size, size_t new_size) {
    struct host *host = ctx;
    if (new_size > old_size && ++host->allocs == host->fail_at) return NULL;
    host->in_use += new_size - old_size;
    if (host->in_use > host->peak) host->peak = host->in_use;
    if (!new_size) {
        free(ptr);
        return NULL;
    }
    return realloc(ptr, new_size);
}

static bool host_begin(void *ctx, uint32_t block, int32_t core, const char *title, size_t title_len) {
    struct host *host = ctx;
    host->begins++;
    if (block >= MAX_BLOCKS) return true;
    host->core[block] = core;
    assert_true(title_len < sizeof host->title[0]);
    memcpy(host->title[block], title, title_len);
    host->title[block][title_len] = 0;
    return true;
}

static bool host_data(void *ctx, uint32_t block, const uint8_t *bytes, size_t len) {
    struct host *host = ctx;
    if (host->refuse_after && ++host->calls >= host->refuse_after) return false;
    assert_true(len > 0);
    if (block >= MAX_BLOCKS) return true;
    host->bytes[block] = realloc(host->bytes[block], host->len[block] + len);
    memcpy(host->bytes[block] + host->len[block], bytes, len);
    host->len[block] += len;
    return true;
}

static tk_status feed_all(struct host *host, const char *text, size_t len, size_t chunk) {
    for (size_t at = 0; at < len; at += chunk) {
        // A copy of exactly this size, so that a sanitizer detects reads beyond the chunk.
        size_t part = len - at < chunk ? len - at : chunk;
        uint8_t *copy = malloc(part);
        memcpy(copy, text + at, part);
        tk_status status = tk_encoding_feed(host->decoder, copy, part);
        free(copy);
        if (status != TK_OK) return status;
    }
    return TK_OK;
}

static void read_as(struct host *host, tk_encoding_kind kind, const char *text, size_t len, size_t chunk) {
    struct tk_allocator allocator = { host_realloc, host };
    struct tk_encoding_sink sink = { host, host_begin, host_data };
    host->status = tk_encoding_new(&allocator, kind, &sink, &host->decoder);
    if (host->status != TK_OK) return;
    host->status = feed_all(host, text, len, chunk);
    tk_status finished = tk_encoding_finish(host->decoder, &host->result);
    if (host->status != TK_OK) assert_int_equal(finished, host->status);
    host->status = finished;
}

static void drop(struct host *host) {
    tk_encoding_free(host->decoder);
    assert_int_equal(host->in_use, 0);
    for (int i = 0; i < MAX_BLOCKS; i++) free(host->bytes[i]);
}

// *host must not move until drop: the decoder calls its allocator.
static void read_bytes(struct host *host, const char *text, size_t len, size_t chunk) {
    memset(host, 0, sizeof *host);
    tk_encoding_probe((const uint8_t *)text, len, &host->probe);
    read_as(host, host->probe.kind, text, len, chunk);
}

static void read_text(struct host *host, const char *text, size_t chunk) {
    read_bytes(host, text, strlen(text), chunk);
}

static void expect_bytes(const struct host *host, uint32_t block, const void *bytes, size_t len, const char *what) {
    if (host->len[block] == len && (!len || !memcmp(host->bytes[block], bytes, len))) return;
    fail_msg("%s: %zu bytes instead of %zu, or others; recognised as: %s; %s", what, host->len[block], len,
             host->probe.reason, host->result.bad_text);
}

static void expect_kind_of(const char *text, size_t len, tk_encoding_kind kind) {
    struct tk_encoding_probe probe;
    tk_encoding_probe((const uint8_t *)text, len, &probe);
    if (probe.kind != kind) fail_msg("kind %d instead of %d (%s) for: %.60s", probe.kind, kind, probe.reason, text);
    assert_true(probe.reason[0]);
}

static void expect_kind(const char *text, tk_encoding_kind kind) { expect_kind_of(text, strlen(text), kind); }

// ---- Notations ---------------------------------------------------------------------------------

static size_t text_len(const struct encoding_case *example) {
    return example->text_len ? example->text_len : strlen(example->text);
}

static const size_t cuts[] = { 1, 2, 3, 7, 64, 4096, 1 << 20 };

static void every_encoding_in_every_chunk_size(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof encoding_cases / sizeof *encoding_cases; i++) {
        const struct encoding_case *example = &encoding_cases[i];
        expect_kind_of(example->text, text_len(example), example->kind);
        for (size_t k = 0; k < sizeof cuts / sizeof *cuts; k++) {
            struct host host;
            read_bytes(&host, example->text, text_len(example), cuts[k]);
            assert_int_equal(host.status, TK_OK);
            expect_bytes(&host, 0, encoded_bytes, example->len, example->name);
            assert_int_equal(host.result.blocks, 1);
            assert_int_equal(host.result.bytes, example->len);
            if (host.result.bad || host.result.bad_text[0]) fail_msg("%s: %s", example->name, host.result.bad_text);
            drop(&host);
        }
    }
}

// For any truncation, the bytes before it are decoded unchanged.
static void every_encoding_truncated(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof encoding_cases / sizeof *encoding_cases; i++) {
        const struct encoding_case *example = &encoding_cases[i];
        size_t len = text_len(example);
        // Only a number of three digits distinguishes a decimal list from hex.
        const char *proof = strncmp(example->name, "decimal", 7) ? NULL : strstr(example->text, "100");
        for (size_t cut = proof ? (size_t)(proof + 4 - example->text) : len * 2 / 3; cut < len; cut++) {
            struct host host = { .refuse_after = 0 };
            tk_encoding_probe((const uint8_t *)example->text, cut, &host.probe);
            read_as(&host, example->kind, example->text, cut, 16);
            assert_int_equal(host.status, TK_OK);
            if (host.probe.kind != example->kind) fail_msg("%s, cut at %zu: %s", example->name, cut, host.probe.reason);
            // The last row or number may be incomplete.
            size_t sure = host.len[0] > 16 ? host.len[0] - 16 : 0;
            if (sure > example->len || memcmp(host.bytes[0], encoded_bytes, sure))
                fail_msg("%s, cut at %zu: other bytes", example->name, cut);
            drop(&host);
        }
    }
}

static void short_texts(void **state) {
    (void)state;
    expect_kind("deadbeef", TK_ENCODING_HEX);
    expect_kind("face", TK_ENCODING_HEX);
    expect_kind("03", TK_ENCODING_HEX);
    expect_kind("03 02", TK_ENCODING_HEX);
    expect_kind("0x03", TK_ENCODING_HEX);
    expect_kind("AwIBAAID", TK_ENCODING_BASE64);
    expect_kind("AwIBAA==", TK_ENCODING_BASE64);
    expect_kind("03020100020305495352300007030149", TK_ENCODING_HEX); // also base64, but of hex digits only
    expect_kind("", TK_ENCODING_BINARY);
    expect_kind(" \n\n", TK_ENCODING_BINARY);
    expect_kind("a", TK_ENCODING_BINARY);
    expect_kind("add", TK_ENCODING_BINARY);
    expect_kind("hello", TK_ENCODING_BINARY);
    expect_kind("Documentation", TK_ENCODING_BINARY);
}

static void other_texts_are_passed_on(void **state) {
    (void)state;
    expect_kind(
        "# Tonkopf\n\nTurns what a microcontroller recorded into a trace.\n\n- drop a file\n- or paste `03 02 01 00`\n",
        TK_ENCODING_BINARY);
    expect_kind("{\n \"size\": 3788,\n \"notes\": [1, 2, 3],\n \"version\": 14\n}\n", TK_ENCODING_BINARY);
    expect_kind(
        "{\"Base\":{\"ts\":1000,\"kind\":{\"Valmarker\":{\"valmarker_id\":1,\"val\":0}}}}\n{\"Base\":{\"ts\":1000}}\n",
        TK_ENCODING_BINARY);
    expect_kind("# <byte offset> <nanoseconds since the first byte>\n0 0\n10 22453\n20 74431\n6500 123456789\n",
                TK_ENCODING_BINARY);
    expect_kind(
        " .text          0x08000000      0x1a4 main.o\n                0x08000146                main.board_init\n"
        " .text.idle     0x080001a4       0x20 main.o\n",
        TK_ENCODING_BINARY);
    expect_kind("Obj-Dict 0x20001234->AO_Table\nUsr-Dict 00000100->PHILO_STAT\n", TK_ENCODING_BINARY);
    expect_kind("0000000001 AO-Post  Sdr=QTimer,Obj=AO_Table\n0000000002 AO-GetL  Obj=AO_Table\n", TK_ENCODING_BINARY);
    expect_kind("int main(void) {\n    int a = 3, b = 0x10;\n    return a + b;\n}\n", TK_ENCODING_BINARY);
}

static void binary_is_never_text(void **state) {
    (void)state;
    struct tk_encoding_probe probe;
    static const uint8_t frames[] = { 3, 2, 1, 0, 2, 3, 5, 'I', 'S', 'R', '0', 0, 7, 3, 1, 'I', 'S', 'R', '1', 0 };
    tk_encoding_probe(frames, sizeof frames, &probe);
    assert_int_equal(probe.kind, TK_ENCODING_BINARY);
    // Boot messages that look like hex, then frames.
    uint8_t boot[400];
    memset(boot, 'a', 300);
    for (size_t i = 0; i < 100; i++) boot[300 + i] = frames[i % sizeof frames];
    tk_encoding_probe(boot, sizeof boot, &probe);
    assert_int_equal(probe.kind, TK_ENCODING_BINARY);
    assert_non_null(strstr(probe.reason, "offset 300"));
    // A string with its terminating zero, copied from memory, is text.
    tk_encoding_probe((const uint8_t *)"0302010002030549535230000703014953523100", 41, &probe);
    assert_int_equal(probe.kind, TK_ENCODING_HEX);
    // Many random inputs.
    uint32_t random = 1;
    for (int round = 0; round < 2000; round++) {
        uint8_t noise[64];
        for (size_t i = 0; i < sizeof noise; i++) noise[i] = (uint8_t)((random = random * 1664525 + 1013904223) >> 24);
        tk_encoding_probe(noise, sizeof noise, &probe);
        assert_int_equal(probe.kind, TK_ENCODING_BINARY);
    }
}

// ---- Random bytes in every notation ------------------------------------------------------------

enum { ANY_BYTES = 700, ANY_TEXT = 64 * ANY_BYTES };

struct any {
    char text[ANY_TEXT];
    size_t len;
};

static void put(struct any *any, const char *format, unsigned value) {
    any->len += (size_t)snprintf(any->text + any->len, ANY_TEXT - any->len, format, value);
}

static void put_bits(struct any *any, uint8_t byte) {
    for (int bit = 7; bit >= 0; bit--) put(any, "%u", byte >> bit & 1u);
}

// Lines of `step` bytes after an address; a last line with the length if the tool writes one.
static void put_rows(struct any *any, const uint8_t *bytes, size_t len, size_t step, const char *address,
                     const char *group) {
    for (size_t at = 0; at < len; at += step) {
        put(any, address, (unsigned)at);
        for (size_t i = at; i < at + step && i < len; i++) {
            if (group) put(any, group, bytes[i]);
            else put(any, " ", 0), put_bits(any, bytes[i]);
        }
        put(any, "\n", 0);
    }
}

static void write_decimal(struct any *any, const uint8_t *bytes, size_t len) {
    for (size_t i = 0; i < len; i++) put(any, i ? ", %u" : "%u", bytes[i]);
}

static void write_columns(struct any *any, const uint8_t *bytes, size_t len) {
    for (size_t i = 0; i < len; i++) put(any, i % 16 == 15 ? "%4u\n" : "%4u", bytes[i]);
}

static void write_octal(struct any *any, const uint8_t *bytes, size_t len) {
    put_rows(any, bytes, len, 16, "%07o", " %03o");
    put(any, "%07o\n", (unsigned)len);
}

static void write_octal_words(struct any *any, const uint8_t *bytes, size_t len) {
    for (size_t at = 0; at < len; at += 2) {
        if (at % 16 == 0) put(any, at ? "\n%07o" : "%07o", (unsigned)at);
        put(any, " %06o", bytes[at] | (at + 1 < len ? (unsigned)bytes[at + 1] << 8 : 0u));
    }
    put(any, "\n%07o\n", (unsigned)len);
}

static void write_gdb(struct any *any, const uint8_t *bytes, size_t len) {
    put_rows(any, bytes, len, 8, "0x%x <buf>:", "\t%u");
}
static void write_bits(struct any *any, const uint8_t *bytes, size_t len) {
    put_rows(any, bytes, len, 6, "%08x:", NULL);
}

static void write_listed(struct any *any, const uint8_t *bytes, size_t len) {
    put(any, "Uint8Array(%u) [\n  ", (unsigned)len);
    write_decimal(any, bytes, len);
    put(any, "\n]\n", 0);
}

static void write_json_buffer(struct any *any, const uint8_t *bytes, size_t len) {
    put(any, "{\"type\":\"Buffer\",\"data\":[", 0);
    write_decimal(any, bytes, len);
    put(any, "]}", 0);
}

static void write_base32(struct any *any, const uint8_t *bytes, size_t len) {
    for (size_t bit = 0; bit < 8 * len; bit += 5) {
        unsigned pair = (unsigned)bytes[bit / 8] << 8 | (bit / 8 + 1 < len ? bytes[bit / 8 + 1] : 0u);
        put(any, "%c", (unsigned)"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"[pair >> (11 - bit % 8) & 31]);
    }
    while (any->len % 8) put(any, "=", 0);
}

static void write_url(struct any *any, const uint8_t *bytes, size_t len) {
    put(any, "data:;charset=utf-8,", 0);
    for (size_t i = 0; i < len; i++) put(any, "%%%02X", bytes[i]);
}

static void write_hex_lines(struct any *any, const uint8_t *bytes, size_t len) {
    put_rows(any, bytes, len, 16, "%08x:", " %02x");
}

static void widen(struct any *any, bool big) {
    for (size_t i = any->len; i--;) {
        any->text[2 * i + big] = any->text[i];
        any->text[2 * i + !big] = 0;
    }
    any->len *= 2;
}

static void write_wide(struct any *any, const uint8_t *bytes, size_t len) {
    write_hex_lines(any, bytes, len);
    widen(any, bytes[0] & 1);
}

static void any_bytes_in_any_notation(void **state) {
    (void)state;
    static void (*const writers[])(struct any *, const uint8_t *,
                                   size_t) = { write_decimal, write_columns, write_octal,     write_octal_words,
                                               write_gdb,     write_bits,    write_listed,    write_json_buffer,
                                               write_base32,  write_url,     write_hex_lines, write_wide };
    static struct any any;
    uint32_t random = 7;
    for (size_t round = 0; round < 40 * sizeof writers / sizeof *writers; round++) {
        uint8_t bytes[ANY_BYTES];
        size_t len = 32 + (random >> 8) % (ANY_BYTES - 32);
        unsigned mask = round % 3 ? 0xFF : 0x7F; // also mostly text
        for (size_t i = 0; i < len; i++) bytes[i] = (uint8_t)((random = random * 1664525 + 1013904223) >> 24 & mask);
        any.len = 0;
        writers[round % (sizeof writers / sizeof *writers)](&any, bytes, len);
        char what[64];
        snprintf(what, sizeof what, "round %zu, %zu bytes", round, len);
        struct host host;
        read_bytes(&host, any.text, any.len, 1 + random % 300);
        expect_bytes(&host, 0, bytes, len, what);
        if (host.result.bad_text[0]) fail_msg("%s: %s", what, host.result.bad_text);
        drop(&host);
    }
}

// ---- A live line -------------------------------------------------------------------------------

static void a_live_stream_is_decoded_as_it_arrives(void **state) {
    (void)state;
    struct host host = { .refuse_after = 0 };
    struct tk_allocator allocator = { host_realloc, &host };
    struct tk_encoding_sink sink = { &host, host_begin, host_data };
    assert_int_equal(tk_encoding_new(&allocator, TK_ENCODING_HEX, &sink, &host.decoder), TK_OK);
    const char *parts[] = { "RX: 03 02 01 00\nRX: 02 03 05 49\nRX: 5", "3 52\nTX: 01\n", "RX: 30 00\n" };
    assert_int_equal(tk_encoding_feed(host.decoder, (const uint8_t *)parts[0], strlen(parts[0])), TK_OK);
    assert_int_equal(host.len[0], 0);
    assert_int_equal(tk_encoding_detect_now(host.decoder), TK_OK);
    expect_bytes(&host, 0, encoded_bytes, 8, "settled");
    assert_int_equal(tk_encoding_feed(host.decoder, (const uint8_t *)parts[1], strlen(parts[1])), TK_OK);
    expect_bytes(&host, 0, "\x03\x02\x01\x00\x02\x03\x05\x49\x53\x52", 10, "next line");
    assert_int_equal(tk_encoding_detect_now(host.decoder), TK_OK);
    assert_int_equal(tk_encoding_feed(host.decoder, (const uint8_t *)parts[2], strlen(parts[2])), TK_OK);
    assert_int_equal(tk_encoding_finish(host.decoder, &host.result), TK_OK);
    expect_bytes(&host, 0, "\x03\x02\x01\x00\x02\x03\x05\x49\x53\x52\x30\x00", 12, "all of it");
    assert_int_equal(tk_encoding_detect_now(host.decoder), TK_MISUSE);
    drop(&host);
}

// ---- Problems ------------------------------------------------------------------------------------

static void expect_note(const char *text, const char *note, const void *bytes, size_t len) {
    struct host host;
    read_text(&host, text, 7);
    if (!strstr(host.result.bad_text, note))
        fail_msg("told \"%s\" instead of \"%s\" (%s)", host.result.bad_text, note, host.probe.reason);
    expect_bytes(&host, 0, bytes, len, note);
    drop(&host);
}

static void damage_in_other_notations_is_reported(void **state) {
    (void)state;
    expect_note("3, 2, 1, 0, 2, 3, 5, 73, 83, 82, 48, 0, 7, 3, 1, 73, 83,\n82, 49, 2x0, 128\n",
                "line 2, column 10: 'x' is no digit of this list",
                "\x03\x02\x01\x00\x02\x03\x05\x49\x53\x52\x30\x00\x07\x03\x01\x49\x53\x52\x31\x00\x80", 21);
    expect_note("3, 2, 1, 0, 2, 3, 5, 73, 83, 82, 48, 0, 7, 3, 1, 73, 83, 82, 49, 300, 128\n",
                "line 1, column 66: '3' begins a number that is not a byte",
                "\x03\x02\x01\x00\x02\x03\x05\x49\x53\x52\x30\x00\x07\x03\x01\x49\x53\x52\x31\x00\x80", 21);
    expect_note(
        "0000000 003 002 001 000 002 003 005 111 123 122 060 000 007 003 001 111\n0000020 123 1q2 061 000\n0000024\n",
        "line 2, column 13: '1' begins an invalid number",
        "\x03\x02\x01\x00\x02\x03\x05\x49\x53\x52\x30\x00\x07\x03\x01\x49\x53\x00\x31\x00", 20);
    expect_note("Uint8Array(128) [\n  3, 2, 1, 0, 2, 3, 5, 73, 3, 2, 1, 0, 2, 3, 5, 73,\n  83, 82, 48, 0,\n  ... 108 "
                "more items\n]\n",
                "line 4: '...' stands for bytes that were not printed",
                "\x03\x02\x01\x00\x02\x03\x05\x49\x03\x02\x01\x00\x02\x03\x05\x49\x53\x52\x30\x00", 20);
    expect_note("$1 = {0x3, 0x2, 0x1, 0x0...}\n", "line 1: '...' stands", "\x03\x02\x01\x00", 4);
    expect_note("<Buffer 03 02 01 00 02 03 05 49 53 52 30 00 07 03 01 49 53 52 31 00 03 02 01 00 02 03 05 49 53 52 30 "
                "00 07 03 ... 33 more bytes>\n",
                "line 1: '...' stands",
                "\x03\x02\x01\x00\x02\x03\x05\x49\x53\x52\x30\x00\x07\x03\x01\x49\x53\x52\x31\x00\x03\x02\x01\x00\x02"
                "\x03\x05\x49\x53\x52\x30\x00\x07\x03",
                34);
    expect_note("AMBACAACAMCUSU2SGAAAOAYBJFJVEMIA\nAMBACAA*AMCUSU2SGAAAOAYBJFJVEMIA\n",
                "line 2, column 8: '*' is no base32 character",
                "\x03\x02\x01\x00\x02\x03\x05\x49\x53\x52\x30\x00\x07\x03\x01\x49\x53\x52\x31\x00\x03\x02\x01\x00\x00"
                "\x03\x05\x49\x53\x52\x30\x00\x07\x03\x01\x49\x53\x52\x31\x00",
                40);
}

static void ambiguous_notations(void **state) {
    (void)state;
    // hex bytes of decimal digits only stay hex
    struct host host;
    read_text(&host, "49 53 52 30 00 07 03 01 49 53 52 31 00\n", 5);
    expect_bytes(&host, 0, "\x49\x53\x52\x30\x00\x07\x03\x01\x49\x53\x52\x31\x00", 13, "hex pairs");
    drop(&host);
    // words of zeros and ones stay words
    read_text(&host,
              "0x20000000: 00000001 00000000 00000011 00000000\n0x20000010: 00000001 00000000 00000000 00000000\n", 5);
    assert_int_equal(host.result.bytes, 32);
    drop(&host);
    expect_kind("for (i = 0; i < 4; i++) { a = 1; b = 2; c = 3; d = 4; }\n", TK_ENCODING_BINARY);
    expect_kind("{\"values\":[1,2,3,4,5,6,7,8,9,10,11,12],\"unit\":\"ms\"}\n", TK_ENCODING_BINARY);
    expect_kind("The lists [1, 2, 3, 4] and [5, 6, 7, 8] are equal.\n", TK_ENCODING_BINARY);
    expect_kind("SHOUTINGWITHOUTANYSPACESATALLINONELONGWORDXYZ\n", TK_ENCODING_BINARY);
    expect_kind("const A: [u8; 4] = [3, 2, 1, 0];\n", TK_ENCODING_BINARY);
}

static void bad_digits_are_reported_with_their_position(void **state) {
    (void)state;
    struct host host;
    read_text(&host, "03 02 01 00\n02 03 05 49\n53 52 30 00 07 0g 01 49\n53 zz 31 00\n", 5);
    assert_string_equal(host.result.bad_text, "line 3, column 17: 'g' is no hex digit");
    assert_int_equal(host.result.bad, 3);
    assert_int_equal(host.result.bad_line, 3);
    assert_int_equal(host.result.bad_column, 17);
    // The bytes after the damage keep their position.
    expect_bytes(&host, 0, "\x03\x02\x01\x00\x02\x03\x05\x49\x53\x52\x30\x00\x07\x00\x01\x49\x53\x00\x31\x00", 20,
                 "bad digits");
    drop(&host);
}

static void bad_digit_in_one_long_row(void **state) {
    (void)state;
    struct host host;
    read_text(&host, "0302010002zz0549535230000703014953523100", 64);
    assert_string_equal(host.result.bad_text, "line 1, column 11: 'z' is no hex digit");
    expect_bytes(&host, 0, "\x03\x02\x01\x00\x02\x00\x05\x49\x53\x52\x30\x00\x07\x03\x01\x49\x53\x52\x31\x00", 20,
                 "zz");
    drop(&host);
}

static void odd_digit_at_the_end(void **state) {
    (void)state;
    struct host host;
    read_text(&host, "03 02 01\n00 02 0", 3);
    assert_string_equal(host.result.bad_text, "the last digit has no partner (line 2)");
    assert_int_equal(host.result.bad, 1);
    expect_bytes(&host, 0, "\x03\x02\x01\x00\x02", 5, "odd end");
    drop(&host);
    struct host continuous;
    read_text(&continuous, "030201000\n", 3);
    assert_string_equal(continuous.result.bad_text, "the last digit has no partner (line 1)");
    expect_bytes(&continuous, 0, "\x03\x02\x01\x00", 4, "odd end");
    drop(&continuous);
}

static void a_lost_digit_shifts_one_line_only(void **state) {
    (void)state;
    struct host host;
    read_text(&host, "03020100020305\n4953523000070\n03014953523100\n0302010002030549\n53523000\n", 3);
    assert_string_equal(host.result.bad_text, "line 2, column 13: '0' has no partner");
    assert_int_equal(host.result.bytes, 7 + 7 + 7 + 8 + 4);
    assert_memory_equal(host.bytes[0] + 14, "\x03\x01\x49\x53\x52\x31\x00\x03\x02\x01\x00", 11);
    drop(&host);
}

static void bad_digits_in_a_dump(void **state) {
    (void)state;
    struct host host;
    read_text(&host,
              "00000000: 0302 0100 0203 0549 5352 3000 0703 0149  .......ISR0....I\n"
              "00000010: 5352 31g0 0302 0100 0203 0549 5352 3000  SR1........ISR0.\n"
              "000x0020: 0703 0149 5352 3100 0302 0100 0203 0549  ...ISR1........I\n"
              "00000030: 5352 3000                                SR0.\n",
              10);
    assert_string_equal(host.result.bad_text, "line 2, column 18: 'g' is no hex digit");
    assert_int_equal(host.result.bad, 1);
    assert_int_equal(host.result.bytes, 52);
    assert_memory_equal(host.bytes[0] + 16, "\x53\x52\x31\x00\x03", 5);
    assert_memory_equal(host.bytes[0] + 32, "\x07\x03\x01\x49", 4);
    assert_memory_equal(host.bytes[0] + 48, "SR0", 4);
    drop(&host);
}

static void a_gap_in_a_dump_is_reported(void **state) {
    (void)state;
    struct host host;
    read_text(&host,
              "00000000: 0302 0100 0203 0549  .......I\n00000008: 5352 3000 0703 0149  SR0....I\n"
              "00000020: 5352 3100 0302 0100  SR1.....\n00000028: 0203 0549 5352 3000  ...ISR0.\n",
              9);
    assert_string_equal(host.result.bad_text, "line 3: bytes are missing, the offsets jump from 0x10 to 0x20");
    assert_int_equal(host.result.bytes, 32);
    assert_int_equal(host.result.bad, 0);
    drop(&host);
}

static void a_star_repeats_a_bounded_number_of_bytes(void **state) {
    (void)state;
    struct host host;
    read_text(&host,
              "00000000  41 41 41 41 41 41 41 41  41 41 41 41 41 41 41 41  |AAAAAAAAAAAAAAAA|\n*\n"
              "fffffffffffffff0  42 41 41 41 41 41 41 41  41 41 41 41 41 41 41 41  |BAAAAAAAAAAAAAAA|\n",
              9);
    assert_non_null(strstr(host.result.bad_text, "line 2: '*' stands for more bytes"));
    assert_true(host.result.bytes <= (16u << 20) + 32);
    assert_int_equal(host.bytes[0][host.len[0] - 16], 'B');
    drop(&host);
    struct host unknown;
    read_text(&unknown, " 03 02 01 00\n*\n 49 53 52 30\n", 9);
    assert_non_null(strstr(unknown.result.bad_text, "line 2: '*' stands for repeated bytes"));
    drop(&unknown);
}

static void prose_between_hex_is_skipped(void **state) {
    (void)state;
    struct host host;
    read_text(&host,
              "Here is the dump, added face to face:\n0302010002030549535230000703014953523100\n# cafe 0123\nThat was "
              "all of it.\n",
              8);
    expect_bytes(&host, 0, encoded_bytes, 20, "prose");
    assert_int_equal(host.result.bad, 0);
    assert_true(host.result.ignored > 40);
    drop(&host);
}

static void base64_with_a_bad_character(void **state) {
    (void)state;
    struct host host;
    read_text(&host, "AwIBAAIDBUlTUjAABwMBSVNSMQA=\nAwIBAAID*UlTUjAABwMBSVNSMQA=\n", 4);
    assert_int_equal(host.probe.kind, TK_ENCODING_BASE64);
    assert_string_equal(host.result.bad_text, "line 2, column 9: '*' is no base64 character");
    assert_int_equal(host.result.bytes, 40);
    expect_bytes(&host, 0, host.bytes[0], 40, "base64");
    assert_memory_equal(host.bytes[0] + 20 + 6, "\x01\x49\x53\x52\x30\x00", 6);
    drop(&host);
}

static void damaged_records(void **state) {
    (void)state;
    struct host host;
    read_text(&host, ":0400000003020100F6\n:0400040002030549A5\n:04000C00535230001B\n:0400zz00\n:00000001FF\n", 4);
    assert_int_equal(host.result.bytes, 12);
    assert_non_null(strstr(host.result.bad_text, "line 3: the addresses jump"));
    drop(&host);
}

// ---- Blocks ------------------------------------------------------------------------------------

static void several_marked_blocks(void **state) {
    (void)state;
    const char *text = "boot dead\r\n==== START OF TONBANDGERAET BUFFER ====\r\n03 02\r\n01 00\r\n==== END OF "
                       "TONBANDGERAET BUFFER ====\r\n"
                       "reset cafe\r\n[01] ==== START OF TONBANDGERAET BUFFER ====\r\n02 03 0\r\n==== END OF "
                       "TONBANDGERAET BUFFER ====\r\n"
                       "==== START OF TONBANDGERAET BUFFER ====\r\n05 49\r\n";
    for (size_t k = 0; k < sizeof cuts / sizeof *cuts; k++) {
        struct host host;
        read_text(&host, text, cuts[k]);
        assert_int_equal(host.result.blocks, 3);
        expect_bytes(&host, 0, "\x03\x02\x01\x00", 4, "first block");
        expect_bytes(&host, 1, "\x02\x03", 2, "second block");
        expect_bytes(&host, 2, "\x05\x49", 2, "third block");
        assert_string_equal(host.result.bad_text, "the last digit has no partner (line 8)");
        assert_int_equal(tk_encoding_line(host.decoder, 0, 1), 3);
        assert_int_equal(tk_encoding_line(host.decoder, 0, 2), 4);
        assert_int_equal(tk_encoding_line(host.decoder, 1, 0), 8);
        assert_int_equal(tk_encoding_line(host.decoder, 2, 1), 11);
        assert_int_equal(tk_encoding_line(host.decoder, 3, 0), 0);
        drop(&host);
    }
}

// The beginning of the pasted text is missing.
static void an_end_without_start(void **state) {
    (void)state;
    struct host host;
    read_text(&host, "03 02 01 00\n02 03 05 49\n==== END OF TONBANDGERAET BUFFER ====\nprompt> face\n", 11);
    assert_int_equal(host.result.blocks, 1);
    expect_bytes(&host, 0, "\x03\x02\x01\x00\x02\x03\x05\x49", 8, "before END");
    drop(&host);
}

static void each_array_is_a_block(void **state) {
    (void)state;
    struct host host;
    read_text(&host, "const uint8_t core0[3] = { 0x03, 0x02, 0x01 };\nconst uint8_t core1[] = {\n  0x00, 2 };\n", 6);
    assert_int_equal(host.result.blocks, 2);
    expect_bytes(&host, 0, "\x03\x02\x01", 3, "core0");
    expect_bytes(&host, 1, "\x00\x02", 2, "core1");
    assert_string_equal(host.title[0], "core0");
    assert_string_equal(host.title[1], "core1");
    assert_int_equal(tk_encoding_line(host.decoder, 0, 0), 1);
    assert_int_equal(tk_encoding_line(host.decoder, 1, 0), 3);
    drop(&host);
}

static void json_in_any_order(void **state) {
    (void)state;
    const char *text = "\n{ \"extra\": {\"hex\": \"ffff\", \"data\": [1, {\"hex\": \"ee\"}]},\n"
                       "  \"data\" : [ {\"hex\":\"0302\\n01\\u0030\\u0030\", \"x\": [\"]\"], \"core_id\": 1},\n"
                       "  {\"core_id\":0,\"hex\":\n\"02 03 05\"}, {\"core_id\": -3, \"hex\": \"\"} ],\n"
                       "  \"trace_mode\":\"bare\", \"title\":\"caf\\u00e9 \\ud83d\\ude00 \\\"x\\\"\" }\n";
    expect_kind(text, TK_ENCODING_JSON);
    for (size_t k = 0; k < sizeof cuts / sizeof *cuts; k++) {
        struct host host;
        read_text(&host, text, cuts[k]);
        assert_int_equal(host.result.blocks, 3);
        expect_bytes(&host, 0, "\x03\x02\x01\x00", 4, "entry 0");
        expect_bytes(&host, 1, "\x02\x03\x05", 3, "entry 1");
        expect_bytes(&host, 2, "", 0, "entry 2");
        assert_int_equal(host.core[0], 1);
        assert_int_equal(host.core[1], 0);
        assert_int_equal(host.core[2], -1);
        assert_string_equal(host.title[0], "caf\xC3\xA9 \xF0\x9F\x98\x80 \"x\"");
        assert_string_equal(host.result.mode, "bare-metal");
        assert_int_equal(tk_encoding_line(host.decoder, 0, 0), 3);
        assert_int_equal(tk_encoding_line(host.decoder, 1, 2), 5);
        drop(&host);
    }
}

static void json_cut_and_damaged(void **state) {
    (void)state;
    struct host host;
    read_text(&host, "{\"title\":\"t\",\"trace_mode\":\"freertos\",\"data\":[{\"core_id\":3,\n\"hex\":\"03020100g2",
              10);
    expect_bytes(&host, 0, "\x03\x02\x01\x00\x02", 5, "cut JSON");
    assert_int_equal(host.core[0], 3);
    assert_string_equal(host.result.mode, "free-rtos");
    assert_string_equal(host.result.bad_text, "line 2, column 16: 'g' is no hex digit");
    drop(&host);
    struct host whole;
    read_text(&whole, "{\"trace_mode\":\"freertos\",\"data\":[{\"hex\":\"0302", 10);
    assert_string_equal(whole.result.bad_text, "the text ends inside a hex string (line 1)");
    drop(&whole);
    expect_kind("{\n  \"title\": \"Example FreeRTOS Trace with a long title that goes on", TK_ENCODING_BINARY);
    expect_kind("{\n  \"title\": \"Example FreeRTOS Trace\",\n  \"trace_mode\": \"freert", TK_ENCODING_JSON);
}

// ---- Lines -------------------------------------------------------------------------------------

static char *irregular_text(uint32_t lines, size_t *out_len) {
    char *text = malloc((size_t)lines * 24 + 1), *to = text;
    for (uint32_t i = 0; i < lines; i++) {
        for (uint32_t k = 0; k <= i * 7 % 5; k++) to += sprintf(to, "%02x", (unsigned)(i + k) & 255);
        *to++ = '\n';
        if (i % 11 == 3) *to++ = '\n';
    }
    *to = 0;
    *out_len = (size_t)(to - text);
    return text;
}

static void lines_are_exact(void **state) {
    (void)state;
    size_t len;
    char *text = irregular_text(30000, &len);
    struct host host;
    read_text(&host, text, 4096);
    uint64_t offset = 0, line = 1;
    for (uint32_t i = 0; i < 30000; i++) {
        for (uint32_t k = 0; k <= i * 7 % 5; k++) assert_int_equal(tk_encoding_line(host.decoder, 0, offset++), line);
        line += 1 + (i % 11 == 3);
    }
    assert_int_equal(host.result.bytes, offset);
    drop(&host);
    free(text);
}

static void lines_of_huge_texts_stay_near_and_memory_bounded(void **state) {
    (void)state;
    size_t len;
    uint32_t lines = 400000;
    char *text = irregular_text(lines, &len);
    struct host host;
    read_text(&host, text, 65536);
    uint64_t last = tk_encoding_line(host.decoder, 0, host.result.bytes - 1), before = 0;
    assert_int_equal(last, lines + lines / 11 + (lines % 11 > 3));
    for (uint64_t offset = 0; offset < host.result.bytes; offset += 97) {
        uint64_t line = tk_encoding_line(host.decoder, 0, offset);
        assert_true(line >= before && line <= offset + lines / 11 + 2);
        before = line;
    }
    assert_true(host.peak < 4 << 20);
    drop(&host);
    free(text);
}

// ---- Size --------------------------------------------------------------------------------------

static void one_line_of_16_mb(void **state) {
    (void)state;
    size_t len = 16 << 20;
    char *text = malloc(len + 1);
    for (size_t i = 0; i < len; i++) text[i] = "0123456789abcdef"[(i * 7 + i / 13) & 15];
    text[len] = 0;
    struct host host;
    read_text(&host, text, 100000);
    assert_int_equal(host.result.bytes, len / 2);
    assert_int_equal(host.result.bad, 0);
    assert_true(host.peak < 1 << 20);
    for (size_t i = 0; i < len / 2; i += 997) {
        char pair[3] = { text[2 * i], text[2 * i + 1], 0 };
        assert_int_equal(host.bytes[0][i], strtoul(pair, NULL, 16));
    }
    assert_int_equal(tk_encoding_line(host.decoder, 0, len / 2 - 1), 1);
    drop(&host);
    free(text);
}

// A fragment of a long line may end anywhere: in a number, in a comment, in a group.
static void long_lines_of_every_kind(void **state) {
    (void)state;
    static const char *const parts[] = { "03,", "0x03, ", "\\x03", "AwMD", "3, " };
    static const char *const begins[] = { "", "", "", "AwMD", "x = {" };
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        size_t count = 30000, part_len = strlen(parts[i]), len = strlen(begins[i]);
        char *text = malloc(len + count * part_len + 1);
        strcpy(text, begins[i]);
        for (size_t k = 0; k < count; k++) memcpy(text + len + k * part_len, parts[i], part_len + 1);
        struct host host;
        read_text(&host, text, 1000);
        size_t bytes = i == 3 ? 3 * count + 3 : count;
        assert_int_equal(host.result.bytes, bytes);
        for (size_t k = 0; k < bytes; k++) assert_int_equal(host.bytes[0][k], 3);
        drop(&host);
        free(text);
    }
}

// ---- Hostile hosts -----------------------------------------------------------------------------

static void every_allocation_may_fail(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof encoding_cases / sizeof *encoding_cases; i++) {
        for (size_t n = 1; n < 16; n++) {
            struct host host = { .fail_at = n };
            read_as(&host, encoding_cases[i].kind, encoding_cases[i].text, text_len(&encoding_cases[i]), 50);
            assert_true(host.status == TK_NO_MEMORY || host.allocs < n);
            drop(&host);
        }
    }
}

static void a_sink_may_refuse(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof encoding_cases / sizeof *encoding_cases; i++) {
        struct host host = { .refuse_after = 1 };
        read_as(&host, encoding_cases[i].kind, encoding_cases[i].text, text_len(&encoding_cases[i]), 50);
        assert_int_equal(host.status, TK_SINK_REFUSED);
        assert_int_equal(host.calls, 1);
        drop(&host);
    }
}

static void misuse(void **state) {
    (void)state;
    struct host host = { .refuse_after = 0 };
    struct tk_allocator allocator = { host_realloc, &host };
    struct tk_encoding_sink sink = { &host, host_begin, host_data };
    tk_encoding *decoder;
    assert_int_equal(tk_encoding_new(NULL, TK_ENCODING_HEX, &sink, &decoder), TK_MISUSE);
    assert_int_equal(tk_encoding_new(&allocator, TK_ENCODING_HEX, NULL, &decoder), TK_MISUSE);
    assert_int_equal(tk_encoding_new(&allocator, TK_ENCODING_HEX, &sink, &decoder), TK_OK);
    assert_int_equal(tk_encoding_finish(decoder, &host.result), TK_OK);
    assert_int_equal(host.result.blocks, 0);
    assert_int_equal(tk_encoding_feed(decoder, (const uint8_t *)"03", 2), TK_MISUSE);
    assert_int_equal(tk_encoding_finish(decoder, &host.result), TK_MISUSE);
    assert_int_equal(tk_encoding_line(decoder, 0, 0), 0);
    tk_encoding_free(decoder);
    tk_encoding_free(NULL);
}

static void the_user_can_override_the_probe(void **state) {
    (void)state;
    struct host hex = { .refuse_after = 0 }, base64 = { .refuse_after = 0 }, binary = { .refuse_after = 0 };
    read_as(&hex, TK_ENCODING_HEX, "nothing here\n03 02\n", 19, 4);
    expect_bytes(&hex, 0, "\x03\x02", 2, "hex by force");
    read_as(&base64, TK_ENCODING_BASE64, "deadbeef", 8, 4);
    expect_bytes(&base64, 0, "\x75\xe6\x9d\x6d\xe7\x9f", 6, "base64 by force");
    read_as(&binary, TK_ENCODING_BINARY, "deadbeef", 8, 4);
    expect_bytes(&binary, 0, "deadbeef", 8, "binary by force");
    drop(&hex);
    drop(&base64);
    drop(&binary);
}

// ---- Real samples ------------------------------------------------------------------------------

static char *load(const char *name, size_t *out_len) {
    char path[512];
    const char *folder = getenv("TONKOPF_SAMPLES");
    if (!folder || !*folder) {
        print_message("skipped: TONKOPF_SAMPLES is not set (%s)\n", name);
        skip();
    }
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "rb");
    if (!file) fail_msg("%s cannot be read", path);
    char *bytes = malloc(2 << 20);
    *out_len = fread(bytes, 1, (2 << 20) - 1, file);
    bytes[*out_len] = 0;
    fclose(file);
    return bytes;
}

static void samples_as_text(void **state) {
    (void)state;
    static const char *const pairs[][2] = {
        { "tonbandgeraet/baremetal_simtarget.hex.txt", "tonbandgeraet/baremetal_simtarget.bin" },
        { "tonbandgeraet/baremetal_simtarget.b64.txt", "tonbandgeraet/baremetal_simtarget.bin" },
        { "tonbandgeraet/posix_snapshot_default.json", "tonbandgeraet/posix_snapshot_default.bin" }
    };
    static const tk_encoding_kind kinds[] = { TK_ENCODING_HEX, TK_ENCODING_BASE64, TK_ENCODING_JSON };
    for (size_t i = 0; i < 3; i++) {
        size_t text_len, len;
        char *text = load(pairs[i][0], &text_len), *bytes = load(pairs[i][1], &len);
        struct host host;
        read_text(&host, text, 777);
        assert_int_equal(host.probe.kind, kinds[i]);
        expect_bytes(&host, 0, bytes, len, pairs[i][0]);
        assert_int_equal(host.result.bad, 0);
        if (i == 2) assert_string_equal(host.result.mode, "free-rtos");
        drop(&host);
        tk_encoding_probe((const uint8_t *)text, 64, &host.probe);
        assert_int_equal(host.probe.kind, kinds[i]);
        free(text);
        free(bytes);
    }
}

static void samples_that_are_binary(void **state) {
    (void)state;
    static const char *const names[] = { "tonbandgeraet/base_all_events.bin",
                                         "tonbandgeraet/freertos_all_events.bin",
                                         "tonbandgeraet/malformed.bin",
                                         "tonbandgeraet/posix_stream_60k.bin",
                                         "tonbandgeraet/dual_split.core1.bin",
                                         "tonbandgeraet/metadata_last.bin",
                                         "qs/allrec_qp740_odd.bin",
                                         "qs/dpp_qp740_posix64.bin",
                                         "qs/midstream_noinfo_qp740_posix64.bin",
                                         "tracealyzer/freertos_v14_le32.psf",
                                         "tracealyzer/damaged_headerless.psf",
                                         "tracealyzer/ring_v12_le32.bin",
                                         "flux/f6_01_int_float.recTr",
                                         "flux/f6_tags_zlib.recTr",
                                         "flux/f4_ring.recTr",
                                         "flux/bad_gap.summary.json",
                                         "cortexm/f4_demo.bin",
                                         "cortexm/f4_demo.map",
                                         "cortexm/f4_demo_iar.map",
                                         "cortexm/f4_demo.elf",
                                         "cortexm/f4_realtime.times",
                                         "cortexm/f4_demo.txt",
                                         "qs/allrec_qp740_odd.tsv" };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        size_t len;
        struct tk_encoding_probe probe;
        char *bytes = load(names[i], &len);
        for (size_t head = 64; head <= len; head *= 4) {
            tk_encoding_probe((const uint8_t *)bytes, head, &probe);
            if (probe.kind != TK_ENCODING_BINARY) fail_msg("%s, first %zu bytes: %s", names[i], head, probe.reason);
        }
        free(bytes);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_encoding_in_every_chunk_size),
        cmocka_unit_test(every_encoding_truncated),
        cmocka_unit_test(short_texts),
        cmocka_unit_test(other_texts_are_passed_on),
        cmocka_unit_test(binary_is_never_text),
        cmocka_unit_test(any_bytes_in_any_notation),
        cmocka_unit_test(a_live_stream_is_decoded_as_it_arrives),
        cmocka_unit_test(damage_in_other_notations_is_reported),
        cmocka_unit_test(ambiguous_notations),
        cmocka_unit_test(bad_digits_are_reported_with_their_position),
        cmocka_unit_test(bad_digit_in_one_long_row),
        cmocka_unit_test(odd_digit_at_the_end),
        cmocka_unit_test(a_lost_digit_shifts_one_line_only),
        cmocka_unit_test(bad_digits_in_a_dump),
        cmocka_unit_test(a_gap_in_a_dump_is_reported),
        cmocka_unit_test(a_star_repeats_a_bounded_number_of_bytes),
        cmocka_unit_test(prose_between_hex_is_skipped),
        cmocka_unit_test(base64_with_a_bad_character),
        cmocka_unit_test(damaged_records),
        cmocka_unit_test(several_marked_blocks),
        cmocka_unit_test(an_end_without_start),
        cmocka_unit_test(each_array_is_a_block),
        cmocka_unit_test(json_in_any_order),
        cmocka_unit_test(json_cut_and_damaged),
        cmocka_unit_test(lines_are_exact),
        cmocka_unit_test(lines_of_huge_texts_stay_near_and_memory_bounded),
        cmocka_unit_test(one_line_of_16_mb),
        cmocka_unit_test(long_lines_of_every_kind),
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(a_sink_may_refuse),
        cmocka_unit_test(misuse),
        cmocka_unit_test(the_user_can_override_the_probe),
        cmocka_unit_test(samples_as_text),
        cmocka_unit_test(samples_that_are_binary),
    };
    return cmocka_run_group_tests_name("encoding", tests, NULL, NULL);
}
