// SPDX-License-Identifier: MIT
#include "carrier.h"

enum { EVIDENCE = 64 * 1024 };

enum tk_carrier_kind tk_carrier_probe(const uint8_t *head, size_t len) {
    struct tk_itm_evidence evidence;
    if (tk_tpiu_is(head, len)) return TK_CARRIER_TPIU;
    tk_itm_examine(head, len < EVIDENCE ? len : EVIDENCE, &evidence);
    return tk_itm_is_proven(&evidence) ? TK_CARRIER_ITM : TK_CARRIER_NONE;
}

// Reads packets. Returns the bytes used; *out_ok: false if `take` has returned false.
static size_t take_packets(struct tk_carrier *carrier, const uint8_t *bytes, size_t len, tk_carrier_fn take, void *ctx,
                           bool *out_ok) {
    struct tk_itm_packet packet;
    size_t at = 0, used;
    *out_ok = true;
    while (at < len && *out_ok && (used = tk_itm_next(&carrier->itm, bytes + at, len - at, &packet))) {
        at += used;
        if (packet.kind == TK_ITM_SYNC) carrier->page = 0;
        if (packet.kind == TK_ITM_PAGE) carrier->page = packet.what;
        if (packet.kind == TK_ITM_SOFTWARE)
            *out_ok = take(ctx, (uint8_t)(carrier->page * 32 + packet.what), bytes + at - packet.size, packet.size);
    }
    return at;
}

static bool feed_itm(struct tk_carrier *carrier, struct tk_alloc *alloc, const uint8_t *bytes, size_t len,
                     tk_carrier_fn take, void *ctx) {
    struct tk_carry *rest = &carrier->rest;
    bool is_ok = true;
    carrier->itm.is_end = !bytes;
    if (!bytes || tk_carry_len(rest)) {
        if (bytes && !tk_carry_add(rest, alloc, bytes, len)) return false;
        tk_carry_drop(rest, take_packets(carrier, tk_carry_bytes(rest), tk_carry_len(rest), take, ctx, &is_ok));
        return is_ok;
    }
    size_t used = take_packets(carrier, bytes, len, take, ctx, &is_ok);
    return tk_carry_add(rest, alloc, bytes + used, len - used) && is_ok;
}

bool tk_carrier_feed(struct tk_carrier *carrier, struct tk_alloc *alloc, const uint8_t *bytes, size_t len,
                     tk_carrier_fn take, void *ctx) {
    if (carrier->kind == TK_CARRIER_ITM) return feed_itm(carrier, alloc, bytes, len, take, ctx);
    return !bytes || tk_tpiu_feed(&carrier->tpiu, bytes, len, take, ctx);
}

void tk_carrier_release(struct tk_carrier *carrier, struct tk_alloc *alloc) { tk_carry_free(&carrier->rest, alloc); }

void tk_carried_put(const struct tk_carried *carried, struct tk_text *text) {
    tk_text_add(text, carried->kind == TK_CARRIER_TPIU ? "stream " : "port ");
    tk_text_u64(text, carried->number);
}
