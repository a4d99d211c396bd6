// SPDX-License-Identifier: MIT
//
// One Tonbandgeraet frame. Byte 0: the bytes after it. Reading it with bytes after it must give the same result as
// without; the result, encoded again as the target does, decodes the same.
#include <string.h>

#include "../common/cobs_encode.h"
#include "common/check.h"
#include "common/heap.h"
#include "formats/tonbandgeraet/decode.h"

enum { MAX_LEN = 1024, SLACK = 32 };

static void check_equal(const struct tk_event *a, const struct tk_event *b) {
    check(a->kind == b->kind && a->timed == b->timed && a->time_invalid == b->time_invalid &&
          a->is_repeated == b->is_repeated && !memcmp(&a->payload, &b->payload, sizeof a->payload));
    check(a->str_len == b->str_len && (!a->str_len || !memcmp(a->str, b->str, a->str_len)));
    check(!a->timed || a->ticks == b->ticks);
}

static uint8_t *put_number(uint8_t *at, uint64_t number) {
    for (; number >= 0x80; number >>= 7) *at++ = (uint8_t)(number | 0x80);
    *at++ = (uint8_t)number;
    return at;
}

// Reads the record by the fields in spec/tonbandgeraet.def.
static size_t write_record(uint8_t id, const struct tk_event *event, uint8_t *out) {
    static const char *const fields[256] = {
#define TB_EVENT(id, name, group, fields, kind, names) [id] = #fields,
#include "../../spec/tonbandgeraet.def"
#undef TB_EVENT
    };
    uint32_t number = (uint32_t)tk_event_number(event, TK_SLOT_NUMBER);
    int64_t value = tk_event_number(event, TK_SLOT_VALUE);
    uint8_t *at = out;
    *at++ = id;
    for (const char *field = fields[id]; *field; field++) {
        switch (*field) {
        case 'T': at = put_number(at, event->ticks); break;
        case 'I': at = put_number(at, tk_event_id(event)); break;
        case 'A':
        case 'D': at = put_number(at, number); break;
        case 'B': *at++ = (uint8_t)number; break;
        case 'N':
        case 'Q':
        case 'R': at = put_number(at, (uint64_t)value); break;
        case 'P': at = put_number(at, event->allocation.address); break;
        case 'V':
            at =
                put_number(at, value < 0 ? (value == INT64_MIN ? 1 : (uint64_t)-value << 1 | 1) : (uint64_t)value << 1);
            break;
        default:
            if (event->str_len) memcpy(at, event->str, event->str_len);
            at += event->str_len;
        }
    }
    return (size_t)(at - out);
}

static void check_round_trip(uint8_t id, const struct tk_event *event) {
    static uint8_t record[MAX_LEN + 64], frame[MAX_LEN + 128], scratch[sizeof frame + TB_SCRATCH_MORE];
    size_t prefix = event->is_repeated ? 1 : 0;
    record[0] = TB_REPEATED_ID;
    size_t len = cobs_encode(record, prefix + write_record(id, event, record + prefix), frame);
    unsigned char *alone = heap_copy(frame, len);
    struct tk_event again = { 0 };
    uint8_t again_id = 0;
    check(tb_decode_piece(alone, len, 0, scratch, &again, &again_id) == TB_OK && again_id == id);
    check_equal(event, &again);
}

static void check_piece(const uint8_t *piece, size_t len, unsigned filler) {
    static uint8_t with[MAX_LEN + TB_SCRATCH_MORE], without[MAX_LEN + TB_SCRATCH_MORE], text[MAX_LEN + TB_SCRATCH_MORE];
    struct tk_event a = { 0 }, b = { 0 };
    uint8_t a_id = 0, b_id = 0, spare[MAX_LEN + SLACK];
    memcpy(spare, piece, len);
    memset(spare + len, (int)filler, SLACK);
    spare[len] = 0;
    unsigned char *roomy = heap_copy(spare, len + SLACK), *alone = heap_copy(piece, len);
    enum tb_verdict verdict = tb_decode_piece(roomy, len, SLACK, with, &a, &a_id);
    check(verdict == tb_decode_piece(alone, len, 0, without, &b, &b_id));
    if (verdict != TB_OK) {
        check(tb_text_before_frame(alone, len, text) < len);
        return;
    }
    check(a_id == b_id && tb_record_name(a_id) && tb_field_names(a_id));
    check_equal(&a, &b);
    check_round_trip(a_id, &a);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len) {
    if (len < 2) return 0;
    unsigned filler = *data++;
    if (--len > MAX_LEN) len = MAX_LEN;
    for (size_t at = 0; at < len;) { // several frames, so that one input tests several records
        const uint8_t *zero = memchr(data + at, 0, len - at);
        size_t piece = zero ? (size_t)(zero - data) - at : len - at;
        if (piece) check_piece(data + at, piece, filler);
        at += piece + 1;
    }
    heap_reset();
    return 0;
}
