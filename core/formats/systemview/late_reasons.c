// SPDX-License-Identifier: MIT
//
// FreeRTOS before V11 records calls that wait after the wait: section "Calls and waits" of docs/formats/systemview.md.
#include "map.h"

// A call in which a task may wait.
struct waiting_call {
    uint32_t call;
    enum tk_waited_for what;
    unsigned time_limit; // index of its value
    uint32_t wakers[3];  // calls on the same object that end the wait; 0: end of the list
};

static const struct waiting_call waiting_calls[] = {
    { SV_CALL_RECEIVE, TK_WAITED_TO_RECEIVE, 2, { SV_CALL_SEND, SV_CALL_SEND_FROM_ISR, SV_CALL_GIVE_FROM_ISR } },
    { SV_CALL_SEND, TK_WAITED_TO_SEND, 2, { SV_CALL_RECEIVE, SV_CALL_RECEIVE_FROM_ISR } },
    { SV_CALL_NOTIFY_TAKE,
      TK_WAITED_FOR_NOTIFICATION,
      1,
      { SV_CALL_NOTIFY, SV_CALL_NOTIFY_FROM_ISR, SV_CALL_NOTIFY_GIVE_FROM_ISR } },
    { SV_CALL_NOTIFY_WAIT,
      TK_WAITED_FOR_NOTIFICATION,
      3,
      { SV_CALL_NOTIFY, SV_CALL_NOTIFY_FROM_ISR, SV_CALL_NOTIFY_GIVE_FROM_ISR } }
};

// Returns NULL for a call in which no task waits.
static const struct waiting_call *find(uint32_t call) {
    for (size_t i = 0; i < sizeof waiting_calls / sizeof *waiting_calls; i++)
        if (waiting_calls[i].call == call) return &waiting_calls[i];
    return NULL;
}

// Returns a value of a call; 0 if it has fewer.
static uint32_t value_at(const struct sv_packet *packet, unsigned index) {
    const uint8_t *at = packet->payload, *end = at + packet->payload_len;
    uint32_t number = 0;
    for (unsigned i = 0; i <= index; i++)
        if (!(at = sv_number(at, end, &number))) return 0;
    return number;
}

// Returns true if a wait with this time limit may be in a list of the kernel.
static bool fits(uint32_t cause, uint32_t time_limit) {
    return cause == SV_CAUSE_SUSPENDED ? time_limit == UINT32_MAX || time_limit == UINT16_MAX : time_limit != 0;
}

// The call is the reason if the recorder wrote a call on the same object directly before the task was made ready. Only
// what the port does not record, such as an event group, can have ended the wait instead.
void sv_emit_reason(struct sv_map *map, unsigned core, uint32_t index, const struct sv_packet *packet) {
    struct sv_unexplained_wait wait = map->tasks[index].wait;
    map->tasks[index].wait.cause = 0;
    const struct waiting_call *call = wait.woken_by.next ? find(packet->id) : NULL;
    if (!call || !fits(wait.cause, value_at(packet, call->time_limit))) return;
    uint32_t queue = call->what == TK_WAITED_FOR_NOTIFICATION ? 0 : value_at(packet, 0),
             object = call->what == TK_WAITED_FOR_NOTIFICATION ? map->tasks[index].id : queue;
    bool is_waker = false;
    for (unsigned i = 0; i < sizeof call->wakers / sizeof *call->wakers; i++)
        is_waker |= call->wakers[i] == wait.woken_by.call;
    if (is_waker && wait.woken_by.object == object)
        sv_emit(map, TK_EV_WAITED_FOR, core, true)->waited_for = (struct tk_event_waited_for){ queue, call->what };
}

// A mutex that is given back may change the priority of its holder in between. The port records that as a call, and
// that the holder, which runs, is ready.
void sv_note_waking_call(const struct sv_map *map, struct sv_core *on, const struct sv_open_call *call) {
    bool is_in_between = call->call == SV_CALL_DISINHERIT;
    if (is_in_between && on->waking.next != map->place.frame) return;
    if (!is_in_between) on->waking = (struct sv_waking_call){ .call = call->call, .object = call->first };
    on->waking.next = map->place.frame + 1;
}
