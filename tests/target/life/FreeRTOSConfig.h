/* SPDX-License-Identifier: MIT */
/* The configuration of the example without the registry, which names the queue of the timer task. */
#define configRECORD_STACK_HIGH_ADDRESS 1
#define INCLUDE_xTimerPendFunctionCall 1
#include "../../../tracer/examples/freertos/FreeRTOSConfig.h"
#undef configQUEUE_REGISTRY_SIZE
#define configQUEUE_REGISTRY_SIZE 0
