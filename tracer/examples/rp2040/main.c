/* SPDX-License-Identifier: MIT */
/* Two workers pass numbers through a queue; the scheduler moves them between the cores. The idle task makes the
 * recorded bytes visible to the debugger. */
#include "FreeRTOS.h"
#include "queue.h"
#include "task.h"

#include "tband_rtt.h"

enum { SYSTICK = 15, HANDED = 1 };

static QueueHandle_t numbers;

static void work(uint32_t amount) {
    for (volatile uint32_t i = 0; i < amount; i++) {}
}

static void produce(void *argument) {
    uint32_t seed = (uint32_t)argument;
    for (;;) {
        seed = seed * 1664525 + 1013904223;
        work(seed >> 18);
        xQueueSend(numbers, &seed, portMAX_DELAY);
        if (seed >> 30 == 0) vTaskDelay(1);
    }
}

static void consume(void *argument) {
    uint32_t number;
    (void)argument;
    for (uint32_t received = 0;; received++) {
        xQueueReceive(numbers, &number, portMAX_DELAY);
        tband_valmarker(HANDED, received);
        work(number >> 19);
    }
}

void vApplicationIdleHook(void) { tband_rtt_pump(); }

void demo_failed(int line) {
    (void)line; /* for a debugger */
    for (;;) {}
}

int main(void) {
    tband_isr_name(SYSTICK, "SysTick");
    tband_valmarker_name(HANDED, "handed over");
    tband_start_streaming();
    tband_rtt_start();
    numbers = xQueueCreate(4, sizeof(uint32_t));
    vQueueAddToRegistry(numbers, "numbers");
    xTaskCreate(produce, "left", configMINIMAL_STACK_SIZE, (void *)1, 1, NULL);
    xTaskCreate(produce, "right", configMINIMAL_STACK_SIZE, (void *)2, 1, NULL);
    xTaskCreate(consume, "consumer", configMINIMAL_STACK_SIZE, NULL, 3, NULL);
    vTaskStartScheduler();
    return 0;
}
