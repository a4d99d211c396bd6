/* SPDX-License-Identifier: MIT */
/* The configuration of the example without assertions, which the kernel would check at each switch. */
#include "../../../tracer/examples/freertos/FreeRTOSConfig.h"
#undef configASSERT
#define configASSERT(condition) ((void)sizeof(condition))
