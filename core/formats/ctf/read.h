// SPDX-License-Identifier: MIT
//
// Reads packet headers and events by their schema. Events whose parts are at fixed places are not interpreted: their
// fields are read where they are needed.
#ifndef TK_FORMATS_CTF_READ_H
#define TK_FORMATS_CTF_READ_H

#include "../../base/bytes.h"
#include "../../model/event/event.h"
#include "zephyr.h"

enum {
    CTF_VALUES = 96,        // fields of one event that are shown
    CTF_RECENT = 64,        // integers that tags and lengths may name
    CTF_LONGEST = 64 * 1024 // bytes of the longest event
};

// SHORT: the bytes end before the event. BAD: there is no event.
enum ctf_verdict { CTF_OK, CTF_SHORT, CTF_BAD };

// Bytes of a stream. Positions are in bits.
struct ctf_cursor {
    const uint8_t *bytes;
    uint64_t at;     // from the first byte
    uint64_t end;    // number of bits
    uint64_t before; // bits of the packet before the first byte: alignments count from the start of the packet
    uint64_t limit;  // where the events of the packet end, from the first byte; UINT64_MAX: unknown
};

struct ctf_recent {
    uint32_t name, type;
    uint64_t value;
};

// An event, or the header of a packet. Borrows from the bytes and from the reader.
struct ctf_event {
    const struct ctf_class *class;
    const uint8_t *bytes; // of a flat event
    const struct tk_value *values;
    uint32_t value_count;
    uint64_t len; // bits
};

struct ctf_reader {
    const struct ctf_schema *schema;
    struct tk_value values[CTF_VALUES];
    uint32_t value_count;
    bool is_cut;                          // the event has more fields
    struct ctf_recent recent[CTF_RECENT]; // of the event, the last ones
    uint32_t recent_count;
    struct ctf_recent packet[CTF_RECENT]; // of the packet
    uint32_t packet_count;
    uint64_t time_value; // the last integer that feeds the clock
    uint8_t time_size;   // its bits; 0: none was read
};

// Reads a type of a packet: its fields are in reader->recent afterwards.
enum ctf_verdict ctf_read_header(struct ctf_reader *reader, uint32_t type, struct ctf_cursor *cursor);
// Finds the last integer of this name that was read since ctf_begin_header. Returns false if there is none.
bool ctf_recent(const struct ctf_reader *reader, const char *name, uint64_t *out_value);
void ctf_begin_header(struct ctf_reader *reader);
// Keeps the integers of the packet for the tags of its events.
void ctf_end_header(struct ctf_reader *reader);

// Returns the number in some bytes. size: 1 to 8.
static inline uint64_t ctf_load(const uint8_t *at, unsigned size, bool is_big) {
    uint64_t value = 0;
    if (is_big) {
        for (unsigned i = 0; i < size; i++) value = value << 8 | at[i];
        return value;
    }
    if (size == 4) return tk_load32(at);
    if (size == 8) return tk_load64(at);
    if (size == 1) return *at;
    if (size == 2) return at[0] | (unsigned)at[1] << 8;
    for (unsigned i = size; i-- > 0;) value = value << 8 | at[i];
    return value;
}

// Returns the number in a slot of a flat event; signed numbers as two's complement of 64 bits.
static inline uint64_t ctf_slot_number(const uint8_t *event, const struct ctf_slot *slot) {
    uint64_t value = ctf_load(event + slot->at, slot->size, slot->is_big);
    if (slot->is_signed && slot->size < 8) {
        uint64_t sign = UINT64_C(1) << (slot->size * 8 - 1);
        value = (value ^ sign) - sign;
    }
    return value;
}

// Returns CTF_OK if so many bits follow.
static inline enum ctf_verdict ctf_need(const struct ctf_cursor *cursor, uint64_t bits) {
    if (bits > cursor->limit - cursor->at) return CTF_BAD;
    return bits > cursor->end - cursor->at ? CTF_SHORT : CTF_OK;
}

// Reads the event at the cursor and moves the cursor after it, type by type.
enum ctf_verdict ctf_interpret_event(struct ctf_reader *reader, const struct ctf_stream_class *stream,
                                     struct ctf_cursor *cursor, struct ctf_event *out_event);
// Reads the event at the cursor and moves the cursor after it.
static inline enum ctf_verdict ctf_read_event(struct ctf_reader *reader, const struct ctf_stream_class *stream,
                                              struct ctf_cursor *cursor, struct ctf_event *out_event) {
    if (!stream->has_flat_header || (cursor->before + cursor->at) & 7)
        return ctf_interpret_event(reader, stream, cursor, out_event);
    enum ctf_verdict verdict = ctf_need(cursor, stream->header_len * UINT64_C(8));
    if (verdict != CTF_OK) return verdict;
    const uint8_t *at = cursor->bytes + cursor->at / 8;
    const struct ctf_class *class =
        ctf_find_class(reader->schema, stream, ctf_load(at + stream->id_at, stream->id_size, stream->is_big));
    if (!class) return CTF_BAD;
    if (!class->is_flat) return ctf_interpret_event(reader, stream, cursor, out_event);
    uint64_t bits = class->len * UINT64_C(8);
    verdict = ctf_need(cursor, bits);
    if (verdict != CTF_OK) return verdict;
    reader->time_size = (uint8_t)(stream->time_size * 8);
    if (stream->time_size) reader->time_value = ctf_load(at + stream->time_at, stream->time_size, stream->is_big);
    *out_event = (struct ctf_event){ .class = class, .bytes = at, .len = bits };
    cursor->at += bits;
    return CTF_OK;
}

static inline const struct ctf_slot *ctf_slot_of(const struct ctf_schema *schema, const struct ctf_class *class,
                                                 enum ctf_role role) {
    return class->roles[role] ? &schema->slots[class->roles[role] - 1] : NULL;
}

// Returns the text of a slot without the zeros after it.
const char *ctf_slot_text(const uint8_t *event, const struct ctf_slot *slot, size_t *out_len);
// Writes the fields of an event as values, and returns their number.
uint32_t ctf_values_of(const struct ctf_reader *reader, const struct ctf_event *event,
                       struct tk_value out_values[CTF_VALUES]);
// Returns the slot with this role; NULL: the event has none, or is not flat.
static inline const struct ctf_slot *ctf_event_slot(const struct ctf_schema *schema, const struct ctf_event *event,
                                                    enum ctf_role role) {
    return event->bytes ? ctf_slot_of(schema, event->class, role) : NULL;
}
// Returns false if a text of a fixed length that is called `name` cannot be one.
static inline bool ctf_names_are_valid(const struct ctf_schema *schema, const struct ctf_event *event) {
    const struct ctf_slot *name = ctf_event_slot(schema, event, CTF_ROLE_NAME);
    return !name || ctf_is_padded_text(event->bytes + name->at, name->size);
}
// Reads the number with this role. Returns false if the event has none.
static inline bool ctf_role_number(const struct ctf_reader *reader, const struct ctf_event *event, enum ctf_role role,
                                   uint64_t *out_number) {
    const struct ctf_slot *slot = ctf_event_slot(reader->schema, event, role);
    if (slot) *out_number = ctf_slot_number(event->bytes, slot);
    return slot != NULL;
}

#endif
