// SPDX-License-Identifier: MIT
#define _DEFAULT_SOURCE
#define _POSIX_C_SOURCE 200809L
#ifdef __APPLE__
#define _DARWIN_C_SOURCE
#endif
#include "platform.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t stop_requests, stop_signal, is_held;
static const char *volatile guarded_file;

void plat_init(void) {
    signal(SIGPIPE, SIG_IGN);
#ifdef SIGXFSZ
    signal(SIGXFSZ, SIG_IGN); // at the limit of the file size a write fails instead of ending the process, so that the
                              // incomplete output is removed
#endif
    int fd = open("/dev/null", O_RDONLY); // takes the lowest free number; writing to it fails
    while (fd >= PLAT_STDIN && fd < PLAT_STDERR) fd = open("/dev/null", O_RDONLY);
    if (fd > PLAT_STDERR) close(fd);
}

static enum plat_kind kind_of(const struct stat *info) {
    if (S_ISREG(info->st_mode)) return PLAT_FILE;
    return S_ISDIR(info->st_mode) ? PLAT_FOLDER : PLAT_STREAM;
}

enum plat_kind plat_path_kind(const char *path) {
    struct stat info;
    return stat(path, &info) == 0 ? kind_of(&info) : PLAT_MISSING;
}

enum plat_kind plat_fd_kind(int fd, uint64_t *out_size) {
    struct stat info;
    if (fstat(fd, &info) != 0) return PLAT_MISSING;
    *out_size = info.st_size > 0 ? (uint64_t)info.st_size : 0;
    return kind_of(&info);
}

static bool identify(const struct stat *info, struct plat_identity *out_identity) {
    *out_identity = (struct plat_identity){ .volume = (uint64_t)info->st_dev, .file = (uint64_t)info->st_ino };
    return S_ISREG(info->st_mode);
}

bool plat_path_identity(const char *path, struct plat_identity *out_identity) {
    struct stat info;
    return stat(path, &info) == 0 && identify(&info, out_identity);
}

bool plat_fd_identity(int fd, struct plat_identity *out_identity) {
    struct stat info;
    return fstat(fd, &info) == 0 && identify(&info, out_identity);
}

bool plat_is_link(const char *path) {
    struct stat info;
    return lstat(path, &info) == 0 && S_ISLNK(info.st_mode);
}

// Returns the path of the target of a link; the target may be relative to the folder of the link. Allocated; NULL:
// failure.
static char *read_link(const char *path) {
    enum { ROOM = 4096 };
    char target[ROOM];
    ssize_t len = readlink(path, target, ROOM - 1);
    if (len < 0) return NULL;
    target[len] = 0;
    size_t folder_len = target[0] == '/' ? 0 : (size_t)(plat_base_name(path) - path);
    char *joined = malloc(folder_len + (size_t)len + 1);
    if (!joined) return NULL;
    memcpy(joined, path, folder_len);
    memcpy(joined + folder_len, target, (size_t)len + 1);
    return joined;
}

char *plat_follow_links(const char *path) {
    enum { MOST = 40 };
    char *at = strdup(path);
    for (int links = 0; at && plat_is_link(at); links++) {
        char *next = links < MOST ? read_link(at) : NULL;
        if (links == MOST) errno = ELOOP;
        free(at);
        at = next;
    }
    return at;
}

bool plat_may_replace(const char *path) { return access(path, F_OK) != 0 || access(path, W_OK) == 0; }

void plat_copy_rights(int fd, const char *from) {
    struct stat info;
    int kept = errno;
    if (stat(from, &info) == 0 && fchmod(fd, info.st_mode & 07777) != 0)
        errno = kept; // the file system has no access rights
}

bool plat_make_folder(const char *path) {
    return mkdir(path, 0777) == 0 || (errno == EEXIST && plat_path_kind(path) == PLAT_FOLDER);
}

int plat_open_read(const char *path) {
    return open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY); // O_NOCTTY: a serial port must not become the terminal that
                                                        // controls this process
}

int plat_open_write(const char *path) { return open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666); }

bool plat_open_found_file(void) { return errno == EEXIST; }

int plat_open_device(const char *path) { return open(path, O_WRONLY | O_CLOEXEC); }

void plat_close(int fd) { close(fd); }

int plat_duplicate(int fd) { return fcntl(fd, F_DUPFD_CLOEXEC, 3); }

int64_t plat_read(int fd, void *bytes, size_t len) {
    for (;;) {
        if (stop_requests) return 0;
        if (!plat_readable(fd, 250))
            continue; // checks stop_requests every 250 ms: a signal just before the read would not interrupt it
        ssize_t got = read(fd, bytes, len);
        if (got >= 0) return got;
        if (errno == EIO) return 0; // a serial adapter was unplugged; the bytes before are converted
        if (errno != EINTR) return -1;
    }
}

int64_t plat_read_file(int fd, void *bytes, size_t len) {
    for (;;) {
        ssize_t got = read(fd, bytes, len);
        if (got >= 0 || errno != EINTR) return got;
    }
}

bool plat_readable(int fd, int wait_ms) {
    struct pollfd entry = { .fd = fd, .events = POLLIN };
    return poll(&entry, 1, wait_ms) > 0;
}

bool plat_write_all(int fd, const void *bytes, size_t len) {
    const char *at = bytes;
    while (len > 0) {
        ssize_t done = write(fd, at, len);
        if (done < 0 && errno == EINTR) continue;
        if (done < 0) return false;
        at += done;
        len -= (size_t)done;
    }
    return true;
}

bool plat_write_at(int fd, uint64_t offset, const void *bytes, size_t len) {
    const char *at = bytes;
    while (len > 0) {
        ssize_t done = pwrite(fd, at, len, (off_t)offset);
        if (done < 0 && errno == EINTR) continue;
        if (done <= 0) return false;
        at += done;
        offset += (uint64_t)done;
        len -= (size_t)done;
    }
    return true;
}

bool plat_seek(int fd, uint64_t offset) { return lseek(fd, (off_t)offset, SEEK_SET) >= 0; }

int64_t plat_rewritable_at(int fd) {
    uint64_t size;
    int flags = fcntl(fd, F_GETFL);
    if (plat_fd_kind(fd, &size) != PLAT_FILE || flags < 0 || (flags & O_APPEND)) return -1;
    return lseek(fd, 0, SEEK_CUR);
}

bool plat_last_write_hit_closed_pipe(void) { return errno == EPIPE; }

const char *plat_error(void) { return strerror(errno); }

bool plat_rename_over(const char *from, const char *to) { return rename(from, to) == 0; }

void plat_remove(const char *path) {
    int kept = errno;
    unlink(path);
    errno = kept;
}

int plat_open_scratch(void) {
    const char *folder = getenv("TMPDIR");
    char path[1024];
    int len = snprintf(path, sizeof path, "%s/tonkopf-XXXXXX", folder && *folder ? folder : "/tmp");
    if (len < 0 || (size_t)len >= sizeof path) {
        errno = ENAMETOOLONG;
        return -1;
    }
    int fd = mkstemp(path);
    if (fd >= 0) unlink(path);
    return fd;
}

bool plat_is_terminal(int fd) { return isatty(fd); }

bool plat_terminal_is_plain(void) {
    const char *kind = getenv("TERM");
    return kind && strcmp(kind, "dumb") == 0;
}

uint64_t plat_now_ms(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

uint64_t plat_now_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

bool plat_random(void *bytes, size_t len) {
    int fd = open("/dev/urandom", O_RDONLY | O_CLOEXEC);
    if (fd < 0) return false;
    bool ok = read(fd, bytes, len) == (ssize_t)len;
    close(fd);
    return ok;
}

bool plat_open_browser(const char *url) {
#ifdef __APPLE__
    const char *opener = "open";
#else
    const char *opener = "xdg-open";
#endif
    pid_t child = fork();
    if (child < 0) return false;
    if (child == 0) {
        int null = open("/dev/null", O_RDWR);
        if (null >= 0) {
            dup2(null, 0);
            dup2(null, 1);
            dup2(null, 2);
        }
        execlp(opener, opener, url, (char *)NULL);
        _exit(127);
    }
    // `xdg-open` and `open` pass the URL to a browser and exit. Waits up to 1 s for the exit code (127: there is no
    // such program). An opener that still runs then counts as success.
    for (int wait = 0; wait < 20; wait++) {
        int status;
        pid_t ended = waitpid(child, &status, WNOHANG);
        if (ended == child) return WIFEXITED(status) && WEXITSTATUS(status) == 0;
        plat_sleep_ms(50);
    }
    return true;
}

void plat_sleep_ms(int ms) {
    struct timespec pause = { .tv_sec = ms / 1000, .tv_nsec = (long)(ms % 1000) * 1000000 };
    nanosleep(&pause, NULL);
}

static void on_stop(int number) {
    if (stop_requests++ == 0) {
        stop_signal = number;
        return;
    }
    if (is_held) return;
    if (guarded_file) unlink(guarded_file);
    _exit(128 + number);
}

void plat_catch_stop(void) {
    static const int numbers[] = { SIGINT, SIGTERM, SIGHUP };
    struct sigaction action, before;
    memset(&action, 0, sizeof action);
    action.sa_handler = on_stop; // without SA_RESTART: a blocking read returns
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        bool ignored = sigaction(numbers[i], NULL, &before) == 0 && before.sa_handler == SIG_IGN; // nohup, or a
                                                                                                  // background job
        if (!ignored) sigaction(numbers[i], &action, NULL);
    }
}

bool plat_stop_requested(void) { return stop_requests != 0; }

void plat_forget_stop(void) { stop_requests = 0; }

void plat_hold_stop(bool hold) { is_held = hold; }

int plat_stop_code(void) { return 128 + (int)stop_signal; }

void plat_guard_file(const char *path) { guarded_file = path; }

bool plat_list_folder(const char *folder, void (*each)(void *ctx, const char *name), void *ctx) {
    DIR *dir = opendir(folder);
    if (!dir) return false;
    for (struct dirent *entry; (entry = readdir(dir)) != NULL;) {
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0) each(ctx, entry->d_name);
    }
    closedir(dir);
    return true;
}

const char *plat_base_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}
