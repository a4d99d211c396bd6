// SPDX-License-Identifier: MIT
//
// What is told to people about a target and about how its recording was read: a sentence each.
#ifndef TK_FORMATS_QS_FACTS_H
#define TK_FORMATS_QS_FACTS_H

#include "sizes.h"

enum { QS_FACT_LEN = 192 };

void qs_fact_target(const struct qs_target_info *info, char out_text[QS_FACT_LEN]);
// The sizes of one origin; false: there are none. known and fit: frames of fixed length, and those of them that fit.
bool qs_fact_sizes(const struct qs_config *config, enum qs_origin origin, uint64_t known, uint64_t fit, char out_text[QS_FACT_LEN]);
// How far apart ticks are.
void qs_fact_tick(uint64_t counts, char out_text[QS_FACT_LEN]);

#endif
