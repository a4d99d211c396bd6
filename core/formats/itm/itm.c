// SPDX-License-Identifier: MIT
//
// Recordings of the ITM of Cortex-M processors: finds the packets in the stream and recovers after damage.
// docs/formats/itm.md.
#include "itm.h"

#include "../../base/attributes.h"
#include "../kit/packets.h"

struct itm {
    struct tk_decode_host host;
    struct tk_packets packets;
    struct itm_map map;
    uint64_t offset, skipped, count; // count: packets. skipped: bytes right before `offset` that are none
    struct tk_itm_stream stream;
    bool ended;
};

// is_damage: the bytes follow a packet of the stream.
TK_COLD static void report_skipped(struct itm *d, bool is_damage) {
    enum tk_diag_id id = is_damage ? TK_DIAG_NOT_A_RECORD : TK_DIAG_FRAME_CUT_AT_START;
    struct tk_source_pos place = {
        .input = d->host.input, .has_offset = true, .offset = d->offset - d->skipped, .frame = d->count
    };
    tk_diag_note(d->host.diag, id, &place, d->skipped);
    tk_account_skip(d->host.account, id, d->skipped);
    if (d->host.on_bytes_skipped) d->host.on_bytes_skipped(d->host.dump_ctx, place.offset, d->skipped, "no packet");
    if (is_damage) itm_map_damage(&d->map, place.offset, d->count);
    d->skipped = 0;
}

static inline void end_skipped(struct itm *d, bool is_damage) {
    if (d->skipped) report_skipped(d, is_damage);
}

// Consumes what is at the start of the bytes. Returns its length; 0: more bytes are needed to tell.
static size_t step(struct itm *d, const uint8_t *bytes, size_t len) {
    struct tk_itm_packet packet;
    bool had_begun = d->stream.begun;
    size_t used = tk_itm_next(&d->stream, bytes, len, &packet);
    if (!used) return 0;
    if (packet.kind == TK_ITM_BAD) {
        if (!had_begun && d->stream.begun) end_skipped(d, false);
        d->skipped += used;
        d->offset += used;
        return used;
    }
    end_skipped(d, had_begun);
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
    d->stream.is_impatient = tk_decode_is_live(&d->host);
    return tk_packets_decode(&d->packets, d, bytes, len);
}

static bool end(void *decoder) {
    struct itm *d = decoder;
    struct tk_carry *carry = &d->packets.carry;
    if (d->ended) return true;
    d->stream.is_end = true;
    tk_carry_drop(carry, take(d, tk_carry_bytes(carry), tk_carry_len(carry), false));
    if (is_full(d)) return false;
    d->ended = true;
    end_skipped(d, d->stream.begun);
    d->host.account->left += tk_carry_len(carry); // a cut packet is no error
    itm_map_end(&d->map);
    return true;
}

static bool init(void *decoder, const struct tk_decode_host *host) {
    struct itm *d = decoder;
    d->host = *host;
    d->packets =
        (struct tk_packets){ .alloc = host->alloc, .take = take, .is_full = is_full, .limit = 2 * TK_ITM_LOOK };
    itm_map_init(&d->map, &d->host, host->open_stream(host->stream_ctx, TK_STREAM_RESOLVED));
    if (d->map.batch && host->beside) tk_batch_set_clock(d->map.batch, &host->beside->clock);
    return d->map.batch != NULL;
}

static bool arrival(const void *decoder, uint64_t offset, uint64_t *out_count) {
    return itm_map_arrival(&((const struct itm *)decoder)->map, offset, out_count);
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
                                           .arrival = arrival,
                                           .frames = frames,
                                           .summary_line = summary_line,
                                           .tables = tables,
                                           .table_list = itm_table_list,
                                           .names = &tk_names_itm,
                                           .kinds = kinds };
