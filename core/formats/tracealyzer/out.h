// SPDX-License-Identifier: MIT
//
// The output of one input: its event streams and batches.
#ifndef TK_FORMATS_TRACEALYZER_OUT_H
#define TK_FORMATS_TRACEALYZER_OUT_H

#include <string.h>

#include "../../base/utf8.h"
#include "../format.h"
#include "decode.h"

struct psf_out {
    const struct tk_decode_host *host;
    struct tk_batch *streams[PSF_MAX_CORES];
    uint32_t stream_count;  // one for all cores, or one per core
    struct tk_batch *batch; // batch of the current core
    struct tk_event at;     // the fields that all events of the current record have in common: time and source position
    uint32_t sent;
};

// Selects the core of the following events.
static inline void psf_out_core(struct psf_out *out, uint8_t core) {
    out->at.core = core;
    out->batch = out->streams[core < out->stream_count ? core : 0];
}

// Sets the bytes of the current record. lasting: they are valid until the next call of decode. Otherwise they are
// copied for the current core, and only its events may use them.
static inline void psf_out_bytes(struct psf_out *out, const uint8_t *bytes, size_t len, bool lasting) {
    if (len > TK_DIAG_CONTEXT) len = TK_DIAG_CONTEXT;
    out->at.raw = lasting ? bytes : tk_arena_copy(&out->batch->memory, bytes, len);
    out->at.raw_len = (uint16_t)(out->at.raw ? len : 0);
}

// Adds an event. The caller fills in the fields of its kind.
static inline struct tk_event *psf_emit_event(struct psf_out *out, enum tk_event_kind kind) {
    struct tk_event *event = tk_batch_slot(out->batch);
    *event = out->at;
    event->kind = (uint8_t)kind;
    event->timed = true;
    tk_batch_add(out->batch);
    out->sent++;
    return event;
}

// Adds an event, such as a name, that has no time of its own.
static inline struct tk_event *psf_emit_untimed(struct psf_out *out, enum tk_event_kind kind) {
    struct tk_event *event = psf_emit_event(out, kind);
    event->timed = false;
    event->ticks = 0;
    return event;
}

// Sets the text of an event, in memory that lasts as long as the event. Replaces invalid UTF-8.
void psf_set_text(struct psf_out *out, struct tk_event *event, const char *text, size_t len);

#endif
