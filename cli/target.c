// SPDX-License-Identifier: MIT
#include "target.h"

#include "bytes.h"
#include "connection.h"
#include "gdb.h"
#include "message.h"
#include "platform.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char greeting_begin[] = "SEGGER J-Link";

enum { RETRY_MS = 250, GREETING_LINES = 3, GREETING_MOST = 512, GREETING_BEGIN = sizeof greeting_begin - 1 };

enum kind { KIND_STREAM, KIND_TCP, KIND_JLINK, KIND_SERIAL, KIND_GDB };

struct target {
    enum kind kind;
    char *name;       // as the user wrote it
    char *text;       // the same, cut into the following parts
    const char *path; // of a stream or a serial port
    const char *host, *port;
    uint32_t baud, channel;
    struct target_memory memory;

    enum target_state state;
    bool has_failed;
    int fd; // of a stream; -1: not open
    connection *open;
    uint64_t retry_ms;    // time of the next attempt to connect
    uint64_t received;    // bytes in all
    bool is_silent;       // no byte has come through the open connection
    bool is_useless;      // the connection before was closed before a byte came, and a message said so
    uint64_t line_errors; // of connections that are closed
    // Text that J-Link's server sends before the bytes of the channel: lines left to skip, and what of them has
    // arrived.
    unsigned greeting_lines;
    size_t greeting_len;
    struct bytes image; // memory that gdb has read
    size_t image_at;
};

// ---- What the user wrote -------------------------------------------------------------------------

// Cuts HOST:PORT, with brackets around an IPv6 address. Returns false if it has no port.
static bool cut_host(struct target *target, char *text) {
    char *colon = strrchr(text, ':');
    if (!colon || !colon[1] || colon == text) return false;
    *colon = 0;
    target->port = colon + 1;
    target->host = text;
    size_t len = strlen(text);
    if (text[0] == '[' && text[len - 1] == ']') {
        text[len - 1] = 0;
        target->host = text + 1;
    }
    return true;
}

// Cuts a number off the end of a text, after `mark`. Returns false if there is none from `least` to `most`.
static bool cut_number(char *text, char mark, uint32_t least, uint32_t most, uint32_t *out_number) {
    char *at = strrchr(text, mark), *end;
    if (!at || at[1] < '0' || at[1] > '9') return false;
    unsigned long long number = strtoull(at + 1, &end, 10);
    if (*end || number < least || number > most) return false;
    *at = 0;
    *out_number = (uint32_t)number;
    return true;
}

static bool read_source(struct target *target) {
    static const struct {
        const char *prefix;
        enum kind kind;
    } kinds[] = { { "tcp:", KIND_TCP }, { "jlink:", KIND_JLINK }, { "serial:", KIND_SERIAL }, { "gdb:", KIND_GDB } };
    char *rest = target->text;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (strncmp(target->text, kinds[i].prefix, strlen(kinds[i].prefix)) != 0) continue;
        target->kind = kinds[i].kind;
        rest = target->text + strlen(kinds[i].prefix);
    }
    target->path = rest;
    const char *form = NULL;
    switch (target->kind) {
    case KIND_STREAM:
        if (strcmp(rest, "-") == 0 || plat_path_kind(rest) == PLAT_STREAM) return true;
        if (plat_path_kind(rest) == PLAT_FILE)
            message_error("%s is a file, which needs no recording: `tonkopf conv %s`", rest, rest);
        else
            message_error("%s is no source; there are -, tcp:HOST:PORT, jlink:HOST:PORT/CHANNEL, serial:PORT@BAUD, "
                          "gdb:HOST:PORT, and the path of a pipe or device",
                          rest);
        return false;
    case KIND_TCP: form = cut_host(target, rest) ? NULL : "tcp:HOST:PORT, as in tcp:localhost:9090"; break;
    case KIND_GDB: form = cut_host(target, rest) ? NULL : "gdb:HOST:PORT, as in gdb:localhost:3333"; break;
    case KIND_JLINK:
        form = cut_number(rest, '/', 0, 99, &target->channel) && cut_host(target, rest)
                   ? NULL
                   : "jlink:HOST:PORT/CHANNEL, as in jlink:localhost:19021/1";
        break;
    case KIND_SERIAL:
        form = cut_number(rest, '@', 1, 100000000, &target->baud) && *rest
                   ? NULL
                   : "serial:PORT@BAUD, as in serial:/dev/ttyUSB0@115200 or serial:COM3@115200";
        break;
    }
    if (form) message_error("%s: this source is written %s", target->name, form);
    return !form;
}

static char *copy(const char *text) {
    size_t size = strlen(text) + 1;
    char *made = malloc(size);
    return made ? memcpy(made, text, size) : NULL;
}

struct target *target_new(const char *source, struct target_memory memory) {
    struct target *target = calloc(1, sizeof *target);
    if (target) {
        *target = (struct target){ .name = copy(source), .text = copy(source), .memory = memory, .fd = -1 };
        if (target->name && target->text && read_source(target)) return target;
    }
    if (!target || !target->name || !target->text) message_error("out of memory");
    target_free(target);
    return NULL;
}

bool target_is_memory(const struct target *target) { return target->kind == KIND_GDB; }

const char *target_name(const struct target *target) {
    return strcmp(target->name, "-") == 0 ? "standard input" : target->name;
}

// ---- Connecting ----------------------------------------------------------------------------------

static connection *connect_once(struct target *target) {
    if (target->kind == KIND_SERIAL) return connection_open_serial(target->path, target->baud);
    connection *made = connection_open_tcp(target->host, target->port);
    if (!made || target->kind != KIND_JLINK) return made;
    // J-Link's server reads the channel within 100 ms after the connection was made.
    char command[64];
    int len = snprintf(command, sizeof command, "$$SEGGER_TELNET_ConfigStr=RTTCh;%" PRIu32 "$$", target->channel);
    target->greeting_lines = GREETING_LINES;
    target->greeting_len = 0;
    if (connection_write(made, command, (size_t)len)) return made;
    connection_close(made);
    return NULL;
}

// Tries to connect, at most every RETRY_MS. Returns false if that fails.
static bool connect_now(struct target *target) {
    if (plat_now_ms() < target->retry_ms) return false;
    target->open = connect_once(target);
    target->retry_ms = plat_now_ms() + RETRY_MS;
    if (!target->open) {
        if (target->state == TARGET_WAITING && !target->has_failed)
            message_info("waiting for %s: %s", target->name, connection_error());
        target->has_failed = true; // the message appears once
        return false;
    }
    if (!target->is_useless) {
        if (target->state == TARGET_GONE) message_info("%s is back", target->name);
        else if (target->has_failed) message_info("%s is there", target->name);
    }
    target->has_failed = false;
    target->is_silent = true;
    target->state = TARGET_RUNNING;
    return true;
}

static void lose(struct target *target) {
    // A server that closes each connection immediately causes one message.
    if (!target->is_silent || !target->is_useless)
        message_info("%s is gone (%s); waiting for it", target->name, connection_error());
    target->is_useless = target->is_silent;
    target->line_errors += connection_line_errors(target->open);
    connection_close(target->open);
    target->open = NULL;
    target->state = TARGET_GONE;
}

// ---- Reading -------------------------------------------------------------------------------------

static int64_t end(struct target *target, bool well) {
    target->state = TARGET_ENDED;
    target->has_failed = !well;
    return -1;
}

static int64_t read_stream(struct target *target, void *bytes, size_t len, int wait_ms) {
    if (target->fd < 0) target->fd = strcmp(target->path, "-") == 0 ? PLAT_STDIN : plat_open_read(target->path);
    if (target->fd < 0 && plat_stop_requested()) return 0; // a named pipe, which waits for its writer in open()
    if (target->fd < 0) {
        message_error("%s: %s", target->name, plat_error());
        return end(target, false);
    }
    if (!plat_readable(target->fd, wait_ms)) return 0;
    target->state = TARGET_RUNNING;
    int64_t got = plat_read(target->fd, bytes, len);
    if (got > 0 || (got == 0 && plat_stop_requested())) return got;
    if (got < 0) message_error("%s: %s", target->name, plat_error());
    return end(target, got == 0);
}

static int64_t read_memory(struct target *target, void *bytes, size_t len) {
    if (target->state == TARGET_WAITING) {
        connection *server = connection_open_tcp(target->host, target->port);
        if (!server) message_error("%s: %s", target->name, connection_error());
        bool ok =
            server && gdb_read_memory(server, target->name, target->memory.begin, target->memory.len, &target->image);
        connection_close(server);
        if (!ok) return end(target, false);
        target->state = TARGET_RUNNING;
    }
    size_t left = target->image.len - target->image_at;
    if (left == 0) return end(target, true);
    size_t piece = left < len ? left : len;
    memcpy(bytes, target->image.data + target->image_at, piece);
    target->image_at += piece;
    return (int64_t)piece;
}

// Removes the greeting from bytes that have just arrived. Returns how many are left, from *out_begin on. Bytes that are
// no greeting stay, also those that came earlier and looked like its beginning: GREETING_BEGIN bytes before `bytes` are
// free for them.
static size_t skip_greeting(struct target *target, uint8_t *bytes, size_t len, uint8_t **out_begin) {
    size_t at = 0;
    *out_begin = bytes;
    while (target->greeting_lines && at < len) {
        bool is_begin = target->greeting_len < GREETING_BEGIN;
        if (is_begin && bytes[at] != greeting_begin[target->greeting_len]) {
            target->greeting_lines = 0;
            *out_begin = bytes + at - target->greeting_len;
            memcpy(*out_begin, greeting_begin, target->greeting_len);
            return len - at + target->greeting_len;
        }
        if (++target->greeting_len > GREETING_MOST) target->greeting_lines = 0;
        else if (bytes[at++] == '\n') target->greeting_lines--;
    }
    *out_begin = bytes + at;
    return len - at;
}

// Reads from a connection that is open, without J-Link's greeting.
static int64_t read_connection(struct target *target, uint8_t *bytes, size_t len, int wait_ms) {
    if (!target->greeting_lines || len <= GREETING_BEGIN) return connection_read(target->open, bytes, len, wait_ms);
    uint8_t room[GREETING_BEGIN + GREETING_MOST], *begin;
    size_t most = len - GREETING_BEGIN;
    if (most > GREETING_MOST) most = GREETING_MOST;
    int64_t got = connection_read(target->open, room + GREETING_BEGIN, most, wait_ms);
    if (got <= 0) return got;
    size_t left = skip_greeting(target, room + GREETING_BEGIN, (size_t)got, &begin);
    memcpy(bytes, begin, left);
    return (int64_t)left;
}

// Reads from a source that is connected again when the connection breaks.
static int64_t read_connected(struct target *target, uint8_t *bytes, size_t len, int wait_ms) {
    if (!target->open && !connect_now(target)) {
        plat_sleep_ms(wait_ms);
        return 0;
    }
    int64_t got = read_connection(target, bytes, len, wait_ms);
    if (got < 0) lose(target);
    if (got <= 0) return 0;
    if (target->is_useless) message_info("%s is back", target->name);
    target->is_silent = target->is_useless = false;
    return got;
}

int64_t target_read(struct target *target, void *bytes, size_t len, int wait_ms) {
    if (target->state == TARGET_ENDED) return -1;
    int64_t got = target->kind == KIND_STREAM ? read_stream(target, bytes, len, wait_ms)
                  : target->kind == KIND_GDB  ? read_memory(target, bytes, len)
                                              : read_connected(target, bytes, len, wait_ms);
    if (got > 0) target->received += (uint64_t)got;
    return got;
}

uint64_t target_received(const struct target *target) { return target->received; }

enum target_state target_state(const struct target *target) { return target->state; }

bool target_ended_well(const struct target *target) { return target->state != TARGET_ENDED || !target->has_failed; }

uint64_t target_line_errors(const struct target *target) {
    return target->line_errors + (target->open ? connection_line_errors(target->open) : 0);
}

void target_free(struct target *target) {
    if (!target) return;
    connection_close(target->open);
    if (target->fd > PLAT_STDIN) plat_close(target->fd);
    bytes_release(&target->image);
    free(target->name);
    free(target->text);
    free(target);
}
