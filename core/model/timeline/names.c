// SPDX-License-Identifier: MIT
#include "names.h"

#include "../../base/decimal.h"

#include "../../base/bytes.h"
#include "../../base/utf8.h"
#include "../event/event.h"

struct label {
    const char *prefix;
    enum tk_intern list;
};

static const struct label labels[TK_ENTITY_TYPES][TK_LABEL_SLOTS] = {
    [TK_ENTITY_TASK] = { [TK_TASK_TEXT] = { "", TK_INTERN_TEXT },
                         [TK_TASK_HELD_BY] = { "held by ", TK_INTERN_NAME },
                         [TK_TASK_SUSPENDED_BY] = { "suspended by ", TK_INTERN_NAME },
                         [TK_TASK_DELETED_BY] = { "deleted by ", TK_INTERN_NAME },
                         [TK_TASK_SENDS] = { "send by ", TK_INTERN_TEXT },
                         [TK_TASK_RECEIVES] = { "receive by ", TK_INTERN_TEXT },
                         [TK_TASK_OVERWRITES] = { "overwrite by ", TK_INTERN_TEXT },
                         [TK_TASK_RESETS] = { "reset by ", TK_INTERN_TEXT },
                         [TK_TASK_SENDS_FIRST] = { "send to the front by ", TK_INTERN_TEXT },
                         [TK_TASK_PEEKS] = { "peek by ", TK_INTERN_TEXT } },
    [TK_ENTITY_QUEUE] = { [TK_QUEUE_RECEIVE_FROM] = { "receive from ", TK_INTERN_NAME },
                          [TK_QUEUE_SEND_TO] = { "send to ", TK_INTERN_NAME },
                          [TK_QUEUE_PEEKS] = { "peek ", TK_INTERN_NAME },
                          [TK_QUEUE_LOCKS] = { "lock ", TK_INTERN_NAME },
                          [TK_QUEUE_TAKES] = { "take ", TK_INTERN_NAME },
                          [TK_QUEUE_TOOK] = { "took ", TK_INTERN_NAME },
                          [TK_QUEUE_GIVES] = { "give ", TK_INTERN_NAME } },
    [TK_ENTITY_ISR] = { [TK_ISR_TEXT] = { "interrupt ", TK_INTERN_TEXT },
                        [TK_ISR_NAME] = { "", TK_INTERN_NAME },
                        [TK_ISR_SENDS] = { "send from interrupt ", TK_INTERN_TEXT },
                        [TK_ISR_RECEIVES] = { "receive from interrupt ", TK_INTERN_TEXT },
                        [TK_ISR_OVERWRITES] = { "overwrite from interrupt ", TK_INTERN_TEXT },
                        [TK_ISR_RESETS] = { "reset from interrupt ", TK_INTERN_TEXT },
                        [TK_ISR_SENDS_FIRST] = { "send to the front from interrupt ", TK_INTERN_TEXT },
                        [TK_ISR_PEEKS] = { "peek from interrupt ", TK_INTERN_TEXT } },
    [TK_ENTITY_MARKER] = { [TK_MARKER_NAME] = { "", TK_INTERN_NAME } },
    [TK_ENTITY_VALUE] = { [TK_MARKER_NAME] = { "", TK_INTERN_NAME } },
    [TK_ENTITY_KERNEL_OBJECT] = { [TK_KERNEL_OBJECT_NAME] = { "", TK_INTERN_NAME } },
    [TK_ENTITY_CONTEXT] = { [TK_CONTEXT_INTERRUPTS] = { "", TK_INTERN_NAME } },
    [TK_ENTITY_TRACK] = { [TK_TRACK_NAME] = { "", TK_INTERN_NAME } },
    [TK_ENTITY_SYMBOL] = { [TK_SYMBOL_NAME] = { "", TK_INTERN_NAME },
                           [TK_SYMBOL_TEXT] = { "", TK_INTERN_TEXT },
                           [TK_SYMBOL_POSTED] = { "post ", TK_INTERN_NAME },
                           [TK_SYMBOL_POST_FAILED] = { "post failed: ", TK_INTERN_NAME },
                           [TK_SYMBOL_UNCERTAIN] = { "perhaps ", TK_INTERN_NAME },
                           [TK_SYMBOL_WAITED_FOR] = { "wait for ", TK_INTERN_NAME },
                           [TK_SYMBOL_HELD_BY] = { "held by ", TK_INTERN_NAME },
                           [TK_SYMBOL_NOTE + TK_NOTE_ENTRY] = { "entry ", TK_INTERN_NAME },
                           [TK_SYMBOL_NOTE + TK_NOTE_EXIT] = { "exit ", TK_INTERN_NAME },
                           [TK_SYMBOL_NOTE + TK_NOTE_INITIAL] = { "initial ", TK_INTERN_NAME },
                           [TK_SYMBOL_NOTE + TK_NOTE_HISTORY] = { "history ", TK_INTERN_NAME },
                           [TK_SYMBOL_NOTE + TK_NOTE_UNHANDLED] = { "unhandled ", TK_INTERN_NAME },
                           [TK_SYMBOL_NOTE + TK_NOTE_DEFERRED] = { "defer ", TK_INTERN_NAME },
                           [TK_SYMBOL_NOTE + TK_NOTE_RECALLED] = { "recall ", TK_INTERN_NAME },
                           [TK_SYMBOL_NOTE + TK_NOTE_SUBSCRIBED] = { "subscribe ", TK_INTERN_NAME },
                           [TK_SYMBOL_NOTE + TK_NOTE_UNSUBSCRIBED] = { "unsubscribe ", TK_INTERN_NAME },
                           [TK_SYMBOL_NOTE + TK_NOTE_PUBLISHED] = { "publish ", TK_INTERN_NAME } },
};

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

void tk_names_relocate(struct tk_names *names, struct tk_relocation *move) {
    names->alloc = tk_relocate(move, names->alloc, sizeof *names->alloc);
    names->sink = tk_relocate(move, names->sink, sizeof *names->sink);
    names->on_name = NULL;
    names->on_name_ctx = NULL;
    tk_strtab_relocate(&names->strings, move);
    tk_idmap_relocate(&names->symbols, move);
    names->entities = tk_relocate(move, names->entities, names->capacity * sizeof *names->entities);
    names->addresses = tk_relocate(move, names->addresses, names->addresses_capacity * sizeof *names->addresses);
    for (unsigned list = 0; list < 2; list++)
        names->messages[list] =
            tk_relocate(move, names->messages[list], names->messages_capacity[list] * sizeof *names->messages[list]);
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

size_t tk_append_number(char *text, size_t len, uint64_t number) {
    char digits[TK_DECIMAL_LEN];
    tk_decimal(number, digits);
    return tk_append_text(text, len, digits);
}

size_t tk_append_hex(char *text, size_t len, uint64_t number) {
    unsigned digits = 1;
    while (digits < 16 && number >> 4 * digits) digits++;
    len = tk_append_text(text, len, "0x");
    while (digits--) text[len++] = "0123456789abcdef"[number >> 4 * digits & 15];
    return len;
}

size_t tk_append_text(char *text, size_t len, const char *more) {
    size_t more_len = strlen(more);
    memcpy(text + len, more, more_len);
    return len + more_len;
}

// "queue #3", or "mutex 0x20001234" where the address is known.
static size_t fallback(const struct tk_names *names, uint32_t entity, char out_text[TK_DISPLAY_LEN]) {
    const struct tk_entity *e = &names->entities[entity];
    uint64_t address = tk_names_address(names, entity);
    bool says_more = e->noun && (address || e->type == TK_ENTITY_KERNEL_OBJECT);
    size_t len = tk_append_text(out_text, 0, says_more ? nouns[e->noun] : fallbacks[e->type]);
    return address ? tk_append_hex(out_text, len - 1, address) : tk_append_number(out_text, len, e->id);
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
    if (!len && e->overflow) return tk_append_text(out_text, 0, overflow[e->type]);
    if (!len) return fallback(names, entity, out_text);
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

size_t tk_names_label_text(const struct tk_names *names, uint32_t entity, unsigned slot,
                           char out_text[2 * TK_DISPLAY_LEN]) {
    const struct tk_entity *e = &names->entities[entity];
    size_t len = tk_append_text(out_text, 0, labels[e->type][slot].prefix);
    len += tk_names_display(names, entity, out_text + len);
    return e->type == TK_ENTITY_CONTEXT && slot == TK_CONTEXT_INTERRUPTS ? tk_append_text(out_text, len, " interrupts")
                                                                         : len;
}

uint32_t tk_names_define(struct tk_names *names, enum tk_intern list, const char *text, size_t len) {
    uint32_t id = ++names->next[list];
    names->sink->define(names->sink->ctx, list, id, text, len);
    return id;
}

static void define_label(struct tk_names *names, uint32_t entity, unsigned slot) {
    const struct tk_entity *e = &names->entities[entity];
    char text[2 * TK_DISPLAY_LEN];
    size_t len = tk_names_label_text(names, entity, slot, text);
    names->sink->define(names->sink->ctx, labels[e->type][slot].list, e->labels[slot], text, len);
}

uint32_t tk_names_label_slow(struct tk_names *names, uint32_t entity, unsigned slot) {
    struct tk_entity *e = &names->entities[entity];
    uint32_t id = e->labels[slot] = ++names->next[labels[e->type][slot].list];
    if (e->name && !e->late) define_label(names, entity, slot);
    else e->unresolved |= 1u << slot;
    return id;
}

static void resolve(struct tk_names *names, uint32_t entity) {
    struct tk_entity *e = &names->entities[entity];
    for (unsigned slot = 0; slot < TK_LABEL_SLOTS; slot++)
        if (e->unresolved >> slot & 1) define_label(names, entity, slot);
    e->unresolved = 0;
}

bool tk_names_set(struct tk_names *names, uint32_t entity, const char *text, size_t len) {
    struct tk_entity *e = &names->entities[entity];
    if (e->overflow) return false;
    uint32_t name = len ? tk_strtab_intern(&names->strings, names->alloc, text, len) : 0;
    bool was_borrowed = e->borrowed;
    names->refused += len && !name;
    if (!name || (names->borrowing && e->name)) return false;
    e->borrowed = names->borrowing;
    if (name == e->name) return false;
    bool changed = e->name != 0;
    if (changed && !e->late) memset(e->labels, 0, sizeof e->labels); // texts with the old name keep it
    e->name = name;
    if (!e->late) resolve(names, entity);
    if (names->on_name) names->on_name(names->on_name_ctx, entity, changed);
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

bool tk_names_is_other(const struct tk_names *names, uint32_t entity, const char *text, size_t len) {
    size_t name_len;
    const char *name = tk_strtab_text(&names->strings, names->entities[entity].name, &name_len);
    return name_len && len && (name_len != len || memcmp(name, text, len));
}

void tk_names_finish(struct tk_names *names) {
    for (uint32_t i = 0; i < names->count; i++)
        if (names->entities[i].unresolved) resolve(names, i);
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
    };
    return names->fixed_names[name] = tk_names_define(names, TK_INTERN_NAME, texts[name], strlen(texts[name]));
}

uint32_t tk_names_define_fixed_text(struct tk_names *names, enum tk_fixed_text text) {
    static const char *const texts[TK_FIXED_TEXTS] = {
        [TK_TEXT_FOREVER] = "forever",
        [TK_TEXT_TICK] = "tick",
        [TK_TEXT_TIME_OUT] = "time-out",
        [TK_TEXT_BY_NOBODY_SENDS_FIRST] = "send to the front",
        [TK_TEXT_BY_NOBODY_PEEKS] = "peek",
        [TK_TEXT_BY_NOBODY_SENDS] = "send",
        [TK_TEXT_BY_NOBODY_RECEIVES] = "receive",
        [TK_TEXT_BY_NOBODY_OVERWRITES] = "overwrite",
        [TK_TEXT_BY_NOBODY_RESETS] = "reset",
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

static uint32_t repeated(struct tk_names *names, enum tk_intern list, const char *text, size_t len) {
    enum { TOO_LONG = 512 };
    if (len > TOO_LONG) return 0;
    uint64_t hash = tk_hash_bytes((const uint8_t *)text, len);
    uint8_t *tag = &names->seen[(hash + list) % sizeof names->seen], mark = (uint8_t)(hash >> 40 | 1);
    if (*tag != mark) {
        *tag = mark;
        return 0;
    }
    uint32_t string = tk_strtab_intern_hashed(&names->strings, names->alloc, text, len, (uint32_t)hash);
    if (!string || !tk_alloc_grow(names->alloc, (void **)&names->messages[list], &names->messages_capacity[list],
                                  string, sizeof *names->messages[list]))
        return 0;
    uint32_t *id = &names->messages[list][string - 1];
    if (!*id) *id = tk_names_define(names, list, text, len);
    return *id;
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
uint32_t tk_names_value(struct tk_names *names, const char *text, size_t len) {
    return repeated(names, TK_INTERN_TEXT, text, len);
}
