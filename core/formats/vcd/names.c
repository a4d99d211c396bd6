// SPDX-License-Identifier: MIT
//
// Names and texts with escape sequences, names of single bits of a vector, and the selection of signals.
#include "vcd.h"

#include <string.h>

// ---- Escapes -------------------------------------------------------------------------------------

static int hex_digit(uint8_t byte) {
    uint8_t letter = byte | 0x20;
    return byte >= '0' && byte <= '9' ? byte - '0' : letter >= 'a' && letter <= 'f' ? letter - 'a' + 10 : -1;
}

// Reads \x20 or \040 at a backslash into *out_byte. Returns its length; 0: it is no such sequence.
static size_t read_number_escape(const uint8_t *at, size_t len, uint8_t *out_byte) {
    if (len >= 4 && at[1] == 'x' && hex_digit(at[2]) >= 0 && hex_digit(at[3]) >= 0)
        return *out_byte = (uint8_t)(hex_digit(at[2]) << 4 | hex_digit(at[3])), 4;
    for (size_t i = 1; i < 4; i++)
        if (i >= len || at[i] < '0' || at[i] > '7') return 0;
    if (at[1] > '3') return 0;
    return *out_byte = (uint8_t)((at[1] - '0') << 6 | (at[2] - '0') << 3 | (at[3] - '0')), 4;
}

static size_t read_letter_escape(const uint8_t *at, size_t len, uint8_t *out_byte) {
    static const char letters[] = "nrtabfv\\'\"?", bytes[] = "\n\r\t\a\b\f\v\\'\"?";
    const char *found = len >= 2 && at[1] ? strchr(letters, at[1]) : NULL;
    if (!found) return 0;
    return *out_byte = (uint8_t)bytes[found - letters], 2;
}

// Returns true for characters that can be shown; others stay escaped.
static bool is_shown(uint8_t byte) { return byte == '\n' || byte == '\t' || (byte >= 0x20 && byte != 0x7F); }

size_t vcd_unescape(const uint8_t *text, size_t len, bool has_letters, uint8_t *out_text) {
    size_t out_len = 0;
    for (size_t at = 0, step; at < len; at += step) {
        uint8_t byte = text[at];
        step = byte == '\\' ? read_number_escape(text + at, len - at, &byte) : 1;
        if (!step && has_letters) step = read_letter_escape(text + at, len - at, &byte);
        if (!step || !is_shown(byte)) step = 1, byte = text[at];
        out_text[out_len++] = byte;
    }
    return out_len;
}

// Writes the name without escapes. An escaped identifier of Verilog begins with a backslash that is not part of the
// name, and some programs also end it with one.
size_t vcd_unescape_name(struct tk_span name, char *out_name) {
    if (name.len > 1 && name.text[0] == '\\') {
        name.text++, name.len--;
        if (name.len > 1 && name.text[name.len - 1] == '\\') name.len--;
    }
    return vcd_unescape((const uint8_t *)name.text, name.len, false, (uint8_t *)out_name);
}

// ---- Bits ----------------------------------------------------------------------------------------

// Returns the length of "bus" in "bus[3]" and sets the number of the bit; 0: the name is not one of a bit.
uint32_t vcd_bit_of(struct tk_span name, uint32_t *out_bit) {
    uint32_t at = name.len, number = 0, scale = 1, digits = 0;
    if (!at || name.text[--at] != ']') return 0;
    for (; at && name.text[at - 1] >= '0' && name.text[at - 1] <= '9' && digits < 5; at--, scale *= 10, digits++)
        number += (uint32_t)(name.text[at - 1] - '0') * scale;
    if (!digits || at < 2 || name.text[at - 1] != '[') return 0;
    *out_bit = number;
    return at - 1;
}

// ---- The choice of signals -----------------------------------------------------------------------

static size_t put_path(const struct vcd *vcd, struct tk_span name, char *path) {
    size_t len = 0;
    for (uint32_t i = 0; i < vcd->depth; i++) {
        const struct vcd_scope *scope = &vcd->scopes[i + 1];
        memcpy(path + len, scope->name, scope->name_len);
        len += scope->name_len;
        path[len++] = '/';
    }
    memcpy(path + len, name.text, name.len);
    return len + name.len;
}

bool vcd_is_chosen(const struct vcd *vcd, struct tk_span name) {
    char path[VCD_SCOPES * (VCD_WORD_LEN + 1) + VCD_NAME_LEN];
    const char *patterns = vcd->host.option ? vcd->host.option(vcd->host.option_ctx, "signals") : NULL;
    if (!patterns || !*patterns) return true;
    return tk_signal_path_matches(patterns, path, put_path(vcd, name, path));
}
