// SPDX-License-Identifier: MIT
//
// Shared by the readers of zip, tar and files of several cores: the list of members and the range of the file that the
// reader needs next.
#ifndef TK_ARCHIVE_ARCHIVE_H
#define TK_ARCHIVE_ARCHIVE_H

#include "base/alloc.h"
#include "tonkopf.h"

enum { TK_MEMBER_PATH_LEN = 256, TK_MAX_MEMBERS = 1000, TK_MAX_ARCHIVE_STEPS = 100000 };

struct tk_archive_entry {
    struct tk_member member;
    char path[TK_MEMBER_PATH_LEN];
};

typedef void (*tk_archive_step)(struct tk_archive *archive, const uint8_t *bytes, size_t len);

struct tk_archive {
    struct tk_alloc alloc;
    uint64_t size; // size of the file in bytes; UINT64_MAX: unknown
    // The range to read next and the function that takes its bytes; step NULL: all members are known.
    uint64_t at;
    size_t len;
    tk_archive_step step;
    uint32_t steps;
    struct tk_archive_entry *entries;
    uint32_t count, capacity;
    const char *problem; // static text that describes damage; NULL: none
    union {
        struct {
            uint64_t shift; // added to all offsets in the directory: number of bytes before the archive
            uint64_t directory_end;
            uint32_t next; // index of the entry whose local header is read next
        } zip;
        struct {
            uint64_t header;               // offset of the current header
            uint64_t next;                 // offset of the next header
            char path[TK_MEMBER_PATH_LEN]; // path for the next member, from a preceding GNU or pax entry; "": none
            uint64_t size;                 // size for the next member, from a preceding pax entry; UINT64_MAX: none
        } tar;
    } of;
};

void tk_archive_want(struct tk_archive *archive, uint64_t at, size_t len, tk_archive_step step);
void tk_archive_note(struct tk_archive *archive, const char *problem); // keeps the first problem
// Adds a member that could be a recording. Returns NULL for folders and hidden files, and when the list is full or out
// of memory.
struct tk_archive_entry *tk_archive_add(struct tk_archive *archive, const uint8_t *path, size_t len);

void tk_zip_begin(struct tk_archive *archive);
void tk_tar_begin(struct tk_archive *archive);
void tk_parts_begin(struct tk_archive *archive);
// Returns true for the first bytes of a file whose header tells where the streams of its cores begin.
bool tk_parts_begin_here(const uint8_t *head, size_t len);

static inline uint32_t tk_read_u16(const uint8_t *at) { return at[0] | (uint32_t)at[1] << 8; }
static inline uint32_t tk_read_u32(const uint8_t *at) { return tk_read_u16(at) | tk_read_u16(at + 2) << 16; }
static inline uint64_t tk_read_u64(const uint8_t *at) { return tk_read_u32(at) | (uint64_t)tk_read_u32(at + 4) << 32; }

#endif
