// SPDX-License-Identifier: MIT
//
// Store, queries and pictures of the timeline. Byte 0: bit 0: the rest are blocks as they are; otherwise rows and
// groups that are mostly valid. Whatever the blocks contain, memory stays below the limit, items of a row are in order,
// and figures fit into their interval.
#include <string.h>

#include "common/check.h"
#include "common/heap.h"
#include "common/take.h"
#include "tonkopf.h"
#include "viewer/paint.h"

enum { LIMIT = 1 << 20, BODY = 600, WIDTH = 50, HEIGHT = 30 };

static struct tk_timeline_store store;
static struct tk_alloc alloc;

static uint8_t *put(uint8_t *at, uint64_t value) {
    for (; value >= 0x80; value >>= 7) *at++ = (uint8_t)(value | 0x80);
    *at++ = (uint8_t)value;
    return at;
}

static void add_block(unsigned kind, const uint8_t *body, size_t len) {
    uint8_t block[BODY + 16], *at = block;
    *at++ = (uint8_t)kind;
    at = put(at, len);
    memcpy(at, body, len);
    check(tk_store_add(&store, block, (size_t)(at - block) + len));
}

static void add_row(struct take *from) {
    uint8_t body[64], *at = put(body, store.row_count + 1);
    at = put(at, take_byte(from) % TK_ROW_KINDS);
    at = put(at, take_number(from));
    at = put(at, take_byte(from) % 4);
    add_block(TK_BLOCK_ROW, body, (size_t)(at - body));
}

// Repeats its points, so that a short input gives many groups.
static void add_groups(struct take *from) {
    unsigned number = take_byte(from) % (store.row_count + 1), repeats = 1 + take_byte(from),
             points = 1 + take_byte(from) % TK_GROUP_POINTS, flags = take_byte(from) & 3;
    struct take start = *from;
    const struct tk_store_row *row = tk_store_row(&store, number);
    for (unsigned turn = 0; row && turn < repeats; turn++) {
        uint8_t body[BODY], *at = put(body, number);
        row = tk_store_row(&store, number);
        *from = start;
        at = put(at, flags);
        at = put(at, row->last_ticks + take_byte(from));
        for (unsigned i = 0; i < points; i++) {
            if (i) at = put(at, take_number(from) >> (row->last_ticks >> 63 ? 40 : 8));
            if (flags & TK_GROUP_HAS_DOUBLES) memset(at, (int)take_byte(from), 8), at += 8;
            else at = put(at, take_byte(from) % 8);
            if (at > body + BODY - 32) break;
        }
        add_block(TK_BLOCK_GROUP, body, (size_t)(at - body));
    }
}

static void add_other(struct take *from) {
    size_t len;
    unsigned kind = take_byte(from);
    const uint8_t *body = take_bytes(from, take_byte(from), &len);
    add_block(kind, body, len);
}

static void check_order(uint32_t row) {
    struct tk_item item, next;
    bool is_there = tk_query_from(&store, row, 0, 0, &item);
    for (unsigned i = 0; is_there && i < 200; i++, item = next) {
        check(item.begin <= item.end);
        is_there = tk_query_next(&store, row, item.place, 0, &next);
        if (!is_there) break;
        struct tk_item back;
        check(next.place > item.place && next.begin >= item.begin);
        check(tk_query_previous(&store, row, next.place, 0, &back) && back.place == item.place);
    }
}

static void check_row(struct take *from, uint32_t row) {
    static struct tk_cell cells[WIDTH];
    static uint32_t pixels[WIDTH * HEIGHT];
    static struct tk_label labels[16];
    uint64_t begin = take_number(from), span = take_number(from), value = take_byte(from) % 8;
    uint64_t end = span < UINT64_MAX - begin ? begin + span + 1 : UINT64_MAX;
    struct tk_figures figures;
    struct tk_item item;
    const struct tk_window window = { begin, take_byte(from) / 256.0, (double)(span % 1000000007 + 1) / WIDTH, WIDTH };
    const struct tk_picture picture = { pixels, WIDTH, HEIGHT, 1 + begin % 2, span % 2 != 0 };
    const struct tk_strip strip = { row, (uint32_t)(span % HEIGHT), (uint32_t)(begin % HEIGHT) };
    check_order(row);
    if (begin < end) {
        struct tk_hit hits[4];
        check(tk_query_figures(&store, &row, 1, value, begin, end, &figures));
        check(tk_query_flows(&store, row, value, hits, 4) <= 4);
        check(figures.total <= end - begin && figures.unmeasured <= end - begin);
        check(figures.whole <= figures.count && figures.min <= figures.p50 && figures.p50 <= figures.p99);
    }
    if (tk_query_at(&store, row, begin, end, &item)) check(item.begin <= end && item.end >= begin);
    if (tk_query_longest(&store, row, value, &item)) check(!value || item.value == value);
    tk_paint_strip(&store, &window, &strip, &picture, cells);
    tk_paint_labels(&store, &window, row, 4, labels, 16);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len) {
    static struct tk_hit hits[8];
    struct take from = { data, data + len };
    const struct tk_allocator allocator = heap_allocator();
    memset(&store, 0, sizeof store);
    alloc = (struct tk_alloc){ .realloc = allocator.realloc, .ctx = allocator.ctx };
    tk_store_init(&store, &alloc, LIMIT);
    if (take_byte(&from) & 1) {
        uint8_t *copy = heap_copy(from.at, take_left(&from));
        check(tk_store_add(&store, copy, take_left(&from)));
        heap_drop(copy, take_left(&from));
    } else {
        for (unsigned i = 0; i < 40 && take_left(&from); i++) {
            unsigned what = take_byte(&from) % 8;
            if (what == 0) add_row(&from);
            else if (what < 7) add_groups(&from);
            else add_other(&from);
        }
    }
    check(store.node_bytes + (size_t)store.page_count * TK_STORE_PAGE <= LIMIT + TK_STORE_PAGE);
    for (uint32_t row = 0; row <= store.row_count + 1 && row < 8; row++) check_row(&from, row);
    tk_query_find(&store, "a", 1, hits, 8);
    tk_alloc_free_all(&alloc);
    heap_reset();
    return 0;
}
