// SPDX-License-Identifier: MIT
#include "store.h"

#include "../base/attributes.h"
#include "../base/bytes.h"
#include "../base/utf8.h"

#include <string.h>

// The position of points: the number of the page and the offset in it, in units of eight bytes. IN_ROW: they are in
// `open` of their row.
enum { UNIT = 8, UNIT_BITS = 13, PAGE_BITS = 32 - UNIT_BITS };
#define MAX_PAGES ((uint32_t)1 << PAGE_BITS)
#define IN_ROW UINT32_MAX

void tk_store_init(struct tk_timeline_store *store, struct tk_alloc *alloc, size_t limit) {
    enum { LEAST = 1 << 20 };
    store->alloc = store->names.alloc = alloc;
    store->limit = limit < LEAST ? LEAST : limit;
    store->tick_ns = 1;
}

// Readers of the numbers of a block.
TK_NOINLINE static const uint8_t *read64(const uint8_t *at, const uint8_t *end, uint64_t *out_value) {
    return tk_varint64_read(at, end, out_value);
}

static const uint8_t *read32(const uint8_t *at, const uint8_t *end, uint32_t *out_values, unsigned count) {
    for (unsigned i = 0; at && i < count; i++) at = tk_varint32_read(at, end, &out_values[i]);
    return at;
}

// ---- Names ----

static struct tk_store_text copy_text(struct tk_timeline_store *store, const uint8_t *text, size_t len) {
    if (!len || store->names.used + len > TK_STORE_NAME_BYTES) return (struct tk_store_text){ "", 0 };
    const char *copy = tk_arena_copy(&store->names, text, len);
    return (struct tk_store_text){ copy ? copy : "", copy ? (uint32_t)len : 0 };
}

// Returns the index of a new or known key; TK_NONE: there is no room.
static uint32_t index_of(struct tk_timeline_store *store, struct tk_idmap *map, uint64_t key, void **array,
                         uint32_t *count, uint32_t *capacity, size_t size) {
    uint32_t index = tk_idmap_find(map, key);
    if (index != TK_NONE) return index;
    if (*count == TK_STORE_NAMES || !tk_alloc_grow(store->alloc, array, capacity, *count + 1, size) ||
        !tk_idmap_set(map, store->alloc, key, *count))
        return TK_NONE;
    return (*count)++;
}

static bool is_same(struct tk_store_text text, const uint8_t *bytes, size_t len) {
    return text.len == len && (!len || !memcmp(text.text, bytes, len));
}

static bool add_text(struct tk_timeline_store *store, const uint8_t *at, const uint8_t *end) {
    uint32_t value;
    if (!(at = read32(at, end, &value, 1)) || end - at > TK_BLOCK_TEXT) return false;
    uint32_t index = index_of(store, &store->text_index, value, (void **)&store->texts, &store->text_count,
                              &store->text_capacity, sizeof *store->texts);
    if (index == TK_NONE || is_same(store->texts[index], at, (size_t)(end - at))) return true;
    store->texts[index] = copy_text(store, at, (size_t)(end - at));
    return true;
}

static int32_t signed_of(uint32_t value) { return (int32_t)(value >> 1 ^ (0 - (value & 1))); }

static bool add_track(struct tk_timeline_store *store, const uint8_t *at, const uint8_t *end) {
    enum { TRACK, PARENT, KIND, PID, RANK, FLAGS, SHARE, PURPOSE, CORE, UNIT_LEN, NUMBERS };
    uint32_t numbers[NUMBERS];
    if (!(at = read32(at, end, numbers, NUMBERS)) || numbers[UNIT_LEN] > (size_t)(end - at) ||
        end - at > 2 * TK_BLOCK_TEXT || numbers[KIND] >= 8 || numbers[PURPOSE] >= 8 || numbers[CORE] > 32)
        return false;
    uint32_t index = index_of(store, &store->track_index, numbers[TRACK], (void **)&store->tracks, &store->track_count,
                              &store->track_capacity, sizeof *store->tracks);
    if (index == TK_NONE) return true;
    const struct tk_store_track *known = &store->tracks[index];
    uint32_t unit_len = numbers[UNIT_LEN];
    const uint8_t *name = at + unit_len;
    struct tk_store_track track = { .track = numbers[TRACK],
                                    .parent = numbers[PARENT],
                                    .share = numbers[SHARE],
                                    .kind = (uint8_t)numbers[KIND],
                                    .purpose = (uint8_t)numbers[PURPOSE],
                                    .core = (uint8_t)numbers[CORE],
                                    .pid = signed_of(numbers[PID]),
                                    .rank = signed_of(numbers[RANK]),
                                    .is_ordered = numbers[FLAGS] & TK_TRACK_IS_ORDERED };
    track.unit = is_same(known->unit, at, unit_len) ? known->unit : copy_text(store, at, unit_len);
    track.name =
        is_same(known->name, name, (size_t)(end - name)) ? known->name : copy_text(store, name, (size_t)(end - name));
    store->tracks[index] = track;
    store->version++;
    return true;
}

// Texts of arguments are for readers of a dump; the store needs none.
static bool skip_text(struct tk_timeline_store *store, const uint8_t *at, const uint8_t *end) {
    uint32_t list_and_id[2];
    (void)store;
    return (at = read32(at, end, list_and_id, 2)) && end - at <= TK_BLOCK_TEXT;
}

static bool add_task(struct tk_timeline_store *store, const uint8_t *at, const uint8_t *end) {
    uint32_t pid_and_flags[2];
    if (!(at = read32(at, end, pid_and_flags, 2)) || end - at > TK_BLOCK_TEXT) return false;
    uint32_t pid = pid_and_flags[0];
    uint32_t index = index_of(store, &store->task_index, pid, (void **)&store->tasks, &store->task_count,
                              &store->task_capacity, sizeof *store->tasks);
    if (index == TK_NONE) return true;
    struct tk_store_task *task = &store->tasks[index];
    task->pid = pid;
    task->is_idle = pid_and_flags[1] & TK_TASK_IS_IDLE;
    if (!is_same(task->name, at, (size_t)(end - at))) task->name = copy_text(store, at, (size_t)(end - at));
    uint64_t hash = tk_hash_bytes(at, (size_t)(end - at));
    task->colour = tk_idmap_find(&store->colours, hash);
    if (task->colour == TK_NONE) {
        task->colour = store->colour_count;
        if (tk_idmap_set(&store->colours, store->alloc, hash, task->colour)) store->colour_count++;
    }
    store->version++;
    return true;
}

const struct tk_store_text *tk_store_text(const struct tk_timeline_store *store, uint64_t value) {
    uint32_t index = tk_idmap_find(&store->text_index, value);
    return index == TK_NONE ? NULL : &store->texts[index];
}

const struct tk_store_track *tk_store_track(const struct tk_timeline_store *store, uint32_t track) {
    uint32_t index = tk_idmap_find(&store->track_index, track);
    return index == TK_NONE ? NULL : &store->tracks[index];
}

const struct tk_store_task *tk_store_task(const struct tk_timeline_store *store, uint32_t pid) {
    uint32_t index = tk_idmap_find(&store->task_index, pid);
    return index == TK_NONE ? NULL : &store->tasks[index];
}

// ---- Pages ----

// The numbers of pages begin again after the last one.
static uint32_t page_of(uint32_t data) { return data >> UNIT_BITS; }

static const uint8_t *bytes_of(const struct tk_timeline_store *store, const struct tk_store_row *row, uint32_t data) {
    if (data == IN_ROW) return row->open;
    uint32_t page = (page_of(data) - store->first_page) % MAX_PAGES, offset = (data & ((1u << UNIT_BITS) - 1)) * UNIT;
    return store->pages[page] + offset;
}

static size_t used_memory(const struct tk_timeline_store *store) {
    return (size_t)store->page_count * TK_STORE_PAGE + store->node_bytes + store->open_bytes;
}

static void sum_group(const struct tk_timeline_store *store, const struct tk_store_row *row, struct tk_node *node,
                      uint64_t end);

// The groups of a row on the oldest page lose their points. Its last group keeps its sums, as far as its end is known.
static void drop_points(const struct tk_timeline_store *store, struct tk_store_row *row) {
    while (row->first_kept < tk_row_groups(row)) {
        uint32_t data = tk_row_node(row, 0, row->first_kept)->data;
        if (data == IN_ROW || page_of(data) != store->first_page) break;
        if (row->first_kept == tk_row_groups(row) - 1) sum_group(store, row, &row->last, row->last_ticks);
        row->first_kept++;
    }
}

static void drop_page(struct tk_timeline_store *store) {
    for (uint32_t i = 0; i < store->row_count; i++) drop_points(store, &store->rows[i]);
    tk_alloc_free(store->alloc, store->pages[0], TK_STORE_PAGE);
    store->page_count--;
    store->has_dropped = true;
    store->first_page = (store->first_page + 1) % MAX_PAGES;
    memmove(store->pages, store->pages + 1, store->page_count * sizeof *store->pages);
}

// Returns how many chunks at the start of a level can be dropped: at most half of them, and only nodes of which the
// level below, or the points, were dropped before. So the kept points can be found, and a coarser picture is always
// there.
static uint32_t droppable(const struct tk_store_row *row, uint32_t level) {
    const struct tk_level *at = &row->levels[level];
    uint32_t half = (at->count - at->dropped) / 2;
    uint32_t end = level ? row->levels[level - 1].dropped / TK_STORE_FANOUT : row->first_kept;
    uint32_t most = end > at->dropped ? end - at->dropped : 0;
    return (most < half ? most : half) / TK_STORE_CHUNK;
}

static void drop_nodes(struct tk_timeline_store *store, struct tk_level *level, uint32_t chunks) {
    uint32_t left = level->chunk_capacity - chunks;
    if (!chunks) return;
    for (uint32_t i = 0; i < chunks; i++)
        tk_alloc_free(store->alloc, level->chunks[i], TK_STORE_CHUNK * sizeof **level->chunks);
    memmove(level->chunks, level->chunks + chunks, left * sizeof *level->chunks);
    memset(level->chunks + left, 0, chunks * sizeof *level->chunks);
    level->dropped += chunks * TK_STORE_CHUNK;
    store->node_bytes -= chunks * TK_STORE_CHUNK * sizeof **level->chunks;
}

// Drops the oldest sums of the level that can spare most. Each level thus reaches further into the past than the one
// below it.
static bool drop_sums(struct tk_timeline_store *store) {
    uint32_t best = 0;
    uint64_t most = 0;
    for (uint32_t level = 0; level < TK_STORE_LEVELS; level++) {
        uint64_t chunks = 0;
        for (uint32_t i = 0; i < store->row_count; i++)
            if (level < store->rows[i].level_count) chunks += droppable(&store->rows[i], level);
        if (chunks > most) most = chunks, best = level;
    }
    if (!most) return false;
    for (uint32_t i = 0; i < store->row_count; i++) {
        struct tk_store_row *row = &store->rows[i];
        if (best < row->level_count) drop_nodes(store, &row->levels[best], droppable(row, best));
    }
    return true;
}

// Sums get at most half of the memory while there are points to drop: the sums of hours would take all of it, and the
// heap of the page reuses a freed block only for the same size (wasm/heap.c).
TK_COLD static void make_room(struct tk_timeline_store *store) {
    while (used_memory(store) > store->limit) {
        if (store->node_bytes > store->limit / 2 && drop_sums(store)) continue;
        if (store->page_count > 1) drop_page(store);
        else if (!drop_sums(store)) break;
    }
    store->is_full = used_memory(store) > store->limit;
}

// Returns room for the points of a group, and its position; NULL: there is none.
static uint8_t *reserve(struct tk_timeline_store *store, size_t len, uint32_t *out_data) {
    uint32_t start = (store->page_used + UNIT - 1) / UNIT * UNIT;
    if (!store->page_count || start + len + TK_PACKED_AHEAD > TK_STORE_PAGE) {
        if (store->page_count == MAX_PAGES - 1) drop_page(store); // only with a limit of 32 GiB
        if (used_memory(store) + TK_STORE_PAGE > store->limit) make_room(store);
        if (store->is_full || !tk_alloc_grow(store->alloc, (void **)&store->pages, &store->page_capacity,
                                             store->page_count + 1, sizeof *store->pages))
            return NULL;
        uint8_t *page = tk_alloc_zero(store->alloc, TK_STORE_PAGE);
        if (!page) return NULL;
        store->pages[store->page_count++] = page;
        start = 0;
    }
    store->page_used = start + (uint32_t)len;
    *out_data = (store->first_page + store->page_count - 1) << UNIT_BITS | start / UNIT; // page numbers wrap
    return store->pages[store->page_count - 1] + start;
}

// Returns room for the points of an open group.
static uint8_t *reserve_open(struct tk_timeline_store *store, struct tk_store_row *row, size_t len,
                             uint32_t *out_data) {
    uint32_t before = row->open_capacity;
    if (!tk_alloc_grow(store->alloc, (void **)&row->open, &row->open_capacity, (uint32_t)len + TK_PACKED_AHEAD, 1))
        return NULL;
    store->open_bytes += row->open_capacity - before;
    *out_data = IN_ROW;
    return row->open;
}

unsigned tk_row_packed(const struct tk_timeline_store *store, const struct tk_store_row *row, uint32_t group,
                       struct tk_packed *out) {
    const struct tk_node *node = tk_row_node(row, 0, group);
    if (!node || group < row->first_kept) return 0;
    *out = tk_points_packed(bytes_of(store, row, node->data), node->points, row->kind);
    return node->points;
}

unsigned tk_row_points(const struct tk_timeline_store *store, const struct tk_store_row *row, uint32_t group,
                       struct tk_point out[TK_GROUP_POINTS]) {
    struct tk_packed packed;
    unsigned count = tk_row_packed(store, row, group, &packed);
    uint64_t ticks = count ? tk_row_node(row, 0, group)->first : 0;
    for (unsigned i = 0; i < count; i++) {
        uint64_t whole = tk_packed_value(&packed, i), value = tk_point_value(row->kind, whole);
        ticks += tk_packed_step(&packed, i);
        out[i] = (struct tk_point){ .ticks = ticks,
                                    .value = value,
                                    .is_double = packed.is_double,
                                    .is_unmeasured = row->kind == TK_ROW_SLICES && value != whole,
                                    .woken = row->kind == TK_ROW_TASK ? (uint8_t)(whole >> TK_STATE_BITS) : 0 };
    }
    return count;
}

// ---- The tree ----

static inline struct tk_node *node_at(const struct tk_level *level, uint32_t index) {
    return &level->chunks[(index - level->dropped) / TK_STORE_CHUNK][index % TK_STORE_CHUNK];
}

const struct tk_node *tk_row_node(const struct tk_store_row *row, uint32_t level, uint32_t index) {
    uint32_t count = level < row->level_count ? row->levels[level].count : 0;
    if (level == 0 && index == count && row->last.points) return &row->last;
    if (index >= count || index < row->levels[level].dropped) return NULL;
    return node_at(&row->levels[level], index);
}

void tk_row_each_root(const struct tk_store_row *row, void (*take)(void *ctx, uint32_t level, uint32_t index),
                      void *ctx) {
    for (uint32_t level = row->level_count; level-- > 0;) {
        uint32_t above = level + 1 < row->level_count ? row->levels[level + 1].count : 0;
        for (uint32_t i = above * TK_STORE_FANOUT; i < row->levels[level].count; i++) take(ctx, level, i);
    }
    if (row->last.points) take(ctx, 0, tk_row_groups(row) - 1);
}

uint64_t tk_row_node_end(const struct tk_timeline_store *store, const struct tk_store_row *row, uint32_t level,
                         uint32_t index) {
    for (;; level--, index = index * TK_STORE_FANOUT + TK_STORE_FANOUT - 1) {
        const struct tk_node *next = tk_row_node(row, level, index + 1);
        if (next) return next->first;
        if (!level) return store->last_ticks;
    }
}

// Values with their weights, largest first.
struct ranking {
    uint32_t values[TK_GROUP_POINTS];
    uint64_t weights[TK_GROUP_POINTS];
    unsigned count;
    bool has_others;
};

static void rank(struct ranking *ranking, uint32_t value, uint64_t weight) {
    unsigned i = 0;
    while (i < ranking->count && ranking->values[i] != value) i++;
    if (i == ranking->count) {
        if (i == TK_GROUP_POINTS) {
            ranking->has_others = true;
            return;
        }
        ranking->values[ranking->count++] = value;
        ranking->weights[i] = 0;
    }
    ranking->weights[i] += weight;
    for (; i && ranking->weights[i] > ranking->weights[i - 1]; i--) {
        uint32_t other = ranking->values[i - 1];
        uint64_t other_weight = ranking->weights[i - 1];
        ranking->values[i - 1] = ranking->values[i];
        ranking->weights[i - 1] = ranking->weights[i];
        ranking->values[i] = other;
        ranking->weights[i] = other_weight;
    }
}

// A share of at least 1 for everything that occurs.
static uint8_t share_of(uint64_t weight, uint64_t all) {
    double share = all ? (double)weight / (double)all * 255 : 0;
    return share >= 255 ? 255 : share < 1 ? 1 : (uint8_t)(share + 0.5);
}

// The part of the whole that a share means; at least 1.
static uint64_t weight_of(uint64_t whole, uint8_t share) {
    if (share == 255) return whole ? whole : 1;
    return (uint64_t)((double)whole * share / 255) + 1;
}

static void set_shares(struct tk_node *node, const struct ranking *ranking, uint64_t all) {
    for (unsigned i = 0; i < 3; i++) {
        bool is_there = i < ranking->count;
        node->values[i] = is_there ? ranking->values[i] : 0;
        node->shares[i] = is_there ? share_of(ranking->weights[i], all) : 0;
    }
    node->has_others = ranking->count > 3 || ranking->has_others;
}

// Sums up the last group, which ends at `end`.
static void sum_group(const struct tk_timeline_store *store, const struct tk_store_row *row, struct tk_node *node,
                      uint64_t end) {
    struct tk_point points[TK_GROUP_POINTS];
    struct ranking ranking = { .count = 0 };
    unsigned count = tk_row_points(store, row, tk_row_groups(row) - 1, points);
    uint64_t busy = 0;
    if (tk_row_has_numbers(row)) {
        node->min = node->max = node->last = count ? tk_number_of(points[0].value, points[0].is_double) : 0;
        for (unsigned i = 1; i < count; i++) {
            node->last = tk_number_of(points[i].value, points[i].is_double);
            if (node->last < node->min) node->min = node->last;
            if (node->last > node->max) node->max = node->last;
        }
        return;
    }
    for (unsigned i = 0; i < count; i++) {
        uint64_t next = i + 1 < count ? points[i + 1].ticks : end;
        if (!points[i].value) continue;
        busy += next - points[i].ticks;
        rank(&ranking, (uint32_t)points[i].value, row->kind == TK_ROW_INSTANTS ? 1 : next - points[i].ticks);
    }
    node->busy = row->kind == TK_ROW_INSTANTS ? 0 : busy;
    set_shares(node, &ranking, row->kind == TK_ROW_INSTANTS ? count : end - node->first);
}

// Sums up the nodes of the level below; `end`: the end of the last one.
static void sum_nodes(const struct tk_store_row *row, const struct tk_level *below, uint32_t first,
                      struct tk_node *node, uint64_t end) {
    struct ranking ranking = { .count = 0 };
    uint64_t points = 0, busy = 0;
    node->first = node_at(below, first)->first;
    for (uint32_t i = 0; i < TK_STORE_FANOUT; i++) {
        const struct tk_node *child = node_at(below, first + i);
        points += child->points;
        if (tk_row_has_numbers(row)) {
            if (!i || child->min < node->min) node->min = child->min;
            if (!i || child->max > node->max) node->max = child->max;
            node->last = child->last;
            continue;
        }
        uint64_t next = i + 1 < TK_STORE_FANOUT ? node_at(below, first + i + 1)->first : end;
        uint64_t whole = row->kind == TK_ROW_INSTANTS ? child->points : next - child->first;
        busy += child->busy;
        ranking.has_others |= child->has_others;
        for (unsigned k = 0; k < 3 && child->shares[k]; k++)
            rank(&ranking, child->values[k], weight_of(whole, child->shares[k]));
    }
    node->points = points > UINT32_MAX ? UINT32_MAX : (uint32_t)points;
    node->data = 0;
    if (tk_row_has_numbers(row)) return;
    node->busy = busy;
    set_shares(node, &ranking, row->kind == TK_ROW_INSTANTS ? points : end - node->first);
}

// Returns room for one more node of a level; NULL when out of memory.
static struct tk_node *push_node(struct tk_timeline_store *store, struct tk_store_row *row, uint32_t level) {
    if (!row->levels && !(row->levels = tk_alloc_zero(store->alloc, TK_STORE_LEVELS * sizeof *row->levels)))
        return NULL;
    struct tk_level *to = &row->levels[level];
    uint32_t chunk = (to->count - to->dropped) / TK_STORE_CHUNK;
    if (!tk_alloc_grow(store->alloc, (void **)&to->chunks, &to->chunk_capacity, chunk + 1, sizeof *to->chunks))
        return NULL;
    if (!to->chunks[chunk]) {
        to->chunks[chunk] = tk_alloc_zero(store->alloc, TK_STORE_CHUNK * sizeof **to->chunks);
        if (!to->chunks[chunk]) return NULL;
        store->node_bytes += TK_STORE_CHUNK * sizeof **to->chunks;
    }
    if (level >= row->level_count) row->level_count = level + 1;
    return node_at(to, to->count);
}

// Moves the last group into the tree; the next one begins at `end`.
static bool close_group(struct tk_timeline_store *store, struct tk_store_row *row, uint64_t end) {
    struct tk_node node = row->last, *to;
    if (tk_row_groups(row) > row->first_kept) sum_group(store, row, &node, end);
    for (uint32_t level = 0; level < TK_STORE_LEVELS; level++) {
        if (level) sum_nodes(row, &row->levels[level - 1], row->levels[level - 1].count - TK_STORE_FANOUT, &node, end);
        if (!(to = push_node(store, row, level))) return false;
        *to = node;
        if (++row->levels[level].count % TK_STORE_FANOUT) break;
    }
    row->last.points = 0;
    return true;
}

// ---- Rows and groups ----

static bool add_row(struct tk_timeline_store *store, const uint8_t *at, const uint8_t *end) {
    enum { NUMBER, KIND, OWNER, DEPTH, NUMBERS };
    uint32_t numbers[NUMBERS];
    if (!read32(at, end, numbers, NUMBERS)) return false;
    uint32_t number = numbers[NUMBER];
    if (number != store->row_count + 1 || numbers[KIND] >= TK_ROW_KINDS || number > TK_STORE_ROWS) return false;
    if (!tk_alloc_grow(store->alloc, (void **)&store->rows, &store->row_capacity, number, sizeof *store->rows))
        return true; // `failed` of the allocator
    store->rows[store->row_count++] = (struct tk_store_row){
        .kind = (uint8_t)numbers[KIND], .owner = numbers[OWNER], .depth = numbers[DEPTH], .is_constant = true
    };
    store->version++;
    return true;
}

struct group {
    struct tk_point points[TK_GROUP_POINTS];
    unsigned count;
    bool is_constant;
};

// Most values of points have one byte.
static const uint8_t *read_short(const uint8_t *at, const uint8_t *end, uint64_t *out_value) {
    if (at >= end || *at >= 0x80) return read64(at, end, out_value);
    *out_value = *at;
    return at + 1;
}

// Reads the points of a group, the first of which has its time. Returns false if they are not valid.
static bool read_group(const struct tk_store_row *row, bool has_doubles, const uint8_t *at, const uint8_t *end,
                       struct group *out) {
    uint64_t ticks = out->points[0].ticks, value = 0, read;
    bool is_numbers = tk_row_has_numbers(row);
    if ((has_doubles && !is_numbers) || at == end) return false;
    out->is_constant = true;
    for (out->count = 0; at < end; out->count++) {
        if (out->count == TK_GROUP_POINTS) return false;
        if (out->count) {
            if (!(at = read_short(at, end, &read)) || read > UINT64_MAX - ticks) return false;
            ticks += read;
        }
        if (has_doubles) {
            if (end - at < 8) return false;
            value = tk_load64(at);
            at += 8;
        } else {
            if (!(at = read_short(at, end, &read)) || (!is_numbers && read > UINT32_MAX)) return false;
            value = is_numbers ? value + (read >> 1 ^ (0 - (read & 1))) : read;
        }
        out->points[out->count] = (struct tk_point){ .ticks = ticks, .value = value, .is_double = has_doubles };
        out->is_constant &= value == out->points[0].value;
    }
    return true;
}

static void note_times(struct tk_timeline_store *store, struct tk_store_row *row, const struct group *group) {
    uint64_t first = group->points[0].ticks, last = group->points[group->count - 1].ticks,
             value = group->points[0].value;
    if (!store->has_points || first < store->first_ticks) store->first_ticks = first;
    if (!store->has_points || last > store->last_ticks) store->last_ticks = last;
    store->has_points = true;
    if (!row->points) row->constant = value;
    row->is_constant &= group->is_constant && value == row->constant;
    row->last_ticks = last;
}

static bool add_group(struct tk_timeline_store *store, const uint8_t *at, const uint8_t *end) {
    uint32_t row_and_flags[2], data;
    uint64_t first;
    struct group group;
    if (!(at = read32(at, end, row_and_flags, 2)) || !(at = read64(at, end, &first))) return false;
    uint32_t number = row_and_flags[0], flags = row_and_flags[1];
    if (!number || number > store->row_count) return false;
    struct tk_store_row *row = &store->rows[number - 1];
    bool replaces = row->last.points && row->last_is_open;
    uint64_t earliest = replaces ? row->closed_ticks : row->last_ticks;
    group.points[0].ticks = first;
    if ((row->points && first < earliest) || !read_group(row, flags & TK_GROUP_HAS_DOUBLES, at, end, &group))
        return false;
    if (store->is_full) return true;
    if (row->last.points && !replaces && !close_group(store, row, first)) return true;
    uint8_t packed[TK_PACKED_MAX];
    size_t len = tk_points_pack(group.points, group.count, row->kind, packed);
    uint8_t *to = flags & TK_GROUP_IS_OPEN ? reserve_open(store, row, len, &data) : reserve(store, len, &data);
    if (!to) return true;
    memcpy(to, packed, len);
    uint64_t replaced = replaces ? row->last.points : 0;
    note_times(store, row, &group);
    row->last = (struct tk_node){ .first = first, .points = group.count, .data = data };
    row->last_is_open = flags & TK_GROUP_IS_OPEN;
    if (!row->last_is_open) row->closed_ticks = row->last_ticks;
    row->points += group.count - replaced;
    store->points += group.count - replaced;
    return true;
}

static bool add_facts(struct tk_timeline_store *store, const uint8_t *at, const uint8_t *end) {
    uint64_t tick, last, lost, flags;
    if (!(at = read64(at, end, &tick)) || !(at = read64(at, end, &last)) || !(at = read64(at, end, &lost)) ||
        !(at = read64(at, end, &flags)) || !tick)
        return false;
    store->tick_ns = tick;
    store->lost_events = lost;
    if (last > store->last_ticks) store->last_ticks = last;
    store->is_final = flags & TK_FACTS_ARE_FINAL;
    return true;
}

bool tk_store_add(struct tk_timeline_store *store, const uint8_t *bytes, size_t len) {
    static bool (*const add[])(struct tk_timeline_store *store, const uint8_t *at, const uint8_t *end) = {
        [TK_BLOCK_DEFINE] = add_text, [TK_BLOCK_TRACK] = add_track, [TK_BLOCK_TASK] = add_task,
        [TK_BLOCK_ROW] = add_row,     [TK_BLOCK_GROUP] = add_group, [TK_BLOCK_FACTS] = add_facts,
        [TK_BLOCK_INTERN] = skip_text
    };
    const uint8_t *at = bytes, *end = bytes + len;
    while (at < end && !store->alloc->failed) {
        unsigned kind = *at++;
        uint32_t body;
        if (!(at = read32(at, end, &body, 1)) || body > (size_t)(end - at)) {
            store->damaged++;
            break;
        }
        if (kind < 1 || kind >= sizeof add / sizeof *add || !add[kind](store, at, at + body)) store->damaged++;
        at += body;
    }
    if (used_memory(store) > store->limit) make_room(store);
    return !store->alloc->failed;
}

// ---- Groups by time ----

uint32_t tk_row_group_at(const struct tk_store_row *row, uint64_t ticks) {
    uint32_t first = row->first_kept, low = first, high = tk_row_groups(row);
    while (low < high) { // finds the first group after `ticks`
        uint32_t middle = low + (high - low) / 2;
        if (tk_row_node(row, 0, middle)->first <= ticks) low = middle + 1;
        else high = middle;
    }
    return low > first ? low - 1 : first;
}
