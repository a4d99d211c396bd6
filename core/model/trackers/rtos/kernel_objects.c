// SPDX-License-Identifier: MIT
//
// Software timers, state machines, intervals, low power.
#include "kernel_services_internal.h"

#include <string.h>

static const enum tk_entity_class class_of_name[TK_EV_COUNT] = {
    [TK_EV_EVENT_GROUP_NAME] = TK_CLASS_EVENT_GROUP,
    [TK_EV_MACHINE_NAME] = TK_CLASS_MACHINE,
    [TK_EV_INTERVAL_NAME] = TK_CLASS_INTERVAL,
    [TK_EV_HEAP_NAME] = TK_CLASS_HEAP,
    [TK_EV_TIMER_NAME] = TK_CLASS_TIMER,
    [TK_EV_STACK_NAME] = TK_CLASS_STACK,
};

TK_SERVICES_HANDLER(object_name) {
    const struct tk_kernel_object *object = tk_services_object(services, class_of_name[event->kind], event->id);
    (void)core;
    if (object && tk_names_set(tk_services_names(services), object->entity, event->str, event->str_len))
        tk_rtos_problem(services->rtos, TK_DIAG_NAME_CHANGED, event);
}

// ---- The end -----------------------------------------------------------------------------------

void tk_services_close_objects(struct tk_kernel_services *services) {
    for (uint32_t i = 0; i < services->object_count; i++) {
        struct tk_kernel_object *object = &services->objects[i];
        object->armed = false;
        object->state = 0;
        object->since = 0;
        for (uint32_t lane = 0; object->open && lane < TK_MAX_INTERVAL_LANES; lane++) {
            object->count += object->open[lane].open;
            object->open[lane].open = false;
        }
    }
}
