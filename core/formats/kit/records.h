// SPDX-License-Identifier: MIT
//
// Records that follow each other in a stream of bytes. A decoder finds the end of the next record and emits its events.
// tk_record_decoder keeps the record that the end of a chunk cuts, accounts for every byte, reports the bytes that
// belong to no record and the record that the end of the input cuts, and gives each event its place.
//
// A decoder is a struct that begins with `struct tk_record_decoder records`, and its struct tk_decoder has
//
//   TK_RECORDS_FUNCTIONS, .size = sizeof(struct ...), .init = ...
#ifndef TK_FORMATS_KIT_RECORDS_H
#define TK_FORMATS_KIT_RECORDS_H

#include "../format.h"
#include "packets.h"

#define TK_RECORDS_FUNCTIONS .decode = tk_records_decode, .end = tk_records_end, .frames = tk_records_count

enum { TK_RECORDS_STREAMS = 8 };

// A record, or damaged bytes, at the start of the bytes that the decoder was given.
struct tk_record_at {
    size_t len;      // bytes, at most tk_record_reader.longest; 0: more bytes are needed to tell
    bool is_damaged; // these bytes are no record and are skipped; 1 byte where any byte may begin the next record
};

struct tk_record_reader {
    struct tk_record_at (*find)(const void *decoder, const uint8_t *bytes, size_t len);
    // Decodes a whole record. in_chunk: events may borrow from its bytes until the decoder is called again.
    void (*decode)(void *decoder, const uint8_t *record, size_t len, bool in_chunk);
    uint32_t longest; // bytes of the longest record
};

// A track that each recording of the format has. All texts end with a zero byte; NULL: none.
struct tk_records_track {
    uint32_t id, parent; // parent: id of a track before this one; 0: none
    enum tk_track_type type;
    const char *name, *unit, *type_words, *description;
};

struct tk_record_decoder {
    struct tk_decode_host host;
    const struct tk_record_reader *reader;
    struct tk_packets packets;
    struct tk_batch *streams[TK_RECORDS_STREAMS]; // in the order in which they were opened
    uint8_t cores[TK_RECORDS_STREAMS];            // core of the last event of each stream
    uint32_t stream_count;
    uint64_t offset;  // of the first byte that is not decoded
    uint64_t count;   // records so far
    uint64_t skipped; // bytes right before `offset` that belong to no record
    bool ended;
};

// Begins the decoder's records and opens its first event stream, in tk_decoder.init. Returns false without memory.
bool tk_records_init(struct tk_record_decoder *records, const struct tk_decode_host *host,
                     const struct tk_record_reader *reader, enum tk_stream_time time);
// As tk_records_init, but opens an event stream for each of `count` clocks, in their order.
bool tk_records_init_clocks(struct tk_record_decoder *records, const struct tk_decode_host *host,
                            const struct tk_record_reader *reader, const struct tk_domain *clocks, uint32_t count);
// Opens another event stream, such as that of a core. Returns NULL without memory or above TK_RECORDS_STREAMS.
struct tk_batch *tk_records_open(struct tk_record_decoder *records, enum tk_stream_time time);
// Adds an event to a stream, at the place of the record that is decoded.
void tk_records_put(struct tk_record_decoder *records, struct tk_batch *stream, const struct tk_event *event);
// As tk_records_put, and shows the event in a dump of records. number: of the record, for struct tk_record_names.
void tk_records_emit(struct tk_record_decoder *records, struct tk_batch *stream, const struct tk_event *event,
                     unsigned number);
// Gives an event of this stream a copy of `count` values; none without memory.
void tk_records_set_values(struct tk_batch *stream, struct tk_event *event, const struct tk_value *values,
                           uint8_t count);
// Adds TK_EV_TICK_LENGTH to the first event stream: a tick has `ns` nanoseconds, as the recording contains or defines.
void tk_records_define_tick(struct tk_record_decoder *records, uint64_t ns);
// Adds the definitions of `count` tracks to the first event stream. The viewer shows them in this order. Each of them
// but groups has a row in the table of signals.
void tk_records_define_tracks(struct tk_record_decoder *records, const struct tk_records_track *tracks, uint32_t count);
// Shows the record that is decoded in a dump of records, as `event`. number: of struct tk_record_names.
void tk_records_show(const struct tk_record_decoder *records, const struct tk_event *event, unsigned number);

size_t tk_records_decode(void *decoder, const uint8_t *bytes, size_t len);
bool tk_records_end(void *decoder);
uint64_t tk_records_count(const void *decoder);

#endif
