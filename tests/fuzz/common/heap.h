// SPDX-License-Identifier: MIT
// Memory for the core without the price of malloc: a stretch of static memory, handed out once per execution, so that
// whatever is used after it was freed or beside its block is seen at once. Counts what is in use.
#ifndef TK_FUZZ_HEAP_H
#define TK_FUZZ_HEAP_H

#include <stddef.h>

#include "base/alloc.h"
#include "tonkopf.h"

// The core promises 16 MiB for any input.
enum { HEAP_PROMISE = 16 * 1024 * 1024 };

struct tk_allocator heap_allocator(void);
struct tk_alloc heap_alloc(void);
// A copy with nothing around it; valid until heap_reset or heap_drop.
unsigned char *heap_copy(const void *bytes, size_t len);
void heap_drop(unsigned char *copy, size_t len);
// So many further allocations succeed, then all fail; SIZE_MAX: none fails.
void heap_fail_after(size_t allocations);
size_t heap_in_use(void);
// End of an execution: nothing may be in use (copies aside), the peak must have kept the promise.
void heap_reset(void);

#endif
