// SPDX-License-Identifier: MIT
//
// Counters of the load of each core, of its interrupts, and, if they are few, of each interrupt.
#include "rtos_internal.h"

// Units of the counters. The viewer labels a track with its range as an integer with an SI prefix, and 0.3 % as
// "300m %": a load that stays below one unit is in the next smaller one.
static const struct scale {
    const char *unit;
    uint32_t millionths; // per unit
} scales[] = { { "%", 10000 }, { "\xE2\x80\xB0", 1000 }, { "ppm", 1 } };

struct drawing {
    struct tk_timeline *tl;
    const struct tk_stats *stats;
    const struct tk_rtos *rtos;
    struct tk_load_windows windows;
    bool several_cores; // the names of the counters contain the core
};

static bool has_interrupts(const struct tk_load_core *core) { return core && core->interrupts; }

// Returns the number of cores with data: more than two have a group of their own.
static uint32_t count_cores(const struct tk_load *load) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < TK_LOAD_CORES; i++) count += load->cores[i] != NULL;
    return count;
}

// Returns false if the load is unknown: tasks that share buckets are not distinguished, and one of them is an idle
// task.
static bool is_known(const struct drawing *to, const struct tk_load_core *core, uint32_t number) {
    if (core->incomplete || tk_rtos_hides_idle(to->rtos, number)) return false;
    if (core->tasks[TK_LOAD_TASKS - 1])
        for (uint32_t task = TK_LOAD_TASKS - 1; task < to->rtos->task_count; task++)
            if (tk_rtos_is_idle_task(to->rtos, task)) return false;
    for (uint32_t task = 0; task < TK_LOAD_TASKS; task++)
        if (core->tasks[task]) return true;
    return false;
}

static uint64_t busy(const struct drawing *to, const struct tk_load_core *core, uint32_t window) {
    const struct tk_load *load = &to->stats->load;
    uint64_t ns = tk_load_in_window(load, &to->windows, core->interrupts, window);
    for (uint32_t task = 0; task < TK_LOAD_TASKS; task++)
        if (core->tasks[task] && !tk_rtos_is_idle_task(to->rtos, task))
            ns += tk_load_in_window(load, &to->windows, core->tasks[task], window);
    return ns;
}

static bool changes(const struct drawing *to, const uint32_t shares[TK_LOAD_VALUES]) {
    for (uint32_t i = 1; i < to->windows.count; i++)
        if (shares[i] != shares[0]) return true;
    return false;
}

static const struct scale *scale_of(const struct drawing *to, const uint32_t shares[TK_LOAD_VALUES]) {
    uint32_t most = 0;
    const struct scale *scale = scales;
    for (uint32_t i = 0; i < to->windows.count; i++)
        if (shares[i] > most) most = shares[i];
    while (most < scale->millionths && scale->millionths > 1) scale++;
    return scale;
}

// Draws one value per window, unless it equals the one before.
static void draw(const struct drawing *to, const uint32_t shares[TK_LOAD_VALUES], const struct tk_track_spec *spec) {
    const struct scale *scale = scale_of(to, shares);
    struct tk_track_spec own = *spec;
    own.unit = scale->unit;
    uint32_t track = changes(to, shares) ? tk_timeline_add_track(to->tl, &own) : 0;
    for (uint32_t i = 0; track && i < to->windows.count; i++) {
        if (i && shares[i] == shares[i - 1]) continue;
        struct tk_track_event value = { .ticks = to->stats->load.start + to->windows.ns * i / to->windows.tick_ns,
                                        .track = track,
                                        .type = TK_EVENT_COUNTER,
                                        .when = TK_LATE,
                                        .is_double = shares[i] % scale->millionths != 0,
                                        .value = shares[i] / scale->millionths,
                                        .value_double = shares[i] / (double)scale->millionths };
        tk_timeline_event(to->tl, &value);
    }
}

static void draw_row(const struct drawing *to, const struct tk_load_row *row, const struct tk_track_spec *spec) {
    uint32_t shares[TK_LOAD_VALUES];
    for (uint32_t i = 0; i < to->windows.count; i++)
        shares[i] = tk_load_share(&to->windows, tk_load_in_window(&to->stats->load, &to->windows, row, i), i);
    draw(to, shares, spec);
}

static void draw_core(const struct drawing *to, const struct tk_load_core *core, uint32_t parent, uint32_t number) {
    uint32_t shares[TK_LOAD_VALUES];
    struct tk_track_spec spec = { parent,
                                  TK_TRACK_COUNTER,
                                  TK_NONE,
                                  "CPU load",
                                  -1,
                                  TK_RANK_LOAD + 2 * (int32_t)number,
                                  NULL,
                                  "Time in tasks and interrupts; what was not recorded is no load",
                                  to->several_cores ? (uint8_t)(number + 1) : 0 };
    if (is_known(to, core, number)) {
        for (uint32_t i = 0; i < to->windows.count; i++) shares[i] = tk_load_share(&to->windows, busy(to, core, i), i);
        draw(to, shares, &spec);
    }
    spec.title = "Interrupt load";
    spec.description = "Time in interrupts";
    spec.rank++;
    if (core->interrupts) draw_row(to, core->interrupts, &spec);
}

static void draw_each_interrupt(const struct drawing *to, const struct tk_load_core *core, uint32_t number) {
    struct tk_track_spec spec = { tk_timeline_group(to->tl, TK_GROUP_INTERRUPTS),
                                  TK_TRACK_GROUP,
                                  TK_NONE,
                                  "by interrupt",
                                  -1,
                                  TK_RTOS_CORES + (int32_t)number,
                                  NULL,
                                  NULL,
                                  to->several_cores ? (uint8_t)(number + 1) : 0 };
    if (core->isr_count < 2 || core->isr_count > TK_LOAD_ISRS) return;
    spec.parent = tk_timeline_add_track(to->tl, &spec);
    for (uint32_t i = 0; i < core->isr_count; i++) {
        struct tk_track_spec own = { spec.parent,
                                     TK_TRACK_COUNTER,
                                     to->rtos->isrs[core->isr_ids[i]].entity,
                                     NULL,
                                     -1,
                                     0,
                                     NULL,
                                     "Time in this interrupt and those that interrupted it",
                                     0 };
        if (core->isrs[i]) draw_row(to, core->isrs[i], &own);
    }
}

void tk_rtos_draw_load(const struct tk_rtos *rtos, uint64_t tick_ns) {
    struct tk_timeline *tl = rtos->tl;
    const struct tk_stats *stats = rtos->stats;
    const struct tk_load *load = &stats->load;
    uint32_t cores = count_cores(load);
    struct drawing to = { tl, stats, rtos, tk_load_windows(load, stats->end, tick_ns), cores > 1 };
    if (!cores || to.windows.count < 2) return;
    uint32_t parent = tk_timeline_group(tl, cores > 2 ? TK_GROUP_LOAD : TK_GROUP_TARGET);
    for (uint32_t i = 0; i < TK_LOAD_CORES; i++)
        if (load->cores[i]) draw_core(&to, load->cores[i], parent, i);
    for (uint32_t i = 0; i < TK_LOAD_CORES; i++)
        if (has_interrupts(load->cores[i])) draw_each_interrupt(&to, load->cores[i], i);
}
