// SPDX-License-Identifier: MIT
//
// A post-mortem recorder sends a sync and its description again after every 257th packet. So each stretch between two
// syncs has this number of packets, except the one in which the newest packet meets the oldest one.
#include "ring.h"

#include <string.h>

#include "../../base/bytes.h"

enum {
    BETWEEN_SYNCS = 257, // packets, not counting the description
    MAX_SYNCS = 4096,
    ID_LEN = 16, // of the control block
    HEAD_LEN = ID_LEN + 8,
    DESCRIPTOR_LEN = 24,
    MOST_CHANNELS = 16,
    PAGE = 1024,                   // dumps of memory begin at a multiple of it
    MOST_TRIED = 256 * 1024 * 1024 // bytes of all places that are tried
};

struct circle {
    const uint8_t *bytes;
    uint32_t len;
};

// Returns `len` bytes from a position on, at most SV_LONGEST. Copies them if they go around the end.
static const uint8_t *bytes_at(const struct circle *circle, uint32_t at, uint32_t len, uint8_t room[SV_LONGEST]) {
    at %= circle->len;
    uint32_t first = circle->len - at;
    if (first >= len) return circle->bytes + at;
    memcpy(room, circle->bytes + at, first);
    memcpy(room + first, circle->bytes, len - first);
    return room;
}

static bool is_start(const struct circle *circle, uint32_t at) {
    for (uint32_t i = 0; i < SV_SYNC; i++)
        if (circle->bytes[(at + i) % circle->len]) return false;
    return circle->bytes[(at + SV_SYNC) % circle->len] == SV_TRACE_START;
}

static uint32_t find_starts(const struct circle *circle, uint32_t starts[MAX_SYNCS]) {
    uint32_t count = 0;
    for (uint32_t at = 0; at < circle->len && count < MAX_SYNCS; at++)
        if (!circle->bytes[at] && is_start(circle, at)) starts[count++] = at;
    return count;
}

// Packets after a sync.
struct stretch {
    uint32_t description; // packets that describe the target
    uint32_t count;       // packets behind them
    uint32_t end;         // where the last packet ends
    bool is_whole;        // it ends where it should
};

static bool is_description(uint32_t id) {
    static const uint32_t ids = 1u << SV_TRACE_START | 1u << SV_TASK_CREATE | 1u << SV_INIT | 1u << SV_SYSDESC |
                                1u << SV_SYSTIME_CYCLES | 1u << SV_SYSTIME_US | 1u << SV_TASK_INFO |
                                1u << SV_STACK_INFO | 1u << SV_NUMMODULES | 1u << SV_MODULEDESC;
    return id < 32 && (ids >> id & 1);
}

// Counts the packets from the sync at `from` up to `to`, which may exceed the length of the ring, at most `most` of
// those behind the description.
static struct stretch count_packets(const struct circle *circle, uint32_t from, uint32_t to, uint32_t most) {
    struct sv_packing packing = { 0 };
    struct stretch stretch = { .end = from + SV_SYNC };
    uint8_t room[SV_LONGEST];
    while (stretch.end < to && stretch.count < most) {
        uint32_t at = stretch.end;
        struct sv_packet packet;
        uint32_t len = to - at < SV_LONGEST ? to - at : SV_LONGEST;
        if (len > circle->len) len = circle->len;
        const uint8_t *bytes = bytes_at(circle, at, len, room);
        enum sv_verdict verdict = sv_packet_read(bytes, len, &packing, &packet);
        if (verdict != SV_OK && bytes[0] == SV_INIT && !packing.no_lengths) {
            packing.no_lengths = true;
            continue;
        }
        if (verdict != SV_OK || packet.id == SV_NOP) return stretch;
        stretch.end += (uint32_t)packet.len;
        if (!stretch.count && is_description(packet.id)) stretch.description++;
        else stretch.count++;
    }
    stretch.is_whole = stretch.end == to;
    return stretch;
}

// ---- A ring alone --------------------------------------------------------------------------------

static bool is_head(const uint8_t *bytes, size_t len) {
    bool is_line = len > 1 && bytes[0] == ';' && (bytes[1] == ' ' || bytes[1] == '\r' || bytes[1] == '\n');
    return is_line || (len > 1 && !memcmp(bytes, "\n;", 2)) || (len > 3 && !memcmp(bytes, "SV", 2)) ||
           (len > 6 && !memcmp(bytes, "SEGGER", 6));
}

bool sv_is_ring(const uint8_t *bytes, size_t len) {
    if (len < 4 * SV_SYNC || len > UINT32_MAX / 2 || is_head(bytes, len)) return false;
    const struct circle circle = { bytes, (uint32_t)len };
    uint32_t last = UINT32_MAX;
    for (uint32_t at = 0; at + SV_SYNC < circle.len; at++) {
        if (bytes[at] || !is_start(&circle, at)) continue;
        if (!at) return false; // the stream begins there
        struct stretch stretch = { 0 };
        if (last != UINT32_MAX) stretch = count_packets(&circle, last, at, BETWEEN_SYNCS);
        if (stretch.is_whole && stretch.count == BETWEEN_SYNCS) return true;
        last = at;
    }
    return false;
}

// Returns how little a stretch looks like one without the seam.
static uint32_t oddness(const struct stretch *stretch) {
    if (!stretch->is_whole) return UINT32_MAX;
    return stretch->count > BETWEEN_SYNCS ? stretch->count - BETWEEN_SYNCS : BETWEEN_SYNCS - stretch->count;
}

static bool find_seam(const struct circle *circle, struct sv_ring *ring) {
    uint32_t starts[MAX_SYNCS], count = find_starts(circle, starts), seam = 0, most = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t next = i + 1 < count ? starts[i + 1] : starts[0] + circle->len;
        struct stretch stretch = count_packets(circle, starts[i], next, UINT32_MAX);
        if (oddness(&stretch) < most) continue;
        most = oddness(&stretch);
        seam = i;
    }
    if (!count) return false;
    uint32_t first = starts[(seam + 1) % count], last = starts[seam];
    if (last < first) last += circle->len;
    if (count == 1) last = first;
    uint32_t end = count_packets(circle, last, first + circle->len, BETWEEN_SYNCS).end;
    ring->from = first;
    ring->used = end - first < circle->len ? end - first : circle->len;
    ring->end_is_uncertain = true;
    return true;
}

// ---- A dump of memory ----------------------------------------------------------------------------

size_t sv_find_control_block(const uint8_t *bytes, size_t len) {
    static const uint8_t id[ID_LEN] = "SEGGER RTT";
    for (size_t at = 0; at + HEAD_LEN + DESCRIPTOR_LEN <= len; at++)
        if (bytes[at] == id[0] && !memcmp(bytes + at, id, ID_LEN) && tk_load32(bytes + at + ID_LEN) - 1 < MOST_CHANNELS)
            return at;
    return len;
}

// Returns true if packets follow each other from the last sync up to the newest one.
static bool ends_at(const struct circle *circle, uint32_t oldest, uint32_t newest) {
    uint32_t last = UINT32_MAX, end = newest < oldest ? newest + circle->len : newest, zeros = 0;
    for (uint32_t at = oldest, in = oldest; at < end; at++, in = in + 1 == circle->len ? 0 : in + 1) {
        uint8_t byte = circle->bytes[in];
        if (byte == SV_TRACE_START && zeros >= SV_SYNC) last = at - SV_SYNC;
        zeros = byte ? 0 : zeros + 1;
    }
    return last != UINT32_MAX && count_packets(circle, last, end, UINT32_MAX).is_whole;
}

// The address at which the dump begins is unknown. Tries all at which the bytes before the write position are packets.
static bool find_buffer(const uint8_t *bytes, size_t len, const uint8_t *descriptor, size_t *tried,
                        struct sv_ring *ring) {
    uint32_t address = tk_load32(descriptor + 4), size = tk_load32(descriptor + 8), newest = tk_load32(descriptor + 12);
    if (size < 4 * SV_SYNC || size > len || newest >= size) return false;
    for (size_t at = address % PAGE; at + size <= len && *tried < MOST_TRIED; at += PAGE, *tried += size) {
        const struct circle circle = { bytes + at, size };
        if (!ends_at(&circle, (newest + 1) % size, newest)) continue;
        *ring = (struct sv_ring){ .at = (uint32_t)at, .len = size, .from = (newest + 1) % size, .used = size - 1 };
        return true;
    }
    return false;
}

bool sv_ring_find(const uint8_t *bytes, size_t len, struct sv_ring *out_ring) {
    size_t block = sv_find_control_block(bytes, len);
    if (len > SV_LONGEST_DUMP || !len) return false;
    if (block == len) {
        *out_ring = (struct sv_ring){ .len = (uint32_t)len };
        return find_seam(&(struct circle){ bytes, (uint32_t)len }, out_ring);
    }
    uint32_t channels = tk_load32(bytes + block + ID_LEN);
    size_t tried = 0;
    for (uint32_t i = 0; i < channels; i++) {
        size_t at = block + HEAD_LEN + (size_t)i * DESCRIPTOR_LEN;
        if (at + DESCRIPTOR_LEN > len) break;
        if (find_buffer(bytes, len, bytes + at, &tried, out_ring)) return true;
    }
    return false;
}

void sv_ring_order(const uint8_t *bytes, const struct sv_ring *ring, uint8_t *out) {
    uint32_t first = ring->len - ring->from < ring->used ? ring->len - ring->from : ring->used;
    memcpy(out, bytes + ring->at + ring->from, first);
    memcpy(out + first, bytes + ring->at, ring->used - first);
}
