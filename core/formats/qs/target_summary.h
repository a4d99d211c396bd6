// SPDX-License-Identifier: MIT
//
// Sentences for the report about a target and about how its recording was read.
#ifndef TK_FORMATS_QS_TARGET_SUMMARY_H
#define TK_FORMATS_QS_TARGET_SUMMARY_H

#include "../../base/text.h"
#include "sizes.h"

enum { QS_SUMMARY_LEN = 192 };

// Appends a version, such as "7.4.0".
void qs_summary_version(struct tk_text *text, uint16_t version);
void qs_summary_target(const struct qs_target_info *info, char out_text[QS_SUMMARY_LEN]);
// Writes the sizes of one origin. Returns false if there are none. known and fit: frames of fixed length, and those of
// them whose length fits.
bool qs_summary_sizes(const struct qs_config *config, enum qs_origin origin, uint64_t known, uint64_t fit,
                      char out_text[QS_SUMMARY_LEN]);
// Writes the distance between ticks.
void qs_summary_tick(uint64_t counts, char out_text[QS_SUMMARY_LEN]);

#endif
