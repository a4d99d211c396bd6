// SPDX-License-Identifier: MIT
//
// State machines of the application.
#include "rtos_internal.h"

static void count_transition(struct tk_rtos *rtos, const struct tk_kernel_object *object, uint32_t to) {
    const struct tk_machine *machine = &object->machine;
    uint32_t index = tk_rtos_object_index(rtos, object), from = machine->state ? machine->state - 1 : TK_NONE;
    uint64_t key = ((uint64_t)index << 42 ^ (uint64_t)from << 21 ^ to) * 0x9E3779B97F4A7C15u | (uint64_t)1 << 63;
    struct tk_transition_stats *row = tk_rtos_find_row(rtos, &rtos->transitions, key, sizeof *row);
    if (!row) return;
    if (!row->count) *row = (struct tk_transition_stats){ .machine = index, .from = from, .to = to };
    row->count++;
    if (from != TK_NONE) tk_rtos_measure_since(rtos, &row->before, machine->since, machine->loss);
}

void tk_rtos_on_machine_state(struct tk_rtos *rtos, const struct tk_event *event, struct tk_core *core) {
    struct tk_kernel_object *object = tk_rtos_find_object(rtos, TK_CLASS_MACHINE, event->machine_state.machine);
    uint32_t state = tk_names_symbol(tk_rtos_names(rtos), event->machine_state.state);
    (void)core;
    if (!object || state == TK_NONE || object->machine.state == state + 1) return;
    uint32_t track = tk_rtos_object_track(rtos, object, TK_GROUP_MACHINES, TK_TRACK_SLICES, NULL, "State machine");
    if (event->timed) count_transition(rtos, object, state);
    tk_timeline_end(rtos->tl, track, NULL, 0);
    tk_timeline_begin(rtos->tl, track, tk_named(tk_names_label(tk_rtos_names(rtos), state, TK_LABEL_NAME)), NULL, 0);
    object->machine = (struct tk_machine){ state + 1, rtos->tl->now, rtos->tl->losses[0] };
}
