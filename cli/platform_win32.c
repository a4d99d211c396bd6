// SPDX-License-Identifier: MIT
#define WIN32_LEAN_AND_MEAN
#define _WIN32_WINNT 0x0601
#include "platform.h"

#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <windows.h>
// These headers need windows.h before them.
#include <ntsecapi.h>
#include <shellapi.h>

enum { PATH_ROOM = 4096 };

static volatile LONG stop_requests, stop_event, is_held;
static wchar_t guarded_file[PATH_ROOM];
static char error_text[256];

static bool widen(const char *text, wchar_t out[PATH_ROOM]) {
    return MultiByteToWideChar(CP_UTF8, 0, text, -1, out, PATH_ROOM) > 0;
}

static bool narrow(const wchar_t *text, char *out, int room) {
    return WideCharToMultiByte(CP_UTF8, 0, text, -1, out, room, NULL, NULL) > 0;
}

static void keep_system_error(void) {
    wchar_t text[200] = L"";
    FormatMessageW(FORMAT_MESSAGE_FROM_SYSTEM | FORMAT_MESSAGE_IGNORE_INSERTS, NULL, GetLastError(), 0, text, 200,
                   NULL);
    for (wchar_t *at = text; *at; at++) {
        if (*at == L'\r' || *at == L'\n') *at = 0;
    }
    narrow(text, error_text, sizeof error_text);
}

static void keep_errno(void) {
    int kept = errno;
    snprintf(error_text, sizeof error_text, "%s", strerror(errno));
    errno = kept;
}

// Opens NUL in place of closed standard streams, because the system would give their numbers to files that are opened
// later.
static void open_closed_streams(void) {
    int fd = _open("NUL", _O_RDONLY | _O_BINARY);
    while (fd >= PLAT_STDIN && fd < PLAT_STDERR) fd = _open("NUL", _O_RDONLY | _O_BINARY);
    if (fd > PLAT_STDERR) _close(fd);
}

void plat_init(void) {
    open_closed_streams();
    _setmode(PLAT_STDIN, _O_BINARY);
    _setmode(PLAT_STDOUT, _O_BINARY);
    SetConsoleOutputCP(CP_UTF8);
    DWORD mode;
    HANDLE console = GetStdHandle(STD_ERROR_HANDLE);
    if (GetConsoleMode(console, &mode)) SetConsoleMode(console, mode | ENABLE_VIRTUAL_TERMINAL_PROCESSING);
    console = GetStdHandle(STD_OUTPUT_HANDLE);
    if (GetConsoleMode(console, &mode)) SetConsoleMode(console, mode | ENABLE_VIRTUAL_TERMINAL_PROCESSING);
}

enum plat_kind plat_path_kind(const char *path) {
    wchar_t wide[PATH_ROOM];
    if (!widen(path, wide)) return PLAT_MISSING;
    DWORD attributes = GetFileAttributesW(wide);
    if (attributes == INVALID_FILE_ATTRIBUTES) return PLAT_MISSING;
    if (attributes & FILE_ATTRIBUTE_DIRECTORY) return PLAT_FOLDER;
    return attributes & FILE_ATTRIBUTE_DEVICE || wcsncmp(wide, L"\\\\.\\", 4) == 0 ? PLAT_STREAM : PLAT_FILE;
}

enum plat_kind plat_fd_kind(int fd, uint64_t *out_size) {
    struct _stat64 info;
    if (_fstat64(fd, &info) != 0) return PLAT_MISSING;
    *out_size = info.st_size > 0 ? (uint64_t)info.st_size : 0;
    return (info.st_mode & _S_IFMT) == _S_IFREG   ? PLAT_FILE
           : (info.st_mode & _S_IFMT) == _S_IFDIR ? PLAT_FOLDER
                                                  : PLAT_STREAM;
}

static bool identify(HANDLE handle, struct plat_identity *out_identity) {
    BY_HANDLE_FILE_INFORMATION info;
    if (GetFileType(handle) != FILE_TYPE_DISK || !GetFileInformationByHandle(handle, &info)) return false;
    *out_identity = (struct plat_identity){ .volume = info.dwVolumeSerialNumber,
                                            .file = (uint64_t)info.nFileIndexHigh << 32 | info.nFileIndexLow };
    return !(info.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY);
}

static HANDLE open_to_look(const char *path) {
    wchar_t wide[PATH_ROOM];
    if (!widen(path, wide)) return INVALID_HANDLE_VALUE;
    return CreateFileW(wide, 0, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, NULL, OPEN_EXISTING,
                       FILE_FLAG_BACKUP_SEMANTICS, NULL);
}

bool plat_path_identity(const char *path, struct plat_identity *out_identity) {
    HANDLE handle = open_to_look(path);
    bool ok = handle != INVALID_HANDLE_VALUE && identify(handle, out_identity);
    if (handle != INVALID_HANDLE_VALUE) CloseHandle(handle);
    return ok;
}

bool plat_fd_identity(int fd, struct plat_identity *out_identity) {
    return identify((HANDLE)_get_osfhandle(fd), out_identity);
}

bool plat_is_link(const char *path) {
    wchar_t wide[PATH_ROOM];
    DWORD attributes = widen(path, wide) ? GetFileAttributesW(wide) : INVALID_FILE_ATTRIBUTES;
    return attributes != INVALID_FILE_ATTRIBUTES && (attributes & FILE_ATTRIBUTE_REPARSE_POINT);
}

// Returns the path of the link itself if its target is missing. The output then replaces the link.
char *plat_follow_links(const char *path) {
    wchar_t wide[PATH_ROOM];
    char target[PATH_ROOM];
    HANDLE handle = plat_is_link(path) ? open_to_look(path) : INVALID_HANDLE_VALUE;
    DWORD len =
        handle != INVALID_HANDLE_VALUE ? GetFinalPathNameByHandleW(handle, wide, PATH_ROOM, FILE_NAME_NORMALIZED) : 0;
    if (handle != INVALID_HANDLE_VALUE) CloseHandle(handle);
    return _strdup(len > 0 && len < PATH_ROOM && narrow(wide, target, sizeof target) ? target : path);
}

bool plat_may_replace(const char *path) {
    wchar_t wide[PATH_ROOM];
    if (!widen(path, wide) || _waccess(wide, 0) != 0 || _waccess(wide, 2) == 0) return true;
    keep_errno();
    return false;
}

// Does nothing: on Windows a new file inherits the access rights of its folder.
void plat_copy_rights(int fd, const char *from) { (void)fd, (void)from; }

bool plat_make_folder(const char *path) {
    wchar_t wide[PATH_ROOM];
    if (widen(path, wide) && CreateDirectoryW(wide, NULL)) return true;
    keep_system_error();
    return plat_path_kind(path) == PLAT_FOLDER;
}

static int open_wide(const char *path, int flags) {
    wchar_t wide[PATH_ROOM];
    int fd = widen(path, wide) ? _wopen(wide, flags | _O_BINARY | _O_NOINHERIT, _S_IREAD | _S_IWRITE) : -1;
    if (fd < 0) keep_errno();
    return fd;
}

int plat_open_read(const char *path) { return open_wide(path, _O_RDONLY); }

int plat_open_write(const char *path) { return open_wide(path, _O_RDWR | _O_CREAT | _O_EXCL); }

bool plat_open_found_file(void) { return errno == EEXIST; }

int plat_open_device(const char *path) { return open_wide(path, _O_WRONLY); }

void plat_close(int fd) { _close(fd); }

int plat_duplicate(int fd) { return _dup(fd); }

int64_t plat_read(int fd, void *bytes, size_t len) { return stop_requests ? 0 : plat_read_file(fd, bytes, len); }

int64_t plat_read_file(int fd, void *bytes, size_t len) {
    int got = _read(fd, bytes, len > INT_MAX ? INT_MAX : (unsigned)len);
    if (got < 0 && GetLastError() == ERROR_BROKEN_PIPE) return 0;
    if (got < 0 && stop_requests) return 0;
    if (got < 0) keep_errno();
    return got;
}

bool plat_readable(int fd, int wait_ms) {
    HANDLE handle = (HANDLE)_get_osfhandle(fd);
    if (GetFileType(handle) != FILE_TYPE_PIPE) return true;
    for (int waited = 0; waited <= wait_ms && !stop_requests; waited += 10) {
        DWORD there = 0;
        if (!PeekNamedPipe(handle, NULL, 0, NULL, &there, NULL) || there > 0)
            return true; // a read from a closed pipe does not block
        Sleep(10);
    }
    return false;
}

bool plat_write_all(int fd, const void *bytes, size_t len) {
    const char *at = bytes;
    while (len > 0) {
        unsigned piece = len > 1 << 20 ? 1 << 20 : (unsigned)len;
        int done = _write(fd, at, piece);
        if (done <= 0) {
            keep_errno();
            return false;
        }
        at += done;
        len -= (size_t)done;
    }
    return true;
}

bool plat_write_at(int fd, uint64_t offset, const void *bytes, size_t len) {
    __int64 here = _lseeki64(fd, 0, SEEK_CUR);
    bool ok = here >= 0 && plat_seek(fd, offset) && plat_write_all(fd, bytes, len);
    return plat_seek(fd, (uint64_t)here) && ok;
}

bool plat_seek(int fd, uint64_t offset) { return _lseeki64(fd, (__int64)offset, SEEK_SET) >= 0; }

int64_t plat_rewritable_at(int fd) {
    uint64_t size;
    // Windows does not report whether the shell opened the file with ">" or ">>". ">" empties the file, so a file with
    // content at offset 0 was opened with ">>".
    __int64 at = _lseeki64(fd, 0, SEEK_CUR);
    return plat_fd_kind(fd, &size) == PLAT_FILE && (at > 0 || size == 0) ? at : -1;
}

// Returns true if the last write failed because the pipe has no reader. The C runtime reports that as EINVAL.
bool plat_last_write_hit_closed_pipe(void) {
    return errno == EPIPE || (errno == EINVAL && GetFileType(GetStdHandle(STD_OUTPUT_HANDLE)) == FILE_TYPE_PIPE);
}

const char *plat_error(void) { return error_text[0] ? error_text : strerror(errno); }

bool plat_rename_over(const char *from, const char *to) {
    wchar_t wide_from[PATH_ROOM], wide_to[PATH_ROOM];
    if (widen(from, wide_from) && widen(to, wide_to) && MoveFileExW(wide_from, wide_to, MOVEFILE_REPLACE_EXISTING))
        return true;
    keep_system_error();
    return false;
}

void plat_remove(const char *path) {
    wchar_t wide[PATH_ROOM];
    if (widen(path, wide)) DeleteFileW(wide);
}

int plat_open_scratch(void) {
    wchar_t folder[MAX_PATH + 1], path[MAX_PATH + 1];
    if (!GetTempPathW(MAX_PATH + 1, folder) || !GetTempFileNameW(folder, L"tkf", 0, path)) {
        keep_system_error();
        return -1;
    }
    int fd = _wopen(path, _O_RDWR | _O_BINARY | _O_TEMPORARY | _O_NOINHERIT, _S_IREAD | _S_IWRITE);
    if (fd < 0) keep_errno();
    return fd;
}

bool plat_is_terminal(int fd) {
    DWORD mode;
    return GetConsoleMode((HANDLE)_get_osfhandle(fd), &mode);
}

uint64_t plat_now_ms(void) { return GetTickCount64(); }

uint64_t plat_now_ns(void) {
    LARGE_INTEGER now, rate;
    QueryPerformanceCounter(&now);
    QueryPerformanceFrequency(&rate);
    return (uint64_t)(now.QuadPart / rate.QuadPart) * 1000000000u +
           (uint64_t)(now.QuadPart % rate.QuadPart) * 1000000000u / (uint64_t)rate.QuadPart;
}

bool plat_terminal_is_plain(void) {
    const char *kind = getenv("TERM");
    return kind && strcmp(kind, "dumb") == 0;
}

bool plat_random(void *bytes, size_t len) { return RtlGenRandom(bytes, (ULONG)len); }

bool plat_open_browser(const char *url) {
    wchar_t wide[PATH_ROOM];
    return widen(url, wide) && (INT_PTR)ShellExecuteW(NULL, L"open", wide, NULL, NULL, SW_SHOWNORMAL) > 32;
}

void plat_sleep_ms(int ms) { Sleep((DWORD)ms); }

static BOOL WINAPI on_stop(DWORD event) {
    if (InterlockedIncrement(&stop_requests) == 1) {
        stop_event = (LONG)event;
        CancelIoEx(GetStdHandle(STD_INPUT_HANDLE), NULL);
        return TRUE;
    }
    if (is_held) return TRUE;
    if (guarded_file[0]) DeleteFileW(guarded_file);
    return FALSE;
}

void plat_catch_stop(void) { SetConsoleCtrlHandler(on_stop, TRUE); }

bool plat_stop_requested(void) { return stop_requests != 0; }

void plat_forget_stop(void) { InterlockedExchange(&stop_requests, 0); }

void plat_hold_stop(bool hold) { InterlockedExchange(&is_held, hold); }

// Returns the codes that other systems use: 130 for Ctrl-C, 129 for a closed window, 143 for other requests.
int plat_stop_code(void) {
    if (stop_event == CTRL_C_EVENT || stop_event == CTRL_BREAK_EVENT) return 130;
    return stop_event == CTRL_CLOSE_EVENT ? 129 : 143;
}

void plat_guard_file(const char *path) {
    guarded_file[0] = 0;
    if (path) widen(path, guarded_file);
}

bool plat_list_folder(const char *folder, void (*each)(void *ctx, const char *name), void *ctx) {
    char pattern[PATH_ROOM], name[4 * MAX_PATH];
    wchar_t wide[PATH_ROOM];
    snprintf(pattern, sizeof pattern, "%s\\*", folder);
    WIN32_FIND_DATAW entry;
    HANDLE search = widen(pattern, wide) ? FindFirstFileW(wide, &entry) : INVALID_HANDLE_VALUE;
    if (search == INVALID_HANDLE_VALUE) {
        keep_system_error();
        return false;
    }
    do {
        bool is_name = wcscmp(entry.cFileName, L".") != 0 && wcscmp(entry.cFileName, L"..") != 0;
        if (is_name && narrow(entry.cFileName, name, sizeof name)) each(ctx, name);
    } while (FindNextFileW(search, &entry));
    FindClose(search);
    return true;
}

const char *plat_base_name(const char *path) {
    const char *base = path;
    for (const char *at = path; *at; at++) {
        if (*at == '/' || *at == '\\' || (*at == ':' && at == path + 1)) base = at + 1;
    }
    return base;
}

// ---- Arguments -----------------------------------------------------------------------------------

int cli_main(int argc, char **argv);

static char *copy_narrow(const wchar_t *text) {
    int room = WideCharToMultiByte(CP_UTF8, 0, text, -1, NULL, 0, NULL, NULL);
    char *copy = malloc((size_t)room);
    if (copy) narrow(text, copy, room);
    return copy;
}

int main(void) {
    int count = 0;
    wchar_t **wide = CommandLineToArgvW(GetCommandLineW(), &count);
    char **argv = calloc((size_t)count + 1, sizeof *argv);
    bool ok = wide && argv;
    for (int i = 0; ok && i < count; i++) ok = (argv[i] = copy_narrow(wide[i])) != NULL;
    int result = ok ? cli_main(count, argv) : 4;
    for (int i = 0; argv && i < count; i++) free(argv[i]);
    free(argv);
    LocalFree(wide);
    return result;
}
