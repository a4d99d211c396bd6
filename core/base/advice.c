// SPDX-License-Identifier: MIT
//
// What people are told about each problem besides its title.
#include "diag.h"

static const struct tk_diag_advice advice[TK_DIAG_COUNT] = {
#define TK_DIAG(id, severity, detail, word, title, cause, remedy) {cause, remedy},
#include "diag.def"
#undef TK_DIAG
};

const struct tk_diag_advice *tk_diag_advice(enum tk_diag_id id) { return &advice[id]; }
