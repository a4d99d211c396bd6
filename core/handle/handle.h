// SPDX-License-Identifier: MIT
//
// What is behind the handle of tonkopf.h; shared by the files of this folder only.
#ifndef TK_HANDLE_H
#define TK_HANDLE_H

#include "formats/format.h"
#include "model/model.h"
#include "model/timeline/time_range.h"
#include "model/time/event_stream.h"
#include "perfetto/writer.h"
#include "report/dump.h"
#include "report/outline.h"
#include "tonkopf.h"

enum { TK_WINDOW_LEN = 256 * 1024, TK_OPTION_LEN = 256 };
enum { TK_INPUT_STREAMS = TK_MAX_CORES };

// One input, its own decoder and the event streams that this fills.
struct tk_input {
    struct tk *handle;
    uint32_t number;
    char name[256];
    tk_role role;
    int32_t core;
    bool is_dump;                  // of memory
    uint64_t from;                 // where the recording begins in it
    const struct tk_decoder *kind; // of decoder; NULL: not recognised yet
    void *decoder;
    struct tk_event_stream *streams[TK_INPUT_STREAMS];
    uint32_t stream_count;
    uint8_t *window; // several recordings: bytes at [window_at, window_len) wait; before recognition: the head
    size_t window_at, window_len, window_cap;
    uint64_t bytes;                  // fed
    struct tk_account account;       // of them decided about
    struct tk_lookup lookup;         // side input: what it knows
    struct tk_symbol_reader *reader; // of a file of symbols
    void *original;                  // state of what prints as the format's own tool does; NULL: none
    uint8_t *buffered;               // such a file, where it is fed
    uint32_t buffered_len, buffered_capacity;
    bool ended, finished; // no more bytes; decoder and event streams are done too
    bool draining;        // events of an input that could not be recognised are ignored
};

enum tk_option {
#define TK_OPTION(name, key, title, help, choices, fallback) TK_OPTION_##name,
#include "options.def"
#undef TK_OPTION
    TK_OPTION_COMMON = TK_OPTION_RANGE_TICK // people do not set the rest, hosts do
};
enum { TK_FORMAT_OPTIONS = 16 };

// What a handle does for a dump. Reached through tk_set_dump and tk_set_samples only: a program without these calls
// carries no dump.
struct tk_dump_hooks {
    void (*watch)(struct tk_input *input, const struct tk_decoder *kind, struct tk_decode_host *host);
    void (*choose_track_sink)(struct tk *handle);
    bool (*was_refused)(const struct tk *handle); // by whoever takes its output
};

// A limit of a time range as the host named it.
enum tk_limit_unit {
    TK_LIMIT_NS,     // true time, which the axis of the trace may stretch
    TK_LIMIT_COUNTS, // ticks or records, where the recording counts them
    TK_LIMIT_TRACE_NS
};
struct tk_limit {
    uint64_t number;
    uint32_t fs;  // fraction of a nanosecond
    uint8_t unit; // enum tk_limit_unit
};
enum { TK_LIMIT_FROM, TK_LIMIT_TO, TK_LIMIT_FIGURES_FROM, TK_LIMIT_FIGURES_TO, TK_LIMITS };

// What the report covers.
struct tk_stats_range {
    uint64_t from_ns, to_ns; // of the trace's clock, both inside
    uint64_t first, last;    // earliest and latest time of an event, in ticks
    bool is_set, seen;       // seen: there was an event
    bool begun, over;
    uint32_t go_on; // cores with events after it (bit n = core n)
};

// The trace of a part of the time may be complete before the recording is.
struct tk_range_tail {
    uint32_t events_after_range; // events behind the part so far, as many as are looked at
    bool is_complete;
    uint64_t bytes, packets; // of that trace
};

struct tk {
    struct tk_model model; // first, and in it what every event needs: the shorter its address in WebAssembly
    struct tk_alloc alloc;
    struct tk_diag diag;
    struct tk_track_sink track_sink;
    struct tk_time_range range; // in front of the track sink when a part of the time was asked for
    bool has_range;
    struct tk_limit limits[TK_LIMITS];
    uint64_t limits_stretch, limits_tick_ns; // with which they became limits of the trace clock
    struct tk_writer *writer;
    struct tk_sink out;
    bool has_out;
    struct tk_dump dump;
    struct tk_outline outline;
    // Line of the text with the decoded byte at `offset` of an input; 0: unknown. NULL: no input is a text.
    uint64_t (*line_of)(void *ctx, uint32_t input, uint64_t offset);
    void *line_ctx;
    const struct tk_dump_hooks *dumping; // NULL: no dump
    struct tk_samples *samples;          // NULL: none are wanted
    // Every event with its time on the trace clock, before the model sees it; NULL: nobody looks.
    void (*event_seen)(void *ctx, const struct tk_event *event);
    void *event_ctx;
    struct tk_stats_range figures;
    struct tk_range_tail range_tail;
    bool intercepts;            // watched, or a decoder translates records in the merge: events do not simply pass
    bool watched;               // event_seen, figures.is_set or an end of the part: events do not simply pass
    struct tk_batch translated; // events of the model that one record of a format becomes
    struct tk_input *inputs[TK_MAX_INPUTS];
    uint32_t input_count, recordings;
    struct tk_probe *probe;          // what the first recording was recognised as
    const struct tk_decoder *format; // of the recordings: chosen, else that of the first one that was recognised
    const struct tk_lookup *lookup;  // of the first side input that serves them; NULL: none
    struct tk_lookup *last_lookup;
    struct tk_symbols symbols;              // what ELF files and linker maps know
    struct tk_times times;                  // when the bytes of the recording were received
    uint64_t received_first, received_last; // as told by the host
    bool was_received;
    struct {
        const char *key;
        char value[TK_OPTION_LEN];
    } format_options[TK_FORMAT_OPTIONS];
    uint32_t format_option_count;
    uint64_t option_tick_ns, range_tick_ns; // 0: not set
    uint64_t tick_ns;                       // as used
    int64_t wall_clock_ns;                  // of the first event
    int32_t wanted;
    bool started, finished, has_wall_clock;
    bool opened; // a recording was, so that the format is settled
    tk_status status;
    char error[256];
};

// One of several recordings on one time axis.
static inline bool tk_input_is_merged(const struct tk_input *input) {
    return input->role == TK_ROLE_RECORDING && input->handle->recordings > 1;
}

// pipeline.c. Of a decoder's host; ctx is the input.
struct tk_batch *tk_pipeline_open_stream(void *ctx, enum tk_stream_time time);
// The only recording, or a side input: decodes the chunk and passes on what it says. The end of it.
void tk_pipeline_feed(struct tk_input *input, const uint8_t *bytes, size_t len);
void tk_pipeline_end(struct tk_input *input);
// Several recordings: decodes and merges what all windows have; handle->wanted: which one needs more bytes.
void tk_pipeline_merge(struct tk *handle);
// Translates an event of the kind TK_EV_DEFERRED_RECORD and calls `take` with each event that it becomes.
void tk_pipeline_translate(struct tk_input *input, const struct tk_event *record,
                           void (*take)(struct tk_input *input, struct tk_event *event));
// The bytes of the window are about to move.
void tk_pipeline_release_window(struct tk_input *input);

// stats_range.c. Of what is watched: shows the event. False: the model does not take it.
bool tk_stats_range_filter(struct tk *handle, const struct tk_event *event);
// The end of the recording.
void tk_stats_range_end(struct tk *handle);
uint64_t tk_current_tick_ns(const void *handle);

// early_close.c. Of a trace that holds a part of the time: counts what comes after it.
void tk_range_tail_count(struct tk *handle, const struct tk_event *shown);
// Enough of what comes after it is known: they tell how a wait or slice ended that reaches beyond the part, why a task
// had left its core, and what another core did within it.
enum { TK_RANGE_LOOK_AHEAD = 4096 }; // events
static inline bool tk_range_tail_is_complete(const struct tk *handle) {
    return handle->range_tail.events_after_range >= TK_RANGE_LOOK_AHEAD;
}
// Then, between two events: closes the trace.
void tk_range_tail_close(struct tk *handle);
uint64_t tk_trace_bytes(const struct tk *handle);
uint64_t tk_trace_packets(const struct tk *handle);

// Of a dump of events: whether it is in the part of the time that was asked for; tick_ns 0: not known.
bool tk_event_is_in_range(const struct tk *handle, const struct tk_event *event, uint64_t tick_ns);
// Times are times: the length of a tick is told, and they do not count something else.
bool tk_time_is_known(const struct tk *handle);
// Nanoseconds of the trace that a true nanosecond is shown as: 1, or 1000 or 10^6 where the recording counts in
// picoseconds or femtoseconds.
uint64_t tk_time_stretch(const struct tk *handle);
// options.c. Converts the limits of time ranges to the trace clock again, when its scale is known or has changed.
void tk_limits_update(struct tk *handle);

// side_inputs.c. Keeps what an event stream of a side input says.
void tk_side_input_read(struct tk_input *input, struct tk_event_stream *stream);
// The side input has ended, and the format of the recordings is settled: one of that format lends them what it knows.
void tk_side_input_finish(struct tk_input *side);

// symbols.c. An input of symbols that is fed as it comes; its end.
void tk_symbols_feed(struct tk_input *input, const uint8_t *bytes, size_t len);
void tk_symbols_end(struct tk_input *input);
// What the files turned out to be good for, as problems and as a table.
void tk_symbols_report(struct tk *handle);
void tk_symbols_put(const struct tk *handle, const struct tk_table_sink *sink);

// snapshot.c. Calls `work` with the handle and then undoes all that it did to the handle and its memory; what it wrote
// to the sink stays. May be nested. Returns what `work` does; TK_NO_MEMORY also when the bytes of the handle cannot be
// copied, and `work` is not called.
tk_status tk_with_rollback(struct tk *handle, tk_status (*work)(struct tk *handle, void *ctx), void *ctx);
// TK_OK: the handle has a state; dumps have none.
tk_status tk_check_state(struct tk *handle);

// Where the writer's bytes go; a part of the time is what reaches it.
struct tk_track_sink tk_ignoring_sink(void);
// Closes every slice and the trace.
void tk_handle_close(struct tk *handle);
// Times are counts of a clock of unknown rate, or of records.
bool tk_handle_are_counts(const struct tk *handle);
// Value of a format's option, or NULL. ctx is the handle.
const char *tk_handle_option(void *ctx, const char *key);
// Notes the options of other formats than that of the recordings: they changed nothing.
void tk_options_report_unused(struct tk *handle);
// By the name of its format; NULL: this program converts none of that name.
const struct tk_decoder *tk_decoder_named(const char *name);
// After tk_finish: counts what went wrong before the bytes of an input reached the handle. line: of its text; 0:
// unknown.
void tk_handle_note_reading(struct tk *handle, uint32_t input, enum tk_diag_id id, uint64_t number, uint64_t line);
tk_status tk_handle_fail(struct tk *handle, tk_status status, const char *text);
tk_status tk_handle_misuse(struct tk *handle, const char *text);

// report.c. The tables that the handle itself puts into a report, up to NULL.
extern const struct tk_table *const tk_handle_table_list[];

#endif
