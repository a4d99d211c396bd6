// SPDX-License-Identifier: MIT
#ifndef TKW_ROOM_H
#define TKW_ROOM_H

#include "desk.h"

struct room {
    struct tkw_room at;
    struct tkw_bytes probes;
    tk *handle;
};

#endif
