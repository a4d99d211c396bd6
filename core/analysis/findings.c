// SPDX-License-Identifier: MIT
#include "findings.h"

#include <string.h>

#include "../base/sort.h"
#include "../model/trackers/rtos/rtos.h"
#include "internal.h"

const struct tk_finder_info tk_finders[TK_FINDERS] = {
#define TK_FINDING_RULE(id, name, severity, title, threshold, needs, remedy) \
    [TK_FINDER_##id] = { name, title, threshold, needs, remedy, TK_FINDING_##severity },
#include "findings.def"
#undef TK_FINDING_RULE
};

const char *tk_finding_severity_name(enum tk_finding_severity severity) {
    static const char *const names[] = {
        [TK_FINDING_PROBLEM] = "problem", [TK_FINDING_CHECK] = "check", [TK_FINDING_NOTE] = "note"
    };
    return names[severity];
}

// ---- Rows --------------------------------------------------------------------------------------

static bool is_same(const struct tk_finding_subject *a, const struct tk_finding_subject *b) {
    return a->task == b->task && a->entity == b->entity && a->reason == b->reason;
}

TK_COLD static struct tk_finding *add_row(struct tk_analysis *analysis, const struct tk_finding_subject *subject) {
    struct tk_findings *findings = &analysis->findings;
    unsigned rule = subject->rule;
    if (findings->counts[rule] == TK_FINDER_ROWS) {
        findings->is_full[rule] = true;
        return NULL;
    }
    if (!findings->rows[rule])
        findings->rows[rule] = tk_alloc_zero(analysis->alloc, TK_FINDER_ROWS * sizeof *findings->rows[rule]);
    if (!findings->rows[rule]) return NULL;
    struct tk_finding *row = &findings->rows[rule][findings->counts[rule]++];
    *row = (struct tk_finding){ .subject = *subject, .other = TK_NONE, .holder = TK_NONE };
    return row;
}

static struct tk_finding *row_of(struct tk_analysis *analysis, const struct tk_finding_subject *subject) {
    const struct tk_findings *findings = &analysis->findings;
    struct tk_finding *rows = findings->rows[subject->rule];
    for (unsigned i = 0; i < findings->counts[subject->rule]; i++)
        if (is_same(&rows[i].subject, subject)) return &rows[i];
    return add_row(analysis, subject);
}

// Returns true if the place is now the first, because none is longer.
static bool keep_place(struct tk_finding *row, struct tk_finding_place place) {
    unsigned at = row->place_count;
    while (at && row->places[at - 1].length < place.length) at--;
    if (at == TK_FINDING_PLACES) return false;
    unsigned moved = row->place_count - at - (row->place_count == TK_FINDING_PLACES);
    memmove(&row->places[at + 1], &row->places[at], moved * sizeof row->places[0]);
    row->places[at] = place;
    if (row->place_count < TK_FINDING_PLACES) row->place_count++;
    return at == 0;
}

struct tk_finding *tk_finding_note(struct tk_analysis *analysis, const struct tk_finding_subject *subject,
                                   struct tk_finding_place place, bool *out_is_longest) {
    if (out_is_longest) *out_is_longest = false;
    if (place.at < analysis->stats_from) return NULL; // it began before the time range of the figures
    struct tk_finding *row = row_of(analysis, subject);
    if (!row) return NULL;
    row->count++;
    row->total = place.length > UINT64_MAX - row->total ? UINT64_MAX : row->total + place.length;
    bool is_longest = keep_place(row, place);
    if (out_is_longest) *out_is_longest = is_longest;
    return row;
}

TK_COLD void tk_findings_clear(struct tk_analysis *analysis) {
    for (unsigned rule = 0; rule < TK_FINDERS; rule++) {
        analysis->findings.counts[rule] = 0;
        analysis->findings.is_full[rule] = false;
    }
    tk_findings_objects_clear(analysis);
}

// ---- Order -------------------------------------------------------------------------------------

static bool is_before(const void *ctx, const void *a, const void *b) {
    const struct tk_finding *x = *(const struct tk_finding *const *)a, *y = *(const struct tk_finding *const *)b;
    unsigned x_severity = tk_finders[x->subject.rule].severity, y_severity = tk_finders[y->subject.rule].severity;
    (void)ctx;
    if (x_severity != y_severity) return x_severity < y_severity;
    if (x->total != y->total) return x->total > y->total;
    if (x->subject.rule != y->subject.rule) return x->subject.rule < y->subject.rule;
    return x < y;
}

// These rules are for one core; the recording may show a second one late.
static bool is_void(const struct tk_analysis *analysis, enum tk_finder rule) {
    return (rule == TK_FINDER_LOWER_RAN || rule == TK_FINDER_OVERLOAD) && analysis->core_count > 1;
}

TK_COLD uint32_t tk_findings_in_order(const struct tk_analysis *analysis, const struct tk_rtos *rtos,
                                      const struct tk_finding *out_rows[TK_FINDING_ROWS]) {
    const struct tk_findings *findings = &analysis->findings;
    uint32_t count = 0;
    for (unsigned rule = 0; rule < TK_FINDERS; rule++)
        for (unsigned i = 0; i < findings->counts[rule]; i++) {
            const struct tk_finding *row = &findings->rows[rule][i];
            if (is_void(analysis, (enum tk_finder)rule)) continue;
            bool is_real = row->subject.task == TK_NONE || !tk_rtos_is_uncertain_task(rtos, row->subject.task);
            if (is_real) out_rows[count++] = row;
        }
    tk_sort(out_rows, count, sizeof out_rows[0], is_before, NULL);
    return count;
}
