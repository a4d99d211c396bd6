// SPDX-License-Identifier: MIT
//
// Makes a trace of the bytes fed so far: finishes the handle, then restores its bytes.
#include <string.h>

#include "handle.h"

tk_status tk_check_state(struct tk *handle) {
    if (handle->status != TK_OK) return handle->status;
    return handle->dumping || handle->finished
               ? tk_handle_misuse(handle, "a dump or a finished conversion has no state to copy")
               : TK_OK;
}

tk_status tk_with_rollback(struct tk *handle, tk_status (*work)(struct tk *handle, void *ctx), void *ctx) {
    const struct tk_allocator allocator = { handle->alloc.realloc, handle->alloc.ctx };
    struct tk *before = allocator.realloc(allocator.ctx, NULL, 0, sizeof *before);
    tk_status status = TK_NO_MEMORY;
    if (!before) return status;
    memcpy(before, handle, sizeof *before);
    if (tk_alloc_savepoint(&handle->alloc)) {
        status = work(handle, ctx);
        tk_alloc_rollback(&handle->alloc);
        memcpy(handle, before, sizeof *before);
    }
    allocator.realloc(allocator.ctx, before, sizeof *before, 0);
    return status;
}

static tk_status finish_to(struct tk *handle, void *ctx) {
    const struct tk_sink *sink = ctx;
    const struct tk_byte_sink out = { sink->ctx, sink->write, sink->rewrite_head };
    handle->out = *sink;
    handle->has_out = true;
    if (handle->writer) tk_writer_set_output(handle->writer, &out);
    if (handle->row_encoder) tk_row_encoder_mute(handle->row_encoder);
    return tk_finish(handle);
}

tk_status tk_snapshot(tk *handle, const struct tk_sink *sink) {
    struct tk_sink out = *sink;
    tk_status status = tk_check_state(handle);
    return status == TK_OK ? tk_with_rollback(handle, finish_to, &out) : status;
}
