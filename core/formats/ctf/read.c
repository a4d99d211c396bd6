// SPDX-License-Identifier: MIT
#include "read.h"

#include <string.h>

// ---- Bits ----------------------------------------------------------------------------------------

static enum ctf_verdict align(struct ctf_cursor *c, uint32_t bits) {
    uint64_t position = c->before + c->at, over = position & (bits - 1u);
    if (over) c->at += bits - over;
    return c->at > c->limit ? CTF_BAD : c->at > c->end ? CTF_SHORT : CTF_OK;
}

// Little-endian numbers fill bytes from the lowest bit, big-endian ones from the highest.
static uint64_t bits_at(const struct ctf_cursor *c, unsigned size, bool is_big) {
    uint64_t value = 0;
    for (unsigned done = 0; done < size;) {
        uint64_t at = c->at + done;
        unsigned in_byte = (unsigned)(at & 7), count = 8 - in_byte;
        if (count > size - done) count = size - done;
        unsigned byte = c->bytes[at / 8], mask = (1u << count) - 1;
        if (is_big) value = value << count | (byte >> (8 - in_byte - count) & mask);
        else value |= (uint64_t)(byte >> in_byte & mask) << done;
        done += count;
    }
    return value;
}

static enum ctf_verdict read_integer(struct ctf_cursor *c, const struct ctf_type *type, uint64_t *out_value) {
    enum ctf_verdict verdict = align(c, type->align);
    if (verdict == CTF_OK) verdict = ctf_need(c, type->size);
    if (verdict != CTF_OK) return verdict;
    uint64_t value = bits_at(c, type->size, type->order == CTF_BIG);
    if (type->is_signed && type->size < 64) {
        uint64_t sign = UINT64_C(1) << (type->size - 1);
        value = (value ^ sign) - sign;
    }
    *out_value = value;
    c->at += type->size;
    return CTF_OK;
}

// ---- Values --------------------------------------------------------------------------------------

static struct tk_value *add_value(struct ctf_reader *r, uint32_t name) {
    size_t len = 0;
    if (r->value_count == CTF_VALUES) {
        r->is_cut = true;
        return NULL;
    }
    struct tk_value *value = &r->values[r->value_count++];
    *value = (struct tk_value){ 0 };
    if (!name) return value;
    value->name = ctf_text(r->schema, name, &len);
    value->name_len = (uint16_t)(len > UINT16_MAX ? UINT16_MAX : len);
    return value;
}

static void set_text(struct tk_value *value, const void *text, size_t len) {
    value->type = TK_VALUE_TEXT;
    value->text = text;
    value->text_len = (uint32_t)len;
}

static void remember(struct ctf_reader *r, uint32_t name, uint32_t type, uint64_t value) {
    if (!name) return;
    r->recent[r->recent_count % CTF_RECENT] = (struct ctf_recent){ name, type, value };
    r->recent_count++;
}

static const struct ctf_recent *find_recent(const struct ctf_reader *r, uint32_t name) {
    uint32_t count = r->recent_count < CTF_RECENT ? r->recent_count : CTF_RECENT;
    for (uint32_t i = 1; i <= count; i++) {
        const struct ctf_recent *recent = &r->recent[(r->recent_count - i) % CTF_RECENT];
        if (recent->name == name) return recent;
    }
    for (uint32_t i = r->packet_count; i-- > 0;)
        if (r->packet[i].name == name) return &r->packet[i];
    return NULL;
}

bool ctf_recent(const struct ctf_reader *r, const char *name, uint64_t *out_value) {
    uint32_t count = r->recent_count < CTF_RECENT ? r->recent_count : CTF_RECENT;
    for (uint32_t i = 1; i <= count; i++) {
        const struct ctf_recent *recent = &r->recent[(r->recent_count - i) % CTF_RECENT];
        if (!ctf_text_is(r->schema, recent->name, name)) continue;
        *out_value = recent->value;
        return true;
    }
    return false;
}

// Returns the label of a value of an enumeration; 0: none.
static uint32_t label_of(const struct ctf_schema *s, const struct ctf_type *type, uint64_t value) {
    for (uint32_t i = 0; i < type->count; i++) {
        const struct ctf_label *label = &s->labels[type->first + i];
        bool fits = type->is_signed ? (int64_t)value >= (int64_t)label->from && (int64_t)value <= (int64_t)label->to
                                    : value >= label->from && value <= label->to;
        if (fits) return label->name;
    }
    return 0;
}

// ---- Types ---------------------------------------------------------------------------------------

static enum ctf_verdict read_type(struct ctf_reader *r, struct ctf_cursor *c, uint32_t number, uint32_t name);

static enum ctf_verdict read_number(struct ctf_reader *r, struct ctf_cursor *c, uint32_t number, uint32_t name) {
    const struct ctf_type *type = ctf_type_at(r->schema, number);
    uint64_t bits;
    enum ctf_verdict verdict = read_integer(c, type, &bits);
    if (verdict != CTF_OK) return verdict;
    struct tk_value *value = add_value(r, name);
    if (type->kind == CTF_FLOAT) {
        float single;
        uint32_t low = (uint32_t)bits;
        memcpy(&single, &low, sizeof single);
        if (!value) return CTF_OK;
        value->type = TK_VALUE_DOUBLE;
        if (type->size == 32) value->number.d = (double)single;
        else memcpy(&value->number.d, &bits, sizeof bits);
        return CTF_OK;
    }
    remember(r, name, number, bits);
    if (type->is_time) r->time_value = bits, r->time_size = (uint8_t)type->size;
    if (!value) return CTF_OK;
    value->type = type->is_hex ? TK_VALUE_HEX : type->is_signed ? TK_VALUE_INT : TK_VALUE_UINT;
    value->number.u = type->is_hex && type->size < 64 ? bits & ((UINT64_C(1) << type->size) - 1) : bits;
    uint32_t label = type->is_enum ? label_of(r->schema, type, bits) : 0;
    size_t len;
    if (label) {
        const char *text = ctf_text(r->schema, label, &len);
        set_text(value, text, len);
    }
    return CTF_OK;
}

static enum ctf_verdict read_string(struct ctf_reader *r, struct ctf_cursor *c, uint32_t name) {
    enum ctf_verdict verdict = align(c, 8);
    if (verdict != CTF_OK) return verdict;
    uint64_t end = c->limit < c->end ? c->limit : c->end, from = c->at / 8, room = end / 8 - from;
    const uint8_t *zero = memchr(c->bytes + from, 0, (size_t)room);
    if (!zero) return c->limit <= c->end ? CTF_BAD : CTF_SHORT;
    size_t len = (size_t)(zero - (c->bytes + from));
    struct tk_value *value = add_value(r, name);
    if (value) set_text(value, c->bytes + from, len);
    c->at += (len + 1) * 8;
    return CTF_OK;
}

// Reads an array of characters: text up to the first zero.
static enum ctf_verdict read_text(struct ctf_reader *r, struct ctf_cursor *c, uint64_t length, uint32_t name) {
    enum ctf_verdict verdict = align(c, 8);
    if (verdict == CTF_OK) verdict = ctf_need(c, length * 8);
    if (verdict != CTF_OK) return verdict;
    const uint8_t *text = c->bytes + c->at / 8;
    struct tk_value *value = add_value(r, name);
    if (value) set_text(value, text, tk_find_zero(text, (size_t)length));
    c->at += length * 8;
    return CTF_OK;
}

// Ends a group of values that began at `group`.
static void end_group(struct ctf_reader *r, struct tk_value *group) {
    if (group) group->number.u = (uint64_t)(&r->values[r->value_count] - group) - 1;
}

static enum ctf_verdict read_array(struct ctf_reader *r, struct ctf_cursor *c, const struct ctf_type *type,
                                   uint64_t length, uint32_t name) {
    const struct ctf_type *element = ctf_type_at(r->schema, type->element);
    if (length > CTF_MAX_LENGTH) return CTF_BAD;
    if (type->is_text) return read_text(r, c, length, name);
    enum ctf_verdict verdict = align(c, type->align);
    if (verdict == CTF_OK) verdict = ctf_need(c, length * element->least_bits);
    struct tk_value *group = verdict == CTF_OK ? add_value(r, name) : NULL;
    if (group) group->type = TK_VALUE_LIST;
    for (uint64_t i = 0; i < length && verdict == CTF_OK; i++) {
        uint64_t from = c->at;
        verdict = read_type(r, c, type->element, 0);
        if (c->at == from) break; // all further ones are empty, too
    }
    end_group(r, group);
    return verdict;
}

static enum ctf_verdict read_struct(struct ctf_reader *r, struct ctf_cursor *c, const struct ctf_type *type,
                                    uint32_t name) {
    enum ctf_verdict verdict = align(c, type->align);
    struct tk_value *group = name && verdict == CTF_OK ? add_value(r, name) : NULL;
    if (group) group->type = TK_VALUE_GROUP;
    for (uint32_t i = 0; i < type->count && verdict == CTF_OK; i++) {
        const struct ctf_field *field = &r->schema->fields[type->first + i];
        verdict = read_type(r, c, field->type, field->name);
    }
    end_group(r, group);
    return verdict;
}

static enum ctf_verdict read_variant(struct ctf_reader *r, struct ctf_cursor *c, const struct ctf_type *type,
                                     uint32_t name) {
    const struct ctf_recent *tag = find_recent(r, type->name);
    const struct ctf_type *of = tag ? ctf_type_at(r->schema, tag->type) : NULL;
    uint32_t label = of && of->is_enum ? label_of(r->schema, of, tag->value) : 0;
    for (uint32_t i = 0; label && i < type->count; i++) {
        const struct ctf_field *option = &r->schema->fields[type->first + i];
        if (option->name == label) return read_type(r, c, option->type, name);
    }
    return CTF_BAD;
}

// The nesting of types is limited when they are added.
static enum ctf_verdict read_type(struct ctf_reader *r, struct ctf_cursor *c, uint32_t number, uint32_t name) {
    const struct ctf_type *type = ctf_type_at(r->schema, number);
    const struct ctf_recent *length;
    switch ((enum ctf_kind)type->kind) {
    case CTF_INTEGER:
    case CTF_FLOAT: return read_number(r, c, number, name);
    case CTF_STRING: return read_string(r, c, name);
    case CTF_STRUCT: return read_struct(r, c, type, name);
    case CTF_VARIANT: return read_variant(r, c, type, name);
    case CTF_ARRAY: return read_array(r, c, type, type->length, name);
    case CTF_SEQUENCE:
        length = find_recent(r, type->name);
        return length ? read_array(r, c, type, length->value, name) : CTF_BAD;
    }
    return CTF_BAD;
}

static void begin(struct ctf_reader *r) {
    r->recent_count = r->value_count = 0;
    r->time_size = 0;
    r->is_cut = false;
}

void ctf_begin_header(struct ctf_reader *r) {
    begin(r);
    r->packet_count = 0;
}

void ctf_end_header(struct ctf_reader *r) {
    r->packet_count = r->recent_count < CTF_RECENT ? r->recent_count : CTF_RECENT;
    for (uint32_t i = 0; i < r->packet_count; i++)
        r->packet[i] = r->recent[(r->recent_count - r->packet_count + i) % CTF_RECENT];
    r->recent_count = 0;
}

enum ctf_verdict ctf_read_header(struct ctf_reader *r, uint32_t type, struct ctf_cursor *c) {
    return type == CTF_NO_TYPE ? CTF_OK : read_type(r, c, type, 0);
}

// ---- Events --------------------------------------------------------------------------------------

enum ctf_verdict ctf_interpret_event(struct ctf_reader *r, const struct ctf_stream_class *stream, struct ctf_cursor *c,
                                     struct ctf_event *out_event) {
    uint64_t from = c->at, id = 0;
    begin(r);
    enum ctf_verdict verdict = ctf_read_header(r, stream->event_header, c);
    if (verdict != CTF_OK) return verdict;
    const struct ctf_class *class = NULL;
    bool has_id = ctf_recent(r, "id", &id);
    if (has_id || r->schema->class_count == 1) class = ctf_find_class(r->schema, stream, id);
    if (!class) return CTF_BAD;
    r->value_count = 0; // the header is not shown
    verdict = ctf_read_header(r, stream->event_context, c);
    if (verdict == CTF_OK) verdict = ctf_read_header(r, class->context, c);
    if (verdict == CTF_OK) verdict = ctf_read_header(r, class->fields, c);
    if (verdict != CTF_OK) return verdict;
    if (c->at == from) return CTF_BAD; // an event without a bit would never end
    *out_event =
        (struct ctf_event){ .class = class, .values = r->values, .value_count = r->value_count, .len = c->at - from };
    return CTF_OK;
}

const char *ctf_slot_text(const uint8_t *event, const struct ctf_slot *slot, size_t *out_len) {
    const uint8_t *text = event + slot->at;
    *out_len = tk_find_zero(text, slot->size);
    return (const char *)text;
}

uint32_t ctf_values_of(const struct ctf_reader *r, const struct ctf_event *event,
                       struct tk_value out_values[CTF_VALUES]) {
    if (!event->bytes) {
        memcpy(out_values, event->values, event->value_count * sizeof *out_values);
        return event->value_count;
    }
    uint32_t count = event->class->slot_count < CTF_VALUES ? event->class->slot_count : CTF_VALUES;
    for (uint32_t i = 0; i < count; i++) {
        const struct ctf_slot *slot = &r->schema->slots[event->class->slots + i];
        struct tk_value *value = &out_values[i];
        size_t len, name_len;
        *value = (struct tk_value){ .type = slot->is_hex      ? TK_VALUE_HEX
                                            : slot->is_signed ? TK_VALUE_INT
                                                              : TK_VALUE_UINT };
        value->name = ctf_text(r->schema, slot->name, &name_len);
        value->name_len = (uint16_t)(name_len > UINT16_MAX ? UINT16_MAX : name_len);
        if (slot->is_text) {
            const char *text = ctf_slot_text(event->bytes, slot, &len);
            set_text(value, text, len);
        } else {
            value->number.u = ctf_slot_number(event->bytes, slot);
            if (slot->is_hex && slot->size < 8) value->number.u &= (UINT64_C(1) << slot->size * 8) - 1;
        }
    }
    return count;
}
