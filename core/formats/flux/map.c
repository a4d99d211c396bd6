// SPDX-License-Identifier: MIT
//
// Traces, items and samples -> groups and signals.
#include "flux.h"

#include <string.h>

static bool is_word(struct tk_span text, const char *word) {
    return text.len == strlen(word) && !memcmp(text.text, word, text.len);
}

// ---- Where it is drawn -----------------------------------------------------------------------------

// Selects the axis of the following events. Events on an axis whose scale is not known yet go into a batch of their
// own.
uint32_t flux_begin_drawing(struct flux *flux, uint32_t axis) {
    bool is_deferred = axis && !flux->axes[axis - 1].scale;
    flux->signals.batch = is_deferred ? &flux->deferred : flux->batch;
    flux->signals.at.offset = flux->top_offset;
    return flux->signals.batch->count;
}

void flux_end_drawing(struct flux *flux, uint32_t axis, uint32_t before) {
    if (flux->signals.batch == &flux->deferred) {
        for (uint32_t i = before; i < flux->deferred.count; i++) flux->deferred.events[i].section = axis;
        size_t bytes = flux->deferred.memory.used + flux->deferred.count * sizeof *flux->deferred.events;
        if (bytes >= FLUX_MAX_DEFERRED_BYTES) flux_resolve_axes(flux);
    }
    flux->signals.batch = flux->batch;
}

uint64_t flux_key(const struct flux *flux, const struct flux_item *item) {
    (void)flux;
    return ((uint64_t)item->trace << 32 | item->id) << 20;
}

// ---- Traces ----------------------------------------------------------------------------------------

static struct tk_span numbered(char room[TK_SHORT_ROOM], const char *word, uint64_t number) {
    struct tk_text text = tk_short_in(room);
    tk_text_add(&text, word);
    tk_text_u64(&text, number);
    return (struct tk_span){ text.text, text.len };
}

static const char *const shown_as[] = { "", " (1 ns shown is 1 ps)", " (1 ns shown is 1 fs)" };

// Writes "trace 7, version 6, 50000 ns later".
static void describe_trace(const struct flux *flux, const struct flux_trace *trace, struct tk_text *text) {
    tk_text_add(text, "trace ");
    tk_text_u64(text, trace->id);
    if (trace->has_head) tk_text_add(text, ", version "), tk_text_u64(text, trace->version);
    if (flux->shift) tk_text_add(text, ", shown "), tk_text_i64(text, flux->shift), tk_text_add(text, " ns later");
}

static void define_trace(struct flux *flux, uint32_t index, struct tk_span name, struct tk_span description) {
    struct flux_trace *trace = &flux->traces[index];
    char number[TK_SHORT_ROOM], origin_room[TK_SHORT_ROOM], room[256 + 32];
    struct tk_text origin = tk_short_in(origin_room);
    size_t more = strlen(shown_as[flux->fine]);
    if (!name.len) name = numbered(number, "trace ", trace->id);
    name.len = (uint32_t)tk_text_cut(name.text, name.len, 256 - more);
    memcpy(room, name.text, name.len);
    memcpy(room + name.len, shown_as[flux->fine], more);
    describe_trace(flux, trace, &origin);
    struct tk_signal_def def = { .number = trace->id,
                                 .rank = (int32_t)index * 2,
                                 .name = { room, name.len + (uint32_t)more },
                                 .description = description,
                                 .origin = { origin.text, origin.len } };
    if (trace->root) tk_signals_change(&flux->signals, trace->root, &def);
    else trace->root = tk_signals_add_group(&flux->signals, &def);
}

void flux_map_trace(struct flux *flux, const struct flux_entry *head) {
    if (flux->batch) define_trace(flux, flux->trace, flux_span(head->name), flux_span(head->description));
}

uint32_t flux_root(struct flux *flux, uint32_t trace) {
    struct tk_span none = { "", 0 };
    if (!flux->traces[trace].root) define_trace(flux, trace, none, none);
    return flux->traces[trace].root;
}

// Returns the group of an axis, such as "sim by Hz".
static uint32_t axis_root(struct flux *flux, struct flux_axis *axis) {
    if (axis->root || !flux_root(flux, axis->trace)) return axis->root;
    struct tk_signal_def def = tk_signals_get(&flux->signals, flux->traces[axis->trace].root)->def;
    char name_room[TK_SHORT_ROOM];
    struct tk_text name = tk_short_in(name_room);
    struct tk_span domain = { axis->domain, axis->domain_len };
    bool is_index = is_word(domain, "n") || is_word(domain, "idx");
    tk_text_put(&name, def.name.text, tk_text_cut(def.name.text, def.name.len, 40));
    tk_text_add(&name, " by ");
    if (is_index || !axis->domain_len) tk_text_add(&name, is_index ? "index" : "position");
    else tk_text_put(&name, axis->domain, axis->domain_len);
    def.name = (struct tk_span){ name.text, name.len };
    def.rank++;
    return axis->root = tk_signals_add_group(&flux->signals, &def);
}

// ---- Definitions -----------------------------------------------------------------------------------

static enum tk_hint hint_of(struct tk_span word) {
    if (is_word(word, "gantt") || is_word(word, "state") || is_word(word, "transaction")) return TK_HINT_SLICES;
    return is_word(word, "event") || is_word(word, "log") ? TK_HINT_POINTS : TK_HINT_NONE;
}

// Returns the text up to one of the characters in `ends`, without blanks around it, and moves *text after it.
static struct tk_span next_word(struct tk_span *text, const char *ends) {
    uint32_t len = 0;
    while (len < text->len && !strchr(ends, text->text[len])) len++;
    struct tk_span word = { text->text, len };
    uint32_t used = len < text->len ? len + 1 : len;
    *text = (struct tk_span){ text->text + used, text->len - used };
    while (word.len && *word.text == ' ') word.text++, word.len--;
    while (word.len && word.text[word.len - 1] == ' ') word.len--;
    return word;
}

static uint32_t number_in(struct tk_span text) {
    uint32_t number = 0;
    for (uint32_t i = 0; i < text.len && i < 5 && text.text[i] >= '0' && text.text[i] <= '9'; i++)
        number = number * 10 + (uint32_t)(text.text[i] - '0');
    return number;
}

// Reads a descriptor such as "gantt<df=Hex, bits=16>".
static void read_descriptor(struct tk_span text, struct tk_signal_def *def) {
    def->hint = (uint8_t)hint_of(next_word(&text, "<"));
    while (text.len) {
        struct tk_span pair = next_word(&text, ",>"), key = next_word(&pair, "=");
        if (is_word(key, "df")) def->radix = (uint8_t)tk_radix_named(pair.text, pair.len);
        else if (is_word(key, "bits") || is_word(key, "dim")) def->width = number_in(pair);
    }
}

static void read_tags(struct tk_span text, struct tk_signal_def *def) {
    while (text.len) {
        enum tk_hint hint = hint_of(next_word(&text, ","));
        if (hint) def->hint = (uint8_t)hint;
    }
}

// Limits a text of a definition. Damage may make it as long as an entry, and it is read for each signal of the entry.
static struct tk_span clipped_text(struct flux_bytes text) {
    enum { LONGEST = 1024 };
    return (struct tk_span){ (const char *)text.at, (uint32_t)tk_text_cut((const char *)text.at, text.len, LONGEST) };
}

static void read_layout(const struct flux *flux, const struct flux_entry *entry, struct tk_signal_def *def) {
    enum { WIDEST = 65536 };
    if (flux->traces[flux->trace].dialect != FLUX_6I) {
        read_descriptor(clipped_text(entry->format), def);
        return;
    }
    def->tags = clipped_text(entry->tags);
    def->radix = (uint8_t)tk_radix_named((const char *)entry->format.at, entry->format.len);
    def->width = entry->scale > 0 && entry->scale < WIDEST ? (uint32_t)entry->scale : 0;
    read_tags(def->tags, def);
}

static enum tk_shape shape_of(uint8_t type) {
    return type <= FLUX_TEXTS ? (enum tk_shape)(uint8_t[]){ TK_SHAPE_UNKNOWN,  TK_SHAPE_EVENT,  TK_SHAPE_INTEGER,
                                                            TK_SHAPE_FLOAT,    TK_SHAPE_TEXT,   TK_SHAPE_LOGIC,
                                                            TK_SHAPE_BINARY,   TK_SHAPE_STRUCT, TK_SHAPE_EVENTS,
                                                            TK_SHAPE_INTEGERS, TK_SHAPE_FLOATS, TK_SHAPE_TEXTS }[type]
                              : TK_SHAPE_UNKNOWN;
}

static struct tk_signal_def plain_def(struct flux *flux, uint32_t index, struct tk_span name, char room[TK_SHORT_ROOM],
                                      char origin[TK_SHORT_ROOM]) {
    const struct flux_item *item = &flux->items[index];
    if (!name.len) name = numbered(room, item->is_signal ? "signal " : "scope ", item->id);
    return (struct tk_signal_def){ .number = item->id,
                                   .rank = flux->rank += 2,
                                   .name = name,
                                   .shape = (uint8_t)shape_of(item->type),
                                   .origin = numbered(origin, "item ", item->id) };
}

// Returns the group or signal of an item over time and creates it if needed.
static uint32_t handle_of(struct flux *flux, uint32_t index) {
    char room[TK_SHORT_ROOM], origin[TK_SHORT_ROOM];
    if (flux->items[index].handle || flux->items[index].is_omitted) return flux->items[index].handle;
    struct tk_signal_def def = plain_def(flux, index, (struct tk_span){ "", 0 }, room, origin);
    def.parent = flux_root(flux, flux->items[index].trace);
    struct flux_item *item = &flux->items[index];
    return item->handle = tk_signals_add(&flux->signals, &def, flux_key(flux, item));
}

static uint32_t parent_of(struct flux *flux, uint32_t index) {
    uint32_t trace = flux->items[index].trace, id = flux->items[index].parent;
    uint32_t parent = id ? flux_find_item(flux, trace, id) : TK_NONE;
    if (id && parent == TK_NONE) parent = flux_add_item(flux, trace, id);
    return parent == TK_NONE ? flux_root(flux, trace) : handle_of(flux, parent);
}

// Applies the option "signals" to a signal that has no handle yet. Its path is the one that is known now: the name of a
// scope may be defined later.
static void choose(struct flux *flux, struct flux_item *item, uint32_t parent, struct tk_span name) {
    const char *patterns = flux->host.option ? flux->host.option(flux->host.option_ctx, "signals") : NULL;
    char path[2 * TK_SIGNAL_PATH + 1];
    if (item->handle || !patterns || !*patterns) return;
    size_t len = tk_signals_path(&flux->signals, parent, path);
    if (parent == flux->traces[item->trace].root) len = 0; // the name of the root is that of the trace
    else path[len++] = '/';
    if (name.len > TK_SIGNAL_PATH) name.len = TK_SIGNAL_PATH;
    memcpy(path + len, name.text, name.len);
    item->is_omitted = !tk_signal_path_matches(patterns, path, len + name.len);
    if (item->is_omitted) flux->has_omitted = true;
    else flux->has_chosen = true;
}

void flux_map_definition(struct flux *flux, uint32_t index, const struct flux_entry *entry, uint64_t k) {
    char room[TK_SHORT_ROOM], origin[TK_SHORT_ROOM];
    char indexed[256 + 24];
    if (!flux->batch) return;
    struct tk_span name = flux_span(entry->name);
    if (k != UINT64_MAX && name.len) {
        struct tk_span number = numbered(room, "[", k);
        name.len = (uint32_t)tk_text_cut(name.text, name.len, 240);
        memcpy(indexed, name.text, name.len);
        memcpy(indexed + name.len, number.text, number.len);
        indexed[name.len + number.len] = ']';
        name = (struct tk_span){ indexed, name.len + number.len + 1 };
    }
    uint32_t parent = parent_of(flux, index);
    struct tk_signal_def def = plain_def(flux, index, name, room, origin);
    def.description = flux_span(entry->description);
    def.parent = parent;
    if (flux->items[index].is_signal) read_layout(flux, entry, &def);
    else def.tags = flux_span(entry->tags);
    struct flux_item *item = &flux->items[index];
    if (!parent) return;
    if (item->is_signal) choose(flux, item, parent, def.name);
    if (item->is_omitted) return;
    if (item->handle) tk_signals_change(&flux->signals, item->handle, &def);
    else item->handle = tk_signals_add(&flux->signals, &def, flux_key(flux, item));
    if (item->handle && entry->tag == FLUX_SSGD && entry->first <= UINT32_MAX && entry->last <= UINT32_MAX)
        tk_signals_add_slice_of_vector(&flux->signals, item->handle, (uint32_t)entry->first, (uint32_t)entry->last);
}

void flux_map_member(struct flux *flux, uint32_t index, const struct flux_entry *entry) {
    enum { HIDDEN = 0x80 };
    uint32_t handle = handle_of(flux, index);
    enum flux_dialect dialect = (enum flux_dialect)flux->traces[flux->trace].dialect;
    struct tk_signal_def layout = { .width = 0 };
    if (!handle || entry->second > UINT32_MAX) return;
    read_layout(flux, entry, &layout);
    struct tk_member_def def = { .member = (uint32_t)entry->second,
                                 .parent = entry->parent && entry->parent <= UINT32_MAX ? (uint32_t)entry->parent - 1
                                                                                        : TK_NONE,
                                 .label = flux_span(entry->name),
                                 .shape = (uint8_t)shape_of((uint8_t)flux_member_type(dialect, entry->kind)),
                                 .radix = layout.radix,
                                 .is_hidden = dialect != FLUX_6I && entry->kind & HIDDEN };
    tk_signals_member(&flux->signals, handle, &def);
}

void flux_map_label(struct flux *flux, uint32_t index, const struct flux_entry *entry) {
    enum { MOST_ENUMERATIONS = 1 << 20 };
    if (entry->second < MOST_ENUMERATIONS)
        tk_signals_label(&flux->signals, flux_key(flux, &flux->items[index]) + entry->second, (int64_t)entry->first,
                         flux_span(entry->name));
}

void flux_map_alias(struct flux *flux, uint32_t index, const struct flux_entry *entry) {
    uint32_t handle = handle_of(flux, index),
             parent = entry->parent ? flux_find_item(flux, flux->trace, entry->parent) : TK_NONE;
    char path[TK_SIGNAL_PATH + 256];
    size_t len = 0;
    if (!handle) return;
    if (parent != TK_NONE && flux->items[parent].handle) {
        len = tk_signals_path(&flux->signals, flux->items[parent].handle, path);
        path[len++] = '/';
    }
    size_t name = tk_text_cut((const char *)entry->name.at, entry->name.len, 255);
    memcpy(path + len, entry->name.at, name);
    tk_signals_alias(&flux->signals, handle, (struct tk_span){ path, (uint32_t)(len + name) });
}

uint32_t flux_handle(struct flux *flux, uint32_t index, uint32_t axis) {
    uint32_t handle = handle_of(flux, index);
    if (!axis || !handle) return handle;
    uint32_t root = axis_root(flux, &flux->axes[axis - 1]);
    uint32_t twin = root ? tk_signals_copy_below_root(&flux->signals, handle, root) : 0;
    if (twin) tk_signals_get(&flux->signals, twin)->is_untimed = true;
    return twin;
}

struct tk_span flux_name(const struct flux *flux, uint32_t index) {
    const struct flux_item *item = &flux->items[index];
    return item->handle ? flux->signals.signals[item->handle - 1].def.name : (struct tk_span){ "", 0 };
}

// ---- Samples ---------------------------------------------------------------------------------------

// Sets the type of a signal without a definition from its first sample with a value.
static bool infer_definition(struct flux *flux, uint32_t index, const struct flux_sample *sample) {
    struct flux_item *item = &flux->items[index];
    char room[TK_SHORT_ROOM], origin[TK_SHORT_ROOM];
    if (item->is_defined || item->type) return true;
    if (sample->is_none) return false;
    item->type = (uint8_t)flux_infer_type(sample);
    item->is_signal = true;
    flux_note(flux, TK_DIAG_SIGNAL_UNDEFINED, item->id);
    struct tk_signal_def def = plain_def(flux, index, (struct tk_span){ "", 0 }, room, origin);
    if (item->handle && item->contradicts_definition) {
        def = tk_signals_get(&flux->signals, item->handle)->def;
        def.shape = (uint8_t)shape_of(item->type);
    }
    choose(flux, item, flux_root(flux, item->trace), def.name);
    if (item->handle) tk_signals_change(&flux->signals, item->handle, &def);
    return true;
}

static void read_value(struct flux *flux, const struct flux_item *item, const struct flux_sample *sample) {
    enum flux_dialect dialect = (enum flux_dialect)flux->traces[item->trace].dialect;
    enum flux_type type = (enum flux_type)item->type;
    if (!item->is_defined && !sample->is_none && flux_infer_type(sample) != type) type = FLUX_BINARY;
    bool was_read = type >= FLUX_STRUCT && !sample->is_none; // the check of the sample has read the data
    if (!was_read && !flux_read_data(flux, type, dialect, sample)) flux_read_data(flux, FLUX_BINARY, dialect, sample);
}

// Returns the position with its unit, such as "1000500 ps", if it is no whole number of ns.
static struct tk_span position_text(const struct flux *flux, const struct flux_sequence *sequence, int64_t position,
                                    char room[TK_SHORT_ROOM]) {
    struct tk_span none = { "", 0 };
    if (!sequence->axis && (flux->fine || !tk_unit_has_fraction(sequence->unit, position))) return none;
    struct tk_text text = tk_short_in(room);
    tk_text_i64(&text, position);
    if (sequence->domain_len) tk_text_add(&text, " "), tk_text_put(&text, sequence->domain, sequence->domain_len);
    return (struct tk_span){ text.text, text.len };
}

static void draw(struct flux *flux, uint32_t index, uint32_t axis, struct tk_sample *drawn) {
    uint32_t before = flux_begin_drawing(flux, axis);
    uint32_t handle = flux_handle(flux, index, axis);
    drawn->fields = flux->fields;
    drawn->count = flux->field_count;
    if (handle && drawn->count) tk_signals_sample(&flux->signals, handle, drawn); // without memory there is no field
    flux_end_drawing(flux, axis, before);
}

static void count_shared(struct flux *flux, const struct flux_item *item, const struct flux_sequence *sequence,
                         int64_t position, uint64_t ns) {
    if (!item->has_sample || item->last_ns != ns || position == item->last_position || sequence->axis) return;
    if (tk_unit_is_fine(sequence->unit)) flux_note(flux, TK_DIAG_TIME_SHARED, 1);
}

static void draw_outside(struct flux *flux, uint32_t index, struct tk_sample *drawn, uint64_t delta) {
    char room[TK_SHORT_ROOM];
    struct flux_item *item = &flux->items[index];
    drawn->ns = flux->traces[item->trace].last_ns;
    drawn->position = numbered(room, "", delta);
    item->has_sample = true;
    item->last_ns = drawn->ns;
    flux_note_drawn(flux, item, &(struct flux_drawn_until){ .until = drawn->ns + 1 });
    flux_note(flux, TK_DIAG_SAMPLE_OUTSIDE, 1);
    draw(flux, index, 0, drawn);
}

void flux_map_sample(struct flux *flux, uint32_t index, const struct flux_sample *sample,
                     struct flux_sequence *sequence, int64_t position) {
    struct tk_sample drawn = { .place = position, .tag = sample->tag };
    char room[TK_SHORT_ROOM];
    if (!infer_definition(flux, index, sample)) return;
    read_value(flux, &flux->items[index], sample);
    if (!sequence) {
        draw_outside(flux, index, &drawn, sample->delta);
        return;
    }
    uint32_t axis = sequence->axis;
    if (!flux_time(flux, sequence, position, &drawn.ns)) {
        flux_note(flux, TK_DIAG_TIME_OUT_OF_RANGE, 1);
        return;
    }
    struct flux_item *item = &flux->items[index];
    drawn.position = position_text(flux, sequence, position, room);
    count_shared(flux, item, sequence, position, drawn.ns);
    if (item->waiting && !axis) flux_release_waiting(flux, index, drawn.ns);
    item = &flux->items[index];
    item->has_sample = true;
    item->last_ns = drawn.ns;
    item->last_position = position;
    if (position != sequence->position) flux_note_ahead(flux, item, sequence, position);
    if (!axis) flux_note_time(flux, &flux->traces[item->trace], drawn.ns);
    draw(flux, index, axis, &drawn);
}

// ---- Beside the samples ------------------------------------------------------------------------------

static void value_of_field(struct tk_value *value, const struct tk_field *field, char room[TK_SHORT_ROOM]) {
    if (field->type == TK_FIELD_INTEGER || field->type == TK_FIELD_LABEL)
        value->type = TK_VALUE_INT, value->number.i = field->i;
    else if (field->type == TK_FIELD_DOUBLE && field->d - field->d == 0)
        value->type = TK_VALUE_DOUBLE, value->number.d = field->d;
    else if (field->type == TK_FIELD_TEXT)
        value->type = TK_VALUE_TEXT, value->text = (const char *)field->bytes, value->text_len = field->len;
    else {
        struct tk_text text = tk_short_in(room);
        if (field->type == TK_FIELD_GROUP || field->type == TK_FIELD_LIST)
            tk_text_u64(&text, field->count), tk_text_add(&text, " values");
        else tk_text_hex_bytes(&text, field->bytes, field->len < 32 ? field->len : 32, "");
        value->type = TK_VALUE_TEXT;
        value->text = text.text;
        value->text_len = text.len;
    }
}

void flux_map_control(struct flux *flux, const struct flux_entry *entry) {
    enum { MOST = 16 };
    static const char *const names[MOST] = { "m0", "m1", "m2",  "m3",  "m4",  "m5",  "m6",  "m7",
                                             "m8", "m9", "m10", "m11", "m12", "m13", "m14", "m15" };
    struct tk_value values[MOST] = { { .name = NULL } };
    char name_room[TK_SHORT_ROOM], rooms[MOST][TK_SHORT_ROOM];
    struct tk_text name = tk_short_in(name_room);
    struct flux_sample members = { .data = entry->format, .df = 1 };
    uint32_t count = 0;
    if (!flux->batch) return;
    flux->signals.batch = flux->batch;
    struct flux_trace *trace = flux_current(flux);
    if (!trace->control_track && flux_root(flux, flux->trace))
        trace->control_track =
            tk_signals_track(&flux->signals, trace->root, (struct tk_span){ "control", 7 }, INT32_MAX);
    if (!flux_read_data(flux, FLUX_STRUCT, (enum flux_dialect)trace->dialect, &members)) flux->field_count = 0;
    for (uint32_t i = 1; i < flux->field_count && count < MOST; i++, count++) {
        const struct tk_field *field = &flux->fields[i];
        values[count].name = names[field->member < MOST ? field->member : count];
        value_of_field(&values[count], field, rooms[count]);
        if (field->type == TK_FIELD_GROUP || field->type == TK_FIELD_LIST) i += field->count;
    }
    tk_text_add(&name, entry->tag == FLUX_CREQ ? "request " : "result ");
    tk_text_u64(&name, entry->id);
    tk_text_add(&name, "/");
    tk_text_u64(&name, entry->second);
    tk_signals_instant(
        &flux->signals, trace->control_track,
        &(struct tk_note_of_signal){
            .ns = flux_now(flux), .name = { name.text, name.len }, .values = values, .value_count = count });
}

void flux_map_note(struct flux *flux, uint32_t index, const struct flux_entry *entry) {
    const struct flux_item *item = &flux->items[index];
    struct tk_value style = { .name = "style", .type = TK_VALUE_UINT, .number.u = entry->second };
    struct tk_span text = { "", 0 };
    if (!item->has_sample) {
        flux_note(flux, TK_DIAG_ANNOTATION_EARLY, 1);
        return;
    }
    const struct tk_label *label =
        tk_signals_find_label(&flux->signals, flux_key(flux, item) + FLUX_LABEL_STYLES, (int64_t)entry->second);
    if (label)
        text = (struct tk_span){ label->text, label->text_len }, style.type = TK_VALUE_TEXT, style.text = label->text,
        style.text_len = label->text_len;
    struct tk_span name = next_word(&text, "/");
    if (!name.len || name.text[0] == '#') name = (struct tk_span){ "label", 5 };
    flux->signals.batch = flux->batch;
    tk_signals_note(
        &flux->signals, handle_of(flux, index),
        &(struct tk_note_of_signal){ .ns = item->last_ns, .name = name, .values = &style, .value_count = 1 });
}

// ---- Sequences ---------------------------------------------------------------------------------------

static uint32_t run_track(struct flux *flux, uint32_t index, uint32_t opened) {
    struct flux_trace *trace = &flux->traces[index];
    uint32_t *track = opened ? &flux->items[opened - 1].sequence_track : &trace->sequence_track;
    char room[TK_SIGNAL_SHOWN];
    if (*track || !flux_root(flux, index) || (opened && flux->items[opened - 1].is_omitted)) return *track;
    if (!trace->sequences_group)
        trace->sequences_group = tk_signals_add_group(
            &flux->signals,
            &(struct tk_signal_def){ .parent = trace->root, .name = { "sequences", 9 }, .description = { "", 0 } });
    struct tk_span name = { "everything", 10 };
    uint32_t handle = opened ? handle_of(flux, opened - 1) : 0;
    if (handle) name = tk_signals_shown(&flux->signals, handle, room);
    if (trace->sequences_group)
        *track =
            tk_signals_track(&flux->signals, trace->sequences_group, name, opened ? (int32_t)(opened & INT32_MAX) : 0);
    return *track;
}

void flux_map_run(struct flux *flux, uint32_t trace, const struct flux_ended_sequence *run) {
    char name_room[TK_SHORT_ROOM];
    struct tk_text name = tk_short_in(name_room);
    struct tk_span item = run->item ? flux_name(flux, run->item - 1) : (struct tk_span){ "everything", 10 };
    struct tk_value values[] = {
        { .name = "start", .type = TK_VALUE_INT, .number.i = run->start },
        { .name = "end", .type = TK_VALUE_INT, .number.i = run->end },
        { .name = "rate", .type = TK_VALUE_INT, .number.i = run->rate },
        { .name = "domain", .type = TK_VALUE_TEXT, .text = run->domain, .text_len = run->domain_len },
    };
    flux->signals.batch = flux->batch;
    uint32_t track = run_track(flux, trace, run->item);
    tk_text_put(&name, item.text, tk_text_cut(item.text, item.len, 40));
    tk_text_add(&name, " in ");
    tk_text_put(&name, run->domain, run->domain_len);
    if (run->offset) tk_text_add(&name, ", moved by "), tk_text_u64(&name, run->offset), tk_text_add(&name, " ns");
    struct tk_note_of_signal note = {
        .ns = run->from, .name = { name.text, name.len }, .values = values, .value_count = 4
    };
    tk_signals_slice(&flux->signals, track, &note, run->to, (enum tk_end_mark)run->mark);
}
