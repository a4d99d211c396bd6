// SPDX-License-Identifier: MIT
//
// The worst jobs of each task, and why they were late.
#include "../base/duration.h"
#include "../model/tables/columns.h"
#include "../model/timeline/names.h"
#include "../model/trackers/rtos/rtos.h"
#include "internal.h"

// ---- The worst jobs of a task ------------------------------------------------------------------

static void set_limit(struct tk_job_statistics *figures) {
    figures->worst_limit = UINT64_MAX;
    for (uint32_t i = 0; i < figures->worst_count; i++) {
        uint64_t response = tk_job_response(&figures->worst[i]->job);
        if (response < figures->worst_limit) figures->worst_limit = response;
    }
}

// Returns the place of the last one of the shortest jobs; of equal jobs the first ones are kept.
static struct tk_worst_job **shortest(struct tk_job_statistics *figures) {
    struct tk_worst_job **found = NULL;
    for (uint32_t i = 0; i < figures->worst_count; i++) {
        const struct tk_job *job = &figures->worst[i]->job;
        if (tk_job_response(job) == figures->worst_limit && (!found || job->release > (*found)->job.release))
            found = &figures->worst[i];
    }
    return found;
}

// The replaced job leaves its memory to the next open job.
TK_NOINLINE static void keep(struct tk_analysed_task *task, const struct tk_job *job) {
    struct tk_job_statistics *figures = task->figures;
    struct tk_worst_job **place =
        figures->worst_count == TK_WORST_JOBS ? shortest(figures) : &figures->worst[figures->worst_count++];
    struct tk_worst_job *replaced = *place;
    *place = task->late;
    (*place)->job = *job;
    task->late = replaced;
    if (figures->worst_count == TK_WORST_JOBS) set_limit(figures);
}

void tk_late_keep(struct tk_analysed_task *task, const struct tk_job *job) {
    const struct tk_job_statistics *figures = task->figures;
    if (!task->late || !figures) return; // out of memory
    if (figures->worst_count < TK_WORST_JOBS || tk_job_response(job) > figures->worst_limit) keep(task, job);
}

void tk_late_begin(struct tk_analysis *analysis, struct tk_analysed_task *task) {
    if (!task->late && (task->late = analysis->spare) != NULL) analysis->spare = task->late->next;
    if (!task->late) task->late = tk_alloc_zero(analysis->alloc, sizeof *task->late);
    tk_causes_clear(tk_causes_of(task));
}

void tk_late_end(struct tk_analysis *analysis, struct tk_analysed_task *task) {
    if (!task->late) return;
    task->late->next = analysis->spare;
    analysis->spare = task->late;
    task->late = NULL;
}

static bool is_worse(const struct tk_job *a, const struct tk_job *b) {
    uint64_t of_a = tk_job_response(a), of_b = tk_job_response(b);
    return of_a > of_b || (of_a == of_b && a->release < b->release);
}

// Returns the job that has `rank` worse ones. Of equal ones the first is the worse one.
static const struct tk_worst_job *worst_at(const struct tk_job_statistics *figures, uint32_t rank) {
    for (uint32_t i = 0; i < figures->worst_count; i++) {
        uint32_t worse = 0;
        for (uint32_t other = 0; other < figures->worst_count; other++) {
            const struct tk_job *a = &figures->worst[other]->job, *b = &figures->worst[i]->job;
            worse += is_worse(a, b) || (other < i && !is_worse(b, a));
        }
        if (worse == rank) return figures->worst[i];
    }
    return NULL;
}

// ---- The sentence ------------------------------------------------------------------------------

static void put_length(const struct tk_table_sink *sink, struct tk_text *text, uint64_t ticks) {
    uint64_t ns = sink->tick_ns;
    if (!ns) tk_text_count(text, ticks, "ticks");
    else tk_text_duration(text, ticks > UINT64_MAX / ns ? UINT64_MAX : ticks * ns, 1);
}

// Adds the name of the object of a wait, "spi bus"; without an object the reason, "delay".
static void put_object(const struct tk_analysis *analysis, struct tk_text *text, uint64_t reason) {
    char room[TK_DISPLAY_LEN];
    size_t len;
    const struct tk_labels *labels = &analysis->names->labels;
    uint32_t index = (uint32_t)reason;
    uint32_t entity =
        tk_reason_kind(reason) == TK_REASON_LABEL && index < labels->count ? labels->all[index].entity : TK_NONE;
    if (entity == TK_NONE) tk_analysis_put_reason(analysis, text, reason);
    else {
        const char *name = tk_names_text(analysis->names, entity, room, &len);
        tk_text_put(text, name, len);
    }
}

static void put_who(const struct tk_analysis *analysis, struct tk_text *text, const char *words, uint32_t who,
                    const char *unknown) {
    if (who == TK_NONE) {
        tk_text_add(text, unknown);
        return;
    }
    tk_text_add(text, words);
    tk_analysis_put_task(analysis, text, who);
}

static void put_cause(const struct tk_analysis *analysis, const struct tk_table_sink *sink, struct tk_text *text,
                      const struct tk_cause *cause) {
    static const char *const words[TK_CAUSE_KINDS] = { [TK_CAUSE_PENDING] = ", waited ",
                                                       [TK_CAUSE_PREEMPTED] = ", preempted ",
                                                       [TK_CAUSE_BLOCKED] = ", waited ",
                                                       [TK_CAUSE_ROOM] = ", waited ",
                                                       [TK_CAUSE_WAITED] = ", waited " };
    tk_text_add(text, words[cause->kind]);
    if (cause->is_least) tk_text_add(text, "at least ");
    put_length(sink, text, cause->ticks);
    switch ((enum tk_cause_kind)cause->kind) {
    case TK_CAUSE_PENDING:
        tk_text_add(text, " to start while ");
        put_who(analysis, text, "", cause->who, "an unknown task");
        tk_text_add(text, " ran");
        break;
    case TK_CAUSE_PREEMPTED: put_who(analysis, text, " by ", cause->who, " by an unknown task"); break;
    case TK_CAUSE_BLOCKED:
        tk_text_add(text, " for ");
        put_object(analysis, text, cause->reason);
        put_who(analysis, text, " held by ", cause->who, " held by an unknown task");
        break;
    case TK_CAUSE_ROOM:
        tk_text_add(text, " for room in ");
        put_object(analysis, text, cause->reason);
        break;
    default: tk_text_add(text, " in "); tk_analysis_put_reason(analysis, text, cause->reason);
    }
}

// Returns the largest cause that is not in `put`, or NULL.
static const struct tk_cause *next_cause(const struct tk_causes *causes, uint32_t put) {
    const struct tk_cause *found = NULL;
    for (uint32_t i = 0; i < causes->count; i++)
        if (!(put >> i & 1) && (!found || causes->list[i].ticks > found->ticks)) found = &causes->list[i];
    return found;
}

static void put_others(const struct tk_table_sink *sink, struct tk_text *text, const struct tk_causes *causes) {
    static const char *const before[TK_CAUSE_KINDS] = { [TK_CAUSE_PENDING] = ", waited ",
                                                        [TK_CAUSE_PREEMPTED] = ", preempted ",
                                                        [TK_CAUSE_BLOCKED] = ", waited ",
                                                        [TK_CAUSE_ROOM] = ", waited ",
                                                        [TK_CAUSE_WAITED] = ", waited " };
    static const char *const after[TK_CAUSE_KINDS] = { [TK_CAUSE_PENDING] = " to start while others ran",
                                                       [TK_CAUSE_PREEMPTED] = " by others",
                                                       [TK_CAUSE_BLOCKED] = " for other locks",
                                                       [TK_CAUSE_ROOM] = " for room elsewhere",
                                                       [TK_CAUSE_WAITED] = " elsewhere" };
    for (unsigned kind = 0; kind < TK_CAUSE_KINDS; kind++) {
        if (!causes->others[kind]) continue;
        tk_text_add(text, before[kind]);
        put_length(sink, text, causes->others[kind]);
        tk_text_add(text, after[kind]);
    }
}

// "ran 0.290 ms, waited 1.200 ms for spi bus held by logger, preempted 0.430 ms by can"
static void put_sentence(const struct tk_analysis *analysis, const struct tk_table_sink *sink, struct tk_text *text,
                         const struct tk_worst_job *worst) {
    const struct tk_cause *cause;
    uint32_t put = 0;
    tk_text_add(text, "ran ");
    put_length(sink, text, tk_job_net(&worst->job));
    while ((cause = next_cause(&worst->causes, put)) != NULL) {
        put_cause(analysis, sink, text, cause);
        put |= (uint32_t)1 << (cause - worst->causes.list);
    }
    put_others(sink, text, &worst->causes);
    if (!worst->job.interrupted) return;
    tk_text_add(text, ", interrupted ");
    put_length(sink, text, worst->job.interrupted);
}

// ---- Tables ------------------------------------------------------------------------------------

enum {
    PART_LEN = 2 * TK_DISPLAY_LEN + 112, // of a cause: two names, a length and words
    SENTENCE_LEN = (TK_CAUSES + 2 + TK_CAUSE_KINDS) * PART_LEN
};

static void put_name(const struct tk_analysis *analysis, const struct tk_table_sink *sink, uint32_t task) {
    char room[TK_DISPLAY_LEN];
    struct tk_text text = tk_text_in(room, sizeof room);
    tk_analysis_put_task(analysis, &text, task);
    if (text.len) tk_cell_text(sink, text.text, text.len);
    else tk_cell_none(sink);
}

static void put_worst_job(const struct tk_analysis *analysis, const struct tk_table_sink *sink,
                          const struct tk_worst_job *worst, uint32_t rank) {
    const struct tk_job *job = &worst->job;
    char room[SENTENCE_LEN];
    struct tk_text why = tk_text_in(room, sizeof room);
    put_name(analysis, sink, job->task);
    tk_cell_uint(sink, rank + 1);
    tk_cell_ticks(sink, tk_job_response(job));
    tk_cell_ticks(sink, job->release);
    tk_cell_ticks(sink, job->start);
    tk_cell_ticks(sink, job->end);
    put_sentence(analysis, sink, &why, worst);
    tk_cell_text(sink, why.text, why.len);
    tk_cell_ticks(sink, tk_job_pending(job));
    tk_cell_ticks(sink, tk_job_net(job));
    tk_cell_ticks(sink, job->interrupted);
    tk_cell_ticks(sink, job->preempted);
    tk_cell_ticks(sink, job->blocked);
    tk_cell_ticks(sink, job->room);
    tk_cell_ticks(sink, job->waited);
}

static void put_cause_row(const struct tk_analysis *analysis, const struct tk_table_sink *sink, uint32_t task,
                          uint32_t rank, const struct tk_cause *cause, bool is_others) {
    char room[TK_LABEL_LEN];
    struct tk_text reason = tk_text_in(room, sizeof room);
    put_name(analysis, sink, task);
    tk_cell_uint(sink, rank + 1);
    tk_cell_word(sink, tk_cause_kind_name((enum tk_cause_kind)cause->kind));
    put_name(analysis, sink, cause->who);
    if (cause->reason) put_object(analysis, &reason, cause->reason);
    if (reason.len) tk_cell_text(sink, reason.text, reason.len);
    else tk_cell_none(sink);
    tk_cell_uint(sink, is_others);
    tk_cell_uint(sink, cause->is_least);
    tk_cell_ticks(sink, cause->ticks);
}

static void put_causes(const struct tk_analysis *analysis, const struct tk_table_sink *sink,
                       const struct tk_worst_job *worst, uint32_t rank) {
    const struct tk_causes *causes = &worst->causes;
    for (uint32_t i = 0; i < causes->count; i++)
        put_cause_row(analysis, sink, worst->job.task, rank, &causes->list[i], false);
    for (unsigned kind = 0; kind < TK_CAUSE_KINDS; kind++) {
        struct tk_cause others = { .ticks = causes->others[kind], .who = TK_NONE, .kind = (uint8_t)kind };
        if (others.ticks) put_cause_row(analysis, sink, worst->job.task, rank, &others, true);
    }
}

#define PART(key, title) SPAN(key, title, TK_FOLD_NONE)

static const struct tk_column worst_jobs_columns[] = {
    NAME("name", "Task"),
    KEY("rank", "Rank", TK_COLUMN_NUMBER),
    PART("response", "Response"),
    { "release", "At", TK_COLUMN_TIME, TK_ROLE_AT, NULL, TK_FOLD_NONE },
    { "start", "Start", TK_COLUMN_TIME, TK_ROLE_HIDDEN, NULL, TK_FOLD_NONE },
    { "end", "End", TK_COLUMN_TIME, TK_ROLE_HIDDEN, NULL, TK_FOLD_NONE },
    { "why", "Why", TK_COLUMN_TEXT, TK_ROLE_NOTE, NULL, TK_FOLD_NONE },
    PART("pending", "Before it ran"),
    PART("net", "Net execution"),
    PART("interrupted", "Interrupted"),
    PART("preempted", "Preempted"),
    PART("blocked", "Waited for locks"),
    PART("room", "Waited for room"),
    PART("waited", "Waited inside"),
};
const struct tk_table tk_worst_jobs_table = {
    "worst_jobs",     "Worst jobs", TK_TABLE_COLUMNS(worst_jobs_columns),
    TK_TABLE_DETAILS, "response",   "The jobs with the longest response times of each task, and why."
};

static const struct tk_column worst_causes_columns[] = {
    NAME("name", "Task"),
    KEY("rank", "Rank", TK_COLUMN_NUMBER),
    KEY("cause", "Cause", TK_COLUMN_TEXT),
    KEY("by", "By", TK_COLUMN_TEXT),
    KEY("object", "Object", TK_COLUMN_TEXT),
    { "others", "Others", TK_COLUMN_FLAG, TK_ROLE_KEY, NULL, TK_FOLD_NONE },
    { "at_least", "At least", TK_COLUMN_FLAG, TK_ROLE_VALUE, NULL, TK_FOLD_NONE },
    PART("time", "Time"),
};
const struct tk_table tk_worst_causes_table = { "worst_causes",
                                                "Causes of the worst jobs",
                                                TK_TABLE_COLUMNS(worst_causes_columns),
                                                TK_TABLE_DETAILS,
                                                NULL,
                                                "What delayed the worst jobs of each task, and for how long." };

void tk_late_tables(const struct tk_analysis *analysis, const struct tk_rtos *rtos, const struct tk_table_sink *sink) {
    static void (*const put[])(const struct tk_analysis *, const struct tk_table_sink *, const struct tk_worst_job *,
                               uint32_t) = { put_worst_job, put_causes };
    static const struct tk_table *const tables[] = { &tk_worst_jobs_table, &tk_worst_causes_table };
    for (unsigned table = 0; table < 2; table++) {
        tk_table_begin(sink, tables[table]);
        for (uint32_t i = 0; i < analysis->task_count; i++) {
            const struct tk_job_statistics *figures = analysis->tasks[i].figures;
            if (!figures || !tk_is_listed(analysis, rtos, i)) continue;
            for (uint32_t rank = 0; rank < figures->worst_count; rank++)
                put[table](analysis, sink, worst_at(figures, rank), rank);
        }
        tk_table_end(sink);
    }
}
