/* SPDX-License-Identifier: MIT */
#define configRECORD_STACK_HIGH_ADDRESS 1
#include "../../../tracer/examples/freertos/FreeRTOSConfig.h"
