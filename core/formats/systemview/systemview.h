// SPDX-License-Identifier: MIT
//
// What the decoder of SystemView knows of the target, and how it turns packets into events.
#ifndef TK_FORMATS_SYSTEMVIEW_SYSTEMVIEW_H
#define TK_FORMATS_SYSTEMVIEW_SYSTEMVIEW_H

#include "../format.h"

#include "../../base/idmap.h"
#include "../../base/strtab.h"
#include "../../base/text.h"
#include "../kit/rate.h"
#include "packet.h"

enum {
    SV_CORES = 2,
    SV_MAX_TASKS = 4096,
    SV_MAX_RESOURCES = 4096,
    SV_MAX_MODULES = 64,
    SV_MAX_TRACKS = 1024,
    SV_MAX_HEAPS = 256,
    SV_DEPTH = 16, // nested interrupts, open calls
    SV_TEXT = 512
};

#define SV_NO_TASK UINT32_MAX // no task has this id

enum sv_data_type { SV_DATA_UNSIGNED, SV_DATA_SIGNED, SV_DATA_FLOAT };

// The kinds of EX.
enum sv_extended {
    SV_EX_MARK,
    SV_EX_NAME_MARKER,
    SV_EX_HEAP_DEFINE,
    SV_EX_ALLOC,
    SV_EX_ALLOC_TAGGED,
    SV_EX_FREE,
    SV_EX_REGISTER_DATA
};

// A call of the OS and its first value.
struct sv_open_call {
    uint32_t call, first;
};

// A call after which the recorder may say that a task is ready.
struct sv_waking_call {
    uint32_t call, object;
    uint64_t next; // number of the packet directly after the call; 0: none
};

// FreeRTOS before V11: a wait whose reason the next call of the task may tell.
struct sv_unexplained_wait {
    uint32_t cause;                 // 0: none
    struct sv_waking_call woken_by; // next 0: unknown
};

// A task, as the recording has announced it.
struct sv_task {
    uint32_t id;
    uint32_t name;                       // in the table of names; 0: unknown
    uint32_t track;                      // of its calls; 0: not defined
    struct sv_open_call calls[SV_DEPTH]; // that it has entered and not left, the innermost last
    struct sv_unexplained_wait wait;
    uint8_t depth;
    bool is_terminated; // embOS: it has ended, and runs again only after it was created again
};

// NuttX: the running task left its core. The next packet shows whether because of an interrupt, which is no switch.
struct sv_held_stop {
    uint64_t counts;
    struct tk_event place; // as in struct sv_map
    bool is_held;
};

struct sv_core {
    uint32_t interrupts[SV_DEPTH]; // that run, the innermost last
    uint32_t depth;                // of them; may exceed SV_DEPTH, then the inner ones are not kept
    uint32_t running;              // index of the task, or TK_NONE
    struct sv_open_call last_call; // whose return is not recorded; call 0: none since the task runs
    struct sv_waking_call waking;
    bool is_idle; // no task runs, so that the next packet may come much later
    struct sv_held_stop stop;
};

// A module: events of drivers and libraries that describe themselves.
struct sv_module {
    uint32_t first; // number of its first event
    char *words;    // its description, len bytes
    uint32_t len;
};

// The state of the map. Zeroed at first.
struct sv_map {
    const struct tk_decode_host *host;
    struct tk_batch *batch;
    struct tk_rate rate;
    uint64_t counts; // of the target's clock since it started
    uint32_t id_shift;
    uint32_t dropped;        // packets that the recorder dropped, as last reported
    bool has_init, has_loss; // has_loss: the target has dropped packets, so that ids may appear unannounced
    bool has_begun;          // a packet or damage was seen
    bool started;            // TRACE_START was seen
    bool begins_with_start;  // it was the first packet, without damage before it
    bool is_stopped;         // TRACE_STOP was seen, and no event of the target after it
    bool is_freertos, is_nuttx, is_embos, is_zephyr; // is_freertos: also if the OS is unknown
    bool is_esp;
    bool is_v11;                               // FreeRTOS V11: a call with a number of its API was recorded
    uint32_t sections;                         // starts after a stop
    uint64_t start_counts;                     // at the first TRACE_START
    uint64_t time_us, time_counts;             // the last system time, and counts then; time_us 0: unknown
    uint64_t first_time_us, first_time_counts; // the first one that is not 0; 0: none
    const struct tk_lookup *description;       // of the OS; NULL: none
    bool has_chosen;                           // `description` is chosen
    struct tk_idmap heaps;                     // ids of heaps
    uint32_t heap_count;
    struct sv_core cores[SV_CORES];
    uint8_t numbers[SV_CORES]; // number in the trace of each core of the recording
    struct tk_idmap task_index;
    struct sv_task *tasks;
    uint32_t task_count, task_capacity;
    uint32_t last_task;             // index of the task that a packet named last
    struct tk_strtab names;         // of tasks and resources
    struct tk_idmap resource_names; // from the id of a resource to its name
    uint32_t resource_count;
    uint64_t returns[SV_IDS / 64]; // bit n: a return of call n was recorded
    bool has_returns;
    bool waits_are_recorded; // the recorder says which tasks wait
    struct sv_module *modules;
    uint32_t module_count, module_capacity;
    struct tk_idmap track_index; // of the tracks of timers, data and so on: key of the kind << 32 | number
    uint32_t track_count;
    uint8_t groups;                    // that are defined: bit n = group n
    uint8_t data_types[SV_MAX_TRACKS]; // enum sv_data_type of the tracks of data
    char system[64], device[64], os[64];
    struct tk_event place; // an event without fields at the place of the packet that is mapped
};

// Returns the map of a decoder.
const struct sv_map *sv_map_of(const void *decoder);
void sv_map_init(struct sv_map *map, const struct tk_decode_host *host, struct tk_batch *batch);
// Returns the index of an announced task, or TK_NONE. Several packets in a row often name the same task.
static inline uint32_t sv_find_task(const struct sv_map *map, uint32_t id) {
    if (map->last_task < map->task_count && map->tasks[map->last_task].id == id) return map->last_task;
    return tk_idmap_find(&map->task_index, id);
}
// Returns false if the packet contradicts what the recording has announced, so that it is damaged. Finds its task.
// may_pause: it may come any time after the one before. also: a task that counts as announced; SV_NO_TASK: none.
static inline bool sv_map_accepts(const struct sv_map *map, struct sv_packet *packet, bool may_pause, uint32_t also) {
    const uint32_t naming =
        1u << SV_TASK_START_EXEC | 1u << SV_TASK_START_READY | 1u << SV_TASK_STOP_READY | 1u << SV_TASK_TERMINATE;
    bool names_task = packet->id < SV_FIRST_CALL && naming >> packet->id & 1;
    if (packet->delta > map->rate.hz && map->rate.hz && map->started && !may_pause) return false;
    packet->task = names_task ? sv_find_task(map, packet->fields[0]) : TK_NONE;
    return !names_task || packet->task != TK_NONE || !map->task_count || map->has_loss || packet->fields[0] == also;
}
// Announces the task of a packet.
void sv_map_announce(struct sv_map *map, struct sv_packet *packet);
// Returns true if a core is idle.
static inline bool sv_map_may_pause(const struct sv_map *map) { return map->cores[0].is_idle || map->cores[1].is_idle; }
// Emits the events of a packet.
void sv_map_packet(struct sv_map *map, const struct sv_packet *packet, uint64_t offset, uint64_t number);
// Emits what was held back. Called at the end.
void sv_map_end(struct sv_map *map);
// Returns the number of values of a call or of an event of a module, as it is described; -1: unknown.
int sv_map_described(const struct sv_map *map, const struct sv_packet *packet);
// Emits a problem at a place: bytes were skipped there.
void sv_map_damage(struct sv_map *map, uint64_t offset, uint64_t number, uint32_t len);
// Writes a sentence about the target. Returns false if the recording does not tell.
bool sv_map_summary(const struct sv_map *map, char out_text[TK_SUMMARY_LEN]);
// Writes a sentence about the system time of the target. Returns false if the recording does not contain it.
bool sv_map_time_summary(const struct sv_map *map, char out_text[TK_SUMMARY_LEN]);

#endif
