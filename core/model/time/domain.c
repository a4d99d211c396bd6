// SPDX-License-Identifier: MIT
#include "domain.h"

void tk_domain_reduce(uint64_t *a, uint64_t *b) {
    uint64_t x = *a, y = *b;
    while (y) {
        uint64_t rest = x % y;
        x = y;
        y = rest;
    }
    *a /= x;
    *b /= x;
    while ((*a | *b) >> 32) *a = (*a >> 1) + (*a & 1), *b = (*b >> 1) + (*b & 1);
}

struct tk_domain tk_domain_of_fraction(uint64_t ns, uint64_t counts) {
    tk_domain_reduce(&ns, &counts);
    return (struct tk_domain){ .ns = (uint32_t)ns, .per_counts = (uint32_t)counts };
}

struct tk_domain tk_domain_of_rate(uint64_t hz, uint32_t divisor) {
    return tk_domain_of_fraction(1000000000u * (uint64_t)divisor, hz);
}

// Returns delta * num / den, rounded to nearest or down; saturates. num, den < 2^32
static uint64_t scale(uint64_t delta, uint64_t num, uint64_t den, bool down) {
    uint64_t whole = delta / den, rest = delta % den * num + (down ? 0 : den / 2);
    if (num && whole > INT64_MAX / num) return INT64_MAX;
    uint64_t sum = whole * num + rest / den;
    return sum < INT64_MAX ? sum : INT64_MAX;
}

uint64_t tk_domain_ns(const struct tk_domain *d, uint64_t count) {
    bool measured = d->slope_counts > 0;
    uint64_t num = measured ? d->slope_ns : d->ns, den = measured ? d->slope_counts : d->per_counts;
    if (count >= d->at) {
        uint64_t ahead = scale(count - d->at, num, den, d->rounds_down);
        return ahead < INT64_MAX - d->at_ns ? d->at_ns + ahead : INT64_MAX;
    }
    uint64_t elapsed = scale(d->at - count, num, den, false);
    return elapsed < d->at_ns ? d->at_ns - elapsed : 0;
}

uint64_t tk_domain_next_ns(struct tk_domain *d, uint64_t count) {
    uint64_t ns = tk_domain_ns(d, count);
    if (d->started && ns < d->last_ns) ns = d->last_ns;
    if (!d->started) d->start_ns = ns;
    d->started = true;
    return d->last_ns = ns;
}

void tk_domain_set_origin(struct tk_domain *d, uint64_t count, uint64_t ns, enum tk_domain_origin_kind standing) {
    d->placed = true;
    d->standing = (uint8_t)standing;
    d->at = count;
    d->at_ns = ns < INT64_MAX ? ns : INT64_MAX;
}

// A comparison whose rate differs by more than this from the nominal rate is damaged.
enum { MOST_DRIFT = 100 }; // one part in MOST_DRIFT

static bool is_near(double measured, double nominal) {
    return measured > nominal * (1 - 1.0 / MOST_DRIFT) && measured < nominal * (1 + 1.0 / MOST_DRIFT);
}

void tk_domain_compare(struct tk_domain *d, uint64_t count, uint64_t ns) {
    if (!d->comparisons) {
        tk_domain_set_origin(d, count, ns, TK_DOMAIN_COMPARED);
        d->first_at = count;
        d->first_ns = d->at_ns;
        d->comparisons = 1;
        return;
    }
    if (count == d->first_at && ns == d->first_ns) return; // the same comparison again
    uint64_t counts = count - d->first_at, span = ns - d->first_ns;
    bool rises = count > d->first_at && ns > d->first_ns && count >= d->at;
    if (!rises || !is_near((double)span / (double)counts, (double)d->ns / d->per_counts)) {
        d->refused++;
        return;
    }
    while ((counts | span) >> 32) counts >>= 1, span >>= 1;
    tk_domain_set_origin(d, count, ns, TK_DOMAIN_COMPARED);
    d->slope_ns = span;
    d->slope_counts = counts;
    d->comparisons++;
}

double tk_domain_rate(const struct tk_domain *d) {
    return d->slope_counts ? (double)d->slope_ns / (double)d->slope_counts : (double)d->ns / d->per_counts;
}
