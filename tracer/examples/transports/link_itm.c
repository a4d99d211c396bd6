/* SPDX-License-Identifier: MIT */
/* ITM: the stream leaves through the SWO pin after a debugger has enabled it. The emulator has no ITM. */
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
