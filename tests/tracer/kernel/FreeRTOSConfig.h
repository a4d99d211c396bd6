/* SPDX-License-Identifier: MIT */
#define configUSE_TRACE_FACILITY 1
#define configUSE_TIMERS 1
#define INCLUDE_xTaskGetIdleTaskHandle 1
#define INCLUDE_uxTaskGetStackHighWaterMark 1
#if KERNEL_VERSION >= 1100
#define configNUMBER_OF_CORES 1
#endif
#include "tband.h"
