// SPDX-License-Identifier: MIT
#include "tracks.h"

#include "../../../base/attributes.h"
#include "../../../base/utf8.h"

#include <string.h>

static struct tk_names *names_of(struct tk_tracks *t) { return &t->host->timeline->names; }

static uint32_t index_of(const struct tk_tracks *t, const struct tk_custom_track *track) {
    return (uint32_t)(track - t->tracks);
}

// ---- Definitions -------------------------------------------------------------------------------

TK_COLD static struct tk_custom_track *add_track(struct tk_tracks *t, uint32_t id) {
    if (t->count >= TK_MAX_TRACKS) {
        tk_diag_count(t->host->diag, TK_DIAG_TOO_MANY, NULL);
        return NULL;
    }
    if (!tk_alloc_grow(t->host->alloc, (void **)&t->tracks, &t->capacity, t->count + 1, sizeof *t->tracks)) return NULL;
    uint32_t entity = tk_names_add(names_of(t), TK_ENTITY_TRACK, id);
    if (entity == TK_NONE || !tk_idmap_set(&t->by_id, t->host->alloc, id, t->count)) return NULL;
    t->tracks[t->count] = (struct tk_custom_track){ .id = id, .entity = entity };
    return &t->tracks[t->count++];
}

// Returns NULL when out of memory, if there are too many tracks, or for id 0.
static struct tk_custom_track *find(struct tk_tracks *t, uint32_t id) {
    if (id && id == t->last_id) return &t->tracks[t->last];
    uint32_t index = id ? tk_idmap_find(&t->by_id, id) : TK_NONE;
    struct tk_custom_track *track = index != TK_NONE ? &t->tracks[index] : id ? add_track(t, id) : NULL;
    if (!track) return NULL;
    t->last_id = id;
    t->last = index_of(t, track);
    return track;
}

const struct tk_custom_track *tk_tracks_find(const struct tk_tracks *t, uint32_t id) {
    uint32_t index = tk_idmap_find(&t->by_id, id);
    return index == TK_NONE ? NULL : &t->tracks[index];
}

// Returns the id of a stored text; 0 if it is empty or there is no room.
static uint32_t keep(struct tk_tracks *t, const char *text, size_t len) {
    if (!len) return 0;
    const char *clean = tk_details_clean(t->host->details, text, &len);
    uint32_t id = tk_strtab_intern(&names_of(t)->strings, t->host->alloc, clean, len);
    names_of(t)->refused += !id;
    return id;
}

static void need_figures(struct tk_tracks *t, struct tk_custom_track *track) {
    if (track->figures || !tk_alloc_grow(t->host->alloc, (void **)&t->figures, &t->figure_capacity, t->figure_count + 1,
                                         sizeof *t->figures))
        return;
    t->figures[t->figure_count] = (struct tk_track_stats){ 0 };
    track->figures = ++t->figure_count;
}

static struct tk_track_details details_of(const struct tk_custom_track *track) {
    int32_t from = track->parent_kind == TK_PARENT_TARGET ? TK_RANK_FORMAT : 0, most = INT32_MAX - from;
    return (struct tk_track_details){ .rank = (track->rank < 0      ? 0
                                               : track->rank > most ? most
                                                                    : track->rank) +
                                              from,
                                      .unit_text = track->unit,
                                      .description_text = track->description,
                                      .share = track->share,
                                      .ordered = track->type != TK_TRACK_OF_COUNTER };
}

TK_COLD static void define(struct tk_tracks *t, const struct tk_event *event) {
    const struct tk_track_def *def = event->track_defined.definition;
    struct tk_custom_track *track = def ? find(t, event->track_defined.track) : NULL;
    if (!track || (track->defined && def->is_made_up)) return;
    size_t len = event->str_len;
    char titled[TK_DISPLAY_LEN];
    const char *name = tk_details_clean(t->host->details, event->str, &len);
    if (t->axis_count) len = tk_tracks_title(t, event->track_defined.track, name, len, titled), name = titled;
    tk_names_set(names_of(t), track->entity, name, len);
    if (!track->track) {
        track->parent_kind = def->parent_kind;
        track->parent = def->parent;
        track->type = def->type;
    }
    track->rank = def->rank;
    track->share = def->share;
    track->ends_at_loss = def->ends_at_loss;
    track->category = def->category < TK_CATEGORIES ? def->category : TK_CATEGORY_NONE;
    track->defined = true;
    track->unit = keep(t, def->unit, def->unit_len);
    track->description = keep(t, def->description, def->description_len);
    track->type_words = keep(t, def->type_words, def->type_words_len);
    track->number = def->number ? def->number : track->id;
    track->is_untimed = def->is_untimed;
    if (def->in_signals) need_figures(t, track);
    struct tk_track_details details = details_of(track);
    tk_timeline_update_track(t->host->timeline, track->track, &details);
}

// ---- Properties of events ------------------------------------------------------------------------

static bool is_finite(double number) { return number - number == 0; }

// Returns true if a slice, an instant or a state has a name.
static bool has_name(const struct tk_event *event) { return event->track_slice.name || event->str_len; }

// Returns true if the signal has no value from here on, whether or not that is drawn.
static bool is_none(const struct tk_event *event) {
    if (event->mark & (TK_SAMPLE_NONE | TK_SAMPLE_BLANK)) return event->mark & TK_SAMPLE_NONE;
    if (event->kind == TK_EV_TRACK_STATE) return !has_name(event);
    return event->kind == TK_EV_TRACK_COUNT_DOUBLE && !is_finite(event->track_count_double.number);
}

static bool draws_nothing(const struct tk_event *event) {
    if (event->kind == TK_EV_TRACK_END) return false;
    return event->mark & TK_SAMPLE_BLANK ||
           (is_none(event) && (tk_event_is_counter(event) || (event->kind == TK_EV_TRACK_STATE && !has_name(event))));
}

static bool has_number(const struct tk_event *event) {
    if (event->mark & (TK_SAMPLE_INTEGER | TK_SAMPLE_DOUBLE)) return true;
    return tk_event_is_counter(event) && !(event->mark & TK_SAMPLE_BLANK);
}

// ---- Tracks of the timeline --------------------------------------------------------------------

static uint32_t make(struct tk_tracks *t, struct tk_custom_track *track);

// Returns the thread track of a task, and its pid. Returns 0 when out of memory, or without tasks.
static uint32_t task_parent(struct tk_tracks *t, const struct tk_custom_track *track, int32_t *out_pid) {
    struct tk_timeline *tl = t->host->timeline;
    uint32_t task = t->host->rtos ? tk_rtos_find_task(t->host->rtos, track->parent) : TK_NONE;
    if (task == TK_NONE) return 0;
    *out_pid = tl->tasks[task].pid;
    return track->parent_kind == TK_PARENT_TASK_DETAILS ? tk_timeline_task_group(tl, task)
                                                        : tk_timeline_thread(tl, task);
}

// Returns the parent track; 0 when out of memory or nested too deeply.
TK_COLD static uint32_t track_parent(struct tk_tracks *t, struct tk_custom_track *track) {
    uint32_t index = index_of(t, track);
    struct tk_custom_track *parent = find(t, track->parent);
    if (!parent) return 0;
    uint32_t id = make(t, parent);
    parent = find(t, t->tracks[index].parent); // adding one may move them
    if (!id || parent->depth >= TK_MAX_TRACK_DEPTH) return 0;
    t->tracks[index].depth = (uint8_t)(parent->depth + 1);
    return id;
}

TK_COLD static uint32_t parent_of(struct tk_tracks *t, struct tk_custom_track *track, int32_t *out_pid) {
    uint32_t parent = 0;
    track->depth = 1;
    if (track->parent_kind == TK_PARENT_TRACK) parent = track_parent(t, track);
    else if (track->parent_kind == TK_PARENT_TASK || track->parent_kind == TK_PARENT_TASK_DETAILS)
        parent = task_parent(t, track, out_pid);
    return parent ? parent : tk_timeline_group(t->host->timeline, TK_GROUP_TARGET);
}

// Returns how many tracks above it are not drawn yet, at most one more than the limit; this also ends cycles.
static unsigned missing_above(struct tk_tracks *t, const struct tk_custom_track *track) {
    unsigned count = 0;
    while (count <= TK_MAX_TRACK_DEPTH && track->parent_kind == TK_PARENT_TRACK && !track->track) {
        uint32_t index = tk_idmap_find(&t->by_id, track->parent);
        if (index == TK_NONE) break;
        track = &t->tracks[index];
        count++;
    }
    return count;
}

TK_COLD static uint32_t make_new(struct tk_tracks *t, uint32_t index) {
    static const uint8_t kinds[] = { [TK_TRACK_OF_GROUP] = TK_TRACK_GROUP,
                                     [TK_TRACK_OF_SLICES] = TK_TRACK_SLICES,
                                     [TK_TRACK_OF_COUNTER] = TK_TRACK_COUNTER,
                                     [TK_TRACK_OF_SAMPLES] = TK_TRACK_SAMPLES };
    int32_t pid = -1;
    uint32_t parent = 0;
    if (missing_above(t, &t->tracks[index]) > TK_MAX_TRACK_DEPTH) t->tracks[index].parent_kind = TK_PARENT_TARGET;
    if (t->tracks[index].parent_kind != TK_PARENT_ROOT) parent = parent_of(t, &t->tracks[index], &pid);
    struct tk_custom_track *track = &t->tracks[index];
    struct tk_track_spec spec = {
        .parent = parent, .kind = kinds[track->type % (TK_TRACK_OF_SAMPLES + 1)], .entity = track->entity, .pid = pid
    };
    struct tk_track_details details = details_of(track);
    return track->track = tk_timeline_add_described_track(t->host->timeline, &spec, &details);
}

TK_COLD static uint32_t make(struct tk_tracks *t, struct tk_custom_track *track) {
    return track->track ? track->track : make_new(t, index_of(t, track));
}

// Returns the track of an event, and draws it if it gets its first item; NULL if there is none, or it has another type.
static struct tk_custom_track *track_for(struct tk_tracks *t, const struct tk_event *event, bool is_drawn) {
    bool counts = tk_event_is_counter(event);
    uint32_t id = tk_tracks_number(event);
    struct tk_custom_track *track = find(t, id);
    if (!track) return NULL;
    if (!track->defined && !track->track) track->type = counts ? TK_TRACK_OF_COUNTER : TK_TRACK_OF_SLICES;
    if (counts != (track->type == TK_TRACK_OF_COUNTER)) return NULL;
    if (track->track || !is_drawn) return track;
    return make_new(t, index_of(t, track)) ? find(t, id) : NULL; // adding one may move them
}

// ---- Figures -----------------------------------------------------------------------------------

static void note_integer(struct tk_track_stats *figures, int64_t value) {
    if (!figures->numbers || value < figures->smallest.i) figures->smallest.i = value;
    if (!figures->numbers || value > figures->largest.i) figures->largest.i = value;
}

static void note_double(struct tk_track_stats *figures, double value) {
    if (!figures->numbers || value < figures->smallest.d) figures->smallest.d = value;
    if (!figures->numbers || value > figures->largest.d) figures->largest.d = value;
}

struct number {
    int64_t integer;
    double real;
    bool is_double;
};

// Returns the number of an event that has one.
static struct number number_of(const struct tk_event *event) {
    if (event->kind == TK_EV_TRACK_COUNT) return (struct number){ .integer = event->track_count.number };
    if (event->kind == TK_EV_TRACK_COUNT_DOUBLE)
        return (struct number){ .real = event->track_count_double.number, .is_double = true };
    if (event->mark & TK_SAMPLE_DOUBLE)
        return (struct number){ .real = event->track_slice.number.real, .is_double = true };
    return (struct number){ .integer = event->track_slice.number.integer };
}

// A signal that has both gives all as doubles from then on.
static void note_number(struct tk_track_stats *figures, struct number value) {
    bool is_double = value.is_double;
    double number = is_double ? value.real : (double)value.integer;
    if (!is_finite(number)) return;
    if (is_double && !figures->is_double) {
        figures->smallest.d = (double)figures->smallest.i;
        figures->largest.d = (double)figures->largest.i;
        figures->is_double = true;
    }
    if (figures->is_double) note_double(figures, number);
    else note_integer(figures, value.integer);
    figures->sum += number;
    figures->numbers++;
}

static void note_sample(struct tk_tracks *t, struct tk_custom_track *track, const struct tk_event *event) {
    struct tk_track_stats *figures = &t->figures[track->figures - 1];
    uint64_t now = t->host->timeline->now;
    if (event->mark & TK_SAMPLE_BESIDE) return;
    if (!figures->samples || now < figures->first) figures->first = now;
    if (!figures->samples || now > figures->last) figures->last = now;
    figures->samples++;
    figures->tagged += event->mark & TK_SAMPLE_TAGGED;
    if (is_none(event)) figures->none++;
    else if (has_number(event)) note_number(figures, number_of(event));
}

// ---- Drawing -----------------------------------------------------------------------------------

// Flow ids of the format are distinct from those of the trackers.
static uint64_t arrow(uint64_t flow) { return flow ? flow | (uint64_t)1 << 63 : 0; }

static uint64_t flow_end_of(const struct tk_event *event) {
    return event->mark & (TK_SAMPLE_INTEGER | TK_SAMPLE_DOUBLE) ? 0 : event->track_slice.number.flow_end;
}

static struct tk_label_text symbol_name(struct tk_tracks *t, uint32_t symbol) {
    struct tk_names *names = names_of(t);
    uint32_t entity = tk_names_symbol(names, symbol);
    if (entity == TK_NONE) return (struct tk_label_text){ 0, "none", 4 };
    if (!names->entities[entity].late && !tk_names_has_label(names, entity, TK_LABEL_NAME))
        names->entities[entity].late = true;
    return (struct tk_label_text){ .id = tk_names_label(names, entity, TK_LABEL_NAME) };
}

static struct tk_label_text name_of(struct tk_tracks *t, const struct tk_custom_track *track,
                                    const struct tk_event *event) {
    if (event->track_slice.name) return symbol_name(t, event->track_slice.name);
    if (!event->str_len)
        return (struct tk_label_text){ .id = tk_names_label(names_of(t), track->entity, TK_LABEL_NAME) };
    size_t len = event->str_len;
    uint32_t id = tk_names_recent_slice(names_of(t), event->str, len);
    if (id) return tk_named(id);
    const char *text = tk_details_clean(t->host->details, event->str, &len);
    id = tk_names_slice(names_of(t), text, len);
    return (struct tk_label_text){ id, id ? NULL : text, (uint32_t)len };
}

static inline struct tk_track_event event_on(struct tk_tracks *t, const struct tk_custom_track *track,
                                             const struct tk_event *event, struct tk_details *details) {
    struct tk_label_text name = name_of(t, track, event);
    details->count = 0;
    tk_details_values(t->host->details, details, event);
    return (struct tk_track_event){ .track = track->track,
                                    .name = name.id,
                                    .string = name.text,
                                    .string_len = name.len,
                                    .args = details->args,
                                    .arg_count = (uint8_t)details->count,
                                    .correlation = event->track_slice.correlation,
                                    .category = tk_names_category(names_of(t), (enum tk_category)track->category) };
}

// Registers a track whose open slices end at the next loss.
static void note_open(struct tk_tracks *t, struct tk_custom_track *track) {
    if (!track->ends_at_loss || track->listed) return;
    track->listed = true;
    track->next_open = t->open;
    t->open = index_of(t, track) + 1;
}

static void begin(struct tk_tracks *t, struct tk_custom_track *track, const struct tk_event *event, bool has_arrows) {
    struct tk_details details;
    struct tk_track_event slice = event_on(t, track, event, &details);
    note_open(t, track);
    if (has_arrows) slice.flow = arrow(event->track_slice.flow), slice.flow_end = arrow(flow_end_of(event));
    tk_timeline_begin_event(t->host->timeline, &slice);
}

static void on_begin(struct tk_tracks *t, struct tk_custom_track *track, const struct tk_event *event) {
    begin(t, track, event, true);
}

static uint32_t depth_of(const struct tk_tracks *t, const struct tk_custom_track *track) {
    return tk_timeline_depth(t->host->timeline, track->track);
}

static void on_end(struct tk_tracks *t, struct tk_custom_track *track, const struct tk_event *event) {
    struct tk_details details; // not zero-initialised, because it is large
    struct tk_timeline *tl = t->host->timeline;
    details.count = 0;
    if (event->mark == TK_END_LOST) {
        tk_timeline_end_lost(tl, track->track);
        return;
    }
    tk_details_values(t->host->details, &details, event);
    if (event->mark != TK_END_SEEN && details.count < TK_MAX_ARGS) {
        enum tk_arg_name why = event->mark == TK_END_OPEN_AT_GAP ? TK_ARGN_OPEN_AT_GAP : TK_ARGN_OPEN_AT_END;
        details.args[details.count++] =
            (struct tk_arg){ .name = tk_names_arg(names_of(t), why), .type = TK_ARG_UINT, .value.u = 1 };
    }
    tk_timeline_end(tl, track->track, details.args, details.count);
}

static void on_sample(struct tk_tracks *t, const struct tk_custom_track *track, const struct tk_event *event) {
    size_t len = event->str_len;
    const char *function = tk_details_clean(t->host->details, event->str, &len);
    struct tk_track_event sample = { .type = TK_EVENT_SAMPLE,
                                     .track = track->track,
                                     .name = tk_names_function(names_of(t), function, len),
                                     .string = function,
                                     .string_len = (uint32_t)len };
    tk_timeline_event(t->host->timeline, &sample);
}

static void on_instant(struct tk_tracks *t, struct tk_custom_track *track, const struct tk_event *event) {
    struct tk_details details;
    if (track->type == TK_TRACK_OF_SAMPLES) {
        on_sample(t, track, event);
        return;
    }
    struct tk_track_event instant = event_on(t, track, event, &details);
    instant.type = TK_EVENT_INSTANT;
    instant.ticks = t->host->timeline->now;
    if (instant.ticks < track->last) instant.when = TK_LATE;
    instant.flow = arrow(event->track_slice.flow);
    instant.flow_end = arrow(flow_end_of(event));
    tk_timeline_event(t->host->timeline, &instant);
}

// Ends the current state, and slices that began within it.
static void end_state(struct tk_tracks *t, struct tk_custom_track *track) {
    struct tk_timeline *tl = t->host->timeline;
    while (track->state_depth && depth_of(t, track) > track->state_depth) tk_timeline_end_lost(tl, track->track);
    if (track->state_depth && depth_of(t, track) == track->state_depth) tk_timeline_end(tl, track->track, NULL, 0);
    track->state_depth = 0;
}

static void on_state(struct tk_tracks *t, struct tk_custom_track *track, const struct tk_event *event) {
    end_state(t, track);
    begin(t, track, event, false);
    track->state_depth = (uint16_t)depth_of(t, track);
}

static void on_count(struct tk_tracks *t, struct tk_custom_track *track, const struct tk_event *event) {
    struct tk_details details;
    details.count = 0;
    tk_details_values(t->host->details, &details, event);
    if (event->kind == TK_EV_TRACK_COUNT) {
        tk_timeline_counter(t->host->timeline, track->track, event->track_count.number, details.args, details.count);
        return;
    }
    struct tk_track_event number = { .track = track->track,
                                     .type = TK_EVENT_COUNTER,
                                     .is_double = true,
                                     .value_double = event->track_count_double.number,
                                     .args = details.args,
                                     .arg_count = (uint8_t)details.count };
    tk_timeline_event(t->host->timeline, &number);
}

// Counts a time that falls on one track; the item is drawn at the last time of the track.
TK_COLD static uint64_t move_forward(struct tk_tracks *t, const struct tk_custom_track *track) {
    tk_diag_count(t->host->diag, TK_DIAG_TIME_SKEW, NULL);
    return track->last;
}

static void draw(struct tk_tracks *t, struct tk_custom_track *track, const struct tk_event *event) {
    switch ((enum tk_event_kind)event->kind) {
    case TK_EV_TRACK_BEGIN: on_begin(t, track, event); break;
    case TK_EV_TRACK_END: on_end(t, track, event); break;
    case TK_EV_TRACK_INSTANT: on_instant(t, track, event); break;
    case TK_EV_TRACK_STATE: on_state(t, track, event); break;
    default: on_count(t, track, event); break;
    }
}

static void on_event(void *tracker, const struct tk_event *event) {
    struct tk_tracks *t = tracker;
    if (event->kind == TK_EV_TRACK_DEFINED || event->kind == TK_EV_TRACK_AXIS) {
        (event->kind == TK_EV_TRACK_AXIS ? tk_tracks_add_axis : define)(t, event);
        return;
    }
    bool is_drawn = !draws_nothing(event);
    struct tk_custom_track *track = track_for(t, event, is_drawn);
    if (!track) return;
    struct tk_timeline *tl = t->host->timeline;
    uint64_t now = tl->now;
    bool is_instant = is_drawn && event->kind == TK_EV_TRACK_INSTANT; // opens and closes nothing, so it may be at an
                                                                      // earlier time
    if (now < track->last && !is_instant) tl->now = move_forward(t, track);
    if (tl->now > track->last) track->last = tl->now;
    if (is_drawn) draw(t, track, event);
    else end_state(t, track);
    if (track->figures && event->kind != TK_EV_TRACK_END) note_sample(t, track, event);
    tl->now = now;
}

// ---- Losses, life ------------------------------------------------------------------------------

static void on_loss(void *tracker, int32_t core) {
    struct tk_tracks *t = tracker;
    (void)core; // custom tracks belong to no core
    struct tk_arg gap = { .type = TK_ARG_UINT, .value.u = 1 };
    while (t->open) {
        struct tk_custom_track *track = &t->tracks[t->open - 1];
        t->open = track->next_open;
        track->listed = false;
        track->state_depth = 0;
        gap.name = tk_names_arg(names_of(t), TK_ARGN_OPEN_AT_GAP);
        while (depth_of(t, track)) tk_timeline_end(t->host->timeline, track->track, &gap, 1);
        track->last = t->host->timeline->now; // no track has a later time
    }
}

static void on_restart(void *tracker, bool announced) {
    struct tk_tracks *t = tracker;
    (void)announced;
    for (uint32_t i = 0; i < t->count; i++) t->tracks[i].state_depth = 0; // the timeline has closed everything
}

static void finish(void *tracker) { (void)tracker; }

static void init(void *tracker, const struct tk_tracker_host *host) { ((struct tk_tracks *)tracker)->host = host; }

// ---- Tables ------------------------------------------------------------------------------------

static const struct tk_custom_track *parent_in(const struct tk_tracks *t, const struct tk_custom_track *track) {
    uint32_t index = track->parent_kind == TK_PARENT_TRACK ? tk_idmap_find(&t->by_id, track->parent) : TK_NONE;
    return index == TK_NONE ? NULL : &t->tracks[index];
}

static size_t put_path(const struct tk_tracks *t, const struct tk_custom_track *track, bool root,
                       char text[TK_TRACK_PATH], unsigned above) {
    const struct tk_custom_track *parent = above ? parent_in(t, track) : NULL;
    bool is_shown = parent && (root || parent_in(t, parent));
    size_t len = is_shown ? put_path(t, parent, root, text, above - 1) : 0;
    if (len + 1 + TK_DISPLAY_LEN > TK_TRACK_PATH) return len;
    if (len) text[len++] = '/';
    return len + tk_names_display(&t->host->timeline->names, track->entity, text + len);
}

size_t tk_tracks_path(const struct tk_tracks *t, const struct tk_custom_track *track, bool root,
                      char out_text[TK_TRACK_PATH]) {
    return put_path(t, track, root, out_text, TK_MAX_TRACK_DEPTH);
}

static const struct tk_custom_track *root_of(const struct tk_tracks *t, const struct tk_custom_track *track) {
    for (unsigned above = 0; above < TK_MAX_TRACK_DEPTH; above++) {
        const struct tk_custom_track *parent = parent_in(t, track);
        if (!parent) break;
        track = parent;
    }
    return track;
}

bool tk_tracks_have_roots(const struct tk_tracks *t) {
    const struct tk_custom_track *first = NULL;
    for (uint32_t i = 0; i < t->count; i++) {
        if (!t->tracks[i].figures) continue;
        const struct tk_custom_track *root = root_of(t, &t->tracks[i]);
        if (first && root != first) return true;
        first = root;
    }
    return false;
}

static void put_string(const struct tk_tracks *t, const struct tk_table_sink *sink, uint32_t string) {
    size_t len;
    const char *text = tk_strtab_text(&t->host->timeline->names.strings, string, &len);
    tk_cell_text(sink, text, len);
}

static void put_number(const struct tk_table_sink *sink, const struct tk_track_stats *figures, int64_t i, double d) {
    if (!figures->numbers) tk_cell_none(sink);
    else if (figures->is_double) tk_cell_double(sink, d);
    else tk_cell_int(sink, i);
}

static void put_signal(const struct tk_tracks *t, const struct tk_table_sink *sink, const struct tk_custom_track *track,
                       bool root) {
    const struct tk_track_stats *figures = &t->figures[track->figures - 1];
    bool has_time = figures->samples && !track->is_untimed;
    char path[TK_TRACK_PATH];
    tk_cell_text(sink, path, tk_tracks_path(t, track, root, path));
    tk_cell_uint(sink, track->number);
    put_string(t, sink, track->type_words);
    tk_cell_uint(sink, figures->samples);
    tk_cell_uint(sink, figures->none);
    tk_cell_uint(sink, figures->tagged);
    tk_cell_ticks_if(sink, has_time, figures->first);
    tk_cell_ticks_if(sink, has_time, figures->last);
    put_number(sink, figures, figures->smallest.i, figures->smallest.d);
    put_number(sink, figures, figures->largest.i, figures->largest.d);
    if (figures->numbers) tk_cell_double(sink, figures->sum / (double)figures->numbers);
    else tk_cell_none(sink);
    put_string(t, sink, track->unit);
}

static const struct tk_column signals_columns[] = {
    { "path", "Signal", TK_COLUMN_NAME, TK_ROLE_VALUE, NULL, TK_FOLD_NONE },
    { "id", "Number", TK_COLUMN_NUMBER, TK_ROLE_KEY, NULL, TK_FOLD_NONE },
    { "type", "Type", TK_COLUMN_TEXT, TK_ROLE_VALUE, NULL, TK_FOLD_NONE },
    { "samples", "Samples", TK_COLUMN_COUNT, TK_ROLE_VALUE, NULL, TK_FOLD_SUM },
    { "none", "Without a value", TK_COLUMN_COUNT, TK_ROLE_VALUE, NULL, TK_FOLD_SUM },
    { "tagged", "Tagged", TK_COLUMN_COUNT, TK_ROLE_VALUE, NULL, TK_FOLD_SUM },
    { "first", "First", TK_COLUMN_TIME, TK_ROLE_VALUE, NULL, TK_FOLD_MIN },
    { "last", "Last", TK_COLUMN_TIME, TK_ROLE_VALUE, NULL, TK_FOLD_MAX },
    { "smallest", "Smallest", TK_COLUMN_NUMBER, TK_ROLE_VALUE, NULL, TK_FOLD_MIN },
    { "largest", "Largest", TK_COLUMN_NUMBER, TK_ROLE_VALUE, NULL, TK_FOLD_MAX },
    { "mean", "Mean", TK_COLUMN_NUMBER, TK_ROLE_VALUE, NULL, TK_FOLD_NONE },
    { "unit", "Unit", TK_COLUMN_TEXT, TK_ROLE_VALUE, NULL, TK_FOLD_NONE },
};
static const struct tk_table signals_table = { "signals",     "Signals", TK_TABLE_COLUMNS(signals_columns),
                                               TK_TABLE_LIST, NULL,      "Samples and values of each signal." };

TK_COLD static void put_signals(const struct tk_tracks *t, const struct tk_table_sink *sink) {
    bool root = tk_tracks_have_roots(t);
    if (!t->figure_count) return;
    tk_table_begin(sink, &signals_table);
    for (uint32_t i = 0; i < t->count; i++)
        if (t->tracks[i].figures) put_signal(t, sink, &t->tracks[i], root);
    tk_table_end(sink);
}

static const struct tk_table *const table_list[] = { &signals_table, &tk_tracks_domains_table, NULL };

TK_COLD static void tables(const void *tracker, const struct tk_table_sink *sink) {
    put_signals(tracker, sink);
    tk_tracks_put_axes(tracker, sink);
}

static void begin_stats(void *tracker, uint64_t ticks) {
    struct tk_tracks *t = tracker;
    (void)ticks;
    for (uint32_t i = 0; i < t->figure_count; i++)
        t->figures[i] = (struct tk_track_stats){ .is_double = t->figures[i].is_double };
}

const struct tk_tracker tk_tracker_tracks = { .owner = TK_OWNER_TRACKS,
                                              .size = sizeof(struct tk_tracks),
                                              .draws_details = true,
                                              .init = init,
                                              .event = on_event,
                                              .loss = on_loss,
                                              .restart = on_restart,
                                              .finish = finish,
                                              .begin_stats = begin_stats,
                                              .tables = tables,
                                              .table_list = table_list };
