// SPDX-License-Identifier: MIT
//
// Stacks: number of words that were never used.
#include "rtos_internal.h"

void tk_rtos_on_stack_free(struct tk_rtos *rtos, const struct tk_event *event, struct tk_core *core) {
    uint32_t index = tk_rtos_find_task(rtos, event->task_stack.task);
    (void)core;
    if (tk_rtos_is_shared(index)) return;
    struct tk_task *task = &rtos->tasks[index];
    if (!task->stack_track) {
        struct tk_track_spec spec = { tk_timeline_task_group(rtos->tl, index),
                                      TK_TRACK_COUNTER,
                                      TK_NONE,
                                      "stack free",
                                      rtos->tl->tasks[index].pid,
                                      TK_RANK_STACK,
                                      "words",
                                      "Words of its stack that were never used",
                                      0 };
        task->stack_track = tk_timeline_add_track(rtos->tl, &spec);
    }
    tk_timeline_counter(rtos->tl, task->stack_track, event->task_stack.words, NULL, 0);
    TK_TELL(rtos->facts, stack_free, index, rtos->tl->now, event->task_stack.words, task->stack_size);
    if (task->stack_known && event->task_stack.words >= task->stack_least) return;
    task->stack_known = true;
    task->stack_least = event->task_stack.words;
    task->stack_least_at = rtos->tl->now;
}

void tk_rtos_on_stack_size(struct tk_rtos *rtos, const struct tk_event *event, struct tk_core *core) {
    uint32_t index = tk_rtos_find_task(rtos, event->task_stack_size.task);
    (void)core;
    if (!tk_rtos_is_shared(index)) rtos->tasks[index].stack_size = event->task_stack_size.words;
}

// A stack that belongs to no task.
void tk_rtos_on_stack_level(struct tk_rtos *rtos, const struct tk_event *event, struct tk_core *core) {
    struct tk_kernel_object *object = tk_rtos_find_object(rtos, TK_CLASS_STACK, event->stack.stack);
    (void)core;
    if (!object) return;
    uint32_t track = tk_rtos_object_track(rtos, object, TK_GROUP_MEMORY, TK_TRACK_COUNTER, "words",
                                          "Words of a stack that were never used");
    tk_timeline_counter(rtos->tl, track, event->stack.words, NULL, 0);
    if (object->stack.is_known && event->stack.words >= object->stack.least) return;
    object->stack = (struct tk_stack){ event->stack.words, rtos->tl->now, true };
}
