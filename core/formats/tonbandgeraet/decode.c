// SPDX-License-Identifier: MIT
#include "decode.h"

#include "../../base/bytes.h"
#include "../../base/attributes.h"
#include "../../base/utf8.h"

// The fields of a record, in their order.
enum { F_T = 1, F_R = 2, F_I = 4, F_A = 8, F_B = 16, F_V = 32, F_S = 64, F_Q = 128, F_P = 256, F_D = 512 };
enum {
    F_TI = F_T | F_I,
    F_TA = F_T | F_A,
    F_TIA = F_TI | F_A,
    F_TIS = F_TI | F_S,
    F_TIV = F_TI | F_V,
    F_IS = F_I | F_S,
    F_IA = F_I | F_A,
    F_IB = F_I | F_B,
    F_IAS = F_IA | F_S,
    F_IAN = F_IA | F_R,
    F_RD = F_R | F_D,
    F_TIR = F_TI | F_R,
    F_TIQ = F_TI | F_Q,
    F_TIAQ = F_TIA | F_Q,
    F_TIAQP = F_TIAQ | F_P
};

struct layout {
    uint16_t fields; // 0: unknown id
    uint8_t kind;
};

static const struct layout layouts[256] = {
#define TB_EVENT(id, name, group, fields, kind, names) [id] = { F_##fields, TK_EV_##kind },
#include "../../../spec/tonbandgeraet.def"
#undef TB_EVENT
};

const struct tb_short_record tb_short_records[256] = {
#define TB_EVENT(id, name, group, fields, kind, names)                                                          \
    [id] = { TK_EV_##kind, HAS(fields, F_I), HAS(fields, F_A), HAS(fields, F_S),                                \
             HAS(fields, F_T) && !(F_##fields & (F_R | F_B | F_V | F_Q | F_P | F_D)) && (id) < TB_EXTENSIONS && \
                 TK_EV_##kind != TK_EV_CORE },
#define HAS(fields, flag) ((F_##fields & (flag)) != 0)
#include "../../../spec/tonbandgeraet.def"
#undef HAS
#undef TB_EVENT
};

// Only some families have the fields P and V.
#define TB_EVENT(id, name, group, fields, kind, names)                                                             \
    _Static_assert(!(F_##fields & F_P) || (int)TK_FAMILY_OF_##kind == TK_FAMILY_allocation, "address of a block"); \
    _Static_assert(!(F_##fields & F_V) || (int)TK_FAMILY_OF_##kind == TK_FAMILY_value_sample, "number of a value");
#include "../../../spec/tonbandgeraet.def"
#undef TB_EVENT

// Returns why a number could not be read: it is cut, or it is too long.
static enum tb_verdict number_verdict(const uint8_t *at, const uint8_t *end, size_t max_len) {
    size_t len = 0;
    while (at + len < end && len < max_len && at[len] >= 0x80) len++;
    return at + len == end && len < max_len ? TB_SHORT : TB_BAD_NUMBER;
}

// Decodes sign-magnitude. Negative zero stands for the number without a positive counterpart.
static int64_t signed_value(uint64_t raw) {
    uint64_t magnitude = raw >> 1;
    if (!(raw & 1)) return (int64_t)magnitude;
    return magnitude ? -(int64_t)magnitude : INT64_MIN;
}

// Decodes the fields, checking the end of the payload before each number.
TK_COLD static enum tb_verdict decode_fields(unsigned fields, const uint8_t *at, const uint8_t *end,
                                             struct tk_event *event) {
    const uint8_t *next;
    uint64_t raw;
    uint32_t number;
    if (fields & F_T) {
        if (!(next = tk_varint64_read(at, end, &event->ticks))) return number_verdict(at, end, 10);
        at = next;
    }
    if (fields & F_I) {
        if (!(next = tk_varint32_read(at, end, &number))) return number_verdict(at, end, 5);
        tk_event_set_number(event, TK_SLOT_ID, number);
        at = next;
    }
    if (fields & F_A) {
        if (!(next = tk_varint32_read(at, end, &number))) return number_verdict(at, end, 5);
        tk_event_set_number(event, TK_SLOT_NUMBER, number);
        at = next;
    }
    if (fields & F_B) {
        if (at == end) return TB_SHORT;
        tk_event_set_number(event, TK_SLOT_NUMBER, *at++);
    }
    if (fields & F_Q) {
        if (!(next = tk_varint32_read(at, end, &number))) return number_verdict(at, end, 5);
        tk_event_set_number(event, TK_SLOT_VALUE, number);
        at = next;
    }
    if (fields & F_P) {
        if (!(next = tk_varint32_read(at, end, &number))) return number_verdict(at, end, 5);
        event->allocation.address = number;
        at = next;
    }
    if (fields & (F_R | F_V)) {
        if (!(next = tk_varint64_read(at, end, &raw))) return number_verdict(at, end, 10);
        tk_event_set_number(event, TK_SLOT_VALUE,
                            fields & F_V                ? signed_value(raw)
                            : raw > (uint64_t)INT64_MAX ? INT64_MAX
                                                        : (int64_t)raw);
        at = next;
    }
    if (fields & F_D) {
        number = 1;
        if (at != end && !(next = tk_varint32_read(at, end, &number))) return number_verdict(at, end, 5);
        tk_event_set_number(event, TK_SLOT_NUMBER, number);
        if (at != end) at = next;
    }
    if (fields & F_S) {
        event->str = (const char *)at;
        event->str_len = (uint32_t)(end - at);
        return TB_OK;
    }
    return at == end ? TB_OK : TB_LONG;
}

// Reads a number of one byte; most ids, lengths and priorities are that short.
static inline const uint8_t *small_number(const uint8_t *at, uint64_t *out_value) {
    if (*at >= 0x80) return tk_varint_read_ahead(at, out_value);
    *out_value = *at;
    return at + 1;
}

// Fast path that reads numbers without checking the end of the payload first. Returns false if decode_fields must
// decode the record.
static inline bool decode_fast(struct layout layout, const uint8_t *at, const uint8_t *end, struct tk_event *event) {
    unsigned fields = layout.fields;
    uint64_t number = 0;
    if (fields & (F_R | F_B | F_Q | F_P | F_D)) return false;
    if ((fields & F_T) && !(at = tk_varint_read_ahead(at, &event->ticks))) return false;
    if (at > end) return false;
    if (fields & F_I) {
        const uint8_t *from = at;
        if (!(at = small_number(at, &number)) || number > UINT32_MAX || at - from > 5) return false;
        tb_set_id(event, (uint32_t)number);
    }
    if (at > end) return false;
    if (fields & (F_A | F_V)) {
        const uint8_t *from = at;
        if (!(at = small_number(at, &number))) return false;
        if (fields & F_V) event->value_sample.number = signed_value(number);
        else if (number > UINT32_MAX || at - from > 5) return false;
        else tb_set_number(event, (fields & F_I) != 0, (uint32_t)number);
    }
    if (fields & F_S) {
        if (at > end) return false;
        event->str = (const char *)at;
        event->str_len = (uint32_t)(end - at);
        return true;
    }
    return at == end;
}

enum tb_verdict tb_decode_payload(const uint8_t *payload, size_t len, size_t slack, struct tk_event *out_event) {
    struct layout layout = layouts[payload[0]];
    if (!layout.fields) return TB_UNKNOWN;
    out_event->kind = layout.kind;
    out_event->is_repeated = false;
    out_event->timed = layout.fields & F_T;
    out_event->payload = (struct tk_event_payload){ 0 };
    out_event->str_len = 0;
    out_event->ticks = 0;
    out_event->str = NULL;
    // A fast record has at most three numbers. The last one begins at `end` or before it, and reading it touches eight
    // bytes.
    bool fast = slack >= TK_VARINT_SLACK && decode_fast(layout, payload + 1, payload + len, out_event);
    enum tb_verdict verdict = fast ? TB_OK : decode_fields(layout.fields, payload + 1, payload + len, out_event);
    out_event->time_invalid = layout.kind == TK_EV_CORE && !out_event->ticks; // the target has set up its cores, but
                                                                              // its clock does not run yet
    return verdict;
}

// Only names and facts are repeated, and no chunk is.
TK_COLD static enum tb_verdict decode_repeated(const uint8_t *payload, size_t len, size_t slack,
                                               struct tk_event *out_event, uint8_t *out_id) {
    if (!len) return TB_SHORT;
    enum tb_verdict verdict = tb_decode_payload(payload, len, slack, out_event);
    if (verdict != TB_OK) return verdict;
    if (out_event->timed || out_event->kind == TK_EV_CHUNK) return TB_UNKNOWN;
    *out_id = payload[0];
    out_event->is_repeated = true;
    return TB_OK;
}

enum tb_verdict tb_decode_piece(const uint8_t *piece, size_t len, size_t slack, uint8_t *scratch,
                                struct tk_event *out_event, uint8_t *out_id) {
    const uint8_t *payload = piece + 1;
    size_t payload_len = len - 1;
    if (len < 1 || piece[0] == 0) return TB_BROKEN;
    if (piece[0] != len || piece[0] == 0xFF) { // a frame of one block, the usual case, is read in place
        ptrdiff_t decoded = tk_cobs_decode(piece, len, slack, scratch);
        if (decoded < 0) return TB_BROKEN;
        payload = scratch;
        payload_len = (size_t)decoded;
        slack = TK_VARINT_SLACK;
    }
    if (!payload_len) return TB_EMPTY;
    *out_id = payload[0];
    return *out_id == TB_REPEATED_ID ? decode_repeated(payload + 1, payload_len - 1, slack, out_event, out_id)
                                     : tb_decode_payload(payload, payload_len, slack, out_event);
}

bool tb_is_text(uint8_t byte) {
    return (byte >= 0x20 && byte < 0x7F) || (byte >= 0x07 && byte <= 0x0D) || byte == 0x1B;
}

bool tb_is_filler(uint8_t byte) { return byte == 0xFF || tb_is_text(byte); }

static bool is_line_end(uint8_t byte) { return byte == '\r' || byte == '\n'; }

// Returns how likely the end of a piece is a frame; 0: it is none. A frame of one block is likelier, and so is one
// after the end of a line. A line end is less likely the start of a frame: its code is also a valid length of a block.
static unsigned likelihood(const uint8_t *piece, size_t len, size_t at, uint8_t *scratch) {
    struct tk_event event;
    uint8_t id;
    if (tb_decode_piece(piece + at, len - at, 0, scratch, &event, &id) != TB_OK) return 0;
    return 1 + 2 * (piece[at] == len - at) + (is_line_end(piece[at - 1]) && !is_line_end(piece[at]));
}

bool tb_is_line_end_and_frame(const uint8_t *piece, size_t len, const struct tk_event *name, uint8_t *scratch) {
    if (name->kind != TK_EV_VALUE_NAME || len < 4 || piece[0] != '\r' || piece[1] != '\n' || piece[2] != len - 2)
        return false;
    bool readable = tk_utf8_is_clean((const uint8_t *)name->str, name->str_len);
    for (uint32_t i = 0; i < name->str_len; i++) readable = readable && (uint8_t)name->str[i] >= 0x20;
    return !readable && likelihood(piece, len, 2, scratch);
}

size_t tb_text_before_frame(const uint8_t *piece, size_t len, uint8_t *scratch) {
    enum { WINDOW = 4096, LIKELIEST = 4 };
    size_t from = len > WINDOW ? len - WINDOW : 0, best_at = 0;
    unsigned best = 0;
    for (size_t i = 0; i < from; i++)
        if (!tb_is_filler(piece[i])) return 0;
    for (size_t at = from ? from : 1; at + 1 < len && tb_is_filler(piece[at - 1]) && best < LIKELIEST; at++) {
        unsigned likely = likelihood(piece, len, at, scratch);
        if (likely <= best) continue;
        best = likely;
        best_at = at;
    }
    return best_at;
}
