// SPDX-License-Identifier: MIT
#include "archive.h"

#include "base/utf8.h"

#include <string.h>

tk_archive_kind tk_archive_probe(const uint8_t *head, size_t len) {
    if (len >= 22 && (!memcmp(head, "PK\3\4", 4) || !memcmp(head, "PK\5\6", 4))) return TK_ARCHIVE_ZIP;
    if (len >= 512 && !memcmp(head + 257, "ustar", 5)) return TK_ARCHIVE_TAR;
    return tk_parts_begin_here(head, len) ? TK_ARCHIVE_PARTS : TK_ARCHIVE_NONE;
}

tk_status tk_archive_new(const struct tk_allocator *allocator, tk_archive_kind kind, uint64_t size,
                         tk_archive **out_archive) {
    if (!out_archive) return TK_MISUSE;
    static void (*const begin[])(struct tk_archive *) = {
        [TK_ARCHIVE_ZIP] = tk_zip_begin, [TK_ARCHIVE_TAR] = tk_tar_begin, [TK_ARCHIVE_PARTS] = tk_parts_begin
    };
    *out_archive = NULL;
    if (!allocator || !allocator->realloc || (unsigned)kind >= sizeof begin / sizeof *begin || !begin[kind])
        return TK_MISUSE;
    struct tk_alloc alloc = { .realloc = allocator->realloc, .ctx = allocator->ctx };
    tk_archive *archive = tk_alloc_zero(&alloc, sizeof *archive);
    if (!archive) return TK_NO_MEMORY;
    archive->alloc = alloc;
    archive->size = size;
    begin[kind](archive);
    *out_archive = archive;
    return TK_OK;
}

void tk_archive_free(tk_archive *archive) {
    if (!archive) return;
    struct tk_alloc alloc = archive->alloc;
    tk_alloc_free(&alloc, archive->entries, archive->capacity * sizeof *archive->entries);
    tk_alloc_free(&alloc, archive, sizeof *archive);
}

void tk_archive_note(struct tk_archive *archive, const char *problem) {
    if (!archive->problem) archive->problem = problem;
}

void tk_archive_want(struct tk_archive *archive, uint64_t at, size_t len, tk_archive_step step) {
    if (++archive->steps > TK_MAX_ARCHIVE_STEPS) {
        tk_archive_note(archive, "the archive has too many entries; Tonkopf ignores the rest");
        return;
    }
    archive->at = at;
    archive->len = len;
    archive->step = step;
}

bool tk_archive_wanted(const tk_archive *archive, uint64_t *out_offset, size_t *out_len) {
    if (!archive || !archive->step || archive->alloc.failed) return false;
    *out_offset = archive->at;
    *out_len = archive->len;
    return true;
}

tk_status tk_archive_feed(tk_archive *archive, const uint8_t *bytes, size_t len) {
    if (!archive || (len && !bytes) || !archive->step || len > archive->len) return TK_MISUSE;
    tk_archive_step step = archive->step;
    archive->step = NULL;
    step(archive, bytes, len);
    return archive->alloc.failed ? TK_NO_MEMORY : TK_OK;
}

// Keeps the last part of a path that is too long, because it contains the file name.
static void set_path(struct tk_archive_entry *entry, const uint8_t *path, size_t len) {
    if (len >= TK_MEMBER_PATH_LEN) {
        path += len - (TK_MEMBER_PATH_LEN - 1);
        len = TK_MEMBER_PATH_LEN - 1;
    }
    for (size_t i = 0; i < len; i++) entry->path[i] = (char)(path[i] < ' ' || path[i] == 0x7F ? '?' : path[i]);
    entry->path[len] = 0;
    if (tk_utf8_is_clean((const uint8_t *)entry->path, len)) return;
    for (size_t i = 0; i < len; i++) {
        if ((uint8_t)entry->path[i] >= 0x80) entry->path[i] = '?';
    }
}

static bool is_hidden(const uint8_t *path, size_t len) {
    size_t from = len;
    while (from && path[from - 1] != '/') from--;
    return from == len || path[from] == '.';
}

struct tk_archive_entry *tk_archive_add(struct tk_archive *archive, const uint8_t *path, size_t len) {
    if (is_hidden(path, len)) return NULL;
    if (archive->count == TK_MAX_MEMBERS) {
        tk_archive_note(archive, "the archive has more than 1000 files; Tonkopf ignores the rest");
        return NULL;
    }
    if (!tk_alloc_grow(&archive->alloc, (void **)&archive->entries, &archive->capacity, archive->count + 1,
                       sizeof *archive->entries))
        return NULL;
    struct tk_archive_entry *entry = &archive->entries[archive->count++];
    entry->member.core = -1;
    set_path(entry, path, len);
    return entry;
}

uint32_t tk_archive_count(const tk_archive *archive) { return archive ? archive->count : 0; }

bool tk_archive_member(const tk_archive *archive, uint32_t index, struct tk_member *out_member) {
    if (!archive || index >= archive->count) return false;
    *out_member = archive->entries[index].member;
    out_member->path = archive->entries[index].path;
    return true;
}

const char *tk_archive_problem(const tk_archive *archive) {
    return archive && archive->problem ? archive->problem : "";
}

const char *tk_member_reason(tk_member_state state) {
    static const char *const reasons[] = { "", "", "it is encrypted; unpack it yourself",
                                           "its compression method is unknown; unpack it yourself",
                                           "its position in the archive is damaged" };
    return (unsigned)state < sizeof reasons / sizeof *reasons ? reasons[state] : "";
}
