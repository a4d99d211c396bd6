// SPDX-License-Identifier: MIT
//
// Copies and states of a conversion where it has a memory of its own: what is put back stands where it stood, so that
// no pointer has to follow.
#include "build_id.h"
#include "handle/handle.h"
#include "heap.h"
#include "instance.h"

#include <string.h>

// ---- A copy, for as long as something is done with it

// What was written meanwhile, output and then head, above everything, where putting back does not reach. NULL: no
// memory.
static uint8_t *lift(const struct tkw_instance *at, size_t from) {
    size_t len = at->output.len - from;
    uint8_t *bytes = tkw_heap_above(len + at->head.len + 1);
    if (!bytes) return NULL;
    if (len) memcpy(bytes, at->output.data + from, len);
    if (at->head.len) memcpy(bytes + len, at->head.data, at->head.len);
    return bytes;
}

// `bytes` are no block any more: their new place may overlap them.
static bool append(struct tkw_bytes *to, const uint8_t *bytes, size_t len) {
    struct tkw_bytes grown = { .len = to->len + len, .cap = to->len + len + 1 };
    grown.data = tkw_heap.realloc(tkw_heap.ctx, NULL, 0, grown.cap);
    if (!grown.data) return false;
    memmove(grown.data + to->len, bytes, len);
    if (to->len) memcpy(grown.data, to->data, to->len);
    tkw_bytes_free(to);
    *to = grown;
    return true;
}

static bool lower(struct tkw_instance *at, const uint8_t *bytes, size_t len, size_t head_len) {
    if (!bytes || !append(&at->output, bytes, len + head_len)) return false;
    at->output.len -= head_len;
    if (!head_len) return true;
    tkw_bytes_clear(&at->head);
    return tkw_put(&at->head, at->output.data + at->output.len, head_len);
}

tk_status tk_with_copy(struct tk *handle, const struct tk_sink *sink, tk_status (*work)(struct tk *copy, void *ctx),
                       void *ctx) {
    struct tkw_instance *at = sink ? sink->ctx : NULL; // hosts have one sink
    size_t from = at ? at->output.len : 0;
    struct tkw_heap_copy memory;
    if (!tkw_heap_save(&memory)) return TK_NO_MEMORY;
    if (at) at->head.len = 0;
    tk_status status = work(handle, ctx);
    size_t len = at ? at->output.len - from : 0, head_len = at ? at->head.len : 0;
    uint8_t *written = at ? lift(at, from) : NULL;
    tkw_heap_restore(&memory);
    if (at && status == TK_OK && !lower(at, written, len, head_len)) return TK_NO_MEMORY;
    return status;
}

// ---- States

extern uint8_t __heap_base; // from the linker: behind data and stack

// Whose memory it is: another program, or another module, has other sources, settings, or something else in front of
// its heap.
static uint32_t program(void) {
    const uint64_t id = TK_BUILD_ID;
    return (uint32_t)(id ^ id >> 32) ^ (uint32_t)(uintptr_t)&__heap_base;
}

static void put_words(struct tkw_bytes *to, const void *first, size_t second) {
    tkw_put(to, (uint32_t[]){ (uint32_t)(uintptr_t)first, (uint32_t)second }, 2 * sizeof(uint32_t));
}

int32_t tkw_save(struct instance *instance);
int32_t tkw_restore(struct instance *instance, uint32_t of_program, tk *handle, uint32_t end);

// The output lists the memory that is the state, as pairs of 32-bit numbers: the handle and the program; the end of
// memory in use, and 0; then the address and length of each block. The host copies the blocks.
int32_t tkw_save(struct instance *instance) {
    struct tkw_bytes *to = &instance->at.output;
    tk *handle = instance->handle;
    tkw_begin(&instance->at);
    tk_status status = handle ? tk_check_state(handle) : TK_MISUSE;
    if (status != TK_OK) return tkw_end(&instance->at, status);
    put_words(to, handle, program());
    put_words(to, tkw_heap_above(0), 0);
    put_words(to, handle, sizeof *handle);
    for (const struct tk_block_head *block = handle->alloc.blocks; block; block = block->next)
        put_words(to, block, sizeof *block + block->size);
    return tkw_end(&instance->at, TK_OK);
}

// Into an instance that did nothing yet: makes room for a state, whose blocks the host then puts where they stood.
int32_t tkw_restore(struct instance *instance, uint32_t of_program, tk *handle, uint32_t end) {
    tkw_begin(&instance->at);
    if (of_program != program() || instance->handle) return tkw_end(&instance->at, TK_MISUSE);
    if (!tkw_heap_reserve(end)) return tkw_end(&instance->at, TK_NO_MEMORY);
    instance->at.output = instance->at.head = (struct tkw_bytes){ 0 };
    instance->handle = handle;
    instance->free_handle = tk_free;
    return tkw_end(&instance->at, TK_OK);
}
