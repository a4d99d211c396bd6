/* SPDX-License-Identifier: MIT */
/*
 * Semihosting: the debugger writes the stream into the file demo.tband. It needs no pin, but every write halts the
 * processor (with a real probe for milliseconds), and without a debugger the program stops at the first call.
 */
#include "../mps2/board.h"
#include "link.h"
#include "tband.h"

enum { SYS_OPEN = 1, SYS_WRITE = 5, MODE_WB = 5 };

static uintptr_t file;

void link_start(void) {
    static const char path[] = "demo.tband";
    const uintptr_t open[] = { (uintptr_t)path, MODE_WB, sizeof path - 1 };
    file = board_semihost(SYS_OPEN, open);
}

void link_pump(void) {
    const uint8_t *bytes;
    size_t len = tband_stream_peek(0, &bytes);
    if (!len) return;
    const uintptr_t write[] = { file, (uintptr_t)bytes, len };
    tband_stream_consume(0, len - board_semihost(SYS_WRITE, write)); /* returns how many bytes were not written */
}
