// SPDX-License-Identifier: MIT
#include "calls.h"

#include <string.h>

#include "../../../base/bytes.h"
#include "../../../base/attributes.h"
#include "../../timeline/details.h"
#include "../tracker.h"

static struct tk_names *names_of(struct tk_calls *c) { return &c->tl->names; }

// ---- Words -------------------------------------------------------------------------------------

// Returns the id of a text, which is defined on first use; 0: empty.
static uint32_t text_id(struct tk_calls *c, const char *text, size_t len) {
    uint64_t key = tk_hash_bytes((const uint8_t *)text, len) | (uint64_t)1 << 63;
    uint32_t id = len ? tk_idmap_find(&c->texts, key) : 0;
    if (id != TK_NONE) return id;
    id = tk_names_define(names_of(c), TK_INTERN_TEXT, text, len);
    tk_idmap_set(&c->texts, c->alloc, key, id);
    return id;
}

// ---- Figures -----------------------------------------------------------------------------------

static struct tk_call_frame *top_frame(struct tk_context *context) {
    return context->frame_count ? &context->frames[context->frame_count - 1] : NULL;
}

// Adds time that does not belong to the innermost frame itself.
static void add_inner_time(struct tk_context *context, uint64_t length) {
    struct tk_call_frame *top = top_frame(context);
    if (top) top->inside += length;
}

// Returns the time from `begin` until now, as far as the figures cover it.
static uint64_t since(const struct tk_calls *c, uint64_t begin) {
    return c->tl->now - (begin > c->figures_since ? begin : c->figures_since);
}

// Returns true if the time from `begin` until now was measured: it is inside the figures, and is more than the assumed
// distances of records that were received together.
static bool is_measured(const struct tk_calls *c, uint64_t begin) {
    return begin >= c->figures_since && begin < c->own_time_at;
}

static void close_frame_figures(struct tk_calls *c, struct tk_context *context, bool measured) {
    struct tk_call_frame frame = context->frames[--context->frame_count];
    struct tk_call_function *function = &c->functions[frame.function];
    uint64_t length = since(c, frame.begin);
    function->open--;
    function->self += length - frame.inside;
    if (frame.outermost) function->total += length;
    if (measured && !frame.implicit && is_measured(c, frame.begin))
        tk_measure_add(&c->stats->histograms, &function->figures, frame.begin, length);
    add_inner_time(context, length);
}

// ---- Functions, call sites, contexts -----------------------------------------------------------

static uint32_t add_function(struct tk_calls *c, uint32_t entity) {
    if (entity == TK_NONE || !tk_alloc_grow(c->alloc, (void **)&c->functions, &c->function_capacity,
                                            c->function_count + 1, sizeof *c->functions))
        return TK_NONE;
    c->functions[c->function_count] = (struct tk_call_function){ .entity = entity };
    return c->function_count++;
}

// Returns the function shared by all functions above the limit.
TK_COLD static uint32_t further_function(struct tk_calls *c) {
    tk_diag_count(c->diag, TK_DIAG_TOO_MANY, NULL);
    if (c->function_count > TK_MAX_FUNCTIONS) return TK_MAX_FUNCTIONS;
    uint32_t function = add_function(c, tk_names_add(names_of(c), TK_ENTITY_SYMBOL, 0));
    if (function != TK_NONE) tk_names_set(names_of(c), c->functions[function].entity, "further functions", 17);
    return function;
}

TK_COLD static uint32_t function_of(struct tk_calls *c, uint32_t symbol) {
    uint32_t function = symbol ? tk_idmap_find(&c->function_by_symbol, symbol) : TK_NONE;
    if (!symbol || function != TK_NONE) return function;
    function = c->function_count < TK_MAX_FUNCTIONS ? add_function(c, tk_names_symbol(names_of(c), symbol))
                                                    : further_function(c);
    return function != TK_NONE && tk_idmap_set(&c->function_by_symbol, c->alloc, symbol, function) ? function : TK_NONE;
}

// Returns index + 1; 0 if there are too many.
TK_COLD static uint32_t pair_of(struct tk_calls *c, uint32_t caller, uint32_t callee) {
    uint64_t key = (uint64_t)(caller + 1) << 32 | callee;
    uint32_t pair = tk_idmap_find(&c->pair_by_key, key);
    if (pair != TK_NONE) return pair + 1;
    if (c->pair_count == TK_MAX_CALL_PAIRS) return 0;
    if (!tk_alloc_grow(c->alloc, (void **)&c->pairs, &c->pair_capacity, c->pair_count + 1, sizeof *c->pairs)) return 0;
    if (!tk_idmap_set(&c->pair_by_key, c->alloc, key, c->pair_count)) return 0;
    c->pairs[c->pair_count] = (struct tk_call_pair){ .caller = caller, .callee = callee };
    return ++c->pair_count;
}

// Returns true for another trace point of an open activation, or a record whose return address was overwritten: it
// shows no caller.
static bool has_overwritten_caller(const struct tk_call_place *place) {
    return place->entry == TK_CALL_FROM_FUNCTION && place->caller == place->function && place->from <= place->point;
}

TK_COLD static void define_site(struct tk_calls *c, const struct tk_event *event) {
    const struct tk_call_site *site = event->call_site.definition;
    if (!site || event->call_site.site > TK_MAX_CALL_SITES ||
        !tk_alloc_grow(c->alloc, (void **)&c->places, &c->place_capacity, event->call_site.site + 1, sizeof *c->places))
        return;
    struct tk_call_place place = { .function = function_of(c, site->function),
                                   .caller = function_of(c, site->caller),
                                   .point = site->point,
                                   .from = site->from,
                                   .entry = site->entry,
                                   .is_caller_proven = site->is_caller_proven };
    place.details = text_id(c, site->details, site->details_len);
    place.caller_details = text_id(c, site->caller_details, site->caller_details_len);
    place.from_words = text_id(c, site->from_words, site->from_words_len);
    place.known = place.function != TK_NONE;
    bool called = place.known && place.entry == TK_CALL_FROM_FUNCTION;
    if (called) place.pair = pair_of(c, has_overwritten_caller(&place) ? TK_NONE : place.caller, place.function);
    c->places[event->call_site.site] = place;
}

TK_COLD static struct tk_context *add_context(struct tk_calls *c, uint32_t id) {
    struct tk_context *context = tk_alloc_zero(c->alloc, sizeof *context);
    if (!context) return NULL;
    context->id = id;
    context->entity = tk_names_add(names_of(c), TK_ENTITY_CONTEXT, id);
    context->timeline_task =
        context->entity == TK_NONE ? TK_NONE : tk_timeline_add_task(c->tl, context->entity, id, false);
    if (context->timeline_task == TK_NONE) return tk_alloc_free(c->alloc, context, sizeof *context), NULL;
    return c->contexts[id] = context;
}

// Returns NULL when out of memory.
static inline struct tk_context *context_of(struct tk_calls *c, uint32_t id) {
    if (id >= TK_MAX_CONTEXTS) id = TK_MAX_CONTEXTS - 1;
    return c->contexts[id] ? c->contexts[id] : add_context(c, id);
}

TK_COLD static void name_context(struct tk_calls *c, const struct tk_event *event) {
    struct tk_context *context = context_of(c, event->context_name.context);
    if (!context) return;
    context->is_thread = event->context_name.context_kind == TK_CONTEXT_THREAD;
    if (context->is_thread) c->thread = context->id;
    tk_names_set(names_of(c), context->entity, event->str, event->str_len);
}

static inline uint32_t track_of(struct tk_calls *c, const struct tk_context *context) {
    uint32_t track = c->tl->tasks[context->timeline_task].thread_track;
    return track ? track : tk_timeline_thread(c->tl, context->timeline_task);
}

// ---- Frames ------------------------------------------------------------------------------------

static void begin_slice(struct tk_calls *c, const struct tk_context *context, uint32_t name, enum tk_category category,
                        const struct tk_arg *args, unsigned arg_count, struct tk_prepared *prepared) {
    struct tk_track_event event = { .track = track_of(c, context),
                                    .name = name,
                                    .type = TK_EVENT_BEGIN,
                                    .category = tk_names_category(names_of(c), category),
                                    .args = args,
                                    .arg_count = (uint8_t)arg_count,
                                    .prepared = prepared };
    tk_timeline_open(c->tl, &event);
}

static void pop_frame(struct tk_calls *c, struct tk_context *context) {
    uint32_t track = track_of(c, context);
    bool measured = !tk_timeline_crosses_loss(c->tl, track, context->frame_count - 1);
    tk_timeline_end(c->tl, track, NULL, 0);
    close_frame_figures(c, context, measured);
}

static void pop_to(struct tk_calls *c, struct tk_context *context, uint32_t count) {
    while (context->frame_count > count) pop_frame(c, context);
}

static bool push_frame(struct tk_calls *c, struct tk_context *context, uint32_t function, bool implicit) {
    if (!tk_alloc_grow(c->alloc, (void **)&context->frames, &context->frame_capacity, context->frame_count + 1,
                       sizeof *context->frames))
        return false;
    struct tk_call_function *figures = &c->functions[function];
    context->frames[context->frame_count++] = (struct tk_call_frame){
        .begin = c->tl->now, .function = function, .implicit = implicit, .outermost = !figures->open++
    };
    if (context->frame_count > figures->deepest) figures->deepest = context->frame_count;
    figures->contexts[context->id / 64] |= (uint64_t)1 << context->id % 64;
    return true;
}

// Discards a stack that exceeds TK_MAX_FRAMES.
TK_COLD static void reset_endless_stack(struct tk_calls *c, struct tk_context *context) {
    struct tk_source_pos place = tk_event_trace_pos(c->event);
    tk_diag_count(c->diag, TK_DIAG_TOO_DEEP, &place);
    c->host->draw_problem(c->host->problem_ctx, "stack given up: deeper than 250", c->event);
    while (context->frame_count) {
        tk_timeline_end_lost(c->tl, track_of(c, context));
        close_frame_figures(c, context, false);
    }
}

static void make_room(struct tk_calls *c, struct tk_context *context) {
    if (context->frame_count >= TK_MAX_FRAMES) reset_endless_stack(c, context);
}

static struct tk_arg text_arg(struct tk_calls *c, enum tk_arg_name name, uint32_t text) {
    return (struct tk_arg){ .name = tk_names_arg(names_of(c), name), .type = TK_ARG_TEXT, .value.text = text };
}

static void push_implicit(struct tk_calls *c, struct tk_context *context, const struct tk_call_place *place) {
    struct tk_arg args[2];
    unsigned count = 0;
    make_room(c, context);
    if (!push_frame(c, context, place->caller, true)) return;
    if (place->caller_details) args[count++] = text_arg(c, TK_ARGN_FUNCTION, place->caller_details);
    if (!c->implicit_words)
        c->implicit_words = tk_names_define(names_of(c), TK_INTERN_TEXT, "seen as a caller only", 21);
    args[count++] = text_arg(c, TK_ARGN_IMPLICIT, c->implicit_words);
    begin_slice(c, context, tk_names_label(names_of(c), c->functions[place->caller].entity, TK_LABEL_NAME),
                TK_CATEGORY_IMPLICIT, args, count, NULL);
}

TK_COLD static struct tk_arg gap_arg(struct tk_calls *c, uint64_t lost, char room[64]) {
    struct tk_arg arg = { .name = tk_names_arg(names_of(c), TK_ARGN_AFTER_GAP), .type = TK_ARG_STRING, .string = room };
    struct tk_text text = tk_text_in(room, 64);
    tk_text_count(&text, lost, "bytes");
    tk_text_add(&text, " skipped just before");
    arg.string_len = text.len;
    return arg;
}

// lost: number of bytes that were skipped just before.
static void push_call(struct tk_calls *c, struct tk_context *context, struct tk_call_place *place, bool caller_known,
                      uint64_t lost) {
    struct tk_arg args[3];
    char room[64];
    unsigned count = 0;
    make_room(c, context);
    if (!push_frame(c, context, place->function, false)) return;
    if (place->details) args[count++] = text_arg(c, TK_ARGN_FUNCTION, place->details);
    if (place->from_words && caller_known) args[count++] = text_arg(c, TK_ARGN_CALLED_FROM, place->from_words);
    if (lost) args[count++] = gap_arg(c, lost, room);
    begin_slice(c, context, tk_names_label(names_of(c), c->functions[place->function].entity, TK_LABEL_NAME),
                TK_CATEGORY_CALL, args, count, caller_known && !lost ? &place->begin : NULL);
}

// ---- Which function called ---------------------------------------------------------------------

enum { NO_FRAME = -1 };

// Returns the frame of the caller. With several frames of it (recursion) returns the innermost one that may have
// continued to this call: return addresses of one activation mostly rise.
static int find_caller(const struct tk_calls *c, const struct tk_context *context, const struct tk_call_place *place) {
    int topmost = NO_FRAME, rising = NO_FRAME;
    uint32_t found = 0, open = c->functions[place->caller].open; // in all contexts
    for (int i = (int)context->frame_count - 1; i >= 0 && found < open; i--) {
        const struct tk_call_frame *frame = &context->frames[i];
        if (frame->function != place->caller) continue;
        if (!found++) topmost = i;
        if (rising == NO_FRAME && frame->called_out && frame->from < place->from) rising = i;
    }
    return found > 1 && rising != NO_FRAME ? rising : topmost;
}

// Reports a caller that has a trace point, as its records show, but whose entry into this activation was not recorded.
// A function that runs in thread mode since before the recording has no earlier record there.
TK_COLD static void check_missing_caller(struct tk_calls *c, struct tk_context *context,
                                         const struct tk_call_place *place) {
    const struct tk_call_function *caller = &c->functions[place->caller];
    bool ran_here = caller->contexts[context->id / 64] >> context->id % 64 & 1;
    if (!place->is_caller_proven || !caller->calls || (context->is_thread && !ran_here)) return;
    struct tk_source_pos at = tk_event_trace_pos(c->event);
    tk_diag_count(c->diag, TK_DIAG_CALLER_NOT_ENTERED, &at);
    context->misses_caller = true;
}

static void call_from_function(struct tk_calls *c, struct tk_context *context, struct tk_call_place *place,
                               uint64_t lost) {
    if (has_overwritten_caller(place)) {
        const struct tk_call_frame *top = top_frame(context);
        if (!top || top->function != place->function) push_call(c, context, place, false, lost);
        return;
    }
    if (place->caller == TK_NONE) return; // no memory
    int frame = find_caller(c, context, place);
    if (frame == NO_FRAME) {
        if (!lost) check_missing_caller(c, context, place);
        push_implicit(c, context, place);
    } else {
        pop_to(c, context, (uint32_t)frame + 1);
    }
    make_room(c, context);
    struct tk_call_frame *top = top_frame(context);
    if (top) top->from = place->from, top->called_out = true;
    push_call(c, context, place, true, lost);
}

// ---- Which context runs ------------------------------------------------------------------------

static void end_run(struct tk_calls *c) {
    if (c->running == TK_NONE) return;
    struct tk_context *context = c->contexts[c->running];
    context->running += since(c, c->running_since);
    if (!context->is_thread) tk_stats_interrupt_time(c->stats, 0, c->tl->now - c->running_since);
    c->running = TK_NONE;
}

static void run(struct tk_calls *c, struct tk_context *context) {
    if (c->running == context->id) return;
    if (c->running != TK_NONE) tk_timeline_state(c->tl, c->contexts[c->running]->timeline_task, TK_STATE_RUNNABLE, 0);
    end_run(c);
    tk_timeline_state(c->tl, context->timeline_task, TK_STATE_RUNNING, 0);
    c->running = context->id;
    c->running_since = c->tl->now;
}

static struct tk_context *thread_of(struct tk_calls *c) { return c->thread == TK_NONE ? NULL : c->contexts[c->thread]; }

static struct tk_context *innermost(struct tk_calls *c) {
    return c->active_count ? c->contexts[c->active[c->active_count - 1]] : thread_of(c);
}

static struct tk_interruption *interruption_of(struct tk_calls *c, uint32_t victim, uint32_t handler) {
    uint64_t key = (uint64_t)victim << 32 | handler;
    uint32_t index = tk_idmap_find(&c->interruption_by_key, key);
    if (index != TK_NONE) return &c->interruptions[index];
    if (!tk_alloc_grow(c->alloc, (void **)&c->interruptions, &c->interruption_capacity, c->interruption_count + 1,
                       sizeof *c->interruptions))
        return NULL;
    if (!tk_idmap_set(&c->interruption_by_key, c->alloc, key, c->interruption_count)) return NULL;
    c->interruptions[c->interruption_count] = (struct tk_interruption){ .victim = victim, .handler = handler };
    return &c->interruptions[c->interruption_count++];
}

static void begin_interruption(struct tk_calls *c, struct tk_context *handler, struct tk_context *victim) {
    struct tk_interruption *pair = interruption_of(c, victim->id, handler->id);
    if (pair) pair->count++;
    handler->victim = victim->id + 1;
    begin_slice(c, victim, tk_names_label(names_of(c), handler->entity, TK_LABEL_INTERRUPTS), TK_CATEGORY_INTERRUPTED,
                NULL, 0, NULL);
}

static void end_interruption(struct tk_calls *c, struct tk_context *handler) {
    uint64_t length = since(c, handler->entered);
    if (!handler->victim) { // of an unknown context, during which thread mode did not run either
        if (!c->active_count && thread_of(c)) add_inner_time(thread_of(c), length);
        return;
    }
    struct tk_context *victim = c->contexts[handler->victim - 1];
    struct tk_interruption *pair = interruption_of(c, victim->id, handler->id);
    if (pair) pair->total += length;
    add_inner_time(victim, length);
    tk_timeline_end(c->tl, track_of(c, victim), NULL, 0);
    handler->victim = 0;
}

// Measures the period between two activations if both entries were recorded and nothing was lost in between.
static void measure_period(struct tk_calls *c, struct tk_context *handler) {
    bool has_last = handler->activations && handler->entry_seen && handler->loss == c->tl->losses[0] &&
                    is_measured(c, handler->entered);
    if (has_last)
        tk_measure_add(&c->stats->histograms, &handler->periods, handler->entered, c->tl->now - handler->entered);
    handler->loss = c->tl->losses[0];
}

// Enters a handler. victim NULL: the interrupted context is unknown.
static void enter(struct tk_calls *c, struct tk_context *handler, struct tk_context *victim, bool entry_seen) {
    struct tk_context *thread = thread_of(c);
    if (c->active_count == TK_MAX_CONTEXTS) return;
    if (thread && c->running == TK_NONE) tk_timeline_state(c->tl, thread->timeline_task, TK_STATE_RUNNABLE, 0);
    if (entry_seen) measure_period(c, handler);
    handler->entered = c->tl->now;
    handler->activations++;
    handler->entry_seen = entry_seen;
    handler->entries += entry_seen;
    handler->is_active = true;
    if (victim) begin_interruption(c, handler, victim);
    c->active[c->active_count++] = handler->id;
    run(c, handler);
}

// Leaves the innermost handler.
static void leave(struct tk_calls *c) {
    struct tk_context *handler = c->contexts[c->active[--c->active_count]];
    bool measured = handler->entry_seen && handler->loss == c->tl->losses[0]; // its outermost frame may be a later one
    pop_to(c, handler, 0);
    end_interruption(c, handler);
    handler->is_active = false;
    if (measured && is_measured(c, handler->entered))
        tk_measure_add(&c->stats->histograms, &handler->figures, handler->entered, c->tl->now - handler->entered);
    struct tk_context *next = innermost(c);
    if (next) run(c, next);
    tk_timeline_state(c->tl, handler->timeline_task, TK_STATE_WAITING, 0);
}

static void leave_all(struct tk_calls *c) {
    while (c->active_count) leave(c);
}

// Leaves the handlers above an active one.
static void leave_above(struct tk_calls *c, const struct tk_context *handler) {
    while (c->active[c->active_count - 1] != handler->id) leave(c);
}

static void enter_by_hardware(struct tk_calls *c, struct tk_context *handler, enum tk_call_entry entry) {
    bool from_thread = entry == TK_CALL_FROM_THREAD;
    if (from_thread) leave_all(c);
    if (handler->is_active) {
        leave_above(c, handler);
        leave(c);
    }
    pop_to(c, handler, 0);
    enter(c, handler, from_thread || c->active_count ? innermost(c) : NULL, true);
}

// Continues a context that was entered before.
static void resume(struct tk_calls *c, struct tk_context *context) {
    if (context->is_thread) {
        leave_all(c);
        run(c, context);
    } else if (context->is_active) {
        leave_above(c, context);
    } else {
        enter(c, context, innermost(c), false);
    }
}

// ---- Events ------------------------------------------------------------------------------------

static void note_depth(struct tk_calls *c, struct tk_context *context) {
    uint32_t nested = context->frame_count;
    const struct tk_context *thread = thread_of(c);
    if (!context->is_thread && thread) nested += thread->frame_count;
    for (uint32_t i = 0; i < c->active_count; i++)
        if (c->active[i] != context->id) nested += c->contexts[c->active[i]]->frame_count;
    if (context->frame_count > context->deepest) context->deepest = context->frame_count;
    if (nested > context->deepest_nested) context->deepest_nested = nested;
}

static void add_gap_time(const struct tk_calls *c, struct tk_context *context) {
    context->not_recorded += since(c, c->pause_since);
    add_inner_time(context, since(c, c->pause_since));
}

static void end_pause(struct tk_calls *c) {
    struct tk_context *context = c->paused_context ? c->contexts[c->paused_context - 1] : NULL;
    if (!context) return;
    add_gap_time(c, context);
    tk_timeline_end(c->tl, track_of(c, context), NULL, 0);
    c->paused_context = 0;
}

static void on_call(struct tk_calls *c, const struct tk_event *event) {
    struct tk_context *context = context_of(c, event->function_call.context);
    struct tk_call_place *place =
        event->function_call.site < c->place_capacity ? &c->places[event->function_call.site] : NULL;
    if (!event->function_call.spacing_assumed) c->own_time_at = c->tl->now;
    if (!context || !place || !place->known) return;
    end_pause(c);
    bool by_hardware =
        !context->is_thread && (place->entry == TK_CALL_FROM_THREAD || place->entry == TK_CALL_FROM_HANDLER);
    if (by_hardware) enter_by_hardware(c, context, (enum tk_call_entry)place->entry);
    else resume(c, context);
    context->calls++;
    c->functions[place->function].calls++;
    if (place->pair) c->pairs[place->pair - 1].count++;
    else c->further_pairs += place->entry == TK_CALL_FROM_FUNCTION;
    if (place->entry == TK_CALL_FROM_FUNCTION) {
        call_from_function(c, context, place, (uint64_t)event->function_call.skipped);
    } else {
        pop_to(c, context, 0);
        push_call(c, context, place, true, (uint64_t)event->function_call.skipped);
    }
    note_depth(c, context);
}

// Handles a gap longer than one record: contexts that the next record shows as ended have ended here at the latest.
static void on_pause(struct tk_calls *c, const struct tk_event *event) {
    const struct tk_context *next =
        event->calls_pause.context < TK_MAX_CONTEXTS ? c->contexts[event->calls_pause.context] : NULL;
    bool outside = event->calls_pause.context == TK_CALLS_NO_CONTEXT ||
                   event->calls_pause.entry == TK_CALL_FROM_THREAD || (next && next->is_thread);
    if (!event->calls_pause.spacing_assumed) c->own_time_at = c->tl->now;
    end_pause(c);
    if (outside) leave_all(c);
    else if (next && next->is_active && event->calls_pause.entry != TK_CALL_FROM_HANDLER) leave_above(c, next);
}

static void begin_pause(struct tk_calls *c) {
    struct tk_context *context = innermost(c);
    if (!context || c->paused_context) return;
    if (!c->pause_name) c->pause_name = tk_names_define(names_of(c), TK_INTERN_NAME, "nothing recorded", 16);
    begin_slice(c, context, c->pause_name, TK_CATEGORY_GAP, NULL, 0, NULL);
    c->paused_context = context->id + 1;
    c->pause_since = c->tl->now;
}

static void on_event(void *tracker, const struct tk_event *event) {
    struct tk_calls *c = tracker;
    c->event = event;
    switch ((enum tk_event_kind)event->kind) {
    case TK_EV_FUNCTION_CALL: on_call(c, event); break;
    case TK_EV_CALL_SITE: define_site(c, event); break;
    case TK_EV_CONTEXT_NAME: name_context(c, event); break;
    case TK_EV_CALLS_PAUSE: on_pause(c, event); break;
    case TK_EV_GAP_BEGIN: begin_pause(c); break;
    case TK_EV_GAP_END: end_pause(c); break;
    default: break;
    }
}

// ---- Life --------------------------------------------------------------------------------------

static void init(void *tracker, const struct tk_tracker_host *host) {
    struct tk_calls *c = tracker;
    c->alloc = host->alloc;
    c->diag = host->diag;
    c->tl = host->timeline;
    c->stats = host->stats;
    c->host = host;
    c->thread = c->running = TK_NONE;
}

static void restart(void *tracker, bool announced) {
    struct tk_calls *c = tracker;
    (void)announced;
    end_pause(c);
    leave_all(c);
    for (uint32_t i = 0; i < TK_MAX_CONTEXTS; i++)
        if (c->contexts[i]) pop_to(c, c->contexts[i], 0);
    end_run(c);
}

// Marks contexts that exist only because of a damaged number: in a damaged recording, a handler with a single record,
// which another function called instead of the hardware.
static void find_uncertain(struct tk_calls *c) {
    bool is_damaged = tk_diag_has_damage(c->diag);
    if (c->is_partial) return;
    for (uint32_t i = 0; i < TK_MAX_CONTEXTS; i++) {
        struct tk_context *context = c->contexts[i];
        if (!context || context->is_thread || context->calls != 1 || context->entries || c->tl->goes_on) continue;
        if (!is_damaged && !context->misses_caller) continue;
        context->uncertain = true;
        tk_diag_note(c->diag, TK_DIAG_ENTITY_UNCERTAIN, NULL, 1);
    }
}

// Ends the figures. Slices stay open: the timeline closes and marks them.
static void finish(void *tracker) {
    struct tk_calls *c = tracker;
    struct tk_context *paused = c->paused_context ? c->contexts[c->paused_context - 1] : NULL;
    if (paused) add_gap_time(c, paused);
    while (c->active_count) {
        struct tk_context *handler = c->contexts[c->active[--c->active_count]];
        while (handler->frame_count) close_frame_figures(c, handler, false);
        struct tk_interruption *pair = handler->victim ? interruption_of(c, handler->victim - 1, handler->id) : NULL;
        struct tk_context *below = handler->victim   ? c->contexts[handler->victim - 1]
                                   : c->active_count ? NULL
                                                     : thread_of(c);
        if (pair) pair->total += since(c, handler->entered);
        if (below) add_inner_time(below, since(c, handler->entered));
    }
    for (uint32_t i = 0; i < TK_MAX_CONTEXTS; i++)
        while (c->contexts[i] && c->contexts[i]->frame_count) close_frame_figures(c, c->contexts[i], false);
    end_run(c);
    find_uncertain(c);
}

static void begin_context(struct tk_calls *c, struct tk_context *context) {
    context->deepest = context->deepest_nested = context->frame_count;
    context->calls = context->activations = context->running = context->not_recorded = 0;
    tk_measure_clear(&c->stats->histograms, &context->figures);
    tk_measure_clear(&c->stats->histograms, &context->periods);
    for (uint32_t i = 0; i < context->frame_count; i++) {
        context->frames[i].inside = 0;
        c->functions[context->frames[i].function].deepest = i + 1;
    }
}

static void begin_stats(void *tracker, uint64_t ticks) {
    struct tk_calls *c = tracker;
    c->figures_since = ticks;
    c->is_partial = true;
    for (uint32_t i = 0; i < c->function_count; i++) {
        struct tk_call_function *function = &c->functions[i];
        function->deepest = 0;
        function->calls = function->total = function->self = 0;
        tk_measure_clear(&c->stats->histograms, &function->figures);
    }
    for (uint32_t i = 0; i < TK_MAX_CONTEXTS; i++)
        if (c->contexts[i]) begin_context(c, c->contexts[i]);
    for (uint32_t i = 0; i < c->pair_count; i++) c->pairs[i].count = 0;
    for (uint32_t i = 0; i < c->interruption_count; i++) c->interruptions[i].count = c->interruptions[i].total = 0;
    c->further_pairs = 0;
}

TK_COLD static void tables(const void *tracker, const struct tk_table_sink *sink) { tk_calls_tables(tracker, sink); }

// Losses need no handling: the stacks stay, and return addresses show which frames ended meanwhile.
const struct tk_tracker tk_tracker_calls = { .owner = TK_OWNER_CALLS,
                                             .size = sizeof(struct tk_calls),
                                             .draws_details = true,
                                             .init = init,
                                             .event = on_event,
                                             .restart = restart,
                                             .finish = finish,
                                             .begin_stats = begin_stats,
                                             .tables = tables,
                                             .table_list = tk_calls_table_list };
