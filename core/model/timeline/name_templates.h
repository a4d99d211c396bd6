// SPDX-License-Identifier: MIT
//
// Names of events made of words around the name of an entity: "send to DataQ: full", "set 0x4 in Flags". Like the
// labels of names.h, where there are too many kinds for a place in every entity. Where the name is not known yet the
// words come with it, or at the end.
#ifndef TK_MODEL_TIMELINE_NAME_TEMPLATES_H
#define TK_MODEL_TIMELINE_NAME_TEMPLATES_H

#include "timeline.h"

// What is said; "%" the name of the entity, "#" a number in hexadecimal digits.
enum tk_verb {
    TK_VERB_SEND,
    TK_VERB_SEND_FIRST,
    TK_VERB_OVERWRITE,
    TK_VERB_RECEIVE,
    TK_VERB_PEEK,
    TK_VERB_RESET, // as TK_OPERATION_*: "send to %"
    TK_VERB_GIVE,
    TK_VERB_TAKE,
    TK_VERB_LOCK,
    TK_VERB_UNLOCK,
    TK_VERB_CREATE,
    TK_VERB_DELETE,
    TK_VERB_RESUME,
    TK_VERB_SUSPEND,
    TK_VERB_SET_PRIORITY,
    TK_VERB_NOTIFY,
    TK_VERB_TAKE_NOTIFICATION,
    TK_VERB_NO_NOTIFICATION,
    TK_VERB_WAIT_FOR_NOTIFICATION,
    TK_VERB_SET_BITS,
    TK_VERB_CLEAR_BITS,
    TK_VERB_ASK_SET_BITS,
    TK_VERB_ASK_CLEAR_BITS,
    TK_VERB_WAIT_FOR_BITS,
    TK_VERB_SYNC_ON_BITS, // "set # in %", without an entity "set #"
    TK_VERB_START,
    TK_VERB_STOP,
    TK_VERB_CHANGE_PERIOD,
    TK_VERB_CREATED,
    TK_VERBS
};

// What came of it.
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
    TK_MAX_NAME_TEMPLATES = 16384,
    TK_NAME_TEMPLATE_LEN = TK_DISPLAY_LEN + 64
}; // further ones are written out each time

struct tk_name_template {
    uint32_t entity, number;
    uint32_t name; // TK_INTERN_NAME id; 0: the entity was renamed since
    uint32_t next; // index + 1 of the next one of the same entity
    uint8_t verb, result;
    bool waits; // for the name of the entity
};

struct tk_name_templates {
    struct tk_names *names;
    struct tk_idmap by_key;    // -> index
    struct tk_idmap by_entity; // -> index of the last one
    struct tk_name_template *all;
    uint32_t count, capacity;
};

// Takes notice of names from here on; one per struct tk_names.
void tk_name_templates_init(struct tk_name_templates *name_templates, struct tk_names *names);
void tk_name_templates_relocate(struct tk_name_templates *name_templates, struct tk_relocation *move);
// Gives the texts that still wait their fallback words.
void tk_name_templates_finish(struct tk_name_templates *name_templates);

// entity TK_NONE: none. The text may be in `room`.
struct tk_label_text tk_name_template(struct tk_name_templates *name_templates, enum tk_verb verb,
                                      enum tk_result result, uint32_t entity, uint32_t number,
                                      char room[TK_NAME_TEMPLATE_LEN]);
// Its number, for tk_name_template_text; TK_NONE: there are too many.
uint32_t tk_name_template_index(struct tk_name_templates *name_templates, enum tk_verb verb, enum tk_result result,
                                uint32_t entity, uint32_t number);
// Its words now. Not terminated; returns the length.
size_t tk_name_template_text(const struct tk_name_templates *name_templates, uint32_t index,
                             char out_text[TK_NAME_TEMPLATE_LEN]);

#endif
