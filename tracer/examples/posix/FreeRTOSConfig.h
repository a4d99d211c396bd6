/* SPDX-License-Identifier: MIT */
#ifndef FREERTOS_CONFIG_H
#define FREERTOS_CONFIG_H

#define configMINIMAL_STACK_SIZE 4096

#include "config.h"

#endif
