/* SPDX-License-Identifier: MIT */
/* The configuration of the example, with counters of the kernel's work that are independent of the recorder. */
#define configUSE_TICK_HOOK 1
#define INCLUDE_uxTaskGetStackHighWaterMark 1
#define INCLUDE_xTimerPendFunctionCall 1
#define configTASK_NOTIFICATION_ARRAY_ENTRIES 2
#include "../../../tracer/examples/freertos/FreeRTOSConfig.h"

#ifndef __ASSEMBLER__

enum counted {
    NOTIFIED,
    NOTIFIED_FROM_ISR,
    BITS_SET,
    BITS_WAITED,
    BYTES_SENT,
    BYTES_RECEIVED,
    TIMER_COMMANDS,
    COUNTED
};
void count(enum counted what, uint32_t number);

#define traceRETURN_xTaskGenericNotify(done) count(NOTIFIED, 1)
#define traceRETURN_vTaskGenericNotifyGiveFromISR() count(NOTIFIED_FROM_ISR, 1)
#define traceRETURN_xTaskGenericNotifyFromISR(done) count(NOTIFIED_FROM_ISR, 1)
#define traceRETURN_xEventGroupSetBits(bits) count(BITS_SET, 1)
#define traceRETURN_xEventGroupWaitBits(bits) count(BITS_WAITED, 1)
#define traceRETURN_xEventGroupSync(bits) count(BITS_WAITED, 1)
#define traceRETURN_xStreamBufferSend(bytes) count(BYTES_SENT, (uint32_t)(bytes))
#define traceRETURN_xStreamBufferSendFromISR(bytes) count(BYTES_SENT, (uint32_t)(bytes))
#define traceRETURN_xStreamBufferReceive(bytes) count(BYTES_RECEIVED, (uint32_t)(bytes))
#define traceRETURN_xTimerGenericCommandFromTask(done) count(TIMER_COMMANDS, (done) == pdPASS)

#endif
