// SPDX-License-Identifier: MIT
#include "keep.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "message.h"
#include "platform.h"
#include "source.h"

struct keep {
    FILE *bytes, *times;
    char *path, *times_path;
    uint64_t offset, first, last;
    bool has_failed;
};

static FILE *create(const char *path) {
    FILE *file = fopen(path, "wbx");
    if (!file) message_error("%s: cannot be written, or exists", path);
    return file;
}

static char *joined(const char *path, const char *ending) {
    size_t room = strlen(path) + strlen(ending) + 1;
    char *made = malloc(room);
    if (made) snprintf(made, room, "%s%s", path, ending);
    return made;
}

// Closes a file, and removes it if nothing was received. Returns false if a write failed.
static bool close_file(FILE *file, const char *path, bool is_empty) {
    if (!file) return true;
    bool is_written = !ferror(file);
    is_written &= fclose(file) == 0;
    if (is_empty) plat_remove(path);
    return is_written;
}

struct keep *keep_open(const char *path) {
    struct keep *keep = calloc(1, sizeof *keep);
    if (keep) {
        keep->path = joined(path, "");
        keep->times_path = joined(path, ".times");
    }
    if (!keep || !keep->path || !keep->times_path) {
        message_error("out of memory");
        keep_close(keep);
        return NULL;
    }
    keep->bytes = create(keep->path);
    keep->times = keep->bytes ? create(keep->times_path) : NULL;
    if (keep->times) {
        fprintf(keep->times, "# cortexm-times 1\n# <byte offset> <nanoseconds since the first byte>\n");
        return keep;
    }
    keep_close(keep);
    return NULL;
}

bool keep_has_file(const struct keep *keep, const char *path) {
    return names_same_file(path, keep->path) || names_same_file(path, keep->times_path);
}

static bool fail(struct keep *keep) {
    if (!keep->has_failed) message_error("%s: cannot be written: %s", keep->path, strerror(errno));
    keep->has_failed = true;
    return false;
}

// All bytes of a piece were received together, so its last byte has the same time as its first.
bool keep_piece(struct keep *keep, const uint8_t *bytes, size_t len, uint64_t ns) {
    if (keep->has_failed) return false; // a hole in the middle would be damage
    if (!keep->offset) keep->first = ns;
    if (keep->offset) fprintf(keep->times, "%" PRIu64 " %" PRIu64 "\n", keep->offset - 1, keep->last - keep->first);
    fprintf(keep->times, "%" PRIu64 " %" PRIu64 "\n", keep->offset, ns - keep->first);
    fwrite(bytes, 1, len, keep->bytes);
    keep->offset += len;
    keep->last = ns;
    return fflush(keep->bytes) == 0 && !ferror(keep->bytes) && !ferror(keep->times) ? true : fail(keep);
}

bool keep_close(struct keep *keep) {
    if (!keep) return true;
    bool is_empty = !keep->offset;
    bool is_written = close_file(keep->bytes, keep->path, is_empty);
    is_written &= close_file(keep->times, keep->times_path, is_empty);
    if (!is_written) fail(keep);
    bool is_fine = !keep->has_failed;
    free(keep->path);
    free(keep->times_path);
    free(keep);
    return is_fine;
}
