// SPDX-License-Identifier: MIT
#include "query.h"

#include "../model/tables/histogram.h"
#include "../model/timeline/track_sink.h"

#include <string.h>

// ---- Points, one after the other ----

struct walk {
    const struct tk_timeline_store *store;
    const struct tk_store_row *row;
    uint32_t group;
    unsigned count;
    struct tk_point points[TK_GROUP_POINTS];
};

// Reads a group. Returns false if it does not exist or its points were dropped.
static bool load(struct walk *walk, uint32_t group) {
    walk->group = group;
    walk->count = group < tk_row_groups(walk->row) ? tk_row_points(walk->store, walk->row, group, walk->points) : 0;
    return walk->count != 0;
}

static bool begin_walk(struct walk *walk, const struct tk_timeline_store *store, uint32_t row) {
    walk->store = store;
    walk->row = tk_store_row(store, row);
    return walk->row && walk->row->points;
}

static struct tk_item item_at(const struct walk *walk, unsigned i) {
    const struct tk_point *point = &walk->points[i];
    bool is_last = i + 1 == walk->count && walk->group + 1 == tk_row_groups(walk->row);
    uint64_t end =
        i + 1 < walk->count ? walk->points[i + 1].ticks : tk_row_node_end(walk->store, walk->row, 0, walk->group);
    if (walk->row->kind == TK_ROW_INSTANTS) end = point->ticks, is_last = false;
    uint64_t place = (uint64_t)walk->group * TK_GROUP_POINTS + i;
    return (struct tk_item){ point->ticks, end, point->value, place, point->is_double, is_last, point->woken };
}

static bool is_item(const struct tk_store_row *row, const struct tk_point *point, uint64_t value) {
    if (value) return point->value == value;
    return point->value || tk_row_has_numbers(row);
}

// ---- The tree: what cannot contain a value is skipped ----

static bool may_contain(const struct tk_store_row *row, const struct tk_node *node, uint64_t value) {
    if (row->kind == TK_ROW_FLOWS) return !value || (node->min <= (double)value && (double)value <= node->max);
    if (row->kind == TK_ROW_NUMBERS || node->has_others) return true;
    for (unsigned i = 0; i < 3 && node->shares[i]; i++)
        if (!value || node->values[i] == value) return true;
    return false;
}

static uint32_t groups_below(uint32_t level) { return (uint32_t)1 << 3 * level; }

// Returns the first group from `group` on that may contain the value.
static uint32_t skip_forward(const struct tk_store_row *row, uint32_t group, uint64_t value) {
    uint32_t last = tk_row_groups(row) - 1; // it has no sums
    while (group < last) {
        uint32_t step = 0;
        for (uint32_t level = 0; level < row->level_count && group % groups_below(level) == 0; level++) {
            const struct tk_node *node = tk_row_node(row, level, group / groups_below(level));
            if (!node || group + groups_below(level) > last || may_contain(row, node, value)) break;
            step = groups_below(level);
        }
        if (!step) break;
        group += step;
    }
    return group;
}

// Returns the last group up to `group` that may contain the value; `first` if there is none.
static uint32_t skip_backward(const struct tk_store_row *row, uint32_t group, uint32_t first, uint64_t value) {
    while (group > first && group + 1 < tk_row_groups(row)) {
        uint32_t step = 0;
        for (uint32_t level = 0; level < row->level_count && (group + 1) % groups_below(level) == 0; level++) {
            const struct tk_node *node = tk_row_node(row, level, group / groups_below(level));
            if (!node || group - first < groups_below(level) || may_contain(row, node, value)) break;
            step = groups_below(level);
        }
        if (!step) break;
        group -= step;
    }
    return group;
}

// ---- Items ----

bool tk_query_item(const struct tk_timeline_store *store, uint32_t row, uint64_t place, struct tk_item *out_item) {
    struct walk walk;
    if (!begin_walk(&walk, store, row) || place / TK_GROUP_POINTS > UINT32_MAX ||
        !load(&walk, (uint32_t)(place / TK_GROUP_POINTS)) || place % TK_GROUP_POINTS >= walk.count)
        return false;
    *out_item = item_at(&walk, place % TK_GROUP_POINTS);
    return true;
}

static uint64_t overlap(const struct tk_item *item, uint64_t from, uint64_t to) {
    uint64_t begin = item->begin > from ? item->begin : from, end = item->end < to ? item->end : to;
    return end > begin ? end - begin : 0;
}

bool tk_query_at(const struct tk_timeline_store *store, uint32_t row, uint64_t from, uint64_t to,
                 struct tk_item *out_item) {
    struct walk walk;
    uint64_t best = 0;
    bool is_found = false;
    unsigned looked = 0;
    if (!begin_walk(&walk, store, row)) return false;
    for (uint32_t group = tk_row_group_at(walk.row, from); looked < TK_QUERY_POINTS && load(&walk, group); group++) {
        for (unsigned i = 0; i < walk.count; i++, looked++) {
            struct tk_item item = item_at(&walk, i);
            if (item.begin > to || (item.begin == to && from < to)) return is_found;
            bool is_there = item.end > from || (item.begin >= from && item.begin <= to);
            if (!is_there || !is_item(walk.row, &walk.points[i], 0)) continue;
            uint64_t covered = overlap(&item, from, to);
            if (from == to && item.end > from) covered = UINT64_MAX; // a moment
            if (is_found && covered <= best) continue;
            is_found = true;
            best = covered;
            *out_item = item;
        }
    }
    return is_found;
}

// Finds the first item from a place on.
static bool find_forward(struct walk *walk, uint64_t place, uint64_t value, struct tk_item *out_item) {
    uint64_t group = place / TK_GROUP_POINTS;
    uint32_t first = walk->row->first_kept;
    unsigned i = place % TK_GROUP_POINTS;
    if (group < first) group = first, i = 0;
    for (; group < tk_row_groups(walk->row); group++, i = 0) {
        uint32_t next = skip_forward(walk->row, (uint32_t)group, value);
        if (next != group) group = next, i = 0;
        if (!load(walk, (uint32_t)group)) return false;
        for (; i < walk->count; i++) {
            if (!is_item(walk->row, &walk->points[i], value)) continue;
            *out_item = item_at(walk, i);
            return true;
        }
    }
    return false;
}

bool tk_query_next(const struct tk_timeline_store *store, uint32_t row, uint64_t place, uint64_t value,
                   struct tk_item *out_item) {
    struct walk walk;
    return begin_walk(&walk, store, row) && place < UINT64_MAX && find_forward(&walk, place + 1, value, out_item);
}

bool tk_query_previous(const struct tk_timeline_store *store, uint32_t row, uint64_t place, uint64_t value,
                       struct tk_item *out_item) {
    struct walk walk;
    if (!begin_walk(&walk, store, row)) return false;
    uint32_t first = walk.row->first_kept, groups = tk_row_groups(walk.row);
    uint32_t group = place / TK_GROUP_POINTS < groups ? (uint32_t)(place / TK_GROUP_POINTS) : groups;
    unsigned before = group < groups ? place % TK_GROUP_POINTS : 0;
    for (;;) {
        if (group < groups && group >= first && load(&walk, group))
            for (unsigned i = before < walk.count ? before : walk.count; i-- > 0;) {
                if (!is_item(walk.row, &walk.points[i], value)) continue;
                *out_item = item_at(&walk, i);
                return true;
            }
        if (group <= first) return false;
        group = skip_backward(walk.row, group - 1, first, value);
        before = TK_GROUP_POINTS;
    }
}

bool tk_query_from(const struct tk_timeline_store *store, uint32_t row, uint64_t ticks, uint64_t value,
                   struct tk_item *out_item) {
    struct walk walk;
    if (!begin_walk(&walk, store, row)) return false;
    uint32_t group = tk_row_group_at(walk.row, ticks);
    // Points at `ticks` may be at the end of earlier groups.
    while (group > walk.row->first_kept && tk_row_node(walk.row, 0, group)->first == ticks) group--;
    for (; load(&walk, group); group++)
        for (unsigned i = 0; i < walk.count; i++)
            if (walk.points[i].ticks >= ticks)
                return find_forward(&walk, (uint64_t)group * TK_GROUP_POINTS + i, value, out_item);
    return false;
}

struct longest {
    struct walk walk;
    uint64_t value;
    bool is_found;
    struct tk_item *best;
};

static bool is_longer(const struct longest *longest, uint64_t length) {
    return !longest->is_found || length > longest->best->end - longest->best->begin;
}

// Finds the longest item below a node. Skips what is not longer than the best one.
static void find_longest(void *ctx, uint32_t level, uint32_t index) {
    struct longest *longest = ctx;
    struct walk *walk = &longest->walk;
    const struct tk_node *node = tk_row_node(walk->row, level, index);
    if (!node || !is_longer(longest, tk_row_node_end(walk->store, walk->row, level, index) - node->first)) return;
    if (node != &walk->row->last && !may_contain(walk->row, node, longest->value)) return;
    if (level) {
        for (uint32_t i = 0; i < TK_STORE_FANOUT; i++) find_longest(ctx, level - 1, index * TK_STORE_FANOUT + i);
        return;
    }
    load(walk, index);
    for (unsigned i = 0; i < walk->count; i++) {
        struct tk_item item = item_at(walk, i);
        if (!is_item(walk->row, &walk->points[i], longest->value) || !is_longer(longest, item.end - item.begin))
            continue;
        longest->is_found = true;
        *longest->best = item;
    }
}

bool tk_query_longest(const struct tk_timeline_store *store, uint32_t row, uint64_t value, struct tk_item *out_item) {
    struct longest longest = { .value = value, .best = out_item };
    if (!begin_walk(&longest.walk, store, row)) return false;
    tk_row_each_root(longest.walk.row, find_longest, &longest);
    return longest.is_found;
}

// ---- Figures ----

struct sums {
    struct tk_figures *figures;
    struct tk_histogram_pool pool;
    struct tk_histogram *lengths;
    uint64_t from, to;
};

static void add_item(struct sums *sums, const struct tk_store_row *row, const struct tk_item *item, bool is_measured) {
    struct tk_figures *figures = sums->figures;
    bool begins = item->begin >= sums->from, ends = item->end <= sums->to;
    uint64_t length = item->end - item->begin;
    if (!begins && (tk_row_has_numbers(row) || (!ends && row->kind == TK_ROW_SLICES))) return;
    figures->count++;
    figures->total += overlap(item, sums->from, sums->to);
    if (!begins || !ends || item->is_open || !is_measured) return;
    if (!figures->whole || length < figures->min) figures->min = length;
    if (length > figures->max) figures->max = length;
    figures->whole++;
    figures->whole_total += length;
    tk_histogram_add(&sums->pool, &sums->lengths, length);
}

static bool is_unknown(const struct tk_store_row *row, const struct tk_item *item) {
    return (row->kind == TK_ROW_CORE && item->value == TK_CORE_UNRECORDED) ||
           (row->kind == TK_ROW_TASK && item->value == TK_STATE_UNRECORDED + 1);
}

// Returns the group of the last point before `ticks`.
static uint32_t group_before(const struct walk *walk, uint64_t ticks) {
    uint32_t first = walk->row->first_kept;
    uint32_t group = tk_row_group_at(walk->row, ticks);
    while (group > first && tk_row_node(walk->row, 0, group)->first == ticks) group--;
    return group;
}

// Returns the time of an interval before the first point that is kept.
static uint64_t dropped_time(const struct walk *walk, uint64_t from, uint64_t to) {
    uint32_t first = walk->row->first_kept;
    uint64_t kept_from = first < tk_row_groups(walk->row) ? tk_row_node(walk->row, 0, first)->first : to;
    if (!first || kept_from <= from) return 0;
    return (kept_from < to ? kept_from : to) - from;
}

// An item is added when the point after it is known, which tells whether its length is.
static void add_row(struct sums *sums, struct walk *walk, uint64_t value) {
    uint64_t dropped = dropped_time(walk, sums->from, sums->to);
    struct tk_item item = { 0 };
    bool is_pending = false, is_over = false;
    if (dropped > sums->figures->unmeasured) sums->figures->unmeasured = dropped;
    for (uint32_t group = group_before(walk, sums->from); !is_over && load(walk, group); group++)
        for (unsigned i = 0; i < walk->count && !is_over; i++) {
            if (is_pending) add_item(sums, walk->row, &item, !walk->points[i].is_unmeasured);
            item = item_at(walk, i);
            is_over = item.begin > sums->to;
            bool is_there = !is_over && item.end >= sums->from;
            if (is_there && is_unknown(walk->row, &item))
                sums->figures->unmeasured += overlap(&item, sums->from, sums->to);
            is_pending = is_there && !is_unknown(walk->row, &item) && is_item(walk->row, &walk->points[i], value);
        }
    if (is_pending) add_item(sums, walk->row, &item, true);
}

static uint64_t percentile(const struct sums *sums, unsigned percent) {
    return tk_histogram_at(sums->lengths, tk_percentile_rank(sums->figures->whole, percent), sums->figures->max);
}

bool tk_query_figures(const struct tk_timeline_store *store, const uint32_t *rows, uint32_t row_count, uint64_t value,
                      uint64_t from, uint64_t to, struct tk_figures *out_figures) {
    struct tk_alloc alloc = { .realloc = store->alloc->realloc, .ctx = store->alloc->ctx };
    struct sums sums = { .figures = out_figures, .pool = { .alloc = &alloc }, .from = from, .to = to };
    *out_figures = (struct tk_figures){ 0 };
    for (uint32_t i = 0; i < row_count; i++) {
        struct walk walk;
        if (begin_walk(&walk, store, rows[i])) add_row(&sums, &walk, value);
    }
    if (sums.lengths && !sums.lengths->incomplete) {
        out_figures->p50 = percentile(&sums, 50);
        out_figures->p95 = percentile(&sums, 95);
        out_figures->p99 = percentile(&sums, 99);
    }
    bool is_complete = !alloc.failed;
    tk_alloc_free_all(&alloc);
    return is_complete;
}

uint32_t tk_query_values(const struct tk_timeline_store *store, uint32_t row, uint64_t from, uint64_t to,
                         uint64_t *out_values, uint32_t most) {
    struct walk walk;
    uint32_t count = 0;
    if (!begin_walk(&walk, store, row)) return 0;
    for (uint32_t group = group_before(&walk, from); load(&walk, group) && walk.points[0].ticks <= to; group++)
        for (unsigned i = 0; i < walk.count && walk.points[i].ticks <= to; i++) {
            uint32_t known = 0;
            if (item_at(&walk, i).end < from || !is_item(walk.row, &walk.points[i], 0)) continue;
            while (known < count && out_values[known] != walk.points[i].value) known++;
            if (known == count && count < most) out_values[count++] = walk.points[i].value;
        }
    return count;
}

// ---- Flows ----

// Finds the item of a track that begins at `ticks`, the deepest one; without one, an item that is there.
static bool find_on_track(const struct tk_timeline_store *store, uint32_t track, uint64_t ticks,
                          struct tk_hit *out_hit) {
    bool is_found = false;
    for (uint32_t row = 1; row <= store->row_count; row++) {
        const struct tk_store_row *at = &store->rows[row - 1];
        struct tk_item item;
        if (at->owner != track || (at->kind != TK_ROW_SLICES && at->kind != TK_ROW_INSTANTS)) continue;
        bool begins = tk_query_from(store, row, ticks, 0, &item) && item.begin == ticks;
        if (!begins && (is_found || !tk_query_at(store, row, ticks, ticks, &item))) continue;
        is_found = true;
        *out_hit = (struct tk_hit){ row, item.value, item.begin, item.place };
    }
    return is_found;
}

enum { FLOW_ENDS = 64 }; // ends on one track that are looked at: of one flow, or at one time

// Finds the ends of one flow, except the one on the track `from` at `ticks`. Returns the number of hits.
static uint32_t follow(const struct tk_timeline_store *store, uint64_t flow, uint32_t from, uint64_t ticks,
                       struct tk_hit *out_hits, uint32_t most) {
    uint32_t count = 0;
    for (uint32_t row = 1; row <= store->row_count; row++) {
        uint32_t track = store->rows[row - 1].owner;
        struct tk_item end;
        if (store->rows[row - 1].kind != TK_ROW_FLOWS) continue;
        bool is_there = tk_query_from(store, row, 0, flow, &end);
        for (unsigned looked = 0; is_there && count < most && looked < FLOW_ENDS;
             looked++, is_there = tk_query_next(store, row, end.place, flow, &end)) {
            bool is_own = track == from && end.begin == ticks;
            if (!is_own && find_on_track(store, track, end.begin, &out_hits[count])) count++;
        }
    }
    return count;
}

uint32_t tk_query_flows(const struct tk_timeline_store *store, uint32_t row, uint64_t place, struct tk_hit *out_hits,
                        uint32_t most) {
    const struct tk_store_row *of = tk_store_row(store, row);
    struct tk_item item, end;
    uint32_t count = 0;
    bool has_flows = of && (of->kind == TK_ROW_SLICES || of->kind == TK_ROW_INSTANTS);
    if (!has_flows || !tk_query_item(store, row, place, &item)) return 0;
    for (uint32_t flows = 1; flows <= store->row_count; flows++) {
        const struct tk_store_row *at = &store->rows[flows - 1];
        if (at->kind != TK_ROW_FLOWS || at->owner != of->owner) continue;
        bool is_there = tk_query_from(store, flows, item.begin, 0, &end);
        for (unsigned looked = 0; is_there && end.begin == item.begin && count < most && looked < FLOW_ENDS;
             looked++, is_there = tk_query_next(store, flows, end.place, 0, &end))
            count += follow(store, end.value, of->owner, item.begin, out_hits + count, most - count);
    }
    return count;
}

// ---- Names ----

const struct tk_store_text *tk_query_row_name(const struct tk_timeline_store *store, const struct tk_store_row *row) {
    if (row->kind == TK_ROW_CORE) return NULL;
    if (row->kind == TK_ROW_TASK) {
        const struct tk_store_task *task = tk_store_task(store, row->owner);
        return task ? &task->name : NULL;
    }
    const struct tk_store_track *track = tk_store_track(store, row->owner);
    return track ? &track->name : NULL;
}

static char lower(char c) { return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c; }

static bool contains(const struct tk_store_text *in, const char *text, size_t len) {
    for (size_t at = 0; in && at + len <= in->len; at++) {
        size_t i = 0;
        while (i < len && lower(in->text[at + i]) == lower(text[i])) i++;
        if (i == len) return true;
    }
    return false;
}

// Finds the first item of a row whose text contains the searched text.
static bool find_in_row(const struct tk_timeline_store *store, uint32_t row, const char *text, size_t len,
                        struct tk_hit *out_hit) {
    struct tk_item item;
    bool is_there = tk_query_from(store, row, 0, 0, &item);
    for (unsigned looked = 0; is_there && looked < TK_QUERY_POINTS; looked++) {
        if (contains(tk_store_text(store, item.value), text, len)) {
            *out_hit = (struct tk_hit){ row, item.value, item.begin, item.place };
            return true;
        }
        is_there = tk_query_next(store, row, item.place, 0, &item);
    }
    return false;
}

uint32_t tk_query_find(const struct tk_timeline_store *store, const char *text, size_t len, struct tk_hit *out_hits,
                       uint32_t most) {
    uint32_t count = 0;
    if (!len) return 0;
    for (uint32_t row = 1; row <= store->row_count && count < most; row++)
        if (store->rows[row - 1].points && contains(tk_query_row_name(store, &store->rows[row - 1]), text, len))
            out_hits[count++] = (struct tk_hit){ .row = row };
    for (uint32_t row = 1; row <= store->row_count && count < most; row++) {
        unsigned kind = store->rows[row - 1].kind;
        if ((kind == TK_ROW_SLICES || kind == TK_ROW_INSTANTS) && find_in_row(store, row, text, len, &out_hits[count]))
            count++;
    }
    return count;
}
