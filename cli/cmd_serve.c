// SPDX-License-Identifier: MIT
#include "commands.h"
#include "handover.h"
#include "bytes.h"
#include "http.h"
#include "platform.h"
#include "message.h"
#include "serve.h"

#include <inttypes.h>
#include <microhttpd.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

// IDLE_S: a connection without data for this many seconds is closed, so that it does not block others.
enum { VIEWER_PORT = 9001, LINGER_MS = 3000, IDLE_S = 10 };

#define DEFAULT_VIEWER "https://ui.perfetto.dev"

struct serve {
    int fd;
    uint64_t size;
    char name[128]; // file name in URLs; plain ASCII
    char title[160];
    const char *viewer;
    char origin[300]; // scheme://host[:port] of the viewer
    char token[HTTP_TOKEN];
    struct bytes commands; // JSON of the startup commands, NUL-terminated
    struct bytes config;   // JSON for the hand-over page, NUL-terminated
    uint16_t direct_port, page_port;
    struct MHD_Daemon *direct, *page;
    atomic_bool fetched;
};

struct request {
    bool is_trace;
};

// ---- Text ----------------------------------------------------------------------------------------

static bool add(struct bytes *out, const char *text) { return bytes_append(out, text, strlen(text)); }

static bool add_encoded(struct bytes *out, const char *text) {
    static const char unreserved[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.~";
    bool ok = true;
    for (; *text; text++) {
        char code[4];
        if (strchr(unreserved, *text)) snprintf(code, sizeof code, "%c", *text);
        else snprintf(code, sizeof code, "%%%02X", (unsigned)(unsigned char)*text);
        ok = ok && add(out, code);
    }
    return ok;
}

static bool add_json_string(struct bytes *out, const char *text) {
    bool ok = add(out, "\"");
    for (; *text; text++) {
        char code[8];
        bool special = *text == '"' || *text == '\\' || (unsigned char)*text < 0x20;
        snprintf(code, sizeof code, special ? "\\u%04x" : "%c", (unsigned char)*text);
        ok = ok && add(out, code);
    }
    return ok && add(out, "\"");
}

static bool on_text(void *ctx, const char *text, size_t len) { return bytes_append(ctx, text, len); }

static bool make_config(struct serve *serve) {
    struct bytes *out = &serve->config;
    return add(out, "{\"viewer\":") && add_json_string(out, serve->viewer) && add(out, ",\"title\":") &&
           add_json_string(out, serve->title) && add(out, ",\"fileName\":") && add_json_string(out, serve->name) &&
           add(out, ",\"commands\":") && bytes_append(out, serve->commands.data, serve->commands.len - 1) &&
           bytes_append(out, "}", 2);
}

static void make_name(struct serve *serve, const char *path) {
    snprintf(serve->name, sizeof serve->name, "%s", plat_base_name(path));
    for (char *at = serve->name; *at; at++) {
        if (!strchr("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.", *at)) *at = '_';
    }
}

// Sets `origin` to the scheme://host[:port] of `viewer`. Returns false after a message if that is no HTTP address.
static bool make_origin(struct serve *serve) {
    const char *host = strstr(serve->viewer, "://");
    size_t len = host ? (size_t)(host + 3 - serve->viewer) + strcspn(host + 3, "/?#") : 0;
    bool is_http = strncmp(serve->viewer, "https://", 8) == 0 || strncmp(serve->viewer, "http://", 7) == 0;
    if (!is_http || len >= sizeof serve->origin || !host[3]) {
        message_error("--viewer takes an address such as https://ui.perfetto.dev, not \"%s\"", serve->viewer);
        return false;
    }
    memcpy(serve->origin, serve->viewer, len);
    serve->origin[len] = 0;
    return true;
}

// ---- Answers -------------------------------------------------------------------------------------

static struct MHD_Response *trace_response(const struct serve *serve) {
    int fd = plat_duplicate(serve->fd);
    if (fd < 0) return NULL;
    struct MHD_Response *response = MHD_create_response_from_fd64(serve->size, fd);
    if (response) MHD_add_response_header(response, "Content-Type", "application/octet-stream");
    else plat_close(fd);
    return response;
}

static void allow_viewer(const struct serve *serve, struct MHD_Response *response) {
    MHD_add_response_header(response, "Access-Control-Allow-Origin", serve->origin);
    MHD_add_response_header(response, "Vary", "Origin");
}

static enum MHD_Result answer_preflight(const struct serve *serve, struct MHD_Connection *connection) {
    struct MHD_Response *response = http_text("");
    if (!response) return MHD_NO;
    allow_viewer(serve, response);
    MHD_add_response_header(response, "Access-Control-Allow-Methods", "GET");
    MHD_add_response_header(response, "Access-Control-Allow-Private-Network", "true");
    return http_send(connection, MHD_HTTP_NO_CONTENT, response);
}

static enum MHD_Result answer_direct(struct serve *serve, struct MHD_Connection *connection, const char *path,
                                     const char *method, struct request *request) {
    if (!http_host_is(connection, serve->direct_port)) return http_refuse(connection, MHD_HTTP_FORBIDDEN);
    if (path[0] != '/' || strcmp(path + 1, serve->name) != 0) return http_refuse(connection, MHD_HTTP_NOT_FOUND);
    if (strcmp(http_header(connection, "Origin"), serve->origin) != 0)
        return http_refuse(connection, MHD_HTTP_FORBIDDEN);
    if (strcmp(method, "OPTIONS") == 0) return answer_preflight(serve, connection);
    if (strcmp(method, "GET") != 0) return http_refuse(connection, MHD_HTTP_METHOD_NOT_ALLOWED);
    struct MHD_Response *response = trace_response(serve);
    if (!response) return MHD_NO;
    allow_viewer(serve, response);
    request->is_trace = true;
    return http_send(connection, MHD_HTTP_OK, response);
}

static enum MHD_Result answer_static(struct MHD_Connection *connection, const void *bytes, size_t len,
                                     const char *type) {
    struct MHD_Response *response =
        MHD_create_response_from_buffer(len, (void *)(uintptr_t)bytes, MHD_RESPMEM_MUST_COPY);
    if (!response) return MHD_NO;
    MHD_add_response_header(response, "Content-Type", type);
    MHD_add_response_header(response, "Content-Security-Policy",
                            "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri "
                            "'none'; form-action 'none'; frame-ancestors 'none'");
    MHD_add_response_header(response, "Cross-Origin-Resource-Policy", "same-origin");
    MHD_add_response_header(response, "Referrer-Policy", "no-referrer");
    return http_send(connection, MHD_HTTP_OK, response);
}

static enum MHD_Result answer_page(struct serve *serve, struct MHD_Connection *connection, const char *path,
                                   const char *method, struct request *request) {
    const char *name = NULL;
    unsigned code = http_name_of(connection, serve->page_port, serve->token, path, method, &name);
    if (code != MHD_HTTP_OK) return http_refuse(connection, code);
    if (!*name)
        return answer_static(connection, handover_page_html, handover_page_html_len, "text/html; charset=utf-8");
    if (strcmp(name, "page.js") == 0)
        return answer_static(connection, handover_page_js, handover_page_js_len, "text/javascript; charset=utf-8");
    if (strcmp(name, "page.css") == 0)
        return answer_static(connection, handover_page_css, handover_page_css_len, "text/css; charset=utf-8");
    if (strcmp(name, "config.json") == 0)
        return answer_static(connection, serve->config.data, serve->config.len - 1, "application/json");
    if (strcmp(name, "trace") != 0) return http_refuse(connection, MHD_HTTP_NOT_FOUND);
    struct MHD_Response *response = trace_response(serve);
    if (!response) return MHD_NO;
    MHD_add_response_header(response, "Cross-Origin-Resource-Policy", "same-origin");
    request->is_trace = true;
    return http_send(connection, MHD_HTTP_OK, response);
}

// ---- The two servers -----------------------------------------------------------------------------

typedef enum MHD_Result (*answer_fn)(struct serve *, struct MHD_Connection *, const char *, const char *,
                                     struct request *);

static enum MHD_Result handle(struct serve *serve, struct MHD_Connection *connection, const char *path,
                              const char *method, void **request_slot, answer_fn answer) {
    if (!*request_slot) *request_slot = calloc(1, sizeof(struct request));
    return *request_slot ? answer(serve, connection, path, method, *request_slot) : MHD_NO;
}

static enum MHD_Result on_direct(void *ctx, struct MHD_Connection *connection, const char *path, const char *method,
                                 const char *version, const char *body, size_t *body_len, void **request_slot) {
    (void)version, (void)body, (void)body_len;
    return handle(ctx, connection, path, method, request_slot, answer_direct);
}

static enum MHD_Result on_page(void *ctx, struct MHD_Connection *connection, const char *path, const char *method,
                               const char *version, const char *body, size_t *body_len, void **request_slot) {
    (void)version, (void)body, (void)body_len;
    return handle(ctx, connection, path, method, request_slot, answer_page);
}

static void on_completed(void *ctx, struct MHD_Connection *connection, void **request_slot,
                         enum MHD_RequestTerminationCode how) {
    (void)connection;
    struct serve *serve = ctx;
    struct request *request = *request_slot;
    if (request && request->is_trace && how == MHD_REQUEST_TERMINATED_COMPLETED_OK) atomic_store(&serve->fetched, true);
    free(request);
    *request_slot = NULL;
}

// Starts the server that the viewer reads from directly. Returns false after a message if the user chose a port and it
// cannot be opened. Without a chosen port the user can still open the hand-over page, which uses any free port.
static bool start_direct(struct serve *serve, const struct settings *settings) {
    serve->direct_port = settings->port ? (uint16_t)settings->port : VIEWER_PORT;
    serve->direct = http_start(serve->direct_port, 0, IDLE_S, on_direct, on_completed, serve);
    if (serve->direct) return true;
    bool busy = http_is_port_busy();
    const char *problem = busy ? "is in use by another program" : "cannot be opened: ", *why = busy ? "" : plat_error();
    if (settings->port)
        message_error("port %u %s%s; choose another one with --port, or leave --port out", (unsigned)serve->direct_port,
                      problem, why);
    else message_warn("port %u %s%s; use the page instead", (unsigned)serve->direct_port, problem, why);
    return settings->port == 0;
}

static bool start_servers(struct serve *serve, const struct settings *settings) {
    if (!settings->hand_over && !start_direct(serve, settings)) return false;
    serve->page = http_start(0, 0, IDLE_S, on_page, on_completed, serve);
    serve->page_port = http_port(serve->page);
    if (!serve->direct && !serve->page) message_error("no port of 127.0.0.1 can be opened: %s", plat_error());
    return serve->direct || serve->page;
}

// Waits until the trace was fetched or the user stops the program, then up to LINGER_MS until the connections are
// closed: the system may still be sending the last bytes.
static void wait_until_fetched(struct serve *serve) {
    while (!atomic_load(&serve->fetched) && !plat_stop_requested()) plat_sleep_ms(50);
    for (int waited = 0; waited < LINGER_MS && !plat_stop_requested(); waited += 50) {
        if (http_connections(serve->direct) + http_connections(serve->page) == 0) break;
        plat_sleep_ms(50);
    }
}

// ---- Links ---------------------------------------------------------------------------------------

static bool make_direct_link(const struct serve *serve, struct bytes *out) {
    char address[200];
    snprintf(address, sizeof address,
             "/#!/?url=http://127.0.0.1:%u/%s&referrer=tonkopf&startupCommands=", (unsigned)serve->direct_port,
             serve->name);
    size_t viewer_len = strlen(serve->viewer);
    while (viewer_len > 0 && serve->viewer[viewer_len - 1] == '/') viewer_len--;
    return bytes_append(out, serve->viewer, viewer_len) && add(out, address) &&
           add_encoded(out, (const char *)serve->commands.data) && bytes_append(out, "", 1);
}

// Returns true on macOS: its usual browser, Safari, does not let https pages fetch from 127.0.0.1.
static bool prefers_page(void) {
#ifdef __APPLE__
    return true;
#else
    return false;
#endif
}

static bool tell_links(const struct serve *serve, bool open) {
    char page_link[120];
    struct bytes direct_link = { 0 };
    snprintf(page_link, sizeof page_link, "http://127.0.0.1:%u/%s/", (unsigned)serve->page_port, serve->token);
    if (!make_direct_link(serve, &direct_link)) return false;
    if (serve->direct) printf("%s\n", (char *)direct_link.data);
    if (serve->page) printf("%s%s\n", serve->direct ? "If the viewer stays empty: " : "", page_link);
    fflush(stdout);
    bool elsewhere = serve->direct && serve->direct_port != VIEWER_PORT &&
                     strncmp(serve->viewer, DEFAULT_VIEWER, strlen(DEFAULT_VIEWER)) == 0;
    if (elsewhere)
        message_info("Port %u: " DEFAULT_VIEWER " reads from port %d only, so the first link will not work there.",
                     (unsigned)serve->direct_port, VIEWER_PORT);
    message_info("Waiting until the trace is fetched; Ctrl-C ends.");
    bool use_page = !serve->direct || (serve->page && prefers_page());
    if (open && !plat_open_browser(use_page ? page_link : (char *)direct_link.data))
        message_warn("no browser could be started; open the link yourself");
    bytes_release(&direct_link);
    return true;
}

// ---- The command ---------------------------------------------------------------------------------

static bool open_trace(struct serve *serve, const char *path) {
    serve->fd = plat_path_kind(path) == PLAT_FOLDER ? -1 : plat_open_read(path);
    if (serve->fd < 0) {
        message_error("%s: %s", path,
                      plat_path_kind(path) == PLAT_FOLDER ? "is a folder; name the trace" : plat_error());
        return false;
    }
    if (plat_fd_kind(serve->fd, &serve->size) == PLAT_FILE && serve->size > 0) return true;
    message_error("%s: %s", path, serve->size == 0 ? "is empty or no regular file" : "is no regular file");
    plat_close(serve->fd);
    return false;
}

static bool prepare(struct serve *serve, const char *path, const char *title, const tk *handle) {
    make_name(serve, path);
    snprintf(serve->title, sizeof serve->title, "%s", title);
    bool ok =
        tk_startup_commands_json(handle, on_text, &serve->commands) == TK_OK && bytes_append(&serve->commands, "", 1);
    return ok && make_origin(serve) && http_make_token(serve->token) && make_config(serve);
}

int serve_file(const struct settings *settings, const char *path, const char *title, const tk *handle) {
    struct serve serve = { .viewer = settings->viewer ? settings->viewer : DEFAULT_VIEWER };
    atomic_init(&serve.fetched, false);
    if (!open_trace(&serve, path)) return EXIT_INPUT;
    int result = EXIT_USAGE;
    if (prepare(&serve, path, title, handle)) {
        plat_catch_stop();
        result = EXIT_OUTPUT;
        if (start_servers(&serve, settings) && tell_links(&serve, settings->open)) {
            wait_until_fetched(&serve);
            result = atomic_load(&serve.fetched) ? EXIT_FINE : plat_stop_code();
            if (result == EXIT_FINE) message_info("The trace was fetched.");
        }
        if (serve.direct) MHD_stop_daemon(serve.direct);
        if (serve.page) MHD_stop_daemon(serve.page);
    }
    plat_close(serve.fd);
    bytes_release(&serve.commands);
    bytes_release(&serve.config);
    return result;
}

int cmd_serve(const struct settings *settings) {
    if (settings->inputs.count != 1) {
        message_error(settings->inputs.count
                          ? "serve takes one trace"
                          : "no trace named; `tonkopf conv capture.bin --serve` converts and serves");
        return EXIT_USAGE;
    }
    const char *path = settings->inputs.items[0];
    return serve_file(settings, path, plat_base_name(path), NULL);
}
