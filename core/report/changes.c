// SPDX-License-Identifier: MIT
#include "changes.h"

#include "cell_text.h"
#include "row_match.h"

const char *const tk_change_verdicts[TK_CHANGE_VERDICTS] = { [TK_CHANGE_WORSE] = "worse",
                                                             [TK_CHANGE_BETTER] = "better",
                                                             [TK_CHANGE_OTHER] = "changed",
                                                             [TK_CHANGE_NEW] = "new",
                                                             [TK_CHANGE_GONE] = "gone",
                                                             [TK_CHANGE_NOISE] = "within noise",
                                                             [TK_CHANGE_NOT_JUDGED] = "not judged" };

// Where a judged figure and its noise are. Lower values are better, except if is_neutral.
struct figure {
    const char *table, *of, *key, *title, *typical, *spread, *count, *unmeasured;
    uint8_t kind; // enum tk_column_kind
    const char *unit;
    bool is_neutral;
    bool is_longest; // a maximum: it depends on the number of jobs
    bool is_rate;    // needs all occurrences
};

static const struct figure figures[] = {
    { "job_noise", "task", "response_mean", "mean response", "response_typical", "response_spread", "jobs",
      "jobs_unmeasured", TK_COLUMN_DURATION, NULL, false, false, false },
    { "job_noise", "task", "response_longest", "longest response", "longest_typical", "longest_spread", "jobs",
      "jobs_unmeasured", TK_COLUMN_DURATION, NULL, false, true, false },
    { "job_noise", "task", "net_mean", "execution per job", "net_typical", "net_spread", "jobs", "jobs_unmeasured",
      TK_COLUMN_DURATION, NULL, false, false, false },
    { "tasks", "task", "share", "CPU", "share_typical", "share_spread", "runs", "runs_unmeasured", TK_COLUMN_SHARE,
      NULL, false, false, true },
    { "job_noise", "task", "rate", "jobs per second", "rate_typical", "rate_spread", "jobs", "jobs_unmeasured",
      TK_COLUMN_NUMBER, "/s", true, false, true },
    { "interrupts", "interrupt", "share", "CPU", "share_typical", "share_spread", "count", "count_unmeasured",
      TK_COLUMN_SHARE, NULL, false, false, true },
};

struct side {
    const tk_report *report;
    const struct tk_report_table *table;
    uint32_t row; // UINT32_MAX: this report has no such row
    bool is_known;
    double value, spread;
    uint64_t count, unmeasured;
};

struct change {
    const struct figure *figure;
    struct tk_cell name;
    struct side before, after;
    enum tk_change_verdict verdict;
    const char *reason;
    double change, least; // relative; least: the smallest change that would be seen
    double weight, rank;  // rank: of the row
    double group_rank;    // largest rank of the rows of the same name
};

struct list {
    tk_report *to;
    const tk_report *before, *after;
    bool same_times;
    struct change *changes;
    uint32_t count, capacity;
    struct tk_idmap tasks[2]; // rows of the table "tasks" of both reports by name
};

// ---- Reading -----------------------------------------------------------------------------------

static bool number_of(const struct tk_cell *cell, double *out) {
    *out = cell->type == TK_CELL_DOUBLE ? cell->d : cell->type == TK_CELL_UINT ? (double)cell->u : 0;
    return cell->type == TK_CELL_DOUBLE || cell->type == TK_CELL_UINT;
}

static uint64_t count_of(const struct tk_cell *cell) { return cell->type == TK_CELL_UINT ? cell->u : 0; }

static const struct tk_report_table *table_of(const tk_report *report, const char *id) {
    return tk_report_table(report, id, strlen(id));
}

static struct side side_of(const tk_report *report, const struct figure *figure, uint32_t row) {
    struct side side = { .report = report, .table = table_of(report, figure->table), .row = row };
    double scale = figure->kind == TK_COLUMN_SHARE ? 1e-6 : 1;
    side.is_known = number_of(tk_report_cell_of(side.table, row, figure->typical), &side.value) &&
                    number_of(tk_report_cell_of(side.table, row, figure->spread), &side.spread);
    side.value *= scale;
    side.spread *= scale;
    side.count = count_of(tk_report_cell_of(side.table, row, figure->count));
    side.unmeasured = count_of(tk_report_cell_of(side.table, row, figure->unmeasured));
    return side;
}

static void index_tasks(struct list *list, unsigned side, const tk_report *report) {
    const struct tk_report_table *tasks = table_of(report, "tasks");
    for (uint32_t row = 0; tasks && row < tk_report_rows(tasks); row++) {
        const struct tk_cell *name = tk_report_cell(tasks, row, 0);
        if (name->type == TK_CELL_TEXT) tk_idmap_set(&list->tasks[side], &list->to->alloc, tk_row_name(name, 0), row);
    }
}

// Returns the larger CPU share of a task in both reports; 1 if it is unknown.
static double weight_of(const struct list *list, const struct tk_cell *name) {
    const tk_report *reports[] = { list->before, list->after };
    double weight = -1, share;
    for (unsigned i = 0; i < 2; i++) {
        uint32_t row = tk_idmap_find(&list->tasks[i], tk_row_name(name, 0));
        if (number_of(tk_report_cell_of(table_of(reports[i], "tasks"), row, "share"), &share) && share * 1e-6 > weight)
            weight = share * 1e-6;
    }
    return weight < 0 ? 1 : weight;
}

// ---- Judging -----------------------------------------------------------------------------------

// Up to two occurrences are cut by the ends of the recording.
static bool misses_many(const struct side *side) {
    return side->unmeasured > 2 && side->unmeasured > side->count / 100;
}

static bool misses_time(const struct side *side) {
    double share;
    return number_of(tk_report_cell_of(table_of(side->report, "cpu"), 0, "unmeasured"), &share) && share > 10000;
}

static const char *why_not_judged(const struct list *list, const struct figure *figure, const struct side *before,
                                  const struct side *after) {
    if (!list->same_times && figure->kind != TK_COLUMN_SHARE) return "the times of the recordings cannot be compared";
    if (misses_many(before) || misses_many(after)) return "more than 1 % of a recording was not measured";
    if (figure->is_rate && (misses_time(before) || misses_time(after)))
        return "more than 1 % of the time of a recording was not measured";
    if (!before->is_known) return "the first recording has too few values to know the noise";
    if (!after->is_known) return "the second recording has too few values to know the noise";
    if (figure->is_longest && (before->count / 2 > after->count || after->count / 2 > before->count))
        return "one recording has less than half of the jobs of the other one";
    return NULL;
}

static void judge(struct change *change) {
    double from = change->before.value, to = change->after.value, difference = to - from;
    double size = difference < 0 ? -difference : difference, base = from > to ? from : to;
    double limit = 2 * (change->before.spread + change->after.spread);
    if (from > 0) change->change = difference / from;
    if (from > 0) change->least = limit / from > 0.01 ? limit / from : 0.01;
    if (size <= limit || size <= 0.01 * base) {
        change->verdict = TK_CHANGE_NOISE;
        return;
    }
    change->verdict = change->figure->is_neutral ? TK_CHANGE_OTHER
                      : difference > 0           ? TK_CHANGE_WORSE
                                                 : TK_CHANGE_BETTER;
    // A change of a share counts as it is; other changes in proportion to the CPU time of the task, maxima half.
    double relative = (from > 0 ? size / from : 1) * (change->figure->is_longest ? 0.5 : 1);
    change->rank = change->figure->kind == TK_COLUMN_SHARE ? size : relative * change->weight;
}

static struct change *add(struct list *list, const struct figure *figure, const struct tk_cell *name) {
    if (!tk_alloc_grow(&list->to->alloc, (void **)&list->changes, &list->capacity, list->count + 1,
                       sizeof *list->changes))
        return NULL;
    struct change *change = &list->changes[list->count++];
    *change = (struct change){ .figure = figure, .name = *name, .reason = "" };
    change->before.row = change->after.row = UINT32_MAX;
    return change;
}

static void add_figure(struct list *list, const struct figure *figure, uint32_t before, uint32_t after) {
    const struct tk_report_table *table = table_of(list->after, figure->table);
    const struct tk_cell *name = tk_report_cell(table, after, 0);
    const struct tk_cell *idle = tk_report_cell_of(table, after, "idle");
    if (name->type != TK_CELL_TEXT || (idle->type == TK_CELL_UINT && idle->u)) return;
    struct change *change = add(list, figure, name);
    if (!change) return;
    change->before = side_of(list->before, figure, before);
    change->after = side_of(list->after, figure, after);
    change->weight = strcmp(figure->of, "task") == 0 ? weight_of(list, name) : 1;
    const char *reason = why_not_judged(list, figure, &change->before, &change->after);
    if (!reason) judge(change);
    else change->verdict = TK_CHANGE_NOT_JUDGED, change->reason = reason;
}

static void add_only(struct list *list, const struct figure *figure, const tk_report *report, uint32_t row,
                     bool is_after) {
    const struct tk_cell *name = tk_report_cell(table_of(report, figure->table), row, 0);
    struct change *change = name->type == TK_CELL_TEXT ? add(list, figure, name) : NULL;
    if (!change) return;
    change->verdict = is_after ? TK_CHANGE_NEW : TK_CHANGE_GONE;
    *(is_after ? &change->after : &change->before) = side_of(report, figure, row);
}

typedef void pair_fn(struct list *list, const struct figure *figure, uint32_t before, uint32_t after);

// Calls `put` with the rows of both reports that have the same name; UINT32_MAX: only one of them has the row.
static void for_each_pair(struct list *list, const struct figure *figure, pair_fn *put) {
    const struct tk_report_table *before = table_of(list->before, figure->table),
                                 *after = table_of(list->after, figure->table);
    struct tk_alloc *alloc = &list->to->alloc;
    if (!before || !after) return;
    struct tk_idmap *rows_before = tk_row_index_new(before, alloc), *rows_after = tk_row_index_new(after, alloc);
    struct tk_idmap *seen_before = tk_alloc_zero(alloc, sizeof *seen_before),
                    *seen_after = tk_alloc_zero(alloc, sizeof *seen_after);
    bool is_ready = rows_before && rows_after && seen_before && seen_after;
    for (uint32_t row = 0; is_ready && row < tk_report_rows(after); row++)
        put(list, figure, tk_idmap_find(rows_before, tk_row_key(seen_after, alloc, after, row)), row);
    for (uint32_t row = 0; is_ready && row < tk_report_rows(before); row++)
        if (tk_idmap_find(rows_after, tk_row_key(seen_before, alloc, before, row)) == TK_NONE)
            put(list, figure, row, UINT32_MAX);
    tk_row_index_free(rows_before, alloc);
    tk_row_index_free(rows_after, alloc);
    tk_row_index_free(seen_before, alloc);
    tk_row_index_free(seen_after, alloc);
}

// A task or interrupt that only one recording contains has one row, for its CPU share.
static void put_pair(struct list *list, const struct figure *figure, uint32_t before, uint32_t after) {
    if (before != UINT32_MAX && after != UINT32_MAX) add_figure(list, figure, before, after);
    else if (strcmp(figure->key, "share") == 0)
        add_only(list, figure, after == UINT32_MAX ? list->before : list->after, after == UINT32_MAX ? before : after,
                 after != UINT32_MAX);
}

enum { MOST_RULES = 64 }; // more than there are

static bool is_examined(const tk_report *report, const struct tk_cell *rule) {
    const struct tk_report_table *table = table_of(report, "not_examined");
    for (uint32_t row = 0; table && row < tk_report_rows(table) && row < MOST_RULES; row++) {
        const struct tk_cell *own = tk_report_cell_of(table, row, "rule");
        if (own->type == TK_CELL_TEXT && own->len == rule->len && !memcmp(own->text, rule->text, rule->len))
            return false;
    }
    return true;
}

// Findings that only one recording has. A rule that was not examined in the other one proves nothing.
static void put_finding(struct list *list, const struct figure *figure, uint32_t before, uint32_t after) {
    if (before != UINT32_MAX && after != UINT32_MAX) return;
    bool is_after = after != UINT32_MAX;
    const tk_report *own = is_after ? list->after : list->before, *other = is_after ? list->before : list->after;
    const struct tk_report_table *table = table_of(own, figure->table);
    uint32_t row = is_after ? after : before;
    const struct tk_cell *who = tk_report_cell_of(table, row, "who"), *rule = tk_report_cell_of(table, row, "rule");
    if (who->type != TK_CELL_TEXT || rule->type != TK_CELL_TEXT || !is_examined(other, rule)) return;
    struct change *change = add(list, figure, who);
    if (!change) return;
    change->verdict = is_after ? TK_CHANGE_NEW : TK_CHANGE_GONE;
    struct side *side = is_after ? &change->after : &change->before;
    side->report = own;
    side->table = table;
    side->row = row;
}

static const struct figure finding = { .table = "findings", .of = "finding", .key = "finding", .title = "finding" };

// ---- Order -------------------------------------------------------------------------------------

// The order of the parts of the list: changes, then what only one side has, then the others.
static unsigned part_of(const struct change *change) {
    return change->verdict <= TK_CHANGE_OTHER ? 0 : change->verdict;
}

static int compare_names(const struct change *a, const struct change *b) {
    int order = strcmp(a->figure->of, b->figure->of);
    uint32_t len = a->name.len < b->name.len ? a->name.len : b->name.len;
    if (!order) order = memcmp(a->name.text, b->name.text, len);
    return order ? order : a->name.len < b->name.len ? -1 : a->name.len > b->name.len;
}

static int compare_changes(const struct change *a, const struct change *b) {
    if (part_of(a) != part_of(b)) return part_of(a) < part_of(b) ? -1 : 1;
    if (a->group_rank != b->group_rank) return a->group_rank > b->group_rank ? -1 : 1;
    int order = part_of(a) == 0 ? compare_names(a, b) : 0;
    if (order) return order;
    if (a->rank != b->rank) return a->rank > b->rank ? -1 : 1;
    return a->figure < b->figure ? -1 : a->figure > b->figure;
}

// Returns true if the row at index `a` comes before that at `b`.
static bool is_first(const struct list *list, uint32_t a, uint32_t b) {
    int order = compare_changes(&list->changes[a], &list->changes[b]);
    return order ? order < 0 : a < b;
}

static void sift(const struct list *list, uint32_t *order, uint32_t at, uint32_t count) {
    for (uint32_t child; (child = 2 * at + 1) < count; at = child) {
        if (child + 1 < count && is_first(list, order[child], order[child + 1])) child++;
        if (!is_first(list, order[at], order[child])) return;
        uint32_t other = order[at];
        order[at] = order[child];
        order[child] = other;
    }
}

// Heap sort.
static void sort(const struct list *list, uint32_t *order) {
    uint32_t count = list->count;
    for (uint32_t i = 0; i < count; i++) order[i] = i;
    for (uint32_t i = count / 2; i--;) sift(list, order, i, count);
    while (count > 1) {
        uint32_t last = order[--count];
        order[count] = order[0];
        order[0] = last;
        sift(list, order, 0, count);
    }
}

// All rows of a name follow each other, ranked by the most important one.
static void rank_groups(struct list *list) {
    struct tk_idmap groups = { 0 };
    for (unsigned pass = 0; pass < 2; pass++) {
        for (uint32_t i = 0; i < list->count; i++) {
            struct change *change = &list->changes[i];
            uint64_t name = tk_row_name(&change->name, (uint64_t)change->figure->of[0]);
            uint32_t first = tk_idmap_find(&groups, name);
            if (first == TK_NONE) tk_idmap_set(&groups, &list->to->alloc, name, first = i);
            struct change *group = &list->changes[first];
            if (pass == 0 && change->rank > group->group_rank) group->group_rank = change->rank;
            if (pass == 1) change->group_rank = group->group_rank;
        }
    }
    tk_idmap_deinit(&groups, &list->to->alloc);
}

// ---- Tables ------------------------------------------------------------------------------------

#define TEXT(key, title, role) { key, title, TK_COLUMN_TEXT, role, NULL, TK_FOLD_NONE }
#define NAME(key, title) { key, title, TK_COLUMN_NAME, TK_ROLE_VALUE, NULL, TK_FOLD_NONE }
#define COUNT(key, title, role) { key, title, TK_COLUMN_COUNT, role, NULL, TK_FOLD_NONE }
#define NUMBER(key, title, unit, role) { key, title, TK_COLUMN_NUMBER, role, unit, TK_FOLD_NONE }
#define SPAN(key, title) { key, title, TK_COLUMN_DURATION, TK_ROLE_VALUE, NULL, TK_FOLD_NONE }

static const struct tk_column compared_columns[] = {
    NAME("side", "Side"),
    TEXT("recording", "Recording", TK_ROLE_VALUE),
    SPAN("duration", "Duration"),
    COUNT("events", "Events", TK_ROLE_VALUE),
    COUNT("lost", "Lost", TK_ROLE_VALUE),
    { "unmeasured", "Time not measured", TK_COLUMN_SHARE, TK_ROLE_VALUE, NULL, TK_FOLD_NONE },
};
static const struct tk_table compared_table = { "compared",    "Compared", TK_TABLE_COLUMNS(compared_columns),
                                                TK_TABLE_LIST, NULL,       NULL };

static const struct tk_column changes_columns[] = {
    NAME("name", "Name"),
    TEXT("of", "Of", TK_ROLE_KEY),
    TEXT("figure", "Figure", TK_ROLE_HIDDEN),
    TEXT("title", "Figure", TK_ROLE_VALUE),
    TEXT("verdict", "Verdict", TK_ROLE_VALUE),
    TEXT("reason", "Reason", TK_ROLE_NOTE),
    TEXT("before", "Before", TK_ROLE_VALUE),
    TEXT("after", "After", TK_ROLE_VALUE),
    NUMBER("change", "By", "%", TK_ROLE_VALUE),
    NUMBER("least", "Seen from", "%", TK_ROLE_VALUE),
    NUMBER("before_value", "Before", NULL, TK_ROLE_HIDDEN),
    NUMBER("before_spread", "Spread before", NULL, TK_ROLE_HIDDEN),
    NUMBER("after_value", "After", NULL, TK_ROLE_HIDDEN),
    NUMBER("after_spread", "Spread after", NULL, TK_ROLE_HIDDEN),
    TEXT("unit", "Unit", TK_ROLE_HIDDEN),
    COUNT("before_count", "Number before", TK_ROLE_HIDDEN),
    COUNT("after_count", "Number after", TK_ROLE_HIDDEN),
    NUMBER("rank", "Rank", NULL, TK_ROLE_HIDDEN),
};
static const struct tk_table changes_table = {
    "changes", "Worse and better", TK_TABLE_COLUMNS(changes_columns), TK_TABLE_LIST, NULL, NULL
};

static const struct tk_column sides_columns[] = {
    NAME("name", "Task"),
    TEXT("side", "Side", TK_ROLE_KEY),
    COUNT("jobs", "Jobs", TK_ROLE_VALUE),
    SPAN("p50", "50 % at most"),
    SPAN("p95", "95 % at most"),
    SPAN("p99", "99 % at most"),
    SPAN("response", "Worst job"),
    { "release", "At", TK_COLUMN_TIME, TK_ROLE_AT, NULL, TK_FOLD_NONE },
    TEXT("why", "Why", TK_ROLE_NOTE),
    SPAN("pending", "Before it ran"),
    SPAN("net", "Net execution"),
    SPAN("interrupted", "Interrupted"),
    SPAN("preempted", "Preempted"),
    SPAN("blocked", "Waited for locks"),
    SPAN("room", "Waited for room"),
    SPAN("waited", "Waited inside"),
};
static const struct tk_table sides_table = {
    "change_sides", "Jobs before and after", TK_TABLE_COLUMNS(sides_columns), TK_TABLE_DETAILS, NULL, NULL
};

static const struct tk_column distributions_columns[] = {
    NAME("name", "Task"),
    { "up_to", "Response up to", TK_COLUMN_DURATION, TK_ROLE_KEY, NULL, TK_FOLD_NONE },
    COUNT("before", "Jobs before", TK_ROLE_VALUE),
    COUNT("after", "Jobs after", TK_ROLE_VALUE),
};
static const struct tk_table distributions_table = { "change_distributions",
                                                     "Response times before and after",
                                                     TK_TABLE_COLUMNS(distributions_columns),
                                                     TK_TABLE_DETAILS,
                                                     NULL,
                                                     NULL };

static void put_compared(const struct list *list, const struct tk_table_sink *sink) {
    const tk_report *reports[] = { list->before, list->after };
    static const char *const sides[] = { "before", "after" };
    tk_table_begin(sink, &compared_table);
    for (unsigned i = 0; i < 2; i++) {
        const struct tk_report_table *events = table_of(reports[i], "events");
        tk_cell_word(sink, sides[i]);
        sink->cell(sink->ctx, tk_report_cell_of(table_of(reports[i], "inputs"), 0, "name"));
        sink->cell(sink->ctx, tk_report_cell_of(table_of(reports[i], "time"), 0, "duration"));
        sink->cell(sink->ctx, tk_report_cell_of(events, 0, "total"));
        sink->cell(sink->ctx, tk_report_cell_of(events, 0, "lost"));
        sink->cell(sink->ctx, tk_report_cell_of(table_of(reports[i], "cpu"), 0, "unmeasured"));
    }
    tk_table_end(sink);
}

static const char *unit_of(const struct figure *figure, const struct side *side) {
    return figure->unit ? figure->unit : figure->kind == TK_COLUMN_DURATION ? side->report->times.unit : "";
}

// Writes a value as text for users; nothing if it is unknown.
static void put_words(const struct tk_table_sink *sink, const struct figure *figure, const struct side *side) {
    char room[TK_CELL_TEXT_ROOM];
    struct tk_text words = tk_text_in(room, sizeof room);
    struct tk_column column = { .kind = figure->kind, .role = TK_ROLE_VALUE, .unit = figure->unit };
    struct tk_cell cell = { .type = TK_CELL_UINT };
    if (figure == &finding && side->row != UINT32_MAX) {
        sink->cell(sink->ctx, tk_report_cell_of(side->table, side->row, "title"));
        return;
    }
    if (figure->kind == TK_COLUMN_NUMBER) cell = (struct tk_cell){ .type = TK_CELL_DOUBLE, .d = side->value };
    else {
        double value = side->value * (figure->kind == TK_COLUMN_SHARE ? 1e6 : 1) + 0.5;
        cell.u = value < 0x1p64 ? (uint64_t)value : UINT64_MAX;
    }
    if (side->row != UINT32_MAX && side->is_known) tk_cell_text_cell(&words, side->report->times.unit, &column, &cell);
    tk_cell_text(sink, words.text, words.len);
}

static void put_if(const struct tk_table_sink *sink, bool is_known, double value) {
    if (is_known) tk_cell_double(sink, value);
    else tk_cell_none(sink);
}

// Rounds to three digits after the point.
static double percent(double share) {
    double thousandths = share * 1e5;
    return thousandths > 1e15 || thousandths < -1e15 ? share * 100
                                                     : (double)(int64_t)(thousandths + (share < 0 ? -0.5 : 0.5)) / 1e3;
}

static void put_change(const struct tk_table_sink *sink, const struct change *change) {
    const struct side *before = &change->before, *after = &change->after;
    bool is_judged = change->verdict <= TK_CHANGE_OTHER || change->verdict == TK_CHANGE_NOISE;
    bool has_base = is_judged && before->value > 0;
    sink->cell(sink->ctx, &change->name);
    tk_cell_word(sink, change->figure->of);
    tk_cell_word(sink, change->figure->key);
    tk_cell_word(sink, change->figure->title);
    tk_cell_word(sink, tk_change_verdicts[change->verdict]);
    tk_cell_word(sink, change->reason);
    put_words(sink, change->figure, before);
    put_words(sink, change->figure, after);
    put_if(sink, has_base, percent(change->change));
    put_if(sink, has_base, percent(change->least));
    put_if(sink, before->is_known, before->value);
    put_if(sink, before->is_known, before->spread);
    put_if(sink, after->is_known, after->value);
    put_if(sink, after->is_known, after->spread);
    tk_cell_word(sink, unit_of(change->figure, before->report ? before : after));
    tk_cell_uint_if(sink, before->row != UINT32_MAX, before->count);
    tk_cell_uint_if(sink, after->row != UINT32_MAX, after->count);
    tk_cell_double(sink, change->rank);
}

// ---- Jobs of the changed tasks -----------------------------------------------------------------

static bool is_name(const struct tk_cell *a, const struct tk_cell *b) {
    return a->type == TK_CELL_TEXT && a->len == b->len && !memcmp(a->text, b->text, a->len);
}

// Returns the first row of a table with this name; UINT32_MAX: none.
static uint32_t row_of(const struct tk_report_table *table, const struct tk_cell *name) {
    for (uint32_t row = 0; table && row < tk_report_rows(table); row++)
        if (is_name(tk_report_cell(table, row, 0), name)) return row;
    return UINT32_MAX;
}

static void put_side(const struct list *list, const struct tk_table_sink *sink, const struct tk_cell *name,
                     bool is_after) {
    static const char *const of_jobs[] = { "count", "response_p50", "response_p95", "response_p99" };
    const tk_report *report = is_after ? list->after : list->before;
    const struct tk_report_table *jobs = table_of(report, "jobs"), *worst = table_of(report, "worst_jobs");
    uint32_t row = row_of(jobs, name);
    sink->cell(sink->ctx, name);
    tk_cell_word(sink, is_after ? "after" : "before");
    for (unsigned i = 0; i < sizeof of_jobs / sizeof *of_jobs; i++)
        sink->cell(sink->ctx, tk_report_cell_of(jobs, row, of_jobs[i]));
    row = row_of(worst, name);
    for (unsigned i = 2 + sizeof of_jobs / sizeof *of_jobs; i < sizeof sides_columns / sizeof *sides_columns; i++)
        sink->cell(sink->ctx, tk_report_cell_of(worst, row, sides_columns[i].key));
}

// Writes the ranges of both sides in the order of their lengths.
static void put_ranges(const struct list *list, const struct tk_table_sink *sink, const struct tk_cell *name) {
    const struct tk_report_table *tables[] = { table_of(list->before, "job_distribution"),
                                               table_of(list->after, "job_distribution") };
    uint32_t rows[] = { row_of(tables[0], name), row_of(tables[1], name) };
    for (;;) {
        uint64_t up_to[2], counts[2] = { 0, 0 };
        for (unsigned i = 0; i < 2; i++) {
            bool is_of_name = rows[i] != UINT32_MAX && rows[i] < tk_report_rows(tables[i]) &&
                              is_name(tk_report_cell(tables[i], rows[i], 0), name);
            up_to[i] = is_of_name ? count_of(tk_report_cell_of(tables[i], rows[i], "up_to")) : UINT64_MAX;
        }
        uint64_t next = up_to[0] < up_to[1] ? up_to[0] : up_to[1];
        if (next == UINT64_MAX) return;
        for (unsigned i = 0; i < 2; i++)
            if (up_to[i] == next) counts[i] = count_of(tk_report_cell_of(tables[i], rows[i]++, "jobs"));
        sink->cell(sink->ctx, name);
        tk_cell_uint(sink, next);
        tk_cell_uint(sink, counts[0]);
        tk_cell_uint(sink, counts[1]);
    }
}

enum { MOST_DETAILED = 64 }; // tasks with distributions and worst jobs

// Calls `put` for the tasks whose jobs changed, in their order.
static void for_each_task(const struct list *list, const uint32_t *order, const struct tk_table_sink *sink,
                          void (*put)(const struct list *list, const struct tk_table_sink *sink,
                                      const struct tk_cell *name)) {
    const struct change *last = NULL;
    unsigned count = 0;
    for (uint32_t i = 0; i < list->count && count < MOST_DETAILED; i++) {
        const struct change *change = &list->changes[order[i]];
        if (change->verdict > TK_CHANGE_OTHER || strcmp(change->figure->of, "task") != 0) continue;
        if (last && is_name(&last->name, &change->name)) continue;
        put(list, sink, &change->name);
        last = change;
        count++;
    }
}

static void put_sides(const struct list *list, const struct tk_table_sink *sink, const struct tk_cell *name) {
    put_side(list, sink, name, false);
    put_side(list, sink, name, true);
}

static void put_tables(struct list *list, const uint32_t *order) {
    struct tk_table_sink sink = tk_report_sink(list->to, 1);
    put_compared(list, &sink);
    tk_table_begin(&sink, &changes_table);
    for (uint32_t i = 0; i < list->count; i++) put_change(&sink, &list->changes[order[i]]);
    tk_table_end(&sink);
    if (!list->same_times) return; // one table cannot contain durations of both sides
    tk_table_begin(&sink, &sides_table);
    for_each_task(list, order, &sink, put_sides);
    tk_table_end(&sink);
    tk_table_begin(&sink, &distributions_table);
    for_each_task(list, order, &sink, put_ranges);
    tk_table_end(&sink);
}

void tk_changes_add(tk_report *to, const tk_report *before, const tk_report *after, bool same_times) {
    struct list list = { .to = to, .before = before, .after = after, .same_times = same_times };
    index_tasks(&list, 0, before);
    index_tasks(&list, 1, after);
    for (unsigned i = 0; i < sizeof figures / sizeof *figures; i++) for_each_pair(&list, &figures[i], put_pair);
    for_each_pair(&list, &finding, put_finding);
    rank_groups(&list);
    uint32_t *order = tk_alloc_zero(&to->alloc, (list.count + 1) * sizeof *order);
    if (order) sort(&list, order), put_tables(&list, order);
    tk_alloc_free(&to->alloc, order, (list.count + 1) * sizeof *order);
    tk_alloc_free(&to->alloc, list.changes, list.capacity * sizeof *list.changes);
    tk_idmap_deinit(&list.tasks[0], &to->alloc);
    tk_idmap_deinit(&list.tasks[1], &to->alloc);
}
