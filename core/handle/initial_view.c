// SPDX-License-Identifier: MIT
#include "initial_view.h"

#include "perfetto/packet.h"
#include "perfetto/sched.h"

#include <string.h>

// Heights in pixels of the viewer. A window 1100 pixels high has 875 for tracks; the tasks get at least ROOM_FOR_TASKS
// of them, at the bottom.
enum {
    ROOM = 875,
    ROOM_FOR_TASKS = 270,
    HEADER = 18,
    SLICES = 24,
    NESTED = 18,
    COUNTER = 40,
    STATE = 18,
    CPU = 30,
    CLOSED_TASK = 40,
    LOG = 400,                   // the track and the open list of log messages
    ADDED_BY_VIEWER = 3 * HEADER // closed groups
};
enum { MAX_PINNED = 8 }; // number of cores

struct space {
    uint32_t groups[TK_GROUPS]; // height that opening a group takes
    uint32_t each_interrupt;    // height of the groups below the interrupts
    uint32_t direct;            // height of the tracks of the target outside of any group
    uint32_t constants;         // bit per group: the group contains a closed one with counters that never change
    uint32_t left;
    bool in_rows; // `left` counts rows, not pixels
};

static uint32_t height(const struct tk_track *track) {
    if (track->kind == TK_TRACK_GROUP) return HEADER;
    if (track->kind == TK_TRACK_COUNTER) return COUNTER;
    return SLICES + (track->deepest > 1 ? (track->deepest - 1u) * NESTED : 0);
}

// Returns true for a custom track of the format.
static bool is_format_track(const struct tk_timeline *tl, const struct tk_track *track) {
    return track->entity != TK_NONE && tl->names.entities[track->entity].type == TK_ENTITY_TRACK;
}

static void add_track(const struct tk_timeline *tl, uint32_t id, struct space *space) {
    const struct tk_track *track = &tl->tracks[id - 1];
    uint32_t group = tk_timeline_group_of(tl, track->parent);
    if (track->has_group && track->values < 2) space->constants |= 1u << group;
    else if (group == TK_GROUP_TARGET) space->direct += height(track);
    else if (group < TK_GROUPS) space->groups[group] += height(track);
    else if (is_format_track(tl, track)) space->direct += track->parent ? 0 : HEADER;
    else if (track->parent && track->pid < 0 && tl->tracks[track->parent - 1].kind == TK_TRACK_GROUP)
        space->each_interrupt += height(track);
}

static bool is_drawn(const struct tk_timeline_task *task) { return task->shown || task->thread_track; }

static uint32_t task_height(const struct tk_timeline *tl, const struct tk_timeline_task *task) {
    uint32_t sum =
        HEADER + (task->shown ? STATE : 0) + (task->thread_track ? height(&tl->tracks[task->thread_track - 1]) : 0);
    if (task->idle) return task->thread_track ? CLOSED_TASK : 0;
    if (!task->thread_track) return sum;
    for (uint32_t id = 1; id <= tl->track_count; id++)
        if (tl->tracks[id - 1].parent == task->thread_track) sum += height(&tl->tracks[id - 1]);
    return sum;
}

// Returns the height reserved for the tasks: all that they need, up to ROOM_FOR_TASKS.
static uint32_t room_for_tasks(const struct tk_timeline *tl) {
    uint32_t sum = 0;
    for (uint32_t i = 0; i < tl->task_count && sum < ROOM_FOR_TASKS; i++)
        if (is_drawn(&tl->tasks[i])) sum += task_height(tl, &tl->tasks[i]);
    return sum < ROOM_FOR_TASKS ? sum : ROOM_FOR_TASKS;
}

static uint32_t count_scheduling_cores(const struct tk_timeline *tl) {
    uint32_t cores = 0;
    for (uint32_t i = 0; i < tl->task_count; i++)
        if (tl->tasks[i].shown && tl->tasks[i].shown_core + 1u > cores) cores = tl->tasks[i].shown_core + 1u;
    return cores;
}

static bool open_if_room(struct space *space, uint32_t needed) {
    bool fits = needed && needed <= space->left;
    if (fits) space->left -= needed;
    return fits;
}

static void expand_group(enum tk_group group, struct space *space, struct tk_text *text) {
    if (!open_if_room(space, space->groups[group] + (space->constants >> group & 1) * HEADER)) return;
    if (group == TK_GROUP_INTERRUPTS && space->each_interrupt > space->left) space->each_interrupt = 0;
    tk_text_add(text, "|");
    tk_text_add(text, tk_timeline_group_title(group));
}

// Expands the groups that fit, with a pattern such as "^(Target|Interrupts)$".
static void expand_groups(struct tk_initial_view *view, const struct tk_timeline *tl, struct space *space) {
    struct tk_text text = tk_text_in(view->text[0], TK_VIEW_TEXT);
    tk_text_add(&text, tl->note[0] ? "^(Target \\(.*\\)" : "^(Target");
    expand_group(TK_GROUP_LOAD, space, &text);
    for (uint32_t i = 0; i < tl->order->opened; i++) expand_group((enum tk_group)tl->order->groups[i], space, &text);
    if (open_if_room(space, space->each_interrupt)) tk_text_add(&text, "|by interrupt(, core \\d+)?");
    tk_text_add(&text, ")$");
    view->expand[view->expand_count++] = text.text;
}

// Largest number of custom tracks that are expanded, and that are examined for it.
enum { MAX_EXPANDED = 32, MAX_EXAMINED = 8 * MAX_EXPANDED };
enum { ROWS = 60 }; // visible rows without tasks: the viewer scrolls

static uint32_t children_height(const struct tk_timeline *tl, uint32_t parent, const struct space *space) {
    uint32_t sum = 0;
    for (uint32_t id = parent + 1; id <= tl->track_count; id++)
        if (tl->tracks[id - 1].parent == parent && tl->tracks[id - 1].pid < 0)
            sum += space->in_rows ? 1 : height(&tl->tracks[id - 1]);
    return sum;
}

// Writes the name of a track as a regular expression.
static void put_pattern(const struct tk_timeline *tl, const struct tk_track *track, struct tk_text *text) {
    char name[TK_DISPLAY_LEN];
    size_t name_len = tk_names_display(&tl->names, track->entity, name);
    for (size_t i = 0; i < name_len; i++) {
        if (strchr("\\^$.|?*+()[]{}", name[i])) tk_text_char(text, '\\');
        tk_text_char(text, name[i]);
    }
    if (track->show_number) tk_text_add(text, " #"), tk_text_u64(text, tl->names.entities[track->entity].id);
}

// Custom tracks to expand: the pattern and the tracks.
struct expansion {
    const struct tk_timeline *tl;
    struct space *space;
    struct tk_text text;
    uint32_t expanded[MAX_EXPANDED], count, examined;
};

static bool is_expanded(const struct expansion *expansion, uint32_t id) {
    uint32_t at = expansion->count;
    while (at && expansion->expanded[at - 1] != id) at--;
    return at > 0;
}

static bool is_ordered_before(const struct tk_timeline *tl, uint32_t a, uint32_t b) {
    int32_t rank_a = tl->tracks[a - 1].rank, rank_b = tl->tracks[b - 1].rank;
    return rank_a != rank_b ? rank_a < rank_b : a < b;
}

// Returns the next track below `parent`, in order, that contains others; after 0: the first; 0: no more.
static uint32_t next_child(const struct expansion *expansion, uint32_t parent, bool groups, uint32_t after) {
    uint32_t best = 0;
    for (uint32_t id = 1; id <= expansion->tl->track_count; id++) {
        const struct tk_track *track = &expansion->tl->tracks[id - 1];
        bool is_candidate = track->parent == parent && is_format_track(expansion->tl, track) &&
                            (track->kind == TK_TRACK_GROUP) == groups && track->kind != TK_TRACK_COUNTER;
        if (is_candidate && (!after || is_ordered_before(expansion->tl, after, id)) &&
            (!best || is_ordered_before(expansion->tl, id, best)))
            best = id;
    }
    return best;
}

static bool expand_if_group(struct expansion *expansion, uint32_t id) {
    bool has_place = expansion->count < MAX_EXPANDED && expansion->examined < MAX_EXAMINED &&
                     expansion->text.room >= 2 * TK_DISPLAY_LEN + 32;
    expansion->examined++;
    if (!has_place || !open_if_room(expansion->space, children_height(expansion->tl, id, expansion->space)))
        return false;
    if (expansion->count) tk_text_add(&expansion->text, "|");
    put_pattern(expansion->tl, &expansion->tl->tracks[id - 1], &expansion->text);
    expansion->expanded[expansion->count++] = id;
    return true;
}

// Expands the tracks below an expanded one, recursively. Called first for groups only, then for tracks that contain
// tracks.
static void expand_below(struct expansion *expansion, uint32_t parent, bool groups, unsigned depth) {
    enum { DEEPEST = 16 };
    if (!groups)
        for (uint32_t id = next_child(expansion, parent, false, 0); id && expansion->examined < MAX_EXAMINED;
             id = next_child(expansion, parent, false, id))
            if (is_expanded(expansion, id) || expand_if_group(expansion, id))
                expand_below(expansion, id, false, depth + 1);
    for (uint32_t id = next_child(expansion, parent, true, 0);
         id && depth < DEEPEST && expansion->examined < MAX_EXAMINED; id = next_child(expansion, parent, true, id))
        if (groups ? expand_if_group(expansion, id) : is_expanded(expansion, id))
            expand_below(expansion, id, groups, depth + 1);
}

// Expands custom tracks of the format in their order, each if it fits into the remaining room: first groups, then
// tracks that contain tracks (structs).
static void expand_format_tracks(struct tk_initial_view *view, const struct tk_timeline *tl, struct space *space) {
    struct expansion expansion = { .tl = tl, .space = space, .text = tk_text_in(view->text[2], TK_VIEW_TEXT) };
    tk_text_add(&expansion.text, "^(");
    for (int groups = 1; groups >= 0; groups--) {
        expansion.examined = 0;
        expand_below(&expansion, 0, groups, 0);
        if (tl->groups[TK_GROUP_TARGET]) expand_below(&expansion, tl->groups[TK_GROUP_TARGET], groups, 0);
    }
    tk_text_add(&expansion.text, ")$");
    if (expansion.count) view->expand[view->expand_count++] = expansion.text.text;
}

// Sets `tasks` to the busiest tasks and returns their number.
static uint32_t busiest(const struct tk_model *model, uint32_t tasks[TK_VIEW_TASKS]) {
    const struct tk_timeline *tl = &model->timeline;
    uint64_t times[TK_VIEW_TASKS];
    uint32_t count = 0;
    for (uint32_t i = 0; i < tl->task_count; i++) {
        bool is_over = model->rtos && tk_rtos_is_ended_context(model->rtos, i); // a context that ended before the
                                                                                // scheduler started
        if (!is_drawn(&tl->tasks[i]) || tl->tasks[i].idle || is_over) continue;
        uint64_t time = tk_stats_running(&model->stats, i);
        bool full = count == TK_VIEW_TASKS;
        uint32_t at = full ? TK_VIEW_TASKS - 1 : count++;
        if (full && times[at] >= time) continue;
        for (; at && times[at - 1] < time; at--) tasks[at] = tasks[at - 1], times[at] = times[at - 1];
        tasks[at] = i, times[at] = time;
    }
    return count;
}

static void put_pid(struct tk_text *text, int32_t pid) {
    tk_text_add(text, text->len ? "|" : " (");
    tk_text_i64(text, pid);
}

// Expands the samples of the cores and the busiest tasks, with a pattern such as " (3|301|304)$": the viewer shows the
// pid after the name.
static void expand_tasks(struct tk_initial_view *view, const struct tk_model *model) {
    uint32_t tasks[TK_VIEW_TASKS], count = busiest(model, tasks);
    struct tk_text text = tk_text_in(view->text[1], TK_VIEW_TEXT);
    int32_t cores = 0;
    for (uint32_t id = 1; id <= model->timeline.track_count && cores < TK_SCHED_CORES; id++)
        if (model->timeline.tracks[id - 1].kind == TK_TRACK_SAMPLES) put_pid(&text, TK_PID_SAMPLES + cores++);
    for (uint32_t i = 0; i < count; i++) put_pid(&text, model->timeline.tasks[tasks[i]].pid);
    if (!text.len) return;
    tk_text_add(&text, ")$");
    view->expand[view->expand_count++] = text.text;
}

static void pin_cores(struct tk_initial_view *view, uint32_t cores) {
    if (!cores) return;
    view->pin[view->pin_count++] = cores > MAX_PINNED ? "^CPU [0-7] Scheduling$" : "^CPU \\d+ Scheduling$";
    view->collapse[view->collapse_count++] = "^CPU Scheduling$"; // the pinned tracks above replace it
}

// Pins the tracks of lost and unrecorded events, so that they are always visible.
static void pin_gaps(struct tk_initial_view *view, const struct tk_model *model) {
    bool gaps = model->not_recorded_track;
    for (uint32_t core = 0; core < TK_RTOS_CORES; core++) gaps |= model->lost_tracks[core] > 0;
    if (gaps) view->pin[view->pin_count++] = "^(Lost events(, core \\d+)?|Not recorded)$";
}

// Pins the track of problems. Recordings of signals have no CPU tracks, where problems would be visible.
static void pin_problems(struct tk_initial_view *view, const struct tk_model *model) {
    if (model->problems_track) view->pin[view->pin_count++] = "^Problems$";
}

void tk_initial_view_choose(struct tk_initial_view *view, const struct tk_model *model) {
    const struct tk_timeline *tl = &model->timeline;
    struct space space = { .left = ROOM };
    uint32_t cores = count_scheduling_cores(tl), pinned = cores > MAX_PINNED ? MAX_PINNED : cores;
    view->expand_count = view->collapse_count = view->pin_count = 0;
    for (uint32_t id = 1; id <= tl->track_count; id++) add_track(tl, id, &space);
    uint32_t taken = pinned * CPU + (cores ? HEADER : 0) + ADDED_BY_VIEWER + HEADER + (tl->has_log ? LOG : 0) +
                     space.direct + room_for_tasks(tl);
    space.left = taken < ROOM ? ROOM - taken : 0;
    expand_groups(view, tl, &space);
    if (!tl->task_count) space.left = ROWS, space.in_rows = true;
    expand_format_tracks(view, tl, &space);
    expand_tasks(view, model);
    pin_cores(view, cores);
    pin_gaps(view, model);
    if (!tl->task_count) pin_problems(view, model);
}
