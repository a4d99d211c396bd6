// SPDX-License-Identifier: MIT
//
// The layout of a CTF trace: types, streams and classes of events, from TSDL (tsdl.h) or built in (zephyr.h).
#ifndef TK_FORMATS_CTF_SCHEMA_H
#define TK_FORMATS_CTF_SCHEMA_H

#include "../../base/alloc.h"
#include "../../base/idmap.h"
#include "../../base/strtab.h"

enum {
    CTF_MAX_TYPES = 16384,
    CTF_MAX_FIELDS = 16384,
    CTF_MAX_LABELS = 16384,
    CTF_MAX_CLASSES = 4096,
    CTF_MAX_STREAMS = 64,
    CTF_MAX_DEPTH = 16,     // of types in types
    CTF_MAX_ALIGN = 4096,   // bits
    CTF_MAX_FLAT = 4096,    // bytes of an event without parts of variable length
    CTF_MAX_LENGTH = 65536, // elements of an array or a sequence
    CTF_NO_TYPE = 0         // types are numbered from 1
};

enum ctf_kind { CTF_INTEGER, CTF_FLOAT, CTF_STRING, CTF_STRUCT, CTF_VARIANT, CTF_ARRAY, CTF_SEQUENCE };
enum ctf_order { CTF_NATIVE, CTF_LITTLE, CTF_BIG };

struct ctf_type {
    uint8_t kind;  // enum ctf_kind
    uint8_t order; // enum ctf_order; of integers and floats
    uint8_t depth; // of the types in it, and itself
    bool is_signed, is_text, is_hex;
    bool is_time;          // its value is that of the clock
    bool is_enum;          // an integer with labels
    uint16_t size;         // bits of an integer or a float
    uint16_t align;        // bits, a power of two
    uint32_t first, count; // fields of a struct, options of a variant, labels of an enumeration
    uint32_t element;      // type of the elements
    uint32_t length;       // elements of an array
    uint32_t name;         // string: the tag of a variant, the length of a sequence
    uint64_t least_bits;   // it has at least so many bits
};

struct ctf_field {
    uint32_t name; // string
    uint32_t type;
};

// Values of an enumeration, as unsigned or two's complement.
struct ctf_label {
    uint32_t name;
    uint64_t from, to;
};

enum ctf_role {
    CTF_ROLE_THREAD, // "thread_id"
    CTF_ROLE_NAME,
    CTF_ROLE_PRIORITY,
    CTF_ROLE_OBJECT, // the first field, if it ends in "id"
    CTF_ROLE_TIMEOUT,
    CTF_ROLE_RESULT,
    CTF_ROLE_IRQ,
    CTF_ROLE_CORE, // "core_id"
    CTF_ROLES
};

// Part of an event at a fixed place.
struct ctf_slot {
    uint32_t name; // string
    uint16_t at;   // bytes from the start of the event
    uint16_t size; // bytes
    bool is_text, is_signed, is_big, is_hex;
};

struct ctf_class {
    uint32_t name; // string
    uint32_t base; // string: the name without "_enter" and so on
    uint64_t id, stream;
    uint32_t context, fields; // types; CTF_NO_TYPE: none
    uint8_t meaning;          // enum ctf_meaning (meaning.h)
    uint8_t part;             // enum ctf_part
    uint8_t object;           // enum ctf_object
    bool is_flat;             // all parts are at fixed places, which `slots` lists
    bool is_paired;           // the class with the other part exists
    bool is_send;             // the call sends to its object
    uint16_t len;             // bytes of a flat event, with its header
    uint32_t slots;           // index of the first one; those of the header are not among them
    uint16_t slot_count;
    uint32_t roles[CTF_ROLES]; // index of a slot + 1; 0: none
};

struct ctf_stream_class {
    uint64_t id;
    uint32_t packet_context, event_header, event_context; // types
    bool has_flat_header;
    uint8_t time_at, time_size, id_at, id_size; // bytes of a flat header; time_size 0: no time
    uint16_t header_len;
    bool is_big;
    uint32_t classes[256]; // class + 1 of small ids; 0: look in the map
};

struct ctf_schema {
    struct tk_alloc *alloc;
    struct tk_strtab strings;
    struct ctf_type *types;
    struct ctf_field *fields;
    struct ctf_label *labels;
    struct ctf_class *classes;
    struct ctf_slot *slots;
    struct ctf_stream_class *streams;
    uint32_t type_count, field_count, label_count, class_count, slot_count, stream_count;
    uint32_t type_capacity, field_capacity, label_capacity, class_capacity, slot_capacity, stream_capacity;
    struct tk_idmap class_index; // from the hash of stream and id
    uint32_t packet_header;      // type
    bool is_big;
    bool has_clock;
    uint64_t hz;     // of the clock
    uint64_t offset; // counts
    int64_t offset_s;
    bool is_rtos;         // it has the switches of an RTOS
    bool has_sequence;    // packets are numbered
    bool has_packet_size; // packets have a length
};

void ctf_schema_init(struct ctf_schema *schema, struct tk_alloc *alloc);
void ctf_schema_free(struct ctf_schema *schema);
// Return 0 without memory or above a limit.
uint32_t ctf_schema_text(struct ctf_schema *schema, const char *text, size_t len);
uint32_t ctf_schema_type(struct ctf_schema *schema, const struct ctf_type *type);
// Adds fields to the end of the list. Return false without memory or above a limit.
bool ctf_schema_field(struct ctf_schema *schema, uint32_t name, uint32_t type);
bool ctf_schema_label(struct ctf_schema *schema, const struct ctf_label *label);
struct ctf_class *ctf_schema_class(struct ctf_schema *schema);
struct ctf_stream_class *ctf_schema_stream(struct ctf_schema *schema);
// Adds a struct of the last `count` fields.
uint32_t ctf_schema_struct(struct ctf_schema *schema, uint32_t count, uint32_t align);
// Resolves byte orders, finds the clock and the meaning of all classes. Called once, after all were added. Returns
// false without memory.
bool ctf_schema_finish(struct ctf_schema *schema);

static inline const struct ctf_type *ctf_type_at(const struct ctf_schema *schema, uint32_t type) {
    return &schema->types[type - 1];
}
static inline const char *ctf_text(const struct ctf_schema *schema, uint32_t string, size_t *out_len) {
    return tk_strtab_text(&schema->strings, string, out_len);
}
bool ctf_text_is(const struct ctf_schema *schema, uint32_t string, const char *text);
struct ctf_stream_class *ctf_find_stream(const struct ctf_schema *schema, uint64_t id);
const struct ctf_class *ctf_find_class_in_map(const struct ctf_schema *schema, const struct ctf_stream_class *stream,
                                              uint64_t id);
// Returns the class of an event, or NULL.
static inline const struct ctf_class *ctf_find_class(const struct ctf_schema *schema,
                                                     const struct ctf_stream_class *stream, uint64_t id) {
    if (id >= sizeof stream->classes / sizeof *stream->classes) return ctf_find_class_in_map(schema, stream, id);
    uint32_t class = stream->classes[id];
    return class ? &schema->classes[class - 1] : NULL;
}

#endif
