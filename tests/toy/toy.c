// SPDX-License-Identifier: MIT
//
// A decoder for a format that exists only here: tasks, an interrupt, a signal with a unit, a state, nested arguments,
// and two cores whose clocks differ. It shows what a format costs; docs/NEW_FORMAT.md explains it part by part.
//
// "TOY1", then records of eight bytes: core << 4 | kind, number, count of the core's clock (24 bit), value (24 bit);
// little endian.
#include <string.h>

#include "base/bytes.h"
#include "formats/format.h"
#include "formats/kit/probe.h"
#include "formats/kit/records.h"

enum { MAGIC = 4, RECORD = 8, CORES = 2, GROUP = 1, SIGNAL, STATE };

static const struct tk_format_info info = { .name = "toy", .title = "Toy recordings", .pieces = "Frames" };

// Recognise

static void probe(const uint8_t *head, size_t len, const uint8_t *tail, size_t tail_len, struct tk_probe *out_probe) {
    (void)tail, (void)tail_len;
    if (len < MAGIC || memcmp(head, "TOY1", MAGIC)) return;
    tk_probe_is_certain(out_probe, "begins with the magic of a toy recording", (len - MAGIC) / RECORD);
    out_probe->names_tick = true, out_probe->tick_ns = 1;
}

// Decode

static const struct tk_records_track tracks[] = {
    { GROUP, 0, TK_TRACK_OF_GROUP, "Plant", .description = "Everything that is measured" },
    { STATE, GROUP, TK_TRACK_OF_SLICES, "mode", .type_words = "state" },
    { SIGNAL, GROUP, TK_TRACK_OF_COUNTER, "level", .unit = "mV", .type_words = "integer" },
};

static const struct {
    const char *name;
    uint8_t event;
} kinds[] = { { "task name", TK_EV_TASK_NAME }, { "switch", TK_EV_TASK_SWITCHED_IN },
              { "ready", TK_EV_TASK_READY },    { "interrupt", TK_EV_ISR_ENTER },
              { "end", TK_EV_ISR_EXIT },        { "level", TK_EV_TRACK_COUNT },
              { "mode", TK_EV_TRACK_STATE },    { "clocks", TK_EV_CLOCK_SYNC } };

static struct tk_record_at find(const void *decoder, const uint8_t *at, size_t len) {
    if (!((const struct tk_record_decoder *)decoder)->count) return (struct tk_record_at){ .len = MAGIC };
    if (len < RECORD) return (struct tk_record_at){ 0 };
    return (struct tk_record_at){ RECORD, (at[0] >> 4) >= CORES || (at[0] & 15) >= sizeof kinds / sizeof *kinds };
}

static void decode(void *decoder, const uint8_t *at, size_t len, bool in_chunk) {
    static const char *const modes[] = { "stopped", "filling", "full", NULL }, *const tasks[] = { "idle", "pump",
                                                                                                  "valve" };
    struct tk_record_decoder *toy = decoder;
    (void)in_chunk; // events borrow nothing from the bytes
    if (len == MAGIC) {
        tk_records_define_tick(toy, 1);
        tk_records_define_tracks(toy, tracks, sizeof tracks / sizeof *tracks);
        return;
    }
    uint32_t count = tk_load32(at + 2) & 0xFFFFFF, value = tk_load32(at + 4) >> 8, step = value >> 2 & 3;
    struct tk_batch *stream = toy->streams[at[0] >> 4];
    struct tk_event event = {
        .kind = kinds[at[0] & 15].event, .timed = true, .ticks = count, .core = at[0] >> 4, .frame_len = RECORD
    };
    tk_event_set_number(&event, TK_SLOT_ID, at[1]); // of the task, the interrupt or the core
    if (event.kind == TK_EV_TASK_NAME) event.timed = false, tk_event_set_text(&event, tasks[at[1] % 3]);
    if (event.kind == TK_EV_TRACK_COUNT)
        event.track_count = (struct tk_event_track_count){ SIGNAL, (int64_t)value - (1 << 23) };
    if (event.kind == TK_EV_CLOCK_SYNC) event.clock_sync.count = value;
    if (event.kind == TK_EV_TRACK_STATE) {
        struct tk_value values[] = { { .name = "step", .type = TK_VALUE_UINT, .number.u = step },
                                     { .name = "flow", .type = TK_VALUE_GROUP, .number.u = 2 }, // the next two
                                     { .name = "in", .type = TK_VALUE_DOUBLE, .number.d = step / 2.0 },
                                     { .name = "out", .type = TK_VALUE_INT, .number.i = -(int64_t)step } };
        event.track_slice.track = STATE, tk_event_set_text(&event, modes[value & 3]);
        tk_records_set_values(stream, &event, values, 4);
    }
    tk_records_emit(toy, stream, &event, at[0] & 15);
}

static bool init(void *decoder, const struct tk_decode_host *host) {
    static const struct tk_record_reader reader = { .find = find, .decode = decode, .longest = RECORD };
    static const struct tk_domain clocks[CORES] = {
        { .name = "main oscillator", .ns = 1000, .per_counts = 1 },
        { .name = "watch crystal", .ns = 1000000000, .per_counts = 32768, .core = 1, .is_compared = true }
    };
    return tk_records_init_clocks(decoder, host, &reader, clocks, CORES);
}

// Dump

static const char *record_name(unsigned record) { return kinds[record].name; }

// Timeline and figures

static const struct tk_tracker *const trackers[] = { &tk_tracker_rtos, &tk_tracker_tracks, NULL };
static const struct tk_record_names names = { .name = record_name };
static const struct tk_decoder decoder = { .info = &info,
                                           .trackers = trackers,
                                           .size = sizeof(struct tk_record_decoder),
                                           .init = init,
                                           TK_RECORDS_FUNCTIONS,
                                           .names = &names };

// What the line in formats.def gives a format of the project

static const struct tk_format format = { .info = &info, .probe = probe, .decoder = &decoder };
const struct tk_format *const tk_formats[] = { &format };
const size_t tk_formats_len = 1;
