// SPDX-License-Identifier: MIT
//
// tk_report_json and tk_report_text: what the handle knows, as a report.
#include <string.h>

#include "handle.h"
#include "report/report.h"
#include "view.h"

static struct tk_report_string display(const struct tk *handle, uint32_t entity) {
    const struct tk_names *names = &handle->model.timeline.names;
    size_t len;
    const char *text = tk_strtab_text(&names->strings, names->entities[entity].name, &len);
    return (struct tk_report_string){ text, len };
}

// The callbacks' strings live until the next call: one buffer in the source's context serves for made-up names.
struct source {
    const struct tk *handle;
    char text[TK_DISPLAY_LEN];
};

static struct tk_report_string name_of(const void *ctx, uint32_t entity) {
    struct source *source = (struct source *)ctx;
    struct tk_report_string name = display(source->handle, entity);
    if (name.len) return name;
    size_t len = tk_names_display(&source->handle->model.timeline.names, entity, source->text);
    return (struct tk_report_string){ source->text, len };
}

static uint32_t id_of(const struct tk *handle, uint32_t entity) { return handle->model.timeline.names.entities[entity].id; }

static bool get_input(const void *ctx, uint32_t index, struct tk_report_input *out) {
    const struct tk *handle = ((const struct source *)ctx)->handle;
    const struct tk_input *input = handle->inputs[index];
    *out = (struct tk_report_input){
        .name = { input->name, strlen(input->name) }, .side = input->role == TK_SIDE, .bytes = input->bytes,
        .frames = input->kind ? input->kind->frames(input->decoder) : 0, .core = input->core, .skipped_by = input->account.skipped
    };
    struct tk_account_sums sums;
    tk_get_account(handle, index, &sums);
    out->decoded = sums.decoded;
    out->skipped = sums.skipped;
    out->left = sums.left;
    return true;
}

static void cut_words(char out_text[TK_REPORT_TEXT], const char *text, size_t len) {
    if (len >= TK_REPORT_TEXT)
        for (len = TK_REPORT_TEXT - 1; len && (text[len] & 0xC0) == 0x80; len--) {}
    memcpy(out_text, text, len);
}

// A row of a part of the model has the columns of a task.
static bool get_part_task(const void *ctx, uint32_t index, struct tk_report_task *out) {
    const struct tk *handle = ((const struct source *)ctx)->handle;
    const struct tk_model *model = &handle->model;
    struct tk_part_task task = { 0 };
    if (!model->part->task(model->part_state, index, &task)) return false;
    *out = (struct tk_report_task){
        .id = index + 1, .pid = model->timeline.rows[index].pid, .name = name_of(ctx, task.entity),
        .has_priority = task.priority != 0, .priority = task.priority
    };
    cut_words(out->wait_on, task.reason, task.reason_len);
    return true;
}

static bool get_fact(const void *ctx, uint32_t index, uint32_t fact, char out_text[TK_REPORT_FACT]) {
    const struct tk_input *input = ((const struct source *)ctx)->handle->inputs[index];
    return input->kind && input->kind->fact && input->kind->fact(input->decoder, fact, out_text);
}

static bool get_task(const void *ctx, uint32_t index, struct tk_report_task *out) {
    const struct tk *handle = ((const struct source *)ctx)->handle;
    if (!handle->model.rtos.task_count) return get_part_task(ctx, index, out);
    const struct tk_task *task = &handle->model.rtos.tasks[index];
    const struct tk_row *row = &handle->model.timeline.rows[index];
    if (!row->shown && !row->thread_track && !task->prio_known) return false;
    if (task->phase == TK_PHASE_DELETED && !row->shown && !row->thread_track) return false; // its row went to a namesake
    char reason[2 * TK_DISPLAY_LEN];
    size_t len = tk_rtos_reason_text(&handle->model.rtos, handle->model.stats.tasks[index].longest_wait_reason, reason);
    *out = (struct tk_report_task){
        .id = id_of(handle, task->entity), .pid = row->pid, .name = name_of(ctx, task->entity), .idle = task->idle,
        .has_priority = task->prio_known, .priority = task->prio
    };
    cut_words(out->wait_on, reason, len);
    return true;
}

static bool get_isr(const void *ctx, uint32_t index, struct tk_report_isr *out) {
    const struct tk *handle = ((const struct source *)ctx)->handle;
    const struct tk_isr *isr = &handle->model.rtos.isrs[index];
    if (!handle->model.stats.isrs[index].entered) return false;
    *out = (struct tk_report_isr){ .core = isr->core, .id = id_of(handle, isr->entity), .name = name_of(ctx, isr->entity) };
    return true;
}

static bool get_queue(const void *ctx, uint32_t index, struct tk_report_queue *out) {
    static const char *const kinds[] = {
        [TK_QUEUE_PLAIN] = "queue", [TK_QUEUE_COUNTING_SEMAPHORE] = "counting semaphore", [TK_QUEUE_BINARY_SEMAPHORE] = "binary semaphore",
        [TK_QUEUE_MUTEX] = "mutex", [TK_QUEUE_RECURSIVE_MUTEX] = "recursive mutex", [TK_QUEUE_SET] = "queue set", [TK_QUEUE_UNKNOWN] = "unknown",
    };
    const struct tk *handle = ((const struct source *)ctx)->handle;
    if (!handle->model.rtos.queue_count) {
        struct tk_part_queue queue;
        handle->model.part->queue(handle->model.part_state, index, &queue);
        *out = (struct tk_report_queue){ index + 1, name_of(ctx, queue.entity), queue.kind };
        return true;
    }
    const struct tk_queue *queue = &handle->model.rtos.queues[index];
    *out = (struct tk_report_queue){ id_of(handle, queue->entity), name_of(ctx, queue->entity), queue->kind_known ? kinds[queue->kind] : "queue" };
    return queue->used;
}

static bool get_marker(const void *ctx, uint32_t index, struct tk_report_string *out) {
    *out = name_of(ctx, ((const struct source *)ctx)->handle->model.markers[index].entity);
    return true;
}

static const char *get_kind(uint8_t kind) { return kind < TK_EV_COUNT ? tk_event_words((enum tk_event_kind)kind) : NULL; }

static enum tk_report_tick_source tick_source(const struct tk *handle) {
    if (handle->option_tick_ns || (handle->model.tick_ns && handle->model.tick_origin == TK_TICK_GIVEN)) return TK_TICK_FROM_OPTION;
    if (!handle->model.tick_ns || handle->model.tick_origin == TK_TICK_GUESSED) return TK_TICK_ASSUMED;
    return handle->model.tick_is_side ? TK_TICK_FROM_SIDE : TK_TICK_FROM_RECORDING;
}

static const char *mode_of(const struct tk *handle) {
    const char *mode = "";
    for (uint32_t i = 0; i < handle->input_count; i++) {
        const struct tk_input *input = handle->inputs[i];
        if (!input->kind || !input->kind->mode || input->role != TK_RECORDING) continue;
        const char *own = input->kind->mode(input->decoder);
        if (!*mode || strlen(own) != strlen(mode) || !strcmp(own, "free-rtos")) mode = own;
    }
    return mode;
}

static uint64_t counts_per_tick(const struct tk *handle) {
    for (uint32_t i = 0; i < handle->input_count; i++) {
        const struct tk_input *input = handle->inputs[i];
        if (input->kind && input->kind->counts_per_tick && input->role == TK_RECORDING) return input->kind->counts_per_tick(input->decoder);
    }
    return 0;
}

static uint32_t smaller(uint32_t a, uint32_t b) { return a < b ? a : b; }

// After a failed allocation one table may be shorter than its neighbours: the report ends with the shortest.
static void fill(const struct tk *handle, const struct source *source, const struct tk_view *view, struct tk_report *out) {
    const struct tk_model *model = &handle->model;
    struct tk_part_summary part = { 0 };
    if (model->part) model->part->summary(model->part_state, &part);
    *out = (struct tk_report){
        .tool = "Tonkopf " TK_VERSION, .format_name = handle->format ? handle->format->info.name : "",
        .format_title = handle->format ? handle->format->info.title : "", .mode = mode_of(handle),
        .probe_reason = handle->probe->reason, .tick_ns = handle->tick_ns ? handle->tick_ns : 1, .tick_source = tick_source(handle),
        .counts_per_tick = counts_per_tick(handle), .tick_late = handle->diag.entries[TK_DIAG_TICK_LATE].count > 0, .drops = model->lost, .drops_before = model->lost_before,
        .restarts = model->restarts, .bytes_out = handle->writer ? tk_writer_bytes(handle->writer) : 0,
        .packets = handle->writer ? tk_writer_packets(handle->writer) : 0, .input_count = handle->input_count,
        .task_count = smaller(model->rtos.task_count ? model->rtos.task_count : part.task_rows, smaller(model->timeline.row_count, model->stats.task_capacity)),
        .isr_count = smaller(model->rtos.isr_count, model->stats.isr_capacity),
        .queue_count = smaller(model->rtos.queue_count ? model->rtos.queue_count : part.queue_rows, model->stats.queue_capacity), .marker_count = model->marker_count,
        .source = { source, get_input, get_fact, get_task, get_isr, get_queue, get_marker, get_kind },
        .stats = &model->stats, .diag = &handle->diag,
        .expand = view->expand, .expand_count = view->expand_count, .collapse = view->collapse, .collapse_count = view->collapse_count,
        .pin = view->pin, .pin_count = view->pin_count
    };
    for (uint32_t i = 0; i < handle->input_count; i++)
        if (handle->inputs[i]->role == TK_RECORDING) out->bytes_in += handle->inputs[i]->bytes;
}

tk_status tk_report_json(const tk *handle, tk_write_fn write, void *ctx) {
    struct source source = { .handle = handle };
    struct tk_report report;
    struct tk_view view;
    tk_view_choose(&view, &handle->model);
    fill(handle, &source, &view, &report);
    return tk_report_write_json(&report, write, ctx) ? TK_OK : TK_SINK_REFUSED;
}

tk_status tk_report_text(const tk *handle, tk_write_fn write, void *ctx) {
    struct source source = { .handle = handle };
    struct tk_report report;
    struct tk_view view;
    tk_view_choose(&view, &handle->model);
    fill(handle, &source, &view, &report);
    return tk_report_write_text(&report, write, ctx) ? TK_OK : TK_SINK_REFUSED;
}
