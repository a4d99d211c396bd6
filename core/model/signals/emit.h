// SPDX-License-Identifier: MIT
//
// Shared by the files of this folder: adds events to the batch.
#ifndef TK_SIGNALS_EMIT_H
#define TK_SIGNALS_EMIT_H

#include <string.h>

#include "signals.h"

enum tk_style { TK_STYLE_UNDECIDED, TK_STYLE_COUNTER, TK_STYLE_SLICES, TK_STYLE_POINTS };

static inline struct tk_span tk_span_of(const char *word) { return (struct tk_span){ word, (uint32_t)strlen(word) }; }
static inline struct tk_span tk_span_of_text(const struct tk_text *text) {
    return (struct tk_span){ text->text, (uint32_t)text->len };
}

// Returns a copy that lives as long as the event.
struct tk_span tk_emit_copy(struct tk_signals *signals, struct tk_span text);

// ---- Details of the next event ----
// Details without room are omitted. Names and texts live as long as the event or are copied.
struct tk_value *tk_detail(struct tk_signals *signals, struct tk_span name, enum tk_value_type type);
void tk_detail_text(struct tk_signals *signals, const char *name, struct tk_span text); // copied
void tk_detail_int(struct tk_signals *signals, const char *name, int64_t value);
void tk_detail_uint(struct tk_signals *signals, const char *name, uint64_t value);

// Name and attributes of a slice, an instant or a state.
struct tk_drawable {
    uint64_t ns;
    uint32_t symbol;     // symbol of the name; 0: use `name`
    struct tk_span name; // copied
    uint64_t flow, flow_end, correlation;
    uint8_t mark; // bits of enum tk_sample_mark
    union {
        int64_t value;
        double number;
    }; // the mark tells which one is valid
};

// Emit events with the collected details.
void tk_emit_state(struct tk_signals *signals, uint32_t track, const struct tk_drawable *drawn);
void tk_emit_instant(struct tk_signals *signals, uint32_t track, const struct tk_drawable *drawn);
void tk_emit_end(struct tk_signals *signals, uint32_t track, uint64_t ns, enum tk_end_mark mark);
void tk_emit_count(struct tk_signals *signals, uint32_t track, uint64_t ns, int64_t value,
                   unsigned mark); // mark: bits of enum tk_sample_mark
void tk_emit_number(struct tk_signals *signals, uint32_t track, uint64_t ns, double value, unsigned mark);
void tk_emit_name(struct tk_signals *signals, uint32_t symbol, struct tk_span name);

struct tk_track_words {
    uint32_t parent; // track; 0: a root
    enum tk_track_type type;
    int32_t rank;
    uint32_t share;
    struct tk_span name, unit, description;
    const struct tk_signal *signal; // signal with its row in the table of signals; NULL: none
};
void tk_emit_track(struct tk_signals *signals, uint32_t track, const struct tk_track_words *words);
// Returns the id of a new track; 0: too many. children: tracks of members, which are omitted first.
uint32_t tk_new_track(struct tk_signals *signals, bool is_child);

// ---- Functions of single files ----

// text.c: any field
void tk_short_field(struct tk_text *text, const struct tk_field *field, enum tk_radix radix);
// signals.c
uint32_t tk_signal_track(struct tk_signals *signals, struct tk_signal *signal); // declared on first use
uint32_t tk_marks_track(struct tk_signals *signals, struct tk_signal *signal);
uint32_t tk_label_symbol(struct tk_signals *signals, uint64_t key, int64_t value); // returns 0 if there are too many
void tk_declare_signal(struct tk_signals *signals, struct tk_signal *signal);
// draw.c
void tk_signal_decide(struct tk_signals *signals, struct tk_signal *signal);
void tk_detail_hex(struct tk_signals *signals, struct tk_span name, const uint8_t *bytes, size_t len); // the first 64
                                                                                                       // bytes
// logic.c: set the name of a value and its details. Return false if nothing is drawn; the slice before it ends.
bool tk_name_logic(struct tk_signals *signals, struct tk_signal *signal, const struct tk_sample *sample,
                   struct tk_drawable *drawn, struct tk_text *name);
void tk_name_states(struct tk_signals *signals, enum tk_radix radix, const uint8_t *states, uint32_t len,
                    struct tk_drawable *drawn, struct tk_text *name);
bool tk_is_bit(const struct tk_signal *signal);
const uint8_t *tk_logic_extend(struct tk_signals *signals, const struct tk_field *field, uint32_t width);
// compound.c
void tk_name_struct(struct tk_signals *signals, struct tk_signal *signal, const struct tk_sample *sample,
                    struct tk_drawable *drawn, struct tk_text *name);
void tk_name_array(struct tk_signals *signals, struct tk_signal *signal, const struct tk_sample *sample,
                   struct tk_drawable *drawn, struct tk_text *name);
void tk_draw_children(struct tk_signals *signals, struct tk_signal *signal, const struct tk_sample *sample);
void tk_close_children(struct tk_signals *signals, struct tk_signal *signal, uint64_t ns, enum tk_end_mark mark);
// vector.c
void tk_vector_sample(struct tk_signals *signals, struct tk_signal *part, const struct tk_sample *sample);
void tk_vector_close(struct tk_signals *signals, struct tk_signal *part, uint64_t ns, enum tk_end_mark mark);
// Adds the name of the part to `name`. Returns the track of the whole vector; 0: it has only this part.
uint32_t tk_vector_parent(struct tk_signals *signals, struct tk_signal *part, struct tk_text *name);

#endif
