// SPDX-License-Identifier: MIT
#ifndef TK_FORMATS_KIT_PROBE_H
#define TK_FORMATS_KIT_PROBE_H

#include <string.h>

#include "../../tonkopf.h"

// Fills the probe of a recording that no other format can be, with events from its `frames` valid frames. reason: a
// static text for users, which begins with a small letter and has no full stop; at most 159 bytes of it are used.
static inline void tk_probe_is_certain(struct tk_probe *probe, const char *reason, uint64_t frames) {
    probe->confidence = 100;
    probe->has_events = true;
    probe->frames = probe->valid = frames;
    strncpy(probe->reason, reason, sizeof probe->reason - 1);
}

#endif
