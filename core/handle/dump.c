// SPDX-License-Identifier: MIT
//
// Connects a dump to the handle: the decoder's frames and records, and the events before the model.
#include "handle.h"

#include <string.h>

static void on_frame(void *ctx, const struct tk_decode_frame *frame) {
    struct tk_input *input = ctx;
    tk_dump_frame(&input->handle->dump, input->name, frame->offset, frame->number, frame->raw, frame->raw_len,
                  frame->payload, frame->payload_len, frame->verdict);
}

static void on_record(void *ctx, const struct tk_event *event, unsigned record) {
    struct tk_input *input = ctx;
    const struct tk_record_names *names = input->kind->names;
    const struct tk_dump_filter *filter = input->handle->dump.filter;
    const char *name = names->name ? names->name(record) : event->str;
    size_t len = names->name ? strlen(name) : event->str_len;
    if (filter && !tk_dump_filter_takes_record(filter, name, len)) return;
    tk_dump_record(&input->handle->dump, input->name, event, name, len, names->fields ? names->fields(record) : "");
}

static bool append_lines(void *ctx, const char *text, size_t len) {
    tk_dump_lines(ctx, text, len);
    return true;
}

static void on_vendor_lines(void *ctx, const struct tk_event *event, unsigned record) {
    struct tk_input *input = ctx;
    const struct tk_vendor_printer *original = input->kind->names->original;
    struct tk_alloc *alloc = &input->handle->alloc;
    struct tk_out out;
    if (!original) return;
    if (!input->original) input->original = tk_alloc_zero(alloc, original->size);
    if (!input->original) return;
    tk_out_init(&out, append_lines, &input->handle->dump);
    original->print(input->original, alloc, event, record, &out);
    tk_out_flush(&out);
}

// Adds a line for bytes that the decoder skipped. The vendor's tools differ here or print nothing, so this line is
// Tonkopf's own.
static void on_unread(void *ctx, uint64_t offset, uint64_t len, const char *why) {
    struct tk_input *input = ctx;
    struct tk_out out;
    tk_out_init(&out, append_lines, &input->handle->dump);
    tk_out_text(&out, "--- ");
    tk_out_u64(&out, len);
    tk_out_text(&out, len == 1 ? " byte at " : " bytes at ");
    tk_out_u64(&out, offset);
    tk_out_text(&out, ": ");
    tk_out_text(&out, why);
    tk_out_char(&out, '\n');
    tk_out_flush(&out);
}

// Returns the tick length as the report shows it; 0 if times are counts.
static uint64_t known_tick_ns(const void *ctx) {
    const struct tk *handle = ctx;
    if (handle->option_tick_ns) return handle->option_tick_ns;
    return handle->model.tick_origin == TK_TICK_IS_COUNT ? 0 : handle->model.tick_ns;
}

static uint64_t units_per_ns(const void *ctx) { return tk_time_stretch(ctx); }

static void on_event(void *ctx, const struct tk_event *event) {
    struct tk *handle = ctx;
    uint64_t tick_ns = handle->option_tick_ns ? handle->option_tick_ns : handle->model.tick_ns;
    bool taken = !handle->dump.filter || tk_dump_filter_takes(handle->dump.filter, event);
    if (!taken || !tk_event_is_in_range(handle, event, tick_ns)) return;
    const char *input = event->input < handle->input_count ? handle->inputs[event->input]->name : "";
    tk_dump_event(&handle->dump, input, event, known_tick_ns(handle), units_per_ns(handle));
}

static void watch(struct tk_input *input, const struct tk_decoder *kind, struct tk_decode_host *host) {
    enum tk_dump_at stage = input->handle->dump.stage;
    host->dump_ctx = input;
    host->is_live = &input->handle->was_received;
    host->names = kind->names;
    if (stage == TK_DUMP_AT_FRAMES) host->on_frame_decoded = on_frame;
    if (stage == TK_DUMP_AT_RECORDS) host->on_record_decoded = on_record;
    if (stage == TK_DUMP_AT_VENDOR && input->role == TK_ROLE_RECORDING)
        host->on_record_decoded = on_vendor_lines, host->on_bytes_skipped = on_unread, host->names_wanted = true;
}

static bool was_refused(const struct tk *handle) { return handle->dump.refused || handle->outline.refused; }

static void choose_track_sink(struct tk *handle) {
    if (handle->dump.stage == TK_DUMP_AT_OUTLINE) handle->track_sink = tk_outline_sink(&handle->outline);
    if (handle->dump.stage == TK_DUMP_AT_TRACKS) handle->track_sink = tk_dump_track_sink(&handle->dump);
}

// ---- Jobs --------------------------------------------------------------------------------------

static void put_csv_text(struct tk_text *line, const char *text, size_t len) {
    struct tk_out out;
    tk_out_init(&out, tk_text_write, line);
    tk_out_csv(&out, text, len);
    tk_out_flush(&out);
}

// Adds a time in ns, or nothing if it is unknown.
static void put_csv_time(struct tk_text *line, bool is_known, uint64_t ticks, uint64_t tick_ns) {
    tk_text_add(line, ",");
    if (is_known) tk_text_u64(line, ticks > UINT64_MAX / tick_ns ? UINT64_MAX : ticks * tick_ns);
}

static void end_csv_line(struct tk *handle, const struct tk_text *line) {
    if (!handle->dump.refused && !handle->dump.line(handle->dump.ctx, line->text, line->len))
        handle->dump.refused = true;
}

static void put_cause(const struct tk_analysis *analysis, struct tk_text *cell, const struct tk_cause *cause,
                      uint64_t tick_ns) {
    if (cell->len) tk_text_add(cell, "; ");
    tk_text_add(cell, tk_cause_kind_name((enum tk_cause_kind)cause->kind));
    tk_text_add(cell, cause->is_least ? " at least " : " ");
    tk_text_u64(cell, cause->ticks > UINT64_MAX / tick_ns ? UINT64_MAX : cause->ticks * tick_ns);
    if (cause->who != TK_NONE) tk_text_add(cell, " by "), tk_analysis_put_task(analysis, cell, cause->who);
    if (cause->reason) tk_text_add(cell, ": "), tk_analysis_put_reason(analysis, cell, cause->reason);
}

// "preempted 430 by can; blocked 1200 by logger: lock spi bus; pending 12 others"
static void put_causes(struct tk *handle, struct tk_text *line, const struct tk_causes *causes, uint64_t tick_ns) {
    char room[(TK_CAUSES + TK_CAUSE_KINDS) * (TK_DISPLAY_LEN + TK_LABEL_LEN)];
    struct tk_text cell = tk_text_in(room, sizeof room);
    for (uint32_t i = 0; i < causes->count; i++) put_cause(handle->analysis, &cell, &causes->list[i], tick_ns);
    for (unsigned kind = 0; kind < TK_CAUSE_KINDS; kind++) {
        struct tk_cause others = { .ticks = causes->others[kind], .who = TK_NONE, .kind = (uint8_t)kind };
        if (!others.ticks) continue;
        put_cause(handle->analysis, &cell, &others, tick_ns);
        tk_text_add(&cell, " others");
    }
    put_csv_text(line, cell.text, cell.len);
}

static void on_job(void *ctx, const struct tk_job *job, const struct tk_causes *causes) {
    struct tk *handle = ctx;
    struct tk_text *line = &handle->dump.text;
    bool is_ns = known_tick_ns(handle) > 0;
    uint64_t ns = is_ns ? known_tick_ns(handle) : 1;
    bool is_measured = job->state == TK_JOB_MEASURED;
    char room[TK_DISPLAY_LEN];
    size_t len;
    const char *name = tk_names_text(&handle->model.timeline.names, job->entity, room, &len);
    tk_text_shorten(line, 0);
    put_csv_text(line, name, len);
    put_csv_time(line, job->has_release, job->release, ns);
    put_csv_time(line, job->has_start, job->start, ns);
    put_csv_time(line, true, job->end, ns);
    put_csv_time(line, is_measured, tk_job_response(job), ns);
    put_csv_time(line, is_measured, tk_job_pending(job), ns);
    put_csv_time(line, is_measured, tk_job_gross(job), ns);
    put_csv_time(line, is_measured, tk_job_net(job), ns);
    put_csv_time(line, is_measured, job->interrupted, ns);
    put_csv_time(line, is_measured, job->preempted, ns);
    put_csv_time(line, is_measured, job->blocked, ns);
    put_csv_time(line, is_measured, job->room, ns);
    put_csv_time(line, is_measured, job->waited, ns);
    put_csv_time(line, job->has_period, job->period, ns);
    tk_text_add(line, ",");
    tk_text_add(line, tk_job_state_name((enum tk_job_state)job->state));
    tk_text_add(line, ",");
    if (is_measured) put_causes(handle, line, causes, ns);
    tk_text_add(line, is_ns ? ",ns" : ",ticks");
    end_csv_line(handle, line);
}

static void listen_to_jobs(struct tk *handle) {
    if (handle->dump.stage != TK_DUMP_AT_JOBS) return;
    struct tk_text *line = &handle->dump.text;
    tk_text_shorten(line, 0);
    tk_text_add(line, "task,release,start,end,rt,ipt,get,cet,int,pre,blk,room,wait,period,state,causes,time_unit");
    end_csv_line(handle, line);
    tk_analysis_listen(handle->analysis, &(struct tk_job_listener){ handle, on_job });
}

tk_status tk_set_dump(tk *handle, tk_dump_stage stage, bool json, tk_line_fn line, void *ctx) {
    static const struct tk_dump_hooks dumping = { watch, choose_track_sink, listen_to_jobs, was_refused };
    if (handle->status != TK_OK) return handle->status;
    if (handle->started || handle->has_out || handle->dumping)
        return tk_handle_misuse(handle, "set one output only, before the first byte");
    if (stage == TK_DUMP_VENDOR && json) return tk_handle_misuse(handle, "the vendor's format has no JSON form");
    if (stage == TK_DUMP_JOBS && json) return tk_handle_misuse(handle, "jobs have no JSON form");
    handle->dump = (struct tk_dump){
        .stage = (enum tk_dump_at)stage, .json = json, .line = line, .ctx = ctx, .text = tk_text_growing(&handle->alloc)
    };
    handle->outline = (struct tk_outline){ .alloc = &handle->alloc,
                                           .json = json,
                                           .line = line,
                                           .ctx = ctx,
                                           .tick_units = known_tick_ns,
                                           .units_per_ns = units_per_ns,
                                           .tick_ctx = handle,
                                           .text = tk_text_growing(&handle->alloc) };
    handle->dumping = &dumping;
    handle->event_seen = stage == TK_DUMP_EVENTS ? on_event : NULL;
    handle->event_ctx = handle;
    handle->watched |= handle->event_seen != NULL;
    handle->intercepts |= handle->watched;
    return TK_OK;
}

static void write_to_dump(struct tk *handle) { handle->range.out = tk_dump_track_sink(&handle->dump); }

tk_status tk_dump_range(struct tk *handle, tk_line_fn line, void *ctx) {
    if (handle->status != TK_OK) return handle->status;
    if (!handle->has_range || handle->range.inside || handle->dumping)
        return tk_handle_misuse(handle, "a time range becomes a dump before it begins");
    handle->dump = (struct tk_dump){
        .stage = TK_DUMP_AT_TRACKS, .json = true, .line = line, .ctx = ctx, .text = tk_text_growing(&handle->alloc)
    };
    handle->redirect = write_to_dump;
    if (handle->started) write_to_dump(handle);
    return TK_OK;
}

// ---- Filter ------------------------------------------------------------------------------------

static tk_status refuse(tk *handle, const char *key, const char *value, const char *what) {
    handle->error[0] = 0;
    strncat(handle->error, key, 20);
    strncat(handle->error, " ", sizeof handle->error - 1 - strlen(handle->error));
    strncat(handle->error, value, 100);
    strncat(handle->error, what, sizeof handle->error - 1 - strlen(handle->error));
    return TK_MISUSE;
}

static bool is_event(const char *name) {
    for (int kind = 0; kind < TK_EV_COUNT; kind++)
        if (!strcmp(tk_event_title((enum tk_event_kind)kind), name)) return true;
    return false;
}

tk_status tk_dump_only(tk *handle, const char *key, const char *value) {
    static const char *const keys[] = {
        [TK_DUMP_ONLY_EVENT] = "event", [TK_DUMP_ONLY_CORE] = "core", [TK_DUMP_ONLY_TASK] = "task"
    };
    if (handle->status != TK_OK) return handle->status;
    if (handle->started || !handle->dumping)
        return tk_handle_misuse(handle, "tk_dump_only must follow tk_set_dump, before the first byte");
    int only = 0;
    while (only < TK_DUMP_ONLY_KEYS && strcmp(keys[only], key)) only++;
    bool records = handle->dump.stage == TK_DUMP_AT_RECORDS && only == TK_DUMP_ONLY_EVENT;
    if (only == TK_DUMP_ONLY_KEYS || (handle->dump.stage != TK_DUMP_AT_EVENTS && !records))
        return refuse(handle, key, value, ": this stage has no such filter");
    if (only == TK_DUMP_ONLY_EVENT && !records && !is_event(value))
        return refuse(handle, key, value, ": unknown event; use the names that a dump prints");
    if (!handle->dump.filter) handle->dump.filter = tk_alloc_zero(&handle->alloc, sizeof *handle->dump.filter);
    if (!handle->dump.filter) return TK_NO_MEMORY;
    return tk_dump_filter_add(handle->dump.filter, (enum tk_dump_only)only, value)
               ? TK_OK
               : refuse(handle, key, value,
                        only == TK_DUMP_ONLY_CORE ? ": not a core number"
                                                  : ": the value is too long, or there are too many values");
}
