// SPDX-License-Identifier: MIT
#include "output.h"

#include "message.h"
#include "platform.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { BUFFER = 64 * 1024 };

struct output {
    const char *path; // path as the user named it, for messages
    char *final;      // `path` with links resolved; NULL: the output is standard output or a device
    char *temporary;  // file beside `final`; NULL: none
    uint64_t written; // number of bytes written
    int fd;
    int64_t start; // offset of the trace in a file that can be rewritten; -1: none
    bool gzip, failed, pipe_closed;
    bool packing; // `z` is initialised
    z_stream z;
    uint8_t *buffer;
};

// Closes the file. Called before a rename or removal, because some systems do not allow these for an open file.
static void close_file(output *out) {
    if (out->fd > PLAT_STDERR) plat_close(out->fd);
    out->fd = -1;
}

static void release(output *out) {
    if (out->packing) deflateEnd(&out->z);
    close_file(out);
    if (out->temporary) plat_guard_file(NULL);
    free(out->temporary);
    free(out->final);
    free(out->buffer);
    free(out);
}

static void write_failed(output *out) {
    out->failed = true;
    if (!out->temporary && plat_last_write_hit_closed_pipe()) out->pipe_closed = true;
    else
        message_error("%s: cannot be written: %s", strcmp(out->path, "-") ? out->path : "standard output",
                      plat_error());
}

// ---- Opening -------------------------------------------------------------------------------------

// Opens a new file beside the final one, with the first free name. Cuts long names between UTF-8 characters. Returns
// false with the reason in plat_error().
static bool open_temporary(output *out, size_t room) {
    enum { LONGEST = 240 }; // largest length of a file name without the ending, in bytes
    size_t folder = (size_t)(plat_base_name(out->final) - out->final), len = strlen(out->final);
    if (len > folder + LONGEST)
        for (len = folder + LONGEST; ((unsigned char)out->final[len] & 0xC0) == 0x80;) len--;
    for (int attempt = 0; attempt < 100; attempt++) {
        snprintf(out->temporary, room, "%.*s.%d.part", (int)len, out->final, attempt);
        out->fd = plat_open_write(out->temporary);
        if (out->fd >= 0 || !plat_open_found_file()) break;
    }
    return out->fd >= 0;
}

// Opens a temporary file beside the final one, in the same file system, so that it can be renamed.
static bool open_beside(output *out) {
    out->final = plat_follow_links(out->path);
    size_t room = out->final ? strlen(out->final) + 40 : 0;
    out->temporary = out->final ? malloc(room) : NULL;
    if (out->temporary && plat_may_replace(out->final) && open_temporary(out, room)) {
        plat_guard_file(out->temporary);
        plat_copy_rights(out->fd, out->final);
        return true;
    }
    message_error("%s: cannot be written: %s; --output names another place", out->path, plat_error());
    free(out->temporary);
    out->temporary = NULL;
    return false;
}

static bool open_device(output *out) {
    out->fd = plat_open_device(out->path);
    if (out->fd < 0) message_error("%s: cannot be written: %s", out->path, plat_error());
    return out->fd >= 0;
}

static bool start_packing(output *out) {
    out->buffer = malloc(BUFFER);
    out->packing =
        out->buffer && deflateInit2(&out->z, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) == Z_OK;
    if (!out->packing) message_error("out of memory");
    return out->packing;
}

output *output_open(const char *path, bool gzip) {
    output *out = calloc(1, sizeof *out);
    if (!out) {
        message_error("out of memory");
        return NULL;
    }
    out->path = path;
    out->gzip = gzip;
    out->fd = PLAT_STDOUT;
    // A device or named pipe is written directly: a rename would replace it by a file.
    bool is_device = plat_path_kind(path) == PLAT_STREAM, is_direct = is_device || strcmp(path, "-") == 0;
    // A file is compressed at the end, because its head may be rewritten before; a pipe is compressed immediately.
    bool ok = is_device ? open_device(out) : is_direct || open_beside(out);
    if (ok && is_direct && gzip) ok = start_packing(out);
    out->start = ok && !out->packing ? plat_rewritable_at(out->fd) : -1;
    if (ok) return out;
    release(out);
    return NULL;
}

// ---- Writing -------------------------------------------------------------------------------------

static bool write_plain(output *out, int fd, const uint8_t *bytes, size_t len) {
    if (plat_write_all(fd, bytes, len)) {
        out->written += len;
        return true;
    }
    write_failed(out);
    return false;
}

static bool pack(output *out, int fd, const uint8_t *bytes, size_t len, int flush) {
    out->z.next_in = (Bytef *)(uintptr_t)bytes;
    out->z.avail_in = (uInt)len;
    do {
        out->z.next_out = out->buffer;
        out->z.avail_out = BUFFER;
        deflate(&out->z, flush);
        if (!write_plain(out, fd, out->buffer, BUFFER - out->z.avail_out)) return false;
    } while (out->z.avail_out == 0);
    return true;
}

bool output_write(output *out, const uint8_t *bytes, size_t len) {
    if (out->failed) return false;
    return out->packing ? pack(out, out->fd, bytes, len, Z_NO_FLUSH) : write_plain(out, out->fd, bytes, len);
}

bool output_can_rewrite(const output *out) { return out->start >= 0; }

bool output_rewrite_head(output *out, const uint8_t *bytes, size_t len) {
    if (plat_write_at(out->fd, (uint64_t)out->start, bytes, len)) return true;
    write_failed(out);
    return false;
}

// ---- Ending --------------------------------------------------------------------------------------

// Replaces the complete temporary file by a compressed copy.
static bool pack_file(output *out) {
    output *packed = output_open(out->path, false);
    uint8_t *piece = malloc(BUFFER);
    bool ok = packed && piece && start_packing(out) && plat_seek(out->fd, 0);
    out->written = 0;
    int64_t len = 0;
    while (ok && (len = plat_read_file(out->fd, piece, BUFFER)) > 0)
        ok = pack(out, packed->fd, piece, (size_t)len, Z_NO_FLUSH);
    ok = ok && len == 0 && pack(out, packed->fd, NULL, 0, Z_FINISH);
    free(piece);
    if (!packed) return false;
    plat_close(out->fd);
    plat_remove(out->temporary);
    char *temporary = out->temporary;
    out->temporary = packed->temporary;
    out->fd = packed->fd;
    free(temporary);
    free(packed->final);
    free(packed);
    return ok;
}

static bool flush_file(output *out) {
    if (out->gzip && !pack_file(out)) return false;
    close_file(out);
    if (!plat_rename_over(out->temporary, out->final)) {
        write_failed(out);
        return false;
    }
    return true;
}

bool output_commit(output *out, uint64_t *out_bytes) {
    bool ok = !out->failed;
    if (ok && out->temporary) ok = flush_file(out);
    else if (ok && out->packing) ok = pack(out, out->fd, NULL, 0, Z_FINISH);
    close_file(out);
    if (!ok && out->temporary) plat_remove(out->temporary);
    if (out_bytes) *out_bytes = out->written;
    release(out);
    return ok;
}

void output_discard(output *out) {
    close_file(out);
    if (out->temporary) plat_remove(out->temporary);
    release(out);
}

bool output_pipe_was_closed(const output *out) { return out->pipe_closed; }
