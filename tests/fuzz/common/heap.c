// SPDX-License-Identifier: MIT
#include "heap.h"

#include <stdint.h>
#include <string.h>

#include "check.h"

#if defined(__SANITIZE_ADDRESS__)
#define POISONED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define POISONED 1
#endif
#endif

#ifdef POISONED
#include <sanitizer/asan_interface.h>
static void forbid(const void *at, size_t len) { __asan_poison_memory_region(at, len); }
static void allow(const void *at, size_t len) { __asan_unpoison_memory_region(at, len); }
#else
static void forbid(const void *at, size_t len) { (void)at, (void)len; }
static void allow(const void *at, size_t len) { (void)at, (void)len; }
#endif

enum { ROOM = 96 * 1024 * 1024, BORDER = 16, ALIGN = 16 };

static _Alignas(16) unsigned char room[ROOM];
static size_t used, in_use, peak, spared = SIZE_MAX;
static bool forbidden;

static size_t padded(size_t len) { return (len + BORDER + ALIGN - 1) / ALIGN * ALIGN; }

static void *hand_out(size_t len) {
    if (!forbidden) forbid(room, ROOM);
    forbidden = true;
    check(padded(len) <= ROOM - used);
    unsigned char *at = room + used;
    used += padded(len);
    allow(at, len);
    return at;
}

static void *counted_realloc(void *ctx, void *ptr, size_t old_size, size_t new_size) {
    (void)ctx;
    if (!ptr) old_size = 0;
    if (new_size && !spared) return NULL;
    if (new_size && spared != SIZE_MAX) spared--;
    in_use += new_size - old_size;
    if (in_use > peak) peak = in_use;
    check(in_use <= HEAP_PROMISE);
    void *fresh = new_size ? hand_out(new_size) : NULL;
    if (ptr && fresh) memcpy(fresh, ptr, old_size < new_size ? old_size : new_size);
    if (ptr) forbid(ptr, old_size);
    return fresh;
}

struct tk_allocator heap_allocator(void) { return (struct tk_allocator){ counted_realloc, NULL }; }
struct tk_alloc heap_alloc(void) { return (struct tk_alloc){ .realloc = counted_realloc }; }

unsigned char *heap_copy(const void *bytes, size_t len) {
    unsigned char *copy = hand_out(len);
    if (len) memcpy(copy, bytes, len);
    return copy;
}

void heap_drop(unsigned char *copy, size_t len) { forbid(copy, len); }

void heap_fail_after(size_t allocations) { spared = allocations; }

size_t heap_in_use(void) { return in_use; }

void heap_reset(void) {
    check(in_use == 0);
    check(peak <= HEAP_PROMISE);
    forbid(room, used);
    used = peak = 0;
}
