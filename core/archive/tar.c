// SPDX-License-Identifier: MIT
//
// Reads tar archives: blocks of 512 bytes; each member has a header, then its bytes. The requested ranges ascend, so
// that a host can unpack a compressed tar once while it answers them.
#include "archive.h"

#include <string.h>

#include "base/bytes.h"

enum {
    BLOCK = 512,
    PAX_LEN = 64 * 1024,
    PATH_AT = 0,
    PATH_LEN = 100,
    SIZE_AT = 124,
    SIZE_LEN = 12,
    SUM_AT = 148,
    SUM_LEN = 8,
    TYPE_AT = 156,
    MAGIC_AT = 257,
    PREFIX_AT = 345,
    PREFIX_LEN = 155
};

static void want_header(struct tk_archive *archive);

static const char cut[] = "the tar file is cut; Tonkopf uses the part before";

// Reads octal digits, or a big-endian number if the first bit is set. Returns UINT64_MAX if there is no number.
static uint64_t read_number(const uint8_t *at, size_t len) {
    uint64_t value = 0;
    if (*at & 0x80) {
        for (size_t i = 1; i < len; i++) {
            if (value >> 55) return UINT64_MAX;
            value = value << 8 | at[i];
        }
        return value;
    }
    size_t i = 0;
    while (i < len && at[i] == ' ') i++;
    for (; i < len && at[i] >= '0' && at[i] <= '7'; i++) value = value << 3 | (uint64_t)(at[i] - '0');
    return i < len && at[i] && at[i] != ' ' ? UINT64_MAX : value;
}

static bool sum_fits(const uint8_t header[BLOCK]) {
    uint64_t sum = 0;
    for (size_t i = 0; i < BLOCK; i++) sum += i >= SUM_AT && i < SUM_AT + SUM_LEN ? ' ' : header[i];
    return sum == read_number(header + SUM_AT, SUM_LEN);
}

static size_t text_len(const uint8_t *at, size_t len) {
    const uint8_t *end = memchr(at, 0, len);
    return end ? (size_t)(end - at) : len;
}

static void set_path(struct tk_archive *archive, const uint8_t *path, size_t len) {
    if (len >= TK_MEMBER_PATH_LEN) {
        path += len - (TK_MEMBER_PATH_LEN - 1);
        len = TK_MEMBER_PATH_LEN - 1;
    }
    memcpy(archive->of.tar.path, path, len);
    archive->of.tar.path[len] = 0;
}

// ---- Entries that describe the next one --------------------------------------------------------

static void take_long_path(struct tk_archive *archive, const uint8_t *bytes, size_t len) {
    set_path(archive, bytes, text_len(bytes, len));
    want_header(archive);
}

static void take_pair(struct tk_archive *archive, const uint8_t *at, size_t len) {
    if (len > 5 && !memcmp(at, "path=", 5)) set_path(archive, at + 5, len - 5);
    if (len <= 5 || memcmp(at, "size=", 5)) return;
    uint64_t size = 0;
    for (size_t i = 5; i < len && at[i] >= '0' && at[i] <= '9' && size < UINT64_MAX / 16; i++)
        size = size * 10 + (uint64_t)(at[i] - '0');
    archive->of.tar.size = size;
}

// Reads pax records, "length key=value\n". The length counts the whole record, including its own digits.
static void take_pax(struct tk_archive *archive, const uint8_t *bytes, size_t len) {
    for (size_t at = 0; at < len;) {
        size_t digits = 0, whole = 0;
        for (; at + digits < len && digits < 6 && bytes[at + digits] >= '0' && bytes[at + digits] <= '9'; digits++)
            whole = whole * 10 + (size_t)(bytes[at + digits] - '0');
        if (whole < digits + 3 || whole > len - at) break;
        take_pair(archive, bytes + at + digits + 1, whole - digits - 2);
        at += whole;
    }
    want_header(archive);
}

// ---- Members -----------------------------------------------------------------------------------

static struct tk_archive_entry *add(struct tk_archive *archive, const uint8_t header[BLOCK]) {
    uint8_t path[PREFIX_LEN + 1 + PATH_LEN];
    size_t len = 0;
    if (archive->of.tar.path[0])
        return tk_archive_add(archive, (const uint8_t *)archive->of.tar.path, strlen(archive->of.tar.path));
    if (!header[MAGIC_AT + 5]) len = text_len(header + PREFIX_AT, PREFIX_LEN);
    memcpy(path, header + PREFIX_AT, len);
    if (len) path[len++] = '/';
    size_t name_len = text_len(header + PATH_AT, PATH_LEN);
    memcpy(path + len, header + PATH_AT, name_len);
    return tk_archive_add(archive, path, len + name_len);
}

static void take_member(struct tk_archive *archive, const uint8_t header[BLOCK], uint64_t size) {
    uint64_t offset = archive->of.tar.header + BLOCK;
    struct tk_archive_entry *entry = add(archive, header);
    if (entry)
        entry->member =
            (struct tk_member){ .state = TK_MEMBER_STORED, .offset = offset, .packed = size, .size = size, .core = -1 };
    if (!entry || offset > archive->size || size <= archive->size - offset) return;
    entry->member.packed = archive->size - offset;
    tk_archive_note(archive, cut);
}

static void take_header(struct tk_archive *archive, const uint8_t *bytes, size_t len) {
    if (len < BLOCK) tk_archive_note(archive, cut);
    if (len < BLOCK || tk_is_zero(bytes, BLOCK)) return;
    uint64_t size = read_number(bytes + SIZE_AT, SIZE_LEN), at = archive->of.tar.header;
    if (archive->of.tar.size != UINT64_MAX) size = archive->of.tar.size;
    if (!sum_fits(bytes) || size > UINT64_MAX / 2 - at) {
        tk_archive_note(archive, "the tar file is damaged; Tonkopf uses the part before");
        return;
    }
    archive->of.tar.next = at + BLOCK + (size + BLOCK - 1) / BLOCK * BLOCK;
    uint8_t type = bytes[TYPE_AT];
    if (type == 'L' || type == 'x') {
        size_t most = type == 'L' ? PAX_LEN / 16 : PAX_LEN;
        tk_archive_want(archive, at + BLOCK, size < most ? (size_t)size : most,
                        type == 'L' ? take_long_path : take_pax);
        return;
    }
    if (!type || type == '0' || type == '7') take_member(archive, bytes, size);
    archive->of.tar.path[0] = 0;
    archive->of.tar.size = UINT64_MAX;
    want_header(archive);
}

static void want_header(struct tk_archive *archive) {
    archive->of.tar.header = archive->of.tar.next;
    if (archive->of.tar.header >= archive->size)
        tk_archive_note(archive, cut); // a complete tar ends with a block of zeros
    else tk_archive_want(archive, archive->of.tar.header, BLOCK, take_header);
}

void tk_tar_begin(struct tk_archive *archive) {
    archive->of.tar.size = UINT64_MAX;
    want_header(archive);
}
