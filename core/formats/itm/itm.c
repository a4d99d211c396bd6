// SPDX-License-Identifier: MIT
//
// Recordings of the ITM of Cortex-M processors: finds the packets in the stream and recovers after damage.
// docs/formats/itm.md.
#include "itm.h"

#include "../kit/packets.h"

enum {
    ENOUGH = 16,                               // packets without a bad one that prove where packets begin
    AT_START = 64,                             // packets that are checked at the start
    LONGEST_LOOK = 64 * (TK_ITM_LONGEST + 64), // bytes of so many packets and of zeros between them
    FEWEST_AT_END = 4
};

struct itm {
    struct tk_decode_host host;
    struct tk_packets packets;
    struct itm_map map;
    uint64_t offset, skipped, count; // count: packets. skipped: bytes right before `offset` that are none
    bool begun;                      // the first packet was found
    bool lost;                       // after damage
    bool is_end;                     // no more bytes follow
    bool ended;
};

enum verdict { YES, NO, SHORT };

// Returns whether `count` packets follow each other, none of them bad; a sync suffices. *out_bad: bytes up to the end
// of the bad one.
static enum verdict follow(const struct itm *d, const uint8_t *bytes, size_t len, unsigned count, size_t *out_bad) {
    struct tk_itm_packet packet;
    size_t at = 0, used;
    unsigned found = 0;
    while (found < count && at < LONGEST_LOOK) {
        if (at == len || !(used = tk_itm_read(bytes + at, len - at, d->is_end, &packet))) {
            if (!d->is_end) return SHORT;
            *out_bad = at + (at < len);
            return found >= FEWEST_AT_END ? YES : NO;
        }
        at += used;
        if (packet.kind == TK_ITM_SYNC) return YES;
        if (packet.kind == TK_ITM_BAD) return *out_bad = at, NO;
        found += packet.kind != TK_ITM_PADDING;
    }
    return YES;
}

static void end_skipped(struct itm *d) {
    enum tk_diag_id id = d->begun ? TK_DIAG_NOT_A_RECORD : TK_DIAG_FRAME_CUT_AT_START;
    struct tk_source_pos place = {
        .input = d->host.input, .has_offset = true, .offset = d->offset - d->skipped, .frame = d->count
    };
    if (!d->skipped) return;
    tk_diag_note(d->host.diag, id, &place, d->skipped);
    tk_account_skip(d->host.account, id, d->skipped);
    if (d->host.on_bytes_skipped) d->host.on_bytes_skipped(d->host.dump_ctx, place.offset, d->skipped, "no packet");
    if (d->begun) itm_map_damage(&d->map, place.offset, d->count);
    d->skipped = 0;
}

static size_t skip(struct itm *d, size_t len) {
    d->skipped += len;
    d->offset += len;
    return len;
}

// Consumes a packet at the start of the bytes. Returns its length; 0: more bytes are needed to tell.
static size_t step(struct itm *d, const uint8_t *bytes, size_t len) {
    struct tk_itm_packet packet;
    size_t bad = 0;
    if (!d->begun || d->lost) {
        enum verdict verdict = follow(d, bytes, len, d->begun ? ENOUGH : AT_START, &bad);
        if (verdict == SHORT && !(d->begun ? false : tk_decode_is_live(&d->host))) return 0;
        if (verdict == NO) return skip(d, d->begun ? 1 : bad);
        end_skipped(d);
        d->begun = true;
        d->lost = false;
    }
    size_t used = tk_itm_read(bytes, len, d->is_end, &packet);
    if (!used) return 0;
    if (packet.kind == TK_ITM_BAD) {
        d->lost = true;
        return skip(d, used);
    }
    if (packet.kind != TK_ITM_PADDING) itm_map_packet(&d->map, &packet, d->offset, d->count++);
    d->host.account->decoded += used;
    d->offset += used;
    return used;
}

static bool is_full(const void *decoder) {
    const struct itm *d = decoder;
    return tk_batch_is_full(d->map.batch) || d->host.alloc->failed;
}

static size_t take(void *decoder, const uint8_t *bytes, size_t len, bool in_chunk) {
    struct itm *d = decoder;
    size_t used = 0, one;
    (void)in_chunk; // events borrow from their batch only
    while (used < len && !is_full(d) && (one = step(d, bytes + used, len - used))) used += one;
    return used;
}

static size_t decode(void *decoder, const uint8_t *bytes, size_t len) {
    struct itm *d = decoder;
    return tk_packets_decode(&d->packets, d, bytes, len);
}

static bool end(void *decoder) {
    struct itm *d = decoder;
    struct tk_carry *carry = &d->packets.carry;
    if (d->ended) return true;
    d->is_end = true;
    tk_carry_drop(carry, take(d, tk_carry_bytes(carry), tk_carry_len(carry), false));
    if (is_full(d)) return false;
    d->ended = true;
    end_skipped(d);
    d->host.account->left += tk_carry_len(carry); // a cut packet is no error
    itm_map_end(&d->map);
    return true;
}

static bool init(void *decoder, const struct tk_decode_host *host) {
    struct itm *d = decoder;
    d->host = *host;
    d->packets =
        (struct tk_packets){ .alloc = host->alloc, .take = take, .is_full = is_full, .limit = 2 * LONGEST_LOOK };
    itm_map_init(&d->map, &d->host, host->open_stream(host->stream_ctx, TK_STREAM_RESOLVED));
    return d->map.batch != NULL;
}

static uint64_t frames(const void *decoder) { return ((const struct itm *)decoder)->count; }

static bool summary_line(const void *decoder, uint32_t index, char out_text[TK_SUMMARY_LEN]) {
    return itm_map_summary(&((const struct itm *)decoder)->map, index, out_text);
}

static void tables(const void *decoder, const struct tk_table_sink *sink) {
    itm_profile_tables(&((const struct itm *)decoder)->map.profile, sink);
}

const struct tk_record_names tk_names_itm = { .name = itm_kind_name };

static const struct tk_tracker *const trackers[] = { &tk_tracker_rtos, &tk_tracker_tracks, NULL };

static const struct tk_kind_words kinds[] = { { TK_EV_TRACK_INSTANT, "sample, text or access" },
                                              { TK_EV_TRACK_COUNT, "number of a port, a counter or data" },
                                              { 0, NULL } };

const struct tk_decoder tk_decoder_itm = { .info = &tk_info_itm,
                                           .trackers = trackers,
                                           .symbols = TK_SYMBOLS_FOR_NAMES,
                                           .no_tick = TK_DIAG_RATE_UNKNOWN,
                                           .size = sizeof(struct itm),
                                           .init = init,
                                           .decode = decode,
                                           .end = end,
                                           .frames = frames,
                                           .summary_line = summary_line,
                                           .tables = tables,
                                           .table_list = itm_table_list,
                                           .names = &tk_names_itm,
                                           .kinds = kinds };
