// SPDX-License-Identifier: MIT
//
// Active objects as a part of the model.
#include "objects.h"
#include "part.h"

_Static_assert((int)TK_PART_TEXT >= 2 * (int)TK_DISPLAY_LEN, "a reason has room");

static void init(void *part, struct tk_alloc *alloc, struct tk_diag *diag, struct tk_timeline *timeline, struct tk_stats *stats) {
    tk_objects_init(part, alloc, diag, timeline, stats);
}

static void deinit(void *part) { tk_objects_deinit(part); }
static void on_event(void *part, const struct tk_event *event) { tk_objects_event(part, event); }
static void on_loss(void *part) { tk_objects_loss(part); }
static void on_restart(void *part) { tk_objects_restart(part); }
static void finish(void *part) { tk_objects_finish(part); }

static void summary(const void *part, struct tk_part_summary *out) {
    const struct tk_objects *o = part;
    *out = (struct tk_part_summary){ .task_rows = o->row_capacity, .queue_rows = o->store_count };
}

static bool get_task(const void *part, uint32_t row, struct tk_part_task *out) {
    const struct tk_objects *o = part;
    const struct tk_object *object = tk_objects_of_row(o, row);
    if (!object) return false;
    out->entity = object->entity;
    out->priority = object->priority;
    out->reason_len = tk_objects_reason_text(o, o->stats->tasks[row].longest_wait_reason, out->reason);
    return true;
}

static void get_queue(const void *part, uint32_t row, struct tk_part_queue *out) {
    const struct tk_store *store = &((const struct tk_objects *)part)->stores[row];
    *out = (struct tk_part_queue){ store->entity, store->kind };
}

const struct tk_model_part tk_part_objects = {
    sizeof(struct tk_objects), init, deinit, on_event, on_loss, on_restart, finish, summary, get_task, get_queue
};
