// SPDX-License-Identifier: MIT
#include "progress.h"

#include "message.h"
#include "platform.h"

#include <inttypes.h>
#include <stdio.h>

enum { FIRST_MS = 300, EVERY_MS = 100 }; // shows the first line after FIRST_MS, then one every EVERY_MS

void progress_start(struct progress *progress, bool wanted, uint64_t total) {
    uint64_t now = plat_now_ms();
    *progress = (struct progress){ .active = wanted && plat_is_terminal(PLAT_STDERR) && !plat_terminal_is_plain(),
                                   .total = total,
                                   .started_ms = now,
                                   .shown_ms = now + FIRST_MS - EVERY_MS };
}

bool progress_is_due(struct progress *progress) {
    if (!progress->active) return false;
    uint64_t now = plat_now_ms();
    if (now < progress->shown_ms + EVERY_MS) return false;
    progress->shown_ms = now;
    return true;
}

void progress_show(const struct progress *progress, uint64_t bytes, uint64_t events) {
    double seconds = (double)(progress->shown_ms - progress->started_ms) / 1000, mb = (double)bytes / 1e6;
    double rate = seconds > 0 ? mb / seconds : 0;
    char left[48] = "";
    if (progress->total > bytes && rate > 0)
        snprintf(left, sizeof left, " of %.1f MB, %.0f s left", (double)progress->total / 1e6,
                 ((double)progress->total / 1e6 - mb) / rate);
    else snprintf(left, sizeof left, " MB");
    message_progress("%.1f%s, %.0f MB/s, %" PRIu64 " events", mb, left, rate, events);
}

void progress_end(struct progress *progress) {
    if (progress->active) message_end_progress();
    progress->active = false;
}
