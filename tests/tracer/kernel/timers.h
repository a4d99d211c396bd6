/* SPDX-License-Identifier: MIT */
#ifndef TIMERS_H
#define TIMERS_H

TaskHandle_t xTimerGetTimerDaemonTaskHandle(void);

#endif
