// SPDX-License-Identifier: MIT
//
// What the user named: files, folders, standard input, with "@core". A text may hold several blocks of bytes;
// a stream reads one block of one source, decompressed and with text encodings decoded.
#ifndef CLI_SOURCE_H
#define CLI_SOURCE_H

#include "io.h"
#include "options.h"
#include "tonkopf.h"

struct source {
    char *path;       // "-": standard input
    const char *name; // for users: "standard input", else the last part of the path, or all of it when that is not
                      // enough to tell two apart
    bool is_file;     // identity says which
    struct plat_identity identity;
    int32_t core;     // from @N, else -1
    bool from_folder; // found in a folder or archive, not named: left out quietly when it is no recording
    bool live;        // can be read once only
    int scratch;      // copy of what is live and has to be read twice, else -1
    bool owns_scratch;
    bool unreadable;   // it could not be opened, and a message said so
    bool in_archive;   // `path` names a zip or tar with this member in it
    char *member_name; // archive/member, or NULL
    struct tk_member member;
    uint64_t size; // 0: unknown
    plain *once;   // live: the only reader, its head looked at
    enum tk_encoding_kind encoding;
    bool head_suffices; // live: what was looked at is a recording, so that what follows need not wait
    bool read_failed;
    bool damaged;         // the compressed data or the text; a message was printed
    bool archive_damaged; // what it lies in, likewise
    bool text_told;       // what there is to say about the text was said
};

struct source_list {
    struct source *items;
    size_t count;
};

// Expands folders, with those in them when `recursive`, and patterns that the shell left alone (* and ?). On failure a
// message was printed and the exit code returned; EXIT_INPUT: the others are in the list.
int sources_find(const struct text_list *inputs, bool recursive, struct source_list *out_list);
// Replaces archives by what is in them. False: a message was printed.
bool sources_unpack(struct source_list *list);
void sources_remove(struct source_list *list, size_t index);
// Gives those with the same last part of their path, in both lists together, their whole path as name.
void sources_make_names_unique(struct source_list *a, struct source_list *b);
void sources_release(struct source_list *list);

// First bytes, gzip removed; recognises the text encoding unless `encoding` names it. False: a message was printed.
bool source_look(struct source *source, const char *encoding, struct bytes *out_head, char out_reason[160]);
// Live sources: waits for more of the head. False: nothing more comes.
bool source_look_more(struct source *source, const char *encoding, struct bytes *head, char out_reason[160]);

// Live sources: all that came so far, once there are `len` bytes or no more come. They stay in memory until they are
// streamed.
const struct bytes *source_peek(struct source *source, size_t len);

// A reader for inflated_read_at of a file that lies on the disk as it is; NULL: it must be read from its first byte on.
plain *source_open_ranges(struct source *source);

typedef struct stream stream;

// A live source can be opened once. NULL: a message was printed.
stream *stream_open(struct source *source, uint32_t block);
// As inflated_next.
const uint8_t *stream_next(stream *stream, size_t *out_len);
bool stream_has_more(const stream *stream);    // that was read already
uint64_t stream_came_ns(const stream *stream); // when the last piece was read, by plat_now_ns; of a text the last one
                                               // of it
uint64_t stream_raw_bytes(const stream *stream);
void stream_close(stream *stream);

// Passes every block of a text-encoded source to a sink. False: a message was printed.
bool source_each_block(struct source *source, const struct tk_encoding_sink *sink);

// Copies what is left of a live source to a scratch file, so that it can be read again. False: a message was printed.
bool source_keep(struct source *source);

#endif
