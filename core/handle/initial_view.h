// SPDX-License-Identifier: MIT
//
// What the viewer shows at first: which groups and tasks are opened and what is pinned, as far as there is room in its
// window.
#ifndef TK_HANDLE_INITIAL_VIEW_H
#define TK_HANDLE_INITIAL_VIEW_H

#include "model/model.h"

enum { TK_VIEW_TEXT = 2048, TK_VIEW_TASKS = 16 };

// Regular expressions over the names of tracks; they point into `text`, or are static.
struct tk_initial_view {
    const char *expand[3], *collapse[1], *pin[3];
    uint32_t expand_count, collapse_count, pin_count;
    char text[3][TK_VIEW_TEXT];
};

// After the end of the conversion.
void tk_initial_view_choose(struct tk_initial_view *out_view, const struct tk_model *model);

#endif
