// SPDX-License-Identifier: MIT
//
// Converts the recordings one after the other: sets options, adds inputs, finds the tick length if needed, feeds the
// bytes, ends the trace and evaluates the settings fail-on and expect.
#include <string.h>

#include "conversion.h"
#include "handle/handle.h"
#include "report/report.h"
#include "report/time_basis.h"
#include "rules/judge.h"

enum { PROGRESS_EVERY = 1024 * 1024 };

static const struct tk_plan_input *plan_of(const struct tk_conversion *conversion, uint32_t number) {
    return &conversion->plan[conversion->run.inputs[number].input];
}

static const struct tk_conv_input *first_of(const struct tk_conversion *conversion) {
    return &conversion->inputs[conversion->run.inputs[conversion->run.side_count].input];
}

static struct tk_conv_source *source_of(struct tk_conversion *conversion, uint32_t number) {
    return &conversion->sources[conversion->inputs[conversion->run.inputs[number].input].source];
}

// Returns a handle by number: the one of the figures, then the one of the trace; NULL after the last one.
static tk *handle_at(const struct tk_run *run, unsigned number) {
    return number == 0 ? run->handle : number == 1 ? run->trace : NULL;
}

// Adds a message about the recording. Its text is the pieces.
static void report(struct tk_conversion *conversion, tk_message_severity severity, tk_exit_code exit_code,
                   const char *piece, const char *more, const char *last) {
    const struct tk_conv_input *first = first_of(conversion);
    tk_conv_message(conversion, severity, exit_code, first->source, first->name, piece, more, last, NULL);
}

// ---- Ending one pass ----

static void close_pass(struct tk_conversion *conversion) {
    struct tk_run *run = &conversion->run;
    tk_report_free(run->report);
    for (uint32_t i = 0; i < run->count; i++) {
        tk_reader_free(run->inputs[i].reader);
        run->inputs[i].reader = NULL;
    }
    tk *handle;
    for (unsigned i = 0; (handle = handle_at(run, i)); i++) tk_free(handle);
    run->handle = run->trace = NULL;
    run->report = NULL;
}

void tk_run_release(struct tk_conversion *conversion) {
    close_pass(conversion);
    tk_carry_free(&conversion->run.out, &conversion->alloc);
    tk_carry_free(&conversion->run.head, &conversion->alloc);
}

static void go_to_next(struct tk_conversion *conversion) {
    tk_run_release(conversion);
    conversion->run = (struct tk_run){ .group = conversion->run.group + 1 };
}

// Ends this recording without an output.
static void discard(struct tk_conversion *conversion) {
    bool was_opened = conversion->run.is_opened;
    uint32_t output = conversion->run.group;
    go_to_next(conversion);
    if (!was_opened) return;
    tk_conv_request(conversion, TK_REQUEST_DISCARD)->output = output;
}

// Ends this recording with an error.
static void refuse(struct tk_conversion *conversion, tk_exit_code exit_code, const char *text) {
    report(conversion, TK_MESSAGE_ERROR, exit_code, text, "", "");
    discard(conversion);
}

void tk_run_out_of_memory(struct tk_conversion *conversion) {
    struct tk_run *run = &conversion->run;
    conversion->alloc.failed = false;
    if (run->step < TK_RUN_FEED) {
        refuse(conversion, TK_EXIT_INPUT, "out of memory");
        return;
    }
    if (!run->out_of_memory && !run->is_tick_pass)
        report(conversion, TK_MESSAGE_ERROR, TK_EXIT_INPUT, "out of memory", "", "");
    run->out_of_memory = run->is_ended = true; // the output ends here
}

// ---- Preparing ----

static void choose_inputs(struct tk_conversion *conversion) {
    struct tk_run *run = &conversion->run;
    uint32_t count = conversion->input_count;
    run->count = 0;
    for (uint32_t i = 0; i < count; i++)
        if (tk_plan_serves(conversion->plan, count, i, run->group) && run->count < TK_MAX_INPUTS)
            run->inputs[run->count++] = (struct tk_run_input){ .input = i };
    run->side_count = run->count;
    for (int is_beside = 0; is_beside <= 1; is_beside++) // packets beside a recording follow it
        for (uint32_t i = 0; i < count; i++)
            if (conversion->plan[i].out_group == run->group && conversion->plan[i].out_beside == is_beside &&
                run->count < TK_MAX_INPUTS)
                run->inputs[run->count++] = (struct tk_run_input){ .input = i };
}

static bool is_range(const char *key) {
    const char *name = strncmp(key, "figures-", 8) ? key : key + 8;
    return !strcmp(name, "from-ns") || !strcmp(name, "to-ns");
}

static bool has_range(const struct tk_conversion *conversion) {
    for (const struct tk_conv_setting *setting = conversion->settings; setting; setting = setting->next)
        if (is_range(setting->key)) return true;
    return false;
}

// The exit code after a handle refused something.
static tk_exit_code refused(tk_status status) { return status == TK_NO_MEMORY ? TK_EXIT_INPUT : TK_EXIT_USAGE; }

static bool set_option(struct tk_conversion *conversion, tk *handle, const char *key, const char *value) {
    tk_status status = tk_set_option(handle, key, value);
    if (status == TK_OK) return true;
    tk_conv_message(conversion, TK_MESSAGE_ERROR, refused(status), 0, NULL, tk_error_text(handle), NULL);
    return false;
}

static tk_status set_number(tk *handle, const char *key, uint64_t value, const char *unit) {
    char room[40];
    struct tk_text text = tk_text_in(room, sizeof room);
    tk_text_u64(&text, value);
    tk_text_add(&text, unit);
    return tk_set_option(handle, key, room);
}

// Sets an option of the time range. The range limits the trace, and the time that the figures of a report cover.
static bool set_range_option(struct tk_conversion *conversion, tk *handle, const char *key, const char *value) {
    const struct tk_run *run = &conversion->run;
    bool is_of_figures = conversion->output == TK_OUTPUT_REPORT || (run->trace && handle == run->handle);
    if (run->is_tick_pass) return true;
    if (is_of_figures && !strcmp(key, "from-ns")) key = "figures-from-ns";
    if (is_of_figures && !strcmp(key, "to-ns")) key = "figures-to-ns";
    return set_option(conversion, handle, key, value);
}

// Returns true for the rate of a clock that is not that of this recording but of the packets that carry it.
static bool is_rate_of_carrier(const struct tk_conversion *conversion, const char *key) {
    const struct tk_conv_input *first = first_of(conversion);
    bool is_rate = !strcmp(key, "clock-hz") || !strcmp(key, "tick-ns");
    // Of a line that is live only the recording is converted. It has a rate of its own.
    if (is_rate && first->carried_count && first->carried[first->carried_count - 1].kind == TK_CARRIER_ITM &&
        first->probe.names_tick)
        return true;
    for (uint32_t i = 0; is_rate && i < conversion->input_count; i++)
        if (conversion->plan[i].out_group != TK_NO_GROUP && tk_conv_carries(&conversion->inputs[i], first)) return true;
    return false;
}

// Returns true if the format of the recording takes an option, or that of the packets beside it.
static bool takes(const struct tk_conversion *conversion, const char *format, const char *key) {
    const struct tk_run *run = &conversion->run;
    bool is_taken = tk_format_takes(format, key);
    for (uint32_t i = run->side_count; i < run->count && !is_taken; i++)
        is_taken = plan_of(conversion, i)->out_beside && tk_format_takes(plan_of(conversion, i)->out_format, key);
    return is_taken;
}

static bool set_options(struct tk_conversion *conversion, tk *handle, const char *format) {
    bool ok = set_option(conversion, handle, "format", format);
    for (const struct tk_conv_setting *setting = conversion->settings; ok && setting; setting = setting->next) {
        bool is_taken = !setting->is_own && strcmp(setting->key, "format") && takes(conversion, format, setting->key) &&
                        !is_rate_of_carrier(conversion, setting->key);
        if (is_range(setting->key)) ok = set_range_option(conversion, handle, setting->key, setting->value);
        else if (is_taken) ok = set_option(conversion, handle, setting->key, setting->value);
    }
    return ok;
}

// Omits the ports that carry recordings of other formats from the numbers of an ITM, up to the length of an option.
static bool omit_ports(struct tk_conversion *conversion, tk *handle, uint32_t number) {
    static const char key[] = "omit-ports";
    const struct tk_run_input *run_input = &conversion->run.inputs[number];
    const struct tk_conv_input *input = &conversion->inputs[run_input->input];
    char room[TK_OPTION_LEN];
    struct tk_text list = tk_text_in(room, sizeof room);
    if (tk_conv_setting(conversion, key) || !tk_format_takes(plan_of(conversion, number)->out_format, key)) return true;
    for (uint32_t i = 0; i < conversion->input_count; i++) {
        const struct tk_conv_input *other = &conversion->inputs[i];
        if (!tk_conv_carries(input, other) || list.len + sizeof ",255" > sizeof room) continue;
        if (list.len) tk_text_char(&list, ',');
        tk_text_u64(&list, other->carried[input->carried_count].number);
    }
    return !list.len || set_option(conversion, handle, key, list.text);
}

// Puts the packets that carry the recording into its trace.
static tk_status set_beside(const struct tk_conversion *conversion, tk *handle, uint32_t number) {
    const struct tk_run *run = &conversion->run;
    const struct tk_plan_input *plan = plan_of(conversion, number);
    const struct tk_conv_input *input = &conversion->inputs[run->inputs[number].input],
                               *inner = &conversion->inputs[plan->carries - 1];
    char room[48];
    const char *rate = tk_conv_setting(conversion, "clock-hz"), *tick = tk_conv_setting(conversion, "tick-ns");
    struct tk_text text = tk_text_in(room, sizeof room);
    if (!rate) tk_text_add(&text, "1000000000/"), tk_text_add(&text, tick);
    return tk_set_beside(handle, number, plan->out_format, inner->carried[input->carried_count].number,
                         rate ? rate : room);
}

static bool add_inputs(struct tk_conversion *conversion, tk *handle) {
    struct tk_run *run = &conversion->run;
    for (uint32_t i = 0; i < run->count; i++) {
        const struct tk_conv_input *input = &conversion->inputs[run->inputs[i].input];
        const struct tk_plan_input *plan = plan_of(conversion, i);
        uint32_t number;
        struct tk_input_info info = { input->name, plan->out_role, i < run->side_count ? -1 : plan->out_core };
        tk_status status = tk_add_input(handle, &info, &number);
        if (status == TK_OK && input->probe.is_dump) status = tk_begin_input_at(handle, number, input->probe.from);
        if (status == TK_OK) {
            handle->inputs[number]->core_guessed = plan->out_core_guessed;
            handle->inputs[number]->numbers_cores = input->probe.is_part && plan->out_core < 0;
            if (i >= run->side_count && !omit_ports(conversion, handle, i)) return false;
            if (plan->out_beside) status = set_beside(conversion, handle, i);
            if (status == TK_OK) continue;
        }
        tk_conv_message(conversion, TK_MESSAGE_ERROR, refused(status), input->source, input->name,
                        tk_error_text(handle), NULL);
        return false;
    }
    return true;
}

// Returns the first input of this recording whose source can be read only once, or of which the host could not make a
// copy; run->count: none.
static uint32_t find_read_once(struct tk_conversion *conversion) {
    uint32_t i = 0;
    for (; i < conversion->run.count; i++) {
        const struct tk_conv_source *source = source_of(conversion, i);
        if (!source->info.is_seekable || source->is_unreadable) break;
    }
    return i;
}

static bool has_rules(const struct tk_conversion *conversion) {
    return tk_conv_setting(conversion, "fail-on") || tk_conv_setting(conversion, "expect");
}

// Returns true if the host sets the time range of the trace later.
static bool has_later_range(const struct tk_conversion *conversion) {
    return conversion->output == TK_OUTPUT_TRACE && tk_conv_setting(conversion, "range");
}

// Returns true if figures of the time range are needed, because the settings fail-on and expect apply to the content of
// the trace.
static bool needs_figures_of_range(const struct tk_conversion *conversion) {
    return conversion->output == TK_OUTPUT_TRACE && has_range(conversion) && !has_later_range(conversion) &&
           (has_rules(conversion) || tk_conv_setting(conversion, "figures"));
}

// Returns the tick length for the time range; 0: the handle knows it. otherwise: the value if only the whole recording
// contains it.
static uint64_t range_tick(const struct tk_conversion *conversion, uint64_t otherwise) {
    const struct tk_run *run = &conversion->run;
    if (tk_conv_setting(conversion, "tick-ns") || tk_conv_setting(conversion, "clock-hz")) return 0;
    for (uint32_t i = run->side_count; i < run->count; i++) {
        const struct tk_probe *probe = &conversion->inputs[run->inputs[i].input].probe;
        if (probe->names_tick) return probe->tick_ns;
    }
    return otherwise;
}

// Returns the tick length that the time range needs; 0: none. If no head contains it, turns this pass into one that
// reads the whole recording to find it.
static uint64_t find_tick(struct tk_conversion *conversion) {
    struct tk_run *run = &conversion->run;
    run->is_tick_pass = false;
    if (run->has_tick) return run->tick_ns;
    if (!has_range(conversion) || has_later_range(conversion)) return 0;
    uint64_t tick = range_tick(conversion, UINT64_MAX);
    run->is_tick_pass = tick == UINT64_MAX;
    return run->is_tick_pass ? 0 : tick;
}

static bool can_set_range(const struct tk_conversion *conversion) {
    const struct tk_run *run = &conversion->run;
    return run->step >= TK_RUN_OPEN && run->step <= TK_RUN_FEED && has_later_range(conversion);
}

tk_status tk_conversion_set_range(tk_conversion *conversion, uint64_t tick_ns, uint64_t from_ns, uint64_t to_ns) {
    struct tk_run *run = &conversion->run;
    if (!can_set_range(conversion)) return TK_MISUSE;
    uint64_t tick = range_tick(conversion, tick_ns);
    tk_status status = tick ? set_number(run->handle, "range-tick-ns", tick, "") : TK_OK;
    if (status == TK_OK) status = set_number(run->handle, "from-ns", from_ns, " trace-ns");
    if (status == TK_OK) status = set_number(run->handle, "to-ns", to_ns, " trace-ns");
    run->ends_when_complete = status == TK_OK;
    return status;
}

static bool prepare(struct tk_conversion *conversion, tk *handle, uint64_t tick_ns) {
    const char *format = plan_of(conversion, conversion->run.side_count)->out_format;
    if (has_later_range(conversion) && !set_option(conversion, handle, "from-ns", "9223372036854775807"))
        return false; // the time range contains no event
    if (tick_ns && set_number(handle, "range-tick-ns", tick_ns, "") != TK_OK) return false;
    return set_options(conversion, handle, format ? format : "auto") && add_inputs(conversion, handle);
}

// Returns false if a source cannot be copied: a live source may never end, and an earlier recording may have consumed
// it.
static bool can_keep(struct tk_conversion *conversion) {
    for (uint32_t i = 0; i < conversion->run.count; i++) {
        const struct tk_conv_source *source = source_of(conversion, i);
        if (!source->info.is_seekable && (source->info.is_live || !source->once)) return false;
    }
    return true;
}

static void begin(struct tk_conversion *conversion) {
    struct tk_run *run = &conversion->run;
    choose_inputs(conversion);
    uint64_t tick_ns = find_tick(conversion);
    if (run->is_tick_pass && !can_keep(conversion)) {
        refuse(conversion, TK_EXIT_USAGE,
               "the tick length is not in its first bytes, and a live source cannot be read twice, so the time range "
               "cannot be found; set the tick length, or put it into a file");
        return;
    }
    if (run->is_tick_pass && find_read_once(conversion) < run->count) {
        run->step = TK_RUN_KEEP;
        return;
    }
    bool has_two = needs_figures_of_range(conversion) && !run->is_tick_pass, ok = true;
    tk *handle;
    if (tk_new(&conversion->allocator, &run->handle) != TK_OK ||
        (has_two && tk_new(&conversion->allocator, &run->trace) != TK_OK)) {
        conversion->alloc.failed = true;
        return;
    }
    for (unsigned i = 0; ok && (handle = handle_at(run, i)); i++) ok = prepare(conversion, handle, tick_ns);
    if (ok) run->step = run->is_tick_pass ? TK_RUN_SYMBOLS : TK_RUN_ASK;
    else discard(conversion);
}

// Copies the sources that can be read only once, because the recording is read twice.
static void keep(struct tk_conversion *conversion) {
    struct tk_run *run = &conversion->run;
    uint32_t number = find_read_once(conversion);
    if (number == run->count) {
        run->step = TK_RUN_BEGIN;
        return;
    }
    struct tk_conv_source *source = source_of(conversion, number);
    struct tk_reader *reader = source->once;
    if (source->is_unreadable) { // the host has no space for a copy
        discard(conversion);
    } else if (tk_conv_keep(conversion, reader)) {
        tk_conv_note_damage(conversion, source->info.name, reader);
        tk_reader_free(reader);
    }
}

// ---- Outputs ----

static bool write_bytes(void *ctx, const uint8_t *bytes, size_t len) {
    struct tk_conversion *conversion = ctx;
    if (conversion->run.is_refused) return false;
    return tk_carry_add(&conversion->run.out, &conversion->alloc, bytes, len);
}

static bool rewrite_head(void *ctx, const uint8_t *bytes, size_t len) {
    struct tk_conversion *conversion = ctx;
    tk_carry_cut(&conversion->run.head, 0);
    return tk_carry_add(&conversion->run.head, &conversion->alloc, bytes, len);
}

static bool write_text(void *ctx, const char *text, size_t len) { return write_bytes(ctx, (const uint8_t *)text, len); }

// Writes the trace, unless the time range is a dump.
static bool write_trace(void *ctx, const uint8_t *bytes, size_t len) {
    return ((struct tk_conversion *)ctx)->run.is_dump || write_bytes(ctx, bytes, len);
}

static bool write_line(void *ctx, const char *line, size_t len) {
    return write_text(ctx, line, len) && write_text(ctx, "\n", 1);
}

tk_status tk_conversion_set_dump(tk_conversion *conversion) {
    struct tk_run *run = &conversion->run;
    if (!can_set_range(conversion)) return TK_MISUSE;
    tk_status status = tk_dump_range(run->handle, write_line, conversion);
    run->is_dump |= status == TK_OK;
    return status;
}

static const struct tk_format_info *format_of(const struct tk_conversion *conversion) {
    const char *format = plan_of(conversion, conversion->run.side_count)->out_format;
    const struct tk_decoder *decoder = format ? tk_decoder_named(format) : NULL;
    return decoder ? decoder->info : NULL;
}

static bool is_filter(const char *key) { return !strcmp(key, "event") || !strcmp(key, "task") || !strcmp(key, "core"); }

static bool has_filter(const struct tk_conversion *conversion) {
    const struct tk_conv_setting *setting = conversion->settings;
    while (setting && !is_filter(setting->key)) setting = setting->next;
    return setting != NULL;
}

static tk_dump_stage stage_of(const struct tk_conversion *conversion) {
    const char *stage = tk_conv_setting(conversion, "stage");
    const struct tk_format_info *format = format_of(conversion);
    if (tk_conv_setting(conversion, "like")) return TK_DUMP_VENDOR;
    if (stage && strcmp(stage, "auto")) return (tk_dump_stage)tk_choice(TK_STAGES, stage);
    return format && format->is_outlined && !has_filter(conversion) ? TK_DUMP_OUTLINE : TK_DUMP_EVENTS;
}

static tk_status open_dump(struct tk_conversion *conversion) {
    tk *handle = conversion->run.handle;
    const char *json = tk_conv_setting(conversion, "json");
    tk_dump_stage stage = stage_of(conversion);
    const struct tk_format_info *format = format_of(conversion);
    if (stage == TK_DUMP_VENDOR && !(format && format->has_vendor_dump))
        return tk_handle_misuse(handle, "like=original prints call traces and QS recordings; this is neither");
    tk_status status = tk_set_dump(handle, stage, json && strcmp(json, "0") != 0, write_line, conversion);
    for (const struct tk_conv_setting *setting = conversion->settings; setting && status == TK_OK;
         setting = setting->next)
        if (is_filter(setting->key)) status = tk_dump_only(handle, setting->key, setting->value);
    return status;
}

static void open_output(struct tk_conversion *conversion) {
    struct tk_run *run = &conversion->run;
    tk_status status = TK_OK;
    if (!run->is_opened) {
        go_to_next(conversion);
        return;
    }
    const char *signal = tk_conv_setting(conversion, "signal");
    const struct tk_sink sink = { conversion, write_trace, run->can_rewrite ? rewrite_head : NULL };
    if (conversion->output == TK_OUTPUT_TRACE) status = tk_set_sink(run->trace ? run->trace : run->handle, &sink);
    if (conversion->output == TK_OUTPUT_DUMP) status = open_dump(conversion);
    if (conversion->output == TK_OUTPUT_SAMPLES)
        status = tk_set_samples(run->handle, signal ? signal : "", write_text, conversion);
    if (conversion->output == TK_OUTPUT_TRACE && conversion->has_timeline && status == TK_OK)
        status = tk_set_timeline(run->handle, &conversion->timeline);
    run->step = TK_RUN_SYMBOLS;
    if (status == TK_OK) return;
    refuse(conversion, refused(status), tk_error_text(run->handle));
}

// Passes the output of the handle to the host. Returns false if there is none.
static bool show_output(struct tk_conversion *conversion) {
    struct tk_run *run = &conversion->run;
    uint32_t len = tk_carry_len(&run->out);
    if (!len) return false;
    struct tk_request *request = tk_conv_request(conversion, TK_REQUEST_WRITE);
    request->bytes = tk_carry_bytes(&run->out);
    request->len = len;
    tk_carry_cut(&run->out, 0); // the bytes stay valid until more are added
    return true;
}

// ---- Feeding ----

// Returns true for a program if the host can seek in it: then only the requested ranges are read.
static bool is_read_by_ranges(struct tk_conversion *conversion, uint32_t number) {
    const struct tk_conv_input *input = &conversion->inputs[conversion->run.inputs[number].input];
    const struct tk_conv_source *source = source_of(conversion, number);
    return plan_of(conversion, number)->out_role == TK_ROLE_SYMBOLS && source->info.is_seekable &&
           source->info.size != UINT64_MAX && input->member < 0 && input->encoding == TK_ENCODING_BINARY &&
           !input->is_gzip;
}

void tk_run_answer(struct tk_conversion *conversion, const uint8_t *bytes, size_t len) {
    struct tk_run *run = &conversion->run;
    tk *handle;
    for (unsigned i = 0; (handle = handle_at(run, i)); i++)
        if (tk_feed_range(handle, run->symbols_at, len ? bytes : (const uint8_t *)"", len) != TK_OK)
            run->is_ended = true;
}

static void open_reader(struct tk_conversion *conversion, uint32_t number) {
    struct tk_run_input *item = &conversion->run.inputs[number];
    const struct tk_conv_input *input = &conversion->inputs[item->input];
    struct tk_conv_source *source = &conversion->sources[input->source];
    item->reader = source->once ? source->once : tk_conv_open_reader(conversion, input->source, input->member, true);
    source->once = NULL;
    if (!item->reader) return;
    tk_conv_wrap_input(item->reader, input);
    item->reader->is_text_known = source->info.is_live && input->probe.format;
}

// Returns false when the file of symbols needs no further range. Both handles need the same ranges.
static bool wants_range(struct tk_run *run, uint64_t size, size_t *out_len) {
    uint64_t offset;
    size_t len;
    if (run->is_ended) return false;
    if (run->trace) (void)tk_wanted_range(run->trace, run->symbols_at, size, &offset, &len);
    return tk_wanted_range(run->handle, run->symbols_at, size, &run->range_offset, out_len);
}

static void end_on_both(struct tk_run *run, uint32_t number) {
    tk *handle;
    for (unsigned i = 0; (handle = handle_at(run, i)); i++)
        if (tk_end_input(handle, number) != TK_OK) run->is_ended = true;
}

static void read_symbols(struct tk_conversion *conversion) {
    struct tk_run *run = &conversion->run;
    for (; run->symbols_at < run->side_count; run->symbols_at++) {
        uint64_t size = source_of(conversion, run->symbols_at)->info.size;
        size_t len;
        if (!is_read_by_ranges(conversion, run->symbols_at)) continue;
        if (wants_range(run, size, &len)) {
            tk_conv_need_range(conversion, conversion->inputs[run->inputs[run->symbols_at].input].source,
                               run->range_offset, len);
            return;
        }
        run->inputs[run->symbols_at].ended = true;
        end_on_both(run, run->symbols_at);
    }
    for (uint32_t i = 0; i < run->count; i++)
        if (!run->inputs[i].ended) open_reader(conversion, i);
    if (!conversion->alloc.failed) run->step = TK_RUN_FEED;
}

// Returns the input to feed next; run->count: all have ended.
static uint32_t choose(const struct tk_run *run) {
    int32_t wanted = tk_wanted_input(run->handle);
    if (wanted >= 0 && !run->inputs[wanted].ended) return (uint32_t)wanted;
    uint32_t first = 0;
    while (first < run->count && run->inputs[first].ended) first++;
    return first;
}

static void end_input(struct tk_conversion *conversion, uint32_t number) {
    struct tk_run_input *item = &conversion->run.inputs[number];
    item->ended = true;
    tk_conv_note_damage(conversion, conversion->inputs[item->input].name, item->reader);
    end_on_both(&conversion->run, number);
}

// Notes when bytes were received, because formats without times use that.
static void note_arrival(struct tk_run *run, uint32_t number) {
    bool is_only = run->count == run->side_count + 1 && number == run->side_count;
    uint64_t ns = run->inputs[number].reader->piece_ns;
    tk *handle;
    for (unsigned i = 0; is_only && ns && (handle = handle_at(run, i)); i++)
        if (tk_received(handle, number, ns) != TK_OK) run->is_ended = true;
}

// Feeds both handles. They decode and merge alike, so they consume the same bytes. The trace needs no bytes after its
// time range.
static tk_status feed_both(struct tk_run *run, uint32_t number, struct tk_piece *piece) {
    size_t len;
    tk_status status = tk_feed(run->handle, number, piece->bytes, piece->len, &len);
    bool has_two = run->trace && !run->trace->range_tail.is_complete;
    for (size_t at = 0, step; has_two && status == TK_OK && at < len; at += step) {
        status = tk_feed(run->trace, number, piece->bytes + at, len - at, &step);
        if (status == TK_OK && !step) return tk_handle_fail(run->trace, TK_MISUSE, "the two handles differ");
    }
    piece->bytes += len;
    piece->len -= len;
    run->fed += len;
    return status;
}

static void feed(struct tk_conversion *conversion) {
    struct tk_run *run = &conversion->run;
    if (show_output(conversion)) return;
    if (run->fed - run->progress_at >= PROGRESS_EVERY) {
        run->progress_at = run->fed;
        tk_conv_request(conversion, TK_REQUEST_PROGRESS);
        return;
    }
    run->is_complete = run->ends_when_complete && run->handle->range_tail.is_complete;
    uint32_t number = run->is_ended || run->is_complete ? run->count : choose(run);
    if (number == run->count) {
        run->step = TK_RUN_FINISH;
        return;
    }
    struct tk_run_input *item = &run->inputs[number];
    if (!item->piece.len) {
        enum tk_reader_result result = tk_reader_next(item->reader, &item->piece);
        if (result == TK_READER_NEEDS) tk_conv_need(conversion, item->reader);
        if (result == TK_READER_END && !conversion->alloc.failed) end_input(conversion, number);
        if (result != TK_READER_BYTES) return;
        note_arrival(run, number);
    }
    if (!run->is_ended && feed_both(run, number, &item->piece) != TK_OK) run->is_ended = true;
}

// ---- The end ----

static void report_text(struct tk_conversion *conversion, uint32_t number) {
    const struct tk_run_input *item = &conversion->run.inputs[number];
    const struct tk_encoding_result *result = &item->reader->text_result;
    struct tk_conv_source *source = source_of(conversion, number);
    bool is_first = !source->text_reported && !conversion->inputs[item->input].block;
    if (!item->reader->has_text) return;
    if (is_first && result->bad_text[0])
        tk_conv_message(conversion, TK_MESSAGE_WARNING, TK_EXIT_FINE, item->reader->source, source->info.name,
                        result->bad_text, NULL);
    if (is_first && result->blocks > 1 && !source->info.is_seekable)
        tk_conv_message(conversion, TK_MESSAGE_WARNING, TK_EXIT_FINE, item->reader->source, source->info.name,
                        "only the first block of the text was read; put it into a file to read all", NULL);
    source->text_reported |= is_first;
    if (result->bad)
        tk_handle_note_reading(conversion->run.handle, number, TK_DIAG_TEXT_DIGITS, result->bad, result->bad_line);
    else if (result->bad_text[0])
        tk_handle_note_reading(conversion->run.handle, number, TK_DIAG_TEXT_INCOMPLETE, 0, result->bad_line);
}

static bool is_first_of_source(const struct tk_run *run, const struct tk_conversion *conversion, uint32_t number) {
    uint32_t source = conversion->inputs[run->inputs[number].input].source, i = 0;
    while (conversion->inputs[run->inputs[i].input].source != source) i++;
    return i == number;
}

// Adds the problems of reading, unpacking and decoding a source to the report of its recording.
static void report_reading(struct tk_conversion *conversion) {
    struct tk_run *run = &conversion->run;
    for (uint32_t i = 0; i < run->count; i++) {
        const struct tk_conv_input *input = &conversion->inputs[run->inputs[i].input];
        const struct tk_conv_source *source = source_of(conversion, i);
        const struct tk_reader *reader = run->inputs[i].reader;
        bool is_packed_damaged = (reader && reader->damage[0]) || input->damage[0];
        if (is_packed_damaged)
            tk_handle_note_reading(run->handle, i, TK_DIAG_GZIP_CUT, reader ? reader->damage_at : 0, 0);
        if (input->member >= 0 && tk_conv_archive_problem(source)[0] && is_first_of_source(run, conversion, i))
            tk_handle_note_reading(run->handle, i, TK_DIAG_ARCHIVE_DAMAGED, 0, 0);
        else if (source->damage_reported && !is_packed_damaged && source->is_kept)
            tk_handle_note_reading(run->handle, i, TK_DIAG_GZIP_CUT, 0, 0);
        if (source->read_failed) tk_handle_note_reading(run->handle, i, TK_DIAG_READ_FAILED, source->failed_at, 0);
        if (reader) report_text(conversion, i);
    }
    if (run->out_of_memory) tk_handle_note_reading(run->handle, run->side_count, TK_DIAG_OUT_OF_MEMORY, 0, 0);
}

static uint64_t line_of(void *ctx, uint32_t input, uint64_t offset) {
    const struct tk_run_input *item = &((const struct tk_conversion *)ctx)->run.inputs[input];
    return item->reader ? tk_reader_line(item->reader, offset) : 0;
}

static void end_refused(struct tk_conversion *conversion) {
    if (conversion->run.is_quiet_refusal && has_rules(conversion))
        report(conversion, TK_MESSAGE_ERROR, TK_EXIT_OUTPUT,
               "the reader of the output closed it before the end, so Tonkopf could not check the rules (expect, "
               "fail-on)",
               "", "");
    discard(conversion);
}

// ---- The verdict ----

static bool has_any(const tk_report *figures, const char *column) {
    uint64_t count;
    return tk_report_number(figures, "events", 0, column, &count) && count;
}

static bool matches(const struct tk_diag_info *info, const char *word) {
    if (!strcmp(word, "any")) return info->severity != TK_SEVERITY_INFO;
    return !strcmp(word, tk_severity_name(info->severity)) || !strcmp(word, info->name);
}

// Returns the name of the input that has the problem; NULL: none has.
static const char *find_trouble(const struct tk_conversion *conversion, const tk_report *figures, const char *word) {
    const struct tk_run *run = &conversion->run;
    const char *first = first_of(conversion)->name;
    if (!strcmp(word, "drops") && has_any(figures, "lost")) return first;
    if (!strcmp(word, "restarts") && has_any(figures, "restarts")) return first;
    for (unsigned rank = 0; rank < TK_SEVERITIES; rank++) {
        enum tk_severity severity = tk_diag_severity_at(&run->handle->diag, rank);
        for (int id = 0; id < TK_DIAG_COUNT; id++) {
            const struct tk_diag_info *info = tk_diag_info((enum tk_diag_id)id);
            const struct tk_diag_entry *entry = &run->handle->diag.entries[id];
            if (!entry->count || info->severity != severity || !matches(info, word)) continue;
            const struct tk_diag_location *place = entry->location_count ? &entry->locations[0] : NULL;
            bool has_input = place && (place->has_offset || place->has_input) && place->input < run->count;
            return has_input ? conversion->inputs[run->inputs[place->input].input].name : first;
        }
    }
    return NULL;
}

static void add_verdict(struct tk_conversion *conversion, const struct tk_conv_setting *setting, tk_expectation result,
                        const char *text) {
    struct tk_text rule = tk_text_growing(&conversion->alloc);
    tk_text_add(&rule, setting->key);
    tk_text_add(&rule, " ");
    tk_text_add(&rule, setting->value);
    if (tk_report_add_verdict(conversion->run.report, rule.text ? rule.text : "", tk_verdict_words[result], text) !=
        TK_OK)
        conversion->alloc.failed = true;
    tk_alloc_free(&conversion->alloc, rule.text, rule.capacity);
}

static void judge_problem(struct tk_conversion *conversion, const struct tk_conv_setting *setting, bool has_times) {
    const char *name = find_trouble(conversion, conversion->run.report, setting->value);
    char room[400];
    struct tk_text text = tk_text_in(room, sizeof room);
    if (name) {
        tk_text_add(&text, name);
        tk_text_add(&text, " has ");
        tk_text_add(&text, setting->value);
        tk_conv_message(conversion, TK_MESSAGE_ERROR, TK_EXIT_PROBLEMS, first_of(conversion)->source, name, "has ",
                        setting->value, ", and fail-on ", setting->value, " was given", NULL);
    } else if (!has_times) {
        tk_text_add(&text, "no event has a time");
    }
    add_verdict(conversion, setting, name ? TK_EXPECT_FAIL : has_times ? TK_EXPECT_PASS : TK_EXPECT_UNMEASURED, room);
}

static void judge_figure(struct tk_conversion *conversion, const struct tk_conv_setting *setting) {
    struct tk_verdict verdict;
    tk_judge_text(conversion->run.report, setting->value, &verdict);
    add_verdict(conversion, setting, verdict.verdict, verdict.text);
    bool holds = verdict.verdict == TK_EXPECT_PASS;
    if (holds && !verdict.text[0]) return;
    const struct tk_conv_input *first = first_of(conversion);
    tk_conv_message(conversion, holds ? TK_MESSAGE_INFO : TK_MESSAGE_ERROR,
                    holds                                  ? TK_EXIT_FINE
                    : verdict.verdict == TK_EXPECT_INVALID ? TK_EXIT_USAGE
                                                           : TK_EXIT_PROBLEMS,
                    first->source, first->name, "expect ", setting->value, ": ", verdict.text, NULL);
}

static void judge(struct tk_conversion *conversion) {
    bool has_times = has_any(conversion->run.report, "timed");
    const struct tk_conv_setting *setting;
    for (setting = conversion->settings; setting; setting = setting->next)
        if (!strcmp(setting->key, "expect")) judge_figure(conversion, setting);
    for (setting = conversion->settings; setting; setting = setting->next)
        if (!strcmp(setting->key, "fail-on")) judge_problem(conversion, setting, has_times);
    if (tk_conv_setting(conversion, "fail-on") && !has_times)
        report(conversion, TK_MESSAGE_ERROR, TK_EXIT_PROBLEMS,
               "has no event with a time, so fail-on has nothing to judge", "", "");
}

// Warns about one end of the time range: it leaves nothing, or is a time where the recording has counts only.
static void check_limit(struct tk_conversion *conversion, const char *key, bool is_start) {
    const tk *handle = conversion->run.handle;
    const tk_report *figures = conversion->run.report;
    const char *value = tk_conv_setting(conversion, key), *unit = tk_report_time_unit(figures);
    bool is_of_figures = handle->figures.is_set;
    const struct tk_limit *limit = &handle->limits[(is_of_figures ? TK_LIMIT_FIGURES_FROM : TK_LIMIT_FROM) + !is_start];
    uint64_t from = is_of_figures ? handle->figures.from_ns : handle->range.from_ns,
             to = is_of_figures ? handle->figures.to_ns : handle->range.to_ns, per_ns = tk_time_units_per_ns(unit),
             time;
    char room[200];
    struct tk_text text = tk_text_in(room, sizeof room);
    if (!value) return;
    const char *begin = is_start ? "the time range begins at " : "the time range ends at ";
    if (!per_ns && limit->unit == TK_LIMIT_NS && (limit->number || limit->fs)) {
        tk_text_add(&text, ", but the times of this recording are ");
        tk_text_add(&text, unit);
        tk_text_add(&text, " of unknown length; use a number of them, such as 700");
        tk_text_add(&text, unit);
        report(conversion, TK_MESSAGE_WARNING, TK_EXIT_FINE, begin, value, room);
    }
    tk_report_number(figures, "time", 0, is_start ? "last" : "first", &time);
    uint64_t trace_ns = per_ns ? time : tk_saturated_product(time, handle->limits_tick_ns);
    if (is_start ? from <= trace_ns : to >= trace_ns) return;
    text = tk_text_in(room, sizeof room);
    tk_text_add(&text, is_start ? ", after the end of the recording, " : ", before the first event, ");
    if (per_ns) tk_time_put_seconds(&text, time, per_ns);
    else tk_text_u64(&text, time);
    tk_text_char(&text, ' ');
    tk_text_add(&text, per_ns ? "s" : unit);
    tk_text_add(&text, "; nothing is left");
    report(conversion, TK_MESSAGE_WARNING, TK_EXIT_FINE, begin, value, room);
}

tk_status tk_conversion_report(tk_conversion *conversion, tk_report **out_report) {
    struct tk_run *run = &conversion->run;
    *out_report = run->report;
    run->report = NULL;
    if (*out_report) return TK_OK;
    return run->handle ? tk_report_new(run->handle, &conversion->allocator, out_report) : TK_MISUSE;
}

// Evaluates the rules and checks the time range, for both of which it makes the report.
static void check(struct tk_conversion *conversion) {
    if (!has_rules(conversion) && !has_range(conversion)) return;
    if (tk_report_new(conversion->run.handle, &conversion->allocator, &conversion->run.report) != TK_OK) {
        report(conversion, TK_MESSAGE_ERROR, TK_EXIT_INPUT, "out of memory", "", "");
        return;
    }
    judge(conversion);
    check_limit(conversion, "from-ns", true);
    check_limit(conversion, "to-ns", false);
}

static void report_no_signal(struct tk_conversion *conversion) {
    const struct tk_conv_input *first = first_of(conversion);
    const char *signal = tk_conv_setting(conversion, "signal");
    tk_conv_message(conversion, TK_MESSAGE_ERROR, TK_EXIT_USAGE, first->source, first->name, "signal ",
                    signal ? signal : "", ": ", tk_error_text(conversion->run.handle), NULL);
}

static void begin_again(struct tk_conversion *conversion) {
    struct tk_run *run = &conversion->run;
    close_pass(conversion);
    *run = (struct tk_run){ .group = run->group, .has_tick = true, .tick_ns = run->tick_ns };
}

static tk_status finish_both(struct tk_run *run) {
    tk_status status = tk_finish(run->handle);
    if (!run->trace || run->trace->range_tail.is_complete) return status;
    tk_status of_trace = tk_finish(run->trace);
    return status == TK_OK ? of_trace : status;
}

static const char *error_of(const struct tk_run *run) {
    const char *text = tk_error_text(run->handle);
    return text[0] || !run->trace ? text : tk_error_text(run->trace);
}

static void finish(struct tk_conversion *conversion) {
    struct tk_run *run = &conversion->run;
    if (show_output(conversion)) return;
    if (!run->handle->finished && !run->is_complete) {
        tk_status status = finish_both(run);
        if (run->is_tick_pass) {
            run->tick_ns = status == TK_OK ? tk_current_tick_ns(run->handle) : 0;
            begin_again(conversion);
            return;
        }
        if (status == TK_OK && conversion->output == TK_OUTPUT_SAMPLES && tk_end_samples(run->handle) != TK_OK)
            report_no_signal(conversion);
        bool is_reported = status == TK_NO_MEMORY && run->out_of_memory;
        if (status == TK_NO_MEMORY) run->out_of_memory = true;
        if (!is_reported && (status == TK_NO_MEMORY || status == TK_MISUSE || status == TK_UNKNOWN_FORMAT))
            report(conversion, TK_MESSAGE_ERROR, TK_EXIT_INPUT, error_of(run), "", "");
        if (status == TK_MISUSE || status == TK_UNKNOWN_FORMAT) {
            discard(conversion);
            return;
        }
        run->handle->line_of = line_of;
        run->handle->line_ctx = conversion;
        report_reading(conversion);
        if (show_output(conversion)) return;
    }
    if (run->is_refused) {
        end_refused(conversion);
        return;
    }
    if (tk_carry_len(&run->head)) {
        struct tk_request *request = tk_conv_request(conversion, TK_REQUEST_REWRITE);
        request->bytes = tk_carry_bytes(&run->head);
        request->len = tk_carry_len(&run->head);
        tk_carry_cut(&run->head, 0);
        return;
    }
    if (!run->out_of_memory && !run->ends_when_complete) check(conversion);
    run->step = TK_RUN_CLOSE;
    tk_conv_request(conversion, TK_REQUEST_CLOSE);
}

static void ask(struct tk_conversion *conversion) {
    const struct tk_conv_input *first = first_of(conversion);
    struct tk_request *request = tk_conv_request(conversion, TK_REQUEST_OPEN);
    conversion->run.step = TK_RUN_OPEN;
    request->source = first->source;
    request->text = first->name;
}

void tk_run_step(struct tk_conversion *conversion) {
    struct tk_run *run = &conversion->run;
    switch (run->step) {
    case TK_RUN_BEGIN: begin(conversion); break;
    case TK_RUN_KEEP: keep(conversion); break;
    case TK_RUN_ASK: ask(conversion); break;
    case TK_RUN_OPEN: open_output(conversion); break;
    case TK_RUN_SYMBOLS: read_symbols(conversion); break;
    case TK_RUN_FEED: feed(conversion); break;
    case TK_RUN_FINISH: finish(conversion); break;
    case TK_RUN_CLOSE: go_to_next(conversion); break;
    }
}
