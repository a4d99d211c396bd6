// SPDX-License-Identifier: MIT
//
// Counters of the load of each core, of its interrupts, and, if they are few, of each interrupt.
#include "rtos_internal.h"

// Unit of the counters below a group. The viewer writes the range of a track as an integer with an SI prefix, and 0.3 %
// as "300m %". Where all loads of a group are below 1 %, they are in parts per million.
struct scale {
    const char *unit;
    uint32_t millionths; // per unit
};
static const struct scale percent = { TK_UNIT_PERCENT, 10000 }, ppm = { "ppm", 1 };

struct drawing {
    struct tk_timeline *tl;
    const struct tk_stats *stats;
    const struct tk_rtos *rtos;
    struct tk_load_windows windows;
    bool several_cores; // the names of the counters contain the core
    const struct scale *scale;
};

typedef uint32_t share_list[TK_LOAD_VALUES]; // share of each window in millionths

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

static void busy_shares(const struct drawing *to, const struct tk_load_core *core, share_list out) {
    for (uint32_t i = 0; i < to->windows.count; i++) out[i] = tk_load_share(&to->windows, busy(to, core, i), i);
}

static void row_shares(const struct drawing *to, const struct tk_load_row *row, share_list out) {
    for (uint32_t i = 0; i < to->windows.count; i++)
        out[i] = tk_load_share(&to->windows, tk_load_in_window(&to->stats->load, &to->windows, row, i), i);
}

static bool reaches_percent(const struct drawing *to, const share_list shares) {
    for (uint32_t i = 0; i < to->windows.count; i++)
        if (shares[i] >= percent.millionths) return true;
    return false;
}

static bool changes(const struct drawing *to, const share_list shares) {
    for (uint32_t i = 1; i < to->windows.count; i++)
        if (shares[i] != shares[0]) return true;
    return false;
}

// Draws one value per window, unless it equals the one before.
static void draw(const struct drawing *to, const share_list shares, const struct tk_track_spec *spec) {
    struct tk_track_spec own = *spec;
    uint32_t per_unit = to->scale->millionths;
    own.unit = to->scale->unit;
    uint32_t track = changes(to, shares) ? tk_timeline_add_track(to->tl, &own) : 0;
    for (uint32_t i = 0; track && i < to->windows.count; i++) {
        if (i && shares[i] == shares[i - 1]) continue;
        struct tk_track_event value = { .ticks = to->stats->load.start + to->windows.ns * i / to->windows.tick_ns,
                                        .track = track,
                                        .type = TK_EVENT_COUNTER,
                                        .when = TK_LATE,
                                        .is_double = shares[i] % per_unit != 0,
                                        .value = shares[i] / per_unit,
                                        .value_double = shares[i] / (double)per_unit };
        tk_timeline_event(to->tl, &value);
    }
}

static void draw_row(const struct drawing *to, const struct tk_load_row *row, const struct tk_track_spec *spec) {
    share_list shares;
    row_shares(to, row, shares);
    draw(to, shares, spec);
}

// The load of a core, which includes its interrupts, or only these if the load is unknown.
static bool core_reaches_percent(const struct drawing *to, const struct tk_load_core *core, uint32_t number) {
    share_list shares;
    if (is_known(to, core, number)) busy_shares(to, core, shares);
    else if (core->interrupts) row_shares(to, core->interrupts, shares);
    else return false;
    return reaches_percent(to, shares);
}

static bool interrupt_reaches_percent(const struct drawing *to, const struct tk_load_core *core) {
    share_list shares;
    for (uint32_t i = 0; i < core->isr_count; i++) {
        if (!core->isrs[i]) continue;
        row_shares(to, core->isrs[i], shares);
        if (reaches_percent(to, shares)) return true;
    }
    return false;
}

static void draw_core(const struct drawing *to, const struct tk_load_core *core, uint32_t parent, uint32_t number) {
    share_list shares;
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
        busy_shares(to, core, shares);
        draw(to, shares, &spec);
    }
    spec.title = "Interrupt load";
    spec.description = "Time in interrupts";
    spec.rank++;
    if (core->interrupts) draw_row(to, core->interrupts, &spec);
}

static void draw_each_interrupt(struct drawing *to, const struct tk_load_core *core, uint32_t number) {
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
    to->scale = interrupt_reaches_percent(to, core) ? &percent : &ppm;
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
    struct drawing to = { tl, stats, rtos, tk_load_windows(load, stats->end, tick_ns), cores > 1, &ppm };
    if (!cores || to.windows.count < 2) return;
    for (uint32_t i = 0; i < TK_LOAD_CORES; i++)
        if (load->cores[i] && core_reaches_percent(&to, load->cores[i], i)) to.scale = &percent;
    uint32_t parent = tk_timeline_group(tl, cores > 2 ? TK_GROUP_LOAD : TK_GROUP_TARGET);
    for (uint32_t i = 0; i < TK_LOAD_CORES; i++)
        if (load->cores[i]) draw_core(&to, load->cores[i], parent, i);
    for (uint32_t i = 0; i < TK_LOAD_CORES; i++)
        if (has_interrupts(load->cores[i])) draw_each_interrupt(&to, load->cores[i], i);
}
