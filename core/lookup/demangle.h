// SPDX-License-Identifier: MIT
#ifndef TK_LOOKUP_DEMANGLE_H
#define TK_LOOKUP_DEMANGLE_H

#include <stddef.h>

// Writes the readable name of a C++ or legacy Rust symbol (`_Z...` of `len` bytes) as `c++filt -p` does: with template
// arguments, without return type and parameters, `app::clamp<int>`. Names of scopes that are functions keep their
// parameters. Returns its length, less than `size`; a longer name is cut. Returns 0 if the symbol is not mangled, in an
// unknown scheme, or above the limits of demangle_tree.h. No allocation.
size_t tk_demangle(const char *mangled, size_t len, char *out, size_t size);

#endif
