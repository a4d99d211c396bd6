// SPDX-License-Identifier: MIT
//
// Typed signals: converts samples to tracks. A sample is valid until the next one of its signal, so numbers become
// counters, and other values become slices named after them; structs and arrays have a child track per member.
// Independent of formats: a decoder defines signals and passes samples; the events go into its batch.
//
// Times are nanoseconds (or another unit that is shown as such) and rise per signal. Texts are arbitrary bytes; stored
// texts are copied.
#ifndef TK_SIGNALS_SIGNALS_H
#define TK_SIGNALS_SIGNALS_H

#include "../../base/arena.h"
#include "../../base/idmap.h"
#include "../time/batch.h"
#include "text.h"

enum tk_shape {
    TK_SHAPE_UNKNOWN,
    TK_SHAPE_EVENT,
    TK_SHAPE_INTEGER,
    TK_SHAPE_FLOAT,
    TK_SHAPE_TEXT,
    TK_SHAPE_LOGIC,
    TK_SHAPE_BINARY,
    TK_SHAPE_STRUCT,
    TK_SHAPE_EVENTS,
    TK_SHAPE_INTEGERS,
    TK_SHAPE_FLOATS,
    TK_SHAPE_TEXTS,
    TK_SHAPES
};

enum tk_hint { TK_HINT_NONE, TK_HINT_SLICES, TK_HINT_POINTS };

enum { TK_MAX_SIGNALS = 32768, TK_MAX_CHILDREN = 16, TK_MAX_DETAILS = 64, TK_MAX_MEMBERS = 256, TK_MAX_STATES = 65536 };

// Labels belong to a key: that of a signal for its own values, plus n for members or elements (which use the labels of
// the signal if they have none), or for tags.
enum { TK_TAG_LABELS = 5, TK_MEMBER_LABELS = 8 };

struct tk_span {
    const char *text;
    uint32_t len;
};

// Logic states, one byte each, the most significant first: 0 1 Z X L H U W - J K M N O P #
extern const char tk_logic_letters[17];

enum tk_field_type {
    TK_FIELD_NONE,
    TK_FIELD_INTEGER,
    TK_FIELD_BIG,
    TK_FIELD_DOUBLE,
    TK_FIELD_LABEL,
    TK_FIELD_TEXT,
    TK_FIELD_BYTES,
    TK_FIELD_LOGIC,
    TK_FIELD_GROUP,
    TK_FIELD_LIST
};

// A value, or a member of another value.
struct tk_field {
    uint8_t type; // enum tk_field_type
    bool is_hidden;
    uint32_t member; // number of the member, or index
    union {
        int64_t i; // INTEGER, LABEL
        double d;
        uint32_t count; // GROUP, LIST: number of the following fields that belong to it, including nested ones
    };
    const uint8_t *bytes; // BIG: two's complement; LOGIC: states
    uint32_t len;
};

struct tk_sample {
    uint64_t ns;
    int64_t place;                 // position on its own axis; samples at the same position belong together
    const struct tk_field *fields; // the first one is the value, followed by its members; NONE: the signal has no value
                                   // from here on
    uint32_t count;
    uint32_t tag;            // tag of the value; 0: none
    struct tk_span position; // text of the position on its own axis, if ns is not the position; len 0: not shown
};

struct tk_signal_def {
    uint32_t parent;                                // group or signal
    uint32_t number;                                // number in the format, appended to names that are taken
    int32_t rank;                                   // order among siblings; the next rank is reserved
    struct tk_span name, description, tags, origin; // origin: "item 3"
    uint8_t shape, radix, hint;                     // enum tk_shape, tk_radix, tk_hint
    uint32_t width; // width of logic in bits, or number of elements of an array; 0: unknown
    bool is_local;  // the width is that of this part of a vector
};

struct tk_member_def {
    uint32_t member, parent; // numbers of the member and of its parent; parent TK_NONE: none
    struct tk_span label;
    uint8_t shape, radix;
    bool is_hidden;
};

struct tk_label {
    uint32_t symbol, text_len;
    const char *text; // text of the label; NULL: a number without a label
};

struct tk_signal_member {
    struct tk_member_def def;
    uint32_t track; // id of its track; 0: none yet
    bool is_open;   // its slice is open
};

struct tk_marks {
    uint32_t track;
    bool is_open;
};

struct tk_signal {
    struct tk_signal_def def;
    uint64_t key;          // key of its labels
    uint32_t original;     // id of the signal of which it is a copy; the name is that of the original. 0: not a copy
    uint32_t track;        // id of its track; 0: none yet
    uint8_t style;         // enum tk_style
    bool is_open, is_wide; // is_wide: logic of unknown width with a value longer than one bit
    bool is_untimed;       // its times are positions on an axis of its own
    uint8_t child_count, depth;
    uint16_t member_count, member_capacity;
    struct tk_signal_member *members;
    struct tk_marks marks;
    uint32_t aliases_len;
    const char *aliases; // "also: a, b"
    uint64_t last_ns;    // time of the last sample
    uint32_t vector;     // index + 1 of the vector to which it belongs
    uint32_t from, to;   // its bits in that vector
};

struct tk_vector; // vector.c

struct tk_signals {
    struct tk_alloc *alloc;
    struct tk_batch *batch;
    struct tk_diag *diag;
    struct tk_arena texts;     // names and descriptions
    struct tk_signal *signals; // indexed by id - 1; groups are signals without samples
    uint32_t count, capacity;
    struct tk_idmap taken;                   // hash of (parent, name) -> id
    struct tk_idmap twins;                   // root << 32 | id -> copy
    struct tk_idmap labels_by_key, labelled; // labelled: keys that have labels
    struct tk_label *labels;
    uint32_t label_count, label_capacity;
    struct tk_vector *vectors;
    uint32_t vector_count, vector_capacity;
    uint32_t *pending; // vectors with a value that was not emitted yet
    uint32_t pending_count, pending_capacity;
    uint32_t tracks, symbols; // number of assigned ids
    struct tk_event at;       // common fields of all events: the input, and the offset of the current data
    struct tk_value values[TK_MAX_DETAILS]; // values of the current event
    uint32_t value_count;
    uint8_t *states; // buffer of TK_MAX_STATES bytes for extended logic values
};

extern const struct tk_kind_words tk_signal_kinds[]; // words for the events of signals, ended by NULL

void tk_signals_init(struct tk_signals *signals, struct tk_alloc *alloc, struct tk_diag *diag, struct tk_batch *batch,
                     uint8_t input);

// ---- Definitions ----

// Adds a group (parent 0: a root) or a signal. Returns its id; 0: no room. `key`: labels of its enumerations have key +
// enumeration.
uint32_t tk_signals_add_group(struct tk_signals *signals, const struct tk_signal_def *def);
uint32_t tk_signals_add(struct tk_signals *signals, const struct tk_signal_def *def, uint64_t key);
// Defines a signal again, possibly with other properties. Its style does not change once it was drawn.
void tk_signals_change(struct tk_signals *signals, uint32_t id, const struct tk_signal_def *def);
void tk_signals_member(struct tk_signals *signals, uint32_t id, const struct tk_member_def *def);
void tk_signals_label(struct tk_signals *signals, uint64_t key, int64_t value, struct tk_span text);
// Copies a signal or group to another root, where it is drawn on another axis.
uint32_t tk_signals_copy_below_root(struct tk_signals *signals, uint32_t id, uint32_t root);
// Adds another path of the signal.
void tk_signals_alias(struct tk_signals *signals, uint32_t id, struct tk_span path);
// Declares that a signal contains the bits from .. to of a vector with its name and parent.
void tk_signals_add_slice_of_vector(struct tk_signals *signals, uint32_t id, uint32_t from, uint32_t to);

// ---- Samples ----

// Emits the pending values of vectors that are sampled in parts, before the time advances. Otherwise they are emitted
// with the next sample of the vector.
void tk_signals_flush(struct tk_signals *signals);
void tk_signals_sample(struct tk_signals *signals, uint32_t id, const struct tk_sample *sample);
// Ends open slices. ns: not before the last sample.
void tk_signals_close(struct tk_signals *signals, uint32_t id, uint64_t ns, enum tk_end_mark mark);

// An annotation of a sample: inside its slice, or on the track of marks of a counter.
struct tk_note_of_signal {
    uint64_t ns;
    struct tk_span name;
    uint64_t flow, flow_end; // as in struct tk_event
    const struct tk_value *values;
    uint32_t value_count;
};
void tk_signals_note(struct tk_signals *signals, uint32_t id, const struct tk_note_of_signal *note);
// Emit an instant or a slice on a track of a group: control, sequences. track: from tk_signals_track.
void tk_signals_instant(struct tk_signals *signals, uint32_t track, const struct tk_note_of_signal *note);
void tk_signals_slice(struct tk_signals *signals, uint32_t track, const struct tk_note_of_signal *note, uint64_t end_ns,
                      enum tk_end_mark mark);
uint32_t tk_signals_track(struct tk_signals *signals, uint32_t group, struct tk_span name, int32_t rank);

// ---- Queries ----

static inline struct tk_signal *tk_signals_get(struct tk_signals *signals, uint32_t id) {
    return &signals->signals[id - 1];
}
bool tk_signals_has_labels(const struct tk_signals *signals, uint64_t key);
const struct tk_label *tk_signals_find_label(const struct tk_signals *signals, uint64_t key, int64_t value); // returns
                                                                                                             // NULL if
                                                                                                             // there is
                                                                                                             // none
// Returns the first signal of this name below a parent; 0: none.
uint32_t tk_signals_find(const struct tk_signals *signals, uint32_t parent, struct tk_span name);
// Returns the name of its track, with its number if another signal has the same name.
enum { TK_SIGNAL_SHOWN = 272 };
struct tk_span tk_signals_shown(struct tk_signals *signals, uint32_t id, char room[TK_SIGNAL_SHOWN]);
// Writes the path, "scope/name", cut to fit and terminated. Returns its length.
enum { TK_SIGNAL_PATH = 512 };
size_t tk_signals_path(const struct tk_signals *signals, uint32_t id, char out_path[TK_SIGNAL_PATH]);
// Returns true if a path matches one of the comma-separated patterns (glob.h), with or without the bracket at its end:
// a range of bits, or a unit.
bool tk_signal_path_matches(const char *patterns, const char *path, size_t len);

#endif
