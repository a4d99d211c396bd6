// SPDX-License-Identifier: MIT
#ifndef CLI_MEMORY_H
#define CLI_MEMORY_H

#include "tonkopf.h"

extern const struct tk_allocator memory_allocator; // the C library's

#endif
