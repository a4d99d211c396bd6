// SPDX-License-Identifier: MIT
#include "names_text.h"

#include <string.h>

enum section {
    SECTION_NONE,
    SECTION_OBJECTS = 61,
    SECTION_FUNCTIONS = 62,
    SECTION_USER = 63,
    SECTION_SIGNALS = 60
}; // the records with the same content

struct line {
    const uint8_t *at, *end;
};

// Reads the next line without its end. Returns false if none is left.
static bool next_line(struct line *rest, struct line *out_line) {
    if (rest->at == rest->end) return false;
    const uint8_t *end = memchr(rest->at, '\n', (size_t)(rest->end - rest->at));
    *out_line = (struct line){ rest->at, end ? end : rest->end };
    rest->at = end ? end + 1 : rest->end;
    while (out_line->end > out_line->at && (out_line->end[-1] == '\r' || out_line->end[-1] == ' ')) out_line->end--;
    return true;
}

static bool is(const struct line *line, const char *text) {
    return (size_t)(line->end - line->at) == strlen(text) && !memcmp(line->at, text, strlen(text));
}

static enum section section_of(const struct line *line) {
    if (is(line, "Obj-Dic:")) return SECTION_OBJECTS;
    if (is(line, "Fun-Dic:")) return SECTION_FUNCTIONS;
    if (is(line, "Usr-Dic:")) return SECTION_USER;
    return is(line, "Sig-Dic:") ? SECTION_SIGNALS : SECTION_NONE;
}

static size_t mark_len(const uint8_t *text, size_t len) { return len >= 3 && !memcmp(text, "\xEF\xBB\xBF", 3) ? 3 : 0; }

bool qs_names_text_is(const uint8_t *text, size_t len) {
    if (!len) return false; // an empty input has no first byte
    struct line rest = { text + mark_len(text, len), text + (len < 4096 ? len : 4096) }, line;
    while (next_line(&rest, &line)) {
        if (line.at == line.end || *line.at == '#') continue;
        if (section_of(&line)) return true;
        if (*line.at != '-') return false;
    }
    return false;
}

// ---- Numbers -----------------------------------------------------------------------------------

static int digit_of(uint8_t c) {
    if (c >= '0' && c <= '9') return c - '0';
    c |= 0x20;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

// Removes a number of this base and the blanks after it from the start of the line. Returns false if there is none.
static bool take_number(struct line *line, unsigned base, uint64_t *out_number) {
    bool prefixed = line->end - line->at > 2 && line->at[0] == '0' && (line->at[1] | 0x20) == 'x';
    const uint8_t *at = line->at + (prefixed ? 2 : 0), *first = at;
    uint64_t number = 0;
    if (prefixed) base = 16;
    for (; at < line->end && digit_of(*at) >= 0 && digit_of(*at) < (int)base && at - first < 20; at++)
        number = number * base + (unsigned)digit_of(*at);
    if (at == first || (at < line->end && *at != ' ')) return false;
    while (at < line->end && *at == ' ') at++;
    line->at = at;
    *out_number = number;
    return true;
}

// Returns the base of signal numbers. They have leading zeros and no prefix, so only a letter in one of them shows
// base 16.
static unsigned base_of_signals(struct line rest) {
    struct line line;
    while (next_line(&rest, &line) && !is(&line, "***"))
        for (const uint8_t *at = line.at; at < line.end && *at != ' '; at++)
            if (digit_of(*at) > 9) return 16;
    return 10;
}

// ---- Lines -------------------------------------------------------------------------------------

static void take_setting(struct qs_config *config, const struct line *line) {
    static const char letters[QS_SIZES + 1] = {
        [QS_TIME] = 'T',  [QS_OBJECT] = 'O', [QS_FUNCTION] = 'F', [QS_SIGNAL] = 'S',
        [QS_EVENT] = 'E', [QS_QUEUE] = 'Q',  [QS_POOL] = 'P',     [QS_TIMER] = 'C'
    };
    struct line digits = { line->at + 2, line->end };
    uint64_t number;
    const char *letter = memchr(letters, line->at[1], QS_SIZES);
    if (letter && take_number(&digits, 10, &number) && (number == 1 || number == 2 || number == 4 || number == 8)) {
        size_t size = (size_t)(letter - letters);
        if (config->origin[size] == QS_GIVEN) return;
        config->size[size] = (uint8_t)number;
        config->origin[size] = QS_FROM_TARGET;
    } else if (line->at[1] == 'v' && take_number(&digits, 10, &number) && number < 10000 && !config->version_given) {
        config->version = (uint16_t)number;
        config->version_known = true;
    }
}

static bool take_name(struct qs_dictionary *dictionary, struct qs_record *record, enum section section, unsigned base,
                      struct line line) {
    unsigned keys = section == SECTION_SIGNALS ? 2 : 1;
    for (unsigned i = 0; i < keys; i++)
        if (!take_number(&line, i || section != SECTION_SIGNALS ? 16 : base, &record->fields[i].number)) return false;
    if (line.at == line.end || line.end - line.at > UINT16_MAX) return false;
    record->id = (uint8_t)section;
    record->fields[keys].bytes = line.at;
    record->fields[keys].len = (uint16_t)(line.end - line.at);
    qs_dictionary_import(dictionary, record);
    return true;
}

uint64_t qs_names_text_read(const uint8_t *text, size_t len, struct qs_config *config, struct qs_dictionary *dictionary,
                            struct qs_record *scratch) {
    struct line rest = { text + mark_len(text, len), text + len }, line;
    enum section section = SECTION_NONE;
    unsigned base = 10;
    uint64_t names = 0;
    while (next_line(&rest, &line)) {
        if (is(&line, "***")) {
            section = SECTION_NONE;
        } else if (section) {
            names += take_name(dictionary, scratch, section, base, line);
        } else if (section_of(&line)) {
            section = section_of(&line);
            next_line(&rest, &line); // the line with the bytes of a key
            if (section == SECTION_SIGNALS) base = base_of_signals(rest);
        } else if (line.end - line.at >= 3 && *line.at == '-') {
            take_setting(config, &line);
        }
    }
    return names;
}
