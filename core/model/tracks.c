// SPDX-License-Identifier: MIT
#include "tracks.h"

#include "../base/cold.h"
#include "../base/utf8.h"

#include <string.h>

static struct tk_names *names_of(struct tk_tracks *t) { return &t->host->timeline->names; }

static uint32_t index_of(const struct tk_tracks *t, const struct tk_drawn_track *track) { return (uint32_t)(track - t->tracks); }

// ---- Definitions -------------------------------------------------------------------------------

TK_COLD static struct tk_drawn_track *add_track(struct tk_tracks *t, uint32_t id) {
    if (t->count >= TK_MAX_TRACKS) {
        tk_diag_hit(t->host->diag, TK_DIAG_TOO_MANY, NULL);
        return NULL;
    }
    if (!tk_alloc_grow(t->host->alloc, (void **)&t->tracks, &t->capacity, t->count + 1, sizeof *t->tracks)) return NULL;
    uint32_t entity = tk_names_add(names_of(t), TK_ENTITY_TRACK, id);
    if (entity == TK_NONE || !tk_idmap_set(&t->by_id, t->host->alloc, id, t->count)) return NULL;
    t->tracks[t->count] = (struct tk_drawn_track){ .id = id, .entity = entity };
    return &t->tracks[t->count++];
}

// NULL: no memory, too many, or number 0.
static struct tk_drawn_track *find(struct tk_tracks *t, uint32_t id) {
    if (id && id == t->last_id) return &t->tracks[t->last];
    uint32_t index = id ? tk_idmap_find(&t->by_id, id) : TK_NONE;
    struct tk_drawn_track *track = index != TK_NONE ? &t->tracks[index] : id ? add_track(t, id) : NULL;
    if (!track) return NULL;
    t->last_id = id;
    t->last = index_of(t, track);
    return track;
}

// Id of a text that is kept; 0: there is none, or no room.
static uint32_t keep(struct tk_tracks *t, const char *text, size_t len) {
    if (!len) return 0;
    const char *clean = tk_details_clean(t->host->details, text, &len);
    uint32_t id = tk_strtab_intern(&names_of(t)->strings, t->host->alloc, clean, len);
    names_of(t)->refused += !id;
    return id;
}

static bool need_signal(struct tk_tracks *t, struct tk_drawn_track *track) {
    if (track->signal) return true;
    if (!tk_alloc_grow(t->host->alloc, (void **)&t->signals, &t->signal_capacity, t->signal_count + 1, sizeof *t->signals)) return false;
    t->signals[t->signal_count] = (struct tk_signal){ 0 };
    track->signal = ++t->signal_count;
    return true;
}

static struct tk_track_details details_of(const struct tk_drawn_track *track) {
    int32_t from = track->parent_kind == TK_PARENT_TARGET ? TK_RANK_TOLD : 0, most = INT32_MAX - from;
    return (struct tk_track_details){
        .rank = (track->rank < 0 ? 0 : track->rank > most ? most : track->rank) + from,
        .unit_text = track->unit, .description_text = track->description, .share = track->share, .ordered = track->type != TK_TRACK_OF_COUNTER
    };
}

TK_COLD static void define(struct tk_tracks *t, const struct tk_event *event) {
    const struct tk_track_def *def = event->track;
    struct tk_drawn_track *track = def ? find(t, event->id) : NULL;
    if (!track) return;
    size_t len = event->str_len;
    const char *name = tk_details_clean(t->host->details, event->str, &len);
    tk_names_set(names_of(t), track->entity, name, len);
    if (!track->track) {
        track->parent_kind = def->parent_kind;
        track->parent = def->parent;
        track->type = def->type;
    }
    track->rank = def->rank;
    track->share = def->share;
    track->ends_at_loss = def->ends_at_loss;
    track->in_strip = def->in_strip;
    track->category = def->category < TK_CATEGORIES ? def->category : TK_CATEGORY_NONE;
    track->defined = true;
    track->unit = keep(t, def->unit, def->unit_len);
    track->description = keep(t, def->description, def->description_len);
    track->type_words = keep(t, def->type_words, def->type_words_len);
    if (def->in_signals) need_signal(t, track);
    struct tk_track_details details = details_of(track);
    tk_timeline_change_track(t->host->timeline, track->track, &details);
}

// ---- Tracks of the timeline --------------------------------------------------------------------

static uint32_t make(struct tk_tracks *t, struct tk_drawn_track *track);

// Below a task: its pid goes to the track as well. 0: no memory, or there are no tasks.
static uint32_t task_parent(struct tk_tracks *t, const struct tk_drawn_track *track, int32_t *out_pid) {
    struct tk_timeline *tl = t->host->timeline;
    uint32_t task = t->host->rtos ? tk_rtos_find_task(t->host->rtos, track->parent) : TK_NONE;
    if (task == TK_NONE) return 0;
    *out_pid = tl->rows[task].pid;
    return track->parent_kind == TK_PARENT_TASK_MORE ? tk_timeline_more(tl, task) : tk_timeline_thread(tl, task);
}

// 0: there is no memory, or there are too many below each other.
static uint32_t track_parent(struct tk_tracks *t, struct tk_drawn_track *track) {
    uint32_t index = index_of(t, track);
    struct tk_drawn_track *parent = find(t, track->parent);
    if (!parent) return 0;
    uint32_t id = make(t, parent);
    parent = find(t, t->tracks[index].parent); // making one may move them
    if (!id || parent->depth >= TK_MAX_TRACK_DEPTH) return 0;
    t->tracks[index].depth = (uint8_t)(parent->depth + 1);
    return id;
}

static uint32_t parent_of(struct tk_tracks *t, struct tk_drawn_track *track, int32_t *out_pid) {
    uint32_t parent = 0;
    track->depth = 1;
    if (track->parent_kind == TK_PARENT_TRACK) parent = track_parent(t, track);
    else if (track->parent_kind == TK_PARENT_TASK || track->parent_kind == TK_PARENT_TASK_MORE) parent = task_parent(t, track, out_pid);
    return parent ? parent : tk_timeline_group(t->host->timeline, TK_GROUP_TARGET);
}

// How many tracks above it are not drawn yet, one more than the limit at most; so many are in a circle.
static unsigned missing_above(struct tk_tracks *t, const struct tk_drawn_track *track) {
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
    static const uint8_t kinds[] = { [TK_TRACK_OF_GROUP] = TK_TRACK_GROUP, [TK_TRACK_OF_SLICES] = TK_TRACK_SLICES, [TK_TRACK_OF_COUNTER] = TK_TRACK_COUNTER };
    int32_t pid = -1;
    uint32_t parent = 0;
    if (missing_above(t, &t->tracks[index]) > TK_MAX_TRACK_DEPTH) t->tracks[index].parent_kind = TK_PARENT_TARGET;
    if (t->tracks[index].parent_kind != TK_PARENT_ROOT) parent = parent_of(t, &t->tracks[index], &pid);
    struct tk_drawn_track *track = &t->tracks[index];
    struct tk_track_spec spec = { .parent = parent, .kind = kinds[track->type % (TK_TRACK_OF_COUNTER + 1)], .entity = track->entity, .pid = pid };
    struct tk_track_details details = details_of(track);
    return track->track = tk_timeline_add_told_track(t->host->timeline, &spec, &details);
}

static uint32_t make(struct tk_tracks *t, struct tk_drawn_track *track) { return track->track ? track->track : make_new(t, index_of(t, track)); }

// The track that an event belongs on, drawn from now on; NULL: there is none, or it is of another type.
static struct tk_drawn_track *track_for(struct tk_tracks *t, const struct tk_event *event, bool counts) {
    struct tk_drawn_track *track = find(t, event->id);
    if (!track) return NULL;
    if (!track->defined && !track->track) track->type = counts ? TK_TRACK_OF_COUNTER : TK_TRACK_OF_SLICES;
    if (counts != (track->type == TK_TRACK_OF_COUNTER)) return NULL;
    if (track->track) return track;
    return make_new(t, index_of(t, track)) ? find(t, event->id) : NULL; // making one may move them
}

// ---- Figures -----------------------------------------------------------------------------------

static struct tk_signal *signal_of(struct tk_tracks *t, const struct tk_drawn_track *track) { return track->signal ? &t->signals[track->signal - 1] : NULL; }

static void note_in_strip(struct tk_tracks *t, struct tk_drawn_track *track, uint64_t now) {
    if (!track->strip_row && t->strip_rows < TK_STATS_SIGNALS) track->strip_row = ++t->strip_rows;
    if (track->strip_row) tk_stats_sample(t->host->stats, track->strip_row - 1, now);
}

static void note_sample(struct tk_tracks *t, struct tk_drawn_track *track, unsigned mark) {
    uint64_t now = t->host->timeline->now;
    struct tk_signal *signal = signal_of(t, track);
    if (track->in_strip) note_in_strip(t, track, now);
    if (!signal) return;
    if (!signal->seen || now < signal->first) signal->first = now;
    if (!signal->seen || now > signal->last) signal->last = now;
    signal->seen = true;
    signal->samples += !(mark & TK_SAMPLE_NONE);
    signal->none += mark & TK_SAMPLE_NONE ? 1 : 0;
    signal->tagged += mark & TK_SAMPLE_TAGGED;
}

static void note_integer(struct tk_signal *signal, int64_t value) {
    if (!signal->numbers || value < signal->smallest.i) signal->smallest.i = value;
    if (!signal->numbers || value > signal->largest.i) signal->largest.i = value;
}

static void note_double(struct tk_signal *signal, double value) {
    if (!signal->numbers || value < signal->smallest.d) signal->smallest.d = value;
    if (!signal->numbers || value > signal->largest.d) signal->largest.d = value;
}

// A signal that has both gives all as doubles from then on.
static void note_number(struct tk_tracks *t, const struct tk_drawn_track *track, const struct tk_event *event, bool is_double) {
    struct tk_signal *signal = signal_of(t, track);
    if (!signal) return;
    if (is_double && !signal->is_double) {
        signal->smallest.d = (double)signal->smallest.i;
        signal->largest.d = (double)signal->largest.i;
        signal->is_double = true;
    }
    if (signal->is_double) note_double(signal, is_double ? event->number : (double)event->value);
    else note_integer(signal, event->value);
    signal->sum += is_double ? event->number : (double)event->value;
    signal->numbers++;
}

// ---- Drawing -----------------------------------------------------------------------------------

// Numbers of arrows of the format are its own.
static uint64_t arrow(uint64_t flow) { return flow ? flow | (uint64_t)1 << 63 : 0; }

static struct tk_label_text symbol_name(struct tk_tracks *t, uint32_t symbol) {
    struct tk_names *names = names_of(t);
    uint32_t entity = tk_names_symbol(names, symbol);
    if (entity == TK_NONE) return (struct tk_label_text){ 0, "none", 4 };
    if (!names->entities[entity].labels[TK_SYMBOL_NAME]) names->entities[entity].late = true;
    return (struct tk_label_text){ .id = tk_names_label(names, entity, TK_SYMBOL_NAME) };
}

static struct tk_label_text name_of(struct tk_tracks *t, const struct tk_drawn_track *track, const struct tk_event *event) {
    if (event->arg) return symbol_name(t, event->arg);
    if (!event->str_len) return (struct tk_label_text){ .id = tk_names_label(names_of(t), track->entity, TK_TRACK_NAME) };
    size_t len = event->str_len;
    const char *text = tk_details_clean(t->host->details, event->str, &len);
    uint32_t id = tk_names_message(names_of(t), text, len);
    return (struct tk_label_text){ id, id ? NULL : text, (uint32_t)len };
}

static struct tk_track_event event_on(struct tk_tracks *t, const struct tk_drawn_track *track, const struct tk_event *event, struct tk_details *details) {
    struct tk_label_text name = name_of(t, track, event);
    details->count = 0;
    tk_details_values(t->host->details, details, event);
    return (struct tk_track_event){
        .track = track->track, .name = name.id, .string = name.text, .string_len = name.len, .args = details->args, .arg_count = (uint8_t)details->count,
        .correlation = event->correlation, .category = tk_names_category(names_of(t), (enum tk_category)track->category)
    };
}

// A loss from here on ends what is open.
static void note_open(struct tk_tracks *t, struct tk_drawn_track *track) {
    if (!track->ends_at_loss || track->listed) return;
    track->listed = true;
    track->next_open = t->open;
    t->open = index_of(t, track) + 1;
}

static void begin(struct tk_tracks *t, struct tk_drawn_track *track, const struct tk_event *event, bool has_arrows) {
    struct tk_details details;
    struct tk_track_event slice = event_on(t, track, event, &details);
    note_open(t, track);
    if (has_arrows) slice.flow = arrow(event->flow), slice.flow_end = arrow(event->flow_end);
    tk_timeline_begin_event(t->host->timeline, &slice);
}

static void on_begin(struct tk_tracks *t, struct tk_drawn_track *track, const struct tk_event *event) {
    note_sample(t, track, event->mark);
    begin(t, track, event, true);
}

static uint32_t depth_of(const struct tk_tracks *t, const struct tk_drawn_track *track) { return tk_timeline_depth(t->host->timeline, track->track); }

static void on_end(struct tk_tracks *t, struct tk_drawn_track *track, const struct tk_event *event) {
    struct tk_details details; // not set to zero: there is room for many
    struct tk_timeline *tl = t->host->timeline;
    details.count = 0;
    if (event->mark == TK_END_LOST) {
        tk_timeline_end_lost(tl, track->track);
        return;
    }
    tk_details_values(t->host->details, &details, event);
    if (event->mark != TK_END_SEEN && details.count < TK_MAX_ARGS) {
        enum tk_arg_name why = event->mark == TK_END_OPEN_AT_GAP ? TK_ARGN_OPEN_AT_GAP : TK_ARGN_OPEN_AT_END;
        details.args[details.count++] = (struct tk_arg){ .name = tk_names_arg(names_of(t), why), .type = TK_ARG_UINT, .value.u = 1 };
    }
    tk_timeline_end(tl, track->track, details.args, details.count);
}

static void on_instant(struct tk_tracks *t, struct tk_drawn_track *track, const struct tk_event *event) {
    struct tk_details details;
    struct tk_track_event instant = event_on(t, track, event, &details);
    note_sample(t, track, event->mark);
    instant.type = TK_EVENT_INSTANT;
    instant.flow = arrow(event->flow);
    instant.flow_end = arrow(event->flow_end);
    tk_timeline_event(t->host->timeline, &instant);
}

// What began inside the present state has ended with it.
static void end_state(struct tk_tracks *t, struct tk_drawn_track *track) {
    struct tk_timeline *tl = t->host->timeline;
    while (track->state_depth && depth_of(t, track) > track->state_depth) tk_timeline_end_lost(tl, track->track);
    if (track->state_depth && depth_of(t, track) == track->state_depth) tk_timeline_end(tl, track->track, NULL, 0);
    track->state_depth = 0;
}

static void on_state(struct tk_tracks *t, struct tk_drawn_track *track, const struct tk_event *event) {
    bool none = !event->arg && !event->str_len;
    end_state(t, track);
    note_sample(t, track, event->mark | (none ? TK_SAMPLE_NONE : 0));
    if (none) return;
    begin(t, track, event, false);
    track->state_depth = (uint16_t)depth_of(t, track);
}

static void on_count(struct tk_tracks *t, struct tk_drawn_track *track, const struct tk_event *event) {
    bool is_double = event->kind == TK_EV_TRACK_COUNT_DOUBLE, none = event->mark & TK_SAMPLE_NONE || (is_double && event->number - event->number != 0);
    note_sample(t, track, event->mark | (none ? TK_SAMPLE_NONE : 0));
    if (none) return;
    struct tk_details details;
    details.count = 0;
    tk_details_values(t->host->details, &details, event);
    note_number(t, track, event, is_double);
    if (!is_double) {
        tk_timeline_counter(t->host->timeline, track->track, event->value, details.args, details.count);
        return;
    }
    struct tk_track_event number = { .track = track->track, .type = TK_EVENT_COUNTER, .is_double = true, .value_double = event->number, .args = details.args, .arg_count = (uint8_t)details.count };
    tk_timeline_event(t->host->timeline, &number);
}

// Time fell on one track: it is drawn where the track stands.
TK_COLD static uint64_t move_forward(struct tk_tracks *t, const struct tk_drawn_track *track) {
    tk_diag_hit(t->host->diag, TK_DIAG_TIME_SKEW, NULL);
    return track->last;
}

static void on_event(void *tracker, const struct tk_event *event) {
    struct tk_tracks *t = tracker;
    if (event->kind == TK_EV_TRACK_DEFINED) {
        define(t, event);
        return;
    }
    struct tk_drawn_track *track = track_for(t, event, event->kind == TK_EV_TRACK_COUNT || event->kind == TK_EV_TRACK_COUNT_DOUBLE);
    if (!track) return;
    struct tk_timeline *tl = t->host->timeline;
    uint64_t now = tl->now;
    bool is_instant = event->kind == TK_EV_TRACK_INSTANT; // opens nothing, so it may point to a moment that is past
    if (now < track->last && !is_instant) tl->now = move_forward(t, track);
    if (tl->now > track->last) track->last = tl->now;
    switch ((enum tk_event_kind)event->kind) {
    case TK_EV_TRACK_BEGIN: on_begin(t, track, event); break;
    case TK_EV_TRACK_END: on_end(t, track, event); break;
    case TK_EV_TRACK_INSTANT: on_instant(t, track, event); break;
    case TK_EV_TRACK_STATE: on_state(t, track, event); break;
    default: on_count(t, track, event); break;
    }
    tl->now = now;
}

// ---- Losses, life ------------------------------------------------------------------------------

static void on_loss(void *tracker, int32_t core) {
    struct tk_tracks *t = tracker;
    (void)core; // these tracks belong to none
    struct tk_arg gap = { .type = TK_ARG_UINT, .value.u = 1 };
    while (t->open) {
        struct tk_drawn_track *track = &t->tracks[t->open - 1];
        t->open = track->next_open;
        track->listed = false;
        track->state_depth = 0;
        gap.name = tk_names_arg(names_of(t), TK_ARGN_OPEN_AT_GAP);
        while (depth_of(t, track)) tk_timeline_end(t->host->timeline, track->track, &gap, 1);
    }
}

static void on_restart(void *tracker, bool told) {
    struct tk_tracks *t = tracker;
    (void)told;
    for (uint32_t i = 0; i < t->count; i++) t->tracks[i].state_depth = 0; // the timeline has closed everything
}

static void finish(void *tracker) { (void)tracker; }

static void init(void *tracker, const struct tk_tracker_host *host) { ((struct tk_tracks *)tracker)->host = host; }

static void moved(void *tracker, const struct tk_tracker_host *host, struct tk_move *move) {
    struct tk_tracks *t = tracker;
    t->host = host;
    tk_idmap_moved(&t->by_id, move);
    t->tracks = tk_follow(move, t->tracks, t->capacity * sizeof *t->tracks);
    t->signals = tk_follow(move, t->signals, t->signal_capacity * sizeof *t->signals);
}

// ---- Tables ------------------------------------------------------------------------------------

enum { PATH_LEN = 1024, MOST_ABOVE = 8 };

// "scope/signal" below its root, without what is too long or too far above.
static size_t put_path(const struct tk_tracks *t, const struct tk_drawn_track *track, char text[PATH_LEN], unsigned above) {
    const struct tk_names *names = &t->host->timeline->names;
    uint32_t parent = track->parent_kind == TK_PARENT_TRACK ? tk_idmap_find(&t->by_id, track->parent) : TK_NONE;
    bool is_below = parent != TK_NONE && t->tracks[parent].parent_kind == TK_PARENT_TRACK && above;
    size_t len = is_below ? put_path(t, &t->tracks[parent], text, above - 1) : 0;
    if (len + 1 + TK_DISPLAY_LEN > PATH_LEN) return len;
    if (len) text[len++] = '/';
    return len + tk_names_display(names, track->entity, text + len);
}

static void put_string(const struct tk_tracks *t, const struct tk_table_sink *sink, uint32_t string) {
    size_t len;
    const char *text = tk_strtab_text(&t->host->timeline->names.strings, string, &len);
    tk_cell_text(sink, text, len);
}

static void put_number(const struct tk_table_sink *sink, const struct tk_signal *signal, int64_t i, double d) {
    if (!signal->numbers) tk_cell_none(sink);
    else if (signal->is_double) tk_cell_double(sink, d);
    else tk_cell_int(sink, i);
}

static void put_signal(const struct tk_tracks *t, const struct tk_table_sink *sink, const struct tk_drawn_track *track) {
    const struct tk_signal *signal = &t->signals[track->signal - 1];
    char path[PATH_LEN];
    tk_cell_text(sink, path, put_path(t, track, path, MOST_ABOVE));
    tk_cell_uint(sink, track->id);
    put_string(t, sink, track->type_words);
    tk_cell_uint(sink, signal->samples);
    tk_cell_uint(sink, signal->none);
    tk_cell_uint(sink, signal->tagged);
    tk_cell_ticks_if(sink, signal->seen, signal->first);
    tk_cell_ticks_if(sink, signal->seen, signal->last);
    put_number(sink, signal, signal->smallest.i, signal->smallest.d);
    put_number(sink, signal, signal->largest.i, signal->largest.d);
    if (signal->numbers) tk_cell_double(sink, signal->sum / (double)signal->numbers);
    else tk_cell_none(sink);
    put_string(t, sink, track->unit);
}

static void tables(const void *tracker, const struct tk_table_sink *sink) {
    static const struct tk_column columns[] = {
        {"name", "Signal", TK_COLUMN_NAME, TK_ROLE_VALUE, NULL, TK_FOLD_NONE}, {"id", "Id", TK_COLUMN_NUMBER, TK_ROLE_HIDDEN, NULL, TK_FOLD_NONE},
        {"type", "Type", TK_COLUMN_TEXT, TK_ROLE_KEY, NULL, TK_FOLD_NONE}, {"samples", "Samples", TK_COLUMN_COUNT, TK_ROLE_VALUE, NULL, TK_FOLD_SUM},
        {"none", "None", TK_COLUMN_COUNT, TK_ROLE_VALUE, NULL, TK_FOLD_SUM}, {"tagged", "Tagged", TK_COLUMN_COUNT, TK_ROLE_VALUE, NULL, TK_FOLD_SUM},
        {"first", "First", TK_COLUMN_TIME, TK_ROLE_VALUE, NULL, TK_FOLD_MIN}, {"last", "Last", TK_COLUMN_TIME, TK_ROLE_VALUE, NULL, TK_FOLD_MAX},
        {"min", "Smallest", TK_COLUMN_NUMBER, TK_ROLE_VALUE, NULL, TK_FOLD_MIN}, {"max", "Largest", TK_COLUMN_NUMBER, TK_ROLE_VALUE, NULL, TK_FOLD_MAX},
        {"mean", "Mean of the samples", TK_COLUMN_NUMBER, TK_ROLE_VALUE, NULL, TK_FOLD_NONE}, {"unit", "Unit", TK_COLUMN_TEXT, TK_ROLE_VALUE, NULL, TK_FOLD_NONE},
    };
    static const struct tk_table table = {"signals", "Signals", columns, sizeof columns / sizeof *columns, TK_TABLE_LIST, NULL};
    const struct tk_tracks *t = tracker;
    if (!t->signal_count) return;
    tk_table_begin(sink, &table);
    for (uint32_t i = 0; i < t->count; i++)
        if (t->tracks[i].signal) put_signal(t, sink, &t->tracks[i]);
    tk_table_end(sink);
}

static void begin_figures(void *tracker, uint64_t ticks) {
    struct tk_tracks *t = tracker;
    (void)ticks;
    for (uint32_t i = 0; i < t->signal_count; i++) t->signals[i] = (struct tk_signal){ .is_double = t->signals[i].is_double };
}

static void series(const void *tracker, const struct tk_table_sink *sink) {
    const struct tk_tracks *t = tracker;
    char path[PATH_LEN];
    for (uint32_t i = 0; i < t->count; i++) {
        if (!t->tracks[i].strip_row) continue;
        struct tk_series one = {.group = "signals", .row = UINT32_MAX, .label = path, .index = t->tracks[i].strip_row - 1};
        one.label_len = put_path(t, &t->tracks[i], path, MOST_ABOVE);
        tk_stats_put_samples(t->host->stats, sink, &one);
    }
}

const struct tk_tracker tk_tracker_tracks = {
    .owner = TK_OWNER_TRACKS, .size = sizeof(struct tk_tracks), .details = &tk_detail_service, .init = init, .event = on_event, .loss = on_loss,
    .restart = on_restart, .finish = finish, .begin_figures = begin_figures, .tables = tables, .series = series, .moved = moved
};
