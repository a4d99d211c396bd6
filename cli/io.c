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

enum packing { PACKING_GZIP, PACKING_NONE, PACKING_DEFLATE }; // GZIP: if it looks so

// What was looked at came in pieces: bytes up to `end` of it until `ns`.
struct arrival {
    size_t end;
    uint64_t ns;
};

struct plain {
    int fd;
    bool shared;
    enum packing packing;
    plain *outer;         // a part: the bytes come from there, not from fd
    uint64_t skip, left;  // ... bytes of it before the part, and not taken yet
    const uint8_t *piece; // ... borrowed from it
    size_t piece_len;
    uint64_t handed;   // inflated_read_at of gzip: offset of `piece`
    const char *name;  // for messages
    uint64_t position; // raw bytes read
    bool raw_ended, ended, failed;
    bool damaged, damage_reported;
    bool started, gzip; // started: known whether it is gzip
    bool in_member;     // gzip: between header and trailer
    z_stream z;
    uint8_t *raw; // PIECE bytes from the file
    size_t raw_at, raw_len;
    uint8_t *unpacked;          // PIECE bytes, gzip only
    struct bytes head;          // looked at
    struct bytes arrivals;      // struct arrival each
    size_t head_at, arrival_at; // handed out
    uint64_t came_ns;           // when the last piece came that was handed out
};

plain *inflated_open(int fd, bool shared, const char *name, bool damage_reported) {
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
    reader->damage_reported = damage_reported;
    reader->raw = raw;
    return reader;
}

// A reader of [from, from + len) of another one, which it closes.
static plain *open_inner(plain *outer, uint64_t from, uint64_t len, enum packing packing, const char *name,
                         bool damage_reported) {
    plain *reader = outer ? inflated_open(-1, true, name, damage_reported) : NULL;
    if (!reader) {
        inflated_close(outer);
        return NULL;
    }
    reader->outer = outer;
    reader->skip = from;
    reader->left = len;
    reader->packing = packing;
    return reader;
}

static bool start(plain *reader);

plain *plain_part(plain *file, uint64_t from, uint64_t len, bool deflated, const char *name, bool damage_reported) {
    uint64_t size;
    bool seeks = plat_fd_kind(file->fd, &size) == PLAT_FILE;
    if (start(file) && !file->gzip && seeks) { // what was read for that is read anew
        file->position = from;
        file->raw_at = file->raw_len = 0;
        file->raw_ended = !plat_seek(file->fd, from);
        from = 0;
    }
    plain *part = open_inner(file, from, len, PACKING_NONE, name, damage_reported);
    if (deflated) part = open_inner(part, 0, UINT64_MAX, PACKING_DEFLATE, name, damage_reported);
    return open_inner(part, 0, UINT64_MAX, PACKING_GZIP, name, damage_reported);
}

void inflated_close(plain *reader) {
    if (!reader) return;
    inflated_close(reader->outer);
    if (reader->gzip) inflateEnd(&reader->z);
    if (!reader->shared && reader->fd != PLAT_STDIN) plat_close(reader->fd);
    bytes_release(&reader->head);
    bytes_release(&reader->arrivals);
    free(reader->raw);
    free(reader->unpacked);
    free(reader);
}

// ---- Raw bytes -----------------------------------------------------------------------------------

static const uint8_t *next_piece(plain *reader, size_t *out_len);

// As plat_read, from the reader below.
static int64_t read_outer(plain *reader, uint8_t *out, size_t room) {
    for (;;) {
        if (!reader->piece_len) reader->piece = next_piece(reader->outer, &reader->piece_len);
        if (!reader->piece_len || !reader->left) return 0;
        size_t drop = reader->skip < reader->piece_len ? (size_t)reader->skip : reader->piece_len;
        size_t len = reader->piece_len - drop;
        if (len > room) len = room;
        if (len > reader->left) len = (size_t)reader->left;
        memcpy(out, reader->piece + drop, len);
        reader->piece += drop + len;
        reader->piece_len -= drop + len;
        reader->skip -= drop;
        reader->left -= len;
        if (len) return (int64_t)len;
    }
}

static int64_t read_raw(plain *reader, uint8_t *out, size_t room) {
    if (reader->outer) return read_outer(reader, out, room);
    if (reader->shared) plat_seek(reader->fd, reader->position);
    return plat_read(reader->fd, out, room);
}

// Appends what one read gives behind what is left; false at the end.
static bool read_more(plain *reader) {
    if (reader->raw_ended) return false;
    if (reader->raw_at > 0) {
        reader->raw_len -= reader->raw_at;
        memmove(reader->raw, reader->raw + reader->raw_at, reader->raw_len);
        reader->raw_at = 0;
    }
    int64_t got = read_raw(reader, reader->raw + reader->raw_len, PIECE - reader->raw_len);
    if (got < 0) {
        message_error("%s: cannot be read at byte %" PRIu64 ": %s; what came before is used", reader->name,
                      reader->position, plat_error());
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

static size_t raw_left(const plain *reader) { return reader->raw_len - reader->raw_at; }

static bool at_gzip_header(const plain *reader) {
    const uint8_t *at = reader->raw + reader->raw_at;
    return raw_left(reader) >= 3 && at[0] == 0x1f && at[1] == 0x8b && at[2] == 8;
}

static bool start_inflating(plain *reader, int window) {
    reader->unpacked = malloc(PIECE);
    reader->gzip = reader->unpacked && inflateInit2(&reader->z, window) == Z_OK;
    reader->in_member = true;
    if (reader->gzip) return true;
    message_error("%s: out of memory", reader->name);
    reader->failed = reader->raw_ended = true;
    return false;
}

static bool start(plain *reader) {
    reader->started = true;
    if (reader->packing == PACKING_DEFLATE) return start_inflating(reader, -15);
    if (reader->packing == PACKING_NONE) return true;
    // One byte is enough to rule gzip out, so that a live line is not kept waiting for a third one.
    while (raw_left(reader) < 3 && (raw_left(reader) == 0 || reader->raw[0] == 0x1f) && read_more(reader)) {}
    return !at_gzip_header(reader) || start_inflating(reader, 15 + 16);
}

// ---- gzip ----------------------------------------------------------------------------------------

// Behind a member: another one, padding, or the end.
static bool next_member(plain *reader) {
    if (reader->packing == PACKING_DEFLATE) return false;
    while (raw_left(reader) < 3 && read_more(reader)) {}
    if (raw_left(reader) == 0) return false;
    if (!at_gzip_header(reader)) {
        if (!reader->damage_reported)
            message_warn("%s: what follows the compressed data at byte %" PRIu64 " is no gzip and was left out",
                         reader->name, reader->position - raw_left(reader));
        reader->damaged = true;
        return false;
    }
    inflateReset(&reader->z);
    reader->in_member = true;
    return true;
}

static void gzip_damaged(plain *reader, const char *what) {
    if (!reader->damage_reported)
        message_warn("%s: the compressed data is %s at byte %" PRIu64 "; what precedes is used", reader->name, what,
                     reader->position - raw_left(reader));
    reader->damaged = reader->raw_ended = true;
    reader->raw_at = reader->raw_len = 0;
}

static size_t inflate_some(plain *reader) {
    while (!reader->damaged) {
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
    return 0;
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

static bool keep_looked_at(plain *reader, const uint8_t *piece, size_t len) {
    if (!bytes_append(&reader->head, piece, len)) return false;
    return bytes_append(&reader->arrivals, &(struct arrival){ reader->head.len, plat_now_ns() },
                        sizeof(struct arrival));
}

// Quiet for that long, or five times that long on its way.
static bool is_enough(const plain *reader, int patience_ms) {
    if (reader->arrivals.len == 0 || raw_left(reader) > 0) return false;
    uint64_t first = ((const struct arrival *)reader->arrivals.data)->ns;
    return plat_now_ns() - first >= 5000000 * (uint64_t)patience_ms ||
           !plat_readable(reader->fd, patience_ms); // also
                                                    // when
                                                    // a
                                                    // signal
                                                    // came
}

const struct bytes *inflated_peek(plain *reader, size_t len, int patience_ms) {
    while (reader->head.len < len && !reader->ended) {
        if (patience_ms >= 0 && is_enough(reader, patience_ms)) break;
        size_t got;
        const uint8_t *piece = next_piece(reader, &got);
        if (got && !keep_looked_at(reader, piece, got)) {
            message_error("%s: out of memory", reader->name);
            reader->failed = reader->ended = true;
        }
    }
    return &reader->head;
}

const uint8_t *inflated_next(plain *reader, size_t *out_len) {
    if (reader->head_at == reader->head.len) {
        const uint8_t *piece = next_piece(reader, out_len);
        reader->came_ns = plat_now_ns();
        return piece;
    }
    const struct arrival *arrival = (const struct arrival *)reader->arrivals.data + reader->arrival_at++;
    const uint8_t *piece = reader->head.data + reader->head_at;
    *out_len = arrival->end - reader->head_at;
    reader->head_at = arrival->end;
    reader->came_ns = arrival->ns;
    return piece;
}

bool inflated_has_more(const plain *reader) { return reader->head_at < reader->head.len; }

uint64_t inflated_arrival_ns(const plain *reader) { return reader->came_ns; }

// Drops what precedes `offset` and copies what is there of the current piece.
static size_t copy_piece(plain *reader, uint64_t offset, uint8_t *out, size_t len) {
    uint64_t ahead = offset - reader->handed;
    size_t drop = ahead < reader->piece_len ? (size_t)ahead : reader->piece_len;
    size_t part = reader->piece_len - drop < len ? reader->piece_len - drop : len;
    memcpy(out, reader->piece + drop, part);
    reader->piece += drop + part;
    reader->piece_len -= drop + part;
    reader->handed += drop + part;
    return part;
}

static size_t read_unpacked(plain *reader, uint64_t offset, uint8_t *out, size_t len) {
    size_t filled = 0;
    while (filled < len) {
        if (!reader->piece_len) reader->piece = next_piece(reader, &reader->piece_len);
        if (!reader->piece_len) break;
        filled += copy_piece(reader, offset + filled, out + filled, len - filled);
    }
    return filled;
}

static size_t read_file(const plain *reader, uint64_t offset, uint8_t *out, size_t len) {
    size_t filled = 0;
    int64_t got = plat_seek(reader->fd, offset) ? 1 : 0;
    while (filled < len && got > 0) {
        got = plat_read(reader->fd, out + filled, len - filled);
        if (got > 0) filled += (size_t)got;
    }
    return filled;
}

size_t inflated_read_at(plain *reader, uint64_t offset, uint8_t *out, size_t len) {
    if (!reader->started && !start(reader)) return 0;
    return reader->gzip ? read_unpacked(reader, offset, out, len) : read_file(reader, offset, out, len);
}

// Of a part: of its own bytes, packed where they are.
uint64_t inflated_raw_bytes(const plain *reader) {
    while (reader->outer && reader->outer->outer) reader = reader->outer;
    return reader->position;
}

bool inflated_is_gzip(const plain *reader) { return reader->gzip; }

bool inflated_is_damaged(const plain *reader) {
    return reader->damaged || (reader->outer && inflated_is_damaged(reader->outer));
}

bool inflated_failed(const plain *reader) { return reader->failed; }
