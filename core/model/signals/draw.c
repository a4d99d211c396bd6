// SPDX-License-Identifier: MIT
//
// Converts a sample to an event: a number to a counter, any other value to a slice or an instant.
#include "emit.h"

#include "../../base/bytes.h"

static const int64_t exact_in_double = (int64_t)1 << 53;

// ---- Style of a signal ---------------------------------------------------------------------------

static bool has_labels(const struct tk_signals *signals, const struct tk_signal *signal) {
    return tk_signals_has_labels(signals, signal->key);
}

static enum tk_style style_of(const struct tk_signals *signals, const struct tk_signal *signal) {
    bool points = signal->def.hint == TK_HINT_POINTS;
    switch (signal->def.shape) {
    case TK_SHAPE_FLOAT: return TK_STYLE_COUNTER;
    case TK_SHAPE_INTEGER:
        if (signal->def.radix <= TK_RADIX_DEC && !has_labels(signals, signal)) return TK_STYLE_COUNTER;
        return points ? TK_STYLE_POINTS : TK_STYLE_SLICES;
    case TK_SHAPE_EVENT:
        return !points && (signal->def.hint == TK_HINT_SLICES || has_labels(signals, signal)) ? TK_STYLE_SLICES
                                                                                              : TK_STYLE_POINTS;
    case TK_SHAPE_LOGIC: return TK_STYLE_SLICES;
    default: return points ? TK_STYLE_POINTS : TK_STYLE_SLICES;
    }
}

void tk_signal_decide(struct tk_signals *signals, struct tk_signal *signal) {
    if (signal->style == TK_STYLE_UNDECIDED) signal->style = (uint8_t)style_of(signals, signal);
}

// ---- Details that any value may have ---------------------------------------------------------------

static void detail_tag(struct tk_signals *signals, const struct tk_signal *signal, const struct tk_sample *sample) {
    const struct tk_label *label = tk_signals_find_label(signals, signal->key + TK_TAG_LABELS, sample->tag);
    if (label) tk_detail_text(signals, "tag", (struct tk_span){ label->text, label->text_len });
    else tk_detail_uint(signals, "tag", sample->tag);
}

static void common_details(struct tk_signals *signals, const struct tk_signal *signal, const struct tk_sample *sample) {
    if (sample->tag) detail_tag(signals, signal, sample);
    if (sample->position.len) tk_detail_text(signals, "position", sample->position);
}

// Appends " (conflict)", " (tag 7)" or " (its label)" to a name. Shortens a long name first, so that the tag stays
// visible.
static void put_tag(struct tk_signals *signals, const struct tk_signal *signal, uint32_t tag, struct tk_text *name) {
    enum { LONGEST = 40 };
    const struct tk_label *label = tk_signals_find_label(signals, signal->key + TK_TAG_LABELS, tag);
    char words_room[TK_SHORT_ROOM];
    struct tk_text words = tk_short_in(words_room);
    tk_text_add(&words, " (");
    if (label) tk_text_put(&words, label->text, tk_text_cut(label->text, label->text_len, LONGEST));
    else if (tag == 1) tk_text_add(&words, "conflict");
    else tk_text_add(&words, "tag "), tk_text_u64(&words, tag);
    tk_text_add(&words, ")");
    if (name->len + words.len > TK_SHORT_LEN) {
        uint32_t kept = (uint32_t)tk_text_cut(name->text, name->len, TK_SHORT_LEN - words.len);
        *name = (struct tk_text){ .text = name->text, .len = kept, .room = TK_SHORT_ROOM - 1 - kept };
        tk_text_add(name, TK_SHORT_MORE);
    }
    tk_text_put(name, words.text, words.len);
}

// Returns the name of a drawn value with its tag.
static struct tk_span tagged_name(struct tk_signals *signals, const struct tk_signal *signal,
                                  const struct tk_sample *sample, struct tk_drawable *drawn, char room[TK_SHORT_ROOM]) {
    if (!sample->tag) return drawn->name;
    struct tk_text name = tk_short_in(room);
    const struct tk_label *label =
        drawn->symbol ? tk_signals_find_label(signals, signal->key, sample->fields->i) : NULL;
    if (label) tk_text_put(&name, label->text, label->text_len);
    else if (drawn->symbol) tk_text_i64(&name, sample->fields->i);
    else tk_text_put(&name, drawn->name.text, drawn->name.len);
    put_tag(signals, signal, sample->tag, &name);
    drawn->symbol = 0;
    return tk_span_of_text(&name);
}

static unsigned mark_of(const struct tk_sample *sample) {
    return (sample->tag ? TK_SAMPLE_TAGGED : 0u) | (sample->fields->type == TK_FIELD_NONE ? TK_SAMPLE_NONE : 0u);
}

// Sets the number that a slice or an instant represents, if the signal has numbers.
static void set_number(const struct tk_signal *signal, const struct tk_field *field, struct tk_drawable *drawn) {
    if (signal->def.shape != TK_SHAPE_INTEGER && signal->def.shape != TK_SHAPE_FLOAT) return;
    if (field->type == TK_FIELD_INTEGER) drawn->value = field->i, drawn->mark |= TK_SAMPLE_INTEGER;
    else if (field->type == TK_FIELD_BIG)
        drawn->number = tk_big_double(field->bytes, field->len), drawn->mark |= TK_SAMPLE_DOUBLE;
    else if (field->type == TK_FIELD_DOUBLE) drawn->number = field->d, drawn->mark |= TK_SAMPLE_DOUBLE;
}

static void emit(struct tk_signals *signals, struct tk_signal *signal, const struct tk_sample *sample,
                 struct tk_drawable *drawn) {
    char room[TK_SHORT_ROOM];
    drawn->mark |= (uint8_t)mark_of(sample);
    set_number(signal, sample->fields, drawn);
    uint32_t track = tk_signal_track(signals, signal);
    drawn->name = tagged_name(signals, signal, sample, drawn, room);
    common_details(signals, signal, sample);
    if (signal->style == TK_STYLE_POINTS) {
        tk_emit_instant(signals, track, drawn);
        return;
    }
    tk_emit_state(signals, track, drawn);
    signal->is_open = true;
}

// Emits a sample that is not drawn: it ends the slice before it.
static void emit_blank(struct tk_signals *signals, struct tk_signal *signal, const struct tk_sample *sample) {
    unsigned mark = mark_of(sample);
    common_details(signals, signal, sample);
    tk_emit_state(signals, tk_signal_track(signals, signal),
                  &(struct tk_drawable){ .ns = sample->ns,
                                         .mark = (uint8_t)(mark & TK_SAMPLE_NONE ? mark : mark | TK_SAMPLE_BLANK) });
    signal->is_open = false;
}

// Emits the tag of a sample that is not drawn as an instant on its track. value: text of the sample.
static void emit_blank_tag(struct tk_signals *signals, struct tk_signal *signal, const struct tk_sample *sample,
                           struct tk_span value) {
    struct tk_drawable drawn = { .ns = sample->ns, .name = value, .mark = TK_SAMPLE_BESIDE };
    char name[TK_SHORT_ROOM];
    if (!sample->tag) return;
    drawn.name = tagged_name(signals, signal, sample, &drawn, name);
    common_details(signals, signal, sample);
    tk_emit_instant(signals, tk_signal_track(signals, signal), &drawn);
}

// ---- Counters and their marks ----------------------------------------------------------------------

static void mark_instant(struct tk_signals *signals, struct tk_signal *signal, uint64_t ns, struct tk_span name) {
    tk_emit_instant(signals, tk_marks_track(signals, signal), &(struct tk_drawable){ .ns = ns, .name = name });
}

static void mark_slice(struct tk_signals *signals, struct tk_signal *signal, const struct tk_sample *sample,
                       struct tk_span name) {
    char marked_room[TK_SHORT_ROOM];
    struct tk_text marked = tk_short_in(marked_room);
    tk_text_put(&marked, name.text, name.len);
    if (sample->tag) put_tag(signals, signal, sample->tag, &marked);
    common_details(signals, signal, sample);
    tk_emit_state(signals, tk_marks_track(signals, signal),
                  &(struct tk_drawable){ .ns = sample->ns, .name = tk_span_of_text(&marked) });
    signal->marks.is_open = true;
}

static void end_mark(struct tk_signals *signals, struct tk_signal *signal, uint64_t ns, enum tk_end_mark mark) {
    if (signal->marks.is_open) tk_emit_end(signals, signal->marks.track, ns, mark);
    signal->marks.is_open = false;
}

static void mark_tag(struct tk_signals *signals, struct tk_signal *signal, const struct tk_sample *sample) {
    const struct tk_field *field = sample->fields;
    char name_room[TK_SHORT_ROOM], value_room[TK_SHORT_ROOM];
    struct tk_text name = tk_short_in(name_room), value = tk_short_in(value_room);
    tk_short_field(&value, field, TK_RADIX_NONE);
    tk_text_put(&name, value.text, value.len);
    put_tag(signals, signal, sample->tag, &name);
    tk_detail_text(signals, "value", tk_span_of_text(&value));
    common_details(signals, signal, sample);
    mark_instant(signals, signal, sample->ns, tk_span_of_text(&name));
}

static void exact_text(struct tk_signals *signals, const struct tk_field *field) {
    char digits[TK_BIG_TEXT], room[TK_SHORT_ROOM];
    if (field->type == TK_FIELD_BIG) {
        tk_detail_text(signals, "value",
                       (struct tk_span){ digits, (uint32_t)tk_big_decimal(field->bytes, field->len, digits) });
    } else if (field->i > exact_in_double || field->i < -exact_in_double) {
        struct tk_text text = tk_short_in(room);
        tk_text_i64(&text, field->i);
        tk_detail_text(signals, "value", tk_span_of_text(&text));
    }
}

static void draw_double(struct tk_signals *signals, struct tk_signal *signal, const struct tk_sample *sample,
                        double value) {
    bool is_finite = value - value == 0;
    common_details(signals, signal, sample);
    tk_emit_number(signals, tk_signal_track(signals, signal), sample->ns, value,
                   mark_of(sample) | (is_finite ? 0 : TK_SAMPLE_BLANK));
    if (is_finite) return;
    char name_room[TK_SHORT_ROOM];
    struct tk_text name = tk_short_in(name_room);
    tk_short_double(&name, value);
    mark_slice(signals, signal, sample, tk_span_of_text(&name));
}

static void draw_counter(struct tk_signals *signals, struct tk_signal *signal, const struct tk_sample *sample) {
    const struct tk_field *field = sample->fields;
    char room[TK_SHORT_ROOM];
    struct tk_text text;
    end_mark(signals, signal, sample->ns, TK_END_SEEN);
    switch (field->type) {
    case TK_FIELD_INTEGER:
    case TK_FIELD_LABEL:
        exact_text(signals, field);
        common_details(signals, signal, sample);
        tk_emit_count(signals, tk_signal_track(signals, signal), sample->ns, field->i, mark_of(sample));
        break;
    case TK_FIELD_BIG:
        exact_text(signals, field);
        draw_double(signals, signal, sample, tk_big_double(field->bytes, field->len));
        break;
    case TK_FIELD_DOUBLE: draw_double(signals, signal, sample, field->d); break;
    default: // another shape than the first sample
        text = tk_short_in(room);
        tk_short_field(&text, field, TK_RADIX_NONE);
        tk_detail_text(signals, "value", tk_span_of_text(&text));
        tk_emit_count(signals, tk_signal_track(signals, signal), sample->ns, 0, mark_of(sample) | TK_SAMPLE_BLANK);
        mark_slice(signals, signal, sample, tk_span_of_text(&text));
        return;
    }
    if (sample->tag) mark_tag(signals, signal, sample);
}

// ---- Slices and instants ---------------------------------------------------------------------------

static void draw_label(struct tk_signals *signals, struct tk_signal *signal, const struct tk_sample *sample,
                       struct tk_drawable *drawn) {
    int64_t value = sample->fields->i;
    char name_room[TK_SHORT_ROOM];
    struct tk_text name = tk_short_in(name_room);
    bool is_labelled = tk_signals_find_label(signals, signal->key, value) != NULL;
    if (!value && !is_labelled && signal->def.shape == TK_SHAPE_EVENT && signal->style == TK_STYLE_SLICES) {
        emit_blank(signals, signal, sample);
        emit_blank_tag(signals, signal, sample, tk_span_of("0"));
        return;
    }
    if (is_labelled) tk_detail_int(signals, "value", value);
    if (signal->def.radix <= TK_RADIX_DEC || signal->def.radix == TK_RADIX_LABEL || is_labelled)
        drawn->symbol = tk_label_symbol(signals, signal->key, value);
    tk_short_number(&name, value, (enum tk_radix)signal->def.radix);
    drawn->name = tk_span_of_text(&name);
    emit(signals, signal, sample, drawn);
}

static void draw_text(struct tk_signals *signals, struct tk_signal *signal, const struct tk_sample *sample,
                      struct tk_drawable *drawn) {
    enum { LONGEST = 4096 };
    const struct tk_field *field = sample->fields;
    char name_room[TK_SHORT_ROOM];
    struct tk_text name = tk_short_in(name_room);
    tk_text_put(&name, (const char *)field->bytes, field->len);
    if (!field->len) tk_text_add(&name, "\"\"");
    if (name.is_cut)
        tk_detail_text(signals, "text",
                       (struct tk_span){ (const char *)field->bytes,
                                         (uint32_t)tk_text_cut((const char *)field->bytes, field->len, LONGEST) });
    drawn->name = tk_span_of_text(&name);
    emit(signals, signal, sample, drawn);
}

void tk_detail_hex(struct tk_signals *signals, struct tk_span name, const uint8_t *bytes, size_t len) {
    enum { MOST = 64 };
    char hex[2 * MOST];
    size_t used = len < MOST ? len : MOST;
    for (size_t i = 0; i < used; i++) {
        hex[2 * i] = "0123456789abcdef"[bytes[i] >> 4];
        hex[2 * i + 1] = "0123456789abcdef"[bytes[i] & 15];
    }
    struct tk_value *value = tk_detail(signals, name, TK_VALUE_TEXT);
    struct tk_span text = tk_emit_copy(signals, (struct tk_span){ hex, (uint32_t)(2 * used) });
    if (value) value->text = text.text, value->text_len = text.len;
}

static void draw_bytes(struct tk_signals *signals, struct tk_signal *signal, const struct tk_sample *sample,
                       struct tk_drawable *drawn) {
    enum { SHOWN = 8 };
    const struct tk_field *field = sample->fields;
    char name_room[TK_SHORT_ROOM];
    struct tk_text name = tk_short_in(name_room);
    tk_text_hex_bytes(&name, field->bytes, field->len < SHOWN ? field->len : SHOWN, " ");
    tk_text_add(&name, !field->len ? "empty" : field->len > SHOWN ? " \xE2\x80\xA6" : "");
    tk_detail_uint(signals, "size", field->len);
    if (field->len > SHOWN) tk_detail_hex(signals, tk_span_of("hex"), field->bytes, field->len);
    drawn->correlation = (uint64_t)signal->track << 8 | 1;
    drawn->name = tk_span_of_text(&name);
    emit(signals, signal, sample, drawn);
}

static void draw_number_slice(struct tk_signals *signals, struct tk_signal *signal, const struct tk_sample *sample,
                              struct tk_drawable *drawn) {
    char name_room[TK_SHORT_ROOM];
    struct tk_text name = tk_short_in(name_room);
    tk_short_field(&name, sample->fields, (enum tk_radix)signal->def.radix);
    drawn->name = tk_span_of_text(&name);
    emit(signals, signal, sample, drawn);
}

static void draw_value(struct tk_signals *signals, struct tk_signal *signal, const struct tk_sample *sample) {
    struct tk_drawable drawn = { .ns = sample->ns };
    char name_room[TK_SHORT_ROOM];
    struct tk_text name = tk_short_in(name_room);
    tk_signal_track(signals, signal);
    switch (sample->fields->type) {
    case TK_FIELD_INTEGER:
    case TK_FIELD_LABEL: draw_label(signals, signal, sample, &drawn); break;
    case TK_FIELD_TEXT: draw_text(signals, signal, sample, &drawn); break;
    case TK_FIELD_BYTES: draw_bytes(signals, signal, sample, &drawn); break;
    case TK_FIELD_BIG:
    case TK_FIELD_DOUBLE: draw_number_slice(signals, signal, sample, &drawn); break;
    case TK_FIELD_LOGIC:
        if (tk_name_logic(signals, signal, sample, &drawn, &name)) {
            drawn.name = tk_span_of_text(&name);
            emit(signals, signal, sample, &drawn);
        } else {
            emit_blank(signals, signal, sample);
            emit_blank_tag(signals, signal, sample, tk_span_of_text(&name));
        }
        break;
    default:
        if (sample->fields->type == TK_FIELD_GROUP) tk_name_struct(signals, signal, sample, &drawn, &name);
        else tk_name_array(signals, signal, sample, &drawn, &name);
        drawn.name = tk_span_of_text(&name);
        emit(signals, signal, sample, &drawn);
        tk_draw_children(signals, signal, sample);
        break;
    }
}

static void draw_none(struct tk_signals *signals, struct tk_signal *signal, const struct tk_sample *sample) {
    struct tk_drawable drawn = { .ns = sample->ns, .name = tk_span_of("none") };
    if (signal->style == TK_STYLE_COUNTER) {
        end_mark(signals, signal, sample->ns, TK_END_SEEN);
        tk_emit_count(signals, tk_signal_track(signals, signal), sample->ns, 0, mark_of(sample));
        mark_slice(signals, signal, sample, drawn.name);
    } else if (signal->style == TK_STYLE_POINTS || tk_is_bit(signal)) {
        emit(signals, signal, sample, &drawn);
    } else {
        emit_blank(signals, signal, sample);
        tk_close_children(signals, signal, sample->ns, TK_END_SEEN);
        emit_blank_tag(signals, signal, sample, drawn.name);
    }
}

// ---- Public functions ------------------------------------------------------------------------------

void tk_signals_sample(struct tk_signals *signals, uint32_t id, const struct tk_sample *sample) {
    struct tk_signal *signal = tk_signals_get(signals, id);
    signals->value_count = 0;
    tk_signal_decide(signals, signal);
    signal->last_ns = sample->ns;
    if (sample->fields->type == TK_FIELD_NONE) draw_none(signals, signal, sample);
    else if (signal->style == TK_STYLE_COUNTER) draw_counter(signals, signal, sample);
    else draw_value(signals, signal, sample);
    if (signal->vector) tk_vector_sample(signals, signal, sample);
}

void tk_signals_close(struct tk_signals *signals, uint32_t id, uint64_t ns, enum tk_end_mark mark) {
    struct tk_signal *signal = tk_signals_get(signals, id);
    if (ns < signal->last_ns) ns = signal->last_ns;
    signals->value_count = 0;
    if (signal->is_open) tk_emit_end(signals, signal->track, ns, mark);
    signal->is_open = false;
    end_mark(signals, signal, ns, mark);
    tk_close_children(signals, signal, ns, mark);
    if (signal->vector) tk_vector_close(signals, signal, ns, mark);
}

static void take_values(struct tk_signals *signals, const struct tk_note_of_signal *note) {
    signals->value_count = note->value_count < TK_MAX_DETAILS ? note->value_count : TK_MAX_DETAILS;
    if (signals->value_count) memcpy(signals->values, note->values, signals->value_count * sizeof *note->values);
    for (uint32_t i = 0; i < signals->value_count; i++) {
        struct tk_value *value = &signals->values[i];
        if (value->type != TK_VALUE_TEXT) continue;
        struct tk_span text = tk_emit_copy(signals, (struct tk_span){ value->text, value->text_len });
        value->text = text.text;
        value->text_len = text.len;
    }
}

static struct tk_drawable drawn_note(const struct tk_note_of_signal *note) {
    return (struct tk_drawable){
        .ns = note->ns, .name = note->name, .flow = note->flow, .flow_end = note->flow_end, .mark = TK_SAMPLE_BESIDE
    };
}

void tk_signals_note(struct tk_signals *signals, uint32_t id, const struct tk_note_of_signal *note) {
    struct tk_signal *signal = tk_signals_get(signals, id);
    struct tk_drawable drawn = drawn_note(note);
    tk_signal_decide(signals, signal);
    uint32_t track =
        signal->style == TK_STYLE_COUNTER ? tk_marks_track(signals, signal) : tk_signal_track(signals, signal);
    take_values(signals, note);
    tk_emit_instant(signals, track, &drawn);
}

void tk_signals_instant(struct tk_signals *signals, uint32_t track, const struct tk_note_of_signal *note) {
    struct tk_drawable drawn = drawn_note(note);
    take_values(signals, note);
    tk_emit_instant(signals, track, &drawn);
}

void tk_signals_slice(struct tk_signals *signals, uint32_t track, const struct tk_note_of_signal *note, uint64_t end_ns,
                      enum tk_end_mark mark) {
    struct tk_drawable drawn = drawn_note(note);
    take_values(signals, note);
    tk_emit_state(signals, track, &drawn);
    tk_emit_end(signals, track, end_ns, mark);
}
