/* SPDX-License-Identifier: MIT */
/*
 * FreeRTOS with two tasks, a queue, a mutex, a software timer and an interrupt. The idle task writes the recorded
 * stream to UART 0.
 *
 *   make && qemu-system-arm -M mps2-an385 -nographic -semihosting -serial file:demo.tband \
 *     -monitor none -kernel demo.elf && tonkopf conv demo.tband
 */
#include "FreeRTOS.h"
#include "queue.h"
#include "semphr.h"
#include "task.h"
#include "timers.h"

#include "../mps2/board.h"

enum { SYSTICK = 15, TIMER0 = 16 + TIMER0_INTERRUPT, TEMPERATURE = 1, CONTROL = 2, STEPS = 40 };

static QueueHandle_t readings;
static SemaphoreHandle_t bus, button;

/* ---- The program ----------------------------------------------------------------------------------------------------
 */

static void work(uint32_t amount) {
    for (volatile uint32_t i = 0; i < amount; i++) {}
}

/* Keeps the bus for long at a low priority. */
static void sensor(void *argument) {
    (void)argument;
    for (uint32_t reading = 0;; reading++) {
        xSemaphoreTake(bus, portMAX_DELAY);
        work(9000);
        xSemaphoreGive(bus);
        tband_valmarker(TEMPERATURE, reading % 7);
        xQueueSend(readings, &reading, portMAX_DELAY);
        vTaskDelay(pdMS_TO_TICKS(3));
    }
}

static void control(void *argument) {
    uint32_t reading;
    (void)argument;
    tband_freertos_task_evtmarker_name(CONTROL, "steps");
    for (unsigned step = 0; step < STEPS; step++) {
        xQueueReceive(readings, &reading, portMAX_DELAY);
        tband_freertos_task_evtmarker_begin(CONTROL, "step");
        xSemaphoreTake(bus, portMAX_DELAY);
        work(3000);
        xSemaphoreGive(bus);
        tband_freertos_task_evtmarker_end(CONTROL);
    }
    tband_stop_streaming();
    vTaskSuspend(NULL);
}

static void alarm(void *argument) {
    (void)argument;
    for (;;) {
        xSemaphoreTake(button, portMAX_DELAY);
        xSemaphoreTake(bus, portMAX_DELAY);
        work(500);
        xSemaphoreGive(bus);
    }
}

static void blink(TimerHandle_t timer) {
    (void)timer;
    work(200);
}

void board_timer0(void) {
    BaseType_t woken = pdFALSE;
    traceISR_ENTER();
    board_timer0_done();
    xSemaphoreGiveFromISR(button, &woken);
    portYIELD_FROM_ISR(woken);
}

/* ---- Recording ------------------------------------------------------------------------------------------------------
 */

/* The only consumer: another task must not interleave its own bytes. */
void vApplicationIdleHook(void) {
    const uint8_t *bytes;
    for (size_t len; (len = tband_stream_peek(0, &bytes)) != 0; tband_stream_consume(0, len))
        for (size_t i = 0; i < len; i++) board_write_byte(bytes[i]);
    if (tband_tracing_finished()) board_exit();
}

void demo_failed(int line) {
    board_write("failed at line ");
    board_write_number((uint32_t)line);
    board_exit();
}

int main(void) {
    tband_isr_name(SYSTICK, "SysTick");
    tband_isr_name(TIMER0, "button");
    tband_valmarker_name(TEMPERATURE, "temperature");
    tband_start_streaming();
    readings = xQueueCreate(4, sizeof(uint32_t));
    bus = xSemaphoreCreateMutex();
    button = xSemaphoreCreateBinary();
    vQueueAddToRegistry(readings, "readings");
    vQueueAddToRegistry(bus, "bus");
    vQueueAddToRegistry(button, "button");
    xTaskCreate(sensor, "sensor", configMINIMAL_STACK_SIZE, NULL, 1, NULL);
    xTaskCreate(control, "control", configMINIMAL_STACK_SIZE, NULL, 2, NULL);
    xTaskCreate(alarm, "alarm", configMINIMAL_STACK_SIZE, NULL, 4, NULL);
    xTimerStart(xTimerCreate("blink", pdMS_TO_TICKS(10), pdTRUE, NULL, blink), 0);
    board_start_timer0(25000 * 13 / 2, 0x80);
    vTaskStartScheduler();
    return 0;
}
