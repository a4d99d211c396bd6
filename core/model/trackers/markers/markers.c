// SPDX-License-Identifier: MIT
#include "markers.h"

#include "../../../base/attributes.h"
#include "../../timeline/details.h"

#include <string.h>

static struct tk_names *names_of(struct tk_markers *m) { return &m->host->timeline->names; }

TK_COLD static void problem(struct tk_markers *m, enum tk_diag_id id, const struct tk_event *event) {
    struct tk_source_pos place = tk_event_trace_pos(event);
    tk_diag_note(m->host->diag, id, &place, tk_event_id(event));
}

enum { MARKERS, VALUES };

TK_COLD static struct tk_marker *add_marker(struct tk_markers *m, unsigned sort, uint64_t key, uint32_t id) {
    if (m->count >= TK_MAX_MARKERS) {
        tk_diag_note(m->host->diag, TK_DIAG_TOO_MANY, NULL, 1);
        return NULL;
    }
    if (!tk_alloc_grow(m->host->alloc, (void **)&m->markers, &m->capacity, m->count + 1, sizeof *m->markers))
        return NULL;
    uint32_t entity = tk_names_add(names_of(m), sort == MARKERS ? TK_ENTITY_MARKER : TK_ENTITY_VALUE, id);
    if (entity == TK_NONE || !tk_idmap_set(&m->by_key[sort], m->host->alloc, key, m->count)) return NULL;
    m->markers[m->count] = (struct tk_marker){ .entity = entity };
    return &m->markers[m->count++];
}

static struct tk_marker *find_marker(struct tk_markers *m, unsigned sort, uint64_t key, uint32_t id) {
    uint32_t index = tk_idmap_find(&m->by_key[sort], key);
    return index != TK_NONE ? &m->markers[index] : add_marker(m, sort, key, id);
}

static uint64_t task_key(uint32_t task, uint32_t id) { return ((uint64_t)task + 1) << 32 | id; }

// Uses a name that was given before any task ran, for a task without a name of its own.
TK_COLD static void use_default_name(struct tk_markers *m, unsigned sort, struct tk_marker *marker) {
    struct tk_names *names = names_of(m);
    struct tk_entity *entity = &names->entities[marker->entity];
    uint32_t string = entity->name ? TK_NONE : tk_idmap_find(&m->default_names[sort], entity->id);
    size_t len;
    if (string == TK_NONE) return;
    const char *text = tk_strtab_text(&names->strings, string, &len);
    char copy[TK_DISPLAY_LEN]; // interning may move the table
    if (len > sizeof copy) len = sizeof copy;
    memcpy(copy, text, len);
    tk_names_set(names, marker->entity, copy, len);
}

TK_COLD static uint32_t add_marker_track(struct tk_markers *m, unsigned sort, struct tk_marker *marker, uint32_t task,
                                         bool of_task) {
    struct tk_timeline *tl = m->host->timeline;
    struct tk_track_spec spec = { .kind = sort == MARKERS ? TK_TRACK_SLICES : TK_TRACK_COUNTER,
                                  .entity = marker->entity,
                                  .pid = -1 };
    if (of_task) use_default_name(m, sort, marker);
    if (of_task && task != TK_NONE) {
        bool in_more = sort == MARKERS && tk_rtos_traces_services(m->host->rtos); // beside its calls and jobs
        spec.parent = in_more ? tk_timeline_task_group(tl, task) : tk_timeline_thread(tl, task);
        spec.rank = in_more ? TK_RANK_RUNNABLES : 0;
        spec.pid = tl->tasks[task].pid;
    } else {
        spec.parent = tk_timeline_group(tl, sort == MARKERS      ? TK_GROUP_MARKERS
                                            : marker->of_markers ? TK_GROUP_MARKER_VALUES
                                                                 : TK_GROUP_VALUES);
        spec.title = of_task ? " (no task)" : NULL;
    }
    return marker->track = tk_timeline_add_track(tl, &spec);
}

static uint32_t marker_track(struct tk_markers *m, unsigned sort, struct tk_marker *marker, uint32_t task,
                             bool of_task) {
    return marker->track ? marker->track : add_marker_track(m, sort, marker, task, of_task);
}

static struct tk_label_text message(struct tk_markers *m, const struct tk_event *event,
                                    const struct tk_marker *marker) {
    if (!event->str_len)
        return (struct tk_label_text){ .id = tk_names_label(names_of(m), marker->entity, TK_LABEL_NAME) };
    return (struct tk_label_text){ tk_names_message(names_of(m), event->str, event->str_len), event->str,
                                   event->str_len };
}

// Draws markers above the limit on a common track. Their begins and ends belong to different ones, so they are instants
// too.
TK_COLD static void draw_overflow(struct tk_markers *m, unsigned sort, const struct tk_event *event, const char *what) {
    static const char *const titles[] = { "further markers", "further values" }, *const words[] = { "marker #",
                                                                                                    "value #" };
    struct tk_timeline *tl = m->host->timeline;
    uint32_t *track = &m->overflow_tracks[sort];
    if (m->count < TK_MAX_MARKERS) return; // out of memory
    if (!*track) {
        uint32_t group = tk_timeline_group(tl, sort == MARKERS ? TK_GROUP_MARKERS : TK_GROUP_VALUES);
        struct tk_track_spec spec = {
            group, TK_TRACK_SLICES, TK_NONE, titles[sort], -1, 0, NULL, "What is beyond the limit of different numbers",
            0
        };
        *track = tk_timeline_add_track(tl, &spec);
    }
    char room[48];
    struct tk_text text = tk_text_in(room, sizeof room);
    tk_text_add(&text, words[sort]);
    tk_text_u64(&text, tk_event_id(event));
    tk_text_add(&text, what);
    struct tk_arg arg = { .name = tk_names_arg(names_of(m), sort == MARKERS ? TK_ARGN_MESSAGE : TK_ARGN_VALUE),
                          .type = sort == MARKERS ? TK_ARG_STRING : TK_ARG_INT };
    if (sort == VALUES) arg.value.i = event->value_sample.number;
    arg.string = event->str;
    arg.string_len = event->str_len;
    tk_timeline_instant(tl, *track, (struct tk_label_text){ 0, text.text, text.len }, &arg,
                        sort == VALUES || event->str_len);
}

static void draw_marker(struct tk_markers *m, const struct tk_event *event, enum tk_track_event_type type,
                        bool of_task) {
    uint32_t task = of_task ? tk_rtos_running(m->host->rtos, event->core) : TK_NONE;
    if (of_task && task == TK_NONE) problem(m, TK_DIAG_NO_CURRENT_TASK, event);
    uint32_t id = event->marker.marker;
    struct tk_marker *marker = find_marker(m, MARKERS, of_task ? task_key(task, id) : id, id);
    if (!marker)
        draw_overflow(m, MARKERS, event, type == TK_EVENT_BEGIN ? " begins" : type == TK_EVENT_END ? " ends" : "");
    uint32_t track = marker ? marker_track(m, MARKERS, marker, task, of_task) : 0;
    if (!track) return;
    struct tk_timeline *tl = m->host->timeline;
    marker->count += type != TK_EVENT_END && marker->count < UINT32_MAX;
    uint32_t index = (uint32_t)(marker - m->markers);
    if (type == TK_EVENT_INSTANT && event->value_count && tk_rtos_traces_services(m->host->rtos)) {
        struct tk_details args;
        args.count = 0;
        struct tk_label_text name = message(m, event, marker);
        tk_rtos_add_actor(m->host->rtos, &args, "by", event);
        tk_details_values(m->host->details, &args, event);
        tk_timeline_instant(tl, track, name, args.args, args.count);
    } else if (type == TK_EVENT_INSTANT) {
        tk_timeline_instant(tl, track, message(m, event, marker), NULL, 0);
    } else if (type == TK_EVENT_BEGIN) {
        tk_timeline_begin(tl, track, message(m, event, marker), NULL, 0);
        if (m->host->has_analysis) tk_marker_begins(m, index, task, event->str, event->str_len);
    } else if (!tl->tracks[track - 1].depth) {
        problem(m, TK_DIAG_MARKER_END_WITHOUT_BEGIN, event);
    } else {
        tk_marker_ends(m, index);
        tk_timeline_end(tl, track, NULL, 0);
    }
}

static void draw_value(struct tk_markers *m, const struct tk_event *event, bool of_task) {
    uint32_t task = of_task ? tk_rtos_running(m->host->rtos, event->core) : TK_NONE;
    if (of_task && task == TK_NONE) problem(m, TK_DIAG_NO_CURRENT_TASK, event);
    const struct tk_event_value_sample *sample = &event->value_sample;
    struct tk_marker *marker =
        find_marker(m, VALUES, of_task ? task_key(task, sample->value) : sample->value, sample->value);
    if (!marker) draw_overflow(m, VALUES, event, "");
    else
        tk_timeline_counter(m->host->timeline, marker_track(m, VALUES, marker, task, of_task), sample->number, NULL, 0);
}

// Adds the limits of a value to the description of its track.
TK_COLD static void limit_value(struct tk_markers *m, const struct tk_event *event) {
    struct tk_marker *marker = find_marker(m, VALUES, event->value_limits.value, event->value_limits.value);
    char room[96];
    struct tk_text text = tk_text_in(room, sizeof room);
    if (!marker || event->value_count < 2) return;
    tk_text_add(&text, "limits: ");
    tk_text_i64(&text, event->values[0].number.i);
    tk_text_add(&text, " to ");
    tk_text_i64(&text, event->values[1].number.i);
    uint32_t id = tk_strtab_intern(&names_of(m)->strings, m->host->alloc, text.text, text.len);
    tk_timeline_update_track(m->host->timeline, marker_track(m, VALUES, marker, TK_NONE, false),
                             &(struct tk_track_details){ .description_text = id });
}

TK_COLD static struct tk_marker *name_marker(struct tk_markers *m, unsigned sort, uint64_t key, uint32_t id,
                                             const struct tk_event *event) {
    struct tk_marker *marker = find_marker(m, sort, key, id);
    if (marker && marker->stale && tk_names_differs(names_of(m), marker->entity, event->str, event->str_len))
        marker = add_marker(m, sort, key, id);
    if (marker) marker->stale = false;
    if (marker && tk_names_set(names_of(m), marker->entity, event->str, event->str_len))
        problem(m, TK_DIAG_NAME_CHANGED, event);
    return marker;
}

TK_COLD static void name_value(struct tk_markers *m, const struct tk_event *event) {
    uint32_t value = event->value_name.value;
    struct tk_marker *marker = name_marker(m, VALUES, value, value, event);
    if (marker && event->value_name.in_markers) marker->of_markers = true;
}

// Returns true at the start of tracing: the target sends names that it stored earlier.
static bool is_in_preamble(const struct tk_markers *m) {
    return m->host->timeline->names.borrowing || *m->host->preamble_at == tk_stats_timed_count(m->host->stats) + 1;
}

// The target sends task 0 for the running task; before any task ran it can only be a default name.
TK_COLD static void name_task_marker(struct tk_markers *m, unsigned sort, const struct tk_event *event) {
    uint32_t id = event->task_item_name.item, owner = event->task_item_name.task;
    uint32_t task = owner               ? tk_rtos_find_task(m->host->rtos, owner)
                    : is_in_preamble(m) ? TK_NONE
                                        : tk_rtos_running(m->host->rtos, event->core);
    if (task != TK_NONE) {
        name_marker(m, sort, task_key(task, id), id, event);
        return;
    }
    if (tk_idmap_find(&m->default_names[sort], id) != TK_NONE) return;
    if (m->default_count >= TK_MAX_MARKERS) {
        tk_diag_note(m->host->diag, TK_DIAG_TOO_MANY, NULL, 1);
        return;
    }
    uint32_t string = tk_strtab_intern(&names_of(m)->strings, m->host->alloc, event->str, event->str_len);
    names_of(m)->refused += !string;
    if (string && tk_idmap_set(&m->default_names[sort], m->host->alloc, id, string)) m->default_count++;
}

static void name_unnamed(struct tk_markers *m) {
    for (uint32_t i = 0; i < m->count; i++) {
        const struct tk_track *track = m->markers[i].track ? &m->host->timeline->tracks[m->markers[i].track - 1] : NULL;
        if (track && (track->pid >= 0 || track->title))
            use_default_name(m, track->kind == TK_TRACK_COUNTER ? VALUES : MARKERS, &m->markers[i]);
    }
}

// Marks all markers as stale: their definitions belong to the run before.
TK_COLD static void restart(void *tracker, bool announced) {
    struct tk_markers *m = tracker;
    if (announced) return; // ids and names stay valid
    name_unnamed(m);
    for (uint32_t i = 0; i < m->count; i++) m->markers[i].stale = true;
    for (unsigned sort = 0; sort < 2; sort++) tk_idmap_deinit(&m->default_names[sort], m->host->alloc);
    m->default_count = 0;
}

static void finish(void *tracker) {
    struct tk_markers *m = tracker;
    const struct tk_timeline *tl = m->host->timeline;
    tk_marker_times_finish(m);
    if (tl->goes_on) return;
    for (uint32_t i = 0; i < m->count; i++) {
        const struct tk_track *track = m->markers[i].track ? &tl->tracks[m->markers[i].track - 1] : NULL;
        if (track && track->depth)
            tk_diag_note(m->host->diag, TK_DIAG_MARKER_OPEN_AT_END, NULL,
                         names_of(m)->entities[m->markers[i].entity].id);
    }
}

// ---- Report ----

static const struct tk_column markers_columns[] = {
    { "name", "Marker", TK_COLUMN_NAME, TK_ROLE_VALUE, NULL, TK_FOLD_NONE },
    { "id", "Id", TK_COLUMN_NUMBER, TK_ROLE_VALUE, NULL, TK_FOLD_NONE },
    { "count", "Count", TK_COLUMN_COUNT, TK_ROLE_VALUE, NULL, TK_FOLD_SUM },
};
static const struct tk_table markers_table = {
    "markers",     "Markers", TK_TABLE_COLUMNS(markers_columns),
    TK_TABLE_LIST, "count",   "Number of instants and slices of each marker."
};

static const struct tk_table *const table_list[] = { &markers_table, &tk_marker_times_table, NULL };

static void tables(const void *tracker, const struct tk_table_sink *sink) {
    const struct tk_markers *m = tracker;
    const struct tk_names *names = &m->host->timeline->names;
    tk_table_begin(sink, &markers_table);
    for (uint32_t i = 0; i < m->count; i++) {
        const struct tk_marker *marker = &m->markers[i];
        if (!marker->count) continue;
        tk_cell_entity(sink, names, marker->entity);
        tk_cell_uint(sink, names->entities[marker->entity].id);
        tk_cell_uint(sink, marker->count);
    }
    tk_table_end(sink);
    if (m->host->has_analysis) tk_marker_times_tables(m, sink);
}

// ---- The tracker ----

static void on_event(void *tracker, const struct tk_event *event) {
    struct tk_markers *m = tracker;
    switch ((enum tk_event_kind)event->kind) {
    case TK_EV_MARKER_NAME: name_marker(m, MARKERS, event->name.entity, event->name.entity, event); break;
    case TK_EV_VALUE_NAME: name_value(m, event); break;
    case TK_EV_TASK_MARKER_NAME: name_task_marker(m, MARKERS, event); break;
    case TK_EV_TASK_VALUE_NAME: name_task_marker(m, VALUES, event); break;
    case TK_EV_MARKER: draw_marker(m, event, TK_EVENT_INSTANT, false); break;
    case TK_EV_MARKER_BEGIN: draw_marker(m, event, TK_EVENT_BEGIN, false); break;
    case TK_EV_MARKER_END: draw_marker(m, event, TK_EVENT_END, false); break;
    case TK_EV_VALUE: draw_value(m, event, false); break;
    case TK_EV_VALUE_LIMITS: limit_value(m, event); break;
    case TK_EV_TASK_MARKER: draw_marker(m, event, TK_EVENT_INSTANT, true); break;
    case TK_EV_TASK_MARKER_BEGIN: draw_marker(m, event, TK_EVENT_BEGIN, true); break;
    case TK_EV_TASK_MARKER_END: draw_marker(m, event, TK_EVENT_END, true); break;
    case TK_EV_TASK_VALUE: draw_value(m, event, true); break;
    default: break;
    }
}

static void init(void *tracker, const struct tk_tracker_host *host) { ((struct tk_markers *)tracker)->host = host; }

static void begin_stats(void *tracker, uint64_t ticks) {
    struct tk_markers *m = tracker;
    (void)ticks;
    for (uint32_t i = 0; i < m->count; i++) m->markers[i].count = 0;
    tk_marker_times_clear(m);
}

static void closed(void *tracker, uint64_t tick_ns) {
    (void)tick_ns;
    name_unnamed(tracker);
}

const struct tk_tracker tk_tracker_markers = { .owner = TK_OWNER_MARKERS,
                                               .size = sizeof(struct tk_markers),
                                               .starts_at_once = true,
                                               .init = init,
                                               .event = on_event,
                                               .restart = restart,
                                               .finish = finish,
                                               .closed = closed,
                                               .begin_stats = begin_stats,
                                               .tables = tables,
                                               .table_list = table_list };
