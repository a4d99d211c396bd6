// SPDX-License-Identifier: MIT
// C functions in all forms that compilers emit: static ones, outlined parts, clones, inlined code from a header.
#include "steps.h"

volatile int sink;
int table[64];
const char greeting[] = "text that is never written";

#define NOINLINE __attribute__((noinline))

static NOINLINE int process(int value) {
    int sum = 0;
    for (int i = 0; i < value; i++)
        sum += step_up(table[i & 63], i) ^ step_down(sum, value);
    return sum;
}

__attribute__((cold, noinline)) static void complain(int value) {
    sink = value * 3;
    table[value & 63] = -value;
}

NOINLINE int numbers_check(int value) {
    if (__builtin_expect(value < 0, 0)) {
        complain(value);
        for (int i = 0; i < 8; i++) table[i] ^= value;
        return process(-value);
    }
    return process(value) + 1;
}

static NOINLINE int scale(int value, int factor, int offset) { return value * factor / (offset | 1); }

NOINLINE int numbers_scale(int value) {
    return scale(value, 7, 3) +
           scale(value + 1, 7, 3);
}

#define MANY(n) \
    NOINLINE int numbers_##n(int value) { \
        switch (value & 7) { \
        case 0: return process(value + n); \
        case 1: return numbers_check(value - n); \
        case 2: return numbers_scale(value * n); \
        default: return step_up(value, n); \
        } \
    }
MANY(1) MANY(2) MANY(3) MANY(5) MANY(8) MANY(13)
MANY(21)
MANY(34) MANY(55)

NOINLINE int numbers_all(int value) {
    int (*const all[])(int) = { numbers_1, numbers_2, numbers_3, numbers_5, numbers_8, numbers_13, numbers_21, numbers_34, numbers_55, numbers_check, numbers_scale };
    for (unsigned i = 0; i < sizeof all / sizeof *all; i++) value += all[i](value);
    return value;
}

int shapes_all(int value);

__attribute__((weak)) void on_fault(void) {
    for (;;) sink++;
}
void on_reset(void) __attribute__((alias("start")));

void start(void) {
    for (;;) sink = numbers_all(sink) + shapes_all(sink) + greeting[sink & 7];
}

__attribute__((section(".isr_vector"), used)) static const void *const vectors[18] = { (void *)0x20010000, (void *)start, (void *)on_fault, (void *)on_fault, [15] = (void *)numbers_all };
