// SPDX-License-Identifier: MIT
//
// The interface between recording formats and the rest of the core. A new format is one folder and one line in
// formats.def: docs/NEW_FORMAT.md.
#ifndef TK_FORMATS_FORMAT_H
#define TK_FORMATS_FORMAT_H

#include "../base/account.h"
#include "../base/alloc.h"
#include "../base/diag.h"
#include "../base/out.h"
#include "../lookup/lookup.h"
#include "../lookup/symbol_reader.h"
#include "../lookup/times.h"
#include "../model/trackers/tracker.h"
#include "../model/time/batch.h"
#include "../tonkopf.h"

// One frame, as the decoder reports it to a dump of frames.
struct tk_decode_frame {
    uint64_t offset, number;
    const uint8_t *raw, *payload; // payload NULL: the frame cannot be decoded
    size_t raw_len, payload_len;
    const char *verdict; // "ok", or why the frame cannot be decoded; static
};

struct tk_record_names;

// Packets (such as those of an ITM) can carry a recording of another format in one of their ports. If both share a
// clock, the packets are shown "beside" the recording: in its trace. This is what the decoder of the packets needs
// then.
struct tk_beside {
    struct tk_domain clock; // clock of the packets, for tk_batch_set_clock
    uint8_t port;           // the port that carries the recording
    uint64_t from;          // offset in the recording of its first event with a time: earlier arrivals are not needed
};
// The tracks of a decoder that is beside a recording have numbers from here on, which no other format uses.
enum { TK_TRACKS_BESIDE = 0x60000000 };

// What the decoder of one input may use. All pointers are borrowed and valid as long as the decoder.
struct tk_decode_host {
    struct tk_alloc *alloc;
    struct tk_diag *diag;
    struct tk_account *account; // accounts for every byte that the decoder consumes, until `end` returns true
    // Opens an event stream, into whose batch the decoder puts its events. A decoder opens at least one, in `init`.
    // Returns NULL without memory or above the limit of event streams.
    struct tk_batch *(*open_stream)(void *ctx, enum tk_stream_time time);
    void *stream_ctx;
    bool *defers_records; // the decoder sets it before its first TK_EV_DEFERRED_RECORD; NULL: the host does not
                          // translate deferred records
    uint32_t input;
    const char *name; // of the input: a file name, or a path in an archive; "" if none
    bool is_dump;     // the input is a dump of memory, in which the recording begins at `from`, as the probe found
    uint64_t from;
    uint8_t core; // core of the events, for formats that do not record it
    bool merged;  // the input is one of several recordings that are merged by time; their clocks are used unchanged
    const struct tk_beside *beside; // the input is shown in the trace of the recording that it carries; NULL: it has a
                                    // trace of its own
    // Returns the value of an option of the format; NULL: the option is not set.
    const char *(*option)(void *ctx, const char *key);
    void *option_ctx;
    // Returns the decoder of another of several recordings that are converted together; NULL after the last one. Cores
    // use it to share what only one file contains.
    void *(*other)(void *ctx, uint32_t index);
    void (*refuse)(void *other_ctx); // makes the conversion fail, because this input cannot be joined with the others
    void *other_ctx;
    // For a recording: the names from the side inputs of its format that have ended; *lookup NULL: none. NULL for a
    // side input.
    const struct tk_lookup *const *lookup;
    // For a recording: the symbols of all ELF files and linker maps, which were read before it. NULL for a side input.
    struct tk_symbols *symbols;
    // For a recording: when its bytes were received; times->count 0: unknown. NULL for a side input.
    struct tk_times *times;
    // For a side input: receives the names that its events do not contain. NULL: the input is a recording.
    struct tk_lookup *lookup_out;
    // Called for each frame and each record in a dump of these stages; NULL: the stage is not dumped.
    void (*on_frame_decoded)(void *ctx, const struct tk_decode_frame *frame);
    void (*on_record_decoded)(void *ctx, const struct tk_event *event, unsigned record); // record: a number of
                                                                                         // tk_record_names
    // Called for bytes that are no known record of the format; NULL: not dumped. why: a few words.
    void (*on_bytes_skipped)(void *ctx, uint64_t offset, uint64_t len, const char *why);
    const struct tk_record_names *names; // of the format; NULL: records are not dumped
    bool names_wanted;                   // the dump also shows the names of ids
    const bool *is_live; // in a dump, set before the first byte: lines are printed while the bytes arrive, so the
                         // decoder must not wait for evidence from many events
    void *dump_ctx;
};

static inline bool tk_decode_is_live(const struct tk_decode_host *host) { return host->is_live && *host->is_live; }

enum { TK_SUMMARY_LEN = 192 };

// A format: how it is recognised, and its decoder.
struct tk_format {
    const struct tk_format_info *info;
    // Fills all fields of the probe but `format`; confidence 0: not this format. The caller passes a probe of zeros, in
    // which only `looked` is set, to the length of the head.
    void (*probe)(const uint8_t *head, size_t head_len, const uint8_t *tail, size_t tail_len,
                  struct tk_probe *out_probe);
    bool (*reads_text)(const uint8_t *head, size_t len); // returns true for a text of this format, as opposed to bytes
                                                         // that are encoded as text; may be NULL
    const struct tk_decoder *decoder;
};

// How inputs of one format are decoded.
struct tk_decoder {
    const struct tk_format_info *info;
    const struct tk_tracker *const *trackers; // the trackers that handle its events, each after those that it uses,
                                              // ended by NULL
    enum tk_symbols_need symbols;             // used where info->takes_symbols
    bool from_zero; // shifts all times so that the first event is at 0, because the counter of the target has an
                    // arbitrary start
    bool unordered; // its tracks come in any order of time, so that no time range is complete before the end of the
                    // input
    enum tk_diag_id no_tick; // the problem that is reported when neither the recording nor the user gives the length of
                             // a count
    bool sends_names;        // the target sends names as events, so that a capture which begins late has none
    size_t size;             // bytes of the decoder, which the caller zeroes before init
    bool (*init)(void *decoder, const struct tk_decode_host *host); // returns false without memory
    // Decodes whole frames, at least one, until a batch is full or the bytes are used up. Returns the bytes consumed:
    // all of them unless a batch is full. Events may borrow from the chunk until the next call.
    size_t (*decode)(void *decoder, const uint8_t *bytes, size_t len);
    // Returns true while the decoder needs data from another of several recordings. The merge then feeds another
    // recording first; if all wait, it feeds this one. NULL: the decoder never waits.
    bool (*waits)(const void *decoder);
    // Translates a TK_EV_DEFERRED_RECORD that this decoder put into an event stream to events of the model, in `out`.
    // The merge calls it in order of time over all event streams, so that several cores share what their records
    // define. NULL: the decoder emits no such event.
    void (*translate)(void *decoder, const struct tk_event *record, struct tk_batch *out);
    // For packets beside a recording (tk_beside): returns true if the arrival of the byte at `offset` of that recording
    // is decided. *out_count: the arrival, in counts of the decoder's clock; UINT64_MAX: unknown. NULL: this format
    // cannot be beside a recording.
    bool (*arrival)(const void *decoder, uint64_t offset, uint64_t *out_count);
    bool (*end)(void *decoder); // called after the end of the input until it returns true, each time with room in the
                                // batches
    // Returns what the records so far show about the target, such as "bare-metal" or "free-rtos"; static. May be NULL.
    const char *(*mode)(const void *decoder);
    uint64_t (*frames)(const void *decoder);
    uint64_t (*counts_per_os_tick)(const void *decoder); // counts per tick of the RTOS; 0: unknown, or the length of a
                                                         // count is known. May be NULL
    // Returns by how much the trace shows times longer than they are: 1, 1000 or 1000000. NULL: 1.
    uint64_t (*stretch)(const void *decoder);
    // Writes sentence number `index` about the target and how the recording was read, for the report. Returns false
    // after the last one. May be NULL.
    bool (*summary_line)(const void *decoder, uint32_t index, char out_text[TK_SUMMARY_LEN]);
    // Puts tables that only this format can fill into the report, under ids of their own. Called for the first
    // recording only. May be NULL.
    void (*tables)(const void *decoder, const struct tk_table_sink *sink);
    const struct tk_table *const *table_list; // all tables that `tables` can put, ended by NULL. NULL: none
    const struct tk_record_names *names;      // names of the records of this format
    const struct tk_kind_words *kinds; // words of its events in the table "Events by kind"; NULL: those of the model
};

// Prints recordings as the vendor's own tool does, for users who compare both. Its state lives as long as the input.
struct tk_vendor_printer {
    size_t size; // bytes of the state, which the caller zeroes
    void (*print)(void *state, struct tk_alloc *alloc, const struct tk_event *event, unsigned record,
                  struct tk_out *out); // writes whole lines, or nothing
};

// The names of records in the documents of the format. Only a dump shows them.
struct tk_record_names {
    const char *(*name)(unsigned record);   // NULL: the text of an event is the name of its record
    const char *(*fields)(unsigned record); // names of the fields in their order, each ended by a zero byte, the list
                                            // by a second one. NULL: the values of an event have names
    // Reports a record, in a struct of the format, to on_record_decoded. Set by formats whose dump needs code that a
    // conversion does not. NULL: the decoder calls on_record_decoded itself.
    void (*show)(const struct tk_decode_host *host, const void *record);
    const struct tk_vendor_printer *original; // NULL: Tonkopf cannot print this format as the vendor's
                                              // tool does
};

#define TK_FORMAT(name)                                \
    extern const struct tk_format_info tk_info_##name; \
    extern const struct tk_format tk_format_##name;    \
    extern const struct tk_decoder tk_decoder_##name;  \
    extern const struct tk_record_names tk_names_##name;
#include "formats.def"
#undef TK_FORMAT

// All formats, in the order in which they are probed.
extern const struct tk_format *const tk_formats[];
extern const size_t tk_formats_len;

#endif
