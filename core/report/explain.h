// SPDX-License-Identifier: MIT
//
// Explains why a result is empty or very small.
#ifndef TK_REPORT_EXPLAIN_H
#define TK_REPORT_EXPLAIN_H

#include "../base/diag.h"
#include "../model/tables/stats.h"

struct tk_explained {
    uint64_t bytes_in; // total size of all recordings in bytes
    bool recognised;
    bool is_part;             // the figures cover a time range of a recording with events
    const char *probe_reason; // one sentence; "" if unknown
    const struct tk_stats *stats;
    const struct tk_diag *diag;
};

// Sets static sentences in the order to display them, except `probe_reason`. Returns their number; 0: nothing to
// explain.
enum { TK_EXPLAIN_MAX = 8 };
size_t tk_explain(const struct tk_explained *report, const char *out_sentences[TK_EXPLAIN_MAX]);

#endif
