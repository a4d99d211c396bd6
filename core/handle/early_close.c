// SPDX-License-Identifier: MIT
//
// Closes the trace of a time range a little after the range, not at the end of the recording: a caller that needs only
// the trace can stop reading there, and gets the same bytes. Bytes fed later change only the report.
#include "base/attributes.h"
#include "handle.h"

void tk_range_tail_count(struct tk *handle, const struct tk_event *shown) {
    bool ends = handle->writer && handle->has_range && !handle->range_tail.is_complete && !handle->format->unordered;
    if (ends && tk_event_has_time(shown))
        handle->range_tail.events_after_range += shown->ticks > handle->range.to_ns / tk_current_tick_ns(handle);
}

// State of the trace at its end.
struct ending {
    uint64_t bytes, packets;
    bool head_is_wrong;
};

static tk_status end_trace(struct tk *handle, void *ctx) {
    struct ending *ending = ctx;
    if (!handle->option_tick_ns && !handle->model.tick_ns && handle->range_tick_ns > 1)
        handle->option_tick_ns = handle->range_tick_ns; // the tick length that the recording may contain later is known
                                                        // from an earlier pass
    if (handle->row_encoder) tk_row_encoder_mute(handle->row_encoder);
    tk_handle_close(handle);
    *ending = (struct ending){ tk_writer_bytes(handle->writer), tk_writer_packets(handle->writer),
                               handle->has_out && tk_writer_head_is_wrong(handle->writer) };
    if (handle->alloc.failed) return TK_NO_MEMORY;
    return tk_writer_refused(handle->writer) ? TK_SINK_REFUSED : TK_OK;
}

// Detaches the closed trace; the model continues without it.
static void forget_trace(struct tk *handle, const struct ending *ending) {
    handle->range_tail = (struct tk_range_tail){ 0, true, ending->bytes, ending->packets };
    handle->writer = NULL;
    handle->track_sink = tk_ignoring_sink();
    if (handle->row_encoder) tk_rows_keep_only(handle);
    if (ending->head_is_wrong) tk_diag_count(&handle->diag, TK_DIAG_TICK_LATE, NULL);
}

TK_COLD void tk_range_tail_close(struct tk *handle) {
    struct ending ending;
    handle->range_tail.events_after_range = 0;
    tk_status status = tk_with_rollback(handle, end_trace, &ending);
    if (status == TK_NO_MEMORY) tk_handle_fail(handle, status, "out of memory");
    if (status == TK_SINK_REFUSED) tk_handle_fail(handle, status, "the output could not be written");
    if (status == TK_OK) forget_trace(handle, &ending);
}

uint64_t tk_trace_bytes(const struct tk *handle) {
    return handle->writer ? tk_writer_bytes(handle->writer) : handle->range_tail.bytes;
}

uint64_t tk_trace_packets(const struct tk *handle) {
    return handle->writer ? tk_writer_packets(handle->writer) : handle->range_tail.packets;
}
