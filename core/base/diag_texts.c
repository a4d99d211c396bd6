// SPDX-License-Identifier: MIT
//
// The texts of each problem.
#include "diag.h"

static const struct tk_diag_info infos[TK_DIAG_COUNT] = {
#define TK_DIAG(id, severity, detail, word, title, cause, remedy) \
    { #id, TK_SEVERITY_##severity, TK_DETAIL_##detail, word, title, cause, remedy },
#include "diag.def"
#undef TK_DIAG
};

const struct tk_diag_info *tk_diag_info(enum tk_diag_id id) { return &infos[id]; }
