// SPDX-License-Identifier: MIT
#include "emit.h"

#include "../../base/bytes.h"
#include "../../base/glob.h"

enum {
    LONGEST_NAME = 256,
    LONGEST_DESCRIPTION = 1024,
    LONGEST_LABEL = 256,
    MOST_TEXT = 3 * 1024 * 1024,
    MOST_SYMBOLS = 24576
};

void tk_signals_init(struct tk_signals *signals, struct tk_alloc *alloc, struct tk_diag *diag, struct tk_batch *batch,
                     uint8_t input) {
    signals->alloc = alloc;
    signals->diag = diag;
    signals->batch = batch;
    signals->at.input = input;
    signals->texts.alloc = alloc;
}

// ---- Stored texts --------------------------------------------------------------------------------

static bool is_same(struct tk_span a, struct tk_span b) {
    return a.len == b.len && (!a.len || !memcmp(a.text, b.text, a.len));
}

// Returns the stored text if it is equal, otherwise a copy. Without room the old text stays, so that repeated
// definitions do not grow the memory.
static struct tk_span keep(struct tk_signals *signals, struct tk_span old, struct tk_span text, size_t limit) {
    text.len = (uint32_t)tk_text_cut(text.text, text.len, limit);
    if (is_same(old, text)) return old;
    if (!text.len) return (struct tk_span){ "", 0 };
    if (signals->texts.used + text.len > MOST_TEXT) return old.text ? old : (struct tk_span){ "", 0 };
    const char *copy = tk_arena_copy(&signals->texts, text.text, text.len);
    return copy ? (struct tk_span){ copy, text.len } : (struct tk_span){ "", 0 };
}

static void keep_def(struct tk_signals *signals, struct tk_signal_def *kept, const struct tk_signal_def *def) {
    struct tk_signal_def fresh = *def;
    fresh.name = keep(signals, kept->name, def->name, LONGEST_NAME);
    fresh.description = keep(signals, kept->description, def->description, LONGEST_DESCRIPTION);
    fresh.tags = keep(signals, kept->tags, def->tags, LONGEST_NAME);
    fresh.origin = keep(signals, kept->origin, def->origin, LONGEST_NAME);
    *kept = fresh;
}

// ---- Names ---------------------------------------------------------------------------------------

static uint64_t name_key(uint32_t parent, struct tk_span name) {
    return (tk_hash_bytes((const uint8_t *)name.text, name.len) ^ (uint64_t)(parent + 1) * 0x9E3779B97F4A7C15u) |
           (uint64_t)1 << 63;
}

// Returns true if the signal is the first one of this name among its siblings; only the first one has the name without
// a number.
static bool is_first_with_name(struct tk_signals *signals, uint32_t id, const struct tk_signal_def *def) {
    uint64_t key = name_key(def->parent, def->name);
    uint32_t owner = tk_idmap_find(&signals->taken, key);
    if (owner == TK_NONE) tk_idmap_set(&signals->taken, signals->alloc, key, id);
    return owner == TK_NONE || owner == id;
}

uint32_t tk_signals_find(const struct tk_signals *signals, uint32_t parent, struct tk_span name) {
    uint32_t owner = tk_idmap_find(&signals->taken, name_key(parent, name));
    return owner == TK_NONE ? 0 : owner;
}

// LONGEST_NAME bytes and " #number"
_Static_assert(TK_SIGNAL_SHOWN >= LONGEST_NAME + 16, "a name and its number");

struct tk_span tk_signals_shown(struct tk_signals *signals, uint32_t id, char room[TK_SIGNAL_SHOWN]) {
    const struct tk_signal *signal = tk_signals_get(signals, id);
    uint32_t owner = signal->original ? signal->original : id;
    struct tk_span name = signal->def.name;
    if (is_first_with_name(signals, owner, &tk_signals_get(signals, owner)->def)) return name;
    char number_room[TK_SHORT_ROOM];
    struct tk_text number = tk_short_in(number_room);
    tk_text_add(&number, " #");
    tk_text_u64(&number, signal->def.number);
    memcpy(room, name.text, name.len);
    memcpy(room + name.len, number.text, number.len);
    return (struct tk_span){ room, name.len + number.len };
}

static struct tk_span shown_name(struct tk_signals *signals, const struct tk_signal *signal,
                                 char room[TK_SIGNAL_SHOWN]) {
    return tk_signals_shown(signals, (uint32_t)(signal - signals->signals) + 1, room);
}

// Returns the unit in the bracket at the end of a name: "level [mV]".
static struct tk_span unit_of(struct tk_span name) {
    struct tk_span none = { "", 0 };
    if (name.len < 3 || name.text[name.len - 1] != ']') return none;
    uint32_t at = name.len - 1;
    while (at && name.text[at] != '[') at--;
    struct tk_span unit = { name.text + at + 1, name.len - at - 2 };
    bool is_digit = unit.len && unit.text[0] >= '0' && unit.text[0] <= '9';
    return name.text[at] != '[' || !unit.len || unit.len > 8 || is_digit ? none : unit;
}

// ---- Definitions ---------------------------------------------------------------------------------

// Moves a signal that is nested too deeply next to its parent.
static void resolve_depth(struct tk_signals *signals, struct tk_signal *signal) {
    enum { DEEPEST = 32 };
    if (!signal->def.parent) return;
    const struct tk_signal *parent = tk_signals_get(signals, signal->def.parent);
    if (parent->depth == DEEPEST) signal->def.parent = parent->def.parent;
    signal->depth = (uint8_t)(parent->depth + (parent->depth < DEEPEST));
}

static uint32_t add(struct tk_signals *signals, const struct tk_signal_def *def, uint64_t key) {
    uint32_t index = signals->count;
    if (index == TK_MAX_SIGNALS) tk_diag_note(signals->diag, TK_DIAG_SIGNALS_TOO_MANY, NULL, def->shape ? 1 : 0);
    if (index == TK_MAX_SIGNALS || !tk_alloc_grow(signals->alloc, (void **)&signals->signals, &signals->capacity,
                                                  index + 1, sizeof *signals->signals))
        return 0;
    struct tk_signal *signal = &signals->signals[index];
    signals->count++;
    keep_def(signals, &signal->def, def);
    signal->key = key;
    resolve_depth(signals, signal);
    is_first_with_name(signals, index + 1, &signal->def);
    return index + 1;
}

uint32_t tk_signals_add(struct tk_signals *signals, const struct tk_signal_def *def, uint64_t key) {
    return add(signals, def, key);
}

uint32_t tk_signals_add_group(struct tk_signals *signals, const struct tk_signal_def *def) {
    return add(signals, def, 0);
}

void tk_signals_change(struct tk_signals *signals, uint32_t id, const struct tk_signal_def *def) {
    struct tk_signal *signal = tk_signals_get(signals, id);
    struct tk_signal_def old = signal->def;
    keep_def(signals, &signal->def, def);
    signal->def.parent = old.parent;
    is_first_with_name(signals, id, &signal->def);
    if (signal->style != TK_STYLE_UNDECIDED) signal->def.shape = old.shape;
    if (signal->vector) signal->def.width = old.width;
    if (signal->track) tk_declare_signal(signals, signal);
}

void tk_signals_alias(struct tk_signals *signals, uint32_t id, struct tk_span path) {
    enum { LONGEST_ALIASES = 400 };
    struct tk_signal *signal = tk_signals_get(signals, id);
    char room[LONGEST_ALIASES + 2];
    uint32_t len = signal->aliases_len;
    if (len + path.len + 2 > LONGEST_ALIASES) return;
    if (len) memcpy(room, signal->aliases, len), memcpy(room + len, ", ", 2), len += 2;
    memcpy(room + len, path.text, path.len);
    struct tk_span kept =
        keep(signals, (struct tk_span){ "", 0 }, (struct tk_span){ room, len + path.len }, LONGEST_ALIASES);
    signal->aliases = kept.text;
    signal->aliases_len = kept.len;
    if (signal->track) tk_declare_signal(signals, signal);
}

static struct tk_signal_member *find_member(const struct tk_signal *signal, uint32_t member) {
    for (uint32_t i = 0; i < signal->member_count; i++)
        if (signal->members[i].def.member == member) return &signal->members[i];
    return NULL;
}

void tk_signals_member(struct tk_signals *signals, uint32_t id, const struct tk_member_def *def) {
    struct tk_signal *signal = tk_signals_get(signals, id);
    struct tk_signal_member *member = find_member(signal, def->member);
    uint32_t capacity = signal->member_capacity;
    if (!member) {
        if (signal->member_count == TK_MAX_MEMBERS ||
            !tk_alloc_grow(signals->alloc, (void **)&signal->members, &capacity, signal->member_count + 1u,
                           sizeof *signal->members))
            return;
        signal->member_capacity = (uint16_t)capacity;
        member = &signal->members[signal->member_count++];
    }
    struct tk_span label = keep(signals, member->def.label, def->label, LONGEST_NAME);
    member->def = *def;
    member->def.label = label;
}

static void copy_members(struct tk_signals *signals, uint32_t from, uint32_t to) {
    for (uint32_t i = 0; i < tk_signals_get(signals, from)->member_count; i++) {
        struct tk_member_def def = tk_signals_get(signals, from)->members[i].def;
        tk_signals_member(signals, to, &def);
    }
}

uint32_t tk_signals_copy_below_root(struct tk_signals *signals, uint32_t id, uint32_t root) {
    enum { DEEPEST = 64 };
    uint32_t chain[DEEPEST], depth = 0, twin = root;
    for (; id && depth < DEEPEST && tk_signals_get(signals, id)->def.parent;
         id = tk_signals_get(signals, id)->def.parent)
        chain[depth++] = id;
    while (depth--) {
        uint64_t key = (uint64_t)root << 32 | chain[depth];
        uint32_t known = tk_idmap_find(&signals->twins, key);
        if (known == TK_NONE) {
            struct tk_signal_def def = tk_signals_get(signals, chain[depth])->def;
            def.parent = twin;
            known = add(signals, &def, tk_signals_get(signals, chain[depth])->key);
            if (!known || !tk_idmap_set(&signals->twins, signals->alloc, key, known)) return 0;
            copy_members(signals, chain[depth], known);
            const struct tk_signal *original = tk_signals_get(signals, chain[depth]);
            tk_signals_get(signals, known)->original = chain[depth];
            if (original->vector) tk_signals_add_slice_of_vector(signals, known, original->from, original->to);
        }
        twin = known;
    }
    return twin;
}

// ---- Labels --------------------------------------------------------------------------------------

static uint64_t label_key(uint64_t key, int64_t value) {
    uint64_t hash = (key * 0x9E3779B97F4A7C15u) ^ ((uint64_t)value + 0x632BE59BD9B4E019u) * 0xD6E8FEB86659FD93u;
    return (hash ^ hash >> 32) | (uint64_t)1 << 63;
}

const struct tk_label *tk_signals_find_label(const struct tk_signals *signals, uint64_t key, int64_t value) {
    uint32_t index = tk_idmap_find(&signals->labels_by_key, label_key(key, value));
    return index == TK_NONE || !signals->labels[index].text ? NULL : &signals->labels[index];
}

bool tk_signals_has_labels(const struct tk_signals *signals, uint64_t key) {
    return tk_idmap_find(&signals->labelled, key | (uint64_t)1 << 63) != TK_NONE;
}

// Returns the entry of a value; NULL if there is no room.
static struct tk_label *label_of(struct tk_signals *signals, uint64_t key, int64_t value) {
    uint64_t hash = label_key(key, value);
    uint32_t index = tk_idmap_find(&signals->labels_by_key, hash);
    if (index != TK_NONE) return &signals->labels[index];
    index = signals->label_count;
    if (index == MOST_SYMBOLS || !tk_alloc_grow(signals->alloc, (void **)&signals->labels, &signals->label_capacity,
                                                index + 1, sizeof *signals->labels))
        return NULL;
    if (!tk_idmap_set(&signals->labels_by_key, signals->alloc, hash, index)) return NULL;
    signals->label_count++;
    return &signals->labels[index];
}

void tk_signals_label(struct tk_signals *signals, uint64_t key, int64_t value, struct tk_span text) {
    struct tk_label *label = label_of(signals, key, value);
    if (!label) return;
    struct tk_span old = { label->text, label->text_len }, kept = keep(signals, old, text, LONGEST_LABEL);
    bool is_new = !label->text || !is_same(old, kept);
    tk_idmap_set(&signals->labelled, signals->alloc, key | (uint64_t)1 << 63, 1);
    label->text = kept.text;
    label->text_len = kept.len;
    if (label->symbol && is_new) tk_emit_name(signals, label->symbol, kept);
}

uint32_t tk_label_symbol(struct tk_signals *signals, uint64_t key, int64_t value) {
    struct tk_label *label = label_of(signals, key, value);
    if (!label || label->symbol) return label ? label->symbol : 0;
    char number_room[TK_SHORT_ROOM];
    struct tk_text number = tk_short_in(number_room);
    label->symbol = ++signals->symbols;
    tk_text_i64(&number, value);
    tk_emit_name(signals, label->symbol,
                 label->text && label->text_len ? (struct tk_span){ label->text, label->text_len }
                                                : tk_span_of_text(&number));
    return label->symbol;
}

// ---- Tracks of signals ---------------------------------------------------------------------------

static const char *const shape_words[TK_SHAPES] = { "unknown",     "event",         "integer",     "float",
                                                    "text",        "logic",         "binary",      "struct",
                                                    "event array", "integer array", "float array", "text array" };

enum { DESCRIPTION = LONGEST_DESCRIPTION + 1200 };

// Appends a part of a line; line ends become blanks.
static void put_part(struct tk_text *words, const char *before, struct tk_span text) {
    if (!text.len) return;
    if (words->len) tk_text_add(words, " \xC2\xB7 ");
    tk_text_add(words, before);
    for (uint32_t i = 0; i < text.len; i++)
        tk_text_char(words, text.text[i] == '\n' || text.text[i] == '\r' ? ' ' : text.text[i]);
}

static void put_kind(struct tk_text *words, const struct tk_signal *signal) {
    const struct tk_signal_def *def = &signal->def;
    char kind_room[TK_SHORT_ROOM];
    struct tk_text kind = tk_short_in(kind_room);
    bool is_array = def->shape >= TK_SHAPE_EVENTS;
    tk_text_add(&kind, shape_words[def->shape]);
    if (def->origin.len) tk_text_add(&kind, ", "), tk_text_put(&kind, def->origin.text, def->origin.len);
    if (def->width) {
        tk_text_add(&kind, ", ");
        tk_text_u64(&kind, def->width);
        tk_text_add(&kind, is_array ? def->width == 1 ? " element" : " elements" : def->width == 1 ? " bit" : " bits");
    }
    put_part(words, "", tk_span_of_text(&kind));
}

static struct tk_span describe(const struct tk_signal *signal, char room[DESCRIPTION + 1]) {
    struct tk_text words = tk_text_in(room, DESCRIPTION + 1);
    put_part(&words, "", signal->def.description);
    if (signal->def.shape) put_kind(&words, signal);
    else put_part(&words, "", signal->def.origin);
    put_part(&words, "format: ", tk_span_of(tk_radix_name((enum tk_radix)signal->def.radix)));
    put_part(&words, "tags: ", signal->def.tags);
    put_part(&words, "also: ", (struct tk_span){ signal->aliases, signal->aliases_len });
    return tk_span_of_text(&words);
}

static enum tk_track_type track_type(const struct tk_signal *signal) {
    return !signal->def.shape                  ? TK_TRACK_OF_GROUP
           : signal->style == TK_STYLE_COUNTER ? TK_TRACK_OF_COUNTER
                                               : TK_TRACK_OF_SLICES;
}

void tk_declare_signal(struct tk_signals *signals, struct tk_signal *signal) {
    char words[DESCRIPTION + 1], room[TK_SIGNAL_SHOWN], part_room[TK_SHORT_ROOM];
    struct tk_text part = tk_short_in(part_room);
    uint32_t vector = signal->vector ? tk_vector_parent(signals, signal, &part) : 0;
    uint32_t parent = vector               ? vector
                      : signal->def.parent ? tk_signal_track(signals, tk_signals_get(signals, signal->def.parent))
                                           : 0;
    struct tk_track_words track = { .parent = parent,
                                    .type = track_type(signal),
                                    .rank = signal->def.rank,
                                    .name = part.len ? tk_span_of_text(&part) : shown_name(signals, signal, room),
                                    .description = describe(signal, words),
                                    .signal = signal->def.shape ? signal : NULL };
    if (vector) track.rank = (int32_t)(UINT16_MAX - signal->to); // the most significant part first
    if (signal->style == TK_STYLE_COUNTER) track.unit = unit_of(signal->def.name);
    tk_emit_track(signals, signal->track, &track);
}

uint32_t tk_signal_track(struct tk_signals *signals, struct tk_signal *signal) {
    if (signal->track) return signal->track;
    signal->track = tk_new_track(signals, false);
    if (signal->track) tk_declare_signal(signals, signal);
    return signal->track;
}

uint32_t tk_marks_track(struct tk_signals *signals, struct tk_signal *signal) {
    char room[TK_SIGNAL_SHOWN], name[TK_SIGNAL_SHOWN + 8];
    if (signal->marks.track) return signal->marks.track;
    signal->marks.track = tk_new_track(signals, false);
    struct tk_span shown = shown_name(signals, signal, room);
    memcpy(name, shown.text, shown.len);
    memcpy(name + shown.len, ": marks", 7);
    struct tk_track_words track = {
        .parent = signal->def.parent ? tk_signal_track(signals, tk_signals_get(signals, signal->def.parent)) : 0,
        .type = TK_TRACK_OF_SLICES,
        .rank = signal->def.rank + 1,
        .name = { name, shown.len + 7 }
    };
    tk_emit_track(signals, signal->marks.track, &track);
    return signal->marks.track;
}

uint32_t tk_signals_track(struct tk_signals *signals, uint32_t group, struct tk_span name, int32_t rank) {
    uint32_t track = tk_new_track(signals, false);
    tk_emit_track(signals, track,
                  &(struct tk_track_words){ .parent = tk_signal_track(signals, tk_signals_get(signals, group)),
                                            .type = TK_TRACK_OF_SLICES,
                                            .rank = rank,
                                            .name = name });
    return track;
}

size_t tk_signals_path(const struct tk_signals *signals, uint32_t id, char out_path[TK_SIGNAL_PATH]) {
    char room[TK_SIGNAL_PATH];
    size_t at = sizeof room;
    for (unsigned depth = 0; id && depth < 64; depth++) {
        const struct tk_signal *signal = &signals->signals[id - 1];
        size_t len = signal->def.name.len;
        if (!signal->def.parent && depth) break; // the name of the root is that of the recording
        if (len + 1 > at) break;
        if (depth) room[--at] = '/';
        at -= len;
        if (len) memcpy(room + at, signal->def.name.text, len);
        id = signal->def.parent;
    }
    memcpy(out_path, room + at, sizeof room - at);
    out_path[sizeof room - at - (at ? 0 : 1)] = 0;
    return sizeof room - at;
}

bool tk_signal_path_matches(const char *patterns, const char *path, size_t len) {
    size_t patterns_len = strlen(patterns);
    if (tk_glob_matches(patterns, patterns_len, path, len)) return true;
    if (!len || path[len - 1] != ']') return false;
    while (len && path[len - 1] != '[') len--;
    if (len) len--;
    while (len && path[len - 1] == ' ') len--;
    return len && tk_glob_matches(patterns, patterns_len, path, len);
}
