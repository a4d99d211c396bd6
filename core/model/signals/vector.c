// SPDX-License-Identifier: MIT
//
// A vector whose bits are sampled in parts: a track with the whole value, and the parts below it.
#include "emit.h"

enum { UNKNOWN_STATE = 16, WIDEST = 4096, MOST_VECTORS = 8192 };

struct tk_vector {
    uint32_t parent;     // group
    struct tk_span name; // common name of its parts
    uint32_t part_count;
    uint32_t low, width;
    int32_t rank;
    uint8_t radix;
    uint8_t *states; // states of the bits, the most significant first; NULL: no sample yet
    uint32_t track;
    bool has_pending, is_listed, is_open, is_fixed; // listed: in the list for tk_signals_flush; fixed: its width does
                                                    // not change any more
    int64_t place;                                  // position of the pending value
    uint64_t ns;
};

static bool is_of(const struct tk_vector *vector, const struct tk_signal *part) {
    return vector->parent == part->def.parent && vector->name.len == part->def.name.len &&
           !memcmp(vector->name.text, part->def.name.text, vector->name.len);
}

// Returns the last vector of this name if it still accepts parts.
static uint32_t vector_of(struct tk_signals *signals, const struct tk_signal *part) {
    for (uint32_t i = signals->vector_count; i-- > 0 && signals->vector_count - i < 64;)
        if (is_of(&signals->vectors[i], part))
            return signals->vectors[i].is_fixed || signals->vectors[i].part_count == WIDEST ? 0 : i + 1;
    if (signals->vector_count == MOST_VECTORS ||
        !tk_alloc_grow(signals->alloc, (void **)&signals->vectors, &signals->vector_capacity, signals->vector_count + 1,
                       sizeof *signals->vectors))
        return 0;
    signals->vectors[signals->vector_count] = (struct tk_vector){
        .parent = part->def.parent, .name = part->def.name, .rank = part->def.rank, .radix = part->def.radix
    };
    return ++signals->vector_count;
}

void tk_signals_add_slice_of_vector(struct tk_signals *signals, uint32_t id, uint32_t from, uint32_t to) {
    struct tk_signal *part = tk_signals_get(signals, id);
    if (part->vector) return;
    uint32_t low = from < to ? from : to, high = from < to ? to : from;
    part->from = low;
    part->to = high;
    part->def.width = high - low < WIDEST ? high - low + 1 : WIDEST;
    if (high >= WIDEST || !(part->vector = vector_of(signals, part))) return;
    struct tk_vector *vector = &signals->vectors[part->vector - 1];
    if (!vector->part_count || low < vector->low)
        vector->width += vector->part_count ? vector->low - low : 0, vector->low = low;
    if (high - vector->low + 1 > vector->width) vector->width = high - vector->low + 1;
    vector->part_count++;
}

static void put_bits(struct tk_text *name, struct tk_span base, uint32_t high, uint32_t low) {
    tk_text_put(name, base.text, base.len);
    tk_text_add(name, "[");
    if (high != low) tk_text_u64(name, high), tk_text_add(name, ":");
    tk_text_u64(name, low);
    tk_text_add(name, "]");
}

static void declare_whole(struct tk_signals *signals, struct tk_vector *vector) {
    char name_room[TK_SHORT_ROOM];
    struct tk_text name = tk_short_in(name_room);
    put_bits(&name, vector->name, vector->low + vector->width - 1, vector->low);
    vector->track = tk_new_track(signals, false);
    tk_emit_track(signals, vector->track,
                  &(struct tk_track_words){
                      .parent = vector->parent ? tk_signal_track(signals, tk_signals_get(signals, vector->parent)) : 0,
                      .type = TK_TRACK_OF_SLICES,
                      .rank = vector->rank,
                      .name = tk_span_of_text(&name) });
}

uint32_t tk_vector_parent(struct tk_signals *signals, struct tk_signal *part, struct tk_text *name) {
    struct tk_vector *vector = &signals->vectors[part->vector - 1];
    put_bits(name, part->def.name, part->to, part->from);
    vector->is_fixed = true;
    if (vector->part_count < 2) return 0;
    if (!vector->track) declare_whole(signals, vector);
    return vector->track;
}

// Returns true if no part has a value.
static bool is_blank(const struct tk_vector *vector) {
    uint32_t i = 0;
    while (i < vector->width && vector->states[i] == UNKNOWN_STATE) i++;
    return i == vector->width;
}

static void end_whole(struct tk_signals *signals, struct tk_vector *vector, uint64_t ns, enum tk_end_mark mark) {
    if (vector->is_open) tk_emit_end(signals, vector->track, ns, mark);
    vector->is_open = false;
}

static void emit_pending(struct tk_signals *signals, struct tk_vector *vector) {
    struct tk_drawable drawn = { .ns = vector->ns, .correlation = (uint64_t)vector->track << 8 | 2 };
    if (!vector->has_pending) return;
    vector->has_pending = false;
    if (is_blank(vector)) {
        end_whole(signals, vector, vector->ns, TK_END_SEEN);
        return;
    }
    char name_room[TK_SHORT_ROOM];
    struct tk_text name = tk_short_in(name_room);
    tk_name_states(signals, (enum tk_radix)vector->radix, vector->states, vector->width, &drawn, &name);
    drawn.name = tk_span_of_text(&name);
    tk_emit_state(signals, vector->track, &drawn);
    vector->is_open = true;
}

static bool has_states(struct tk_signals *signals, struct tk_vector *vector) {
    if (vector->states) return true;
    vector->states = tk_alloc_zero(signals->alloc, vector->width);
    if (vector->states) memset(vector->states, UNKNOWN_STATE, vector->width);
    return vector->states;
}

// Lists a vector for tk_signals_flush. When out of memory, its value is emitted with the next one.
static void list(struct tk_signals *signals, struct tk_vector *vector) {
    if (vector->is_listed || !tk_alloc_grow(signals->alloc, (void **)&signals->pending, &signals->pending_capacity,
                                            signals->pending_count + 1, sizeof *signals->pending))
        return;
    vector->is_listed = true;
    signals->pending[signals->pending_count++] = (uint32_t)(vector - signals->vectors);
}

void tk_vector_sample(struct tk_signals *signals, struct tk_signal *part, const struct tk_sample *sample) {
    struct tk_vector *vector = &signals->vectors[part->vector - 1];
    if (vector->part_count < 2 || !vector->track || !has_states(signals, vector)) return;
    if (vector->has_pending && vector->place != sample->place) emit_pending(signals, vector);
    uint8_t *to = vector->states + (vector->width - 1 - (part->to - vector->low));
    const uint8_t *states =
        sample->fields->type == TK_FIELD_LOGIC ? tk_logic_extend(signals, sample->fields, part->def.width) : NULL;
    if (states) memcpy(to, states, part->def.width);
    else memset(to, UNKNOWN_STATE, part->def.width);
    vector->has_pending = true;
    list(signals, vector);
    vector->place = sample->place;
    vector->ns = sample->ns;
}

void tk_vector_close(struct tk_signals *signals, struct tk_signal *part, uint64_t ns, enum tk_end_mark mark) {
    struct tk_vector *vector = &signals->vectors[part->vector - 1];
    emit_pending(signals, vector);
    end_whole(signals, vector, ns > vector->ns ? ns : vector->ns, mark);
}

void tk_signals_flush(struct tk_signals *signals) {
    for (uint32_t i = 0; i < signals->pending_count; i++) {
        struct tk_vector *vector = &signals->vectors[signals->pending[i]];
        vector->is_listed = false;
        emit_pending(signals, vector);
    }
    signals->pending_count = 0;
}
