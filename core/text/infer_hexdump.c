// SPDX-License-Identifier: MIT
#include "infer.h"

enum { RADIXES = 3 };
static const uint8_t radixes[RADIXES] = { 16, 8, 10 };

struct votes {
    uint64_t nonblank_rows, nonblank_other;
    uint32_t rows; // rows with data
    uint32_t colons, zero_x, groups_zero_x, bars, bytewise, wide_gaps;
    uint32_t pairs;            // pairs of a row and the next address
    uint32_t counted[RADIXES]; // pairs whose distance is the number of bytes in the row
    uint32_t within[RADIXES];  // pairs whose distance is smaller: the reader took the ASCII column for data
    uint32_t ascending;
    uint32_t row_bytes, longest;
    uint8_t unit, address_len;
    uint32_t texts; // rows whose text after the data has one character per byte
    // The last row.
    bool any;
    uint32_t len;
    uint64_t address[RADIXES];
};

static void vote_pair(struct votes *votes, const struct tk_hexdump_row *row, bool star) {
    votes->pairs++;
    uint64_t hex = tk_hexdump_row_address(row, 16);
    votes->ascending += hex >= votes->address[0];
    for (int i = 0; i < RADIXES; i++) {
        uint64_t address = tk_hexdump_row_address(row, radixes[i]);
        uint64_t step = address - votes->address[i];
        if (address == UINT64_MAX || votes->address[i] == UINT64_MAX || address <= votes->address[i]) continue;
        bool exact = step == votes->len || (star && step > votes->len && step % votes->len == 0);
        votes->counted[i] += exact;
        votes->within[i] += !exact && step < votes->len;
        if (!exact && !star && step < votes->len && !votes->row_bytes) votes->row_bytes = (uint32_t)step;
        if (exact && !star && votes->len > votes->row_bytes) votes->row_bytes = votes->len;
    }
}

static void vote(struct votes *votes, const struct tk_hexdump_row *row, bool star) {
    if (votes->any && votes->len) vote_pair(votes, row, star);
    votes->any = true;
    votes->len = row->len;
    for (int i = 0; i < RADIXES; i++) votes->address[i] = tk_hexdump_row_address(row, radixes[i]);
    if (!row->len) return;
    votes->rows++;
    votes->colons += row->colon;
    votes->zero_x += row->zero_x;
    votes->groups_zero_x += row->groups_zero_x;
    votes->bars += row->bar;
    votes->bytewise += row->unit == 1;
    votes->wide_gaps += row->wide_gap;
    if (row->len > votes->longest) votes->longest = row->len;
    votes->texts += row->text_len == row->len;
    if (!votes->unit) votes->unit = row->unit;
    if (!votes->address_len) votes->address_len = (uint8_t)row->address.len;
}

static bool is_star(struct tk_span line) { return line.len == 1 && line.at[0] == '*'; }

static void count_rows(struct tk_span text, const struct tk_layout *layout, uint8_t group_radix, struct votes *votes) {
    const struct tk_hexdump_style unknown = { .group_radix = group_radix };
    struct tk_span line;
    struct tk_hexdump_row row;
    bool star = false;
    for (uint32_t lines = 0; lines < TK_INFER_LINES && tk_infer_next(layout, &text, &line, &votes->nonblank_other);
         lines++) {
        if (is_star(line)) {
            star = true;
            continue;
        }
        uint64_t nonblank = tk_count_nonblank(line.at, line.len);
        if (tk_hexdump_row_parse(line, &unknown, &row)) {
            vote(votes, &row, star);
            votes->nonblank_rows += nonblank;
        } else {
            votes->nonblank_other += nonblank;
        }
        star = false;
    }
}

static int best_radix(const struct votes *votes) {
    int best = 0;
    for (int i = 1; i < RADIXES; i++) {
        if (votes->counted[i] > votes->counted[best]) best = i;
    }
    return best;
}

static bool has_rows(const struct votes *votes) {
    return votes->rows && votes->nonblank_rows * 5 >= (votes->nonblank_rows + votes->nonblank_other) * 2;
}

// Returns true for a dump. An address without a colon looks like data, so it needs other evidence.
static bool is_dump(const struct votes *votes, int radix) {
    if (!has_rows(votes)) return false;
    if (votes->colons * 2 > votes->rows) return true;
    if (votes->counted[radix] && votes->counted[radix] * 2 >= votes->pairs) return true;
    if (votes->address_len == 7) return true; // hexdump and od; seven digits are not whole bytes
    if (votes->bytewise < votes->rows || votes->address_len < 4) return false;
    if (votes->bars == votes->rows || (votes->address_len >= 6 && votes->wide_gaps == votes->rows)) return true;
    return votes->ascending >= 2 && votes->ascending + 1 >= votes->pairs; // otherwise a column of times; the last line
                                                                          // may be cut
}

// ---- The ASCII column, which also shows the byte order of a group -------------------------------

struct text_votes {
    uint32_t column;
    uint32_t rows, forward, backward; // characters that match the data, in both byte orders
};

static uint32_t agreement(const uint8_t *bytes, size_t len, struct tk_span text) {
    uint32_t agree = 0;
    for (size_t i = 0; i < len && i < text.len; i++)
        agree += bytes[i] > ' ' && bytes[i] < 0x7F && bytes[i] == text.at[i];
    return agree;
}

static void vote_text(struct text_votes *votes, struct tk_span line, struct tk_hexdump_row *row, uint8_t unit) {
    votes->rows++;
    if (!votes->column || row->text_column < votes->column) votes->column = row->text_column;
    size_t from = (size_t)row->address_end + row->text_column;
    struct tk_span text = { line.at + from, line.len - from };
    if (text.at[0] == '|' || text.at[0] == '>') text.at++, text.len--;
    votes->forward += agreement(row->bytes, row->len, text);
    tk_hexdump_row_swap(row->bytes, row->len, unit);
    votes->backward += agreement(row->bytes, row->len, text);
}

static void count_text(struct tk_span text, const struct tk_layout *layout, const struct tk_hexdump_style *style,
                       struct text_votes *votes) {
    struct tk_span line;
    struct tk_hexdump_row row;
    uint64_t other = 0;
    for (uint32_t lines = 0; lines < TK_INFER_LINES && tk_infer_next(layout, &text, &line, &other); lines++) {
        if (!tk_hexdump_row_parse(line, style, &row) || row.len != style->row_bytes || !row.text_column) continue;
        vote_text(votes, line, &row, style->unit);
    }
}

static bool is_number_unit(uint8_t unit) { return unit == 2 || unit == 4 || unit == 8; }

static bool infer_hex_rows(struct tk_span text, const struct votes *votes, struct tk_layout *layout) {
    int radix = best_radix(votes);
    if (!is_dump(votes, radix)) return false;
    bool counts = !votes->pairs || (votes->counted[radix] + votes->within[radix]) * 2 >= votes->pairs;
    bool number = votes->groups_zero_x || votes->zero_x || !votes->colons;
    struct tk_hexdump_style style = { .row_bytes = (uint16_t)(votes->row_bytes ? votes->row_bytes : votes->longest),
                                      .unit = votes->unit,
                                      .address_len = votes->address_len,
                                      .radix = counts ? radixes[radix] : 0,
                                      .group_radix = 16,
                                      .swap = number && is_number_unit(votes->unit) };
    struct text_votes text_votes = { 0 };
    count_text(text, layout, &style, &text_votes);
    style.text_column = text_votes.column > UINT16_MAX ? 0 : (uint16_t)text_votes.column;
    if (is_number_unit(votes->unit) && text_votes.forward != text_votes.backward)
        style.swap = text_votes.backward > text_votes.forward;
    if (!counts) style.row_bytes = 0;
    layout->body = TK_BODY_HEXDUMP;
    layout->rows = style;
    return true;
}

// Returns true for a dump in a smaller radix, whose digits are also valid hex: only the distances of the addresses
// distinguish them. A single row has no distance: then binary digits need an ASCII column, and decimal digits need an
// address with a colon and groups of one or three digits.
static bool is_number_dump(const struct votes *votes, const struct votes *hex, uint8_t group_radix) {
    uint32_t counted = votes->counted[best_radix(votes)];
    if (!has_rows(votes)) return false;
    if (votes->pairs) return counted * 2 >= votes->pairs && counted > hex->counted[best_radix(hex)];
    if (group_radix == 2) return votes->texts == votes->rows;
    return group_radix == 10 && votes->colons == votes->rows && !hex->rows && votes->longest >= 4;
}

static bool infer_number_rows(const struct votes *votes, uint8_t group_radix, struct tk_layout *layout) {
    layout->body = TK_BODY_HEXDUMP;
    layout->rows =
        (struct tk_hexdump_style){ .row_bytes = (uint16_t)(votes->row_bytes ? votes->row_bytes : votes->longest),
                                   .unit = votes->unit,
                                   .address_len = votes->address_len,
                                   .radix = radixes[best_radix(votes)],
                                   .group_radix = group_radix,
                                   .swap = is_number_unit(votes->unit) };
    return true;
}

bool tk_infer_hexdump(struct tk_span text, struct tk_layout *layout) {
    static const uint8_t others[] = { 2, 8, 10 };
    struct votes hex = { 0 };
    count_rows(text, layout, 16, &hex);
    for (size_t i = 0; i < sizeof others; i++) {
        struct votes votes = { 0 };
        count_rows(text, layout, others[i], &votes);
        if (is_number_dump(&votes, &hex, others[i])) return infer_number_rows(&votes, others[i], layout);
    }
    return infer_hex_rows(text, &hex, layout);
}
