// SPDX-License-Identifier: MIT
//
// What differs between operating systems. Paths and arguments are UTF-8 everywhere.
// One implementation per system: platform_posix.c, platform_win32.c.
#ifndef CLI_PLATFORM_H
#define CLI_PLATFORM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PLAT_STDIN = 0, PLAT_STDOUT = 1, PLAT_STDERR = 2 };

enum plat_kind {
    PLAT_MISSING,
    PLAT_FILE, // regular: has a size, can seek
    PLAT_FOLDER,
    PLAT_STREAM // pipe, terminal, serial port, socket
};

// Binary standard streams, broken pipes as write errors; a closed standard stream becomes the null device, opened
// for reading: no file that is opened later takes its number, and writing to it is an error. Call first.
void plat_init(void);

enum plat_kind plat_path_kind(const char *path);
enum plat_kind plat_fd_kind(int fd, uint64_t *out_size);

// Which file it is, whatever its names. False: no regular file, or none at all.
struct plat_identity {
    uint64_t volume, file;
};
bool plat_path_identity(const char *path, struct plat_identity *out_identity);
bool plat_fd_identity(int fd, struct plat_identity *out_identity);

// Where a path leads when links are followed; the last file need not be there. Allocated; NULL: no memory, or links
// without an end.
char *plat_follow_links(const char *path);
bool plat_is_link(const char *path);
// True when there is no file, or one that may be written; false with the reason in plat_error().
bool plat_may_replace(const char *path);
// Gives an open file the access rights of another one, as far as the system knows such.
void plat_copy_rights(int fd, const char *from);
bool plat_make_folder(const char *path); // true when it is there already

// Descriptors, or -1 with the reason in plat_error().
int plat_open_read(const char *path);
int plat_open_write(const char *path);  // must not exist
bool plat_open_found_file(void);        // why the last one failed: there is such a file
int plat_open_device(const char *path); // a pipe or device that is there, for writing
void plat_close(int fd);
int plat_duplicate(int fd); // -1: failed
// Blocks until at least one byte is there. 0: end, or interrupted by a signal (ask plat_stop_requested); -1: failed.
int64_t plat_read(int fd, void *bytes, size_t len);
// Of a file, whether or not a stop was requested.
int64_t plat_read_file(int fd, void *bytes, size_t len);
// True when a read would not block within `wait_ms`.
bool plat_readable(int fd, int wait_ms);
bool plat_write_all(int fd, const void *bytes, size_t len);
bool plat_write_at(int fd, uint64_t offset, const void *bytes, size_t len);
bool plat_seek(int fd, uint64_t offset);
// Offset at which the next write lands when the descriptor is a regular file that can be rewritten, else -1.
int64_t plat_rewritable_at(int fd);
bool plat_last_write_hit_closed_pipe(void);
const char *plat_error(void); // of the last call that failed

bool plat_rename_over(const char *from, const char *to);
void plat_remove(const char *path);
// A file without a name that vanishes when closed.
int plat_open_scratch(void);

bool plat_is_terminal(int fd);
bool plat_terminal_is_plain(void); // it knows no control sequences
uint64_t plat_now_ms(void);        // milliseconds of a clock that never steps back; its zero is arbitrary
uint64_t plat_now_ns(void);        // nanoseconds of the same clock
bool plat_random(void *bytes, size_t len);
bool plat_open_browser(const char *url);
void plat_sleep_ms(int ms);

// The first interrupt, termination or hang-up request sets a flag and ends a blocking read; the second removes the file
// named by plat_guard_file and ends the program.
void plat_catch_stop(void);
bool plat_stop_requested(void);
int plat_stop_code(void);               // exit code that tells the kind of the request, from 128 on
void plat_guard_file(const char *path); // NULL: none

// Calls `each` for every name in a folder (not "." and "..", unsorted). False: cannot be read.
bool plat_list_folder(const char *folder, void (*each)(void *ctx, const char *name), void *ctx);
const char *plat_base_name(const char *path); // returns the part after the last separator

#endif
