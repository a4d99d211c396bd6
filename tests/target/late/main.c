/* SPDX-License-Identifier: MIT */
/* Streams for SECONDS seconds from the idle task, which also repeats the names. */
#include "FreeRTOS.h"
#include "queue.h"
#include "task.h"

#include "board.h"

#ifndef SECONDS
#define SECONDS 4
#endif

static QueueHandle_t items;

static void send(void *argument) {
    (void)argument;
    for (uint32_t round = 0;; round++) {
        vTaskDelay(pdMS_TO_TICKS(20));
        xQueueSend(items, &round, 0);
    }
}

static void receive(void *argument) {
    uint32_t item;
    (void)argument;
    for (;;) {
        xQueueReceive(items, &item, portMAX_DELAY);
        tband_valmarker(7, item);
    }
}

static void finish(void *argument) {
    (void)argument;
    vTaskDelay(pdMS_TO_TICKS(1000 * SECONDS));
    tband_stop_streaming();
    vTaskSuspend(NULL);
}

void vApplicationIdleHook(void) {
    const uint8_t *bytes;
    tband_repeat_names();
    for (size_t len; (len = tband_stream_peek(0, &bytes)) != 0; tband_stream_consume(0, len))
        for (size_t i = 0; i < len; i++) board_write_byte(bytes[i]);
    if (tband_tracing_finished()) board_exit();
}

void demo_failed(int line) {
    board_write_number((uint32_t)line);
    board_exit();
}

int main(void) {
    tband_isr_name(15, "SysTick");
    tband_valmarker_name(7, "item");
    tband_start_streaming();
    items = xQueueCreate(4, sizeof(uint32_t));
    vQueueAddToRegistry(items, "items");
    xTaskCreate(finish, "finish", configMINIMAL_STACK_SIZE, NULL, 3, NULL);
    xTaskCreate(receive, "receive", configMINIMAL_STACK_SIZE, NULL, 2, NULL);
    xTaskCreate(send, "send", configMINIMAL_STACK_SIZE, NULL, 1, NULL);
    vTaskStartScheduler();
    return 0;
}
