// SPDX-License-Identifier: MIT
#include "labels.h"

#include "../../base/attributes.h"
#include "names.h"

#include <string.h>

static const struct {
    const char *words;
    enum tk_intern list;
} templates[TK_LABELS] = {
#define TK_LABEL(id, list, words) [TK_LABEL_##id] = { words, TK_INTERN_##list },
#include "labels.def"
#undef TK_LABEL
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

size_t tk_label_text(const struct tk_names *names, const struct tk_label_parts *parts, char out_text[TK_LABEL_LEN]) {
    struct tk_text text = tk_text_in(out_text, TK_LABEL_LEN);
    for (const char *at = templates[parts->label].words; *at; at++) {
        if (parts->entity == TK_NONE && *at == ' ' && strlen(at) == 5) break; // " in %", " by %"
        if (*at == '#') tk_text_hex(&text, parts->number, 1);
        else if (*at == '%' && parts->entity != TK_NONE) tk_names_put(names, parts->entity, &text);
        else tk_text_char(&text, *at);
    }
    tk_text_add(&text, results[parts->result]);
    return text.len;
}

static struct tk_label_parts parts_of(const struct tk_interned_label *label) {
    return (struct tk_label_parts){ (enum tk_label)label->label, label->entity, label->number,
                                    (enum tk_result)label->result };
}

size_t tk_label_text_at(const struct tk_names *names, uint32_t index, char out_text[TK_LABEL_LEN]) {
    if (index >= names->labels.count) return 0;
    struct tk_label_parts parts = parts_of(&names->labels.all[index]);
    return tk_label_text(names, &parts, out_text);
}

static void define(struct tk_names *names, struct tk_interned_label *label) {
    char text[TK_LABEL_LEN];
    struct tk_label_parts parts = parts_of(label);
    size_t len = tk_label_text(names, &parts, text);
    label->unresolved = false;
    names->sink->define(names->sink->ctx, templates[label->label].list, label->id, text, len);
}

// ---- Look-up -----------------------------------------------------------------------------------

static uint32_t rank(const struct tk_interned_label *label) {
    return label->label < TK_LABEL_FIRST_CALL ? label->label : TK_LABEL_FIRST_CALL;
}

// Inserts a label into the list of its entity, in the order of definition (labels.def).
static void link_to_entity(struct tk_names *names, uint32_t index) {
    struct tk_interned_label *all = names->labels.all;
    uint32_t *at = &names->entities[all[index].entity].labels;
    while (*at && rank(&all[*at - 1]) < rank(&all[index])) at = &all[*at - 1].next;
    all[index].next = *at;
    *at = index + 1;
}

TK_COLD static uint32_t add(struct tk_names *names, uint64_t key, const struct tk_label_parts *parts) {
    struct tk_labels *labels = &names->labels;
    uint32_t index = labels->count;
    if (parts->number && labels->numbered >= TK_MAX_NUMBERED_LABELS) return TK_NONE;
    if (!tk_alloc_grow(names->alloc, (void **)&labels->all, &labels->capacity, index + 1, sizeof *labels->all))
        return TK_NONE;
    if (!tk_idmap_set(&labels->by_key, names->alloc, key, index)) return TK_NONE;
    labels->all[index] = (struct tk_interned_label){
        .entity = parts->entity, .number = parts->number, .label = parts->label, .result = parts->result
    };
    if (parts->entity != TK_NONE) link_to_entity(names, index);
    labels->numbered += parts->number != 0;
    return labels->count++;
}

uint32_t tk_label_index(struct tk_names *names, const struct tk_label_parts *parts) {
    uint32_t entity = parts->entity == TK_NONE ? TK_LABEL_NO_ENTITY : parts->entity;
    if (entity > TK_LABEL_NO_ENTITY || (entity == TK_LABEL_NO_ENTITY && parts->entity != TK_NONE)) return TK_NONE;
    uint64_t key = tk_label_key(parts->label, parts->result, entity, parts->number);
    uint32_t index = tk_idmap_find(&names->labels.by_key, key);
    return index != TK_NONE ? index : add(names, key, parts);
}

uint32_t tk_label_id_at(struct tk_names *names, uint32_t index) {
    if (index == TK_NONE) return 0;
    struct tk_interned_label *label = &names->labels.all[index];
    if (label->id) return label->id;
    const struct tk_entity *entity = label->entity == TK_NONE ? NULL : &names->entities[label->entity];
    label->id = ++names->next[templates[label->label].list];
    label->unresolved = entity && (!entity->name || entity->late);
    if (!label->unresolved) define(names, label);
    return label->id;
}

uint32_t tk_names_label_index_slow(struct tk_names *names, uint32_t entity, enum tk_label label) {
    uint32_t index = tk_label_index(names, &(struct tk_label_parts){ .label = label, .entity = entity });
    uint32_t slot = tk_label_cache_slot(entity, label);
    if (index == TK_NONE) return TK_NONE;
    names->labels.cache[slot].key = tk_label_key(label, TK_RESULT_NONE, entity, 0);
    names->labels.cache[slot].index = index;
    return index;
}

bool tk_names_has_label(const struct tk_names *names, uint32_t entity, enum tk_label label) {
    for (uint32_t at = names->entities[entity].labels; at; at = names->labels.all[at - 1].next)
        if (names->labels.all[at - 1].label == label) return true;
    return false;
}

struct tk_label_text tk_label_of(struct tk_names *names, const struct tk_label_parts *parts, char room[TK_LABEL_LEN]) {
    uint32_t index = tk_label_index(names, parts);
    if (index == TK_NONE) return (struct tk_label_text){ 0, room, (uint32_t)tk_label_text(names, parts, room) };
    return tk_named(tk_label_id_at(names, index));
}

// ---- Names that become known or change ---------------------------------------------------------

void tk_labels_on_name(struct tk_names *names, uint32_t entity, bool changed) {
    struct tk_labels *labels = &names->labels;
    for (uint32_t at = names->entities[entity].labels; at; at = labels->all[at - 1].next) {
        struct tk_interned_label *label = &labels->all[at - 1];
        if (label->unresolved) define(names, label);
        else if (changed) label->id = 0;
    }
}

TK_COLD void tk_labels_finish_calls(struct tk_names *names) {
    for (uint32_t i = 0; i < names->labels.count; i++) {
        struct tk_interned_label *label = &names->labels.all[i];
        if (label->unresolved && label->label >= TK_LABEL_FIRST_CALL) define(names, label);
    }
}

TK_COLD void tk_labels_finish(struct tk_names *names) {
    for (uint32_t i = 0; i < names->count; i++)
        for (uint32_t at = names->entities[i].labels; at; at = names->labels.all[at - 1].next)
            if (names->labels.all[at - 1].unresolved) define(names, &names->labels.all[at - 1]);
}
