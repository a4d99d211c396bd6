// SPDX-License-Identifier: MIT
//
// Listing zip, tar and files of several cores. Byte 0: bits 0 and 2 the kind, bit 1: the size is unknown. For any
// claims of the file, the requested ranges are short and few, those of tar ascend, and the paths are printable.
#include <string.h>

#include "base/utf8.h"
#include "common/check.h"
#include "common/heap.h"
#include "tonkopf.h"

static void check_members(const tk_archive *archive, uint64_t size) {
    struct tk_member member;
    check(tk_archive_count(archive) <= 1000);
    for (uint32_t i = 0; tk_archive_member(archive, i, &member); i++) {
        check(strlen(member.path) > 0 && strlen(member.path) < 256);
        check(tk_utf8_is_clean((const uint8_t *)member.path, strlen(member.path)));
        if (tk_member_reason(member.state)[0]) continue;
        check(size == UINT64_MAX || (member.offset <= size && member.packed <= size - member.offset));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len) {
    if (len < 1) return 0;
    tk_archive_kind kind = data[0] & 1 ? TK_ARCHIVE_ZIP : data[0] & 4 ? TK_ARCHIVE_PARTS : TK_ARCHIVE_TAR;
    bool unknown = data[0] & 2;
    const struct tk_allocator allocator = heap_allocator();
    tk_archive *archive;
    data++;
    len--;
    check(tk_archive_new(&allocator, kind, unknown ? UINT64_MAX : len, &archive) == TK_OK);
    uint64_t offset, before = 0;
    size_t wanted;
    for (uint32_t steps = 0; tk_archive_wanted(archive, &offset, &wanted); steps++) {
        check(steps <= 100000 && wanted <= 256 * 1024);
        check(kind == TK_ARCHIVE_ZIP || offset >= before);
        before = offset + wanted;
        size_t got = offset >= len ? 0 : len - (size_t)offset < wanted ? len - (size_t)offset : wanted;
        unsigned char *copy = heap_copy(data + (got ? offset : 0), got);
        check(tk_archive_feed(archive, copy, got) == TK_OK);
        heap_drop(copy, got);
    }
    check_members(archive, unknown ? UINT64_MAX : len);
    check(tk_utf8_is_clean((const uint8_t *)tk_archive_problem(archive), strlen(tk_archive_problem(archive))));
    tk_archive_free(archive);
    heap_reset();
    return 0;
}
