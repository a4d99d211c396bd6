// SPDX-License-Identifier: MIT
//
// Finds the ends of interrupts. If an interrupt begins while another one is open, it may be nested, or the open one had
// just ended. Only the event that closes them shows which, so the events of the core wait for it.
#ifndef TK_FORMATS_TRACEALYZER_ORDER_H
#define TK_FORMATS_TRACEALYZER_ORDER_H

#include "../../base/alloc.h"
#include "decode.h"

enum { PSF_MAX_DEFERRED = 64, PSF_NESTED = 32 };

// An event before it is mapped.
struct psf_step {
    struct psf_event event;
    uint64_t ns, offset, frame;
    uint64_t counts; // of the timer, extended to 64 bits
    bool lasting;    // its bytes are in the current chunk
    bool ends_open;  // the innermost open interrupt ended before this one begins
};

struct psf_deferred; // waiting events with their bytes

// Zero-initialised: empty.
struct psf_order {
    struct psf_deferred *deferred;
    uint32_t count; // number of waiting events
    uint32_t depth; // number of open interrupts, outermost first
    struct {
        uint64_t isr;
        uint32_t begin;
    } open[PSF_NESTED]; // begin: index + 1 of its waiting begin; 0: its nesting is decided
};

typedef void (*psf_pass)(void *ctx, const struct psf_step *step);

// Takes an event and passes on, in order, the events that are decided: none, this one, or several.
void psf_order_event(struct psf_order *order, struct tk_alloc *alloc, const struct psf_layout *layout,
                     const struct psf_step *step, psf_pass pass, void *ctx);
// Ends all waiting, because events are missing here or the recording ends: undecided interrupts count as nested, and
// open ones have ended.
void psf_order_flush(struct psf_order *order, psf_pass pass, void *ctx);

#endif
