// SPDX-License-Identifier: MIT
#include "records.h"

#include <string.h>

enum { MORE_FLAGS = 1 };

static const uint8_t dump_flag[] = { [CM_FLAGS_NEW] = 2, [CM_FLAGS_OLD] = 1 },
                     log_flag[] = { [CM_FLAGS_NEW] = 4, [CM_FLAGS_OLD] = 2 };

enum reply { NO, YES, UNKNOWN }; // UNKNOWN: more bytes are needed

static uint8_t group_at(const uint8_t *at) { return (uint8_t)((at[0] & 1) << 7 | at[1] >> 1); }

// Returns the length of the header; 0: too many groups of flags. *enough: the header is complete.
static size_t header_len(const uint8_t *at, size_t left, enum cm_numbering numbering, bool *enough) {
    size_t groups = 1;
    *enough = left >= 2;
    if (numbering == CM_FLAGS_OLD) return 2;
    while (*enough && group_at(at + groups - 1) & MORE_FLAGS) {
        if (++groups > CM_MAX_GROUPS) return 0;
        *enough = left >= groups + 1;
    }
    return groups + 1;
}

static enum reply with_data(const uint8_t *at, size_t left, size_t before, struct cm_record *out) {
    if (left < before) return UNKNOWN;
    out->data_len = (uint32_t)at[before - 2] << 8 | at[before - 1];
    out->data = at + before;
    out->size = (uint32_t)before + out->data_len;
    return left < out->size ? UNKNOWN : YES;
}

// Reads a record with flags without checking that it is plausible. at[0] is a sync byte with flags.
static enum reply read_flagged(const uint8_t *at, size_t left, enum cm_numbering numbering, struct cm_record *out) {
    bool enough;
    size_t header = header_len(at, left, numbering, &enough);
    if (!header) return NO;
    if (!enough) return UNKNOWN;
    uint8_t flags = group_at(at);
    if (flags & dump_flag[numbering]) {
        out->kind = CM_DUMP;
        if (left >= header + 4) out->address = cm_u32(at + header);
        return with_data(at, left, header + 6, out);
    }
    if (flags & log_flag[numbering]) {
        out->kind = CM_LOG;
        return with_data(at, left, header + 2, out);
    }
    out->size = (uint32_t)header + 9;
    if (left < out->size) return UNKNOWN;
    cm_read_function(at + header, at[header - 1], out);
    return YES;
}

// Returns YES if a record or the end of the input follows at `end`.
static enum reply is_confirmed(const struct cm_window *window, size_t end) {
    if (end < window->len) return cm_is_sync(window->bytes[end]) ? YES : NO;
    return window->ended ? YES : UNKNOWN;
}

static enum cm_verdict need_more(const struct cm_window *window) { return window->ended ? CM_SKIPPED : CM_MORE; }

// ---- Records of an interrupt inside another one ----

static bool read_plausible(const uint8_t *at, struct cm_record *out) {
    if ((at[0] & 0xFE) != 0xC0) return false;
    cm_read_function(at + 1, at[0], out);
    out->size = CM_FUNCTION_LEN;
    return cm_is_plausible(out);
}

static bool split_at(const uint8_t *at, size_t k, struct cm_record out[2]) {
    uint8_t outer[CM_FUNCTION_LEN];
    memcpy(outer, at, k);
    memcpy(outer + k, at + k + CM_FUNCTION_LEN, CM_FUNCTION_LEN - k);
    return read_plausible(at + k, &out[1]) && read_plausible(outer, &out[0]) && out[1].vector &&
           out[1].vector != out[0].vector;
}

static enum reply is_split(const struct cm_window *window, size_t at, struct cm_record out[2]) {
    enum { BOTH = 2 * CM_FUNCTION_LEN };
    if (window->len - at < BOTH) return window->ended ? NO : UNKNOWN;
    enum reply confirmed = is_confirmed(window, at + BOTH);
    if (confirmed != YES) return confirmed;
    for (size_t k = 1; k < CM_FUNCTION_LEN; k++)
        if (split_at(window->bytes + at, k, out)) return YES;
    return NO;
}

// ---- Judgement ----

// Returns true if the record needs no confirmation by the next one. A trace point reads an even PC; a hook of the
// compiler sends an odd one, whose record must be confirmed.
static bool stands_alone(const struct cm_record *record) { return cm_is_plausible(record) && !(record->pc & 1); }

static enum cm_verdict check_function_record(const struct cm_window *window, size_t at, struct cm_record out[2]) {
    if (window->len - at < CM_FUNCTION_LEN) return need_more(window);
    struct cm_record whole;
    bool plausible = read_plausible(window->bytes + at, &whole);
    enum reply confirmed = is_confirmed(window, at + CM_FUNCTION_LEN), split = NO;
    if (confirmed == NO) split = is_split(window, at, out);
    if (confirmed == UNKNOWN || split == UNKNOWN) return CM_MORE;
    if (split == YES) return CM_SPLIT;
    out[0] = whole;
    return plausible && (confirmed == YES || stands_alone(&whole)) ? CM_ACCEPTED : CM_SKIPPED;
}

static enum cm_verdict check_flagged_record(const struct cm_window *window, size_t at, enum cm_numbering numbering,
                                            struct cm_record *out) {
    enum reply read = read_flagged(window->bytes + at, window->len - at, numbering, out);
    if (read == NO) return CM_SKIPPED;
    if (read == UNKNOWN) return need_more(window);
    enum reply confirmed = is_confirmed(window, at + out->size);
    if (confirmed == UNKNOWN) return CM_MORE;
    bool good = confirmed == YES;
    if (out->kind == CM_FUNCTION) good = good ? cm_is_plausible(out) : stands_alone(out);
    return good ? CM_ACCEPTED : CM_SKIPPED;
}

// ---- Which numbering ----

// Returns how many of the following bytes belong to no record in this numbering of the flags.
static size_t skipped_under(const struct cm_window *window, size_t at, enum cm_numbering numbering) {
    size_t left = window->len - at, skipped = 0;
    struct cm_window probe_window = { window->bytes + at, left < CM_DECISION_LEN ? left : CM_DECISION_LEN,
                                      window->ended && left <= CM_DECISION_LEN };
    struct cm_record out[2];
    for (size_t here = 0; here < probe_window.len;) {
        enum cm_verdict verdict = cm_next(&probe_window, here, &numbering, out);
        if (verdict == CM_MORE) break;
        skipped += verdict == CM_SKIPPED;
        here += verdict == CM_SKIPPED ? 1 : verdict == CM_SPLIT ? 2 * CM_FUNCTION_LEN : out[0].size;
    }
    return skipped;
}

// Decides for the numbering under which fewer of the following bytes are skipped, because the record fits both.
static enum cm_verdict decide_by_rest(const struct cm_window *window, size_t at, enum cm_numbering *numbering,
                                      struct cm_record *out) {
    if (!window->ended && window->len - at < CM_DECISION_LEN) return CM_MORE;
    bool is_old = skipped_under(window, at, CM_FLAGS_OLD) < skipped_under(window, at, CM_FLAGS_NEW);
    *numbering = is_old ? CM_FLAGS_OLD : CM_FLAGS_NEW;
    return check_flagged_record(window, at, *numbering, out);
}

static enum cm_verdict try_both(const struct cm_window *window, size_t at, enum cm_numbering *numbering,
                                struct cm_record *out) {
    struct cm_record old;
    enum cm_verdict as_old = check_flagged_record(window, at, CM_FLAGS_OLD, &old),
                    as_new = check_flagged_record(window, at, CM_FLAGS_NEW, out);
    if (as_old == CM_MORE || as_new == CM_MORE) return CM_MORE;
    if (as_old == CM_ACCEPTED && as_new == CM_ACCEPTED) return decide_by_rest(window, at, numbering, out);
    if (as_new == CM_ACCEPTED) *numbering = CM_FLAGS_NEW;
    if (as_old != CM_ACCEPTED) return as_new;
    *numbering = CM_FLAGS_OLD;
    *out = old;
    return CM_ACCEPTED;
}

// Decides the numbering of the flags with the first acceptable record that has flags; some flags exist in one numbering
// only.
static enum cm_verdict check_undecided_numbering(const struct cm_window *window, size_t at,
                                                 enum cm_numbering *numbering, struct cm_record *out) {
    enum { ONLY_NEW = 0x08, ONLY_OLD = 0x02 };
    if (window->len - at < 2) return need_more(window);
    uint8_t byte = window->bytes[at + 1];
    bool top = window->bytes[at] & 1;
    if (!top && !byte) return check_flagged_record(window, at, CM_FLAGS_NEW, out); // no flag is set
    if (top || (byte != ONLY_NEW && byte != ONLY_OLD)) return try_both(window, at, numbering, out);
    enum cm_numbering only = byte == ONLY_NEW ? CM_FLAGS_NEW : CM_FLAGS_OLD;
    enum cm_verdict verdict = check_flagged_record(window, at, only, out);
    if (verdict == CM_ACCEPTED) *numbering = only;
    return verdict;
}

enum cm_verdict cm_next(const struct cm_window *window, size_t at, enum cm_numbering *numbering,
                        struct cm_record out[2]) {
    uint8_t first = window->bytes[at];
    if (!cm_is_sync(first)) return CM_SKIPPED;
    if (!(first & 2)) return check_function_record(window, at, out);
    return *numbering == CM_FLAGS_OPEN ? check_undecided_numbering(window, at, numbering, out)
                                       : check_flagged_record(window, at, *numbering, out);
}
