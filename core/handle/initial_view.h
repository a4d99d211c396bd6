// SPDX-License-Identifier: MIT
//
// Chooses the initial view of the trace: the groups and tasks that the viewer expands, as far as its window has room,
// and the tracks that it pins.
#ifndef TK_HANDLE_INITIAL_VIEW_H
#define TK_HANDLE_INITIAL_VIEW_H

#include "model/model.h"

enum { TK_VIEW_TEXT = 2048, TK_VIEW_TASKS = 16 };

// Regular expressions over track names; they point into `text` or are static.
struct tk_initial_view {
    const char *expand[3], *collapse[1], *pin[3];
    uint32_t expand_count, collapse_count, pin_count;
    char text[3][TK_VIEW_TEXT];
};

// Chooses the view after the end of the conversion.
void tk_initial_view_choose(struct tk_initial_view *out_view, const struct tk_model *model);

#endif
