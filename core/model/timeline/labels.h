// SPDX-License-Identifier: MIT
//
// Labels: interned texts made of a template and the name of an entity, such as "receive from commands" or "set 0x4 in
// Flags: timed out". A label has its id at once; its text is defined when the name of the entity is known, or at the
// end.
#ifndef TK_MODEL_TIMELINE_LABELS_H
#define TK_MODEL_TIMELINE_LABELS_H

#include "../../base/idmap.h"

struct tk_names;

enum tk_label {
    TK_LABEL_NONE,
#define TK_LABEL(id, list, words) TK_LABEL_##id,
#include "labels.def"
#undef TK_LABEL
    TK_LABELS,
    TK_LABEL_FIRST_CALL = TK_LABEL_CALL_SEND
};

// Result of a call, appended to its label: ": timed out".
enum tk_result {
    TK_RESULT_NONE,
    TK_RESULT_FULL,
    TK_RESULT_EMPTY,
    TK_RESULT_TIMED_OUT,
    TK_RESULT_NOT_FREE,
    TK_RESULT_NOT_THE_HOLDER,
    TK_RESULT_DONE,
    TK_RESULTS
};

enum {
    TK_LABEL_CACHE = 1024,
    TK_MAX_NUMBERED_LABELS = 16384, // number of labels with a number; further ones are not interned
    TK_DISPLAY_LEN = 256,           // bytes of a name in a label; longer names are cut at a character
    TK_LABEL_LEN = 2 * TK_DISPLAY_LEN
};

// The parts of a label.
struct tk_label_parts {
    enum tk_label label;
    uint32_t entity; // the entity; TK_NONE: none
    uint32_t number; // number in a template with #
    enum tk_result result;
};

// Name of an event: an interned id, or with id 0 an inline text.
struct tk_label_text {
    uint32_t id;
    const char *text;
    uint32_t len;
};
static inline struct tk_label_text tk_named(uint32_t id) { return (struct tk_label_text){ .id = id }; }

struct tk_interned_label {
    uint32_t entity, number;
    uint32_t id;   // id of the interned text; 0: none yet, or the entity was renamed since
    uint32_t next; // index + 1 of the next label of the same entity; 0: none
    uint8_t label, result;
    bool unresolved; // events use the id, but its text is not defined yet
};

struct tk_labels {
    struct tk_idmap by_key; // from the key of the parts to the index
    struct tk_interned_label *all;
    uint32_t count, capacity, numbered;
    struct {
        uint64_t key; // key of the label; 0: free
        uint32_t index;
    } cache[TK_LABEL_CACHE]; // cache of labels without number and result
};

// Returns a unique key for the parts of a label, not 0. The entity must be below TK_LABEL_NO_ENTITY.
enum { TK_LABEL_NO_ENTITY = 0x3FFFFF };
static inline uint64_t tk_label_key(enum tk_label label, enum tk_result result, uint32_t entity, uint32_t number) {
    return (uint64_t)label << 57 | (uint64_t)result << 54 | (uint64_t)entity << 32 | number;
}
_Static_assert(TK_LABELS <= 128 && TK_RESULTS <= 8, "both fit into a key");

// Writes the text of a label with the current name of its entity. Not terminated; returns the length.
size_t tk_label_text(const struct tk_names *names, const struct tk_label_parts *parts, char out_text[TK_LABEL_LEN]);
// Writes the text of the label at an index; nothing for TK_NONE.
size_t tk_label_text_at(const struct tk_names *names, uint32_t index, char out_text[TK_LABEL_LEN]);

// Returns the index of a label, which does not change when the entity is renamed. Returns TK_NONE when out of memory or
// above the limit.
uint32_t tk_label_index(struct tk_names *names, const struct tk_label_parts *parts);
// Returns the id of the label at an index; 0 for TK_NONE.
uint32_t tk_label_id_at(struct tk_names *names, uint32_t index);
// Returns a label with a number or a result. Above the limit, writes its text into `room` instead of interning it.
struct tk_label_text tk_label_of(struct tk_names *names, const struct tk_label_parts *parts, char room[TK_LABEL_LEN]);

// Takes the first name of an entity, or (changed) a new one: existing ids keep the old name, new ids get the new one.
void tk_labels_on_name(struct tk_names *names, uint32_t entity, bool changed);
// Defines the unresolved labels of calls, with the number of the entity in place of a name; call it before slices are
// closed.
void tk_labels_finish_calls(struct tk_names *names);
// Defines all unresolved labels.
void tk_labels_finish(struct tk_names *names);

#endif
