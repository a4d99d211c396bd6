// SPDX-License-Identifier: MIT
#include "io.h"

#include "message.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { PIECE = 256 * 1024 };

bool bytes_append(struct bytes *bytes, const void *data, size_t len) {
    if (bytes->len + len > bytes->capacity) {
        size_t capacity = bytes->capacity ? bytes->capacity : 4096;
        while (capacity < bytes->len + len) capacity *= 2;
        uint8_t *grown = realloc(bytes->data, capacity);
        if (!grown) return false;
        bytes->data = grown;
        bytes->capacity = capacity;
    }
    if (len) memcpy(bytes->data + bytes->len, data, len);
    bytes->len += len;
    return true;
}

void bytes_release(struct bytes *bytes) {
    free(bytes->data);
    memset(bytes, 0, sizeof *bytes);
}

struct plain {
    int fd;
    bool shared;
    const char *name;  // for messages
    uint64_t position; // raw bytes read
    bool raw_ended, ended, failed;
    bool damaged, damage_told;
    bool started, gzip; // started: known whether it is gzip
    bool in_member;     // gzip: between header and trailer
    z_stream z;
    uint8_t *raw;       // PIECE bytes from the file
    size_t raw_at, raw_len;
    uint8_t *unpacked;  // PIECE bytes, gzip only
    struct bytes head;  // looked at, not yet handed out
};

plain *plain_open(int fd, bool shared, const char *name, bool damage_told) {
    plain *reader = calloc(1, sizeof *reader);
    uint8_t *raw = malloc(PIECE);
    if (!reader || !raw) {
        free(reader);
        free(raw);
        return NULL;
    }
    reader->fd = fd;
    reader->shared = shared;
    reader->name = name;
    reader->damage_told = damage_told;
    reader->raw = raw;
    return reader;
}

void plain_close(plain *reader) {
    if (!reader) return;
    if (reader->gzip) inflateEnd(&reader->z);
    if (!reader->shared && reader->fd != PLAT_STDIN) plat_close(reader->fd);
    bytes_release(&reader->head);
    free(reader->raw);
    free(reader->unpacked);
    free(reader);
}

// ---- Raw bytes -----------------------------------------------------------------------------------

// Appends what one read gives behind what is left; false at the end.
static bool read_more(plain *reader) {
    if (reader->raw_ended) return false;
    if (reader->raw_at > 0) {
        reader->raw_len -= reader->raw_at;
        memmove(reader->raw, reader->raw + reader->raw_at, reader->raw_len);
        reader->raw_at = 0;
    }
    if (reader->shared) plat_seek(reader->fd, reader->position);
    int64_t got = plat_read(reader->fd, reader->raw + reader->raw_len, PIECE - reader->raw_len);
    if (got < 0) {
        message_error("%s: cannot be read at byte %" PRIu64 ": %s; what came before is used", reader->name, reader->position, plat_error());
        reader->failed = true;
    }
    if (got <= 0) {
        reader->raw_ended = true;
        return false;
    }
    reader->raw_len += (size_t)got;
    reader->position += (uint64_t)got;
    return true;
}

static size_t raw_left(const plain *reader) {
    return reader->raw_len - reader->raw_at;
}

static bool at_gzip_header(const plain *reader) {
    const uint8_t *at = reader->raw + reader->raw_at;
    return raw_left(reader) >= 3 && at[0] == 0x1f && at[1] == 0x8b && at[2] == 8;
}

static bool start(plain *reader) {
    reader->started = true;
    // One byte is enough to rule gzip out, so that a live line is not kept waiting for a third one.
    while (raw_left(reader) < 3 && (raw_left(reader) == 0 || reader->raw[0] == 0x1f) && read_more(reader)) {}
    if (!at_gzip_header(reader)) return true;
    reader->unpacked = malloc(PIECE);
    reader->gzip = reader->unpacked && inflateInit2(&reader->z, 15 + 16) == Z_OK;
    reader->in_member = true;
    if (reader->gzip) return true;
    message_error("%s: out of memory", reader->name);
    reader->failed = reader->raw_ended = true;
    return false;
}

// ---- gzip ----------------------------------------------------------------------------------------

// Behind a member: another one, padding, or the end.
static bool next_member(plain *reader) {
    while (raw_left(reader) < 3 && read_more(reader)) {}
    if (raw_left(reader) == 0) return false;
    if (!at_gzip_header(reader)) {
        if (!reader->damage_told) message_warn("%s: what follows the compressed data at byte %" PRIu64 " is no gzip and was left out", reader->name, reader->position - raw_left(reader));
        reader->damaged = true;
        return false;
    }
    inflateReset(&reader->z);
    reader->in_member = true;
    return true;
}

static void gzip_damaged(plain *reader, const char *what) {
    if (!reader->damage_told) message_warn("%s: the compressed data is %s at byte %" PRIu64 "; what precedes is used", reader->name, what, reader->position - raw_left(reader));
    reader->damaged = reader->raw_ended = true;
    reader->raw_at = reader->raw_len = 0;
}

static size_t inflate_some(plain *reader) {
    for (;;) {
        if (!reader->in_member && !next_member(reader)) return 0;
        if (raw_left(reader) == 0 && !read_more(reader)) {
            if (!plat_stop_requested() && !reader->failed) gzip_damaged(reader, "cut off");
            return 0;
        }
        reader->z.next_in = reader->raw + reader->raw_at;
        reader->z.avail_in = (uInt)raw_left(reader);
        reader->z.next_out = reader->unpacked;
        reader->z.avail_out = PIECE;
        int result = inflate(&reader->z, Z_NO_FLUSH);
        reader->raw_at = reader->raw_len - reader->z.avail_in;
        size_t len = PIECE - reader->z.avail_out;
        if (result == Z_STREAM_END) reader->in_member = false;
        else if (result != Z_OK && result != Z_BUF_ERROR) {
            gzip_damaged(reader, "damaged");
            return len;
        }
        if (len) return len;
    }
}

// ---- Handing out ---------------------------------------------------------------------------------

static const uint8_t *next_piece(plain *reader, size_t *out_len) {
    *out_len = 0;
    if (reader->ended || (!reader->started && !start(reader))) return NULL;
    const uint8_t *piece;
    if (reader->gzip) {
        *out_len = inflate_some(reader);
        piece = reader->unpacked;
    } else {
        if (raw_left(reader) == 0) read_more(reader);
        piece = reader->raw + reader->raw_at;
        *out_len = raw_left(reader);
        reader->raw_at = reader->raw_len;
    }
    reader->ended = *out_len == 0;
    return piece;
}

const struct bytes *plain_peek(plain *reader, size_t len, int patience_ms) {
    while (reader->head.len < len && !reader->ended) {
        bool may_stop = patience_ms >= 0 && reader->head.len > 0;
        if (may_stop && raw_left(reader) == 0 && !plat_readable(reader->fd, patience_ms)) break; // also when a signal came
        size_t got;
        const uint8_t *piece = next_piece(reader, &got);
        if (got && !bytes_append(&reader->head, piece, got)) {
            message_error("%s: out of memory", reader->name);
            reader->failed = reader->ended = true;
        }
    }
    return &reader->head;
}

const uint8_t *plain_next(plain *reader, size_t *out_len) {
    if (reader->head.len == 0) return next_piece(reader, out_len);
    *out_len = reader->head.len;
    reader->head.len = 0; // the bytes stay until the next call
    return reader->head.data;
}

uint64_t plain_raw_bytes(const plain *reader) {
    return reader->position;
}

bool plain_is_gzip(const plain *reader) {
    return reader->gzip;
}

bool plain_is_damaged(const plain *reader) {
    return reader->damaged;
}

bool plain_failed(const plain *reader) {
    return reader->failed;
}
