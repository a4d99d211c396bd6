// SPDX-License-Identifier: MIT
//
// Typed signals: what is sampled becomes tracks. A sample holds until the next one of its signal, so numbers are
// counters and everything else is a row of slices named after their values; structs and arrays have a track per member
// below them. Knows no format: whoever reads one says which signals there are and hands over their samples, and the
// events go into its batch.
//
// Times are nanoseconds (or what is shown as such), and rise per signal. Texts are any bytes, copied where they have to
// last.
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

// Labels of a signal are found by its key: its own values, members or elements n (the own ones serve where n has none),
// tags.
enum { TK_TAG_LABELS = 5, TK_MEMBER_LABELS = 8 };

struct tk_span {
    const char *text;
    uint32_t len;
};

// States of logic, one byte each, the most significant first: 0 1 Z X L H U W - J K M N O P #
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

// A value, or one of several within another.
struct tk_field {
    uint8_t type; // enum tk_field_type
    bool is_hidden;
    uint32_t member; // its number among the members, or its index
    union {
        int64_t i; // INTEGER, LABEL
        double d;
        uint32_t count; // GROUP, LIST: of the fields after it that belong to it, those within others counted
    };
    const uint8_t *bytes; // BIG: two's complement; LOGIC: states
    uint32_t len;
};

struct tk_sample {
    uint64_t ns;
    int64_t place;                 // on its own axis; what has the same place happened together
    const struct tk_field *fields; // the first is the value, with what belongs to it; NONE: the signal has no value
                                   // from here on
    uint32_t count;
    uint32_t tag;            // 0: none
    struct tk_span position; // where it stands on its own axis, when ns does not tell; len 0: not shown
};

struct tk_signal_def {
    uint32_t parent;                                // group or signal
    uint32_t number;                                // its number in the format, for names that are taken
    int32_t rank;                                   // order among siblings; the next rank is left free
    struct tk_span name, description, tags, origin; // origin: "item 3"
    uint8_t shape, radix, hint;                     // enum tk_shape, tk_radix, tk_hint
    uint32_t width;                                 // of logic, in bits; elements of arrays; 0: not told
    bool is_local;                                  // its width is that of this part of a vector
};

struct tk_member_def {
    uint32_t member, parent; // parent: TK_NONE: none
    struct tk_span label;
    uint8_t shape, radix;
    bool is_hidden;
};

struct tk_label {
    uint32_t symbol, text_len;
    const char *text; // NULL: a number without a label
};

struct tk_signal_member {
    struct tk_member_def def;
    uint32_t track; // 0: none yet
    bool is_open;   // its slice
};

struct tk_marks {
    uint32_t track;
    bool is_open;
};

struct tk_signal {
    struct tk_signal_def def;
    uint64_t key;          // of its labels
    uint32_t original;     // of a twin, whose name it is shown by; 0: it is none
    uint32_t track;        // 0: none yet
    uint8_t style;         // enum style of signals.c
    bool is_open, is_wide; // wide: of logic without a width, a longer value was seen
    bool is_untimed;       // its times are places on an axis of its own
    uint8_t child_count, depth;
    uint16_t member_count, member_capacity;
    struct tk_signal_member *members;
    struct tk_marks marks;
    uint32_t aliases_len;
    const char *aliases; // "also: a, b"
    uint64_t last_ns;    // of its samples
    uint32_t vector;     // index + 1 of the vector that it is a part of
    uint32_t from, to;   // which bits of it
};

struct tk_vector; // vector.c

struct tk_signals {
    struct tk_alloc *alloc;
    struct tk_batch *batch;
    struct tk_diag *diag;
    struct tk_arena texts;     // names and descriptions
    struct tk_signal *signals; // id - 1; groups are signals without samples
    uint32_t count, capacity;
    struct tk_idmap taken;                   // hash of (parent, name) -> id
    struct tk_idmap twins;                   // root << 32 | id -> twin
    struct tk_idmap labels_by_key, labelled; // labelled: keys that have any
    struct tk_label *labels;
    uint32_t label_count, label_capacity;
    struct tk_vector *vectors;
    uint32_t vector_count, vector_capacity;
    uint32_t *pending; // vectors with a value that was not emitted yet
    uint32_t pending_count, pending_capacity;
    uint32_t tracks, symbols; // numbers given out
    struct tk_event at;       // what all events have in common: the input, and the offset of what is read now
    struct tk_value values[TK_MAX_DETAILS]; // of the event that is made
    uint32_t value_count;
    uint8_t *states; // TK_MAX_STATES, logic that is made longer
};

void tk_signals_init(struct tk_signals *signals, struct tk_alloc *alloc, struct tk_diag *diag, struct tk_batch *batch,
                     uint8_t input);

// ---- What there is ----

// A group; parent 0: a root. Returns its id, 0: no room. `key`: labels of its enumerations are found by key +
// enumeration.
uint32_t tk_signals_add_group(struct tk_signals *signals, const struct tk_signal_def *def);
uint32_t tk_signals_add(struct tk_signals *signals, const struct tk_signal_def *def, uint64_t key);
// Said again, perhaps differently. What a signal is drawn as stays once it was drawn.
void tk_signals_change(struct tk_signals *signals, uint32_t id, const struct tk_signal_def *def);
void tk_signals_member(struct tk_signals *signals, uint32_t id, const struct tk_member_def *def);
void tk_signals_label(struct tk_signals *signals, uint64_t key, int64_t value, struct tk_span text);
// The same signal or group below another root, where it is drawn on another axis.
uint32_t tk_signals_copy_below_root(struct tk_signals *signals, uint32_t id, uint32_t root);
// Another place where the signal is known.
void tk_signals_alias(struct tk_signals *signals, uint32_t id, struct tk_span path);
// Bits from .. to of a vector of this name below this parent, whose parts are signals of their own.
void tk_signals_add_slice_of_vector(struct tk_signals *signals, uint32_t id, uint32_t from, uint32_t to);

// ---- What happened ----

// Emits the values of vectors that are sampled in parts, before the time moves. Without it they are emitted with the
// next sample of the vector.
void tk_signals_flush(struct tk_signals *signals);
void tk_signals_sample(struct tk_signals *signals, uint32_t id, const struct tk_sample *sample);
// Ends what is open. ns: not before the last sample.
void tk_signals_close(struct tk_signals *signals, uint32_t id, uint64_t ns, enum tk_end_mark mark);

// Something that belongs to a sample or stands beside it: inside of its slice, or on the track of marks of a counter.
struct tk_note_of_signal {
    uint64_t ns;
    struct tk_span name;
    uint64_t flow, flow_end; // as in struct tk_event
    const struct tk_value *values;
    uint32_t value_count;
};
void tk_signals_note(struct tk_signals *signals, uint32_t id, const struct tk_note_of_signal *note);
// The same on a track of a group: control, sequences. track: of tk_signals_track.
void tk_signals_instant(struct tk_signals *signals, uint32_t track, const struct tk_note_of_signal *note);
void tk_signals_slice(struct tk_signals *signals, uint32_t track, const struct tk_note_of_signal *note, uint64_t end_ns,
                      enum tk_end_mark mark);
uint32_t tk_signals_track(struct tk_signals *signals, uint32_t group, struct tk_span name, int32_t rank);

// ---- Enquiries ----

static inline struct tk_signal *tk_signals_get(struct tk_signals *signals, uint32_t id) {
    return &signals->signals[id - 1];
}
bool tk_signals_has_labels(const struct tk_signals *signals, uint64_t key);
const struct tk_label *tk_signals_find_label(const struct tk_signals *signals, uint64_t key, int64_t value); // NULL:
                                                                                                             // none
// The first of this name below a parent; 0: none.
uint32_t tk_signals_find(const struct tk_signals *signals, uint32_t parent, struct tk_span name);
// As its track is called: with its number where another one has its name.
enum { TK_SIGNAL_SHOWN = 272 };
struct tk_span tk_signals_shown(struct tk_signals *signals, uint32_t id, char room[TK_SIGNAL_SHOWN]);
// "scope/name", cut where it does not fit; terminated. Returns its length.
enum { TK_SIGNAL_PATH = 512 };
size_t tk_signals_path(const struct tk_signals *signals, uint32_t id, char out_path[TK_SIGNAL_PATH]);

#endif
