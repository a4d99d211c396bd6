// SPDX-License-Identifier: MIT
#include "log_prefix.h"

enum { MAX_TAGS = 8, MAX_LINES = 2000 };

struct candidate {
    char tag[TK_LOG_PREFIX_LEN];
    uint8_t len;
    uint64_t digits;
};

struct census {
    struct candidate tags[MAX_TAGS];
    uint32_t count;
    uint64_t untagged; // number of digits without a tag
    uint64_t nonblank;
};

static struct tk_span strip_zero_x(struct tk_span word) {
    if (word.len > 2 && word.at[0] == '0' && (word.at[1] | 0x20) == 'x') word.at += 2, word.len -= 2;
    return word;
}

static size_t leading_digits(struct tk_span word) {
    size_t digits = 0;
    while (digits < word.len && tk_is_hex_digit(word.at[digits])) digits++;
    return digits;
}

// Returns the number of digits of a word that consists of whole hex bytes; otherwise 0.
static size_t data_digits(struct tk_span word) {
    word = strip_zero_x(word);
    while (word.len && (word.at[word.len - 1] == ',' || word.at[word.len - 1] == ';')) word.len--;
    size_t digits = leading_digits(word);
    return digits == word.len && !(digits & 1) ? digits : 0;
}

static bool is_address(struct tk_span word) {
    word = strip_zero_x(word);
    size_t digits = leading_digits(word);
    return digits >= 3 && digits + 1 == word.len && (word.at[digits] == ':' || word.at[digits] == '=');
}

// Replaces each number by '0', so that times and counters have the same shape. Returns the length; 0 if the word is too
// long or contains only digits.
static uint8_t shape_of(struct tk_span word, char out[TK_LOG_PREFIX_LEN]) {
    uint8_t len = 0;
    if (leading_digits(strip_zero_x(word)) == strip_zero_x(word).len) return 0;
    for (size_t i = 0; i < word.len; i++) {
        bool digit = tk_char_class[word.at[i]] < 10;
        if (digit && len && out[len - 1] == '0') continue;
        if (len == TK_LOG_PREFIX_LEN) return 0;
        out[len++] = digit ? '0' : (char)word.at[i];
    }
    return len;
}

struct finding {
    struct tk_span before; // word before the longest run of data; empty: none
    uint64_t digits;
    bool first_run; // no word before the run looks like data
};

static void find_run(struct tk_span line, struct finding *out) {
    struct tk_span word, before = { line.at, 0 }, run_before = before;
    uint64_t run = 0, total = 0;
    bool first_run = true;
    *out = (struct finding){ before, 0, true };
    while (tk_span_next_word(&line, &word)) {
        size_t digits = data_digits(word);
        if (digits && !run) {
            run_before = before;
            first_run = !total;
        }
        run = digits ? run + digits : 0;
        total += digits;
        if (run > out->digits) *out = (struct finding){ run_before, run, first_run };
        if (!digits && !is_address(word)) before = word;
    }
}

static void count_tag(struct census *census, const char *tag, uint8_t len, uint64_t digits) {
    for (uint32_t i = 0; i < census->count; i++) {
        struct candidate *known = &census->tags[i];
        if (known->len != len || memcmp(known->tag, tag, len)) continue;
        known->digits += digits;
        return;
    }
    if (census->count == MAX_TAGS) return;
    struct candidate *fresh = &census->tags[census->count++];
    memcpy(fresh->tag, tag, len);
    fresh->len = len;
    fresh->digits = digits;
}

static void count_line(struct census *census, struct tk_span line) {
    struct finding found;
    char tag[TK_LOG_PREFIX_LEN];
    find_run(line, &found);
    census->nonblank += tk_count_nonblank(line.at, line.len);
    uint8_t len = found.before.len && found.first_run ? shape_of(found.before, tag) : 0;
    if (len) count_tag(census, tag, len, found.digits);
    else census->untagged += found.digits;
}

bool tk_log_prefix_infer(struct tk_span text, char *out_tag, uint8_t *out_len) {
    struct census census = { .count = 0 };
    const struct candidate *best = NULL;
    struct tk_span line;
    for (uint32_t lines = 0; lines < MAX_LINES && tk_span_next_line(&text, &line); lines++) count_line(&census, line);
    for (uint32_t i = 0; i < census.count; i++) {
        if (!best || census.tags[i].digits > best->digits) best = &census.tags[i];
    }
    if (!best || best->digits <= census.untagged || best->digits < 2) return false;
    if (best->digits < 8 && best->digits * 3 < census.nonblank) return false;
    memcpy(out_tag, best->tag, best->len);
    *out_len = best->len;
    return true;
}

bool tk_layout_after_prefix(const struct tk_layout *layout, struct tk_span line, struct tk_span *out_body) {
    struct tk_span word;
    char shape[TK_LOG_PREFIX_LEN];
    while (tk_span_next_word(&line, &word)) {
        if (shape_of(word, shape) != layout->tag_len || memcmp(shape, layout->tag, layout->tag_len)) continue;
        *out_body = tk_span_trim(line);
        return true;
    }
    return false;
}
