// SPDX-License-Identifier: MIT
#include "image.h"

#include <string.h>

#include "../../model/time/batch.h"

// ---- Finding the blocks -------------------------------------------------------------------------

static bool begin_block(struct tb_dump *dump, struct tk_alloc *alloc, const struct tb_control *control) {
    if (!tk_alloc_grow(alloc, (void **)&dump->blocks, &dump->capacity, dump->count + 1, sizeof *dump->blocks))
        return false;
    struct tb_image *block = &dump->blocks[dump->count];
    // a copy of an earlier block was here, if there are bytes
    *block = (struct tb_image){ .bytes = block->bytes, .capacity = block->capacity, .control = *control };
    block->offset = dump->offset - TB_CONTROL_LEN;
    if (!tk_alloc_grow(alloc, (void **)&block->bytes, &block->capacity, TB_CONTROL_LEN, 1)) return false;
    memcpy(block->bytes, dump->header, TB_CONTROL_LEN);
    block->len = TB_CONTROL_LEN;
    dump->count++;
    dump->is_in_block = true;
    return true;
}

// Examines the bytes of `header`. Drops those that begin no block.
static void settle_header(struct tb_dump *dump, struct tk_alloc *alloc) {
    struct tb_control control;
    while (dump->header_len) {
        bool may_begin = tb_control_may_begin(dump->header, dump->header_len);
        if (may_begin && dump->header_len < TB_CONTROL_LEN) return;
        if (may_begin && tb_control_read(dump->header, &control)) {
            if (dump->count < TB_MAX_BLOCKS && control.len <= TB_MAX_IMAGE - dump->total_len) {
                dump->header_len = 0;
                begin_block(dump, alloc, &control);
                return;
            }
            dump->missing_cores += control.cores;
        }
        memmove(dump->header, dump->header + 1, --dump->header_len);
        dump->around++;
    }
}

static size_t search(struct tb_dump *dump, struct tk_alloc *alloc, const uint8_t *bytes, size_t len) {
    size_t skipped = 0;
    while (!dump->header_len && skipped < len && !tb_control_may_begin(bytes + skipped, 1)) skipped++;
    dump->around += skipped;
    dump->offset += skipped;
    if (skipped == len) return len;
    dump->header[dump->header_len++] = bytes[skipped];
    dump->offset++;
    settle_header(dump, alloc);
    return skipped + 1;
}

// Some targets have the same memory at several addresses, so that a dump may contain a block several times.
static bool is_copy(const struct tb_dump *dump, const struct tb_image *block) {
    for (const struct tb_image *other = dump->blocks; other < block; other++)
        if (other->len == block->len && !memcmp(other->bytes, block->bytes, block->len)) return true;
    return false;
}

static size_t collect_block(struct tb_dump *dump, struct tk_alloc *alloc, const uint8_t *bytes, size_t len) {
    struct tb_image *block = &dump->blocks[dump->count - 1];
    uint32_t left = block->control.len - block->len;
    size_t step = len < left ? len : left;
    dump->offset += step;
    if (!tk_alloc_grow(alloc, (void **)&block->bytes, &block->capacity, block->len + (uint32_t)step, 1)) return step;
    memcpy(block->bytes + block->len, bytes, step);
    block->len += (uint32_t)step;
    if (block->len < block->control.len) return step;
    dump->is_in_block = false;
    if (is_copy(dump, block)) dump->around += block->len, dump->count--;
    else dump->total_len += block->len;
    return step;
}

size_t tb_dump_collect(struct tb_dump *dump, struct tk_alloc *alloc, const uint8_t *bytes, size_t len) {
    return dump->is_in_block ? collect_block(dump, alloc, bytes, len) : search(dump, alloc, bytes, len);
}

// ---- Ordering the frames ------------------------------------------------------------------------

// Returns the next frame without its delimiter.
static struct tk_piece frame_at(const struct tb_image *block, const struct tb_frames *frames) {
    const uint8_t *bytes = frames->bytes + frames->at;
    size_t left = frames->len - frames->at, len = tk_find_zero(bytes, left);
    uint32_t place =
        frames->at < frames->first_len ? frames->place + frames->at : frames->rest + frames->at - frames->first_len;
    size_t cut = len > TK_COBS_MAX_PIECE ? len - TK_COBS_MAX_PIECE : 0;
    return (struct tk_piece){ bytes + cut, len - cut, block->offset + place, cut, 0, left - len, len < left };
}

enum { LONGEST_FACT = 24 }; // longer frames contain texts

// Decodes the frame of at most LONGEST_FACT bytes at the start of these. Returns its length without delimiter; 0: there
// is none.
static size_t decode_fact(const uint8_t *bytes, size_t len, struct tk_event *out_event) {
    uint8_t scratch[LONGEST_FACT + TB_SCRATCH_MORE], id = 0;
    size_t most = len < LONGEST_FACT ? len : LONGEST_FACT, end = tk_find_zero(bytes, most);
    *out_event = (struct tk_event){ 0 };
    return end < most && tb_decode_piece(bytes, end, 0, scratch, out_event, &id) == TB_OK ? end : 0;
}

// After the names, a recorder that has dropped some writes the frame names_missing, which metadata_len does not count.
// Returns false if there is none: the recorder is older.
static bool add_missing_names(const struct tb_image *block, const struct tb_control_core *at, struct tb_frames *names) {
    struct tk_event event;
    size_t len = decode_fact(block->bytes + at->metadata + at->metadata_len,
                             block->control.metadata_room - at->metadata_len, &event);
    if (!len || event.kind != TK_EV_NAMES_MISSING) return false;
    names->len += (uint32_t)len + 1;
    names->first_len = names->len;
    return true;
}

static void order_core(struct tb_dump *dump, struct tb_image *block, const struct tb_control_core *at,
                       struct tb_image_core *core) {
    uint8_t *ordered = block->ordered + block->ordered_len;
    memcpy(ordered, block->bytes + at->ring + at->from, at->first_len);
    memcpy(ordered + at->first_len, block->bytes + at->ring, at->second_len);
    block->ordered_len += at->first_len + at->second_len;
    core->names = (struct tb_frames){ .bytes = block->bytes + at->metadata,
                                      .len = at->metadata_len,
                                      .place = at->metadata,
                                      .first_len = at->metadata_len };
    core->events = (struct tb_frames){ .bytes = ordered,
                                       .len = at->first_len + at->second_len,
                                       .place = at->ring + at->from,
                                       .first_len = at->first_len,
                                       .rest = at->ring };
    if (at->names_lost && !add_missing_names(block, at, &core->names)) dump->names_lost += at->names_lost;
}

// Finds the facts among the names of a core that concern its clock, and whether all waits are recorded.
static void read_facts(struct tb_image *block, struct tb_image_core *core) {
    const struct tb_frames *names = &core->names;
    for (uint32_t at = 0, len; at < names->len; at += len + 1) {
        struct tk_event event;
        len = (uint32_t)tk_find_zero(names->bytes + at, names->len - at);
        if (!decode_fact(names->bytes + at, names->len - at, &event)) continue;
        if (event.kind == TK_EV_BLOCKING_IS_TRACED) block->untraced_kinds = event.blocking_traced.untraced_kinds;
        if (event.kind == TK_EV_CLOCK_RATE) core->has_own_clock = true;
        if (event.kind != TK_EV_CLOCK_HZ || event.clock_hz.hz <= 0 || !event.clock_hz.divisor) continue;
        block->tick_ns = 1000000000u * (uint64_t)event.clock_hz.divisor;
        block->tick_counts = (uint64_t)event.clock_hz.hz;
    }
}

static bool order_block(struct tb_dump *dump, struct tk_alloc *alloc, struct tb_image *block) {
    struct tb_control_core at;
    block->core_count = block->control.cores < TK_MAX_CORES ? block->control.cores : TK_MAX_CORES;
    block->ordered = tk_alloc_zero(alloc, block->len);
    if (!block->ordered) return false;
    block->untraced_kinds = UINT32_MAX;
    block->tick_ns = block->control.resolution;
    block->tick_counts = 1;
    for (uint32_t i = 0; i < block->core_count; i++) {
        if (tb_control_core(&block->control, block->bytes, block->len, i, &at))
            order_core(dump, block, &at, &block->cores[i]);
        else dump->missing_cores++;
        read_facts(block, &block->cores[i]);
    }
    if (block->tick_ns) tk_domain_reduce(&block->tick_ns, &block->tick_counts);
    return true;
}

// Core 0 of the recording has the clock to which cores with an own clock compare theirs.
static void number_cores(struct tb_dump *dump, bool have_own_clock) {
    for (uint32_t i = 0; i < dump->count; i++) {
        struct tb_image *block = &dump->blocks[i];
        uint32_t room = TK_MAX_CORES - dump->core_count;
        if (block->cores[0].has_own_clock != have_own_clock) continue;
        if (block->core_count > room) block->core_count = room;
        block->first_core = dump->core_count;
        dump->core_count += block->core_count;
        dump->missing_cores += block->control.cores - block->core_count;
    }
}

bool tb_dump_order(struct tb_dump *dump, struct tk_alloc *alloc) {
    if (!dump->is_in_block) dump->around += dump->header_len;
    else dump->total_len += dump->blocks[dump->count - 1].len; // the dump ends within it
    dump->header_len = 0;
    for (uint32_t i = 0; i < dump->count; i++)
        if (!order_block(dump, alloc, &dump->blocks[i])) return false;
    number_cores(dump, false);
    number_cores(dump, true);
    return true;
}

// ---- Taking the frames --------------------------------------------------------------------------

// Skips bytes that the recorder has left over where it has overwritten names of deleted objects. They count as unused
// bytes of the block.
static void skip_left_over(struct tb_frames *names) {
    while (names->at < names->len && !names->bytes[names->at]) names->at++;
}

struct tb_image *tb_dump_block(const struct tb_dump *dump, uint32_t core) {
    struct tb_image *block = dump->blocks;
    while (core - block->first_core >= block->core_count) block++;
    return block;
}

// Returns the next frames of the core, those of names first; NULL: none left.
static struct tb_frames *frames_of(const struct tb_image *block, uint32_t core) {
    const struct tb_image_core *of = &block->cores[core - block->first_core];
    const struct tb_frames *frames = of->names.at < of->names.len ? &of->names : &of->events;
    return frames->at < frames->len ? (struct tb_frames *)frames : NULL;
}

bool tb_dump_has_frame(const struct tb_dump *dump, uint32_t core) {
    return core < dump->core_count && frames_of(tb_dump_block(dump, core), core);
}

bool tb_dump_next(struct tb_dump *dump, uint32_t core, struct tk_piece *out_piece) {
    if (!tb_dump_has_frame(dump, core)) return false;
    struct tb_image *block = tb_dump_block(dump, core);
    struct tb_frames *frames = frames_of(block, core);
    *out_piece = frame_at(block, frames);
    out_piece->number = dump->frames++;
    size_t len = out_piece->cut + out_piece->len + out_piece->delimited;
    frames->at += (uint32_t)len;
    dump->frame_bytes += len;
    if (frames == &block->cores[core - block->first_core].names) skip_left_over(frames);
    return true;
}
