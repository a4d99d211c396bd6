// SPDX-License-Identifier: MIT
//
// Tonkopf: turns what a microcontroller recorded into a Perfetto trace.
// This is the only public header. The library is C11, does no I/O, has no globals, reads no clock.
//
//   tk_new -> tk_set_option* -> tk_add_input* -> tk_set_sink -> (tk_feed* tk_end_input)* -> tk_finish -> tk_report_* ->
//   tk_free
//
// Ownership: every pointer handed in is borrowed until the call returns; functions that keep data say
// "copies". Every string handed out belongs to the library and lives as long as the handle, or is static.
// Errors: only the codes of tk_status are fatal, and they are sticky: once a call on a handle returned one,
// every later call returns the same and does nothing, but tk_finish may still be called to close the trace.
// Damaged input is never an error: it is counted, skipped and told in the report.
// A handle may be used by one thread at a time; different handles are independent.
#ifndef TONKOPF_H
#define TONKOPF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#if defined(__GNUC__) && !defined(_WIN32)
#pragma GCC visibility push(default) // these alone are seen from outside of the shared library
#endif

#define TK_VERSION "0.1.0"

const char *tk_version(void); // of the library that is linked

#if defined(__GNUC__)
#define TK_MUST_USE __attribute__((warn_unused_result))
#else
#define TK_MUST_USE
#endif

// ---- Status ------------------------------------------------------------------------------------

// Fatal codes. Everything else that can go wrong is counted and told in the report.
typedef enum tk_status {
    TK_OK,
    TK_NO_MEMORY,      // out of memory
    TK_SINK_REFUSED,   // the output could not be written
    TK_MISUSE,         // the library was called in a way it does not allow
    TK_UNKNOWN_FORMAT, // the input is no recording that Tonkopf knows
    TK_OTHER_SCHEMA    // the report has another version of the schema
} tk_status;

// One English sentence without a full stop, static.
const char *tk_status_text(tk_status status);

// ---- Memory ------------------------------------------------------------------------------------

// new_size 0 frees and returns NULL; ptr NULL allocates. On failure the old block stays valid.
typedef void *(*tk_realloc_fn)(void *ctx, void *ptr, size_t old_size, size_t new_size);

struct tk_allocator {
    tk_realloc_fn realloc;
    void *ctx;
};

// realloc and free of the C library.
const struct tk_allocator *tk_libc_allocator(void);

// ---- Recognising what bytes are ----------------------------------------------------------------

enum { TK_PROBE_LEN = 256 * 1024 }; // more of the head than this is not looked at
enum {
    TK_MAX_CORES = 32, // a recording that claims a higher core number is taken as damaged there
    TK_MAX_SIDE_INPUTS = 32,
    TK_MAX_INPUTS = TK_MAX_CORES + TK_MAX_SIDE_INPUTS // of one trace
};

// What bytes of no format are known to be.
typedef enum tk_content {
    TK_CONTENT_UNKNOWN,
    TK_CONTENT_TRACE,
    TK_CONTENT_SYMBOLS,
    TK_CONTENT_TIMES,
    TK_CONTENT_OTHER
} tk_content;

typedef enum tk_header { TK_HEADER_NOT_NEEDED, TK_HEADER_PRESENT, TK_HEADER_MISSING } tk_header;

// What tk_probe says about the head of one binary input. Plain data, no pointers to free; may be copied.
struct tk_probe {
    const char *format;  // name as in tk_format_info, or NULL: not recognised
    uint32_t confidence; // 0 .. 100
    tk_content content;  // without a format: a trace of the viewer already, an ELF file or linker map, receive times,
                         // something else that is known, or open
    char mode[24];       // value for the option "mode" of the format, "" where the format has none
    char reason[160];    // one sentence for users: why this format, or why none
    uint64_t looked;     // bytes looked at, from the first one on
    bool is_dump;        // of memory, in which the recording begins at `from`
    uint64_t from;
    bool padding;        // they are all 00, or all FF
    uint64_t frames;     // in them
    uint64_t valid;      // of them valid
    uint64_t text_bytes; // bytes of text (boot messages) before or between the frames
    bool names_tick;     // the head names the tick length, or nothing after it will (the format has a clock of its own)
    uint64_t tick_ns;    // ... this one; 0 = not named
    bool has_events;     // anything with a time; false: names only
    bool is_names_file;  // a file that only names things for recordings; false: an input without events is a capture
                         // that ended early
    uint64_t first_ticks, last_ticks; // of the looked-at part, in ticks of the target
    bool file_per_core;  // the cores of its target have a file each: its header says so, or it has none and another one
                         // may
    tk_header header;    // which one file of each target has, and which all its files are read by
    uint32_t cores_mask; // cores that the stream itself names (bit n = core n); 0: it names none
    // Evidence for "these files are cores of one recording": what is named, created and run here.
    // ids beyond the table are left out, which can only weaken the evidence.
    struct {
        uint32_t id, name_hash;
        uint8_t named, created, runs;
    } tasks[64];
    uint32_t task_count;
    uint32_t idle_core_mask; // cores for which an idle task is announced here
};

// Looks at the first bytes of a binary input (text encodings decoded). tail may be NULL; given, it improves last_ticks.
void tk_probe(const uint8_t *head, size_t head_len, const uint8_t *tail, size_t tail_len, struct tk_probe *out_probe);

// Nothing was recognised in the bytes looked at so far: looks at the next ones, up to TK_PROBE_LEN at once. A recording
// may begin anywhere in a dump of flash or memory. *probe becomes that of the first part that is recognised, and until
// then tells of all parts. True: still nothing, but what follows may be one; never, when *probe has a format.
bool tk_probe_continue(const uint8_t *bytes, size_t len, struct tk_probe *probe);
// Whether that is worth while at all behind the head that was probed.
bool tk_probe_can_continue(const struct tk_probe *probe);

// ---- What the inputs are for -------------------------------------------------------------------

typedef enum tk_role {
    TK_ROLE_RECORDING, // becomes the trace
    TK_ROLE_NAMES,     // only lends names, tick length and settings of the target: an earlier capture, a dictionary
    TK_ROLE_SYMBOLS,   // the target's program: functions and lines by address
    TK_ROLE_TIMES,     // when which byte of a recording was received
    TK_ROLE_NONE       // serves nobody
} tk_role;

enum { TK_PLAN_AUTO = -1 }; // no override
#define TK_NO_GROUP UINT32_MAX

struct tk_plan_input {
    // What is known of it, each by itself.
    const char *name;             // of the file, or its path in an archive; "" if none
    const struct tk_probe *probe; // of its head
    uint32_t container; // the same number for all that came out of one archive or one text; 0: a file of its own
    int32_t found_core; // that its container names; -1: none
    // What a person said; TK_PLAN_AUTO or NULL: nothing.
    int32_t role;       // enum tk_role
    int32_t core;       // 0 .. TK_MAX_CORES - 1
    int32_t with;       // index of the recording that it belongs to; its own index: a recording of its own
    const char *format; // name; of a side input only where its own bytes tell none
    // The plan.
    tk_role out_role;
    const char *out_format; // its own; NULL: not recognised
    uint32_t out_group;     // of a recording: those with the same number are one trace; numbered from 0 in order of the
                            // inputs. TK_NO_GROUP: none
    int32_t out_core;   // of a recording: the core it holds; -1: it names its cores itself, has one, or is of a format
                        // that joins none
    uint32_t out_order; // place in the order in which they are added to handles: what serves comes before the
                        // recordings
    char out_reason[256]; // one sentence for users, without a full stop
};

// Decides what each input is for, and which recordings belong together: those that a person or their container says,
// those whose names differ in the core (`name@N`, core0 / cpu1-like; in any number, where the format has a file per
// core), and those of which one runs tasks that only the other names while their times overlap. Where the format does
// not join cores, each stays a trace of its own. A file of names becomes a side input of the recordings of its own
// format, where there are any. The order of the inputs decides only what nothing else does. The inputs of one trace fit
// into one handle.
void tk_plan(struct tk_plan_input *inputs, size_t count);
// Whether a side input of a plan serves the recordings of a group: it is added to their handle.
bool tk_plan_serves(const struct tk_plan_input *inputs, size_t count, size_t side, uint32_t group);
// Why an input of a plan cannot go with one of its recordings even if the user says so (`with`), static; NULL: it can,
// where a core is free.
const char *tk_plan_conflict(const struct tk_plan_input *input, const struct tk_plan_input *recording);

// Core number in a file name (`name@1`, `x.core1.bin`, `cpu-0.hex`), or -1. *out_stem_len: length of what precedes it.
int32_t tk_core_from_name(const char *name, size_t *out_stem_len);

// ---- Text encodings -----------------------------------------------------------------------------
// hex and other digits in any notation, base64, base32, the JSON of the demo converter -> bytes. One text may hold
// several blocks, each of which the host opens as an input of its own.

typedef enum tk_encoding_kind {
    TK_ENCODING_BINARY,
    TK_ENCODING_HEX,
    TK_ENCODING_BASE64,
    TK_ENCODING_JSON
} tk_encoding_kind;

struct tk_encoding_probe {
    tk_encoding_kind kind; // TK_ENCODING_BINARY: feed the bytes as they are
    char reason[160];      // one sentence for users
};

// Looks at the first bytes (TK_PROBE_LEN is plenty; 64 bytes may be enough).
void tk_encoding_probe(const uint8_t *bytes, size_t len, struct tk_encoding_probe *out_probe);
// A text that a format reads as it is (a file of names): its bytes are fed as they are. To be asked before
// tk_encoding_probe.
bool tk_format_reads_text(const uint8_t *bytes, size_t len);

struct tk_encoding_sink {
    void *ctx;
    // A block begins. core: -1 unknown. title: as in the text, "" if none; not terminated beyond title_len.
    // Said again for a block that has begun when a JSON names its core or the title after the data.
    bool (*begin)(void *ctx, uint32_t block, int32_t core, const char *title, size_t title_len);
    bool (*data)(void *ctx, uint32_t block, const uint8_t *bytes, size_t len);
};

struct tk_encoding_result {
    uint32_t blocks;
    uint64_t bytes;                // decoded
    uint64_t ignored;              // characters that are noise (offsets, ASCII columns, log prefixes, punctuation)
    uint64_t bad;                  // characters that should have been digits; the first of them:
    uint64_t bad_line, bad_column; // from 1; 0: none
    char bad_text[160]; // one sentence with the place, "" if none; also with bad 0: a gap in a dump, a cut JSON
    char mode[24];      // what a demo JSON says about its mode, else ""
};

typedef struct tk_encoding tk_encoding;

TK_MUST_USE tk_status tk_encoding_new(const struct tk_allocator *allocator, tk_encoding_kind kind,
                                      const struct tk_encoding_sink *sink, tk_encoding **out_decoder);
// Any chunk, cut anywhere. TK_SINK_REFUSED when the sink returned false.
TK_MUST_USE tk_status tk_encoding_feed(tk_encoding *decoder, const uint8_t *bytes, size_t len);
// Nothing comes out before the notation is known, which may take TK_PROBE_LEN bytes. Who reads a live line and sees
// that what has come is enough says so here; what has come is decoded now, and what follows as it comes.
TK_MUST_USE tk_status tk_encoding_detect_now(tk_encoding *decoder);
TK_MUST_USE tk_status tk_encoding_finish(tk_encoding *decoder, struct tk_encoding_result *out_result);
// Line of the text (from 1) that holds the decoded byte at `offset` of `block`; 0: unknown. After finish too.
uint64_t tk_encoding_line(const tk_encoding *decoder, uint32_t block, uint64_t offset);
void tk_encoding_free(tk_encoding *decoder);

// ---- Archives ----------------------------------------------------------------------------------
// zip and tar: which members there are, and where. Reading, and unpacking what is deflated, is the host's.

typedef enum tk_archive_kind { TK_ARCHIVE_NONE, TK_ARCHIVE_ZIP, TK_ARCHIVE_TAR } tk_archive_kind;

// The first 512 bytes are enough.
tk_archive_kind tk_archive_probe(const uint8_t *head, size_t len);

typedef enum tk_member_state {
    TK_MEMBER_STORED,
    TK_MEMBER_DEFLATED, // raw deflate, without a header
    TK_MEMBER_ENCRYPTED,
    TK_MEMBER_UNSUPPORTED, // compressed in another way
    TK_MEMBER_DAMAGED      // its place cannot be found
} tk_member_state;

struct tk_member {
    const char *path; // clean UTF-8 of at most 255 bytes, to show only: it may hold "..", or stand twice; owned by the
                      // archive
    tk_member_state state;
    uint64_t offset; // of its bytes in the file
    uint64_t packed; // number of them there; the file may end before
    uint64_t size;   // unpacked, as the archive claims
};

typedef struct tk_archive tk_archive;

// size: of the file in bytes; UINT64_MAX: unknown, which is enough for tar.
TK_MUST_USE tk_status tk_archive_new(const struct tk_allocator *allocator, tk_archive_kind kind, uint64_t size,
                                     tk_archive **out_archive);
// The range of the file that is needed next, at most 256 KiB; of tar the ranges ascend. False: all members are known.
bool tk_archive_wanted(const tk_archive *archive, uint64_t *out_offset, size_t *out_len);
// The bytes of that range; fewer when the file ends there.
TK_MUST_USE tk_status tk_archive_feed(tk_archive *archive, const uint8_t *bytes, size_t len);
// Files only; folders and hidden files are left out. At most 1000.
uint32_t tk_archive_count(const tk_archive *archive);
bool tk_archive_member(const tk_archive *archive, uint32_t index, struct tk_member *out_member);
const char *tk_archive_problem(const tk_archive *archive); // what is wrong with it, a static text; "": nothing
const char *tk_member_reason(tk_member_state state);       // why it cannot be read, static; "": it can
void tk_archive_free(tk_archive *archive);

// ---- Formats and their options -----------------------------------------------------------------

struct tk_option_info {
    const char *key;      // for tk_set_option, lower case with dashes
    const char *label;    // for a form
    const char *help;     // one sentence
    const char *choices;  // "a|b|c", or NULL: a number or text
    const char *fallback; // value when not set
    uint64_t max;         // of a format's option without choices: the largest number, from 1 on; 0: a text
};

struct tk_format_info {
    const char *name;                     // "tonbandgeraet"
    const char *title;                    // "Tonbandgeraet"
    const char *pieces;                   // what its recordings consist of, more than one of them: "Frames"
    const struct tk_option_info *options; // of this format only
    size_t option_count;
    bool takes_symbols;   // its recordings hold addresses, which inputs of TK_ROLE_SYMBOLS name
    bool is_outlined;     // people read it best as TK_DUMP_OUTLINE
    bool has_vendor_dump; // TK_DUMP_VENDOR prints them as the tool does that the format comes with
    bool takes_times;     // they bear no times, which an input of TK_ROLE_TIMES or tk_received tells
    bool joins_cores;     // a recording of each core may become one trace; else each recording is a trace of its own
    bool is_text;         // they are text themselves, and no encoding of bytes
};

size_t tk_format_count(void);
const struct tk_format_info *tk_format_at(size_t index);
// Options that every format has: format, tick-ns, raw-events, wall-clock-ns, from-ns, to-ns. Forms of from-ns and
// to-ns, which are the first and the last moment of a time range, both included: "20", "20.5" (nanoseconds; "0.7" is
// 700 ps), and where the recording counts ticks or records "700 ticks", "90 records". The command line writes
// them 20.5ns, 700ps, 700ticks.
const struct tk_option_info *tk_common_options(size_t *out_count);

// Whether an option is for recordings of a format: false of one that only other formats have. NULL: of any format.
bool tk_format_takes(const char *format, const char *key);
// Returns false if one of `formats` takes the option; else *out_text says that the option is not used, and by which
// formats it would be.
enum { TK_UNUSED_OPTION_TEXT = 512 };
bool tk_unused_option(const char *key, const char *value, const char *const *formats, size_t count,
                      char out_text[TK_UNUSED_OPTION_TEXT]);

// Words that "fail-on" of a conversion takes: "drops", "damage" and so on, then the ids of all problems that a report
// may name ("FRAME_BROKEN"). Static; NULL after the last.
const char *tk_fail_on_word(size_t index);

// ---- Conversion --------------------------------------------------------------------------------

typedef struct tk tk;

// Where the trace goes. Blocks of any size, in order; false refuses (disk full, pipe closed): fatal.
struct tk_sink {
    void *ctx;
    bool (*write)(void *ctx, const uint8_t *bytes, size_t len);
    // Replaces the first bytes of what was written; called at most once, when the trace ends (in tk_finish, or in
    // tk_feed behind to-ns) and the tick length (or the wall clock) became known too late. NULL: the output cannot
    // seek; the report says if that hurt.
    bool (*rewrite_head)(void *ctx, const uint8_t *bytes, size_t len);
};

// OUTLINE: slices and instants as they are drawn, each in a line that is indented as deep as it is nested. ORIGINAL: as
// the tool prints them that the format comes with, which has_vendor_dump of its description tells; of other formats
// nothing, and never as JSON.
typedef enum tk_dump_stage {
    TK_DUMP_FRAMES,
    TK_DUMP_RECORDS,
    TK_DUMP_EVENTS,
    TK_DUMP_TRACKS,
    TK_DUMP_OUTLINE,
    TK_DUMP_VENDOR
} tk_dump_stage;

// One line (without newline) per item of a stage.
typedef bool (*tk_line_fn)(void *ctx, const char *line, size_t len);
// Text in pieces of any size; false refuses.
typedef bool (*tk_write_fn)(void *ctx, const char *text, size_t len);

struct tk_input_info {
    const char *name; // for the report; copied; NULL = ""
    tk_role role; // TK_ROLE_RECORDING, or TK_ROLE_NAMES, TK_ROLE_SYMBOLS or TK_ROLE_TIMES: feed before the recordings
    int32_t core; // core of a file that holds one core; -1: unknown (0, until the stream says otherwise)
};

TK_MUST_USE tk_status tk_new(const struct tk_allocator *allocator, tk **out_handle);

// Besides the options of tk_common_options and of the format: "range-tick-ns", the tick length that an earlier pass
// over the same inputs found (in its report), with which from-ns and to-ns are understood. A recording may name its
// tick length last; without it the part is found with the length known so far, and the report says so (RANGE_SHIFTED).
// Before the first feed. range-tick-ns, from-ns and to-ns, in this order, also later: in a handle that had from-ns from
// its beginning and whose trace has not begun, to any moment that it has not been told of yet (skipped_until_ticks of
// tk_progress). The WebAssembly modules make the trace of a part so: from the last state before it of a first pass with
// from-ns at its largest value.
// Unknown key or bad value, from-ns behind to-ns: TK_MISUSE, not sticky, and tk_error_text says what is allowed. An
// option of another format than the recordings turn out to have changes nothing, and the report says so
// (OPTION_UNUSED).
TK_MUST_USE tk_status tk_set_option(tk *handle, const char *key, const char *value);

// Several recordings in one handle are the cores of one target; of a format without joins_cores, or where their bytes
// show that they are of two targets, the first feed that shows it fails, TK_MISUSE.
TK_MUST_USE tk_status tk_add_input(tk *handle, const struct tk_input_info *info, uint32_t *out_input);
// The input is a dump of memory in which the recording begins at this byte, as tk_probe found (`is_dump`, `from`).
// Before the first byte.
TK_MUST_USE tk_status tk_begin_input_at(tk *handle, uint32_t input, uint64_t from);

// Exactly one of the two, before the first feed; with neither the output is discarded (report only).
TK_MUST_USE tk_status tk_set_sink(tk *handle, const struct tk_sink *sink);
TK_MUST_USE tk_status tk_set_dump(tk *handle, tk_dump_stage stage, bool json, tk_line_fn line, void *ctx);

// Shows only some of it, after tk_set_dump and before the first byte; several values of one key widen it, several keys
// narrow it.
//   "event"  stage events: a name as in the lines; stage records: the name of a record
//   "core"   stage events: number of a core
//   "task"   stage events: a task or active object, by number as in the dump or by name from where the recording tells
//   it:
//            what concerns it, and what happens on its core while it runs
// At the stages events and tracks the options from-ns and to-ns leave out the rest of the time.
// Anything else: TK_MISUSE, not sticky, and tk_error_text says why.
TK_MUST_USE tk_status tk_dump_only(tk *handle, const char *key, const char *value);

// Instead of a trace or a dump: the samples of one signal as CSV, a row each. path: as the table "signals" of a report
// has it, with or without the name of its root. Columns: time_ns (time_ps or time_fs where the trace shows times longer
// than they are; ticks where their length is unknown; empty on an axis that is no time), value (of numbers all digits,
// else as it is drawn; empty: none), details (a JSON object, or empty). The options from-ns and to-ns leave out the
// rest of the time. Before the first byte.
TK_MUST_USE tk_status tk_set_samples(tk *handle, const char *path, tk_write_fn write, void *ctx);
// Behind tk_finish: writes what is left. TK_MISUSE, not sticky: there is no such signal, there are several, or it had
// another path at first; tk_error_text tells which are near.
TK_MUST_USE tk_status tk_end_samples(tk *handle);

enum { TK_ANY_INPUT = -1, TK_NO_INPUT = -2 };

// The input whose bytes are needed to go on: several recordings are merged by time inside.
// TK_ANY_INPUT: whichever; TK_NO_INPUT: all have ended.
int32_t tk_wanted_input(const tk *handle);

// Any chunk, cut anywhere. Consumes a prefix (*out_consumed; all of it when there is one recording); feed the rest
// again when tk_wanted_input names this input.
TK_MUST_USE tk_status tk_feed(tk *handle, uint32_t input, const uint8_t *bytes, size_t len, size_t *out_consumed);
// An input of TK_ROLE_SYMBOLS is read by ranges, however large it is: the one that is needed next, of at most 64 KiB.
// size: of the file in bytes. False: no more, then tk_end_input. A host that cannot seek feeds the whole file with
// tk_feed instead, which keeps up to 64 MiB of it until its end.
bool tk_wanted_range(tk *handle, uint32_t input, uint64_t size, uint64_t *out_offset, size_t *out_len);
// The bytes of that range; fewer when the file ends there.
TK_MUST_USE tk_status tk_feed_range(tk *handle, uint32_t input, const uint8_t *bytes, size_t len);
// What is fed from here on was received at `ns`, on any clock that does not go back: for a host that reads a target as
// it sends. For the only recording; formats whose recordings have times ignore it.
TK_MUST_USE tk_status tk_received(tk *handle, uint32_t input, uint64_t ns);
// The input ends here. Its last partial frame is reported, never decoded.
TK_MUST_USE tk_status tk_end_input(tk *handle, uint32_t input);
// Ends all inputs, closes every slice, writes what comes last. Also after a fatal error, to make the output loadable.
TK_MUST_USE tk_status tk_finish(tk *handle);

// ---- State -------------------------------------------------------------------------------------

// Writes what the sink has to take behind all that it took so far, so that it is a trace: the same as tk_finish would
// write now. The handle does not change, and its conversion goes on. Where the head has to be replaced (see struct
// tk_sink), that is for the copy that became a trace. Needs as much memory again as the handle for as long as it takes.
// Not of a dump (TK_MISUSE, not sticky). A failure concerns the snapshot only.
TK_MUST_USE tk_status tk_snapshot(tk *handle, const struct tk_sink *sink);

struct tk_progress {
    uint64_t bytes_in, events, bytes_out;
    // Of a trace that holds a part of the time:
    uint64_t skipped_until_ticks; // events before this tick of the target are filtered already: from-ns may be set to
                                  // this tick or later
    bool is_complete;             // what is fed from here on changes only the report
    struct {
        uint64_t states, slices, instants, values, arguments;
    } left_out; // what came before the part
};
void tk_get_progress(const tk *handle, struct tk_progress *out_progress);

// What became of the bytes of an input; docs/REPORT.md tells the reasons one by one. After tk_finish, and without a
// fatal error, fed = decoded + skipped + left, each counted for itself; before it, `left` is what is not decided yet.
struct tk_account_sums {
    uint64_t fed, decoded, skipped, left;
};
void tk_get_account(const tk *handle, uint32_t input, struct tk_account_sums *out_sums);

// Details of the last error of this handle, "" if none.
const char *tk_error_text(const tk *handle);

// The report, after tk_finish (before it: what is known so far). JSON as in docs/REPORT.md, or text for users.
// tk_report_json allocates nothing.
TK_MUST_USE tk_status tk_report_json(const tk *handle, tk_write_fn write, void *ctx);
TK_MUST_USE tk_status tk_report_text(const tk *handle, tk_write_fn write, void *ctx);
// The startup commands of the Perfetto viewer that show the trace as its report proposes, as a JSON array. handle NULL:
// of a trace about which nothing is known.
TK_MUST_USE tk_status tk_startup_commands_json(const tk *handle, tk_write_fn write, void *ctx);

void tk_free(tk *handle);

// ---- Reports -----------------------------------------------------------------------------------
// A report of its own: tables of figures that outlive the handle, are written in any form, compared and judged.

typedef struct tk_report tk_report;

typedef enum tk_report_form {
    TK_REPORT_JSON,     // as in docs/REPORT.md, without series
    TK_REPORT_TEXT,     // for a terminal
    TK_REPORT_MARKDOWN, // for a ticket
    TK_REPORT_CSV       // one table (RFC 4180)
} tk_report_form;

// What the tables and columns of reports mean, as JSON (docs/REPORT.md): id, title, kind, unit, role of all that this
// build can produce. Constant for one build. TK_SINK_REFUSED: `write` returned false.
TK_MUST_USE tk_status tk_schema_json(tk_write_fn write, void *ctx);

TK_MUST_USE tk_status tk_report_new(const tk *handle, const struct tk_allocator *allocator, tk_report **out_report);
// table: id of the table for TK_REPORT_CSV (TK_MISUSE: there is none), else NULL.
TK_MUST_USE tk_status tk_report_write(const tk_report *report, tk_report_form form, const char *table,
                                      tk_write_fn write, void *ctx);
// One table of several reports as one CSV: the first column, "recording", holds `recording` in every row; the others
// are all columns of the table in the schema, so that the rows of different reports have the same columns. A column
// that the report does not have is empty. Writes the line of keys only if `with_head`. TK_MISUSE: there is no such
// table.
TK_MUST_USE tk_status tk_report_write_csv(const tk_report *report, const char *table, const char *recording,
                                          bool with_head, tk_write_fn write, void *ctx);
// Adds a row to the table "verdicts", which becomes the first list of the report: which rule was checked, the result
// and its explanation. All texts are copied. TK_NO_MEMORY: the report is unchanged or lacks the row.
TK_MUST_USE tk_status tk_report_add_verdict(tk_report *report, const char *rule, const char *verdict, const char *text);
// From its JSON. TK_UNKNOWN_FORMAT: no report; TK_OTHER_SCHEMA: a report of another version of the schema.
TK_MUST_USE tk_status tk_report_read(const char *json, size_t len, const struct tk_allocator *allocator,
                                     tk_report **out_report);
// Every table that both have, by the names of its rows: each number with the one before and the difference. It has no
// JSON of its own kind: it is a report like any other.
TK_MUST_USE tk_status tk_report_compare(const tk_report *before, const tk_report *after,
                                        const struct tk_allocator *allocator, tk_report **out_report);

typedef enum tk_expectation {
    TK_EXPECT_PASS,
    TK_EXPECT_FAIL,
    TK_EXPECT_UNMEASURED, // no such row, table or column in this report, or no value, or what was not measured may
                          // change the verdict
    TK_EXPECT_INVALID     // no rule, or a table, column, unit or option that no report can have
} tk_expectation;

// Judges a report by one rule: a figure, < <= > >= or ==, and a value with the unit of the figure, such as
// "cpu.load<80%" or "tasks[Motor*].longest_wait<5ms". In the name of a row * stands for any characters, and \*, \\ and
// \] stand for *, \ and ]. Every row that matches has to hold. After " ; " options may follow: rows >= N, rows == N,
// count >= N, coverage >= N%, missing_ok (docs/CLI.md).
// *out_text: the worst row with its value and bound, or what is wrong. When the rule holds: "", or that there was
// nothing to judge because of missing_ok.
enum { TK_EXPECT_TEXT = 512 };
tk_expectation tk_report_expect(const tk_report *report, const char *expression, char out_text[TK_EXPECT_TEXT]);
// Returns false if tk_report_expect would return TK_EXPECT_INVALID for every report of a conversion; *out_text: why,
// else
// "". Needs no report.
bool tk_expect_check(const char *expression, char out_text[TK_EXPECT_TEXT]);
// Ids of the tables in their order; NULL: no more. They live as long as the report.
const char *tk_report_table_id(const tk_report *report, size_t index);
// Single values by table, row and column, as docs/REPORT.md lists them.
// Returns the number of rows; 0 if there is no such table.
uint32_t tk_report_row_count(const tk_report *report, const char *table);
// Returns false, with *out_value 0, if there is no such value, or it is unknown or no whole number.
bool tk_report_number(const tk_report *report, const char *table, uint32_t row, const char *column,
                      uint64_t *out_value);
// Returns "" if there is no such text. Lives as long as the report.
const char *tk_report_string(const tk_report *report, const char *table, uint32_t row, const char *column);
// Returns the unit of times and durations: "ns", "ps" or "fs", or what they count: "ticks", "records".
const char *tk_report_time_unit(const tk_report *report);
void tk_report_free(tk_report *report); // NULL is fine

// ---- Conversions: from sources to traces, reports and a verdict
// --------------------------------------------------------- A state machine without I/O that holds everything around a
// handle: it unpacks gzip, zip, tar and text, recognises and groups what the sources contain, converts each recording
// and judges its figures. The host performs one request after the other:
//
//   tk_conversion_new -> tk_conversion_add_source* -> tk_conversion_set* ->
//   while ((request = tk_conversion_next(conversion))->kind != TK_REQUEST_DONE) perform(request);
//   -> tk_conversion_exit_code -> tk_conversion_free
//
// The same sources and settings give the same requests on every host.

typedef struct tk_conversion tk_conversion;

struct tk_source_info {
    const char *name; // for messages and reports; the part behind its last slash tells cores apart; copied
    uint64_t size;    // in bytes; UINT64_MAX: unknown
    bool is_seekable; // any range may be requested, any number of times; else bytes are requested once, in order
    bool is_live;     // a target is sending: whatever it sends is a recording. Not seekable
    bool is_side;     // only helps to read the recordings
    // Overrides by the user for all that the source contains. TK_PLAN_AUTO: none.
    int32_t encoding; // enum tk_encoding_kind
    int32_t role;     // enum tk_role
    int32_t core;
};

typedef enum tk_request_kind {
    // Up to `len` bytes of `source` from `offset`: tk_conversion_answer, or tk_conversion_fail.
    TK_REQUEST_READ,
    // `source` cannot seek, but its bytes are needed in any order or twice: append `bytes` to a copy of it, and with
    // `len` 0 read from that copy from now on: tk_conversion_keep, or tk_conversion_fail.
    TK_REQUEST_KEEP,
    // All sources are recognised. The host may override what they are for (tk_conversion_override), or end here.
    TK_REQUEST_PLAN,
    // A recording begins: `output`, of `source`. tk_conversion_open or tk_conversion_skip.
    TK_REQUEST_OPEN,
    TK_REQUEST_WRITE,   // append `bytes`; tk_conversion_fail if that is impossible
    TK_REQUEST_REWRITE, // replace the first `len` bytes of the output; only where tk_conversion_open said that it can
    // The output is complete and judged. Its handle and report may be read now.
    TK_REQUEST_CLOSE,
    // The output is not complete and of no use; a message said why. An output that is refused is discarded too.
    TK_REQUEST_DISCARD,
    TK_REQUEST_PROGRESS, // nothing to do; tk_conversion_handle has the counts
    TK_REQUEST_MESSAGE,  // `text` for the user, with `severity`
    TK_REQUEST_DONE
} tk_request_kind;

typedef enum tk_message_severity {
    TK_MESSAGE_DETAIL, // only where the user wants to know everything
    TK_MESSAGE_INFO,   // where the user wants to know more than what is wrong
    TK_MESSAGE_WARNING,
    TK_MESSAGE_ERROR
} tk_message_severity;

struct tk_request {
    tk_request_kind kind;
    uint32_t source, output;
    bool is_look; // READ: what comes decides what the source is; a host may wait until the line is quiet
    tk_message_severity severity;
    uint64_t offset;
    size_t len;
    const uint8_t *bytes; // valid until the next call on the conversion, as is text
    const char *text;
};

typedef enum tk_exit_code {
    TK_EXIT_FINE,
    TK_EXIT_PROBLEMS, // "fail-on" or "expect"
    TK_EXIT_USAGE,
    TK_EXIT_INPUT, // a source is unreadable or not recognised
    TK_EXIT_OUTPUT
} tk_exit_code;

TK_MUST_USE tk_status tk_conversion_new(const struct tk_allocator *allocator, tk_conversion **out_conversion);
TK_MUST_USE tk_status tk_conversion_add_source(tk_conversion *conversion, const struct tk_source_info *info,
                                               uint32_t *out_source);
// Options of tk_set_option, for the recordings whose format has them, and:
//   "output"   trace (default), report, dump or samples
//   "expect"   an expectation of tk_report_expect; may be repeated
//   "fail-on"  drops, damage, loss, notice, restarts, any, or the id of a problem; may be repeated
//   "stage", "json", "event", "task", "core", "like"  of a dump: as tk_set_dump and tk_dump_only take them; stage auto
//   "signal"   of samples: its path
//   "figures"  range: the report of a trace of a time range covers that range, as it always does with "expect" and
//              "fail-on". It takes the memory of a second handle
//   "range"    later: the report covers the recording, and the trace contains only names until tk_conversion_set_range
//              chooses the time range. A host that saves the memory of the conversion meanwhile can make the trace of
//              any later range from it
//   "unused"   quiet: no message about options that only other formats have
// from-ns and to-ns choose what the output contains and what is judged.
// Unknown key or bad value: TK_MISUSE, and tk_conversion_error says what is allowed. The conversion stays usable.
TK_MUST_USE tk_status tk_conversion_set(tk_conversion *conversion, const char *key, const char *value);
const char *tk_conversion_error(const tk_conversion *conversion);

// The next request; the last one is repeated until it is answered.
const struct tk_request *tk_conversion_next(tk_conversion *conversion);
// Fewer bytes than requested are fine; none: the source ends here. `ns`: when they were received, on any clock that
// does not go back; 0: unknown.
void tk_conversion_answer(tk_conversion *conversion, const uint8_t *bytes, size_t len, uint64_t ns);
void tk_conversion_keep(tk_conversion *conversion);
void tk_conversion_open(tk_conversion *conversion, bool can_rewrite);
void tk_conversion_skip(tk_conversion *conversion);
// After TK_REQUEST_OPEN, with "range" later: chooses the time range of the output that is open, which ends as soon as
// it is complete and gets no report. tick_ns: the tick length that the report of the recording names; 0: unknown.
// TK_MISUSE when no output is open, or the conversion has read beyond from_ns (see skipped_until_ticks of struct
// tk_progress).
TK_MUST_USE tk_status tk_conversion_set_range(tk_conversion *conversion, uint64_t tick_ns, uint64_t from_ns,
                                              uint64_t to_ns);
// The request is impossible. `reason` becomes part of the message; NULL: no message (the reader of a pipe has gone).
void tk_conversion_fail(tk_conversion *conversion, const char *reason);
// All sources end here: what was read so far is converted. For a source that is live.
void tk_conversion_end(tk_conversion *conversion);

// At TK_REQUEST_PLAN.
uint32_t tk_conversion_input_count(const tk_conversion *conversion);

// One input: a source, a file in an archive, or a block of a text.
struct tk_conversion_input {
    uint32_t source;
    int32_t member; // of an archive; -1: none
    uint32_t block; // of a text
    const char *name;
    tk_encoding_kind encoding;
    const char *encoding_reason;
    bool is_gzip;
    uint64_t size;       // in bytes, decoded; of what is packed as the archive claims or as the source has; UINT64_MAX:
                         // unknown
    const char *problem; // of the archive or the packed data; "": none
    const struct tk_plan_input *plan;
};
void tk_conversion_input(const tk_conversion *conversion, uint32_t input, struct tk_conversion_input *out_input);
uint32_t tk_conversion_recording_count(const tk_conversion *conversion);
// TK_PLAN_AUTO or NULL: no override. The plan is made anew.
void tk_conversion_override(tk_conversion *conversion, uint32_t input, int32_t role, int32_t core, int32_t with,
                            const char *format);

// From TK_REQUEST_OPEN to CLOSE or DISCARD: the handle of the output; NULL otherwise.
const tk *tk_conversion_handle(const tk_conversion *conversion);
// The inputs of the output's handle by their numbers there.
uint32_t tk_conversion_handle_input_count(const tk_conversion *conversion);
uint32_t tk_conversion_handle_input(const tk_conversion *conversion, uint32_t number); // index as of PLAN

// What "expect" and "fail-on" found.
struct tk_verdict {
    const char *rule; // option and value: "expect cpu.load<80%"
    tk_expectation result;
    const char *text; // why; "" if there is nothing to say
};
// At CLOSE: the verdicts on the output, in the order of the settings. False: there are no more.
bool tk_conversion_verdict(const tk_conversion *conversion, uint32_t index, struct tk_verdict *out_verdict);
int tk_conversion_exit_code(const tk_conversion *conversion); // so far; of everything at DONE
void tk_conversion_free(tk_conversion *conversion);           // NULL is fine

#if defined(__GNUC__) && !defined(_WIN32)
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
#endif
