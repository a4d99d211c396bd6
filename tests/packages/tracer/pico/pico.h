/* SPDX-License-Identifier: MIT */
/* A stub of the Pico SDK functions that the kernel's port uses, so that the test of the example needs no SDK: it
 * proves that the example compiles. */
#ifndef PICO_H
#define PICO_H

#include <stdbool.h>
#include <stdint.h>

#include "rp2040_config.h"

#define PICO_SDK_VERSION_MAJOR 2
#define PICO_DIVIDER_DISABLE_INTERRUPTS 1
#define PICO_SPINLOCK_ID_OS1 14
#define PICO_SPINLOCK_ID_OS2 15
#define __force_inline inline __attribute__((always_inline))

unsigned get_core_num(void);

#endif
