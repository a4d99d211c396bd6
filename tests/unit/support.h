// SPDX-License-Identifier: MIT
// Support for unit tests: an allocator that counts and fails on request, a track sink that records its calls, and a
// builder of Tonbandgeraet streams.
#ifndef TK_TESTS_SUPPORT_H
#define TK_TESTS_SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "model/timeline/track_sink.h"

// ---- Memory ------------------------------------------------------------------------------------

struct heap {
    size_t calls, fail_from; // allocations so far; number `fail_from` (from 1) and all later ones fail; 0: none
    size_t in_use;
};

static inline void *heap_realloc(void *ctx, void *ptr, size_t old_size, size_t new_size) {
    struct heap *heap = ctx;
    if (!new_size) {
        heap->in_use -= old_size;
        free(ptr);
        return NULL;
    }
    if (++heap->calls >= heap->fail_from && heap->fail_from) return NULL;
    void *fresh = realloc(ptr, new_size);
    assert_non_null(fresh);
    heap->in_use += new_size - old_size;
    return fresh;
}

static inline struct tk_alloc heap_alloc(struct heap *heap) {
    return (struct tk_alloc){ .realloc = heap_realloc, .ctx = heap };
}

// ---- Lines of text -----------------------------------------------------------------------------

struct lines {
    char text[64 * 1024];
    size_t len;
};

__attribute__((format(printf, 2, 3))) static inline void lines_add(struct lines *lines, const char *format, ...) {
    va_list args;
    va_start(args, format);
    int len = vsnprintf(lines->text + lines->len, sizeof lines->text - lines->len, format, args);
    va_end(args);
    assert_true(len >= 0 && (size_t)len < sizeof lines->text - lines->len);
    lines->len += (size_t)len;
}

// Compares the recorded lines and clears them.
#define expect_lines(lines, expected)                 \
    do {                                              \
        assert_string_equal((lines)->text, expected); \
        (lines)->len = 0;                             \
        (lines)->text[0] = 0;                         \
    } while (0)

// ---- A recording track sink --------------------------------------------------------------------

// One line each: "state 10 p301 running c0", "begin 10 t3 n2 (a=1)", "track 3 < 1 'Queues and locks'".
struct recorder {
    struct lines lines;
    struct tk_track_sink sink;
    uint64_t now;                    // last time of the calls that must be in order
    char names[TK_INTERNS][512][64]; // [list][id]
    char tracks[512][64], descriptions[512][64];
    int depth[512];
    bool quiet_tracks;    // no lines for declare, task, define
    bool free_times;      // times increase only within a track
    uint64_t now_on[512]; // in that case: last time of a track
};

static inline const char *recorder_when(const struct recorder *r, enum tk_when when) {
    (void)r;
    return when == TK_LATE ? " late" : when == TK_EARLY ? " early" : "";
}

static inline void recorder_define(void *ctx, enum tk_intern list, uint32_t id, const char *text, size_t len) {
    struct recorder *r = ctx;
    assert_in_range(id, 1, 511);
    snprintf(r->names[list][id], sizeof r->names[list][id], "%.*s", (int)len, text);
    if (!r->quiet_tracks) lines_add(&r->lines, "define %d %u '%.*s'\n", (int)list, id, (int)len, text);
}

static inline void recorder_declare(void *ctx, const struct tk_track_info *track) {
    struct recorder *r = ctx;
    if (track->track > 65536) return; // groups that become children of others
    assert_in_range(track->track, 1, 511);
    snprintf(r->tracks[track->track], sizeof r->tracks[track->track], "%.*s", (int)track->name_len, track->name);
    snprintf(r->descriptions[track->track], sizeof r->descriptions[track->track], "%s",
             track->description ? track->description : "");
    if (r->quiet_tracks) return;
    lines_add(&r->lines, "track %u in %u '%.*s'", track->track, track->parent, (int)track->name_len, track->name);
    if (r->free_times && track->rank) lines_add(&r->lines, " rank %d", track->rank);
    if (r->free_times && track->unit) lines_add(&r->lines, " unit '%s'", track->unit);
    if (r->free_times && track->description) lines_add(&r->lines, " (%s)", track->description);
    if (track->share) lines_add(&r->lines, " share %u", track->share);
    lines_add(&r->lines, "\n");
}

static inline void recorder_task(void *ctx, const struct tk_task_info *task) {
    struct recorder *r = ctx;
    assert_true(task->pid > 2);
    if (!r->quiet_tracks)
        lines_add(&r->lines, "task p%d '%.*s'%s\n", task->pid, (int)task->name_len, task->name,
                  task->idle ? " idle" : "");
}

static inline void recorder_time(struct recorder *r, enum tk_when when, uint64_t ticks) {
    if (when == TK_IN_ORDER && !r->free_times) {
        assert_true(ticks >= r->now);
        r->now = ticks;
    }
}

static inline void recorder_state(void *ctx, const struct tk_task_change *change) {
    static const char *const words[] = { "ready",     "running", "waiting",     "waiting for a lock",
                                         "suspended", "dead",    "not recorded" };
    static const char *const wakers[] = { "", " by task", " by interrupt" };
    struct recorder *r = ctx;
    enum tk_when when = (enum tk_when)change->when;
    if (when == TK_EARLY) {
        assert_true(change->ticks >= r->now);
        r->now = change->ticks;
    }
    recorder_time(r, when, change->ticks);
    lines_add(&r->lines, "%llu%s: p%d %s c%u%s\n", (unsigned long long)change->ticks, recorder_when(r, when),
              change->pid, words[change->state], change->core, wakers[change->waker]);
}

static inline void recorder_args(struct recorder *r, const struct tk_track_event *event) {
    for (unsigned i = 0; i < event->arg_count; i++) {
        const struct tk_arg *arg = &event->args[i];
        const char *name = r->names[TK_INTERN_ARG_NAME][arg->name];
        if (arg->type == TK_ARG_UINT) lines_add(&r->lines, ", %s %llu", name, (unsigned long long)arg->value.u);
        if (arg->type == TK_ARG_INT) lines_add(&r->lines, ", %s %lld", name, (long long)arg->value.i);
        if (arg->type == TK_ARG_TEXT) lines_add(&r->lines, ", %s {%u}", name, arg->value.text);
        if (arg->type == TK_ARG_STRING) lines_add(&r->lines, ", %s '%.*s'", name, (int)arg->string_len, arg->string);
        if (arg->type == TK_ARG_DOUBLE) lines_add(&r->lines, ", %s %g", name, arg->value.d);
        if (arg->type >= TK_ARG_GROUP)
            lines_add(&r->lines, ", %s %s(%llu)", name, arg->type == TK_ARG_LIST ? "list" : "group",
                      (unsigned long long)arg->value.u);
    }
}

// Undefined names appear as [id].
static inline void recorder_event(void *ctx, const struct tk_track_event *event) {
    static const char *const words[] = { "", "begin", "end", "instant", "count" };
    struct recorder *r = ctx;
    recorder_time(r, (enum tk_when)event->when, event->ticks);
    assert_in_range(event->track, 1, 511);
    if (event->when == TK_IN_ORDER) {
        if (r->free_times) assert_true(event->ticks >= r->now_on[event->track]);
        r->now_on[event->track] = event->ticks;
    }
    lines_add(&r->lines, "%llu%s: %s ", (unsigned long long)event->ticks, recorder_when(r, (enum tk_when)event->when),
              words[event->type]);
    if (r->tracks[event->track][0]) lines_add(&r->lines, "<%s>", r->tracks[event->track]);
    else lines_add(&r->lines, "<%u>", event->track);
    if (event->type == TK_EVENT_COUNTER && event->is_double) lines_add(&r->lines, " %g", event->value_double);
    else if (event->type == TK_EVENT_COUNTER) lines_add(&r->lines, " %lld", (long long)event->value);
    else if (event->name && r->names[TK_INTERN_NAME][event->name][0])
        lines_add(&r->lines, " '%s'", r->names[TK_INTERN_NAME][event->name]);
    else if (event->name) lines_add(&r->lines, " [%u]", event->name);
    else if (event->string) lines_add(&r->lines, " '%.*s'", (int)event->string_len, event->string);
    recorder_args(r, event);
    if (event->correlation) lines_add(&r->lines, " colour %llu", (unsigned long long)event->correlation);
    if (event->flow) lines_add(&r->lines, ", flow %llu", (unsigned long long)event->flow);
    if (event->flow_end) lines_add(&r->lines, ", flow ends %llu", (unsigned long long)event->flow_end);
    lines_add(&r->lines, "\n");
    if (event->when == TK_IN_ORDER && event->type == TK_EVENT_BEGIN) r->depth[event->track]++;
    if (event->when == TK_IN_ORDER && event->type == TK_EVENT_END) r->depth[event->track]--;
}

static inline void recorder_plain(void *ctx, uint64_t ticks, enum tk_track_event_type type, uint32_t track,
                                  uint64_t what, uint64_t detail) {
    struct tk_arg room;
    struct tk_track_event event = tk_track_event_of(ticks, type, track, what, detail, &room);
    recorder_event(ctx, &event);
}

static inline void recorder_finish(void *ctx, const struct tk_trace_summary *summary) {
    struct recorder *r = ctx;
    lines_add(&r->lines, "finish, tick %llu\n", (unsigned long long)summary->tick_ns);
}

static inline void recorder_init(struct recorder *r, bool quiet_tracks) {
    memset(r, 0, sizeof *r);
    r->quiet_tracks = quiet_tracks;
    r->sink = (struct tk_track_sink){ r,
                                      recorder_define,
                                      recorder_declare,
                                      recorder_task,
                                      recorder_state,
                                      recorder_event,
                                      recorder_plain,
                                      recorder_finish };
}

#endif
