// SPDX-License-Identifier: MIT
//
// Value changes to samples.
#include "vcd.h"

#include <string.h>

#include "../../base/bytes.h"
#include "../../base/decimal.h"

// Returns the number of a code. Its bytes are digits in base 223, the number of bytes that are no blanks; codes that
// are too long are hashed.
uint64_t vcd_code(const uint8_t *code, size_t len) {
    uint64_t number = 0;
    if (len > 8) return tk_hash_bytes(code, len) | (uint64_t)1 << 63;
    for (size_t i = len; i-- > 0;) number = number * 223 + (uint64_t)(code[i] - 33) + 1;
    return number;
}

static struct vcd_var *find(struct vcd *vcd, const uint8_t *code, size_t len) {
    uint32_t index = tk_idmap_find(&vcd->by_code, vcd_code(code, len));
    return index == TK_NONE ? NULL : &vcd->vars[index];
}

// ---- Values --------------------------------------------------------------------------------------

// The state of a letter as in struct tk_field, plus 1; 0: no state.
static const uint8_t numbers[256] = {
    ['0'] = 1, ['1'] = 2, ['z'] = 3, ['Z'] = 3, ['x'] = 4, ['X'] = 4, ['l'] = 5, ['L'] = 5,
    ['h'] = 6, ['H'] = 6, ['u'] = 7, ['U'] = 7, ['w'] = 8, ['W'] = 8, ['-'] = 9,
};

// Reads the letters of a vector. A leftmost 1 is not extended to the left: the missing bits are 0.
static bool read_states(struct vcd *vcd, const uint8_t *letters, size_t len, uint32_t width, struct tk_field *field) {
    if (!vcd->states) vcd->states = tk_alloc_zero(vcd->host.alloc, TK_MAX_STATES);
    if (!vcd->states || !len) return false;
    if (len > TK_MAX_STATES - 1) letters += len - (TK_MAX_STATES - 1), len = TK_MAX_STATES - 1;
    uint8_t *states = vcd->states;
    bool is_good = true;
    if (letters[0] == '1' && len < width) *states++ = 0;
    for (size_t i = 0; i < len; i++) {
        uint8_t number = numbers[letters[i]];
        is_good &= number != 0;
        states[i] = number - 1;
    }
    *field = (struct tk_field){ .type = TK_FIELD_LOGIC,
                                .bytes = vcd->states,
                                .len = (uint32_t)(states + len - vcd->states) };
    return is_good;
}

static bool is_bits(const uint8_t *letters, size_t len) {
    size_t i = 0;
    while (i < len && numbers[letters[i]] && numbers[letters[i]] <= 4) i++;
    return i == len;
}

bool vcd_is_change(const struct vcd *vcd, const uint8_t *value, size_t len) {
    if (len < 2) return false;
    if (value[0] == 'b' || value[0] == 'B') return is_bits(value + 1, len - 1);
    return is_bits(value, 1) && tk_idmap_find(&vcd->by_code, vcd_code(value + 1, len - 1)) != TK_NONE;
}

static bool is_number(const struct tk_field *field) {
    for (uint32_t i = 0; i < field->len; i++)
        if (field->bytes[i] > 1) return false;
    return true;
}

// Converts the bits of an integer variable to a number, if all are 0 or 1.
static void to_integer(const struct vcd_var *var, struct tk_field *field) {
    uint64_t number = 0;
    if (!is_number(field) || field->len > 65) return;
    bool is_negative =
        var->is_signed && var->width <= 64 && field->len >= var->width && field->bytes[field->len - var->width];
    for (uint32_t i = 0; i < field->len; i++) number = number << 1 | field->bytes[i];
    if (is_negative && var->width < 64) number |= UINT64_MAX << var->width;
    if (!is_negative && number > INT64_MAX) {
        *field = (struct tk_field){ .type = TK_FIELD_DOUBLE, .d = (double)number };
        return;
    }
    *field = (struct tk_field){ .type = TK_FIELD_INTEGER, .i = (int64_t)number };
}

// Reads a real number as printed with %.16g, including infinity and NaN.
static bool read_real(const char *at, const char *end, double *out) {
    const char *word = at < end && (*at == '-' || *at == '+') ? at + 1 : at;
    if (end - word == 3 && (*word | 0x20) == 'n') return *out = 0.0 / (double)(int){ 0 }, true;
    if (end - word >= 3 && (*word | 0x20) == 'i') return *out = (*at == '-' ? -1 : 1) / (double)(int){ 0 }, true;
    return tk_double_read(at, end, out) == end;
}

static bool read_escaped_text(struct vcd *vcd, const uint8_t *text, size_t len, struct tk_field *field) {
    tk_carry_cut(&vcd->text, 0);
    if (!tk_carry_add(&vcd->text, vcd->host.alloc, text, len)) return false;
    uint8_t *bytes = vcd->text.memory + vcd->text.at;
    *field = (struct tk_field){ .type = TK_FIELD_TEXT,
                                .bytes = bytes,
                                .len = (uint32_t)vcd_unescape(bytes, len, true, bytes) };
    return true;
}

static bool read_value(struct vcd *vcd, const struct vcd_var *var, const uint8_t *value, size_t len,
                       struct tk_field *field) {
    uint8_t prefix = value[0];
    if (prefix == 's' || prefix == 'S') {
        if (memchr(value, '\\', len)) return read_escaped_text(vcd, value + 1, len - 1, field);
        *field = (struct tk_field){ .type = TK_FIELD_TEXT, .bytes = value + 1, .len = (uint32_t)(len - 1) };
        return true;
    }
    if (prefix == 'r' || prefix == 'R') {
        field->type = TK_FIELD_DOUBLE;
        return read_real((const char *)value + 1, (const char *)value + len, &field->d);
    }
    bool is_vector = prefix == 'b' || prefix == 'B';
    if (!read_states(vcd, value + is_vector, len - is_vector, var->width, field)) return false;
    if (var->kind == VCD_INTEGER) to_integer(var, field);
    return true;
}

// ---- Samples -------------------------------------------------------------------------------------

static struct tk_span position_text(const struct vcd *vcd, char room[TK_SHORT_ROOM]) {
    if (vcd->fine || !tk_unit_has_fraction(vcd->unit, vcd->time)) return (struct tk_span){ "", 0 };
    struct tk_text text = tk_short_in(room);
    tk_text_i64(&text, vcd->time);
    tk_text_add(&text, " \xC3\x97 ");
    tk_text_put(&text, vcd->unit_text, vcd->unit_len);
    return (struct tk_span){ text.text, text.len };
}

static void dump_change(struct vcd *vcd, const uint8_t *value, size_t value_len, const uint8_t *code, size_t code_len) {
    if (!vcd->host.on_record_decoded) return;
    char time_room[TK_SHORT_ROOM];
    struct tk_text time = tk_short_in(time_room);
    tk_text_i64(&time, vcd->time);
    vcd_dump(vcd, VCD_CHANGE,
             (const struct vcd_field[]){ { "time", time.text, time.len },
                                         { "code", (const char *)code, code_len },
                                         { "value", (const char *)value, value_len } },
             3);
}

static void draw_event(struct vcd *vcd, const struct vcd_var *var) {
    const struct tk_signal *signal = tk_signals_get(&vcd->signals, var->handle);
    struct tk_field field = { .type = TK_FIELD_TEXT,
                              .bytes = (const uint8_t *)signal->def.name.text,
                              .len = signal->def.name.len };
    tk_signals_sample(&vcd->signals, var->handle,
                      &(struct tk_sample){ .ns = vcd->ns, .place = vcd->time, .fields = &field, .count = 1 });
}

// ---- Values that are dumped again ----------------------------------------------------------------

static bool is_last(const struct vcd_var *var, const uint8_t *value, size_t len) {
    uint64_t hash;
    if (var->last_len != len) return false;
    if (len <= VCD_LAST_LEN) return !memcmp(var->last, value, len);
    hash = tk_hash_bytes(value, len);
    return !memcmp(var->last, &hash, sizeof hash);
}

static void keep_last(struct vcd_var *var, const uint8_t *value, size_t len) {
    uint64_t hash;
    var->last_len = (uint32_t)len;
    if (len <= VCD_LAST_LEN) {
        memcpy(var->last, value, len);
    } else {
        hash = tk_hash_bytes(value, len);
        memcpy(var->last, &hash, sizeof hash);
    }
}

// Returns true if a repeated value is no change: $dumpall and $dumpon repeat all values.
static bool is_unchanged(const struct vcd *vcd, const struct vcd_var *var, const uint8_t *value, size_t len) {
    return vcd->command >= VCD_DUMP && is_last(var, value, len);
}

void vcd_change(struct vcd *vcd, const uint8_t *value, size_t value_len, const uint8_t *code, size_t code_len) {
    struct tk_field field = { .type = TK_FIELD_NONE };
    char room[TK_SHORT_ROOM];
    struct vcd_var *var = find(vcd, code, code_len);
    vcd->changes++;
    dump_change(vcd, value, value_len, code, code_len);
    if (vcd->off) return; // $dumpoff sets everything to x, and other changes at that time are incomplete
    if (!var) {
        vcd_note(vcd, TK_DIAG_SIGNAL_UNDEFINED, vcd_code(code, code_len));
        return;
    }
    if (is_unchanged(vcd, var, value, value_len)) return;
    if (!read_value(vcd, var, value, value_len, &field)) {
        vcd_note(vcd, TK_DIAG_TOKENS_UNKNOWN, 1);
        return;
    }
    keep_last(var, value, value_len);
    if (var->has_sample && var->last_ns == vcd->ns && var->last_time != (uint64_t)vcd->time)
        vcd_note(vcd, TK_DIAG_TIME_SHARED, 1);
    var->has_sample = true;
    var->last_ns = vcd->ns;
    var->last_time = (uint64_t)vcd->time;
    if (!var->handle) return;
    if (var->kind == VCD_EVENT && vcd->command == VCD_NONE) draw_event(vcd, var); // repeated values are no events
    else if (var->kind != VCD_EVENT)
        tk_signals_sample(&vcd->signals, var->handle,
                          &(struct tk_sample){ .ns = vcd->ns,
                                               .place = vcd->time,
                                               .fields = &field,
                                               .count = 1,
                                               .position = position_text(vcd, room) });
}

// Marks all values as unknown, because nothing is dumped from here on.
void vcd_gap(struct vcd *vcd) {
    struct tk_field none = { .type = TK_FIELD_NONE };
    vcd_dump(vcd, VCD_GAP, NULL, 0);
    for (uint32_t i = 0; i < vcd->var_count; i++) {
        struct vcd_var *var = &vcd->vars[i];
        var->last_len = 0;
        if (var->has_sample && var->handle && var->kind != VCD_EVENT)
            tk_signals_sample(&vcd->signals, var->handle,
                              &(struct tk_sample){ .ns = vcd->ns, .place = vcd->time, .fields = &none, .count = 1 });
    }
}
