// SPDX-License-Identifier: MIT
//
// What a recording format is to the rest of the project. A new format is one folder and one line in formats.def:
// docs/NEW_FORMAT.md.
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

// One frame as the framing stage sees it.
struct tk_decode_frame {
    uint64_t offset, number;
    const uint8_t *raw, *payload; // payload NULL: not decodable
    size_t raw_len, payload_len;
    const char *verdict; // "ok", or why not; static
};

struct tk_record_names;

// What a decoder of one input may use. Everything borrowed for the decoder's life.
struct tk_decode_host {
    struct tk_alloc *alloc;
    struct tk_diag *diag;
    struct tk_account *account; // every byte that is fed is booked here until finish returns
    // Opens an event stream, a time line of its own. At least one, in init; its events are put into the batch. NULL: no
    // memory, or too many event streams.
    struct tk_batch *(*open_stream)(void *ctx, enum tk_stream_time time);
    void *stream_ctx;
    bool *defers_records; // the decoder sets it before its first TK_EV_DEFERRED_RECORD; NULL: the host does not
                          // translate them
    uint32_t input;
    bool is_dump; // of memory, in which the recording begins at `from`, as probing found
    uint64_t from;
    uint8_t core; // of its events, where the format does not tell
    bool merged;  // one of several recordings on one time axis: their clocks are taken as they are
    // Options of the format that were set; NULL: not set.
    const char *(*option)(void *ctx, const char *key);
    void *option_ctx;
    // Of one of several recordings: the decoders of the others of them that were opened; NULL behind the last. Cores
    // may share what only one file tells.
    void *(*other)(void *ctx, uint32_t index);
    void (*refuse)(void *other_ctx); // this one cannot be joined with them: the conversion fails
    void *other_ctx;
    // Of a recording: what side inputs of its format know, those that have ended; *lookup NULL: nothing. NULL for a
    // side input.
    const struct tk_lookup *const *lookup;
    // Of a recording: what ELF files and linker maps know, all of which were read before; NULL for a side input.
    struct tk_symbols *symbols;
    // Of a recording: when its bytes were received; times->count 0: nobody knows. NULL for a side input.
    struct tk_times *times;
    // Of a side input: takes what its events do not tell; NULL: it is a recording.
    struct tk_lookup *lookup_out;
    // Stages "frames" and "records" of a dump; NULL: not wanted.
    void (*on_frame_decoded)(void *ctx, const struct tk_decode_frame *frame);
    void (*on_record_decoded)(void *ctx, const struct tk_event *event, unsigned record); // record: as tk_record_names
                                                                                         // numbers it
    // Bytes that are no record of the format, or none that is known; NULL: not wanted. why: a few words.
    void (*on_bytes_skipped)(void *ctx, uint64_t offset, uint64_t len, const char *why);
    const struct tk_record_names *names; // of the format, where records are wanted
    bool names_wanted;                   // records also bear the names of what their numbers stand for
    const bool *is_live; // of a dump, known with the first byte: its lines are read as the bytes come, what only many
                         // events would tell is not waited for
    void *dump_ctx;
};

static inline bool tk_decode_is_live(const struct tk_decode_host *host) { return host->is_live && *host->is_live; }

enum { TK_SUMMARY_LEN = 192 };

// A format: what it takes to recognise it, and its decoder.
struct tk_format {
    const struct tk_format_info *info;
    // Fills everything but `format`; confidence 0: not this format. Called with a probe of zeros, but `looked` is the
    // length of the head.
    void (*probe)(const uint8_t *head, size_t head_len, const uint8_t *tail, size_t tail_len,
                  struct tk_probe *out_probe);
    bool (*reads_text)(const uint8_t *head, size_t len); // a text of this format, not an encoding of bytes; may be NULL
    const struct tk_decoder *decoder;
};

// What it takes to convert one.
struct tk_decoder {
    const struct tk_format_info *info;
    const struct tk_tracker *const *trackers; // what its events need, each behind what it builds on, up to NULL
    enum tk_symbols_need symbols;             // where info->takes_symbols
    bool from_zero;                           // the first event is at 0: what the target counted before means nothing
    bool unordered; // its tracks come in any order of time: before the end nobody knows that a part of the time is over
    enum tk_diag_id no_tick; // the problem when neither the recording nor a person tells how long a count is
    size_t size;             // zeroed memory for init
    bool (*init)(void *decoder, const struct tk_decode_host *host); // false: no memory
    // Decodes whole frames, one at least, until a batch is full or the bytes are used up. Returns the bytes consumed:
    // all of them unless a batch is full. Events may borrow from the chunk, until the next call.
    size_t (*decode)(void *decoder, const uint8_t *bytes, size_t len);
    // It decoded nothing, for it needs what another of several recordings tells: that one shall go first, and if none
    // can, it goes on without. May be NULL: it never does
    bool (*waits)(const void *decoder);
    // Translates a TK_EV_DEFERRED_RECORD that this decoder put into an event stream to events of the model, in `out`.
    // The merge calls it in the order of time of all event streams, so that several cores share what their records
    // define. NULL: the decoder emits no such event.
    void (*translate)(void *decoder, const struct tk_event *record, struct tk_batch *out);
    bool (*end)(void *decoder); // the input has ended: called until it returns true, each time with room in the batches
    // "bare-metal", "free-rtos": what the records seen so far show; static. May be NULL
    const char *(*mode)(const void *decoder);
    uint64_t (*frames)(const void *decoder);
    uint64_t (*counts_per_os_tick)(const void *decoder); // of the target's own tick; 0: unknown, or the length of a
                                                         // count is known. May be NULL
    // How many times longer than they are times are shown: 1, 1000 or 1000000. May be NULL: 1.
    uint64_t (*stretch)(const void *decoder);
    // What there is to tell people about the target and how the recording was read, a sentence each; false: no more.
    // May be NULL.
    bool (*summary_line)(const void *decoder, uint32_t index, char out_text[TK_SUMMARY_LEN]);
    // Tables of the report that only the format can fill, under ids of their own; asked of the first recording. May be
    // NULL.
    void (*tables)(const void *decoder, const struct tk_table_sink *sink);
    const struct tk_table *const *table_list; // all that `tables` can put, up to NULL. NULL: none
    const struct tk_record_names *names;      // of its records
};

// How the tool that a format comes with prints its recordings, for users who compare. Its state lives as long as the
// input.
struct tk_vendor_printer {
    size_t size; // zeroed memory for the state
    void (*print)(void *state, struct tk_alloc *alloc, const struct tk_event *event, unsigned record,
                  struct tk_out *out); // whole lines, or nothing
};

// What the format's own documents call its records, which only a dump shows.
struct tk_record_names {
    const char *(*name)(unsigned record);
    const char *(*fields)(unsigned record); // zero-separated in their order, double zero at the end. NULL: an event's
                                            // values have names
    // Hands a record to record_seen that the decoder has at hand, in a struct of its own, where this takes words that
    // only a dump needs. NULL: it does so itself
    void (*show)(const struct tk_decode_host *host, const void *record);
    const struct tk_vendor_printer *original; // NULL: nothing is known of such a tool, and tk_format_info says so
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
