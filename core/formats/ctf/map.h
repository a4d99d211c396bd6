// SPDX-License-Identifier: MIT
//
// Turns events of CTF into events of the model: section "What is shown" of docs/formats/ctf.md.
#ifndef TK_FORMATS_CTF_MAP_H
#define TK_FORMATS_CTF_MAP_H

#include "../format.h"
#include "read.h"

enum {
    CTF_MAX_THREADS = 4096,
    CTF_MAX_OBJECTS = 4096,
    CTF_MAX_MARKERS = 512,
    CTF_MAX_TRACKS = 1024,
    CTF_DEPTH = 16,       // nested interrupts
    CTF_CALLS = 8,        // nested calls
    CTF_THREAD_NAME = 20, // bytes that are compared
    CTF_ROUND = 256       // events between two returns of the decoder
};

struct ctf_open_call {
    uint32_t base; // string of the schema
    uint32_t object;
    uint8_t kind; // enum ctf_object
    bool has_object, is_send;
};

struct ctf_thread {
    uint32_t id;
    uint8_t name[CTF_THREAD_NAME]; // as last recorded
    bool has_name, is_idle;
    uint32_t track;                        // of its calls; 0: not defined
    struct ctf_open_call calls[CTF_CALLS]; // that it has entered and not left, the innermost last
    uint8_t depth;
};

struct ctf_core {
    uint32_t running;               // index of the thread, or TK_NONE
    uint32_t interrupts[CTF_DEPTH]; // that run, the innermost last
    uint32_t depth;                 // of them; may exceed CTF_DEPTH
    bool has_switched;              // a thread was switched in or out
    bool has_wait;                  // the running thread has announced what it waits for
    bool is_seen;                   // it had an event
    uint64_t last_ns;               // of its last event
    struct tk_batch *batch;         // of a CPU with packets; NULL: that of the map
};

// A semaphore, mutex, queue or timer.
struct ctf_entity {
    uint32_t id;
    uint8_t kind;   // enum ctf_object
    uint32_t owner; // of a mutex: index of the thread, or TK_NONE
    uint32_t locks; // of a mutex: how often its owner has locked it
};

struct ctf_map {
    const struct tk_decode_host *host;
    struct tk_batch *batch; // the first event stream
    const struct ctf_schema *schema;
    const struct ctf_reader *reader;
    struct ctf_core cores[TK_MAX_CORES];
    struct tk_idmap thread_index, entity_index;
    struct ctf_thread *threads;
    struct ctf_entity *entities;
    uint32_t thread_count, thread_capacity, entity_count, entity_capacity;
    struct tk_strtab markers; // names of named_event; their ids are those of the markers
    struct tk_idmap tracks;   // of events of other systems
    uint32_t track_count;
    bool has_group, knows_waits;
    bool shows_cpu; // dumps show the CPU of each event, which its packet contains
    bool is_isr_named[TK_MAX_CORES];
    uint64_t emitted; // events so far
    uint64_t copied;  // bytes so far
    // Of the event that is mapped.
    unsigned core;
    uint64_t ns, offset, number;
    uint32_t len;
};

void ctf_map_init(struct ctf_map *map, const struct tk_decode_host *host, const struct ctf_schema *schema,
                  const struct ctf_reader *reader);
// Emits the events for an event of the recording, at map->core, ns, offset, number and len.
void ctf_map_event(struct ctf_map *map, const struct ctf_event *event);
// Emits a problem on each core: bytes were skipped. What runs there is unknown.
void ctf_map_damage(struct ctf_map *map, uint64_t offset, uint64_t number, uint32_t len);
// Emits a loss of events of a core, before its next event.
void ctf_map_lost(struct ctf_map *map, uint64_t count);

#endif
