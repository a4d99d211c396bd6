/* SPDX-License-Identifier: MIT */
#include "../../../tracer/examples/freertos/FreeRTOSConfig.h"
