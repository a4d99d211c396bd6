// SPDX-License-Identifier: MIT
#include "load.h"

#include "../../base/attributes.h"

#include <string.h>

TK_COLD void tk_load_init(struct tk_load *load, struct tk_alloc *alloc) {
    memset(load, 0, sizeof *load);
    load->alloc = alloc;
    load->width = 1;
}

// ---- Rows --------------------------------------------------------------------------------------

// Returns NULL when out of memory.
TK_COLD static struct tk_load_core *add_core(struct tk_load *load, uint32_t core) {
    return load->cores[core] = tk_alloc_zero(load->alloc, sizeof **load->cores);
}

// Returns NULL if there is no room for the row.
TK_COLD static struct tk_load_row *add_row(struct tk_load *load, struct tk_load_core *core,
                                           struct tk_load_row **place) {
    if (load->row_count < TK_LOAD_ROWS) *place = tk_alloc_zero(load->alloc, sizeof **place);
    load->row_count += *place != NULL;
    core->incomplete |= *place == NULL;
    return *place;
}

static TK_INLINE struct tk_load_core *core_of(struct tk_load *load, uint32_t core) {
    return load->cores[core] ? load->cores[core] : add_core(load, core);
}

static TK_INLINE struct tk_load_row *row_at(struct tk_load *load, struct tk_load_core *core,
                                            struct tk_load_row **place) {
    return *place ? *place : add_row(load, core, place);
}

// Returns the row of an interrupt that is shown separately; NULL if it is not.
static struct tk_load_row *isr_row(struct tk_load *load, struct tk_load_core *core, uint32_t isr) {
    uint32_t at = 0;
    while (at < core->isr_count && at < TK_LOAD_ISRS && core->isr_ids[at] != isr) at++;
    if (at == TK_LOAD_ISRS) core->isr_count = TK_LOAD_ISRS + 1;
    if (core->isr_count > TK_LOAD_ISRS) return NULL;
    if (at == core->isr_count) core->isr_ids[core->isr_count++] = isr;
    return row_at(load, core, &core->isrs[at]);
}

// ---- Buckets -----------------------------------------------------------------------------------

static void merge_buckets(struct tk_load_row *row, uint32_t by) {
    if (!row) return;
    for (uint32_t from = 0; from < TK_LOAD_BUCKETS; from++) {
        uint64_t ticks = row->ticks[from];
        row->ticks[from] = 0;
        row->ticks[from / by] += ticks;
    }
}

// Widens the buckets to 1, 5, 10, 50 ... ticks, so that windows of 1, 2 and 5 times a power of ten consist of whole
// buckets.
TK_COLD static void widen(struct tk_load *load) {
    uint64_t odd = load->width;
    while (odd % 10 == 0) odd /= 10;
    uint32_t by = odd == 5 ? 2 : 5;
    for (uint32_t i = 0; i < TK_LOAD_CORES; i++) {
        struct tk_load_core *core = load->cores[i];
        if (!core) continue;
        for (uint32_t task = 0; task < TK_LOAD_TASKS; task++) merge_buckets(core->tasks[task], by);
        for (uint32_t isr = 0; isr < TK_LOAD_ISRS; isr++) merge_buckets(core->isrs[isr], by);
        merge_buckets(core->interrupts, by);
        merge_buckets(core->unmeasured, by);
    }
    load->width *= by;
}

static uint32_t select_bucket(struct tk_load *load, uint64_t ticks) {
    load->bucket = (uint32_t)((ticks - load->start) / load->width);
    load->bucket_from = load->start + load->bucket * load->width;
    load->bucket_len = load->width;
    return load->bucket;
}

// Adds a span that is not within the bucket of the last one.
TK_NOINLINE static void add_long_span(struct tk_load *load, struct tk_load_row *row, uint64_t from, uint64_t to) {
    while ((to - 1 - load->start) / load->width >= TK_LOAD_BUCKETS) widen(load);
    for (;;) {
        uint32_t bucket = select_bucket(load, from);
        if (to - load->bucket_from <= load->width) break;
        uint64_t next = load->bucket_from + load->width;
        row->ticks[bucket] += next - from;
        from = next;
    }
    row->ticks[load->bucket] += to - from;
}

static TK_INLINE void add_span(struct tk_load *load, struct tk_load_row *row, uint64_t from, uint64_t to) {
    if (from >= load->bucket_from && to - load->bucket_from <= load->bucket_len) row->ticks[load->bucket] += to - from;
    else add_long_span(load, row, from, to);
}

// Subtracts the interrupts during a run from the time of its task. Sums may be below 0 in between: they are numbers
// modulo 2^64.
TK_NOINLINE static void subtract_interrupts(const struct tk_load *load, const struct tk_load_core *core,
                                            struct tk_load_row *row, uint64_t from, uint64_t interrupted) {
    uint32_t first = (uint32_t)((from - load->start) / load->width);
    for (uint32_t bucket = load->bucket; bucket > first && interrupted; bucket--) {
        uint64_t overlap = (core->interrupts ? core->interrupts->ticks[bucket] : 0) +
                           (core->unmeasured ? core->unmeasured->ticks[bucket] : 0);
        if (overlap > interrupted) overlap = interrupted;
        row->ticks[bucket] -= overlap;
        interrupted -= overlap;
    }
    row->ticks[first] -= interrupted;
}

// ---- Input -------------------------------------------------------------------------------------

void tk_load_run(struct tk_load *load, uint32_t task, uint32_t number, uint64_t from, uint64_t to,
                 uint64_t interrupted) {
    struct tk_load_core *core = core_of(load, number);
    if (!core || from < load->start) return;
    struct tk_load_row *row = row_at(load, core, &core->tasks[task < TK_LOAD_TASKS ? task : TK_LOAD_TASKS - 1]);
    if (!row) return;
    add_span(load, row, from, to);
    if (interrupted) subtract_interrupts(load, core, row, from, interrupted);
}

void tk_load_interrupt(struct tk_load *load, uint32_t isr, uint32_t number, uint64_t from, uint64_t to,
                       bool outermost) {
    struct tk_load_core *core = core_of(load, number);
    if (!core || from < load->start) return;
    struct tk_load_row *own = isr_row(load, core, isr), *all = outermost ? row_at(load, core, &core->interrupts) : NULL;
    if (own) add_span(load, own, from, to);
    if (all) add_span(load, all, from, to);
}

TK_COLD void tk_load_unmeasured_interrupt(struct tk_load *load, uint32_t number, uint64_t from, uint64_t to) {
    struct tk_load_core *core = core_of(load, number);
    struct tk_load_row *row = core && from >= load->start ? row_at(load, core, &core->unmeasured) : NULL;
    if (row) add_span(load, row, from, to);
}

// ---- Results -----------------------------------------------------------------------------------

// Returns ticks * part / whole without overflow. part <= whole.
static uint64_t scale_by_overlap(uint64_t ticks, uint64_t overlap, uint64_t whole) {
    for (; whole >> 31; whole >>= 1) overlap >>= 1;
    return ticks / whole * overlap + ticks % whole * overlap / whole;
}

// Returns the next window length: 1, 2, 5, 10 ...
static uint64_t next_window(uint64_t ns) {
    uint64_t first = ns;
    while (first % 10 == 0) first /= 10;
    return first == 2 ? ns / 2 * 5 : ns * 2;
}

struct tk_load_windows tk_load_windows(const struct tk_load *load, uint64_t end, uint64_t tick_ns) {
    struct tk_load_windows windows = { .ns = 1, .tick_ns = tick_ns };
    if (!load->started || end <= load->start) return windows;
    windows.length_ns = (end - load->start) * tick_ns;
    while (windows.ns < load->width * tick_ns || (windows.length_ns - 1) / windows.ns >= TK_LOAD_VALUES)
        windows.ns = next_window(windows.ns);
    windows.count = windows.length_ns < windows.ns ? 1 : (uint32_t)(windows.length_ns / windows.ns);
    return windows;
}

static uint64_t end_of(const struct tk_load_windows *windows, uint32_t window) {
    return window + 1 < windows->count ? windows->ns * (window + 1) : windows->length_ns;
}

TK_COLD uint64_t tk_load_in_window(const struct tk_load *load, const struct tk_load_windows *windows,
                                   const struct tk_load_row *row, uint32_t window) {
    uint64_t bucket_ns = load->width * windows->tick_ns, from = windows->ns * window, to = end_of(windows, window),
             sum = 0;
    if (!row) return 0;
    for (uint64_t bucket = from / bucket_ns; bucket < TK_LOAD_BUCKETS && bucket * bucket_ns < to; bucket++) {
        uint64_t begin = bucket * bucket_ns,
                 end = windows->length_ns - begin < bucket_ns ? windows->length_ns : begin + bucket_ns;
        uint64_t overlap = (end < to ? end : to) - (begin > from ? begin : from);
        uint64_t ns = row->ticks[bucket] >> 63 ? 0 : row->ticks[bucket] * windows->tick_ns;
        sum += overlap == end - begin ? ns : scale_by_overlap(ns, overlap, end - begin);
    }
    return sum;
}

TK_COLD uint32_t tk_load_share(const struct tk_load_windows *windows, uint64_t ns, uint32_t window) {
    uint64_t length = end_of(windows, window) - windows->ns * window;
    if (ns >= length) return 1000000;
    return (uint32_t)((scale_by_overlap(2000000, ns, length) + 1) / 2);
}
