// SPDX-License-Identifier: MIT
//
// Call stacks of traces that record only how functions are entered. A context is what has a stack of its own: thread
// mode, or one exception. From the return address of each call follows which frames have ended since; from how a
// handler was entered follows which ones are still active. docs/MODEL.md, "Calls".
#ifndef TK_MODEL_TRACKERS_CALLS_CALLS_H
#define TK_MODEL_TRACKERS_CALLS_CALLS_H

#include "../../tables/durations.h"
#include "../../event/event.h"
#include "../../tables/stats.h"
#include "../../timeline/timeline.h"

enum {
    TK_MAX_CONTEXTS = 512,    // by number; from the last one on all share it
    TK_MAX_FUNCTIONS = 8192,  // further ones share one
    TK_MAX_CALL_SITES = 8192, // likewise
    TK_MAX_CALL_PAIRS = 8192, // further ones are counted together
    TK_MAX_FRAMES = 250       // of one stack; the viewer takes 512 levels
};

struct tk_call_frame {
    uint64_t begin;
    uint64_t inside; // time of what was called, of interruptions and of silence
    uint64_t from;   // return address of the last call made from here
    uint32_t function;
    bool called_out; // `from` is known
    bool implicit;   // seen as a caller only
    bool outermost;  // no other activation of the function was open
};

struct tk_call_function {
    uint32_t entity;
    uint32_t open;                           // frames
    uint32_t deepest;                        // level, 1: outermost
    uint64_t contexts[TK_MAX_CONTEXTS / 64]; // in which it was seen: bit per id
    uint64_t calls, total, self;
    struct tk_durations figures;
};

struct tk_call_pair {
    uint32_t caller, callee; // functions; caller TK_NONE: not known
    uint64_t count;
};

struct tk_interruption {
    uint32_t victim, handler; // contexts
    uint64_t count, total;
};

// As told by CALL_SITE.
struct tk_call_place {
    uint32_t function, caller;                    // caller TK_NONE: not known
    uint32_t pair;                                // index + 1; 0: none
    uint32_t details, caller_details, from_words; // text ids; 0: none
    uint64_t point, from;
    uint8_t entry; // enum tk_call_entry
    bool known;
    struct tk_prepared begin; // of its slice
};

struct tk_context {
    uint32_t entity, timeline_task;
    uint32_t id;
    uint32_t frame_count, frame_capacity;
    struct tk_call_frame *frames;
    bool is_thread;
    bool is_active;  // of a handler: in tk_calls.active
    bool entry_seen; // its first record was that of its entry
    bool doubtful;   // a damaged number made it up; known at the end
    uint32_t victim; // whose slice "... interrupts" is open + 1; 0: there is none
    uint64_t entered;
    uint32_t loss;                    // tk_timeline.losses[0] then
    uint32_t deepest, deepest_nested; // frames; with those of the contexts below
    uint64_t calls, activations, running;
    uint64_t entries;            // activations whose first record is the entry by the hardware
    uint64_t not_recorded;       // of `running`, what nobody knows about
    struct tk_durations figures; // of activations
    struct tk_durations periods; // from one to the next
};

struct tk_calls {
    struct tk_alloc *alloc;
    struct tk_diag *diag;
    struct tk_timeline *tl;
    struct tk_stats *stats;
    const struct tk_tracker_host *host;
    const struct tk_event *event; // at hand
    bool is_partial;              // the figures are of a part of the time
    struct tk_context *contexts[TK_MAX_CONTEXTS];
    uint32_t thread;  // id of the context that runs when no handler does; TK_NONE: none was named
    uint32_t running; // id; TK_NONE: nothing yet
    uint64_t running_since;
    uint32_t active[TK_MAX_CONTEXTS]; // ids of handlers, the oldest first
    uint32_t active_count;
    uint32_t paused_context; // context whose slice "nothing recorded" is open + 1
    uint64_t pause_since;
    uint64_t figures_since; // what began before counts from here on, and is not measured
    struct tk_call_function *functions;
    struct tk_call_place *places;
    struct tk_call_pair *pairs;
    struct tk_interruption *interruptions;
    uint32_t function_count, function_capacity, place_capacity, pair_count, pair_capacity, interruption_count,
        interruption_capacity;
    struct tk_idmap function_by_symbol, pair_by_key, interruption_by_key, texts;
    uint64_t further_pairs;              // calls between pairs beyond the limit
    uint32_t implicit_words, pause_name; // interned
};

extern const struct tk_table *const tk_calls_table_list[];
void tk_calls_tables(const struct tk_calls *calls, const struct tk_table_sink *sink);
void tk_calls_series(const struct tk_calls *calls, const struct tk_table_sink *sink);

#endif
