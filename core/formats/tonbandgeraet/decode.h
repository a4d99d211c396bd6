// SPDX-License-Identifier: MIT
//
// One COBS piece -> one event. docs/formats/tonbandgeraet.md, "Framing" to "Events".
#ifndef TK_FORMATS_TONBANDGERAET_DECODE_H
#define TK_FORMATS_TONBANDGERAET_DECODE_H

#include <string.h>

#include "../../base/bytes.h"
#include "../../frame/cobs.h"
#include "../../model/event/event.h"

enum tb_verdict { TB_OK, TB_BROKEN, TB_EMPTY, TB_UNKNOWN, TB_SHORT, TB_LONG, TB_BAD_NUMBER };

enum { TB_RTOS_ID_BIT = 0x40 }; // set in the ids of all records that an RTOS sends, and in no other id
enum {
    TB_CORE_ID = 0x00,
    TB_CLOCK_RATE_ID = 0x81,
    TB_CHUNK_ID = 0x89,
    TB_NAMES_MISSING_ID = 0x8B,
    TB_FAULT_STATE_ID = 0x8D,
    TB_FAULT_ID = 0x8F,
    TB_BUILD_ID = 0x90,
    TB_RUN_ID = 0x91,
    TB_REPEATED_ID = 0x93 // precedes a record without a time that the target sends again
};
enum { TB_EXTENSIONS = 0x80 }; // ids from this one on are extensions of Tonkopf's recorder

enum { TB_SCRATCH_MORE = TK_COBS_OVERRUN + TK_VARINT_SLACK };

// Decodes `piece` (without delimiter). `slack` bytes after it are readable. scratch: at least `len` + TB_SCRATCH_MORE
// bytes; strings of the event point into it or into the piece. Sets kind, timed, time_invalid, is_repeated, ticks, str
// and the fields of the family. *out_id: the id byte, if there is one; of a repeated record, its own.
enum tb_verdict tb_decode_piece(const uint8_t *piece, size_t len, size_t slack, uint8_t *scratch,
                                struct tk_event *out_event, uint8_t *out_id);
// Decodes a payload, from which the framing is already removed, of at least one byte. Not for a repeated record.
enum tb_verdict tb_decode_payload(const uint8_t *payload, size_t len, size_t slack, struct tk_event *out_event);

// The layout of a short record: a time stamp, then numbers of one byte, then text.
struct tb_short_record {
    uint8_t kind;
    uint8_t id_len, number_len; // bytes of the field; 0: the record does not have it
    bool has_string, common;
};
extern const struct tb_short_record tb_short_records[256];

// Set the 32-bit fields of an event that this format's records contain. In each family the id is the first field, and
// the number follows it (test_decode compares this with the table of fields).
static inline void tb_set_id(struct tk_event *event, uint32_t id) { memcpy(&event->payload, &id, sizeof id); }
static inline void tb_set_number(struct tk_event *event, size_t ids, uint32_t number) { // ids: 1 after an id, else 0
    memcpy((uint8_t *)&event->payload + ids * sizeof number, &number, sizeof number);
}

// Fast path of tb_decode_payload for short records of 1 to 15 bytes, without a check before each number. At least
// sixteen bytes after the payload are readable. Returns false if tb_decode_payload must decode the record.
static inline bool tb_decode_short(const uint8_t *payload, size_t len, struct tk_event *out_event) {
    const struct tb_short_record *record = &tb_short_records[payload[0]];
    const uint8_t *at = tk_varint_read_ahead(payload + 1, &out_event->ticks), *end = payload + len;
    if (!record->common || !at) return false;
    // 0 if the record has no such field.
    uint32_t id = *at & (0u - record->id_len), number = *(at += record->id_len) & (0u - record->number_len);
    at += record->number_len;
    if ((id | number) & 0x80 || (at != end && (!record->has_string || at > end))) return false;
    out_event->payload = (struct tk_event_payload){ 0 };
    tb_set_id(out_event, id);
    tb_set_number(out_event, record->id_len, number);
    out_event->kind = record->kind;
    out_event->timed = true;
    out_event->time_invalid = false;
    out_event->str = (const char *)at;
    out_event->str_len = (uint32_t)(end - at);
    return true;
}

const char *tb_record_name(unsigned id); // such as "task_switched_in"; NULL: unknown id
const char *tb_field_names(unsigned id); // names in the order of the record, each ended by a zero byte, the list by a
                                         // second one
bool tb_is_text(uint8_t byte);           // returns true for bytes of boot messages
bool tb_is_filler(uint8_t byte);         // also true for FF, the value of erased flash and of an idle line

enum {
    TB_LINE_FEED_ID = 0x0A
}; // id of a value's name; after CR, the length of the piece, a line end looks like such a record
// Returns true if a piece that decodes as the name of a value is in fact a line end and a frame: the name contains
// control characters.
bool tb_is_line_end_and_frame(const uint8_t *piece, size_t len, const struct tk_event *name, uint8_t *scratch);

// Returns the length of boot text or filler before a frame at the end of the piece; 0: there is no such frame. Searches
// the last 4096 bytes only.
size_t tb_text_before_frame(const uint8_t *piece, size_t len, uint8_t *scratch);

#endif
