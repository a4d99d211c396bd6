// SPDX-License-Identifier: MIT
//
// Servers on 127.0.0.1, for serve and record.
#ifndef CLI_HTTP_H
#define CLI_HTTP_H

#include <microhttpd.h>
#include <stdbool.h>
#include <stdint.h>

enum { HTTP_TOKEN = 33 }; // size of a token, with its NUL

// Makes a part of an address that other programs cannot guess.
bool http_make_token(char out_token[HTTP_TOKEN]);

// Starts a server on a port of 127.0.0.1 (0: any free one). No other program can listen on this port at the same time.
// flags: further flags of MHD_start_daemon. idle_s: a connection without data for so many seconds is closed, so that it
// does not block others; 0: never. completed may be NULL. ctx: of both callbacks. Returns NULL on failure.
struct MHD_Daemon *http_start(uint16_t port, unsigned flags, unsigned idle_s, MHD_AccessHandlerCallback handler,
                              MHD_RequestCompletedCallback completed, void *ctx);
bool http_is_port_busy(void); // returns true if http_start failed because another program uses the port
uint16_t http_port(struct MHD_Daemon *daemon);
unsigned http_connections(struct MHD_Daemon *daemon);

const char *http_header(struct MHD_Connection *connection, const char *name); // "": the request has none
// Returns true if the request names 127.0.0.1 and this port as its host. A request through an attacker's domain that
// resolves to 127.0.0.1 (DNS rebinding) names that domain.
bool http_host_is(struct MHD_Connection *connection, uint16_t port);
// Validates a GET request for /TOKEN/NAME on this port. Returns MHD_HTTP_OK and the name, which is a part of `path` and
// may be empty; otherwise the code of the refusal.
unsigned http_name_of(struct MHD_Connection *connection, uint16_t port, const char *token, const char *path,
                      const char *method, const char **out_name);

struct MHD_Response *http_text(const char *text);
// Sends a response and frees it. NULL: closes the connection.
enum MHD_Result http_send(struct MHD_Connection *connection, unsigned code, struct MHD_Response *response);
enum MHD_Result http_refuse(struct MHD_Connection *connection, unsigned code);

#endif
