// SPDX-License-Identifier: MIT
#include "time_basis.h"

#include <string.h>

const char *const tk_time_certainty_keys[TK_TIME_CERTAINTIES] = { "measured",   "rate_assumed", "spacing_assumed",
                                                                  "order_only", "rate_unknown", "turns_unknown",
                                                                  "all_equal" };

const char *tk_time_certainty_text(uint8_t certainty) {
    static const char *const texts[TK_TIME_CERTAINTIES] = {
        "",
        "The rate of the clock is assumed: durations and times are right only if the rate is.",
        "The recording has no times: durations and times follow from an assumed distance between records.",
        "The recording has no times: durations and times count records.",
        "The rate of the clock is unknown: durations and times are counts of that clock.",
        "The clock is narrow and may have wrapped several times between two records: durations and times may be too "
        "short.",
        "All events have the same time, because the clock does not count or the times are damaged: no duration is "
        "measured.",
    };
    return certainty < TK_TIME_CERTAINTIES ? texts[certainty] : "";
}

const char *tk_time_certainty_title(uint8_t certainty) {
    return certainty == TK_TIME_RATE_ASSUMED    ? "assumed clock rate"
           : certainty == TK_TIME_RATE_UNKNOWN  ? "unknown clock rate"
           : certainty == TK_TIME_TURNS_UNKNOWN ? "narrow clock with an unknown number of wraps"
           : certainty == TK_TIME_ALL_EQUAL     ? "all events have the same time"
                                                : "";
}

uint64_t tk_time_units_per_ns(const char *unit) {
    return !strcmp(unit, "ns") ? 1 : !strcmp(unit, "ps") ? 1000 : !strcmp(unit, "fs") ? 1000000 : 0;
}

void tk_time_put_seconds(struct tk_text *text, uint64_t units, uint64_t units_per_ns) {
    uint64_t second = units_per_ns * 1000000000;
    tk_text_u64(text, units / second);
    tk_text_add(text, ".");
    tk_text_digits(text, units % second, 10, units_per_ns == 1 ? 9 : units_per_ns == 1000 ? 12 : 15);
}
