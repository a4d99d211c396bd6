// SPDX-License-Identifier: MIT
#include "decode.h"

#include <string.h>

const uint64_t qs_masks[] = { 0,          0xFF,         0xFFFF,         0xFFFFFF,
                              0xFFFFFFFF, 0xFFFFFFFFFF, 0xFFFFFFFFFFFF, 0xFFFFFFFFFFFFFF,
                              UINT64_MAX };

// ---- Layouts -----------------------------------------------------------------------------------

static const char *const fields_of[QS_RECORDS] = {
#define QS_RECORD(number, name, fields, event, ...) [number] = fields,
#define QS_OLD(number, before, name, fields, event, ...) [QS_OLD_##name] = fields,
#include "records.def"
#undef QS_RECORD
#undef QS_OLD
};

#define TK_EV_NOTHING QS_NOTHING
#define QS_WORDS(text) .words = text, .words_len = sizeof text - 1

static const struct qs_meaning meanings[QS_RECORDS] = {
#define QS_RECORD(number, name, fields, event, ...) [number] = { .kind = TK_EV_##event, __VA_ARGS__ },
#define QS_OLD(number, before, name, fields, event, ...) [QS_OLD_##name] = { .kind = TK_EV_##event, __VA_ARGS__ },
#include "records.def"
#undef QS_RECORD
#undef QS_OLD
};

// Returns the index of a record in records.def; QS_RECORDS: unknown.
static unsigned index_of(uint8_t id, uint16_t version) {
    static const struct {
        uint8_t number, index;
        uint16_t before;
    } olds[] = {
#define QS_RECORD(number, name, fields, event, ...)
#define QS_OLD(number, before, name, fields, event, ...) { number, QS_OLD_##name, before },
#include "records.def"
#undef QS_RECORD
#undef QS_OLD
    };
    for (size_t i = 0; i < sizeof olds / sizeof *olds; i++)
        if (olds[i].number == id && version < olds[i].before) return olds[i].index;
    return id < QS_PREDEFINED && fields_of[id] ? id : QS_RECORDS;
}

const char *qs_record_fields(uint8_t id, uint16_t version) {
    unsigned index = index_of(id, version);
    return index < QS_RECORDS ? fields_of[index] : NULL;
}

const char *qs_words(const char *name) {
    static const char *const pairs[][2] = { { "sig", "signal" },      { "que", "queue" },   { "ref", "references" },
                                            { "min", "lowest free" }, { "obj", "object" },  { "ao", "object" },
                                            { "prio", "priority" },   { "ctr", "counter" }, { "was", "was armed" },
                                            { "loc", "location" },    { "cmd", "command" }, { "fun", "function" },
                                            { "offs", "offset" },     { "num", "count" },   { "prev", "before" },
                                            { "ver", "version" },     { "nest", "nesting" } };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        if (!strcmp(pairs[i][0], name)) return pairs[i][1];
    return name;
}

static uint8_t width_of(char letter, const struct qs_config *config) {
    static const char letters[] = "TOFSEQPC";
    const char *at = memchr(letters, letter, QS_SIZES);
    if (at) return config->size[at - letters];
    return letter == '1' || letter == '2' || letter == '4' ? (uint8_t)(letter - '0') : 0;
}

static uint8_t type_of(char letter) {
    switch (letter) {
    case 'O': return QS_OBJECT_POINTER;
    case 'F': return QS_FUNCTION_POINTER;
    case 'S': return QS_SIGNAL_NUMBER;
    case 'z': return QS_TEXT;
    case 'p': return QS_WORDS;
    default: return QS_UINT;
    }
}

static enum qs_quirk quirk_of(unsigned record, uint16_t version) {
    switch (record) {
    case 14:
    case 15:
    case 19:
    case 20: return version < 636 ? QS_COUNTS_BEFORE : QS_REGULAR;
    case 66: return QS_ANSWERS;
    case 77: return QS_NESTS;
    default: return QS_REGULAR;
    }
}

// Returns the field with the object that receives a signal: the last one of a time event's record, otherwise the one
// with that name.
static unsigned receiver_of(const struct qs_layout *layout) {
    const struct qs_set *sets = layout->meaning->sets;
    for (unsigned i = 0; i < QS_MAX_SETS && layout->meaning->kind == TK_EV_TIMER_FIRED; i++)
        if (sets[i].size && sets[i].at == offsetof(struct tk_event, time_event.object)) return sets[i].place;
    for (uint8_t i = 0; i < layout->count; i++)
        if (layout->fields[i].type == QS_OBJECT_POINTER && layout->fields[i].name[0] == 'o') return i + 1;
    return 0;
}

// place: number of the field + 1; 0: none.
static struct qs_place place_of(const struct qs_layout *layout, unsigned place) {
    if (!place) return (struct qs_place){ .type = QS_UINT };
    const struct qs_field_info *field = &layout->fields[place - 1];
    return (struct qs_place){ qs_masks[field->width], field->at, field->type };
}

static void set_places(struct qs_layout *layout) {
    const struct qs_set *sets = layout->meaning->sets;
    for (; layout->set_count < QS_MAX_SETS && sets[layout->set_count].size; layout->set_count++) {
        const struct qs_set *set = &sets[layout->set_count];
        layout->sets[layout->set_count] =
            (struct qs_layout_set){ place_of(layout, set->place), set->at, set->size, set->add };
    }
    layout->receiver = place_of(layout, receiver_of(layout));
}

static bool is_plain(const struct qs_layout *layout) {
    const struct qs_meaning *meaning = layout->meaning;
    if (meaning->details || meaning->words || meaning->kind == QS_NOTHING) return false;
    for (unsigned i = 0; i < layout->set_count; i++)
        if (layout->sets[i].from.type != QS_UINT) return false;
    return true;
}

static void build_layout(struct qs_layout *layout, unsigned record, const struct qs_config *config) {
    memset(layout, 0, sizeof *layout);
    if (record == QS_RECORDS) return;
    layout->record = (uint8_t)record;
    layout->meaning = &meanings[record];
    layout->kind = layout->meaning->kind;
    layout->quirk = (uint8_t)quirk_of(record, config->version);
    for (const char *at = fields_of[record]; *at; at += strlen(at) + 1) {
        uint8_t width = width_of(*at, config);
        if (!width || layout->fixed == 0xFF) layout->fixed = 0xFF;
        else layout->fixed = (uint8_t)(layout->fixed + width);
        if (*at == 'T') {
            layout->timed = true;
        } else {
            uint8_t begin = layout->fixed == 0xFF ? 0 : (uint8_t)(layout->fixed - width);
            layout->fields[layout->count++] =
                (struct qs_field_info){ at + 1, qs_words(at + 1), width, type_of(*at), begin };
        }
    }
    if (layout->fixed != 0xFF) set_places(layout);
    layout->plain = is_plain(layout);
    for (unsigned details = layout->meaning->details; details; details >>= 1)
        layout->details = (uint8_t)(layout->details + (details & 1));
}

void qs_layouts_build(struct qs_layouts *layouts, const struct qs_config *config) {
    layouts->config = *config;
    layouts->first_user = config->version < 660 ? 70 : QS_USER_FIRST;
    memset(layouts->common, 0, sizeof layouts->common);
    for (unsigned id = 0; id < QS_PREDEFINED; id++) {
        struct qs_layout *layout = &layouts->of[id];
        build_layout(layout, index_of((uint8_t)id, config->version), config);
        bool is_common = layout->meaning && layout->fixed != 0xFF && id && id < layouts->first_user; // EMPTY may begin
                                                                                                     // a run
        layouts->common[id] = is_common ? layout : NULL;
    }
}

// ---- Fields ------------------------------------------------------------------------------------

struct reader {
    const uint8_t *at, *end;
    bool cut;
};

static uint64_t take(struct reader *reader, size_t width) {
    uint64_t value = 0;
    if ((size_t)(reader->end - reader->at) < width) {
        reader->cut = true;
        return 0;
    }
    for (size_t i = width; i--;) value = value << 8 | reader->at[i];
    reader->at += width;
    return value;
}

// Returns the length of a text up to its zero byte.
static size_t take_text(struct reader *reader) {
    const uint8_t *zero = memchr(reader->at, 0, (size_t)(reader->end - reader->at));
    if (!zero) {
        reader->cut = true;
        return 0;
    }
    size_t len = (size_t)(zero - reader->at);
    reader->at = zero + 1;
    return len;
}

static struct qs_field *add(struct qs_record *record, const char *name, enum qs_field_type type) {
    static const struct qs_field none;
    unsigned index = record->count < QS_MAX_FIELDS ? record->count++ : QS_MAX_FIELDS - 1;
    struct qs_field *field = &record->fields[index];
    *field = none;
    record->own[index] = (struct qs_field_info){ .name = name, .type = (uint8_t)type };
    field->info = &record->own[index];
    return field;
}

static void add_number(struct qs_record *record, struct reader *reader, const char *name, enum qs_field_type type,
                       size_t width) {
    uint64_t number = take(reader, width);
    if (!reader->cut) add(record, name, type)->number = number;
}

static void add_bytes(struct qs_record *record, struct reader *reader, const char *name, enum qs_field_type type,
                      size_t len) {
    if ((size_t)(reader->end - reader->at) < len) {
        reader->cut = true;
        return;
    }
    struct qs_field *field = add(record, name, type);
    field->bytes = reader->at;
    field->len = (uint16_t)len;
    reader->at += len;
}

static void add_text(struct qs_record *record, struct reader *reader, const char *name) {
    const uint8_t *text = reader->at;
    size_t len = take_text(reader);
    if (reader->cut) return;
    struct qs_field *field = add(record, name, QS_TEXT);
    field->bytes = text;
    field->len = (uint16_t)len;
}

static double as_real(uint64_t bits, size_t width) {
    if (width == 4) {
        uint32_t half = (uint32_t)bits;
        float value;
        memcpy(&value, &half, sizeof value);
        return value;
    }
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static void add_signed(struct qs_record *record, struct reader *reader, const char *name, size_t width) {
    uint64_t raw = take(reader, width), sign = (uint64_t)1 << (8 * width - 1);
    if (!reader->cut) add(record, name, QS_INT)->number = (raw ^ sign) - sign;
}

static void add_real(struct qs_record *record, struct reader *reader, const char *name, size_t width) {
    uint64_t raw = take(reader, width);
    if (!reader->cut) add(record, name, QS_REAL)->real = as_real(raw, width);
}

static void add_element(struct qs_record *record, struct reader *reader, const struct qs_config *config) {
    uint8_t format = *reader->at++, type = format & 15, width = format >> 4;
    uint64_t number;
    switch (type) {
    case 0:
        if (width < 8) {
            add_signed(record, reader, "i8", 1);
            break;
        }
        number = take(reader, 1);
        if (reader->cut) break;
        add(record, "enum", QS_ENUM)->number = number;
        record->fields[record->count - 1].object = width & 7;
        break;
    case 1: add_number(record, reader, "u8", QS_UINT, 1); break;
    case 2: add_signed(record, reader, "i16", 2); break;
    case 3: add_number(record, reader, "u16", QS_UINT, 2); break;
    case 4: add_signed(record, reader, "i32", 4); break;
    case 5: add_number(record, reader, "u32", QS_UINT, 4); break;
    case 6: add_real(record, reader, "f32", 4); break;
    case 7: add_real(record, reader, "f64", 8); break;
    case 8: add_text(record, reader, "str"); break;
    case 9:
        number = take(reader, 1);
        if (!reader->cut) add_bytes(record, reader, "mem", QS_MEMORY, (size_t)number);
        break;
    case 10: {
        number = take(reader, config->size[QS_SIGNAL]);
        uint64_t object = take(reader, config->size[QS_OBJECT]);
        if (reader->cut) break;
        struct qs_field *field = add(record, "sig", QS_SIGNAL_OF_OBJECT);
        field->number = number;
        field->object = object;
        break;
    }
    case 11: add_number(record, reader, "obj", QS_OBJECT_POINTER, config->size[QS_OBJECT]); break;
    case 12: add_number(record, reader, "fun", QS_FUNCTION_POINTER, config->size[QS_FUNCTION]); break;
    case 13: add_signed(record, reader, "i64", 8); break;
    case 14: add_number(record, reader, "u64", QS_UINT, 8); break;
    default: add_number(record, reader, "hex", QS_UINT, 4); break;
    }
}

// Adds fields from a list of letters and names, as in records.def.
static void add_list(struct qs_record *record, struct reader *reader, const char *list,
                     const struct qs_config *config) {
    for (; *list; list += strlen(list) + 1)
        add_number(record, reader, list + 1, type_of(*list), width_of(*list, config));
}

static void add_query(struct qs_record *record, struct reader *reader, const struct qs_config *config) {
    static const char *const before_810[] = { "Oobj\0Fstate\0",
                                              "Oobj\0Fstate\0",
                                              "Oobj\0Pfree\0Pmin\0",
                                              "Oobj\0Qfree\0Qmin\0",
                                              "Oobj\0Oao\0Cticks\0Cinterval\0Ssig\0"
                                              "1flags\0",
                                              "Oobj\0",
                                              NULL,
                                              NULL };
    static const char *const since_810[] = { "Oobj\0Fstate\0",
                                             "1prio\0"
                                             "2use\0"
                                             "2free\0"
                                             "2min\0",
                                             "Oobj\0"
                                             "2use\0"
                                             "2free\0"
                                             "2min\0"
                                             "2size\0",
                                             "Oobj\0"
                                             "2use\0"
                                             "2free\0"
                                             "2min\0",
                                             "Oobj\0Oao\0Cticks\0Cinterval\0Ssig\0"
                                             "1flags\0",
                                             "",
                                             NULL,
                                             "1id\0"
                                             "2use\0"
                                             "2free\0"
                                             "2min\0"
                                             "2size\0" };
    uint64_t kind = record->fields[0].number;
    const char *list = reader->cut || kind > 7 ? NULL : (config->version < 810 ? before_810 : since_810)[kind];
    if (list && kind == 1 && config->version < 690) list = "Oobj\0Qfree\0Qmin\0";
    if (list) add_list(record, reader, list, config);
}

static void add_info(struct qs_record *record, struct reader *reader) {
    const struct qs_target_info *info = &record->info;
    static const struct {
        const char *name;
        enum qs_size size;
    } sizes[] = { { "S", QS_SIGNAL }, { "E", QS_EVENT },  { "Q", QS_QUEUE },    { "C", QS_TIMER },
                  { "P", QS_POOL },   { "O", QS_OBJECT }, { "F", QS_FUNCTION }, { "T", QS_TIME } };
    if (!qs_target_info_read(reader->at, (size_t)(reader->end - reader->at), &record->info)) {
        reader->cut = true;
        return;
    }
    reader->at = reader->end;
    add(record, "ver", QS_UINT)->number = info->version;
    add(record, "date", QS_UINT)->number = info->date;
    add(record, "type", QS_UINT)->number = info->framework;
    add(record, "reset", QS_UINT)->number = info->reset;
    add(record, "be", QS_UINT)->number = info->big_endian;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        if (sizes[i].size == QS_POOL) add(record, "B", QS_UINT)->number = info->pool_block_size;
        add(record, sizes[i].name, QS_UINT)->number = info->size[sizes[i].size];
    }
    add(record, "maxact", QS_UINT)->number = info->max_objects;
    add(record, "maxpool", QS_UINT)->number = info->max_pools;
    add(record, "maxrate", QS_UINT)->number = info->max_rates;
    uint64_t date = info->build[5] * 10000u + info->build[4] * 100u + info->build[3],
             time = info->build[2] * 10000u + info->build[1] * 100u + info->build[0];
    add(record, "build_date", QS_UINT)->number = date;
    add(record, "build_time", QS_UINT)->number = time;
}

static void add_variable(struct qs_record *record, struct reader *reader, const char *name, uint8_t type,
                         const struct qs_config *config) {
    if (type == QS_TEXT) {
        add_text(record, reader, name);
    } else if (type == QS_WORDS) {
        uint64_t size = record->count > 2 ? record->fields[1].number : 0,
                 num = record->count > 2 ? record->fields[2].number : 0;
        if (size != 1 && size != 2 && size != 4) reader->cut = true;
        else add_bytes(record, reader, name, QS_WORDS, (size_t)(size * num));
        if (!reader->cut) record->fields[record->count - 1].object = size;
    } else if (record->id == 64) {
        add_info(record, reader);
    } else {
        add_query(record, reader, config);
    }
}

static enum qs_verdict decode_user(const struct qs_layouts *layouts, struct reader *reader, struct qs_record *record) {
    record->user = record->timed = true;
    record->ticks = take(reader, layouts->config.size[QS_TIME]);
    while (!reader->cut && reader->at < reader->end) {
        uint8_t format = *reader->at;
        unsigned before = record->count;
        add_element(record, reader, &layouts->config);
        if (record->count > before) record->fields[before].shown = format >> 4;
    }
    return reader->cut ? QS_SHORT : QS_OK;
}

enum qs_verdict qs_decode(const struct qs_layouts *layouts, uint8_t id, const uint8_t *payload, size_t len,
                          struct qs_record *record) {
    struct reader reader = { payload, payload + len, false };
    record->id = id;
    record->count = 0;
    record->user = record->timed = false;
    record->layout = record->fixed = NULL;
    if (id > QS_USER_LAST) return QS_UNKNOWN;
    if (id >= layouts->first_user) return decode_user(layouts, &reader, record);
    const struct qs_layout *layout = &layouts->of[id];
    if (!layout->meaning) return QS_UNKNOWN;
    if (layout->fixed != 0xFF && layout->fixed == len) {
        qs_decode_common(layout, id, payload, record);
        if (layout->timed) record->ticks = qs_number_at(payload, layouts->config.size[QS_TIME]);
        return QS_OK;
    }
    record->layout = layout;
    record->timed = layout->timed;
    if (layout->timed) record->ticks = take(&reader, layouts->config.size[QS_TIME]);
    for (unsigned i = 0; i < layout->count && !reader.cut; i++) {
        if (layout->fields[i].width)
            add_number(record, &reader, layout->fields[i].name, layout->fields[i].type, layout->fields[i].width);
        else add_variable(record, &reader, layout->fields[i].name, layout->fields[i].type, &layouts->config);
    }
    if (reader.cut) return QS_SHORT;
    return reader.at == reader.end ? QS_OK : QS_LONG;
}
