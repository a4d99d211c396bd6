/* SPDX-License-Identifier: MIT */
#ifndef FREERTOS_CONFIG_H
#define FREERTOS_CONFIG_H

#define configCPU_CLOCK_HZ 16000000
#define configMINIMAL_STACK_SIZE 128
#define configTOTAL_HEAP_SIZE 6144
#define configENABLE_MPU 0

#include "config.h"

#endif
