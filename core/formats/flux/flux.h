// SPDX-License-Identifier: MIT
//
// The state of one flux decoder, shared by the files of this folder.
//
//   bytes -> levels (stream.c) -> entries, samples -> traces, items, sequences (state.c) -> signals (map.c) -> batch
//
// The same engine runs twice over the first bytes without output, to see the dialect (detect.c).
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
#define FLUX_DEFERRED_BIAS ((int64_t)1 << 61) // of positions on an axis whose scale is not known yet

// ---- Bytes -------------------------------------------------------------------------------------

struct flux_level {
    uint8_t *bytes; // [at, end) wait; before them what matches may reach back to
    size_t capacity, at, end;
    uint64_t offset; // of bytes[0] in what this level holds
    uint64_t skip;   // bytes to drop when they come
    struct tk_unpack unpack;
    uint64_t packed, packed_left; // bytes of a block, in the level below
    uint64_t unpacked, original;
    bool is_packed;  // else a section, or the input itself
    bool is_damaged; // nothing follows what is unpacked of the block
    bool is_suspect; // the sample at `at` is not accepted yet
};

// Sections of a ring that are newer than those behind them.
struct flux_ring {
    uint8_t *bytes; // of each its offset in the input, its head, what is used of it
    uint32_t len, capacity, at;
    uint8_t counter; // of the newest
    bool is_open, is_older, is_replayed;
};

// ---- What there is -----------------------------------------------------------------------------

// Until where something was drawn: of time, and of the last one of the axes. What begins again begins there.
struct flux_drawn_until {
    uint64_t until; // ns + 1; 0: nothing
    int64_t place;  // on the axis
    uint32_t axis;  // + 1; 0: nothing
};

struct flux_item {
    uint32_t id, trace; // index of the trace
    uint32_t parent;    // id; 0: the root
    uint32_t handle;    // group or signal; 0: none
    uint32_t sequence;  // + 1, opened for this very item
    uint32_t covering;  // + 1, as of `epoch`
    uint32_t epoch;
    uint32_t next, previous; // of those drawn in one sequence, + 1
    uint32_t drawn_in;       // number of the last one
    uint32_t listed_in;      // index of that, + 1, while it is open and no other draws it
    uint32_t sequence_track;
    int64_t last_position;         // of its last sample
    uint32_t waiting;              // relations that wait for it, + 1
    struct flux_drawn_until drawn; // of everything below it
    uint64_t k;                    // samples in this sequence
    uint64_t last_ns;              // + 1, of its last sample
    uint32_t longest;              // data of its samples so far
    uint8_t type;                  // enum flux_type; FLUX_UNKNOWN: a scope
    bool is_defined, is_signal, had_delta, has_sample;
    bool contradicts_definition; // it was, but no sample suits that: of the definition the name counts
};

// A sequence that has ended.
struct flux_ended_sequence {
    uint64_t from, to, offset; // ns
    int64_t start, end, rate;
    uint32_t item; // index + 1; 0: all
    char domain[FLUX_DOMAIN_LEN];
    uint8_t domain_len, mark;
};

struct flux_trace {
    uint32_t id;
    uint32_t root;     // group
    uint32_t sequence; // + 1, opened for all
    uint32_t epoch;    // changes when sequences or parents do
    uint32_t opened;   // sequences over time so far
    uint32_t sequences_group, control_track;
    uint32_t max_id;
    uint32_t definitions;
    uint64_t last_ns;
    struct flux_drawn_until drawn;
    uint8_t version, dialect;
    bool has_head, has_drawn;
    uint32_t runs; // sequences over time that have ended with samples; the first one is drawn when a second one comes
    uint32_t sequence_track; // of those opened for all
    char domain[FLUX_DOMAIN_LEN];
    uint8_t domain_len;
    struct flux_ended_sequence first;
};

struct flux_sequence {
    uint32_t trace, item; // index of the item + 1; 0: all of the trace
    uint32_t number;      // 0: free
    uint32_t first;       // item drawn in it, + 1
    uint32_t axis;        // + 1; 0: time
    struct tk_unit unit;
    int64_t start, position, rate;
    int64_t offset, offset_at_start; // in ns, or in positions of the axis
    bool is_used;                    // anything was sampled in it
    char domain[FLUX_DOMAIN_LEN];
    uint8_t domain_len;
};

// What is no time: positions on a line of its own, scaled when its extent is known.
struct flux_axis {
    uint32_t trace, root;
    int64_t least, most;
    uint64_t scale; // ns per position; 0: not known yet
    char domain[FLUX_DOMAIN_LEN];
    uint8_t domain_len;
};

struct flux_waiting {
    uint32_t next;           // + 1
    uint32_t source, target; // items; target TK_NONE: not known yet
    uint64_t ns, flow, flow_end;
    struct flux_relation {
        uint64_t style, path, base; // values of enumerations
        int64_t number;             // delta or position
        uint8_t kind;
    } relation;
};

struct flux_block_count {
    uint64_t blocks, packed, unpacked, dropped;
};

// What the bytes before the first sample tell, and whether they can be read at all.
struct flux_trial_result {
    bool is_patient; // goes on behind damage
    uint64_t entries, samples, definitions;
    bool failed;
    bool any_older; // a head of version 4 or before it was read
    bool any_time, all_fine, any_femto, any_fraction;
    int64_t least[3]; // smallest start before the first sample, in ns, 1/1000 and 1/10^6 of them
};

struct flux {
    struct tk_decode_host host;
    struct tk_batch *batch;   // NULL: a trial
    struct tk_batch deferred; // events on axes without a scale
    struct tk_signals signals;
    struct flux_level levels[FLUX_MAX_DEPTH + 2];
    uint32_t depth; // of the innermost level
    struct flux_ring ring;
    bool has_ended;               // no more input
    bool withholds_last_byte;     // the last byte was not told as read
    bool text_skipped;            // printed text before the recording was looked for
    bool dialect_known;           // the dialect is known
    bool is_searching;            // for the next entry behind damage
    uint64_t skipped, skipped_at; // while searching
    size_t next_probe_len;        // bytes at which to look again
    uint8_t dialect;              // of version 6
    bool ignores_version;         // all is of that dialect, whatever heads tell
    uint8_t fine;                 // 0: as they are, 1: times are 1000 as long, 2: 10^6
    int64_t shift;                // ns
    struct flux_trial_result trial_result;
    struct flux_trace *traces;
    uint32_t trace_count, trace_capacity, trace; // trace: the current one
    struct flux_item *items;
    uint32_t item_count, item_capacity;
    struct tk_idmap by_id; // trace << 32 | id
    struct flux_sequence *sequences;
    uint32_t sequence_count, sequence_capacity, sequence_numbers;
    struct flux_axis axes[FLUX_MAX_AXES];
    uint32_t axis_count;
    struct flux_waiting *waiting;
    uint32_t waiting_count, waiting_capacity, waiting_free, unresolved; // free, unresolved: heads of lists, + 1
    uint64_t flows;
    struct tk_field *fields;
    uint32_t field_count, field_capacity;
    uint8_t *states;
    uint64_t entry_offset, entries, samples;
    uint64_t several;     // signals that were defined by entries for several
    uint64_t top_offset;  // of what is read, in the input
    uint64_t kept_offset; // of bytes there that are told where something is wrong when they are gone
    uint8_t kept[TK_DIAG_CONTEXT], kept_len;
    uint64_t first_ns, last_ns;
    bool any_drawn, tick_emitted, derived;
    int32_t rank;
    struct flux_block_count blocks[TK_UNPACK_METHODS];
};

// stream.c
size_t flux_stream_take(struct flux *flux, const uint8_t *bytes, size_t len); // copies what there is room for
bool flux_stream_run(struct flux *flux); // false: everything at hand is read; true: the batch is full, or a trial has
                                         // seen enough
void flux_stream_deinit(struct flux *flux);
struct tk_source_pos flux_place(struct flux *flux);
void flux_note(struct flux *flux, enum tk_diag_id id, uint64_t number);    // with the place
void flux_problem(struct flux *flux, enum tk_diag_id id, uint64_t number); // the same, and on the track of problems
// state.c
struct flux_trace *flux_current(struct flux *flux);
uint32_t flux_find_item(const struct flux *flux, uint32_t trace, uint64_t id); // index, or TK_NONE
uint32_t flux_add_item(struct flux *flux, uint32_t trace, uint64_t id);
struct flux_sequence *flux_covering(struct flux *flux, struct flux_item *item); // NULL: none is open
void flux_select_trace(struct flux *flux, uint64_t id);
uint32_t flux_find_trace(const struct flux *flux, uint64_t id);        // its index; trace_count: it is not known
bool flux_on_entry(struct flux *flux, const struct flux_entry *entry); // false: it is damaged
bool flux_on_sample(struct flux *flux, const struct flux_sample *sample, uint32_t item); // item: as flux_find_item has
                                                                                         // it in the current trace
bool flux_sample_is_sound(struct flux *flux, const struct flux_sample *sample, uint32_t index);
void flux_state_deinit(struct flux *flux);
// data.c: the value of a sample as fields. False: damaged.
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
uint32_t flux_root(struct flux *flux, uint32_t trace);                                       // its group; 0: no room
// Between these calls what is drawn stands on this axis (0: time).
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
void flux_note_time(struct flux *flux, struct flux_trace *trace, uint64_t ns); // something was drawn there
uint64_t flux_now(struct flux *flux); // of what has no time: the last time of its trace, or of any where that has drawn
                                      // nothing
// Of the item, and so of all above it.
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
// dump.c. What a dump shows: an entry, or a sample.
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
