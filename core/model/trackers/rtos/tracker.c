// SPDX-License-Identifier: MIT
//
// Tasks, queues and interrupts as a tracker. Its events go to tk_rtos_event straight.
#include "../../timeline/load_tracks.h"
#include "rtos_internal.h"
#include "../tracker.h"

static void init(void *tracker, const struct tk_tracker_host *host) {
    tk_rtos_init(tracker, host->alloc, host->diag, host->timeline, host->stats);
}
static void on_event(void *tracker, const struct tk_event *event) {
    (void)tracker, (void)event;
} // of a kind without a handler
static void resolve(void *tracker, const struct tk_event *event) { tk_rtos_resolve_pending(tracker, event); }
static void on_loss(void *tracker, int32_t core) { tk_rtos_loss(tracker, core); }
static void on_lost(void *tracker, const struct tk_event *event, uint64_t since) {
    tk_rtos_loss_since(tracker, event, since);
}
static void on_restart(void *tracker, bool told) { tk_rtos_restart(tracker, told); }
static void finish(void *tracker) { tk_rtos_finish(tracker); }

static void closed(void *tracker, uint64_t tick_ns) {
    struct tk_rtos *rtos = tracker;
    tk_draw_load(rtos->tl, rtos->stats, rtos, tick_ns);
    tk_rtos_import_isr_names(rtos);
}

static void begin_stats(void *tracker, uint64_t ticks) { (void)tracker, (void)ticks; } // all are in tk_stats

static void tables(const void *tracker, const struct tk_table_sink *sink) { tk_rtos_tables(tracker, sink); }
static void series(const void *tracker, const struct tk_table_sink *sink) { tk_rtos_series(tracker, sink); }
static void relocate(void *tracker, const struct tk_tracker_host *host, struct tk_relocation *move) {
    (void)host, tk_rtos_relocate(tracker, move);
}

const struct tk_tracker tk_tracker_rtos = { .owner = TK_OWNER_RTOS,
                                            .size = sizeof(struct tk_rtos),
                                            .starts_at_once = true,
                                            .init = init,
                                            .event = on_event,
                                            .resolve = resolve,
                                            .loss = on_loss,
                                            .lost = on_lost,
                                            .restart = on_restart,
                                            .finish = finish,
                                            .closed = closed,
                                            .begin_stats = begin_stats,
                                            .tables = tables,
                                            .series = series,
                                            .relocate = TK_RELOCATE_FN(relocate) };
