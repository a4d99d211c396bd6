// SPDX-License-Identifier: MIT
//
// Short names for the columns of tables. Only files that define tables include this.
#ifndef TK_MODEL_TABLES_COLUMNS_H
#define TK_MODEL_TABLES_COLUMNS_H

#include "table.h"

#define NAME(key, title) { key, title, TK_COLUMN_NAME, TK_ROLE_VALUE, NULL, TK_FOLD_NONE }
#define TEXT(key, title) { key, title, TK_COLUMN_TEXT, TK_ROLE_VALUE, NULL, TK_FOLD_NONE }
// Distinguishes rows of the same name.
#define KEY(key, title, kind) { key, title, kind, TK_ROLE_KEY, NULL, TK_FOLD_NONE }
#define COUNT(key, title, role) { key, title, TK_COLUMN_COUNT, role, NULL, TK_FOLD_SUM }
#define UNMEASURED(key) { key, "Not measured", TK_COLUMN_COUNT, TK_ROLE_UNMEASURED, NULL, TK_FOLD_SUM }
#define SPAN(key, title, fold) { key, title, TK_COLUMN_DURATION, TK_ROLE_VALUE, NULL, fold }
#define SHARE(key, title, fold) { key, title, TK_COLUMN_SHARE, TK_ROLE_VALUE, NULL, fold }
// Time of the value to its left.
#define MOMENT(key) { key, "At", TK_COLUMN_TIME, TK_ROLE_AT, NULL, TK_FOLD_NONE }
// For programs only.
#define HIDDEN(key, title, fold) { key, title, TK_COLUMN_DURATION, TK_ROLE_HIDDEN, NULL, fold }
#define HIDDEN_MOMENT(key) { key, "At", TK_COLUMN_TIME, TK_ROLE_HIDDEN, NULL, TK_FOLD_NONE }

// Three percentiles, of which 95 % is visible. prefix: of the keys.
#define PERCENTILES(prefix)                                                                               \
    HIDDEN(prefix "p50", "50 % at most", TK_FOLD_NONE), SPAN(prefix "p95", "95 % at most", TK_FOLD_NONE), \
        HIDDEN(prefix "p99", "99 % at most", TK_FOLD_NONE)
// Columns of tk_cells_spread. The mean, 95 % and the longest are visible; the others are for programs only.
#define SPREAD(key, noun)                                                                             \
    HIDDEN(key "_min", "Shortest " noun, TK_FOLD_MIN), SPAN(key "_mean", "Mean " noun, TK_FOLD_NONE), \
        PERCENTILES(key "_"), SPAN(key "_max", "Longest " noun, TK_FOLD_MAX), MOMENT(key "_max_at")
// The same columns; only the mean is visible.
#define MEAN_OF(key, noun)                                                                                  \
    HIDDEN(key "_min", "Shortest " noun, TK_FOLD_MIN), SPAN(key "_mean", "Mean " noun, TK_FOLD_NONE),       \
        HIDDEN(key "_p50", "50 % at most", TK_FOLD_NONE), HIDDEN(key "_p95", "95 % at most", TK_FOLD_NONE), \
        HIDDEN(key "_p99", "99 % at most", TK_FOLD_NONE), HIDDEN(key "_max", "Longest " noun, TK_FOLD_MAX), \
        HIDDEN_MOMENT(key "_max_at")
// Columns of tk_cells_spread for the only durations of a table.
#define LENGTHS                                                                                \
    SPAN("min", "Shortest", TK_FOLD_MIN), SPAN("mean", "Mean", TK_FOLD_NONE), PERCENTILES(""), \
        SPAN("max", "Longest", TK_FOLD_MAX), MOMENT("max_at")
// Columns of tk_cells_spread. The shortest, the mean and the longest are visible.
#define PERIODS                                                                                                 \
    SPAN("period_min", "Shortest period", TK_FOLD_MIN), SPAN("period_mean", "Mean period", TK_FOLD_NONE),       \
        HIDDEN("period_p50", "50 % at most", TK_FOLD_NONE), HIDDEN("period_p95", "95 % at most", TK_FOLD_NONE), \
        HIDDEN("period_p99", "99 % at most", TK_FOLD_NONE), SPAN("period_max", "Longest period", TK_FOLD_MAX),  \
        HIDDEN_MOMENT("period_max_at")

#endif
