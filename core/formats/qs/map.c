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

// The object by which a record's signal is to be understood.
static uint64_t object_of(const struct qs_record *record) {
    if (record->id == 37) return record->count > 2 ? qs_number(record, 2) : 0;
    for (unsigned i = 0; i < record->count; i++)
        if (qs_info(record, i)->type == QS_OBJECT_POINTER && qs_info(record, i)->name[0] == 'o') return qs_number(record, i);
    return 0;
}

static void add_named(struct qs_dictionary *dictionary, struct qs_values *values, const char *name, const struct qs_field *field, uint64_t object) {
    uint32_t symbol = 0;
    size_t len;
    const char *text = NULL;
    switch (field->info->type) {
    case QS_OBJECT_POINTER: symbol = qs_dictionary_object(dictionary, field->number); break;
    case QS_FUNCTION_POINTER: symbol = qs_dictionary_function(dictionary, field->number); break;
    case QS_SIGNAL_NUMBER: symbol = qs_dictionary_signal(dictionary, field->number, object); break;
    case QS_SIGNAL_OF_OBJECT: symbol = qs_dictionary_signal(dictionary, field->number, field->object); break;
    case QS_ENUM: text = qs_dictionary_enum(dictionary, field->object, field->number, &len); break;
    default: add_plain(values, name, field); return;
    }
    if (text) add_text(values, name, (const uint8_t *)text, len);
    else if (field->info->type == QS_ENUM) add_number(values, name, TK_VALUE_UINT, field->number);
    else if (symbol) add_number(values, name, TK_VALUE_SYMBOL, symbol);
    else if (field->info->type == QS_SIGNAL_NUMBER || field->info->type == QS_SIGNAL_OF_OBJECT) add_number(values, name, TK_VALUE_UINT, field->number);
    else add_text(values, name, (const uint8_t *)"none", 4);
}

static const char *words_of(const struct qs_field_info *info) { return info->words ? info->words : qs_words(info->name); }

// Bit n of `without`: field n is told otherwise.
static void add_details(struct qs_dictionary *dictionary, struct qs_values *values, const struct qs_record *record, unsigned without) {
    if (!(((1u << (record->count < 31 ? record->count : 31)) - 1) & ~without)) return;
    uint64_t object = object_of(record);
    struct qs_field room;
    for (unsigned i = 0; i < record->count; i++)
        if (i > 31 || !(without >> i & 1)) add_named(dictionary, values, words_of(qs_info(record, i)), qs_field_of(record, i, &room), object);
}

// ---- Records -----------------------------------------------------------------------------------

struct mapping {
    struct qs_dictionary *dictionary;
    const struct qs_record *record;
    struct qs_values *values;
    struct tk_event *event;
};

static uint64_t field(const struct mapping *m, unsigned index) { return qs_number(m->record, index); }
static uint32_t object(const struct mapping *m, unsigned index) { return qs_dictionary_object(m->dictionary, field(m, index)); }
static uint32_t function(const struct mapping *m, unsigned index) { return qs_dictionary_function(m->dictionary, field(m, index)); }
static uint32_t signal(const struct mapping *m, unsigned index, unsigned object_index) {
    return qs_dictionary_signal(m->dictionary, field(m, index), field(m, object_index));
}

static bool show(const struct mapping *m, enum tk_event_kind kind, uint32_t id, unsigned without) {
    m->event->kind = (uint8_t)kind;
    m->event->id = id;
    add_details(m->dictionary, m->values, m->record, without);
    return true;
}

static bool note(const struct mapping *m, enum tk_note note, uint32_t id, uint32_t symbol, unsigned without) {
    m->event->arg = symbol;
    m->event->value = note;
    return show(m, TK_EV_OBJECT_NOTE, id, without);
}

static void words(const struct mapping *m, const char *text) {
    m->event->str = text;
    m->event->str_len = (uint32_t)strlen(text);
}

static bool say(const struct mapping *m, enum tk_note_track track, const char *text) {
    words(m, text);
    return show(m, TK_EV_NOTE, track, 0);
}

static bool end_step(const struct mapping *m, enum tk_outcome outcome, unsigned state) {
    m->event->arg = signal(m, 0, 1);
    m->event->by = function(m, state);
    m->event->value = outcome;
    return show(m, TK_EV_STEP_END, object(m, 1), 1 | 2 | 1u << state | (outcome == TK_OUTCOME_TRANSITION ? 0 : 4));
}

// Signal, receiver and free places of queue records; `at`: index of the signal.
static bool queue(const struct mapping *m, enum tk_event_kind kind, unsigned at, uint16_t version) {
    m->event->arg = signal(m, at, at + 1);
    m->event->value = m->record->count > at + 4 ? (int64_t)field(m, at + 4) : 0;
    bool post = m->record->id == 14 || m->record->id == 15 || m->record->id == 19 || m->record->id == 20;
    if (post && version < 636 && m->event->value) m->event->value--; // these count before the event went in
    if (at) m->event->by = object(m, 0);
    return show(m, kind, object(m, at + 1), 3u << at | (at ? 1 : 0));
}

static bool map_machine(const struct mapping *m) {
    switch (m->record->id) {
    case 1: return note(m, TK_NOTE_ENTRY, object(m, 0), function(m, 1), 3);
    case 2: return note(m, TK_NOTE_EXIT, object(m, 0), function(m, 1), 3);
    case 3: return note(m, TK_NOTE_INITIAL, object(m, 0), function(m, 2), 5);
    case 4:
        m->event->by = function(m, 1);
        return show(m, TK_EV_STATE_ENTERED, object(m, 0), 3);
    case 5: return end_step(m, TK_OUTCOME_INTERNAL, 2);
    case 6: return end_step(m, TK_OUTCOME_TRANSITION, 3);
    case 7: return end_step(m, TK_OUTCOME_IGNORED, 2);
    case 8:
        m->event->arg = signal(m, 0, 1);
        m->event->by = function(m, 2);
        return show(m, TK_EV_STEP_BEGIN, object(m, 1), 7);
    case 9: return note(m, TK_NOTE_UNHANDLED, object(m, 1), signal(m, 0, 1), 3);
    default: return note(m, m->record->id == 55 ? TK_NOTE_HISTORY : m->record->id == 56 ? TK_NOTE_ENTRY : TK_NOTE_EXIT, object(m, 0), function(m, 2), 5);
    }
}

static bool map_active(const struct mapping *m, uint16_t version) {
    switch (m->record->id) {
    case 10:
    case 11:
        m->event->by = object(m, 1);
        return note(m, m->record->id == 10 ? TK_NOTE_DEFERRED : TK_NOTE_RECALLED, object(m, 0), signal(m, 2, 0), 5);
    case 12: return note(m, TK_NOTE_SUBSCRIBED, object(m, 1), signal(m, 0, 1), 3);
    case 13: return note(m, TK_NOTE_UNSUBSCRIBED, object(m, 1), signal(m, 0, 1), 3);
    case 14: return queue(m, TK_EV_POSTED, 1, version);
    case 15: return queue(m, TK_EV_POSTED_FIRST, 0, version);
    case 16: return queue(m, TK_EV_GOT, 0, version);
    case 17: return queue(m, TK_EV_GOT_LAST, 0, version);
    case 45: return queue(m, TK_EV_POST_FAILED, 1, version);
    case 19: return queue(m, TK_EV_STORED, 0, version);
    case 20: return queue(m, TK_EV_STORED_FIRST, 0, version);
    case 21: return queue(m, TK_EV_FETCHED, 0, version);
    case 22: return queue(m, TK_EV_FETCHED_LAST, 0, version);
    case 46: return queue(m, TK_EV_STORE_FAILED, 0, version);
    case 18:
        words(m, "nothing to recall");
        return note(m, TK_NOTE_RECALLED, object(m, 0), 0, 1);
    default: return say(m, TK_NOTE_OF_FAILURES, "defer failed");
    }
}

static bool map_timer(const struct mapping *m) {
    uint8_t id = m->record->id;
    m->event->by = object(m, id == 37 ? 2 : 1);
    if (id == 32 || id == 36) {
        m->event->value = (int64_t)field(m, 2);
        m->event->arg = field(m, 3) > UINT32_MAX ? UINT32_MAX : (uint32_t)field(m, 3);
        return show(m, TK_EV_TIMER_ARMED, object(m, 0), 1);
    }
    if (id == 37) {
        m->event->arg = qs_dictionary_signal(m->dictionary, field(m, 1), field(m, 2));
        return show(m, TK_EV_TIMER_FIRED, object(m, 0), 1);
    }
    if (id == 34) return false; // it was not armed: nothing changes
    return show(m, TK_EV_TIMER_DISARMED, object(m, 0), 1);
}

// Records that come in masses and say one number; no details.
static bool map_kernel(const struct mapping *m, uint16_t version) {
    uint8_t id = m->record->id, number = id == 50 || id == 51;
    struct tk_event *event = m->event;
    switch (id) {
    case 31:
        event->kind = TK_EV_TICKED;
        event->value = (int64_t)field(m, 0);
        number = 1;
        break;
    case 39: event->kind = TK_EV_CRITICAL_ENTERED; return true;
    case 40: event->kind = TK_EV_CRITICAL_LEFT; return true;
    case 41: event->kind = TK_EV_ISR_ENTER; return true;
    case 42: event->kind = TK_EV_ISR_EXIT; return true;
    case 50: event->kind = TK_EV_CEILING_RAISED; break;
    case 51: event->kind = TK_EV_CEILING_LOWERED; break;
    case 53: event->kind = TK_EV_PRIORITY_RUNS; return true; // 0: nobody
    default:
        event->kind = TK_EV_PRIORITY_RUNS;
        if (version >= 710 || id == 52 || id == 54) break;
        event->kind = id == 48 ? TK_EV_CEILING_RAISED : TK_EV_CEILING_LOWERED; // a mutex that raises the ceiling
        number = 1;
        break;
    }
    event->arg = (uint32_t)field(m, number);
    return true;
}

static bool is_kernel(uint8_t id, uint16_t version) { return id == 31 || (id >= 39 && id <= 42) || (id >= 48 && id <= 53) || (id == 54 && version < 720); }

static bool map_lock(const struct mapping *m) {
    static const char *const said[] = { "taken", "blocked", "signalled", "take failed", NULL, "blocked", NULL, "lock failed", "block failed", "unlock failed" };
    uint8_t id = m->record->id;
    if (said[id - 71]) words(m, said[id - 71]);
    m->event->arg = id == 73 || id == 74 ? 0 : (uint32_t)field(m, id == 76 ? 2 : 1);
    if (id <= 74) {
        m->event->value = (int64_t)field(m, 2);
        return show(m, id == 72 ? TK_EV_THREAD_BLOCKED : TK_EV_SEMAPHORE_COUNT, object(m, 0), 5);
    }
    if (id == 75) return show(m, TK_EV_LOCK_HELD, object(m, 0), 1);
    if (id == 76) {
        m->event->value = -1;
        return show(m, TK_EV_THREAD_BLOCKED, object(m, 0), 1);
    }
    // Given back only by the last of nested unlocks.
    if (id == 77 && field(m, 2)) return false;
    return show(m, id == 77 ? TK_EV_LOCK_FREE : TK_EV_LOCK_NOTE, object(m, 0), 1);
}

static bool map_user(const struct mapping *m) {
    static const char *const names[] = {
        "v0", "v1", "v2", "v3", "v4", "v5", "v6", "v7", "v8", "v9", "v10", "v11", "v12", "v13", "v14", "v15", "v16", "v17", "v18", "v19",
        "v20", "v21", "v22", "v23", "v24", "v25", "v26", "v27", "v28", "v29", "v30", "v31"
    };
    unsigned count = m->record->count < sizeof names / sizeof *names ? m->record->count : (unsigned)(sizeof names / sizeof *names);
    m->event->kind = TK_EV_RECORD;
    m->event->id = qs_dictionary_record(m->dictionary, m->record->id);
    for (unsigned i = 0; i < count; i++) add_named(m->dictionary, m->values, names[i], &m->record->fields[i], 0);
    return true;
}

static bool map_rest(const struct mapping *m) {
    switch (m->record->id) {
    case 23: return say(m, TK_NOTE_OF_FAILURES, "new event failed");
    case 24:
    case 25:
    case 47:
        m->event->value = (int64_t)field(m, 1);
        if (m->record->id == 24) m->event->least = (uint32_t)field(m, 2) + 1;
        return show(m, m->record->id == 47 ? TK_EV_POOL_FAILED : TK_EV_POOL_LEVEL, object(m, 0), 3);
    case 26:
        m->event->by = object(m, 0);
        m->event->arg = qs_dictionary_signal(m->dictionary, field(m, 1), 0);
        return show(m, TK_EV_PUBLISHED, 0, 3);
    case 27: return say(m, TK_NOTE_OF_MEMORY, "new reference");
    case 28: return say(m, TK_NOTE_OF_MEMORY, "new event");
    case 29: return say(m, TK_NOTE_OF_MEMORY, "still referenced");
    case 30: return say(m, TK_NOTE_OF_MEMORY, "event recycled");
    case 38: return say(m, TK_NOTE_OF_MEMORY, "reference deleted");
    case 58: return say(m, TK_NOTE_OF_TARGET, "test paused");
    case 59: return say(m, TK_NOTE_OF_TARGET, "test probe");
    case 64: return say(m, TK_NOTE_OF_TARGET, m->record->info.reset ? "target reset" : "target info");
    case 65: return say(m, TK_NOTE_OF_TARGET, "command done");
    case 66: return say(m, TK_NOTE_OF_TARGET, field(m, 0) < 128 ? "command accepted" : "command refused");
    case 67: return say(m, TK_NOTE_OF_TARGET, "query answer");
    case 68: return say(m, TK_NOTE_OF_TARGET, "memory read");
    case 69:
        m->event->value = (int64_t)field(m, 0);
        show(m, TK_EV_ASSERTED, 0, 0);
        m->event->str = m->values->list[1].text;
        m->event->str_len = m->values->list[1].text_len;
        return true;
    case 70: return say(m, TK_NOTE_OF_TARGET, "event loop starts");
    default: return false;
    }
}

bool qs_map(struct qs_dictionary *dictionary, const struct qs_record *record, uint16_t version, struct qs_values *values, struct tk_event *event) {
    struct mapping m = { dictionary, record, values, event };
    uint8_t id = record->id;
    values->count = 0;
    values->used = 0;
    if (record->user) return map_user(&m);
    if (is_kernel(id, version)) return map_kernel(&m, version);
    if (version < 620 && (id == 10 || id == 11 || id == 18 || id == 23 || id == 38)) return say(&m, TK_NOTE_OF_TARGET, record->name);
    if ((id >= 1 && id <= 9) || (id >= 55 && id <= 57)) return map_machine(&m);
    if ((id >= 10 && id <= 22) || id == 45 || id == 46 || id == 81) return map_active(&m, version);
    if (id >= 32 && id <= 37) return map_timer(&m);
    if (id >= 71 && id <= 80) return map_lock(&m);
    return map_rest(&m);
}
