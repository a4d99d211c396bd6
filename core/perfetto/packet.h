// SPDX-License-Identifier: MIT
//
// Encodes the packets that belong to common events, append-only: a length takes one byte, which is patched when the
// content is complete; a content of 128 bytes or more is moved once to make room. The functions do not check for room;
// the callers do. Each takes the next free byte and returns the byte after the packet. Bytes: docs/formats/perfetto.md.
#ifndef TK_PERFETTO_PACKET_H
#define TK_PERFETTO_PACKET_H

#include "../model/timeline/track_sink.h"

enum {
    TK_CLOCK_DELTA = 64, // counts from the packet before; the default clock, so packets do not name it
    TK_CLOCK_LATE = 65   // absolute ticks
};

enum {
    TK_PACKET_HEAD_LEN = 208,
    TK_PACKET_SAMPLES = 128,
    TK_PACKET_ROOM = 80,             // enough for tk_packet_simple_event, tk_packet_definition and tk_packet_state
    TK_PACKET_MAX_DIRECT = 16 * 1024 // longest packet of tk_packet_event: lengths have at most two bytes
};

// pids of the threads of samples, one per core, and of log messages without a task. Those of tasks are larger.
enum { TK_PID_SAMPLES = 3, TK_PID_MESSAGES = 100 };

struct tk_packet_time {
    uint64_t value; // ticks; for TK_CLOCK_DELTA the difference to the packet before
    uint32_t clock; // TK_CLOCK_*
};

// Writes the head: clocks and defaults, always TK_PACKET_HEAD_LEN bytes. Events on default_track need not name their
// track (0: none).
uint8_t *tk_packet_head(uint8_t *at, const struct tk_trace_summary *summary, uint32_t default_track);

// Writes an event of tk_simple_event on the delta clock. At most TK_PACKET_ROOM bytes.
uint8_t *tk_packet_simple_event(uint8_t *at, uint64_t delta, enum tk_track_event_type type, uint32_t track,
                                uint64_t what, uint64_t detail, uint32_t default_track);
// Writes a slice's begin or end, or an instant, with at most one detail, at an absolute time. At most TK_PACKET_ROOM
// bytes.
uint8_t *tk_packet_late_event(uint8_t *at, uint64_t ticks, enum tk_track_event_type type, uint32_t track, uint32_t name,
                              uint64_t detail, uint32_t default_track);

// Write any event whose bound is at most TK_PACKET_MAX_DIRECT. log_number: of the event's log message, unique and > 0;
// the importer keeps its texts only if they are interned, under this number.
size_t tk_packet_event_bound(const struct tk_track_event *event);
uint8_t *tk_packet_event(uint8_t *at, struct tk_packet_time time, const struct tk_track_event *event,
                         uint32_t default_track, uint64_t log_number);

// tk_packet_prepare stores the bytes after the time of an event's packet on the delta clock, if they are short.
// tk_packet_repeat writes them again with another time, at most TK_PACKET_ROOM bytes.
void tk_packet_prepare(const uint8_t *packet, const uint8_t *end, const struct tk_track_event *event);
uint8_t *tk_packet_repeat(uint8_t *at, uint64_t delta, const struct tk_prepared *prepared);

// Adds a counter value to a short event of the same time, whose packet ends at `end`; an event can contain up to eight.
// Returns the new end, at most TK_PACKET_ROOM bytes later, or NULL if the value does not fit.
uint8_t *tk_packet_add_counter(uint8_t *packet, uint8_t *end, uint32_t track, uint64_t value);

// Writes the start of a packet that defines an interned text, at most TK_PACKET_ROOM bytes; the caller appends the
// text. A function is also a frame and a stack of only this frame.
uint8_t *tk_packet_definition(uint8_t *at, enum tk_intern list, uint32_t id, size_t text_len);

// Writes what samples need before the first one, at most TK_PACKET_SAMPLES bytes: a mapping, the function of samples
// whose function has no id, and the name of the counter of samples. Repeats the other defaults of the head.
uint8_t *tk_packet_samples(uint8_t *at, uint32_t default_track);

// Writes a sample of a core, at most TK_PACKET_ROOM bytes. count: number of samples of this core until now. function:
// TK_INTERN_FUNCTION id, or 0.
uint8_t *tk_packet_sample(uint8_t *at, struct tk_packet_time time, uint32_t core, uint32_t function, uint64_t count);

// Writes a task state. pid > 0. At most TK_PACKET_ROOM bytes.
uint8_t *tk_packet_state(uint8_t *at, struct tk_packet_time time, int32_t pid, enum tk_task_state state);

#endif
