// SPDX-License-Identifier: MIT
#include "name_templates.h"

#include "../../base/attributes.h"

#include <string.h>

static const char *const verbs[TK_VERBS] = {
    [TK_VERB_SEND] = "send to %",
    [TK_VERB_SEND_FIRST] = "send to the front of %",
    [TK_VERB_OVERWRITE] = "overwrite %",
    [TK_VERB_RECEIVE] = "receive from %",
    [TK_VERB_PEEK] = "peek %",
    [TK_VERB_RESET] = "reset %",
    [TK_VERB_GIVE] = "give %",
    [TK_VERB_TAKE] = "take %",
    [TK_VERB_LOCK] = "lock %",
    [TK_VERB_UNLOCK] = "unlock %",
    [TK_VERB_CREATE] = "create %",
    [TK_VERB_DELETE] = "delete %",
    [TK_VERB_RESUME] = "resume %",
    [TK_VERB_SUSPEND] = "suspend %",
    [TK_VERB_SET_PRIORITY] = "set priority of %",
    [TK_VERB_NOTIFY] = "notify %",
    [TK_VERB_TAKE_NOTIFICATION] = "take notification",
    [TK_VERB_NO_NOTIFICATION] = "no notification",
    [TK_VERB_WAIT_FOR_NOTIFICATION] = "wait for notification",
    [TK_VERB_SET_BITS] = "set # in %",
    [TK_VERB_CLEAR_BITS] = "clear # in %",
    [TK_VERB_ASK_SET_BITS] = "ask to set # in %",
    [TK_VERB_ASK_CLEAR_BITS] = "ask to clear # in %",
    [TK_VERB_WAIT_FOR_BITS] = "wait for # in %",
    [TK_VERB_SYNC_ON_BITS] = "sync on # in %",
    [TK_VERB_START] = "start %",
    [TK_VERB_STOP] = "stop %",
    [TK_VERB_CHANGE_PERIOD] = "change the period of %",
    [TK_VERB_CREATED] = "created by %",
};

static const char *const results[TK_RESULTS] = {
    [TK_RESULT_NONE] = "",
    [TK_RESULT_FULL] = ": full",
    [TK_RESULT_EMPTY] = ": empty",
    [TK_RESULT_TIMED_OUT] = ": timed out",
    [TK_RESULT_NOT_FREE] = ": not free",
    [TK_RESULT_NOT_THE_HOLDER] = ": not the holder",
    [TK_RESULT_DONE] = ": done",
};

enum { NO_ENTITY = 0x3FFFFF }; // in keys

static uint64_t key_of(enum tk_verb verb, enum tk_result result, uint32_t entity, uint32_t number) {
    uint64_t who = entity == TK_NONE ? NO_ENTITY : entity;
    return (uint64_t)1 << 63 | (uint64_t)verb << 57 | (uint64_t)result << 54 | who << 32 | number;
}

_Static_assert(TK_VERBS <= 64 && TK_RESULTS <= 8, "both have room in a key");

static size_t make(const struct tk_names *names, const struct tk_name_template *phrase,
                   char out_text[TK_NAME_TEMPLATE_LEN]) {
    size_t len = 0;
    for (const char *at = verbs[phrase->verb]; *at; at++) {
        if (phrase->entity == TK_NONE && *at == ' ' && strlen(at) == 5) break; // " in %", " by %"
        if (*at == '#') len = tk_append_hex(out_text, len, phrase->number);
        else if (*at == '%' && phrase->entity != TK_NONE)
            len += tk_names_display(names, phrase->entity, out_text + len);
        else out_text[len++] = *at;
    }
    return tk_append_text(out_text, len, results[phrase->result]);
}

size_t tk_name_template_text(const struct tk_name_templates *name_templates, uint32_t index,
                             char out_text[TK_NAME_TEMPLATE_LEN]) {
    return index < name_templates->count ? make(name_templates->names, &name_templates->all[index], out_text) : 0;
}

static void define(struct tk_name_templates *name_templates, struct tk_name_template *phrase) {
    char text[TK_NAME_TEMPLATE_LEN];
    size_t len = make(name_templates->names, phrase, text);
    phrase->waits = false;
    name_templates->names->sink->define(name_templates->names->sink->ctx, TK_INTERN_NAME, phrase->name, text, len);
}

// A number for the text at once, its words when there is a name.
static void number(struct tk_name_templates *name_templates, struct tk_name_template *phrase) {
    phrase->name = ++name_templates->names->next[TK_INTERN_NAME];
    phrase->waits = phrase->entity != TK_NONE && !name_templates->names->entities[phrase->entity].name;
    if (!phrase->waits) define(name_templates, phrase);
}

TK_COLD static uint32_t add(struct tk_name_templates *name_templates, uint64_t key,
                            const struct tk_name_template *phrase) {
    struct tk_alloc *alloc = name_templates->names->alloc;
    uint32_t index = name_templates->count;
    if (index >= TK_MAX_NAME_TEMPLATES || (phrase->entity != TK_NONE && phrase->entity >= NO_ENTITY)) return TK_NONE;
    if (!tk_alloc_grow(alloc, (void **)&name_templates->all, &name_templates->capacity, index + 1,
                       sizeof *name_templates->all))
        return TK_NONE;
    if (!tk_idmap_set(&name_templates->by_key, alloc, key, index)) return TK_NONE;
    name_templates->all[index] = *phrase;
    if (phrase->entity != TK_NONE) {
        name_templates->all[index].next = tk_idmap_find(&name_templates->by_entity, phrase->entity) + 1;
        if (!tk_idmap_set(&name_templates->by_entity, alloc, phrase->entity, index)) return TK_NONE;
    }
    return name_templates->count++;
}

TK_COLD uint32_t tk_name_template_index(struct tk_name_templates *name_templates, enum tk_verb verb,
                                        enum tk_result result, uint32_t entity, uint32_t number) {
    uint64_t key = key_of(verb, result, entity, number);
    uint32_t index = tk_idmap_find(&name_templates->by_key, key);
    if (index != TK_NONE) return index;
    return add(name_templates, key,
               &(struct tk_name_template){
                   .entity = entity, .number = number, .verb = (uint8_t)verb, .result = (uint8_t)result });
}

struct tk_label_text tk_name_template(struct tk_name_templates *name_templates, enum tk_verb verb,
                                      enum tk_result result, uint32_t entity, uint32_t value,
                                      char room[TK_NAME_TEMPLATE_LEN]) {
    uint32_t index = tk_name_template_index(name_templates, verb, result, entity, value);
    if (index == TK_NONE) {
        const struct tk_name_template once = {
            .entity = entity, .number = value, .verb = (uint8_t)verb, .result = (uint8_t)result
        };
        return (struct tk_label_text){ 0, room, (uint32_t)make(name_templates->names, &once, room) };
    }
    if (!name_templates->all[index].name) number(name_templates, &name_templates->all[index]);
    return tk_named(name_templates->all[index].name);
}

// The entity has a name; `changed`: another one than before. Texts with the old name keep it.
TK_COLD static void on_name(void *ctx, uint32_t entity, bool changed) {
    struct tk_name_templates *name_templates = ctx;
    for (uint32_t at = tk_idmap_find(&name_templates->by_entity, entity) + 1; at;
         at = name_templates->all[at - 1].next) {
        struct tk_name_template *phrase = &name_templates->all[at - 1];
        if (phrase->waits) define(name_templates, phrase);
        else if (changed) phrase->name = 0;
    }
}

TK_COLD void tk_name_templates_finish(struct tk_name_templates *name_templates) {
    for (uint32_t i = 0; i < name_templates->count; i++)
        if (name_templates->all[i].waits) define(name_templates, &name_templates->all[i]);
}

TK_COLD void tk_name_templates_init(struct tk_name_templates *name_templates, struct tk_names *names) {
    name_templates->names = names;
    names->on_name = on_name;
    names->on_name_ctx = name_templates;
}

TK_COLD void tk_name_templates_relocate(struct tk_name_templates *name_templates, struct tk_relocation *move) {
    name_templates->names = tk_relocate(move, name_templates->names, sizeof *name_templates->names);
    tk_idmap_relocate(&name_templates->by_key, move);
    tk_idmap_relocate(&name_templates->by_entity, move);
    name_templates->all =
        tk_relocate(move, name_templates->all, name_templates->capacity * sizeof *name_templates->all);
    if (!name_templates->names) return;
    name_templates->names->on_name = on_name;
    name_templates->names->on_name_ctx = name_templates;
}
