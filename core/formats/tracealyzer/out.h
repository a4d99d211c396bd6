// SPDX-License-Identifier: MIT
//
// Where the events of one input go.
#ifndef TK_FORMATS_TRACEALYZER_OUT_H
#define TK_FORMATS_TRACEALYZER_OUT_H

#include <string.h>

#include "../../base/utf8.h"
#include "../format.h"
#include "decode.h"

struct psf_out {
    const struct tk_decode_host *host;
    struct tk_batch *streams[PSF_MAX_CORES];
    uint32_t stream_count;  // one for all cores, or one for each
    struct tk_batch *batch; // of the core at hand
    struct tk_event at;     // what all events of the record at hand have in common: time and place
    uint32_t sent;
};

// What follows is of this core.
static inline void psf_out_core(struct psf_out *out, uint8_t core) {
    out->at.core = core;
    out->batch = out->streams[core < out->stream_count ? core : 0];
}

// The bytes of the record at hand. lasting: until the next call of decode; else they are copied for the core at hand,
// and only its events may bear them.
static inline void psf_out_bytes(struct psf_out *out, const uint8_t *bytes, size_t len, bool lasting) {
    if (len > TK_DIAG_CONTEXT) len = TK_DIAG_CONTEXT;
    out->at.raw = lasting ? bytes : tk_arena_copy(&out->batch->memory, bytes, len);
    out->at.raw_len = (uint16_t)(out->at.raw ? len : 0);
}

// The caller fills in the fields of the kind.
static inline struct tk_event *psf_emit_event(struct psf_out *out, enum tk_event_kind kind) {
    struct tk_event *event = tk_batch_slot(out->batch);
    *event = out->at;
    event->kind = (uint8_t)kind;
    event->timed = true;
    tk_batch_add(out->batch);
    out->sent++;
    return event;
}

// Names and the like take the time of their neighbour.
static inline struct tk_event *psf_emit_untimed(struct psf_out *out, enum tk_event_kind kind) {
    struct tk_event *event = psf_emit_event(out, kind);
    event->timed = false;
    event->ticks = 0;
    return event;
}

// Text of an event in memory that lasts as long as it; what is no UTF-8 is mended.
void psf_set_text(struct psf_out *out, struct tk_event *event, const char *text, size_t len);

#endif
