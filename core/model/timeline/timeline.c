// SPDX-License-Identifier: MIT
#include "timeline.h"

#include "../../base/bytes.h"
#include "../../base/attributes.h"
#include "../../base/utf8.h"

#include <string.h>

// The viewer merges tracks of the same name and parent, and a parent may be declared after its children. So each
// counter has a group of its own; at the end that group is merged into the common group or into the group of constant
// counters.
enum { OWN_GROUP = TK_MAX_TRACKS }; // + id of the counter

enum { PID_BASE = 300, PID_LIMIT = 1 << 20 }; // the viewer gives neighbouring pids from 300 on distinct colours

static const struct tk_group_order default_order = { 7,
                                                     {
                                                         TK_GROUP_INTERRUPTS,
                                                         TK_GROUP_QUEUES,
                                                         TK_GROUP_POOLS,
                                                         TK_GROUP_MARKERS,
                                                         TK_GROUP_RECORDS,
                                                         TK_GROUP_VALUES,
                                                         TK_GROUP_TIMERS,
                                                         TK_GROUP_SENDERS,
                                                         TK_GROUP_SCHEDULER,
                                                         TK_GROUP_NOTES,
                                                         TK_GROUP_EVENTS,
                                                         TK_GROUP_MACHINES,
                                                         TK_GROUP_INTERVALS,
                                                         TK_GROUP_SOFT_TIMERS,
                                                         TK_GROUP_MARKER_VALUES,
                                                         TK_GROUP_MEMORY,
                                                     } };

void tk_timeline_init(struct tk_timeline *tl, struct tk_alloc *alloc, struct tk_diag *diag,
                      struct tk_track_sink *sink) {
    memset(tl, 0, sizeof *tl);
    tl->alloc = alloc;
    tl->diag = diag;
    tl->sink = sink;
    tl->order = &default_order;
    tl->next_pid = PID_BASE + PID_LIMIT + 1;
    tk_names_init(&tl->names, alloc, sink);
}

// ---- Tracks ------------------------------------------------------------------------------------

TK_COLD static size_t track_name(const struct tk_timeline *tl, const struct tk_track *track,
                                 char out_text[TK_TRACK_NAME_LEN]) {
    struct tk_text text = tk_text_in(out_text, TK_TRACK_NAME_LEN);
    if (track->entity != TK_NONE) tk_names_put(&tl->names, track->entity, &text);
    if (track->title) tk_text_add(&text, track->title);
    if (tl->note[0] && tl->groups[TK_GROUP_TARGET] && track == &tl->tracks[tl->groups[TK_GROUP_TARGET] - 1])
        tk_text_add(&text, " ("), tk_text_add(&text, tl->note), tk_text_add(&text, ")");
    if (track->of_core) tk_text_add(&text, ", core "), tk_text_u64(&text, track->of_core - 1u);
    if (track->show_number && track->entity != TK_NONE)
        tk_text_add(&text, " #"), tk_text_u64(&text, tl->names.entities[track->entity].id);
    return text.len;
}

size_t tk_timeline_track_name(const struct tk_timeline *tl, uint32_t track, char out_text[TK_TRACK_NAME_LEN]) {
    return track_name(tl, &tl->tracks[track - 1], out_text);
}

TK_COLD static uint64_t name_hash(uint32_t parent, const char *text, size_t len) {
    return (tk_hash_bytes((const uint8_t *)text, len) ^ (uint64_t)parent * 0x9E3779B97F4A7C15u) | (uint64_t)1 << 63;
}

enum { UNIT_LEN = 64, DESCRIPTION_LEN = 1024 }; // longer ones are cut

// Returns a text of the recording; NULL if there is none.
TK_COLD static const char *recorded_text(const struct tk_timeline *tl, uint32_t string, char *room, size_t size) {
    size_t len;
    const char *text = tk_strtab_text(&tl->names.strings, string, &len);
    if (!string) return NULL;
    if (len >= size) len = tk_utf8_cut(text, size - 1);
    memcpy(room, text, len);
    room[len] = 0;
    return room;
}

// Returns a hash of all details that may still change.
static uint64_t details_hash(const struct tk_track *track) {
    if (!track->from_recording) return 0;
    uint64_t texts = (uint64_t)track->unit_text << 32 | track->description_text,
             order = (uint64_t)track->share << 33 | (uint64_t)track->ordered << 32 | (uint32_t)track->rank;
    return texts * 0x9E3779B97F4A7C15u ^ order * 0xC2B2AE3D27D4EB4Fu;
}

static enum tk_track_purpose purpose_of(const struct tk_timeline *tl, const struct tk_track *track) {
    bool is_loss = track->rank == TK_RANK_LOST || track->rank == TK_RANK_NOT_RECORDED;
    if (track->kind != TK_TRACK_SLICES || !track->parent) return TK_PURPOSE_OTHER;
    if (track->parent == tl->groups[TK_GROUP_INTERRUPTS]) return TK_PURPOSE_INTERRUPTS;
    return is_loss && track->parent == tl->groups[TK_GROUP_TARGET] ? TK_PURPOSE_LOSSES : TK_PURPOSE_OTHER;
}

TK_COLD static void declare(struct tk_timeline *tl, uint32_t id) {
    struct tk_track *track = &tl->tracks[id - 1];
    char text[TK_TRACK_NAME_LEN];
    size_t len = track_name(tl, track, text);
    uint64_t hash = name_hash(track->parent, text, len), whole = hash ^ details_hash(track);
    if (whole == track->declared) return;
    uint32_t holder = track->kind == TK_TRACK_THREAD ? TK_NONE : tk_idmap_find(&tl->taken, hash);
    if (holder != TK_NONE && holder != id && !track->show_number) {
        track->show_number = true;
        len = track_name(tl, track, text);
    }
    if (track->kind != TK_TRACK_THREAD && !tk_idmap_set(&tl->taken, tl->alloc, hash, id)) return;
    track->declared = whole;
    char unit[UNIT_LEN], description[DESCRIPTION_LEN];
    struct tk_track_info info = { .track = id,
                                  .parent = track->has_group ? OWN_GROUP + id : track->parent,
                                  .kind = track->kind,
                                  .pid = track->pid,
                                  .rank = track->rank,
                                  .ordered_children = track->ordered,
                                  .name = text,
                                  .name_len = len,
                                  .unit = track->from_recording ? recorded_text(tl, track->unit_text, unit, sizeof unit)
                                                                : track->unit,
                                  .description = track->from_recording ? recorded_text(tl, track->description_text,
                                                                                       description, sizeof description)
                                                                       : track->description,
                                  .share = track->from_recording ? track->share : 0,
                                  .purpose = (uint8_t)purpose_of(tl, track),
                                  .core = track->of_core };
    tl->sink->declare(tl->sink->ctx, &info);
}

TK_COLD void tk_timeline_update_track(struct tk_timeline *tl, uint32_t id, const struct tk_track_details *details) {
    if (!id) return;
    struct tk_track *track = &tl->tracks[id - 1];
    track->from_recording = true;
    track->rank = details->rank;
    track->unit_text = details->unit_text;
    track->description_text = details->description_text;
    track->share = details->share;
    track->ordered = details->ordered;
}

TK_COLD static uint32_t add_track(struct tk_timeline *tl, const struct tk_track_spec *spec) {
    if (tl->track_count >= TK_MAX_TRACKS) {
        tk_diag_count(tl->diag, TK_DIAG_TOO_MANY, NULL);
        return 0;
    }
    if (!tk_alloc_grow(tl->alloc, (void **)&tl->tracks, &tl->track_capacity, tl->track_count + 1, sizeof *tl->tracks))
        return 0;
    uint32_t group = tk_timeline_group_of(tl, spec->parent);
    tl->tracks[tl->track_count++] =
        (struct tk_track){ .parent = spec->parent,
                           .entity = spec->entity,
                           .title = spec->title,
                           .unit = spec->unit,
                           .description = spec->description,
                           .pid = spec->pid,
                           .rank = spec->rank,
                           .kind = (uint8_t)spec->kind,
                           .of_core = spec->of_core,
                           .has_group = spec->kind == TK_TRACK_COUNTER && group != TK_GROUPS &&
                                        group != TK_GROUP_TARGET && group != TK_GROUP_LOAD };
    return tl->track_count;
}

uint32_t tk_timeline_add_track(struct tk_timeline *tl, const struct tk_track_spec *spec) {
    uint32_t id = add_track(tl, spec);
    if (id) declare(tl, id);
    return id;
}

uint32_t tk_timeline_add_described_track(struct tk_timeline *tl, const struct tk_track_spec *spec,
                                         const struct tk_track_details *details) {
    uint32_t id = add_track(tl, spec);
    tk_timeline_update_track(tl, id, details);
    if (id) declare(tl, id);
    return id;
}

static const struct {
    const char *title;
    bool ordered;
} groups[TK_GROUPS] = {
    [TK_GROUP_TARGET] = { "Target", true },
    [TK_GROUP_LOAD] = { "Load", true },
    [TK_GROUP_INTERRUPTS] = { "Interrupts", true },
    [TK_GROUP_QUEUES] = { "Queues and locks", false },
    [TK_GROUP_POOLS] = { "Event pools", false },
    [TK_GROUP_MARKERS] = { "Markers", false },
    [TK_GROUP_RECORDS] = { "Application", false },
    [TK_GROUP_VALUES] = { "Values", false },
    [TK_GROUP_TIMERS] = { "Time events", false },
    [TK_GROUP_SENDERS] = { "Senders", false },
    [TK_GROUP_SCHEDULER] = { "Kernel", false },
    [TK_GROUP_NOTES] = { "Activity", false },
    [TK_GROUP_EVENTS] = { "Events", true },
    [TK_GROUP_MACHINES] = { "State machines", false },
    [TK_GROUP_INTERVALS] = { "Intervals", false },
    [TK_GROUP_SOFT_TIMERS] = { "Timers", false },
    [TK_GROUP_MARKER_VALUES] = { "Marker values", false },
    [TK_GROUP_MEMORY] = { "Memory", false },
};

static int32_t group_rank(const struct tk_timeline *tl, enum tk_group group) {
    int32_t at = 0;
    if (group == TK_GROUP_TARGET || group == TK_GROUP_LOAD) return TK_RANK_LOAD;
    while (tl->order->groups[at] != group) at++;
    return TK_RANK_GROUPS + at;
}

TK_COLD uint32_t tk_timeline_group(struct tk_timeline *tl, enum tk_group group) {
    if (tl->groups[group]) return tl->groups[group];
    uint32_t parent = group == TK_GROUP_TARGET ? 0 : tk_timeline_group(tl, TK_GROUP_TARGET);
    tl->groups[group] = tl->track_count + 1; // set before the declaration, because it determines the order of its
                                             // children
    struct tk_track_spec spec = {
        .parent = parent, .kind = TK_TRACK_GROUP, .entity = TK_NONE, .title = groups[group].title, .pid = -1
    };
    return tl->groups[group] = tk_timeline_add_described_track(
               tl, &spec,
               &(struct tk_track_details){ .rank = group_rank(tl, group), .ordered = groups[group].ordered });
}

TK_COLD uint32_t tk_timeline_group_of(const struct tk_timeline *tl, uint32_t track) {
    uint32_t group = 0;
    while (group < TK_GROUPS && (!track || tl->groups[group] != track)) group++;
    return group;
}

const char *tk_timeline_group_title(enum tk_group group) { return groups[group].title; }

uint32_t tk_timeline_thread(struct tk_timeline *tl, uint32_t task) {
    struct tk_timeline_task *t = &tl->tasks[task];
    if (!t->thread_track) {
        struct tk_track_spec spec = { 0, TK_TRACK_THREAD, t->entity, NULL, t->pid, 0, NULL, NULL, 0 };
        t->thread_track = tk_timeline_add_track(tl, &spec);
    }
    return t->thread_track;
}

TK_COLD uint32_t tk_timeline_task_group(struct tk_timeline *tl, uint32_t task) {
    if (tl->tasks[task].more_track) return tl->tasks[task].more_track;
    struct tk_track_spec spec = { .parent = tk_timeline_thread(tl, task),
                                  .kind = TK_TRACK_GROUP,
                                  .entity = TK_NONE,
                                  .title = "more",
                                  .pid = tl->tasks[task].pid };
    return tl->tasks[task].more_track =
               tk_timeline_add_described_track(tl, &spec, &(struct tk_track_details){ .ordered = true });
}

// ---- Slices, instants, counters ----------------------------------------------------------------

// Updates the depth of a track when an item is drawn below its open slices.
static inline void update_nesting(struct tk_track *track) {
    if (track->depth && track->depth >= track->deepest) track->deepest = (uint8_t)(track->depth + 1);
}

inline void tk_timeline_event(struct tk_timeline *tl, struct tk_track_event *event) {
    if (!event->track) return;
    if (event->type == TK_EVENT_INSTANT) update_nesting(&tl->tracks[event->track - 1]);
    if (event->when == TK_IN_ORDER) event->ticks = tl->now;
    tl->sink->event(tl->sink->ctx, event);
}

void tk_timeline_log(struct tk_timeline *tl, struct tk_track_event *event) {
    if (event->track) update_nesting(&tl->tracks[event->track - 1]);
    event->ticks = tl->now;
    tl->sink->event(tl->sink->ctx, event);
}

static void draw(struct tk_timeline *tl, enum tk_track_event_type type, uint32_t track, struct tk_label_text name,
                 const struct tk_arg *args, unsigned arg_count) {
    struct tk_track_event event = { .ticks = tl->now,
                                    .track = track,
                                    .name = name.id,
                                    .string = name.id ? NULL : name.text,
                                    .string_len = name.len,
                                    .type = (uint8_t)type,
                                    .args = args,
                                    .arg_count = (uint8_t)arg_count };
    tl->sink->event(tl->sink->ctx, &event);
}

static void draw_simple_event(struct tk_timeline *tl, enum tk_track_event_type type, uint32_t track, uint64_t what,
                              uint64_t detail) {
    tl->sink->plain(tl->sink->ctx, tl->now, type, track, what, detail);
}

void tk_timeline_end_plain(struct tk_timeline *tl, uint32_t track) {
    if (track) draw_simple_event(tl, TK_EVENT_END, track, 0, 0);
}

// ---- Losses ----

void tk_timeline_loss(struct tk_timeline *tl, int32_t core) {
    tl->losses[0]++;
    for (int32_t i = 1; i < TK_LOSS_SCOPES; i++) tl->losses[i] += core < 0 || i == core + 1;
}

TK_NOINLINE static void mark_crossing_loss(const struct tk_timeline *tl, struct tk_track *track) {
    track->crossed = track->depth;
    track->loss = tl->losses[track->of_core];
}

static inline void note_losses(const struct tk_timeline *tl, struct tk_track *track) {
    if (track->loss != tl->losses[track->of_core]) mark_crossing_loss(tl, track);
}

void tk_timeline_invalidate_open(struct tk_timeline *tl, uint32_t id) {
    if (id) mark_crossing_loss(tl, &tl->tracks[id - 1]);
}

bool tk_timeline_crosses_loss(struct tk_timeline *tl, uint32_t id, uint32_t depth) {
    if (!id) return true;
    note_losses(tl, &tl->tracks[id - 1]);
    return depth < tl->tracks[id - 1].crossed;
}

// Returns true if the same slice begins again after a loss: then the end of the first one was lost.
static inline bool is_stale(const struct tk_track *track, uint32_t name) {
    return track->depth && track->crossed && name && track->outer_name == name;
}

TK_COLD static void drop_stale(struct tk_timeline *tl, uint32_t id) {
    while (tl->tracks[id - 1].depth) tk_timeline_end_lost(tl, id);
}

static inline void open_outermost(const struct tk_timeline *tl, struct tk_track *track, uint32_t name) {
    track->depth = 1;
    track->crossed = 0;
    track->loss = tl->losses[track->of_core];
    track->outer_name = name;
}

// Returns false if the slice is too deep to be drawn.
static bool open_slice(struct tk_timeline *tl, uint32_t id, uint32_t name) {
    struct tk_track *track = &tl->tracks[id - 1];
    note_losses(tl, track);
    if (is_stale(track, name)) drop_stale(tl, id);
    if (track->depth >= TK_MAX_DEPTH) {
        track->hidden += track->hidden < UINT16_MAX;
        tk_diag_count(tl->diag, TK_DIAG_TOO_DEEP, NULL);
        return false;
    }
    update_nesting(track);
    if (track->depth) track->depth++;
    else open_outermost(tl, track, name);
    return true;
}

enum closing { NOT_OPEN, CLOSED, CLOSED_ACROSS_LOSS };

// Returns NOT_OPEN if no drawn slice is open.
static enum closing close_slice(struct tk_timeline *tl, uint32_t id) {
    if (!id) return NOT_OPEN;
    struct tk_track *track = &tl->tracks[id - 1];
    if (track->hidden) {
        track->hidden--;
        return NOT_OPEN;
    }
    if (!track->depth) return NOT_OPEN;
    note_losses(tl, track);
    if (--track->depth >= track->crossed) return CLOSED;
    track->crossed = track->depth;
    return CLOSED_ACROSS_LOSS;
}

// Draws the end of a slice whose length is unknown.
TK_COLD static void draw_unmeasured_end(struct tk_timeline *tl, uint32_t id, uint64_t ticks, const struct tk_arg *args,
                                        unsigned arg_count) {
    struct tk_track_event event = { .ticks = ticks,
                                    .track = id,
                                    .type = TK_EVENT_END,
                                    .when = ticks == tl->now ? TK_IN_ORDER : TK_LATE,
                                    .is_unmeasured = true,
                                    .args = args,
                                    .arg_count = (uint8_t)arg_count };
    tl->sink->event(tl->sink->ctx, &event);
}

// Draws such an end with one more argument, which tells why.
TK_COLD static void draw_marked_end(struct tk_timeline *tl, uint32_t id, enum tk_arg_name why,
                                    const struct tk_arg *args, unsigned arg_count) {
    struct tk_arg more[TK_MAX_ARGS + 1];
    if (arg_count) memcpy(more, args, arg_count * sizeof *args);
    more[arg_count] = (struct tk_arg){ .name = tk_names_arg(&tl->names, why), .type = TK_ARG_UINT, .value.u = 1 };
    draw_unmeasured_end(tl, id, tl->now, more, arg_count + 1);
}

void tk_timeline_end_lost(struct tk_timeline *tl, uint32_t id) { tk_timeline_end_lost_at(tl, id, tl->now); }

TK_COLD void tk_timeline_end_lost_at(struct tk_timeline *tl, uint32_t id, uint64_t ticks) {
    if (close_slice(tl, id) == NOT_OPEN) return;
    struct tk_arg mark = { .name = tk_names_arg(&tl->names, TK_ARGN_END_LOST), .type = TK_ARG_UINT, .value.u = 1 };
    draw_unmeasured_end(tl, id, ticks, &mark, 1);
}

TK_NOINLINE static void begin_other(struct tk_timeline *tl, uint32_t id, struct tk_label_text name,
                                    const struct tk_arg *args, unsigned arg_count) {
    if (!open_slice(tl, id, name.id)) return;
    if (name.id && !arg_count) draw_simple_event(tl, TK_EVENT_BEGIN, id, name.id, 0);
    else draw(tl, TK_EVENT_BEGIN, id, name, args, arg_count);
}

// Fast path: an outermost slice with an interned name and no arguments.
void tk_timeline_begin(struct tk_timeline *tl, uint32_t id, struct tk_label_text name, const struct tk_arg *args,
                       unsigned arg_count) {
    if (!id) return;
    struct tk_track *track = &tl->tracks[id - 1];
    if (track->depth || !name.id || arg_count) {
        begin_other(tl, id, name, args, arg_count);
        return;
    }
    open_outermost(tl, track, name.id);
    draw_simple_event(tl, TK_EVENT_BEGIN, id, name.id, 0);
}

// stale: name under which an unfinished slice would be recognised; 0: none.
static void begin_whole(struct tk_timeline *tl, struct tk_track_event *event, uint32_t stale) {
    if (!event->track || !open_slice(tl, event->track, stale)) return;
    event->type = TK_EVENT_BEGIN;
    event->ticks = tl->now;
    tl->sink->event(tl->sink->ctx, event);
}

void tk_timeline_begin_event(struct tk_timeline *tl, struct tk_track_event *event) {
    begin_whole(tl, event, event->name);
}

void tk_timeline_open(struct tk_timeline *tl, struct tk_track_event *event) { begin_whole(tl, event, 0); }

void tk_timeline_end(struct tk_timeline *tl, uint32_t id, const struct tk_arg *args, unsigned arg_count) {
    enum closing closing = close_slice(tl, id);
    if (closing == NOT_OPEN) return;
    if (closing == CLOSED_ACROSS_LOSS) draw_marked_end(tl, id, TK_ARGN_CROSSES_LOSS, args, arg_count);
    else if (!arg_count) draw_simple_event(tl, TK_EVENT_END, id, 0, 0);
    else draw(tl, TK_EVENT_END, id, (struct tk_label_text){ 0 }, args, arg_count);
}

void tk_timeline_end_text(struct tk_timeline *tl, uint32_t id, uint32_t arg, uint32_t text) {
    enum closing closing = close_slice(tl, id);
    struct tk_arg shown = { .name = arg, .type = TK_ARG_TEXT, .value.text = text };
    if (closing == CLOSED_ACROSS_LOSS) draw_marked_end(tl, id, TK_ARGN_CROSSES_LOSS, &shown, arg != 0);
    else if (closing == CLOSED) draw_simple_event(tl, TK_EVENT_END, id, 0, tk_simple_event_arg(arg, text));
}

void tk_timeline_instant(struct tk_timeline *tl, uint32_t track, struct tk_label_text name, const struct tk_arg *args,
                         unsigned arg_count) {
    if (!track) return;
    update_nesting(&tl->tracks[track - 1]);
    if (name.id && !arg_count) draw_simple_event(tl, TK_EVENT_INSTANT, track, name.id, 0);
    else draw(tl, TK_EVENT_INSTANT, track, name, args, arg_count);
}

TK_COLD static void note_value(struct tk_track *track, int64_t value) {
    if (!track->values) track->first_value = value;
    track->values = track->values && track->first_value != value ? 2 : 1;
}

static inline void note_if_new(struct tk_timeline *tl, uint32_t id, int64_t value) {
    struct tk_track *track = &tl->tracks[id - 1];
    if (track->values < 2) note_value(track, value);
}

void tk_timeline_counter(struct tk_timeline *tl, uint32_t track, int64_t value, const struct tk_arg *args,
                         unsigned arg_count) {
    if (!arg_count) {
        tk_timeline_counter_text(tl, track, value, 0, 0);
        return;
    }
    if (!track) return;
    note_if_new(tl, track, value);
    struct tk_track_event event = { .ticks = tl->now,
                                    .track = track,
                                    .type = TK_EVENT_COUNTER,
                                    .value = value,
                                    .args = args,
                                    .arg_count = (uint8_t)arg_count };
    tl->sink->event(tl->sink->ctx, &event);
}

void tk_timeline_counter_text(struct tk_timeline *tl, uint32_t track, int64_t value, uint32_t arg, uint32_t text) {
    if (!track) return;
    note_if_new(tl, track, value);
    draw_simple_event(tl, TK_EVENT_COUNTER, track, (uint64_t)value, tk_simple_event_arg(arg, text));
}

TK_COLD static void close_at_end(struct tk_timeline *tl, uint32_t id, bool mark) {
    struct tk_arg arg = { .type = TK_ARG_UINT, .value.u = 1 };
    if (mark) arg.name = tk_names_arg(&tl->names, TK_ARGN_OPEN_AT_END);
    if (close_slice(tl, id) == CLOSED_ACROSS_LOSS) draw_marked_end(tl, id, TK_ARGN_CROSSES_LOSS, &arg, mark);
    else draw_unmeasured_end(tl, id, tl->now, &arg, mark);
}

TK_COLD void tk_timeline_close_all(struct tk_timeline *tl, bool mark) {
    for (uint32_t id = 1; id <= tl->track_count; id++) {
        tl->tracks[id - 1].hidden = 0;
        while (tl->tracks[id - 1].depth) close_at_end(tl, id, mark);
    }
}

// ---- Tasks -------------------------------------------------------------------------------------

TK_COLD uint32_t tk_timeline_add_task(struct tk_timeline *tl, uint32_t entity, uint32_t id, bool own_pid) {
    if (!tk_alloc_grow(tl->alloc, (void **)&tl->tasks, &tl->task_capacity, tl->task_count + 1, sizeof *tl->tasks))
        return TK_NONE;
    if (!tk_alloc_grow(tl->alloc, (void **)&tl->changed, &tl->changed_capacity, tl->task_count + 1,
                       sizeof *tl->changed))
        return TK_NONE;
    tl->tasks[tl->task_count] =
        (struct tk_timeline_task){ .entity = entity,
                                   .pid = id <= PID_LIMIT && !own_pid ? PID_BASE + (int32_t)id : tl->next_pid++ };
    return tl->task_count++;
}

static TK_INLINE void want_state(struct tk_timeline *tl, uint32_t task, enum tk_task_state state, uint32_t core,
                                 enum tk_waker waker) {
    struct tk_timeline_task *t = &tl->tasks[task];
    t->want = (uint8_t)(state + 1);
    t->want_waker = (uint8_t)waker;
    t->want_core = (uint16_t)core;
    if (t->listed) return;
    t->listed = true;
    tl->changed[tl->changed_count++] = task;
}

inline void tk_timeline_state(struct tk_timeline *tl, uint32_t task, enum tk_task_state state, uint32_t core) {
    want_state(tl, task, state, core, TK_WAKER_UNKNOWN);
}

void tk_timeline_wake(struct tk_timeline *tl, uint32_t task, uint32_t core, enum tk_waker waker) {
    want_state(tl, task, TK_STATE_RUNNABLE, core, waker);
}

void tk_timeline_cancel_state(struct tk_timeline *tl, uint32_t task) {
    struct tk_timeline_task *t = &tl->tasks[task];
    if (!t->listed) return;
    t->want = t->shown;
    t->want_core = t->shown_core;
}

TK_COLD static void announce(struct tk_timeline *tl, struct tk_timeline_task *t) {
    char text[TK_DISPLAY_LEN];
    size_t len = tk_names_display(&tl->names, t->entity, text);
    uint64_t hash = name_hash(t->idle, text, len);
    if (hash == t->task_hash) return;
    t->task_hash = hash;
    struct tk_task_info info = { t->pid, text, len, t->idle };
    tl->sink->task(tl->sink->ctx, &info);
}

TK_COLD static void send_core(struct tk_timeline *tl, uint32_t core, uint64_t ticks, enum tk_task_state state) {
    struct tk_task_change change = { .ticks = ticks, .core = core, .when = TK_LATE, .state = (uint8_t)state };
    tl->sink->state(tl->sink->ctx, &change);
}

TK_COLD void tk_timeline_unrecorded(struct tk_timeline *tl, uint32_t core, uint64_t ticks) {
    send_core(tl, core, ticks, TK_STATE_UNRECORDED);
}

TK_COLD void tk_timeline_core_idle(struct tk_timeline *tl, uint32_t core) {
    tl->idled_at = tl->now + 1;
    send_core(tl, core, tl->now, TK_STATE_RUNNING);
}

TK_COLD void tk_timeline_idle(struct tk_timeline *tl, uint32_t task) {
    tl->tasks[task].idle = true;
    if (tl->tasks[task].task_hash) announce(tl, &tl->tasks[task]);
}

static inline void send_state(struct tk_timeline *tl, struct tk_timeline_task *t, enum tk_when when, uint64_t ticks,
                              uint8_t state, uint32_t core, uint8_t waker) {
    if (!t->task_hash) announce(tl, t);
    struct tk_task_change change = { .ticks = ticks,
                                     .pid = t->pid,
                                     .core = core,
                                     .when = (uint8_t)when,
                                     .state = (uint8_t)(state - 1),
                                     .waker = waker };
    tl->sink->state(tl->sink->ctx, &change);
    t->shown = state;
    t->shown_core = (uint16_t)core;
    t->shown_at = ticks;
}

// Ends the state of a task that appears on another core before it has left the first. If there is no tick in between,
// it leaves now and appears one tick later: it stays listed.
TK_NOINLINE static void move(struct tk_timeline *tl, struct tk_timeline_task *t) {
    bool has_room = tl->now > t->shown_at + 1;
    send_state(tl, t, has_room ? TK_EARLY : TK_IN_ORDER, tl->now, TK_STATE_RUNNABLE + 1, t->shown_core,
               TK_WAKER_UNKNOWN);
    t->listed = !has_room;
}

// Sends how a task leaves its core, or another change there. Returns true if the task is to run.
static TK_INLINE bool send_outgoing(struct tk_timeline *tl, struct tk_timeline_task *t) {
    bool ran = t->shown == TK_STATE_RUNNING + 1;
    if (t->want == TK_STATE_RUNNING + 1) {
        if (ran && t->shown_core == t->want_core) return false;
        if (ran) move(tl, t);
        return true;
    }
    if (t->want != t->shown)
        send_state(tl, t, TK_IN_ORDER, tl->now, t->want, ran ? t->shown_core : t->want_core, t->want_waker);
    return false;
}

// Sends the tasks that are to run. Returns how many appear later; they come first in the list.
static uint32_t send_incoming(struct tk_timeline *tl, uint32_t count, uint64_t ticks) {
    uint32_t later = 0;
    for (uint32_t i = 0; i < count; i++) {
        struct tk_timeline_task *t = &tl->tasks[tl->changed[i]];
        if (t->listed) tl->changed[later++] = tl->changed[i];
        else send_state(tl, t, TK_IN_ORDER, ticks, t->want, t->want_core, TK_WAKER_UNKNOWN);
    }
    return later;
}

TK_COLD static void send_later(struct tk_timeline *tl) {
    for (uint32_t i = 0; i < tl->changed_count; i++) tl->tasks[tl->changed[i]].listed = false;
    tl->changed_count = send_incoming(tl, tl->changed_count, tl->now + 1);
}

// Sends outgoing tasks first, then incoming ones.
void tk_timeline_flush_states(struct tk_timeline *tl, uint64_t next) {
    uint32_t incoming = 0;
    for (uint32_t i = 0; i < tl->changed_count; i++) {
        uint32_t task = tl->changed[i];
        tl->tasks[task].listed = false;
        if (send_outgoing(tl, &tl->tasks[task])) tl->changed[incoming++] = task;
    }
    tl->changed_count = send_incoming(tl, incoming, tl->now);
    if (tl->changed_count && next > tl->now + 1) send_later(tl);
}

static void late_state(struct tk_timeline *tl, uint32_t task, enum tk_task_state state, uint32_t core,
                       enum tk_waker waker, uint64_t ticks) {
    struct tk_timeline_task *t = &tl->tasks[task];
    bool was_replaced = tl->idled_at == tl->now + 1 && t->shown == TK_STATE_RUNNING + 1; // its core is idle
    if (ticks == tl->now && !was_replaced) {
        want_state(tl, task, state, core, waker);
        return;
    }
    if (t->shown == state + 1 || (t->shown && ticks <= t->shown_at)) return;
    send_state(tl, t, TK_LATE, ticks, (uint8_t)(state + 1), core, (uint8_t)waker);
}

void tk_timeline_late_state(struct tk_timeline *tl, uint32_t task, enum tk_task_state state, uint32_t core,
                            uint64_t ticks) {
    late_state(tl, task, state, core, TK_WAKER_UNKNOWN, ticks);
}

void tk_timeline_late_wake(struct tk_timeline *tl, uint32_t task, uint32_t core, enum tk_waker waker, uint64_t ticks) {
    late_state(tl, task, TK_STATE_RUNNABLE, core, waker, ticks);
}

static void declare_group_of(struct tk_timeline *tl, uint32_t id) {
    const struct tk_track *track = &tl->tracks[id - 1], *group = &tl->tracks[track->parent - 1];
    bool changes = track->values > 1;
    const char *name = changes ? group->title : "constant";
    struct tk_track_info info = { .track = OWN_GROUP + id,
                                  .parent = changes ? group->parent : track->parent,
                                  .kind = TK_TRACK_GROUP,
                                  .rank = changes ? group->rank : 0,
                                  .name = name,
                                  .name_len = strlen(name) };
    tl->sink->declare(tl->sink->ctx, &info);
}

TK_COLD void tk_timeline_finish(struct tk_timeline *tl) {
    tk_timeline_flush_states(tl, tl->now);
    tk_labels_finish(&tl->names);
    for (uint32_t id = 1; id <= tl->track_count; id++) {
        declare(tl, id);
        if (tl->tracks[id - 1].has_group) declare_group_of(tl, id);
    }
    for (uint32_t i = 0; i < tl->task_count; i++)
        if (tl->tasks[i].shown || tl->tasks[i].thread_track) announce(tl, &tl->tasks[i]);
}
