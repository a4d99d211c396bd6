/* SPDX-License-Identifier: MIT */
/*
 * The program of several examples, FreeRTOS on the board of the example's folder: a task that measures, a task that
 * processes the values, and a task that disturbs both. The idle task sends the recording.
 */
#include "FreeRTOS.h"
#include "queue.h"
#include "semphr.h"
#include "task.h"

#include "board.h"

enum { SYSTICK = 15, READING = 1, STEP = 2, STEPS = 60 };

static QueueHandle_t readings;
static SemaphoreHandle_t bus;

/* ---- The program ----------------------------------------------------------------------------------------------------
 */

static void use_bus(uint32_t microseconds) {
    xSemaphoreTake(bus, portMAX_DELAY);
    for (uint32_t begin = board_time(); board_time() - begin < microseconds * 1000 / NS_PER_TICK;) {}
    xSemaphoreGive(bus);
}

static void measure(void *argument) {
    (void)argument;
    for (uint32_t reading = 0;; reading++) {
        use_bus(1200);
        tband_valmarker(READING, reading % 7);
        xQueueSend(readings, &reading, portMAX_DELAY);
        vTaskDelay(pdMS_TO_TICKS(3));
    }
}

static void disturb(void *argument) {
    (void)argument;
    for (;;) {
        vTaskDelay(pdMS_TO_TICKS(7));
        use_bus(200);
    }
}

static void control(void *argument) {
    uint32_t reading;
    float mean = 0; /* uses the FPU, so its registers belong to the task's context */
    (void)argument;
    tband_freertos_task_evtmarker_name(STEP, "step");
    for (unsigned step = 0; step < STEPS; step++) {
        xQueueReceive(readings, &reading, portMAX_DELAY);
        tband_freertos_task_evtmarker_begin(STEP, NULL);
        mean += ((float)reading - mean) / 8;
        use_bus(400 + 10 * (uint32_t)mean);
        tband_freertos_task_evtmarker_end(STEP);
    }
    tband_stop_streaming();
    vTaskSuspend(NULL);
}

/* ---- Recording ------------------------------------------------------------------------------------------------------
 */

#ifdef DMA
#include "tband_transfer.h"

size_t tband_transfer_begin(const uint8_t *bytes, size_t len) {
    board_begin_write(bytes, len);
    return len;
}

void board_written(void) { tband_transfer_done(); }

static void send(void) { tband_transfer_pump(); }
#else
static void send(void) {
    const uint8_t *bytes;
    for (size_t len; (len = tband_stream_peek(0, &bytes)) != 0; tband_stream_consume(0, len)) board_write(bytes, len);
}
#endif

/* The only consumer: another task must not interleave its own bytes. */
void vApplicationIdleHook(void) {
    send();
    if (tband_tracing_finished()) board_stop(0);
}

int main(void) {
    tband_isr_name(SYSTICK, "SysTick");
    tband_valmarker_name(READING, "reading");
    tband_start_streaming();
    readings = xQueueCreate(4, sizeof(uint32_t));
    bus = xSemaphoreCreateMutex();
    vQueueAddToRegistry(readings, "readings");
    vQueueAddToRegistry(bus, "bus");
    xTaskCreate(measure, "measure", configMINIMAL_STACK_SIZE, NULL, 1, NULL);
    xTaskCreate(control, "control", configMINIMAL_STACK_SIZE, NULL, 2, NULL);
    xTaskCreate(disturb, "disturb", configMINIMAL_STACK_SIZE, NULL, 3, NULL);
    vTaskStartScheduler();
    return 1;
}
