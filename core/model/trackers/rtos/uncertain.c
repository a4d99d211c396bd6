// SPDX-License-Identifier: MIT
//
// Finds tasks, interrupts and queues that exist only because of a damaged number: the recording is damaged or lacks an
// announcement of a task, they have no name although most others have one, and they occur once.
#include "rtos_internal.h"

static bool is_named(const struct tk_rtos *rtos, uint32_t entity) { return rtos->tl->names.entities[entity].name != 0; }

// Marks the entity in the trace, and counts it.
TK_COLD static bool mark_uncertain(struct tk_rtos *rtos, uint32_t entity) {
    char words[TK_DISPLAY_LEN + 16];
    struct tk_text text = tk_text_in(words, sizeof words);
    tk_names_put(&rtos->tl->names, entity, &text);
    tk_text_add(&text, " (uncertain)");
    tk_names_set(&rtos->tl->names, entity, text.text, text.len);
    tk_diag_note(rtos->diag, TK_DIAG_ENTITY_UNCERTAIN, NULL, 1);
    return true;
}

TK_COLD static void find_tasks(struct tk_rtos *rtos) {
    uint32_t named = 0, count = rtos->task_count < rtos->stats->task_count ? rtos->task_count : rtos->stats->task_count;
    for (uint32_t i = 0; i < count; i++) named += is_named(rtos, rtos->tasks[i].entity);
    if (named <= count - named) return;
    for (uint32_t i = 0; i < count; i++) {
        struct tk_task *task = &rtos->tasks[i];
        if (!is_named(rtos, task->entity) && !task->idle && rtos->stats->tasks[i].runs == 1)
            task->uncertain = mark_uncertain(rtos, task->entity);
    }
}

TK_COLD static void find_interrupts(struct tk_rtos *rtos) {
    uint32_t named = 0, count = rtos->isr_count < rtos->stats->isr_count ? rtos->isr_count : rtos->stats->isr_count;
    for (uint32_t i = 0; i < count; i++) named += is_named(rtos, rtos->isrs[i].entity);
    if (named <= count - named) return;
    for (uint32_t i = 0; i < count; i++)
        if (!is_named(rtos, rtos->isrs[i].entity) && rtos->stats->isrs[i].entered == 1)
            rtos->isrs[i].uncertain = mark_uncertain(rtos, rtos->isrs[i].entity);
}

TK_COLD static void find_queues(struct tk_rtos *rtos) {
    uint32_t named = 0,
             count = rtos->queue_count < rtos->stats->queue_count ? rtos->queue_count : rtos->stats->queue_count;
    for (uint32_t i = 0; i < count; i++) named += is_named(rtos, rtos->queues[i].entity);
    if (named <= count - named) return;
    for (uint32_t i = 0; i < count; i++)
        if (!is_named(rtos, rtos->queues[i].entity) && rtos->stats->queues[i].operations <= 1 &&
            !rtos->queues[i].refused && !rtos->queues[i].timed_out)
            rtos->queues[i].uncertain = mark_uncertain(rtos, rtos->queues[i].entity);
}

TK_COLD void tk_rtos_find_uncertain(struct tk_rtos *rtos) {
    bool may_have_false_numbers = tk_diag_has_damage(rtos->diag) || rtos->diag->entries[TK_DIAG_TASK_UNANNOUNCED].count;
    if (rtos->is_partial || !may_have_false_numbers) return;
    find_tasks(rtos);
    find_interrupts(rtos);
    find_queues(rtos);
}

bool tk_rtos_is_uncertain_task(const struct tk_rtos *rtos, uint32_t task) {
    return task < rtos->task_count && rtos->tasks[task].uncertain;
}
