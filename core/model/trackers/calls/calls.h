// SPDX-License-Identifier: MIT
//
// Call stacks of traces that record only how functions are entered. A context has its own stack: thread mode, or one
// exception. The return address of each call shows which frames have ended since; the kind of entry of a handler shows
// which ones are still active. docs/MODEL.md, "Calls".
#ifndef TK_MODEL_TRACKERS_CALLS_CALLS_H
#define TK_MODEL_TRACKERS_CALLS_CALLS_H

#include "../../tables/measure.h"
#include "../../event/event.h"
#include "../../tables/stats.h"
#include "../../timeline/timeline.h"

enum {
    TK_MAX_CONTEXTS = 512,    // all contexts from this number on share the last one
    TK_MAX_FUNCTIONS = 8192,  // further functions share one
    TK_MAX_CALL_SITES = 8192, // further call sites share one
    TK_MAX_CALL_PAIRS = 8192, // further pairs are counted together
    TK_MAX_FRAMES = 250       // frames of one stack; the viewer supports 512 levels
};

struct tk_call_frame {
    uint64_t begin;
    uint64_t inside; // time in called functions, interruptions and gaps
    uint64_t from;   // return address of the last call from this frame
    uint32_t function;
    bool called_out; // `from` is valid
    bool implicit;   // known only as a caller
    bool outermost;  // no other frame of the function was open
};

struct tk_call_function {
    uint32_t entity;
    uint32_t open;                           // number of open frames
    uint32_t deepest;                        // largest level; 1: outermost
    uint64_t contexts[TK_MAX_CONTEXTS / 64]; // contexts in which it ran: one bit per id
    uint64_t calls, total, self;
    struct tk_measure figures;
};

struct tk_call_pair {
    uint32_t caller, callee; // functions; caller TK_NONE: unknown
    uint64_t count;
};

struct tk_interruption {
    uint32_t victim, handler; // contexts
    uint64_t count, total;
};

// A call site, from CALL_SITE.
struct tk_call_place {
    uint32_t function, caller;                    // caller TK_NONE: unknown
    uint32_t pair;                                // index + 1; 0: none
    uint32_t details, caller_details, from_words; // text ids; 0: none
    uint64_t point, from;
    uint8_t entry; // enum tk_call_entry
    bool known;
    bool is_caller_proven;    // as in struct tk_call_site
    struct tk_prepared begin; // prepared begin of its slice
};

struct tk_context {
    uint32_t entity, timeline_task;
    uint32_t id;
    uint32_t frame_count, frame_capacity;
    struct tk_call_frame *frames;
    bool is_thread;
    bool is_active;     // handlers: the context is in tk_calls.active
    bool entry_seen;    // its first record was its entry
    bool misses_caller; // a function called from it whose entry in it was not recorded
    bool uncertain;     // exists only because of a damaged number; known at the end
    uint32_t victim;    // context + 1 with the open slice "... interrupts"; 0: none
    uint64_t entered;
    uint32_t loss;                    // tk_timeline.losses[0] at `entered`
    uint32_t deepest, deepest_nested; // largest number of frames; including those of the contexts below
    uint64_t calls, activations, running;
    uint64_t entries;          // activations whose first record is the entry by the hardware
    uint64_t not_recorded;     // part of `running` without records
    struct tk_measure figures; // durations of activations
    struct tk_measure periods; // times between the starts of activations
};

struct tk_calls {
    struct tk_alloc *alloc;
    struct tk_diag *diag;
    struct tk_timeline *tl;
    struct tk_stats *stats;
    const struct tk_tracker_host *host;
    const struct tk_event *event; // the current event
    bool is_partial;              // the figures cover a time range
    struct tk_context *contexts[TK_MAX_CONTEXTS];
    uint32_t thread;  // id of the context that runs when no handler does; TK_NONE: unknown
    uint32_t running; // id; TK_NONE: none yet
    uint64_t running_since;
    uint32_t active[TK_MAX_CONTEXTS]; // ids of handlers, the oldest first
    uint32_t active_count;
    uint32_t paused_context; // context + 1 with the open slice "nothing recorded"
    uint64_t pause_since;
    uint64_t figures_since; // start of the figures: earlier begins count from here on, and are not measured
    uint64_t own_time_at;   // time of the last event whose distance from the one before is not only assumed
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

#endif
