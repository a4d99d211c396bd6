// SPDX-License-Identifier: MIT
#include "timeline.h"

#include "base/out.h"
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
static struct room input, pixels, cells, text;
static size_t text_len;

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

static bool append(void *ctx, const char *bytes, size_t len) {
    (void)ctx;
    size_t size = text.size ? text.size : 64 * 1024;
    while (size < text_len + len) size *= 2;
    if (!reserve(&text, size)) return false;
    memcpy((char *)text.bytes + text_len, bytes, len);
    text_len += len;
    return true;
}

static void put_name(struct tk_json_out *json, struct tk_store_text name) { tk_put_text(json, name.text, name.len); }

static void put_rows(struct tk_json_out *json) {
    tk_put_begin(json, '[');
    for (uint32_t i = 0; i < store.row_count; i++) {
        const struct tk_store_row *row = &store.rows[i];
        if (!row->points) continue;
        tk_put_begin(json, '[');
        tk_put_u64(json, i + 1);
        tk_put_u64(json, row->kind);
        tk_put_u64(json, row->owner);
        tk_put_u64(json, row->depth);
        tk_put_bool(json, row->is_constant);
        tk_put_end(json, ']');
    }
    tk_put_end(json, ']');
}

static void put_tracks(struct tk_json_out *json) {
    tk_put_begin(json, '[');
    for (uint32_t i = 0; i < store.track_count; i++) {
        const struct tk_store_track *track = &store.tracks[i];
        tk_put_begin(json, '[');
        tk_put_u64(json, track->track);
        tk_put_u64(json, track->parent);
        tk_put_u64(json, track->kind);
        tk_put_i64(json, track->pid);
        tk_put_i64(json, track->rank);
        tk_put_bool(json, track->is_ordered);
        put_name(json, track->name);
        put_name(json, track->unit);
        tk_put_u64(json, track->purpose);
        tk_put_u64(json, track->core);
        tk_put_end(json, ']');
    }
    tk_put_end(json, ']');
}

static void put_tasks(struct tk_json_out *json) {
    tk_put_begin(json, '[');
    for (uint32_t i = 0; i < store.task_count; i++) {
        const struct tk_store_task *task = &store.tasks[i];
        tk_put_begin(json, '[');
        tk_put_u64(json, task->pid);
        tk_put_bool(json, task->is_idle);
        put_name(json, task->name);
        tk_put_end(json, ']');
    }
    tk_put_end(json, ']');
}

uint32_t tkt_rows(void) {
    static struct tk_json_out json;
    memset(&json, 0, sizeof json);
    text_len = 0;
    tk_out_init(&json.out, append, NULL);
    tk_put_begin(&json, '[');
    put_rows(&json);
    put_tracks(&json);
    put_tasks(&json);
    tk_put_end(&json, ']');
    return tk_out_flush(&json.out) ? (uint32_t)text_len : 0;
}

const char *tkt_text(void) { return text.bytes; }

uint32_t tkt_name(uint64_t value) {
    const struct tk_store_text *name = tk_store_text(&store, value);
    text_len = 0;
    if (name) append(NULL, name->text, name->len);
    return (uint32_t)text_len;
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
