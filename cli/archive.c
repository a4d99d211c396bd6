// SPDX-License-Identifier: MIT
#include "archive.h"

#include "message.h"

#include <stdlib.h>
#include <string.h>

enum { HEAD_LEN = 512, RANGE_LEN = 256 * 1024 };

static char *join(const char *archive, const char *member) {
    size_t len = strlen(archive) + strlen(member) + 2;
    char *name = malloc(len);
    if (name) snprintf(name, len, "%s/%s", archive, member);
    return name;
}

static char *copy_path(const char *path) {
    char *copy = malloc(strlen(path) + 1);
    if (copy) strcpy(copy, path);
    return copy;
}

static bool append(struct source_list *list, const struct source *archive, const struct tk_member *member, bool damaged,
                   bool first) {
    struct source *items = realloc(list->items, (list->count + 1) * sizeof *items);
    if (items) list->items = items;
    char *name = items ? join(archive->name, member->path) : NULL;
    char *path = name ? copy_path(archive->path) : NULL;
    if (!path) {
        free(name);
        message_error("out of memory");
        return false;
    }
    struct source *source = &list->items[list->count++];
    *source = (struct source){ .path = path,
                               .name = name,
                               .member_name = name,
                               .core = -1,
                               .from_folder = true,
                               .scratch = archive->scratch,
                               .owns_scratch = archive->owns_scratch && first,
                               .is_file = archive->is_file,
                               .identity = archive->identity,
                               .archive_damaged = damaged,
                               .in_archive = true,
                               .member = *member };
    source->member.path = name + strlen(archive->name) + 1; // the archive's own list goes
    return true;
}

// packing_damaged: what the archive is packed in, which was told.
static bool append_all(struct source_list *list, const struct source *archive, const tk_archive *found,
                       bool packing_damaged) {
    struct tk_member member;
    bool first = true;
    const char *problem = tk_archive_problem(found);
    bool damaged = packing_damaged || problem[0];
    if (!packing_damaged && problem[0]) message_warn("%s: %s", archive->name, problem);
    for (uint32_t i = 0; tk_archive_member(found, i, &member); i++) {
        const char *reason = tk_member_reason(member.state);
        if (reason[0]) message_warn("%s/%s: left out, %s", archive->name, member.path, reason);
        else if (append(list, archive, &member, damaged, first)) first = false;
        else return false;
    }
    return true;
}

// room: begins with the head of the file. Of what is packed the head cannot be read again.
static bool read_ranges(tk_archive *archive, plain *reader, uint8_t *room, size_t head_len) {
    uint64_t offset;
    size_t len;
    bool head = true;
    for (; tk_archive_wanted(archive, &offset, &len); head = false) {
        size_t got = head && offset == 0 && len == HEAD_LEN ? head_len : inflated_read_at(reader, offset, room, len);
        if (tk_archive_feed(archive, room, got) != TK_OK) return false;
    }
    if (inflated_is_gzip(reader)) inflated_read_at(reader, UINT64_MAX, room, 1); // its sum comes last
    return true;
}

bool archive_list(struct source_list *list, const struct source *source, plain *reader, bool *out_is_archive) {
    tk_archive *archive = NULL;
    uint8_t *room = malloc(RANGE_LEN);
    size_t head_len = room ? inflated_read_at(reader, 0, room, HEAD_LEN) : 0;
    bool packed = inflated_is_gzip(reader), ok = room != NULL;
    tk_archive_kind kind = tk_archive_probe(room, head_len);
    if (kind) {
        ok = tk_archive_new(tk_libc_allocator(), kind, packed ? UINT64_MAX : source->size, &archive) == TK_OK &&
             read_ranges(archive, reader, room, head_len) &&
             append_all(list, source, archive, inflated_is_damaged(reader));
    }
    *out_is_archive = tk_archive_count(archive) > 0;
    if (!ok) message_error("%s: out of memory", source->name);
    tk_archive_free(archive);
    free(room);
    return ok;
}
