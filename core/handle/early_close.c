// SPDX-License-Identifier: MIT
//
// The trace of a part of the time ends a little after it, not at the end of the recording: whoever wants the trace
// alone need not read on, and gets the same bytes. What is fed later only changes the report.
#include "base/attributes.h"
#include "handle.h"

void tk_range_tail_count(struct tk *handle, const struct tk_event *shown) {
    bool ends = handle->writer && handle->has_range && !handle->part.is_complete && !handle->format->unordered;
    if (ends && tk_event_has_time(shown))
        handle->part.behind += shown->ticks > handle->range.to_ns / tk_current_tick_ns(handle);
}

// How the trace of a copy ended.
struct ending {
    uint64_t bytes, packets;
    bool head_is_wrong;
};

static tk_status end_copy(struct tk *copy, void *ctx) {
    struct ending *ending = ctx;
    if (!copy->option_tick_ns && !copy->model.tick_ns)
        copy->option_tick_ns = copy->range_tick_ns; // what comes late was learned by an earlier pass
    tk_handle_close(copy);
    *ending = (struct ending){ tk_writer_bytes(copy->writer), tk_writer_packets(copy->writer),
                               copy->has_out && tk_writer_head_is_wrong(copy->writer) };
    if (copy->alloc.failed) return TK_NO_MEMORY;
    return tk_writer_refused(copy->writer) ? TK_SINK_REFUSED : TK_OK;
}

// The model goes on without the trace.
static void forget_trace(struct tk *handle, const struct ending *ending) {
    handle->part = (struct tk_range_tail){ 0, true, ending->bytes, ending->packets };
    handle->writer = NULL;
    handle->track_sink = tk_ignoring_sink();
    if (ending->head_is_wrong) tk_diag_count(&handle->diag, TK_DIAG_TICK_LATE, NULL);
}

TK_COLD void tk_range_tail_close(struct tk *handle) {
    struct ending ending;
    handle->part.behind = 0;
    tk_flow_copy_borrowed(handle);
    tk_status status = tk_with_copy(handle, handle->has_out ? &handle->out : NULL, end_copy, &ending);
    if (status == TK_NO_MEMORY) tk_handle_fail(handle, status, "out of memory");
    if (status == TK_SINK_REFUSED) tk_handle_fail(handle, status, "the output could not be written");
    if (status == TK_OK)
        forget_trace(handle, &ending); // a copy cannot be made of every handle: then the trace ends with the recording
}

uint64_t tk_trace_bytes(const struct tk *handle) {
    return handle->writer ? tk_writer_bytes(handle->writer) : handle->part.bytes;
}

uint64_t tk_trace_packets(const struct tk *handle) {
    return handle->writer ? tk_writer_packets(handle->writer) : handle->part.packets;
}
