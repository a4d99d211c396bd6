// SPDX-License-Identifier: MIT
//
// State machines of the application.
#include "kernel_services_internal.h"
#include <string.h>

static void count_state(struct tk_kernel_services *services, const struct tk_kernel_object *machine, uint32_t to) {
    uint32_t from = machine->state ? machine->state - 1 : TK_NONE;
    uint64_t key = ((uint64_t)(machine - services->objects) << 42 ^ (uint64_t)from << 21 ^ to) * 0x9E3779B97F4A7C15u |
                   (uint64_t)1 << 63;
    bool fresh;
    struct tk_transition_stats *row = tk_services_find_row(services, &services->states, key, sizeof *row, &fresh);
    if (!row) return;
    if (fresh)
        *row =
            (struct tk_transition_stats){ .machine = (uint32_t)(machine - services->objects), .from = from, .to = to };
    row->count++;
    if (from != TK_NONE) tk_services_measure_since(services, &row->before, machine->since, machine->loss);
}

TK_SERVICES_HANDLER(machine_state) {
    struct tk_kernel_object *machine = tk_services_object(services, TK_CLASS_MACHINE, event->id);
    uint32_t state = tk_names_symbol(tk_services_names(services), event->arg);
    (void)core;
    if (!machine || state == TK_NONE || machine->state == state + 1) return;
    uint32_t track =
        tk_services_object_track(services, machine, TK_GROUP_MACHINES, TK_TRACK_SLICES, NULL, "State machine");
    if (event->timed) count_state(services, machine, state);
    tk_timeline_end(services->tl, track, NULL, 0);
    tk_timeline_begin(services->tl, track, tk_named(tk_names_label(tk_services_names(services), state, TK_SYMBOL_NAME)),
                      NULL, 0);
    machine->state = state + 1;
    machine->since = services->tl->now;
    machine->loss = services->tl->losses[0];
}
