// SPDX-License-Identifier: MIT
//
// What formats tell the model. A decoder puts an event together in its batch (time/batch.h), and each stage fills in its fields
// of the same struct, so that nothing is copied on the way; what waits there no longer borrows (tk_lane_keep).
#ifndef TK_MODEL_EVENT_H
#define TK_MODEL_EVENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../base/diag.h"

enum tk_event_kind {
#define TK_EVENT(kind, words) TK_EV_##kind,
#include "events.def"
#undef TK_EVENT
    TK_EV_COUNT
};

enum tk_queue_kind {
    TK_QUEUE_PLAIN,
    TK_QUEUE_COUNTING_SEMAPHORE,
    TK_QUEUE_BINARY_SEMAPHORE,
    TK_QUEUE_MUTEX,
    TK_QUEUE_RECURSIVE_MUTEX,
    TK_QUEUE_SET,
    TK_QUEUE_UNKNOWN
};

// How a step of an active object ended.
enum tk_outcome { TK_OUTCOME_TRANSITION, TK_OUTCOME_INTERNAL, TK_OUTCOME_IGNORED };

// What an object did besides steps; the words stand before a symbol's name.
enum tk_note {
    TK_NOTE_ENTRY, TK_NOTE_EXIT, TK_NOTE_INITIAL, TK_NOTE_HISTORY, TK_NOTE_UNHANDLED,
    TK_NOTE_DEFERRED, TK_NOTE_RECALLED, TK_NOTE_SUBSCRIBED, TK_NOTE_UNSUBSCRIBED, TK_NOTE_PUBLISHED, TK_NOTES
};

enum tk_note_track { TK_NOTE_OF_MEMORY, TK_NOTE_OF_PUBLISHING, TK_NOTE_OF_TARGET, TK_NOTE_OF_FAILURES, TK_NOTE_TRACKS };

enum tk_value_type { TK_VALUE_UINT, TK_VALUE_HEX, TK_VALUE_INT, TK_VALUE_DOUBLE, TK_VALUE_TEXT, TK_VALUE_SYMBOL };

// One field of a record with many of them.
struct tk_value {
    const char *name; // static
    const char *text; // TK_VALUE_TEXT: any bytes; borrowed like the event
    union {
        uint64_t u;   // TK_VALUE_SYMBOL: number of the symbol
        int64_t i;
        double d;
    } number;
    uint32_t text_len;
    uint8_t type;     // enum tk_value_type
};

enum tk_tick_origin { TK_TICK_TOLD, TK_TICK_GIVEN, TK_TICK_GUESSED }; // by the recording, by a person, by the format

struct tk_event {
    uint64_t ticks;   // as the target sent it; later stages unwrap it and move it to the trace clock
    int64_t value;
    const char *str;  // any bytes, not terminated
    uint64_t offset;  // of the frame in its input
    uint64_t frame;   // number of the frame in its input
    const uint8_t *raw; // the frame as it stands in the input, for reports; raw_len may be cut
    uint32_t str_len;
    uint32_t id;
    uint32_t arg;
    uint16_t raw_len;
    uint8_t kind;     // enum tk_event_kind
    uint8_t input;
    uint8_t core;     // filled in by the clock stage
    bool timed;       // ticks is set; untimed events (names ...) take the time of their neighbour
    bool no_clock;    // timed, but its time stands for nothing (a core switch at 0)
    bool unconfirmed; // set by the clock stage: behind a pause beyond measure at the end of its lane; another lane must go on behind it
    uint8_t value_count;
    uint32_t by;      // the object that did it
    uint32_t least;   // the smallest `value` there ever was, plus 1; 0: not told
    const struct tk_value *values; // further fields, for the details of what is drawn
    uint32_t section; // filled in by the clock stage: restarts of the target before this event
    uint32_t frame_len; // bytes of the frame in its input, delimiter included
};

// What happened to a semaphore or a lock: the string is static, and known by its address.
static inline bool tk_event_str_is_static(const struct tk_event *event) {
    return event->kind == TK_EV_THREAD_BLOCKED || event->kind == TK_EV_SEMAPHORE_COUNT || event->kind == TK_EV_LOCK_NOTE;
}

const char *tk_event_words(enum tk_event_kind kind);
// Where it stands in the input, and when; borrowed like the event.
struct tk_diag_place tk_event_place(const struct tk_event *event);

#endif
