// SPDX-License-Identifier: MIT
//
// Turns packets of SystemView into events of the model: section "What is shown" of docs/formats/systemview.md.
#include "map.h"

#include <string.h>

#include "../../base/decimal.h"
#include "../../base/duration.h"
#include "../../base/utf8.h"
#include "../kit/ids.h"
#include "../kit/printf.h"
#include "description.h"

// Groups of tracks: numbers of TRACK_DEFINED, as those of track_number.
enum { TIMERS = 1, MODULES, DATA };

// ---- Events --------------------------------------------------------------------------------------

struct tk_event *sv_emit(struct sv_map *map, enum tk_event_kind kind, unsigned core, bool timed) {
    struct tk_event *event = tk_batch_slot(map->batch);
    *event = map->place;
    event->ticks = tk_rate_ns(&map->rate, map->counts);
    event->kind = (uint8_t)kind;
    event->core = (uint8_t)core;
    event->timed = timed;
    tk_batch_add(map->batch);
    return event;
}

void sv_set_text(const struct sv_map *map, struct tk_event *event, const char *text, size_t len) {
    size_t bad = 0;
    uint8_t *clean = tk_arena_reserve(&map->batch->memory, len * TK_UTF8_GROWTH);
    event->str = (const char *)clean;
    event->str_len = clean ? (uint32_t)tk_utf8_clean((const uint8_t *)text, len, clean, &bad) : 0;
    tk_arena_commit(&map->batch->memory, event->str_len);
    if (!bad) return;
    struct tk_source_pos place = tk_event_trace_pos(event);
    tk_diag_count(map->host->diag, TK_DIAG_STRING_BAD_UTF8, &place);
}

void sv_set_values(const struct sv_map *map, struct tk_event *event, const struct tk_value *values, uint8_t count) {
    event->values = count ? tk_arena_copy(&map->batch->memory, values, count * sizeof *values) : NULL;
    event->value_count = event->values ? count : 0;
}

static void emit_name(struct sv_map *map, enum tk_event_kind kind, uint32_t entity, const char *text, size_t len) {
    struct tk_event *event = sv_emit(map, kind, map->host->core, false);
    event->name.entity = entity;
    sv_set_text(map, event, text, len);
}

// ---- Tasks ---------------------------------------------------------------------------------------

// Returns the index of an announced task; TK_NONE without memory or above the limit.
static uint32_t announce(struct sv_map *map, uint32_t id) {
    uint32_t index = sv_find_task(map, id);
    if (index != TK_NONE || map->task_count == SV_MAX_TASKS) return index;
    void *list = map->tasks;
    bool added = tk_ids_add(&map->task_index, map->host->alloc, id, &list, &map->task_capacity, map->task_count,
                            sizeof *map->tasks);
    map->tasks = list;
    if (!added) return TK_NONE;
    map->tasks[map->task_count] = (struct sv_task){ .id = id };
    return map->task_count++;
}

// embOS: a task that has ended is created again.
static void revive(struct sv_map *map, unsigned core, uint32_t index) {
    if (index == TK_NONE || !map->tasks[index].is_terminated) return;
    map->tasks[index].is_terminated = false;
    sv_emit(map, TK_EV_TASK_CREATED, core, true)->task_created.task = map->tasks[index].id;
}

static void on_start_exec(struct sv_map *map, unsigned core, const struct sv_packet *packet) {
    struct sv_core *on = &map->cores[core % SV_CORES];
    uint32_t id = packet->fields[0], index = packet->task != TK_NONE ? packet->task : announce(map, id);
    if (map->is_embos) revive(map, core, index);
    if (index != on->running) on->last_call.call = 0; // NuttX: else the task was only interrupted
    on->running = index;
    on->is_idle = false;
    on->depth = 0; // an interrupt whose exit is missing
    sv_emit(map, TK_EV_TASK_SWITCHED_IN, core, true)->task.task = id;
}

static void on_start_ready(struct sv_map *map, unsigned core, const struct sv_packet *packet) {
    struct sv_task *task = packet->task != TK_NONE ? &map->tasks[packet->task] : NULL;
    struct sv_core *on = &map->cores[core % SV_CORES];
    struct sv_waking_call *waking = &on->waking;
    if (map->is_embos) revive(map, core, packet->task);
    if (waking->next == map->place.frame) {
        if (task && packet->task == on->running) waking->next++; // it gives back a mutex, and its priority changes
        else if (task && task->wait.cause) task->wait.woken_by = *waking;
    }
    sv_emit(map, TK_EV_TASK_READY, core, true)->task.task = packet->fields[0];
}

// may_be_ready: only the running task has stopped.
static void on_idle(struct sv_map *map, unsigned core, bool may_be_ready) {
    struct sv_core *on = &map->cores[core % SV_CORES];
    on->running = TK_NONE;
    on->is_idle = true;
    on->depth = 0;
    sv_emit(map, TK_EV_CORE_IDLE, core, true)->core_idle.may_be_ready = may_be_ready;
}

static void on_stop_exec(struct sv_map *map, unsigned core) {
    struct sv_core *on = &map->cores[core % SV_CORES];
    if (map->is_nuttx) {
        on->stop = (struct sv_held_stop){ map->counts, map->place, true };
        return;
    }
    if (map->is_embos && on->running != TK_NONE) {
        uint32_t id = map->tasks[on->running].id;
        map->tasks[on->running].is_terminated = true;
        sv_end_calls(map, core, id);
        sv_emit(map, TK_EV_TASK_DELETED, core, true)->task.task = id;
    }
    on_idle(map, core, true);
}

// NuttX records that the task stops at each interrupt, and that it goes on after it. next: the next packet.
static void release_stop(struct sv_map *map, unsigned core, uint32_t next) {
    struct sv_core *on = &map->cores[core % SV_CORES];
    struct tk_event place = map->place;
    uint64_t counts = map->counts;
    if (!on->stop.is_held) return;
    on->stop.is_held = false;
    if (next == SV_ISR_ENTER) return;
    map->counts = on->stop.counts;
    map->place = on->stop.place;
    on_idle(map, core, next != SV_IDLE);
    map->counts = counts;
    map->place = place;
}

const char *sv_name_of(const struct sv_map *map, uint32_t id, bool is_resource, size_t *out_len) {
    uint32_t task = is_resource ? TK_NONE : sv_find_task(map, id), name = 0;
    if (is_resource) name = tk_idmap_find(&map->resource_names, id);
    else if (task != TK_NONE) name = map->tasks[task].name;
    return tk_strtab_text(&map->names, name == TK_NONE ? 0 : name, out_len);
}

static uint32_t keep_name(struct sv_map *map, const struct sv_packet *packet) {
    return tk_strtab_intern(&map->names, map->host->alloc, packet->text, packet->text_len);
}

static void on_resource_name(struct sv_map *map, const struct sv_packet *packet) {
    uint32_t name = keep_name(map, packet);
    bool is_known = tk_idmap_find(&map->resource_names, packet->fields[0]) != TK_NONE;
    if (name && (is_known || map->resource_count < SV_MAX_RESOURCES) &&
        tk_idmap_set(&map->resource_names, map->host->alloc, packet->fields[0], name))
        map->resource_count += !is_known;
    emit_name(map, TK_EV_QUEUE_NAME, packet->fields[0], packet->text, packet->text_len);
    if (tk_idmap_find(&map->heaps, packet->fields[0]) != TK_NONE)
        emit_name(map, TK_EV_HEAP_NAME, packet->fields[0], packet->text, packet->text_len);
}

static void on_task_info(struct sv_map *map, const struct sv_packet *packet) {
    uint32_t id = packet->fields[0], index = announce(map, id);
    if (map->is_embos) revive(map, sv_core_of(map, packet), index);
    if (index != TK_NONE) map->tasks[index].name = keep_name(map, packet);
    emit_name(map, TK_EV_TASK_NAME, id, packet->text, packet->text_len);
    sv_emit(map, TK_EV_TASK_PRIORITY_SET, sv_core_of(map, packet), true)->task_priority =
        (struct tk_event_task_priority){ id, packet->fields[1], TK_PRIORITY_DECLARED };
}

static void on_stack_info(struct sv_map *map, const struct sv_packet *packet) {
    uint32_t base = packet->fields[1], size = packet->fields[2], used = packet->fields[3];
    if (base < size) size = base;                                // one of the ports for Zephyr swaps them
    if (packet->field_count < 4 || !used || used > size) return; // 0: the recorder does not know it
    sv_emit(map, TK_EV_STACK_FREE, sv_core_of(map, packet), true)->task_stack =
        (struct tk_event_task_stack){ packet->fields[0], (size - used) / 4 };
}

// ---- Interrupts ----------------------------------------------------------------------------------

static void on_isr_enter(struct sv_map *map, unsigned core, uint32_t isr) {
    struct sv_core *on = &map->cores[core % SV_CORES];
    if (on->depth < SV_DEPTH) on->interrupts[on->depth] = isr;
    on->depth++;
    sv_emit(map, TK_EV_ISR_ENTER, core, true)->isr.isr = isr;
}

static void on_isr_exit(struct sv_map *map, unsigned core) {
    struct sv_core *on = &map->cores[core % SV_CORES];
    if (!on->depth) return; // its beginning is not in the recording
    on->depth--;
    if (on->depth < SV_DEPTH) sv_emit(map, TK_EV_ISR_EXIT, core, true)->isr.isr = on->interrupts[on->depth];
}

// ---- Tracks --------------------------------------------------------------------------------------

static const struct tk_track_def groups[] = {
    [TIMERS] = { .parent_kind = TK_PARENT_TARGET, .type = TK_TRACK_OF_GROUP },
    [MODULES] = { .parent_kind = TK_PARENT_TARGET, .type = TK_TRACK_OF_GROUP },
    [DATA] = { .parent_kind = TK_PARENT_ROOT, .type = TK_TRACK_OF_GROUP },
};
static const char *const group_names[] = { [TIMERS] = "Software timers", [MODULES] = "Modules", [DATA] = "Data" };

static void define(struct sv_map *map, uint32_t track, const struct tk_track_def *def, const char *name, size_t len) {
    struct tk_event *event = sv_emit(map, TK_EV_TRACK_DEFINED, map->host->core, false);
    event->track_defined =
        (struct tk_event_track_defined){ track, tk_arena_copy(&map->batch->memory, def, sizeof *def) };
    sv_set_text(map, event, name, len);
}

// The number of a track. The recordings of several cores share the tracks of what has the same number in all of them.
static uint32_t track_number(const struct sv_map *map, enum sv_track_kind kind, uint32_t number, uint32_t index) {
    enum { KIND = 28, FURTHER = 15, INPUT = 16 };
    bool has_room = number < UINT32_C(1) << KIND;
    return has_room ? ((uint32_t)kind + 1) << KIND | number
                    : (uint32_t)FURTHER << KIND | (map->host->input & 0xFF) << INPUT | index;
}

static uint64_t track_key(enum sv_track_kind kind, uint32_t number) { return (uint64_t)kind << 32 | number; }

static void define_below(struct sv_map *map, uint32_t track, enum sv_track_kind kind, uint32_t number,
                         const struct tk_track_def *def, const char *name, size_t len) {
    static const uint8_t group_of[] = {
        [SV_TRACK_TIMER] = TIMERS, [SV_TRACK_MODULE] = MODULES, [SV_TRACK_DATA] = DATA
    };
    struct tk_track_def own = *def;
    if (kind == SV_TRACK_CALLS || kind == SV_TRACK_MESSAGES) {
        own.parent_kind = kind == SV_TRACK_CALLS ? TK_PARENT_TASK_DETAILS : TK_PARENT_ROOT;
        own.parent = number;
        define(map, track, &own, name, len);
        return;
    }
    uint32_t group = group_of[kind];
    if (!(map->groups >> group & 1)) define(map, group, &groups[group], group_names[group], strlen(group_names[group]));
    map->groups |= (uint8_t)(1u << group);
    own.parent_kind = TK_PARENT_TRACK;
    own.parent = group;
    define(map, track, &own, name, len);
}

// Returns the index of a track, a new one at its first use; TK_NONE above the limit.
static uint32_t track_index(struct sv_map *map, enum sv_track_kind kind, uint32_t number, bool *out_is_new) {
    uint64_t key = track_key(kind, number);
    uint32_t index = tk_idmap_find(&map->track_index, key);
    *out_is_new = index == TK_NONE;
    if (index != TK_NONE || map->track_count == SV_MAX_TRACKS) return index;
    if (!tk_idmap_set(&map->track_index, map->host->alloc, key, map->track_count)) return TK_NONE;
    return map->track_count++;
}

uint32_t sv_track_of(struct sv_map *map, enum sv_track_kind kind, uint32_t number, const struct tk_track_def *def,
                     const char *name, size_t len) {
    bool is_new;
    uint32_t index = track_index(map, kind, number, &is_new);
    if (index == TK_NONE) return 0;
    uint32_t track = track_number(map, kind, number, index);
    if (is_new) define_below(map, track, kind, number, def, name, len);
    return track;
}

static void on_timer(struct sv_map *map, const struct sv_packet *packet) {
    static const struct tk_track_def slices = { .type = TK_TRACK_OF_SLICES, .ends_at_loss = true };
    unsigned core = sv_core_of(map, packet);
    struct tk_text name = tk_text_in((char[24]){ 0 }, 24);
    tk_text_add(&name, "core ");
    tk_text_u64(&name, core);
    uint32_t track = sv_track_of(map, SV_TRACK_TIMER, core, &slices, name.text, name.len);
    if (!track) return;
    if (packet->id == SV_TIMER_EXIT) {
        sv_emit(map, TK_EV_TRACK_END, core, true)->track_end.track = track;
        return;
    }
    struct tk_event *event = sv_emit(map, TK_EV_TRACK_BEGIN, core, true);
    char room[32];
    struct tk_text words = tk_text_in(room, sizeof room);
    event->track_slice.track = track;
    size_t len;
    const char *resource = sv_name_of(map, packet->fields[0], true, &len);
    if (len) tk_text_put(&words, resource, len);
    else tk_text_add(&words, "timer "), tk_text_hex(&words, packet->fields[0], 0);
    sv_set_text(map, event, words.text, words.len);
}

// ---- Text ----------------------------------------------------------------------------------------

static void on_print(struct sv_map *map, const struct sv_packet *packet) {
    char room[SV_TEXT];
    struct tk_text text = tk_text_in(room, sizeof room);
    struct tk_printf format = { .text = packet->text, .len = packet->text_len, .word = 4 };
    for (uint32_t i = 2; i < packet->field_count && format.count < TK_PRINTF_ARGUMENTS; i++)
        format.arguments[format.count++].word = packet->fields[i];
    tk_printf_put(&text, &format);
    static const struct tk_track_def instants = { .type = TK_TRACK_OF_SLICES,
                                                  .description = "Texts that the target printed",
                                                  .description_len = sizeof "Texts that the target printed" - 1 };
    static const char *const levels[] = { "log", "warning", "error", "error" };
    static const uint8_t priorities[] = { TK_LOG_INFO, TK_LOG_WARNING, TK_LOG_ERROR, TK_LOG_ERROR };
    unsigned core = sv_core_of(map, packet), level = packet->fields[0] & 3;
    uint32_t track = sv_track_of(map, SV_TRACK_MESSAGES, 0, &instants, "Messages", 8);
    struct tk_value value = { .name = "level",
                              .type = TK_VALUE_TEXT,
                              .text = levels[level],
                              .text_len = (uint32_t)strlen(levels[level]) },
                    source = { .name = "source", .type = TK_VALUE_TEXT, .text = "SystemView", .text_len = 10 };
    struct tk_event *event;
    if (track) {
        event = sv_emit(map, TK_EV_TRACK_INSTANT, core, true);
        event->track_slice.track = track;
        sv_set_text(map, event, text.text, text.len);
        sv_set_values(map, event, &value, 1);
    }
    event = sv_emit(map, TK_EV_LOG_MESSAGE, core, true);
    event->log_message.level = priorities[level];
    sv_set_text(map, event, text.text, text.len);
    sv_set_values(map, event, &source, 1);
}

// Chooses among the description files by their names. Reports those that it does not use.
static void choose_description(struct sv_map *map) {
    const struct tk_lookup *first = map->host->lookup ? *map->host->lookup : NULL;
    unsigned best = SV_NO_MATCH;
    uint32_t input;
    map->has_chosen = true;
    map->description = NULL;
    for (const struct tk_lookup *at = first; at; at = at->next) {
        unsigned fits = sv_description_fits(at, !first->next, map->os, &input);
        if (fits > best) best = fits, map->description = at;
    }
    for (const struct tk_lookup *at = first; at; at = at->next) {
        if (at == map->description || map->host->core) continue;
        sv_description_fits(at, false, map->os, &input);
        tk_diag_note(map->host->diag, TK_DIAG_INPUT_UNUSED, &(struct tk_source_pos){ .input = input }, 1);
    }
}

static void on_os(struct sv_map *map) {
    map->is_freertos = !map->os[0] || !strncmp(map->os, "FreeRTOS", 8);
    map->is_nuttx = !strncmp(map->os, "NuttX", 5);
    map->is_embos = !strncmp(map->os, "embOS", 5);
    map->is_zephyr = !strncmp(map->os, "Zephyr", 6);
    if (!map->has_chosen) choose_description(map);
}

// "I#15=SysTick,N=Pump": items of the description of the system.
static void on_description_item(struct sv_map *map, const char *item, size_t len) {
    char *to = NULL;
    if (len > 2 && item[1] == '=') {
        to = item[0] == 'N' ? map->system : item[0] == 'D' ? map->device : item[0] == 'O' ? map->os : NULL;
        struct tk_text text;
        if (!to) return;
        text = tk_text_in(to, sizeof map->system);
        tk_text_put(&text, item + 2, len - 2);
        if (to == map->os) on_os(map);
        if (to == map->device) map->is_esp = !strncmp(map->device, "ESP32", 5);
        return;
    }
    if (len < 4 || item[0] != 'I' || item[1] != '#') return;
    uint32_t number = 0;
    size_t at = 2;
    for (; at < len && at < 6 && item[at] >= '0' && item[at] <= '9'; at++)
        number = number * 10 + (uint32_t)(item[at] - '0');
    if (at == 2 || at >= len || item[at] != '=') return;
    emit_name(map, TK_EV_ISR_NAME, number, item + at + 1, len - at - 1);
}

static void on_description(struct sv_map *map, const struct sv_packet *packet) {
    const char *at = packet->text, *end = at + packet->text_len, *comma;
    for (; at < end; at = comma + 1) {
        comma = memchr(at, ',', (size_t)(end - at));
        if (!comma) comma = end;
        on_description_item(map, at, (size_t)(comma - at));
    }
}

// ---- Modules -------------------------------------------------------------------------------------

static void on_module(struct sv_map *map, const struct sv_packet *packet) {
    uint32_t first = packet->fields[1];
    void *list = map->modules;
    for (uint32_t i = 0; i < map->module_count; i++)
        if (map->modules[i].first == first) return; // described again at a start
    if (map->module_count == SV_MAX_MODULES || !packet->text_len) return;
    bool grown =
        tk_alloc_grow(map->host->alloc, &list, &map->module_capacity, map->module_count + 1, sizeof *map->modules);
    map->modules = list;
    if (!grown) return;
    char *words = tk_alloc_zero(map->host->alloc, packet->text_len);
    if (!words) return;
    memcpy(words, packet->text, packet->text_len);
    map->modules[map->module_count++] =
        (struct sv_module){ .first = first, .words = words, .len = (uint32_t)packet->text_len };
}

// Finds the item of an event in a description "M=Radio, 0 Tx seq=%u, 1 Ack": the words after its number.
static bool find_item(const struct sv_module *module, uint32_t offset, const char **out_words, size_t *out_len) {
    const char *at = module->words, *end = at + module->len, *comma;
    for (; at < end; at = comma + 1) {
        uint32_t number = 0;
        comma = memchr(at, ',', (size_t)(end - at));
        if (!comma) comma = end;
        while (at < comma && *at == ' ') at++;
        const char *digits = at;
        while (at < comma && at - digits < 5 && *at >= '0' && *at <= '9')
            number = number * 10 + (uint32_t)(*at++ - '0');
        if (at == digits || number != offset || at == comma || *at != ' ') continue;
        *out_words = at + 1;
        *out_len = (size_t)(comma - at - 1);
        return true;
    }
    return false;
}

static void name_module(const struct sv_module *module, struct tk_text *name) {
    const char *comma = memchr(module->words, ',', module->len);
    size_t len = comma ? (size_t)(comma - module->words) : module->len,
           skip = len > 2 && module->words[1] == '=' ? 2 : 0;
    tk_text_put(name, module->words + skip, len - skip);
}

// The module with the largest first event that is not above the event. TK_NONE: none.
static uint32_t module_of(const struct sv_map *map, uint32_t event) {
    uint32_t best = TK_NONE;
    for (uint32_t i = 0; i < map->module_count; i++)
        if (map->modules[i].first <= event && (best == TK_NONE || map->modules[i].first > map->modules[best].first))
            best = i;
    return best;
}

int sv_map_described(const struct sv_map *map, const struct sv_packet *packet) {
    uint32_t index = packet->id >= SV_FIRST_MODULE ? module_of(map, packet->id) : TK_NONE;
    const char *text;
    size_t len;
    int count = 0;
    if (index == TK_NONE) return packet->id == SV_EX ? -1 : sv_call_values(map, packet);
    if (!find_item(&map->modules[index], packet->id - map->modules[index].first, &text, &len)) return -1;
    for (size_t i = 0; i < len; i++) count += text[i] == '%';
    return count;
}

static void on_module_event(struct sv_map *map, const struct sv_packet *packet, uint32_t index) {
    static const struct tk_track_def instants = { .type = TK_TRACK_OF_SLICES };
    const struct sv_module *module = &map->modules[index];
    const uint8_t *at = packet->payload, *end = at + packet->payload_len;
    char room[SV_TEXT], name_room[64];
    struct tk_text text = tk_text_in(room, sizeof room), name = tk_text_in(name_room, sizeof name_room);
    struct tk_printf format = { .word = 4 };
    uint32_t number;
    name_module(module, &name);
    uint32_t track = sv_track_of(map, SV_TRACK_MODULE, module->first, &instants, name.text, name.len);
    if (!track) return;
    if (find_item(module, packet->id - module->first, &format.text, &format.len)) {
        while (format.count < TK_PRINTF_ARGUMENTS && at && at < end && (at = sv_number(at, end, &number)))
            format.arguments[format.count++].word = number;
        tk_printf_put(&text, &format);
    } else {
        tk_text_add(&text, "event ");
        tk_text_u64(&text, packet->id - module->first);
    }
    struct tk_event *event = sv_emit(map, TK_EV_TRACK_INSTANT, sv_core_of(map, packet), true);
    event->track_slice.track = track;
    sv_set_text(map, event, text.text, text.len);
}

// ---- Data, heaps, markers ------------------------------------------------------------------------

static void on_data(struct sv_map *map, const struct sv_packet *packet) {
    static const struct tk_track_def counter = { .type = TK_TRACK_OF_COUNTER, .in_signals = true, .is_made_up = true };
    char room[32];
    struct tk_text name = tk_text_in(room, sizeof room);
    tk_text_add(&name, "data ");
    tk_text_u64(&name, packet->fields[0]);
    uint32_t track = sv_track_of(map, SV_TRACK_DATA, packet->fields[0], &counter, name.text, name.len);
    if (!track) return;
    unsigned type = map->data_types[tk_idmap_find(&map->track_index, track_key(SV_TRACK_DATA, packet->fields[0]))];
    uint32_t bits = packet->fields[1];
    if (type == SV_DATA_FLOAT) {
        float real;
        memcpy(&real, &bits, sizeof real);
        sv_emit(map, TK_EV_TRACK_COUNT_DOUBLE, sv_core_of(map, packet), true)->track_count_double =
            (struct tk_event_track_count_double){ track, (double)real };
        return;
    }
    sv_emit(map, TK_EV_TRACK_COUNT, sv_core_of(map, packet), true)->track_count =
        (struct tk_event_track_count){ track, type == SV_DATA_SIGNED ? (int64_t)(int32_t)bits : (int64_t)bits };
}

static void put_data(struct tk_text *text, uint32_t type, uint32_t bits) {
    char room[TK_DOUBLE_LEN];
    float real;
    memcpy(&real, &bits, sizeof real);
    if (type == SV_DATA_FLOAT) tk_text_put(text, room, tk_double_text((double)real, room));
    else if (type == SV_DATA_SIGNED) tk_text_i64(text, (int32_t)bits);
    else tk_text_u64(text, bits);
}

// "data, name [, type [, offset [, least [, most [, bits of the scale [, unit]]]]]]"
static void register_data(struct sv_map *map, const uint8_t *at, const uint8_t *end) {
    static const char *const type_words[] = { "unsigned", "integer", "float" };
    struct tk_track_def counter = { .type = TK_TRACK_OF_COUNTER, .in_signals = true };
    uint32_t data, type = SV_DATA_UNSIGNED, numbers[SV_DATA_NUMBERS - 1] = { 0 }, count = 0; // offset, least, most,
                                                                                             // scale
    const char *name = NULL, *unit = NULL;
    size_t len = 0, unit_len = 0;
    if (!(at = sv_number(at, end, &data)) || !(at = sv_string(at, end, &name, &len))) return;
    if (at < end && (at = sv_number(at, end, &type)) && type > SV_DATA_FLOAT) type = SV_DATA_UNSIGNED;
    while (count < SV_DATA_NUMBERS - 1 && at && at < end && (at = sv_number(at, end, &numbers[count]))) count++;
    if (at && at < end) at = sv_string(at, end, &unit, &unit_len);
    counter.unit = unit ? tk_arena_copy(&map->batch->memory, unit, unit_len) : NULL;
    counter.unit_len = counter.unit ? (uint16_t)unit_len : 0;
    counter.type_words = type_words[type];
    counter.type_words_len = (uint16_t)strlen(type_words[type]);
    char room[96];
    struct tk_text range = tk_text_in(room, sizeof room);
    if (count > 2 && numbers[1] != numbers[2]) {
        tk_text_add(&range, "Range ");
        put_data(&range, type, numbers[1]);
        tk_text_add(&range, " to ");
        put_data(&range, type, numbers[2]);
        counter.description = tk_arena_copy(&map->batch->memory, range.text, range.len);
        counter.description_len = counter.description ? (uint32_t)range.len : 0;
    }
    bool is_new;
    uint32_t index = track_index(map, SV_TRACK_DATA, data, &is_new);
    if (index == TK_NONE) return;
    map->data_types[index] = (uint8_t)type;
    define_below(map, track_number(map, SV_TRACK_DATA, data, index), SV_TRACK_DATA, data, &counter, name, len);
}

// A heap has the name of the resource with its id.
static void keep_heap(struct sv_map *map, uint32_t heap) {
    size_t len;
    if (tk_idmap_find(&map->heaps, heap) != TK_NONE || map->heap_count == SV_MAX_HEAPS ||
        !tk_idmap_set(&map->heaps, map->host->alloc, heap, map->heap_count))
        return;
    map->heap_count++;
    const char *name = sv_name_of(map, heap, true, &len);
    if (len) emit_name(map, TK_EV_HEAP_NAME, heap, name, len);
}

static void on_heap(struct sv_map *map, const struct sv_packet *packet) {
    const uint8_t *at = packet->payload, *end = at + packet->payload_len;
    uint32_t fields[4] = { 0 }, count = 0;
    while (count < 4 && at && at < end && (at = sv_number(at, end, &fields[count]))) count++;
    unsigned core = sv_core_of(map, packet);
    keep_heap(map, fields[0]);
    if (packet->fields[0] == SV_EX_FREE) {
        sv_emit(map, TK_EV_FREED, core, true)->allocation =
            (struct tk_event_allocation){ .heap = fields[0], .level_after = UINT32_MAX, .address = fields[1] };
    } else if (packet->fields[0] == SV_EX_HEAP_DEFINE) {
        if (count > 2)
            sv_emit(map, TK_EV_HEAP_SIZE, core, true)->heap_size =
                (struct tk_event_heap_size){ fields[0], (int64_t)fields[2] << (map->id_shift & 31) };
    } else {
        struct tk_event *event = sv_emit(map, TK_EV_ALLOCATED, core, true);
        event->allocation = (struct tk_event_allocation){ .heap = fields[0],
                                                          .level_after = UINT32_MAX,
                                                          .bytes = (int64_t)fields[2] << (map->id_shift & 31),
                                                          .address = fields[1] };
        struct tk_value tag = { .name = "tag", .type = TK_VALUE_UINT, .number.u = fields[3] };
        if (packet->fields[0] == SV_EX_ALLOC_TAGGED && count == 4) sv_set_values(map, event, &tag, 1);
    }
}

static void on_extended(struct sv_map *map, const struct sv_packet *packet) {
    const uint8_t *at = packet->payload, *end = at + packet->payload_len;
    const char *name;
    uint32_t marker;
    size_t len;
    switch (packet->fields[0]) {
    case SV_EX_MARK:
        if (sv_number(at, end, &marker))
            sv_emit(map, TK_EV_MARKER, sv_core_of(map, packet), true)->marker.marker = marker;
        break;
    case SV_EX_NAME_MARKER:
        if ((at = sv_number(at, end, &marker)) && sv_string(at, end, &name, &len))
            emit_name(map, TK_EV_MARKER_NAME, marker, name, len);
        break;
    case SV_EX_HEAP_DEFINE:
    case SV_EX_ALLOC:
    case SV_EX_ALLOC_TAGGED:
    case SV_EX_FREE: on_heap(map, packet); break;
    case SV_EX_REGISTER_DATA: register_data(map, at, end); break;
    default: break; // unknown kinds are left out
    }
}

// ---- The recorder --------------------------------------------------------------------------------

static void on_init(struct sv_map *map, const struct sv_packet *packet) {
    if (map->has_init) return; // repeated at each start
    map->has_init = true;
    map->rate = tk_rate_of(packet->fields[0], TK_RATE_ROUNDS_TO_NEAREST);
    map->id_shift = packet->fields[3];
    if (map->rate.hz)
        sv_emit(map, TK_EV_TICK_LENGTH, map->host->core, false)->tick_length =
            (struct tk_event_tick_length){ 1, TK_TICK_RECORDED };
}

// Packets are missing: what runs and which calls are open is unknown.
static void forget(struct sv_map *map) {
    for (unsigned core = 0; core < SV_CORES; core++) {
        map->cores[core].running = TK_NONE;
        map->cores[core].depth = 0;
        map->cores[core].is_idle = false;
        map->cores[core].stop.is_held = false;
        map->cores[core].waking.next = 0;
    }
    for (uint32_t i = 0; i < map->task_count; i++) map->tasks[i].depth = 0, map->tasks[i].wait.cause = 0;
}

// The count of a recorder covers its own packets. Each of several recordings on one time axis has its own.
static void on_overflow(struct sv_map *map, unsigned core, const struct sv_packet *packet) {
    uint32_t count = packet->fields[0], lost = count - (count < map->dropped ? 0 : map->dropped);
    uint64_t since = tk_rate_ns(&map->rate, map->counts - packet->delta);
    map->has_loss = true;
    map->dropped = count;
    forget(map);
    if (map->host->merged)
        sv_emit(map, TK_EV_EVENTS_LOST, core, true)->events_lost =
            (struct tk_event_events_lost){ .count = lost, .where = TK_LOST_ON_TARGET, .since = since };
    else
        sv_emit(map, TK_EV_DROP_COUNT, core, true)->drop_count =
            (struct tk_event_drop_count){ .count = count, .where = TK_LOST_ON_TARGET };
}

// ---- Starts and stops ----------------------------------------------------------------------------

// Recorders of several cores start with one call, so that their clocks agree at the start. Aligns the clock with that
// of an earlier input whose recording begins with its start: it has decoded the start by now, however the inputs
// arrive.
static void on_start(struct sv_map *map) {
    const struct tk_decode_host *host = map->host;
    if (map->started) return;
    for (uint32_t i = 0; host->merged && !host->is_dump && host->other; i++) {
        const void *other = host->other(host->other_ctx, i);
        if (!other) break;
        const struct sv_map *leader = sv_map_of(other);
        if (!leader->begins_with_start || leader->host->input >= host->input) continue;
        map->counts = leader->start_counts;
        break;
    }
    map->start_counts = map->counts;
    map->started = true;
    map->begins_with_start = !map->has_begun;
}

// The clock of the target may have wrapped while the recorder was stopped, which the system time shows. In Zephyr it
// has another unit.
static void on_system_time(struct sv_map *map, uint64_t us) {
    const uint64_t wrap = UINT64_C(1) << 32, longest = INT32_MAX;
    uint64_t seconds = (us - map->time_us) / 1000000u, rest = (us - map->time_us) % 1000000u;
    if (map->is_zephyr) return;
    if (!map->first_time_us) map->first_time_us = us, map->first_time_counts = map->counts;
    if (map->is_stopped && map->time_us && us > map->time_us && seconds <= longest) {
        uint64_t passed = seconds * map->rate.hz + rest * map->rate.hz / 1000000u,
                 shown = map->counts - map->time_counts, tolerance = map->rate.hz / 10 + passed / 1000;
        uint64_t turns = passed > shown ? (passed - shown + wrap / 2) / wrap : 0;
        uint64_t repaired = shown + turns * wrap, error = repaired > passed ? repaired - passed : passed - repaired;
        if (error <= tolerance && tolerance < wrap / 4) map->counts += turns * wrap;
    }
    map->time_us = us;
    map->time_counts = map->counts;
}

// The recorder was stopped and has started again. One start is that of all cores.
static void begin_section(struct sv_map *map) {
    map->is_stopped = false;
    map->sections++;
    forget(map);
    sv_emit(map, TK_EV_SECTION_BEGIN, map->host->core, true)->section_begin.section = map->sections;
}

// Returns true for packets that a recorder sends when it starts, before those of the target.
static bool is_of_start(uint32_t id) {
    return id == SV_NOP || id == SV_TRACE_START || id == SV_TRACE_STOP || id == SV_INIT || id == SV_SYSDESC ||
           id == SV_SYSTIME_CYCLES || id == SV_SYSTIME_US;
}

// ---- Packets -------------------------------------------------------------------------------------

static void on_packet(struct sv_map *map, const struct sv_packet *packet) {
    unsigned core = sv_core_of(map, packet);
    uint32_t first = packet->fields[0];
    if (map->is_stopped && !is_of_start(packet->id)) begin_section(map);
    if (map->is_nuttx) release_stop(map, core, packet->id);
    if (!map->has_chosen && (packet->id >= SV_FIRST_CALL || packet->id == SV_TASK_STOP_READY)) choose_description(map);
    switch (packet->id) {
    case SV_INIT: on_init(map, packet); break;
    case SV_OVERFLOW: on_overflow(map, core, packet); break;
    case SV_ISR_ENTER: on_isr_enter(map, core, first); break;
    case SV_ISR_EXIT:
    case SV_ISR_TO_SCHEDULER: on_isr_exit(map, core); break;
    case SV_TASK_START_EXEC: on_start_exec(map, core, packet); break;
    case SV_TASK_STOP_EXEC: on_stop_exec(map, core); break;
    case SV_IDLE: on_idle(map, core, false); break;
    case SV_TASK_START_READY: on_start_ready(map, core, packet); break;
    case SV_TASK_STOP_READY: sv_on_stop_ready(map, core, packet); break;
    case SV_TRACE_START: on_start(map); break;
    case SV_TRACE_STOP: map->is_stopped = true; break;
    case SV_SYSTIME_US: on_system_time(map, packet->fields[1] * (UINT64_C(1) << 32) + first); break;
    case SV_TASK_CREATE:
        if (announce(map, first) != TK_NONE) map->tasks[sv_find_task(map, first)].is_terminated = false;
        sv_emit(map, TK_EV_TASK_CREATED, core, true)->task_created.task = first;
        break;
    case SV_TASK_INFO: on_task_info(map, packet); break;
    case SV_TASK_TERMINATE:
        sv_end_calls(map, core, first);
        sv_emit(map, TK_EV_TASK_DELETED, core, true)->task.task = first;
        break;
    case SV_STACK_INFO: on_stack_info(map, packet); break;
    case SV_SYSDESC: on_description(map, packet); break;
    case SV_MARK_START: sv_emit(map, TK_EV_MARKER_BEGIN, core, true)->marker.marker = first; break;
    case SV_MARK_STOP: sv_emit(map, TK_EV_MARKER_END, core, true)->marker.marker = first; break;
    case SV_TIMER_ENTER:
    case SV_TIMER_EXIT: on_timer(map, packet); break;
    case SV_MODULEDESC: on_module(map, packet); break;
    case SV_DATA_SAMPLE: on_data(map, packet); break;
    case SV_NAME_RESOURCE: on_resource_name(map, packet); break;
    case SV_PRINT_FORMATTED: on_print(map, packet); break;
    case SV_END_CALL: sv_on_end_call(map, packet); break;
    case SV_EX: on_extended(map, packet); break;
    default:
        if (packet->id < SV_FIRST_CALL) break; // tells nothing about the target
        if (packet->id >= SV_FIRST_MODULE && module_of(map, packet->id) != TK_NONE)
            on_module_event(map, packet, module_of(map, packet->id));
        else sv_on_call(map, packet);
    }
}

static void show_record(const struct sv_map *map, const struct sv_packet *packet) {
    struct tk_event event = map->place;
    event.timed = true;
    event.ticks = tk_rate_ns((struct tk_rate[]){ map->rate }, map->counts);
    event.core = (uint8_t)sv_core_of(map, packet);
    event.str = packet->text;
    event.str_len = (uint32_t)packet->text_len;
    struct tk_value values[SV_FIELDS];
    for (uint32_t i = 0; i < packet->field_count; i++)
        values[i] = (struct tk_value){ .name = "field", .type = TK_VALUE_UINT, .number.u = packet->fields[i] };
    event.values = values;
    event.value_count = (uint8_t)packet->field_count;
    map->host->on_record_decoded(map->host->dump_ctx, &event, packet->id);
}

void sv_map_init(struct sv_map *map, const struct tk_decode_host *host, struct tk_batch *batch) {
    map->host = host;
    map->batch = batch;
    map->is_freertos = true;
    map->place.input = (uint8_t)host->input;
    for (unsigned core = 0; core < SV_CORES; core++) {
        map->cores[core].running = TK_NONE;
        map->numbers[core] = (uint8_t)(host->core + core < TK_MAX_CORES ? host->core + core : host->core);
    }
}

void sv_map_announce(struct sv_map *map, struct sv_packet *packet) { packet->task = announce(map, packet->fields[0]); }

static void set_place(struct sv_map *map, uint64_t offset, uint64_t number, uint32_t len) {
    map->place.offset = offset;
    map->place.frame = number;
    map->place.frame_len = len;
}

void sv_map_packet(struct sv_map *map, const struct sv_packet *packet, uint64_t offset, uint64_t number) {
    map->counts += packet->delta;
    if (packet->task != TK_NONE) map->last_task = packet->task;
    set_place(map, offset, number, (uint32_t)packet->len);
    on_packet(map, packet);
    map->has_begun = true;
    if (map->host->on_record_decoded) show_record(map, packet);
}

void sv_map_end(struct sv_map *map) {
    for (unsigned core = 0; core < SV_CORES; core++) release_stop(map, map->host->core + core, SV_TRACE_STOP);
}

void sv_map_damage(struct sv_map *map, uint64_t offset, uint64_t number, uint32_t len) {
    set_place(map, offset, number, len);
    map->has_begun = true;
    sv_emit(map, TK_EV_PROBLEM, map->host->core, false)->problem.diag = TK_DIAG_NOT_A_RECORD;
    forget(map);
}

bool sv_map_time_summary(const struct sv_map *map, char out_text[TK_SUMMARY_LEN]) {
    struct tk_text text = tk_text_in(out_text, TK_SUMMARY_LEN);
    struct tk_rate rate = map->rate;
    if (!map->first_time_us || !rate.hz || map->is_zephyr) return false;
    tk_text_add(&text, "The system time of the target was ");
    tk_text_fixed(&text, map->first_time_us, 6);
    tk_text_add(&text, " s at ");
    tk_text_fixed(&text, tk_rate_ns(&rate, map->first_time_counts), 9);
    tk_text_add(&text, " s.");
    return true;
}

bool sv_map_summary(const struct sv_map *map, char out_text[TK_SUMMARY_LEN]) {
    struct tk_text text = tk_text_in(out_text, TK_SUMMARY_LEN);
    if (!(map->system[0] || map->device[0] || map->os[0])) return false;
    tk_text_add(&text, "Target: ");
    tk_text_add(&text, map->system[0] ? map->system : "no name");
    if (map->device[0]) tk_text_add(&text, " on "), tk_text_add(&text, map->device);
    if (map->os[0]) tk_text_add(&text, " with "), tk_text_add(&text, map->os);
    tk_text_add(&text, ".");
    return true;
}
