// SPDX-License-Identifier: MIT
#include "room.h"

struct room *tkw_open(void);
void tkw_close(struct room *room);

struct room *tkw_open(void) {
    return tkw_room_new(sizeof(struct room));
}

void tkw_close(struct room *room) {
    if (room->handle) room->free_handle(room->handle);
    tkw_bytes_free(&room->probes);
    tkw_room_free(&room->at, sizeof *room);
}
