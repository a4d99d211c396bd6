// SPDX-License-Identifier: MIT
//
// Decodes the fields of an intact frame. They borrow from the frame.
#ifndef TK_FORMATS_QS_DECODE_H
#define TK_FORMATS_QS_DECODE_H

#include <string.h>

#include "../../frame/hdlc.h"
#include "../../model/event/event.h"
#include "sizes.h"

enum { QS_MAX_FIELDS = 256, QS_USER_FIRST = 100, QS_USER_LAST = 124 };

// The first three have the values of enum qs_symbol_kind.
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

// Describes a field of a record, independent of its value.
struct qs_field_info {
    const char *name;        // static
    const char *words;       // the name for users; static; NULL: qs_words returns it
    uint8_t width, type, at; // width: bytes, 0: variable; at: offset of the field in a record of fixed length
};

struct qs_field {
    const struct qs_field_info *info;
    uint64_t number; // for QS_ENUM: the value
    uint64_t object; // for QS_SIGNAL_OF_OBJECT: the object; for QS_ENUM: the group; for QS_WORDS: bytes per word
    double real;
    const uint8_t *bytes; // for QS_TEXT, QS_MEMORY, QS_WORDS
    uint16_t len;
    uint8_t shown; // width with which the application wants an element to be shown, 0 to 15
};

enum qs_verdict { QS_OK, QS_UNKNOWN, QS_SHORT, QS_LONG };

// A decoded record. Read its fields with qs_field_of and qs_number, because those of a common record are not stored.
struct qs_record {
    uint8_t id;
    bool timed, user;
    uint64_t ticks; // time stamp as recorded
    unsigned count;
    const struct qs_layout *layout; // NULL: a record of the application
    const struct qs_layout *fixed; // the layout, if the record has only numbers and the length of its layout; NULL: see
                                   // `fields`
    const uint8_t *payload;
    struct qs_field fields[QS_MAX_FIELDS];
    struct qs_field_info own[QS_MAX_FIELDS]; // description of fields that no layout lists
    struct qs_target_info info;              // for record 64
};

enum { QS_LAYOUT_FIELDS = 7, QS_SLACK = 8, QS_FRAMING = 3 }; // framing: sequence, number, checksum

enum { QS_MAX_SETS = 4 };

// How a record sets a field of the event: to the number of its field `place` (from 1), or to 0 if `place` is 0, plus
// `add`.
struct qs_set {
    uint8_t at, size; // offset in struct tk_event, and bytes
    uint8_t place;
    int8_t add;
};

#define QS_SET(field, place, add) \
    { offsetof(struct tk_event, field), sizeof(((struct tk_event *)0)->field), place, add }
#define QS_FIELD(field, place) QS_SET(field, place, 0)
#define QS_PLUS_1(field, place) QS_SET(field, place, 1)
#define QS_CONSTANT(field, number) QS_SET(field, 0, number)

// The event that a record becomes.
struct qs_meaning {
    const char *words; // static, or NULL
    uint8_t words_len;
    uint8_t kind;                    // enum tk_event_kind; QS_NOTHING: no event
    uint8_t details;                 // bit per field: the event has the field as a named value
    struct qs_set sets[QS_MAX_SETS]; // unused ones have size 0
};

#define QS_NOTHING TK_EV_TICK_LENGTH // a kind that no record becomes

// Records are indexed by their numbers; after them come those whose number had another meaning in earlier versions.
enum {
    QS_LAST_PREDEFINED = QS_PREDEFINED - 1,
#define QS_RECORD(number, name, fields, event, ...)
#define QS_OLD(number, before, name, fields, event, ...) QS_OLD_##name,
#include "records.def"
#undef QS_RECORD
#undef QS_OLD
    QS_RECORDS
};

// Special handling of a record in addition to its meaning.
enum qs_quirk {
    QS_REGULAR,
    QS_COUNTS_BEFORE, // the number of free places in the record is that before the event was added
    QS_NESTS,         // the record becomes an event only if its third field is 0
    QS_ANSWERS        // the first field tells whether a command was refused
};

// The position of a number in a common record; mask 0: the record has no such number.
struct qs_place {
    uint64_t mask;
    uint8_t at, type; // enum qs_field_type
};

// A struct qs_set for the sizes of one configuration.
struct qs_layout_set {
    struct qs_place from;
    uint8_t at, size;
    int8_t add;
};

// The layout of a record for the sizes of one configuration.
struct qs_layout {
    const struct qs_meaning *meaning; // NULL: unknown record
    uint8_t record;                   // index in records.def, below QS_RECORDS
    uint8_t kind;                     // kind of the meaning
    uint8_t count, fixed;             // number of fields; bytes of all fields if they have fixed widths, else 0xFF
    uint8_t details;                  // bit per field: the event has the field as a named value
    bool timed;
    uint8_t quirk; // enum qs_quirk
    bool plain;    // the event has only numbers: no symbols, no text, no details
    uint8_t set_count;
    struct qs_layout_set sets[QS_MAX_SETS]; // used for common records
    struct qs_place receiver;               // the object that gives a signal its meaning
    struct qs_field_info fields[QS_LAYOUT_FIELDS];
};

struct qs_layouts {
    struct qs_layout of[QS_PREDEFINED];
    const struct qs_layout *common[256]; // by record: its layout if all fields are numbers; NULL: the record is never a
                                         // common one
    struct qs_config config;
    uint8_t first_user;
};

void qs_layouts_build(struct qs_layouts *layouts, const struct qs_config *config);
// With QS_SHORT the fields before the cut are set. QS_SLACK bytes after the payload must be readable.
enum qs_verdict qs_decode(const struct qs_layouts *layouts, uint8_t id, const uint8_t *payload, size_t len,
                          struct qs_record *out_record);

extern const uint64_t qs_masks[9]; // mask for a number, by its bytes

// Returns a number of up to 8 bytes; the bytes after it are masked out.
static inline uint64_t qs_number_at(const uint8_t *at, unsigned width) { return tk_hdlc_word(at) & qs_masks[width]; }

static inline uint64_t qs_place_number(const struct qs_place *place, const uint8_t *payload) {
    return tk_hdlc_word(payload + place->at) & place->mask;
}

// Sets a field of the event; a 32-bit field saturates.
static inline void qs_set_field(struct tk_event *event, uint8_t at, uint8_t size, uint64_t number) {
    uint32_t small = number > UINT32_MAX ? UINT32_MAX : (uint32_t)number;
    if (size == sizeof number) memcpy((uint8_t *)event + at, &number, sizeof number);
    else memcpy((uint8_t *)event + at, &small, sizeof small);
}

// Sets the fields of the event of a plain layout.
static inline void qs_set_plain(const struct qs_layout *layout, const uint8_t *payload, struct tk_event *event) {
    for (unsigned i = 0; i < layout->set_count; i++) {
        const struct qs_layout_set *set = &layout->sets[i];
        qs_set_field(event, set->at, set->size, qs_place_number(&set->from, payload) + (uint64_t)(int64_t)set->add);
    }
}

static inline uint64_t qs_field_number(const struct qs_field_info *info, const uint8_t *payload) {
    return qs_number_at(payload + info->at, info->width);
}

// Sets all fields of the record but the time; the payload has the length of the layout.
static inline void qs_decode_common(const struct qs_layout *layout, uint8_t id, const uint8_t *payload,
                                    struct qs_record *record) {
    record->id = id;
    record->user = false;
    record->timed = layout->timed;
    record->count = layout->count;
    record->layout = record->fixed = layout;
    record->payload = payload;
}

// Returns the number in a field; index: below record->count.
static inline uint64_t qs_number(const struct qs_record *record, unsigned index) {
    return record->fixed ? qs_field_number(&record->fixed->fields[index], record->payload)
                         : record->fields[index].number;
}

static inline const struct qs_field_info *qs_info(const struct qs_record *record, unsigned index) {
    return record->fixed ? &record->fixed->fields[index] : record->fields[index].info;
}

// Returns a field; `room` may be used for it.
static inline const struct qs_field *qs_field_of(const struct qs_record *record, unsigned index,
                                                 struct qs_field *room) {
    if (!record->fixed) return &record->fields[index];
    room->info = &record->fixed->fields[index];
    room->number = qs_number(record, index);
    return room;
}

// Returns the name of a field for users.
const char *qs_words(const char *name);

// Returns the letters and names of the fields as in records.def, each ended by a zero byte; NULL: unknown.
const char *qs_record_fields(uint8_t id, uint16_t version);

#endif
