// SPDX-License-Identifier: MIT
//
// Calls of the OS, as slices of their tasks, and what a task waits for: section "Calls and waits" of
// docs/formats/systemview.md.
#include <string.h>

#include "../kit/printf.h"
#include "description.h"
#include "map.h"

enum { ARGUMENTS = 8, WORDS = 128 };

// API functions of FreeRTOS. V11 records the entry of each one with its number. The ports before it record some, with
// other numbers (enum sv_call_before_v11); the port for the ESP32 has numbers of its own.
enum call {
    CALL_DELAY_ESP = 34,
    CALL_FIRST_V11 = 150,
    CALL_SEND = 161,
    CALL_RECEIVE = 164,
    CALL_SEMAPHORE_TAKE = 165,
    CALL_PEEK = 166,
    CALL_DELAY_UNTIL = 196,
    CALL_DELAY = 197,
    CALL_SUSPEND = 202,
    CALL_NOTIFY_TAKE = 255,
    CALL_NOTIFY_WAIT = 256,
    CALL_LAST_V11 = 332
};

struct known_call {
    const char *name; // NULL: unknown
    uint8_t len;
    uint8_t values; // of the entry; 0: unknown
};

#define CALL(name) name, sizeof(name) - 1

static const struct known_call calls_esp[] = {
    [33] = { CALL("vTaskDelete") },         [CALL_DELAY_ESP] = { CALL("vTaskDelay") },
    [35] = { CALL("vTaskDelayUntil") },     [44] = { CALL("xTaskGenericNotify") },
    [47] = { CALL("xQueueGenericCreate") }, [49] = { CALL("xQueueGenericReceive") },
    [53] = { CALL("xQueueGenericSend") },   [54] = { CALL("xQueueGenericSendFromISR") },
    [61] = { CALL("xQueueGiveFromISR") },
};
static const struct known_call calls_freertos[CALL_LAST_V11 + 1] = {
    [SV_CALL_DELAY] = { CALL("vTaskDelay") },
    [SV_CALL_DELAY_UNTIL] = { CALL("vTaskDelayUntil") },
    [SV_CALL_SUSPEND] = { CALL("vTaskSuspend") },
    [32 + 10] = { CALL("vTaskResume") },
    [SV_CALL_NOTIFY] = { CALL("xTaskGenericNotify") },
    [SV_CALL_NOTIFY_FROM_ISR] = { CALL("xTaskGenericNotifyFromISR") },
    [SV_CALL_NOTIFY_WAIT] = { CALL("xTaskNotifyWait") },
    [SV_CALL_NOTIFY_GIVE_FROM_ISR] = { CALL("vTaskNotifyGiveFromISR") },
    [SV_CALL_NOTIFY_TAKE] = { CALL("ulTaskNotifyTake") },
    [32 + 41] = { CALL("vTaskPriorityInherit") },
    [SV_CALL_DISINHERIT] = { CALL("xTaskPriorityDisinherit") },
    [SV_CALL_SEND] = { CALL("xQueueGenericSend") },
    [SV_CALL_RECEIVE] = { CALL("xQueueGenericReceive") },
    [SV_CALL_SEND_FROM_ISR] = { CALL("xQueueGenericSendFromISR") },
    [SV_CALL_GIVE_FROM_ISR] = { CALL("xQueueGiveFromISR") },
    [SV_CALL_RECEIVE_FROM_ISR] = { CALL("xQueueReceiveFromISR") },
    [32 + 83] = { CALL("xQueueGenericCreate") },
    [CALL_SEND] = { CALL("xQueueGenericSend"), 4 },
    [162] = { CALL("xQueueGenericSendFromISR") },
    [CALL_RECEIVE] = { CALL("xQueueReceive"), 3 },
    [CALL_SEMAPHORE_TAKE] = { CALL("xQueueSemaphoreTake"), 2 },
    [CALL_PEEK] = { CALL("xQueuePeek"), 3 },
    [167] = { CALL("xQueueReceiveFromISR") },
    [194] = { CALL("xTaskCreate") },
    [195] = { CALL("vTaskDelete") },
    [CALL_DELAY_UNTIL] = { CALL("xTaskDelayUntil"), 2 },
    [CALL_DELAY] = { CALL("vTaskDelay"), 1 },
    [201] = { CALL("vTaskPrioritySet") },
    [CALL_SUSPEND] = { CALL("vTaskSuspend") },
    [203] = { CALL("vTaskResume") },
    [CALL_NOTIFY_TAKE] = { CALL("ulTaskGenericNotifyTake"), 3 },
    [CALL_NOTIFY_WAIT] = { CALL("xTaskGenericNotifyWait"), 5 },
    [257] = { CALL("xTaskGenericNotify") },
    [265] = { CALL("xTimerCreate") },
    [267] = { CALL("xTimerGenericCommand") },
};

#undef CALL

static bool is_v11(const struct sv_map *map, uint32_t call) {
    return map->is_freertos && call >= CALL_FIRST_V11 && call <= CALL_LAST_V11;
}

static const struct tk_lookup *lookup_of(const struct sv_map *map) { return map->description; }

// Returns a call of FreeRTOS; NULL: unknown, or of another OS.
static const struct known_call *find_known(const struct sv_map *map, uint32_t call) {
    const struct known_call *known = map->is_esp ? calls_esp : calls_freertos;
    uint32_t count = map->is_esp ? sizeof calls_esp / sizeof *calls_esp : CALL_LAST_V11 + 1;
    return map->is_freertos && call < count && known[call].name ? &known[call] : NULL;
}

// Appends the name of a call. A description file knows it better than the decoder. Returns the parameters of the call;
// *out_len 0: unknown.
static const char *put_call(const struct sv_map *map, struct tk_text *text, uint32_t call, size_t *out_len) {
    const char *name, *parameters;
    size_t len;
    *out_len = 0;
    if (sv_description_call(lookup_of(map), call, &name, &len, &parameters, out_len)) {
        tk_text_put(text, name, len);
        return parameters;
    }
    const struct known_call *known = find_known(map, call);
    if (known) tk_text_put(text, known->name, known->len);
    else tk_text_add(text, "call "), tk_text_u64(text, call);
    return "";
}

int sv_call_values(const struct sv_map *map, const struct sv_packet *packet) {
    char room[WORDS];
    struct tk_text unused = tk_text_in(room, sizeof room);
    struct sv_parameter of;
    size_t len;
    bool is_end = packet->id == SV_END_CALL;
    const char *at = put_call(map, &unused, is_end ? packet->fields[0] : packet->id, &len), *end = at + len,
               *returns = len ? memchr(at, '|', len) : NULL;
    int count = 0;
    if (!len) {
        int values = is_v11(map, packet->id) ? calls_freertos[packet->id].values : 0;
        return values ? values : -1;
    }
    if (is_end) at = returns ? returns : end;
    else if (returns) end = returns;
    while (sv_next_parameter(&at, end, &of)) count++;
    return count;
}

// ---- Values --------------------------------------------------------------------------------------

static bool is_type(const struct sv_parameter *of, char letter) { return of->type_len == 1 && of->type[0] == letter; }

// Appends a value as its parameter says. Returns false if it is a plain number.
static bool put_value(const struct sv_map *map, struct tk_text *text, const struct sv_parameter *of, uint32_t value) {
    const char *words;
    size_t len;
    bool is_format;
    if (is_type(of, 'x') || is_type(of, 'p')) {
        tk_text_hex(text, value, 1);
    } else if (is_type(of, 't') || is_type(of, 'T') || is_type(of, 'I')) {
        words = sv_name_of(map, value, is_type(of, 'I'), &len);
        if (len) tk_text_put(text, words, len);
        else tk_text_hex(text, value, 1);
    } else if (of->type_len && sv_description_value(lookup_of(map), of, value, &words, &len, &is_format)) {
        struct tk_printf format = { .text = words, .len = len, .word = 4, .count = 1 };
        format.arguments[0].word = value;
        if (is_format) tk_printf_put(text, &format);
        else tk_text_put(text, words, len);
    } else {
        return false;
    }
    return true;
}

static struct tk_value text_value(const struct sv_map *map, const char *text, size_t len) {
    const char *copy = tk_arena_copy(&map->batch->memory, text, len);
    return (struct tk_value){ .type = TK_VALUE_TEXT, .text = copy, .text_len = copy ? (uint32_t)len : 0 };
}

// Reads the next value of a payload. Returns false if there is none.
static bool read_value(const struct sv_map *map, const struct sv_parameter *of, const uint8_t **at, const uint8_t *end,
                       struct tk_value *out_value) {
    char room[WORDS];
    struct tk_text text = tk_text_in(room, sizeof room);
    const char *words;
    size_t len;
    uint32_t number = 0;
    const uint8_t *next = is_type(of, 's') ? sv_string(*at, end, &words, &len) : sv_number(*at, end, &number);
    if (!next) return false;
    *at = next;
    if (is_type(of, 's')) *out_value = text_value(map, words, len);
    else if (put_value(map, &text, of, number)) *out_value = text_value(map, text.text, text.len);
    else if (is_type(of, 'd') || is_type(of, 'i'))
        *out_value = (struct tk_value){ .type = TK_VALUE_INT, .number.i = (int32_t)number };
    else *out_value = (struct tk_value){ .type = TK_VALUE_UINT, .number.u = number };
    return true;
}

// Reads numbers without a description.
static uint8_t read_numbers(const uint8_t *at, const uint8_t *end, const char *name,
                            struct tk_value values[ARGUMENTS]) {
    uint8_t count = 0;
    uint32_t number;
    for (; count < ARGUMENTS && at < end && (at = sv_number(at, end, &number)); count++)
        values[count] = (struct tk_value){ .name = name, .type = TK_VALUE_UINT, .number.u = number };
    return count;
}

// Reads the values of a payload with the names in a list of parameters. Values that it does not name are `other`.
static uint8_t read_values(const struct sv_map *map, const uint8_t *at, const uint8_t *end, const char *parameters,
                           size_t len, const char *other, struct tk_value values[ARGUMENTS]) {
    const char *stop = parameters + len;
    uint8_t count = 0;
    if (!len) return read_numbers(at, end, other, values);
    for (; count < ARGUMENTS && at < end; count++) {
        struct sv_parameter of = { .name = "", .type = "" };
        bool is_named = sv_next_parameter(&parameters, stop, &of) && of.name_len;
        if (!read_value(map, &of, &at, end, &values[count])) break;
        const char *name = is_named ? tk_arena_copy(&map->batch->memory, of.name, of.name_len) : NULL;
        values[count].name = name ? name : other;
        values[count].name_len = name ? (uint16_t)of.name_len : 0;
    }
    return count;
}

// ---- Waits ---------------------------------------------------------------------------------------

static void emit_text(struct sv_map *map, unsigned core, const char *text, size_t len) {
    struct tk_event *event = sv_emit(map, TK_EV_BLOCK_WITH_REASON, core, true);
    sv_set_text(map, event, text, len);
}

static void emit_words(struct sv_map *map, unsigned core, const char *words) {
    sv_set_words(sv_emit(map, TK_EV_BLOCK_WITH_REASON, core, true), words);
}

// Emits a wait in which no call is open, with the words of its cause. With FreeRTOS before V11, a later call may tell
// the reason.
static void emit_cause(struct sv_map *map, unsigned core, struct sv_task *task, uint32_t cause) {
    struct tk_event *event = sv_emit(map, TK_EV_BLOCK_WITH_REASON, core, true);
    bool is_delayed = map->is_freertos && cause == SV_CAUSE_DELAYED,
         is_suspended = map->is_freertos && cause == SV_CAUSE_SUSPENDED;
    const char *text;
    size_t len;
    bool is_described = map->description && sv_description_cause(map->description, cause, &text, &len);
    if (is_described) sv_set_text(map, event, text, len);
    else if (is_delayed) sv_set_words(event, "wait or delay with a time limit");
    else if (is_suspended) sv_set_words(event, "wait without a time limit");
    else sv_set_words(event, "waiting (reason not recorded)");
    if (!(is_delayed || is_suspended) || map->is_v11 || map->is_esp) return;
    event->wait_reason.is_preliminary = 1;
    task->wait = (struct sv_unexplained_wait){ .cause = cause };
}

static void emit_queue_wait(struct sv_map *map, unsigned core, enum tk_event_kind kind, uint32_t queue) {
    sv_emit(map, kind, core, true)->queue_wait =
        (struct tk_event_queue_wait){ .queue = queue, .timeout_is = TK_TIMEOUT_UNKNOWN };
}

// The reason is the name of the call: "sem_take uart".
static void emit_call_as_reason(struct sv_map *map, unsigned core, const struct sv_open_call *call) {
    char room[WORDS];
    struct tk_text text = tk_text_in(room, sizeof room);
    struct sv_parameter of;
    size_t len, name_len = 0;
    const char *parameters = put_call(map, &text, call->call, &len), *name = "";
    bool has_resource = sv_next_parameter(&parameters, parameters + len, &of) && is_type(&of, 'I');
    if (has_resource || is_v11(map, call->call)) name = sv_name_of(map, call->first, true, &name_len);
    if (name_len || has_resource) tk_text_char(&text, ' ');
    if (name_len) tk_text_put(&text, name, name_len);
    else if (has_resource) tk_text_hex(&text, call->first, 1);
    emit_text(map, core, text.text, text.len);
}

// Announces what a task waits for. A delay until a tick is not announced as one: the tick is not recorded.
static void emit_wait(struct sv_map *map, unsigned core, const struct sv_open_call *call) {
    bool is_known = map->is_freertos;
    switch (is_known ? call->call : 0) {
    case SV_CALL_DELAY:
    case CALL_DELAY: sv_emit(map, TK_EV_DELAY, core, true)->delay.ticks = call->first; return;
    case SV_CALL_DELAY_UNTIL:
    case CALL_DELAY_UNTIL: emit_words(map, core, "delay until"); return;
    case CALL_SEND: emit_queue_wait(map, core, TK_EV_BLOCK_ON_SEND, call->first); return;
    case CALL_RECEIVE:
    case CALL_SEMAPHORE_TAKE: emit_queue_wait(map, core, TK_EV_BLOCK_ON_RECEIVE, call->first); return;
    case CALL_PEEK: emit_queue_wait(map, core, TK_EV_BLOCK_ON_PEEK, call->first); return;
    case CALL_NOTIFY_TAKE:
    case CALL_NOTIFY_WAIT:
        sv_emit(map, TK_EV_BLOCK_ON_NOTIFICATION, core, true)->notification_wait.timeout_is = TK_TIMEOUT_UNKNOWN;
        return;
    default: emit_call_as_reason(map, core, call);
    }
}

// Calls without a return are recorded when they succeed or fail, except those that delay.
static bool is_delay(const struct sv_map *map, uint32_t call) {
    return map->is_freertos && (call == SV_CALL_DELAY || call == SV_CALL_DELAY_UNTIL);
}

// Returns true if a task suspends itself with the call.
static bool suspends(const struct sv_map *map, const struct sv_open_call *call, uint32_t task) {
    if (call->call == SV_CALL_SUSPEND) return map->is_freertos && !map->is_esp && call->first == task;
    return call->call == CALL_SUSPEND && is_v11(map, call->call);
}

// The recorder says which task waits, and a task that leaves its core without such a packet stays ready. The reason is
// the innermost call that the task has entered and not left.
void sv_on_stop_ready(struct sv_map *map, unsigned core, const struct sv_packet *packet) {
    struct sv_core *on = &map->cores[core % SV_CORES];
    uint32_t id = packet->fields[0], cause = packet->fields[1], index = packet->task;
    if (!map->waits_are_recorded) {
        map->waits_are_recorded = true;
        sv_emit(map, TK_EV_BLOCKING_IS_TRACED, core, false)->blocking_traced.no_operations = 1;
    }
    if (index == TK_NONE || (on->running == TK_NONE && !on->is_idle)) return;
    struct sv_task *task = &map->tasks[index];
    const struct sv_open_call *call = task->depth ? &task->calls[task->depth - 1] : &on->last_call;
    bool is_suspended = index != on->running || suspends(map, call, id);
    task->wait.cause = 0;
    if (is_suspended) sv_emit(map, TK_EV_TASK_SUSPENDED, core, true)->task.task = id;
    else if (task->depth || is_delay(map, call->call)) emit_wait(map, core, call);
    else emit_cause(map, core, task, cause);
}

// ---- Calls ---------------------------------------------------------------------------------------

static uint32_t track_of_calls(struct sv_map *map, struct sv_task *task) {
    static const struct tk_track_def slices = { .type = TK_TRACK_OF_SLICES,
                                                .ends_at_loss = true,
                                                .description = "Calls of the OS by this task",
                                                .description_len = sizeof "Calls of the OS by this task" - 1 };
    static const char name[] = "API calls"; // the track "calls" of a task is that of its kernel's calls in other
                                            // formats
    if (!task->track) task->track = sv_track_of(map, SV_TRACK_CALLS, task->id, &slices, name, sizeof name - 1);
    return task->track;
}

// Returns true if the recorder also records when the call returns.
static bool has_return(const struct sv_map *map, uint32_t call) {
    return is_v11(map, call) || map->is_zephyr || (map->returns[call / 64] >> call % 64 & 1);
}

static void end_slice(struct sv_map *map, unsigned core, struct sv_task *task, const struct tk_value *result) {
    uint32_t track = track_of_calls(map, task);
    if (!track) return;
    struct tk_event *event = sv_emit(map, TK_EV_TRACK_END, core, true);
    event->track_end.track = track;
    if (result) sv_set_values(map, event, result, 1);
}

static void begin_slice(struct sv_map *map, unsigned core, struct sv_task *task, const struct sv_open_call *call) {
    if (task->depth == SV_DEPTH || (task->depth && !map->has_returns)) { // returns are not recorded
        while (task->depth) end_slice(map, core, task, NULL), task->depth--;
    }
    task->calls[task->depth++] = *call;
}

void sv_end_calls(struct sv_map *map, unsigned core, uint32_t id) {
    uint32_t index = sv_find_task(map, id);
    struct sv_task *task = index == TK_NONE ? NULL : &map->tasks[index];
    for (; task && task->depth; task->depth--) end_slice(map, core, task, NULL);
}

// Returns room for the values of an event; NULL when out of memory.
static struct tk_value *room_for_values(const struct sv_map *map) {
    const size_t len = ARGUMENTS * sizeof(struct tk_value);
    uint8_t *room = tk_arena_reserve(&map->batch->memory, len);
    if (room) tk_arena_commit(&map->batch->memory, len);
    return (struct tk_value *)(void *)room;
}

void sv_on_call(struct sv_map *map, const struct sv_packet *packet) {
    unsigned core = sv_core_of(map, packet);
    struct sv_core *on = &map->cores[core % SV_CORES];
    const uint8_t *end = packet->payload + packet->payload_len;
    struct tk_value *values = room_for_values(map);
    struct sv_open_call call = { .call = packet->id };
    char room[WORDS];
    struct tk_text name = tk_text_in(room, sizeof room);
    size_t len = 0;
    if (!values) return;
    const struct known_call *known = map->description ? NULL : find_known(map, packet->id);
    const char *parameters = known ? "" : put_call(map, &name, packet->id, &len),
               *returns = len ? memchr(parameters, '|', len) : NULL;
    uint8_t count = read_values(map, packet->payload, end, parameters, returns ? (size_t)(returns - parameters) : len,
                                "argument", values);
    sv_number(packet->payload, end, &call.first);
    bool is_of_task = !on->depth && on->running != TK_NONE;
    map->is_v11 |= is_v11(map, packet->id);
    if (is_of_task && map->tasks[on->running].wait.cause) sv_emit_reason(map, core, on->running, packet);
    sv_note_waking_call(map, on, &call);
    uint32_t track = is_of_task ? track_of_calls(map, &map->tasks[on->running]) : 0;
    struct tk_event *event;
    if (!is_of_task) {
        event = sv_emit(map, TK_EV_KERNEL_CALL, core, true);
    } else if (has_return(map, packet->id)) {
        begin_slice(map, core, &map->tasks[on->running], &call);
        if (!track) return;
        event = sv_emit(map, TK_EV_TRACK_BEGIN, core, true);
        event->track_slice.track = track;
    } else {
        on->last_call = call;
        if (map->is_esp && packet->id == CALL_DELAY_ESP && call.first)
            sv_emit(map, TK_EV_DELAY, core, true)->delay.ticks = call.first;
        if (!track) return;
        event = sv_emit(map, TK_EV_TRACK_INSTANT, core, true);
        event->track_slice.track = track;
    }
    if (known) event->str = known->name, event->str_len = known->len;
    else sv_set_text(map, event, name.text, name.len);
    event->values = values;
    event->value_count = count;
}

void sv_on_end_call(struct sv_map *map, const struct sv_packet *packet) {
    unsigned core = sv_core_of(map, packet);
    struct sv_core *on = &map->cores[core % SV_CORES];
    uint32_t call = packet->fields[0];
    char room[WORDS];
    struct tk_text unused = tk_text_in(room, sizeof room);
    struct tk_value results[ARGUMENTS];
    size_t len;
    if (call < SV_IDS) map->returns[call / 64] |= (uint64_t)1 << call % 64;
    map->has_returns = true;
    if (on->depth || on->running == TK_NONE) return;
    struct sv_task *task = &map->tasks[on->running];
    unsigned depth = task->depth;
    while (depth && task->calls[depth - 1].call != call) depth--;
    if (!depth) return; // it was entered before the recording
    const char *parameters = put_call(map, &unused, call, &len), *returns = len ? memchr(parameters, '|', len) : NULL;
    len = returns ? len - (size_t)(returns - parameters) : 0;
    bool has_result = read_values(map, packet->payload, packet->payload + packet->payload_len, returns ? returns : "",
                                  len, "result", results) > 0;
    results[0].name = "result"; // the text before it says "Returns"
    results[0].name_len = 0;
    for (; task->depth >= depth; task->depth--)
        end_slice(map, core, task, task->depth == depth && has_result ? results : NULL);
}
