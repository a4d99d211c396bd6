// SPDX-License-Identifier: MIT
//
// Heaps: bytes in use, and memory that was allocated and not freed.
#include "rtos_internal.h"

// role: argument name of the actor, "allocated by"; NULL: none.
static void draw_level(struct tk_rtos *rtos, struct tk_kernel_object *object, const char *role, struct tk_actor actor) {
    struct tk_heap *heap = &object->heap;
    struct tk_details args;
    args.count = 0;
    uint32_t track = tk_rtos_object_track(rtos, object, TK_GROUP_MEMORY, TK_TRACK_COUNTER, "bytes", "Memory in use");
    if (role) tk_rtos_add_actor_arg(rtos, &args, role, actor);
    tk_timeline_counter(rtos->tl, track, heap->level, args.args, args.count);
    heap->drew_inexact |= !heap->is_exact;
    if (!heap->is_exact || (heap->most_known && heap->level <= heap->most)) return;
    heap->most_known = true;
    heap->most = heap->level;
    heap->most_at = rtos->tl->now;
}

static void tell_level(const struct tk_rtos *rtos, const struct tk_kernel_object *object, bool frees) {
    const struct tk_heap *heap = &object->heap;
    if (heap->is_exact && heap->level >= 0)
        TK_TELL(rtos->facts, heap_level, object->entity, rtos->tl->now, (uint64_t)heap->level, frees);
}

// A level from the recording is exact, also after a loss; the sum of the events is not.
static void change_level(struct tk_heap *heap, const struct tk_event *event, int64_t by) {
    bool is_recorded = event->allocation.level_after != UINT32_MAX;
    heap->level = is_recorded ? event->allocation.level_after : heap->level + by;
    heap->is_exact |= is_recorded;
}

static void count_block(struct tk_rtos *rtos, const struct tk_heap_block *block, bool added) {
    uint64_t key = (uint64_t)1 << 63 | (uint64_t)block->heap << 32 | tk_actor_key(block->actor);
    struct tk_heap_owner_stats *row = tk_rtos_find_row(rtos, &rtos->heap_owners, key, sizeof *row);
    if (!row) return;
    row->heap = block->heap;
    row->actor = block->actor;
    row->blocks += added ? 1 : -(uint64_t)1;
    row->bytes += added ? block->size : -block->size;
}

static void remove_block(struct tk_rtos *rtos, struct tk_heap_block *block) {
    count_block(rtos, block, false);
    tk_heap_blocks_remove(&rtos->heap_blocks, block);
}

// Draws the call "allocate 112 bytes", with the address and the values of the event.
static void draw_call(struct tk_rtos *rtos, const struct tk_core *core, struct tk_actor actor, const char *words,
                      uint64_t bytes, const struct tk_event *event) {
    struct tk_details args;
    args.count = 0;
    char room[48];
    struct tk_text text = tk_text_in(room, sizeof room);
    tk_text_add(&text, words);
    tk_text_u64(&text, bytes);
    tk_text_add(&text, " bytes");
    struct tk_label_text name = { tk_names_message(tk_rtos_names(rtos), text.text, text.len), text.text, text.len };
    tk_rtos_add_address_arg(rtos, &args, "address", event->allocation.address);
    tk_details_values(rtos->host->details, &args, event);
    if (actor.kind != TK_ACTOR_UNKNOWN)
        tk_rtos_draw_call(rtos, core, actor, &(struct tk_call){ .name = name, .args = &args, .no_kernel = true });
}

static void allocate(struct tk_rtos *rtos, struct tk_kernel_object *object, const struct tk_event *event,
                     const struct tk_core *core) {
    struct tk_actor actor = tk_rtos_actor(core, event);
    struct tk_heap_block block = { event->allocation.address, (uint64_t)event->allocation.bytes,
                                   tk_rtos_object_index(rtos, object), actor, true };
    struct tk_heap_block *old = tk_heap_blocks_find(&rtos->heap_blocks, block.heap, block.address);
    if (old) remove_block(rtos, old); // its free was lost
    if (tk_heap_blocks_add(&rtos->heap_blocks, rtos->alloc, &block)) count_block(rtos, &block, true);
    object->heap.allocated++;
    change_level(&object->heap, event, event->allocation.bytes);
    draw_level(rtos, object, "allocated by", actor);
    tell_level(rtos, object, false);
    draw_call(rtos, core, actor, "allocate ", block.size, event);
}

// Uses the size of the allocation, if it was seen, instead of the size in the free event.
static void free_block(struct tk_rtos *rtos, struct tk_kernel_object *object, const struct tk_event *event,
                       const struct tk_core *core) {
    struct tk_actor actor = tk_rtos_actor(core, event);
    struct tk_heap_block *block =
        tk_heap_blocks_find(&rtos->heap_blocks, tk_rtos_object_index(rtos, object), event->allocation.address);
    uint64_t size = block ? block->size : (uint64_t)event->allocation.bytes;
    if (block) remove_block(rtos, block);
    object->heap.freed++;
    change_level(&object->heap, event, -(int64_t)size);
    draw_level(rtos, object, "freed by", actor);
    tell_level(rtos, object, true);
    draw_call(rtos, core, actor, "free ", size, event);
}

static bool is_possible_size(int64_t bytes) { return bytes >= 0 && bytes <= INT32_MAX * (int64_t)INT32_MAX; }

void tk_rtos_on_heap_operation(struct tk_rtos *rtos, const struct tk_event *event, struct tk_core *core) {
    struct tk_kernel_object *object = tk_rtos_find_object(rtos, TK_CLASS_HEAP, event->allocation.heap);
    if (!object || !is_possible_size(event->allocation.bytes)) return;
    if (event->kind == TK_EV_ALLOCATED) allocate(rtos, object, event, core);
    else free_block(rtos, object, event, core);
}

void tk_rtos_on_heap_size(struct tk_rtos *rtos, const struct tk_event *event, struct tk_core *core) {
    struct tk_kernel_object *object = tk_rtos_find_object(rtos, TK_CLASS_HEAP, event->heap_size.heap);
    (void)core;
    if (object && is_possible_size(event->heap_size.bytes)) object->heap.size = event->heap_size.bytes;
}

// The level at the start of a section is too late if events were lost since.
void tk_rtos_on_heap_level(struct tk_rtos *rtos, const struct tk_event *event, struct tk_core *core) {
    struct tk_kernel_object *object = tk_rtos_find_object(rtos, TK_CLASS_HEAP, event->heap_level.heap);
    (void)core;
    if (!object || !is_possible_size(event->heap_level.bytes)) return;
    object->heap.level = event->heap_level.bytes;
    object->heap.is_exact = !event->heap_level.at_section_begin || rtos->section_loss == rtos->tl->losses[0];
    draw_level(rtos, object, NULL, (struct tk_actor){ TK_ACTOR_UNKNOWN, 0 });
    tell_level(rtos, object, false);
}

void tk_rtos_on_allocation_failed(struct tk_rtos *rtos, const struct tk_event *event, struct tk_core *core) {
    struct tk_actor actor = tk_rtos_actor(core, event);
    char room[48];
    struct tk_text text = tk_text_in(room, sizeof room);
    tk_text_add(&text, "allocate ");
    tk_text_u64(&text, (uint64_t)event->allocation.bytes);
    tk_text_add(&text, " bytes: failed");
    struct tk_label_text name = { tk_names_message(tk_rtos_names(rtos), text.text, text.len), text.text, text.len };
    if (actor.kind != TK_ACTOR_UNKNOWN)
        tk_rtos_draw_call(rtos, core, actor, &(struct tk_call){ .name = name, .no_kernel = true });
    tk_rtos_draw_failure(rtos, actor, name, NULL);
}

TK_COLD void tk_rtos_clear_heaps(struct tk_rtos *rtos) {
    for (uint32_t i = 0; i < rtos->object_count; i++)
        if (rtos->objects[i].class == TK_CLASS_HEAP) rtos->objects[i].heap.is_exact = false;
    rtos->frees_missed = true;
    if (!rtos->heap_blocks.count && !rtos->heap_owners.count) return;
    tk_heap_blocks_deinit(&rtos->heap_blocks, rtos->alloc);
    rtos->heap_blocks = (struct tk_heap_blocks){ .refused = rtos->heap_blocks.refused };
    tk_keyed_rows_clear(&rtos->heap_owners, rtos->alloc);
}
