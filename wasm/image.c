// SPDX-License-Identifier: MIT
//
// The state of a conversion as an image of its memory. An instance of the module has a memory of its own, so the blocks
// of a restored state get their old addresses, and every pointer in them stays valid.
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

static void put_words(struct tkw_bytes *to, const void *first, size_t second) {
    tkw_put(to, (uint32_t[]){ (uint32_t)(uintptr_t)first, (uint32_t)second }, 2 * sizeof(uint32_t));
}

static void put_blocks(struct tkw_bytes *to, const struct tk_alloc *alloc) {
    for (const struct tk_block_head *block = alloc->blocks; block; block = block->next)
        put_words(to, block, sizeof *block + block->size);
}

int32_t tkw_save(struct tkw_instance *instance);
int32_t tkw_restore(struct tkw_instance *instance, uint32_t of_program, tk *handle, uint32_t end);

// The output lists the memory that is the state, as pairs of 32-bit numbers: the handle and the program; the end of
// memory in use, and 0; then the address and length of each block. The host copies the blocks.
int32_t tkw_save(struct tkw_instance *instance) {
    struct tkw_bytes *to = &instance->output;
    tk *handle = instance->handle;
    tkw_begin(instance);
    tk_status status = handle ? tk_check_state(handle) : TK_MISUSE;
    if (status != TK_OK) return tkw_end(instance, status);
    put_words(to, handle, program());
    put_words(to, tkw_heap_top(), 0);
    put_words(to, handle, sizeof *handle);
    put_blocks(to, &handle->alloc);
    put_words(to, &instance->unpacking, sizeof instance->unpacking);
    put_blocks(to, &instance->unpacking);
    return tkw_end(instance, TK_OK);
}

// Into an instance that did nothing yet: makes room for a state, whose blocks the host then puts where they stood.
int32_t tkw_restore(struct tkw_instance *instance, uint32_t of_program, tk *handle, uint32_t end) {
    tkw_begin(instance);
    if (of_program != program() || instance->handle) return tkw_end(instance, TK_MISUSE);
    if (!tkw_heap_reserve(end)) return tkw_end(instance, TK_NO_MEMORY);
    instance->output = instance->head = (struct tkw_bytes){ 0 };
    instance->handle = handle;
    return tkw_end(instance, TK_OK);
}
