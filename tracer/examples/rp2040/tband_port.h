/* SPDX-License-Identifier: MIT */
/* Both cores use the chip's timer as their clock: 64 bits, 1 MHz. It is read without its latch, because the cores
 * share the latch. */
#ifndef TBAND_PORT_H
#define TBAND_PORT_H

#include <stdint.h>

#include "tband_cortex_m.h"

#define RP2040_TIMER_HIGH (*(const volatile uint32_t *)0x40054024u)
#define RP2040_TIMER_LOW (*(const volatile uint32_t *)0x40054028u)
#define RP2040_CORE (*(const volatile uint32_t *)0xD0000000u)

static inline uint64_t rp2040_time(void) {
    uint32_t high = RP2040_TIMER_HIGH, low = RP2040_TIMER_LOW, again;
    while ((again = RP2040_TIMER_HIGH) != high) {
        high = again;
        low = RP2040_TIMER_LOW;
    }
    return (uint64_t)high << 32 | low;
}

#define tband_portNUMBER_OF_CORES 2
#define tband_portGET_CORE_ID() RP2040_CORE
#define tband_portTIMESTAMP() rp2040_time()
#define tband_portTIMESTAMP_RESOLUTION_NS 1000

#endif
