// SPDX-License-Identifier: MIT
//
// The state of a conversion, shared by the files of this folder. look.c recognises the sources, plan.c decides what
// each input is for, run.c converts the recordings one after the other and evaluates the settings fail-on and expect,
// describe.c writes inputs and formats as JSON, and conversion.c is the state machine around them.
#ifndef TK_CONVERSION_CONVERSION_H
#define TK_CONVERSION_CONVERSION_H

#include "base/alloc.h"
#include "base/text.h"
#include "reader.h"
#include "tonkopf.h"

struct tk_conv_source {
    struct tk_source_info info; // name: owned
    bool is_gzip;               // the archive is packed
    bool is_kept;               // the host has an unpacked copy
    uint64_t kept;              // bytes of the copy so far
    bool is_unreadable;         // the first byte could not be read, or there is no room for a copy
    bool read_failed;           // reading failed at `failed_at`
    uint64_t failed_at;         // offset of the byte that could not be read
    bool damage_reported;       // a message has reported damage of packed data
    bool text_reported;         // a message has reported invalid text
    char *packing_damage;       // damage of the packed data that contain the archive; NULL: none
    struct tk_reader *once;     // the only reader of a source that is not seekable, after it has looked at the head
    tk_archive *archive;        // NULL: none
    uint32_t container;         // number of the archive for tk_plan; 0: none
};

// Returns what is damaged in the archive of a source, or in the packed data that contain it; "": nothing.
static inline const char *tk_conv_archive_problem(const struct tk_conv_source *source) {
    return source->packing_damage ? source->packing_damage : tk_archive_problem(source->archive);
}

// Returns a member of the archive of a source. Returns false for number -1: the input is no member.
static inline bool tk_conv_member(const struct tk_conv_source *source, int32_t number, struct tk_member *out_member) {
    return number >= 0 && tk_archive_member(source->archive, (uint32_t)number, out_member);
}

// A source, a file in an archive, a block of a text, or a stream that one of these carries.
struct tk_conv_input {
    uint32_t source;
    int32_t member;            // index of the file in the archive; -1: none
    uint32_t block;            // number of the block in the text
    char *name;                // owned
    uint32_t container;        // as in struct tk_plan_input
    int32_t named_core;        // core that the archive or the text names; -1: none
    tk_encoding_kind encoding; // as recognised, or as the user chose it
    char encoding_reason[160]; // one sentence for users
    bool is_gzip;              // the bytes are packed
    uint64_t size;             // in bytes, unpacked if known; UINT64_MAX: unknown
    char damage[128];   // damage of packed data, as far as they were read during recognition: a sentence; "": none
    bool is_unreadable; // a member of an archive that cannot be unpacked; its probe has the reason
    struct tk_carried carried[TK_CARRIER_DEPTH]; // the streams that contain the input, the outermost first
    uint32_t carried_count;
    struct tk_probe probe;
};

// Steps in which the inputs of a source are recognised, item by item: the source itself, or the members of an archive.
enum tk_look_step {
    TK_LOOK_SOURCE,
    TK_LOOK_ARCHIVE,
    TK_LOOK_LIST,
    TK_LOOK_ITEM,
    TK_LOOK_HEAD,
    TK_LOOK_KEEP,
    TK_LOOK_FURTHER,
    TK_LOOK_BLOCKS,
    TK_LOOK_NEXT
};

// The start of one block of a text.
struct tk_text_head {
    struct tk_carry bytes; // at most TK_PROBE_LEN
    uint64_t size;         // number of decoded bytes of the block
    int32_t core;          // that the text names; -1: unknown
};

struct tk_look {
    enum tk_look_step step;
    uint32_t source;
    int32_t member;
    struct tk_reader *reader;
    bool has_ended; // the reader has reached the end
    struct tk_encoding_probe encoding;
    struct tk_probe probe;
    struct tk_carried carried[TK_CARRIER_DEPTH]; // the streams that contain the next input
    uint32_t carried_count;
    size_t range_len; // of an archive: length of the range that it requests; 0: none
    // For a text.
    tk_encoding *decoder;
    struct tk_text_head *heads; // TK_MAX_INPUTS heads
    uint32_t head_count;
    bool too_many_blocks;
};

enum tk_run_step {
    TK_RUN_BEGIN,
    TK_RUN_KEEP,
    TK_RUN_ASK,
    TK_RUN_OPEN,
    TK_RUN_SYMBOLS,
    TK_RUN_FEED,
    TK_RUN_FINISH,
    TK_RUN_CLOSE
};

// An input of the recording that is converted.
struct tk_run_input {
    uint32_t input;           // number of the input in the conversion
    struct tk_reader *reader; // NULL: not open; ranges of its source are read instead, or it was not needed
    struct tk_piece piece;    // bytes that are not fed yet
    bool ended;
};

struct tk_run {
    enum tk_run_step step;
    uint32_t group;              // number of the recording, as in the plan and in requests (output)
    bool is_tick_pass, has_tick; // is_tick_pass: this pass reads the recording only to find the tick length
    uint64_t tick_ns;            // tick length that the pass found; 0: none
    tk *handle;
    tk *trace; // writes the trace of a time range while `handle` collects the figures of that range; NULL: `handle`
               // does both
    struct tk_run_input inputs[TK_MAX_INPUTS]; // the side inputs first
    uint32_t count, side_count;
    uint32_t symbols_at; // number of the file of symbols that is read by ranges
    uint64_t range_offset;
    uint64_t fed, progress_at;            // bytes fed so far; those at the last progress
    bool ends_when_complete, is_complete; // tk_conversion_set_range has set the time range of the trace
    bool is_dump;                         // tk_conversion_set_dump made it a dump
    bool is_opened, can_rewrite, is_refused, is_quiet_refusal, is_ended;
    struct tk_carry out, head; // output that the host has not got yet; bytes that replace its beginning
    bool out_of_memory;
    tk_report *report; // figures and verdicts; NULL: not made yet
};

struct tk_conv_setting {
    struct tk_conv_setting *next;
    char *key, *value;
    bool is_own; // the conversion uses the setting itself; handles do not get it
};

struct tk_conv_message {
    struct tk_conv_message *next;
    tk_message_severity severity;
    uint32_t source;
    struct tk_text text;
};

enum tk_conv_phase { TK_PHASE_LOOK, TK_PHASE_PLAN, TK_PHASE_RUN, TK_PHASE_DONE };
enum tk_conv_output { TK_OUTPUT_TRACE, TK_OUTPUT_REPORT, TK_OUTPUT_DUMP, TK_OUTPUT_SAMPLES };
#define TK_OUTPUTS "trace|report|dump|samples"                     // in the order of tk_conv_output
#define TK_STAGES "frames|records|events|tracks|outline|jobs|auto" // in the order of tk_dump_stage

struct tk_conversion {
    struct tk_allocator allocator;
    struct tk_alloc alloc;
    char error[256];
    tk *trial; // gets every option first, so that an invalid one is refused at once
    struct tk_conv_setting *settings, **last_setting;
    enum tk_conv_output output;
    struct tk_conv_source *sources;
    uint32_t source_count, source_capacity;
    struct tk_conv_input *inputs;
    uint32_t input_count, input_capacity, containers;
    struct tk_plan_input *plan;
    uint32_t groups;
    enum tk_conv_phase phase;
    struct tk_look look;
    struct tk_run run;
    struct tk_request request, message;
    bool has_request;          // the host has not got the request yet, because the messages of its step come first
    bool is_pending;           // the request waits for the answer of the host
    struct tk_reader *wanting; // for READ: the reader that needs bytes; NULL: a range is needed
    struct tk_conv_message *messages, **last_message, *shown;
    bool is_started, is_planned, ended;
    bool has_timeline;
    struct tk_sink timeline; // second output of the traces
    int exit_code;
};

// ---- conversion.c ----
// Adds a message, and joins its exit code. The text is `name`, a colon (name NULL: none of both) and the pieces after
// it, ended by NULL.
void tk_conv_message(struct tk_conversion *conversion, tk_message_severity severity, tk_exit_code exit_code,
                     uint32_t source, const char *name, ...);
char *tk_conv_copy(struct tk_conversion *conversion, const char *text); // returns NULL without memory
// Each of these functions sets conversion->request, which the host gets next.
void tk_conv_need(struct tk_conversion *conversion, struct tk_reader *reader);
void tk_conv_need_range(struct tk_conversion *conversion, uint32_t source, uint64_t offset, size_t len);
struct tk_request *tk_conv_request(struct tk_conversion *conversion, tk_request_kind kind);
const char *tk_conv_setting(const struct tk_conversion *conversion, const char *key); // value of the last setting with
                                                                                      // this key; NULL: not set
// Requests the next bytes, or that the host appends unpacked bytes to its copy of a source that can be read only once.
// Returns true when the copy is complete and the source is seekable; the caller frees the reader.
bool tk_conv_keep(struct tk_conversion *conversion, struct tk_reader *reader);
// Returns a reader of an input from its first byte; NULL without memory.
struct tk_reader *tk_conv_open_reader(struct tk_conversion *conversion, uint32_t source, int32_t member, bool detect);
// Adds the layers of an input to a reader of its source: text, and the streams that contain it.
void tk_conv_wrap_input(struct tk_reader *reader, const struct tk_conv_input *input);
// Reports damage of packed data as a message, once per source.
void tk_conv_note_damage(struct tk_conversion *conversion, const char *name, const struct tk_reader *reader);

// Returns true if a port of the stream of packets `outer` carries `inner`.
bool tk_conv_carries(const struct tk_conv_input *outer, const struct tk_conv_input *inner);

// ---- look.c ----
// Does one step of the recognition. Without memory it sets alloc.failed. It is complete when conversion->look.source is
// after the last source.
void tk_look_step(struct tk_conversion *conversion);
void tk_look_release(struct tk_conversion *conversion);

// ---- plan.c ----
void tk_plan_conversion(struct tk_conversion *conversion);
void tk_plan_report(struct tk_conversion *conversion); // reports the plan as messages

// ---- run.c ----
void tk_run_step(struct tk_conversion *conversion);
void tk_run_answer(struct tk_conversion *conversion, const uint8_t *bytes, size_t len); // passes a range of symbols
void tk_run_out_of_memory(struct tk_conversion *conversion);
void tk_run_release(struct tk_conversion *conversion);

#endif
