// SPDX-License-Identifier: MIT
//
// Skeleton recordings: decoder of one input. docs/formats/skeleton.md.
#include "../format.h"

#include <string.h>

#include "../../base/bytes.h"
#include "../kit/packets.h"
#include "../kit/rate.h"

enum { PIECE = 12, MAGIC = 8, BEGIN = 0xA5, LEVEL = 1 };
enum kind { SWITCH, COUNT, KINDS };

static const uint8_t magic[MAGIC] = "SKELETON";

struct skeleton {
    struct tk_decode_host host;
    struct tk_batch *batch;
    struct tk_packets packets;
    struct tk_rate rate;
    uint64_t offset, skipped; // bytes decided about; of them the last ones that are no piece
    uint64_t records, counts; // counts of the target's clock
    bool begun, tail_reported;
};

// ---- Recognise -----------------------------------------------------------------------------------

static bool is_head(const uint8_t *at) { return !memcmp(at, magic, MAGIC); }

static void probe(const uint8_t *head, size_t len, const uint8_t *tail, size_t tail_len, struct tk_probe *out_probe) {
    static const char reason[] = "begins with the magic of a skeleton recording";
    (void)tail, (void)tail_len;
    if (len < PIECE || !is_head(head)) return;
    memcpy(out_probe->reason, reason, sizeof reason);
    out_probe->confidence = 100;
    out_probe->frames = out_probe->valid = len / PIECE;
    out_probe->has_events = out_probe->names_tick = true;
    out_probe->tick_ns = 1;
}

const struct tk_format_info tk_info_skeleton = { .name = "skeleton",
                                                 .title = "Skeleton recordings",
                                                 .pieces = "Records" };

// ---- Decode --------------------------------------------------------------------------------------

static uint16_t sum_of(const uint8_t *record) {
    unsigned first = 0, second = 0;
    for (unsigned i = 0; i < PIECE; i++) {
        first += i == 2 || i == 3 ? 0 : record[i]; // bytes 2 and 3 contain the checksum
        second += first;
    }
    return (uint16_t)((first & 255) | (second & 255) << 8);
}

static bool is_record(const uint8_t *at) {
    return at[0] == BEGIN && at[1] < KINDS && sum_of(at) == (at[2] | at[3] << 8);
}

static void put(struct skeleton *d, struct tk_event event) {
    event.input = (uint8_t)d->host.input;
    event.offset = d->offset;
    event.frame = d->records;
    event.frame_len = PIECE;
    *tk_batch_slot(d->batch) = event;
    tk_batch_add(d->batch);
}

// The first piece: the head, or a record where the capture began later.
static void begin(struct skeleton *d, const uint8_t *at) {
    static const struct tk_track_def level = {
        .parent_kind = TK_PARENT_ROOT, .type = TK_TRACK_OF_COUNTER, .in_signals = true, .unit = "mV", .unit_len = 2
    };
    d->begun = true;
    if (is_head(at)) d->rate = tk_rate_of(tk_load32(at + MAGIC), TK_RATE_ROUNDS_TO_NEAREST);
    if (d->rate.hz) put(d, (struct tk_event){ .kind = TK_EV_TICK_LENGTH, .tick_length = { 1, TK_TICK_RECORDED } });
    put(d, (struct tk_event){
               .kind = TK_EV_TRACK_DEFINED, .track_defined = { LEVEL, &level }, .str = "level", .str_len = 5 });
}

static void take_record(struct skeleton *d, const uint8_t *at) {
    struct tk_event event = { .timed = true };
    uint32_t value = tk_load32(at + 8);
    d->counts += (uint32_t)(tk_load32(at + 4) - (uint32_t)d->counts); // the target's counter wraps
    event.ticks = tk_rate_ns(&d->rate, d->counts);
    if (at[1] == SWITCH) event.kind = TK_EV_TASK_SWITCHED_IN, event.task.task = value;
    else event.kind = TK_EV_TRACK_COUNT, event.track_count = (struct tk_event_track_count){ LEVEL, (int32_t)value };
    put(d, event);
    if (!d->host.on_record_decoded) return;
    event.offset = d->offset;
    event.frame = d->records;
    d->host.on_record_decoded(d->host.dump_ctx, &event, at[1]);
}

// Bytes that belong to no piece are one problem, however many there are.
static void end_skipped(struct skeleton *d) {
    struct tk_source_pos place = {
        .input = d->host.input, .has_offset = true, .offset = d->offset - d->skipped, .frame = d->records
    };
    if (!d->skipped) return;
    tk_diag_note(d->host.diag, TK_DIAG_NOT_A_RECORD, &place, d->skipped);
    tk_account_skip(d->host.account, TK_DIAG_NOT_A_RECORD, d->skipped);
    if (d->host.on_bytes_skipped) d->host.on_bytes_skipped(d->host.dump_ctx, place.offset, d->skipped, "no record");
    d->skipped = 0;
}

static bool is_full(const void *ctx) {
    const struct skeleton *d = ctx;
    return tk_batch_is_full(d->batch) || d->host.alloc->failed;
}

static size_t take(void *ctx, const uint8_t *bytes, size_t len, bool in_chunk) {
    struct skeleton *d = ctx;
    size_t at = 0;
    (void)in_chunk; // events borrow nothing from the bytes
    while (len - at >= PIECE && !is_full(d)) {
        bool record = is_record(bytes + at);
        if (!record && (d->begun || !is_head(bytes + at))) {
            at++, d->offset++, d->skipped++;
            continue;
        }
        end_skipped(d);
        if (!d->begun) begin(d, bytes + at);
        if (record) take_record(d, bytes + at), d->records++;
        d->host.account->decoded += PIECE;
        at += PIECE, d->offset += PIECE;
    }
    return at;
}

static size_t decode(void *ctx, const uint8_t *bytes, size_t len) {
    struct skeleton *d = ctx;
    return tk_packets_decode(&d->packets, d, bytes, len);
}

static bool end(void *ctx) {
    struct skeleton *d = ctx;
    uint32_t left = tk_packets_left(&d->packets);
    struct tk_source_pos place = {
        .input = d->host.input, .has_offset = true, .offset = d->offset, .frame = d->records
    };
    if (d->tail_reported) return true;
    d->tail_reported = true;
    end_skipped(d);
    d->host.account->left = left;
    if (left) tk_diag_note(d->host.diag, TK_DIAG_FRAME_CUT_AT_END, &place, left);
    return true;
}

static bool init(void *ctx, const struct tk_decode_host *host) {
    struct skeleton *d = ctx;
    d->host = *host;
    d->batch = host->open_stream(host->stream_ctx, TK_STREAM_RESOLVED);
    d->packets = (struct tk_packets){ .alloc = host->alloc, .take = take, .is_full = is_full, .limit = 64 * PIECE };
    return d->batch != NULL;
}

static uint64_t frames(const void *ctx) { return ((const struct skeleton *)ctx)->records; }

// ---- Dump ----------------------------------------------------------------------------------------

static const char *record_name(unsigned record) { return record == SWITCH ? "switch" : "count"; }

const struct tk_record_names tk_names_skeleton = { .name = record_name };

// ---- Timeline and figures ------------------------------------------------------------------------

static const struct tk_tracker *const trackers[] = { &tk_tracker_rtos, &tk_tracker_tracks, NULL };

const struct tk_decoder tk_decoder_skeleton = { .info = &tk_info_skeleton,
                                                .trackers = trackers,
                                                .no_tick = TK_DIAG_RATE_UNKNOWN,
                                                .size = sizeof(struct skeleton),
                                                .init = init,
                                                .decode = decode,
                                                .end = end,
                                                .frames = frames,
                                                .names = &tk_names_skeleton };
const struct tk_format tk_format_skeleton = { &tk_info_skeleton, probe, NULL, &tk_decoder_skeleton };
