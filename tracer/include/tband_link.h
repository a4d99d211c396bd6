/* SPDX-License-Identifier: MIT */
/*
 * Sends the streams of all cores over one link (UART, USB, file): bytes to be sent, in chunks that name their core. For
 * tband_configUSE_BACKEND_STREAMING without tband_portBACKEND_STREAM_DATA.
 *
 *   static struct tband_link link; // all zeros: nothing was sent yet
 *   for (size_t len; (len = tband_link_peek(&link, &bytes)) != 0; tband_link_consume(&link, len))
 *       uart_write(bytes, len);
 *
 * One consumer, on any core: a task, the end of a transfer or the idle hook. Each change of the core costs five bytes.
 */
#ifndef TBAND_LINK_H
#define TBAND_LINK_H

#if defined(__cplusplus) && defined(__GNUC__)
#pragma GCC system_header /* so that casts of C are no warnings in C++ */
#endif

#include "tband.h"

#if tband_configENABLE == 1

#if tband_configUSE_BACKEND_STREAMING != 1 || defined(tband_portBACKEND_STREAM_DATA)
#error "tband_link.h sends streams: set tband_configUSE_BACKEND_STREAMING to 1, without tband_portBACKEND_STREAM_DATA."
#endif
#if tband_portNUMBER_OF_CORES > 32
#error "tband_link.h is for at most 32 cores: decoders accept at most 32 in one stream."
#endif

enum { TBAND_CHUNK_LEN = 5 };

struct tband_link {
    unsigned core; /* core whose bytes are being sent */
    unsigned header_left;
    bool stays, has_begun; /* stays: a chunk has just begun, or the bytes sent last are no whole frame; what follows is
                              of the same core */
    uint8_t header[TBAND_CHUNK_LEN];
};

/* The event `chunk`: a core and the number of its bytes. COBS replaces each zero byte by the distance to the next
 * one. */
static inline void tband_link_begin_chunk(struct tband_link *link, unsigned core) {
    link->header[0] = core ? 4 : 2;
    link->header[1] = 0x89;
    link->header[2] = core ? (uint8_t)core : 2;
    link->header[3] = tband_portNUMBER_OF_CORES;
    link->header[4] = 0;
    link->header_left = TBAND_CHUNK_LEN;
    link->core = core;
    link->stays = link->has_begun = true;
}

/* The next core with bytes, round robin; the current core comes last. */
static inline void tband_link_choose(struct tband_link *link) {
    const uint8_t *bytes;
    unsigned core = link->core;
    for (unsigned i = 0; i < tband_portNUMBER_OF_CORES; i++) {
        core = core + 1 < tband_portNUMBER_OF_CORES ? core + 1 : 0;
        if (!tband_stream_peek(core, &bytes)) continue;
        if (core != link->core || !link->has_begun) tband_link_begin_chunk(link, core);
        return;
    }
}

/* Returns the number of contiguous bytes that are ready to be sent, at *out_bytes; 0: none. They stay valid until
 * consumed. */
static inline size_t tband_link_peek(struct tband_link *link, const uint8_t **out_bytes) {
    if (!link->header_left && !link->stays) tband_link_choose(link);
    *out_bytes = link->header + TBAND_CHUNK_LEN - link->header_left;
    return link->header_left ? link->header_left : link->has_begun ? tband_stream_peek(link->core, out_bytes) : 0;
}

/* The first `len` of these bytes were sent. */
static inline void tband_link_consume(struct tband_link *link, size_t len) {
    const uint8_t *bytes;
    if (link->header_left) {
        link->header_left -= (unsigned)len;
    } else if (len) {
        tband_stream_peek(link->core, &bytes);
        link->stays = bytes[len - 1] != 0;
        tband_stream_consume(link->core, len);
    }
}

#else /* tband_configENABLE */

struct tband_link {
    unsigned core;
};
static inline size_t tband_link_peek(struct tband_link *link, const uint8_t **out_bytes) {
    return tband_stream_peek(link->core, out_bytes);
}
static inline void tband_link_consume(struct tband_link *link, size_t len) { tband_stream_consume(link->core, len); }

#endif

#endif
