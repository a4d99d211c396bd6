// SPDX-License-Identifier: MIT
//
// Draws structs and arrays: a slice name that lists their members, details with all of them, and a child track per
// number.
#include "emit.h"

enum { SHOWN_ELEMENTS = 16, DETAILED_ELEMENTS = 64 };

// ---- Members -------------------------------------------------------------------------------------

static struct tk_signal_member *find_member(const struct tk_signal *signal, uint32_t member) {
    for (uint32_t i = 0; i < signal->member_count; i++)
        if (signal->members[i].def.member == member) return &signal->members[i];
    return NULL;
}

static bool is_hidden(const struct tk_signal *signal, const struct tk_field *field) {
    const struct tk_signal_member *member = find_member(signal, field->member);
    return field->is_hidden || (member && member->def.is_hidden);
}

// Returns the number of fields after this one that belong to it.
static uint32_t inside(const struct tk_field *field) {
    return field->type == TK_FIELD_GROUP || field->type == TK_FIELD_LIST ? field->count : 0;
}

static enum tk_radix radix_of(const struct tk_signal *signal, uint32_t number) {
    const struct tk_signal_member *member = find_member(signal, number);
    return member && member->def.radix ? (enum tk_radix)member->def.radix : (enum tk_radix)signal->def.radix;
}

static struct tk_span label_of(const struct tk_signal *signal, uint32_t number) {
    const struct tk_signal_member *member = find_member(signal, number);
    return member && member->def.label.len ? member->def.label : (struct tk_span){ "", 0 };
}

static struct tk_span name_of(struct tk_signals *signals, const struct tk_signal *signal, uint32_t number) {
    struct tk_span label = label_of(signal, number);
    if (label.len) return label;
    char room[TK_SHORT_ROOM];
    struct tk_text text = tk_short_in(room);
    tk_text_add(&text, "m");
    tk_text_u64(&text, number);
    return tk_emit_copy(signals, tk_span_of_text(&text));
}

static const struct tk_label *enum_label(const struct tk_signals *signals, const struct tk_signal *signal,
                                         uint32_t number, int64_t value) {
    const struct tk_label *label = tk_signals_find_label(signals, signal->key + TK_MEMBER_LABELS + number, value);
    return label ? label : tk_signals_find_label(signals, signal->key, value);
}

// ---- Names ---------------------------------------------------------------------------------------

static void put_members(struct tk_signals *signals, const struct tk_signal *signal, const struct tk_field *fields,
                        uint32_t count, struct tk_text *name);

static void put_assigned(struct tk_signals *signals, const struct tk_signal *signal, const struct tk_field *field,
                         struct tk_text *name) {
    struct tk_span label = name_of(signals, signal, field->member);
    tk_text_put(name, label.text, label.len);
    tk_text_add(name, "=");
    if (field->type == TK_FIELD_GROUP) {
        tk_text_add(name, "{");
        put_members(signals, signal, field + 1, field->count, name);
        tk_text_add(name, "}");
    } else if (field->type == TK_FIELD_LIST || field->type == TK_FIELD_BYTES) {
        tk_text_add(name, field->type == TK_FIELD_LIST ? "[" : "<");
        tk_text_u64(name, field->type == TK_FIELD_LIST ? field->count : field->len);
        tk_text_add(name, field->type == TK_FIELD_LIST ? "]" : field->len == 1 ? " byte>" : " bytes>");
    } else {
        tk_short_field(name, field, radix_of(signal, field->member));
    }
}

static void put_member(struct tk_signals *signals, const struct tk_signal *signal, const struct tk_field *field,
                       struct tk_text *name) {
    const struct tk_label *label =
        field->type == TK_FIELD_LABEL ? enum_label(signals, signal, field->member, field->i) : NULL;
    if (label) tk_text_put(name, label->text, label->text_len);
    else put_assigned(signals, signal, field, name);
}

static void put_members(struct tk_signals *signals, const struct tk_signal *signal, const struct tk_field *fields,
                        uint32_t count, struct tk_text *name) {
    bool is_first = true;
    for (uint32_t i = 0; i < count && !name->is_cut; i += 1 + inside(&fields[i])) {
        if (is_hidden(signal, &fields[i])) continue;
        if (!is_first) tk_text_add(name, " ");
        put_member(signals, signal, &fields[i], name);
        is_first = false;
    }
}

static void put_element(struct tk_signals *signals, const struct tk_signal *signal, const struct tk_field *field,
                        struct tk_text *name) {
    struct tk_span label = label_of(signal, field->member);
    const struct tk_label *word =
        field->type == TK_FIELD_LABEL ? enum_label(signals, signal, field->member, field->i) : NULL;
    if (label.len) tk_text_put(name, label.text, label.len), tk_text_add(name, "=");
    if (word) tk_text_put(name, word->text, word->text_len);
    else tk_short_field(name, field, radix_of(signal, field->member));
}

static void put_elements(struct tk_signals *signals, const struct tk_signal *signal, const struct tk_field *list,
                         struct tk_text *name) {
    for (uint32_t i = 0; i < list->count && i < SHOWN_ELEMENTS; i++) {
        if (i) tk_text_add(name, " ");
        put_element(signals, signal, &list[1 + i], name);
    }
    if (!list->count) tk_text_add(name, "[]");
    if (list->count <= SHOWN_ELEMENTS) return;
    tk_text_add(name, " \xE2\x80\xA6 (");
    tk_text_u64(name, list->count);
    tk_text_add(name, ")");
}

// ---- Details -------------------------------------------------------------------------------------

// Adds a detail with the number in parentheses: "0x3 (3)", "Yes (1)".
static void detail_with_number(struct tk_signals *signals, struct tk_span name, struct tk_text *text, int64_t number) {
    tk_text_add(text, " (");
    tk_text_i64(text, number);
    tk_text_add(text, ")");
    struct tk_value *value = tk_detail(signals, name, TK_VALUE_TEXT);
    struct tk_span kept = tk_emit_copy(signals, tk_span_of_text(text));
    if (value) value->text = kept.text, value->text_len = kept.len;
}

static void detail_integer(struct tk_signals *signals, const struct tk_signal *signal, struct tk_span name,
                           const struct tk_field *field) {
    const struct tk_label *label =
        field->type == TK_FIELD_LABEL ? enum_label(signals, signal, field->member, field->i) : NULL;
    enum tk_radix radix = radix_of(signal, field->member);
    char text_room[TK_SHORT_ROOM];
    struct tk_text text = tk_short_in(text_room);
    if (label) tk_text_put(&text, label->text, label->text_len);
    else if (radix > TK_RADIX_DEC && radix != TK_RADIX_LABEL) tk_short_number(&text, field->i, radix);
    if (text.len) {
        detail_with_number(signals, name, &text, field->i);
        return;
    }
    struct tk_value *value = tk_detail(signals, name, TK_VALUE_INT);
    if (value) value->number.i = field->i;
}

static void detail_words(struct tk_signals *signals, struct tk_span name, struct tk_span text) {
    struct tk_value *value = tk_detail(signals, name, TK_VALUE_TEXT);
    text = tk_emit_copy(signals, text);
    if (value) value->text = text.text, value->text_len = text.len;
}

static void detail_double(struct tk_signals *signals, struct tk_span name, double number) {
    char text_room[TK_SHORT_ROOM];
    struct tk_text text = tk_short_in(text_room);
    if (number - number != 0) {
        tk_short_double(&text, number);
        detail_words(signals, name, tk_span_of_text(&text));
        return;
    }
    struct tk_value *value = tk_detail(signals, name, TK_VALUE_DOUBLE);
    if (value) value->number.d = number;
}

static void detail_fields(struct tk_signals *signals, const struct tk_signal *signal, const struct tk_field *fields,
                          uint32_t count, bool is_list);

// Adds a group; its count is the number of values that found room.
static void detail_nested(struct tk_signals *signals, const struct tk_signal *signal, struct tk_span name,
                          const struct tk_field *field) {
    uint32_t at = signals->value_count;
    bool is_list = field->type == TK_FIELD_LIST;
    if (!tk_detail(signals, name, is_list ? TK_VALUE_LIST : TK_VALUE_GROUP)) return;
    detail_fields(signals, signal, field + 1, field->count, is_list);
    signals->values[at].number.u = signals->value_count - at - 1;
}

static void detail_field(struct tk_signals *signals, const struct tk_signal *signal, struct tk_span name,
                         const struct tk_field *field) {
    char text_room[TK_SHORT_ROOM];
    struct tk_text text = tk_short_in(text_room);
    char digits[TK_BIG_TEXT];
    switch (field->type) {
    case TK_FIELD_INTEGER:
    case TK_FIELD_LABEL: detail_integer(signals, signal, name, field); break;
    case TK_FIELD_DOUBLE: detail_double(signals, name, field->d); break;
    case TK_FIELD_BYTES: tk_detail_hex(signals, name, field->bytes, field->len); break;
    case TK_FIELD_TEXT:
        detail_words(signals, name,
                     (struct tk_span){ (const char *)field->bytes,
                                       (uint32_t)tk_text_cut((const char *)field->bytes, field->len, 4096) });
        break;
    case TK_FIELD_BIG:
        detail_words(signals, name,
                     (struct tk_span){ digits, (uint32_t)tk_big_decimal(field->bytes, field->len, digits) });
        break;
    case TK_FIELD_GROUP:
    case TK_FIELD_LIST: detail_nested(signals, signal, name, field); break;
    default:
        tk_short_field(&text, field, TK_RADIX_NONE);
        detail_words(signals, name, tk_span_of_text(&text));
        break;
    }
}

static void detail_fields(struct tk_signals *signals, const struct tk_signal *signal, const struct tk_field *fields,
                          uint32_t count, bool is_list) {
    for (uint32_t i = 0, shown = 0; i < count && shown < DETAILED_ELEMENTS; i += 1 + inside(&fields[i]), shown++) {
        if (!is_list && is_hidden(signal, &fields[i])) continue;
        detail_field(signals, signal, is_list ? (struct tk_span){ "", 0 } : name_of(signals, signal, fields[i].member),
                     &fields[i]);
    }
}

// ---- The value as a whole ------------------------------------------------------------------------

// The first enum among the members determines the colour.
static uint64_t first_enum(const struct tk_field *fields, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        if (fields[i].type == TK_FIELD_LABEL) return ((uint64_t)fields[i].i & 0x1F) + 1;
    return 0;
}

void tk_name_struct(struct tk_signals *signals, struct tk_signal *signal, const struct tk_sample *sample,
                    struct tk_drawable *drawn, struct tk_text *name) {
    const struct tk_field *group = sample->fields;
    put_members(signals, signal, group + 1, group->count, name);
    if (!name->len) tk_text_add(name, "{}");
    detail_fields(signals, signal, group + 1, group->count, false);
    drawn->correlation = (uint64_t)signal->track << 8 | first_enum(group + 1, group->count) << 2 | 1;
}

void tk_name_array(struct tk_signals *signals, struct tk_signal *signal, const struct tk_sample *sample,
                   struct tk_drawable *drawn, struct tk_text *name) {
    const struct tk_field *list = sample->fields;
    put_elements(signals, signal, list, name);
    detail_nested(signals, signal, tk_span_of("elements"), list);
    if (list->count > DETAILED_ELEMENTS) tk_detail_uint(signals, "count", list->count);
    drawn->correlation = (uint64_t)signal->track << 8 | 1;
}

// ---- Child tracks --------------------------------------------------------------------------------

static struct tk_signal_member *member_of(struct tk_signals *signals, struct tk_signal *signal, uint32_t number) {
    struct tk_signal_member *member = find_member(signal, number);
    if (member) return member;
    struct tk_member_def def = { .member = number, .parent = TK_NONE };
    tk_signals_member(signals, (uint32_t)(signal - signals->signals) + 1, &def);
    return find_member(signal, number);
}

// Appends the labels from the outermost struct on, "m3.i1".
static void put_path(struct tk_signals *signals, const struct tk_signal *signal, uint32_t number, unsigned above,
                     struct tk_text *name) {
    const struct tk_signal_member *member = find_member(signal, number);
    struct tk_span label = name_of(signals, signal, number);
    if (above && member && member->def.parent != TK_NONE && member->def.parent != number) {
        put_path(signals, signal, member->def.parent, above - 1, name);
        tk_text_add(name, ".");
    }
    tk_text_put(name, label.text, label.len);
}

static void put_child_name(struct tk_signals *signals, const struct tk_signal *signal, uint32_t number,
                           struct tk_text *name) {
    enum { DEEPEST = 8 };
    struct tk_span label = label_of(signal, number);
    if (signal->def.shape < TK_SHAPE_EVENTS) {
        put_path(signals, signal, number, DEEPEST, name);
    } else if (label.len) {
        tk_text_put(name, label.text, label.len);
    } else {
        tk_text_add(name, "[");
        tk_text_u64(name, number);
        tk_text_add(name, "]");
    }
}

static uint32_t child_track(struct tk_signals *signals, struct tk_signal *signal, struct tk_signal_member *member,
                            enum tk_track_type type) {
    char name_room[TK_SHORT_ROOM];
    struct tk_text name = tk_short_in(name_room);
    if (member->track || signal->child_count == TK_MAX_CHILDREN) return member->track;
    member->track = tk_new_track(signals, true);
    if (!member->track) return 0;
    put_child_name(signals, signal, member->def.member, &name);
    tk_emit_track(signals, member->track,
                  &(struct tk_track_words){ .parent = signal->track,
                                            .type = type,
                                            .rank = signal->child_count++,
                                            .name = tk_span_of_text(&name),
                                            .share = signal->def.shape >= TK_SHAPE_EVENTS ? signal->track : 0 });
    return member->track;
}

static void draw_child(struct tk_signals *signals, struct tk_signal *signal, const struct tk_field *field,
                       uint64_t ns) {
    double number = field->type == TK_FIELD_DOUBLE ? field->d
                    : field->type == TK_FIELD_BIG  ? tk_big_double(field->bytes, field->len)
                                                   : 0;
    bool is_event = field->type == TK_FIELD_LABEL;
    if ((is_event && signal->def.shape != TK_SHAPE_EVENTS) || number - number != 0) return;
    struct tk_signal_member *member = member_of(signals, signal, field->member);
    uint32_t track =
        member ? child_track(signals, signal, member, is_event ? TK_TRACK_OF_SLICES : TK_TRACK_OF_COUNTER) : 0;
    if (!track) return;
    if (is_event) {
        const struct tk_label *label = enum_label(signals, signal, field->member, field->i);
        bool is_own =
            tk_signals_find_label(signals, signal->key + TK_MEMBER_LABELS + field->member, field->i) || !label;
        if (label) tk_detail_int(signals, "value", field->i);
        tk_emit_state(signals, track,
                      &(struct tk_drawable){ .ns = ns,
                                             .symbol = tk_label_symbol(
                                                 signals,
                                                 is_own ? signal->key + TK_MEMBER_LABELS + field->member : signal->key,
                                                 field->i) });
        member->is_open = true;
    } else if (field->type == TK_FIELD_INTEGER) {
        tk_emit_count(signals, track, ns, field->i, 0);
    } else {
        tk_emit_number(signals, track, ns, number, 0);
    }
}

static bool is_number(const struct tk_field *field) {
    return field->type == TK_FIELD_INTEGER || field->type == TK_FIELD_BIG || field->type == TK_FIELD_DOUBLE ||
           field->type == TK_FIELD_LABEL;
}

// Draws the numbers of a struct and of nested structs, but not of its arrays.
static void draw_members(struct tk_signals *signals, struct tk_signal *signal, const struct tk_sample *sample) {
    for (uint32_t i = 1; i < sample->count; i++) {
        const struct tk_field *field = &sample->fields[i];
        if (field->type == TK_FIELD_LIST) i += field->count;
        else if (is_number(field) && !is_hidden(signal, field)) draw_child(signals, signal, field, sample->ns);
        else if (field->type == TK_FIELD_GROUP && is_hidden(signal, field)) i += field->count;
    }
}

static void draw_elements(struct tk_signals *signals, struct tk_signal *signal, const struct tk_sample *sample) {
    const struct tk_field *list = sample->fields;
    if (list->count > TK_MAX_CHILDREN || signal->def.width > TK_MAX_CHILDREN) return;
    for (uint32_t i = 0; i < list->count; i++)
        if (is_number(&list[1 + i])) draw_child(signals, signal, &list[1 + i], sample->ns);
    for (uint32_t i = 0; i < signal->member_count; i++) { // elements that the array no longer has
        struct tk_signal_member *member = &signal->members[i];
        if (!member->is_open || member->def.member < list->count) continue;
        tk_emit_end(signals, member->track, sample->ns, TK_END_SEEN);
        member->is_open = false;
    }
}

void tk_draw_children(struct tk_signals *signals, struct tk_signal *signal, const struct tk_sample *sample) {
    if (sample->fields->type == TK_FIELD_GROUP) draw_members(signals, signal, sample);
    else draw_elements(signals, signal, sample);
}

void tk_close_children(struct tk_signals *signals, struct tk_signal *signal, uint64_t ns, enum tk_end_mark mark) {
    for (uint32_t i = 0; i < signal->member_count; i++) {
        struct tk_signal_member *member = &signal->members[i];
        if (member->is_open) tk_emit_end(signals, member->track, ns, mark);
        member->is_open = false;
    }
}
