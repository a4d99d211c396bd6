// SPDX-License-Identifier: MIT
#include "sched.h"

#include "../base/attributes.h"
#include "wire.h"

#include <string.h>

TK_COLD void tk_sched_init(struct tk_sched_core *core, struct tk_alloc *alloc) { core->alloc = alloc; }

// ---- Switches ----------------------------------------------------------------------------------

static inline struct tk_switch *last_switch(struct tk_sched_core *core) {
    return core->count ? &core->switches[core->count - 1] : NULL;
}

// Returns the index of the first switch at or after `ticks`.
static uint32_t find(const struct tk_sched_core *core, uint64_t ticks) {
    uint32_t from = 0, to = core->count;
    while (from < to) {
        uint32_t middle = (from + to) / 2;
        if (core->switches[middle].ticks < ticks) from = middle + 1;
        else to = middle;
    }
    return from;
}

static inline bool has_room(struct tk_sched_core *core) {
    return core->count < core->capacity || tk_alloc_grow(core->alloc, (void **)&core->switches, &core->capacity,
                                                         core->count + 1, sizeof *core->switches);
}

static inline void append(struct tk_sched_core *core, struct tk_switch one) {
    if (!has_room(core)) return;
    core->switches[core->count++] = one;
    core->open += one.prev_state == TK_PREV_STATE_PENDING;
}

TK_COLD static void mark_waiting_ready(struct tk_sched_core *core) {
    for (uint32_t i = 0; i < core->count; i++)
        if (core->switches[i].prev_state == TK_PREV_STATE_PENDING) core->switches[i].prev_state = TK_STATE_RUNNABLE;
    core->open = 0;
}

TK_COLD void tk_sched_resolve_all(struct tk_sched_core *core) {
    mark_waiting_ready(core);
    core->resolved = true;
}

// Idle and the threads for unrecorded time have no states of their own.
static inline uint8_t leaving_state(int32_t pid) {
    if (tk_sched_is_unrecorded(pid)) return TK_STATE_WAITING;
    return pid ? TK_PREV_STATE_PENDING : TK_STATE_RUNNABLE;
}

static inline void replace_next(struct tk_sched_core *core, struct tk_switch *last, int32_t pid) {
    core->unrecorded -= tk_sched_is_unrecorded(last->next);
    last->next = pid;
}

void tk_sched_run(struct tk_sched_core *core, uint64_t ticks, int32_t pid) {
    struct tk_switch *last = last_switch(core);
    int32_t before = core->running;
    if (last && !before && !pid) return;
    core->running = pid;
    if (last && ticks <= last->ticks) replace_next(core, last, pid);
    else append(core, (struct tk_switch){ ticks, before, pid, leaving_state(before) });
    if (core->open > TK_SCHED_OPEN) mark_waiting_ready(core);
}

TK_COLD void tk_sched_unrecorded(struct tk_sched_core *core, uint64_t ticks, int32_t pid) {
    struct tk_switch *last = last_switch(core);
    if ((last && ticks < last->ticks) || core->running == pid) return;
    if (last && ticks == last->ticks) last->next = pid;
    else append(core, (struct tk_switch){ ticks, core->running, pid, leaving_state(core->running) });
    core->running = pid;
    core->unrecorded++;
}

static void switch_out_running(struct tk_sched_core *core, uint64_t ticks, uint8_t prev_state) {
    struct tk_switch *last = last_switch(core);
    int32_t before = core->running;
    core->running = 0;
    if (last && ticks <= last->ticks) last->next = 0; // the task ran for zero time
    else append(core, (struct tk_switch){ ticks, before, 0, prev_state });
}

// Inserts a switch to no task before `follower`: the task left earlier than its successor came.
TK_COLD static void leave_between(struct tk_sched_core *core, struct tk_switch *follower, uint64_t ticks,
                                  uint8_t prev_state) {
    uint32_t index = (uint32_t)(follower - core->switches);
    struct tk_switch leave = { ticks, follower->prev, 0, prev_state };
    if (!has_room(core)) return;
    struct tk_switch *at = &core->switches[index];
    at->prev = 0;
    at->prev_state = TK_STATE_RUNNABLE;
    memmove(at + 1, at, (core->count++ - index) * sizeof *at);
    *at = leave;
}

bool tk_sched_switch_out(struct tk_sched_core *core, uint64_t ticks, int32_t pid, uint8_t prev_state) {
    if (core->running == pid) {
        switch_out_running(core, ticks, prev_state);
        return true;
    }
    uint32_t index = find(core, ticks);
    if (index == core->count) return false;
    struct tk_switch *one = &core->switches[index];
    if (one->prev != pid || one->prev_state != TK_PREV_STATE_PENDING) return false;
    core->open -= prev_state != TK_PREV_STATE_PENDING;
    if (one->ticks == ticks) one->prev_state = prev_state;
    else leave_between(core, one, ticks, prev_state);
    return true;
}

TK_COLD void tk_sched_set_idle(struct tk_sched_core *core, int32_t pid) {
    for (uint32_t i = 0; i < core->count; i++) {
        struct tk_switch *one = &core->switches[i];
        if (one->next == pid) one->next = 0;
        if (one->prev != pid) continue;
        core->open -= one->prev_state == TK_PREV_STATE_PENDING;
        one->prev = 0;
        one->prev_state = TK_STATE_RUNNABLE;
    }
    if (core->running == pid) core->running = 0;
}

// ---- Wake-ups ----------------------------------------------------------------------------------

// Returns the task that runs at `ticks` according to the pending switches; 0 if unknown, also at the tick of a switch.
static int32_t runs_at(struct tk_sched_core *core, uint64_t ticks) {
    const struct tk_switch *last = last_switch(core);
    if (last && ticks > last->ticks) return core->running;
    uint32_t index = find(core, ticks);
    if (!index || (index < core->count && core->switches[index].ticks == ticks)) return 0;
    return core->switches[index - 1].next;
}

bool tk_sched_wake(struct tk_sched_core *core, const struct tk_task_change *change) {
    bool by_interrupt = change->waker == TK_WAKER_INTERRUPT;
    if (change->waker == TK_WAKER_UNKNOWN || core->wakeup_count == TK_SCHED_BUNDLE) return false;
    int32_t by = by_interrupt ? 0 : runs_at(core, change->ticks);
    if (!by_interrupt && (!by || tk_sched_is_unrecorded(by))) return false;
    uint32_t index = core->wakeup_count++;
    for (; index && core->wakeups[index - 1].ticks > change->ticks; index--)
        core->wakeups[index] = core->wakeups[index - 1]; // a wake-up with an earlier time, reported late
    core->wakeups[index] = (struct tk_wakeup){ change->ticks, change->pid, by_interrupt };
    return true;
}

int32_t tk_sched_take_unresolved(struct tk_sched_core *core, uint64_t ticks) {
    uint32_t index = core->wakeup_count;
    while (index && core->wakeups[index - 1].ticks > ticks) index--;
    while (index && core->wakeups[index - 1].ticks == ticks && core->wakeups[index - 1].by_interrupt) index--;
    if (!index || core->wakeups[index - 1].ticks != ticks) return 0;
    int32_t pid = core->wakeups[index - 1].pid;
    memmove(&core->wakeups[index - 1], &core->wakeups[index], (core->wakeup_count-- - index) * sizeof *core->wakeups);
    return pid;
}

int32_t tk_sched_take_wakeup_after(struct tk_sched_core *core, uint64_t ticks, uint64_t *out_ticks) {
    uint32_t index = 0;
    while (index < core->wakeup_count && (core->wakeups[index].by_interrupt || core->wakeups[index].ticks <= ticks))
        index++;
    if (index == core->wakeup_count) return 0;
    int32_t pid = core->wakeups[index].pid;
    *out_ticks = core->wakeups[index].ticks;
    memmove(&core->wakeups[index], &core->wakeups[index + 1], (--core->wakeup_count - index) * sizeof *core->wakeups);
    return pid;
}

// ---- Bundles -----------------------------------------------------------------------------------

enum { LINUX_PRIORITY = 120, IN_INTERRUPT = 8 }; // Perfetto hatches lower priorities as real-time

// Starts a field; end_field inserts its length.
static uint8_t *begin_field(uint8_t *at, uint8_t tag) {
    *at = tag;
    return at + 3;
}

static uint8_t *end_field(uint8_t *field, uint8_t *end) {
    tk_put_length(field - 2, (uint32_t)(end - field));
    return end;
}

// Writes a packed field with `count` equal values.
static uint8_t *put_same(uint8_t *at, uint8_t tag, uint8_t value, uint32_t count) {
    uint8_t *field = begin_field(at, tag);
    memset(field, value, count);
    return end_field(field, field + count);
}

static uint8_t *put_switches(uint8_t *at, const struct tk_switch *switches, uint32_t count) {
    static const uint8_t states[] = { // numbering of ftrace; the viewer shows its generic states
                                      [TK_STATE_RUNNABLE] = 0,     [TK_STATE_RUNNING] = 0,   [TK_STATE_WAITING] = 1,
                                      [TK_STATE_WAITING_LOCK] = 2, [TK_STATE_SUSPENDED] = 4, [TK_STATE_DEAD] = 0x20
    };
    uint64_t before = 0;
    uint8_t *field = begin_field(at, 0x0A);
    at = field;
    for (uint32_t i = 0; i < count; i++) at = tk_put_varint(at, switches[i].ticks - before), before = switches[i].ticks;
    field = begin_field(end_field(field, at), 0x12);
    for (uint32_t i = 0; i < count; i++) field[i] = states[switches[i].prev_state];
    at = field = begin_field(end_field(field, field + count), 0x1A);
    for (uint32_t i = 0; i < count; i++) at = tk_put_varint(at, (uint32_t)switches[i].next);
    at = put_same(end_field(field, at), 0x22, LINUX_PRIORITY, count);
    return put_same(at, 0x32, 0, count); // names: the process tree contains them
}

static uint8_t *put_wakeups(uint8_t *at, const struct tk_wakeup *wakeups, uint32_t count, uint8_t core) {
    uint64_t before = 0;
    uint8_t *field = begin_field(at, 0x3A);
    at = field;
    for (uint32_t i = 0; i < count; i++) at = tk_put_varint(at, wakeups[i].ticks - before), before = wakeups[i].ticks;
    at = field = begin_field(end_field(field, at), 0x42);
    for (uint32_t i = 0; i < count; i++) at = tk_put_varint(at, (uint32_t)wakeups[i].pid);
    at = put_same(end_field(field, at), 0x4A, core, count);
    at = put_same(at, 0x52, LINUX_PRIORITY, count);
    at = put_same(at, 0x5A, 0, count);
    field = begin_field(at, 0x62);
    for (uint32_t i = 0; i < count; i++) field[i] = wakeups[i].by_interrupt ? IN_INTERRUPT : 0;
    return end_field(field, field + count);
}

// Writes a bundle. Perfetto's importer drops the first switch of each core, so the first bundle begins with an
// additional one at tick 0.
static uint8_t *put_bundle(struct tk_sched_core *core, uint8_t *at, uint32_t number, uint8_t sequence,
                           const struct tk_switch *switches, uint32_t count) {
    uint8_t *packet = begin_field(at, 0x0A);
    packet[0] = 0x50, packet[1] = sequence;
    uint8_t *bundle = begin_field(packet + 2, 0x0A);
    bundle[0] = 0x08, bundle[1] = (uint8_t)number; // written even for core 0: without it the importer drops the bundle
    bundle[2] = 0x28, bundle[3] = 3;               // times use clock 64 of this sequence
    uint8_t *compact = begin_field(bundle + 4, 0x22);
    compact[0] = 0x2A, compact[1] = 0; // one name, which is empty
    at = compact + 2;
    if (count) at = put_switches(at, switches, count);
    if (sequence == TK_SEQUENCE_TICKS && core->wakeup_count)
        at = put_wakeups(at, core->wakeups, core->wakeup_count, (uint8_t)number);
    return end_field(packet, end_field(bundle, end_field(compact, at)));
}

uint8_t *tk_sched_bundle(struct tk_sched_core *core, uint8_t *at, uint32_t number) {
    struct tk_switch known[TK_SCHED_BUNDLE + 1];
    uint32_t count = 0, kept = 0, last = core->count - (core->count && !core->resolved);
    if (!core->begun && (core->count || core->wakeup_count)) known[count++] = (struct tk_switch){ 0 };
    for (uint32_t i = 0; i < core->count; i++) {
        const struct tk_switch *one = &core->switches[i];
        if (i < last && count < TK_SCHED_BUNDLE && one->prev_state != TK_PREV_STATE_PENDING) known[count++] = *one;
        else core->switches[kept++] = *one;
    }
    core->count = kept;
    if (!count && !core->wakeup_count) return at;
    core->begun = true;
    at = put_bundle(core, at, number, TK_SEQUENCE_TICKS, known, count);
    core->wakeup_count = 0;
    return at;
}

uint8_t *tk_sched_switch_out_early(struct tk_sched_core *core, uint8_t *at, uint32_t number, uint64_t ticks) {
    const struct tk_switch leave = { ticks, core->running, 0, TK_STATE_RUNNABLE };
    core->running = 0;
    return put_bundle(core, at, number, TK_SEQUENCE_EARLY, &leave, 1);
}
