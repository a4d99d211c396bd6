// SPDX-License-Identifier: MIT
//
// What recognising and converting keep between calls. A module has either or both.
#ifndef TKW_ROOM_H
#define TKW_ROOM_H

#include "desk.h"

struct room {
    struct tkw_room at;
    struct tkw_bytes probes;
    tk *handle;
    void (*free_handle)(tk *handle); // set with it: a module that does not convert carries no tk_free
};

#endif
