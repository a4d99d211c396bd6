// SPDX-License-Identifier: MIT
//
// Connects the samples of a signal to the handle.
#include "report/samples.h"

#include "handle.h"

static struct tk_tracks *tracks_of(const struct tk *handle) { return handle->model.trackers[TK_OWNER_TRACKS].state; }

// Returns the title of the time column. In a trace with stretched times the samples have true picoseconds or
// femtoseconds.
static const char *time_title(const struct tk *handle) {
    uint64_t stretch = tk_time_stretch(handle);
    if (!tk_time_is_known(handle)) return "ticks";
    return stretch == 1 ? "time_ns" : stretch == 1000 ? "time_ps" : "time_fs";
}

static void on_event(void *ctx, const struct tk_event *event) {
    struct tk *handle = ctx;
    uint64_t tick_ns = handle->option_tick_ns ? handle->option_tick_ns : handle->model.tick_ns, ticks = event->ticks;
    if (event->kind == TK_EV_TRACK_DEFINED) tk_samples_definition(handle->samples);
    if (!tracks_of(handle) || !tk_event_is_in_range(handle, event, tick_ns)) return;
    handle->samples->time_title = time_title(handle);
    if (tk_time_is_known(handle)) ticks = ticks > UINT64_MAX / tick_ns ? UINT64_MAX : ticks * tick_ns;
    tk_samples_event(handle->samples, tracks_of(handle), event, ticks);
}

static void watch(struct tk_input *input, const struct tk_decoder *kind, struct tk_decode_host *host) {
    (void)input, (void)kind, (void)host;
}
static void choose_track_sink(struct tk *handle) { (void)handle; }
static bool was_refused(const struct tk *handle) { return handle->samples->out.refused; }

tk_status tk_set_samples(tk *handle, const char *path, tk_write_fn write, void *ctx) {
    static const struct tk_dump_hooks dumping = { watch, choose_track_sink, NULL, was_refused };
    if (handle->status != TK_OK) return handle->status;
    if (handle->started || handle->has_out || handle->dumping)
        return tk_handle_misuse(handle, "set one output only, before the first byte");
    handle->samples = tk_samples_new(&handle->alloc, path, write, ctx);
    if (!handle->samples) return tk_handle_fail(handle, TK_NO_MEMORY, "out of memory");
    handle->dumping = &dumping;
    handle->event_seen = on_event;
    handle->event_ctx = handle;
    handle->watched = handle->intercepts = true;
    return TK_OK;
}

tk_status tk_end_samples(tk *handle) {
    if (handle->status != TK_OK) return handle->status;
    if (!handle->samples || !handle->finished)
        return tk_handle_misuse(handle, "tk_end_samples must follow tk_set_samples and tk_finish");
    handle->samples->time_title = time_title(handle);
    bool is_found = tk_samples_end(handle->samples, tracks_of(handle), handle->error);
    if (was_refused(handle)) return tk_handle_fail(handle, TK_SINK_REFUSED, "the output could not be written");
    return is_found ? TK_OK : TK_MISUSE;
}
