// SPDX-License-Identifier: MIT
#include "gdb.h"

#include "message.h"
#include "platform.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROOM = 8192, MOST_PIECE = 2000, ANSWER_MS = 2000, STEP_MS = 50 };

struct session {
    connection *server;
    const char *name;
    char packet[ROOM]; // payload of the last packet, with a NUL at its end
    size_t len;
    uint8_t received[ROOM];
    size_t at, end;      // unread part of `received`
    bool acknowledges;   // packets are acknowledged, as every session begins
    size_t piece;        // largest number of bytes of memory in one answer, each of which takes two digits
    uint64_t give_up_ms; // time when an answer is too late
};

static int next_byte(struct session *session) {
    while (session->at == session->end) {
        if (plat_now_ms() > session->give_up_ms) return -1;
        int64_t got = connection_read(session->server, session->received, sizeof session->received, STEP_MS);
        if (got < 0) return -1;
        session->at = 0;
        session->end = (size_t)got;
    }
    return session->received[session->at++];
}

static int digit_of(int c) {
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

static bool add(struct session *session, int c, size_t times) {
    if (session->len + times >= ROOM) return false;
    memset(session->packet + session->len, c, times);
    session->len += times;
    return true;
}

// Receives one packet: $ payload # two digits of the sum. In the payload } escapes a character, and * repeats the one
// before. Returns false on a time-out, a closed connection or an impossible packet.
static bool receive(struct session *session) {
    int c;
    do {
        c = next_byte(session);
        if (c < 0) return false;
    } while (c != '$');
    session->len = 0;
    unsigned sum = 0;
    while ((c = next_byte(session)) != '#') {
        if (c < 0) return false;
        sum += (unsigned)c;
        if (c == '}' || c == '*') {
            int next = next_byte(session);
            if (next < 0) return false;
            sum += (unsigned)next;
            if (c == '}' && !add(session, next ^ 0x20, 1)) return false;
            if (c == '*' &&
                (!session->len || next < 29 || !add(session, session->packet[session->len - 1], (size_t)next - 29)))
                return false;
        } else if (!add(session, c, 1)) {
            return false;
        }
    }
    session->packet[session->len] = 0;
    int high = digit_of(next_byte(session)), low = digit_of(next_byte(session));
    bool is_right = high >= 0 && low >= 0 && (unsigned)(high * 16 + low) == (sum & 0xff);
    if (session->acknowledges) is_right &= connection_write(session->server, "+", 1);
    return is_right;
}

static bool send_packet(struct session *session, const char *text) {
    char packet[128];
    unsigned sum = 0;
    for (const char *at = text; *at; at++) sum += (unsigned char)*at;
    int len = snprintf(packet, sizeof packet, "$%s#%02x", text, sum & 0xff);
    return connection_write(session->server, packet, (size_t)len);
}

static bool is_stop_reply(const struct session *session) {
    return session->packet[0] == 'T' || session->packet[0] == 'S';
}

// Text for the user: O and its bytes in hexadecimal digits.
static bool is_output(const struct session *session) {
    return session->packet[0] == 'O' && strcmp(session->packet, "OK") != 0;
}

// Sends a request and receives its answer. A stop reply, or output for the user, may come at any time before it.
static bool ask(struct session *session, const char *text) {
    session->give_up_ms = plat_now_ms() + ANSWER_MS;
    if (!send_packet(session, text)) return false;
    do {
        if (!receive(session)) return false;
    } while (is_output(session) || (is_stop_reply(session) && strcmp(text, "?") != 0));
    return true;
}

// Halts a target that runs.
static bool halt(struct session *session) {
    session->give_up_ms = plat_now_ms() + ANSWER_MS;
    if (!connection_write(session->server, "\x03", 1)) return false;
    do {
        if (!receive(session)) return false;
    } while (is_output(session));
    return is_stop_reply(session);
}

// Begins the session and makes sure that the target is halted; most servers halt it when a client connects.
static bool begin(struct session *session) {
    session->acknowledges = true;
    if (!connection_write(session->server, "+", 1)) return false;
    if (!ask(session, "QStartNoAckMode")) return false;
    if (strcmp(session->packet, "OK") == 0) session->acknowledges = false;
    if (!ask(session, "qSupported")) return false;
    const char *size = strstr(session->packet, "PacketSize=");
    unsigned long most = size ? strtoul(size + strlen("PacketSize="), NULL, 16) : 400;
    session->piece = most < 40 ? 16 : most / 2 - 4 < MOST_PIECE ? most / 2 - 4 : MOST_PIECE;
    if (!ask(session, "?")) return false;
    return is_stop_reply(session) || halt(session);
}

// Appends the bytes of an answer. Returns false if it has none: E and two digits or a text, or nothing.
static bool take_bytes(struct session *session, size_t most, struct bytes *out) {
    uint8_t bytes[MOST_PIECE];
    size_t count = session->len / 2;
    if (session->len % 2 || count == 0 || count > most) return false;
    for (size_t i = 0; i < count; i++) {
        int high = digit_of(session->packet[2 * i]), low = digit_of(session->packet[2 * i + 1]);
        if (high < 0 || low < 0) return false;
        bytes[i] = (uint8_t)(high * 16 + low);
    }
    return bytes_append(out, bytes, count);
}

// Detaches, which lets the target run on. The target must never stay halted, whatever went wrong: a server that does
// not know this is asked to let it run.
static void let_run(struct session *session) {
    if (ask(session, "D") && strcmp(session->packet, "OK") == 0) return;
    send_packet(session, "c");
    // The server must have read this before the connection is closed; it may acknowledge.
    uint8_t rest[64];
    connection_read(session->server, rest, sizeof rest, STEP_MS);
}

static void report(const struct session *session, uint64_t begin, uint64_t len, uint64_t done, const char *answer) {
    if (plat_stop_requested())
        message_warn("%s: stopped after %" PRIu64 " of %" PRIu64 " bytes", session->name, done, len);
    else if (!done)
        message_error("%s: the memory at 0x%" PRIx64 " cannot be read%s%s", session->name, begin,
                      *answer ? ": the server answers " : "", answer);
    else if (done < len)
        message_warn("%s: only %" PRIu64 " of %" PRIu64 " bytes at 0x%" PRIx64 " can be read", session->name, done, len,
                     begin);
}

// Returns the number of bytes that were read. The target is halted meanwhile.
static uint64_t read_halted(struct session *session, uint64_t begin, uint64_t len, struct bytes *out) {
    uint64_t done = 0;
    while (done < len && !plat_stop_requested()) {
        char request[64];
        size_t piece = len - done < session->piece ? (size_t)(len - done) : session->piece, before = out->len;
        snprintf(request, sizeof request, "m%" PRIx64 ",%zx", begin + done, piece);
        if (!ask(session, request) || !take_bytes(session, piece, out)) break;
        done += out->len - before;
    }
    return done;
}

bool gdb_read_memory(connection *server, const char *name, uint64_t begin_at, uint64_t len, struct bytes *out) {
    struct session *session = calloc(1, sizeof *session);
    if (!session) {
        message_error("out of memory");
        return false;
    }
    *session = (struct session){ .server = server, .name = name };
    plat_hold_stop(true);
    bool is_there = begin(session);
    uint64_t done = is_there ? read_halted(session, begin_at, len, out) : 0;
    char answer[16] = "";
    if (session->packet[0] == 'E') snprintf(answer, sizeof answer, "%.12s", session->packet);
    let_run(session);
    plat_hold_stop(false);
    if (is_there) report(session, begin_at, len, done, answer);
    else message_error("%s: no debugger's server answers; is another client connected to it?", name);
    free(session);
    return done > 0;
}
