// SPDX-License-Identifier: MIT
#include "duration.h"

void tk_text_fixed(struct tk_text *text, uint64_t value, unsigned places) {
    uint64_t one = 1;
    for (unsigned i = 0; i < places; i++) one *= 10;
    tk_text_u64(text, value / one);
    tk_text_add(text, ".");
    tk_text_digits(text, value % one, 10, places);
}

static uint64_t rounded(uint64_t value, uint64_t unit) { return value / unit + (value % unit >= unit / 2); }

void tk_text_duration(struct tk_text *text, uint64_t value, uint64_t per_ns) {
    static const char *const names[] = { " fs", " ps", " ns", " us", " ms", " s" };
    enum { FS, PS, NS, SECONDS = 5 };
    uint64_t size = 1, next = 1000; // size: a thousandth of the chosen unit
    unsigned first = per_ns == 1 ? NS : per_ns == 1000 ? PS : FS, chosen = first;
    for (; chosen < SECONDS && value >= next; chosen++) size = next / 1000, next *= 1000;
    if (chosen == first) tk_text_u64(text, value);
    else tk_text_fixed(text, size > 1 ? rounded(value, size) : value, 3);
    tk_text_add(text, names[chosen]);
}
