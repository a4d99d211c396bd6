// SPDX-License-Identifier: MIT
// Inlined code from a header: lines of another file within a function.
#ifndef STEPS_H
#define STEPS_H

static inline __attribute__((always_inline)) int step_up(int value, int by) {
    value += by;
    value ^= value >> 3;
    return value * 5;
}

static inline int step_down(int value, int by) {
    if (value > by) return value - by;
    return by - value;
}

#endif
