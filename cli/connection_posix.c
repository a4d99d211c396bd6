// SPDX-License-Identifier: MIT
#define _DEFAULT_SOURCE
#define _POSIX_C_SOURCE 200809L
#ifdef __APPLE__
#define _DARWIN_C_SOURCE
#endif
#include "connection.h"

#include "platform.h"

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#ifdef __linux__
// <termios.h> knows no rates beyond its constants, and cannot be included together with these headers of the kernel.
#include <asm/ioctls.h>
#include <asm/termbits.h>
#include <linux/serial.h>
#else
#include <termios.h>
#endif

enum { CONNECT_MS = 2000, WAIT_STEP_MS = 50 };

struct connection {
    int fd;
    bool is_serial;
    uint64_t line_errors_before; // count of the port when it was opened
    uint64_t line_errors;        // since then, when bytes were read last: a port that is gone has no count
};

static const char *error = "";

const char *connection_error(void) { return error; }

static connection *fail(const char *reason, int fd) {
    error = reason;
    if (fd >= 0) close(fd);
    return NULL;
}

static uint64_t count_line_errors(const connection *of);

static connection *make(int fd, bool is_serial) {
    connection *made = calloc(1, sizeof *made);
    if (!made) return fail("out of memory", fd);
    made->fd = fd;
    made->is_serial = is_serial;
    if (is_serial) made->line_errors_before = count_line_errors(made);
    return made;
}

// ---- TCP -----------------------------------------------------------------------------------------

// Waits until a connection that is being made exists. Returns 0, or an error number.
static int wait_connected(int fd) {
    for (int waited = 0; waited < CONNECT_MS && !plat_stop_requested(); waited += WAIT_STEP_MS) {
        struct pollfd entry = { .fd = fd, .events = POLLOUT };
        if (poll(&entry, 1, WAIT_STEP_MS) <= 0) continue;
        int result = 0;
        socklen_t len = sizeof result;
        return getsockopt(fd, SOL_SOCKET, SO_ERROR, &result, &len) == 0 ? result : errno;
    }
    return ETIMEDOUT;
}

// Returns a connected socket, or -1 with *out_error set.
static int connect_to(const struct addrinfo *address, int *out_error) {
    int fd = socket(address->ai_family, address->ai_socktype, address->ai_protocol);
    if (fd < 0) {
        *out_error = errno;
        return -1;
    }
    fcntl(fd, F_SETFD, FD_CLOEXEC);
    fcntl(fd, F_SETFL, O_NONBLOCK);
    int now = 1; // a short request must not wait for the acknowledgement of the one before
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &now, sizeof now);
    *out_error = connect(fd, address->ai_addr, address->ai_addrlen) == 0 ? 0 : errno;
    if (*out_error == EINPROGRESS) *out_error = wait_connected(fd);
    if (*out_error == 0) return fd;
    close(fd);
    return -1;
}

connection *connection_open_tcp(const char *host, const char *port) {
    const struct addrinfo hints = { .ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM };
    struct addrinfo *addresses = NULL;
    int result = getaddrinfo(host, port, &hints, &addresses);
    if (result != 0) return fail(gai_strerror(result), -1);
    int fd = -1, reason = 0;
    for (const struct addrinfo *at = addresses; at && fd < 0; at = at->ai_next) fd = connect_to(at, &reason);
    freeaddrinfo(addresses);
    return fd < 0 ? fail(strerror(reason), -1) : make(fd, false);
}

// ---- Serial ports --------------------------------------------------------------------------------

#ifdef __linux__
static bool set_up(int fd, uint32_t baud) {
    struct termios2 mode;
    if (ioctl(fd, TCGETS2, &mode) != 0) return false;
    mode.c_iflag = 0;
    mode.c_oflag = 0;
    mode.c_lflag = 0;
    mode.c_cflag = CS8 | CREAD | CLOCAL | BOTHER | (BOTHER << IBSHIFT);
    mode.c_ispeed = mode.c_ospeed = baud;
    mode.c_cc[VMIN] = 1;
    mode.c_cc[VTIME] = 0;
    return ioctl(fd, TCSETS2, &mode) == 0;
}

static uint64_t count_line_errors(const connection *of) {
    struct serial_icounter_struct counts;
    if (ioctl(of->fd, TIOCGICOUNT, &counts) != 0) return of->line_errors_before + of->line_errors;
    return (uint64_t)counts.frame + (uint64_t)counts.parity + (uint64_t)counts.overrun + (uint64_t)counts.buf_overrun;
}
#else
static bool set_up(int fd, uint32_t baud) {
    struct termios mode;
    if (tcgetattr(fd, &mode) != 0) return false;
    cfmakeraw(&mode);
    mode.c_cflag |= CREAD | CLOCAL;
    mode.c_cflag &= ~(tcflag_t)(CSTOPB | PARENB);
    if (tcsetattr(fd, TCSANOW, &mode) != 0) return false;
#ifdef __APPLE__
    speed_t speed = baud;
    return ioctl(fd, _IOW('T', 2, speed_t), &speed) == 0; // IOSSIOSPEED of IOKit: any rate
#else
    return cfsetspeed(&mode, baud) == 0 && tcsetattr(fd, TCSANOW, &mode) == 0;
#endif
}

static uint64_t count_line_errors(const connection *of) {
    (void)of;
    return 0;
}
#endif

connection *connection_open_serial(const char *port, uint32_t baud) {
    // O_NONBLOCK: some ports wait for the other side's carrier in open(). O_NOCTTY: the port must not become the
    // terminal that controls this process.
    int fd = open(port, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0) return fail(strerror(errno), -1);
    if (!isatty(fd)) return fail("not a serial port", fd);
    if (ioctl(fd, TIOCEXCL) != 0 || !set_up(fd, baud)) return fail(strerror(errno), fd);
    return make(fd, true);
}

uint64_t connection_line_errors(const connection *of) { return of->line_errors; }

// ---- Bytes ---------------------------------------------------------------------------------------

int64_t connection_read(connection *from, void *bytes, size_t len, int wait_ms) {
    struct pollfd entry = { .fd = from->fd, .events = POLLIN };
    if (poll(&entry, 1, wait_ms) <= 0) return 0; // a signal also ends the wait
    ssize_t got = read(from->fd, bytes, len);
    if (got > 0) {
        if (from->is_serial) from->line_errors = count_line_errors(from) - from->line_errors_before;
        return got;
    }
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) return 0;
    error = got < 0 ? strerror(errno) : from->is_serial ? "the port is gone" : "the server closed the connection";
    return -1;
}

bool connection_write(connection *to, const void *bytes, size_t len) {
    const char *at = bytes;
    while (len > 0) {
        struct pollfd entry = { .fd = to->fd, .events = POLLOUT };
        int ready = poll(&entry, 1, CONNECT_MS);
        if (ready < 0 && errno == EINTR) continue;
        if (ready <= 0) {
            error = strerror(ready < 0 ? errno : ETIMEDOUT);
            return false;
        }
        ssize_t done = write(to->fd, at, len);
        if (done < 0 && (errno == EAGAIN || errno == EINTR)) continue;
        if (done <= 0) {
            error = strerror(errno);
            return false;
        }
        at += done;
        len -= (size_t)done;
    }
    return true;
}

void connection_close(connection *closed) {
    if (closed) close(closed->fd);
    free(closed);
}
