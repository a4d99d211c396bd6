// SPDX-License-Identifier: MIT
//
// The second output of a handle: every call of the timeline goes to the sink of the trace, then to the encoder of the
// rows (viewer/encode.h). A handle without this output calls the sink of the trace directly.
#include "handle.h"

static inline const struct tk_track_sink *outputs(void *ctx) { return ((struct tk *)ctx)->outputs; }

static void on_define(void *ctx, enum tk_intern list, uint32_t id, const char *text, size_t len) {
    const struct tk_track_sink *to = outputs(ctx);
    to[0].define(to[0].ctx, list, id, text, len);
    to[1].define(to[1].ctx, list, id, text, len);
}

static void on_declare(void *ctx, const struct tk_track_info *track) {
    const struct tk_track_sink *to = outputs(ctx);
    to[0].declare(to[0].ctx, track);
    to[1].declare(to[1].ctx, track);
}

static void on_task(void *ctx, const struct tk_task_info *task) {
    const struct tk_track_sink *to = outputs(ctx);
    to[0].task(to[0].ctx, task);
    to[1].task(to[1].ctx, task);
}

static void on_state(void *ctx, const struct tk_task_change *change) {
    const struct tk_track_sink *to = outputs(ctx);
    to[0].state(to[0].ctx, change);
    to[1].state(to[1].ctx, change);
}

static void on_event(void *ctx, const struct tk_track_event *event) {
    const struct tk_track_sink *to = outputs(ctx);
    to[0].event(to[0].ctx, event);
    to[1].event(to[1].ctx, event);
}

static void on_simple_event(void *ctx, uint64_t ticks, enum tk_track_event_type type, uint32_t track, uint64_t what,
                            uint64_t detail) {
    const struct tk_track_sink *to = outputs(ctx);
    to[0].plain(to[0].ctx, ticks, type, track, what, detail);
    to[1].plain(to[1].ctx, ticks, type, track, what, detail);
}

static void on_finish(void *ctx, const struct tk_trace_summary *summary) {
    const struct tk_track_sink *to = outputs(ctx);
    to[0].finish(to[0].ctx, summary);
    to[1].finish(to[1].ctx, summary);
}

void tk_rows_insert(struct tk *handle) {
    handle->row_encoder = tk_row_encoder_new(&handle->alloc, handle->rows_out.write, handle->rows_out.ctx);
    if (!handle->row_encoder) return;
    handle->outputs[0] = handle->track_sink;
    handle->outputs[1] = tk_row_encoder_sink(handle->row_encoder);
    handle->track_sink = (struct tk_track_sink){ handle,   on_define, on_declare,      on_task,
                                                 on_state, on_event,  on_simple_event, on_finish };
}

void tk_rows_keep_only(struct tk *handle) { handle->track_sink = handle->outputs[1]; }

static void remove_rows(struct tk *handle) {
    bool has_trace = handle->track_sink.ctx == handle; // false: only the second output was left
    handle->has_rows_out = false;
    if (!handle->row_encoder) return;
    handle->row_encoder = NULL; // its memory is freed with the handle
    handle->track_sink = has_trace ? handle->outputs[0] : tk_ignoring_sink();
}

tk_status tk_set_timeline(tk *handle, const struct tk_sink *sink) {
    if (handle->status != TK_OK) return handle->status;
    if (!sink) {
        remove_rows(handle);
        return TK_OK;
    }
    if (handle->started || handle->dumping)
        return tk_handle_misuse(handle, "the timeline is chosen before the first byte, beside a trace");
    handle->rows_out = *sink;
    handle->has_rows_out = true;
    return TK_OK;
}

tk_status tk_flush_timeline(tk *handle) {
    if (handle->status != TK_OK) return handle->status;
    if (!handle->row_encoder || handle->finished) return TK_OK;
    tk_row_encoder_flush(handle->row_encoder, tk_current_tick_ns(handle), handle->model.clock.now);
    if (!tk_row_encoder_refused(handle->row_encoder)) return TK_OK;
    return tk_handle_fail(handle, TK_SINK_REFUSED, "the output could not be written");
}
