// SPDX-License-Identifier: MIT
//
// The handle's side of a dump.
#include "handle.h"

static void on_frame(void *ctx, const struct tk_decode_frame *frame) {
    struct tk_input *input = ctx;
    tk_dump_frame(&input->handle->dump, frame->offset, frame->number, frame->raw, frame->raw_len, frame->payload, frame->payload_len, frame->verdict);
}

static void on_record(void *ctx, const struct tk_event *event, unsigned record) {
    struct tk_input *input = ctx;
    const struct tk_record_names *names = tk_record_names_of(input->kind->format);
    tk_dump_record(&input->handle->dump, event, names->name(record), names->fields ? names->fields(record) : "");
}

static void on_event(void *ctx, const struct tk_event *event) {
    struct tk *handle = ctx;
    tk_dump_event(&handle->dump, event, handle->option_tick_ns ? handle->option_tick_ns : handle->model.tick_ns);
}

static void watch(struct tk_input *input, struct tk_decode_host *host) {
    enum tk_dump_at stage = input->handle->dump.stage;
    host->dump_ctx = input;
    if (stage == TK_DUMP_AT_FRAMES) host->frame_seen = on_frame;
    if (stage == TK_DUMP_AT_RECORDS) host->record_seen = on_record;
}

static void choose_track_sink(struct tk *handle) {
    if (handle->dump.stage == TK_DUMP_AT_TRACKS) handle->track_sink = tk_dump_track_sink(&handle->dump);
}

tk_status tk_set_dump(tk *handle, tk_dump_stage stage, bool json, tk_line_fn line, void *ctx) {
    static const struct tk_dumping dumping = { watch, choose_track_sink, tk_dump_deinit };
    if (handle->status != TK_OK) return handle->status;
    if (handle->started || handle->has_out) return tk_handle_misuse(handle, "one output, before the first byte");
    handle->dump = (struct tk_dump){ .stage = (enum tk_dump_at)stage, .json = json, .line = line, .ctx = ctx, .alloc = &handle->alloc };
    handle->dumping = &dumping;
    handle->event_seen = stage == TK_DUMP_EVENTS ? on_event : NULL;
    handle->event_ctx = handle;
    return TK_OK;
}
