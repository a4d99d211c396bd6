// SPDX-License-Identifier: MIT
#include "outline.h"

#include <string.h>

#include "../base/decimal.h"
#include "../base/out.h"
#include "time_basis.h"

enum { TIME_WIDTH = 16, ROW_WIDTH = 12, MOST_INDENT = 64 };

// ---- A line ------------------------------------------------------------------------------------

// Replaces control characters, which would affect the terminal.
static void put_clean(struct tk_outline *o, const char *text, size_t len) {
    for (size_t i = 0; i < len; i++)
        tk_text_put(&o->text, (uint8_t)text[i] < 0x20 || text[i] == 0x7F ? "?" : &text[i], 1);
}

static void put_quoted(struct tk_outline *o, const char *text, size_t len) {
    struct tk_out out;
    tk_out_init(&out, tk_text_write, &o->text);
    tk_out_quoted(&out, text, len);
    tk_out_flush(&out);
}

static void finish_line(struct tk_outline *o) {
    if (!o->refused && !o->line(o->ctx, o->text.text, o->text.len)) o->refused = true;
    tk_text_shorten(&o->text, 0);
}

// ---- Definitions -------------------------------------------------------------------------------

static const char *text_of(const struct tk_outline *o, enum tk_intern list, uint32_t id, size_t *out_len) {
    uint32_t string = id && id <= o->text_capacity[list] ? o->texts[list][id - 1] : 0;
    return tk_strtab_text(&o->strings, string, out_len);
}

static void define(void *ctx, enum tk_intern list, uint32_t id, const char *text, size_t len) {
    struct tk_outline *o = ctx;
    if (tk_alloc_grow(o->alloc, (void **)&o->texts[list], &o->text_capacity[list], id, sizeof *o->texts[list]))
        o->texts[list][id - 1] = tk_strtab_intern(&o->strings, o->alloc, text, len);
}

static struct tk_outline_track *track_of(struct tk_outline *o, uint32_t id) {
    return tk_alloc_grow(o->alloc, (void **)&o->tracks, &o->track_capacity, id, sizeof *o->tracks) ? &o->tracks[id - 1]
                                                                                                   : NULL;
}

static void declare(void *ctx, const struct tk_track_info *info) {
    struct tk_outline *o = ctx;
    struct tk_outline_track *track = info->kind == TK_TRACK_GROUP ? NULL : track_of(o, info->track);
    if (!track) return;
    track->pid = info->kind == TK_TRACK_THREAD ? info->pid : 0;
    track->name = tk_strtab_intern(&o->strings, o->alloc, info->name, info->name_len);
    track->counts = info->kind == TK_TRACK_COUNTER;
}

static void task(void *ctx, const struct tk_task_info *info) {
    struct tk_outline *o = ctx;
    uint32_t i = 0;
    while (i < o->task_count && o->tasks[i].pid != info->pid) i++;
    if (i == o->task_count &&
        !tk_alloc_grow(o->alloc, (void **)&o->tasks, &o->task_capacity, ++o->task_count, sizeof *o->tasks)) {
        o->task_count--;
        return;
    }
    o->tasks[i].pid = info->pid;
    o->tasks[i].name = tk_strtab_intern(&o->strings, o->alloc, info->name, info->name_len);
}

// ---- Slices and instants -----------------------------------------------------------------------

static const char *row_of(const struct tk_outline *o, const struct tk_outline_track *track, size_t *out_len) {
    uint32_t name = track->name;
    for (uint32_t i = 0; track->pid && i < o->task_count; i++)
        if (o->tasks[i].pid == track->pid) name = o->tasks[i].name;
    return tk_strtab_text(&o->strings, name, out_len);
}

static const char *name_of(const struct tk_outline *o, const struct tk_track_event *event, size_t *out_len) {
    if (event->name && event->type != TK_EVENT_SAMPLE) return text_of(o, TK_INTERN_NAME, event->name, out_len);
    *out_len = event->string_len;
    return event->string ? event->string : "";
}

static void put_time(struct tk_outline *o, uint64_t ticks) {
    uint64_t tick_units = o->tick_units(o->tick_ctx);
    char room[2 * TK_DECIMAL_LEN];
    struct tk_text time = tk_text_in(room, sizeof room);
    if (!tick_units) tk_text_u64(&time, ticks);
    else
        tk_time_put_seconds(&time, ticks > UINT64_MAX / tick_units ? UINT64_MAX : ticks * tick_units,
                            o->units_per_ns(o->tick_ctx));
    tk_text_fill(&o->text, ' ', time.len < TIME_WIDTH ? TIME_WIDTH - time.len : 0);
    tk_text_put(&o->text, time.text, time.len);
}

static bool arg_text(const struct tk_outline *o, const struct tk_arg *arg, const char **out_text, size_t *out_len) {
    if (arg->type != TK_ARG_TEXT && arg->type != TK_ARG_STRING) return false;
    *out_text = arg->type == TK_ARG_TEXT ? text_of(o, TK_INTERN_TEXT, arg->value.text, out_len) : arg->string;
    if (arg->type == TK_ARG_STRING) *out_len = arg->string_len;
    return *out_len > 0;
}

// Appends the text arguments, such as "  (0x080003f4 comm.c:12; called from 0x08000446 comm_send+26)".
static void put_args(struct tk_outline *o, const struct tk_track_event *event) {
    size_t own_len;
    const char *own = name_of(o, event, &own_len);
    bool any = false;
    for (unsigned i = 0; i < event->arg_count; i++) {
        const char *text;
        size_t len, name_len;
        if (!arg_text(o, &event->args[i], &text, &len) || (len == own_len && !memcmp(text, own, len))) continue;
        const char *name = text_of(o, TK_INTERN_ARG_NAME, event->args[i].name, &name_len);
        tk_text_add(&o->text, any ? "; " : "  (");
        if (any || name_len != 8 || memcmp(name, "function", 8))
            put_clean(o, name, name_len), tk_text_put(&o->text, " ", 1);
        put_clean(o, text, len);
        any = true;
    }
    if (any) tk_text_put(&o->text, ")", 1);
}

static void print_text(struct tk_outline *o, const struct tk_outline_track *track, const struct tk_track_event *event) {
    size_t row_len, name_len;
    const char *row = row_of(o, track, &row_len), *name = name_of(o, event, &name_len);
    put_time(o, event->ticks);
    tk_text_put(&o->text, " ", 1);
    put_clean(o, row, row_len);
    tk_text_fill(&o->text, ' ', row_len < ROW_WIDTH ? ROW_WIDTH - row_len : 0);
    tk_text_fill(&o->text, ' ', 1 + 2 * (track->depth < MOST_INDENT ? track->depth : MOST_INDENT));
    put_clean(o, name, name_len);
    put_args(o, event);
    finish_line(o);
}

static void put_field(struct tk_outline *o, const char *before, const char *text, size_t len) {
    tk_text_add(&o->text, before);
    put_quoted(o, text, len);
}

static void print_json(struct tk_outline *o, const struct tk_outline_track *track, const struct tk_track_event *event) {
    size_t len, name_len;
    const char *text = row_of(o, track, &len);
    tk_text_add(&o->text, "{\"ticks\":\"");
    tk_text_u64(&o->text, event->ticks);
    put_field(o, "\",\"row\":", text, len);
    tk_text_add(&o->text, ",\"depth\":");
    tk_text_u64(&o->text, track->depth);
    text = name_of(o, event, &len);
    put_field(o, ",\"name\":", text, len);
    text = text_of(o, TK_INTERN_CATEGORY, event->category, &len);
    if (len) put_field(o, ",\"category\":", text, len);
    tk_text_add(&o->text, ",\"args\":{");
    bool any = false;
    for (unsigned i = 0; i < event->arg_count; i++) {
        if (!arg_text(o, &event->args[i], &text, &len)) continue;
        const char *name = text_of(o, TK_INTERN_ARG_NAME, event->args[i].name, &name_len);
        put_field(o, any ? "," : "", name, name_len);
        put_field(o, ":", text, len);
        any = true;
    }
    tk_text_add(&o->text, "}}");
    finish_line(o);
}

static void on_event(void *ctx, const struct tk_track_event *event) {
    struct tk_outline *o = ctx;
    struct tk_outline_track *track = event->track ? track_of(o, event->track) : NULL;
    if (!track || track->counts || event->type == TK_EVENT_COUNTER) return;
    if (event->type == TK_EVENT_END) {
        track->depth -= track->depth > 0;
        return;
    }
    if (o->json) print_json(o, track, event);
    else print_text(o, track, event);
    track->depth += event->type == TK_EVENT_BEGIN;
}

static void on_simple_event(void *ctx, uint64_t ticks, enum tk_track_event_type type, uint32_t track, uint64_t what,
                            uint64_t detail) {
    struct tk_arg room;
    struct tk_track_event full = tk_track_event_of(ticks, type, track, what, detail, &room);
    on_event(ctx, &full);
}

static void on_state(void *ctx, const struct tk_task_change *change) { (void)ctx, (void)change; }
static void on_finish(void *ctx, const struct tk_trace_summary *facts) { (void)ctx, (void)facts; }

struct tk_track_sink tk_outline_sink(struct tk_outline *outline) {
    return (struct tk_track_sink){ outline, define, declare, task, on_state, on_event, on_simple_event, on_finish };
}
