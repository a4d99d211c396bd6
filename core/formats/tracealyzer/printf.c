// SPDX-License-Identifier: MIT
#include "printf.h"

#include <string.h>

#include "../../base/decimal.h"

void psf_put(struct psf_text *text, const char *bytes, size_t len) {
    size_t room = PSF_TEXT - text->len;
    if (len > room) len = room;
    if (len) memcpy(text->bytes + text->len, bytes, len);
    text->len += len;
}

void psf_put_words(struct psf_text *text, const char *words) { psf_put(text, words, strlen(words)); }

void psf_put_number(struct psf_text *text, uint64_t number) {
    char digits[TK_DECIMAL_LEN];
    psf_put(text, digits, tk_decimal(number, digits));
}

void psf_put_hex(struct psf_text *text, uint64_t number) {
    char digits[TK_DECIMAL_LEN];
    psf_put_words(text, "0x");
    psf_put(text, digits, tk_digits(number, 16, 1, digits));
}

// ---- One conversion of a format ----------------------------------------------------------------

enum { WIDEST = 64 };

struct conversion {
    char letter;                                   // 0: the format ends before it
    bool left, zero, plus, space, alternate, wide; // wide: the whole word of a 64-bit target
    unsigned width;
    size_t len; // of its text, from the percent sign on
};

static struct conversion read_conversion(const char *text, size_t len) {
    struct conversion c = { 0 };
    size_t at = 1;
    for (; at < len && strchr("-0+ #", text[at]) && text[at]; at++) {
        c.left = c.left || text[at] == '-';
        c.zero = c.zero || text[at] == '0';
        c.plus = c.plus || text[at] == '+';
        c.space = c.space || text[at] == ' ';
        c.alternate = c.alternate || text[at] == '#';
    }
    for (; at < len && text[at] >= '0' && text[at] <= '9'; at++)
        c.width = c.width < WIDEST ? c.width * 10 + (unsigned)(text[at] - '0') : WIDEST;
    for (; at < len && (text[at] == '.' || (text[at] >= '0' && text[at] <= '9')); at++) {} // a precision changes
                                                                                           // nothing
    for (; at < len && text[at] && strchr("hlzjt", text[at]); at++) c.wide = c.wide || text[at] != 'h';
    if (c.width > WIDEST) c.width = WIDEST;
    c.letter = at < len ? text[at] : 0;
    c.len = at < len ? at + 1 : len;
    return c;
}

static void pad(struct psf_text *text, char fill, size_t count) {
    while (count--) psf_put(text, &fill, 1);
}

// A sign or prefix, then the digits, filled up to the width.
static void put_padded(struct psf_text *text, const struct conversion *c, const char *prefix, const char *body,
                       size_t len) {
    size_t whole = strlen(prefix) + len, fill = c->width > whole ? c->width - whole : 0;
    bool zeros = c->zero && !c->left;
    if (!c->left && !zeros) pad(text, ' ', fill);
    psf_put_words(text, prefix);
    if (zeros) pad(text, '0', fill);
    psf_put(text, body, len);
    if (c->left) pad(text, ' ', fill);
}

static void put_digits(struct psf_text *text, const struct conversion *c, const char *prefix, uint64_t number,
                       unsigned base) {
    char digits[TK_DECIMAL_LEN];
    size_t len = tk_digits(number, base, 1, digits);
    for (size_t i = 0; i < len && c->letter == 'X'; i++)
        if (digits[i] >= 'a') digits[i] = (char)(digits[i] - 'a' + 'A');
    put_padded(text, c, prefix, digits, len);
}

static void put_signed(struct psf_text *text, const struct conversion *c, int64_t number) {
    const char *sign = number < 0 ? "-" : c->plus ? "+" : c->space ? " " : "";
    put_digits(text, c, sign, number < 0 ? 0 - (uint64_t)number : (uint64_t)number, 10);
}

// A float with six places, as printf shows it; a huge one with an exponent.
static void put_float(struct psf_text *text, const struct conversion *c, uint32_t bits) {
    char body[TK_DOUBLE_LEN + TK_DECIMAL_LEN];
    float number;
    memcpy(&number, &bits, sizeof number);
    double value = (double)number, size = value < 0 ? -value : value;
    const char *sign = bits >> 31 ? "-" : c->plus ? "+" : c->space ? " " : "";
    if (size - size != 0) {
        put_padded(text, c, sign, size != size ? "nan" : "inf", 3);
    } else if (size >= 1e12) {
        put_padded(text, c, sign, body, tk_decimal_double(size, body));
    } else {
        uint64_t millionths = (uint64_t)(size * 1e6 + 0.5);
        size_t len = tk_decimal(millionths / 1000000, body);
        body[len++] = '.';
        put_padded(text, c, sign, body, len + tk_digits(millionths % 1000000, 10, 6, body + len));
    }
}

static void put_string(struct psf_text *text, const struct conversion *c, const struct psf_format *format,
                       uint64_t address) {
    size_t len = 0;
    const char *string = format->string(format->ctx, address, &len);
    if (string) {
        put_padded(text, c, "", string, len);
        return;
    }
    psf_put_words(text, "<");
    psf_put_hex(text, address);
    psf_put_words(text, ">");
}

// ---- A whole format ----------------------------------------------------------------------------

// The part of the word that the conversion takes: what is above may be anything.
static uint64_t used_part(const struct psf_format *format, const struct conversion *c, uint64_t word) {
    return format->word == 4 || c->wide || c->letter == 'p' || c->letter == 's' ? word : (uint32_t)word;
}

static int64_t as_signed(const struct psf_format *format, const struct conversion *c, uint64_t word) {
    return format->word == 8 && c->wide ? (int64_t)word : (int32_t)(uint32_t)word;
}

static void set_argument(struct psf_argument *argument, enum psf_argument_type type, int64_t number, bool counts) {
    argument->type = (uint8_t)type;
    argument->number = number;
    argument->counts = counts;
}

// False: no conversion that is known.
static bool put_argument(struct psf_text *text, const struct psf_format *format, const struct conversion *c,
                         struct psf_argument *argument) {
    uint64_t word = used_part(format, c, argument->word);
    char letter = (char)word;
    switch (c->letter) {
    case 'd':
    case 'i':
        set_argument(argument, PSF_SIGNED, as_signed(format, c, word), true);
        put_signed(text, c, argument->number);
        return true;
    case 'u':
        set_argument(argument, PSF_UNSIGNED, (int64_t)word, true);
        put_digits(text, c, "", word, 10);
        return true;
    case 'x':
    case 'X':
        set_argument(argument, PSF_UNSIGNED, (int64_t)word, false);
        put_digits(text, c, c->alternate && word ? (c->letter == 'x' ? "0x" : "0X") : "", word, 16);
        return true;
    case 'p': set_argument(argument, PSF_HEX, 0, false), put_digits(text, c, "0x", word, 16); return true;
    case 'c':
        set_argument(argument, PSF_UNSIGNED, (uint8_t)letter, false), put_padded(text, c, "", &letter, 1);
        return true;
    case 's': set_argument(argument, PSF_STRING, 0, false), put_string(text, c, format, word); return true;
    case 'f':
    case 'g':
    case 'e': set_argument(argument, PSF_HEX, 0, false), put_float(text, c, (uint32_t)word); return true;
    default: return false;
    }
}

static bool is_separator(char c) { return c && strchr(" :=,;(\t\r\n", c); }

// The words between two conversions, without what only separates them.
static void set_label(struct psf_argument *argument, const char *text, size_t from, size_t to) {
    while (to > from && is_separator(text[to - 1])) to--;
    while (to > from && is_separator(text[from])) from++;
    argument->label = (uint16_t)from;
    argument->label_len = (uint16_t)(to - from);
}

void psf_put_formatted(struct psf_text *text, struct psf_format *format) {
    const char *at = format->text;
    size_t words = 0;
    unsigned next = 0;
    for (size_t i = 0; i < format->len;) {
        if (at[i] != '%') {
            psf_put(text, at + i++, 1);
            continue;
        }
        struct conversion c = read_conversion(at + i, format->len - i);
        struct psf_argument *argument = next < format->count ? &format->arguments[next] : NULL;
        if (c.letter == '%') psf_put_words(text, "%");
        else if (!argument || !put_argument(text, format, &c, argument)) psf_put(text, at + i, c.len);
        if (argument && c.letter != '%') {
            set_label(argument, at, words, i);
            next++;
        }
        i += c.len;
        if (c.letter != '%') words = i;
    }
}
