// SPDX-License-Identifier: MIT
//
// Memory: how full heaps are, what was not given back, and how much of a stack was never used.
#include "rtos_more_parts.h"

#include <string.h>

static void draw_level(struct tk_rtos_more *more, struct tk_thing *heap, const char *who, uint32_t actor) {
    struct tk_details args;
    args.count = 0;
    uint32_t track = tk_more_thing_track(more, heap, TK_GROUP_MEMORY, TK_TRACK_COUNTER, "bytes", "Memory in use");
    if (who) tk_more_who(more, &args, who, actor);
    tk_timeline_counter(more->tl, track, heap->level, args.args, args.count);
    heap->unsure |= !heap->sure;
    if (!heap->sure || (heap->level_known && heap->level <= heap->level_most)) return;
    heap->level_known = true;
    heap->level_most = heap->level;
    heap->level_most_at = more->tl->now;
}

// What the target tells is right also behind a loss; a sum of what was seen is not.
static void change_level(struct tk_thing *heap, const struct tk_event *event, int64_t by) {
    bool told = event->arg != UINT32_MAX;
    heap->level = told ? event->arg : heap->level + by;
    heap->sure |= told;
}

static void count_block(struct tk_rtos_more *more, const struct tk_block *block, bool added) {
    uint64_t key = (uint64_t)1 << 63 | (uint64_t)block->heap << 32 | block->actor;
    bool fresh;
    struct tk_owner_row *row = tk_more_row(more, &more->owners, key, sizeof *row, &fresh);
    if (!row) return;
    row->heap = block->heap;
    row->actor = block->actor;
    row->blocks += added ? 1 : -(uint64_t)1;
    row->bytes += added ? block->size : -block->size;
}

static void forget_block(struct tk_rtos_more *more, struct tk_block *block) {
    count_block(more, block, false);
    tk_blocks_remove(&more->blocks, block);
}

// "allocate 112 bytes", with the address.
static void say(struct tk_rtos_more *more, const struct tk_core *core, const char *words, uint64_t bytes, uint64_t address) {
    struct tk_details args;
    args.count = 0;
    char text[48];
    size_t len = tk_append_text(text, tk_append_number(text, tk_append_text(text, 0, words), bytes), " bytes");
    struct tk_label_text name = { tk_names_message(tk_more_names(more), text, len), text, (uint32_t)len };
    tk_more_address(more, &args, "address", address);
    if (tk_more_actor(core) != TK_NONE) tk_more_call(more, core, &(struct tk_call){ .name = name, .args = &args, .no_kernel = true });
}

static void allocate(struct tk_rtos_more *more, struct tk_thing *heap, const struct tk_event *event, const struct tk_core *core) {
    struct tk_block block = { event->address, (uint64_t)event->value, more->tl->now, (uint32_t)(heap - more->things), tk_more_actor(core), true };
    struct tk_block *unfreed = tk_blocks_find(&more->blocks, block.heap, block.address); // its end was lost
    if (unfreed) forget_block(more, unfreed);
    if (tk_blocks_add(&more->blocks, more->host.alloc, &block)) count_block(more, &block, true);
    heap->set_count++;
    change_level(heap, event, event->value);
    draw_level(more, heap, "allocated by", block.actor);
    say(more, core, "allocate ", block.size, event->address);
}

// What is freed is what was allocated there, whatever size is told now.
static void give_back(struct tk_rtos_more *more, struct tk_thing *heap, const struct tk_event *event, const struct tk_core *core) {
    struct tk_block *block = tk_blocks_find(&more->blocks, (uint32_t)(heap - more->things), event->address);
    uint64_t size = block ? block->size : (uint64_t)event->value;
    if (block) forget_block(more, block);
    heap->cleared_count++;
    change_level(heap, event, -(int64_t)size);
    draw_level(more, heap, "freed by", tk_more_actor(core));
    say(more, core, "free ", size, event->address);
}

TK_MORE_HANDLER(heap) {
    struct tk_thing *heap = tk_more_thing(more, TK_CLASS_HEAP, event->id);
    if (!heap || event->value < 0 || event->value > INT32_MAX * (int64_t)INT32_MAX) return;
    if (event->kind == TK_EV_ALLOCATED) {
        allocate(more, heap, event, core);
    } else if (event->kind == TK_EV_FREED) {
        give_back(more, heap, event, core);
    } else {
        heap->level = event->value;
        heap->sure = !event->arg || more->section_loss == more->tl->losses[0];
        draw_level(more, heap, NULL, TK_NONE);
    }
}

TK_MORE_HANDLER(allocation_failed) {
    char text[48];
    size_t len = tk_append_text(text, tk_append_number(text, tk_append_text(text, 0, "allocate "), (uint64_t)event->value), " bytes: failed");
    struct tk_label_text name = { tk_names_message(tk_more_names(more), text, len), text, (uint32_t)len };
    if (tk_more_actor(core) != TK_NONE) tk_more_call(more, core, &(struct tk_call){ .name = name, .no_kernel = true });
    tk_more_fail(more, core, name, NULL);
}

TK_MORE_HANDLER(stack_level) {
    struct tk_thing *stack = tk_more_thing(more, TK_CLASS_STACK, event->id);
    (void)core;
    if (!stack) return;
    tk_timeline_counter(more->tl, tk_more_thing_track(more, stack, TK_GROUP_MEMORY, TK_TRACK_COUNTER, "words", "Words of a stack that were never used"), event->value, NULL, 0);
    if (stack->level_known && event->value >= stack->level) return;
    stack->level_known = true;
    stack->level = event->value;
    stack->since = more->tl->now;
}
