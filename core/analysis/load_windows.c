// SPDX-License-Identifier: MIT
//
// Largest load of each core in any 10 ms and 100 ms, and overload.
//
// The idle time without interrupts is added to a ring of buckets, which last 10 ms together. Ten of them are a bucket
// of a second ring. When a bucket ends, its ring holds the idle time of a window; the smallest one counts. A window
// begins with a bucket, so the load of another one may be larger by the time of one bucket. The time before the core is
// idle for the first time, and windows with a loss, do not count.
#include "../model/tables/columns.h"
#include "findings.h"
#include "internal.h"

enum { SHORT, LONG, RATIO = TK_OVERLOAD_LONG_MS / TK_OVERLOAD_SHORT_MS };
static const uint64_t LATEST = UINT64_MAX / 2; // later times may be damaged; the end of a bucket must not overflow

static uint64_t window_length(const struct tk_load_windows *load, unsigned window) {
    return load->width * TK_RING_BUCKETS * (window == LONG ? RATIO : 1);
}

// ---- Overload ----------------------------------------------------------------------------------

// Windows that overlap are one overload.
static void note_overload(struct tk_analysis *analysis, struct tk_load_windows *load) {
    struct tk_overload *overload = &load->overload;
    struct tk_finding_subject subject = { .rule = TK_FINDER_OVERLOAD, .task = TK_NONE, .entity = TK_NONE };
    struct tk_finding_place place = { overload->since, overload->until - overload->since };
    bool is_longest;
    if (!overload->until) return;
    struct tk_finding *row = tk_finding_note(analysis, &subject, place, &is_longest);
    if (row && is_longest) row->figure = overload->percent;
    *overload = (struct tk_overload){ 0 };
}

static void extend_overload(struct tk_analysis *analysis, struct tk_load_windows *load, uint64_t length,
                            uint64_t idle) {
    struct tk_overload *overload = &load->overload;
    uint64_t since = load->end - length, percent = (length - idle) * 100 / length;
    if (since > overload->until) note_overload(analysis, load);
    if (!overload->until || since < overload->since) overload->since = since;
    if (percent > overload->percent) overload->percent = percent;
    overload->until = load->end;
}

// ---- Buckets -----------------------------------------------------------------------------------

// A window ends with the current bucket.
static void close_window(struct tk_analysis *analysis, struct tk_load_windows *load, unsigned window, uint64_t idle) {
    uint64_t length = window_length(load, window);
    struct tk_least_idle *least = &load->least[window];
    if (load->end - load->from < length) return;
    if (!least->length || idle < least->idle)
        *least = (struct tk_least_idle){ .idle = idle, .at = load->end - length, .length = length };
    if (idle <= length * (100 - TK_OVERLOAD_PERCENT) / 100) extend_overload(analysis, load, length, idle);
}

static void close_bucket(struct tk_analysis *analysis, struct tk_load_windows *load) {
    close_window(analysis, load, SHORT, load->sums[SHORT]);
    load->rings[LONG][load->current[LONG]] += load->rings[SHORT][load->current[SHORT]];
    load->sums[LONG] += load->rings[SHORT][load->current[SHORT]];
    if (++load->part == RATIO) close_window(analysis, load, LONG, load->sums[LONG]);
    for (unsigned ring = SHORT; ring <= (load->part == RATIO ? LONG : SHORT); ring++) {
        uint32_t *next = &load->rings[ring][load->current[ring] = (load->current[ring] + 1) % TK_RING_BUCKETS];
        load->sums[ring] -= *next;
        *next = 0;
    }
    load->part %= RATIO;
    load->end += load->width;
}

// Leaves out so many buckets that the rings are the same afterwards. They are alike if no bucket, or each one, is full,
// and windows of both lengths have ended.
static void skip(struct tk_load_windows *load, uint64_t until) {
    uint64_t step = load->width * RATIO;
    bool had_windows = load->end - load->from > window_length(load, LONG);
    if (had_windows && until - load->end > step) load->end += (until - load->end) / step * step;
}

static bool is_full(const struct tk_load_windows *load) {
    return load->sums[SHORT] == load->width * TK_RING_BUCKETS &&
           load->sums[LONG] == load->width * (TK_RING_BUCKETS - 1) * RATIO + load->width * load->part;
}

// Windows without idle time are overloaded: an overload goes on over those that are left out.
static void skip_busy(struct tk_load_windows *load, uint64_t until) {
    uint64_t before = load->end;
    skip(load, until);
    if (load->overload.until) load->overload.until += load->end - before;
}

// Ends buckets until `at` lies in the current one.
static void advance(struct tk_analysis *analysis, struct tk_load_windows *load, uint64_t at) {
    while (at >= load->end) {
        if (!load->sums[SHORT] && !load->sums[LONG]) skip_busy(load, at);
        close_bucket(analysis, load);
    }
}

static void add_to_bucket(struct tk_load_windows *load, uint64_t idle) {
    load->rings[SHORT][load->current[SHORT]] += (uint32_t)idle;
    load->sums[SHORT] += idle;
}

static void add_idle(struct tk_analysis *analysis, struct tk_load_windows *load, uint64_t from, uint64_t to) {
    while (to > load->end) {
        add_to_bucket(load, load->end - from);
        if (is_full(load)) skip(load, to);
        from = load->end;
        close_bucket(analysis, load);
    }
    add_to_bucket(load, to - from);
}

// ---- Idle time ---------------------------------------------------------------------------------

// Returns true if a loss ended the rings, and the core was not idle since.
static bool has_lost(const struct tk_analysis *analysis, const struct tk_load_windows *load) {
    return load->epoch != TK_PROVEN_NEVER && load->epoch != analysis->epoch;
}

// Starts the rings of a core. Without the length of a tick, or with fewer ticks than the windows need, there are none.
static void begin(struct tk_analysis *analysis, struct tk_load_windows *load, uint64_t at) {
    struct tk_least_idle least[TK_LOAD_WINDOWS] = { load->least[SHORT], load->least[LONG] };
    uint64_t losses = load->losses + has_lost(analysis, load);
    note_overload(analysis, load); // the one before the loss
    uint64_t width = tk_analysis_ticks_of_ms(analysis, TK_OVERLOAD_SHORT_MS) / TK_RING_BUCKETS;
    *load = (struct tk_load_windows){ .from = at, .end = at + width, .width = width, .epoch = analysis->epoch };
    load->least[SHORT] = least[SHORT];
    load->least[LONG] = least[LONG];
    load->losses = losses;
}

// Returns true for a time that is not before the current bucket.
static bool is_countable(const struct tk_load_windows *load, uint64_t at) {
    return load->width >= TK_LOAD_LEAST_WIDTH && at >= load->end - load->width && at <= LATEST;
}

void tk_windows_idle_begins(struct tk_analysis *analysis, uint32_t core, uint64_t at) {
    struct tk_core_runs *runs = tk_causes_core(analysis, core);
    if (runs && !runs->load) runs->load = tk_alloc_zero(analysis->alloc, sizeof *runs->load);
    struct tk_load_windows *load = tk_windows_of(analysis, core);
    if (!load) return; // out of memory, or a core that is not analysed
    if (load->epoch != analysis->epoch) begin(analysis, load, at);
    analysis->has_idle = true;
    load->idle_since = at;
    load->is_idle = is_countable(load, at);
    if (load->is_idle && at >= load->end) advance(analysis, load, at);
}

static void end_idle(struct tk_analysis *analysis, struct tk_load_windows *load, uint64_t at) {
    bool is_known = load->is_idle && load->epoch == analysis->epoch;
    load->is_idle = false;
    if (is_known && at > load->idle_since && at <= LATEST) add_idle(analysis, load, load->idle_since, at);
}

void tk_windows_idle_ends(struct tk_analysis *analysis, uint32_t core, uint64_t at) {
    struct tk_load_windows *load = tk_windows_of(analysis, core);
    if (!load) return;
    end_idle(analysis, load, at);
    load->is_paused = false;
}

void tk_windows_interrupt(struct tk_analysis *analysis, struct tk_load_windows *load, uint64_t at) {
    load->is_paused = load->is_idle;
    end_idle(analysis, load, at);
}

void tk_windows_interrupt_ends(struct tk_analysis *analysis, struct tk_load_windows *load, uint64_t at) {
    load->is_paused = false;
    if (load->epoch != analysis->epoch || !is_countable(load, at)) return;
    load->is_idle = true;
    load->idle_since = at;
    if (at >= load->end) advance(analysis, load, at);
}

// ---- Losses, sections, time ranges -------------------------------------------------------------

TK_COLD void tk_windows_end_section(struct tk_analysis *analysis, uint64_t at) {
    for (uint32_t core = 0; core < TK_ANALYSED_CORES; core++) {
        struct tk_load_windows *load = tk_windows_of(analysis, core);
        if (!load || load->width < TK_LOAD_LEAST_WIDTH) continue;
        if (load->epoch == analysis->epoch && load->is_idle) end_idle(analysis, load, at);
        if (load->epoch == analysis->epoch && at >= load->end && at <= LATEST) advance(analysis, load, at);
        load->losses += has_lost(analysis, load);
        load->epoch = TK_PROVEN_NEVER;
        load->is_idle = load->is_paused = false;
        note_overload(analysis, load);
    }
}

TK_COLD void tk_windows_begin_stats(struct tk_analysis *analysis) {
    for (uint32_t core = 0; core < TK_ANALYSED_CORES; core++) {
        struct tk_load_windows *load = tk_windows_of(analysis, core);
        if (load) *load = (struct tk_load_windows){ .epoch = TK_PROVEN_NEVER };
    }
}

// ---- The table ---------------------------------------------------------------------------------

static const struct tk_column load_windows_columns[] = {
    NAME("name", "Core"),
    COUNT("losses", "Losses", TK_ROLE_VALUE),
    SHARE("load_10ms_max", "Largest load in 10 ms", TK_FOLD_MAX),
    MOMENT("load_10ms_max_at"),
    SHARE("load_100ms_max", "Largest load in 100 ms", TK_FOLD_MAX),
    MOMENT("load_100ms_max_at"),
};
const struct tk_table tk_load_windows_table = {
    "load_windows",
    "Largest load",
    TK_TABLE_COLUMNS(load_windows_columns),
    TK_TABLE_LIST,
    NULL,
    "Largest load of each core, tasks, active objects and interrupts, in any 10 ms and any 100 ms, at least."
};

TK_COLD void tk_windows_tables(const struct tk_analysis *analysis, const struct tk_table_sink *sink) {
    char room[24];
    tk_table_begin(sink, &tk_load_windows_table);
    for (uint32_t core = 0; core < TK_ANALYSED_CORES; core++) {
        if (!analysis->cores[core]) continue;
        struct tk_text name = tk_text_in(room, sizeof room);
        const struct tk_load_windows *load = analysis->cores[core]->load;
        tk_text_add(&name, "core ");
        tk_text_u64(&name, core);
        tk_cell_text(sink, name.text, name.len);
        tk_cell_uint_if(sink, load != NULL, load ? load->losses : 0);
        for (unsigned window = SHORT; window <= LONG; window++) {
            const struct tk_least_idle *least = load ? &load->least[window] : NULL;
            bool is_known = least && least->length;
            if (is_known) tk_cell_share(sink, least->length - least->idle, least->length);
            else tk_cell_none(sink);
            tk_cell_ticks_if(sink, is_known, is_known ? least->at : 0);
        }
    }
    tk_table_end(sink);
}
