// SPDX-License-Identifier: MIT
//
// Value change dumps: decoder of one input. docs/formats/vcd.md.
#include "vcd.h"

#include <string.h>

#include "../../model/trackers/tracker.h"

static bool init(void *ctx, const struct tk_decode_host *host) {
    struct vcd *vcd = ctx;
    vcd->host = *host;
    vcd->batch = host->open_stream(host->stream_ctx, TK_STREAM_PER_TRACK);
    vcd->unit = vcd->shown = (struct tk_unit){ 1, 1 };
    memcpy(vcd->unit_text, "1ns", 3);
    vcd->unit_len = 3;
    vcd->byte_after = '\n'; // the dump begins at the start of a line
    tk_signals_init(&vcd->signals, host->alloc, host->diag, vcd->batch, (uint8_t)host->input);
    return vcd->batch;
}

// ---- Tokens --------------------------------------------------------------------------------------

static void buffer_token_piece(struct vcd *vcd, const uint8_t *bytes, size_t len) {
    if (vcd->skips_token || !len) return;
    if (tk_carry_len(&vcd->carry) + len > VCD_LONGEST_TOKEN) {
        vcd->skips_token = true;
        tk_carry_cut(&vcd->carry, 0);
        vcd_note(vcd, TK_DIAG_TOKENS_UNKNOWN, 1);
        return;
    }
    tk_carry_add(&vcd->carry, vcd->host.alloc, bytes, len);
}

static void end_carry(struct vcd *vcd) {
    if (tk_carry_len(&vcd->carry)) vcd_token(vcd, tk_carry_bytes(&vcd->carry), tk_carry_len(&vcd->carry));
    tk_carry_cut(&vcd->carry, 0);
    vcd->skips_token = false;
}

static bool is_cut(const struct vcd *vcd) { return tk_carry_len(&vcd->carry) || vcd->skips_token; }

// Takes part of a token that began in an earlier chunk or continues in the next one.
static void take_token_piece(struct vcd *vcd, const uint8_t *bytes, size_t len, bool ends) {
    if (!is_cut(vcd)) vcd->offset = vcd->at;
    buffer_token_piece(vcd, bytes, len);
    if (ends) end_carry(vcd);
    vcd->at += len + ends;
}

// Takes tokens until the bytes are used up, the batch is full, or a decision needs the following text. Returns the
// bytes taken.
static size_t take_tokens(struct vcd *vcd, const uint8_t *bytes, size_t len) {
    size_t at = 0;
    while (at < len && !tk_batch_is_full(vcd->batch) && !vcd->open) {
        const uint8_t *token = bytes + at;
        while (at < len && !vcd_is_blank(bytes[at])) at++;
        size_t token_len = (size_t)(bytes + at - token);
        bool ends = at < len;
        if (ends) vcd->byte_before = vcd->byte_after, vcd->byte_after = bytes[at++];
        if (!ends || is_cut(vcd)) {
            take_token_piece(vcd, token, token_len, ends);
            continue;
        }
        vcd->offset = vcd->at;
        vcd->at += token_len + 1;
        if (token_len) vcd_token(vcd, token, token_len);
    }
    return at;
}

// ---- Text that is held back until it has decided -------------------------------------------------

static bool has_buffered_bytes(const struct vcd *vcd) { return tk_carry_len(&vcd->lookahead) > 0; }

static bool resolve_buffered_timescale(struct vcd *vcd, bool is_all) {
    return vcd_resolve_timescale(vcd, tk_carry_bytes(&vcd->lookahead), tk_carry_len(&vcd->lookahead), is_all);
}

// Tries to decide with the buffered bytes, or with this chunk if none are buffered. If they do not suffice, buffers the
// chunk. Returns the bytes taken.
static size_t read_ahead(struct vcd *vcd, const uint8_t *bytes, size_t len) {
    bool is_resolved = has_buffered_bytes(vcd) ? resolve_buffered_timescale(vcd, false)
                                               : vcd_resolve_timescale(vcd, bytes, len, false);
    return is_resolved ? 0 : tk_carry_fill(&vcd->lookahead, vcd->host.alloc, VCD_LOOKAHEAD_LEN, bytes, len);
}

static void drain(struct vcd *vcd) {
    tk_carry_drop(&vcd->lookahead, take_tokens(vcd, tk_carry_bytes(&vcd->lookahead), tk_carry_len(&vcd->lookahead)));
}

// ---- The decoder ---------------------------------------------------------------------------------

static bool has_room(const struct vcd *vcd) { return !tk_batch_is_full(vcd->batch) && !vcd->host.alloc->failed; }

// Decodes a chunk. While buffered bytes can be decoded, the last byte is not reported as consumed, so that the caller
// calls again.
static size_t decode(void *ctx, const uint8_t *bytes, size_t len) {
    struct vcd *vcd = ctx;
    size_t at = vcd->last_byte_unreported;
    while (has_room(vcd)) {
        if (has_buffered_bytes(vcd) && !vcd->open) drain(vcd);
        else if (at == len) break;
        else at += vcd->open ? read_ahead(vcd, bytes + at, len - at) : take_tokens(vcd, bytes + at, len - at);
    }
    vcd->last_byte_unreported = at == len && has_buffered_bytes(vcd) && !vcd->open;
    vcd->host.account->decoded += at - vcd->last_byte_unreported;
    return at - vcd->last_byte_unreported;
}

static bool end(void *ctx) {
    struct vcd *vcd = ctx;
    while ((vcd->open || has_buffered_bytes(vcd)) && has_room(vcd)) {
        if (vcd->open) resolve_buffered_timescale(vcd, true);
        else drain(vcd);
    }
    if (has_buffered_bytes(vcd)) return vcd->host.alloc->failed;
    vcd->byte_before = vcd->byte_after;
    vcd->byte_after = '\n';
    vcd->ends_in_word = true;
    end_carry(vcd);
    if (vcd->open) resolve_buffered_timescale(vcd, true); // the last token was a time
    vcd_end_section(vcd);
    if (!vcd->is_defined) vcd_begin_times(vcd);
    if (vcd->awaits_code) vcd_note(vcd, TK_DIAG_ENTRY_CUT, tk_carry_len(&vcd->value));
    if (vcd->omitted && !vcd->chosen) tk_diag_count(vcd->host.diag, TK_DIAG_SIGNALS_UNMATCHED, NULL);
    tk_signals_flush(&vcd->signals);
    for (uint32_t id = 1; id <= vcd->signals.count; id++)
        tk_signals_close(&vcd->signals, id, vcd->ns, TK_END_OPEN_AT_END);
    return true;
}

static uint64_t frames(const void *ctx) {
    const struct vcd *vcd = ctx;
    return vcd->changes;
}

static uint64_t stretch(const void *ctx) { return vcd_time_multiplier(ctx); }

static bool summary_line(const void *ctx, uint32_t index, char out_text[TK_SUMMARY_LEN]) {
    static const char *const fine[] = { "", "Times are shown 1000 times as long: 1 ns in the viewer is 1 ps",
                                        "Times are shown a million times as long: 1 ns in the viewer is 1 fs" };
    const struct vcd *vcd = ctx;
    bool tells_source = vcd->about_len && !index;
    if (!tells_source && (!vcd->fine || index != (vcd->about_len ? 1u : 0u))) return false;
    char text_room[TK_SHORT_ROOM];
    struct tk_text text = tk_short_in(text_room);
    tk_text_put(&text, tells_source ? vcd->about : fine[vcd->fine],
                tells_source ? vcd->about_len : strlen(fine[vcd->fine]));
    memcpy(out_text, text.text, text.len);
    out_text[text.len] = 0;
    return true;
}

static const struct tk_tracker *const trackers[] = { &tk_tracker_tracks, NULL };

static const char *record_name(unsigned record) {
    static const char *const names[VCD_RECORDS] = {
        [VCD_TIMESCALE] = "timescale", [VCD_SCOPE] = "scope",   [VCD_UPSCOPE] = "upscope", [VCD_VAR] = "var",
        [VCD_TIME] = "time",           [VCD_CHANGE] = "change", [VCD_GAP] = "dumpoff"
    };
    return names[record];
}

const struct tk_record_names tk_names_vcd = { .name = record_name };

const struct tk_decoder tk_decoder_vcd = { .info = &tk_info_vcd,
                                           .trackers = trackers,
                                           .no_tick = TK_DIAG_TICK_ASSUMED,
                                           .size = sizeof(struct vcd),
                                           .init = init,
                                           .decode = decode,
                                           .end = end,
                                           .frames = frames,
                                           .summary_line = summary_line,
                                           .stretch = stretch,
                                           .names = &tk_names_vcd,
                                           .kinds = tk_signal_kinds };
