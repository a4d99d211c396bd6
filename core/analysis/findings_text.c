// SPDX-License-Identifier: MIT
//
// Words and tables of findings.
#include "../base/duration.h"
#include "../model/tables/columns.h"
#include "../model/timeline/names.h"
#include "../model/trackers/rtos/rtos.h"
#include "findings.h"
#include "internal.h"

// Text about one row. tick_ns: 0: durations are ticks.
struct words {
    struct tk_text *text;
    const struct tk_analysis *analysis;
    uint64_t tick_ns;
};

enum { SENTENCE = 3 * TK_DISPLAY_LEN + 256 };

static void add(const struct words *words, const char *text) { tk_text_add(words->text, text); }
static void add_count(const struct words *words, uint64_t count, const char *plural) {
    tk_text_count(words->text, count, plural);
}

static void add_length(const struct words *words, uint64_t ticks) {
    uint64_t tick_ns = words->tick_ns;
    if (!tick_ns) tk_text_count(words->text, ticks, "ticks");
    else tk_text_duration(words->text, ticks > UINT64_MAX / tick_ns ? UINT64_MAX : ticks * tick_ns, 1);
}

static void add_entity(const struct words *words, uint32_t entity) {
    if (entity == TK_NONE) add(words, "unknown");
    else tk_names_put(words->analysis->names, entity, words->text);
}

static void add_task(const struct words *words, uint32_t index) {
    add_entity(words, words->analysis->tasks[index].entity);
}

static void add_reason(const struct words *words, uint64_t reason) {
    tk_analysis_put_reason(words->analysis, words->text, reason);
}

// ---- Names and sentences -----------------------------------------------------------------------

void tk_finding_put_who(const struct tk_analysis *analysis, struct tk_text *text, const struct tk_finding *row) {
    const struct words words = { text, analysis, 0 };
    const struct tk_finding_subject *subject = &row->subject;
    uint32_t begin = text->len;
    if (subject->task != TK_NONE) add_task(&words, subject->task);
    if (subject->task != TK_NONE && (subject->entity != TK_NONE || subject->reason)) add(&words, " / ");
    if (subject->entity != TK_NONE) add_entity(&words, subject->entity);
    else if (subject->reason) add_reason(&words, subject->reason);
    if (text->len == begin) add(&words, subject->rule == TK_FINDER_OVERLOAD ? "core 0" : "recording");
}

static void add_longest(const struct words *words, const struct tk_finding *row) {
    add(words, row->count > 1 ? ", longest " : ", ");
    add_length(words, row->places[0].length);
}

static void put_recording(const struct words *words, const struct tk_finding *row) {
    uint64_t lost = 0, all = 0;
    for (uint32_t i = 0; i < words->analysis->task_count; i++) {
        const uint64_t *counts = words->analysis->tasks[i].counts;
        lost += counts[TK_JOB_LOST];
        all += counts[TK_JOB_LOST] + counts[TK_JOB_MEASURED] + counts[TK_JOB_SUSPENDED] + counts[TK_JOB_DELETED];
    }
    add(words, "Events are missing or damaged in ");
    add_count(words, row->count, "places");
    if (all) {
        add(words, "; ");
        tk_text_u64(words->text, lost);
        add(words, " of ");
        add_count(words, all, "jobs");
        add(words, " could not be measured because of it");
    }
    add(words, ".");
}

static void put_inversion(const struct words *words, const struct tk_finding *row) {
    add_entity(words, row->other);
    add(words, " ran while the task waited and ");
    add_entity(words, row->holder);
    add(words, ", which held the lock, was ready: in ");
    add_count(words, row->count, "waits");
    add(words, ", together ");
    add_length(words, row->total);
    add(words, " of ");
    add_length(words, row->figure);
    add_longest(words, row);
    add(words, ".");
}

static void put_lock_held(const struct words *words, const struct tk_finding *row) {
    add(words, "The task waited ");
    add_count(words, row->count, "times");
    add(words, " while it held the lock");
    add_longest(words, row);
    if (row->other != TK_NONE) {
        add(words, "; meanwhile ");
        add_entity(words, row->other);
        add(words, " waited for the lock up to ");
        add_length(words, row->figure);
    }
    add(words, ".");
}

static void put_lock_cycle(const struct words *words, const struct tk_finding *row) {
    add_count(words, row->figure, "tasks");
    add(words, " wait for each other's locks until the end: this one for ");
    add_entity(words, row->other);
    add(words, ", since ");
    add_length(words, row->places[0].length);
    add(words, " before the end.");
}

static void put_lower_ran(const struct words *words, const struct tk_finding *row) {
    add_entity(words, row->other);
    add(words, " ran although this task was ready and has a higher priority: ");
    add_count(words, row->count, "times");
    add_longest(words, row);
    add(words, ".");
}

static void put_overrun(const struct words *words, const struct tk_finding *row) {
    const struct tk_wake_ticks *wake = words->analysis->tasks[row->subject.task].wake;
    add(words, "The task missed ");
    add_count(words, row->figure, "wake-ups");
    if (wake && wake->period) {
        add(words, " of its period of ");
        add_count(words, wake->period, "kernel ticks");
    }
    add(words, ": ");
    add_count(words, row->count, "times");
    add(words, row->count > 1 ? ", longest from delay to delay " : ", from delay to delay ");
    add_length(words, row->places[0].length);
    add(words, ".");
}

static void put_queue_full(const struct words *words, const struct tk_finding *row) {
    add(words, "Senders waited for room ");
    add_count(words, row->count, "times");
    add(words, ", together ");
    add_length(words, row->total);
    add_longest(words, row);
    add(words, " by ");
    add_entity(words, row->other);
    add(words, ".");
}

static void put_starvation(const struct words *words, const struct tk_finding *row) {
    const struct tk_job_statistics *figures = words->analysis->tasks[row->subject.task].figures;
    add(words, "The task was ready for ");
    add_length(words, row->places[0].length);
    add(words, " before or within one job; ");
    const struct tk_measure *period = &figures->period;
    if (period->histogram) {
        add(words, "its median period is ");
        add_length(words, tk_measure_at(period, tk_percentile_rank(period->durations.measured, 50)));
        add(words, ", ");
    }
    add(words, "its largest response time ");
    add_length(words, figures->response.durations.max);
    add(words, ".");
}

static void put_jitter(const struct words *words, const struct tk_finding *row) {
    add_count(words, row->count, "periods");
    add(words, row->count > 1 ? " are longer than the median of " : " is longer than the median of ");
    add_length(words, row->figure);
    add(words, row->count > 1 ? ", the longest " : ": ");
    add_length(words, row->places[0].length);
    add(words, ".");
}

static void put_never_ran(const struct words *words, const struct tk_finding *row) {
    add(words, "The task was created and made ready, and did not run in the ");
    add_length(words, row->places[0].length);
    add(words, " until the end.");
}

static void put_send_refused(const struct words *words, const struct tk_finding *row) {
    add(words, "An item could not be sent ");
    add_count(words, row->count, "times");
    add(words, row->count > 1 ? ", first by " : ", by ");
    if (row->other == TK_NONE) add(words, "an unknown sender");
    else add_entity(words, row->other);
    add(words, ".");
}

static void put_given_again(const struct words *words, const struct tk_finding *row) {
    add(words, "The semaphore was given again ");
    add_count(words, row->count, "times");
    add(words, " while it was given already.");
}

static void put_stack(const struct words *words, const struct tk_finding *row) {
    add(words, "Only ");
    if (row->second) tk_text_u64(words->text, row->figure), add(words, " of ");
    add_count(words, row->second ? row->second : row->figure, "words");
    add(words, " of its stack were never used, as the target measured ");
    add_count(words, row->count, "times");
    add(words, ".");
}

static void put_storm(const struct words *words, const struct tk_finding *row) {
    if (row->second) {
        add(words, "The interrupt, with those that interrupted it, took up to ");
        tk_text_u64(words->text, row->second);
        add(words, " % of " TK_FINDING_TEXT(TK_STORM_MS) " ms.");
        return;
    }
    add(words, "The interrupt came " TK_FINDING_TEXT(TK_STORM_ENTERS) " times within ");
    add_length(words, row->places[0].length);
    add(words, "; in the mean it comes every ");
    add_length(words, row->figure);
    add(words, ".");
}

static void put_heap_trend(const struct words *words, const struct tk_finding *row) {
    add(words, "The least level rose in each eighth of the recording, together by ");
    add_count(words, row->figure, "bytes");
    add(words, ".");
}

static void put_overload(const struct words *words, const struct tk_finding *row) {
    add(words, "The core was busy for up to ");
    tk_text_u64(words->text, row->figure);
    add(words, " % of " TK_FINDING_TEXT(TK_OVERLOAD_SHORT_MS) " or " TK_FINDING_TEXT(TK_OVERLOAD_LONG_MS) " ms: ");
    add_count(words, row->count, "times");
    add_longest(words, row);
    add(words, ", together ");
    add_length(words, row->total);
    add(words, ".");
}

static void put_polling(const struct words *words, const struct tk_finding *row) {
    add(words, "In ");
    add_count(words, row->count, "jobs");
    add(words, " the task tried to receive " TK_FINDING_TEXT(TK_POLLS) " times or more in vain without waiting.");
}

void tk_finding_put_sentence(const struct tk_analysis *analysis, struct tk_text *text, const struct tk_finding *row,
                             uint64_t tick_ns) {
    static void (*const put[TK_FINDERS])(const struct words *words, const struct tk_finding *row) = {
        [TK_FINDER_SEND_REFUSED] = put_send_refused,
        [TK_FINDER_GIVEN_AGAIN] = put_given_again,
        [TK_FINDER_STACK] = put_stack,
        [TK_FINDER_STORM] = put_storm,
        [TK_FINDER_HEAP_TREND] = put_heap_trend,
        [TK_FINDER_POLLING] = put_polling,
        [TK_FINDER_OVERLOAD] = put_overload,
        [TK_FINDER_LOCK_HELD] = put_lock_held,
        [TK_FINDER_LOCK_CYCLE] = put_lock_cycle,
        [TK_FINDER_INVERSION] = put_inversion,
        [TK_FINDER_LOWER_RAN] = put_lower_ran,
        [TK_FINDER_RECORDING] = put_recording,
        [TK_FINDER_OVERRUN] = put_overrun,
        [TK_FINDER_QUEUE_FULL] = put_queue_full,
        [TK_FINDER_STARVATION] = put_starvation,
        [TK_FINDER_JITTER] = put_jitter,
        [TK_FINDER_NEVER_RAN] = put_never_ran,
    };
    const struct words words = { text, analysis, tick_ns };
    put[row->subject.rule](&words, row);
}

// ---- Rules that were not examined --------------------------------------------------------------

// Returns true if a task has so many jobs with periods that the rules about them apply.
static bool has_periods(const struct tk_analysis *analysis) {
    for (uint32_t i = 0; i < analysis->task_count; i++)
        if (analysis->tasks[i].figures && analysis->tasks[i].figures->period.durations.measured >= TK_LEAST_JOBS)
            return true;
    return false;
}

static bool has_wake_ticks(const struct tk_analysis *analysis) {
    for (uint32_t i = 0; i < analysis->task_count; i++)
        if (analysis->tasks[i].wake && analysis->tasks[i].wake->all >= TK_LEAST_DELAYS) return true;
    return false;
}

static bool has_interrupts(const struct tk_analysis *analysis) {
    for (uint32_t i = 0; i < analysis->isr_count; i++)
        if (analysis->isrs[i].count >= TK_STORM_LEAST) return true;
    return false;
}

static bool has_frees(const struct tk_analysis *analysis) {
    for (uint32_t i = 0; i < analysis->heap_count; i++)
        if (analysis->heaps[i].epoch == analysis->epoch && analysis->heaps[i].frees >= TK_LEAST_FREES) return true;
    return false;
}

static const char *why_not_examined(const struct tk_analysis *analysis, enum tk_finder rule) {
    if (analysis->findings.is_full[rule]) return "only in part: the rule found more rows than the report can list";
    const struct tk_priorities *priorities = &analysis->priorities;
    switch (rule) {
    case TK_FINDER_INVERSION:
        if (!priorities->is_used) return "priorities of tasks are not recorded";
        if (!analysis->has_locks) return "no lock is recorded";
        if (priorities->is_unknown) return "only in part: the priority of a task was unknown, for example after a loss";
        return priorities->is_crowded ? "only in part: too many tasks waited for locks at the same time" : NULL;
    case TK_FINDER_LOWER_RAN:
        if (!priorities->is_used) return "priorities of tasks are not recorded";
        if (analysis->core_count > 1) return "several cores: on which of them a task may run is not recorded";
        return tk_analysis_ticks_of_ms(analysis, 1) ? NULL : "the length of a tick is unknown";
    case TK_FINDER_OVERRUN:
        return has_wake_ticks(analysis)
                   ? NULL
                   : "no task has " TK_FINDING_TEXT(TK_LEAST_DELAYS) " delays until a tick without a loss";
    case TK_FINDER_STARVATION:
    case TK_FINDER_JITTER:
        return has_periods(analysis) ? NULL : "no task has " TK_FINDING_TEXT(TK_LEAST_JOBS) " measured periods";
    case TK_FINDER_OVERLOAD:
        if (!analysis->has_idle) return "no idle task is known, and no time without a running task";
        if (analysis->core_count > 1) return "several cores";
        return tk_analysis_ticks_of_ms(analysis, 1) ? NULL : "the length of a tick is unknown";
    case TK_FINDER_STACK: return analysis->has_stacks ? NULL : "free space of stacks is not recorded";
    case TK_FINDER_HEAP_TREND:
        if (!analysis->heap_count) return "the use of heaps is not recorded";
        return has_frees(analysis) ? NULL : "no heap has " TK_FINDING_TEXT(TK_LEAST_FREES) " frees without a loss";
    case TK_FINDER_SEND_REFUSED:
        return analysis->records_failures || analysis->records_posts ? NULL : "operations that failed are not recorded";
    case TK_FINDER_QUEUE_FULL: return analysis->has_object_waits ? NULL : "no wait for a queue is recorded";
    case TK_FINDER_GIVEN_AGAIN:
    case TK_FINDER_POLLING: return analysis->records_failures ? NULL : "operations that failed are not recorded";
    case TK_FINDER_LOCK_HELD:
    case TK_FINDER_LOCK_CYCLE: return analysis->has_locks ? NULL : "no lock is recorded";
    case TK_FINDER_STORM:
        if (!has_interrupts(analysis)) return "no interrupt was recorded " TK_FINDING_TEXT(TK_STORM_LEAST) " times";
        if (analysis->has_further_isrs) return "only in part: too many interrupts";
        return tk_analysis_ticks_of_ms(analysis, 1) ? NULL : "the length of a tick is unknown";
    case TK_FINDER_NEVER_RAN:
        if (!analysis->has_creations) return "the creation of tasks is not recorded";
        return tk_analysis_ticks_of_ms(analysis, 1) ? NULL : "the length of a tick is unknown";
    default: return NULL;
    }
}

const char *tk_finding_not_examined(const struct tk_analysis *analysis, enum tk_finder rule) {
    const char *why = why_not_examined(analysis, rule);
    bool has_losses = rule != TK_FINDER_RECORDING && analysis->findings.counts[TK_FINDER_RECORDING];
    return !why && has_losses ? "only in part: events are missing or damaged" : why;
}

// ---- Tables ------------------------------------------------------------------------------------

static void put_text(const struct tk_table_sink *sink, const struct tk_text *text) {
    tk_cell_text(sink, text->text, text->len);
}

static void put_who(const struct tk_analysis *analysis, const struct tk_table_sink *sink,
                    const struct tk_finding *row) {
    char room[SENTENCE];
    struct tk_text text = tk_text_in(room, sizeof room);
    tk_finding_put_who(analysis, &text, row);
    put_text(sink, &text);
}

static void put_row(const struct tk_analysis *analysis, const struct tk_table_sink *sink,
                    const struct tk_finding *row) {
    const struct tk_finder_info *rule = &tk_finders[row->subject.rule];
    char room[SENTENCE];
    struct tk_text sentence = tk_text_in(room, sizeof room);
    bool has_length = row->places[0].length > 0;
    tk_cell_word(sink, rule->id);
    tk_cell_word(sink, tk_finding_severity_name((enum tk_finding_severity)rule->severity));
    tk_cell_word(sink, rule->title);
    put_who(analysis, sink, row);
    tk_finding_put_sentence(analysis, &sentence, row, sink->tick_ns);
    put_text(sink, &sentence);
    tk_cell_uint(sink, row->count);
    tk_cell_ticks_if(sink, has_length, row->total);
    tk_cell_ticks_if(sink, has_length, row->places[0].length);
    tk_cell_ticks_if(sink, row->place_count > 0, row->places[0].at);
    tk_cell_word(sink, rule->remedy);
}

static const struct tk_column findings_columns[] = {
    NAME("rule", "Rule"),
    TEXT("severity", "Severity"),
    TEXT("title", "Finding"),
    KEY("who", "Who", TK_COLUMN_TEXT),
    TEXT("text", "Evidence"),
    COUNT("count", "Times", TK_ROLE_VALUE),
    SPAN("total", "In all", TK_FOLD_NONE),
    SPAN("longest", "Longest", TK_FOLD_NONE),
    MOMENT("at"),
    TEXT("remedy", "Remedy"),
};
static const struct tk_table findings_table = {
    "findings",
    "Findings",
    TK_TABLE_COLUMNS(findings_columns),
    TK_TABLE_LIST,
    NULL,
    "Faults that the rules of the analysis found, the most severe and costly first. docs/FINDINGS.md defines the rules."
};

static const struct tk_column finding_places_columns[] = {
    NAME("rule", "Rule"),
    KEY("who", "Who", TK_COLUMN_TEXT),
    SPAN("length", "Length", TK_FOLD_NONE),
    MOMENT("at"),
};
static const struct tk_table finding_places_table = {
    "finding_places",
    "Places of findings",
    TK_TABLE_COLUMNS(finding_places_columns),
    TK_TABLE_DETAILS,
    NULL,
    "Up to 8 places of each finding, the longest first, in the order of the table findings."
};

static const struct tk_column not_examined_columns[] = {
    NAME("rule", "Rule"),
    TEXT("title", "Finding"),
    TEXT("reason", "Reason"),
};
static const struct tk_table not_examined_table = {
    "not_examined",
    "Not examined",
    TK_TABLE_COLUMNS(not_examined_columns),
    TK_TABLE_LIST,
    NULL,
    "Rules that were not examined, or only in part, with the reason: no finding of them proves nothing."
};

const struct tk_table *const tk_findings_table_list[] = { &findings_table, &finding_places_table, &not_examined_table,
                                                          NULL };

static void put_places(const struct tk_analysis *analysis, const struct tk_table_sink *sink,
                       const struct tk_finding *row) {
    for (unsigned i = 0; i < row->place_count; i++) {
        tk_cell_word(sink, tk_finders[row->subject.rule].id);
        put_who(analysis, sink, row);
        tk_cell_ticks_if(sink, row->places[i].length > 0, row->places[i].length);
        tk_cell_ticks(sink, row->places[i].at);
    }
}

static void put_not_examined(const struct tk_analysis *analysis, const struct tk_table_sink *sink) {
    tk_table_begin(sink, &not_examined_table);
    for (unsigned rule = 0; rule < TK_FINDERS; rule++) {
        const char *reason = tk_finding_not_examined(analysis, (enum tk_finder)rule);
        if (!reason) continue;
        tk_cell_word(sink, tk_finders[rule].id);
        tk_cell_word(sink, tk_finders[rule].title);
        tk_cell_word(sink, reason);
    }
    tk_table_end(sink);
}

TK_COLD void tk_findings_tables(const struct tk_analysis *analysis, const struct tk_rtos *rtos,
                                const struct tk_table_sink *sink) {
    const struct tk_finding *rows[TK_FINDING_ROWS];
    bool has_objects = analysis->records_posts || analysis->has_idle;
    if (!analysis->task_count && !has_objects) return; // of a recording without tasks and active objects
    uint32_t count = tk_findings_in_order(analysis, rtos, rows);
    tk_table_begin(sink, &findings_table);
    for (uint32_t i = 0; i < count; i++) put_row(analysis, sink, rows[i]);
    tk_table_end(sink);
    put_not_examined(analysis, sink);
    tk_table_begin(sink, &finding_places_table);
    for (uint32_t i = 0; i < count; i++) put_places(analysis, sink, rows[i]);
    tk_table_end(sink);
}

TK_COLD bool tk_finding_rule(unsigned number, struct tk_finder_text *out_rule) {
    if (number >= TK_FINDERS) return false;
    const struct tk_finder_info *rule = &tk_finders[number];
    *out_rule =
        (struct tk_finder_text){ rule->id,    tk_finding_severity_name((enum tk_finding_severity)rule->severity),
                                 rule->title, rule->threshold,
                                 rule->needs, rule->remedy };
    return true;
}
