// SPDX-License-Identifier: MIT
#include "details.h"

#include "../../base/bytes.h"
#include "../../base/attributes.h"
#include "../../base/utf8.h"

#include <string.h>

void tk_details_init(struct tk_detail_names *d, struct tk_alloc *alloc, struct tk_diag *diag, struct tk_names *names) {
    memset(d, 0, sizeof *d);
    d->alloc = d->scratch.alloc = alloc;
    d->diag = diag;
    d->names = names;
}

// ---- Texts -------------------------------------------------------------------------------------

TK_COLD static const char *sanitize(struct tk_detail_names *d, const char *text, size_t *len) {
    size_t bad, whole = *len < TK_DETAIL_TEXT ? *len : TK_DETAIL_TEXT;
    uint8_t *room = tk_arena_reserve(&d->scratch, whole * TK_UTF8_GROWTH);
    *len = room ? tk_utf8_clean((const uint8_t *)text, whole, room, &bad) : 0;
    tk_arena_commit(&d->scratch, *len);
    return (const char *)room;
}

const char *tk_details_clean(struct tk_detail_names *d, const char *text, size_t *len) {
    if (!tk_utf8_is_clean((const uint8_t *)text, *len)) text = sanitize(d, text, len);
    if (*len > TK_DETAIL_TEXT) *len = tk_utf8_cut(text, TK_DETAIL_TEXT);
    return text;
}

static uint32_t interned(struct tk_detail_names *d, struct tk_idmap *map, enum tk_intern list, const char *text,
                         size_t len) {
    uint64_t key = tk_hash_bytes((const uint8_t *)text, len) | (uint64_t)1 << 63;
    uint32_t id = tk_idmap_find(map, key);
    if (id != TK_NONE) return id;
    id = tk_names_define(d->names, list, text, len);
    tk_idmap_set(map, d->alloc, key, id);
    return id;
}

uint32_t tk_details_name(struct tk_detail_names *d, const char *text, size_t len) {
    return interned(d, &d->words, TK_INTERN_NAME, text, len);
}

// Returns one of the two preferred slots of a text. They follow from the low bits of its address, which do not change
// when the program is loaded elsewhere.
static inline struct tk_static_text *known_at(struct tk_static_text known[TK_STATIC_TEXT_CACHE], const char *text) {
    struct tk_static_text *first = &known[(uintptr_t)text % (TK_STATIC_TEXT_CACHE / 2) * 2];
    return first + (first->text != text);
}

// Adds a text that is in neither of its slots. There are usually more slots than texts; otherwise a new text replaces
// an old one.
TK_COLD static uint32_t intern_static_text(struct tk_detail_names *d, struct tk_static_text known[TK_STATIC_TEXT_CACHE],
                                           struct tk_idmap *map, enum tk_intern list, const char *text) {
    size_t at = (uintptr_t)text % (TK_STATIC_TEXT_CACHE / 2) * 2;
    for (unsigned tries = TK_STATIC_TEXT_CACHE; tries && known[at].text && known[at].text != text; tries--)
        at = (at + 1) % TK_STATIC_TEXT_CACHE;
    if (known[at].text != text) known[at] = (struct tk_static_text){ text, interned(d, map, list, text, strlen(text)) };
    return known[at].id;
}

static inline uint32_t known_id(struct tk_detail_names *d, struct tk_static_text known[TK_STATIC_TEXT_CACHE],
                                struct tk_idmap *map, enum tk_intern list, const char *text) {
    const struct tk_static_text *found = known_at(known, text);
    return found->text == text ? found->id : intern_static_text(d, known, map, list, text);
}

static inline uint32_t arg_name(struct tk_detail_names *d, const char *name) {
    return known_id(d, d->known_args, &d->arg_names, TK_INTERN_ARG_NAME, name);
}

static inline uint32_t fixed_text(struct tk_detail_names *d, const char *text) {
    return known_id(d, d->known_texts, &d->texts, TK_INTERN_TEXT, text);
}

// Interns an argument name from the recording.
TK_COLD static uint32_t recorded_arg_name(struct tk_detail_names *d, const char *name, size_t len) {
    uint64_t key = tk_hash_bytes((const uint8_t *)name, len) | (uint64_t)1 << 63;
    uint32_t id = tk_idmap_find(&d->arg_names, key);
    if (id != TK_NONE) return id;
    if (d->arg_name_count >= TK_MAX_DETAIL_NAMES) {
        d->names->refused++;
        return arg_name(d, "further");
    }
    d->arg_name_count++;
    const char *clean = tk_details_clean(d, name, &len);
    id = tk_names_define(d->names, TK_INTERN_ARG_NAME, clean,
                         len < TK_DISPLAY_LEN ? len : tk_utf8_cut(clean, TK_DISPLAY_LEN - 1));
    tk_idmap_set(&d->arg_names, d->alloc, key, id);
    return id;
}

// ---- One detail --------------------------------------------------------------------------------

TK_COLD static struct tk_arg *no_room(struct tk_detail_names *d) {
    tk_diag_count(d->diag, TK_DIAG_DETAILS_CUT, NULL);
    return NULL;
}

static inline struct tk_arg *add_arg(struct tk_detail_names *d, struct tk_details *details, uint32_t name,
                                     enum tk_arg_type type) {
    if (details->count == TK_MAX_ARGS) return no_room(d);
    struct tk_arg *arg = &details->args[details->count++];
    arg->name = name;
    arg->type = type;
    return arg;
}

void tk_details_number(struct tk_detail_names *d, struct tk_details *details, const char *name, uint64_t number) {
    struct tk_arg *arg = add_arg(d, details, arg_name(d, name), TK_ARG_UINT);
    if (arg) arg->value.u = number;
}

static void add_symbol(struct tk_detail_names *d, struct tk_details *details, uint32_t name, uint32_t symbol) {
    uint32_t entity = tk_names_symbol(d->names, symbol);
    struct tk_arg *arg = entity != TK_NONE ? add_arg(d, details, name, TK_ARG_TEXT) : NULL;
    if (arg) arg->value.text = tk_names_label(d->names, entity, TK_LABEL_TEXT);
}

void tk_details_symbol(struct tk_detail_names *d, struct tk_details *details, const char *name, uint32_t symbol) {
    if (symbol) add_symbol(d, details, arg_name(d, name), symbol);
}

static void add_words(struct tk_detail_names *d, struct tk_details *details, uint32_t name, const char *text,
                      size_t len) {
    struct tk_arg *arg = add_arg(d, details, name, TK_ARG_STRING);
    if (!arg) return;
    arg->string = tk_details_clean(d, text, &len);
    arg->string_len = len;
    uint32_t id = len ? tk_names_value(d->names, arg->string, len) : 0;
    if (!id) return;
    arg->type = TK_ARG_TEXT;
    arg->value.text = id;
}

void tk_details_words(struct tk_detail_names *d, struct tk_details *details, const char *name, const char *text,
                      size_t len) {
    add_words(d, details, arg_name(d, name), text, len);
}

void tk_details_fixed(struct tk_detail_names *d, struct tk_details *details, const char *name, const char *text) {
    struct tk_arg *arg = add_arg(d, details, arg_name(d, name), TK_ARG_TEXT);
    uint32_t id = fixed_text(d, text);
    if (arg) arg->value.text = id;
}

// ---- All values of an event --------------------------------------------------------------------

static inline uint32_t name_of(struct tk_detail_names *d, const struct tk_value *value) {
    if (value->name_len) return recorded_arg_name(d, value->name, value->name_len);
    return arg_name(d, value->name ? value->name : "value");
}

static inline void add_value(struct tk_detail_names *d, struct tk_details *details, const struct tk_value *value,
                             bool named) {
    static const uint8_t types[] = { [TK_VALUE_UINT] = TK_ARG_UINT,
                                     [TK_VALUE_HEX] = TK_ARG_UINT,
                                     [TK_VALUE_INT] = TK_ARG_INT,
                                     [TK_VALUE_DOUBLE] = TK_ARG_DOUBLE };
    if (value->type == TK_VALUE_SYMBOL && !value->number.u) return;
    uint32_t name = named ? name_of(d, value) : 0;
    if (value->type == TK_VALUE_TEXT) {
        add_words(d, details, name, value->text, value->text_len);
    } else if (value->type == TK_VALUE_SYMBOL) {
        add_symbol(d, details, name, (uint32_t)value->number.u);
    } else {
        struct tk_arg *arg = add_arg(d, details, name, (enum tk_arg_type)types[value->type]);
        if (arg) memcpy(&arg->value, &value->number, sizeof value->number); // number and value have the same members
    }
}

// Adds a group with its members, which follow it. Returns the value after all of them.
TK_COLD static const struct tk_value *add_group(struct tk_detail_names *d, struct tk_details *details,
                                                const struct tk_value *value, const struct tk_value *end, bool named,
                                                unsigned depth) {
    const struct tk_value *next = value + 1,
                          *last = value->number.u < (uint64_t)(end - next) ? next + value->number.u : end;
    bool list = value->type == TK_VALUE_LIST;
    struct tk_arg *group = depth < TK_MAX_NESTED
                               ? add_arg(d, details, named ? name_of(d, value) : 0, list ? TK_ARG_LIST : TK_ARG_GROUP)
                               : no_room(d);
    unsigned before = details->count;
    while (group && next < last) {
        if (next->type >= TK_VALUE_GROUP) next = add_group(d, details, next, last, !list, depth + 1);
        else add_value(d, details, next++, !list);
    }
    if (group) group->value.u = details->count - before;
    return last;
}

void tk_details_add(struct tk_detail_names *d, struct tk_details *details, const struct tk_event *event) {
    for (const struct tk_value *value = event->values, *end = value + event->value_count; value < end;) {
        if (value->type >= TK_VALUE_GROUP) value = add_group(d, details, value, end, true, 0);
        else add_value(d, details, value++, true);
    }
}
