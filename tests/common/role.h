// SPDX-License-Identifier: MIT
// For tests: determines the role of an input from its bytes.
#ifndef TK_TESTS_ROLE_H
#define TK_TESTS_ROLE_H

#include "../../core/tonkopf.h"

static inline tk_role role_by(const struct tk_probe *probe, bool side) {
    if (!side) return TK_ROLE_RECORDING;
    return probe->content == TK_CONTENT_SYMBOLS ? TK_ROLE_SYMBOLS
           : probe->content == TK_CONTENT_TIMES ? TK_ROLE_TIMES
                                                : TK_ROLE_NAMES;
}

static inline tk_role role_of(const uint8_t *bytes, size_t len, bool side) {
    struct tk_probe probe;
    if (side) tk_probe(bytes, len, NULL, 0, &probe);
    return role_by(&probe, side);
}

// Sets where the recording in a memory dump begins, as a host does.
static inline tk_status begin_dump(tk *handle, uint32_t input, const uint8_t *bytes, size_t len) {
    struct tk_probe probe;
    tk_probe(bytes, len, NULL, 0, &probe);
    return probe.is_dump ? tk_begin_input_at(handle, input, probe.from) : TK_OK;
}

#endif
