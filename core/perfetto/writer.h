// SPDX-License-Identifier: MIT
//
// Writes the calls of a track sink as a Perfetto trace (protobuf, append-only, no allocation per event). Clocks,
// sequence, field numbers: docs/formats/perfetto.md.
#ifndef TK_PERFETTO_WRITER_H
#define TK_PERFETTO_WRITER_H

#include "../base/alloc.h"
#include "../model/timeline/track_sink.h"

struct tk_byte_sink { // same shape as struct tk_sink of tonkopf.h
    void *ctx;
    bool (*write)(void *ctx, const uint8_t *bytes, size_t len);
    bool (*rewrite_head)(void *ctx, const uint8_t *bytes, size_t len);
};

typedef struct tk_writer tk_writer;

enum { TK_WRITER_BLOCK = 64 * 1024 }; // bytes collected before they are passed to the sink

// Returns NULL when out of memory. The head has a fixed length; it contains the tick length known when the first block
// is sent.
tk_writer *tk_writer_new(struct tk_alloc *alloc, const struct tk_byte_sink *out);
// Sets the tick length of the head. After the first block was sent, a change needs rewrite_head.
void tk_writer_set_tick_ns(tk_writer *writer, uint64_t tick_ns);
// Sends all bytes that are not written yet to another output.
void tk_writer_set_output(tk_writer *writer, const struct tk_byte_sink *out);
// Returns the calls for the timeline.
struct tk_track_sink tk_writer_track_sink(tk_writer *writer);

uint64_t tk_writer_bytes(const tk_writer *writer);     // written so far, including the head
uint64_t tk_writer_packets(const tk_writer *writer);   // without the head
bool tk_writer_refused(const tk_writer *writer);       // the sink returned false; nothing more is written
bool tk_writer_head_is_wrong(const tk_writer *writer); // after finish: the tick length or wall clock changed, and the
                                                       // sink cannot seek

#endif
