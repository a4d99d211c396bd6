// SPDX-License-Identifier: MIT
//
// Vectors of logic states: as wide as the signal, with short names and few colours.
#include "emit.h"

const char tk_logic_letters[] = "01ZXLHUW-JKMNOP#?";

bool tk_is_bit(const struct tk_signal *signal) {
    return signal->def.shape == TK_SHAPE_LOGIC && (signal->def.width ? signal->def.width == 1 : !signal->is_wide);
}

// Returns as many states as the signal has bits: repeats the leftmost state, or drops states on the left.
const uint8_t *tk_logic_extend(struct tk_signals *signals, const struct tk_field *field, uint32_t width) {
    if (field->len >= width) return field->bytes + (field->len - width);
    if (width > TK_MAX_STATES) width = TK_MAX_STATES;
    if (!signals->states) signals->states = tk_alloc_zero(signals->alloc, TK_MAX_STATES);
    if (!signals->states || !field->len) return NULL;
    memset(signals->states, field->bytes[0], width - field->len);
    memcpy(signals->states + width - field->len, field->bytes, field->len);
    return signals->states;
}

// Reads the last 64 states as a number. Returns false if there are other states than 0 and 1.
static bool read_bits(const uint8_t *states, uint32_t len, uint64_t *out_number) {
    uint64_t number = 0;
    uint8_t all = 0;
    for (uint32_t i = 0; i < len; i++) {
        all |= states[i];
        number = number << 1 | states[i];
    }
    *out_number = number;
    return all <= 1;
}

enum { MOST_LETTERS = TK_SHORT_LEN + 1 }; // one more than a short text can contain, so that the text is marked as cut

static void put_states(struct tk_text *text, const uint8_t *states, uint32_t len) {
    char letters[MOST_LETTERS];
    if (!len) return;
    if (len > MOST_LETTERS) len = MOST_LETTERS;
    for (uint32_t i = 0; i < len; i++) letters[i] = tk_logic_letters[states[i]];
    tk_text_put(text, letters, len);
}

// Returns the digit of up to four states: a hex digit, their letter if they are equal, or the lower-case letter of the
// first one that is not 0 or 1.
static char digit_of(const uint8_t *states, uint32_t len) {
    unsigned number = 0, same = 0;
    uint8_t odd = 0;
    for (uint32_t i = 0; i < len; i++) {
        number = number << 1 | (states[i] & 1);
        same += states[i] == states[0];
        if (!odd && states[i] > 1) odd = states[i];
    }
    if (!odd) return "0123456789ABCDEF"[number];
    char letter = tk_logic_letters[odd];
    return same == len || letter < 'A' || letter > 'Z' ? letter : (char)(letter | 0x20);
}

static void put_hex(struct tk_text *text, const uint8_t *states, uint32_t len) {
    char digits[MOST_LETTERS];
    uint32_t first = (len - 1) % 4 + 1, count = 0;
    digits[count++] = digit_of(states, first);
    for (uint32_t at = first; at < len && count < MOST_LETTERS; at += 4) digits[count++] = digit_of(states + at, 4);
    tk_text_add(text, "0x");
    tk_text_put(text, digits, count);
}

// Appends at most 64 states of 0 and 1 as a hex number.
static void put_hex_number(struct tk_text *text, uint64_t number, uint32_t len) {
    char digits[2 + 16] = "0x";
    uint32_t count = 2;
    for (uint32_t left = (len + 3) / 4; left-- > 0;) digits[count++] = "0123456789ABCDEF"[number >> 4 * left & 15];
    tk_text_put(text, digits, count);
}

static void put_all_states(struct tk_signals *signals, const uint8_t *states, uint32_t len) {
    enum { MOST = 256 };
    char text[MOST];
    if (len > MOST) len = MOST;
    for (uint32_t i = 0; i < len; i++) text[i] = tk_logic_letters[states[i]];
    tk_detail_text(signals, "states", (struct tk_span){ text, len });
}

static void put_hex_bits(struct tk_text *text, const uint8_t *states, uint64_t number, uint32_t len) {
    if (len <= 64) put_hex_number(text, number, len);
    else put_hex(text, states, len);
}

static void number_details(struct tk_signals *signals, enum tk_radix radix, const uint8_t *states, uint64_t number,
                           uint32_t len) {
    enum { SHOWN_BITS = 16 };
    char text_room[TK_SHORT_ROOM];
    struct tk_text text = tk_short_in(text_room);
    bool is_hex = radix != TK_RADIX_BIN && radix != TK_RADIX_DEC;
    if (len <= 64) tk_detail_uint(signals, "unsigned", number);
    if (len <= 64 && states[0]) tk_detail_int(signals, "signed", (int64_t)(number | UINT64_MAX << (len - 1)));
    if (is_hex && len > SHOWN_BITS) return;
    if (is_hex) put_states(&text, states, len);
    else put_hex_bits(&text, states, number, len);
    tk_detail_text(signals, is_hex ? "binary" : "hex", tk_span_of_text(&text));
}

static void name_number(enum tk_radix radix, const uint8_t *states, uint64_t number, uint32_t len,
                        struct tk_text *name) {
    if (radix == TK_RADIX_BIN) put_states(name, states, len);
    else if (radix == TK_RADIX_DEC && len <= 64) tk_text_u64(name, number);
    else put_hex_bits(name, states, number, len);
}

void tk_name_states(struct tk_signals *signals, enum tk_radix radix, const uint8_t *states, uint32_t len,
                    struct tk_drawable *drawn, struct tk_text *name) {
    enum { SHOWN_STATES = 8 };
    uint64_t number;
    bool binary = read_bits(states, len, &number);
    drawn->correlation |= binary ? 0 : 1;
    if (binary) {
        name_number(radix, states, number, len, name);
        number_details(signals, radix, states, number, len);
    } else if (len <= SHOWN_STATES) {
        put_states(name, states, len);
    } else {
        put_hex(name, states, len);
        put_all_states(signals, states, len);
    }
}

// Returns the width of a signal. Without a declared width it is one bit until a longer value comes; then each value is
// as short as possible.
static uint32_t width_of(struct tk_signal *signal, const struct tk_field *field) {
    if (signal->def.width) return signal->def.width;
    uint32_t len = field->len;
    while (len > 1 && field->bytes[field->len - len] == field->bytes[field->len - len + 1]) len--;
    if (len > 1) signal->is_wide = true;
    return len;
}

bool tk_name_logic(struct tk_signals *signals, struct tk_signal *signal, const struct tk_sample *sample,
                   struct tk_drawable *drawn, struct tk_text *name) {
    uint32_t width = width_of(signal, sample->fields);
    const uint8_t *states = tk_logic_extend(signals, sample->fields, width);
    if (!states) return false;
    if (width == 1 && !signal->is_wide) {
        tk_text_put(name, &tk_logic_letters[states[0]], 1);
        return states[0] != 0;
    }
    drawn->correlation = (uint64_t)signal->track << 8 | 2;
    tk_name_states(signals, (enum tk_radix)signal->def.radix, states, width, drawn, name);
    return true;
}
