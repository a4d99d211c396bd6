// SPDX-License-Identifier: MIT
//
// One intact frame -> its fields. Borrowed from the frame.
#ifndef TK_FORMATS_QS_DECODE_H
#define TK_FORMATS_QS_DECODE_H

#include <string.h>

#include "../../frame/hdlc.h"
#include "../../model/event/event.h"
#include "sizes.h"

enum { QS_MAX_FIELDS = 256, QS_USER_FIRST = 100, QS_USER_LAST = 124 };

// The first three like enum qs_symbol_kind.
enum qs_field_type {
    QS_OBJECT_POINTER,
    QS_FUNCTION_POINTER,
    QS_SIGNAL_NUMBER,
    QS_UINT,
    QS_INT,
    QS_REAL,
    QS_SIGNAL_OF_OBJECT,
    QS_ENUM,
    QS_TEXT,
    QS_MEMORY,
    QS_WORDS
};

// What all fields of one place have in common.
struct qs_field_info {
    const char *name;        // static
    const char *words;       // the name for users; static; NULL: qs_words
    uint8_t width, type, at; // bytes, 0: variable; of a fixed record: where it begins
};

struct qs_field {
    const struct qs_field_info *info;
    uint64_t number; // QS_ENUM: value
    uint64_t object; // QS_SIGNAL_OF_OBJECT; QS_ENUM: group; QS_WORDS: bytes per word
    double real;
    const uint8_t *bytes; // QS_TEXT, QS_MEMORY, QS_WORDS
    uint16_t len;
    uint8_t shown; // of an element: the width it wants to be shown with, 0 to 15
};

enum qs_verdict { QS_OK, QS_UNKNOWN, QS_SHORT, QS_LONG };

// Its fields are asked for with qs_field_of and qs_number: those of the common record are read only then.
struct qs_record {
    uint8_t id;
    bool timed, user;
    uint64_t ticks; // raw
    unsigned count;
    const struct qs_layout *layout; // NULL: of the application
    const struct qs_layout *fixed;  // nothing but numbers, and exactly as long as they are; else NULL, and `fields` are
                                    // there
    const uint8_t *payload;
    struct qs_field fields[QS_MAX_FIELDS];
    struct qs_field_info own[QS_MAX_FIELDS]; // of fields that no layout lists
    struct qs_target_info info;              // of record 64
};

enum { QS_LAYOUT_FIELDS = 7, QS_SLACK = 8, QS_FRAMING = 3 }; // sequence, number, sum

enum { QS_MAX_SETS = 4 };

// A field of the event that a record sets: to the number of field `place` (from 1) of the record, or to 0 if `place` is
// 0, plus `add`.
struct qs_set {
    uint8_t at, size; // offset in struct tk_event, bytes
    uint8_t place;
    int8_t add;
};

#define QS_SET(field, place, add) \
    { offsetof(struct tk_event, field), sizeof(((struct tk_event *)0)->field), place, add }
#define QS_FIELD(field, place) QS_SET(field, place, 0)
#define QS_PLUS_1(field, place) QS_SET(field, place, 1)
#define QS_CONSTANT(field, number) QS_SET(field, 0, number)

// The event of a record.
struct qs_meaning {
    const char *words; // static, or NULL
    uint8_t words_len;
    uint8_t kind;                    // enum tk_event_kind; QS_NOTHING
    uint8_t details;                 // bit per field: told with its name
    struct qs_set sets[QS_MAX_SETS]; // those after the last have size 0
};

#define QS_NOTHING TK_EV_TICK_LENGTH // no record tells that

// Records bear their numbers, those that meant something else in earlier versions come behind.
enum {
    QS_LAST_PREDEFINED = QS_PREDEFINED - 1,
#define QS_RECORD(number, name, fields, event, ...)
#define QS_OLD(number, before, name, fields, event, ...) QS_OLD_##name,
#include "records.def"
#undef QS_RECORD
#undef QS_OLD
    QS_RECORDS
};

// What the meaning alone does not say.
enum qs_quirk {
    QS_REGULAR,
    QS_COUNTS_BEFORE, // the free places are those before the event went in
    QS_NESTS,         // nothing happens unless the third field is 0
    QS_ANSWERS        // the first field says whether a command was refused
};

// Where a number of a common record stands; mask 0: it tells none.
struct qs_place {
    uint64_t mask;
    uint8_t at, type; // enum qs_field_type
};

// A qs_set with the sizes of one configuration filled in.
struct qs_layout_set {
    struct qs_place from;
    uint8_t at, size;
    int8_t add;
};

// A record's fields with the sizes of one configuration filled in.
struct qs_layout {
    const struct qs_meaning *meaning; // NULL: unknown record
    uint8_t record;                   // place in records.def: below QS_RECORDS
    uint8_t kind;                     // of the meaning
    uint8_t count, fixed;             // fields; bytes when all are of fixed width, else 0xFF
    uint8_t details;                  // fields that are told with their names
    bool timed;
    uint8_t quirk; // enum qs_quirk
    bool plain;    // the event has only numbers: no symbols, no text, no details
    uint8_t set_count;
    struct qs_layout_set sets[QS_MAX_SETS]; // of the common record
    struct qs_place receiver;               // the object by which a signal is to be understood
    struct qs_field_info fields[QS_LAYOUT_FIELDS];
};

struct qs_layouts {
    struct qs_layout of[QS_PREDEFINED];
    const struct qs_layout *common[256]; // by record: where its frames are nothing but numbers; NULL: they are never
                                         // common
    struct qs_config config;
    uint8_t first_user;
};

void qs_layouts_build(struct qs_layouts *layouts, const struct qs_config *config);
// With QS_SHORT the fields before the cut are there. QS_SLACK bytes behind the payload may be read.
enum qs_verdict qs_decode(const struct qs_layouts *layouts, uint8_t id, const uint8_t *payload, size_t len,
                          struct qs_record *out_record);

extern const uint64_t qs_masks[9]; // by the bytes of a number

// A number of up to 8 bytes; what stands after it is cut off.
static inline uint64_t qs_number_at(const uint8_t *at, unsigned width) { return tk_hdlc_word(at) & qs_masks[width]; }

static inline uint64_t qs_place_number(const struct qs_place *place, const uint8_t *payload) {
    return tk_hdlc_word(payload + place->at) & place->mask;
}

// Sets a field of the event; a field of 32 bits gets the largest number if it is too small.
static inline void qs_set_field(struct tk_event *event, uint8_t at, uint8_t size, uint64_t number) {
    uint32_t small = number > UINT32_MAX ? UINT32_MAX : (uint32_t)number;
    if (size == sizeof number) memcpy((uint8_t *)event + at, &number, sizeof number);
    else memcpy((uint8_t *)event + at, &small, sizeof small);
}

// The fields of the event of a plain layout.
static inline void qs_set_plain(const struct qs_layout *layout, const uint8_t *payload, struct tk_event *event) {
    for (unsigned i = 0; i < layout->set_count; i++) {
        const struct qs_layout_set *set = &layout->sets[i];
        qs_set_field(event, set->at, set->size, qs_place_number(&set->from, payload) + (uint64_t)(int64_t)set->add);
    }
}

static inline uint64_t qs_field_number(const struct qs_field_info *info, const uint8_t *payload) {
    return qs_number_at(payload + info->at, info->width);
}

// All but the time; the payload has the length of the layout.
static inline void qs_decode_common(const struct qs_layout *layout, uint8_t id, const uint8_t *payload,
                                    struct qs_record *record) {
    record->id = id;
    record->user = false;
    record->timed = layout->timed;
    record->count = layout->count;
    record->layout = record->fixed = layout;
    record->payload = payload;
}

// Of a field below record->count.
static inline uint64_t qs_number(const struct qs_record *record, unsigned index) {
    return record->fixed ? qs_field_number(&record->fixed->fields[index], record->payload)
                         : record->fields[index].number;
}

static inline const struct qs_field_info *qs_info(const struct qs_record *record, unsigned index) {
    return record->fixed ? &record->fixed->fields[index] : record->fields[index].info;
}

// The whole field; `room` may hold it.
static inline const struct qs_field *qs_field_of(const struct qs_record *record, unsigned index,
                                                 struct qs_field *room) {
    if (!record->fixed) return &record->fields[index];
    room->info = &record->fixed->fields[index];
    room->number = qs_number(record, index);
    return room;
}

// What a field's name means to people.
const char *qs_words(const char *name);

// Letters and names of a record's fields as in records.def, each ended by a zero byte; NULL: unknown.
const char *qs_record_fields(uint8_t id, uint16_t version);

#endif
