// SPDX-License-Identifier: MIT
//
// Packets of SystemView as they are in the stream: section "Bytes" of docs/formats/systemview.md.
#ifndef TK_FORMATS_SYSTEMVIEW_PACKET_H
#define TK_FORMATS_SYSTEMVIEW_PACKET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum sv_kind {
#define SV_KIND(id, kind, fields, name) SV_##kind = (id),
#include "kinds.def"
#undef SV_KIND
    SV_FIRST_CALL = 32,    // calls of the OS, then events of modules
    SV_FIRST_MODULE = 512, // modules may begin here
    SV_IDS = 2048
};

enum {
    SV_FIRST_WITH_LENGTH = 24,
    SV_SHORTEST_WITH_LENGTH = 127, // bytes of payload from which on all recorders write the length
    SV_SYNC = 10,                  // zero bytes
    SV_LONGEST = 4096,     // longest packet, in bytes; the recorder's buffer has 256 bytes unless configured otherwise
    SV_USUAL = 300,        // the buffer of a recorder with its settings as they are, and what packets have around it
    SV_FIELDS = 20,        // numbers of one packet that are kept
    SV_MOST_ARGUMENTS = 64 // of a print; the recorder sends at most 16 unless configured otherwise
};

// Strings are borrowed from the stream, not terminated. The first field is 0 if the packet has no fields; other fields
// from field_count on are not set.
struct sv_packet {
    uint32_t id, delta;
    uint8_t core;               // of streams with the core in the id
    const uint8_t *payload;     // of calls and EX: the fields behind those that are fixed
    size_t payload_len, len;    // len: of the whole packet
    uint32_t fields[SV_FIELDS]; // numbers, in their order
    uint32_t field_count;
    const char *text;
    size_t text_len;
    uint32_t task; // index of the task in the first field; set by sv_map_accepts
};

enum sv_verdict { SV_OK, SV_SHORT, SV_BAD };

enum {
    SV_MOST_NUMBERS = 10,                 // numbers of one call
    SV_DATA_NUMBERS = 5,                  // numbers after the name of data, before its unit
    SV_NUMBERS_AND_UNIT = SV_MOST_NUMBERS // of a description of data: all numbers and the unit
};

// How a recorder packs its packets.
struct sv_packing {
    bool no_lengths; // the recorder writes the id instead of the length of short payloads (SUPPORT_LONG_DATA)
    bool core_in_id; // bit 6 of the last byte of the id is the core (ESP_Extension)
    uint8_t numbers; // no_lengths: numbers after the fixed fields of a packet that sv_has_open_end
};

// Returns true if neither the kind of the packet nor its bytes tell where its payload ends: of calls and events of
// modules, if the recorder writes no lengths.
bool sv_has_open_end(const uint8_t *bytes, size_t len, const struct sv_packing *packing);
// Returns true if a line of the head of a file says that the core is in the ids.
bool sv_head_tells_extension(const uint8_t *head, size_t len);
// Returns true if a sync begins there.
bool sv_is_sync(const uint8_t *bytes, size_t len);
// Reads a number or a string of a payload. Returns the position after it, or NULL if it does not end before `end`.
const uint8_t *sv_long_number(const uint8_t *at, const uint8_t *end, uint32_t *out_number);
static inline const uint8_t *sv_number(const uint8_t *at, const uint8_t *end, uint32_t *out_number) {
    if (at < end && at[0] < 0x80) return *out_number = at[0], at + 1;
    if (end - at < 3) return sv_long_number(at, end, out_number);
    uint32_t number = at[0] + ((uint32_t)at[1] << 7) - 0x80;
    if (at[1] < 0x80) return *out_number = number, at + 2;
    number += ((uint32_t)at[2] << 14) - (0x80 << 7);
    if (at[2] < 0x80) return *out_number = number, at + 3;
    return sv_long_number(at, end, out_number);
}
const uint8_t *sv_string(const uint8_t *at, const uint8_t *end, const char **out_text, size_t *out_len);

extern const char *const sv_shapes[SV_FIRST_CALL]; // the fields of the kinds, as in kinds.def; NULL: no kind

// Reads a packet without a length that has only numbers: most are such. Returns false for others, and for one that is
// cut or invalid.
static inline bool sv_packet_read_numbers(const uint8_t *bytes, const uint8_t *end, struct sv_packet *packet) {
    unsigned id = bytes[0];
    const char *shape = id < SV_FIRST_WITH_LENGTH ? sv_shapes[id] : NULL;
    if (!shape) return false;
    const uint8_t *at = bytes + 1;
    uint32_t count = 0;
    packet->fields[0] = 0;
    for (; *shape; shape++)
        if (*shape != 'v' || !(at = sv_number(at, end, &packet->fields[count++]))) return false;
    packet->payload = at;
    if (!(at = sv_number(at, end, &packet->delta))) return false;
    packet->id = id;
    packet->core = 0;
    packet->text = NULL;
    packet->text_len = packet->payload_len = 0;
    packet->field_count = count;
    packet->len = (size_t)(at - bytes);
    return true;
}

// Reads the packet at the start of `bytes`. SV_SHORT: it continues behind `len`. SV_BAD: it is none.
enum sv_verdict sv_packet_read_other(const uint8_t *bytes, size_t len, const struct sv_packing *packing,
                                     struct sv_packet *out_packet);
static inline enum sv_verdict sv_packet_read(const uint8_t *bytes, size_t len, const struct sv_packing *packing,
                                             struct sv_packet *out_packet) {
    if (len && !packing->core_in_id && sv_packet_read_numbers(bytes, bytes + len, out_packet)) return SV_OK;
    return sv_packet_read_other(bytes, len, packing, out_packet);
}

const char *sv_kind_name(unsigned id);

#endif
