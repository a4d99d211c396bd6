// SPDX-License-Identifier: MIT
//
// The flux format: decoder of one input. docs/formats/flux.md.
#include "flux.h"

#include "../../model/trackers/tracker.h"

static bool init(void *ctx, const struct tk_decode_host *host) {
    struct flux *flux = ctx;
    flux->host = *host;
    flux->dialect = FLUX_6;
    flux->batch = host->open_stream(host->stream_ctx, TK_STREAM_PER_TRACK);
    flux->deferred.alloc = host->alloc;
    flux->deferred.memory.alloc = host->alloc;
    tk_signals_init(&flux->signals, host->alloc, host->diag, flux->batch, (uint8_t)host->input);
    // one slot each, which takes all events if memory runs out
    return flux->batch && tk_batch_grow(&flux->deferred) &&
           tk_alloc_grow(host->alloc, (void **)&flux->traces, &flux->trace_capacity, 1, sizeof *flux->traces);
}

// Emits the length of a tick of the trace, one nanosecond.
static void emit_tick_length(struct flux *flux) {
    struct tk_event *event = tk_batch_slot(flux->batch);
    *event = (struct tk_event){ .kind = TK_EV_TICK_LENGTH,
                                .tick_length = { 1, TK_TICK_RECORDED },
                                .input = (uint8_t)flux->host.input };
    tk_batch_add(flux->batch);
    flux->tick_emitted = true;
}

// Returns true if the batch is full.
static bool run(struct flux *flux) {
    if (!flux->tick_emitted) emit_tick_length(flux);
    if (!flux->deferred.count && flux->deferred.memory.used) tk_arena_reset(&flux->deferred.memory);
    if (!flux->dialect_known && !flux_detect_dialect(flux)) return false;
    return flux_stream_run(flux);
}

// Decodes a chunk. While blocks contain unread bytes, the last byte is not reported as consumed, so that the caller
// calls again.
static size_t decode(void *ctx, const uint8_t *bytes, size_t len) {
    struct flux *flux = ctx;
    size_t at = flux->withholds_last_byte;
    flux->withholds_last_byte = false;
    for (;;) {
        if (run(flux)) {
            flux->withholds_last_byte = at == len;
            return at - flux->withholds_last_byte;
        }
        if (at == len) return len;
        at += flux_stream_take(flux, bytes + at, len - at);
    }
}

static bool end(void *ctx) {
    struct flux *flux = ctx;
    flux->has_ended = true;
    if (run(flux)) return false;
    flux_close_all(flux, TK_END_OPEN_AT_END, false);
    if (flux->has_omitted && !flux->has_chosen) tk_diag_count(flux->host.diag, TK_DIAG_SIGNALS_UNMATCHED, NULL);
    for (uint32_t id = 1; id <= flux->signals.count; id++)
        tk_signals_close(&flux->signals, id, flux->last_ns, TK_END_OPEN_AT_END);
    flux_release_all(flux);
    flux_resolve_axes(flux);
    return true;
}

static uint64_t frames(const void *ctx) {
    const struct flux *flux = ctx;
    return flux->entries + flux->samples;
}

static uint64_t stretch(const void *ctx) {
    return (const uint64_t[]){ 1, 1000, 1000000 }[((const struct flux *)ctx)->fine];
}

static const struct tk_tracker *const trackers[] = { &tk_tracker_tracks, NULL };

const struct tk_decoder tk_decoder_flux = { .info = &tk_info_flux,
                                            .trackers = trackers,
                                            .unordered = true,
                                            .no_tick = TK_DIAG_TICK_ASSUMED,
                                            .size = sizeof(struct flux),
                                            .init = init,
                                            .decode = decode,
                                            .end = end,
                                            .frames = frames,
                                            .summary_line = flux_summary_line,
                                            .stretch = stretch,
                                            .tables = flux_tables,
                                            .table_list = flux_table_list,
                                            .names = &tk_names_flux,
                                            .kinds = tk_signal_kinds };
