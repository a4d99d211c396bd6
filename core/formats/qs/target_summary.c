// SPDX-License-Identifier: MIT
#include "target_summary.h"

#include "text_builder.h"

static size_t put_version(char *text, size_t at, uint32_t version) {
    at = qs_put_words(text, qs_put_number(text, at, version / 100), ".");
    at = qs_put_words(text, qs_put_number(text, at, version / 10 % 10), ".");
    return qs_put_number(text, at, version % 10);
}

void qs_summary_target(const struct qs_target_info *info, char out_text[QS_SUMMARY_LEN]) {
    static const char *const frameworks[] = { "QP ", "QP/C ", "QP/C++ ", "QP " };
    size_t at = put_version(out_text, qs_put_words(out_text, 0, frameworks[info->framework & 3]), info->version);
    const uint8_t *build = info->build;
    at = qs_put_words(out_text, at, ", built 20");
    for (unsigned i = 6; i--;) {
        static const char *const before[] = { ":", ":", " ", "-", "-", "" };
        at = qs_put_padded(out_text, qs_put_words(out_text, at, before[i]), build[i], 2);
    }
}

bool qs_summary_sizes(const struct qs_config *config, enum qs_origin origin, uint64_t known, uint64_t fit,
                      char out_text[QS_SUMMARY_LEN]) {
    static const char *const origins[] = { [QS_ASSUMED] = "Sizes that no record shows: ",
                                           [QS_INFERRED] = "Sizes inferred: ",
                                           [QS_IMPORTED] = "Sizes from a side input: ",
                                           [QS_TOLD] = "Sizes told by the target: ",
                                           [QS_GIVEN] = "Sizes as set: " };
    size_t first = qs_put_words(out_text, 0, origins[origin]), at = first;
    for (unsigned i = 0; i < QS_SIZES; i++) {
        if (config->origin[i] != origin) continue;
        at = qs_put_words(out_text, qs_put_words(out_text, at, at == first ? "" : ", "),
                          qs_size_keys[i] + sizeof "size-" - 1);
        at = qs_put_number(out_text, qs_put_words(out_text, at, " "), config->size[i]);
    }
    if (origin == QS_INFERRED && at != first) {
        at = qs_put_number(out_text, qs_put_words(out_text, at, " ("), fit);
        at = qs_put_number(out_text, qs_put_words(out_text, at, " of "), known);
        qs_put_words(out_text, at, " records fit)");
    }
    return at != first;
}

void qs_summary_tick(uint64_t counts, char out_text[QS_SUMMARY_LEN]) {
    size_t at = qs_put_number(out_text, qs_put_words(out_text, 0, "The system tick comes every "), counts);
    qs_put_words(out_text, at, " ticks of the clock");
}
