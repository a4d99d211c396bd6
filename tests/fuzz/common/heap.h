// SPDX-License-Identifier: MIT
// A fast allocator for the core: static memory of which each byte is used once per execution, so that reading after
// free or beyond a block is detected. Counts the memory in use.
#ifndef TK_FUZZ_HEAP_H
#define TK_FUZZ_HEAP_H

#include <stddef.h>

#include "base/alloc.h"
#include "tonkopf.h"

// The core guarantees at most 16 MiB for any input.
enum { HEAP_PROMISE = 16 * 1024 * 1024 };

struct tk_allocator heap_allocator(void);
struct tk_alloc heap_alloc(void);
// A copy with unreadable memory around it; valid until heap_reset or heap_drop.
unsigned char *heap_copy(const void *bytes, size_t len);
void heap_drop(unsigned char *copy, size_t len);
// This many further allocations succeed, then all fail; SIZE_MAX: none fails.
void heap_fail_after(size_t allocations);
size_t heap_in_use(void);
// End of an execution: no memory may be in use (except copies), and the peak must be below the guaranteed limit.
void heap_reset(void);

#endif
