// SPDX-License-Identifier: MIT
//
// Names of the entities of a recording (tasks, queues, symbols ...), and the interned texts of tracks: labels made of a
// name (labels.h), fixed texts, and repeated texts of the recording.
#ifndef TK_MODEL_TIMELINE_NAMES_H
#define TK_MODEL_TIMELINE_NAMES_H

#include "../../base/idmap.h"
#include "../../base/strtab.h"
#include "../../base/text.h"
#include "../event/event.h"
#include "labels.h"
#include "track_sink.h"

struct tk_table_sink;

enum tk_entity_type {
    TK_ENTITY_TASK,
    TK_ENTITY_QUEUE,
    TK_ENTITY_ISR,
    TK_ENTITY_MARKER,
    TK_ENTITY_VALUE,
    TK_ENTITY_SYMBOL,
    TK_ENTITY_CONTEXT,
    TK_ENTITY_KERNEL_OBJECT,
    TK_ENTITY_TRACK,
    TK_ENTITY_TYPES
};

// Texts without a name.
enum tk_fixed_name {
    TK_FIXED_HELD,
    TK_FIXED_SUSPENDED,
    TK_FIXED_DELETED,
    TK_FIXED_NOT_TRACED,
    TK_FIXED_DELAY_FOREVER,
    TK_FIXED_DELAY_UNTIL,
    TK_FIXED_LOST,
    TK_FIXED_RESTARTED,
    TK_FIXED_DATA_ENDS,
    TK_FIXED_EXPIRED,
    TK_FIXED_STOPPED,
    TK_FIXED_LOW_POWER,
    TK_FIXED_SCHEDULER_SUSPENDED,
    TK_FIXED_NAMES
};
enum tk_fixed_text {
    TK_TEXT_FOREVER,
    TK_TEXT_TICK,
    TK_TEXT_TIME_OUT,
    TK_TEXT_SEND, // an operation on a queue by an unknown actor; in the order of TK_LABEL_SEND_BY
    TK_TEXT_RECEIVE,
    TK_TEXT_OVERWRITE,
    TK_TEXT_RESET,
    TK_TEXT_SEND_TO_FRONT,
    TK_TEXT_PEEK,
    TK_FIXED_TEXTS
};
enum tk_arg_name {
    TK_ARGN_OPERATION,
    TK_ARGN_WOKEN_BY,
    TK_ARGN_TIMEOUT,
    TK_ARGN_OPEN_AT_END,
    TK_ARGN_OPEN_AT_GAP,
    TK_ARGN_END_LOST,
    TK_ARGN_CROSSES_LOSS,
    TK_ARGN_LOST,
    TK_ARGN_OFFSET,
    TK_ARGN_MESSAGE,
    TK_ARGN_ID,
    TK_ARGN_ARG,
    TK_ARGN_VALUE,
    TK_ARGN_INPUT,
    TK_ARGN_CORE,
    TK_ARGN_TICK,
    TK_ARGN_UNTIL_TICK,
    TK_ARGN_HELD_BY,
    TK_ARGN_PRIORITY,
    TK_ARGN_FUNCTION,
    TK_ARGN_CALLED_FROM,
    TK_ARGN_IMPLICIT,
    TK_ARGN_AFTER_GAP,
    TK_ARG_NAMES
};

// Noun for an entity without a name, if its type is too general: "mutex 0x20001234", "timer #3".
enum tk_noun {
    TK_NOUN_OF_TYPE,
    TK_NOUN_SEMAPHORE,
    TK_NOUN_MUTEX,
    TK_NOUN_STREAM_BUFFER,
    TK_NOUN_MESSAGE_BUFFER,
    TK_NOUN_EVENT_GROUP,
    TK_NOUN_MACHINE,
    TK_NOUN_INTERVAL,
    TK_NOUN_HEAP,
    TK_NOUN_TIMER,
    TK_NOUN_STACK,
    TK_NOUNS
};

enum { TK_SYMBOL_CACHE = 512, TK_MAX_SYMBOLS = 65536, TK_RECENT_SLICES = 64 };

struct tk_entity {
    uint32_t id;
    uint32_t name;     // string id; 0: unknown
    uint32_t labels;   // index + 1 of its first label (tk_interned_label.next); 0: none
    uint8_t type;      // enum tk_entity_type
    uint8_t noun;      // enum tk_noun
    bool borrowed : 1; // the name comes from another recording, or may be older than those around it
    bool imported : 1; // the name comes from a capture that the user added
    bool overflow : 1; // represents all entities above a limit
    bool late : 1;     // its labels are defined at the end, with its last name
};

struct tk_names {
    struct tk_alloc *alloc;
    struct tk_track_sink *sink;
    struct tk_strtab strings;
    struct tk_entity *entities;
    uint64_t *addresses; // addresses of the entities on the target, 0: unknown; may be shorter than `entities`
    uint32_t count, capacity, addresses_capacity;
    uint32_t next[TK_INTERNS];
    struct tk_idmap symbols;                // id of a symbol -> entity
    uint32_t symbol_count, overflow_symbol; // overflow_symbol: entity + 1 of the common entity for further symbols
    struct {
        uint32_t symbol, entity;
    } symbol_cache[TK_SYMBOL_CACHE]; // indexed by the low bits of the id
    uint64_t refused;                // number of names for which there was no room
    struct tk_labels labels;
    bool importing; // names set now come from a capture that the user added
    bool borrowing; // names set now come from an earlier capture, or are repeated: other names replace them
    uint32_t fixed_names[TK_FIXED_NAMES], fixed_texts[TK_FIXED_TEXTS], arg_names[TK_ARG_NAMES],
        categories[TK_CATEGORIES];
    uint32_t *messages[TK_INTERNS]; // of names, texts and functions: string id - 1 -> id
    uint32_t messages_capacity[TK_INTERNS];
    uint8_t seen[4096]; // hash tags of messages written inline once; the second time they are interned
    struct {
        uint32_t ends, string, id; // ends: a hash of both ends of the text. string 0: none
    } recent[TK_RECENT_SLICES];    // interned names of slices, found without a hash of the whole text
};

void tk_names_init(struct tk_names *names, struct tk_alloc *alloc, struct tk_track_sink *sink);

// Returns the index of a new entity, or TK_NONE when out of memory.
uint32_t tk_names_add(struct tk_names *names, enum tk_entity_type type, uint32_t id);
// Adds the common entity of all further ones, "further tasks"; it takes no name.
uint32_t tk_names_add_overflow(struct tk_names *names, enum tk_entity_type type);
// Returns the entity of a symbol; TK_NONE when out of memory, or for symbol 0.
uint32_t tk_names_symbol_slow(struct tk_names *names, uint32_t symbol);
static inline uint32_t tk_names_symbol(struct tk_names *names, uint32_t symbol) {
    uint32_t slot = symbol % TK_SYMBOL_CACHE;
    return symbol && names->symbol_cache[slot].symbol == symbol ? names->symbol_cache[slot].entity
                                                                : tk_names_symbol_slow(names, symbol);
}
// Sets the name of a symbol that has none of its own: that of another symbol if that has one, otherwise `text`.
void tk_names_set_fallback(struct tk_names *names, uint32_t symbol, uint32_t other, const char *text, size_t len);
// Sets the name of an entity. Returns true if it replaced a different name of this recording that labels use; false if
// it replaced a borrowed or late one.
bool tk_names_set(struct tk_names *names, uint32_t entity, const char *text, size_t len);
// Sets the address of an entity on the target, used for entities without a name: "queue 0x20001234".
void tk_names_set_address(struct tk_names *names, uint32_t entity, uint64_t address);
static inline uint64_t tk_names_address(const struct tk_names *names, uint32_t entity) {
    return entity < names->addresses_capacity ? names->addresses[entity] : 0;
}
// Returns true if the entity has another name than this one.
bool tk_names_differs(const struct tk_names *names, uint32_t entity, const char *text, size_t len);
uint32_t tk_names_define_fixed(struct tk_names *names, enum tk_fixed_name name);
uint32_t tk_names_define_fixed_text(struct tk_names *names, enum tk_fixed_text text);
uint32_t tk_names_define_arg(struct tk_names *names, enum tk_arg_name arg);
uint32_t tk_names_define_category(struct tk_names *names, enum tk_category category);
// Returns the id of a message that occurred before; 0: write it inline.
uint32_t tk_names_message(struct tk_names *names, const char *text, size_t len);
// Returns the id of a name that tk_names_slice returned lately, as some names occur again and again; 0: call
// tk_names_slice. The text may be any bytes.
uint32_t tk_names_recent_slice(const struct tk_names *names, const char *text, size_t len);
// Returns the same as tk_names_message; for names of slices on custom tracks.
uint32_t tk_names_slice(struct tk_names *names, const char *text, size_t len);
// Returns the id of a text value of an argument that occurred before; 0: write it inline.
uint32_t tk_names_value(struct tk_names *names, const char *text, size_t len);
// Returns the id of the function of a sample; 0: there are too many.
uint32_t tk_names_function(struct tk_names *names, const char *text, size_t len);
// Interns a text at once.
uint32_t tk_names_define(struct tk_names *names, enum tk_intern list, const char *text, size_t len);

// Writes the name, or "queue #3". Not terminated; returns the length.
size_t tk_names_display(const struct tk_names *names, uint32_t entity, char out_text[TK_DISPLAY_LEN]);
static inline void tk_names_put(const struct tk_names *names, uint32_t entity, struct tk_text *text) {
    char room[TK_DISPLAY_LEN];
    tk_text_put(text, room, tk_names_display(names, entity, room));
}
// Returns the whole name, or "queue #3" written into `room`. Not terminated.
const char *tk_names_text(const struct tk_names *names, uint32_t entity, char room[TK_DISPLAY_LEN], size_t *out_len);
// Outputs that text as a cell of a table; entity TK_NONE: unknown.
void tk_cell_entity(const struct tk_table_sink *sink, const struct tk_names *names, uint32_t entity);

uint32_t tk_names_label_index_slow(struct tk_names *names, uint32_t entity, enum tk_label label);
static inline uint32_t tk_label_cache_slot(uint32_t entity, enum tk_label label) {
    return (entity + (uint32_t)label * 131) % TK_LABEL_CACHE;
}
// Returns the index of a label of an entity (tk_label_index).
static inline uint32_t tk_names_label_index(struct tk_names *names, uint32_t entity, enum tk_label label) {
    uint32_t slot = tk_label_cache_slot(entity, label);
    return names->labels.cache[slot].key == tk_label_key(label, TK_RESULT_NONE, entity, 0)
               ? names->labels.cache[slot].index
               : tk_names_label_index_slow(names, entity, label);
}
// Returns the id of a label of an entity, defined on first use; 0 when out of memory. For labels with a number or a
// result use tk_label_of.
static inline uint32_t tk_names_label(struct tk_names *names, uint32_t entity, enum tk_label label) {
    uint32_t index = tk_names_label_index(names, entity, label);
    return index != TK_NONE && names->labels.all[index].id ? names->labels.all[index].id : tk_label_id_at(names, index);
}
// Returns true if events use this label of the entity.
bool tk_names_has_label(const struct tk_names *names, uint32_t entity, enum tk_label label);
// Writes the text of a label, for reports. Not terminated; returns the length.
static inline size_t tk_names_label_text(const struct tk_names *names, uint32_t entity, enum tk_label label,
                                         char out_text[TK_LABEL_LEN]) {
    return tk_label_text(names, &(struct tk_label_parts){ .label = label, .entity = entity }, out_text);
}

// Return ids of fixed texts, defined on first use.
static inline uint32_t tk_names_fixed(struct tk_names *names, enum tk_fixed_name name) {
    return names->fixed_names[name] ? names->fixed_names[name] : tk_names_define_fixed(names, name);
}

static inline uint32_t tk_names_fixed_text(struct tk_names *names, enum tk_fixed_text text) {
    return names->fixed_texts[text] ? names->fixed_texts[text] : tk_names_define_fixed_text(names, text);
}

static inline uint32_t tk_names_arg(struct tk_names *names, enum tk_arg_name arg) {
    return names->arg_names[arg] ? names->arg_names[arg] : tk_names_define_arg(names, arg);
}

// Returns the id of a category; 0: none.
static inline uint32_t tk_names_category(struct tk_names *names, enum tk_category category) {
    return category == TK_CATEGORY_NONE || names->categories[category] ? names->categories[category]
                                                                       : tk_names_define_category(names, category);
}

#endif
