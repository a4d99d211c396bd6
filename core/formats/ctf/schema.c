// SPDX-License-Identifier: MIT
#include "schema.h"

#include <string.h>

#include "../../base/bytes.h"
#include "meaning.h"

void ctf_schema_init(struct ctf_schema *schema, struct tk_alloc *alloc) {
    *schema = (struct ctf_schema){ .alloc = alloc, .hz = 1000000000u };
}

void ctf_schema_free(struct ctf_schema *s) {
    tk_strtab_deinit(&s->strings, s->alloc);
    tk_idmap_deinit(&s->class_index, s->alloc);
    tk_alloc_free(s->alloc, s->types, s->type_capacity * sizeof *s->types);
    tk_alloc_free(s->alloc, s->fields, s->field_capacity * sizeof *s->fields);
    tk_alloc_free(s->alloc, s->labels, s->label_capacity * sizeof *s->labels);
    tk_alloc_free(s->alloc, s->classes, s->class_capacity * sizeof *s->classes);
    tk_alloc_free(s->alloc, s->slots, s->slot_capacity * sizeof *s->slots);
    tk_alloc_free(s->alloc, s->streams, s->stream_capacity * sizeof *s->streams);
    ctf_schema_init(s, s->alloc);
}

uint32_t ctf_schema_text(struct ctf_schema *s, const char *text, size_t len) {
    return tk_strtab_intern(&s->strings, s->alloc, text, len);
}

bool ctf_text_is(const struct ctf_schema *s, uint32_t string, const char *text) {
    size_t len;
    const char *found = ctf_text(s, string, &len);
    return len && *found == *text && strlen(text) == len && !memcmp(found, text, len);
}

// Makes room for one more item. Returns false without memory or above the limit.
static bool grow(struct ctf_schema *s, void **list, uint32_t *capacity, uint32_t count, uint32_t most, size_t size) {
    return count < most && tk_alloc_grow(s->alloc, list, capacity, count + 1, size);
}

static uint64_t least_bits_of(const struct ctf_schema *s, const struct ctf_type *type) {
    uint64_t bits = 0, least = UINT64_MAX;
    switch ((enum ctf_kind)type->kind) {
    case CTF_INTEGER:
    case CTF_FLOAT: return type->size;
    case CTF_STRING: return 8;
    case CTF_SEQUENCE: return 0;
    case CTF_ARRAY: return type->length * ctf_type_at(s, type->element)->least_bits;
    case CTF_STRUCT:
        for (uint32_t i = 0; i < type->count; i++) bits += ctf_type_at(s, s->fields[type->first + i].type)->least_bits;
        return bits;
    case CTF_VARIANT:
        for (uint32_t i = 0; i < type->count; i++) {
            bits = ctf_type_at(s, s->fields[type->first + i].type)->least_bits;
            if (bits < least) least = bits;
        }
        return type->count ? least : 0;
    }
    return 0;
}

uint32_t ctf_schema_type(struct ctf_schema *s, const struct ctf_type *type) {
    void *list = s->types;
    bool has_room = grow(s, &list, &s->type_capacity, s->type_count, CTF_MAX_TYPES, sizeof *s->types);
    s->types = list;
    if (!has_room) return CTF_NO_TYPE;
    struct ctf_type *added = &s->types[s->type_count];
    *added = *type;
    added->least_bits = least_bits_of(s, type);
    if (added->least_bits > UINT32_MAX) added->least_bits = UINT32_MAX;
    return ++s->type_count;
}

bool ctf_schema_field(struct ctf_schema *s, uint32_t name, uint32_t type) {
    void *list = s->fields;
    bool has_room = grow(s, &list, &s->field_capacity, s->field_count, CTF_MAX_FIELDS, sizeof *s->fields);
    s->fields = list;
    if (has_room) s->fields[s->field_count++] = (struct ctf_field){ name, type };
    return has_room;
}

bool ctf_schema_label(struct ctf_schema *s, const struct ctf_label *label) {
    void *list = s->labels;
    bool has_room = grow(s, &list, &s->label_capacity, s->label_count, CTF_MAX_LABELS, sizeof *s->labels);
    s->labels = list;
    if (has_room) s->labels[s->label_count++] = *label;
    return has_room;
}

struct ctf_class *ctf_schema_class(struct ctf_schema *s) {
    void *list = s->classes;
    bool has_room = grow(s, &list, &s->class_capacity, s->class_count, CTF_MAX_CLASSES, sizeof *s->classes);
    s->classes = list;
    if (!has_room) return NULL;
    s->classes[s->class_count] = (struct ctf_class){ 0 };
    return &s->classes[s->class_count++];
}

struct ctf_stream_class *ctf_schema_stream(struct ctf_schema *s) {
    void *list = s->streams;
    bool has_room = grow(s, &list, &s->stream_capacity, s->stream_count, CTF_MAX_STREAMS, sizeof *s->streams);
    s->streams = list;
    if (!has_room) return NULL;
    memset(&s->streams[s->stream_count], 0, sizeof *s->streams);
    return &s->streams[s->stream_count++];
}

uint32_t ctf_schema_struct(struct ctf_schema *s, uint32_t count, uint32_t align) {
    struct ctf_type type = { .kind = CTF_STRUCT, .first = s->field_count - count, .count = count, .align = 1 };
    if (align > type.align) type.align = (uint16_t)align;
    for (uint32_t i = 0; i < count; i++) {
        const struct ctf_type *field = ctf_type_at(s, s->fields[type.first + i].type);
        if (field->align > type.align) type.align = field->align;
        if (field->depth > type.depth) type.depth = field->depth;
    }
    type.depth++;
    return ctf_schema_type(s, &type);
}

// ---- Looking up ----------------------------------------------------------------------------------

struct ctf_stream_class *ctf_find_stream(const struct ctf_schema *s, uint64_t id) {
    for (uint32_t i = 0; i < s->stream_count; i++)
        if (s->streams[i].id == id) return &s->streams[i];
    return NULL;
}

static uint64_t class_key(uint64_t stream, uint64_t id) { return tk_hash_step(tk_hash_step(1, stream), id); }

const struct ctf_class *ctf_find_class_in_map(const struct ctf_schema *s, const struct ctf_stream_class *stream,
                                              uint64_t id) {
    uint32_t index = tk_idmap_find(&s->class_index, class_key(stream->id, id));
    const struct ctf_class *found = index == TK_NONE ? NULL : &s->classes[index];
    return found && found->id == id && found->stream == stream->id ? found : NULL;
}

// ---- Events whose parts are at fixed places ------------------------------------------------------

static bool is_byte_type(const struct ctf_schema *s, uint32_t type) {
    const struct ctf_type *of = ctf_type_at(s, type);
    if (of->kind != CTF_INTEGER || of->is_enum || of->align > 8) return false;
    return of->size == 8 || of->size == 16 || of->size == 32 || of->size == 64;
}

// Appends the slot of a field. Returns false if it has no fixed place.
static bool add_slot(struct ctf_schema *s, const struct ctf_field *field, uint32_t *at) {
    const struct ctf_type *type = ctf_type_at(s, field->type);
    struct ctf_slot slot = { .name = field->name, .at = (uint16_t)*at };
    uint32_t size;
    if (type->kind == CTF_ARRAY && type->is_text) {
        slot.is_text = true;
        size = type->length;
    } else {
        if (!is_byte_type(s, field->type)) return false;
        size = type->size / 8u;
        slot.is_signed = type->is_signed;
        slot.is_big = type->order == CTF_BIG;
        slot.is_hex = type->is_hex;
    }
    if (*at + size > CTF_MAX_FLAT) return false;
    slot.size = (uint16_t)size;
    void *list = s->slots;
    bool has_room = grow(s, &list, &s->slot_capacity, s->slot_count, CTF_MAX_FIELDS, sizeof *s->slots);
    s->slots = list;
    if (!has_room) return false;
    s->slots[s->slot_count++] = slot;
    *at += size;
    return true;
}

static bool add_slots(struct ctf_schema *s, uint32_t type, uint32_t *at) {
    if (type == CTF_NO_TYPE) return true;
    const struct ctf_type *of = ctf_type_at(s, type);
    if (of->kind != CTF_STRUCT || of->align > 8) return false;
    for (uint32_t i = 0; i < of->count; i++) {
        struct ctf_field field = s->fields[of->first + i];
        if (!add_slot(s, &field, at)) return false;
    }
    return true;
}

static bool ends_in_id(const char *text, size_t len) {
    return (len == 2 || (len > 3 && text[len - 3] == '_')) && !memcmp(text + len - 2, "id", 2);
}

static int role_of(const struct ctf_schema *s, const struct ctf_slot *slot, bool is_first) {
    static const char *const names[CTF_ROLES] = {
        [CTF_ROLE_THREAD] = "thread_id", [CTF_ROLE_NAME] = "name",       [CTF_ROLE_PRIORITY] = "prio",
        [CTF_ROLE_OBJECT] = "id",        [CTF_ROLE_TIMEOUT] = "timeout", [CTF_ROLE_RESULT] = "ret",
        [CTF_ROLE_IRQ] = "irq",          [CTF_ROLE_CORE] = "core_id"
    };
    size_t len;
    const char *text = ctf_text(s, slot->name, &len);
    for (int role = 0; role < CTF_ROLES; role++)
        if (ctf_text_is(s, slot->name, names[role]))
            return slot->is_text == (role == CTF_ROLE_NAME) && (!slot->is_text || slot->size) ? role : -1;
    if (slot->is_text) return -1;
    if (ctf_text_is(s, slot->name, "result")) return CTF_ROLE_RESULT;
    if (ctf_text_is(s, slot->name, "ms") || ctf_text_is(s, slot->name, "us")) return CTF_ROLE_TIMEOUT;
    return is_first && len >= 2 && ends_in_id(text, len) ? CTF_ROLE_OBJECT : -1;
}

static bool make_flat(struct ctf_schema *s, struct ctf_class *class, const struct ctf_stream_class *stream) {
    uint32_t at = stream->header_len, first = s->slot_count;
    if (!stream->has_flat_header || !add_slots(s, stream->event_context, &at) || !add_slots(s, class->context, &at) ||
        !add_slots(s, class->fields, &at)) {
        s->slot_count = first;
        return false;
    }
    class->slots = first;
    class->slot_count = (uint16_t)(s->slot_count - first);
    class->len = (uint16_t)at;
    for (uint32_t i = 0; i < class->slot_count; i++) {
        int role = role_of(s, &s->slots[first + i], i == 0);
        if (role >= 0 && !class->roles[role]) class->roles[role] = first + i + 1;
    }
    return true;
}

// A header of plain integers, one of which is the id.
static void look_at_header(struct ctf_schema *s, struct ctf_stream_class *stream) {
    uint32_t at = 0;
    bool has_id = false;
    if (stream->event_header == CTF_NO_TYPE) return;
    const struct ctf_type *header = ctf_type_at(s, stream->event_header);
    if (header->kind != CTF_STRUCT || header->align > 8) return;
    for (uint32_t i = 0; i < header->count; i++) {
        const struct ctf_field *field = &s->fields[header->first + i];
        if (!is_byte_type(s, field->type) || at > 64) return;
        const struct ctf_type *type = ctf_type_at(s, field->type);
        bool is_big = type->order == CTF_BIG;
        if (i && is_big != stream->is_big) return;
        stream->is_big = is_big;
        if (type->is_time) stream->time_at = (uint8_t)at, stream->time_size = (uint8_t)(type->size / 8);
        if (ctf_text_is(s, field->name, "id"))
            stream->id_at = (uint8_t)at, stream->id_size = (uint8_t)(type->size / 8), has_id = true;
        at += type->size / 8u;
    }
    stream->header_len = (uint16_t)at;
    stream->has_flat_header = has_id && at;
}

// ---- Finishing -----------------------------------------------------------------------------------

static bool has_field(const struct ctf_schema *s, uint32_t type, const char *name) {
    if (type == CTF_NO_TYPE) return false;
    const struct ctf_type *of = ctf_type_at(s, type);
    for (uint32_t i = 0; of->kind == CTF_STRUCT && i < of->count; i++)
        if (ctf_text_is(s, s->fields[of->first + i].name, name)) return true;
    return false;
}

// Without a clock the field `timestamp` of the header is the time.
static void mark_time(struct ctf_schema *s, const struct ctf_stream_class *stream) {
    if (stream->event_header == CTF_NO_TYPE) return;
    struct ctf_type header = *ctf_type_at(s, stream->event_header);
    for (uint32_t i = 0; header.kind == CTF_STRUCT && i < header.count; i++) {
        struct ctf_field *field = &s->fields[header.first + i];
        if (!ctf_text_is(s, field->name, "timestamp")) continue;
        struct ctf_type own = *ctf_type_at(s, field->type); // the type may be that of other fields, too
        own.is_time = own.kind == CTF_INTEGER;
        uint32_t type = ctf_schema_type(s, &own);
        if (type) s->fields[header.first + i].type = type;
    }
}

static bool is_mapped(const struct ctf_schema *s) {
    for (uint32_t i = 0; i < s->type_count; i++)
        if (s->types[i].is_time) return true;
    return false;
}

static void understand(struct ctf_schema *s, struct ctf_class *class) {
    size_t len, base;
    const char *name = ctf_text(s, class->name, &len);
    class->meaning = (uint8_t)ctf_meaning_of(name, len);
    class->part = (uint8_t)ctf_part_of(name, len, &base);
    class->object = (uint8_t)ctf_object_of(name, len);
    char room[256];
    if (base > sizeof room) base = sizeof room;
    memcpy(room, name, base); // interning moves the texts
    class->base = ctf_schema_text(s, room, base);
    class->is_send = ctf_is_send(room, base);
}

// Pairs the classes of the entry and the exit of a call.
static void find_pairs(struct ctf_schema *s) {
    struct tk_idmap parts = { 0 }; // from a base to the parts that exist, as bits
    for (uint32_t i = 0; i < s->class_count && !s->alloc->failed; i++) {
        uint32_t base = s->classes[i].base, found = tk_idmap_find(&parts, base);
        tk_idmap_set(&parts, s->alloc, base, (found == TK_NONE ? 0 : found) | 1u << s->classes[i].part);
    }
    for (uint32_t i = 0; i < s->class_count; i++) {
        uint32_t found = tk_idmap_find(&parts, s->classes[i].base), both = 1u << CTF_ENTER | 1u << CTF_EXIT;
        s->classes[i].is_paired = found != TK_NONE && (found & both) == both;
    }
    tk_idmap_deinit(&parts, s->alloc);
}

bool ctf_schema_finish(struct ctf_schema *s) {
    for (uint32_t i = 0; i < s->type_count; i++)
        if (s->types[i].order == CTF_NATIVE) s->types[i].order = s->is_big ? CTF_BIG : CTF_LITTLE;
    if (!s->stream_count && !ctf_schema_stream(s)) return false;
    if (!is_mapped(s))
        for (uint32_t i = 0; i < s->stream_count; i++) mark_time(s, &s->streams[i]);
    for (uint32_t i = 0; i < s->stream_count; i++) {
        look_at_header(s, &s->streams[i]);
        s->has_sequence |= has_field(s, s->streams[i].packet_context, "packet_seq_num");
        s->has_packet_size |= has_field(s, s->streams[i].packet_context, "packet_size");
    }
    for (uint32_t i = 0; i < s->class_count; i++) {
        struct ctf_class *class = &s->classes[i];
        struct ctf_stream_class *stream = ctf_find_stream(s, class->stream);
        understand(s, class);
        if (!stream) continue; // no event of it can be read
        class->is_flat = make_flat(s, class, stream);
        if (class->id < sizeof stream->classes / sizeof *stream->classes) stream->classes[class->id] = i + 1;
        else if (!tk_idmap_set(&s->class_index, s->alloc, class_key(class->stream, class->id), i)) return false;
        if (class->meaning == CTF_SWITCHED_IN && class->roles[CTF_ROLE_THREAD]) s->is_rtos = true;
    }
    find_pairs(s);
    return !s->alloc->failed;
}
