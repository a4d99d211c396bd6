// SPDX-License-Identifier: MIT
#include "time_units.h"

#include <string.h>

static const struct {
    const char *name;
    int power;
} units[] = { { "s", 15 }, { "ms", 12 }, { "us", 9 }, { "\xc2\xb5s", 9 }, { "ns", 6 }, { "ps", 3 }, { "fs", 0 } };

const char *tk_time_unit_at(size_t index, int *out_power) {
    if (index >= sizeof units / sizeof *units) return NULL;
    *out_power = units[index].power;
    return units[index].name;
}

int tk_time_unit_power(const char *name, size_t len) {
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (strlen(units[i].name) == len && !memcmp(units[i].name, name, len)) return units[i].power;
    return -1;
}
