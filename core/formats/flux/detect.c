// SPDX-License-Identifier: MIT
//
// The version byte does not tell the dialect of what version 6 wrote, and it may be damaged: the first bytes are read
// in one after the other, without output.
#include "flux.h"

#include <string.h>

enum { SMALLEST_LOOK = 1024, LARGEST_LOOK = 64 * 1024, ENOUGH_ENTRIES = 512 };

static void deinit_trial(struct flux *trial) {
    struct tk_alloc *alloc = trial->host.alloc;
    flux_stream_deinit(trial);
    flux_state_deinit(trial);
    tk_alloc_free(alloc, trial, sizeof *trial);
}

// As heads tell, and then against them. The last two are the first two, unless a head of an older version was read.
static const struct way {
    enum flux_dialect dialect;
    bool ignores_version;
} ways[] = { { FLUX_6, false }, { FLUX_6I, false }, { FLUX_4, true }, { FLUX_6, true }, { FLUX_6I, true } };
enum { WAYS = sizeof ways / sizeof *ways, WAYS_OF_NEWER = WAYS - 2 };

static struct flux_look try_dialect(struct flux *flux, const struct way *way, size_t len, bool is_patient) {
    struct flux *trial = tk_alloc_zero(flux->host.alloc, sizeof *trial);
    struct flux_look look = { .failed = true };
    if (!trial) return look;
    trial->host.alloc = flux->host.alloc;
    trial->dialect = (uint8_t)way->dialect;
    trial->ignores_version = way->ignores_version;
    trial->has_ended = flux->has_ended;
    trial->look.is_patient = is_patient;
    if (tk_alloc_grow(trial->host.alloc, (void **)&trial->traces, &trial->trace_capacity, 1, sizeof *trial->traces)) {
        flux_stream_take(trial, flux->levels[0].bytes, len);
        flux_stream_run(trial);
        look = trial->look;
    }
    deinit_trial(trial);
    return look;
}

static void resolve_times(struct flux *flux, const struct flux_look *look) {
    const char *option = flux->host.option ? flux->host.option(flux->host.option_ctx, "time-scale") : NULL;
    bool is_real = option && !strcmp(option, "real"), is_fine = option && !strcmp(option, "fine");
    if (!is_real && (is_fine || (look->any_time && look->all_fine && look->any_fraction)))
        flux->fine = look->any_femto ? 2 : 1;
    flux->shift = look->least[flux->fine] < 0 ? -look->least[flux->fine] : 0;
}

static void score_dialect(struct flux *flux, const struct way *way, const struct flux_look *look) {
    flux->dialect = (uint8_t)way->dialect;
    flux->ignores_version = way->ignores_version;
    resolve_times(flux, look);
}

// Where none can be read to the end, something else is damaged: the right one reads more definitions, those after it
// too.
static void pick_dialect_of_damaged(struct flux *flux, size_t len) {
    const struct way *best = ways;
    struct flux_look most = try_dialect(flux, best, len, true);
    bool any_older = most.any_older;
    for (size_t i = 1; i < (any_older ? WAYS : WAYS_OF_NEWER); i++) {
        struct flux_look look = try_dialect(flux, &ways[i], len, true);
        any_older |= look.any_older;
        if (look.definitions > most.definitions) best = &ways[i], most = look;
    }
    score_dialect(flux, best, &most);
}

// False: more bytes have to tell. What goes against the heads has to read more than what follows them: an entry that
// swallows all the rest is no failure.
static bool decide_dialect(struct flux *flux, size_t len, bool is_last) {
    uint64_t told = 0;
    bool any_older = false;
    for (size_t i = 0; i < (any_older ? WAYS : WAYS_OF_NEWER); i++) {
        struct flux_look look = try_dialect(flux, &ways[i], len, false);
        any_older |= look.any_older;
        if (!ways[i].ignores_version && look.entries > told) told = look.entries;
        if (look.failed || (ways[i].ignores_version && look.entries <= told)) continue;
        if (!is_last && look.entries < ENOUGH_ENTRIES) return false;
        score_dialect(flux, &ways[i], &look);
        return true;
    }
    pick_dialect_of_damaged(flux, len);
    return true;
}

bool flux_look_ahead(struct flux *flux) {
    size_t have = flux->levels[0].end, len = flux->next_look ? flux->next_look : SMALLEST_LOOK;
    for (;; len *= 2) {
        flux->next_look = len;
        if (have < len && !flux->has_ended) return false;
        if (decide_dialect(flux, have < len ? have : len, len >= LARGEST_LOOK || (flux->has_ended && have <= len)))
            return flux->has_looked = true;
    }
}
