// SPDX-License-Identifier: MIT
//
// Encodes the calls of a track sink as rows of a timeline, in blocks (block.h). Keeps only the open group of each row,
// so its memory depends on the number of rows, not on the length of the recording.
#ifndef TK_VIEWER_ENCODE_H
#define TK_VIEWER_ENCODE_H

#include "../base/alloc.h"
#include "../model/timeline/track_sink.h"

typedef bool (*tk_block_write_fn)(void *ctx, const uint8_t *bytes, size_t len);

typedef struct tk_row_encoder tk_row_encoder;

enum {
    TK_ENCODER_BUFFER = 32 * 1024, // bytes collected before they are passed on
    TK_ENCODER_ROWS = 1 << 18,     // most rows; points of further ones are dropped
    TK_ENCODER_TEXTS = 4096        // most different inline texts; further ones get one text in common
};

// Returns NULL when out of memory. `write` receives whole blocks; returning false refuses the output.
tk_row_encoder *tk_row_encoder_new(struct tk_alloc *alloc, tk_block_write_fn write, void *ctx);
// Returns the calls for the timeline.
struct tk_track_sink tk_row_encoder_sink(tk_row_encoder *encoder);
// Passes on everything so far. The groups that are not full are marked as open: later ones replace them. tick_ns and
// last_ticks: length of a tick and last time, as far as they are known.
void tk_row_encoder_flush(tk_row_encoder *encoder, uint64_t tick_ns, uint64_t last_ticks);
// Discards all further output; for a trace that is closed and then continued.
void tk_row_encoder_mute(tk_row_encoder *encoder);
bool tk_row_encoder_refused(const tk_row_encoder *encoder); // `write` returned false; nothing more is written

#endif
