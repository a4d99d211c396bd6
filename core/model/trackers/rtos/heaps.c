// SPDX-License-Identifier: MIT
//
// Memory: how full heaps are, what was not given back, and how much of a stack was never used.
#include "kernel_services_internal.h"

#include <string.h>

static void draw_level(struct tk_kernel_services *services, struct tk_kernel_object *heap, const char *who,
                       uint32_t actor) {
    struct tk_details args;
    args.count = 0;
    uint32_t track =
        tk_services_object_track(services, heap, TK_GROUP_MEMORY, TK_TRACK_COUNTER, "bytes", "Memory in use");
    if (who) tk_services_add_actor_arg(services, &args, who, actor);
    tk_timeline_counter(services->tl, track, heap->level, args.args, args.count);
    heap->unsure |= !heap->sure;
    if (!heap->sure || (heap->level_known && heap->level <= heap->level_most)) return;
    heap->level_known = true;
    heap->level_most = heap->level;
    heap->level_most_at = services->tl->now;
}

// What the target tells is right also behind a loss; a sum of what was seen is not.
static void change_level(struct tk_kernel_object *heap, const struct tk_event *event, int64_t by) {
    bool told = event->arg != UINT32_MAX;
    heap->level = told ? event->arg : heap->level + by;
    heap->sure |= told;
}

static void count_block(struct tk_kernel_services *services, const struct tk_heap_block *block, bool added) {
    uint64_t key = (uint64_t)1 << 63 | (uint64_t)block->heap << 32 | block->actor;
    bool fresh;
    struct tk_heap_owner_stats *row = tk_services_find_row(services, &services->owners, key, sizeof *row, &fresh);
    if (!row) return;
    row->heap = block->heap;
    row->actor = block->actor;
    row->blocks += added ? 1 : -(uint64_t)1;
    row->bytes += added ? block->size : -block->size;
}

static void forget_block(struct tk_kernel_services *services, struct tk_heap_block *block) {
    count_block(services, block, false);
    tk_heap_blocks_remove(&services->blocks, block);
}

// "allocate 112 bytes", with the address.
static void say(struct tk_kernel_services *services, const struct tk_core *core, const char *words, uint64_t bytes,
                uint64_t address) {
    struct tk_details args;
    args.count = 0;
    char text[48];
    size_t len = tk_append_text(text, tk_append_number(text, tk_append_text(text, 0, words), bytes), " bytes");
    struct tk_label_text name = { tk_names_message(tk_services_names(services), text, len), text, (uint32_t)len };
    tk_services_add_address_arg(services, &args, "address", address);
    if (tk_services_actor(core) != TK_NONE)
        tk_services_emit_call(services, core, &(struct tk_call){ .name = name, .args = &args, .no_kernel = true });
}

static void allocate(struct tk_kernel_services *services, struct tk_kernel_object *heap, const struct tk_event *event,
                     const struct tk_core *core) {
    struct tk_heap_block block = { event->address,          (uint64_t)event->value,
                                   services->tl->now,       (uint32_t)(heap - services->objects),
                                   tk_services_actor(core), true };
    struct tk_heap_block *unfreed = tk_heap_blocks_find(&services->blocks, block.heap, block.address); // its end was
                                                                                                       // lost
    if (unfreed) forget_block(services, unfreed);
    if (tk_heap_blocks_add(&services->blocks, services->host.alloc, &block)) count_block(services, &block, true);
    heap->set_count++;
    change_level(heap, event, event->value);
    draw_level(services, heap, "allocated by", block.actor);
    say(services, core, "allocate ", block.size, event->address);
}

// What is freed is what was allocated there, whatever size is told now.
static void free_block(struct tk_kernel_services *services, struct tk_kernel_object *heap, const struct tk_event *event,
                       const struct tk_core *core) {
    struct tk_heap_block *block =
        tk_heap_blocks_find(&services->blocks, (uint32_t)(heap - services->objects), event->address);
    uint64_t size = block ? block->size : (uint64_t)event->value;
    if (block) forget_block(services, block);
    heap->cleared_count++;
    change_level(heap, event, -(int64_t)size);
    draw_level(services, heap, "freed by", tk_services_actor(core));
    say(services, core, "free ", size, event->address);
}

TK_SERVICES_HANDLER(heap) {
    struct tk_kernel_object *heap = tk_services_object(services, TK_CLASS_HEAP, event->id);
    if (!heap || event->value < 0 || event->value > INT32_MAX * (int64_t)INT32_MAX) return;
    if (event->kind == TK_EV_ALLOCATED) {
        allocate(services, heap, event, core);
    } else if (event->kind == TK_EV_FREED) {
        free_block(services, heap, event, core);
    } else {
        heap->level = event->value;
        heap->sure = !event->arg || services->section_loss == services->tl->losses[0];
        draw_level(services, heap, NULL, TK_NONE);
    }
}

TK_SERVICES_HANDLER(allocation_failed) {
    char text[48];
    size_t len = tk_append_text(
        text, tk_append_number(text, tk_append_text(text, 0, "allocate "), (uint64_t)event->value), " bytes: failed");
    struct tk_label_text name = { tk_names_message(tk_services_names(services), text, len), text, (uint32_t)len };
    if (tk_services_actor(core) != TK_NONE)
        tk_services_emit_call(services, core, &(struct tk_call){ .name = name, .no_kernel = true });
    tk_services_emit_failure(services, core, name, NULL);
}

TK_SERVICES_HANDLER(stack_level) {
    struct tk_kernel_object *stack = tk_services_object(services, TK_CLASS_STACK, event->id);
    (void)core;
    if (!stack) return;
    tk_timeline_counter(services->tl,
                        tk_services_object_track(services, stack, TK_GROUP_MEMORY, TK_TRACK_COUNTER, "words",
                                                 "Words of a stack that were never used"),
                        event->value, NULL, 0);
    if (stack->level_known && event->value >= stack->level) return;
    stack->level_known = true;
    stack->level = event->value;
    stack->since = services->tl->now;
}
