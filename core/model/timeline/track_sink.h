// SPDX-License-Identifier: MIT
//
// Interface between the timeline and an output format. The timeline decides what is shown and where; a sink only writes
// it. All times are ticks of the trace clock; the tick length may become known as late as finish().
//
// Promises of the timeline:
// - ids (tracks, names, texts, argument names) are small, start at 1 and are numbered in order of first use; groups
//   that are parts of another one have ids after all others;
// - groups with the same name and parent are one;
// - begin and end on one track nest and balance; ends have no name;
// - a counter's declare() precedes its first value; any other declare(), task() or define() may come after the events
//   that use it, and may be repeated with a better name: the last one is valid. A define() occurs once per id;
// - per task and tick there is at most one state; no two equal states in a row; another state follows RUNNING before
//   the next RUNNING of the same task;
// - on each core RUNNING times rise. When another task becomes RUNNING on a core without a state of the first task in
//   between, the first one has left the core at that tick; its state follows late, before any other state of it. A
//   later RUNNING at the same tick replaces the earlier one;
// - TK_IN_ORDER times rise on each track; if the recording has one time line they never fall. TK_LATE and TK_EARLY
//   times are never later than the current event.
#ifndef TK_MODEL_TIMELINE_TRACK_SINK_H
#define TK_MODEL_TIMELINE_TRACK_SINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Lists of interned texts: event names, text values of arguments, argument names, categories, functions of samples.
enum tk_intern {
    TK_INTERN_NAME,
    TK_INTERN_TEXT,
    TK_INTERN_ARG_NAME,
    TK_INTERN_CATEGORY,
    TK_INTERN_FUNCTION,
    TK_INTERNS
};

enum tk_when {
    TK_IN_ORDER, // happens at `ticks`
    TK_LATE,     // happened at `ticks`, but was determined only now
    TK_EARLY // one nanosecond before `ticks` (a task that leaves one core at the tick at which it appears on another);
             // ticks > 0. For states only
};

// TK_TRACK_SAMPLES: samples of what a processor executed; nothing else is on such a track.
enum tk_track_kind { TK_TRACK_GROUP, TK_TRACK_SLICES, TK_TRACK_COUNTER, TK_TRACK_THREAD, TK_TRACK_SAMPLES };

// What a track contains, for viewers that treat it in a special way.
enum tk_track_purpose { TK_PURPOSE_OTHER, TK_PURPOSE_INTERRUPTS, TK_PURPOSE_LOSSES };

struct tk_track_info {
    uint32_t track;  // id
    uint32_t parent; // id of the parent; 0: a root; for tracks of a task: the id of its TK_TRACK_THREAD
    enum tk_track_kind kind;
    int32_t pid;           // TK_TRACK_THREAD: the task that it belongs to
    int32_t rank;          // order among siblings, from 0, if the parent is explicitly ordered
    bool ordered_children; // children are sorted by rank; false: by name
    const char *name;      // valid UTF-8, unique among siblings
    size_t name_len;
    const char *unit;        // TK_TRACK_COUNTER: "items" ..., or NULL; terminated, valid UTF-8
    const char *description; // terminated, valid UTF-8; NULL: none
    uint32_t share;  // TK_TRACK_COUNTER: counters with the same parent and number share their y range; 0: own range
    uint8_t purpose; // enum tk_track_purpose
    uint8_t core;    // core + 1 that it belongs to; 0: none
};

struct tk_task_info {
    int32_t pid;      // pid of the process and of its one thread; >= 300
    const char *name; // valid UTF-8
    size_t name_len;
    bool idle; // idle task: blank on the CPU tracks
};

enum tk_task_state {
    TK_STATE_RUNNABLE,
    TK_STATE_RUNNING,
    TK_STATE_WAITING,
    TK_STATE_WAITING_LOCK,
    TK_STATE_SUSPENDED,
    TK_STATE_DEAD,
    TK_STATE_UNRECORDED // of a core, with pid 0 and TK_LATE: what it ran from `ticks` to its next RUNNING is unknown;
                        // replaces a RUNNING at the same tick. RUNNING with pid 0 and TK_LATE: the core is idle
};

enum tk_waker {
    TK_WAKER_UNKNOWN,
    TK_WAKER_TASK, // the task that runs on that core
    TK_WAKER_INTERRUPT
};

struct tk_task_change {
    uint64_t ticks;
    int32_t pid;   // pid of the task; 0: the core itself, with UNRECORDED or RUNNING (idle)
    uint32_t core; // < 32. RUNNING: core on which it runs from now on; for a running task: core on which it ran until
                   // now; for a task that becomes RUNNABLE: core of the waker
    uint8_t when;  // enum tk_when
    uint8_t state; // enum tk_task_state
    uint8_t waker; // enum tk_waker: what made it RUNNABLE, unless it ran until now
};

enum tk_arg_type {
    TK_ARG_UINT,
    TK_ARG_INT,
    TK_ARG_TEXT,
    TK_ARG_STRING,
    TK_ARG_DOUBLE,
    TK_ARG_GROUP, // contains the following value.u arguments, including those in nested groups
    TK_ARG_LIST   // a group without names
};

struct tk_arg {
    uint32_t name; // TK_INTERN_ARG_NAME id; 0 in a list
    enum tk_arg_type type;
    union {
        uint64_t u;
        int64_t i;
        double d;
        uint32_t text; // TK_ARG_TEXT: TK_INTERN_TEXT id
    } value;
    const char *string; // TK_ARG_STRING: inline, valid UTF-8
    size_t string_len;
};

// Values of Perfetto's TrackEvent.type; a sample has a packet of its own.
enum tk_track_event_type {
    TK_EVENT_BEGIN = 1,
    TK_EVENT_END = 2,
    TK_EVENT_INSTANT = 3,
    TK_EVENT_COUNTER = 4,
    TK_EVENT_SAMPLE = 5
};

// Entry of the viewer's list of log messages. Borrowed during the call, like the event; valid UTF-8.
struct tk_log_entry {
    const char *source; // origin of the message: a channel or a file
    uint32_t source_len;
    uint8_t level; // enum tk_log_level
};

// Encoded form of an event that repeats. The sink that encodes it first stores it here; other sinks cannot use it. All
// zero: not encoded yet.
enum { TK_PREPARED = 64 };
struct tk_prepared {
    uint32_t track, name; // track and name of the event
    uint8_t len;          // number of bytes; 0: not prepared
    uint8_t bytes[TK_PREPARED];
};

struct tk_track_event {
    uint64_t ticks;
    uint32_t track;
    uint32_t name; // TK_INTERN_NAME id; 0: `string`, or none (ends, counters). Samples: TK_INTERN_FUNCTION id; 0: the
                   // function has no id, because there are too many
    const char *string; // inline name, valid UTF-8, if name is 0; NULL: none. Samples: the function, with or without id
    uint32_t string_len;
    uint32_t category; // TK_INTERN_CATEGORY id, for begins and instants; 0: none
    uint8_t type;      // enum tk_track_event_type
    uint8_t when;      // TK_IN_ORDER or TK_LATE
    uint8_t arg_count;
    bool is_double;     // counters: use value_double instead of value
    bool is_unmeasured; // ends: the length of the slice is unknown, because events were lost or it is open at the end
    const struct tk_arg *args;
    int64_t value; // counters
    double value_double;
    uint64_t flow;                  // starts or continues this flow; 0: none
    uint64_t flow_end;              // ends this flow; 0: none
    const struct tk_log_entry *log; // instants below a thread, or of track 0, which is only in the list of log
                                    // messages: the inline name is a log message; NULL: it is not
    uint64_t correlation;           // slices: equal numbers get equal colours; 0: colour by name
    struct tk_prepared *prepared; // owned by the caller, for repeated events that differ only in time, track and name;
                                  // NULL: none
};

struct tk_trace_summary {
    uint64_t tick_ns;     // tick length in ns, >= 1; last tick * tick_ns < 2^63
    uint64_t lost_events; // reported by the recording
    uint64_t last_ticks;  // time of the last event, drawn or not: the end of the trace
    bool has_wall_clock;
    int64_t wall_clock_ns; // Unix time of tick 0
    const char *note;      // note for users about the times, or NULL; terminated, valid UTF-8
};

// Common event with its fields as arguments: TK_IN_ORDER, without inline texts and flows, with at most one argument,
// which is an interned text. what: the value of a counter, otherwise a TK_INTERN_NAME id or 0. detail: the argument
// (tk_simple_event_arg); 0: none.
typedef void (*tk_simple_event)(void *ctx, uint64_t ticks, enum tk_track_event_type type, uint32_t track, uint64_t what,
                                uint64_t detail);

// arg: TK_INTERN_ARG_NAME id; 0: none. text: its TK_INTERN_TEXT id.
static inline uint64_t tk_simple_event_arg(uint32_t arg, uint32_t text) { return arg | (uint64_t)text << 32; }
static inline uint32_t tk_simple_event_arg_name(uint64_t detail) { return (uint32_t)detail; }
static inline uint32_t tk_simple_event_arg_text(uint64_t detail) { return (uint32_t)(detail >> 32); }

// Converts a simple event to a common one, for sinks without a fast path; *room receives the argument.
static inline struct tk_track_event tk_track_event_of(uint64_t ticks, enum tk_track_event_type type, uint32_t track,
                                                      uint64_t what, uint64_t detail, struct tk_arg *room) {
    bool counts = type == TK_EVENT_COUNTER;
    *room = (struct tk_arg){ .name = tk_simple_event_arg_name(detail),
                             .type = TK_ARG_TEXT,
                             .value.text = tk_simple_event_arg_text(detail) };
    return (struct tk_track_event){ .ticks = ticks,
                                    .track = track,
                                    .type = (uint8_t)type,
                                    .name = counts ? 0 : (uint32_t)what,
                                    .value = counts ? (int64_t)what : 0,
                                    .args = room,
                                    .arg_count = tk_simple_event_arg_name(detail) != 0 };
}

// The sink stores failures (out of memory, output refused); its owner queries them.
struct tk_track_sink {
    void *ctx;
    void (*define)(void *ctx, enum tk_intern list, uint32_t id, const char *text, size_t len);
    void (*declare)(void *ctx, const struct tk_track_info *track);
    void (*task)(void *ctx, const struct tk_task_info *task);
    void (*state)(void *ctx, const struct tk_task_change *change);
    void (*event)(void *ctx, const struct tk_track_event *event);
    tk_simple_event plain;
    void (*finish)(void *ctx, const struct tk_trace_summary *summary);
};

#endif
