/* SPDX-License-Identifier: MIT */
/* ITM: the stream leaves by the SWO pin, once a debugger has switched it on. Not in the emulator, which has no ITM. */
#include "link.h"
#include "tband.h"
#include "tband_itm.h"

enum { PORT = 1 };

void link_start(void) {}

void link_pump(void) {
    const uint8_t *bytes;
    size_t len = tband_stream_peek(0, &bytes);
    tband_stream_consume(0, tband_itm_write(PORT, bytes, len));
}
