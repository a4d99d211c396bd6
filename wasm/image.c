// SPDX-License-Identifier: MIT
//
// The state of a handle or a conversion as an image of its memory. An instance of the module has a memory of its own,
// so the blocks of a restored state get their old addresses, and every pointer in them stays valid.
#include "build_id.h"
#include "handle/handle.h"
#include "heap.h"
#include "io.h"

extern uint8_t __heap_base; // from the linker: behind data and stack

// Whose memory it is: another build has other sources or settings, or something else in front of its heap.
static uint32_t program(void) {
    const uint64_t id = TK_BUILD_ID;
    return (uint32_t)(id ^ id >> 32) ^ (uint32_t)(uintptr_t)&__heap_base;
}

static void put_words(struct tkw_bytes *to, uint32_t first, uint32_t second) {
    tkw_put(to, (uint32_t[]){ first, second }, 2 * sizeof(uint32_t));
}

static uint32_t address(const void *pointer) { return (uint32_t)(uintptr_t)pointer; }

// In front of every block that is given out.
struct tkw_block {
    _Alignas(max_align_t) struct tkw_block *next;
    struct tkw_block *before;
    size_t size; // with this head
};

static void add(struct tkw_memory *memory, struct tkw_block *block) {
    block->before = NULL;
    block->next = memory->blocks;
    if (block->next) block->next->before = block;
    memory->blocks = block;
}

static void unlink_block(struct tkw_memory *memory, const struct tkw_block *block) {
    if (block->next) block->next->before = block->before;
    if (block->before) block->before->next = block->next;
    else memory->blocks = block->next;
}

static void *reallocate(void *ctx, void *ptr, size_t old_size, size_t new_size) {
    struct tkw_memory *memory = ctx;
    struct tkw_block *old = ptr ? (struct tkw_block *)ptr - 1 : NULL;
    size_t old_whole = old ? old_size + sizeof *old : 0, whole = new_size ? new_size + sizeof *old : 0;
    if (whole < new_size) return NULL;
    if (old) unlink_block(memory, old);
    struct tkw_block *fresh = tkw_heap.realloc(tkw_heap.ctx, old, old_whole, whole);
    if (!fresh) {
        if (old && new_size) add(memory, old);
        return NULL;
    }
    fresh->size = whole;
    add(memory, fresh);
    return fresh + 1;
}

void tkw_memory_open(struct tkw_memory *memory) {
    *memory = (struct tkw_memory){ .allocator = { reallocate, memory } };
}

int32_t tkw_save(struct tkw_instance *instance);
int32_t tkw_restore(struct tkw_instance *instance, uint32_t of_program, tk *handle, tk_conversion *conversion,
                    struct tkw_block *blocks, uint32_t end);

// The output lists the memory that is the state, as pairs of 32-bit numbers: the end of memory in use and the program;
// the handle and the conversion; the first block, and 0; then the address and length of each block. The host copies the
// blocks.
int32_t tkw_save(struct tkw_instance *instance) {
    struct tkw_bytes *to = &instance->output;
    const tk *handle = tkw_handle(instance);
    tkw_begin(instance);
    tk_status status = handle ? tk_check_state((tk *)handle) : TK_MISUSE;
    if (status != TK_OK) return tkw_end(instance, status);
    put_words(to, address(tkw_heap_top()), program());
    put_words(to, address(instance->handle), address(instance->conversion));
    put_words(to, address(instance->memory.blocks), 0);
    for (const struct tkw_block *block = instance->memory.blocks; block; block = block->next)
        put_words(to, address(block), (uint32_t)block->size);
    return tkw_end(instance, TK_OK);
}

// Into an instance that did nothing yet: makes room for a state, whose blocks the host then copies to where they were.
int32_t tkw_restore(struct tkw_instance *instance, uint32_t of_program, tk *handle, tk_conversion *conversion,
                    struct tkw_block *blocks, uint32_t end) {
    tkw_begin(instance);
    if (of_program != program() || instance->memory.blocks) return tkw_end(instance, TK_MISUSE);
    if (!tkw_heap_reserve(end)) return tkw_end(instance, TK_NO_MEMORY);
    instance->output = instance->head = (struct tkw_bytes){ 0 };
    instance->handle = handle;
    instance->conversion = conversion;
    instance->memory.blocks = blocks;
    return tkw_end(instance, TK_OK);
}
