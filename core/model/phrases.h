// SPDX-License-Identifier: MIT
//
// Names of events made of words around the name of an entity: "send to DataQ: full", "set 0x4 in Flags". Like the labels
// of names.h, where there are too many kinds for a place in every entity. Where the name is not known yet the words come with it,
// or at the end.
#ifndef TK_MODEL_PHRASES_H
#define TK_MODEL_PHRASES_H

#include "timeline.h"

// What is said; "%" the name of the entity, "#" a number in hexadecimal digits.
enum tk_verb {
    TK_SAY_SEND, TK_SAY_SEND_FIRST, TK_SAY_OVERWRITE, TK_SAY_RECEIVE, TK_SAY_PEEK, TK_SAY_RESET, // as TK_OPERATION_*: "send to %"
    TK_SAY_GIVE, TK_SAY_TAKE, TK_SAY_LOCK, TK_SAY_UNLOCK,
    TK_SAY_CREATE, TK_SAY_DELETE, TK_SAY_RESUME, TK_SAY_SUSPEND, TK_SAY_SET_PRIORITY,
    TK_SAY_NOTIFY, TK_SAY_TAKE_NOTIFICATION, TK_SAY_NO_NOTIFICATION, TK_SAY_WAIT_FOR_NOTIFICATION,
    TK_SAY_SET_BITS, TK_SAY_CLEAR_BITS, TK_SAY_ASK_SET_BITS, TK_SAY_ASK_CLEAR_BITS, TK_SAY_WAIT_FOR_BITS, TK_SAY_SYNC_ON_BITS, // "set # in %", without an entity "set #"
    TK_SAY_START, TK_SAY_STOP, TK_SAY_CHANGE_PERIOD, TK_SAY_CREATED, TK_VERBS
};

// What came of it.
enum tk_result { TK_RESULT_NONE, TK_RESULT_FULL, TK_RESULT_EMPTY, TK_RESULT_TIMED_OUT, TK_RESULT_NOT_FREE, TK_RESULT_NOT_THE_HOLDER, TK_RESULT_DONE, TK_RESULTS };

enum { TK_MAX_PHRASES = 16384, TK_PHRASE_LEN = TK_DISPLAY_LEN + 64 }; // further ones are written out each time

struct tk_phrase {
    uint32_t entity, number;
    uint32_t name;  // TK_INTERN_NAME id; 0: the entity was renamed since
    uint32_t next;  // index + 1 of the next one of the same entity
    uint8_t verb, result;
    bool waits;     // for the name of the entity
};

struct tk_phrases {
    struct tk_names *names;
    struct tk_idmap by_key;   // -> index
    struct tk_idmap by_entity; // -> index of the last one
    struct tk_phrase *all;
    uint32_t count, capacity;
};

// Takes notice of names from here on; one per struct tk_names.
void tk_phrases_init(struct tk_phrases *phrases, struct tk_names *names);
void tk_phrases_moved(struct tk_phrases *phrases, struct tk_move *move);
// Gives the texts that still wait their fallback words.
void tk_phrases_finish(struct tk_phrases *phrases);

// entity TK_NONE: none. The text may be in `room`.
struct tk_label_text tk_phrase(struct tk_phrases *phrases, enum tk_verb verb, enum tk_result result, uint32_t entity, uint32_t number, char room[TK_PHRASE_LEN]);
// Its number, for tk_phrase_text; TK_NONE: there are too many.
uint32_t tk_phrase_index(struct tk_phrases *phrases, enum tk_verb verb, enum tk_result result, uint32_t entity, uint32_t number);
// Its words now. Not terminated; returns the length.
size_t tk_phrase_text(const struct tk_phrases *phrases, uint32_t index, char out_text[TK_PHRASE_LEN]);

#endif
