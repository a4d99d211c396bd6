// SPDX-License-Identifier: MIT
//
// Dumps. The page shows none and need not load this.
#include "room.h"

int32_t tkw_dump(struct room *room, uint32_t stage, uint32_t json);

static bool write_line(void *ctx, const char *line, size_t len) {
    struct room *room = ctx;
    return tkw_put(&room->at.output, line, len) && tkw_put(&room->at.output, "\n", 1);
}

// Behind tkw_new without a trace: the lines of a tk_dump_stage are the output.
int32_t tkw_dump(struct room *room, uint32_t stage, uint32_t json) {
    tkw_begin(&room->at);
    return tkw_end(&room->at, tk_set_dump(room->handle, (tk_dump_stage)stage, json != 0, write_line, room));
}
