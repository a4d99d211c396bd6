/* SPDX-License-Identifier: MIT */
#ifndef FREERTOS_CONFIG_H
#define FREERTOS_CONFIG_H

#define configCPU_CLOCK_HZ 10000000 /* rate of mtime */
#define configMTIME_BASE_ADDRESS 0x0200BFF8
#define configMTIMECMP_BASE_ADDRESS 0x02004000
#define configMINIMAL_STACK_SIZE 256
#define configTOTAL_HEAP_SIZE 32768

#include "config.h"

#endif
