/* SPDX-License-Identifier: MIT */
/* The example's, without assertions, which the kernel would check at each switch. */
#include "../../../tracer/examples/freertos/FreeRTOSConfig.h"
#undef configASSERT
#define configASSERT(condition) ((void)sizeof(condition))
