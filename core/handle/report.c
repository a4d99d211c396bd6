// SPDX-License-Identifier: MIT
//
// Writes the tables of a report.
#include <string.h>

#include "handle.h"
#include "report/explain.h"
#include "report/report.h"
#include "initial_view.h"

// ---- Format and inputs ----

static const char *mode_of(const struct tk *handle) {
    const char *mode = "";
    for (uint32_t i = 0; i < handle->input_count; i++) {
        const struct tk_input *input = handle->inputs[i];
        if (!input->kind || !input->kind->mode || input->role != TK_ROLE_RECORDING) continue;
        const char *own = input->kind->mode(input->decoder);
        if (!*mode || strlen(own) != strlen(mode) || !strcmp(own, "free-rtos")) mode = own;
    }
    return mode;
}

static const struct tk_column format_columns[] = {
    { "name", "Name", TK_COLUMN_NAME, TK_ROLE_HIDDEN, NULL, TK_FOLD_NONE },
    { "title", "Format", TK_COLUMN_TEXT, TK_ROLE_VALUE, NULL, TK_FOLD_NONE },
    { "mode", "Mode", TK_COLUMN_TEXT, TK_ROLE_VALUE, NULL, TK_FOLD_NONE },
};
static const struct tk_table format_table = {
    "format",         "Format", TK_TABLE_COLUMNS(format_columns),
    TK_TABLE_FIGURES, NULL,     "The format of the recording. All texts are empty when no format was recognised."
};

static void put_format(const struct tk *handle, const struct tk_table_sink *sink) {
    tk_table_begin(sink, &format_table);
    tk_cell_word(sink, handle->format ? handle->format->info->name : "");
    tk_cell_word(sink, handle->format ? handle->format->info->title : "");
    tk_cell_word(sink, mode_of(handle));
    tk_table_end(sink);
}

static void put_input(const struct tk *handle, const struct tk_table_sink *sink, uint32_t index) {
    const struct tk_input *input = handle->inputs[index];
    struct tk_account_sums sums;
    tk_get_account(handle, index, &sums);
    tk_cell_word(sink, input->name);
    tk_cell_word(sink, input->role == TK_ROLE_NAMES     ? "names"
                       : input->role == TK_ROLE_SYMBOLS ? "symbols"
                       : input->role == TK_ROLE_TIMES   ? "times"
                                                        : "recording");
    tk_cell_uint(sink, input->bytes);
    tk_cell_uint(sink, sums.decoded);
    tk_cell_uint(sink, sums.skipped);
    tk_cell_uint(sink, sums.left);
    tk_cell_uint(sink, input->kind ? input->kind->frames(input->decoder) : 0);
    tk_cell_word(sink, input->kind ? input->kind->info->pieces : "");
    tk_cell_uint_if(sink, input->core >= 0, (uint64_t)input->core);
}

static const struct tk_column inputs_columns[] = {
    { "name", "Input", TK_COLUMN_NAME, TK_ROLE_VALUE, NULL, TK_FOLD_NONE },
    { "role", "Role", TK_COLUMN_TEXT, TK_ROLE_NOTE, NULL, TK_FOLD_NONE },
    { "bytes", "Bytes", TK_COLUMN_COUNT, TK_ROLE_VALUE, NULL, TK_FOLD_NONE },
    { "decoded", "Decoded", TK_COLUMN_COUNT, TK_ROLE_VALUE, NULL, TK_FOLD_NONE },
    { "skipped", "Skipped", TK_COLUMN_COUNT, TK_ROLE_VALUE, NULL, TK_FOLD_NONE },
    { "left", "Left over", TK_COLUMN_COUNT, TK_ROLE_VALUE, NULL, TK_FOLD_NONE },
    { "frames", "Count", TK_COLUMN_COUNT, TK_ROLE_VALUE, NULL, TK_FOLD_NONE },
    { "pieces", "Of", TK_COLUMN_TEXT, TK_ROLE_NOTE, NULL, TK_FOLD_NONE },
    { "core", "Core", TK_COLUMN_NUMBER, TK_ROLE_VALUE, NULL, TK_FOLD_NONE },
};
static const struct tk_table inputs_table = {
    "inputs",
    "Inputs",
    TK_TABLE_COLUMNS(inputs_columns),
    TK_TABLE_LIST,
    NULL,
    "The inputs in the given order, and how many of their bytes were decoded, skipped and left over."
};

static void put_inputs(const struct tk *handle, const struct tk_table_sink *sink) {
    tk_table_begin(sink, &inputs_table);
    for (uint32_t i = 0; i < handle->input_count; i++) put_input(handle, sink, i);
    tk_table_end(sink);
}

static const struct tk_column facts_columns[] = {
    { "input", "Input", TK_COLUMN_NAME, TK_ROLE_VALUE, NULL, TK_FOLD_NONE },
    { "input_number", "Number of the input", TK_COLUMN_NUMBER, TK_ROLE_HIDDEN, NULL, TK_FOLD_NONE },
    { "fact", "Fact", TK_COLUMN_TEXT, TK_ROLE_VALUE, NULL, TK_FOLD_NONE },
};
static const struct tk_table facts_table = { "facts",
                                             "About the target and how it was read",
                                             TK_TABLE_COLUMNS(facts_columns),
                                             TK_TABLE_PROSE,
                                             NULL,
                                             "Sentences about the target, or about how an input was read." };

static void put_fact(const struct tk_input *input, const struct tk_table_sink *sink, const char *fact) {
    tk_cell_word(sink, input->name);
    tk_cell_uint(sink, input->number);
    tk_cell_word(sink, fact);
}

// Writes facts about packets beside the recording.
static void put_beside(const struct tk_input *input, const struct tk_table_sink *sink) {
    char room[TK_SUMMARY_LEN];
    struct tk_text text = tk_text_in(room, sizeof room);
    if (!input->is_unplaced && input->stream_count && input->streams[0]->batch.domain.placed) {
        tk_text_add(&text, "The packets are shown beside the recording in port ");
        tk_text_u64(&text, input->beside.port);
        tk_text_add(&text, ". Their times assume that the target sent the first events of the recording at once.");
        put_fact(input, sink, room);
    }
    if (!input->omitted) return;
    text = tk_text_in(room, sizeof room);
    tk_text_count(&text, input->omitted, "events");
    tk_text_add(&text, input->is_unplaced ? " are not shown: it is unknown when the recording arrived"
                                          : " before the start of the recording are not shown");
    put_fact(input, sink, room);
}

static void put_summary(const struct tk *handle, const struct tk_table_sink *sink) {
    char summary_line[TK_SUMMARY_LEN];
    tk_table_begin(sink, &facts_table);
    for (uint32_t i = 0; i < handle->input_count; i++) {
        const struct tk_input *input = handle->inputs[i];
        for (uint32_t n = 0;
             input->kind && input->kind->summary_line && input->kind->summary_line(input->decoder, n, summary_line);
             n++)
            put_fact(input, sink, summary_line);
        if (input->core_guessed) put_fact(input, sink, "the core of this file is guessed from the order of the files");
        if (input->kind && input->beside_kind) put_beside(input, sink);
    }
    tk_table_end(sink);
}

// Returns the first recording whose format is known; NULL: none.
static const struct tk_input *first_recording(const struct tk *handle) {
    for (uint32_t i = 0; i < handle->input_count; i++) {
        const struct tk_input *input = handle->inputs[i];
        if (input->role == TK_ROLE_RECORDING && input->kind) return input;
    }
    return NULL;
}

// Writes the tables of the decoder of the first recording, and those of the packets that carry it. They cover the whole
// recording, so the report of a time range omits them.
static void put_tables_of_format(const struct tk *handle, const struct tk_table_sink *sink) {
    const struct tk_input *first = first_recording(handle);
    if (handle->figures.is_set && (handle->figures.over || handle->figures.from_ns)) return;
    if (first && first->kind->tables) first->kind->tables(first->decoder, sink);
    if (handle->beside && handle->beside->kind && handle->beside->kind->tables)
        handle->beside->kind->tables(handle->beside->decoder, sink);
}

static void put_kinds(const struct tk *handle, const struct tk_table_sink *sink) {
    const struct tk_input *first = first_recording(handle);
    tk_model_kinds(&handle->model, first ? first->kind->kinds : NULL, sink);
}

static const struct tk_column skipped_columns[] = {
    { "input", "Input", TK_COLUMN_NAME, TK_ROLE_VALUE, NULL, TK_FOLD_NONE },
    { "problem", "Problem", TK_COLUMN_TEXT, TK_ROLE_KEY, NULL, TK_FOLD_NONE },
    { "bytes", "Bytes", TK_COLUMN_COUNT, TK_ROLE_VALUE, NULL, TK_FOLD_NONE },
};
static const struct tk_table skipped_table = { "skipped",
                                               "Skipped bytes by reason",
                                               TK_TABLE_COLUMNS(skipped_columns),
                                               TK_TABLE_LIST,
                                               "bytes",
                                               "Skipped bytes of each input, by problem." };

static void put_skipped(const struct tk *handle, const struct tk_table_sink *sink) {
    tk_table_begin(sink, &skipped_table);
    for (uint32_t i = 0; i < handle->input_count; i++) {
        const struct tk_input *input = handle->inputs[i];
        for (int id = 0; id < TK_DIAG_COUNT; id++) {
            if (!input->account.skipped[id]) continue;
            tk_cell_word(sink, input->name);
            tk_cell_word(sink, tk_diag_info((enum tk_diag_id)id)->name);
            tk_cell_uint(sink, input->account.skipped[id]);
        }
    }
    tk_table_end(sink);
}

// ---- Clocks ----

// rate: of the clock in nanoseconds.
static void put_clock(const struct tk_table_sink *sink, const struct tk_domain *domain, const struct tk_domain *rate) {
    static const char *const standings[] = { "the time of the trace", "compared with another clock",
                                             "unknown: set to the start of the trace",
                                             "assumed: the recording arrived without delay" };
    double nominal = (double)rate->ns / rate->per_counts;
    tk_cell_word(sink, domain->name ? domain->name : "clock");
    tk_cell_uint(sink, domain->core);
    tk_cell_double(sink, nominal);
    if (domain->slope_counts) tk_cell_double(sink, (tk_domain_rate(domain) / nominal - 1) * 1e6);
    else tk_cell_none(sink);
    tk_cell_word(sink, standings[domain->standing]);
    tk_cell_uint(sink, domain->comparisons);
    tk_cell_uint(sink, domain->refused);
}

static const struct tk_column clocks_columns[] = {
    { "name", "Clock", TK_COLUMN_NAME, TK_ROLE_VALUE, NULL, TK_FOLD_NONE },
    { "core", "Core", TK_COLUMN_NUMBER, TK_ROLE_KEY, NULL, TK_FOLD_NONE },
    { "count", "One count", TK_COLUMN_NUMBER, TK_ROLE_VALUE, "ns", TK_FOLD_NONE },
    { "drift", "Runs slow by", TK_COLUMN_NUMBER, TK_ROLE_VALUE, "ppm", TK_FOLD_NONE },
    { "zero", "Zero point", TK_COLUMN_TEXT, TK_ROLE_VALUE, NULL, TK_FOLD_NONE },
    { "compared", "Comparisons", TK_COLUMN_COUNT, TK_ROLE_VALUE, NULL, TK_FOLD_NONE },
    { "refused", "Contradict the others", TK_COLUMN_COUNT, TK_ROLE_VALUE, NULL, TK_FOLD_NONE },
};
static const struct tk_table clocks_table = { "clocks",      "Clocks", TK_TABLE_COLUMNS(clocks_columns),
                                              TK_TABLE_LIST, NULL,     "Clocks that the recording names." };

// Writes the table of clocks if the recording names its clocks.
static void put_clocks(const struct tk *handle, const struct tk_table_sink *sink) {
    bool begun = false;
    for (uint32_t i = 0; i < handle->input_count; i++) {
        for (uint32_t stream = 0; stream < handle->inputs[i]->stream_count; stream++) {
            const struct tk_domain *domain = &handle->inputs[i]->streams[stream]->batch.domain;
            if (!tk_domain_is_set(domain) || handle->inputs[i]->is_unplaced) continue;
            if (!begun) tk_table_begin(sink, &clocks_table);
            begun = true;
            put_clock(sink, domain, handle->inputs[i]->beside_kind ? &handle->inputs[i]->beside.clock : domain);
        }
    }
    if (begun) tk_table_end(sink);
}

// ---- Tick length and output ----

enum tick_source { FROM_RECORDING, FROM_OPTION, FROM_SIDE, ASSUMED, COUNTED };

static enum tick_source tick_source(const struct tk *handle) {
    if (handle->option_tick_ns || (handle->model.tick_ns && handle->model.tick_origin == TK_TICK_FROM_OPTION))
        return FROM_OPTION;
    if (handle->model.tick_origin == TK_TICK_IS_COUNT) return COUNTED;
    if (!handle->model.tick_ns || handle->model.tick_origin == TK_TICK_ASSUMED) return ASSUMED;
    return handle->model.tick_is_side ? FROM_SIDE : FROM_RECORDING;
}

static uint64_t counts_per_os_tick(const struct tk *handle) {
    for (uint32_t i = 0; i < handle->input_count; i++) {
        const struct tk_input *input = handle->inputs[i];
        if (input->kind && input->kind->counts_per_os_tick && input->role == TK_ROLE_RECORDING)
            return input->kind->counts_per_os_tick(input->decoder);
    }
    return 0;
}

static const struct tk_column tick_columns[] = {
    { "ns", "Tick", TK_COLUMN_NUMBER, TK_ROLE_VALUE, "ns", TK_FOLD_NONE },
    { "source", "Tick length from", TK_COLUMN_TEXT, TK_ROLE_VALUE, NULL, TK_FOLD_NONE },
    { "late", "Tick length came too late", TK_COLUMN_FLAG, TK_ROLE_VALUE, NULL, TK_FOLD_NONE },
    { "hz", "Clock rate", TK_COLUMN_NUMBER, TK_ROLE_VALUE, "Hz", TK_FOLD_NONE },
    { "counts", "Counts per tick", TK_COLUMN_COUNT, TK_ROLE_VALUE, NULL, TK_FOLD_NONE },
};
static const struct tk_table tick_table = {
    "tick",           "Tick", TK_TABLE_COLUMNS(tick_columns),
    TK_TABLE_FIGURES, NULL,   "The length of a tick of the target's clock, and where it comes from."
};

static void put_tick(const struct tk *handle, const struct tk_table_sink *sink) {
    static const char *const sources[] = { "recording", "option", "side", "assumed", "counted" };
    uint64_t counts = counts_per_os_tick(handle);
    tk_table_begin(sink, &tick_table);
    tk_cell_uint(sink, tk_trace_tick_ns(handle));
    tk_cell_word(sink, sources[tick_source(handle)]);
    tk_cell_uint(sink, handle->diag.entries[TK_DIAG_TICK_LATE].count > 0);
    tk_cell_uint_if(sink, handle->model.rate_hz > 0, handle->model.rate_hz);
    tk_cell_uint_if(sink, counts > 0, counts);
    tk_table_end(sink);
}

static const struct tk_column output_columns[] = {
    { "bytes", "Trace", TK_COLUMN_COUNT, TK_ROLE_VALUE, "bytes", TK_FOLD_NONE },
    { "packets", "Packets", TK_COLUMN_COUNT, TK_ROLE_VALUE, NULL, TK_FOLD_NONE },
};
static const struct tk_table output_table = { "output",         "Trace", TK_TABLE_COLUMNS(output_columns),
                                              TK_TABLE_FIGURES, NULL,    "The size of the trace that was written." };

static void put_output(const struct tk *handle, const struct tk_table_sink *sink) {
    tk_table_begin(sink, &output_table);
    bool is_whole = !handle->figures.is_set; // the report of a time range has no trace
    tk_cell_uint_if(sink, is_whole, tk_trace_bytes(handle));
    tk_cell_uint_if(sink, is_whole, tk_trace_packets(handle));
    tk_table_end(sink);
}

// ---- Problems ----

static const struct tk_column explain_columns[] = { { "sentence", "Sentence", TK_COLUMN_TEXT, TK_ROLE_VALUE, NULL,
                                                      TK_FOLD_NONE } };
static const struct tk_table explain_table = { "explain",
                                               "Why there is so little to see",
                                               TK_TABLE_COLUMNS(explain_columns),
                                               TK_TABLE_PROSE,
                                               NULL,
                                               "Sentences that explain why the result is empty or very small." };

static void put_explained(const struct tk *handle, const struct tk_table_sink *sink) {
    struct tk_explained about = { .recognised = handle->format != NULL,
                                  .probe_reason = handle->probe->reason,
                                  .stats = &handle->model.stats,
                                  .diag = &handle->diag };
    about.is_part = handle->figures.is_set && handle->figures.seen;
    for (uint32_t i = 0; i < handle->input_count; i++)
        if (handle->inputs[i]->role == TK_ROLE_RECORDING) about.bytes_in += handle->inputs[i]->bytes;
    const char *sentences[TK_EXPLAIN_MAX];
    size_t count = tk_explain(&about, sentences);
    tk_table_begin(sink, &explain_table);
    for (size_t i = 0; i < count; i++) tk_cell_word(sink, sentences[i]);
    tk_table_end(sink);
}

static void put_problem(const struct tk_diag *diag, const struct tk_table_sink *sink, enum tk_diag_id id) {
    const struct tk_diag_info *info = tk_diag_info(id);
    char detail[TK_DIAG_DETAIL_LEN];
    tk_cell_word(sink, info->name);
    tk_cell_word(sink, tk_severity_name(info->severity));
    tk_cell_word(sink, info->title);
    tk_cell_uint(sink, diag->entries[id].count);
    tk_cell_text(sink, detail, tk_diag_detail(diag, id, detail));
    tk_cell_word(sink, info->cause);
    tk_cell_word(sink, info->remedy);
}

static const struct tk_column problems_columns[] = {
    { "id", "Problem", TK_COLUMN_NAME, TK_ROLE_VALUE, NULL, TK_FOLD_NONE },
    { "severity", "Severity", TK_COLUMN_TEXT, TK_ROLE_VALUE, NULL, TK_FOLD_NONE },
    { "title", "Title", TK_COLUMN_TEXT, TK_ROLE_VALUE, NULL, TK_FOLD_NONE },
    { "count", "Count", TK_COLUMN_COUNT, TK_ROLE_VALUE, NULL, TK_FOLD_NONE },
    { "detail", "Detail", TK_COLUMN_TEXT, TK_ROLE_NOTE, NULL, TK_FOLD_NONE },
    { "cause", "Cause", TK_COLUMN_TEXT, TK_ROLE_NOTE, NULL, TK_FOLD_NONE },
    { "remedy", "What to do", TK_COLUMN_TEXT, TK_ROLE_NOTE, NULL, TK_FOLD_NONE },
};
static const struct tk_table problems_table = {
    "problems",    "Problems", TK_TABLE_COLUMNS(problems_columns),
    TK_TABLE_LIST, NULL,       "One row per kind of problem, the most severe first."
};

static void put_problems(const struct tk *handle, const struct tk_table_sink *sink) {
    tk_table_begin(sink, &problems_table);
    for (unsigned rank = 0; rank < TK_SEVERITIES; rank++)
        for (int id = 0; id < TK_DIAG_COUNT; id++)
            if (handle->diag.entries[id].count &&
                tk_diag_info((enum tk_diag_id)id)->severity == tk_diag_severity_at(&handle->diag, rank))
                put_problem(&handle->diag, sink, (enum tk_diag_id)id);
    tk_table_end(sink);
}

static size_t hex_of(const struct tk_diag_location *spot, char out_text[3 * TK_DIAG_CONTEXT]) {
    static const char digits[] = "0123456789abcdef";
    size_t len = 0;
    for (unsigned i = 0; i < spot->context_len; i++) {
        if (i) out_text[len++] = ' ';
        out_text[len++] = digits[spot->context[i] >> 4];
        out_text[len++] = digits[spot->context[i] & 15];
    }
    return len;
}

static void put_place(const struct tk *handle, const struct tk_table_sink *sink, enum tk_diag_id id,
                      const struct tk_diag_location *spot) {
    char hex[3 * TK_DIAG_CONTEXT];
    bool of_input = (spot->has_offset || spot->has_input) && spot->input < handle->input_count;
    uint64_t line = spot->line;
    if (!line && of_input && spot->has_offset && handle->line_of)
        line = handle->line_of(handle->line_ctx, spot->input, spot->offset);
    tk_cell_word(sink, tk_diag_info(id)->name);
    tk_cell_word(sink, of_input ? handle->inputs[spot->input]->name : "");
    tk_cell_uint_if(sink, of_input, spot->input);
    tk_cell_uint_if(sink, spot->has_offset, spot->offset);
    tk_cell_uint_if(sink, spot->has_offset, spot->frame);
    tk_cell_ticks_if(sink, spot->has_ticks, spot->ticks);
    tk_cell_text(sink, hex, hex_of(spot, hex));
    tk_cell_uint_if(sink, line > 0, line);
}

static const struct tk_column places_columns[] = {
    { "problem", "Problem", TK_COLUMN_NAME, TK_ROLE_VALUE, NULL, TK_FOLD_NONE },
    { "input", "Input", TK_COLUMN_TEXT, TK_ROLE_NOTE, NULL, TK_FOLD_NONE },
    { "input_number", "Number of the input", TK_COLUMN_NUMBER, TK_ROLE_HIDDEN, NULL, TK_FOLD_NONE },
    { "offset", "Byte", TK_COLUMN_NUMBER, TK_ROLE_KEY, NULL, TK_FOLD_NONE },
    { "frame", "Frame", TK_COLUMN_NUMBER, TK_ROLE_KEY, NULL, TK_FOLD_NONE },
    { "time", "Time", TK_COLUMN_TIME, TK_ROLE_AT, NULL, TK_FOLD_NONE },
    { "hex", "Bytes at the position", TK_COLUMN_TEXT, TK_ROLE_NOTE, NULL, TK_FOLD_NONE },
    { "line", "Line of the text", TK_COLUMN_NUMBER, TK_ROLE_KEY, NULL, TK_FOLD_NONE },
};
static const struct tk_table places_table = { "places",
                                              "Positions of problems",
                                              TK_TABLE_COLUMNS(places_columns),
                                              TK_TABLE_LIST,
                                              NULL,
                                              "Positions of problems in the inputs: up to 26 rows per problem." };

static void put_places(const struct tk *handle, const struct tk_table_sink *sink) {
    tk_table_begin(sink, &places_table);
    for (int id = 0; id < TK_DIAG_COUNT; id++) {
        const struct tk_diag_entry *entry = &handle->diag.entries[id];
        for (unsigned i = 0; entry->count && i < entry->location_count; i++)
            put_place(handle, sink, (enum tk_diag_id)id, &entry->locations[i]);
    }
    tk_table_end(sink);
}

// ---- The report ----

const struct tk_table *const tk_handle_table_list[] = { &format_table,   &tick_table,    &output_table, &explain_table,
                                                        &problems_table, &places_table,  &clocks_table, &inputs_table,
                                                        &facts_table,    &skipped_table, NULL };

static void put_tables(const void *ctx, const struct tk_table_sink *sink) {
    const struct tk *handle = ctx;
    if (handle->analysis) tk_findings_tables(handle->analysis, handle->model.rtos, sink);
    put_format(handle, sink);
    put_tick(handle, sink);
    put_output(handle, sink);
    put_explained(handle, sink);
    put_problems(handle, sink);
    put_places(handle, sink);
    tk_model_tables(&handle->model, sink);
    if (handle->analysis) tk_analysis_tables(handle->analysis, handle->model.rtos, sink);
    put_tables_of_format(handle, sink);
    put_kinds(handle, sink);
    put_clocks(handle, sink);
    put_inputs(handle, sink);
    tk_symbols_put(handle, sink);
    put_summary(handle, sink);
    put_skipped(handle, sink);
}

bool tk_handle_are_counts(const struct tk *handle) {
    enum tick_source source = tick_source(handle);
    return source == COUNTED || (source == ASSUMED && tk_trace_tick_ns(handle) == 1);
}

// Returns true if the clock does not count, or samples have no time of their own.
static bool are_times_equal(const struct tk *handle) {
    const struct tk_stats *stats = &handle->model.stats;
    const struct tk_diag_entry *entries = handle->diag.entries;
    return stats->start == stats->end && (entries[TK_DIAG_TIME_STUCK].count || entries[TK_DIAG_SAMPLE_OUTSIDE].count);
}

enum tk_time_certainty tk_handle_time_certainty(const struct tk *handle) {
    enum tick_source source = tick_source(handle);
    if (handle->diag.entries[TK_DIAG_CLOCK_AMBIGUOUS].count) return TK_TIME_TURNS_UNKNOWN;
    if (are_times_equal(handle)) return TK_TIME_ALL_EQUAL;
    if (source == COUNTED) return TK_TIME_ORDER_ONLY;
    if (source == ASSUMED) return tk_handle_are_counts(handle) ? TK_TIME_RATE_UNKNOWN : TK_TIME_RATE_ASSUMED;
    return handle->model.tick_origin == TK_TICK_SPACING_ASSUMED ? TK_TIME_SPACING_ASSUMED : TK_TIME_MEASURED;
}

const char *tk_handle_time_unit(const struct tk *handle) {
    const char *counts = handle->model.timeline.counts;
    if (tk_handle_are_counts(handle)) return counts[0] ? counts : "ticks";
    uint64_t stretch = tk_time_stretch(handle);
    return stretch == 1 ? "ns" : stretch == 1000 ? "ps" : "fs";
}

uint64_t tk_handle_report_tick_ns(const struct tk *handle) {
    return tk_handle_are_counts(handle) ? 0 : tk_trace_tick_ns(handle);
}

static struct tk_report_source source_of(const struct tk *handle, struct tk_initial_view *view) {
    tk_initial_view_choose(view, &handle->model);
    return (struct tk_report_source){ .ctx = handle,
                                      .tables = put_tables,
                                      .tool = "Tonkopf " TK_VERSION,
                                      .tick_ns = tk_handle_report_tick_ns(handle),
                                      .times = { tk_handle_time_unit(handle),
                                                 (uint8_t)tk_handle_time_certainty(handle) },
                                      .expand = view->expand,
                                      .expand_count = view->expand_count,
                                      .collapse = view->collapse,
                                      .collapse_count = view->collapse_count,
                                      .pin = view->pin,
                                      .pin_count = view->pin_count };
}

tk_status tk_report_json(const tk *handle, tk_write_fn write, void *ctx) {
    struct tk_initial_view view;
    struct tk_report_source source = source_of(handle, &view);
    return tk_report_write_json(&source, write, ctx) ? TK_OK : TK_SINK_REFUSED;
}

tk_status tk_startup_commands_json(const tk *handle, tk_write_fn write, void *ctx) {
    static const char *const expand[] = { "^(Target|Interrupts|Queues and locks|Markers|Values)$" };
    static const char *const collapse[] = { "^CPU Scheduling$" }, *const pin[] = { "^CPU \\d+ Scheduling$" };
    struct tk_initial_view view;
    const struct tk_report_source of_any_trace = {
        .expand = expand, .expand_count = 1, .collapse = collapse, .collapse_count = 1, .pin = pin, .pin_count = 1
    };
    const struct tk_report_source source = handle ? source_of(handle, &view) : of_any_trace;
    return tk_report_write_commands(&source, write, ctx) ? TK_OK : TK_SINK_REFUSED;
}

tk_status tk_report_new(const tk *handle, const struct tk_allocator *allocator, tk_report **out_report) {
    struct tk_initial_view view;
    struct tk_report_source source = source_of(handle, &view);
    tk_report *report = tk_report_begin(allocator, source.tool, source.times);
    if (report) {
        struct tk_table_sink sink = tk_report_sink(report, source.tick_ns);
        source.tables(source.ctx, &sink);
    }
    return tk_report_complete(report, out_report);
}

tk_status tk_report_text(const tk *handle, tk_write_fn write, void *ctx) {
    const struct tk_allocator allocator = { handle->alloc.realloc, handle->alloc.ctx };
    tk_report *report;
    tk_status status = tk_report_new(handle, &allocator, &report);
    if (status == TK_OK) status = tk_report_write(report, TK_REPORT_TEXT, NULL, write, ctx);
    tk_report_free(report);
    return status;
}
