// SPDX-License-Identifier: MIT
//
// Interrupts: they nest, and their ends may be lost.
#include "rtos_internal.h"

// An interrupt ends.
static void pop_isr(struct tk_rtos *rtos, struct tk_core *core, uint8_t number) {
    const struct tk_isr_call *call = &core->stack[--core->depth];
    bool outermost = core->depth == 0;
    uint64_t length = rtos->tl->now - call->enter;
    if (tk_timeline_crosses_loss(rtos->tl, core->track, core->depth))
        tk_stats_unmeasured_isr(rtos->stats, number, call->enter, rtos->tl->now, outermost);
    else {
        tk_stats_isr_exit(rtos->stats, call->isr, number, call->enter, rtos->tl->now, outermost);
        bool is_known = call->inside != TK_INSIDE_UNKNOWN;
        tk_stats_isr_net(rtos->stats, call->isr, call->enter, is_known ? length - call->inside : 0, is_known);
        TK_TELL(rtos->facts, isr_leaves, call->isr, call->enter, rtos->tl->now);
    }
    struct tk_isr_call *outer = outermost ? NULL : &core->stack[core->depth - 1];
    if (outer && outer->inside != TK_INSIDE_UNKNOWN) outer->inside += length;
    tk_timeline_end(rtos->tl, core->track, NULL, 0);
    if (!outermost) return;
    core->left = rtos->tl->now;
    TK_TELL(rtos->facts, isrs_end, number, rtos->tl->now);
}

TK_COLD void tk_rtos_close_isrs_after_loss(struct tk_rtos *rtos, const struct tk_event *event, struct tk_core *core,
                                           uint32_t depth) {
    tk_rtos_close_isrs_at(rtos, event, core, depth, rtos->tl->now);
}

TK_COLD void tk_rtos_close_isrs_at(struct tk_rtos *rtos, const struct tk_event *event, struct tk_core *core,
                                   uint32_t depth, uint64_t ticks) {
    struct tk_source_pos place = tk_event_trace_pos(event);
    while (core->depth > depth) {
        const struct tk_isr_call *call = &core->stack[--core->depth];
        tk_stats_unmeasured_isr(rtos->stats, event->core, call->enter, ticks, core->depth == 0);
        tk_timeline_end_lost_at(rtos->tl, core->track, ticks);
        tk_diag_note(rtos->diag, TK_DIAG_ISR_END_LOST, &place,
                     tk_rtos_names(rtos)->entities[rtos->isrs[call->isr].entity].id);
        core->left = ticks;
        if (core->depth) core->stack[core->depth - 1].inside = TK_INSIDE_UNKNOWN;
        else TK_TELL(rtos->facts, isrs_end, event->core, ticks);
    }
}

TK_COLD static uint32_t add_isr_track(struct tk_rtos *rtos, struct tk_core *core, uint8_t number) {
    struct tk_track_spec spec = { tk_timeline_group(rtos->tl, TK_GROUP_INTERRUPTS),
                                  TK_TRACK_SLICES,
                                  TK_NONE,
                                  "Interrupts",
                                  -1,
                                  number,
                                  NULL,
                                  NULL,
                                  (uint8_t)(number + 1) };
    return core->track = tk_timeline_add_track(rtos->tl, &spec);
}

// Returns the position of the innermost open call of an interrupt, or core->depth.
static uint32_t find_open_isr(const struct tk_core *core, uint32_t isr) {
    for (uint32_t at = core->depth; at--;)
        if (core->stack[at].isr == isr) return at;
    return core->depth;
}

TK_COLD void tk_rtos_loss_outside_isrs(struct tk_rtos *rtos, uint32_t number) {
    struct tk_core *core = &rtos->cores[number];
    if (core->loss_outside && !core->depth) tk_stats_unmeasured_outside(rtos->stats, number, core->left, rtos->tl->now);
    core->loss_outside = false;
}

// An open interrupt begins again: if events were lost since, its end was among them; otherwise it nests.
TK_COLD static void drop_stale_isr(struct tk_rtos *rtos, const struct tk_event *event, struct tk_core *core,
                                   uint32_t isr) {
    uint32_t open = find_open_isr(core, isr);
    if (open < core->depth && tk_timeline_crosses_loss(rtos->tl, core->track, open))
        tk_rtos_close_isrs_after_loss(rtos, event, core, open);
}

TK_NOINLINE static void begin_with_priority(struct tk_rtos *rtos, uint32_t isr, uint32_t track, uint32_t name) {
    struct tk_arg priority = { .name = tk_names_arg(tk_rtos_names(rtos), TK_ARGN_PRIORITY),
                               .type = TK_ARG_UINT,
                               .value.u = rtos->isrs[isr].priority - 1u };
    tk_timeline_begin(rtos->tl, track, tk_named(name), &priority, 1);
}

void tk_rtos_on_isr_enter(struct tk_rtos *rtos, const struct tk_event *event, struct tk_core *core) {
    uint32_t isr = tk_rtos_find_isr(rtos, event->core, event->isr.isr);
    if (isr == TK_NONE) return;
    if (core->depth) drop_stale_isr(rtos, event, core, isr);
    else if (core->loss_outside) tk_rtos_loss_outside_isrs(rtos, event->core);
    if (core->depth >= TK_RTOS_NESTED) {
        tk_rtos_problem(rtos, TK_DIAG_TOO_DEEP, event);
        tk_timeline_invalidate_open(rtos->tl, core->track); // its end will be attributed to another one
        return;
    }
    tk_stats_isr_enter(rtos->stats, isr, rtos->tl->now);
    TK_TELL(rtos->facts, isr_enters, isr, rtos->isrs[isr].entity, event->core, rtos->tl->now, core->depth == 0);
    core->stack[core->depth++] = (struct tk_isr_call){ .isr = isr, .enter = rtos->tl->now };
    tk_stats_isr_depth(rtos->stats, isr, core->depth);
    // Before the track: both may write to the trace, and compilers evaluate arguments in any order
    uint32_t name = tk_names_label(tk_rtos_names(rtos), rtos->isrs[isr].entity, TK_LABEL_NAME);
    uint32_t track = core->track ? core->track : add_isr_track(rtos, core, event->core);
    if (rtos->isrs[isr].priority) begin_with_priority(rtos, isr, track, name);
    else tk_timeline_begin(rtos->tl, track, tk_named(name), NULL, 0);
}

// Ends an interrupt and those nested in it. If it is not open, its number is damaged or its beginning was lost.
TK_COLD static void pop_isrs(struct tk_rtos *rtos, const struct tk_event *event, struct tk_core *core, uint32_t isr) {
    uint32_t open = isr == TK_NONE ? core->depth : find_open_isr(core, isr);
    if (open == core->depth) {
        tk_rtos_problem(rtos, TK_DIAG_ISR_END_WITHOUT_BEGIN, event);
        tk_timeline_invalidate_open(rtos->tl, core->track);
        return;
    }
    tk_rtos_close_isrs_after_loss(rtos, event, core, open + 1);
    pop_isr(rtos, core, event->core);
}

void tk_rtos_on_isr_exit(struct tk_rtos *rtos, const struct tk_event *event, struct tk_core *core) {
    uint32_t isr = tk_rtos_find_isr(rtos, event->core, event->isr.isr);
    if (core->depth && core->stack[core->depth - 1].isr == isr) pop_isr(rtos, core, event->core);
    else pop_isrs(rtos, event, core, isr);
}

TK_COLD void tk_rtos_on_isr_name(struct tk_rtos *rtos, const struct tk_event *event, struct tk_core *core) {
    (void)core;
    uint32_t isr = tk_rtos_find_isr(rtos, event->core, event->name.entity);
    if (isr >= TK_MAX_ISRS) return;
    if (rtos->isrs[isr].stale &&
        tk_names_differs(tk_rtos_names(rtos), rtos->isrs[isr].entity, event->str, event->str_len)) {
        isr = tk_rtos_add_isr(rtos, event->core, event->name.entity);
        if (isr >= TK_MAX_ISRS) return;
    }
    rtos->isrs[isr].stale = false;
    if (tk_names_set(tk_rtos_names(rtos), rtos->isrs[isr].entity, event->str, event->str_len))
        tk_rtos_problem(rtos, TK_DIAG_NAME_CHANGED, event);
}

TK_COLD void tk_rtos_on_isr_priority(struct tk_rtos *rtos, const struct tk_event *event, struct tk_core *core) {
    (void)core;
    uint32_t isr = tk_rtos_find_isr(rtos, event->core, event->isr_priority.isr);
    if (isr < TK_MAX_ISRS)
        rtos->isrs[isr].priority = event->isr_priority.priority < UINT32_MAX ? event->isr_priority.priority + 1 : 0;
}

TK_COLD void tk_rtos_import_isr_names(struct tk_rtos *rtos) {
    struct tk_names *names = tk_rtos_names(rtos);
    for (uint32_t i = 0; i < rtos->isr_count; i++) {
        const struct tk_entity *entity = &names->entities[rtos->isrs[i].entity];
        for (uint32_t j = 0; j < rtos->isr_count && !entity->name; j++) {
            const struct tk_entity *other = &names->entities[rtos->isrs[j].entity];
            if (other->id != entity->id || !other->name) continue;
            char room[TK_DISPLAY_LEN + 16];
            struct tk_text copy = tk_text_in(room, sizeof room);
            tk_names_put(names, rtos->isrs[j].entity, &copy);
            tk_text_add(&copy, " (core ");
            tk_text_u64(&copy, rtos->isrs[j].core);
            tk_text_add(&copy, ")");
            tk_names_set(names, rtos->isrs[i].entity, copy.text, copy.len);
            tk_diag_count(rtos->diag, TK_DIAG_NAME_IMPORTED, NULL);
        }
    }
}
