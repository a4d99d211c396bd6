// SPDX-License-Identifier: MIT
//
// Skeleton recordings: decoder of one input. docs/formats/skeleton.md.
#include "../format.h"

#include <string.h>

#include "../../base/bytes.h"
#include "../kit/probe.h"
#include "../kit/rate.h"
#include "../kit/records.h"

enum { PIECE = 12, MAGIC = 8, BEGIN = 0xA5, LEVEL = 1 };
enum kind { SWITCH, COUNT, KINDS };

static const uint8_t magic[MAGIC] = "SKELETON";

struct skeleton {
    struct tk_record_decoder records;
    struct tk_rate rate;
    uint64_t counts; // of the target's clock
};

// ---- Recognise -----------------------------------------------------------------------------------

static bool is_head(const uint8_t *at) { return !memcmp(at, magic, MAGIC); }

static void probe(const uint8_t *head, size_t len, const uint8_t *tail, size_t tail_len, struct tk_probe *out_probe) {
    (void)tail, (void)tail_len;
    if (len < PIECE || !is_head(head)) return;
    tk_probe_is_certain(out_probe, "begins with the magic of a skeleton recording", len / PIECE);
    out_probe->names_tick = true;
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

// The head is a record, too. A recording whose capture began later has none.
static struct tk_record_at find(const void *decoder, const uint8_t *bytes, size_t len) {
    const struct tk_record_decoder *records = decoder;
    if (len < PIECE) return (struct tk_record_at){ 0 };
    if (is_record(bytes) || (!records->count && is_head(bytes))) return (struct tk_record_at){ .len = PIECE };
    return (struct tk_record_at){ .len = 1, .is_damaged = true };
}

static void begin(struct skeleton *d, const uint8_t *at) {
    static const struct tk_records_track level = { LEVEL, 0, TK_TRACK_OF_COUNTER, "level", .unit = "mV" };
    if (is_head(at)) d->rate = tk_rate_of(tk_load32(at + MAGIC), TK_RATE_ROUNDS_TO_NEAREST);
    if (d->rate.hz) tk_records_define_tick(&d->records, 1);
    tk_records_define_tracks(&d->records, &level, 1);
}

static void decode(void *decoder, const uint8_t *at, size_t len, bool in_chunk) {
    struct skeleton *d = decoder;
    struct tk_event event = { .timed = true, .frame_len = PIECE };
    uint32_t value = tk_load32(at + 8);
    (void)len, (void)in_chunk; // events borrow nothing from the bytes
    if (!d->records.count) begin(d, at);
    if (is_head(at)) return;
    d->counts += (uint32_t)(tk_load32(at + 4) - (uint32_t)d->counts); // the target's counter wraps
    event.ticks = tk_rate_ns(&d->rate, d->counts);
    if (at[1] == SWITCH) event.kind = TK_EV_TASK_SWITCHED_IN, event.task.task = value;
    else event.kind = TK_EV_TRACK_COUNT, event.track_count = (struct tk_event_track_count){ LEVEL, (int32_t)value };
    tk_records_emit(&d->records, d->records.streams[0], &event, at[1]);
}

static bool init(void *decoder, const struct tk_decode_host *host) {
    static const struct tk_record_reader reader = { .find = find, .decode = decode, .longest = PIECE };
    return tk_records_init(&((struct skeleton *)decoder)->records, host, &reader, TK_STREAM_RESOLVED);
}

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
                                                TK_RECORDS_FUNCTIONS,
                                                .names = &tk_names_skeleton };
const struct tk_format tk_format_skeleton = { &tk_info_skeleton, probe, NULL, &tk_decoder_skeleton };
