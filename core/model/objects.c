// SPDX-License-Identifier: MIT
#include "objects.h"

#include "../base/bytes.h"

static struct tk_names *names_of(struct tk_objects *o) { return &o->tl->names; }
static struct tk_label_text named(uint32_t id) { return (struct tk_label_text){ .id = id }; }

// ---- Symbols -----------------------------------------------------------------------------------

static uint32_t entity_of(struct tk_objects *o, uint32_t symbol) {
    uint32_t entity = symbol ? tk_idmap_find(&o->symbol_by_id, (uint64_t)symbol) : TK_NONE;
    if (entity != TK_NONE || !symbol) return entity;
    entity = tk_names_add(names_of(o), TK_ENTITY_SYMBOL, symbol);
    if (entity != TK_NONE && !tk_idmap_set(&o->symbol_by_id, o->alloc, symbol, entity)) return TK_NONE;
    return entity;
}

static struct tk_label_text label(struct tk_objects *o, uint32_t symbol, unsigned slot) {
    uint32_t entity = entity_of(o, symbol);
    if (entity == TK_NONE) return (struct tk_label_text){ 0, "none", 4 };
    return named(tk_names_label(names_of(o), entity, slot));
}

static struct tk_object *find(struct tk_objects *o, uint32_t symbol) {
    uint32_t index = symbol ? tk_idmap_find(&o->object_by_id, symbol) : TK_NONE;
    if (index != TK_NONE) return &o->objects[index];
    uint32_t entity = entity_of(o, symbol);
    if (entity == TK_NONE) return NULL;
    if (o->count >= TK_MAX_OBJECTS) {
        tk_diag_hit(o->diag, TK_DIAG_TOO_MANY, NULL);
        return NULL;
    }
    if (!tk_alloc_grow(o->alloc, (void **)&o->objects, &o->capacity, o->count + 1, sizeof *o->objects)) return NULL;
    if (!tk_idmap_set(&o->object_by_id, o->alloc, symbol, o->count)) return NULL;
    o->objects[o->count] = (struct tk_object){ .entity = entity, .row = TK_NONE };
    return &o->objects[o->count++];
}

// An object with steps of its own.
static struct tk_object *find_active(struct tk_objects *o, uint32_t symbol) {
    struct tk_object *object = find(o, symbol);
    if (object && object->row == TK_NONE) object->row = tk_timeline_add_row(o->tl, object->entity, o->tl->row_count + 1, false);
    return object && object->row != TK_NONE ? object : NULL;
}

static void set_name(struct tk_objects *o, const struct tk_event *event) {
    uint32_t entity = entity_of(o, event->id);
    if (entity == TK_NONE || !tk_names_set(names_of(o), entity, event->str, event->str_len)) return;
    struct tk_diag_place place = { .input = event->input, .has_offset = true, .offset = event->offset, .frame = event->frame, .bytes = event->raw, .len = event->raw_len };
    tk_diag_note(o->diag, TK_DIAG_NAME_CHANGED, &place, event->id);
}

// Another symbol's name if that has one, else words; a name of its own replaces either.
static void set_fallback(struct tk_objects *o, const struct tk_event *event) {
    struct tk_names *names = names_of(o);
    uint32_t entity = entity_of(o, event->id), other = event->arg ? tk_idmap_find(&o->symbol_by_id, event->arg) : TK_NONE;
    char text[TK_DISPLAY_LEN];
    size_t len = 0;
    if (entity == TK_NONE || names->entities[entity].name) return;
    if (other != TK_NONE && names->entities[other].name) len = tk_names_display(names, other, text);
    bool before = names->borrowing;
    names->borrowing = true;
    if (len) tk_names_set(names, entity, text, len);
    else tk_names_set(names, entity, event->str, event->str_len);
    names->borrowing = before;
}

// ---- Details -----------------------------------------------------------------------------------

struct details {
    struct tk_arg args[TK_OBJECT_ARGS];
    unsigned count;
};

static uint32_t interned(struct tk_objects *o, struct tk_idmap *map, enum tk_intern list, const char *text, size_t len) {
    uint64_t key = tk_hash_bytes((const uint8_t *)text, len) | (uint64_t)1 << 63;
    uint32_t id = tk_idmap_find(map, key);
    if (id != TK_NONE) return id;
    id = tk_names_define(names_of(o), list, text, len);
    tk_idmap_set(map, o->alloc, key, id);
    return id;
}

static uint32_t arg_name(struct tk_objects *o, const char *name) {
    size_t slot = ((uintptr_t)name ^ (uintptr_t)name >> 6) & 63;
    if (o->known_args[slot].text == name) return o->known_args[slot].id;
    o->known_args[slot].text = name;
    return o->known_args[slot].id = interned(o, &o->arg_names, TK_INTERN_ARG_NAME, name, strlen(name));
}

static struct tk_arg *add_arg(struct tk_objects *o, struct details *details, const char *name, enum tk_arg_type type) {
    static struct tk_arg const none;
    if (details->count == TK_OBJECT_ARGS) return NULL;
    struct tk_arg *arg = &details->args[details->count++];
    *arg = none;
    arg->name = arg_name(o, name);
    arg->type = type;
    return arg;
}

static void add_number(struct tk_objects *o, struct details *details, const char *name, uint64_t number) {
    struct tk_arg *arg = add_arg(o, details, name, TK_ARG_UINT);
    if (arg) arg->value.u = number;
}

static void add_symbol(struct tk_objects *o, struct details *details, const char *name, uint32_t symbol) {
    uint32_t entity = entity_of(o, symbol);
    struct tk_arg *arg = entity != TK_NONE ? add_arg(o, details, name, TK_ARG_TEXT) : NULL;
    if (arg) arg->value.text = tk_names_label(names_of(o), entity, TK_SYMBOL_TEXT);
}

static void add_words(struct tk_objects *o, struct details *details, const char *name, const char *text, size_t len) {
    struct tk_arg *arg = add_arg(o, details, name, TK_ARG_STRING);
    if (!arg) return;
    arg->string = text;
    arg->string_len = len;
}

static void add_value(struct tk_objects *o, struct details *details, const struct tk_value *value) {
    static const enum tk_arg_type types[] = { [TK_VALUE_UINT] = TK_ARG_UINT, [TK_VALUE_HEX] = TK_ARG_UINT, [TK_VALUE_INT] = TK_ARG_INT, [TK_VALUE_DOUBLE] = TK_ARG_DOUBLE };
    if (value->type == TK_VALUE_TEXT) {
        add_words(o, details, value->name, value->text, value->text_len);
    } else if (value->type == TK_VALUE_SYMBOL) {
        add_symbol(o, details, value->name, (uint32_t)value->number.u);
    } else {
        struct tk_arg *arg = add_arg(o, details, value->name, types[value->type]);
        if (!arg) return;
        if (value->type == TK_VALUE_DOUBLE) arg->value.d = value->number.d;
        else arg->value.u = value->number.u;
    }
}

static void add_values(struct tk_objects *o, struct details *details, const struct tk_event *event) {
    for (unsigned i = 0; i < event->value_count; i++) add_value(o, details, &event->values[i]);
}

// ---- Tracks ------------------------------------------------------------------------------------

static uint32_t track_in(struct tk_objects *o, uint32_t *track, enum tk_group group, enum tk_track_kind kind, uint32_t entity, const char *title, const char *unit) {
    if (*track) return *track;
    struct tk_track_wish wish = { tk_timeline_group(o->tl, group), kind, entity, title, -1, 0, unit, NULL };
    return *track = tk_timeline_add_track(o->tl, &wish);
}

static uint32_t own_track(struct tk_objects *o, struct tk_object *object, uint32_t *track, enum tk_track_kind kind, const char *title, const char *unit) {
    if (*track) return *track;
    struct tk_track_wish wish = { tk_timeline_thread(o->tl, object->row), kind, TK_NONE, title, o->tl->rows[object->row].pid, 0, unit, NULL };
    return *track = tk_timeline_add_track(o->tl, &wish);
}

// ---- Queues of posts ---------------------------------------------------------------------------

static struct tk_post *post_at(struct tk_post_queue *queue, uint32_t index) { return &queue->posts[(queue->head + index) % TK_MAX_POSTS]; }

static bool enqueue(struct tk_objects *o, struct tk_post_queue *queue, struct tk_post post, bool in_front) {
    if (!queue->posts && !tk_alloc_grow(o->alloc, (void **)&queue->posts, &queue->capacity, TK_MAX_POSTS, sizeof *queue->posts)) return false;
    if (queue->count == TK_MAX_POSTS) return false; // the oldest arrows have long been drawn
    if (in_front) queue->head = (queue->head + TK_MAX_POSTS - 1) % TK_MAX_POSTS;
    queue->count++;
    *post_at(queue, in_front ? 0 : queue->count - 1) = post;
    return true;
}

// The event that is taken now; those before it in the queue were not seen leaving. False: it was not seen coming.
static bool dequeue(struct tk_post_queue *queue, uint32_t signal, bool last, struct tk_post *out_post) {
    uint32_t at = 0;
    while (at < queue->count && post_at(queue, at)->signal != signal) at++;
    bool found = at < queue->count;
    if (found) {
        *out_post = *post_at(queue, at);
        queue->head = (queue->head + at + 1) % TK_MAX_POSTS;
        queue->count -= at + 1;
    }
    if (last) queue->count = 0;
    return found;
}

// Taken places, from the free ones and the most there ever were.
static int64_t used_places(struct tk_post_queue *queue, int64_t free_places) {
    uint64_t places = (uint64_t)free_places + queue->count;
    if (places > queue->places) queue->places = places;
    return (int64_t)(queue->places - (uint64_t)free_places);
}

// ---- Scheduler ---------------------------------------------------------------------------------

static void leave_cpu(struct tk_objects *o) {
    if (o->running == TK_NONE) return;
    const struct tk_object *object = &o->objects[o->running];
    tk_timeline_state(o->tl, object->row, object->in_step || object->inbox.count ? TK_STATE_RUNNABLE : TK_STATE_WAITING, 0);
    o->running = TK_NONE;
}

static void draw_priority(struct tk_objects *o) {
    char text[TK_DISPLAY_LEN + 32];
    size_t len = tk_append_number(text, tk_append_text(text, 0, "priority "), o->priority);
    uint32_t track = track_in(o, &o->priority_track, TK_GROUP_SCHEDULER, TK_TRACK_SLICES, TK_NONE, "Running priority", NULL);
    tk_timeline_end(o->tl, track, NULL, 0);
    if (o->priority) tk_timeline_begin(o->tl, track, named(interned(o, &o->words, TK_INTERN_NAME, text, len)), NULL, 0);
}

static void on_priority(struct tk_objects *o, const struct tk_event *event) {
    leave_cpu(o);
    o->priority = event->arg & 0xFF;
    o->scheduled = true;
    o->since = o->tl->now;
    draw_priority(o);
    uint32_t known = o->at_priority[o->priority];
    o->learning = o->priority && !known;
    if (!o->priority || !known) return;
    o->running = known - 1;
    tk_timeline_state(o->tl, o->objects[o->running].row, TK_STATE_RUNNING, 0);
}

// Whoever takes an event first after a priority was chosen is the object of this priority.
static void learn_priority(struct tk_objects *o, const struct tk_object *object) {
    if (!o->learning) return;
    o->learning = false;
    o->at_priority[o->priority] = (uint32_t)(object - o->objects) + 1;
    o->running = (uint32_t)(object - o->objects);
    tk_timeline_late_state(o->tl, object->row, TK_STATE_RUNNING, 0, o->since);
}

static void make_ready(struct tk_objects *o, const struct tk_object *object) {
    uint32_t index = (uint32_t)(object - o->objects);
    if (o->scheduled && index != o->running) tk_timeline_state(o->tl, object->row, TK_STATE_RUNNABLE, 0);
}

static void on_ceiling(struct tk_objects *o, const struct tk_event *event) {
    uint32_t track = track_in(o, &o->ceiling_track, TK_GROUP_SCHEDULER, TK_TRACK_SLICES, TK_NONE, "Locked up to", NULL);
    char text[32];
    size_t len = tk_append_number(text, tk_append_text(text, 0, "ceiling "), event->arg);
    if (event->kind == TK_EV_CEILING_RAISED) tk_timeline_begin(o->tl, track, named(interned(o, &o->words, TK_INTERN_NAME, text, len)), NULL, 0);
    else tk_timeline_end(o->tl, track, NULL, 0);
}

static void on_critical(struct tk_objects *o, const struct tk_event *event) {
    uint32_t track = track_in(o, &o->critical_track, TK_GROUP_SCHEDULER, TK_TRACK_SLICES, TK_NONE, "Critical sections", NULL);
    if (event->kind == TK_EV_CRITICAL_ENTERED) tk_timeline_begin(o->tl, track, named(interned(o, &o->words, TK_INTERN_NAME, "critical section", 16)), NULL, 0);
    else tk_timeline_end(o->tl, track, NULL, 0);
}

// ---- Steps and states --------------------------------------------------------------------------

static void set_state(struct tk_objects *o, struct tk_object *object, uint32_t symbol, uint32_t signal) {
    uint32_t entity = entity_of(o, symbol), track;
    if (entity == TK_NONE || object->state == entity + 1) return;
    track = own_track(o, object, &object->state_track, TK_TRACK_SLICES, "state", NULL);
    struct details details;
    details.count = 0;
    if (signal) add_symbol(o, &details, "entered by", signal);
    if (object->state) tk_timeline_end(o->tl, track, NULL, 0);
    object->state = entity + 1;
    tk_timeline_begin(o->tl, track, label(o, symbol, TK_SYMBOL_NAME), details.args, details.count);
}

static void end_open_step(struct tk_objects *o, struct tk_object *object) {
    if (!object->in_step) return;
    object->in_step = false;
    tk_timeline_end(o->tl, tk_timeline_thread(o->tl, object->row), NULL, 0);
}

static void on_step_begin(struct tk_objects *o, const struct tk_event *event) {
    struct tk_object *object = find_active(o, event->id);
    if (!object) return;
    uint32_t track = tk_timeline_thread(o->tl, object->row);
    struct details details;
    details.count = 0;
    end_open_step(o, object);
    set_state(o, object, event->by, 0);
    add_symbol(o, &details, "in state", event->by);
    if (object->arrival) add_number(o, &details, "waited in queue", o->tl->now - object->arrival_ticks);
    add_values(o, &details, event);
    tk_timeline_begin_at_flow(o->tl, track, label(o, event->arg, TK_SYMBOL_NAME), details.args, details.count, object->arrival);
    object->in_step = true;
    object->arrival = 0;
}

static void on_step_end(struct tk_objects *o, const struct tk_event *event) {
    static const char *const outcomes[] = { "transition", "internal transition", "ignored" };
    struct tk_object *object = find_active(o, event->id);
    if (!object) return;
    struct details details;
    details.count = 0;
    const char *outcome = outcomes[event->value];
    add_words(o, &details, "outcome", outcome, strlen(outcome));
    add_values(o, &details, event);
    if (event->value == TK_OUTCOME_TRANSITION) add_symbol(o, &details, "new state", event->by);
    if (object->in_step) tk_timeline_end(o->tl, tk_timeline_thread(o->tl, object->row), details.args, details.count);
    object->in_step = false;
    set_state(o, object, event->by, event->value == TK_OUTCOME_TRANSITION ? event->arg : 0);
}

static void on_note(struct tk_objects *o, const struct tk_event *event) {
    struct tk_object *object = find_active(o, event->id);
    struct details details;
    details.count = 0;
    if (!object) return;
    add_values(o, &details, event);
    tk_timeline_instant(o->tl, tk_timeline_thread(o->tl, object->row), label(o, event->arg, TK_SYMBOL_NOTE + (unsigned)event->value), details.args, details.count);
}

// ---- Posts -------------------------------------------------------------------------------------

static uint32_t sender_track(struct tk_objects *o, uint32_t symbol, struct tk_object *receiver) {
    uint32_t receiver_index = (uint32_t)(receiver - o->objects);
    struct tk_object *sender = symbol ? find(o, symbol) : receiver;
    if (!sender) sender = &o->objects[receiver_index];
    if (sender->row != TK_NONE) return tk_timeline_thread(o->tl, sender->row);
    return track_in(o, &sender->sender_track, TK_GROUP_SENDERS, TK_TRACK_SLICES, sender->entity, NULL, NULL);
}

static void on_post(struct tk_objects *o, const struct tk_event *event) {
    struct tk_object *receiver = find_active(o, event->id);
    if (!receiver) return;
    uint32_t index = (uint32_t)(receiver - o->objects);
    bool failed = event->kind == TK_EV_POST_FAILED;
    struct details details;
    details.count = 0;
    struct tk_track_event post = { .track = sender_track(o, event->by, receiver), .type = TK_EVENT_INSTANT };
    receiver = &o->objects[index]; // a new sender may have moved it
    add_symbol(o, &details, "receiver", event->id);
    if (event->by) add_symbol(o, &details, "sender", event->by);
    add_values(o, &details, event);
    struct tk_label_text name = label(o, event->arg, failed ? TK_SYMBOL_POST_FAILED : TK_SYMBOL_POSTED);
    post.name = name.id;
    post.string = name.id ? NULL : name.text;
    post.string_len = name.len;
    post.args = details.args;
    post.arg_count = (uint8_t)details.count;
    if (!failed) {
        struct tk_post entry = { o->next_flow, o->tl->now, event->arg };
        if (enqueue(o, &receiver->inbox, entry, event->kind == TK_EV_POSTED_FIRST)) post.flow = o->next_flow++;
    }
    tk_timeline_event(o->tl, &post);
    if (failed) return;
    make_ready(o, receiver);
    tk_timeline_counter(o->tl, own_track(o, receiver, &receiver->used_track, TK_TRACK_COUNTER, "queue used", "events"), used_places(&receiver->inbox, event->value), NULL, 0);
}

static void on_get(struct tk_objects *o, const struct tk_event *event) {
    struct tk_object *object = find_active(o, event->id);
    struct tk_post post = { 0 };
    if (!object) return;
    bool last = event->kind == TK_EV_GOT_LAST, found = dequeue(&object->inbox, event->arg, last, &post);
    learn_priority(o, object);
    object->arrival = found ? post.flow : 0;
    object->arrival_ticks = found ? post.ticks : 0;
    int64_t used = last ? 0 : used_places(&object->inbox, event->value);
    tk_timeline_counter(o->tl, own_track(o, object, &object->used_track, TK_TRACK_COUNTER, "queue used", "events"), used, NULL, 0);
}

static void on_store(struct tk_objects *o, const struct tk_event *event) {
    struct tk_object *queue = find(o, event->id);
    struct tk_post post = { 0, o->tl->now, event->arg };
    if (!queue || event->kind == TK_EV_STORE_FAILED) return;
    bool last = event->kind == TK_EV_FETCHED_LAST;
    if (event->kind == TK_EV_STORED || event->kind == TK_EV_STORED_FIRST) enqueue(o, &queue->store, post, event->kind == TK_EV_STORED_FIRST);
    else dequeue(&queue->store, event->arg, last, &post);
    struct details details;
    details.count = 0;
    add_symbol(o, &details, "signal", event->arg);
    uint32_t track = track_in(o, &queue->store_track, TK_GROUP_QUEUES, TK_TRACK_COUNTER, queue->entity, NULL, "events");
    tk_timeline_counter(o->tl, track, last ? 0 : used_places(&queue->store, event->value), details.args, details.count);
}

// ---- The rest ----------------------------------------------------------------------------------

static void note(struct tk_objects *o, enum tk_note_track which, const char *words, const struct tk_event *event) {
    static const char *const titles[TK_NOTE_TRACKS] = { "Memory", "Publishing", "Target", "Failures" };
    uint32_t track = track_in(o, &o->note_tracks[which], TK_GROUP_NOTES, TK_TRACK_SLICES, TK_NONE, titles[which], NULL);
    struct details details;
    details.count = 0;
    if (event->kind != TK_EV_NOTE) add_symbol(o, &details, "object", event->id);
    add_values(o, &details, event);
    tk_timeline_instant(o->tl, track, named(interned(o, &o->words, TK_INTERN_NAME, words, strlen(words))), details.args, details.count);
}

static void on_free_note(struct tk_objects *o, const struct tk_event *event) {
    char words[64];
    size_t len = event->str_len < sizeof words - 1 ? event->str_len : sizeof words - 1;
    memcpy(words, event->str, len);
    words[len] = 0;
    if (event->id < TK_NOTE_TRACKS) note(o, (enum tk_note_track)event->id, words, event);
}

static void on_pool(struct tk_objects *o, const struct tk_event *event) {
    struct tk_object *pool = find(o, event->id);
    struct details details;
    details.count = 0;
    if (!pool) return;
    add_values(o, &details, event);
    uint32_t track = track_in(o, &pool->pool_track, TK_GROUP_POOLS, TK_TRACK_COUNTER, pool->entity, NULL, "free blocks");
    tk_timeline_counter(o->tl, track, event->value, details.args, details.count);
}

static void disarm(struct tk_objects *o, struct tk_object *timer) {
    if (timer->armed) tk_timeline_end(o->tl, timer->timer_track, NULL, 0);
    timer->armed = false;
}

static void on_timer(struct tk_objects *o, const struct tk_event *event) {
    struct tk_object *timer = find(o, event->id);
    struct details details;
    details.count = 0;
    char text[64];
    if (!timer) return;
    uint32_t track = track_in(o, &timer->timer_track, TK_GROUP_TIMERS, TK_TRACK_SLICES, timer->entity, NULL, NULL);
    add_values(o, &details, event);
    if (event->kind == TK_EV_TIMER_FIRED) {
        struct tk_label_text name = label(o, event->arg, TK_SYMBOL_NAME);
        tk_timeline_instant(o->tl, track, name, details.args, details.count);
        return;
    }
    disarm(o, timer);
    if (event->kind == TK_EV_TIMER_DISARMED) return;
    size_t len = tk_append_number(text, tk_append_text(text, 0, "armed "), (uint64_t)event->value);
    len = tk_append_text(text, len, event->value == 1 ? " tick" : " ticks");
    if (event->arg) len = tk_append_number(text, tk_append_text(text, len, ", then every "), event->arg);
    tk_timeline_begin(o->tl, track, (struct tk_label_text){ tk_names_message(names_of(o), text, len), text, (uint32_t)len }, details.args, details.count);
    timer->armed = true;
}

static void on_tick(struct tk_objects *o, const struct tk_event *event) {
    static const char *const titles[] = {
        "Tick rate 0", "Tick rate 1", "Tick rate 2", "Tick rate 3", "Tick rate 4", "Tick rate 5", "Tick rate 6", "Tick rate 7",
        "Tick rate 8", "Tick rate 9", "Tick rate 10", "Tick rate 11", "Tick rate 12", "Tick rate 13", "Tick rate 14", "Tick rate 15"
    };
    unsigned rate = event->arg & 15;
    uint32_t track = track_in(o, &o->tick_tracks[rate], TK_GROUP_SCHEDULER, TK_TRACK_COUNTER, TK_NONE, titles[rate], "ticks");
    tk_timeline_counter(o->tl, track, event->value, NULL, 0);
}

static void on_semaphore(struct tk_objects *o, const struct tk_event *event) {
    struct tk_object *semaphore = find(o, event->id);
    struct details details;
    details.count = 0;
    if (!semaphore) return;
    add_words(o, &details, "operation", event->str, event->str_len);
    add_values(o, &details, event);
    uint32_t track = track_in(o, &semaphore->count_track, TK_GROUP_QUEUES, TK_TRACK_COUNTER, semaphore->entity, " (semaphore)", NULL);
    tk_timeline_counter(o->tl, track, event->value, details.args, details.count);
}

static void on_lock(struct tk_objects *o, const struct tk_event *event) {
    struct tk_object *lock = find(o, event->id);
    struct details details;
    details.count = 0;
    char text[64];
    if (!lock) return;
    uint32_t track = track_in(o, &lock->lock_track, TK_GROUP_QUEUES, TK_TRACK_SLICES, lock->entity, " (lock)", NULL);
    add_values(o, &details, event);
    if (event->kind == TK_EV_LOCK_NOTE) {
        tk_timeline_instant(o->tl, track, named(interned(o, &o->words, TK_INTERN_NAME, event->str, event->str_len)), details.args, details.count);
    } else if (event->kind == TK_EV_LOCK_FREE) {
        if (lock->held) tk_timeline_end(o->tl, track, NULL, 0);
        lock->held = false;
    } else if (!lock->held) {
        size_t len = tk_append_number(text, tk_append_text(text, 0, "held by priority "), event->arg);
        tk_timeline_begin(o->tl, track, named(interned(o, &o->words, TK_INTERN_NAME, text, len)), details.args, details.count);
        lock->held = true;
    }
}

// "4 hungry": the values that are short enough to be read on the timeline.
static size_t record_words(const struct tk_event *event, char *text, size_t room) {
    size_t len = 0;
    for (unsigned i = 0; i < event->value_count && i < 4; i++) {
        const struct tk_value *value = &event->values[i];
        bool negative = value->type == TK_VALUE_INT && value->number.i < 0;
        if (room - len < 32) break;
        if (value->type == TK_VALUE_TEXT) {
            size_t part = value->text_len;
            while (part && value->text[part - 1] == ' ') part--;
            if (!part || part > room - len - 1) continue;
            if (len) text[len++] = ' ';
            memcpy(text + len, value->text, part);
            len += part;
        } else if (value->type == TK_VALUE_UINT || value->type == TK_VALUE_INT) {
            if (len) text[len++] = ' ';
            if (negative) text[len++] = '-';
            len = tk_append_number(text, len, negative ? 0 - value->number.u : value->number.u);
        }
    }
    return len;
}

static void on_record(struct tk_objects *o, const struct tk_event *event) {
    struct tk_object *record = find(o, event->id);
    struct details details;
    details.count = 0;
    char text[128];
    if (!record) return;
    uint32_t track = track_in(o, &record->record_track, TK_GROUP_RECORDS, TK_TRACK_SLICES, record->entity, NULL, NULL);
    size_t len = record_words(event, text, sizeof text);
    add_values(o, &details, event);
    struct tk_label_text name = { 0, text, (uint32_t)len };
    if (len) name.id = tk_names_message(names_of(o), text, len);
    else name = label(o, event->id, TK_SYMBOL_NAME);
    tk_timeline_instant(o->tl, track, name, details.args, details.count);
}

// ---- Damage and restarts -----------------------------------------------------------------------

static void close_track(struct tk_objects *o, uint32_t track) {
    while (track && o->tl->tracks[track - 1].depth) tk_timeline_end(o->tl, track, NULL, 0);
}

void tk_objects_loss(struct tk_objects *o) {
    for (uint32_t i = 0; i < o->count; i++) {
        struct tk_object *object = &o->objects[i];
        end_open_step(o, object);
        object->inbox.count = object->store.count = 0;
        object->arrival = 0;
    }
    close_track(o, o->priority_track);
    close_track(o, o->ceiling_track);
    close_track(o, o->critical_track);
    leave_cpu(o);
    o->learning = false;
}

void tk_objects_restart(struct tk_objects *o) {
    tk_objects_loss(o);
    for (uint32_t i = 0; i < o->count; i++) {
        struct tk_object *object = &o->objects[i];
        if (object->state) tk_timeline_end(o->tl, object->state_track, NULL, 0);
        object->state = 0;
        object->inbox.places = object->store.places = 0;
        disarm(o, object);
        if (object->held) tk_timeline_end(o->tl, object->lock_track, NULL, 0);
        object->held = false;
    }
    memset(o->at_priority, 0, sizeof o->at_priority);
}

// ---- Dispatch ----------------------------------------------------------------------------------

void tk_objects_event(struct tk_objects *o, const struct tk_event *event) {
    switch ((enum tk_event_kind)event->kind) {
    case TK_EV_SYMBOL_NAME: set_name(o, event); break;
    case TK_EV_SYMBOL_FALLBACK: set_fallback(o, event); break;
    case TK_EV_STEP_BEGIN: on_step_begin(o, event); break;
    case TK_EV_STEP_END: on_step_end(o, event); break;
    case TK_EV_STATE_ENTERED: {
        struct tk_object *object = find_active(o, event->id);
        if (object) set_state(o, object, event->by, 0);
        break;
    }
    case TK_EV_OBJECT_NOTE: on_note(o, event); break;
    case TK_EV_POST_FAILED: note(o, TK_NOTE_OF_FAILURES, "post failed", event); on_post(o, event); break;
    case TK_EV_POSTED:
    case TK_EV_POSTED_FIRST: on_post(o, event); break;
    case TK_EV_GOT:
    case TK_EV_GOT_LAST: on_get(o, event); break;
    case TK_EV_STORE_FAILED: note(o, TK_NOTE_OF_FAILURES, "store failed", event); break;
    case TK_EV_STORED:
    case TK_EV_STORED_FIRST:
    case TK_EV_FETCHED:
    case TK_EV_FETCHED_LAST: on_store(o, event); break;
    case TK_EV_POOL_FAILED: note(o, TK_NOTE_OF_FAILURES, "pool exhausted", event); on_pool(o, event); break;
    case TK_EV_POOL_LEVEL: on_pool(o, event); break;
    case TK_EV_TIMER_ARMED:
    case TK_EV_TIMER_DISARMED:
    case TK_EV_TIMER_FIRED: on_timer(o, event); break;
    case TK_EV_TICKED: on_tick(o, event); break;
    case TK_EV_PRIORITY_RUNS: on_priority(o, event); break;
    case TK_EV_CEILING_RAISED:
    case TK_EV_CEILING_LOWERED: on_ceiling(o, event); break;
    case TK_EV_CRITICAL_ENTERED:
    case TK_EV_CRITICAL_LEFT: on_critical(o, event); break;
    case TK_EV_SEMAPHORE_COUNT: on_semaphore(o, event); break;
    case TK_EV_LOCK_HELD:
    case TK_EV_LOCK_FREE:
    case TK_EV_LOCK_NOTE: on_lock(o, event); break;
    case TK_EV_RECORD: on_record(o, event); break;
    case TK_EV_NOTE: on_free_note(o, event); break;
    default: break;
    }
}

void tk_objects_init(struct tk_objects *o, struct tk_alloc *alloc, struct tk_diag *diag, struct tk_timeline *tl) {
    memset(o, 0, sizeof *o);
    o->alloc = alloc;
    o->diag = diag;
    o->tl = tl;
    o->running = TK_NONE;
    o->next_flow = (uint64_t)1 << 40; // apart from those of queues and locks
}

void tk_objects_deinit(struct tk_objects *o) {
    for (uint32_t i = 0; i < o->count; i++) {
        tk_alloc_free(o->alloc, o->objects[i].inbox.posts, o->objects[i].inbox.capacity * sizeof(struct tk_post));
        tk_alloc_free(o->alloc, o->objects[i].store.posts, o->objects[i].store.capacity * sizeof(struct tk_post));
    }
    tk_alloc_free(o->alloc, o->objects, o->capacity * sizeof *o->objects);
    tk_idmap_deinit(&o->symbol_by_id, o->alloc);
    tk_idmap_deinit(&o->object_by_id, o->alloc);
    tk_idmap_deinit(&o->arg_names, o->alloc);
    tk_idmap_deinit(&o->words, o->alloc);
}
