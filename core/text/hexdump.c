// SPDX-License-Identifier: MIT
#include "hexdump.h"

#include "../base/text.h"

// ---- One row -----------------------------------------------------------------------------------

static size_t skip_blanks(struct tk_span line, size_t at) {
    while (at < line.len && tk_is_space(line.at[at])) at++;
    return at;
}

static size_t count_digits(struct tk_span line, size_t at) {
    size_t from = at;
    while (at < line.len && tk_is_hex_digit(line.at[at])) at++;
    return at - from;
}

static bool has_zero_x(struct tk_span line, size_t at) {
    return at + 2 < line.len && line.at[at] == '0' && (line.at[at + 1] | 0x20) == 'x' &&
           tk_is_hex_digit(line.at[at + 2]);
}

// Skips "<buf+16>", which in C++ may contain blanks and brackets. Returns the position after it, or `at`.
static size_t skip_symbol(struct tk_span line, size_t at) {
    if (at >= line.len || line.at[at] != '<') return at;
    for (size_t i = at; i + 1 < line.len; i++) {
        if (line.at[i] == '>' && line.at[i + 1] == ':') return i + 1;
    }
    return at;
}

// Returns the position after the address; 0 if there is none.
static size_t parse_address(struct tk_span line, struct tk_hexdump_row *row) {
    row->zero_x = has_zero_x(line, 0);
    size_t at = row->zero_x ? 2 : 0;
    row->address.at = line.at + at;
    row->address.len = count_digits(line, at);
    if (row->address.len < (row->zero_x ? 1 : 3) || row->address.len > 16) return 0;
    at += row->address.len;
    row->address_end = (uint16_t)at;
    size_t mark = skip_blanks(line, at);
    size_t after = skip_symbol(line, mark);
    row->symbol = after != mark;
    if (mark <= at + 1 || row->symbol) {
        if (after < line.len && (line.at[after] == ':' || line.at[after] == '=')) {
            row->colon = true;
            at = after + 1;
        }
    }
    return at == line.len || tk_is_space(line.at[at]) ? at : 0;
}

// Returns the length of the group at `at`. If the style has a unit, damaged letters in place of digits count too.
static size_t group_len(struct tk_span line, size_t at, size_t address_end, const struct tk_hexdump_style *style) {
    size_t digits = count_digits(line, at);
    if (!style->unit || digits >= 2u * style->unit) return digits;
    size_t len = digits;
    while (at + len < line.len && len < 2u * style->unit && tk_char_class[line.at[at + len]] <= TK_CH_LETTER &&
           !tk_is_space(line.at[at + len]))
        len++;
    if (len < 2u * style->unit) return digits;
    if (style->text_column && at + len > address_end + style->text_column) return digits;
    return len;
}

static void take_group(struct tk_span line, size_t at, size_t len, struct tk_hexdump_row *row) {
    for (size_t i = 0; i + 1 < len && row->len < TK_HEXDUMP_ROW_MAX; i += 2) {
        uint8_t value[2];
        for (size_t k = 0; k < 2; k++) {
            value[k] = tk_char_class[line.at[at + i + k]];
            if (value[k] < TK_CH_SPACE) continue;
            if (!row->bad++) row->bad_at = (uint16_t)(at + i + k);
            value[k] = 0;
        }
        row->bytes[row->len++] = (uint8_t)(value[0] << 4 | value[1]);
        row->digits += 2;
    }
}

// Returns true if the next group may begin at `at`, after `gap` blanks.
static bool groups_go_on(struct tk_span line, size_t at, size_t gap, const struct tk_hexdump_style *style,
                         struct tk_hexdump_row *row) {
    if (at >= line.len || row->len >= TK_HEXDUMP_ROW_MAX) return false;
    if (line.at[at] == '|' || line.at[at] == '>') return row->bar = true, false;
    if (row->len && !gap) return false;
    if (style->text_column) {
        if (at >= row->address_end + (size_t)style->text_column) return false;
    } else if (row->len && gap >= 3) {
        return false;
    }
    return !style->row_bytes || row->len < style->row_bytes;
}

static bool group_fits(struct tk_span line, size_t at, size_t len, const struct tk_hexdump_style *style,
                       const struct tk_hexdump_row *row) {
    uint8_t unit = style->unit ? style->unit : row->unit;
    if (len < 2 || len & 1 || (unit && len > 2u * unit)) return false;
    uint8_t next = at + len < line.len ? line.at[at + len] : ' ';
    return tk_is_space(next) || next == ',' || ((next == '|' || next == '>') && row->len);
}

// ---- Groups in other radixes than hex -----------------------------------------------------------

// Returns the size in bytes of a number with `len` digits; 0 if no dump tool writes this length.
static uint8_t number_unit(uint8_t radix, size_t len) {
    if (radix == 2) return len == 8;
    if (radix == 10) return len <= 3;
    return len == 3 ? 1 : len == 6 ? 2 : len == 11 ? 4 : len == 22 ? 8 : 0;
}

// Reads `digits` as a number of `unit` bytes. Returns false if it is not one.
static bool parse_number(struct tk_span digits, uint8_t radix, uint8_t unit, uint64_t *out_value) {
    bool negative = radix == 10 && digits.len > 1 && digits.at[0] == '-';
    uint64_t limit = negative ? 128 : unit == 8 ? UINT64_MAX : ((uint64_t)1 << 8 * unit) - 1, value = 0;
    for (size_t i = negative; i < digits.len; i++) {
        uint8_t digit = tk_char_class[digits.at[i]];
        if (digit >= radix || value > (limit - digit) / radix) return false;
        value = value * radix + digit;
    }
    if (radix == 10 && digits.at[negative] == '0' && digits.len > negative + 1u) return false;
    *out_value = negative ? (uint64_t)0 - value : value;
    return digits.len > 0;
}

static void take_number(struct tk_hexdump_row *row, uint64_t value, size_t digits) {
    for (uint8_t i = row->unit; i--;) row->bytes[row->len++] = (uint8_t)(value >> 8 * i);
    row->digits += (uint32_t)digits;
}

// If the style has a unit, a word of the right length that is not a number counts as a damaged one.
static bool take_word(struct tk_hexdump_row *row, const struct tk_hexdump_style *style, struct tk_span word,
                      size_t at) {
    uint64_t value = 0;
    size_t len = word.len - (word.at[0] == '-');
    uint8_t unit = number_unit(style->group_radix, len);
    if (!unit || (row->unit && unit != row->unit)) return false;
    if (!parse_number(word, style->group_radix, unit, &value)) {
        if (style->unit != unit) return false;
        if (!row->bad++) row->bad_at = (uint16_t)at;
    }
    row->unit = unit;
    take_number(row, value, word.len);
    return true;
}

static void parse_numbers(struct tk_span line, size_t at, const struct tk_hexdump_style *style,
                          struct tk_hexdump_row *row) {
    size_t room = style->row_bytes ? style->row_bytes : TK_HEXDUMP_ROW_MAX;
    struct tk_span rest = { line.at + at, line.len - at }, word;
    while (row->len + 8 <= TK_HEXDUMP_ROW_MAX && row->len < room && tk_span_next_word(&rest, &word)) {
        at = (size_t)(word.at - line.at);
        if (!take_word(row, style, word, at)) break;
        at = line.len - rest.len;
    }
    at = skip_blanks(line, at);
    if (at >= line.len || !row->len) return;
    row->text_column = (uint16_t)(at - row->address_end);
    row->text_len = (uint32_t)(line.len - at);
}

static void parse_hex(struct tk_span line, size_t at, const struct tk_hexdump_style *style,
                      struct tk_hexdump_row *row) {
    size_t gap = 1;
    for (;;) {
        size_t from = at;
        at = skip_blanks(line, at);
        gap = at - from;
        if (!row->len) row->wide_gap = gap >= 2;
        if (!groups_go_on(line, at, gap, style, row)) break;
        size_t digits_at = has_zero_x(line, at) ? at + 2 : at;
        size_t len = group_len(line, digits_at, row->address_end, style);
        if (!group_fits(line, digits_at, len, style, row)) break;
        row->groups_zero_x |= digits_at != at;
        if (!row->unit) row->unit = len / 2 > 255 ? 255 : (uint8_t)(len / 2);
        take_group(line, digits_at, len, row);
        at = digits_at + len;
        if (at < line.len && line.at[at] == ',') at++;
        if (len < 2u * row->unit) break; // a shorter group is the last one
    }
    at = skip_blanks(line, at);
    if (at >= line.len || !row->len) return;
    at -= row->address_end;
    row->text_column = at > UINT16_MAX ? UINT16_MAX : (uint16_t)at;
}

static void parse_groups(struct tk_span line, size_t at, const struct tk_hexdump_style *style,
                         struct tk_hexdump_row *row) {
    if (style->group_radix == 16) parse_hex(line, at, style, row);
    else parse_numbers(line, at, style, row);
}

bool tk_hexdump_row_parse(struct tk_span line, const struct tk_hexdump_style *style, struct tk_hexdump_row *out_row) {
    memset(out_row, 0, offsetof(struct tk_hexdump_row, bytes));
    size_t at = parse_address(line, out_row);
    if (!at) return false;
    parse_groups(line, at, style, out_row);
    return out_row->len || skip_blanks(line, at) == line.len;
}

uint64_t tk_hexdump_row_address(const struct tk_hexdump_row *row, uint8_t radix) {
    uint64_t value = 0;
    for (size_t i = 0; i < row->address.len; i++) {
        uint8_t digit = tk_char_class[row->address.at[i]];
        if (digit >= radix) return UINT64_MAX;
        value = value * radix + digit;
    }
    return value;
}

void tk_hexdump_row_swap(uint8_t *bytes, size_t len, uint8_t unit) {
    for (size_t from = 0; from < len; from += unit) {
        size_t size = len - from < unit ? len - from : unit;
        for (size_t i = 0; i < size / 2; i++) {
            uint8_t keep = bytes[from + i];
            bytes[from + i] = bytes[from + size - 1 - i];
            bytes[from + size - 1 - i] = keep;
        }
    }
}

// ---- All rows ----------------------------------------------------------------------------------

void tk_hexdump_init(struct tk_hexdump *rows, const struct tk_hexdump_style *style) {
    memset(rows, 0, sizeof *rows);
    rows->style = *style;
}

static void emit_deferred(struct tk_hexdump *rows, struct tk_text_output *decoded, size_t len) {
    if (!len) return;
    tk_text_output_mark(decoded, tk_text_output_offset(decoded), rows->deferred_line);
    tk_text_output_bytes(decoded, rows->deferred, len);
    tk_text_output_make_room(decoded);
}

static void note_jump(const struct tk_hexdump *rows, struct tk_text_output *decoded, uint64_t address) {
    struct tk_text sentence;
    if (!tk_text_output_note(decoded, decoded->line, &sentence)) return;
    tk_text_add(&sentence, "line ");
    tk_text_u64(&sentence, decoded->line);
    uint64_t expected = rows->deferred_address + rows->deferred_len;
    tk_text_add(&sentence,
                address > expected ? ": bytes are missing, the offsets jump from " : ": the offsets jump back from ");
    tk_text_hex(&sentence, expected, 1);
    tk_text_add(&sentence, " to ");
    tk_text_hex(&sentence, address, 1);
}

static void repeat_deferred(struct tk_hexdump *rows, struct tk_text_output *decoded, uint64_t total) {
    tk_text_output_mark(decoded, tk_text_output_offset(decoded), rows->star_line);
    if (tk_text_output_repeat(decoded, rows->deferred, rows->deferred_len, total)) return;
    struct tk_text sentence;
    if (!tk_text_output_note(decoded, rows->star_line, &sentence)) return;
    tk_text_add(&sentence, "line ");
    tk_text_u64(&sentence, rows->star_line);
    tk_text_add(&sentence, ": '*' stands for more bytes than Tonkopf accepts");
}

// Emits the deferred row, which a row at `address` follows: only the bytes before that address, with repetitions if a
// "*" stands between them.
static void emit_before_address(struct tk_hexdump *rows, struct tk_text_output *decoded, uint64_t address) {
    uint64_t step = address - rows->deferred_address;
    if (!rows->deferred_len) return;
    if (step && step < rows->deferred_len) {
        emit_deferred(rows, decoded, (size_t)step);
    } else {
        emit_deferred(rows, decoded, rows->deferred_len);
        if (rows->star && address > rows->deferred_address) repeat_deferred(rows, decoded, step - rows->deferred_len);
        else if (step != rows->deferred_len) note_jump(rows, decoded, address);
    }
    rows->deferred_len = 0;
}

static void defer_row(struct tk_hexdump *rows, struct tk_text_output *decoded, const struct tk_hexdump_row *row) {
    memcpy(rows->deferred, row->bytes, row->len);
    if (rows->style.swap && rows->style.unit) tk_hexdump_row_swap(rows->deferred, row->len, rows->style.unit);
    rows->deferred_len = row->len;
    rows->deferred_line = decoded->line;
    rows->star = false;
}

// Reads a row with a damaged address; its address follows from the row before.
static bool parse_damaged(const struct tk_hexdump *rows, struct tk_span line, struct tk_hexdump_row *row) {
    struct tk_span rest = line, word;
    if (!tk_span_next_word(&rest, &word)) return false;
    bool colon = word.at[word.len - 1] == ':';
    if (word.len - colon != rows->style.address_len || !tk_is_space(*rest.at)) return false;
    memset(row, 0, offsetof(struct tk_hexdump_row, bytes));
    row->address_end = (uint16_t)(word.len - colon);
    parse_groups(line, word.len, &rows->style, row);
    return row->len > 0;
}

static void complain(const struct tk_hexdump *rows, struct tk_text_output *decoded, struct tk_span line,
                     const struct tk_hexdump_row *row, uint64_t first_column) {
    if (!row->bad) return;
    const char *complaint = rows->style.group_radix == 16 ? " is no hex digit" : " begins an invalid number";
    tk_text_output_bad(decoded, first_column + row->bad_at, line.at[row->bad_at], complaint);
    decoded->result.bad += row->bad - 1;
}

// A row without a usable address follows directly after the row before.
static void take_row(struct tk_hexdump *rows, struct tk_text_output *decoded, const struct tk_hexdump_row *row) {
    uint64_t address =
        rows->style.radix && row->address.len ? tk_hexdump_row_address(row, rows->style.radix) : UINT64_MAX;
    if (address == UINT64_MAX) address = rows->deferred_address + rows->deferred_len;
    emit_before_address(rows, decoded, address);
    defer_row(rows, decoded, row);
    rows->deferred_address = address;
}

void tk_hexdump_line(struct tk_hexdump *rows, struct tk_text_output *decoded, struct tk_span line,
                     uint64_t first_column) {
    struct tk_hexdump_row row;
    uint64_t nonblank = tk_count_nonblank(line.at, line.len);
    if (line.len == 1 && line.at[0] == '*') {
        rows->star = rows->deferred_len > 0;
        rows->star_line = decoded->line;
    } else if (tk_hexdump_row_parse(line, &rows->style, &row) || parse_damaged(rows, line, &row)) {
        take_row(rows, decoded, &row);
        complain(rows, decoded, line, &row, first_column);
        nonblank -= nonblank < row.digits ? nonblank : row.digits;
    }
    decoded->result.ignored += nonblank;
}

void tk_hexdump_end(struct tk_hexdump *rows, struct tk_text_output *decoded) {
    emit_deferred(rows, decoded, rows->deferred_len);
    rows->deferred_len = 0;
    rows->star = false;
}
