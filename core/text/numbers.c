// SPDX-License-Identifier: MIT
#include "numbers.h"

#include "../base/text.h"

void tk_numbers_init(struct tk_numbers *numbers, const struct tk_number_style *style) {
    memset(numbers, 0, sizeof *numbers);
    numbers->style = *style;
}

// ---- End of a number ---------------------------------------------------------------------------

static bool counts(const struct tk_numbers *numbers) { return numbers->depth || !numbers->style.braced; }

static void emit(struct tk_numbers *numbers, struct tk_text_output *decoded) {
    uint8_t len = (uint8_t)((numbers->digits + 1) / 2);
    if (len < numbers->style.unit) len = numbers->style.unit;
    if (len > 8) len = 8;
    for (uint8_t i = 0; i < len; i++) numbers->last[i] = (uint8_t)(numbers->value >> 8 * i);
    numbers->last_len = len;
    tk_text_output_bytes(decoded, numbers->last, len);
}

static uint32_t hex_len(uint64_t value) {
    uint32_t digits = 1;
    while (value >>= 4) digits++;
    return digits;
}

static void complain(const struct tk_numbers *numbers, struct tk_text_output *decoded, const char *text) {
    tk_text_output_bad(decoded, numbers->word_column, numbers->word_char, text);
}

// Emits a decimal number; an invalid one becomes 0, so that the following bytes stay in place.
static void emit_decimal(struct tk_numbers *numbers, struct tk_text_output *decoded) {
    uint64_t limit = numbers->style.unit != 1 ? UINT64_MAX : numbers->negative ? 128 : 255;
    if (numbers->is_bad_word) complain(numbers, decoded, " is no digit of this list");
    else if (numbers->value > limit) complain(numbers, decoded, " begins a number that is not a byte");
    if (numbers->is_bad_word || numbers->value > limit) numbers->value = 0;
    numbers->digits = hex_len(numbers->value);
    if (numbers->negative) numbers->value = 0 - numbers->value;
    emit(numbers, decoded);
}

static void end_number(struct tk_numbers *numbers, struct tk_text_output *decoded) {
    bool hex = numbers->state == TK_NUM_HEX;
    bool decimal = numbers->state == TK_NUM_ZERO || numbers->state == TK_NUM_DECIMAL;
    numbers->state = TK_NUM_IDLE;
    if (!counts(numbers) || (!hex && !(decimal && (numbers->depth || numbers->style.list_radix)))) return;
    if (numbers->is_bad_word && !numbers->any_digit) return; // a word without digits
    if (decimal) {
        emit_decimal(numbers, decoded);
    } else if (!numbers->style.unit) {
        if (numbers->digits & 1) tk_text_output_byte(decoded, numbers->digit);
    } else {
        emit(numbers, decoded);
    }
}

static void end_repeat(struct tk_numbers *numbers, struct tk_text_output *decoded) {
    numbers->state = TK_NUM_IDLE;
    if (!counts(numbers) || !numbers->last_len || numbers->value < 2) return;
    struct tk_text sentence;
    bool fits =
        tk_text_output_repeat(decoded, numbers->last, numbers->last_len, (numbers->value - 1) * numbers->last_len);
    if (fits || !tk_text_output_note(decoded, decoded->line, &sentence)) return;
    tk_text_add(&sentence, "line ");
    tk_text_u64(&sentence, decoded->line);
    tk_text_add(&sentence, ": <repeats> stands for more bytes than Tonkopf accepts");
}

// ---- One character -----------------------------------------------------------------------------

static void take_hex(struct tk_numbers *numbers, struct tk_text_output *decoded, uint8_t digit) {
    numbers->value = numbers->value << 4 | digit;
    numbers->digits++;
    if (numbers->style.unit || !counts(numbers)) return;
    if (numbers->digits & 1) numbers->digit = digit;
    else tk_text_output_byte(decoded, (uint8_t)(numbers->digit << 4 | digit));
}

static void close_brace(struct tk_numbers *numbers, struct tk_text_output *decoded) {
    if (!numbers->depth) return;
    if (--numbers->depth || !numbers->style.braced) return;
    tk_text_output_end(decoded);
    decoded->title_len = 0;
    numbers->last_len = 0;
}

static void open_brace(struct tk_numbers *numbers, struct tk_text_output *decoded) {
    if (numbers->depth++ || !numbers->style.braced) return;
    memcpy(decoded->title, numbers->name, numbers->name_len);
    decoded->title_len = numbers->name_len;
}

static void begin_name(struct tk_numbers *numbers, uint8_t c) {
    numbers->state = TK_NUM_WORD;
    if (numbers->depth) return;
    numbers->name_len = 1;
    numbers->name[0] = (char)c;
}

static bool is_word_char(uint8_t c) { return c == '_' || (tk_char_class[c] <= TK_CH_LETTER && !tk_is_space(c)); }

static void mark_bad_word(struct tk_numbers *numbers, uint8_t c) {
    if (!numbers->is_bad_word) numbers->word_column = numbers->column, numbers->word_char = c;
    numbers->is_bad_word = true;
}

// Takes a character of a number in a list; tolerates damaged characters.
static void take_list_char(struct tk_numbers *numbers, uint8_t c) {
    uint8_t digit = tk_char_class[c];
    numbers->state = TK_NUM_DECIMAL;
    numbers->any_digit |= digit < 10;
    if (digit >= numbers->style.list_radix) mark_bad_word(numbers, c);
    else numbers->value = numbers->value < UINT32_MAX ? numbers->value * numbers->style.list_radix + digit : UINT32_MAX;
}

static void begin_number(struct tk_numbers *numbers, uint8_t c) {
    numbers->state = c == '0' ? TK_NUM_ZERO : TK_NUM_DECIMAL;
    numbers->value = tk_char_class[c];
}

static void take_punctuation(struct tk_numbers *numbers, struct tk_text_output *decoded, uint8_t c) {
    decoded->result.ignored += !tk_is_space(c);
    numbers->negative = c == '-';
    if (c == '/') numbers->state = TK_NUM_SLASH;
    else if (c == '#' && numbers->style.list_radix) numbers->state = TK_NUM_LINE_COMMENT;
    else if (c == '<' && numbers->depth) numbers->state = TK_NUM_ANGLE;
    else if (c == '.' && numbers->depth) numbers->state = TK_NUM_DOT;
    else if (c == numbers->style.open) open_brace(numbers, decoded);
    else if (c == numbers->style.close) close_brace(numbers, decoded);
}

static void take_idle(struct tk_numbers *numbers, struct tk_text_output *decoded, uint8_t c) {
    numbers->value = numbers->digits = 0;
    numbers->is_bad_word = numbers->any_digit = false;
    if (!is_word_char(c)) {
        take_punctuation(numbers, decoded, c);
        return;
    }
    numbers->word_column = numbers->column;
    numbers->word_char = c;
    if (numbers->style.list_radix) take_list_char(numbers, c);
    else if (tk_char_class[c] < 10) begin_number(numbers, c);
    else {
        decoded->result.ignored++;
        begin_name(numbers, c);
    }
}

static void take_word(struct tk_numbers *numbers, struct tk_text_output *decoded, uint8_t c) {
    uint8_t kind = tk_char_class[c];
    if (c != '_' && kind != TK_CH_LETTER && kind >= TK_CH_SPACE) {
        numbers->state = TK_NUM_IDLE;
        take_idle(numbers, decoded, c);
        return;
    }
    decoded->result.ignored++;
    if (!numbers->depth && numbers->name_len < TK_TITLE_LEN) numbers->name[numbers->name_len++] = (char)c;
}

// Takes a character while a number is being read. Processes the character that ends the number again.
static void take_number(struct tk_numbers *numbers, struct tk_text_output *decoded, uint8_t c) {
    uint8_t kind = tk_char_class[c];
    bool hex = numbers->state == TK_NUM_HEX;
    if (numbers->style.list_radix && is_word_char(c)) {
        take_list_char(numbers, c);
    } else if (numbers->state == TK_NUM_ZERO && (c | 0x20) == 'x') {
        numbers->state = TK_NUM_HEX;
        numbers->value = 0;
    } else if (hex && kind < TK_CH_SPACE) {
        take_hex(numbers, decoded, kind);
    } else if (!hex && kind < 10) {
        numbers->state = TK_NUM_DECIMAL;
        numbers->value = numbers->value < UINT32_MAX ? numbers->value * 10 + kind : UINT32_MAX;
    } else if ((c | 0x20) == 'u' || (c | 0x20) == 'l' || c == '_' ||
               (!hex && kind < TK_CH_PUNCT && kind != TK_CH_SPACE)) {
        end_number(numbers, decoded);
        numbers->state = TK_NUM_WORD; // skips the suffix and the rest of the word
    } else if (hex && kind == TK_CH_LETTER) {
        if (counts(numbers)) tk_text_output_bad(decoded, numbers->column, c, " is no hex digit");
        take_hex(numbers, decoded, 0);
    } else {
        end_number(numbers, decoded);
        take_idle(numbers, decoded, c);
    }
}

static void take_angle(struct tk_numbers *numbers, struct tk_text_output *decoded, uint8_t c) {
    decoded->result.ignored += !tk_is_space(c);
    if (c == '>') end_repeat(numbers, decoded);
    else if (tk_char_class[c] < 10 && numbers->value < UINT32_MAX)
        numbers->value = numbers->value * 10 + tk_char_class[c];
}

static void take_slash(struct tk_numbers *numbers, struct tk_text_output *decoded, uint8_t c) {
    numbers->state = c == '/' ? TK_NUM_LINE_COMMENT : c == '*' ? TK_NUM_BLOCK_COMMENT : TK_NUM_IDLE;
    if (numbers->state == TK_NUM_IDLE) take_idle(numbers, decoded, c);
    else decoded->result.ignored++;
}

static void take_comment(struct tk_numbers *numbers, struct tk_text_output *decoded, uint8_t c) {
    decoded->result.ignored += !tk_is_space(c);
    if (numbers->state == TK_NUM_LINE_COMMENT) return;
    if (numbers->state == TK_NUM_BLOCK_STAR && c == '/') numbers->state = TK_NUM_IDLE;
    else numbers->state = c == '*' ? TK_NUM_BLOCK_STAR : TK_NUM_BLOCK_COMMENT;
}

// Recognises "...", which Node and gdb write for omitted bytes.
static void take_dot(struct tk_numbers *numbers, struct tk_text_output *decoded, uint8_t c) {
    struct tk_text sentence;
    if (c != '.') {
        numbers->state = TK_NUM_IDLE;
        take_idle(numbers, decoded, c);
        return;
    }
    numbers->state = TK_NUM_CUT;
    if (!tk_text_output_note(decoded, decoded->line, &sentence)) return;
    tk_text_add(&sentence, "line ");
    tk_text_u64(&sentence, decoded->line);
    tk_text_add(&sentence, ": '...' stands for bytes that were not printed");
}

static void take_cut(struct tk_numbers *numbers, struct tk_text_output *decoded, uint8_t c) {
    if (c != numbers->style.close) {
        decoded->result.ignored += !tk_is_space(c);
        return;
    }
    numbers->state = TK_NUM_IDLE;
    take_idle(numbers, decoded, c);
}

static void take(struct tk_numbers *numbers, struct tk_text_output *decoded, uint8_t c, uint64_t column) {
    numbers->column = column;
    switch (numbers->state) {
    case TK_NUM_IDLE: take_idle(numbers, decoded, c); break;
    case TK_NUM_WORD: take_word(numbers, decoded, c); break;
    case TK_NUM_ANGLE: take_angle(numbers, decoded, c); break;
    case TK_NUM_SLASH: take_slash(numbers, decoded, c); break;
    case TK_NUM_LINE_COMMENT:
    case TK_NUM_BLOCK_COMMENT:
    case TK_NUM_BLOCK_STAR: take_comment(numbers, decoded, c); break;
    case TK_NUM_DOT: take_dot(numbers, decoded, c); break;
    case TK_NUM_CUT: take_cut(numbers, decoded, c); break;
    default: take_number(numbers, decoded, c);
    }
}

void tk_numbers_line(struct tk_numbers *numbers, struct tk_text_output *decoded, struct tk_span line,
                     uint64_t first_column, bool last) {
    tk_text_output_make_room(decoded);
    for (size_t i = 0; i < line.len; i++) take(numbers, decoded, line.at[i], first_column + i);
    if (!last) return;
    if (numbers->state == TK_NUM_ZERO || numbers->state == TK_NUM_DECIMAL || numbers->state == TK_NUM_HEX)
        end_number(numbers, decoded);
    if (numbers->state < TK_NUM_BLOCK_COMMENT) numbers->state = TK_NUM_IDLE;
}

void tk_numbers_end(struct tk_numbers *numbers, struct tk_text_output *decoded) {
    tk_text_output_make_room(decoded);
    tk_numbers_line(numbers, decoded, (struct tk_span){ (const uint8_t *)"", 0 }, 1, true);
    struct tk_number_style style = numbers->style;
    tk_numbers_init(numbers, &style);
}
