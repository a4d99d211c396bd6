// SPDX-License-Identifier: MIT
//
// Reads a target's memory by the remote protocol of gdb (manual of gdb, "Remote Protocol").
#ifndef CLI_GDB_H
#define CLI_GDB_H

#include "bytes.h"
#include "connection.h"

// Halts the target, appends its memory from `begin` on to *out, and lets the target run on, also after a failure or if
// the user stops the program, twice even. Memory that cannot be read ends the range early; that is a success if at
// least one byte was read. Returns false after a message.
bool gdb_read_memory(connection *server, const char *name, uint64_t begin, uint64_t len, struct bytes *out);

#endif
