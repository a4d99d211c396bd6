// SPDX-License-Identifier: MIT
//
// Functions, contexts, calls and interruptions as tables.
#include "../../tables/columns.h"
#include "calls.h"

static void put_context_name(const struct tk_calls *c, const struct tk_table_sink *sink, uint32_t id) {
    tk_cell_entity(sink, &c->tl->names, c->contexts[id]->entity);
}

// ---- Functions ----

// Writes the names of contexts, "main, RTC_WKUP", the lowest ids first.
static void put_contexts_of(const struct tk_calls *c, const struct tk_table_sink *sink,
                            const struct tk_call_function *function) {
    enum { MOST = 4 };
    char room[MOST * (TK_DISPLAY_LEN + 2) + 32];
    struct tk_text text = tk_text_in(room, sizeof room);
    unsigned count = 0;
    for (uint32_t id = 0; id < TK_MAX_CONTEXTS; id++) {
        if (!c->contexts[id] || c->contexts[id]->uncertain || !(function->contexts[id / 64] >> id % 64 & 1) ||
            count++ >= MOST)
            continue;
        if (text.len) tk_text_add(&text, ", ");
        tk_names_put(&c->tl->names, c->contexts[id]->entity, &text);
    }
    if (count > MOST) tk_text_add(&text, " and "), tk_text_u64(&text, count - MOST), tk_text_add(&text, " more");
    tk_cell_text(sink, text.text, text.len);
}

static const struct tk_column functions_columns[] = {
    { "name", "Function", TK_COLUMN_NAME, TK_ROLE_VALUE, NULL, TK_FOLD_NONE },
    { "calls", "Calls", TK_COLUMN_COUNT, TK_ROLE_VALUE, NULL, TK_FOLD_SUM },
    { "unmeasured", "Not measured", TK_COLUMN_COUNT, TK_ROLE_UNMEASURED, NULL, TK_FOLD_SUM },
    { "self", "Itself", TK_COLUMN_DURATION, TK_ROLE_VALUE, NULL, TK_FOLD_SUM },
    { "total", "With what it calls", TK_COLUMN_DURATION, TK_ROLE_VALUE, NULL, TK_FOLD_SUM },
    LENGTHS,
    { "deepest", "Deepest level", TK_COLUMN_COUNT, TK_ROLE_VALUE, NULL, TK_FOLD_MAX },
    { "contexts", "Contexts", TK_COLUMN_TEXT, TK_ROLE_VALUE, NULL, TK_FOLD_NONE },
};
static const struct tk_table functions_table = { "functions",   "Functions", TK_TABLE_COLUMNS(functions_columns),
                                                 TK_TABLE_LIST, "self",      "Calls and durations of each function." };

static void put_functions(const struct tk_calls *c, const struct tk_table_sink *sink) {
    tk_table_begin(sink, &functions_table);
    for (uint32_t i = 0; i < c->function_count; i++) {
        const struct tk_call_function *function = &c->functions[i];
        if (!function->deepest) continue;
        tk_cell_entity(sink, &c->tl->names, function->entity);
        tk_cell_uint(sink, function->calls);
        tk_cell_uint(sink, function->calls - function->figures.durations.measured);
        tk_cell_ticks(sink, function->self);
        tk_cell_ticks(sink, function->total);
        tk_cells_spread(sink, &function->figures);
        tk_cell_uint(sink, function->deepest);
        put_contexts_of(c, sink, function);
    }
    tk_table_end(sink);
}

// ---- Contexts ----

static const struct tk_column contexts_columns[] = {
    { "name", "Context", TK_COLUMN_NAME, TK_ROLE_VALUE, NULL, TK_FOLD_NONE },
    { "id", "Number", TK_COLUMN_NUMBER, TK_ROLE_VALUE, NULL, TK_FOLD_NONE },
    { "pid", "Process", TK_COLUMN_NUMBER, TK_ROLE_HIDDEN, NULL, TK_FOLD_NONE },
    { "running", "Running", TK_COLUMN_DURATION, TK_ROLE_VALUE, NULL, TK_FOLD_SUM },
    { "silent", "Nothing recorded", TK_COLUMN_DURATION, TK_ROLE_VALUE, NULL, TK_FOLD_SUM },
    { "share", "CPU", TK_COLUMN_SHARE, TK_ROLE_VALUE, NULL, TK_FOLD_SUM },
    { "calls", "Calls", TK_COLUMN_COUNT, TK_ROLE_VALUE, NULL, TK_FOLD_SUM },
    { "entries", "Entries", TK_COLUMN_COUNT, TK_ROLE_VALUE, NULL, TK_FOLD_SUM },
    { "unmeasured", "Not measured", TK_COLUMN_COUNT, TK_ROLE_UNMEASURED, NULL, TK_FOLD_SUM },
    LENGTHS,
    { "deepest", "Deepest stack", TK_COLUMN_COUNT, TK_ROLE_VALUE, NULL, TK_FOLD_MAX },
    { "deepest_nested", "With what it interrupts", TK_COLUMN_COUNT, TK_ROLE_VALUE, NULL, TK_FOLD_MAX },
    PERIODS,
};
static const struct tk_table contexts_table = {
    "contexts",    "Contexts", TK_TABLE_COLUMNS(contexts_columns),
    TK_TABLE_LIST, "running",  "Running time of thread mode and of each exception."
};

static void put_contexts(const struct tk_calls *c, const struct tk_table_sink *sink) {
    tk_table_begin(sink, &contexts_table);
    for (uint32_t id = 0; id < TK_MAX_CONTEXTS; id++) {
        const struct tk_context *context = c->contexts[id];
        if (!context || context->uncertain) continue;
        tk_cell_entity(sink, &c->tl->names, context->entity);
        tk_cell_uint(sink, id);
        tk_cell_uint(sink, (uint64_t)c->tl->tasks[context->timeline_task].pid);
        uint64_t paused = context->not_recorded < context->running ? context->not_recorded : context->running,
                 running = context->running - paused;
        tk_cell_ticks(sink, running);
        tk_cell_ticks(sink, paused);
        tk_cell_share(sink, running, c->stats->end - c->stats->start);
        tk_cell_uint(sink, context->calls);
        tk_cell_uint_if(sink, !context->is_thread, context->activations);
        tk_cell_uint(sink, context->activations - context->figures.durations.measured);
        tk_cells_spread(sink, &context->figures);
        tk_cell_uint(sink, context->deepest);
        tk_cell_uint(sink, context->deepest_nested);
        tk_cells_spread(sink, &context->periods);
    }
    tk_table_end(sink);
}

// ---- Calls and interruptions ----

static const struct tk_column calls_columns[] = {
    { "name", "Function", TK_COLUMN_NAME, TK_ROLE_VALUE, NULL, TK_FOLD_NONE },
    { "caller", "Called by", TK_COLUMN_TEXT, TK_ROLE_KEY, NULL, TK_FOLD_NONE },
    { "count", "Calls", TK_COLUMN_COUNT, TK_ROLE_VALUE, NULL, TK_FOLD_SUM },
};
static const struct tk_table calls_table = {
    "calls",       "Who called whom", TK_TABLE_COLUMNS(calls_columns),
    TK_TABLE_LIST, "count",           "How often each function was called, by caller."
};

static void put_pairs(const struct tk_calls *c, const struct tk_table_sink *sink) {
    tk_table_begin(sink, &calls_table);
    for (uint32_t i = 0; i < c->pair_count; i++) {
        const struct tk_call_pair *pair = &c->pairs[i];
        if (!pair->count) continue;
        tk_cell_entity(sink, &c->tl->names, c->functions[pair->callee].entity);
        if (pair->caller == TK_NONE) tk_cell_word(sink, "not known");
        else tk_cell_entity(sink, &c->tl->names, c->functions[pair->caller].entity);
        tk_cell_uint(sink, pair->count);
    }
    if (c->further_pairs) {
        tk_cell_word(sink, "further functions");
        tk_cell_word(sink, "further functions");
        tk_cell_uint(sink, c->further_pairs);
    }
    tk_table_end(sink);
}

static const struct tk_column interruptions_columns[] = {
    { "name", "Interrupted", TK_COLUMN_NAME, TK_ROLE_VALUE, NULL, TK_FOLD_NONE },
    { "by", "By", TK_COLUMN_TEXT, TK_ROLE_KEY, NULL, TK_FOLD_NONE },
    { "count", "Count", TK_COLUMN_COUNT, TK_ROLE_VALUE, NULL, TK_FOLD_SUM },
    { "total", "Time", TK_COLUMN_DURATION, TK_ROLE_VALUE, NULL, TK_FOLD_SUM },
};
static const struct tk_table interruptions_table = {
    "interruptions",
    "Who interrupted whom",
    TK_TABLE_COLUMNS(interruptions_columns),
    TK_TABLE_LIST,
    "count",
    "How often and how long a context was interrupted, by the context that interrupted it."
};

static void put_interruptions(const struct tk_calls *c, const struct tk_table_sink *sink) {
    tk_table_begin(sink, &interruptions_table);
    for (uint32_t i = 0; i < c->interruption_count; i++) {
        if (!c->interruptions[i].count && !c->interruptions[i].total) continue;
        if (c->contexts[c->interruptions[i].handler]->uncertain || c->contexts[c->interruptions[i].victim]->uncertain)
            continue;
        put_context_name(c, sink, c->interruptions[i].victim);
        put_context_name(c, sink, c->interruptions[i].handler);
        tk_cell_uint(sink, c->interruptions[i].count);
        tk_cell_ticks(sink, c->interruptions[i].total);
    }
    tk_table_end(sink);
}

const struct tk_table *const tk_calls_table_list[] = { &contexts_table, &functions_table, &calls_table,
                                                       &interruptions_table, NULL };

void tk_calls_tables(const struct tk_calls *calls, const struct tk_table_sink *sink) {
    put_contexts(calls, sink);
    put_functions(calls, sink);
    put_pairs(calls, sink);
    put_interruptions(calls, sink);
}
