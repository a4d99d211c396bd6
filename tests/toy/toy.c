// SPDX-License-Identifier: MIT
//
// A decoder for a format that nobody has: tasks, an interrupt, a signal with a unit, a state, nested arguments, and two
// cores whose clocks differ. It shows what a format costs: this file, and its line in the registry (here the lists at
// the end).
//
// "TOY1", then records of eight bytes: core << 4 | kind, number, count of the core's clock (24 bit), value (24 bit);
// little endian.
#include <string.h>

#include "base/bytes.h"
#include "formats/format.h"

enum { RECORD = 8, SIGNAL = 1, STATE, GROUP };
enum kind { TASK_NAME, SWITCH, READY, ISR, ISR_END, LEVEL, MODE, SYNC, KINDS };

struct toy {
    struct tk_batch *streams[2]; // per core
    uint64_t at, frames;
    uint8_t part[RECORD];
    uint8_t part_len;
    bool began;
    struct tk_account *account;
    struct tk_diag *diag;
};

static const struct tk_format_info info = { .name = "toy", .title = "Toy recordings", .pieces = "Frames" };

static void probe(const uint8_t *head, size_t head_len, const uint8_t *tail, size_t tail_len,
                  struct tk_probe *out_probe) {
    (void)tail, (void)tail_len;
    if (head_len < 4 || memcmp(head, "TOY1", 4)) return;
    out_probe->confidence = 100, out_probe->frames = out_probe->valid = (head_len - 4) / RECORD;
    out_probe->names_tick = out_probe->has_events = true, out_probe->tick_ns = 1;
    memcpy(out_probe->reason, "It begins with TOY1.", 21);
}

static bool init(void *decoder, const struct tk_decode_host *host) {
    struct toy *toy = decoder;
    toy->account = host->account, toy->diag = host->diag;
    for (unsigned core = 0; core < 2; core++)
        if (!(toy->streams[core] = host->open_stream(host->stream_ctx, TK_STREAM_RESOLVED))) return false;
    tk_batch_set_clock(toy->streams[0], &(struct tk_domain){ .name = "main oscillator", .ns = 1000, .per_counts = 1 });
    tk_batch_set_clock(
        toy->streams[1],
        &(struct tk_domain){
            .name = "watch crystal", .ns = 1000000000, .per_counts = 32768, .core = 1, .is_compared = true });
    return true;
}

static void put(struct toy *toy, unsigned core, struct tk_event event) {
    event.core = (uint8_t)core, event.offset = toy->at, event.frame_len = RECORD;
    *tk_batch_slot(toy->streams[core]) = event;
    tk_batch_add(toy->streams[core]);
}

static void define(struct toy *toy, uint32_t id, const char *name, const struct tk_track_def *def) {
    put(toy, 0,
        (struct tk_event){ .kind = TK_EV_TRACK_DEFINED,
                           .track_defined.track = id,
                           .str = name,
                           .str_len = (uint32_t)strlen(name),
                           .track_defined.definition = def });
}

static void begin(struct toy *toy) {
    static const struct tk_track_def group = { .parent_kind = TK_PARENT_ROOT,
                                               .type = TK_TRACK_OF_GROUP,
                                               .description = "Everything that is measured",
                                               .description_len = 27 };
    static const struct tk_track_def level = { .parent_kind = TK_PARENT_TRACK,
                                               .parent = GROUP,
                                               .type = TK_TRACK_OF_COUNTER,
                                               .rank = 1,
                                               .in_signals = true,
                                               .unit = "mV",
                                               .unit_len = 2,
                                               .type_words = "integer",
                                               .type_words_len = 7 };
    static const struct tk_track_def mode = { .parent_kind = TK_PARENT_TRACK,
                                              .parent = GROUP,
                                              .type = TK_TRACK_OF_SLICES,
                                              .in_signals = true,
                                              .type_words = "state",
                                              .type_words_len = 5 };
    toy->began = true;
    put(toy, 0,
        (struct tk_event){ .kind = TK_EV_TICK_LENGTH, .tick_length.ns = 1, .tick_length.origin = TK_TICK_RECORDED });
    define(toy, GROUP, "Plant", &group);
    define(toy, SIGNAL, "level", &level);
    define(toy, STATE, "mode", &mode);
}

static const char *const modes[] = { "stopped", "filling", "full" }, *const tasks[] = { "idle", "pump", "valve" };

// The state with two details, the second of which has two of its own.
static void add_mode(struct toy *toy, struct tk_event *event, uint32_t value) {
    uint32_t mode = value & 3, step = value >> 2 & 3;
    struct tk_value *values = (struct tk_value *)tk_arena_reserve(&toy->streams[0]->memory, 4 * sizeof *values);
    if (!values) return;
    tk_arena_commit(&toy->streams[0]->memory, 4 * sizeof *values);
    values[0] = (struct tk_value){ .name = "step", .type = TK_VALUE_UINT, .number.u = step };
    values[1] = (struct tk_value){ .name = "flow", .type = TK_VALUE_GROUP, .number.u = 2 };
    values[2] = (struct tk_value){ .name = "in", .type = TK_VALUE_DOUBLE, .number.d = step / 2.0 };
    values[3] = (struct tk_value){ .name = "out", .type = TK_VALUE_INT, .number.i = -(int64_t)step };
    event->values = values;
    event->value_count = 4;
    event->track_slice.track = STATE;
    event->str = mode < 3 ? modes[mode] : NULL;
    event->str_len = mode < 3 ? (uint32_t)strlen(modes[mode]) : 0;
}

static bool decode_record(struct toy *toy, const uint8_t *at) {
    static const uint8_t kinds[KINDS] = {
        TK_EV_TASK_NAME, TK_EV_TASK_SWITCHED_IN, TK_EV_TASK_READY,  TK_EV_ISR_ENTER,
        TK_EV_ISR_EXIT,  TK_EV_TRACK_COUNT,      TK_EV_TRACK_STATE, TK_EV_CLOCK_SYNC
    };
    unsigned core = at[0] >> 4, kind = at[0] & 15;
    uint32_t count = at[2] | at[3] << 8 | (uint32_t)at[4] << 16, value = at[5] | at[6] << 8 | (uint32_t)at[7] << 16;
    if (core > 1 || kind >= KINDS) return false;
    struct tk_event event = { .kind = kinds[kind], .timed = kind != TASK_NAME, .ticks = count };
    tk_event_set_number(&event, TK_SLOT_ID, at[1]); // of the task, the interrupt or the core
    if (kind == LEVEL) event.track_count = (struct tk_event_track_count){ SIGNAL, (int64_t)value - (1 << 23) };
    if (kind == SYNC) event.clock_sync.count = value;
    if (kind == MODE) add_mode(toy, &event, value);
    if (kind == TASK_NAME) event.str = tasks[at[1] % 3], event.str_len = (uint32_t)strlen(event.str);
    put(toy, core, event);
    return true;
}

// The first four bytes are no record.
static void take_piece(struct toy *toy) {
    bool good = toy->part_len < RECORD || decode_record(toy, toy->part);
    toy->frames += good;
    if (good) toy->account->decoded += toy->part_len;
    else tk_account_skip(toy->account, TK_DIAG_FRAME_BROKEN, RECORD);
    if (!good) tk_diag_count(toy->diag, TK_DIAG_FRAME_BROKEN, NULL);
    toy->at += toy->part_len, toy->part_len = 0;
}

static size_t decode(void *decoder, const uint8_t *bytes, size_t len) {
    struct toy *toy = decoder;
    if (!toy->began) begin(toy);
    for (size_t used = 0; used < len;) {
        bool full = tk_batch_is_full(toy->streams[0]) || tk_batch_is_full(toy->streams[1]);
        toy->part[toy->part_len++] = bytes[used++];
        if (toy->part_len < (toy->at ? RECORD : 4)) continue;
        take_piece(toy);
        if (full) return used;
    }
    return len;
}

static bool end(void *decoder) {
    struct toy *toy = decoder;
    toy->account->left = toy->part_len;
    return true;
}

static uint64_t frames(const void *decoder) { return ((const struct toy *)decoder)->frames; }
static const char *record_name(unsigned record) { return (void)record, "record"; }

// The registry

static const struct tk_tracker *const trackers[] = { &tk_tracker_rtos, &tk_tracker_tracks, NULL };
static const struct tk_record_names names = { .name = record_name };
static const struct tk_decoder toy_decoder = { .info = &info,
                                               .trackers = trackers,
                                               .size = sizeof(struct toy),
                                               .init = init,
                                               .decode = decode,
                                               .end = end,
                                               .frames = frames,
                                               .names = &names };
static const struct tk_format toy_format = { .info = &info, .probe = probe, .decoder = &toy_decoder };
const struct tk_format *const tk_formats[] = { &toy_format };
const size_t tk_formats_len = 1;
