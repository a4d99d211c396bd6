// SPDX-License-Identifier: MIT
//
// The trace of a part of the time ends a little behind it, not at the end of the recording: whoever wants the trace alone need not read on, and gets the
// same bytes. What is fed later only changes the report.
#include "base/cold.h"
#include "handle.h"

void tk_part_watch(struct tk *handle, const struct tk_event *shown) {
    bool ends = handle->writer && handle->has_range && !handle->part.is_complete && !handle->format->unordered;
    if (ends && shown->timed && !shown->time_invalid) handle->part.behind += shown->ticks > handle->range.to_ns / tk_known_tick_ns(handle);
}

// The model goes on without the trace.
static void forget_trace(struct tk *handle, const struct tk *copy) {
    handle->part = (struct tk_part){ 0, true, tk_writer_bytes(copy->writer), tk_writer_packets(copy->writer) };
    handle->writer = NULL;
    handle->track_sink = tk_ignoring_sink();
    if (handle->has_out && tk_writer_head_is_wrong(copy->writer)) tk_diag_hit(&handle->diag, TK_DIAG_TICK_LATE, NULL);
}

TK_COLD void tk_part_end(struct tk *handle) {
    struct tk *copy;
    handle->part.behind = 0;
    tk_flow_keep_all(handle);
    tk_status status = tk_handle_copy(handle, handle->has_out ? &handle->out : NULL, &copy);
    if (status == TK_NO_MEMORY) tk_handle_fail(handle, status, "out of memory");
    if (status != TK_OK) return; // a copy cannot be made of every handle: then the trace ends with the recording
    if (!copy->option_tick_ns && !copy->model.tick_ns) copy->option_tick_ns = copy->range_tick_ns; // what comes late was learned by an earlier pass
    tk_handle_close(copy);
    if (copy->alloc.failed) tk_handle_fail(handle, TK_NO_MEMORY, "out of memory");
    else if (tk_writer_refused(copy->writer)) tk_handle_fail(handle, TK_SINK_REFUSED, "the output could not be written");
    else forget_trace(handle, copy);
    tk_free(copy);
}

uint64_t tk_trace_bytes(const struct tk *handle) { return handle->writer ? tk_writer_bytes(handle->writer) : handle->part.bytes; }

uint64_t tk_trace_packets(const struct tk *handle) { return handle->writer ? tk_writer_packets(handle->writer) : handle->part.packets; }
