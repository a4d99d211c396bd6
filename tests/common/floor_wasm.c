// SPDX-License-Identifier: MIT
// The loop of floor.c as a WebAssembly module: fill the buffer, run.
#include "floor.h"

static uint8_t room[256 * 1024];
static struct floor_output output;

uint8_t *floor_room(void) { return room; }
double floor_run(size_t len, int kind) {
    if (kind == 1) floor_hdlc(room, len, &output);
    else if (kind == 2) floor_calls(room, len, &output);
    else if (kind == 3) floor_words(room, len, &output);
    else if (kind == 4) floor_flux(room, len, &output);
    else if (kind == 5) floor_vcd(room, len, &output);
    else floor_cobs(room, len, &output);
    return (double)output.packets;
}
