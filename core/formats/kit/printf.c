// SPDX-License-Identifier: MIT
#include "printf.h"

#include <string.h>

#include "../../base/decimal.h"

// ---- One conversion of a format ----------------------------------------------------------------

enum { WIDEST = 64 };

struct conversion {
    char letter;                                   // 0: the format ends inside the conversion
    bool left, zero, plus, space, alternate, wide; // wide: takes a whole word of a 64-bit target
    unsigned width;
    size_t len; // of the conversion in the format, from the percent sign on
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
    for (; at < len && (text[at] == '.' || (text[at] >= '0' && text[at] <= '9')); at++) {} // the precision is ignored
    for (; at < len && text[at] && strchr("hlzjt", text[at]); at++) c.wide = c.wide || text[at] != 'h';
    if (c.width > WIDEST) c.width = WIDEST;
    c.letter = at < len ? text[at] : 0;
    c.len = at < len ? at + 1 : len;
    return c;
}

// Appends a sign or prefix and the digits, padded to the width.
static void put_padded(struct tk_text *text, const struct conversion *c, const char *prefix, const char *body,
                       size_t len) {
    size_t whole = strlen(prefix) + len, fill = c->width > whole ? c->width - whole : 0;
    bool zeros = c->zero && !c->left;
    if (!c->left && !zeros) tk_text_fill(text, ' ', fill);
    tk_text_add(text, prefix);
    if (zeros) tk_text_fill(text, '0', fill);
    tk_text_put(text, body, len);
    if (c->left) tk_text_fill(text, ' ', fill);
}

static void put_digits(struct tk_text *text, const struct conversion *c, const char *prefix, uint64_t number,
                       unsigned base) {
    char digits[TK_DECIMAL_LEN];
    size_t len = c->letter == 'X' ? tk_capital_hex(number, 1, digits) : tk_digits(number, base, 1, digits);
    put_padded(text, c, prefix, digits, len);
}

static void put_signed(struct tk_text *text, const struct conversion *c, int64_t number) {
    const char *sign = number < 0 ? "-" : c->plus ? "+" : c->space ? " " : "";
    put_digits(text, c, sign, number < 0 ? 0 - (uint64_t)number : (uint64_t)number, 10);
}

// Appends a float with six decimal places, as printf does; a huge one with its significant digits only.
static void put_float(struct tk_text *text, const struct conversion *c, uint32_t bits) {
    char body[TK_DOUBLE_LEN + TK_DECIMAL_LEN];
    float number;
    memcpy(&number, &bits, sizeof number);
    double value = (double)number, size = value < 0 ? -value : value;
    const char *sign = bits >> 31 ? "-" : c->plus ? "+" : c->space ? " " : "";
    if (size - size != 0) {
        put_padded(text, c, sign, size != size ? "nan" : "inf", 3);
    } else if (size >= 1e12) {
        put_padded(text, c, sign, body, tk_double_text(size, body));
    } else {
        uint64_t millionths = (uint64_t)(size * 1e6 + 0.5);
        size_t len = tk_decimal(millionths / 1000000, body);
        body[len++] = '.';
        put_padded(text, c, sign, body, len + tk_digits(millionths % 1000000, 10, 6, body + len));
    }
}

static void put_string(struct tk_text *text, const struct conversion *c, const struct tk_printf *format,
                       uint64_t address) {
    size_t len = 0;
    const char *string = format->string ? format->string(format->ctx, address, &len) : NULL;
    if (string) {
        put_padded(text, c, "", string, len);
        return;
    }
    tk_text_add(text, "<");
    tk_text_hex(text, address, 1);
    tk_text_add(text, ">");
}

// ---- A whole format ----------------------------------------------------------------------------

// Returns the bits of the word that the conversion uses; the bits above them are arbitrary.
static uint64_t used_part(const struct tk_printf *format, const struct conversion *c, uint64_t word) {
    return format->word == 4 || c->wide || c->letter == 'p' || c->letter == 's' ? word : (uint32_t)word;
}

static int64_t as_signed(const struct tk_printf *format, const struct conversion *c, uint64_t word) {
    return format->word == 8 && c->wide ? (int64_t)word : (int32_t)(uint32_t)word;
}

static void set_argument(struct tk_printf_argument *argument, enum tk_printf_type type, int64_t number, bool counts) {
    argument->type = (uint8_t)type;
    argument->number = number;
    argument->counts = counts;
}

// Returns false for an unknown conversion.
static bool put_argument(struct tk_text *text, const struct tk_printf *format, const struct conversion *c,
                         struct tk_printf_argument *argument) {
    uint64_t word = used_part(format, c, argument->word);
    char letter = (char)word;
    switch (c->letter) {
    case 'd':
    case 'i':
        set_argument(argument, TK_PRINTF_SIGNED, as_signed(format, c, word), true);
        put_signed(text, c, argument->number);
        return true;
    case 'u':
        set_argument(argument, TK_PRINTF_UNSIGNED, (int64_t)word, true);
        put_digits(text, c, "", word, 10);
        return true;
    case 'x':
    case 'X':
        set_argument(argument, TK_PRINTF_UNSIGNED, (int64_t)word, false);
        put_digits(text, c, c->alternate && word ? (c->letter == 'x' ? "0x" : "0X") : "", word, 16);
        return true;
    case 'p': set_argument(argument, TK_PRINTF_HEX, 0, false), put_digits(text, c, "0x", word, 16); return true;
    case 'c':
        set_argument(argument, TK_PRINTF_UNSIGNED, (uint8_t)letter, false), put_padded(text, c, "", &letter, 1);
        return true;
    case 's': set_argument(argument, TK_PRINTF_STRING, 0, false), put_string(text, c, format, word); return true;
    case 'f':
    case 'g':
    case 'e': set_argument(argument, TK_PRINTF_HEX, 0, false), put_float(text, c, (uint32_t)word); return true;
    default: return false;
    }
}

static bool is_separator(char c) { return c && strchr(" :=,;(\t\r\n", c); }

// Sets the label to the text between two conversions, without separators at its ends.
static void set_label(struct tk_printf_argument *argument, const char *text, size_t from, size_t to) {
    while (to > from && is_separator(text[to - 1])) to--;
    while (to > from && is_separator(text[from])) from++;
    argument->label = (uint16_t)from;
    argument->label_len = (uint16_t)(to - from);
}

void tk_printf_put(struct tk_text *text, struct tk_printf *format) {
    const char *at = format->text;
    size_t words = 0;
    unsigned next = 0;
    for (size_t i = 0; i < format->len;) {
        const char *percent = memchr(at + i, '%', format->len - i);
        size_t plain = percent ? (size_t)(percent - at) - i : format->len - i;
        tk_text_put(text, at + i, plain);
        if ((i += plain) == format->len) break;
        struct conversion c = read_conversion(at + i, format->len - i);
        struct tk_printf_argument *argument = next < format->count ? &format->arguments[next] : NULL;
        if (c.letter == '%') tk_text_add(text, "%");
        else if (!argument || !put_argument(text, format, &c, argument)) tk_text_put(text, at + i, c.len);
        if (argument && c.letter != '%') {
            set_label(argument, at, words, i);
            next++;
        }
        i += c.len;
        if (c.letter != '%') words = i;
    }
}
