/* SPDX-License-Identifier: MIT */
/* A PC. */
#ifndef BOARD_H
#define BOARD_H

#include <stddef.h>
#include <stdint.h>

#include "tband_port.h"

#define NS_PER_TICK 1
static inline uint32_t board_time(void) { return (uint32_t)tband_posix_time(); }

void board_write(const uint8_t *bytes, size_t len); /* writes to demo.tband */
void board_stop(uint32_t line); /* ends the program. 0: success; otherwise the number of the failed check */

#endif
