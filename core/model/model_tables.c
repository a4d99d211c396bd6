// SPDX-License-Identifier: MIT
//
// Tables of times, load and events; those of the trackers follow.
#include "model.h"

static uint64_t add(uint64_t a, uint64_t b) { return b > UINT64_MAX - a ? UINT64_MAX : a + b; }

static uint64_t length(const struct tk_model *model) { return model->stats.end - model->stats.start; }

// Returns false for a time range without events: it has no start and no end.
static bool has_time(const struct tk_model *model) {
    return !model->is_time_range || tk_stats_timed_count(&model->stats);
}

static const struct tk_column time_columns[] = {
    { "start", "From", TK_COLUMN_TIME, TK_ROLE_VALUE, NULL, TK_FOLD_NONE },
    { "end", "To", TK_COLUMN_TIME, TK_ROLE_VALUE, NULL, TK_FOLD_NONE },
    { "duration", "Duration", TK_COLUMN_DURATION, TK_ROLE_VALUE, NULL, TK_FOLD_NONE },
    { "first", "From", TK_COLUMN_TIME, TK_ROLE_HIDDEN, NULL, TK_FOLD_NONE },
    { "last", "To", TK_COLUMN_TIME, TK_ROLE_HIDDEN, NULL, TK_FOLD_NONE },
};
static const struct tk_table time_table = {
    "time",           "Time", TK_TABLE_COLUMNS(time_columns),
    TK_TABLE_FIGURES, NULL,   "The first and the last event, and the time between them."
};

static void put_time(const struct tk_model *model, const struct tk_table_sink *sink) {
    uint64_t start = model->stats.start - model->before_start, end = model->stats.end;
    bool known = has_time(model), is_time_range = model->is_time_range;
    tk_table_begin(sink, &time_table);
    tk_cell_ticks_if(sink, known, start);
    tk_cell_ticks_if(sink, known, end);
    tk_cell_ticks_if(sink, known, end - start);
    tk_cell_ticks(sink, is_time_range ? model->recorded_from : start);
    tk_cell_ticks(sink, is_time_range ? model->recorded_to : end);
    tk_table_end(sink);
}

static const struct tk_column events_columns[] = {
    { "total", "Events", TK_COLUMN_COUNT, TK_ROLE_VALUE, NULL, TK_FOLD_NONE },
    { "lost", "Lost", TK_COLUMN_COUNT, TK_ROLE_VALUE, NULL, TK_FOLD_NONE },
    { "lost_before", "Lost before the start", TK_COLUMN_COUNT, TK_ROLE_VALUE, NULL, TK_FOLD_NONE },
    { "restarts", "Restarts", TK_COLUMN_COUNT, TK_ROLE_VALUE, NULL, TK_FOLD_NONE },
    { "timed", "With a time", TK_COLUMN_COUNT, TK_ROLE_HIDDEN, NULL, TK_FOLD_NONE },
    { "lost_on_line", "Lost on the line", TK_COLUMN_COUNT, TK_ROLE_HIDDEN, NULL, TK_FOLD_NONE },
};
static const struct tk_table events_table = { "events",         "Events", TK_TABLE_COLUMNS(events_columns),
                                              TK_TABLE_FIGURES, NULL,     "Numbers of decoded and lost events." };

static void put_events(const struct tk_model *model, const struct tk_table_sink *sink) {
    tk_table_begin(sink, &events_table);
    tk_cell_uint(sink, tk_stats_event_count(&model->stats));
    tk_cell_uint(sink, model->lost);
    tk_cell_uint(sink, model->lost_before);
    tk_cell_uint(sink, model->restarts);
    tk_cell_uint(sink, tk_stats_timed_count(&model->stats));
    tk_cell_uint(sink, model->lost_on_line);
    tk_table_end(sink);
}

// ---- Cores ----

// The time of one core in ticks, by use; the sum is the duration of the recording.
struct core_time {
    uint64_t busy;       // tasks that are not idle tasks, without the interrupts during their runs
    uint64_t idle;       // idle tasks, or no task ran; without interrupts
    uint64_t interrupt;  // time in interrupts
    uint64_t outside;    // outside interrupts, if no task is known to exist
    uint64_t unmeasured; // unknown: before the first switch, where events or an end were lost, and after the end of the
                         // core's data
    bool has_tasks;      // a task or interrupt ran on the core
    bool has_load;       // some of the time was measured, and the idle part is known
    bool hides_idle;     // the idle part is unknown
    bool is_missing;     // the core has no recording: all of its time is unmeasured
};

static bool is_idle(const struct tk_model *model, uint32_t task) {
    return model->rtos && tk_rtos_is_idle_task(model->rtos, task);
}

// Takes a part of the remaining time; damaged times may claim more than that.
static uint64_t take(uint64_t *left, uint64_t ticks) {
    uint64_t taken = ticks < *left ? ticks : *left;
    *left -= taken;
    return taken;
}

static bool is_missing(const struct tk_model *model, uint32_t core) {
    return model->cores_missing >> core & 1 && !model->stats.cores[core].events && !model->stats.cores[core].seen;
}

static struct core_time time_of_core(const struct tk_model *model, uint32_t core) {
    const struct tk_stats_core *stats = &model->stats.cores[core];
    if (is_missing(model, core)) return (struct core_time){ .unmeasured = length(model), .is_missing = true };
    uint64_t after_last = model->stats.end - tk_stats_until(&model->stats, core, model->stats.end);
    uint64_t left = length(model) - after_last, busy = 0, idle = stats->idle;
    for (uint32_t task = 0; task < model->stats.task_count; task++) {
        if (model->rtos && tk_rtos_is_uncertain_task(model->rtos, task)) continue;
        struct tk_stats_running running = tk_stats_running_on(&model->stats, task, core);
        uint64_t *sum = is_idle(model, task) ? &idle : &busy;
        *sum = add(*sum, running.ticks - running.interrupted);
    }
    bool is_known = !model->rtos || !tk_rtos_hides_idle(model->rtos, core);
    struct core_time time = { .has_tasks = busy || idle || stats->run_unmeasured,
                              .has_load = is_known && (busy || idle),
                              .hides_idle = !is_known };
    time.interrupt = take(&left, stats->interrupt);
    time.busy = take(&left, busy);
    time.idle = take(&left, idle);
    time.unmeasured = take(&left, time.has_tasks ? left : stats->interrupt_unmeasured) + after_last;
    time.outside = left;
    return time;
}

// Returns the number of events without a core: custom tracks and problems. Definitions have no time.
static uint64_t coreless_events(const struct tk_model *model) {
    uint64_t sum = model->stats.kinds[TK_EV_PROBLEM];
    for (unsigned kind = 0; kind < TK_EV_COUNT; kind++)
        if (tk_event_owners[kind] == TK_OWNER_TRACKS && kind != TK_EV_TRACK_DEFINED && kind != TK_EV_TRACK_AXIS)
            sum += model->stats.kinds[kind];
    return sum;
}

static bool has_events(const struct tk_model *model, uint32_t core) {
    const struct tk_stats_core *stats = &model->stats.cores[core];
    return ((stats->seen || is_missing(model, core)) && has_time(model)) ||
           (stats->events > 0 && tk_stats_timed_count(&model->stats) > coreless_events(model));
}

static const struct tk_column cpu_columns[] = {
    { "load", "CPU busy", TK_COLUMN_SHARE, TK_ROLE_VALUE, NULL, TK_FOLD_NONE },
    { "interrupts", "In interrupts", TK_COLUMN_SHARE, TK_ROLE_VALUE, NULL, TK_FOLD_NONE },
    { "unmeasured", "Time not measured", TK_COLUMN_SHARE, TK_ROLE_VALUE, NULL, TK_FOLD_NONE },
    { "cores", "Cores", TK_COLUMN_COUNT, TK_ROLE_VALUE, NULL, TK_FOLD_NONE },
};
static const struct tk_table cpu_table = {
    "cpu", "CPU", TK_TABLE_COLUMNS(cpu_columns), TK_TABLE_FIGURES, NULL, "How the time of all cores together was used."
};

static void put_cpu(const struct tk_model *model, const struct tk_table_sink *sink) {
    struct core_time all = { 0 };
    uint64_t cores = 0;
    for (uint32_t core = 0; core < TK_STATS_CORES; core++) {
        if (!has_events(model, core)) continue;
        struct core_time time = time_of_core(model, core);
        all.busy = add(all.busy, time.busy);
        all.interrupt = add(all.interrupt, time.interrupt);
        all.unmeasured = add(all.unmeasured, time.unmeasured);
        all.has_load |= time.has_load;
        all.hides_idle |= time.hides_idle;
        all.is_missing |= time.is_missing;
        cores++;
    }
    uint64_t whole = cores && length(model) > UINT64_MAX / cores ? UINT64_MAX : length(model) * cores;
    tk_table_begin(sink, &cpu_table);
    tk_cell_share(sink, all.busy, all.has_load && !all.hides_idle && !all.is_missing ? whole : 0);
    tk_cell_share(sink, all.interrupt, all.is_missing ? 0 : whole);
    tk_cell_share(sink, all.unmeasured, whole);
    tk_cell_uint(sink, cores);
    tk_table_end(sink);
}

static const struct tk_column cores_columns[] = {
    { "core", "Core", TK_COLUMN_NUMBER, TK_ROLE_VALUE, NULL, TK_FOLD_NONE },
    { "load", "Busy", TK_COLUMN_SHARE, TK_ROLE_VALUE, NULL, TK_FOLD_NONE },
    { "busy", "Tasks", TK_COLUMN_DURATION, TK_ROLE_VALUE, NULL, TK_FOLD_NONE },
    { "idle", "Idle", TK_COLUMN_DURATION, TK_ROLE_VALUE, NULL, TK_FOLD_NONE },
    { "interrupt", "Interrupts", TK_COLUMN_DURATION, TK_ROLE_VALUE, NULL, TK_FOLD_NONE },
    { "outside", "Outside interrupts", TK_COLUMN_DURATION, TK_ROLE_VALUE, NULL, TK_FOLD_NONE },
    { "unmeasured", "Not measured", TK_COLUMN_DURATION, TK_ROLE_VALUE, NULL, TK_FOLD_NONE },
    { "end", "Last event", TK_COLUMN_TIME, TK_ROLE_VALUE, NULL, TK_FOLD_NONE },
};
static const struct tk_table cores_table = { "cores",       "Cores", TK_TABLE_COLUMNS(cores_columns),
                                             TK_TABLE_LIST, NULL,    "How the time of each core was used." };

static void put_cores(const struct tk_model *model, const struct tk_table_sink *sink) {
    tk_table_begin(sink, &cores_table);
    for (uint32_t core = 0; core < TK_STATS_CORES; core++) {
        if (!has_events(model, core)) continue;
        struct core_time time = time_of_core(model, core);
        tk_cell_uint(sink, core);
        tk_cell_share(sink, time.busy, time.has_load ? length(model) : 0);
        tk_cell_ticks_if(sink, time.has_tasks, time.busy);
        tk_cell_ticks_if(sink, time.has_tasks, time.idle);
        tk_cell_ticks_if(sink, !time.is_missing, time.interrupt);
        tk_cell_ticks_if(sink, !time.has_tasks && !time.is_missing, time.outside);
        tk_cell_ticks(sink, time.unmeasured);
        tk_cell_ticks_if(sink, model->stats.cores[core].events > 0, model->stats.cores[core].end);
    }
    tk_table_end(sink);
}

// ---- Events by kind ----

static const struct tk_column kinds_columns[] = {
    { "kind", "Kind", TK_COLUMN_NAME, TK_ROLE_VALUE, NULL, TK_FOLD_NONE },
    { "count", "Count", TK_COLUMN_COUNT, TK_ROLE_VALUE, NULL, TK_FOLD_NONE },
    { "share", "Share", TK_COLUMN_SHARE, TK_ROLE_VALUE, NULL, TK_FOLD_NONE },
};
static const struct tk_table kinds_table = { "kinds",       "Events by kind", TK_TABLE_COLUMNS(kinds_columns),
                                             TK_TABLE_LIST, "count",          "Number of events of each kind." };

static const char *find_words(const struct tk_kind_words *words, unsigned kind) {
    while (words && words->words && words->kind != kind) words++;
    return words ? words->words : NULL;
}

static const char *words_of(const struct tk_kind_words *of_format, unsigned kind) {
    static const struct tk_kind_words definitions[] = { { TK_EV_TRACK_DEFINED, "definition" },
                                                        { TK_EV_TRACK_AXIS, "definition" },
                                                        { TK_EV_SYMBOL_NAME, "name" },
                                                        { TK_EV_SYMBOL_FALLBACK, "name" },
                                                        { 0, NULL } };
    const char *words = find_words(of_format, kind);
    if (!words) words = find_words(definitions, kind);
    return words ? words : tk_event_title((enum tk_event_kind)kind);
}

// Kinds with the same words share a row, at the position of the first one.
void tk_model_kinds(const struct tk_model *model, const struct tk_kind_words *words, const struct tk_table_sink *sink) {
    uint64_t total = tk_stats_event_count(&model->stats), counts[TK_EV_COUNT] = { 0 };
    for (unsigned kind = 0; kind < TK_EV_COUNT; kind++) {
        unsigned first = 0;
        if (!model->stats.kinds[kind]) continue;
        while (strcmp(words_of(words, first), words_of(words, kind)) != 0) first++;
        counts[first] = add(counts[first], model->stats.kinds[kind]);
    }
    tk_table_begin(sink, &kinds_table);
    for (unsigned kind = 0; kind < TK_EV_COUNT; kind++) {
        if (!counts[kind]) continue;
        tk_cell_word(sink, words_of(words, kind));
        tk_cell_uint(sink, counts[kind]);
        tk_cell_share(sink, counts[kind], total);
    }
    tk_table_end(sink);
}

const struct tk_table *const tk_model_table_list[] = { &time_table,  &events_table, &cpu_table,
                                                       &cores_table, &kinds_table,  NULL };

void tk_model_tables(const struct tk_model *model, const struct tk_table_sink *sink) {
    // Tables of active objects and calls come first.
    static const uint8_t order[] = { TK_OWNER_ACTIVE_OBJECTS, TK_OWNER_CALLS, TK_OWNER_TRACKS, TK_OWNER_RTOS,
                                     TK_OWNER_MARKERS };
    put_time(model, sink);
    put_events(model, sink);
    put_cpu(model, sink);
    put_cores(model, sink);
    for (unsigned i = 0; i < sizeof order; i++)
        if (model->trackers[order[i]].state)
            model->trackers[order[i]].is->tables(model->trackers[order[i]].state, sink);
}
