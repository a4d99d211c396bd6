// SPDX-License-Identifier: MIT
//
// The state of one flux decoder, shared by the files of this folder.
//
//   bytes -> levels (stream.c) -> entries, samples -> traces, items, sequences (state.c) -> signals (map.c) -> batch
//
// detect.c runs the same decoder without output over the first bytes, to find out the dialect.
#ifndef TK_FLUX_FLUX_H
#define TK_FLUX_FLUX_H

#include "../../base/idmap.h"
#include "../../model/signals/axis.h"
#include "../../model/signals/signals.h"
#include "../../unpack/unpack.h"
#include "../format.h"
#include "entry.h"

enum { FLUX_MAX_DEPTH = 8, FLUX_MAX_ITEMS = 32768, FLUX_MAX_TRACES = 1024, FLUX_DOMAIN_LEN = 24 };
enum { FLUX_MAX_WAITING = 4096, FLUX_MAX_DEFERRED_BYTES = 2 * 1024 * 1024, FLUX_MAX_AXES = 64 };
enum { FLUX_MAX_BLOCK = 64 * 1024 * 1024 };
#define FLUX_DEFERRED_BIAS ((int64_t)1 << 61) // added to positions on an axis whose scale is not known yet

// ---- Bytes -------------------------------------------------------------------------------------

struct flux_level {
    uint8_t *bytes; // [at, end) is unread; the bytes before it may be repeated by a packed block
    size_t capacity, at, end;
    uint64_t offset; // offset of bytes[0] in the content of this level
    uint64_t skip;   // number of bytes to drop when they arrive
    struct tk_unpack unpack;
    uint64_t packed, packed_left; // bytes of a block in the level below
    uint64_t unpacked, original;
    bool is_packed;  // false: a section, or the input itself
    bool is_damaged; // the block is damaged after the bytes that are unpacked
    bool is_suspect; // the sample at `at` may be damaged and is not accepted yet
};

// The sections of a ring that precede older ones in the input but come later in time.
struct flux_ring {
    uint8_t *bytes; // for each section: its offset in the input, its head and its used bytes
    uint32_t len, capacity, at;
    uint8_t counter; // counter of the newest section
    bool is_open, is_older, is_replayed;
};

// ---- What there is -----------------------------------------------------------------------------

// The end of what is drawn: on the time line, and on the last axis. A new sequence is moved after it.
struct flux_drawn_until {
    uint64_t until; // ns + 1; 0: nothing is drawn on the time line
    int64_t place;  // position on the axis
    uint32_t axis;  // axis + 1; 0: nothing is drawn on an axis
};

struct flux_item {
    uint32_t id, trace; // trace: index of the trace
    uint32_t parent;    // id of the parent item; 0: the root
    uint32_t handle;    // handle of the group or signal; 0: none
    uint32_t sequence;  // index + 1 of the sequence that was opened for this item; 0: none
    uint32_t covering;  // index + 1 of the sequence that covers the item, valid in `epoch`
    uint32_t epoch;
    uint32_t next, previous; // list of the items drawn in one sequence, index + 1
    uint32_t drawn_in;       // number of the last sequence in which the item was drawn
    uint32_t listed_in;      // index + 1 of that sequence, while it is open and no other one draws the item
    uint32_t sequence_track;
    int64_t last_position;         // position of its last sample
    uint32_t waiting;              // list of the relations that wait for a sample of it, index + 1; 0: none
    struct flux_drawn_until drawn; // end of what is drawn of the item and of all items below it
    uint64_t k;                    // number of its samples in this sequence
    uint64_t last_ns;              // time of its last sample in ns, + 1
    uint32_t longest;              // largest number of data bytes of its samples
    uint8_t type;                  // enum flux_type; FLUX_UNKNOWN: a scope
    bool is_defined, is_signal, had_delta, has_sample;
    bool is_omitted;             // the option "signals" does not select it
    bool contradicts_definition; // no sample suited the definition, so that only its name is used
};

// A sequence that has ended, for its slice on a track.
struct flux_ended_sequence {
    uint64_t from, to, offset; // in ns
    int64_t start, end, rate;
    uint32_t item; // index + 1 of the item; 0: opened for all items
    char domain[FLUX_DOMAIN_LEN];
    uint8_t domain_len, mark;
};

struct flux_trace {
    uint32_t id;
    uint32_t root;     // handle of the group
    uint32_t sequence; // index + 1 of the sequence opened for all items; 0: none
    uint32_t epoch;    // incremented when a sequence opens or ends, or a parent changes
    uint32_t opened;   // number of sequences over time
    uint32_t sequences_group, control_track;
    uint32_t max_id;
    uint32_t definitions;
    uint64_t last_ns;
    struct flux_drawn_until drawn;
    uint8_t version, dialect;
    bool has_head, has_drawn;
    uint32_t runs; // number of sequences over time that ended with samples; the first one is drawn when a second one
                   // ends
    uint32_t sequence_track; // track of the sequences opened for all items
    char domain[FLUX_DOMAIN_LEN];
    uint8_t domain_len;
    struct flux_ended_sequence first;
};

struct flux_sequence {
    uint32_t trace, item; // item: index + 1 of the item; 0: all items of the trace
    uint32_t number;      // number of the sequence; 0: the slot is free
    uint32_t first;       // index + 1 of the first item drawn in it
    uint32_t axis;        // axis + 1; 0: time
    struct tk_unit unit;
    int64_t start, position, rate;
    int64_t offset, offset_at_start; // added to its positions, in ns or in positions of the axis
    bool is_used;                    // it has a sample
    char domain[FLUX_DOMAIN_LEN];
    uint8_t domain_len;
};

// A line of positions that are no times, in a domain such as bytes. Its scale is set when its extent is known.
struct flux_axis {
    uint32_t trace, root;
    int64_t least, most;
    uint64_t scale; // ns per position; 0: not known yet
    char domain[FLUX_DOMAIN_LEN];
    uint8_t domain_len;
};

struct flux_waiting {
    uint32_t next;           // index + 1
    uint32_t source, target; // items; target TK_NONE: not known yet
    uint64_t ns, flow, flow_end;
    struct flux_relation {
        uint64_t style, path, base; // values of enumerations
        int64_t number;             // a delta or a position
        uint8_t kind;
    } relation;
};

struct flux_block_count {
    uint64_t blocks, packed, unpacked, dropped;
};

// The result of reading the first bytes in a trial, up to the first sample and beyond.
struct flux_trial_result {
    bool is_patient; // the trial goes on after damage
    uint64_t entries, samples, definitions;
    bool failed;
    bool any_older; // the trial read a head of version 4 or earlier
    bool any_time, all_fine, any_femto, any_fraction;
    int64_t least[3]; // earliest start of a sequence before the first sample, in ns, 1/1000 ns and 1/10^6 ns
};

struct flux {
    struct tk_decode_host host;
    struct tk_batch *batch;   // NULL: a trial without output
    struct tk_batch deferred; // events on axes whose scale is not known yet
    struct tk_signals signals;
    bool has_chosen, has_omitted; // signals that the option "signals" selects, and others
    struct flux_level levels[FLUX_MAX_DEPTH + 2];
    uint32_t depth; // depth of the innermost level
    struct flux_ring ring;
    bool has_ended;               // the input has ended
    bool withholds_last_byte;     // `decode` has not reported the last byte as consumed
    bool text_skipped;            // printed text before the recording has been searched for
    bool dialect_known;           // false: the dialect is not decided yet
    bool is_searching;            // the decoder searches for the next entry after damage
    uint64_t skipped, skipped_at; // number and offset of the bytes skipped by the search
    size_t next_probe_len;        // number of bytes at which the search continues
    uint8_t dialect;              // dialect of entries of version 6
    bool ignores_version;         // all entries are in that dialect, regardless of the version in their heads
    uint8_t fine;                 // 0: times are unchanged; 1: times are shown 1000 times as long; 2: 10^6 times
    int64_t shift;                // added to all times, in ns
    struct flux_trial_result trial_result;
    struct flux_trace *traces;
    uint32_t trace_count, trace_capacity, trace; // trace: index of the current one
    struct flux_item *items;
    uint32_t item_count, item_capacity;
    struct tk_idmap by_id; // key: trace << 32 | id
    struct flux_sequence *sequences;
    uint32_t sequence_count, sequence_capacity, sequence_numbers;
    struct flux_axis axes[FLUX_MAX_AXES];
    uint32_t axis_count;
    struct flux_waiting *waiting;
    uint32_t waiting_count, waiting_capacity, waiting_free, unresolved; // waiting_free, unresolved: heads of lists,
                                                                        // index + 1
    uint64_t flows;
    struct tk_field *fields;
    uint32_t field_count, field_capacity;
    uint8_t *states;
    uint64_t entry_offset, entries, samples;
    uint64_t several;     // number of signals defined by entries that define several
    uint64_t top_offset;  // offset in the input of the current entry or sample
    uint64_t kept_offset; // offset of the bytes in `kept`, which a problem shows when the input buffer no longer
                          // contains them
    uint8_t kept[TK_DIAG_CONTEXT], kept_len;
    uint64_t first_ns, last_ns;
    bool any_drawn, tick_emitted, derived;
    int32_t rank;
    struct flux_block_count blocks[TK_UNPACK_METHODS];
};

// stream.c
size_t flux_stream_take(struct flux *flux, const uint8_t *bytes, size_t len); // copies as many bytes as fit
bool flux_stream_run(struct flux *flux); // returns false when all bytes are read, true when the batch is full or a
                                         // trial has read enough
void flux_stream_deinit(struct flux *flux);
struct tk_source_pos flux_place(struct flux *flux);
void flux_note(struct flux *flux, enum tk_diag_id id, uint64_t number);    // counts a problem at the current offset
void flux_problem(struct flux *flux, enum tk_diag_id id, uint64_t number); // the same, and shows it on the track of
                                                                           // problems
// state.c
struct flux_trace *flux_current(struct flux *flux);
uint32_t flux_find_item(const struct flux *flux, uint32_t trace, uint64_t id); // returns the index, or TK_NONE
uint32_t flux_add_item(struct flux *flux, uint32_t trace, uint64_t id);
struct flux_sequence *flux_covering(struct flux *flux, struct flux_item *item); // NULL: no sequence is open
void flux_select_trace(struct flux *flux, uint64_t id);
uint32_t flux_find_trace(const struct flux *flux, uint64_t id);        // returns the index; trace_count: unknown
bool flux_on_entry(struct flux *flux, const struct flux_entry *entry); // returns false if the entry is damaged
// item: index in the current trace, as flux_find_item returns it.
bool flux_on_sample(struct flux *flux, const struct flux_sample *sample, uint32_t item);
bool flux_sample_is_sound(struct flux *flux, const struct flux_sample *sample, uint32_t index);
void flux_state_deinit(struct flux *flux);
// data.c: reads the value of a sample into fields. Returns false if it is damaged.
bool flux_read_data(struct flux *flux, enum flux_type type, enum flux_dialect dialect,
                    const struct flux_sample *sample);
// map.c
void flux_map_trace(struct flux *flux, const struct flux_entry *head);
void flux_map_definition(struct flux *flux, uint32_t item, const struct flux_entry *entry, uint64_t k);
void flux_map_member(struct flux *flux, uint32_t item, const struct flux_entry *entry);
void flux_map_label(struct flux *flux, uint32_t item, const struct flux_entry *entry);
void flux_map_sample(struct flux *flux, uint32_t item, const struct flux_sample *sample, struct flux_sequence *sequence,
                     int64_t position);
void flux_map_control(struct flux *flux, const struct flux_entry *entry);
void flux_map_note(struct flux *flux, uint32_t item, const struct flux_entry *entry); // a label on a sample
void flux_map_alias(struct flux *flux, uint32_t item, const struct flux_entry *entry);
uint32_t flux_handle(struct flux *flux, uint32_t item, uint32_t axis);                       // 0: no room
void flux_map_run(struct flux *flux, uint32_t trace, const struct flux_ended_sequence *run); // a sequence that has
                                                                                             // ended
uint32_t flux_root(struct flux *flux, uint32_t trace); // returns the handle of its group; 0: no room
// Everything between these two calls is drawn on this axis (0: time).
uint32_t flux_begin_drawing(struct flux *flux, uint32_t axis);
void flux_end_drawing(struct flux *flux, uint32_t axis, uint32_t before);
struct tk_span flux_name(const struct flux *flux, uint32_t item); // as it was defined
uint64_t flux_key(const struct flux *flux, const struct flux_item *item);
// sequence.c
void flux_open_sequence(struct flux *flux, uint32_t item, const struct flux_entry *entry);
void flux_close_sequence(struct flux *flux, struct flux_sequence *sequence, int64_t end, enum tk_end_mark mark);
void flux_move_sequence(struct flux *flux, struct flux_sequence *sequence, int64_t position);
bool flux_time(struct flux *flux, const struct flux_sequence *sequence, int64_t position, uint64_t *out_ns);
void flux_close_all(struct flux *flux, enum tk_end_mark mark, bool only_slices);
void flux_resolve_axes(struct flux *flux);
void flux_note_time(struct flux *flux, struct flux_trace *trace, uint64_t ns); // something was drawn at this time
// Returns a time for entries without one: the last time of the current trace, or of any trace if that has drawn
// nothing.
uint64_t flux_now(struct flux *flux);
// Extends what is drawn of an item, and of all items above it.
void flux_note_drawn(struct flux *flux, struct flux_item *item, const struct flux_drawn_until *drawn);
void flux_note_ahead(struct flux *flux, struct flux_item *item, const struct flux_sequence *sequence,
                     int64_t position); // a sample ahead of its sequence
void flux_note_sequence_start(struct flux *flux, const struct flux_sequence *sequence);
// relation.c
void flux_map_relation(struct flux *flux, uint32_t item, const struct flux_entry *entry);
void flux_release_waiting(struct flux *flux, uint32_t item, uint64_t before_ns);
void flux_release_all(struct flux *flux);
// detect.c
bool flux_detect_dialect(struct flux *flux); // false: more bytes are needed
// report.c
bool flux_summary_line(const void *decoder, uint32_t index, char out_text[TK_SUMMARY_LEN]);
extern const struct tk_table *const flux_table_list[];
void flux_tables(const void *decoder, const struct tk_table_sink *sink);
// dump.c. A record of a dump: an entry or a sample.
struct flux_dump_record {
    struct flux *flux;
    const struct flux_entry *entry;
    const struct flux_sample *sample;
    const struct flux_sequence *sequence; // of the sample; NULL: none
    int64_t position;
};
void flux_dump_show(const struct tk_decode_host *host, const void *shown);
static inline void flux_shows(struct flux *flux, const struct flux_dump_record *shown) {
    if (flux->host.on_record_decoded) flux->host.names->show(&flux->host, shown);
}

static inline struct tk_span flux_span(struct flux_bytes bytes) {
    return (struct tk_span){ (const char *)bytes.at, (uint32_t)bytes.len };
}

#endif
