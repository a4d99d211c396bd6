// SPDX-License-Identifier: MIT
//
// Finds the sources that the user named: files, folders, patterns and standard input, with "@core".
#ifndef CLI_SOURCE_H
#define CLI_SOURCE_H

#include "options.h"
#include "platform.h"

struct source {
    char *path;       // "-": standard input
    const char *name; // name for users: "standard input", or the last part of the path; the whole path if two sources
                      // have the same last part
    bool is_file;     // `identity` is set
    struct plat_identity identity;
    int32_t core; // number of the core from PATH@N; -1: none
    bool is_side; // named by --with
    // State that the host keeps for each source:
    int fd;                  // -1: not open
    int copy;                // copy of a stream; -1: none
    bool is_stream, is_kept; // is_kept: the copy is complete
    uint64_t size, position;
    uint64_t read;     // bytes that were read from a stream
    bool is_recording; // belongs to the open output
};

struct sources {
    struct source *items; // sources that --with names come first
    size_t count;
    bool some_are_missing; // a name, folder or pattern matches no file; the exit code is then at least 3
};

// Finds the files that the user named. Expands folders, with --recursive also the folders in them, and patterns with *
// and ? that the shell did not expand. Returns an exit code; a message reports a failure.
int sources_find(const struct settings *settings, struct sources *out_sources);
// Returns true, after a message, if the file that `path` leads to ("-" or NULL: standard output) is one of the sources.
bool sources_have_output(const struct sources *sources, const char *path);
// Returns true if both paths, which may be NULL, lead to one file.
bool names_same_file(const char *a, const char *b);
void sources_release(struct sources *sources);

#endif
