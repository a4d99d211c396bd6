// SPDX-License-Identifier: MIT
//
// Serves the page on 127.0.0.1 with the bytes of a recording that grows, so that its timeline is live for every source.
#ifndef CLI_LIVE_H
#define CLI_LIVE_H

#include <stdbool.h>

struct live;

#ifdef CLI_SERVE
// Serves the page in `folder` (NULL: the installed one) and the file `path`, to which another part of the program
// appends. Prints the address; open: also opens the browser. Returns NULL after a message.
struct live *live_open(const char *path, const char *folder, bool open);
// Ends the stream: the file is complete. Waits a short time for the pages that still read. live may be NULL.
void live_close(struct live *live);
#else // without libmicrohttpd there is no option that asks for it
static inline struct live *live_open(const char *path, const char *folder, bool open) {
    (void)path, (void)folder, (void)open;
    return NULL;
}
static inline void live_close(struct live *live) { (void)live; }
#endif

#endif
