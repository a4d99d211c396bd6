// SPDX-License-Identifier: MIT
//
// What the readers of zip and tar share: the list that they fill, and the range of the file that they ask for next.
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
    uint64_t size; // of the file; UINT64_MAX: unknown
    // What is wanted next, and who takes it; no step: all is known.
    uint64_t at;
    size_t len;
    tk_archive_step step;
    uint32_t steps;
    struct tk_archive_entry *entries;
    uint32_t count, capacity;
    const char *problem; // static; NULL: none
    union {
        struct {
            uint64_t shift; // of all offsets in the directory: bytes in front of the archive
            uint64_t directory_end;
            uint32_t next; // entry whose bytes are to be found
        } zip;
        struct {
            uint64_t header;               // where the current one begins
            uint64_t next;                 // ... and the next one
            char path[TK_MEMBER_PATH_LEN]; // from an entry in front of this one; "": none
            uint64_t size;                 // likewise; UINT64_MAX: none
        } tar;
    } of;
};

void tk_archive_want(struct tk_archive *archive, uint64_t at, size_t len, tk_archive_step step);
void tk_archive_note(struct tk_archive *archive, const char *problem); // the first one is kept
// A file that could be a recording: not a folder, not hidden. NULL: left out, or no room for it.
struct tk_archive_entry *tk_archive_add(struct tk_archive *archive, const uint8_t *path, size_t len);

void tk_zip_begin(struct tk_archive *archive);
void tk_tar_begin(struct tk_archive *archive);

static inline uint32_t tk_read_u16(const uint8_t *at) { return at[0] | (uint32_t)at[1] << 8; }
static inline uint32_t tk_read_u32(const uint8_t *at) { return tk_read_u16(at) | tk_read_u16(at + 2) << 16; }
static inline uint64_t tk_read_u64(const uint8_t *at) { return tk_read_u32(at) | (uint64_t)tk_read_u32(at + 4) << 32; }

#endif
