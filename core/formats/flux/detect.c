// SPDX-License-Identifier: MIT
//
// Finds out the dialect of a recording. The version byte does not distinguish the dialects of version 6, and it may be
// damaged. So the first bytes are read in each dialect in turn, without output.
#include "flux.h"

#include <string.h>

#include "head.h"

enum { MIN_PROBE_LEN = 1024, MAX_PROBE_LEN = 64 * 1024, ENOUGH_ENTRIES = 512 };

static void deinit_trial(struct flux *trial) {
    struct tk_alloc *alloc = trial->host.alloc;
    flux_stream_deinit(trial);
    flux_state_deinit(trial);
    tk_alloc_free(alloc, trial, sizeof *trial);
}

// The trials in their order: first with the versions in the heads, then ignoring them. The last two repeat the first
// two, and are needed only if a head has an older version.
static const struct trial_setup {
    enum flux_dialect dialect;
    bool ignores_version;
} trial_setups[] = { { FLUX_6, false }, { FLUX_6I, false }, { FLUX_4, true }, { FLUX_6, true }, { FLUX_6I, true } };
enum { TRIAL_SETUPS = sizeof trial_setups / sizeof *trial_setups, TRIAL_SETUPS_OF_NEWER = TRIAL_SETUPS - 2 };

static struct flux_trial_result try_dialect(struct flux *flux, const struct trial_setup *trial_setup, size_t len,
                                            bool is_patient) {
    struct flux *trial = tk_alloc_zero(flux->host.alloc, sizeof *trial);
    struct flux_trial_result trial_result = { .failed = true };
    if (!trial) return trial_result;
    trial->host.alloc = flux->host.alloc;
    trial->dialect = (uint8_t)trial_setup->dialect;
    trial->ignores_version = trial_setup->ignores_version;
    trial->has_ended = flux->has_ended;
    trial->trial_result.is_patient = is_patient;
    if (tk_alloc_grow(trial->host.alloc, (void **)&trial->traces, &trial->trace_capacity, 1, sizeof *trial->traces)) {
        flux_stream_take(trial, flux->levels[0].bytes, len);
        flux_stream_run(trial);
        trial_result = trial->trial_result;
    }
    deinit_trial(trial);
    return trial_result;
}

static void resolve_times(struct flux *flux, const struct flux_trial_result *trial_result) {
    const char *option = flux->host.option ? flux->host.option(flux->host.option_ctx, "time-scale") : NULL;
    bool is_real = option && !strcmp(option, "real"), is_fine = option && !strcmp(option, "fine");
    if (!is_real && (is_fine || (trial_result->any_time && trial_result->all_fine && trial_result->any_fraction)))
        flux->fine = trial_result->any_femto ? 2 : 1;
    flux->shift = trial_result->least[flux->fine] < 0 ? -trial_result->least[flux->fine] : 0;
}

static void score_dialect(struct flux *flux, const struct trial_setup *trial_setup,
                          const struct flux_trial_result *trial_result) {
    flux->dialect = (uint8_t)trial_setup->dialect;
    flux->ignores_version = trial_setup->ignores_version;
    resolve_times(flux, trial_result);
}

// Decides for the dialect that reads the most definitions, also after damage. Used when no dialect reads the bytes
// without failure.
static void pick_dialect_of_damaged(struct flux *flux, size_t len) {
    const struct trial_setup *best = trial_setups;
    struct flux_trial_result most = try_dialect(flux, best, len, true);
    bool any_older = most.any_older;
    for (size_t i = 1; i < (any_older ? TRIAL_SETUPS : TRIAL_SETUPS_OF_NEWER); i++) {
        struct flux_trial_result trial_result = try_dialect(flux, &trial_setups[i], len, true);
        any_older |= trial_result.any_older;
        if (trial_result.definitions > most.definitions) best = &trial_setups[i], most = trial_result;
    }
    score_dialect(flux, best, &most);
}

// Returns false if more bytes are needed. A dialect that contradicts the heads must read more entries than the others,
// because one wrong entry may cover all remaining bytes without a failure.
static bool decide_dialect(struct flux *flux, size_t len, bool is_last) {
    uint64_t most_entries = 0;
    bool any_older = false;
    for (size_t i = 0; i < (any_older ? TRIAL_SETUPS : TRIAL_SETUPS_OF_NEWER); i++) {
        struct flux_trial_result trial_result = try_dialect(flux, &trial_setups[i], len, false);
        any_older |= trial_result.any_older;
        if (!trial_setups[i].ignores_version && trial_result.entries > most_entries)
            most_entries = trial_result.entries;
        if (trial_result.failed || (trial_setups[i].ignores_version && trial_result.entries <= most_entries)) continue;
        if (!is_last && trial_result.entries < ENOUGH_ENTRIES) return false;
        score_dialect(flux, &trial_setups[i], &trial_result);
        return true;
    }
    pick_dialect_of_damaged(flux, len);
    return true;
}

// Drops printed text before the recording. Returns false if more bytes are needed to see whether a recording follows
// the text.
static bool skip_text(struct flux *flux) {
    struct flux_level *input = &flux->levels[0];
    size_t seen = input->end < TK_PROBE_LEN ? input->end : TK_PROBE_LEN; // limited, so that the result does not depend
                                                                         // on the size of chunks
    size_t text = flux_text_len(input->bytes, seen), left = seen - text;
    if ((text || !left) && left < FLUX_HEAD_LEN && seen < TK_PROBE_LEN && !flux->has_ended) return false;
    flux->text_skipped = true;
    if (!text || !left || !flux_begins(input->bytes + text, left < FLUX_HEAD_LEN ? left : FLUX_HEAD_LEN)) return true;
    flux_note(flux, TK_DIAG_TEXT_SKIPPED, text);
    tk_account_skip(flux->host.account, TK_DIAG_TEXT_SKIPPED, text);
    memmove(input->bytes, input->bytes + text, input->end - text);
    input->offset += text;
    input->end -= text;
    return true;
}

bool flux_detect_dialect(struct flux *flux) {
    if (!flux->text_skipped && !skip_text(flux)) return false;
    size_t have = flux->levels[0].end, len = flux->next_probe_len ? flux->next_probe_len : MIN_PROBE_LEN;
    for (;; len *= 2) {
        flux->next_probe_len = len;
        if (have < len && !flux->has_ended) return false;
        if (decide_dialect(flux, have < len ? have : len, len >= MAX_PROBE_LEN || (flux->has_ended && have <= len)))
            return flux->dialect_known = true;
    }
}
