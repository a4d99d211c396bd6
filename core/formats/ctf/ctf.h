// SPDX-License-Identifier: MIT
#ifndef TK_FORMATS_CTF_CTF_H
#define TK_FORMATS_CTF_CTF_H

#include "../format.h"
#include "../kit/packets.h"
#include "../kit/rate.h"
#include "map.h"
#include "tsdl.h"
#include "zephyr.h"

enum {
    CTF_HEAD = 64 * 1024,           // first bytes, from which the layout is determined
    CTF_MAX_TEXT = 1024 * 1024,     // bytes of metadata
    CTF_MAX_RING = 2 * 1024 * 1024, // bytes of packets that are sorted
    CTF_PIECE = 16 * 1024           // bytes of metadata in one entry of a lookup
};

// A packet. Sizes in bits.
struct ctf_packet {
    const struct ctf_stream_class *stream;
    uint64_t begin, end; // counts; end 0: unknown
    bool has_begin, has_end;
    uint64_t header, content, len; // content, len: UINT64_MAX if the rest of the file is one packet
    uint64_t sequence, discarded;
    bool has_discarded;
    unsigned cpu;
    bool has_cpu;
};

struct ctf_clock {
    uint64_t value; // counts
    bool has_value;
    uint64_t offset;    // added to times that fell
    uint64_t discarded; // as last reported
    bool has_discarded;
    uint64_t last_ns; // of its last event
};

// A range of the input whose packets are decoded in another order.
struct ctf_range {
    uint64_t sequence;
    uint32_t from, len;
};

struct ctf {
    struct tk_decode_host host;
    struct tk_packets packets;
    struct tk_carry buffered; // the first bytes, until the layout is known; of a description or a ring: all
    bool is_decided, is_text, is_ring, is_end, ended;
    struct ctf_schema schema;
    struct ctf_reader reader;
    struct ctf_map map;
    bool has_schema;
    const struct tk_lookup *used; // the description in use; NULL: built in
    bool is_refused;              // a description was given, and none fits
    struct tsdl_problem problem;  // of the description
    struct ctf_layout layout;     // of a built-in schema
    struct tk_rate rate;
    uint64_t origin_ns; // time of count 0
    uint64_t offset;    // of the next byte
    unsigned bit;       // of that byte, at which the next event begins
    uint64_t skipped;   // bytes right before `offset` that belong to no event
    uint64_t count;     // events
    uint64_t packet_count;
    bool has_packets, in_packet, lost;
    uint64_t in_packet_at; // bits of the packet before the next byte
    struct ctf_packet packet;
    struct ctf_clock clocks[TK_MAX_CORES];
    uint64_t round;       // map.emitted when the decoder was called
    uint64_t lost_events; // that the packet reports, before its first event
    uint32_t last_core, cpu_count;
    uint8_t *sorted; // packets of a ring in their order
    uint32_t sorted_len, sorted_at;
    struct ctf_range *ranges; // of the input, in the order of `sorted`
    uint32_t range_count, range_capacity;
    uint32_t range_at;     // of the last position
    uint64_t range_before; // bytes of `sorted` before this range
    uint32_t ring_slots, ring_used;
};

// Determines the layout of a stream from its first bytes. Returns false without memory.
bool ctf_choose(struct ctf *ctf, const uint8_t *head, size_t len, bool is_end);
// Reads the header of a packet at the start of the bytes.
enum ctf_verdict ctf_read_packet(const struct ctf_schema *schema, struct ctf_reader *reader, const uint8_t *bytes,
                                 size_t len, struct ctf_packet *out_packet);
// Returns the first position from `from` on at which the magic of a packet may begin.
size_t ctf_find_magic(const struct ctf_schema *schema, const uint8_t *bytes, size_t len, size_t from);
// Returns the counts of a time of `size` bits that follows `last`; sets *out_fell if a time of 64 bits is smaller.
uint64_t ctf_extend(uint64_t last, uint64_t value, unsigned size, bool *out_fell);

#endif
