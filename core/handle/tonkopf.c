// SPDX-License-Identifier: MIT
//
// Owns the handle and connects the stages: bytes -> decoder -> pipeline.c -> model -> writer.
#include "tonkopf.h"

#include <string.h>

#include "handle.h"
#include "lookup/symbols.h"
#include "report/content.h"

const char *tk_fail_on_word(size_t index) {
    static const char *const words[] = { "drops", "damage", "loss", "notice", "restarts", "any" };
    enum { WORDS = sizeof words / sizeof *words };
    if (index < WORDS) return words[index];
    return index < WORDS + TK_DIAG_COUNT ? tk_diag_info((enum tk_diag_id)(index - WORDS))->name : NULL;
}

const char *tk_version(void) { return TK_VERSION; }

const char *tk_status_text(tk_status status) {
    static const char *const texts[] = {
        [TK_OK] = "no error",
        [TK_NO_MEMORY] = "out of memory",
        [TK_SINK_REFUSED] = "the output could not be written",
        [TK_MISUSE] = "the library was called in a way it does not allow",
        [TK_UNKNOWN_FORMAT] = "the input is not a recording that Tonkopf knows",
        [TK_OTHER_SCHEMA] = "the report has another version of the schema; make it again from the recording",
    };
    return (size_t)status < sizeof texts / sizeof *texts ? texts[status] : "unknown status";
}

tk_status tk_handle_fail(struct tk *handle, tk_status status, const char *text) {
    if (handle->status != TK_OK) return handle->status;
    handle->status = status;
    handle->error[0] = 0;
    strncat(handle->error, text, sizeof handle->error - 1);
    return status;
}

void tk_handle_note_reading(struct tk *handle, uint32_t input, enum tk_diag_id id, uint64_t number, uint64_t line) {
    const struct tk_source_pos place = { .input = input, .has_input = true, .line = line };
    if (number) tk_diag_note(&handle->diag, id, &place, number);
    else tk_diag_count(&handle->diag, id, &place);
}

tk_status tk_handle_misuse(struct tk *handle, const char *text) {
    handle->error[0] = 0;
    strncat(handle->error, text, sizeof handle->error - 1);
    return TK_MISUSE;
}

// Returns the first failure of a stage as the status of the handle.
static tk_status collect(struct tk *handle) {
    if (handle->alloc.failed) return tk_handle_fail(handle, TK_NO_MEMORY, "out of memory");
    if ((handle->writer && tk_writer_refused(handle->writer)) ||
        (handle->row_encoder && tk_row_encoder_refused(handle->row_encoder)) ||
        (handle->dumping && handle->dumping->was_refused(handle)))
        return tk_handle_fail(handle, TK_SINK_REFUSED, "the output could not be written");
    return handle->status;
}

// ---- Probe -------------------------------------------------------------------------------------

static bool is_padding(const uint8_t *bytes, size_t len) {
    for (size_t i = 0; i < len; i++)
        if (bytes[i] != bytes[0]) return false;
    return len && (bytes[0] == 0x00 || bytes[0] == 0xFF);
}

static bool probe_symbols(const uint8_t *head, size_t head_len, struct tk_probe *out_probe) {
    enum tk_symbols_kind kind = tk_symbols_probe(head, head_len);
    if (kind == TK_SYMBOLS_NONE) return false;
    *out_probe = (struct tk_probe){ .looked = head_len, .content = TK_CONTENT_SYMBOLS };
    struct tk_text reason = tk_text_in(out_probe->reason, sizeof out_probe->reason);
    tk_text_add(&reason, kind == TK_SYMBOLS_ELF ? "This is the firmware (" : "This is a linker's output (");
    tk_text_add(&reason, tk_symbols_kind_name(kind));
    tk_text_add(&reason, "): add it to a recording to show names for its addresses.");
    return true;
}

static bool probe_times(const uint8_t *head, size_t head_len, struct tk_probe *out_probe) {
    if (!tk_times_is_text(head, head_len)) return false;
    *out_probe = (struct tk_probe){ .looked = head_len, .content = TK_CONTENT_TIMES };
    struct tk_text reason = tk_text_in(out_probe->reason, sizeof out_probe->reason);
    tk_text_add(&reason, "These are the receive times of the bytes of a recording: add them to that recording.");
    return true;
}

void tk_probe(const uint8_t *head, size_t head_len, const uint8_t *tail, size_t tail_len, struct tk_probe *out_probe) {
    struct tk_probe best = { 0 };
    char refusal[sizeof best.reason] = ""; // reason of a format that recognises the input but cannot decode it
    if (head_len > TK_PROBE_LEN) head_len = TK_PROBE_LEN;
    if (!head_len) head = (const uint8_t *)""; // head may be NULL for an empty input
    if (probe_symbols(head, head_len, out_probe) || probe_times(head, head_len, out_probe)) return;
    for (size_t i = 0; i < tk_formats_len; i++) {
        struct tk_probe probe = { .looked = head_len };
        tk_formats[i]->probe(head, head_len, tail, tail_len, &probe);
        if (probe.confidence) probe.format = tk_formats[i]->info->name;
        if (i && !probe.confidence && probe.reason[0]) memcpy(refusal, probe.reason, sizeof refusal);
        if (!i || probe.confidence > best.confidence) best = probe;
    }
    const char *content = best.format ? NULL : tk_content_sentence(head, head_len);
    if (!best.format && refusal[0]) {
        memcpy(best.reason, refusal, sizeof refusal);
        best.content = TK_CONTENT_OTHER;
    } else if (content) {
        memcpy(best.reason, content, strlen(content) + 1);
        best.content = tk_content_is_trace(head, head_len) ? TK_CONTENT_TRACE : TK_CONTENT_OTHER;
    }
    best.padding = is_padding(head, head_len);
    *out_probe = best;
}

// Limit in bytes for probing after data; after padding there is none.
static const uint64_t farthest = 64 * 1024 * 1024;

bool tk_probe_can_continue(const struct tk_probe *probe) {
    bool is_known = probe->content == TK_CONTENT_TRACE || probe->content == TK_CONTENT_SYMBOLS ||
                    probe->content == TK_CONTENT_TIMES;
    return !probe->format && !is_known && (probe->padding || probe->looked < farthest);
}

bool tk_probe_continue(const uint8_t *bytes, size_t len, struct tk_probe *probe) {
    enum { FEWEST_FRAMES = 16 }; // amid other data a few valid frames may be chance
    struct tk_probe next;
    uint64_t looked = probe->looked + len;
    bool was_padding = probe->padding;
    tk_probe(bytes, len, NULL, 0, &next);
    if (next.is_dump) next.from += probe->looked;
    if (next.format && !was_padding && next.valid < FEWEST_FRAMES) next.format = NULL, next.confidence = 0;
    if (next.format || (was_padding && !next.padding)) *probe = next;
    probe->looked = looked;
    probe->padding = was_padding && next.padding;
    return tk_probe_can_continue(probe);
}

bool tk_format_reads_text(const uint8_t *bytes, size_t len) {
    for (size_t i = 0; i < tk_formats_len; i++)
        if (tk_formats[i]->reads_text && tk_formats[i]->reads_text(bytes, len)) return true;
    return tk_symbols_probe(bytes, len) > TK_SYMBOLS_ELF || tk_times_is_text(bytes, len); // a linker map
}

// ---- Inputs ------------------------------------------------------------------------------------

static void *other_decoder(void *ctx, uint32_t index) {
    const struct tk_input *input = ctx;
    const struct tk *handle = input->handle;
    for (uint32_t i = 0; i < handle->input_count; i++) {
        const struct tk_input *other = handle->inputs[i];
        if (other != input && other->role == TK_ROLE_RECORDING && other->kind == input->kind && !index--)
            return other->decoder;
    }
    return NULL;
}

static void refuse(void *ctx) {
    const struct tk_input *input = ctx;
    tk_handle_fail(input->handle, TK_MISUSE, "the recordings are of two targets: use one handle for each");
}

static struct tk_decode_host host_of(struct tk_input *input) {
    struct tk *handle = input->handle;
    bool side = input->role != TK_ROLE_RECORDING;
    return (struct tk_decode_host){ .alloc = &handle->alloc,
                                    .diag = &handle->diag,
                                    .account = &input->account,
                                    .open_stream = tk_pipeline_open_stream,
                                    .stream_ctx = input,
                                    .defers_records = &handle->intercepts,
                                    .input = input->number,
                                    .name = input->name,
                                    .option = tk_handle_option,
                                    .option_ctx = handle,
                                    .lookup = side ? NULL : &handle->lookup,
                                    .lookup_out = side ? &input->lookup : NULL,
                                    .symbols = side ? NULL : &handle->symbols,
                                    .times = side ? NULL : &handle->times,
                                    .core = (uint8_t)(input->core < 0 ? 0 : input->core),
                                    .is_dump = input->is_dump,
                                    .from = input->from,
                                    .merged = tk_input_is_one_of_several(input),
                                    .beside = input->beside_kind ? &input->beside : NULL,
                                    .other = other_decoder,
                                    .refuse = refuse,
                                    .other_ctx = input };
}

static bool open_decoder(struct tk_input *input, const struct tk_decoder *kind) {
    struct tk *handle = input->handle;
    struct tk_decode_host host = host_of(input);
    if (handle->dumping && input->role == TK_ROLE_RECORDING) handle->dumping->watch(input, kind, &host);
    input->decoder = tk_alloc_zero(&handle->alloc, kind->size);
    if (!input->decoder) return false;
    input->kind = kind;
    return kind->init(input->decoder, &host);
}

// Fails: recordings of such a format have independent numbers and times.
static bool refuse_several(struct tk *handle) {
    tk_handle_fail(handle, TK_MISUSE, "recordings of this format cannot be joined: use one handle for each");
    return false;
}

static uint64_t known_tick_ns(const void *ctx) { return tk_time_is_known(ctx) ? tk_current_tick_ns(ctx) : 0; }

// Only recordings with tasks have an analysis; other trackers measure without one.
static void start_analysis(struct tk *handle, const struct tk_decoder *kind) {
    bool has_tasks = false;
    handle->model.host.has_analysis = !handle->has_no_analysis;
    for (const struct tk_tracker *const *at = kind->trackers; at && *at; at++)
        has_tasks |= (*at)->owner == TK_OWNER_RTOS;
    if (!has_tasks || handle->has_no_analysis) return;
    handle->analysis =
        tk_analysis_new(&handle->alloc, &handle->diag, &handle->model.timeline, &handle->model.stats.histograms);
    if (!handle->analysis) return;
    tk_analysis_set_clock(handle->analysis, &handle->model.timeline.now, known_tick_ns, handle);
    tk_deadlines_start(handle);
    handle->model.host.facts = tk_analysis_facts(handle->analysis);
    if (handle->dumping && handle->dumping->listen) handle->dumping->listen(handle);
}

// Opens packets that are beside a recording: they have tracks of their own, and nothing else.
static bool open_beside(struct tk_input *input) {
    static const struct tk_tracker *const tracks[] = { &tk_tracker_tracks, NULL };
    tk_model_need_trackers(&input->handle->model, tracks);
    return open_decoder(input, input->beside_kind);
}

// Opens a recording. The first one determines the format of all.
static bool open_recording(struct tk_input *input, const struct tk_decoder *kind) {
    struct tk *handle = input->handle;
    if (input->beside_kind) return open_beside(input);
    if (handle->opened) return open_decoder(input, kind);
    if (tk_has_several(handle) && !kind->info->joins_cores) return refuse_several(handle);
    handle->format = kind;
    handle->opened = true;
    handle->model.clock.from_zero = kind->from_zero;
    start_analysis(handle, kind);
    tk_model_need_trackers(&handle->model, kind->trackers);
    for (uint32_t i = 0; i < handle->input_count; i++)
        if (handle->inputs[i]->role != TK_ROLE_RECORDING && handle->inputs[i]->finished)
            tk_side_input_finish(handle->inputs[i]);
    return open_decoder(input, kind);
}

static bool grow_window(struct tk_input *input, size_t cap) {
    if (input->window) return true;
    input->window = tk_alloc_zero(&input->handle->alloc, cap);
    input->window_cap = input->window ? cap : 0;
    return input->window != NULL;
}

// Copies as many bytes as fit.
static size_t fill_window(struct tk_input *input, const uint8_t *bytes, size_t len) {
    if (input->window_at) {
        tk_pipeline_release_window(input);
        memmove(input->window, input->window + input->window_at, input->window_len - input->window_at);
        input->window_len -= input->window_at;
        input->window_at = 0;
    }
    size_t room = input->window_cap - input->window_len, step = len < room ? len : room;
    if (step) memcpy(input->window + input->window_len, bytes, step);
    input->window_len += step;
    return step;
}

// Recognises the bytes in the window. Returns true if they belong to a format; *out_kind is its decoder.
static bool probe_window(struct tk_input *input, const struct tk_decoder **out_kind) {
    struct tk *handle = input->handle;
    struct tk_probe probe;
    *out_kind = NULL;
    tk_probe(input->window, input->window_len, NULL, 0, &probe);
    if (input->role == TK_ROLE_RECORDING && handle->probe && !handle->probe->frames) *handle->probe = probe;
    if (probe.is_dump) input->is_dump = true, input->from = probe.from;
    *out_kind = probe.format ? tk_decoder_named(probe.format) : NULL;
    return probe.format != NULL;
}

static bool recognise_recording(struct tk_input *input) {
    struct tk *handle = input->handle;
    const struct tk_decoder *kind = input->beside_kind ? input->beside_kind : handle->format;
    if (!kind) probe_window(input, &kind);
    if (kind) return open_recording(input, kind);
    input->draining = true;
    bool others_may_tell = !input->window_len && tk_input_is_merged(input);
    if (!others_may_tell)
        tk_handle_fail(handle, TK_UNKNOWN_FORMAT,
                       input->window_len ? "the input is not a recording that Tonkopf knows" : "the input is empty");
    return false;
}

// Recognises a side input: it has its own format, or that of the recordings if its bytes show none.
static bool recognise_side(struct tk_input *input) {
    const struct tk_decoder *of_recordings = input->handle->format, *kind;
    if (!probe_window(input, &kind)) kind = of_recordings;
    if (kind && (!of_recordings || kind == of_recordings)) return open_decoder(input, kind);
    input->draining = true;
    return false;
}

static bool recognise(struct tk_input *input) {
    return input->role == TK_ROLE_RECORDING ? recognise_recording(input) : recognise_side(input);
}

// ---- The public calls --------------------------------------------------------------------------

tk_status tk_new(const struct tk_allocator *allocator, tk **out_handle) {
    struct tk *handle = allocator->realloc(allocator->ctx, NULL, 0, sizeof *handle);
    if (!handle) return TK_NO_MEMORY;
    memset(handle, 0, sizeof *handle);
    handle->alloc = (struct tk_alloc){ .realloc = allocator->realloc, .ctx = allocator->ctx };
    handle->wanted = TK_ANY_INPUT;
    handle->range.to_ns = handle->figures.to_ns = INT64_MAX;
    handle->limits[TK_LIMIT_TO] = handle->limits[TK_LIMIT_FIGURES_TO] =
        (struct tk_limit){ .number = INT64_MAX, .unit = TK_LIMIT_TRACE_NS };
    tk_diag_init(&handle->diag);
    tk_model_init(&handle->model, &handle->alloc, &handle->diag, &handle->track_sink);
    handle->probe = tk_alloc_zero(&handle->alloc, sizeof *handle->probe);
    *out_handle = handle;
    return handle->alloc.failed ? (tk_free(handle), *out_handle = NULL, TK_NO_MEMORY) : TK_OK;
}

tk_status tk_add_input(tk *handle, const struct tk_input_info *info, uint32_t *out_input) {
    if (handle->status != TK_OK) return handle->status;
    if (handle->started) return tk_handle_misuse(handle, "inputs are added before the first byte");
    if (handle->input_count == TK_MAX_INPUTS) return tk_handle_misuse(handle, "too many inputs");
    if (info->core >= TK_MAX_CORES) return tk_handle_misuse(handle, "the core number is out of range");
    if (info->role != TK_ROLE_RECORDING && info->role != TK_ROLE_NAMES && info->role != TK_ROLE_SYMBOLS &&
        info->role != TK_ROLE_TIMES)
        return tk_handle_misuse(handle, "no format uses inputs of this role");
    for (uint32_t i = 0; i < handle->input_count; i++)
        if (info->role == TK_ROLE_RECORDING && info->core >= 0 && handle->inputs[i]->role == TK_ROLE_RECORDING &&
            handle->inputs[i]->core == info->core)
            return tk_handle_misuse(handle, "two inputs for one core");
    struct tk_input *input = tk_alloc_zero(&handle->alloc, sizeof *input);
    if (!input) return collect(handle);
    input->handle = handle;
    input->role = info->role;
    input->core = info->core;
    strncat(input->name, info->name ? info->name : "", sizeof input->name - 1);
    handle->recordings += info->role == TK_ROLE_RECORDING;
    *out_input = input->number = handle->input_count;
    handle->inputs[handle->input_count++] = input;
    return TK_OK;
}

tk_status tk_set_beside(struct tk *handle, uint32_t number, const char *format, uint8_t port, const char *rate) {
    struct tk_input *input = handle->inputs[number];
    uint64_t hz, divisor;
    if (!tk_parse_rate(rate, &hz, &divisor))
        return tk_handle_misuse(handle, "clock-hz: counts per second are needed, such as 168000000 or 72000000/7");
    input->beside.clock = tk_domain_of_rate(hz, (uint32_t)divisor);
    input->beside.clock.name = "packets that carry the recording";
    input->beside.clock.is_compared = true;
    input->beside.port = port;
    input->beside_kind = tk_decoder_named(format);
    handle->beside = input;
    return TK_OK;
}

tk_status tk_begin_input_at(tk *handle, uint32_t number, uint64_t from) {
    if (handle->status != TK_OK) return handle->status;
    if (number >= handle->input_count || handle->started)
        return tk_handle_misuse(handle, "no such input, or it has begun");
    handle->inputs[number]->is_dump = true;
    handle->inputs[number]->from = from;
    return TK_OK;
}

tk_status tk_set_sink(tk *handle, const struct tk_sink *sink) {
    if (handle->status != TK_OK) return handle->status;
    if (handle->started || handle->dumping)
        return tk_handle_misuse(handle, "set one output only, before the first byte");
    handle->out = *sink;
    handle->has_out = true;
    return TK_OK;
}

static void ignore_define(void *ctx, enum tk_intern list, uint32_t id, const char *text, size_t len) {
    (void)ctx, (void)list, (void)id, (void)text, (void)len;
}
static void ignore_track(void *ctx, const struct tk_track_info *track) { (void)ctx, (void)track; }
static void ignore_task(void *ctx, const struct tk_task_info *task) { (void)ctx, (void)task; }
static void ignore_state(void *ctx, const struct tk_task_change *change) { (void)ctx, (void)change; }
static void ignore_event(void *ctx, const struct tk_track_event *event) { (void)ctx, (void)event; }
static void ignore_simple_event(void *ctx, uint64_t ticks, enum tk_track_event_type type, uint32_t track, uint64_t what,
                                uint64_t detail) {
    (void)ctx, (void)ticks, (void)type, (void)track, (void)what, (void)detail;
}
static void ignore_finish(void *ctx, const struct tk_trace_summary *summary) { (void)ctx, (void)summary; }

static bool discard(void *ctx, const uint8_t *bytes, size_t len) { return (void)ctx, (void)bytes, (void)len, true; }

static struct tk_byte_sink byte_sink_of(const struct tk *handle) {
    struct tk_byte_sink out = { NULL, discard, NULL };
    if (handle->has_out) out = (struct tk_byte_sink){ handle->out.ctx, handle->out.write, handle->out.rewrite_head };
    return out;
}

struct tk_track_sink tk_ignoring_sink(void) {
    return (struct tk_track_sink){ NULL,         ignore_define, ignore_track,        ignore_task,
                                   ignore_state, ignore_event,  ignore_simple_event, ignore_finish };
}

static void choose_output(struct tk *handle) {
    handle->track_sink = tk_ignoring_sink();
    if (handle->dumping) {
        handle->dumping->choose_track_sink(handle);
        return;
    }
    if (!handle->has_out && handle->figures.is_set) return; // only the report is used
    struct tk_byte_sink out = byte_sink_of(handle);
    handle->writer = tk_writer_new(&handle->alloc, &out);
    if (!handle->writer) return;
    tk_writer_set_tick_ns(handle->writer, handle->option_tick_ns ? handle->option_tick_ns : 1);
    handle->track_sink = tk_writer_track_sink(handle->writer);
}

// Returns the tick length so far: the user's option, then the recording, then a side input, then 1 ns.
static uint64_t named_tick_ns(const struct tk *handle) {
    return handle->option_tick_ns ? handle->option_tick_ns : handle->model.tick_ns ? handle->model.tick_ns : 1;
}

uint64_t tk_current_tick_ns(const void *ctx) {
    const struct tk *handle = ctx;
    return handle->range_tick_ns && !handle->option_tick_ns ? handle->range_tick_ns : named_tick_ns(handle);
}

static void insert_range_filter(struct tk *handle) {
    tk_time_range_init(&handle->range, &handle->alloc, &handle->track_sink);
    handle->range.tick_ns = tk_current_tick_ns;
    handle->range.tick_ctx = handle;
    handle->track_sink = tk_time_range_sink(&handle->range);
}

static void choose_track_sink(struct tk *handle) {
    choose_output(handle);
    if (handle->has_range && (handle->writer || handle->dumping)) insert_range_filter(handle);
    if (handle->redirect) handle->redirect(handle);
    if (handle->has_rows_out && !handle->dumping) tk_rows_insert(handle);
}

static tk_status start(struct tk *handle) {
    if (handle->started) return handle->status;
    handle->started = true;
    choose_track_sink(handle);
    for (uint32_t i = 0; i < handle->input_count; i++) {
        struct tk_input *input = handle->inputs[i];
        if (tk_input_is_one_of_several(input) && input->core < 0 && !input->numbers_cores)
            input->core = (int32_t)i < TK_MAX_CORES ? (int32_t)i : 0;
        if (handle->format && input->role == TK_ROLE_RECORDING && collect(handle) == TK_OK)
            open_recording(input, handle->format);
    }
    return collect(handle);
}

static int32_t first_open(const tk *handle, bool recording) {
    for (uint32_t i = 0; i < handle->input_count; i++)
        if ((handle->inputs[i]->role == TK_ROLE_RECORDING) == recording && !handle->inputs[i]->ended) return (int32_t)i;
    return TK_NO_INPUT;
}

int32_t tk_wanted_input(const tk *handle) {
    int32_t side = first_open(handle, false), recording = first_open(handle, true);
    if (side != TK_NO_INPUT) return side;
    if (recording == TK_NO_INPUT || handle->recordings > 1)
        return handle->recordings > 1 && handle->wanted != TK_ANY_INPUT ? handle->wanted : recording;
    return TK_ANY_INPUT;
}

// Collects the head until it is long enough for recognition, then decodes it.
static void feed_head(struct tk_input *input, const uint8_t *bytes, size_t len, size_t *out_consumed) {
    if (!grow_window(input, TK_WINDOW_LEN)) return;
    *out_consumed = fill_window(input, bytes, len);
    if (input->window_len < input->window_cap || !recognise(input) || tk_input_is_merged(input)) return;
    tk_pipeline_feed(input, input->window, input->window_len);
    input->window_at = input->window_len = 0;
}

tk_status tk_feed(tk *handle, uint32_t number, const uint8_t *bytes, size_t len, size_t *out_consumed) {
    *out_consumed = 0;
    if (handle->status != TK_OK) return handle->status;
    if (number >= handle->input_count || handle->inputs[number]->ended || handle->finished)
        return tk_handle_misuse(handle, "no such input, or it has ended");
    if (start(handle) != TK_OK) return handle->status;
    struct tk_input *input = handle->inputs[number];
    if (input->role == TK_ROLE_SYMBOLS) {
        tk_symbols_feed(input, bytes, len);
        input->bytes += *out_consumed = len;
        return collect(handle);
    }
    if (input->role == TK_ROLE_TIMES) {
        tk_times_read(&handle->times, &handle->alloc, bytes, len);
        input->account.decoded += len;
        input->bytes += *out_consumed = len;
        return collect(handle);
    }
    while (*out_consumed < len && !input->kind && !input->draining && handle->status == TK_OK &&
           !handle->alloc.failed) {
        size_t step = 0;
        feed_head(input, bytes + *out_consumed, len - *out_consumed, &step);
        *out_consumed += step;
        if (!step && input->window_len == input->window_cap && !input->kind) break;
    }
    if (input->draining) *out_consumed = len;
    if (input->kind && *out_consumed < len) {
        if (tk_input_is_merged(input)) {
            if (!grow_window(input, TK_WINDOW_LEN)) return collect(handle);
            *out_consumed += fill_window(input, bytes + *out_consumed, len - *out_consumed);
        } else {
            tk_pipeline_feed(input, bytes + *out_consumed, len - *out_consumed);
            *out_consumed = len;
        }
    }
    input->bytes += *out_consumed;
    if (handle->recordings > 1 && input->role == TK_ROLE_RECORDING && handle->status == TK_OK && !handle->alloc.failed)
        tk_pipeline_merge(handle);
    return collect(handle);
}

// All bytes of one piece were received at once: the last one gets the same time as the first.
tk_status tk_received(tk *handle, uint32_t number, uint64_t ns) {
    if (handle->status != TK_OK) return handle->status;
    if (number >= handle->input_count || handle->inputs[number]->role != TK_ROLE_RECORDING || handle->recordings > 1)
        return tk_handle_misuse(handle, "receive times need exactly one recording");
    uint64_t offset = handle->inputs[number]->bytes;
    if (!handle->was_received) handle->received_first = ns;
    ns = ns < handle->received_first ? 0 : ns - handle->received_first;
    if (handle->was_received && offset) tk_times_add(&handle->times, &handle->alloc, offset - 1, handle->received_last);
    tk_times_add(&handle->times, &handle->alloc, offset, ns);
    handle->received_last = ns;
    handle->was_received = true;
    return collect(handle);
}

tk_status tk_end_input(tk *handle, uint32_t number) {
    if (handle->status != TK_OK) return handle->status;
    if (number >= handle->input_count) return tk_handle_misuse(handle, "no such input");
    if (start(handle) != TK_OK) return handle->status;
    struct tk_input *input = handle->inputs[number];
    if (input->ended) return TK_OK;
    input->ended = true;
    if (input->role == TK_ROLE_SYMBOLS) tk_symbols_end(input);
    else if (input->role == TK_ROLE_TIMES) tk_times_end(&handle->times, &handle->alloc);
    else if (!input->kind && !input->draining && recognise(input) && !tk_input_is_merged(input) && input->window_len) {
        tk_pipeline_feed(input, input->window, input->window_len);
        input->window_at = input->window_len = 0;
    }
    if (!input->kind) {
        input->finished = true;
    } else if (!tk_input_is_merged(input)) {
        tk_pipeline_end(input);
    }
    if (input->role != TK_ROLE_RECORDING && handle->opened) tk_side_input_finish(input);
    if (handle->recordings > 1 && input->role == TK_ROLE_RECORDING && collect(handle) == TK_OK)
        tk_pipeline_merge(handle);
    return collect(handle);
}

// Returns the tick length so far, or less if the time of the last event would be too large.
static uint64_t bounded_tick_ns(const struct tk *handle) {
    uint64_t last = handle->model.clock.now, tick_ns = named_tick_ns(handle);
    return last && tick_ns > INT64_MAX / last ? INT64_MAX / last : tick_ns;
}

uint64_t tk_trace_tick_ns(const struct tk *handle) {
    return handle->tick_ns ? handle->tick_ns : bounded_tick_ns(handle);
}

// Sets the tick length of the trace.
static void choose_tick_length(struct tk *handle) {
    const struct tk_model *model = &handle->model;
    handle->tick_ns = bounded_tick_ns(handle);
    if (!handle->option_tick_ns && !model->tick_ns && model->clock.started)
        tk_diag_count(&handle->diag, handle->format->no_tick, NULL);
    if (handle->tick_ns < named_tick_ns(handle))
        tk_diag_note(&handle->diag, TK_DIAG_TICK_TOO_LARGE, NULL, named_tick_ns(handle));
}

// Reports a recording without events as a notice if others have some; fails if all are empty.
static void check_empty_inputs(struct tk *handle) {
    if (handle->recordings < 2) return;
    if (!handle->format) tk_handle_fail(handle, TK_UNKNOWN_FORMAT, "all inputs are empty");
    for (uint32_t i = 0; i < handle->input_count; i++) {
        const struct tk_input *input = handle->inputs[i];
        if (input->role == TK_ROLE_RECORDING && !input->account.decoded)
            tk_diag_note(&handle->diag, TK_DIAG_INPUT_EMPTY, NULL, i);
    }
}

// Returns true if all bytes were decoded, except frames that were rejected because of their time.
static bool is_intact(const struct tk_input *input) {
    for (unsigned id = 0; id < TK_DIAG_COUNT; id++) {
        bool is_damage = tk_diag_info((enum tk_diag_id)id)->severity == TK_SEVERITY_DAMAGE;
        if (is_damage && id != TK_DIAG_TIME_DAMAGED && input->account.skipped[id]) return false;
    }
    return true;
}

// Reports a clock that runs backwards only for inputs without damage, because damage explains falling times.
static void report_falling_clocks(const struct tk *handle) {
    for (uint32_t i = 0; i < handle->input_count; i++) {
        const struct tk_input *input = handle->inputs[i];
        uint32_t count = is_intact(input) ? input->stream_count : 0;
        for (uint32_t stream = 0; stream < count; stream++) tk_clock_report_falls(&input->streams[stream]->clock);
    }
}

// Names uncertain times in the title of the trace. Only the end of the recording shows that no clock rate came.
static void note_uncertain_times(struct tk *handle) {
    struct tk_timeline *tl = &handle->model.timeline;
    if (tl->note[0] || !handle->model.clock.now) return;
    struct tk_text note = tk_text_in(tl->note, sizeof tl->note);
    tk_text_add(&note, tk_time_certainty_title((uint8_t)tk_handle_time_certainty(handle)));
    if (note.len && tk_handle_are_counts(handle)) tk_text_add(&note, ": 1 tick shown as 1 ns");
}

static void finish_output(struct tk *handle) {
    struct tk_model *model = &handle->model;
    const struct tk_timeline *tl = &model->timeline;
    const char *note = tl->note[0] ? tl->note : tl->axes; // what the axis of the trace counts
    struct tk_trace_summary summary = { .tick_ns = handle->tick_ns,
                                        .lost_events = model->lost + model->lost_on_line,
                                        .last_ticks = model->clock.now,
                                        .has_wall_clock = handle->has_wall_clock,
                                        .note = note[0] ? note : NULL };
    if (handle->has_wall_clock)
        summary.wall_clock_ns = (int64_t)((uint64_t)handle->wall_clock_ns - model->stats.load.start * handle->tick_ns);
    handle->track_sink.finish(handle->track_sink.ctx, &summary);
    bool other_tick = (handle->has_range || handle->figures.is_set) && handle->range_tick_ns &&
                      !handle->option_tick_ns && handle->range_tick_ns != handle->tick_ns;
    if (handle->range.tick_changed || other_tick) tk_diag_count(&handle->diag, TK_DIAG_RANGE_SHIFTED, NULL);
    if (handle->writer && handle->has_out && tk_writer_head_is_wrong(handle->writer))
        tk_diag_count(&handle->diag, TK_DIAG_TICK_LATE, NULL);
}

void tk_handle_close(struct tk *handle) {
    choose_tick_length(handle);
    if (handle->model.clock.started && handle->format->sends_names) tk_model_check_names(&handle->model);
    note_uncertain_times(handle);
    tk_model_finish(&handle->model, tk_has_several(handle), handle->tick_ns);
    finish_output(handle);
}

tk_status tk_finish(tk *handle) {
    if (handle->finished) return handle->status;
    if (handle->status == TK_OK && start(handle) == TK_OK)
        for (uint32_t i = 0; i < handle->input_count && handle->status == TK_OK; i++) {
            tk_status status = tk_end_input(handle, i);
            if (status != TK_OK) break;
        }
    if (handle->status == TK_OK) check_empty_inputs(handle), report_falling_clocks(handle);
    tk_options_report_unused(handle);
    tk_symbols_report(handle);
    handle->finished = true;
    if (!handle->started || !handle->track_sink.finish) return handle->status;
    tk_stats_range_end(handle);
    tk_handle_close(handle);
    return collect(handle);
}

void tk_get_progress(const tk *handle, struct tk_progress *out_progress) {
    const struct tk_range_omitted *out = &handle->range.left_out;
    *out_progress =
        (struct tk_progress){ .events = tk_stats_event_count(&handle->model.stats),
                              .bytes_out = tk_trace_bytes(handle),
                              .skipped_until_ticks = handle->range.seen_until,
                              .is_complete = handle->range_tail.is_complete,
                              .left_out = { out->states, out->slices, out->instants, out->values, out->arguments } };
    for (uint32_t i = 0; i < handle->input_count; i++) out_progress->bytes_in += handle->inputs[i]->bytes;
}

void tk_get_account(const tk *handle, uint32_t number, struct tk_account_sums *out_sums) {
    *out_sums = (struct tk_account_sums){ 0 };
    if (number >= handle->input_count) return;
    const struct tk_input *input = handle->inputs[number];
    *out_sums = (struct tk_account_sums){ input->bytes, input->account.decoded, tk_account_skipped(&input->account),
                                          input->account.left };
    // Not recognised, not at its end, or stopped by a fatal error: the unread bytes count as left over.
    bool is_read = input->kind || input->role == TK_ROLE_SYMBOLS || input->role == TK_ROLE_TIMES;
    if (!is_read || !input->finished || handle->status != TK_OK)
        out_sums->left = out_sums->fed - out_sums->decoded - out_sums->skipped;
}

const char *tk_error_text(const tk *handle) { return handle->error; }

void tk_free(tk *handle) {
    if (!handle) return;
    struct tk_alloc alloc = handle->alloc;
    tk_alloc_free_all(&alloc);
    alloc.realloc(alloc.ctx, handle, sizeof *handle, 0);
}
