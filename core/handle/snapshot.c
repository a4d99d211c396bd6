// SPDX-License-Identifier: MIT
//
// A trace of what came so far: that of a copy that is finished at once.
#include "handle.h"

static bool reads_symbols(const struct tk *handle) {
    for (uint32_t i = 0; i < handle->input_count; i++)
        if (handle->inputs[i]->reader) return true;
    return false;
}

tk_status tk_check_state(struct tk *handle) {
    if (handle->status != TK_OK) return handle->status;
    bool has_none = handle->dumping || handle->finished || reads_symbols(handle);
    return has_none ? tk_handle_misuse(handle, "a dump has no state, nor has what reads symbols or has ended") : TK_OK;
}

static tk_status finish(struct tk *copy, void *ctx) { return (void)ctx, tk_finish(copy); }

tk_status tk_snapshot(tk *handle, const struct tk_sink *sink) {
    tk_status status = tk_check_state(handle);
    return status == TK_OK ? tk_with_copy(handle, sink, finish, NULL) : status;
}
