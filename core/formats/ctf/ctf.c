// SPDX-License-Identifier: MIT
//
// Streams of CTF 1.8: finds packets and events, and recovers after damage. docs/formats/ctf.md.
#include "ctf.h"

#include <string.h>

#include "../../base/attributes.h"
#include "../../base/bytes.h"
#include "../../base/text.h"

enum {
    ENOUGH = 8,        // events that follow each other, so that the stream goes on there
    FEWEST_AT_END = 2, // as many at the end of the input
    MOST_PAUSES = 2,   // of these events, those after a pause
    ZEROS = 64,        // zeros that are unused memory
    LIVE_HEAD = 4096,  // bytes of a live line from which its layout is determined
    TEXT_HEAD = 4096   // bytes that show a description
};

static bool is_full(const void *decoder) {
    const struct ctf *d = decoder;
    return d->map.emitted - d->round >= CTF_ROUND || d->map.copied >= TK_BATCH_MEMORY || d->host.alloc->failed;
}

// ---- Places --------------------------------------------------------------------------------------

// Returns the offset in the input of a position in the stream. Positions rise, so the search goes on from the last one.
static uint64_t place_of(struct ctf *d, uint64_t position) {
    if (position < d->range_before) d->range_at = 0, d->range_before = 0;
    for (; d->range_at < d->range_count; d->range_at++) {
        const struct ctf_range *range = &d->ranges[d->range_at];
        if (position < d->range_before + range->len) return range->from + position - d->range_before;
        d->range_before += range->len;
    }
    return position;
}

// Bytes that belong to no event. Before the first event they are text or memory that is not of the recording.
TK_COLD static void report_skipped(struct ctf *d) {
    uint64_t skipped = d->skipped;
    bool is_outside = !d->count && !d->packet_count;
    enum tk_diag_id why = is_outside ? TK_DIAG_OUTSIDE_SKIPPED : TK_DIAG_NOT_A_RECORD;
    struct tk_source_pos place = {
        .input = d->host.input, .has_offset = true, .offset = place_of(d, d->offset - skipped), .frame = d->count
    };
    d->skipped = 0;
    tk_diag_note(d->host.diag, why, &place, skipped);
    tk_account_skip(d->host.account, why, skipped);
    if (d->host.on_bytes_skipped) d->host.on_bytes_skipped(d->host.dump_ctx, place.offset, skipped, "no event");
    if (is_outside) return;
    ctf_map_damage(&d->map, place.offset, d->count, skipped > UINT32_MAX ? UINT32_MAX : (uint32_t)skipped);
}

static inline void end_skipped(struct ctf *d) {
    if (d->skipped) report_skipped(d);
}

static size_t skip(struct ctf *d, size_t len) {
    d->skipped += len;
    d->offset += len;
    return len;
}

static size_t use(struct ctf *d, size_t len) {
    d->host.account->decoded += len;
    d->offset += len;
    return len;
}

// Unused memory around the events.
static size_t pass_zeros(struct ctf *d, size_t len) {
    end_skipped(d);
    struct tk_source_pos place = {
        .input = d->host.input, .has_offset = true, .offset = place_of(d, d->offset), .frame = d->count
    };
    tk_diag_note(d->host.diag, TK_DIAG_OUTSIDE_SKIPPED, &place, len);
    tk_account_skip(d->host.account, TK_DIAG_OUTSIDE_SKIPPED, len);
    d->offset += len;
    return len;
}

// ---- Time ----------------------------------------------------------------------------------------

static bool has_time(const struct ctf *d) { return d->reader.time_size > 0; }

// Returns the counts of the event that was read.
static uint64_t counts_of(const struct ctf *d, const struct ctf_clock *clock, bool *out_fell) {
    uint64_t value = d->reader.time_value;
    *out_fell = false;
    if (!clock->has_value) return value;
    if (d->reader.time_size >= 64) value += clock->offset;
    return ctf_extend(clock->value, value, d->reader.time_size, out_fell);
}

static bool is_pause(const struct ctf *d, uint64_t from, uint64_t to) { return to - from >= d->schema.hz; }

// The cores of one stream may write their events a little out of order.
static bool is_out_of_order(const struct ctf *d, const struct ctf_event *event, uint64_t last, uint64_t counts) {
    uint64_t core, turn = UINT64_C(1) << (d->reader.time_size % 64);
    return d->reader.time_size < 64 && ctf_role_number(&d->reader, event, CTF_ROLE_CORE, &core) &&
           last + turn - counts < d->schema.hz / 1000 && core != d->last_core;
}

static uint64_t ns_of(struct ctf *d, uint64_t counts) {
    uint64_t ns = tk_rate_ns(&d->rate, counts);
    return ns > INT64_MAX - d->origin_ns ? INT64_MAX : ns + d->origin_ns;
}

// ---- Looking ahead -------------------------------------------------------------------------------

struct look {
    struct ctf_cursor cursor;
    uint64_t last; // counts
    bool has_last;
    uint32_t events, pauses;
};

// Reads the next event of a look. Its time must not fall.
static enum ctf_verdict look_at_event(struct ctf *d, struct look *look) {
    struct ctf_event event;
    if (look->cursor.at >= look->cursor.end) return CTF_SHORT;
    enum ctf_verdict verdict = ctf_read_event(&d->reader, d->packet.stream, &look->cursor, &event);
    if (verdict != CTF_OK) return verdict;
    if (!ctf_names_are_valid(&d->schema, &event)) return CTF_BAD;
    struct ctf_clock clock = { .value = look->last, .has_value = look->has_last };
    bool fell = false;
    if (has_time(d)) {
        uint64_t counts = counts_of(d, &clock, &fell);
        if (fell || (look->has_last && is_pause(d, look->last, counts) && ++look->pauses > MOST_PAUSES)) return CTF_BAD;
        look->last = counts;
        look->has_last = true;
    }
    look->events++;
    return CTF_OK;
}

// CTF_OK: events follow each other from there on. CTF_SHORT: more bytes are needed to tell.
static enum ctf_verdict follows(struct ctf *d, struct look *look, uint32_t fewest) {
    while (look->events < ENOUGH) {
        enum ctf_verdict verdict = look_at_event(d, look);
        if (verdict == CTF_BAD) return CTF_BAD;
        if (verdict == CTF_OK) continue;
        if (!d->is_end && look->cursor.end < CTF_LONGEST * UINT64_C(8)) return CTF_SHORT;
        return d->is_end && look->events >= fewest ? CTF_OK : CTF_BAD;
    }
    return CTF_OK;
}

// ---- Packets -------------------------------------------------------------------------------------

static struct ctf_clock *clock_of(struct ctf *d) { return &d->clocks[d->packet.cpu % TK_MAX_CORES]; }

static unsigned core_of_packet(const struct ctf *d) { return d->packet.has_cpu ? d->packet.cpu : d->host.core; }

// Opens an event stream for a CPU whose packets lie between those of others. The first one uses the first stream.
static void open_cpu(struct ctf *d, unsigned cpu) {
    struct ctf_core *core = &d->map.cores[cpu];
    if (core->batch) return;
    core->batch = d->cpu_count++ ? d->host.open_stream(d->host.stream_ctx, TK_STREAM_RESOLVED) : d->map.batch;
}

static void count_discarded(struct ctf *d) {
    struct ctf_clock *clock = clock_of(d);
    uint64_t discarded = d->packet.discarded, lost = discarded - clock->discarded;
    if (!d->packet.has_discarded) return;
    if (!clock->has_discarded && discarded) tk_diag_note(d->host.diag, TK_DIAG_DROPPED_BEFORE, NULL, discarded);
    else if (clock->has_discarded && discarded > clock->discarded) d->lost_events = lost;
    clock->discarded = discarded;
    clock->has_discarded = true;
}

TK_COLD static void show_frame(const struct ctf *d, uint64_t offset, uint64_t number, const uint8_t *bytes,
                               size_t len) {
    struct tk_decode_frame frame = { .offset = offset,
                                     .number = number,
                                     .raw = bytes,
                                     .raw_len = len,
                                     .payload = bytes,
                                     .payload_len = len,
                                     .verdict = "ok" };
    d->host.on_frame_decoded(d->host.dump_ctx, &frame);
}

static size_t begin_packet(struct ctf *d, const uint8_t *bytes) {
    struct ctf_clock *clock = clock_of(d);
    uint64_t bytes_of_header = d->packet.header / 8;
    end_skipped(d);
    if (d->packet.has_cpu) open_cpu(d, d->packet.cpu);
    if (d->packet.has_begin && (!clock->has_value || d->packet.begin >= clock->value)) {
        clock->value = d->packet.begin;
        clock->has_value = true;
    }
    d->lost_events = 0;
    count_discarded(d);
    d->in_packet = true;
    d->lost = false;
    d->in_packet_at = d->packet.header;
    d->bit = (unsigned)(d->packet.header & 7);
    if (d->host.on_frame_decoded)
        show_frame(d, place_of(d, d->offset), d->packet_count, bytes, (size_t)bytes_of_header);
    d->packet_count++;
    return use(d, (size_t)bytes_of_header);
}

TK_NOINLINE static size_t find_packet(struct ctf *d, const uint8_t *bytes, size_t len) {
    size_t at = ctf_find_magic(&d->schema, bytes, len, 0);
    if (at) {
        d->lost = true;
        return skip(d, at);
    }
    enum ctf_verdict verdict = ctf_read_packet(&d->schema, &d->reader, bytes, len, &d->packet);
    if (verdict == CTF_SHORT && (d->is_end ? d->lost : len >= CTF_LONGEST)) verdict = CTF_BAD;
    if (verdict == CTF_SHORT) return 0;
    if (verdict == CTF_OK) return begin_packet(d, bytes);
    d->lost = true;
    return skip(d, 1);
}

// The padding after the events of a packet. Another packet in it shows that bytes were lost.
TK_NOINLINE static size_t pass_padding(struct ctf *d, const uint8_t *bytes, size_t len) {
    uint64_t left = (d->packet.len - d->in_packet_at + d->bit) / 8;
    size_t padding = left < len ? (size_t)left : len;
    struct ctf_packet packet;
    d->in_packet_at += padding * UINT64_C(8) - d->bit;
    d->bit = 0;
    if (padding == left) d->in_packet = false;
    if (d->schema.packet_header == CTF_NO_TYPE) return use(d, padding);
    size_t at = ctf_find_magic(&d->schema, bytes, padding, 0);
    if (at == padding || padding - at < 8) return use(d, padding);
    if (ctf_read_packet(&d->schema, &d->reader, bytes + at, len - at, &packet) != CTF_OK) return use(d, padding);
    d->in_packet = false;
    return use(d, at);
}

// ---- Events --------------------------------------------------------------------------------------

static void emit_event(struct ctf *d, const struct ctf_event *event, uint64_t counts, uint64_t bits) {
    struct ctf_clock *clock = clock_of(d);
    uint64_t core = core_of_packet(d);
    ctf_role_number(&d->reader, event, CTF_ROLE_CORE, &core);
    if (core >= TK_MAX_CORES) core = 0;
    d->last_core = (uint32_t)core;
    d->map.core = (unsigned)core;
    uint64_t ns = has_time(d) ? ns_of(d, counts) : d->count * 1000;
    if (ns < clock->last_ns) ns = clock->last_ns;
    clock->last_ns = ns;
    d->map.ns = ns;
    d->map.offset = place_of(d, d->offset);
    d->map.number = d->count;
    d->map.len = (uint32_t)((bits + 7) / 8);
    if (d->lost_events) ctf_map_lost(&d->map, d->lost_events);
    d->lost_events = 0;
    ctf_map_event(&d->map, event);
    d->count++;
}

// Decides whether an event whose time fell or follows a pause is one. cursor: after it. A damaged time is followed by
// events that go on from the time before it.
TK_COLD static enum ctf_verdict check_jump(struct ctf *d, const struct ctf_cursor *cursor, bool fell) {
    const struct ctf_clock *clock = clock_of(d);
    uint64_t raw = d->reader.time_value, width = d->reader.time_size, last = clock->value;
    struct look after = { .cursor = *cursor, .last = raw, .has_last = true }, before = after;
    before.last = width < 64 ? last & ((UINT64_C(1) << width) - 1) : last - clock->offset;
    enum ctf_verdict verdict = follows(d, &after, 0);
    uint32_t pauses = after.pauses;
    d->reader.time_value = raw;
    if (verdict == CTF_SHORT) return CTF_SHORT;
    enum ctf_verdict other = follows(d, &before, 1);
    d->reader.time_value = raw, d->reader.time_size = (uint8_t)width;
    if (verdict == CTF_BAD) return CTF_BAD;
    return other == CTF_OK && (before.pauses < pauses || (fell && !before.pauses)) ? CTF_BAD : CTF_OK;
}

// Decides whether an event that was read is one, and sets its time. cursor: after it.
static enum ctf_verdict check(struct ctf *d, const struct ctf_event *event, const struct ctf_cursor *cursor,
                              uint64_t *out_counts) {
    struct ctf_clock *clock = clock_of(d);
    bool fell;
    *out_counts = 0;
    if (!ctf_names_are_valid(&d->schema, event)) return CTF_BAD;
    if (!has_time(d)) return CTF_OK;
    uint64_t counts = counts_of(d, clock, &fell), last = clock->value;
    *out_counts = counts;
    if (d->has_packets) {
        if (d->packet.has_begin && d->packet.has_end && (counts < d->packet.begin || counts > d->packet.end))
            return CTF_BAD;
        if (fell) *out_counts = last;
        return CTF_OK;
    }
    if (!clock->has_value) return CTF_OK;
    if (is_out_of_order(d, event, last, counts)) {
        *out_counts = last;
        return CTF_OK;
    }
    if ((fell || is_pause(d, last, counts)) && !tk_decode_is_live(&d->host)) {
        enum ctf_verdict verdict = check_jump(d, cursor, fell);
        if (verdict != CTF_OK) return verdict;
    }
    if (fell) {
        tk_diag_note(d->host.diag, TK_DIAG_TIME_FALLS, NULL, 1);
        clock->offset += last - counts;
        *out_counts = last;
    }
    return CTF_OK;
}

// There is no event at the start of the bytes.
static size_t pass_bad(struct ctf *d, const uint8_t *bytes, size_t len) {
    d->bit = 0;
    if (d->has_packets) { // the rest of the packet is unreliable
        d->in_packet = false;
        d->lost = true;
        return skip(d, 1);
    }
    size_t zeros = 0;
    while (zeros < len && zeros < ZEROS && !bytes[zeros]) zeros++;
    bool is_unused = zeros == ZEROS || (d->is_end && zeros == len);
    if (!is_unused && zeros == len && !d->is_end) return 0;
    d->lost = true;
    if (!is_unused) return skip(d, 1);
    while (zeros < len && !bytes[zeros]) zeros++;
    return pass_zeros(d, zeros);
}

static struct ctf_cursor cursor_of(const struct ctf *d, const uint8_t *bytes, size_t len) {
    uint64_t before = d->in_packet_at - d->bit;
    return (struct ctf_cursor){ .bytes = bytes,
                                .at = d->bit,
                                .end = len * UINT64_C(8),
                                .before = before,
                                .limit = d->packet.content == UINT64_MAX ? UINT64_MAX : d->packet.content - before };
}

// Searches for the next event of a stream without packets. Returns the bytes that were skipped; 0 with *out_found: the
// stream goes on here.
TK_NOINLINE static size_t search(struct ctf *d, const uint8_t *bytes, size_t len, bool *out_found) {
    struct look look = { .cursor = cursor_of(d, bytes, len) };
    enum ctf_verdict verdict = follows(d, &look, d->count || d->skipped ? FEWEST_AT_END : 1);
    *out_found = verdict == CTF_OK;
    if (verdict == CTF_OK) d->lost = false;
    if (verdict != CTF_BAD) return 0;
    return pass_bad(d, bytes, len);
}

// Returns true if more bytes cannot complete the event: it is too long already, or the stream ends with zeros.
static bool never_ends(const struct ctf *d, const uint8_t *bytes, size_t len) {
    return len >= CTF_LONGEST || (d->is_end && !d->has_packets && tk_is_zero(bytes, len));
}

// Decodes the event at the start of the bytes. Returns the bytes that were used; 0 with *out_again: less than a byte;
// 0: more bytes are needed.
static size_t decode_event(struct ctf *d, const uint8_t *bytes, size_t len, bool *out_again) {
    struct ctf_cursor cursor = cursor_of(d, bytes, len);
    struct ctf_event event;
    uint64_t counts = 0, from = cursor.at;
    enum ctf_verdict verdict = ctf_read_event(&d->reader, d->packet.stream, &cursor, &event);
    if (verdict == CTF_OK) verdict = check(d, &event, &cursor, &counts);
    else if (verdict == CTF_SHORT && never_ends(d, bytes, len)) verdict = CTF_BAD;
    if (verdict != CTF_OK) return verdict == CTF_BAD ? pass_bad(d, bytes, len) : 0;
    end_skipped(d);
    if (has_time(d)) clock_of(d)->value = counts, clock_of(d)->has_value = true;
    if (d->host.on_frame_decoded && !d->has_packets)
        show_frame(d, place_of(d, d->offset), d->count, bytes, (size_t)(cursor.at / 8));
    emit_event(d, &event, counts, cursor.at - from);
    d->in_packet_at += cursor.at - from;
    d->bit = (unsigned)(cursor.at & 7);
    *out_again = cursor.at < 8;
    return use(d, (size_t)(cursor.at / 8));
}

// Consumes what is at the start of the bytes. Returns its length; 0: more bytes are needed.
static size_t step(struct ctf *d, const uint8_t *bytes, size_t len) {
    bool again = false;
    if (!d->in_packet && d->has_packets) return find_packet(d, bytes, len);
    if (d->has_packets && d->in_packet_at >= d->packet.content) return pass_padding(d, bytes, len);
    if (d->lost) {
        size_t skipped = search(d, bytes, len, &again);
        if (!again) return skipped;
    }
    for (;;) {
        again = false;
        size_t used = decode_event(d, bytes, len, &again);
        if (used || !again) return used;
        if (d->has_packets && d->in_packet_at >= d->packet.content) return pass_padding(d, bytes, len);
    }
}

static size_t take(void *decoder, const uint8_t *bytes, size_t len, bool in_chunk) {
    struct ctf *d = decoder;
    size_t used = 0, one;
    (void)in_chunk; // events borrow from their batches only
    while (used < len && !is_full(d) && (one = step(d, bytes + used, len - used))) used += one;
    return used;
}

// ---- Rings of packets ----------------------------------------------------------------------------

static bool add_range(struct ctf *d, uint64_t sequence, uint32_t from, uint32_t len) {
    void *list = d->ranges;
    bool grown = tk_alloc_grow(d->host.alloc, &list, &d->range_capacity, d->range_count + 1, sizeof *d->ranges);
    d->ranges = list;
    if (grown) d->ranges[d->range_count++] = (struct ctf_range){ sequence, from, len };
    return grown;
}

// Moves a range down in a heap.
static void sift(struct ctf_range *ranges, uint32_t at, uint32_t count) {
    for (uint32_t child; (child = 2 * at + 1) < count; at = child) {
        if (child + 1 < count && ranges[child].sequence < ranges[child + 1].sequence) child++;
        if (ranges[at].sequence >= ranges[child].sequence) return;
        struct ctf_range range = ranges[at];
        ranges[at] = ranges[child];
        ranges[child] = range;
    }
}

static void sort_ranges(struct ctf_range *ranges, uint32_t count) {
    bool is_sorted = true;
    for (uint32_t i = 1; i < count; i++) is_sorted = is_sorted && ranges[i - 1].sequence <= ranges[i].sequence;
    if (is_sorted) return; // packets without a number stay in their order
    for (uint32_t i = count / 2; i-- > 0;) sift(ranges, i, count);
    for (uint32_t i = count; i-- > 1;) {
        struct ctf_range range = ranges[0];
        ranges[0] = ranges[i];
        ranges[i] = range;
        sift(ranges, 0, i);
    }
}

// Lists the packets of a buffer with events, and books the bytes between them.
static void list_packets(struct ctf *d, const uint8_t *bytes, uint32_t len) {
    struct ctf_packet packet;
    for (uint32_t at = 0, from; at < len;) {
        from = at;
        enum ctf_verdict verdict = CTF_BAD;
        while (at < len && verdict != CTF_OK) {
            at = (uint32_t)ctf_find_magic(&d->schema, bytes, len, at);
            if (at < len) verdict = ctf_read_packet(&d->schema, &d->reader, bytes + at, len - at, &packet);
            if (verdict != CTF_OK) at += at < len;
        }
        if (at > from) tk_account_skip(d->host.account, TK_DIAG_OUTSIDE_SKIPPED, at - from);
        if (at > from) tk_diag_note(d->host.diag, TK_DIAG_OUTSIDE_SKIPPED, NULL, at - from);
        if (at == len) break;
        uint32_t size = packet.len / 8 < len - at ? (uint32_t)(packet.len / 8) : len - at;
        bool is_empty = packet.content == packet.header;
        d->ring_slots++;
        d->ring_used += !is_empty;
        if (is_empty) d->host.account->decoded += size;
        else if (!add_range(d, packet.sequence, at, size)) return;
        at += size;
    }
}

// Sorts the packets of the buffered ring. Returns false without memory.
static bool sort_ring(struct ctf *d) {
    const uint8_t *bytes = tk_carry_bytes(&d->buffered);
    uint32_t len = tk_carry_len(&d->buffered);
    list_packets(d, bytes, len);
    sort_ranges(d->ranges, d->range_count);
    d->sorted = tk_alloc_zero(d->host.alloc, len + 1);
    if (!d->sorted) return false;
    for (uint32_t i = 0; i < d->range_count; i++) {
        memcpy(d->sorted + d->sorted_len, bytes + d->ranges[i].from, d->ranges[i].len);
        d->sorted_len += d->ranges[i].len;
    }
    tk_carry_free(&d->buffered, d->host.alloc);
    return !d->host.alloc->failed;
}

static bool decode_ring(struct ctf *d) {
    if (!d->sorted && !sort_ring(d)) return true;
    d->sorted_at += (uint32_t)tk_packets_decode(&d->packets, d, d->sorted + d->sorted_at, d->sorted_len - d->sorted_at);
    return d->sorted_at == d->sorted_len;
}

// ---- The start -----------------------------------------------------------------------------------

static void send_tick(struct ctf *d) {
    bool has_clock = false;
    for (uint32_t i = 0; i < d->schema.type_count; i++) has_clock |= d->schema.types[i].is_time;
    struct tk_event *event = tk_batch_slot(d->map.batch);
    *event = (struct tk_event){ .kind = TK_EV_TICK_LENGTH, .input = (uint8_t)d->host.input, .core = d->host.core };
    event->tick_length = (struct tk_event_tick_length){ 1, has_clock ? TK_TICK_RECORDED : TK_TICK_SPACING_ASSUMED };
    tk_batch_add(d->map.batch);
    if (!has_clock) tk_diag_count(d->host.diag, TK_DIAG_TIME_ORDER, &(struct tk_source_pos){ .input = d->host.input });
}

static void set_clock(struct ctf *d) {
    d->rate = tk_rate_of(d->schema.hz, TK_RATE_ROUNDS_DOWN);
    struct tk_rate rate = d->rate;
    uint64_t offset = tk_rate_ns(&rate, d->schema.offset), seconds = (uint64_t)d->schema.offset_s;
    if (seconds > INT64_MAX / 1000000000u) seconds = 0; // before 1970, or damaged
    d->origin_ns = seconds * 1000000000u + offset;
    if (d->origin_ns > INT64_MAX) d->origin_ns = 0;
}

// Opens an event stream for each CPU whose packets are among the first bytes.
static void open_cpus(struct ctf *d, const uint8_t *head, size_t len) {
    struct ctf_packet packet;
    for (size_t at = 0; (at = ctf_find_magic(&d->schema, head, len, at)) < len;) {
        bool is_packet = ctf_read_packet(&d->schema, &d->reader, head + at, len - at, &packet) == CTF_OK;
        if (is_packet && packet.has_cpu) open_cpu(d, packet.cpu);
        if (is_packet && packet.len / 8 >= len - at) return;
        at += is_packet && packet.len != UINT64_MAX ? (size_t)(packet.len / 8) : 1;
        if (d->schema.packet_header == CTF_NO_TYPE) return;
    }
}

// Reads the description in the buffered bytes into pieces of the lookup.
static void keep_text(struct ctf *d) {
    size_t len = tk_carry_len(&d->buffered);
    uint8_t *text = tk_alloc_zero(d->host.alloc, len + 1);
    if (!text) return;
    memcpy(text, tk_carry_bytes(&d->buffered), len);
    size_t unpacked = tsdl_unpack(text, len);
    for (size_t at = 0, i = 0; at < unpacked; i++) {
        size_t piece = unpacked - at < CTF_PIECE ? unpacked - at : CTF_PIECE;
        tk_lookup_add(d->host.lookup_out, d->host.alloc,
                      &(struct tk_lookup_entry){ .key = { .space = TK_LOOKUP_OF_FORMAT, .id = (uint32_t)i },
                                                 .number = d->host.input },
                      (const char *)text + at, piece);
        at += piece;
    }
    tk_alloc_free(d->host.alloc, text, len + 1);
}

// Determines what the input is. Returns false without memory.
static bool decide(struct ctf *d, bool is_end) {
    const uint8_t *bytes = tk_carry_bytes(&d->buffered);
    size_t len = tk_carry_len(&d->buffered);
    d->is_decided = true;
    if (d->is_text) return true;
    if (!ctf_choose(d, bytes, len, is_end)) return false;
    d->has_schema = true;
    ctf_map_init(&d->map, &d->host, &d->schema, &d->reader);
    d->has_packets = d->schema.packet_header || d->schema.streams[0].packet_context;
    d->packet = (struct ctf_packet){ .stream = &d->schema.streams[0], .content = UINT64_MAX, .len = UINT64_MAX };
    d->in_packet = !d->has_packets;
    d->lost = !d->has_packets;
    d->is_ring = d->has_packets && d->schema.has_sequence && d->schema.packet_header && d->schema.has_packet_size &&
                 !tk_decode_is_live(&d->host);
    set_clock(d);
    if (d->has_packets) open_cpus(d, bytes, len);
    d->map.shows_cpu = d->cpu_count > 0;
    send_tick(d);
    return !d->host.alloc->failed;
}

// Decodes the buffered bytes. Returns false if more are left.
static bool drain(struct ctf *d) {
    size_t len = tk_carry_len(&d->buffered);
    if (len) tk_carry_drop(&d->buffered, tk_packets_decode(&d->packets, d, tk_carry_bytes(&d->buffered), len));
    if (tk_carry_len(&d->buffered)) return false;
    tk_carry_free(&d->buffered, d->host.alloc);
    return true;
}

static void begin_round(struct ctf *d) {
    d->round = d->map.emitted;
    d->map.copied = 0;
}

// Returns the number of bytes that are buffered before anything is decoded.
static uint32_t enough_of(const struct ctf *d) {
    if (d->is_text) return CTF_MAX_TEXT;
    return tk_decode_is_live(&d->host) ? LIVE_HEAD : CTF_HEAD;
}

// A live line is decoded as soon as its layout is clear.
static bool is_clear(const struct ctf *d) {
    struct ctf_look look;
    return tk_decode_is_live(&d->host) && !(d->host.lookup && *d->host.lookup) &&
           ctf_zephyr_look(tk_carry_bytes(&d->buffered), tk_carry_len(&d->buffered), false, &look);
}

static size_t buffer(struct ctf *d, const uint8_t *bytes, size_t len) {
    size_t used = tk_carry_fill(&d->buffered, d->host.alloc, TEXT_HEAD, bytes, len);
    if (tk_carry_len(&d->buffered) >= TEXT_HEAD)
        d->is_text = d->is_text || tsdl_is(tk_carry_bytes(&d->buffered), tk_carry_len(&d->buffered));
    else return used;
    return used + tk_carry_fill(&d->buffered, d->host.alloc, enough_of(d), bytes + used, len - used);
}

static size_t decode(void *decoder, const uint8_t *bytes, size_t len) {
    struct ctf *d = decoder;
    size_t used = 0;
    begin_round(d);
    if (!d->is_decided) {
        used = buffer(d, bytes, len);
        bool is_enough = tk_carry_len(&d->buffered) >= enough_of(d) || is_clear(d);
        if (d->host.alloc->failed || (!is_enough && !d->is_text)) return used;
        if (d->is_text) { // the rest is more than a description may have
            d->host.account->left += len - used;
            return len;
        }
        if (!decide(d, false)) return len;
    }
    if (d->is_ring && !d->sorted) {
        used += tk_carry_fill(&d->buffered, d->host.alloc, CTF_MAX_RING, bytes + used, len - used);
        if (used == len) return len;
        d->is_ring = false; // too large for the memory of a target
    }
    if (!drain(d)) return used;
    return used + tk_packets_decode(&d->packets, d, bytes + used, len - used);
}

// ---- The end -------------------------------------------------------------------------------------

static bool end_text(struct ctf *d) {
    if (d->host.lookup_out) keep_text(d);
    d->host.account->decoded += tk_carry_len(&d->buffered);
    tk_carry_free(&d->buffered, d->host.alloc);
    d->ended = true;
    return true;
}

static bool end(void *decoder) {
    struct ctf *d = decoder;
    struct tk_carry *carry = &d->packets.carry;
    if (d->ended) return true;
    begin_round(d);
    if (!d->is_decided) {
        d->is_text = d->is_text || tsdl_is(tk_carry_bytes(&d->buffered), tk_carry_len(&d->buffered));
        d->is_end = true;
        if (!decide(d, true)) return true;
    }
    if (d->is_text) return end_text(d);
    if (d->is_ring ? !decode_ring(d) : !drain(d)) return false;
    d->is_end = true;
    tk_carry_drop(carry, take(d, tk_carry_bytes(carry), tk_carry_len(carry), false));
    if (is_full(d) && !d->host.alloc->failed) return false;
    uint64_t left = tk_carry_len(carry);
    struct tk_source_pos place = {
        .input = d->host.input, .has_offset = true, .offset = place_of(d, d->offset), .frame = d->count
    };
    d->ended = true;
    end_skipped(d);
    d->host.account->left += left;
    if (left) tk_diag_note(d->host.diag, TK_DIAG_FRAME_CUT_AT_END, &place, left);
    return true;
}

static bool init(void *decoder, const struct tk_decode_host *host) {
    struct ctf *d = decoder;
    d->host = *host;
    d->packets =
        (struct tk_packets){ .alloc = host->alloc, .take = take, .is_full = is_full, .limit = 2 * CTF_LONGEST };
    d->map.batch = host->open_stream(host->stream_ctx, TK_STREAM_RESOLVED);
    return d->map.batch != NULL;
}

static uint64_t frames(const void *decoder) {
    const struct ctf *d = decoder;
    return d->count;
}

static bool summary_line(const void *decoder, uint32_t index, char out_text[TK_SUMMARY_LEN]) {
    const struct ctf *d = decoder;
    struct tk_text text = tk_text_in(out_text, TK_SUMMARY_LEN);
    if (!d->has_schema) return false;
    if (!index) {
        static const char *const headers[] = { "u32 and u8", "u32 and u16", "u64 and u16" };
        unsigned header = d->layout.time_size == 8 ? 2 : d->layout.id_size == 2;
        if (d->used) {
            tk_text_add(&text, "Read with the given metadata: ");
            tk_text_count(&text, d->schema.class_count, "kinds of events");
            tk_text_add(&text, d->schema.is_rtos ? ", with the threads of an RTOS." : ".");
        } else {
            tk_text_add(&text, "Read as a stream of Zephyr without its metadata: time and id are ");
            tk_text_add(&text, headers[header]);
            tk_text_add(&text, d->layout.packets ? ", in packets." : ".");
        }
        return true;
    }
    if (d->problem.line && index == 1) {
        tk_text_add(&text, "Metadata, line ");
        tk_text_u64(&text, d->problem.line);
        tk_text_add(&text, ": ");
        tk_text_add(&text, d->problem.words);
        if (d->problem.left_out) {
            tk_text_add(&text, "; ");
            tk_text_count(&text, d->problem.left_out, "events");
            tk_text_add(&text, " left out");
        }
        tk_text_char(&text, '.');
        return true;
    }
    if (index != 1 + (d->problem.line > 0) || !d->sorted) return false;
    tk_text_add(&text, "Packets were sorted by their numbers: ");
    tk_text_count(&text, d->ring_slots, "slots");
    tk_text_add(&text, ", of which ");
    tk_text_u64(&text, d->ring_used);
    tk_text_add(&text, " contain events.");
    return true;
}

const struct tk_record_names tk_names_ctf = { 0 };

static const struct tk_tracker *const trackers[] = { &tk_tracker_rtos, &tk_tracker_tracks, &tk_tracker_markers, NULL };

static const struct tk_kind_words kinds[] = { { TK_EV_TRACK_BEGIN, "call begins" },
                                              { TK_EV_TRACK_END, "call ends" },
                                              { TK_EV_TRACK_INSTANT, "event" },
                                              { 0, NULL } };

const struct tk_decoder tk_decoder_ctf = { .info = &tk_info_ctf,
                                           .trackers = trackers,
                                           .symbols = TK_SYMBOLS_FOR_NAMES,
                                           .no_tick = TK_DIAG_RATE_UNKNOWN,
                                           .size = sizeof(struct ctf),
                                           .init = init,
                                           .decode = decode,
                                           .end = end,
                                           .frames = frames,
                                           .summary_line = summary_line,
                                           .names = &tk_names_ctf,
                                           .kinds = kinds };
