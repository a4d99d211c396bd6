// SPDX-License-Identifier: MIT
//
// The noise of a figure within one recording: its value in equal parts of the time.
#ifndef TK_MODEL_TABLES_PARTS_H
#define TK_MODEL_TABLES_PARTS_H

#include <stdbool.h>

enum {
    TK_PARTS_LEAST = 8, // fewer values prove no noise
    TK_PARTS = 16       // most parts
};

// A typical value and how far the values of the parts are apart.
struct tk_noise {
    bool is_known;
    double typical; // the median
    double spread;  // half of the distance between the values at a quarter and at three quarters of the parts
};

// Sorts `values`. The result is not known for fewer than TK_PARTS_LEAST values.
struct tk_noise tk_noise_of(double *values, unsigned count);

#endif
