// SPDX-License-Identifier: MIT
#include "phrases.h"

#include "../base/cold.h"

#include <string.h>

static const char *const verbs[TK_VERBS] = {
    [TK_SAY_SEND] = "send to %", [TK_SAY_SEND_FIRST] = "send to the front of %", [TK_SAY_OVERWRITE] = "overwrite %", [TK_SAY_RECEIVE] = "receive from %",
    [TK_SAY_PEEK] = "peek %", [TK_SAY_RESET] = "reset %", [TK_SAY_GIVE] = "give %", [TK_SAY_TAKE] = "take %", [TK_SAY_LOCK] = "lock %", [TK_SAY_UNLOCK] = "unlock %",
    [TK_SAY_CREATE] = "create %", [TK_SAY_DELETE] = "delete %", [TK_SAY_RESUME] = "resume %", [TK_SAY_SUSPEND] = "suspend %",
    [TK_SAY_SET_PRIORITY] = "set priority of %", [TK_SAY_NOTIFY] = "notify %", [TK_SAY_TAKE_NOTIFICATION] = "take notification",
    [TK_SAY_NO_NOTIFICATION] = "no notification", [TK_SAY_WAIT_FOR_NOTIFICATION] = "wait for notification",
    [TK_SAY_SET_BITS] = "set # in %", [TK_SAY_CLEAR_BITS] = "clear # in %", [TK_SAY_ASK_SET_BITS] = "ask to set # in %", [TK_SAY_ASK_CLEAR_BITS] = "ask to clear # in %",
    [TK_SAY_WAIT_FOR_BITS] = "wait for # in %", [TK_SAY_SYNC_ON_BITS] = "sync on # in %", [TK_SAY_START] = "start %", [TK_SAY_STOP] = "stop %",
    [TK_SAY_CHANGE_PERIOD] = "change the period of %", [TK_SAY_CREATED] = "created by %",
};

static const char *const results[TK_RESULTS] = {
    [TK_RESULT_NONE] = "", [TK_RESULT_FULL] = ": full", [TK_RESULT_EMPTY] = ": empty", [TK_RESULT_TIMED_OUT] = ": timed out",
    [TK_RESULT_NOT_FREE] = ": not free", [TK_RESULT_NOT_THE_HOLDER] = ": not the holder", [TK_RESULT_DONE] = ": done",
};

enum { NO_ENTITY = 0x3FFFFF }; // in keys

static uint64_t key_of(enum tk_verb verb, enum tk_result result, uint32_t entity, uint32_t number) {
    uint64_t who = entity == TK_NONE ? NO_ENTITY : entity;
    return (uint64_t)1 << 63 | (uint64_t)verb << 57 | (uint64_t)result << 54 | who << 32 | number;
}

_Static_assert(TK_VERBS <= 64 && TK_RESULTS <= 8, "both have room in a key");

static size_t make(const struct tk_names *names, const struct tk_phrase *phrase, char out_text[TK_PHRASE_LEN]) {
    size_t len = 0;
    for (const char *at = verbs[phrase->verb]; *at; at++) {
        if (phrase->entity == TK_NONE && *at == ' ' && strlen(at) == 5) break; // " in %", " by %"
        if (*at == '#') len = tk_append_hex(out_text, len, phrase->number);
        else if (*at == '%' && phrase->entity != TK_NONE) len += tk_names_display(names, phrase->entity, out_text + len);
        else out_text[len++] = *at;
    }
    return tk_append_text(out_text, len, results[phrase->result]);
}

size_t tk_phrase_text(const struct tk_phrases *phrases, uint32_t index, char out_text[TK_PHRASE_LEN]) {
    return index < phrases->count ? make(phrases->names, &phrases->all[index], out_text) : 0;
}

static void define(struct tk_phrases *phrases, struct tk_phrase *phrase) {
    char text[TK_PHRASE_LEN];
    size_t len = make(phrases->names, phrase, text);
    phrase->waits = false;
    phrases->names->sink->define(phrases->names->sink->ctx, TK_INTERN_NAME, phrase->name, text, len);
}

// A number for the text at once, its words when there is a name.
static void number(struct tk_phrases *phrases, struct tk_phrase *phrase) {
    phrase->name = ++phrases->names->next[TK_INTERN_NAME];
    phrase->waits = phrase->entity != TK_NONE && !phrases->names->entities[phrase->entity].name;
    if (!phrase->waits) define(phrases, phrase);
}

TK_COLD static uint32_t add(struct tk_phrases *phrases, uint64_t key, const struct tk_phrase *phrase) {
    struct tk_alloc *alloc = phrases->names->alloc;
    uint32_t index = phrases->count;
    if (index >= TK_MAX_PHRASES || (phrase->entity != TK_NONE && phrase->entity >= NO_ENTITY)) return TK_NONE;
    if (!tk_alloc_grow(alloc, (void **)&phrases->all, &phrases->capacity, index + 1, sizeof *phrases->all)) return TK_NONE;
    if (!tk_idmap_set(&phrases->by_key, alloc, key, index)) return TK_NONE;
    phrases->all[index] = *phrase;
    if (phrase->entity != TK_NONE) {
        phrases->all[index].next = tk_idmap_find(&phrases->by_entity, phrase->entity) + 1;
        if (!tk_idmap_set(&phrases->by_entity, alloc, phrase->entity, index)) return TK_NONE;
    }
    return phrases->count++;
}

TK_COLD uint32_t tk_phrase_index(struct tk_phrases *phrases, enum tk_verb verb, enum tk_result result, uint32_t entity, uint32_t number) {
    uint64_t key = key_of(verb, result, entity, number);
    uint32_t index = tk_idmap_find(&phrases->by_key, key);
    if (index != TK_NONE) return index;
    return add(phrases, key, &(struct tk_phrase){ .entity = entity, .number = number, .verb = (uint8_t)verb, .result = (uint8_t)result });
}

struct tk_label_text tk_phrase(struct tk_phrases *phrases, enum tk_verb verb, enum tk_result result, uint32_t entity, uint32_t value, char room[TK_PHRASE_LEN]) {
    uint32_t index = tk_phrase_index(phrases, verb, result, entity, value);
    if (index == TK_NONE) {
        const struct tk_phrase once = { .entity = entity, .number = value, .verb = (uint8_t)verb, .result = (uint8_t)result };
        return (struct tk_label_text){ 0, room, (uint32_t)make(phrases->names, &once, room) };
    }
    if (!phrases->all[index].name) number(phrases, &phrases->all[index]);
    return tk_named(phrases->all[index].name);
}

// The entity has a name; `changed`: another one than before. Texts with the old name keep it.
TK_COLD static void on_name(void *ctx, uint32_t entity, bool changed) {
    struct tk_phrases *phrases = ctx;
    for (uint32_t at = tk_idmap_find(&phrases->by_entity, entity) + 1; at; at = phrases->all[at - 1].next) {
        struct tk_phrase *phrase = &phrases->all[at - 1];
        if (phrase->waits) define(phrases, phrase);
        else if (changed) phrase->name = 0;
    }
}

TK_COLD void tk_phrases_finish(struct tk_phrases *phrases) {
    for (uint32_t i = 0; i < phrases->count; i++)
        if (phrases->all[i].waits) define(phrases, &phrases->all[i]);
}

TK_COLD void tk_phrases_init(struct tk_phrases *phrases, struct tk_names *names) {
    phrases->names = names;
    names->on_name = on_name;
    names->on_name_ctx = phrases;
}

TK_COLD void tk_phrases_moved(struct tk_phrases *phrases, struct tk_move *move) {
    phrases->names = tk_follow(move, phrases->names, sizeof *phrases->names);
    tk_idmap_moved(&phrases->by_key, move);
    tk_idmap_moved(&phrases->by_entity, move);
    phrases->all = tk_follow(move, phrases->all, phrases->capacity * sizeof *phrases->all);
    if (!phrases->names) return;
    phrases->names->on_name = on_name;
    phrases->names->on_name_ctx = phrases;
}

