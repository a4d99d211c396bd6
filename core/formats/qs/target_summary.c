// SPDX-License-Identifier: MIT
#include "target_summary.h"

void qs_summary_version(struct tk_text *text, uint16_t version) {
    tk_text_u64(text, version / 100);
    tk_text_add(text, ".");
    tk_text_u64(text, version / 10 % 10);
    tk_text_add(text, ".");
    tk_text_u64(text, version % 10);
}

void qs_summary_target(const struct qs_target_info *info, char out_text[QS_SUMMARY_LEN]) {
    static const char *const frameworks[] = { "QP ", "QP/C ", "QP/C++ ", "QP " };
    struct tk_text text = tk_text_in(out_text, QS_SUMMARY_LEN);
    tk_text_add(&text, frameworks[info->framework & 3]);
    qs_summary_version(&text, info->version);
    tk_text_add(&text, ", built 20");
    for (unsigned i = 6; i--;) {
        static const char *const before[] = { ":", ":", " ", "-", "-", "" };
        tk_text_add(&text, before[i]);
        tk_text_digits(&text, info->build[i], 10, 2);
    }
}

bool qs_summary_sizes(const struct qs_config *config, enum qs_origin origin, uint64_t known, uint64_t fit,
                      char out_text[QS_SUMMARY_LEN]) {
    static const char *const origins[] = { [QS_ASSUMED] = "Sizes that no record shows: ",
                                           [QS_INFERRED] = "Sizes inferred: ",
                                           [QS_IMPORTED] = "Sizes from a side input: ",
                                           [QS_FROM_TARGET] = "Sizes told by the target: ",
                                           [QS_GIVEN] = "Sizes as set: " };
    struct tk_text text = tk_text_in(out_text, QS_SUMMARY_LEN);
    bool any = false;
    tk_text_add(&text, origins[origin]);
    for (unsigned i = 0; i < QS_SIZES; i++) {
        if (config->origin[i] != origin) continue;
        tk_text_add(&text, any ? ", " : "");
        tk_text_add(&text, qs_size_keys[i] + sizeof "size-" - 1);
        tk_text_add(&text, " ");
        tk_text_u64(&text, config->size[i]);
        any = true;
    }
    if (origin != QS_INFERRED || !any) return any;
    tk_text_add(&text, " ("), tk_text_u64(&text, fit);
    tk_text_add(&text, " of "), tk_text_u64(&text, known);
    tk_text_add(&text, " records fit)");
    return true;
}

void qs_summary_tick(uint64_t counts, char out_text[QS_SUMMARY_LEN]) {
    struct tk_text text = tk_text_in(out_text, QS_SUMMARY_LEN);
    tk_text_add(&text, "The system tick comes every ");
    tk_text_u64(&text, counts);
    tk_text_add(&text, " ticks of the clock");
}
