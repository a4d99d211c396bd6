/* SPDX-License-Identifier: MIT */
/*
 * A stream through the ITM and the SWO pin of a Cortex-M3 or larger. The debugger configures the pin, its speed and the
 * port (OpenOCD: `itm port 1 on`); until then the ITM accepts no bytes. One consumer, from tasks or the tick:
 *
 *   const uint8_t *bytes;
 *   size_t len = tband_stream_peek(0, &bytes);
 *   tband_stream_consume(0, tband_itm_write(1, bytes, len));
 *
 * Four bytes take five on the wire, a single one two. Tonkopf opens the bytes of the pin as they were captured.
 */
#ifndef TBAND_ITM_H
#define TBAND_ITM_H

#include <stddef.h>
#include <stdint.h>

#ifndef TBAND_ITM
#define TBAND_ITM ((volatile uint32_t *)0xE0000000u) /* the 32 ports, then the enable register */
#endif

/* Returns whether the ITM and the port are enabled. */
static inline int tband_itm_is_on(unsigned port) {
    return (TBAND_ITM[0xE80 / 4] & 1) && (TBAND_ITM[0xE00 / 4] >> port & 1);
}

/* Writes as many of the bytes as fit at once, maybe none, and returns their number. port: 0 to 31; printf uses 0. */
static inline size_t tband_itm_write(unsigned port, const uint8_t *bytes, size_t len) {
    volatile uint32_t *to = &TBAND_ITM[port];
    size_t taken = 0;
    if (!tband_itm_is_on(port)) return 0;
    while (taken < len && (*to & 1)) {
        const uint8_t *at = bytes + taken;
        if (len - taken < 4) {
            *(volatile uint8_t *)to = *at;
            taken++;
        } else {
            *to = at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
            taken += 4;
        }
    }
    return taken;
}

#endif
