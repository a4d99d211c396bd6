// SPDX-License-Identifier: MIT
#include "names.h"

#include "../../base/decimal.h"

#include "../../base/bytes.h"
#include "../../base/utf8.h"
#include "../event/event.h"
#include "../tables/table.h"

static const char *const fallbacks[TK_ENTITY_TYPES] = { "task #",   "queue #",   "ISR #",    "marker #", "value #",
                                                        "symbol #", "context #", "object #", "track #" };
static const char *const nouns[TK_NOUNS] = {
    [TK_NOUN_OF_TYPE] = NULL,
    [TK_NOUN_SEMAPHORE] = "semaphore #",
    [TK_NOUN_MUTEX] = "mutex #",
    [TK_NOUN_STREAM_BUFFER] = "stream buffer #",
    [TK_NOUN_MESSAGE_BUFFER] = "message buffer #",
    [TK_NOUN_EVENT_GROUP] = "event group #",
    [TK_NOUN_MACHINE] = "state machine #",
    [TK_NOUN_INTERVAL] = "interval #",
    [TK_NOUN_HEAP] = "heap #",
    [TK_NOUN_TIMER] = "timer #",
    [TK_NOUN_STACK] = "stack #",
};
static const char *const overflow[TK_ENTITY_TYPES] = { "further tasks",    "further queues",  "further interrupts",
                                                       "further markers",  "further values",  "further symbols",
                                                       "further contexts", "further objects", "further tracks" };

void tk_names_init(struct tk_names *names, struct tk_alloc *alloc, struct tk_track_sink *sink) {
    memset(names, 0, sizeof *names);
    names->alloc = alloc;
    names->sink = sink;
}

uint32_t tk_names_add(struct tk_names *names, enum tk_entity_type type, uint32_t id) {
    if (!tk_alloc_grow(names->alloc, (void **)&names->entities, &names->capacity, names->count + 1,
                       sizeof *names->entities))
        return TK_NONE;
    names->entities[names->count] = (struct tk_entity){ .id = id, .type = (uint8_t)type };
    return names->count++;
}

uint32_t tk_names_add_overflow(struct tk_names *names, enum tk_entity_type type) {
    uint32_t entity = tk_names_add(names, type, UINT32_MAX);
    if (entity != TK_NONE) names->entities[entity].overflow = true;
    return entity;
}

// Appends the name of an unnamed entity: "queue #3", or "mutex 0x20001234" if its address is known.
static void put_fallback(const struct tk_names *names, uint32_t entity, struct tk_text *text) {
    const struct tk_entity *e = &names->entities[entity];
    uint64_t address = tk_names_address(names, entity);
    bool has_noun = e->noun && (address || e->type == TK_ENTITY_KERNEL_OBJECT);
    const char *words = has_noun ? nouns[e->noun] : fallbacks[e->type];
    tk_text_put(text, words, strlen(words) - (address > 0)); // without its "#"
    if (address) tk_text_hex(text, address, 1);
    else tk_text_u64(text, e->id);
}

void tk_names_set_address(struct tk_names *names, uint32_t entity, uint64_t address) {
    if (tk_alloc_grow(names->alloc, (void **)&names->addresses, &names->addresses_capacity, entity + 1,
                      sizeof *names->addresses))
        names->addresses[entity] = address;
}

size_t tk_names_display(const struct tk_names *names, uint32_t entity, char out_text[TK_DISPLAY_LEN]) {
    const struct tk_entity *e = &names->entities[entity];
    size_t len;
    const char *text = tk_strtab_text(&names->strings, e->name, &len);
    if (!len) {
        struct tk_text words = tk_text_in(out_text, TK_DISPLAY_LEN);
        if (e->overflow) tk_text_add(&words, overflow[e->type]);
        else put_fallback(names, entity, &words);
        return words.len;
    }
    if (len > TK_DISPLAY_LEN) len = tk_utf8_cut(text, TK_DISPLAY_LEN);
    memcpy(out_text, text, len);
    return len;
}

const char *tk_names_text(const struct tk_names *names, uint32_t entity, char room[TK_DISPLAY_LEN], size_t *out_len) {
    const char *text = tk_strtab_text(&names->strings, names->entities[entity].name, out_len);
    if (*out_len) return text;
    *out_len = tk_names_display(names, entity, room);
    return room;
}

void tk_cell_entity(const struct tk_table_sink *sink, const struct tk_names *names, uint32_t entity) {
    char room[TK_DISPLAY_LEN];
    size_t len = 0;
    if (entity == TK_NONE) {
        tk_cell_none(sink);
        return;
    }
    const char *text = tk_names_text(names, entity, room, &len);
    tk_cell_text(sink, text, len);
}

uint32_t tk_names_define(struct tk_names *names, enum tk_intern list, const char *text, size_t len) {
    uint32_t id = ++names->next[list];
    names->sink->define(names->sink->ctx, list, id, text, len);
    return id;
}

bool tk_names_set(struct tk_names *names, uint32_t entity, const char *text, size_t len) {
    struct tk_entity *e = &names->entities[entity];
    if (e->overflow) return false;
    uint32_t name = len ? tk_strtab_intern(&names->strings, names->alloc, text, len) : 0;
    bool was_borrowed = e->borrowed;
    names->refused += len && !name;
    if (!name || (names->borrowing && e->name)) return false;
    e->borrowed = names->borrowing;
    e->imported = names->importing;
    if (name == e->name) return false;
    bool changed = e->name != 0;
    e->name = name;
    if (!e->late) tk_labels_on_name(names, entity, changed);
    return changed && !was_borrowed && !e->late;
}

static uint32_t overflow_symbol(struct tk_names *names) {
    names->refused++;
    if (!names->overflow_symbol) names->overflow_symbol = tk_names_add_overflow(names, TK_ENTITY_SYMBOL) + 1;
    return names->overflow_symbol - 1;
}

uint32_t tk_names_symbol_slow(struct tk_names *names, uint32_t symbol) {
    uint32_t entity = symbol ? tk_idmap_find(&names->symbols, symbol) : TK_NONE, slot = symbol % TK_SYMBOL_CACHE;
    if (!symbol) return TK_NONE;
    if (entity == TK_NONE) {
        if (names->symbol_count >= TK_MAX_SYMBOLS) return overflow_symbol(names);
        names->symbol_count++;
        entity = tk_names_add(names, TK_ENTITY_SYMBOL, symbol);
        if (entity == TK_NONE || !tk_idmap_set(&names->symbols, names->alloc, symbol, entity)) return TK_NONE;
    }
    names->symbol_cache[slot].symbol = symbol;
    names->symbol_cache[slot].entity = entity;
    return entity;
}

void tk_names_set_fallback(struct tk_names *names, uint32_t symbol, uint32_t other, const char *words,
                           size_t words_len) {
    uint32_t entity = tk_names_symbol(names, symbol), like = other ? tk_idmap_find(&names->symbols, other) : TK_NONE;
    char text[TK_DISPLAY_LEN];
    size_t len = 0;
    if (entity == TK_NONE || names->entities[entity].name) return;
    if (like != TK_NONE && names->entities[like].name) len = tk_names_display(names, like, text);
    bool before = names->borrowing;
    names->borrowing = true;
    tk_names_set(names, entity, len ? text : words, len ? len : words_len);
    names->borrowing = before;
}

bool tk_names_differs(const struct tk_names *names, uint32_t entity, const char *text, size_t len) {
    size_t name_len;
    const char *name = tk_strtab_text(&names->strings, names->entities[entity].name, &name_len);
    return name_len && len && (name_len != len || memcmp(name, text, len));
}

uint32_t tk_names_define_fixed(struct tk_names *names, enum tk_fixed_name name) {
    static const char *const texts[TK_FIXED_NAMES] = {
        [TK_FIXED_HELD] = "held",
        [TK_FIXED_SUSPENDED] = "suspended",
        [TK_FIXED_DELETED] = "deleted",
        [TK_FIXED_NOT_TRACED] = "waiting (not traced)",
        [TK_FIXED_DELAY_FOREVER] = "delay forever",
        [TK_FIXED_DELAY_UNTIL] = "delay until",
        [TK_FIXED_LOST] = "lost events",
        [TK_FIXED_RESTARTED] = "target restarted",
        [TK_FIXED_DATA_ENDS] = "data of a core ends",
        [TK_FIXED_EXPIRED] = "expired",
        [TK_FIXED_STOPPED] = "stopped",
        [TK_FIXED_LOW_POWER] = "low power",
        [TK_FIXED_SCHEDULER_SUSPENDED] = "scheduler suspended",
    };
    return names->fixed_names[name] = tk_names_define(names, TK_INTERN_NAME, texts[name], strlen(texts[name]));
}

uint32_t tk_names_define_fixed_text(struct tk_names *names, enum tk_fixed_text text) {
    static const char *const texts[TK_FIXED_TEXTS] = {
        [TK_TEXT_FOREVER] = "forever",   [TK_TEXT_TICK] = "tick",
        [TK_TEXT_TIME_OUT] = "time-out", [TK_TEXT_SEND] = "send",
        [TK_TEXT_RECEIVE] = "receive",   [TK_TEXT_OVERWRITE] = "overwrite",
        [TK_TEXT_RESET] = "reset",       [TK_TEXT_SEND_TO_FRONT] = "send to the front",
        [TK_TEXT_PEEK] = "peek",
    };
    return names->fixed_texts[text] = tk_names_define(names, TK_INTERN_TEXT, texts[text], strlen(texts[text]));
}

uint32_t tk_names_define_arg(struct tk_names *names, enum tk_arg_name arg) {
    static const char *const texts[TK_ARG_NAMES] = {
        [TK_ARGN_OPERATION] = "operation",
        [TK_ARGN_WOKEN_BY] = "woken by",
        [TK_ARGN_TIMEOUT] = "timeout (ticks)",
        [TK_ARGN_OPEN_AT_END] = "open at the end",
        [TK_ARGN_OPEN_AT_GAP] = "open at the gap",
        [TK_ARGN_END_LOST] = "end lost",
        [TK_ARGN_CROSSES_LOSS] = "events lost meanwhile",
        [TK_ARGN_LOST] = "lost",
        [TK_ARGN_OFFSET] = "byte offset",
        [TK_ARGN_MESSAGE] = "message",
        [TK_ARGN_ID] = "id",
        [TK_ARGN_ARG] = "number",
        [TK_ARGN_VALUE] = "value",
        [TK_ARGN_INPUT] = "input",
        [TK_ARGN_CORE] = "core",
        [TK_ARGN_TICK] = "tick",
        [TK_ARGN_UNTIL_TICK] = "until tick",
        [TK_ARGN_HELD_BY] = "held by",
        [TK_ARGN_PRIORITY] = "priority",
        [TK_ARGN_FUNCTION] = "function",
        [TK_ARGN_CALLED_FROM] = "called from",
        [TK_ARGN_IMPLICIT] = "implicit",
        [TK_ARGN_AFTER_GAP] = "after gap",
    };
    return names->arg_names[arg] = tk_names_define(names, TK_INTERN_ARG_NAME, texts[arg], strlen(texts[arg]));
}

// Returns the id of a text in a list, defined on first use; 0: there is no room.
static uint32_t known_text(struct tk_names *names, enum tk_intern list, const char *text, size_t len, uint32_t hash) {
    uint32_t string = tk_strtab_intern_hashed(&names->strings, names->alloc, text, len, hash);
    bool has_room = string <= names->messages_capacity[list] ||
                    tk_alloc_grow(names->alloc, (void **)&names->messages[list], &names->messages_capacity[list],
                                  string, sizeof *names->messages[list]);
    if (!string || !has_room) return 0;
    uint32_t *id = &names->messages[list][string - 1];
    if (!*id) *id = tk_names_define(names, list, text, len);
    return *id;
}

static uint32_t repeated(struct tk_names *names, enum tk_intern list, const char *text, size_t len) {
    enum { TOO_LONG = 512 };
    if (len > TOO_LONG) return 0;
    uint64_t hash = tk_hash_bytes((const uint8_t *)text, len);
    uint8_t *tag = &names->seen[(hash + list) % sizeof names->seen], mark = (uint8_t)(hash >> 40 | 1);
    if (*tag != mark) {
        *tag = mark;
        return 0;
    }
    return known_text(names, list, text, len, (uint32_t)hash);
}

uint32_t tk_names_define_category(struct tk_names *names, enum tk_category category) {
    static const char *const texts[TK_CATEGORIES] = {
        [TK_CATEGORY_PROBLEM] = "problem",   [TK_CATEGORY_CALL] = "call",
        [TK_CATEGORY_IMPLICIT] = "implicit", [TK_CATEGORY_INTERRUPTED] = "interrupted",
        [TK_CATEGORY_GAP] = "gap",           [TK_CATEGORY_LOG] = "log",
        [TK_CATEGORY_DATA] = "data",
    };
    return names->categories[category] =
               tk_names_define(names, TK_INTERN_CATEGORY, texts[category], strlen(texts[category]));
}

uint32_t tk_names_message(struct tk_names *names, const char *text, size_t len) {
    return repeated(names, TK_INTERN_NAME, text, len);
}

static bool is_string(const struct tk_names *names, uint32_t string, const char *text, size_t len) {
    size_t known_len;
    const char *known = tk_strtab_text(&names->strings, string, &known_len);
    return known_len == len && !memcmp(known, text, len);
}

enum { LEAST_RECENT = 8 }; // bytes of a name that is kept in `recent`

static uint64_t hash_of_ends(const char *text, size_t len) {
    const uint8_t *bytes = (const uint8_t *)text;
    return tk_hash_step(tk_load64(bytes), tk_load64(bytes + len - LEAST_RECENT));
}

uint32_t tk_names_recent_slice(const struct tk_names *names, const char *text, size_t len) {
    if (len < LEAST_RECENT) return 0;
    uint64_t hash = hash_of_ends(text, len);
    uint32_t place = hash % TK_RECENT_SLICES, ends = (uint32_t)(hash >> 32);
    bool is_known = names->recent[place].ends == ends && is_string(names, names->recent[place].string, text, len);
    return is_known ? names->recent[place].id : 0;
}

uint32_t tk_names_slice(struct tk_names *names, const char *text, size_t len) {
    uint32_t id = tk_names_message(names, text, len);
    if (!id || len < LEAST_RECENT) return id;
    uint64_t hash = hash_of_ends(text, len);
    uint32_t place = hash % TK_RECENT_SLICES;
    names->recent[place].ends = (uint32_t)(hash >> 32);
    names->recent[place].string = tk_strtab_intern(&names->strings, names->alloc, text, len); // it is there
    return names->recent[place].id = id;
}

uint32_t tk_names_value(struct tk_names *names, const char *text, size_t len) {
    return repeated(names, TK_INTERN_TEXT, text, len);
}
uint32_t tk_names_function(struct tk_names *names, const char *text, size_t len) {
    return known_text(names, TK_INTERN_FUNCTION, text, len, (uint32_t)tk_hash_bytes((const uint8_t *)text, len));
}
