// SPDX-License-Identifier: MIT
#include "data.h"

#include "../../base/utf8.h"
#include "../../base/text.h"
#include "../kit/ids.h"

enum { LOG_TRACK = 1, DATA_GROUP, FIRST_PLACE }; // two tracks per dumped range of memory: instants and values
enum { FURTHER_PLACE = CM_MAX_PLACES };

// ---- Tracks ------------------------------------------------------------------------------------

static void define(struct cm_data *data, const struct tk_event *at, uint32_t id, const char *name, size_t len,
                   const struct tk_track_def *def) {
    struct tk_event event = *at;
    event.kind = TK_EV_TRACK_DEFINED;
    event.timed = false;
    event.str = tk_arena_copy(&data->batch->memory, name, len);
    event.str_len = event.str ? (uint32_t)len : 0;
    event.track_defined = (struct tk_event_track_defined){ id, tk_arena_copy(&data->batch->memory, def, sizeof *def) };
    if (!event.track_defined.definition) return;
    *tk_batch_slot(data->batch) = event;
    tk_batch_add(data->batch);
}

static struct tk_event *begin_instant(struct cm_data *data, const struct tk_event *at, uint32_t track, const char *name,
                                      size_t len) {
    struct tk_event *event = tk_batch_slot(data->batch);
    *event = *at;
    event->kind = TK_EV_TRACK_INSTANT;
    event->track_slice = (struct tk_event_track_slice){ .track = track };
    event->str = name;
    event->str_len = (uint32_t)len;
    event->mark = 0;
    return event;
}

static struct tk_value text_value(const char *name, const char *text, size_t len) {
    return (struct tk_value){ .name = name, .text = text, .text_len = (uint32_t)len, .type = TK_VALUE_TEXT };
}

// ---- Logs --------------------------------------------------------------------------------------

// Writes a log as one line: control characters become visible ones.
static size_t one_line(const char *text, size_t len, char *out) {
    enum { MOST = 80 };
    size_t at = 0, from = 0;
    while (from < len) {
        size_t next = from + 1;
        while (next < len && ((uint8_t)text[next] & 0xC0) == 0x80) next++;
        bool control = (uint8_t)text[from] < 0x20 || text[from] == 0x7F;
        size_t width = control ? 3 : next - from;
        if (at + width > MOST) break;
        memcpy(out + at, control ? "\xE2\x90\xA3" : text + from, width);
        at += width;
        from = next;
    }
    return at;
}

static void count_log(struct cm_data *data, const char *text, size_t len, uint64_t ticks) {
    uint32_t id = tk_strtab_intern(&data->texts, data->alloc, text, len);
    uint32_t index = id ? tk_idmap_find(&data->logged_by_text, id) : TK_NONE;
    if (index == TK_NONE) {
        if (!id || data->logged_count == CM_MAX_TEXTS ||
            !tk_ids_add(&data->logged_by_text, data->alloc, id, (void **)&data->logged, &data->logged_capacity,
                        data->logged_count, sizeof *data->logged)) {
            data->further_logs++;
            return;
        }
        index = data->logged_count++;
        data->logged[index] = (struct cm_logged){ .text = id, .first = ticks };
    }
    data->logged[index].count++;
    data->logged[index].last = ticks;
}

void cm_data_log(struct cm_data *data, const struct cm_record *record, const struct tk_event *at, const char *after,
                 size_t after_len) {
    struct tk_arena *memory = &data->batch->memory;
    size_t room = (size_t)record->data_len * TK_UTF8_GROWTH + 128 + 2 * sizeof(struct tk_value) + 16, bad = 0,
           count = 0;
    uint8_t *memory_at = tk_arena_reserve(memory, room);
    if (!memory_at) return;
    struct tk_value *values = (struct tk_value *)memory_at;
    char *line = (char *)(values + 2), *text = line + 128;
    size_t len = tk_utf8_clean(record->data, record->data_len, (uint8_t *)text, &bad),
           line_len = one_line(text, len, line);
    tk_arena_commit(memory, room);
    data->bad_texts += bad > 0;
    count_log(data, text, len, at->ticks);
    if (!data->log_track_defined)
        define(
            data, at, LOG_TRACK, "Log", 3,
            &(struct tk_track_def){
                .parent_kind = TK_PARENT_TARGET, .type = TK_TRACK_OF_SLICES, .category = TK_CATEGORY_LOG, .rank = 0 });
    data->log_track_defined = true;
    values[count++] = text_value("text", text, len);
    if (after_len) values[count++] = text_value("after", after, after_len);
    struct tk_event *event = begin_instant(data, at, LOG_TRACK, line_len ? line : "(empty)", line_len ? line_len : 7);
    event->values = values;
    event->value_count = (uint8_t)count;
    tk_batch_add(data->batch);
}

// ---- Dumps -------------------------------------------------------------------------------------

// Writes "g_stats", "cal+12" or "0x20000010"; a further length at the same address is added to the name.
static size_t name_of(const struct cm_data *data, const struct cm_place *place, char *text, size_t room) {
    struct tk_text words = tk_text_in(text, room);
    struct tk_symbol symbol;
    char shown[TK_SHOWN_NAME_LEN];
    if (data->symbols && tk_symbols_peek(data->symbols, place->address, &symbol)) {
        tk_text_put(&words, shown, tk_symbols_shown(&symbol, shown));
        if (symbol.offset) tk_text_add(&words, "+"), tk_text_u64(&words, symbol.offset);
    } else {
        tk_text_hex(&words, place->address, 8);
    }
    if (place->lengths_before) tk_text_add(&words, ", "), tk_text_count(&words, place->len, "bytes");
    return words.len;
}

static bool is_value(uint32_t len) { return len == 1 || len == 2 || len == 4; }

static void define_place(struct cm_data *data, const struct tk_event *at, uint32_t index) {
    const struct cm_place *place = &data->places[index];
    struct tk_track_def def = {
        .parent_kind = TK_PARENT_TRACK, .parent = DATA_GROUP, .type = TK_TRACK_OF_SLICES, .category = TK_CATEGORY_DATA
    };
    char text[TK_SHOWN_NAME_LEN + 64];
    size_t len = name_of(data, place, text, sizeof text - 8);
    define(data, at, FIRST_PLACE + 2 * index, text, len, &def);
    if (!is_value(place->len)) return;
    memcpy(text + len, " (value)", 8);
    def.type = TK_TRACK_OF_COUNTER;
    def.category = TK_CATEGORY_NONE;
    define(data, at, FIRST_PLACE + 2 * index + 1, text, len + 8, &def);
}

static void define_group(struct cm_data *data, const struct tk_event *at) {
    if (!data->group_track_defined)
        define(data, at, DATA_GROUP, "Data", 4,
               &(struct tk_track_def){ .parent_kind = TK_PARENT_TARGET, .type = TK_TRACK_OF_GROUP, .rank = 1 });
    data->group_track_defined = true;
}

static uint32_t further_place(struct cm_data *data, const struct tk_event *at) {
    static const struct tk_track_def def = {
        .parent_kind = TK_PARENT_TRACK, .parent = DATA_GROUP, .type = TK_TRACK_OF_SLICES, .category = TK_CATEGORY_DATA
    };
    if (!data->overflow_dumps++) define(data, at, FIRST_PLACE + 2 * FURTHER_PLACE, "further data", 12, &def);
    return FURTHER_PLACE;
}

static uint32_t place_of(struct cm_data *data, const struct cm_record *record, const struct tk_event *at) {
    uint64_t key = (uint64_t)record->address << 32 | record->data_len;
    uint32_t index = tk_idmap_find(&data->place_by_key, key),
             before = tk_idmap_find(&data->lengths_by_address, record->address);
    if (index != TK_NONE) return index;
    define_group(data, at);
    if (data->place_count == CM_MAX_PLACES) return further_place(data, at);
    if (!tk_alloc_grow(data->alloc, (void **)&data->places, &data->place_capacity, data->place_count + 1,
                       sizeof *data->places))
        return FURTHER_PLACE;
    index = data->place_count;
    before = before == TK_NONE ? 0 : before;
    if (!tk_idmap_set(&data->place_by_key, data->alloc, key, index) ||
        !tk_idmap_set(&data->lengths_by_address, data->alloc, record->address, before + 1))
        return FURTHER_PLACE;
    data->places[data->place_count++] =
        (struct cm_place){ .address = record->address, .len = record->data_len, .lengths_before = before };
    define_place(data, at, index);
    return index;
}

static void count_dump(struct cm_data *data, uint32_t index, const struct cm_record *record, uint64_t ticks) {
    if (index >= data->place_count) return;
    struct cm_place *place = &data->places[index];
    place->count++;
    place->last = ticks;
    place->last_len = record->data_len < CM_LAST_BYTES ? record->data_len : CM_LAST_BYTES;
    if (place->last_len) memcpy(place->last_bytes, record->data, place->last_len);
}

static uint64_t little_endian(const uint8_t *bytes, size_t len) {
    uint64_t value = 0;
    for (size_t i = len; i--;) value = value << 8 | bytes[i];
    return value;
}

// Writes the bytes of a dump as little-endian numbers of one width. Returns how many values that takes.
static size_t put_list(struct tk_value *values, const char *name, const struct cm_record *record, size_t width,
                       size_t most) {
    size_t count = record->data_len / width;
    if (!record->data_len || record->data_len % width || record->data_len > most) return 0;
    values[0] = (struct tk_value){ .name = name, .type = TK_VALUE_LIST, .number.u = count };
    for (size_t i = 0; i < count; i++)
        values[1 + i] =
            (struct tk_value){ .type = TK_VALUE_UINT, .number.u = little_endian(record->data + i * width, width) };
    return 1 + count;
}

static bool is_printable(const struct cm_record *record) {
    for (uint32_t i = 0; i < record->data_len; i++)
        if (record->data[i] < 0x20 || record->data[i] > 0x7E) return false;
    return record->data_len > 0;
}

struct dump_room {
    struct tk_value values[40];
    char address[16], hex[2 * 256 + 1], name[TK_SHOWN_NAME_LEN], source[TK_SHOWN_NAME_LEN + 1], text[256];
};

static size_t put_symbol(const struct cm_data *data, const struct cm_record *record, struct dump_room *room,
                         size_t count) {
    struct tk_symbol symbol;
    if (!data->symbols || !tk_symbols_variable(data->symbols, record->address, &symbol)) return count;
    struct tk_text source = tk_text_in(room->source, sizeof room->source);
    tk_text_put(&source, symbol.source_len ? symbol.source : symbol.object,
                symbol.source_len ? symbol.source_len : symbol.object_len);
    room->values[count++] = text_value("symbol", room->name, tk_symbols_shown(&symbol, room->name));
    if (source.len) room->values[count++] = text_value("file", room->source, source.len);
    return count;
}

static size_t describe(const struct cm_data *data, const struct cm_record *record, struct dump_room *room) {
    struct tk_text address = tk_text_in(room->address, sizeof room->address),
                   hex = tk_text_in(room->hex, sizeof room->hex);
    size_t count = 0, shown = record->data_len < 256 ? record->data_len : 256;
    tk_text_hex(&address, record->address, 8);
    tk_text_hex_bytes(&hex, record->data, shown, "");
    room->values[count++] = text_value("address", room->address, address.len);
    room->values[count++] = (struct tk_value){ .name = "length", .type = TK_VALUE_UINT, .number.u = record->data_len };
    room->values[count++] = text_value("hex", room->hex, hex.len);
    count = put_symbol(data, record, room, count);
    if (is_printable(record)) {
        memcpy(room->text, record->data, shown);
        room->values[count++] = text_value("text", room->text, shown);
    }
    count += put_list(&room->values[count], "u32", record, 4, 64);
    count += put_list(&room->values[count], "u16", record, 2, 16);
    return count;
}

void cm_data_dump(struct cm_data *data, const struct cm_record *record, const struct tk_event *at) {
    enum { IN_NAME = 16 };
    uint32_t index = place_of(data, record, at);
    struct dump_room *room = (struct dump_room *)tk_arena_reserve(&data->batch->memory, sizeof *room);
    if (!room) return;
    tk_arena_commit(&data->batch->memory, sizeof *room);
    size_t count = describe(data, record, room), shown = record->data_len < IN_NAME ? record->data_len : IN_NAME;
    count_dump(data, index, record, at->ticks);
    struct tk_event *event =
        begin_instant(data, at, FIRST_PLACE + 2 * index, shown ? room->hex : "no bytes", shown ? 2 * shown : 8);
    event->values = room->values;
    event->value_count = (uint8_t)count;
    tk_batch_add(data->batch);
    if (index == FURTHER_PLACE || !is_value(record->data_len)) return;
    struct tk_event *value = tk_batch_slot(data->batch);
    *value = *at;
    value->kind = TK_EV_TRACK_COUNT;
    value->track_count =
        (struct tk_event_track_count){ .track = FIRST_PLACE + 2 * index + 1,
                                       .number = (int64_t)little_endian(record->data, record->data_len) };
    value->value_count = 0;
    value->mark = 0;
    tk_batch_add(data->batch);
}

// ---- Tables ------------------------------------------------------------------------------------

static const struct tk_column logs_columns[] = {
    { "name", "Log", TK_COLUMN_NAME, TK_ROLE_VALUE, NULL, TK_FOLD_NONE },
    { "count", "Count", TK_COLUMN_COUNT, TK_ROLE_VALUE, NULL, TK_FOLD_SUM },
    { "first", "First", TK_COLUMN_TIME, TK_ROLE_VALUE, NULL, TK_FOLD_NONE },
    { "last", "Last", TK_COLUMN_TIME, TK_ROLE_VALUE, NULL, TK_FOLD_NONE },
};
static const struct tk_table logs_table = { "logs",        "Logs",  TK_TABLE_COLUMNS(logs_columns),
                                            TK_TABLE_LIST, "count", "Texts that the target logged." };

static void put_logs(const struct cm_data *data, const struct tk_table_sink *sink) {
    tk_table_begin(sink, &logs_table);
    for (uint32_t i = 0; i < data->logged_count; i++) {
        size_t len;
        const char *text = tk_strtab_text(&data->texts, data->logged[i].text, &len);
        if (len) tk_cell_text(sink, text, len);
        else tk_cell_word(sink, "(empty)");
        tk_cell_uint(sink, data->logged[i].count);
        tk_cell_ticks(sink, data->logged[i].first);
        tk_cell_ticks(sink, data->logged[i].last);
    }
    if (data->further_logs) {
        tk_cell_word(sink, "further logs");
        tk_cell_uint(sink, data->further_logs);
        tk_cell_none(sink);
        tk_cell_none(sink);
    }
    tk_table_end(sink);
}

static void put_place(const struct cm_data *data, const struct tk_table_sink *sink, const struct cm_place *place) {
    char text[TK_SHOWN_NAME_LEN + 64];
    tk_cell_text(sink, text, name_of(data, place, text, sizeof text));
    struct tk_text hex = tk_text_in(text, sizeof text);
    tk_text_hex(&hex, place->address, 8);
    tk_cell_text(sink, text, hex.len);
    tk_cell_uint(sink, place->len);
    tk_cell_uint(sink, place->count);
    hex = tk_text_in(text, sizeof text);
    tk_text_hex_bytes(&hex, place->last_bytes, place->last_len, "");
    tk_cell_text(sink, text, hex.len);
    tk_cell_ticks(sink, place->last);
}

static const struct tk_column dumps_columns[] = {
    { "name", "Data", TK_COLUMN_NAME, TK_ROLE_VALUE, NULL, TK_FOLD_NONE },
    { "address", "Address", TK_COLUMN_TEXT, TK_ROLE_KEY, NULL, TK_FOLD_NONE },
    { "length", "Length", TK_COLUMN_COUNT, TK_ROLE_VALUE, "bytes", TK_FOLD_NONE },
    { "count", "Count", TK_COLUMN_COUNT, TK_ROLE_VALUE, NULL, TK_FOLD_SUM },
    { "last", "Last bytes", TK_COLUMN_TEXT, TK_ROLE_NOTE, NULL, TK_FOLD_NONE },
    { "last_at", "At", TK_COLUMN_TIME, TK_ROLE_AT, NULL, TK_FOLD_NONE },
};
static const struct tk_table dumps_table = { "dumps",       "Dumps of memory", TK_TABLE_COLUMNS(dumps_columns),
                                             TK_TABLE_LIST, "count",           "Memory that the target sent." };

static void put_dumps(const struct cm_data *data, const struct tk_table_sink *sink) {
    tk_table_begin(sink, &dumps_table);
    for (uint32_t i = 0; i < data->place_count; i++) put_place(data, sink, &data->places[i]);
    if (data->overflow_dumps) {
        tk_cell_word(sink, "further data");
        for (int i = 0; i < 2; i++) tk_cell_none(sink);
        tk_cell_uint(sink, data->overflow_dumps);
        for (int i = 0; i < 2; i++) tk_cell_none(sink);
    }
    tk_table_end(sink);
}

const struct tk_table *const cm_data_table_list[] = { &logs_table, &dumps_table, NULL };

void cm_data_tables(const struct cm_data *data, const struct tk_table_sink *sink) {
    put_logs(data, sink);
    put_dumps(data, sink);
}
