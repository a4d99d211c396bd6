// SPDX-License-Identifier: MIT
//
// What the user named: files, folders, patterns and standard input, with "@core".
#ifndef CLI_SOURCE_H
#define CLI_SOURCE_H

#include "options.h"
#include "platform.h"

struct source {
    char *path;       // "-": standard input
    const char *name; // for users: "standard input", else the last part of the path, or all of it when that is not
                      // enough to tell two apart
    bool is_file;     // identity says which
    struct plat_identity identity;
    int32_t core; // from @N, else -1
};

struct source_list {
    struct source *items;
    size_t count;
};

struct sources {
    struct source_list inputs, sides; // sides: of --with
    bool some_are_missing;            // a name, folder or pattern that there is nothing behind: exit code 3 at the end
};

// Expands folders, with those in them when --recursive, and patterns that the shell left alone (* and ?). Returns an
// exit code; on failure a message was printed.
int sources_find(const struct settings *settings, struct sources *out_sources);
// The input that is also the file that `path` leads to ("-" or NULL: standard output), as a message; false: there is
// none.
bool sources_have_output(const struct sources *sources, const char *path);
void sources_release(struct sources *sources);

#endif
