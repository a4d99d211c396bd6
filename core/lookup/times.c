// SPDX-License-Identifier: MIT
#include "times.h"

#include <string.h>

// Reads a decimal number. Returns NULL if it does not fit.
static const char *read_number(const char *at, const char *end, uint64_t *out) {
    const char *start = at;
    uint64_t value = 0;
    for (; at < end && *at >= '0' && *at <= '9'; at++) {
        if (value > (UINT64_MAX - 9) / 10) return NULL;
        value = value * 10 + (uint64_t)(*at - '0');
    }
    *out = value;
    return at > start ? at : NULL;
}

static const char *skip_blanks(const char *at, const char *end) {
    while (at < end && (*at == ' ' || *at == '\t' || *at == '\r')) at++;
    return at;
}

enum line { EMPTY, MOMENT, NONSENSE };

static enum line read_line(const char *line, size_t len, struct tk_reception_time *out) {
    const char *end = line + len, *at = skip_blanks(line, end);
    if (at == end || *at == '#') return EMPTY;
    at = read_number(at, end, &out->offset);
    if (at) at = read_number(skip_blanks(at, end), end, &out->ns);
    return at && skip_blanks(at, end) == end ? MOMENT : NONSENSE;
}

bool tk_times_is_text(const uint8_t *head, size_t len) {
    static const char mark[] = "# cortexm-times";
    const char *text = (const char *)head;
    struct tk_reception_time before = { 0 }, now;
    size_t entries = 0;
    if (len >= sizeof mark - 1 && !memcmp(text, mark, sizeof mark - 1)) return true;
    for (size_t from = 0, end; from < len && entries < 64; from = end + 1) {
        const char *newline = memchr(text + from, '\n', len - from);
        if (!newline) break; // cut
        end = (size_t)(newline - text);
        enum line line = read_line(text + from, end - from, &now);
        if (line == NONSENSE || (line == MOMENT && entries && (now.offset <= before.offset || now.ns < before.ns)))
            return false;
        if (line == MOMENT) entries++, before = now;
    }
    return entries >= 3 && before.ns > before.offset; // two columns of rising numbers are not enough
}

// Makes room: drops the moments before the last look-up, or every second moment.
static void drop_old_times(struct tk_times *times) {
    uint32_t kept = 0;
    if (times->at > times->count / 2) {
        times->count -= times->at;
        memmove(times->entries, times->entries + times->at, times->count * sizeof *times->entries);
        times->at = 0;
        return;
    }
    for (uint32_t i = 0; i < times->count; i += 2) times->entries[kept++] = times->entries[i];
    times->count = kept;
    times->at /= 2;
}

void tk_times_add(struct tk_times *times, struct tk_alloc *alloc, uint64_t offset, uint64_t ns) {
    const struct tk_reception_time *last = times->count ? &times->entries[times->count - 1] : NULL;
    if (last && (offset <= last->offset || ns < last->ns)) {
        times->refused++;
        return;
    }
    if (times->count == TK_TIMES_MAX) drop_old_times(times);
    if (!tk_alloc_grow(alloc, (void **)&times->entries, &times->capacity, times->count + 1, sizeof *times->entries))
        return;
    times->entries[times->count++] = (struct tk_reception_time){ offset, ns };
}

void tk_times_end(struct tk_times *times, struct tk_alloc *alloc) {
    struct tk_reception_time moment;
    enum line line =
        times->line_too_long && times->line[0] != '#' ? NONSENSE : read_line(times->line, times->line_len, &moment);
    if (line == MOMENT) tk_times_add(times, alloc, moment.offset, moment.ns);
    times->refused += line == NONSENSE;
    times->line_len = 0;
    times->line_too_long = false;
}

void tk_times_read(struct tk_times *times, struct tk_alloc *alloc, const uint8_t *bytes, size_t len) {
    for (size_t i = 0; i < len; i++) {
        if (bytes[i] == '\n') tk_times_end(times, alloc);
        else if (times->line_len < TK_TIMES_LINE) times->line[times->line_len++] = (char)bytes[i];
        else times->line_too_long = true;
    }
}

// Returns a * b / c for b < c: exact, or exact enough if the moments are more than 4 GiB apart.
static uint64_t scale(uint64_t a, uint64_t b, uint64_t c) {
    uint64_t whole = a / c * b, rest = a % c;
    for (; b && rest > UINT64_MAX / b; c >>= 1) b >>= 1;
    return whole + rest * b / c;
}

uint64_t tk_times_of(struct tk_times *times, uint64_t offset) {
    while (times->at + 1 < times->count && times->entries[times->at + 1].offset <= offset) times->at++;
    const struct tk_reception_time *from = &times->entries[times->at];
    if (offset <= from->offset || times->at + 1 == times->count) return from->ns;
    const struct tk_reception_time *to = from + 1;
    return from->ns + scale(to->ns - from->ns, offset - from->offset, to->offset - from->offset);
}
