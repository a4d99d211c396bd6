// SPDX-License-Identifier: MIT
//
// Calls of the kernel as instants of their actors, failures, and log messages.
#include <string.h>

#include "../../../base/utf8.h"
#include "rtos_internal.h"

static uint32_t calls_track(struct tk_rtos *rtos, uint32_t index) {
    if (tk_rtos_is_shared(index)) return 0;
    struct tk_task *task = &rtos->tasks[index];
    if (!task->calls_track) {
        struct tk_track_spec spec = { tk_timeline_task_group(rtos->tl, index),
                                      TK_TRACK_SLICES,
                                      TK_NONE,
                                      "calls",
                                      rtos->tl->tasks[index].pid,
                                      TK_RANK_CALLS,
                                      NULL,
                                      "What the task asked of the kernel",
                                      0 };
        task->calls_track = tk_timeline_add_track(rtos->tl, &spec);
    }
    return task->calls_track;
}

void tk_rtos_draw_call(struct tk_rtos *rtos, const struct tk_core *core, struct tk_actor actor,
                       const struct tk_call *call) {
    struct tk_track_event event = { .type = TK_EVENT_INSTANT,
                                    .name = call->name.id,
                                    .string = call->name.id ? NULL : call->name.text,
                                    .string_len = call->name.len,
                                    .flow = call->flow };
    if (actor.kind == TK_ACTOR_UNKNOWN) return;
    event.track = actor.kind == TK_ACTOR_INTERRUPT ? core->track : calls_track(rtos, actor.index);
    if (call->args) {
        event.args = call->args->args;
        event.arg_count = (uint8_t)call->args->count;
    }
    if (actor.kind == TK_ACTOR_TASK && !call->no_kernel) tk_rtos_job_call(rtos, actor.index);
    tk_timeline_event(rtos->tl, &event);
}

void tk_rtos_draw_plain_call(struct tk_rtos *rtos, const struct tk_core *core, struct tk_actor actor,
                             enum tk_label label, uint32_t entity) {
    if (actor.kind == TK_ACTOR_UNKNOWN) return;
    uint32_t name = tk_names_label(tk_rtos_names(rtos), entity, label);
    tk_rtos_draw_call(rtos, core, actor, &(struct tk_call){ .name = tk_named(name) });
}

TK_COLD void tk_rtos_draw_failure(struct tk_rtos *rtos, struct tk_actor actor, struct tk_label_text name,
                                  const struct tk_details *args) {
    struct tk_details all;
    all.count = 0;
    if (!rtos->failures_track) {
        struct tk_track_spec spec = { tk_timeline_group(rtos->tl, TK_GROUP_TARGET),
                                      TK_TRACK_SLICES,
                                      TK_NONE,
                                      "Failures",
                                      -1,
                                      TK_RANK_FAILURES,
                                      NULL,
                                      "What the target could not do",
                                      0 };
        rtos->failures_track = tk_timeline_add_track(rtos->tl, &spec);
    }
    tk_rtos_add_actor_arg(rtos, &all, "by", actor);
    for (unsigned i = 0; args && i < args->count && all.count < TK_MAX_ARGS; i++) all.args[all.count++] = args->args[i];
    tk_timeline_instant(rtos->tl, rtos->failures_track, name, all.args, all.count);
}

// The text is written out: addresses are too many to be interned.
void tk_rtos_add_address_arg(struct tk_rtos *rtos, struct tk_details *details, const char *name, uint64_t address) {
    if (details->count == TK_MAX_ARGS) return;
    tk_details_number(rtos->host->details, details, name, 0);
    struct tk_arg *arg = &details->args[details->count - 1];
    arg->type = TK_ARG_STRING;
    struct tk_text text = tk_text_in(rtos->address, sizeof rtos->address);
    tk_text_hex(&text, address, 1);
    arg->string = text.text;
    arg->string_len = text.len;
}

// ---- Events with words of their own ------------------------------------------------------------

static struct tk_label_text words_of(struct tk_rtos *rtos, const struct tk_event *event) {
    return (struct tk_label_text){ tk_names_message(tk_rtos_names(rtos), event->str, event->str_len), event->str,
                                   event->str_len };
}

void tk_rtos_on_kernel_call(struct tk_rtos *rtos, const struct tk_event *event, struct tk_core *core) {
    struct tk_actor actor = tk_rtos_actor(core, event);
    struct tk_details args;
    args.count = 0;
    if (actor.kind == TK_ACTOR_UNKNOWN || !event->str_len) return;
    tk_details_values(rtos->host->details, &args, event);
    tk_rtos_draw_call(rtos, core, actor, &(struct tk_call){ .name = words_of(rtos, event), .args = &args });
}

void tk_rtos_on_failure(struct tk_rtos *rtos, const struct tk_event *event, struct tk_core *core) {
    struct tk_details args;
    args.count = 0;
    if (!event->str_len) return;
    tk_details_values(rtos->host->details, &args, event);
    tk_rtos_draw_failure(rtos, tk_rtos_actor(core, event), words_of(rtos, event), &args);
}

enum { LOG_ROOM = 2048 + 1 };

// A message of an interrupt is shown at the interrupted task, because interrupts are no threads: "(UART) text".
static struct tk_text log_text(struct tk_rtos *rtos, const struct tk_core *core, const struct tk_event *event,
                               char room[LOG_ROOM]) {
    struct tk_text text = tk_text_in(room, LOG_ROOM);
    if (core->depth) {
        tk_text_add(&text, "(");
        tk_names_put(tk_rtos_names(rtos), rtos->isrs[core->stack[core->depth - 1].isr].entity, &text);
        tk_text_add(&text, ") ");
    }
    tk_text_put(&text, event->str, event->str_len);
    return text;
}

void tk_rtos_on_log_message(struct tk_rtos *rtos, const struct tk_event *event, struct tk_core *core) {
    char room[LOG_ROOM];
    if (!event->value_count) return;
    bool has_task = core->task != TK_NONE && !tk_rtos_is_shared(core->task);
    struct tk_log_entry log = { event->values[0].text, event->values[0].text_len, (uint8_t)event->log_message.level };
    struct tk_text text = log_text(rtos, core, event, room);
    struct tk_track_event shown = { .type = TK_EVENT_INSTANT,
                                    .track = has_task ? calls_track(rtos, core->task) : 0,
                                    .string = text.text,
                                    .string_len = text.len,
                                    .log = &log };
    rtos->tl->has_log = true;
    tk_timeline_log(rtos->tl, &shown);
}
