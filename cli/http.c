// SPDX-License-Identifier: MIT
#include "http.h"

#include "platform.h"

#ifdef _WIN32
#include <winsock2.h>
#else
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>
#endif

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { TOKEN_BYTES = (HTTP_TOKEN - 1) / 2, CONNECTIONS = 32 };

bool http_make_token(char out_token[HTTP_TOKEN]) {
    uint8_t bytes[TOKEN_BYTES];
    if (!plat_random(bytes, sizeof bytes)) return false;
    for (int i = 0; i < TOKEN_BYTES; i++) snprintf(out_token + 2 * i, 3, "%02x", bytes[i]);
    return true;
}

// ---- Servers -------------------------------------------------------------------------------------

// Keeps the escapes in paths, so that an escaped NUL or slash cannot end or split a path. The paths that Tonkopf serves
// need no escapes.
static size_t keep_escapes(void *ctx, struct MHD_Connection *connection, char *text) {
    (void)ctx, (void)connection;
    return strlen(text);
}

#ifdef _WIN32
// Without SO_EXCLUSIVEADDRUSE, Windows lets a second program bind the same port.
enum { BIND_OPTION = SO_EXCLUSIVEADDRUSE };

bool http_is_port_busy(void) { return WSAGetLastError() == WSAEADDRINUSE || WSAGetLastError() == WSAEACCES; }

static bool keep_from_children(MHD_socket fd) { return SetHandleInformation((HANDLE)fd, HANDLE_FLAG_INHERIT, 0); }

static void close_socket(MHD_socket fd) {
    int error = WSAGetLastError();
    closesocket(fd);
    WSASetLastError(error);
}
#else
// SO_REUSEADDR allows a port whose last connections are still closing. SO_REUSEPORT would let a second program listen.
enum { BIND_OPTION = SO_REUSEADDR };

bool http_is_port_busy(void) { return errno == EADDRINUSE; }

// Prevents child processes from inheriting a socket. The browser that --open starts would keep the port busy.
static bool keep_from_children(MHD_socket fd) { return fcntl(fd, F_SETFD, FD_CLOEXEC) == 0; }

static void close_socket(MHD_socket fd) {
    int error = errno;
    close(fd);
    errno = error;
}
#endif

// Returns a socket that listens on a port of 127.0.0.1 (0: any free one). No other program can listen on this port at
// the same time. MHD_INVALID_SOCKET on failure.
static MHD_socket listen_alone(uint16_t port) {
    struct sockaddr_in address = { .sin_family = AF_INET,
                                   .sin_port = htons(port),
                                   .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    int on = 1;
    MHD_socket fd = socket(AF_INET, SOCK_STREAM, 0);
    if (fd == MHD_INVALID_SOCKET) return fd;
    if (keep_from_children(fd) && setsockopt(fd, SOL_SOCKET, BIND_OPTION, (const void *)&on, sizeof on) == 0 &&
        bind(fd, (const struct sockaddr *)&address, sizeof address) == 0 && listen(fd, SOMAXCONN) == 0)
        return fd;
    close_socket(fd);
    return MHD_INVALID_SOCKET;
}

struct MHD_Daemon *http_start(uint16_t port, unsigned flags, unsigned idle_s, MHD_AccessHandlerCallback handler,
                              MHD_RequestCompletedCallback completed, void *ctx) {
    MHD_socket fd = listen_alone(port);
    if (fd == MHD_INVALID_SOCKET) return NULL;
    return MHD_start_daemon(MHD_USE_INTERNAL_POLLING_THREAD | flags, 0, NULL, NULL, handler, ctx,
                            MHD_OPTION_LISTEN_SOCKET, fd, MHD_OPTION_NOTIFY_COMPLETED, completed, ctx,
                            MHD_OPTION_UNESCAPE_CALLBACK, keep_escapes, NULL, MHD_OPTION_CONNECTION_LIMIT,
                            (unsigned)CONNECTIONS, MHD_OPTION_CONNECTION_TIMEOUT, idle_s, MHD_OPTION_END);
}

uint16_t http_port(struct MHD_Daemon *daemon) {
    const union MHD_DaemonInfo *info = daemon ? MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_BIND_PORT) : NULL;
    return info ? info->port : 0;
}

unsigned http_connections(struct MHD_Daemon *daemon) {
    const union MHD_DaemonInfo *info = daemon ? MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_CURRENT_CONNECTIONS) : NULL;
    return info ? info->num_connections : 0;
}

// ---- Requests ------------------------------------------------------------------------------------

const char *http_header(struct MHD_Connection *connection, const char *name) {
    const char *value = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, name);
    return value ? value : "";
}

bool http_host_is(struct MHD_Connection *connection, uint16_t port) {
    char expected[32];
    snprintf(expected, sizeof expected, "127.0.0.1:%u", (unsigned)port);
    return strcmp(http_header(connection, "Host"), expected) == 0 ||
           (port == 80 && strcmp(http_header(connection, "Host"), "127.0.0.1") == 0);
}

unsigned http_name_of(struct MHD_Connection *connection, uint16_t port, const char *token, const char *path,
                      const char *method, const char **out_name) {
    size_t token_len = strlen(token);
    if (!http_host_is(connection, port)) return MHD_HTTP_FORBIDDEN;
    if (path[0] != '/' || strncmp(path + 1, token, token_len) != 0 || path[token_len + 1] != '/')
        return MHD_HTTP_NOT_FOUND;
    if (strcmp(method, "GET") != 0) return MHD_HTTP_METHOD_NOT_ALLOWED;
    *out_name = path + token_len + 2;
    return MHD_HTTP_OK;
}

struct MHD_Response *http_text(const char *text) {
    return MHD_create_response_from_buffer(strlen(text), (void *)(uintptr_t)text, MHD_RESPMEM_MUST_COPY);
}

enum MHD_Result http_send(struct MHD_Connection *connection, unsigned code, struct MHD_Response *response) {
    if (!response) return MHD_NO;
    MHD_add_response_header(response, "Cache-Control", "no-cache");
    MHD_add_response_header(response, "X-Content-Type-Options", "nosniff");
    MHD_add_response_header(response, "Connection", "close");
    enum MHD_Result result = MHD_queue_response(connection, code, response);
    MHD_destroy_response(response);
    return result;
}

enum MHD_Result http_refuse(struct MHD_Connection *connection, unsigned code) {
    return http_send(connection, code, http_text(""));
}
