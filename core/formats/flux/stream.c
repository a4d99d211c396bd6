// SPDX-License-Identifier: MIT
//
// Bytes to entries and samples: nested packed blocks, sections of a ring, and damage. The decoder keeps only unread
// bytes and those that a packed block may repeat.
#include "flux.h"

#include <string.h>

#include "../../base/utf8.h"

enum {
    STEP = 64 * 1024,
    LOOKAHEAD_ENTRIES = 16,
    MAX_LOOKAHEAD_BYTES = 256 * 1024,
    MOST_RING = 2 * 1024 * 1024,
    SECTION_HEAD = 7,
    RING_HEAD = sizeof(uint64_t) + SECTION_HEAD
};
enum fill { FILL_DONE, FILL_WAIT, FILL_END, FILL_BAD };

static void keep_place(struct flux *flux, const uint8_t *bytes, size_t len) {
    flux->kept_len = (uint8_t)(len < TK_DIAG_CONTEXT ? len : TK_DIAG_CONTEXT);
    flux->kept_offset = flux->top_offset;
    if (flux->kept_len) memcpy(flux->kept, bytes, flux->kept_len);
}

// Returns the bytes of the current entry or sample, or those up to the end of the input. The result does not depend on
// how much of the following input has arrived.
static struct flux_bytes available_bytes(struct flux *flux) {
    const struct flux_level *input = &flux->levels[0];
    struct flux_entry entry;
    struct flux_sample sample;
    if (flux->kept_len && flux->kept_offset == flux->top_offset)
        return (struct flux_bytes){ flux->kept, flux->kept_len };
    uint64_t at = flux->top_offset - input->offset;
    if (at >= input->end) return (struct flux_bytes){ 0 };
    const uint8_t *bytes = input->bytes + at;
    size_t left = input->end - (size_t)at;
    if (!*bytes && flux_read_entry((enum flux_dialect)flux_current(flux)->dialect, bytes, left, &entry) == FLUX_OK)
        left = entry.len;
    else if (*bytes && flux_read_sample(bytes, left, &sample) == FLUX_OK) left = sample.len;
    return (struct flux_bytes){ bytes, left };
}

struct tk_source_pos flux_place(struct flux *flux) {
    struct flux_bytes there = available_bytes(flux);
    return (struct tk_source_pos){ .input = flux->host.input,
                                   .has_offset = true,
                                   .offset = flux->top_offset,
                                   .frame = flux->entries + flux->samples,
                                   .bytes = there.at,
                                   .len = there.len };
}

void flux_note(struct flux *flux, enum tk_diag_id id, uint64_t number) {
    if (!flux->batch) return;
    struct tk_source_pos place = flux_place(flux);
    tk_diag_note(flux->host.diag, id, &place, number);
}

void flux_problem(struct flux *flux, enum tk_diag_id id, uint64_t number) {
    if (!flux->batch) return;
    struct tk_source_pos place = flux_place(flux);
    flux_note(flux, id, number);
    uint16_t len = (uint16_t)(place.len < TK_DIAG_CONTEXT ? place.len : TK_DIAG_CONTEXT);
    const void *raw = tk_arena_copy(&flux->batch->memory, place.bytes, len);
    struct tk_event *event = tk_batch_slot(flux->batch);
    *event = (struct tk_event){ .kind = TK_EV_PROBLEM,
                                .problem.diag = id,
                                .timed = true,
                                .ticks = flux_now(flux),
                                .input = (uint8_t)flux->host.input,
                                .offset = place.offset,
                                .frame = place.frame,
                                .raw = raw,
                                .raw_len = raw ? len : 0 };
    tk_batch_add(flux->batch);
}

// ---- Levels --------------------------------------------------------------------------------------

// Makes room for more bytes at the end. Drops bytes that were read, except those that may be repeated.
static bool make_room(struct flux *flux, struct flux_level *level, size_t room) {
    size_t keep = level->at;
    uint32_t capacity = (uint32_t)level->capacity;
    if (level->is_packed && level->end < keep + TK_UNPACK_HISTORY)
        keep = level->end > TK_UNPACK_HISTORY ? level->end - TK_UNPACK_HISTORY : 0;
    if (level->capacity - level->end >= room) return true;
    if (keep) memmove(level->bytes, level->bytes + keep, level->end - keep);
    level->offset += keep;
    level->at -= keep;
    level->end -= keep;
    if (level->capacity - level->end >= room) return true;
    if (!tk_alloc_grow(flux->host.alloc, (void **)&level->bytes, &capacity, (uint32_t)(level->end + room), 1))
        return false;
    level->capacity = capacity;
    return true;
}

size_t flux_stream_take(struct flux *flux, const uint8_t *bytes, size_t len) {
    struct flux_level *input = &flux->levels[0];
    if (len > STEP) len = STEP;
    if (!len || !make_room(flux, input, len)) return len;
    memcpy(input->bytes + input->end, bytes, len);
    input->end += len;
    return len;
}

void flux_stream_deinit(struct flux *flux) {
    for (unsigned i = 0; i < FLUX_MAX_DEPTH + 2; i++) {
        tk_unpack_end(&flux->levels[i].unpack);
        tk_alloc_free(flux->host.alloc, flux->levels[i].bytes, flux->levels[i].capacity);
    }
    tk_alloc_free(flux->host.alloc, flux->ring.bytes, flux->ring.capacity);
}

static struct flux_level *push(struct flux *flux) {
    struct flux_level *level = &flux->levels[++flux->depth];
    uint8_t *bytes = level->bytes;
    size_t capacity = level->capacity;
    *level = (struct flux_level){ .bytes = bytes, .capacity = capacity };
    return level;
}

static void read_bytes(struct flux *flux, struct flux_level *level, size_t bytes) {
    level->at += bytes;
    if (level == flux->levels && flux->batch) flux->host.account->decoded += bytes;
}

static void skip_bytes(struct flux *flux, struct flux_level *level, enum tk_diag_id why, uint64_t bytes) {
    if (level == flux->levels && flux->batch) tk_account_skip(flux->host.account, why, bytes);
}

static enum fill fill(struct flux *flux, uint32_t depth);

// Unpacks the packed bytes that have arrived.
static enum fill unpack_some(struct flux *flux, struct flux_level *level, struct flux_level *below) {
    if (level->is_damaged || !make_room(flux, level, STEP)) return FILL_BAD;
    size_t in = below->end - below->at, room = level->capacity - level->end;
    uint64_t left = level->original - level->unpacked + 1; // one more than allowed, to detect a block that is too long
    struct tk_unpack_io io = { below->bytes + below->at, in < level->packed_left ? in : (size_t)level->packed_left,
                               level->bytes, level->bytes + level->end,
                               level->bytes + level->end + (room < left ? room : left) };
    size_t offered = io.in_len;
    bool is_good = tk_unpack_run(&level->unpack, &io);
    size_t made = (size_t)(io.at - level->bytes) - level->end, used = offered - io.in_len;
    below->at += used;
    level->packed_left -= used;
    level->unpacked += made;
    level->end += made;
    level->is_damaged = !is_good || level->unpacked > level->original;
    if (made) return FILL_DONE; // the bytes before the damage are read first
    if (level->is_damaged) return FILL_BAD;
    if (used || level->packed_left) return used ? FILL_DONE : FILL_BAD;
    return tk_unpack_is_complete(&level->unpack) && level->unpacked == level->original ? FILL_END : FILL_BAD;
}

// Gets more bytes for a level.
static enum fill fill(struct flux *flux, uint32_t depth) {
    struct flux_level *level = &flux->levels[depth], *below = level - 1;
    if (!depth) return flux->has_ended ? FILL_END : FILL_WAIT;
    if (!level->is_packed) return FILL_END;
    if (level->packed_left && below->at == below->end) {
        enum fill filled = fill(flux, depth - 1);
        if (filled != FILL_DONE) return filled == FILL_END ? FILL_BAD : filled;
    }
    return unpack_some(flux, level, below);
}

// Accounts for all bytes of a block when it ends. How many of them were unpacked depends on the chunks, so it is not
// counted.
static void account_block(struct flux *flux, const struct flux_level *level, bool is_good) {
    uint64_t bytes = level->packed - level->packed_left;
    if (level != &flux->levels[1] || !level->is_packed || !flux->batch) return;
    if (is_good) flux->host.account->decoded += bytes;
    else tk_account_skip(flux->host.account, TK_DIAG_BLOCK_DAMAGED, bytes);
}

// Leaves the innermost level. The rest of its block will be skipped.
static void pop(struct flux *flux, bool is_good) {
    struct flux_level *level = &flux->levels[flux->depth--];
    account_block(flux, level, is_good);
    tk_unpack_end(&level->unpack);
    level[-1].skip = level->packed_left;
}

// ---- Damage --------------------------------------------------------------------------------------

static void damaged(struct flux *flux, enum tk_diag_id id, uint64_t bytes) {
    flux->trial_result.failed = true;
    if (!flux->batch) return;
    flux_close_all(flux, TK_END_OPEN_AT_GAP, true);
    flux_problem(flux, id, bytes);
}

static void drop_level(struct flux *flux) {
    struct flux_level *level = &flux->levels[flux->depth];
    if (level->is_packed) flux->blocks[level->unpack.method].dropped++;
    uint64_t bytes = level->is_packed ? level->packed : level->end - level->at;
    enum tk_diag_id id = level->is_packed ? TK_DIAG_BLOCK_DAMAGED : TK_DIAG_SECTION_DAMAGED;
    pop(flux, false);
    damaged(flux, id, bytes);
}

// ---- A look at what follows ------------------------------------------------------------------------

struct lookahead {
    uint64_t defined[LOOKAHEAD_ENTRIES];
    uint32_t defined_count, trace;
    bool strict;         // ids must be defined
    uint64_t unknown[2]; // undefined ids that are allowed nevertheless, because their definitions may be damaged
    unsigned unknowns;   // number of undefined ids that are allowed
};

static bool is_defined_here(const struct lookahead *lookahead, uint64_t id) {
    for (uint32_t i = 0; i < lookahead->defined_count; i++)
        if (lookahead->defined[i] == id) return true;
    return false;
}

static bool may_be_unknown(struct lookahead *lookahead, uint64_t id) {
    for (unsigned i = 0; i < lookahead->unknowns; i++) {
        if (!lookahead->unknown[i]) lookahead->unknown[i] = id;
        if (lookahead->unknown[i] == id) return true;
    }
    return false;
}

static bool sample_is_plausible(struct flux *flux, struct lookahead *lookahead, const struct flux_sample *sample) {
    const struct flux_trace *trace = &flux->traces[lookahead->trace];
    uint32_t index = flux_find_item(flux, lookahead->trace, sample->id);
    if (sample->delta >> 40 || (trace->max_id && sample->id > trace->max_id)) return false;
    if (index != TK_NONE && flux->items[index].is_defined)
        return flux_sample_is_sound(flux, sample, index) ||
               (!flux->items[index].drawn_in && may_be_unknown(lookahead, sample->id));
    return is_defined_here(lookahead, sample->id) || !lookahead->strict || !trace->definitions ||
           may_be_unknown(lookahead, sample->id);
}

static bool entry_is_plausible(struct flux *flux, struct lookahead *lookahead, const struct flux_entry *entry) {
    const struct flux_trace *trace = &flux->traces[lookahead->trace];
    bool defines = entry->tag >= FLUX_SCPD && entry->tag <= FLUX_SSGD && entry->tag != FLUX_SIRD;
    bool of_item = defines || (entry->tag >= FLUX_OPEN && entry->tag <= FLUX_ATLA && entry->tag != FLUX_DOMD);
    if (of_item && trace->max_id && entry->id > trace->max_id) return false;
    if (entry->tag == FLUX_PBLK && (entry->first > FLUX_MAX_BLOCK ||
                                    entry->first > tk_unpack_bound((enum tk_unpack_method)entry->kind, entry->last)))
        return false;
    bool is_about = entry->tag >= FLUX_ENMD && entry->tag <= FLUX_ATLA;
    if (is_about && flux_find_item(flux, lookahead->trace, entry->id) == TK_NONE &&
        !is_defined_here(lookahead, entry->id) && !may_be_unknown(lookahead, entry->id))
        return false;
    if (defines && lookahead->defined_count < LOOKAHEAD_ENTRIES)
        lookahead->defined[lookahead->defined_count++] = entry->id;
    return true;
}

// Returns FLUX_BAD if the sample cannot be one of its signal, so that its missing bytes are not worth waiting for.
// Before the first sample of a signal its definition may be the damaged part.
static enum flux_result wait_for(struct flux *flux, uint32_t trace, const struct flux_sample *sample) {
    uint32_t index = sample->len ? flux_find_item(flux, trace, sample->id) : TK_NONE;
    if (index == TK_NONE || !flux->items[index].is_defined || !flux->items[index].drawn_in) return FLUX_MORE;
    return flux_sample_suits((enum flux_type)flux->items[index].type, sample) ? FLUX_MORE : FLUX_BAD;
}

// Checks an entry that selects another trace: the trace is known, or begins with the following bytes.
static enum flux_result check_switch_ahead(struct flux *flux, struct lookahead *lookahead,
                                           const struct flux_entry *entry, const uint8_t *following, size_t left,
                                           size_t *len) {
    uint32_t index = flux_find_trace(flux, entry->id);
    if (index < flux->trace_count) return lookahead->trace = index, FLUX_OK;
    *len = 0;
    if (left < 2) return FLUX_MORE;
    return !following[0] && (following[1] == FLUX_HEAD || following[1] == FLUX_PBLK || following[1] == FLUX_SECT ||
                             (following[1] >= FLUX_SCPD && following[1] <= FLUX_SSRD))
               ? FLUX_OK
               : FLUX_BAD;
}

// Checks one entry or sample after the current one. *len: its bytes; 0: the check ends here.
static enum flux_result check_entry_ahead(struct flux *flux, struct lookahead *lookahead, const uint8_t *at,
                                          size_t left, size_t *len) {
    struct flux_entry entry;
    struct flux_sample sample;
    enum flux_result result;
    if (*at) {
        result = flux_read_sample(at, left, &sample);
        if (result == FLUX_OK && !sample_is_plausible(flux, lookahead, &sample)) return FLUX_BAD;
        *len = sample.len;
        return result == FLUX_MORE ? wait_for(flux, lookahead->trace, &sample) : result;
    }
    result = flux_read_entry((enum flux_dialect)flux->traces[lookahead->trace].dialect, at, left, &entry);
    if (result != FLUX_OK) return result;
    if (!entry_is_plausible(flux, lookahead, &entry)) return FLUX_BAD;
    *len = entry.len;
    if (entry.tag == FLUX_HEAD) *len = 0;
    if (entry.tag == FLUX_SWTH)
        return check_switch_ahead(flux, lookahead, &entry, at + entry.len, left - entry.len, len);
    uint64_t following = entry.tag == FLUX_PBLK ? entry.last : entry.tag == FLUX_SECT ? entry.first : 0;
    if (following > MAX_LOOKAHEAD_BYTES) *len = 0;
    else if (following > left - entry.len) return FLUX_MORE;
    else if (following) *len += (size_t)following;
    return FLUX_OK;
}

// How many entries must be readable when fewer than LOOKAHEAD_ENTRIES are there: before the end of the input, and
// before an entry that is cut.
struct min_following {
    unsigned at_end, before_cut;
};
static const struct min_following usual = { 1, 4 }, if_sound = { 1, 0 }, if_vague = { 4, 4 };

// Returns FLUX_OK if LOOKAHEAD_ENTRIES entries can be read here, or all up to the end.
static enum flux_result check_ahead(struct flux *flux, const uint8_t *at, const uint8_t *end, bool strict,
                                    struct min_following min_following) {
    enum { LONG = 512 };
    struct lookahead lookahead = { .trace = flux->trace, .strict = strict };
    if (at < end && (!*at || flux->skipped > LONG)) lookahead.unknowns = 2; // among definitions, or after a long search
    size_t len = 0;
    for (unsigned i = 0; i < LOOKAHEAD_ENTRIES; i++, at += len) {
        if (at == end) return !flux->has_ended ? FLUX_MORE : i >= min_following.at_end ? FLUX_OK : FLUX_BAD;
        size_t left = end - at < MAX_LOOKAHEAD_BYTES ? (size_t)(end - at) : MAX_LOOKAHEAD_BYTES;
        enum flux_result result = check_entry_ahead(flux, &lookahead, at, left, &len);
        if (result == FLUX_MORE && left == MAX_LOOKAHEAD_BYTES) return FLUX_BAD;
        if (result == FLUX_MORE && flux->has_ended) return i < min_following.before_cut ? FLUX_BAD : FLUX_OK;
        if (result != FLUX_OK) return result;
        if (!len) return FLUX_OK;
    }
    return FLUX_OK;
}

// Checks the entries after a sample or entry that may be damaged.
static enum flux_result check_following(struct flux *flux, const struct flux_level *level, size_t len,
                                        struct min_following min_following) {
    const uint8_t *following = level->bytes + level->at + len, *end = level->bytes + level->end;
    if (following == end && flux->has_ended) return FLUX_OK;
    return check_ahead(flux, following, end, false, min_following);
}

// Searches the top level byte by byte, after damage, for entries that can be read. Returns false if more bytes are
// needed.
static bool search(struct flux *flux) {
    struct flux_level *input = &flux->levels[0];
    while (input->at < input->end) {
        enum flux_result result =
            flux->skipped ? check_ahead(flux, input->bytes + input->at, input->bytes + input->end, true, usual)
                          : FLUX_BAD;
        if (result == FLUX_MORE) return false;
        if (result == FLUX_OK) break;
        if (flux->skipped < TK_DIAG_CONTEXT) flux->kept[flux->skipped] = input->bytes[input->at];
        input->at++;
        flux->skipped++;
    }
    if (input->at == input->end && !flux->has_ended) return false;
    flux->is_searching = false;
    flux->top_offset = flux->kept_offset = flux->skipped_at;
    flux->kept_len = (uint8_t)(flux->skipped < TK_DIAG_CONTEXT ? flux->skipped : TK_DIAG_CONTEXT);
    skip_bytes(flux, input, TK_DIAG_BYTES_SKIPPED, flux->skipped);
    flux_problem(flux, TK_DIAG_BYTES_SKIPPED, flux->skipped);
    flux->skipped = 0;
    return true;
}

static void begin_search(struct flux *flux) {
    flux->trial_result.failed = true;
    flux->is_searching = true;
    flux->skipped = 0;
    flux->skipped_at = flux->top_offset;
    if (flux->batch) flux_close_all(flux, TK_END_OPEN_AT_GAP, true);
}

// ---- Blocks and sections -------------------------------------------------------------------------

static void begin_block(struct flux *flux, const struct flux_entry *entry) {
    enum tk_unpack_method method = (enum tk_unpack_method)entry->kind;
    bool is_too_large = entry->first > FLUX_MAX_BLOCK || entry->first > tk_unpack_bound(method, entry->last);
    unsigned nested = 0;
    for (uint32_t i = 1; i <= flux->depth; i++) nested += flux->levels[i].is_packed;
    flux->blocks[method].blocks++;
    flux->blocks[method].packed += entry->last;
    flux->blocks[method].unpacked += entry->first;
    if (is_too_large || nested == FLUX_MAX_DEPTH) {
        flux->blocks[method].dropped++;
        flux->levels[flux->depth].skip = entry->last;
        damaged(flux, TK_DIAG_BLOCK_TOO_LARGE, entry->last);
        return;
    }
    if (!flux->depth) keep_place(flux, flux->levels[0].bytes + flux->levels[0].at - entry->len, entry->len);
    struct flux_level *level = push(flux);
    level->is_packed = true;
    level->packed = level->packed_left = entry->last;
    level->original = entry->first;
    tk_unpack_begin(&level->unpack, flux->host.alloc, method);
}

static void begin_section(struct flux *flux, const uint8_t *bytes, size_t len) {
    struct flux_level *level = push(flux);
    if (!make_room(flux, level, len + 1)) return;
    memcpy(level->bytes, bytes, len);
    level->end = len;
}

// Keeps a section with its head and its offset in the input.
static bool keep_section(struct flux *flux, const uint8_t *content, size_t len) {
    struct flux_ring *ring = &flux->ring;
    uint32_t needed = ring->len + RING_HEAD + (uint32_t)len;
    if (needed > MOST_RING || !tk_alloc_grow(flux->host.alloc, (void **)&ring->bytes, &ring->capacity, needed, 1))
        return false;
    memcpy(ring->bytes + ring->len, &flux->top_offset, sizeof flux->top_offset);
    memcpy(ring->bytes + ring->len + sizeof flux->top_offset, content - SECTION_HEAD, SECTION_HEAD + len);
    ring->len = needed;
    return true;
}

// Takes a section of a ring. The newest sections come first in the input: they are kept until the older ones are read.
static void on_section(struct flux *flux, const struct flux_entry *entry, const uint8_t *content) {
    struct flux_ring *ring = &flux->ring;
    uint8_t counter = entry->kind & 15;
    if (!ring->is_open)
        ring->len = ring->at = 0, ring->is_open = true, ring->is_older = ring->is_replayed = false,
        ring->counter = counter;
    if (counter != ring->counter) ring->is_older = true;
    if (counter && (ring->is_older || !keep_section(flux, content, (size_t)entry->last)))
        begin_section(flux, content, (size_t)entry->last);
    if (entry->kind & 0x80) ring->is_replayed = true;
}

// Begins the next kept section at the end of the ring, one per call. Returns false if none are left.
static bool replay_section(struct flux *flux) {
    struct flux_ring *ring = &flux->ring;
    if (ring->at == ring->len) return ring->is_open = ring->is_replayed = false;
    const uint8_t *content = ring->bytes + ring->at + RING_HEAD;
    size_t len = content[-2] | (size_t)content[-1] << 8; // number of its bytes that are used
    memcpy(&flux->top_offset, ring->bytes + ring->at, sizeof flux->top_offset);
    keep_place(flux, content - SECTION_HEAD, SECTION_HEAD);
    begin_section(flux, content, len);
    ring->at += RING_HEAD + (uint32_t)len;
    return true;
}

static bool take_section(struct flux *flux, struct flux_level *level, const struct flux_entry *entry) {
    if (level->end - level->at < SECTION_HEAD + entry->first) return false;
    const uint8_t *content = level->bytes + level->at + SECTION_HEAD;
    read_bytes(flux, level, SECTION_HEAD + (size_t)entry->first);
    if (!flux->depth) keep_place(flux, content - SECTION_HEAD, SECTION_HEAD);
    on_section(flux, entry, content);
    return true;
}

// ---- Entries and samples -------------------------------------------------------------------------

// Returns true if the ring ends here, because the next element is no section.
static bool ends_ring(struct flux *flux) {
    if (flux->depth || !flux->ring.is_open || flux->ring.is_replayed) return false;
    return flux->ring.is_replayed = true;
}

static enum flux_result take_entry(struct flux *flux, struct flux_level *level) {
    struct flux_entry entry;
    size_t left = level->end - level->at;
    enum flux_result result =
        flux_read_entry((enum flux_dialect)flux_current(flux)->dialect, level->bytes + level->at, left, &entry);
    if (result != FLUX_OK) return result;
    if (entry.tag != FLUX_SECT && ends_ring(flux)) return FLUX_OK;
    if (!flux->depth && flux_entry_is_implausible(&entry)) result = check_following(flux, level, entry.len, usual);
    if (!flux->depth && entry.tag == FLUX_SWTH && flux_find_trace(flux, entry.id) == flux->trace_count &&
        flux->trace_count)
        result = check_following(flux, level, 0, usual);
    if (result != FLUX_OK) return result;
    if (entry.tag == FLUX_SECT && left < SECTION_HEAD + entry.first) return FLUX_MORE;
    flux->entry_offset = level->offset + level->at;
    flux->entries++;
    flux->trial_result.entries++;
    flux_shows(flux, &(struct flux_dump_record){ .flux = flux, .entry = &entry });
    if (entry.tag == FLUX_SECT) return take_section(flux, level, &entry) ? FLUX_OK : FLUX_MORE;
    if (entry.tag == FLUX_MSGD && !flux->depth)
        keep_place(flux, level->bytes + level->at, entry.len); // many problems may be noted there
    if (!flux_on_entry(flux, &entry)) return FLUX_BAD;
    read_bytes(flux, level, entry.len);
    if (entry.tag == FLUX_PBLK) begin_block(flux, &entry);
    return FLUX_OK;
}

// Returns true if no sample has suited the definition of the signal, including this one.
static bool contradicts_definition(struct flux *flux, const struct flux_sample *sample, uint32_t index) {
    if (!flux->batch || index == TK_NONE || !flux->items[index].is_defined || flux->items[index].drawn_in) return false;
    return !flux_sample_is_sound(flux, sample, index);
}

// Ignores the definition of the item if the following entries can be read without it: then the definition is the
// damaged part.
static enum flux_result read_undefined(struct flux *flux, const struct flux_level *level, uint32_t index) {
    struct flux_item *item = &flux->items[index], before = *item;
    item->is_defined = item->is_signal = false;
    item->contradicts_definition = true;
    item->type = FLUX_UNKNOWN;
    enum flux_result result = check_following(flux, level, 0, usual);
    if (result != FLUX_OK) *item = before;
    return result;
}

// Returns true if long data do not seem to cover the following entries: text without control characters, or a structure
// that can be read.
static bool is_sound_sample(struct flux *flux, const struct flux_sample *sample, uint32_t index) {
    const struct flux_item *item = index == TK_NONE ? NULL : &flux->items[index];
    if (!item || !item->is_defined) return false;
    if (item->type != FLUX_TEXT) return item->type >= FLUX_STRUCT && flux_sample_is_sound(flux, sample, index);
    return tk_utf8_is_clean(sample->data.at, sample->data.len) && !flux_has_control_characters(sample->data);
}

// Checks a sample that may be damaged: its id is undefined while others are defined, or its data are much longer than
// before. The following entries decide.
static enum flux_result check_suspect_sample(struct flux *flux, const struct flux_level *level,
                                             const struct flux_sample *sample, uint32_t index, bool is_long) {
    bool is_defined = index != TK_NONE && flux->items[index].is_defined,
         is_stranger = !is_defined && flux_current(flux)->definitions;
    if (contradicts_definition(flux, sample, index)) return read_undefined(flux, level, index);
    if (is_stranger && is_long) return FLUX_BAD;
    return is_stranger || is_long
               ? check_following(flux, level, sample->len, is_sound_sample(flux, sample, index) ? if_sound : usual)
               : FLUX_OK;
}

static inline enum flux_result check_sample(struct flux *flux, const struct flux_level *level,
                                            const struct flux_sample *sample, uint32_t index) {
    enum { LONG = 64 };
    const struct flux_item *item = index == TK_NONE ? NULL : &flux->items[index];
    bool is_long = sample->data.len > LONG + (item ? 2 * (size_t)item->longest : 0);
    if (flux->depth || (item && item->is_defined && item->drawn_in && !is_long)) return FLUX_OK;
    return check_suspect_sample(flux, level, sample, index, is_long);
}

static enum flux_result take_sample(struct flux *flux, struct flux_level *level) {
    struct flux_sample sample;
    enum flux_result result = flux_read_sample(level->bytes + level->at, level->end - level->at, &sample);
    if (result != FLUX_OK) return result == FLUX_MORE ? wait_for(flux, flux->trace, &sample) : result;
    if (ends_ring(flux)) return FLUX_OK;
    uint32_t index = flux_find_item(flux, flux->trace, sample.id);
    result = check_sample(flux, level, &sample, index);
    if (result != FLUX_OK) return result;
    flux->entry_offset = level->offset + level->at;
    if (!flux_on_sample(flux, &sample, index)) return FLUX_BAD;
    if (index != TK_NONE && sample.data.len > flux->items[index].longest)
        flux->items[index].longest = (uint32_t)sample.data.len;
    flux->samples++;
    flux->trial_result.entries++;
    flux->trial_result.samples++;
    read_bytes(flux, level, sample.len);
    return FLUX_OK;
}

// Returns true if entries can be read inside of an entry or sample that seems to be cut: then its length is damaged.
static bool entries_follow_inside(struct flux *flux, const struct flux_level *level) {
    enum { FEW = 48 };
    const uint8_t *end = level->bytes + level->end;
    bool is_vague = !flux_current(flux)->definitions && level->end - level->at < FEW; // without definitions, a few
                                                                                      // bytes easily look like a sample
    for (const uint8_t *at = level->bytes + level->at + 1; at < end; at++)
        if (check_ahead(flux, at, end, true, is_vague ? if_vague : usual) == FLUX_OK) return true;
    return false;
}

static bool on_bad(struct flux *flux) {
    if (flux->depth) drop_level(flux);
    else begin_search(flux);
    return true;
}

// Handles the end of the innermost level: it is completely read, or it ends inside of an entry.
static bool end_level(struct flux *flux, struct flux_level *level) {
    size_t left = level->end - level->at;
    if (flux->depth) {
        if (left) drop_level(flux);
        else pop(flux, true);
        return true;
    }
    if (flux->ring.is_open) {
        flux->ring.is_replayed = true;
        if (flux->ring.at < flux->ring.len) return true;
    }
    if (!left) return false;
    if (entries_follow_inside(flux, level)) return on_bad(flux);
    flux->top_offset = level->offset + level->at;
    if (flux->batch) flux->host.account->left += left;
    flux_problem(flux, TK_DIAG_ENTRY_CUT, left);
    level->at = level->end;
    return false;
}

static void skip_rest(struct flux *flux, struct flux_level *level) {
    size_t left = level->end - level->at;
    size_t bytes = left < level->skip ? left : (size_t)level->skip;
    skip_bytes(flux, level, TK_DIAG_BLOCK_DAMAGED, bytes);
    level->at += bytes;
    level->skip -= bytes;
}

static bool fill_level(struct flux *flux, struct flux_level *level) {
    switch (fill(flux, flux->depth)) {
    case FILL_DONE: return true;
    case FILL_WAIT: return false;
    case FILL_BAD:
        if (flux->has_ended && flux->levels[0].at == flux->levels[0].end && level->packed_left) { // the input is cut
                                                                                                  // inside of a block
            struct flux_level *input = &flux->levels[0];
            flux->top_offset = input->offset + input->at;
            flux_problem(flux, TK_DIAG_ENTRY_CUT, level->end - level->at);
            account_block(flux, &flux->levels[1], true);
            flux->depth = 0;
            return false;
        }
        drop_level(flux);
        return true;
    default: return end_level(flux, level);
    }
}

// Does one step. Returns false if more bytes are needed, or if none are left.
static bool step(struct flux *flux) {
    struct flux_level *level = &flux->levels[flux->depth];
    if (!flux->depth) flux->top_offset = level->offset + level->at;
    if (level->skip) {
        if (level->at == level->end) return fill_level(flux, level);
        skip_rest(flux, level);
        return true;
    }
    if (flux->is_searching && !flux->depth) return search(flux);
    if (!flux->depth && flux->ring.is_replayed && replay_section(flux)) return true;
    if (level->at == level->end) return fill_level(flux, level);
    enum flux_result result = level->bytes[level->at] ? take_sample(flux, level) : take_entry(flux, level);
    return result == FLUX_OK ? true : result == FLUX_MORE ? fill_level(flux, level) : on_bad(flux);
}

bool flux_stream_run(struct flux *flux) {
    enum { ENOUGH_TO_DECIDE = 512 };
    while (!flux->host.alloc->failed) {
        if (flux->batch ? tk_batch_is_full(flux->batch)
                        : (flux->trial_result.failed && !flux->trial_result.is_patient) ||
                              flux->trial_result.entries >= ENOUGH_TO_DECIDE)
            return true;
        if (!step(flux)) return false;
    }
    return false;
}
