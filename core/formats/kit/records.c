// SPDX-License-Identifier: MIT
#include "records.h"

#include <string.h>

static bool is_full(const void *decoder) {
    const struct tk_record_decoder *records = decoder;
    for (uint32_t i = 0; i < records->stream_count; i++)
        if (tk_batch_is_full(records->streams[i])) return true;
    return records->host.alloc->failed;
}

static void set_place(const struct tk_record_decoder *records, struct tk_event *event) {
    event->input = (uint8_t)records->host.input;
    event->offset = records->offset;
    event->frame = records->count;
}

void tk_records_put(struct tk_record_decoder *records, struct tk_batch *stream, const struct tk_event *event) {
    struct tk_event *slot = tk_batch_slot(stream);
    *slot = *event;
    set_place(records, slot);
    tk_batch_add(stream);
    for (uint32_t i = 0; i < records->stream_count; i++)
        if (records->streams[i] == stream) records->cores[i] = event->core;
}

// Bytes that belong to no record are one problem, however many there are. Each event stream gets it for the core of its
// last event, so that no figure crosses the place.
static void end_skipped(struct tk_record_decoder *records) {
    const struct tk_decode_host *host = &records->host;
    struct tk_event problem = { .kind = TK_EV_PROBLEM, .problem.diag = TK_DIAG_NOT_A_RECORD };
    uint64_t end = records->offset, skipped = records->skipped;
    if (!skipped) return;
    records->offset = end - skipped;
    records->skipped = 0;
    struct tk_source_pos place = {
        .input = host->input, .has_offset = true, .offset = records->offset, .frame = records->count
    };
    tk_diag_note(host->diag, TK_DIAG_NOT_A_RECORD, &place, skipped);
    tk_account_skip(host->account, TK_DIAG_NOT_A_RECORD, skipped);
    if (host->on_bytes_skipped) host->on_bytes_skipped(host->dump_ctx, records->offset, skipped, "no record");
    for (uint32_t i = 0; i < records->stream_count; i++) {
        problem.core = records->cores[i];
        tk_records_put(records, records->streams[i], &problem);
    }
    records->offset = end;
}

static size_t take(void *decoder, const uint8_t *bytes, size_t len, bool in_chunk) {
    struct tk_record_decoder *records = decoder;
    size_t used = 0;
    while (used < len && !is_full(records)) {
        struct tk_record_at at = records->reader->find(decoder, bytes + used, len - used);
        if (!at.len || at.len > len - used) break;
        if (at.is_damaged) {
            records->skipped += at.len;
        } else {
            end_skipped(records);
            records->reader->decode(decoder, bytes + used, at.len, in_chunk);
            records->count++;
            records->host.account->decoded += at.len;
        }
        records->offset += at.len;
        used += at.len;
    }
    return used;
}

bool tk_records_init(struct tk_record_decoder *records, const struct tk_decode_host *host,
                     const struct tk_record_reader *reader, enum tk_stream_time time) {
    records->host = *host;
    records->reader = reader;
    records->packets =
        (struct tk_packets){ .alloc = host->alloc, .take = take, .is_full = is_full, .limit = 2 * reader->longest };
    return tk_records_open(records, time) != NULL;
}

struct tk_batch *tk_records_open(struct tk_record_decoder *records, enum tk_stream_time time) {
    struct tk_batch *stream = NULL;
    if (records->stream_count < TK_RECORDS_STREAMS) stream = records->host.open_stream(records->host.stream_ctx, time);
    if (!stream) return NULL;
    records->cores[records->stream_count] = records->host.core;
    records->streams[records->stream_count++] = stream;
    return stream;
}

bool tk_records_init_clocks(struct tk_record_decoder *records, const struct tk_decode_host *host,
                            const struct tk_record_reader *reader, const struct tk_domain *clocks, uint32_t count) {
    if (!tk_records_init(records, host, reader, TK_STREAM_RESOLVED)) return false;
    while (records->stream_count < count)
        if (!tk_records_open(records, TK_STREAM_RESOLVED)) return false;
    for (uint32_t i = 0; i < count; i++) tk_batch_set_clock(records->streams[i], &clocks[i]);
    return true;
}

void tk_records_set_values(struct tk_batch *stream, struct tk_event *event, const struct tk_value *values,
                           uint8_t count) {
    event->values = tk_arena_copy(&stream->memory, values, count * sizeof *values);
    event->value_count = event->values ? count : 0;
}

void tk_records_define_tick(struct tk_record_decoder *records, uint64_t ns) {
    tk_records_put(records, records->streams[0],
                   &(struct tk_event){ .kind = TK_EV_TICK_LENGTH, .tick_length = { ns, TK_TICK_RECORDED } });
}

static size_t len_of(const char *text) { return text ? strlen(text) : 0; }

void tk_records_define_tracks(struct tk_record_decoder *records, const struct tk_records_track *tracks,
                              uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        const struct tk_records_track *track = &tracks[i];
        const struct tk_track_def def = { .parent_kind = track->parent ? TK_PARENT_TRACK : TK_PARENT_ROOT,
                                          .parent = track->parent,
                                          .type = (uint8_t)track->type,
                                          .rank = (int32_t)i,
                                          .in_signals = track->type != TK_TRACK_OF_GROUP,
                                          .unit = track->unit,
                                          .unit_len = (uint16_t)len_of(track->unit),
                                          .type_words = track->type_words,
                                          .type_words_len = (uint16_t)len_of(track->type_words),
                                          .description = track->description,
                                          .description_len = (uint32_t)len_of(track->description) };
        struct tk_batch *stream = records->streams[0];
        const struct tk_track_def *copy = tk_arena_copy(&stream->memory, &def, sizeof def);
        struct tk_event event = { .kind = TK_EV_TRACK_DEFINED, .track_defined = { track->id, copy } };
        tk_event_set_text(&event, track->name);
        if (copy) tk_records_put(records, stream, &event);
    }
}

void tk_records_emit(struct tk_record_decoder *records, struct tk_batch *stream, const struct tk_event *event,
                     unsigned number) {
    tk_records_put(records, stream, event);
    tk_records_show(records, event, number);
}

void tk_records_show(const struct tk_record_decoder *records, const struct tk_event *event, unsigned number) {
    struct tk_event shown = *event;
    if (!records->host.on_record_decoded) return;
    set_place(records, &shown);
    records->host.on_record_decoded(records->host.dump_ctx, &shown, number);
}

size_t tk_records_decode(void *decoder, const uint8_t *bytes, size_t len) {
    return tk_packets_decode(&((struct tk_record_decoder *)decoder)->packets, decoder, bytes, len);
}

bool tk_records_end(void *decoder) {
    struct tk_record_decoder *records = decoder;
    uint32_t left = tk_packets_left(&records->packets);
    struct tk_source_pos place = {
        .input = records->host.input, .has_offset = true, .offset = records->offset, .frame = records->count
    };
    if (records->ended) return true;
    records->ended = true;
    end_skipped(records);
    records->host.account->left = left;
    if (left) tk_diag_note(records->host.diag, TK_DIAG_FRAME_CUT_AT_END, &place, left);
    return true;
}

uint64_t tk_records_count(const void *decoder) { return ((const struct tk_record_decoder *)decoder)->count; }
