// SPDX-License-Identifier: MIT
//
// Puts the ends of interrupts where they belong. An interrupt that begins while another one is open may be nested in
// it, or the open one had just ended: the event that closes them tells, so that the events of a core wait for it.
#ifndef TK_FORMATS_TRACEALYZER_ORDER_H
#define TK_FORMATS_TRACEALYZER_ORDER_H

#include "../../base/alloc.h"
#include "decode.h"

enum { PSF_MAX_DEFERRED = 64, PSF_NESTED = 32 };

// An event on its way to the model.
struct psf_step {
    struct psf_event event;
    uint64_t ns, offset, frame;
    uint64_t counts; // of the timer, without end
    bool lasting;    // its bytes stand in the chunk at hand
    bool ends_open;  // the innermost open interrupt ended before this one begins
};

struct psf_deferred; // events that wait, with their bytes

// Zero-initialised is empty.
struct psf_order {
    struct psf_deferred *deferred;
    uint32_t count; // of them
    uint32_t depth; // open interrupts, outermost first
    struct {
        uint64_t isr;
        uint32_t begin;
    } open[PSF_NESTED]; // begin: where its begin waits, plus 1; 0: decided
};

typedef void (*psf_pass)(void *ctx, const struct psf_step *step);

// Passes on what is decided, in order: nothing, this event, or several.
void psf_order_event(struct psf_order *order, struct tk_alloc *alloc, const struct psf_layout *layout,
                     const struct psf_step *step, psf_pass pass, void *ctx);
// Events are missing here, or the recording ends: what waits is nested, and what is open has ended.
void psf_order_flush(struct psf_order *order, psf_pass pass, void *ctx);

#endif
