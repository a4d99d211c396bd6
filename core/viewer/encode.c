// SPDX-License-Identifier: MIT
#include "encode.h"

#include "../base/attributes.h"
#include "../base/bytes.h"
#include "../base/idmap.h"
#include "../base/utf8.h"
#include "block.h"

#include <string.h>

enum {
    GROUP_BYTES = 108, // of the points of an open group
    POINT_BYTES = 20,  // longest point
    HEAD_BYTES = 40,   // longest start of a block
    FIRST_TASK = 300,  // pids of tasks begin here; smaller keys are found faster
    LANES = 8          // rows that are tried for a slice that begins before the last time of its row
};

struct row {
    uint64_t first, last;        // times of the first point of the open group, and of the last point
    uint64_t value;              // last value
    uint32_t below;              // slices: the row that was open when its slice began; 0: none
    uint32_t deeper;             // next row of the same track; 0: none
    uint8_t kind;                // enum tk_row_kind
    uint8_t count;               // points of the open group
    uint8_t len;                 // bytes of its points
    uint8_t value_at;            // start of the last value
    bool has_doubles;            // of the open group
    bool is_sent;                // a flush sent the open group, and no point was added since
    uint8_t points[GROUP_BYTES]; // as in the block, from the value of the first point on
};

// Rows are numbered from 1.
struct track {
    uint32_t open; // row of the innermost open slice; 0: none
    uint32_t slices, instants, numbers, flows;
};

struct tk_row_encoder {
    struct tk_alloc *alloc;
    tk_block_write_fn write;
    void *ctx;
    bool refused, is_muted;
    size_t used; // of the buffer
    struct row *rows;
    uint32_t row_count, row_capacity;
    struct track *tracks;
    uint32_t track_capacity;
    uint32_t cores[32];    // rows of the cores; 0: none
    struct tk_idmap tasks; // pid - FIRST_TASK -> row
    struct tk_idmap texts; // hash of an inline text -> its number
    uint32_t text_count;
    uint8_t buffer[TK_ENCODER_BUFFER];
};

// ---- Output ----

static uint8_t *put_varint(uint8_t *at, uint64_t value) {
    while (value >= 0x80) {
        *at++ = (uint8_t)value | 0x80;
        value >>= 7;
    }
    *at++ = (uint8_t)value;
    return at;
}

static inline uint64_t zigzag(int64_t value) { return (uint64_t)value << 1 ^ (uint64_t)(value >> 63); }

TK_COLD static void send_buffer(struct tk_row_encoder *encoder) {
    bool is_silent = encoder->refused || encoder->is_muted;
    if (encoder->used && !is_silent) encoder->refused = !encoder->write(encoder->ctx, encoder->buffer, encoder->used);
    encoder->used = 0;
}

// Appends a block. Its body is `head`, then `rest`.
static void put_block(struct tk_row_encoder *encoder, enum tk_block_kind kind, const uint8_t *head, size_t head_len,
                      const void *rest, size_t rest_len) {
    if (sizeof encoder->buffer - encoder->used < HEAD_BYTES + head_len + rest_len) send_buffer(encoder);
    uint8_t *at = encoder->buffer + encoder->used;
    *at++ = (uint8_t)kind;
    at = put_varint(at, head_len + rest_len);
    memcpy(at, head, head_len);
    if (rest_len) memcpy(at + head_len, rest, rest_len);
    encoder->used = (size_t)(at - encoder->buffer) + head_len + rest_len;
}

// Returns the length to which a text is cut, at the start of a character.
static size_t cut_text(const char *text, size_t len) {
    return len <= TK_BLOCK_TEXT ? len : tk_utf8_cut(text, TK_BLOCK_TEXT);
}

// ---- Rows ----

static void put_group(struct tk_row_encoder *encoder, uint32_t number, const struct row *row, unsigned flags) {
    uint8_t head[HEAD_BYTES], *at = put_varint(head, number);
    *at++ = (uint8_t)(flags | (row->has_doubles ? TK_GROUP_HAS_DOUBLES : 0));
    at = put_varint(at, row->first);
    put_block(encoder, TK_BLOCK_GROUP, head, (size_t)(at - head), row->points, row->len);
}

// Returns the number of a new row; 0 when there is no room.
TK_COLD static uint32_t add_row(struct tk_row_encoder *encoder, enum tk_row_kind kind, uint32_t owner, uint32_t depth) {
    if (encoder->row_count == TK_ENCODER_ROWS ||
        !tk_alloc_grow(encoder->alloc, (void **)&encoder->rows, &encoder->row_capacity, encoder->row_count + 1,
                       sizeof *encoder->rows))
        return 0;
    uint32_t number = ++encoder->row_count;
    encoder->rows[number - 1] = (struct row){ .kind = (uint8_t)kind };
    uint8_t head[HEAD_BYTES], *at = put_varint(head, number);
    *at++ = (uint8_t)kind;
    at = put_varint(at, owner);
    at = put_varint(at, depth);
    put_block(encoder, TK_BLOCK_ROW, head, (size_t)(at - head), NULL, 0);
    return number;
}

static inline struct row *row_at(struct tk_row_encoder *encoder, uint32_t number) { return &encoder->rows[number - 1]; }

static inline void put_value(struct row *row, uint64_t value, uint64_t before) {
    uint8_t *at = row->points + row->len;
    row->value_at = row->len;
    if (row->has_doubles) memcpy(at, &value, 8), at += 8;
    else if (row->kind >= TK_ROW_NUMBERS) at = put_varint(at, zigzag((int64_t)(value - before)));
    else at = put_varint(at, value);
    row->len = (uint8_t)(at - row->points);
    row->value = value;
}

// Adds a point. Of several values of a core or a task at the same time, the last one counts.
static inline void put(struct tk_row_encoder *encoder, uint32_t number, uint64_t ticks, uint64_t value,
                       bool is_double) {
    if (!number) return;
    struct row *row = row_at(encoder, number);
    if (ticks < row->last) ticks = row->last;
    row->is_sent = false;
    if (row->count && row->kind <= TK_ROW_TASK) {
        if (value == row->value) return;
        if (ticks == row->last) {
            row->len = row->value_at;
            put_value(row, value, 0);
            return;
        }
    }
    if (row->count &&
        (row->count == TK_GROUP_POINTS || row->len > GROUP_BYTES - POINT_BYTES || row->has_doubles != is_double)) {
        put_group(encoder, number, row, 0);
        row->count = row->len = 0;
    }
    uint64_t before = row->value;
    if (row->count) {
        row->len = (uint8_t)(put_varint(row->points + row->len, ticks - row->last) - row->points);
    } else {
        row->first = ticks;
        row->has_doubles = is_double;
        before = 0;
    }
    row->count++;
    row->last = ticks;
    put_value(row, value, before);
}

// ---- Tasks and cores ----

static uint32_t task_row(struct tk_row_encoder *encoder, int32_t pid) {
    uint32_t key = (uint32_t)pid - FIRST_TASK, row = tk_idmap_find(&encoder->tasks, key);
    if (row != TK_NONE) return row;
    row = add_row(encoder, TK_ROW_TASK, (uint32_t)pid, 0);
    if (row && !tk_idmap_set(&encoder->tasks, encoder->alloc, key, row)) return 0;
    return row;
}

static uint32_t core_row(struct tk_row_encoder *encoder, uint32_t core) {
    if (!encoder->cores[core]) encoder->cores[core] = add_row(encoder, TK_ROW_CORE, core, 0);
    return encoder->cores[core];
}

static uint64_t value_of_state(const struct tk_task_change *change) {
    unsigned woken = 0;
    if (change->state == TK_STATE_RUNNABLE && change->waker != TK_WAKER_UNKNOWN)
        woken = (change->waker == TK_WAKER_TASK ? TK_WOKEN_BY_TASK : TK_WOKEN_BY_INTERRUPT) + 2 * change->core;
    return (change->state + 1u) | woken << TK_STATE_BITS;
}

static void on_state(void *ctx, const struct tk_task_change *change) {
    struct tk_row_encoder *encoder = ctx;
    bool runs = change->state == TK_STATE_RUNNING;
    if (change->pid) put(encoder, task_row(encoder, change->pid), change->ticks, value_of_state(change), false);
    uint32_t number = runs || !change->pid ? core_row(encoder, change->core) : encoder->cores[change->core];
    if (!number) return;
    const struct row *core = row_at(encoder, number);
    if (core->count && change->ticks < core->last) return; // the next task of the core is known
    if (change->state == TK_STATE_UNRECORDED) {
        // task_row() may move the rows, so `core` is invalid after it
        uint32_t task = core->value > TK_CORE_UNRECORDED ? task_row(encoder, (int32_t)core->value) : 0;
        if (task && row_at(encoder, task)->value == TK_STATE_RUNNING + 1)
            put(encoder, task, change->ticks, TK_STATE_UNRECORDED + 1, false);
        put(encoder, number, change->ticks, TK_CORE_UNRECORDED, false);
        return;
    }
    if (runs) put(encoder, number, change->ticks, (uint32_t)change->pid, false);
    else if (change->pid && core->value == (uint32_t)change->pid) put(encoder, number, change->ticks, 0, false);
}

// ---- Tracks ----

static struct track *track_at(struct tk_row_encoder *encoder, uint32_t track) {
    if (track > TK_ENCODER_ROWS) return NULL;
    if (track >= encoder->track_capacity &&
        !tk_alloc_grow(encoder->alloc, (void **)&encoder->tracks, &encoder->track_capacity, track + 1,
                       sizeof *encoder->tracks))
        return NULL;
    return &encoder->tracks[track];
}

// Returns the first row from *at on, a list of rows of a track, whose last time is not after `ticks`; adds one if there
// is none. depth: of the first row.
static uint32_t row_for(struct tk_row_encoder *encoder, uint32_t track, enum tk_row_kind kind, uint32_t *at,
                        uint32_t depth, uint64_t ticks) {
    uint32_t owner = 0; // row whose `deeper` is `at`; 0: it is in the track
    for (uint32_t lane = 0;; lane++, depth++) {
        uint32_t number = *at;
        if (!number) {
            number = add_row(encoder, kind, track, depth); // moves the rows
            if (owner) row_at(encoder, owner)->deeper = number;
            else *at = number;
            return number;
        }
        struct row *row = row_at(encoder, number);
        if (row->last <= ticks || lane == LANES) return number;
        owner = number;
        at = &row->deeper;
    }
}

static uint32_t depth_of(struct tk_row_encoder *encoder, uint32_t number) {
    uint32_t depth = 0;
    for (; number; number = row_at(encoder, number)->below) depth++;
    return depth;
}

static void begin(struct tk_row_encoder *encoder, uint32_t id, struct track *track, uint64_t ticks, uint64_t value) {
    uint32_t open = track->open, number;
    if (!open) {
        number = row_for(encoder, id, TK_ROW_SLICES, &track->slices, 0, ticks);
    } else {
        uint32_t deeper = row_at(encoder, open)->deeper; // a copy, because a new row moves the others
        number = row_for(encoder, id, TK_ROW_SLICES, &deeper, depth_of(encoder, open), ticks);
        if (!row_at(encoder, open)->deeper) row_at(encoder, open)->deeper = deeper;
    }
    if (!number) return;
    row_at(encoder, number)->below = open;
    track->open = number;
    put(encoder, number, ticks, value, false);
}

static inline void draw(struct tk_row_encoder *encoder, enum tk_track_event_type type, uint32_t id, uint64_t ticks,
                        uint64_t value, bool is_double) {
    struct track *track = track_at(encoder, id);
    if (!track) return;
    switch (type) {
    case TK_EVENT_BEGIN: begin(encoder, id, track, ticks, value); break;
    case TK_EVENT_END:
        put(encoder, track->open, ticks, value, false);
        if (track->open) track->open = row_at(encoder, track->open)->below;
        break;
    case TK_EVENT_INSTANT:
    case TK_EVENT_SAMPLE:
        put(encoder, row_for(encoder, id, TK_ROW_INSTANTS, &track->instants, 0, ticks), ticks, value, false);
        break;
    case TK_EVENT_COUNTER:
        put(encoder, row_for(encoder, id, TK_ROW_NUMBERS, &track->numbers, 0, ticks), ticks, value, is_double);
        break;
    }
}

static void put_text(struct tk_row_encoder *encoder, uint64_t value, const char *text, size_t len) {
    uint8_t head[HEAD_BYTES];
    put_block(encoder, TK_BLOCK_DEFINE, head, (size_t)(put_varint(head, value) - head), text, cut_text(text, len));
}

// Returns the value of an inline text; 1 is TK_SLICE_UNMEASURED.
static inline uint64_t odd(uint32_t number) { return ((uint64_t)number + 1) << 1 | 1; }

static uint64_t value_of_text(struct tk_row_encoder *encoder, const char *text, size_t len) {
    static const char further[] = "further texts";
    len = cut_text(text, len);
    uint64_t hash = tk_hash_bytes((const uint8_t *)text, len);
    uint32_t number = tk_idmap_find(&encoder->texts, hash);
    if (number != TK_NONE) return odd(number);
    if (encoder->text_count > TK_ENCODER_TEXTS) return odd(TK_ENCODER_TEXTS);
    if (encoder->text_count == TK_ENCODER_TEXTS) text = further, len = sizeof further - 1;
    else if (!tk_idmap_set(&encoder->texts, encoder->alloc, hash, encoder->text_count)) return odd(0);
    number = encoder->text_count++;
    put_text(encoder, odd(number), text, len);
    return odd(number);
}

static inline uint64_t value_of_name(uint64_t id) { return id << 1; }

static void put_flow(struct tk_row_encoder *encoder, uint32_t id, uint64_t ticks, uint64_t flow) {
    struct track *track = track_at(encoder, id);
    if (track) put(encoder, row_for(encoder, id, TK_ROW_FLOWS, &track->flows, 0, ticks), ticks, flow, false);
}

static void on_event(void *ctx, const struct tk_track_event *event) {
    struct tk_row_encoder *encoder = ctx;
    uint64_t value = 0;
    if (!event->track) return; // only in the list of log messages
    if (event->type == TK_EVENT_COUNTER && event->is_double) memcpy(&value, &event->value_double, 8);
    else if (event->type == TK_EVENT_COUNTER) value = (uint64_t)event->value;
    else if (event->name && event->type != TK_EVENT_SAMPLE) value = value_of_name(event->name);
    else if (event->type == TK_EVENT_END) value = event->is_unmeasured ? TK_SLICE_UNMEASURED : 0;
    else value = value_of_text(encoder, event->string ? event->string : "", event->string ? event->string_len : 0);
    draw(encoder, (enum tk_track_event_type)event->type, event->track, event->ticks, value,
         event->type == TK_EVENT_COUNTER && event->is_double);
    if (event->flow_end) put_flow(encoder, event->track, event->ticks, event->flow_end);
    if (event->flow) put_flow(encoder, event->track, event->ticks, event->flow);
}

static void on_simple_event(void *ctx, uint64_t ticks, enum tk_track_event_type type, uint32_t track, uint64_t what,
                            uint64_t detail) {
    struct tk_row_encoder *encoder = ctx;
    (void)detail;
    if (type != TK_EVENT_COUNTER && what) what = value_of_name(what);
    else if (type == TK_EVENT_BEGIN || type == TK_EVENT_INSTANT) what = value_of_text(encoder, "", 0);
    draw(encoder, type, track, ticks, what, false);
}

// ---- Names ----

static void on_define(void *ctx, enum tk_intern list, uint32_t id, const char *text, size_t len) {
    uint8_t head[HEAD_BYTES];
    if (list == TK_INTERN_NAME) put_text(ctx, value_of_name(id), text, len);
    if (list == TK_INTERN_NAME || list == TK_INTERN_FUNCTION || list == TK_INTERN_CATEGORY) return;
    head[0] = (uint8_t)list;
    put_block(ctx, TK_BLOCK_INTERN, head, (size_t)(put_varint(head + 1, id) - head), text, cut_text(text, len));
}

TK_COLD static void on_declare(void *ctx, const struct tk_track_info *track) {
    uint8_t head[2 * HEAD_BYTES + TK_BLOCK_TEXT], *at = put_varint(head, track->track);
    size_t unit_len = track->unit ? cut_text(track->unit, strlen(track->unit)) : 0;
    at = put_varint(at, track->parent);
    *at++ = (uint8_t)track->kind;
    at = put_varint(at, zigzag(track->pid));
    at = put_varint(at, zigzag(track->rank));
    *at++ = track->ordered_children ? TK_TRACK_IS_ORDERED : 0;
    at = put_varint(at, track->share);
    *at++ = track->purpose;
    *at++ = track->core;
    at = put_varint(at, unit_len);
    if (unit_len) memcpy(at, track->unit, unit_len);
    at += unit_len;
    put_block(ctx, TK_BLOCK_TRACK, head, (size_t)(at - head), track->name,
              track->name ? cut_text(track->name, track->name_len) : 0);
}

TK_COLD static void on_task(void *ctx, const struct tk_task_info *info) {
    uint8_t head[HEAD_BYTES], *at = put_varint(head, (uint32_t)info->pid);
    *at++ = info->idle ? TK_TASK_IS_IDLE : 0;
    put_block(ctx, TK_BLOCK_TASK, head, (size_t)(at - head), info->name, cut_text(info->name, info->name_len));
}

static void put_counts(struct tk_row_encoder *encoder, uint64_t tick_ns, uint64_t last_ticks, uint64_t lost,
                       unsigned flags) {
    uint8_t head[HEAD_BYTES], *at = put_varint(head, tick_ns);
    at = put_varint(at, last_ticks);
    at = put_varint(at, lost);
    *at++ = (uint8_t)flags;
    put_block(encoder, TK_BLOCK_FACTS, head, (size_t)(at - head), NULL, 0);
}

TK_COLD static void on_finish(void *ctx, const struct tk_trace_summary *summary) {
    struct tk_row_encoder *encoder = ctx;
    for (uint32_t number = 1; number <= encoder->row_count; number++) {
        struct row *row = row_at(encoder, number);
        if (row->count) put_group(encoder, number, row, 0);
        row->count = row->len = 0;
    }
    put_counts(encoder, summary->tick_ns ? summary->tick_ns : 1, summary->last_ticks, summary->lost_events,
               TK_FACTS_ARE_FINAL);
    send_buffer(encoder);
}

// ---- Life ----

tk_row_encoder *tk_row_encoder_new(struct tk_alloc *alloc, tk_block_write_fn write, void *ctx) {
    struct tk_row_encoder *encoder = tk_alloc_zero(alloc, sizeof *encoder);
    if (!encoder) return NULL;
    encoder->alloc = alloc;
    encoder->write = write;
    encoder->ctx = ctx;
    return encoder;
}

struct tk_track_sink tk_row_encoder_sink(tk_row_encoder *encoder) {
    return (struct tk_track_sink){ encoder,  on_define, on_declare,      on_task,
                                   on_state, on_event,  on_simple_event, on_finish };
}

TK_COLD void tk_row_encoder_flush(tk_row_encoder *encoder, uint64_t tick_ns, uint64_t last_ticks) {
    for (uint32_t number = 1; number <= encoder->row_count; number++) {
        struct row *row = row_at(encoder, number);
        if (row->count && !row->is_sent) put_group(encoder, number, row, TK_GROUP_IS_OPEN);
        row->is_sent = true;
    }
    put_counts(encoder, tick_ns, last_ticks, 0, 0);
    send_buffer(encoder);
}

void tk_row_encoder_mute(tk_row_encoder *encoder) { encoder->is_muted = true; }
bool tk_row_encoder_refused(const tk_row_encoder *encoder) { return encoder->refused; }
