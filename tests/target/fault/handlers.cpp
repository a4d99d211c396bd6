/* SPDX-License-Identifier: MIT */
/* Handlers of a program in C++: the vector table finds them by the names of C. */
#include "../../../tracer/ports/cortex-m/tband_fault.h"

static void own_handler() {}

TBAND_FAULT_HANDLER(HardFault_Handler, own_handler)
TBAND_FAULT_CHAIN(BusFault_Handler, own_handler)
