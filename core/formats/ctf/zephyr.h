// SPDX-License-Identifier: MIT
//
// The layouts of Zephyr's streams, for recordings without their metadata: section "Zephyr" of docs/formats/ctf.md.
#ifndef TK_FORMATS_CTF_ZEPHYR_H
#define TK_FORMATS_CTF_ZEPHYR_H

#include "schema.h"

enum ctf_packets {
    CTF_NO_PACKETS,
    CTF_CPU_PACKETS, // with the number of the CPU
    CTF_RING_PACKETS // numbered
};

struct ctf_layout {
    uint8_t time_size, id_size; // bytes
    uint8_t packets;            // enum ctf_packets
    bool is_later;              // with the fields of later versions
    bool has_core;              // the number of the core is the last field of each event
};

// What the first bytes of a stream show. Zeroed: they are no stream of Zephyr.
struct ctf_look {
    struct ctf_layout layout;
    uint64_t from;   // bytes before the first event or packet
    uint32_t events; // that were read
    uint32_t names;  // of them: with a name
    uint32_t packets;
    uint32_t cores_mask;  // CPUs of packets
    uint64_t first, last; // times
};

// The header of a packet with a magic, as Zephyr writes it.
struct ctf_zephyr_packet {
    uint64_t begin, end;
    uint32_t content, len; // bytes
    uint32_t header_len;
    uint8_t cpu;
};

// Finds the layout of a stream. is_end: no bytes follow. Returns false if none fits.
bool ctf_zephyr_look(const uint8_t *bytes, size_t len, bool is_end, struct ctf_look *out_look);
// Builds the schema of a layout. Returns false without memory.
bool ctf_zephyr_schema(struct ctf_schema *schema, const struct ctf_layout *layout);
// Returns true if a text of a fixed length looks like one that strncpy has written: printable up to its end, and zeros
// after it.
bool ctf_is_padded_text(const uint8_t *text, size_t len);

#endif
