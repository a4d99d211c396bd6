// SPDX-License-Identifier: MIT
#ifndef TK_LOOKUP_DEMANGLE_H
#define TK_LOOKUP_DEMANGLE_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

// The readable name of a C++ or legacy Rust symbol (`_Z...`, terminated), without the types of parameters and the
// arguments of templates: `app::clamp<>()`. Returns its length; 0: not such a symbol, or it does not fit. Bounded in
// depth and steps, allocates nothing.
size_t tk_demangle(const char *mangled, char *out, size_t size);

#ifdef __cplusplus
}
#endif

#endif
