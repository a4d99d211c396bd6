// SPDX-License-Identifier: MIT
//
// Reads the data of a sample as fields of a value.
#include "flux.h"

#include <string.h>

enum { MOST_FIELDS = 65536, DEEPEST_STRUCT = 16 };

static struct tk_field *add(struct flux *flux, enum tk_field_type type, uint32_t member) {
    if (flux->field_count == MOST_FIELDS ||
        !tk_alloc_grow(flux->host.alloc, (void **)&flux->fields, &flux->field_capacity, flux->field_count + 1,
                       sizeof *flux->fields))
        return NULL;
    struct tk_field *field = &flux->fields[flux->field_count++];
    *field = (struct tk_field){ .type = (uint8_t)type, .member = member };
    return field;
}

static bool add_bytes(struct flux *flux, enum tk_field_type type, uint32_t member, struct flux_bytes data) {
    struct tk_field *field = add(flux, type, member);
    if (field) field->bytes = data.at, field->len = (uint32_t)data.len;
    return field;
}

// Returns true if a value of dialect 4 has the length of a type. Its top bit is then no sign.
static bool fills_a_type(size_t len) { return len == 1 || len == 2 || len == 4 || len == 8; }

static bool add_integer(struct flux *flux, enum tk_field_type type, uint32_t member, struct flux_bytes data,
                        bool is_unsigned) {
    if (data.len > TK_BIG_BYTES) return false;
    if (!flux_fits(data)) return add_bytes(flux, TK_FIELD_BIG, member, data);
    struct tk_field *field = add(flux, type, member);
    if (field) field->i = is_unsigned && fills_a_type(data.len) ? (int64_t)flux_unsigned(data) : flux_integer(data);
    return field;
}

static bool add_float(struct flux *flux, uint32_t member, struct flux_bytes data) {
    float single;
    double number;
    uint64_t bits = flux_unsigned(data);
    if (data.len != 4 && data.len != 8) return add_bytes(flux, TK_FIELD_BYTES, member, data);
    if (data.len == 4) {
        uint32_t half = (uint32_t)bits;
        memcpy(&single, &half, sizeof single);
        number = single;
    } else {
        memcpy(&number, &bits, sizeof number);
    }
    struct tk_field *field = add(flux, TK_FIELD_DOUBLE, member);
    if (field) field->d = number;
    return field;
}

static bool add_logic(struct flux *flux, const struct flux_sample *sample) {
    unsigned bits = 1u << (sample->df - 1); // bits per state
    size_t states = sample->data.len * (8 / bits), skipped = states > TK_MAX_STATES ? states - TK_MAX_STATES : 0;
    if (!flux->states) flux->states = tk_alloc_zero(flux->host.alloc, TK_MAX_STATES);
    struct tk_field *field = add(flux, TK_FIELD_LOGIC, 0);
    if (!flux->states || !field) return false;
    if (!states) flux->states[0] = sample->xdf;
    uint8_t *to = flux->states;
    for (size_t i = skipped * bits / 8; i < sample->data.len; i++)
        for (unsigned shift = 8; shift;) shift -= bits, *to++ = sample->data.at[i] >> shift & ((1u << bits) - 1);
    field->bytes = flux->states;
    field->len = states ? (uint32_t)(states - skipped) : 1;
    return true;
}

// ---- Arrays --------------------------------------------------------------------------------------

static bool add_element(struct flux *flux, enum flux_type type, enum flux_dialect dialect, uint32_t index,
                        struct flux_bytes value) {
    switch (type) {
    case FLUX_TEXTS: return add_bytes(flux, TK_FIELD_TEXT, index, value);
    case FLUX_FLOATS: return add_float(flux, index, value);
    case FLUX_EVENTS: return add_integer(flux, TK_FIELD_LABEL, index, value, dialect == FLUX_4);
    default: return add_integer(flux, TK_FIELD_INTEGER, index, value, false);
    }
}

static bool add_elements(struct flux *flux, enum flux_type type, enum flux_dialect dialect, unsigned xdf,
                         struct flux_bytes data, uint32_t member) {
    const uint8_t *at = data.at, *end = at + data.len;
    size_t whole = type == FLUX_FLOATS && xdf != 3 ? xdf == 1 ? 4 : 8 : 0; // bytes of an element that has no length of
                                                                           // its own
    uint32_t list = flux->field_count, count = 0;
    if (!add(flux, TK_FIELD_LIST, member)) return false;
    for (; at < end; count++) {
        struct flux_bytes value = { at, whole };
        if (whole && (size_t)(end - at) < whole) return false;
        if (whole) at += whole;
        else if (flux_value(&at, end, &value) != FLUX_OK) return false;
        if (!add_element(flux, type, dialect, count, value)) return false;
    }
    flux->fields[list].count = count;
    return true;
}

static bool add_counted(struct flux *flux, enum flux_type type, enum flux_dialect dialect, unsigned xdf,
                        struct flux_bytes data, uint32_t member) {
    const uint8_t *at = data.at, *end = at + data.len;
    uint64_t count = 0;
    uint32_t list = flux->field_count;
    if (flux_number(&at, end, &count) != FLUX_OK) return false;
    return add_elements(flux, type, dialect, xdf, (struct flux_bytes){ at, (size_t)(end - at) }, member) &&
           flux->fields[list].count == count;
}

static bool add_array(struct flux *flux, enum flux_type type, enum flux_dialect dialect,
                      const struct flux_sample *sample) {
    enum { COUNTED = 3 };
    return sample->df == COUNTED ? add_counted(flux, type, dialect, sample->xdf, sample->data, 0)
                                 : add_elements(flux, type, dialect, sample->xdf, sample->data, 0);
}

// ---- Structs -------------------------------------------------------------------------------------

static bool add_struct(struct flux *flux, enum flux_dialect dialect, struct flux_bytes data, uint32_t member,
                       unsigned depth);

static bool add_member(struct flux *flux, enum flux_dialect dialect, uint8_t kind, struct flux_bytes value,
                       uint32_t member, unsigned depth) {
    enum flux_type type = flux_member_type(dialect, kind);
    switch (type) {
    case FLUX_TEXT: return add_bytes(flux, TK_FIELD_TEXT, member, value);
    case FLUX_EVENT:
    case FLUX_LOCAL_EVENT:
    case FLUX_MERGED_EVENT: return add_integer(flux, TK_FIELD_LABEL, member, value, dialect == FLUX_4);
    case FLUX_INTEGER: return add_integer(flux, TK_FIELD_INTEGER, member, value, false);
    case FLUX_FLOAT: return add_float(flux, member, value);
    case FLUX_STRUCT: return add_struct(flux, dialect, value, member, depth + 1);
    case FLUX_EVENTS:
    case FLUX_INTEGERS:
    case FLUX_FLOATS:
    case FLUX_TEXTS: return add_counted(flux, type, dialect, kind >> 4 & 3, value, member);
    case FLUX_BAD_TYPE: return false;
    default: return add_bytes(flux, TK_FIELD_BYTES, member, value);
    }
}

static bool add_struct(struct flux *flux, enum flux_dialect dialect, struct flux_bytes data, uint32_t member,
                       unsigned depth) {
    enum { HIDDEN = 0x80 };
    const uint8_t *at = data.at, *end = at + data.len;
    uint32_t group = flux->field_count;
    struct flux_bytes value;
    uint64_t id;
    if (depth == DEEPEST_STRUCT || !add(flux, TK_FIELD_GROUP, member)) return false;
    while (at < end) {
        if (flux_number(&at, end, &id) != FLUX_OK || at == end || id > UINT32_MAX) return false;
        uint8_t kind = *at++;
        uint32_t index = flux->field_count;
        if (flux_value(&at, end, &value) != FLUX_OK || !add_member(flux, dialect, kind, value, (uint32_t)id, depth))
            return false;
        flux->fields[index].is_hidden = kind & HIDDEN;
    }
    flux->fields[group].count = flux->field_count - group - 1;
    return true;
}

// ---- Any type ------------------------------------------------------------------------------------

bool flux_read_data(struct flux *flux, enum flux_type type, enum flux_dialect dialect,
                    const struct flux_sample *sample) {
    flux->field_count = 0;
    if (sample->is_none) return add(flux, TK_FIELD_NONE, 0);
    switch (type) {
    case FLUX_EVENT: return add_integer(flux, TK_FIELD_LABEL, 0, sample->data, dialect == FLUX_4);
    case FLUX_INTEGER: return add_integer(flux, TK_FIELD_INTEGER, 0, sample->data, false);
    case FLUX_FLOAT:
        return sample->xdf == 3 ? add_bytes(flux, TK_FIELD_BYTES, 0, sample->data) : add_float(flux, 0, sample->data);
    case FLUX_TEXT: return add_bytes(flux, TK_FIELD_TEXT, 0, sample->data);
    case FLUX_LOGIC: return add_logic(flux, sample);
    case FLUX_STRUCT: return add_struct(flux, dialect, sample->data, 0, 0);
    case FLUX_EVENTS:
    case FLUX_INTEGERS:
    case FLUX_FLOATS:
    case FLUX_TEXTS: return add_array(flux, type, dialect, sample);
    default: return add_bytes(flux, TK_FIELD_BYTES, 0, sample->data);
    }
}
