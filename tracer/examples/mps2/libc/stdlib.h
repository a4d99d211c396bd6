/* SPDX-License-Identifier: MIT */
/* FreeRTOS includes this header but uses nothing of it. */
#ifndef BOARD_STDLIB_H
#define BOARD_STDLIB_H

#include <stddef.h>

#endif
