// SPDX-License-Identifier: MIT
#include "description.h"

#include "../../base/bytes.h"

#include <string.h>

enum {
    CALLS = TK_LOOKUP_OF_FORMAT, // id: the call
    VALUES,                      // id: a value; more: its type
    OTHER_VALUES,                // more: the type
    CAUSES,                      // id: a cause, masked
    CAUSE_MASK,
    OS_NAME, // number: the input
    LONGEST_LINE = 4096
};

// What is left of a line.
struct line {
    const char *at, *end;
};

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

static void skip_blanks(struct line *line) {
    while (line->at < line->end && is_blank(*line->at)) line->at++;
}

static bool next_line(struct line *rest, struct line *out_line) {
    if (rest->at == rest->end) return false;
    const char *stop = memchr(rest->at, '\n', (size_t)(rest->end - rest->at));
    *out_line = (struct line){ rest->at, stop ? stop : rest->end };
    rest->at = stop ? stop + 1 : rest->end;
    if (out_line->end - out_line->at > LONGEST_LINE) out_line->end = out_line->at + LONGEST_LINE;
    while (out_line->end > out_line->at && is_blank(out_line->end[-1])) out_line->end--;
    return true;
}

// Takes the next word, which ends at a blank or at `stop`, and the blanks after it.
static struct line take_word(struct line *line, char stop) {
    struct line word = { line->at, line->at };
    while (word.end < line->end && !is_blank(*word.end) && *word.end != stop) word.end++;
    line->at = word.end;
    skip_blanks(line);
    return word;
}

static bool is(const struct line *word, const char *text) {
    size_t len = strlen(text);
    return (size_t)(word->end - word->at) == len && !memcmp(word->at, text, len);
}

// Reads a decimal number, which may be negative, or a hexadecimal one after 0x, modulo 2^32.
static bool read_number(struct line word, uint32_t *out_number) {
    bool is_negative = word.at < word.end && *word.at == '-';
    word.at += is_negative;
    bool is_hex = word.end - word.at > 2 && word.at[0] == '0' && (word.at[1] | 0x20) == 'x';
    uint32_t number = 0;
    if (is_hex) word.at += 2;
    if (word.at == word.end || word.end - word.at > 10) return false;
    for (; word.at < word.end; word.at++) {
        char c = *word.at;
        if (c >= '0' && c <= '9') number = number * (is_hex ? 16 : 10) + (uint32_t)(c - '0');
        else if (is_hex && (c | 0x20) >= 'a' && (c | 0x20) <= 'f')
            number = number * 16 + (uint32_t)((c | 0x20) - 'a') + 10;
        else return false;
    }
    *out_number = is_negative ? 0 - number : number;
    return true;
}

static uint32_t hash_of(const char *name, size_t len) { return (uint32_t)tk_hash_bytes((const uint8_t *)name, len); }

// ---- Lines ---------------------------------------------------------------------------------------

static bool is_comment(const struct line *line) { return line->at == line->end || *line->at == '#'; }

// Takes "key=words" or "key="words with blanks"", and the blank or comma after it.
static bool take_item(struct line *line, struct line *out_key, struct line *out_words) {
    while (line->at < line->end && (is_blank(*line->at) || *line->at == ',')) line->at++;
    *out_key = take_word(line, '=');
    if (out_key->at == out_key->end || line->at == line->end || *line->at != '=') return false;
    line->at++;
    bool is_quoted = line->at < line->end && *line->at == '"';
    line->at += is_quoted;
    *out_words = (struct line){ line->at, line->at };
    while (out_words->end < line->end && (is_quoted ? *out_words->end != '"' : !is_blank(*out_words->end)) &&
           (is_quoted || *out_words->end != ','))
        out_words->end++;
    line->at = out_words->end + (is_quoted && out_words->end < line->end);
    return true;
}

static void add(struct tk_lookup *lookup, struct tk_alloc *alloc, struct tk_lookup_key key, const struct line *words) {
    tk_lookup_add(lookup, alloc, &(struct tk_lookup_entry){ .key = key }, words->at, (size_t)(words->end - words->at));
}

static bool read_type(struct line line, struct tk_alloc *alloc, struct tk_lookup *lookup) {
    struct line name = take_word(&line, '\0'), key, words;
    uint32_t type = hash_of(name.at, (size_t)(name.end - name.at)), value;
    bool has_any = false;
    while (take_item(&line, &key, &words)) {
        struct tk_lookup_key to = { .space = OTHER_VALUES, .more = type };
        if (!is(&key, "*")) {
            if (!read_number(key, &value)) continue;
            to = (struct tk_lookup_key){ .space = VALUES, .id = value, .more = type };
        }
        add(lookup, alloc, to, &words);
        has_any = true;
    }
    return has_any;
}

static bool read_causes(struct line line, struct tk_alloc *alloc, struct tk_lookup *lookup) {
    struct line mask = take_word(&line, '\0'), key, words;
    uint32_t number, cause;
    if (!read_number(mask, &number)) return false;
    tk_lookup_add(lookup, alloc, &(struct tk_lookup_entry){ .key = { .space = CAUSE_MASK }, .number = number }, NULL,
                  0);
    while (take_item(&line, &key, &words))
        if (read_number(key, &cause))
            add(lookup, alloc, (struct tk_lookup_key){ .space = CAUSES, .id = cause }, &words);
    return true;
}

static bool read_call(struct line first, struct line line, struct tk_alloc *alloc, struct tk_lookup *lookup) {
    uint32_t call;
    if (!read_number(first, &call) || line.at == line.end) return false;
    add(lookup, alloc, (struct tk_lookup_key){ .space = CALLS, .id = call }, &line);
    return true;
}

uint64_t sv_description_read(const uint8_t *text, size_t len, struct tk_alloc *alloc, struct tk_lookup *lookup) {
    struct line rest = { (const char *)text, (const char *)text + len }, line;
    uint64_t count = 0;
    while (next_line(&rest, &line)) {
        if (is_comment(&line)) continue;
        struct line first = take_word(&line, '\0');
        if (is(&first, "NamedType")) count += read_type(line, alloc, lookup);
        else if (is(&first, "TaskState")) count += read_causes(line, alloc, lookup);
        else if (is(&first, "Option")) count++; // says how the application sorts tasks
        else count += read_call(first, line, alloc, lookup);
    }
    return count;
}

static bool is_name(const struct line *word) {
    char c = word->at < word->end ? *word->at : '0';
    return c == '_' || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z');
}

// A text of comments, settings and calls, at least one of which is complete.
bool sv_description_is(const uint8_t *head, size_t len) {
    struct line rest = { (const char *)head, (const char *)head + len }, line;
    uint32_t number, lines = 0;
    bool has_setting = false, has_parameter = false;
    while (next_line(&rest, &line)) {
        bool is_cut = rest.at == rest.end && len && head[len - 1] != '\n';
        if (is_comment(&line) || (is_cut && lines)) continue;
        struct line first = take_word(&line, '\0'), name = take_word(&line, '\0');
        bool is_setting = is(&first, "NamedType") || is(&first, "TaskState") || is(&first, "Option");
        bool is_call = !is_setting && read_number(first, &number) && number >= 32 && number < 2048 && is_name(&name);
        if (!is_setting && !is_call) return false;
        has_setting = has_setting || (is_setting && !is(&first, "Option") && line.at < line.end);
        has_parameter = has_parameter || (is_call && memchr(line.at, '%', (size_t)(line.end - line.at)));
        lines++;
    }
    return has_setting || (lines >= 3 && has_parameter);
}

// ---- The OS of a file ----------------------------------------------------------------------------

static char lower(char c) { return c >= 'A' && c <= 'Z' ? (char)(c | 0x20) : c; }

static bool is_of_os_name(char c) { return (lower(c) >= 'a' && lower(c) <= 'z') || (c >= '0' && c <= '9'); }

// Returns the length of the common start of two names, without regard to case and to characters such as / and -.
static size_t same_start(const char *a, size_t a_len, const char *b, size_t b_len) {
    size_t i = 0;
    while (i < a_len && i < b_len && (lower(a[i]) == lower(b[i]) || (!is_of_os_name(a[i]) && !is_of_os_name(b[i]))))
        i++;
    return i;
}

void sv_description_name(const char *file, uint32_t input, struct tk_alloc *alloc, struct tk_lookup *lookup) {
    static const char before[] = "SYSVIEW_";
    const struct tk_lookup_entry entry = { .key = { .space = OS_NAME }, .number = input };
    size_t from = strlen(file), len = 0;
    while (from && file[from - 1] != '/' && file[from - 1] != '\\') from--;
    const char *name = file + from;
    if (same_start(name, strlen(name), before, sizeof before - 1) == sizeof before - 1) {
        name += sizeof before - 1;
        while (name[len] && name[len] != '.' && name[len] != '(' && name[len] != ' ') len++; // "SYSVIEW_NuttX (1).txt"
    }
    tk_lookup_add(lookup, alloc, &entry, name, len);
}

unsigned sv_description_fits(const struct tk_lookup *lookup, bool is_only, const char *os, uint32_t *out_input) {
    const char *name = "";
    uint64_t input = 0;
    size_t len = 0, os_len = strlen(os);
    tk_lookup_text_of(lookup, (struct tk_lookup_key){ .space = OS_NAME }, &name, &len);
    tk_lookup_number_of(lookup, (struct tk_lookup_key){ .space = OS_NAME }, &input);
    *out_input = (uint32_t)input;
    size_t same = same_start(name, len, os, os_len);
    if (len && same == len && same == os_len) return SV_MATCHES;
    bool goes_on = len > same ? is_of_os_name(name[same]) : os_len > same && is_of_os_name(os[same]);
    if (same && (same == len || same == os_len) && !goes_on) return SV_MATCHES_SIMILAR;
    return is_only || !len || !os_len ? SV_ONLY_FILE : SV_NO_MATCH;
}

// ---- What a file says ----------------------------------------------------------------------------

bool sv_description_call(const struct tk_lookup *lookup, uint32_t call, const char **out_name, size_t *out_len,
                         const char **out_parameters, size_t *out_parameters_len) {
    const char *text;
    size_t len;
    if (!tk_lookup_text_of(lookup, (struct tk_lookup_key){ .space = CALLS, .id = call }, &text, &len)) return false;
    struct line line = { text, text + len }, name = take_word(&line, '\0');
    *out_name = name.at;
    *out_len = (size_t)(name.end - name.at);
    *out_parameters = line.at;
    *out_parameters_len = (size_t)(line.end - line.at);
    return true;
}

static bool is_of_word(char c) {
    return c == '_' || (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z');
}

bool sv_next_parameter(const char **at, const char *end, struct sv_parameter *out_parameter) {
    const char *percent = *at < end ? memchr(*at, '%', (size_t)(end - *at)) : NULL;
    if (!percent) return false;
    const char *name_end = percent;
    while (name_end > *at && (is_blank(name_end[-1]) || name_end[-1] == '=')) name_end--;
    const char *name = name_end;
    while (name > *at && !is_blank(name[-1]) && name[-1] != ',' && name[-1] != '|') name--;
    out_parameter->name = name;
    out_parameter->name_len = (size_t)(name_end - name);
    const char *type = percent + 1;
    while (type < end && *type >= '0' && *type <= '9') type++; // the width, as in %08x
    out_parameter->type = type;
    while (type < end && is_of_word(*type)) type++;
    out_parameter->type_len = (size_t)(type - out_parameter->type);
    *at = type;
    return true;
}

bool sv_description_value(const struct tk_lookup *lookup, const struct sv_parameter *of, uint32_t value,
                          const char **out_words, size_t *out_len, bool *out_is_format) {
    uint32_t type = hash_of(of->type, of->type_len);
    struct tk_lookup_key key = { .space = VALUES, .id = value, .more = type },
                         other = { .space = OTHER_VALUES, .more = type };
    *out_is_format = false;
    if (tk_lookup_text_of(lookup, key, out_words, out_len)) return true;
    *out_is_format = true;
    return tk_lookup_text_of(lookup, other, out_words, out_len);
}

bool sv_description_cause(const struct tk_lookup *lookup, uint32_t cause, const char **out_words, size_t *out_len) {
    uint64_t mask;
    if (!tk_lookup_number_of(lookup, (struct tk_lookup_key){ .space = CAUSE_MASK }, &mask)) return false;
    return tk_lookup_text_of(lookup, (struct tk_lookup_key){ .space = CAUSES, .id = cause & (uint32_t)mask }, out_words,
                             out_len);
}
