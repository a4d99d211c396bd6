// SPDX-License-Identifier: MIT
//
// Value change dumps: decoder of one input. docs/formats/vcd.md.
#include "vcd.h"

#include <string.h>

#include "../../model/tracker.h"

static bool init(void *ctx, const struct tk_decode_host *host) {
    struct vcd *vcd = ctx;
    vcd->host = *host;
    vcd->batch = host->open_lane(host->lane_ctx, TK_LANE_FREE);
    vcd->unit = vcd->shown = (struct tk_unit){ 1, 1 };
    memcpy(vcd->unit_text, "1ns", 3);
    vcd->unit_len = 3;
    tk_signals_init(&vcd->signals, host->alloc, host->diag, vcd->batch, (uint8_t)host->input);
    return vcd->batch;
}

static void moved(void *ctx, const struct tk_decode_host *host, struct tk_move *move) {
    struct vcd *vcd = ctx;
    vcd->host = *host;
    vcd->batch = tk_follow(move, vcd->batch, sizeof *vcd->batch);
    tk_signals_moved(&vcd->signals, move);
    vcd_read_moved(vcd, move);
}

static void tell_tick(struct vcd *vcd) {
    struct tk_event *event = tk_batch_place(vcd->batch);
    *event = (struct tk_event){ .kind = TK_EV_TICK_LENGTH, .value = 1, .arg = TK_TICK_TOLD, .input = (uint8_t)vcd->host.input };
    tk_batch_add(vcd->batch);
    vcd->told_tick = true;
}

// ---- Tokens --------------------------------------------------------------------------------------

static bool is_blank(uint8_t byte) { return byte <= ' '; }

static void keep_part(struct vcd *vcd, const uint8_t *bytes, size_t len) {
    if (vcd->skips_token || !len) return;
    if (vcd->carry_len + len > VCD_LONGEST_TOKEN) {
        vcd->skips_token = true;
        vcd->carry_len = 0;
        vcd_note(vcd, TK_DIAG_WORDS_UNKNOWN, 1);
        return;
    }
    if (!tk_alloc_grow(vcd->host.alloc, (void **)&vcd->carry, &vcd->carry_capacity, vcd->carry_len + (uint32_t)len, 1)) return;
    memcpy(vcd->carry + vcd->carry_len, bytes, len);
    vcd->carry_len += (uint32_t)len;
}

static void end_carry(struct vcd *vcd) {
    if (vcd->carry_len) vcd_token(vcd, vcd->carry, vcd->carry_len);
    vcd->carry_len = 0;
    vcd->skips_token = false;
}

static bool is_cut(const struct vcd *vcd) { return vcd->carry_len || vcd->skips_token; }

// A part of a token that began in an earlier chunk, or goes on in the next one.
static void take_part(struct vcd *vcd, const uint8_t *bytes, size_t len, bool ends) {
    if (!is_cut(vcd)) vcd->offset = vcd->at;
    keep_part(vcd, bytes, len);
    if (ends) end_carry(vcd);
    vcd->at += len + ends;
}

// Takes tokens until the bytes or the room in the batch are used up, or the definitions have ended. Returns the bytes taken.
static size_t take_tokens(struct vcd *vcd, const uint8_t *bytes, size_t len) {
    size_t at = 0;
    while (at < len && !tk_batch_is_full(vcd->batch) && !vcd->wants_look) {
        const uint8_t *token = bytes + at;
        while (at < len && !is_blank(bytes[at])) at++;
        size_t token_len = (size_t)(bytes + at - token);
        bool ends = at < len;
        at += ends;
        if (!ends || is_cut(vcd)) {
            take_part(vcd, token, token_len, ends);
            continue;
        }
        vcd->offset = vcd->at;
        vcd->at += token_len + 1;
        if (token_len) vcd_token(vcd, token, token_len);
    }
    return at;
}

// ---- Times below a nanosecond --------------------------------------------------------------------

static bool has_fraction(const struct vcd *vcd) {
    bool at_start = true;
    for (size_t i = 0; i < vcd->look_len; i++) {
        bool begins = at_start && vcd->look[i] == '#';
        at_start = is_blank(vcd->look[i]);
        if (!begins) continue;
        int64_t time = 0;
        size_t at = i + 1;
        for (; at < vcd->look_len && at < i + 19 && vcd->look[at] >= '0' && vcd->look[at] <= '9'; at++) time = time * 10 + (vcd->look[at] - '0');
        if (at < vcd->look_len && tk_unit_has_fraction(vcd->unit, time)) return true;
    }
    return false;
}

static void settle_time(struct vcd *vcd) {
    const char *option = vcd->host.option ? vcd->host.option(vcd->host.option_ctx, "time-scale") : NULL;
    bool is_real = option && !strcmp(option, "real"), is_fine = option && !strcmp(option, "fine");
    if (!is_real && (is_fine || has_fraction(vcd))) vcd->fine = vcd->unit.den > 1000 ? 2 : 1;
    vcd_show_unit(vcd);
    vcd_define_root(vcd);
    vcd->wants_look = false;
}

// What follows the definitions is kept until it is known how times are shown. Returns the bytes taken.
static size_t look_ahead(struct vcd *vcd, const uint8_t *bytes, size_t len) {
    if (!vcd->look) vcd->look = tk_alloc_zero(vcd->host.alloc, VCD_LOOK);
    if (!vcd->look) return len;
    size_t room = VCD_LOOK - vcd->look_len;
    if (len > room) len = room;
    memcpy(vcd->look + vcd->look_len, bytes, len);
    vcd->look_len += len;
    if (vcd->look_len == VCD_LOOK) settle_time(vcd);
    return len;
}

static bool holds_back(const struct vcd *vcd) { return !vcd->wants_look && vcd->look_at < vcd->look_len; }

static void drain(struct vcd *vcd) { vcd->look_at += take_tokens(vcd, vcd->look + vcd->look_at, vcd->look_len - vcd->look_at); }

// ---- The decoder ---------------------------------------------------------------------------------

static bool has_room(const struct vcd *vcd) { return !tk_batch_is_full(vcd->batch) && !vcd->host.alloc->failed; }

// As long as something is held back, the last byte is told as not read yet: so there is a next call.
static size_t decode(void *ctx, const uint8_t *bytes, size_t len) {
    struct vcd *vcd = ctx;
    size_t at = vcd->owes;
    if (!vcd->told_tick) tell_tick(vcd);
    while (has_room(vcd)) {
        if (holds_back(vcd)) drain(vcd);
        else if (at == len) break;
        else at += vcd->wants_look ? look_ahead(vcd, bytes + at, len - at) : take_tokens(vcd, bytes + at, len - at);
    }
    vcd->owes = at == len && holds_back(vcd);
    vcd->host.account->decoded += at - vcd->owes;
    return at - vcd->owes;
}

static bool end(void *ctx) {
    struct vcd *vcd = ctx;
    if (vcd->wants_look) settle_time(vcd);
    while (holds_back(vcd) && has_room(vcd)) drain(vcd);
    if (holds_back(vcd)) return vcd->host.alloc->failed;
    end_carry(vcd);
    if (vcd->awaits_code) vcd_note(vcd, TK_DIAG_ENTRY_CUT, vcd->value_len);
    for (uint32_t id = 1; id <= vcd->signals.count; id++) tk_signals_close(&vcd->signals, id, vcd->ns, TK_END_OPEN_AT_END);
    return true;
}

static uint64_t frames(const void *ctx) {
    const struct vcd *vcd = ctx;
    return vcd->changes;
}

static uint64_t stretch(const void *ctx) { return vcd_stretch(ctx); }

static bool fact(const void *ctx, uint32_t index, char out_text[TK_FACT_LEN]) {
    static const char *const fine[] = { "", "Times are shown 1000 times as long: 1 ns in the viewer is 1 ps", "Times are shown a million times as long: 1 ns in the viewer is 1 fs" };
    const struct vcd *vcd = ctx;
    bool tells_source = vcd->about_len && !index;
    if (!tells_source && (!vcd->fine || index != (vcd->about_len ? 1u : 0u))) return false;
    struct tk_short text = tk_short_empty();
    tk_short_bytes(&text, tells_source ? vcd->about : fine[vcd->fine], tells_source ? vcd->about_len : strlen(fine[vcd->fine]));
    memcpy(out_text, text.text, text.len);
    out_text[text.len] = 0;
    return true;
}

static const struct tk_tracker *const trackers[] = { &tk_tracker_tracks, NULL };

const struct tk_decoder tk_decoder_vcd = {
    .info = &tk_info_vcd, .trackers = trackers, .no_tick = TK_DIAG_TICK_ASSUMED, .size = sizeof(struct vcd),
    .init = init, .decode = decode, .end = end, .moved = moved, .frames = frames, .fact = fact, .stretch = stretch,
};
