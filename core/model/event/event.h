// SPDX-License-Identifier: MIT
//
// The events that formats pass to the model. A decoder builds an event in its batch (time/batch.h), and each stage
// fills in its fields of the same struct, so events are not copied on the way. An event that waits there borrows
// nothing (tk_event_stream_compact).
//
// struct tk_event has a common header and the fields of one family: a task switch has `event->task.task`, a queue
// operation `event->queue_operation.queue` and `.length_after`. The table events.def lists the family of each kind of
// event and the fields of each family. Code that handles all kinds reads fields by tk_event_number.
#ifndef TK_MODEL_EVENT_EVENT_H
#define TK_MODEL_EVENT_EVENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "../../base/diag.h"

enum tk_event_kind {
#define TK_EVENT(owner, kind, family, subject, title, words) TK_EV_##kind,
#include "events.def"
    TK_EV_COUNT
};

// Owner of an event: the model itself (RECORDING, SYMBOLS), or a tracker. RECORDING: the event is about the recording,
// not about the target. Events that concern all trackers reach them in this order.
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

// Source of a priority: the recording, or a kernel call of a task.
// DECLARED: with which the task was created; the recording does not contain changes, and a smaller number may be more
// urgent.
enum tk_priority_origin { TK_PRIORITY_REPORTED, TK_PRIORITY_BY_CALL, TK_PRIORITY_DECLARED };
enum tk_event_group_wait { TK_EVENT_GROUP_SYNC = 1, TK_EVENT_GROUP_TIMED_OUT = 2, TK_EVENT_GROUP_CLEARED_ON_EXIT = 4 };
enum tk_timer_call { TK_TIMER_START, TK_TIMER_RESET, TK_TIMER_CHANGE_PERIOD };

// Place of a loss. SOMEWHERE: bytes are damaged there, but too few for all the lost events.
enum tk_loss_place { TK_LOST_ON_TARGET, TK_LOST_ON_LINE, TK_LOST_SOMEWHERE };

enum tk_log_level { TK_LOG_INFO = 4, TK_LOG_WARNING = 5, TK_LOG_ERROR = 6 }; // levels of the viewer

// Meaning of the timeout of a wait: a number of ticks (all ones: endless), the tick at which it ends, or unknown.
enum tk_timeout { TK_TIMEOUT_TICKS, TK_TIMEOUT_UNTIL, TK_TIMEOUT_UNKNOWN };

// What a task waited for, if the recording tells it after the wait.
enum tk_waited_for { TK_WAITED_TO_RECEIVE, TK_WAITED_TO_SEND, TK_WAITED_FOR_NOTIFICATION };

enum tk_queue_operation {
    TK_OPERATION_SEND,
    TK_OPERATION_SEND_FIRST,
    TK_OPERATION_OVERWRITE,
    TK_OPERATION_RECEIVE,
    TK_OPERATION_PEEK,
    TK_OPERATION_RESET
};

// Meaning of a number: the subject of an event, or the entity of ENTITY_ADDRESS.
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
    TK_CLASS_STACK,
    TK_CLASS_SYMBOL,
    TK_CLASS_OBJECT, // active object; from here to RECORD: numbers of symbols
    TK_CLASS_OBJECT_QUEUE,
    TK_CLASS_POOL,
    TK_CLASS_TIME_EVENT,
    TK_CLASS_SEMAPHORE,
    TK_CLASS_LOCK,
    TK_CLASS_RECORD,
    TK_CLASS_CORE,
    TK_CLASS_PROBLEM, // enum tk_diag_id
    TK_CLASS_CONTEXT,
    TK_CLASS_CALL_SITE,
    TK_CLASS_TRACK,
    TK_CLASS_NONE
};

// End of a step of an active object.
enum tk_outcome { TK_OUTCOME_TRANSITION, TK_OUTCOME_INTERNAL, TK_OUTCOME_IGNORED };

// Activities of an object other than steps; their texts precede the name of a symbol.
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
    TK_VALUE_GROUP, // contains the following number.u values, including those in nested groups
    TK_VALUE_LIST   // a group without names
};

// A field of a record. Texts are arbitrary bytes, borrowed like the event.
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

// ---- Custom tracks of a format ----

enum tk_track_parent {
    TK_PARENT_TARGET,      // the group "Target"
    TK_PARENT_ROOT,        // no parent: a root
    TK_PARENT_TRACK,       // `parent`: another custom track
    TK_PARENT_TASK,        // `parent`: a task; below its thread track
    TK_PARENT_TASK_DETAILS // `parent`: a task; in its closed group "more"
};

// Category of a slice or an instant, for filters of the viewer and for SQL.
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

// TK_TRACK_OF_SAMPLES: instants, each with the function that a processor executed.
enum tk_track_type { TK_TRACK_OF_GROUP, TK_TRACK_OF_SLICES, TK_TRACK_OF_COUNTER, TK_TRACK_OF_SAMPLES };

// Definition of a custom track. Borrowed like the event, including its texts, which are arbitrary bytes.
struct tk_track_def {
    uint8_t parent_kind; // enum tk_track_parent
    uint8_t type;        // enum tk_track_type: kind of its items
    uint8_t category;    // enum tk_category of all its items
    bool in_signals;     // it has a row in the table of signals
    bool is_untimed;     // the table omits its times: they are positions on an axis of its own
    bool ends_at_loss;   // a loss of events ends its slices; false: the loss marks them
    bool is_made_up;     // the format made up its name: a definition with a recorded name wins, whichever comes first
    uint32_t parent;
    int32_t rank;    // order among its siblings
    uint32_t number; // number in the table of signals; 0: that of the track
    uint32_t share;  // counters with the same parent and number share their y range; 0: own range
    const char *unit, *description, *type_words; // type_words: for the table of signals, "logic, 16 bits"
    uint16_t unit_len, type_words_len;
    uint32_t description_len;
};

// ---- Calls ----

// Context of calls: thread mode, or an exception or interrupt.
enum tk_context_kind { TK_CONTEXT_THREAD, TK_CONTEXT_HANDLER };

// Way in which a function was entered.
enum tk_call_entry {
    TK_CALL_FROM_FUNCTION, // by another function
    TK_CALL_FROM_THREAD,   // a handler, by the hardware; it interrupts thread mode
    TK_CALL_FROM_HANDLER,  // a handler, by the hardware; it interrupts another handler
    TK_CALL_FROM_OUTSIDE   // from unrecorded code: the first function of a stack
};

#define TK_CALLS_NO_CONTEXT UINT32_MAX

// A call site. Borrowed like the event, including its texts, which are arbitrary bytes; empty texts are omitted.
struct tk_call_site {
    uint32_t function, caller;  // symbols; caller 0: none
    uint64_t point, from;       // addresses in the function and of the return: they order the calls within one function
    const char *details;        // details of the function, for its slice
    const char *caller_details; // details of the caller, for a frame that is known only as a caller
    const char *from_words;     // text of the position of the call
    uint16_t details_len, caller_details_len, from_words_len;
    uint8_t entry;         // enum tk_call_entry
    bool is_caller_proven; // the symbols are those of the recorded firmware, so that `caller` is the function that
                           // called
};

// Properties of a sample.
enum tk_sample_mark {
    TK_SAMPLE_TAGGED = 1,
    TK_SAMPLE_NONE = 2,    // the signal has no value from here on; a counter stays as it is
    TK_SAMPLE_BLANK = 4,   // the value is not drawn
    TK_SAMPLE_INTEGER = 8, // slices and instants: `number.integer` is the value that the item represents
    TK_SAMPLE_DOUBLE = 16, // slices and instants: `number.real` is the value that the item represents
    TK_SAMPLE_BESIDE = 32  // not a sample, but an annotation next to one
};

// Reason for the end of a slice.
enum tk_end_mark { TK_END_SEEN, TK_END_OPEN_AT_END, TK_END_OPEN_AT_GAP, TK_END_LOST };

// Source of the tick length: recording, option, or format; IS_COUNT: ticks are not time but count something.
enum tk_tick_origin {
    TK_TICK_RECORDED,
    TK_TICK_FROM_OPTION,
    TK_TICK_ASSUMED,
    TK_TICK_IS_COUNT,
    TK_TICK_SPACING_ASSUMED // the recording contains no times; the distance of records is assumed
};

// Number of a slice or an instant: the end of an arrow, 0: none; with TK_SAMPLE_INTEGER or TK_SAMPLE_DOUBLE the value
// that the item represents.
union tk_slice_number {
    uint64_t flow_end;
    int64_t integer;
    double real;
};

// ---- Fields of an event ----

// Slot in which generic code shows a field: the dump as "id", "number" and "value".
enum tk_event_slot { TK_SLOT_ID, TK_SLOT_NUMBER, TK_SLOT_VALUE, TK_SLOTS };

// Types of the column `type` in events.def.
typedef uint32_t tk_type_U32;
typedef uint64_t tk_type_U64;
typedef int64_t tk_type_I64;
typedef double tk_type_F64;
typedef union tk_slice_number tk_type_SLICE_NUMBER;
typedef const struct tk_track_def *tk_type_TRACK_POINTER;
typedef const struct tk_call_site *tk_type_CALL_SITE_POINTER;

// struct tk_event_task, struct tk_event_queue_operation ...
// clang-format off
#define TK_FAMILY(family) struct tk_event_##family {
#define TK_FIELD(family, type, name, slot, words) tk_type_##type name;
#define TK_MORE(family, type, name, words) tk_type_##type name;
#define TK_FAMILY_END };
// clang-format on
#include "events.def"

enum tk_event_family {
    TK_FAMILY_none, // no fields
#define TK_FAMILY(family) TK_FAMILY_##family,
#define TK_FIELD(family, type, name, slot, words)
#define TK_MORE(family, type, name, words)
#define TK_FAMILY_END
#include "events.def"
    TK_FAMILIES
};

enum { // the family of each kind, for tables
#define TK_EVENT(owner, kind, family, subject, title, words) TK_FAMILY_OF_##kind = TK_FAMILY_##family,
#include "events.def"
};

// The fields of any family, for clearing and copying.
struct tk_event_payload {
    uint64_t words[4];
};

struct tk_event {
    uint64_t ticks; // as sent by the target; later stages convert it to the trace clock
    union {         // the fields of the family of `kind`
#define TK_FAMILY(family) struct tk_event_##family family;
#define TK_FIELD(family, type, name, slot, words)
#define TK_MORE(family, type, name, words)
#define TK_FAMILY_END
#include "events.def"
        struct tk_event_payload payload;
    };
    const char *str;               // any bytes, not terminated
    const struct tk_value *values; // further fields, for the details of what is drawn
    uint64_t offset;               // position of the frame in its input
    uint64_t frame;                // number of the frame in its input
    const uint8_t *raw;            // the bytes of the frame in the input, for reports; raw_len may be cut
    uint32_t str_len;
    uint32_t section;   // number of restarts of the target before this event; set by the clock stage
    uint32_t frame_len; // bytes of the frame in its input, delimiter included
    uint16_t raw_len;
    uint8_t kind; // enum tk_event_kind
    uint8_t input;
    uint8_t core;      // set by the clock stage
    bool timed;        // `ticks` is set; untimed events (names ...) take the time of their neighbour
    bool time_invalid; // timed, but the time is not valid (a core switch at 0)
    bool unconfirmed; // set by the clock stage: after an implausibly long pause at the end of its event stream; another
                      // event stream must confirm the time
    uint8_t value_count;
    uint8_t mark; // of events on custom tracks: enum tk_end_mark of TRACK_END, otherwise bits of enum tk_sample_mark
    bool is_repeated; // of an event without a time: a name or fact that the target sends again and again, so that it is
                      // no sign of a restart and replaces no other name
};

_Static_assert(sizeof(struct tk_event) <= 104, "each event is stored and copied: a larger one costs speed");

// How generic code reads a field.
struct tk_event_field {
    uint8_t at;   // offset in struct tk_event
    uint8_t type; // enum tk_event_field_type
};
enum tk_event_field_type { TK_TYPE_NONE, TK_TYPE_U32, TK_TYPE_I64, TK_TYPE_F64 };
struct tk_event_shape {
    struct tk_event_field slots[TK_SLOTS];
};
extern const struct tk_event_shape tk_event_shapes[TK_FAMILIES];
extern const uint8_t tk_event_families[TK_EV_COUNT]; // enum tk_event_family
extern const uint8_t tk_event_subjects[TK_EV_COUNT]; // enum tk_entity_class: meaning of the field in TK_SLOT_ID

static inline struct tk_event_field tk_event_field(const struct tk_event *event, enum tk_event_slot slot) {
    return tk_event_shapes[tk_event_families[event->kind]].slots[slot];
}
// Returns the number in a slot, for any kind of event; 0 if the event has none or the number has a fraction.
int64_t tk_event_number(const struct tk_event *event, enum tk_event_slot slot);
// Sets the field in a slot, if the event has one. `kind` must be set.
void tk_event_set_number(struct tk_event *event, enum tk_event_slot slot, int64_t number);
// Returns the number in TK_SLOT_ID.
static inline uint32_t tk_event_id(const struct tk_event *event) {
    return (uint32_t)tk_event_number(event, TK_SLOT_ID);
}

// Sets the string to a text that ends with a zero byte; NULL: no string.
static inline void tk_event_set_text(struct tk_event *event, const char *text) {
    event->str = text;
    event->str_len = text ? (uint32_t)strlen(text) : 0;
}

// Returns true if the event has a valid time of its own.
static inline bool tk_event_has_time(const struct tk_event *event) { return event->timed && !event->time_invalid; }

// Returns true for events whose string is static and identified by its address (operations on semaphores and locks).
static inline bool tk_event_str_is_static(const struct tk_event *event) {
    return event->kind == TK_EV_THREAD_BLOCKED || event->kind == TK_EV_SEMAPHORE_COUNT ||
           event->kind == TK_EV_LOCK_NOTE;
}

// Returns true for a number on a custom track.
static inline bool tk_event_is_counter(const struct tk_event *event) {
    return event->kind == TK_EV_TRACK_COUNT || event->kind == TK_EV_TRACK_COUNT_DOUBLE;
}

static inline enum tk_owner tk_event_owner(const struct tk_event *event) {
    return (enum tk_owner)tk_event_owners[event->kind];
}

const char *tk_event_title(enum tk_event_kind kind);

// What the events of a kind are, in the words of a recording instead of those of the model.
struct tk_kind_words {
    enum tk_event_kind kind;
    const char *words; // NULL: end of the list
};
// Returns the position in the input, without a time; borrowed like the event. For times that are not validated yet.
struct tk_source_pos tk_event_source_pos(const struct tk_event *event);
// Returns the position in the input and the time.
struct tk_source_pos tk_event_trace_pos(const struct tk_event *event);

#endif
