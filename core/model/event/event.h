// SPDX-License-Identifier: MIT
//
// What formats tell the model. A decoder puts an event together in its batch (time/batch.h), and each stage fills in
// its fields of the same struct, so that nothing is copied on the way; what waits there no longer borrows
// (tk_event_stream_compact).
#ifndef TK_MODEL_EVENT_EVENT_H
#define TK_MODEL_EVENT_EVENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../../base/diag.h"

enum tk_event_kind {
#define TK_EVENT(owner, kind, words) TK_EV_##kind,
#include "events.def"
#undef TK_EVENT
    TK_EV_COUNT
};

// Who takes an event: the model itself (RECORDING, SYMBOLS), or a tracker. RECORDING: it tells of the recording,
// nothing happened on the target. Trackers are told of what concerns all of them in this order.
enum tk_owner {
    TK_OWNER_RECORDING,
    TK_OWNER_SYMBOLS,
    TK_OWNER_RTOS,
    TK_OWNER_ACTIVE_OBJECTS,
    TK_OWNER_CALLS,
    TK_OWNER_TRACKS,
    TK_OWNER_MARKERS,
    TK_OWNERS
};

extern const uint8_t tk_event_owners[TK_EV_COUNT]; // enum tk_owner

enum tk_queue_kind {
    TK_QUEUE_BASE,
    TK_QUEUE_COUNTING_SEMAPHORE,
    TK_QUEUE_BINARY_SEMAPHORE,
    TK_QUEUE_MUTEX,
    TK_QUEUE_RECURSIVE_MUTEX,
    TK_QUEUE_SET,
    TK_QUEUE_STREAM_BUFFER,
    TK_QUEUE_MESSAGE_BUFFER,
    TK_QUEUE_SEMAPHORE, // of either kind
    TK_QUEUE_UNKNOWN,
    TK_QUEUE_KINDS
};

enum tk_priority_origin {
    TK_PRIORITY_REPORTED,
    TK_PRIORITY_BY_CALL
}; // by the recording, or by a task that calls the kernel
enum tk_event_group_wait { TK_EVENT_GROUP_SYNC = 1, TK_EVENT_GROUP_TIMED_OUT = 2 };
enum tk_timer_call { TK_TIMER_START, TK_TIMER_RESET, TK_TIMER_CHANGE_PERIOD };

// Where events of a gap were lost. SOMEWHERE: bytes are damaged there, but not enough of them for all the events.
enum tk_loss_place { TK_LOST_ON_TARGET, TK_LOST_ON_LINE, TK_LOST_SOMEWHERE };

enum tk_log_level { TK_LOG_INFO = 4, TK_LOG_WARNING = 5 }; // numbers of the viewer

// What the number of ticks with a wait is: how many (all ones: without end), the tick at which it ends, or nothing.
enum tk_timeout { TK_TIMEOUT_TICKS, TK_TIMEOUT_UNTIL, TK_TIMEOUT_UNKNOWN };

enum tk_queue_operation {
    TK_OPERATION_SEND,
    TK_OPERATION_SEND_FIRST,
    TK_OPERATION_OVERWRITE,
    TK_OPERATION_RECEIVE,
    TK_OPERATION_PEEK,
    TK_OPERATION_RESET
};

// What the id of an event is a number of.
enum tk_entity_class {
    TK_CLASS_TASK,
    TK_CLASS_QUEUE,
    TK_CLASS_ISR,
    TK_CLASS_MARKER,
    TK_CLASS_VALUE,
    TK_CLASS_EVENT_GROUP,
    TK_CLASS_MACHINE,
    TK_CLASS_INTERVAL,
    TK_CLASS_HEAP,
    TK_CLASS_TIMER,
    TK_CLASS_STACK
};

// How a step of an active object ended.
enum tk_outcome { TK_OUTCOME_TRANSITION, TK_OUTCOME_INTERNAL, TK_OUTCOME_IGNORED };

// What an object did besides steps; the words stand before a symbol's name.
enum tk_note {
    TK_NOTE_ENTRY,
    TK_NOTE_EXIT,
    TK_NOTE_INITIAL,
    TK_NOTE_HISTORY,
    TK_NOTE_UNHANDLED,
    TK_NOTE_DEFERRED,
    TK_NOTE_RECALLED,
    TK_NOTE_SUBSCRIBED,
    TK_NOTE_UNSUBSCRIBED,
    TK_NOTE_PUBLISHED,
    TK_NOTES
};

enum tk_note_track { TK_NOTE_OF_MEMORY, TK_NOTE_OF_PUBLISHING, TK_NOTE_OF_TARGET, TK_NOTE_OF_FAILURES, TK_NOTE_TRACKS };

enum tk_value_type {
    TK_VALUE_UINT,
    TK_VALUE_HEX,
    TK_VALUE_INT,
    TK_VALUE_DOUBLE,
    TK_VALUE_TEXT,
    TK_VALUE_SYMBOL,
    TK_VALUE_GROUP, // the number.u values that follow belong to it, those within groups among them counted
    TK_VALUE_LIST   // the same, without names
};

// One field of a record with many of them. Texts are any bytes, borrowed like the event.
struct tk_value {
    const char *name; // name_len 0: static, terminated; NULL in a list
    const char *text; // TK_VALUE_TEXT
    union {
        uint64_t u; // TK_VALUE_SYMBOL: number of the symbol
        int64_t i;
        double d;
    } number;
    uint32_t text_len;
    uint16_t name_len;
    uint8_t type; // enum tk_value_type
};

// ---- Tracks that only the format knows ----

enum tk_track_parent {
    TK_PARENT_TARGET,      // the group "Target"
    TK_PARENT_ROOT,        // none: a root of its own
    TK_PARENT_TRACK,       // `parent`: another of these tracks
    TK_PARENT_TASK,        // `parent`: a task; below its thread track
    TK_PARENT_TASK_DETAILS // `parent`: a task; in its closed group "more"
};

// What a slice or an instant is, for filters of the viewer and for SQL.
enum tk_category {
    TK_CATEGORY_NONE,
    TK_CATEGORY_PROBLEM,
    TK_CATEGORY_CALL,
    TK_CATEGORY_IMPLICIT,
    TK_CATEGORY_INTERRUPTED,
    TK_CATEGORY_GAP,
    TK_CATEGORY_LOG,
    TK_CATEGORY_DATA,
    TK_CATEGORIES
};

enum tk_track_type { TK_TRACK_OF_GROUP, TK_TRACK_OF_SLICES, TK_TRACK_OF_COUNTER };

// Borrowed like the event, and so is what it points to. Texts are any bytes.
struct tk_track_def {
    uint8_t parent_kind; // enum tk_track_parent
    uint8_t type;        // enum tk_track_type: what is drawn on it
    uint8_t category;    // enum tk_category, of all that is drawn on it
    bool in_signals;     // it stands in the table of signals
    bool is_untimed;     // there its times are not told: they are places on an axis of its own
    bool ends_at_loss;   // slices end where events are lost; else they are marked
    uint32_t parent;
    int32_t rank;                                // order among its siblings
    uint32_t number;                             // in the table of signals; 0: that of the track
    uint32_t share;                              // counters of one parent and number have the same range; 0: its own
    const char *unit, *description, *type_words; // type_words: for the table of signals, "logic, 16 bits"
    uint16_t unit_len, type_words_len;
    uint32_t description_len;
};

// ---- Calls ----

enum tk_context_kind {
    TK_CONTEXT_THREAD,
    TK_CONTEXT_HANDLER
}; // what runs when no handler does; an exception or interrupt

// How a function was entered.
enum tk_call_entry {
    TK_CALL_FROM_FUNCTION, // by another one
    TK_CALL_FROM_THREAD,   // a handler, by the hardware: it interrupts no other handler
    TK_CALL_FROM_HANDLER,  // a handler, by the hardware: it interrupts another one
    TK_CALL_FROM_OUTSIDE   // from where nothing is recorded: the first function of a stack
};

#define TK_CALLS_NO_CONTEXT UINT32_MAX

// A place from which a function is called. Borrowed like the event, and so are its texts, which are any bytes; empty:
// left out.
struct tk_call_site {
    uint32_t function, caller;  // symbols; caller 0: none
    uint64_t point, from;       // addresses in the function and of the return: they order what is within one function
    const char *details;        // of the function, for its slice
    const char *caller_details; // of the caller, where it is seen as a caller only
    const char *from_words;     // where the call came from
    uint16_t details_len, caller_details_len, from_words_len;
    uint8_t entry; // enum tk_call_entry
};

// What a sample is besides one of its value.
enum tk_sample_mark {
    TK_SAMPLE_TAGGED = 1,
    TK_SAMPLE_NONE = 2,    // the signal has no value from here on; a counter stays as it is
    TK_SAMPLE_BLANK = 4,   // of this value nothing is drawn
    TK_SAMPLE_INTEGER = 8, // slices and instants: `value` is the number that it stands for
    TK_SAMPLE_DOUBLE = 16, // the same: `number`
    TK_SAMPLE_BESIDE = 32  // it is none, but stands beside one
};

// Why a slice ends.
enum tk_end_mark { TK_END_SEEN, TK_END_OPEN_AT_END, TK_END_OPEN_AT_GAP, TK_END_LOST };

enum tk_tick_origin {
    TK_TICK_RECORDED,
    TK_TICK_FROM_OPTION,
    TK_TICK_ASSUMED,
    TK_TICK_IS_COUNT,
    TK_TICK_SPACING_ASSUMED // the recording has no times; the distance of records is assumed
}; // by the recording, by a person, by the format; it is no time but the number of something

struct tk_event {
    uint64_t ticks; // as the target sent it; later stages unwrap it and move it to the trace clock
    union {
        int64_t value;
        double number;
        uint64_t flow_end; // an arrow ends here; 0: none
    };
    const char *str;    // any bytes, not terminated
    uint64_t offset;    // of the frame in its input
    uint64_t frame;     // number of the frame in its input
    const uint8_t *raw; // the frame as it stands in the input, for reports; raw_len may be cut
    uint32_t str_len;
    uint32_t id;
    uint32_t arg;
    uint16_t raw_len;
    uint8_t kind; // enum tk_event_kind
    uint8_t input;
    uint8_t core;      // filled in by the clock stage
    bool timed;        // ticks is set; untimed events (names ...) take the time of their neighbour
    bool time_invalid; // timed, but its time stands for nothing (a core switch at 0)
    bool unconfirmed;  // set by the clock stage: behind a pause beyond measure at the end of its event stream; another
                       // event stream must go on after it
    uint8_t value_count;
    uint8_t mark; // enum tk_end_mark, or bits of enum tk_sample_mark
    union {
        struct {
            uint32_t by;    // the object that did it
            uint32_t least; // the smallest `value` there ever was, plus 1; 0: not told
        };
        uint64_t correlation; // the same number, the same colour; 0: by its name
    };
    union {
        const struct tk_value *values;        // further fields, for the details of what is drawn
        const struct tk_track_def *track;     // TRACK_DEFINED
        const struct tk_call_site *call_site; // CALL_SITE
    };
    union {
        uint64_t flow;    // an arrow begins here; 0: none
        uint64_t since;   // when it began, on the clock of `ticks`
        uint64_t address; // on the target
    };
    uint32_t section;   // filled in by the clock stage: restarts of the target before this event
    uint32_t frame_len; // bytes of the frame in its input, delimiter included
};

// Its own time, that stands for something.
static inline bool tk_event_has_time(const struct tk_event *event) { return event->timed && !event->time_invalid; }

// What happened to a semaphore or a lock: the string is static, and known by its address.
static inline bool tk_event_str_is_static(const struct tk_event *event) {
    return event->kind == TK_EV_THREAD_BLOCKED || event->kind == TK_EV_SEMAPHORE_COUNT ||
           event->kind == TK_EV_LOCK_NOTE;
}

// A number on a track that only the format knows.
static inline bool tk_event_is_counter(const struct tk_event *event) {
    return event->kind == TK_EV_TRACK_COUNT || event->kind == TK_EV_TRACK_COUNT_DOUBLE;
}

static inline enum tk_owner tk_event_owner(const struct tk_event *event) {
    return (enum tk_owner)tk_event_owners[event->kind];
}

const char *tk_event_title(enum tk_event_kind kind);
// Where it stands in the input; borrowed like the event. For times that are not judged yet.
struct tk_source_pos tk_event_source_pos(const struct tk_event *event);
// The same, and when.
struct tk_source_pos tk_event_trace_pos(const struct tk_event *event);

#endif
