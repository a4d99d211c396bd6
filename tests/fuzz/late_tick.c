// SPDX-License-Identifier: MIT
//
// Long recordings whose tick length comes late. Byte 0: the compared cases; 1, 2: chunk boundaries; then bytes that are
// repeated, and long messages that fill the output's block. The tick length is given beforehand, comes late and is
// corrected, or comes late on a pipe: the trace is the same except the header on the pipe, where the report has a
// notice.
#include <stdio.h>
#include <string.h>

#include "common/check.h"
#include "common/conversion.h"
#include "common/take.h"
#include "common/trace_check.h"
#include "base/bytes.h"
#include "perfetto/packet.h"

enum { ROOM = 300 * 1024, MESSAGE = 60000, HEAD_LEN = TK_PACKET_HEAD_LEN };

static uint8_t recording[ROOM];
static struct conversion_result corrected, other;

static size_t put(size_t at, const uint8_t *bytes, size_t len) {
    if (len > ROOM - at) len = ROOM - at;
    if (len) memcpy(recording + at, bytes, len);
    return at + len;
}

// A marker whose message is MESSAGE bytes long, as a frame.
static size_t put_message(size_t at, uint8_t ticks) {
    uint8_t block[255] = { 0xFF, 0x07, (uint8_t)(1 | (ticks & 0x7F)), 0x01 };
    memset(block + 4, 'x', sizeof block - 4);
    for (size_t sent = 0; sent < MESSAGE; sent += 254) {
        at = put(at, block, sizeof block);
        memset(block + 1, 'x', sizeof block - 1);
    }
    return put(at, (const uint8_t *)"\x02x", 3);
}

static size_t make_recording(struct take *from) {
    size_t at = 0;
    while (take_left(from) && at < ROOM) {
        unsigned what = take_byte(from);
        size_t len;
        if (what >= 0xF0) {
            at = put_message(at, (uint8_t)take_byte(from));
            continue;
        }
        const uint8_t *bytes = take_bytes(from, take_byte(from), &len);
        size_t times = (size_t)1 << (what % 16 < 11 ? 0 : (what % 16 - 10) * 2);
        for (size_t i = 0; i < times && at < ROOM; i++) at = put(at, bytes, len);
    }
    return at;
}

static bool contains(const struct conversion_bytes *json, const char *text) {
    size_t len = strlen(text);
    for (size_t i = 0; i + len <= json->len; i++)
        if (!memcmp(json->data + i, text, len)) return true;
    return false;
}

static bool reports_late_tick(const struct conversion_bytes *json) { return contains(json, "\"TICK_LATE\""); }

// A pipe cannot be rewritten.
static void compare_pipe(struct conversion_job job) {
    job.pipe = true;
    conversion_run(&job, &other);
    conversion_check(&job, &other);
    check(other.output.len == corrected.output.len);
    if (corrected.output.len < HEAD_LEN) return;
    bool same = !memcmp(other.output.data, corrected.output.data, HEAD_LEN);
    check(!memcmp(other.output.data + HEAD_LEN, corrected.output.data + HEAD_LEN, corrected.output.len - HEAD_LEN));
    check(same == !corrected.head_corrected && reports_late_tick(&other.json) == !same &&
          !reports_late_tick(&corrected.json));
}

// Returns true for a packet that names the axis: the title of the group Target, a track with it, and the note.
static bool names_axis(const struct conversion_bytes *packet) {
    enum { LONGEST = 256 };
    if (packet->len > LONGEST) return false;
    return contains(packet, "Target") || contains(packet, "tonkopf.times") || contains(packet, "tick shown as 1 ns") ||
           contains(packet, "all events have the same time") || contains(packet, "What the axis of this trace is");
}

// Returns the next packet that does not name the axis; of no bytes: none is left.
static struct conversion_bytes next_packet(struct conversion_bytes *left) {
    struct conversion_bytes packet = { 0 };
    while (left->len) {
        uint64_t content;
        const uint8_t *end = left->data + left->len, *from = tk_varint64_read(left->data + 1, end, &content);
        check(from && content <= (size_t)(end - from));
        packet = (struct conversion_bytes){ .data = left->data, .len = (size_t)(from - left->data) + (size_t)content };
        left->data += packet.len;
        left->len -= packet.len;
        if (!names_axis(&packet)) return packet;
    }
    return (struct conversion_bytes){ 0 };
}

// Returns true if the first packets, whose last number is the default track, are equal, or if only the trace whose axis
// is named has such a track.
static bool are_first_equal(const struct conversion_bytes *named, const struct conversion_bytes *plain) {
    static const uint8_t no_track[] = { 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0 };
    if (conversion_equal(named, plain)) return true;
    size_t len = plain->len < sizeof no_track ? 0 : plain->len - sizeof no_track;
    return len && named->len == plain->len && !memcmp(named->data, plain->data, len) &&
           !memcmp(plain->data + len, no_track, sizeof no_track);
}

// named: with a name of the axis; plain: without.
static bool are_equal_but_axis(struct conversion_bytes named, struct conversion_bytes plain) {
    struct conversion_bytes packet = next_packet(&named), same = next_packet(&plain);
    if (!are_first_equal(&packet, &same)) return false;
    while (packet.len) {
        packet = next_packet(&named);
        same = next_packet(&plain);
        if (!conversion_equal(&packet, &same)) return false;
    }
    return true;
}

// The length from the recording, given beforehand. The wall clock of the first event may still have to be corrected.
// A trace with an assumed length names the axis in another way.
static void compare_with_known_tick(struct conversion_job job, bool wall_clock) {
    char tick[24];
    uint64_t tick_ns = trace_check(corrected.output.data, corrected.output.len, true);
    snprintf(tick, sizeof tick, "%llu", (unsigned long long)tick_ns);
    conversion_option(&job, "tick-ns", tick);
    conversion_run(&job, &other);
    check(!other.head_corrected || wall_clock);
    bool assumed = contains(&corrected.json, "\"source\":\"assumed\"");
    check(assumed ? are_equal_but_axis(corrected.output, other.output)
                  : conversion_equal(&other.output, &corrected.output));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len) {
    struct take from = { data, data + len };
    struct conversion_job job = { .dump = -1, .input_count = 1 };
    unsigned flags = take_byte(&from), cuts = take_byte(&from);
    cuts |= take_byte(&from) << 8;
    job.inputs[0] =
        (struct conversion_input){ .name = "input", .bytes = recording, .len = make_recording(&from), .core = -1 };
    conversion_option(&job, "format", "tonbandgeraet");
    if (flags & 2) conversion_option(&job, "analysis", "0"); // response times are counts until the length is known
    if (flags & 4) conversion_option(&job, "wall-clock-ns", "1700000000000000000");
    conversion_run(&job, &corrected);
    conversion_check(&job, &corrected);
    if (corrected.status != TK_OK) return 0;
    if (flags & 1) compare_pipe(job);
    if (flags & 2) compare_with_known_tick(job, flags & 4);
    if (!(flags & 8)) return 0;
    job.cuts = cuts | 32u << 8; // long chunks among them
    conversion_run(&job, &other);
    conversion_check_equal(&corrected, &other);
    return 0;
}
