// SPDX-License-Identifier: MIT
//
// Tonkopf converts recordings of embedded targets to Perfetto traces.
// This is the only public header. The library is C11, does no I/O, has no globals and reads no clock.
//
//   tk_new -> tk_set_option* -> tk_add_input* -> tk_set_sink -> (tk_feed* tk_end_input)* -> tk_finish -> tk_report_* ->
//   tk_free
//
// Ownership: the library borrows every pointer that the caller passes, until the call returns; functions that keep data
// say "copies". Every string that the library returns belongs to it and lives as long as the handle, or is static.
// Errors: only the codes of tk_status are fatal, and they are sticky: once a call on a handle returned one, every later
// call returns the same and does nothing, but tk_finish may still be called to close the trace. Damaged input is never
// an error. Tonkopf skips and counts it; the report lists it. A handle may be used by one thread at a time; different
// handles are independent.
#ifndef TONKOPF_H
#define TONKOPF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#if defined(__GNUC__) && !defined(_WIN32)
#pragma GCC visibility push(default) // the shared library exports only these functions
#endif

#define TK_VERSION "0.1.0"

const char *tk_version(void); // version of the linked library

#if defined(__GNUC__)
#define TK_MUST_USE __attribute__((warn_unused_result))
#else
#define TK_MUST_USE
#endif

// ---- Status ------------------------------------------------------------------------------------

// Fatal codes. Tonkopf counts all other problems; the report lists them.
typedef enum tk_status {
    TK_OK,
    TK_NO_MEMORY,      // out of memory
    TK_SINK_REFUSED,   // the output could not be written: a callback of the host returned false
    TK_MISUSE,         // a call that the documentation of the function does not allow
    TK_UNKNOWN_FORMAT, // no format of Tonkopf recognises the input
    TK_OTHER_SCHEMA    // the report has another version of the schema than this library
} tk_status;

// Returns an English sentence without a full stop; static.
const char *tk_status_text(tk_status status);

// ---- Memory ------------------------------------------------------------------------------------

// Allocates when ptr is NULL; frees and returns NULL when new_size is 0. On failure returns NULL, and the old block
// stays valid.
typedef void *(*tk_realloc_fn)(void *ctx, void *ptr, size_t old_size, size_t new_size);

struct tk_allocator {
    tk_realloc_fn realloc;
    void *ctx;
};

// Returns an allocator that uses realloc and free of the C library.
const struct tk_allocator *tk_libc_allocator(void);

// ---- Recognising what bytes are ----------------------------------------------------------------

enum { TK_PROBE_LEN = 256 * 1024 }; // largest number of bytes that a probe reads
enum {
    TK_MAX_CORES = 32, // core numbers are 0 .. 31; a higher number in a recording is damage
    TK_MAX_SIDE_INPUTS = 32,
    TK_MAX_INPUTS = TK_MAX_CORES + TK_MAX_SIDE_INPUTS // largest number of inputs of one trace
};

// Kind of an input that no format recognises.
typedef enum tk_content {
    TK_CONTENT_UNKNOWN,
    TK_CONTENT_TRACE,
    TK_CONTENT_SYMBOLS,
    TK_CONTENT_TIMES,
    TK_CONTENT_OTHER
} tk_content;

typedef enum tk_header { TK_HEADER_NOT_NEEDED, TK_HEADER_PRESENT, TK_HEADER_MISSING } tk_header;

// Result of tk_probe for the head of one binary input. Plain data without owned pointers; may be copied.
struct tk_probe {
    const char *format;  // name as in tk_format_info; NULL: no format recognises the input
    uint32_t confidence; // 0 .. 100
    tk_content content;  // when `format` is NULL: a Perfetto trace, an ELF file or linker map, receive times, another
                         // known kind of file, or unknown
    char mode[24];       // value for the option "mode" of the format; "" if the format has no modes
    char reason[160];    // one sentence for users: why this format was recognised, or why none
    uint64_t looked;     // length of the probed bytes, from the first one on
    bool is_dump;        // the input is a memory dump in which the recording begins at byte `from`
    uint64_t from;
    bool padding;        // all probed bytes are 00, or all are FF
    uint64_t frames;     // number of frames in the probed bytes
    uint64_t valid;      // number of valid frames
    uint64_t text_bytes; // bytes of text (boot messages) before or between the frames
    bool names_tick;  // the head contains the tick length, or the format has a clock of its own, so that nothing later
                      // in the recording can change the tick length
    uint64_t tick_ns; // tick length in ns; 0: unknown
    bool has_build;   // the head contains the identity of the build of the firmware
    uint64_t build;   // that identity, of the first core that has one
    bool has_events;  // the probed bytes contain events with times; false: names and settings only
    bool is_names_file;    // a file that only provides names for recordings; false for an input without events: the
                           // capture ended early
    bool describes_others; // a file of names that tells how recordings without a signature are read, so that an
                           // unrecognised file beside it may be one of them
    bool is_part; // one of the files of a trace that a file of names (describes_others) beside it describes: all of
                  // them belong to one trace, and each numbers its cores
    uint64_t first_ticks, last_ticks; // first and last time in the probed bytes and the tail, in ticks of the target
    bool file_per_core;  // the target writes one file per core: the header of the file shows this, or the file has no
                         // header and may be that of a further core
    tk_header header;    // the header that only one file of a target has and that the decoder needs for all of them
    uint32_t cores_mask; // cores that the stream itself numbers (bit n = core n); 0: none
    // Evidence that several files are cores of one recording: the tasks that this file names, creates and runs. Ids
    // beyond the table are omitted; this only weakens the evidence.
    struct {
        uint32_t id, name_hash;
        uint8_t named, created, runs;
    } tasks[64];
    uint32_t task_count;
    uint32_t idle_core_mask; // cores for which this file announces an idle task (bit n = core n)
};

// Probes the first bytes of a binary input (after decoding of text encodings). tail: the last bytes of the input, used
// for last_ticks; may be NULL.
void tk_probe(const uint8_t *head, size_t head_len, const uint8_t *tail, size_t tail_len, struct tk_probe *out_probe);

// Probes the next bytes (at most TK_PROBE_LEN) of an input in which no format was recognised so far; a recording may
// begin anywhere in a dump of flash or memory. Once a format recognises the bytes, *probe describes them; until then it
// describes all bytes probed so far. Returns true if no format was recognised and the following bytes may still contain
// a recording; false whenever *probe has a format.
bool tk_probe_continue(const uint8_t *bytes, size_t len, struct tk_probe *probe);
// Returns true if tk_probe_continue may find a recording after the probed head.
bool tk_probe_can_continue(const struct tk_probe *probe);

// ---- Plan: roles and groups of inputs ----------------------------------------------------------

typedef enum tk_role {
    TK_ROLE_RECORDING, // converted to a trace
    TK_ROLE_NAMES,     // provides names, tick length and settings of the target: an earlier capture, a dictionary
    TK_ROLE_SYMBOLS,   // program of the target: provides functions and lines by address
    TK_ROLE_TIMES,     // provides the receive times of the bytes of a recording
    TK_ROLE_NONE       // unused
} tk_role;

enum { TK_PLAN_AUTO = -1 }; // no override
#define TK_NO_GROUP UINT32_MAX

struct tk_plan_input {
    // Properties of the input.
    const char *name;             // file name, or path in an archive; "" if none
    const struct tk_probe *probe; // result for the head of this input
    uint32_t container;           // equal for all inputs from one archive or one text; 0: a separate file
    int32_t found_core;           // core number that the container names; -1: none
    // Overrides by the user. TK_PLAN_AUTO or NULL: no override.
    int32_t role;       // enum tk_role
    int32_t core;       // 0 .. TK_MAX_CORES - 1
    int32_t with;       // index of the recording that this input belongs to; its own index: a separate recording
    const char *format; // name of a format; ignored for a side input whose format was recognised
    uint32_t carries;   // 1 + index of the recording that a port of these packets carries, if both can share a trace;
                        // 0: none
    // The plan; set by tk_plan.
    tk_role out_role;
    const char *out_format; // recognised or chosen format; NULL: none
    uint32_t out_group; // for a recording: recordings with the same number are converted to one trace; numbered from 0
                        // in the order of the inputs. TK_NO_GROUP: not a recording
    int32_t out_core;   // for a recording: core that the file contains; -1: the stream numbers its cores, there is only
                        // one core, or the format does not join cores
    bool out_beside;    // the packets are in the trace of the recording that they carry
    uint32_t out_order; // position in the order in which inputs are added to handles: side inputs come before
                        // recordings
    char out_reason[256];  // one sentence for users, without a full stop
    bool out_core_guessed; // only the order of the files tells out_core
};

// Determines the role of each input and groups the recordings. Recordings are joined if the user or their container
// assigns them to each other, if their names differ only in the core number (`name@N`, core0, cpu1; any number of files
// if the format has a file per core), if a description beside them makes them parts of one trace, or if one runs tasks
// that only the other names and their times overlap.
// Recordings of a format that does not join cores stay separate traces. A file of names becomes a side input of the
// recordings of its format, if there are any. The order of the inputs matters only when nothing else decides. The
// inputs of one group always fit into one handle.
void tk_plan(struct tk_plan_input *inputs, size_t count);
// Returns true if a side input provides names, symbols or times for the recordings of a group; the host adds it to
// their handle.
bool tk_plan_serves(const struct tk_plan_input *inputs, size_t count, size_t side, uint32_t group);
// Returns why an input cannot be assigned to this recording even if the user asks for it (`with`), as a static text;
// NULL: it can, if a core is free.
const char *tk_plan_conflict(const struct tk_plan_input *input, const struct tk_plan_input *recording);

// Returns the core number in a file name (`name@1`, `x.core1.bin`, `cpu-0.hex`), or -1. *out_stem_len: length of the
// name before the core number.
int32_t tk_core_from_name(const char *name, size_t *out_stem_len);

// ---- Text encodings -----------------------------------------------------------------------------
// Decode digits in hex or another notation, base64, base32 and the JSON of the demo converter to bytes. A text may
// contain several blocks; the host opens each block as a separate input.

typedef enum tk_encoding_kind {
    TK_ENCODING_BINARY,
    TK_ENCODING_HEX,
    TK_ENCODING_BASE64,
    TK_ENCODING_JSON
} tk_encoding_kind;

struct tk_encoding_probe {
    tk_encoding_kind kind; // TK_ENCODING_BINARY: the host feeds the bytes unchanged
    char reason[160];      // one sentence for users
};

// Recognises the encoding from the first bytes of an input (TK_PROBE_LEN suffices; 64 bytes may suffice).
void tk_encoding_probe(const uint8_t *bytes, size_t len, struct tk_encoding_probe *out_probe);
// Returns true for a text that a format reads directly (a file of names): the host feeds its bytes unchanged. Call this
// before tk_encoding_probe.
bool tk_format_reads_text(const uint8_t *bytes, size_t len);

struct tk_encoding_sink {
    void *ctx;
    // A block begins. core: -1 unknown. title: as in the text, "" if none; title_len bytes, not terminated. Called
    // again for the same block if a JSON names the core or the title after the data.
    bool (*begin)(void *ctx, uint32_t block, int32_t core, const char *title, size_t title_len);
    bool (*data)(void *ctx, uint32_t block, const uint8_t *bytes, size_t len);
};

struct tk_encoding_result {
    uint32_t blocks;
    uint64_t bytes;                // decoded bytes
    uint64_t ignored;              // number of ignored characters (offsets, ASCII columns, log prefixes, punctuation)
    uint64_t bad;                  // number of invalid characters in place of digits
    uint64_t bad_line, bad_column; // position of the first invalid character, from 1; 0: none
    char bad_text[160]; // one sentence with the position, "" if none; may be set with `bad` 0: a gap in a dump, a cut
                        // JSON
    char mode[24];      // mode that a demo JSON names; "" if none
};

typedef struct tk_encoding tk_encoding;

// Makes a decoder of one text; the caller frees it. kind: as in the result of tk_encoding_probe, not BINARY. Copies
// *sink; its callbacks are called during tk_encoding_feed, tk_encoding_detect_now and tk_encoding_finish.
TK_MUST_USE tk_status tk_encoding_new(const struct tk_allocator *allocator, tk_encoding_kind kind,
                                      const struct tk_encoding_sink *sink, tk_encoding **out_decoder);
// Decodes a chunk; chunks may be cut anywhere. TK_SINK_REFUSED: the sink returned false.
TK_MUST_USE tk_status tk_encoding_feed(tk_encoding *decoder, const uint8_t *bytes, size_t len);
// Recognises the notation from the text received so far, without waiting for TK_PROBE_LEN bytes; then decodes the
// buffered text and all later text on arrival. For a host that reads a live line.
TK_MUST_USE tk_status tk_encoding_detect_now(tk_encoding *decoder);
// Ends the text: decodes what is still buffered, and returns the counts of the whole text.
TK_MUST_USE tk_status tk_encoding_finish(tk_encoding *decoder, struct tk_encoding_result *out_result);
// Returns the line of the text (from 1) that contains the decoded byte at `offset` of `block`; 0: unknown. Also valid
// after tk_encoding_finish.
uint64_t tk_encoding_line(const tk_encoding *decoder, uint32_t block, uint64_t offset);
void tk_encoding_free(tk_encoding *decoder); // NULL is allowed

// ---- Archives ----------------------------------------------------------------------------------
// List the members of zip and tar archives, and the parts of files of several cores, with their positions. The host
// reads the members, and inflates them if necessary.

typedef enum tk_archive_kind {
    TK_ARCHIVE_NONE,
    TK_ARCHIVE_ZIP,
    TK_ARCHIVE_TAR,
    TK_ARCHIVE_PARTS // streams of several cores in one file, after lines that tell where each begins
} tk_archive_kind;

// Recognises an archive from the first 1,024 bytes of a file.
tk_archive_kind tk_archive_probe(const uint8_t *head, size_t len);

typedef enum tk_member_state {
    TK_MEMBER_STORED,
    TK_MEMBER_DEFLATED, // raw deflate without a zlib or gzip header
    TK_MEMBER_ENCRYPTED,
    TK_MEMBER_UNSUPPORTED, // unknown compression method
    TK_MEMBER_DAMAGED      // the archive does not contain a valid position of the member
} tk_member_state;

struct tk_member {
    const char *path; // clean UTF-8 of at most 255 bytes, for display only: may contain "..", and several members may
                      // have the same path; owned by the archive
    tk_member_state state;
    uint64_t offset; // position of the first packed byte in the file
    uint64_t packed; // number of packed bytes; may exceed the end of the file
    uint64_t size;   // unpacked size according to the archive, in bytes; UINT64_MAX: unknown
    int32_t core;    // core whose stream it is, according to the archive; -1: unknown
};

typedef struct tk_archive tk_archive;

// Makes a reader of one archive; the caller frees it. size: of the file in bytes; UINT64_MAX: unknown, not allowed for
// zip. Returns TK_MISUSE for TK_ARCHIVE_NONE.
TK_MUST_USE tk_status tk_archive_new(const struct tk_allocator *allocator, tk_archive_kind kind, uint64_t size,
                                     tk_archive **out_archive);
// Returns the next range of the file to read, at most 256 KiB; the ranges of a tar ascend. Returns false when all
// members are known.
bool tk_archive_wanted(const tk_archive *archive, uint64_t *out_offset, size_t *out_len);
// Passes the bytes of the range from tk_archive_wanted; fewer at the end of the file.
TK_MUST_USE tk_status tk_archive_feed(tk_archive *archive, const uint8_t *bytes, size_t len);
// Returns the number of files, at most 1000. Folders and hidden files are omitted.
uint32_t tk_archive_count(const tk_archive *archive);
// Returns false, and does not set *out_member, if there is no file of this index.
bool tk_archive_member(const tk_archive *archive, uint32_t index, struct tk_member *out_member);
const char *tk_archive_problem(const tk_archive *archive); // static text that describes damage of the archive; "": none
const char *tk_member_reason(tk_member_state state); // static text: why the host cannot read the member; "": it can
void tk_archive_free(tk_archive *archive);           // NULL is allowed

// ---- Formats and their options -----------------------------------------------------------------

struct tk_option_info {
    const char *key;      // name for tk_set_option, lower case with dashes
    const char *label;    // title for a form
    const char *help;     // one sentence
    const char *choices;  // allowed values "a|b|c"; NULL: a number or text
    const char *fallback; // default value
    uint64_t max; // for an option of a format without choices: largest number, 1 or more; 0: the value is a text
};

struct tk_format_info {
    const char *name;                     // "tonbandgeraet"
    const char *title;                    // "Tonbandgeraet"
    const char *pieces;                   // plural word for the units of its recordings: "Frames"
    const struct tk_option_info *options; // options of this format only
    size_t option_count;
    bool takes_symbols;   // recordings contain addresses, which inputs of TK_ROLE_SYMBOLS resolve to names
    bool is_outlined;     // the default stage of a dump is TK_DUMP_OUTLINE
    bool has_vendor_dump; // TK_DUMP_VENDOR prints recordings like the vendor's own tool
    bool takes_times;     // recordings contain no times; an input of TK_ROLE_TIMES or tk_received provides them
    bool joins_cores; // recordings of the cores of one target are converted to one trace; false: each recording is a
                      // separate trace
    bool is_text;     // recordings are text files, not encoded bytes
};

size_t tk_format_count(void);
const struct tk_format_info *tk_format_at(size_t index);
// Returns the options that every format has: format, tick-ns, clock-hz, raw-events, wall-clock-ns, from-ns, to-ns.
// Forms of from-ns and to-ns, the first and the last moment of a time range, both included: "20", "20.5" (nanoseconds),
// "1.5s", "20ms", "30us", "20.5ns", "700ps", "5fs", and where the recording counts ticks or records "700 ticks",
// "90records".
const struct tk_option_info *tk_common_options(size_t *out_count);

// Returns true if recordings of a format take an option. format NULL: returns true if any format takes it.
bool tk_format_takes(const char *format, const char *key);
// Returns false if one of `formats` takes the option. Otherwise returns true; *out_text tells the user that the option
// is not used and which formats take it.
enum { TK_UNUSED_OPTION_TEXT = 512 };
bool tk_unused_option(const char *key, const char *value, const char *const *formats, size_t count,
                      char out_text[TK_UNUSED_OPTION_TEXT]);

// Returns a word for "fail-on" of a conversion: "drops", "damage" and so on, then the ids of all problems that a report
// may list ("FRAME_BROKEN"). Static; NULL after the last one.
const char *tk_fail_on_word(size_t index);

// Search for the name that a user meant by a misspelt word. The caller passes each known name to tk_nearest_try.
struct tk_nearest {
    const char *word; // set by the caller
    const char *name; // most similar name so far; NULL: none is similar
    size_t changes;   // number of characters that differ
};
void tk_nearest_try(struct tk_nearest *nearest, const char *name);

// ---- Conversion --------------------------------------------------------------------------------

typedef struct tk tk;

// Receives the trace in blocks of any size, in order. Returning false refuses the output (disk full, pipe closed),
// which is fatal.
struct tk_sink {
    void *ctx;
    bool (*write)(void *ctx, const uint8_t *bytes, size_t len);
    // Replaces the first bytes of the output. Called at most once, when the trace ends (in tk_finish, or in tk_feed
    // after to-ns) and the tick length or the wall clock became known only after the head was written. NULL: the output
    // cannot seek; the report lists wrong times that follow from this.
    bool (*rewrite_head)(void *ctx, const uint8_t *bytes, size_t len);
};

// OUTLINE: slices and instants of the trace, one per line, indented by their depth. VENDOR: the output format of the
// vendor's own tool; only for formats with has_vendor_dump (empty for others), and never as JSON. JOBS: the jobs of all
// tasks as CSV, one per line, in the order in which their ends are decided; never as JSON.
typedef enum tk_dump_stage {
    TK_DUMP_FRAMES,
    TK_DUMP_RECORDS,
    TK_DUMP_EVENTS,
    TK_DUMP_TRACKS,
    TK_DUMP_OUTLINE,
    TK_DUMP_JOBS,
    TK_DUMP_VENDOR
} tk_dump_stage;

// Receives one line (without newline) per item of a stage. Returning false refuses the output.
typedef bool (*tk_line_fn)(void *ctx, const char *line, size_t len);
// Receives text in pieces of any size. Returning false refuses the output.
typedef bool (*tk_write_fn)(void *ctx, const char *text, size_t len);

struct tk_input_info {
    const char *name; // name for the report; copied; NULL = ""
    tk_role role;     // TK_ROLE_NAMES, _SYMBOLS and _TIMES: feed them before the recordings
    int32_t core;     // core of a file that contains one core; -1: unknown (core 0, until the stream names another one)
};

TK_MUST_USE tk_status tk_new(const struct tk_allocator *allocator, tk **out_handle);

// Sets an option, before the first feed: one of tk_common_options, one of the format, or one of these:
//   "analysis"       0 leaves out the figures of jobs and the dump JOBS, which take time per event; default: 1
//   "deadline"       such as "Motor 5ms" or "Motor 5ms from delay": the report counts the jobs that miss it (table
//                    deadlines). May be repeated; the handle ignores deadlines after the 256th
//   "range-tick-ns"  tick length in ns that an earlier pass over the same inputs found (in its report), to convert
//                    from-ns and to-ns to ticks. A recording may contain its tick length at the end only. Without this
//                    option Tonkopf uses the tick length known so far; the report lists RANGE_SHIFTED if it was wrong
// range-tick-ns, from-ns and to-ns, in this order, may also be set later, if from-ns was set before the first feed, the
// trace has not begun, and the new from-ns is not before skipped_until_ticks of tk_progress. A host makes the trace of
// a time range so: it restores the last state before the range, which a first pass with the largest from-ns saved.
// Unknown key or bad value, or from-ns after to-ns: returns TK_MISUSE, not sticky, and tk_error_text lists what is
// allowed. An option of another format than that of the recordings has no effect; the report lists OPTION_UNUSED.
TK_MUST_USE tk_status tk_set_option(tk *handle, const char *key, const char *value);

// Adds an input. Several recordings in one handle are the cores of one target. If the format has no joins_cores, or
// their bytes prove that they come from two targets, tk_feed fails with TK_MISUSE as soon as it detects this.
TK_MUST_USE tk_status tk_add_input(tk *handle, const struct tk_input_info *info, uint32_t *out_input);
// Declares that the input is a memory dump in which the recording begins at byte `from`, as tk_probe found (`is_dump`,
// `from`). Call it before the first byte.
TK_MUST_USE tk_status tk_begin_input_at(tk *handle, uint32_t input, uint64_t from);

// Set the output: at most one of tk_set_sink, tk_set_dump and tk_set_samples, before the first feed. Without one, the
// handle only produces a report.
TK_MUST_USE tk_status tk_set_sink(tk *handle, const struct tk_sink *sink);
TK_MUST_USE tk_status tk_set_dump(tk *handle, tk_dump_stage stage, bool json, tk_line_fn line, void *ctx);

// Sets a second output beside the trace: the rows of a timeline in blocks, as core/viewer/block.h describes them, for a
// viewer that shows the recording while it is converted. `write` of the sink receives whole blocks. The blocks cover
// the recording even if the trace covers a time range only. Call it before the first feed. NULL: no such output;
// allowed at any time, also after a saved state was restored. TK_MISUSE: the output is a dump.
TK_MUST_USE tk_status tk_set_timeline(tk *handle, const struct tk_sink *sink);
// Passes on the blocks so far, so that the viewer is up to date. Does nothing without tk_set_timeline.
TK_MUST_USE tk_status tk_flush_timeline(tk *handle);

// Restricts a dump; after tk_set_dump and before the first byte. Values of the same key are alternatives; all keys must
// match.
//   "event"  stage events: name of an event; stage records: name of a record
//   "core"   stage events: number of a core
//   "task"   stage events: a task or active object, by its number or, after the recording has named it, by its name.
//            Selects the events of the task and the events of its core while the task runs
// At the stages events and tracks, from-ns and to-ns restrict the dump to a time range.
// Other keys and values: returns TK_MISUSE, not sticky, and tk_error_text gives the reason.
TK_MUST_USE tk_status tk_dump_only(tk *handle, const char *key, const char *value);

// Writes the samples of one signal as CSV instead of a trace or a dump, one row per sample; before the first byte.
// path: as in the table "signals" of a report, with or without the name of its root. Columns: time_ns (time_ps or
// time_fs if the trace shows scaled times; ticks if the tick length is unknown; empty if the axis is no time), value
// (numbers with all digits, other values as the trace shows them; empty: no value), details (a JSON object, or empty).
// from-ns and to-ns restrict the output to a time range.
TK_MUST_USE tk_status tk_set_samples(tk *handle, const char *path, tk_write_fn write, void *ctx);
// Writes the remaining rows, after tk_finish. Returns TK_MISUSE, not sticky, if no signal or several signals match, or
// if the signal had another path before; tk_error_text lists similar paths.
TK_MUST_USE tk_status tk_end_samples(tk *handle);

enum { TK_ANY_INPUT = -1, TK_NO_INPUT = -2 };

// Returns the input that the merge needs next; the handle merges several recordings by time. TK_ANY_INPUT: the host may
// feed any of them; TK_NO_INPUT: all have ended.
int32_t tk_wanted_input(const tk *handle);

// Feeds a chunk; chunks may be cut anywhere. The handle consumes a prefix (*out_consumed; the whole chunk if there is
// one recording). Feed the rest when tk_wanted_input returns this input again.
TK_MUST_USE tk_status tk_feed(tk *handle, uint32_t input, const uint8_t *bytes, size_t len, size_t *out_consumed);
// Returns the next range, at most 64 KiB, that the handle needs of an input of TK_ROLE_SYMBOLS. size: of the file in
// bytes. Returns false when it needs no more; then call tk_end_input. A host that cannot seek feeds the whole file with
// tk_feed instead; the handle then buffers up to 64 MiB until the end of the file.
bool tk_wanted_range(tk *handle, uint32_t input, uint64_t size, uint64_t *out_offset, size_t *out_len);
// Passes the bytes of the range from tk_wanted_range; fewer at the end of the file.
TK_MUST_USE tk_status tk_feed_range(tk *handle, uint32_t input, const uint8_t *bytes, size_t len);
// Finds a function or variable by its name as spelled in the inputs of TK_ROLE_SYMBOLS that have ended; the handle
// needs no recording. Returns false, and does not set *out_address, if none of them contains it.
bool tk_symbol_address(tk *handle, const char *name, uint64_t *out_address);
// Sets the receive time of all bytes fed from now on: `ns` on any clock that does not go back. For a host that reads a
// live target, with one recording. Formats whose recordings contain times ignore it.
TK_MUST_USE tk_status tk_received(tk *handle, uint32_t input, uint64_t ns);
// Ends the input. An incomplete frame at its end is reported, not decoded.
TK_MUST_USE tk_status tk_end_input(tk *handle, uint32_t input);
// Ends all inputs, closes all slices and writes the end of the trace. May be called after a fatal error to make the
// output loadable.
TK_MUST_USE tk_status tk_finish(tk *handle);

// ---- State -------------------------------------------------------------------------------------

// Writes to `sink` the bytes that complete the output written so far to a trace: those that tk_finish would write now.
// The handle does not change; the conversion goes on. rewrite_head, if needed (see struct tk_sink), concerns the
// completed copy. Doubles the memory of the handle during the call. Returns TK_MISUSE, not sticky, for a dump
// or after tk_finish. A failure concerns only the snapshot.
TK_MUST_USE tk_status tk_snapshot(tk *handle, const struct tk_sink *sink);

struct tk_progress {
    uint64_t bytes_in, events, bytes_out;
    // For a trace of a time range:
    uint64_t skipped_until_ticks; // events before this tick of the target are already filtered; from-ns may be set to
                                  // this tick or later
    bool is_complete;             // the trace is complete; later input changes only the report
    struct {
        uint64_t states, slices, instants, values, arguments;
    } left_out; // number of omitted items before the time range
};
void tk_get_progress(const tk *handle, struct tk_progress *out_progress);

// Byte counts of an input, in bytes; docs/REPORT.md lists the reasons for skipped bytes. After tk_finish, unless a
// fatal error occurred, fed = decoded + skipped + left, with each sum counted independently. Before it, `left` contains
// the bytes that are still undecided.
struct tk_account_sums {
    uint64_t fed, decoded, skipped, left;
};
void tk_get_account(const tk *handle, uint32_t input, struct tk_account_sums *out_sums);

// Returns details of the last error of this handle; "" if none.
const char *tk_error_text(const tk *handle);

// Write the report, after tk_finish (before it: the current state). JSON as in docs/REPORT.md, or text for users.
// tk_report_json allocates nothing.
TK_MUST_USE tk_status tk_report_json(const tk *handle, tk_write_fn write, void *ctx);
TK_MUST_USE tk_status tk_report_text(const tk *handle, tk_write_fn write, void *ctx);
// Writes a JSON array of startup commands that make Perfetto's viewer show the trace as its report proposes. handle
// NULL: for a trace without a report.
TK_MUST_USE tk_status tk_startup_commands_json(const tk *handle, tk_write_fn write, void *ctx);

void tk_free(tk *handle);

// ---- Reports -----------------------------------------------------------------------------------
// A report that outlives its handle: tables of figures, which can be written in several forms, compared and checked.

typedef struct tk_report tk_report;

typedef enum tk_report_form {
    TK_REPORT_JSON,     // as in docs/REPORT.md
    TK_REPORT_TEXT,     // text for a terminal
    TK_REPORT_MARKDOWN, // Markdown for a ticket
    TK_REPORT_CSV       // one table (RFC 4180)
} tk_report_form;

// Writes the schema of reports as JSON (docs/REPORT.md): id, title, kind, unit and role of every table and column that
// this build can produce, and every problem with its cause and remedy. Constant for one build. TK_SINK_REFUSED: `write`
// returned false.
TK_MUST_USE tk_status tk_schema_json(tk_write_fn write, void *ctx);
// Writes the formats and all options as JSON. wasm/types.ts describes the members (Catalogue).
TK_MUST_USE tk_status tk_catalogue_json(tk_write_fn write, void *ctx);

// Copies the current figures of a handle to a report; the caller frees it (tk_report_free).
TK_MUST_USE tk_status tk_report_new(const tk *handle, const struct tk_allocator *allocator, tk_report **out_report);
// Writes a report in one form. table: id of the table for TK_REPORT_CSV (TK_MISUSE if there is no such table),
// otherwise NULL. TK_SINK_REFUSED: `write` returned false.
TK_MUST_USE tk_status tk_report_write(const tk_report *report, tk_report_form form, const char *table,
                                      tk_write_fn write, void *ctx);
// Writes one table of a report as CSV so that several reports can be appended to one file. The first column,
// "recording", contains `recording` in every row. The others are all columns of the table in the schema; a column that
// the report does not have is empty. with_head: writes the line of column names first. TK_MISUSE: there is no such
// table.
TK_MUST_USE tk_status tk_report_write_csv(const tk_report *report, const char *table, const char *recording,
                                          bool with_head, tk_write_fn write, void *ctx);
// Writes why the worst jobs of a task were late, worst first: two lines of text per job, or JSON: a report that
// contains only the rows of the task in the tables "worst_jobs" and "worst_causes". TK_MISUSE: the report has no job of
// the task.
TK_MUST_USE tk_status tk_report_write_why(const tk_report *report, const char *task, bool json, tk_write_fn write,
                                          void *ctx);
// Adds a row to the table "verdicts", which becomes the first table of the report: the rule, the result and its
// explanation. Copies all texts. TK_NO_MEMORY: the report is unchanged or lacks the row.
TK_MUST_USE tk_status tk_report_add_verdict(tk_report *report, const char *rule, const char *verdict, const char *text);
// Reads a report from its JSON. TK_UNKNOWN_FORMAT: the text is no report; TK_OTHER_SCHEMA: the report has another
// version of the schema.
TK_MUST_USE tk_status tk_report_read(const char *json, size_t len, const struct tk_allocator *allocator,
                                     tk_report **out_report);
// Judges what became worse and better beyond the noise, and compares every table that both reports have; rows are
// matched by name (docs/COMPARE.md). The result is a report like any other, also as JSON.
TK_MUST_USE tk_status tk_report_compare(const tk_report *before, const tk_report *after,
                                        const struct tk_allocator *allocator, tk_report **out_report);

typedef enum tk_expectation {
    TK_EXPECT_PASS,
    TK_EXPECT_FAIL,
    TK_EXPECT_UNMEASURED, // the report has no such row, table, column or value, or unmeasured data could change the
                          // verdict
    TK_EXPECT_INVALID     // not a valid rule, or a table, column, unit or option that no report can have
} tk_expectation;

// Checks a report against one rule (docs/CHECK.md), such as "cpu.load<80%", "tasks[Motor*].longest_wait<5ms" or
// "deadline Motor 5ms". In the name of a row * matches any characters, and \*, \\ and \]
// match *, \ and ]. All matching rows must satisfy the rule. Options may follow after " ; ": rows >= N, rows == N,
// count >= N, coverage >= N%, missing_ok. *out_text: the worst row with its value and bound, or the error. For
// TK_EXPECT_PASS: "", or a note that missing_ok made an unmeasured rule pass.
enum { TK_EXPECT_TEXT = 512 };
tk_expectation tk_report_expect(const tk_report *report, const char *expression, char out_text[TK_EXPECT_TEXT]);
// Returns false if tk_report_expect would return TK_EXPECT_INVALID for every report of a conversion, with the reason in
// *out_text (otherwise ""). Needs no report.
bool tk_expect_check(const char *expression, char out_text[TK_EXPECT_TEXT]);

// ---- Files of rules: `tonkopf check` ----
// A text with one rule per line (docs/CHECK.md), and the verdicts on its rules for several reports.

typedef struct tk_check tk_check;

typedef enum tk_check_form {
    TK_CHECK_TEXT,     // a line per verdict
    TK_CHECK_MARKDOWN, // a table, the worst verdict first
    TK_CHECK_JUNIT,    // JUnit XML: a test case per rule and input
    TK_CHECK_SARIF,    // SARIF 2.1.0: the verdicts that are not "holds"
    TK_CHECK_GITHUB,   // annotations of GitHub: the verdicts that are not "holds"
    TK_CHECK_JSON      // all verdicts as a JSON object (docs/CHECK.md)
} tk_check_form;

// Reads a file of rules. Copies the text. name: of the file, for the outputs. A wrong line is no failure: see
// tk_check_is_wrong.
TK_MUST_USE tk_status tk_check_new(const struct tk_allocator *allocator, const char *name, const char *text, size_t len,
                                   tk_check **out_check);
// Sets the report that the word "baseline" of rules refers to. A text that is no report of this version of the schema
// makes the check wrong.
TK_MUST_USE tk_status tk_check_set_baseline(tk_check *check, const char *name, const char *json, size_t len);
// Returns true if a line or the baseline is wrong, or there is no rule. Then no recording is checked; the outputs
// contain the mistakes.
bool tk_check_is_wrong(const tk_check *check);
// Returns the text of the file, for the setting "rules" of a conversion.
const char *tk_check_text(const tk_check *check);
// Judges every rule on a report. input: name of the recording. TK_MISUSE: the check is wrong.
TK_MUST_USE tk_status tk_check_judge(tk_check *check, const tk_report *report, const char *input);
// Notes that an input could not be read or is no recording, so that no output looks as if all was checked.
TK_MUST_USE tk_status tk_check_note_unread(tk_check *check, const char *input, const char *text);
// Writes the verdicts so far in one form. TK_SINK_REFUSED: `write` returned false.
TK_MUST_USE tk_status tk_check_write(const tk_check *check, tk_check_form form, tk_write_fn write, void *ctx);
// Returns a tk_exit_code: 0 only if at least one report was checked and every rule holds.
int tk_check_exit_code(const tk_check *check);
void tk_check_free(tk_check *check); // NULL is allowed

// ---- Values of reports ----

// Returns the id of a table, in order; NULL after the last one. It lives as long as the report.
const char *tk_report_table_id(const tk_report *report, size_t index);
// Read single values by table, row and column, as docs/REPORT.md lists them.
// Returns the number of rows; 0 if there is no such table.
uint32_t tk_report_row_count(const tk_report *report, const char *table);
// Returns false, with *out_value 0, if there is no such value, or it is unknown or not an integer.
bool tk_report_number(const tk_report *report, const char *table, uint32_t row, const char *column,
                      uint64_t *out_value);
// Returns "" if there is no such text. Lives as long as the report.
const char *tk_report_string(const tk_report *report, const char *table, uint32_t row, const char *column);
// Returns the unit of times and durations: "ns", "ps" or "fs"; "ticks" or "records" if the axis counts those.
const char *tk_report_time_unit(const tk_report *report);
void tk_report_free(tk_report *report); // NULL is allowed

// ---- Conversions -------------------------------------------------------------------------------
// From sources to traces, reports and verdicts. A conversion is a state machine without I/O around handles: it unpacks
// gzip, zip, tar and text, recognises and groups the contents of the sources, converts each recording and checks its
// figures. The host performs one request after the other:
//
//   tk_conversion_new -> tk_conversion_add_source* -> tk_conversion_set* ->
//   while ((request = tk_conversion_next(conversion))->kind != TK_REQUEST_DONE) perform(request);
//   -> tk_conversion_exit_code -> tk_conversion_free
//
// The same sources and settings give the same requests on every host.

typedef struct tk_conversion tk_conversion;

struct tk_source_info {
    const char *name; // name for messages and reports; the part after its last slash may contain the core number;
                      // copied
    uint64_t size;    // size in bytes; UINT64_MAX: unknown
    bool is_seekable; // any range may be requested, several times; false: bytes are requested once, in order
    bool is_live;     // a target is sending: all its bytes are a recording. Not seekable
    bool is_side;     // a side input: only helps to read the recordings
    // Overrides by the user for all contents of the source. TK_PLAN_AUTO: none.
    int32_t encoding; // enum tk_encoding_kind
    int32_t role;     // enum tk_role
    int32_t core;
};

typedef enum tk_request_kind {
    // Read up to `len` bytes of `source` from `offset`. Answer: tk_conversion_answer or tk_conversion_fail.
    TK_REQUEST_READ,
    // `source` cannot seek, but its bytes are needed in any order or twice: append `bytes` to a copy of it; `len` 0:
    // read from the copy from now on. Answer: tk_conversion_keep or tk_conversion_fail.
    TK_REQUEST_KEEP,
    // All sources are recognised. The host may override the plan (tk_conversion_override), or end here.
    TK_REQUEST_PLAN,
    // The recording of `source` begins; `output` is its number, `text` its name: that of its first input. Answer:
    // tk_conversion_open or tk_conversion_skip.
    TK_REQUEST_OPEN,
    TK_REQUEST_WRITE,   // append `bytes` to the output; tk_conversion_fail if that is impossible
    TK_REQUEST_REWRITE, // replace the first `len` bytes of the output; only after tk_conversion_open with can_rewrite
    // The output is complete and its figures are checked. Its handle and report may be read now.
    TK_REQUEST_CLOSE,
    // Delete the output: it is incomplete; a message gave the reason. Also follows a failed write.
    TK_REQUEST_DISCARD,
    TK_REQUEST_PROGRESS, // no action needed; tk_conversion_handle provides the counts
    TK_REQUEST_MESSAGE,  // show `text` to the user, with `severity`
    TK_REQUEST_DONE
} tk_request_kind;

typedef enum tk_message_severity {
    TK_MESSAGE_DETAIL, // shown with the most verbose setting
    TK_MESSAGE_INFO,   // shown with a verbose setting
    TK_MESSAGE_WARNING,
    TK_MESSAGE_ERROR
} tk_message_severity;

struct tk_request {
    tk_request_kind kind;
    uint32_t source; // READ, KEEP, OPEN, MESSAGE: number from tk_conversion_add_source
    uint32_t output; // from OPEN to CLOSE or DISCARD: number of the recording, from 0
    bool is_look;    // READ: Tonkopf recognises the source by these bytes; a host may wait until a live line is quiet
    tk_message_severity severity; // MESSAGE
    uint64_t offset;              // READ: in the source
    size_t len;                   // READ, KEEP, WRITE, REWRITE: number of bytes
    const uint8_t *bytes;         // KEEP, WRITE, REWRITE: valid until the next call on the conversion
    const char *text;             // OPEN, MESSAGE: valid until the next call on the conversion
};

typedef enum tk_exit_code {
    TK_EXIT_FINE,
    TK_EXIT_PROBLEMS, // a rule of "fail-on" or "expect" is violated
    TK_EXIT_USAGE,    // a setting does not fit the recordings
    TK_EXIT_INPUT,    // a source is unreadable, or no format recognises it
    TK_EXIT_OUTPUT    // an output could not be written
} tk_exit_code;

TK_MUST_USE tk_status tk_conversion_new(const struct tk_allocator *allocator, tk_conversion **out_conversion);
// Adds a source, before the first request. *out_source: its number, from 0 in the order of the calls. TK_MISUSE: too
// late.
TK_MUST_USE tk_status tk_conversion_add_source(tk_conversion *conversion, const struct tk_source_info *info,
                                               uint32_t *out_source);
// Sets an option of tk_set_option, for the recordings whose format has it. from-ns and to-ns choose the time range of
// the output and of the checks. Unknown key or bad value: returns TK_MISUSE, and tk_conversion_error lists what is
// allowed. The conversion stays usable.
TK_MUST_USE tk_status tk_conversion_set_option(tk_conversion *conversion, const char *key, const char *value);
// Sets a setting of the conversion itself, or an option as tk_conversion_set_option does. The settings are:
//   "output"   trace (default), report, dump or samples
//   "expect"   an expectation of tk_report_expect; may be repeated
//   "rules"    the text of a file of rules (tk_check_new): the reports count the jobs that miss its deadlines, as they
//              do for those of "expect"
//   "fail-on"  drops, damage, loss, notice, restarts, any, or the id of a problem; may be repeated
//   "stage"    of a dump: frames, records, events, tracks, outline, jobs, or auto (default): outline or events, as the
//              format has it (is_outlined)
//   "json"     of a dump: 1 for JSON lines; 0 (default) for text
//   "like"     of a dump: original, which is the stage TK_DUMP_VENDOR
//   "event", "task", "core"  of a dump: as in tk_dump_only; may be repeated
//   "signal"   of samples: path of the signal
//   "figures"  range: the report of a trace of a time range covers that range, as it always does with "expect" and
//              "fail-on". It takes the memory of a second handle
//   "range"    later: the report covers the recording, and the trace contains only names until tk_conversion_set_range
//              chooses the time range. A host that saves the memory of the conversion meanwhile can make the trace of
//              any later range from it
//   "unused"   quiet: no message about options that only other formats have
// Unknown key or bad value: returns TK_MISUSE, and tk_conversion_error lists what is allowed. The conversion stays
// usable.
TK_MUST_USE tk_status tk_conversion_set(tk_conversion *conversion, const char *key, const char *value);
// Returns why tk_conversion_add_source, tk_conversion_set_option or tk_conversion_set has just failed.
const char *tk_conversion_error(const tk_conversion *conversion);

// Returns the next request. Returns the same request again until the host answers it.
const struct tk_request *tk_conversion_next(tk_conversion *conversion);
// Answers TK_REQUEST_READ. Fewer bytes than requested are allowed; 0 bytes: the source ends here. `ns`: receive time,
// on any clock that does not go back; 0: unknown.
void tk_conversion_answer(tk_conversion *conversion, const uint8_t *bytes, size_t len, uint64_t ns);
// Answers TK_REQUEST_KEEP: the host has appended the bytes.
void tk_conversion_keep(tk_conversion *conversion);
// Answers TK_REQUEST_OPEN: convert the recording. can_rewrite: the host can replace the first bytes of the output.
void tk_conversion_open(tk_conversion *conversion, bool can_rewrite);
// Answers TK_REQUEST_OPEN: do not convert the recording. No further request is about it.
void tk_conversion_skip(tk_conversion *conversion);
// Sets the sink of tk_set_timeline for the outputs that are opened from now on; not for dumps. NULL: none, also for the
// open output.
void tk_conversion_set_timeline(tk_conversion *conversion, const struct tk_sink *sink);
// Calls tk_flush_timeline for the open output.
void tk_conversion_flush_timeline(tk_conversion *conversion);
// Chooses the time range of the open output, after TK_REQUEST_OPEN with "range" later. The output ends as soon as it is
// complete, and gets no report. tick_ns: tick length from the report of the recording; 0: unknown. Returns TK_MISUSE if
// no output is open, or the conversion has read beyond from_ns (see skipped_until_ticks of struct tk_progress).
TK_MUST_USE tk_status tk_conversion_set_range(tk_conversion *conversion, uint64_t tick_ns, uint64_t from_ns,
                                              uint64_t to_ns);
// Makes the open output, before tk_conversion_set_range, a dump of the tracks as JSON lines instead of a trace. It
// contains no names that were defined before this call. Returns TK_MISUSE as tk_conversion_set_range.
TK_MUST_USE tk_status tk_conversion_set_dump(tk_conversion *conversion);
// Answers that the host cannot perform the request. `reason` becomes part of the message; NULL: no message (the reader
// of a pipe has closed it).
void tk_conversion_fail(tk_conversion *conversion, const char *reason);
// Ends all sources, for a live source: Tonkopf converts the bytes received so far.
void tk_conversion_end(tk_conversion *conversion);

// Returns the number of inputs, at TK_REQUEST_PLAN.
uint32_t tk_conversion_input_count(const tk_conversion *conversion);

// One input: a source, a file in an archive, or a block of a text.
struct tk_conversion_input {
    uint32_t source;
    int32_t member; // index of the file in an archive; -1: none
    uint32_t block; // number of the block in a text
    const char *name;
    const char *encoding_reason;
    const struct tk_plan_input *plan;
};
// Describes input number `input`, which is below tk_conversion_input_count. Texts and plan belong to the conversion.
void tk_conversion_input(const tk_conversion *conversion, uint32_t input, struct tk_conversion_input *out_input);
// Writes everything about the inputs, with their probes, their plan and its reasons, as a JSON list; at
// TK_REQUEST_PLAN. wasm/types.ts describes the members (DetectedInput).
TK_MUST_USE tk_status tk_conversion_inputs_json(const tk_conversion *conversion, tk_write_fn write, void *ctx);
// Returns the number of recordings, which is that of outputs, at TK_REQUEST_PLAN.
uint32_t tk_conversion_recording_count(const tk_conversion *conversion);
// Overrides the plan for one input and plans again. TK_PLAN_AUTO or NULL: no override. The values are those of struct
// tk_plan_input. Has no effect at other requests than TK_REQUEST_PLAN.
void tk_conversion_override(tk_conversion *conversion, uint32_t input, int32_t role, int32_t core, int32_t with,
                            const char *format);

// Returns the handle whose report belongs to the output, from TK_REQUEST_OPEN to CLOSE; NULL at TK_REQUEST_DISCARD.
// With a time range and checks another handle writes the trace: take its size from the WRITE requests.
const tk *tk_conversion_handle(const tk_conversion *conversion);

// Makes the report of the output at TK_REQUEST_CLOSE, with its verdicts on "expect" and "fail-on" (tk_report_free).
TK_MUST_USE tk_status tk_conversion_report(tk_conversion *conversion, tk_report **out_report);
int tk_conversion_exit_code(const tk_conversion *conversion); // so far; the final exit code at TK_REQUEST_DONE
void tk_conversion_free(tk_conversion *conversion);           // NULL is allowed

#if defined(__GNUC__) && !defined(_WIN32)
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
#endif
