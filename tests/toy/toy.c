// SPDX-License-Identifier: MIT
//
// A decoder for a format that nobody has: tasks, an interrupt, a signal with a unit, a state, nested arguments, and two
// cores whose clocks differ. It shows what a format costs; docs/NEW_FORMAT.md explains it part by part.
//
// "TOY1", then records of eight bytes: core << 4 | kind, number, count of the core's clock (24 bit), value (24 bit);
// little endian.
#include <string.h>

#include "base/bytes.h"
#include "formats/format.h"
#include "formats/kit/packets.h"

enum { MAGIC = 4, RECORD = 8, CORES = 2, GROUP = 1, SIGNAL, STATE };

struct toy {
    struct tk_decode_host host;
    struct tk_batch *streams[CORES];
    struct tk_packets packets;
    uint64_t at, frames;
};

static const struct tk_format_info info = { .name = "toy", .title = "Toy recordings", .pieces = "Frames" };

// Recognise

static void probe(const uint8_t *head, size_t len, const uint8_t *tail, size_t tail_len, struct tk_probe *out_probe) {
    (void)tail, (void)tail_len;
    if (len < MAGIC || memcmp(head, "TOY1", MAGIC)) return;
    out_probe->confidence = 100, out_probe->frames = out_probe->valid = (len - MAGIC) / RECORD;
    out_probe->names_tick = out_probe->has_events = true, out_probe->tick_ns = 1;
    memcpy(out_probe->reason, "It begins with TOY1.", 21);
}

// Decode

static void put(struct toy *toy, unsigned core, struct tk_event event) {
    event.core = (uint8_t)core, event.offset = toy->at, event.frame_len = RECORD;
    event.str_len = event.str ? (uint32_t)strlen(event.str) : 0;
    *tk_batch_slot(toy->streams[core]) = event;
    tk_batch_add(toy->streams[core]);
}

static void begin(struct toy *toy) {
    static const char about[] = "Everything that is measured";
    static const struct tk_track_def tracks[] = {
        { TK_PARENT_ROOT, TK_TRACK_OF_GROUP, .description = about, .description_len = sizeof about - 1 },
        { TK_PARENT_TRACK, TK_TRACK_OF_COUNTER, .parent = GROUP, .rank = 1, .in_signals = true, .unit = "mV",
          .unit_len = 2, .type_words = "integer", .type_words_len = 7 },
        { TK_PARENT_TRACK, TK_TRACK_OF_SLICES, .parent = GROUP, .in_signals = true, .type_words = "state",
          .type_words_len = 5 },
    };
    static const char *const names[] = { "Plant", "level", "mode" };
    put(toy, 0, (struct tk_event){ .kind = TK_EV_TICK_LENGTH, .tick_length = { 1, TK_TICK_RECORDED } });
    for (uint32_t i = 0; i < 3; i++)
        put(toy, 0,
            (struct tk_event){ .kind = TK_EV_TRACK_DEFINED, .track_defined = { i + 1, &tracks[i] }, .str = names[i] });
}

static const struct {
    const char *name;
    uint8_t event;
} kinds[] = { { "task name", TK_EV_TASK_NAME }, { "switch", TK_EV_TASK_SWITCHED_IN },
              { "ready", TK_EV_TASK_READY },    { "interrupt", TK_EV_ISR_ENTER },
              { "end", TK_EV_ISR_EXIT },        { "level", TK_EV_TRACK_COUNT },
              { "mode", TK_EV_TRACK_STATE },    { "clocks", TK_EV_CLOCK_SYNC } };

static bool decode_record(struct toy *toy, const uint8_t *at) {
    static const char *const modes[] = { "stopped", "filling", "full", NULL }, *const tasks[] = { "idle", "pump",
                                                                                                  "valve" };
    unsigned core = at[0] >> 4, kind = at[0] & 15;
    if (core >= CORES || kind >= sizeof kinds / sizeof *kinds) return false;
    uint32_t count = tk_load32(at + 2) & 0xFFFFFF, value = tk_load32(at + 4) >> 8, step = value >> 2 & 3;
    struct tk_event event = { .kind = kinds[kind].event, .timed = true, .ticks = count };
    tk_event_set_number(&event, TK_SLOT_ID, at[1]); // of the task, the interrupt or the core
    if (event.kind == TK_EV_TASK_NAME) event.timed = false, event.str = tasks[at[1] % 3];
    if (event.kind == TK_EV_TRACK_COUNT)
        event.track_count = (struct tk_event_track_count){ SIGNAL, (int64_t)value - (1 << 23) };
    if (event.kind == TK_EV_CLOCK_SYNC) event.clock_sync.count = value;
    if (event.kind == TK_EV_TRACK_STATE) {
        struct tk_value values[] = { { .name = "step", .type = TK_VALUE_UINT, .number.u = step },
                                     { .name = "flow", .type = TK_VALUE_GROUP, .number.u = 2 }, // the next two
                                     { .name = "in", .type = TK_VALUE_DOUBLE, .number.d = step / 2.0 },
                                     { .name = "out", .type = TK_VALUE_INT, .number.i = -(int64_t)step } };
        event.track_slice.track = STATE, event.str = modes[value & 3];
        event.values = tk_arena_copy(&toy->streams[core]->memory, values, sizeof values);
        event.value_count = event.values ? 4 : 0;
    }
    put(toy, core, event);
    if (toy->host.on_record_decoded) toy->host.on_record_decoded(toy->host.dump_ctx, &event, kind);
    return true;
}

static bool is_full(const void *ctx) {
    const struct toy *toy = ctx;
    return tk_batch_is_full(toy->streams[0]) || tk_batch_is_full(toy->streams[1]) || toy->host.alloc->failed;
}

static size_t take(void *ctx, const uint8_t *bytes, size_t len, bool in_chunk) {
    struct toy *toy = ctx;
    size_t used = 0, size;
    (void)in_chunk; // events borrow nothing from the bytes
    for (; len - used >= (size = toy->at ? RECORD : MAGIC) && !is_full(toy); used += size, toy->at += size) {
        bool good = size == MAGIC || decode_record(toy, bytes + used);
        if (size == MAGIC) begin(toy);
        toy->frames += good;
        if (good) toy->host.account->decoded += size;
        else tk_account_skip(toy->host.account, TK_DIAG_FRAME_BROKEN, size);
        if (!good) tk_diag_count(toy->host.diag, TK_DIAG_FRAME_BROKEN, NULL);
    }
    return used;
}

static size_t decode(void *ctx, const uint8_t *bytes, size_t len) {
    return tk_packets_decode(&((struct toy *)ctx)->packets, ctx, bytes, len);
}

static bool end(void *ctx) {
    struct toy *toy = ctx;
    toy->host.account->left = tk_packets_left(&toy->packets);
    return true;
}

static bool init(void *ctx, const struct tk_decode_host *host) {
    static const struct tk_domain clocks[CORES] = {
        { .name = "main oscillator", .ns = 1000, .per_counts = 1 },
        { .name = "watch crystal", .ns = 1000000000, .per_counts = 32768, .core = 1, .is_compared = true }
    };
    struct toy *toy = ctx;
    toy->host = *host;
    toy->packets = (struct tk_packets){ .alloc = host->alloc, .take = take, .is_full = is_full, .limit = 64 * RECORD };
    for (unsigned core = 0; core < CORES; core++) {
        if (!(toy->streams[core] = host->open_stream(host->stream_ctx, TK_STREAM_RESOLVED))) return false;
        tk_batch_set_clock(toy->streams[core], &clocks[core]);
    }
    return true;
}

static uint64_t frames(const void *ctx) { return ((const struct toy *)ctx)->frames; }

// Dump

static const char *record_name(unsigned record) { return kinds[record].name; }

// Timeline and figures

static const struct tk_tracker *const trackers[] = { &tk_tracker_rtos, &tk_tracker_tracks, NULL };
static const struct tk_record_names names = { .name = record_name };
static const struct tk_decoder decoder = { .info = &info,
                                           .trackers = trackers,
                                           .size = sizeof(struct toy),
                                           .init = init,
                                           .decode = decode,
                                           .end = end,
                                           .frames = frames,
                                           .names = &names };

// What the line in formats.def gives a format of the project

static const struct tk_format format = { .info = &info, .probe = probe, .decoder = &decoder };
const struct tk_format *const tk_formats[] = { &format };
const size_t tk_formats_len = 1;
