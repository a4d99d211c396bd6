// SPDX-License-Identifier: MIT
//
// Draws the response times of a task as a counter.
#include "../base/duration.h"
#include "../model/timeline/timeline.h"
#include "internal.h"

TK_COLD static void add_track(struct tk_timeline *timeline, struct tk_response_track *response, uint32_t task,
                              bool is_ns) {
    struct tk_track_spec spec = { tk_timeline_task_group(timeline, task),
                                  TK_TRACK_COUNTER,
                                  TK_NONE,
                                  "response time",
                                  timeline->tasks[task].pid,
                                  TK_RANK_RESPONSE,
                                  is_ns ? "ns" : "ticks",
                                  "Of the last measured job, from its release to its end",
                                  0 };
    response->is_ns = is_ns;
    response->track = tk_timeline_add_track(timeline, &spec);
}

void tk_response_draw(const struct tk_analysis *analysis, struct tk_response_track *response,
                      const struct tk_job *job) {
    struct tk_timeline *timeline = analysis->timeline;
    uint64_t tick_ns = analysis->tick_ns(analysis->tick_ctx), ticks = tk_job_response(job);
    if (!response->track) add_track(timeline, response, job->task, tick_ns > 0);
    uint64_t units;
    if (!tk_ticks_to_ns(ticks, response->is_ns ? tick_ns : 1, &units) || units > INT64_MAX) return; // 292 years in ns
    int64_t value = (int64_t)units;
    if (response->has_value && response->value == value) return;
    response->has_value = true;
    response->value = value;
    if (job->end == timeline->now) {
        tk_timeline_counter(timeline, response->track, value, NULL, 0);
        return;
    }
    struct tk_track_event event = {
        .ticks = job->end, .track = response->track, .type = TK_EVENT_COUNTER, .when = TK_LATE, .value = value
    };
    tk_timeline_event(timeline, &event);
}
