// SPDX-License-Identifier: MIT
//
// Infers layouts that are recognised by their punctuation: escapes, records, and numbers with 0x.
#include "infer.h"

#include "data_url.h"
#include "hex_records.h"

// ---- URLs --------------------------------------------------------------------------------------

bool tk_infer_url(struct tk_span text, struct tk_layout *layout) {
    size_t head;
    if (tk_data_url_find(tk_span_trim(text), &head) != TK_URL_PERCENT) return false;
    layout->body = TK_BODY_ESCAPED;
    layout->escaped = (struct tk_escape_style){ .literal = true, .percent = true };
    return true;
}

// ---- Escapes -----------------------------------------------------------------------------------

static bool is_escape(struct tk_span text, size_t at) {
    return at + 3 < text.len && text.at[at] == '\\' && text.at[at + 1] == 'x' && tk_is_hex_digit(text.at[at + 2]) &&
           tk_is_hex_digit(text.at[at + 3]);
}

// Returns true if the first escape is inside quotes.
static bool is_quoted(struct tk_span text, size_t first) {
    size_t from = first;
    uint8_t quote = 0;
    while (from && text.at[from - 1] != '\n') from--;
    for (size_t i = from; i < first; i++) {
        uint8_t c = text.at[i];
        if (quote ? c == quote : c == '"' || c == '\'') quote = quote ? 0 : c;
    }
    return quote != 0;
}

bool tk_infer_escaped(struct tk_span text, struct tk_layout *layout) {
    uint64_t nonblank = tk_count_nonblank(text.at, text.len), escapes = 0;
    size_t first = 0;
    for (size_t i = 0; i < text.len; i++) {
        if (!is_escape(text, i)) continue;
        if (!escapes++) first = i;
    }
    if (!escapes) return false;
    bool quoted = is_quoted(text, first);
    if (escapes * 4 * (quoted ? 10 : 4) < nonblank) return false;
    layout->body = TK_BODY_ESCAPED;
    layout->escaped =
        (struct tk_escape_style){ .quoted = quoted, .literal = !quoted && tk_span_trim(text).at[0] == '\\' };
    return true;
}

// ---- Records -----------------------------------------------------------------------------------

bool tk_infer_hex_records(struct tk_span text, struct tk_layout *layout) {
    static const struct tk_layout no_tag = { .tag_len = 0 };
    struct tk_span line;
    struct tk_hex_record record;
    uint64_t other = 0;
    uint32_t lines = 0, good = 0;
    while (lines < 64 && tk_infer_next(&no_tag, &text, &line, &other)) {
        lines++;
        good += tk_hex_record_parse(line, &record) && record.sum_ok;
    }
    if (!good || good * 3 < lines * 2) return false;
    layout->body = TK_BODY_HEX_RECORDS;
    return true;
}

// ---- Numbers -----------------------------------------------------------------------------------

struct scan {
    uint64_t number_ink, word_ink;       // letters and digits: of 0x numbers; of all other words outside of comments
    uint32_t numbers, longest, shortest; // count of 0x numbers; largest and smallest number of digits, the latter
                                         // without the last number, which may be cut
    uint32_t before;
    uint32_t short_numbers; // numbers of at most two digits
    uint32_t lines, lines_with;
    uint8_t open, close; // the kind of braces
    uint32_t depth;
    uint32_t inside, inside_decimal, inside_words, outside; // words inside of braces and outside
    bool code;                                              // there is a semicolon in braces
};

static bool is_word_char(uint8_t c) { return tk_is_hex_digit(c) || tk_char_class[c] == TK_CH_LETTER || c == '_'; }

static bool is_decimal(struct tk_span word) {
    for (size_t i = 0; i < word.len; i++) {
        if (tk_char_class[word.at[i]] >= 10) return false;
    }
    return word.len <= 3;
}

static size_t digits_after_zero_x(struct tk_span word) {
    size_t digits = 0;
    if (word.len < 3 || word.at[0] != '0' || (word.at[1] | 0x20) != 'x') return 0;
    while (2 + digits < word.len && tk_is_hex_digit(word.at[2 + digits])) digits++;
    return digits;
}

static void scan_word(struct scan *scan, struct tk_span word, bool *line_has) {
    size_t digits = digits_after_zero_x(word);
    scan->outside += !scan->depth;
    if (scan->depth) {
        scan->inside += digits > 0;
        scan->inside_decimal += !digits && is_decimal(word);
        scan->inside_words += !digits && !is_decimal(word);
    }
    if (!digits) {
        scan->word_ink += word.len;
        return;
    }
    *line_has = true;
    scan->numbers++;
    scan->short_numbers += digits <= 2;
    scan->number_ink += word.len;
    if (digits > scan->longest) scan->longest = (uint32_t)digits;
    if (scan->before && (!scan->shortest || scan->before < scan->shortest)) scan->shortest = scan->before;
    scan->before = (uint32_t)digits;
}

static size_t word_len(struct tk_span line, size_t at) {
    size_t len = 0;
    while (at + len < line.len && is_word_char(line.at[at + len])) len++;
    return len;
}

// Skips a comment or a repetition at `at`. Returns the position after it.
static size_t skip_aside(struct tk_span line, size_t at, bool *in_comment) {
    if (!*in_comment && line.at[at] == '<') { // <repeats 12 times>
        const uint8_t *repeat = memchr(line.at + at, '>', line.len - at);
        return repeat ? (size_t)(repeat + 1 - line.at) : at;
    }
    if (!*in_comment && at + 1 < line.len && line.at[at] == '/' && line.at[at + 1] == '/') return line.len;
    if (!*in_comment && !(at + 1 < line.len && line.at[at] == '/' && line.at[at + 1] == '*')) return at;
    const uint8_t *end = tk_span_find((struct tk_span){ line.at + at, line.len - at }, "*/");
    *in_comment = !end;
    return end ? (size_t)(end + 2 - line.at) : line.len;
}

static void scan_line(struct scan *scan, struct tk_span line, bool *in_comment) {
    bool has = false;
    for (size_t at = 0; at < line.len;) {
        size_t after = skip_aside(line, at, in_comment);
        if (after != at) {
            at = after;
            continue;
        }
        size_t len = word_len(line, at);
        if (len) scan_word(scan, (struct tk_span){ line.at + at, len }, &has);
        else if (line.at[at] == scan->open) scan->depth++;
        else if (line.at[at] == scan->close && scan->depth) scan->depth--;
        else if (line.at[at] == ';' && scan->depth) scan->code = true;
        at += len ? len : 1;
    }
    scan->lines++;
    scan->lines_with += has;
}

static uint8_t unit_of(const struct scan *scan) {
    if (scan->longest > 16 || (scan->numbers == 1 && scan->longest > 2)) return 0;
    return scan->longest > 8 ? 8 : scan->longest > 4 ? 4 : scan->longest > 2 ? 2 : 1;
}

static void scan_text(struct tk_span text, uint8_t open, uint8_t close, struct scan *scan) {
    struct tk_span line;
    bool in_comment = false;
    *scan = (struct scan){ .open = open, .close = close };
    while (tk_span_next_line(&text, &line)) {
        line = tk_span_trim(line);
        if (line.len) scan_line(scan, line, &in_comment);
    }
}

static bool use_numbers(const struct scan *scan, bool braced, struct tk_layout *layout) {
    layout->body = TK_BODY_NUMBERS;
    layout->numbers =
        (struct tk_number_style){ .unit = unit_of(scan), .braced = braced, .open = scan->open, .close = scan->close };
    return true;
}

// Returns true for a name, possibly with a length, before the bracket: Uint8Array(83) [, bytes([, data = [.
static bool begins_with_name(struct tk_span text) {
    static const char allowed[] = " ()._='";
    size_t at = 0;
    while (at < text.len && at < 64 && (is_word_char(text.at[at]) || memchr(allowed, text.at[at], sizeof allowed - 1)))
        at++;
    return at && at < text.len && text.at[at] == '[';
}

// Returns true for numbers in square brackets with little text besides. The limit for text outside depends on the kind
// of text before the bracket.
static bool is_bracketed(struct tk_span nonblank, const struct scan *scan) {
    uint32_t inside = scan->inside + scan->inside_decimal;
    if (scan->code || inside <= 8 * scan->inside_words) return false;
    if (nonblank.at[0] == '[') return inside >= 4 && inside > 8 * (scan->inside_words + scan->outside);
    if (nonblank.at[0] == '{') return tk_span_find(nonblank, "\"Buffer\"") != NULL;
    return inside >= 4 && inside >= 2 * scan->outside && begins_with_name(nonblank);
}

bool tk_infer_numbers(struct tk_span text, struct tk_layout *layout) {
    struct scan scan;
    struct tk_span nonblank = tk_span_trim(text);
    scan_text(text, '{', '}', &scan);
    bool json = nonblank.len > 1 && nonblank.at[0] == '{' && memchr("\"'", nonblank.at[1], 2);
    uint32_t inside = scan.inside + scan.inside_decimal;
    if (!json && !scan.code && inside >= 2 && inside > 4 * scan.inside_words) return use_numbers(&scan, true, layout);
    bool column = scan.lines >= 4 && scan.short_numbers == scan.numbers && scan.lines_with * 5 >= scan.lines * 4;
    bool uniform = scan.longest <= 2 || scan.longest == scan.shortest || scan.numbers == 1; // a table of addresses and
                                                                                            // sizes has no uniform
                                                                                            // lengths
    if (column || (scan.numbers && uniform && scan.number_ink >= scan.word_ink))
        return use_numbers(&scan, false, layout);
    if (!nonblank.len) return false;
    scan_text(text, '[', ']', &scan);
    return is_bracketed(nonblank, &scan) && use_numbers(&scan, true, layout);
}
