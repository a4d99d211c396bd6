// SPDX-License-Identifier: MIT
//
// Recordings of SEGGER SystemView: finds the packets in the stream and recovers behind damage.
// docs/formats/systemview.md.
#include "systemview.h"

#include <string.h>

#include "../../base/attributes.h"
#include "../kit/packets.h"
#include "description.h"
#include "ring.h"

enum {
    ENOUGH = 16,        // packets that decode and fit, so that a stream without a sync goes on there
    FEWEST_AT_END = 4,  // as many at the end
    MOST_LOOKED = 128,  // packets that are read ahead at one place
    HEAD_OF_TEXT = 256, // bytes that show a description file
    LONGEST_TEXT = 1024 * 1024
};

// What the decoder expects at its offset.
enum expected {
    EXPECTS_PACKET,
    EXPECTS_ZEROS, // of a sync that has begun
    EXPECTS_ANY,   // after damage
    EXPECTS_SYNC   // after bytes that are no packet and follow TRACE_STOP
};

struct systemview {
    struct tk_decode_host host;
    struct tk_packets packets;
    struct sv_map map;
    struct sv_packing packing;
    uint64_t offset, skipped, count; // count: packets. skipped: bytes right before `offset` that are none
    enum expected expected;
    bool begun;               // the first sync was found
    bool is_end;              // no more bytes follow
    struct tk_carry buffered; // the first bytes, until it is known whether they are a description file
    bool is_decided;          // it is known
    bool is_text;             // they are
    bool ended;
    struct tk_carry dump; // of a dump: its bytes, until all are there
    struct sv_ring ring;
    uint8_t *ordered;         // the packets of the ring, the oldest first, ring.used bytes
    uint32_t ordered_at;      // those that are decoded
    uint32_t before_ring_len; // bytes before the first sync
};

// Returns the offset in the input of a position in the stream.
static uint64_t place_of(const struct systemview *d, uint64_t position) {
    if (!d->ordered) return position;
    return d->ring.at + (d->ring.from + position) % d->ring.len;
}

const struct sv_map *sv_map_of(const void *decoder) { return &((const struct systemview *)decoder)->map; }

static size_t find_sync(const uint8_t *bytes, size_t len) {
    for (size_t at = 0; at + SV_SYNC <= len; at++)
        if (sv_is_sync(bytes + at, len - at)) return at;
    return len;
}

// A look at the packets that follow.
struct look {
    const struct systemview *decoder;
    const uint8_t *bytes;
    size_t len;
    uint32_t also;   // a task that counts as announced
    unsigned fewest; // packets that are enough if they end where the input ends
    unsigned budget; // packets that may still be read
};

// A packet that was read, and the next one.
static enum sv_verdict follows_after(struct look *look, size_t at, unsigned count, bool may_pause,
                                     const struct sv_packing *packing);

// Tries all ends of a packet whose end is open, in their order, so that the result does not depend on the chunks of the
// input.
static enum sv_verdict follows_one_of(struct look *look, size_t at, unsigned count, bool may_pause) {
    struct sv_packing packing = look->decoder->packing;
    for (packing.numbers = 0; packing.numbers <= SV_MOST_NUMBERS; packing.numbers++) {
        enum sv_verdict verdict = follows_after(look, at, count, may_pause, &packing);
        if (verdict != SV_BAD) return verdict;
    }
    return SV_BAD;
}

// SV_OK: packets follow each other from there on; SV_SHORT: more bytes are needed to tell. count: packets before.
static enum sv_verdict follows_at(struct look *look, size_t at, unsigned count, bool may_pause) {
    const struct systemview *d = look->decoder;
    const uint8_t *bytes = look->bytes + at;
    size_t len = look->len - at, zeros = 0;
    if (count == ENOUGH || at >= SV_LONGEST) return SV_OK;
    if (!len) return d->is_end && count >= look->fewest ? SV_OK : d->is_end ? SV_BAD : SV_SHORT;
    while (zeros < len && zeros < SV_SYNC && !bytes[zeros]) zeros++;
    if (zeros == SV_SYNC) return SV_OK;
    if (zeros == len && !d->is_end) return SV_SHORT;
    if (sv_has_open_end(bytes, len, &d->packing)) return follows_one_of(look, at, count, may_pause);
    return follows_after(look, at, count, may_pause, &d->packing);
}

static enum sv_verdict follows_after(struct look *look, size_t at, unsigned count, bool may_pause,
                                     const struct sv_packing *packing) {
    const struct systemview *d = look->decoder;
    struct sv_packet packet;
    if (!look->budget) return SV_BAD;
    look->budget--;
    enum sv_verdict verdict = sv_packet_read(look->bytes + at, look->len - at, packing, &packet);
    if (verdict == SV_SHORT) return d->is_end ? SV_BAD : SV_SHORT;
    if (verdict == SV_BAD || packet.id == SV_NOP || !sv_map_accepts(&d->map, &packet, may_pause, look->also))
        return SV_BAD;
    may_pause = packet.id == SV_IDLE || packet.id == SV_TASK_STOP_EXEC || packet.id == SV_ISR_EXIT;
    return follows_at(look, at + packet.len, count + 1, may_pause);
}

// SV_OK: packets follow each other from there on. also: a task that counts as announced.
static enum sv_verdict follows(const struct systemview *d, const uint8_t *bytes, size_t len, uint32_t also) {
    struct look look = { d, bytes, len, also, FEWEST_AT_END, MOST_LOOKED };
    return follows_at(&look, 0, 0, true);
}

TK_COLD static void report_skipped(struct systemview *d) {
    struct tk_source_pos place = {
        .input = d->host.input, .has_offset = true, .offset = place_of(d, d->offset - d->skipped), .frame = d->count
    };
    tk_diag_note(d->host.diag, TK_DIAG_NOT_A_RECORD, &place, d->skipped);
    tk_account_skip(d->host.account, TK_DIAG_NOT_A_RECORD, d->skipped);
    if (d->host.on_bytes_skipped) d->host.on_bytes_skipped(d->host.dump_ctx, place.offset, d->skipped, "no packet");
    sv_map_damage(&d->map, place.offset, d->count, d->skipped > UINT32_MAX ? UINT32_MAX : (uint32_t)d->skipped);
    d->skipped = 0;
}

static inline void end_skipped(struct systemview *d) {
    if (d->skipped) report_skipped(d);
}

static size_t skip(struct systemview *d, size_t len) {
    d->skipped += len;
    d->offset += len;
    return len;
}

static inline size_t consume(struct systemview *d, size_t len) {
    d->host.account->decoded += len;
    d->offset += len;
    return len;
}

static size_t use(struct systemview *d, size_t len) {
    end_skipped(d);
    return consume(d, len);
}

// also: a task that counts as announced.
static inline bool is_accepted(const struct systemview *d, struct sv_packet *packet, uint32_t also) {
    return sv_map_accepts(&d->map, packet, sv_map_may_pause(&d->map), also);
}

// Checks a packet that decodes. A longer one than the recorder usually sends, or one of a task that was not announced,
// counts only if packets follow it.
static enum sv_verdict check(struct systemview *d, const uint8_t *bytes, size_t len, struct sv_packet *packet) {
    bool is_known = is_accepted(d, packet, SV_NO_TASK);
    if (is_known && packet->len <= SV_USUAL) return SV_OK;
    uint32_t task = is_known ? SV_NO_TASK : packet->fields[0];
    if (!is_known && !is_accepted(d, packet, task)) return SV_BAD;
    enum sv_verdict verdict = follows(d, bytes + packet->len, len - packet->len, task);
    if (verdict == SV_OK && !is_known) {
        struct tk_source_pos place = {
            .input = d->host.input, .has_offset = true, .offset = place_of(d, d->offset), .frame = d->count
        };
        sv_map_announce(&d->map, packet);
        tk_diag_note(d->host.diag, TK_DIAG_TASK_UNANNOUNCED, &place, task);
    }
    return verdict;
}

// Finds where a packet with an open end ends: where packets follow it. The description of its call says it if it is
// right.
static enum sv_verdict find_end(struct systemview *d, const uint8_t *bytes, size_t len) {
    struct look look = { .decoder = d, .also = SV_NO_TASK, .budget = MOST_LOOKED };
    struct sv_packet packet;
    enum sv_verdict verdict = SV_BAD;
    int described = -1;
    d->packing.numbers = 0;
    if (sv_packet_read(bytes, len, &d->packing, &packet) == SV_OK) described = sv_map_described(&d->map, &packet);
    for (int i = described < 0 ? 0 : -1; i <= SV_MOST_NUMBERS; i++) {
        d->packing.numbers = (uint8_t)(i < 0 ? described : i);
        if (d->packing.numbers > SV_MOST_NUMBERS) continue;
        enum sv_verdict one = sv_packet_read(bytes, len, &d->packing, &packet);
        look.bytes = bytes + packet.len;
        look.len = len - packet.len;
        if (one == SV_OK) one = follows_at(&look, 0, 0, true);
        if (one == SV_OK || (one == SV_SHORT && !d->is_end)) return one;
        if (one == SV_SHORT) verdict = SV_SHORT;
    }
    return verdict;
}

// Reads the packet at the start of the bytes, or consumes what is none. Returns false if there is no packet: then
// *out_used are the consumed bytes; 0: more bytes are needed to tell.
TK_NOINLINE static bool read_other(struct systemview *d, const uint8_t *bytes, size_t len, struct sv_packet *out_packet,
                                   size_t *out_used) {
    size_t zeros = 0;
    *out_used = 0;
    if (d->expected == EXPECTS_ZEROS && !bytes[0]) return *out_used = use(d, 1), false;
    if (d->expected == EXPECTS_ZEROS) d->expected = EXPECTS_PACKET;
    while (zeros < len && zeros < SV_SYNC && !bytes[zeros]) zeros++;
    if (zeros == SV_SYNC) {
        d->expected = EXPECTS_ZEROS;
        return *out_used = use(d, SV_SYNC), false;
    }
    if (zeros == len && !d->is_end) return false;
    if (d->expected == EXPECTS_SYNC) return *out_used = skip(d, 1), false;
    if (d->expected == EXPECTS_ANY) {
        enum sv_verdict verdict = follows(d, bytes, len, SV_NO_TASK);
        if (verdict == SV_BAD) *out_used = skip(d, 1);
        if (verdict != SV_OK) return false;
        d->expected = EXPECTS_PACKET;
    }
    enum sv_verdict verdict = SV_OK;
    if (d->packing.no_lengths && sv_has_open_end(bytes, len, &d->packing)) verdict = find_end(d, bytes, len);
    if (verdict == SV_OK) verdict = sv_packet_read(bytes, len, &d->packing, out_packet);
    if (verdict == SV_BAD && bytes[0] == SV_INIT && bytes[1] == SV_INIT) { // the id in place of the length
        struct sv_packing other = d->packing;
        other.no_lengths = !other.no_lengths;
        verdict = sv_packet_read(bytes, len, &other, out_packet);
        if (verdict == SV_OK) d->packing = other;
    }
    if (verdict == SV_SHORT && d->is_end && len > SV_USUAL) verdict = SV_BAD; // so much is not cut off at the end
    if (verdict == SV_OK) verdict = check(d, bytes, len, out_packet);
    if (verdict == SV_BAD) {
        d->expected = d->map.is_stopped && !d->skipped ? EXPECTS_SYNC : EXPECTS_ANY;
        *out_used = skip(d, 1);
    }
    return verdict == SV_OK;
}

// Fast path of read_other: the usual packet follows a packet.
static inline bool read_usual(const struct systemview *d, const uint8_t *bytes, size_t len,
                              struct sv_packet *out_packet) {
    return d->expected == EXPECTS_PACKET && bytes[0] && !d->packing.no_lengths &&
           sv_packet_read(bytes, len, &d->packing, out_packet) == SV_OK && out_packet->len <= SV_USUAL &&
           is_accepted(d, out_packet, SV_NO_TASK);
}

// Consumes what stands at the start of the bytes. Returns its length; 0: more bytes are needed to tell.
static inline size_t step(struct systemview *d, const uint8_t *bytes, size_t len) {
    struct sv_packet packet;
    size_t used;
    if (!read_usual(d, bytes, len, &packet) && !read_other(d, bytes, len, &packet, &used)) return used;
    end_skipped(d); // before the events of the packet
    sv_map_packet(&d->map, &packet, place_of(d, d->offset), d->count);
    d->count++;
    return consume(d, packet.len);
}

static bool is_full(const void *decoder) {
    const struct systemview *d = decoder;
    return tk_batch_is_full(d->map.batch) || d->host.alloc->failed;
}

static size_t take(void *decoder, const uint8_t *bytes, size_t len, bool in_chunk) {
    struct systemview *d = decoder;
    size_t used = 0, one;
    (void)in_chunk; // events borrow from their batch only
    if (!d->begun) {
        size_t window = len < SV_LONGEST ? len : SV_LONGEST, head = find_sync(bytes, window);
        if (head == window && window < SV_LONGEST && !d->is_end) return 0;
        if (head == window) head = 0, d->expected = EXPECTS_ANY; // the capture began later
        d->begun = true;
        if (sv_head_tells_extension(bytes, head)) d->packing.core_in_id = true;
        used = use(d, head);
    }
    while (used < len && !is_full(d) && (one = step(d, bytes + used, len - used))) used += one;
    return used;
}

// Reads the buffered bytes if they are a description file.
static void decide(struct systemview *d) {
    const uint8_t *bytes = tk_carry_bytes(&d->buffered);
    size_t len = tk_carry_len(&d->buffered);
    d->is_decided = true;
    d->is_text = len && sv_description_is(bytes, len);
    if (!d->is_text) return;
    if (d->host.lookup_out) {
        d->count = sv_description_read(bytes, len, d->host.alloc, d->host.lookup_out);
        sv_description_name(d->host.name ? d->host.name : "", d->host.input, d->host.alloc, d->host.lookup_out);
    }
    d->host.account->decoded += len;
    tk_carry_free(&d->buffered, d->host.alloc);
}

// Decodes the buffered bytes of a recording. Returns false if more are left.
static bool drain(struct systemview *d) {
    size_t len = tk_carry_len(&d->buffered);
    if (len) tk_carry_drop(&d->buffered, tk_packets_decode(&d->packets, d, tk_carry_bytes(&d->buffered), len));
    if (tk_carry_len(&d->buffered)) return false;
    tk_carry_free(&d->buffered, d->host.alloc);
    return true;
}

static size_t decode(void *decoder, const uint8_t *bytes, size_t len) {
    struct systemview *d = decoder;
    size_t used = 0;
    if (d->host.is_dump) {
        used = tk_carry_fill(&d->dump, d->host.alloc, SV_LONGEST_DUMP, bytes, len);
        d->host.account->left += len - used;
        return len;
    }
    if (!d->is_decided) {
        uint32_t enough = d->host.lookup_out ? LONGEST_TEXT : HEAD_OF_TEXT;
        used = tk_carry_fill(&d->buffered, d->host.alloc, enough, bytes, len);
        if (tk_carry_len(&d->buffered) < enough && !d->host.alloc->failed && !tk_decode_is_live(&d->host)) return used;
        decide(d);
    }
    if (d->is_text) {
        *(d->host.lookup_out ? &d->host.account->left : &d->host.account->decoded) += len - used;
        return len;
    }
    if (!drain(d)) return used;
    return used + tk_packets_decode(&d->packets, d, bytes + used, len - used);
}

// Orders the packets of a dump. The bytes around them are no packets. Returns false without memory.
static bool order(struct systemview *d) {
    const uint8_t *bytes = tk_carry_bytes(&d->dump);
    uint32_t len = tk_carry_len(&d->dump);
    if (!sv_ring_find(bytes, len, &d->ring)) d->ring = (struct sv_ring){ .len = len, .used = len };
    if (!d->ring.used || !(d->ordered = tk_alloc_zero(d->host.alloc, d->ring.used))) return false;
    sv_ring_order(bytes, &d->ring, d->ordered);
    d->begun = true;
    d->before_ring_len = (uint32_t)find_sync(d->ordered, d->ring.used);
    d->ordered_at = d->before_ring_len;
    d->offset = d->ordered_at;
    d->host.account->decoded += len - (d->ring.used - d->ordered_at);
    tk_carry_free(&d->dump, d->host.alloc);
    return true;
}

// Decodes what is left of a dump. Returns true at its end.
static bool decode_dump(struct systemview *d) {
    if (!d->ordered && !order(d)) return true;
    d->ordered_at +=
        (uint32_t)tk_packets_decode(&d->packets, d, d->ordered + d->ordered_at, d->ring.used - d->ordered_at);
    return d->ordered_at == d->ring.used;
}

static bool end(void *decoder) {
    struct systemview *d = decoder;
    struct tk_carry *carry = &d->packets.carry;
    if (!d->is_decided) decide(d);
    if (d->ended || d->is_text) return true;
    if (d->host.is_dump ? !decode_dump(d) : !drain(d)) return false;
    d->is_end = true;
    tk_carry_drop(carry, take(d, tk_carry_bytes(carry), tk_carry_len(carry), false));
    if (is_full(d)) return false;
    uint64_t left = tk_carry_len(carry);
    struct tk_source_pos place = {
        .input = d->host.input, .has_offset = true, .offset = place_of(d, d->offset), .frame = d->count
    };
    bool is_after_stop = d->expected == EXPECTS_SYNC;
    d->ended = true;
    if (is_after_stop) left += d->skipped, d->skipped = 0; // what an application wrote after the recording
    end_skipped(d);
    sv_map_end(&d->map);
    d->host.account->left += left;
    if (left && !is_after_stop) tk_diag_note(d->host.diag, TK_DIAG_FRAME_CUT_AT_END, &place, left);
    return true;
}

static bool init(void *decoder, const struct tk_decode_host *host) {
    struct systemview *d = decoder;
    d->host = *host;
    d->packets = (struct tk_packets){ .alloc = host->alloc, .take = take, .is_full = is_full, .limit = 4 * SV_LONGEST };
    sv_map_init(&d->map, &d->host, host->open_stream(host->stream_ctx, TK_STREAM_RESOLVED));
    return d->map.batch != NULL;
}

static uint64_t frames(const void *decoder) { return ((const struct systemview *)decoder)->count; }

static bool summary_line(const void *decoder, uint32_t index, char out_text[TK_SUMMARY_LEN]) {
    const struct systemview *d = decoder;
    if (sv_map_summary(&d->map, out_text) && !index--) return true;
    if (sv_map_time_summary(&d->map, out_text) && !index--) return true;
    if (index || !d->ordered) return false;
    struct tk_text text = tk_text_in(out_text, TK_SUMMARY_LEN);
    tk_text_add(&text, "The recorder overwrites its oldest packets, so the recording begins in the middle");
    if (d->before_ring_len) {
        tk_text_add(&text, "; ");
        tk_text_count(&text, d->before_ring_len, "bytes");
        tk_text_add(&text, " before the first sync are not used");
    }
    if (d->ring.end_is_uncertain) tk_text_add(&text, "; the last packets may be older ones");
    tk_text_add(&text, ".");
    return true;
}

const struct tk_record_names tk_names_systemview = { .name = sv_kind_name };

static const struct tk_tracker *const trackers[] = { &tk_tracker_rtos, &tk_tracker_tracks, &tk_tracker_markers, NULL };

static const struct tk_kind_words kinds[] = { { TK_EV_TRACK_BEGIN, "call begins" },
                                              { TK_EV_TRACK_END, "call ends" },
                                              { TK_EV_TRACK_INSTANT, "call or module event" },
                                              { TK_EV_TRACK_COUNT, "data sample" },
                                              { TK_EV_TRACK_COUNT_DOUBLE, "data sample" },
                                              { 0, NULL } };

const struct tk_decoder tk_decoder_systemview = { .info = &tk_info_systemview,
                                                  .trackers = trackers,
                                                  .no_tick = TK_DIAG_RATE_UNKNOWN,
                                                  .size = sizeof(struct systemview),
                                                  .init = init,
                                                  .decode = decode,
                                                  .end = end,
                                                  .frames = frames,
                                                  .summary_line = summary_line,
                                                  .names = &tk_names_systemview,
                                                  .kinds = kinds };
