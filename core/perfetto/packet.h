// SPDX-License-Identifier: MIT
//
// The packets that come with every event, written append-only: a length gets one byte, patched when its content
// is there; only a content of 128 bytes or more is moved once to make room. No function checks for room, callers
// do. Each takes the next free byte and returns the one behind the packet. Bytes: docs/formats/perfetto.md.
#ifndef TK_PERFETTO_PACKET_H
#define TK_PERFETTO_PACKET_H

#include "../model/timeline/track_sink.h"

enum {
    TK_CLOCK_DELTA = 64, // counts from the packet before; the default, so it is not named in packets
    TK_CLOCK_LATE = 65   // absolute ticks
};

enum {
    TK_PACKET_HEAD_LEN = 208,
    TK_PACKET_ROOM = 80,             // enough for tk_packet_simple_event, tk_packet_definition and tk_packet_state
    TK_PACKET_MAX_DIRECT = 16 * 1024 // longest packet of tk_packet_event: lengths have at most two bytes
};

struct tk_packet_time {
    uint64_t value; // ticks, or their difference to the packet before
    uint32_t clock; // TK_CLOCK_*
};

// Clocks and defaults that precede everything else; always TK_PACKET_HEAD_LEN bytes. Events on the default track do not
// name it (0: none).
uint8_t *tk_packet_head(uint8_t *at, const struct tk_trace_summary *summary, uint32_t default_track);

// tk_simple_event, on the delta clock. At most TK_PACKET_ROOM bytes.
uint8_t *tk_packet_simple_event(uint8_t *at, uint64_t delta, enum tk_track_event_type type, uint32_t track,
                                uint64_t what, uint64_t detail, uint32_t default_track);

// Any event whose bound is at most TK_PACKET_MAX_DIRECT.
size_t tk_packet_event_bound(const struct tk_track_event *event);
uint8_t *tk_packet_event(uint8_t *at, struct tk_packet_time time, const struct tk_track_event *event,
                         uint32_t default_track);

// Keeps what stands behind the time of an event's packet, if it is short; the packet is on the delta clock. The same at
// another time, at most TK_PACKET_ROOM bytes.
void tk_packet_prepare(const uint8_t *packet, const uint8_t *end, const struct tk_track_event *event);
uint8_t *tk_packet_repeat(uint8_t *at, uint64_t delta, const struct tk_prepared *prepared);

// Adds the value of a counter to a short event of the same time, whose packet ends at `end`; an event carries up to
// eight. Returns the new end, or NULL when it cannot have one more. At most TK_PACKET_ROOM bytes more.
uint8_t *tk_packet_add_counter(uint8_t *packet, uint8_t *end, uint32_t track, uint64_t value);

// What stands before the text in a packet that says which text a number means; the text follows at once. At most
// TK_PACKET_ROOM bytes.
uint8_t *tk_packet_definition(uint8_t *at, enum tk_intern list, uint32_t id, size_t text_len);

// At most TK_PACKET_ROOM bytes. pid > 0
uint8_t *tk_packet_state(uint8_t *at, struct tk_packet_time time, int32_t pid, enum tk_task_state state);

#endif
