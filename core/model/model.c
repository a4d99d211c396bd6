// SPDX-License-Identifier: MIT
#include "model.h"

#include "../base/attributes.h"

#include <string.h>

static struct tk_names *names_of(struct tk_model *model) { return &model->timeline.names; }

TK_COLD static void problem(struct tk_model *model, enum tk_diag_id id, const struct tk_event *event) {
    struct tk_source_pos place = tk_event_trace_pos(event);
    tk_diag_note(model->diag, id, &place, 0);
}

// ---- Problems, drops, tick length --------------------------------------------------------------

uint32_t tk_model_problems_track(struct tk_model *model) {
    if (!model->problems_track) {
        struct tk_track_spec spec = { tk_timeline_group(&model->timeline, TK_GROUP_TARGET),
                                      TK_TRACK_SLICES,
                                      TK_NONE,
                                      "Problems",
                                      -1,
                                      TK_RANK_PROBLEMS,
                                      NULL,
                                      "Lost events, damage, restarts",
                                      0 };
        model->problems_track = tk_timeline_add_track(&model->timeline, &spec);
    }
    return model->problems_track;
}

static struct tk_arg uint_arg(struct tk_model *model, enum tk_arg_name name, uint64_t value) {
    return (struct tk_arg){ .name = tk_names_arg(names_of(model), name), .type = TK_ARG_UINT, .value.u = value };
}

// Draws an instant with the input position on the track of problems. Before the first time it cannot be drawn.
TK_COLD static void draw_on_problems(struct tk_model *model, uint32_t name, const struct tk_event *event) {
    if (!model->clock.started) return;
    struct tk_details args;
    args.args[0] = uint_arg(model, TK_ARGN_OFFSET, event->offset);
    args.count = 1;
    if (model->details && event->kind == TK_EV_PROBLEM) tk_details_values(model->details, &args, event);
    struct tk_track_event mark = { .track = tk_model_problems_track(model),
                                   .name = name,
                                   .category = tk_names_category(names_of(model), TK_CATEGORY_PROBLEM),
                                   .type = TK_EVENT_INSTANT,
                                   .args = args.args,
                                   .arg_count = (uint8_t)args.count };
    if (!name) mark.string = event->str, mark.string_len = event->str_len;
    tk_timeline_event(&model->timeline, &mark);
}

static void draw_tracker_problem(void *ctx, const char *words, const struct tk_event *event) {
    struct tk_event problem = *event;
    problem.kind = TK_EV_PROBLEM;
    problem.payload = (struct tk_event_payload){ 0 };
    problem.str = words;
    problem.str_len = (uint32_t)strlen(words);
    problem.value_count = 0;
    draw_on_problems(ctx, 0, &problem);
}

static void draw_title_on_problems(struct tk_model *model, enum tk_diag_id id, const struct tk_event *event) {
    uint32_t *name = &model->problem_names[id];
    const char *title = tk_diag_info(id)->title;
    if (!*name) *name = tk_names_define(names_of(model), TK_INTERN_NAME, title, strlen(title));
    draw_on_problems(model, *name, event);
}

// Reports a loss to the trackers up to `last`.
TK_COLD static void lose(struct tk_model *model, int32_t core, unsigned last) {
    tk_timeline_loss(&model->timeline, core);
    tk_stats_gap(&model->stats);
    for (unsigned i = 0; i <= last; i++)
        if (model->trackers[i].state && model->trackers[i].is->loss)
            model->trackers[i].is->loss(model->trackers[i].state, core);
}

TK_COLD static void draw_problem(struct tk_model *model, const struct tk_event *event) {
    struct tk_source_pos place = tk_event_trace_pos(event);
    if (model->clock.started)
        tk_diag_set_time(model->diag, (enum tk_diag_id)event->problem.diag, &place); // the time was
                                                                                     // unknown to the decoder
    bool several = model->cores_named & (model->cores_named - 1);                    // the core of the frame is unknown
    if (!event->problem.loss_reported)
        lose(model, several ? -1 : event->core, TK_OWNER_RTOS); // the event in the frame is missing
    if (event->str_len) {
        draw_on_problems(model, 0, event);
        return;
    }
    draw_title_on_problems(model, (enum tk_diag_id)event->problem.diag, event);
}

enum { MOST_LOST_AROUND = 1 << 24 }; // limit for a plausible loss of a count that wraps

// Returns true for a count without a change: after the first loss a target repeats its count before every event.
static bool is_repeated_count(const struct tk_model *model, const struct tk_event *event) {
    if (event->kind != TK_EV_DROP_COUNT) return false;
    const struct tk_drop_counter *counter = &model->drops[event->drop_count.counter];
    return counter->is_known && event->drop_count.count == counter->count;
}

static struct tk_source_pos place_of_drop(const struct tk_pending_drop *drop) {
    return (struct tk_source_pos){ .input = drop->input,
                                   .has_offset = true,
                                   .has_ticks = true,
                                   .offset = drop->offset,
                                   .frame = drop->frame,
                                   .ticks = drop->ticks,
                                   .bytes = drop->raw,
                                   .len = drop->raw_len };
}

// Rejects an impossible pending report: counts the problem, but no loss.
TK_COLD static void refuse_drop(struct tk_model *model, struct tk_pending_drop *drop) {
    struct tk_source_pos place = place_of_drop(drop);
    tk_diag_note(model->diag, TK_DIAG_DROP_COUNT_IMPOSSIBLE, &place, drop->count);
    drop->lost = 0;
}

void tk_model_count_lost(struct tk_model *model, const struct tk_source_pos *place, uint64_t lost, unsigned where) {
    static const enum tk_diag_id problems[] = { [TK_LOST_ON_TARGET] = TK_DIAG_DROPPED,
                                                [TK_LOST_ON_LINE] = TK_DIAG_LOST_ON_LINE,
                                                [TK_LOST_SOMEWHERE] = TK_DIAG_LOST_SOMEWHERE };
    *(where == TK_LOST_ON_LINE ? &model->lost_on_line : &model->lost) += lost;
    tk_diag_note(model->diag, problems[where], place, lost);
}

// Counts the losses of the pending report, which the next report has confirmed.
TK_COLD static void confirm_drop(struct tk_model *model, struct tk_pending_drop *drop) {
    if (!drop->lost) return;
    if (drop->lost > TK_MOST_LOST) {
        refuse_drop(model, drop);
        return;
    }
    struct tk_source_pos place = place_of_drop(drop);
    tk_model_count_lost(model, &place, drop->lost, drop->where);
    struct tk_arg args[2];
    args[0] = uint_arg(model, TK_ARGN_LOST, drop->lost);
    args[1] = uint_arg(model, TK_ARGN_OFFSET, drop->offset);
    struct tk_track_event mark = { .ticks = drop->ticks,
                                   .type = TK_EVENT_INSTANT,
                                   .when = drop->ticks == model->clock.now ? TK_IN_ORDER : TK_LATE,
                                   .args = args,
                                   .arg_count = 2 };
    mark.track = tk_model_problems_track(model);
    mark.name = tk_names_fixed(names_of(model), TK_FIXED_LOST);
    tk_timeline_event(&model->timeline, &mark);
    drop->lost = 0;
}

// Ends the pending reports at the end of the recording: a huge one is rejected, because nothing confirms it.
TK_COLD static void end_drops(struct tk_model *model) {
    for (uint32_t i = 0; i < TK_RTOS_CORES; i++) {
        struct tk_pending_drop *drop = &model->drops[i].pending;
        if (drop->lost > MOST_LOST_AROUND) refuse_drop(model, drop);
        else confirm_drop(model, drop);
    }
}

void tk_model_loss(struct tk_model *model, int32_t core) {
    if (core < 0) model->timeline.lost_since = model->timeline.now;
    lose(model, core, TK_OWNERS - 1);
}

static void defer_drop_report(struct tk_model *model, const struct tk_event *event, uint32_t before, uint32_t lost) {
    struct tk_pending_drop *drop = &model->drops[event->drop_count.counter].pending;
    *drop = (struct tk_pending_drop){ lost,
                                      before,
                                      event->drop_count.count,
                                      event->ticks,
                                      event->offset,
                                      event->frame,
                                      event->input,
                                      (uint8_t)event->raw_len,
                                      (uint8_t)event->drop_count.where,
                                      { 0 } };
    if (event->raw_len) memcpy(drop->raw, event->raw, event->raw_len);
    tk_model_loss(model, -1);
}

// Returns true if the next report continues the count before the pending report: then that report was damaged.
static bool returns_to_previous(const struct tk_pending_drop *drop, uint32_t count) {
    bool anew = drop->count < drop->before && drop->lost == drop->count; // it had fallen itself
    return drop->lost && (anew ? count - drop->before <= MOST_LOST_AROUND : count - drop->before < drop->lost);
}

// Returns true if the events of this first count were lost here, not before the recording. After the first loss a
// target sends its count before every event, so the events without a count before it prove this; a single one may
// belong to a count that was cut off.
static bool is_loss_of_this_event(const struct tk_model *model, const struct tk_event *event) {
    uint64_t most = model->events_before_stats;
    bool is_counted = tk_event_has_time(event);
    for (uint32_t i = 0; i < TK_STATS_CORES; i++) {
        uint64_t before = model->stats.cores[i].events - (is_counted && i == event->core); // the event itself is
                                                                                           // included
        if (before > most) most = before;
    }
    return most > 1;
}

// Takes a running count of lost events, which covers all cores of a program: the increase was lost just before this
// event.
static void on_dropped(struct tk_model *model, const struct tk_event *event) {
    struct tk_drop_counter *counter = &model->drops[event->drop_count.counter];
    bool first = !counter->is_known;
    uint32_t count = event->drop_count.count;
    struct tk_source_pos place = tk_event_trace_pos(event);
    if (returns_to_previous(&counter->pending, count)) {
        counter->count = counter->pending.before;
        refuse_drop(model, &counter->pending);
        if (is_repeated_count(model, event)) return;
    }
    confirm_drop(model, &counter->pending);
    uint32_t before = counter->count, lost = count - before;
    counter->is_known = true;
    counter->count = count;
    if (first && !is_loss_of_this_event(model, event)) {
        model->lost_before += count;
        if (count) tk_diag_note(model->diag, TK_DIAG_DROPPED_BEFORE, &place, count);
        if (count) tk_model_loss(model, -1); // the loss may also be after the only event before
        return;
    }
    if (count < before && lost > MOST_LOST_AROUND) lost = count; // it fell: the target counts from 0 again
    if (lost) defer_drop_report(model, event, before, lost);
}

// Replaces the tick length if another one has occurred as often since: a single damaged frame does not outvote metadata
// that was sent repeatedly.
static bool replaces_tick_length(struct tk_model *model, uint64_t tick_ns) {
    model->tick_count_other = model->other_tick_ns == tick_ns ? model->tick_count_other + 1 : 1;
    model->other_tick_ns = tick_ns;
    if (model->tick_count_other < model->tick_count_same) return false;
    model->tick_count_same = model->tick_count_other;
    model->tick_count_other = 0;
    return true;
}

TK_COLD static void on_tick_length(struct tk_model *model, const struct tk_event *event) {
    int64_t ns = event->tick_length.ns;
    if (ns <= 0) {
        problem(model, TK_DIAG_TICK_ZERO, event);
        return;
    }
    if (tk_domain_is_set(&model->rate)) {
        bool is_better = model->rate_is_side && !model->side && !model->clock.started; // of this recording
        if (!is_better) return;
        model->rate = (struct tk_domain){ 0 };
        model->rate_hz = 0;
    }
    if (model->tick_ns && !model->tick_is_side && !model->side && model->tick_ns != (uint64_t)ns) {
        struct tk_source_pos place = tk_event_trace_pos(event);
        tk_diag_note(model->diag, TK_DIAG_TICK_CHANGED, &place, (uint64_t)ns);
        if (!replaces_tick_length(model, (uint64_t)ns)) return;
    } else {
        model->tick_count_same = model->tick_is_side == model->side ? model->tick_count_same + 1 : 1;
    }
    model->tick_ns = (uint64_t)ns;
    model->tick_is_side = model->side;
    model->tick_origin = (uint8_t)event->tick_length.origin;
    size_t note_len = event->str_len < sizeof model->timeline.note ? event->str_len : 0;
    if (note_len) memcpy(model->timeline.note, event->str, note_len);
    model->timeline.note[note_len] = 0;
}

TK_COLD void tk_model_set_rate(struct tk_model *model, uint64_t hz, uint32_t divisor) {
    model->rate = tk_domain_of_rate(hz, divisor);
    model->rate.placed = true;
    model->rate_hz = hz / divisor + (hz % divisor * 2 >= divisor);
    model->tick_ns = 1;
    model->tick_origin = TK_TICK_RECORDED;
    model->tick_is_side = model->rate_is_side = model->side;
}

void tk_model_convert_time(const struct tk_model *model, struct tk_event *event) {
    if (!tk_domain_is_set(&model->rate)) return;
    event->ticks = tk_domain_ns(&model->rate, event->ticks);
    if (event->kind == TK_EV_EVENTS_LOST)
        event->events_lost.since = tk_domain_ns(&model->rate, event->events_lost.since);
    if (event->kind == TK_EV_TASK_DECLARED && event->task_declared.created >= 0)
        event->task_declared.created = (int64_t)tk_domain_ns(&model->rate, (uint64_t)event->task_declared.created);
}

// Returns true if a tick of `ns` nanoseconds is that of a clock with this rate: the nearest whole number, at least 1.
static bool is_tick_of(uint64_t ns, uint64_t hz, uint64_t divisor) {
    double exact = 1e9 * (double)divisor / (double)hz;
    return (double)ns - exact < 1.0 && exact - (double)ns < 1.0;
}

// A rate that contradicts the tick length of the recording is damaged. Counts that the model has taken as ticks cannot
// be converted any more, so a late rate is reported, and the tick length stays.
TK_COLD static void on_clock_hz(struct tk_model *model, const struct tk_event *event) {
    uint64_t hz = (uint64_t)event->clock_hz.hz;
    uint32_t divisor = event->clock_hz.divisor;
    if (event->clock_hz.hz <= 0 || !divisor) {
        problem(model, TK_DIAG_TICK_ZERO, event);
        return;
    }
    struct tk_domain rate = tk_domain_of_rate(hz, divisor);
    bool is_known = tk_domain_is_set(&model->rate), has_own_tick = model->tick_ns && !model->tick_is_side;
    if (model->rate_is_given || (model->side && (is_known || has_own_tick))) return;
    if (!is_known && has_own_tick && model->tick_origin == TK_TICK_RECORDED &&
        !is_tick_of(model->tick_ns, hz, divisor)) {
        struct tk_source_pos place = tk_event_trace_pos(event);
        tk_diag_note(model->diag, TK_DIAG_RATE_CHANGED, &place, hz / divisor);
        return;
    }
    if (is_known && model->rate.ns == rate.ns && model->rate.per_counts == rate.per_counts) return;
    if (model->clock.started || (is_known && !model->rate_is_side)) {
        struct tk_source_pos place = tk_event_trace_pos(event);
        if (event->is_repeated && model->late_hz == hz) return;
        model->late_hz = hz;
        tk_diag_note(model->diag, is_known ? TK_DIAG_RATE_CHANGED : TK_DIAG_RATE_LATE, &place, hz / divisor);
        return;
    }
    tk_model_set_rate(model, hz, divisor);
}

TK_COLD void tk_model_restart_trackers(struct tk_model *model, bool announced) {
    if (!model->rtos) tk_timeline_close_all(&model->timeline, true); // otherwise the rtos tracker does this later
    for (unsigned i = 0; i < TK_OWNERS; i++)
        if (model->trackers[i].state) model->trackers[i].is->restart(model->trackers[i].state, announced);
}

TK_COLD static void restart(struct tk_model *model, const struct tk_event *event) {
    end_drops(model);
    tk_model_restart_trackers(model, false);
    model->restarts++;
    for (uint32_t i = 0; i < TK_RTOS_CORES; i++) { // all counts from here on are losses in this recording
        model->drops[i].count = 0;
        model->drops[i].is_known = true;
    }
    draw_on_problems(model, tk_names_fixed(names_of(model), TK_FIXED_RESTARTED), event);
}

// ---- Raw events --------------------------------------------------------------------------------

static const char *core_title(uint32_t core) {
    static const char *const titles[TK_RTOS_CORES] = {
        "Core 0",  "Core 1",  "Core 2",  "Core 3",  "Core 4",  "Core 5",  "Core 6",  "Core 7",
        "Core 8",  "Core 9",  "Core 10", "Core 11", "Core 12", "Core 13", "Core 14", "Core 15",
        "Core 16", "Core 17", "Core 18", "Core 19", "Core 20", "Core 21", "Core 22", "Core 23",
        "Core 24", "Core 25", "Core 26", "Core 27", "Core 28", "Core 29", "Core 30", "Core 31",
    };
    return titles[core];
}

static uint32_t event_track(struct tk_model *model, uint8_t core) {
    if (!model->event_tracks[core]) {
        struct tk_track_spec spec = { tk_timeline_group(&model->timeline, TK_GROUP_EVENTS),
                                      TK_TRACK_SLICES,
                                      TK_NONE,
                                      core_title(core),
                                      -1,
                                      core,
                                      NULL,
                                      "Every event as it was recorded",
                                      0 };
        model->event_tracks[core] = tk_timeline_add_track(&model->timeline, &spec);
    }
    return model->event_tracks[core];
}

TK_COLD static void draw_raw(struct tk_model *model, const struct tk_event *event) {
    uint32_t *name = &model->kind_names[event->kind];
    const char *words = tk_event_title((enum tk_event_kind)event->kind);
    struct tk_arg args[5];
    unsigned count = 0;
    uint32_t number = (uint32_t)tk_event_number(event, TK_SLOT_NUMBER);
    int64_t value = tk_event_number(event, TK_SLOT_VALUE);
    if (!*name) *name = tk_names_define(names_of(model), TK_INTERN_NAME, words, strlen(words));
    args[count++] = uint_arg(model, TK_ARGN_ID, tk_event_id(event));
    if (number) args[count++] = uint_arg(model, TK_ARGN_ARG, number);
    if (value && tk_event_owner(event) != TK_OWNER_TRACKS) { // the values of samples are on their own tracks
        args[count] = uint_arg(model, TK_ARGN_VALUE, 0);
        args[count].type = TK_ARG_INT;
        args[count++].value.i = value;
    }
    if (event->str_len) {
        args[count] = uint_arg(model, TK_ARGN_MESSAGE, 0);
        args[count].type = TK_ARG_STRING;
        args[count].string = event->str;
        args[count++].string_len = event->str_len;
    }
    args[count++] = uint_arg(model, TK_ARGN_OFFSET, event->offset);
    tk_timeline_instant(&model->timeline, event_track(model, event->core), (struct tk_label_text){ .id = *name }, args,
                        count);
}

TK_COLD static void name_symbol(struct tk_model *model, const struct tk_event *event) {
    uint32_t entity = tk_names_symbol(names_of(model), event->name.entity);
    if (entity == TK_NONE || !tk_names_set(names_of(model), entity, event->str, event->str_len)) return;
    struct tk_source_pos place = tk_event_trace_pos(event);
    place.has_ticks = false;
    tk_diag_note(model->diag, TK_DIAG_NAME_CHANGED, &place, event->name.entity);
}

// A count that is repeated, or has grown, contains the earlier one. One that fell is of a restarted target.
TK_COLD static void on_names_missing(struct tk_model *model, const struct tk_event *event) {
    uint32_t frames = event->names_missing.frames, bytes = event->names_missing.bytes;
    uint32_t old_frames = model->names_missing[event->core].frames, old_bytes = model->names_missing[event->core].bytes;
    struct tk_source_pos place = tk_event_source_pos(event);
    if (model->side || (frames == old_frames && bytes == old_bytes)) return;
    bool has_grown = frames >= old_frames && bytes >= old_bytes;
    if (frames) tk_diag_note(model->diag, TK_DIAG_NAMES_LOST, &place, has_grown ? frames - old_frames : frames);
    if (bytes) tk_diag_note(model->diag, TK_DIAG_NAMES_SPACE, &place, has_grown ? bytes - old_bytes : bytes);
    model->names_missing[event->core].frames = frames;
    model->names_missing[event->core].bytes = bytes;
}

TK_COLD static void on_build(struct tk_model *model, const struct tk_event *event) {
    model->builds[model->side][event->core] =
        (struct tk_model_build){ true, (uint64_t)event->build.high << 32 | event->build.low };
}

// Reports cores whose names come from another build.
TK_COLD static void check_builds(struct tk_model *model) {
    for (uint32_t i = 0; i < TK_RTOS_CORES; i++) {
        const struct tk_model_build *own = &model->builds[false][i], *side = &model->builds[true][i];
        if (own->is_known && side->is_known && own->id != side->id)
            tk_diag_note(model->diag, TK_DIAG_BUILD_DIFFERS, NULL, i);
    }
}

TK_COLD static void on_fault(struct tk_model *model, const struct tk_event *event) {
    struct tk_source_pos place = tk_event_trace_pos(event);
    tk_diag_note(model->diag, TK_DIAG_TARGET_FAULT, &place, event->fault.pc);
    draw_on_problems(model, 0, event);
}

static void on_core(struct tk_model *model, const struct tk_event *event) {
    model->cores_named |= 1u << event->core;
    model->cores_complete |= event->core_tag.all_tagged;
    if (event->core_tag.ends_alone) model->cores_end_alone |= 1u << event->core;
    if (event->time_invalid) model->preamble_at = tk_stats_timed_count(&model->stats) + 1;
}

TK_COLD static void on_core_missing(struct tk_model *model, const struct tk_event *event) {
    uint32_t core = event->missing_core.core;
    if (core < TK_STATS_CORES) model->cores_missing |= (uint32_t)1 << core;
    tk_diag_note(model->diag, TK_DIAG_CORE_MISSING, NULL, core);
    draw_title_on_problems(model, TK_DIAG_CORE_MISSING, event);
}

// ---- Dispatch ----------------------------------------------------------------------------------

TK_NOINLINE static void dispatch_other(struct tk_model *model, const struct tk_event *event) {
    switch ((enum tk_event_kind)event->kind) {
    case TK_EV_TICK_LENGTH: on_tick_length(model, event); break;
    case TK_EV_CLOCK_HZ: on_clock_hz(model, event); break;
    case TK_EV_NAMES_MISSING: on_names_missing(model, event); break;
    case TK_EV_BUILD: on_build(model, event); break;
    case TK_EV_FAULT: on_fault(model, event); break;
    case TK_EV_CORE: on_core(model, event); break;
    case TK_EV_CORE_MISSING: on_core_missing(model, event); break;
    case TK_EV_DROP_COUNT: on_dropped(model, event); break;
    case TK_EV_PROBLEM: draw_problem(model, event); break;
    case TK_EV_EVENTS_LOST: tk_model_lost(model, event); break;
    case TK_EV_SECTION_BEGIN: tk_model_begin_section(model, event); break;
    case TK_EV_SYMBOL_NAME: name_symbol(model, event); break;
    case TK_EV_SYMBOL_FALLBACK:
        tk_names_set_fallback(names_of(model), event->symbol_fallback.symbol, event->symbol_fallback.alias, event->str,
                              event->str_len);
        break;
    default: break;
    }
}

static bool need_details(struct tk_model *model) {
    if (model->details) return true;
    model->details = model->host.details = tk_alloc_zero(model->alloc, sizeof *model->details);
    if (model->details) tk_details_init(model->details, model->alloc, model->diag, &model->timeline.names);
    return model->details;
}

// Returns false when out of memory.
TK_COLD static bool start_tracker(struct tk_model *model, const struct tk_tracker *tracker) {
    bool has_memory = !tracker->draws_details || need_details(model);
    void *state = has_memory ? tk_alloc_zero(model->alloc, tracker->size) : NULL;
    model->trackers[tracker->owner].state = state;
    if (tracker->owner == TK_OWNER_RTOS) model->rtos = model->host.rtos = state;
    if (state) tracker->init(state, &model->host);
    return state;
}

// Takes an event of a tracker that has not started yet, or of the model itself.
TK_NOINLINE static void first_of_tracker(struct tk_model *model, const struct tk_event *event) {
    const struct tk_tracker *tracker = model->trackers[tk_event_owner(event)].is;
    if (!tracker) dispatch_other(model, event);
    else if (start_tracker(model, tracker)) tracker->event(model->trackers[tracker->owner].state, event);
}

TK_NOINLINE void tk_model_other_event(struct tk_model *model, const struct tk_event *event) {
    enum tk_owner owner = tk_event_owner(event);
    if (!model->trackers[owner].state) {
        first_of_tracker(model, event);
        return;
    }
    if (model->details) tk_details_start(model->details);
    model->trackers[owner].is->event(model->trackers[owner].state, event);
}

static void resolve(struct tk_model *model, const struct tk_event *event) {
    for (unsigned i = 0; i < TK_OWNERS && model->timeline.unresolved; i++)
        if (model->trackers[i].state && model->trackers[i].is->resolve)
            model->trackers[i].is->resolve(model->trackers[i].state, event);
}

TK_NOINLINE void tk_model_flush_deferred(struct tk_model *model, const struct tk_event *event) {
    if (model->timeline.unresolved) resolve(model, event);
    tk_timeline_advance(&model->timeline, event->ticks);
}

bool tk_model_may_run_backwards(const struct tk_model *model, const struct tk_event *event) {
    const struct tk_trace_clock *clock = &model->clock;
    return (tk_event_owner(event) == TK_OWNER_TRACKS || event->kind == TK_EV_PROBLEM) && event->timed &&
           clock->started && event->section == clock->section && event->ticks + clock->offset < clock->now;
}

static void take_earlier(struct tk_model *model, struct tk_event *event) {
    uint64_t now = model->timeline.now, start = model->stats.start;
    event->ticks += model->clock.offset;
    bool is_earlier = event->ticks < start && event->kind != TK_EV_PROBLEM; // damage is not an event of the target
    if (is_earlier && start - event->ticks > model->before_start) model->before_start = start - event->ticks;
    tk_stats_event(&model->stats, event->kind);
    model->timeline.now = event->ticks;
    tk_model_dispatch(model, event);
    model->timeline.now = now;
}

// Converts the time of a creation to trace time. In another section than the events before, it is unknown.
TK_COLD static void place_creation(const struct tk_model *model, struct tk_event *event) {
    int64_t *created = &event->task_declared.created;
    if (event->section != model->clock.section) *created = -1;
    else if (*created >= 0) *created = (int64_t)((uint64_t)*created + model->clock.offset);
}

static bool is_name(const struct tk_event *event) {
    enum tk_event_family family = (enum tk_event_family)tk_event_families[event->kind];
    return family == TK_FAMILY_name || family == TK_FAMILY_value_name || family == TK_FAMILY_task_item_name;
}

// Takes an event without a time, the first one of a section, or any event if raw events are shown.
TK_NOINLINE void tk_model_cold_event(struct tk_model *model, struct tk_event *event) {
    if (tk_model_may_run_backwards(model, event)) {
        take_earlier(model, event);
        return;
    }
    if (event->kind == TK_EV_SECTION_BEGIN && tk_model_has_section(model, event)) return;
    if (event->kind == TK_EV_TASK_DECLARED) place_creation(model, event);
    bool restarted = tk_trace_clock_apply(&model->clock, model->diag, event) == TK_STEP_RESTART;
    bool happened = event->timed && tk_event_owner(event) != TK_OWNER_RECORDING;
    if (happened) resolve(model, event);
    if (event->kind == TK_EV_SECTION_BEGIN) tk_model_end_section(model);
    tk_timeline_advance(&model->timeline, event->ticks);
    if (restarted) restart(model, event);
    if (is_repeated_count(model, event)) {
        confirm_drop(model, &model->drops[event->drop_count.counter].pending);
        return;
    }
    if (event->kind == TK_EV_LOSS_BEGIN) {
        model->timeline.lost_since = event->ticks;
        tk_model_loss(model, event->core);
        return;
    }
    model->has_names |= is_name(event);
    if (tk_event_has_time(event)) tk_stats_timed_event(&model->stats, event->kind, event->core, event->ticks);
    else if (event->kind != TK_EV_PROBLEM && event->kind != TK_EV_CORE_MISSING)
        tk_stats_event(&model->stats, event->kind);
    names_of(model)->borrowing = event->is_repeated && !event->timed;
    tk_model_dispatch(model, event);
    names_of(model)->borrowing = false;
    if (model->raw_events && event->kind != TK_EV_PROBLEM) draw_raw(model, event);
}

TK_COLD void tk_model_side_event(struct tk_model *model, struct tk_event *event) {
    struct tk_names *names = names_of(model);
    model->has_names |= is_name(event);
    model->side = names->borrowing = names->importing = true;
    tk_model_dispatch(model, event);
    model->side = names->borrowing = names->importing = false;
}

// Reports names and the tick length that come from an earlier capture.
TK_COLD static void report_imported(struct tk_model *model) {
    const struct tk_names *names = names_of(model);
    for (uint32_t i = 0; i < names->count; i++)
        if (names->entities[i].imported) tk_diag_count(model->diag, TK_DIAG_NAME_IMPORTED, NULL);
    if (model->tick_is_side) tk_diag_count(model->diag, TK_DIAG_NAME_IMPORTED, NULL);
}

TK_COLD static void mark_core_ends(struct tk_model *model) {
    for (uint32_t i = 0; i < TK_RTOS_CORES; i++) {
        const struct tk_stats_core *core = &model->stats.cores[i];
        if (!(model->cores_end_alone >> i & 1) || !core->events || core->end >= model->stats.end) continue;
        tk_diag_note(model->diag, TK_DIAG_CORE_ENDED_EARLY, NULL, i);
        struct tk_arg arg = uint_arg(model, TK_ARGN_CORE, i);
        struct tk_track_event event = {
            .ticks = core->end, .type = TK_EVENT_INSTANT, .when = TK_LATE, .args = &arg, .arg_count = 1
        };
        event.track = tk_model_problems_track(model);
        event.name = tk_names_fixed(names_of(model), TK_FIXED_DATA_ENDS);
        tk_timeline_event(&model->timeline, &event);
    }
}

// Checks for a stream that contains several cores but does not assign events to them.
TK_COLD static void check_core_tags(struct tk_model *model) {
    uint32_t with_events = 0;
    for (uint32_t i = 0; i < TK_RTOS_CORES; i++)
        if (model->stats.cores[i].events) with_events |= 1u << i;
    bool several_named = model->cores_named & (model->cores_named - 1),
         one_used = with_events && !(with_events & (with_events - 1));
    if (several_named && one_used && !model->cores_complete) tk_diag_count(model->diag, TK_DIAG_CORES_UNNUMBERED, NULL);
}

TK_COLD void tk_model_begin_stats(struct tk_model *model, uint64_t ticks) {
    model->events_before_stats += tk_stats_timed_count(&model->stats);
    tk_stats_reset(&model->stats, ticks);
    model->lost = model->lost_on_line = model->lost_before = model->restarts = 0;
    model->preamble_at = model->before_start = 0;
    for (unsigned i = 0; i < TK_OWNERS; i++) {
        const struct tk_tracker *tracker = model->trackers[i].is;
        if (model->trackers[i].state) tracker->begin_stats(model->trackers[i].state, ticks);
    }
}

void tk_model_end_stats(struct tk_model *model) { model->timeline.goes_on = true; }

// Shows the note about the times in the title of the group Target, which the viewer hides if the group is empty.
TK_COLD static void draw_note(struct tk_timeline *tl) {
    if (!tl->note[0] || tl->groups[TK_GROUP_TARGET] || !tl->task_count) return;
    struct tk_track_spec spec = { tk_timeline_group(tl, TK_GROUP_TARGET),
                                  TK_TRACK_SLICES,
                                  TK_NONE,
                                  "Times",
                                  -1,
                                  0,
                                  NULL,
                                  "What the axis of this trace is",
                                  0 };
    struct tk_track_event instant = {
        .type = TK_EVENT_INSTANT, .when = TK_LATE, .string = tl->note, .string_len = (uint32_t)strlen(tl->note)
    };
    instant.track = tk_timeline_add_track(tl, &spec);
    tk_timeline_event(tl, &instant);
}

TK_COLD void tk_model_check_names(struct tk_model *model) {
    uint64_t numbered = 0;
    for (unsigned kind = 0; kind < TK_EV_COUNT; kind++)
        if (tk_event_owners[kind] == TK_OWNER_RTOS || tk_event_owners[kind] == TK_OWNER_MARKERS)
            numbered += model->stats.kinds[kind];
    if (numbered && !model->has_names) tk_diag_count(model->diag, TK_DIAG_NAMES_UNKNOWN, NULL);
}

// Checks for a clock that does not count. A time range or the first values of signals may have equal times, which
// proves nothing.
TK_COLD static void check_clock(struct tk_model *model) {
    enum { ENOUGH = 10 };
    const struct tk_stats *stats = &model->stats;
    if (model->is_time_range || model->timeline.goes_on || stats->end != stats->start) return;
    if (tk_stats_timed_count(stats) < ENOUGH || model->trackers[TK_OWNER_TRACKS].state) return;
    tk_diag_count(model->diag, TK_DIAG_TIME_STUCK, NULL);
}

TK_COLD void tk_model_finish(struct tk_model *model, bool several_inputs, uint64_t tick_ns) {
    struct tk_timeline *tl = &model->timeline;
    end_drops(model);
    report_imported(model);
    check_builds(model);
    if (several_inputs) model->cores_end_alone = UINT32_MAX;
    if (!tl->goes_on) model->stats.ended = model->cores_end_alone;
    if (names_of(model)->refused) tk_diag_note(model->diag, TK_DIAG_TOO_MANY, NULL, names_of(model)->refused);
    for (unsigned i = 0; i < TK_OWNERS; i++)
        if (model->trackers[i].state) model->trackers[i].is->finish(model->trackers[i].state);
    check_core_tags(model);
    check_clock(model);
    tk_timeline_close_all(tl, true);
    if (!tl->goes_on) mark_core_ends(model);
    for (unsigned i = 0; i < TK_OWNERS; i++)
        if (model->trackers[i].state && model->trackers[i].is->closed)
            model->trackers[i].is->closed(model->trackers[i].state, tick_ns);
    draw_note(tl);
    tk_timeline_finish(tl);
}

static void set_host(struct tk_model *model) {
    model->host = (struct tk_tracker_host){ .alloc = model->alloc,
                                            .diag = model->diag,
                                            .timeline = &model->timeline,
                                            .stats = &model->stats,
                                            .rtos = model->rtos,
                                            .tick_ns = &model->tick_ns,
                                            .preamble_at = &model->preamble_at,
                                            .details = model->details,
                                            .draw_problem = draw_tracker_problem,
                                            .problem_ctx = model };
}

TK_COLD void tk_model_init(struct tk_model *model, struct tk_alloc *alloc, struct tk_diag *diag,
                           struct tk_track_sink *sink) {
    memset(model, 0, sizeof *model);
    model->alloc = alloc;
    model->diag = diag;
    tk_timeline_init(&model->timeline, alloc, diag, sink);
    tk_stats_init(&model->stats, alloc);
    set_host(model);
}

TK_COLD void tk_model_need_trackers(struct tk_model *model, const struct tk_tracker *const *list) {
    for (; list && *list; list++) {
        if (model->trackers[(*list)->owner].is) continue;
        model->trackers[(*list)->owner].is = *list;
        if ((*list)->starts_at_once && !start_tracker(model, *list)) return; // trackers that use it cannot start either
    }
}
