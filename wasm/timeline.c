// SPDX-License-Identifier: MIT
#include "timeline.h"

#include "heap.h"
#include "viewer/paint.h"

#include <string.h>

enum { HITS = 200 };

struct room {
    void *bytes;
    size_t size;
};

static struct tk_alloc alloc;
static struct tk_timeline_store store;
static struct tk_window window;
static struct tk_picture picture;
static uint64_t results[TKT_RESULTS];
static struct room input, pixels, cells, names;

static void *reserve(struct room *room, size_t size) {
    if (size <= room->size) return room->bytes;
    void *grown = tkw_resize(NULL, room->bytes, room->size, size);
    if (grown) *room = (struct room){ grown, size };
    return grown;
}

static uint64_t bits_of(double number) {
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    return bits;
}

uint64_t *tkt_open(uint32_t limit) {
    tkw_heap_open();
    alloc = (struct tk_alloc){ .realloc = tkw_resize };
    tk_store_init(&store, &alloc, limit);
    return results;
}

uint8_t *tkt_room(uint32_t len) { return reserve(&input, len ? len : 1); }
bool tkt_add(uint32_t len) { return tk_store_add(&store, input.bytes, len); }

void tkt_facts(void) {
    const uint64_t facts[] = {
        store.first_ticks, store.last_ticks,
        store.tick_ns,     store.lost_events,
        store.points,      store.row_count,
        store.version,     store.damaged,
        store.has_dropped, store.node_bytes + store.open_bytes + (uint64_t)store.page_count * TK_STORE_PAGE,
        store.is_final
    };
    memcpy(results, facts, sizeof facts);
}

// ---- Names ----

// The store keeps its texts where they are.
static uint32_t *put_name(uint32_t *to, struct tk_store_text name) {
    *to++ = (uint32_t)(uintptr_t)name.text;
    *to++ = name.len;
    return to;
}

static uint32_t *put_rows(uint32_t *to) {
    for (uint32_t i = 0; i < store.row_count; i++) {
        const struct tk_store_row *row = &store.rows[i];
        *to++ = row->kind;
        *to++ = row->owner;
        *to++ = row->depth;
        *to++ = row->is_constant;
        *to++ = row->points != 0;
    }
    return to;
}

static uint32_t *put_tracks(uint32_t *to) {
    for (uint32_t i = 0; i < store.track_count; i++) {
        const struct tk_store_track *track = &store.tracks[i];
        *to++ = track->track;
        *to++ = track->parent;
        *to++ = track->kind;
        *to++ = (uint32_t)track->pid;
        *to++ = (uint32_t)track->rank;
        *to++ = track->is_ordered;
        *to++ = track->purpose;
        *to++ = track->core;
        to = put_name(to, track->name);
        to = put_name(to, track->unit);
    }
    return to;
}

uint32_t *tkt_rows(void) {
    size_t words = 3 + 5 * (size_t)store.row_count + 12 * (size_t)store.track_count + 4 * (size_t)store.task_count;
    size_t room = 64 * 1024;
    while (room < words * sizeof(uint32_t)) room *= 2; // memory that is given back serves only about the same size
    uint32_t *to = reserve(&names, room);
    if (!to) return NULL;
    *to++ = store.row_count;
    *to++ = store.track_count;
    *to++ = store.task_count;
    to = put_tracks(put_rows(to));
    for (uint32_t i = 0; i < store.task_count; i++) {
        *to++ = store.tasks[i].pid;
        *to++ = store.tasks[i].is_idle;
        to = put_name(to, store.tasks[i].name);
    }
    return names.bytes;
}

uint32_t *tkt_name(uint64_t value) {
    const struct tk_store_text *name = tk_store_text(&store, value);
    static uint32_t found[2];
    put_name(found, name ? *name : (struct tk_store_text){ "", 0 });
    return found;
}

// ---- Pictures ----

void tkt_window(uint64_t from, double offset, double ticks_per_pixel, uint32_t width) {
    window = (struct tk_window){ from, offset, ticks_per_pixel, width };
}

uint32_t *tkt_picture(uint32_t height, uint32_t scale, bool is_dark) {
    size_t size = (size_t)window.width * height * sizeof(uint32_t);
    picture = (struct tk_picture){ reserve(&pixels, size ? size : 1), window.width, height, scale, is_dark };
    if (!picture.pixels || !reserve(&cells, (window.width + 1) * sizeof(struct tk_cell))) return NULL;
    memset(picture.pixels, 0, size);
    return picture.pixels;
}

bool tkt_strip(uint32_t row, uint32_t y, uint32_t height) {
    const struct tk_strip strip = { row, y, height };
    return tk_paint_strip(&store, &window, &strip, &picture, cells.bytes);
}

uint32_t tkt_labels(uint32_t row, double least) {
    enum { WORDS = 6, MOST = TKT_RESULTS / WORDS };
    static struct tk_label labels[MOST];
    uint32_t count = tk_paint_labels(&store, &window, row, least, labels, MOST);
    for (uint32_t i = 0; i < count; i++) {
        const struct tk_label *label = &labels[i];
        const uint64_t words[WORDS] = { bits_of(label->x), bits_of(label->width), label->begin,
                                        label->end,        label->value,          label->place };
        memcpy(results + WORDS * i, words, sizeof words);
    }
    return count;
}

uint32_t tkt_colour(uint32_t number, uint64_t value, bool is_dark) {
    const struct tk_store_row *row = tk_store_row(&store, number);
    if (row && row->kind <= TK_ROW_TASK)
        return tk_paint_task_colour(tk_store_task(&store, row->kind == TK_ROW_TASK ? row->owner : (uint32_t)value),
                                    is_dark);
    return tk_paint_colour(tk_store_text(&store, value), is_dark);
}

uint32_t tkt_legend(uint32_t which, bool is_dark) { return tk_paint_legend((enum tk_legend)which, is_dark); }

// ---- Queries ----

static bool put_item(bool is_found, const struct tk_item *item) {
    if (!is_found) return false;
    const uint64_t words[] = { item->begin,     item->end,     item->value, item->place,
                               item->is_double, item->is_open, item->woken };
    memcpy(results, words, sizeof words);
    return true;
}

bool tkt_item(uint32_t row, uint64_t place) {
    struct tk_item item;
    return put_item(tk_query_item(&store, row, place, &item), &item);
}

bool tkt_at(uint32_t row, uint64_t from, uint64_t to) {
    struct tk_item item;
    return put_item(tk_query_at(&store, row, from, to, &item), &item);
}

bool tkt_next(uint32_t row, uint64_t place, uint64_t value) {
    struct tk_item item;
    return put_item(tk_query_next(&store, row, place, value, &item), &item);
}

bool tkt_previous(uint32_t row, uint64_t place, uint64_t value) {
    struct tk_item item;
    return put_item(tk_query_previous(&store, row, place, value, &item), &item);
}

bool tkt_from(uint32_t row, uint64_t ticks, uint64_t value) {
    struct tk_item item;
    return put_item(tk_query_from(&store, row, ticks, value, &item), &item);
}

bool tkt_longest(uint32_t row, uint64_t value) {
    struct tk_item item;
    return put_item(tk_query_longest(&store, row, value, &item), &item);
}

bool tkt_figures(uint32_t row_count, uint64_t value, uint64_t from, uint64_t to) {
    struct tk_figures figures;
    if (from > to || !tk_query_figures(&store, input.bytes, row_count, value, from, to, &figures)) return false;
    const uint64_t words[] = { figures.count, figures.total, figures.whole, figures.whole_total, figures.min,
                               figures.p50,   figures.p95,   figures.p99,   figures.max,         figures.unmeasured };
    memcpy(results, words, sizeof words);
    return true;
}

uint32_t tkt_values(uint32_t row, uint64_t from, uint64_t to) {
    return tk_query_values(&store, row, from, to, results, TKT_RESULTS);
}

static uint32_t put_hits(const struct tk_hit *hits, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        const uint64_t words[] = { hits[i].row, hits[i].value, hits[i].begin, hits[i].place };
        memcpy(results + 4 * i, words, sizeof words);
    }
    return count;
}

uint32_t tkt_flows(uint32_t row, uint64_t place) {
    enum { ENDS = 8 };
    struct tk_hit hits[ENDS];
    return put_hits(hits, tk_query_flows(&store, row, place, hits, ENDS));
}

uint32_t tkt_find(uint32_t len) {
    static struct tk_hit hits[HITS];
    return put_hits(hits, tk_query_find(&store, input.bytes, len, hits, HITS));
}
