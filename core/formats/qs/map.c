// SPDX-License-Identifier: MIT
#include "map.h"

#include <string.h>

#include "../../base/utf8.h"

// ---- Values ------------------------------------------------------------------------------------

static struct tk_value *add(struct qs_values *values, const char *name, enum tk_value_type type) {
    static const struct tk_value none;
    if (values->count == QS_MAX_VALUES) return NULL;
    struct tk_value *value = &values->list[values->count++];
    *value = none;
    value->name = name;
    value->type = (uint8_t)type;
    return value;
}

static void add_number(struct qs_values *values, const char *name, enum tk_value_type type, uint64_t number) {
    struct tk_value *value = add(values, name, type);
    if (value) value->number.u = number;
}

static bool put(struct qs_values *values, const char *text, size_t len) {
    if (QS_TEXT_ROOM - values->used < len) return false;
    if (len) memcpy(values->room + values->used, text, len);
    values->used += len;
    return true;
}

static void put_hex(struct qs_values *values, uint64_t number, unsigned digits) {
    static const char letters[] = "0123456789abcdef";
    char text[16];
    for (unsigned i = 0; i < digits; i++) text[i] = letters[number >> 4 * (digits - 1 - i) & 15];
    put(values, text, digits);
}

static void put_number(struct qs_values *values, uint64_t number) {
    char digits[20];
    size_t at = sizeof digits;
    do digits[--at] = (char)('0' + number % 10); while (number /= 10);
    put(values, digits + at, sizeof digits - at);
}

static unsigned hex_digits(uint64_t number) {
    unsigned digits = 1;
    while (digits < 16 && number >> 4 * digits) digits++;
    return digits;
}

static void end_text(struct qs_values *values, const char *name, size_t from) {
    struct tk_value *value = add(values, name, TK_VALUE_TEXT);
    if (!value) return;
    value->text = values->room + from;
    value->text_len = (uint32_t)(values->used - from);
}

// A text of the recording; what is no valid UTF-8 is mended.
static void add_text(struct qs_values *values, const char *name, const uint8_t *text, size_t len) {
    size_t from = values->used, bad;
    if (tk_utf8_is_clean(text, len)) put(values, (const char *)text, len);
    else if (QS_TEXT_ROOM - from >= len * TK_UTF8_GROWTH) values->used += tk_utf8_clean(text, len, (uint8_t *)values->room + from, &bad);
    end_text(values, name, from);
}

static void add_memory(struct qs_values *values, const char *name, const struct qs_field *field) {
    size_t from = values->used;
    for (unsigned i = 0; i < field->len; i++) put_hex(values, field->bytes[i], 2);
    if (!field->len) put(values, "-", 1);
    end_text(values, name, from);
}

static void add_words(struct qs_values *values, const char *name, const struct qs_field *field) {
    size_t from = values->used, size = (size_t)field->object;
    for (size_t at = 0; at + size <= field->len; at += size) {
        uint64_t word = 0;
        for (size_t i = size; i--;) word = word << 8 | field->bytes[at + i];
        if (at) put(values, ",", 1);
        put_hex(values, word, hex_digits(word));
    }
    end_text(values, name, from);
}

static void add_pair(struct qs_values *values, const char *name, const struct qs_field *field) {
    size_t from = values->used;
    bool is_enum = field->info->type == QS_ENUM;
    put_number(values, is_enum ? field->object : field->number);
    put(values, is_enum ? "/" : "/0x", is_enum ? 1 : 3);
    if (is_enum) put_number(values, field->number);
    else put_hex(values, field->object, hex_digits(field->object));
    end_text(values, name, from);
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

void qs_values_plain(struct qs_values *values, const struct qs_record *record, uint8_t sequence) {
    values->count = 0;
    values->used = 0;
    add_number(values, "seq", TK_VALUE_UINT, sequence);
    add_number(values, "number", TK_VALUE_UINT, record->id);
    if (record->timed) add_number(values, "counts", TK_VALUE_UINT, record->ticks);
    struct qs_field room;
    for (unsigned i = 0; i < record->count; i++) add_plain(values, qs_info(record, i)->name, qs_field_of(record, i, &room));
}

// ---- Records -----------------------------------------------------------------------------------

struct mapping {
    struct qs_dictionary *dictionary;
    const struct qs_record *record;
    struct qs_values *values;
    struct tk_event *event;
};

static bool is_symbol(uint8_t type) { return type <= QS_SIGNAL_NUMBER; }

// receiver: of a signal.
static uint32_t symbol_of(const struct mapping *m, uint8_t type, uint64_t number, uint64_t receiver) {
    return qs_dictionary_symbol(m->dictionary, (enum qs_symbol_kind)type, number, type == QS_SIGNAL_NUMBER ? receiver : 0);
}

// A number, or a symbol where it has one.
static void add_named(const struct mapping *m, const char *name, uint8_t type, uint64_t number, uint32_t symbol) {
    if (symbol) add_number(m->values, name, TK_VALUE_SYMBOL, symbol);
    else if (type == QS_OBJECT_POINTER || type == QS_FUNCTION_POINTER) add_text(m->values, name, (const uint8_t *)"none", 4);
    else add_number(m->values, name, TK_VALUE_UINT, number);
}

// Any field of a record that is not of fixed length.
static void add_field(const struct mapping *m, const char *name, const struct qs_field *field, uint64_t receiver) {
    uint8_t type = field->info->type;
    size_t len;
    const char *text = type == QS_ENUM ? qs_dictionary_enum(m->dictionary, field->object, field->number, &len) : NULL;
    if (text) add_text(m->values, name, (const uint8_t *)text, len);
    else if (is_symbol(type)) add_named(m, name, type, field->number, symbol_of(m, type, field->number, receiver));
    else if (type == QS_SIGNAL_OF_OBJECT) add_named(m, name, type, field->number, qs_dictionary_symbol(m->dictionary, QS_SYMBOL_SIGNAL, field->number, field->object));
    else if (type == QS_ENUM) add_number(m->values, name, TK_VALUE_UINT, field->number);
    else add_plain(m->values, name, field);
}

static bool map_user(const struct mapping *m) {
    static const char *const names[] = {
        "v0", "v1", "v2", "v3", "v4", "v5", "v6", "v7", "v8", "v9", "v10", "v11", "v12", "v13", "v14", "v15", "v16", "v17", "v18", "v19",
        "v20", "v21", "v22", "v23", "v24", "v25", "v26", "v27", "v28", "v29", "v30", "v31"
    };
    unsigned count = m->record->count < sizeof names / sizeof *names ? m->record->count : (unsigned)(sizeof names / sizeof *names);
    m->event->kind = TK_EV_RECORD;
    m->event->value = 0;
    m->event->str_len = 0;
    m->event->id = qs_dictionary_symbol(m->dictionary, QS_SYMBOL_RECORD, m->record->id, 0);
    for (unsigned i = 0; i < count; i++) add_field(m, names[i], &m->record->fields[i], 0);
    return true;
}

static void say(const struct mapping *m, const char *words) {
    m->event->str = words;
    m->event->str_len = (uint32_t)strlen(words);
}

// The object by which the signals of a record are to be understood is called so.
static uint64_t receiver_of(const struct qs_record *record) {
    for (unsigned i = 0; i < record->count; i++)
        if (record->fields[i].info->type == QS_OBJECT_POINTER && record->fields[i].info->name[0] == 'o') return record->fields[i].number;
    return 0;
}

// Everything is told with its name.
static bool map_variable(const struct mapping *m) {
    const struct qs_record *record = m->record;
    uint64_t receiver = receiver_of(record);
    for (unsigned i = 0; i < record->count; i++) add_field(m, qs_words(record->fields[i].info->name), &record->fields[i], receiver);
    if (record->id == 64 && record->info.reset) say(m, "target reset");
    if (record->id != 69) return true;
    m->event->value = (int64_t)record->fields[0].number;
    m->event->str = m->values->list[1].text;
    m->event->str_len = m->values->list[1].text_len;
    return true;
}

// ---- The usual record: nothing but numbers -------------------------------------------------------

static uint64_t number_at(const struct mapping *m, unsigned place) { return qs_number(m->record, place - 1); }

static uint32_t symbol_at(const struct mapping *m, unsigned place) {
    const struct qs_layout *layout = m->record->fixed;
    uint8_t type = layout->fields[place - 1].type;
    return symbol_of(m, type, number_at(m, place), type == QS_SIGNAL_NUMBER && layout->receiver ? number_at(m, layout->receiver) : 0);
}

static uint32_t symbol_or_number(const struct mapping *m, unsigned place) {
    if (!place) return 0;
    if (is_symbol(m->record->fixed->fields[place - 1].type)) return symbol_at(m, place);
    uint64_t number = number_at(m, place);
    return number > UINT32_MAX ? UINT32_MAX : (uint32_t)number;
}

static void add_details(const struct mapping *m, unsigned details) {
    const struct qs_field_info *fields = m->record->fixed->fields;
    for (unsigned place = 1; details; details >>= 1, place++) {
        const struct qs_field_info *info = &fields[place - 1];
        if (details & 1) add_named(m, info->words, info->type, number_at(m, place), is_symbol(info->type) ? symbol_at(m, place) : 0);
    }
}

static bool map_fixed(const struct mapping *m, const struct qs_meaning *meaning) {
    struct tk_event *event = m->event;
    if (meaning->kind == TK_EV_LOCK_FREE && number_at(m, 3)) return false; // given back only by the last of nested unlocks
    event->arg = symbol_or_number(m, meaning->arg);
    event->by = symbol_or_number(m, meaning->by);
    if (meaning->kind != TK_EV_NOTE) event->id = symbol_or_number(m, meaning->id);
    if (meaning->value) event->value = (int64_t)number_at(m, meaning->value);
    if (meaning->least) event->least = (uint32_t)number_at(m, meaning->least) + 1;
    add_details(m, meaning->details);
    if (m->record->fixed->counts_before && event->value) event->value--;
    if (m->record->id == 66 && number_at(m, 1) >= 128) say(m, "command refused");
    return true;
}

bool qs_map(struct qs_dictionary *dictionary, const struct qs_record *record, struct qs_values *values, struct tk_event *event) {
    struct mapping m = { dictionary, record, values, event };
    values->count = 0;
    values->used = 0;
    event->arg = event->by = event->least = 0;
    if (record->user) return map_user(&m);
    const struct qs_meaning *meaning = record->layout->meaning;
    event->kind = meaning->kind;
    event->id = meaning->kind == TK_EV_NOTE ? meaning->id : 0;
    event->value = meaning->constant;
    event->str = meaning->words;
    event->str_len = meaning->words_len;
    if (meaning->kind == QS_NOTHING) return false;
    return record->fixed ? map_fixed(&m, meaning) : map_variable(&m);
}
