// SPDX-License-Identifier: MIT
#include "axis.h"

#include <string.h>

static const struct {
    const char *name;
    uint64_t num, den;
} units[] = {
    { "fs", 1, 1000000 },      { "ps", 1, 1000 },         { "ns", 1, 1 },       { "us", 1000, 1 },
    { "\xC2\xB5s", 1000, 1 },  { "\xCE\xBCs", 1000, 1 },  { "ms", 1000000, 1 }, { "s", 1000000000, 1 },
    { "min", 60000000000, 1 }, { "h", 3600000000000, 1 },
};

static uint64_t greatest_common(uint64_t a, uint64_t b) {
    while (b) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

static struct tk_unit times(struct tk_unit unit, uint64_t factor) {
    uint64_t common = greatest_common(factor, unit.den);
    uint64_t num = factor / common;
    if (!num || unit.num > ((uint64_t)1 << TK_AXIS_LIMIT_BITS) / num) return (struct tk_unit){ 0, 1 };
    return (struct tk_unit){ unit.num * num, unit.den / common };
}

// Reads digits at `at`; without digits the factor is 1. More than six digits are not a factor.
static const char *read_factor(const char *at, const char *end, uint64_t *factor) {
    const char *start = at;
    uint64_t value = 0;
    while (at < end && *at >= '0' && *at <= '9' && at - start < 6) value = value * 10 + (uint64_t)(*at++ - '0');
    if (at != start) *factor *= value;
    return at;
}

struct tk_unit tk_unit_parse(const char *text, size_t len) {
    const char *end = text + len;
    uint64_t factor_before = 1, factor_after = 1;
    const char *name = read_factor(text, end, &factor_before);
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        size_t size = strlen(units[i].name);
        if ((size_t)(end - name) < size || memcmp(name, units[i].name, size)) continue;
        factor_after = 1;
        if (read_factor(name + size, end, &factor_after) != end) continue;
        struct tk_unit unit = times((struct tk_unit){ units[i].num, units[i].den }, factor_before);
        return unit.num ? times(unit, factor_after) : unit;
    }
    return (struct tk_unit){ 0, 1 };
}

bool tk_unit_is_same(struct tk_unit a, struct tk_unit b) { return a.num == b.num && a.den == b.den; }

struct tk_unit tk_unit_stretch(struct tk_unit unit, uint64_t factor) { return times(unit, factor); }

bool tk_unit_is_fine(struct tk_unit unit) { return unit.num && unit.num < unit.den; }

bool tk_unit_has_fraction(struct tk_unit unit, int64_t position) {
    return unit.den > 1 && position % (int64_t)unit.den != 0;
}

// Returns true for common times, which need no division.
static bool is_small(struct tk_unit unit, int64_t position) {
    return unit.den == 1 && unit.num - 1 < UINT32_MAX / 4 && position >= 0 && position <= UINT32_MAX / 4;
}

bool tk_unit_to_ns(struct tk_unit unit, int64_t position, int64_t *out_ns) {
    if (is_small(unit, position)) return *out_ns = position * (int64_t)unit.num, true;
    int64_t den = (int64_t)unit.den, whole = position / den, rest = position % den,
            limit = (int64_t)1 << TK_AXIS_LIMIT_BITS;
    if (rest < 0) rest += den, whole--;
    if (!unit.num || whole > limit / (int64_t)unit.num || whole < -(limit / (int64_t)unit.num)) return false;
    // The rest is smaller than den, at most 10^6, and a den above 1 leaves a num below 2^44 (two factors of six
    // digits).
    *out_ns = whole * (int64_t)unit.num + (int64_t)((uint64_t)rest * unit.num / unit.den);
    return *out_ns < limit && *out_ns > -limit;
}
