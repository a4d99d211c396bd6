// SPDX-License-Identifier: MIT
//
// How packets of the ITM become events. The packets wait until their time follows: a local timestamp belongs to those
// before it. docs/formats/itm.md.
#ifndef TK_FORMATS_ITM_ITM_H
#define TK_FORMATS_ITM_ITM_H

#include "../format.h"

#include "../../base/idmap.h"
#include "../../base/strtab.h"
#include "../../base/text.h"
#include "../../frame/itm.h"

enum {
    ITM_PENDING = 1024, // packets that wait for their time or for the end of a line
    ITM_PORTS = 256,
    ITM_NESTED = 64,
    ITM_EXCEPTIONS = 512,
    ITM_TRACKS = 2048,
    ITM_COUNTERS = 5,      // of events that the DWT counts
    ITM_ADDRESSES = 65536, // different addresses of samples
    ITM_LINE = 1024,       // bytes of a line of text
    ITM_ARRIVALS = 1024    // packets of a recording in a port, from its first time on, whose times are kept
};

// A packet and its time.
struct itm_pending {
    uint64_t offset, number, value;
    uint64_t cycles;
    uint16_t port;
    uint8_t kind, what, size, len;
    uint8_t taken;   // of text: bytes that are in a line
    bool is_inexact; // its event is older than its time
};

// Samples in a function, or at an address in none.
struct itm_function {
    uint64_t start, samples;
    uint32_t name; // in the table of names
};

// PC samples. Zeroed at first.
struct itm_profile {
    struct tk_idmap by_address, by_start;
    uint32_t *function_of; // of each address: index of its function
    struct itm_function *functions;
    uint32_t addresses, address_capacity, count, capacity;
    struct tk_strtab names;
    uint64_t samples, asleep, not_permitted;
    uint64_t further; // samples above the limits
};

// The arrival of bytes of a recording in a port.
struct itm_arrival {
    uint64_t end; // offset in the recording after the bytes
    uint64_t cycles;
};

enum itm_port_use { ITM_PORT_NUMBERS, ITM_PORT_TEXT, ITM_PORT_TASKS, ITM_PORT_OMITTED };

struct itm_map {
    const struct tk_decode_host *host;
    struct tk_batch *batch;
    struct itm_pending pending[ITM_PENDING];
    uint32_t pending_count, timed; // the first `timed` ones have their times
    uint64_t cycles;               // sum of the local timestamps
    uint64_t prescaler;
    uint64_t local_times; // number of local timestamps
    bool is_decided;      // it is known whether the recording has times
    bool are_counts;      // it has none: times count packets
    uint32_t page;
    // Global timestamps: their parts, and how they relate to the local ones.
    uint64_t global_low, global_high, global_first, global_first_local;
    bool has_global_low, has_global_high, has_global_first;
    uint64_t globals, globals_apart; // numbers of known ones, and of those that contradict the local ones
    // Exceptions
    uint16_t stack[ITM_NESTED];
    uint32_t depth;
    bool is_stack_uncertain; // packets are missing since the stack was last proven
    uint64_t named[ITM_EXCEPTIONS / 64];
    // Ports
    uint8_t use[ITM_PORTS];    // enum itm_port_use
    uint16_t lines[ITM_PORTS]; // of text: pending ends of lines
    uint64_t port_bytes[ITM_PORTS];
    bool are_instants, are_signed;
    // Tracks: from a key to its number
    struct tk_idmap tracks;
    uint32_t track_count;
    uint32_t defined; // bit n: fixed track n
    uint64_t counters[ITM_COUNTERS];
    struct tk_idmap variables; // from the low half of an address to the name of the only variable there
    struct tk_strtab names;    // of variables
    struct itm_profile profile;
    uint64_t inexact, clock_changes, long_deltas;
    const struct itm_pending *at; // the packet that is mapped
    // Of packets beside a recording, whose exceptions are slices:
    uint32_t first_track; // number before those of the tracks
    struct itm_arrival arrivals[ITM_ARRIVALS];
    uint32_t arrival_count, arrivals_timed; // the first `arrivals_timed` ones have their times
};

void itm_map_init(struct itm_map *map, const struct tk_decode_host *host, struct tk_batch *batch);
// Takes the next packet. offset, number: its source position.
void itm_map_packet(struct itm_map *map, const struct tk_itm_packet *packet, uint64_t offset, uint64_t number);
// Takes a position at which bytes were skipped: a loss.
void itm_map_damage(struct itm_map *map, uint64_t offset, uint64_t number);
// Emits the pending packets at the end of the input.
void itm_map_end(struct itm_map *map);
// As arrival() of struct tk_decoder.
bool itm_map_arrival(const struct itm_map *map, uint64_t offset, uint64_t *out_count);
const char *itm_kind_name(unsigned kind);
bool itm_map_summary(const struct itm_map *map, uint32_t index, char out_text[TK_SUMMARY_LEN]);

// ---- profile.c ----
// Counts a sample. Returns the name of its function or its address, valid until the next call; *out_len: its length.
const char *itm_profile_sample(struct itm_profile *profile, const struct tk_decode_host *host, uint64_t address,
                               size_t *out_len);
// As itm_profile_sample, without counting a sample.
const char *itm_function_name(struct itm_profile *profile, const struct tk_decode_host *host, uint64_t address,
                              size_t *out_len);
void itm_profile_tables(const struct itm_profile *profile, const struct tk_table_sink *sink);
extern const struct tk_table *const itm_table_list[];

#endif
