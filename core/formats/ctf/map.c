// SPDX-License-Identifier: MIT
#include "map.h"

#include <string.h>

#include "../../base/text.h"
#include "../../base/utf8.h"
#include "../kit/ids.h"
#include "meaning.h"

// Tracks of the calls of threads have the numbers from FIRST_CALLS on, slices of other events from FIRST_EVENTS on. The
// files of a trace number them apart; they share the group and the tracks of the other events of each CPU.
enum {
    GROUP = 1,
    FIRST_CALLS = 16,
    FIRST_EVENTS = FIRST_CALLS + CTF_MAX_THREADS,
    FIRST_CPU = FIRST_EVENTS + CTF_MAX_TRACKS,
    TRACKS_OF_INPUT = FIRST_CPU + TK_MAX_CORES
};
enum { FOREVER = 0xFFFF0000 }; // timeouts from here on are endless: their conversion to microseconds overflows

static const char not_recorded[] = "waiting (reason not recorded)";

// Returns the number of the file among those of a trace; 0: the trace is one file.
static uint32_t part_of(const struct ctf_map *map) { return map->host->merged ? map->host->input : 0; }

// ---- Events --------------------------------------------------------------------------------------

static struct tk_batch *batch_of(const struct ctf_map *map, unsigned core) {
    return map->cores[core].batch ? map->cores[core].batch : map->batch;
}

static struct tk_event *emit(struct ctf_map *map, enum tk_event_kind kind, bool timed) {
    struct tk_batch *batch = batch_of(map, map->core);
    struct tk_event *event = tk_batch_slot(batch);
    *event = (struct tk_event){ .kind = (uint8_t)kind,
                                .timed = timed,
                                .ticks = map->ns,
                                .input = (uint8_t)map->host->input,
                                .core = (uint8_t)map->core,
                                .offset = map->offset,
                                .frame = map->number,
                                .frame_len = map->len };
    tk_batch_add(batch);
    map->emitted++;
    return event;
}

// The text is cleaned, because names must be valid UTF-8.
static void set_text(struct ctf_map *map, struct tk_event *event, const char *text, size_t len) {
    struct tk_arena *memory = &batch_of(map, map->core)->memory;
    size_t bad = 0;
    uint8_t *clean = tk_arena_reserve(memory, len * TK_UTF8_GROWTH);
    event->str = (const char *)clean;
    event->str_len = clean ? (uint32_t)tk_utf8_clean((const uint8_t *)text, len, clean, &bad) : 0;
    tk_arena_commit(memory, event->str_len);
    map->copied += event->str_len;
    struct tk_source_pos place = tk_event_trace_pos(event);
    if (bad) tk_diag_count(map->host->diag, TK_DIAG_STRING_BAD_UTF8, &place);
}

// The name of a class or a part of it lives as long as the schema.
static void set_name(const struct ctf_map *map, struct tk_event *event, uint32_t string) {
    size_t len;
    event->str = ctf_text(map->schema, string, &len);
    event->str_len = (uint32_t)len;
}

// Copies values and their texts.
static void set_values(struct ctf_map *map, struct tk_event *event, struct tk_value *values, uint32_t count) {
    struct tk_arena *memory = &batch_of(map, map->core)->memory;
    for (uint32_t i = 0; i < count; i++) {
        if (values[i].type != TK_VALUE_TEXT) continue;
        values[i].text = values[i].text_len ? tk_arena_copy(memory, values[i].text, values[i].text_len) : "";
        if (!values[i].text) values[i].text_len = 0;
        map->copied += values[i].text_len;
    }
    event->values = count ? tk_arena_copy(memory, values, count * sizeof *values) : NULL;
    event->value_count = event->values ? (uint8_t)count : 0;
    map->copied += count * sizeof *values;
}

static void set_all_values(struct ctf_map *map, struct tk_event *event, const struct ctf_event *of) {
    struct tk_value values[CTF_VALUES];
    uint32_t count = ctf_values_of(map->reader, of, values);
    for (uint32_t i = 0; i < count; i++) // ids of objects are addresses
        if (values[i].type == TK_VALUE_UINT && values[i].name_len >= 2 && map->schema->is_rtos &&
            !memcmp(values[i].name + values[i].name_len - 2, "id", 2))
            values[i].type = TK_VALUE_HEX;
    set_values(map, event, values, count);
}

static void emit_name(struct ctf_map *map, enum tk_event_kind kind, uint32_t entity, const char *text, size_t len) {
    struct tk_event *event = emit(map, kind, false);
    event->name.entity = entity;
    set_text(map, event, text, len);
}

// Appends the variable at an address, "uart_sem" or "console+8"; unknown: the noun and the address.
static void put_object(const struct ctf_map *map, struct tk_text *text, uint32_t id, const char *noun) {
    struct tk_symbol symbol;
    char shown[TK_SHOWN_NAME_LEN];
    if (map->host->symbols && tk_symbols_variable(map->host->symbols, id, &symbol)) {
        tk_text_put(text, shown, tk_symbols_shown(&symbol, shown));
        if (symbol.offset) tk_text_char(text, '+'), tk_text_u64(text, symbol.offset);
        return;
    }
    tk_text_add(text, noun);
    if (noun[0]) tk_text_char(text, ' ');
    tk_text_hex(text, id, 1);
}

static void emit_address_name(struct ctf_map *map, enum tk_event_kind kind, uint32_t id, const char *noun) {
    char room[TK_SHOWN_NAME_LEN + 24];
    struct tk_text text = tk_text_in(room, sizeof room);
    put_object(map, &text, id, noun);
    emit_name(map, kind, id, text.text, text.len);
}

// ---- Threads -------------------------------------------------------------------------------------

static struct ctf_core *core_of(struct ctf_map *map) { return &map->cores[map->core]; }

static struct ctf_thread *running(struct ctf_map *map) {
    uint32_t index = core_of(map)->running;
    return index == TK_NONE ? NULL : &map->threads[index];
}

// "idle", or "idle 01" with several CPUs.
static bool is_idle_name(const uint8_t *name, size_t len) {
    if (len < 4 || memcmp(name, "idle", 4) != 0) return false;
    for (size_t i = 4; i < len; i++)
        if (name[i] != ' ' && (name[i] < '0' || name[i] > '9')) return false;
    return true;
}

static void mark_idle(struct ctf_map *map, struct ctf_thread *thread, uint32_t core) {
    if (thread->is_idle) return;
    thread->is_idle = true;
    emit(map, TK_EV_TASK_IS_IDLE, false)->idle_task = (struct tk_event_idle_task){ thread->id, core };
}

// The CPU in the name of an idle thread: "idle 01". Without a number the thread is that of the current CPU.
static uint32_t core_in_name(const struct ctf_map *map, const char *name, size_t len) {
    uint32_t core = 0;
    size_t at = len;
    while (at > 4 && name[at - 1] >= '0' && name[at - 1] <= '9') at--;
    for (size_t i = at; i < len && core < TK_MAX_CORES; i++) core = core * 10 + (uint32_t)(name[i] - '0');
    return at < len && core < TK_MAX_CORES ? core : map->core;
}

// Threads without a name are called "unknown".
static void set_thread_name(struct ctf_map *map, struct ctf_thread *thread, const char *name, size_t len) {
    size_t kept = len < sizeof thread->name ? len : sizeof thread->name;
    bool has_name = len && !(len == 7 && !memcmp(name, "unknown", 7));
    memset(thread->name, 0, sizeof thread->name);
    memcpy(thread->name, name, kept);
    if (!has_name && thread->has_name) return;
    if (has_name) emit_name(map, TK_EV_TASK_NAME, thread->id, name, len);
    else emit_address_name(map, TK_EV_TASK_NAME, thread->id, "thread");
    thread->has_name = true;
    if (is_idle_name((const uint8_t *)name, len)) mark_idle(map, thread, core_in_name(map, name, len));
}

// Returns the index of a thread; TK_NONE without memory or above the limit.
static uint32_t find_thread(struct ctf_map *map, uint32_t id) {
    uint32_t index = tk_idmap_find(&map->thread_index, id);
    if (index != TK_NONE || map->thread_count == CTF_MAX_THREADS) return index;
    void *list = map->threads;
    bool added = tk_ids_add(&map->thread_index, map->host->alloc, id, &list, &map->thread_capacity, map->thread_count,
                            sizeof *map->threads);
    map->threads = list;
    if (!added) return TK_NONE;
    map->threads[map->thread_count] = (struct ctf_thread){ .id = id };
    return map->thread_count++;
}

// Finds the thread of an event and keeps its name.
static uint32_t thread_of(struct ctf_map *map, const struct ctf_event *event, uint32_t *out_id) {
    uint64_t id = 0;
    size_t len = 0;
    ctf_role_number(map->reader, event, CTF_ROLE_THREAD, &id);
    *out_id = (uint32_t)id;
    uint32_t index = find_thread(map, *out_id);
    if (index == TK_NONE) return index;
    struct ctf_thread *thread = &map->threads[index];
    const struct ctf_slot *slot = ctf_event_slot(map->schema, event, CTF_ROLE_NAME);
    const char *name = slot ? ctf_slot_text(event->bytes, slot, &len) : "";
    bool is_same = thread->has_name && len <= sizeof thread->name && !memcmp(thread->name, name, len) &&
                   (len == sizeof thread->name || !thread->name[len]);
    if (!is_same && (slot || !thread->has_name)) set_thread_name(map, thread, name, len);
    return index;
}

static void begin_switching(struct ctf_map *map) {
    if (map->knows_waits) return;
    map->knows_waits = true;
    emit(map, TK_EV_BLOCKING_IS_TRACED, false)->blocking_traced.no_operations = 1;
}

static void on_switched_in(struct ctf_map *map, const struct ctf_event *event) {
    struct ctf_core *core = core_of(map);
    uint32_t id, index = thread_of(map, event, &id);
    begin_switching(map);
    core->running = index;
    core->has_switched = true;
    core->has_wait = false;
    core->depth = 0; // an interrupt whose exit is missing
    emit(map, TK_EV_TASK_SWITCHED_IN, true)->task.task = id;
}

// The scheduler runs until the next thread is switched in.
static void on_switched_out(struct ctf_map *map, const struct ctf_event *event) {
    struct ctf_core *core = core_of(map);
    uint32_t id, index = thread_of(map, event, &id);
    begin_switching(map);
    if (core->running == TK_NONE && !core->has_switched) { // it ran since before the recording
        core->running = index;
        emit(map, TK_EV_TASK_SWITCHED_IN, true)->task.task = id;
    }
    core->running = TK_NONE;
    core->has_switched = true;
    core->has_wait = false;
    emit(map, TK_EV_CORE_IDLE, true)->core_idle.may_be_ready = 1;
}

// The thread that runs is the idle thread, whatever its name. Without one the core is idle.
static void on_idle(struct ctf_map *map) {
    struct ctf_thread *thread = running(map);
    bool has_no_name = thread && (!thread->name[0] || !memcmp(thread->name, "unknown", sizeof "unknown"));
    if (has_no_name) mark_idle(map, thread, map->core);
    if (!thread && !core_of(map)->depth) emit(map, TK_EV_CORE_IDLE, true);
}

static void on_priority(struct ctf_map *map, const struct ctf_event *event) {
    uint64_t priority = 0;
    uint32_t id;
    thread_of(map, event, &id);
    if (!ctf_role_number(map->reader, event, CTF_ROLE_PRIORITY, &priority)) return;
    emit(map, TK_EV_TASK_PRIORITY_SET, true)->task_priority =
        (struct tk_event_task_priority){ id, (uint32_t)priority, TK_PRIORITY_DECLARED };
}

static void emit_of_thread(struct ctf_map *map, const struct ctf_event *event, enum tk_event_kind kind) {
    uint32_t id;
    thread_of(map, event, &id);
    emit(map, kind, true)->task.task = id; // the families `task` and `task_created` begin with the task
}

// ---- Interrupts ----------------------------------------------------------------------------------

static void on_isr_enter(struct ctf_map *map, const struct ctf_event *event) {
    struct ctf_core *core = core_of(map);
    uint64_t number = 0;
    bool has_number = ctf_role_number(map->reader, event, CTF_ROLE_IRQ, &number);
    if (!has_number && !map->is_isr_named[map->core]) {
        map->is_isr_named[map->core] = true;
        emit_name(map, TK_EV_ISR_NAME, 0, "interrupt", strlen("interrupt"));
    }
    if (core->depth < CTF_DEPTH) core->interrupts[core->depth] = (uint32_t)number;
    core->depth++;
    emit(map, TK_EV_ISR_ENTER, true)->isr.isr = (uint32_t)number;
}

static void on_isr_exit(struct ctf_map *map) {
    struct ctf_core *core = core_of(map);
    if (!core->depth) return; // its beginning is not in the recording
    core->depth--;
    if (core->depth < CTF_DEPTH) emit(map, TK_EV_ISR_EXIT, true)->isr.isr = core->interrupts[core->depth];
}

// ---- Objects -------------------------------------------------------------------------------------

static uint32_t entity_key(enum ctf_object kind, uint32_t id) { return kind == CTF_TIMER ? ~id : id; }

// Returns an object of the model, which is introduced at its first use; NULL: it has no counterpart in the model.
static struct ctf_entity *entity_of(struct ctf_map *map, enum ctf_object kind, uint32_t id) {
    static const uint8_t queue_kinds[] = {
        [CTF_SEMAPHORE] = TK_QUEUE_SEMAPHORE, [CTF_MUTEX] = TK_QUEUE_MUTEX,  [CTF_MESSAGE_QUEUE] = TK_QUEUE_BASE,
        [CTF_QUEUE] = TK_QUEUE_BASE,          [CTF_FIFO] = TK_QUEUE_BASE,    [CTF_LIFO] = TK_QUEUE_BASE,
        [CTF_STACK] = TK_QUEUE_BASE,          [CTF_MAILBOX] = TK_QUEUE_BASE, [CTF_PIPE] = TK_QUEUE_BASE
    };
    if (kind == CTF_NO_OBJECT || kind == CTF_OTHER_OBJECT) return NULL;
    uint64_t key = (uint64_t)(kind == CTF_TIMER) << 32 | entity_key(kind, id);
    uint32_t index = tk_idmap_find(&map->entity_index, key);
    if (index != TK_NONE) return &map->entities[index];
    if (map->entity_count == CTF_MAX_OBJECTS) return NULL;
    void *list = map->entities;
    bool added = tk_ids_add(&map->entity_index, map->host->alloc, key, &list, &map->entity_capacity, map->entity_count,
                            sizeof *map->entities);
    map->entities = list;
    if (!added) return NULL;
    struct ctf_entity *entity = &map->entities[map->entity_count++];
    *entity = (struct ctf_entity){ .id = id, .kind = (uint8_t)kind, .owner = TK_NONE };
    if (kind == CTF_TIMER) {
        emit_address_name(map, TK_EV_TIMER_NAME, id, ctf_noun_of(kind));
        return entity;
    }
    emit(map, TK_EV_QUEUE_KIND, false)->queue_kind = (struct tk_event_queue_kind){ id, queue_kinds[kind] };
    emit_address_name(map, TK_EV_QUEUE_NAME, id, ctf_noun_of(kind));
    return entity;
}

static uint32_t object_id(const struct ctf_map *map, const struct ctf_event *event, bool *out_has) {
    uint64_t id = 0;
    *out_has = ctf_role_number(map->reader, event, CTF_ROLE_OBJECT, &id);
    return (uint32_t)id;
}

static bool succeeded(const struct ctf_map *map, const struct ctf_event *event) {
    uint64_t result = 0;
    ctf_role_number(map->reader, event, CTF_ROLE_RESULT, &result);
    return !(uint32_t)result;
}

// Mutexes of Zephyr are recursive: the first lock takes it, the last unlock gives it.
static void on_mutex(struct ctf_map *map, const struct ctf_event *event, bool is_lock) {
    struct ctf_core *core = core_of(map);
    bool has_id;
    uint32_t id = object_id(map, event, &has_id);
    if (!has_id || !succeeded(map, event) || core->depth || core->running == TK_NONE) return;
    struct ctf_entity *mutex = entity_of(map, CTF_MUTEX, id);
    if (!mutex) return;
    if (is_lock && mutex->locks && mutex->owner == core->running) {
        mutex->locks++;
        return;
    }
    if (!is_lock && mutex->owner == core->running && mutex->locks > 1) {
        mutex->locks--;
        return;
    }
    mutex->owner = is_lock ? core->running : TK_NONE;
    mutex->locks = is_lock;
    emit(map, is_lock ? TK_EV_QUEUE_RECEIVE : TK_EV_QUEUE_SEND, true)->queue_operation =
        (struct tk_event_queue_operation){ id, !is_lock };
}

// Times of timers are microseconds, not ticks: the call shows them.
static void on_timer(struct ctf_map *map, const struct ctf_event *event) {
    bool has_id;
    uint32_t id = object_id(map, event, &has_id);
    if (!has_id || !entity_of(map, CTF_TIMER, id)) return;
    switch (event->class->meaning) {
    case CTF_TIMER_STARTED:
        emit(map, TK_EV_TIMER_STARTED, true)->timer_started =
            (struct tk_event_timer_started){ .timer = id, .call = TK_TIMER_START };
        break;
    case CTF_TIMER_STOPPED: emit(map, TK_EV_TIMER_STOPPED, true)->timer.timer = id; break;
    default: emit(map, TK_EV_TIMER_EXPIRED, true)->timer_expired.timer = id; break;
    }
}

static void on_named_event(struct ctf_map *map, const struct ctf_event *event) {
    const struct ctf_slot *slot = ctf_event_slot(map->schema, event, CTF_ROLE_NAME);
    struct tk_value values[CTF_VALUES], shown[CTF_VALUES];
    size_t len;
    if (!slot) return;
    const char *name = ctf_slot_text(event->bytes, slot, &len);
    uint32_t before = map->markers.count,
             marker = before < CTF_MAX_MARKERS ? tk_strtab_intern(&map->markers, map->host->alloc, name, len) : 0;
    bool is_new = map->markers.count > before;
    if (marker) marker += part_of(map) * CTF_MAX_MARKERS;
    if (is_new) emit_name(map, TK_EV_MARKER_NAME, marker, name, len);
    struct tk_event *emitted = emit(map, TK_EV_MARKER, true);
    emitted->marker.marker = marker;
    if (!marker) set_text(map, emitted, name, len);
    uint32_t count = ctf_values_of(map->reader, event, values), kept = 0;
    for (uint32_t i = 0; i < count; i++)
        if (&map->schema->slots[event->class->slots + i] != slot) shown[kept++] = values[i];
    set_values(map, emitted, shown, kept);
}

// ---- Calls ---------------------------------------------------------------------------------------

static void define_track(struct ctf_map *map, uint32_t track, const struct tk_track_def *def, const char *name,
                         size_t len) {
    struct tk_event *event = emit(map, TK_EV_TRACK_DEFINED, false);
    event->track_defined =
        (struct tk_event_track_defined){ track, tk_arena_copy(&batch_of(map, map->core)->memory, def, sizeof *def) };
    set_text(map, event, name, len);
}

static uint32_t track_of_calls(struct ctf_map *map, struct ctf_thread *thread) {
    static const char words[] = "Calls of the kernel by this thread";
    if (thread->track) return thread->track;
    const struct tk_track_def def = { .parent_kind = TK_PARENT_TASK_DETAILS,
                                      .type = TK_TRACK_OF_SLICES,
                                      .category = TK_CATEGORY_CALL,
                                      .ends_at_loss = true,
                                      .parent = thread->id,
                                      .description = words,
                                      .description_len = sizeof words - 1 };
    thread->track = part_of(map) * TRACKS_OF_INPUT + FIRST_CALLS + (uint32_t)(thread - map->threads);
    define_track(map, thread->track, &def, "API calls", strlen("API calls"));
    return thread->track;
}

static void end_call(struct ctf_map *map, struct ctf_thread *thread, const struct ctf_event *event, bool is_seen) {
    uint64_t result;
    thread->depth--;
    struct tk_event *end = emit(map, TK_EV_TRACK_END, true);
    end->track_end.track = thread->track;
    end->mark = is_seen ? TK_END_SEEN : TK_END_LOST;
    if (!event || !ctf_role_number(map->reader, event, CTF_ROLE_RESULT, &result)) return;
    const struct ctf_slot *slot = ctf_slot_of(map->schema, event->class, CTF_ROLE_RESULT);
    struct tk_value value = { .name = "result", .type = slot->is_signed ? TK_VALUE_INT : TK_VALUE_UINT };
    value.number.u = result;
    set_values(map, end, &value, 1);
}

static void end_all_calls(struct ctf_map *map, struct ctf_thread *thread) {
    while (thread->depth) end_call(map, thread, NULL, false);
}

// Returns the number of calls outside of the innermost open one of this kind; thread->depth: none is open.
static unsigned find_call(const struct ctf_thread *thread, uint32_t base) {
    for (unsigned at = thread->depth; at > 0; at--)
        if (thread->calls[at - 1].base == base) return at - 1;
    return thread->depth;
}

static void enter_call(struct ctf_map *map, struct ctf_thread *thread, const struct ctf_event *event) {
    const struct ctf_class *class = event->class;
    unsigned open = find_call(thread, class->base);
    while (thread->depth > open) end_call(map, thread, NULL, false); // its exit is not recorded
    if (thread->depth == CTF_CALLS) end_all_calls(map, thread);
    uint32_t track = track_of_calls(map, thread);
    struct ctf_open_call *call = &thread->calls[thread->depth++];
    *call = (struct ctf_open_call){ .base = class->base, .kind = class->object, .is_send = class->is_send };
    call->object = object_id(map, event, &call->has_object);
    struct tk_event *begin = emit(map, TK_EV_TRACK_BEGIN, true);
    begin->track_slice.track = track;
    set_name(map, begin, class->base);
    set_all_values(map, begin, event);
}

static void exit_call(struct ctf_map *map, struct ctf_thread *thread, const struct ctf_event *event) {
    unsigned open = find_call(thread, event->class->base);
    if (open == thread->depth) return; // it was entered before the recording
    while (thread->depth > open + 1) end_call(map, thread, NULL, false);
    end_call(map, thread, event, true);
}

// An event of the running thread or interrupt.
static void on_call(struct ctf_map *map, const struct ctf_event *event) {
    const struct ctf_class *class = event->class;
    struct ctf_thread *thread = core_of(map)->depth ? NULL : running(map);
    bool is_pair = class->is_paired && class->part != CTF_WHOLE;
    if (thread && class->part == CTF_EXIT && is_pair) {
        exit_call(map, thread, event);
    } else if (thread && class->part == CTF_ENTER && is_pair) {
        enter_call(map, thread, event);
    } else if (is_pair && class->part != CTF_ENTER) { // of an interrupt: the entry is shown
    } else if (thread) {
        if (class->part == CTF_BLOCKING) return; // the wait is shown
        uint32_t track = track_of_calls(map, thread);
        struct tk_event *instant = emit(map, TK_EV_TRACK_INSTANT, true);
        instant->track_slice.track = track;
        set_name(map, instant, class->name);
        set_all_values(map, instant, event);
    } else {
        struct tk_event *call = emit(map, TK_EV_KERNEL_CALL, true);
        set_name(map, call, is_pair ? class->base : class->name);
        set_all_values(map, call, event);
    }
}

// ---- Waits ---------------------------------------------------------------------------------------

static void emit_reason(struct ctf_map *map, const char *words, size_t len) {
    set_text(map, emit(map, TK_EV_BLOCK_WITH_REASON, true), words, len);
    core_of(map)->has_wait = true;
}

// "condvar_wait 0x20001000"
static void emit_call_as_reason(struct ctf_map *map, const struct ctf_open_call *call) {
    char room[TK_SHOWN_NAME_LEN + 96];
    struct tk_text text = tk_text_in(room, sizeof room);
    size_t len;
    const char *base = ctf_text(map->schema, call->base, &len);
    tk_text_put(&text, base, len);
    if (call->has_object) tk_text_char(&text, ' '), put_object(map, &text, call->object, "");
    emit_reason(map, text.text, text.len);
}

// timeout: in microseconds; only an endless one has the same meaning in ticks.
static void emit_wait(struct ctf_map *map, const struct ctf_open_call *call, uint64_t timeout) {
    bool is_queue =
        call->has_object && call->kind != CTF_TIMER && entity_of(map, (enum ctf_object)call->kind, call->object);
    if (!is_queue) {
        emit_call_as_reason(map, call);
        return;
    }
    bool is_endless = timeout >= FOREVER && timeout <= UINT32_MAX;
    emit(map, call->is_send ? TK_EV_BLOCK_ON_SEND : TK_EV_BLOCK_ON_RECEIVE, true)->queue_wait =
        (struct tk_event_queue_wait){ call->object, is_endless ? UINT32_MAX : 0,
                                      is_endless ? TK_TIMEOUT_TICKS : TK_TIMEOUT_UNKNOWN };
    core_of(map)->has_wait = true;
}

// The running thread waits from its next switch on.
static void on_blocking(struct ctf_map *map, const struct ctf_event *event) {
    uint64_t timeout = 0;
    if (core_of(map)->depth || !running(map)) return;
    struct ctf_open_call call = { .base = event->class->base,
                                  .kind = event->class->object,
                                  .is_send = event->class->is_send };
    call.object = object_id(map, event, &call.has_object);
    uint64_t thread;
    if (!call.has_object && ctf_role_number(map->reader, event, CTF_ROLE_THREAD, &thread))
        call.object = (uint32_t)thread, call.has_object = true; // thread_join
    ctf_role_number(map->reader, event, CTF_ROLE_TIMEOUT, &timeout);
    emit_wait(map, &call, timeout);
}

// The scheduler tells that the thread waits. What it waits for is known from the event before, or from its open call.
static void on_pending(struct ctf_map *map, const struct ctf_event *event) {
    struct ctf_core *core = core_of(map);
    uint32_t id, index = thread_of(map, event, &id);
    if (core->has_wait || index == TK_NONE || index != core->running) return;
    const struct ctf_thread *thread = &map->threads[index];
    if (thread->depth) emit_wait(map, &thread->calls[thread->depth - 1], 0);
    else emit_reason(map, not_recorded, strlen(not_recorded));
}

static void on_sleep(struct ctf_map *map, const struct ctf_event *event) {
    uint64_t timeout = 0;
    if (core_of(map)->depth || !running(map)) return;
    ctf_role_number(map->reader, event, CTF_ROLE_TIMEOUT, &timeout);
    if (timeout) emit_reason(map, "sleep", strlen("sleep")); // else it only yields
}

// A wait that was announced did not happen: the call returned without a switch.
static void cancel_wait(struct ctf_map *map) {
    struct ctf_core *core = core_of(map);
    const struct ctf_thread *thread = running(map);
    if (!core->has_wait || core->depth || !thread) return;
    core->has_wait = false;
    emit(map, TK_EV_TASK_READY, true)->task.task = thread->id;
}

// ---- Events of other systems ---------------------------------------------------------------------

// Returns the track of the events of a core, or of the calls of one kind.
static uint32_t track_of_events(struct ctf_map *map, uint32_t base) {
    uint64_t key = (uint64_t)base << 8 | map->core;
    uint32_t index = tk_idmap_find(&map->tracks, key), first = part_of(map) * TRACKS_OF_INPUT + FIRST_EVENTS;
    if (index != TK_NONE) return base ? first + index : FIRST_CPU + map->core;
    if (map->track_count == CTF_MAX_TRACKS || !tk_idmap_set(&map->tracks, map->host->alloc, key, map->track_count))
        return 0;
    char room[128];
    struct tk_text name = tk_text_in(room, sizeof room);
    size_t len;
    if (!map->has_group)
        define_track(map, GROUP, &(struct tk_track_def){ .parent_kind = TK_PARENT_ROOT, .type = TK_TRACK_OF_GROUP },
                     "Events", strlen("Events"));
    map->has_group = true;
    if (base) {
        const char *text = ctf_text(map->schema, base, &len);
        tk_text_put(&name, text, len);
        tk_text_char(&name, ' ');
    }
    tk_text_add(&name, "CPU ");
    tk_text_u64(&name, map->core);
    const struct tk_track_def def = { .parent_kind = TK_PARENT_TRACK,
                                      .parent = GROUP,
                                      .type = TK_TRACK_OF_SLICES,
                                      .ends_at_loss = true,
                                      .rank = (int32_t)map->track_count };
    uint32_t track = base ? first + map->track_count : FIRST_CPU + map->core;
    define_track(map, track, &def, name.text, name.len);
    map->track_count++;
    return track;
}

static void on_other(struct ctf_map *map, const struct ctf_event *event) {
    const struct ctf_class *class = event->class;
    bool is_slice = class->is_paired && (class->part == CTF_ENTER || class->part == CTF_EXIT);
    uint32_t track = track_of_events(map, is_slice ? class->base : 0);
    if (!track) return;
    struct tk_event *emitted;
    if (is_slice && class->part == CTF_EXIT) {
        emitted = emit(map, TK_EV_TRACK_END, true);
        emitted->track_end.track = track;
    } else {
        emitted = emit(map, is_slice ? TK_EV_TRACK_BEGIN : TK_EV_TRACK_INSTANT, true);
        emitted->track_slice.track = track;
        set_name(map, emitted, is_slice ? class->base : class->name);
    }
    set_all_values(map, emitted, event);
}

// ---- All events ----------------------------------------------------------------------------------

static void on_rtos_event(struct ctf_map *map, const struct ctf_event *event) {
    const struct ctf_class *class = event->class;
    uint32_t id, index;
    bool has_id;
    if (class->part == CTF_EXIT && class->is_paired) cancel_wait(map);
    switch ((enum ctf_meaning) class->meaning) {
    case CTF_SWITCHED_IN: on_switched_in(map, event); return;
    case CTF_SWITCHED_OUT: on_switched_out(map, event); return;
    case CTF_PRIORITY_SET: on_priority(map, event); return;
    case CTF_THREAD_CREATED: emit_of_thread(map, event, TK_EV_TASK_CREATED); return;
    case CTF_THREAD_ABORTED:
        index = thread_of(map, event, &id);
        if (index != TK_NONE) end_all_calls(map, &map->threads[index]);
        emit_of_thread(map, event, TK_EV_TASK_DELETED);
        return;
    case CTF_THREAD_SUSPENDED: emit_of_thread(map, event, TK_EV_TASK_SUSPENDED); return;
    case CTF_THREAD_RESUMED: emit_of_thread(map, event, TK_EV_TASK_RESUMED); return;
    case CTF_THREAD_READY: emit_of_thread(map, event, TK_EV_TASK_READY); return;
    case CTF_THREAD_PENDING: on_pending(map, event); return;
    case CTF_ISR_ENTER: on_isr_enter(map, event); return;
    case CTF_ISR_EXIT: on_isr_exit(map); return;
    case CTF_IDLE: on_idle(map); return;
    case CTF_NAMED_EVENT: on_named_event(map, event); return;
    case CTF_THREAD_NAMED: thread_of(map, event, &id); return;
    case CTF_OBJECT_INIT:
        id = object_id(map, event, &has_id);
        if (has_id) entity_of(map, (enum ctf_object) class->object, id);
        break;
    case CTF_MUTEX_LOCKED: on_mutex(map, event, true); break;
    case CTF_MUTEX_UNLOCKED: on_mutex(map, event, false); break;
    case CTF_TIMER_STARTED:
    case CTF_TIMER_STOPPED:
    case CTF_TIMER_EXPIRED: on_timer(map, event); break;
    case CTF_SLEEP:
    case CTF_OTHER: break;
    }
    if (class->part == CTF_BLOCKING) on_blocking(map, event);
    on_call(map, event);
    if (class->meaning == CTF_SLEEP) on_sleep(map, event);
}

// Shows the event in a dump of records.
static void show_record(const struct ctf_map *map, const struct ctf_event *of) {
    struct tk_value values[CTF_VALUES + 1] = { { .name = "cpu_id", .type = TK_VALUE_UINT, .number.u = map->core } };
    uint32_t before = map->shows_cpu;
    struct tk_event event = { .timed = true,
                              .ticks = map->ns,
                              .input = (uint8_t)map->host->input,
                              .core = (uint8_t)map->core,
                              .offset = map->offset,
                              .frame = map->number,
                              .frame_len = map->len };
    set_name(map, &event, of->class->name);
    event.value_count = (uint8_t)(before + ctf_values_of(map->reader, of, values + before));
    event.values = values;
    map->host->on_record_decoded(map->host->dump_ctx, &event, 0);
}

void ctf_map_event(struct ctf_map *map, const struct ctf_event *event) {
    if (map->host->on_record_decoded) show_record(map, event);
    if (map->schema->is_rtos) on_rtos_event(map, event);
    else on_other(map, event);
    core_of(map)->last_ns = map->ns;
    core_of(map)->is_seen = true;
}

static void forget_core(struct ctf_core *core) {
    core->running = TK_NONE;
    core->depth = 0;
    core->has_wait = core->has_switched = false;
}

// After a loss, open calls and the owners of mutexes are unknown.
static void forget_objects(struct ctf_map *map) {
    for (uint32_t i = 0; i < map->thread_count; i++) map->threads[i].depth = 0;
    for (uint32_t i = 0; i < map->entity_count; i++) map->entities[i].locks = 0, map->entities[i].owner = TK_NONE;
}

void ctf_map_damage(struct ctf_map *map, uint64_t offset, uint64_t number, uint32_t len) {
    map->offset = offset;
    map->number = number;
    map->len = len;
    for (unsigned core = 0; core < TK_MAX_CORES; core++) {
        if (!map->cores[core].is_seen) continue;
        map->core = core;
        emit(map, TK_EV_PROBLEM, false)->problem.diag = TK_DIAG_NOT_A_RECORD;
        forget_core(&map->cores[core]);
    }
    forget_objects(map);
}

void ctf_map_lost(struct ctf_map *map, uint64_t count) {
    struct tk_event *event = emit(map, TK_EV_EVENTS_LOST, true);
    event->events_lost = (struct tk_event_events_lost){ .count = count > INT64_MAX ? INT64_MAX : (int64_t)count,
                                                        .where = TK_LOST_ON_TARGET,
                                                        .since = core_of(map)->last_ns };
    forget_core(core_of(map));
    forget_objects(map);
}

void ctf_map_init(struct ctf_map *map, const struct tk_decode_host *host, const struct ctf_schema *schema,
                  const struct ctf_reader *reader) {
    map->host = host;
    map->schema = schema;
    map->reader = reader;
    for (unsigned core = 0; core < TK_MAX_CORES; core++) map->cores[core].running = TK_NONE;
}
