// SPDX-License-Identifier: MIT
#include "demangle.h"

#include <cstring>

#include "absl/debugging/internal/demangle.h"

size_t tk_demangle(const char *mangled, char *out, size_t size) {
    return absl::debugging_internal::Demangle(mangled, out, static_cast<int>(size)) ? std::strlen(out) : 0;
}
