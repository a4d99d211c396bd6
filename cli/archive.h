// SPDX-License-Identifier: MIT
//
// A zip or tar file among the sources gives way to the files in it.
#ifndef CLI_ARCHIVE_H
#define CLI_ARCHIVE_H

#include "source.h"

// `reader` is at the beginning of the file. *out_is_archive: there are files in it; those that can be read
// were appended to the list, and the others named in messages. False: a message was printed.
bool archive_list(struct source_list *list, const struct source *source, plain *reader, bool *out_is_archive);

#endif
