// SPDX-License-Identifier: MIT
//
// The model of one recording: takes events in their final order, keeps time, and feeds the state machine, the
// timeline and the figures. Drops and problems live here.
#ifndef TK_MODEL_MODEL_H
#define TK_MODEL_MODEL_H

#include "tables/stats.h"
#include "timeline/details.h"
#include "trackers/rtos/rtos.h"
#include "time/clock.h"
#include "trackers/tracker.h"

// A report of lost events that the next one has to confirm: a damaged count would claim any number.
struct tk_pending_drop {
    uint32_t lost;   // 0: none pending
    uint32_t before; // the count before it
    uint32_t count;  // as reported
    uint64_t ticks, offset, frame;
    uint8_t input, raw_len;
    uint8_t where; // enum tk_loss_place
    uint8_t raw[TK_DIAG_CONTEXT];
};

struct tk_model {
    struct tk_alloc *alloc;
    struct tk_diag *diag;
    struct tk_trace_clock clock;
    struct tk_timeline timeline;
    struct tk_stats stats;
    struct tk_rtos *rtos;            // state of that tracker; NULL: it is not listed
    struct tk_detail_names *details; // NULL: no tracker needed them yet
    struct tk_tracker_host host;
    struct {
        const struct tk_tracker *is; // NULL: none is needed
        void *state;                 // NULL: it has had no event yet
    } trackers[TK_OWNERS];
    uint32_t problems_track, event_tracks[TK_RTOS_CORES];
    uint32_t lost_tracks[TK_RTOS_CORES], not_recorded_track;
    uint64_t section_end; // time of the last event before the section that begins
    uint32_t problem_names[TK_DIAG_COUNT], kind_names[TK_EV_COUNT];
    uint64_t tick_ns;          // last one that the recording named; 0: none
    uint8_t tick_origin;       // enum tk_tick_origin
    bool tick_is_side;         // ... named by an earlier capture
    uint32_t tick_count_same;  // how often
    uint64_t other_tick_ns;    // the last one that differed from it,
    uint32_t tick_count_other; // and how often it was named since
    uint32_t cores_named;      // by core switches in the stream: bit n = core n
    bool cores_complete;       // of all events
    uint32_t cores_missing;    // cores without a recording (TK_EV_CORE_MISSING): bit n = core n
    uint64_t preamble_at;      // timed events before the last start of tracing + 1; 0: there was none
    uint32_t dropped;          // running count as last reported
    struct tk_pending_drop drop;
    bool dropped_known, raw_events, side; // side: events only help to read the recording
    uint64_t events_before_stats;         // events with a time before the figures began
    uint64_t lost;                        // events that are not proven to be lost on the line
    uint64_t lost_on_line;                // events
    uint64_t lost_before, restarts;
    uint64_t recorded_from, recorded_to; // first and last time of the recording where the figures are of a part of it
    bool is_time_range;
    uint64_t before_start; // how far before the first event another one lies; times of free tracks may fall
};

void tk_model_init(struct tk_model *model, struct tk_alloc *alloc, struct tk_diag *diag, struct tk_track_sink *sink);
// A list that ends with NULL, before the first event that needs them; those that do not start at once are started by
// their first event.
void tk_model_need_trackers(struct tk_model *model, const struct tk_tracker *const *list);
// Counts `lost` events; where: enum tk_loss_place.
void tk_model_count_lost(struct tk_model *model, const struct tk_source_pos *place, uint64_t lost, unsigned where);
void tk_model_loss(struct tk_model *model, int32_t core); // events are missing here, of one core or (< 0) of any
uint32_t tk_model_problems_track(struct tk_model *model);
// Losses and sections that the recording tells of, with their extent (sections.c).
void tk_model_lost(struct tk_model *model, const struct tk_event *event);
void tk_model_restart_trackers(struct tk_model *model, bool announced); // announced: numbers and names go on
void tk_model_end_section(struct tk_model *model); // before the time moves to the first event of the next one
void tk_model_begin_section(struct tk_model *model, const struct tk_event *event);
void tk_model_flush_deferred(struct tk_model *model, const struct tk_event *event); // something from before waits for
                                                                                    // the time to move
void tk_model_cold_event(struct tk_model *model, struct tk_event *event);
void tk_model_other_event(struct tk_model *model, const struct tk_event *event); // what does not concern tasks, queues
                                                                                 // or interrupts

static TK_INLINE void tk_model_dispatch(struct tk_model *model, const struct tk_event *event) {
    if (!model->rtos || !tk_rtos_event(model->rtos, event)) tk_model_other_event(model, event);
}

// An event in its final order; ticks still those of its section, and moved to the trace clock here. True: something
// happened, and time goes on from the event before; what most events are.
static TK_INLINE bool tk_model_event(struct tk_model *model, struct tk_event *event) {
    if (!event->timed || tk_event_owner(event) == TK_OWNER_RECORDING || model->raw_events ||
        !tk_trace_clock_continues(&model->clock, event)) {
        tk_model_cold_event(model, event);
        return false;
    }
    if (model->timeline.unresolved | model->timeline.changed_count) tk_model_flush_deferred(model, event);
    model->timeline.now = event->ticks;
    tk_stats_next_event(&model->stats, event->kind, event->core, event->ticks);
    tk_model_dispatch(model, event);
    return true;
}

// The same for one of an earlier capture, which gives names, kinds and the tick length, nothing else.
void tk_model_side_event(struct tk_model *model, struct tk_event *event);

// Time rises on each track of its own only, and the one of this event is behind.
bool tk_model_may_run_backwards(const struct tk_model *model, const struct tk_event *event);
// The report covers what comes from here on.
void tk_model_begin_stats(struct tk_model *model, uint64_t ticks);
// Nothing with a time will come any more, although the recording goes on: what is open does not end with it.
void tk_model_end_stats(struct tk_model *model);
// Closes everything. several_inputs: mark where the data of each core ends. tick_ns: length of a tick, >= 1.
void tk_model_finish(struct tk_model *model, bool several_inputs, uint64_t tick_ns);
// What the report shows of it.
extern const struct tk_table *const tk_model_table_list[]; // without those of the trackers; up to NULL
void tk_model_tables(const struct tk_model *model, const struct tk_table_sink *sink);
void tk_model_kinds(const struct tk_model *model, const struct tk_table_sink *sink); // events by kind: behind what the
                                                                                     // format tells
void tk_model_series(const struct tk_model *model, const struct tk_table_sink *sink);

#endif
