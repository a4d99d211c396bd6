// SPDX-License-Identifier: MIT
//
// Findings: rows that name a fault, its place and its remedy. Each rule of findings.def notes its occurrences here;
// occurrences with the same subject share a row. Memory is bounded: TK_FINDER_ROWS rows per rule.
#ifndef TK_ANALYSIS_FINDINGS_H
#define TK_ANALYSIS_FINDINGS_H

#include "../base/alloc.h"
#include "../model/tables/table.h"

struct tk_analysis;
struct tk_rtos;

enum tk_finder {
#define TK_FINDING_RULE(id, ...) TK_FINDER_##id,
#include "findings.def"
#undef TK_FINDING_RULE
    TK_FINDERS
};

enum tk_finding_severity { TK_FINDING_PROBLEM, TK_FINDING_CHECK, TK_FINDING_NOTE };

struct tk_finder_info {
    const char *id, *title, *threshold, *needs, *remedy;
    uint8_t severity; // enum tk_finding_severity
};
extern const struct tk_finder_info tk_finders[TK_FINDERS];
// Returns the name of a severity: "problem".
const char *tk_finding_severity_name(enum tk_finding_severity severity);

enum {
    TK_FINDER_ROWS = 16,                           // rows of one rule; further subjects are counted as omitted
    TK_FINDING_ROWS = TK_FINDERS * TK_FINDER_ROWS, // rows of a report
    TK_FINDING_PLACES = 8                          // places of a row: the longest ones, of equal ones the first
};

struct tk_finding_place {
    uint64_t at, length; // ticks; length 0: a moment
};

// What distinguishes the rows of a rule. Unused members are TK_NONE or 0.
struct tk_finding_subject {
    uint8_t rule;    // enum tk_finder
    uint32_t task;   // index; TK_NONE: none
    uint32_t entity; // of a queue, mutex or interrupt; TK_NONE: none
    uint64_t reason; // of a wait; 0: none
};

struct tk_finding {
    struct tk_finding_subject subject;
    uint32_t other, holder;  // entities that matter in the longest occurrence; TK_NONE: none
    uint64_t figure, second; // evidence of the rule; second 0: none
    uint64_t count;          // occurrences
    uint64_t total;          // ticks that they lasted together
    uint8_t place_count;
    struct tk_finding_place places[TK_FINDING_PLACES]; // the longest one first
};

struct tk_findings {
    struct tk_finding *rows[TK_FINDERS]; // [TK_FINDER_ROWS]; NULL: none yet
    uint8_t counts[TK_FINDERS];          // rows of each rule
    bool is_full[TK_FINDERS];            // a subject had no room
};

// Notes an occurrence. Returns its row; NULL if there is no room. *out_is_longest, unless NULL: whether it is the
// longest of the row so far.
struct tk_finding *tk_finding_note(struct tk_analysis *analysis, const struct tk_finding_subject *subject,
                                   struct tk_finding_place place, bool *out_is_longest);
void tk_findings_clear(struct tk_analysis *analysis);

// Writes the rows in the order of the report. Returns their number.
uint32_t tk_findings_in_order(const struct tk_analysis *analysis, const struct tk_rtos *rtos,
                              const struct tk_finding *out_rows[TK_FINDING_ROWS]);
// Returns why a rule was not examined, or only in part; NULL: it was.
const char *tk_finding_not_examined(const struct tk_analysis *analysis, enum tk_finder rule);

// ---- findings_text.c ----

struct tk_text;
// Append the name of the subject, and a sentence with the evidence. tick_ns: 0: durations are ticks.
void tk_finding_put_who(const struct tk_analysis *analysis, struct tk_text *text, const struct tk_finding *row);
void tk_finding_put_sentence(const struct tk_analysis *analysis, struct tk_text *text, const struct tk_finding *row,
                             uint64_t tick_ns);

// ---- findings_jobs.c: rules about tasks and their jobs ----

struct tk_fact_wait;
// The task begins a wait that is certain.
void tk_findings_wait_begins(struct tk_analysis *analysis, uint32_t task, const struct tk_fact_wait *wait);
// The task ends a certain wait for room that began at `since`.
void tk_findings_room(struct tk_analysis *analysis, uint32_t task, const struct tk_fact_wait *wait, uint64_t since,
                      uint64_t at);
void tk_findings_lost(struct tk_analysis *analysis);
// The recording ends: rules about the figures of all sections.
void tk_findings_end(struct tk_analysis *analysis);
// A section ends; the states of the tasks are still those at its end.
void tk_findings_section_ends(struct tk_analysis *analysis, uint64_t at);

// ---- findings_locks.c ----

// The task ends a certain wait for work during which it held the mutex.
void tk_findings_held(struct tk_analysis *analysis, uint32_t task, uint32_t mutex, uint64_t at);
// A section ends: tasks that wait for each other's locks until then.
void tk_findings_cycles(struct tk_analysis *analysis, uint64_t at);

// ---- findings_track.c ----

void tk_findings_draw(const struct tk_analysis *analysis, const struct tk_rtos *rtos);

#endif
