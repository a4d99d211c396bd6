// SPDX-License-Identifier: MIT
#include "dump.h"

#include "time_basis.h"

#include <string.h>

#include "../base/decimal.h"
#include "../base/diag.h"
#include "../base/out.h"
#include "../base/utf8.h"

// ---- Building a line ---------------------------------------------------------------------------

// Appends a JSON string. Text mode uses the same escapes, so that a line stays one line.
static void put_quoted(struct tk_dump *d, const char *text, size_t len) {
    struct tk_out out;
    tk_out_init(&out, tk_text_write, &d->text);
    tk_out_quoted(&out, text, len);
    tk_out_flush(&out);
}

static void open_with(struct tk_dump *d, const char *bracket) {
    tk_text_add(&d->text, bracket);
    d->is_first = true;
}

static void separate(struct tk_dump *d) {
    if (!d->text.len) {
        if (d->json) tk_text_add(&d->text, "{");
    } else if (!d->json || !d->is_first) tk_text_add(&d->text, d->json ? "," : " ");
    d->is_first = false;
}

static void key(struct tk_dump *d, const char *name) {
    separate(d);
    if (d->json) {
        put_quoted(d, name, strlen(name));
        tk_text_add(&d->text, ":");
    } else {
        tk_text_add(&d->text, name);
        tk_text_add(&d->text, "=");
    }
}

// Appends a 64-bit number; in JSON as a string, because a reader that uses doubles would round it.
static void put_number(struct tk_dump *d, uint64_t number) {
    if (d->json) tk_text_add(&d->text, "\"");
    tk_text_u64(&d->text, number);
    if (d->json) tk_text_add(&d->text, "\"");
}

static void put_signed(struct tk_dump *d, int64_t number) {
    if (d->json) tk_text_add(&d->text, "\"");
    tk_text_i64(&d->text, number);
    if (d->json) tk_text_add(&d->text, "\"");
}

static void field_u64(struct tk_dump *d, const char *name, uint64_t number) {
    key(d, name);
    put_number(d, number);
}

static void field_i64(struct tk_dump *d, const char *name, int64_t number) {
    key(d, name);
    put_signed(d, number);
}

// Appends a number of at most 32 bits: cores, ids, lengths.
static void field_u32(struct tk_dump *d, const char *name, uint32_t number) {
    key(d, name);
    tk_text_u64(&d->text, number);
}

static void field_text(struct tk_dump *d, const char *name, const char *text, size_t len) {
    key(d, name);
    put_quoted(d, text, len);
}

// Appends a text of arbitrary bytes. Invalid UTF-8 is replaced, and then only the first MOST bytes are written.
static void field_bytes(struct tk_dump *d, const char *name, const char *text, size_t len) {
    enum { MOST = 1024 };
    uint8_t clean[TK_UTF8_GROWTH * MOST];
    size_t bad;
    if (tk_utf8_is_clean((const uint8_t *)text, len)) field_text(d, name, text, len);
    else
        field_text(d, name, (const char *)clean,
                   tk_utf8_clean((const uint8_t *)text, len < MOST ? len : MOST, clean, &bad));
}

static void finish_line(struct tk_dump *d) {
    if (d->json) tk_text_add(&d->text, "}");
    if (!d->refused && !d->line(d->ctx, d->text.text, d->text.len)) d->refused = true;
    tk_text_shorten(&d->text, 0);
}

// Text for users contains the index of the input, JSON contains its name.
static void field_input(struct tk_dump *d, uint32_t number, const char *name) {
    enum { MOST = 256 };
    uint8_t clean[TK_UTF8_GROWTH * MOST];
    size_t len = strlen(name), bad;
    if (len > MOST) len = MOST;
    len = tk_utf8_clean((const uint8_t *)name, len, clean, &bad);
    if (d->json) field_text(d, "input", (const char *)clean, len);
    else field_u32(d, "input", number);
}

// ---- Frames, records, events -------------------------------------------------------------------

static void field_hex(struct tk_dump *d, const char *name, const uint8_t *bytes, size_t len) {
    key(d, name);
    if (d->json) tk_text_add(&d->text, "\"");
    tk_text_hex_bytes(&d->text, bytes, len, "");
    if (d->json) tk_text_add(&d->text, "\"");
}

void tk_dump_frame(struct tk_dump *d, const char *input, uint64_t offset, uint64_t number, const uint8_t *raw,
                   size_t raw_len, const uint8_t *payload, size_t payload_len, const char *verdict) {
    if (d->json) field_input(d, 0, input);
    field_u64(d, "offset", offset);
    field_u64(d, "frame", number);
    field_u32(d, "length", (uint32_t)raw_len);
    field_text(d, "verdict", verdict, strlen(verdict));
    field_hex(d, payload ? "payload" : "raw", payload ? payload : raw, payload ? payload_len : raw_len);
    finish_line(d);
}

static void put_pointer(struct tk_dump *d, uint64_t number) {
    if (d->json) tk_text_add(&d->text, "\"");
    tk_text_hex(&d->text, number, 1);
    if (d->json) tk_text_add(&d->text, "\"");
}

static void put_double(struct tk_dump *d, double number) {
    char digits[TK_DOUBLE_LEN];
    bool finite = number - number == 0;
    if (finite) tk_text_put(&d->text, digits, tk_double_text(number, digits));
    else tk_text_add(&d->text, number != number ? "\"nan\"" : number < 0 ? "\"-inf\"" : "\"inf\"");
}

// Key of a value. In JSON the second value of a name is name_2, because an object may contain each key once.
enum { KEY_NAME_LEN = 50, KEY_LEN = TK_UTF8_GROWTH * KEY_NAME_LEN + TK_DECIMAL_LEN + 2 };

// Writes the name of a value, cut and terminated. Returns its length.
static size_t value_name(const struct tk_value *value, char room[KEY_LEN]) {
    const char *name = value->name ? value->name : "value";
    size_t len = value->name_len ? value->name_len : strlen(name), bad;
    len = tk_utf8_clean((const uint8_t *)name, len < KEY_NAME_LEN ? len : KEY_NAME_LEN, (uint8_t *)room, &bad);
    room[len] = 0;
    return len;
}

static void value_key(const struct tk_dump *d, const struct tk_value *values, unsigned index, char room[KEY_LEN]) {
    size_t len = value_name(&values[index], room);
    unsigned same = 1;
    for (unsigned i = 0; d->json && i < index; i++) {
        char other[KEY_LEN];
        same += value_name(&values[i], other) == len && !memcmp(other, room, len);
    }
    if (same == 1) return;
    room[len++] = '_';
    tk_decimal(same, room + len);
}

static void dump_value(struct tk_dump *d, const char *name, const struct tk_value *value) {
    if (value->type == TK_VALUE_TEXT) {
        field_bytes(d, name, value->text, value->text_len);
        return;
    }
    key(d, name);
    if (value->type == TK_VALUE_DOUBLE) put_double(d, value->number.d);
    else if (value->type == TK_VALUE_INT) put_signed(d, value->number.i);
    else if (value->type == TK_VALUE_HEX) put_pointer(d, value->number.u);
    else put_number(d, value->number.u);
}

static void dump_named_fields(struct tk_dump *d, const struct tk_event *event, const char *field_names) {
    uint32_t id = tk_event_id(event), number = (uint32_t)tk_event_number(event, TK_SLOT_NUMBER);
    int64_t value = tk_event_number(event, TK_SLOT_VALUE);
    for (unsigned part = 0; *field_names; field_names += strlen(field_names) + 1, part++) {
        size_t len = strlen(field_names);
        bool last = !field_names[len + 1];
        if (last && event->str) field_text(d, field_names, event->str, event->str_len);
        else if (part == 0 && !id && number && last) field_u64(d, field_names, number);
        else if (part == 0 && !id && value && last) field_u64(d, field_names, (uint64_t)value);
        else if (part == 0) field_u64(d, field_names, id);
        else if (value) field_i64(d, field_names, value);
        else field_u64(d, field_names, number);
    }
}

void tk_dump_record(struct tk_dump *d, const char *input, const struct tk_event *event, const char *name,
                    size_t name_len, const char *field_names) {
    if (d->json) field_input(d, event->input, input);
    field_u64(d, "offset", event->offset);
    field_u64(d, "frame", event->frame);
    if (event->timed) field_u64(d, "ticks", event->ticks);
    field_text(d, "record", name, name_len);
    if (d->json) {
        key(d, "fields");
        open_with(d, "{");
    }
    char name_room[KEY_LEN];
    for (unsigned i = 0; i < event->value_count; i++) {
        value_key(d, event->values, i, name_room);
        dump_value(d, name_room, &event->values[i]);
    }
    if (!event->value_count) dump_named_fields(d, event, field_names);
    if (d->json) tk_text_add(&d->text, "}");
    finish_line(d);
}

static void field_seconds(struct tk_dump *d, uint64_t ticks, uint64_t tick_units, uint64_t units_per_ns) {
    key(d, "seconds");
    tk_time_put_seconds(&d->text, ticks > UINT64_MAX / tick_units ? UINT64_MAX : ticks * tick_units, units_per_ns);
}

// Writes the name of a problem; its number may change between versions.
static void put_problem(struct tk_dump *d, uint32_t id) {
    if (id >= TK_DIAG_COUNT) return;
    const struct tk_diag_info *info = tk_diag_info((enum tk_diag_id)id);
    field_text(d, "id", info->name, strlen(info->name));
    field_text(d, "problem", info->title, strlen(info->title));
}

static void put_id(struct tk_dump *d, const struct tk_event *event) {
    uint32_t number = (uint32_t)tk_event_number(event, TK_SLOT_NUMBER);
    field_u32(d, "id", tk_event_id(event));
    if (number) field_u32(d, "number", number);
}

// A counter has its value also when it is 0; other events only if it is not.
static void put_event_value(struct tk_dump *d, const struct tk_event *event) {
    int64_t value = tk_event_number(event, TK_SLOT_VALUE);
    bool is_shown = tk_event_is_counter(event) ? !(event->mark & (TK_SAMPLE_NONE | TK_SAMPLE_BLANK)) : value != 0;
    if (event->kind == TK_EV_TRACK_COUNT_DOUBLE) {
        key(d, "value");
        put_double(d, event->track_count_double.number);
    } else if (is_shown) {
        field_i64(d, "value", value);
    }
}

void tk_dump_event(struct tk_dump *d, const char *input, const struct tk_event *event, uint64_t tick_units,
                   uint64_t units_per_ns) {
    const char *words = tk_event_title((enum tk_event_kind)event->kind);
    field_input(d, event->input, input);
    field_u64(d, "offset", event->offset);
    field_u32(d, "core", event->core);
    field_u64(d, "ticks", event->ticks);
    if (tick_units) field_seconds(d, event->ticks, tick_units, units_per_ns);
    field_text(d, "event", words, strlen(words));
    if (tk_event_subjects[event->kind] == TK_CLASS_PROBLEM) put_problem(d, tk_event_id(event));
    else put_id(d, event);
    put_event_value(d, event);
    if (event->str_len) field_bytes(d, "text", event->str, event->str_len);
    finish_line(d);
}

// ---- Tracks ------------------------------------------------------------------------------------

static void start(struct tk_dump *d, const char *what) { field_text(d, "call", what, strlen(what)); }

static void define(void *ctx, enum tk_intern list, uint32_t id, const char *text, size_t len) {
    static const char *const lists[] = { "name", "text", "argument", "category", "function" };
    struct tk_dump *d = ctx;
    start(d, "define");
    field_text(d, "list", lists[list], strlen(lists[list]));
    field_u32(d, "id", id);
    field_text(d, "text", text, len);
    finish_line(d);
}

static void declare(void *ctx, const struct tk_track_info *track) {
    static const char *const kinds[] = { "group", "slices", "counter", "thread", "samples" };
    struct tk_dump *d = ctx;
    start(d, "track");
    field_u32(d, "track", track->track);
    field_u32(d, "parent", track->parent);
    field_text(d, "kind", kinds[track->kind], strlen(kinds[track->kind]));
    field_text(d, "name", track->name, track->name_len);
    if (track->kind == TK_TRACK_THREAD) field_u32(d, "pid", (uint32_t)track->pid);
    if (track->unit) field_text(d, "unit", track->unit, strlen(track->unit));
    finish_line(d);
}

static void task(void *ctx, const struct tk_task_info *info) {
    struct tk_dump *d = ctx;
    start(d, "task");
    field_u32(d, "pid", (uint32_t)info->pid);
    field_text(d, "name", info->name, info->name_len);
    if (info->idle) field_u32(d, "idle", 1);
    finish_line(d);
}

static void when_field(struct tk_dump *d, enum tk_when when, uint64_t ticks) {
    field_u64(d, "ticks", ticks);
    if (when != TK_IN_ORDER) field_text(d, "when", when == TK_LATE ? "late" : "early", when == TK_LATE ? 4 : 5);
}

static void state(void *ctx, const struct tk_task_change *change) {
    static const char *const states[] = { "runnable",  "running", "waiting",     "waiting for a lock",
                                          "suspended", "dead",    "not recorded" };
    static const char *const wakers[] = { "", "task", "interrupt" };
    struct tk_dump *d = ctx;
    start(d, "state");
    when_field(d, (enum tk_when)change->when, change->ticks);
    field_u32(d, "pid", (uint32_t)change->pid);
    field_text(d, "state", states[change->state], strlen(states[change->state]));
    field_u32(d, "core", change->core);
    if (change->waker) field_text(d, "waker", wakers[change->waker], strlen(wakers[change->waker]));
    finish_line(d);
}

static void arg_text(struct tk_dump *d, const struct tk_arg *arg) {
    char name[5 + TK_DECIMAL_LEN] = "arg #";
    tk_decimal(arg->name, name + 5);
    if (arg->type == TK_ARG_STRING) {
        field_text(d, name, arg->string, arg->string_len);
        return;
    }
    key(d, name);
    if (arg->type == TK_ARG_DOUBLE) put_double(d, arg->value.d);
    else if (arg->type == TK_ARG_INT) tk_text_i64(&d->text, arg->value.i);
    else tk_text_u64(&d->text, arg->type == TK_ARG_TEXT ? arg->value.text : arg->value.u);
}

// The second key shows the type of the value: a number, a text, or the id of an interned text.
static void arg_json(struct tk_dump *d, const struct tk_arg *arg) {
    separate(d);
    open_with(d, "{");
    field_u32(d, "name", arg->name);
    if (arg->type == TK_ARG_STRING) field_text(d, "string", arg->string, arg->string_len);
    else if (arg->type == TK_ARG_INT) field_i64(d, "int", arg->value.i);
    else if (arg->type == TK_ARG_TEXT) field_u32(d, "text", arg->value.text);
    else if (arg->type == TK_ARG_DOUBLE) {
        key(d, "double");
        put_double(d, arg->value.d);
    } else field_u64(d, arg->type == TK_ARG_GROUP ? "group" : arg->type == TK_ARG_LIST ? "list" : "uint", arg->value.u);
    tk_text_add(&d->text, "}");
}

static void dump_args(struct tk_dump *d, const struct tk_track_event *e) {
    if (!d->json) {
        for (unsigned i = 0; i < e->arg_count; i++) arg_text(d, &e->args[i]);
        return;
    }
    if (!e->arg_count) return;
    key(d, "args");
    open_with(d, "[");
    for (unsigned i = 0; i < e->arg_count; i++) arg_json(d, &e->args[i]);
    tk_text_add(&d->text, "]");
}

static void event(void *ctx, const struct tk_track_event *e) {
    static const char *const types[] = { "", "begin", "end", "instant", "counter", "sample" };
    struct tk_dump *d = ctx;
    start(d, types[e->type]);
    when_field(d, e->when, e->ticks);
    field_u32(d, "track", e->track);
    if (e->name) field_u32(d, "name", e->name);
    else if (e->string) field_text(d, "name", e->string, e->string_len);
    if (e->category) field_u32(d, "category", e->category);
    if (e->type == TK_EVENT_COUNTER && e->is_double) {
        key(d, "double");
        put_double(d, e->value_double);
    } else if (e->type == TK_EVENT_COUNTER) {
        field_i64(d, "value", e->value);
    }
    dump_args(d, e);
    if (e->flow) field_u64(d, "flow", e->flow);
    if (e->flow_end) field_u64(d, "flow_end", e->flow_end);
    if (e->correlation) field_u64(d, "correlation", e->correlation);
    if (e->log) field_text(d, "log", e->log->source, e->log->source_len), field_u32(d, "level", e->log->level);
    finish_line(d);
}

static void plain(void *ctx, uint64_t ticks, enum tk_track_event_type type, uint32_t track, uint64_t what,
                  uint64_t detail) {
    struct tk_arg room;
    struct tk_track_event full = tk_track_event_of(ticks, type, track, what, detail, &room);
    event(ctx, &full);
}

static void finish(void *ctx, const struct tk_trace_summary *facts) {
    struct tk_dump *d = ctx;
    start(d, "finish");
    field_u64(d, "tick_ns", facts->tick_ns);
    field_u64(d, "lost_events", facts->lost_events);
    finish_line(d);
}

struct tk_track_sink tk_dump_track_sink(struct tk_dump *dump) {
    return (struct tk_track_sink){ dump, define, declare, task, state, event, plain, finish };
}

void tk_dump_lines(struct tk_dump *d, const char *text, size_t len) {
    for (const char *end; (end = memchr(text, '\n', len)); len -= (size_t)(end + 1 - text), text = end + 1) {
        tk_text_put(&d->text, text, (size_t)(end - text));
        finish_line(d);
    }
    tk_text_put(&d->text, text, len);
}
