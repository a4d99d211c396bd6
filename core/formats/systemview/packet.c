// SPDX-License-Identifier: MIT
#include "packet.h"

#include <string.h>

const char *const sv_shapes[SV_FIRST_CALL] = {
#define SV_KIND(id, kind, fields, name) [id] = fields,
#include "kinds.def"
#undef SV_KIND
};

const uint8_t *sv_long_number(const uint8_t *at, const uint8_t *end, uint32_t *out_number) {
    uint32_t number = 0;
    for (unsigned shift = 0; at < end && shift < 35; shift += 7) {
        uint8_t byte = *at++;
        number |= (uint32_t)(byte & 0x7F) << shift; // modulo 2^32
        if (byte < 0x80) {
            *out_number = number;
            return at;
        }
    }
    return NULL;
}

const uint8_t *sv_string(const uint8_t *at, const uint8_t *end, const char **out_text, size_t *out_len) {
    size_t len;
    if (at == end) return NULL;
    len = *at++;
    if (len == 255) {
        if (end - at < 2) return NULL;
        len = at[0] | (size_t)at[1] << 8;
        at += 2;
    }
    if ((size_t)(end - at) < len) return NULL;
    *out_text = (const char *)at;
    *out_len = len;
    return at + len;
}

bool sv_is_sync(const uint8_t *bytes, size_t len) {
    static const uint8_t zeros[SV_SYNC] = { 0 };
    return len >= SV_SYNC && !memcmp(bytes, zeros, SV_SYNC);
}

bool sv_head_tells_extension(const uint8_t *head, size_t len) {
    static const char extension[] = "ESP_Extension";
    for (size_t at = 0; at + sizeof extension - 1 <= len; at++)
        if (!memcmp(head + at, extension, sizeof extension - 1)) return true;
    return false;
}

// A number that does not end before `end`: it is cut, or too long.
static enum sv_verdict unread(const uint8_t *at, const uint8_t *end) { return end - at < 5 ? SV_SHORT : SV_BAD; }

static inline enum sv_verdict read_number(const uint8_t **at, const uint8_t *end, struct sv_packet *packet) {
    uint32_t number;
    const uint8_t *next = sv_number(*at, end, &number);
    if (!next) return unread(*at, end);
    if (packet->field_count < SV_FIELDS) packet->fields[packet->field_count++] = number;
    *at = next;
    return SV_OK;
}

static enum sv_verdict read_string(const uint8_t **at, const uint8_t *end, struct sv_packet *packet) {
    const uint8_t *next = sv_string(*at, end, &packet->text, &packet->text_len);
    if (!next) return SV_SHORT;
    *at = next;
    return SV_OK;
}

// Reads as many numbers as the one before says.
static enum sv_verdict read_numbers(const uint8_t **at, const uint8_t *end, struct sv_packet *packet) {
    uint32_t left = packet->fields[packet->field_count - 1];
    enum sv_verdict verdict = left > SV_MOST_ARGUMENTS ? SV_BAD : SV_OK;
    for (; left && verdict == SV_OK; left--) verdict = read_number(at, end, packet);
    return verdict;
}

// Reads the fields that all packets of a kind have. *out_is_open: more may follow.
static inline enum sv_verdict read_fields(const char *shape, const uint8_t **at, const uint8_t *end,
                                          struct sv_packet *packet, bool *out_is_open) {
    *out_is_open = false;
    for (; *shape; shape++) {
        enum sv_verdict verdict;
        if (*shape == 'v') verdict = read_number(at, end, packet);
        else if (*shape == '?') return *out_is_open = true, SV_OK;
        else verdict = *shape == 's' ? read_string(at, end, packet) : read_numbers(at, end, packet);
        if (verdict != SV_OK) return verdict;
    }
    return SV_OK;
}

static const uint8_t *read_id(const uint8_t *at, const uint8_t *end, bool core_in_id, struct sv_packet *packet) {
    at = sv_number(at, end, &packet->id);
    if (!at || !core_in_id) return at;
    packet->core = at[-1] >> 6 & 1;
    packet->id = packet->id > 127 ? (packet->id & 0x7F) | (packet->id >> 7 & 0x3F) << 7 : packet->id & 0x3F;
    return at;
}

// The fields of the kinds of EX after the kind. They end where the next packet begins, except those of REGISTER_DATA.
static const char *const extended_shapes[] = { "v", "vs", "vvvv", "vvv", "vvvv", "vv", "vs" };
enum { REGISTER_DATA = 6, EXTENDED_KINDS = sizeof extended_shapes / sizeof *extended_shapes };

// Without a length the recorder writes the low byte of the id.
static bool lacks_length(const uint8_t *at, const uint8_t *end, const struct sv_packing *packing,
                         const struct sv_packet *packet) {
    return packing->no_lengths && packet->id >= SV_FIRST_WITH_LENGTH && at < end && *at == (uint8_t)packet->id;
}

// Skips the numbers, and the unit of data, whose count `packing` says.
static enum sv_verdict skip_numbers(const uint8_t **at, const uint8_t *end, unsigned numbers, bool is_data) {
    bool has_unit = is_data && numbers == SV_NUMBERS_AND_UNIT;
    const char *text;
    size_t len;
    uint32_t number;
    for (unsigned i = 0; i < (has_unit ? SV_DATA_NUMBERS : numbers); i++) {
        const uint8_t *next = sv_number(*at, end, &number);
        if (!next) return unread(*at, end);
        *at = next;
    }
    const uint8_t *after = has_unit ? sv_string(*at, end, &text, &len) : *at;
    if (after) *at = after;
    return after ? SV_OK : SV_SHORT;
}

// Reads what follows the fixed fields of a packet without a length.
static enum sv_verdict read_open_end(const uint8_t **at, const uint8_t *end, unsigned numbers,
                                     const struct sv_packet *packet) {
    bool is_data = false;
    if (packet->id == SV_EX) {
        struct sv_packet rest = { 0 };
        if (packet->fields[0] >= EXTENDED_KINDS) return SV_BAD;
        bool is_open;
        enum sv_verdict verdict = read_fields(extended_shapes[packet->fields[0]], at, end, &rest, &is_open);
        is_data = packet->fields[0] == REGISTER_DATA;
        if (verdict != SV_OK || !is_data) return verdict;
    }
    return skip_numbers(at, end, numbers, is_data);
}

bool sv_has_open_end(const uint8_t *bytes, size_t len, const struct sv_packing *packing) {
    const uint8_t *end = bytes + len;
    struct sv_packet packet = { 0 };
    const uint8_t *at = packing->no_lengths ? read_id(bytes, end, packing->core_in_id, &packet) : NULL;
    if (!at || !lacks_length(at, end, packing, &packet)) return false;
    if (packet.id == SV_EX) return at + 1 < end && at[1] == REGISTER_DATA;
    return packet.id >= SV_FIRST_CALL || packet.id == SV_END_CALL;
}

static enum sv_verdict read_packet(const uint8_t *bytes, size_t len, const struct sv_packing *packing,
                                   struct sv_packet *packet) {
    const uint8_t *end = bytes + len, *at, *next;
    uint32_t size = 0;
    bool is_open;
    packet->core = 0; // each field by itself, because most packets use few of them
    packet->text = NULL;
    packet->text_len = packet->field_count = packet->fields[0] = 0;
    if (!(at = read_id(bytes, end, packing->core_in_id, packet))) return unread(bytes, end);
    const char *shape = packet->id < SV_FIRST_CALL ? sv_shapes[packet->id] : "?";
    if (packet->id >= SV_IDS || !shape) return SV_BAD;
    bool may_have_length = packet->id >= SV_FIRST_WITH_LENGTH,
         lacks = may_have_length && lacks_length(at, end, packing, packet), has_length = may_have_length && !lacks;
    const uint8_t *limit = end;
    if (lacks) at++;
    if (has_length) {
        if (!(next = sv_number(at, end, &size))) return unread(at, end);
        if (packing->no_lengths && size < SV_SHORTEST_WITH_LENGTH) return SV_BAD;
        at = next;
        if (size > (size_t)(end - at)) return SV_SHORT;
        limit = at + size;
    }
    enum sv_verdict verdict = read_fields(shape, &at, limit, packet, &is_open);
    if (verdict != SV_OK) return has_length ? SV_BAD : verdict;
    packet->payload = at;
    if (has_length && !is_open && at != limit) return SV_BAD;
    if (has_length) at = limit;
    else if (lacks && is_open && (verdict = read_open_end(&at, end, packing->numbers, packet)) != SV_OK) return verdict;
    packet->payload_len = (size_t)(at - packet->payload);
    if (!(next = sv_number(at, end, &packet->delta))) return unread(at, end);
    packet->len = (size_t)(next - bytes);
    return SV_OK;
}

enum sv_verdict sv_packet_read_other(const uint8_t *bytes, size_t len, const struct sv_packing *packing,
                                     struct sv_packet *out_packet) {
    enum sv_verdict verdict = read_packet(bytes, len < SV_LONGEST ? len : SV_LONGEST, packing, out_packet);
    if (verdict != SV_OK) *out_packet = (struct sv_packet){ 0 };
    return verdict == SV_SHORT && len >= SV_LONGEST ? SV_BAD : verdict;
}

const char *sv_kind_name(unsigned id) {
    switch (id) {
#define SV_KIND(number, kind, fields, name) \
    case number: return name;
#include "kinds.def"
#undef SV_KIND
    }
    return id < SV_FIRST_MODULE ? "call" : "module";
}
