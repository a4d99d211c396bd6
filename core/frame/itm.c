// SPDX-License-Identifier: MIT
#include "itm.h"

#include <string.h>

#include "../base/bytes.h"

enum { LEAST_PACKETS = 32, PC_REGION_BITS = 24, NESTED = 16 };

static uint64_t little_endian(const uint8_t *bytes, size_t len) {
    uint64_t value = 0;
    if (len == 4) return tk_load32(bytes);
    for (size_t i = len; i--;) value = value << 8 | bytes[i];
    return value;
}

static size_t zeros_at(const uint8_t *bytes, size_t len) {
    size_t count = 0;
    while (count < len && !bytes[count]) count++;
    return count;
}

// Zeros outside of packets. Many of them are passed on in parts, of which the last one may begin a sync.
static size_t read_zeros(const uint8_t *bytes, size_t len, bool is_end, struct tk_itm_packet *packet) {
    enum { MOST = 64 };
    size_t zeros = zeros_at(bytes, len < MOST ? len : MOST);
    packet->kind = TK_ITM_PADDING;
    if (zeros == MOST) return MOST - TK_ITM_SYNC_ZEROS;
    if (zeros == len) return is_end ? zeros : 0;
    if (zeros < TK_ITM_SYNC_ZEROS || bytes[zeros] != 0x80) return zeros;
    packet->kind = TK_ITM_SYNC;
    return zeros + 1;
}

// Bytes with 7 bits each; bit 7 says that another one follows. Returns the length of the packet; 0: more bytes are
// needed; most + 2: it does not end.
static size_t read_continued(const uint8_t *bytes, size_t len, size_t most, struct tk_itm_packet *packet) {
    packet->value = 0;
    for (size_t i = 1; i <= most; i++) {
        if (i >= len) return 0;
        packet->value |= (uint64_t)(bytes[i] & 0x7F) << 7 * (i - 1);
        packet->size = (uint8_t)i;
        if (!(bytes[i] & 0x80)) return i + 1;
    }
    return most + 2;
}

static size_t bad(struct tk_itm_packet *packet, size_t len) {
    packet->kind = TK_ITM_BAD;
    return len;
}

static size_t read_global_low(const uint8_t *bytes, size_t len, struct tk_itm_packet *packet) {
    size_t used = read_continued(bytes, len, 4, packet);
    packet->kind = TK_ITM_GLOBAL_TIME_LOW;
    packet->what = 0;
    if (used == 6) return bad(packet, 5);
    if (used == 5) {
        packet->what = bytes[4] >> 5 & 3;
        packet->value &= ((uint64_t)1 << 26) - 1;
    }
    return used;
}

static size_t read_global_high(const uint8_t *bytes, size_t len, struct tk_itm_packet *packet) {
    size_t used = read_continued(bytes, len, 6, packet);
    packet->kind = TK_ITM_GLOBAL_TIME_HIGH;
    return !used || used == 5 || used == 7 ? used : bad(packet, used == 8 ? 7 : used);
}

// Extensions, timestamps and the rest whose first byte ends with 00.
static size_t read_protocol(const uint8_t *bytes, size_t len, bool is_end, struct tk_itm_packet *packet) {
    uint8_t first = bytes[0];
    packet->size = packet->what = 0;
    packet->value = 0;
    if (!first) return read_zeros(bytes, len, is_end, packet);
    if (first == 0x70) return packet->kind = TK_ITM_OVERFLOW, 1;
    if (first == 0x94) return read_global_low(bytes, len, packet);
    if (first == 0xB4) return read_global_high(bytes, len, packet);
    if ((first & 0x8F) == 0) { // a local timestamp of one byte
        packet->kind = TK_ITM_LOCAL_TIME;
        packet->value = first >> 4;
        return 1;
    }
    if ((first & 0xCF) == 0xC0) {
        size_t used = read_continued(bytes, len, 4, packet);
        packet->kind = TK_ITM_LOCAL_TIME;
        packet->what = first >> 4 & 3;
        return used == 6 ? bad(packet, 5) : used;
    }
    if ((first & 0x8F) == 0x08) {
        packet->kind = TK_ITM_PAGE;
        packet->what = first >> 4;
        return 1;
    }
    if ((first & 0x0B) == 0x08) {
        packet->kind = TK_ITM_EXTENSION;
        if (!(first & 0x80)) return 1;
        size_t used = read_continued(bytes, len, 4, packet);
        return used == 6 ? bad(packet, 5) : used;
    }
    return bad(packet, 1);
}

static void read_hardware(unsigned discriminator, const uint8_t *payload, struct tk_itm_packet *packet) {
    unsigned size = packet->size;
    packet->kind = TK_ITM_BAD;
    packet->what = 0;
    if (discriminator >= 16 && discriminator < 24) {
        packet->kind = discriminator & 1 ? TK_ITM_DATA_WRITTEN : TK_ITM_DATA_READ;
        packet->what = discriminator >> 1 & 3;
    } else if (discriminator >= 8 && discriminator < 16) {
        packet->what = discriminator >> 1 & 3;
        if (discriminator & 1) packet->kind = size == 2 ? TK_ITM_DATA_ADDRESS : TK_ITM_BAD;
        else if (size == 4) packet->kind = TK_ITM_DATA_PC;
        else if (size == 1 && packet->value == 1) packet->kind = TK_ITM_DATA_MATCH;
    } else if (discriminator == 0 && size == 1) {
        packet->kind = packet->value && packet->value < 0x40 ? TK_ITM_EVENT_COUNTERS : TK_ITM_BAD;
    } else if (discriminator == 1 && size == 2) {
        packet->value = payload[0] | (payload[1] & 1u) << 8;
        packet->what = payload[1] >> 4;
        bool is_valid = packet->what == TK_ITM_RETURNED || (packet->what && packet->value);
        if (is_valid && packet->what <= TK_ITM_RETURNED && !(payload[1] & 0x0E)) packet->kind = TK_ITM_EXCEPTION;
    } else if (discriminator == 2 && size == 4) {
        packet->kind = TK_ITM_PC;
    } else if (discriminator == 2 && size == 1) {
        packet->kind = packet->value == 0 || packet->value == 0xFF ? TK_ITM_NO_PC : TK_ITM_BAD;
    } else if (discriminator == 3 && size == 1) {
        packet->kind = TK_ITM_PMU;
    }
}

// Returns true if the payload ends with zeros that belong to a sync: the packet was cut. *out_needs: more bytes are
// needed to tell.
static bool is_cut_by_sync(const uint8_t *bytes, size_t used, size_t len, bool is_end, bool *out_needs) {
    size_t after = zeros_at(bytes + used, len - used), before = 0;
    *out_needs = false;
    if (after >= TK_ITM_SYNC_ZEROS) return false;
    while (before < used - 1 && !bytes[used - 1 - before]) before++;
    if (used + after == len) return *out_needs = !is_end, false;
    return bytes[used + after] == 0x80 && before + after >= TK_ITM_SYNC_ZEROS;
}

size_t tk_itm_read(const uint8_t *bytes, size_t len, bool is_end, struct tk_itm_packet *packet) {
    unsigned size = bytes[0] & 3;
    size_t used;
    if (size) {
        size = size == 3 ? 4 : size;
        if (len <= size) return 0;
        packet->size = (uint8_t)size;
        packet->value = little_endian(bytes + 1, size);
        used = size + 1;
        if (bytes[0] & 4) {
            read_hardware(bytes[0] >> 3, bytes + 1, packet);
        } else {
            packet->kind = TK_ITM_SOFTWARE;
            packet->what = bytes[0] >> 3;
        }
    } else {
        used = read_protocol(bytes, len, is_end, packet);
        packet->len = (uint8_t)used;
        if (used < 2 || packet->kind <= TK_ITM_PADDING) return used;
    }
    packet->len = (uint8_t)used;
    if (bytes[used - 1]) return used;
    bool needs, is_cut = is_cut_by_sync(bytes, used, len, is_end, &needs);
    if (needs) return 0;
    if (!is_cut) return used;
    while (used > 1 && !bytes[used - 1]) used--;
    packet->len = (uint8_t)used;
    return bad(packet, used);
}

// ---- Stream ------------------------------------------------------------------------------------

enum {
    ENOUGH = 16,   // packets without a bad one that prove where packets begin
    AT_START = 64, // packets that are checked at the start
    FEWEST_AT_END = 4
};

enum verdict { YES, NO, SHORT };

// Returns whether `count` packets follow each other, none of them bad; a sync suffices. *out_bad: bytes up to the end
// of the bad one.
static enum verdict follow(const struct tk_itm_stream *stream, const uint8_t *bytes, size_t len, unsigned count,
                           size_t *out_bad) {
    struct tk_itm_packet packet;
    size_t at = 0, used;
    unsigned found = 0;
    while (found < count && at < TK_ITM_LOOK) {
        if (at == len || !(used = tk_itm_read(bytes + at, len - at, stream->is_end, &packet))) {
            if (!stream->is_end) return SHORT;
            *out_bad = at ? at : 1;
            return found >= FEWEST_AT_END || !stream->lost ? YES : NO;
        }
        at += used;
        if (packet.kind == TK_ITM_SYNC) return YES;
        if (packet.kind == TK_ITM_BAD) return *out_bad = at, NO;
        found += packet.kind != TK_ITM_PADDING;
    }
    return YES;
}

size_t tk_itm_next(struct tk_itm_stream *stream, const uint8_t *bytes, size_t len, struct tk_itm_packet *packet) {
    if (!stream->begun || stream->lost) {
        size_t bad = 0;
        enum verdict verdict = follow(stream, bytes, len, stream->lost ? ENOUGH : AT_START, &bad);
        if (verdict == SHORT && (stream->lost || !stream->is_impatient)) return 0;
        if (verdict == NO) {
            packet->kind = TK_ITM_BAD;
            return stream->begun ? 1 : bad;
        }
        stream->begun = true;
        stream->lost = false;
    }
    size_t used = tk_itm_read(bytes, len, stream->is_end, packet);
    stream->lost = used && packet->kind == TK_ITM_BAD;
    return used;
}

// ---- Evidence ----------------------------------------------------------------------------------

static bool is_text(const struct tk_itm_packet *packet) {
    uint8_t byte = (uint8_t)packet->value;
    return packet->size == 1 && !packet->what && ((byte >= 0x20 && byte < 0x7F) || byte == '\n' || byte == '\r');
}

void tk_itm_examine(const uint8_t *bytes, size_t len, struct tk_itm_evidence *evidence) {
    struct tk_itm_packet packet;
    uint64_t stack[NESTED], region = 0;
    unsigned depth = 0;
    bool after_source = false, has_region = false;
    *evidence = (struct tk_itm_evidence){ 0 };
    for (size_t at = 0, used; at < len && (used = tk_itm_read(bytes + at, len - at, false, &packet)); at += used) {
        if (packet.kind == TK_ITM_PADDING) continue;
        if (packet.kind == TK_ITM_BAD) evidence->bad++;
        else if (packet.kind == TK_ITM_SYNC) evidence->syncs++;
        else evidence->packets++;
        evidence->source += packet.kind > TK_ITM_SOFTWARE && packet.kind < TK_ITM_BAD;
        if (packet.kind == TK_ITM_SOFTWARE && is_text(&packet)) evidence->text++;
        if (packet.kind == TK_ITM_LOCAL_TIME && after_source) evidence->times_after_source++;
        if (packet.kind == TK_ITM_PC) {
            if (!has_region) region = packet.value >> PC_REGION_BITS, has_region = true;
            if (packet.value >> PC_REGION_BITS == region) evidence->pc_in_region++;
            else evidence->pc_outside++;
        }
        if (packet.kind == TK_ITM_EXCEPTION) {
            if (packet.what == TK_ITM_ENTERED) {
                if (depth < NESTED) stack[depth++] = packet.value;
            } else if (packet.what == TK_ITM_EXITED) {
                if (depth && stack[depth - 1] == packet.value) depth--, evidence->exceptions_paired++;
                else evidence->exceptions_unpaired++;
            }
        }
        after_source = packet.kind >= TK_ITM_SOFTWARE && packet.kind < TK_ITM_BAD;
    }
}

bool tk_itm_is_proven(const struct tk_itm_evidence *evidence) {
    enum { FEW = 4 };
    if (evidence->syncs) return evidence->packets && evidence->bad * 100u < evidence->packets;
    unsigned kinds = (evidence->text >= FEW) + (evidence->exceptions_paired >= FEW && !evidence->exceptions_unpaired) +
                     (evidence->times_after_source >= FEW) + (evidence->pc_in_region >= FEW && !evidence->pc_outside);
    return evidence->packets >= LEAST_PACKETS && !evidence->bad && kinds >= 2;
}
