// SPDX-License-Identifier: MIT
#include "gunzip.h"

#include "inflater.h"

enum { LARGEST_WINDOW = 15, AS_GZIP = 16, MAGIC_LEN = 3 };

static const uint8_t magic[MAGIC_LEN] = { 0x1f, 0x8b, 8 };

enum state { IN_MEMBER, BETWEEN_MEMBERS, OVER };

struct tk_gunzip {
    struct tk_inflater inflater;
    uint64_t taken; // number of packed bytes taken
    uint8_t state;  // enum state
    uint8_t seen;   // number of bytes of `magic` taken between two members
    uint8_t fault;  // enum tk_gunzip_fault
    bool raw;
};

struct tk_gunzip *tk_gunzip_new(struct tk_alloc *alloc, bool raw) {
    struct tk_gunzip *gunzip = tk_alloc_zero(alloc, sizeof *gunzip);
    if (!gunzip) return NULL;
    gunzip->raw = raw;
    if (!tk_inflater_begin(&gunzip->inflater, alloc, raw ? -LARGEST_WINDOW : LARGEST_WINDOW + AS_GZIP))
        return tk_alloc_free(alloc, gunzip, sizeof *gunzip), NULL;
    return gunzip;
}

void tk_gunzip_free(struct tk_gunzip *gunzip) {
    if (!gunzip) return;
    inflateEnd(&gunzip->inflater.stream);
    tk_alloc_free(gunzip->inflater.alloc, gunzip, sizeof *gunzip);
}

static void stop(struct tk_gunzip *gunzip, enum tk_gunzip_fault fault) {
    gunzip->state = OVER;
    gunzip->fault = (uint8_t)fault;
}

// Takes the first bytes of the next member, which may arrive one by one; passes all three to inflate when they are
// complete.
static void begin_member(struct tk_gunzip *gunzip, const uint8_t **in, size_t *in_len, uint8_t *out, size_t room) {
    z_stream *stream = &gunzip->inflater.stream;
    while (*in_len && gunzip->seen < MAGIC_LEN) {
        if (**in != magic[gunzip->seen]) return stop(gunzip, TK_GUNZIP_FOREIGN);
        gunzip->seen++;
        gunzip->taken++;
        ++*in;
        --*in_len;
    }
    if (gunzip->seen < MAGIC_LEN) return;
    inflateReset(stream);
    stream->next_in = (z_const Bytef *)(uintptr_t)magic;
    stream->avail_in = MAGIC_LEN;
    stream->next_out = out;
    stream->avail_out = (uInt)room;
    inflate(stream, Z_NO_FLUSH); // this part of the header produces no output
    gunzip->state = IN_MEMBER;
}

static size_t inflate_some(struct tk_gunzip *gunzip, const uint8_t **in, size_t *in_len, uint8_t *out, size_t room) {
    z_stream *stream = &gunzip->inflater.stream;
    stream->next_in = (z_const Bytef *)(uintptr_t)*in;
    stream->avail_in = (uInt)*in_len;
    stream->next_out = out;
    stream->avail_out = (uInt)room;
    int status = inflate(stream, Z_NO_FLUSH);
    gunzip->taken += *in_len - stream->avail_in;
    *in = stream->next_in;
    *in_len = stream->avail_in;
    if (status == Z_STREAM_END && gunzip->raw) stop(gunzip, TK_GUNZIP_WHOLE);
    else if (status == Z_STREAM_END) gunzip->state = BETWEEN_MEMBERS, gunzip->seen = 0;
    else if (status != Z_OK && status != Z_BUF_ERROR) stop(gunzip, TK_GUNZIP_DAMAGED);
    return room - stream->avail_out;
}

size_t tk_gunzip_run(struct tk_gunzip *gunzip, const uint8_t **in, size_t *in_len, uint8_t *out, size_t room) {
    size_t made = 0;
    do {
        if (gunzip->state == BETWEEN_MEMBERS) begin_member(gunzip, in, in_len, out + made, room - made);
        if (gunzip->state != IN_MEMBER) break;
        made += inflate_some(gunzip, in, in_len, out + made, room - made);
    } while (made < room && *in_len);
    return made;
}

enum tk_gunzip_fault tk_gunzip_fault(const struct tk_gunzip *gunzip, uint64_t *out_byte) {
    bool foreign = gunzip->fault == TK_GUNZIP_FOREIGN || (gunzip->state == BETWEEN_MEMBERS && gunzip->seen);
    *out_byte = gunzip->taken - (foreign ? gunzip->seen : 0);
    if (foreign) return TK_GUNZIP_FOREIGN;
    return gunzip->state == IN_MEMBER ? TK_GUNZIP_CUT : (enum tk_gunzip_fault)gunzip->fault;
}
