// SPDX-License-Identifier: MIT
#include "glob.h"

// After a mismatch only the last `*` needs to match one more character; longer matches of earlier ones cannot help.
static bool matches(const char *pattern, size_t pattern_len, const char *text, size_t len) {
    size_t at = 0, star = pattern_len, from = 0;
    for (size_t i = 0; i < len;) {
        if (at < pattern_len && pattern[at] == '*') {
            star = at++;
            from = i;
        } else if (at < pattern_len && (pattern[at] == '?' || pattern[at] == text[i])) {
            at++;
            i++;
        } else if (star < pattern_len) {
            at = star + 1;
            i = ++from;
        } else {
            return false;
        }
    }
    while (at < pattern_len && pattern[at] == '*') at++;
    return at == pattern_len;
}

bool tk_glob_matches(const char *patterns, size_t patterns_len, const char *text, size_t len) {
    for (size_t at = 0, end; at < patterns_len; at = end + 1) {
        size_t last;
        for (end = at; end < patterns_len && patterns[end] != ',';) end++;
        while (at < end && patterns[at] == ' ') at++;
        for (last = end; last > at && patterns[last - 1] == ' ';) last--;
        if (last > at && matches(patterns + at, last - at, text, len)) return true;
    }
    return false;
}
