// SPDX-License-Identifier: MIT
#include "order.h"

#include <string.h>

struct psf_deferred {
    struct psf_step steps[PSF_MAX_DEFERRED];
    uint8_t bytes[PSF_MAX_DEFERRED][PSF_MAX_EVENT];
};

// Passes on the waiting events. Interrupts whose nesting is still undecided count as nested.
static void release(struct psf_order *order, psf_pass pass, void *ctx) {
    uint32_t count = order->count;
    order->count = 0;
    for (uint32_t i = 0; i < order->depth; i++) order->open[i].begin = 0;
    for (uint32_t i = 0; i < count; i++) pass(ctx, &order->deferred->steps[i]);
}

static void defer(struct psf_order *order, const struct psf_step *step) {
    uint8_t *bytes = order->deferred->bytes[order->count];
    struct psf_step *deferred = &order->deferred->steps[order->count++];
    memcpy(bytes, step->event.bytes, step->event.size);
    *deferred = *step;
    deferred->event.bytes = bytes;
    deferred->lasting = false;
}

static void begin(struct psf_order *order, uint64_t isr, uint32_t place) {
    if (order->depth == PSF_NESTED) return;
    order->open[order->depth].isr = isr;
    order->open[order->depth++].begin = place;
}

// Returns to an outer interrupt: those inside of it were nested.
static bool resume(struct psf_order *order, uint64_t isr) {
    uint32_t depth = order->depth;
    bool undecided = false;
    while (depth && order->open[depth - 1].isr != isr) depth--;
    order->depth = depth;
    for (uint32_t i = 0; i < depth; i++) undecided = undecided || order->open[i].begin;
    return undecided;
}

// Returns to a task without returning to the outer interrupts: each of them had ended when the next one began.
static void end_all(struct psf_order *order) {
    for (uint32_t i = 0; i < order->depth; i++)
        if (order->open[i].begin) order->deferred->steps[order->open[i].begin - 1].ends_open = true;
    order->depth = 0;
}

// Returns true if the event has to wait.
static bool is_open(struct psf_order *order, const struct psf_layout *layout, const struct psf_step *step) {
    bool inside = order->depth && order->deferred;
    switch (step->event.record) {
    case PSF_ISR_BEGIN:
    case PSF_AUTO_ISR_BEGIN:
        begin(order, psf_subject_of(layout, &step->event), inside ? order->count + 1 : 0);
        return inside;
    case PSF_ISR_RESUME:
    case PSF_AUTO_ISR_RESUME: return resume(order, psf_subject_of(layout, &step->event));
    case PSF_TASK_ACTIVATE: return end_all(order), false;
    default: return order->count;
    }
}

void psf_order_event(struct psf_order *order, struct tk_alloc *alloc, const struct psf_layout *layout,
                     const struct psf_step *step, psf_pass pass, void *ctx) {
    if (order->count == PSF_MAX_DEFERRED) release(order, pass, ctx);
    if (order->depth && !order->deferred) order->deferred = tk_alloc_zero(alloc, sizeof *order->deferred);
    if (is_open(order, layout, step)) {
        defer(order, step);
        return;
    }
    if (order->count) release(order, pass, ctx);
    pass(ctx, step);
}

void psf_order_flush(struct psf_order *order, psf_pass pass, void *ctx) {
    release(order, pass, ctx);
    order->depth = 0;
}
