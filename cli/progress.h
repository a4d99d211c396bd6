// SPDX-License-Identifier: MIT
//
// Shows the progress of a conversion in one line on a terminal: MB, MB/s and events, and the time left if the size is
// known.
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

struct progress {
    bool active;
    uint64_t total; // bytes; 0: unknown
    uint64_t started_ms, shown_ms;
};

void progress_start(struct progress *progress, bool wanted, uint64_t total);
bool progress_is_due(struct progress *progress);
void progress_show(const struct progress *progress, uint64_t bytes, uint64_t events);
void progress_end(struct progress *progress);

#endif
