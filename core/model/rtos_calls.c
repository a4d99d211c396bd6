// SPDX-License-Identifier: MIT
//
// Calls of the kernel as instants of who makes them, arrows from what was sent to where it was received, and what failed.
#include "rtos_more_parts.h"

#include <string.h>

#include "../base/utf8.h"

// ---- Instants ----------------------------------------------------------------------------------

static uint32_t calls_track(struct tk_rtos_more *more, uint32_t task) {
    struct tk_task_more *own = tk_more_task(more, task);
    if (!own) return 0;
    if (!own->calls_track) {
        struct tk_track_spec spec = { tk_timeline_more(more->tl, task), TK_TRACK_SLICES, TK_NONE, "calls", more->tl->rows[task].pid, TK_RANK_CALLS, NULL, "What the task asked of the kernel", 0 };
        own->calls_track = tk_timeline_add_track(more->tl, &spec);
    }
    return own->calls_track;
}

void tk_more_call(struct tk_rtos_more *more, const struct tk_core *core, const struct tk_call *call) {
    struct tk_track_event event = { .type = TK_EVENT_INSTANT, .name = call->name.id, .string = call->name.id ? NULL : call->name.text, .string_len = call->name.len, .flow = call->flow };
    if (core->depth) event.track = core->track;
    else if (core->task != TK_NONE) event.track = calls_track(more, core->task);
    if (call->args) {
        event.args = call->args->args;
        event.arg_count = (uint8_t)call->args->count;
    }
    if (!core->depth && core->task != TK_NONE && !call->no_kernel) tk_more_jobs_call(more, core->task);
    tk_timeline_event(more->tl, &event);
}

void tk_more_say(struct tk_rtos_more *more, const struct tk_core *core, enum tk_verb verb, enum tk_result result, uint32_t entity, uint32_t number) {
    char room[TK_PHRASE_LEN];
    if (tk_more_actor(core) == TK_NONE) return;
    tk_more_call(more, core, &(struct tk_call){ .name = tk_phrase(&more->phrases, verb, result, entity, number, room) });
}

TK_COLD void tk_more_fail(struct tk_rtos_more *more, const struct tk_core *core, struct tk_label_text name, const struct tk_details *args) {
    struct tk_details all;
    all.count = 0;
    if (!more->failures_track) {
        struct tk_track_spec spec = { tk_timeline_group(more->tl, TK_GROUP_TARGET), TK_TRACK_SLICES, TK_NONE, "Failures", -1, TK_RANK_FAILURES, NULL, "What the target could not do", 0 };
        more->failures_track = tk_timeline_add_track(more->tl, &spec);
    }
    tk_more_who(more, &all, "by", tk_more_actor(core));
    for (unsigned i = 0; args && i < args->count && all.count < TK_MAX_ARGS; i++) all.args[all.count++] = args->args[i];
    tk_timeline_instant(more->tl, more->failures_track, name, all.args, all.count);
}

// ---- Arrows ------------------------------------------------------------------------------------

static bool arrows_grow(struct tk_rtos_more *more, struct tk_arrows *arrows) {
    uint32_t capacity = arrows->capacity ? 2 * arrows->capacity : 8;
    if (capacity > TK_MAX_ARROWS) return false;
    struct tk_arrow *ring = tk_alloc_zero(more->host.alloc, capacity * sizeof *ring);
    if (!ring) return false;
    for (uint32_t i = 0; i < arrows->count; i++) ring[i] = arrows->ring[(arrows->head + i) & (arrows->capacity - 1)];
    tk_alloc_free(more->host.alloc, arrows->ring, arrows->capacity * sizeof *ring);
    *arrows = (struct tk_arrows){ ring, capacity, 0, arrows->count };
    return true;
}

// Without room it has no arrow; those that wait keep their order.
static void push(struct tk_rtos_more *more, struct tk_arrows *arrows, struct tk_arrow arrow, bool first) {
    if (arrows->count == arrows->capacity && !arrows_grow(more, arrows)) return;
    if (first) arrows->head = (arrows->head - 1) & (arrows->capacity - 1);
    arrows->ring[(arrows->head + (first ? 0 : arrows->count)) & (arrows->capacity - 1)] = arrow;
    arrows->count++;
}

static struct tk_arrow pop(struct tk_arrows *arrows) {
    if (!arrows->count) return (struct tk_arrow){ 0, TK_NONE };
    struct tk_arrow arrow = arrows->ring[arrows->head];
    arrows->head = (arrows->head + 1) & (arrows->capacity - 1);
    arrows->count--;
    return arrow;
}

TK_COLD void tk_more_forget_arrows(struct tk_rtos_more *more) {
    for (uint32_t i = 0; i < more->queue_count; i++) {
        more->queues[i].sent.count = 0;
        more->queues[i].flow_open = false;
    }
    for (uint32_t i = 0; i < more->task_count; i++) more->tasks[i].notified = 0;
    for (uint32_t i = 0; i < more->thing_count; i++) more->things[i].flow = 0;
}

static uint64_t mix(uint64_t value) { return (value ^ value >> 31) * 0x9E3779B97F4A7C15u; }

void tk_more_talk(struct tk_rtos_more *more, uint32_t from, uint32_t object, uint32_t to) {
    uint64_t key = mix(mix((uint64_t)from << 32 | to) + object) | (uint64_t)1 << 63;
    bool fresh;
    if (from == TK_NONE || to == TK_NONE) return;
    struct tk_talk_row *row = tk_more_row(more, &more->talks, key, sizeof *row, &fresh);
    if (!row) return;
    if (fresh) *row = (struct tk_talk_row){ from, object, to, 0 };
    row->count++;
}

// ---- Operations on queues ----------------------------------------------------------------------

static const uint8_t verb_of_kind[TK_EV_COUNT] = { // + 1; 0: no call
    [TK_EV_QUEUE_SEND] = TK_SAY_SEND + 1, [TK_EV_QUEUE_SEND_FROM_ISR] = TK_SAY_SEND + 1, [TK_EV_QUEUE_SEND_FIRST] = TK_SAY_SEND_FIRST + 1,
    [TK_EV_QUEUE_SEND_FIRST_FROM_ISR] = TK_SAY_SEND_FIRST + 1, [TK_EV_QUEUE_OVERWRITE] = TK_SAY_OVERWRITE + 1, [TK_EV_QUEUE_OVERWRITE_FROM_ISR] = TK_SAY_OVERWRITE + 1,
    [TK_EV_QUEUE_RECEIVE] = TK_SAY_RECEIVE + 1, [TK_EV_QUEUE_RECEIVE_FROM_ISR] = TK_SAY_RECEIVE + 1, [TK_EV_QUEUE_PEEKED] = TK_SAY_PEEK + 1,
    [TK_EV_QUEUE_PEEKED_FROM_ISR] = TK_SAY_PEEK + 1, [TK_EV_QUEUE_RESET] = TK_SAY_RESET + 1, [TK_EV_QUEUE_CREATED] = TK_SAY_CREATE + 1,
};

// Locks and semaphores have words of their own.
static enum tk_verb verb_for(const struct tk_queue *queue, enum tk_verb verb) {
    if (verb == TK_SAY_SEND && tk_queue_is_lock(queue)) return TK_SAY_UNLOCK;
    if (verb == TK_SAY_RECEIVE && tk_queue_is_lock(queue)) return TK_SAY_LOCK;
    if (verb == TK_SAY_SEND && tk_queue_is_semaphore(queue)) return TK_SAY_GIVE;
    if (verb == TK_SAY_RECEIVE && tk_queue_is_semaphore(queue)) return TK_SAY_TAKE;
    return verb;
}

static bool is_send(enum tk_verb verb) { return verb == TK_SAY_SEND || verb == TK_SAY_SEND_FIRST || verb == TK_SAY_OVERWRITE; }

// What was sent waits for its receiver. Bytes in a stream have no borders: one arrow goes through all that wait.
static uint64_t flow_of_send(struct tk_rtos_more *more, const struct tk_queue *queue, struct tk_queue_more *own, enum tk_verb verb, uint32_t actor) {
    struct tk_arrows *sent = &own->sent;
    bool goes_on = queue->kind == TK_QUEUE_STREAM_BUFFER && sent->count;
    struct tk_arrow arrow = { goes_on ? sent->ring[sent->head].flow : ++more->rtos->next_flow, actor };
    if (verb == TK_SAY_OVERWRITE && queue->capacity == 1) sent->count = 0;
    push(more, sent, arrow, verb == TK_SAY_SEND_FIRST);
    return arrow.flow;
}

static uint64_t flow_of_receive(struct tk_rtos_more *more, const struct tk_queue *queue, struct tk_queue_more *own, uint32_t left, uint32_t actor) {
    bool stream = queue->kind == TK_QUEUE_STREAM_BUFFER;
    uint64_t flow = 0;
    while (own->sent.count) {
        struct tk_arrow arrow = pop(&own->sent);
        flow = arrow.flow;
        tk_more_talk(more, arrow.actor, queue->entity, actor);
        if (!stream) break;
    }
    if (!left) own->sent.count = 0;
    return flow;
}

// ---- Locks -------------------------------------------------------------------------------------

// It is given back, and nobody saw it taken: the giver has held it since this section began.
static void draw_unseen_hold(struct tk_rtos_more *more, const struct tk_queue *queue, uint32_t holder) {
    struct tk_details args;
    args.count = 0;
    struct tk_track_event event = { .ticks = more->section_since, .type = TK_EVENT_BEGIN, .when = TK_LATE };
    uint32_t track = tk_rtos_lock_track(more->rtos, (uint32_t)(queue - more->rtos->queues));
    if (!track || more->section_since >= more->tl->now) return;
    tk_details_fixed(more->host.details, &args, "since", "before the recording");
    event.track = track;
    event.name = tk_names_label(tk_more_names(more), more->rtos->tasks[holder].entity, TK_TASK_HELD_BY);
    event.args = args.args;
    event.arg_count = (uint8_t)args.count;
    tk_timeline_event(more->tl, &event);
    event = (struct tk_track_event){ .track = track, .type = TK_EVENT_END };
    tk_timeline_event(more->tl, &event);
}

static void count_hold(struct tk_rtos_more *more, const struct tk_queue *queue, const struct tk_queue_more *own) {
    struct tk_lock_row *row = tk_more_lock_row(more, (uint32_t)(queue - more->rtos->queues), queue->holder);
    if (!row) return;
    row->holds++;
    tk_more_measure(more, &row->held, own->held_since, own->held_loss);
}

static uint64_t on_lock(struct tk_rtos_more *more, const struct tk_queue *queue, struct tk_queue_more *own, enum tk_verb verb, const struct tk_core *core) {
    bool starts_held = verb == TK_SAY_UNLOCK && !queue->held && !queue->fresh && !own->seen_taken;
    if (starts_held && !core->depth && core->task != TK_NONE && !tk_rtos_is_shared(core->task)) draw_unseen_hold(more, queue, core->task);
    if (queue->held && (verb == TK_SAY_UNLOCK || verb == TK_SAY_LOCK)) count_hold(more, queue, own);
    if (verb == TK_SAY_LOCK || verb == TK_SAY_UNLOCK || verb == TK_SAY_CREATE) own->seen_taken = true;
    if (verb != TK_SAY_LOCK) return 0;
    own->held_since = more->tl->now;
    own->held_loss = more->tl->losses[0];
    return core->depth || core->task == TK_NONE ? 0 : more->rtos->next_flow + 1; // the one that leads to who holds it
}

void tk_more_operation(struct tk_rtos_more *more, const struct tk_event *event, const struct tk_core *core) {
    uint32_t index = tk_rtos_find_queue(more->rtos, event->id), actor = tk_more_actor(core);
    struct tk_queue_more *own = tk_more_queue(more, index);
    if (!own || !verb_of_kind[event->kind]) return;
    struct tk_queue *queue = &more->rtos->queues[index];
    enum tk_verb verb = verb_for(queue, (enum tk_verb)(verb_of_kind[event->kind] - 1));
    struct tk_call call = { .flow = 0 };
    struct tk_details args;
    args.count = 0;
    char room[TK_PHRASE_LEN];
    bool counts = verb != TK_SAY_CREATE && !tk_queue_is_lock(queue) && verb != TK_SAY_RESET;
    bool made = queue->fresh && verb == TK_SAY_UNLOCK; // part of its creation
    if (tk_queue_is_lock(queue)) call.flow = on_lock(more, queue, own, verb, core);
    else if (is_send(verb) || verb == TK_SAY_GIVE) call.flow = flow_of_send(more, queue, own, verb, actor);
    else if (verb == TK_SAY_RECEIVE || verb == TK_SAY_TAKE) call.flow = flow_of_receive(more, queue, own, event->arg, actor);
    if (verb == TK_SAY_RESET) own->sent.count = 0;
    if (actor == TK_NONE || made) return;
    if (counts) tk_details_number(more->host.details, &args, "count", queue->capacity && event->arg > queue->capacity ? queue->capacity : event->arg);
    call.name = tk_phrase(&more->phrases, verb, TK_RESULT_NONE, queue->entity, 0, room);
    call.args = &args;
    tk_more_call(more, core, &call);
}

// Why an operation failed: behind a wait its time was out.
static enum tk_result why_refused(const struct tk_rtos_more *more, const struct tk_queue *queue, enum tk_verb verb, const struct tk_core *core, bool from_isr) {
    uint32_t key = tk_object_key(TK_OBJECT_QUEUE, (uint32_t)(queue - more->rtos->queues));
    bool waited = !core->depth && !from_isr && core->task != TK_NONE && more->rtos->tasks[core->task].waits_for == key;
    if (waited) return TK_RESULT_TIMED_OUT;
    if (verb == TK_SAY_UNLOCK) return TK_RESULT_NOT_THE_HOLDER;
    if (verb == TK_SAY_LOCK || (verb == TK_SAY_PEEK && tk_queue_is_lock(queue))) return TK_RESULT_NOT_FREE;
    return is_send(verb) || verb == TK_SAY_GIVE ? TK_RESULT_FULL : TK_RESULT_EMPTY;
}

TK_MORE_HANDLER(refused) {
    uint32_t index = tk_rtos_find_queue(more->rtos, event->id);
    struct tk_queue_more *own = tk_more_queue(more, index);
    if (!own || event->value < 0 || event->value > TK_OPERATION_RESET) return;
    const struct tk_queue *queue = &more->rtos->queues[index];
    enum tk_verb verb = verb_for(queue, (enum tk_verb)(TK_SAY_SEND + event->value));
    enum tk_result result = why_refused(more, queue, verb, core, event->kind == TK_EV_QUEUE_REFUSED_FROM_ISR);
    struct tk_details args;
    args.count = 0;
    char room[TK_PHRASE_LEN];
    struct tk_call call = { .name = tk_phrase(&more->phrases, verb, result, queue->entity, 0, room), .args = &args };
    own->refused++;
    own->timed_out += result == TK_RESULT_TIMED_OUT;
    tk_rtos_operates_on(core, tk_object_key(TK_OBJECT_QUEUE, index));
    if (event->arg != UINT32_MAX && !tk_queue_is_lock(queue)) {
        tk_details_number(more->host.details, &args, "count", event->arg);
        tk_rtos_sample_length(more->rtos, event, core);
    }
    if (tk_more_actor(core) != TK_NONE) tk_more_call(more, core, &call);
    if (is_send(verb) || verb == TK_SAY_GIVE) tk_more_fail(more, core, call.name, NULL);
}

TK_MORE_HANDLER(queue_deleted) {
    uint32_t index = tk_rtos_find_queue(more->rtos, event->id);
    struct tk_queue_more *own = tk_more_queue(more, index);
    if (!own) return;
    struct tk_queue *queue = &more->rtos->queues[index];
    tk_more_say(more, core, TK_SAY_DELETE, TK_RESULT_NONE, queue->entity, 0);
    if (queue->held) count_hold(more, queue, own);
    own->sent.count = 0;
    tk_rtos_delete_queue(more->rtos, index);
}

// ---- Others ------------------------------------------------------------------------------------

static struct tk_label_text words(struct tk_rtos_more *more, const struct tk_event *event) {
    return (struct tk_label_text){ tk_names_message(tk_more_names(more), event->str, event->str_len), event->str, event->str_len };
}

TK_MORE_HANDLER(call) {
    struct tk_details args;
    args.count = 0;
    if (tk_more_actor(core) == TK_NONE || !event->str_len) return;
    tk_details_values(more->host.details, &args, event);
    tk_more_call(more, core, &(struct tk_call){ .name = words(more, event), .args = &args });
}

TK_MORE_HANDLER(failure) {
    struct tk_details args;
    args.count = 0;
    if (!event->str_len) return;
    tk_details_values(more->host.details, &args, event);
    tk_more_fail(more, core, words(more, event), &args);
}

enum { LOG_LEN = 2048 };

// "(UART) text" of an interrupt, which is no thread: it is told on the task below it.
static uint32_t log_text(struct tk_rtos_more *more, const struct tk_core *core, const struct tk_event *event, char text[LOG_LEN]) {
    size_t len = 0, most = event->str_len;
    if (core->depth) {
        char name[TK_DISPLAY_LEN];
        size_t name_len = tk_names_display(tk_more_names(more), more->rtos->isrs[core->stack[core->depth - 1].isr].entity, name);
        len = tk_append_text(text, 0, "(");
        memcpy(text + len, name, name_len);
        len = tk_append_text(text, len + name_len, ") ");
    }
    if (most > LOG_LEN - len) most = tk_utf8_cut(event->str, LOG_LEN - len);
    if (most) memcpy(text + len, event->str, most);
    return (uint32_t)(len + most);
}

TK_MORE_HANDLER(logged) {
    char text[LOG_LEN];
    if (core->task == TK_NONE || tk_rtos_is_shared(core->task) || !event->value_count) return;
    struct tk_log_entry log = { event->values[0].text, event->values[0].text_len, (uint8_t)event->arg };
    struct tk_track_event shown = { .type = TK_EVENT_INSTANT, .track = calls_track(more, core->task), .string = text, .log = &log };
    shown.string_len = log_text(more, core, event, text);
    tk_timeline_event(more->tl, &shown);
}
