// SPDX-License-Identifier: MIT
#ifndef TK_FUZZ_TRACE_CHECK_H
#define TK_FUZZ_TRACE_CHECK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Reads a whole trace with nanopb and stops when it is not sound: it must parse against the schema, time on the
// sequence never falls, slices of a track nest and (complete: the conversion ended well) all end, tracks, tasks and
// interned texts that are used exist, counters are declared before their first value, states and cores are legal, texts
// are clean UTF-8. That no state repeats is checked at the model's border, in sink_check.c. Returns the length of a
// tick.
uint64_t trace_check(const uint8_t *bytes, size_t len, bool complete);

#endif
