/* SPDX-License-Identifier: MIT */
/* The configuration of the example, with counters of the kernel's work that are independent of the recorder, and its
 * run time statistics.
 * */
#define configUSE_TICK_HOOK 1
#include "../../../tracer/examples/freertos/FreeRTOSConfig.h"

#ifndef __ASSEMBLER__

enum counted { SWITCHES, SENDS, SENDS_FROM_ISR, RECEIVES, RECEIVES_FROM_ISR, COUNTED };
void count(enum counted what);
void start_run_time(void);
uint32_t run_time(void);

#define configGENERATE_RUN_TIME_STATS 1
#define portCONFIGURE_TIMER_FOR_RUN_TIME_STATS() start_run_time()
#define portGET_RUN_TIME_COUNTER_VALUE() run_time()

#define COUNT_IF(done, what) \
    if ((done) == pdPASS) count(what)
#define traceTASK_SWITCHED_OUT() count(SWITCHES)
#define traceRETURN_xQueueGenericSend(done) COUNT_IF(done, SENDS)
#define traceRETURN_xQueueGenericSendFromISR(done) COUNT_IF(done, SENDS_FROM_ISR)
#define traceRETURN_xQueueGiveFromISR(done) COUNT_IF(done, SENDS_FROM_ISR)
#define traceRETURN_xQueueReceive(done) COUNT_IF(done, RECEIVES)
#define traceRETURN_xQueueSemaphoreTake(done) COUNT_IF(done, RECEIVES)
#define traceRETURN_xQueueReceiveFromISR(done) COUNT_IF(done, RECEIVES_FROM_ISR)

#endif
