// SPDX-License-Identifier: MIT
#include "parts.h"

#include "../../base/attributes.h"

static void sort(double *values, unsigned count) {
    for (unsigned i = 1; i < count; i++) {
        double value = values[i];
        unsigned at = i;
        for (; at && values[at - 1] > value; at--) values[at] = values[at - 1];
        values[at] = value;
    }
}

TK_COLD struct tk_noise tk_noise_of(double *values, unsigned count) {
    if (count < TK_PARTS_LEAST) return (struct tk_noise){ .is_known = false };
    sort(values, count);
    return (struct tk_noise){ .is_known = true,
                              .typical = (values[(count - 1) / 2] + values[count / 2]) / 2,
                              .spread = (values[count - 1 - count / 4] - values[count / 4]) / 2 };
}
