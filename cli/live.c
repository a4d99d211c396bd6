// SPDX-License-Identifier: MIT
#include "live.h"

#include "http.h"
#include "message.h"
#include "platform.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Browsers keep settings and recordings for each port: the page finds them again if the port stays the same.
enum { PORT = 9004, ANY_PORT = 0 };
enum { BLOCK = 64 * 1024, LOOK_MS = 5, LINGER_MS = 2000, PATH_MOST = 1024 };

#ifndef CLI_PAGE_FOLDER
#define CLI_PAGE_FOLDER ""
#endif

struct live {
    const char *path, *folder;
    char token[HTTP_TOKEN];
    struct MHD_Daemon *server;
    uint16_t port;
    atomic_bool has_ended;
};

// ---- The stream ----------------------------------------------------------------------------------

struct reading {
    struct live *live;
    int fd;
};

// Reads what was appended to the recording; waits for it. The server has a thread for each connection.
static ssize_t read_on(void *ctx, uint64_t at, char *out, size_t most) {
    (void)at;
    const struct reading *reading = ctx;
    for (;;) {
        bool has_ended = atomic_load(&reading->live->has_ended); // asked before the read, which then finds all bytes
        int64_t got = plat_read_file(reading->fd, out, most);
        if (got > 0) return (ssize_t)got;
        if (got < 0) return MHD_CONTENT_READER_END_WITH_ERROR;
        if (has_ended) return MHD_CONTENT_READER_END_OF_STREAM;
        plat_sleep_ms(LOOK_MS);
    }
}

static void end_reading(void *ctx) {
    struct reading *reading = ctx;
    plat_close(reading->fd);
    free(reading);
}

static struct MHD_Response *stream_response(struct live *live) {
    struct reading *reading = malloc(sizeof *reading);
    if (!reading) return NULL;
    *reading = (struct reading){ live, plat_open_read(live->path) };
    struct MHD_Response *response =
        reading->fd < 0 ? NULL
                        : MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, BLOCK, read_on, reading, end_reading);
    if (response) {
        MHD_add_response_header(response, "Content-Type", "application/octet-stream");
        return response;
    }
    if (reading->fd >= 0) plat_close(reading->fd);
    free(reading);
    return NULL;
}

// ---- The page ------------------------------------------------------------------------------------

static const char *type_of(const char *name) {
    static const char *const types[][2] = { { ".html", "text/html; charset=utf-8" },
                                            { ".js", "text/javascript" },
                                            { ".css", "text/css" },
                                            { ".wasm", "application/wasm" },
                                            { ".svg", "image/svg+xml" },
                                            { ".webmanifest", "application/manifest+json" },
                                            { ".txt", "text/plain; charset=utf-8" },
                                            { ".png", "image/png" } };
    size_t len = strlen(name);
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        size_t end = strlen(types[i][0]);
        if (len >= end && strcmp(name + len - end, types[i][0]) == 0) return types[i][1];
    }
    return "application/octet-stream";
}

// Returns true for the name of a file below the folder: plain characters, and no part that begins with a dot.
static bool is_plain(const char *name) {
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_./";
    return name[strspn(name, plain)] == 0 && name[0] != '.' && name[0] != '/' && !strstr(name, "/.") &&
           !strstr(name, "//");
}

static struct MHD_Response *file_response(const struct live *live, const char *name) {
    char path[PATH_MOST];
    uint64_t size = 0;
    int len = snprintf(path, sizeof path, "%s/%s", live->folder, name);
    if (len < 0 || (size_t)len >= sizeof path || plat_path_kind(path) != PLAT_FILE) return NULL;
    int fd = plat_open_read(path);
    if (fd < 0) return NULL;
    struct MHD_Response *response =
        plat_fd_kind(fd, &size) == PLAT_FILE ? MHD_create_response_from_fd64(size, fd) : NULL;
    if (response) MHD_add_response_header(response, "Content-Type", type_of(name));
    else plat_close(fd);
    return response;
}

static enum MHD_Result answer(void *ctx, struct MHD_Connection *connection, const char *path, const char *method,
                              const char *version, const char *body, size_t *body_len, void **slot) {
    (void)version, (void)body, (void)body_len;
    struct live *live = ctx;
    static int begun;
    if (!*slot) { // called once for the head of a request, then for its body
        *slot = &begun;
        return MHD_YES;
    }
    const char *name = NULL;
    unsigned code = http_name_of(connection, live->port, live->token, path, method, &name);
    if (code != MHD_HTTP_OK) return http_refuse(connection, code);
    struct MHD_Response *response = strcmp(name, "stream") == 0 ? stream_response(live)
                                    : !*name                    ? file_response(live, "index.html")
                                    : is_plain(name)            ? file_response(live, name)
                                                                : NULL;
    if (!response) return http_refuse(connection, MHD_HTTP_NOT_FOUND);
    MHD_add_response_header(response, "Cross-Origin-Resource-Policy", "same-origin");
    MHD_add_response_header(response, "Content-Security-Policy", "frame-ancestors 'none'");
    MHD_add_response_header(response, "Referrer-Policy", "no-referrer");
    return http_send(connection, MHD_HTTP_OK, response);
}

// ---- The server ----------------------------------------------------------------------------------

static bool has_page(const char *folder) {
    char path[PATH_MOST];
    int len = snprintf(path, sizeof path, "%s/index.html", folder);
    if (*folder && len > 0 && (size_t)len < sizeof path && plat_path_kind(path) == PLAT_FILE) return true;
    message_error("%s%sthe page is not there; --page names the folder with its index.html", folder,
                  *folder ? ": " : "");
    return false;
}

static struct MHD_Daemon *start_server(struct live *live, uint16_t port) {
    return http_start(port, MHD_USE_THREAD_PER_CONNECTION, 0, answer, NULL, live);
}

struct live *live_open(const char *path, const char *folder, bool open) {
    struct live *live = calloc(1, sizeof *live);
    if (!live) {
        message_error("out of memory");
        return NULL;
    }
    *live = (struct live){ .path = path, .folder = folder ? folder : CLI_PAGE_FOLDER };
    atomic_init(&live->has_ended, false);
    bool ok = has_page(live->folder);
    if (ok && http_make_token(live->token)) {
        live->server = start_server(live, PORT);
        if (!live->server) live->server = start_server(live, ANY_PORT); // another program uses it
    }
    if (!live->server) {
        if (ok) message_error("no port of 127.0.0.1 can be opened: %s", plat_error());
        free(live);
        return NULL;
    }
    live->port = http_port(live->server);
    char link[120];
    snprintf(link, sizeof link, "http://127.0.0.1:%u/%s/#live", (unsigned)live->port, live->token);
    message_info("watch it at %s", link);
    if (open && !plat_open_browser(link)) message_warn("no browser could be started; open the link yourself");
    return live;
}

void live_close(struct live *live) {
    if (!live) return;
    atomic_store(&live->has_ended, true);
    for (int waited = 0; waited < LINGER_MS && http_connections(live->server); waited += 50) plat_sleep_ms(50);
    MHD_stop_daemon(live->server);
    free(live);
}
