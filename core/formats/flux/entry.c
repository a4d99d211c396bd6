// SPDX-License-Identifier: MIT
#include "entry.h"

#include "../../base/bytes.h"
#include "../../unpack/unpack.h"

#include <string.h>

enum flux_result flux_number(const uint8_t **at, const uint8_t *end, uint64_t *out) {
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 70; shift += 7) {
        if (*at == end) return FLUX_MORE;
        uint8_t byte = *(*at)++;
        if (shift == 63 && byte > 1) return FLUX_BAD;
        value |= (uint64_t)(byte & 0x7F) << shift;
        if (byte < 0x80) {
            *out = value;
            return FLUX_OK;
        }
    }
    return FLUX_BAD;
}

enum flux_result flux_value(const uint8_t **at, const uint8_t *end, struct flux_bytes *out) {
    uint64_t len = 0;
    enum flux_result result = flux_number(at, end, &len);
    if (result != FLUX_OK) return result;
    if (len > FLUX_LONGEST) return FLUX_BAD;
    if (len > (size_t)(end - *at)) return FLUX_MORE;
    *out = (struct flux_bytes){ *at, (size_t)len };
    *at += len;
    return FLUX_OK;
}

uint64_t flux_unsigned(struct flux_bytes value) {
    uint64_t number = 0;
    for (size_t i = 0; i < value.len && i < 8; i++) number |= (uint64_t)value.at[i] << 8 * i;
    return number;
}

int64_t flux_integer(struct flux_bytes value) {
    uint64_t number = flux_unsigned(value);
    if (value.len && value.len < 8 && value.at[value.len - 1] & 0x80) number |= UINT64_MAX << 8 * value.len;
    return (int64_t)number;
}

bool flux_fits(struct flux_bytes value) {
    if (value.len <= 8) return true;
    uint8_t sign = value.at[7] & 0x80 ? 0xFF : 0;
    for (size_t i = 8; i < value.len; i++)
        if (value.at[i] != sign) return false;
    return true;
}

// ---- Entries -----------------------------------------------------------------------------------

// The fields of an entry, a letter each; read_field explains them. For the newer dialect only the entries that differ.
struct layout {
    uint16_t tag;
    const char *fields, *fields_4, *fields_6i;
};

static const struct layout layouts[] = {
    { FLUX_HEAD, "4KindMab", NULL, NULL },
    { FLUX_SWTH, "i", NULL, NULL },
    { FLUX_PBLK, "Kab", NULL, NULL },
    { FLUX_SECT, "KAB", NULL, NULL },
    { FLUX_SCPD, "ipnd", NULL, "ipndg" },
    { FLUX_SIGD, "ipndKf", NULL, "ipndgKzf" },
    { FLUX_MSGD, "ijpndKf", NULL, "ijpndgKzf" },
    { FLUX_SIRD, "ipnd", NULL, NULL },
    { FLUX_SSGD, "ipndKfab", NULL, "ipndgKzfab" },
    { FLUX_SSRD, "ipndab", NULL, NULL },
    { FLUX_OPEN, "ifxy", NULL, NULL },
    { FLUX_CLOS, "ix", NULL, NULL },
    { FLUX_DOMD, "f", NULL, NULL },
    { FLUX_CURR, "ix", NULL, NULL },
    { FLUX_ENMD, "ijna", NULL, NULL },
    { FLUX_MEMD, "ijpnKf", "ijnKf", "ijpndguKzf" },
    { FLUX_ATRE, "iKajxb", "iajx", NULL },
    { FLUX_ATLA, "ijxy", NULL, NULL },
    { FLUX_CREQ, "ijbc", NULL, NULL },
    { FLUX_CRES, "ijbc", NULL, NULL },
};

const char *flux_fields_of(enum flux_dialect dialect, uint8_t tag) {
    for (size_t i = 0; i < sizeof layouts / sizeof *layouts; i++) {
        const struct layout *layout = &layouts[i];
        if (layout->tag != tag) continue;
        const char *own = dialect == FLUX_4 ? layout->fields_4 : dialect == FLUX_6I ? layout->fields_6i : NULL;
        return own ? own : layout->fields;
    }
    return NULL;
}

static enum flux_result read_byte(const uint8_t **at, const uint8_t *end, uint8_t *out) {
    if (*at == end) return FLUX_MORE;
    *out = *(*at)++;
    return FLUX_OK;
}

static enum flux_result read_word(const uint8_t **at, const uint8_t *end, uint64_t *out) {
    if (end - *at < 2) return FLUX_MORE;
    *out = (*at)[0] | (uint64_t)(*at)[1] << 8;
    *at += 2;
    return FLUX_OK;
}

static enum flux_result read_zigzag(const uint8_t **at, const uint8_t *end, int64_t *out) {
    uint64_t number = 0;
    enum flux_result result = flux_number(at, end, &number);
    *out = (int64_t)(number >> 1 ^ (0 - (number & 1)));
    return result;
}

static enum flux_result read_magic(const uint8_t **at, const uint8_t *end) {
    for (int i = 0; i < 4; i++, (*at)++) {
        if (*at == end) return FLUX_MORE;
        if (**at < 0x20 || **at > 0x7E) return FLUX_BAD;
    }
    return FLUX_OK;
}

// Reads the members of a control entry, each with id, type and value.
static enum flux_result read_members(const uint8_t **at, const uint8_t *end, uint64_t count, struct flux_bytes *out) {
    const uint8_t *start = *at;
    struct flux_bytes value;
    uint64_t id;
    uint8_t type;
    for (uint64_t i = 0; i < count; i++) {
        enum flux_result result = flux_number(at, end, &id);
        if (result == FLUX_OK) result = read_byte(at, end, &type);
        if (result == FLUX_OK) result = flux_value(at, end, &value);
        if (result != FLUX_OK) return result;
    }
    *out = (struct flux_bytes){ start, (size_t)(*at - start) };
    return FLUX_OK;
}

static enum flux_result read_integer(const uint8_t **at, const uint8_t *end, struct flux_bytes *out) {
    enum { LONGEST_INTEGER = 64 };
    enum flux_result result = flux_value(at, end, out);
    return result == FLUX_OK && out->len > LONGEST_INTEGER ? FLUX_BAD : result;
}

static enum flux_result read_field(char field, const uint8_t **at, const uint8_t *end, struct flux_entry *out) {
    struct flux_bytes unused;
    switch (field) {
    case 'i': return flux_number(at, end, &out->id);
    case 'j': return flux_number(at, end, &out->second);
    case 'p': return flux_number(at, end, &out->parent);
    case 'a': return flux_number(at, end, &out->first);
    case 'b': return flux_number(at, end, &out->last);
    case 'A': return read_word(at, end, &out->first);
    case 'B': return read_word(at, end, &out->last);
    case 'z': return read_zigzag(at, end, &out->scale);
    case 'K': return read_byte(at, end, &out->kind);
    case 'M': return read_byte(at, end, &out->mode);
    case 'n': return flux_value(at, end, &out->name);
    case 'd': return flux_value(at, end, &out->description);
    case 'g': return flux_value(at, end, &out->tags);
    case 'f': return flux_value(at, end, &out->format);
    case 'u': return flux_value(at, end, &unused);
    case 'x': return read_integer(at, end, &out->x);
    case 'y': return read_integer(at, end, &out->y);
    case 'c': return read_members(at, end, out->last, &out->format);
    default: return read_magic(at, end);
    }
}

bool flux_has_control_characters(struct flux_bytes text) {
    for (size_t i = 0; i < text.len; i++)
        if (text.at[i] < 0x20) return true;
    return false;
}

bool flux_entry_is_implausible(const struct flux_entry *entry) {
    enum { LONG = 512 };
    return entry->len > LONG || flux_has_control_characters(entry->name) ||
           flux_has_control_characters(entry->description) || flux_has_control_characters(entry->tags);
}

static bool is_definition(uint16_t tag) { return tag == FLUX_SIGD || tag == FLUX_MSGD || tag == FLUX_SSGD; }

// Returns false for entries that no target writes.
static bool is_sound(enum flux_dialect dialect, const struct flux_entry *entry) {
    enum { MOST_SIGNALS = 65536 };
    if ((is_definition(entry->tag) || entry->tag == FLUX_MEMD) && flux_has_control_characters(entry->format))
        return false;
    if (is_definition(entry->tag) && flux_signal_type(dialect, entry->kind) == FLUX_BAD_TYPE) return false;
    if ((is_definition(entry->tag) || entry->tag == FLUX_SCPD) &&
        (!entry->id || entry->id > UINT32_MAX || entry->parent > UINT32_MAX))
        return false;
    if (entry->tag == FLUX_MSGD)
        return entry->second >= entry->id && entry->second - entry->id < MOST_SIGNALS && entry->second <= UINT32_MAX;
    if (entry->tag == FLUX_PBLK) return entry->kind < TK_UNPACK_METHODS;
    if (entry->tag == FLUX_SECT) return entry->last <= entry->first;
    if (entry->tag == FLUX_HEAD) return entry->kind && entry->kind < 32;
    return true;
}

enum flux_result flux_read_entry(enum flux_dialect dialect, const uint8_t *at, size_t len, struct flux_entry *out) {
    if (len < 2) return FLUX_MORE;
    if (len > FLUX_LONGEST) len = FLUX_LONGEST;
    const uint8_t *start = at, *end = at + len;
    const char *fields = flux_fields_of(dialect, at[1]);
    if (!fields) return FLUX_BAD;
    *out = (struct flux_entry){ .tag = at[1] };
    for (at += 2; *fields; fields++) {
        enum flux_result result = read_field(*fields, &at, end, out);
        if (result == FLUX_MORE && len == FLUX_LONGEST) return FLUX_BAD;
        if (result != FLUX_OK) return result;
    }
    out->len = (size_t)(at - start);
    return is_sound(dialect, out) ? FLUX_OK : FLUX_BAD;
}

// ---- Samples -----------------------------------------------------------------------------------

enum { TAGGED = 1, HAS_DELTA = 2, HAS_TAG = 4 };

enum flux_result flux_read_sample(const uint8_t *at, size_t len, struct flux_sample *out) {
    const uint8_t *start = at, *end = at + len;
    uint64_t header, format = 0;
    out->len = 0;
    enum flux_result result = flux_number(&at, end, &header);
    if (result != FLUX_OK) return result;
    unsigned flags = header & 7;
    uint8_t tag = 1;
    out->id = header >> 3;
    out->delta = 0;
    if (!out->id || (flags & (TAGGED | HAS_TAG)) == HAS_TAG) return FLUX_BAD;
    if (flags & HAS_TAG) result = read_byte(&at, end, &tag);
    if (result == FLUX_OK && !tag) return FLUX_BAD;
    if (result == FLUX_OK && flags & HAS_DELTA) result = flux_number(&at, end, &out->delta);
    if (result == FLUX_OK) result = flux_number(&at, end, &format);
    if (result != FLUX_OK) return result;
    if (format >> 4 > FLUX_LONGEST) return FLUX_BAD;
    out->data = (struct flux_bytes){ at, (size_t)(format >> 4) };
    out->tag = flags & TAGGED ? tag : 0;
    out->has_delta = flags & HAS_DELTA;
    out->df = format & 3;
    out->xdf = format >> 2 & 3;
    out->is_none = !format;
    out->len = (size_t)(at - start) + out->data.len;
    return out->data.len > (size_t)(end - at) ? FLUX_MORE : FLUX_OK;
}

// ---- Types -------------------------------------------------------------------------------------

enum flux_type flux_signal_type(enum flux_dialect dialect, uint8_t written) {
    static const uint8_t older[] = { FLUX_BAD_TYPE, FLUX_EVENT, FLUX_INTEGER, FLUX_LOGIC, FLUX_FLOAT, FLUX_TEXT };
    if (written > FLUX_TEXTS || !written) return FLUX_BAD_TYPE;
    return dialect != FLUX_6I && written < sizeof older ? (enum flux_type)older[written] : (enum flux_type)written;
}

enum flux_type flux_member_type(enum flux_dialect dialect, uint8_t written) {
    static const uint8_t older[16] = { FLUX_UNKNOWN,      FLUX_TEXT,   FLUX_EVENT,    FLUX_INTEGER,
                                       FLUX_FLOAT,        FLUX_LOGIC,  FLUX_BINARY,   FLUX_LOCAL_EVENT,
                                       FLUX_MERGED_EVENT, FLUX_STRUCT, FLUX_EVENTS,   FLUX_INTEGERS,
                                       FLUX_FLOATS,       FLUX_TEXTS,  FLUX_BAD_TYPE, FLUX_BAD_TYPE };
    uint8_t type = written & 15;
    if (dialect != FLUX_6I) return (enum flux_type)older[type];
    return type < FLUX_BAD_TYPE ? (enum flux_type)type : FLUX_BAD_TYPE;
}

static bool logic_suits(const struct flux_sample *sample) {
    return sample->df && (sample->data.len ? sample->xdf == 2 : sample->xdf < 2);
}

static bool float_suits(const struct flux_sample *sample) {
    return sample->df == 1 && (sample->xdf == 1   ? sample->data.len == 4
                               : sample->xdf == 2 ? sample->data.len == 8
                                                  : sample->xdf == 3);
}

bool flux_sample_suits(enum flux_type type, const struct flux_sample *sample) {
    enum { LONGEST_INTEGER = 64, FIXED = 1, EVENTS = 2, COUNTED = 3 };
    if (sample->is_none) return true;
    switch (type) {
    case FLUX_EVENT: return sample->df == EVENTS && !sample->xdf && sample->data.len <= LONGEST_INTEGER;
    case FLUX_INTEGER: return sample->df == 1 && !sample->xdf && sample->data.len <= LONGEST_INTEGER;
    case FLUX_FLOAT: return float_suits(sample);
    case FLUX_LOGIC: return logic_suits(sample);
    case FLUX_EVENTS: return (sample->df == EVENTS || sample->df == COUNTED) && !sample->xdf;
    case FLUX_TEXTS: return (sample->df == FIXED || sample->df == COUNTED) && !sample->xdf;
    case FLUX_INTEGERS:
    case FLUX_FLOATS: return (sample->df == FIXED || sample->df == COUNTED) && sample->xdf;
    default: return sample->df == 1 && !sample->xdf; // texts, bytes, structs
    }
}

enum flux_type flux_infer_type(const struct flux_sample *sample) {
    if (sample->df == 2) return FLUX_EVENT;
    if (sample->df == 1 && float_suits(sample) && sample->xdf != 3) return FLUX_FLOAT;
    return sample->df == 1 && !sample->xdf && sample->data.len <= 8 ? FLUX_INTEGER : FLUX_BINARY;
}
