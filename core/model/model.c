// SPDX-License-Identifier: MIT
#include "model.h"

#include "../base/cold.h"
#include "load_tracks.h"

#include <string.h>

static struct tk_names *names_of(struct tk_model *model) { return &model->timeline.names; }

static struct tk_diag_place place_of(const struct tk_event *event) {
    return (struct tk_diag_place){
        .input = event->input, .has_offset = true, .has_ticks = true, .offset = event->offset, .frame = event->frame,
        .ticks = event->ticks, .bytes = event->raw, .len = event->raw_len
    };
}

TK_COLD static void problem(struct tk_model *model, enum tk_diag_id id, const struct tk_event *event) {
    struct tk_diag_place place = place_of(event);
    tk_diag_note(model->diag, id, &place, event->id);
}

// ---- Markers and values ------------------------------------------------------------------------

enum { MARKERS, VALUES };

TK_COLD static struct tk_marker *add_marker(struct tk_model *model, unsigned sort, uint64_t key, uint32_t id) {
    if (model->marker_count >= TK_MAX_MARKERS) {
        tk_diag_note(model->diag, TK_DIAG_TOO_MANY, NULL, 1);
        return NULL;
    }
    if (!tk_alloc_grow(model->alloc, (void **)&model->markers, &model->marker_capacity, model->marker_count + 1, sizeof *model->markers)) return NULL;
    uint32_t entity = tk_names_add(names_of(model), sort == MARKERS ? TK_ENTITY_MARKER : TK_ENTITY_VALUE, id);
    if (entity == TK_NONE || !tk_idmap_set(&model->marker_by_key[sort], model->alloc, key, model->marker_count)) return NULL;
    model->markers[model->marker_count] = (struct tk_marker){ .entity = entity };
    return &model->markers[model->marker_count++];
}

static struct tk_marker *find_marker(struct tk_model *model, unsigned sort, uint64_t key, uint32_t id) {
    uint32_t index = tk_idmap_find(&model->marker_by_key[sort], key);
    return index != TK_NONE ? &model->markers[index] : add_marker(model, sort, key, id);
}

static uint64_t task_key(uint32_t task, uint32_t id) { return ((uint64_t)task + 1) << 32 | id; }

// A name that was given before any task ran serves every task that has none of its own.
TK_COLD static void use_default_name(struct tk_model *model, unsigned sort, struct tk_marker *marker) {
    struct tk_names *names = names_of(model);
    struct tk_entity *entity = &names->entities[marker->entity];
    uint32_t string = entity->name ? TK_NONE : tk_idmap_find(&model->default_names[sort], entity->id);
    size_t len;
    if (string == TK_NONE) return;
    const char *text = tk_strtab_text(&names->strings, string, &len);
    char copy[TK_DISPLAY_LEN]; // interning may move the table
    if (len > sizeof copy) len = sizeof copy;
    memcpy(copy, text, len);
    tk_names_set(names, marker->entity, copy, len);
}

TK_COLD static uint32_t add_marker_track(struct tk_model *model, unsigned sort, struct tk_marker *marker, uint32_t task, bool of_task) {
    struct tk_timeline *tl = &model->timeline;
    struct tk_track_spec spec = {
        .kind = sort == MARKERS ? TK_TRACK_SLICES : TK_TRACK_COUNTER, .entity = marker->entity, .pid = -1
    };
    if (of_task) use_default_name(model, sort, marker);
    if (of_task && task != TK_NONE) {
        bool in_more = sort == MARKERS && model->rtos.watch; // beside its calls and jobs
        spec.parent = in_more ? tk_timeline_more(tl, task) : tk_timeline_thread(tl, task);
        spec.rank = in_more ? TK_RANK_RUNNABLES : 0;
        spec.pid = tl->rows[task].pid;
    } else {
        spec.parent = tk_timeline_group(tl, sort == MARKERS ? TK_GROUP_MARKERS : marker->of_markers ? TK_GROUP_MARKER_VALUES : TK_GROUP_VALUES);
        spec.title = of_task ? " (no task)" : NULL;
    }
    return marker->track = tk_timeline_add_track(tl, &spec);
}

static uint32_t marker_track(struct tk_model *model, unsigned sort, struct tk_marker *marker, uint32_t task, bool of_task) {
    return marker->track ? marker->track : add_marker_track(model, sort, marker, task, of_task);
}

static struct tk_label_text message(struct tk_model *model, const struct tk_event *event, const struct tk_marker *marker) {
    if (!event->str_len) return (struct tk_label_text){ .id = tk_names_label(names_of(model), marker->entity, TK_MARKER_NAME) };
    return (struct tk_label_text){ tk_names_message(names_of(model), event->str, event->str_len), event->str, event->str_len };
}

// Markers beyond the limit share a track. Their begins and ends belong to different ones: they are instants as well.
TK_COLD static void draw_overflow(struct tk_model *model, unsigned sort, const struct tk_event *event, const char *what) {
    static const char *const titles[] = { "further markers", "further values" }, *const words[] = { "marker #", "value #" };
    struct tk_timeline *tl = &model->timeline;
    uint32_t *track = &model->further_tracks[sort];
    if (model->marker_count < TK_MAX_MARKERS) return; // no memory
    if (!*track) {
        uint32_t group = tk_timeline_group(tl, sort == MARKERS ? TK_GROUP_MARKERS : TK_GROUP_VALUES);
        struct tk_track_spec spec = { group, TK_TRACK_SLICES, TK_NONE, titles[sort], -1, 0, NULL, "What is beyond the limit of different numbers", 0 };
        *track = tk_timeline_add_track(tl, &spec);
    }
    char text[48];
    size_t len = tk_append_text(text, tk_append_number(text, tk_append_text(text, 0, words[sort]), event->id), what);
    struct tk_arg arg = { .name = tk_names_arg(names_of(model), sort == MARKERS ? TK_ARGN_MESSAGE : TK_ARGN_VALUE), .type = sort == MARKERS ? TK_ARG_STRING : TK_ARG_INT };
    if (sort == VALUES) arg.value.i = event->value;
    arg.string = event->str;
    arg.string_len = event->str_len;
    tk_timeline_instant(tl, *track, (struct tk_label_text){ 0, text, (uint32_t)len }, &arg, sort == VALUES || event->str_len);
}

static void draw_marker(struct tk_model *model, const struct tk_event *event, enum tk_track_event_type type, bool of_task) {
    uint32_t task = of_task ? tk_rtos_running(&model->rtos, event->core) : TK_NONE;
    if (of_task && task == TK_NONE) problem(model, TK_DIAG_NO_CURRENT_TASK, event);
    struct tk_marker *marker = find_marker(model, MARKERS, of_task ? task_key(task, event->id) : event->id, event->id);
    if (!marker) draw_overflow(model, MARKERS, event, type == TK_EVENT_BEGIN ? " begins" : type == TK_EVENT_END ? " ends" : "");
    uint32_t track = marker ? marker_track(model, MARKERS, marker, task, of_task) : 0;
    if (!track) return;
    struct tk_timeline *tl = &model->timeline;
    marker->count += type != TK_EVENT_END && marker->count < UINT32_MAX;
    if (type == TK_EVENT_INSTANT && event->value_count && model->rtos.watch) {
        tk_details_start(model->details);
        model->rtos.watch->marker(model->rtos.watcher, event, track, message(model, event, marker));
    } else if (type == TK_EVENT_INSTANT) {
        tk_timeline_instant(tl, track, message(model, event, marker), NULL, 0);
    } else if (type == TK_EVENT_BEGIN) {
        if (!tl->tracks[track - 1].depth) marker->begin = tl->now;
        tk_timeline_begin(tl, track, message(model, event, marker), NULL, 0);
    } else if (!tl->tracks[track - 1].depth) {
        problem(model, TK_DIAG_MARKER_END_WITHOUT_BEGIN, event);
    } else {
        bool measured = !tk_timeline_crossed(tl, track, 0);
        tk_timeline_end(tl, track, NULL, 0);
        if (!of_task && measured && !tl->tracks[track - 1].depth) tk_stats_marker(&model->stats, (uint32_t)(marker - model->markers), marker->begin, tl->now);
    }
}

static void draw_value(struct tk_model *model, const struct tk_event *event, bool of_task) {
    uint32_t task = of_task ? tk_rtos_running(&model->rtos, event->core) : TK_NONE;
    if (of_task && task == TK_NONE) problem(model, TK_DIAG_NO_CURRENT_TASK, event);
    struct tk_marker *marker = find_marker(model, VALUES, of_task ? task_key(task, event->id) : event->id, event->id);
    if (!marker) draw_overflow(model, VALUES, event, "");
    else tk_timeline_counter(&model->timeline, marker_track(model, VALUES, marker, task, of_task), event->value, NULL, 0);
}

static size_t append_limit(char *text, size_t len, int64_t limit) {
    if (limit < 0) text[len++] = '-';
    return tk_append_number(text, len, limit < 0 ? -(uint64_t)limit : (uint64_t)limit);
}

// The description of its track names the limits.
TK_COLD static void limit_value(struct tk_model *model, const struct tk_event *event) {
    struct tk_marker *marker = find_marker(model, VALUES, event->id, event->id);
    char text[96];
    if (!marker || event->value_count < 2) return;
    size_t len = append_limit(text, tk_append_text(text, 0, "limits: "), event->values[0].number.i);
    len = append_limit(text, tk_append_text(text, len, " to "), event->values[1].number.i);
    uint32_t id = tk_strtab_intern(&names_of(model)->strings, model->alloc, text, len);
    tk_timeline_change_track(&model->timeline, marker_track(model, VALUES, marker, TK_NONE, false), &(struct tk_track_details){ .description_text = id });
}

TK_COLD static void name_marker(struct tk_model *model, unsigned sort, uint64_t key, const struct tk_event *event) {
    struct tk_marker *marker = find_marker(model, sort, key, event->id);
    if (marker && marker->stale && tk_names_is_other(names_of(model), marker->entity, event->str, event->str_len)) marker = add_marker(model, sort, key, event->id);
    if (marker) marker->stale = false;
    if (marker && sort == VALUES && event->kind == TK_EV_VALUE_NAME && event->arg) marker->of_markers = true;
    if (marker && tk_names_set(names_of(model), marker->entity, event->str, event->str_len)) problem(model, TK_DIAG_NAME_CHANGED, event);
}

// A target that starts tracing sends the names that it kept: they were given at other times than now.
static bool is_in_preamble(const struct tk_model *model) { return model->side || model->preamble_at == tk_stats_timed_count(&model->stats) + 1; }

// The target sends task 0 when it means the running task; before any task ran it can only be a default.
TK_COLD static void name_task_marker(struct tk_model *model, unsigned sort, const struct tk_event *event) {
    uint32_t task = event->arg ? tk_rtos_find_task(&model->rtos, event->arg) : is_in_preamble(model) ? TK_NONE : tk_rtos_running(&model->rtos, event->core);
    if (task != TK_NONE) {
        name_marker(model, sort, task_key(task, event->id), event);
        return;
    }
    if (tk_idmap_find(&model->default_names[sort], event->id) != TK_NONE) return;
    if (model->default_count >= TK_MAX_MARKERS) {
        tk_diag_note(model->diag, TK_DIAG_TOO_MANY, NULL, 1);
        return;
    }
    uint32_t string = tk_strtab_intern(&names_of(model)->strings, model->alloc, event->str, event->str_len);
    names_of(model)->refused += !string;
    if (string && tk_idmap_set(&model->default_names[sort], model->alloc, event->id, string)) model->default_count++;
}

// ---- Problems, drops, tick length --------------------------------------------------------------

uint32_t tk_model_problems_track(struct tk_model *model) {
    if (!model->problems_track) {
        struct tk_track_spec spec = { tk_timeline_group(&model->timeline, TK_GROUP_TARGET), TK_TRACK_SLICES, TK_NONE, "Problems", -1, TK_RANK_PROBLEMS, NULL, "Lost events, damage, restarts", 0 };
        model->problems_track = tk_timeline_add_track(&model->timeline, &spec);
    }
    return model->problems_track;
}

static struct tk_arg uint_arg(struct tk_model *model, enum tk_arg_name name, uint64_t value) {
    return (struct tk_arg){ .name = tk_names_arg(names_of(model), name), .type = TK_ARG_UINT, .value.u = value };
}

// An instant that says where in the input. Before the first time there is no place for it.
static void draw_on_problems(struct tk_model *model, uint32_t name, const struct tk_event *event) {
    if (!model->clock.started) return;
    struct tk_details args;
    args.args[0] = uint_arg(model, TK_ARGN_OFFSET, event->offset);
    args.count = 1;
    if (model->details && event->kind == TK_EV_PROBLEM) tk_details_values(model->details, &args, event);
    struct tk_track_event mark = { .track = tk_model_problems_track(model), .name = name, .category = tk_names_category(names_of(model), TK_CATEGORY_PROBLEM), .type = TK_EVENT_INSTANT, .args = args.args, .arg_count = (uint8_t)args.count };
    if (!name) mark.string = event->str, mark.string_len = event->str_len;
    tk_timeline_event(&model->timeline, &mark);
}

static void draw_tracker_problem(void *ctx, const char *words, const struct tk_event *event) {
    struct tk_event problem = *event;
    problem.kind = TK_EV_PROBLEM;
    problem.str = words;
    problem.str_len = (uint32_t)strlen(words);
    problem.value_count = 0;
    draw_on_problems(ctx, 0, &problem);
}

TK_COLD static void draw_problem(struct tk_model *model, const struct tk_event *event) {
    struct tk_diag_place place = place_of(event);
    if (model->clock.started) tk_diag_date(model->diag, (enum tk_diag_id)event->id, &place); // the decoder did not know the time on the trace clock
    bool several = model->cores_named & (model->cores_named - 1); // whose frame it was nobody knows
    if (!event->arg) tk_rtos_loss(&model->rtos, several ? -1 : event->core); // what it said is missing
    if (event->str_len) {
        draw_on_problems(model, 0, event);
        return;
    }
    uint32_t *name = &model->problem_names[event->id];
    const char *title = tk_diag_info((enum tk_diag_id)event->id)->title;
    if (!*name) *name = tk_names_define(names_of(model), TK_INTERN_NAME, title, strlen(title));
    draw_on_problems(model, *name, event);
}

// Nobody loses two billion events between two reports, nor many millions while a count goes through its end.
enum { MOST_LOST = INT32_MAX, MOST_LOST_AROUND = 1 << 24 };

// After the first loss a target repeats its count before every event: that says nothing new.
static bool is_repeated_count(const struct tk_model *model, const struct tk_event *event) {
    return event->kind == TK_EV_DROPPED && model->dropped_known && event->id == model->dropped;
}

static struct tk_diag_place place_of_drop(const struct tk_drop *drop) {
    return (struct tk_diag_place){
        .input = drop->input, .has_offset = true, .has_ticks = true, .offset = drop->offset, .frame = drop->frame,
        .ticks = drop->ticks, .bytes = drop->raw, .len = drop->raw_len
    };
}

// The pending report cannot be: it says so, and nothing is counted.
TK_COLD static void refuse_drop(struct tk_model *model) {
    struct tk_diag_place place = place_of_drop(&model->drop);
    tk_diag_note(model->diag, TK_DIAG_DROP_COUNT_BAD, &place, model->drop.count);
    model->drop.lost = 0;
}

// Counts what the pending report says. It is believed when the next one goes on from it.
TK_COLD static void confirm_drop(struct tk_model *model) {
    const struct tk_drop *drop = &model->drop;
    if (!drop->lost) return;
    if (drop->lost > MOST_LOST) {
        refuse_drop(model);
        return;
    }
    struct tk_diag_place place = place_of_drop(drop);
    model->lost += drop->lost;
    tk_diag_note(model->diag, TK_DIAG_DROPPED, &place, drop->lost);
    struct tk_arg args[2];
    args[0] = uint_arg(model, TK_ARGN_LOST, drop->lost);
    args[1] = uint_arg(model, TK_ARGN_OFFSET, drop->offset);
    struct tk_track_event mark = { .ticks = drop->ticks, .type = TK_EVENT_INSTANT, .when = drop->ticks == model->clock.now ? TK_IN_ORDER : TK_LATE, .args = args, .arg_count = 2 };
    mark.track = tk_model_problems_track(model);
    mark.name = tk_names_fixed(names_of(model), TK_FIXED_LOST);
    tk_timeline_event(&model->timeline, &mark);
    model->drop.lost = 0;
}

// Nothing comes behind the pending report: a huge one is not confirmed.
TK_COLD static void end_drop(struct tk_model *model) {
    if (model->drop.lost > MOST_LOST_AROUND) refuse_drop(model);
    else confirm_drop(model);
}

void tk_model_loss(struct tk_model *model, int32_t core) {
    if (core < 0) model->timeline.lost_since = model->timeline.now;
    tk_rtos_loss(&model->rtos, core);
    for (unsigned i = 0; i < TK_OWNERS; i++)
        if (model->trackers[i].state) model->trackers[i].is->loss(model->trackers[i].state, core);
}

static void hold_drop(struct tk_model *model, const struct tk_event *event, uint32_t before, uint32_t lost) {
    struct tk_drop *drop = &model->drop;
    *drop = (struct tk_drop){ lost, before, event->id, event->ticks, event->offset, event->frame, event->input, (uint8_t)event->raw_len, { 0 } };
    if (event->raw_len) memcpy(drop->raw, event->raw, event->raw_len);
    tk_model_loss(model, -1);
}

// The next report goes on from before the pending one: that one was damaged.
static bool falls_back(const struct tk_drop *drop, uint32_t count) {
    bool anew = drop->count < drop->before && drop->lost == drop->count; // it had fallen itself
    return drop->lost && (anew ? count - drop->before <= MOST_LOST_AROUND : count - drop->before < drop->lost);
}

// The count runs on over all cores; what is new since the last one was lost just before.
static void on_dropped(struct tk_model *model, const struct tk_event *event) {
    bool first = !model->dropped_known;
    struct tk_diag_place place = place_of(event);
    if (falls_back(&model->drop, event->id)) {
        model->dropped = model->drop.before;
        refuse_drop(model);
        if (is_repeated_count(model, event)) return;
    }
    confirm_drop(model);
    uint32_t before = model->dropped, lost = event->id - before;
    model->dropped_known = true;
    model->dropped = event->id;
    if (first) {
        model->lost_before = event->id;
        if (event->id) tk_diag_note(model->diag, TK_DIAG_DROPPED_BEFORE, &place, event->id);
        return;
    }
    if (event->id < before && lost > MOST_LOST_AROUND) lost = event->id; // it fell: the target counts from 0 again
    if (lost) hold_drop(model, event, before, lost);
}

// A length that was named before is given up for one that was named as often since then: a single damaged frame does
// not outvote metadata that was sent again and again.
static bool outvotes(struct tk_model *model, uint64_t tick_ns) {
    model->other_tick_named = model->other_tick_ns == tick_ns ? model->other_tick_named + 1 : 1;
    model->other_tick_ns = tick_ns;
    if (model->other_tick_named < model->tick_named) return false;
    model->tick_named = model->other_tick_named;
    model->other_tick_named = 0;
    return true;
}

TK_COLD static void on_tick_length(struct tk_model *model, const struct tk_event *event) {
    if (event->value <= 0) {
        problem(model, TK_DIAG_TICK_ZERO, event);
        return;
    }
    if (model->tick_ns && !model->tick_is_side && !model->side && model->tick_ns != (uint64_t)event->value) {
        struct tk_diag_place place = place_of(event);
        tk_diag_note(model->diag, TK_DIAG_TICK_CHANGED, &place, (uint64_t)event->value);
        if (!outvotes(model, (uint64_t)event->value)) return;
    } else {
        model->tick_named = model->tick_is_side == model->side ? model->tick_named + 1 : 1;
    }
    model->tick_ns = (uint64_t)event->value;
    model->tick_is_side = model->side;
    model->tick_origin = (uint8_t)event->arg;
    size_t note_len = event->str_len < sizeof model->timeline.note ? event->str_len : 0;
    if (note_len) memcpy(model->timeline.note, event->str, note_len);
    model->timeline.note[note_len] = 0;
}

static void name_unnamed_markers(struct tk_model *model) {
    for (uint32_t i = 0; i < model->marker_count; i++) {
        const struct tk_track *track = model->markers[i].track ? &model->timeline.tracks[model->markers[i].track - 1] : NULL;
        if (track && (track->pid >= 0 || track->title)) use_default_name(model, track->kind == TK_TRACK_COUNTER ? VALUES : MARKERS, &model->markers[i]);
    }
}

// What was told about markers before belongs to the old run.
TK_COLD static void restart_markers(struct tk_model *model) {
    name_unnamed_markers(model);
    for (uint32_t i = 0; i < model->marker_count; i++) model->markers[i].stale = true;
    for (unsigned sort = 0; sort < 2; sort++) tk_idmap_deinit(&model->default_names[sort], model->alloc);
    model->default_count = 0;
}

TK_COLD static void restart(struct tk_model *model, const struct tk_event *event) {
    end_drop(model);
    tk_rtos_restart(&model->rtos, false);
    restart_markers(model);
    for (unsigned i = 0; i < TK_OWNERS; i++)
        if (model->trackers[i].state) model->trackers[i].is->restart(model->trackers[i].state);
    model->restarts++;
    model->dropped = 0; // whatever it counts from here on was lost in this recording
    model->dropped_known = true;
    draw_on_problems(model, tk_names_fixed(names_of(model), TK_FIXED_RESTARTED), event);
}

// ---- Raw events --------------------------------------------------------------------------------

static uint32_t event_track(struct tk_model *model, uint8_t core) {
    if (!model->event_tracks[core]) {
        struct tk_track_spec spec = { tk_timeline_group(&model->timeline, TK_GROUP_EVENTS), TK_TRACK_SLICES, TK_NONE, tk_core_title(core), -1, core, NULL, "Every event as it was recorded", 0 };
        model->event_tracks[core] = tk_timeline_add_track(&model->timeline, &spec);
    }
    return model->event_tracks[core];
}

TK_COLD static void draw_raw(struct tk_model *model, const struct tk_event *event) {
    uint32_t *name = &model->kind_names[event->kind];
    const char *words = tk_event_words((enum tk_event_kind)event->kind);
    struct tk_arg args[5];
    unsigned count = 0;
    if (!*name) *name = tk_names_define(names_of(model), TK_INTERN_NAME, words, strlen(words));
    args[count++] = uint_arg(model, TK_ARGN_ID, event->id);
    if (event->arg) args[count++] = uint_arg(model, TK_ARGN_ARG, event->arg);
    if (event->value && tk_event_owner(event) != TK_OWNER_TRACKS) { // there the values tell
        args[count] = uint_arg(model, TK_ARGN_VALUE, 0);
        args[count].type = TK_ARG_INT;
        args[count++].value.i = event->value;
    }
    if (event->str_len) {
        args[count] = uint_arg(model, TK_ARGN_MESSAGE, 0);
        args[count].type = TK_ARG_STRING;
        args[count].string = event->str;
        args[count++].string_len = event->str_len;
    }
    args[count++] = uint_arg(model, TK_ARGN_OFFSET, event->offset);
    tk_timeline_instant(&model->timeline, event_track(model, event->core), (struct tk_label_text){ .id = *name }, args, count);
}

static void name_symbol(struct tk_model *model, const struct tk_event *event) {
    uint32_t entity = tk_names_symbol(names_of(model), event->id);
    if (entity == TK_NONE || !tk_names_set(names_of(model), entity, event->str, event->str_len)) return;
    struct tk_diag_place place = place_of(event);
    place.has_ticks = false;
    tk_diag_note(model->diag, TK_DIAG_NAME_CHANGED, &place, event->id);
}

static void on_core(struct tk_model *model, const struct tk_event *event) {
    model->cores_named |= 1u << event->core;
    if (event->time_invalid) model->preamble_at = tk_stats_timed_count(&model->stats) + 1;
}

// ---- Dispatch ----------------------------------------------------------------------------------

TK_NOINLINE static void dispatch_other(struct tk_model *model, const struct tk_event *event) {
    switch ((enum tk_event_kind)event->kind) {
    case TK_EV_TICK_LENGTH: on_tick_length(model, event); break;
    case TK_EV_CORE: on_core(model, event); break;
    case TK_EV_DROPPED: on_dropped(model, event); break;
    case TK_EV_PROBLEM: draw_problem(model, event); break;
    case TK_EV_LOST: tk_model_lost(model, event); break;
    case TK_EV_SECTION_BEGIN: tk_model_begin_section(model, event); break;
    case TK_EV_MARKER_NAME: name_marker(model, MARKERS, event->id, event); break;
    case TK_EV_VALUE_NAME: name_marker(model, VALUES, event->id, event); break;
    case TK_EV_TASK_MARKER_NAME: name_task_marker(model, MARKERS, event); break;
    case TK_EV_TASK_VALUE_NAME: name_task_marker(model, VALUES, event); break;
    case TK_EV_MARKER: draw_marker(model, event, TK_EVENT_INSTANT, false); break;
    case TK_EV_MARKER_BEGIN: draw_marker(model, event, TK_EVENT_BEGIN, false); break;
    case TK_EV_MARKER_END: draw_marker(model, event, TK_EVENT_END, false); break;
    case TK_EV_VALUE: draw_value(model, event, false); break;
    case TK_EV_VALUE_LIMITS: limit_value(model, event); break;
    case TK_EV_TASK_MARKER: draw_marker(model, event, TK_EVENT_INSTANT, true); break;
    case TK_EV_TASK_MARKER_BEGIN: draw_marker(model, event, TK_EVENT_BEGIN, true); break;
    case TK_EV_TASK_MARKER_END: draw_marker(model, event, TK_EVENT_END, true); break;
    case TK_EV_TASK_VALUE: draw_value(model, event, true); break;
    case TK_EV_SYMBOL_NAME: name_symbol(model, event); break;
    case TK_EV_SYMBOL_FALLBACK: tk_names_set_fallback(names_of(model), event->id, event->arg, event->str, event->str_len); break;
    default: break;
    }
}

static bool need_details(struct tk_model *model) {
    if (model->details) return true;
    model->details = model->host.details = tk_alloc_zero(model->alloc, sizeof *model->details);
    if (model->details) tk_details_init(model->details, model->alloc, model->diag, &model->timeline.names);
    return model->details;
}

// A tracker costs nothing before its first event. False: no memory.
TK_COLD static bool start_tracker(struct tk_model *model, const struct tk_tracker *tracker) {
    void *state = need_details(model) ? tk_alloc_zero(model->alloc, tracker->size) : NULL;
    model->trackers[tracker->owner].state = state;
    if (state) tracker->init(state, &model->host);
    return state;
}

TK_NOINLINE void tk_model_other_event(struct tk_model *model, const struct tk_event *event) {
    const struct tk_tracker *tracker = model->trackers[tk_event_owner(event)].is;
    if (!tracker) {
        dispatch_other(model, event);
        return;
    }
    if (!model->trackers[tracker->owner].state && !start_tracker(model, tracker)) return;
    tk_details_start(model->details);
    tracker->event(model->trackers[tracker->owner].state, event);
}

TK_NOINLINE void tk_model_after_pause(struct tk_model *model, const struct tk_event *event) {
    if (model->rtos.pending_count) tk_rtos_settle(&model->rtos, event);
    tk_timeline_advance(&model->timeline, event->ticks);
}

// Time rises on each track of its own only, and this one is behind.
static bool falls_freely(const struct tk_model *model, const struct tk_event *event) {
    const struct tk_trace_clock *clock = &model->clock;
    return tk_event_owner(event) == TK_OWNER_TRACKS && event->timed && clock->started && event->section == clock->section && event->ticks + clock->offset < clock->now;
}

static void take_earlier(struct tk_model *model, struct tk_event *event) {
    uint64_t now = model->timeline.now, start = model->stats.start;
    event->ticks += model->clock.offset;
    if (event->ticks < start && start - event->ticks > model->before_start) model->before_start = start - event->ticks;
    tk_stats_event(&model->stats, event->kind);
    model->timeline.now = event->ticks;
    tk_model_dispatch(model, event);
    model->timeline.now = now;
}

// Without a time, the first of a section, or raw.
TK_NOINLINE void tk_model_cold_event(struct tk_model *model, struct tk_event *event) {
    if (falls_freely(model, event)) {
        take_earlier(model, event);
        return;
    }
    bool restarted = tk_trace_clock_apply(&model->clock, model->diag, event) == TK_STEP_RESTART;
    bool happened = event->timed && tk_event_owner(event) != TK_OWNER_RECORDING;
    if (model->rtos.pending_count && happened) tk_rtos_settle(&model->rtos, event);
    if (event->kind == TK_EV_SECTION_BEGIN) tk_model_end_section(model);
    tk_timeline_advance(&model->timeline, event->ticks);
    if (restarted) restart(model, event);
    if (is_repeated_count(model, event)) {
        confirm_drop(model);
        return;
    }
    if (event->timed && !event->time_invalid) tk_stats_timed_event(&model->stats, event->kind, event->core, event->ticks);
    else if (event->kind != TK_EV_PROBLEM) tk_stats_event(&model->stats, event->kind);
    tk_model_dispatch(model, event);
    if (model->raw_events && event->kind != TK_EV_PROBLEM) draw_raw(model, event);
}

TK_COLD void tk_model_side_event(struct tk_model *model, struct tk_event *event) {
    model->side = names_of(model)->borrowing = true;
    tk_model_dispatch(model, event);
    model->side = names_of(model)->borrowing = false;
}

// An interrupt without a name on its core bears the name that another core gave to the number.
static void borrow_isr_names(struct tk_model *model) {
    struct tk_rtos *rtos = &model->rtos;
    struct tk_names *names = names_of(model);
    for (uint32_t i = 0; i < rtos->isr_count; i++) {
        const struct tk_entity *entity = &names->entities[rtos->isrs[i].entity];
        for (uint32_t j = 0; j < rtos->isr_count && !entity->name; j++) {
            const struct tk_entity *other = &names->entities[rtos->isrs[j].entity];
            if (other->id != entity->id || !other->name) continue;
            char copy[TK_DISPLAY_LEN + 16];
            size_t len = tk_names_display(names, rtos->isrs[j].entity, copy);
            len = tk_append_text(copy, len, " (core ");
            len = tk_append_number(copy, len, rtos->isrs[j].core);
            copy[len++] = ')';
            tk_names_set(names, rtos->isrs[i].entity, copy, len);
            tk_diag_hit(model->diag, TK_DIAG_NAME_BORROWED, NULL);
        }
    }
}

static void mark_core_ends(struct tk_model *model) {
    for (uint32_t i = 0; i < TK_RTOS_CORES; i++) {
        const struct tk_stats_core *core = &model->stats.cores[i];
        if (!core->events || core->end >= model->stats.end) continue;
        tk_diag_note(model->diag, TK_DIAG_CORE_ENDS_EARLY, NULL, i);
        struct tk_arg arg = uint_arg(model, TK_ARGN_CORE, i);
        struct tk_track_event event = { .ticks = core->end, .type = TK_EVENT_INSTANT, .when = TK_LATE, .args = &arg, .arg_count = 1 };
        event.track = tk_model_problems_track(model);
        event.name = tk_names_fixed(names_of(model), TK_FIXED_DATA_ENDS);
        tk_timeline_event(&model->timeline, &event);
    }
}

// The stream announces several cores, but nothing says which events are whose.
static void check_core_tags(struct tk_model *model) {
    uint32_t with_events = 0;
    for (uint32_t i = 0; i < TK_RTOS_CORES; i++)
        if (model->stats.cores[i].events) with_events |= 1u << i;
    bool several_named = model->cores_named & (model->cores_named - 1), one_used = with_events && !(with_events & (with_events - 1));
    if (several_named && one_used) tk_diag_hit(model->diag, TK_DIAG_CORES_UNTAGGED, NULL);
}

static void count_open_markers(struct tk_model *model) {
    struct tk_timeline *tl = &model->timeline;
    for (uint32_t i = 0; i < model->marker_count; i++) {
        const struct tk_track *track = model->markers[i].track ? &tl->tracks[model->markers[i].track - 1] : NULL;
        if (track && track->depth) tk_diag_note(model->diag, TK_DIAG_MARKER_OPEN_AT_END, NULL, names_of(model)->entities[model->markers[i].entity].id);
    }
}

void tk_model_begin_figures(struct tk_model *model, uint64_t ticks) {
    tk_stats_begin_anew(&model->stats, ticks);
    model->lost = model->lost_before = model->restarts = 0;
    model->preamble_at = model->before_start = 0;
    for (uint32_t i = 0; i < model->marker_count; i++) model->markers[i].count = 0;
    for (unsigned i = 0; i < TK_OWNERS; i++) {
        const struct tk_tracker *tracker = model->trackers[i].is;
        if (model->trackers[i].state) tracker->begin_figures(model->trackers[i].state, ticks);
    }
}

void tk_model_end_figures(struct tk_model *model) { model->goes_on = model->rtos.goes_on = true; }

// What people must know of the times stands in the title of the group Target, which is not shown where it is empty.
static void draw_note(struct tk_timeline *tl) {
    if (!tl->note[0] || tl->groups[TK_GROUP_TARGET] || !tl->row_count) return;
    struct tk_track_spec spec = { tk_timeline_group(tl, TK_GROUP_TARGET), TK_TRACK_SLICES, TK_NONE, "Times", -1, 0, NULL, "What the axis of this trace is", 0 };
    struct tk_track_event instant = { .type = TK_EVENT_INSTANT, .when = TK_LATE, .string = tl->note, .string_len = (uint32_t)strlen(tl->note) };
    instant.track = tk_timeline_add_track(tl, &spec);
    tk_timeline_event(tl, &instant);
}

TK_COLD void tk_model_finish(struct tk_model *model, bool several_inputs, uint64_t tick_ns) {
    struct tk_timeline *tl = &model->timeline;
    end_drop(model);
    if (names_of(model)->refused) tk_diag_note(model->diag, TK_DIAG_TOO_MANY, NULL, names_of(model)->refused);
    tk_rtos_finish(&model->rtos);
    for (unsigned i = 0; i < TK_OWNERS; i++)
        if (model->trackers[i].state) model->trackers[i].is->finish(model->trackers[i].state);
    if (!model->goes_on) count_open_markers(model);
    check_core_tags(model);
    tk_timeline_close_all(tl, true);
    if (several_inputs && !model->goes_on) mark_core_ends(model);
    tk_draw_load(tl, &model->stats, &model->rtos, tick_ns);
    draw_note(tl);
    name_unnamed_markers(model);
    borrow_isr_names(model);
    tk_timeline_finish(tl);
}

static void set_host(struct tk_model *model) {
    model->host = (struct tk_tracker_host){ model->alloc, model->diag, &model->timeline, &model->stats, &model->rtos, &model->tick_ns, model->details, draw_tracker_problem, model };
}

void tk_model_init(struct tk_model *model, struct tk_alloc *alloc, struct tk_diag *diag, struct tk_track_sink *sink) {
    memset(model, 0, sizeof *model);
    model->alloc = alloc;
    model->diag = diag;
    tk_timeline_init(&model->timeline, alloc, diag, sink);
    tk_stats_init(&model->stats, alloc);
    tk_rtos_init(&model->rtos, alloc, diag, &model->timeline, &model->stats);
    set_host(model);
}

void tk_model_need_trackers(struct tk_model *model, const struct tk_tracker *const *list) {
    for (; list && *list; list++) model->trackers[(*list)->owner].is = *list;
}

static void tracker_moved(struct tk_model *model, unsigned owner, const struct tk_tracker *const *list, struct tk_move *move) {
    if (!model->trackers[owner].is) return;
    while (list && *list && (*list)->owner != owner) list++;
    const struct tk_tracker *tracker = model->trackers[owner].is = list ? *list : NULL;
    if (!tracker) move->refused = true;
    if (!tracker || !model->trackers[owner].state) return;
    void *state = model->trackers[owner].state = tk_follow(move, model->trackers[owner].state, tracker->size);
    if (state) tracker->moved(state, &model->host, move);
}

TK_COLD void tk_model_moved(struct tk_model *model, const struct tk_tracker *const *list, struct tk_move *move) {
    model->alloc = tk_follow(move, model->alloc, sizeof *model->alloc);
    model->diag = tk_follow(move, model->diag, sizeof *model->diag);
    tk_timeline_moved(&model->timeline, move);
    tk_stats_moved(&model->stats, move);
    tk_rtos_moved(&model->rtos, move);
    model->details = tk_follow(move, model->details, model->details ? sizeof *model->details : 0);
    if (model->details) tk_details_moved(model->details, move);
    set_host(model);
    model->markers = tk_follow(move, model->markers, model->marker_capacity * sizeof *model->markers);
    for (unsigned sort = 0; sort < 2; sort++) {
        tk_idmap_moved(&model->marker_by_key[sort], move);
        tk_idmap_moved(&model->default_names[sort], move);
    }
    for (unsigned i = 0; i < TK_OWNERS; i++) tracker_moved(model, i, list, move);
}

