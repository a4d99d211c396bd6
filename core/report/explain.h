// SPDX-License-Identifier: MIT
//
// Why a result is empty or tiny.
#ifndef TK_REPORT_EXPLAIN_H
#define TK_REPORT_EXPLAIN_H

#include "../base/diag.h"
#include "../model/tables/stats.h"

struct tk_explained {
    uint64_t bytes_in; // of all recordings
    bool recognised;
    bool is_part;             // figures of a part of the time, in a recording with events
    const char *probe_reason; // one sentence; "" if unknown
    const struct tk_stats *stats;
    const struct tk_diag *diag;
};

// Static sentences in the order to show them, but for `probe_reason`; returns how many (none: nothing to explain).
enum { TK_EXPLAIN_MAX = 8 };
size_t tk_explain(const struct tk_explained *report, const char *out_sentences[TK_EXPLAIN_MAX]);

#endif
