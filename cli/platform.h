// SPDX-License-Identifier: MIT
//
// Functions that differ between operating systems. Paths and arguments are UTF-8 on all systems.
// One implementation per system: platform_posix.c, platform_win32.c.
#ifndef CLI_PLATFORM_H
#define CLI_PLATFORM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PLAT_STDIN = 0, PLAT_STDOUT = 1, PLAT_STDERR = 2 };

enum plat_kind {
    PLAT_MISSING,
    PLAT_FILE, // regular file: has a size and can seek
    PLAT_FOLDER,
    PLAT_STREAM // pipe, terminal, serial port, socket
};

// Prepares the process; call it first. Standard streams become binary, and a write to a closed pipe fails instead of
// ending the process. Opens the null device, for reading, in place of each closed standard stream: a file that is
// opened later cannot get its number, and writing to it fails.
void plat_init(void);

enum plat_kind plat_path_kind(const char *path);
enum plat_kind plat_fd_kind(int fd, uint64_t *out_size);

// Identifies a file independent of its path. The functions return false if there is no file, or no regular file.
struct plat_identity {
    uint64_t volume, file;
};
bool plat_path_identity(const char *path, struct plat_identity *out_identity);
bool plat_fd_identity(int fd, struct plat_identity *out_identity);

// Returns the path with links resolved; the target need not exist. Allocated; NULL: no memory, or the links form a
// loop.
char *plat_follow_links(const char *path);
bool plat_is_link(const char *path);
// Returns true if there is no file, or a writable one; false with the reason in plat_error().
bool plat_may_replace(const char *path);
// Gives an open file the access rights of another file, on systems with such rights.
void plat_copy_rights(int fd, const char *from);
bool plat_make_folder(const char *path); // returns true also if the folder exists

// The plat_open functions return a descriptor, or -1 with the reason in plat_error().
int plat_open_read(const char *path);
int plat_open_write(const char *path);  // creates a file; fails if it exists
bool plat_open_found_file(void);        // returns true if plat_open_write failed because the file exists
int plat_open_device(const char *path); // opens an existing pipe or device for writing
void plat_close(int fd);
int plat_duplicate(int fd); // returns -1 on failure
// Blocks until at least one byte was read. Returns the number of bytes; 0: end, or the user stopped the program (see
// plat_stop_requested); -1: failure.
int64_t plat_read(int fd, void *bytes, size_t len);
// Reads from a file, even if the user has stopped the program.
int64_t plat_read_file(int fd, void *bytes, size_t len);
// Waits up to `wait_ms`. Returns true if a read would not block.
bool plat_readable(int fd, int wait_ms);
bool plat_write_all(int fd, const void *bytes, size_t len);
bool plat_write_at(int fd, uint64_t offset, const void *bytes, size_t len);
bool plat_seek(int fd, uint64_t offset);
// Returns the offset of the next write if the descriptor is a regular file that can be rewritten, else -1.
int64_t plat_rewritable_at(int fd);
bool plat_last_write_hit_closed_pipe(void);
const char *plat_error(void); // describes the last failure

bool plat_rename_over(const char *from, const char *to);
void plat_remove(const char *path);
// Opens a temporary file that is deleted when it is closed. Returns -1 on failure.
int plat_open_scratch(void);

bool plat_is_terminal(int fd);
bool plat_terminal_is_plain(void); // returns true if the terminal knows no control sequences
uint64_t plat_now_ms(void);        // time of a monotonic clock in ms; the zero point is arbitrary
uint64_t plat_now_ns(void);        // time of a monotonic clock in ns
bool plat_random(void *bytes, size_t len);
bool plat_open_browser(const char *url);
void plat_sleep_ms(int ms);

// Catches requests to stop: interrupt, termination and hang-up. The first request sets a flag and ends a blocking read.
// The second removes the file named by plat_guard_file and ends the program.
void plat_catch_stop(void);
bool plat_stop_requested(void);
void plat_forget_stop(void); // for work that begins after the user has stopped what was before
// hold: further requests do not end the program, until it is called with false.
void plat_hold_stop(bool hold);
int plat_stop_code(void);               // exit code for the kind of the request: 129, 130 or 143
void plat_guard_file(const char *path); // file to remove at the second request; NULL: none

// Calls `each` for every name in a folder, unsorted, without "." and "..". Returns false if the folder cannot be read.
bool plat_list_folder(const char *folder, void (*each)(void *ctx, const char *name), void *ctx);
const char *plat_base_name(const char *path); // returns the part after the last separator

#endif
