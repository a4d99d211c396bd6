// SPDX-License-Identifier: MIT
//
// The handle of tonkopf.h; for the files of this folder only.
#ifndef TK_HANDLE_H
#define TK_HANDLE_H

#include "analysis/analysis.h"
#include "formats/format.h"
#include "model/model.h"
#include "model/timeline/time_range.h"
#include "model/time/event_stream.h"
#include "perfetto/writer.h"
#include "report/dump.h"
#include "report/outline.h"
#include "report/time_basis.h"
#include "tonkopf.h"
#include "viewer/encode.h"

enum { TK_WINDOW_LEN = 256 * 1024, TK_OPTION_LEN = 256 };
enum { TK_INPUT_STREAMS = TK_MAX_CORES };

// One input with its decoder and the event streams that the decoder fills.
struct tk_input {
    struct tk *handle;
    uint32_t number;
    char name[256];
    tk_role role;
    int32_t core;
    bool core_guessed;             // `core` follows only from the order of the files; the report lists it as a fact
    bool numbers_cores;            // the input numbers its cores itself; several inputs may have events of one core
    bool is_dump;                  // the input is a memory dump
    uint64_t from;                 // position of the recording in it
    const struct tk_decoder *kind; // interface of `decoder`; NULL: not recognised yet
    void *decoder;
    struct tk_event_stream *streams[TK_INPUT_STREAMS];
    uint32_t stream_count;
    uint8_t *window; // buffer of several recordings: the bytes [window_at, window_len) are pending; before recognition:
                     // the head
    size_t window_at, window_len, window_cap;
    uint64_t bytes;                  // number of bytes fed
    struct tk_account account;       // bytes decoded and skipped
    struct tk_lookup lookup;         // names and settings from a side input
    struct tk_symbol_reader *reader; // reader of a symbol file
    void *original;                  // state of the dump in the vendor's format; NULL: none
    uint8_t *buffered;               // a symbol file that the host feeds as a stream
    uint32_t buffered_len, buffered_capacity;
    const struct tk_decoder *beside_kind; // decoder of packets that carry the recording; NULL: no such packets
    struct tk_beside beside;
    uint64_t omitted;     // events of these packets that are not shown, because they precede the recording
    bool is_unplaced;     // none of them is shown, because it is unknown when the recording arrived
    bool ended, finished; // `ended`: the host feeds no more bytes; `finished`: decoder and event streams have ended too
    bool draining;        // discards the events of an input that was not recognised
};

enum tk_option {
#define TK_OPTION(name, key, title, help, choices, fallback) TK_OPTION_##name,
#include "options.def"
#undef TK_OPTION
    TK_OPTION_COMMON = TK_OPTION_RANGE_TICK // users set these options, hosts set the others
};
enum { TK_FORMAT_OPTIONS = 16 };

// Functions of a dump. Only tk_set_dump and tk_set_samples refer to them, so that the linker can drop them in programs
// without dumps.
struct tk_dump_hooks {
    void (*watch)(struct tk_input *input, const struct tk_decoder *kind, struct tk_decode_host *host);
    void (*choose_track_sink)(struct tk *handle);
    void (*listen)(struct tk *handle);            // before the first event; NULL: nothing to do
    bool (*was_refused)(const struct tk *handle); // returns true if the receiver of the output refused it
};

// Unit in which the host gave a limit of a time range.
enum tk_limit_unit {
    TK_LIMIT_NS,     // true time, which the time axis of the trace may stretch
    TK_LIMIT_COUNTS, // ticks or records, if the time axis counts those
    TK_LIMIT_TRACE_NS
};
struct tk_limit {
    uint64_t number;
    uint32_t fs;  // fraction of a nanosecond in femtoseconds
    uint8_t unit; // enum tk_limit_unit
};
enum { TK_LIMIT_FROM, TK_LIMIT_TO, TK_LIMIT_FIGURES_FROM, TK_LIMIT_FIGURES_TO, TK_LIMITS };

// Time range of the report.
struct tk_stats_range {
    uint64_t from_ns, to_ns; // range on the clock of the trace, inclusive
    uint64_t first, last;    // earliest and latest time of an event, in ticks
    bool is_set, seen;       // `seen`: there was an event
    bool begun, over;
    uint32_t go_on; // cores with events after the range (bit n = core n)
};

// State of the trace of a time range after the end of the range.
struct tk_range_tail {
    uint32_t events_after_range; // number of events after the range, up to TK_RANGE_LOOK_AHEAD
    bool is_complete;
    uint64_t bytes, packets; // size of that trace in bytes and packets
};

struct tk {
    struct tk_model model; // first, with the members that every event needs at its start: short addresses save code in
                           // WebAssembly
    struct tk_alloc alloc;
    struct tk_diag diag;
    struct tk_track_sink track_sink;
    struct tk_time_range range; // filters the calls to the track sink if a time range is set
    bool has_range;
    struct tk_limit limits[TK_LIMITS];
    uint64_t limits_stretch, limits_tick_ns; // scale with which the limits were converted to the trace clock
    struct tk_writer *writer;
    struct tk_sink out;
    bool has_out;
    struct tk_sink rows_out; // output of the rows of the timeline, set by tk_set_timeline
    bool has_rows_out;
    struct tk_row_encoder *row_encoder; // NULL: no such output
    struct tk_track_sink outputs[2];    // with it: the sink of the trace, and the encoder
    struct tk_dump dump;
    struct tk_outline outline;
    // Returns the line of the text with the decoded byte at `offset` of an input; 0: unknown. NULL: no input is a text.
    uint64_t (*line_of)(void *ctx, uint32_t input, uint64_t offset);
    void *line_ctx;
    const struct tk_dump_hooks *dumping; // functions of the dump; NULL: no dump
    void (*redirect)(struct tk *handle); // lets the time range pass to another sink than the trace; NULL: it does not
    struct tk_analysis *analysis;        // jobs and waits; NULL: switched off, or no recording was opened yet
    struct tk_deadline **deadlines;      // of the option "deadline"
    uint32_t deadline_count, deadline_capacity;
    struct tk_samples *samples; // writer of samples; NULL: none
    // Receives every event with its time on the trace clock, before the model; NULL: none.
    void (*event_seen)(void *ctx, const struct tk_event *event);
    void *event_ctx;
    struct tk_stats_range figures;
    struct tk_range_tail range_tail;
    bool intercepts; // every event takes the slow path: `watched`, a decoder translates records during the merge, or a
                     // clock rate converts counts to ns
    bool watched;    // an event_seen, a time range of the figures or an end of the trace needs each event
    struct tk_batch translated; // model events of the record that is being translated
    struct tk_input *inputs[TK_MAX_INPUTS];
    uint32_t input_count, recordings;
    struct tk_input *beside;         // one of `recordings`: the packets that carry the other one; NULL: none
    struct tk_probe *probe;          // probe of the first recording
    const struct tk_decoder *format; // decoder of the recordings: chosen by the user, else that of the first recognised
                                     // recording
    const struct tk_lookup *lookup;  // lookup of the first side input of the recordings; NULL: none
    struct tk_lookup *last_lookup;
    struct tk_symbols symbols;              // symbols of ELF files and linker maps
    struct tk_times times;                  // receive times of the recording
    uint64_t received_first, received_last; // receive times from the host
    bool was_received;
    struct {
        const char *key;
        char value[TK_OPTION_LEN];
    } format_options[TK_FORMAT_OPTIONS];
    uint32_t format_option_count;
    uint64_t option_tick_ns, range_tick_ns; // tick lengths of the options in ns; 0: not set
    uint64_t tick_ns;                       // tick length of the trace
    int64_t wall_clock_ns;                  // Unix time of the first event
    int32_t wanted;
    bool started, finished, has_wall_clock;
    bool has_no_analysis; // the option analysis=0
    bool opened;          // a recording was opened, so that the format is fixed
    tk_status status;
    char error[256];
};

// Returns true for one of several inputs whose events the merge joins on one time axis.
static inline bool tk_input_is_merged(const struct tk_input *input) {
    return input->role == TK_ROLE_RECORDING && input->handle->recordings > 1;
}

// Returns true if the handle has several recordings: those of the cores of a target.
static inline bool tk_has_several(const struct tk *handle) { return handle->recordings - (handle->beside != NULL) > 1; }

// Returns true for one of them.
static inline bool tk_input_is_one_of_several(const struct tk_input *input) {
    return input->role == TK_ROLE_RECORDING && input != input->handle->beside && tk_has_several(input->handle);
}

// Declares before the first byte that an input contains the packets of a format whose port `port` carries the other
// recording: both get one trace. rate: of their clock, as for the option clock-hz.
TK_MUST_USE tk_status tk_set_beside(struct tk *handle, uint32_t number, const char *format, uint8_t port,
                                    const char *rate);

// pipeline.c. Opens an event stream for a decoder; ctx is the input.
struct tk_batch *tk_pipeline_open_stream(void *ctx, enum tk_stream_time time);
// tk_pipeline_feed decodes a chunk of the only recording or of a side input and passes its events on; tk_pipeline_end
// ends it.
void tk_pipeline_feed(struct tk_input *input, const uint8_t *bytes, size_t len);
void tk_pipeline_end(struct tk_input *input);
// Decodes and merges the pending bytes of several recordings. Sets handle->wanted to the one that needs more bytes.
void tk_pipeline_merge(struct tk *handle);
// Translates an event of kind TK_EV_DEFERRED_RECORD and calls `take` with each resulting event.
void tk_pipeline_translate(struct tk_input *input, const struct tk_event *record,
                           void (*take)(struct tk_input *input, struct tk_event *event));
// Prepares for moving the bytes of the window.
void tk_pipeline_release_window(struct tk_input *input);

// stats_range.c. Takes each event of a watched handle before the model. Returns false if the model must not take it.
bool tk_stats_range_filter(struct tk *handle, const struct tk_event *event);
// Ends the figures at the end of the recording.
void tk_stats_range_end(struct tk *handle);
// Returns the tick length in ns that the limits of a time range use: an option may set it before the recording does.
uint64_t tk_current_tick_ns(const void *handle);
// Returns the tick length of the trace in ns. Before tk_finish: as far as it is known.
uint64_t tk_trace_tick_ns(const struct tk *handle);

// report.c. Return the unit of the times of a report, "ns", and the number of units in a tick; 0: the unit is a tick.
const char *tk_handle_time_unit(const struct tk *handle);
uint64_t tk_handle_report_tick_ns(const struct tk *handle);

// deadlines.c. Adds a deadline, "Motor 5ms" or "Motor 5ms from delay". Returns false if the text is none.
bool tk_deadlines_add(struct tk *handle, const char *value);
// Tells a new analysis the deadlines.
void tk_deadlines_start(struct tk *handle);

// early_close.c. Counts the events after the time range of the trace.
void tk_range_tail_count(struct tk *handle, const struct tk_event *shown);
// Number of events after the range that the trace needs: they show how a wait or slice ended that extends beyond the
// range, why a task left its core, and what another core did within the range.
enum { TK_RANGE_LOOK_AHEAD = 4096 };
static inline bool tk_range_tail_is_complete(const struct tk *handle) {
    return handle->range_tail.events_after_range >= TK_RANGE_LOOK_AHEAD;
}
// Closes the trace, between two events, once tk_range_tail_is_complete.
void tk_range_tail_close(struct tk *handle);
uint64_t tk_trace_bytes(const struct tk *handle);
uint64_t tk_trace_packets(const struct tk *handle);

// Returns true if an event of a dump is in the time range. tick_ns 0: unknown.
bool tk_event_is_in_range(const struct tk *handle, const struct tk_event *event, uint64_t tick_ns);
// Returns true if the tick length is known and times do not count records.
bool tk_time_is_known(const struct tk *handle);
// Returns the scale of the trace's time axis: 1, or 1000 or 10^6 if the recording counts picoseconds or femtoseconds.
uint64_t tk_time_stretch(const struct tk *handle);
// options.c. Reads a rate such as 168000000, or 72000000/7.
bool tk_parse_rate(const char *text, uint64_t *out_hz, uint64_t *out_divisor);
// Converts the limits of time ranges to the trace clock again, after its scale became known or changed.
void tk_limits_update(struct tk *handle);
uint64_t tk_saturated_product(uint64_t a, uint64_t b); // at most INT64_MAX

// side_inputs.c. Stores the names and settings from an event stream of a side input.
void tk_side_input_read(struct tk_input *input, struct tk_event_stream *stream);
// Makes the lookup of a side input available to the recordings if it has their format; after its end, when that format
// is fixed.
void tk_side_input_finish(struct tk_input *side);

// symbols.c. Feed a symbol file as a stream, and end it.
void tk_symbols_feed(struct tk_input *input, const uint8_t *bytes, size_t len);
void tk_symbols_end(struct tk_input *input);
// Report the results of the symbol files, as problems and as a table.
void tk_symbols_report(struct tk *handle);
void tk_symbols_put(const struct tk *handle, const struct tk_table_sink *sink);

// rows.c. Inserts the second output before the track sink.
void tk_rows_insert(struct tk *handle);
// Keeps only the second output, after the trace was closed.
void tk_rows_keep_only(struct tk *handle);
// Makes the time range a dump of the tracks, as JSON, instead of a trace. Names that were defined before this call are
// not in it. Returns TK_MISUSE without a time range, after the range has begun, and for other dumps.
tk_status tk_dump_range(struct tk *handle, tk_line_fn line, void *ctx);

// snapshot.c. Calls `work` with the handle and then restores the handle and its memory; output that `work` wrote to the
// sink stays. May be nested. Returns the result of `work`; TK_NO_MEMORY, without calling `work`, if there is no memory
// for the copy.
tk_status tk_with_rollback(struct tk *handle, tk_status (*work)(struct tk *handle, void *ctx), void *ctx);
// Returns TK_OK if the handle has a state that can be copied; dumps have none.
tk_status tk_check_state(struct tk *handle);

// Returns a sink that ignores all calls; used when no trace is written.
struct tk_track_sink tk_ignoring_sink(void);
// Closes all slices and the trace.
void tk_handle_close(struct tk *handle);
// Returns true if times are counts of a clock of unknown rate, or of records.
bool tk_handle_are_counts(const struct tk *handle);
enum tk_time_certainty tk_handle_time_certainty(const struct tk *handle);
// Returns the value of an option of the format, or NULL. ctx is the handle.
const char *tk_handle_option(void *ctx, const char *key);
// Reports the options that only other formats have: they had no effect.
void tk_options_report_unused(struct tk *handle);
// Returns the decoder of a format by name; NULL if this build has none.
const struct tk_decoder *tk_decoder_named(const char *name);
// Counts a problem that occurred before the bytes of an input reached the handle; after tk_finish. line: of the text,
// from 1; 0: unknown.
void tk_handle_note_reading(struct tk *handle, uint32_t input, enum tk_diag_id id, uint64_t number, uint64_t line);
tk_status tk_handle_fail(struct tk *handle, tk_status status, const char *text);
tk_status tk_handle_misuse(struct tk *handle, const char *text);
// Returns the index of `value` among the words of "a|b|c"; -1: it is none of them.
int tk_choice(const char *choices, const char *value);

// report.c. The tables that the handle itself puts into a report, ended by NULL.
extern const struct tk_table *const tk_handle_table_list[];

#endif
