// SPDX-License-Identifier: MIT
#include "hex.h"

static void init_bodies(struct tk_hex *hex) {
    tk_hex_digits_init(&hex->plain, &hex->layout.plain);
    tk_hexdump_init(&hex->rows, &hex->layout.rows);
    tk_numbers_init(&hex->numbers, &hex->layout.numbers);
    tk_escaped_init(&hex->escaped, &hex->layout.escaped);
    hex->records = (struct tk_hex_records){ 0 };
}

void tk_hex_init(struct tk_hex *hex, const struct tk_layout *layout) {
    hex->layout = *layout;
    init_bodies(hex);
}

static void ignore(struct tk_text_output *decoded, struct tk_span line) {
    decoded->result.ignored += tk_count_nonblank(line.at, line.len);
}

// Reads a line of a dump or a record. Skips a line that is too long to arrive whole.
static void read_whole(struct tk_hex *hex, struct tk_text_output *decoded, struct tk_span line, uint64_t first_column,
                       bool whole) {
    struct tk_span body = tk_span_trim(line);
    if (!whole) ignore(decoded, line);
    else if (hex->layout.body == TK_BODY_HEX_RECORDS) tk_hex_records_line(&hex->records, decoded, body);
    else tk_hexdump_line(&hex->rows, decoded, body, first_column + (uint64_t)(body.at - line.at));
}

void tk_hex_line(struct tk_hex *hex, struct tk_text_output *decoded, struct tk_span line, uint64_t first_column,
                 bool first, bool last) {
    if (first) hex->skipping = false;
    if (hex->layout.tag_len && first) {
        struct tk_span body = line;
        hex->skipping = !tk_layout_after_prefix(&hex->layout, line, &body);
        size_t before = (size_t)(body.at - line.at);
        ignore(decoded, (struct tk_span){ line.at, before });
        line = body;
        first_column += before;
    }
    if (hex->skipping) {
        ignore(decoded, line);
        return;
    }
    if (hex->layout.body != TK_BODY_HEXDUMP)
        tk_text_output_mark(decoded, tk_text_output_offset(decoded), decoded->line);
    switch (hex->layout.body) {
    case TK_BODY_NUMBERS: tk_numbers_line(&hex->numbers, decoded, line, first_column, last); break;
    case TK_BODY_ESCAPED: tk_escaped_line(&hex->escaped, decoded, line, first_column, first, last); break;
    case TK_BODY_HEXDUMP:
    case TK_BODY_HEX_RECORDS: read_whole(hex, decoded, line, first_column, first && last); break;
    default: tk_hex_digits_line(&hex->plain, decoded, line, first_column, first, last);
    }
}

void tk_hex_end(struct tk_hex *hex, struct tk_text_output *decoded) {
    tk_hex_digits_end(&hex->plain, decoded);
    tk_hexdump_end(&hex->rows, decoded);
    tk_numbers_end(&hex->numbers, decoded);
    init_bodies(hex);
}
