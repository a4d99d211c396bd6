// SPDX-License-Identifier: MIT
//
// What recognising and converting keep between calls. A module has either or both.
#ifndef TKW_INSTANCE_H
#define TKW_INSTANCE_H

#include "io.h"

struct instance {
    struct tkw_instance at;
    struct tkw_bytes probes;
    tk *handle;
    void (*free_handle)(tk *handle); // set with it: a module that does not convert carries no tk_free
};

#endif
