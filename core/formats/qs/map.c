// SPDX-License-Identifier: MIT
#include "map.h"

#include <string.h>

#include "../../base/text.h"
#include "../../base/utf8.h"

// ---- Values ------------------------------------------------------------------------------------

static inline struct tk_value *add(struct qs_values *values, const char *name, enum tk_value_type type) {
    if (values->count == QS_MAX_VALUES) return NULL;
    struct tk_value *value = &values->list[values->count++];
    value->name = name;
    value->name_len = 0;
    value->type = (uint8_t)type;
    return value;
}

static void add_number(struct qs_values *values, const char *name, enum tk_value_type type, uint64_t number) {
    struct tk_value *value = add(values, name, type);
    if (value) value->number.u = number;
}

// Returns a text builder for the rest of the room.
static struct tk_text begin_text(struct qs_values *values) {
    return tk_text_in(values->room + values->used, sizeof values->room - values->used);
}

static void end_text(struct qs_values *values, const char *name, const struct tk_text *text) {
    struct tk_value *value = add(values, name, TK_VALUE_TEXT);
    values->used += text->len;
    if (!value) return;
    value->text = text->text;
    value->text_len = text->len;
}

// Adds a text of the recording, with invalid UTF-8 replaced.
static void add_text(struct qs_values *values, const char *name, const uint8_t *bytes, size_t len) {
    struct tk_text text = begin_text(values);
    size_t bad;
    if (tk_utf8_is_clean(bytes, len)) tk_text_put(&text, (const char *)bytes, len);
    else if (text.room >= len * TK_UTF8_GROWTH)
        text.len = (uint32_t)tk_utf8_clean(bytes, len, (uint8_t *)text.text, &bad);
    end_text(values, name, &text);
}

static void add_memory(struct qs_values *values, const char *name, const struct qs_field *field) {
    struct tk_text text = begin_text(values);
    tk_text_hex_bytes(&text, field->bytes, field->len, "");
    if (!field->len) tk_text_add(&text, "-");
    end_text(values, name, &text);
}

static void add_words(struct qs_values *values, const char *name, const struct qs_field *field) {
    struct tk_text text = begin_text(values);
    size_t size = (size_t)field->object;
    for (size_t at = 0; at + size <= field->len; at += size) {
        uint64_t word = 0;
        for (size_t i = size; i--;) word = word << 8 | field->bytes[at + i];
        if (at) tk_text_add(&text, ",");
        tk_text_digits(&text, word, 16, 1);
    }
    end_text(values, name, &text);
}

static void add_pair(struct qs_values *values, const char *name, const struct qs_field *field) {
    struct tk_text text = begin_text(values);
    bool is_enum = field->info->type == QS_ENUM;
    tk_text_u64(&text, is_enum ? field->object : field->number);
    tk_text_add(&text, "/");
    if (is_enum) tk_text_u64(&text, field->number);
    else tk_text_hex(&text, field->object, 1);
    end_text(values, name, &text);
}

static void add_real(struct qs_values *values, const char *name, double real) {
    struct tk_value *value = add(values, name, TK_VALUE_DOUBLE);
    if (value) value->number.d = real;
}

static void add_plain(struct qs_values *values, const char *name, const struct qs_field *field) {
    switch (field->info->type) {
    case QS_UINT: add_number(values, name, TK_VALUE_UINT, field->number); break;
    case QS_INT: add_number(values, name, TK_VALUE_INT, field->number); break;
    case QS_REAL: add_real(values, name, field->real); break;
    case QS_OBJECT_POINTER:
    case QS_FUNCTION_POINTER: add_number(values, name, TK_VALUE_HEX, field->number); break;
    case QS_TEXT: add_text(values, name, field->bytes, field->len); break;
    case QS_MEMORY: add_memory(values, name, field); break;
    case QS_WORDS: add_words(values, name, field); break;
    case QS_SIGNAL_NUMBER: add_number(values, name, TK_VALUE_UINT, field->number); break;
    default: add_pair(values, name, field); break;
    }
}

// Adds the widths with which a record of the application wants its values to be shown, a byte each.
static void add_widths(struct qs_values *values, const struct qs_record *record) {
    struct tk_text text = begin_text(values);
    for (unsigned i = 0; i < record->count; i++) tk_text_char(&text, (char)record->fields[i].shown);
    end_text(values, "widths", &text);
}

static void add_parts(struct qs_values *values, const char *name, const struct qs_field *field) {
    add_number(values, name, TK_VALUE_UINT, field->number);
    add_number(values, "of", TK_VALUE_HEX, field->object);
}

void qs_values_plain(struct qs_values *values, const struct qs_record *record, uint8_t sequence, bool in_parts) {
    values->count = 0;
    values->used = 0;
    add_number(values, "seq", TK_VALUE_UINT, sequence);
    add_number(values, "number", TK_VALUE_UINT, record->id);
    if (record->timed) add_number(values, "counts", TK_VALUE_UINT, record->ticks);
    if (in_parts && record->user) add_widths(values, record);
    struct qs_field room;
    for (unsigned i = 0; i < record->count; i++) {
        const struct qs_field *field = qs_field_of(record, i, &room);
        bool is_pair = field->info->type == QS_SIGNAL_OF_OBJECT || field->info->type == QS_ENUM;
        if (in_parts && is_pair) add_parts(values, field->info->name, field);
        else add_plain(values, field->info->name, field);
    }
}

// ---- The common record: nothing but numbers -------------------------------------------------------

static bool is_symbol(uint8_t type) { return type <= QS_SIGNAL_NUMBER; }

static inline uint32_t symbol_of(struct qs_dictionary *dictionary, const struct qs_layout *layout,
                                 const uint8_t *payload, uint8_t type, uint64_t number) {
    uint64_t receiver = type == QS_SIGNAL_NUMBER ? qs_place_number(&layout->receiver, payload) : 0;
    return qs_dictionary_symbol(dictionary, (enum qs_symbol_kind)type, number, receiver);
}

static inline uint64_t symbol_or_number(struct qs_dictionary *dictionary, const struct qs_layout *layout,
                                        const uint8_t *payload, const struct qs_place *place) {
    uint64_t number = qs_place_number(place, payload);
    return is_symbol(place->type) ? symbol_of(dictionary, layout, payload, place->type, number) : number;
}

// Adds a static text.
static void add_static(struct qs_values *values, const char *name, const char *text, size_t len) {
    struct tk_value *value = add(values, name, TK_VALUE_TEXT);
    if (!value) return;
    value->text = text;
    value->text_len = (uint32_t)len;
}

// Adds a number, or its symbol if it has one.
static inline void add_named(struct qs_values *values, const char *name, uint8_t type, uint64_t number,
                             uint32_t symbol) {
    if (symbol) add_number(values, name, TK_VALUE_SYMBOL, symbol);
    else if (type == QS_OBJECT_POINTER || type == QS_FUNCTION_POINTER) add_static(values, name, "none", 4);
    else add_number(values, name, TK_VALUE_UINT, number);
}

static void set_text(struct tk_event *event, const char *words) {
    event->str = words;
    event->str_len = (uint32_t)strlen(words);
}

// Returns true if the record has a quirk that leaves nothing to show.
static bool is_odd(enum qs_quirk quirk, const struct qs_layout *layout, const uint8_t *payload,
                   struct tk_event *event) {
    bool is_post = event->kind == TK_EV_POSTED || event->kind == TK_EV_POSTED_LIFO;
    int64_t *free_places = is_post ? &event->post.free_places : &event->object_queue.free_places;
    if (quirk == QS_COUNTS_BEFORE && *free_places) --*free_places;
    if (quirk == QS_ANSWERS && qs_field_number(&layout->fields[0], payload) >= 128) set_text(event, "command refused");
    return quirk != QS_NESTS || !qs_field_number(&layout->fields[2], payload);
}

static void start(const struct qs_meaning *meaning, struct qs_values *values, struct tk_event *event) {
    values->count = 0;
    values->used = 0;
    event->kind = meaning->kind;
    event->str = meaning->words;
    event->str_len = meaning->words_len;
    event->payload = (struct tk_event_payload){ 0 };
}

bool qs_map_fixed(struct qs_dictionary *dictionary, const struct qs_layout *layout, const uint8_t *payload,
                  struct qs_values *values, struct tk_event *event) {
    const struct qs_meaning *meaning = layout->meaning;
    if (layout->kind == QS_NOTHING) return false;
    start(meaning, values, event);
    for (unsigned i = 0; i < layout->set_count; i++) {
        const struct qs_layout_set *set = &layout->sets[i];
        qs_set_field(event, set->at, set->size,
                     symbol_or_number(dictionary, layout, payload, &set->from) + (uint64_t)(int64_t)set->add);
    }
    const struct qs_field_info *info = layout->fields;
    for (unsigned details = meaning->details; details; details >>= 1, info++) {
        if (!(details & 1)) continue;
        uint64_t number = qs_field_number(info, payload);
        add_named(values, info->words, info->type, number,
                  is_symbol(info->type) ? symbol_of(dictionary, layout, payload, info->type, number) : 0);
    }
    return layout->quirk == QS_REGULAR || is_odd((enum qs_quirk)layout->quirk, layout, payload, event);
}

// ---- Other records -------------------------------------------------------------------------------

// Adds a field as an argument. receiver: the object that receives a signal; the name of the signal depends on it.
static void add_field(struct qs_dictionary *dictionary, struct qs_values *values, const char *name,
                      const struct qs_field *field, uint64_t receiver) {
    uint8_t type = field->info->type;
    size_t len;
    const char *text = type == QS_ENUM ? qs_dictionary_enum(dictionary, field->object, field->number, &len) : NULL;
    if (type == QS_SIGNAL_OF_OBJECT) receiver = field->object, type = QS_SIGNAL_NUMBER;
    if (text) add_text(values, name, (const uint8_t *)text, len);
    else if (is_symbol(type))
        add_named(values, name, type, field->number,
                  qs_dictionary_symbol(dictionary, (enum qs_symbol_kind)type, field->number,
                                       type == QS_SIGNAL_NUMBER ? receiver : 0));
    else if (type == QS_ENUM) add_number(values, name, TK_VALUE_UINT, field->number);
    else add_plain(values, name, field);
}

static void map_user(struct qs_dictionary *dictionary, const struct qs_record *record, struct qs_values *values,
                     struct tk_event *event) {
    static const struct qs_meaning meaning = { .kind = TK_EV_APP_RECORD };
    static const char *const names[] = { "v0",  "v1",  "v2",  "v3",  "v4",  "v5",  "v6",  "v7",  "v8",  "v9",  "v10",
                                         "v11", "v12", "v13", "v14", "v15", "v16", "v17", "v18", "v19", "v20", "v21",
                                         "v22", "v23", "v24", "v25", "v26", "v27", "v28", "v29", "v30", "v31" };
    unsigned count =
        record->count < sizeof names / sizeof *names ? record->count : (unsigned)(sizeof names / sizeof *names);
    start(&meaning, values, event);
    event->app_record.record = qs_dictionary_symbol(dictionary, QS_SYMBOL_RECORD, record->id, 0);
    for (unsigned i = 0; i < count; i++) add_field(dictionary, values, names[i], &record->fields[i], 0);
}

static void set_constants(const struct qs_meaning *meaning, struct tk_event *event) {
    for (unsigned i = 0; i < QS_MAX_SETS && meaning->sets[i].size; i++) {
        const struct qs_set *set = &meaning->sets[i];
        if (!set->place) qs_set_field(event, set->at, set->size, (uint64_t)(int64_t)set->add);
    }
}

// Returns the object that gives the signals of the record their meaning.
static uint64_t receiver_of(const struct qs_record *record) {
    for (unsigned i = 0; i < record->count; i++)
        if (record->fields[i].info->type == QS_OBJECT_POINTER && record->fields[i].info->name[0] == 'o')
            return record->fields[i].number;
    return 0;
}

bool qs_map(struct qs_dictionary *dictionary, const struct qs_record *record, struct qs_values *values,
            struct tk_event *event) {
    if (record->fixed) return qs_map_fixed(dictionary, record->fixed, record->payload, values, event);
    if (record->user) return map_user(dictionary, record, values, event), true;
    if (record->layout->meaning->kind == QS_NOTHING) return false;
    uint64_t receiver = receiver_of(record);
    start(record->layout->meaning, values, event);
    set_constants(record->layout->meaning, event);
    for (unsigned i = 0; i < record->count; i++)
        add_field(dictionary, values, qs_words(record->fields[i].info->name), &record->fields[i], receiver);
    if (record->id == 64 && record->info.reset) set_text(event, "target reset"), event->note.target_begins = 1;
    if (record->id != 69) return true;
    event->assertion.location = (int64_t)record->fields[0].number;
    event->str = values->list[1].text;
    event->str_len = values->list[1].text_len;
    return true;
}
