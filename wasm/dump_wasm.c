// SPDX-License-Identifier: MIT
//
// Dumps. The page shows none and need not load this.
#include "room.h"

int32_t tkw_dump(struct room *room, uint32_t stage, uint32_t json);
int32_t tkw_dump_only(struct room *room, uint32_t key_len, uint32_t value_len);

static bool write_line(void *ctx, const char *line, size_t len) {
    struct room *room = ctx;
    return tkw_put(&room->at.output, line, len) && tkw_put(&room->at.output, "\n", 1);
}

// Behind tkw_new without a trace: the lines of a tk_dump_stage are the output.
int32_t tkw_dump(struct room *room, uint32_t stage, uint32_t json) {
    tkw_begin(&room->at);
    return tkw_end(&room->at, tk_set_dump(room->handle, (tk_dump_stage)stage, json != 0, write_line, room));
}

// The input block holds key and value as for tkw_set_option.
int32_t tkw_dump_only(struct room *room, uint32_t key_len, uint32_t value_len) {
    tkw_begin(&room->at);
    if (!room->handle || key_len > TKW_INPUT_LEN / 4 || value_len > TKW_INPUT_LEN / 4) return tkw_end(&room->at, TK_MISUSE);
    room->at.input[key_len] = 0;
    room->at.input[key_len + 1 + value_len] = 0;
    return tkw_end(&room->at, tk_dump_only(room->handle, (const char *)room->at.input, (const char *)room->at.input + key_len + 1));
}
