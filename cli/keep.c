// SPDX-License-Identifier: MIT
#include "keep.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "message.h"
#include "platform.h"

struct keep {
    FILE *bytes, *times;
    uint64_t offset, first, last;
};

static FILE *create(const char *path) {
    FILE *file = fopen(path, "wbx");
    if (!file) message_error("%s: cannot be written, or exists", path);
    return file;
}

struct keep *keep_open(const char *path) {
    struct keep *keep = calloc(1, sizeof *keep);
    char *times = malloc(strlen(path) + sizeof ".times");
    if (keep && times) {
        strcat(strcpy(times, path), ".times");
        keep->bytes = create(path);
        keep->times = keep->bytes ? create(times) : NULL;
    }
    free(times);
    if (keep && keep->times) {
        fprintf(keep->times, "# cortexm-times 1\n# <byte offset> <nanoseconds since the first byte>\n");
        return keep;
    }
    if (keep && keep->bytes) {
        fclose(keep->bytes);
        plat_remove(path);
    }
    free(keep);
    return NULL;
}

// All bytes of a piece were received together, so its last byte has the same time as its first.
void keep_piece(struct keep *keep, const uint8_t *bytes, size_t len, uint64_t ns) {
    if (!keep->offset) keep->first = ns;
    if (keep->offset) fprintf(keep->times, "%" PRIu64 " %" PRIu64 "\n", keep->offset - 1, keep->last - keep->first);
    fprintf(keep->times, "%" PRIu64 " %" PRIu64 "\n", keep->offset, ns - keep->first);
    fwrite(bytes, 1, len, keep->bytes);
    fflush(keep->bytes);
    keep->offset += len;
    keep->last = ns;
}

bool keep_close(struct keep *keep) {
    if (!keep) return true;
    bool failed = ferror(keep->bytes) || ferror(keep->times);
    failed |= fclose(keep->bytes) != 0;
    failed |= fclose(keep->times) != 0;
    if (failed) message_error("what was received could not be kept");
    free(keep);
    return !failed;
}
