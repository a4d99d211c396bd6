// SPDX-License-Identifier: MIT
#define WIN32_LEAN_AND_MEAN
#define _WIN32_WINNT 0x0601
#include "connection.h"

#include "platform.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <winsock2.h>
// These headers need winsock2.h before them.
#include <windows.h>
#include <ws2tcpip.h>

enum { CONNECT_MS = 2000, WAIT_STEP_MS = 50, QUEUE_LEN = 1 << 20 };

struct connection {
    bool is_serial;
    SOCKET socket;
    HANDLE port;
    uint64_t line_errors;
};

static char error[800]; // room for the longest text in UTF-8

const char *connection_error(void) { return error; }

static void keep_error(DWORD code) {
    wchar_t text[200] = L"";
    FormatMessageW(FORMAT_MESSAGE_FROM_SYSTEM | FORMAT_MESSAGE_IGNORE_INSERTS, NULL, code, 0, text, 200, NULL);
    for (wchar_t *at = text; *at; at++) {
        if (*at == L'\r' || *at == L'\n') *at = 0;
    }
    WideCharToMultiByte(CP_UTF8, 0, text, -1, error, sizeof error, NULL, NULL);
}

static connection *make(connection like) {
    connection *made = calloc(1, sizeof *made);
    if (made) {
        *made = like;
        return made;
    }
    snprintf(error, sizeof error, "out of memory");
    if (like.is_serial) CloseHandle(like.port);
    else closesocket(like.socket);
    return NULL;
}

// ---- TCP -----------------------------------------------------------------------------------------

// Waits until a connection that is being made exists. Returns 0, or an error code.
static int wait_connected(SOCKET socket) {
    for (int waited = 0; waited < CONNECT_MS && !plat_stop_requested(); waited += WAIT_STEP_MS) {
        fd_set writable, failed;
        FD_ZERO(&writable);
        FD_ZERO(&failed);
        FD_SET(socket, &writable);
        FD_SET(socket, &failed);
        struct timeval wait = { .tv_usec = WAIT_STEP_MS * 1000 };
        if (select(0, NULL, &writable, &failed, &wait) <= 0) continue;
        int result = 0, len = sizeof result;
        return getsockopt(socket, SOL_SOCKET, SO_ERROR, (char *)&result, &len) == 0 ? result : WSAGetLastError();
    }
    return WSAETIMEDOUT;
}

static SOCKET connect_to(const struct addrinfo *address) {
    SOCKET made = socket(address->ai_family, address->ai_socktype, address->ai_protocol);
    u_long nonblocking = 1;
    if (made == INVALID_SOCKET) {
        keep_error((DWORD)WSAGetLastError());
        return made;
    }
    ioctlsocket(made, FIONBIO, &nonblocking);
    BOOL now = TRUE; // a short request must not wait for the acknowledgement of the one before
    setsockopt(made, IPPROTO_TCP, TCP_NODELAY, (const char *)&now, sizeof now);
    int result = connect(made, address->ai_addr, (int)address->ai_addrlen) == 0 ? 0 : WSAGetLastError();
    if (result == WSAEWOULDBLOCK) result = wait_connected(made);
    if (result == 0) return made;
    keep_error((DWORD)result);
    closesocket(made);
    return INVALID_SOCKET;
}

connection *connection_open_tcp(const char *host, const char *port) {
    static bool has_begun;
    WSADATA data;
    if (!has_begun && WSAStartup(MAKEWORD(2, 2), &data) != 0) {
        snprintf(error, sizeof error, "this system has no network");
        return NULL;
    }
    has_begun = true;
    const struct addrinfo hints = { .ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM };
    struct addrinfo *addresses = NULL;
    int result = getaddrinfo(host, port, &hints, &addresses);
    if (result != 0) {
        keep_error((DWORD)result);
        return NULL;
    }
    SOCKET made = INVALID_SOCKET;
    for (const struct addrinfo *at = addresses; at && made == INVALID_SOCKET; at = at->ai_next) made = connect_to(at);
    freeaddrinfo(addresses);
    return made == INVALID_SOCKET ? NULL : make((connection){ .socket = made });
}

static int64_t read_socket(SOCKET from, void *bytes, size_t len, int wait_ms) {
    fd_set readable;
    FD_ZERO(&readable);
    FD_SET(from, &readable);
    struct timeval wait = { .tv_sec = wait_ms / 1000, .tv_usec = wait_ms % 1000 * 1000 };
    if (select(0, &readable, NULL, NULL, &wait) <= 0) return 0;
    int got = recv(from, bytes, len > QUEUE_LEN ? QUEUE_LEN : (int)len, 0);
    if (got > 0) return got;
    if (got < 0 && WSAGetLastError() == WSAEWOULDBLOCK) return 0;
    if (got < 0) keep_error((DWORD)WSAGetLastError());
    else snprintf(error, sizeof error, "the server closed the connection");
    return -1;
}

// ---- Serial ports --------------------------------------------------------------------------------

static bool set_up(HANDLE port, uint32_t baud) {
    DCB mode = { .DCBlength = sizeof mode };
    if (!GetCommState(port, &mode)) return false;
    mode.BaudRate = baud;
    mode.ByteSize = 8;
    mode.Parity = NOPARITY;
    mode.StopBits = ONESTOPBIT;
    mode.fBinary = TRUE;
    mode.fParity = mode.fOutxCtsFlow = mode.fOutxDsrFlow = mode.fDsrSensitivity = FALSE;
    mode.fOutX = mode.fInX = mode.fErrorChar = mode.fNull = mode.fAbortOnError = FALSE;
    mode.fDtrControl = DTR_CONTROL_ENABLE;
    mode.fRtsControl = RTS_CONTROL_ENABLE;
    SetupComm(port, QUEUE_LEN, 4096); // only a recommendation to the driver
    return SetCommState(port, &mode);
}

connection *connection_open_serial(const char *name, uint32_t baud) {
    wchar_t path[300] = L"\\\\.\\"; // COM10 and above exist in this namespace only
    size_t begin = strncmp(name, "\\\\.\\", 4) == 0 ? 0 : 4;
    if (!MultiByteToWideChar(CP_UTF8, 0, name, -1, path + begin, 300 - 4)) {
        keep_error(GetLastError());
        return NULL;
    }
    HANDLE port = CreateFileW(path, GENERIC_READ | GENERIC_WRITE, 0, NULL, OPEN_EXISTING, 0, NULL);
    if (port == INVALID_HANDLE_VALUE || !set_up(port, baud)) {
        keep_error(GetLastError());
        if (port != INVALID_HANDLE_VALUE) CloseHandle(port);
        return NULL;
    }
    return make((connection){ .is_serial = true, .port = port });
}

static void count_line_errors(connection *of) {
    DWORD errors = 0;
    if (ClearCommError(of->port, &errors, NULL))
        of->line_errors += !!(errors & CE_FRAME) + !!(errors & CE_RXPARITY) + !!(errors & (CE_OVERRUN | CE_RXOVER));
}

static int64_t read_port(connection *from, void *bytes, size_t len, int wait_ms) {
    // These values of ReadIntervalTimeout and ReadTotalTimeoutMultiplier make ReadFile return what is there, or wait
    // for the first byte as long as the constant says.
    COMMTIMEOUTS times = { .ReadIntervalTimeout = MAXDWORD,
                           .ReadTotalTimeoutMultiplier = MAXDWORD,
                           .ReadTotalTimeoutConstant = wait_ms > 0 ? (DWORD)wait_ms : 1 };
    DWORD got = 0;
    if (!SetCommTimeouts(from->port, &times) ||
        !ReadFile(from->port, bytes, len > QUEUE_LEN ? QUEUE_LEN : (DWORD)len, &got, NULL)) {
        keep_error(GetLastError());
        return -1;
    }
    count_line_errors(from);
    return got;
}

uint64_t connection_line_errors(const connection *of) { return of->line_errors; }

// ---- Bytes ---------------------------------------------------------------------------------------

int64_t connection_read(connection *from, void *bytes, size_t len, int wait_ms) {
    return from->is_serial ? read_port(from, bytes, len, wait_ms) : read_socket(from->socket, bytes, len, wait_ms);
}

bool connection_write(connection *to, const void *bytes, size_t len) {
    const char *at = bytes;
    uint64_t give_up_ms = plat_now_ms() + CONNECT_MS;
    while (len > 0) {
        int sent = send(to->socket, at, (int)len, 0);
        if (sent > 0) {
            at += sent;
            len -= (size_t)sent;
        } else if (sent < 0 && WSAGetLastError() == WSAEWOULDBLOCK && plat_now_ms() < give_up_ms) {
            Sleep(1);
        } else {
            keep_error((DWORD)WSAGetLastError());
            return false;
        }
    }
    return true;
}

void connection_close(connection *closed) {
    if (!closed) return;
    if (closed->is_serial) CloseHandle(closed->port);
    else closesocket(closed->socket);
    free(closed);
}
