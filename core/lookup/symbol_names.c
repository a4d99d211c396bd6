// SPDX-License-Identifier: MIT
//
// Shortens symbol names for display.
#include <string.h>

#include "demangle.h"
#include "symbol_file.h"

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Returns the position of the opening bracket that belongs to the closing one before `end`; 0 if there is none.
static size_t opening(const char *text, size_t end) {
    unsigned depth = 0;
    for (size_t at = end; at-- > 0;) {
        if (text[at] == ')' || text[at] == ']' || text[at] == '}') depth++;
        else if ((text[at] == '(' || text[at] == '[' || text[at] == '{') && --depth == 0) return at;
    }
    return 0;
}

// Returns the length without the last suffix of a compiler, or `len` if there is none.
static size_t without_addition(const char *name, size_t len, bool pieces_only) {
    static const char *const words[] = { ".cold", ".part", ".constprop", ".isra", ".lto_priv" }; // the first two mark
                                                                                                 // pieces
    size_t end = len, count = pieces_only ? 2 : sizeof words / sizeof *words;
    while (end && is_digit(name[end - 1])) end--;
    bool numbered = end < len && end && name[end - 1] == '.';
    end = numbered ? end - 1 : len;
    for (size_t i = 0; i < count; i++) {
        size_t word = strlen(words[i]);
        if (end > word && !memcmp(name + end - word, words[i], word) && (numbered || i == 0)) return end - word;
    }
    return len;
}

static size_t without_additions(const char *name, size_t len, bool pieces_only) {
    for (size_t shorter; (shorter = without_addition(name, len, pieces_only)) < len;) len = shorter;
    return len;
}

// Returns the position of a suffix in brackets that demanglers write: "run(int) [clone .part.0]", "run(int) (.part.0)";
// 0 if there is none.
static size_t find_demangler_suffix(const char *name, size_t len) {
    size_t from = len && (name[len - 1] == ']' || name[len - 1] == ')') ? opening(name, len) : 0;
    if (from < 2 || name[from - 1] != ' ') return 0;
    bool is_remark =
        (len - from > 8 && !memcmp(name + from, "[clone .", 8)) || (len - from > 3 && !memcmp(name + from, "(.", 2));
    return is_remark ? from : 0;
}

static size_t without_remark(const char *name, size_t len, bool pieces_only) {
    size_t from = find_demangler_suffix(name, len);
    if (!from) return len;
    size_t rest = without_additions(name, len - 1, pieces_only);
    return name[rest - 1] == '(' || name[rest - 1] == ' ' ? from - 1 : len;
}

size_t tk_symbol_base_len(const char *name, size_t len, bool pieces_only) {
    for (size_t shorter;
         (shorter = without_remark(name, without_additions(name, len, pieces_only), pieces_only)) < len;)
        len = shorter;
    return len;
}

// ---- Names that are demangled already, with parameters and types ---------------------------------

static bool is_name(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_' || c == '$' ||
           (uint8_t)c >= 0x80;
}

// Returns true if the word `operator` ends at `end`.
static bool ends_in_operator(const char *text, size_t end) {
    return end >= 8 && !memcmp(text + end - 8, "operator", 8) && (end == 8 || !is_name(text[end - 9]));
}

// Removes the text after the parameters: qualifiers and suffixes of copies.
static size_t without_qualifiers(const char *text, size_t len) {
    static const char *const words[] = { " const", " volatile", " &", " &&" };
    for (bool again = true; again;) {
        size_t remark = find_demangler_suffix(text, len);
        again = remark != 0;
        if (again) len = remark - 1;
        for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
            size_t word = strlen(words[i]);
            if (len <= word || memcmp(text + len - word, words[i], word)) continue;
            len -= word;
            again = true;
        }
    }
    return len;
}

static size_t without_parameters(const char *text, size_t len) {
    size_t end = without_qualifiers(text, len);
    if (!end || text[end - 1] != ')') return len;
    size_t from = opening(text, end);
    return from && !ends_in_operator(text, from) ? from : len;
}

// Returns the start of the name after the return type, which ends with a blank.
static size_t name_at(const char *text, size_t len) {
    size_t at = 0;
    unsigned angle = 0, round = 0;
    for (size_t i = 0; i < len; i++) {
        char c = text[i];
        if (c == '>' && angle) angle--;
        if (!angle && (c == ')' || c == '}') && round) round--;
        if (c == ' ' && !angle && !round) at = i + 1;
        if (!angle && (c == '(' || c == '{')) round++;
        if (c == '<') angle++;
    }
    return at;
}

static size_t copy(const char *text, size_t len, char *out, size_t size) {
    if (len >= size) len = size - 1;
    memcpy(out, text, len);
    return len;
}

// Returns true if the name is that of an operator, or is within one; an operator in template arguments does not count.
static bool has_operator(const char *text, size_t len) {
    unsigned angle = 0;
    for (size_t end = 1; end <= len; end++) {
        if (!angle && ends_in_operator(text, end) && (end == len || !is_name(text[end]))) return true;
        if (text[end - 1] == '<') angle++;
        if (text[end - 1] == '>' && angle) angle--;
    }
    return false;
}

// A demangled name without its return type.
struct readable {
    const char *text;
    size_t len, bare_len; // bare_len: length without parameters
    bool has_operator;
};

static struct readable readable_of(const char *text, size_t len) {
    struct readable name = { text, tk_symbol_base_len(text, len, false), 0, false };
    name.bare_len = without_parameters(text, name.len);
    name.has_operator = has_operator(text, name.bare_len);
    if (name.has_operator || name.bare_len == name.len) return name;
    size_t at = name_at(text, name.bare_len);
    return (struct readable){ text + at, name.len - at, name.bare_len - at, false };
}

static size_t write_readable(const char *text, size_t len, char *out, size_t size) {
    struct readable name = readable_of(text, len);
    return copy(name.text, name.bare_len, out, size);
}

static size_t write_with_parameters(const char *text, size_t len, char *out, size_t size) {
    struct readable name = readable_of(text, len);
    return copy(name.text, name.len, out, size);
}

// ---- Names of an ELF -----------------------------------------------------------------------------

// Removes `::h` and sixteen hex digits, the hash of legacy Rust names.
static size_t without_rust_hash(const char *text, size_t len) {
    if (len < 20 || memcmp(text + len - 19, "::h", 3)) return len;
    for (size_t i = len - 16; i < len; i++)
        if (!is_digit(text[i]) && (text[i] < 'a' || text[i] > 'f')) return len;
    return len - 19;
}

// Returns 0 if the name is not mangled or in an unknown scheme.
static size_t write_demangled(const char *name, size_t len, char *out, size_t size) {
    char text[2 * TK_SHOWN_NAME_LEN]; // a legacy Rust name may be longer by its hash
    size_t text_len = tk_demangle(name, len, text, sizeof text);
    return text_len ? copy(text, without_rust_hash(text, text_len), out, size) : 0;
}

static size_t write_short(const char *name, size_t len, char *out, size_t size) {
    if (!len) return copy("<static>", 8, out, size); // a map lists only global functions
    len = tk_symbol_base_len(name, len, false);
    size_t written = write_demangled(name, len, out, size);
    if (written) return written;
    return memchr(name, '(', len) ? write_readable(name, len, out, size) : copy(name, len, out, size);
}

static size_t write_address(uint64_t address, char *out) {
    unsigned digits = address >> 32 ? 16 : 8;
    memcpy(out, " 0x", 3);
    for (unsigned i = 0; i < digits; i++) out[3 + i] = "0123456789abcdef"[address >> 4 * (digits - 1 - i) & 15];
    return 3 + digits;
}

size_t tk_symbol_write_shown(const struct tk_symbol_file *file, const struct tk_symbol_entry *entry, enum tk_shown how,
                             char out[TK_SHOWN_NAME_LEN]) {
    enum { ROOM = TK_SHOWN_NAME_LEN - 24 }; // leaves room for an address
    uint32_t len, object_len;
    const char *name = tk_symbol_file_name(file, entry->name, &len),
               *object = tk_symbol_file_object(file, entry->unit, &object_len);
    size_t written = 0;
    if (object_len && (!len || how == TK_SHOWN_WITH_OBJECT || how == TK_SHOWN_WITH_PARAMETERS)) {
        written = copy(object, object_len, out, ROOM / 2);
        out[written++] = '.';
    }
    if (how == TK_SHOWN_WITH_PARAMETERS && memchr(name, '(', len))
        written += write_with_parameters(name, len, out + written, ROOM - written);
    else written += write_short(name, len, out + written, ROOM - written);
    if (how == TK_SHOWN_WITH_ADDRESS) written += write_address(entry->start, out + written);
    out[written] = 0;
    return written;
}
