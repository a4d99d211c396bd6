// SPDX-License-Identifier: MIT
//
// The version byte does not tell the dialect of what version 6 wrote: the first bytes are read as either, without output.
#include "flux.h"

#include <string.h>

enum { SMALLEST_LOOK = 1024, LARGEST_LOOK = 64 * 1024, ENOUGH_ENTRIES = 512 };

static void deinit_trial(struct flux *trial) {
    struct tk_alloc *alloc = trial->host.alloc;
    flux_stream_deinit(trial);
    flux_state_deinit(trial);
    tk_alloc_free(alloc, trial, sizeof *trial);
}

static struct flux_look try_dialect(struct flux *flux, enum flux_dialect dialect, size_t len) {
    struct flux *trial = tk_alloc_zero(flux->host.alloc, sizeof *trial);
    struct flux_look look = { .failed = true };
    if (!trial) return look;
    trial->host.alloc = flux->host.alloc;
    trial->dialect = (uint8_t)dialect;
    trial->has_ended = flux->has_ended;
    if (tk_alloc_grow(trial->host.alloc, (void **)&trial->traces, &trial->trace_capacity, 1, sizeof *trial->traces)) {
        flux_stream_take(trial, flux->levels[0].bytes, len);
        flux_stream_run(trial);
        look = trial->look;
    }
    deinit_trial(trial);
    return look;
}

// Does a look suffice? Without an error it has to be long enough.
static bool suffices(const struct flux_look *look) { return look->failed || look->entries >= ENOUGH_ENTRIES; }

static void settle_time(struct flux *flux, const struct flux_look *look) {
    const char *option = flux->host.option ? flux->host.option(flux->host.option_ctx, "time-scale") : NULL;
    bool is_real = option && !strcmp(option, "real"), is_fine = option && !strcmp(option, "fine");
    if (!is_real && (is_fine || (look->any_time && look->all_fine && look->any_fraction))) flux->fine = look->any_femto ? 2 : 1;
    flux->shift = look->least[flux->fine] < 0 ? -look->least[flux->fine] : 0;
}

bool flux_look_ahead(struct flux *flux) {
    size_t have = flux->levels[0].end, len = flux->next_look ? flux->next_look : SMALLEST_LOOK;
    for (;; len *= 2) {
        flux->next_look = len;
        if (have < len && !flux->has_ended) return false;
        bool is_last = len >= LARGEST_LOOK || have <= len;
        struct flux_look older = try_dialect(flux, FLUX_6, have < len ? have : len), newer = try_dialect(flux, FLUX_6I, have < len ? have : len);
        if (!is_last && !(older.failed ? suffices(&newer) : suffices(&older))) continue;
        bool is_newer = older.failed && (!newer.failed || newer.entries > older.entries);
        flux->dialect = is_newer ? FLUX_6I : FLUX_6;
        settle_time(flux, is_newer ? &newer : &older);
        return flux->has_looked = true;
    }
}
