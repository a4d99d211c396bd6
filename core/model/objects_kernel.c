// SPDX-License-Identifier: MIT
//
// Active objects: the scheduler of each core, threads that are known by their priority, and what they wait for.
#include "objects_parts.h"

#include "../base/cold.h"

#include <string.h>

TK_COLD struct tk_kernel *tk_objects_add_kernel(struct tk_objects *o, uint8_t core) {
    struct tk_kernel *kernel = tk_alloc_zero(o->alloc, sizeof *kernel);
    if (!kernel || !tk_stats_need_cores(o->stats, core + 1u)) return tk_alloc_free(o->alloc, kernel, sizeof *kernel), NULL;
    char text[32];
    kernel->running = kernel->name = TK_NONE;
    if (core) {
        size_t len = tk_append_text(text, tk_append_number(text, tk_append_text(text, 0, "Core "), core), ": ");
        kernel->name = tk_names_add(tk_objects_names(o), TK_ENTITY_SYMBOL, core);
        if (kernel->name != TK_NONE) tk_names_set(tk_objects_names(o), kernel->name, text, len);
    }
    return o->kernels[core % TK_KERNELS] = kernel;
}

static uint32_t kernel_track(struct tk_objects *o, const struct tk_kernel *kernel, uint32_t *track, const char *title) {
    return tk_objects_track(o, track, TK_GROUP_SCHEDULER, TK_TRACK_SLICES, kernel->name, title, NULL);
}

// ---- Who works -----------------------------------------------------------------------------------

static enum tk_task_state state_off_cpu(const struct tk_object *object) {
    return object->in_step || object->inbox.count || object->is_thread ? TK_STATE_RUNNABLE : TK_STATE_WAITING;
}

// measured: it is known that it ran until now.
static void leave_cpu(struct tk_objects *o, struct tk_kernel *kernel, uint8_t core, bool measured) {
    if (kernel->idles && measured) tk_stats_idle(o->stats, core, kernel->chosen, o->tl->now);
    kernel->idles = false;
    if (kernel->running == TK_NONE) return;
    const struct tk_object *object = &o->objects[kernel->running];
    if (measured) tk_stats_run(o->stats, object->row, core, kernel->since, o->tl->now);
    else tk_stats_unmeasured_run(o->stats, object->row, core);
    if (!object->blocked) tk_timeline_state(o->tl, object->row, state_off_cpu(object), core);
    kernel->running = TK_NONE;
}

// It was taken for another one since its priority was chosen.
static void take_back_run(struct tk_objects *o, struct tk_kernel *kernel, uint8_t core) {
    const struct tk_object *object = kernel->running == TK_NONE ? NULL : &o->objects[kernel->running];
    if (object && !object->blocked) tk_timeline_late_state(o->tl, object->row, state_off_cpu(object), core, kernel->chosen);
    leave_cpu(o, kernel, core, false);
}

// Made ready some time ago.
void tk_kernel_draw_ready(struct tk_objects *o, uint8_t core, struct tk_object *object) {
    if (object->ready_held) tk_timeline_late_wake(o->tl, object->row, core, (enum tk_waker)object->ready_by, object->ready_at);
    object->ready_held = false;
}

static void enter_cpu(struct tk_objects *o, struct tk_kernel *kernel, uint8_t core, uint32_t object) {
    struct tk_object *chosen = &o->objects[object];
    kernel->running = object;
    kernel->since = kernel->chosen;
    if (chosen->ready_held && chosen->ready_at < kernel->chosen) tk_kernel_draw_ready(o, core, chosen);
    chosen->ready_held = false;
    tk_timeline_late_state(o->tl, o->objects[object].row, TK_STATE_RUNNING, core, kernel->chosen);
}

// "priority 5"
static struct tk_label_text numbered(struct tk_objects *o, uint32_t names[256], const char *word, uint32_t number) {
    char text[32];
    uint32_t *name = &names[number & 0xFF];
    if (!*name) *name = tk_details_name(o->details, text, tk_append_number(text, tk_append_text(text, 0, word), number & 0xFF));
    return tk_named(*name);
}

static void draw_priority(struct tk_objects *o, struct tk_kernel *kernel) {
    uint32_t track = kernel_track(o, kernel, &kernel->priority_track, "Running priority");
    tk_timeline_end(o->tl, track, NULL, 0);
    if (kernel->priority) tk_timeline_begin(o->tl, track, numbered(o, kernel->priority_names, "priority ", kernel->priority), NULL, 0);
}

void tk_kernel_priority(struct tk_objects *o, const struct tk_event *event) {
    struct tk_kernel *kernel = tk_objects_kernel(o, event->core);
    if (!kernel) return;
    leave_cpu(o, kernel, event->core, true);
    kernel->priority = event->arg & 0xFF;
    kernel->idles = kernel->priority == 0;
    if (kernel->priority) kernel->scheduled = true; // that nobody runs is no news of who does
    kernel->chosen = o->tl->now;
    tk_stats_run_begins(o->stats, event->core);
    draw_priority(o, kernel);
    uint32_t known = kernel->at_priority[kernel->priority];
    kernel->learning = kernel->priority != 0;
    if (kernel->priority && known) enter_cpu(o, kernel, event->core, known - 1);
}

// Whoever takes an event first after a priority was chosen is the object of this priority.
void tk_kernel_took_event(struct tk_objects *o, uint8_t core, struct tk_object *object) {
    struct tk_kernel *kernel = o->kernels[core % TK_KERNELS];
    uint32_t index = tk_objects_index(o, object);
    if (!kernel || !kernel->learning) return;
    kernel->learning = false;
    if (kernel->running == index) return;
    take_back_run(o, kernel, core);
    kernel->at_priority[kernel->priority] = index + 1;
    object->priority = kernel->priority;
    enter_cpu(o, kernel, core, index);
}

// Which priority is this object's, and so when it runs, may be learned behind the choice of that priority.
void tk_kernel_make_ready(struct tk_objects *o, uint8_t core, struct tk_object *object, enum tk_waker waker) {
    const struct tk_kernel *kernel = o->kernels[core % TK_KERNELS];
    if (!kernel || !kernel->scheduled || tk_objects_index(o, object) == kernel->running || object->ready_held) return;
    if (object->priority) {
        tk_timeline_wake(o->tl, object->row, core, waker);
        return;
    }
    object->ready_held = true;
    object->ready_by = (uint8_t)waker;
    object->ready_at = o->tl->now;
}

// Without a scheduler the time of the innermost step counts as its object's.
static void count_work(struct tk_objects *o, struct tk_kernel *kernel, uint8_t core, bool measured) {
    if (kernel->open_count && !kernel->scheduled) {
        uint32_t row = o->objects[kernel->open[kernel->open_count - 1]].row;
        if (measured) tk_stats_run(o->stats, row, core, kernel->step_since, o->tl->now);
        else tk_stats_unmeasured_run(o->stats, row, core);
    }
    kernel->step_since = o->tl->now;
    if (!kernel->scheduled) tk_stats_run_begins(o->stats, core);
}

void tk_kernel_step_begins(struct tk_objects *o, uint8_t core, uint32_t object) {
    struct tk_kernel *kernel = tk_objects_kernel(o, core);
    if (!kernel || kernel->open_count == TK_OPEN_STEPS) return;
    count_work(o, kernel, core, true);
    kernel->open[kernel->open_count++] = object;
}

void tk_kernel_step_ends(struct tk_objects *o, uint8_t core, uint32_t object) {
    struct tk_kernel *kernel = o->kernels[core % TK_KERNELS];
    uint32_t at = kernel ? kernel->open_count : 0;
    while (at && kernel->open[at - 1] != object) at--;
    if (!at) return;
    count_work(o, kernel, core, true);
    memmove(&kernel->open[at - 1], &kernel->open[at], (kernel->open_count - at) * sizeof *kernel->open);
    kernel->open_count--;
}

static void close_track(struct tk_objects *o, uint32_t track) {
    while (track && o->tl->tracks[track - 1].depth) tk_timeline_end_lost(o->tl, track);
}

void tk_kernel_loss(struct tk_objects *o, bool restart) {
    for (uint8_t core = 0; core < TK_KERNELS; core++) {
        struct tk_kernel *kernel = o->kernels[core];
        if (!kernel) continue;
        leave_cpu(o, kernel, core, false);
        count_work(o, kernel, core, false);
        kernel->open_count = 0;
        kernel->learning = false;
        close_track(o, kernel->priority_track);
        close_track(o, kernel->ceiling_track);
        close_track(o, kernel->critical_track);
        if (restart) memset(kernel->at_priority, 0, sizeof kernel->at_priority);
    }
}

void tk_kernel_finish(struct tk_objects *o) {
    for (uint8_t core = 0; core < TK_KERNELS; core++) {
        struct tk_kernel *kernel = o->kernels[core];
        if (!kernel) continue;
        uint64_t until = tk_stats_until(o->stats, core, o->tl->now);
        if (kernel->idles) tk_stats_idle(o->stats, core, kernel->chosen, until);
        if (kernel->running != TK_NONE) tk_stats_run(o->stats, o->objects[kernel->running].row, core, kernel->since, until);
        count_work(o, kernel, core, until == o->tl->now);
    }
}

// ---- Threads -------------------------------------------------------------------------------------

// NULL: no memory.
TK_COLD static struct tk_object *add_thread(struct tk_objects *o, struct tk_kernel *kernel, uint32_t priority) {
    char text[TK_DISPLAY_LEN + 32];
    uint32_t entity = tk_names_add(tk_objects_names(o), TK_ENTITY_SYMBOL, priority);
    struct tk_object *thread = tk_objects_add(o, entity);
    if (!thread) return NULL;
    size_t len = kernel->name == TK_NONE ? 0 : tk_names_display(tk_objects_names(o), kernel->name, text);
    len = tk_append_number(text, tk_append_text(text, len, "thread of priority "), priority);
    tk_names_set(tk_objects_names(o), entity, text, len);
    thread->is_thread = true;
    thread->priority = priority;
    if (!tk_objects_give_row(o, thread)) return NULL;
    kernel->at_priority[priority] = tk_objects_index(o, thread) + 1;
    return thread;
}

// The object of a priority, or a thread that is known by nothing else. NULL: priority 0, no memory.
static inline struct tk_object *thread_of(struct tk_objects *o, struct tk_kernel *kernel, uint32_t priority) {
    uint32_t known = kernel->at_priority[priority & 0xFF];
    if (!(priority & 0xFF)) return NULL;
    return known ? &o->objects[known - 1] : add_thread(o, kernel, priority & 0xFF);
}

void tk_objects_unblock(struct tk_objects *o, struct tk_object *object) {
    if (!object->blocked) return;
    uint32_t track = tk_objects_thread(o, object);
    object->blocked = false;
    if (tk_timeline_crossed(o->tl, track, tk_timeline_depth(o->tl, track) - 1)) tk_stats_unmeasured_wait(o->stats, object->row);
    else tk_stats_wait(o->stats, object->row, object->blocked_since, o->tl->now, object->blocked_on | TK_OBJECTS_BLOCKED);
    tk_timeline_end(o->tl, track, NULL, 0);
}

void tk_objects_stop_waiting(struct tk_objects *o, struct tk_object *object) {
    if (!object->blocked) return;
    object->blocked = false;
    tk_timeline_end_lost(o->tl, tk_objects_thread(o, object));
    tk_stats_unmeasured_wait(o->stats, object->row);
}

// True: a slice tells that a wait for this symbol ended.
static bool wake(struct tk_objects *o, struct tk_kernel *kernel, uint32_t priority, uint32_t symbol) {
    struct tk_object *thread = thread_of(o, kernel, priority);
    if (!thread || !thread->blocked) return false;
    bool awaited = tk_objects_thread(o, thread) && thread->blocked_on == tk_objects_entity(o, symbol);
    tk_objects_unblock(o, thread);
    if (kernel->scheduled && kernel->running != tk_objects_index(o, thread)) tk_timeline_state(o->tl, thread->row, TK_STATE_RUNNABLE, 0);
    return awaited;
}

// True: a slice tells that a wait begins.
static bool block(struct tk_objects *o, const struct tk_event *event, struct tk_kernel *kernel) {
    struct tk_object *thread = thread_of(o, kernel, event->arg);
    uint32_t what = tk_objects_entity(o, event->id);
    struct tk_details details;
    details.count = 0;
    if (!thread || what == TK_NONE) return false;
    tk_objects_unblock(o, thread);
    tk_details_values(o->details, &details, event);
    uint32_t name = tk_names_label(tk_objects_names(o), what, TK_SYMBOL_WAITED_FOR);
    uint32_t track = tk_objects_thread(o, thread);
    tk_timeline_begin(o->tl, track, tk_named(name), details.args, details.count);
    thread->blocked = true;
    thread->blocked_since = o->tl->now;
    thread->blocked_on = what;
    if (kernel->scheduled) tk_timeline_state(o->tl, thread->row, event->value < 0 ? TK_STATE_WAITING_LOCK : TK_STATE_WAITING, event->core);
    return track != 0;
}

// ---- Semaphores and locks ------------------------------------------------------------------------

// told: the slice of a wait that begins or ends with it tells what its arguments would. Without them the value travels in the packet of the slice.
static void draw_count(struct tk_objects *o, const struct tk_event *event, bool told) {
    struct tk_object *semaphore = tk_objects_find(o, event->id);
    struct tk_details details;
    details.count = 0;
    if (!semaphore) return;
    if (!told) {
        tk_details_fixed(o->details, &details, "operation", event->str);
        tk_details_values(o->details, &details, event);
    }
    uint32_t track = tk_objects_track(o, &semaphore->count_track, TK_GROUP_QUEUES, TK_TRACK_COUNTER, semaphore->entity, " (semaphore)", "tokens");
    tk_timeline_counter(o->tl, track, event->value, details.args, details.count);
    tk_objects_stored(o, &semaphore->store.store, semaphore->entity, "counting semaphore", (uint64_t)event->value);
}

static void begin_lock(struct tk_objects *o, const struct tk_event *event, struct tk_kernel *kernel, uint32_t lock, uint32_t track, const struct tk_details *details) {
    const struct tk_object *holder = thread_of(o, kernel, event->arg); // may move the lock
    struct tk_names *names = tk_objects_names(o);
    uint32_t name = holder ? tk_names_label(names, holder->entity, TK_SYMBOL_HELD_BY) : tk_names_fixed(names, TK_FIXED_HELD);
    tk_timeline_begin(o->tl, track, tk_named(name), details->args, details->count);
    o->objects[lock].held = true;
}

void tk_kernel_semaphore(struct tk_objects *o, const struct tk_event *event) {
    struct tk_kernel *kernel = tk_objects_kernel(o, event->core);
    if (!kernel) return;
    draw_count(o, event, wake(o, kernel, event->arg, event->id));
}

void tk_kernel_blocked(struct tk_objects *o, const struct tk_event *event) {
    struct tk_kernel *kernel = tk_objects_kernel(o, event->core);
    if (!kernel) return;
    bool told = block(o, event, kernel);
    if (event->value >= 0) draw_count(o, event, told);
}

void tk_kernel_lock(struct tk_objects *o, const struct tk_event *event) {
    struct tk_kernel *kernel = tk_objects_kernel(o, event->core);
    struct tk_object *lock = kernel ? tk_objects_find(o, event->id) : NULL;
    struct tk_details details;
    details.count = 0;
    if (!lock) return;
    uint32_t track = tk_objects_track(o, &lock->lock_track, TK_GROUP_QUEUES, TK_TRACK_SLICES, lock->entity, " (lock)", NULL);
    tk_details_values(o->details, &details, event);
    if (event->kind == TK_EV_LOCK_NOTE) {
        tk_timeline_instant(o->tl, track, tk_named(tk_details_name(o->details, event->str, event->str_len)), details.args, details.count);
        return;
    }
    tk_objects_stored(o, &lock->store.store, lock->entity, "mutex", event->kind == TK_EV_LOCK_HELD);
    if (event->kind == TK_EV_LOCK_FREE) {
        if (lock->held) tk_timeline_end(o->tl, track, NULL, 0);
        lock->held = false;
        return;
    }
    if (!lock->held) begin_lock(o, event, kernel, tk_objects_index(o, lock), track, &details);
    wake(o, kernel, event->arg, event->id);
}

void tk_kernel_ceiling(struct tk_objects *o, const struct tk_event *event) {
    struct tk_kernel *kernel = tk_objects_kernel(o, event->core);
    if (!kernel) return;
    uint32_t track = kernel_track(o, kernel, &kernel->ceiling_track, "Locked up to");
    if (event->kind == TK_EV_CEILING_RAISED) tk_timeline_begin(o->tl, track, numbered(o, kernel->ceiling_names, "ceiling ", event->arg), NULL, 0);
    else tk_timeline_end(o->tl, track, NULL, 0);
}

void tk_kernel_critical(struct tk_objects *o, const struct tk_event *event) {
    struct tk_kernel *kernel = tk_objects_kernel(o, event->core);
    if (!kernel) return;
    uint32_t track = kernel_track(o, kernel, &kernel->critical_track, "Critical sections");
    if (!kernel->critical_name) kernel->critical_name = tk_details_name(o->details, "critical section", 16);
    if (event->kind == TK_EV_CRITICAL_ENTERED) tk_timeline_begin(o->tl, track, tk_named(kernel->critical_name), NULL, 0);
    else tk_timeline_end(o->tl, track, NULL, 0);
}
