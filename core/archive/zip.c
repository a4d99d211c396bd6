// SPDX-License-Identifier: MIT
//
// Reads zip archives: the directory at the end of the file contains the offset of each member's local header, and the
// bytes of the member follow that header. A cut file has no directory; then the reader scans the local headers from the
// start.
#include "archive.h"

#include <string.h>

enum {
    END_LEN = 22,
    LOCATOR_LEN = 20,
    END64_LEN = 56,
    ENTRY_LEN = 46,
    LOCAL_LEN = 30,
    TAIL_LEN = 65535 + END_LEN + LOCATOR_LEN, // the end record may have a comment
    DIRECTORY_LEN = 256 * 1024,               // larger than the longest entry
    SCAN_LEN = LOCAL_LEN + 4096               // a local header with its path and extra fields
};

enum { FLAG_ENCRYPTED = 1, FLAG_DESCRIPTOR = 8 }; // DESCRIPTOR: the sizes follow the packed bytes

struct header {
    const uint8_t *path, *extra;
    uint32_t path_len, extra_len, flags, method;
    uint64_t packed, size, local; // `local`: offset of the member's local header
};

static bool is(const uint8_t *at, const char *signature) { return !memcmp(at, signature, 4); }

static tk_member_state state_of(const struct header *header) {
    if (header->flags & FLAG_ENCRYPTED) return TK_MEMBER_ENCRYPTED;
    return header->method == 0 ? TK_MEMBER_STORED : header->method == 8 ? TK_MEMBER_DEFLATED : TK_MEMBER_UNSUPPORTED;
}

// Reads the zip64 extra field: the 64-bit values of those numbers that do not fit into four bytes, in this order.
static void read_extra(struct header *header) {
    uint64_t *const values[] = { &header->size, &header->packed, &header->local };
    const uint8_t *at = header->extra, *end = at + header->extra_len;
    while (end - at >= 4 && tk_read_u16(at) != 1) {
        uint32_t len = tk_read_u16(at + 2);
        if ((size_t)(end - at) < 4u + len) return;
        at += 4 + len;
    }
    if (end - at < 4) return;
    at += 4;
    for (size_t i = 0; i < 3 && end - at >= 8; i++) {
        if (*values[i] != UINT32_MAX) continue;
        *values[i] = tk_read_u64(at);
        at += 8;
    }
}

static struct tk_archive_entry *add(struct tk_archive *archive, const struct header *header) {
    struct tk_archive_entry *entry = tk_archive_add(archive, header->path, header->path_len);
    if (!entry) return NULL;
    entry->member.state = state_of(header);
    entry->member.packed = header->packed;
    entry->member.size = header->size;
    entry->member.offset = header->local + archive->of.zip.shift;
    return entry;
}

static void set_bytes(struct tk_archive *archive, struct tk_member *member, uint64_t offset) {
    member->offset = offset;
    if (offset > archive->size) {
        member->state = TK_MEMBER_DAMAGED;
    } else if (member->packed > archive->size - offset) {
        member->packed = archive->size - offset;
        tk_archive_note(archive, "the zip file is cut or damaged; Tonkopf uses the rest of its last file");
    }
}

// ---- Without a directory -----------------------------------------------------------------------

static void take_scanned(struct tk_archive *archive, const uint8_t *bytes, size_t len) {
    if (len < LOCAL_LEN || !is(bytes, "PK\3\4")) return;
    uint32_t path_len = tk_read_u16(bytes + 26), extra_len = tk_read_u16(bytes + 28);
    uint64_t offset = archive->at + LOCAL_LEN + path_len + extra_len;
    if (len < (size_t)LOCAL_LEN + path_len + extra_len || offset > archive->size) return;
    struct header header = { .path = bytes + LOCAL_LEN,
                             .path_len = path_len,
                             .extra = bytes + LOCAL_LEN + path_len,
                             .extra_len = extra_len,
                             .flags = tk_read_u16(bytes + 6),
                             .method = tk_read_u16(bytes + 8),
                             .packed = tk_read_u32(bytes + 18),
                             .size = tk_read_u32(bytes + 22) };
    read_extra(&header);
    bool open = header.flags & FLAG_DESCRIPTOR && !header.packed;
    if (open || header.packed > archive->size - offset) header.packed = archive->size - offset;
    struct tk_archive_entry *entry = add(archive, &header);
    if (entry) set_bytes(archive, &entry->member, offset);
    uint64_t next = offset + header.packed;
    if (!open && next < archive->size) tk_archive_want(archive, next, SCAN_LEN, take_scanned);
}

static void scan(struct tk_archive *archive) {
    tk_archive_note(archive,
                    "the directory at the end of the zip file is missing or damaged; Tonkopf uses the part before");
    archive->of.zip.shift = 0;
    tk_archive_want(archive, 0, SCAN_LEN, take_scanned);
}

// ---- The members' own headers ------------------------------------------------------------------

static void want_local(struct tk_archive *archive);

static void take_local(struct tk_archive *archive, const uint8_t *bytes, size_t len) {
    struct tk_member *member = &archive->entries[archive->of.zip.next++].member;
    if (len < LOCAL_LEN || !is(bytes, "PK\3\4")) member->state = TK_MEMBER_DAMAGED;
    else set_bytes(archive, member, member->offset + LOCAL_LEN + tk_read_u16(bytes + 26) + tk_read_u16(bytes + 28));
    want_local(archive);
}

static void want_local(struct tk_archive *archive) {
    while (archive->of.zip.next < archive->count) {
        struct tk_member *member = &archive->entries[archive->of.zip.next].member;
        if (member->offset < archive->size) {
            tk_archive_want(archive, member->offset, LOCAL_LEN, take_local);
            return;
        }
        member->state = TK_MEMBER_DAMAGED;
        archive->of.zip.next++;
    }
}

// ---- The directory -----------------------------------------------------------------------------

// Returns the length of the entry; 0 if it is cut or invalid.
static size_t take_entry(struct tk_archive *archive, const uint8_t *at, size_t len) {
    if (len < ENTRY_LEN || !is(at, "PK\1\2")) return 0;
    struct header header = { .path = at + ENTRY_LEN,
                             .path_len = tk_read_u16(at + 28),
                             .extra_len = tk_read_u16(at + 30),
                             .flags = tk_read_u16(at + 8),
                             .method = tk_read_u16(at + 10),
                             .packed = tk_read_u32(at + 20),
                             .size = tk_read_u32(at + 24),
                             .local = tk_read_u32(at + 42) };
    size_t whole = (size_t)ENTRY_LEN + header.path_len + header.extra_len + tk_read_u16(at + 32);
    if (len < whole) return 0;
    header.extra = header.path + header.path_len;
    read_extra(&header);
    (void)add(archive, &header);
    return whole;
}

static void take_directory(struct tk_archive *archive, const uint8_t *bytes, size_t len) {
    size_t at = 0;
    for (size_t used; (used = take_entry(archive, bytes + at, len - at)) > 0;) at += used;
    uint64_t next = archive->at + at;
    uint64_t left = archive->of.zip.directory_end > next ? archive->of.zip.directory_end - next : 0;
    if (left && at) {
        tk_archive_want(archive, next, left < DIRECTORY_LEN ? (size_t)left : DIRECTORY_LEN, take_directory);
        return;
    }
    if (left && !archive->count) {
        scan(archive);
        return;
    }
    if (left) tk_archive_note(archive, "the directory of the zip file is damaged; Tonkopf uses the part before");
    want_local(archive);
}

static void want_directory(struct tk_archive *archive, uint64_t at, uint64_t len) {
    if (at > archive->size || len > archive->size - at) {
        scan(archive);
        return;
    }
    archive->of.zip.directory_end = at + len;
    if (len) tk_archive_want(archive, at, len < DIRECTORY_LEN ? (size_t)len : DIRECTORY_LEN, take_directory);
}

// ---- The end -----------------------------------------------------------------------------------

static void take_end64(struct tk_archive *archive, const uint8_t *bytes, size_t len) {
    if (len < END64_LEN || !is(bytes, "PK\6\6")) scan(archive);
    else want_directory(archive, tk_read_u64(bytes + 48), tk_read_u64(bytes + 40));
}

// end: the end record; at: its offset in the file.
static void take_end(struct tk_archive *archive, const uint8_t *end, uint64_t at) {
    uint64_t len = tk_read_u32(end + 12), offset = tk_read_u32(end + 16);
    if (len > at || offset > at - len) {
        scan(archive);
        return;
    }
    archive->of.zip.shift = at - len - offset;
    want_directory(archive, at - len, len);
}

static void take_tail(struct tk_archive *archive, const uint8_t *bytes, size_t len) {
    for (size_t i = len < END_LEN ? 0 : len - END_LEN + 1; i--;) {
        if (!is(bytes + i, "PK\5\6") || tk_read_u16(bytes + i + 20) > len - i - END_LEN) continue;
        if (i >= LOCATOR_LEN && is(bytes + i - LOCATOR_LEN, "PK\6\7")) {
            tk_archive_want(archive, tk_read_u64(bytes + i - LOCATOR_LEN + 8), END64_LEN, take_end64);
        } else {
            take_end(archive, bytes + i, archive->at + i);
        }
        return;
    }
    scan(archive);
}

void tk_zip_begin(struct tk_archive *archive) {
    if (archive->size == UINT64_MAX) {
        tk_archive_note(archive, "a zip file is read from its end, which this source cannot reach");
        return;
    }
    size_t len = archive->size < TAIL_LEN ? (size_t)archive->size : TAIL_LEN;
    tk_archive_want(archive, archive->size - len, len, take_tail);
}
