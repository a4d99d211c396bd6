// SPDX-License-Identifier: MIT
#include "sink_check.h"

#include <string.h>

#include "base/bytes.h"
#include "base/utf8.h"
#include "check.h"

static bool is_clean(const char *text, size_t len) { return tk_utf8_is_clean((const uint8_t *)text, len); }

static uint32_t use_track(struct sink_check *sink, uint32_t track) {
    check(track > 0 && track < SINK_TRACKS);
    if (track > sink->last_track) sink->last_track = track;
    return track;
}

static void use_text(struct sink_check *sink, enum tk_intern list, uint32_t id) {
    check(id > 0 && id < SINK_TEXTS);
    if (id > sink->last_text[list]) sink->last_text[list] = id;
    sink->used_text[list][id] = 1;
}

static void check_time(struct sink_check *sink, enum tk_when when, uint64_t ticks) {
    check(!sink->finished);
    sink->calls++;
    check(ticks >= sink->from && ticks <= sink->to && ticks <= INT64_MAX);
    if (when == TK_EARLY) check(ticks > 0);
    if (when != TK_IN_ORDER) return;
    check(ticks >= sink->in_order || sink->free_times);
    sink->in_order = ticks;
}

static void on_define(void *ctx, enum tk_intern list, uint32_t id, const char *text, size_t len) {
    struct sink_check *sink = ctx;
    check(!sink->finished);
    check(id > 0 && id < SINK_TEXTS && is_clean(text, len));
    if (id > sink->last_text[list]) sink->last_text[list] = id;
    check(!sink->defined[list][id]);
    sink->defined[list][id] = 1;
}

static void on_declare(void *ctx, const struct tk_track_info *track) {
    struct sink_check *sink = ctx;
    check(!sink->finished);
    uint32_t id = use_track(sink, track->track);
    check(track->parent != id && (track->kind != TK_TRACK_THREAD || track->pid > 2));
    check(is_clean(track->name, track->name_len));
    if (track->parent) sink->used_track[use_track(sink, track->parent)] = 1;
    check(!sink->declared[id] || sink->declared[id] == track->kind + 1u);
    sink->declared[id] = (uint8_t)(track->kind + 1);
    sink->name_of[id] = track->kind == TK_TRACK_THREAD
                            ? 0
                            : tk_hash_bytes((const uint8_t *)track->name, track->name_len) * 31 + track->parent + 1;
}

static struct sink_state *task_of(struct sink_check *sink, int32_t pid) {
    for (uint32_t i = 0; i < sink->task_count; i++)
        if (sink->tasks[i].pid == pid) return &sink->tasks[i];
    check(sink->task_count < SINK_TASKS);
    sink->tasks[sink->task_count] = (struct sink_state){ .pid = pid };
    return &sink->tasks[sink->task_count++];
}

static void on_task(void *ctx, const struct tk_task_info *task) {
    struct sink_check *sink = ctx;
    check(!sink->finished && task->pid > 2 && is_clean(task->name, task->name_len));
    task_of(sink, task->pid)->task_called = true;
}

static void check_run(struct sink_check *sink, const struct tk_task_change *change) {
    int32_t before = sink->running[change->core];
    check(!before || change->ticks >= sink->running_since[change->core]); // times increase on each core
    if (before && before != change->pid && change->ticks > sink->running_since[change->core])
        task_of(sink, before)->replaced_at = change->ticks;
    sink->running[change->core] = change->pid;
    sink->running_since[change->core] = change->ticks;
}

static void on_state(void *ctx, const struct tk_task_change *change) {
    struct sink_check *sink = ctx;
    if (!change->pid) {
        check(change->state == TK_STATE_UNRECORDED || change->state == TK_STATE_RUNNING);
        check(change->core < 32 && change->when == TK_LATE && !change->waker);
        check(!sink->running[change->core] || change->ticks >= sink->running_since[change->core]);
        return;
    }
    struct sink_state *task = task_of(sink, change->pid);
    enum tk_when when = (enum tk_when)change->when;
    check(change->state <= TK_STATE_DEAD && change->core < 32);
    check_time(sink, when, change->ticks);
    check(task->state != change->state + 1); // none twice in a row
    check(when == TK_EARLY || !task->state || task->late || task->since < change->ticks || when == TK_LATE); // one per
                                                                                                             // tick
    check(!task->state || change->ticks >= task->since);
    check(!change->waker || change->state == TK_STATE_RUNNABLE);
    for (unsigned i = 0; i < 32; i++)
        if (sink->running[i] == change->pid) sink->running[i] = 0;
    check(!task->replaced_at || change->ticks <= task->replaced_at); // first the state in which it left
    task->replaced_at = 0;
    if (change->state == TK_STATE_RUNNING) check_run(sink, change);
    task->late = when != TK_IN_ORDER;
    task->state = change->state + 1;
    task->since = change->ticks;
}

// Returns the argument after all that belong to the first one.
static unsigned check_arg(struct sink_check *sink, const struct tk_track_event *event, unsigned at, unsigned end,
                          bool named, unsigned depth) {
    const struct tk_arg *arg = &event->args[at++];
    check(depth <= 16);
    if (named) use_text(sink, TK_INTERN_ARG_NAME, arg->name);
    else check(!arg->name);
    if (arg->type < TK_ARG_GROUP) return at;
    check(arg->value.u <= end - at);
    end = at + (unsigned)arg->value.u;
    while (at < end) at = check_arg(sink, event, at, end, arg->type == TK_ARG_GROUP, depth + 1);
    return at;
}

static void check_args(struct sink_check *sink, const struct tk_track_event *event) {
    for (unsigned at = 0; at < event->arg_count;) at = check_arg(sink, event, at, event->arg_count, true, 0);
    for (unsigned i = 0; i < event->arg_count; i++) {
        const struct tk_arg *arg = &event->args[i];
        if (arg->type == TK_ARG_TEXT) use_text(sink, TK_INTERN_TEXT, arg->value.text);
        if (arg->type == TK_ARG_STRING) check(is_clean(arg->string, arg->string_len));
    }
}

static void on_event(void *ctx, const struct tk_track_event *event) {
    struct sink_check *sink = ctx;
    bool is_sample = event->type == TK_EVENT_SAMPLE;
    uint32_t track = event->log && !event->track ? 0 : use_track(sink, event->track);
    check(event->type >= TK_EVENT_BEGIN && event->type <= TK_EVENT_SAMPLE);
    check_time(sink, (enum tk_when)event->when, event->ticks);
    if (event->when == TK_IN_ORDER && track) {
        check(event->ticks >= sink->in_order_on[track]);
        sink->in_order_on[track] = event->ticks;
    }
    sink->used_track[track] = track > 0;
    check(!event->is_double || event->value_double - event->value_double == 0);
    if (event->name) use_text(sink, is_sample ? TK_INTERN_FUNCTION : TK_INTERN_NAME, event->name);
    if (event->category) use_text(sink, TK_INTERN_CATEGORY, event->category);
    if (event->string) check(is_clean(event->string, event->string_len));
    if (event->log)
        check(event->type == TK_EVENT_INSTANT && !event->name && event->string &&
              is_clean(event->log->source, event->log->source_len));
    check_args(sink, event);
    if (event->type == TK_EVENT_BEGIN) sink->depth[track]++;
    if (event->type == TK_EVENT_END) {
        check(!event->name && !event->string);
        check(sink->depth[track]-- > 0);
    }
    if (is_sample) check(event->string != NULL);
    if (event->type == TK_EVENT_COUNTER) check(sink->declared[track] == TK_TRACK_COUNTER + 1);
}

static void on_simple_event(void *ctx, uint64_t ticks, enum tk_track_event_type type, uint32_t track, uint64_t what,
                            uint64_t detail) {
    struct tk_arg room;
    struct tk_track_event event = tk_track_event_of(ticks, type, track, what, detail, &room);
    on_event(ctx, &event);
}

static void on_finish(void *ctx, const struct tk_trace_summary *summary) {
    struct sink_check *sink = ctx;
    check(!sink->finished && summary->tick_ns);
    sink->finished = true;
}

struct tk_track_sink sink_check_start(struct sink_check *sink) {
    uint32_t tracks = sink->last_track + 1;
    memset(sink->depth, 0, tracks * sizeof *sink->depth);
    memset(sink->in_order_on, 0, tracks * sizeof *sink->in_order_on);
    memset(sink->declared, 0, tracks);
    memset(sink->used_track, 0, tracks);
    memset(sink->name_of, 0, tracks * sizeof *sink->name_of);
    for (unsigned list = 0; list < TK_INTERNS; list++) {
        memset(sink->defined[list], 0, sink->last_text[list] + 1u);
        memset(sink->used_text[list], 0, sink->last_text[list] + 1u);
        sink->last_text[list] = 0;
    }
    sink->last_track = sink->task_count = 0;
    memset(sink->running, 0, sizeof sink->running);
    sink->in_order = sink->from = sink->calls = 0;
    sink->to = UINT64_MAX;
    sink->finished = sink->tracks_by_name = sink->free_times = false;
    return (
        struct tk_track_sink){ sink, on_define, on_declare, on_task, on_state, on_event, on_simple_event, on_finish };
}

// Names are unique among siblings; a track of one task may have the name of a track of another: the hash contains the
// parent.
static void check_names(const struct sink_check *sink) {
    for (uint32_t a = 1; a <= sink->last_track && a < 256; a++)
        for (uint32_t b = a + 1; b <= sink->last_track && b < 256; b++)
            check(!sink->name_of[a] || sink->name_of[a] != sink->name_of[b]);
}

void sink_check_end(const struct sink_check *sink) {
    check(sink->finished);
    for (uint32_t track = 1; track <= sink->last_track; track++) {
        check(!sink->depth[track]);
        check(!sink->used_track[track] || sink->declared[track]);
    }
    for (unsigned list = 0; list < TK_INTERNS; list++)
        for (uint32_t id = 1; id <= sink->last_text[list]; id++)
            check(!sink->used_text[list][id] || sink->defined[list][id]);
    for (uint32_t i = 0; i < sink->task_count; i++) check(sink->tasks[i].task_called);
    if (sink->tracks_by_name) check_names(sink);
}
