// SPDX-License-Identifier: MIT
//
// Calls of the kernel as instants of who makes them, arrows from what was sent to where it was received, and what
// failed.
#include "kernel_services_internal.h"

#include <string.h>

#include "../../../base/utf8.h"

// ---- Instants ----------------------------------------------------------------------------------

static uint32_t calls_track(struct tk_kernel_services *services, uint32_t task) {
    struct tk_task_services *own = tk_services_task(services, task);
    if (!own) return 0;
    if (!own->calls_track) {
        struct tk_track_spec spec = { tk_timeline_task_group(services->tl, task),
                                      TK_TRACK_SLICES,
                                      TK_NONE,
                                      "calls",
                                      services->tl->rows[task].pid,
                                      TK_RANK_CALLS,
                                      NULL,
                                      "What the task asked of the kernel",
                                      0 };
        own->calls_track = tk_timeline_add_track(services->tl, &spec);
    }
    return own->calls_track;
}

void tk_services_emit_call(struct tk_kernel_services *services, const struct tk_core *core,
                           const struct tk_call *call) {
    struct tk_track_event event = { .type = TK_EVENT_INSTANT,
                                    .name = call->name.id,
                                    .string = call->name.id ? NULL : call->name.text,
                                    .string_len = call->name.len,
                                    .flow = call->flow };
    if (core->depth) event.track = core->track;
    else if (core->task != TK_NONE) event.track = calls_track(services, core->task);
    if (call->args) {
        event.args = call->args->args;
        event.arg_count = (uint8_t)call->args->count;
    }
    if (!core->depth && core->task != TK_NONE && !call->no_kernel) tk_services_jobs_call(services, core->task);
    tk_timeline_event(services->tl, &event);
}

void tk_services_emit_verb(struct tk_kernel_services *services, const struct tk_core *core, enum tk_verb verb,
                           enum tk_result result, uint32_t entity, uint32_t number) {
    char room[TK_NAME_TEMPLATE_LEN];
    if (tk_services_actor(core) == TK_NONE) return;
    tk_services_emit_call(
        services, core,
        &(struct tk_call){ .name = tk_name_template(&services->name_templates, verb, result, entity, number, room) });
}

TK_COLD void tk_services_emit_failure(struct tk_kernel_services *services, const struct tk_core *core,
                                      struct tk_label_text name, const struct tk_details *args) {
    struct tk_details all;
    all.count = 0;
    if (!services->failures_track) {
        struct tk_track_spec spec = { tk_timeline_group(services->tl, TK_GROUP_TARGET),
                                      TK_TRACK_SLICES,
                                      TK_NONE,
                                      "Failures",
                                      -1,
                                      TK_RANK_FAILURES,
                                      NULL,
                                      "What the target could not do",
                                      0 };
        services->failures_track = tk_timeline_add_track(services->tl, &spec);
    }
    tk_services_add_actor_arg(services, &all, "by", tk_services_actor(core));
    for (unsigned i = 0; args && i < args->count && all.count < TK_MAX_ARGS; i++) all.args[all.count++] = args->args[i];
    tk_timeline_instant(services->tl, services->failures_track, name, all.args, all.count);
}

// ---- Others ------------------------------------------------------------------------------------

static struct tk_label_text words(struct tk_kernel_services *services, const struct tk_event *event) {
    return (struct tk_label_text){ tk_names_message(tk_services_names(services), event->str, event->str_len),
                                   event->str, event->str_len };
}

TK_SERVICES_HANDLER(call) {
    struct tk_details args;
    args.count = 0;
    if (tk_services_actor(core) == TK_NONE || !event->str_len) return;
    tk_details_values(services->host.details, &args, event);
    tk_services_emit_call(services, core, &(struct tk_call){ .name = words(services, event), .args = &args });
}

TK_SERVICES_HANDLER(failure) {
    struct tk_details args;
    args.count = 0;
    if (!event->str_len) return;
    tk_details_values(services->host.details, &args, event);
    tk_services_emit_failure(services, core, words(services, event), &args);
}

enum { LOG_LEN = 2048 };

// "(UART) text" of an interrupt, which is no thread: it is told on the task below it.
static uint32_t log_text(struct tk_kernel_services *services, const struct tk_core *core, const struct tk_event *event,
                         char text[LOG_LEN]) {
    size_t len = 0, most = event->str_len;
    if (core->depth) {
        char name[TK_DISPLAY_LEN];
        size_t name_len = tk_names_display(tk_services_names(services),
                                           services->rtos->isrs[core->stack[core->depth - 1].isr].entity, name);
        len = tk_append_text(text, 0, "(");
        memcpy(text + len, name, name_len);
        len = tk_append_text(text, len + name_len, ") ");
    }
    if (most > LOG_LEN - len) most = tk_utf8_cut(event->str, LOG_LEN - len);
    if (most) memcpy(text + len, event->str, most);
    return (uint32_t)(len + most);
}

TK_SERVICES_HANDLER(logged) {
    char text[LOG_LEN];
    if (core->task == TK_NONE || tk_rtos_is_shared(core->task) || !event->value_count) return;
    struct tk_log_entry log = { event->values[0].text, event->values[0].text_len, (uint8_t)event->arg };
    struct tk_track_event shown = {
        .type = TK_EVENT_INSTANT, .track = calls_track(services, core->task), .string = text, .log = &log
    };
    shown.string_len = log_text(services, core, event, text);
    tk_timeline_event(services->tl, &shown);
}
