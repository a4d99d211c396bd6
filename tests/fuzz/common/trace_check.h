// SPDX-License-Identifier: MIT
#ifndef TK_FUZZ_TRACE_CHECK_H
#define TK_FUZZ_TRACE_CHECK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Reads a whole trace with nanopb and aborts when it is invalid: it must match the schema; time on the sequence never
// decreases; slices of a track nest and (complete: the conversion ended well) all end; used tracks, tasks and interned
// texts are defined; counters are declared before their first value; states and cores are valid; texts are valid UTF-8.
// sink_check.c checks that no state repeats. Returns the length of a tick.
uint64_t trace_check(const uint8_t *bytes, size_t len, bool complete);

#endif
