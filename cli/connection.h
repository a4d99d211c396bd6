// SPDX-License-Identifier: MIT
//
// Connections that deliver the bytes of a target while it runs: TCP servers and serial ports.
// One implementation per system: connection_posix.c, connection_win32.c.
#ifndef CLI_CONNECTION_H
#define CLI_CONNECTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct connection connection;

// Connects to a TCP server. Each address of the host has 2 s to answer. Returns NULL with the reason in
// connection_error() if none accepts the connection, or if the user stops the program.
connection *connection_open_tcp(const char *host, const char *port);
// Opens a serial port for 8 data bits, no parity, one stop bit and no flow control. No other program can open it
// meanwhile. baud: any rate that the hardware can make. Returns NULL with the reason in connection_error().
connection *connection_open_serial(const char *port, uint32_t baud);

// Reads what has arrived; waits for it up to wait_ms. Returns the number of bytes; 0: nothing arrived; -1: the other
// end has closed the connection or is unplugged, with the reason in connection_error().
int64_t connection_read(connection *from, void *bytes, size_t len, int wait_ms);
// Writes to a TCP server, which must accept the bytes within 2 s. Returns false with the reason in connection_error().
bool connection_write(connection *to, const void *bytes, size_t len);
// Returns the number of framing, parity and overrun errors that the serial port has counted since it was opened; 0 also
// where the system does not count them.
uint64_t connection_line_errors(const connection *of);
void connection_close(connection *closed); // NULL is allowed

const char *connection_error(void); // describes the last failure

#endif
