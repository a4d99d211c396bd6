/* SPDX-License-Identifier: MIT */
/* Typical loads: TASKS tasks that wake up every PERIOD milliseconds, and every tenth time send an item to a queue that
 * another task receives. Prints the bytes that two seconds of recording took. */
#include "FreeRTOS.h"
#include "queue.h"
#include "task.h"

#include "board.h"

enum { SECONDS = 2 };

static QueueHandle_t items;

static void wake(void *argument) {
    (void)argument;
    for (uint32_t round = 0;; round++) {
        vTaskDelay(pdMS_TO_TICKS(PERIOD));
        if (round % 10 == 0) xQueueSend(items, &round, 0);
    }
}

static void receive(void *argument) {
    uint32_t item;
    (void)argument;
    for (;;) xQueueReceive(items, &item, portMAX_DELAY);
}

static size_t recorded(void) {
    size_t sum = 0, len;
    tband_stop_post_mortem();
    for (unsigned piece = 1; piece < 3; piece++) {
        (void)tband_get_post_mortem_piece(0, piece, &len);
        sum += len;
    }
    tband_start_post_mortem();
    return sum;
}

static void measure(void *argument) {
    (void)argument;
    vTaskDelay(pdMS_TO_TICKS(100));
    (void)recorded();
    vTaskDelay(pdMS_TO_TICKS(1000 * SECONDS));
    board_write_number((uint32_t)recorded());
    board_exit();
}

void vApplicationIdleHook(void) {}

void demo_failed(int line) {
    board_write_number((uint32_t)line);
    board_exit();
}

int main(void) {
    tband_start_post_mortem();
    items = xQueueCreate(8, sizeof(uint32_t));
    xTaskCreate(measure, "measure", configMINIMAL_STACK_SIZE, NULL, 3, NULL);
    xTaskCreate(receive, "receive", configMINIMAL_STACK_SIZE, NULL, 2, NULL);
    for (int i = 0; i < TASKS; i++) xTaskCreate(wake, "wake", configMINIMAL_STACK_SIZE, NULL, 1, NULL);
    vTaskStartScheduler();
    return 0;
}
