// SPDX-License-Identifier: MIT
#ifndef TK_LOOKUP_DEMANGLE_H
#define TK_LOOKUP_DEMANGLE_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

// Writes the readable name of a C++ or legacy Rust symbol (`_Z...`, terminated), without parameter types and template
// arguments: `app::clamp<>()`. Returns its length; 0 if the symbol is not mangled or the name does not fit. Bounded
// depth and steps, no allocation.
size_t tk_demangle(const char *mangled, char *out, size_t size);

#ifdef __cplusplus
}
#endif

#endif
