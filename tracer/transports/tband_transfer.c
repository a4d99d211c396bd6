/* SPDX-License-Identifier: MIT */
#include "tband.h"

#if tband_configENABLE == 1

#include "tband_transfer.h"

#if tband_configUSE_BACKEND_STREAMING != 1 || defined(tband_portBACKEND_STREAM_DATA)
#error \
    "tband_transfer.c sends a stream: set tband_configUSE_BACKEND_STREAMING to 1, without tband_portBACKEND_STREAM_DATA."
#endif
#if tband_portNUMBER_OF_CORES > 1
#error "tband_transfer.c sends the stream of one core: with several, give each a link of its own."
#endif

static size_t under_way; /* number of bytes being sent */

static void begin(void) {
    const uint8_t *bytes;
    size_t len = tband_stream_peek(0, &bytes);
    if (len) under_way = tband_transfer_begin(bytes, len);
}

void tband_transfer_done(void) {
    tband_stream_consume(0, under_way);
    tband_portENTER_CRITICAL_FROM_ANY();
    under_way = 0;
    begin();
    tband_portEXIT_CRITICAL_FROM_ANY();
}

void tband_transfer_pump(void) {
    tband_portENTER_CRITICAL_FROM_ANY();
    if (!under_way) begin();
    tband_portEXIT_CRITICAL_FROM_ANY();
}

#endif
