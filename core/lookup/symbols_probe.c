// SPDX-License-Identifier: MIT
//
// Recognises ELF files and linker maps.
#include "symbols.h"

#include <string.h>

enum { PROBE_LEN = 64 * 1024 };

static bool begins(const uint8_t *at, const uint8_t *end, const char *text) {
    size_t len = strlen(text);
    return (size_t)(end - at) >= len && !memcmp(at, text, len);
}

// Returns true if a line begins with the text, after optional blanks.
static bool has_line(const uint8_t *head, size_t len, const char *text) {
    const uint8_t *at = head, *end = head + (len < PROBE_LEN ? len : PROBE_LEN);
    while (at < end) {
        while (at < end && *at == ' ') at++;
        if (begins(at, end, text)) return true;
        const uint8_t *next = memchr(at, '\n', (size_t)(end - at));
        at = next ? next + 1 : end;
    }
    return false;
}

static bool is_gnu_map(const uint8_t *head, size_t len) {
    static const char *const starts[] = { "Archive member included",   "As-needed library included",
                                          "Allocating common symbols", "Merging program properties",
                                          "Discarded input sections",  "There are no discarded input sections",
                                          "Memory Configuration",      "Linker script and memory map" };
    const uint8_t *at = head, *end = head + len;
    while (at < end && (*at == '\n' || *at == '\r')) at++;
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
        if (begins(at, end, starts[i])) return true;
    return false;
}

// Compares the words of the heading, with any number of blanks between them.
static bool is_lld_map(const uint8_t *head, size_t len) {
    static const char *const words[] = { "VMA", "LMA", "Size", "Align", "Out", "In", "Symbol" };
    const uint8_t *at = head, *end = head + len;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        while (at < end && *at == ' ') at++;
        if (!begins(at, end, words[i])) return false;
        at += strlen(words[i]);
    }
    return true;
}

enum tk_symbols_kind tk_symbols_probe(const uint8_t *head, size_t len) {
    if (len >= 16 && !memcmp(head, "\177ELF", 4) && (head[4] == 1 || head[4] == 2) && (head[5] == 1 || head[5] == 2))
        return TK_SYMBOLS_ELF;
    if (len >= 3 && !memcmp(head, "\xEF\xBB\xBF", 3)) head += 3, len -= 3; // byte order mark
    if (!len) return TK_SYMBOLS_NONE;
    if (is_gnu_map(head, len)) return TK_SYMBOLS_GNU_MAP;
    if (is_lld_map(head, len)) return TK_SYMBOLS_LLD_MAP;
    if (head[0] == '#' && (has_line(head, len, "*** MODULE SUMMARY") || has_line(head, len, "*** ENTRY LIST") ||
                           has_line(head, len, "# IAR ELF Linker")))
        return TK_SYMBOLS_IAR_MAP;
    bool is_arm = has_line(head, len, "Image Symbol Table") || begins(head, head + len, "Component: ARM Compiler") ||
                  begins(head, head + len, "Component: Arm Compiler");
    return is_arm && has_line(head, len, "=====") ? TK_SYMBOLS_ARM_MAP : TK_SYMBOLS_NONE;
}

const char *tk_symbols_kind_name(enum tk_symbols_kind kind) {
    static const char *const names[] = { "no symbols",      "ELF",        "map of GNU ld",
                                         "map of LLVM lld", "map of IAR", "map of armlink" };
    return names[kind];
}
