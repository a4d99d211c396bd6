// SPDX-License-Identifier: MIT
//
// A running target as a source of bytes: finds it again when it or its connection restarts.
#ifndef CLI_TARGET_H
#define CLI_TARGET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct target;

enum target_state {
    TARGET_WAITING, // nothing is there yet
    TARGET_RUNNING,
    TARGET_GONE, // the connection broke; it is tried again
    TARGET_ENDED // no more bytes will come
};

// Range of the target's memory that a debugger reads.
struct target_memory {
    uint64_t begin, len;
};

// Reads where the bytes come from:
//   -                          standard input, or a pipe or device by its path
//   tcp:HOST:PORT              a server that sends the bytes
//   jlink:HOST:PORT/CHANNEL    the telnet server of J-Link software, with the channel of RTT
//   serial:PORT@BAUD           a serial port
//   gdb:HOST:PORT              memory, read once through a debugger's server; the target is halted meanwhile
// Opens nothing yet. Returns NULL after a message.
struct target *target_new(const char *source, struct target_memory memory);
// Returns true if the source reads memory through a debugger.
bool target_is_memory(const struct target *target);
const char *target_name(const struct target *target);

// Reads what has arrived; waits for it up to wait_ms. Returns the number of bytes; 0: nothing arrived; -1: the end
// (TARGET_ENDED). A message reports each change of the state.
int64_t target_read(struct target *target, void *bytes, size_t len, int wait_ms);
enum target_state target_state(const struct target *target);
uint64_t target_received(const struct target *target); // number of bytes that target_read has returned
// Returns false if the end came by a failure; a message reported it.
bool target_ended_well(const struct target *target);
uint64_t target_line_errors(const struct target *target); // of a serial port, since the program was started
void target_free(struct target *target);                  // NULL is allowed

#endif
