// SPDX-License-Identifier: MIT
//
// The model of one recording: takes events in their final order, advances the time, and passes the events to the
// trackers, the timeline and the figures. Counts losses and problems.
#ifndef TK_MODEL_MODEL_H
#define TK_MODEL_MODEL_H

#include "tables/stats.h"
#include "timeline/details.h"
#include "trackers/rtos/rtos.h"
#include "time/clock.h"
#include "time/domain.h"
#include "trackers/tracker.h"

// A report of lost events that the next report must confirm, because a damaged count could claim any number.
struct tk_pending_drop {
    uint32_t lost;   // number of lost events; 0: no report is pending
    uint32_t before; // the count before this report
    uint32_t count;  // the reported count
    uint64_t ticks, offset, frame;
    uint8_t input, raw_len;
    uint8_t where; // enum tk_loss_place
    uint8_t raw[TK_DIAG_CONTEXT];
};

// A running count of lost events.
struct tk_drop_counter {
    uint32_t count; // as last reported
    bool is_known;
    struct tk_pending_drop pending;
};

struct tk_model {
    struct tk_alloc *alloc;
    struct tk_diag *diag;
    struct tk_trace_clock clock;
    struct tk_timeline timeline;
    struct tk_stats stats;
    struct tk_rtos *rtos;            // state of that tracker; NULL: the format does not need it
    struct tk_detail_names *details; // names of details; NULL: no tracker needs them yet
    struct tk_tracker_host host;
    struct {
        const struct tk_tracker *is; // the tracker; NULL: not needed
        void *state;                 // its state; NULL: it has had no event yet
    } trackers[TK_OWNERS];
    uint32_t problems_track, event_tracks[TK_RTOS_CORES];
    uint32_t lost_tracks[TK_RTOS_CORES], not_recorded_track;
    uint64_t section_end;        // time of the last event before the section that begins
    uint32_t sections_announced; // by event streams that number them
    uint32_t problem_names[TK_DIAG_COUNT], kind_names[TK_EV_COUNT];
    uint64_t tick_ns;      // last tick length in the recording, in ns; 0: none
    uint8_t tick_origin;   // enum tk_tick_origin
    bool tick_is_side;     // the tick length comes from an earlier capture
    struct tk_domain rate; // clock rate in the recording or from an option: times are counts, and become ns before the
                           // model takes them; unset: times are ticks
    uint64_t rate_hz;      // that rate, rounded to whole Hz, for the report
    bool rate_is_side;     // the clock rate comes from an earlier capture
    bool rate_is_given;    // the clock rate comes from an option
    uint64_t late_hz;      // the last rate that came after the first time; 0: none
    struct {
        uint32_t frames, bytes;
    } names_missing[TK_RTOS_CORES]; // names that the recorder of each core dropped, as last reported
    struct tk_model_build {
        bool is_known;
        uint64_t id;
    } builds[2][TK_RTOS_CORES]; // identity of the firmware of each core: of the recording, and of captures that
                                // provide names
    uint32_t tick_count_same;   // how often the recording contained it
    uint64_t other_tick_ns;     // the last tick length that differed,
    uint32_t tick_count_other;  // and how often the recording contained it since
    uint32_t cores_named;       // cores named by core switches in the stream: bit n = core n
    uint32_t cores_end_alone;   // cores whose recordings end apart, with their last events: bit n = core n
    bool cores_complete;        // the stream names the cores of all events
    uint32_t cores_missing;     // cores without a recording (TK_EV_CORE_MISSING): bit n = core n
    uint64_t preamble_at;       // number of timed events before the last start of tracing + 1; 0: none
    struct tk_drop_counter drops[TK_RTOS_CORES];
    bool has_names;               // a name of a task, interrupt, queue, marker or value came
    bool raw_events, side;        // `side`: the current events come from a side input
    uint64_t events_before_stats; // events with a time before the figures began
    uint64_t lost;                // events that were lost, except those lost on the line
    uint64_t lost_on_line;        // events lost on the line
    uint64_t lost_before, restarts;
    uint64_t recorded_from, recorded_to; // first and last time of the recording, if the figures cover a time range
    bool is_time_range;
    uint64_t before_start; // largest distance of an event before the first one; times of PER_TRACK streams may fall
};

void tk_model_init(struct tk_model *model, struct tk_alloc *alloc, struct tk_diag *diag, struct tk_track_sink *sink);
// Adds the trackers of a list that ends with NULL, before the first event that needs them. Those without starts_at_once
// start with their first event.
void tk_model_need_trackers(struct tk_model *model, const struct tk_tracker *const *list);
enum { TK_MOST_LOST = INT32_MAX }; // plausible events of one loss; more is damage
// Counts `lost` events; where: enum tk_loss_place.
void tk_model_count_lost(struct tk_model *model, const struct tk_source_pos *place, uint64_t lost, unsigned where);
// Sets the clock rate: `hz` counts in `divisor` seconds, both above 0. Only before the first event with a time.
void tk_model_set_rate(struct tk_model *model, uint64_t hz, uint32_t divisor);
// Converts the time of an event from counts to ns if there is a clock rate.
void tk_model_convert_time(const struct tk_model *model, struct tk_event *event);
void tk_model_loss(struct tk_model *model, int32_t core); // records a loss of events on one core, or (< 0) on all
uint32_t tk_model_problems_track(struct tk_model *model);
// sections.c: losses and sections with their extent, as the recording reports them.
void tk_model_lost(struct tk_model *model, const struct tk_event *event);
void tk_model_restart_trackers(struct tk_model *model, bool announced); // announced: ids and names stay valid
// Returns true if another event stream has announced the section that an event begins. Keeps its number.
bool tk_model_has_section(struct tk_model *model, const struct tk_event *event);
void tk_model_end_section(struct tk_model *model); // before the time advances to the next section
void tk_model_begin_section(struct tk_model *model, const struct tk_event *event);
void tk_model_flush_deferred(struct tk_model *model, const struct tk_event *event); // flushes pending states before
                                                                                    // time advances
void tk_model_cold_event(struct tk_model *model, struct tk_event *event);
void tk_model_other_event(struct tk_model *model, const struct tk_event *event); // events that do not concern tasks,
                                                                                 // queues or interrupts

static TK_INLINE void tk_model_dispatch(struct tk_model *model, const struct tk_event *event) {
    if (model->rtos && tk_event_owner(event) == TK_OWNER_RTOS) tk_rtos_event(model->rtos, event);
    else tk_model_other_event(model, event);
}

// Takes an event in its final order, with the ticks of its section, and converts them to the trace clock. Returns true
// for the common case: the event has a time and continues its section.
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

// Takes an event of an earlier capture, which only provides names, kinds and the tick length.
void tk_model_side_event(struct tk_model *model, struct tk_event *event);

// Returns true if the times of the event's stream rise only per track, and this one is before the current time.
bool tk_model_may_run_backwards(const struct tk_model *model, const struct tk_event *event);
// Starts the figures of the report at `ticks`.
void tk_model_begin_stats(struct tk_model *model, uint64_t ticks);
// Ends the figures although the recording continues: open runs, waits and calls are not ended.
void tk_model_end_stats(struct tk_model *model);
// Reports a recording of a format whose target sends names if it has none.
void tk_model_check_names(struct tk_model *model);
// Ends the recording: closes all open slices. several_inputs: marks where the data of each core ends. tick_ns: tick
// length in ns, >= 1.
void tk_model_finish(struct tk_model *model, bool several_inputs, uint64_t tick_ns);
// Tables for the report.
extern const struct tk_table *const tk_model_table_list[]; // without those of the trackers; ended by NULL
void tk_model_tables(const struct tk_model *model, const struct tk_table_sink *sink);
// Events by kind, after the tables of the format. words: those of the format; NULL: none.
void tk_model_kinds(const struct tk_model *model, const struct tk_kind_words *words, const struct tk_table_sink *sink);

#endif
