// SPDX-License-Identifier: MIT
//
// Lists the parts of a file that contains one stream per core. The file begins with lines after a semicolon; lines such
// as "; Offset Core1 3104" tell where each stream begins, counted from the first byte after the lines.
#include "archive.h"

#include <string.h>

enum { LINES_LEN = 4096 };

static const char offset_of_core[] = "; Offset Core";

struct line {
    const char *at;
    size_t len;
};

// Takes the next line of the header. Returns false at its end.
static bool next_line(const uint8_t **at, const uint8_t *end, struct line *out_line) {
    bool is_line = *at < end && (**at == ';' || **at == '\n' || **at == '\r');
    const uint8_t *stop = is_line ? memchr(*at, '\n', (size_t)(end - *at)) : NULL;
    if (!stop) return false;
    *out_line = (struct line){ (const char *)*at, (size_t)(stop - *at) };
    *at = stop + 1;
    return true;
}

static bool is_offset(const struct line *line) {
    return line->len >= sizeof offset_of_core && !memcmp(line->at, offset_of_core, sizeof offset_of_core - 1);
}

bool tk_parts_begin_here(const uint8_t *head, size_t len) {
    const uint8_t *end = head + len;
    struct line line;
    while (next_line(&head, end, &line))
        if (is_offset(&line)) return true;
    return false;
}

// Reads a number and the blanks before it. Returns false if there is none, or it exceeds `most`.
static bool read_number(struct line *line, uint64_t most, uint64_t *out_number) {
    const char *end = line->at + line->len;
    uint64_t number = 0;
    while (line->at < end && *line->at == ' ') line->at++;
    const char *first = line->at;
    for (; line->at < end && *line->at >= '0' && *line->at <= '9'; line->at++) {
        number = number * 10 + (uint64_t)(*line->at - '0');
        if (number > most) return false;
    }
    line->len = (size_t)(end - line->at);
    *out_number = number;
    return line->at > first;
}

static void add_part(struct tk_archive *archive, struct line line) {
    const uint8_t *name = (const uint8_t *)line.at + sizeof "; Offset " - 1;
    uint64_t core, offset;
    line.at += sizeof offset_of_core - 1;
    line.len -= sizeof offset_of_core - 1;
    if (!read_number(&line, TK_MAX_CORES - 1, &core)) return;
    size_t name_len = (size_t)((const uint8_t *)line.at - name);
    if (!read_number(&line, UINT64_MAX / 20, &offset)) return;
    struct tk_archive_entry *entry = tk_archive_add(archive, name, name_len);
    if (entry) entry->member = (struct tk_member){ .state = TK_MEMBER_STORED, .offset = offset, .core = (int32_t)core };
}

// A part ends where the next one begins, or at the end of the file.
static void set_len(struct tk_archive *archive, struct tk_member *part) {
    uint64_t end = archive->size;
    for (uint32_t i = 0; i < archive->count; i++) {
        uint64_t offset = archive->entries[i].member.offset;
        if (offset > part->offset && offset < end) end = offset;
    }
    if (part->offset >= archive->size) {
        part->state = TK_MEMBER_DAMAGED;
        tk_archive_note(archive, "the file ends before one of its cores; Tonkopf uses the others");
        return;
    }
    part->packed = end - part->offset;
    part->size = end == UINT64_MAX ? UINT64_MAX : part->packed;
}

static void take_lines(struct tk_archive *archive, const uint8_t *bytes, size_t len) {
    const uint8_t *at = bytes, *end = bytes + len;
    struct line line;
    while (next_line(&at, end, &line))
        if (is_offset(&line)) add_part(archive, line);
    for (uint32_t i = 0; i < archive->count; i++) archive->entries[i].member.offset += (uint64_t)(at - bytes);
    for (uint32_t i = 0; i < archive->count; i++) set_len(archive, &archive->entries[i].member);
}

void tk_parts_begin(struct tk_archive *archive) { tk_archive_want(archive, 0, LINES_LEN, take_lines); }
