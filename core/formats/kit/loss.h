// SPDX-License-Identifier: MIT
//
// Decides on which side of damaged bytes events were lost, by comparing the gap in the sequence numbers with those
// bytes.
#ifndef TK_FORMATS_KIT_LOSS_H
#define TK_FORMATS_KIT_LOSS_H

#include "../../model/event/event.h"

// Returns on which side `missing` events were lost. damaged: bytes in the gap that are no events. pieces: damaged
// frames in it; 0 where the format has no frames. shortest: bytes of the shortest event, framing included.
// A recorder without room leaves out whole events, so that no byte is damaged. Damaged bytes explain as many events as
// they could hold; one that lost some of its bytes counts as well.
static inline enum tk_loss_place tk_place_loss(uint64_t missing, uint64_t damaged, uint64_t pieces, uint32_t shortest) {
    uint64_t room = pieces ? damaged / shortest : (damaged + shortest - 1) / shortest;
    if (!damaged) return TK_LOST_ON_TARGET;
    return missing <= (room > pieces ? room : pieces) ? TK_LOST_ON_LINE : TK_LOST_SOMEWHERE;
}

#endif
